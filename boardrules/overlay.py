"""Sheets laid over a ruleset: set, add and remove by path, so that they commute or complain.

A ruleset is handled here as a *tree*: plain tables, with squares and cards keyed by their ids in
board order.  Overlays change the tree before it is checked.  Two overlays that want different
things at one path are a conflict, whatever order they are given in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from typing import Any, Literal, TypeAlias

from .rules import Change, Problem, unknown

Path: TypeAlias = tuple[str | int, ...]
Tree: TypeAlias = dict[str, Any]

EVERYTHING = ("*",)
"""What a sheet made by `Rules.but` goes over; no file may say so."""

MOST_PROBLEMS = 100
"""More problems than this are counted no further: nobody reads on."""

LONGEST_PATH = 40
"""A path of more parts than this leads nowhere in any game."""

MOST_LINES = 10_000
"""No overlay changes more places of a game than this."""

MOST_HINTS = 400
"""Among more names than this the one that was meant is not searched: it takes long."""

_KINDS: Mapping[str, str] = {"remove": "remove", "rows": "add", "set": "set", "add": "add"}

_PART = re.compile(r"([^.\[\]]+)|\[(\d{1,4})\]")


@dataclass(frozen=True, slots=True)
class Overlay:
    """One sheet: what it sets, adds and removes, and what it may override."""

    name: str
    file: str
    game: str = ""
    title: str = ""
    description: str = ""
    source: str = ""
    grade: str = ""
    over: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    set: Mapping[str, Any] = field(default_factory=dict)
    add: Mapping[str, Any] = field(default_factory=dict)
    remove: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Origin:
    """Which file a place in the tree comes from, and how that file calls the place."""

    file: str
    path: Path

    @property
    def shown(self) -> str:
        """The place as messages call it."""
        return write_path(self.path)


@dataclass(slots=True)
class Merged:
    """A tree with all overlays applied: where each change came from, and what went wrong."""

    tree: Tree
    origins: dict[Path, Origin] = field(default_factory=dict)
    removed: dict[Path, str] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def whose(self, path: Path, file: str) -> Origin:
        """Who is to blame for a place in the tree: the overlay that wrote there, or `file`."""
        for long in range(len(path), 0, -1):
            if path[:long] in self.origins:
                origin = self.origins[path[:long]]
                return Origin(origin.file, origin.path + path[long:])
        below = [one for at, one in self.origins.items() if at[: len(path)] == path]
        if len(below) == 1:
            return below[0]
        if len({(one.file, one.path[0]) for one in below}) == 1:
            kind = below[0].path[:1] if below[0].path[0] in _KINDS else ()
            return Origin(below[0].file, kind + path)
        return Origin(file, path)


@dataclass(frozen=True, slots=True)
class _Entry:
    """One line of a sheet.  Rows are new squares and cards, which come before what is set."""

    kind: Literal["remove", "rows", "set", "add"]
    path: Path
    value: Any
    overlay: Overlay

    @property
    def where(self) -> str:
        """The path as the sheet writes it."""
        return self.origin(self.path).shown

    def origin(self, path: Path) -> Origin:
        """The sheet, as the origin of what stands at some path."""
        kind = () if self.overlay.over == EVERYTHING else (_KINDS[self.kind],)
        return Origin(self.overlay.file, kind + path)


def read_path(text: str) -> Path:
    """`squares.go.passing[0].collect` as its parts; empty if it is not a path."""
    found = _PART.finditer(text)
    parts = tuple(one[1] if one[1] is not None else int(one[2]) for one in found)
    return parts if len(parts) <= LONGEST_PATH and write_path(parts) == text else ()


def write_path(path: Iterable[str | int]) -> str:
    """The parts of a path as one dotted text, fit to be printed."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{_printed(part)}"
    return text.removeprefix(".")


def _printed(part: str) -> str:
    """A key from a file, short and harmless on a terminal."""
    text = part if part.isprintable() else part.encode("unicode_escape").decode("ascii")
    return text if len(text) <= 80 else f"{text[:79]}…"


