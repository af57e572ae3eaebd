"""The ledger of one Payday player: every rule about money on hand-worked positions.

Each test names its rule (P1 ... and the switches Pa ... of `data/payday/RULES.md`).
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from conftest import rules_of
from hypothesis import given, settings
from hypothesis import strategies as st

from boardrules.library import load
from boardrules.money.ledger import (
    HOLDERS,
    Bill,
    Ledger,
    deals,
    grain,
    opened,
    policies,
)
from boardrules.rules import RulesError


def start(months: int = 6, *overlays: str, **changes: object) -> Ledger:
    rules = rules_of("payday", *overlays)
    but = {f"accounts.{key}": value for key, value in changes.items()}
    return opened(rules.but(but) if but else rules, months)


def at_the_counter(ledger: Ledger) -> Ledger:
    """Steps 1 and 2 of Pay Day are done, accounts are open."""
    return ledger.salary().interest()


def saver(amount: int = 600, months: int = 6) -> Ledger:
    """In month 2 with savings, and 650 less the amount in cash (325 and one salary)."""
    return start(months).pay_day(lambda ledger: ledger.deposit(amount))


def debtor(amount: int = 100, months: int = 6) -> Ledger:
    """In month 1 with a loan, and the cash it brought on top of 325."""
    return start(months).borrow(amount)


def refused(rule: str, what: Callable[[], object]) -> str:
    """The sentence with which something is refused; it must name the rule."""
    with pytest.raises(RulesError) as caught:
        what()
    (problem,) = caught.value.problems
    assert problem.path == rule, str(caught.value)
    return problem.text


def have(ledger: Ledger) -> tuple[int, int, int]:
    return ledger.cash, ledger.savings, ledger.loan


# --------------------------------------------------------------------------- the accounts


def test_everybody_starts_with_325_and_no_account() -> None:
    """P1."""
    assert have(start()) == (325, 0, 0)
    assert start().month == 1


def test_a_deposit_is_made_on_pay_day_in_hundreds() -> None:
    """P23, P28: 325 and a salary make 650; 600 of it fit in hundreds."""
    ledger = at_the_counter(start()).deposit(600)
    assert have(ledger) == (50, 600, 0)
    assert "multiple of 100" in refused("P21", lambda: at_the_counter(start()).deposit(50))
    assert "too little" in refused("P23", lambda: at_the_counter(start()).deposit(700))
    assert "only on Pay Day" in refused("P23", lambda: start().deposit(100))


def test_amounts_of_nothing_and_parts_of_a_dollar_are_refused() -> None:
    """P21."""
    for amount in (0, -100, 100.0, True):
        refused("P21", lambda a=amount: at_the_counter(start()).deposit(a))  # type: ignore[misc]
    assert "multiples of 5" in refused("P21", lambda: start().pay(12))
    refused("P21", lambda: start().receive(-5))


def test_no_loan_while_there_are_savings_and_no_deposit_with_a_loan() -> None:
    """P22."""
    assert "empty them" in refused("P22", lambda: saver().borrow(100))
    assert "repay it first" in refused("P22", lambda: at_the_counter(debtor()).deposit(100))


def test_both_accounts_at_once_is_a_switch() -> None:
    """P22 as a switch: free money for a program that allows it."""
    ledger = start(both_at_once=True).pay_day(lambda one: one.deposit(600)).borrow(100)
    assert have(ledger) == (150, 600, 100)


def test_a_withdrawal_costs_a_flat_fee_except_on_pay_day() -> None:
    """P23: 600 saved and 50 in hand; 300 withdrawn are 250 more in hand, on Pay Day 300."""
    assert have(saver().withdraw(300)) == (300, 300, 0)
    # on Pay Day the salary and 60 interest have come as well: 50 + 325 + 60 + 300
    assert have(at_the_counter(saver()).withdraw(300)) == (735, 300, 0)
    assert "too little" in refused("P23", lambda: saver().withdraw(700))


def test_the_fee_for_each_hundred_is_a_switch() -> None:
    """Pi: 300 withdrawn cost three times 50."""
    ledger = start(fee_mode="per_step").pay_day(lambda one: one.deposit(600))
    assert have(ledger.withdraw(300)) == (50 + 300 - 150, 300, 0)


def test_a_fee_is_not_paid_from_nothing() -> None:
    """P23: a fee of 200 for 100, and 50 in hand."""
    ledger = start(early_withdrawal_fee=200).pay_day(lambda one: one.deposit(600))
    assert "fee of 200" in refused("P23", lambda: ledger.withdraw(100))


def test_a_loan_is_taken_at_any_time_and_repaid_only_on_pay_day() -> None:
    """P24: there is no ceiling."""
    assert have(start().borrow(1_000_000)) == (1_000_325, 0, 1_000_000)
    assert "only on Pay Day" in refused("P24", lambda: debtor().repay(100))
    # 425 + salary 325 - interest 20 = 730
    assert have(at_the_counter(debtor())) == (730, 0, 100)
    assert have(at_the_counter(debtor()).repay(100)) == (630, 0, 0)
    assert "less than 200" in refused("P24", lambda: at_the_counter(debtor()).repay(200))
    poor = at_the_counter(start().borrow(900).pay(1225))
    # 325 salary - 180 interest
    assert have(poor) == (145, 0, 900)
    assert "too little" in refused("P24", lambda: poor.repay(200))


def test_repaying_all_and_depositing_on_the_same_day_is_allowed() -> None:
    """P28."""
    assert have(at_the_counter(debtor()).repay(100).deposit(600)) == (30, 600, 0)


# --------------------------------------------------------------------- forced payments


def test_who_is_short_borrows_the_least_that_will_do() -> None:
    """P25: 330 to pay with 325: one hundred, of which 95 are left."""
    assert have(start().pay(330)) == (95, 0, 100)
    assert have(start().pay(325)) == (0, 0, 0)
    assert have(start().pay(525)) == (0, 0, 200)


def test_who_has_savings_withdraws_them_before_he_borrows() -> None:
    """P22, P25: 50 in hand, 600 saved; 75 to pay takes 100 out, 50 of it the fee."""
    ledger = saver().pay(75)
    assert have(ledger) == (50 + 100 - 50 - 75, 500, 0)
    assert [one.what for one in ledger.entries[-3:]] == ["withdraw", "fee", "pay"]


def test_the_fee_counts_into_what_has_to_be_withdrawn() -> None:
    """P23, P25: 105 to pay with 50 in hand: 100 less the fee would not do, 200 does."""
    assert have(saver().pay(105)) == (50 + 200 - 50 - 105, 400, 0)
    assert have(saver().pay(100)) == (0, 500, 0)


def test_savings_are_emptied_first_and_the_rest_is_borrowed() -> None:
    """P22: 50 + 600 - 50 = 600 are there; 700 to pay needs a loan of 100."""
    ledger = saver().pay(700)
    assert have(ledger) == (0, 0, 100)
    assert [one.what for one in ledger.entries[-4:]] == ["withdraw", "fee", "borrow", "pay"]


def test_a_fee_dearer_than_the_withdrawal_is_borrowed() -> None:
    """P23, P25: per hundred the fee is 150: 600 bring nothing but a debt of 300 - 50."""
    ledger = start(fee_mode="per_step", early_withdrawal_fee=150)
    ledger = ledger.pay_day(lambda one: one.deposit(600)).pay(75)
    # 50 + 600 - 900 - 75 = -325: borrow 300 for the fee (cash 650), then 100 for the payment
    assert have(ledger) == (75, 0, 400)


def test_on_pay_day_bills_take_savings_without_a_fee() -> None:
    """P29: 50 + 325 + 60 in hand; a bill of 500 takes 100 out of savings and leaves 35."""
    ledger = saver().bill(500).pay_day()
    assert have(ledger) == (35, 500, 0)


def test_the_town_election_is_paid_into_the_pot_by_everybody() -> None:
    """P18: even from a loan; a six later wins it."""
    ledger = start().pay(325).election(50)
    assert have(ledger) == (50, 0, 100)
    assert ledger.balances["pot"] == 50
    assert have(ledger.take_pot()) == (100, 0, 100)
    assert start().take_pot().entries == ()


# ------------------------------------------------------------------------------ Pay Day


def test_pay_day_has_seven_steps_in_order() -> None:
    """P26 to P32: the entries of one Pay Day."""
    ledger = debtor(200).bill(80).ticket(50)
    after = ledger.pay_day(lambda one: one.repay(200).deposit(300))
    assert [(one.what, one.amount, one.rule) for one in after.entries[1:]] == [
        ("salary", 325, "P26"),
        ("interest", 40, "P27"),
        ("repay", 200, "P28"),
        ("deposit", 300, "P28"),
        ("bill", 80, "P29"),
    ]
    # 325 + 200 + 325 - 40 - 200 - 300 - 80
    assert have(after) == (230, 300, 0)
    assert (after.month, after.step, after.tickets, after.bills) == (2, 0, (), ())


STEPS: dict[str, Callable[[Ledger], Ledger]] = {
    "P26": Ledger.salary,
    "P27": Ledger.interest,
    "P29": Ledger.pay_bills,
    "P30": Ledger.void_tickets,
    "P31": Ledger.discard_deals,
    "P32": Ledger.home,
}


@pytest.mark.parametrize("rule", STEPS)
def test_no_step_of_pay_day_comes_before_its_turn_or_twice(rule: str) -> None:
    ledger = start()
    for name, step in STEPS.items():
        if name == rule:
            break
        refused(rule, lambda one=ledger: STEPS[rule](one))  # type: ignore[misc]
        ledger = step(ledger)
    done = STEPS[rule](ledger)
    if rule != "P32":
        assert "keep their order" in refused(rule, lambda: STEPS[rule](done))


def test_accounts_are_closed_once_the_bills_are_paid() -> None:
    """P28 comes before P29."""
    late = at_the_counter(start()).pay_bills()
    refused("P23", lambda: late.deposit(100))
    refused("P24", lambda: at_the_counter(debtor()).pay_bills().repay(100))


def test_accounts_are_not_open_before_interest() -> None:
    """P27: a repayment does not spare this month's interest, a deposit earns none."""
    refused("P24", lambda: debtor().salary().repay(100))
    refused("P23", lambda: start().salary().deposit(100))
    assert at_the_counter(start()).deposit(600).pay_bills().savings == 600


