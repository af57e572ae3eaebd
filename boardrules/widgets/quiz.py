"""Questions with a box for the answer, which say kindly whether it is right."""

from __future__ import annotations

import re
from fractions import Fraction

from .paper import Paper
from .pause import LONGEST_ANSWER


def quiz(question: str, right: int | Fraction | str, hint: str = "", why: str = "") -> Quiz:
    """A question with a box for the answer, which says kindly whether it is right.

    Numbers may be told as `6`, `6/36`, `6 of 36`, `0.167` or `16.7%`; a decimal counts as right
    if it is rounded rightly to at least two digits.  `hint` helps after a wrong answer, `why`
    explains a right one.
    """
    return Quiz(question, right, hint, why)


class Quiz(Paper):
    """One question with a box for its answer; made by `quiz`."""

    def __init__(self, question: str, right: int | Fraction | str, hint: str, why: str) -> None:
        super().__init__(asks=question, button="Check")
        self._right, self._hint, self._why = right, hint, why
        self.on_answer(self.answer)

    def answer(self, told: str) -> None:
        """Check an answer, and say so below the box."""
        verdict, text = judge(told, self._right)
        more = {True: self._why, False: self._hint, None: ""}[verdict]
        self.message = f"{text} {more}".strip()

    def __repr__(self) -> str:
        return f"<Quiz {self.asks!r}>"

    def solved(self) -> Quiz:
        """The same question, answered rightly: how the teacher's copy of a lesson shows it."""
        self.answer(str(self._right))
        return self


def judge(told: str, right: int | Fraction | str) -> tuple[bool | None, str]:
    """Whether an answer is right, and a friendly word; None if it is no answer at all."""
    text = told.strip()[:LONGEST_ANSWER]
    if isinstance(right, str):
        if text.casefold() == right.casefold():
            return True, f"“{text}” is right!"
        return False, f"“{text}” is not it yet."
    number = read_number(text)
    if number is None:
        return None, f"“{text}” is not a number I can read; try 6, 6/36, 0.167 or 16.7%."
    value, slack = number
    if value == right:
        return True, f"{text} is right!"
    if abs(value - right) <= slack:
        if slack > Fraction(1, 200):
            return None, f"{text} is about right; please give two digits or a fraction."
        return True, f"{text} is right, rounded; exactly it is {right}."
    return False, f"{text} is not it yet."


_DECIMAL = re.compile(r"(\d{1,9})(?:[.,](\d{1,9}))?\s*(%?)")
_SHARE = re.compile(r"(\d{1,9})\s*(?:/|of|in|out of)\s*(\d{1,9})")


def read_number(text: str) -> tuple[Fraction, Fraction] | None:
    """A number as a pupil writes it, and how far rounding may have moved it; None if it is none."""
    found = _SHARE.fullmatch(text.strip())
    if found:
        whole = int(found[2])
        return (Fraction(int(found[1]), whole), Fraction(0)) if whole else None
    found = _DECIMAL.fullmatch(text.strip())
    if not found:
        return None
    places = len(found[2] or "")
    value = Fraction(int(found[1] + (found[2] or "")), 10**places)
    slack = Fraction(1, 2 * 10**places) if places or found[3] else Fraction(0)
    return (value / 100, slack / 100) if found[3] else (value, slack)


def ways(total: int, dice: int = 2, sides: int = 6) -> int:
    """In how many ways some dice show a total, every die told apart.

    >>> ways(12)
    1
    """
    counts = {0: 1}
    for _ in range(dice):
        longer: dict[int, int] = {}
        for pips, count in counts.items():
            for face in range(1, sides + 1):
                longer[pips + face] = longer.get(pips + face, 0) + count
        counts = longer
    return counts.get(total, 0)
