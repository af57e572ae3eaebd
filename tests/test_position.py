"""A game in the middle: positions that can be and that cannot, and what the next turns bring."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from conftest import chain_of, rules_of
from test_rent import COIN, TEN, ring

from boardrules import RulesError, bank, chain, leave, load
from boardrules.events import Event, Repaired
from boardrules.rents.payback import by_turn, collected
from boardrules.rents.position import outlook, position
from boardrules.rents.till import moments_after, turn_starts

MIDDLE: dict[str, Any] = {
    "players": {
        "Anna": {
            "square": "new_york",
            "deeds": {"boardwalk": "hotel", "park_place": 4, "reading": 0, "oriental": "mortgaged"},
        },
        "Ben": {"square": "jail", "jailed": 2, "deeds": ["short_line", "st_james", "b_and_o"]},
        "Cleo": {"square": "go"},
    }
}


def short_line_only(**more: Any) -> dict[str, Any]:
    return {"players": {"Anna": {"deeds": more}, "Ben": {}}}


# -------------------------------------------------------------------------- what it comes to


def test_on_a_coin_ring_rents_are_tosses() -> None:
    """Half of Ben's turns pay Anna 10; her own landings cost her nothing."""
    rules = ring(2, COIN, TEN)
    found = outlook(
        rules,
        given={"players": {"Anna": {"deeds": ["shop"]}, "Ben": {"square": "shop"}}},
        turns=3,
        number=Fraction,
    )
    anna, ben = found["Anna"], found["Ben"]
    assert (anna.received, anna.paid, anna.other, anna.income) == (15, 0, 0, 15)
    assert (ben.received, ben.paid, ben.other, ben.income) == (0, 15, 0, -15)
    assert anna.variance == ben.variance == 75


def test_the_chance_to_run_short_is_that_of_the_rents_alone() -> None:
    """Three tosses at 10: more than 15 takes two heads or three, more than 30 never happens."""
    rules = ring(2, COIN, TEN)
    for cash, chance in ((0, Fraction(7, 8)), (15, Fraction(1, 2)), (20, Fraction(1, 8)), (30, 0)):
        players = {"Anna": {"deeds": ["shop"], "cash": 0}, "Ben": {"cash": cash}}
        found = outlook(rules, given={"players": players}, turns=3, number=Fraction)
        assert found["Ben"].short == chance
        assert found["Anna"].short == 0
    with pytest.raises(RulesError, match="0 or more"):
        position(rules, {"players": {"Anna": {"cash": -1}, "Ben": {}}})


def test_two_debtors_walk_independently() -> None:
    rules = ring(2, COIN, TEN)
    players = {"Anna": {"deeds": ["shop"]}, "Ben": {}, "Cleo": {}}
    found = outlook(rules, given={"players": players}, turns=3, number=Fraction)
    assert found["Anna"].income == 30
    assert found["Anna"].variance == 150
    assert found["Cleo"].variance == 75


def test_what_one_receives_from_one_opponent_is_what_the_till_says() -> None:
    given = {
        "players": {
            "Anna": {"deeds": {"boardwalk": "hotel", "park_place": "hotel"}},
            "Ben": {"square": "illinois"},
        }
    }
    walk = chain_of("monopoly")
    found = outlook(walk, given=given, turns=2)
    hand = {"boardwalk": "hotel", "park_place": "hotel"}
    law = collected(walk, hand=hand, turns=2, start="illinois")
    assert found["Anna"].received == law.mean
    assert found["Ben"].paid == law.mean


