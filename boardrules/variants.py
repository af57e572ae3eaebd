"""What can be changed in a ruleset: every number in it, as something to slide, and the overlay.

Each number of a game (a salary, a fine, the copies of a card, the weight of a die's highest face,
the rents of a group) becomes a `Knob` with a plain label, its value, and a sensible range; all are
read off the ruleset itself.  Values chosen for some knobs make changed rules, and an overlay file
or a line of Python that makes the same rules again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from .library import games
from .overlay import Path, copied, read_path, write_path
from .rents.deeds import is_street, members_of
from .rules import MONEY_TABLES, Problem, Rules, RulesError, Square, unknown

Value: TypeAlias = int | Fraction
"""What a knob says: money and counts are whole, weights and percentages may be fractions."""

Kind: TypeAlias = Literal["money", "count", "weight", "percent", "factor"]

HIGHEST = "dice.highest"
"""The knob for the weight of a die's highest face; the others keep theirs."""
RENTS, HOUSES = "rents", "houses"
"""Knobs of a percentage of all rents or house prices; `rents.orange`, `rents.deeds.x`: of some."""

MONEY, JAIL, RENT, PRICES, TABLES = (
    "Salary, taxes and fines",
    "Jail and dice",
    "Rents",
    "Prices and houses",
    "Bank, buildings and the end",
)
_MOST_PERCENT = 300


@dataclass(frozen=True, slots=True)
class Knob:
    """One number in the rules: where it stands, what it is called, and how far it can be turned.

    `name` is a path of the ruleset, such as `jail.fine`, or one of the names for rents and dice.
    Percentages are of the value in the rules, except rates, which are percentages themselves.
    """

    name: str
    part: str
    label: str
    kind: Kind
    value: Value
    low: Value
    high: Value
    step: Value
    unit: str = ""

    @property
    def whole(self) -> bool:
        """Whether only whole numbers fit."""
        return self.kind in ("money", "count", "factor")


# ------------------------------------------------------------------------ what can be turned


def knobs(rules: Rules) -> tuple[Knob, ...]:
    """Every number in some rules that can be turned, those asked for most first.

    Left out is what an overlay has added to a list of the game: another overlay cannot reach it.

    >>> from boardrules import load
    >>> next(knob.value for knob in knobs(load("corner_shop")) if knob.name == "jail.fine")
    5
    """
    found = [*_money(rules), *_jail_and_dice(rules), *_rents(rules), *_prices(rules)]
    found += [*_cards(rules), *_tables(rules)]
    sheets = _sheets(rules)
    return tuple(one for one in found if _reachable(read_path(one.name), sheets))


def knob(rules: Rules, name: str) -> Knob:
    """The knob of this name; raises `RulesError` with a suggestion if there is none."""
    every = {one.name: one for one in knobs(rules)}
    if name not in every:
        raise RulesError(rules.label, [Problem("", name, unknown("number", name, every))])
    return every[name]


_WORDS: Mapping[str, tuple[str, Kind]] = {
    "collect": ("collect", "money"),
    "pay": ("pay", "money"),
    "owe": ("bill", "money"),
    "house": ("for each house", "money"),
    "hotel": ("for each hotel", "money"),
    "or_percent": ("or so many percent of all one owns", "count"),
}
"""The numbers inside effects, in words of the table; moves and targets are no numbers to slide."""


def _money(rules: Rules) -> Iterator[Knob]:
    """Amounts on squares and throws, the salary and the fine, the largest subject first."""
    found: list[Knob] = []
    for square in rules.squares:
        for peg in ("passing", "landing", "crossing"):
            row = rules.tree["squares"][square.id]
            hung = row.get(peg, [])
            found += _amounts(rules, ("squares", square.id, peg), hung, MONEY, square.name)
    for peg in ("before", "after", "at_limit"):
        rows = rules.tree.get("doubles", {}).get(peg, [])
        found += _amounts(rules, ("doubles", peg), rows, MONEY, "Doubles")
    for place, throw in enumerate(rules.tree["dice"].get("throws", [])):
        told = "Throw " + "+".join(map(str, throw.get("faces", [])))
        at: Path = ("dice", "throws", place, "effects")
        found += _amounts(rules, at, throw.get("effects", []), MONEY, told)
    if rules.jail:
        found.append(_amount("jail.fine", MONEY, "Fine to leave jail", rules.jail.fine, rules))
    yield from sorted(found, key=lambda one: ("alary" not in one.label, one.name != "jail.fine"))


