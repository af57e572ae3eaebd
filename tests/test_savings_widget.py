"""Sliders for loans and savings: what they show, without a browser."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest

pytest.importorskip("ipywidgets")
pytest.importorskip("plotly")

from test_money_charts import HELD, SAVED, TINY

from boardrules import RulesError, load
from boardrules.decimals import marked_up
from boardrules.money_charts.formulas import interest_chart, terms_of
from boardrules.results import as_chain
from boardrules.widgets.savings import BOARD, WORK, Savings, Settings, average_player, savings

F = Fraction


@pytest.fixture
def tiny() -> Savings:
    return savings(TINY, months=2)


def slide(widget: Savings, **values: Any) -> None:
    """What a browser sends when something was moved."""
    widget.controls._hear(None, {"set": values}, None)


def press(widget: Savings, button: str) -> None:
    widget.controls._hear(None, {"press": button}, None)


def names(widget: Savings) -> str:
    return " ".join(str(trace.name) for trace in widget.chart.data)


def test_the_sliders_start_as_the_rules_say_and_with_the_law_worked_out(tiny: Savings) -> None:
    assert tiny.controls.values == {
        "loan": 20,
        "savings": 10,
        "months": 2,
        "cushion": 0,
        "plan": "save",
    }
    assert tiny.answer.trail[-1].amounts.tolist() == SAVED
    assert "mean" in tiny.status.value


def test_with_a_comma_nothing_that_is_read_has_a_point_and_the_values_are_the_same() -> None:
    plain, turned = (savings("payday", months=1, decimal=sign) for sign in ".,")
    for widget in (plain, turned):
        slide(widget, months=2)

    def read(widget: Savings) -> list[str]:
        hovers = [text for line in widget.chart.data for text in line.hovertext or ()]
        table = widget._repr_mimebundle_()["text/html"]
        shown = [widget.status.value, widget.table.value, table, names(widget)]
        axes = [str(widget.chart.layout.title.text), str(widget.chart.layout.yaxis.title.text)]
        return [*hovers, *shown, *axes]

    assert sum(bool(re.search(r"\d\.\d", text)) for text in read(plain)) >= 8
    # the size of the letters stays as browsers want it
    found = [text.replace("line-height:1.35", "") for text in read(turned)]
    assert not [text for text in found if re.search(r"\d\.\d", text)]
    assert [marked_up(text) for text in read(plain)] == read(turned)
    assert turned.chart.layout.separators == ",\u202f"
    for one, other in zip(plain.chart.data, turned.chart.data, strict=True):
        assert list(one.y) == list(other.y)


def test_a_percent_sign_stays_beside_its_number(tiny: Savings) -> None:
    assert " %" not in tiny.status.value
    assert "\u00a0%" in tiny.status.value


def test_another_plan_shows_another_law_at_once(tiny: Savings) -> None:
    slide(tiny, plan="hold")
    assert tiny.answer.trail[-1].amounts.tolist() == HELD
    assert list(tiny.chart.data[3].y) == [0, 100, 100, -220, -50, 0]  # the outer band


def test_other_rates_move_the_textbook_and_the_game(tiny: Savings) -> None:
    slide(tiny, loan=0, savings=50)
    assert list(tiny.chart.data[0].y) == [0] * 13
    assert list(tiny.chart.data[1].y) == [50 * k for k in range(13)]
    assert tiny.answer.trail[-1].amounts.tolist() == [-200, -50, 0, 150]
    assert "costs 0 %" in names(tiny)
    assert "bring 50 %" in names(tiny)
    assert "accounts.loan_rate" in tiny.chart.layout.title.text  # the small print tells it


def test_longer_games_wait_for_the_button_and_say_so(tiny: Savings) -> None:
    slide(tiny, months=5)
    assert tiny.answer.trail == ()
    assert WORK in tiny.status.value
    assert "press the button" in tiny.table.value
    assert list(tiny.chart.data[-1].x) == list(range(6)), "the textbook is there at once"
    press(tiny, WORK)
    assert len(tiny.answer.trail) == 5
    assert "press" not in tiny.status.value
    slide(tiny, months=2)
    slide(tiny, months=5)
    assert len(tiny.answer.trail) == 5, "what was worked out is remembered"


def test_back_to_the_board_with_one_button(tiny: Savings) -> None:
    slide(tiny, loan=45, cushion=300, plan="repay", months=1)
    press(tiny, BOARD)
    assert tiny.controls.values["loan"] == 20
    assert tiny.answer.settings == Settings(20, 10, 2, 0, "save")
    assert tiny.answer.trail[-1].amounts.tolist() == SAVED


def test_odd_rates_are_rounded_and_one_is_told(tiny: Savings) -> None:
    slide(tiny, loan=17)
    assert tiny.answer.settings.loan == 15
    assert tiny.controls.values["loan"] == 15
    assert "Rounded" in tiny.status.value
    slide(tiny, loan=500)
    assert tiny.answer.settings.loan == 15, "nonsense changes nothing"
    assert "from 0 to 50" in tiny.controls.message


def test_the_table_has_textbook_game_and_reason_side_by_side(tiny: Savings) -> None:
    slide(tiny, months=3)
    html = tiny.table.value
    for text in ("costs $60", "costs $72.80", "costs $100", "bring $33.10 (simple: $30)"):
        assert text.replace("$", tiny.rules.currency) in html
    for rule in ("P21", "P23", "P26", "P27", "P28"):
        assert f"({rule})" in html
    assert "no deals, poker, Swellfare or elections" in html


def test_the_average_player_by_hand() -> None:
    # 75 are paid in the average month; a salary of 100 on the first Pay Day only
    rules = as_chain(TINY).rules
    mean = F(-75)
    assert average_player(rules, mean, Settings(20, 10, 2, 0, "hold")) == (0, 25, -50)
    # the 25 saved on the first Pay Day bring 2.50, to the cent
    assert average_player(rules, mean, Settings(20, 10, 2, 0, "save")) == (0, 25, F("-47.5"))
    assert average_player(rules, mean, Settings(20, 10, 2, 100, "save")) == (0, 25, -50)
    # who owes 100 pays 20 for it on the next Pay Day
    deep = average_player(rules, F(-200), Settings(20, 10, 2, 0, "repay"))
    assert deep == (0, -100, -320)


def test_rates_of_other_rules_are_where_the_sliders_start() -> None:
    odd = {**TINY, "accounts": {**TINY["accounts"], "loan_rate": "3/4", "savings_rate": "3/100"}}
    widget = savings(odd, months=1)
    assert widget.controls.values["loan"] == 75
    assert widget.controls.values["savings"] == 3
    assert widget.answer.rules is widget.rules
    slide(widget, loan=70)
    assert widget.answer.rules.accounts.loan_rate == F(7, 10)
    assert widget.answer.rules.accounts.savings_rate == F(3, 100), "nobody moved that one"


def test_an_edition_without_savings_has_neither_their_slider_nor_their_plan() -> None:
    bare = {**TINY, "accounts": {"salary": 100, "savings": False, "loan_rate": "1/5"}}
    widget = savings(bare, months=2)
    assert set(widget.controls.values) == {"loan", "months", "plan"}
    assert widget.controls.values["plan"] == "repay"
    slide(widget, loan=0)
    assert widget.answer.trail[-1].amounts.tolist() == [-200, -50, 100]
    assert "savings of" not in widget.table.value
    press(widget, BOARD)
    assert widget.answer.trail[-1].amounts.tolist() == HELD
    slide(widget, plan="save")
    assert "in the list" in widget.controls.message


def test_a_game_without_accounts_is_refused_in_words() -> None:
    with pytest.raises(RulesError, match="no accounts"):
        savings("monopoly")


def test_names_of_strangers_are_escaped() -> None:
    widget = savings({**TINY, "title": "<script>x</script>", "currency": "<b>"}, months=1)
    for text in (widget.table.value, widget.status.value, widget.chart.layout.title.text):
        assert "<script" not in text
    assert "&lt;b&gt;" in widget.status.value
    assert "<b>" not in widget.status.value


def test_it_has_a_text_for_those_without_widgets(tiny: Savings) -> None:
    bundle = tiny._repr_mimebundle_()
    assert bundle["text/plain"].startswith("<Savings of")
    assert "<table" in bundle["text/html"]


@pytest.mark.parametrize("months", [0, -1, "a", True])
def test_sliders_for_no_number_of_months_are_refused(months: Any) -> None:
    with pytest.raises(RulesError, match="months"):
        savings(TINY, months=months)


def test_a_rate_that_needs_rounding_is_told_and_the_last_answer_stays() -> None:
    """35 % of steps of 50 are 17.50: no amount of this game."""
    widget = savings(load(TINY).but({"accounts.step": 50}), months=1)
    before, chart = widget.answer, widget.chart.to_json()
    slide(widget, loan=35)
    assert "Not possible here: interest of 7/20 on one step of 50" in widget.status.value
    assert widget.answer is before
    assert widget.chart.to_json() == chart
    slide(widget, loan=40)
    assert widget.answer.settings.loan == 40


def test_where_only_the_table_is_shown_it_says_what_it_rests_on() -> None:
    shown = savings("payday", months=1)._repr_mimebundle_()["text/html"]
    assert "evidence: D (a placeholder of ours)" in shown
    assert "4 of the 72 mail cards are placeholders" in shown


def test_a_rate_is_told_with_all_its_digits() -> None:
    """12.5 % of 1,000 is 125: a rate of this game, and neither 12 % nor 13 %."""
    rules = load(TINY).but({"accounts.step": 1000, "accounts.loan_rate": "1/8"})
    assert "loans 12.5 % a " in terms_of(rules)
    names_ = " ".join(str(trace.name) for trace in interest_chart(rules).data)
    assert "the loan costs 12.5 % a Pay Day" in names_
