"""Every overlay on the shelf has a small test of its own: its rule acts, on a hand-made position.

A new file in `data/` without such a test makes `test_every_overlay_has_a_test_of_its_own` fail:
write one below and mark it `@of("game", "folder/name")`.  Overlays commute or complain.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, permutations

import pytest
from conftest import asked, chain_of, drawing, follow, jailed, on, rules_of

from boardrules.effects import BANK, DICE, Draw, GoTo, Keep, inner
from boardrules.events import (
    PLAYER,
    Answered,
    Crossed,
    Drew,
    Event,
    Freed,
    Jailed,
    Landed,
    Paid,
    Passed,
    Repaired,
    Rolled,
    RollOver,
    Spared,
    Took,
    TurnOver,
    rolls,
)
from boardrules.library import games, load
from boardrules.measure import rates
from boardrules.money.ledger import Ledger, opened
from boardrules.rules import Rules, RulesError, leaves
from boardrules.tables import landing
from boardrules.turn import State, Thrown, Token, begin, leave_at, options, pack, stay, throws

Test = Callable[[], None]
TESTED: dict[tuple[str, str], str] = {}
SHELF = [(game.name, overlay.name) for game in games() for overlay in game.overlays]


def of(game: str, overlay: str) -> Callable[[Test], Test]:
    """Marks the test of one overlay."""

    def mark(test: Test) -> Test:
        assert (game, overlay) not in TESTED, "two tests for one overlay: make them one"
        TESTED[game, overlay] = test.__name__
        return test

    return mark


def ends(square: str, jail: int = 0) -> list[Event]:
    """The end of a roll that is also the end of the turn."""
    return [RollOver(square, jail), TurnOver(square, jail)]


def paid(events: list[Event]) -> list[Paid]:
    """All payments of a record."""
    return [event for event in events if isinstance(event, Paid)]


def totals(rules: Rules) -> dict[int, Fraction]:
    """The chance of every sum of the dice."""
    law: dict[int, Fraction] = {}
    for thrown, chance in throws(rules.dice).items():
        assert isinstance(thrown, Thrown)
        law[thrown.pips] = law.get(thrown.pips, Fraction(0)) + chance
    return law


def only_money(game: str, overlay: str) -> Rules:
    """The rules under an overlay that must leave the walk of the token alone."""
    rules, base = rules_of(game, overlay), rules_of(game)
    assert rules.changes
    for part in ("dice", "doubles", "jail", "start", "lap", "carries", "decks", "pots"):
        assert getattr(rules, part) == getattr(base, part), part
    for new, old in zip(rules.squares, base.squares, strict=True):
        assert (new.passing, new.landing, new.crossing) == (old.passing, old.landing, old.crossing)
        assert (new.id, new.stop, new.spot) == (old.id, old.stop, old.spot)
    return rules


# -------------------------------------------------------------------------- Corner Shop


@of("corner_shop", "house/bent_coins")
def test_bent_coins_show_heads_twice_as_often_as_tails() -> None:
    """C1: 2/3 and 1/3, so 2, 3, 4 come with 4/9, 4/9, 1/9."""
    assert totals(rules_of("corner_shop", "house/bent_coins")) == {
        2: Fraction(4, 9),
        3: Fraction(4, 9),
        4: Fraction(1, 9),
    }


@of("corner_shop", "house/double_corner")
def test_stopping_on_the_corner_pays_twenty_and_passing_it_ten() -> None:
    """C2."""
    rules = rules_of("corner_shop", "house/double_corner")
    events, _ = follow(rules, on(6), (1, 1))
    assert sum(event.amount for event in paid(events)) == 20
    events, _ = follow(rules, on(7), (1, 1))
    assert sum(event.amount for event in paid(events)) == 10


@of("corner_shop", "house/no_jail")
def test_without_a_jail_the_red_light_and_the_letter_do_nothing() -> None:
    """C5."""
    rules = rules_of("corner_shop", "house/no_jail")
    assert rules.jail is None
    events, end = follow(rules, on(3), (1, 2))
    assert events == [Rolled(3, double=False), Landed("red_light", 3), *ends("red_light")]
    assert end == on(6)
    events, end = follow(rules, drawing(2, "letters", "letter_box"), "to_the_station")
    assert events == [Drew("letters", "to_the_station", "letter_box"), *ends("letter_box")]
    assert end == on(2)


def only_names(game: str, overlay: str, square: str, card: tuple[str, str]) -> None:
    """An overlay of names renames every square and every card, and nothing else."""
    rules, base = rules_of(game, overlay), rules_of(game)
    assert {change.path.rpartition(".")[2] for change in rules.changes} == {"name"}
    renamed = {change.path.removesuffix(".name") for change in rules.changes}
    assert {f"squares.{one.id}" for one in base.squares} <= renamed
    cards = {f"decks.{d.id}.cards.{c.id}" for d in base.decks.values() for c in d.cards}
    assert cards | {f"decks.{deck}" for deck in base.decks} | {"jail"} <= renamed
    assert rules.square(square.partition("=")[0]).name == square.partition("=")[2]
    deck, told = card[0].split(".")[0], dict.fromkeys([card[0].split(".")[1]], card[1])
    assert told.items() <= {c.id: c.name for c in rules.decks[deck].cards}.items()


@of("corner_shop", "names/deutsch")
def test_corner_shop_speaks_german() -> None:
    only_names(
        "corner_shop",
        "names/deutsch",
        "market=Markt",
        ("letters.birthday_money", "Geburtstagsgeld"),
    )


@of("corner_shop", "names/espanol")
def test_corner_shop_speaks_spanish() -> None:
    only_names(
        "corner_shop",
        "names/espanol",
        "bakery=Panadería",
        ("letters.to_the_station", "Ve a la cárcel"),
    )


@of("corner_shop", "names/francais")
def test_corner_shop_speaks_french() -> None:
    only_names(
        "corner_shop", "names/francais", "market=Marché", ("letters.to_the_station", "Va en prison")
    )


@of("corner_shop", "names/portugues")
def test_corner_shop_speaks_portuguese() -> None:
    only_names(
        "corner_shop",
        "names/portugues",
        "bakery=Padaria",
        ("letters.to_the_station", "Vai para a prisão"),
    )


@of("monopoly", "names/deutsch")
def test_monopoly_may_have_the_names_of_the_german_board() -> None:
    only_names(
        "monopoly",
        "names/deutsch",
        "boardwalk=Schlossallee",
        ("chance.illinois", "Vor zum Opernplatz"),
    )


# --------------------------------------------------------------------- Monopoly: editions


@of("monopoly", "editions/2008")
def test_the_edition_of_2008_has_flat_taxes_and_three_new_chest_amounts() -> None:
    """M22, M23."""
    rules = rules_of("monopoly", "editions/2008")
    for start, square, amount in ((1, "income_tax", 200), (35, "luxury_tax", 100)):
        events, _ = follow(rules, on(start), (1, 2))
        assert paid(events) == [Paid(amount, PLAYER, BANK, square, "tax")]
    (tax,) = rules.square("income_tax").landing
    assert getattr(tax, "or_percent", None) == 0
    found = {}
    for card in ("stock", "school", "opera"):
        start = drawing(17, "community_chest", "community_chest_2")
        (payment,) = paid(follow(rules, start, card)[0])
        found[card] = (payment.giver, payment.amount, payment.taker)
    assert found == {
        "stock": (BANK, 50, PLAYER),
        "school": (PLAYER, 50, BANK),
        "opera": ("players", 10, PLAYER),
    }
    assert rules.decks["chance"] == rules_of("monopoly").decks["chance"]


# -------------------------------------------------------------------- Monopoly: readings


@of("monopoly", "readings/collins_jail")
def test_in_collinss_jail_doubles_out_count_and_roll_again_and_the_fine_comes_first() -> None:
    """M4."""
    rules = rules_of("monopoly", "readings/collins_jail")
    events, end = follow(rules, jailed(1, rules), (4, 4))
    assert events == [
        Rolled(8, double=True),
        Freed("doubles"),
        Landed("tennessee", 8),
        RollOver("tennessee"),
    ]
    assert end == on(18, doubles=1, again=True)
    events, end = follow(rules, end, (1, 1), (2, 2))  # the second and the third doubles
    assert events[-3:] == [Jailed("doubles"), *ends("jail", 1)]
    events, end = follow(rules, jailed(2, rules), (4, 3))
    assert asked(end) == "leave_jail: pay"
    events, end = follow(rules, end, "pay", (4, 4))  # doubles come too late to save the fine
    assert events[:3] == [
        Answered("leave_jail", "pay", "jail"),
        Paid(50, PLAYER, BANK, "jail", "fine"),
        Freed("fine"),
    ]
    assert end == on(18, doubles=1, again=True)


@of("monopoly", "readings/hold_cards")
def test_get_out_cards_may_be_kept_and_are_used_at_once_in_jail() -> None:
    """M4b, M8: nobody who holds one waits or pays, whatever the policy says."""
    rules = rules_of("monopoly", "readings/hold_cards")
    card = Keep("get_out_of_jail", "chance.get_out_of_jail")
    _, end = follow(rules, drawing(22, "chance", "chance_2"), "get_out_of_jail")
    assert end == on(22, held=(card,))
    _, pause = follow(rules, on(24, held=(card,)), (5, 1))
    assert asked(pause) == "leave_jail: pay or card or roll"
    assert dict(options(pause, rules, stay)) == {"card": 1}
    assert dict(options(pause, rules, leave_at(1))) == {"card": 1}
    events, end = follow(rules, pause, "card", (4, 1))
    assert paid(events) == []
    assert end == on(15)


@of("monopoly", "readings/marvin_gardens_22")
def test_old_deeds_charge_22_on_marvin_gardens() -> None:
    """M11: and nothing else changes."""
    rules = only_money("monopoly", "readings/marvin_gardens_22")
    deed = rules.square("marvin_gardens").deed
    assert deed is not None
    assert deed.rent == (22, 120, 360, 850, 1025, 1200)
    assert [(change.before, change.after) for change in rules.changes] == [(24, 22)]


@of("monopoly", "readings/pay_before_third_roll")
def test_the_fine_may_be_paid_before_the_third_roll() -> None:
    """M4: an ordinary turn follows, doubles roll again; throwing first stays possible."""
    rules = rules_of("monopoly", "readings/pay_before_third_roll")
    _, pause = follow(rules, jailed(2, rules), (4, 3))
    assert asked(pause) == "leave_jail: pay or roll"
    events, end = follow(rules, pause, "pay", (4, 4))
    assert paid(events) == [Paid(50, PLAYER, BANK, "jail", "fine")]
    assert end == on(18, doubles=1, again=True)
    events, end = follow(rules, pause, "roll", (4, 1))
    assert paid(events) == [Paid(50, PLAYER, BANK, "jail", "fine")]
    assert end == on(15)


def test_paying_before_the_third_roll_moves_the_law_as_little_as_printed() -> None:
    """M4: In Jail 9.4050 % instead of 9.3855; no other square by more than 0.0013 points."""
    before = landing(chain_of("monopoly", policy=stay))
    overlay = "readings/pay_before_third_roll"
    paying = landing(chain_of("monopoly", overlay, policy=leave_at(3)))
    assert round(100 * before["in_jail"], 4) == Fraction("9.3855")
    assert round(100 * paying["in_jail"], 4) == Fraction("9.4050")
    moved = [
        abs(old.probability - new.probability)
        for old, new in zip(before.rows, paying.rows, strict=True)
        if old.id != "in_jail"
    ]
    assert round(100 * max(moved), 4) == Fraction("0.0013")


@of("monopoly", "readings/utility_fresh_throw")
def test_utility_rent_by_a_fresh_throw_is_only_about_money() -> None:
    """M14, M15: the card asks for a fresh throw under both readings."""
    rules = only_money("monopoly", "readings/utility_fresh_throw")
    assert rules.only_money_changed
    assert (rules.rent.utility_throw, rules.rent.card_throw) == ("fresh", "fresh")


# ----------------------------------------------------------------- Monopoly: house rules


@of("monopoly", "house/build_without_set")
def test_building_without_the_set_is_only_about_money() -> None:
    """M17."""
    rules = only_money("monopoly", "house/build_without_set")
    assert rules.only_money_changed
    assert not rules.building.needs_group
    assert rules.building.even


@of("monopoly", "house/double_go")
def test_stopping_on_go_pays_400_in_all_and_passing_it_200() -> None:
    """M6: by dice and by card."""
    rules = rules_of("monopoly", "house/double_go")
    salary = Paid(200, BANK, PLAYER, "go", "salary")
    events, _ = follow(rules, on(37), (1, 2))
    assert paid(events) == [salary, salary]
    events, _ = follow(rules, drawing(7, "chance", "chance_1"), "advance_to_go")
    assert paid(events) == [salary, salary]
    events, _ = follow(rules, on(37), (1, 3))
    assert paid(events) == [salary]
    events, _ = follow(rules, on(0), (5, 6))
    assert paid(events) == []


@of("monopoly", "house/eight_sided_dice")
def test_eight_sided_dice_throw_2_to_16() -> None:
    """M1."""
    law = totals(rules_of("monopoly", "house/eight_sided_dice"))
    assert law == {pips: Fraction(8 - abs(pips - 9), 64) for pips in range(2, 17)}


@of("monopoly", "house/four_sided_dice")
def test_four_sided_dice_throw_2_to_8() -> None:
    """M1."""
    law = totals(rules_of("monopoly", "house/four_sided_dice"))
    assert law == {pips: Fraction(4 - abs(pips - 5), 16) for pips in range(2, 9)}


POT_START = {
    "income tax": (on(1), (1, 2), 200, "income_tax", "tax"),
    "luxury tax": (on(35), (1, 2), 75, "luxury_tax", "tax"),
}
POT_CARDS = {
    ("chance", "poor_tax"): 15,
    ("community_chest", "doctor"): 50,
    ("community_chest", "hospital"): 100,
    ("community_chest", "school"): 150,
}


@of("monopoly", "house/free_parking_pot")
def test_taxes_card_fines_and_jail_fines_go_to_the_pot_and_free_parking_takes_it() -> None:
    """M16: repairs and payments to players stay out of it, and the bank still pays the salary."""
    rules = rules_of("monopoly", "house/free_parking_pot")
    pot = "free_parking"
    for start, dice, amount, square, tag in POT_START.values():
        events, _ = follow(rules, start, dice)
        assert paid(events) == [Paid(amount, PLAYER, pot, square, tag)]
    for (deck, card), amount in POT_CARDS.items():
        events, _ = follow(rules, _drawn(deck), card)
        assert paid(events) == [Paid(amount, PLAYER, pot, f"{deck}.{card}", "fine")]
    fine = Paid(50, PLAYER, pot, "jail", "fine")
    assert paid(follow(rules, jailed(3, rules), (4, 1))[0]) == [fine]
    _, asked_in_jail = follow(rules, on(24), (5, 1))
    assert paid(follow(rules, asked_in_jail, "pay", (4, 1))[0]) == [fine]
    events, _ = follow(rules, on(14), (5, 1))
    assert events == [
        Rolled(6, double=False),
        Landed("free_parking", 6),
        Took(pot, "free_parking"),
        *ends("free_parking"),
    ]
    events, _ = follow(rules, _drawn("chance"), "repairs")
    assert events[1] == Repaired(25, 100, "chance.repairs")
    events, _ = follow(rules, _drawn("chance"), "chairman")
    assert paid(events) == [Paid(50, PLAYER, "players", "chance.chairman")]


def test_with_the_pot_no_money_but_that_for_repairs_and_players_goes_to_the_bank() -> None:
    """M16: whatever happens in the long run, the bank takes nothing but the chain's own words."""
    walk = chain_of("monopoly", "house/free_parking_pot", policy=stay)
    takers = {
        event.taker
        for branches in walk.branches
        for branch in branches
        for event in branch.events
        if isinstance(event, Paid) and event.giver == PLAYER
    }
    assert takers == {"free_parking", "players"}


