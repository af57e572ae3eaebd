"""The lesson on loans and savings as a pupil sees it: sliders by keyboard, charts, no internet."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

LESSON = Path(__file__).resolve().parents[2] / "notebooks" / "04_loans_and_savings.ipynb"

# the outputs of every cell, as the notebook holds them; cells out of sight are not drawn
OUTPUTS = """() => window.jupyterapp.shell.currentWidget.content.widgets.map(
  (cell) => cell.model.type === 'code' ? cell.model.outputs.toJSON() : [])"""
SHOW = "(place) => window.jupyterapp.shell.currentWidget.content.scrollToItem(place, 'start')"

TITLES = (
    "deposit, or keep the cash?",
    "short of cash in mid-month",
    "board and textbook",
    "what one month brings",
    "plans compared",
    "how wealth spreads",
    "the best move",
    "a loan for a deal",
    "which deals to take",
    "when to buy health insurance",
    "What 100 borrowed cost",
)


def test_the_lesson_on_loans_is_worked_by_keyboard_and_draws_its_charts(
    open_notebook: Callable[[Path], Any],
    faults: Callable[[Any, str], list[str]],
) -> None:
    page = open_notebook(LESSON)
    outputs = page.evaluate(OUTPUTS)
    assert not [one for some in outputs for one in some if one["output_type"] == "error"]
    kinds = [{kind for one in some for kind in one.get("data", {})} for some in outputs]

    widget = next(
        n for n, some in enumerate(kinds) if "application/vnd.jupyter.widget-view+json" in some
    )
    page.evaluate(SHOW, widget)
    cell = page.locator(f".jp-Cell[data-windowed-list-index='{widget}']")
    legend = cell.locator(".js-plotly-plot .legendtext")
    legend.filter(has_text="the loan costs 20 % a Pay Day").wait_for()
    before = cell.get_by_role("status").filter(has_text="mean").inner_text()

    slider = cell.get_by_role("slider", name=re.compile("Interest on a loan"))
    slider.focus()
    slider.press("ArrowRight")
    legend.filter(has_text="the loan costs 25 % a Pay Day").wait_for()
    cell.get_by_role("status").filter(has_text="mean").filter(has_not_text=before).wait_for()
    costs = cell.get_by_role("row").filter(has_text="interest paid in cash")
    costs.filter(has_text="costs $75").wait_for()

    cell.get_by_role("button", name="As on the board").press("Enter")
    legend.filter(has_text="the loan costs 20 % a Pay Day").wait_for()
    cell.get_by_role("status").filter(has_text=before).wait_for()

    assert faults(page, f".jp-Cell[data-windowed-list-index='{widget}'] .widget-vbox") == []

    charts = [place for place, some in enumerate(kinds) if "application/vnd.plotly.v1+json" in some]
    for place, title in zip(charts, TITLES, strict=True):
        page.evaluate(SHOW, place)
        cell = page.locator(f".jp-Cell[data-windowed-list-index='{place}']")
        cell.locator(".js-plotly-plot .gtitle", has_text=title).wait_for()
