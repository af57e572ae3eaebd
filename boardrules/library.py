"""The shelf of games: finds games, overlays and owner's sheets, and makes `Rules` of them.

A file is data from a stranger: nothing in it is evaluated, and whatever is wrong with it is
reported at once, each problem with its file, its path and a suggestion.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from numbers import Integral, Rational, Real
from pathlib import Path as FilePath
from typing import Any, TypeAlias

from .files import check_depth, read_text, read_toml, too_deep
from .impossible import Wrong, impossible
from .overlay import (
    EVERYTHING,
    MOST_PROBLEMS,
    Merged,
    Origin,
    Overlay,
    Path,
    Tree,
    by_id,
    copied,
    flat,
    lay,
    show,
    write_path,
)
from .rules import Change, Problem, Rules, RulesError, leaves, unknown

Source: TypeAlias = str | os.PathLike[str] | Mapping[str, Any]
"""A name on the shelf, the path of a TOML file, or the content of one."""

MOST_OVERLAYS = 50
FOLDERS = ("editions", "readings", "house", "names")
IN_MEMORY = "your game"
_NAME = re.compile(r"[a-z0-9_]{1,60}(/[a-z0-9_]{1,60})?")


@dataclass(frozen=True, slots=True)
class Entry:
    """A game or an overlay on the shelf: its name, its title and one line about it."""

    name: str
    title: str
    description: str


@dataclass(frozen=True, slots=True)
class Game:
    """A game on the shelf, and the overlays that there are for it."""

    name: str
    title: str
    description: str
    overlays: tuple[Entry, ...]


def data_folder() -> FilePath:
    """Where the games lie: inside an installed package, or beside the package in a checkout."""
    package = FilePath(__file__).resolve().parent
    inside = package / "data"
    return inside if inside.is_dir() else package.parent / "data"


def games() -> tuple[Game, ...]:
    """The games on the shelf, each with its overlays."""
    found = []
    for file in sorted(data_folder().glob("*/rules.toml")):
        document = read_toml(file, _short(file))
        overlays = tuple(_entry(name, path) for name, path in sorted(_shelf(file.parent).items()))
        found.append(
            Game(
                file.parent.name,
                str(document.get("title", "")),
                str(document.get("description", "")),
                overlays,
            )
        )
    return tuple(found)


def load(game: Source, *overlays: Source) -> Rules:
    """Open a game, with any overlays laid over it.

    `game` is a name (`"monopoly"`), the path of a TOML file, or a dict; an overlay likewise
    (`"house/double_go"`, or `"double_go"` where that is unique).  The order of overlays does not
    matter.  Raises `RulesError` with every problem that was found.

    >>> load("monopoly", "double_go").changes[0].path
    'squares.go.landing'
    """
    file, document, shelf = _open_game(game)
    problems: list[Problem] = []
    base = _Base(_id_of(file), file, _keyed(document, file, problems))
    sheets = [overlay for overlay in overlays if _is_sheet(overlay)]
    for sheet in sheets:
        _make(base, [], [])  # a sheet is worked into a game that is in order, or not at all
        base = _filled_in(base, FilePath(sheet), problems)  # type: ignore[arg-type]
    others = [overlay for overlay in overlays if overlay not in sheets]
    return _make(base, _open_overlays(others, base.name, shelf, problems), problems)


@dataclass(frozen=True, slots=True)
class _Base:
    """What overlays are laid over: a game file, maybe with its owner's sheets worked in."""

    name: str
    file: str
    tree: Tree
    sheets: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()


def _is_sheet(source: Source) -> bool:
    return isinstance(source, (str, os.PathLike)) and str(source).casefold().endswith(".csv")


def _filled_in(base: _Base, path: FilePath, problems: list[Problem]) -> _Base:
    """The game with an owner's sheet worked in, or as it was if the sheet has mistakes."""
    from . import sheet

    try:
        text = read_text(path, path.name)
    except RulesError as error:
        problems.extend(error.problems)
        return base
    tree, wrong = sheet.read(text, base.tree, path.name)
    if wrong:
        problems.extend(wrong)
        return base
    return replace(
        base,
        tree=tree,
        sheets=(*base.sheets, path.stem),
        changes=(*base.changes, *_told_changes(base.tree, tree, path.name)),
    )