def _drawn(deck: str) -> State:
    square, cause = {"chance": (22, "chance_2"), "community_chest": (17, "community_chest_2")}[deck]
    return drawing(square, deck, cause, pips=7)


@of("monopoly", "house/free_parking_pot_500")
def test_the_pot_may_start_with_500() -> None:
    """M16: and brings the pot rule along."""
    rules = rules_of("monopoly", "house/free_parking_pot_500")
    assert rules.overlays == ("house/free_parking_pot", "house/free_parking_pot_500")
    assert rules.pots["free_parking"].start == 500
    assert rules_of("monopoly", "house/free_parking_pot").pots["free_parking"].start == 0
    events, _ = follow(rules, on(14), (5, 1))
    assert Took("free_parking", "free_parking") in events


@of("monopoly", "house/lap_before_buying")
def test_a_lap_before_buying_is_only_about_money() -> None:
    """M9."""
    rules = only_money("monopoly", "house/lap_before_buying")
    assert rules.only_money_changed
    assert rules.buying.full_lap_first
    assert not rules_of("monopoly").buying.full_lap_first


@of("monopoly", "house/loaded_dice")
def test_loaded_dice_show_a_six_twice_as_often_as_any_other_face() -> None:
    """M1: a six with 2/7, the others with 1/7."""
    law = totals(rules_of("monopoly", "house/loaded_dice"))
    assert law[12] == Fraction(4, 49)
    assert law[2] == Fraction(1, 49)
    assert law[7] == Fraction(2 * 1 * 2 + 4, 49)  # 1+6 and 6+1; 2+5, 5+2, 3+4, 4+3
    assert sum(law.values()) == 1


