"""The owner's sheet: a table of all squares and cards, to be filled in from one's own box.

`write` prints what is known and leaves empty what is not well known; `read` takes a sheet that
somebody has filled in, and what stands in it becomes part of the game with the grade `user`.  What
stays empty keeps its value and its grade.  Mistakes are reported by row and column, all at once.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from .cells import harmless
from .overlay import Tree, show
from .rules import GRADES, Problem, unknown

WEAK = ("C", "D", "illustrative")
"""Grades whose cells are left empty, to be filled in."""

RENTS = tuple(f"rent_{level}" for level in range(1, 7))
MOST_ROWS = 2_000
"""More rows than this are no sheet of a board and its cards."""

COLUMNS = (
    *(
        "row",
        "number",
        "side",
        "name",
        "kind",
        "deck",
        "copies",
        "amount",
        "tag",
        "target",
        "cards",
    ),
    *("price", "mortgage", "house", *RENTS, "times_throw", "cost", "value", "commission"),
    *("grade", "ours", "checked", "id"),
)
_NUMBERS = {
    *("number", "side", "copies", "amount", "cards", "price", "mortgage", "house", *RENTS),
    *("times_throw", "cost", "value", "commission"),
}
_DEED = ("price", "mortgage", "house")
_DEAL = ("cost", "value", "commission")
_YES = {"x", "yes", "y", "ja", "sim", "oui", "si", "1", "✓", "ok", "true"}
_CARDS_ONLY = {"copies", "target", *_DEAL}
_SQUARES_ONLY = {"side", "cards", *_DEED, *RENTS, "times_throw"}
_ABOUT = {"row", "number", "deck", "id", "grade", "ours", "checked"}
"""Columns that say which row it is, not what is on the board."""


# ------------------------------------------------------------------------------ writing


def write(tree: Mapping[str, Any]) -> str:
    """A game as a sheet, weakest evidence first: CSV with a header, one row a square or card."""
    rows = [*_square_rows(tree), *_card_rows(tree)]
    order = list(GRADES)
    rows.sort(key=lambda row: -order.index(row["grade"]))  # stable: board order within a grade
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: harmless(value) for key, value in row.items()} for row in rows)
    return text.getvalue()


def _square_rows(tree: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    first = int(tree.get("numbering", 0))
    for place, (name, row) in enumerate(tree["squares"].items()):
        cells = _square_cells(name, row)
        grades = {column: _grade(tree, row, _part(column, row)) for column in cells}
        position = _grade(tree, row, "position")
        yield {
            "row": "square",
            "number": str(place + first),
            **_known(cells, grades, position),
            "grade": _weakest([position, *grades.values()]),
            "ours": _ours(cells),
            "id": name,
        }


def _card_rows(tree: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    for deck, cards in tree.get("decks", {}).items():
        for place, (name, row) in enumerate(cards["cards"].items(), start=1):
            cells = _card_cells(name, row)
            grades = {column: _grade(tree, row, _part(column, row)) for column in cells}
            yield {
                "row": "card",
                "number": str(place),
                "deck": deck,
                **_known(cells, grades, "seed"),
                "grade": _weakest(grades.values()),
                "ours": _ours(cells),
                "id": name,
            }


def _known(cells: Mapping[str, str], grades: Mapping[str, str], position: str) -> dict[str, str]:
    """The cells that are well known; nothing about a square whose place is not."""
    if position in WEAK:
        return {}
    return {column: value for column, value in cells.items() if grades[column] not in WEAK}


def _ours(cells: Mapping[str, str]) -> str:
    return "; ".join(f"{column} {value}" for column, value in cells.items() if value)


def _square_cells(name: str, row: Mapping[str, Any]) -> dict[str, str]:
    deed = row.get("deed", {})
    cells = {
        "side": str(row.get("side", "")),
        "name": str(row.get("name", name)),
        "kind": str(row.get("kind", "")),
        **{key: str(deed[key]) for key in _DEED if key in deed},
        **{column: str(value) for column, value in zip(RENTS, deed.get("rent", ()), strict=False)},
    }
    if deed.get("times_throw"):
        cells["times_throw"] = str(deed["times_throw"][0])
    money = _money(row)
    if money is not None:
        cells["amount"] = str(_signed(money))
        cells["tag"] = str(money.get("tag", ""))
    draws = sum("draw" in effect for effect in row.get("landing", ()))
    if draws:
        cells["cards"] = str(draws)
    return cells


def _card_cells(name: str, row: Mapping[str, Any]) -> dict[str, str]:
    money = _money(row)
    cells = {
        "name": str(row.get("name", name)),
        "kind": _card_kind(row),
        "copies": str(row.get("copies", 1)),
        **{key: str(value) for key, value in row.get("deal", {}).items() if key in _DEAL},
    }
    if money is not None:
        cells["amount"] = str(_signed(money))
        cells["tag"] = str(money.get("tag", ""))
    target = next((effect["goto"] for effect in row.get("effects", ()) if "goto" in effect), "")
    return {**cells, "target": target} if target else cells


def _card_kind(row: Mapping[str, Any]) -> str:
    if "deal" in row:
        return "deal"
    for effect in row.get("effects", ()):
        if "owe" in effect:
            return str(effect.get("kind", "bill"))
        for word, kind in (("collect", "take"), ("pay", "pay"), ("goto", "goto"), ("keep", "keep")):
            if word in effect:
                return kind
    return "special" if row.get("effects") else "nothing"


def _money(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """The one effect of a square or card whose amount a sheet can tell."""
    for peg in ("passing", "landing", "effects"):
        found = [e for e in row.get(peg, ()) if any(w in e for w in ("collect", "pay", "owe"))]
        if len(found) == 1:
            return found[0]  # type: ignore[no-any-return]
    return None


def _signed(money: Mapping[str, Any]) -> int:
    return int(money["collect"]) if "collect" in money else -int(money.get("pay", money.get("owe")))


def _part(column: str, row: Mapping[str, Any]) -> str:
    """The part of a row that a column belongs to, as grades call it."""
    if column in (*_DEED, *RENTS, "times_throw"):
        return "deed"
    if column in _DEAL:
        return "deal"
    if column in ("amount", "tag", "cards", "target"):
        return next((peg for peg in ("passing", "landing", "effects") if peg in row), "landing")
    return column


def _grade(tree: Mapping[str, Any], row: Mapping[str, Any], part: str) -> str:
    whole = str(tree.get("grade", "user"))
    grade = row.get("grade", whole)
    return str(grade.get(part, whole)) if isinstance(grade, Mapping) else str(grade)


def _weakest(grades: Iterable[str]) -> str:
    return max(grades, key=list(GRADES).index)


# ------------------------------------------------------------------------------ reading


@dataclass(slots=True)
class _Reading:
    """A sheet that is being read: the game it goes into, and what is wrong with it."""

    file: str
    tree: Tree
    problems: list[Problem] = field(default_factory=list)

    def wrong(self, line: int, column: str, text: str) -> None:
        where = f"row {line}, column {column}" if column else f"row {line}"
        self.problems.append(Problem(self.file, where, text))


@dataclass(frozen=True, slots=True)
class _Line:
    """One row of a sheet: where it stands, and its filled cells."""

    line: int
    cells: Mapping[str, str]
    numbers: Mapping[str, int]

    @property
    def filled(self) -> tuple[str, ...]:
        return tuple(column for column in self.cells if column not in _ABOUT)

    @property
    def checked(self) -> bool:
        return self.cells.get("checked", "").casefold() in _YES


def read(text: str, tree: Tree, file: str) -> tuple[Tree, list[Problem]]:
    """A game with a filled-in sheet worked into it, and the problems of the sheet.

    Takes sheets with commas or semicolons, with or without a byte order mark, and whole numbers
    with a decimal part of noughts, as spreadsheets write them.
    """
    reading = _Reading(file, deepcopy(tree))
    printed = _printed(tree)
    lines = [_without_printed(line, printed) for line in _lines(text, reading)]
    _read_squares([line for line in lines if line.cells["row"] == "square"], reading)
    _read_cards([line for line in lines if line.cells["row"] == "card"], reading)
    return reading.tree, reading.problems


def _printed(tree: Tree) -> dict[tuple[str, ...], Mapping[str, str]]:
    """The rows of a fresh sheet, to be found by number or id, with their deck or without."""
    found: dict[tuple[str, ...], Mapping[str, str]] = {}
    for row in (*_square_rows(tree), *_card_rows(tree)):
        for deck in ("", row.get("deck", "")):
            for column in ("number", "id"):
                found.setdefault((row["row"], deck, column, row[column]), row)
    return found


def _without_printed(line: _Line, printed: Mapping[tuple[str, ...], Mapping[str, str]]) -> _Line:
    """A row without the cells that still say what a fresh sheet says: nobody has filled them in."""
    kind, deck = line.cells["row"], line.cells.get("deck", "")
    column = "id" if kind == "card" and "id" in line.cells else "number"
    row = printed.get((kind, deck, column, line.cells.get(column, "")))
    if row is None:
        return line
    left = {
        column: cell
        for column, cell in line.cells.items()
        if column in _ABOUT or cell != harmless(row.get(column, "")).removeprefix("'")
    }
    return _Line(line.line, left, {k: v for k, v in line.numbers.items() if k in left})


def _lines(text: str, reading: _Reading) -> Iterator[_Line]:
    plain = text.removeprefix("\ufeff")
    header = plain.partition("\n")[0]
    mark = max(";,\t", key=header.count)
    try:
        reader = csv.reader(io.StringIO(plain, newline=""), delimiter=mark, strict=True)
        rows = list(islice(reader, MOST_ROWS + 2))
    except csv.Error as error:
        reading.wrong(1, "", f"this is no CSV: {error}")
        return
    names = [name.strip().casefold() for name in rows[0]] if rows else []
    for place, name in enumerate(names, start=1):
        if name and name not in COLUMNS:
            reading.wrong(1, str(place), unknown("column", name, COLUMNS))
    for needed in ("row", "number"):
        if needed not in names:
            reading.wrong(1, needed, "this column is missing; start from a fresh sheet")
    if len(set(names)) < len(names):
        reading.wrong(1, "", "two columns have the same name")
    if len(rows) > MOST_ROWS + 1:
        reading.wrong(MOST_ROWS + 2, "", f"more than {MOST_ROWS:,} rows; there are far fewer")
    if reading.problems:
        return
    for line, row in enumerate(rows[1:], start=2):
        cells = {n: c.strip().removeprefix("'") for n, c in zip(names, row, strict=False) if n}
        cells = {name: cell for name, cell in cells.items() if cell}
        if len(row) > len(names) and any(cell.strip() for cell in row[len(names) :]):
            reading.wrong(line, "", "more cells than there are columns; is a comma in a name?")
        elif cells:
            yield from _checked_line(line, cells, reading)


def _checked_line(line: int, cells: Mapping[str, str], reading: _Reading) -> Iterator[_Line]:
    numbers: dict[str, int] = {}
    for column in sorted(cells.keys() & _NUMBERS):
        number = _whole(cells[column])
        if number is None:
            reading.wrong(line, column, _no_number(cells[column]))
        else:
            numbers[column] = number
    kind = cells.get("row", "")
    if kind not in ("square", "card"):
        reading.wrong(line, "row", f"must be square or card, not {show(kind)}")
    elif kind == "square" and "number" not in cells:
        reading.wrong(line, "number", "which square? its number is missing")
    else:
        yield _Line(line, cells, numbers)


def _whole(cell: str) -> int | None:
    """A whole number as spreadsheets write it: 950, 950.00, 950,00 or -50."""
    whole, mark, rest = cell.replace(",", ".").partition(".")
    digits = whole.removeprefix("-").removeprefix("+")
    fine = digits.isascii() and digits.isdecimal() and len(digits) <= 9 and not rest.strip("0")
    return int(whole) if fine and (rest or not mark) else None


def _no_number(cell: str) -> str:
    digits = "".join(sign for sign in cell if sign.isdecimal() and sign.isascii())
    if digits and any(sign in cell for sign in "$€£¢") and len(digits) <= 9:
        return f"write the number alone, {digits} instead of {show(cell)}"
    return f"must be a whole number, not {show(cell)}"


# ------------------------------------------------------------------------------ squares


def _read_squares(lines: Sequence[_Line], reading: _Reading) -> None:
    squares: dict[str, Any] = reading.tree["squares"]
    first = int(reading.tree.get("numbering", 0))
    ids = list(squares)
    by_place: dict[int, _Line] = {}
    for line in lines:
        if "number" not in line.numbers:
            continue
        place = line.numbers["number"] - first
        if not 0 <= place < len(ids):
            last = len(ids) - 1 + first
            text = f"there is no square {line.cells['number']}, they go from {first} to {last}"
            reading.wrong(line.line, "number", text)
        elif place in by_place:
            other = by_place[place].line
            reading.wrong(line.line, "number", f"this square stands in row {other} already")
        else:
            by_place[place] = line
    seats = _seats(ids, by_place, reading)
    if reading.problems:
        return
    board: dict[str, Any] = {}
    for place, seat in enumerate(seats):
        row = squares.get(seat, {})
        filled = by_place.get(place)
        board[seat] = row if filled is None else _square(row, filled, reading)
    reading.tree["squares"] = board


def _seats(ids: Sequence[str], lines: Mapping[int, _Line], reading: _Reading) -> list[str]:
    """Which square is where: a name that we know moves its square, a new one makes a new square."""
    squares = reading.tree["squares"]
    called = [str(squares[name].get("name", name)).casefold() for name in ids]
    names = {name: seat for name, seat in zip(called, ids, strict=True) if called.count(name) == 1}
    seats = list(ids)
    taken: dict[str, int] = {}
    for place, line in lines.items():
        name = line.cells.get("name", "")
        if not name:
            if line.checked:
                taken[ids[place]] = place
            continue
        known = ids[place] if name.casefold() == called[place] else names.get(name.casefold())
        own = squares[ids[place]]
        if known is None and line.cells.get("kind", own.get("kind")) == own.get("kind"):
            known = ids[place] if _may_be_renamed(own, reading.tree) else None
        seat = known or _new_id(name, {*squares, *seats})
        if seat in taken:
            other = lines[taken[seat]].line
            reading.wrong(line.line, "name", f"{show(name)} stands in row {other} already")
        taken[seat] = place
        seats[place] = seat
    for place, seat in enumerate(seats):
        if seat in taken and taken[seat] != place:
            row = lines[taken[seat]].line
            number = place + int(reading.tree.get("numbering", 0))
            text = f"its square was number {number}, so say in a row what is on {number}"
            reading.wrong(row, "name", text)
    return seats


def _may_be_renamed(row: Mapping[str, Any], tree: Tree) -> bool:
    """Whether another name is only another name: the place is known, or the name was made up."""
    return _grade(tree, row, "position") not in WEAK or _grade(tree, row, "name") in WEAK


def _new_id(name: str, known: set[str]) -> str:
    plain = "".join(sign if sign.isascii() and sign.isalnum() else "_" for sign in name.casefold())
    base = "_".join(part for part in plain.split("_") if part)[:50] or "square"
    base = base if base[0].isalpha() else f"s_{base}"
    found, count = base, 2
    while found in known:
        found, count = f"{base}_{count}", count + 1
    return found


def _square(old: Mapping[str, Any], line: _Line, reading: _Reading) -> dict[str, Any]:
    row = deepcopy(dict(old))
    new = not row
    for column in sorted(line.cells.keys() & _CARDS_ONLY):
        reading.wrong(line.line, column, "only cards have this")
    if new:
        row = {"name": line.cells["name"], "grade": {}}
    for column in ("name", "kind"):
        if column in line.cells:
            row[column] = line.cells[column]
    if "side" in line.numbers:
        row["side"] = line.numbers["side"]
    _deed(row, line, reading)
    _amount(row, line, reading, "passing" if "passing" in row else "landing")
    if "cards" in line.numbers:
        _draws(row, line, reading)
    parts = {_part(column, row) for column in line.filled}
    if line.checked or new:
        parts |= {"side", "name", "kind", *(p for p in _PARTS if p in row)}
    if "name" in line.cells or line.checked:
        parts.add("position")
    _owned(row, parts, reading.tree)
    return row


_PARTS = ("passing", "landing", "crossing", "deed", "effects", "deal", "copies")


def _owned(row: dict[str, Any], parts: set[str], tree: Tree) -> None:
    """Mark parts of a row as read off the user's own board; the others keep their grades."""
    if not parts:
        return
    old = row.get("grade", tree.get("grade", "user"))
    fields = {*parts, "position", "name", "kind", *(part for part in _PARTS if part in row)}
    grades = dict(old) if isinstance(old, Mapping) else dict.fromkeys(fields, old)
    whole = tree.get("grade", "user")
    row["grade"] = {part: "user" if part in parts else grades.get(part, whole) for part in fields}