def _told_changes(before: Tree, after: Tree, file: str) -> Iterator[Change]:
    """What a sheet changes in a game, path by path, grades left out; then the order of squares."""
    old, new = (
        {path: value for path, value in leaves(tree) if "grade" not in path.split(".")}
        for tree in (before, after)
    )
    for path in {**old, **new}:
        if old.get(path) != new.get(path):
            yield Change(path, old.get(path), new.get(path), file)
    if list(before["squares"]) != list(after["squares"]):
        yield Change("squares.order", list(before["squares"]), list(after["squares"]), file)


def _make(base: _Base, papers: Sequence[Overlay], problems: Sequence[Problem]) -> Rules:
    name, file = base.name, base.file
    about = " + ".join([name, *(paper.name for paper in papers)])
    merged = lay(base.tree, papers)
    from .build import build  # brings pydantic, which `import boardrules` shall not

    blamed: list[Path] = []
    checked = _checked(merged.tree, merged, file, blamed)
    found = [*problems, *merged.problems]
    if isinstance(checked, list):
        found += [problem for problem in checked if not _follows(problem, found)]
        # what is wrong is taken out, so that what is only misspelt is told in the same round
        merged = replace(merged, tree=_without(merged.tree, blamed))
        checked = _checked(merged.tree, merged, file, [])
    if isinstance(checked, list):
        raise RulesError(about, _bounded(found))
    made = build(name, checked, merged, papers)
    wrong = _blamed(impossible(made), merged, file)
    found += [problem for problem in wrong if not _follows(problem, found)]
    if found:
        raise RulesError(about, _bounded(found))
    return replace(
        made,
        overlays=(*base.sheets, *made.overlays),
        changes=(*base.changes, *made.changes),
        _remake=_remaker(base, papers),
    )


def _without(tree: Tree, places: Sequence[Path]) -> Tree:
    """A tree without the values at some places; of a list, the whole entry goes."""
    left: Tree = copied(tree)
    gone: list[tuple[list[Any], Any]] = []
    for place in places:
        node: Any = left
        entry: tuple[list[Any], Any] | None = None
        for part in place[:-1]:
            inside = node[part] if _has(node, part) else None
            if isinstance(node, list):
                entry = (node, inside)
            node = inside
        if entry is not None:
            gone.append(entry)
        elif place and _has(node, place[-1]):
            if isinstance(node, list):
                gone.append((node, node[int(place[-1])]))
            else:
                node.pop(place[-1])
    for entries, one in gone:
        entries[:] = [kept for kept in entries if kept is not one]
    return left


def _has(node: Any, part: str | int) -> bool:
    if isinstance(node, list):
        return isinstance(part, int) and part < len(node)
    return isinstance(node, dict) and part in node


def _follows(problem: Problem, earlier: Sequence[Problem]) -> bool:
    """Whether a problem only follows from one that is told already, above or below its place."""
    return any(
        problem.file == known.file
        and (f"{problem.path}.".startswith(f"{known.path}.") or known.path.startswith(problem.path))
        for known in earlier
    )


def _bounded(problems: Sequence[Problem]) -> list[Problem]:
    """Each problem once, and no more of them than anybody reads."""
    each = list(dict.fromkeys(problems))
    if len(each) > MOST_PROBLEMS:
        each[MOST_PROBLEMS:] = [Problem("", "", "and more problems like these")]
    return each


def _remaker(base: _Base, papers: Sequence[Overlay]) -> Any:
    """What `Rules.but` calls: the same game with one more sheet, which goes over all others."""

    def remake(changes: Mapping[str, Any]) -> Rules:
        kept = [paper for paper in papers if paper.over != EVERYTHING]
        earlier = [paper for paper in papers if paper.over == EVERYTHING]
        together = {key: value for paper in earlier for key, value in paper.set.items()}
        for path, value in flat(_plain_table(changes, "but(…)")):
            together.pop(path, None)  # what is said last goes last
            together[path] = value
        labels = [f"{path} = {show(value)}" for path, value in together.items()]
        sheet = Overlay(
            ", ".join(labels) or "nothing", "but(…)", grade="user", over=EVERYTHING, set=together
        )
        return _make(base, [*kept, sheet], [])

    return remake


def _plain_table(table: Mapping[str, Any], file: str) -> dict[str, Any]:
    """A table from Python as a file would hold it."""
    try:
        return {str(key): _plain(value) for key, value in table.items()}
    except RecursionError:
        raise too_deep(file) from None


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(inside) for key, inside in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inside) for inside in value]
    if isinstance(value, bool):
        return value
    if isinstance(value, Integral):  # numpy's whole numbers too
        return int(value)
    if isinstance(value, Rational):
        return Fraction(value)
    if isinstance(value, Real):
        number = float(value)
        return Fraction(repr(number)) if abs(number) < float("inf") else number
    return value


