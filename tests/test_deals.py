"""Deals: chances to sell, expected gains, commissions, and the deck as a queue.

Reference figures were worked out outside this package; rules are cited as in `RULES.md`.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import chain_of, rules_of
from scipy.stats import norm

from boardrules.chain import Chain, chain
from boardrules.events import Drew, Kept, Noted, laps
from boardrules.library import load
from boardrules.money import finance
from boardrules.money.deals import (
    BARGAIN_COLUMNS,
    Bargains,
    Queue,
    Selling,
    bargains,
    commission_share,
    selling,
    tie_chance,
)
from boardrules.money.ledger import deals
from boardrules.money.month import flow, month
from boardrules.money.plans import QUANTILES, Wealth
from boardrules.money.trade import Offer, Trade, TradePlan, best_trade, trade_plan
from boardrules.rules import Deal, RulesError

F = Fraction


@lru_cache(maxsize=8)
def sold(*overlays: str) -> Selling:
    return selling(chain_of("payday", *overlays))


@lru_cache(maxsize=16)
def table(more: int = 0, players: int = 4) -> Bargains:
    return bargains(chain_of("payday"), players=players, more=more)


# ------------------------------------------------------------------------------ selling


def test_the_chance_to_sell_in_this_month_as_fractions() -> None:
    assert sold().days == {
        4: F(83407858823708839, 109684753201889280),
        12: F(256851990481, 391820820480),
        15: F(1128212167, 1813985280),
        25: F(343, 1080),
    }
    assert sold().month == F(107117072300673096487, 142151440149648506880)


def test_the_chance_to_sell_without_daylight_savings() -> None:
    assert sold("no_daylight").days == {
        4: F(596874361905977281, 789730223053602816),
        12: F(1830574887175, 2821109907456),
        15: F(8023895713, 13060694016),
        25: F(2401, 7776),
    }
    assert sold("no_daylight").month == F(766362473447041964353, 1023490369077469249536)


@pytest.mark.parametrize(
    ("day", "printed"),
    [(25, (".318", ".832", ".959", ".990")), (15, (".622", ".907", ".977", ".994"))],
)
def test_the_chance_to_sell_by_the_end_of_the_game(day: int, printed: tuple[str, ...]) -> None:
    found = [f"{float(sold().chance(day, more)):.3f}"[1:] for more in range(4)]
    assert tuple(found) == printed


def test_how_often_a_month_has_a_buyer_and_a_deal() -> None:
    law = sold().landings
    printed = {0: ".246", 1: ".429", 2: ".257", 3: ".063", 4: ".005"}
    assert {n: f"{float(p):.3f}"[1:] for n, p in law.items()} == printed
    assert f"{float(sum(n * p for n, p in law.items())):.3f}" == "1.151"
    assert f"{float(sold().draws.mean):.3f}" == "1.127"
    assert law[0] == 1 - sold().month


def test_a_loan_bears_interest_at_least_once_and_again_after_each_month_without_a_sale() -> None:
    """Bought on day 25: sold this month with 343/1080, else next month with the month's chance."""
    unsold, full = 1 - F(343, 1080), 1 - sold().month
    assert sold().pay_days(25) == 1
    assert sold().pay_days(25, 1) == 1 + unsold
    assert sold().pay_days(25, 2) == 1 + unsold + unsold * full


# ------------------------------------------------------------------------------ bargains

