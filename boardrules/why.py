"""Why a number is what it is: by which ways a token comes to a square, and how fast it settles.

The share of a square is split by how the token came there: thrown on the board, thrown out of
jail, or sent by which card.  The parts are as exact as the whole and add up to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic

from .chain import Branch, Chain, N
from .effects import DICE, EndRoll
from .events import Event, Freed, Jailed, Landed, Price, RollOver, rolls, turns
from .measure import stationary, tally, trail
from .results import STOPS, Context, context, frame_of
from .rules import IN_JAIL, Problem, Rules, RulesError
from .solve import dot

if TYPE_CHECKING:
    import pandas as pd

FROM_JAIL = "dice out of jail"
STAYED = "stayed in jail"


@dataclass(frozen=True, eq=False)
class Why(Generic[N]):
    """One square's share of all rolls, split by the way the token came there."""

    context: Context
    square: str
    name: str
    parts: Mapping[str, N]

    @property
    def whole(self) -> N:
        """The share of the square: what the parts add up to."""
        first, *rest = self.parts.values()
        return sum(rest, first)

    def sentence(self) -> str:
        """The split in plain words."""
        parts = "; ".join(
            f"{_percent(share)} {_told(way, self.context.rules)}"
            for way, share in self.parts.items()
        )
        return f"{self.name} has {_percent(self.whole)} of all rolls: {parts}."

    def frame(self, *, exact: bool = False) -> pd.DataFrame:
        """The split as a pandas frame; `exact=True` keeps Fractions as they are."""
        show: Any = (lambda value: value) if exact else float
        return frame_of(
            {
                "square": [self.square] * len(self.parts),
                "way": list(self.parts),
                "in words": [_told(way, self.context.rules) for way in self.parts],
                "probability_per_roll": [show(share) for share in self.parts.values()],
            }
        )

    def __repr__(self) -> str:
        return f"<Why {self.sentence()}>"

    def _repr_html_(self) -> str:
        small = "<br>".join(map(escape, self.context.lines))
        return f"<p>{escape(self.sentence())}</p><p><small>{small}</small></p>"


def why(walk: Chain[N], square: str) -> Why[N]:
    """Split a square's share of all rolls by how the token came there.

    `square` is an id, or "in_jail".  The ways are "dice", "dice out of jail", "stayed in jail" and
    the cards, as `deck.card`, in decreasing order; exact if the chain is.

    >>> from boardrules import chain, load
    >>> why(chain(load("corner_shop")), "bakery").parts["dice"]
    Fraction(629, 8784)
    """
    rules = walk.rules
    if square != IN_JAIL or rules.jail is None:
        rules.square(square)
    found, whole = _roll_ends(walk, square)
    if not found:
        text = "no roll ever ends there, so there is nothing to explain"
        raise RulesError(rules.label, [Problem("", square, text)])
    ordered = sorted(found.items(), key=lambda part: -float(part[1]))  # type: ignore[arg-type]
    name = rules.jail.name if square == IN_JAIL and rules.jail else rules.square(square).name
    return Why(context(walk, "roll"), square, name, {way: s / whole for way, s in ordered})


def _roll_ends(walk: Chain[N], square: str) -> tuple[dict[str, N], N]:
    """The flow of each way into the rolls that end on a square, and the flow of all rolls.

    A roll may pause for cards, so the way is carried along from pause to pause; and whether a
    throw is made out of jail is carried from the moment the jail opens.
    """
    law = stationary(walk)
    ways = _ways_into(walk, law)
    found: dict[str, N] = {}
    flows, chances = [], []
    for i, mass in enumerate(law):
        for branch in walk.branches[i] if mass else ():
            over = next((e for e in branch.events if isinstance(e, RollOver)), None)
            if over is None:
                continue
            flows.append(mass)
            chances.append(branch.chance)
            if over.jailed if square == IN_JAIL else (over.square == square and not over.jailed):
                for way, share in _along(branch.events, ways[i]).items():
                    part = mass * branch.chance * share
                    found[way] = found[way] + part if way in found else part
    return found, dot(flows, chances, walk.number)


def _ways_into(walk: Chain[N], law: Sequence[N]) -> list[dict[str, N]]:
    """For each state, the shares of the ways by which its token came there.

    Only states within a turn remember; they are gone through until nothing changes any more,
    which takes as many rounds as a turn can ask questions in a row.
    """
    ways: list[dict[str, N]] = [{DICE: walk.number(Fraction(1))} for _ in law]
    inflows: dict[int, list[tuple[int, Branch[N]]]] = {}
    for i, mass in enumerate(law):
        for branch in walk.branches[i] if mass else ():
            if not any(isinstance(event, RollOver) for event in branch.events):
                inflows.setdefault(branch.end, []).append((i, branch))
    for _ in range(len(inflows) + 1):
        settled = {state: _mixed(law, ways, flows, state) for state, flows in inflows.items()}
        if all(ways[state] == shares for state, shares in settled.items()):
            break
        for state, shares in settled.items():
            ways[state] = shares
    return ways


