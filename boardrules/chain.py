"""Every answer: the Markov chain of one token, with the record of each transition.

Starting from a state, all answers are followed breadth first until no new state appears.  Every
answer is a branch of its own, since its record begins with the answer.  Draws are independent here
(each card goes back at once), which is how every published exact table is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from html import escape
from typing import Any, Generic, Protocol, TypeVar

from .events import Event, TurnOver
from .library import Source, load
from .rules import Problem, Rules, RulesError
from .turn import Policy, State, begin, check_policy, leave, options, stay, step

MOST_STATES = 20_000
"""A chain larger than this is refused unless the caller allows more."""


MOST_BRANCHES = 150_000
"""So is one with more branches than this."""


class Number(Protocol):
    """What a probability has to be able to do: Fraction, float, or an element of a field."""

    def __add__(self, other: Any, /) -> Any: ...
    def __radd__(self, other: Any, /) -> Any: ...
    def __sub__(self, other: Any, /) -> Any: ...
    def __mul__(self, other: Any, /) -> Any: ...
    def __rmul__(self, other: Any, /) -> Any: ...
    def __truediv__(self, other: Any, /) -> Any: ...


N = TypeVar("N", bound=Number)


@dataclass(frozen=True, slots=True)
class Branch(Generic[N]):
    """One way to go on from a state: how likely, where to, and what happens on the way."""

    chance: N
    end: int
    events: tuple[Event, ...]


@dataclass(frozen=True, eq=False)
class Chain(Generic[N]):
    """All states a token can come to, and all branches between them.

    `states[0]` is the start; `branches[i]` are the ways on from state i, their chances sum to one
    exactly.  `number` turns a Fraction into the chain's type of number.
    """

    rules: Rules
    policy: Policy
    number: Callable[[Fraction], N]
    states: tuple[State, ...]
    branches: tuple[tuple[Branch[N], ...], ...]

    def rows(self) -> list[dict[int, N]]:
        """The transition matrix, row by row: the chance of each next state."""
        rows: list[dict[int, N]] = []
        for branches in self.branches:
            row: dict[int, N] = {}
            for branch in branches:
                seen = row.get(branch.end)
                row[branch.end] = branch.chance if seen is None else seen + branch.chance
            rows.append(row)
        return rows

    def knows(self, state: State) -> bool:
        """Whether the token can ever be in a state."""
        return state in self._places

    def where(self, state: State) -> int:
        """The place of a state in `states`.

        Raises `RulesError` if the token can never be in that state.
        """
        if state not in self._places:
            square = self.rules.squares[state.token.square].id
            text = "a token that started as this chain did never begins a roll there"
            raise RulesError(self.rules.label, [Problem("", square, text)])
        return self._places[state]

    @cached_property
    def _places(self) -> dict[State, int]:
        return {state: place for place, state in enumerate(self.states)}

    def __repr__(self) -> str:
        ways = sum(map(len, self.branches))
        return (
            f"<Chain of {self.rules.label}, {self.policy.name}: "
            f"{len(self.states)} states, {ways} branches, numbers {self._numbers()}>"
        )

    def _numbers(self) -> str:
        return str(getattr(self.number, "__name__", self.number))

    def _repr_html_(self) -> str:
        return f"<code>{escape(repr(self))}</code>"


def chain(
    rules: Rules | Source,
    policy: Policy | None = None,
    number: Callable[[Fraction], N] = Fraction,  # type: ignore[assignment]
    *,
    start: State | None = None,
    most_states: int = MOST_STATES,
    most_branches: int = MOST_BRANCHES,
) -> Chain[N]:
    """Follow every answer to every question, and so write down the whole walk of a token.

    `rules` may be a game's name too.  `policy` answers what the player decides (default: leave
    jail at once, where the rules let him), `number` is the type of the probabilities: `Fraction`
    (exact, the default) or `float`.
    Raises `RulesError` if there are more than `most_states` states or `most_branches` branches, or
    if the policy asks for what the rules do not allow.
    """
    rules = rules if isinstance(rules, Rules) else load(rules)
    policy = policy or usual_policy(rules)
    check_policy(policy, rules)
    first = start or begin(rules)
    states, places = [first], {first: 0}
    branches: list[tuple[Branch[N], ...]] = []
    ways = 0
    while len(branches) < len(states):
        state, row = states[len(branches)], []
        answers = options(state, rules, policy)
        ways += len(answers)
        if ways > most_branches:
            raise _too_large(rules, f"{most_branches:,} branches", "most_branches")
        for answer, chance in answers.items():
            way = step(state, answer, rules)
            place = places.setdefault(way.end, len(states))
            if place == len(states):
                states.append(way.end)
                _bounded(states, rules, most_states)
            row.append(Branch(number(chance), place, way.events))
        branches.append(tuple(row))
    _check_turns_end(rules, states, branches)
    return Chain(rules, policy, number, tuple(states), tuple(branches))


def _check_turns_end(
    rules: Rules, states: Sequence[State], branches: Sequence[Sequence[Branch[N]]]
) -> None:
    """Refuse rules under which some turn can never end, such as doubles on every throw."""
    back: list[list[int]] = [[] for _ in states]
    ends: list[int] = []
    for i, row in enumerate(branches):
        for branch in row:
            back[branch.end].append(i)
        if any(isinstance(event, TurnOver) for branch in row for event in branch.events):
            ends.append(i)
    seen = leading_to(ends, back)
    if len(seen) < len(states):
        stuck = next(i for i in range(len(states)) if i not in seen)
        square = rules.squares[states[stuck].token.square].id
        text = "a turn that comes here can never end"
        raise RulesError(rules.label, [Problem("", f"squares.{square}", text)])


def leading_to(goals: Iterable[int], back: Sequence[Sequence[int]]) -> set[int]:
    """The goals, and every state from which one of them can be reached.

    `back` lists, for each state, the states just before it.
    """
    found = list(goals)
    seen = set(found)
    for i in found:
        for j in back[i]:
            if j not in seen:
                seen.add(j)
                found.append(j)
    return seen


def usual_policy(rules: Rules) -> Policy:
    """Leave jail before the first roll, where the rules let the player pay then."""
    return leave if rules.jail is None or 1 in rules.jail.fine_before else stay


def _bounded(states: list[State], rules: Rules, most: int) -> None:
    if len(states) > most:
        raise _too_large(rules, f"{most:,} states", "most_states")


def _too_large(rules: Rules, size: str, allow: str) -> RulesError:
    text = (
        f"more than {size}; a rule keeps adding to what is still to come, or the game is large "
        f"(then allow more: chain(rules, {allow}=…))"
    )
    return RulesError(rules.label, [Problem("", "", text)])
