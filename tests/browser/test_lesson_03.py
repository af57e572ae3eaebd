"""The lesson on rents as a pupil sees it: all charts are drawn, without the internet."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

LESSON = Path(__file__).resolve().parents[2] / "notebooks" / "03_rent.ipynb"

# the outputs of every cell, as the notebook holds them; cells out of sight are not drawn
OUTPUTS = """() => window.jupyterapp.shell.currentWidget.content.widgets.map(
  (cell) => cell.model.type === 'code' ? cell.model.outputs.toJSON() : [])"""
SHOW = "(place) => window.jupyterapp.shell.currentWidget.content.scrollToItem(place, 'start')"

TITLES = (
    "rents, level by level",
    "when it has paid for itself",
    "which group leaves most",
    "when it has paid for itself",
)


def test_the_lesson_on_rents_runs_offline_and_draws_its_charts(
    open_notebook: Callable[[Path], Any],
) -> None:
    page = open_notebook(LESSON)
    outputs = page.evaluate(OUTPUTS)
    assert not [one for some in outputs for one in some if one["output_type"] == "error"]
    kinds = [{kind for one in some for kind in one.get("data", {})} for some in outputs]

    maps = [place for place, some in enumerate(kinds) if "image/svg+xml" in some]
    page.evaluate(SHOW, maps[0])
    board = page.get_by_role("img", name="Monopoly: mean rent in an opponent's roll")
    board.get_by_text("1.  Boardwalk: $52.5").wait_for()

    charts = [place for place, some in enumerate(kinds) if "application/vnd.plotly.v1+json" in some]
    for place, title in zip(charts, TITLES, strict=True):
        page.evaluate(SHOW, place)
        cell = page.locator(f".jp-Cell[data-windowed-list-index='{place}']")
        cell.locator(".js-plotly-plot .gtitle", has_text=title).wait_for()