@of("monopoly", "house/no_auctions")
def test_no_auctions_is_only_about_money() -> None:
    """M10."""
    rules = only_money("monopoly", "house/no_auctions")
    assert rules.only_money_changed
    assert (rules.buying.method, rules.buying.auction) == ("price", False)


@of("monopoly", "house/no_jail")
def test_without_a_jail_square_30_cards_and_doubles_send_nobody_there() -> None:
    """M2, M3."""
    rules = rules_of("monopoly", "house/no_jail")
    assert rules.jail is None
    events, end = follow(rules, on(24), (5, 1))
    assert events == [Rolled(6, double=False), Landed("go_to_jail", 6), *ends("go_to_jail")]
    assert end == on(30)
    for deck in ("chance", "community_chest"):
        start = _drawn(deck)
        events, end = follow(rules, start, "go_to_jail")
        assert not any(isinstance(event, Jailed) for event in events)
        assert end == on(start.token.square)
    events, end = follow(rules, on(5, doubles=2, again=True), (3, 3))
    assert Landed("st_charles", 6) in events
    assert asked(end) == "roll again"


@of("monopoly", "house/no_rent_in_jail")
def test_no_rent_in_jail_is_only_about_money() -> None:
    """M16."""
    rules = only_money("monopoly", "house/no_rent_in_jail")
    assert rules.only_money_changed
    assert not rules.rent.jailed_owner_collects


