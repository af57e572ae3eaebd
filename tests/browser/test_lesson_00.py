"""The first page as a pupil sees it, and the same with its solutions as the teacher sees it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
START = "00_start_here.ipynb"

TEXTS = """() => window.jupyterapp.shell.currentWidget.content.widgets.map((cell) =>
  cell.model.type === 'code' ? JSON.stringify(cell.model.outputs.toJSON()) : '').join('\\n')"""
PLACE = """(text) => window.jupyterapp.shell.currentWidget.content.widgets.findIndex(
  (cell) => cell.model.sharedModel.source.includes(text))"""
SHOW = "(place) => window.jupyterapp.shell.currentWidget.content.scrollToItem(place, 'start')"


def cell_with(page: Any, text: str) -> Any:
    """The cell in which a text stands, scrolled to: cells out of sight are not drawn."""
    place = page.evaluate(PLACE, text)
    assert place >= 0
    page.evaluate(SHOW, place)
    return page.locator(f".jp-Cell[data-windowed-list-index='{place}']")


def test_the_first_page_runs_offline_asks_kindly_and_answers(
    open_notebook: Callable[[Path], Any],
) -> None:
    page = open_notebook(FOLDER / START)
    told = page.evaluate(TEXTS)
    assert '"output_type":"error"' not in told
    assert told.count("… Put your answer in place of the three dots.") == 3

    question = cell_with(page, "You stand on GO and throw 3 and 4").get_by_role("textbox").last
    question.fill("chance 1")
    question.press("Enter")
    page.get_by_text("“chance 1” is right!").wait_for()

    cell_with(page, 'film("monopoly"').get_by_role("button", name="Play").wait_for()
    solution = cell_with(page, "Solutions are folded away").locator("details").first
    assert solution.get_attribute("open") is None


def test_with_solutions_it_shows_every_answer_and_the_right_ones(
    open_notebook: Callable[[Path], Any],
) -> None:
    page = open_notebook(FOLDER / "solutions" / START)
    told = page.evaluate(TEXTS)
    assert '"output_type":"error"' not in told
    assert told.count("✓ Right") == 3
    assert "Put your answer" not in told

    quiz = cell_with(page, "You stand on GO and throw 3 and 4")
    quiz.get_by_text("“Chance 1” is right!").wait_for()
    solution = cell_with(page, "Solutions are folded away").locator("details").first
    assert solution.get_attribute("open") is not None
    teacher = cell_with(page, "For the teacher").locator("details").first
    assert teacher.get_attribute("open") is None
