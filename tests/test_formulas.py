"""Textbook formulas and what the board makes of them: symbols, values, odd amounts, nothing at all.

Expected figures are worked by hand in the comments or taken from a table made outside the package.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy
from conftest import rules_of

from boardrules.money.formulas import (
    FORMULAS,
    LETTERS,
    compound_growth,
    deal_months,
    effective_rate,
    formula,
    formula_of,
    gap_cost,
    growth_table,
    loan_for_gap,
    simple_growth,
)
from boardrules.money.ledger import opened
from boardrules.rules import RulesError

A, r, k, S, F, q, g, s = sympy.symbols("A r k S F q g s", nonnegative=True)


def of(name: str) -> Any:
    return formula_of(rules_of("payday"), name)


# ------------------------------------------------------------------------------ with symbols


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("simple_growth", A * (1 + r * k)),
        ("compound_growth", A * (1 + r) ** k),
        ("savings_yield", S * r * k),
        ("deposit_or_keep", r * S / (r * S + F)),
        ("months_for_fee", F / (r * S)),
        ("loan_for_gap", s * sympy.ceiling(g / s)),
        ("gap_cost", s * sympy.ceiling(g / s) * r * k),
        ("fee_or_interest", s * sympy.floor(F / (r * s))),
        ("effective_rate", (1 + r) ** k - 1),
        ("nominal_rate", r * k),
    ],
)
def test_a_formula_can_be_written_with_letters(name: str, expected: Any) -> None:
    found = formula(name).expression
    assert sympy.simplify(found - expected) == 0


@pytest.mark.parametrize("name", FORMULAS)
def test_every_formula_prints_as_mathematics_and_has_a_letter_for_everything(name: str) -> None:
    one = formula(name)
    assert one._repr_latex_().startswith("$\\displaystyle ")
    assert one.meaning.endswith(".")
    assert {str(letter) for letter in one.expression.free_symbols} == {
        LETTERS[quantity] for quantity in one.quantities
    }


def test_the_break_even_of_a_deposit_is_where_its_gain_is_nothing() -> None:
    gain = formula("deposit_gain").expression
    (root,) = sympy.solve(gain, q)
    assert sympy.simplify(root - formula("deposit_or_keep").expression) == 0


def test_simple_and_compound_growth_agree_in_the_first_month_and_differ_after() -> None:
    difference = formula("compound_growth").expression - formula("simple_growth").expression
    assert sympy.simplify(difference.subs(k, 1)) == 0
    assert sympy.expand(difference.subs(k, 2)) == A * r**2


def test_letters_with_a_value_are_filled_in() -> None:
    assert sympy.simplify(of("deposit_or_keep").expression - S / (S + 500)) == 0


# ----------------------------------------------------------------------------- with numbers


def test_deposit_or_keep_cash() -> None:
    """q < S / (S + 500)."""
    values = [of("deposit_or_keep").at(savings=n) for n in (100, 200, 300, 400, 500, 1000)]
    assert values == [
        Fraction(1, 6),
        Fraction(2, 7),
        Fraction(3, 8),
        Fraction(4, 9),
        Fraction(1, 2),
        Fraction(2, 3),
    ]


def test_one_certain_early_withdrawal_needs_five_pay_days_for_a_hundred() -> None:
    """S k must exceed 500."""
    assert of("months_for_fee").at(savings=100) == 5
    assert of("months_for_fee").at(savings=200) == Fraction(5, 2)


def test_the_fee_is_two_and_a_half_loan_months_of_a_hundred() -> None:
    """A gap up to 200 would be cheaper on a loan (20, 40), from 205 on the fee is (60)."""
    assert of("fee_or_interest").at() == 200
    assert [of("gap_cost").at(gap=n) for n in (5, 100, 105, 200, 205)] == [20, 20, 40, 40, 60]


def test_repaying_beats_saving_by_ten_a_hundred_at_each_pay_day() -> None:
    assert of("repay_or_save").at() == 10
    assert of("savings_yield").at(savings=100, months=2) == of("loan_cost").at(loan=100, months=1)


def test_a_small_gap_is_dear() -> None:
    """5 short costs 20: 400 %."""
    assert of("gap_cost").at(gap=5) / 5 == 4


def test_rates_of_a_whole_year() -> None:
    """1.1 ^ 12 = 3.138428376721, 1.2 ^ 12 = 8.916100448256."""
    assert of("effective_rate").at() == Fraction("2.138428376721")
    assert formula("effective_rate", rate="0.2").at() == Fraction("7.916100448256")
    assert formula("nominal_rate", rate="0.2").at() == Fraction("2.4")


K_STAR = {
    "tractor": "2.25",
    "quick_food_franchise": "5.00",
    "stamp_collection": "3.125",
    "bottle_collection": "8.75",
    "share_of_a_race_horse": "5.00",
    "coin_collection": "4.00",
    "used_sports_car": "2.50",
    "two_acre_vacation_home": "7.50",
    "family_camper": str(Fraction(500, 220)),  # 500 / (20 % of 1100)
    "powerboat": str(Fraction(500, 300)),  # 500 / (20 % of 1500)
    "john_smiths_autograph": "8.75",
    "diamond_ring": "3.125",
    "unclaimed_furniture": "6.25",
    "copper_pipe": str(Fraction(350, 60)),  # 350 / (20 % of 300)
    "share_in_a_condo": str(Fraction(1000, 300)),  # 1000 / (20 % of 1500)
    "antique_automobile": "3.125",
}


def test_how_many_pay_days_of_interest_eat_the_margin_of_each_deal() -> None:
    expected = {name: Fraction(value) for name, value in K_STAR.items()}
    assert deal_months(rules_of("payday")) == expected


# ------------------------------------------------------------------- nothing, and odd amounts


def test_no_rate_no_growth_and_no_months_no_growth() -> None:
    for grow in (simple_growth, compound_growth):
        assert grow(735, Fraction(0), 7) == 735
        assert grow(735, Fraction(1, 5), 0) == 735
    assert formula("loan_cost").at(loan=300, rate=0, months=5) == 0
    assert formula("savings_yield").at(savings=300, rate="0.1", months=0) == 0
    assert effective_rate(Fraction(0)) == 0


def test_results_with_numbers_are_exact() -> None:
    found = formula("compound_growth").at(amount=735, rate="1/3", months=2)
    assert type(found) is Fraction
    assert found == Fraction(735 * 16, 9)
    assert type(formula("deposit_or_keep").at(savings=1, rate=1, fee=2)) is Fraction
    assert type(formula("months_for_fee").at(savings=3, rate=1, fee=2)) is Fraction


def test_an_odd_amount_is_borrowed_in_whole_steps() -> None:
    assert [loan_for_gap(n, 100) for n in (0, 5, 95, 100, 105)] == [0, 100, 100, 100, 200]
    assert gap_cost(0, 100, Fraction(1, 5), 3) == 0


def test_a_break_even_that_is_never_reached_is_infinite() -> None:
    assert formula("loan_for_deal", step=100, rate=0).at(cost=100, value=200) == float("inf")
    assert formula("months_for_fee").at(savings=100, rate=0, fee=50) == float("inf")
    assert formula("months_for_fee").at(savings=100, rate=0, fee="1/2") == float("inf")
    assert formula("fee_or_interest").at(fee=50, step=100, rate=0) == float("inf")
    assert formula("deposit_or_keep").at(savings=100, rate=0, fee=50) == 0
    with pytest.raises(RulesError, match="no break-even"):
        formula("deposit_or_keep").at(savings=100, rate=0, fee=0)


def test_what_no_formula_can_take_is_refused() -> None:
    with pytest.raises(RulesError, match="did you mean 'loan_cost'"):
        formula("loan_costs")
    with pytest.raises(RulesError, match="did you mean 'rate'"):
        formula("simple_growth").at(rates=1)
    with pytest.raises(RulesError, match="needs a value for amount, months"):
        formula("simple_growth").at(rate=1)
    for wrong in ("x", "1/0", -1, "__import__('os')"):
        with pytest.raises(RulesError, match="is a number"):
            formula("simple_growth").at(rate=wrong)


# ------------------------------------------------------------------------ board and textbook

GROWTH = """
1  120  200 80 120    120.00   110  1100 1100.00
2  140  200 40 160    144.00   120  1210 1210.00
3  160  200 0 200     172.80   130  1330 1331.00
4  180  300 60 240    207.36   140  1460 1464.10
5  200  300 0 300     248.83   150  1600 1610.51
6  220  400 40 360    298.60   160  1760 1771.56
7  240  500 60 440    358.32   170  1930 1948.72
8  260  600 60 540    429.98   180  2120 2143.59
9  280  700 40 660    515.98   190  2330 2357.95
10 300  800 0 800     619.17   200  2560 2593.74
11 320  1000 40 960   743.01   220  2810 2853.12
12 340  1200 40 1160  891.61   240  3090 3138.43
"""
"""k; 100 borrowed: simple, then loan, idle, net if interest is borrowed, then ideal; 100 saved;
1000 saved, and ideal."""


def test_loans_and_savings_over_twelve_pay_days_digit_for_digit() -> None:
    expected = [line.split() for line in GROWTH.strip().splitlines()]
    found = [
        [
            str(v)
            for v in (
                row.k,
                row.simple,
                row.loan,
                row.idle,
                row.net,
                f"{float(row.loan_ideal):.2f}",
                row.saved[0],
                row.saved[1],
                f"{float(row.saved_ideal[1]):.2f}",
            )
        ]
        for row in growth_table("payday").rows
    ]
    assert found == expected


@pytest.mark.parametrize(
    ("amount", "first"),
    [(100, 10), (200, 5), (300, 4), (400, 3), (500, 2), (900, 2), (1000, 1)],
)
def test_the_first_redeposit_comes_late_for_small_savings(amount: int, first: int) -> None:
    """Interest must come to a whole hundred first."""
    rules = rules_of("payday").but({"start.cash": amount, "accounts.salary": 0})
    ledger = opened(rules, 20).pay_day(lambda one: one.deposit(amount))
    count = 0
    while ledger.cash < 100:
        ledger, count = ledger.pay_day(), count + 1
    assert count == first


def test_the_growth_table_can_be_shown() -> None:
    table = growth_table("payday", months=2)
    assert list(table.frame().columns) == list(table.columns)
    assert table.frame(exact=True)["loan_ideal"].tolist() == [120, 144]
    assert "1210" in str(table)
    assert "<td style='text-align:right'>1210</td>" in table._repr_html_()


def test_a_debt_in_an_edition_with_large_steps_and_no_savings() -> None:
    """1,000 at 10 %: 100 is due and 1,000 is borrowed for it; then 200 are paid each time."""
    table = growth_table("payday", "us_1994", months=3)
    assert [(row.simple, row.loan, row.idle, row.net) for row in table.rows] == [
        (1100, 2000, 900, 1100),
        (1200, 2000, 700, 1300),
        (1300, 2000, 500, 1500),
    ]
    assert table.columns == ("k", "simple_1000", "loan", "idle", "net", "loan_ideal")


def test_the_growth_table_says_what_it_rests_on() -> None:
    shown = str(growth_table("payday", "zahltag_1977", months=1))
    for told in ("overlays: editions/zahltag_1977", "evidence: ", "terms of loans are those of"):
        assert told in shown


def test_what_makes_no_whole_step_stays_in_cash() -> None:
    """150: 100 are saved and earn 10, 50 stay where they are."""
    assert growth_table("payday", months=1, amounts=(150,)).rows[0].saved == (160,)


@pytest.mark.parametrize("game", ["monopoly", "easy_money", "corner_shop"])
def test_a_game_without_accounts_has_no_growth_table(game: str) -> None:
    with pytest.raises(RulesError, match="this game has no accounts"):
        growth_table(game)


@pytest.mark.parametrize("months", [-1, "a", 1.5, True, 10**5])
def test_a_growth_table_of_no_number_of_months_is_refused(months: Any) -> None:
    with pytest.raises(RulesError, match="months  a whole number from 0 to"):
        growth_table("payday", months=months)


@pytest.mark.parametrize("amount", [-100, 0, "x", True])
def test_savings_that_are_none_are_refused(amount: Any) -> None:
    with pytest.raises(RulesError, match="savings to begin with are a whole number above 0"):
        growth_table("payday", amounts=(amount,))


@pytest.mark.parametrize("value", ["1e100000000", "9" * 5000, "nan", "inf", "-1", 1e300])
def test_a_number_that_nobody_can_work_with_is_refused_at_once(value: Any) -> None:
    with pytest.raises(RulesError, match="rate is a number, 0 or more"):
        formula("compound_growth").at(amount=1, rate=value, months=1)


@pytest.mark.parametrize("months", ["1/2", 10**7, 0.5])
def test_interest_comes_on_whole_pay_days_so_that_powers_stay_exact(months: Any) -> None:
    with pytest.raises(RulesError, match="months are a whole number"):
        formula("compound_growth").at(amount=100, rate="1/10", months=months)


def test_a_step_of_nothing_closes_no_gap() -> None:
    with pytest.raises(RulesError, match="a step is more than nothing"):
        formula("gap_cost").at(gap=5, step=0, rate="1/5")


@pytest.mark.parametrize("game", ["monopoly", "easy_money", "corner_shop"])
def test_a_game_without_accounts_lends_nothing_and_not_for_nothing(game: str) -> None:
    with pytest.raises(RulesError, match="this game has no accounts"):
        formula_of(rules_of(game), "loan_cost")
