"""The numbers of a ruleset in floats, found again at once where only amounts of money changed.

How often each event happens is worked out once for a walk; shares of landings, incomes and rents
are then sums over a few hundred events.  A changed salary, fine or rent leaves the walk as it is:
its events are only written anew with the other amount, and no chain is built.  Means only; spreads
and exact numbers are in `boardrules.tables` and `boardrules.rents`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

from .chain import Chain, chain, usual_policy
from .effects import Collect, Effect, Owe, Pay, inner
from .events import PLAYER, Event, Landed, Owed, Paid, Price, TurnOver, bank, turns
from .evidence import Rests
from .measure import LongRun
from .rents.deeds import (
    Charge,
    Hand,
    Level,
    Settled,
    Terms,
    deeds,
    is_street,
    level_name,
    levels_of,
    members_of,
    settled,
    unit_of,
)
from .rents.table import shape_of
from .results import STOPS, UNITS, Context, unit_price
from .rules import IN_JAIL, MONEY_TABLES, Problem, Rules, RulesError, Square, unknown
from .tables import Landing, Row
from .turn import Policy

Flows: TypeAlias = Mapping[Event, float]
"""How often each event happens between two visits to a home state."""

TOP = "top"
"""The highest level that a group has."""


@dataclass(frozen=True, slots=True)
class Grouped:
    """A whole group in one hand, or a deed that belongs to none, at one level: what it brings.

    `mean` is per unit from one opponent; `invested` is what deeds and houses cost together, None
    where the rules name no price; `payback` the units until that has come back on average.
    """

    name: str
    label: str
    level: str
    mean: float
    invested: int | None
    payback: float | None


@dataclass(frozen=True, eq=False)
class Numbers:
    """What one ruleset comes to under one policy; made by `Desk.numbers` or `numbers_of`.

    The chain itself is not kept: a few hundred rates say all that is asked here.
    """

    rules: Rules
    policy: Policy
    flows: Flows = field(repr=False)
    _laws: dict[Any, float] = field(default_factory=dict, repr=False)
    _rates: dict[Price, float] = field(default_factory=dict, repr=False)

    def context(self, per: str, rests: Rests = "walk") -> Context:
        """What a result of these numbers rests on."""
        return Context(self.rules, per, self.policy.name if self.rules.jail else "", rests)

    def rate(self, price: Price) -> float:
        """What a price comes to between two visits home; each price is worked out once."""
        if price not in self._rates:
            worth = sum(flow * price(event) for event, flow in self.flows.items())
            self._rates[price] = float(worth)
        return self._rates[price]

    def landing(self, per: str = "roll") -> Landing[float]:
        """How often a token comes to each square, as `boardrules.landing` tells it."""
        if per not in UNITS:
            raise _bad(self.rules, "per", unknown("unit", per, UNITS))
        units, kind = self.rate(unit_price(self.rules, per)), STOPS[per]
        found: dict[tuple[str, bool], float] = {}
        for event, flow in self.flows.items():
            key = kind(event)
            if key is not None:
                found[key] = found.get(key, 0.0) + flow / units
        rows = [
            Row(square.number, square.id, square.name, found.get((square.id, False), 0.0))
            for square in self.rules.squares
        ]
        if self.rules.jail:
            inside = sum(share for (_, jailed), share in found.items() if jailed)
            rows.append(Row(rows[-1].number + 1, IN_JAIL, self.rules.jail.name, inside))
        return Landing(self.context(per), tuple(rows))

    def incomes(self, per: str = "roll") -> dict[str, float]:
        """What the bank pays a token and takes from it per unit, by causes in plain words.

        The causes together are what `boardrules.tables.income` calls "all".
        """
        units = self.rate(unit_price(self.rules, per))
        found: dict[str, float] = {}
        for event, flow in self.flows.items():
            amount = bank(event)
            if amount and isinstance(event, Paid):
                cause = _cause(event, self.rules)
                found[cause] = found.get(cause, 0.0) + flow * amount / units
        return found

    def bills(self, per: str = "roll") -> float:
        """What is left as bills to be paid later, per unit."""
        units = self.rate(unit_price(self.rules, per))
        return self.rate(_owed) / units

    def rents(self, level: str | int = TOP, per: str = "roll", opponents: int = 1) -> list[Grouped]:
        """What each whole group brings at a level, in board order.

        Where houses are built `level` counts; all others are owned together, whatever it says.
        Deeds without a group stand alone.  Empty for a game without deeds.
        """
        known = [TOP, *levels(self.rules)]
        wanted = level_name(level)
        if wanted not in known:
            raise _bad(self.rules, "level", unknown("level", wanted, known))
        if not levels(self.rules):
            return []
        asked = self._asked()
        units = self.rate(unit_of(self.rules, per))
        found = []
        for name, label, some in _together(self.rules):
            ups = [levels_of(self.rules, square) for square in some]
            at = _level(some, ups, wanted)
            if at is None:
                continue
            chosen = [up[min(at, len(up) - 1)] for up in ups]
            mean = sum(
                self._mean(square, one, asked) / units
                for square, one in zip(some, chosen, strict=True)
            )
            spent = [step.cost for up in ups for step in up[: at + 1]]
            invested = None if None in spent else sum(cost or 0 for cost in spent)
            payback = invested / (mean * opponents) if invested is not None and mean > 0 else None
            found.append(Grouped(name, label, chosen[0].name, mean, invested, payback))
        return found

    def _asked(self) -> Settled:
        """How rents are charged; how often an owner sits in jail is known without the chain."""
        inside = self.rate(_ends_in_jail) / self.rate(turns)
        nowhere: Chain[float] = Chain(self.rules, self.policy, float, (), ())
        return settled(nowhere, Terms(owner_in_jail=min(1.0, inside)))

    def _mean(self, square: Square, level: Level, asked: Settled) -> float:
        """The rent of one deed between two visits home; levels that differ by a factor share it."""
        name, rent, times = shape_of(square.id, level)
        key = (name, rent, times, asked.chance, asked.utility_throw, asked.card_throw)
        if key not in self._laws:
            hand = Hand({name: Charge(rent, times)}, asked)
            self._laws[key] = sum(
                flow * float(hand.mean(event))
                for event, flow in self.flows.items()
                if isinstance(event, Landed) and event.square == name
            )
        return self._laws[key] * (level.rent or 1)


def _ends_in_jail(event: Event) -> int:
    """One for every turn that ends in jail."""
    return int(isinstance(event, TurnOver) and event.jailed > 0)


def _owed(event: Event) -> int:
    """What an event leaves as a bill."""
    return event.amount if isinstance(event, Owed) else 0


def levels(rules: Rules) -> tuple[str, ...]:
    """The levels that some street of a game has, or all its deeds if nothing can be built."""
    owned = deeds(rules)
    built = [square for square in owned if square.deed and is_street(square.deed)] or owned
    alone = {"deed"} if members_of(rules) and rules.rent.set_multiplier != 1 else set()
    names = [one.name for square in built for one in levels_of(rules, square)]
    return tuple(name for name in dict.fromkeys(names) if name not in alone)


def _together(rules: Rules) -> Iterator[tuple[str, str, Sequence[Square]]]:
    """Groups, and deeds without one, in board order: name, name in words, deeds."""
    groups, seen = members_of(rules), set()
    for square in deeds(rules):
        group = square.deed.group if square.deed else ""
        if not group:
            yield square.id, square.name, (square,)
        elif group not in seen:
            seen.add(group)
            yield group, group.replace("_", " ").capitalize(), groups[group]


def _level(some: Sequence[Square], ups: Sequence[Sequence[Level]], wanted: str) -> int | None:
    """The place of a level among those of a group; None if it has none of that name."""
    names = [one.name for one in ups[0]]
    if not all(square.deed is not None and is_street(square.deed) for square in some):
        return min(len(some), len(names)) - 1 if names else None
    if wanted == TOP:
        return len(names) - 1 if names else None
    return names.index(wanted) if wanted in names else None


def _cause(event: Paid, rules: Rules) -> str:
    """Why the bank paid or was paid, in plain words; cards by their deck."""
    deck, _, card = event.cause.partition(".")
    if card and deck in rules.decks:
        return f"{rules.decks[deck].name} cards"
    if (event.cause, event.tag) == ("jail", "fine"):
        return "jail fine"
    if event.tag:
        return event.tag.replace("_", " ")
    return "other squares, received" if event.taker == PLAYER else "other squares, paid"


# ---------------------------------------------------------------------------- walks, kept


class Desk:
    """Keeps the rates of the last few walks, so that turning an amount costs no time."""

    def __init__(self, most: int = 8) -> None:
        self._most = most
        self._kept: dict[Any, Numbers] = {}

    def numbers(self, rules: Rules, policy: Policy | None = None) -> Numbers:
        """The numbers of some rules under a policy.

        Raises `RulesError` for a policy that the rules do not allow and for walks without end.
        """
        policy = policy or usual_policy(rules)
        key = (shape(rules), policy)
        known = self._kept.pop(key, None)
        found = _written_anew(known, rules) if known else None
        if found is None:
            found = numbers_of(chain(rules, policy, float))
            known = None
        self._kept[key] = known or found
        while len(self._kept) > self._most:
            self._kept.pop(next(iter(self._kept)))
        return found


def numbers_of(walk: Chain[Any]) -> Numbers:
    """The numbers of a walk, rounded to floats."""
    run = LongRun(walk)
    flows: dict[Event, float] = {}
    for i, visits in zip(run.members, run.visits, strict=True):
        for branch in walk.branches[i]:
            flow = float(visits * branch.chance)
            for event in branch.events:
                flows[event] = flows.get(event, 0.0) + flow
    return Numbers(walk.rules, walk.policy, flows)


def _written_anew(known: Numbers, rules: Rules) -> Numbers | None:
    """The same walk with the amounts of other rules; None if it cannot be told which is which."""
    if known.rules is rules:
        return known
    named: dict[Event, Event] = {}
    for old, new in zip(_paying(known.rules), _paying(rules), strict=True):
        if named.setdefault(old, new) != new:
            return None  # two effects that left equal events differ now
    flows: dict[Event, float] = {}
    for event, flow in known.flows.items():
        told = named.get(event, event)
        flows[told] = flows.get(told, 0.0) + flow
    return Numbers(rules, known.policy, flows, known._laws)


def _paying(rules: Rules) -> Iterator[Event]:
    """The event that every effect with an amount leaves, in the order of the ruleset."""
    for effect in _effects(rules):
        match effect:
            case Collect():
                yield Paid(effect.amount, effect.giver, PLAYER, effect.cause, effect.tag)
            case Pay():
                yield Paid(effect.amount, PLAYER, effect.taker, effect.cause, effect.tag)
            case Owe():
                yield Owed(effect.amount, effect.kind, effect.cause)
            case _:
                pass
    if rules.jail:
        yield Paid(rules.jail.fine, PLAYER, rules.jail.fine_to, "jail", "fine")


def _effects(rules: Rules) -> Iterable[Effect]:
    for square in rules.squares:
        yield from inner(square.passing + square.landing + square.crossing)
    for deck in rules.decks.values():
        for card in deck.cards:
            yield from inner(card.effects)
    yield from inner(rules.doubles.before + rules.doubles.after + rules.doubles.at_limit)
    for throw in rules.dice.throws:
        yield from inner(throw.effects)


_AMOUNTS = ("collect", "pay", "owe", "fine")


def shape(rules: Rules) -> Any:
    """All of a ruleset that a walk hangs on: rules of one shape differ in amounts of money only."""
    about = {key: value for key, value in rules.tree.items() if key not in MONEY_TABLES}
    return (rules.id, _blank(about))


_BY_ID = ("squares", "decks", "cards", "pots", "answers", "notes")
"""Tables whose keys are names that somebody has chosen, and no words of the format."""


def _blank(node: Any, *, by_id: bool = False) -> Any:
    """A tree without its amounts; whether there is one at all still counts.

    `by_id`: its keys are ids, which mean nothing here even if one is called `cash` or `deed`.
    """
    if isinstance(node, Mapping):
        return tuple(
            (key, _blank(value) if by_id
             else bool(value) if key in _AMOUNTS and isinstance(value, int)
             else _kinds(value) if key == "deed" and isinstance(value, Mapping)
             else _blank(value, by_id=key in _BY_ID))
            for key, value in node.items()
            if by_id or key not in ("cash", "grade", "source", "rule")
        )  # fmt: skip
    if isinstance(node, list):
        return tuple(map(_blank, node))
    return (type(node).__name__, node) if isinstance(node, (bool, Fraction)) else node


def _kinds(deed: Mapping[str, Any]) -> Any:
    """What of a deed a move can hang on: cards send to the nearest of a group or a kind."""
    return (deed.get("kind"), deed.get("group"))


def _bad(rules: Rules, path: str, text: str) -> RulesError:
    return RulesError(rules.label, [Problem("", path, text)])
