"""Counts of a class, read as pupils and spreadsheets write them.

Lists of throws, `7: 5`, tally marks, tables from a spreadsheet, a row or a column for each pupil:
what is understood is shown back, what is not is told with its line, and nothing is guessed in
silence.  Where a text can be read in two ways, it is not read until somebody says which.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import pairwise
from typing import Any, Literal, TypeAlias

from ..rules import IN_JAIL, Problem, Rules, RulesError, unknown
from ..turn import Thrown, throws

Kind: TypeAlias = Literal["throws", "landings"]
Form: TypeAlias = Literal["auto", "list", "table"]

FORMS: Mapping[str, str] = {
    "auto": "find out",
    "list": "every number is one throw or one landing",
    "table": "first what it is, then how often",
}
"""How a text may be meant."""

MOST_LETTERS, MOST_LINES, MOST_CELLS = 200_000, 5_000, 2_000
MOST_COUNT = 1_000_000
"""More of one thing than this no class counts."""
MOST_DOUBTS = 30
"""More doubts than this nobody reads."""

_STROKES = "|Il/\\\U0001d377\U0001d378"
"""What people write for one stroke of a tally; the last sign is a bundle of five."""
_MARKS = re.compile(r"[|Il/\\\U0001D377\U0001D378]+(?:\s+[|Il/\\\U0001D377\U0001D378]+)*")
_COUNT = re.compile(r"(\d{1,9})(?:[.,]0{1,2})?")
_PAIRLIKE = re.compile(r".*\S\s*[:\s]\s*[\d|Il/\\]+")
_TWO = re.compile(r"(\d+)(?:\s+|\s*[,;]\s*)(\d+)")
_TOTALS = {
    *("total", "totals", "all", "together", "gesamt", "insgesamt", "zusammen", "totale"),
    *("ensemble", "todo", "todos", "junto", "doubles", "double", "pasch"),
}
"""What stands beside counts and is none of them: it would count twice."""
_ROW_HEADS = {
    *("sum", "sums", "summe", "somme", "suma", "soma", "throw", "throws", "wurf", "augen"),
    *("augensumme", "square", "squares", "feld", "case", "casilla", "casa", "id", "number"),
    *("nummer",),
}
"""Headings of a column that says what was counted, in the languages of our names."""
_HEADS = {
    *_ROW_HEADS,
    *("name", "names", "pupil", "pupils", "nom", "nombre", "nome", "schuler", "kind"),
}
"""Headings of a column that may stand before columns of outcomes."""


# ------------------------------------------------------------------------ what there is


@dataclass(frozen=True, eq=False)
class Outcomes:
    """All that can be counted: sums of the dice, or squares; with every way to call them."""

    kind: Kind
    label: str
    names: Mapping[str, str]
    called: Mapping[str, tuple[str, ...]] = field(repr=False)

    @property
    def one(self) -> str:
        """One of what is counted."""
        return "throw" if self.kind == "throws" else "landing"

    def find(self, text: str) -> tuple[str, ...]:
        """The keys that a text may mean: none, one, or several."""
        plain = text.strip()
        if re.search(r"[|%<>]", plain):
            return ()
        if not any(map(str.isalpha, plain)) and not (plain.isascii() and plain.isdecimal()):
            return ()  # -7, 7.5 and 1/2 are no squares, whatever their digits
        return self.called.get(folded(plain.lstrip("0") or plain), ())

    def beginning(self, text: str) -> tuple[str, ...]:
        """The keys whose names begin so, for those who write only the first word."""
        start = folded(text)
        if len(start) < 4 or start.isdecimal():
            return ()
        found = {key for key, name in self.names.items() if folded(name).startswith(start)}
        return tuple(key for key in self.names if key in found)

    def unknown(self, text: str) -> str:
        """What to say to a text that means nothing here."""
        shown = short(text)
        if self.kind == "throws":
            low, *_, high = (*self.names, *self.names)
            return f"{shown} is no sum of these dice; they give {low} to {high}"
        near = get_close_matches(folded(text), list(self.called), n=1, cutoff=0.7)
        hint = f"; did you mean {self.names[self.called[near[0]][0]]}?" if near else ""
        return f"there is no square {shown}{hint}"


def sums_of(rules: Rules) -> Outcomes:
    """The sums that the dice of a game can show."""
    pips = sorted({one.pips for one in throws(rules.dice) if isinstance(one, Thrown)})
    names = {str(total): str(total) for total in pips}
    return Outcomes("throws", rules.label, names, {name: (name,) for name in names})


def squares_of(rules: Rules) -> Outcomes:
    """The squares of a game, and the jail; called by name, by number or by id."""
    names = {square.id: square.name for square in rules.squares}
    called: dict[str, list[str]] = {}

    def call(key: str, *texts: str) -> None:
        for text in texts:
            keys = called.setdefault(folded(text), [])
            if key not in keys:
                keys.append(key)

    for square in rules.squares:
        call(square.id, square.name, square.id, str(square.number))
        call(square.id, f"{square.number} {square.name}")
    if rules.jail:
        names[IN_JAIL] = rules.jail.name
        last = rules.squares[-1].number + 1
        call(IN_JAIL, rules.jail.name, "in jail", "jail", str(last), f"{last} {rules.jail.name}")
    called.pop("", None)
    return Outcomes("landings", rules.label, names, {k: tuple(v) for k, v in called.items()})


def folded(text: str) -> str:
    """A text without what people forget: capitals, accents, signs, blanks."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in apart if sign.isalnum())


