"""Heat: numbers by square, and the colours that they give the board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, TypeAlias

from ..rules import IN_JAIL, Problem, Rules, RulesError, unknown
from .colours import shade
from .writing import percent

Heat: TypeAlias = Any
"""Numbers by square id (and "in_jail"), or a landing table, or anything with such rows."""


def warmth(rules: Rules, heat: Heat) -> dict[str, float]:
    """The heat of each square as plain numbers; what is nothing is left out.

    Raises `RulesError` for a square that the board does not have, or a number that is none.
    """
    if heat is None:
        return {}
    if not isinstance(heat, Mapping):
        heat = {row.id: row.probability for row in heat.rows}
    known = [*rules.index, *([IN_JAIL] if rules.jail else [])]
    problems = [Problem("", str(key), unknown("square", str(key), known)) for key in heat
                if key not in known]  # fmt: skip
    found: dict[str, float] = {}
    for key, value in heat.items():
        number = float(value)
        if not isfinite(number):
            problems.append(Problem("", str(key), f"the heat of a square cannot be {number}"))
        elif number > 0:
            found[key] = number
    if problems:
        raise RulesError(rules.label, problems)
    return found


def small_print(rules: Rules, heat: Heat) -> str:
    """What heat says of itself if it is a result: unit, policy, overlays and evidence.

    The caution of the rules is left out, since a board says that anyway.
    """
    lines = getattr(getattr(heat, "context", None), "lines", ())
    return "; ".join(line for line in lines[1:] if line != rules.caution)


def paint(
    rules: Rules, heat: Heat, show: Callable[[float], str] = percent
) -> dict[str, dict[str, str]]:
    """How each square looks under some heat: `fill`, `ink` and `text`; cold ones are left out."""
    warm = warmth(rules, heat)
    top = max(warm.values(), default=1.0)
    painted = {}
    for key, value in warm.items():
        fill, ink = shade(value / top)
        painted[key] = {"fill": fill, "ink": ink, "text": show(value)}
    return painted