def lay(base: Tree, overlays: Sequence[Overlay]) -> Merged:
    """Apply overlays to a tree.  Their order does not matter; conflicts become problems."""
    merged = Merged(copied(base))
    ordered = sorted(overlays, key=lambda overlay: overlay.name)
    entries = [entry for overlay in ordered for entry in _bounded(overlay, merged.problems)]
    entries = _settled(entries, merged.problems)
    for kind in ("remove", "rows", "set", "add"):
        for entry in entries:
            if entry.kind == kind and len(merged.problems) <= MOST_PROBLEMS:
                _apply(entry, merged)
    return merged


def copied(value: Any) -> Any:
    """The same tables and lists again, to be changed freely."""
    if isinstance(value, Mapping):
        return {key: copied(inside) for key, inside in value.items()}
    return [copied(inside) for inside in value] if isinstance(value, list) else value


def by_id(rows: Any, path: Path) -> tuple[Tree, list[tuple[Path, str]]]:
    """Rows of a file keyed by their ids, in their order, and what is wrong with them, by path."""
    if not isinstance(rows, list):
        return {}, [(path, f"must be a list of tables, each with an id, not {show(rows)}")]
    keyed: Tree = {}
    wrong: list[tuple[Path, str]] = []
    for place, row in enumerate(rows):
        name = row.get("id") if isinstance(row, Mapping) else None
        if not isinstance(row, Mapping):
            wrong.append(((*path, place), f"must be a table, not {show(row)}"))
        elif not isinstance(name, str):
            wrong.append(((*path, place), "needs an id, such as id = 'go'"))
        elif name in keyed:
            wrong.append(((*path, place), f"two rows have the id {show(name)}"))
        else:
            keyed[name] = {key: value for key, value in row.items() if key != "id"}
        if len(wrong) > MOST_PROBLEMS:
            break
    return keyed, wrong


# ------------------------------------------------------------------- what the sheets say


