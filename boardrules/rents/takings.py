"""Means and variances of what comes in, for many hands of deeds at once.

The long-run variance is that of n units divided by n; it counts what one unit tells about the
next ones.  What a landing adds by a fresh throw, or by an owner who fails to ask, is added exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic

from ..chain import Branch, Chain, N
from ..effects import Draw, Throw
from ..events import Event, Landed, Price
from ..measure import LongRun
from ..solve import dot, resolvent
from .deeds import Hand, bad


@dataclass(frozen=True, slots=True)
class Takings(Generic[N]):
    """Mean and variance of what comes in per unit, in the long run and in a single unit."""

    mean: N
    variance: N
    variance_one: N


def takings(walk: Chain[N], unit: Price, hands: Mapping[Any, Hand]) -> dict[Any, Takings[N]]:
    """Mean, long-run variance and variance of a single unit, for many hands at once.

    A unit runs from one counted event to the next.  The long-run variance is that of n units
    divided by n; it counts what one unit tells about the next ones.
    """
    squares = {square for hand in hands.values() for square in hand.charges}
    run = LongRun(condensed(walk, lambda event: bool(unit(event)) or stands_on(event, squares)))
    counted = run.priced(unit)
    units = run.rate(counted)
    if not units:
        raise bad(walk.rules, "", "nothing can be told per unit: no such unit ever happens")
    number = walk.number
    priced = [run.priced(_in_numbers(hand.mean, number)) for hand in hands.values()]
    means = [run.rate(sums) / units for sums in priced]
    noises = [run.priced(_in_numbers(hand.noise, number)) for hand in hands.values()]
    variances = run.variances(counted, priced, means)
    squares_of = _single(run, unit, list(hands.values()))
    found = {}
    for k, name in enumerate(hands):
        noise = run.rate(noises[k])
        one = (squares_of[k] + noise) / units - means[k] * means[k]
        found[name] = Takings(means[k], (variances[k] + noise) / units, one)
    return found


def _in_numbers(price: Price, number: Callable[[Fraction], N]) -> Price:
    """A price whose fractions are of the chain's type of number."""

    def worth(event: Event) -> Any:
        value = price(event)
        return value if isinstance(value, int) else number(value)

    return worth


def _single(run: LongRun[N], unit: Price, hands: Sequence[Hand]) -> list[Any]:
    """The sum over a lap of the squares of what single units bring, the noise left out.

    Money of one unit may come in several branches: (a + b)² = a² + b² + 2 a b, where the later
    part is what is still expected in this unit.
    """
    chain, number = run.chain, run.chain.number
    by_square: dict[str, list[int]] = {}
    for k, hand in enumerate(hands):
        for square in hand.charges:
            by_square.setdefault(square, []).append(k)
    worth = [_in_numbers(hand.mean, number) for hand in hands]
    own: list[list[tuple[Any, Any]]] = [[] for _ in hands]
    open_ended: list[list[tuple[Any, int]]] = [[] for _ in hands]
    first: list[dict[int, Any]] = [{} for _ in hands]
    inside: list[dict[int, Any]] = []
    for place, i in enumerate(run.members):
        row: dict[int, Any] = {}
        for b, branch in enumerate(chain.branches[i]):
            part, parts = 0, dict[tuple[int, int], Any]()
            for event in branch.events:
                if unit(event):
                    part += 1
                elif isinstance(event, Landed):
                    for k in by_square.get(event.square, ()):
                        parts[k, part] = parts.get((k, part), 0) + worth[k](event)
            end = run.place[branch.end]
            if not part:
                row[end] = row[end] + branch.chance if end in row else branch.chance
            for (k, which), gain in parts.items():
                if not gain:
                    continue
                flow = run.flow((place, b)) * gain
                own[k].append((flow, gain))
                if which == part:
                    open_ended[k].append((flow, end))
                if which == 0:
                    first[k][place] = first[k].get(place, run.zero) + branch.chance * gain
        inside.append(row)
    right = [[gains.get(place, run.zero) for gains in first] for place in range(len(run.members))]
    still: list[list[Any]] = []
    if any(first):
        still = resolvent(inside, right, number)
    total = []
    for k in range(len(hands)):
        both = own[k]
        if still:
            both = both + [(2 * flow, still[end][k]) for flow, end in open_ended[k]]
        total.append(dot([a for a, _ in both], [b for _, b in both], number))
    return total


def stands_on(event: Event, squares: set[str]) -> bool:
    """Whether a move ends on one of these squares."""
    return isinstance(event, Landed) and event.square in squares


MOST_DRAWS = 8
"""So many draws in a row are followed when a roll is taken as one step."""


def condensed(walk: Chain[N], keep: Callable[[Event], bool]) -> Chain[N]:
    """The same walk with one step for each roll, cards included, and only the events to keep.

    Half as many states are left, which makes exact solving several times faster.
    """

    def told(events: Iterable[Event]) -> tuple[Event, ...]:
        return tuple(event for event in events if keep(event))

    brief = [
        [(branch.chance, branch.end, told(branch.events)) for branch in branches]
        for branches in walk.branches
    ]
    drawing = [isinstance(state.question, (Draw, Throw)) for state in walk.states]
    places, kept = {0: 0}, [0]
    found: list[tuple[Branch[N], ...]] = []
    for i in kept:
        ways: dict[tuple[int, tuple[Event, ...]], Any] = {}
        drawn: dict[tuple[int, tuple[Event, ...]], Any] = {}
        for chance, end, events in brief[i]:
            _put(drawn if drawing[end] else ways, (end, events), chance)
        for draws in range(MOST_DRAWS):
            further: dict[tuple[int, tuple[Event, ...]], Any] = {}
            for (end, events), chance in drawn.items():
                for share, then, more in brief[end]:
                    on_the_way = drawing[then] and draws + 1 < MOST_DRAWS
                    to = further if on_the_way else ways
                    _put(to, (then, events + more), chance * share)
            drawn = further
        for end, _ in ways:
            if end not in places:
                places[end] = len(kept)
                kept.append(end)
        found.append(
            tuple(Branch(chance, places[end], events) for (end, events), chance in ways.items())
        )
    states = tuple(walk.states[i] for i in kept)
    return Chain(walk.rules, walk.policy, walk.number, states, tuple(found))


def _put(law: dict[Any, Any], key: Any, chance: Any) -> None:
    law[key] = law[key] + chance if key in law else chance


def in_floats(walk: Chain[Any]) -> Chain[float]:
    """The same chain with its chances rounded to floats."""
    if walk.number is float:
        return walk
    branches = tuple(
        tuple(Branch(float(one.chance), one.end, one.events) for one in some)
        for some in walk.branches
    )
    return Chain(walk.rules, walk.policy, float, walk.states, branches)
