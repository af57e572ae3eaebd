"""Months that begin with little cash: every path of a small board, played by the ledger.

The laws are worked out backwards and all at once; here each path is followed from its start, one
by one, and every payment is made by the ledger.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import chain_of

from boardrules.chain import Chain, chain
from boardrules.events import Kept, Noted, Owed, Paid, bank, laps
from boardrules.library import load
from boardrules.money.best import best
from boardrules.money.kernels import NONE, month_kernels
from boardrules.money.ledger import Ledger, opened
from boardrules.money.month import MonthWalk, flow
from boardrules.money.plans import Game, Position
from boardrules.money.shortage import Short, convolved, short_months
from boardrules.rules import Rules, RulesError

F = Fraction

BOARD = """
format = 1
title = "A week"
[dice]
count = 1
sides = 2
[lap]
square = "pay"
[start]
cash = 40
[accounts]
salary = 120
savings_rate = "1/10"
loan_rate = "1/5"
early_withdrawal_fee = 50
[end]
when = "months"
months = 3
[[squares]]
id = "start"
[[squares]]
id = "toll"
landing = [{ pay = 130 }]
[[squares]]
id = "mail"
landing = [{ draw = "mail" }]
[[squares]]
id = "fair"
landing = [{ pay = 20 }]
[[squares]]
id = "lottery"
landing = [{ note = "lottery_draw" }]
[[squares]]
id = "pay"
stop = true
landing = [{ collect = 120, tag = "salary" }, { place = "start" }]
[[decks.mail.cards]]
id = "nothing"
effects = []
[[decks.mail.cards]]
id = "bill"
effects = [{ owe = 150 }]
[[decks.mail.cards]]
id = "windfall"
effects = [{ collect = 70 }]
[[decks.mail.cards]]
id = "ticket"
effects = [{ keep = "ticket", prize = 30 }]
"""


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Chain[Fraction]:
    file = tmp_path_factory.mktemp("board") / "week.toml"
    file.write_text(BOARD, encoding="utf-8")
    return chain(load(file))


def month_by_ledger(walk: Chain[Any], ledger: Ledger) -> dict[Ledger, Fraction]:
    """Every way in which a month may go, each by the ledger, up to the arrival on Pay Day."""
    found: dict[Ledger, Fraction] = defaultdict(F)

    def go(state: int, now: Ledger, chance: Fraction) -> None:
        for branch in walk.branches[state]:
            then = now
            for event in branch.events:
                match event:
                    case Paid() if bank(event) > 0 and event.tag != "salary":
                        then = then.receive(event.amount)
                    case Paid() if bank(event) < 0:
                        then = then.pay(event.amount)
                    case Owed(amount=amount, kind=kind):
                        then = then.bill(amount, kind)
                    case Kept(prize=prize) if prize:
                        then = then.ticket(prize)
                    case Noted(name="lottery_draw"):
                        then = then.cash_tickets()
                    case _:
                        pass
            if any(map(laps, branch.events)):
                found[then] += chance * branch.chance
            else:
                go(branch.end, then, chance * branch.chance)

    go(0, ledger, F(1))
    return found


def held(rules: Rules, cash: int, account: int, months: int = 3) -> Ledger:
    balances: Any = {"cash": cash, "savings": max(account, 0), "loan": min(account, 0)}
    return replace(opened(rules, months), balances=balances)


def account_of(ledger: Ledger) -> int:
    return ledger.savings - ledger.loan


@pytest.mark.parametrize("account", [-200, 0, 100, 200, 300, 1000])
@pytest.mark.parametrize("cash", [0, 10, 90, 120, 140])
def test_each_law_is_that_of_all_paths_by_the_ledger(
    walk: Chain[Fraction], cash: int, account: int
) -> None:
    """P23 and P25: for every amount of cash and every kind of account."""
    short = short_months(MonthWalk(walk), flow(walk.rules))[NONE]
    assert 10 * short.deep == 150
    before = held(walk.rules, cash, account)
    expected: dict[tuple[int, int], Fraction] = defaultdict(F)
    for ledger, chance in month_by_ledger(walk, before).items():
        fell = (account - account_of(ledger)) // 100
        expected[fell, ledger.wealth - ledger.owed - before.wealth] += chance
    laws = short.laws[cash // 10, short.kind(account // 100)]
    got = {
        (taken, 10 * (short.low + place)): laws[taken, place]
        for taken, place in zip(*np.nonzero(laws), strict=True)
    }
    assert got == pytest.approx({key: float(chance) for key, chance in expected.items()})


def best_by_search(walk: Chain[Any], months: int, target: int | None) -> Fraction:
    """The best that can be reached from the start, by trying every move at every Pay Day."""
    rules = walk.rules

    @cache
    def at_start(month: int, account: int, cash: int) -> Fraction:
        ways = month_by_ledger(walk, held(rules, cash, account, months))
        return sum(
            (chance * at_pay_day(month, one) for one, chance in ways.items()),
            F(0),
        )

    def at_pay_day(month: int, arrived: Ledger) -> Fraction:
        one = replace(arrived, month=month).salary().interest()
        if month == months:
            wealth = one.pay_bills().wealth
            return F(wealth) if target is None else F(wealth > target)
        found = []
        for move in range(-one.savings, one.cash + 1, 100):
            if move < 0:
                then = one.withdraw(-move)
            else:
                back = min(move, one.loan)
                then = one.repay(back) if back else one
                then = then.deposit(move - back) if move > back else then
            then = then.pay_bills()
            found.append(at_start(month + 1, account_of(then), then.cash))
        return max(found)

    return at_start(1, 0, rules.start.cash)


@pytest.mark.parametrize(("months", "target"), [(1, None), (2, None), (3, None), (3, 60), (3, -50)])
def test_no_plan_is_better_even_where_one_may_be_short(
    walk: Chain[Fraction], months: int, target: int | None
) -> None:
    found = best(walk, months=months, target=target)
    expected = float(best_by_search(walk, months, target))
    assert found.value == pytest.approx(expected, rel=1e-12)
    forward = found.wealth.mean if target is None else found.wealth.above(target)
    assert forward == pytest.approx(expected, rel=1e-12)


def payday() -> Short:
    return month_kernels(chain_of("payday"), insures=False)[NONE, NONE].short


def test_every_law_of_payday_is_whole() -> None:
    short = payday()
    assert 5 * short.deep == 215
    assert short.laws.sum(axis=(2, 3)) == pytest.approx(1.0, abs=1e-14)
    assert (short.laws >= 0).all()


def test_who_has_no_savings_pays_no_fee_and_who_has_some_pays_fifty_each_time() -> None:
    """P23: a loan costs nothing before Pay Day, so the month brings what it brings to the rich."""
    walk, short = chain_of("payday"), payday()
    change = 5 * (short.low + np.arange(short.laws.shape[3]))
    means = (short.laws.sum(axis=2) * change).sum(axis=2)
    law = MonthWalk(walk).law(flow(walk.rules))
    plain = float(sum(amount * chance for amount, chance in law.items()))
    assert means[:, 0] == pytest.approx(plain, rel=1e-12)
    assert (means <= plain + 1e-9).all()
    assert (np.diff(means, axis=1) <= 1e-9).all()  # more savings, more to withdraw
    assert means[0, -1] < plain - 25


def test_the_best_plan_keeps_a_hundred_in_hand() -> None:
    """What the laws of little cash are for: a deposit of the last hundred is a mistake."""
    found = best(chain_of("payday"), months=6)
    assert found.said(Position(1, 6, 100, 0)) == "–"
    assert found.said(Position(1, 6, 200, 0)) == "deposit 100"
    free = best(load("payday").but({"accounts.early_withdrawal_fee": 0}), months=6)
    assert free.said(Position(1, 6, 100, 0)) == "deposit 100"


def test_what_is_promised_backwards_comes_forwards_on_payday() -> None:
    found = best(chain_of("payday"), months=4)
    law = Game(chain_of("payday"), 4).wealth(found.plan)
    assert law.mean == pytest.approx(found.value, rel=1e-12)


@pytest.mark.parametrize("apart", [1, 2, 3, 5])
@pytest.mark.parametrize("wide", [1, 2, 7, 40])
def test_chances_that_lie_apart_spread_as_any_others(apart: int, wide: int) -> None:
    """Amounts in fives and units of one: the same as the school's way to multiply, term by term."""
    random = np.random.default_rng(3)
    masses = random.random((3, wide))
    chances = np.zeros(4 * apart + 1)
    chances[::apart] = random.random(5)
    expected = np.zeros((3, wide + len(chances) - 1))
    for place, chance in enumerate(chances):
        expected[:, place : place + wide] += masses * chance
    assert convolved(masses, chances) == pytest.approx(expected, rel=1e-12)


