"""What all charts of money share: amounts as people write them, axes of money, small print."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ..charts import INK, NORMAL, SMALL, axis, graph_objects, page, safe, told_apart
from ..evidence import Rests
from ..results import Context
from ..rules import Problem, Rules, RulesError

PLOT = 440
"""The height of the picture itself, in pixels."""


def figure(
    title: str, contexts: Sequence[Context], more: Sequence[str], count: int = 1
) -> tuple[Any, Any]:
    """An empty figure with title and small print, and the module that makes traces.

    `more` is small print besides that of the contexts; `count` entries make room for a legend.
    """
    go = graph_objects()
    _, small = told_apart(contexts)
    drawn = go.Figure()
    drawn.update_layout(**page(title, contexts, list(dict.fromkeys([*small, *more])), count))
    # however much small print and legend there are, the picture itself keeps its size
    drawn.update_layout(height=drawn.layout.margin.t + 60 + PLOT)
    return drawn, go


def about(rules: Rules, rests: Rests = "accounts") -> Context:
    """What a formula rests on: the terms of the accounts, or also the deals."""
    return Context(rules, "lap", "", rests)


def money(rules: Rules, amount: float | Fraction) -> str:
    """An amount with its sign in front of the currency, cents only where there are some."""
    value = float(amount)
    sign = "−" if value < 0 and round(value, 2) else ""
    whole = abs(value - round(value)) < 0.005 or abs(value) >= 1000
    return f"{sign}{rules.currency}{abs(value):,.0f}" if whole else (
        f"{sign}{rules.currency}{abs(value):,.2f}"
    )  # fmt: skip


def signed(rules: Rules, amount: float | Fraction) -> str:
    """The same with a plus in front of gains."""
    return f"+{money(rules, amount)}" if amount > 0 else money(rules, amount)


def percent(share: float | Fraction, digits: int = 1) -> str:
    """A chance in percent; what is not quite nothing is not told as nothing."""
    value = 100 * float(share)
    if 0 < value < 0.5 * 10**-digits:
        return f"< {10**-digits:g} %"
    return f"{value:.{digits}f} %"


def rate(share: Fraction) -> str:
    """A rate of the rules in percent, with as many digits as it has: 20 %, 12.5 %, at most four."""
    return f"{round(100 * float(share), 4):g} %"


def times(count: int | float | Fraction, what: str) -> str:
    """`1 month`, `6 months`, `2.5 months`."""
    shown = f"{float(count):g}"
    return f"{shown} {what}" if shown == "1" else f"{shown} {what}s"


def amounts(rules: Rules, title: str) -> dict[str, Any]:
    """An axis of money, with room between its title and its numbers."""
    words = {
        **axis(),
        "title": {"text": safe(title), "font": {"size": NORMAL}, "standoff": 14},
        "automargin": True,
    }
    if rules.currency == "$":
        return {**words, "tickformat": "$,"}  # puts the minus in front
    return {**words, "tickprefix": safe(rules.currency), "tickformat": ","}


def titled(title: str) -> dict[str, Any]:
    """An axis of anything else."""
    return {
        **axis(),
        "title": {"text": safe(title), "font": {"size": NORMAL}, "standoff": 14},
        "automargin": True,
    }


def note(text: str, **place: Any) -> dict[str, Any]:
    """Words in a chart, without an arrow; `text` is safe already."""
    return {
        "text": text,
        "showarrow": False,
        "font": {"size": SMALL, "color": INK},
        **place,
    }


def mixed(colour: str, share: float) -> str:
    """A colour thinned with white, solid all the same: what lies behind does not shine through."""
    parts = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return "#" + "".join(f"{round(255 - share * (255 - part)):02x}" for part in parts)


def bad(what: str, path: str, text: str) -> RulesError:
    """A chart that cannot be drawn, and why."""
    return RulesError(what, [Problem("", path, text)])
