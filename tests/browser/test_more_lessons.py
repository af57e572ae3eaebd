"""The other lessons as pupils see them: every cell runs, and what can be clicked answers."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .test_lesson_00 import cell_with

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"

OUTPUTS = """() => window.jupyterapp.shell.currentWidget.content.widgets.flatMap(
  (cell) => cell.model.type === 'code' ? cell.model.outputs.toJSON() : [])"""

Open = Callable[[Path], Any]


def opened(open_notebook: Open, name: str) -> Any:
    """A lesson after all its cells have run without an error."""
    page = open_notebook(FOLDER / f"{name}.ipynb")
    kinds = [output["output_type"] for output in page.evaluate(OUTPUTS)]
    assert len(kinds) > 10
    assert "error" not in kinds
    return page


def test_a_class_finds_out_whether_its_dice_are_fair(
    open_notebook: Open, faults: Callable[[Any, str], list[str]]
) -> None:
    page = opened(open_notebook, "02_where_you_land")
    cell = cell_with(page, "from boardrules.widgets import tallies")
    box = cell.get_by_role("textbox", name="What the class counted")
    box.wait_for()
    cell.get_by_text("no reason for suspicion").first.wait_for()
    box.fill("7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7")
    cell.get_by_role("button", name="Show").click()
    cell.get_by_text(re.compile("20 throws")).first.wait_for()
    cell.get_by_text(re.compile("1 of 1,?000")).first.wait_for()
    place = cell.get_attribute("data-windowed-list-index")
    assert faults(page, f".jp-Cell[data-windowed-list-index='{place}'] .jp-OutputArea") == []


def test_a_slider_moves_the_charts_of_the_explorer(
    open_notebook: Open, faults: Callable[[Any, str], list[str]]
) -> None:
    page = opened(open_notebook, "05_house_rules")
    cell = cell_with(page, 'explorer("monopoly"')
    cell.locator(".js-plotly-plot .bars").first.wait_for()
    cell.get_by_role("radio", name="Bank income").check()
    chart = cell.locator(".js-plotly-plot")
    chart.locator(".gtitle", has_text="bank").wait_for()
    before = chart.inner_text()
    salary = cell.get_by_role("slider", name=re.compile("GO")).first
    salary.focus()
    salary.press("ArrowRight")
    page.wait_for_function(
        "([chart, before]) => chart.innerText !== before", arg=[chart.element_handle(), before]
    )
    cell.get_by_role("button", name="Copy as TOML").click()
    copied = cell.get_by_role("textbox", name=re.compile("TOML"))
    assert 'game = "monopoly"' in copied.input_value()
    place = cell.get_attribute("data-windowed-list-index")
    assert faults(page, f".jp-Cell[data-windowed-list-index='{place}'] .jp-OutputArea") == []


@pytest.mark.parametrize(
    ("name", "question", "answer", "reply"),
    [
        ("06_exact_and_symbolic", "Is the graph a straight line?", "no", "is right!"),
        ("07_easy_money", "“A card is drawn in one of six turns.”", "yes", "is right!"),
        ("08_your_own_game", "Which of the two dice does the game use", "4", "is not it yet"),
    ],
)
def test_a_question_in_a_lesson_answers(
    open_notebook: Open, name: str, question: str, answer: str, reply: str
) -> None:
    page = opened(open_notebook, name)
    cell = cell_with(page, question)
    box = cell.get_by_role("textbox").last
    box.fill(answer)
    box.press("Enter")
    cell.get_by_text(f"“{answer}” {reply}").wait_for()
