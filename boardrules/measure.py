"""Where a token is, how much it earns, how long it takes: every question put to a chain.

`stationary` is the long run, `per` a mean and a variance per unit (roll, turn, lap, visit),
`until` the wait for something to happen, `after` the law after some rolls or turns, `spread` the
law of an amount of money.  Each is written once, for every game and every type of number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from math import sqrt
from typing import Any, Generic, TypeAlias

from .chain import Branch, Chain, N, leading_to
from .chain import chain as follow
from .events import Event, Price, RollOver, TurnOver, rolls, total, turns
from .rules import Problem, Rules, RulesError
from .solve import combined, dot, resolvent
from .turn import State, begin, start_from

Stop = Callable[[Event], Any]
"""True, or 1, for the event that one waits for."""


@dataclass(frozen=True, slots=True)
class Moments(Generic[N]):
    """A mean and a variance.

    Per unit the variance is that of the long run: n units have n times as much.
    """

    mean: N
    variance: N

    @property
    def sd(self) -> float:
        """The standard deviation, rounded to a float."""
        return sqrt(max(0.0, float(self.variance)))  # type: ignore[arg-type]


# ----------------------------------------------------------------------------- long run


def stationary(chain: Chain[N]) -> list[N]:
    """How much of a long walk is spent in each state.

    Shares of the questions asked, in the order of `chain.states`; a question is not a roll, so use
    `per` for shares per roll, turn or visit.  Raises `RulesError` if the walk can end up in two
    separate parts of the board.
    """
    run = LongRun(chain)
    whole = sum(run.visits, run.zero)
    shares = [run.zero] * len(chain.states)
    for i, visits in zip(run.members, run.visits, strict=True):
        shares[i] = visits / whole
    return shares


def per(chain: Chain[N], unit: Price, price: Price) -> Moments[N]:
    """What something comes to per unit in the long run: its mean, and its variance.

    `unit` is a price as well: `rolls`, `turns`, `laps`, `landings`, or any event to be counted.
    Raises `RulesError` if the unit never happens.
    """
    return per_each(chain, unit, {"it": price})["it"]


def per_each(chain: Chain[N], unit: Price, prices: Mapping[str, Price]) -> dict[str, Moments[N]]:
    """The same as `per` for many prices at once, which is much faster."""
    run = LongRun(chain)
    counted = run.priced(unit)
    units = run.rate(counted)
    if not units:
        raise _never(chain.rules, unit)
    worth = {name: run.priced(price) for name, price in prices.items()}
    means = {name: run.rate(sums) / units for name, sums in worth.items()}
    variances = run.variances(counted, list(worth.values()), list(means.values()))
    return {
        name: Moments(mean, variance / units)
        for (name, mean), variance in zip(means.items(), variances, strict=True)
    }


def rates(chain: Chain[N], unit: Price, prices: Mapping[str, Price]) -> dict[str, N]:
    """Only the means of `per_each`, from one solve."""
    run = LongRun(chain)
    units = run.rate(run.priced(unit))
    if not units:
        raise _never(chain.rules, unit)
    return {name: run.rate(run.priced(price)) / units for name, price in prices.items()}


def tally(chain: Chain[N], kind: Callable[[Event], Any], unit: Price) -> dict[Any, N]:
    """How often each kind of event happens per unit.

    `kind` names the kind of an event; what it calls None is left out.
    """
    run = LongRun(chain)
    found: dict[Any, N] = {}
    units = run.zero
    for i, visits in zip(run.members, run.visits, strict=True):
        for branch in chain.branches[i]:
            share: Any = None
            for event in branch.events:
                key, count = kind(event), unit(event)
                if key is None and not count:
                    continue
                share = visits * branch.chance if share is None else share
                units = units + share * count
                if key is not None:
                    found[key] = found[key] + share if key in found else share
    if not units:
        raise _never(chain.rules, unit)
    return {key: value / units for key, value in found.items()}


def fitting(chain: Chain[Any], price: Price) -> Price:
    """A price that cannot spoil a result: no floats in an exact chain, no answer left out."""
    exact = not isinstance(chain.number(Fraction(0)), float)
    for square in getattr(price, "squares", ()):
        chain.rules.square(square)

    def fit(event: Event) -> Any:
        worth = price(event)
        if worth is None or (exact and isinstance(worth, float)):
            what = "Fractions or whole numbers" if exact else "numbers"
            raise _bad(chain.rules, f"a price of this chain gives {what}, not {worth!r}")
        return worth

    return fit


_Priced: TypeAlias = dict[tuple[int, int], Any]
"""What the record of each branch comes to at some price: (state, branch) where it is not zero."""


class LongRun(Generic[N]):
    """A walk that has settled: where it always comes back to, and how often it is everywhere."""

    def __init__(self, chain: Chain[N]) -> None:
        self.chain = chain
        self.zero = chain.number(Fraction(0))
        self.home, self.members = _closed_class(chain)
        # the home state comes last, so that the others are the first rows of each system
        self.members.sort(key=lambda i: (i == self.home, i))
        self.place = {i: k for k, i in enumerate(self.members)}
        rows = chain.rows()
        last = len(self.members) - 1
        self._inside = [
            {self.place[j]: p for j, p in rows[i].items() if j != self.home}
            for i in self.members[:last]
        ]
        leaving = [[rows[self.home].get(i, self.zero)] for i in self.members[:last]]
        solved = resolvent(self._inside, leaving, chain.number, transposed=True)
        self.visits = [row[0] for row in solved] + [chain.number(Fraction(1))]

    @cached_property
    def _where(self) -> dict[Event, list[tuple[int, int]]]:
        """In which branches each event stands, as (place of the state, branch)."""
        where: dict[Event, list[tuple[int, int]]] = {}
        for k, i in enumerate(self.members):
            for b, branch in enumerate(self.chain.branches[i]):
                for event in branch.events:
                    where.setdefault(event, []).append((k, b))
        return where

    def priced(self, price: Price) -> _Priced:
        """What every branch comes to; a price is asked once for each different event."""
        sums: _Priced = {}
        price = fitting(self.chain, price)
        for event, places in self._where.items():
            worth = price(event)
            if worth:
                for place in places:
                    sums[place] = sums.get(place, 0) + worth
        return sums

    def rate(self, sums: _Priced) -> Any:
        """The sum over a lap from home to home."""
        terms = [(self.flow(place), worth) for place, worth in sums.items()]
        return dot([flow for flow, _ in terms], [worth for _, worth in terms], self.chain.number)

    def flow(self, place: tuple[int, int]) -> Any:
        """How often a branch is taken between two visits home."""
        k, b = place
        return self.visits[k] * self.chain.branches[self.members[k]][b].chance

    def branch(self, place: tuple[int, int]) -> Branch[N]:
        """The branch at a place: (place of its state, which of its branches)."""
        k, b = place
        return self.chain.branches[self.members[k]][b]

    def variances(self, counted: _Priced, worth: list[_Priced], means: list[N]) -> list[Any]:
        """E(F - mean · U)² for each price: F what a tour from home to home brings, U its units.

        By squares and products: E F² - 2 · mean · E F U + mean² · E U².
        """
        ahead = self._ahead([counted, *worth])
        units = [row[0] for row in ahead]
        flows: dict[int, Any] = {}
        for place, count in counted.items():
            end = self.place[self.branch(place).end]
            flows[end] = flows.get(end, self.zero) + self.flow(place) * count
        # what is still to come when units are counted, for all prices at once
        to_come = combined(list(flows.values()), [ahead[k] for k in flows], self.chain.number)
        twice = self._products(counted, counted) + 2 * to_come[0]
        found = []
        for n, (sums, mean) in enumerate(zip(worth, means, strict=True), start=1):
            own = [row[n] for row in ahead]
            square = self._products(sums, sums) + 2 * self._followed(sums, own)
            mixed = self._products(sums, counted) + self._followed(sums, units) + to_come[n]
            found.append(square - 2 * mean * mixed + mean * mean * twice)
        return found

    def _products(self, sums: _Priced, others: _Priced) -> Any:
        """What two prices come to in one step, multiplied."""
        both = [place for place in sums if place in others]
        left = [self.flow(place) * sums[place] for place in both]
        return dot(left, [others[place] for place in both], self.chain.number)

    def _followed(self, sums: _Priced, ahead: list[N]) -> Any:
        """What one price comes to in a step, times what another brings after it."""
        left = [self.flow(place) * worth for place, worth in sums.items()]
        right = [ahead[self.place[self.branch(place).end]] for place in sums]
        return dot(left, right, self.chain.number)

    def _ahead(self, prices: list[_Priced]) -> list[list[N]]:
        """For each state and each price: what is still to come before the walk is home again."""
        gains = [self._gains(sums) for sums in prices]
        right = [list(row) for row in zip(*gains, strict=True)]
        solved = resolvent(self._inside, right, self.chain.number) if right else []
        return [*solved, [self.zero] * len(prices)]

    def _gains(self, sums: _Priced) -> list[Any]:
        """What is earned on average in the next step from each state but home."""
        gains: list[Any] = [self.zero] * len(self.members)
        for (k, b), worth in sums.items():
            gains[k] = gains[k] + self.branch((k, b)).chance * worth
        return gains[:-1]


# --------------------------------------------------------------------------------- waits


def until(
    chain: Chain[N], stop: Stop, price: Price = rolls, start: State | str | None = None
) -> Moments[N]:
    """How long, or for how much money, one waits until something happens.

    Counts `price` (default: rolls) up to and including the event for which `stop` is true, from
    the start of the game or from another state or square.  Raises `RulesError` if it may never
    happen.
    """
    chain, place_ = _from(chain, start)
    price = fitting(chain, price)
    reached = _reach(chain, place_, stop)
    _certain(chain, reached, stop)
    place = {i: k for k, i in enumerate(reached)}
    zero = chain.number(Fraction(0))
    inside: list[dict[int, N]] = []
    gains: list[list[N]] = []
    for i in reached:
        row: dict[int, N] = {}
        gain: Any = zero
        for branch in chain.branches[i]:
            events, stopped = _cut(branch.events, stop)
            gain = gain + branch.chance * total(price, events)
            if not stopped:
                k = place[branch.end]
                row[k] = row[k] + branch.chance if k in row else branch.chance
        inside.append(row)
        gains.append([gain])
    means = [row[0] for row in resolvent(inside, gains, chain.number)]
    squares: list[list[N]] = []
    for i in reached:
        second: Any = zero
        for branch in chain.branches[i]:
            events, stopped = _cut(branch.events, stop)
            gain = total(price, events)
            ahead: Any = zero if stopped else means[place[branch.end]]
            second = second + branch.chance * (gain * gain + 2 * gain * ahead)
        squares.append([second])
    moments = resolvent(inside, squares, chain.number)
    mean, square = means[0], moments[0][0]
    return Moments(mean, square - mean * mean)


def first_passage(
    chain: Chain[N],
    stop: Stop,
    unit: Price = rolls,
    start: State | str | None = None,
    most: int = 100,
) -> dict[int, N]:
    """The law of a wait: the chance that something first happens in the n-th roll (or turn).

    Runs to n = `most`; what is missing to one has not happened by then.
    """
    if most < 0:
        raise _bad(chain.rules, f"most must not be negative, it is {most}")
    chain, first = _from(chain, start)
    unit = fitting(chain, unit)
    ahead: list[list[tuple[Branch[N], int, bool]]] = []
    for branches in chain.branches:
        cut = [(branch, *_cut(branch.events, stop)) for branch in branches]
        ahead.append([(branch, total(unit, events), over) for branch, events, over in cut])
    within = _Within(chain, [[b for b, n, over in row if not (n or over)] for row in ahead])
    law: dict[int, N] = {}
    levels: dict[int, dict[int, N]] = {0: {first: chain.number(Fraction(1))}}
    for count in range(most + 1):
        for i, visits in within.visits(levels.pop(count, {})).items():
            for branch, units, over in ahead[i]:
                if over:
                    _add(law, count + units, visits * branch.chance)
                elif units:
                    _add(levels.setdefault(count + units, {}), branch.end, visits * branch.chance)
        if not levels:
            break
    return {count: law[count] for count in sorted(law) if count <= most}


def _add(sums: dict[Any, N], key: Any, share: N) -> None:
    sums[key] = sums[key] + share if key in sums else share


class _Within(Generic[N]):
    """What happens within one unit: how often each state is visited before the unit is over."""

    def __init__(self, chain: Chain[N], branches: Sequence[Sequence[Branch[N]]]) -> None:
        self._number = chain.number
        self._branches = branches
        links = {i: {branch.end for branch in row} for i, row in enumerate(branches) if row}
        self._order: list[int] | None
        try:  # the sorter puts what a state leads to before the state
            self._order = list(TopologicalSorter(links).static_order())[::-1]
        except CycleError:
            self._order = None

    def visits(self, masses: Mapping[int, N]) -> dict[int, N]:
        """Expected visits to each state, from where the unit begins to where it ends."""
        if self._order is None:
            return self._solved(masses)
        found = dict(masses)
        for i in self._order:
            if i in found:
                for branch in self._branches[i]:
                    _add(found, branch.end, found[i] * branch.chance)
        return found

    def _solved(self, masses: Mapping[int, N]) -> dict[int, N]:
        """The same where states can come again within the unit, any number of times."""
        rows: list[dict[int, N]] = []
        for branches in self._branches:
            row: dict[int, N] = {}
            for branch in branches:
                _add(row, branch.end, branch.chance)
            rows.append(row)
        zero = self._number(Fraction(0))
        right = [[masses.get(i, zero)] for i in range(len(rows))]
        solved = resolvent(rows, right, self._number, transposed=True)
        return {i: value for i, (value,) in enumerate(solved) if value}


def _cut(events: Sequence[Event], stop: Stop) -> tuple[Sequence[Event], bool]:
    for k, event in enumerate(events):
        if stop(event):
            return events[: k + 1], True
    return events, False


# ------------------------------------------------------------------------- after n steps


def after(
    chain: Chain[N], steps: int, unit: Price = rolls, start: State | str | None = None
) -> dict[tuple[str, bool], N]:
    """Where the token is when the n-th roll (or turn) ends: the chance of each square.

    Keys are (square id, in jail or not).  `start` is a square to begin a turn on, or a state;
    default is the start of the game.  `unit` is `rolls` or `turns`.
    """
    laws = trail(chain, unit, start)
    for _ in range(_count(chain.rules, steps)):
        next(laws)
    return next(laws)


def trail(
    chain: Chain[N], unit: Price = rolls, start: State | str | None = None
) -> Iterator[dict[tuple[str, bool], N]]:
    """The laws of `after` one by one: after 0 rolls (or turns), after 1, 2, and so on for ever."""
    kind = _ending(chain.rules, unit)
    chain, place = _from(chain, start)
    token, one = chain.states[place].token, chain.number(Fraction(1))
    yield {(chain.rules.squares[token.square].id, token.jailed > 0): one}
    law = {place: one}
    within = _Within(chain, [[b for b in row if not _over(b, kind)] for row in chain.branches])
    while True:
        seen: dict[tuple[str, bool], N] = {}
        done: dict[int, N] = {}
        for i, visits in within.visits(law).items():
            for branch in chain.branches[i]:
                over = _over(branch, kind)
                if over is not None:
                    _add(done, branch.end, visits * branch.chance)
                    _add(seen, (over.square, over.jailed > 0), visits * branch.chance)
        law = done
        yield seen


_Ending: TypeAlias = type[RollOver] | type[TurnOver]


def _over(branch: Branch[N], kind: _Ending) -> RollOver | TurnOver | None:
    """The end of the unit, if this branch brings it."""
    return next((event for event in branch.events if isinstance(event, kind)), None)


def spread(
    chain: Chain[N],
    steps: int,
    price: Price,
    unit: Price = rolls,
    start: State | str | None = None,
) -> dict[Any, N]:
    """How much money (or how many of anything) has come together when the n-th unit ends.

    The exact chance of every total, in increasing order; whatever happens up to the end of the
    n-th roll (or turn) counts.
    """
    chain, place = _from(chain, start)
    ways = _ways(chain, _ending(chain.rules, unit), fitting(chain, price))
    law: dict[tuple[int, Any], N] = {(place, 0): chain.number(Fraction(1))}
    for _ in range(_count(chain.rules, steps)):
        law = _one_unit_priced(chain, law, ways)
    zero = chain.number(Fraction(0))
    totals: dict[Any, N] = {}
    for (_, amount), mass in law.items():
        totals[amount] = totals.get(amount, zero) + mass
    return dict(sorted(totals.items()))


_Way: TypeAlias = tuple[int, Any, bool, Any]
"""Branches that do the same: their end, what they come to, whether the unit is over, chance."""


def _ways(chain: Chain[N], kind: _Ending, price: Price) -> list[list[_Way]]:
    """The branches of every state, those alike taken together, each priced once."""
    found: list[list[_Way]] = []
    for branches in chain.branches:
        alike: dict[tuple[int, Any, bool], Any] = {}
        for branch in branches:
            over = _over(branch, kind) is not None
            key = (branch.end, total(price, branch.events), over)
            alike[key] = alike[key] + branch.chance if key in alike else branch.chance
        found.append([(*key, chance) for key, chance in alike.items()])
    return found


def _one_unit_priced(
    chain: Chain[N], law: dict[tuple[int, Any], N], ways: list[list[_Way]]
) -> dict[tuple[int, Any], N]:
    done: dict[tuple[int, Any], N] = {}
    for _ in range(_most_rounds(chain)):
        under_way: dict[tuple[int, Any], N] = {}
        for (i, amount), mass in law.items():
            for end, worth, over, chance in ways[i]:
                key, to = (end, amount + worth), done if over else under_way
                to[key] = to[key] + mass * chance if key in to else mass * chance
        if not under_way:
            return done
        law = under_way
    raise _endless(chain.rules)


def _most_rounds(chain: Chain[N]) -> int:
    """Without a loop inside one unit, no unit asks more questions than there are states."""
    return len(chain.states) + 1


def _ending(rules: Rules, unit: Price) -> _Ending:
    if unit is rolls:
        return RollOver
    if unit is turns:
        return TurnOver
    raise _bad(rules, "the law after n units is for rolls or turns")


def _count(rules: Rules, steps: int) -> int:
    if isinstance(steps, bool) or not isinstance(steps, int) or not 0 <= steps <= 1_000_000:
        raise _bad(rules, f"steps must be a whole number, 0 or more, not {steps!r}")
    return steps


def _from(chain: Chain[N], start: State | str | None) -> tuple[Chain[N], int]:
    """A chain that knows a start, and the place of the start in it.

    Where a token of this chain never begins a turn, such as square 30, the walk from there is
    followed anew.
    """
    if start is None:
        start = begin(chain.rules)
    elif isinstance(start, str):
        start = start_from(chain.rules, start)
    if not chain.knows(start):
        chain = follow(chain.rules, chain.policy, chain.number, start=start)
    return chain, chain.where(start)


# ---------------------------------------------------------------------------- the graph


def _reach(chain: Chain[N], start: int, stop: Stop | None = None) -> list[int]:
    found, seen = [start], {start}
    for i in found:
        for branch in chain.branches[i]:
            if stop is not None and _cut(branch.events, stop)[1]:
                continue
            if branch.end not in seen:
                seen.add(branch.end)
                found.append(branch.end)
    return found


def _closed_class(chain: Chain[N]) -> tuple[int, list[int]]:
    """A state that is revisited for ever, and all states that are visited with it.

    States before the walk settles (a start that counts as one) are left out.
    """
    backward: list[list[int]] = [[] for _ in chain.states]
    for i, branches in enumerate(chain.branches):
        for branch in branches:
            backward[branch.end].append(i)
    home = 0
    while True:
        forward, back = _reach(chain, home), leading_to([home], backward)
        away = next((i for i in forward if i not in back), None)
        if away is None:
            break
        home = away
    lost = [i for i in _reach(chain, 0) if i not in back]
    if lost:
        raise _two_parts(chain, forward, lost)
    return home, forward


def _certain(chain: Chain[N], reached: Sequence[int], stop: Stop) -> None:
    """Refuse to wait for what may never happen."""
    inside = set(reached)
    backward: list[list[int]] = [[] for _ in chain.states]
    sure: list[int] = []
    for i in reached:
        for branch in chain.branches[i]:
            if _cut(branch.events, stop)[1]:
                sure.append(i)
            elif branch.end in inside:
                backward[branch.end].append(i)
    if len(leading_to(sure, backward)) < len(inside):
        raise _bad(chain.rules, "what is waited for may never happen, so the wait has no mean")


def _two_parts(chain: Chain[N], forward: Sequence[int], lost: Sequence[int]) -> RulesError:
    here, there = ({chain.states[i].token.square for i in some} for some in (forward, lost))
    squares = chain.rules.squares
    text = (
        "the walk can end in two separate parts of the board, so it has no single long run: "
        f"one with {squares[min(here)].id}, one with {squares[min(there)].id}"
    )
    return _bad(chain.rules, text)


def _never(rules: Rules, unit: Price) -> RulesError:
    name = getattr(unit, "__name__", "unit")
    return _bad(rules, f"nothing can be told per unit: under these rules no {name} ever happen")


def _endless(rules: Rules) -> RulesError:
    return _bad(rules, "one roll may need any number of questions, so it has no last step")


def _bad(rules: Rules, text: str) -> RulesError:
    return RulesError(rules.label, [Problem("", "", text)])
