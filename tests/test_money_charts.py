"""Charts of money say what the results say, and say what they rest on."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from fractions import Fraction
from html import unescape
from typing import Any

import pytest
from figures import head, sizes, strings

from boardrules import RulesError, finance, load
from boardrules.board import contrast
from boardrules.chain import Chain
from boardrules.money.beside import loans_beside
from boardrules.money.best import BestPlan, best
from boardrules.money.compare import PlanTable
from boardrules.money.insurance import Insurance, When, best_insurance
from boardrules.money.month import Month, month
from boardrules.money.plans import SIMPLIFIED, Game
from boardrules.money.trade import BestTrade, best_trade
from boardrules.money_charts import (
    balance_fan,
    beside_chart,
    deal_chart,
    decision_map,
    deposit_chart,
    gap_chart,
    growth_chart,
    insurance_map,
    interest_chart,
    month_chart,
    plan_chart,
    trade_map,
)
from boardrules.money_charts.common import percent
from boardrules.results import as_chain

pytest.importorskip("plotly")
pytest.importorskip("numpy")

Charts = dict[str, Any]


# The game of test_plans: one square of mail, a bill of 150 or none, a salary of 100 on the first of
# two Pay Days.  A bill on the first Pay Day leaves 50 in cash and a loan of 100, so -50; none 100.
TINY: dict[str, Any] = {
    "format": 1,
    "title": "Tiny",
    "dice": {"count": 1, "sides": 1},
    "lap": {"square": "pay"},
    "accounts": {"salary": 100, "savings_rate": "1/10", "loan_rate": "1/5"},
    "end": {"when": "months", "months": 2},
    "squares": [
        {"id": "start"},
        {"id": "mail", "kind": "mail", "landing": [{"draw": "mail"}]},
        {
            "id": "pay",
            "stop": True,
            "landing": [{"collect": 100, "tag": "salary"}, {"place": "start"}],
        },
    ],
    "decks": {
        "mail": {
            "cards": [{"id": "nothing", "effects": []}, {"id": "bill", "effects": [{"owe": 150}]}]
        }
    },
}
HELD = [-220, -70, -50, 100]
SAVED = [-220, -70, -40, 110]
"""What two months of it come to, each with 1/4: by hand, in test_plans."""


def rates(**values: Any) -> dict[str, Any]:
    """An overlay that changes the terms of Payday's accounts."""
    return {"game": "payday", "set": {f"accounts.{name}": to for name, to in values.items()}}


@pytest.fixture(scope="module")
def walk() -> Chain[Any]:
    return as_chain("payday")


@pytest.fixture(scope="module")
def a_month(walk: Chain[Any]) -> Month:
    return month(walk)


@pytest.fixture(scope="module")
def tiny() -> Game:
    return Game(as_chain(TINY), 2)


@pytest.fixture(scope="module")
def plans() -> PlanTable:
    return finance(TINY, plans=["hold", "save"])


@pytest.fixture(scope="module")
def best_plan(walk: Chain[Any]) -> BestPlan:
    return best(walk, months=2)


@pytest.fixture(scope="module")
def trade(walk: Chain[Any]) -> BestTrade:
    return best_trade(walk, months=2, players=4)


@pytest.fixture(scope="module")
def insurance(walk: Chain[Any]) -> Insurance:
    return best_insurance(walk, "health_insurance", months=2)


@pytest.fixture(scope="module")
def charts(
    a_month: Month,
    walk: Chain[Any],
    best_plan: BestPlan,
    trade: BestTrade,
    insurance: Insurance,
) -> Charts:
    beside = loans_beside(games=["monopoly"]).only("payday", "boardwalk")
    return {
        "month": month_chart(a_month),
        "fan": balance_fan(Game(walk, 1), "hold", "save"),
        "plans": plan_chart(finance(walk, months=1, plans=["hold", "save"])),
        "interest": interest_chart("payday"),
        "growth": growth_chart("payday"),
        "gap": gap_chart("payday"),
        "deposit": deposit_chart("payday"),
        "deal": deal_chart("payday"),
        "decision": decision_map(best_plan),
        "trade": trade_map(trade),
        "insurance": insurance_map(insurance),
        "beside": beside_chart(beside),
    }