def test_what_the_players_win_together_comes_from_the_bank() -> None:
    """Rents and gifts between players cancel; repairs go to the bank."""
    rules = rules_of("monopoly")
    walk = chain(rules, leave, float)
    found = outlook(walk, given=MIDDLE, turns=4)

    def all_bank(event: Event) -> Any:
        if isinstance(event, Repaired):  # Anna has a hotel and four houses
            return 0
        return bank(event)

    def repairs(event: Event) -> Any:
        return event.house * 4 + event.hotel if isinstance(event, Repaired) else 0

    whole = 0.0
    for name, start in (("Anna", "new_york"), ("Ben", ("jail", 2)), ("Cleo", "go")):
        of_one, law = turn_starts(walk, start)  # type: ignore[arg-type]
        whole += moments_after(of_one, all_bank, nothing, law, 4)[-1].mean
        if name == "Anna":
            whole -= moments_after(of_one, repairs, nothing, law, 4)[-1].mean
    assert sum(row.income for row in found.rows) == pytest.approx(whole, rel=1e-10)
    for row in found.rows:
        assert row.received - row.paid + row.other == pytest.approx(row.income, rel=1e-10)


def nothing(event: Event) -> int:
    return 0


def test_sets_railroads_and_mortgages_are_counted() -> None:
    rules = rules_of("monopoly")
    now = position(
        rules,
        {
            "players": {
                "Anna": {
                    "deeds": {
                        "oriental": 0,
                        "vermont": 0,
                        "connecticut": "mortgaged",
                        "reading": 0,
                        "short_line": "mortgaged",
                        "water_works": 0,
                        "boardwalk": "deed",
                    }
                },
                "Ben": {"deeds": ["b_and_o"]},
            }
        },
    )
    anna, ben = now.players
    charges = now.charges(anna)
    assert charges["oriental"].rent == 12  # doubled although one of the set is mortgaged (M12)
    assert "connecticut" not in charges
    assert charges["reading"].rent == 50  # the mortgaged one counts (M14)
    assert "short_line" not in charges
    assert charges["water_works"].times == 4
    assert charges["boardwalk"].rent == 50
    assert now.charges(ben)["b_and_o"].rent == 25
    assert now.houses(anna) == (0, 0)
    assert now.holding(anna) == {
        "oriental": "set",
        "vermont": "set",
        "reading": "2",
        "water_works": "1",
        "boardwalk": "deed",
    }


def test_the_deed_of_a_mortgage_earns_nothing() -> None:
    given = {"players": {"Anna": {"deeds": {"boardwalk": "mortgaged"}}, "Ben": {}}}
    assert outlook("monopoly", given=given, turns=5)["Anna"].received == 0


def test_a_hotel_makes_repairs_dear() -> None:
    """Under the Chance card a hotel costs 100, under the Community Chest card 115."""
    base = {"players": {"Anna": {"square": "illinois"}, "Ben": {}}}
    rich = {
        "players": {
            "Anna": {
                "square": "illinois",
                "deeds": {"boardwalk": "hotel", "park_place": "hotel"},
            },
            "Ben": {},
        }
    }
    walk = chain_of("monopoly")
    poor, dear = outlook(walk, given=base, turns=1), outlook(walk, given=rich, turns=1)

    def hotels(event: Event) -> int:
        return 2 * event.hotel if isinstance(event, Repaired) else 0

    _, law = turn_starts(walk, "illinois")
    repairs = moments_after(walk, hotels, nothing, law, 1)[-1].mean
    assert repairs > 0
    assert poor["Anna"].other - dear["Anna"].other == repairs


def test_a_player_in_jail_under_the_usual_policy_may_be_before_a_later_try() -> None:
    found = outlook("monopoly", given=MIDDLE, turns=1)
    # Ben is to pay before his roll: 50 to the bank with certainty
    assert found["Ben"].other < 0
    assert [row.player for row in found.rows] == ["Anna", "Ben", "Cleo"]