# fmt: off
LAST_MONTH = {
    "tractor":                ("0.662", "0.804", +138, -9, -56, -482),
    "quick_food_franchise":   ("0.487", "0.588", +382, +235, +188, -238),
    "stamp_collection":       ("0.562", "0.696", +119, +56, +36, -147),
    "bottle_collection":      ("0.355", "0.427", +223, +166, +147, -20),
    "share_of_a_race_horse":  ("0.487", "0.588", +382, +235, +188, -238),
    "coin_collection":        ("0.542", "0.653", +197, +102, +72, -202),
    "used_sports_car":        ("0.650", "0.783", +133, +7, -34, -399),
    "two_acre_vacation_home": ("0.390", "0.470", +926, +664, +580, -181),
    "powerboat":              ("0.731", "0.881", +58, -151, -219, -827),
    "family_camper":          ("0.670", "0.808", +144, -24, -77, -564),
    "john_smiths_autograph":  ("0.355", "0.427", +223, +166, +147, -20),
    "diamond_ring":           ("0.569", "0.702", +115, +52, +32, -151),
    "unclaimed_furniture":    ("0.356", "0.456", +162, +120, +106, -15),
    "copper_pipe":            ("0.450", "0.542", +202, +134, +112, -86),
    "share_in_a_condo":       ("0.590", "0.710", +426, +164, +80, -681),
    "antique_automobile":     ("0.562", "0.696", +119, +56, +36, -147),
}
"""Four players, last month: least chance with cash and on a loan; gain on days 4, 12, 15, 25."""
# fmt: on


@pytest.mark.parametrize("card", LAST_MONTH)
def test_what_a_deal_is_worth_in_the_last_month(card: str) -> None:
    cash, loan, *gains = LAST_MONTH[card]
    rows = [table()[card, day] for day in (4, 12, 15, 25)]
    for row, gain in zip(rows, gains, strict=True):
        assert round(row.gain_cash) == gain
        # a half may be printed either way: the table rounds exact numbers
        assert abs(row.need_cash - F(cash)) <= F(1, 2000)
        assert abs(row.need_loan - F(loan)) <= F(1, 2000)
        assert row.gain_loan == row.gain_cash - F(row.loan, 5)


def test_when_a_deal_is_to_be_bought_in_the_last_month() -> None:
    """Day 4: all; day 12: not these three; day 15: nor the car; day 25: none."""
    three = {"tractor", "powerboat", "family_camper"}
    refused = {
        day: {row.card for row in table().rows if row.day == day and row.gain_cash <= 0}
        for day in (4, 12, 15, 25)
    }
    assert refused[4] == set()
    assert refused[12] == three
    assert refused[15] == three | {"used_sports_car"}
    assert len(refused[25]) == 16


@pytest.mark.parametrize("more", [1, 2])
def test_with_a_month_to_come_every_deal_is_worth_its_cash_on_any_day(more: int) -> None:
    assert all(row.gain_cash > 0 for row in table(more).rows)


def test_a_powerboat_on_a_loan_is_the_one_to_think_about() -> None:
    """P = .832 on day 25 with a month to come, and .881 would be needed."""
    row = table(1)["powerboat", 25]
    assert row.chance < row.need_loan
    assert row.gain_loan < 0 < row.gain_cash
    assert row.take == "cash only"
    assert table()["powerboat", 25].take == "refuse"
    assert table(1)["bottle_collection", 25].take == "buy"


def test_alone_one_wins_every_commission() -> None:
    """P8."""
    alone, four = table(players=1)["tractor", 4], table()["tractor", 4]
    assert alone.gain_cash - four.gain_cash == F(3, 4) * 95


@pytest.mark.parametrize(
    ("players", "tie"), [(1, F(0)), (2, F(1, 6)), (3, F(17, 72)), (4, F(11, 36))]
)
def test_the_highest_throw_for_a_commission_may_be_tied(players: int, tie: Fraction) -> None:
    """P8, Pa: by counting all throws as well."""
    assert commission_share(rules_of("payday"), players) == F(1, players)
    assert tie_chance(rules_of("payday"), players) == tie
    every = list(product(range(1, 7), repeat=players))
    assert F(sum(one.count(max(one)) > 1 for one in every), len(every)) == tie


# ------------------------------------------------------------------------ the deck as a queue


