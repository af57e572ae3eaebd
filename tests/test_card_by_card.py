"""Every card of every deck, by hand: a card that is silently ignored has to show up here.

The tables hold what each card makes happen after it is drawn, up to the end of the turn; they are
written from the card lists of the games.  A deck with a card that no table knows fails, and so does
a table with a card that is in no deck.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from conftest import drawing, follow, rules_of

from boardrules.effects import BANK, DICE, Move
from boardrules.events import (
    PLAYER,
    Answered,
    Drew,
    Event,
    Jailed,
    Kept,
    Landed,
    Noted,
    Owed,
    Paid,
    Passed,
    Repaired,
    RollOver,
    TurnOver,
    bank,
    total,
)
from boardrules.library import games
from boardrules.rules import Rules

PLAYERS = "players"
SALARY = Paid(200, BANK, PLAYER, "go", "salary")
Table = dict[str, list[Event]]


def stay(square: str, *events: Event, jail: int = 0) -> list[Event]:
    """What a card brings to a token that ends its turn on a square."""
    return [*events, RollOver(square, jail), TurnOver(square, jail)]


def cards_of(rules: Rules, deck: str) -> list[str]:
    """The ids of a deck."""
    return [card.id for card in rules.decks[deck].cards]


# ------------------------------------------------------------- Monopoly: drawn on Chance 2


def chance(square: str, card: str, *events: Event, rent: int = 1, times: int = 0) -> list[Event]:
    """A Chance card that moves the token from square 22, with a throw of 7, to another square."""
    return stay(square, *events, Landed(square, 7, f"chance.{card}", rent, times))


CHANCE: Table = {
    "advance_to_go": chance(
        "go", "advance_to_go", Passed("go", "chance.advance_to_go", lap=True), SALARY
    ),
    "illinois": chance("illinois", "illinois"),
    "st_charles": chance(
        "st_charles", "st_charles", Passed("go", "chance.st_charles", lap=True), SALARY
    ),
    "reading": chance("reading", "reading", Passed("go", "chance.reading", lap=True), SALARY),
    "boardwalk": chance("boardwalk", "boardwalk"),
    "nearest_railroad": chance("b_and_o", "nearest_railroad", rent=2),
    "nearest_utility": chance("water_works", "nearest_utility", times=10),
    "back_three": chance("new_york", "back_three"),
    "go_to_jail": stay("jail", Jailed("chance.go_to_jail"), jail=1),
    "get_out_of_jail": stay("chance_2", Kept("get_out_of_jail", "chance.get_out_of_jail")),
    "repairs": stay("chance_2", Repaired(25, 100, "chance.repairs")),
    "poor_tax": stay("chance_2", Paid(15, PLAYER, BANK, "chance.poor_tax", "fine")),
    "chairman": stay("chance_2", Paid(50, PLAYER, PLAYERS, "chance.chairman")),
    "dividend": stay("chance_2", Paid(50, BANK, PLAYER, "chance.dividend")),
    "building_loan": stay("chance_2", Paid(150, BANK, PLAYER, "chance.building_loan")),
}


def gets(card: str, amount: int, giver: str = BANK) -> list[Event]:
    """A Community Chest card that pays the player, drawn on square 17."""
    return stay("community_chest_2", Paid(amount, giver, PLAYER, f"community_chest.{card}"))


def pays(card: str, amount: int) -> list[Event]:
    """A Community Chest card that charges the player, drawn on square 17."""
    return stay("community_chest_2", Paid(amount, PLAYER, BANK, f"community_chest.{card}", "fine"))


CHEST: Table = {
    "advance_to_go": stay(
        "go",
        Passed("go", "community_chest.advance_to_go", lap=True),
        SALARY,
        Landed("go", 7, "community_chest.advance_to_go"),
    ),
    "go_to_jail": stay("jail", Jailed("community_chest.go_to_jail"), jail=1),
    "get_out_of_jail": stay(
        "community_chest_2", Kept("get_out_of_jail", "community_chest.get_out_of_jail")
    ),
    "bank_error": gets("bank_error", 200),
    "holiday_fund": gets("holiday_fund", 100),
    "life_insurance": gets("life_insurance", 100),
    "inheritance": gets("inheritance", 100),
    "stock": gets("stock", 45),
    "services": gets("services", 25),
    "tax_refund": gets("tax_refund", 20),
    "beauty_prize": gets("beauty_prize", 10),
    "doctor": pays("doctor", 50),
    "hospital": pays("hospital", 100),
    "school": pays("school", 150),
    "street_repairs": stay(
        "community_chest_2", Repaired(40, 115, "community_chest.street_repairs")
    ),
    "opera": gets("opera", 50, PLAYERS),
}

CHEST_2008: Table = {
    **CHEST,
    "stock": gets("stock", 50),
    "school": pays("school", 50),
    "opera": gets("opera", 10, PLAYERS),
}


@pytest.mark.parametrize("edition", ["before 2008", "2008"])
@pytest.mark.parametrize("card", CHANCE)
def test_a_chance_card_does_what_it_says(card: str, edition: str) -> None:
    rules = rules_of("monopoly", *(["editions/2008"] if edition == "2008" else []))
    events, _ = follow(rules, drawing(22, "chance", "chance_2", pips=7), card)
    assert events == [Drew("chance", card, "chance_2"), *CHANCE[card]]


@pytest.mark.parametrize(
    ("overlays", "table"),
    [((), CHEST), (("editions/2008",), CHEST_2008)],
    ids=["before 2008", "2008"],
)
@pytest.mark.parametrize("card", CHEST)
def test_a_community_chest_card_does_what_it_says(
    card: str, overlays: tuple[str, ...], table: Table
) -> None:
    start = drawing(17, "community_chest", "community_chest_2", pips=7)
    events, _ = follow(rules_of("monopoly", *overlays), start, card)
    assert events == [Drew("community_chest", card, "community_chest_2"), *table[card]]


# ------------------------------------------------------------------------------ Easy Money


def take(amount: int) -> list[Event]:
    """A Take card, drawn with doubles of 2 and 2 on space 2."""
    return [Paid(amount, BANK, PLAYER, f"give_or_take.take_{amount}")]


def pay(card: str, amount: int, tag: str = "") -> list[Event]:
    """A Pay card."""
    return [Paid(amount, PLAYER, BANK, f"give_or_take.{card}", tag)]


GIVE_OR_TAKE: Table = {
    "exemption": [Kept("exemption", "give_or_take.exemption")],
    "take_25": take(25),
    "take_50": take(50),
    "take_75": take(75),
    "take_100": take(100),
    "take_150": take(150),
    "take_200": take(200),
    "pay_10": pay("pay_10", 10),
    "traffic_fine_25": pay("traffic_fine_25", 25, "traffic"),
    "pay_50": pay("pay_50", 50),
    "tax_50": pay("tax_50", 50, "tax"),
    "pay_75": pay("pay_75", 75),
    "tax_100": pay("tax_100", 100, "tax"),
    "pay_100": pay("pay_100", 100),
    "pay_150": pay("pay_150", 150),
}
"""Cards that leave the move by the dice to come: from space 2 by 4 to Street C."""

COPIES = {"night_club": 3, "take_50": 2, "take_100": 2}


@pytest.mark.parametrize("card", GIVE_OR_TAKE)
def test_a_give_or_take_card_is_settled_and_the_dice_move_on(card: str) -> None:
    """E10, E12."""
    start = drawing(1, "give_or_take", "doubles", pips=4, then=[Move(4, DICE)])
    events, _ = follow(rules_of("easy_money"), start, card)
    assert events == [
        Drew("give_or_take", card, "doubles"),
        *GIVE_OR_TAKE[card],
        *stay("street_c", Landed("street_c", 4)),
    ]


def test_the_card_to_the_club_moves_there_and_the_dice_do_not() -> None:
    """E9."""
    start = drawing(1, "give_or_take", "doubles", pips=4, then=[Move(4, DICE)])
    events, _ = follow(rules_of("easy_money"), start, "night_club")
    assert events == [
        Drew("give_or_take", "night_club", "doubles"),
        *stay("night_club", Landed("night_club", 4, "give_or_take.night_club")),
    ]


# ---------------------------------------------------------------------------------- Payday

DEALS = {
    "tractor": 950,
    "quick_food_franchise": 700,
    "stamp_collection": 350,
    "bottle_collection": 200,
    "share_of_a_race_horse": 700,
    "coin_collection": 500,
    "used_sports_car": 800,
    "two_acre_vacation_home": 1000,
    "powerboat": 1500,
    "family_camper": 1100,
    "john_smiths_autograph": 200,
    "diamond_ring": 350,
    "unclaimed_furniture": 150,
    "copper_pipe": 300,
    "share_in_a_condo": 1500,
    "antique_automobile": 350,
}


def owes(card: str, amount: int, kind: str = "bill") -> list[Event]:
    """A bill, kept until Pay Day."""
    return [Owed(amount, kind, f"mail.{card}")]


MAIL: dict[str, tuple[int, list[Event]]] = {
    "bill_15": (2, owes("bill_15", 15)),
    "bill_20": (2, owes("bill_20", 20)),
    "bill_25": (4, owes("bill_25", 25)),
    "bill_30": (1, owes("bill_30", 30)),
    "bill_35": (1, owes("bill_35", 35)),
    "bill_50": (3, owes("bill_50", 50)),
    "bill_60": (1, owes("bill_60", 60)),
    "bill_75": (1, owes("bill_75", 75)),
    "bill_80": (1, owes("bill_80", 80)),
    "bill_90": (1, owes("bill_90", 90)),
    "bill_100": (1, owes("bill_100", 100)),
    "bill_125": (1, owes("bill_125", 125)),
    "bill_250": (1, owes("bill_250", 250)),
    "bill_300": (1, owes("bill_300", 300)),
    "bill_500": (1, owes("bill_500", 500)),
    "bill_800": (1, owes("bill_800", 800)),
    "medical_15": (1, owes("medical_15", 15, "medical")),
    "medical_20": (1, owes("medical_20", 20, "medical")),
    "medical_25": (1, owes("medical_25", 25, "medical")),
    "medical_85": (1, owes("medical_85", 85, "medical")),
    "medical_150": (1, owes("medical_150", 150, "medical")),
    "medical_15_b": (1, owes("medical_15_b", 15, "medical")),
    "medical_150_b": (1, owes("medical_150_b", 150, "medical")),
    "car_25": (1, owes("car_25", 25, "car")),
    "car_50": (1, owes("car_50", 50, "car")),
    "car_100": (2, owes("car_100", 100, "car")),
    "car_150": (1, owes("car_150", 150, "car")),
    "car_50_b": (1, owes("car_50_b", 50, "car")),
    "windfall_20": (1, [Paid(20, BANK, PLAYER, "mail.windfall_20")]),
    "windfall_50": (1, [Paid(50, BANK, PLAYER, "mail.windfall_50")]),
    "windfall_150": (1, [Paid(150, BANK, PLAYER, "mail.windfall_150")]),
    "lottery_50": (2, [Kept("lottery_ticket", "mail.lottery_50", 50)]),
    "lottery_100": (2, [Kept("lottery_ticket", "mail.lottery_100", 100)]),
    "swellfare": (2, [Noted("swellfare", "mail.swellfare")]),
    "nothing": (13, []),
}
"""Copies in the deck of 64, and what happens; the two insurances ask a question first."""

EXTRA: dict[str, tuple[int, list[Event]]] = {
    "medical_50_extra": (1, owes("medical_50_extra", 50, "medical")),
    "medical_75_extra": (2, owes("medical_75_extra", 75, "medical")),
    "car_75_extra": (1, owes("car_75_extra", 75, "car")),
    "nothing_extra": (4, []),
}
"""The eight cards that make 72."""

INSURANCE = {"car_insurance": (3, 200), "health_insurance": (3, 150)}
"""Copies and price."""


@pytest.mark.parametrize("card", [*MAIL, *EXTRA])
def test_a_mail_card_does_what_it_says(card: str) -> None:
    """P11, P12, P13, P15."""
    copies, happens = {**MAIL, **EXTRA}[card]
    rules = rules_of("payday")
    events, _ = follow(rules, drawing(11, "mail", "day_11"), card)
    assert events == [Drew("mail", card, "day_11"), *stay("day_11", *happens)]
    assert {one.id: one.copies for one in rules.decks["mail"].cards}[card] == copies


@pytest.mark.parametrize("card", INSURANCE)
def test_an_insurance_card_is_bought_or_discarded(card: str) -> None:
    """P14."""
    copies, price = INSURANCE[card]
    rules = rules_of("payday")
    cause = f"mail.{card}"
    bought = [Paid(price, PLAYER, BANK, cause), Kept(card, cause)]
    for answer, happens in (("buy", bought), ("refuse", [])):
        events, _ = follow(rules, drawing(11, "mail", "day_11"), card, answer)
        assert events == [
            Drew("mail", card, "day_11"),
            Answered("buy_insurance", answer, cause),
            *stay("day_11", *happens),
        ]
    assert {one.id: one.copies for one in rules.decks["mail"].cards}[card] == copies


@pytest.mark.parametrize("card", DEALS)
def test_a_deal_is_bought_at_its_cost_or_refused(card: str) -> None:
    """P6, P8."""
    cause = f"deals.{card}"
    bought = [Paid(DEALS[card], PLAYER, BANK, cause), Kept(card, cause), Noted("commission", cause)]
    for answer, happens in (("buy", bought), ("refuse", [])):
        events, _ = follow(rules_of("payday"), drawing(12, "deals", "day_12"), card, answer)
        assert events == [
            Drew("deals", card, "day_12"),
            Answered("buy_deal", answer, cause),
            *stay("day_12", *happens),
        ]


# ----------------------------------------------------------------------------- Corner Shop

LETTERS: Table = {
    "to_the_corner": stay(
        "corner",
        Passed("corner", "letters.to_the_corner", lap=True),
        Paid(10, BANK, PLAYER, "corner", "salary"),
        Landed("corner", 2, "letters.to_the_corner"),
    ),
    "birthday_money": stay("letter_box", Paid(6, BANK, PLAYER, "letters.birthday_money")),
    "library_fine": stay("letter_box", Paid(3, PLAYER, BANK, "letters.library_fine", "fine")),
    "to_the_station": stay("station", Jailed("letters.to_the_station"), jail=1),
}


@pytest.mark.parametrize("card", LETTERS)
def test_a_letter_does_what_it_says(card: str) -> None:
    """C4, C5."""
    start = drawing(2, "letters", "letter_box", pips=2)
    events, _ = follow(rules_of("corner_shop"), start, card)
    assert events == [Drew("letters", card, "letter_box"), *LETTERS[card]]


# ------------------------------------------------------------------------------- the decks

DECKS: dict[tuple[str, tuple[str, ...], str], tuple[int, set[str]]] = {
    ("monopoly", (), "chance"): (16, set(CHANCE)),
    ("monopoly", (), "community_chest"): (16, set(CHEST)),
    ("monopoly", ("editions/2008",), "chance"): (16, set(CHANCE)),
    ("monopoly", ("editions/2008",), "community_chest"): (16, set(CHEST_2008)),
    ("easy_money", (), "give_or_take"): (20, {*GIVE_OR_TAKE, "night_club"}),
    ("payday", (), "deals"): (16, set(DEALS)),
    ("payday", (), "mail"): (72, {*MAIL, *EXTRA, *INSURANCE}),
    ("payday", ("editions/mail_64",), "deals"): (16, set(DEALS)),
    ("payday", ("editions/mail_64",), "mail"): (64, {*MAIL, *INSURANCE}),
    ("corner_shop", (), "letters"): (4, set(LETTERS)),
}
"""How many cards a deck has, and which: each card stands in a table of this file."""


@pytest.mark.parametrize("deck", DECKS, ids=lambda key: " ".join((key[0], *key[1], key[2])))
def test_a_deck_has_its_cards_and_no_others(deck: tuple[str, tuple[str, ...], str]) -> None:
    game, overlays, name = deck
    size, cards = DECKS[deck]
    rules = rules_of(game, *overlays)
    assert set(cards_of(rules, name)) == cards
    assert sum(card.copies for card in rules.decks[name].cards) == size


def test_no_deck_of_any_game_is_forgotten() -> None:
    """A new game, deck or card has to be written into the tables above."""
    known = {(game, deck) for game, _, deck in DECKS}
    shelf = {(game.name, deck) for game in games() for deck in rules_of(game.name).decks}
    assert known == shelf


def test_the_copies_of_the_easy_money_deck_are_those_of_the_list() -> None:
    copies = {card.id: card.copies for card in rules_of("easy_money").decks["give_or_take"].cards}
    assert copies == {card: COPIES.get(card, 1) for card in [*GIVE_OR_TAKE, "night_club"]}


def test_two_of_the_chance_cards_lead_to_the_next_railroad() -> None:
    copies = {card.id: card.copies for card in rules_of("monopoly").decks["chance"].cards}
    assert copies == {card: 2 if card == "nearest_railroad" else 1 for card in CHANCE}


@pytest.mark.parametrize(("deck", "moving"), [("chance", 10), ("community_chest", 2)])
@pytest.mark.parametrize("overlays", [(), ("editions/2008",)], ids=["before 2008", "2008"])
def test_as_many_cards_move_the_token_as_the_lists_say(
    overlays: tuple[str, ...], deck: str, moving: int
) -> None:
    """10 of 16 in Chance, 2 of 16 in Community Chest, jail included, in every edition."""
    rules = rules_of("monopoly", *overlays)
    square, cause = {"chance": (22, "chance_2"), "community_chest": (17, "community_chest_2")}[deck]
    found = Fraction(0)
    for card in rules.decks[deck].cards:
        _, end = follow(rules, drawing(square, deck, cause, pips=7), card.id)
        if end.token.square != square:
            found += card.copies
    assert found == moving


@pytest.mark.parametrize(
    ("overlays", "deck", "amount"),
    [
        ((), "chance", 185),
        ((), "community_chest", 300),
        (("editions/2008",), "chance", 185),
        (("editions/2008",), "community_chest", 405),
    ],
)
def test_the_cash_of_a_deck_adds_up_as_listed(
    overlays: tuple[str, ...], deck: str, amount: int
) -> None:
    """All cards but salary, repairs and payments between players: 50 + 150 - 15, and so on."""
    rules = rules_of("monopoly", *overlays)
    square, cause = {"chance": (22, "chance_2"), "community_chest": (17, "community_chest_2")}[deck]
    found = Fraction(0)
    for card in rules.decks[deck].cards:
        events, _ = follow(rules, drawing(square, deck, cause, pips=7), card.id)
        found += card.copies * total(bank, [event for event in events if event != SALARY])
    assert found == amount