def _amounts(rules: Rules, path: Path, rows: Any, part: str, about: str) -> Iterator[Knob]:
    """The numbers inside a list of effects, however deep."""
    for at, row, key, value in _inside(path, rows):
        word, kind = _WORDS[key]
        tag = str(row.get("tag") or "").replace("_", " ")
        label = f"{about}: {tag or word}"
        if tag == "salary":
            label = f"Salary ({about})"
        name = write_path(at)
        if kind == "money":
            yield _amount(name, part, label, value, rules)
        else:
            yield Knob(name, part, f"{about}: {word}", "count", value, 0, 100, 1, "%")


def _inside(path: Path, node: Any) -> Iterator[tuple[Path, Mapping[str, Any], str, int]]:
    """Every number of an effect in a tree of effects: its path, the effect, its key, its value."""
    if isinstance(node, list):
        for place, one in enumerate(node):
            yield from _inside((*path, place), one)
    elif isinstance(node, Mapping):
        for key, value in node.items():
            if key in _WORDS and isinstance(value, int) and not isinstance(value, bool):
                yield (*path, key), node, key, value
            elif isinstance(value, (list, Mapping)):
                yield from _inside((*path, key), value)


def _jail_and_dice(rules: Rules) -> Iterator[Knob]:
    if rules.jail:
        attempts = rules.jail.attempts
        most = max(6, attempts)
        yield _count("jail.attempts", JAIL, "Rolls in jail before one must pay", attempts, 1, most)
    if rules.doubles.limit:
        label = "So many doubles in a row are too many"
        yield _count("doubles.limit", JAIL, label, rules.doubles.limit, 1, 6)
    faces = rules.dice.faces
    high, weight = faces[-1]
    if len(faces) > 1:
        label = f"Weight of a {high} on each die (the other faces: 1)"
        if {other for _, other in faces[:-1]} != {Fraction(1)}:
            label = f"Weight of a {high} on each die"
        yield _weight(HIGHEST, JAIL, label, weight)
    if not rules.tree["dice"].get("faces"):
        yield _count("dice.sides", JAIL, "Sides of each die", len(faces), 2, max(12, len(faces)))
    yield _amount("start.cash", JAIL, "Cash at the start", rules.start.cash, rules)


def _rents(rules: Rules) -> Iterator[Knob]:
    every = [square for square in rules.squares if _charges(square)]
    if not every:
        return
    yield _factor(RENTS, RENT, "All rents")
    for group in members_of(rules):
        if any(_charges(square) for square in members_of(rules)[group]):
            yield _factor(f"{RENTS}.{group}", RENT, f"Rents of {_plain(group)}")
    if "set_multiplier" in rules.tree.get("rent", {}):
        label = "A whole group without houses: so many times the rent"
        yield _count("rent.set_multiplier", RENT, label, rules.rent.set_multiplier, 1, 6)
    for square in every:
        yield _factor(f"{RENTS}.deeds.{square.id}", "Rents, deed by deed", f"Rent of {square.name}")


def _charges(square: Square) -> bool:
    return square.deed is not None and bool(square.deed.rent or square.deed.times_throw)


def _prices(rules: Rules) -> Iterator[Knob]:
    names = {"house": "A house on", "price": "Price of", "mortgage": "Mortgage on"}
    for field, told in names.items():
        if field == "house" and any(square.deed and square.deed.house for square in rules.squares):
            yield _factor(HOUSES, PRICES, "All houses and hotels: their price")
        for square in rules.squares:
            value = getattr(square.deed, field, None)
            if value is not None and (field != "house" or is_street(square.deed)):  # type: ignore[arg-type]
                name = f"squares.{square.id}.deed.{field}"
                yield _amount(name, PRICES, f"{told} {square.name}", value, rules)