def test_an_attentive_player_knows_the_deck_after_sixteen_draws() -> None:
    """P7: refused cards go underneath and come again in the same order; held ones are out."""
    deck = Queue.of(rules_of("payday"))
    order = sorted(deck.unseen)
    assert set(deck.chances().values()) == {F(1, 16)}
    for card in order:
        deck = deck.drawn(card)
        if card != "tractor":  # bought
            deck = deck.under(card)
    assert deck.chances() == {order[0]: 1}
    assert "tractor" not in deck.known
    sold_again = deck.under("tractor")
    assert sold_again.known[-1] == "tractor"
    with pytest.raises(RulesError, match="cannot be the next card"):
        deck.drawn("tractor")
    with pytest.raises(RulesError, match="already"):
        sold_again.under("tractor")


# -------------------------------------------------------------------------------- refusals


def test_what_cannot_be_asked_is_refused() -> None:
    with pytest.raises(RulesError, match="Deal days are 4, 12, 15, 25"):
        sold().chance(5)
    with pytest.raises(RulesError, match="months to come"):
        sold().chance(4, -1)
    with pytest.raises(RulesError, match="number of players"):
        bargains(chain_of("payday"), players=0)
    with pytest.raises(RulesError, match="did you mean 'tractor'"):
        table()["trctor", 4]
    with pytest.raises(RulesError, match="no such day"):
        table()["tractor", 5]


def test_a_table_of_bargains_can_be_shown() -> None:
    assert list(table().frame().columns) == list(BARGAIN_COLUMNS)
    assert table().frame(exact=True)["chance"].iloc[0] == table().rows[0].chance
    assert "in the last month" in str(table())
    assert "with 1 more month to come" in repr(table(1))
    assert "&#x27;" in table()._repr_html_()  # John Smith's Autograph


# ------------------------------------------------------------------- one deal at a time

TINY = """
format = 1
title = "Tiny market"
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
id = "first"
kind = "deal"
landing = [{ draw = "deals" }]
[[squares]]
id = "second"
kind = "buyer"
landing = [{ note = "buyer" }]
[[squares]]
id = "pay"
stop = true
landing = [{ collect = 100, tag = "salary" }, { place = "start" }]
[[decks.deals.cards]]
id = "lamp"
deal = { cost = 100, value = 150, commission = 10 }
[[decks.deals.cards.effects]]
ask = "buy_deal"
otherwise = "refuse"
answers = { buy = [{ pay = 100 }, { keep = "lamp" }], refuse = [] }
"""


def tiny(tmp_path: Path, *, buyer_first: bool = False) -> Chain[Fraction]:
    text = TINY
    if buyer_first:
        deal = 'kind = "deal"\nlanding = [{ draw = "deals" }]'
        buyer = 'kind = "buyer"\nlanding = [{ note = "buyer" }]'
        text = text.replace(deal, "@").replace(buyer, deal).replace("@", buyer)
    file = tmp_path / "tiny.toml"
    file.write_text(text, encoding="utf-8")
    return chain(load(file))


def law(one: Wealth) -> dict[int, float]:
    return dict(zip(one.amounts.tolist(), one.chances.tolist(), strict=True))


def test_a_deal_that_is_sold_in_the_same_month(tmp_path: Path) -> None:
    """One salary of 100; each month 150 - 100 + 10; on a loan of 100 less 20 each month."""
    table = finance(tiny(tmp_path), plans=["deals_cash", "deals_loan", "deals_positive"])
    assert law(table["deals_cash"]) == law(table["deals_positive"]) == {220: 1.0}
    assert law(table["deals_loan"]) == {180: 1.0}


def test_a_commission_is_won_by_one_of_two(tmp_path: Path) -> None:
    """100 and twice 50, and each commission of 10 with 1/2."""
    found = finance(tiny(tmp_path), plans=["deals_cash"], players=2)["deals_cash"]
    assert law(found) == {200: 0.25, 210: 0.5, 220: 0.25}