def _deed(row: dict[str, Any], line: _Line, reading: _Reading) -> None:
    given = [column for column in (*_DEED, *RENTS, "times_throw") if column in line.numbers]
    if not given:
        return
    deed = dict(row.get("deed", {"kind": row.get("kind") or "street"}))
    for column in _DEED:
        if column in line.numbers:
            deed[column] = line.numbers[column]
    rents = list(deed.get("rent", []))
    for level, column in enumerate(RENTS):
        if column not in line.numbers:
            continue
        if level > len(rents):
            reading.wrong(line.line, column, f"fill in {RENTS[len(rents)]} first")
        elif level == len(rents):
            rents.append(line.numbers[column])
        else:
            rents[level] = line.numbers[column]
    if rents:
        deed["rent"] = rents
    if "times_throw" in line.numbers:
        deed["times_throw"] = [line.numbers["times_throw"], *deed.get("times_throw", [])[1:]]
    for column in given:
        if line.numbers[column] < 0:
            reading.wrong(line.line, column, "must not be negative")
    row["deed"] = deed


def _amount(row: dict[str, Any], line: _Line, reading: _Reading, peg: str) -> None:
    """An amount with its sign: what a square or card pays out, or takes."""
    if "amount" not in line.numbers and "tag" not in line.cells:
        return
    money = _money(row)
    if money is None:
        if row.get(peg):
            reading.wrong(line.line, "amount", "this row has no single amount that could be set")
            return
        money = {"collect": 0}
        row[peg] = [money]
    amount = line.numbers.get("amount", _signed(money))
    if "owe" in money:
        money["owe"] = abs(amount)
    else:
        old = {key: value for key, value in money.items() if key not in ("collect", "pay")}
        money.clear()
        money.update({"collect": amount} if amount > 0 else {"pay": -amount})
        money.update(
            {k: v for k, v in old.items() if not (k in ("to", "or_percent") and amount > 0)}
        )
    tag = line.cells.get("tag")
    if tag is not None:
        money["tag"] = tag
        card = _sparing(tag, reading.tree)
        if card and amount < 0:
            money["unless_held"] = card