NAMES = (
    *("month", "fan", "plans", "interest", "growth", "gap", "deposit", "deal"),
    *("decision", "trade", "insurance", "beside"),
)
every = pytest.mark.parametrize("name", NAMES)


def plain(text: str) -> str:
    """Words of a chart without tags."""
    return unescape(re.sub(r"<[^>]*>", "", text.replace("<br>", " ")))


def notes(figure: Any) -> list[str]:
    return [plain(one.text) for one in figure.layout.annotations]


def trace(figure: Any, start: str) -> Any:
    return next(one for one in figure.data if plain(one.name or "").startswith(start))


# -------------------------------------------------------------------------------- all charts


@every
def test_nothing_is_smaller_than_16_pixels(charts: Charts, name: str) -> None:
    drawn = charts[name].to_plotly_json()
    found = sizes(drawn)
    assert found
    assert min(found) >= 16
    in_title = re.findall(r"font-size:(\d+)px", charts[name].layout.title.text)
    assert all(int(size) >= 16 for size in in_title)


@every
def test_every_chart_says_game_evidence_and_caution(charts: Charts, name: str) -> None:
    said = head(charts[name])
    assert "placeholder" in said
    assert "evidence" in said
    assert "Compiled from public secondary sources" in said


@every
def test_a_chart_is_plain_data_and_can_be_saved(charts: Charts, name: str) -> None:
    assert json.loads(charts[name].to_json())["data"]


@every
def test_all_small_print_has_room_above_the_picture(charts: Charts, name: str) -> None:
    layout = charts[name].layout
    lines = layout.title.text.count("<br>") + 1
    assert layout.margin.t >= 21 * lines
    assert layout.height - layout.margin.t - layout.margin.b >= 100


@pytest.mark.parametrize("name", ["fan", "plans", "decision"])
def test_laws_of_plans_tell_what_they_leave_out(charts: Charts, name: str) -> None:
    said = head(charts[name])
    for line in SIMPLIFIED:
        assert line in said


def test_deals_and_insurance_tell_what_they_leave_out(charts: Charts) -> None:
    assert "deals one at a time" in head(charts["trade"])
    assert "money bears no interest" in head(charts["insurance"])
    assert "no deals, poker, Swellfare or elections" in head(charts["month"])


HOSTILE: dict[str, Any] = {
    "game": "payday",
    "set": {
        "title": "<b>Pay</b> & $Day$",
        "currency": "<i>$</i>",
        "decks.deals.cards.tractor.name": "<script>x</script>",
    },
}


def hostile_charts() -> dict[str, Callable[[], Any]]:
    rules = load("payday", HOSTILE)
    walk = as_chain(rules)
    named = {name: HOSTILE["set"][name] for name in ("title", "currency")}
    small: Chain[Any] = as_chain({**TINY, **named})
    return {
        "month": lambda: month_chart(month(walk)),
        "fan": lambda: balance_fan(Game(small, 2), "hold"),
        "plans": lambda: plan_chart(finance(small, plans=["hold"])),
        "interest": lambda: interest_chart(rules),
        "growth": lambda: growth_chart(rules, months=2),
        "gap": lambda: gap_chart(rules),
        "deposit": lambda: deposit_chart(rules),
        "deal": lambda: deal_chart(rules),
        "decision": lambda: decision_map(best(small)),
        "trade": lambda: trade_map(best_trade(walk, months=1)),
        "insurance": lambda: insurance_map(best_insurance(walk, "car_insurance", months=1)),
        "beside": lambda: beside_chart(loans_beside(walk, ["corner_shop"])),
    }