def test_a_deal_that_is_sold_a_month_later_or_never(tmp_path: Path) -> None:
    """The buyer comes before the deal: bought, sold a month later, bought again, lost.

    100 - 90 + 150 - 90 = 70; on loans a further 20 on the first Pay Day, and on the second 20 for
    the old loan and 20 for the new one.  At best the second deal is refused.
    """
    walk = tiny(tmp_path, buyer_first=True)
    table = finance(walk, plans=["deals_cash", "deals_loan", "deals_positive"])
    assert law(table["deals_cash"]) == {70: 1.0}
    assert law(table["deals_loan"]) == {10: 1.0}
    assert law(table["deals_positive"]) == {160: 1.0}
    on_loans = best_trade(walk, loan=True)
    assert on_loans.value == 120
    assert type(on_loans.value) is Fraction
    assert best_trade(walk).value == 160
    offers = [Offer(m, 2, 2, "lamp", Deal(100, 150, 10)) for m in (1, 2)]
    assert [on_loans.takes(offer) for offer in offers] == [True, False]


@lru_cache(maxsize=4)
def trade(months: int, players: int = 4) -> Trade:
    return Trade(chain_of("payday"), months, players)


def test_who_refuses_every_deal_has_independent_months() -> None:
    refuse = TradePlan("refuse", "buy nothing", lambda _: False)
    found, one = trade(3).wealth(refuse), month(chain_of("payday"))
    assert found.mean == pytest.approx(3 * 325 + 3 * float(one.mean), rel=1e-11)
    assert found.sd == pytest.approx(sqrt(3) * one.sd, rel=1e-11)


@pytest.mark.parametrize("loan", [False, True])
def test_the_best_deals_bring_what_they_promise_and_more_than_any_named_plan(loan: bool) -> None:
    found = trade(3).best(loan=loan)
    law = trade(3).wealth(found.plan)
    assert law.mean == pytest.approx(float(found.value), rel=1e-11)
    assert abs(law.missing) < 1e-12
    names = ["deals_loan"] if loan else ["deals_cash", "deals_positive"]
    assert all(more > -1e-8 for more in found.against(names).values())


def test_in_the_last_month_no_deal_is_bought_on_day_25_and_the_best_ones_early() -> None:
    """Where nothing can be drawn after it, the gain is that of the deal alone."""
    gains = trade(1).best().gains
    alone = {row.card: row.gain_cash for row in table().rows if row.day == 25}
    assert {card: gains[1, 25, card] for card in alone} == alone
    assert all(gains[1, 25, card] < 0 for card in alone)
    assert gains[1, 4, "two_acre_vacation_home"] > 0


def test_every_month_is_offered_in_the_decision_table() -> None:
    found = trade(3).best()
    frame = found.frame()
    assert list(frame.columns)[:3] == ["deal", "month 1 day 4", "month 1 day 12"]
    assert len(frame) == 16
    assert "+ buy, · refuse" in str(found)
    assert "the cash is always there" in found._repr_html_()
    assert found.frame(exact=True).iloc[0, 1] == found.gains[1, 4, "tractor"]


