"""Numbers worked out independently of this package, to every digit that was written down.

The Monopoly figures come from a separate program (123 states, cards by hand, a simulation as a
third opinion); those of Easy Money and Payday from rational arithmetic outside this package.
Every comparison is between an exact Fraction, rounded once to the printed digits, and the print.
Readings: S pays before the first roll in jail, LO is the printed rule (try for doubles three
times), LC is Collins's (doubles out roll again, the fine before every third roll).
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from conftest import chain_of

from boardrules.chain import Chain
from boardrules.effects import BANK, DICE
from boardrules.events import (
    Crossed,
    Drew,
    Event,
    Jailed,
    Landed,
    Noted,
    Owed,
    Paid,
    Passed,
    Price,
    Rolled,
    RollOver,
    Took,
    bank,
    landings,
    lands_on,
    laps,
    rolls,
    turns,
)
from boardrules.measure import Moments, after, first_passage, per, rates, stationary, until
from boardrules.results import stops
from boardrules.tables import landing
from boardrules.turn import leave

Chains = Callable[[str], Chain[Fraction]]


def mean(walk: Chain[Fraction], unit: Price, price: Price) -> Fraction:
    """What something comes to per unit, without its variance."""
    return rates(walk, unit, {"it": price})["it"]


def rounded(value: Any, like: str) -> str:
    """An exact number with as many decimals as a printed one; no float on the way."""
    assert type(value) is Fraction, f"not exact: {value!r}"
    places = len(like.partition(".")[2])
    digits = f"{round(abs(value) * 10**places):0{places + 1}d}"
    sign = "-" if value < 0 and int(digits) else ""
    whole, part = digits[: len(digits) - places], digits[len(digits) - places :]
    return f"{sign}{whole}.{part}" if places else f"{sign}{whole}"


def test_rounding_keeps_the_printed_places() -> None:
    assert rounded(Fraction(2, 3), "0.6667") == "0.6667"
    assert rounded(Fraction(-1, 8), "-0.13") == "-0.12"  # a tie goes to the even digit
    assert rounded(Fraction(1, 100), "0.0100") == "0.0100"
    assert rounded(Fraction(28, 3), "9") == "9"


def test_a_float_is_never_taken_for_an_exact_number() -> None:
    with pytest.raises(AssertionError, match="not exact"):
        rounded(0.25, "0.25")


# ------------------------------------------------------------ Monopoly: where a token is


def _printed_rows() -> list[dict[str, str]]:
    file = Path(__file__).parent / "reference" / "monopoly_5_2.csv"
    with file.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


PRINTED = _printed_rows()


@pytest.mark.parametrize(
    ("column", "reading", "unit"),
    [
        ("S_roll_percent", "S", "roll"),
        ("LO_roll_percent", "LO", "roll"),
        ("LC_roll_percent", "LC", "roll"),
        ("S_turn_percent", "S", "turn"),
        ("LO_turn_percent", "LO", "turn"),
        ("LO_visit_share_percent", "LO", "visit"),
    ],
)
def test_monopoly_shares_agree_to_every_printed_digit(
    column: str, reading: str, unit: str, monopoly_chain: Chains
) -> None:
    table = landing(monopoly_chain(reading), per=unit)
    assert [(str(row.number), row.name) for row in table.rows] == [
        (row["square"], row["name"]) for row in PRINTED
    ]
    found = [rounded(100 * row.probability, "0.00000000") for row in table.rows]
    assert found == [row[column] for row in PRINTED]
    assert sum(row.probability for row in table.rows) == 1


@pytest.mark.parametrize("reading", ["S", "LO"])
def test_monopoly_visits_per_turn_agree_to_every_printed_digit(
    reading: str, monopoly_chain: Chains
) -> None:
    walk = monopoly_chain(reading)
    stops_per_turn = mean(walk, turns, stops)
    found = [row.probability * stops_per_turn for row in landing(walk, per="visit").rows]
    column = f"{reading}_visits_per_turn"
    assert [rounded(one, "0.00000000") for one in found] == [row[column] for row in PRINTED]


@pytest.mark.parametrize(
    ("reading", "attempts"),
    [
        ("S", ["0.03949976"]),
        ("LO", ["0.03712952", "0.03094127", "0.02578439"]),
        ("LC", ["0.03741208", "0.03117673", "0.02598061"]),
    ],
)
def test_the_time_in_jail_splits_by_attempt_as_printed(
    reading: str, attempts: list[str], monopoly_chain: Chains
) -> None:
    """Arrived, failed once, failed twice: shares of all rolls."""

    def waits(attempt: int) -> Price:
        return lambda event: int(isinstance(event, RollOver) and event.jailed == attempt)

    found = rates(monopoly_chain(reading), rolls, {str(n): waits(n) for n in (1, 2, 3)})
    assert [rounded(one, "0.00000000") for one in found.values() if one] == attempts


@pytest.mark.parametrize(("reading", "printed"), [("S", "1.1866239585"), ("LO", "1.1658963640")])
def test_rolls_in_a_turn_agree_with_butler(
    reading: str, printed: str, monopoly_chain: Chains
) -> None:
    assert rounded(mean(monopoly_chain(reading), turns, rolls), printed) == printed


def jailed(event: Event) -> int:
    """One for every time the token is sent to jail."""
    return int(isinstance(event, Jailed))


@pytest.mark.parametrize("reading", ["S", "LO", "LC"])
def test_the_first_jailing_takes_as_many_rolls_whatever_is_done_in_jail(
    reading: str, monopoly_chain: Chains
) -> None:
    wait = until(monopoly_chain(reading), jailed)
    assert rounded(wait.mean, "26.23009735") == "26.23009735"


def test_rolls_between_two_jailings_agree_with_the_print(monopoly_chain: Chains) -> None:
    between = mean(monopoly_chain("S"), jailed, rolls)
    assert rounded(between, "25.316612") == "25.316612"


@pytest.mark.parametrize(
    ("reading", "count", "printed"),
    [
        ("S", 10, "0.1225"),
        ("S", 20, "0.0191"),
        ("S", 30, "0.0034"),
        ("S", 40, "0.0005"),
        ("S", 60, "0.00002"),
        ("LO", 10, "0.1597"),
        ("LO", 20, "0.0395"),
        ("LO", 30, "0.0106"),
        ("LO", 40, "0.0025"),
        ("LO", 60, "0.0002"),
    ],
)
def test_the_start_is_forgotten_as_fast_as_printed(
    reading: str, count: int, printed: str, monopoly_chain: Chains
) -> None:
    """Total variation distance from the long run after some rolls from GO, over 41 rows."""
    walk = monopoly_chain(reading)
    now: dict[str, Fraction] = {}
    for (square, inside), chance in after(walk, count).items():
        key = "in_jail" if inside else square
        now[key] = now.get(key, Fraction(0)) + chance
    assert sum(now.values()) == 1
    far = sum(
        (abs(row.probability - now.get(row.id, Fraction(0))) for row in landing(walk).rows),
        Fraction(0),
    )
    assert rounded(far / 2, printed) == printed


# -------------------------------------------------------- Monopoly: what the bank pays


def _passes(event: Event) -> str:
    if isinstance(event, Passed) and event.square == "go":
        return "dice" if event.by == DICE else "card"
    return ""


CASH: Mapping[str, Price] = {
    "GO by dice": lambda event: int(_passes(event) == "dice"),
    "GO by card": lambda event: int(_passes(event) == "card"),
    "salary": lambda e: e.amount if isinstance(e, Paid) and e.tag == "salary" else 0,
    "Chance draws": lambda e: int(isinstance(e, Drew) and e.deck == "chance"),
    "Chest draws": lambda e: int(isinstance(e, Drew) and e.deck == "community_chest"),
    "jailings": jailed,
    "jail fines": lambda e: e.amount if isinstance(e, Paid) and e.cause == "jail" else 0,
    "landings on 30": lands_on("go_to_jail"),
    "stops": stops,
    "net": bank,
}


@pytest.mark.parametrize(
    ("row", "short", "printed_rule", "collins"),
    [
        ("GO by dice", "0.15010740", "0.14163905", "0.14143927"),
        ("GO by card", "0.02312675", "0.02198415", "0.02195742"),
        ("salary", "34.646830", "32.724640", "32.679338"),
        ("Chance draws", "0.07413211", "0.07143364", "0.07135383"),
        ("Chest draws", "0.07823314", "0.07202089", "0.07198002"),
        ("jailings", "0.03949976", "0.03712952", "0.03741208"),
        ("jail fines", "1.974988", "1.074349", "1.299030"),
        ("landings on 30", "0.02635118", "0.02488099", "0.02483195"),
        ("stops", "1.08246289", "1.07852962", "1.07842560"),
        ("net", "28.703931", "27.891566", "27.628961"),
    ],
)
def test_monopoly_cash_flow_per_roll_agrees_to_every_printed_digit(
    row: str, short: str, printed_rule: str, collins: str, monopoly_chain: Chains
) -> None:
    for reading, printed in (("S", short), ("LO", printed_rule), ("LC", collins)):
        found = _cash(monopoly_chain(reading))[row]
        assert rounded(found, printed) == printed, reading


@lru_cache(maxsize=8)
def _cash(walk: Chain[Fraction]) -> dict[str, Fraction]:
    return rates(walk, rolls, CASH)


@pytest.mark.parametrize(
    ("reading", "printed"), [("S", "28.672373"), ("LO", "27.850242"), ("LC", "27.588295")]
)
def test_the_edition_of_2008_changes_the_net_as_printed(
    reading: str, printed: str, monopoly_chain: Chains
) -> None:
    before = monopoly_chain(reading)
    walk = chain_of("monopoly", *before.rules.overlays, "editions/2008", policy=before.policy)
    assert rounded(mean(walk, rolls, bank), printed) == printed


# ---------------------------------------------------------------------------- Easy Money


NO_CARDS = ("readings/no_go_to_cards",)
CARD_OUT = ("readings/exemption_out",)


def test_without_go_to_cards_every_space_is_equally_likely() -> None:
    """E56."""
    walk = chain_of("easy_money", *NO_CARDS)
    for unit in ("roll", "turn", "visit"):
        assert {row.probability for row in landing(walk, per=unit).rows} == {Fraction(1, 48)}


def test_without_go_to_cards_a_lap_hits_each_space_one_time_in_seven() -> None:
    walk = chain_of("easy_money", *NO_CARDS)
    assert mean(walk, laps, turns) == Fraction(48, 7)
    assert {row.probability for row in landing(walk, per="lap").rows} == {Fraction(1, 7)}


def test_without_go_to_cards_hotel_hospital_and_bonus_are_round_numbers() -> None:
    walk = chain_of("easy_money", *NO_CARDS)
    assert mean(walk, lands_on("waldorf_hotel"), hotel) == 70
    assert mean(walk, took_hospital, paid_to_hospital) == 350
    bonus = mean(walk, turns, bonus_money)
    assert bonus == Fraction(250 * 7, 48)
    assert rounded(bonus, "36.4583") == "36.4583"


def test_without_go_to_cards_the_red_light_is_crossed_in_five_turns_of_48() -> None:
    """E41."""
    walk = chain_of("easy_money", *NO_CARDS)
    crossed = per(walk, turns, lambda e: int(isinstance(e, Crossed))).mean
    assert crossed == Fraction(7, 48) - Fraction(2, 48)
    assert rounded(crossed, "0.104167") == "0.104167"


FIRST_LAP = {
    1: Fraction(0),
    2: Fraction(1, 36),
    3: Fraction(1, 18),
    4: Fraction(109, 1296),
    5: Fraction(37, 324),
    6: Fraction(6841, 46656),
    7: Fraction(1417, 7776),
    8: Fraction(279397, 1679616),
}


@pytest.mark.parametrize("number", FIRST_LAP)
def test_the_first_lap_hits_a_space_with_the_printed_chance(number: int) -> None:
    """E4: the start counts as one."""
    assert _in_first_lap(number) == FIRST_LAP[number]


def test_the_first_lap_hits_the_last_space_with_the_printed_chance() -> None:
    assert rounded(_in_first_lap(48), "0.142850") == "0.142850"


def _in_first_lap(number: int) -> Fraction:
    walk = chain_of("easy_money", *NO_CARDS)
    here = lands_on(walk.rules.squares[number - 1].id)
    return until(walk, lambda event: laps(event) or here(event), here).mean


@pytest.mark.parametrize(
    ("overlays", "chances"),
    [
        (NO_CARDS, {7: Fraction(1, 6), 1: Fraction(0), 13: Fraction(0)}),
        (
            (),
            {28: Fraction(1, 40), 2: Fraction(17, 720), 4: Fraction(19, 240), 7: Fraction(1, 6)},
        ),
    ],
    ids=["no go-to cards", "3 of 20"],
)
def test_the_first_throw_ends_where_printed(
    overlays: tuple[str, ...], chances: dict[int, Fraction]
) -> None:
    """E4, E8, E9."""
    walk = chain_of("easy_money", *overlays)
    law = after(walk, 1)
    assert sum(law.values()) == 1
    for number, chance in chances.items():
        square = walk.rules.squares[number - 1].id
        assert law.get((square, False), Fraction(0)) == chance, number


def hotel(event: Event) -> int:
    """What a guest pays the hotel: ten times the throw that moved him (E36)."""
    here = isinstance(event, Landed) and event.square == "waldorf_hotel"
    return 10 * event.pips if here else 0


def paid_to_hospital(event: Event) -> int:
    """What an accident puts into the hospital's pot."""
    return event.amount if isinstance(event, Paid) and event.taker == "hospital" else 0


