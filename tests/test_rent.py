"""What deeds earn: numbers worked out elsewhere, small boards by hand, and dice in place of chains.

The Monopoly figures come from a program of its own (123 states, cards by hand).  Readings: S pays
before the first roll in jail, LO is the printed rule (try for doubles three times).
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from conftest import chain_of, rules_of

from boardrules import Rules, RulesError, chain, landing, lands_on, leave, load, rolls, stay, turns
from boardrules.chain import Chain
from boardrules.effects import DICE
from boardrules.events import Event, Landed
from boardrules.measure import per_each, rates
from boardrules.play import fair
from boardrules.rents import COLUMNS, RentTable, rent
from boardrules.rents.deeds import (
    Charge,
    Hand,
    Terms,
    charge_at,
    deeds,
    levels,
    oddities,
    settled,
    step_at,
)
from boardrules.rents.groups import GroupTable, groups, how_far
from boardrules.rents.takings import condensed, takings
from boardrules.rents.till import moments_after, turn_starts
from boardrules.turn import step

POLICIES = {"S": leave, "LO": stay}


@lru_cache(maxsize=32)
def table_of(reading: str, per: str = "roll", terms: Terms | None = None) -> RentTable[Fraction]:
    return rent(chain_of("monopoly", policy=POLICIES[reading]), per=per, terms=terms)


@lru_cache(maxsize=32)
def groups_of(reading: str, per: str = "roll", opponents: int = 1) -> GroupTable[Fraction]:
    walk = chain_of("monopoly", policy=POLICIES[reading])
    return groups(walk, per=per, opponents=opponents)


def reference(name: str) -> list[dict[str, str]]:
    file = Path(__file__).parent / "reference" / f"monopoly_5_4_{name}.csv"
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def rounded(value: Any, like: str) -> str:
    """An exact number with as many decimals as a printed one; no float on the way."""
    assert type(value) is Fraction, f"not exact: {value!r}"
    places = len(like.partition(".")[2])
    digits = f"{round(abs(value) * 10**places):0{places + 1}d}"
    whole, part = digits[: len(digits) - places], digits[len(digits) - places :]
    return f"{'-' if value < 0 else ''}{whole}.{part}" if places else digits


def ring(count: int, faces: Mapping[str, int], deed: Mapping[str, Any], **more: Any) -> Rules:
    """A ring of squares, the last of which is for sale, and one die."""
    squares: list[dict[str, Any]] = [{"id": f"s{k}"} for k in range(count)]
    squares[-1] = {"id": "shop", "deed": deed}
    return load(
        {
            "format": 1,
            "title": "Ring",
            "grade": "user",
            "dice": {"count": 1, "faces": dict(faces)},
            "start": {"square": "s0"},
            "lap": {"square": "s0"},
            "squares": squares,
            **more,
        }
    )


COIN = {"1": 1, "2": 1}
TEN = {"kind": "street", "price": 30, "rent": [10]}


# ------------------------------------------------------------- Monopoly, digit for digit


@pytest.mark.parametrize("reading", ["S", "LO"])
@pytest.mark.parametrize("row", reference("streets"), ids=lambda row: row["name"])
def test_a_street_earns_what_was_computed_elsewhere(row: dict[str, str], reading: str) -> None:
    name = by_name(row["name"])
    for level in ("deed", "set", "1", "2", "3", "4", "hotel"):
        printed = row[f"{reading}_{level}"]
        assert rounded(table_of(reading)[name, level].mean, printed) == printed


@pytest.mark.parametrize("reading", ["S", "LO"])
@pytest.mark.parametrize("row", reference("payback"), ids=lambda row: row["name"])
def test_a_step_pays_back_in_the_number_of_rolls_computed_elsewhere(
    row: dict[str, str], reading: str
) -> None:
    name = by_name(row["name"])
    for level in ("deed", "1", "2", "3", "4", "hotel"):
        printed = row[f"{reading}_{level}"]
        assert rounded(table_of(reading)[name, level].payback, printed) == printed


@pytest.mark.parametrize("reading", ["S", "LO"])
@pytest.mark.parametrize("row", reference("railroads"), ids=lambda row: row["name"])
def test_a_railroad_earns_double_when_a_card_leads_there(row: dict[str, str], reading: str) -> None:
    name = by_name(row["name"])
    for owned in ("1", "2", "3", "4"):
        printed = row[f"{reading}_{owned}"]
        assert rounded(table_of(reading)[name, owned].mean, printed) == printed
    walk = chain_of("monopoly", policy=POLICIES[reading])
    found = rates(walk, lands_on(name), {"card": doubled_at(name)})
    printed = row[f"{reading}_card_share"]
    assert rounded(100 * found["card"], printed) == printed


def doubled_at(square: str) -> Any:
    def price(event: Event) -> int:
        return int(isinstance(event, Landed) and event.square == square and event.rent == 2)

    return price


THROWS = {
    "moved": None,
    "fresh": Terms(utility_throw="fresh"),
    "card_moved": Terms(card_throw="moved"),
}


@pytest.mark.parametrize("throw", THROWS)
@pytest.mark.parametrize("row", reference("utilities"), ids=lambda r: f"{r['name']} {r['reading']}")
def test_a_utility_earns_by_the_throw_of_each_reading(row: dict[str, str], throw: str) -> None:
    table = table_of(row["reading"], terms=THROWS[throw])
    for owned in ("1", "2"):
        printed = row[f"{throw}_{owned}"]
        assert rounded(table[by_name(row["name"]), owned].mean, printed) == printed


@pytest.mark.parametrize("row", reference("utilities"), ids=lambda r: f"{r['name']} {r['reading']}")
def test_the_dice_that_lead_to_a_utility_have_a_mean_of_their_own(row: dict[str, str]) -> None:
    name = by_name(row["name"])
    walk = chain_of("monopoly", policy=POLICIES[row["reading"]])

    def by_dice(event: Event) -> int:
        return int(isinstance(event, Landed) and event.square == name and event.by == DICE)

    def pips(event: Event) -> int:
        return event.pips if by_dice(event) and isinstance(event, Landed) else 0

    printed = row["mean_throw"]
    assert rounded(rates(walk, by_dice, {"pips": pips})["pips"], printed) == printed


@pytest.mark.parametrize("reading", ["S", "LO"])
@pytest.mark.parametrize("row", reference("groups"), ids=lambda row: row["group"])
def test_a_group_earns_what_was_computed_elsewhere(row: dict[str, str], reading: str) -> None:
    group = row["group"].replace(" ", "_")
    table = groups_of(reading)
    for level in ("3", "hotel"):
        mean, per_100 = row[f"{reading}_{level}"], row[f"{reading}_per_100_{level}"]
        assert rounded(table[group, level].mean, mean) == mean
        assert rounded(table[group, level].per_100, per_100) == per_100
    hits = row[f"{reading}_hits"]
    assert rounded(100 * table[group, 3].landings, hits) == hits
    assert table[group, 3].deeds == int(row["deeds"])
    step = (table[group, 3].invested or 0) - (table[group, 2].invested or 0)
    assert step == int(row["one_level"])


def test_boardwalk_earns_more_per_turn_than_the_share_of_turns_that_end_there() -> None:
    """The common mistake: 47.42 instead of 57.97 dollars per turn of an opponent."""
    assert rounded(table_of("LO")["boardwalk", "hotel"].mean, "49.72") == "49.72"
    assert rounded(table_of("LO", "turn")["boardwalk", "hotel"].mean, "57.97") == "57.97"
    ends = landing(chain_of("monopoly", policy=stay), per="turn")["boardwalk"]
    assert rounded(2000 * ends, "47.42") == "47.42"


def test_what_a_deed_earns_per_roll_and_per_turn_differs_by_the_rolls_of_a_turn() -> None:
    walk = chain_of("monopoly", policy=leave)
    per_turn = rates(walk, turns, {"rolls": rolls})["rolls"]
    assert rounded(per_turn, "1.1866239585") == "1.1866239585"
    for row, other in zip(table_of("S").rows, table_of("S", "turn").rows, strict=True):
        assert row.mean * per_turn == other.mean


@lru_cache
def _names() -> dict[str, str]:
    return {square.name: square.id for square in rules_of("monopoly").squares}


def by_name(name: str) -> str:
    return _names()[name]


# -------------------------------------------------------------------- deeds are checked data


def test_the_deeds_of_monopoly_add_up_to_the_known_sums(monopoly: Rules) -> None:
    owned = [square.deed for square in deeds(monopoly) if square.deed]
    streets = [deed for deed in owned if deed.kind == "street"]
    assert len(owned) == 28
    assert len(streets) == 22
    assert sum(deed.price or 0 for deed in owned) == 5690
    assert sum(deed.rent[0] for deed in streets) == 391
    assert 391 + 4 * 25 + 2 * 4 * 7 == 547
    assert sum(deed.rent[5] for deed in streets) == 21850
    assert sum(5 * (deed.house or 0) for deed in streets) == 13750
    assert all(2 * (deed.mortgage or 0) == deed.price for deed in owned)


@pytest.mark.parametrize("game", ["monopoly", "easy_money", "corner_shop"])
def test_rents_increase_with_the_level(game: str) -> None:
    rules = rules_of(game)
    for square in deeds(rules):
        for lower, higher in pairwise(levels(rules, square.id)):
            assert (lower.rent, lower.times) < (higher.rent, higher.times), square.id


def test_no_deed_of_the_shelf_looks_odd_and_a_slip_does() -> None:
    for game in ("monopoly", "easy_money", "corner_shop", "payday"):
        assert oddities(rules_of(game)) == ()
    slips = {
        "squares.boardwalk.deed.rent": [50, 200, 600, 140, 1700, 2000],
        "squares.reading.deed.mortgage": 1000,
        "squares.water_works.deed.times_throw": [4, 4],
    }
    texts = [problem.text for problem in oddities(rules_of("monopoly").but(slips))]
    assert texts == [
        "mortgage 1000 exceeds price 200",
        "rent does not increase from level 1 to 2",
        "rent does not increase from level 2 to 3",
    ]


def test_easy_money_streets_follow_the_formulas_of_the_invented_board(easy_money: Rules) -> None:
    """M = 2 B + 20, first rent B / 2, rents times 1, 2, 4, 6, 8."""
    for square in deeds(easy_money):
        deed = square.deed
        if deed is None or deed.kind != "street":
            continue
        assert deed.house is not None
        assert deed.mortgage == 2 * deed.house + 20
        first = deed.house // 2
        assert deed.rent == (first, 2 * first, 4 * first, 6 * first, 8 * first)


def test_the_levels_of_a_deed_are_those_of_the_table(monopoly: Rules, easy_money: Rules) -> None:
    def names(rules: Rules, square: str) -> list[str]:
        return [level.name for level in levels(rules, square)]

    assert names(monopoly, "boardwalk") == ["deed", "set", "1", "2", "3", "4", "hotel"]
    assert names(monopoly, "reading") == ["1", "2", "3", "4"]
    assert names(monopoly, "water_works") == ["1", "2"]
    assert names(easy_money, "street_a") == ["1", "2", "3", "4", "5"]
    assert names(easy_money, "majestic_theatre") == ["1"]


def test_a_hotel_costs_one_more_house_and_the_deed_its_price(monopoly: Rules) -> None:
    assert [one.cost for one in levels(monopoly, "boardwalk")] == [400, 0, 200, 200, 200, 200, 200]
    row = table_of("S")["boardwalk", 5]
    assert (row.level, row.cost, row.invested) == ("hotel", 200, 400 + 5 * 200)
    assert table_of("S")["boardwalk", "3"].invested == 1000


@pytest.mark.parametrize(
    ("square", "level", "says"),
    [
        ("reading", "hotel", "nobody builds here"),
        ("water_works", 3, "its levels are 1, 2"),
        ("boardwalk", 6, "its levels are deed, set, 1, 2, 3, 4, hotel"),
        ("boardwalk", True, "no level 'True'"),
        ("bordwalk", 1, "did you mean 'boardwalk'?"),
        ("go", 1, "no deed, nobody can own it"),
    ],
)
def test_a_level_that_cannot_be_is_a_clear_error(
    monopoly: Rules, square: str, level: Any, says: str
) -> None:
    with pytest.raises(RulesError) as error:
        charge_at(monopoly, square, level)
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"level": 7}, "the levels of this game are"),
        ({"per": "rool"}, "did you mean 'roll'?"),
        ({"per": "visit"}, "no such unit 'visit'"),
        ({"opponents": 0}, "1 to 20"),
        ({"opponents": True}, "1 to 20"),
        ({"terms": Terms(owner_notices=2)}, "chance from 0 to 1"),
        ({"terms": Terms(owner_in_jail="often")}, "chance from 0 to 1"),
        ({"terms": Terms(utility_throw="moves")}, "did you mean 'moved'?"),  # type: ignore[arg-type]
        ({"paid": {"bordwalk": 10}}, "did you mean 'boardwalk'?"),
        ({"paid": {"boardwalk": -10}}, "whole number"),
    ],
)
def test_a_question_that_cannot_be_asked_is_a_clear_error(
    monopoly: Rules, more: dict[str, Any], says: str
) -> None:
    with pytest.raises(RulesError) as error:
        rent(monopoly, number=float, **more)
    assert says in str(error.value)


def test_a_game_without_deeds_earns_nothing_and_says_so(payday: Rules) -> None:
    with pytest.raises(RulesError, match="no deeds"):
        rent(payday)
    with pytest.raises(RulesError, match="group"):
        groups("easy_money")


# ------------------------------------------------------------------------- worked by hand


class TestOneShopOnARingOfTwo:
    """A coin moves the token one or two steps: half of all rolls end on the shop, all alike."""

    def test_a_rent_of_ten(self) -> None:
        row = rent(ring(2, COIN, TEN)).rows[0]
        # 10 with chance 1/2: mean 5, variance 100/2 - 25; rolls tell nothing about one another
        assert (row.mean, row.variance, row.variance_one) == (5, 25, 25)
        assert (row.cost, row.payback) == (30, 6)
        # three landings at one in two
        assert row.turns_to_recover == pytest.approx(6, rel=1e-12)

    def test_an_owner_who_notices_every_second_time(self) -> None:
        row = rent(ring(2, COIN, TEN), terms=Terms(owner_notices="1/2")).rows[0]
        # 10 with chance 1/4: mean 5/2, variance 100/4 - 25/4
        assert (row.mean, row.variance, row.variance_one) == (
            Fraction(5, 2),
            Fraction(75, 4),
            Fraction(75, 4),
        )
        assert row.turns_to_recover == pytest.approx(12, rel=1e-12)

    def test_a_fresh_throw_adds_its_own_variance(self) -> None:
        deed = {"kind": "utility", "price": 30, "times_throw": [4]}
        rules = ring(2, COIN, deed, rent={"utility_throw": "fresh"})
        row = rent(rules).rows[0]
        # 4 or 8 with chance 1/4 each: mean 3, second moment (16 + 64)/4 = 20
        assert (row.mean, row.variance, row.variance_one) == (3, 11, 11)

    def test_the_throw_that_moved_ties_rolls_together(self) -> None:
        deed = {"kind": "utility", "price": 30, "times_throw": [4]}
        row = rent(ring(2, COIN, deed, rent={"utility_throw": "moved"})).rows[0]
        # the same law, but a token on the shop comes back by a two only: it pays 8 or nothing,
        # mean 4 against 2 from the other square; so Cov(now, next) = 3 * 4 - 9 = 3, and 11 + 2 * 3
        assert (row.mean, row.variance, row.variance_one) == (3, 17, 11)

    def test_with_a_deed_on_each_square_the_group_is_safe(self) -> None:
        squares = [
            {"id": "s0", "deed": {"kind": "street", "group": "all", "price": 1, "rent": [4, 6]}},
            {
                "id": "shop",
                "deed": {"kind": "street", "group": "all", "price": 1, "rent": [10, 16]},
            },
        ]
        rules = ring(2, COIN, TEN, squares=squares, rent={"set_multiplier": 2})
        row = groups(rules)["all", "set"]
        # 8 or 20 by turns of a fair coin: mean 14, variances 16 and 100, covariance -8 * 20 / 4
        assert row.mean == 14
        assert row.covariances == ((16, -40), (-40, 100))
        assert (row.variance, row.variance_one, row.landings) == (36, 36, 1)
        assert row.correlations == ((1, -1), (-1, 1))


class TestOneShopOnARingOfThree:
    """One step a roll: the shop is reached every third roll, and nothing is left to chance."""

    RULES = ring(3, {"1": 1}, TEN)

    def test_in_the_long_run_nothing_varies_but_a_single_roll_does(self) -> None:
        row = rent(self.RULES).rows[0]
        assert (row.mean, row.variance) == (Fraction(10, 3), 0)
        assert row.variance_one == Fraction(100, 3) - Fraction(100, 9)

    def test_a_lap_brings_the_rent_once(self) -> None:
        row = rent(self.RULES, per="lap").rows[0]
        assert (row.mean, row.variance, row.variance_one) == (10, 0, 0)

    def test_the_first_landing_takes_one_two_or_three_turns_the_others_three(self) -> None:
        row = rent(self.RULES).rows[0]
        assert row.turns_to_recover == pytest.approx(2 + 3 + 3, rel=1e-12)

    def test_from_a_given_square_the_wait_is_certain(self) -> None:
        waits = {"s0": 2 + 3 + 3, "s1": 1 + 3 + 3, "shop": 3 + 3 + 3}
        for square, turns_needed in waits.items():
            row = rent(self.RULES, start=square).rows[0]
            assert row.turns_to_recover == pytest.approx(turns_needed, rel=1e-12)
        with pytest.raises(RulesError, match="no such square"):
            rent(self.RULES, start="s9")

    def test_a_round_of_four_players_is_three_opponent_turns(self) -> None:
        row = rent(self.RULES, per="round", opponents=3).rows[0]
        assert (row.mean, row.payback) == (10, 3)
        assert row.variance_one == 3 * (Fraction(100, 3) - Fraction(100, 9))

    def test_opponents_shorten_the_payback_and_nothing_else(self) -> None:
        one, four = rent(self.RULES).rows[0], rent(self.RULES, opponents=4).rows[0]
        assert (four.mean, four.variance, four.cost) == (one.mean, one.variance, one.cost)
        assert one.payback == 9
        assert four.payback == Fraction(9, 4)


def test_two_landings_in_one_turn_are_one_amount() -> None:
    """Doubles roll again: a turn that never leaves the shop pays once or twice."""
    rules = load(
        {
            "format": 1,
            "title": "Even steps on a ring of two",
            "dice": {"count": 2, "faces": {"1": 1, "3": 1}},
            "doubles": {"after": [{"roll": True}], "limit": 2, "at_limit": []},
            "start": {"square": "shop"},
            "squares": [
                {"id": "shop", "deed": {"kind": "street", "price": 5, "rent": [10]}},
                {"id": "nothing"},
            ],
        }
    )
    row = rent(rules, per="turn").rows[0]
    # half of all turns begin with doubles; of those half land again, half stop at the limit:
    # 10 with chance 3/4 and 20 with chance 1/4
    assert row.mean == Fraction(50, 4)
    assert row.variance_one == Fraction(300 + 400, 4) - Fraction(50, 4) ** 2
    assert row.variance == row.variance_one


# --------------------------------------------------------------------- how the rules agree


def test_variances_are_those_of_the_general_measure() -> None:
    """For a rent that does not hang on a throw, `per_each` knows them too."""
    walk = chain_of("monopoly", policy=stay)
    prices = {name: lands_on(name) for name in ("boardwalk", "jail", "new_york")}
    for unit, per in ((rolls, "roll"), (turns, "turn")):
        found = per_each(walk, unit, prices)
        for name, rent_now in (("boardwalk", 2000), ("new_york", 1000)):
            row = table_of("LO", per)[name, "hotel"]
            assert row.mean == rent_now * found[name].mean
            assert row.variance == rent_now**2 * found[name].variance


def test_taking_rolls_as_steps_changes_no_variance() -> None:
    walk = chain_of("monopoly", policy=leave)
    short = condensed(walk, lambda event: isinstance(event, Landed) or bool(rolls(event)))
    assert len(short.states) < len(walk.states)
    price = {"it": lands_on("reading")}
    assert per_each(short, rolls, price) == per_each(walk, rolls, price)


def test_the_variance_of_many_turns_grows_as_the_long_run_says() -> None:
    walk = chain(rules_of("monopoly"), stay, float)
    hand = Hand({"electric_company": charge_at(walk.rules, "electric_company", 2)}, asked(walk))
    _, law = turn_starts(walk)
    found = moments_after(walk, hand.mean, hand.noise, law, 300)
    row = table_of("LO", "turn")["electric_company", 2]
    assert found[1].mean == pytest.approx(float(row.mean), rel=1e-9)
    assert found[1].sd == pytest.approx(row.sd_one, rel=1e-9)
    growth = found[300].variance - found[299].variance
    assert growth == pytest.approx(float(row.variance), rel=1e-9)


def asked(walk: Chain[Any]) -> Any:
    return settled(walk, None)


def test_floats_and_fractions_tell_the_same() -> None:
    for game in ("monopoly", "easy_money", "corner_shop"):
        exact, fast = rent(chain_of(game), per="turn"), rent(game, per="turn", number=float)
        for one, other in zip(exact.rows, fast.rows, strict=True):
            assert isinstance(one.mean, Fraction)
            assert isinstance(one.variance_one, Fraction)
            assert other.mean == pytest.approx(float(one.mean), rel=1e-11)
            assert other.sd == pytest.approx(one.sd, rel=1e-9)
            assert other.sd_one == pytest.approx(one.sd_one, rel=1e-11)


def test_an_owner_in_jail_collects_nothing_under_the_house_rule() -> None:
    """Under S 4.68713569 % of all turns end in jail; so much less comes in on average."""
    base = table_of("S")["boardwalk", "hotel"].mean
    poorer = rent(chain_of("monopoly", "house/no_rent_in_jail", policy=leave))
    share = 100 * (1 - poorer["boardwalk", "hotel"].mean / base)
    assert rounded(share, "4.68713569") == "4.68713569"
    told = rent(
        chain_of("monopoly", "house/no_rent_in_jail", policy=leave), terms=Terms(owner_in_jail=1)
    )
    assert told["boardwalk", "hotel"].mean == 0
    assert told["boardwalk", "hotel"].payback is None
    assert told["boardwalk", "hotel"].turns_to_recover is None


def test_card_rents_can_be_taken_as_single() -> None:
    single = rent(chain_of("monopoly", policy=leave), terms=Terms(cards_double=False))
    for name in ("reading", "short_line"):
        share = landing(chain_of("monopoly", policy=leave))[name]
        assert single[name, 1].mean == 25 * share


def test_the_overlay_and_the_argument_for_fresh_throws_agree() -> None:
    overlay = rent(chain_of("monopoly", "readings/utility_fresh_throw", policy=leave))
    argument = table_of("S", terms=Terms(utility_throw="fresh"))
    for name in ("electric_company", "water_works"):
        for owned in (1, 2):
            assert overlay[name, owned].variance == argument[name, owned].variance
            assert overlay[name, owned].mean == argument[name, owned].mean


def test_a_step_gains_what_its_levels_differ_by(monopoly: Rules) -> None:
    assert step_at(monopoly, "boardwalk", "hotel") == Charge(300, 0, cards=False)
    assert step_at(monopoly, "boardwalk", "deed") == Charge(50)
    assert step_at(monopoly, "water_works", 2) == Charge(0, 6, cards=False)


def test_the_utility_card_asks_ten_throws_whatever_is_owned(monopoly: Rules) -> None:
    sent = Landed("water_works", 5, "chance.nearest_utility", 1, 10)
    came = Landed("water_works", 5)
    one, two = (
        Hand({"water_works": charge_at(monopoly, "water_works", k)}, asked(chain_of("monopoly")))
        for k in (1, 2)
    )
    assert one.law(came) == {20: 1}
    assert two.law(came) == {50: 1}
    assert one.law(sent) == two.law(sent)
    assert two.mean(sent) == 70
    # ten times two dice: 100 * 2 * 35/12
    assert two.noise(sent) == Fraction(100 * 35, 6)


# ----------------------------------------------------------------------------- Easy Money


@lru_cache
def easy(*overlays: str) -> RentTable[Fraction]:
    return rent(chain_of("easy_money", *overlays), per="turn")


def test_without_go_to_cards_every_space_earns_its_rent_in_48_turns() -> None:
    table = easy("readings/no_go_to_cards")
    assert table["street_v", 5].mean == Fraction(680, 48)
    assert table["majestic_theatre", 1].mean == Fraction(100, 48)
    assert table["waldorf_hotel", 1].mean == Fraction(70, 48)


def test_with_the_cards_the_night_club_earns_most_often() -> None:
    """π(28) = 0.0438125086; the hotel's mean given a visit is 70.2020."""
    table = easy()
    club = table["night_club", 1].mean / 50
    assert rounded(club, "0.0438125086") == "0.0438125086"
    often = landing(chain_of("easy_money"), per="turn")["waldorf_hotel"]
    assert rounded(table["waldorf_hotel", 1].mean / often, "70.2020") == "70.2020"


