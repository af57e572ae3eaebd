"""Friendly answers for the exercises of a lesson: never an error, always a hint.

A pupil writes 5/36, "5/36", 0.139, "13.9 %" or "0,139"; `check` understands them all, and says in
one sentence whether the answer is right, nearly right, or what to think about once more.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from fractions import Fraction
from html import escape
from typing import Any, Literal

Verdict = Literal["right", "nearly", "wrong", "open"]

_SIGNS = {"right": "✓", "nearly": "≈", "wrong": "✗", "open": "…"}
_NUMBER = re.compile(r"[+-]?(\d{1,20}(\.\d{0,20})?|\.\d{1,20})")
_DIGITS = 2
"""So many digits, at least, make a rounded answer."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the lesson says to an answer; true only if the answer is right."""

    verdict: Verdict
    text: str

    def __bool__(self) -> bool:
        return self.verdict == "right"

    def __str__(self) -> str:
        return f"{_SIGNS[self.verdict]} {self.text}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<b>{_SIGNS[self.verdict]}</b> {escape(self.text)}"


def check(answer: Any, expected: Any, hint: str = "") -> Reply:
    """Look at a pupil's answer, kindly.

    Numbers may be fractions, decimals (with a point or a comma), percents or texts of these, and
    may be rounded to two digits or more; words may be misspelled a little.  `...` or nothing
    means that the question is still open.  The hint is for those who have tried.  Never raises.

    >>> check("5/36", Fraction(5, 36))
    ✓ Right: 5/36.
    >>> check(13.9, Fraction(5, 36))
    ≈ That is the number in percent; write '13.9 %' or 0.139.
    >>> check("6/36", Fraction(5, 36), "count the ways")
    ✗ Not yet: that is too large. Hint: count the ways
    """
    try:
        reply = _checked(answer, expected)
    except Exception:  # whatever a pupil types, the lesson goes on
        reply = Reply("wrong", "I cannot read this answer; try a number such as 1/4 or 0.25.")
    if reply or reply.verdict == "open" or not hint:
        return reply
    return Reply(reply.verdict, f"{reply.text} Hint: {hint}")


def _checked(answer: Any, expected: Any) -> Reply:
    if answer is None or answer is ... or (isinstance(answer, str) and answer.strip(" .…") == ""):
        return Reply("open", "Put your answer in place of the three dots.")
    if isinstance(expected, str):
        return _words(str(answer), expected)
    wanted = _read(expected)
    given = _read(answer)
    if wanted is None or given is None:
        return Reply("wrong", "I cannot read this answer; try a number such as 1/4 or 0.25.")
    return _numbers(given, wanted)


@dataclass(frozen=True, slots=True)
class _Number:
    """A number as it was written: its value, and the size of its last decimal place (0: exact)."""

    value: Fraction
    place: Fraction = Fraction(0)


def _numbers(given: _Number, wanted: _Number) -> Reply:
    if given.value == wanted.value:
        return Reply("right", f"Right: {_shown(wanted.value)}.")
    if _near(given.value, wanted.value):
        return Reply("right", f"Right: {_shown(wanted.value)}.")
    if _rounds(given, wanted.value):
        if _significant(given) >= _DIGITS:
            return Reply("right", f"Right, rounded; exactly it is {_shown(wanted.value)}.")
        return Reply("nearly", "That is where it lies; give one digit more, or a fraction.")
    if 0 < wanted.value < 1:
        percent = _Number(given.value / 100, given.place / 100)
        if _near(percent.value, wanted.value) or _rounds(percent, wanted.value):
            shown = f"{float(given.value):g} %' or {float(percent.value):g}"
            return Reply("nearly", f"That is the number in percent; write '{shown}.")
        other = _Number(1 - given.value, given.place)
        if _near(other.value, wanted.value) or _rounds(other, wanted.value):
            return Reply("wrong", "That is the chance that it does not happen.")
        if not 0 <= given.value <= 1:
            return Reply("wrong", "A chance lies between 0 and 1 (0 % and 100 %).")
    if given.value and _near(1 / given.value, wanted.value):
        return Reply("wrong", "That is upside down.")
    size = "large" if given.value > wanted.value else "small"
    return Reply("wrong", f"Not yet: that is too {size}.")


def _near(one: Fraction, other: Fraction) -> bool:
    """The same but for the rounding of a computer."""
    return abs(one - other) <= Fraction(1, 10**9) * abs(other)


def _rounds(given: _Number, wanted: Fraction) -> bool:
    """Whether the answer is the number, rounded to the decimals that were written."""
    return given.place > 0 and abs(given.value - wanted) <= given.place / 2


def _significant(given: _Number) -> int:
    """How many digits were written, leading noughts not counted."""
    if not given.place:
        return 0
    return len(str(abs(given.value / given.place).__floor__()))


def _shown(value: Fraction) -> str:
    return str(value) if value.denominator < 10**6 else f"{float(value):.6g}"


def _read(answer: Any) -> _Number | None:
    """The number in whatever a pupil may have written, or None."""
    if isinstance(answer, bool):
        return None
    if isinstance(answer, (int, Fraction)):
        return _Number(Fraction(answer))
    text = repr(answer) if isinstance(answer, float) else str(answer)
    text = text.replace(",", ".").replace("÷", "/").replace(":", "/").replace(" of ", "/")
    text = re.sub(r"\s|\u00a0", "", text)
    percent = text.endswith("%")
    above, slash, below = text.removesuffix("%").partition("/")
    if "e" in above.lower():  # a small float, as Python writes it
        above = f"{float(above):.20f}".rstrip("0")
    if not _NUMBER.fullmatch(above) or (slash and not _NUMBER.fullmatch(below)):
        return None
    value, place = Fraction(above), Fraction(0)
    if slash:
        if not Fraction(below):
            return None
        value /= Fraction(below)
    elif "." in above:
        place = Fraction(1, 10 ** len(above.partition(".")[2]))
    elif percent:
        place = Fraction(1)
    scale = 100 if percent else 1
    return _Number(value / scale, place / scale)


def _words(given: str, wanted: str) -> Reply:
    """Compare two names; small slips of spelling are forgiven, another number is not."""
    one, other = (re.sub(r"[\W_]", "", text.casefold()) for text in (given, wanted))
    short = len(one) >= 5 and other.startswith(one)
    if one == other or (short and not re.search(r"\d", other)):
        return Reply("right", f"Right: {wanted}.")
    numbers = [re.findall(r"\d+", text) for text in (one, other)]
    close = SequenceMatcher(None, one[:200], other).ratio() >= 0.85
    if close and numbers[0] == numbers[1]:
        return Reply("right", f"Right: {wanted} (that is how it is spelled).")
    return Reply("wrong", "Not yet.")