def took_hospital(event: Event) -> int:
    """One for every arrival at the hospital that empties its pot."""
    return int(isinstance(event, Took) and event.pot == "hospital")


def bonus_money(event: Event) -> int:
    """What is paid for Bonus."""
    return event.amount if isinstance(event, Paid) and event.tag == "bonus" else 0


EASY_PRICES: Mapping[str, tuple[Price, Price]] = {
    "club": (turns, lands_on("night_club")),
    "club by dice": (
        turns,
        lambda e: int(isinstance(e, Landed) and e.square == "night_club" and e.by == DICE),
    ),
    "Bonus": (turns, lands_on("bonus")),
    "Hospital": (turns, lands_on("city_hospital")),
    "Auto Accident": (turns, lands_on("auto_accident")),
    "Airplane Crash": (turns, lands_on("airplane_crash")),
    "space 29": (turns, lands_on("street_n")),
    "hotel, given a visit": (lands_on("waldorf_hotel"), hotel),
    "Bonus money, dice moves": (
        turns,
        lambda e: 250 * int(isinstance(e, Passed) and e.square == "bonus" and e.by == DICE),
    ),
    "Bonus money, all moves": (turns, bonus_money),
    "hospital, per arrival by dice": (took_hospital, paid_to_hospital),
}


@pytest.mark.parametrize(
    ("row", "none", "three_of_20", "three_of_19"),
    [
        ("club", "0.0208333", "0.0438125086", "0.0450250853"),
        ("club by dice", "0.0208333", "0.0188125086", "0.0187092958"),
        ("Bonus", "0.0208333", "0.0206875009", "0.0206784013"),
        ("Hospital", "0.0208333", "0.0198631724", "0.0198114818"),
        ("Auto Accident", "0.0208333", "0.0199320263", "0.0198838371"),
        ("Airplane Crash", "0.0208333", "0.0219483883", "0.0220055751"),
        ("space 29", "0.0208333", "0.0187448123", "0.0186383929"),
        ("hotel, given a visit", "70", "70.2020", "70.2124"),
        ("Bonus money, dice moves", "36.4583", "35.9557", "35.9266"),
        ("Bonus money, all moves", "36.4583", "38.8654", "38.9992"),
        ("hospital, per arrival by dice", "350", "371.5158", "372.6975"),
    ],
)
def test_easy_money_with_and_without_go_to_cards_agrees_with_the_print(
    row: str, none: str, three_of_20: str, three_of_19: str
) -> None:
    unit, price = EASY_PRICES[row]
    for overlays, printed in ((NO_CARDS, none), ((), three_of_20), (CARD_OUT, three_of_19)):
        found = mean(chain_of("easy_money", *overlays), unit, price)
        assert rounded(found, printed) == printed, overlays


