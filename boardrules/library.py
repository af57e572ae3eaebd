"""The shelf of games: reads ruleset files and overlays, checks them, and makes `Rules` of them.

This is the only module that opens ruleset files.  A file is data from a stranger: its size is
bounded before it is parsed, nothing in it is evaluated, and whatever is wrong with it is reported
at once, each problem with its file, its path and a suggestion.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path as FilePath
from typing import Any, TypeAlias

from . import rules as parts
from .effects import (
    BANK,
    PLAYERS,
    Collect,
    Draw,
    Effect,
    GoTo,
    Jail,
    Keep,
    Nearest,
    Pay,
    Place,
    Take,
    inner,
)
from .overlay import Merged, Overlay, Path, Tree, lay, show, write_path
from .rules import MONEY_TABLES, Problem, Rules, RulesError, unknown

Source: TypeAlias = str | os.PathLike[str] | Mapping[str, Any]
"""A name on the shelf, the path of a TOML file, or the content of one."""

MOST_BYTES = 1_000_000
LONGEST_LINE = 20_000
MOST_OVERLAYS = 50
FOLDERS = ("editions", "readings", "house")
_NAME = re.compile(r"[a-z0-9_]+(/[a-z0-9_]+)?")


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
    about = " + ".join([name, *(paper.name for paper in papers)])
    merged = lay(base, papers)
    found = [*problems, *merged.problems]
    if not found:
        checked = _checked(merged, file)
        if isinstance(checked, list):
            found = checked
        else:
            made = _built(name, checked, merged, papers)
            found = [_placed(problem, merged, file) for problem in _impossible(made)]
            if not found:
                remake = _remaker(name, file, base, papers)
                return replace(made, _remake=remake)
    raise RulesError(about, found)


def _remaker(name: str, file: str, base: Tree, papers: Sequence[Overlay]) -> Any:
    """What `Rules.but` calls: the same game with one more sheet, which goes over all others."""

    def remake(changes: Mapping[str, Any]) -> Rules:
        label = ", ".join(f"{path} = {show(value)}" for path, value in changes.items())
        kept = [paper for paper in papers if paper.over != ("*",)]
        earlier = [paper for paper in papers if paper.over == ("*",)]
        together = dict(earlier[0].set) if earlier else {}
        together.update({str(path): _plain(value) for path, value in changes.items()})
        name_ = "; ".join([*(paper.name for paper in earlier), label or "nothing"])
        sheet = Overlay(name_, "but(…)", grade="user", over=("*",), set=together)
        return _make(name, file, base, [*kept, sheet], [])

    return remake


def _plain(value: Any) -> Any:
    """A value from Python as a file would hold it."""
    if isinstance(value, float):
        return Fraction(repr(value)) if abs(value) < float("inf") else str(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(inside) for key, inside in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inside) for inside in value]
    return value


# ------------------------------------------------------------------------- opening files


def _open_game(game: Source) -> tuple[str, dict[str, Any], FilePath | None]:
    if isinstance(game, Mapping):
        return "your game", {str(k): _plain(v) for k, v in game.items()}, None
    text = os.fspath(game)
    if _NAME.fullmatch(text) and "/" not in text:
        file = data_folder() / text / "rules.toml"
        if file.is_file():
            return _short(file), _read_toml(file, _short(file)), file.parent
        names = [folder.parent.name for folder in data_folder().glob("*/rules.toml")]
        if not FilePath(text).is_file():
            raise RulesError(text, [Problem("", "", unknown("game", text, names))])
    file = FilePath(text)
    document = _read_toml(file, file.name)
    if "game" in document:
        tip = f"this file is an overlay for {show(document['game'])}; load that game first"
        raise RulesError(file.name, [Problem(file.name, "game", tip)])
    return file.name, document, file.parent


def open_file(file: str | os.PathLike[str]) -> Rules:
    """Open whatever a ruleset file holds: a whole game, or an overlay laid over its game."""
    path = FilePath(file)
    document = _read_toml(path, path.name)
    if "game" not in document:
        return load(path)
    game = document["game"]
    if not isinstance(game, str) or not _NAME.fullmatch(game):
        text = f"must be the name of a game, not {show(game)}"
        raise RulesError(path.name, [Problem(path.name, "game", text)])
    return load(game, path)


def _open_overlays(
    overlays: Sequence[Source], game: str, shelf: FilePath | None, problems: list[Problem]
) -> list[Overlay]:
    """All sheets that were asked for and the sheets that these need, each once."""
    wanted: list[tuple[Source, FilePath | None]] = [(overlay, shelf) for overlay in overlays]
    papers: dict[str, Overlay] = {}
    for source, folder in wanted:
        try:
            paper, beside = _open_overlay(source, game, folder, len(papers))
        except RulesError as error:
            problems.extend(error.problems)
            continue
        if paper.name not in papers:
            papers[paper.name] = paper
            wanted.extend((_needed(name), beside) for name in paper.needs)
        if len(papers) > MOST_OVERLAYS:
            problems.append(Problem("", "", f"more than {MOST_OVERLAYS} overlays at once"))
            break
    return sorted(papers.values(), key=lambda paper: paper.name)


def _needed(name: str) -> str:
    """A sheet named inside a file: only names on the same shelf, never a path."""
    return name if _NAME.fullmatch(name) else "?"


def _open_overlay(
    source: Source, game: str, shelf: FilePath | None, count: int
) -> tuple[Overlay, FilePath | None]:
    if isinstance(source, Mapping):
        plain = {str(key): _plain(value) for key, value in source.items()}
        document = plain if "game" in plain else {"game": game, **plain}
        return _overlay(f"overlay {count + 1}", "(in memory)", document, game), shelf
    text = os.fspath(source)
    files = _shelf(shelf) if shelf else {}
    if _NAME.fullmatch(text) and not FilePath(text).suffix:
        names = [text] if text in files else [n for n in files if n.rpartition("/")[2] == text]
        if len(names) == 1:
            file = files[names[0]]
            return _overlay(names[0], _short(file), _read_toml(file, _short(file)), game), shelf
        if len(names) > 1:
            tip = f"which one: {' or '.join(names)}?"
            raise RulesError(text, [Problem("", "", f"overlay {text!r} is not unique; {tip}")])
        short = [*files, *(name.rpartition("/")[2] for name in files)]
        if not FilePath(text).is_file():
            raise RulesError(text, [Problem("", "", unknown(f"overlay for {game}", text, short))])
    path = FilePath(text)
    return _overlay(path.stem, path.name, _read_toml(path, path.name), game), shelf


def _overlay(name: str, file: str, document: dict[str, Any], game: str) -> Overlay:
    from . import schema

    if "game" not in document:
        tip = 'an overlay says game = "…" at its top; without that it is a whole game'
        raise RulesError(file, [Problem(file, "game", tip)])
    table = schema.read(schema.OverlayTable, document, lambda path: (file, write_path(path)))
    if isinstance(table, list):
        raise RulesError(file, table)
    if table.game != game and game != "your game":
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
    except ValueError:
        return file.name


def _id_of(file: str) -> str:
    return file.split("/")[0] if file.endswith("/rules.toml") else file.removesuffix(".toml")


def _read_toml(file: FilePath, name: str) -> dict[str, Any]:
    """The content of one file; every way in which that can fail becomes a `RulesError`."""
    import tomllib

    try:
        text = _read_text(file)
        return tomllib.loads(text, parse_float=_decimal)
    except tomllib.TOMLDecodeError as error:
        why = f"this is not TOML: {error}"
    except UnicodeDecodeError:
        why = "this file is not text in UTF-8"
    except RecursionError:
        why = "lists or tables are nested too deep"
    except (OSError, ValueError) as error:
        why = error.strerror or str(error) if isinstance(error, OSError) else str(error)
    raise RulesError(name, [Problem(name, "", why)])


def _read_text(file: FilePath) -> str:
    with file.open("rb") as stream:
        content = stream.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise ValueError(f"the file is larger than {MOST_BYTES:,} bytes")
    text = content.decode("utf-8").removeprefix("\ufeff")
    if max(map(len, text.split("\n")), default=0) > LONGEST_LINE:
        raise ValueError(f"a line is longer than {LONGEST_LINE:,} characters")
    return text


def _decimal(text: str) -> Fraction:
    """A decimal of a file, exactly."""
    if len(text) > 40 or "n" in text.lower() or abs(int(text.lower().partition("e")[2] or 0)) > 30:
        raise ValueError(f"{show(text)} is not a number that a rule can use")
    return Fraction(text)


# ---------------------------------------------------------------------------- the tree


def _keyed(document: Mapping[str, Any], file: str, problems: list[Problem]) -> Tree:
    """A file's content with squares and cards keyed by id, in the order of the file."""
    tree: Tree = dict(document)
    if "squares" in tree:
        tree["squares"] = _rows(tree["squares"], "squares", file, problems)
    if isinstance(tree.get("decks"), Mapping):
        tree["decks"] = {
            name: {**deck, "cards": _rows(deck["cards"], f"decks.{name}.cards", file, problems)}
            if isinstance(deck, Mapping) and "cards" in deck
            else deck
            for name, deck in tree["decks"].items()
        }
    return tree


