"""Any page by its name, for the command line and for those who want them all."""

from __future__ import annotations

from collections.abc import Mapping

from ..decimals import Decimal, checked
from ..library import Source
from ..rules import Problem, Rules, RulesError, unknown
from ..turn import Policy
from .boards import MOST, blank_page, board_page
from .page import Page, opened, sized, together
from .sheets import answers_page, squares_page, throws_page

PAGES: Mapping[str, str] = {
    "board": "the board, in black on white",
    "heat": "the board with the share of each square",
    "throws": "a sheet to tally throws on",
    "squares": "a sheet to tally squares on",
    "blank": "an empty board for a game of one's own",
    "answers": "the exact landing table, most and least visited, the dice",
    "all": "all of these, one after the other",
}
"""The pages there are."""


def paper(
    game: Rules | Source,
    *overlays: Source,
    page: str = "board",
    per: str = "roll",
    policy: Policy | None = None,
    size: str = "a4",
    decimal: Decimal = ".",
) -> Page:
    """A page to print for a game: one of `PAGES`, or all of them.

    Raises `RulesError` for a page or a size that there is not.

    >>> paper("corner_shop", page="answers", decimal=",")
    <Page Corner Shop: answers: 1 on A4>
    """
    if page not in PAGES:
        raise RulesError("paper", [Problem("", "page", unknown("page", page, PAGES))])
    checked(decimal)
    sized(size)
    rules = opened(game, *overlays)
    if page == "all":
        names = [name for name in PAGES if name not in ("all", "blank")]
        names += ["blank"] if len(rules.squares) <= MOST else []
        return together([_one(rules, name, per, policy, size, decimal) for name in names])
    return _one(rules, page, per, policy, size, decimal)


def _one(
    rules: Rules, page: str, per: str, policy: Policy | None, size: str, decimal: Decimal
) -> Page:
    if page == "throws":
        return throws_page(rules, size=size)
    if page == "squares":
        return squares_page(rules, size=size)
    if page == "blank":
        return blank_page(rules, size=size)
    if page == "answers":
        return answers_page(rules, per=per, policy=policy, size=size, decimal=decimal)
    return board_page(
        rules, heat=page == "heat", per=per, policy=policy, size=size, decimal=decimal
    )