def test_bonus_is_paid_for_dice_moves_only_under_the_other_reading() -> None:
    """A3: the reading gives the row of dice moves in money."""
    walk = chain_of("easy_money", "readings/card_crossing_unpaid")
    assert rounded(mean(walk, turns, bonus_money), "35.9557") == "35.9557"


@pytest.mark.parametrize("overlays", [(), CARD_OUT], ids=["3 of 20", "3 of 19"])
def test_space_29_is_the_least_likely_of_all(overlays: tuple[str, ...]) -> None:
    rows = landing(chain_of("easy_money", *overlays)).rows
    assert min(rows, key=lambda row: row.probability).number == 29


# -------------------------------------------------------------------------------- Payday

NO_DAYLIGHT = ("readings/no_daylight",)

NUMERATORS = """
1 7 49 343 2401 16807 70993 450295 2825473 17492167 106442161 633074071 3647371105 22219348327
134526474769 809860055095 4852905842113 29004175431175 173492524161649 1044275922856663
6273265544452129 37636391604342439 225669910499884753 1353272198529569143 8119686580790083201
48743338858244686663 292481634550912337713 1754685964614427833367 10526838265608793999585
63159012514978934961127
"""
"""The chance of day d in a month without Daylight Savings, as n / 6^d, for the days 1 to 30."""

