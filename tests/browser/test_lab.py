"""The first lesson as a pupil sees it: in a real JupyterLab, without the internet."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

LESSON = Path(__file__).resolve().parents[2] / "notebooks" / "01_one_turn.ipynb"


def test_the_first_lesson_runs_offline_and_its_buttons_work(
    open_notebook: Callable[[Path], Any],
) -> None:
    page = open_notebook(LESSON)
    errors = page.locator(".jp-OutputArea [data-mime-type='application/vnd.jupyter.stderr']")
    first = page.locator(".jp-CodeCell", has=page.locator(".boardrules .cell")).first
    first.scroll_into_view_if_needed()
    board, panel = first.locator(".boardrules"), first.locator(".panel")
    panel.locator(".now", has_text="You are on GO").wait_for()

    first.get_by_role("button", name="Forward").click()
    panel.get_by_text("You throw 2 and 5, 7 in all").wait_for()
    board.locator("[data-square=chance_1][aria-label*='token here']").wait_for()

    first.get_by_role("button", name="Back", exact=True).click()
    panel.locator(".now", has_text="You are on GO").wait_for()

    answer = first.get_by_role("textbox", name="Or answer yourself")
    answer.fill("pizza")
    answer.press("Enter")
    first.get_by_role("alert").get_by_text("not 'pizza'").wait_for()
    answer.fill("3+3")
    answer.press("Enter")
    board.locator("[data-square=oriental][aria-label*='token here']").wait_for()

    # arrow keys belong to the board; the notebook's own selection stays where it is
    selected = "() => window.jupyterapp.shell.currentWidget.content.activeCellIndex"
    board.locator(".cell[tabindex='0']").focus()
    before = page.evaluate(selected)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert page.evaluate(selected) == before
    assert page.evaluate("() => document.activeElement.dataset.square") == "community_chest_1"

    first.get_by_role("combobox", name="Game").select_option(label="Payday")
    panel.locator(".now", has_text="You are on Start").wait_for()

    question = page.get_by_role("textbox", name="How many of the 36 outcomes give seven?")
    question.scroll_into_view_if_needed()
    question.fill("6")
    question.press("Enter")
    page.get_by_text("6 is right!").wait_for()
    assert errors.count() == 0
