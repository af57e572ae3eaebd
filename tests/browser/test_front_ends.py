"""The lessons wherever they may be opened: Notebook 7, Voila, and as a page without Python.

Nothing may be fetched from outside, but for the icons of Voila, which it can do without.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from .conftest import run_all

LESSONS = Path(__file__).resolve().parents[2] / "notebooks"
ONE, LANDINGS = LESSONS / "01_one_turn.ipynb", LESSONS / "02_where_you_land.ipynb"


def test_a_lesson_runs_in_notebook_7_and_its_buttons_work(
    page: Any, notebook_7: tuple[str, Path], offline: list[str]
) -> None:
    url, work = notebook_7
    shutil.copy(ONE, work)
    page.set_default_timeout(60_000)
    page.goto(f"{url}/notebooks/{ONE.name}?reset")
    run_all(page)
    first = page.locator(".jp-CodeCell", has=page.locator(".boardrules .cell")).first
    first.scroll_into_view_if_needed()
    first.locator(".panel .now", has_text="You are on GO").wait_for()
    first.get_by_role("button", name="Forward").click()
    first.locator(".panel").get_by_text("You throw 2 and 5, 7 in all").wait_for()
    assert page.locator("[data-mime-type='application/vnd.jupyter.stderr']").count() == 0


def test_a_lesson_is_an_app_in_voila(page: Any, voila: tuple[str, Path], context: Any) -> None:
    url, work = voila
    shutil.copy(ONE, work)
    outside: list[str] = []

    def refuse(route: Any) -> None:
        outside.append(route.request.url)
        route.abort()

    context.route(lambda one: not one.startswith(("http://127.0.0.1", "blob:", "data:")), refuse)
    page.set_default_timeout(60_000)
    page.goto(f"{url}/voila/render/{ONE.name}")
    board = page.locator(".boardrules", has=page.locator(".cell")).first
    panel = board.locator(".panel")
    panel.locator(".now", has_text="You are on GO").wait_for()
    page.get_by_role("button", name="Forward").first.click()
    panel.get_by_text("You throw 2 and 5, 7 in all").wait_for()
    question = page.get_by_role("textbox", name="How many of the 36 outcomes give seven?")
    question.fill("6")
    question.press("Enter")
    page.get_by_text("6 is right!").wait_for()
    assert page.get_by_text("from boardrules.widgets import").count() == 0  # no code is shown
    assert [one for one in outside if "awesome" not in one] == []


def exported(lesson: Path, folder: Path) -> Path:
    """A lesson as one web page, by the command."""
    command = [sys.executable, "-m", "boardrules", "html", str(lesson), "--folder", str(folder)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == f"{lesson.name}: written to {folder / lesson.stem}.html\n"
    return folder / f"{lesson.stem}.html"


def test_a_lesson_as_a_page_shows_charts_and_boards_without_python_or_internet(
    page: Any, context: Any, tmp_path: Path
) -> None:
    context.route(lambda one: one.startswith("http"), lambda route: route.abort())
    page.set_default_timeout(60_000)
    page.goto(exported(LANDINGS, tmp_path).as_uri())
    page.locator(".js-plotly-plot .gtitle", has_text="where a token lands").first.wait_for()
    assert page.locator(".js-plotly-plot .bars .point").count() > 40
    assert page.locator(".jp-RenderedHTMLCommon table").count() > 3


def test_a_board_on_a_page_is_a_picture(page: Any, context: Any, tmp_path: Path) -> None:
    context.route(lambda one: one.startswith("http"), lambda route: route.abort())
    page.set_default_timeout(60_000)
    page.goto(exported(ONE, tmp_path).as_uri())
    boards = page.locator(".jp-RenderedSVG img")
    assert boards.count() == 3  # one of each game
    boards.first.scroll_into_view_if_needed()
    drawn = boards.first.evaluate(
        "(image) => [image.complete && image.naturalWidth > 0, image.width]"
    )
    assert drawn[0]
    assert drawn[1] > 500


def test_a_lesson_that_does_not_run_becomes_no_page(tmp_path: Path) -> None:
    import nbformat

    broken = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 / 0")])
    lesson = tmp_path / "broken.ipynb"
    nbformat.write(broken, lesson)
    command = [sys.executable, "-m", "boardrules", "html", str(lesson)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert ended.returncode == 1
    assert "broken.ipynb does not run: ZeroDivisionError: division by zero" in ended.stderr
    assert not (tmp_path / "broken.html").exists()