@of("monopoly", "house/no_third_doubles")
def test_doubles_roll_on_without_limit() -> None:
    """M2: five doubles in a row, and still no jail; square 30 sends there as ever."""
    rules = rules_of("monopoly", "house/no_third_doubles")
    events, end = follow(rules, on(8), *[(1, 1)] * 5)
    assert not any(isinstance(event, (Jailed, TurnOver)) for event in events)
    assert (end.token.square, asked(end)) == (18, "roll again")
    events, _ = follow(rules, on(24), (5, 1))
    assert Jailed("go_to_jail") in events


@of("monopoly", "house/snake_eyes_500")
def test_double_ones_bring_500_wherever_they_are_thrown() -> None:
    """M1: before the move, in jail too, and for third doubles; no other throw brings anything."""
    rules = rules_of("monopoly", "house/snake_eyes_500")
    bonus = Paid(500, BANK, PLAYER, "dice")
    events, end = follow(rules, on(4), (1, 1))
    assert events == [Rolled(2, double=True), bonus, Landed("oriental", 2), RollOver("oriental")]
    assert end == on(6, doubles=1, again=True)
    assert bonus in follow(rules, jailed(1, rules), (1, 1))[0]
    assert bonus in follow(rules, on(4, doubles=2, again=True), (1, 1))[0]
    for first in range(1, 7):
        for second in range(1, 7):
            if (first, second) != (1, 1):
                assert bonus not in follow(rules, on(4), (first, second))[0]


def test_double_ones_bring_500_thirty_sixths_a_roll_in_the_long_run() -> None:
    """M1: every roll counts, those in jail included."""
    walk = chain_of("monopoly", "house/snake_eyes_500", policy=stay)
    found = rates(
        walk,
        rolls,
        {"it": lambda e: e.amount if isinstance(e, Paid) and e.cause == "dice" else 0},
    )
    assert found["it"] == Fraction(500, 36)


@of("monopoly", "house/uneven_building")
def test_uneven_building_is_only_about_money() -> None:
    """M17."""
    rules = only_money("monopoly", "house/uneven_building")
    assert rules.only_money_changed
    assert not rules.building.even
    assert rules.building.needs_group


@of("monopoly", "house/unlimited_houses")
def test_unlimited_houses_is_only_about_money() -> None:
    """M18."""
    rules = only_money("monopoly", "house/unlimited_houses")
    assert rules.only_money_changed
    assert (rules.building.houses, rules.building.hotels) == (None, None)


# --------------------------------------------------------------------------- Easy Money