def test_a_street_at_auction_has_no_price_until_one_is_told() -> None:
    first, second = easy()["street_v", 1], easy()["street_v", 2]
    assert (first.cost, first.payback, first.turns_to_recover) == (None, None, None)
    assert (second.cost, second.invested) == (170, 170)
    told = rent(chain_of("easy_money"), per="turn", paid={"street_v": 300})
    assert told["street_v", 1].cost == 300
    assert told["street_v", 5].invested == 300 + 4 * 170
    assert told["street_v", 1].payback == 300 / told["street_v", 1].mean


def test_an_invented_street_moves_between_the_rarest_and_the_commonest_space() -> None:
    """With g = 3/20 the rarest space is 29, with 0.0187448123."""
    moved = {(one.square, one.level): one for one in how_far(easy())}
    street = moved["street_v", "1"]
    assert rounded(street.low / 85, "0.0187448123") == "0.0187448123"
    assert street.low <= street.mean <= street.high
    assert moved["street_v", "5"].surely_beats(moved["street_a", "1"])
    assert not moved["street_v", "1"].surely_beats(moved["street_u", "1"])
    club = moved["night_club", "1"]  # the cards know where it is
    assert club.low == club.mean == club.high
    assert all(one.low == one.high for one in how_far(table_of("S")))