def _sparing(tag: str, tree: Tree) -> str:
    """The card that spares its owner whatever has a tag, as it does elsewhere in the game."""
    rows = [*tree["squares"].values()]
    rows += [row for deck in tree.get("decks", {}).values() for row in deck["cards"].values()]
    for row in rows:
        for peg in ("passing", "landing", "crossing", "effects"):
            for effect in row.get(peg, ()):
                if tag and effect.get("tag") == tag and "unless_held" in effect:
                    return str(effect["unless_held"])
    return ""


def _draws(row: dict[str, Any], line: _Line, reading: _Reading) -> None:
    drawn = [effect for effect in row.get("landing", ()) if "draw" in effect]
    count = line.numbers["cards"]
    if not drawn or not 1 <= count <= 10:
        text = "1 to 10 cards, on a square where cards are drawn"
        reading.wrong(line.line, "cards", text)
        return
    rest = [effect for effect in row["landing"] if "draw" not in effect]
    row["landing"] = [dict(drawn[0]) for _ in range(count)] + rest


# -------------------------------------------------------------------------------- cards


def _read_cards(lines: Sequence[_Line], reading: _Reading) -> None:
    decks = reading.tree.get("decks", {})
    kinds = {deck: _kinds_of(row["cards"]) for deck, row in decks.items()}
    seen: dict[tuple[str, str], int] = {}
    for line in lines:
        deck = line.cells.get("deck", next(iter(decks), ""))
        if deck not in decks:
            reading.wrong(line.line, "deck", unknown("deck", deck, decks))
            continue
        cards = decks[deck]["cards"]
        name = _card_id(line, cards)
        if (deck, name) in seen:
            text = f"this card stands in row {seen[deck, name]} already"
            reading.wrong(line.line, "number", text)
        seen[deck, name] = line.line
        if name not in cards and not _new_card(name, cards, line, kinds[deck], reading):
            continue
        _card(cards, name, line, reading)