def flat(table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """All ends of tables in tables, by their dotted paths.  An empty table has no end."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from ((f"{key}.{path}", inside) for path, inside in flat(value))
        else:
            yield key, value


def _bounded(overlay: Overlay, problems: list[Problem]) -> list[_Entry]:
    """What an overlay says, or nothing if that is too much."""
    entries = list(islice(_entries(overlay, problems), MOST_LINES + 1))
    if len(entries) <= MOST_LINES and len(problems) <= MOST_LINES:
        return entries
    problems.append(Problem(overlay.file, "", f"more than {MOST_LINES:,} changes in one overlay"))
    return []


def _entries(overlay: Overlay, problems: list[Problem]) -> Iterator[_Entry]:
    for place, text in enumerate(dict.fromkeys(overlay.remove)):
        path = read_path(text)
        if path:
            yield _Entry("remove", path, None, overlay)
        else:
            problems.append(Problem(overlay.file, f"remove[{place}]", _no_path(text)))
    once: dict[Path, Any] = {}
    for kind, table in (("set", overlay.set), ("add", overlay.add)):
        for text, value in flat(table):
            path = read_path(text)
            if not path:
                problems.append(Problem(overlay.file, kind, _no_path(text)))
            elif kind == "set" and path in once:
                twice = f"is set twice: {show(once[path])} and {show(value)}"
                problems.append(Problem(overlay.file, f"set.{write_path(path)}", twice))
            elif kind == "set":
                once[path] = value
                yield _Entry("set", path, value, overlay)
            else:
                yield _Entry("rows" if _keyed(path) else "add", path, value, overlay)


def _no_path(text: str) -> str:
    return f"{show(text)} is not a path such as 'jail.fine' or 'squares.go.passing[0].collect'"


def _settled(entries: list[_Entry], problems: list[Problem]) -> list[_Entry]:
    """Drop what an overlay may override, and report what is left of the conflicts."""
    at: dict[Path, list[_Entry]] = {}
    for entry in entries:
        if entry.kind in ("remove", "set"):
            at.setdefault(entry.path, []).append(entry)
    dropped: set[int] = set()
    found: dict[tuple[str, str, Path], Problem] = {}
    for entry in entries:
        for other in _above(entry, at):
            first, second = sorted((entry, other), key=lambda one: (one.overlay.name, one.where))
            wins = [_wins(first.overlay, second.overlay), _wins(second.overlay, first.overlay)]
            if wins[0] == wins[1]:
                key = (first.overlay.name, second.overlay.name, entry.path)
                found.setdefault(key, _conflict(first, second, entry.path, both=wins[0]))
                dropped |= {id(first), id(second)}
            else:
                dropped.add(id(second if wins[0] else first))
    problems.extend(found.values())
    return [entry for entry in entries if id(entry) not in dropped]


def _above(entry: _Entry, at: Mapping[Path, Sequence[_Entry]]) -> Iterator[_Entry]:
    """What stands against an entry: at its own path, or at one that contains it."""
    for long in range(1, len(entry.path) + 1):
        for other in at.get(entry.path[:long], ()):
            own = other.overlay is entry.overlay and _apart(entry, other)
            if other is not entry and not own and not _agree(entry, other):
                yield other


def _apart(entry: _Entry, other: _Entry) -> bool:
    """One sheet may set a part of what it sets, and set what it removes; not one thing twice."""
    return entry.path != other.path or entry.kind != other.kind


def _agree(entry: _Entry, other: _Entry) -> bool:
    if entry.kind in ("add", "rows"):  # adding to what another sets commutes
        return other.kind == "set" and entry.path == other.path
    return entry.path == other.path and (entry.kind, entry.value) == (other.kind, other.value)


def _wins(overlay: Overlay, other: Overlay) -> bool:
    short = other.name.rpartition("/")[2]
    return overlay.over == EVERYTHING or other.name in overlay.over or short in overlay.over


def _conflict(first: _Entry, second: _Entry, path: Path, *, both: bool) -> Problem:
    what, one, two = write_path(path), first.overlay, second.overlay
    values = show(first.value), show(second.value)
    text = f"one has {first.where}, the other {second.where}"
    if first.kind == second.kind == "set" and first.path == second.path:
        text = f"both set {what}: {values[0]} against {values[1]}"
    tip = f"leave one out, or write over = [{show(two.name)}] in {one.file}"
    if both:
        tip = "each says that it goes over the other"
    return Problem(f"{one.file} and {two.file}", what, f"{text}; {tip}")


# ------------------------------------------------------------------------ what they do


def _apply(entry: _Entry, merged: Merged) -> None:
    if entry.kind == "remove" and merged.removed.get(entry.path, entry.overlay.file) != (
        entry.overlay.file
    ):
        return  # another sheet has removed it
    table, problem = _table(entry, merged)
    problem = problem or _change(entry, table, merged)
    if problem:
        merged.problems.append(Problem(entry.overlay.file, entry.where, problem))


def _table(entry: _Entry, merged: Merged) -> tuple[Any, str]:
    """The table or list that holds the last part of a path, made where tables are missing."""
    node: Any = merged.tree
    for depth, part in enumerate(entry.path[:-1]):
        above, here = entry.path[:depth], entry.path[: depth + 1]
        if isinstance(node, dict) and isinstance(part, str):
            if part not in node:
                if _keyed(above) or entry.kind == "remove":
                    return None, _no_row(above, part, node)
                if isinstance(entry.path[depth + 1], int):
                    return None, f"there is no list {write_path(here)}"
                node[part] = {}
                merged.origins[here] = entry.origin(here)
            node = node[part]
        elif isinstance(node, list) and isinstance(part, int):
            if part >= len(node):
                return None, _no_entry(node)
            node = node[part]
        else:
            return None, _astray(above, node)
    return node, ""


def _astray(path: Path, node: Any) -> str:
    """What to say to a path that goes on where it cannot."""
    here = write_path(path)
    if isinstance(node, list):
        return f"{here} is a list: write [ … ]"
    if isinstance(node, dict):
        return f"{here} goes by names, not by numbers"
    return f"{here} is {show(node)}, not a table or a list"


def _change(entry: _Entry, table: Any, merged: Merged) -> str:
    """Do what one line of a sheet says; what is wrong with it, or nothing."""
    last = entry.path[-1]
    if isinstance(table, list) and isinstance(last, int):
        if last >= len(table):
            return _no_entry(table)
        if entry.kind != "set":
            return f"single entries of a list can only be set; set {write_path(entry.path[:-1])}"
        before, table[last] = table[last], copied(entry.value)
    elif not isinstance(table, dict) or isinstance(last, int):
        return _astray(entry.path[:-1], table)
    elif entry.kind == "remove":
        if last not in table:
            return _no_row(entry.path[:-1], last, table)
        before = table.pop(last)
        merged.removed[entry.path] = entry.overlay.file
    elif entry.kind == "set":
        if _keyed(entry.path[:-1]) and last not in table:
            return _no_row(entry.path[:-1], last, table)
        if _keyed(entry.path):
            return "set single squares and cards by their ids; new ones go under add"
        before, table[last] = table.get(last), copied(entry.value)
    elif not isinstance(entry.value, list):
        return f"what is added must be a list, even of one: [{show(entry.value)}]"
    else:
        grow = _new_rows if entry.kind == "rows" else _longer
        return grow(entry, table, last, merged)
    merged.origins[entry.path] = entry.origin(entry.path)
    _record(entry, before, entry.value, merged)
    return ""


def _new_rows(entry: _Entry, table: Tree, last: str, merged: Merged) -> str:
    rows = table.setdefault(last, {})
    if not isinstance(rows, dict):
        return f"{write_path(entry.path)} is not a list of tables"
    new, wrong = by_id(entry.value, ())
    for name, row in new.items():
        if name in rows:
            return f"there is a row with the id {show(name)} already"
        if entry.path == ("decks",) and "cards" in row:
            row["cards"], more = by_id(row["cards"], (name, "cards"))
            wrong += more
        rows[name] = copied(row)
        path = (*entry.path, name)
        merged.origins[path] = entry.origin(path)
        merged.changes.append(Change(write_path(path), None, rows[name], entry.overlay.file))
    return "; ".join(f"{write_path(path)} {text}" for path, text in wrong[:5])


def _longer(entry: _Entry, table: Tree, last: str, merged: Merged) -> str:
    before = table.get(last, [])
    if not isinstance(before, list):
        return f"{write_path(entry.path)} is not a list"
    table[last] = [*before, *copied(entry.value)]
    for place in range(len(entry.value)):
        origin = entry.origin((*entry.path, place))
        merged.origins[(*entry.path, len(before) + place)] = origin
    _record(entry, before, table[last], merged)
    return ""


def _record(entry: _Entry, before: Any, now: Any, merged: Merged) -> None:
    change = Change(write_path(entry.path), before, now, entry.overlay.file)
    if before != now:
        merged.changes.append(change)


def _keyed(path: Path) -> bool:
    """Whether the rows at this path go by ids: squares, decks, pots, the cards of a deck."""
    return path in {("squares",), ("decks",), ("pots",)} or (
        len(path) == 3 and path[0] == "decks" and path[2] == "cards"
    )


def _no_row(path: Path, name: str | int, table: Mapping[str, Any]) -> str:
    kinds = {"squares": "square", "decks": "deck", "pots": "pot", "cards": "card"}
    kind = kinds.get(str(path[-1]) if path else "", "rule")
    return unknown(kind, str(name), islice(table, MOST_HINTS))


def _no_entry(rows: Sequence[Any]) -> str:
    count = f"{len(rows)} entr{'y' if len(rows) == 1 else 'ies'}"
    return f"this list has only {count}, counted from [0]" if rows else "this list is empty"


# ----------------------------------------------------------------------------- messages


def show(value: Any) -> str:
    """A value from a file as a file would hold it, short enough for one line of a message."""
    text = ""
    try:
        for piece in _pieces(value):
            text += piece
            if len(text) > 60:
                return f"{text[:59]}…"
    except ValueError:  # a number of thousands of digits
        return "something far too large"
    return text


def _pieces(value: Any) -> Iterator[str]:
    """The text of a value, piece by piece: of a long one nobody reads the rest."""
    if isinstance(value, list):
        yield "["
        for place, inside in enumerate(value):
            yield ", " if place else ""
            yield from _pieces(inside)
        yield "]"
    elif isinstance(value, Mapping) and value:
        for place, (key, inside) in enumerate(value.items()):
            yield f"{', ' if place else '{ '}{_printed(str(key))} = "
            yield from _pieces(inside)
        yield " }"
    else:
        yield _written(value)


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Fraction):
        decimal = str(float(value))
        return decimal if Fraction(decimal) == value else str(value)
    if isinstance(value, Mapping):
        return "{}"
    return repr(value) if isinstance(value, str) else str(value)