def test_there_is_no_salary_in_the_last_month() -> None:
    """P26: wages come to 325 times the months in all, the start cash being the first of them."""
    for months in (1, 3, 6):
        ledger = start(months)
        for _ in range(months):
            ledger = ledger.pay_day()
        assert ledger.over
        assert have(ledger) == (325 * months, 0, 0)


def test_a_salary_in_the_last_month_is_a_switch() -> None:
    assert start(1, salary_last_month=True).pay_day().cash == 650


def test_interest_counts_in_the_last_month_too() -> None:
    """P27: 100 borrowed in the last month cost 20."""
    assert debtor(100, months=1).pay_day().wealth == 325 - 20


def test_a_loan_for_bills_bears_its_first_interest_next_time() -> None:
    """P29: in the last month it bears none."""
    ledger = start(2).bill(700).pay_day()
    assert have(ledger) == (50, 0, 100)  # 325 + 325 + 100 - 700
    assert ledger.pay_day().wealth == -50 - 20
    assert start(1).bill(400).pay_day().wealth == -75


def test_savings_interest_is_paid_in_cash_unless_the_account_takes_it() -> None:
    """Pj: 10 % of 600."""
    assert have(saver().pay_day()) == (50 + 325 + 60, 600, 0)
    inside = start(savings_interest_to="account").pay_day(lambda one: one.deposit(600))
    assert have(inside.pay_day()) == (50 + 325, 660, 0)
    # interest counts on whole hundreds, so that it never needs rounding: 60 again, not 66
    twice = inside.pay_day().pay_day()
    assert twice.savings == 720
    assert have(twice.withdraw(720))[1] == 0
    refused("P21", lambda: twice.withdraw(20))


