"""Money now against rent later: houses, mortgages, bids."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

import pytest
from conftest import chain_of, rules_of

from boardrules import Rules, RulesError, leave, load
from boardrules.rents import RentTable, rent
from boardrules.rents.deeds import deeds
from boardrules.rents.invest import best_plan, fair_bids, mortgages, next_steps, rounded

ORANGE = ("st_james", "tennessee", "new_york")


@lru_cache
def table() -> RentTable[Fraction]:
    return rent(chain_of("monopoly", policy=leave), per="turn")


def orange(*built: Any) -> dict[str, Any]:
    return dict(zip(ORANGE, built, strict=True))


# --------------------------------------------------------------------------------- building


def test_the_best_next_house_on_orange_stands_on_new_york() -> None:
    found = next_steps(chain_of("monopoly"), hand=orange("set", "set", "set"))
    assert [step.id for step in found.rows] == ["new_york", "tennessee", "st_james"]
    best = found.rows[0]
    assert (best.level, best.cost) == ("1", 100)
    assert best.gain == table()["new_york", 1].mean - table()["new_york", "set"].mean
    assert best.payback == 100 / best.gain
    assert best.per_100 == best.gain


def test_houses_are_built_evenly_and_only_on_whole_groups() -> None:
    found = next_steps(chain_of("monopoly"), hand=orange(1, 1, 2))
    assert {(step.id, step.level) for step in found.rows} == {("st_james", "2"), ("tennessee", "2")}
    assert not next_steps(chain_of("monopoly"), hand={"st_james": "deed", "new_york": "deed"}).rows
    alone = next_steps(chain_of("monopoly", "house/build_without_set"), hand={"new_york": "deed"})
    assert [step.level for step in alone.rows] == ["1"]
    # from the single rent of 16 to one house at 80
    assert alone.rows[0].gain == 64 * table()["new_york", "deed"].mean / 16


def test_a_step_needs_money_and_a_house_in_the_bank() -> None:
    walk = chain_of("monopoly")
    hand = {**orange(4, 4, 4), "park_place": "set", "boardwalk": "set"}
    assert len(next_steps(walk, hand=hand).rows) == 5
    assert {step.cost for step in next_steps(walk, hand=hand, budget=150).rows} == {100}
    assert {step.level for step in next_steps(walk, hand=hand, houses=0).rows} == {"hotel"}
    assert {step.level for step in next_steps(walk, hand=hand, hotels=0).rows} == {"1"}
    assert not next_steps(walk, hand=orange("hotel", "hotel", "hotel")).rows


def test_more_opponents_shorten_the_payback_of_a_step() -> None:
    one = next_steps(chain_of("monopoly"), hand=orange(2, 2, 2)).rows[0]
    five = next_steps(chain_of("monopoly"), hand=orange(2, 2, 2), opponents=5).rows[0]
    assert one.payback == 5 * (five.payback or 0)
    assert one.gain == five.gain


def test_the_best_plan_is_the_best_of_all_plans() -> None:
    """Every even way to build orange and dark blue for 1000, tried one by one."""
    plan = best_plan(
        chain_of("monopoly"),
        hand={**orange("set", "set", "set"), "park_place": "set", "boardwalk": "set"},
        budget=1000,
    )
    names = ["set", "1", "2", "3", "4", "hotel"]
    best = Fraction(0)
    for built in product(range(6), repeat=5):
        if max(built[:3]) - min(built[:3]) > 1 or abs(built[3] - built[4]) > 1:
            continue
        if 100 * sum(built[:3]) + 200 * sum(built[3:]) > 1000:
            continue
        gain = sum(
            (
                table()[name, names[k]].mean - table()[name, "set"].mean
                for name, k in zip((*ORANGE, "park_place", "boardwalk"), built, strict=True)
            ),
            Fraction(0),
        )
        best = max(best, gain)
    assert plan.gain == best
    assert plan.cost <= 1000


def test_with_few_turns_left_nothing_is_built() -> None:
    walk = chain_of("monopoly")
    hand = orange("set", "set", "set")
    assert best_plan(walk, hand=hand, budget=5000, turns_left=0).levels == {}
    soon = best_plan(walk, hand=hand, budget=5000, turns_left=1)
    assert (soon.levels, soon.net) == ({}, 0)
    late = best_plan(walk, hand=hand, budget=5000, turns_left=100)
    assert late.levels == dict.fromkeys(ORANGE, "hotel")
    assert late.net == 100 * late.gain - 1500


def test_hotels_need_four_houses_on_the_way() -> None:
    """From three houses each, three more houses are needed before the first hotel stands."""
    walk = chain_of("monopoly")
    hand = orange(3, 3, 3)
    assert best_plan(walk, hand=hand, budget=600, houses=2).levels == {
        "tennessee": "4",
        "new_york": "4",
    }
    hotels = best_plan(walk, hand=hand, budget=600, houses=3)
    assert hotels.levels == dict.fromkeys(ORANGE, "hotel")
    assert best_plan(walk, hand=hand, budget=600, houses=3, hotels=1).levels == {
        "st_james": "4",
        "tennessee": "4",
        "new_york": "hotel",
    }


def test_houses_that_one_group_gives_back_serve_another() -> None:
    """Orange becomes hotels first, and its twelve houses go to dark blue."""
    hand = {**orange(4, 4, 4), "park_place": "set", "boardwalk": "set"}
    plan = best_plan(chain_of("monopoly"), hand=hand, budget=1500, houses=0)
    assert plan.levels == {**dict.fromkeys(ORANGE, "hotel"), "park_place": "3", "boardwalk": "3"}


def test_easy_money_builds_one_street_at_a_time() -> None:
    walk = chain_of("easy_money")
    found = next_steps(walk, hand={"street_v": 1, "street_a": 4, "telephone_co": 1})
    assert [(step.id, step.level, step.cost) for step in found.rows] == [
        ("street_a", "5", 60),
        ("street_v", "2", 170),
    ]
    plan = best_plan(walk, hand={"street_v": 1, "street_a": 1}, budget=600)
    assert plan.cost <= 600
    assert set(plan.levels) <= {"street_v", "street_a"}


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"budget": -1}, "budget"),
        ({"budget": 100, "turns_left": -1}, "whole number of turns"),
        ({"budget": 100, "houses": -1}, "houses"),
        ({"budget": 100, "hand": {"reading": "hotel"}}, "nobody builds here"),
        ({"budget": 100, "hand": {}}, "empty hand"),
    ],
)
def test_a_plan_that_cannot_be_made_is_a_clear_error(more: dict[str, Any], says: str) -> None:
    with pytest.raises(RulesError, match=says):
        best_plan(chain_of("monopoly"), **{"hand": orange("set", "set", "set"), **more})


# -------------------------------------------------------------------------------- mortgages


def test_a_mortgage_brings_half_the_price_and_ten_percent_is_paid_to_lift_it() -> None:
    """75 + 7.5, rounded up; the rent lost is that of the deed."""
    hand = {"boardwalk": "deed", "electric_company": 1, "reading": 2}
    found = mortgages(chain_of("monopoly"), hand=hand, turns_left=20)
    rows = {row.id: row for row in found.rows}
    boardwalk, electric = rows["boardwalk"], rows["electric_company"]
    assert (boardwalk.cash, boardwalk.to_lift, boardwalk.on_transfer) == (200, 220, 20)
    assert (electric.cash, electric.to_lift, electric.on_transfer) == (75, 83, 8)
    assert boardwalk.lost == table()["boardwalk", "deed"].mean
    assert boardwalk.break_even == 200 / boardwalk.lost
    assert boardwalk.cost == 20 * boardwalk.lost + 20
    assert boardwalk.per_100 == boardwalk.cost / 2
    assert [row.per_100 for row in found.rows] == sorted(row.per_100 for row in found.rows)
    assert found.rows[0].id == "boardwalk"
    assert rows["reading"].lost == table()["reading", 2].mean


def test_houses_of_the_whole_group_are_sold_before_a_mortgage() -> None:
    """Nine houses at half of 100; the others fall back to the double rent of the set."""
    row = mortgages(chain_of("monopoly"), hand=orange(3, 3, 3)).rows[0]
    assert (row.sold, row.cash) == (450, 450 + {"new_york": 100}.get(row.id, 90))
    before = sum(table()[name, 3].mean for name in ORANGE)
    after = sum(table()[name, "set"].mean for name in ORANGE if name != row.id)
    assert row.lost == before - after


def test_in_easy_money_houses_stay_and_utilities_are_never_mortgaged() -> None:
    walk = chain_of("easy_money")
    found = mortgages(walk, hand={"street_a": 3, "waldorf_hotel": 1, "telephone_co": 1})
    rows = {row.id: row for row in found.rows}
    assert set(rows) == {"street_a", "waldorf_hotel"}
    assert (rows["street_a"].cash, rows["street_a"].sold, rows["street_a"].to_lift) == (140, 0, 154)
    assert rows["street_a"].on_transfer == 0
    with pytest.raises(RulesError, match="none of these deeds"):
        mortgages(walk, hand={"telephone_co": 1})


def test_interest_is_rounded_by_the_rule_of_the_game() -> None:
    up = rules_of("easy_money")
    nearest = up.but({"mortgage.rounding": "nearest"})
    amount = Fraction(72, 10)
    assert (rounded(up, amount), rounded(nearest, amount)) == (8, 7)
    assert (rounded(up, 7), rounded(nearest, Fraction(15, 2))) == (7, 8)


# ------------------------------------------------------------------------------------- bids


@lru_cache
def plain() -> Rules:
    return load("easy_money", "readings/no_go_to_cards")


def test_without_go_to_cards_a_bid_is_rent_times_turns_over_48() -> None:
    """Street V: 85 a visit, or 680 with four more houses at 170; mortgage value 360 at the end."""
    found = fair_bids(plain(), turns_left=30, opponents=3)
    rows = {row.id: row for row in found.rows}
    street = rows["street_v"]
    assert street.rent == Fraction(85, 48)
    assert street.first == 90 * Fraction(85, 48) + 360
    assert (street.level, street.best) == ("5", 90 * Fraction(680, 48) - 4 * 170 + 360)
    theatre = rows["majestic_theatre"]
    assert theatre.first == theatre.best == 90 * Fraction(100, 48) + 300
    utility = rows["telephone_co"]
    assert utility.best == 90 * Fraction(50, 48)  # counts for what was paid, not for a mortgage
    assert found.rows[0].id == "street_v"


def test_a_discount_weighs_later_turns_less() -> None:
    found = fair_bids(plain(), turns_left=2, opponents=1, discount="1/2", final_count=False)
    street = {row.id: row for row in found.rows}["street_v"]
    assert street.first == Fraction(85, 48) * Fraction(3, 4)


def test_from_the_start_a_bid_knows_which_spaces_come_first() -> None:
    """In the first turn space 6 has 5/36, space 47 nothing."""
    found = fair_bids(plain(), turns_left=1, start="start", final_count=False)
    rows = {row.id: row for row in found.rows}
    assert rows["street_c"].first == 35 * Fraction(5, 36)
    assert rows["street_v"].first == 0
    hotel = fair_bids(plain(), turns_left=1, start="street_f", final_count=False)
    # eight spaces on: five ways in 36, and ten times eight
    assert {row.id: row for row in hotel.rows}["waldorf_hotel"].first == 80 * Fraction(5, 36)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"turns_left": -1}, "whole number of turns"),
        ({"turns_left": 5, "discount": 0}, "discount"),
        ({"turns_left": 5, "discount": "2"}, "discount"),
        ({"turns_left": 5, "opponents": 21}, "opponents"),
    ],
)
def test_a_bid_that_cannot_be_told_is_a_clear_error(more: dict[str, Any], says: str) -> None:
    with pytest.raises(RulesError, match=says):
        fair_bids(plain(), **more)


def test_every_view_says_what_it_rests_on() -> None:
    for one in (
        fair_bids("easy_money", turns_left=5, opponents=3),
        mortgages(chain_of("easy_money"), hand={"street_a": 1}, opponents=3),
        next_steps(chain_of("easy_money"), hand={"street_a": 1}, opponents=3),
    ):
        for text in (str(one), repr(one), one._repr_html_()):
            assert "llustrative" in text
        assert "Street A" in str(one)
        assert len(one.frame()) == len(one.rows)
        assert list(one.frame().columns) == list(one.columns)
    assert len(fair_bids(plain(), turns_left=1).rows) == len(deeds(plain()))