# ------------------------------------------------------------------------- opening files


def _open_game(game: Source) -> tuple[str, dict[str, Any], FilePath | None]:
    if isinstance(game, Mapping):
        document = _plain_table(game, IN_MEMORY)
        check_depth(document, IN_MEMORY)
        return IN_MEMORY, _no_overlay(document, IN_MEMORY), None
    text = os.fspath(game)
    if _NAME.fullmatch(text) and "/" not in text:
        file = data_folder() / text / "rules.toml"
        if file.is_file():
            return _short(file), read_toml(file, _short(file)), file.parent
        if not _is_file(text):
            raise RulesError(text, [Problem("", "", unknown("game", text, _known_games()))])
    file = FilePath(text)
    name = _short(file)
    return name, _no_overlay(read_toml(file, name), name), file.parent


def _no_overlay(document: dict[str, Any], file: str) -> dict[str, Any]:
    """The document of a whole game; an overlay is told from it by its first words."""
    if "game" in document:
        tip = f"this file is an overlay for {show(document['game'])}; load that game first"
        raise RulesError(file, [Problem(file, "game", tip)])
    if "squares" not in document and document.keys() & {"set", "add", "remove"}:
        raise RulesError(file, [Problem(file, "game", _NO_GAME)])
    return document


_NO_GAME = "an overlay says game = '…' at its top; without that it is a whole game"


def open_file(file: str | os.PathLike[str]) -> Rules:
    """Open whatever a ruleset file holds: a whole game, or an overlay laid over its game."""
    path = FilePath(file)
    name = _short(path)
    document = read_toml(path, name)
    if "game" not in document:
        return load(path)
    game, known = document["game"], _known_games()
    if game in known:
        return load(game, path)
    text = f"must be the name of a game, not {show(game)}"
    text = unknown("game", game, known) if isinstance(game, str) else text
    raise RulesError(name, [Problem(name, "game", text)])


def _known_games() -> list[str]:
    return sorted(folder.parent.name for folder in data_folder().glob("*/rules.toml"))


def _open_overlays(
    overlays: Sequence[Source], game: str, shelf: FilePath | None, problems: list[Problem]
) -> list[Overlay]:
    """All sheets that were asked for and the sheets that these need, each once."""
    files = _shelf(shelf) if shelf else {}
    wanted: list[Source] = [one for one in overlays if not isinstance(one, Mapping)]
    papers: dict[str, Overlay] = {}
    for source in wanted:
        try:
            paper = _open_overlay(source, game, files)
        except RulesError as error:
            problems.extend(error.problems)
            continue
        if papers.get(paper.name, paper) != paper:
            text = f"another overlay is called {paper.name!r} too; rename one of the two files"
            problems.append(Problem(paper.file, "", text))
        elif paper.name not in papers:
            papers[paper.name] = paper
            wanted.extend(_needed(paper, files, problems))
        if len(papers) > MOST_OVERLAYS:
            problems.append(Problem("", "", f"more than {MOST_OVERLAYS} overlays at once"))
            break
    return sorted([*papers.values(), *_dicts(overlays, game, problems)], key=lambda one: one.name)


def _needed(paper: Overlay, files: Mapping[str, FilePath], problems: list[Problem]) -> list[str]:
    """The sheets that a sheet needs: only names on the game's own shelf, never a path."""
    for place, name in enumerate(paper.needs):
        if name not in files:
            problems.append(Problem(paper.file, f"needs[{place}]", unknown("overlay", name, files)))
    return [name for name in paper.needs if name in files]


def _dicts(overlays: Sequence[Source], game: str, problems: list[Problem]) -> list[Overlay]:
    """Sheets made in memory, numbered by what they say, so that their order does not matter."""
    sheets = [_plain_table(one, IN_MEMORY) for one in overlays if isinstance(one, Mapping)]
    papers = []
    for place, sheet in enumerate(sorted(sheets, key=show), start=1):
        name = f"overlay {place}" if len(sheets) > 1 else "overlay"
        try:
            check_depth(sheet, name)
            papers.append(_overlay(name, name, {"game": game, **sheet}, game))
        except RulesError as error:
            problems.extend(error.problems)
    return papers


