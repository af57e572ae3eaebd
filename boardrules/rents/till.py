"""The till: what comes in from one opponent turn by turn, and how long from one rent to the next.

An opponent begins in the long-run law of where turns begin, or where he is told to.  A turn of his
is one step, from where turns begin to where the next one begins, with the rent on the way; so the
law of the money of n turns is pushed forward exactly, in whole numbers over one denominator where
chances are Fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil, gcd, lcm
from typing import Any, Generic, TypeAlias

from ..chain import Chain, N, chain
from ..effects import Draw, EndTurn, Throw
from ..events import Event, Price, TurnOver
from ..measure import LongRun, Moments
from ..solve import resolvent
from ..turn import State, Token, begin, happen
from .deeds import Hand, bad
from .takings import condensed

START = "start"
"""Where a game begins, as a place to start from; it may differ from any square."""

Start: TypeAlias = State | str | tuple[str, int] | None
"""None: the long run at the start of a turn; a square; ("jail", 2): in jail before the 2nd try."""


# ----------------------------------------------------------------------- where turns begin


def turn_starts(walk: Chain[N], start: Start = None) -> tuple[Chain[N], dict[int, N]]:
    """Where an opponent stands at the start of a turn: the chance of each state of a chain.

    The chain is the given one, unless a token in jail begins where that chain never comes (before
    a later try, although the policy is to leave at once).  Raises `RulesError` if no turn ever
    starts there.
    """
    if start is not None:
        walk, place = _starting_at(walk, start)
        return walk, {place: walk.number(Fraction(1))}
    run = LongRun(walk)
    law: dict[int, Any] = {}
    for i, visits in zip(run.members, run.visits, strict=True):
        for branch in walk.branches[i]:
            if any(isinstance(event, TurnOver) for event in branch.events):
                law[branch.end] = law.get(branch.end, run.zero) + visits * branch.chance
    whole = sum(law.values(), run.zero)
    return walk, {i: value / whole for i, value in law.items()}


def _starting_at(walk: Chain[N], start: State | str | tuple[str, int]) -> tuple[Chain[N], int]:
    rules = walk.rules
    if isinstance(start, State):
        if isinstance(start.question, (Draw, Throw)):
            raise bad(rules, "start", "a turn does not start in the middle of a roll")
        return walk, walk.where(start)
    if start == START and START not in rules.index:
        return walk, walk.where(begin(rules))
    square, jailed = (start, 0) if isinstance(start, str) else start
    token = Token(rules.index[rules.square(square).id], jailed=jailed)
    if jailed and (
        rules.jail is None or square != rules.jail.square or not 0 < jailed <= rules.jail.attempts
    ):
        raise bad(rules, square, f"no token is ever in jail there before try {jailed}")
    token, agenda, _ = happen(EndTurn(), token, (), rules)
    state = State(token, agenda)
    if state in walk.states:
        return walk, walk.states.index(state)
    if jailed:
        return chain(rules, walk.policy, walk.number, start=state), 0
    raise bad(rules, square, "no turn ever starts there")


# ------------------------------------------------------------------------- rent turn by turn


_Way: TypeAlias = tuple[int, int, bool, Any]
"""Branches that do the same: their end, the rent, whether the turn is over, their chance."""


class Till(Generic[N]):
    """What comes into the till of one owner from one opponent, turn by turn.

    Amounts count in `unit`, the largest one that divides them all.
    """

    def __init__(self, walk: Chain[N], hand: Hand, start: Mapping[int, N] | Start = None) -> None:
        law: Mapping[int, N]
        if isinstance(start, Mapping):
            law = start
        else:
            walk, law = turn_starts(walk, start)
        short = self._short(walk, hand)
        places = {state: i for i, state in enumerate(short.states)}
        self.walk = short
        self.start = {places[walk.states[i]]: chance for i, chance in law.items()}
        self.number = walk.number
        self.ways = [_ways(branches, hand, walk.number) for branches in short.branches]
        amounts = {amount for ways in self.ways for _, amount, _, _ in ways if amount}
        self.unit = gcd(*amounts) or 1
        self.certain = bool(amounts)

    @staticmethod
    def _short(walk: Chain[N], hand: Hand) -> Chain[N]:
        """One step for each roll; the states in which turns begin are kept by that."""
        if not any(isinstance(state.question, (Draw, Throw)) for state in walk.states):
            return walk
        return condensed(walk, lambda e: isinstance(e, TurnOver) or hand.law(e) is not None)

    def turns(self) -> tuple[list[int], list[list[tuple[int, int, N]]]]:
        """The turn as one step: the states where turns begin, and (end, units, chance) of each."""
        begun = list(self.start)
        seen = {i: k for k, i in enumerate(begun)}
        steps: list[list[tuple[int, int, N]]] = []
        for i in begun:
            done: dict[tuple[int, int], Any] = {}
            open_ways: dict[tuple[int, int], Any] = {(i, 0): self.number(Fraction(1))}
            for _ in range(len(self.ways) + 1):
                ahead: dict[tuple[int, int], Any] = {}
                for (j, money), mass in open_ways.items():
                    for end, amount, over, chance in self.ways[j]:
                        to, key = done if over else ahead, (end, money + amount)
                        to[key] = to[key] + mass * chance if key in to else mass * chance
                open_ways = ahead
                if not ahead:
                    break
            else:
                raise bad(self.walk.rules, "", "a turn may go on for ever under these rules")
            for end, _ in done:
                if end not in seen:
                    seen[end] = len(begun)
                    begun.append(end)
            steps.append([(seen[e], money // self.unit, p) for (e, money), p in done.items()])
        return begun, steps

    def laws(self, limit: int | None = None) -> Iterator[list[N]]:
        """The law of the money after 0, 1, 2, … turns, as chances of 0, 1, 2, … units.

        With a limit, what has reached so many units is left out.
        """
        begun, steps = self.turns()
        first: list[Any] = [self.start.get(i, self.number(Fraction(0))) for i in begun]
        kernel: list[list[tuple[int, int, Any]]] = [list(ways) for ways in steps]
        found: Any
        numpy = numpy_or_none() if self.number is float else None
        if numpy is not None:
            found = _pushed_bynumpy_or_none(numpy, first, kernel, limit)
        elif isinstance(self.number(Fraction(0)), Fraction):
            found = _pushed_in_integers(first, kernel, limit)
        else:
            found = _pushed(first, kernel, limit)
        pushed: Iterator[list[N]] = found
        return pushed


def _ways(branches: Sequence[Any], hand: Hand, number: Callable[[Fraction], N]) -> list[_Way]:
    alike: dict[tuple[int, int, bool], Any] = {}
    for branch in branches:
        over = any(isinstance(event, TurnOver) for event in branch.events)
        for amount, share in _amounts(branch.events, hand).items():
            key = (branch.end, amount, over)
            chance = branch.chance if share == 1 else branch.chance * number(share)
            alike[key] = alike[key] + chance if key in alike else chance
    return [(*key, chance) for key, chance in alike.items()]


def _amounts(events: Sequence[Event], hand: Hand) -> Mapping[int, Fraction]:
    """The law of what one record brings."""
    laws = [law for event in events if (law := hand.law(event)) is not None]
    if not laws:
        return {0: Fraction(1)}
    whole = laws[0]
    for law in laws[1:]:
        both: dict[int, Fraction] = {}
        for a, p in whole.items():
            for b, q in law.items():
                both[a + b] = both.get(a + b, Fraction(0)) + p * q
        whole = both
    return whole


def numpy_or_none() -> Any:
    """The module numpy where it is there."""
    try:
        import numpy
    except ImportError:  # in a browser, say
        return None
    return numpy


def _pushed(
    first: Sequence[Any], steps: Sequence[Sequence[tuple[int, int, Any]]], limit: int | None
) -> Iterator[list[Any]]:
    """The money law turn by turn, for numbers of any type."""
    zero = first[0] * 0
    law: list[dict[int, Any]] = [{0: mass} if mass else {} for mass in first]
    while True:
        top = max((money for held in law for money in held), default=0)
        dense = [zero] * (top + 1)
        for held in law:
            for money, mass in held.items():
                dense[money] = dense[money] + mass
        yield dense
        ahead: list[dict[int, Any]] = [{} for _ in first]
        for held, ways in zip(law, steps, strict=True):
            for end, units, chance in ways:
                to = ahead[end]
                for money, mass in held.items():
                    now = money + units
                    if limit is None or now < limit:
                        to[now] = to[now] + mass * chance if now in to else mass * chance
        law = ahead


def _pushed_in_integers(
    first: Sequence[Fraction],
    steps: Sequence[Sequence[tuple[int, int, Fraction]]],
    limit: int | None,
) -> Iterator[list[Fraction]]:
    """The same with whole numbers over one denominator, which spares countless reductions."""
    below = lcm(*(chance.denominator for chance in first))
    each = lcm(*(chance.denominator for ways in steps for _, _, chance in ways))
    whole = [int(chance * below) for chance in first]
    scaled = [[(end, units, int(chance * each)) for end, units, chance in ways] for ways in steps]
    for law in _pushed(whole, scaled, limit):
        yield [Fraction(mass, below) for mass in law]
        below *= each


def _pushed_bynumpy_or_none(
    numpy: Any,
    first: Sequence[float],
    steps: Sequence[Sequence[tuple[int, int, float]]],
    limit: int | None,
) -> Iterator[list[float]]:
    """The same with one small matrix for each amount that a turn can bring."""
    size, by_units = len(first), dict[int, Any]()
    for i, ways in enumerate(steps):
        for end, units, chance in ways:
            matrix = by_units.setdefault(units, numpy.zeros((size, size)))
            matrix[end, i] += chance
    most = max(by_units)
    law = numpy.array(first).reshape(size, 1)
    while True:
        yield law.sum(axis=0).tolist()
        wide = law.shape[1] + most
        wide = wide if limit is None else min(wide, limit)
        ahead = numpy.zeros((size, wide))
        for units, matrix in by_units.items():
            if units < wide:
                ahead[:, units : units + law.shape[1]] += matrix @ law[:, : wide - units]
        law = ahead


# --------------------------------------------------------------------- means and variances


def moments_after(
    walk: Chain[N], mean: Price, noise: Price, start: Mapping[int, N], turns: int
) -> tuple[Moments[N], ...]:
    """Mean and variance of a sum of prices after 0, 1, …, n turns, exactly.

    `noise` is the variance that an event adds of its own.
    """
    number = walk.number
    short = condensed(walk, lambda e: isinstance(e, TurnOver) or bool(mean(e)) or bool(noise(e)))
    places = {state: i for i, state in enumerate(short.states)}
    zero = number(Fraction(0))
    law: dict[int, tuple[Any, Any, Any]] = {
        places[walk.states[i]]: (chance, zero, zero) for i, chance in start.items()
    }
    ways = [_priced(branches, mean, noise, number) for branches in short.branches]
    found = [_summed(law, zero)]
    for _ in range(turns):
        done: dict[int, tuple[Any, Any, Any]] = {}
        for _ in range(len(ways) + 1):
            ahead: dict[int, tuple[Any, Any, Any]] = {}
            for i, (mass, first, second) in law.items():
                for end, gain, square, over, chance in ways[i]:
                    more = (
                        mass * chance,
                        (first + mass * gain) * chance,
                        (second + first * (2 * gain) + mass * square) * chance,
                    )
                    to = done if over else ahead
                    old = to.get(end)
                    to[end] = (
                        (old[0] + more[0], old[1] + more[1], old[2] + more[2]) if old else more
                    )
            law = ahead
            if not ahead:
                break
        else:
            raise bad(walk.rules, "", "a turn may go on for ever under these rules")
        law = done
        found.append(_summed(law, zero))
    return tuple(found)


def _priced(
    branches: Sequence[Any], mean: Price, noise: Price, number: Callable[[Fraction], N]
) -> list[tuple[int, Any, Any, bool, Any]]:
    """For branches alike: end, mean of the gain, mean of its square, turn over or not, chance."""
    alike: dict[tuple[int, Any, Any, bool], Any] = {}
    for branch in branches:
        gain = sum(Fraction(mean(event)) for event in branch.events)
        spread = sum(Fraction(noise(event)) for event in branch.events)
        over = any(isinstance(event, TurnOver) for event in branch.events)
        key = (branch.end, gain, gain * gain + spread, over)
        alike[key] = alike[key] + branch.chance if key in alike else branch.chance
    return [
        (end, number(Fraction(gain)), number(Fraction(square)), over, chance)
        for (end, gain, square, over), chance in alike.items()
    ]


def _summed(law: Mapping[int, tuple[Any, Any, Any]], zero: Any) -> Moments[Any]:
    mean = sum((first for _, first, _ in law.values()), zero)
    square = sum((second for _, _, second in law.values()), zero)
    return Moments(mean, square - mean * mean)


# -------------------------------------------------------------------------------- the wait


def mean_wait(
    walk: Chain[N], hand: Hand, cost: int, start: Mapping[int, N] | Start = None
) -> N | None:
    """How many turns one opponent needs on average until his rents have reached a cost.

    Counts the turn in which they do.  None if they may never.
    """
    mean: N | None = mean_of(Till(walk, hand, start), cost)
    return mean


def mean_of(till: Till[N], cost: int) -> Any:
    """The turns on average until a till holds so much; None for never."""
    return till.number(Fraction(0)) if not cost else Waits(till).mean(cost)


class Waits(Generic[N]):
    """From one rent to the next: how many turns go by, how much it is, where it leaves the token.

    One solve tells this for each state in which a rent leaves the token; a cost is then counted
    down, rent by rent.
    """

    def __init__(self, till: Till[N]) -> None:
        self.unit, self.number = till.unit, till.number
        zero, one = till.number(Fraction(0)), till.number(Fraction(1))
        idle: list[dict[int, Any]] = [{} for _ in till.ways]
        idle_turns: list[Any] = [zero] * len(till.ways)
        paying: list[tuple[int, int, int, bool, Any]] = []
        for i, ways in enumerate(till.ways):
            for end, amount, over, chance in ways:
                if amount:
                    paying.append((i, end, amount // till.unit, over, chance))
                    continue
                idle[i][end] = idle[i].get(end, zero) + chance
                if over:
                    idle_turns[i] = idle_turns[i] + chance
        ends = sorted({end for _, end, _, _, _ in paying})
        where = {end: k + 1 for k, end in enumerate(ends)}
        right = [[till.start.get(i, zero), *(zero for _ in ends)] for i in range(len(till.ways))]
        for end, k in where.items():
            right[end][k] = one
        self.ever = bool(paying)
        try:
            visits = resolvent(idle, right, till.number, transposed=True) if paying else []
        except ZeroDivisionError:
            self.ever = False
        if not self.ever:
            return
        all_ends = range(len(ends) + 1)
        self._before = [
            added([row[k] * turns for row, turns in zip(visits, idle_turns, strict=True)])
            for k in all_ends
        ]
        # units of the next rent and where it leaves the token: (chance, that the turn is over too)
        self._next: list[dict[tuple[int, int], tuple[Any, Any]]] = [{} for _ in all_ends]
        for i, end, units, over, chance in paying:
            for k in all_ends:
                share = visits[i][k] * chance
                if share:
                    key = (units, where[end])
                    old = self._next[k].get(key, (zero, zero))
                    over_too = old[1] + share if over else old[1]
                    self._next[k][key] = (old[0] + share, over_too)

    def mean(self, cost: Fraction | int) -> Any:
        """The turns until the rents have reached a cost, the last one included; or None."""
        if not self.ever:
            return None
        zero, ends = self.number(Fraction(0)), len(self._before)
        left: list[list[Any]] = [[zero] * ends]
        need = max(1, ceil(Fraction(cost) / self.unit))
        for c in range(1, need + 1):
            row = []
            for k in range(ends) if c < need else (0,):
                wait = self._before[k]
                for (units, to), (share, over_too) in self._next[k].items():
                    if units < c:
                        wait = wait + over_too + share * left[c - units][to]
                row.append(wait)
            left.append(row)
        return left[need][0] + self.number(Fraction(1))


def added(values: Sequence[Any]) -> Any:
    """The sum of some numbers, of their own type."""
    return sum(values[1:], values[0]) if values else 0
