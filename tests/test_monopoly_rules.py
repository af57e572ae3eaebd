"""Monopoly on hand-made positions: what the numbered rules say, worked out by hand.

Each test names its rule (M1 ... as in `data/monopoly/RULES.md`).  Squares go from 0 (GO) to 39.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from conftest import asked, drawing, follow, jailed, on, rules_of

from boardrules.effects import BANK, DICE, Draw, EndRoll, EndTurn, Keep, Roll
from boardrules.events import (
    PLAYER,
    Answered,
    Crossed,
    Drew,
    Event,
    Freed,
    Jailed,
    Kept,
    Landed,
    Noted,
    Paid,
    Passed,
    Rolled,
    RollOver,
    Took,
    TurnOver,
    Used,
)
from boardrules.rules import Rules
from boardrules.turn import State, Thrown, Token, begin, pack, sums, throws

SALARY = Paid(200, BANK, PLAYER, "go", "salary")
FINE = Paid(50, PLAYER, BANK, "jail", "fine")
HOLDS_CARDS = {"chain.carries": ["get_out_of_jail"]}
CHANCE_CARD = Keep("get_out_of_jail", "chance.get_out_of_jail")
CHEST_CARD = Keep("get_out_of_jail", "community_chest.get_out_of_jail")


def ends(square: str, jail: int = 0) -> list[Event]:
    """The end of a roll that is also the end of the turn."""
    return [RollOver(square, jail), TurnOver(square, jail)]


# ---------------------------------------------------------------------------- the board

DEEDS = """
1  Mediterranean Avenue   brown       60  30  50   2   10   30    90  160  250
3  Baltic Avenue          brown       60  30  50   4   20   60   180  320  450
6  Oriental Avenue        light_blue 100  50  50   6   30   90   270  400  550
8  Vermont Avenue         light_blue 100  50  50   6   30   90   270  400  550
9  Connecticut Avenue     light_blue 120  60  50   8   40  100   300  450  600
11 St. Charles Place      pink       140  70 100  10   50  150   450  625  750
13 States Avenue          pink       140  70 100  10   50  150   450  625  750
14 Virginia Avenue        pink       160  80 100  12   60  180   500  700  900
16 St. James Place        orange     180  90 100  14   70  200   550  750  950
18 Tennessee Avenue       orange     180  90 100  14   70  200   550  750  950
19 New York Avenue        orange     200 100 100  16   80  220   600  800 1000
21 Kentucky Avenue        red        220 110 150  18   90  250   700  875 1050
23 Indiana Avenue         red        220 110 150  18   90  250   700  875 1050
24 Illinois Avenue        red        240 120 150  20  100  300   750  925 1100
26 Atlantic Avenue        yellow     260 130 150  22  110  330   800  975 1150
27 Ventnor Avenue         yellow     260 130 150  22  110  330   800  975 1150
29 Marvin Gardens         yellow     280 140 150  24  120  360   850 1025 1200
31 Pacific Avenue         green      300 150 200  26  130  390   900 1100 1275
32 North Carolina Avenue  green      300 150 200  26  130  390   900 1100 1275
34 Pennsylvania Avenue    green      320 160 200  28  150  450  1000 1200 1400
37 Park Place             dark_blue  350 175 200  35  175  500  1100 1300 1500
39 Boardwalk              dark_blue  400 200 200  50  200  600  1400 1700 2000
"""

OTHERS = {
    0: ("GO", "go"),
    2: ("Community Chest 1", "community_chest"),
    4: ("Income Tax", "tax"),
    5: ("Reading Railroad", "railroad"),
    7: ("Chance 1", "chance"),
    10: ("Just Visiting", "jail"),
    12: ("Electric Company", "utility"),
    15: ("Pennsylvania Railroad", "railroad"),
    17: ("Community Chest 2", "community_chest"),
    20: ("Free Parking", "free_parking"),
    22: ("Chance 2", "chance"),
    25: ("B. & O. Railroad", "railroad"),
    28: ("Water Works", "utility"),
    30: ("Go To Jail", "go_to_jail"),
    33: ("Community Chest 3", "community_chest"),
    35: ("Short Line", "railroad"),
    36: ("Chance 3", "chance"),
    38: ("Luxury Tax", "tax"),
}


def _deed_lines() -> dict[int, tuple[str, list[str]]]:
    lines = {}
    for line in DEEDS.strip().splitlines():
        number, rest = line.split(maxsplit=1)
        words = rest.split()
        lines[int(number)] = (" ".join(words[:-10]), words[-10:])
    return lines


def test_the_board_has_40_squares_and_each_is_in_the_table(monopoly: Rules) -> None:
    assert [square.number for square in monopoly.squares] == list(range(40))
    assert sorted([*_deed_lines(), *OTHERS]) == list(range(40))


@pytest.mark.parametrize("number", _deed_lines())
def test_a_street_has_the_prices_and_rents_of_the_table(number: int, monopoly: Rules) -> None:
    """M11."""
    name, words = _deed_lines()[number]
    group, *amounts = words
    square = monopoly.squares[number]
    assert square.name == name
    assert square.kind == "street"
    deed = square.deed
    assert deed is not None
    assert (deed.kind, deed.group) == ("street", group)
    found = [deed.price, deed.mortgage, deed.house, *deed.rent]
    assert found == [int(amount) for amount in amounts]
    assert deed.times_throw == ()


@pytest.mark.parametrize("number", OTHERS)
def test_every_other_square_has_its_name_and_kind(number: int, monopoly: Rules) -> None:
    """M14 for railroads and utilities."""
    square = monopoly.squares[number]
    assert (square.name, square.kind) == OTHERS[number]
    deed = square.deed
    if square.kind == "railroad":
        assert deed is not None
        assert (deed.kind, deed.group) == ("railroad", "railroad")
        assert (deed.price, deed.mortgage) == (200, 100)
        assert deed.rent == (25, 50, 100, 200)
    elif square.kind == "utility":
        assert deed is not None
        assert (deed.kind, deed.group) == ("utility", "utility")
        assert (deed.price, deed.mortgage) == (150, 75)
        assert deed.times_throw == (4, 10)
    else:
        assert deed is None


def test_the_sums_of_the_board_are_the_published_ones(monopoly: Rules) -> None:
    deeds = [square.deed for square in monopoly.squares if square.deed]
    streets = [deed for deed in deeds if deed.kind == "street"]
    assert (len(deeds), len(streets)) == (28, 22)
    assert sum(deed.price or 0 for deed in deeds) == 5690
    assert sum(deed.mortgage or 0 for deed in deeds) * 2 == 5690
    base = sum(deed.rent[0] for deed in streets)
    assert base == 391
    assert base + 4 * 25 + 2 * 4 * 7 == 547
    hotels = sum(deed.rent[5] for deed in streets)
    assert hotels == 21850
    assert hotels + 4 * 200 + 2 * 10 * 7 == 22790
    assert sum(5 * (deed.house or 0) for deed in streets) == 13750


def test_the_money_rules_are_those_of_the_old_book(monopoly: Rules) -> None:
    """M10, M12, M14, M15, M16, M17, M18, M19, M20, M23."""
    assert monopoly.start.cash == 1500
    assert (monopoly.buying.method, monopoly.buying.auction) == ("price", True)
    assert monopoly.rent.set_multiplier == 2
    assert (monopoly.rent.utility_throw, monopoly.rent.card_throw) == ("moved", "fresh")
    assert monopoly.rent.jailed_owner_collects
    assert monopoly.rent.owner_notices == 1
    building = monopoly.building
    assert (building.houses, building.hotels, building.levels) == (32, 12, 5)
    assert (building.even, building.needs_group) == (True, True)
    assert building.sell_back == Fraction(1, 2)
    assert (monopoly.mortgage.interest, monopoly.mortgage.transfer) == (Fraction(1, 10),) * 2
    assert set(monopoly.mortgage.kinds) == {"street", "railroad", "utility"}


# ------------------------------------------------------------------- throwing and moving


def test_two_dice_are_thrown_with_the_chances_of_36(monopoly: Rules) -> None:
    """M1."""
    law = throws(monopoly.dice)
    for pips in range(2, 13):
        ways = 6 - abs(pips - 7)
        doubles = 1 if pips % 2 == 0 else 0
        assert law.get(Thrown(pips, double=True), 0) == Fraction(doubles, 36)
        assert law.get(Thrown(pips), 0) == Fraction(ways - doubles, 36)
    assert sum(law.values()) == 1


def test_the_first_throw_is_an_ordinary_one_from_go(monopoly: Rules) -> None:
    """M1."""
    assert begin(monopoly) == State(Token(0), (Roll(), EndTurn()))


def test_a_throw_moves_the_token_and_ends_the_turn(monopoly: Rules) -> None:
    """M1: 5 and 2 from GO reach Chance; 5 and 1 reach Oriental Avenue, and the turn is over."""
    events, end = follow(monopoly, on(0), (5, 1))
    assert events == [Rolled(6, double=False), Landed("oriental", 6), *ends("oriental")]
    assert end == on(6)


def test_doubles_throw_again_after_the_square_is_settled(monopoly: Rules) -> None:
    """M1: 2 and 2 from GO reach Income Tax; the tax is paid, then comes the second throw."""
    events, end = follow(monopoly, on(0), (2, 2))
    assert events == [
        Rolled(4, double=True),
        Landed("income_tax", 4),
        Paid(200, PLAYER, BANK, "income_tax", "tax"),
        RollOver("income_tax"),
    ]
    assert end == on(4, doubles=1, again=True)


def test_doubles_are_kept_through_a_card_move(monopoly: Rules) -> None:
    """M1: 1 and 1 from Reading to Chance, the card leads to Boardwalk, then throw again."""
    events, end = follow(monopoly, on(5), (1, 1), "boardwalk")
    by = "chance.boardwalk"
    assert events == [
        Rolled(2, double=True),
        Landed("chance_1", 2),
        Drew("chance", "boardwalk", "chance_1"),
        Landed("boardwalk", 2, by),
        RollOver("boardwalk"),
    ]
    assert end == on(39, doubles=1, again=True)


def test_a_throw_that_is_no_doubles_ends_the_row_of_doubles(monopoly: Rules) -> None:
    """M1, M2: after one doubles an ordinary throw ends the turn; the next begins from none."""
    events, end = follow(monopoly, on(4, doubles=1, again=True), (3, 1))
    assert events == [
        Rolled(4, double=False, again=True),
        Landed("vermont", 4),
        *ends("vermont"),
    ]
    assert end == on(8)


def test_the_second_doubles_still_move_and_throw_again(monopoly: Rules) -> None:
    """M2."""
    events, end = follow(monopoly, on(4, doubles=1, again=True), (3, 3))
    assert events == [
        Rolled(6, double=True, again=True),
        Landed("jail", 6),
        RollOver("jail"),
    ]
    assert end == on(10, doubles=2, again=True)


def test_third_doubles_go_to_jail_without_moving(monopoly: Rules) -> None:
    """M2: from 4 the third doubles 6 and 6 would reach 16; the token goes to jail instead."""
    events, end = follow(monopoly, on(4, doubles=2, again=True), (6, 6))
    assert events == [
        Rolled(12, double=True, again=True),
        Jailed("doubles"),
        *ends("jail", 1),
    ]
    assert end.token == Token(10, jailed=1)
    assert asked(end) == "leave_jail: pay or roll"


def test_third_doubles_past_go_bring_no_salary(monopoly: Rules) -> None:
    """M2, M3: from Boardwalk the throw would pass GO, but it is not moved."""
    events, _ = follow(monopoly, on(39, doubles=2, again=True), (1, 1))
    assert events == [Rolled(2, double=True, again=True), Jailed("doubles"), *ends("jail", 1)]


@pytest.mark.parametrize("doubles", [0, 1])
def test_jail_by_a_card_after_doubles_ends_the_turn(doubles: int, monopoly: Rules) -> None:
    """M1, M2: doubles are kept through card moves, but not to jail."""
    start = on(0, doubles=doubles, again=doubles > 0)
    events, end = follow(monopoly, start, (1, 1), "go_to_jail")
    assert events == [
        Rolled(2, double=True, again=doubles > 0),
        Landed("community_chest_1", 2),
        Drew("community_chest", "go_to_jail", "community_chest_1"),
        Jailed("community_chest.go_to_jail"),
        *ends("jail", 1),
    ]
    assert end.token == Token(10, jailed=1)


# ---------------------------------------------------------------------------------- jail


def test_square_30_sends_to_jail_and_ends_the_turn(monopoly: Rules) -> None:
    """M3: from 24 the doubles 3 and 3 reach square 30; there is no second throw."""
    events, end = follow(monopoly, on(24), (3, 3))
    assert events == [
        Rolled(6, double=True),
        Landed("go_to_jail", 6),
        Jailed("go_to_jail"),
        *ends("jail", 1),
    ]
    assert end.token == Token(10, jailed=1)


@pytest.mark.parametrize(
    ("square", "cause", "deck"),
    [(36, "chance_3", "chance"), (33, "community_chest_3", "community_chest")],
)
def test_the_way_to_jail_by_a_card_never_earns_the_salary(
    square: int, cause: str, deck: str, monopoly: Rules
) -> None:
    """M3: jail lies beyond GO from both squares."""
    events, end = follow(monopoly, drawing(square, deck, cause, pips=7), "go_to_jail")
    assert events == [
        Drew(deck, "go_to_jail", cause),
        Jailed(f"{deck}.go_to_jail"),
        *ends("jail", 1),
    ]
    assert end.token == Token(10, jailed=1)


def test_reaching_square_10_by_the_dice_is_only_a_visit(monopoly: Rules) -> None:
    """M3."""
    events, end = follow(monopoly, on(4), (5, 1))
    assert events == [Rolled(6, double=False), Landed("jail", 6), *ends("jail", 0)]
    assert end == on(10)


def test_a_visitor_throws_like_anybody_else(monopoly: Rules) -> None:
    """M3: doubles from a visit throw again, which doubles from jail do not."""
    _, end = follow(monopoly, on(10), (3, 3))
    assert end == on(16, doubles=1, again=True)


@pytest.mark.parametrize("attempt", [1, 2, 3])
def test_doubles_open_the_jail_move_and_end_the_turn(attempt: int, monopoly: Rules) -> None:
    """M4a: on each of three turns; no further throw, and no fine, not even on the third."""
    events, end = follow(monopoly, jailed(attempt, monopoly), (4, 4))
    assert events == [
        Rolled(8, double=True),
        Freed("doubles"),
        Landed("tennessee", 8),
        *ends("tennessee"),
    ]
    assert end == on(18)


def test_doubles_out_of_jail_do_not_count_towards_three(monopoly: Rules) -> None:
    """M4a: after doubles out, two more doubles in the next turn still move."""
    _, end = follow(monopoly, jailed(1, monopoly), (4, 4), (1, 1), (2, 2))
    assert end == on(24, doubles=2, again=True)


@pytest.mark.parametrize(("attempt", "question"), [(1, "leave_jail: pay or roll"), (2, "roll")])
def test_a_failed_throw_stays_in_jail(attempt: int, question: str, monopoly: Rules) -> None:
    """M4d: $50 may be paid before the first and the second throw, and not before the third."""
    events, end = follow(monopoly, jailed(attempt, monopoly), (4, 3))
    assert events == [Rolled(7, double=False), *ends("jail", attempt + 1)]
    assert end.token == Token(10, jailed=attempt + 1)
    assert asked(end) == question


def test_after_the_third_failure_the_fine_is_due_and_that_throw_moves(monopoly: Rules) -> None:
    """M4e: 4 and 1 from jail reach Pennsylvania Railroad, five squares on."""
    events, end = follow(monopoly, jailed(3, monopoly), (4, 1))
    assert events == [
        Rolled(5, double=False),
        FINE,
        Freed("fine"),
        Landed("pennsylvania_railroad", 5),
        *ends("pennsylvania_railroad"),
    ]
    assert end == on(15)


def _in_jail(rules: Rules, *, held: tuple[Keep, ...] = ()) -> State:
    """A token that has just been sent to jail and is asked how it wants to leave."""
    _, end = follow(rules, on(24, held=held), (5, 1))
    return end


def test_the_fine_before_the_first_throw_makes_the_turn_an_ordinary_one(monopoly: Rules) -> None:
    """M4d, M5: doubles then throw again and count towards three."""
    events, end = follow(monopoly, _in_jail(monopoly), "pay", (3, 3))
    assert events == [
        Answered("leave_jail", "pay", "jail"),
        FINE,
        Freed("fine"),
        Rolled(6, double=True),
        Landed("st_james", 6),
        RollOver("st_james"),
    ]
    assert end == on(16, doubles=1, again=True)


def test_paid_out_of_jail_three_doubles_lead_back_to_it(monopoly: Rules) -> None:
    """M5, M2."""
    events, end = follow(monopoly, _in_jail(monopoly), "pay", (3, 3), (1, 1), (2, 2))
    assert events[-4:] == [
        Rolled(4, double=True, again=True),
        Jailed("doubles"),
        *ends("jail", 1),
    ]
    assert end.token == Token(10, jailed=1)


def test_whoever_throws_instead_of_paying_stays_in_jail_unless_doubles(monopoly: Rules) -> None:
    """M4: the answer `roll` costs nothing."""
    events, end = follow(monopoly, _in_jail(monopoly), "roll", (6, 1))
    assert events == [
        Answered("leave_jail", "roll", "jail"),
        Rolled(7, double=False),
        *ends("jail", 2),
    ]
    assert asked(end) == "leave_jail: pay or roll"


def test_a_held_card_opens_the_jail_before_a_throw_and_is_given_back() -> None:
    """M4b, M5, M8."""
    rules = rules_of("monopoly").but(HOLDS_CARDS)
    start = _in_jail(rules, held=(CHANCE_CARD,))
    assert asked(start) == "leave_jail: pay or card or roll"
    events, end = follow(rules, start, "card", (3, 3))
    assert events == [
        Answered("leave_jail", "card", "jail"),
        Used("get_out_of_jail", "jail"),
        Freed("card"),
        Rolled(6, double=True),
        Landed("st_james", 6),
        RollOver("st_james"),
    ]
    assert end == on(16, doubles=1, again=True)


def test_a_held_card_may_be_used_before_the_third_throw_although_money_may_not() -> None:
    """M4b, M4d."""
    rules = rules_of("monopoly").but(HOLDS_CARDS)
    start = State(Token(10, jailed=2, held=(CHANCE_CARD,)), (Roll(), EndTurn()))
    _, end = follow(rules, start, (4, 3))
    assert asked(end) == "leave_jail: card or roll"


# ------------------------------------------------------------------------------------ GO


@pytest.mark.parametrize(
    ("start", "dice", "square", "there"),
    [
        (37, (2, 1), "go", 0),
        (37, (1, 3), "mediterranean", 1),
        (39, (5, 6), "jail", 10),
        (28, (6, 6), "go", 0),
    ],
    ids=["lands on GO", "passes GO", "passes GO from Boardwalk", "lands on GO by doubles"],
)
def test_go_pays_once_for_landing_or_passing_by_dice(
    start: int, dice: tuple[int, int], square: str, there: int, monopoly: Rules
) -> None:
    """M6."""
    double = dice[0] == dice[1]
    events, end = follow(monopoly, on(start), dice)
    assert events[:4] == [
        Rolled(sum(dice), double=double),
        Passed("go", DICE, lap=True),
        SALARY,
        Landed(square, sum(dice)),
    ]
    assert events[4:] == ([RollOver(square)] if double else ends(square))
    assert end.token.square == there


def test_leaving_go_pays_nothing(monopoly: Rules) -> None:
    """M6: once each time round, and not again when the token moves on."""
    events, _ = follow(monopoly, on(0), (5, 6))
    assert events == [Rolled(11, double=False), Landed("st_charles", 11), *ends("st_charles")]


@pytest.mark.parametrize(
    ("start", "dice", "square", "deck"),
    [
        (35, (4, 3), "community_chest_1", "community_chest"),
        (38, (4, 5), "chance_1", "chance"),
    ],
    ids=["Community Chest on 2", "Chance on 7"],
)
def test_passing_go_and_drawing_the_go_card_pays_twice(
    start: int, dice: tuple[int, int], square: str, deck: str, monopoly: Rules
) -> None:
    """M6: 200 by dice on the way, and 200 by the card."""
    events, end = follow(monopoly, on(start), dice, "advance_to_go")
    by = f"{deck}.advance_to_go"
    pips = sum(dice)
    assert events == [
        Rolled(pips, double=False),
        Passed("go", DICE, lap=True),
        SALARY,
        Landed(square, pips),
        Drew(deck, "advance_to_go", square),
        Passed("go", by, lap=True),
        SALARY,
        Landed("go", pips, by),
        *ends("go"),
    ]
    assert end == on(0)


def test_the_salary_stays_when_a_card_jails_after_passing_go(monopoly: Rules) -> None:
    """M6: the first 200 stays, the way to jail pays nothing."""
    events, end = follow(monopoly, on(38), (4, 5), "go_to_jail")
    assert events == [
        Rolled(9, double=False),
        Passed("go", DICE, lap=True),
        SALARY,
        Landed("chance_1", 9),
        Drew("chance", "go_to_jail", "chance_1"),
        Jailed("chance.go_to_jail"),
        *ends("jail", 1),
    ]
    assert end.token == Token(10, jailed=1)


# --------------------------------------------------------------------------- card moves


@pytest.mark.parametrize(
    ("start", "card", "target", "passes_go"),
    [
        (7, "nearest_railroad", "pennsylvania_railroad", False),
        (22, "nearest_railroad", "b_and_o", False),
        (36, "nearest_railroad", "reading", True),
        (7, "nearest_utility", "electric_company", False),
        (22, "nearest_utility", "water_works", False),
        (36, "nearest_utility", "electric_company", True),
        (7, "illinois", "illinois", False),
        (22, "illinois", "illinois", False),
        (36, "illinois", "illinois", True),
        (7, "st_charles", "st_charles", False),
        (22, "st_charles", "st_charles", True),
        (36, "st_charles", "st_charles", True),
        (7, "reading", "reading", True),
        (22, "reading", "reading", True),
        (36, "reading", "reading", True),
        (7, "boardwalk", "boardwalk", False),
        (22, "boardwalk", "boardwalk", False),
        (36, "boardwalk", "boardwalk", False),
        (7, "advance_to_go", "go", True),
        (22, "advance_to_go", "go", True),
        (36, "advance_to_go", "go", True),
    ],
)
def test_a_chance_card_moves_forward_to_its_square(
    start: int, card: str, target: str, passes_go: bool, monopoly: Rules
) -> None:
    """M7, M15: "nearest" is the next one forward; railroads pay double, utilities ten throws."""
    cause = {7: "chance_1", 22: "chance_2", 36: "chance_3"}[start]
    by = f"chance.{card}"
    rent = 2 if card == "nearest_railroad" else 1
    times = 10 if card == "nearest_utility" else 0
    events, end = follow(monopoly, drawing(start, "chance", cause, pips=7), card)
    assert events == [
        Drew("chance", card, cause),
        *([Passed("go", by, lap=True), SALARY] if passes_go else []),
        Landed(target, 7, by, rent, times),
        *ends(target),
    ]
    assert end == on(monopoly.index[target])


def test_back_three_from_chance_1_pays_the_income_tax(monopoly: Rules) -> None:
    """M7."""
    events, end = follow(monopoly, drawing(7, "chance", "chance_1", pips=7), "back_three")
    assert events == [
        Drew("chance", "back_three", "chance_1"),
        Landed("income_tax", 7, "chance.back_three"),
        Paid(200, PLAYER, BANK, "income_tax", "tax"),
        *ends("income_tax"),
    ]
    assert end == on(4)


def test_back_three_from_chance_2_reaches_new_york(monopoly: Rules) -> None:
    """M7."""
    events, end = follow(monopoly, drawing(22, "chance", "chance_2", pips=7), "back_three")
    assert events == [
        Drew("chance", "back_three", "chance_2"),
        Landed("new_york", 7, "chance.back_three"),
        *ends("new_york"),
    ]
    assert end == on(19)


def test_back_three_from_chance_3_draws_a_chest_card(monopoly: Rules) -> None:
    """M7: and what that card says happens, here the way to GO with its salary."""
    start = drawing(36, "chance", "chance_3", pips=7)
    events, pause = follow(monopoly, start, "back_three")
    assert events == [
        Drew("chance", "back_three", "chance_3"),
        Landed("community_chest_3", 7, "chance.back_three"),
    ]
    assert asked(pause) == "draw community_chest"
    events, end = follow(monopoly, pause, "advance_to_go")
    by = "community_chest.advance_to_go"
    assert events == [
        Drew("community_chest", "advance_to_go", "community_chest_3"),
        Passed("go", by, lap=True),
        SALARY,
        Landed("go", 7, by),
        *ends("go"),
    ]
    assert end == on(0)


def test_going_back_over_go_is_no_lap_and_no_salary(monopoly: Rules) -> None:
    """M6, M7: only going forward pays; a made-up card on Community Chest 1 goes back to 39."""
    rules = monopoly.but({"decks.community_chest.cards.doctor.effects": [{"move": -3}]})
    events, end = follow(rules, drawing(2, "community_chest", "community_chest_1"), "doctor")
    assert events == [
        Drew("community_chest", "doctor", "community_chest_1"),
        Landed("boardwalk", 0, "community_chest.doctor"),
        *ends("boardwalk"),
    ]
    assert end == on(39)


@pytest.mark.parametrize("deck", ["chance", "community_chest"])
def test_a_used_card_goes_under_its_deck(deck: str, monopoly: Rules) -> None:
    """M8."""
    assert monopoly.decks[deck].used == "bottom"


@pytest.mark.parametrize(
    ("square", "deck", "cause", "card", "other"),
    [
        (7, "chance", "chance_1", CHANCE_CARD, "community_chest"),
        (2, "community_chest", "community_chest_1", CHEST_CARD, "chance"),
    ],
)
def test_a_get_out_card_is_kept_and_is_out_of_its_deck_until_used(
    square: int, deck: str, cause: str, card: Keep, other: str
) -> None:
    """M8: while it is held its deck has 15 cards, and the other deck still 16."""
    rules = rules_of("monopoly").but(HOLDS_CARDS)
    events, end = follow(rules, drawing(square, deck, cause, pips=7), "get_out_of_jail")
    assert events[:2] == [
        Drew(deck, "get_out_of_jail", cause),
        Kept("get_out_of_jail", f"{deck}.get_out_of_jail"),
    ]
    assert end == on(square, held=(card,))
    left = {one.id: copies for one, copies in pack(Draw(deck), end.token, rules)}
    assert sum(left.values()) == 15
    assert "get_out_of_jail" not in left
    assert sum(copies for _, copies in pack(Draw(other), end.token, rules)) == 16
    assert sum(copies for _, copies in pack(Draw(deck), Token(square), rules)) == 16


def test_both_get_out_cards_may_be_held_and_are_used_one_at_a_time() -> None:
    """M8, M4b: there are two of them, one in each deck."""
    rules = rules_of("monopoly").but(HOLDS_CARDS)
    start = State(
        Token(2, held=(CHANCE_CARD,)),
        (Draw("community_chest", "community_chest_1"), EndRoll(), EndTurn()),
    )
    _, end = follow(rules, start, "get_out_of_jail")
    assert end.token.held == (CHANCE_CARD, CHEST_CARD)
    _, out = follow(rules, _in_jail(rules, held=end.token.held), "card", (4, 1))
    assert len(out.token.held) == 1
    assert out.token.square == 15


# ---------------------------------------------------------------- taxes, Free Parking, cards


@pytest.mark.parametrize(
    ("overlays", "square", "amount"),
    [
        ((), "income_tax", 200),
        ((), "luxury_tax", 75),
        (("editions/2008",), "income_tax", 200),
        (("editions/2008",), "luxury_tax", 100),
    ],
)
def test_a_tax_square_charges_the_tax_of_the_edition(
    overlays: tuple[str, ...], square: str, amount: int
) -> None:
    """M22."""
    rules = rules_of("monopoly", *overlays)
    place = rules.index[square]
    events, end = follow(rules, on(place - 3), (2, 1))
    assert events == [
        Rolled(3, double=False),
        Landed(square, 3),
        Paid(amount, PLAYER, BANK, square, "tax"),
        *ends(square),
    ]
    assert end == on(place)


@pytest.mark.parametrize(("overlays", "share"), [((), 10), (("editions/2008",), 0)])
def test_only_the_old_income_tax_offers_ten_percent(overlays: tuple[str, ...], share: int) -> None:
    """M22."""
    (tax,) = rules_of("monopoly", *overlays).square("income_tax").landing
    assert getattr(tax, "or_percent", None) == share


def test_free_parking_does_nothing(monopoly: Rules) -> None:
    """M16."""
    events, end = follow(monopoly, on(14), (5, 1))
    assert events == [Rolled(6, double=False), Landed("free_parking", 6), *ends("free_parking")]
    assert end == on(20)


def test_a_payment_to_the_players_is_not_one_to_the_bank(monopoly: Rules) -> None:
    """M23."""
    events, _ = follow(monopoly, drawing(7, "chance", "chance_1"), "chairman")
    assert events[1] == Paid(50, PLAYER, "players", "chance.chairman")
    events, _ = follow(monopoly, drawing(2, "community_chest", "community_chest_1"), "opera")
    assert events[1] == Paid(50, "players", PLAYER, "community_chest.opera")


def test_no_throw_crosses_takes_or_notes_anything(monopoly: Rules) -> None:
    """M16: no pot is fed or taken without a house rule."""
    seen = set()
    for start in range(40):
        for first in range(1, 7):
            for second in range(1, 7):
                events, _ = follow(monopoly, on(start), (first, second))
                seen |= {type(event) for event in events}
    assert not seen & {Crossed, Took, Noted}
    assert seen == {Rolled, Passed, Paid, Landed, Jailed, RollOver, TurnOver}


def test_a_fresh_throw_of_two_dice_means_seven_in_the_mean(monopoly: Rules) -> None:
    """M15: the card to the nearest utility asks for ten times a fresh throw."""
    law = sums(monopoly.dice, 2)
    assert sum(int(str(pips)) * chance for pips, chance in law.items()) == 7