def test_easy_money_positions_go_by_houses() -> None:
    given = {
        "players": {
            "Anna": {"square": "bonus", "deeds": {"street_v": 3, "waldorf_hotel": 0}},
            "Ben": {"square": "street_r"},
        }
    }
    now = position(rules_of("easy_money"), given)
    assert now.charges(now.players[0])["street_v"].rent == 340
    assert now.charges(now.players[0])["waldorf_hotel"].times == 10
    found = outlook("easy_money", given=given, turns=1)
    sums = by_turn(
        "easy_money", hand={"street_v": 3, "waldorf_hotel": 1}, turns=1, start="street_r"
    )
    assert found["Anna"].received == pytest.approx(float(sums[1].mean), rel=1e-12)


# ------------------------------------------------------------------------------------ files


def test_a_position_may_lie_in_a_toml_or_a_json_file(tmp_path: Path) -> None:
    toml = tmp_path / "middle.toml"
    toml.write_text(
        'game = "monopoly"\n[players.Anna]\nsquare = "new_york"\n'
        'deeds = { boardwalk = "hotel", park_place = 4, reading = 0, oriental = "mortgaged" }\n'
        '[players.Ben]\nsquare = "jail"\njailed = 2\n'
        'deeds = ["short_line", "st_james", "b_and_o"]\n'
        '[players.Cleo]\nsquare = "go"\n',
        encoding="utf-8",
    )
    file = tmp_path / "middle.json"
    file.write_text(json.dumps(MIDDLE), encoding="utf-8")
    rules = rules_of("monopoly")
    same = position(rules, MIDDLE).players
    assert position(rules, toml).players == same
    assert position(rules, str(file)).players == same


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("broken.toml", "players = [["),
        ("broken.json", "{"),
        ("list.json", "[]"),
        ("deep.json", "[" * 100_000),
        ("large.toml", "#" * 1_000_001),
    ],
)
def test_a_file_that_cannot_be_read_is_a_clear_error(tmp_path: Path, name: str, text: str) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    with pytest.raises(RulesError) as error:
        position(rules_of("monopoly"), file)
    assert name in str(error.value)
    assert str(tmp_path) not in str(error.value)


def test_a_file_that_is_not_there_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="cannot be read"):
        position(rules_of("monopoly"), tmp_path / "none.toml")


# ------------------------------------------------------------------------ what cannot be


def test_all_problems_are_told_at_once() -> None:
    given = {
        "turn": 3,
        "players": {
            "Anna": {
                "square": "new_yrk",
                "deeds": {"boardwalk": "hotel", "reading": 2, "orientel": 1},
                "cahs": 3,
            },
            "Ben": {"square": "jail", "jailed": 9, "deeds": ["boardwalk"]},
        },
    }
    with pytest.raises(RulesError) as error:
        position(rules_of("monopoly"), given)
    text = str(error.value)
    assert len(error.value.problems) == 6
    for said in (
        "no such key 'turn'",
        "did you mean 'new_york'?",
        "nobody builds on Reading Railroad",
        "did you mean 'oriental'?",
        "did you mean 'cash'?",
        "before roll 1 to 3",
    ):
        assert said in text


@pytest.mark.parametrize(
    ("deeds", "says"),
    [
        ({"boardwalk": 1}, "whole group; park_place is missing"),
        ({"boardwalk": 3, "park_place": 1}, "not even: park_place 1, boardwalk 3"),
        ({"boardwalk": 3, "park_place": "mortgaged"}, "one of its deeds is mortgaged"),
        ({"boardwalk": 6, "park_place": 5}, "no level '6'"),
        ({"boardwalk": -1}, "no level '-1'"),
        ({"boardwalk": True}, "no level 'True'"),
        ({"water_works": "hotel"}, "nobody builds on Water Works"),
        ({"go": 0}, "no deed, nobody can own it"),
    ],
)
def test_a_hand_that_no_rule_allows_is_a_clear_error(deeds: dict[str, Any], says: str) -> None:
    with pytest.raises(RulesError) as error:
        position(rules_of("monopoly"), short_line_only(**deeds))
    assert says in str(error.value)