def short(text: str) -> str:
    """What somebody wrote, in quotation marks, and not too much of it."""
    plain = "".join(sign if sign.isprintable() else " " for sign in text).strip()
    return f"“{plain if len(plain) <= 40 else plain[:39] + '…'}”"


# ----------------------------------------------------------------------- what was counted


@dataclass(frozen=True, slots=True)
class Doubt:
    """A line that was not counted, or not all of it, and why."""

    line: int
    text: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}" if self.line else self.text


@dataclass(frozen=True, eq=False)
class Tally:
    """What a class has counted: how often each outcome, by whom, and what was not understood."""

    outcomes: Outcomes
    counts: Mapping[str, int]
    pupils: Mapping[str, int]
    notes: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()

    @property
    def total(self) -> int:
        """How many were counted in all."""
        return sum(self.counts.values())

    @property
    def said(self) -> str:
        """What was read, in one line: `360 throws of 30 pupils`."""
        count = f"{self.total:,} {self.outcomes.one}{'s' if self.total != 1 else ''}"
        if not self.pupils:
            return count
        return f"{count} of {len(self.pupils)} pupil{'s' if len(self.pupils) != 1 else ''}"

    def __str__(self) -> str:
        seen = ", ".join(f"{self.outcomes.names[k]}: {n}" for k, n in self.counts.items() if n)
        lines = [f"read: {self.said}", *([seen] if seen else []), *self.notes]
        if self.doubts:
            lines += ["not counted:", *(f"  {doubt}" for doubt in self.doubts)]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Tally of {self.outcomes.label}: {self.said}, {len(self.doubts)} doubts>"


def read(
    source: str | Mapping[Any, int] | Iterable[int], outcomes: Outcomes, form: Form = "auto"
) -> Tally:
    """Read what a class has counted: a text, a list of throws, or counts by outcome.

    `form` helps where a text can be read in two ways.  Never raises for what is in a text; raises
    `RulesError` for a form that there is not.

    >>> from boardrules import load
    >>> print(read("7: 5, 8: 3" + chr(10) + "2 |||", sums_of(load("monopoly"))))
    read: 11 throws
    2: 3, 7: 5, 8: 3
    """
    if form not in FORMS:
        raise RulesError("read", [Problem("", "form", unknown("form", form, FORMS))])
    reading = _Reading(outcomes, form)
    if isinstance(source, str):
        reading.text(source)
    elif isinstance(source, Mapping):
        for key, count in source.items():
            reading.pair(0, str(key), str(count), key=str(key))
    else:
        for one in source:
            reading.single(0, str(one))
    return reading.tally()


def number(cell: str) -> int | None:
    """A count, as digits or as tally marks; a spreadsheet may have written 5,0 or 5.00."""
    text = cell.strip()
    found = _COUNT.fullmatch(text)
    if found and text.isascii():
        return int(found[1])
    if text and _MARKS.fullmatch(text):
        return sum(5 if mark == "\U0001d378" else not mark.isspace() for mark in text)
    return None