def _mixed(
    law: Sequence[N],
    ways: Sequence[Mapping[str, N]],
    flows: Sequence[tuple[int, Branch[N]]],
    state: int,
) -> dict[str, N]:
    """The ways into one state, in proportion to their flows; what is left began there."""
    into: dict[str, Any] = {}
    for i, branch in flows:
        for way, share in _onwards(branch.events, ways[i]).items():
            part = law[i] * branch.chance * share
            into[way] = into[way] + part if way in into else part
    fresh = law[state] - sum(into.values())
    if abs(float(fresh)) > _NOISE * float(law[state]):  # type: ignore[arg-type]
        into[DICE] = into[DICE] + fresh if DICE in into else fresh
    return {way: part / law[state] for way, part in into.items()}


_NOISE = 1e-9
"""Below this a share that should be nothing is the rounding of floats."""


def _along(events: Sequence[Event], ways: Mapping[str, N]) -> Mapping[str, N]:
    """The ways after some events: the last arrival decides; dice out of jail stay what they are."""
    freed = any(isinstance(event, Freed) for event in events)
    for event in reversed(events):
        if isinstance(event, Jailed):
            return _all(event.cause, ways)
        if isinstance(event, Landed):
            if event.by != DICE:
                return _all(event.by, ways)
            return _all(FROM_JAIL, ways) if freed else _thrown(ways)
    stays = any(isinstance(event, RollOver) and event.jailed for event in events)
    return _all(STAYED, ways) if stays else ways


def _onwards(events: Sequence[Event], ways: Mapping[str, N]) -> Mapping[str, N]:
    """The ways that a pause within the roll inherits; an open jail counts until the next move."""
    freed = any(isinstance(event, Freed) for event in events)
    return _all(FROM_JAIL, ways) if freed and not _landed(events) else _along(events, ways)


def _landed(events: Sequence[Event]) -> bool:
    return any(isinstance(event, Landed) for event in events)


def _thrown(ways: Mapping[str, N]) -> Mapping[str, N]:
    """A move by dice: out of jail for those who have just been let out, else just thrown."""
    kept: dict[str, N] = {}
    for way, share in ways.items():
        name = way if way == FROM_JAIL else DICE
        kept[name] = kept[name] + share if name in kept else share
    return kept


def _all(way: str, ways: Mapping[str, N]) -> Mapping[str, N]:
    first, *rest = ways.values()
    return {way: sum(rest, first)}


def _told(way: str, rules: Rules) -> str:
    """A way in words."""
    if way == DICE:
        return "thrown on the board"
    if way == FROM_JAIL:
        return "thrown on the way out of jail"
    if way == STAYED:
        return "by staying there"
    if way in rules.index:
        return f"sent from {rules.square(way).name}"
    deck, _, name = way.partition(".")
    cards = {card.id: card for card in rules.decks[deck].cards} if deck in rules.decks else {}
    if name in cards:
        return f"by “{cards[name].name}” from {rules.decks[deck].name}"
    return "for too many doubles" if way == "doubles" else f"by {way}"


def _percent(share: Any) -> str:
    return f"{100 * float(share):.2f} %"


# ------------------------------------------------------------------------ how fast it settles


def distances(walk: Chain[N], most: int, unit: Price = rolls) -> list[N]:
    """How far the law after 0, 1, … rolls (or turns) is from the long run.

    The total variation distance: the largest error in the chance of any set of squares, jail
    counted as a square of its own; 1 is as far as can be, 0 is there.
    """
    spots: dict[Price, Any] = {rolls: STOPS["roll"], turns: STOPS["turn"]}
    spot = spots.get(unit)
    if spot is None:
        raise RulesError(walk.rules.label, [Problem("", "", "distances are per roll or per turn")])
    limit = tally(walk, spot, unit)
    zero = walk.number(Fraction(0))
    return [
        sum((abs(law.get(at, zero) - limit.get(at, zero)) for at in {**limit, **law}), zero) / 2
        for law in islice(trail(walk, unit, walk.states[0]), most + 1)
    ]


def second_eigenvalue(walk: Chain[Any]) -> float:
    """How much of the memory of the start is left after one more roll, in the long run.

    The modulus of the second largest eigenvalue of the transition matrix from roll to roll,
    numerically (numpy).
    """
    import numpy as np

    size = len(walk.states)
    within, across = np.zeros((size, size)), np.zeros((size, size))
    for i, branches in enumerate(walk.branches):
        for branch in branches:
            over = any(isinstance(event, RollOver) for event in branch.events)
            (across if over else within)[i, branch.end] += float(branch.chance)
    matrix = np.linalg.solve(np.eye(size) - within, across)
    starts = [i for i, state in enumerate(walk.states) if EndRoll() not in state.agenda]
    values = np.sort(np.abs(np.linalg.eigvals(matrix[np.ix_(starts, starts)])))
    return float(values[-2])


def quantile(law: Mapping[Any, N], share: Fraction | float | str) -> Any:
    """The smallest value that is reached with at least the given chance: "1/2" is the median.

    `law` is what `first_passage` or `spread` gives.  Raises `RulesError` if the law, which may be
    cut off, does not reach that far.
    """
    wanted = Fraction(str(share))
    if not 0 < wanted <= 1:
        raise RulesError("quantile", [Problem("", "", f"needs a chance up to 1, not {share!r}")])
    reached: Any = 0
    for value, chance in sorted(law.items()):
        reached = reached + chance
        if reached >= wanted:
            return value
    text = f"this law holds only {float(reached):.4f} of the chance; compute more of it"
    raise RulesError("quantile", [Problem("", "", text)])
