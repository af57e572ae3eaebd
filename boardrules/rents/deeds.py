"""Deeds: what can be owned, at which levels, and what is asked of who lands there.

A landing tells how the square was reached, by the dice or by which card, and with which throw; the
rent hangs on it.  Where a fresh throw decides, or where the owner may fail to ask, the rent of one
landing is a small law of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, Literal, TypeAlias

from ..chain import Chain
from ..effects import DICE
from ..events import Event, Landed, Price, TurnOver, turns
from ..measure import rates
from ..results import unit_price
from ..rules import Deed, Problem, Rules, RulesError, Square, unknown
from ..turn import sums

HOTEL = "hotel"
UNITS = ("roll", "turn", "lap", "round")
"""What rents are counted by; a round of n players is n - 1 opponent turns."""


Chance: TypeAlias = Fraction | int | float | str
"""A chance as people write it; decimals are read as they are written."""


# --------------------------------------------------------------------------- deeds and levels


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a deed: what is asked for there, and what the step up to it costs.

    `rent` is an amount, `times` a multiple of a throw.  A step that comes with other deeds of the
    group (the set, a second railroad) costs nothing here; None: the rules name no price.
    """

    name: str
    rent: int = 0
    times: int = 0
    cost: int | None = 0


def levels(rules: Rules, square: str) -> tuple[Level, ...]:
    """All levels of a deed, the lowest first.

    Streets with a group have `deed`, `set`, `1` to `4` and `hotel`; what has no houses goes by the
    number owned; where the first house is free, streets go by houses.  Raises `RulesError` if the
    square is no deed.
    """
    return levels_of(rules, deed_square(rules, square))


def deeds(rules: Rules) -> tuple[Square, ...]:
    """The squares that can be owned, in board order."""
    return tuple(square for square in rules.squares if square.deed is not None)


def deed_square(rules: Rules, name: str) -> Square:
    """The square of a deed by its id; raises `RulesError` with a suggestion."""
    owned = [square.id for square in deeds(rules)]
    if not owned:
        raise bad(rules, "", "nobody owns anything in this game: it has no deeds")
    if name not in owned:
        text = unknown("deed", str(name), owned)
        if name in rules.index:
            text = f"{rules.square(name).name} is no deed, nobody can own it"
        raise bad(rules, str(name), text)
    return rules.square(name)


def is_street(deed: Deed) -> bool:
    """Whether houses are built on a deed."""
    return deed.kind == "street" or deed.house is not None


def members_of(rules: Rules) -> dict[str, tuple[Square, ...]]:
    """The groups of a game, each with its deeds in board order."""
    found: dict[str, list[Square]] = {}
    for square in deeds(rules):
        if square.deed is not None and square.deed.group:
            found.setdefault(square.deed.group, []).append(square)
    return {group: tuple(some) for group, some in found.items()}


def levels_of(rules: Rules, square: Square) -> tuple[Level, ...]:
    """All levels of the deed of a square, the lowest first."""
    deed = square.deed
    assert deed is not None
    if not is_street(deed):
        by_number = [(rent, 0) for rent in deed.rent] or [(0, times) for times in deed.times_throw]
        return tuple(
            Level(str(k), rent, times, deed.price if k == 1 else 0)
            for k, (rent, times) in enumerate(by_number, start=1)
        )
    if rules.buying.first_house_free:
        return tuple(
            Level(str(k), rent, 0, deed.price if k == 1 else deed.house)
            for k, rent in enumerate(deed.rent, start=1)
        )
    found = [Level("deed", deed.rent[0], 0, deed.price)] if deed.rent else []
    if found and deed.group and rules.rent.set_multiplier != 1:
        found.append(Level("set", deed.rent[0] * rules.rent.set_multiplier))
    for k, rent in enumerate(deed.rent[1:], start=1):
        found.append(Level(HOTEL if k == 5 else str(k), rent, 0, deed.house))
    return tuple(found)


def level_of(rules: Rules, square: str, level: str | int) -> int:
    """Which level of a deed is meant, as its place in `levels`; 5 houses are a hotel.

    Raises `RulesError` for a house on a railroad and for a level above the top.
    """
    where = deed_square(rules, square)
    names = [one.name for one in levels_of(rules, where)]
    name = level_name(level)
    if name not in names and name == "5":
        name = HOTEL
    if name in names:
        return names.index(name)
    text = f"{where.name} has no level {name!r}; its levels are {', '.join(names)}"
    if where.deed is not None and not is_street(where.deed):
        text += " (the number owned: nobody builds here)"
    raise bad(rules, where.id, text)


def level_name(level: str | int) -> str:
    """A level as tables write it: `3` and "3" are the same."""
    return str(level).strip().casefold() if not isinstance(level, bool) else repr(level)