def _cards(rules: Rules) -> Iterator[Knob]:
    for deck in rules.decks.values():
        part = f"Cards of {deck.name}: amounts"
        for card in deck.cards:
            row = rules.tree["decks"][deck.id]["cards"][card.id]
            path = ("decks", deck.id, "cards", card.id)
            yield from _amounts(rules, (*path, "effects"), row.get("effects", []), part, card.name)
            for field in ("cost", "value", "commission") if card.deal else ():
                name = write_path((*path, "deal", field))
                value = getattr(card.deal, field)
                yield _amount(name, part, f"{card.name}: {field}", value, rules)
        part = f"Cards of {deck.name}: how many of each"
        for card in deck.cards:
            name = write_path(("decks", deck.id, "cards", card.id, "copies"))
            yield _weight(name, part, card.name, card.copies)


_COUNTS = ("attempts", "limit", "levels", "months", "houses", "hotels", "per_colour")


def _tables(rules: Rules) -> Iterator[Knob]:
    """The numbers of the tables about ownership and money, and of the pots."""
    for table in MONEY_TABLES:
        if table not in rules.tree:
            continue
        record = getattr(rules, table)
        for field in fields(record):
            name, value = f"{table}.{field.name}", getattr(record, field.name)
            label = f"{table.capitalize()}: {_plain(field.name)}"
            if isinstance(value, bool) or name == "rent.set_multiplier":
                continue
            if isinstance(value, Fraction):
                percent = value * 100
                high = Fraction(100 if percent <= 100 else 10_000)
                yield Knob(name, TABLES, label, "percent", percent, Fraction(0), high,
                           Fraction(1), "%")  # fmt: skip
            elif isinstance(value, int) and (field.name in _COUNTS or "multiple" in field.name):
                low = 1 if value else 0
                yield _count(name, TABLES, label, value, low, max(10, 2 * value))
            elif isinstance(value, int):
                yield _amount(name, TABLES, label, value, rules)
    for pot in rules.pots.values():
        label = f"{pot.name}: at the start"
        yield _amount(f"pots.{pot.id}.start", TABLES, label, pot.start, rules)


# ------------------------------------------------------------------------------- the ranges


_STEPS = (1000, 500, 100, 50, 20, 10, 5, 2, 1)