NO_DAYLIGHT_DAYS = [
    Fraction(1),
    *(Fraction(int(top), 6**day) for day, top in enumerate(NUMERATORS.split(), start=1)),
    Fraction(1),
]

OWN_DAYLIGHT_DAYS = [
    *NO_DAYLIGHT_DAYS[:26],
    Fraction(44683194070177980919, 71075720074824253440),
    Fraction(292481634550912337713, 852908640897891041280),
    Fraction(251830873822862541793, 852908640897891041280),
    Fraction(1518932299163898787831, 5117451845387346247680),
    Fraction(9170185074108038315377, 30704711072324077486080),
    Fraction(1),
]


@pytest.mark.parametrize(
    ("overlays", "days"),
    [(NO_DAYLIGHT, NO_DAYLIGHT_DAYS), ((), OWN_DAYLIGHT_DAYS)],
    ids=["no Daylight", "own Daylight"],
)
def test_every_day_of_a_payday_month_is_hit_as_often_as_printed(
    overlays: tuple[str, ...], days: list[Fraction]
) -> None:
    rows = landing(chain_of("payday", *overlays), per="lap").rows
    assert [row.number for row in rows] == list(range(32))
    assert [row.probability for row in rows] == days
    assert {type(row.probability) for row in rows} == {Fraction}


