"""Easy Money on hand-made positions: what the numbered rules say, worked out by hand.

Each test names its rule or reading (E1 ..., A1 ... as in `data/easy_money/RULES.md`).  Spaces are
numbered 1 to 48 as on the board; the board is illustrative, the rules are not.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from conftest import asked, chain_of, drawing, follow, rules_of
from conftest import on as on_place

from boardrules.effects import BANK, DICE, Draw, EndRoll, EndTurn, Keep, Move, Roll, inner
from boardrules.events import (
    PLAYER,
    Crossed,
    Drew,
    Event,
    Kept,
    Landed,
    Paid,
    Passed,
    Rolled,
    RollOver,
    Spared,
    Took,
    TurnOver,
    landings,
)
from boardrules.library import load
from boardrules.rules import Rules
from boardrules.turn import State, Thrown, Token, begin, pack, throws

BONUS = Paid(250, BANK, PLAYER, "bonus", "bonus")
DOUBLES = "doubles"
EXEMPT = (Keep("exemption", "give_or_take.exemption"),)
HELD = "readings/exemption_held"


def on(number: int, *, held: tuple[Keep, ...] = ()) -> State:
    """A man who is about to throw on a space of the board, counted from 1."""
    return on_place(number - 1, held=held)


def ends(square: str) -> list[Event]:
    """The end of a roll, which is always the end of a turn (E7)."""
    return [RollOver(square), TurnOver(square)]


# ---------------------------------------------------------------------------- the board

NAMES = {
    "utility": {
        "Airdale Bus Lines",
        "L. M. Navigation Co.",
        "L. M. Telephone Co.",
        "Interurban Transit Co.",
        "Associated Airways",
    },
    "building": {"Waldorf Hotel", "Black Kat Night Club", "Majestic Theatre"},
    "hospital": {"City Hospital"},
    "legend spot": {
        "Airplane Crash",
        "Auto Accident",
        "Bonus",
        "Radio Program Contest",
        "United Trust Co.",
        "Espanola Lottery",
        "Y. M. C. A.",
        "Belmont Park Races",
    },
}

LEGENDS = {"legend", "bonus", "red_light"}

SPACES = """
1 Bonus; 3 Radio Program Contest; 5 Airdale Bus Lines; 7 Tax 1; 10 Y. M. C. A.; 12 Auto Accident;
13 City Hospital; 15 L. M. Navigation Co.; 17 United Trust Co.; 19 Waldorf Hotel; 21 Legend 1;
22 L. M. Telephone Co.; 24 Legend 2; 25 Espanola Lottery; 28 Black Kat Night Club;
30 Interurban Transit Co.; 32 Legend 3; 34 Airplane Crash; 36 Legend 4; 37 Belmont Park Races;
39 Associated Airways; 41 Red light (1st half); 42 Red light (2nd half); 44 Majestic Theatre;
46 Tax 2; 48 Legend 5
"""

STREETS = """
A 2 60; B 4 60; C 6 70; D 8 70; E 9 80; F 11 80; G 14 90; H 16 90; I 18 100; J 20 100; K 23 110;
L 26 110; M 27 110; N 29 120; O 31 120; P 33 130; Q 35 130; R 38 140; S 40 150; T 43 150; U 45 160;
V 47 170
"""
"""Letter, space, and the cost B of a house."""


def test_the_board_has_48_spaces_in_the_classes_of_the_rulebook(easy_money: Rules) -> None:
    """22 streets, 5 utilities, 3 buildings, 1 hospital, 17 spots with a legend."""
    assert [square.number for square in easy_money.squares] == list(range(1, 49))
    kinds = Counter(
        "legend spot" if square.kind in LEGENDS else square.kind for square in easy_money.squares
    )
    assert kinds == {
        "street": 22,
        "utility": 5,
        "building": 3,
        "hospital": 1,
        "legend spot": 17,
    }


@pytest.mark.parametrize("kind", NAMES)
def test_the_names_of_the_rulebook_are_there_exactly_once(kind: str, easy_money: Rules) -> None:
    for name in NAMES[kind]:
        (square,) = [one for one in easy_money.squares if one.name == name]
        assert ("legend spot" if square.kind in LEGENDS else square.kind) == kind


def test_every_space_stands_where_the_illustrative_board_has_it(easy_money: Rules) -> None:
    table = {}
    for entry in SPACES.replace("\n", " ").split(";"):
        number, name = entry.strip().split(maxsplit=1)
        table[int(number)] = name
    for entry in STREETS.replace("\n", " ").split(";"):
        letter, number, _ = entry.split()
        table[int(number)] = f"Street {letter}"
    assert {square.number: square.name for square in easy_money.squares} == table


def test_a_side_is_a_run_of_twelve_and_has_five_or_six_streets(easy_money: Rules) -> None:
    """E24: five players must be able to cover four sides."""
    sides = [side for side in (1, 2, 3, 4) for _ in range(12)]
    assert [square.side for square in easy_money.squares] == sides
    streets = Counter(square.side for square in easy_money.squares if square.kind == "street")
    assert streets == {1: 6, 2: 5, 3: 6, 4: 5}


def test_every_street_has_its_cost_mortgage_and_five_rents(easy_money: Rules) -> None:
    """E23, E30, E42: M = 2 B + 20, first rent B / 2, then 2, 4, 6, 8 times that (invented)."""
    for entry in STREETS.replace("\n", " ").split(";"):
        letter, number, cost = entry.split()
        house = int(cost)
        first = house // 2
        deed = easy_money.squares[int(number) - 1].deed
        assert deed is not None, letter
        assert (deed.kind, deed.house, deed.mortgage) == ("street", house, 2 * house + 20), letter
        assert deed.rent == (first, 2 * first, 4 * first, 6 * first, 8 * first), letter
        assert deed.price is None  # everything is sold by auction (E21)


@pytest.mark.parametrize(
    ("name", "fee"),
    [
        ("airdale_bus_lines", 40),
        ("navigation_co", 50),
        ("telephone_co", 50),
        ("interurban_transit_co", 60),
        ("associated_airways", 75),
    ],
)
def test_a_utility_has_a_fee_and_no_mortgage(name: str, fee: int, easy_money: Rules) -> None:
    """E38, E42."""
    deed = easy_money.square(name).deed
    assert deed is not None
    assert (deed.kind, deed.rent, deed.times_throw) == ("utility", (fee,), ())
    assert deed.mortgage is None


@pytest.mark.parametrize(
    ("name", "rent", "times", "mortgage"),
    [
        ("waldorf_hotel", (), (10,), 300),
        ("night_club", (50,), (), 200),
        ("majestic_theatre", (100,), (), 300),
    ],
)
def test_a_public_building_has_its_fee_and_a_mortgage(
    name: str, rent: tuple[int, ...], times: tuple[int, ...], mortgage: int, easy_money: Rules
) -> None:
    """E36, E37, E38, E42."""
    deed = easy_money.square(name).deed
    assert deed is not None
    assert (deed.kind, deed.rent, deed.times_throw) == ("building", rent, times)
    assert deed.mortgage == mortgage


def test_the_hospital_cannot_be_bought(easy_money: Rules) -> None:
    """E20."""
    assert easy_money.square("city_hospital").deed is None


def test_exactly_two_spaces_pay_the_hospital(easy_money: Rules) -> None:
    """E16."""
    paid = {
        square.number: effect.amount
        for square in easy_money.squares
        for effect in inner(square.landing)
        if getattr(effect, "taker", "") == "hospital"
    }
    assert paid == {12: 150, 34: 200}


def test_the_deck_has_one_exemption_card_and_three_to_the_club(easy_money: Rules) -> None:
    """E9, E12."""
    deck = easy_money.decks["give_or_take"]
    assert sum(card.copies for card in deck.cards) == 20
    kept = [card for card in deck.cards if any(isinstance(e, Keep) for e in card.effects)]
    assert [(card.id, card.copies) for card in kept] == [("exemption", 1)]
    assert {card.id: card.copies for card in deck.cards}["night_club"] == 3
    assert deck.used == "discard"  # A6


def test_the_money_rules_are_those_of_the_rulebook(easy_money: Rules) -> None:
    """E1, E21, E23, E24, E30, E31, E33, E42, E43, E44, E48; defaults of A8, A9, A13, A15."""
    assert easy_money.start.cash == 2000
    buying = easy_money.buying
    assert (buying.method, buying.smallest_bid) == ("auction", 5)
    assert (buying.first_house_free, buying.one_per_side) == (True, True)
    building = easy_money.building
    assert (building.levels, building.sell_back, building.own_turn_only) == (5, 0, True)
    assert (building.even, building.needs_group) == (False, False)
    mortgage = easy_money.mortgage
    assert set(mortgage.kinds) == {"street", "building"}
    assert (mortgage.interest, mortgage.rounding) == (Fraction(1, 10), "up")
    assert mortgage.own_turn_only
    end = easy_money.end
    assert end.when == "first_bankruptcy"
    assert (end.street_counts_as, end.building_counts_as) == ("mortgage", "mortgage")
    assert end.utility_counts_as == "price_paid"


# ---------------------------------------------------------------------------- moving


def test_two_dice_give_2_to_12_with_the_chances_of_36(easy_money: Rules) -> None:
    """E3."""
    law = throws(easy_money.dice)
    totals = {
        pips: law.get(Thrown(pips), Fraction(0)) + law.get(Thrown(pips, double=True), Fraction(0))
        for pips in range(2, 13)
    }
    assert totals == {pips: Fraction(6 - abs(pips - 7), 36) for pips in range(2, 13)}


@pytest.mark.parametrize("total", [3, 5, 7, 9, 11])
def test_the_first_throw_counts_the_start_as_one(total: int, easy_money: Rules) -> None:
    """E4, E5: a first throw of t ends on space t, and leaving the start earns nothing."""
    dice = (total // 2, total - total // 2)
    events, end = follow(easy_money, begin(easy_money), dice)
    square = easy_money.squares[total - 1].id
    assert events[:2] == [Rolled(total, double=False), Landed(square, total)]
    assert events[-2:] == ends(square)
    assert not any(isinstance(event, Passed) for event in events)
    assert end == on(total)


def test_the_second_throw_is_an_ordinary_one(easy_money: Rules) -> None:
    """E4, A1: 3 then 4 end on space 7, not on 6."""
    _, end = follow(easy_money, begin(easy_money), (1, 2), (1, 3))
    assert end == on(7)


def test_doubles_on_the_first_throw_draw_a_card_before_the_short_move(easy_money: Rules) -> None:
    """E8, E4: 2 and 2 draw, then end on space 4."""
    events, pause = follow(easy_money, begin(easy_money), (2, 2))
    assert events == [Rolled(4, double=True)]
    assert asked(pause) == "draw give_or_take"
    events, end = follow(easy_money, pause, "take_25")
    assert events == [
        Drew("give_or_take", "take_25", DOUBLES),
        Paid(25, BANK, PLAYER, "give_or_take.take_25"),
        Landed("street_b", 4),
        *ends("street_b"),
    ]
    assert end == on(4)


@pytest.mark.parametrize(
    ("start", "dice", "square", "number"),
    [(45, (1, 3), "bonus", 1), (46, (5, 2), "airdale_bus_lines", 5)],
    ids=["stops on Bonus", "crosses Bonus"],
)
def test_bonus_is_paid_for_stopping_on_it_or_crossing_it(
    start: int, dice: tuple[int, int], square: str, number: int, easy_money: Rules
) -> None:
    """E6."""
    events, end = follow(easy_money, on(start), dice)
    pips = sum(dice)
    assert events == [
        Rolled(pips, double=False),
        Passed("bonus", DICE, lap=True),
        BONUS,
        Landed(square, pips),
        *ends(square),
    ]
    assert end == on(number)


def test_leaving_bonus_does_not_pay_again(easy_money: Rules) -> None:
    """E6: once a circuit."""
    events, end = follow(easy_money, on(1), (2, 3))
    assert events == [Rolled(5, double=False), Landed("street_c", 5), *ends("street_c")]
    assert end == on(6)


def test_there_is_no_jail_and_no_second_throw(easy_money: Rules) -> None:
    """E7."""
    assert easy_money.jail is None
    assert (easy_money.doubles.after, easy_money.doubles.limit) == ((), 0)
    _, end = follow(easy_money, on(1), (3, 3), "pay_10")
    assert end == on(7)


def test_a_go_to_card_moves_the_man_and_the_dice_do_not(easy_money: Rules) -> None:
    """E9: from 14 the doubles 5 and 5 would lead to 24."""
    events, end = follow(easy_money, on(14), (5, 5), "night_club")
    by = "give_or_take.night_club"
    assert events == [
        Rolled(10, double=True),
        Drew("give_or_take", "night_club", DOUBLES),
        Landed("night_club", 10, by),
        *ends("night_club"),
    ]
    assert end == on(28)


def test_a_go_to_card_on_the_first_throw_leaves_the_start_without_bonus(easy_money: Rules) -> None:
    """E5, E9."""
    events, end = follow(easy_money, begin(easy_money), (1, 1), "night_club")
    assert events == [
        Rolled(2, double=True),
        Drew("give_or_take", "night_club", DOUBLES),
        Landed("night_club", 2, "give_or_take.night_club"),
        *ends("night_club"),
    ]
    assert end == on(28)


@pytest.mark.parametrize(
    ("overlays", "paid"),
    [((), [BONUS]), (("readings/card_crossing_unpaid",), [])],
    ids=["paid", "unpaid"],
)
def test_a_go_to_card_across_bonus_is_paid_as_the_reading_says(
    overlays: tuple[str, ...], paid: list[Event]
) -> None:
    """A3: default yes.  From 43 the way forward to the club crosses Bonus, but no red light."""
    by = "give_or_take.night_club"
    events, end = follow(rules_of("easy_money", *overlays), on(43), (2, 2), "night_club")
    assert events == [
        Rolled(4, double=True),
        Drew("give_or_take", "night_club", DOUBLES),
        Passed("bonus", by, lap=True),
        *paid,
        Landed("night_club", 4, by),
        *ends("night_club"),
    ]
    assert end == on(28)


def test_a_go_to_card_drawn_on_the_club_itself_goes_all_the_way_round(easy_money: Rules) -> None:
    """E9, A3: the move is forward, so it is a full circuit."""
    events, end = follow(easy_money, on(28), (2, 2), "night_club")
    by = "give_or_take.night_club"
    assert Passed("bonus", by, lap=True) in events
    assert BONUS in events
    assert end == on(28)


@pytest.mark.parametrize(
    ("card", "payment"),
    [
        ("take_200", Paid(200, BANK, PLAYER, "give_or_take.take_200")),
        ("pay_150", Paid(150, PLAYER, BANK, "give_or_take.pay_150")),
    ],
)
def test_a_money_card_is_settled_before_the_move_by_the_dice(
    card: str, payment: Paid, easy_money: Rules
) -> None:
    """E10: two money events in one turn; from 2 the doubles 4 and 4 reach the Y. M. C. A."""
    events, end = follow(easy_money, on(2), (4, 4), card)
    assert events == [
        Rolled(8, double=True),
        Drew("give_or_take", card, DOUBLES),
        payment,
        Landed("ymca", 8),
        Paid(25, PLAYER, BANK, "ymca"),
        *ends("ymca"),
    ]
    assert end == on(10)


def test_every_turn_has_exactly_one_landing() -> None:
    """E11: on every branch that ends a turn, with or without a card."""
    walk = chain_of("easy_money")
    ended = 0
    for branches in walk.branches:
        for branch in branches:
            over = sum(isinstance(event, TurnOver) for event in branch.events)
            assert sum(map(landings, branch.events)) == over <= 1
            ended += over
    assert ended


# ------------------------------------------------------------------------ exemption card


def test_the_exemption_card_goes_back_at_once_where_nobody_holds_cards(easy_money: Rules) -> None:
    """E12, E57: the usual chain keeps the full deck; the card is named in the record."""
    events, end = follow(easy_money, on(2), (1, 1), "exemption")
    assert events == [
        Rolled(2, double=True),
        Drew("give_or_take", "exemption", DOUBLES),
        Kept("exemption", "give_or_take.exemption"),
        Landed("street_b", 2),
        *ends("street_b"),
    ]
    assert end == on(4)


def test_the_exemption_card_is_kept_and_not_used_up() -> None:
    """E12: it spares its owner as long as he holds it, here two taxes in a row."""
    rules = rules_of("easy_money", HELD)
    _, end = follow(rules, on(2), (1, 1), "exemption")
    assert end == on(4, held=EXEMPT)
    events, end = follow(rules, end, (1, 2))
    assert events[-3:] == [Spared("exemption", "tax_1"), *ends("tax_1")]
    assert end == on(7, held=EXEMPT)
    events, end = follow(rules, on(43, held=end.token.held), (1, 2))
    assert events[-3:] == [Spared("exemption", "tax_2"), *ends("tax_2")]
    assert end == on(46, held=EXEMPT)


def test_while_the_exemption_card_is_held_the_deck_is_one_card_shorter() -> None:
    """E13: the go-to cards are then 3 of 19 and no longer 3 of 20."""
    rules = rules_of("easy_money", HELD)
    for held, size in (((), 20), (EXEMPT, 19)):
        left = pack(Draw("give_or_take"), Token(held=held), rules)
        cards = {card.id: copies for card, copies in left}
        assert sum(cards.values()) == size
        assert ("exemption" in cards) == (not held)
        assert cards["night_club"] == 3


TAGGED = [
    (4, (1, 2), "tax_1"),
    (43, (1, 2), "tax_2"),
    (45, (1, 2), "legend_5"),
]


@pytest.mark.parametrize(("start", "dice", "square"), TAGGED)
def test_the_exemption_card_spares_its_owner_taxes_and_traffic_on_spaces(
    start: int, dice: tuple[int, int], square: str
) -> None:
    """E14."""
    rules = rules_of("easy_money", HELD)
    events, _ = follow(rules, on(start, held=EXEMPT), dice)
    assert events == [
        Rolled(sum(dice), double=False),
        Landed(square, sum(dice)),
        Spared("exemption", square),
        *ends(square),
    ]


@pytest.mark.parametrize("card", ["traffic_fine_25", "tax_50", "tax_100"])
def test_the_exemption_card_spares_its_owner_taxes_and_traffic_on_cards(card: str) -> None:
    """E14."""
    rules = rules_of("easy_money", HELD)
    events, _ = follow(rules, on(2, held=EXEMPT), (1, 1), card)
    assert events == [
        Rolled(2, double=True),
        Drew("give_or_take", card, DOUBLES),
        Spared("exemption", f"give_or_take.{card}"),
        Landed("street_b", 2),
        *ends("street_b"),
    ]


@pytest.mark.parametrize(
    ("start", "dice", "payment"),
    [
        (7, (1, 4), Paid(150, PLAYER, "hospital", "auto_accident", "accident")),
        (31, (1, 2), Paid(200, PLAYER, "hospital", "airplane_crash", "accident")),
        (7, (1, 2), Paid(25, PLAYER, BANK, "ymca")),
        (34, (1, 2), Paid(100, PLAYER, BANK, "belmont_park_races")),
    ],
    ids=["auto accident", "airplane crash", "Y. M. C. A.", "races"],
)
def test_the_exemption_card_does_not_spare_accidents_and_other_losses(
    start: int, dice: tuple[int, int], payment: Paid
) -> None:
    """E14, A7."""
    rules = rules_of("easy_money", HELD)
    events, _ = follow(rules, on(start, held=EXEMPT), dice)
    assert payment in events
    assert not any(isinstance(event, Spared) for event in events)


@pytest.mark.parametrize("card", ["pay_10", "pay_50", "pay_75", "pay_100", "pay_150"])
def test_the_exemption_card_does_not_spare_other_cards(card: str) -> None:
    """E14."""
    rules = rules_of("easy_money", HELD)
    events, _ = follow(rules, on(2, held=EXEMPT), (1, 1), card)
    assert Paid(int(card[4:]), PLAYER, BANK, f"give_or_take.{card}") in events


# ------------------------------------------------------------------------------ hospital


@pytest.mark.parametrize(
    ("start", "dice", "square", "amount"),
    [(7, (1, 4), "auto_accident", 150), (31, (1, 2), "airplane_crash", 200)],
)
def test_an_accident_is_paid_to_the_hospital_and_not_to_the_bank(
    start: int, dice: tuple[int, int], square: str, amount: int, easy_money: Rules
) -> None:
    """E16."""
    events, _ = follow(easy_money, on(start), dice)
    assert events == [
        Rolled(sum(dice), double=False),
        Landed(square, sum(dice)),
        Paid(amount, PLAYER, "hospital", square, "accident"),
        *ends(square),
    ]


def test_who_arrives_at_the_hospital_by_dice_takes_its_money(easy_money: Rules) -> None:
    """E17."""
    events, end = follow(easy_money, on(8), (1, 4))
    assert events == [
        Rolled(5, double=False),
        Landed("city_hospital", 5),
        Took("hospital", "city_hospital"),
        *ends("city_hospital"),
    ]
    assert end == on(13)


def test_who_stands_at_the_hospital_gets_nothing_more(easy_money: Rules) -> None:
    """E18: moving off it takes nothing either."""
    events, _ = follow(easy_money, on(13), (1, 2))
    assert events == [Rolled(3, double=False), Landed("street_h", 3), *ends("street_h")]


def _with_a_card_to_the_hospital() -> Rules:
    card = {
        "id": "to_hospital",
        "effects": [{"goto": "city_hospital"}, {"forfeit": True}],
    }
    return load("easy_money", {"add": {"decks.give_or_take.cards": [card]}})


def test_who_is_sent_to_the_hospital_by_a_card_collects_nothing() -> None:
    """E19."""
    rules = _with_a_card_to_the_hospital()
    events, end = follow(rules, on(2), (3, 3), "to_hospital")
    assert events == [
        Rolled(6, double=True),
        Drew("give_or_take", "to_hospital", DOUBLES),
        Landed("city_hospital", 6, "give_or_take.to_hospital"),
        *ends("city_hospital"),
    ]
    assert end == on(13)


def test_doubles_with_a_money_card_still_arrive_by_dice_and_collect(easy_money: Rules) -> None:
    """E19: the trap."""
    events, end = follow(easy_money, on(3), (5, 5), "take_50")
    assert events == [
        Rolled(10, double=True),
        Drew("give_or_take", "take_50", DOUBLES),
        Paid(50, BANK, PLAYER, "give_or_take.take_50"),
        Landed("city_hospital", 10),
        Took("hospital", "city_hospital"),
        *ends("city_hospital"),
    ]
    assert end == on(13)


# ----------------------------------------------------------------------- rents and legends


@pytest.mark.parametrize(
    ("start", "dice", "said"),
    [(16, (1, 2), ()), (9, (5, 5), ("pay_10",)), (14, (1, 4), ())],
    ids=["3", "10 by doubles", "5"],
)
def test_the_hotel_knows_the_throw_that_brought_its_guest(
    start: int, dice: tuple[int, int], said: tuple[str, ...], easy_money: Rules
) -> None:
    """E36: doubles count with their sum."""
    events, end = follow(easy_money, on(start), dice, *said)
    assert Landed("waldorf_hotel", sum(dice)) in events
    assert end == on(19)


def test_the_worked_example_of_the_hotel_comes_to_70(easy_money: Rules) -> None:
    """E36: 5 and 2 cost $70."""
    events, _ = follow(easy_money, on(12), (5, 2))
    (stop,) = [event for event in events if isinstance(event, Landed)]
    deed = easy_money.square(stop.square).deed
    assert deed is not None
    assert stop.pips * deed.times_throw[0] == 70


@pytest.mark.parametrize("said", [(), ("night_club",)], ids=["by dice", "by card"])
def test_the_club_charges_its_normal_fee_by_dice_or_by_card(
    said: tuple[str, ...], easy_money: Rules
) -> None:
    """E37: neither way multiplies it."""
    start, dice = (24, (1, 3)) if not said else (24, (1, 1))
    events, end = follow(easy_money, on(start), dice, *said)
    (stop,) = [event for event in events if isinstance(event, Landed)]
    assert (stop.square, stop.rent, stop.times_throw) == ("night_club", 1, 0)
    assert end == on(28)


LEGEND_TABLE = [
    (3, "radio_program_contest", Paid(50, BANK, PLAYER, "radio_program_contest")),
    (7, "tax_1", Paid(75, PLAYER, BANK, "tax_1", "tax")),
    (10, "ymca", Paid(25, PLAYER, BANK, "ymca")),
    (12, "auto_accident", Paid(150, PLAYER, "hospital", "auto_accident", "accident")),
    (17, "united_trust_co", Paid(100, BANK, PLAYER, "united_trust_co")),
    (21, "legend_1", Paid(40, BANK, PLAYER, "legend_1")),
    (24, "legend_2", Paid(30, PLAYER, BANK, "legend_2")),
    (25, "espanola_lottery", Paid(200, BANK, PLAYER, "espanola_lottery")),
    (32, "legend_3", Paid(25, BANK, PLAYER, "legend_3")),
    (34, "airplane_crash", Paid(200, PLAYER, "hospital", "airplane_crash", "accident")),
    (36, "legend_4", Paid(50, PLAYER, BANK, "legend_4")),
    (37, "belmont_park_races", Paid(100, PLAYER, BANK, "belmont_park_races")),
    (46, "tax_2", Paid(100, PLAYER, BANK, "tax_2", "tax")),
    (48, "legend_5", Paid(20, PLAYER, BANK, "legend_5", "traffic")),
]


@pytest.mark.parametrize(("number", "square", "payment"), LEGEND_TABLE)
def test_a_legend_pays_or_charges_what_it_says(
    number: int, square: str, payment: Paid, easy_money: Rules
) -> None:
    """E40, E16."""
    three_before = (number - 4) % 48 + 1
    events, end = follow(easy_money, on(three_before), (1, 2))
    bonus = [Passed("bonus", DICE, lap=True), BONUS] if number <= 3 else []
    assert events == [
        Rolled(3, double=False),
        *bonus,
        Landed(square, 3),
        payment,
        *ends(square),
    ]
    assert end == on(number)


def test_the_table_of_legends_is_complete(easy_money: Rules) -> None:
    """E40: 17 spots, of which Bonus and the two halves of the red light act on passing only."""
    tested = {square for _, square, _ in LEGEND_TABLE}
    legends = {square.id for square in easy_money.squares if square.kind in LEGENDS}
    assert legends == tested | {"bonus", "red_light_1", "red_light_2"}
    assert len(legends) == 17


CHARGE = [Crossed("red_light_1"), Paid(10, PLAYER, BANK, "red_light_1", "traffic")]


@pytest.mark.parametrize(
    ("start", "dice", "square", "charged"),
    [
        (40, (1, 2), "street_t", True),
        (38, (1, 4), "street_t", True),
        (38, (1, 2), "red_light_1", False),
        (38, (1, 3), "red_light_2", False),
        (40, (1, 4), "street_u", True),
        (41, (1, 2), "majestic_theatre", False),
        (42, (1, 2), "street_u", False),
        (35, (1, 3), "associated_airways", False),
    ],
    ids=[
        "crossed at once",
        "crossed from afar",
        "stopped on the 1st half",
        "stopped on the 2nd half",
        "crossed from next to it",
        "leaving the 1st half",
        "leaving the 2nd half",
        "not reached",
    ],
)
def test_the_red_light_charges_once_for_running_past_both_halves(
    start: int, dice: tuple[int, int], square: str, charged: bool, easy_money: Rules
) -> None:
    """E41: nothing for stopping on it or moving off it."""
    events, _ = follow(easy_money, on(start), dice)
    assert events == [
        Rolled(sum(dice), double=False),
        *(CHARGE if charged else []),
        Landed(square, sum(dice)),
        *ends(square),
    ]


@pytest.mark.parametrize(
    ("start", "dice", "square", "charged"),
    [
        (41, (1, 2), "majestic_theatre", False),
        (42, (1, 2), "street_u", False),
        (38, (1, 2), "red_light_1", False),
        (38, (1, 3), "red_light_2", False),
        (40, (1, 2), "street_t", True),
    ],
    ids=["leaving the 1st", "leaving the 2nd", "stopped on the 1st", "on the 2nd", "crossed"],
)
def test_the_two_halves_are_one_spot_whichever_bears_the_charge(
    start: int, dice: tuple[int, int], square: str, charged: bool, easy_money: Rules
) -> None:
    """E41: on a made-up board the second half bears it; who moves off the first goes free."""
    fine = {"pay": 10, "tag": "traffic"}
    rules = easy_money.but(
        {"squares.red_light_1.crossing": [], "squares.red_light_2.crossing": [fine]}
    )
    events, _ = follow(rules, on(start), dice)
    paid = Paid(10, PLAYER, BANK, "red_light_2", "traffic")
    assert events == [
        Rolled(sum(dice), double=False),
        *([Crossed("red_light_2"), paid] if charged else []),
        Landed(square, sum(dice)),
        *ends(square),
    ]


def test_the_red_light_is_charged_before_the_landing_is_settled(easy_money: Rules) -> None:
    """E41, E40: from 40 a 6 crosses the light and stops on Tax 2."""
    events, _ = follow(easy_money, on(40), (2, 4))
    assert events == [
        Rolled(6, double=False),
        *CHARGE,
        Landed("tax_2", 6),
        Paid(100, PLAYER, BANK, "tax_2", "tax"),
        *ends("tax_2"),
    ]


@pytest.mark.parametrize(
    ("overlays", "charged"),
    [((), False), (("readings/card_crosses_red_light",), True)],
    ids=["default", "reading"],
)
def test_a_card_move_past_the_red_light_is_charged_as_the_reading_says(
    overlays: tuple[str, ...], charged: bool
) -> None:
    """A4: default no."""
    by = "give_or_take.night_club"
    events, _ = follow(rules_of("easy_money", *overlays), on(37), (1, 1), "night_club")
    crossed = [event for event in events if isinstance(event, Crossed)]
    fines = [event for event in events if isinstance(event, Paid) and event.tag == "traffic"]
    assert crossed == ([Crossed("red_light_1", by)] if charged else [])
    assert fines == ([Paid(10, PLAYER, BANK, "red_light_1", "traffic")] if charged else [])


@pytest.mark.parametrize(
    ("overlays", "spared"),
    [((HELD,), True), ((HELD, "readings/red_light_for_all"), False)],
    ids=["default", "reading"],
)
def test_the_exempt_run_the_red_light_free_as_the_reading_says(
    overlays: tuple[str, ...], spared: bool
) -> None:
    """A23, E14: default free."""
    events, _ = follow(rules_of("easy_money", *overlays), on(40, held=EXEMPT), (1, 2))
    after_throw = [Crossed("red_light_1"), Spared("exemption", "red_light_1")] if spared else CHARGE
    assert events == [
        Rolled(3, double=False),
        *after_throw,
        Landed("street_t", 3),
        *ends("street_t"),
    ]


def test_a_drawn_card_is_a_question_of_its_own(easy_money: Rules) -> None:
    """E8: the pause after doubles asks for a card and then for nothing else this turn."""
    _, pause = follow(easy_money, on(2), (1, 1))
    assert pause == State(
        Token(1, pips=2), (Draw("give_or_take", DOUBLES), Move(2, DICE), EndRoll(), EndTurn())
    )
    _, end = follow(easy_money, pause, "take_25")
    assert end.agenda == (Roll(), EndTurn())


def test_a_drawn_card_met_by_hand_does_the_same_as_on_the_way(easy_money: Rules) -> None:
    """E10: a position that begins with the card and goes on with the move."""
    start = drawing(1, "give_or_take", DOUBLES, pips=2, then=(Move(2, DICE),))
    assert start.token == Token(1, pips=2)
    events, end = follow(easy_money, start, "pay_10")
    assert events == [
        Drew("give_or_take", "pay_10", DOUBLES),
        Paid(10, PLAYER, BANK, "give_or_take.pay_10"),
        Landed("street_b", 2),
        *ends("street_b"),
    ]
    assert end == on(4)