def test_overlays_allow_what_they_allow() -> None:
    without_set = load("monopoly", "house/build_without_set")
    assert position(without_set, short_line_only(boardwalk=2)).players[0].deeds == {
        "boardwalk": "2"
    }
    uneven = load("monopoly", "house/uneven_building")
    assert position(uneven, short_line_only(boardwalk=4, park_place=0))


def test_the_bank_has_32_houses_and_12_hotels() -> None:
    rules = rules_of("monopoly")
    streets = [s.id for s in rules.squares if s.deed and s.deed.kind == "street"]
    with pytest.raises(RulesError, match="66 houses stand on the board"):
        position(rules, short_line_only(**dict.fromkeys(streets, 3)))
    with pytest.raises(RulesError, match="22 hotels stand on the board"):
        position(rules, short_line_only(**dict.fromkeys(streets, "hotel")))
    free = load("monopoly", "house/unlimited_houses")
    assert position(free, short_line_only(**dict.fromkeys(streets, "hotel")))


def test_a_deed_has_one_owner() -> None:
    given = {"players": {"Anna": {"deeds": ["reading"]}, "Ben": {"deeds": ["reading"]}}}
    with pytest.raises(RulesError, match="already belongs to Anna"):
        position(rules_of("monopoly"), given)


def test_a_utility_of_easy_money_cannot_be_mortgaged() -> None:
    given = {"players": {"Anna": {"deeds": {"telephone_co": "mortgaged"}}, "Ben": {}}}
    with pytest.raises(RulesError, match="cannot be mortgaged"):
        position(rules_of("easy_money"), given)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({}, "2 to 20 players"),
        ({"players": {"Anna": {}}}, "2 to 20 players"),
        ({"players": {"Anna": 3, "Ben": {}}}, "needs a table with square and deeds"),
        ({"players": {"Anna": {"deeds": 3}, "Ben": {}}}, "needs a list of deeds"),
        ({"players": {"Anna": {"jailed": "yes"}, "Ben": {}}}, "number of a roll"),
        ({"players": {"Anna": {"square": ["go"]}, "Ben": {}}}, "no such square"),
        (
            {"game": "payday", "players": {"Anna": {}, "Ben": {}}},
            "for 'payday', not for 'monopoly'",
        ),
    ],
)
def test_a_table_that_is_no_position_is_a_clear_error(given: dict[str, Any], says: str) -> None:
    with pytest.raises(RulesError, match=says):
        position(rules_of("monopoly"), given)


def test_jail_where_there_is_none_and_negative_turns_are_errors() -> None:
    with pytest.raises(RulesError, match="no jail"):
        position(rules_of("easy_money"), {"players": {"Anna": {"jailed": 1}, "Ben": {}}})
    with pytest.raises(RulesError, match="whole number of turns"):
        outlook("monopoly", given=MIDDLE, turns=-1)
    with pytest.raises(RulesError, match="no deeds"):
        outlook("payday", given={"players": {"Anna": {}, "Ben": {}}})
    nowhere = {"players": {"Anna": {"square": "go_to_jail"}, "Ben": {}}}
    with pytest.raises(RulesError, match="no turn ever starts there"):
        outlook("monopoly", given=nowhere)


def test_names_of_players_are_escaped_and_the_view_says_what_it_rests_on() -> None:
    found = outlook(
        ring(2, COIN, TEN), given={"players": {"<b>Anna": {"deeds": ["shop"]}, "Ben": {}}}, turns=2
    )
    html = found._repr_html_()
    assert "<b>Anna" not in html
    assert "&lt;b&gt;Anna" in html
    for text in (str(found), repr(found), html):
        assert "the next 2 turns of every player" in text
    frame = found.frame()
    assert list(frame.columns) == [
        "player",
        "received",
        "paid",
        "other",
        "income",
        "sd",
        "short",
    ]
    with pytest.raises(RulesError, match="did you mean 'Ben'"):
        found["Bn"]
