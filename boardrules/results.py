"""What every result carries: what it rests on, the units it is in, and its way into a frame."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any

from .chain import Chain, N, chain, usual_policy
from .events import Event, Landed, Placed, Price, RollOver, TurnOver, laps, rolls, turns
from .evidence import Rests, grade
from .library import Source, load
from .rules import DOUBTFUL, GRADES, Problem, Rules, RulesError, unknown
from .turn import Policy

if TYPE_CHECKING:
    import pandas as pd

UNITS: Mapping[str, str] = {
    "roll": "share of rolls that end here, cards included",
    "turn": "share of turns that end here",
    "visit": "share of all stops, those on the way to somewhere else included",
    "lap": "expected stops here in one lap",
}
"""The units of a landing table, and what its numbers are in each."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a result rests on: the rules, the unit, the policy."""

    rules: Rules = field(repr=False)
    unit: str
    policy: str
    rests: Rests = "walk"

    @property
    def grade(self) -> str:
        """The weakest grade of evidence that the result rests on."""
        return grade(self.rules, self.rests)

    @property
    def caution(self) -> str:
        """What has to be said wherever the result is shown, or nothing."""
        return self.rules.caution if self.grade in DOUBTFUL else ""

    @property
    def lines(self) -> tuple[str, ...]:
        """Title and small print of a table or a chart."""
        jail = f", jail: {self.policy}" if self.policy else ""
        overlays = ", ".join(self.rules.overlays) or "none"
        small = f"per {self.per}{jail}; overlays: {overlays}"
        grade = f"evidence: {self.grade} ({GRADES[self.grade]})"
        return tuple(line for line in (self.rules.title, small, grade, self.caution) if line)

    @property
    def per(self) -> str:
        """The unit as the game calls it: a lap may be a month."""
        return self.rules.lap_name if self.unit == "lap" else self.unit


def context(walk: Chain[Any], unit: str, rests: Rests = "walk") -> Context:
    """What a result from this chain rests on."""
    return Context(walk.rules, unit, walk.policy.name if walk.rules.jail else "", rests)


def as_chain(
    game: Rules | Source | Chain[N],
    *overlays: Source,
    policy: Policy | None = None,
    number: Callable[[Fraction], N] = Fraction,  # type: ignore[assignment]
) -> Chain[N]:
    """The chain of whatever names a game; a chain is taken as it is.

    Raises `RulesError` for what would be ignored: overlays beside rules that are loaded already,
    a policy or a type of number beside a chain that has its own.
    """
    if isinstance(game, Chain):
        other = number is not Fraction and number is not game.number
        if overlays or other or (policy is not None and policy is not game.policy):
            text = "a chain has its rules, its policy and its numbers; give rules or a name instead"
            raise RulesError(game.rules.label, [Problem("", "", text)])
        return game
    if isinstance(game, Rules) and overlays:
        text = "these rules are loaded already; give the overlays to load()"
        raise RulesError(game.label, [Problem("", "", text)])
    rules = game if isinstance(game, Rules) else load(game, *overlays)
    return chain(rules, policy or usual_policy(rules), number)


def _at_roll(event: Event) -> Any:
    return (event.square, event.jailed > 0) if isinstance(event, RollOver) else None


def _at_turn(event: Event) -> Any:
    return (event.square, event.jailed > 0) if isinstance(event, TurnOver) else None


def _at_visit(event: Event) -> Any:
    """Every stop; a roll that ends in jail is a stop in jail."""
    if isinstance(event, Landed):
        return event.square, False
    return (event.square, True) if isinstance(event, RollOver) and event.jailed else None


def _at_lap(event: Event) -> Any:
    """Every stop, and where a token is put down to begin a lap."""
    return (event.square, False) if isinstance(event, Placed) else _at_visit(event)


def stops(event: Event) -> int:
    """One for every stop: the end of every move, and every roll that ends in jail."""
    return int(_at_visit(event) is not None)


def in_floats_by_default(game: object) -> Any:
    """The type of number of an answer that is worked out in floats unless somebody asks otherwise.

    A chain keeps its own.
    """
    return game.number if isinstance(game, Chain) else float


STOPS: Mapping[str, Callable[[Event], Any]] = {
    "roll": _at_roll,
    "turn": _at_turn,
    "visit": _at_visit,
    "lap": _at_lap,
}
"""For each unit, the events that its table counts, as (square id, in jail or not)."""

_COUNTS: Mapping[str, Price] = {"roll": rolls, "turn": turns, "visit": stops, "lap": laps}


def unit_price(rules: Rules, per: str) -> Price:
    """The event that is counted for a unit: roll, turn, lap or visit."""
    if per not in _COUNTS:
        raise RulesError(rules.label, [Problem("", "per", unknown("unit", per, _COUNTS))])
    return _COUNTS[per]


def frame_of(columns: Mapping[str, Sequence[Any]]) -> pd.DataFrame:
    """Columns as a pandas frame; says what to do where pandas is absent."""
    try:
        import pandas
    except ImportError as error:
        text = "frames need pandas; install it, or use .rows, which needs nothing"
        raise ImportError(text) from error
    return pandas.DataFrame(columns)


def html_table(lines: Sequence[str], cells: Sequence[Sequence[str]]) -> str:
    """A table for a notebook: title, small print, and rows of which the first is the head.

    Everything is escaped; cells that hold numbers stand flush right.
    """
    first, *small = map(escape, lines)
    head = "".join(f"<th>{escape(cell)}</th>" for cell in cells[0])
    body = "".join("<tr>" + "".join(map(_html_cell, row)) + "</tr>" for row in cells[1:])
    return (
        f"<table><caption><b>{first}</b><br>{'<br>'.join(small)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _html_cell(cell: str) -> str:
    right = " style='text-align:right'" if cell[:1].isdecimal() or cell[:1] in "-+–" else ""
    return f"<td{right}>{escape(cell)}</td>"