_Rows: TypeAlias = list[tuple[int, list[str]]]


class _Reading:
    """A text that is being read."""

    def __init__(self, outcomes: Outcomes, form: Form) -> None:
        self.outcomes, self.form = outcomes, form
        self.counts = dict.fromkeys(outcomes.names, 0)
        self.by: Counter[str] = Counter()
        self.notes: list[str] = []
        self.doubts: list[Doubt] = []

    def tally(self) -> Tally:
        """What has been read so far."""
        doubts = self.doubts[:MOST_DOUBTS]
        if len(self.doubts) > MOST_DOUBTS:
            doubts.append(Doubt(0, f"and {len(self.doubts) - MOST_DOUBTS} more like these"))
        notes = tuple(dict.fromkeys(self.notes))
        return Tally(self.outcomes, self.counts, dict(self.by), notes, tuple(doubts))

    def doubt(self, line: int, text: str) -> None:
        """Put something aside that is not counted."""
        self.doubts.append(Doubt(line, text))

    def strange(self, line: int, label: str) -> None:
        """Put aside what is no outcome; what was meant is searched only for those who read it."""
        many = len(self.doubts) > MOST_DOUBTS
        self.doubt(line, short(label) if many else self.outcomes.unknown(label))

    # ---- the whole text

    def text(self, text: str) -> None:
        """Read a text: as a table if it is one, else line by line."""
        if len(text) > MOST_LETTERS:
            self.doubt(0, f"only the first {MOST_LETTERS:,} letters are read")
        # blanks in a row are one blank; without this, long rows of them take patterns minutes
        plain = re.sub(r"[^\S\t\n]+", " ", text[:MOST_LETTERS].removeprefix("\ufeff"))
        lines = [(n, line.strip(" \r")) for n, line in enumerate(plain.split("\n"), start=1)]
        lines = [(n, line) for n, line in lines if line.strip() and not line.startswith("#")]
        if len(lines) > MOST_LINES:
            self.doubt(lines[MOST_LINES][0], f"only {MOST_LINES:,} lines are read")
        lines = lines[:MOST_LINES]
        grid = _grid(lines)
        if grid:
            self.grid(grid)
        elif lines and all(_TWO.fullmatch(line) for _, line in lines):
            self.twos([(n, [*_TWO.fullmatch(line).groups()]) for n, line in lines])  # type: ignore[union-attr]
        else:
            for n, line in lines:
                self.line(n, line)

    def twos(self, rows: _Rows) -> None:
        """Lines of two numbers each: an outcome and its count, or two throws?"""
        form = self.form if self.form != "auto" else self._guess(rows)
        if form == "auto":
            where = f"line{'s' if len(rows) > 1 else ''} {rows[0][0]}"
            where += f" to {rows[-1][0]}" if len(rows) > 1 else ""
            a, b = rows[0][1][0], rows[0][1][1]
            self.doubt(
                0,
                f"{where} can be read in two ways: {self.outcomes.one}s of {a} and {b}, or {a} "
                f"counted {b} times? Write “{a}, {b},” or “{a}: {b}”, or say how it is meant",
            )
            return
        self.notes.append(f"read as: {FORMS[form]}")
        for n, cells in rows:
            if form == "table":
                self.pair(n, cells[0], cells[1])
            else:
                self.list(n, cells)

    def _guess(self, rows: _Rows) -> Form:
        """How lines of numbers are meant, where only one way makes sense; else "auto"."""
        find = self.outcomes.find
        firsts = [cells[0] for _, cells in rows]
        if len(set(firsts)) < len(firsts) or not all(map(find, firsts)):
            return "list"
        if not all(find(cell) for _, cells in rows for cell in cells[1:]):
            return "table"
        return "table" if _counts_up(firsts) else "auto"

    # ---- tables

    def grid(self, rows: _Rows) -> None:
        """A table from a spreadsheet: outcomes down or across, or a row of throws a pupil."""
        first_line, head = rows[0]
        if len(rows) > 1 and self._across(head):
            self._columns(head, rows[1:])
            return
        heads: list[str] = []
        if not any(self.outcomes.find(cell) or number(cell) is not None for cell in head):
            heads = head
            self.notes.append(f"line {first_line} is taken for a heading")
            rows = rows[1:]
        if not rows:
            return
        if self._down(heads, rows):
            self._rows(heads, rows)
        elif all(_is_name(cells[0], self.outcomes) for _, cells in rows):
            for n, cells in rows:
                self.list(n, cells[1:], who=cells[0])
        elif not heads and all(len(cells) == 2 for _, cells in rows):
            self.twos(rows)
        else:
            for n, cells in rows:
                self.list(n, cells)

    def _across(self, head: Sequence[str]) -> bool:
        """Whether a first row says which outcome stands in which column."""
        cells = [cell for cell in head[1:] if folded(cell) not in _TOTALS and cell]
        whole = [cell for cell in head if cell]
        find = self.outcomes.find
        if self.form != "list" and _counts_up(whole) and all(map(find, whole)):
            return True
        if len(cells) < 2 or not all(map(find, cells)) or len(set(cells)) < len(cells):
            return False
        words = any(not cell.isdecimal() for cell in cells)
        named = not head[0] or folded(head[0]) in _HEADS
        return not find(head[0]) and (words or named or _counts_up(cells))

    def _columns(self, head: Sequence[str], rows: _Rows) -> None:
        """Outcomes across, a pupil in each row."""
        many = len(rows) > 1
        for n, cells in rows:
            named = not self.outcomes.find(head[0])
            who = cells[0] if named and number(cells[0]) is None else ""
            if folded(who) in _TOTALS:
                self._left_out(n, who)
                continue
            for place, (label, cell) in enumerate(zip(head, cells, strict=False)):
                if folded(label) in _TOTALS:
                    self.notes.append(f"column {short(label)} left out: it would count twice")
                elif cell and (self.outcomes.find(label) or (label and place)):
                    self.pair(n, label, cell, who=who or (f"line {n}" if many else ""))
            if len(cells) > len(head):
                self.doubt(n, "more cells than there are columns")

    def _down(self, heads: Sequence[str], rows: _Rows) -> bool:
        """Whether the first column says what is counted and the others say how often."""
        if self.form != "auto":
            return self.form == "table"
        find = self.outcomes.find
        body = [cells for _, cells in rows if folded(cells[0]) not in _TOTALS]
        firsts = [cells[0] for cells in body]
        known = [cell for cell in firsts if find(cell)]
        if not known or len(set(firsts)) < len(firsts) or 2 * len(known) < len(firsts):
            return False
        if any(not cell.isdecimal() for cell in known):
            return all(number(cell) is not None for cells in body for cell in cells[1:] if cell)
        if heads and folded(heads[0]) in _ROW_HEADS:
            return True
        if _counts_up(firsts):
            return True
        return all(len(cells) == 2 for cells in body) and any(not find(cells[1]) for cells in body)

    def _rows(self, heads: Sequence[str], rows: _Rows) -> None:
        """Outcomes down, a column of counts for each pupil."""
        wide = max(len(cells) for _, cells in rows)
        titles = [*heads, *[""] * wide][:wide]
        used = [k for k in range(1, wide) if folded(titles[k]) not in _TOTALS]
        if not used:  # a lone column may well be called total
            used = list(range(1, wide))
        for k in set(range(1, wide)) - set(used):
            self.notes.append(f"column {short(titles[k])} left out: it would count twice")
        for n, cells in rows:
            if folded(cells[0]) in _TOTALS:
                self._left_out(n, cells[0])
                continue
            if not any(cells[1:]):
                self.doubt(n, f"how often {short(cells[0])}?")
            for k in used:
                if k < len(cells) and cells[k]:
                    who = (titles[k] or f"column {k + 1}") if len(used) > 1 else ""
                    self.pair(n, cells[0], cells[k], who=who)

    # ---- lines

    def line(self, n: int, line: str) -> None:
        """One line as people write it."""
        label, sign, rest = re.sub(r"[=：]", ":", line).partition(":")
        if sign:
            self._labelled(n, line, label.strip(), rest.strip())
            return
        parts = _split(line)
        if len(parts) > 1 and _named_list(" ".join(parts), self.outcomes):
            self._part(n, " ".join(parts))
            return
        if len(parts) > 1:
            if _is_name(parts[0], self.outcomes) and all(map(self.outcomes.find, parts[1:])):
                self.list(n, parts[1:], who=parts[0])
                return
            for part in parts:
                self._part(n, part)
            return
        self._part(n, line)

    def _labelled(self, n: int, line: str, label: str, rest: str) -> None:
        """A line with a colon: an outcome and its count, or a pupil and what he threw."""
        found = self.outcomes.find(label) or self.outcomes.beginning(label)
        if found and number(rest) is None and all(map(_PAIRLIKE.fullmatch, _split(rest)[1:])):
            for part in _split(re.sub(r"[=：]", ":", line)):
                what, sign, count = part.partition(":")
                if sign:
                    self.pair(n, what.strip(), count.strip())
                else:
                    self._counted(n, part)
        elif found:
            self.pair(n, label, rest)
        elif folded(label) in _TOTALS:
            self._left_out(n, label)
        elif self._no_name(label, rest):
            self.strange(n, label)
        elif rest:
            self.list(n, _pieces(rest), who=label)

    def _no_name(self, label: str, rest: str) -> bool:
        """Whether a label is an outcome that there is not, and no pupil."""
        counted = self.outcomes.kind == "landings" and number(rest) is not None
        return counted or label.isdecimal() or not label

    def _part(self, n: int, part: str) -> None:
        """A piece of a line: one outcome, an outcome with its count, or numbers."""
        pieces = part.split()
        if self.outcomes.find(part):
            self.single(n, part)
        elif all(piece.isdecimal() for piece in pieces):
            self.list(n, pieces)
        elif self._pairs(part):
            self._counted(n, part)
        elif _named_list(part, self.outcomes):
            name = re.match(r"[^\d]+", part)
            assert name is not None
            self.list(n, part[name.end() :].split(), who=name[0].strip())
        elif self.outcomes.kind == "landings":
            self._word(n, part)
        else:
            self.doubt(n, f"{short(part)} is not understood; write 7: 5, or the throws one by one")

    def _pairs(self, part: str) -> bool:
        found = _paired(part)
        if not found or number(found[1]) is None:
            return False
        label, count = found
        sure = not label.isdecimal() or not count.strip().isdecimal()
        return sure and bool(self.outcomes.find(label) or self.outcomes.beginning(label))

    def _counted(self, n: int, part: str) -> None:
        """`Illinois Avenue 5`, `7 ||||`; in a line of pairs `8 3` too."""
        found = _paired(part)
        if found and number(found[1]) is not None:
            self.pair(n, *found)
        else:
            self.doubt(n, f"{short(part)} is not understood; write for example 7: 5")

    def _word(self, n: int, text: str) -> None:
        """The name of a square, maybe only its beginning, maybe with an unknown count."""
        if self.outcomes.beginning(text):
            self.single(n, text)
        else:
            found = _paired(text)
            self.strange(n, found[0] if found else text)

    # ---- what is counted

    def pair(self, n: int, label: str, count: str, who: str = "", key: str = "") -> None:
        """An outcome, and how often; `key` is tried first, for those who know it."""
        key = key if key in self.outcomes.names else self._key(n, label)
        times = number(count) if count else 0
        if not key:
            return
        if times is None:
            self.doubt(n, f"{short(count)} is no count of {self.outcomes.names[key]}{_why(count)}")
        elif times > MOST_COUNT:
            self.doubt(n, f"{times:,} is more than anybody counts")
        else:
            self._add(key, times, who)

    def list(self, n: int, cells: Sequence[str], who: str = "") -> None:
        """Outcomes one by one."""
        if folded(who) in _TOTALS:
            self._left_out(n, who)
            return
        if not any(cells):
            self.doubt(n, f"nothing stands beside {short(who)}")
        for cell in cells[:MOST_CELLS]:
            if cell:
                self.single(n, cell, who)
        if len(cells) > MOST_CELLS:
            self.doubt(n, f"only the first {MOST_CELLS:,} of a line are read")

    def single(self, n: int, label: str, who: str = "") -> None:
        """One outcome, once."""
        if key := self._key(n, label):
            self._add(key, 1, who)

    def _add(self, key: str, times: int, who: str) -> None:
        self.counts[key] += times
        if who:
            self.by[who] += times

    def _left_out(self, n: int, label: str) -> None:
        self.notes.append(f"line {n}, {short(label)}, left out: it would count twice")

    def _key(self, n: int, label: str) -> str:
        """The one outcome that a label means, or nothing and a doubt."""
        found = self.outcomes.find(label)
        if not found and (found := self.outcomes.beginning(label)) and len(found) == 1:
            self.notes.append(f"{short(label)} is read as {self.outcomes.names[found[0]]}")
        if len(found) == 1:
            return found[0]
        if found:
            names = [self.outcomes.names[key] for key in found[:4]]
            self.doubt(n, f"{short(label)} may be {' or '.join(names)}; which one?")
        else:
            self.strange(n, label)
        return ""