def test_a_rate_that_needs_rounding_is_refused() -> None:
    """P21."""
    rules = load("payday").but({"accounts.loan_rate": "1/3"})
    assert "whole number" in refused("P21", lambda: opened(rules).borrow(100).pay_day())


def test_when_the_last_month_is_over_nothing_more_happens() -> None:
    """P32."""
    done = start(1).pay_day()
    moves: list[Callable[[], Ledger]] = [
        done.salary,
        done.pay_day,
        lambda: done.pay(5),
        lambda: done.borrow(100),
        lambda: done.bill(5),
    ]
    for move in moves:
        refused("P32", move)


# ------------------------------------------------------------------ mail, tickets, insurance


def test_a_bill_is_kept_until_pay_day() -> None:
    """P12."""
    ledger = start().bill(800)
    assert have(ledger) == (325, 0, 0)
    assert ledger.bills == (Bill(800, "bill"),)
    assert ledger.pay_day().wealth == 325 + 325 - 800


def test_insurance_cancels_the_bills_of_its_kind_also_those_in_hand() -> None:
    """P14: a car policy for 200, and no other bill is touched."""
    ledger = start().bill(100, "car").bill(85, "medical").insure("car_insurance")
    assert ledger.bills == (Bill(85, "medical"),)
    assert ledger.cash == 125
    assert ledger.bill(150, "car").bills == ledger.bills
    later = ledger.pay_day().bill(150, "car")
    assert later.bills == ()
    refused("P14", lambda: ledger.insure("car_insurance"))
    refused("P14", lambda: ledger.insure("fire_insurance"))