def _rows(rows: Any, path: str, file: str, problems: list[Problem]) -> Any:
    if not isinstance(rows, list):
        if not isinstance(rows, Mapping):
            problems.append(Problem(file, path, f"must be a list of tables, not {show(rows)}"))
            return {}
        return rows
    keyed: dict[str, Any] = {}
    for place, row in enumerate(rows):
        where = f"{path}[{place}]"
        name = row.get("id") if isinstance(row, Mapping) else None
        if not isinstance(row, Mapping):
            problems.append(Problem(file, where, f"must be a table, not {show(row)}"))
        elif not isinstance(name, str):
            problems.append(Problem(file, where, "needs an id, such as id = \"go\""))
        elif name in keyed:
            problems.append(Problem(file, where, f"two rows have the id {show(name)}"))
        else:
            keyed[name] = {key: value for key, value in row.items() if key != "id"}
    return keyed


def _checked(merged: Merged, file: str) -> Any:
    """The merged tree as checked tables, or the list of its problems."""
    from . import schema

    return schema.read(schema.GameTable, merged.tree, lambda path: _whose(path, merged, file))


def _whose(path: Path, merged: Merged, file: str) -> tuple[str, str]:
    """Which file a place in the merged tree comes from, and how that file calls the place."""
    for long in range(len(path), 0, -1):
        origin = merged.origins.get(path[:long])
        if origin is not None:
            return origin, f"set.{write_path(path)}"
    below = [p for p in merged.origins if len(p) > len(path) and p[: len(path)] == path]
    if len(below) == 1:
        return merged.origins[below[0]], f"set.{write_path(below[0])}"
    return file, write_path(path)