# --------------------------------------------------------------------- groups and rankings


def test_a_group_brings_the_sum_of_its_deeds_but_not_of_their_variances() -> None:
    table, group = table_of("S"), groups_of("S")["orange", "hotel"]
    rows = [table[name, "hotel"] for name in group.members]
    assert group.mean == sum(row.mean for row in rows)
    assert [group.covariances[k][k] for k in range(3)] == [row.variance for row in rows]
    assert group.variance < sum(row.variance for row in rows)


def test_the_covariances_of_a_group_give_the_variance_of_all_its_rents_together() -> None:
    walk = chain_of("monopoly", policy=leave)
    hand = Hand({n: charge_at(walk.rules, n, 3) for n in ("park_place", "boardwalk")}, asked(walk))
    found = takings(walk, rolls, {"both": hand})["both"]
    group = groups_of("S")["dark_blue", 3]
    assert (group.mean, group.variance, group.variance_one) == (
        found.mean,
        found.variance,
        found.variance_one,
    )


def test_railroads_and_utilities_are_groups_as_well() -> None:
    table = groups_of("S")
    single = [table_of("S")[name, 4].mean for name in table["railroad", 4].members]
    assert table["railroad", 4].mean == sum(single)
    assert table["railroad", 4].invested == 800
    assert table["utility", 2].mean == sum(
        table_of("S")[name, 2].mean for name in ("electric_company", "water_works")
    )


