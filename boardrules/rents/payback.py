"""How sure the rent is: the law of what comes in over some turns, and of the wait until it pays.

An opponent begins in the long-run law of where turns begin, or where he is told to.  A turn of his
is one step, from where turns begin to where the next one begins, with the rent on the way; so the
law of the rent of n turns is pushed forward exactly.  Rents are never taken back, so a deed has
paid by turn n exactly if the rent of n turns has reached its cost: one law answers both questions,
and that of several opponents is the convolution of theirs, since they walk independently.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any, Generic, TypeAlias

from ..chain import Chain, N
from ..library import Source
from ..measure import Moments
from ..results import Context, as_chain, context, frame_of, html_table, in_floats_by_default
from ..rules import Problem, Rules, RulesError
from ..turn import Policy
from .deeds import (
    Charge,
    Hand,
    Level,
    Terms,
    bad,
    charge_at,
    checked_opponents,
    checked_turns,
    deed_square,
    deeds,
    level_of,
    levels,
    settled,
    step_at,
)
from .till import START, Start, Till, added, mean_of, moments_after, numpy_or_none, turn_starts

if TYPE_CHECKING:
    import pandas as pd

Holding: TypeAlias = Mapping[str, str | int]
"""Deeds by their ids, each with its level."""

CERTAIN = 1e-12
"""A wait is followed until less than this is left of its law."""

MOST_TURNS = 20_000


# ------------------------------------------------------------------------ money of n turns


@dataclass(frozen=True, eq=False)
class Collected(Generic[N]):
    """How much rent comes in over some turns: the exact chance of every total."""

    context: Context
    what: str
    turns: int
    opponents: int
    law: Mapping[int, N]

    @property
    def mean(self) -> N:
        """The mean of the total."""
        mean: N = added([amount * chance for amount, chance in self.law.items()])
        return mean

    @property
    def sd(self) -> float:
        """The standard deviation of the total."""
        square: Any = added([amount * amount * chance for amount, chance in self.law.items()])
        return sqrt(max(0.0, float(square - self.mean * self.mean)))

    @property
    def any(self) -> N:
        """The chance of at least some rent."""
        return self.at_least(1)

    def at_least(self, amount: int) -> N:
        """The chance that so much or more comes in."""
        chance: N = added([0 * c if a < amount else c for a, c in self.law.items()])
        return chance

    def quantile(self, share: float | Fraction) -> int:
        """The amount that is not exceeded with this chance."""
        return _quantile(list(self.law.items()), share)

    @property
    def lines(self) -> tuple[str, ...]:
        """Title and small print."""
        what = f"rent of {self.what} from {_many(self.opponents)} in {self.turns} turns each"
        return (*self.context.lines, what)

    def frame(self, *, exact: bool = False) -> pd.DataFrame:
        """The law as a pandas frame."""
        chances = [chance if exact else float(chance) for chance in self.law.values()]  # type: ignore[arg-type]
        return frame_of({"amount": list(self.law), "probability": chances})

    def _cells(self) -> list[tuple[str, ...]]:
        tail: list[tuple[str, ...]] = [
            ("mean", f"{float(self.mean):,.2f}"),  # type: ignore[arg-type]
            ("standard deviation", f"{self.sd:,.2f}"),
            ("chance of any rent", f"{float(self.any):.4f}"),  # type: ignore[arg-type]
        ]
        shown = [(f"{100 * q:.0f} % at most", f"{self.quantile(q):,}") for q in (0.1, 0.5, 0.9)]
        return [("", self.context.rules.currency), *tail, *shown]

    def __str__(self) -> str:
        return "\n".join((*self.lines, "", *(f"{a:<20} {b:>12}" for a, b in self._cells())))

    def __repr__(self) -> str:
        return f"<Collected {'; '.join(self.lines)}>"

    def _repr_html_(self) -> str:
        return html_table(self.lines, self._cells())


def collected(
    game: Rules | Source | Chain[N],
    *overlays: Source,
    hand: Holding,
    turns: int = 10,
    start: Start = None,
    opponents: int = 1,
    policy: Policy | None = None,
    terms: Terms | None = None,
    number: Callable[[Fraction], N] = Fraction,  # type: ignore[assignment]
) -> Collected[N]:
    """How much rent some deeds bring in the next turns of each opponent, with every chance.

    `hand` names deeds with their levels; `start` is where the opponents begin a turn (default: the
    long run; "start" is the start of the game).  Raises `RulesError` for unknown deeds and levels,
    a negative number of turns, and a place where no turn starts.
    """
    walk = as_chain(game, *overlays, policy=policy, number=number)
    count, many = checked_opponents(walk.rules, opponents), checked_turns(walk.rules, turns)
    till = Till(walk, hand_of(walk, hand, terms), start)
    laws = till.laws()
    for _ in range(many):
        next(laws)
    law = _times(next(laws), count, None)
    found = {k * till.unit: chance for k, chance in enumerate(law) if chance}
    return Collected(_at_turns(walk), _named(walk.rules, hand), turns, count, found)


def chance_of_rent(
    game: Rules | Source | Chain[N],
    *overlays: Source,
    hand: Holding,
    turns: int = 10,
    start: Start = None,
    opponents: int = 1,
    policy: Policy | None = None,
    terms: Terms | None = None,
    number: Callable[[Fraction], N] = Fraction,  # type: ignore[assignment]
) -> tuple[N, ...]:
    """The chance of at least one rent within 0, 1, 2, … turns of each opponent.

    Takes what `collected` takes.
    """
    walk = as_chain(game, *overlays, policy=policy, number=number)
    count, many = checked_opponents(walk.rules, opponents), checked_turns(walk.rules, turns)
    laws = Till(walk, hand_of(walk, hand, terms), start).laws(limit=1)
    one: Any = walk.number(Fraction(1))
    missed = [next(laws)[0] for _ in range(many + 1)]
    return tuple(one - _power(chance, count) for chance in missed)


def by_turn(
    game: Rules | Source | Chain[N],
    *overlays: Source,
    hand: Holding,
    turns: int = 10,
    start: Start = START,
    policy: Policy | None = None,
    terms: Terms | None = None,
    number: Callable[[Fraction], N] = Fraction,  # type: ignore[assignment]
) -> tuple[Moments[N], ...]:
    """What has come in from one opponent by the end of turn 0, 1, 2, …: means and variances.

    By default from the start of the game, where the first turns differ most from the long run.
    """
    walk = as_chain(game, *overlays, policy=policy, number=number)
    many = checked_turns(walk.rules, turns)
    owned = hand_of(walk, hand, terms)
    walk, law = turn_starts(walk, start)
    return moments_after(walk, owned.mean, owned.noise, law, many)


# -------------------------------------------------------------------------------- the wait


@dataclass(frozen=True, eq=False)
class Payback(Generic[N]):
    """How long until the rents have reached a cost: `paid[n]` is the chance by round n.

    A round is one turn of every opponent.  `mean` is in rounds; None if it may never pay.
    """

    context: Context
    what: str
    cost: int
    opponents: int
    paid: tuple[N, ...]
    mean: N | float | None

    def within(self, rounds: int) -> N:
        """The chance that it has paid for itself within so many rounds."""
        count = checked_turns(self.context.rules, rounds)
        if count >= len(self.paid) and 1 - float(self.paid[-1]) > 1e-9:  # type: ignore[arg-type]
            text = f"this curve ends at {len(self.paid) - 1}; ask payback for more turns"
            raise bad(self.context.rules, "rounds", text)
        return self.paid[min(count, len(self.paid) - 1)]

    def quantile(self, share: float | Fraction) -> int | None:
        """The number of rounds within which it pays with this chance; None beyond the curve."""
        return next((n for n, chance in enumerate(self.paid) if chance >= share), None)  # type: ignore[operator]

    @property
    def median(self) -> int | None:
        """The number of rounds within which it pays with an even chance."""
        return self.quantile(Fraction(1, 2))

    @property
    def nine_of_ten(self) -> int | None:
        """The number of rounds within which it pays in nine cases of ten."""
        return self.quantile(Fraction(9, 10))

    @property
    def lines(self) -> tuple[str, ...]:
        """Title and small print."""
        money = f"{self.context.rules.currency}{self.cost:,}"
        return (*self.context.lines, f"{self.what}: {money} back from {_many(self.opponents)}")

    def frame(self, *, exact: bool = False) -> pd.DataFrame:
        """The curve as a pandas frame."""
        chances = [chance if exact else float(chance) for chance in self.paid]  # type: ignore[arg-type]
        return frame_of({"rounds": list(range(len(self.paid))), "paid": chances})

    def _cells(self) -> list[tuple[str, ...]]:
        end = f"> {len(self.paid) - 1}"
        mean = "–" if self.mean is None else f"{float(self.mean):,.2f}"  # type: ignore[arg-type]
        some = [(f"{q:.0%} within", self.quantile(q)) for q in (0.25, 0.5, 0.75, 0.9)]
        return [
            ("", "rounds"),
            ("mean", mean),
            *((name, end if n is None else str(n)) for name, n in some),
        ]

    def __str__(self) -> str:
        return "\n".join((*self.lines, "", *(f"{a:<12} {b:>12}" for a, b in self._cells())))

    def __repr__(self) -> str:
        return f"<Payback {'; '.join(self.lines)}>"

    def _repr_html_(self) -> str:
        return html_table(self.lines, self._cells())


def payback(
    game: Rules | Source | Chain[N],
    *overlays: Source,
    deed: str | None = None,
    level: str | int | None = None,
    hand: Holding | None = None,
    cost: int | None = None,
    opponents: int = 1,
    start: Start = None,
    turns: int | None = None,
    policy: Policy | None = None,
    terms: Terms | None = None,
    number: Callable[[Fraction], N] | None = None,
) -> Payback[N]:
    """How many rounds until the rents have paid for a step, a deed or a whole hand.

    Either one step (`deed` and `level`: what the step adds to the rent, against what it costs) or
    a `hand` of deeds with levels (all their rents, against all that was invested); `cost` takes
    the place of the rules' price.  In floats by default, and followed until it is certain;
    `number=Fraction` is exact and stops at `turns` (default 60).  The mean with several opponents
    is summed up to the end of the curve.  Raises `RulesError` for unknown deeds, levels, starts.

    >>> from boardrules.rents.payback import payback
    >>> payback("monopoly", deed="boardwalk", level="hotel").median
    21
    """
    walk = as_chain(game, *overlays, policy=policy, number=number or in_floats_by_default(game))
    rules = walk.rules
    count = checked_opponents(rules, opponents)
    owned, price, what = _asked_for(walk, deed, level, hand, terms)
    price = price if cost is None else cost
    if price is None:
        raise bad(rules, "cost", "these rules name no price for this; say what was paid: cost=…")
    if isinstance(price, bool) or not isinstance(price, int) or price < 0:
        raise bad(rules, "cost", f"needs a whole number, 0 or more, not {price!r}")
    till = Till(walk, owned, start)
    if not till.certain and price:
        never = (walk.number(Fraction(0)),) * (checked_turns(rules, turns or 0) + 1)
        return Payback(_at_turns(walk), what, price, count, never, None)
    rounding = not isinstance(walk.number(Fraction(0)), Fraction)
    last = checked_turns(rules, turns) if turns is not None else (MOST_TURNS if rounding else 60)
    paid = _paid(till, price, count, last, stop=turns is None)
    mean: Any = mean_of(till, price) if count == 1 else _tail_sum(paid)
    return Payback(_at_turns(walk), what, price, count, tuple(paid), mean)


def _asked_for(
    walk: Chain[Any],
    deed: str | None,
    level: str | int | None,
    hand: Holding | None,
    terms: Terms | None,
) -> tuple[Hand, int | None, str]:
    """The rents in question, their cost by the rules, and how to call them."""
    rules = walk.rules
    if (deed is None) == (hand is None):
        raise bad(rules, "", "say either which deed, or which hand of deeds, has to pay")
    if hand is not None:
        spent = [invested(rules, name, at) for name, at in hand.items()]
        whole = None if None in spent else sum(one or 0 for one in spent)
        return hand_of(walk, hand, terms), whole, _named(rules, hand)
    assert deed is not None
    known = levels(rules, deed)
    place = level_of(rules, deed, known[0].name if level is None else level)
    one: Level = known[place]
    owned = Hand({deed: step_at(rules, deed, one.name)}, settled(walk, terms))
    return owned, one.cost, f"{rules.square(deed).name}, step to {one.name}"


def _paid(till: Till[N], price: int, opponents: int, last: int, *, stop: bool) -> list[N]:
    limit = ceil(Fraction(price, till.unit))
    one: Any = till.number(Fraction(1))
    if not limit:
        return [one]
    paid: list[Any] = []
    for law in till.laws(limit):
        short = _times(law, opponents, limit)
        paid.append(one - added(short))
        if len(paid) > last or (stop and one - paid[-1] < CERTAIN):
            return paid
    raise AssertionError("the laws never end")


def _tail_sum(paid: Sequence[Any]) -> float | None:
    """The mean as the sum of the chances that it is still waiting; None if that is cut off."""
    if 1 - float(paid[-1]) > 1e-9:
        return None
    return sum(1 - float(chance) for chance in paid)


# ---------------------------------------------------------------------------------- common


def hand_of(walk: Chain[Any], hand: Holding, terms: Terms | None = None) -> Hand:
    """Deeds with their levels as one hand; raises `RulesError` with all that is wrong."""
    rules = walk.rules
    charges: dict[str, Charge] = {}
    problems: list[Problem] = []
    for name, level in hand.items():
        try:
            charges[name] = charge_at(rules, name, level)
        except RulesError as error:
            problems.extend(error.problems)
    if not hand:
        names = ", ".join(square.id for square in deeds(rules)[:3])
        problems.append(Problem("", "hand", f"an empty hand earns nothing; deeds are {names} …"))
    if problems:
        raise RulesError(rules.label, problems)
    return Hand(charges, settled(walk, terms))


def invested(rules: Rules, deed: str, level: str | int) -> int | None:
    """What a deed has cost up to a level; None where the rules name no price."""
    costs = [one.cost for one in levels(rules, deed)[: level_of(rules, deed, level) + 1]]
    return None if None in costs else sum(cost or 0 for cost in costs)


def _named(rules: Rules, hand: Holding) -> str:
    return ", ".join(f"{deed_square(rules, name).name} ({level})" for name, level in hand.items())


def _at_turns(walk: Chain[Any]) -> Context:
    return context(walk, "turn", "rent")


def _many(opponents: int) -> str:
    return "one opponent" if opponents == 1 else f"{opponents} opponents"


def _times(law: Sequence[Any], count: int, limit: int | None) -> list[Any]:
    """The law of a sum of independent amounts with the same law."""
    whole = list(law)
    for _ in range(count - 1):
        whole = _convolved(whole, law, limit)
    return whole


def _convolved(a: Sequence[Any], b: Sequence[Any], limit: int | None) -> list[Any]:
    size = len(a) + len(b) - 1
    size = size if limit is None else min(size, limit)
    if isinstance(a[0], float) and (numpy := numpy_or_none()) is not None:
        both: list[Any] = numpy.convolve(a, b)[:size].tolist()
        return both
    both = [a[0] * 0] * size
    for i, p in enumerate(a):
        if p:
            for j in range(min(len(b), size - i)):
                both[i + j] = both[i + j] + p * b[j]
    return both


def _power(value: Any, count: int) -> Any:
    whole = value
    for _ in range(count - 1):
        whole = whole * value
    return whole


def _quantile(law: Sequence[tuple[int, Any]], share: float | Fraction) -> int:
    reached: Any = 0
    for amount, chance in law:
        reached = reached + chance
        if reached >= share:
            return amount
    return law[-1][0]