def _amount(name: str, part: str, label: str, value: int, rules: Rules) -> Knob:
    """Money: from nothing to about four times as much, in steps that the value fits into."""
    usual = max(value, rules.start.cash // 15, 5)
    high = next(top for top in _round_numbers() if top >= 3 * usual)
    fits = (one for one in _STEPS if one <= high / 20 and value % one == 0 and high % one == 0)
    step = next(fits, 1)
    low = min(0, value)
    return Knob(name, part, label, "money", value, low, high, step, rules.currency)


def _round_numbers() -> Iterator[int]:
    power = 1
    while True:
        yield from (power, 2 * power, 5 * power)
        power *= 10


def _count(name: str, part: str, label: str, value: int, low: int, high: int) -> Knob:
    return Knob(name, part, label, "count", value, min(low, value), max(high, value), 1)


def _weight(name: str, part: str, label: str, value: Fraction) -> Knob:
    """How likely something is beside others: never nothing, which would make it impossible."""
    quarter = Fraction(1, 4)
    low, high = min(quarter, value), max(Fraction(10), 2 * value)
    return Knob(name, part, label, "weight", value, low, high, quarter)


def _factor(name: str, part: str, label: str) -> Knob:
    return Knob(name, part, label, "factor", 100, 0, _MOST_PERCENT, 10, "%")


def _plain(name: str) -> str:
    return name.replace("_", " ")


# ----------------------------------------------------------------------- what an overlay does


_Sheets: TypeAlias = Sequence[tuple[Path, Any, Any]]
"""The lists that overlays have changed: the path, what was there, what is there now."""


def _sheets(rules: Rules) -> _Sheets:
    return [
        (read_path(one.path), one.before, one.after)
        for one in rules.changes
        if isinstance(one.after, list)
    ]


def _added(before: Any, after: Any) -> bool:
    """Whether a list was only made longer, which goes over whatever is set there."""
    long = len(before) if isinstance(before, list) else 0
    return len(after) > long and after[:long] == (before or [])


def _reachable(path: Path, sheets: _Sheets) -> bool:
    """Whether a further overlay can set what stands at a path."""
    for at, before, after in sheets:
        if path[: len(at)] == at and len(path) > len(at) and _added(before, after):
            place, long = path[len(at)], len(before or [])
            # what one overlay adds to what another has set cannot be told apart any more
            mixed = sum(other == at for other, _, _ in sheets) > 1
            if isinstance(place, int) and (place >= long or mixed):
                return False
    return True


def _lifted(rules: Rules, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The same settings, but whole lists where an overlay has set a list.

    To set one entry would drop the list that the overlay has set, as a whole goes with its parts.
    """
    lifted: dict[str, Any] = {}
    sheets = _sheets(rules)
    for text, value in settings.items():
        path = read_path(text)
        above = [
            at
            for at, before, after in sheets
            if path[: len(at)] == at and path != at and not _added(before, after)
        ]
        if not above:
            lifted[text] = value
            continue
        top = min(above, key=len)
        whole = lifted.setdefault(write_path(top), copied(_at(rules.tree, top)))
        _at(whole, path[len(top) : -1])[path[-1]] = value
    return lifted


def _at(tree: Any, path: Sequence[str | int]) -> Any:
    for part in path:
        tree = tree[part]
    return tree


# ----------------------------------------------------------------------- what was chosen


def settings(rules: Rules, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """What `Rules.but` has to be told for some values of knobs, by path.

    Knobs that stand where the rules have them change nothing.  Raises `RulesError` with all
    problems for unknown knobs and for values out of their range.

    >>> from boardrules import load
    >>> settings(load("corner_shop"), {"jail.fine": 7, "rents.shops": 200})["jail.fine"]
    7
    """
    every = {one.name: one for one in knobs(rules)}
    problems: list[Problem] = []
    turned: dict[str, Value] = {}
    for name, value in chosen.items():
        if name not in every:
            problems.append(Problem("", name, unknown("number", name, every)))
            continue
        read = _read(every[name], value)
        if read is None:
            one = every[name]
            text = f"must be from {one.low:g} to {one.high:g}, not {value!r:.60}"
            problems.append(Problem("", name, text))
        elif read != every[name].value:
            turned[name] = read
    if problems:
        raise RulesError(rules.label, problems)
    plain = {
        name: value / 100 if every[name].kind == "percent" else value
        for name, value in turned.items()
        if every[name].kind != "factor" and name != HIGHEST
    }
    plain |= _dice(rules, turned)
    plain |= _charged(rules, turned)
    return _lifted(rules, plain)


def _read(one: Knob, value: Any) -> Value | None:
    """A value as exact as it is written, or None if it does not fit its knob."""
    if isinstance(value, bool) or not isinstance(value, (int, float, Fraction)):
        return None
    if not one.low <= value <= one.high:
        return None
    exact = Fraction(repr(value)) if isinstance(value, float) else Fraction(value)
    if one.whole:
        return int(exact) if exact.denominator == 1 else None
    return exact


def _dice(rules: Rules, turned: Mapping[str, Value]) -> dict[str, Any]:
    """The faces of the dice, where the highest has a weight of its own."""
    if HIGHEST not in turned:
        return {}
    faces = dict(rules.dice.faces)
    if not rules.tree["dice"].get("faces"):
        sides = int(turned.get("dice.sides", len(faces)))
        faces = dict.fromkeys(range(1, sides + 1), Fraction(1))
        # the number of sides would stand against the faces; nothing stands where it stood
        gone: dict[str, Any] = {"dice.sides": None}
    else:
        gone = {}
    faces[max(faces)] = Fraction(turned[HIGHEST])
    return gone | {f"dice.faces.{face}": _simple(weight) for face, weight in faces.items()}


def _charged(rules: Rules, turned: Mapping[str, Value]) -> dict[str, Any]:
    """Rents and houses whose factor, alone, with their group or with all, has been changed."""
    found: dict[str, Any] = {}
    houses = Fraction(turned.get(HOUSES, 100), 100)
    for square in rules.squares:
        if square.deed is None:
            continue
        path = f"squares.{square.id}.deed.house"
        if square.deed.house is not None and houses != 1:
            found[path] = _nearest(Fraction(turned.get(path, square.deed.house)) * houses)
        names = (RENTS, f"{RENTS}.{square.deed.group}", f"{RENTS}.deeds.{square.id}")
        factor = Fraction(1)
        for name in names:
            factor *= Fraction(turned.get(name, 100), 100)
        for field in ("rent", "times_throw"):
            values = getattr(square.deed, field)
            if factor != 1 and values:
                path = f"squares.{square.id}.deed.{field}"
                found[path] = [_nearest(value * factor) for value in values]
    return found


def _nearest(value: Fraction) -> int:
    """The nearest whole amount; a half goes up."""
    return int((value + Fraction(1, 2)) // 1)


def _simple(value: Value) -> Value:
    return int(value) if Fraction(value).denominator == 1 else value


def turned(rules: Rules, chosen: Mapping[str, Any]) -> Rules:
    """The rules with some knobs turned: `turned(rules, {"jail.fine": 100, "rents.orange": 150})`.

    Raises `RulesError` for what `settings` refuses, and if the result is not a game.
    """
    told = settings(rules, chosen)
    return rules.but(told) if told else rules


# --------------------------------------------------------------------------- taken away


def _earlier(rules: Rules) -> dict[str, Any]:
    """What was changed in memory before: it has to be told again."""
    return {one.path: one.after for one in rules.changes if one.file == "but(…)"}


def _on_shelf(rules: Rules) -> list[str]:
    """The overlays that lie on the shelf and can be named; others are files or were made here."""
    shelf = {entry.name for game in games() if game.name == rules.id for entry in game.overlays}
    return [name for name in rules.overlays if name in shelf]


def as_toml(rules: Rules, chosen: Mapping[str, Any], title: str = "My rules") -> str:
    """An overlay file that makes the same rules: `boardrules.load(game, file)` reads it back.

    The overlays of the rules come along under `needs`, as far as they lie on the game's shelf;
    the others are named in a comment.
    """
    told = {**_earlier(rules), **settings(rules, chosen)}
    shelf = _on_shelf(rules)
    others = [name for name in rules.overlays if name not in shelf and not _made_here(rules, name)]
    lines = [f"# to be laid over {rules.id} + {' + '.join(others)}"] if others else []
    lines += [f"game = {_toml(rules.id)}", f"title = {_toml(title)}", 'source = "made by sliding"']
    if shelf:
        lines += [f"needs = {_toml(shelf)}", f"over = {_toml(shelf)}"]
    gone = [path for path, value in told.items() if value is None]
    if gone:
        lines.append(f"remove = {_toml(gone)}")
    kept = {path: value for path, value in told.items() if value is not None}
    if kept:
        lines += ["", "[set]"]
        lines += [f"{_toml(path)} = {_toml(value)}" for path, value in kept.items()]
    return "\n".join(line.replace("\n", " ") if line[:1] == "#" else line for line in lines) + "\n"


def _made_here(rules: Rules, name: str) -> bool:
    """Whether an overlay is the one that `Rules.but` made: its name lists what it sets."""
    told = _earlier(rules)
    return bool(told) and all(path in name for path in told)


def as_python(rules: Rules, chosen: Mapping[str, Any]) -> str:
    """A few lines of Python that make the same rules."""
    told = {**_earlier(rules), **settings(rules, chosen)}
    shelf = [name for name in rules.overlays if not _made_here(rules, name)]
    names = ", ".join(_python(name) for name in (rules.id, *shelf))
    values = "".join(f"    {_python(path)}: {_python(value)},\n" for path, value in told.items())
    lines = ["from boardrules import load\n"]
    if "Fraction(" in values:
        lines.insert(0, "from fractions import Fraction\n")
    but = f".but({{\n{values}}})" if told else ""
    return f"{''.join(lines)}\nrules = load({names}){but}\n"


_BARE = re.compile(r"[A-Za-z0-9_-]+")


def _toml(value: Any) -> str:
    """A value as a TOML file holds it; fractions stay exact."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Fraction):
        return str(value) if value.denominator == 1 else _toml(f"{value}")
    if isinstance(value, Mapping):
        inside = (f"{k if _BARE.fullmatch(k) else _toml(k)} = {_toml(v)}" for k, v in value.items())
        return f"{{ {', '.join(inside)} }}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(str(value), ensure_ascii=False)


def _python(value: Any) -> str:
    """A value as Python reads it."""
    if isinstance(value, Fraction):
        return f"Fraction({value.numerator}, {value.denominator})"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_python(k)}: {_python(v)}' for k, v in value.items())}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_python, value))}]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
