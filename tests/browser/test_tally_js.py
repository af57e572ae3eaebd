"""The box for a class's counts in a browser, with a model made of thin air instead of a kernel."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import rules_of

import boardrules
from boardrules.widgets import Tallies

from .test_board_js import MOUNT

SOURCE = (Path(boardrules.__file__).with_name("widgets") / "tally.js").read_text("utf-8")
NAMES = ("label", "hint", "text", "pupils", "question", "questions", "form", "forms")
TOLD = ("said", "doubts", "told")


def traits(tallies: Tallies) -> dict[str, Any]:
    named = {name: getattr(tallies.form, name) for name in (*NAMES, *TOLD)}
    return json.loads(json.dumps(named))


@pytest.fixture
def mount(page: Any) -> Callable[[Tallies], Any]:
    """Draws the form into an empty page."""

    def mount_(tallies: Tallies) -> Any:
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.set_content(
            "<!doctype html><html lang=en><title>test</title>"
            "<main id=here><h1>Test</h1></main></html>"
        )
        page.evaluate(MOUNT, [SOURCE, traits(tallies)])
        assert errors == []
        return page

    return mount_


def answer(page: Any, tallies: Tallies) -> None:
    """The kernel hears the last message, and answers."""
    sent = page.evaluate("() => window.model.sent")
    tallies.form._handle_custom_msg(sent[-1], [])
    page.evaluate("(changes) => window.model.update(changes)", traits(tallies))


def shop(**more: Any) -> Tallies:
    return Tallies(rules_of("corner_shop"), **more)


def test_a_class_types_and_reads_what_came_of_it(mount: Any) -> None:
    tallies = shop()
    page = mount(tallies)
    box = page.get_by_label("What the class counted", exact=True)
    box.fill("2: 20, 3: 45, 4: 21\nhello")
    page.get_by_role("button", name="Show").click()
    answer(page, tallies)
    assert page.get_by_role("status").inner_text() == "Read: 86 throws."
    assert "line 2: “hello” is not understood" in page.locator(".doubts").inner_text()
    assert "no reason for suspicion" in page.locator(".told p").first.inner_text()
    assert "per throw" in page.locator(".told").inner_text()
    assert box.input_value().startswith("2: 20"), "the text stays to be mended"
    page.get_by_role("button", name="Clear").click()
    answer(page, tallies)
    assert box.input_value() == ""
    assert page.locator(".told").inner_text() == ""
    assert page.evaluate("() => document.activeElement.tagName") == "TEXTAREA"


def test_everything_has_a_name_and_goes_by_keyboard(mount: Any) -> None:
    tallies = shop(question="roll")
    page = mount(tallies)
    assert page.get_by_role("group", name="What the class counted: Corner Shop").count() == 1
    assert page.get_by_label("We counted").input_value() == "roll"
    assert page.get_by_label("It is written as").input_value() == "auto"
    for name in ("Pupils (tokens)", "What the class counted"):
        page.get_by_role("textbox", name=name).wait_for()
    box = page.get_by_role("textbox", name="What the class counted")
    hint = box.get_attribute("aria-describedby")
    assert "Squares by name or number" in page.locator(f"#{hint}").inner_text()
    box.focus()
    page.keyboard.type("Market: 5")
    page.keyboard.press("Shift+Enter")  # a notebook would run its cell
    page.keyboard.type("Corner: 3")
    page.get_by_label("Pupils (tokens)").fill("4")
    box.focus()
    page.keyboard.press("Control+Enter")
    assert page.evaluate("() => window.outside") == [], "no key leaves the form"
    answer(page, tallies)
    assert page.get_by_role("status").inner_text() == "Read: 8 landings."
    assert "4 tokens of 2 from the start" in page.locator(".told").inner_text()


def test_the_number_of_pupils_is_asked_for_squares_only(mount: Any) -> None:
    tallies = shop()
    page = mount(tallies)
    assert not page.get_by_label("Pupils (tokens)").is_visible()
    page.get_by_label("We counted").select_option("turn")
    answer(page, tallies)
    assert page.get_by_label("Pupils (tokens)").is_visible()
    page.get_by_role("button", name="An example").click()
    answer(page, tallies)
    assert page.get_by_role("status").inner_text() == "Read: 360 landings of 30 pupils."
    assert page.get_by_label("Pupils (tokens)").input_value() == "30"


def test_what_is_typed_stays_text(mount: Any) -> None:
    tallies = shop(text="<img src=x onerror=window.evil=1>: 5\n3 3 3")
    page = mount(tallies)
    assert page.locator("img").count() == 0
    assert "<img" in page.locator("textarea").input_value()
    assert page.evaluate("() => window.evil") is None


@pytest.mark.parametrize("question", ["throw", "roll"])
def test_axe_finds_nothing_that_keeps_people_out(mount: Any, faults: Any, question: str) -> None:
    page = mount(shop(question=question, text="2: 30, 3: 5\nhello"))
    assert faults(page, "#here") == []


def test_the_form_listens_no_longer_when_it_is_gone(mount: Any) -> None:
    page = mount(shop())
    assert page.evaluate("() => window.model.listeners()") == 8
    page.evaluate("() => window.clean()")
    assert page.evaluate("() => window.model.listeners()") == 0
    assert page.locator(".boardrules-tally").count() == 0
