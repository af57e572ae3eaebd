"""The Corner Shop on hand-made positions: the rules C1 to C7 of `data/corner_shop/RULES.md`.

Squares are counted from 0: corner, bakery, letter box, book shop, station, toy shop, red light,
market.  A coin shows 1 or 2.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from conftest import asked, drawing, follow, jailed, on

from boardrules.effects import BANK, DICE
from boardrules.events import (
    PLAYER,
    Answered,
    Drew,
    Event,
    Freed,
    Jailed,
    Landed,
    Paid,
    Passed,
    Rolled,
    RollOver,
    TurnOver,
)
from boardrules.rules import Rules
from boardrules.turn import State, Thrown, Token, begin, throws

CORNER = Paid(10, BANK, PLAYER, "corner", "salary")
FINE = Paid(5, PLAYER, BANK, "jail", "fine")


def ends(square: str, jail: int = 0) -> list[Event]:
    """The end of a throw, which is always the end of a turn (C1)."""
    return [RollOver(square, jail), TurnOver(square, jail)]


def test_two_coins_give_2_to_4(corner_shop: Rules) -> None:
    """C1."""
    assert throws(corner_shop.dice) == {
        Thrown(2, double=True): Fraction(1, 4),
        Thrown(3): Fraction(1, 2),
        Thrown(4, double=True): Fraction(1, 4),
    }


def test_the_board_is_the_printed_one(corner_shop: Rules) -> None:
    """C2, C3, C7: names, prices and rents."""
    assert [square.name for square in corner_shop.squares] == [
        "Corner",
        "Bakery",
        "Letter Box",
        "Book Shop",
        "Police Station",
        "Toy Shop",
        "Red Light",
        "Market",
    ]
    deeds = {s.id: (s.deed.price, s.deed.rent) for s in corner_shop.squares if s.deed}
    assert deeds == {
        "bakery": (12, (2, 5, 9)),
        "book_shop": (16, (3, 7, 12)),
        "toy_shop": (20, (4, 9, 15)),
    }
    assert corner_shop.start.cash == 40
    assert begin(corner_shop) == on(0)


@pytest.mark.parametrize("coins", [(1, 1), (1, 2), (2, 2)])
def test_equal_coins_give_no_second_throw(coins: tuple[int, int], corner_shop: Rules) -> None:
    """C1: from the bakery to the shops beyond."""
    events, end = follow(corner_shop, on(1), coins)
    square = {2: "book_shop", 3: "station", 4: "toy_shop"}[sum(coins)]
    assert events == [
        Rolled(sum(coins), double=coins[0] == coins[1]),
        Landed(square, sum(coins)),
        *ends(square),
    ]
    assert end == on(1 + sum(coins))


@pytest.mark.parametrize(
    ("start", "coins", "square"),
    [(6, (1, 1), "corner"), (7, (1, 1), "bakery"), (5, (2, 2), "bakery")],
    ids=["stops", "passes", "passes by four"],
)
def test_the_corner_pays_for_stopping_and_for_passing(
    start: int, coins: tuple[int, int], square: str, corner_shop: Rules
) -> None:
    """C2."""
    pips = sum(coins)
    events, _ = follow(corner_shop, on(start), coins)
    assert events == [
        Rolled(pips, double=True),
        Passed("corner", DICE, lap=True),
        CORNER,
        Landed(square, pips),
        *ends(square),
    ]


def test_the_letter_to_the_corner_pays_too(corner_shop: Rules) -> None:
    """C2, C4."""
    events, end = follow(corner_shop, on(0), (1, 1), "to_the_corner")
    by = "letters.to_the_corner"
    assert events == [
        Rolled(2, double=True),
        Landed("letter_box", 2),
        Drew("letters", "to_the_corner", "letter_box"),
        Passed("corner", by, lap=True),
        CORNER,
        Landed("corner", 2, by),
        *ends("corner"),
    ]
    assert end == on(0)


@pytest.mark.parametrize(
    ("card", "happens"),
    [
        ("birthday_money", Paid(6, BANK, PLAYER, "letters.birthday_money")),
        ("library_fine", Paid(3, PLAYER, BANK, "letters.library_fine", "fine")),
    ],
)
def test_a_money_letter_is_settled_at_once(card: str, happens: Paid, corner_shop: Rules) -> None:
    """C4."""
    events, end = follow(corner_shop, drawing(2, "letters", "letter_box"), card)
    assert events == [Drew("letters", card, "letter_box"), happens, *ends("letter_box")]
    assert end == on(2)


def test_a_used_letter_goes_under_the_pile(corner_shop: Rules) -> None:
    """C4."""
    assert corner_shop.decks["letters"].used == "bottom"


def test_the_red_light_sends_straight_to_jail(corner_shop: Rules) -> None:
    """C5."""
    events, end = follow(corner_shop, on(3), (1, 2))
    assert events == [
        Rolled(3, double=False),
        Landed("red_light", 3),
        Jailed("red_light"),
        *ends("station", 1),
    ]
    assert end.token == Token(4, jailed=1)
    assert asked(end) == "leave_jail: pay or roll"


def test_the_jail_letter_sends_straight_to_jail(corner_shop: Rules) -> None:
    """C5."""
    events, end = follow(corner_shop, drawing(2, "letters", "letter_box"), "to_the_station")
    assert events == [
        Drew("letters", "to_the_station", "letter_box"),
        Jailed("letters.to_the_station"),
        *ends("station", 1),
    ]
    assert end.token == Token(4, jailed=1)


def test_landing_on_the_station_is_only_a_visit(corner_shop: Rules) -> None:
    """C5."""
    events, end = follow(corner_shop, on(2), (1, 1))
    assert events == [Rolled(2, double=True), Landed("station", 2), *ends("station")]
    assert end == on(4)


@pytest.mark.parametrize("attempt", [1, 2])
def test_equal_coins_open_the_jail_and_move(attempt: int, corner_shop: Rules) -> None:
    """C6: with no fine, and no second throw."""
    events, end = follow(corner_shop, jailed(attempt, corner_shop), (2, 2))
    assert events == [
        Rolled(4, double=True),
        Freed("doubles"),
        Passed("corner", DICE, lap=True),
        CORNER,
        Landed("corner", 4),
        *ends("corner"),
    ]
    assert end == on(0)


def test_a_first_failure_stays_in_jail_and_may_pay_before_the_second(corner_shop: Rules) -> None:
    """C6."""
    events, end = follow(corner_shop, jailed(1, corner_shop), (1, 2))
    assert events == [Rolled(3, double=False), *ends("station", 2)]
    assert end.token == Token(4, jailed=2)
    assert asked(end) == "leave_jail: pay or roll"


def test_after_a_second_failure_the_fine_is_due_and_the_throw_moves(corner_shop: Rules) -> None:
    """C6, C7: three squares from the station is the market, which costs 4."""
    events, end = follow(corner_shop, jailed(2, corner_shop), (1, 2))
    assert events == [
        Rolled(3, double=False),
        FINE,
        Freed("fine"),
        Landed("market", 3),
        Paid(4, PLAYER, BANK, "market", "tax"),
        *ends("market"),
    ]
    assert end == on(7)


@pytest.mark.parametrize("attempt", [1, 2])
def test_paying_first_makes_an_ordinary_throw(attempt: int, corner_shop: Rules) -> None:
    """C6: before the first or the second throw."""
    _, start = follow(corner_shop, on(3), (1, 2), *(["roll", (1, 2)] if attempt == 2 else []))
    assert isinstance(start, State)
    assert start.token == Token(4, jailed=attempt)
    events, end = follow(corner_shop, start, "pay", (1, 2))
    assert events == [
        Answered("leave_jail", "pay", "jail"),
        FINE,
        Freed("fine"),
        Rolled(3, double=False),
        Landed("market", 3),
        Paid(4, PLAYER, BANK, "market", "tax"),
        *ends("market"),
    ]
    assert end == on(7)


def test_the_market_costs_four(corner_shop: Rules) -> None:
    """C7."""
    events, end = follow(corner_shop, on(4), (1, 2))
    assert events == [
        Rolled(3, double=False),
        Landed("market", 3),
        Paid(4, PLAYER, BANK, "market", "tax"),
        *ends("market"),
    ]
    assert end == on(7)
