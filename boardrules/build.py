"""From checked tables to `Rules`: the records of a game, and the grade of each part of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from . import rules as parts
from .overlay import Merged, Overlay, Path, Tree, write_path
from .rules import MONEY_TABLES, Rules
from .schema import read_effects


def build(name: str, table: Any, merged: Merged, papers: Sequence[Overlay]) -> Rules:
    """The rules of a game from its checked table, overlays already merged into it."""
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
    faces = table.faces or {str(face): Fraction(1) for face in range(1, (table.sides or 6) + 1)}
    throws = tuple(
        parts.Pegged(tuple(sorted(one.faces)), read_effects(one.effects, "dice"))
        for one in table.throws
    )
    weighted = tuple(sorted((int(face), weight) for face, weight in faces.items()))
    return parts.Dice(table.count, weighted, throws, table.count_own_space)


def _grades(merged: Merged, papers: Sequence[Overlay]) -> dict[str, str]:
    """The grade of evidence of every graded part, by path; "" is the file as a whole."""
    whole = str(merged.tree.get("grade", "user"))
    grades = {"": whole, **dict.fromkeys(_rows_of(merged.tree), whole)}
    for path, table in _graded(merged.tree, ()):
        grade = table["grade"]
        if isinstance(grade, Mapping):
            grades.pop(write_path(path), None)
            grades.update({f"{write_path(path)}.{key}": str(g) for key, g in grade.items()})
        else:
            grades[write_path(path)] = str(grade)
    for paper in papers:
        for change in merged.changes:
            if change.file == paper.file and paper.grade:
                grades[change.path] = paper.grade
    return grades


def _rows_of(tree: Tree) -> Iterator[str]:
    """The paths of all tables, squares and cards: what has the grade of the file unless it says."""
    for name, table in tree.items():
        if name == "squares":
            yield from (f"squares.{square}" for square in table)
        elif name == "decks":
            yield from (
                f"decks.{d}.cards.{card}" for d, deck in table.items() for card in deck["cards"]
            )
        elif isinstance(table, dict):
            yield name


def _graded(node: Any, path: Path) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    if isinstance(node, Mapping):
        if path and "grade" in node:
            yield path, node
        for key, value in node.items():
            if key != "grade":
                yield from _graded(value, (*path, key))
