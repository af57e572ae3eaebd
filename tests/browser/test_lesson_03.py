"""The lesson on rents as a pupil sees it: all charts are drawn, without the internet."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

LESSON = Path(__file__).resolve().parents[2] / "notebooks" / "03_rent.ipynb"


def test_the_lesson_on_rents_runs_offline_and_draws_its_charts(
    open_notebook: Callable[[Path], Any],
) -> None:
    page = open_notebook(LESSON)
    errors = page.locator(".jp-OutputArea [data-mime-type='application/vnd.jupyter.stderr']")
    board = page.get_by_role("img", name="Monopoly: rent per roll of one opponent").first
    board.scroll_into_view_if_needed()
    board.get_by_text("$52.5", exact=True).first.wait_for()

    said = page.get_by_text("WRONG: share of turns that end there")
    said.scroll_into_view_if_needed()
    said.wait_for()
    for title in ("rents, level by level", "when it has paid for itself", "which group leaves"):
        head = page.locator(".js-plotly-plot .gtitle", has_text=title).first
        head.scroll_into_view_if_needed()
        head.wait_for()
    page.get_by_text("Street V surely beats").scroll_into_view_if_needed()
    assert errors.count() == 0