def _placed(problem: Problem, merged: Merged, file: str) -> Problem:
    from .overlay import read_path

    origin, shown = _whose(read_path(problem.path), merged, file)
    return Problem(origin, shown, problem.text)


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


def _impossible(rules: Rules) -> Iterator[Problem]:
    """What is well written and still makes no game, each with the path to blame."""
    for path, effects in _hung(rules):
        for effect in inner(effects):
            for text in _dangling(effect, rules):
                yield Problem("", path, text)
    yield from _impossible_dice(rules)
    yield from _impossible_jail(rules)
    for path, name in (("start.square", rules.start.square), ("lap.square", rules.lap)):
        if name not in rules.index:
            yield Problem("", path, unknown("square", name, rules.index))
    kept = {e.card for _, es in _hung(rules) for e in inner(es) if isinstance(e, Keep)}
    for card in rules.carries:
        if card not in kept:
            yield Problem("", "chain.carries", unknown("card to keep", card, kept))
    for deck in rules.decks.values():
        for card_ in deck.cards:
            if card_.deal and not 0 < card_.deal.cost < card_.deal.value:
                text = "a deal must cost something and be worth more than it costs"
                yield Problem("", f"decks.{deck.id}.cards.{card_.id}.deal", text)


def _hung(rules: Rules) -> Iterator[tuple[str, tuple[Effect, ...]]]:
    """Every list of effects in a ruleset, with its path."""
    for square in rules.squares:
        for peg in ("passing", "landing", "crossing"):
            yield f"squares.{square.id}.{peg}", getattr(square, peg)
    for deck in rules.decks.values():
        for card in deck.cards:
            yield f"decks.{deck.id}.cards.{card.id}.effects", card.effects
    for peg in ("before", "after", "at_limit"):
        yield f"doubles.{peg}", getattr(rules.doubles, peg)
    for place, throw in enumerate(rules.dice.throws):
        yield f"dice.throws[{place}].effects", throw.effects


