"""The box for a class's counts, without a browser: what it reads, shows and politely ignores."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import rules_of

from boardrules.rules import RulesError
from boardrules.tallies import read, squares_of, sums_of, verdict
from boardrules.widgets import Tallies, tallies
from boardrules.widgets.tally import QUESTIONS


def use(box: Tallies, button: str, text: str = "", **more: str) -> None:
    """What the browser sends when somebody presses a button."""
    told = {"question": box.form.question, "form": box.form.form, "pupils": "", **more}
    box.form._handle_custom_msg({"tally": button, "text": text, **told}, [])


def test_throws_are_shown_with_their_verdict_and_a_chart() -> None:
    box = tallies("corner_shop")
    assert len(box.box.children) == 1
    use(box, "show", "2: 20, 3: 45, 4: 21")
    expected = verdict("2: 20, 3: 45, 4: 21", "corner_shop")
    assert box.verdict is not None
    assert box.verdict.odds == expected.odds
    assert box.form.said == "Read: 86 throws."
    assert box.form.told[0] == expected.sentence
    form, chart = box.box.children
    assert form is box.form
    assert list(chart.data[0].y) == [20, 45, 21]


def test_landings_are_shown_on_the_board_too() -> None:
    box = tallies("corner_shop", question="roll", text="Market: 5\nCorner: 3", pupils=4)
    _, chart, board = box.box.children
    assert {key: one["text"] for key, one in board.heat.items()} == {"market": "5", "corner": "3"}
    assert sum(y or 0 for y in chart.data[0].y) + sum(y or 0 for y in chart.data[1].y) == 8
    assert box.verdict is not None
    assert [one[0] for one in board.panel["answers"]] == ["Market", "Corner"]
    assert board.panel["answers"][0][1].startswith("5 (")
    assert board.panel["scale"]["top"] == "5"
    assert box.verdict.walks == (2, 2, 2, 2)
    bundle = box._repr_mimebundle_()
    assert bundle["text/plain"] == "<Tallies of corner_shop: 8 landings>"
    assert "What the class counted on Corner Shop" in bundle["image/svg+xml"]


def test_the_next_counts_take_the_place_of_the_last_in_the_same_chart() -> None:
    box = tallies("corner_shop", text="2: 20, 3: 45, 4: 21")
    chart = box.chart
    use(box, "show", "2: 200, 3: 5, 4: 5")
    assert box.chart is chart
    assert [a or b for a, b in zip(chart.data[0].y, chart.data[1].y, strict=True)] == [200, 5, 5]
    assert chart.data[1].visible is True
    assert "look for the cause" in chart.layout.title.text.replace("<br>", " ")
    use(box, "show", "2: 20, 3: 45, 4: 21")
    assert list(chart.data[0].y) == [20, 45, 21]
    assert chart.data[1].visible is False


@pytest.mark.parametrize("game", ["corner_shop", "monopoly", "easy_money", "payday"])
@pytest.mark.parametrize("question", QUESTIONS)
def test_the_example_is_an_ordinary_class_of_the_game(game: str, question: str) -> None:
    box = tallies(rules_of(game), question=question)
    text, pupils = box.example(question)
    outcomes = sums_of(box.rules) if question == "throw" else squares_of(box.rules)
    tally = read(text, outcomes)
    assert tally.doubts == ()
    assert set(tally.pupils.values()) == {12}
    assert len(tally.pupils) == 30
    assert pupils == ("" if question == "throw" else "30")
    assert box.example(question)[0] == text


def test_another_question_needs_other_counts() -> None:
    box = tallies("corner_shop", text="2 3 4 3")
    assert len(box.box.children) == 2
    use(box, "ask", "2 3 4 3", question="turn")
    assert box.verdict is None
    assert len(box.box.children) == 1
    assert "Squares by name" in box.form.hint
    use(box, "show", "Market, Corner, Market")
    assert box.form.said == "Read: 3 landings."


def test_clear_empties_everything() -> None:
    box = tallies("corner_shop", text="2 3 4 3")
    use(box, "clear", "2 3 4 3")
    assert (box.form.text, box.form.said, box.form.told, box.form.doubts) == ("", "", [], [])
    assert repr(box) == "<Tallies of corner_shop: nothing yet>"


@pytest.mark.parametrize(
    "nonsense",
    ["", "   ", "hello", "99", "7: 5", "\x00", "x" * 300_000, "💥", "<script>", "3 4"],
)
def test_nonsense_is_answered_politely(nonsense: str) -> None:
    box = tallies("corner_shop")
    use(box, "show", nonsense)
    assert box.form.said == "Nothing has been read yet."
    assert box.verdict is None
    assert len(box.box.children) == 1
    assert sum(map(len, box.form.doubts)) < 5_000


@pytest.mark.parametrize("pupils", ["x", "0", "-3", "99", "2.5", "٣"])
def test_a_number_of_pupils_that_makes_no_sense_is_left_out_and_told(pupils: str) -> None:
    box = tallies("corner_shop", question="roll")
    use(box, "show", "Market: 5\nCorner: 3", pupils=pupils)
    assert any("pupils: needs a number from 1 to 8" in doubt for doubt in box.form.doubts)
    assert box.verdict is not None
    assert box.verdict.walks == (8,)


@pytest.mark.parametrize(
    "content",
    [None, 5, "show", {}, {"tally": "show"}, {"tally": 1, "text": "2", "question": "throw"}],
)
def test_messages_that_no_button_sends_change_nothing(content: Any) -> None:
    box = tallies("corner_shop", text="2 3 4 3")
    before = (box.form.said, box.verdict)
    box.form._handle_custom_msg(content, [])
    use(box, "show", "2 2", question="evil")
    use(box, "show", "2 2", form="evil")
    assert (box.form.said, box.verdict) == before


def test_too_many_landings_of_one_token_are_refused_in_words() -> None:
    box = tallies("corner_shop", question="roll")
    use(box, "show", "Market: 5000")
    assert "how many pupils were there" in box.form.told[0]
    use(box, "show", "Market: 500", pupils="50")
    assert box.verdict is not None
    assert "look for the cause" in box.form.told[0]


def test_the_form_speaks_with_a_comma_if_asked_to() -> None:
    box = tallies("monopoly", "deutsch", question="roll", decimal=",")
    use(box, "show", "Schlossallee: 30\nLOS: 2", pupils="8")
    assert any("instead of about 0," in text or "instead of about 1," in text
               for text in box.form.told)  # fmt: skip
    assert box.chart.layout.separators.startswith(",")


def test_what_there_is_not_is_refused() -> None:
    with pytest.raises(RulesError, match="did you mean 'throw'"):
        tallies("corner_shop", question="throws")
    with pytest.raises(RulesError, match="did you mean 'monopoly'"):
        tallies("monoply")
    with pytest.raises(ValueError, match="decimal"):
        tallies("corner_shop", decimal=";")  # type: ignore[arg-type]
