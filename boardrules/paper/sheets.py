"""Sheets to fill in, and the sheet with the answers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..decimals import Decimal, checked, written
from ..library import Source
from ..results import Context
from ..rules import IN_JAIL, Rules
from ..tables import Landing, Row, landing
from ..turn import Policy, Thrown, throws
from .page import Page, Sheet, opened, safe, sized, small_print, table

_FIELDS = "<p class='fields'><span>Name</span><span>Class</span><span>Date</span></p>"
_LONGEST_FRACTION = 14
"""An exact share of more signs than this stands in no table on paper."""


def throws_page(game: Rules | Source, *overlays: Source, size: str = "a4") -> Page:
    """A sheet to tally throws on: one line for each sum that the dice of a game can show."""
    paper = sized(size)
    rules = opened(game, *overlays)
    sums = list(_sums(rules))
    head = ("sum", "strokes: |||| and a line across for five", "how often", "expected")
    body = table(head, [(str(total), "", "", "") for total in sums] + [("all", "", "", "")],
                 ("number", "wide", "empty", "empty"))  # fmt: skip
    count = rules.dice.count
    tip = (
        f"Throw {_dice(rules)} and make a stroke beside the sum; after the last throw, count. "
        if count > 1
        else f"Throw {_dice(rules)} and make a stroke beside what it shows; then count. "
    )
    tip += "Expected: the share of the sum, times the number of throws."
    title = f"Our throws: {_dice(rules)}"
    small = ("; ".join(_plain_small(rules, "dice")),)
    whole = f"{_FIELDS}<p>{safe(tip)}</p><div class='roomy'>{body}</div>"
    return Page(title, paper, (Sheet(title, whole, small),))


def squares_page(game: Rules | Source, *overlays: Source, size: str = "a4") -> Page:
    """A sheet to tally on which squares rolls end: one line a square, the jail last."""
    paper = sized(size)
    rules = opened(game, *overlays)
    squares = [(str(square.number), square.name) for square in rules.squares]
    if rules.jail:
        squares.append(("", rules.jail.name))
    head, kinds = ("", "square", "strokes", "sum"), ("number", "name", "wide", "empty")
    rows = [(number, name, "", "") for number, name in squares]
    body = _beside(head, rows, kinds, "rows", 21)
    title = f"{rules.title}: where do our rolls end?"
    tip = "A stroke for the square on which the token stands when a roll is over, cards included."
    small = _plain_small(rules, "walk")
    return Page(title, paper, (Sheet(title, f"{_FIELDS}<p>{tip}</p>{body}", small),))


def answers_page(
    game: Rules | Source,
    *overlays: Source,
    per: str = "roll",
    policy: Policy | None = None,
    size: str = "a4",
    decimal: Decimal = ".",
) -> Page:
    """The answers: the exact landing table, the squares visited most and least, the dice.

    Shares are computed exactly; where the fraction is short, it stands beside the decimals.
    """
    paper, checked_ = sized(size), checked(decimal)
    rules = opened(game, *overlays)
    exact: Landing[Fraction] = landing(rules, per=per, policy=policy)
    found = _answers(exact, checked_)
    title = f"{rules.title}: answers"
    body = found + _seldom_and_often(exact, checked_) + _dice_answers(rules, checked_)
    small = ("Exact, rounded to the digits shown.", *small_print(exact.context))
    return Page(title, paper, (Sheet(title, body, small),))


def _answers(exact: Landing[Fraction], decimal: Decimal) -> str:
    short = [_fraction(row.probability) for row in exact.rows]
    with_fractions = all(short)
    what = "stops" if exact.context.unit == "lap" else "share"
    head = ["", "square", what, *(["exactly"] if with_fractions else []), "1 in"]
    kinds = ["number", "name", "number", *(["number"] if with_fractions else []), "number"]
    rows = []
    for row, fraction in zip(exact.rows, short, strict=True):
        number = "" if row.id == IN_JAIL else str(row.number)
        share = written(exact.shown(row), decimal)
        exactly = [fraction] if with_fractions else []
        rows.append([number, row.name, share, *exactly, _one_in(row, decimal)])
    return _beside(head, rows, kinds, "dense", 21)


def _fraction(share: Fraction) -> str:
    text = str(share)
    return text if len(text) <= _LONGEST_FRACTION else ""


def _one_in(row: Row[Fraction], decimal: Decimal) -> str:
    if not 0 < row.probability <= 1:
        return ""
    return written(f"{float(1 / row.probability):.1f}", decimal)


def _seldom_and_often(exact: Landing[Fraction], decimal: Decimal) -> str:
    visited = [row for row in exact.most(len(exact.rows)) if row.probability]
    never = [row.name for row in exact.rows if not row.probability]
    count = 5 if len(visited) >= 12 else 3

    def told(rows: Sequence[Row[Fraction]]) -> str:
        return safe("; ".join(f"{row.name} {written(exact.shown(row), decimal)}" for row in rows))

    said = f"<h2>Most and least</h2><p>Most: {told(visited[:count])}.</p>"
    said += f"<p>Least: {told(visited[: -count - 1 : -1])}.</p>"
    return said + (f"<p>Never: {safe(', '.join(never))}.</p>" if never else "")


def _dice_answers(rules: Rules, decimal: Decimal) -> str:
    """The law of the dice: a column for each sum, as long as they fit."""
    sums = _sums(rules)
    if not 2 <= len(sums) <= 16:
        return ""
    shares = [written(f"{100 * float(share):.1f}", decimal) for share in sums.values()]
    rows = [["chance", *(str(share) for share in sums.values())], ["in %", *shares]]
    kinds = ["name", *["number"] * len(sums)]
    inside = table(["sum", *(str(total) for total in sums)], rows, kinds)
    return f"<h2>{safe(_dice(rules)).capitalize()}</h2><div class='dense'>{inside}</div>"


def _sums(rules: Rules) -> dict[int, Fraction]:
    law: dict[int, Fraction] = {}
    for thrown, chance in throws(rules.dice).items():
        assert isinstance(thrown, Thrown)
        law[thrown.pips] = law.get(thrown.pips, Fraction(0)) + chance
    return dict(sorted(law.items()))


def _dice(rules: Rules) -> str:
    """The dice in words: `two dice`, `one die of 8 faces`."""
    words = {1: "one die", 2: "two dice", 3: "three dice"}
    sides = len(rules.dice.faces)
    said = words.get(rules.dice.count, f"{rules.dice.count} dice")
    return said if sides == 6 else f"{said} of {sides} faces" + (", or coins" if sides == 2 else "")


def _beside(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    kinds: Sequence[str],
    style: str,
    most: int,
) -> str:
    """A long table as two halves side by side."""
    if len(rows) <= most:
        return f"<div class='{style}'>{table(head, rows, kinds)}</div>"
    half = -(-len(rows) // 2)
    tables = "".join(table(head, part, kinds) for part in (rows[:half], rows[half:]))
    return f"<div class='side {style}'>{tables}</div>"


def _plain_small(rules: Rules, rests: str) -> tuple[str, ...]:
    """What a sheet without numbers rests on."""
    about = Context(rules, "roll", "", "dice" if rests == "dice" else "walk")
    overlays = ", ".join(rules.overlays) or "none"
    said = (f"{rules.title}; overlays: {overlays}; evidence: {about.grade}", about.caution)
    return tuple(filter(None, said))