DECIMALS = """
1.000000 0.166667 0.194444 0.226852 0.264660 0.308771 0.360232 0.253604 0.268094 0.280369 0.289288
0.293393 0.290830 0.279263 0.283540 0.286114 0.287071 0.286702 0.285587 0.284713 0.285621 0.285968
0.285944 0.285756 0.285598 0.285600 0.285748 0.285769 0.285736 0.285701 0.285692 1.000000
"""


def test_the_fractions_of_a_month_round_to_the_printed_decimals() -> None:
    assert [rounded(day, "0.000000") for day in NO_DAYLIGHT_DAYS] == DECIMALS.split()
    own = ["0.628670", "0.342923", "0.295261", "0.296814", "0.298657", "1.000000"]
    assert [rounded(day, "0.000000") for day in OWN_DAYLIGHT_DAYS] == DECIMALS.split()[:26] + own


@lru_cache(maxsize=8)
def _month(*overlays: str) -> Moments[Fraction]:
    """The rolls of one month from Start: their mean and variance."""
    return until(chain_of("payday", *overlays), laps)


def test_a_month_lasts_as_many_rolls_as_printed() -> None:
    none, own = _month(*NO_DAYLIGHT).mean, _month().mean
    assert none == Fraction(2063355056496362331167185, 221073919720733357899776)
    assert own == Fraction(289363791198132627435319, 30704711072324077486080)
    assert (rounded(none, "9.333326"), rounded(own, "9.424084")) == ("9.333326", "9.424084")
    assert rounded(none, "9.333326423591028") == "9.333326423591028"
    assert rounded(own, "9.424084483861268") == "9.424084483861268"
    assert rounded(own - none, "0.0908") == "0.0908"