HELD = "readings/exemption_held"
EXEMPT = (Keep("exemption", "give_or_take.exemption"),)


@of("easy_money", "house/six_players")
def test_the_rules_for_six_drop_the_cap_on_sides() -> None:
    """E53, A12."""
    rules = only_money("easy_money", "house/six_players")
    assert rules.only_money_changed
    assert not rules.buying.one_per_side
    assert rules.buying.method == "auction"


@of("easy_money", "readings/accidents_are_traffic")
def test_the_exemption_card_may_spare_its_owner_the_accidents() -> None:
    """A7: only who holds the card; others pay the hospital as ever."""
    rules = rules_of("easy_money", "readings/accidents_are_traffic", HELD)
    accidents = {"auto_accident": (on(8), 150), "airplane_crash": (on(30), 200)}
    for square, (start, amount) in accidents.items():
        events, _ = follow(rules, start, (1, 2))
        assert paid(events) == [Paid(amount, PLAYER, "hospital", square, "accident")]
        events, _ = follow(rules, on(start.token.square, held=EXEMPT), (1, 2))
        assert events[-3:] == [Spared("exemption", square), *ends(square)]


@of("easy_money", "readings/card_crosses_red_light")
def test_a_card_move_past_the_red_light_may_be_charged() -> None:
    """A4."""
    rules = rules_of("easy_money", "readings/card_crosses_red_light")
    by = "give_or_take.night_club"
    events, end = follow(rules, on(36), (1, 1), "night_club")
    assert events == [
        Rolled(2, double=True),
        Drew("give_or_take", "night_club", "doubles"),
        Crossed("red_light_1", by),
        Passed("bonus", by, lap=True),
        Paid(10, PLAYER, BANK, "red_light_1", "traffic"),
        Paid(250, BANK, PLAYER, "bonus", "bonus"),
        Landed("night_club", 2, by),
        *ends("night_club"),
    ]
    assert end == on(27)


@of("easy_money", "readings/card_crossing_unpaid")
def test_a_card_move_across_bonus_may_be_unpaid() -> None:
    """A3: the lap is still counted; dice moves are paid as ever."""
    rules = rules_of("easy_money", "readings/card_crossing_unpaid")
    events, _ = follow(rules, on(42), (1, 1), "night_club")
    assert Passed("bonus", "give_or_take.night_club", lap=True) in events
    assert paid(events) == []
    events, _ = follow(rules, on(46), (1, 2))
    assert paid(events) == [Paid(250, BANK, PLAYER, "bonus", "bonus")]


@of("easy_money", "readings/every_move_counts_as_one")
def test_every_move_may_count_its_own_space_as_one() -> None:
    """A1: t - 1 steps, on the first move and on all others, and not t - 2 on the first."""
    rules = rules_of("easy_money", "readings/every_move_counts_as_one")
    _, end = follow(rules, begin(rules), (1, 2))
    assert end == on(2)
    _, end = follow(rules, end, (1, 3))
    assert end == on(5)
    events, end = follow(rules, on(3), (2, 2), "take_25")  # doubles too
    assert Landed("tax_1", 4) in events
    assert end == on(6)


@of("easy_money", "readings/exemption_held")
def test_the_token_may_hold_the_exemption_card() -> None:
    """E12, E13, E14."""
    rules = rules_of("easy_money", HELD)
    _, end = follow(rules, on(1), (1, 1), "exemption")
    assert end == on(3, held=EXEMPT)
    events, end = follow(rules, end, (1, 2))
    assert events[-3:] == [Spared("exemption", "tax_1"), *ends("tax_1")]
    left = {card.id for card, _ in pack(Draw("give_or_take"), end.token, rules)}
    assert "exemption" not in left
    assert len(left) == 15


@of("easy_money", "readings/exemption_out")
def test_the_exemption_card_may_be_out_of_the_deck() -> None:
    """E13: 3 cards of 19 lead to the club."""
    deck = rules_of("easy_money", "readings/exemption_out").decks["give_or_take"]
    copies = {card.id: card.copies for card in deck.cards}
    assert "exemption" not in copies
    assert copies["night_club"] / sum(copies.values()) == Fraction(3, 19)


@of("easy_money", "readings/hotel_free_by_card")
def test_the_hotel_may_be_free_by_card() -> None:
    """A5."""
    rules = only_money("easy_money", "readings/hotel_free_by_card")
    assert rules.only_money_changed
    assert rules.rent.card_throw == "none"
    assert rules_of("easy_money").rent.card_throw == "moved"


@of("easy_money", "readings/no_go_to_cards")
def test_the_deck_may_have_no_card_that_moves() -> None:
    """E56."""
    deck = rules_of("easy_money", "readings/no_go_to_cards").decks["give_or_take"]
    assert sum(card.copies for card in deck.cards) == 17
    assert not any(isinstance(e, GoTo) for card in deck.cards for e in inner(card.effects))


@of("easy_money", "readings/red_light_for_all")
def test_the_red_light_may_charge_the_exempt_too() -> None:
    """A23: their taxes stay free."""
    rules = rules_of("easy_money", "readings/red_light_for_all", HELD)
    events, _ = follow(rules, on(39, held=EXEMPT), (1, 2))
    assert paid(events) == [Paid(10, PLAYER, BANK, "red_light_1", "traffic")]
    events, _ = follow(rules, on(42, held=EXEMPT), (1, 2))
    assert paid(events) == []


