"""How a token goes from where it stood to where it stands: square by square, or straight."""

from __future__ import annotations

from typing import TypeAlias

from ..effects import DICE
from ..events import Jailed, Landed, Placed
from ..play import Move
from ..rules import IN_JAIL, Rules
from ..turn import Token

Leg: TypeAlias = tuple[str, bool]
"""The next place, and whether the token walks there: else it goes straight across the board."""


def place_of(token: Token, rules: Rules) -> str:
    """Where a token stands: the id of a square, or "in_jail"."""
    return IN_JAIL if token.jailed else rules.squares[token.square].id


def route(move: Move, rules: Rules) -> tuple[Leg, ...]:
    """The way of the token in one move: thrown moves from square to square, all others straight."""
    here = move.before.token.square
    legs: list[Leg] = []
    for event in move.events:
        if isinstance(event, Landed):
            there = rules.index[event.square]
            legs += _walk(here, there, event, rules)
            here = there
        elif isinstance(event, Placed):
            here = rules.index[event.square]
            legs.append((event.square, False))
        elif isinstance(event, Jailed):
            legs.append((IN_JAIL, False))
    last = legs[-1][0] if legs else place_of(move.before.token, rules)
    if last != place_of(move.after.token, rules):
        legs.append((place_of(move.after.token, rules), False))
    return tuple(legs)


def _walk(here: int, there: int, event: Landed, rules: Rules) -> list[Leg]:
    """The squares of one move, the last one only if it was not thrown."""
    count = len(rules.squares)
    around = (here + event.pips - there) % count == 0
    steps = event.pips if around else (there - here) % count
    if event.by != DICE or not 0 < steps <= event.pips:
        return [(event.square, False)]
    return [(rules.squares[(here + step) % count].id, True) for step in range(1, steps + 1)]