def _open_overlay(source: Any, game: str, files: Mapping[str, FilePath]) -> Overlay:
    text = os.fspath(source)
    if _NAME.fullmatch(text):
        names = [name for name in files if text in (name, name.rpartition("/")[2])]
        if len(names) > 1 and text not in names:
            tip = f"overlay {text!r} is not unique; which one: {' or '.join(names)}?"
            raise RulesError(text, [Problem("", "", tip)])
        if names:
            file = files[names[0]]
            return _overlay(names[0], _short(file), read_toml(file, _short(file)), game)
        if not _is_file(text):
            short = [*files, *(name.rpartition("/")[2] for name in files)]
            raise RulesError(text, [Problem("", "", unknown(f"overlay for {game}", text, short))])
    path = FilePath(text)
    return _overlay(path.stem, _short(path), read_toml(path, _short(path)), game)


def _overlay(name: str, file: str, document: dict[str, Any], game: str) -> Overlay:
    from . import schema

    if "game" not in document:
        raise RulesError(file, [Problem(file, "game", _NO_GAME)])
    table = schema.read(schema.OverlayTable, document, lambda path: Origin(file, path))
    if isinstance(table, list):
        raise RulesError(file, _bounded([*table, *_body_problems(document, file, game)]))
    if table.game != game and game != _id_of(IN_MEMORY):
        tip = f"this overlay is for {table.game!r}, not for {game!r}"
        raise RulesError(file, [Problem(file, "game", tip)])
    return Overlay(
        name,
        file,
        table.game,
        table.title,
        table.description,
        table.source,
        table.grade or "user",
        tuple(table.over),
        tuple(table.needs),
        table.set,
        table.add,
        tuple(table.remove),
    )


def _body_problems(document: Mapping[str, Any], file: str, game: str) -> list[Problem]:
    """What is wrong inside an overlay whose head is wrong already, if it can be told."""
    body = {key: document[key] for key in ("set", "add", "remove") if key in document}
    if document.get("game") != game or len(body) == len(document) - 1:
        return []
    try:
        load(game, {"game": game, **body})
    except RulesError as error:
        return [replace(one, file=file) for one in error.problems if one.path]
    return []


def _shelf(folder: FilePath) -> dict[str, FilePath]:
    """The overlays that lie beside a game: `house/double_go` and so on."""
    return {
        f"{kind}/{file.stem}": file
        for kind in FOLDERS
        for file in sorted((folder / kind).glob("*.toml"))
    }


def _entry(name: str, file: FilePath) -> Entry:
    document = read_toml(file, _short(file))
    return Entry(name, str(document.get("title", "")), str(document.get("description", "")))


def _short(file: FilePath) -> str:
    """A file of the shelf as messages call it: `monopoly/house/double_go.toml`."""
    try:
        return file.resolve().relative_to(data_folder()).as_posix()
    except (OSError, ValueError):
        return write_path((file.name,))


def _is_file(text: str) -> bool:
    try:
        return FilePath(text).is_file()
    except OSError:  # a name that no file can have
        return False


def _id_of(file: str) -> str:
    return file.split("/")[0] if file.endswith("/rules.toml") else file.removesuffix(".toml")


# ---------------------------------------------------------------------------- the tree


def _keyed(document: Mapping[str, Any], file: str, problems: list[Problem]) -> Tree:
    """A file's content with squares and cards keyed by id, in the order of the file."""
    tree: Tree = copied(document)

    def keyed(table: Tree, key: str, *path: str) -> None:
        if key in table:
            table[key], wrong = by_id(table[key], (*path, key))
            problems.extend(Problem(file, write_path(at), text) for at, text in wrong)

    keyed(tree, "squares")
    decks = tree.get("decks")
    for name, deck in decks.items() if isinstance(decks, dict) else ():
        if isinstance(deck, dict):
            keyed(deck, "cards", "decks", name)
    return tree


def _checked(tree: Tree, merged: Merged, file: str, blamed: list[Path]) -> Any:
    """A tree as checked tables, or the list of its problems, whose places go into `blamed`."""
    from . import schema

    def whose(path: Path) -> Origin:
        blamed.append(path)
        return merged.whose(path, file)

    return schema.read(schema.GameTable, tree, whose)


def _blamed(wrong: Iterable[Wrong], merged: Merged, file: str) -> list[Problem]:
    """What makes no game as problems, each with the file to blame."""
    found = []
    for one in islice(wrong, MOST_PROBLEMS + 1):
        origin = merged.whose(one.path, file)
        gone = merged.removed.get(one.wants)
        text = f"{one.text} ({gone} removes it)" if gone else one.text
        found.append(Problem(origin.file, origin.shown, text))
    return found
