"""The shelf of games: reads ruleset files and overlays, checks them, and makes `Rules` of them.

This is the only module that opens ruleset files.  A file is data from a stranger: its size is
bounded before it is parsed, nothing in it is evaluated, and whatever is wrong with it is reported
at once, each problem with its file, its path and a suggestion.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from fractions import Fraction
from itertools import islice
from numbers import Integral, Rational, Real
from pathlib import Path as FilePath
from typing import Any, TypeAlias

from . import rules as parts
from .effects import (
    BANK,
    PLAYERS,
    Ask,
    Collect,
    Draw,
    Effect,
    Everyone,
    GoTo,
    Jail,
    Keep,
    Nearest,
    Pay,
    Place,
    Take,
    UnlessHeld,
    Use,
)
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
from .rules import MONEY_TABLES, Problem, Rules, RulesError, unknown

Source: TypeAlias = str | os.PathLike[str] | Mapping[str, Any]
"""A name on the shelf, the path of a TOML file, or the content of one."""

MOST_BYTES = 1_000_000
LONGEST_LINE = 20_000
MOST_DOTS = 120
DEEPEST = 40
MOST_OVERLAYS = 50
MOST_THROWS = 20_000
FOLDERS = ("editions", "readings", "house")
IN_MEMORY = "your game"
_NAME = re.compile(r"[a-z0-9_]{1,60}(/[a-z0-9_]{1,60})?")
_QUOTED = re.compile(
    r'"""(?:[^\\]|\\.?)*?(?:"""|\Z)'
    r"|'{3}.*?(?:'{3}|\Z)"
    r'|"(?:[^"\\\n]|\\[^\n])*"?'
    r"|'[^'\n]*'?"
    r"|\#[^\n]*",
    re.DOTALL,
)
"""Texts and comments of a TOML file, as far as they can hide a dot."""


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
        document = _read_toml(file, _short(file))
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
    base = _keyed(document, file, problems)
    papers = _open_overlays(overlays, _id_of(file), shelf, problems)
    return _make(_id_of(file), file, base, papers, problems)


def _make(
    name: str, file: str, base: Tree, papers: Sequence[Overlay], problems: Sequence[Problem]
) -> Rules:
    merged = lay(base, papers)
    checked = _checked(merged, file)
    found = [*problems, *merged.problems]
    if isinstance(checked, list):
        found += [problem for problem in checked if not _follows(problem, found)]
    if not found:
        made = _built(name, checked, merged, papers)
        found = _blamed(_impossible(made), merged, file)
        if not found:
            return replace(made, _remake=_remaker(name, file, base, papers))
    raise RulesError(" + ".join([name, *(paper.name for paper in papers)]), _bounded(found))


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


def _remaker(name: str, file: str, base: Tree, papers: Sequence[Overlay]) -> Any:
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
        return _make(name, file, base, [*kept, sheet], [])

    return remake


def _plain_table(table: Mapping[str, Any], file: str) -> dict[str, Any]:
    """A table from Python as a file would hold it."""
    try:
        return {str(key): _plain(value) for key, value in table.items()}
    except RecursionError:
        raise _too_deep(file) from None


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


def _too_deep(file: str) -> RulesError:
    return RulesError(file, [Problem(file, "", "lists or tables are nested too deep")])


def _check_depth(document: Any, file: str) -> None:
    """Refuse boxes in boxes in boxes, level by level, before anything walks into them."""
    level = [document]
    for _ in range(DEEPEST):
        level = [
            inside
            for box in level
            for inside in (box.values() if isinstance(box, Mapping) else box)
            if isinstance(inside, (Mapping, list))
        ]
    if level:
        raise _too_deep(file)


# ------------------------------------------------------------------------- opening files


def _open_game(game: Source) -> tuple[str, dict[str, Any], FilePath | None]:
    if isinstance(game, Mapping):
        document = _plain_table(game, IN_MEMORY)
        _check_depth(document, IN_MEMORY)
        return IN_MEMORY, _no_overlay(document, IN_MEMORY), None
    text = os.fspath(game)
    if _NAME.fullmatch(text) and "/" not in text:
        file = data_folder() / text / "rules.toml"
        if file.is_file():
            return _short(file), _read_toml(file, _short(file)), file.parent
        if not _is_file(text):
            raise RulesError(text, [Problem("", "", unknown("game", text, _known_games()))])
    file = FilePath(text)
    name = _short(file)
    return name, _no_overlay(_read_toml(file, name), name), file.parent


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
    document = _read_toml(path, name)
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
            problems.append(
                Problem(paper.file, f"needs[{place}]", unknown("overlay", name, files))
            )
    return [name for name in paper.needs if name in files]


def _dicts(overlays: Sequence[Source], game: str, problems: list[Problem]) -> list[Overlay]:
    """Sheets made in memory, numbered by what they say, so that their order does not matter."""
    sheets = [_plain_table(one, IN_MEMORY) for one in overlays if isinstance(one, Mapping)]
    papers = []
    for place, sheet in enumerate(sorted(sheets, key=show), start=1):
        name = f"overlay {place}" if len(sheets) > 1 else "overlay"
        try:
            _check_depth(sheet, name)
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
            return _overlay(names[0], _short(file), _read_toml(file, _short(file)), game)
        if not _is_file(text):
            short = [*files, *(name.rpartition("/")[2] for name in files)]
            raise RulesError(text, [Problem("", "", unknown(f"overlay for {game}", text, short))])
    path = FilePath(text)
    return _overlay(path.stem, _short(path), _read_toml(path, _short(path)), game)


def _overlay(name: str, file: str, document: dict[str, Any], game: str) -> Overlay:
    from . import schema

    if "game" not in document:
        raise RulesError(file, [Problem(file, "game", _NO_GAME)])
    table = schema.read(schema.OverlayTable, document, lambda path: Origin(file, path))
    if isinstance(table, list):
        raise RulesError(file, _bounded(table))
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


def _shelf(folder: FilePath) -> dict[str, FilePath]:
    """The overlays that lie beside a game: `house/double_go` and so on."""
    return {
        f"{kind}/{file.stem}": file
        for kind in FOLDERS
        for file in sorted((folder / kind).glob("*.toml"))
    }


def _entry(name: str, file: FilePath) -> Entry:
    document = _read_toml(file, _short(file))
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


class _FileError(ValueError):
    """What makes a file unfit to be parsed, in words of ours."""


def _read_toml(file: FilePath, name: str) -> dict[str, Any]:
    """The content of one file; every way in which that can fail becomes a `RulesError`."""
    import tomllib

    try:
        document = tomllib.loads(_read_text(file), parse_float=_decimal)
    except tomllib.TOMLDecodeError as error:
        why = f"this is not TOML: {error}"
    except UnicodeDecodeError:
        why = "this file is not text in UTF-8"
    except RecursionError:
        why = "lists or tables are nested too deep"
    except FileNotFoundError:
        why = "there is no such file"
    except IsADirectoryError:
        why = "this is a folder, not a file"
    except OSError as error:
        why = f"this file cannot be read: {error.strerror}"
    except _FileError as error:
        why = str(error)
    except ValueError:  # Python's own refusal to read an integer
        why = "a number has thousands of digits"
    else:
        _check_depth(document, name)
        return document
    raise RulesError(name, [Problem(name, "", why)])


def _read_text(file: FilePath) -> str:
    if "\0" in str(file):
        raise FileNotFoundError
    with file.open("rb") as stream:
        content = stream.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise _FileError(f"the file is larger than {MOST_BYTES:,} bytes")
    text = content.decode("utf-8").removeprefix("\ufeff")
    if max(map(len, text.split("\n")), default=0) > LONGEST_LINE:
        raise _FileError(f"a line is longer than {LONGEST_LINE:,} characters")
    bare = _QUOTED.sub("", text)  # a key of thousands of parts would keep the parser busy for hours
    if max(line.count(".") for line in bare.split("\n")) > MOST_DOTS:
        raise _FileError(f"a line has more than {MOST_DOTS} dots outside quotation marks")
    return text


def _decimal(text: str) -> Fraction | float:
    """A decimal of a file, exactly; "nan" and "inf" are left to be refused where they stand."""
    if "n" in text.lower():
        return float(text)
    power = text.lower().replace("_", "").partition("e")[2] or "0"
    if len(text) > 40 or len(power) > 3 or abs(int(power)) > 30:
        raise _FileError(f"{show(text)} is not a number that a rule can use")
    return Fraction(text)


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


def _checked(merged: Merged, file: str) -> Any:
    """The merged tree as checked tables, or the list of its problems."""
    from . import schema

    return schema.read(schema.GameTable, merged.tree, lambda path: merged.whose(path, file))


def _blamed(wrong: Iterable[_Wrong], merged: Merged, file: str) -> list[Problem]:
    """What makes no game as problems, each with the file to blame."""
    found = []
    for one in islice(wrong, MOST_PROBLEMS + 1):
        origin = merged.whose(one.path, file)
        gone = merged.removed.get(one.wants)
        text = f"{one.text} ({gone} removes it)" if gone else one.text
        found.append(Problem(origin.file, origin.shown, text))
    return found


# -------------------------------------------------------------------------- the records


def _built(name: str, table: Any, merged: Merged, papers: Sequence[Overlay]) -> Rules:
    from .schema import read_effects

    first = next(iter(table.squares))
    squares = tuple(
        parts.Square(
            key,
            row.name or _title(key),
            place + table.numbering,
            row.kind,
            row.side,
            read_effects(row.passing, key),
            read_effects(row.landing, key),
            read_effects(row.crossing, key),
            row.stop,
            row.spot,
            _record(parts.Deed, row.deed),
            row.rule,
        )
        for place, (key, row) in enumerate(table.squares.items())
    )
    decks = {key: _deck(key, row) for key, row in table.decks.items()}
    start = _record(parts.Start, table.start)
    return Rules(
        id=name,
        title=table.title,
        description=table.description,
        squares=squares,
        decks=decks,
        pots={k: parts.Pot(k, row.name or _title(k), row.start) for k, row in table.pots.items()},
        dice=_dice(table.dice),
        doubles=parts.Doubles(
            read_effects(table.doubles.before, "doubles"),
            read_effects(table.doubles.after, "doubles"),
            table.doubles.limit,
            read_effects(table.doubles.at_limit, "doubles"),
        ),
        jail=_record(parts.Jail, table.jail),
        start=replace(start, square=start.square or first),
        lap=table.lap.square or first,
        lap_name=table.lap.name,
        carries=tuple(table.chain.carries),
        numbering=table.numbering,
        caution=table.caution,
        currency=table.currency,
        rulebook=table.rulebook,
        notes=table.notes,
        **{key: _record(getattr(parts, key.title()), getattr(table, key)) for key in MONEY_TABLES},
        overlays=tuple(paper.name for paper in papers),
        tree=merged.tree,
        grades=_grades(merged, papers),
        changes=tuple(merged.changes),
    )


def _title(key: str) -> str:
    return key.replace("_", " ").capitalize()


def _record(record: Any, table: Any) -> Any:
    """One of our flat records from a checked table that has its fields."""
    if table is None:
        return None
    values = {name: getattr(table, name) for name in record.__dataclass_fields__ if name != "id"}
    return record(**{k: tuple(v) if isinstance(v, list) else v for k, v in values.items()})


def _deck(key: str, table: Any) -> parts.Deck:
    from .schema import read_effects

    cards = tuple(
        parts.Card(
            card,
            row.name or _title(card),
            row.copies,
            read_effects(row.effects, f"{key}.{card}"),
            _record(parts.Deal, row.deal),
            row.rule,
        )
        for card, row in table.cards.items()
    )
    return parts.Deck(key, table.name or _title(key), cards, table.used, table.rule)


def _dice(table: Any) -> parts.Dice:
    from .schema import read_effects

    faces = table.faces or {str(face): Fraction(1) for face in range(1, (table.sides or 6) + 1)}
    throws = tuple(
        parts.Pegged(tuple(sorted(one.faces)), read_effects(one.effects, "dice"))
        for one in table.throws
    )
    weighted = tuple(sorted((int(face), weight) for face, weight in faces.items()))
    return parts.Dice(table.count, weighted, throws, table.count_own_space)


def _grades(merged: Merged, papers: Sequence[Overlay]) -> dict[str, str]:
    """The grade of evidence of every graded part, by path; "" is the file as a whole."""
    grades = {"": str(merged.tree.get("grade", "user"))}
    for path, table in _graded(merged.tree, ()):
        grade = table["grade"]
        if isinstance(grade, Mapping):
            grades.update({f"{write_path(path)}.{key}": str(g) for key, g in grade.items()})
        else:
            grades[write_path(path)] = str(grade)
    for paper in papers:
        for change in merged.changes:
            if change.file == paper.file and paper.grade:
                grades[change.path] = paper.grade
    return grades


def _graded(node: Any, path: Path) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    if isinstance(node, Mapping):
        if path and "grade" in node:
            yield path, node
        for key, value in node.items():
            if key != "grade":
                yield from _graded(value, (*path, key))


# ------------------------------------------------------------------------ what can't be


@dataclass(frozen=True, slots=True)
class _Wrong:
    """What is well written and still makes no game: where, why, and what would be wanted."""

    path: Path
    text: str
    wants: Path = ()


def _impossible(rules: Rules) -> Iterator[_Wrong]:
    hung = tuple(_hung(rules))
    kept = {effect.card for _, effect in hung if isinstance(effect, Keep)}
    for path, effect in hung:
        yield from _dangling(path, effect, rules, kept)
    yield from _impossible_dice(rules)
    yield from _impossible_jail(rules, kept)
    yield from _no_square(("start", "square"), rules.start.square, rules)
    yield from _no_square(("lap", "square"), rules.lap, rules)
    for place, card in enumerate(rules.carries):
        if card not in kept:
            yield _Wrong(("chain", "carries", place), unknown("card to keep", card, kept))
    for deck in rules.decks.values():
        for card_ in deck.cards:
            if card_.deal and not 0 < card_.deal.cost < card_.deal.value:
                text = "a deal must cost something and be worth more than it costs"
                yield _Wrong(("decks", deck.id, "cards", card_.id, "deal"), text)


def _hung(rules: Rules) -> Iterator[tuple[Path, Effect]]:
    """Every effect in a ruleset, with its path."""
    for square in rules.squares:
        for peg in ("passing", "landing", "crossing"):
            yield from _each(("squares", square.id, peg), getattr(square, peg))
    for deck in rules.decks.values():
        for card in deck.cards:
            yield from _each(("decks", deck.id, "cards", card.id, "effects"), card.effects)
    for peg in ("before", "after", "at_limit"):
        yield from _each(("doubles", peg), getattr(rules.doubles, peg))
    for place, throw in enumerate(rules.dice.throws):
        yield from _each(("dice", "throws", place, "effects"), throw.effects)


def _each(path: Path, effects: Sequence[Effect]) -> Iterator[tuple[Path, Effect]]:
    """The effects of a list and those inside them, each with its path."""
    for place, effect in enumerate(effects):
        here = (*path, place)
        yield here, effect
        match effect:
            case Ask():
                for name, then in effect.answers:
                    yield from _each((*here, "answers", name), then)
            case Everyone():
                yield from _each((*here, "everyone"), effect.effects)
            case UnlessHeld():
                yield from ((here, inside) for _, inside in _each((), (effect.effect,)))
            case _:
                pass


def _dangling(path: Path, effect: Effect, rules: Rules, kept: set[str]) -> Iterator[_Wrong]:
    """Names in an effect that nothing answers to."""
    match effect:
        case GoTo(square=name):
            yield from _no_square((*path, "goto"), name, rules)
        case Place(square=name):
            yield from _no_square((*path, "place"), name, rules)
        case Draw(deck=name) if name not in rules.decks:
            text = unknown("deck", name, rules.decks)
            yield _Wrong((*path, "draw"), text, ("decks", name))
        case Nearest(group=name) if name not in (groups := _groups(rules)):
            yield _Wrong((*path, "nearest"), unknown("group of squares", name, groups))
        case Take(pot=name) if name not in rules.pots:
            yield _Wrong((*path, "take"), unknown("pot", name, rules.pots), ("pots", name))
        case Pay(taker=name):
            yield from _nobody((*path, "to"), name, rules, PLAYERS)
        case Collect(giver=name):
            yield from _nobody((*path, "from"), name, rules, PLAYERS)
        case Jail() if rules.jail is None:
            yield _Wrong((*path, "jail"), "sends to jail, but there is no table [jail]", ("jail",))
        case Ask(otherwise=name, answers=answers) if name not in dict(answers):
            yield _Wrong((*path, "otherwise"), unknown("answer", name, dict(answers)))
        case UnlessHeld(card=name):
            yield from _misspelt((*path, "unless_held"), name, kept)
        case Use(card=name):
            yield from _misspelt((*path, "use"), name, kept)
        case _:
            pass


def _groups(rules: Rules) -> set[str]:
    """The groups and kinds of squares that the nearest one can be looked for."""
    groups = {square.deed.group for square in rules.squares if square.deed}
    return (groups | {square.kind for square in rules.squares}) - {""}


def _no_square(path: Path, name: str, rules: Rules) -> Iterator[_Wrong]:
    if name not in rules.index:
        yield _Wrong(path, unknown("square", name, rules.index), ("squares", name))


def _nobody(path: Path, name: str, rules: Rules, *more: str) -> Iterator[_Wrong]:
    """Whoever gives or takes money is the bank or a pot, in most places also the players."""
    known = (BANK, *more, *rules.pots)
    if name not in known:
        text = f"must be {', '.join(known)} or the id of a pot, not {show(name)}"
        near = get_close_matches(name, known, n=1)
        tip = f"; did you mean {near[0]!r}?" if near else ""
        yield _Wrong(path, text + tip, ("pots", name))


def _misspelt(path: Path, name: str, kept: set[str]) -> Iterator[_Wrong]:
    """A card that nobody can hold may be out of the deck on purpose, unless it is just misspelt."""
    if name not in kept and get_close_matches(name, kept, n=1):
        yield _Wrong(path, unknown("card to keep", name, kept))


def _impossible_dice(rules: Rules) -> Iterator[_Wrong]:
    dice = rules.dice
    if len(dice.faces) ** dice.count > MOST_THROWS:
        text = f"more than {MOST_THROWS:,} different throws; take fewer dice or fewer sides"
        yield _Wrong(("dice",), text)
    given = rules.tree.get("dice", {})
    if given.get("sides") is not None and given.get("faces") is not None:
        text = "give sides or faces, not both; an overlay says remove = ['dice.sides']"
        yield _Wrong(("dice", "faces"), text)
    faces = {face for face, _ in dice.faces}
    for place, throw in enumerate(dice.throws):
        if len(throw.faces) != dice.count or not set(throw.faces) <= faces:
            text = f"the throw {list(throw.faces)} cannot be thrown with these dice"
            yield _Wrong(("dice", "throws", place, "faces"), text)


def _impossible_jail(rules: Rules, kept: set[str]) -> Iterator[_Wrong]:
    jail = rules.jail
    if jail is None:
        return
    yield from _no_square(("jail", "square"), jail.square, rules)
    if not 1 <= jail.attempts <= 20:
        text = f"must be from 1 to 20 rolls, not {jail.attempts}"
        yield _Wrong(("jail", "attempts"), text)
    if jail.fine < 0:
        yield _Wrong(("jail", "fine"), f"must not be negative, not {jail.fine}")
    for place, attempt in enumerate(jail.fine_before):
        if not 1 <= attempt <= jail.attempts:
            text = f"there is no roll {attempt} in jail, only 1 to {jail.attempts}"
            yield _Wrong(("jail", "fine_before", place), text)
    yield from _nobody(("jail", "fine_to"), jail.fine_to, rules)
    yield from _misspelt(("jail", "card"), jail.card, kept)