def test_names_of_strangers_are_shown_and_never_obeyed() -> None:
    for name, draw in hostile_charts().items():
        found = strings(json.loads(draw().to_json()))
        for text in found:
            for tag in ("<script", "<i>$", "<b>Pay", "$Day$", "<i>&#36;"):
                assert tag not in text, f"{name}: {text}"
        assert any("&lt;" in text for text in found), name


# --------------------------------------------------------------------------------- one month


def test_the_bars_of_a_month_are_its_causes_and_sum_to_the_last_bar(a_month: Month) -> None:
    (bars,) = month_chart(a_month).data
    (*parts,) = reversed(bars.x)
    assert parts[0] == 325
    assert sum(parts[:-1]) == pytest.approx(parts[-1], rel=1e-12)
    assert parts[1] == pytest.approx(59.14269001376195, rel=1e-12)  # worked out elsewhere
    assert plain(bars.text[0]) == "+$192.63"
    assert "give or take" in bars.hovertext[0]


def test_what_comes_in_and_what_is_paid_differ_by_more_than_colour(a_month: Month) -> None:
    (bars,) = month_chart(a_month).data
    for height, hatch, colour in zip(
        bars.x, bars.marker.pattern.shape, bars.marker.color, strict=True
    ):
        assert (hatch == "/") == (height < 0)
        assert (colour == "#E69F00") == (height < 0)


# ------------------------------------------------------------------------------------ fans


def test_a_fan_spreads_as_worked_out_by_hand(tiny: Game) -> None:
    outer, inner, median, means = balance_fan(tiny, "hold").data
    assert list(outer.y) == [0, 100, 100, -220, -50, 0]
    assert list(inner.y) == [0, 100, -50, -220, -50, 0]
    assert list(median.y) == [0, -50, -70]
    assert list(means.y) == pytest.approx([25, -60], rel=1e-12)
    assert "in debt: 50.0 %" in median.hovertext[1]
    assert "in debt: 75.0 %" in median.hovertext[2]


def test_fans_stand_side_by_side_with_one_scale_of_money(tiny: Game) -> None:
    figure = balance_fan(tiny, "hold", "save")
    assert [one.xaxis for one in figure.data] == [None] * 4 + ["x2"] * 4
    assert {one.yaxis for one in figure.data} == {None}
    assert figure.layout.xaxis.domain[1] < figure.layout.xaxis2.domain[0]
    low, high = figure.layout.yaxis.range
    for one in figure.data:
        assert low < min(one.y)
        assert max(one.y) < high
    assert "hold: in debt at the end 75.0 %" in notes(figure)
    sign = tiny.rules.currency
    assert {f"−{sign}220", f"{sign}110", f"−{sign}70"} <= set(notes(figure))


def test_no_fan_and_too_many_fans_are_refused(tiny: Game) -> None:
    for plans in ((), ("hold", "save", "repay", "save_100")):
        with pytest.raises(RulesError, match="1 to 3 plans"):
            balance_fan(tiny, *plans)


# ----------------------------------------------------------------------------------- plans


def test_boxes_lines_and_diamonds_are_those_worked_out_by_hand(plans: PlanTable) -> None:
    figure = plan_chart(plans)
    lines, boxes, medians, means = figure.data
    assert list(lines.x) == [-220, 100, None, -220, 110, None]
    assert list(boxes.base) == [-220, -220]
    assert list(boxes.x) == [170, 180]  # from -220 to -50, and to -40
    assert list(medians.x) == [-70, -70, None, -70, -70, None]
    assert list(means.x) == pytest.approx([sum(HELD) / 4, sum(SAVED) / 4], rel=1e-12)
    assert list(figure.layout.yaxis.ticktext) == ["save", "hold"]


def test_mean_and_chance_of_debt_stand_beside_each_plan(plans: PlanTable) -> None:
    said = notes(plan_chart(plans))
    sign = plans.context.rules.currency
    for text in (f"−{sign}60", f"−{sign}55", "75.0 %"):
        assert text in said
    assert "grey: in debt" in said


