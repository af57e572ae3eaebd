"""A film in a real JupyterLab whose kernel has gone: it plays all the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

CELL = "from boardrules.widgets import film\nfilm('monopoly', turns=12, seed=2)"


def test_a_film_plays_on_when_the_kernel_has_gone(
    open_notebook: Callable[[Path], Any], tmp_path: Path
) -> None:
    cell = {"cell_type": "code", "id": "film", "metadata": {}, "outputs": [], "source": CELL,
            "execution_count": None}  # fmt: skip
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    book = {"cells": [cell], "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    file = tmp_path / "film.ipynb"
    file.write_text(json.dumps(book), encoding="utf-8")
    page = open_notebook(file)
    panel = page.locator(".boardrules .panel")
    panel.get_by_text("Monopoly, turn 1 of 12").wait_for()
    page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")

    page.get_by_role("button", name="Step", exact=True).click()
    panel.get_by_text("You throw").wait_for()
    page.get_by_role("combobox", name="Speed").select_option(label="as fast as it goes")
    page.get_by_role("button", name="Play", exact=True).click()
    panel.get_by_text("The film is over, after 12 turns.").wait_for()
    jump = page.get_by_role("spinbutton", name="Jump to turn (1 to 12)")
    jump.fill("5")
    jump.press("Enter")
    panel.get_by_text("Monopoly, turn 5 of 12").wait_for()

    # a notebook in command mode takes letters for orders; not those that are pressed here
    selected = "() => window.jupyterapp.shell.currentWidget.content.widgets.length"
    before = page.evaluate(selected)
    page.get_by_role("button", name="Step", exact=True).focus()
    page.keyboard.press("b")
    page.keyboard.press("Enter")
    panel.get_by_text("Monopoly, turn 6 of 12").or_(panel.get_by_text("turn 5 of 12")).wait_for()
    assert page.evaluate(selected) == before
