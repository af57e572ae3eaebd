"""Numbers with a decimal comma or point, as the teacher likes: `2,9 %` instead of `2.9 %`.

Only what people read is changed, and only where it is shown: texts that this library has written,
numbers on a board, a finished chart.  Results, CSV and JSON keep their points.  Nothing is set for
the whole program: whoever wants a comma says so each time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

Decimal: TypeAlias = Literal[".", ","]
"""The sign between the whole part of a number and its decimals."""

THIN = "\u202f"
"""A narrow space that does not break: it groups thousands where the comma is taken."""

_NUMBER = re.compile(r"(?<![\w.,])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\d]|[.,]\d)")
_APART = re.compile(r"(<[^<>]*>|%\{[^{}]*\}|&#?\w+;)")
"""What stands between numbers in a chart and is none: tags, places for values, signs by code."""


def written(text: str, decimal: Decimal = ",") -> str:
    r"""A text of this library with its numbers in the other style.

    `1,234.5` becomes `1 234,5` with a narrow space; dates, versions and rule numbers such as
    `1.2.3` or `C1` stay.  The text must have been written with points; with `"."` it is returned
    as it is.

    >>> written("2.9 % of 1,000 rolls, rule C1.5")
    '2,9 % of 1\u202f000 rolls, rule C1.5'
    """
    if checked(decimal) == ".":
        return text
    return _NUMBER.sub(_turned, text)


def _turned(found: re.Match[str]) -> str:
    return found[0].replace(",", THIN).replace(".", ",")


def checked(decimal: object) -> Decimal:
    """The sign, if it is one of the two.

    Raises `ValueError` for anything else.
    """
    if decimal == ".":
        return "."
    if decimal == ",":
        return ","
    raise ValueError(f"decimal must be '.' or ',', not {decimal!r}")


def shown_with(decimal: Decimal, show: Callable[[float], str]) -> Callable[[float], str]:
    """Another way to write numbers, made of one that writes points.

    For `boardrules.board`: `svg(rules, heat, show=shown_with(",", percent))`.

    >>> shown_with(",", "{:.1%}".format)(0.029)
    '2,9%'
    """
    checked(decimal)
    return lambda value: written(show(value), decimal)


# -------------------------------------------------------------------------------- charts

_TEXTS = {
    *("text", "hovertext", "ticktext", "name", "title", "label"),
    *("ticksuffix", "tickprefix", "suffix", "prefix", "hovertemplate", "texttemplate"),
}
"""Keys of a chart under which there are texts to read."""


def figure(chart: Any, decimal: Decimal = ",") -> Any:
    """A plotly figure with its numbers in the other style: ticks, labels, and what hovers.

    Returns a new figure of the same class; the one that was given stays as it is, and so do the
    values in both.  What listens to a `FigureWidget` has to be told of the new one.  A name that
    looks like a number, such as a square called `2.5`, is taken for one.
    """
    if checked(decimal) == ".":
        return chart
    plain = _told(chart.to_dict(), "")
    plain.setdefault("layout", {})["separators"] = f",{THIN}"
    return type(chart)(plain)


def _told(value: Any, key: str) -> Any:
    """A part of a figure with its texts rewritten; arrays of numbers are left alone."""
    if isinstance(value, Mapping):
        return {name: _told(inside, name) for name, inside in value.items()}
    if isinstance(value, str):
        return marked_up(value) if key in _TEXTS else value
    if isinstance(value, (list, tuple)):
        return [_told(inside, key) for inside in value]
    if key in _TEXTS and hasattr(value, "tolist"):
        return _told(value.tolist(), key)
    return value


def marked_up(text: str, decimal: Decimal = ",") -> str:
    """A text with tags, as plotly and browsers read it, changed only where it is shown.

    >>> marked_up("<i style='left:1.5em'>&#36;2.50</i>")
    "<i style='left:1.5em'>&#36;2,50</i>"
    """
    pieces = _APART.split(text)
    return "".join(piece if k % 2 else written(piece, decimal) for k, piece in enumerate(pieces))