def test_plans_of_other_terms_stand_below_with_a_letter_and_a_hatch(plans: PlanTable) -> None:
    cheap = finance({**TINY, "accounts": {**TINY["accounts"], "loan_rate": 0}}, plans=["hold"])
    figure = plan_chart(plans, cheap)
    boxes = [one for one in figure.data if one.type == "bar"]
    assert [one.name[:2] for one in boxes] == ["A:", "B:"]
    assert len({one.marker.pattern.shape for one in boxes}) == 2
    rows = [plain(text) for text in figure.layout.yaxis.ticktext]
    assert rows == ["hold  B", "save  A", "hold  A"]
    assert boxes[1].base[0] == -200  # no interest of 20 on the loan of 100


def test_games_with_other_money_are_compared_in_salaries(plans: PlanTable) -> None:
    rich = {**TINY, "currency": "Taler ", "accounts": {**TINY["accounts"], "salary": 200}}
    table = finance(rich, plans=["hold"])
    figure = plan_chart(plans, table)
    means = [list(one.x) for one in figure.data if one.type == "scatter" and one.mode == "markers"]
    assert means[0] == pytest.approx([-0.6, -0.55], rel=1e-12)
    assert means[1] == pytest.approx([table["hold"].mean / 200], rel=1e-12)
    assert "salaries" in figure.layout.xaxis.title.text
    assert not any("Taler" in text for text in notes(figure))


def test_a_chance_that_is_tiny_is_not_told_as_none() -> None:
    assert [percent(x) for x in (0, 1e-9, 0.0004, 0.001, 1)] == [
        *("0.0 %", "< 0.1 %", "< 0.1 %", "0.1 %", "100.0 %")
    ]


def test_too_many_plans_are_refused(plans: PlanTable) -> None:
    with pytest.raises(RulesError, match="1 to 14 plans"):
        plan_chart(*[plans] * 8)
    with pytest.raises(RulesError, match="1 to 14 plans"):
        plan_chart()


# -------------------------------------------------------------------------------- formulas


def test_a_loan_costs_20_a_pay_day_and_savings_bring_10() -> None:
    loan, saved, fee = interest_chart("payday", months=12).data
    assert list(loan.y) == [20 * k for k in range(13)]
    assert list(saved.y) == [10 * k for k in range(13)]
    assert set(fee.y) == {50}
    assert "earned after 5 Pay Days" in fee.name
    assert list(fee.x) == [0, 5, 12]
    assert [size > 0 for size in fee.marker.size] == [False, True, False]  # a ring at the crossing
    assert len({one.line.dash for one in (loan, saved, fee)}) == 3


def test_no_time_costs_nothing_and_no_rate_never_does() -> None:
    loan, saved, _ = interest_chart("payday", months=0).data
    assert (list(loan.x), list(loan.y)) == ([0], [0])
    assert (list(saved.x), list(saved.y)) == ([0], [0])
    loan, saved, fee = interest_chart("payday", rates(loan_rate=0, savings_rate=0)).data
    assert set(loan.y) == set(saved.y) == {0}
    assert "earned" not in fee.name
    assert list(fee.x) == [0, 12]
    *_, later = interest_chart("payday", months=4).data
    assert list(later.x) == [0, 4], "the crossing lies beyond the end"


@pytest.mark.parametrize("months", [-1, 61, 2.5, True, "3"])
def test_months_that_are_none_are_refused(months: Any) -> None:
    for draw in (interest_chart, growth_chart):
        with pytest.raises(RulesError, match="months are a whole number from 0 to 60"):
            draw("payday", months=months)


def test_board_and_textbook_part_as_worked_out_by_hand() -> None:
    figure = growth_chart("payday", months=12)
    ends = {plain(one.name): (one.y[0], round(one.y[-1], 2)) for one in figure.data}
    assert ends == {
        "$100 borrowed, board: interest borrowed too, in whole steps": (100, 1160),
        "$100 borrowed, textbook: compound interest": (100, 891.61),
        "$100 borrowed, board: interest paid from other money": (100, 340),
        "$100 saved, textbook: compound interest": (100, 313.84),
        "$100 saved, board: interest saved in whole steps": (100, 240),
    }
    assert len({(one.line.dash, one.marker.symbol) for one in figure.data}) == 5