@of("easy_money", "readings/red_light_off")
def test_the_red_light_may_be_off() -> None:
    """E41."""
    rules = rules_of("easy_money", "readings/red_light_off")
    events, _ = follow(rules, on(39), (1, 2))
    assert events == [Rolled(3, double=False), Landed("street_t", 3), *ends("street_t")]


@of("easy_money", "readings/used_cards_to_bottom")
def test_used_cards_may_go_under_the_pack() -> None:
    """A6: which changes no chance while every draw is from the full deck."""
    rules = rules_of("easy_money", "readings/used_cards_to_bottom")
    assert rules.decks["give_or_take"].used == "bottom"
    assert rules_of("easy_money").decks["give_or_take"].used == "discard"
    assert rules.decks["give_or_take"].cards == rules_of("easy_money").decks["give_or_take"].cards


# ------------------------------------------------------------------------------- Payday


@of("payday", "editions/mail_64")
def test_the_mail_deck_may_have_64_cards() -> None:
    """P11: the eight extra cards are gone, all others are the same."""
    small = {c.id: c for c in rules_of("payday", "editions/mail_64").decks["mail"].cards}
    large = {c.id: c for c in rules_of("payday").decks["mail"].cards}
    assert sum(card.copies for card in small.values()) == 64
    assert set(large) - set(small) == {
        "medical_50_extra",
        "medical_75_extra",
        "car_75_extra",
        "nothing_extra",
    }
    assert all(large[name] == card for name, card in small.items())


@of("payday", "readings/no_daylight")
def test_daylight_savings_may_be_left_out() -> None:
    """P19."""
    rules = rules_of("payday", "readings/no_daylight")
    events, end = follow(rules, on(24), (3,))
    assert events == [Rolled(3, double=False), Landed("day_27", 3), *ends("day_27")]
    assert end == on(27)


@of("payday", "readings/ties_shared")
def test_a_tie_for_the_highest_throw_may_be_shared() -> None:
    """Pa."""
    assert only_money("payday", "readings/ties_shared").accounts.ties == "share"
    assert rules_of("payday").accounts.ties == "reroll"


@of("payday", "readings/mail_to_bottom")
def test_used_mail_may_go_under_the_deck() -> None:
    """Pb: which changes no chance while every draw is from the full deck."""
    rules, base = rules_of("payday", "readings/mail_to_bottom"), rules_of("payday")
    assert (rules.decks["mail"].used, base.decks["mail"].used) == ("bottom", "discard")
    assert rules.decks["mail"].cards == base.decks["mail"].cards


@of("payday", "readings/any_six_wins_pot")
def test_any_six_may_win_the_pot() -> None:
    """Pc."""
    assert only_money("payday", "readings/any_six_wins_pot").accounts.side_rolls_win_pot
    assert not rules_of("payday").accounts.side_rolls_win_pot


@of("payday", "readings/pushed_to_start_collects")
def test_a_token_pushed_to_start_may_collect() -> None:
    """Pd."""
    rules = only_money("payday", "readings/pushed_to_start_collects")
    assert rules.accounts.pushed_to_start_collects
    assert not rules_of("payday").accounts.pushed_to_start_collects


@of("payday", "readings/finished_take_part")
def test_finished_players_may_take_part() -> None:
    """Pe."""
    rules = only_money("payday", "readings/finished_take_part")
    assert rules.accounts.finished_players_take_part
    assert not rules_of("payday").accounts.finished_players_take_part


@of("payday", "readings/stake_paid_first")
def test_the_swellfare_stake_may_be_paid_first() -> None:
    """Pg: 325 in hand and a bill of 800; 100 staked on a six brings 900 instead of 1,000."""
    rules = only_money("payday", "readings/stake_paid_first")
    assert opened(rules).bill(800).swellfare(100, 6).cash == 325 + 900
    assert opened(rules_of("payday")).bill(800).swellfare(100, 6).cash == 325 + 1000


@of("payday", "readings/savings_count_as_cash")
def test_savings_may_count_as_cash_in_the_swellfare_test() -> None:
    """Ph: 50 in hand, 600 saved, a bill of 100."""
    rules = only_money("payday", "readings/savings_count_as_cash")
    assert not _saver(rules).bill(100).may_use_swellfare
    assert _saver(rules_of("payday")).bill(100).may_use_swellfare


@of("payday", "readings/fee_per_hundred")
def test_the_fee_may_be_for_each_hundred() -> None:
    """Pi: 300 of the savings cost 150."""
    rules = only_money("payday", "readings/fee_per_hundred")
    assert _saver(rules).withdraw(300).cash == 50 + 300 - 150
    assert _saver(rules_of("payday")).withdraw(300).cash == 50 + 300 - 50


@of("payday", "readings/interest_into_savings")
def test_savings_interest_may_go_into_the_account() -> None:
    """Pj: 60 on 600."""
    later = _saver(only_money("payday", "readings/interest_into_savings")).pay_day()
    assert (later.cash, later.savings) == (50 + 325, 660)
    later = _saver(rules_of("payday")).pay_day()
    assert (later.cash, later.savings) == (50 + 325 + 60, 600)


