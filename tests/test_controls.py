"""The form with sliders, lists, ticks and lines: what the kernel takes from a browser."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boardrules.rules import RulesError
from boardrules.widgets import Choice, Controls, Group, Line, Slider, Tick

FINE = Slider("fine", "Jail fine", 0, 200, 5, 50, "$")
RATE = Slider("rate", "Interest", 0.0, 1.0, 0.05, 0.1)
UNIT = Choice("unit", "Unit", (("per roll", "roll"), ("per turn", "turn")), "roll")
GO = Tick("go", "Double salary", False)
WORDS = Line("words", "Name", "Ada")
ALL = (FINE, RATE, UNIT, GO, WORDS)


def hear(controls: Controls, content: Any) -> None:
    """What arrives from the browser."""
    controls._handle_custom_msg(content, [])


def test_every_field_starts_with_its_own_value() -> None:
    start = {"fine": 50, "rate": 0.1, "unit": "roll", "go": False, "words": "Ada"}
    assert Controls(ALL).values == start
    assert Controls(
        [Group("Jail", (FINE, GO)), Group("More", (RATE, UNIT, WORDS), True)]
    ).values == {**start}


def test_whoever_listens_is_told_all_values_once_a_change() -> None:
    controls, heard = Controls(ALL), []
    controls.on_change(heard.append)
    hear(controls, {"set": {"fine": 60, "go": True}})
    assert heard == [{"fine": 60, "rate": 0.1, "unit": "roll", "go": True, "words": "Ada"}]
    hear(controls, {"set": {"fine": 60}})
    assert len(heard) == 1, "the same value again is no change"


def test_a_button_tells_its_text_and_an_unknown_one_nothing() -> None:
    controls, heard = Controls(ALL, buttons=("Reset",)), []
    controls.on_press(heard.append)
    hear(controls, {"press": "Reset"})
    hear(controls, {"press": "Explode"})
    assert heard == ["Reset"]


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("fine", 201, "Jail fine: a whole number from 0 to 200, please."),
        ("fine", -1, "Jail fine: a whole number from 0 to 200, please."),
        ("fine", 7.5, "Jail fine: a whole number from 0 to 200, please."),
        ("fine", "", "Jail fine: a whole number from 0 to 200, please."),
        ("fine", True, "Jail fine: a whole number from 0 to 200, please."),
        ("fine", float("nan"), "Jail fine: a whole number from 0 to 200, please."),
        ("fine", [50], "Jail fine: a whole number from 0 to 200, please."),
        ("fine", 10**30, "Jail fine: a whole number from 0 to 200, please."),
        ("rate", float("inf"), "Interest: a number from 0.0 to 1.0, please."),
        ("unit", "parsec", "Unit: one of the things in the list, please."),
        ("unit", None, "Unit: one of the things in the list, please."),
        ("go", "yes", "Double salary: yes or no, please."),
        ("words", 5, "Name: a text, please."),
        ("fines", 5, "There is no such field 'fines'; did you mean 'fine'?"),
    ],
)
def test_nonsense_changes_nothing_and_is_answered_in_words(
    name: str, value: Any, wanted: str
) -> None:
    controls, heard = Controls(ALL), []
    controls.on_change(heard.append)
    before = controls.values
    hear(controls, {"set": {name: value}})
    assert controls.values == before
    assert controls.message == wanted
    assert heard == []
    hear(controls, {"set": {"fine": 55}})
    assert controls.message == ""


def test_what_fits_is_taken_beside_what_does_not() -> None:
    controls = Controls(ALL)
    hear(controls, {"set": {"fine": 999, "go": True}})
    assert (controls.values["fine"], controls.values["go"]) == (50, True)


_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inside: (
        st.lists(inside, max_size=2) | st.dictionaries(st.text(max_size=5), inside, max_size=2)
    ),
    max_leaves=4,
)


@settings(
    derandomize=True, deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow]
)
@given(
    st.dictionaries(st.sampled_from(["set", "press", "by", "count", "x"]), _ANYTHING),
    st.dictionaries(st.sampled_from([one.name for one in ALL]), _ANYTHING),
)
def test_no_message_from_a_browser_raises_or_leaves_a_value_that_does_not_fit(
    content: dict[str, Any], given_: dict[str, Any]
) -> None:
    controls = Controls(ALL, buttons=("Reset",))
    hear(controls, content)
    hear(controls, {"set": given_})
    now = controls.values
    assert type(now["fine"]) is int
    assert now["fine"] in range(201)
    assert 0 <= float(now["rate"]) <= 1
    assert now["unit"] in ("roll", "turn")
    assert type(now["go"]) is bool
    assert len(str(now["words"])) <= 200
    Controls(ALL).set(**now)


def test_the_answer_names_the_message_that_it_answers_and_comes_after_the_listeners() -> None:
    controls, counts = Controls(ALL), []
    controls.on_change(lambda _: counts.append(controls.state["count"]))
    hear(controls, {"set": {"fine": 60}, "by": "me", "count": 7})
    assert counts == [0], "not answered before the work is done"
    assert (controls.state["by"], controls.state["count"]) == ("me", 7)
    assert controls.state["values"]["fine"] == 60
    hear(controls, {"set": {"fine": 999}, "by": "me", "count": 8})
    assert (controls.state["count"], controls.state["values"]["fine"]) == (8, 60)


def test_setting_from_the_kernel_tells_the_browser_but_nobody_else() -> None:
    controls, heard = Controls(ALL), []
    controls.on_change(heard.append)
    controls.set(fine=75, unit="turn")
    assert controls.values["fine"] == controls.state["values"]["fine"] == 75
    assert heard == []
    with pytest.raises(RulesError, match="whole number from 0 to 200"):
        controls.set(fine=1000)
    with pytest.raises(RulesError, match="did you mean 'fine'"):
        controls.set(fines=10)
    assert controls.values["fine"] == 75


def test_another_form_replaces_the_first() -> None:
    controls = Controls(ALL, title="One")
    controls.show([UNIT], ("Go",), "Two")
    assert controls.values == {"unit": "roll"}
    assert controls.form["title"] == "Two"
    assert controls.state["values"] == {"unit": "roll"}


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ((FINE, FINE), "a name of its own"),
        ((Slider("a", "A", 5, 5, 1, 5),), "low < high"),
        ((Slider("a", "A", 0, 5, 0, 5),), "step above 0"),
        ((Slider("a", "A", 0, 5, 1, 6),), "6 does not fit"),
        ((Choice("a", "A", (("x", "y"),), "z"),), "'z' does not fit"),
        ((Tick("a", " "),), "needs a label"),
        (tuple(Tick(f"t{n}", "T") for n in range(501)), "at most 500"),
    ],
)
def test_fields_that_cannot_be_are_refused(fields: Any, text: str) -> None:
    with pytest.raises(RulesError, match=text):
        Controls(fields)


def test_all_that_goes_to_the_browser_is_plain_data() -> None:
    controls = Controls([Group("Jail", ALL)], buttons=("Reset",), title="<b>")
    assert json.loads(json.dumps(controls.form))["groups"][0]["fields"][0]["before"] is True
    assert json.loads(json.dumps(controls.state))["values"] == controls.values