class Market:
    """Months of many tokens at once with one deal at a time, row by row of the chain."""

    def __init__(self, walk: Chain[Any], seed: int) -> None:
        self.random, self.cards = np.random.default_rng(seed), list(deals(walk.rules))
        price, width = flow(walk.rules), max(map(len, walk.branches))
        size = len(walk.states), width
        self.cumulative, self.end = np.ones(size), np.zeros(size, dtype=np.int64)
        self.money, self.ticket = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
        self.notes = {name: np.zeros(size, dtype=bool) for name in ("buyer", "lottery_draw")}
        self.over, self.deal = np.zeros(size, dtype=bool), np.full(size, -1)
        for i, branches in enumerate(walk.branches):
            chances = np.cumsum([float(branch.chance) for branch in branches])
            self.cumulative[i, : len(branches) - 1] = chances[:-1]
            for b, branch in enumerate(branches):
                self.end[i, b], self.money[i, b] = branch.end, sum(map(price, branch.events))
                self.over[i, b] = any(map(laps, branch.events))
                for event in branch.events:
                    if isinstance(event, Kept):
                        self.ticket[i, b] = event.prize
                    if isinstance(event, Noted) and event.name in self.notes:
                        self.notes[event.name][i, b] = True
                    if isinstance(event, Drew) and event.card in self.cards:
                        self.deal[i, b] = self.cards.index(event.card)

    def play(self, games: int, months: int, players: int, *, loan: bool) -> Any:
        """Final wealth if every deal is bought."""
        every = [deals(rules_of("payday"))[card] for card in self.cards]
        cost = np.array([one.cost for one in every] + [0])
        value = np.array([one.value for one in every] + [0])
        fee = np.array([one.commission for one in every] + [0])
        interest = -(-cost // 100) * 20 if loan else 0 * cost
        wealth, held = np.full(games, 325 * months), np.full(games, -1)
        for _ in range(months):
            wealth -= interest[held]
            state, tickets = np.zeros(games, dtype=np.int64), np.zeros(games, dtype=np.int64)
            going = np.arange(games)
            while len(going):
                at = state[going]
                row = (self.random.random(len(going))[:, None] >= self.cumulative[at]).sum(axis=1)
                wealth[going] += self.money[at, row]
                drawn = self.notes["lottery_draw"][at, row]
                wealth[going] += np.where(drawn, tickets[going], 0)
                tickets[going] = np.where(drawn, 0, tickets[going]) + self.ticket[at, row]
                buyer = self.notes["buyer"][at, row]
                wealth[going] += np.where(buyer, value[held[going]], 0)
                held[going] = np.where(buyer, -1, held[going])
                new = np.where(held[going] < 0, self.deal[at, row], -1)
                wins = self.random.integers(0, players, len(going)) == 0
                wealth[going] += np.where(wins, fee[new], 0) - cost[new] - interest[new]
                held[going] = np.where(new >= 0, new, held[going])
                state[going] = self.end[at, row]
                going = going[~self.over[at, row]]
        return wealth


@pytest.mark.parametrize("loan", [False, True])
def test_laws_of_deals_agree_with_a_hundred_thousand_games(loan: bool) -> None:
    """Mean, variance and ten quantiles; false alarm one in a million for each way to pay."""
    found = trade(3).wealth(trade_plan(trade(3), "deals_loan" if loan else "deals_cash"))
    sample = Market(chain_of("payday"), seed=7 + loan).play(100_000, 3, 4, loan=loan)
    away = found.amounts - found.mean
    fourth = float(away**4 @ found.chances)
    z = {
        "mean": (sample.mean() - found.mean) / (found.sd / sqrt(len(sample))),
        "variance": (((sample - found.mean) ** 2).mean() - found.sd**2)
        / sqrt((fourth - found.sd**4) / len(sample)),
    }
    for share in QUANTILES:
        at = found.quantile(share)
        exact = float(found.chances[found.amounts <= at].sum())
        seen = float((sample <= at).mean())
        z[str(share)] = (seen - exact) / sqrt(exact * (1 - exact) / len(sample))
    assert max(map(abs, z.values())) < norm.isf(1e-6 / (2 * 12)), z


def test_all_named_plans_stand_in_one_table_and_tell_what_is_simplified() -> None:
    found = finance(chain_of("payday"), months=1, players=4)
    names = ["hold", "repay", "save", "insure", "deals_cash", "deals_loan", "deals_positive"]
    assert [row.plan.name for row in found.rows] == names
    assert found.frame()["plan"].tolist() == names
    assert "4 players" in str(found)
    assert "deals_cash, deals_loan, deals_positive: deals one at a time" in str(found)
    assert "hold, repay, save, insure: no deals" in str(found)
    assert "\ninsure: the price of insurance is counted on Pay Day" in str(found)


def test_deals_that_cannot_be_compared_are_refused() -> None:
    with pytest.raises(RulesError, match="at most 12 months"):
        best_trade(chain_of("payday"), months=13)
    with pytest.raises(RulesError, match="no deals in this game"):
        selling(chain_of("corner_shop"))
    with pytest.raises(RulesError, match="did you mean 'deals_cash'"):
        trade_plan(trade(1), "deal_cash")