def test_the_expected_rolls_are_the_sum_of_the_days_from_0_to_30() -> None:
    assert _month(*NO_DAYLIGHT).mean == sum(NO_DAYLIGHT_DAYS[:31])


def test_a_month_varies_as_much_as_printed() -> None:
    """A standard deviation of 1.4907, to its digits: the variance lies between its squares."""
    variance = _month(*NO_DAYLIGHT).variance
    assert Fraction("1.49065") ** 2 < variance < Fraction("1.49075") ** 2


@pytest.mark.parametrize(
    ("overlays", "printed"),
    [
        (NO_DAYLIGHT, ".00990 .08398 .21152 .27075 .21888 .12526 .05432 .01865"),
        ((), ".00915 .07828 .20136 .26462 .22128 .13239 .06089 .02260"),
    ],
    ids=["no Daylight", "own Daylight"],
)
def test_the_law_of_the_rolls_in_a_month_agrees_with_the_print(
    overlays: tuple[str, ...], printed: str
) -> None:
    law = first_passage(chain_of("payday", *overlays), laps, most=13)
    assert min(law) == 6
    found = [rounded(law[count], "0.00000").removeprefix("0") for count in range(6, 14)]
    assert found == printed.split()


def test_six_rolls_are_the_fewest_and_come_with_chance_77_in_7776() -> None:
    """Five sixes reach only day 30."""
    law = first_passage(chain_of("payday", *NO_DAYLIGHT), laps, most=6)
    assert law == {6: Fraction(77, 7776)}


@pytest.mark.parametrize(
    ("overlays", "printed"),
    [(NO_DAYLIGHT, "28.57"), ((), "30.08")],
    ids=["no Daylight", "own Daylight"],
)
def test_a_month_ends_with_an_exact_throw_as_often_as_printed(
    overlays: tuple[str, ...], printed: str
) -> None:
    walk = chain_of("payday", *overlays)
    exact = ends = Fraction(0)
    for share, state, branches in zip(stationary(walk), walk.states, walk.branches, strict=True):
        for branch in branches:
            pips = sum(e.pips for e in branch.events if isinstance(e, Rolled))
            ends += share * branch.chance * sum(map(laps, branch.events))
            exact += share * branch.chance * (state.token.square + pips == 31 and pips > 0)
    assert rounded(100 * exact / ends, printed) == printed


def test_spare_pips_are_lost_on_pay_day_as_printed() -> None:
    """P3.  All pips thrown in a month but the 31 that are needed."""
    walk = chain_of("payday", *NO_DAYLIGHT)
    pips = until(walk, laps, lambda e: e.pips if isinstance(e, Rolled) else 0).mean
    assert rounded(pips - 31, "1.66664") == "1.66664"


def test_daylight_savings_is_set_off_as_often_as_printed() -> None:
    """P19: once or more in a month 0.285769, 0.342923 times in the mean."""
    walk = chain_of("payday")
    day_27 = lands_on("day_27")
    once = until(walk, lambda event: laps(event) or day_27(event), day_27).mean
    assert once == NO_DAYLIGHT_DAYS[27]
    assert rounded(once, "0.285769") == "0.285769"
    times = mean(walk, laps, day_27)
    assert rounded(times, "0.342923") == "0.342923"
    a, b = NO_DAYLIGHT_DAYS[26], sum(NO_DAYLIGHT_DAYS[21:26])
    assert times == (b + a) / 5


def test_the_acceptance_numbers_of_payday_agree_to_every_digit() -> None:
    walk = chain_of("payday")
    days = landing(walk, per="lap")
    assert days["day_1"] == Fraction(1, 6)
    assert days["day_6"] == Fraction(16807, 46656)
    assert days["day_7"] == Fraction(70993, 279936)
    # these two are printed as the nearest doubles; exactly they go on ...753481 and ...967850958
    assert float(days["day_27"]) == 0.34292258341175347
    assert float(days["day_26"]) == 0.6286702972989678
    # day 26 is hit 2.2 times as often as without the pushes
    assert rounded(days["day_26"] / NO_DAYLIGHT_DAYS[26], "2.2") == "2.2"