@of("payday", "readings/pot_shared")
def test_a_pot_that_is_left_may_be_shared() -> None:
    """Pf: 255 in the pot, three players; by default it is nobody's."""
    rules = only_money("payday", "readings/pot_shared")
    end = opened(rules, 1, pot=205).election(50).pay_day()
    assert end.share_pot(3).cash == end.cash + 85
    assert end.share_pot(4).cash == end.cash + 60  # 63.75 is no whole number of fives
    assert end.share_pot(4).balances["pot"] == 15
    with pytest.raises(RulesError, match=r"Pf.*last month is over"):
        opened(rules, 1, pot=205).share_pot(3)
    with pytest.raises(RulesError, match=r"Pf.*nobody's"):
        opened(rules_of("payday"), 1, pot=205).pay_day().share_pot(3)


@of("payday", "readings/lone_poker_forfeits")
def test_a_lone_poker_player_may_lose_his_stake() -> None:
    """Pk."""
    rules = only_money("payday", "readings/lone_poker_forfeits")
    assert opened(rules).poker(1, won=True).cash == 225
    assert opened(rules_of("payday")).poker(1, won=True).cash == 325


@of("payday", "readings/push_all_first")
def test_daylight_savings_may_push_all_before_anything_is_settled() -> None:
    """Pl."""
    rules = only_money("payday", "readings/push_all_first")
    assert rules.accounts.push_order == "all_then_resolve"
    assert rules_of("payday").accounts.push_order == "one_at_a_time"


@of("payday", "readings/cash_for_side_games")
def test_side_games_may_be_for_cash_only() -> None:
    """Pn: nothing in hand, an insurance for 150."""
    rules = only_money("payday", "readings/cash_for_side_games")
    with pytest.raises(RulesError, match="Pn"):
        opened(rules).pay(325).insure("health_insurance")
    assert opened(rules_of("payday")).pay(325).insure("health_insurance").loan == 200


@of("payday", "readings/last_salary_paid")
def test_a_salary_may_be_paid_in_the_last_month() -> None:
    """P26: 325 more at the end."""
    rules = only_money("payday", "readings/last_salary_paid")
    assert opened(rules, 1).pay_day().wealth == 650
    assert opened(rules_of("payday"), 1).pay_day().wealth == 325


@of("payday", "editions/us_1994")
def test_the_accounts_of_1994_have_loans_in_thousands_and_no_savings() -> None:
    """1,000 borrowed cost 100 at the next Pay Day; the salary is 3,500 on the space as well."""
    rules = rules_of("payday", "editions/us_1994")
    ledger = opened(rules).borrow(1000).salary().interest()
    assert (ledger.cash, ledger.loan) == (3500 + 1000 + 3500 - 100, 1000)
    with pytest.raises(RulesError, match="no savings in this edition"):
        ledger.repay(1000).deposit(1000)
    with pytest.raises(RulesError, match="multiple of 1000"):
        opened(rules).borrow(500)
    events, _ = follow(rules, on(30), (1,))
    assert Paid(3500, BANK, PLAYER, "day_31", "salary") in events


@of("payday", "editions/zahltag_1977")
def test_the_accounts_of_zahltag_have_a_dearer_fee() -> None:
    """2,500 at the start and each month, 200 for an early withdrawal, 10 % on savings."""
    rules = rules_of("payday", "editions/zahltag_1977")
    saved = opened(rules).pay_day(lambda one: one.deposit(5000))
    assert saved.withdraw(1000).cash == 1000 - 200
    assert saved.pay_day().cash == 2500 + 500
    assert opened(rules).poker(2, won=True).cash == 2500 + 200
    events, _ = follow(rules, on(30), (1,))
    assert Paid(2500, BANK, PLAYER, "day_31", "salary") in events


def _saver(rules: Rules) -> Ledger:
    """In month 2 with 600 in savings and 50 in hand."""
    return opened(rules, 6).pay_day(lambda one: one.deposit(600))


# ------------------------------------------------------------------------- all of them


@pytest.mark.parametrize(("game", "overlay"), SHELF)
def test_every_overlay_has_a_test_of_its_own(game: str, overlay: str) -> None:
    assert (game, overlay) in TESTED, f"write a test and mark it @of({game!r}, {overlay!r})"


def test_no_test_is_left_of_an_overlay_that_is_gone() -> None:
    assert set(TESTED) == set(SHELF)


@pytest.mark.parametrize(("game", "overlay"), SHELF)
def test_every_overlay_changes_something_and_says_what(game: str, overlay: str) -> None:
    rules, base = load(game, overlay), rules_of(game)
    assert rules.changes
    assert base.diff(rules)
    entry = next(e for g in games() if g.name == game for e in g.overlays if e.name == overlay)
    assert entry.title
    assert entry.description.endswith(".")


ONLY_MONEY = {
    ("easy_money", "house/six_players"),
    ("easy_money", "readings/hotel_free_by_card"),
    ("monopoly", "house/build_without_set"),
    ("monopoly", "house/lap_before_buying"),
    ("monopoly", "house/no_auctions"),
    ("monopoly", "house/no_rent_in_jail"),
    ("monopoly", "house/uneven_building"),
    ("monopoly", "house/unlimited_houses"),
    ("monopoly", "readings/marvin_gardens_22"),
    ("monopoly", "readings/utility_fresh_throw"),
    ("payday", "readings/any_six_wins_pot"),
    ("payday", "readings/cash_for_side_games"),
    ("payday", "readings/fee_per_hundred"),
    ("payday", "readings/finished_take_part"),
    ("payday", "readings/interest_into_savings"),
    ("payday", "readings/last_salary_paid"),
    ("payday", "readings/lone_poker_forfeits"),
    ("payday", "readings/pot_shared"),
    ("payday", "readings/push_all_first"),
    ("payday", "readings/pushed_to_start_collects"),
    ("payday", "readings/savings_count_as_cash"),
    ("payday", "readings/stake_paid_first"),
    ("payday", "readings/ties_shared"),
}


