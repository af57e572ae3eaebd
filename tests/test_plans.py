"""Plans compared: by hand on a board of three squares, by the ledger, and against 100,000 games.

The sampler below takes the rows of the chain one after the other and never sees a polynomial; its
accounts are written anew, and checked against the ledger.  Thresholds come from the number of
comparisons of a test, so that a false alarm has a chance of one in a million.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import chain_of, rules_of
from money_games import Purses, Sampler
from scipy.stats import norm

from boardrules.chain import chain
from boardrules.library import load
from boardrules.money import finance
from boardrules.money.ledger import Ledger, opened, policies
from boardrules.money.month import MonthWalk, month
from boardrules.money.plans import (
    PLANS,
    QUANTILES,
    Game,
    Plan,
    Position,
    Wealth,
    month_kernels,
    saver,
)
from boardrules.rules import Rules, RulesError

F = Fraction


@lru_cache(maxsize=4)
def game(months: int, *overlays: str) -> Game:
    return Game(chain_of("payday", *overlays), months)


@lru_cache(maxsize=32)
def wealth(plan: str, months: int) -> Wealth:
    return game(months).wealth(PLANS[plan])


# ------------------------------------------------------------------------------ by hand

TINY = """
format = 1
title = "Tiny"
[dice]
count = 1
sides = 1
[lap]
square = "pay"
[accounts]
salary = 100
savings_rate = "1/10"
loan_rate = "1/5"
[end]
when = "months"
months = 2
[[squares]]
id = "start"
[[squares]]
id = "mail"
kind = "mail"
landing = [{ draw = "mail" }]
[[squares]]
id = "pay"
stop = true
landing = [{ collect = 100, tag = "salary" }, { place = "start" }]
[[decks.mail.cards]]
id = "nothing"
effects = []
[[decks.mail.cards]]
id = "bill"
effects = [{ owe = 150 }]
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Rules:
    file = tmp_path / "tiny.toml"
    file.write_text(TINY, encoding="utf-8")
    return load(file)


def law(one: Wealth) -> dict[int, float]:
    return dict(zip(one.amounts.tolist(), one.chances.tolist(), strict=True))


def test_two_months_of_a_bill_or_none_worked_by_hand(tiny: Rules) -> None:
    """A bill of 150 or none, each with 1/2; no start cash, one salary of 100.

    After a bill the first Pay Day leaves 50 in cash and a loan of 100, which costs 20: then -220 or
    -70.  Without one, 100 are in cash: then -50 or 100; saved, they earn 10.
    """
    table = finance(tiny, plans=["hold", "repay", "save"])
    assert law(table["hold"]) == {-220: 0.25, -70: 0.25, -50: 0.25, 100: 0.25}
    assert law(table["repay"]) == law(table["hold"])
    assert law(table["save"]) == {-220: 0.25, -70: 0.25, -40: 0.25, 110: 0.25}
    assert table["hold"].mean == -60
    assert table["hold"].p_debt == 0.75
    assert table["save"].quantile(F(1, 2)) == -70
    assert table["save"].quantile(0.51) == -40
    assert table["save"].above(-40) == 0.25


def test_three_months_in_which_a_loan_is_repaid_or_not(tiny: Rules) -> None:
    """Eight ways for the bills to come, each with 1/8; wages at the first two Pay Days.

    Bill, bill: 50 and a loan of 100, then 80 and 200, then -160, or -310 with a third.
    Bill, none: 130 in hand at the second Pay Day; held: 10 or -140; repaid: 30 or -120.
    None, bill: 50 or -100.  None, none: 200 or 50.
    """
    table = finance(tiny, plans=["hold", "repay"], months=3)
    same = {-310: 1 / 8, -160: 1 / 8, -100: 1 / 8, 50: 2 / 8, 200: 1 / 8}
    assert law(table["hold"]) == same | {-140: 1 / 8, 10: 1 / 8}
    assert law(table["repay"]) == same | {-120: 1 / 8, 30: 1 / 8}


def test_a_plan_may_be_any_function_of_the_position(tiny: Rules) -> None:
    seen: list[Position] = []

    def mine(where: Position) -> int:
        seen.append(where)
        return where.cash // 100 * 100 if where.cash > 0 else 0

    assert law(finance(tiny, plans=[mine])["mine"]) == law(finance(tiny, plans=["save"])["save"])
    assert Position(1, 2, 100, 0) in seen
    assert Position(1, 2, -50, 0) in seen
    assert Position(2, 2, 30, -100) in seen
    assert (seen[0].savings, seen[0].loan, Position(1, 2, 0, -100).loan) == (0, 0, 100)