def test_a_loan_may_pay_for_insurance_unless_the_switch_says_no() -> None:
    """Pn."""
    assert have(start().pay(325).insure("health_insurance")) == (50, 0, 200)
    strict = start(loan_may_pay_for_side_games=False).pay(325)
    refused("Pn", lambda: strict.insure("health_insurance"))
    refused("Pn", lambda: strict.poker(2, won=True))
    refused("Pn", lambda: strict.bill(5).swellfare(100, 6))


def test_a_ticket_pays_only_on_lottery_draw_of_the_same_month() -> None:
    """P13, P30."""
    ledger = start().ticket(100).ticket(50)
    assert ledger.cash_tickets().cash == 325 + 150
    assert ledger.cash_tickets().cash_tickets().cash == 325 + 150
    assert ledger.pay_day().cash_tickets().cash == 650


def test_swellfare_is_for_those_who_owe_more_than_their_cash() -> None:
    """P15: a loan, the interest coming due on it, and bills, against cash."""
    assert "owes more" in refused("P15", lambda: start().swellfare(100, 6))
    assert not start().bill(325).may_use_swellfare
    assert start().bill(330).may_use_swellfare
    # 100 borrowed, 425 in hand: 120 owed with the interest, so 310 in bills are needed
    assert not debtor().bill(305).may_use_swellfare
    assert debtor().bill(310).may_use_swellfare


def test_swellfare_pays_ten_times_on_five_and_six() -> None:
    """P15, Pg: read literally the stake leaves the player only on a loss, into the pot."""
    poor = start().bill(800)
    assert poor.swellfare(100, 5).cash == 325 + 1000
    lost = poor.swellfare(100, 4)
    assert (lost.cash, lost.balances["pot"]) == (225, 100)
    assert "at most 100" in refused("P15", lambda: poor.swellfare(105, 6))
    paid_first = start(side_stake_kept_on_win=False).bill(800)
    assert paid_first.swellfare(100, 5).cash == 325 + 900


def test_savings_count_in_the_swellfare_test_only_by_a_switch() -> None:
    """Ph."""
    assert saver().bill(100).may_use_swellfare
    counted = start(side_savings_count_as_cash=True).pay_day(lambda one: one.deposit(600))
    assert not counted.bill(100).may_use_swellfare


def test_poker_moves_the_stakes_to_one_player() -> None:
    """P17, Pk."""
    assert start().poker(4, won=True).cash == 325 + 300
    assert start().poker(4, won=False).cash == 225
    assert start().poker(1, won=True).cash == 325
    assert start(lone_poker_returns=False).poker(1, won=True).cash == 225


def test_a_deal_is_bought_at_cost_and_sold_at_its_value() -> None:
    """P6, P9: with 325 in hand, the tractor at 950 needs a loan of 700."""
    bought = start().buy("tractor")
    assert have(bought) == (75, 0, 700)
    assert have(bought.sell("tractor")) == (1475, 0, 700)
    assert bought.commission("tractor").cash == 75 + 95
    refused("P9", lambda: start().sell("tractor"))
    refused("P7", lambda: bought.buy("tractor"))
    refused("P6", lambda: start().buy("trctor"))