def test_board_cash_and_mail_of_a_month_agree_with_the_print() -> None:
    """Days 2, 6, 8, 13, 18, 23; and all mail cards drawn."""
    walk = chain_of("payday")
    fixed = {f"day_{day}" for day in (2, 6, 8, 13, 18, 23)}

    def cash(event: Event) -> int:
        return bank(event) if isinstance(event, Paid) and event.cause in fixed else 0

    board = mean(walk, laps, cash)
    assert board == Fraction(23353384888279156775, 394865111526801408)
    assert rounded(board, "59.14269001376195") == "59.14269001376195"
    mail = per(walk, laps, lambda e: int(isinstance(e, Drew) and e.deck == "mail")).mean
    assert mail == Fraction(8911055007767068645, 2369190669160808448)
    assert rounded(mail, "3.761223241235985") == "3.761223241235985"


@pytest.mark.parametrize(
    ("start", "none", "own"),
    [
        (
            "day_0",
            Fraction(766362473447041964353, 1023490369077469249536),
            Fraction(107117072300673096487, 142151440149648506880),
        ),
        (
            "day_4",
            Fraction(596874361905977281, 789730223053602816),
            Fraction(83407858823708839, 109684753201889280),
        ),
        (
            "day_12",
            Fraction(1830574887175, 2821109907456),
            Fraction(256851990481, 391820820480),
        ),
        ("day_15", Fraction(8023895713, 13060694016), Fraction(1128212167, 1813985280)),
        ("day_25", Fraction(2401, 7776), Fraction(343, 1080)),
    ],
)
def test_a_buyer_comes_before_the_month_is_over_as_often_as_printed(
    start: str, none: Fraction, own: Fraction
) -> None:
    """P9: the chance to land on a Buyer at least once from this day to Pay Day."""

    def buyer(event: Event) -> int:
        return int(isinstance(event, Noted) and event.name == "buyer")

    for overlays, printed in ((NO_DAYLIGHT, none), ((), own)):
        walk = chain_of("payday", *overlays)
        found = until(walk, lambda event: laps(event) or buyer(event), buyer, start).mean
        assert found == printed, overlays


@pytest.mark.parametrize(
    ("overlays", "windfalls", "bills"),
    [(("editions/mail_64",), "12.93", "217.45"), ((), "11.49", "207.65")],
    ids=["64 cards", "72 cards"],
)
def test_windfalls_and_bills_of_a_month_agree_with_the_print(
    overlays: tuple[str, ...], windfalls: str, bills: str
) -> None:
    walk = chain_of("payday", *overlays)

    def windfall(event: Event) -> int:
        by_mail = isinstance(event, Paid) and event.giver == BANK
        return event.amount if by_mail and event.cause.startswith("mail.") else 0

    def bill(event: Event) -> int:
        return event.amount if isinstance(event, Owed) else 0

    found = rates(walk, laps, {"windfalls": windfall, "bills": bill})
    assert rounded(found["windfalls"], windfalls) == windfalls
    assert rounded(found["bills"], bills) == bills


# ------------------------------------------------------------------------- exact is exact


@pytest.mark.parametrize("game", ["monopoly", "easy_money", "payday", "corner_shop"])
def test_exact_results_are_fractions_and_nothing_else(game: str) -> None:
    walk = chain_of(game)
    values = [
        *(branch.chance for branches in walk.branches for branch in branches),
        *stationary(walk),
        mean(walk, rolls, bank),
        mean(walk, rolls, landings),
        *after(walk, 3).values(),
    ]
    assert {type(value) for value in values} == {Fraction}


@pytest.mark.parametrize("game", ["monopoly", "corner_shop"])
def test_exact_variances_and_waits_are_fractions_too(game: str) -> None:
    walk = chain_of(game)
    long_run, wait = per(walk, rolls, bank), until(walk, laps)
    law = first_passage(walk, laps, most=6)
    values = [long_run.mean, long_run.variance, wait.mean, wait.variance, *law.values()]
    assert {type(value) for value in values} == {Fraction}


def test_leaving_at_once_is_the_usual_policy() -> None:
    """Conventions: a number without a named policy is the one for S."""
    assert chain_of("monopoly").policy is leave