def oddities(rules: Rules) -> tuple[Problem, ...]:
    """What looks wrong about the deeds of a ruleset: no error for the walk, but seldom meant.

    Rents should increase with every level, a mortgage should not exceed the price, a street with
    rents for houses needs the cost of a house, and a deed should charge something.
    """
    found: list[Problem] = []
    for square in deeds(rules):
        deed, path = square.deed, f"squares.{square.id}.deed"
        assert deed is not None
        known = levels_of(rules, square)
        if not known:
            found.append(Problem("", path, f"{square.name} charges nothing at any level"))
        found += [
            Problem("", path, f"rent does not increase from level {low.name} to {high.name}")
            for low, high in pairwise(known)
            if (high.rent, high.times) <= (low.rent, low.times)
        ]
        if deed.price is not None and deed.mortgage is not None and deed.mortgage > deed.price:
            text = f"mortgage {deed.mortgage} exceeds price {deed.price}"
            found.append(Problem("", path, text))
        if is_street(deed) and len(deed.rent) > 1 and deed.house is None:
            found.append(Problem("", path, "rents for houses, but no cost of a house"))
    return tuple(found)


# -------------------------------------------------------------------------------- conventions


@dataclass(frozen=True, slots=True)
class Terms:
    """On what terms rent is asked for; None means as the rules say.

    `utility_throw` and `card_throw` name the throw that counts on arrival by dice and by card
    (moved, fresh, none), `cards_double` whether card arrivals pay the multiple on the card,
    `owner_notices` the chance that the owner asks in time, `owner_in_jail` the chance that he is
    in jail, which matters where a jailed owner collects nothing (None: his share of turns there).
    """

    utility_throw: Literal["moved", "fresh"] | None = None
    card_throw: Literal["moved", "fresh", "none"] | None = None
    cards_double: bool = True
    owner_notices: Chance | None = None
    owner_in_jail: Chance | None = None

    @property
    def lines(self) -> tuple[str, ...]:
        """What differs from the rules, for the small print."""
        named = {
            "utility throw": self.utility_throw,
            "throw after a card": self.card_throw,
            "card multiples": None if self.cards_double else "off",
            "owner notices": self.owner_notices,
            "owner in jail": self.owner_in_jail,
        }
        text = "; ".join(f"{name}: {value}" for name, value in named.items() if value is not None)
        return (text,) if text else ()


@dataclass(frozen=True, slots=True)
class Settled:
    """The terms with every gap filled in: how likely rent is asked for, and the fresh throw."""

    utility_throw: str
    card_throw: str
    cards_double: bool
    chance: Fraction
    fresh: Mapping[int, Fraction]


def settled(walk: Chain[Any], terms: Terms | None) -> Settled:
    """The terms with the rules' own words wherever they say nothing; checked."""
    rules, terms = walk.rules, terms or Terms()
    known = {"utility_throw": ("moved", "fresh"), "card_throw": ("moved", "fresh", "none")}
    problems = [
        Problem("", f"terms.{name}", f"{unknown('throw', str(value), names)} ({', '.join(names)})")
        for name, names in known.items()
        if (value := getattr(terms, name)) is not None and value not in names
    ]
    if problems:
        raise RulesError(rules.label, problems)
    notices = rules.rent.owner_notices
    if terms.owner_notices is not None:
        notices = _chance(rules, "terms.owner_notices", terms.owner_notices)
    absent = Fraction(0)
    if terms.owner_in_jail is not None:
        absent = _chance(rules, "terms.owner_in_jail", terms.owner_in_jail)
    elif not rules.rent.jailed_owner_collects and rules.jail is not None:
        absent = Fraction(rates(walk, turns, {"jail": _ends_in_jail})["jail"])
    if rules.rent.jailed_owner_collects:
        absent = Fraction(0)
    fresh = {int(str(pips)): share for pips, share in sums(rules.dice, rules.dice.count).items()}
    return Settled(
        terms.utility_throw or rules.rent.utility_throw,
        terms.card_throw or rules.rent.card_throw,
        terms.cards_double,
        notices * (1 - absent),
        fresh,
    )


def _ends_in_jail(event: Event) -> int:
    return int(isinstance(event, TurnOver) and event.jailed > 0)


def _chance(rules: Rules, path: str, value: Chance) -> Fraction:
    try:
        exact = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        exact = Fraction(-1)
    if not 0 <= exact <= 1:
        raise bad(rules, path, f"needs a chance from 0 to 1, such as '9/10', not {value!r}")
    return exact


# ---------------------------------------------------------------------- the rent of a landing


