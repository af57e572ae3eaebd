"""The drawing in a browser, with a model made of thin air instead of a kernel."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import rules_of

import boardrules
from boardrules.library import load
from boardrules.tables import landing
from boardrules.widgets import Board, Paper, Quiz, Stepper

WIDGETS = Path(boardrules.__file__).with_name("widgets")
SOURCE = (WIDGETS / "board.js").read_text(encoding="utf-8")
NAMES = ("drawing", "heat", "token", "label", "panel", "said", "asks", "button", "message")

MOUNT = """async ([source, state]) => {
  const heard = {};
  const model = window.model = {
    sent: [],
    get: (name) => structuredClone(state[name]),
    set: (name, value) => { state[name] = value; },
    on: (name, run) => { (heard[name] ??= new Set()).add(run); },
    off: (name, run) => heard[name]?.delete(run),
    save_changes: () => {},
    send: (content) => model.sent.push(content),
    update: (changes) => {
      Object.assign(state, changes);
      for (const name of Object.keys(changes)) heard[`change:${name}`]?.forEach((run) => run());
    },
    listeners: () => Object.values(heard).reduce((sum, runs) => sum + runs.size, 0),
  };
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const { default: widget } = await import(url);
  window.outside = [];
  document.addEventListener("keydown", (event) => window.outside.push(event.key));
  window.clean = widget.render({ model, el: document.getElementById("here") });
}"""


def traits(paper: Paper) -> dict[str, Any]:
    return json.loads(json.dumps({name: getattr(paper, name) for name in NAMES}))


@pytest.fixture
def mount(page: Any) -> Callable[[Paper], Any]:
    """Draws a widget into an empty page."""

    def mount_(paper: Paper) -> Any:
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.set_content("<!doctype html><title>test</title><main id=here></main>")
        page.evaluate(MOUNT, [SOURCE, traits(paper)])
        assert errors == []
        return page

    return mount_


def update(page: Any, paper: Paper, *names: str) -> None:
    state = traits(paper)
    changes = {name: state[name] for name in names or NAMES}
    page.evaluate("(changes) => window.model.update(changes)", changes)


def focused(page: Any) -> str:
    return page.evaluate("() => document.activeElement?.dataset?.square ?? ''")


def test_every_square_has_a_name_with_its_number_its_heat_and_the_token(mount: Any) -> None:
    page = mount(Board(rules_of("corner_shop"), {"bakery": 0.25}, "bakery"))
    board = page.get_by_role("group", name="The board of Corner Shop: 9 places.")
    assert board.get_by_role("img").count() == 9
    assert board.get_by_role("img", name="1 Bakery, 25.0%, token here", exact=True).count() == 1
    assert board.get_by_role("img", name="0 Corner", exact=True).count() == 1
    assert board.get_by_role("img", name="In Jail", exact=True).count() == 1


def test_arrow_keys_go_round_the_board_and_never_leave_the_widget(mount: Any) -> None:
    page = mount(Board(rules_of("corner_shop")))
    page.keyboard.press("Tab")
    assert focused(page) == "corner"
    seen = []
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "ArrowUp", "Home", "End"):
        page.keyboard.press(key)
        seen.append(focused(page))
    # nine places in a ring: before the first comes the last, which is the jail
    assert seen == ["bakery", "letter_box", "bakery", "corner", "in_jail", "corner", "in_jail"]
    assert page.evaluate("() => window.outside") == ["Tab"]
    page.keyboard.press("a")
    assert page.evaluate("() => window.outside") == ["Tab", "a"]


def test_only_one_square_at_a_time_can_be_reached_with_tab(mount: Any) -> None:
    page = mount(Board(rules_of("monopoly")))
    assert page.locator(".cell[tabindex='0']").count() == 1
    page.keyboard.press("Tab")
    assert focused(page) == "go"
    page.keyboard.press("ArrowRight")
    assert page.locator(".cell[tabindex='0']").count() == 1
    page.keyboard.press("Tab")
    assert focused(page) == ""
    page.keyboard.press("Shift+Tab")
    assert focused(page) == "mediterranean"


def test_arrow_keys_with_a_modifier_are_left_to_the_notebook(mount: Any) -> None:
    page = mount(Board(rules_of("corner_shop")))
    page.keyboard.press("Tab")
    page.keyboard.press("Control+ArrowRight")
    assert focused(page) == "corner"
    assert "ArrowRight" in page.evaluate("() => window.outside")


def test_moves_of_the_token_are_read_out(mount: Any) -> None:
    board = Board(rules_of("corner_shop"), token="corner")
    page = mount(board)
    status = page.get_by_role("status")
    assert status.get_attribute("aria-live") == "polite"
    board.show(board.rules, {}, "market")
    update(page, board, "token")
    assert status.text_content() == "Token on Market"
    assert page.get_by_role("img", name="7 Market, token here", exact=True).count() == 1
    assert (
        page.locator(".token").evaluate("(token) => token.style.transform").startswith("translate(")
    )


def test_the_token_stands_still_for_those_who_ask_for_less_motion(mount: Any) -> None:
    page = mount(Board(rules_of("corner_shop"), token="corner"))
    moving = "(token) => getComputedStyle(token).transitionDuration"
    page.emulate_media(reduced_motion="no-preference")
    assert page.locator(".token").evaluate(moving) == "0.45s"
    page.emulate_media(reduced_motion="reduce")
    assert page.locator(".token").evaluate(moving) == "0s"


def test_heat_changes_colours_and_numbers_and_goes_again(mount: Any) -> None:
    board = Board(rules_of("corner_shop"), {"bakery": 0.25})
    page = mount(board)
    ground = page.locator("[data-square=bakery] rect").first
    assert ground.get_attribute("fill") == "#ffea46"
    board.show(board.rules, {"market": 0.5, "bakery": 0.0})
    update(page, board, "heat")
    assert ground.get_attribute("fill") == "#ffffff"
    assert "%" not in page.locator("[data-square=bakery]").text_content()
    assert "50.0%" in page.locator("[data-square=market]").text_content()


def test_another_board_replaces_the_first(mount: Any) -> None:
    board = Board(rules_of("corner_shop"), token="corner")
    page = mount(board)
    board.show(rules_of("payday"), {}, "day_0")
    update(page, board)
    assert page.locator(".cell").count() == 32
    assert page.locator(".token").count() == 1
    assert page.get_by_role("group", name="The board of Payday").count() == 1


def test_no_name_of_a_ruleset_becomes_part_of_the_page(mount: Any) -> None:
    bad = "<img src=x onerror='window.hurt = 1'><script>window.hurt = 1</script>"
    names = {
        "title": bad,
        "squares.corner.name": bad,
        "decks.letters.name": bad,
        "decks.letters.cards.library_fine.name": bad,
    }
    steps = Stepper(load("corner_shop", {"set": names}))
    page = mount(steps.board)
    steps.answer("1+1")
    update(page, steps.board)
    steps.answer("library_fine")
    steps.answer(bad)
    update(page, steps.board)
    page.wait_for_timeout(100)
    assert page.evaluate("() => window.hurt") is None
    assert page.locator("main img, main script").count() == 0
    assert bad in page.locator(".panel").text_content()


def test_the_box_sends_an_answer_on_enter_and_keeps_its_keys_to_itself(mount: Any) -> None:
    steps = Stepper(rules_of("monopoly"))
    page = mount(steps.board)
    box = page.get_by_role("textbox", name="Or answer yourself, such as “5+6”:")
    box.focus()
    page.keyboard.type("5+2")
    page.keyboard.press("Enter")
    assert page.evaluate("() => window.model.sent") == [{"answer": "5+2"}]
    assert box.input_value() == ""
    assert page.evaluate("() => window.outside") == []
    page.keyboard.press("Enter")
    assert page.evaluate("() => window.model.sent.length") == 1
    box.fill("6+1")
    page.get_by_role("button", name="Answer").click()
    assert page.evaluate("() => window.model.sent[1]") == {"answer": "6+1"}


def test_a_refusal_is_an_alert(mount: Any) -> None:
    steps = Stepper(rules_of("monopoly"))
    page = mount(steps.board)
    steps.answer("pizza")
    update(page, steps.board, "message")
    assert "not 'pizza'" in page.get_by_role("alert").text_content()


def test_a_question_is_a_box_without_a_board(mount: Any) -> None:
    page = mount(Quiz("How many ways give seven?", 6, "", ""))
    assert page.get_by_role("textbox", name="How many ways give seven?").is_visible()
    assert page.get_by_role("button", name="Check").is_visible()
    assert not page.locator("svg").is_visible()


def test_the_panel_shows_the_question_the_story_and_the_chances(mount: Any) -> None:
    steps = Stepper(rules_of("monopoly"))
    steps.answer("2+5")
    page = mount(steps.board)
    panel = page.locator(".panel")
    assert panel.locator(".now").text_content() == "Draw a card from Chance."
    assert panel.locator("li").all_text_contents() == list(steps.lesson.story)
    table = page.get_by_role("table", name="Possible answers and their chances")
    assert table.get_by_role("row").count() == 15  # 16 cards, two of them alike
    assert table.get_by_role("rowheader", name="Next railroad, double rent").count() == 1


def test_a_panel_with_more_than_fits_can_be_scrolled_with_the_keyboard(mount: Any) -> None:
    steps = Stepper(rules_of("payday"))
    steps.answer("1")  # day 1 draws from 72 pieces of mail
    page = mount(steps.board)
    panel = page.locator(".panel")
    assert panel.get_attribute("tabindex") == "0"
    panel.focus()
    page.keyboard.press("End")
    page.wait_for_function("() => document.querySelector('.panel').scrollTop > 0")


def test_what_was_drawn_is_taken_away_again(mount: Any) -> None:
    page = mount(Board(rules_of("corner_shop")))
    assert page.evaluate("() => window.model.listeners()") > 0
    page.evaluate("() => window.clean()")
    assert page.evaluate("() => window.model.listeners()") == 0
    assert page.locator(".boardrules").count() == 0


OVERHANG = """() => [...document.querySelectorAll('.cell')].flatMap((cell) => {
  const box = cell.querySelector('.edge').getBoundingClientRect();
  return [...cell.querySelectorAll('text')].filter((text) => text.textContent).filter((text) => {
    const area = text.getBoundingClientRect();
    return area.left < box.left - 1 || area.right > box.right + 1
      || area.top < box.top - 3 || area.bottom > box.bottom + 3;
  }).map((text) => text.textContent);
})"""

COVERED = """() => [...document.querySelectorAll('.cell')].flatMap((cell) => {
  const texts = [...cell.querySelectorAll('text')].filter((text) => text.textContent);
  const areas = texts.map((text) => text.getBoundingClientRect());
  const found = [];
  for (let i = 0; i < areas.length; i++) for (let j = 0; j < i; j++) {
    const [a, b] = [areas[i], areas[j]];
    if (a.left < b.right - 0.5 && b.left < a.right - 0.5
        && a.top < b.bottom - 5 && b.top < a.bottom - 5) {
      found.push([texts[i].textContent, texts[j].textContent]);
    }
  }
  return found;
})"""


@pytest.mark.parametrize("name", ["monopoly", "easy_money", "payday", "corner_shop"])
def test_nothing_written_sticks_out_of_its_square_or_covers_something(
    mount: Any, name: str
) -> None:
    rules = rules_of(name)
    everywhere = dict.fromkeys((row.id for row in landing(rules, number=float).rows), 0.123)
    page = mount(Board(rules, everywhere))
    assert page.evaluate(OVERHANG) == []
    assert page.evaluate(COVERED) == []


def test_axe_finds_no_serious_fault_in_any_widget(mount: Any, faults: Any) -> None:
    steps = Stepper(rules_of("monopoly"))
    steps.answer("2+5")
    warm = Board(rules_of("payday"), {"day_1": 0.25}, "day_1")
    for paper in (steps.board, warm, Quiz("How many ways give seven?", 6, "", "")):
        assert faults(mount(paper), ".boardrules") == []


def test_axe_would_see_a_button_without_a_name(page: Any, faults: Any) -> None:
    page.set_content("<main id=bad><button></button></main><button></button>")
    (fault,) = faults(page, "#bad")
    assert fault.startswith("button-name (critical)")