def test_orange_gives_most_for_the_money_and_green_the_most_money() -> None:
    table = groups_of("S")
    by_return = table.ranking("per_100", "hotel")
    assert [place.group for place in by_return][:2] == ["orange", "light_blue"]
    # 4.1392 - 3.6457 per 100 dollars
    assert rounded(by_return[0].margin, "0.4935") == "0.4935"
    assert by_return[-1].margin is None
    assert table.ranking("mean", "hotel")[0].group == "green"
    low = table.ranking("payback", "hotel")
    assert low[0].group == "orange"
    assert all(place.margin is None or place.margin >= 0 for place in low)


def test_the_best_group_changes_with_the_turns_still_to_play() -> None:
    table = groups_of("S", "turn", 3)
    soon, late = table.after(1), table.after(1000)
    assert soon[0].value < 0
    assert late[0].group == "green"
    assert late[0].value == 3000 * table["green", "hotel"].mean - 3920
    assert table.after(20)[0].group == "orange"
    with pytest.raises(RulesError, match="0 or more"):
        table.after(-1)


def test_a_group_or_a_column_that_is_not_there_is_a_clear_error() -> None:
    table = groups_of("S")
    with pytest.raises(RulesError, match="did you mean 'orange'"):
        table["ornage", 3]
    with pytest.raises(RulesError, match="levels of this group"):
        table["orange", 6]
    with pytest.raises(RulesError, match="no such column"):
        table.ranking("colour")
    with pytest.raises(RulesError, match="cannot be ranked"):
        table.ranking("members")


