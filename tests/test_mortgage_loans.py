"""Mortgages as loans: a flat share and lost rent, beside interest at every Pay Day, exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from conftest import chain_of, rules_of

from boardrules import RulesError, laps, load, per, rent, turns
from boardrules.money.beside import Beside, loans_beside
from boardrules.results import as_chain

F = Fraction

# A coin that says 1 or 2 on a board of two squares, one roll a turn: half of all turns end on the
# inn, which asks 10.  Mortgaged for 50, it loses 5 a turn; 100 borrowed like that lose 10.
COIN: dict[str, Any] = {
    "format": 1,
    "title": "Coin",
    "dice": {"count": 1, "sides": 2},
    "mortgage": {"interest": "1/10"},
    "squares": [
        {"id": "start"},
        {"id": "inn", "name": "The Inn", "deed": {"kind": "street", "mortgage": 50, "rent": [10]}},
    ],
}
BANK: dict[str, Any] = {
    "format": 1,
    "title": "Bank",
    "dice": {"count": 1, "sides": 1},
    "lap": {"square": "pay", "name": "month"},
    "accounts": {"salary": 100, "loan_rate": "1/5"},
    "end": {"when": "months", "months": 2},
    "squares": [
        {"id": "start"},
        {"id": "pay", "stop": True, "landing": [{"place": "start"}]},
    ],
}


def terms(**values: Any) -> dict[str, Any]:
    return {"game": "payday", "set": {f"accounts.{name}": to for name, to in values.items()}}


@pytest.fixture(scope="module")
def table() -> Beside:
    games = [chain_of("monopoly"), chain_of("easy_money")]
    return loans_beside(chain_of("payday"), games)


# ------------------------------------------------------------------------------- by hand


def test_a_mortgage_costs_its_flat_tenth_and_the_rent_that_is_lost() -> None:
    inn = loans_beside(BANK, [COIN])["inn"]
    assert (inn.flat, inn.each) == (10, 10)  # a tenth of 100; 100/50 times half of 10
    assert [inn.cost(k) for k in (0, 1, 6, 12)] == [10, 20, 70, 130]
    assert inn.rate(1) == F(20, 100)
    assert inn.rate(12) == F(130, 1200)
    assert inn.rate(0) is None
    assert inn.clock == "turn"


def test_a_loan_costs_its_rate_at_every_pay_day_and_nothing_at_once() -> None:
    loan = loans_beside(BANK, [COIN]).loan
    assert [loan.cost(k) for k in (0, 1, 3, 12)] == [0, 20, 60, 240]
    assert {loan.rate(k) for k in range(1, 13)} == {F(1, 5)}
    assert loan.clock == "month"


def test_they_cost_the_same_where_the_saved_interest_has_paid_the_flat_tenth() -> None:
    # after k months: 20 k = 10 + 10 k
    beside = loans_beside(BANK, [COIN])
    assert beside.break_even("inn") == 1
    assert beside.loan.cost(1) == beside["inn"].cost(1)
    assert beside.cheaper_from("inn") == 2


def test_more_turns_in_a_month_cost_more_rent() -> None:
    # with 3/2 turns a month: 20 k = 10 + 15 k
    beside = loans_beside(BANK, [COIN], pace="3/2")
    assert beside["inn"].monthly == 15
    assert beside.break_even("inn") == 2
    # with 2 turns a month the mortgage costs as much each month as the loan, and 10 besides
    always = loans_beside(BANK, [COIN], pace=2)
    assert always.break_even("inn") is None
    assert always.cheaper_from("inn") is None
    assert "never: always dearer" in str(always)


def test_a_mortgage_without_interest_is_cheaper_from_the_first_month_on() -> None:
    free = loans_beside(BANK, [{**COIN, "mortgage": {"interest": 0}}])
    assert free["inn"].flat == 0
    assert free.break_even("inn") == 0
    assert free.cheaper_from("inn") == 1
    assert "always cheaper" in str(free)


def test_a_round_is_a_turn_of_every_opponent() -> None:
    inn = loans_beside(BANK, [COIN], opponents=3)["inn"]
    assert (inn.flat, inn.each, inn.clock) == (10, 30, "round")


def test_the_sum_borrowed_scales_everything_but_loans_come_in_whole_steps() -> None:
    half, odd = loans_beside(BANK, [COIN], amount=50), loans_beside(BANK, [COIN], amount=130)
    assert (half["inn"].flat, half["inn"].each) == (5, 5)
    assert half.loan.each == 20  # P21: there is no loan of 50
    assert odd.loan.each == 40
    assert odd["inn"].flat == 13


# ----------------------------------------------------------------------------- the games


def test_every_deed_that_can_be_mortgaged_stands_in_the_table(table: Beside) -> None:
    ids = {row.id for row in table.rows if row.game == "Monopoly"}
    assert len(ids) == 28
    easy = [row for row in table.rows if row.game == "Easy Money"]
    kinds = {rules_of("easy_money").square(row.id).kind for row in easy}
    assert "utility" not in kinds  # E42
    assert len(easy) == sum(
        square.deed is not None and square.deed.kind in ("street", "building")
        for square in rules_of("easy_money").squares
    )


def test_boardwalk_costs_ten_and_the_rent_of_its_landings(table: Beside) -> None:
    # its rent alone is 50 and its mortgage 200, so 100 lose half of the mean rent (M11, M20)
    mean = rent(chain_of("monopoly"), per="turn")["boardwalk", "deed"].mean
    row = table["boardwalk"]
    assert row.flat == 10
    assert row.each == mean / 2
    assert isinstance(row.each, Fraction)


def test_interest_is_rounded_up_on_the_whole_deed(table: Beside) -> None:
    # a tenth of 75 is 8 in whole money, so 100 cost 10 2/3 (Park Place: a tenth of 175)
    assert table["electric_company"].flat == F(8 * 100, 75)
    assert table["park_place"].flat == F(18 * 100, 175)


def test_all_numbers_are_exact(table: Beside) -> None:
    for row in table.rows:
        for number in (row.flat, row.each, row.cost(7), row.rate(7)):
            assert isinstance(number, Fraction)


def test_rules_are_cited_by_number(table: Beside) -> None:
    assert table["payday"].rule == "P21, P24, P27"
    assert table["boardwalk"].rule == "M20, M11"
    assert table["street_q"].rule == "E44, E39"


def test_easy_money_says_that_its_board_is_invented(table: Beside) -> None:
    assert table["street_q"].context.grade == "illustrative"
    assert "illustrative" in table["street_q"].told
    for text in (str(table), table._repr_html_()):
        assert "Easy Money: evidence illustrative" in text
        assert "Illustrative board, not the printed one" in text
        assert "months and turns are different clocks: one month is taken for 1 turn" in text


@pytest.mark.parametrize(
    ("interest", "flat"), [(0, 0), ("1/20", 5), ("1/5", 20)], ids=["none", "5 %", "20 %"]
)
def test_another_rate_of_mortgages_moves_the_flat_share_only(
    table: Beside, interest: Any, flat: int
) -> None:
    change = {"game": "monopoly", "set": {"mortgage.interest": interest}}
    changed = loans_beside(chain_of("payday"), [load("monopoly", change)])
    assert changed["boardwalk"].flat == flat
    assert changed["boardwalk"].each == table["boardwalk"].each
    assert changed["boardwalk"].game == "Monopoly + overlay"


def test_another_rate_of_loans_moves_the_break_even() -> None:
    games = [chain_of("monopoly")]
    dear = loans_beside(load("payday", terms(loan_rate="1/2")), games)
    assert dear.loan.cost(2) == 100
    each = dear["boardwalk"].each
    assert dear.break_even("boardwalk") == 10 / (50 - each)
    modern = loans_beside(load("payday", "us_1994"), games)
    assert modern.loan.each == 100  # the least loan is 1000, at 10 %


def test_houses_stay_in_easy_money_and_are_sold_in_monopoly() -> None:
    hands = {
        "easy_money": {"street_q": 3},
        "monopoly": {"boardwalk": 3, "park_place": 3},
    }
    beside = loans_beside(
        chain_of("payday"), [chain_of("easy_money"), chain_of("monopoly")], hands=hands
    )
    bare = loans_beside(chain_of("payday"), [chain_of("easy_money")])
    # E45: the same cash, but more rent is lost
    assert beside["street_q"].flat == bare["street_q"].flat
    assert beside["street_q"].each > bare["street_q"].each
    # M20: six houses at 200 are sold for half, so 600 and the mortgage of 200 are raised; 20 of it
    # is interest
    assert beside["boardwalk"].flat == F(20 * 100, 800)


def test_a_month_of_payday_has_about_nine_throws() -> None:
    # so at the pace of throws a month costs nine turns of rent, and dear deeds still beat the loan
    pace = per(chain_of("payday"), laps, turns).mean
    assert float(pace) == pytest.approx(9.424084483861268, rel=1e-12)
    beside = loans_beside(chain_of("payday"), [chain_of("monopoly")], pace=pace)
    months = beside.break_even("boardwalk")
    assert months is not None
    assert 0.5 < months < 1
    assert "one month is taken for" in str(beside)


# ------------------------------------------------------------------------------- the views


def test_the_frame_has_the_cost_of_every_month(table: Beside) -> None:
    frame = table.only("payday", "boardwalk").frame(exact=True)
    assert list(frame["cost_0"]) == [0, 10]
    assert list(frame["cost_12"]) == [240, table["boardwalk"].cost(12)]
    assert frame["break_even_months"][1] == table.break_even("boardwalk")
    assert isinstance(table.frame()["each"][1], float)
    assert len(table.frame()) == len(table.rows)


def test_a_table_of_strangers_is_escaped() -> None:
    evil = {**COIN, "title": "<script>x</script>"}
    html = loans_beside(BANK, [evil])._repr_html_()
    assert "<script" not in html
    assert "&lt;script" in html


def test_what_makes_no_sense_is_refused_in_words() -> None:
    for what, wrong in (
        ("amount", 0),
        ("amount", 2.5),
        ("last", 0),
        ("last", True),
        ("pace", 0),
        ("pace", "one"),
        ("pace", "1/0"),
        ("pace", -1),
    ):
        with pytest.raises(RulesError, match="not"):
            loans_beside(BANK, [COIN], **{what: wrong})
    with pytest.raises(RulesError, match="did you mean"):
        loans_beside(BANK, [COIN])["in"]
    with pytest.raises(RulesError, match="no such game"):
        loans_beside(BANK, [COIN], hands={"monoply": {"boardwalk": 0}})
    with pytest.raises(RulesError, match="nothing to mortgage"):
        loans_beside(BANK, [BANK])
    with pytest.raises(RulesError, match="no accounts"):
        loans_beside(COIN, [COIN])
    with pytest.raises(RulesError, match="no interest"):
        loans_beside({**BANK, "accounts": {"salary": 100}}, [COIN])
    with pytest.raises(RulesError, match="nobody can own it"):
        loans_beside(BANK, [COIN], hands={as_chain(COIN).rules.id: {"start": 0}})


def test_two_rulesets_of_one_game_keep_their_own_break_evens() -> None:
    """The same deed with another rent: each row is compared by its own, not by its name."""
    poor = rules_of("monopoly").but({"squares.mediterranean.deed.rent": [0, 0, 0, 0, 0, 0]})
    table = loans_beside(games=[chain_of("monopoly"), as_chain(poor)])
    old, new = (row for row in table.rows if row.id == "mediterranean")
    alone = [loans_beside(games=[walk]) for walk in (chain_of("monopoly"), as_chain(poor))]
    expected = [one.break_even("mediterranean") for one in alone]
    assert expected[0] != expected[1] == F(1, 2)  # 10 at once, or 20 a month
    column = table.frame(exact=True)["break_even_months"]
    places = [place for place, row in enumerate(table.rows) if row.id == "mediterranean"]
    assert [column[place] for place in places] == expected
    assert [table._dear(row) for row in (old, new)] == [
        f"{float(months):.2f} months" for months in expected if months is not None
    ]
    with pytest.raises(RulesError, match="mediterranean  stands here more than once"):
        table["mediterranean"]