def test_savings_pay_for_a_deal_before_a_loan_does() -> None:
    """P6, P22: 50 in hand and 600 saved; 800 less 600 needs a loan of 200."""
    assert have(saver().buy("used_sports_car")) == (0, 0, 200)


def test_deals_are_kept_from_month_to_month_and_lost_at_the_end() -> None:
    """P9, P10, P31."""
    ledger = start(2).buy("copper_pipe").pay_day()
    assert ledger.deals == ("copper_pipe",)
    assert ledger.pay_day().deals == ()
    assert ledger.pay_day().wealth == 650 - 300


# ------------------------------------------------------------------- what the ruleset knows


def test_insurances_deals_and_tickets_are_read_from_the_cards() -> None:
    rules = rules_of("payday")
    assert {name: (one.price, one.kinds) for name, one in policies(rules).items()} == {
        "car_insurance": (200, {"car"}),
        "health_insurance": (150, {"medical"}),
    }
    assert len(deals(rules)) == 16
    assert deals(rules)["tractor"].value == 1400
    assert grain(rules.but({"decks.mail.cards.lottery_50.effects[0].prize": 51})) == 1


def test_all_amounts_are_multiples_of_five() -> None:
    """P21."""
    assert grain(rules_of("payday")) == 5


def test_other_games_have_no_such_accounts() -> None:
    with pytest.raises(RulesError, match="no accounts"):
        opened(rules_of("monopoly"))
    for months in (0, -1, 10_000, True):
        with pytest.raises(RulesError, match="number of months"):
            opened(rules_of("payday"), months)


# ------------------------------------------------------------------ what holds in every game

AMOUNTS = st.integers(0, 400).map(lambda n: 5 * n)
HUNDREDS = st.integers(1, 12).map(lambda n: 100 * n)
TRIES: list[st.SearchStrategy[Callable[[Ledger], Ledger]]] = [
    AMOUNTS.map(lambda n: lambda one: one.pay(n)),
    AMOUNTS.map(lambda n: lambda one: one.receive(n)),
    AMOUNTS.map(lambda n: lambda one: one.bill(n)),
    AMOUNTS.map(lambda n: lambda one: one.election(n)),
    HUNDREDS.map(lambda n: lambda one: one.borrow(n)),
    HUNDREDS.map(lambda n: lambda one: one.withdraw(n)),
    HUNDREDS.map(lambda n: lambda one: one.pay_day(lambda x: x.repay(min(n, x.loan)))),
    HUNDREDS.map(lambda n: lambda one: one.pay_day(lambda x: x.deposit(n))),
    HUNDREDS.map(lambda n: lambda one: one.pay_day(lambda x: x.withdraw(n))),
    st.just(Ledger.pay_day),
    st.just(Ledger.take_pot),
    st.just(lambda one: one.insure("car_insurance")),
    st.just(lambda one: one.buy("tractor")),
    st.just(lambda one: one.sell("tractor")),
    st.just(lambda one: one.swellfare(100, 6)),
    st.just(lambda one: one.swellfare(100, 1)),
]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(*TRIES), max_size=30))
def test_whatever_is_tried_the_laws_of_money_hold(
    tries: list[Callable[[Ledger], Ledger]],
) -> None:
    """P21, P22, P25: nothing is created or lost; refused moves change nothing."""
    ledger = start(12)
    for move in tries:
        try:
            ledger = move(ledger)
        except RulesError:
            continue
        assert sum(ledger.balances.values()) == 325
        assert ledger.loan * ledger.savings == 0
        assert ledger.cash >= 0
        assert ledger.loan % 100 == ledger.savings % 100 == 0
        assert ledger.cash % 5 == 0
    again = dict.fromkeys(HOLDERS, 0) | {"cash": 325}
    for entry in ledger.entries:
        again[entry.giver] -= entry.amount
        again[entry.taker] += entry.amount
    assert {k: v for k, v in again.items() if v} == {k: v for k, v in ledger.balances.items() if v}


def test_a_ledger_can_be_read() -> None:
    text = str(debtor().pay_day())
    assert "P26  salary" in text
    assert "loan $100" in text
    assert "&" not in debtor()._repr_html_()
