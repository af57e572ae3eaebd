"""The drawing in a browser, with a model made of thin air instead of a kernel."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from conftest import rules_of

from boardrules.board import Scene, pieces_for
from boardrules.library import load
from boardrules.tables import landing
from boardrules.widgets import Board, Film, Paper, Quiz, Reel, Shot, Stepper, film, stepper
from boardrules.widgets.paper import source

SOURCE = source()
NAMES = tuple(
    name
    for name, trait in Paper.class_traits().items()
    if trait.metadata.get("sync") and not name.startswith("_") and trait.this_class is Paper
)

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
  // what moves is written down, since it may be over before a test can look
  window.frames_ = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, how) {
    window.frames_ = frames.map((frame) => frame.transform);
    return animate.call(this, frames, how);
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
    assert spot(page) == token_at(board, "market")


def spot(page: Any, which: int = 0) -> list[float]:
    """Where a token stands, or is on its way to."""
    text = page.locator(".token").nth(which).evaluate("(token) => token.style.transform")
    return [float(part.strip("px ")) for part in text.removeprefix("translate(")[:-1].split(",")]


def token_at(board: Board, square: str) -> list[float]:
    (found,) = (one["token_at"] for one in board.drawing["cells"] if one["id"] == square)
    return [pytest.approx(part) for part in found]


def walked(page: Any, board: Board) -> list[str]:
    """The squares that the token has passed on its way; asked again, it has not moved."""
    spots = {tuple(one["token_at"]): one["id"] for one in board.drawing["cells"]}
    frames = page.evaluate("() => window.frames_.splice(0)")
    numbers = [frame.removeprefix("translate(").rstrip(")").split(",") for frame in frames]
    return [spots[tuple(float(part.strip("px ")) for part in pair)] for pair in numbers]


def test_the_token_goes_where_it_was_sent_and_stands_still_for_less_motion(mount: Any) -> None:
    board = Board(rules_of("corner_shop"), token="corner")
    page = mount(board)
    page.emulate_media(reduced_motion="no-preference")
    board.show(board.rules, {}, "market")
    update(page, board, "token")
    assert walked(page, board) == ["corner", "market"]
    page.emulate_media(reduced_motion="reduce")
    board.show(board.rules, {}, "bakery")
    update(page, board, "token")
    assert walked(page, board) == []
    assert spot(page) == token_at(board, "bakery")


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
    movie, crowd = film("monopoly", turns=9), Board(rules_of("monopoly"), players=CROWD)
    for paper in (steps.board, warm, Quiz("How many ways give seven?", 6, "", ""), crowd, movie):
        page = mount(paper)
        assert faults(page, ".boardrules") == []
    press(page, "Step")
    page.get_by_role("spinbutton").fill("99")
    page.keyboard.press("Enter")
    assert faults(page, ".boardrules") == []


def test_axe_would_see_a_button_without_a_name(page: Any, faults: Any) -> None:
    page.set_content("<main id=bad><button></button></main><button></button>")
    (fault,) = faults(page, "#bad")
    assert fault.startswith("button-name (critical)")


# ------------------------------------------------------------------------ the stepper's bar


def test_the_buttons_and_lists_of_the_stepper_tell_the_kernel_what_is_wanted(mount: Any) -> None:
    page = mount(stepper("monopoly").board)
    bar = page.get_by_role("group", name="Buttons of The board of Monopoly")
    for name in ("Start again", "Back a turn", "Back", "Forward", "Whole turn"):
        bar.get_by_role("button", name=name, exact=True).click()
    page.get_by_role("combobox", name="Game").select_option(label="Payday")
    page.get_by_role("spinbutton", name="Seed").fill("7")
    page.keyboard.press("Enter")
    assert page.evaluate("() => window.model.sent") == [
        *({"press": name} for name in ("Start again", "Back a turn", "Back", "Forward")),
        {"press": "Whole turn"},
        {"choose": "Game", "value": "payday"},
        {"choose": "Seed", "value": "7"},
    ]


def test_the_stepper_can_be_used_with_the_keyboard_in_one_order(mount: Any) -> None:
    page = mount(stepper("monopoly").board)
    seen = []
    for _ in range(10):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("() => document.activeElement.textContent.slice(0, 11)"))
    assert [one for one in seen if one][-6:] == [
        *("Start again", "Back a turn", "Back", "Forward", "Whole turn", "Answer"),
    ]
    page.get_by_role("button", name="Forward").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    assert page.evaluate("() => window.model.sent") == [{"press": "Forward"}] * 2
    assert set(page.evaluate("() => window.outside")) == {"Tab"}


def test_a_new_seed_from_the_kernel_keeps_the_box_and_the_focus(mount: Any) -> None:
    steps = stepper("monopoly")
    page = mount(steps.board)
    box = page.get_by_role("spinbutton", name="Seed")
    box.fill("-3")
    box.press("Enter")
    steps.choose("Seed", "-3")
    update(page, steps.board)
    assert box.input_value() == "1"
    assert "needs a whole number" in page.get_by_role("alert").text_content()
    assert page.evaluate("() => document.activeElement.type") == "number"


def test_a_thrown_move_is_walked_square_by_square_and_a_card_goes_straight(mount: Any) -> None:
    steps = stepper("monopoly", script=["1+2", "1+3", "back_three"])
    page = mount(steps.board)
    steps.forward()
    update(page, steps.board, "heat", "way", "token")
    assert walked(page, steps.board) == ["go", "mediterranean", "community_chest_1", "baltic"]
    steps.forward()
    update(page, steps.board, "heat", "way", "token")
    walked(page, steps.board)
    steps.forward()
    update(page, steps.board, "heat", "way", "token")
    assert walked(page, steps.board) == ["chance_1", "income_tax"]
    steps.back()
    update(page, steps.board, "heat", "way", "token")
    assert walked(page, steps.board) == ["income_tax", "chance_1"]


# ------------------------------------------------------------------------------- players

CROWD = {
    "Anna": {"square": "new_york", "deeds": {"boardwalk": "hotel", "park_place": 4}},
    "Ben": {"square": "jail", "jailed": 2, "deeds": ["short_line"]},
    "Cleo": {"square": "new_york"},
}


def test_players_are_shown_with_letters_and_told_with_their_deeds(mount: Any) -> None:
    page = mount(Board(rules_of("monopoly"), players=CROWD))
    assert page.locator(".token text").all_text_contents() == ["A", "B", "C"]
    assert page.locator(".picture > svg .mark").count() == 3 + 1 + 4
    assert page.locator(".person").all_text_contents() == [
        *("AAnna: New York Avenue", "BBen: In Jail", "CCleo: New York Avenue"),
    ]
    for name in (
        "19 New York Avenue, Anna and Cleo here",
        "In Jail, Ben here",
        "37 Park Place, belongs to Anna, 4 houses",
        "39 Boardwalk, belongs to Anna, hotel",
        "35 Short Line, belongs to Ben",
    ):
        assert page.get_by_role("img", name=name, exact=True).count() == 1, name
    assert spot(page, 0) != spot(page, 2)


def test_an_invented_board_says_so_beside_its_squares(mount: Any) -> None:
    page = mount(Board(rules_of("easy_money")))
    assert page.locator(".panel").text_content().startswith("Illustrative board")
    page = mount(Board(rules_of("monopoly")))
    assert not page.locator(".panel").is_visible()


def test_players_move_come_and_go(mount: Any) -> None:
    board = Board(rules_of("monopoly"), players=CROWD)
    page = mount(board)
    moved = {**CROWD, "Anna": {"square": "go", "deeds": ["boardwalk"]}}
    board.show(board.rules, players=moved)
    update(page, board, "scene")
    assert page.locator(".token").count() == 3
    assert spot(page) == token_at(board, "go")
    assert page.locator(".picture > svg .mark").count() == 2
    board.show(board.rules, token="go")
    update(page, board)
    assert page.locator(".token").count() == 1
    assert page.locator(".mark").count() == 0


# ---------------------------------------------------------------------------------- films


def shown(page: Any) -> tuple[str, str, list[str]]:
    """The title, the question and the story that stand beside the board."""
    panel = page.locator(".panel")
    return (
        panel.locator(".turn").text_content(),
        panel.locator(".now").text_content(),
        panel.locator("li").all_text_contents(),
    )


def press(page: Any, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_a_film_is_stepped_through_without_a_kernel(mount: Any) -> None:
    movie = film("monopoly", turns=3, seed=2)
    page = mount(movie)
    shots = movie.reel.shots
    for shot in shots[1:]:
        press(page, "Step")
        title, now, story = shown(page)
        assert (title, now) == (f"Monopoly, turn {shot.turn} of 3", shot.now)
        assert story == list(shot.story)
        assert spot(page) == token_at(movie, shot.square)
        assert page.get_by_role("status").text_content() == " ".join([title, *story, now])
    press(page, "Step")
    assert page.get_by_role("alert").text_content() == "This is the end of the film."
    for shot in reversed(shots[:-1]):
        press(page, "Back")
        assert shown(page)[1] == shot.now
    press(page, "Back")
    assert page.get_by_role("alert").text_content() == "This is the start of the film."
    assert page.evaluate("() => window.model.sent") == []


def test_a_film_counts_where_rolls_ended_going_on_and_going_back(mount: Any) -> None:
    movie = film("corner_shop", turns=30, seed=5)
    page = mount(movie)
    counts = """() => Object.fromEntries([...document.querySelectorAll('.cell')].map((cell) =>
      [cell.dataset.square, Number([...cell.querySelectorAll('text')]
        .find((text) => text.getAttribute('font-weight') === 'bold'
          && text.getAttribute('text-anchor') !== 'middle').textContent)]))"""
    last = page.get_by_role("spinbutton")
    for turn in ("30", "4", "17", "1"):
        last.fill(turn)
        last.press("Enter")
        here = next(k for k, shot in enumerate(movie.reel.shots) if shot.turn >= int(turn))
        expected: dict[str, int] = {}
        for shot in movie.reel.shots[1 : here + 1]:
            for square in shot.counted:
                expected[square] = expected.get(square, 0) + 1
        found = {square: count for square, count in page.evaluate(counts).items() if count}
        assert found == expected, turn
    assert expected == {}


def test_a_film_with_a_comma_counts_in_percents_with_a_comma(mount: Any) -> None:
    page = mount(film("corner_shop", turns=9, decimal=","))
    for _ in range(3):
        press(page, "Step")
    chances = page.locator(".panel .chance").all_text_contents()
    assert chances
    assert all(re.fullmatch(r"\d+,\d% \(\d+,\d%\)", text) for text in chances), chances
    assert "fast: 0,4 s a step" in page.locator("select option").all_text_contents()


def test_play_goes_to_the_end_by_itself_and_can_be_stopped(mount: Any) -> None:
    movie = film("monopoly", turns=8)
    page = mount(movie)
    speed = page.get_by_role("combobox", name="Speed")
    speed.select_option(label="as fast as it goes")
    press(page, "Play")
    page.wait_for_function("() => document.querySelector('.now').textContent.includes('is over')")
    assert page.get_by_role("button", name="Play").count() == 1
    assert "is over" in page.get_by_role("status").text_content()
    speed.select_option(label="very slow: 4 s a step")
    press(page, "Play")  # from the start again
    assert shown(page)[1] == movie.reel.shots[0].now
    press(page, "Pause")
    assert page.get_by_role("button", name="Pause").count() == 0
    press(page, "Start again")
    assert shown(page)[1] == movie.reel.shots[0].now


def test_a_jump_to_no_turn_is_politely_ignored(mount: Any) -> None:
    page = mount(film("monopoly", turns=20))
    press(page, "Step")
    before = shown(page)
    box = page.get_by_role("spinbutton", name="Jump to turn (1 to 20)")
    for told in ("0", "21", "-3", "2.5", "1e9", ""):
        box.fill(told)
        box.press("Enter")
        box.blur()
        said = page.get_by_role("alert").text_content()
        assert said.startswith("There are turns 1 to 20; ")
        assert told in said
        assert shown(page) == before
    box.fill("20")
    box.press("Enter")
    assert page.locator(".message").text_content() == ""
    assert shown(page)[0] == "Monopoly, turn 20 of 20"


def test_tokens_of_a_film_walk_and_jump_and_stand_still_for_less_motion(mount: Any) -> None:
    movie = film("monopoly", turns=2, script=["3+4", "back_three"])
    page = mount(movie)
    page.emulate_media(reduced_motion="no-preference")
    press(page, "Step")
    assert len(walked(page, movie)) == 8
    press(page, "Step")
    assert walked(page, movie) == ["chance_1", "income_tax"]
    press(page, "Start again")
    walked(page, movie)
    page.emulate_media(reduced_motion="reduce")
    press(page, "Step")
    assert walked(page, movie) == []
    assert spot(page) == token_at(movie, "chance_1")


def test_a_film_of_several_players_shows_tokens_deeds_and_names_in_any_order(mount: Any) -> None:
    pieces = pieces_for(["Anna", "Ben"])
    shots = (
        Shot(1, "go", (), "Anna throws."),
        Shot(1, "baltic", ("Anna buys.",), "Ben throws.", scene=Scene(pieces, (), {"baltic": 0})),
        Shot(1, "oriental", ("Ben pays.",), "Anna throws.", who=1),
        Shot(2, "in_jail", (), "The end.", scene=Scene(pieces, (), {"baltic": 1}, {"baltic": "2"})),
    )
    movie = Film(Reel(rules_of("monopoly"), 2, "turn", shots, "", pieces), heat=False)
    page = mount(movie)
    marks = page.locator(".picture > svg .mark")
    people = page.locator(".person")
    expected = [
        (0, ["AAnna: GO", "BBen: GO"]),
        (1, ["AAnna: Baltic Avenue", "BBen: GO"]),
        (1, ["AAnna: Baltic Avenue", "BBen: Oriental Avenue"]),
        (3, ["AAnna: In Jail", "BBen: Oriental Avenue"]),
    ]
    for name, here in (*(("Step", 1), ("Step", 2), ("Step", 3)), *(("Back", 2), ("Back", 1))):
        press(page, name)
        assert (marks.count(), people.all_text_contents()) == expected[here]
    press(page, "Back")
    assert (marks.count(), people.all_text_contents()) == expected[0]
    assert page.get_by_role("img", name="0 GO, Anna and Ben here", exact=True).count() == 1


def test_keys_used_in_a_film_stay_in_the_film(mount: Any) -> None:
    page = mount(film("monopoly", turns=3))
    page.get_by_role("button", name="Step").focus()
    for key in ("Enter", "Space", "b", "ArrowDown"):
        page.keyboard.press(key)
    assert page.evaluate("() => window.outside") == []
    assert shown(page)[0].startswith("Monopoly, turn")


def test_space_on_a_square_plays_a_film_and_stops_it(mount: Any) -> None:
    page = mount(film("corner_shop", turns=5))
    page.locator(".cell[tabindex='0']").focus()
    page.keyboard.press(" ")
    pause = page.get_by_role("button", name="Pause")
    pause.wait_for()
    page.keyboard.press(" ")
    page.get_by_role("button", name="Play").wait_for()
    assert " " not in page.evaluate("() => window.outside")


def test_space_on_a_square_goes_on_in_the_stepper_and_is_nothing_on_a_bare_board(
    mount: Any,
) -> None:
    page = mount(stepper("corner_shop").board)
    page.locator(".cell[tabindex='0']").focus()
    page.keyboard.press(" ")
    assert page.evaluate("() => window.model.sent") == [{"press": "Forward"}]
    page = mount(Board(rules_of("corner_shop")))
    page.locator(".cell[tabindex='0']").focus()
    page.keyboard.press(" ")
    assert " " in page.evaluate("() => window.outside")  # left to the page


def test_no_name_becomes_part_of_the_page_in_films_and_among_players(mount: Any) -> None:
    bad = "<img src=x onerror='window.hurt = 1'><script>window.hurt = 1</script>"
    names = {
        "title": bad,
        "squares.bakery.name": bad,
        "squares.book_shop.name": bad,
        "jail.name": bad,
        "decks.letters.cards.library_fine.name": bad,
    }
    rules = load("corner_shop", {"set": names})
    players = {bad: {"square": "bakery", "deeds": ["bakery"]}}
    for paper in (film(rules, turns=20), Board(rules, players=players)):
        page = mount(paper)
        if isinstance(paper, Film):
            box = page.get_by_role("spinbutton")
            box.fill("20")
            box.press("Enter")
            assert bad in page.locator(".panel").text_content()
        page.wait_for_timeout(100)
        assert page.evaluate("() => window.hurt") is None
        assert page.locator("main img, main script").count() == 0


def test_a_film_that_is_taken_away_stops(mount: Any) -> None:
    page = mount(film("monopoly", turns=50))
    page.get_by_role("combobox", name="Speed").select_option(label="as fast as it goes")
    press(page, "Play")
    page.evaluate("() => { window.kept = document.querySelector('.panel'); window.clean(); }")
    before = page.evaluate("() => window.kept.textContent")
    page.wait_for_timeout(120)
    assert page.evaluate("() => window.kept.textContent") == before
    assert page.evaluate("() => window.model.listeners()") == 0
