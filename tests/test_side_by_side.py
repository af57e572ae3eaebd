"""Rulesets side by side, and their differences: every bar against the tables, every text safe."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import rules_of

from boardrules.chain import chain
from boardrules.charts import HATCHES, OKABE_ITO
from boardrules.library import load
from boardrules.quick import Desk
from boardrules.rents.groups import groups
from boardrules.rules import RulesError
from boardrules.side_by_side import (
    View,
    beside,
    changed_most,
    changes,
    difference_chart,
    differences,
    incomes_beside,
    landings_beside,
    money,
    paybacks_beside,
    rents_beside,
)
from boardrules.tables import income, landing
from boardrules.turn import leave, stay

DOUBLE = ("monopoly", "double_go")
NO_JAIL = ("monopoly", "no_jail")


def named(figure: Any, trace: int = 0) -> dict[str, Any]:
    """The bars of a trace by what stands beside them, without colours."""
    names = [text.split("</span> ")[-1].replace("<b>", "").replace("</b>", "")
             for text in figure.layout.yaxis.ticktext]  # fmt: skip
    return {
        names[int(y)]: x for y, x in zip(figure.data[trace].y, figure.data[trace].x, strict=True)
    }


def title(figure: Any) -> str:
    return str(figure.layout.title.text)


def test_landings_stand_side_by_side() -> None:
    figure = landings_beside("monopoly", NO_JAIL)
    for trace, table in zip(figure.data, (landing("monopoly"), landing(*NO_JAIL)), strict=True):
        assert trace.y[0] == pytest.approx(100 * float(table.rows[0].probability))
    assert "house/no_jail" in figure.data[1].name


def test_the_causes_of_income_stand_side_by_side_with_their_sum_first() -> None:
    figure = incomes_beside("monopoly", DOUBLE)
    before, after = named(figure), named(figure, 1)
    assert next(iter(before)) == "In all"
    for bars, table in ((before, income("monopoly")), (after, income(*DOUBLE))):
        assert bars["In all"] == pytest.approx(float(table["all"].mean))
        assert bars["Salary"] == pytest.approx(float(table["salary"].mean))
        assert bars["Tax"] == pytest.approx(float(table["tax"].mean))
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1], "the first row is on top"


def test_rents_and_paybacks_of_groups_are_those_of_the_group_table() -> None:
    table = groups(chain("monopoly", stay, float), per="turn", opponents=3)
    rents = named(rents_beside("monopoly", per="turn", policy=stay, level=3))
    paybacks = named(paybacks_beside("monopoly", policy=stay, level=3, opponents=3))
    assert rents["O Orange"] == pytest.approx(table["orange", 3].mean)
    assert paybacks["O Orange"] == pytest.approx(table["orange", 3].payback)
    assert paybacks["Ra Railroad"] == pytest.approx(table["railroad", 4].payback)
    assert len(rents) == len(paybacks) == 10


def test_groups_carry_the_letter_and_the_colour_of_the_board() -> None:
    names = rents_beside("monopoly").layout.yaxis.ticktext
    assert len({name.split("<b>")[1].split("</b>")[0] for name in names}) == 10
    assert all("■" in name for name in names)


@pytest.mark.parametrize("draw", [landings_beside, incomes_beside, rents_beside, paybacks_beside])
def test_every_chart_tells_unit_policy_overlays_and_evidence(draw: Any) -> None:
    figure = draw("monopoly", DOUBLE, per="turn", policy=stay)
    told = title(figure) + " ".join(trace.name for trace in figure.data)
    for words in (
        "per turn",
        "jail: stay",
        "overlays: none",
        "overlays: house/double_go",
        "evidence:",
    ):
        assert words in told
    assert "Illustrative board" in title(draw("easy_money"))


@pytest.mark.parametrize("what", ["landing", "income", "rent", "payback"])
def test_differences_are_signed_and_sorted_by_size(what: Any) -> None:
    figure = differences("monopoly", NO_JAIL, what)
    more, less = figure.data
    bars = [a if a is not None else b for a, b in zip(more.x, less.x, strict=True)]
    assert [abs(bar) for bar in bars] == sorted((abs(bar) for bar in bars), reverse=True)
    assert [text[:1] for text in more.text] == ["+" if bar > 0 else "" for bar in bars]
    assert [text[:1] for text in less.text] == ["" if bar > 0 else "−" for bar in bars]
    assert all(x is None or x > 0 for x in more.x)
    assert all(x is None or x < 0 for x in less.x)
    assert "compared with" in title(figure)
    assert "house/no_jail" in title(figure)


def test_a_difference_is_one_table_less_the_other() -> None:
    found = {
        one.item.name: one.by for one in changes(View("landing"), *numbers("monopoly", NO_JAIL))
    }
    old, new = landing("monopoly"), landing(*NO_JAIL)
    for square in ("illinois", "go_to_jail"):
        name = next(row.name for row in old.rows if row.id == square)
        assert found[name] == pytest.approx(100 * float(new[square] - old[square]))
    assert found["In Jail"] == pytest.approx(-100 * float(old["in_jail"]))


def numbers(*games: Any) -> list[Any]:
    desk = Desk()
    made = [rules_of(*(game if isinstance(game, tuple) else (game,))) for game in games]
    return [desk.numbers(rules) for rules in made]


def test_where_nothing_differs_the_picture_says_so() -> None:
    figure = differences("monopoly", DOUBLE, "landing")
    assert figure.layout.annotations[0].text == "Nothing changes here."
    assert changed_most(View("landing"), *numbers("monopoly", DOUBLE)) == "Landing stays as it was."


def test_what_changed_most_is_told_in_one_sentence() -> None:
    pair = numbers("monopoly", DOUBLE)
    # stopping on GO pays once more
    more = 200 * float(landing("monopoly", per="visit")["go"])
    said = changed_most(View("income", "visit"), *pair)
    assert said == f"The bank, per visit: salary +${more:.2f}, +${more:.2f} in all."
    said = changed_most(View("landing"), *numbers("monopoly", NO_JAIL))
    assert said.startswith("Landing: In Jail changes most, 3.95 % → 0.00 % (−3.95 points)")


def test_the_base_rules_stand_behind_as_a_pale_ghost() -> None:
    pair = numbers("monopoly", DOUBLE)
    for what in ("landing", "income", "rent", "payback"):
        figure = beside(View(what), pair, ghost=True)
        ghost, mine = figure.data
        assert ghost.marker.color not in OKABE_ITO
        assert mine.marker.color == OKABE_ITO[0]


def test_a_narrow_chart_leaves_names_out_but_no_square() -> None:
    figure = beside(View("landing"), numbers("monopoly"), wide=68)
    assert len(figure.data[0].y) == 41
    assert len(figure.layout.xaxis.ticktext) == len(figure.layout.xaxis.tickvals) == 21
    lines = title(figure).split("<br>")
    assert max(len(line) for line in lines[1:]) <= 68


@pytest.mark.parametrize("wide", [68, 110])
def test_the_numbers_beside_the_bars_have_room(wide: int) -> None:
    view, pair = View("landing"), numbers("monopoly", NO_JAIL)
    figure = difference_chart(view, *pair, wide=wide)
    low, high = figure.layout.xaxis.range
    values = [x for trace in figure.data for x in trace.x if x is not None]
    letters = max(len(text) for trace in figure.data for text in trace.text)
    place = wide * 8.3 - 9 * max(len(name) for name in figure.layout.yaxis.ticktext)
    needed = 8 * letters / place * (high - low)
    assert min(values) - low >= needed
    assert high - max(values) >= needed


def test_bars_differ_in_hatching_as_well_as_in_colour() -> None:
    figure = incomes_beside("monopoly", DOUBLE, NO_JAIL)
    assert [trace.marker.pattern.shape for trace in figure.data] == list(HATCHES[:3])
    assert [trace.marker.color for trace in figure.data] == list(OKABE_ITO[:3])


def test_rulesets_may_come_as_names_rules_or_chains_with_policies_of_their_own() -> None:
    walks = [chain("monopoly", policy, float) for policy in (leave, stay)]
    figure = rents_beside(*walks)
    assert [trace.name for trace in figure.data] == ["jail: leave", "jail: stay"]
    exact = incomes_beside(chain("corner_shop"), load("corner_shop"), "corner_shop")
    assert named(exact) == pytest.approx(named(exact, 1))


def test_deeds_without_groups_stand_alone_and_only_the_best_of_them() -> None:
    figure = rents_beside("easy_money")
    assert "what a deed earns" in title(figure)
    assert "the 16 that earn most" in title(figure)
    assert len(figure.layout.yaxis.ticktext) == 16


def test_names_from_strangers_stay_text() -> None:
    bad = "<img src=x onerror=alert(1)>$x$"
    names = ("title", "decks.letters.name", "squares.bakery.name", "jail.name")
    rules = load("corner_shop", {"set": {"currency": "<b>", **dict.fromkeys(names, bad)}})
    changed = rules.but({"jail.fine": 9, "squares.corner.passing[0].collect": 1})
    pictures = [draw(rules, changed) for draw in (landings_beside, incomes_beside, rents_beside)]
    pictures += [differences(rules, changed, what) for what in ("landing", "income", "rent")]
    for figure in pictures:
        text = figure.to_json().replace("\\u003c", "<").replace("\\u003e", ">")
        assert "<img" not in text
        assert "<b>9" not in text


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        (lambda: rents_beside("payday"), "it has no deeds"),
        (lambda: incomes_beside(), "1 to 6 rulesets, not 0"),
        (lambda: incomes_beside(*["corner_shop"] * 7), "1 to 6 rulesets, not 7"),
        (lambda: paybacks_beside("monopoly", opponents=0), "whole number from 1 to 100"),
        (lambda: rents_beside("monopoly", level="castle"), "no such level"),
        (lambda: rents_beside("monopoly", per="year"), "no such unit"),
        (lambda: incomes_beside("monopoly", per="year"), "no such unit"),
        (lambda: differences("monopoly", "corner_shop"), "another game"),
        (lambda: differences("monopoly", DOUBLE, "luck"), "no such question"),  # type: ignore[arg-type]
    ],
)
def test_questions_that_have_no_answer_are_refused_in_words(ask: Any, text: str) -> None:
    with pytest.raises(RulesError, match=text):
        ask()


def test_money_has_a_sign_before_it_and_a_word_after_it() -> None:
    assert money(rules_of("monopoly"), -1234.4) == "−$1,234"
    assert money(rules_of("monopoly"), 0.5) == "$0.50"
    assert money(rules_of("corner_shop"), -2) == "−2.00 coins"


def test_amounts_in_two_currencies_are_not_taken_from_one_another() -> None:
    """325 dollars and 2,500 marks: their difference would be a number without a meaning."""
    marks = ("payday", "zahltag_1977")
    said = "Amounts in $ and in DM cannot be compared."
    figure = differences("payday", marks, "income")
    assert [note.text for note in figure.layout.annotations] == [said.replace("$", "&#36;")]
    assert not any(x for trace in figure.data for x in trace.x)
    before, after = (Desk().numbers(load(*game)) for game in (("payday",), marks))
    assert changed_most(View("income"), before, after) == said
    both = incomes_beside("payday", marks)
    assert said.replace("$", "&#36;") in both.layout.xaxis.title.text
    assert both.data[1].text[0].endswith("DM")
    # where no money is compared, nothing is in the way
    assert "cannot be compared" not in changed_most(View("landing"), before, after)


def test_more_opponents_than_anybody_has_are_refused() -> None:
    with pytest.raises(RulesError, match="whole number from 1 to 100"):
        paybacks_beside("corner_shop", opponents=10**400)
