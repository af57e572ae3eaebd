"""Sheets laid over a ruleset: set, add and remove by path, so that they commute or complain.

A ruleset is handled here as a *tree*: plain tables, with squares and cards keyed by their ids in
board order.  Overlays change the tree before it is checked.  Two overlays that want different
things at one path are a conflict, whatever order they are given in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from .rules import Change, Problem, unknown

Path: TypeAlias = tuple[str | int, ...]
Tree: TypeAlias = dict[str, Any]

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


@dataclass(slots=True)
class Merged:
    """A tree with all overlays applied: where each change came from, and what went wrong."""

    tree: Tree
    origins: dict[Path, str]
    changes: list[Change]
    problems: list[Problem]


@dataclass(frozen=True, slots=True)
class _Entry:
    kind: Literal["remove", "set", "add"]
    path: Path
    value: Any
    overlay: Overlay

    @property
    def where(self) -> str:
        return f"{self.kind}.{write_path(self.path)}"


def read_path(text: str) -> Path:
    """`squares.go.passing[0].collect` as its parts; empty if it is not a path."""
    parts: list[str | int] = []
    for match in _PART.finditer(text):
        parts.append(match[1] if match[1] is not None else int(match[2]))
    return tuple(parts) if parts and write_path(parts) == text else ()


def write_path(path: Iterable[str | int]) -> str:
    """The parts of a path as one dotted text."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def lay(base: Tree, overlays: Sequence[Overlay]) -> Merged:
    """Apply overlays to a tree.  Their order does not matter; conflicts become problems."""
    merged = Merged(deepcopy(base), {}, [], [])
    ordered = sorted(overlays, key=lambda overlay: overlay.name)
    entries = [entry for overlay in ordered for entry in _entries(overlay, merged.problems)]
    entries = _settled(entries, ordered, merged.problems)
    for kind in ("remove", "set", "add"):
        for entry in entries:
            if entry.kind == kind:
                _apply(entry, merged)
    return merged


def _entries(overlay: Overlay, problems: list[Problem]) -> Iterator[_Entry]:
    for text in overlay.remove:
        path = read_path(text)
        if path:
            yield _Entry("remove", path, None, overlay)
        else:
            problems.append(Problem(overlay.file, f"remove.{text}", "this is not a path"))
    for path, value in _flat(overlay.set, (), overlay, problems):
        yield _Entry("set", path, value, overlay)
    for path, value in _flat(overlay.add, (), overlay, problems):
        yield _Entry("add", path, value, overlay)


def _flat(
    table: Mapping[str, Any], above: Path, overlay: Overlay, problems: list[Problem]
) -> Iterator[tuple[Path, Any]]:
    for key, value in table.items():
        path = read_path(str(key))
        if not path:
            place = write_path((*above, str(key)))
            problems.append(Problem(overlay.file, place, "this is not a path"))
        elif isinstance(value, Mapping) and value:
            yield from _flat(value, above + path, overlay, problems)
        else:
            yield above + path, value


def _settled(
    entries: list[_Entry], overlays: Sequence[Overlay], problems: list[Problem]
) -> list[_Entry]:
    """Drop what an overlay may override, and report what is left of the conflicts."""
    at: dict[Path, list[_Entry]] = {}
    for entry in entries:
        if entry.kind != "add":
            at.setdefault(entry.path, []).append(entry)
    dropped: set[int] = set()
    reported: set[tuple[str, str, Path]] = set()
    for entry in entries:
        for long in range(1, len(entry.path) + 1):
            for other in at.get(entry.path[:long], ()):
                if other.overlay is entry.overlay or _agree(entry, other):
                    continue
                if _wins(entry.overlay, other.overlay):
                    dropped.add(id(other))
                elif _wins(other.overlay, entry.overlay):
                    dropped.add(id(entry))
                else:
                    _conflict(entry, other, reported, problems)
    return [entry for entry in entries if id(entry) not in dropped]


def _agree(entry: _Entry, other: _Entry) -> bool:
    if entry.kind == "add":  # adding to what another sets, or to another's list, commutes
        return other.kind == "set" and entry.path == other.path
    return entry.path == other.path and (entry.kind, entry.value) == (other.kind, other.value)


def _wins(overlay: Overlay, other: Overlay) -> bool:
    short = other.name.rpartition("/")[2]
    return "*" in overlay.over or other.name in overlay.over or short in overlay.over