# -------------------------------------------------------------------------------- the view


def test_the_frame_has_the_columns_of_the_design() -> None:
    frame = rent("monopoly", number=float, level="hotel", opponents=2).frame()
    assert tuple(frame.columns) == (*COLUMNS, "per_100")
    assert len(frame) == 22
    assert set(frame["level"]) == {"hotel"}
    assert frame["turns_to_recover"].notna().all()
    exact = rent(chain_of("monopoly"), level=3).frame(exact=True)
    assert isinstance(exact["mean"][0], Fraction)
    assert len(exact) == 22 + 4  # three houses, and three railroads


def test_every_view_names_unit_policy_and_evidence() -> None:
    table = rent("easy_money", number=float, level=1, opponents=3, terms=Terms(owner_notices="1/2"))
    for text in (str(table), repr(table), table._repr_html_()):
        assert "per roll" in text
        assert "llustrative" in text
        assert "3 opponents" in text
        assert "owner notices: 1/2" in text
    assert "jail: stay" in str(groups_of("LO"))


def test_names_from_a_file_are_escaped() -> None:
    rules = ring(2, COIN, TEN, title="<b>Ring</b>")
    rules = rules.but({"squares.shop.name": "<script>"})
    html = rent(rules)._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "<b>Ring" not in html


def test_rows_can_be_ordered_by_any_column() -> None:
    table = table_of("S")
    assert [row.id for row in table.best("mean", 2)] == ["boardwalk", "boardwalk"]
    cheap = [row for row in table.best("payback", 40) if row.cost]
    assert (cheap[0].id, cheap[0].level) == ("new_york", "3")  # 8.53 rolls
    with pytest.raises(RulesError, match="cannot be ranked"):
        table.best("name")


