"""Payday on hand-made positions: what the numbered rules say, worked out by hand.

Each test names its rule (P1 ... as in `data/payday/RULES.md`).  Days are numbered 0 (Start) to 31.
What is only about money between players stands in the record as a note, in the right order.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from conftest import asked, drawing, follow, on, rules_of

from boardrules.effects import BANK, DICE, Draw, EndRoll, EndTurn, Keep, Roll
from boardrules.events import (
    PLAYER,
    Answered,
    Drew,
    Event,
    Kept,
    Landed,
    Noted,
    Owed,
    Paid,
    Passed,
    Placed,
    Rolled,
    RollOver,
    Spared,
    Took,
    TurnOver,
)
from boardrules.rules import Rules
from boardrules.turn import State, Thrown, Token, begin, pack, throws

SIX_WINS_THE_POT = Took("pot", DICE)
ELECTION = Paid(50, PLAYER, "pot", "day_26")


def ends(day: int) -> list[Event]:
    """The end of a throw, which is always the end of a turn."""
    return [RollOver(f"day_{day}"), TurnOver(f"day_{day}")]


PAY_DAY: list[Event] = [
    Paid(325, BANK, PLAYER, "day_31", "salary"),
    Noted("interest", "day_31"),
    Noted("accounts", "day_31"),
    Noted("pay_bills", "day_31"),
    Noted("void_tickets", "day_31"),
    Noted("discard_deals", "day_31"),
    *ends(31),
    Placed("day_0", "day_31"),
]

# ------------------------------------------------------------------------ board and decks

BOARD = [
    (0, "start", 0),
    (1, "mail", 1),
    (2, "cash", 500),
    (3, "mail", 3),
    (4, "deal", 0),
    (5, "mail", 2),
    (6, "cash", -50),
    (7, "sunday", 0),
    (8, "cash", 100),
    (9, "buyer", 0),
    (10, "poker", 0),
    (11, "mail", 1),
    (12, "deal", 0),
    (13, "cash", -40),
    (14, "sunday", 0),
    (15, "deal", 0),
    (16, "mail", 3),
    (17, "buyer", 0),
    (18, "cash", -75),
    (19, "mail", 1),
    (20, "buyer", 0),
    (21, "sunday", 0),
    (22, "mail", 1),
    (23, "cash", -50),
    (24, "mail", 2),
    (25, "deal", 0),
    (26, "election", 0),
    (27, "daylight", 0),
    (28, "sunday", 0),
    (29, "lottery", 0),
    (30, "buyer", 0),
    (31, "payday", 0),
]
"""Day, kind of space, and its mail cards or dollars."""

NAMES = {
    "start": {"Start"},
    "mail": {"Mail"},
    "deal": {"Deal"},
    "cash": {
        "Inheritance",
        "Weekend company",
        "Surprise bonus",
        "Dance",
        "Groceries",
        "Home repairs",
    },
    "sunday": {"Sweet Sunday"},
    "buyer": {"Buyer"},
    "poker": {"Poker Game"},
    "election": {"Town Election"},
    "daylight": {"Daylight Savings"},
    "lottery": {"Lottery Draw"},
    "payday": {"Pay Day"},
}

DEALS = {
    "Tractor": (950, 1400, 95),
    "Quick Food Franchise": (700, 1400, 70),
    "Stamp Collection": (350, 600, 50),
    "Bottle Collection": (200, 550, 20),
    "Share of a Race Horse": (700, 1400, 70),
    "Coin Collection": (500, 900, 50),
    "Used Sports Car": (800, 1200, 80),
    "Two Acre Vacation Home": (1000, 2500, 100),
    "Powerboat": (1500, 2000, 150),
    "Family Camper": (1100, 1600, 110),
    "John Smith's Autograph": (200, 550, 20),
    "Diamond Ring": (350, 600, 35),
    "Unclaimed Furniture": (150, 400, 30),
    "Copper Pipe": (300, 650, 30),
    "Share in a Condo": (1500, 2500, 100),
    "Antique Automobile": (350, 600, 50),
}
"""Cost, value and commission."""

BILLS = [15, 15, 20, 20, 25, 25, 25, 25, 30, 35, 50, 50, 50, 60, 75, 80, 90, 100, 125, 250, 300]
BILLS += [500, 800]
MEDICAL = [15, 15, 20, 25, 85, 150, 150]
CAR = [25, 50, 50, 100, 100, 150]
WINDFALLS = [20, 50, 150]
EXTRA_MEDICAL, EXTRA_CAR = [50, 75, 75], [75]


def test_the_calendar_has_the_kind_of_space_of_the_list_on_every_day(payday: Rules) -> None:
    assert [(s.number, s.kind) for s in payday.squares] == [(day, kind) for day, kind, _ in BOARD]
    assert [square.id for square in payday.squares] == [f"day_{day}" for day in range(32)]
    for square in payday.squares:
        assert square.name in NAMES[square.kind], square.id


def test_the_calendar_has_the_spaces_of_the_game_in_the_right_numbers(payday: Rules) -> None:
    """8 mail, 4 deal, 4 buyer, 4 Sundays, 6 fixed cash, and one each of the others."""
    counts = Counter(square.kind for square in payday.squares)
    assert counts == {
        "start": 1,
        "mail": 8,
        "deal": 4,
        "buyer": 4,
        "sunday": 4,
        "cash": 6,
        "poker": 1,
        "election": 1,
        "daylight": 1,
        "lottery": 1,
        "payday": 1,
    }
    assert [s.number for s in payday.squares if s.kind == "sunday"] == [7, 14, 21, 28]
    assert sum(cards for _, kind, cards in BOARD if kind == "mail") == 14


@pytest.mark.parametrize(("overlays", "size"), [((), 72), (("editions/mail_64",), 64)])
def test_the_mail_deck_has_its_72_or_64_cards(overlays: tuple[str, ...], size: int) -> None:
    """P11 to P15."""
    deck = rules_of("payday", *overlays).decks["mail"]
    owed: dict[str, list[int]] = {"bill": [], "medical": [], "car": []}
    windfalls: list[int] = []
    others: Counter[str] = Counter()
    for card in deck.cards:
        for _ in range(int(card.copies)):
            events, end = follow(
                rules_of("payday", *overlays), drawing(1, "mail", "day_1"), card.id
            )
            match events[1:]:
                case [Owed(amount=amount, kind=kind), RollOver(), TurnOver()]:
                    owed[kind].append(amount)
                case [Paid(amount=amount, giver="bank"), RollOver(), TurnOver()]:
                    windfalls.append(amount)
                case [RollOver(), TurnOver()]:
                    others["nothing"] += 1
                case [Kept(card=kept, prize=prize), RollOver(), TurnOver()]:
                    others[f"{kept} {prize}"] += 1
                case [Noted(name=note), RollOver(), TurnOver()]:
                    others[note] += 1
                case []:
                    others[f"{card.id}: {asked(end)}"] += 1
    extra = size == 72
    assert sorted(owed["bill"]) == sorted(BILLS)
    assert sorted(owed["medical"]) == sorted(MEDICAL + EXTRA_MEDICAL * extra)
    assert sorted(owed["car"]) == sorted(CAR + EXTRA_CAR * extra)
    assert sorted(windfalls) == WINDFALLS
    assert others == {
        "nothing": 17 if extra else 13,
        "lottery_ticket 50": 2,
        "lottery_ticket 100": 2,
        "car_insurance: buy_insurance: buy or refuse": 3,
        "health_insurance: buy_insurance: buy or refuse": 3,
        "swellfare": 2,
    }
    assert sum(card.copies for card in deck.cards) == size
    assert sum(map(len, owed.values())) + len(windfalls) + others.total() == size


def test_the_sums_of_the_mail_are_those_of_the_list() -> None:
    """23 bills of 2,765 in all, 7 medical of 460, 6 car bills of 475, 3 windfalls of 220."""
    assert (len(BILLS), sum(BILLS)) == (23, 2765)
    assert (len(MEDICAL), sum(MEDICAL)) == (7, 460)
    assert (len(CAR), sum(CAR)) == (6, 475)
    assert (len(WINDFALLS), sum(WINDFALLS)) == (3, 220)


def test_the_deals_have_the_costs_values_and_commissions_of_the_list(payday: Rules) -> None:
    """P6, P8, P9."""
    cards = payday.decks["deals"].cards
    found = {}
    for card in cards:
        assert card.copies == 1
        assert card.deal is not None
        found[card.name] = (card.deal.cost, card.deal.value, card.deal.commission)
    assert len(cards) == 16
    assert found == DEALS
    assert all(0 < cost < value for cost, value, _ in found.values())
    # the printed means: 665.63, 1178.13 and 66.25
    means = [Fraction(sum(column), 16) for column in zip(*found.values(), strict=True)]
    assert means == [Fraction(10650, 16), Fraction(18850, 16), Fraction(1060, 16)]


def test_every_amount_of_the_game_is_a_multiple_of_five(payday: Rules) -> None:
    """P21."""
    amounts = [amount for _, kind, amount in BOARD if kind == "cash"]
    amounts += [number for numbers in DEALS.values() for number in numbers]
    amounts += BILLS + MEDICAL + CAR + WINDFALLS + EXTRA_MEDICAL + EXTRA_CAR
    amounts += [payday.start.cash, payday.accounts.salary, payday.accounts.step]
    assert all(amount % 5 == 0 for amount in amounts)


def test_the_money_rules_are_those_of_the_article(payday: Rules) -> None:
    """P1, P15, P17, P21, P22, P23, P26, P27 and the switches Pa to Pn."""
    assert payday.start.cash == 325
    accounts = payday.accounts
    assert (accounts.salary, accounts.salary_last_month) == (325, False)
    assert (accounts.savings_rate, accounts.loan_rate) == (Fraction(1, 10), Fraction(1, 5))
    assert (accounts.step, accounts.early_withdrawal_fee, accounts.fee_mode) == (100, 50, "flat")
    assert (accounts.both_at_once, accounts.savings_interest_to) == (False, "cash")
    assert (accounts.poker_stake, accounts.lone_poker_returns) == (100, True)
    assert (accounts.side_stake, accounts.side_multiple) == (100, 10)
    assert accounts.side_win_faces == (5, 6)
    assert accounts.side_stake_kept_on_win
    assert not accounts.side_savings_count_as_cash
    assert not accounts.side_rolls_win_pot
    assert not accounts.finished_players_take_part
    assert accounts.pushed_start_collects == 325
    assert not accounts.pushed_to_start_collects
    assert not accounts.pushes_chain
    assert accounts.push_order == "one_at_a_time"
    assert accounts.loan_may_pay_for_side_games
    assert accounts.ties == "reroll"
    assert payday.end.when == "months"


# ---------------------------------------------------------------------- throwing, moving


def test_one_die_is_thrown(payday: Rules) -> None:
    """P2."""
    law = throws(payday.dice)
    assert law == {
        **{Thrown(pips): Fraction(1, 6) for pips in range(1, 6)},
        Thrown(6, faces=(6,)): Fraction(1, 6),
    }


def test_everyone_begins_on_start(payday: Rules) -> None:
    """P1."""
    assert begin(payday) == State(Token(0), (Roll(), EndTurn()))


def test_only_the_space_where_the_move_ends_counts(payday: Rules) -> None:
    """P2: from 4 a 4 goes over mail, company and a Sunday to the bonus of day 8."""
    events, end = follow(payday, on(4), (4,))
    assert events == [
        Rolled(4, double=False),
        Landed("day_8", 4),
        Paid(100, BANK, PLAYER, "day_8"),
        *ends(8),
    ]
    assert end == on(8)


@pytest.mark.parametrize(
    ("start", "pips"),
    [(day, pips) for day in range(25, 31) for pips in range(1, 7) if day + pips >= 31],
)
def test_pay_day_stops_the_token_whatever_is_thrown(start: int, pips: int, payday: Rules) -> None:
    """P3, P4: no exact throw is needed, no pips are carried over, and back to Start at once."""
    events, end = follow(payday, on(start), (pips,))
    assert events == [
        Rolled(pips, double=False),
        *([SIX_WINS_THE_POT] if pips == 6 else []),
        Passed("day_31", DICE, lap=True),
        Landed("day_31", pips),
        *PAY_DAY,
    ]
    assert end == on(0)


def test_the_next_month_begins_from_start(payday: Rules) -> None:
    """P4: the throw after Pay Day counts from day 0."""
    _, end = follow(payday, on(30), (2,), (4,))
    assert asked(end) == "draw deals"
    assert end.token == Token(4, pips=4)


# ------------------------------------------------------------------------- deal and buyer


@pytest.mark.parametrize("day", [4, 12, 15, 25])
def test_a_deal_space_draws_one_deal_and_asks_whether_to_buy(day: int, payday: Rules) -> None:
    """P6."""
    events, pause = follow(payday, on(day - 3), (3,))
    assert events == [Rolled(3, double=False), Landed(f"day_{day}", 3)]
    assert pause.agenda == (Draw("deals", f"day_{day}"), EndRoll(), EndTurn())
    events, pause = follow(payday, pause, "tractor")
    assert events == [Drew("deals", "tractor", f"day_{day}")]
    assert asked(pause) == "buy_deal: buy or refuse"


def test_a_bought_deal_is_paid_kept_and_starts_one_contest_for_the_commission(
    payday: Rules,
) -> None:
    """P6, P8: the commission is a note, for the bank pays it and not the buyer."""
    events, end = follow(payday, drawing(4, "deals", "day_4"), "copper_pipe", "buy")
    assert events == [
        Drew("deals", "copper_pipe", "day_4"),
        Answered("buy_deal", "buy", "deals.copper_pipe"),
        Paid(300, PLAYER, BANK, "deals.copper_pipe"),
        Kept("copper_pipe", "deals.copper_pipe"),
        Noted("commission", "deals.copper_pipe"),
        *ends(4),
    ]
    assert end == on(4)


def test_a_refused_deal_costs_nothing_and_brings_no_contest(payday: Rules) -> None:
    """P6, P7: it goes under the deck."""
    events, end = follow(payday, drawing(4, "deals", "day_4"), "copper_pipe", "refuse")
    assert events == [
        Drew("deals", "copper_pipe", "day_4"),
        Answered("buy_deal", "refuse", "deals.copper_pipe"),
        *ends(4),
    ]
    assert end == on(4)
    assert payday.decks["deals"].used == "bottom"


def test_a_held_deal_is_out_of_the_deck() -> None:
    """P7."""
    rules = rules_of("payday").but({"chain.carries": ["tractor"]})
    _, end = follow(rules, drawing(4, "deals", "day_4"), "tractor", "buy")
    assert end.token.held == (Keep("tractor", "deals.tractor"),)
    left = [card.id for card, _ in pack(Draw("deals"), end.token, rules)]
    assert len(left) == 15
    assert "tractor" not in left


@pytest.mark.parametrize("day", [9, 17, 20, 30])
def test_on_buyer_one_deal_may_be_sold(day: int, payday: Rules) -> None:
    """P9: one note a landing, so one deal a turn."""
    events, end = follow(payday, on(day - 2), (2,))
    assert events == [
        Rolled(2, double=False),
        Landed(f"day_{day}", 2),
        Noted("buyer", f"day_{day}"),
        *ends(day),
    ]
    assert end == on(day)


# ---------------------------------------------------------------------------------- mail


@pytest.mark.parametrize(
    ("day", "cards"), [(1, 1), (3, 3), (5, 2), (11, 1), (16, 3), (19, 1), (22, 1), (24, 2)]
)
def test_a_mail_space_draws_its_cards_one_by_one(day: int, cards: int, payday: Rules) -> None:
    """P11: each card is settled before the next is drawn."""
    events, pause = follow(payday, on(day - 1), (1,))
    assert events == [Rolled(1, double=False), Landed(f"day_{day}", 1)]
    for left in range(cards, 0, -1):
        draws = (Draw("mail", f"day_{day}"),) * left
        assert pause.agenda == (*draws, EndRoll(), EndTurn())
        events, pause = follow(payday, pause, "windfall_50")
        assert events[:2] == [
            Drew("mail", "windfall_50", f"day_{day}"),
            Paid(50, BANK, PLAYER, "mail.windfall_50"),
        ]
        assert events[2:] == ([] if left > 1 else ends(day))
    assert pause == on(day)


def test_a_bill_is_kept_and_nothing_is_paid_for_it_when_it_is_drawn(payday: Rules) -> None:
    """P12."""
    events, _ = follow(payday, drawing(1, "mail", "day_1"), "bill_800")
    assert events == [
        Drew("mail", "bill_800", "day_1"),
        Owed(800, "bill", "mail.bill_800"),
        *ends(1),
    ]


@pytest.mark.parametrize("amount", [50, 100])
def test_a_lottery_ticket_is_kept(amount: int, payday: Rules) -> None:
    """P13."""
    events, _ = follow(payday, drawing(1, "mail", "day_1"), f"lottery_{amount}")
    assert events == [
        Drew("mail", f"lottery_{amount}", "day_1"),
        Kept("lottery_ticket", f"mail.lottery_{amount}", amount),
        *ends(1),
    ]


def test_tickets_are_cashed_on_lottery_draw(payday: Rules) -> None:
    """P13."""
    events, end = follow(payday, on(28), (1,))
    assert events == [
        Rolled(1, double=False),
        Landed("day_29", 1),
        Noted("lottery_draw", "day_29"),
        *ends(29),
    ]
    assert end == on(29)


@pytest.mark.parametrize(("card", "price"), [("car_insurance", 200), ("health_insurance", 150)])
def test_insurance_is_bought_on_the_spot_or_discarded(card: str, price: int, payday: Rules) -> None:
    """P14."""
    start = drawing(1, "mail", "day_1")
    events, _ = follow(payday, start, card, "buy")
    assert events == [
        Drew("mail", card, "day_1"),
        Answered("buy_insurance", "buy", f"mail.{card}"),
        Paid(price, PLAYER, BANK, f"mail.{card}"),
        Kept(card, f"mail.{card}"),
        *ends(1),
    ]
    events, _ = follow(payday, start, card, "refuse")
    assert events == [
        Drew("mail", card, "day_1"),
        Answered("buy_insurance", "refuse", f"mail.{card}"),
        *ends(1),
    ]


@pytest.mark.parametrize("policy", ["car_insurance", "health_insurance"])
@pytest.mark.parametrize(
    ("card", "spared_by"),
    [
        ("car_100", "car_insurance"),
        ("car_75_extra", "car_insurance"),
        ("medical_85", "health_insurance"),
        ("medical_50_extra", "health_insurance"),
        ("bill_100", ""),
    ],
)
def test_insurance_cancels_the_bills_of_its_kind_and_no_others(
    policy: str, card: str, spared_by: str
) -> None:
    """P14: for the whole game, so the policy is still held afterwards."""
    rules = rules_of("payday").but({"chain.carries": [policy]})
    _, insured = follow(rules, drawing(1, "mail", "day_1"), policy, "buy")
    held = (Keep(policy, f"mail.{policy}"),)
    assert insured == on(1, held=held)
    state = State(insured.token, (Draw("mail", "day_3"), EndRoll(), EndTurn()))
    events, end = follow(rules, state, card)
    if policy == spared_by:
        assert events[1] == Spared(policy, f"mail.{card}")
    else:
        assert isinstance(events[1], Owed)
    assert end.token.held == held


def test_one_bought_policy_leaves_two_of_its_cards_in_the_deck() -> None:
    """P14: each player may need one, so three are in the deck."""
    rules = rules_of("payday").but({"chain.carries": ["car_insurance"]})
    held = Token(1, held=(Keep("car_insurance", "mail.car_insurance"),))
    copies = {card.id: left for card, left in pack(Draw("mail"), held, rules)}
    assert copies["car_insurance"] == 2
    assert sum(copies.values()) == 71


def test_swellfare_can_only_be_used_when_it_is_drawn(payday: Rules) -> None:
    """P15: it is a note in the record and is not kept."""
    events, end = follow(payday, drawing(1, "mail", "day_1"), "swellfare")
    assert events == [
        Drew("mail", "swellfare", "day_1"),
        Noted("swellfare", "mail.swellfare"),
        *ends(1),
    ]
    assert end.token.held == ()


# -------------------------------------------------------------------------------- spaces


@pytest.mark.parametrize(
    ("day", "payment"),
    [
        (2, Paid(500, BANK, PLAYER, "day_2")),
        (6, Paid(50, PLAYER, BANK, "day_6")),
        (8, Paid(100, BANK, PLAYER, "day_8")),
        (13, Paid(40, PLAYER, BANK, "day_13")),
        (18, Paid(75, PLAYER, BANK, "day_18")),
        (23, Paid(50, PLAYER, BANK, "day_23")),
    ],
)
def test_a_cash_space_pays_or_charges_what_it_says(day: int, payment: Paid, payday: Rules) -> None:
    """P2."""
    events, end = follow(payday, on(day - 2), (2,))
    assert events == [Rolled(2, double=False), Landed(f"day_{day}", 2), payment, *ends(day)]
    assert end == on(day)


@pytest.mark.parametrize("day", [7, 14, 21, 28])
def test_on_a_sunday_nothing_happens(day: int, payday: Rules) -> None:
    """P16."""
    events, end = follow(payday, on(day - 3), (3,))
    assert events == [Rolled(3, double=False), Landed(f"day_{day}", 3), *ends(day)]
    assert end == on(day)


def test_on_poker_the_table_may_play(payday: Rules) -> None:
    """P17."""
    events, _ = follow(payday, on(8), (2,))
    assert events == [
        Rolled(2, double=False),
        Landed("day_10", 2),
        Noted("poker", "day_10"),
        *ends(10),
    ]


def test_on_town_election_50_goes_into_the_pot(payday: Rules) -> None:
    """P18."""
    events, end = follow(payday, on(22), (4,))
    assert events == [Rolled(4, double=False), Landed("day_26", 4), ELECTION, *ends(26)]
    assert end == on(26)


def test_a_six_wins_the_pot_before_its_space_is_settled(payday: Rules) -> None:
    """P18: from 2 a 6 takes the pot and only then reaches the bonus of day 8."""
    events, _ = follow(payday, on(2), (6,))
    assert events == [
        Rolled(6, double=False),
        SIX_WINS_THE_POT,
        Landed("day_8", 6),
        Paid(100, BANK, PLAYER, "day_8"),
        *ends(8),
    ]


def test_a_six_that_reaches_the_election_takes_the_old_pot_and_feeds_the_new(
    payday: Rules,
) -> None:
    """P18: the lander's own $50 stays for the next six."""
    events, _ = follow(payday, on(20), (6,))
    assert events == [
        Rolled(6, double=False),
        SIX_WINS_THE_POT,
        Landed("day_26", 6),
        ELECTION,
        *ends(26),
    ]