def _conflict(
    entry: _Entry,
    other: _Entry,
    reported: set[tuple[str, str, Path]],
    problems: list[Problem],
) -> None:
    first, second = sorted((entry, other), key=lambda one: (one.overlay.name, one.where))
    key = (first.overlay.name, second.overlay.name, entry.path)
    if key in reported:
        return
    reported.add(key)
    what = write_path(entry.path)
    if entry.kind == other.kind == "set" and entry.path == other.path:
        text = f"both set {what}: {show(first.value)} against {show(second.value)}"
    else:
        text = f"one has {first.where}, the other {second.where}"
    files = f"{first.overlay.file} and {second.overlay.file}"
    problems.append(Problem(files, what, f"{text}; leave one out, or say over = [\"…\"]"))


def _apply(entry: _Entry, merged: Merged) -> None:
    table, problem = _table(entry, merged.tree)
    if problem is None and table is not None:
        problem = _change(entry, table, merged)
    if problem is not None:
        merged.problems.append(Problem(entry.overlay.file, entry.where, problem))
    else:
        merged.origins[entry.path] = entry.overlay.file


def _table(entry: _Entry, tree: Tree) -> tuple[Any, str | None]:
    """The table or list that holds the last part of a path, made where tables are missing."""
    node: Any = tree
    for depth, part in enumerate(entry.path[:-1]):
        if isinstance(node, dict) and isinstance(part, str):
            if part not in node:
                if _keyed(entry.path[:depth]):
                    return None, _no_row(entry.path[:depth], part, node)
                if entry.kind == "remove":
                    return None, "there is nothing here to remove"
                node[part] = {}
            node = node[part]
        elif isinstance(node, list) and isinstance(part, int):
            if part >= len(node):
                return None, f"the list has only {len(node)} entries, counted from [0]"
            node = node[part]
        else:
            return None, f"{write_path(entry.path[: depth + 1])} is not a table"
    return node, None


def _change(entry: _Entry, table: Any, merged: Merged) -> str | None:
    last = entry.path[-1]
    if isinstance(table, list) and isinstance(last, int):
        if entry.kind != "set" or last >= len(table):
            return f"entries [0] to [{len(table) - 1}] of this list can be set, nothing else"
        before, table[last] = table[last], entry.value
    elif not isinstance(table, dict) or isinstance(last, int):
        return f"{write_path(entry.path[:-1])} is not a table"
    elif entry.kind == "remove":
        if last not in table:
            return _no_row(entry.path[:-1], last, table)
        before = table.pop(last)
    elif entry.kind == "set":
        if _keyed(entry.path[:-1]) and last not in table:
            return _no_row(entry.path[:-1], last, table)
        if _keyed(entry.path):
            return "set single squares and cards by their ids; new ones go under add"
        before, table[last] = table.get(last), deepcopy(entry.value)
    else:
        return _added(entry, table, last, merged)
    _record(entry, before, entry.value, merged)
    return None


def _added(entry: _Entry, table: dict[str, Any], last: str, merged: Merged) -> str | None:
    if not isinstance(entry.value, list):
        return "what is added must be a list, even of one: [ … ]"
    if _keyed(entry.path):
        rows = table.setdefault(last, {})
        for row in entry.value:
            name = row.get("id") if isinstance(row, Mapping) else None
            if not isinstance(name, str):
                return "every new row needs an id"
            if name in rows:
                return f"there is a row {name!r} already"
            rows[name] = {key: deepcopy(value) for key, value in row.items() if key != "id"}
            merged.origins[(*entry.path, name)] = entry.overlay.file
            merged.changes.append(
                Change(write_path((*entry.path, name)), None, rows[name], entry.overlay.file)
            )
        return None
    before = table.get(last, [])
    if not isinstance(before, list):
        return f"{write_path(entry.path)} is not a list"
    table[last] = [*before, *deepcopy(entry.value)]
    _record(entry, before, table[last], merged)
    return None


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
    return unknown(kind, str(name), table)


def show(value: Any) -> str:
    """A value from a file, short enough for one line of a message."""
    text = repr(value) if isinstance(value, (str, list, dict)) else str(value)
    return text if len(text) <= 60 else f"{text[:59]}…"