def _paired(text: str) -> tuple[str, str] | None:
    """What stands before a count at the end of a text, and the count: digits or tally marks.

    Goes through the text once, whatever its length.
    """
    whole = text.strip()
    digits = len(whole) - len(whole.rstrip("0123456789"))
    if 0 < digits < len(whole):
        return whole[:-digits].rstrip(), whole[-digits:]
    for place in range(max(len(whole.rstrip(_STROKES + " ")), 1), len(whole)):
        # a stroke may follow a word at once only if it is no letter
        if whole[place] == "|" or (whole[place] != " " and whole[place - 1] == " "):
            return whole[:place].rstrip(), whole[place:]
    return None


def _why(count: str) -> str:
    if "%" in count:
        return "; counts are needed, not shares"
    if re.fullmatch(r"\d+[.,]\d+", count.strip()):
        return "; a count is a whole number"
    return ""


def _pieces(text: str) -> list[str]:
    """Outcomes one by one, divided by commas or, if they are numbers, by blanks."""
    parts = _split(text)
    if all(re.fullmatch(r"[\d\s]+", part) for part in parts):
        return text.replace(",", " ").replace(";", " ").split()
    return parts


def _split(line: str) -> list[str]:
    return [part.strip() for part in re.split(r"[,;\t]", line) if part.strip()]