def _card_id(line: _Line, cards: Mapping[str, Any]) -> str:
    if line.cells.get("id") in cards:
        return line.cells["id"]
    place = line.numbers.get("number", 0)
    if "id" not in line.cells and 1 <= place <= len(cards):
        return list(cards)[place - 1]
    return line.cells.get("id") or _new_id(line.cells.get("name", "card"), set(cards))


def _kinds_of(cards: Mapping[str, Any]) -> dict[str, Any]:
    """A card of each kind in a deck, by the kind."""
    kinds = {_card_kind(row): row for row in cards.values()}
    return {kind: deepcopy(row) for kind, row in kinds.items() if kind != "special"}


def _new_card(
    name: str,
    cards: dict[str, Any],
    line: _Line,
    kinds: Mapping[str, Any],
    reading: _Reading,
) -> bool:
    """A card that we did not know; its kind tells what it does."""
    kind = line.cells.get("kind", "")
    simple: dict[str, list[dict[str, Any]]] = {
        "take": [{"collect": 0}],
        "pay": [{"pay": 0}],
        "goto": [{"goto": line.cells.get("target", "")}, {"forfeit": True}],
        "nothing": [],
    }
    if kind in kinds:
        effects = deepcopy(kinds[kind].get("effects", []))
    elif kind in simple:
        effects = simple[kind]
    else:
        text = unknown("kind of card", kind, [*simple, *kinds])
        reading.wrong(line.line, "kind", text)
        return False
    if kind == "goto" and line.cells.get("target") not in reading.tree["squares"]:
        text = unknown("square", line.cells.get("target", ""), reading.tree["squares"])
        reading.wrong(line.line, "target", text)
        return False
    if kind in ("take", "pay") and "amount" not in line.cells:
        reading.wrong(line.line, "amount", "a new card that takes or pays needs its amount")
        return False
    for effect in effects:
        if "goto" in effect:
            effect["goto"] = line.cells["target"]
        effect.pop("tag", None)
        if kind in ("take", "pay"):
            effect.pop("unless_held", None)
    cards[name] = {"name": line.cells.get("name", name), "effects": effects, "grade": "user"}
    return True


