"""The best plan: against a search through all plans on a tiny board, and against its own law.

The search below tries every move at every Pay Day in exact numbers, and knows nothing of arrays.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import pytest
from conftest import chain_of, rules_of

from boardrules.chain import Chain, chain
from boardrules.library import load
from boardrules.money import finance
from boardrules.money.best import BestPlan, best
from boardrules.money.insurance import Insurance, When, best_insurance
from boardrules.money.month import month
from boardrules.money.plans import PLANS, Game, Plan, Position
from boardrules.rules import Rules, RulesError

F = Fraction

TINY = """
format = 1
title = "Tiny"
[dice]
count = 1
sides = 1
[lap]
square = "pay"
[start]
cash = 20
[accounts]
salary = 120
savings_rate = "1/10"
loan_rate = "1/5"
[end]
when = "months"
months = 3
[[squares]]
id = "start"
[[squares]]
id = "mail"
kind = "mail"
landing = [{ draw = "mail" }]
[[squares]]
id = "pay"
stop = true
landing = [{ collect = 120, tag = "salary" }, { place = "start" }]
[[decks.mail.cards]]
id = "nothing"
copies = 2
effects = []
[[decks.mail.cards]]
id = "bill"
effects = [{ owe = 250 }]
[[decks.mail.cards]]
id = "windfall"
effects = [{ collect = 90 }]
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Rules:
    file = tmp_path / "tiny.toml"
    file.write_text(TINY, encoding="utf-8")
    return load(file)


@lru_cache(maxsize=8)
def of(months: int, target: int | None = None) -> BestPlan:
    return best(chain_of("payday"), months=months, target=target)


def searched(
    law: Mapping[int, Fraction], months: int, cash: int, target: int | None, *, saves: bool = True
) -> Fraction:
    """The best that can be reached from the start, by trying everything."""

    @cache
    def at_start(number: int, account: int, cash: int) -> Fraction:
        return sum(
            (chance * at_pay_day(number, account, cash + money) for money, chance in law.items()),
            F(0),
        )

    def at_pay_day(number: int, account: int, cash: int) -> Fraction:
        cash += account // 10 if account > 0 else account // 5
        if number == months:
            wealth = cash + account
            return F(wealth) if target is None else F(wealth > target)
        cash += 120
        found = []
        for move in range(-max(account, 0), max(cash, 0) + 1, 100):
            left, new = cash - move, account + move
            if new > 0 and not saves:
                continue
            while left < 0:
                left, new = left + 100, new - 100
            found.append(at_start(number + 1, new, left))
        return max(found)

    return at_start(1, 0, cash)


LAW = {0: F(1, 2), -250: F(1, 4), 90: F(1, 4)}


def test_the_tiny_board_has_the_law_that_is_searched(tiny: Rules) -> None:
    assert month(tiny).law == LAW


@pytest.mark.parametrize("months", [1, 2, 3, 5])
@pytest.mark.parametrize("target", [None, -100, 0, 215, 300])
def test_no_plan_at_all_is_better(tiny: Rules, months: int, target: int | None) -> None:
    found = best(tiny, months=months, target=target)
    assert found.value == pytest.approx(float(searched(LAW, months, 20, target)), rel=1e-12)


@pytest.mark.parametrize("target", [None, 215])
def test_where_there_are_no_savings_the_best_plan_only_repays(
    tiny: Rules, target: int | None
) -> None:
    rules = tiny.but({"accounts.savings": False})
    found = best(rules, months=4, target=target)
    expected = searched(LAW, 4, 20, target, saves=False)
    assert found.value == pytest.approx(float(expected), rel=1e-12)
    assert found.said(Position(1, 4, 100, 0)) == "–"
    if target is None:  # towards a target this repayment makes no difference
        assert found.said(Position(1, 4, 120, -100)) == "repay 100"


@pytest.mark.parametrize(("months", "target"), [(2, None), (3, None), (3, 1000), (6, None)])
def test_what_is_promised_backwards_is_what_comes_forwards(months: int, target: int | None) -> None:
    """The law of wealth under the best plan has the promised mean, or chance."""
    found = of(months, target)
    law = found.wealth
    came = law.mean if target is None else law.above(target)
    assert came == pytest.approx(found.value, rel=1e-9)
    assert abs(law.missing) < 1e-13