@pytest.mark.parametrize("pips", range(1, 6))
def test_no_other_throw_wins_the_pot(pips: int, payday: Rules) -> None:
    """P18."""
    events, _ = follow(payday, on(0), (pips,))
    assert not any(isinstance(event, Took) for event in events)


@pytest.mark.parametrize("pips", [1, 2, 3, 4, 5])
def test_daylight_savings_pushes_the_lander_back_onto_the_election(
    pips: int, payday: Rules
) -> None:
    """P19, P20: and the new space is obeyed as in a normal turn."""
    events, end = follow(payday, on(27 - pips), (pips,))
    assert events == [
        Rolled(pips, double=False),
        Landed("day_27", pips),
        Landed("day_26", pips, "day_27"),
        ELECTION,
        *ends(26),
    ]
    assert end == on(26)


def test_a_one_from_the_election_sets_daylight_savings_off_again(payday: Rules) -> None:
    """P19: the limit is once a turn, not once a month."""
    events, end = follow(payday, on(24), (3,), (1,))
    assert events.count(Landed("day_27", 1)) == 1
    assert [event for event in events if isinstance(event, Landed)] == [
        Landed("day_27", 3),
        Landed("day_26", 3, "day_27"),
        Landed("day_27", 1),
        Landed("day_26", 1, "day_27"),
    ]
    assert events.count(ELECTION) == 2
    assert end == on(26)