def _card(cards: dict[str, Any], name: str, line: _Line, reading: _Reading) -> None:
    row = cards[name]
    for column in sorted(line.cells.keys() & _SQUARES_ONLY):
        reading.wrong(line.line, column, "only squares have this")
    if line.numbers.get("copies") == 0:
        del cards[name]
        return
    if line.numbers.get("copies", 1) < 0:
        reading.wrong(line.line, "copies", "must be 0 or more")
    if "name" in line.cells:
        row["name"] = line.cells["name"]
    if "copies" in line.numbers:
        row["copies"] = line.numbers["copies"]
    for column in _DEAL:
        if column in line.numbers:
            if "deal" not in row:
                reading.wrong(line.line, column, "this card is no deal")
            else:
                row["deal"][column] = line.numbers[column]
    if "cost" in line.numbers and "deal" in row:
        _priced(row, line.numbers["cost"])
    if "target" in line.cells:
        going = [effect for effect in row.get("effects", ()) if "goto" in effect]
        for effect in going:
            effect["goto"] = line.cells["target"]
        if not going:
            reading.wrong(line.line, "target", "this card sends nobody anywhere")
    _amount(row, line, reading, "effects")
    parts = {_part(column, row) for column in line.filled}
    if line.checked:
        parts |= {"name", "kind", "copies", "effects", "deal"}
    _owned(row, parts | ({"effects"} if "kind" in parts else set()), reading.tree)


def _priced(row: dict[str, Any], cost: int) -> None:
    """Let the card that offers a deal ask for its new price."""
    for effect in row.get("effects", ()):
        for answer in effect.get("answers", {}).values():
            for then in answer:
                if "pay" in then:
                    then["pay"] = cost