@pytest.mark.parametrize(("months", "target"), [(3, None), (3, 1000), (6, None)])
def test_no_named_plan_about_accounts_is_better(months: int, target: int | None) -> None:
    ahead = of(months, target).against(["hold", "repay", "save"])
    assert all(value > -1e-9 for value in ahead.values())
    assert ahead["hold"] > 0


def test_repay_first_then_save_all_but_a_hundred() -> None:
    """Repaying saves 20 where saving earns 10; but the last hundred in hand may spare a fee."""
    for pay_day in range(1, 6):
        for account in (-400, -100):
            assert of(6).move(Position(pay_day, 6, 200, account)) >= 100, (pay_day, account)
        for account in (100, 500):
            for cash in (250, 605):
                move = of(6).move(Position(pay_day, 6, cash, account))
                assert move == cash // 100 * 100 - 100, (pay_day, account, cash)


def test_without_fees_repay_first_then_save_all() -> None:
    """Where nothing can be lost by it, all of the cash goes to the account."""
    walk = chain(rules_of("payday").but({"accounts.early_withdrawal_fee": 0}))
    free = best(walk, months=4)
    for pay_day in range(1, 4):
        for account in (-400, -100, 0, 100, 500):
            for cash in (0, 95, 100, 250, 605):
                move = free.move(Position(pay_day, 4, cash, account))
                assert move == cash // 100 * 100, (pay_day, account, cash)
    save = finance(walk, plans=["save"], months=4)["save"]
    assert free.value == pytest.approx(save.mean, rel=1e-12)


def test_on_the_last_pay_day_nothing_matters_any_more() -> None:
    """A deposit then earns nothing, a repayment spares nothing: the smallest move is none."""
    assert of(3).move(Position(3, 3, 700, -300)) == 0
    assert of(3).said(Position(3, 3, 700, 300)) == "–"


def test_a_decision_table_can_be_read() -> None:
    one = of(3)
    frame = one.frame(month=1, accounts=(-100, 0, 100), cash=(-50, 0, 350))
    assert frame["account"].tolist() == ["loan 100", "none", "savings 100"]
    assert frame["cash 350"].tolist() == ["repay 100, deposit 100", "deposit 200", "deposit 200"]
    assert frame["cash -50"].tolist() == [
        "borrow 100 for bills",
        "borrow 100 for bills",
        "withdraw 100",
    ]
    assert frame["cash 0"].tolist() == ["–", "–", "withdraw 100"]
    # without a month: the second, since on the first nobody has an account yet
    assert [best(chain_of("payday"), months=n).typical for n in (1, 2, 3)] == [1, 1, 2]
    assert one.decisions() == one.decisions(2)
    assert "\nPay Day 2\n" in str(one)
    assert "best plan for expected wealth after 3 months" in str(one)
    assert "no deals, poker, Swellfare or elections" in one._repr_html_()
    assert "more than 1000" in repr(of(3, 1000))


def test_what_cannot_be_planned_is_refused() -> None:
    with pytest.raises(RulesError, match="at most 12 months"):
        best(chain_of("payday"), months=13)
    with pytest.raises(RulesError, match="no game comes to"):
        of(2).move(Position(1, 2, 50_000, 0))
    assert of(2).decisions(1, accounts=[-90_000], cash=[100]) == [["never comes up"]]
    with pytest.raises(RulesError, match="Pay Days are numbered"):
        of(2).decisions(month=3)
    with pytest.raises(RulesError, match="no accounts"):
        best(rules_of("monopoly"))


def test_amounts_that_nobody_can_have_are_refused_and_not_rounded() -> None:
    with pytest.raises(RulesError, match="account  comes in multiples of 100, not 150"):
        of(2).decisions(1, accounts=[150], cash=[100])
    with pytest.raises(RulesError, match="cash  comes in multiples of 5, not 101"):
        of(2).move(Position(1, 2, 101, 0))


@pytest.mark.parametrize("target", ["a", 10.5, True])
def test_a_target_is_an_amount_of_money(target: Any) -> None:
    with pytest.raises(RulesError, match="target  a target is a whole number"):
        best(chain_of("payday"), months=1, target=target)


def test_the_named_plans_are_compared_with_it() -> None:
    assert set(of(3).against()) == set(PLANS)