def test_a_push_back_is_no_throw_and_wins_no_pot(payday: Rules) -> None:
    """P18, P19: from 21 a 6 wins the pot once, before the push."""
    events, _ = follow(payday, on(21), (6,))
    assert events == [
        Rolled(6, double=False),
        SIX_WINS_THE_POT,
        Landed("day_27", 6),
        Landed("day_26", 6, "day_27"),
        ELECTION,
        *ends(26),
    ]


# ------------------------------------------------------------------------------- Pay Day


def test_the_steps_of_pay_day_come_in_their_order(payday: Rules) -> None:
    """P26 to P32: salary, interest, accounts, bills, tickets, deals, back to Start."""
    events, _ = follow(payday, on(29), (2,))
    cut = [event for event in events if isinstance(event, (Paid, Noted, Placed))]
    steps = [
        "salary" if isinstance(e, Paid) else e.name if isinstance(e, Noted) else e.square
        for e in cut
    ]
    assert steps == [
        "salary",  # P26
        "interest",  # P27
        "accounts",  # P28
        "pay_bills",  # P29
        "void_tickets",  # P30
        "discard_deals",  # P31
        "day_0",  # P32
    ]


def test_the_salary_is_325_and_comes_from_the_bank(payday: Rules) -> None:
    """P26."""
    events, _ = follow(payday, on(30), (1,))
    assert [event for event in events if isinstance(event, Paid)] == [
        Paid(325, BANK, PLAYER, "day_31", "salary")
    ]


def test_every_note_of_the_board_and_the_cards_is_explained(payday: Rules) -> None:
    """No step of the game is silently ignored: each note has its sentence."""
    notes = {
        "buyer",
        "poker",
        "lottery_draw",
        "commission",
        "swellfare",
        "interest",
        "accounts",
        "pay_bills",
        "void_tickets",
        "discard_deals",
    }
    assert set(payday.notes) == notes