# ------------------------------------------------------------------------- against the dice


def test_means_agree_with_a_long_walk_of_fair_dice() -> None:
    """Six comparisons with a chance of one false alarm in a million altogether: |z| below 5.23."""
    rules = rules_of("monopoly")
    walk = chain(rules, stay, float)
    names = {
        "boardwalk": "hotel",
        "new_york": 3,
        "reading": 4,
        "electric_company": 2,
        "water_works": 1,
        "mediterranean": "deed",
    }
    hands = {n: Hand({n: charge_at(rules, n, k)}, asked(walk)) for n, k in names.items()}
    answer, count = fair(20), 40_000
    state, rolled = walk.states[0], 0
    came = dict.fromkeys(names, 0.0)
    while rolled < count:
        way = step(state, answer(state, rules, stay).answer, rules)
        for event in way.events:
            rolled += rolls(event)
            if isinstance(event, Landed):
                for name, hand in hands.items():
                    came[name] += float(hand.mean(event))
        state = way.end
    table = rent(walk)
    for name, level in names.items():
        row = table[name, level]
        z = (came[name] / count - row.mean) / (row.sd / count**0.5)
        assert abs(z) < 5.23, f"{name}: z = {z:.2f}"


@pytest.mark.parametrize("room", ["rents.table", "rents.payback"])
def test_the_examples_in_the_docstrings_come_true(room: str) -> None:
    import doctest
    from importlib import import_module

    found = doctest.testmod(import_module(f"boardrules.{room}"))
    assert found.attempted > 0
    assert found.failed == 0