def _dangling(effect: Effect, rules: Rules) -> Iterator[str]:
    """Names in an effect that nothing answers to."""
    groups = {s.deed.group for s in rules.squares if s.deed} | {s.kind for s in rules.squares}
    match effect:
        case GoTo(square=name) | Place(square=name) if name not in rules.index:
            yield unknown("square", name, rules.index)
        case Draw(deck=name) if name not in rules.decks:
            yield unknown("deck", name, rules.decks)
        case Nearest(group=name) if name not in groups - {""}:
            yield unknown("group of squares", name, groups - {""})
        case Take(pot=name) if name not in rules.pots:
            yield unknown("pot", name, rules.pots)
        case Pay(taker=name) | Collect(giver=name) if name not in (BANK, PLAYERS, *rules.pots):
            yield unknown("pot", name, (BANK, PLAYERS, *rules.pots))
        case Jail() if rules.jail is None:
            yield "sends to jail, but the game has no [jail] table"
        case parts_ if hasattr(parts_, "otherwise"):
            if effect.otherwise not in dict(effect.answers):  # type: ignore[union-attr]
                yield f"otherwise = {effect.otherwise!r} is none of the answers"  # type: ignore[union-attr]
        case _:
            pass


def _impossible_dice(rules: Rules) -> Iterator[Problem]:
    dice = rules.dice
    if len(dice.faces) ** dice.count > 100_000:
        text = "more than 100,000 different throws; take fewer dice or fewer sides"
        yield Problem("", "dice", text)
    sides = rules.tree.get("dice", {})
    if "sides" in sides and "faces" in sides:
        yield Problem("", "dice", "give sides or faces, not both (an overlay: remove the other)")
    faces = {face for face, _ in dice.faces}
    for place, throw in enumerate(dice.throws):
        if len(throw.faces) != dice.count or not set(throw.faces) <= faces:
            text = f"the throw {list(throw.faces)} cannot be thrown with these dice"
            yield Problem("", f"dice.throws[{place}].faces", text)


def _impossible_jail(rules: Rules) -> Iterator[Problem]:
    jail = rules.jail
    if jail is None:
        return
    if jail.square not in rules.index:
        yield Problem("", "jail.square", unknown("square", jail.square, rules.index))
    if not 1 <= jail.attempts <= 20:
        yield Problem("", "jail.attempts", f"must be 1 to 20 rolls, not {jail.attempts}")
    if jail.fine < 0:
        yield Problem("", "jail.fine", f"must not be negative, it is {jail.fine}")
    for attempt in jail.fine_before:
        if not 1 <= attempt <= jail.attempts:
            text = f"there is no roll {attempt} in jail, only 1 to {jail.attempts}"
            yield Problem("", "jail.fine_before", text)
    if jail.fine_to != BANK and jail.fine_to not in rules.pots:
        yield Problem("", "jail.fine_to", unknown("pot", jail.fine_to, (BANK, *rules.pots)))
