"""What one month brings a player who only walks: board, windfalls, lottery, bills, all exactly.

The law of a month's money is a polynomial: the coefficient of x to the n is the chance of n units
of money.  It is worked out backwards from Pay Day over the chain.  A lottery ticket is worth its
prize only if the token still lands on Lottery Draw before Pay Day, so two polynomials are kept for
each state, with and without such a landing to come: tickets and walk are taken jointly.

Left out: salary and interest (they belong to Pay Day), deals, poker, Swellfare, and elections,
whose money goes to the pot and comes back with a six.  Insurance that is offered is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from html import escape
from math import gcd
from typing import TYPE_CHECKING, Any

from ..chain import Chain
from ..events import Drew, Event, Kept, Noted, Owed, Paid, bank, laps
from ..library import Source
from ..measure import Moments
from ..results import Context, as_chain, context, frame_of
from ..rules import Problem, Rules, RulesError, unknown
from ..turn import start_from
from .ledger import Policy, policies

if TYPE_CHECKING:
    import pandas as pd

LOTTERY = "lottery_draw"
"""The note that a landing on Lottery Draw leaves in the record."""

SALARY = "salary"

Money = Callable[[Event], int]
"""What an event brings at once or leaves as a bill."""


# ---------------------------------------------------------------------------- the backward walk


@dataclass(frozen=True, slots=True)
class _Way:
    """One branch in terms of money: where to (-1: Pay Day), and what comes in on the way.

    `before` and `after` are tickets drawn before and after a landing on Lottery Draw; without one,
    all are `before`.
    """

    end: int
    chance: Fraction
    money: int
    before: int = 0
    lottery: bool = False
    after: int = 0


class _Poly:
    """A polynomial in x and 1/x, exact: x to the `low` times a polynomial of FLINT."""

    __slots__ = ("low", "poly")

    def __init__(self, low: int, poly: Any) -> None:
        self.low, self.poly = low, poly

    @classmethod
    def of(cls, terms: Mapping[int, Fraction]) -> _Poly:
        from flint import fmpq, fmpq_poly

        if not terms:
            return cls(0, fmpq_poly())
        low = min(terms)
        dense = [fmpq(0)] * (max(terms) - low + 1)
        for power, value in terms.items():
            dense[power - low] = fmpq(value.numerator, value.denominator)
        return cls(low, fmpq_poly(dense))

    def __mul__(self, other: _Poly) -> _Poly:
        return _Poly(self.low + other.low, self.poly * other.poly)

    def __add__(self, other: _Poly) -> _Poly:
        if not self.poly:
            return other
        if not other.poly:
            return self
        low = min(self.low, other.low)
        return _Poly(low, self._down(low) + other._down(low))

    def _down(self, low: int) -> Any:
        return self.poly.left_shift(self.low - low) if self.low > low else self.poly

    def over(self, value: Fraction) -> _Poly:
        """The polynomial over a number."""
        from flint import fmpq

        return _Poly(self.low, self.poly / fmpq(value.numerator, value.denominator))

    def terms(self) -> Iterator[tuple[int, Fraction]]:
        """All powers with their coefficients, zeros left out."""
        for power, value in enumerate(self.poly.coeffs()):
            if value:
                yield self.low + power, Fraction(int(value.p), int(value.q))


class MonthWalk:
    """A month as a graph: from Start to Pay Day, in the order in which laws are worked out."""

    def __init__(self, walk: Chain[Any]) -> None:
        # `home` is where a month begins; in `order`, what a state leads to comes before it
        self.rules, self.chain = walk.rules, walk
        self.home = walk.where(start_from(walk.rules, _home(walk.rules)))
        links: dict[int, set[int]] = {self.home: set()}
        for i in (queue := [self.home]):
            for branch in walk.branches[i]:
                if any(map(laps, branch.events)) or branch.end == i:
                    continue
                links[i].add(branch.end)
                if branch.end not in links:
                    links[branch.end] = set()
                    queue.append(branch.end)
        try:
            self.order = list(TopologicalSorter(links).static_order())
        except CycleError:
            text = "a token may go in circles within one month, so its law has no end"
            raise _bad(self.rules, text) from None

    def after(self, square: str) -> int:
        """The state of a token that is about to throw the dice on a square."""
        return self.chain.where(start_from(self.rules, square))

    def laws(
        self, money: Money, *, tickets: bool = True, without: Collection[str] = ()
    ) -> dict[int, dict[int, Fraction]]:
        """The law of the money from each state to Pay Day.

        `without` are cards that are not to be drawn: what remains is the law of the months in which
        they are not, and sums to the chance of that.
        """
        unit, ways = self._ways(money, tickets=tickets, without=frozenset(without))
        return {
            i: {unit * power: chance for power, chance in (yes + no).terms()}
            for i, (yes, no) in self._pairs(unit, ways).items()
        }

    def law(
        self, money: Money, *, tickets: bool = True, without: Collection[str] = ()
    ) -> dict[int, Fraction]:
        """The law of the money of a whole month, from Start to Pay Day."""
        unit, ways = self._ways(money, tickets=tickets, without=frozenset(without))
        yes, no = self._pairs(unit, ways)[self.home]
        return {unit * power: chance for power, chance in (yes + no).terms()}

    def reach(self, wanted: Callable[[Event], Any]) -> dict[int, Fraction]:
        """The chance that something happens before Pay Day, from each state."""
        found = {-1: Fraction(0)}
        for i in self.order:
            chance = stay = Fraction(0)
            for branch in self.chain.branches[i]:
                over = any(map(laps, branch.events))
                if any(map(wanted, branch.events)):
                    chance += Fraction(branch.chance)
                elif branch.end == i and not over:
                    stay += Fraction(branch.chance)
                else:
                    chance += Fraction(branch.chance) * found[-1 if over else branch.end]
            found[i] = chance / (1 - stay)
        return found

    def _pairs(
        self, unit: int, ways: Mapping[int, Sequence[_Way]]
    ) -> dict[int, tuple[_Poly, _Poly]]:
        """For each state the law with a landing on Lottery Draw to come, and without."""
        nothing, one = _Poly.of({}), _Poly.of({0: Fraction(1)})
        found: dict[int, tuple[_Poly, _Poly]] = {-1: (nothing, one)}
        same: dict[Any, int] = {}  # states that go on alike are worked out once
        alike: dict[int, int] = {-1: -1}
        for i in self.order:
            with_it: dict[tuple[int, bool], dict[int, Fraction]] = {}
            without: dict[tuple[int, bool], dict[int, Fraction]] = {}
            stay = Fraction(0)
            for way in ways[i]:
                if way.end == i:
                    stay += self._idle(way)
                    continue
                key = (alike[way.end], way.lottery)
                power = (way.money + way.before + way.after) // unit
                _add(with_it.setdefault(key, {}), power, way.chance)
                power = (way.money + (way.before if way.lottery else 0)) // unit
                _add(without.setdefault(key, {}), power, way.chance)
            alike[i] = same.setdefault((stay, _told(with_it), _told(without)), i)
            if alike[i] != i:
                found[i] = found[alike[i]]
                continue
            yes = no = nothing
            for (end, lottery), terms in with_it.items():
                yes = yes + _Poly.of(terms) * found[end][0]
                last = _Poly.of(without[end, lottery]) * found[end][1]
                yes, no = (yes + last, no) if lottery else (yes, no + last)
            found[i] = (yes.over(1 - stay), no.over(1 - stay)) if stay else (yes, no)
        return found

    def _idle(self, way: _Way) -> Fraction:
        """The chance of a throw that comes back to where it was; it must not bring money."""
        if way.money or way.before or way.after or way.lottery:
            raise _bad(self.rules, "a payment may come again and again within one month")
        return way.chance

    def _ways(
        self, money: Money, *, tickets: bool, without: frozenset[str]
    ) -> tuple[int, dict[int, list[_Way]]]:
        ways: dict[int, list[_Way]] = {}
        for i in self.order:
            ways[i] = []
            for branch in self.chain.branches[i]:
                if not any(isinstance(e, Drew) and e.card in without for e in branch.events):
                    over = any(map(laps, branch.events))
                    end = -1 if over else branch.end
                    ways[i].append(
                        _way(end, Fraction(branch.chance), branch.events, money, tickets)
                    )
        amounts = [n for row in ways.values() for w in row for n in (w.money, w.before, w.after)]
        return gcd(*amounts) or 1, ways


def _add(terms: dict[int, Fraction], power: int, chance: Fraction) -> None:
    terms[power] = terms[power] + chance if power in terms else chance


def _told(terms: Mapping[tuple[int, bool], Mapping[int, Fraction]]) -> Any:
    return frozenset((key, frozenset(some.items())) for key, some in terms.items())


def _way(
    end: int,
    chance: Fraction,
    events: Sequence[Event],
    money: Money,
    tickets: bool,  # noqa: FBT001
) -> _Way:
    total, drawn, before, lottery = 0, 0, 0, False
    for event in events:
        total += money(event)
        if isinstance(event, Noted) and event.name == LOTTERY:
            if lottery:  # tickets drawn between two landings pay for sure
                total += drawn
            else:
                before = drawn
            lottery, drawn = True, 0
        elif tickets and isinstance(event, Kept):
            drawn += event.prize
    if not lottery:
        return _Way(end, chance, total, drawn)
    return _Way(end, chance, total, before, lottery, drawn)


def noted(name: str) -> Callable[[Event], bool]:
    """One for each time that something by this name happens: a buyer, the lottery."""

    def happens(event: Event) -> bool:
        return isinstance(event, Noted) and event.name == name

    return happens


def _home(rules: Rules) -> str:
    return rules.start.square or rules.squares[0].id


# ---------------------------------------------------------------------------------- the prices

BOARD, CARDS, TICKETS = "board", "windfalls", "lottery"


def cause_of(event: Event, rules: Rules) -> str:
    """What an event is counted under: board, windfalls, or the kind of a bill; nothing else."""
    if isinstance(event, Owed):
        return event.kind
    if isinstance(event, Paid) and bank(event) and event.tag != SALARY:
        return BOARD if event.cause in rules.index else CARDS
    return ""


def flow(rules: Rules, cause: str = "", insured: Collection[str] = ()) -> Money:
    """The price of one cause, or of all: money at once, and bills; insured bills cost nothing."""
    every = policies(rules)
    spared = {kind for card in insured for kind in _policy(rules, every, card).kinds}

    def money(event: Event) -> int:
        name = cause_of(event, rules)
        if not name or (cause and name != cause):
            return 0
        if isinstance(event, Owed):
            return 0 if event.kind in spared else -event.amount
        return bank(event)

    return money


def _policy(rules: Rules, every: Mapping[str, Policy], card: str) -> Policy:
    if card not in every:
        raise RulesError(rules.label, [Problem("", card, unknown("insurance", card, every))])
    return every[card]


# ---------------------------------------------------------------------------------- the result


@dataclass(frozen=True, eq=False)
class Month:
    """The money of one month, salary and interest left out: `month` makes it.

    `law` is the exact chance of every amount, `causes` mean and variance of each cause; `cards` is
    how many mail cards are drawn on average.
    """

    context: Context
    insured: tuple[str, ...]
    law: Mapping[int, Fraction] = field(repr=False)
    causes: Mapping[str, Moments[Fraction]]
    laws: Mapping[str, Mapping[int, Fraction]] = field(repr=False)

    @property
    def rules(self) -> Rules:
        """The rules that it rests on."""
        return self.context.rules

    @property
    def mean(self) -> Fraction:
        """The expected money of a month, without the salary."""
        return moments(self.law).mean

    @property
    def variance(self) -> Fraction:
        """Its variance."""
        return moments(self.law).variance

    @property
    def sd(self) -> float:
        """Its standard deviation."""
        return moments(self.law).sd

    @property
    def with_salary(self) -> Fraction:
        """The expected money of a month with its salary."""
        return self.mean + self.rules.accounts.salary

    def payback(self, card: str) -> Fraction | None:
        """How many months of bills an insurance costs on average; None for never.

        Counts future bills only; those in hand when it is bought shorten it.
        """
        one = _policy(self.rules, policies(self.rules), card)
        saved = -sum((self.causes[k].mean for k in one.kinds if k in self.causes), Fraction(0))
        return Fraction(one.price) / saved if saved else None

    @property
    def lines(self) -> tuple[str, ...]:
        """Title and small print."""
        held = f"insured: {', '.join(self.insured)}" if self.insured else "no insurance"
        left_out = "no deals, poker, Swellfare or elections; salary and interest apart"
        return (*self.context.lines, f"{held}; {left_out}")

    def frame(self, *, exact: bool = False) -> pd.DataFrame:
        """Means and standard deviations by cause as a pandas frame."""
        rows = [*self.causes.items(), ("all", moments(self.law))]
        unit = self.rules.currency
        return frame_of(
            {
                "cause": [name for name, _ in rows],
                f"mean_{unit}_per_month": [r.mean if exact else float(r.mean) for _, r in rows],
                f"sd_{unit}_per_month": [r.sd for _, r in rows],
            }
        )

    def __str__(self) -> str:
        rows = [*self.causes.items(), ("all", moments(self.law))]
        body = (f"{name:<10}  {float(r.mean):>10.4f}  sd {r.sd:>10.4f}" for name, r in rows)
        return "\n".join((*self.lines, "", *body))

    def __repr__(self) -> str:
        return f"<Month {'; '.join(self.lines)}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def month(
    game: Rules | Source | Chain[Any], *overlays: Source, insured: Collection[str] = ()
) -> Month:
    """What one month brings a passive player, exactly: its whole law, mean and variance by cause.

    `insured` are the insurances held (`"car_insurance"`).  The walk is that of one token alone,
    pushed by its own Daylight Savings only; cards are drawn independently.

    >>> from boardrules.money.month import month
    >>> round(float(month("payday", "mail_64").mean), 2)
    -140.15
    """
    walk = as_chain(game, *overlays)
    rules = walk.rules
    if not rules.accounts.salary:
        raise _bad(rules, "this game has no months with a salary")
    if isinstance(insured, str):  # one insurance is a list of one
        insured = (insured,)
    graph = MonthWalk(walk)
    names = list(dict.fromkeys(_causes(walk)))
    laws: dict[str, Mapping[int, Fraction]] = {
        name: graph.law(flow(rules, name, insured), tickets=False) for name in names
    }
    prizes = graph.law(lambda _: 0)
    if len(prizes) > 1:
        laws[TICKETS] = prizes
    whole = graph.law(flow(rules, insured=insured))
    causes = {name: moments(law) for name, law in laws.items()}
    return Month(context(walk, "lap", "bank"), tuple(insured), whole, causes, laws)


def _causes(walk: Chain[Any]) -> Iterator[str]:
    order = {BOARD: 0, CARDS: 1}
    found = {
        cause_of(event, walk.rules)
        for branches in walk.branches
        for branch in branches
        for event in branch.events
    }
    yield from sorted(found - {""}, key=lambda name: (order.get(name, 2), name))


def moments(law: Mapping[int, Fraction]) -> Moments[Fraction]:
    """Mean and variance of a law of money."""
    mean = sum((amount * chance for amount, chance in law.items()), Fraction(0))
    square = sum((amount * amount * chance for amount, chance in law.items()), Fraction(0))
    return Moments(mean, square - mean * mean)


def lottery_chances(game: Rules | Source | Chain[Any], *overlays: Source) -> dict[int, Fraction]:
    """The chance that a ticket drawn on a day is still cashed, for each day that draws cards."""
    walk = as_chain(game, *overlays)
    graph = MonthWalk(walk)
    chances = graph.reach(noted(LOTTERY))
    return {
        square.number: chances[graph.after(square.id)]
        for square in walk.rules.squares
        if square.kind == "mail"
    }


def _bad(rules: Rules, text: str) -> RulesError:
    return RulesError(rules.label, [Problem("", "", text)])