@dataclass(frozen=True, slots=True)
class Charge:
    """What one deed asks of who lands there: an amount, or so many times a throw.

    `cards` tells whether a card's own multiple of a throw is due as well; it is not part of what a
    step from one level to the next gains.
    """

    rent: int = 0
    times: int = 0
    cards: bool = True

    def law(self, landed: Landed, asked: Settled) -> dict[int, Fraction]:
        """Every amount that this landing may bring, with its chance."""
        often = landed.rent if asked.cards_double else 1
        fixed, times = self.rent * often, self.times * often
        if landed.times_throw:
            fixed, times = 0, landed.times_throw if self.cards else 0
        law = {fixed: Fraction(1)} if not times else self._thrown(times, landed, asked)
        if asked.chance == 1 or law == {0: 1}:
            return law
        if not asked.chance:
            return {0: Fraction(1)}
        thinned = {amount: asked.chance * share for amount, share in law.items()}
        thinned[0] = thinned.get(0, Fraction(0)) + 1 - asked.chance
        return thinned

    @staticmethod
    def _thrown(times: int, landed: Landed, asked: Settled) -> dict[int, Fraction]:
        throw = asked.utility_throw if landed.by == DICE else asked.card_throw
        if throw == "none":
            return {0: Fraction(1)}
        if throw == "moved":
            return {times * landed.pips: Fraction(1)}
        return {times * pips: share for pips, share in asked.fresh.items()}


def charge_at(rules: Rules, square: str, level: str | int) -> Charge:
    """What a deed asks at a level."""
    one = levels(rules, square)[level_of(rules, square, level)]
    return Charge(one.rent, one.times)


def step_at(rules: Rules, square: str, level: str | int) -> Charge:
    """What the step up to a level adds to each landing."""
    known, place = levels(rules, square), level_of(rules, square, level)
    if place == 0:
        return Charge(known[0].rent, known[0].times)
    new, old = known[place], known[place - 1]
    return Charge(new.rent - old.rent, new.times - old.times, cards=False)


class Hand:
    """Deeds held by one owner, each with its charge: the price of a landing, and its spread."""

    def __init__(self, charges: Mapping[str, Charge], asked: Settled) -> None:
        self.charges = dict(charges)
        self.settled = asked
        self._laws: dict[Landed, Mapping[int, Fraction]] = {}
        self._moments: dict[Landed, tuple[Any, Any]] = {}

    def law(self, event: Event) -> Mapping[int, Fraction] | None:
        """The law of the rent for an event, or None if none is due."""
        if not isinstance(event, Landed) or event.square not in self.charges:
            return None
        if event not in self._laws:
            self._laws[event] = self.charges[event.square].law(event, self.settled)
        return self._laws[event]

    def mean(self, event: Event) -> Any:
        """What an event brings on average: a price."""
        return self._of(event)[0]

    def noise(self, event: Event) -> Any:
        """The variance that an event brings of its own: a price too."""
        return self._of(event)[1]

    def _of(self, event: Event) -> tuple[Any, Any]:
        law = self.law(event)
        if law is None:
            return 0, 0
        assert isinstance(event, Landed)
        if event not in self._moments:
            mean = sum((amount * chance for amount, chance in law.items()), Fraction(0))
            square = sum((amount**2 * chance for amount, chance in law.items()), Fraction(0))
            self._moments[event] = (plain(mean), plain(square - mean * mean))
        return self._moments[event]


def plain(value: Fraction) -> Fraction | int:
    """A whole number as an int, which is faster."""
    return int(value) if value.denominator == 1 else value


# ------------------------------------------------------------------------------------- common


def unit_of(rules: Rules, per: str) -> Price:
    """What is counted for a unit; rounds are turns of several opponents."""
    if per not in UNITS:
        raise bad(rules, "per", unknown("unit", str(per), UNITS))
    return unit_price(rules, "turn" if per == "round" else per)


def checked_opponents(rules: Rules, opponents: int) -> int:
    """The number of opponents, 1 to 20; raises `RulesError` for anything else."""
    if isinstance(opponents, bool) or not isinstance(opponents, int) or not 1 <= opponents <= 20:
        raise bad(rules, "opponents", f"needs a whole number from 1 to 20, not {opponents!r}")
    return opponents


def checked_turns(rules: Rules, count: int, most: int = 100_000) -> int:
    """A number of turns, 0 or more; raises `RulesError` for anything else."""
    if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= most:
        text = f"needs a whole number of turns from 0 to {most:,}, not {count!r}"
        raise bad(rules, "turns", text)
    return count


def bad(rules: Rules, path: str, text: str) -> RulesError:
    """The error for one thing that is wrong."""
    return RulesError(rules.label, [Problem("", path, text)])