# ------------------------------------------------------------------ insurance, given the bills

COVERED = """
format = 1
title = "Covered"
[dice]
count = 1
sides = 1
[lap]
square = "pay"
[accounts]
salary = 100
loan_rate = "1/5"
[end]
when = "months"
months = 2
[[squares]]
id = "start"
[[squares]]
id = "mail"
kind = "mail"
landing = [{ draw = "mail" }, { draw = "mail" }]
[[squares]]
id = "pay"
stop = true
landing = [{ collect = 100, tag = "salary" }, { place = "start" }]
[[decks.mail.cards]]
id = "bill"
effects = [{ owe = 60, kind = "car", unless_held = "cover" }]
[[decks.mail.cards]]
id = "offer"
[[decks.mail.cards.effects]]
ask = "buy"
otherwise = "refuse"
answers = { buy = [{ pay = 100 }, { keep = "cover" }], refuse = [] }
"""


def test_when_to_insure_worked_by_hand(tmp_path: Path) -> None:
    """Two cards a month, each a bill of 60 or an offer for 100; two months.

    Last month: an offer first saves 30 on average, second 60 at most: never buy.  First month: an
    offer first saves 30 + 60; an offer after a bill saves 60 + 60: buy, gaining 20 with 1/4.
    At once: -10 with 1/2, 20 with 1/4, else in the last month -70 with 1/2 or -40 with 1/4.
    """
    file = tmp_path / "covered.toml"
    file.write_text(COVERED, encoding="utf-8")
    found = best_insurance(load(file), "cover")
    assert found.value == 5
    assert found.always == -5 + 5 + F(1, 4) * (-35 - 10)
    assert found.buys(When(1, 1, 0), 60)
    assert not found.buys(When(1, 1, 0), 40)
    assert not found.buys(When(1, 1, 1), 0)
    assert not found.buys(When(2, 1, 0), 60)
    with pytest.raises(RulesError, match="never offered then"):
        found.buys(When(3, 1, 0), 60)


@lru_cache(maxsize=4)
def insurance(card: str, months: int) -> Insurance:
    return best_insurance(chain_of("payday"), card, months=months)


@lru_cache(maxsize=1)
def without_interest() -> Chain[Fraction]:
    return chain(rules_of("payday").but({"accounts.loan_rate": 0}))


@pytest.mark.parametrize("months", [1, 3])
def test_buying_at_once_gains_what_the_laws_of_insurance_say(months: int) -> None:
    """Without interest the plan that insures is ahead by the two gains, here far below zero."""
    game = Game(without_interest(), months)
    with_it = game.wealth(Plan("with", "insure and hold", insures=True)).mean
    without = game.wealth(Plan("without", "hold")).mean
    gains = sum(insurance(card, months).always for card in ("car_insurance", "health_insurance"))
    assert with_it - without == pytest.approx(float(gains), rel=1e-9)
    assert gains < 0


def test_only_health_insurance_at_the_very_start_of_six_months_breaks_even() -> None:
    """Car: 200 for 28.73 a month; health: 150 for 34.48 a month (deck of 72)."""
    health, car = insurance("health_insurance", 6), insurance("car_insurance", 6)
    assert health.buys(When(1, 3, 2), 0)
    assert not car.buys(When(1, 3, 2), 0)
    # with the last cards of the game nothing but bills in hand can pay for it
    for one in (health, car):
        assert not one.buys(When(6, 24, 0), one.price)
        assert one.buys(When(6, 24, 0), one.price + 5)


@pytest.mark.parametrize("card", ["car_insurance", "health_insurance"])
def test_the_best_answers_beat_never_and_always_and_ask_for_more_bills_later(card: str) -> None:
    found = insurance(card, 6)
    assert found.value > max(0, found.always)
    assert type(found.value) is Fraction
    by_month = [found.least[When(month, 16, 0)] for month in range(1, 7)]
    assert by_month == sorted(by_month)
    assert insurance(card, 6).value > insurance(card, 3).value > 0
    assert "buy from so many bills in hand on" in str(found)
    assert "no interest" in found._repr_html_()


def test_an_insurance_that_does_not_exist_is_refused() -> None:
    with pytest.raises(RulesError, match="did you mean 'car_insurance'"):
        best_insurance(chain_of("payday"), "car_insurence")