def test_prizes_that_come_before_a_payment_are_told(tmp_path: Path) -> None:
    """On Payday's board nothing is paid on the spot after Lottery Draw; here something is."""
    assert "prizes" not in " ".join(Game(chain_of("payday"), 1).simplified())
    draw, fair = '[{ note = "lottery_draw" }]', "[{ pay = 20 }]"
    swapped = BOARD.replace(draw, "LATER").replace(fair, draw).replace("LATER", fair)
    file = tmp_path / "early.toml"
    file.write_text(swapped, encoding="utf-8")
    assert "prizes of the lottery" in " ".join(Game(chain(load(file)), 1).simplified())


def test_small_steps_of_savings_do_not_run_out_unseen(walk: Chain[Fraction]) -> None:
    """Steps of 10 and a fee of 50: whoever has plenty is never found with nothing."""
    rules = walk.rules.but({"accounts.step": 10})
    short = short_months(MonthWalk(chain(rules)), flow(rules))[NONE]
    assert short.laws[:, -1].sum(axis=(1, 2)) == pytest.approx(1.0)
    before = held(rules, 0, 1000)
    falls = {(1000 - account_of(one)) // 10 for one in month_by_ledger(chain(rules), before)}
    assert max(falls) == short.taken


def test_a_fee_that_eats_every_withdrawal_is_refused(walk: Chain[Fraction]) -> None:
    rules = walk.rules.but({"accounts.fee_mode": "per_step", "accounts.early_withdrawal_fee": 100})
    with pytest.raises(RulesError, match="lower the fee"):
        short_months(MonthWalk(chain(rules)), flow(rules))
