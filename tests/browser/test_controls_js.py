"""The form in a browser, with a model made of thin air instead of a kernel."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import boardrules
from boardrules.widgets import Choice, Controls, Group, Line, Slider, Tick

from .test_board_js import MOUNT

SOURCE = (Path(boardrules.__file__).with_name("widgets") / "controls.js").read_text("utf-8")
FINE = Slider("fine", "Jail fine", 0, 200, 5, 50, "$", "What leaving jail costs.")
RATE = Slider("rate", "Interest", 0.0, 1.0, 0.05, 0.1, "coins")
UNIT = Choice("unit", "Unit", (("per roll", "roll"), ("per turn", "turn")), "roll")
GO = Tick("go", "Double salary")
WORDS = Line("words", "Name", "Ada")


def form() -> Controls:
    groups = [
        Group("Money", (FINE, RATE)),
        UNIT,
        GO,
        WORDS,
        Group("Rare", (Tick("x", "Snow"),), True),
    ]
    return Controls(groups, buttons=("Reset",), title="Rules", find="Find a rule")


def traits(controls: Controls) -> dict[str, Any]:
    named = {name: getattr(controls, name) for name in ("form", "state", "message")}
    return json.loads(json.dumps(named))


@pytest.fixture
def mount(page: Any) -> Callable[[Controls], Any]:
    """Draws a form into an empty page."""

    def mount_(controls: Controls) -> Any:
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.set_content(
            "<!doctype html><html lang=en><title>test</title>"
            "<main id=here><h1>Test</h1><h2>Part</h2></main></html>"
        )
        page.evaluate(MOUNT, [SOURCE, traits(controls)])
        assert errors == []
        return page

    return mount_


def sent(page: Any) -> list[Any]:
    return page.evaluate("() => window.model.sent")


def answer(page: Any, controls: Controls) -> None:
    """The kernel hears the last message, and answers."""
    controls._handle_custom_msg(sent(page)[-1], [])
    told = {name: value for name, value in traits(controls).items() if name != "form"}
    page.evaluate("(changes) => window.model.update(changes)", told)


def test_every_input_has_a_name_and_every_group_a_legend(mount: Any) -> None:
    page = mount(form())
    money = page.get_by_role("group", name="Money")
    slider = money.get_by_role("slider", name="Jail fine")
    assert slider.get_attribute("aria-valuetext") == "$50"
    assert money.get_by_role("spinbutton", name="Jail fine, as a number").input_value() == "50"
    assert (
        page.get_by_role("slider", name="Interest").get_attribute("aria-valuetext") == "0.1 coins"
    )
    assert page.get_by_role("combobox", name="Unit").input_value() == "roll"
    assert not page.get_by_role("checkbox", name="Double salary").is_checked()
    assert page.get_by_role("textbox", name="Name").input_value() == "Ada"
    assert page.get_by_role("button", name="Reset").is_visible()


def test_a_slider_moves_its_number_and_its_number_moves_the_slider(mount: Any) -> None:
    controls = form()
    page = mount(controls)
    slider = page.get_by_role("slider", name="Jail fine")
    number = page.get_by_role("spinbutton", name="Jail fine, as a number")
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert number.input_value() == "55"
    assert sent(page)[0]["set"] == {"fine": 55}
    answer(page, controls)
    number.fill("120")
    page.keyboard.press("Enter")
    page.wait_for_function("() => window.model.sent.some((one) => one.set?.fine === 120)")
    assert slider.input_value() == "120"
    assert slider.get_attribute("aria-valuetext") == "$120"
    assert page.evaluate("() => window.outside") == [], "no key reaches the notebook"


def test_a_number_that_does_not_fit_goes_back_to_what_it_was_with_a_message(mount: Any) -> None:
    controls = form()
    page = mount(controls)
    number = page.get_by_role("spinbutton", name="Jail fine, as a number")
    for told in ("9999", ""):
        number.fill(told)
        number.blur()
        page.wait_for_function("(n) => window.model.sent.at(-1)?.set.fine === n",
                               arg=int(told) if told else "")  # fmt: skip
        answer(page, controls)
        assert number.input_value() == "50"
        assert page.get_by_role("slider", name="Jail fine").input_value() == "50"
        assert "from 0 to 200" in page.locator(".message").text_content()


def test_a_dragged_slider_waits_for_the_kernel_and_always_sends_its_last_value(mount: Any) -> None:
    controls = form()
    page = mount(controls)
    drag = """(values) => {
      const slider = document.querySelector('input[type=range]');
      slider.dispatchEvent(new Event('pointerdown'));
      for (const value of values) {
        slider.value = value;
        slider.dispatchEvent(new Event('input'));
      }
    }"""
    page.evaluate(drag, list(range(55, 155, 5)))
    assert [one["set"]["fine"] for one in sent(page)] == [55], "the others wait"
    answer(page, controls)
    assert page.get_by_role("slider", name="Jail fine").input_value() == "150", "no jump back"
    page.wait_for_function("() => window.model.sent.length === 2")
    assert sent(page)[1]["set"] == {"fine": 150}
    page.evaluate("""() => {
      const slider = document.querySelector('input[type=range]');
      slider.value = 195;
      slider.dispatchEvent(new Event('input'));
      slider.dispatchEvent(new Event('change'));
    }""")
    answer(page, controls)
    page.wait_for_function("() => window.model.sent.at(-1).set.fine === 195")
    answer(page, controls)
    assert controls.values["fine"] == 195
    assert page.get_by_role("slider", name="Jail fine").input_value() == "195"


def test_a_kernel_that_does_not_answer_is_asked_again(mount: Any) -> None:
    page = mount(form())
    slider = page.get_by_role("slider", name="Jail fine")
    slider.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert len(sent(page)) == 1
    page.wait_for_function("() => window.model.sent.length === 2")
    assert sent(page)[1]["set"] == {"fine": 65}


def test_a_button_comes_after_what_was_changed_before_it(mount: Any) -> None:
    page = mount(form())
    page.get_by_role("checkbox", name="Double salary").check()
    page.get_by_role("combobox", name="Unit").select_option("turn")
    page.get_by_role("button", name="Reset").click()
    kinds = [next(iter(one.items())) for one in sent(page)]
    assert kinds == [("set", {"go": True}), ("set", {"unit": "turn"}), ("press", "Reset")]


def test_values_from_the_kernel_are_shown_and_another_form_replaces_the_first(mount: Any) -> None:
    controls = form()
    page = mount(controls)
    controls.set(fine=75, go=True, unit="turn", words="Bob")
    page.evaluate("(changes) => window.model.update(changes)", traits(controls))
    assert page.get_by_role("spinbutton", name="Jail fine, as a number").input_value() == "75"
    assert page.get_by_role("checkbox", name="Double salary").is_checked()
    assert page.get_by_role("textbox", name="Name").input_value() == "Bob"
    controls.show([FINE])
    page.evaluate("(changes) => window.model.update(changes)", traits(controls))
    assert page.locator("[data-field]").count() == 1
    assert page.get_by_role("slider", name="Jail fine").input_value() == "50"


def test_the_search_box_finds_a_rule_in_a_folded_group(mount: Any) -> None:
    page = mount(form())
    snow = page.get_by_role("checkbox", name="Snow")
    assert not snow.is_visible()
    find = page.get_by_role("searchbox", name="Find a rule")
    find.fill("sno")
    assert snow.is_visible()
    assert not page.get_by_role("slider", name="Jail fine").is_visible()
    assert page.locator(".told").text_content() == "1 found"
    find.fill("")
    assert page.get_by_role("slider", name="Jail fine").is_visible()
    page.wait_for_function("() => !document.querySelector('details').open")
    page.get_by_text("Rare", exact=True).first.focus()
    page.keyboard.press("Enter")
    assert snow.is_visible()


def test_what_is_searched_stays_when_the_form_is_drawn_anew(mount: Any) -> None:
    controls = form()
    page = mount(controls)
    page.get_by_role("searchbox", name="Find a rule").fill("snow")
    controls.show(
        [FINE, Group("Rare", (Tick("x", "Snow"), Tick("y", "Rain")), True)], (), "", "Find"
    )
    page.evaluate("(changes) => window.model.update(changes)", traits(controls))
    assert page.get_by_role("searchbox", name="Find").input_value() == "snow"
    assert page.get_by_role("checkbox", name="Snow").is_visible()
    assert not page.get_by_role("checkbox", name="Rain").is_visible()
    assert not page.get_by_role("slider", name="Jail fine").is_visible()


def test_a_choice_that_is_spread_out_is_a_group_of_radio_buttons(mount: Any, faults: Any) -> None:
    charts = (("Landing", "landing"), ("Rents", "rent"))
    controls = Controls([Choice("what", "Chart", charts, "landing", spread=True)])
    page = mount(controls)
    group = page.get_by_role("radiogroup", name="Chart")
    assert group.get_by_role("radio", name="Landing").is_checked()
    group.get_by_role("radio", name="Landing").focus()
    page.keyboard.press("ArrowRight")
    assert sent(page)[0]["set"] == {"what": "rent"}
    answer(page, controls)
    assert group.get_by_role("radio", name="Rents").is_checked()
    assert page.locator(".chosen").all_text_contents() == ["Rents"]
    assert page.evaluate("() => window.outside") == []
    assert faults(page, ".boardrules-controls") == []


def test_what_is_to_be_copied_stands_in_a_labelled_box_that_can_only_be_read(page: Any) -> None:
    source = (Path(boardrules.__file__).with_name("widgets") / "explorer.js").read_text("utf-8")
    page.set_content("<!doctype html><title>test</title><main id=here></main>")
    page.evaluate(MOUNT, [source, {"label": "", "text": "", "asked": 0}])
    assert not page.locator("textarea").is_visible()
    bad = "game = '<img src=x onerror=window.hurt=1>'"
    page.evaluate("(c) => window.model.update(c)", {"label": "Overlay", "text": bad, "asked": 1})
    box = page.get_by_role("textbox", name="Overlay")
    assert box.input_value() == bad
    assert box.get_attribute("readonly") is not None
    # an empty page may not use the clipboard; the words say what to do then
    page.get_by_role("status").get_by_text("Ctrl+C").wait_for()
    box.focus()
    page.keyboard.press("x")
    assert page.evaluate("() => window.outside") == []
    page.evaluate("() => window.clean()")
    assert page.evaluate("() => window.model.listeners()") == 0
    assert page.locator("textarea").count() == 0


def test_no_text_of_a_ruleset_becomes_part_of_the_page(mount: Any) -> None:
    bad = "<img src=x onerror='window.hurt = 1'><script>window.hurt = 1</script>"
    fields = [
        Slider("a", bad, 0, 9, 1, 5, bad, bad),
        Choice("b", bad, ((bad, bad), ("fine", "y")), bad, bad),
        Tick("c", bad),
        Line("d", bad, bad),
    ]
    controls = Controls([Group(bad, fields, True)], buttons=(bad,), title=bad, find=bad)
    controls.message = bad
    page = mount(controls)
    page.wait_for_timeout(100)
    assert page.evaluate("() => window.hurt") is None
    assert page.locator("main img, main script").count() == 0
    assert page.locator(".message").text_content() == bad


def test_axe_finds_nothing_to_complain_about(mount: Any, faults: Any) -> None:
    page = mount(form())
    page.get_by_text("Rare", exact=True).first.click()
    assert faults(page, ".boardrules-controls") == []


def test_what_was_drawn_is_taken_away_again(mount: Any) -> None:
    page = mount(form())
    assert page.evaluate("() => window.model.listeners()") > 0
    page.evaluate("() => window.clean()")
    assert page.evaluate("() => window.model.listeners()") == 0
    assert page.locator(".boardrules-controls").count() == 0