def test_an_edition_without_savings_has_no_curves_of_savings() -> None:
    figure = growth_chart("payday", "us_1994", months=0)
    assert [list(one.y) for one in figure.data] == [[1000]] * 3
    assert "no savings in this edition" in head(figure)


def test_the_cost_of_being_short_is_a_staircase_that_crosses_the_fee_at_200() -> None:
    figure = gap_chart("payday")
    loan, fee, whole = (dict(zip(one.x, one.y, strict=True)) for one in figure.data)
    assert [loan[gap] for gap in (5, 100, 101, 200, 201)] == [20, 20, 40, 40, 60]
    assert set(fee.values()) == {50}
    assert (whole[100], whole[101]) == (60, 70)
    assert "up to $200 short, a loan would cost no more" in head(figure)
    assert "(P22)" in head(figure)


def test_a_fee_for_each_hundred_is_a_staircase_too() -> None:
    figure = gap_chart("payday", "fee_per_hundred")
    fee = dict(zip(figure.data[1].x, figure.data[1].y, strict=True))
    assert [fee[gap] for gap in (5, 100, 101, 250)] == [50, 50, 100, 150]
    assert "a loan is never dearer" in head(figure)


def test_a_loan_for_nothing_is_told_so() -> None:
    assert "a loan costs nothing" in head(gap_chart("payday", rates(loan_rate=0)))


def test_the_largest_risk_worth_taking_is_the_known_one() -> None:
    (curve,) = deposit_chart("payday").data
    known = ["1/6", "2/7", "3/8", "4/9", "1/2", "6/11", "7/12", "8/13", "9/14", "2/3"]
    assert [plain(text) for text in curve.text] == known
    assert list(curve.y) == pytest.approx([100 * float(Fraction(q)) for q in known], rel=1e-12)
    for overlay in (rates(savings_rate=0), "us_1994"):
        with pytest.raises(RulesError, match="savings"):
            deposit_chart("payday", overlay)


def test_the_margins_of_deals_last_as_long_as_known() -> None:
    figure = deal_chart("payday")
    (bars,) = figure.data
    lasts = dict(zip(map(plain, figure.layout.yaxis.ticktext), bars.x, strict=True))
    assert len(lasts) == 16
    assert lasts["Powerboat"] == pytest.approx(5 / 3)
    assert lasts["Tractor"] == 2.25
    assert lasts["Two Acre Vacation Home"] == 7.5
    assert sorted(bars.x, reverse=True) == list(bars.x)


def test_charts_refuse_what_a_game_does_not_have() -> None:
    with pytest.raises(RulesError, match="no accounts"):
        interest_chart("monopoly")
    with pytest.raises(RulesError, match="bear no interest"):
        deal_chart("payday", rates(loan_rate=0))
    with pytest.raises(RulesError, match="no savings"):
        gap_chart("payday", "us_1994")


# ------------------------------------------------------------------------------- decisions


def test_every_cell_of_the_decision_map_says_its_move_in_letters(best_plan: BestPlan) -> None:
    accounts, cash = (-200, 0, 200), (-150, 0, 150, 300)
    figure = decision_map(best_plan, 1, accounts, cash)
    cells = {(one.x, one.y): plain(one.text) for one in figure.layout.annotations}
    table = best_plan.decisions(1, accounts, cash)
    for y, row in enumerate(table):
        for x, said in enumerate(row):
            words = re.findall(r"(\w)\w* (\d+)", said)
            wanted = " ".join(f"{word.upper()} {amount}" for word, amount in words) or "–"
            assert cells[x, y] == (wanted if said != "never comes up" else "")
    assert any("R" in text for text in cells.values())
    assert any("D" in text for text in cells.values())