@pytest.mark.parametrize("overlay", sorted(ONLY_MONEY), ids=" ".join)
def test_an_overlay_about_ownership_leaves_every_landing_as_it_is(overlay: tuple[str, str]) -> None:
    game, name = overlay
    only_money(game, name)
    before, after = (landing(chain_of(game, *names)) for names in ((), (name,)))
    assert [row.probability for row in after.rows] == [row.probability for row in before.rows]


def _laid(game: str, *overlays: str) -> tuple[object, ...] | str:
    """What a set of overlays makes of a game: everything it says, or that it complains."""
    try:
        rules = load(game, *overlays)
    except RulesError:
        return "complains"
    order = (list(rules.tree["squares"]), [list(deck["cards"]) for deck in _decks(rules)])
    return dict(leaves(rules.tree)), order, rules.overlays, rules.changes


def _decks(rules: Rules) -> list[dict[str, object]]:
    return list(rules.tree.get("decks", {}).values())


PAIRS = [
    (game.name, first.name, second.name)
    for game in games()
    for first, second in combinations(game.overlays, 2)
]


@pytest.mark.parametrize("game", sorted({game for game, _ in SHELF}))
def test_two_overlays_commute_or_complain(game: str) -> None:
    """In either order the same rules come out, down to the last number, or an error does."""
    for name, first, second in PAIRS:
        if name == game:
            assert _laid(game, first, second) == _laid(game, second, first), (first, second)


TOGETHER = {
    "monopoly": (
        "editions/2008",
        "house/double_go",
        "house/four_sided_dice",
        "house/snake_eyes_500",
        "readings/collins_jail",
    ),
    "easy_money": (
        "readings/accidents_are_traffic",
        "readings/card_crosses_red_light",
        "readings/exemption_held",
        "readings/red_light_for_all",
    ),
    "payday": (
        "editions/mail_64",
        "readings/fee_per_hundred",
        "readings/interest_into_savings",
        "readings/no_daylight",
    ),
    "corner_shop": ("house/bent_coins", "house/double_corner", "house/no_jail"),
}


@pytest.mark.parametrize("game", TOGETHER)
def test_many_overlays_come_to_the_same_in_any_order(game: str) -> None:
    names = TOGETHER[game]
    first = _laid(game, *names)
    assert first != "complains"
    assert all(_laid(game, *order) == first for order in permutations(names))


@pytest.mark.parametrize("game", TOGETHER)
def test_overlays_that_are_laid_together_all_act(game: str) -> None:
    """Every change that each makes alone is still there when all are laid."""
    together = load(game, *TOGETHER[game])
    every = {(change.path, repr(change.after)) for change in together.changes}
    for name in TOGETHER[game]:
        for change in load(game, name).changes:
            assert (change.path, repr(change.after)) in every, name


@pytest.mark.parametrize(
    ("game", "first", "second"),
    [
        ("monopoly", "house/four_sided_dice", "house/eight_sided_dice"),
        ("monopoly", "house/four_sided_dice", "house/loaded_dice"),
        ("monopoly", "house/no_jail", "readings/collins_jail"),
        ("monopoly", "house/no_jail", "readings/pay_before_third_roll"),
        ("easy_money", "readings/red_light_off", "readings/red_light_for_all"),
        ("easy_money", "readings/card_crossing_unpaid", "readings/card_crosses_red_light"),
        ("easy_money", "readings/no_go_to_cards", "readings/card_crossing_unpaid"),
        ("easy_money", "readings/exemption_out", "readings/exemption_held"),
        ("payday", "editions/us_1994", "editions/zahltag_1977"),
        ("corner_shop", "names/deutsch", "names/portugues"),
    ],
)
def test_two_overlays_that_contradict_each_other_complain(
    game: str, first: str, second: str
) -> None:
    for pair in ((first, second), (second, first)):
        with pytest.raises(RulesError) as caught:
            load(game, *pair)
        text = str(caught.value)
        assert all(name in text for name in pair)


def test_no_jail_goes_over_the_pot_that_would_take_its_fines() -> None:
    """M3, M16: the pot is still fed by taxes, and nobody is jailed."""
    rules = load("monopoly", "house/no_jail", "house/free_parking_pot")
    assert rules.jail is None
    events, _ = follow(rules, on(1), (1, 2))
    assert paid(events) == [Paid(200, PLAYER, "free_parking", "income_tax", "tax")]
    events, end = follow(rules, on(24), (5, 1))
    assert end.token == Token(30)


def test_an_overlay_that_only_moves_money_moves_no_token() -> None:
    """A double salary and 500 for double ones move nobody: the same law of the walk."""
    before = landing(chain_of("monopoly", policy=stay))
    for overlay in ("house/double_go", "house/snake_eyes_500", "house/free_parking_pot"):
        after = landing(chain_of("monopoly", overlay, policy=stay))
        assert [row.probability for row in after.rows] == [row.probability for row in before.rows]


def test_a_six_still_wins_the_pot_in_both_payday_overlays() -> None:
    """P18: overlays about mail and Daylight leave the rest of the turn alone."""
    for overlay in ("editions/mail_64", "readings/no_daylight"):
        events, _ = follow(rules_of("payday", overlay), on(1), (6,))
        assert events[:3] == [Rolled(6, double=False), Took("pot", DICE), Landed("day_7", 6)]