@pytest.mark.parametrize(
    ("rule", "move"),
    [
        ("P21", lambda where: 50),
        ("P28", lambda where: 200),
        ("P23", lambda where: -100),
    ],
)
def test_a_plan_that_breaks_a_rule_is_refused(
    tiny: Rules, rule: str, move: Callable[[Position], int]
) -> None:
    with pytest.raises(RulesError) as caught:
        finance(tiny, plans=[move])
    (problem,) = caught.value.problems
    assert problem.path == rule


def test_no_deposit_where_there_are_no_savings(tiny: Rules) -> None:
    rules = tiny.but({"accounts.savings": False})
    with pytest.raises(RulesError, match="no savings in this edition"):
        finance(rules, plans=["save"])
    assert law(finance(rules, plans=["repay"])["repay"])[100] == 0.25


def test_savings_without_interest_are_savings_all_the_same(tiny: Rules) -> None:
    rules = tiny.but({"accounts.savings_rate": 0})
    assert (
        finance(rules, plans=["save"])["save"].mean == finance(rules, plans=["repay"])["repay"].mean
    )


# -------------------------------------------------------------------- what must come out


def test_one_month_is_the_start_cash_and_the_law_of_the_month() -> None:
    """No salary in the only month, and no interest: all plans about accounts come to the same."""
    one = month(chain_of("payday"))
    for plan in ("hold", "repay", "save"):
        found = wealth(plan, 1)
        assert found.mean == pytest.approx(325 + float(one.mean), rel=1e-12)
        assert found.sd == pytest.approx(one.sd, rel=1e-12)
        debt = sum(chance for amount, chance in one.law.items() if amount < -325)
        assert found.p_debt == pytest.approx(float(debt), rel=1e-12)


@pytest.mark.parametrize("plan", ["hold", "repay"])
def test_without_interest_months_are_independent_sums(plan: str) -> None:
    """Six months without interest: six times mean and variance, and six wages."""
    rules = rules_of("payday").but({"accounts.loan_rate": 0, "accounts.savings_rate": 0})
    found = Game(chain(rules), 6).wealth(PLANS[plan])
    one = month(chain_of("payday"))
    assert found.mean == pytest.approx(6 * 325 + 6 * float(one.mean), rel=1e-11)
    assert found.sd == pytest.approx(sqrt(6) * one.sd, rel=1e-11)


@pytest.mark.parametrize("months", [1, 3, 6])
@pytest.mark.parametrize("plan", PLANS)
def test_every_bit_of_chance_is_there(plan: str, months: int) -> None:
    found = wealth(plan, months)
    assert abs(found.missing) < 1e-13
    assert (found.chances > 0).all()
    assert (found.amounts % 5 == 0).all()


def test_saving_beats_repaying_and_repaying_beats_holding() -> None:
    """Repaid is never worse than held, saved never worse than repaid, in every game."""
    for months in (2, 3, 6):
        means = [wealth(plan, months).mean for plan in ("hold", "repay", "save")]
        assert means == sorted(means)
        # the plans part only at the first Pay Day, and a loan of month 1 cannot be repaid on it
        assert means[2] > means[1] >= means[0]


def test_who_saves_his_last_hundred_pays_for_being_short() -> None:
    """A cushion of 100 is worth more than its interest; one of 500 is not."""
    means = [game(6).wealth(saver(cushion)).mean for cushion in (0, 100, 500)]
    assert means[0] < means[1] > means[2]
    assert means[0] == wealth("save", 6).mean


def test_without_fees_a_cushion_only_costs_interest() -> None:
    rules = rules_of("payday").but({"accounts.early_withdrawal_fee": 0})
    free = Game(chain(rules), 3)
    means = [free.wealth(saver(cushion)).mean for cushion in (0, 100, 500)]
    assert means == sorted(means, reverse=True)