def test_moves_that_differ_in_kind_differ_in_colour_and_can_be_read_on_it(
    best_plan: BestPlan,
) -> None:
    figure = decision_map(best_plan)
    (heat,) = figure.data
    kinds: dict[float, set[str]] = {}
    for one in figure.layout.annotations:
        kinds.setdefault(heat.z[one.y][one.x], set()).add(plain(one.text)[:1])
        place = heat.z[one.y][one.x] / heat.zmax
        colour = next(c for at, c in heat.colorscale if at == pytest.approx(place))
        assert contrast(one.font.color, colour) >= 4.5
    assert all(len(letters) == 1 for letters in kinds.values())
    assert len(kinds) >= 4


def test_months_and_sizes_that_cannot_be_drawn_are_refused(
    best_plan: BestPlan, trade: BestTrade
) -> None:
    with pytest.raises(RulesError, match="1 to 2"):
        decision_map(best_plan, 3)
    with pytest.raises(RulesError, match="1 to 14 values"):
        decision_map(best_plan, 1, [0], [])
    for months in ([], [0], [3], [1, 2, 1, 2]):
        with pytest.raises(RulesError, match="1 to 3 of the months"):
            trade_map(trade, months)


def test_in_the_last_month_every_deal_is_bought_on_day_4_and_none_on_day_25(
    trade: BestTrade,
) -> None:
    figure = trade_map(trade, [2])
    cells = {(one.x, one.y): plain(one.text) for one in figure.layout.annotations}
    assert len(cells) == 4 * 16
    assert all(cells[0, y].startswith("+") for y in range(16))
    assert all(cells[3, y].startswith("−") for y in range(16))
    names = [plain(text) for text in figure.layout.yaxis.ticktext]
    powerboat = next(y for y, text in enumerate(names) if text.startswith("Powerboat"))
    assert names[powerboat] == "Powerboat $1,500 → $2,000"
    assert cells[1, powerboat] == "−176"
    assert figure.data[0].z[powerboat][1] != figure.data[0].z[powerboat][0]


def test_the_insurance_map_shows_from_how_many_bills_on_to_buy(insurance: Insurance) -> None:
    figure = insurance_map(insurance)
    cells = {(one.x, one.y): plain(one.text) for one in figure.layout.annotations}
    assert len(cells) == len(insurance.least)
    last = max(x for x, _ in cells)
    assert cells[last, 1] == str(insurance.least[When(2, 24, 0)])
    for one in figure.layout.annotations:
        assert one.font.color in ("#000000", "#ffffff")


# -------------------------------------------------------------------------- mortgages beside


def test_the_curves_of_loans_are_their_costs() -> None:
    beside = loans_beside(games=["monopoly"], last=6).only("payday", "boardwalk")
    figure = beside_chart(beside)
    for row, curve in zip(beside.rows, figure.data, strict=True):
        assert list(curve.y) == pytest.approx([float(row.cost(k)) for k in range(7)], rel=1e-12)
    assert "months and turns are different clocks" in head(figure)
    assert "Monopoly: evidence A" in head(figure)


def test_of_many_mortgages_the_cheapest_and_the_dearest_of_each_game_are_drawn() -> None:
    figure = beside_chart(loans_beside(opponents=3))
    assert len(figure.data) == 5
    assert sum("(illustrative)" in one.name for one in figure.data) == 2
    assert "invented" in head(figure)
    assert "a round is one turn of each opponent" in head(figure)


def test_charts_come_alike_from_rules_names_and_overlays() -> None:
    rules = load("payday", rates(loan_rate="3/10"))
    one, other = interest_chart(rules), interest_chart("payday", rates(loan_rate="3/10"))
    assert list(one.data[0].y) == list(other.data[0].y) == [30 * k for k in range(13)]
    with pytest.raises(RulesError):
        interest_chart(rules, "mail_64")
