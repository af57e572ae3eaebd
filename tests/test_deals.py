"""Deals: chances to sell, expected gains, commissions, and the deck as a queue.

Reference figures were worked out outside this package; rules are cited as in `RULES.md`.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import product

import pytest
from conftest import chain_of, rules_of

from boardrules.finance.deals import (
    BARGAIN_COLUMNS,
    Bargains,
    Queue,
    Selling,
    bargains,
    commission_share,
    selling,
    tie_chance,
)
from boardrules.rules import RulesError

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