def _named_list(part: str, outcomes: Outcomes) -> bool:
    """`Anna 7 8 3`: a name and at least two numbers, or one throw."""
    found = re.fullmatch(r"([^\d|:]+?)\s+(\d+(?:\s+\d+)*)", part)
    if not found or not _is_name(found[1], outcomes):
        return False
    return len(found[2].split()) > 1 or outcomes.kind == "throws"


def _is_name(cell: str, outcomes: Outcomes) -> bool:
    """Whether a cell may be the name of a pupil."""
    known = outcomes.find(cell) or outcomes.beginning(cell)
    return bool(re.search(r"[^\W\d_]", cell)) and not known and number(cell) is None


def _counts_up(cells: Sequence[str]) -> bool:
    """Whether at least four cells go up one by one, as a list of all sums does."""
    if len(cells) < 4 or not all(cell.isascii() and cell.isdecimal() for cell in cells):
        return False
    if any(len(cell) > 6 for cell in cells):
        return False
    return all(int(b) == int(a) + 1 for a, b in pairwise(cells))


def _grid(lines: Sequence[tuple[int, str]]) -> _Rows | None:
    """The cells of a table, if the lines are one: divided by tabs, semicolons, or commas."""
    if not lines or any(re.search(r"[:=]", line) for _, line in lines):
        return None
    for mark in "\t;":
        if 2 * sum(mark in line for _, line in lines) > len(lines):
            return _cells(lines, mark)
    wide = {line.count(",") for _, line in lines}
    words = not any(re.fullmatch(r"\s*\d+\s*", cell) for cell in lines[0][1].split(","))
    if len(lines) > 1 and len(wide) == 1 and wide != {0} and words:
        body = [line.split(",") for _, line in lines[1:]]
        if all(number(cell) is not None or not cell.strip() for row in body for cell in row[1:]):
            return _cells(lines, ",")
    return None


def _cells(lines: Sequence[tuple[int, str]], mark: str) -> _Rows:
    rows: _Rows = []
    for n, line in lines:
        try:
            cells = next(csv.reader([line], delimiter=mark, strict=False), [])
        except csv.Error:
            cells = line.split(mark)
        cells = [cell.strip() for cell in cells][:MOST_CELLS]
        while len(cells) > 1 and not cells[-1]:
            cells.pop()
        if any(cells):
            rows.append((n, cells))
    return rows