def test_insurance_is_bought_in_the_months_in_which_it_is_offered() -> None:
    """Kernels from a set of insurances sum to one; who holds all buys no more."""
    walk = chain_of("payday")
    kernels = month_kernels(walk, insures=True)
    every = frozenset(policies(walk.rules))
    for before in {before for before, _ in kernels}:
        total = sum(k.chances.sum() for (b, _), k in kernels.items() if b == before)
        assert total == pytest.approx(1, abs=1e-13)
        assert all((k.chances >= 0).all() for (b, _), k in kernels.items() if b == before)
    covered = kernels[every, every]
    units = covered.low + np.arange(len(covered.chances))
    expected = float(month(walk, insured=sorted(every)).mean)
    assert 5 * float(units @ covered.chances) == pytest.approx(expected, rel=1e-12)
    # the chance not to be offered car insurance, from the law of months without that card
    none: frozenset[str] = frozenset()
    unseen = MonthWalk(walk).law(lambda _: 0, tickets=False, without=["car_insurance"])[0]
    got = sum(
        kernels[none, after].chances.sum() for after in (none, frozenset({"health_insurance"}))
    )
    assert got == pytest.approx(float(unseen), rel=1e-12)


# ---------------------------------------------------------------------- against the dice

GAMES = 100_000


def by_ledger(rules: Rules, plan: Plan, days: list[list[tuple[str, int]]]) -> int:
    """The wealth of one game kept by the ledger: payments and bills in their order."""
    ledger = opened(rules, len(days))

    def choose(one: Ledger) -> Ledger:
        free = max(one.cash - one.owed - plan.cushion, 0) // 100 * 100
        back = min(free, one.loan) if plan.share != "hold" else 0
        one = one.repay(back) if back else one
        return one.deposit(free - back) if plan.share == "save" and free > back else one

    for some in days:
        for what, amount in some:
            ledger = getattr(ledger, what)(amount)
        ledger = ledger.pay_day(choose)
    return ledger.wealth


@pytest.mark.parametrize("plan", [*map(PLANS.get, ("hold", "repay", "save")), saver(200)])
def test_the_accounts_of_the_sampler_are_those_of_the_ledger(plan: Plan) -> None:
    """300 games of six months with three payments each, on the day, short of cash and not."""
    rules, random = rules_of("payday"), np.random.default_rng(5)
    paths = random.integers(-50, 40, (300, 6, 3)) * 5
    owed = random.integers(0, 120, (300, 6)) * 5
    purses = Purses.of(plan, 300, 2)
    for number in range(6):
        for payment in paths[:, number].T:
            purses.receive(np.arange(300), np.maximum(payment, 0))
            pays = np.flatnonzero(payment < 0)
            purses.pay(pays, -payment[pays])
        purses.pay_day(owed[:, number], last=number == 5)
    expected = [
        by_ledger(
            rules,
            plan,
            [
                [*(("receive", n) if n >= 0 else ("pay", -n) for n in row), ("bill", due)]
                for row, due in zip(path.tolist(), bills.tolist(), strict=True)
            ],
        )
        for path, bills in zip(paths, owed, strict=True)
    ]
    assert purses.wealth.tolist() == expected
    assert min(expected) < 0 < max(expected)


def disagreements(one: Wealth, sample: Any) -> dict[str, float]:
    """z of the mean, of the variance and of the ten quantiles of a sample against a law."""
    count = len(sample)
    away = one.amounts - one.mean
    fourth = float(away**4 @ one.chances)
    found = {
        "mean": (sample.mean() - one.mean) / (one.sd / sqrt(count)),
        "variance": (((sample - one.mean) ** 2).mean() - one.sd**2)
        / sqrt((fourth - one.sd**4) / count),
    }
    for share in QUANTILES:
        at = one.quantile(share)
        exact = float(one.chances[one.amounts <= at].sum())
        seen = float((sample <= at).mean())
        found[f"q{share}"] = (seen - exact) / sqrt(exact * (1 - exact) / count)
    return found


@pytest.mark.parametrize("months", [3, 6])
def test_laws_agree_with_a_hundred_thousand_games(months: int) -> None:
    """All plans play the same games to the letter; 6 plans × 12 comparisons."""
    walk = chain_of("payday")
    plans = [*PLANS.values(), saver(100), saver(300)]
    played = Sampler(walk, seed=20 + months).play(plans, months, GAMES)
    most = norm.isf(1e-6 / (2 * 12 * len(plans)))
    for plan in plans:
        found = disagreements(game(months).wealth(plan), played[plan.name])
        assert max(map(abs, found.values())) < most, (plan.name, found)


