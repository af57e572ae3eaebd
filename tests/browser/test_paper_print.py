"""The printable pages, printed: one sheet of paper each, whatever the game and the paper."""

from __future__ import annotations

import re
from typing import Any

import pytest

from boardrules.library import games
from boardrules.paper import SIZES, paper


@pytest.mark.parametrize(
    ("game", "size"),
    [(game.name, "letter") for game in games()] + [("monopoly", "a4")],  # A4 is longer
)
def test_every_sheet_fits_on_one_page_of_the_right_size_and_way_round(
    page: Any, offline: list[str], game: str, size: str
) -> None:
    whole = paper(game, page="all", size=size)
    page.set_content(whole.html)
    printed = page.pdf(prefer_css_page_size=True)
    boxes = re.findall(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]", printed)
    found = [tuple(round(float(side) / 72 * 25.4) for side in box) for box in boxes]
    short, long = (round(side) for side in SIZES[size][1:])
    assert found == [(long, short) if one.across else (short, long) for one in whole.sheets]


def test_nothing_on_a_page_is_wider_than_the_paper(page: Any) -> None:
    for game in games():
        whole = paper(game.name, page="all")
        page.set_content(whole.html)
        page.emulate_media(media="print")
        for across, width in ((True, 277), (False, 190)):
            page.set_viewport_size({"width": round(width / 25.4 * 96) + 1, "height": 900})
            kind = "across" if across else "upright"
            wide = page.evaluate(
                "(kind) => Math.max(...[...document.querySelectorAll(`section.${kind} *`)]"
                ".map((one) => one.getBoundingClientRect().right))",
                kind,
            )
            assert wide <= width / 25.4 * 96 + 2, (game.name, kind)
