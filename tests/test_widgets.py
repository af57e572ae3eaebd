"""The lesson at the board, its buttons, and the questions that check answers; no browser here."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from fractions import Fraction
from typing import Any

import pytest
from conftest import rules_of

from boardrules.board import percent
from boardrules.library import games, load
from boardrules.play import Walk, fair, sentences
from boardrules.rules import RulesError
from boardrules.tables import landing
from boardrules.turn import mixed, stay
from boardrules.widgets import (
    Board,
    Lesson,
    Quiz,
    Stepper,
    film,
    judge,
    quiz,
    read_number,
    stepper,
    ways,
)
from boardrules.widgets.paper import with_decimal

GAMES = ("monopoly", "easy_money", "payday", "corner_shop")


def press(steps: Stepper, name: str) -> None:
    """What arrives from the browser when somebody presses a button."""
    assert name in [one["name"] for one in steps.board.bar]
    steps.board._handle_custom_msg({"press": name}, [])


def choose(steps: Stepper, what: str, value: str) -> None:
    """What arrives from the browser when somebody chooses a game or a seed."""
    steps.board._handle_custom_msg({"choose": what, "value": value}, [])


def chosen(steps: Stepper, what: str) -> Any:
    (choice,) = (one for one in steps.board.choices if one["name"] == what)
    return choice["value"]


def type_in(widget: Any, text: str) -> None:
    """What arrives from the browser when somebody presses Enter in the box."""
    widget._handle_custom_msg({"answer": text}, [])


# ---------------------------------------------------------------------------- the lesson


def test_the_heat_is_where_this_turn_will_end() -> None:
    # Two coins: 2, 3, 4 with 1/4, 1/2, 1/4.  Two on is the letter box; of its four cards one
    # leads to the corner, one to jail, two leave the token there.
    assert Lesson(rules_of("corner_shop")).ends() == {
        "letter_box": 1 / 8,
        "corner": 1 / 16,
        "in_jail": 1 / 16,
        "book_shop": 1 / 2,
        "station": 1 / 4,
    }


def test_in_the_middle_of_a_turn_the_heat_knows_what_has_been_thrown() -> None:
    lesson = Lesson(rules_of("corner_shop"))
    lesson.answer("1+1")
    assert lesson.question == "Draw a card from Letters."
    assert lesson.ends() == {"letter_box": 1 / 2, "corner": 1 / 4, "in_jail": 1 / 4}


@pytest.mark.parametrize("name", GAMES)
def test_heat_and_chances_add_up_to_one_at_every_pause(name: str) -> None:
    lesson = Lesson(rules_of(name), seed=3)
    for _ in range(60):
        assert sum(lesson.ends().values()) == pytest.approx(1, abs=1e-12)
        named = [one for one in lesson.chances() if not one.name.startswith("doubles")]
        assert sum(one.chance for one in named) == 1
        lesson.forward()
        assert lesson.message == ""


def test_the_night_club_is_three_of_twenty_cards_after_doubles() -> None:
    assert Lesson(rules_of("easy_money")).ends()["night_club"] == pytest.approx(1 / 6 * 3 / 20)


def test_two_throws_of_six_lead_from_day_25_to_the_election() -> None:
    ends = Lesson(rules_of("payday"), start="day_25").ends()
    assert ends["day_26"] == pytest.approx(2 / 6)
    assert "day_27" not in ends


def test_chances_are_told_as_one_counts_them_at_the_table() -> None:
    told = {one.name: one.text for one in Lesson(rules_of("monopoly")).chances()}
    assert told["7"] == "6 of 36"
    assert told["4"] == "3 of 36"
    assert told["doubles, of all these"] == "6 of 36"
    assert list(told)[:11] == [str(pips) for pips in range(2, 13)]
    assert "doubles, of all these" not in {
        one.name for one in Lesson(rules_of("corner_shop")).chances()
    }


def test_cards_that_are_called_alike_are_told_together() -> None:
    lesson = Lesson(rules_of("monopoly"))
    lesson.answer("2+5")
    told = {one.name: one.text for one in lesson.chances()}
    assert sorted(told.values()) == ["1 of 16"] * 14 + ["2 of 16"]  # two send to a railroad


def test_answers_that_the_policy_never_gives_are_listed_as_well() -> None:
    lesson = Lesson(rules_of("corner_shop"))
    lesson.answer("1+1")
    lesson.answer("go to jail")
    assert lesson.place == "in_jail"
    told = [(one.name, one.text) for one in lesson.chances()]
    assert told == [("pay", "always"), ("roll", "never")]
    assert "how this player decides" in lesson.caption


def test_a_choice_that_the_policy_never_makes_is_followed_all_the_same() -> None:
    lesson = Lesson(rules_of("corner_shop"))
    for told in ("1+1", "to_the_station", "roll"):
        lesson.answer(told)
    assert lesson.message == ""
    # In jail at the station (4), before the first of two throws.  Doubles (1 of 2) open the jail:
    # 2 on is the red light, so back to jail (1/4), 4 on is the corner (1/4); else one stays (1/2).
    assert lesson.ends() == {"corner": 1 / 4, "in_jail": 3 / 4}


def test_back_and_forward_show_the_same_again() -> None:
    lesson = Lesson(rules_of("monopoly"), seed=5)
    shown = []
    for _ in range(12):
        shown.append((lesson.question, lesson.place, lesson.ends(), lesson.story))
        lesson.forward()
    for before in reversed(shown):
        lesson.back()
        assert (lesson.question, lesson.place, lesson.ends(), lesson.story) == before
    for before in shown:
        assert (lesson.question, lesson.place, lesson.ends(), lesson.story) == before
        lesson.forward()


def test_the_lesson_is_the_walk_of_its_seed() -> None:
    lesson, walk = Lesson(rules_of("payday"), seed=7), Walk(rules_of("payday"), answerer=fair(7))
    for _ in range(20):
        lesson.forward()
        move = walk.forward()
        assert move is not None
        assert lesson.story == sentences(move, rules_of("payday"))


def test_going_back_before_the_start_is_only_told() -> None:
    lesson = Lesson(rules_of("monopoly"))
    lesson.back()
    assert lesson.message == "This is the start of the game."
    lesson.back_turn()
    assert lesson.message == "This is the start of the game."
    lesson.forward()
    assert lesson.message == ""


def test_a_whole_turn_ends_where_the_next_begins_and_goes_back_in_one() -> None:
    lesson = Lesson(rules_of("monopoly"))
    lesson.forward_turn()
    assert lesson.walk.turn == 2
    lesson.forward_turn()
    lesson.back_turn()
    assert lesson.walk.turn == 2
    lesson.back_turn()
    assert (lesson.walk.turn, lesson.place) == (1, "go")


@pytest.mark.parametrize(
    "nonsense",
    ["pizza", "7+1", "5", "5+2+1", "-1+2", "٣+٤+٥", "9" * 5000, "1e9+2", "<b>", "pay", "1.5+2"],
)
def test_an_answer_that_does_not_fit_is_explained_and_changes_nothing(nonsense: str) -> None:
    lesson = Lesson(rules_of("monopoly"))
    before = (lesson.walk.state, lesson.walk.moves)
    lesson.answer(nonsense)
    assert lesson.message.startswith("That does not fit: this question needs 2 dice")
    assert "'1+1'" in lesson.message
    assert (lesson.walk.state, lesson.walk.moves) == before


def test_a_card_that_is_nearly_right_gets_a_suggestion() -> None:
    lesson = Lesson(rules_of("corner_shop"))
    lesson.answer("1+1")
    lesson.answer("librari fine")
    assert "did you mean 'library fine'" in lesson.message
    lesson.answer("Library fine")
    assert lesson.message == ""
    assert "You pay the bank 3 coins" in " ".join(lesson.story)


def test_an_empty_answer_is_no_answer() -> None:
    lesson = Lesson(rules_of("monopoly"))
    lesson.answer("   ")
    assert (lesson.message, lesson.walk.moves) == ("", ())


@pytest.mark.parametrize("name", GAMES)
def test_the_example_that_is_suggested_always_fits(name: str) -> None:
    lesson = Lesson(rules_of(name), seed=11)
    for _ in range(30):
        lesson.forward()
        if lesson.walk.moves:
            before = len(lesson.walk.moves)
            lesson.answer(lesson.example)
            assert lesson.message == ""
            assert len(lesson.walk.moves) == before + 1


def test_a_walk_that_is_too_large_is_played_without_heat() -> None:
    # A letter card that brings two more letters: what is still to come has no end.
    two_more = [{"draw": "letters"}, {"draw": "letters"}]
    rules = load("corner_shop", {"set": {"decks.letters.cards.library_fine.effects": two_more}})
    lesson = Lesson(rules)
    assert lesson.ends() == {}
    assert "keeps adding to what is still to come" in lesson.message
    lesson.answer("1+2")
    assert lesson.place == "book_shop"


def test_a_lesson_can_begin_on_any_square() -> None:
    assert Lesson(rules_of("monopoly"), start="illinois").place == "illinois"
    with pytest.raises(RulesError, match="did you mean 'illinois'"):
        Lesson(rules_of("monopoly"), start="ilinois")


def told(lesson: Lesson, count: int) -> list[tuple[str, ...]]:
    """The next stories of a lesson."""
    stories = []
    for _ in range(count):
        lesson.forward()
        stories.append(lesson.story)
    return stories


@pytest.mark.parametrize("name", GAMES)
def test_looking_ahead_does_not_change_what_comes_after_an_answer_of_ones_own(name: str) -> None:
    rules = rules_of(name)
    plain, curious = Lesson(rules, seed=8), Lesson(rules, seed=8)
    for ahead in (0, 3, 1):
        told(curious, ahead)  # peeps into a future, and comes back
        for _ in range(ahead):
            curious.back()
        for lesson in (plain, curious):
            lesson.answer(plain.example if lesson is plain else curious.example)
            assert lesson.message == ""
        assert told(curious, 2) == told(plain, 2)
    assert told(curious, 20) == told(plain, 20)


def test_back_past_an_answer_of_ones_own_and_forward_again_repeats_it() -> None:
    lesson = Lesson(rules_of("monopoly"), seed=2)
    lesson.forward()
    lesson.forward()
    lesson.answer(lesson.example)
    story, after = lesson.story, told(lesson, 5)
    for _ in range(8):
        lesson.back()
    assert told(lesson, 8)[2:] == [story, *after]


def test_a_script_is_played_first_and_then_the_seed_goes_on() -> None:
    rules = rules_of("monopoly")
    lesson = Lesson(rules, seed=3, script=[(5, 2), "back_three", "3+3"])
    places = []
    for _ in range(3):
        lesson.forward()
        places.append(lesson.place)
    assert places == ["chance_1", "income_tax", "jail"]
    # the dice after it are the first of the seed
    fresh = Lesson(rules, seed=3)
    fresh.forward()
    lesson.forward()
    before, after = lesson.walk.moves[-1], fresh.walk.moves[0]
    assert before.reply == after.reply


def test_an_answer_of_ones_own_ends_a_script() -> None:
    lesson = Lesson(rules_of("monopoly"), seed=3, script=["5+2", "back_three", "3+3"])
    lesson.forward()
    lesson.answer("advance_to_go")
    free = Lesson(rules_of("monopoly"), seed=3, script=["5+2"])
    free.forward()
    free.answer("advance_to_go")
    assert told(lesson, 6) == told(free, 6)


@pytest.mark.parametrize(
    ("script", "text"),
    [
        (["5+2", "pizza"], "answer 2 of the script: needs a card of Chance"),
        (["5"], "answer 1 of the script: needs 2 dice"),
        ("5+2", "script: needs a list of at most 1,000 answers"),
        (7, "script: needs a list of at most 1,000 answers"),
        (["1+2"] * 1001, "needs a list of at most 1,000 answers"),
    ],
)
def test_a_script_that_does_not_fit_is_refused_at_once(script: Any, text: str) -> None:
    with pytest.raises(RulesError) as refused:
        stepper("monopoly", script=script)
    (problem,) = refused.value.problems
    assert text in f"{problem.path}: {problem.text}"


# --------------------------------------------------------------------------- the stepper


def test_the_stepper_shows_the_token_the_question_and_the_story() -> None:
    steps = stepper("monopoly")
    assert steps.board.token == "go"
    assert steps.board.panel["now"] == "You are on GO: throw the dice."
    assert steps.board.panel["story"] == []
    press(steps, "Forward")
    assert steps.board.token == steps.lesson.place != "go"
    assert steps.board.panel["story"] == list(steps.lesson.story)
    assert steps.board.panel["now"] in steps.board.said
    press(steps, "Back")
    assert steps.board.token == "go"


def test_every_button_does_what_it_says() -> None:
    steps = stepper("monopoly", seed=1)
    names = [one["name"] for one in steps.board.bar]
    assert names == ["Start again", "Back a turn", "Back", "Forward", "Whole turn"]
    assert all(one["tip"] for one in steps.board.bar)
    press(steps, "Whole turn")
    press(steps, "Whole turn")
    assert steps.lesson.walk.turn == 3
    press(steps, "Back a turn")
    assert steps.lesson.walk.turn == 2
    press(steps, "Start again")
    assert steps.lesson.walk.moves == ()


def test_what_is_typed_into_the_box_answers_the_question() -> None:
    steps = stepper("monopoly")
    type_in(steps.board, "5+2")
    assert steps.board.token == "chance_1"
    type_in(steps.board, "pizza")
    assert "needs a card of Chance" in steps.board.message
    assert "such as" in steps.board.asks
    type_in(steps.board, "back_three")
    assert (steps.board.token, steps.board.message) == ("income_tax", "")


@pytest.mark.parametrize(
    "content",
    [
        *(None, 7, "5+2", {}, {"answer": 7}, {"answer": ["5+2"]}, {"press": "Explode"}),
        *({"press": ["Forward"]}, {"choose": "Game"}, {"choose": "Game", "value": "nothing"}),
        *({"choose": "Seed", "value": 5}, {"choose": "Dice", "value": "5"}),
        {"choose": "Game", "value": "../monopoly"},
    ],
)
def test_messages_that_are_no_answers_are_ignored(content: Any) -> None:
    steps = stepper("monopoly")
    steps.board._handle_custom_msg(content, [])
    assert steps.lesson.walk.moves == ()


def test_another_game_can_be_picked() -> None:
    steps = stepper("monopoly")
    (shelf,) = (one["options"] for one in steps.board.choices if one["name"] == "Game")
    assert {name for _, name in shelf} == {game.name for game in games()}
    for name in ("payday", "easy_money", "corner_shop", "monopoly"):
        choose(steps, "Game", name)
        assert steps.lesson.rules.id == chosen(steps, "Game") == name
        assert len(steps.board.drawing["cells"]) == len(steps.lesson.rules.squares) + (
            steps.lesson.rules.jail is not None
        )
        assert steps.board.label.endswith(steps.lesson.rules.title)


def test_the_seed_box_starts_the_game_of_that_seed() -> None:
    def story(steps: Stepper) -> list[str]:
        press(steps, "Whole turn")
        press(steps, "Whole turn")
        return list(steps.board.panel["story"])

    steps = stepper("monopoly", seed=1)
    first = story(steps)
    choose(steps, "Seed", " 2 ")
    assert steps.lesson.walk.moves == ()
    assert (steps.lesson.seed, chosen(steps, "Seed")) == (2, "2")
    other = story(steps)
    assert other == story(stepper("monopoly", seed=2))
    assert other != first


@pytest.mark.parametrize("told", ["", "pizza", "-1", "1.5", "1e3", "٣", "9" * 5000, "1000000000"])
def test_a_seed_that_is_none_is_explained_and_changes_nothing(told: str) -> None:
    steps = stepper("monopoly", seed=4)
    press(steps, "Forward")
    choose(steps, "Seed", told)
    assert "needs a whole number, 0 to 999,999,999" in steps.board.message
    assert (steps.lesson.seed, chosen(steps, "Seed")) == (4, "4")
    assert len(steps.lesson.walk.moves) == 1


@pytest.mark.parametrize("seed", [-1, 10**9, True, 1.5, "1", None])
def test_a_stepper_of_a_seed_that_is_none_is_refused(seed: Any) -> None:
    with pytest.raises(RulesError, match="needs a whole number"):
        stepper("monopoly", seed=seed)


def test_a_board_of_ones_own_comes_back_when_it_is_picked_again() -> None:
    steps = stepper("corner_shop", "no_jail", policy=stay, start="bakery", script=["1+2"])
    assert steps.board.token == "bakery"
    own = chosen(steps, "Game")
    choose(steps, "Game", "corner_shop")
    assert steps.lesson.rules.overlays == ()
    choose(steps, "Game", own)
    assert steps.lesson.rules.overlays == ("house/no_jail",)
    assert steps.board.token == "bakery"
    assert steps.lesson.walk.policy is stay
    press(steps, "Forward")
    assert steps.board.token == "station"


def test_going_on_brings_the_way_of_the_token_along_and_going_back_does_not() -> None:
    steps = stepper("monopoly", script=["5+2", "Back three squares"])
    press(steps, "Forward")
    walked = ["mediterranean", "community_chest_1", "baltic", "income_tax", "reading", "oriental"]
    assert steps.board.way == [[square, True] for square in (*walked, "chance_1")]
    press(steps, "Forward")
    assert steps.board.way == [["income_tax", False]]
    press(steps, "Back")
    assert (steps.board.token, steps.board.way) == ("chance_1", [])


def test_rules_made_in_memory_can_be_stepped_through() -> None:
    rules = rules_of("corner_shop").but({"jail.fine": 0})
    assert stepper(rules).lesson.rules is rules


def test_a_game_that_does_not_exist_is_refused_with_a_suggestion() -> None:
    with pytest.raises(RulesError, match="did you mean 'monopoly'"):
        stepper("monoply")


def test_invented_boards_say_so_beside_the_board() -> None:
    assert stepper("easy_money").board.panel["note"].startswith("Illustrative board")
    assert stepper("corner_shop").board.panel["note"] == ""


def test_without_a_notebook_the_stepper_is_a_still_picture() -> None:
    steps = stepper("corner_shop")
    bundle, _ = steps._repr_mimebundle_()
    assert bundle["text/plain"] == "<Stepper of corner_shop, seed 1>"
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert ET.fromstring(bundle["image/svg+xml"]).attrib["role"] == "img"


# ----------------------------------------------------------------------------- the board


def test_a_board_shows_heat_and_token_and_can_be_changed() -> None:
    rules = rules_of("corner_shop")
    board = Board(rules, {"corner": 0.5}, "bakery")
    assert (board.heat["corner"]["text"], board.token) == ("50.0%", "bakery")
    board.show(rules, {"market": 1.0}, "market")
    assert (set(board.heat), board.token) == ({"market"}, "market")
    data, _ = board._repr_mimebundle_()
    assert "100%" in data["image/svg+xml"]


def test_a_warm_board_says_what_its_numbers_rest_on_and_which_are_the_largest() -> None:
    rules, table = rules_of("easy_money"), landing("easy_money", per="turn", number=float)
    board = Board(rules, table)
    small = board.panel["small"]
    assert small.startswith("per turn; overlays: none; evidence: illustrative")
    assert small.count("Illustrative board") == 1
    first, *_ = board.panel["answers"]
    assert first[0] == table.most(1)[0].name
    assert board.panel["scale"]["top"] == first[1] == percent(float(table.most(1)[0].probability))
    assert "per turn" in str(board.picture())
    board.show(rules, {"street_a": 0.5})
    assert "per turn" not in board.panel["small"]
    board.show(rules, panel={"title": "mine"})
    assert board.panel == {"title": "mine"}
    assert Board(rules_of("monopoly")).panel == {}


def strings(node: Any) -> list[str]:
    """Every text in plain data."""
    if isinstance(node, str):
        return [node]
    inside = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    return [text for one in inside for text in strings(one)]


DECIMALS = re.compile(r"\d[.,]\d")


def test_a_board_writes_its_numbers_and_those_beside_it_with_a_comma() -> None:
    rules, table = rules_of("corner_shop"), landing("corner_shop", number=float)
    plain, turned = (Board(rules, table, decimal=sign) for sign in ".,")
    for one, other in ((plain.heat, turned.heat), (plain.panel, turned.panel)):
        before = [text for text in strings(one) if DECIMALS.search(text)]
        assert len(before) >= 6
        after = [text for text in strings(other) if DECIMALS.search(text)]
        assert after == [text.replace(".", ",") for text in before]
    assert ">19,9%<" in str(turned.picture())
    assert ">19.9%<" not in str(turned.picture())
    turned.show(rules, {"corner": 0.125})
    assert turned.heat["corner"]["text"] == "12,5%"


def test_a_stepper_writes_with_a_comma_whatever_game_is_picked() -> None:
    steps = stepper("corner_shop", decimal=",")
    for _ in range(2):
        shown = [text for text in strings([steps.board.heat, steps.board.panel]) if "%" in text]
        assert [text for text in shown if DECIMALS.search(text)]
        assert not [text for text in shown if re.search(r"\d\.\d", text)]
        choose(steps, "Game", "monopoly")
    assert re.search(r">\d+,\d%<", str(steps.lesson.picture(",")))
    picture = steps._repr_mimebundle_()[0]["image/svg+xml"]
    assert re.search(r">\d+,\d%<", picture)
    assert not re.search(r">\d+\.\d%<", picture)


def test_beside_a_board_only_what_is_read_is_rewritten() -> None:
    told = {
        "story": ["You pay $1,250.50."],
        "answers": [["version 2.5", "2.5 %", 2.5]],
        "people": [{"shapes": [{"path": "M 1.5 2.5"}], "text": "Anna: 2.5"}],
        "scale": {"colours": ["#00204c"], "top": "2.5%"},
    }
    assert with_decimal(told, ".") == told
    assert with_decimal(told, ",") == {
        "story": ["You pay $1\u202f250,50."],
        "answers": [["version 2.5", "2,5 %", 2.5]],
        "people": [{"shapes": [{"path": "M 1.5 2.5"}], "text": "Anna: 2,5"}],
        "scale": {"colours": ["#00204c"], "top": "2,5%"},
    }


@pytest.mark.parametrize(
    "make",
    [
        lambda sign: stepper("corner_shop", decimal=sign),
        lambda sign: film("corner_shop", turns=1, decimal=sign),
        lambda sign: Board(rules_of("corner_shop"), decimal=sign),
    ],
)
def test_no_other_decimal_sign_is_taken(make: Any) -> None:
    with pytest.raises(ValueError, match="decimal must be"):
        make(";")


def test_a_board_refuses_squares_that_do_not_exist() -> None:
    with pytest.raises(RulesError, match="no such square"):
        Board(rules_of("corner_shop"), {"nowhere": 0.5})
    with pytest.raises(RulesError, match="no such square"):
        Board(rules_of("corner_shop"), token="nowhere")


# ------------------------------------------------------------------------------- the quiz


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("6", 6),
        ("6/36", Fraction(1, 6)),
        (" 1 in 6 ", Fraction(1, 6)),
        ("6 of 36", Fraction(1, 6)),
        ("0.25", Fraction(1, 4)),
        ("0,25", Fraction(1, 4)),
        ("25%", Fraction(1, 4)),
        ("12.5 %", Fraction(1, 8)),
    ],
)
def test_numbers_are_read_as_pupils_write_them(text: str, value: Fraction) -> None:
    read = read_number(text)
    assert read is not None
    assert read[0] == value


@pytest.mark.parametrize("text", ["", "six", "1/0", "1e9", "--1", "1/2/3", "9" * 40, "%"])
def test_what_is_no_number_is_not_read(text: str) -> None:
    assert read_number(text) is None


@pytest.mark.parametrize(
    ("told", "right", "verdict"),
    [
        ("6", 6, True),
        ("7", 6, False),
        ("6/36", Fraction(1, 6), True),
        ("0.17", Fraction(1, 6), True),
        ("0.167", Fraction(1, 6), True),
        ("16.7%", Fraction(1, 6), True),
        ("17%", Fraction(1, 6), True),
        ("0.16", Fraction(1, 6), False),
        ("16.6%", Fraction(1, 6), False),
        ("0.2", Fraction(1, 6), None),  # right as far as it goes, but that is not far
        ("a sixth", Fraction(1, 6), None),
        ("In jail", "in jail", True),
        ("GO", "in jail", False),
    ],
)
def test_answers_are_judged(told: str, right: Any, verdict: bool | None) -> None:
    assert judge(told, right)[0] is verdict


def test_the_quiz_helps_after_a_wrong_answer_and_explains_a_right_one() -> None:
    one = quiz("How many ways give seven?", ways(7), hint="List them.", why="One for each face.")
    assert isinstance(one, Quiz)
    type_in(one, "5")
    assert one.message == "5 is not it yet. List them."
    type_in(one, "six")
    assert "not a number I can read" in one.message
    assert "List them." not in one.message
    type_in(one, "6")
    assert one.message == "6 is right! One for each face."


def test_ways_counts_every_die_apart() -> None:
    # 7 with two dice: 1+6 2+5 3+4 4+3 5+2 6+1.  10 with three: 27 (Galileo's count).
    assert [ways(2), ways(7), ways(12), ways(13), ways(10, dice=3)] == [1, 6, 1, 0, 27]


# ----------------------------------------------------------------------------- the rooms


def _python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_the_library_does_not_import_the_widgets() -> None:
    code = (
        "import sys, boardrules, boardrules.board\n"
        "names = {'ipywidgets', 'anywidget', 'traitlets', 'IPython'}\n"
        "print(sorted(names & set(sys.modules)))"
    )
    assert _python(code).stdout.strip() == "[]"


@pytest.mark.parametrize("name", ["ipywidgets", "anywidget"])
def test_without_the_extra_the_widgets_say_what_to_install(name: str) -> None:
    code = f"import sys; sys.modules['{name}'] = None; import boardrules.widgets"
    assert 'pip install "boardrules[lab]"' in _python(code).stderr


def test_a_mixed_policy_may_guide_the_lesson() -> None:
    lesson = Lesson(rules_of("corner_shop"), mixed("1/2"))
    for told in ("1+1", "to_the_station"):
        lesson.answer(told)
    assert [(one.name, one.text) for one in lesson.chances()] == [
        ("pay", "1 of 2"),
        ("roll", "1 of 2"),
    ]