def test_a_month_agrees_with_a_hundred_thousand_months() -> None:
    """The whole law of a month, in ten quantiles."""
    walk = chain_of("payday", "mail_64")
    played = Sampler(walk, seed=11).play([PLANS["hold"]], 1, GAMES)
    found = disagreements(Game(walk, 1).wealth(PLANS["hold"]), played["hold"])
    assert max(map(abs, found.values())) < norm.isf(1e-6 / (2 * 12)), found


# ----------------------------------------------------------------------------- the table


def test_the_table_has_the_columns_agreed_on() -> None:
    frame = finance(chain_of("payday"), plans=list(PLANS), months=1).frame()
    assert list(frame.columns) == [
        "plan",
        "months",
        "mean",
        "sd",
        "se",
        "p_debt",
        *(f"q{n:02d}" for n in range(5, 100, 10)),
        "method",
    ]
    assert frame["plan"].tolist() == list(PLANS)
    assert (frame["se"] == 0).all()
    assert (frame["method"] == "law").all()


def test_every_simplification_is_told_where_the_result_is_shown() -> None:
    text = str(finance(chain_of("payday"), plans=["save"], months=1))
    assert "no deals, poker, Swellfare or elections" in text
    assert "price of insurance" not in text
    assert "price of insurance" in str(finance(chain_of("payday"), plans=["insure"], months=1))
    assert "first salary included" in text
    assert "no deals" in finance(chain_of("payday"), plans=["save"], months=1)._repr_html_()


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(RulesError, match="did you mean 'save'"):
        finance("payday", plans=["sav"])
    with pytest.raises(RulesError, match="at most 12 months"):
        finance("payday", months=13)
    with pytest.raises(RulesError, match="number of months"):
        finance("payday", months=0)
    with pytest.raises(RulesError, match="no plan is given"):
        finance("payday", plans=[])
    with pytest.raises(RulesError, match="no accounts"):
        finance("corner_shop")
    into = rules_of("payday").but({"accounts.savings_interest_to": "account"})
    with pytest.raises(RulesError, match="interest comes in cash"):
        finance(into)
    with pytest.raises(RulesError, match="did you mean 'hold'"):
        finance("payday", plans=["hold"], months=1)["hols"]


# ------------------------------------------------------------------------ what is refused


@pytest.mark.parametrize("said", [100.5, None, "100", float("nan"), float("inf"), 10**30])
def test_a_move_that_is_no_whole_number_is_refused_and_not_rounded(said: Any) -> None:
    with pytest.raises(RulesError, match="a move is a whole number, how much goes to the account"):
        finance(chain_of("payday"), plans=[lambda _: said], months=1)


def test_a_move_may_be_written_as_a_float_that_is_whole() -> None:
    def mine(where: Position) -> Any:
        return float(where.cash // 100 * 100) if where.cash > 0 else 0

    row = finance(chain_of("payday"), plans=[mine, "save"], months=2).rows
    assert row[0].mean == pytest.approx(row[1].mean, rel=1e-12)


@pytest.mark.parametrize("plans", ["save", None, 5])
def test_plans_that_are_no_list_are_refused_in_one_line(plans: Any) -> None:
    with pytest.raises(RulesError, match=r"1 problem .*\n  plans  plans are a list"):
        finance(chain_of("payday"), plans=plans, months=1)


def test_a_plan_that_is_none_is_refused() -> None:
    broken: Any = 5
    with pytest.raises(RulesError, match="no such plan '5'"):
        finance(chain_of("payday"), plans=[broken], months=1)


@pytest.mark.parametrize(
    ("path", "value"),
    [("accounts.step", 0), ("start.cash", -100), ("accounts.salary", -5),
     ("accounts.early_withdrawal_fee", -50)],
)  # fmt: skip
def test_terms_that_no_account_can_have_are_refused(path: str, value: int) -> None:
    with pytest.raises(RulesError, match=rf"{path}  must be [01] or more, not {value}"):
        finance(rules_of("payday").but({path: value}), plans=["hold"], months=1)


def test_where_both_accounts_are_allowed_it_is_told_that_nobody_has_both() -> None:
    rules = rules_of("payday").but({"accounts.both_at_once": True})
    told = "nobody has savings and a loan at once, which these rules would allow"
    assert told in str(finance(rules, plans=["save"], months=1))
    assert told not in str(finance(chain_of("payday"), plans=["save"], months=1))
