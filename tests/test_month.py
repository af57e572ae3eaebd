"""What one month brings: reference numbers, a board worked by hand, and the chain's own measures.

The reference figures were worked out outside this package, and one of them from 400,000 months
that were played.  A month's law must also agree with `per`, which never sees a polynomial.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from pathlib import Path

import pytest
from conftest import chain_of, rules_of

from boardrules.events import Drew, laps
from boardrules.library import load
from boardrules.measure import per
from boardrules.money.month import (
    Month,
    MonthWalk,
    flow,
    lottery_chances,
    moments,
    month,
)
from boardrules.rules import RulesError

F = Fraction


@lru_cache(maxsize=16)
def of(*overlays: str, insured: tuple[str, ...] = ()) -> Month:
    return month(chain_of("payday", *overlays), insured=insured)


def near(value: Fraction | float, printed: str) -> bool:
    """Whether a number rounds to the printed digits."""
    return f"{float(value):.{len(printed.partition('.')[2])}f}" == printed


# ---------------------------------------------------------------------- reference numbers


def test_a_month_with_the_mail_deck_of_64() -> None:
    one = of("mail_64")
    assert near(one.mean, "-140.15")
    assert near(one.with_salary, "184.85")
    assert near(one.sd, "354.375")


def test_a_month_with_the_mail_deck_of_72() -> None:
    one = of()
    assert near(one.mean, "-132.37")
    assert near(one.with_salary, "192.63")
    assert near(one.sd, "343.6")


CAUSES = {
    ("mail_64",): ("59.14", "12.93", "5.23", "-217.45"),
    (): ("59.14", "11.49", "4.65", "-207.65"),
}


@pytest.mark.parametrize("overlays", CAUSES)
def test_the_money_of_a_month_by_cause(overlays: tuple[str, ...]) -> None:
    causes = of(*overlays).causes
    bills = sum(causes[kind].mean for kind in ("bill", "medical", "car"))
    found = (causes["board"].mean, causes["windfalls"].mean, causes["lottery"].mean, bills)
    for value, printed in zip(found, CAUSES[overlays], strict=True):
        assert near(value, printed)
    assert sum(one.mean for one in causes.values()) == of(*overlays).mean


def test_the_board_brings_an_exact_fraction() -> None:
    exact = F(23353384888279156775, 394865111526801408)
    assert of().causes["board"].mean == of("mail_64").causes["board"].mean == exact


def test_bills_of_cars_and_doctors_and_how_soon_insurance_pays() -> None:
    small, large = of("mail_64"), of()
    assert near(-small.causes["car"].mean, "27.92")
    assert near(-small.causes["medical"].mean, "27.03")
    for one, car, health in ((small, "7.16", "5.55"), (large, "6.96", "4.35")):
        car_payback, health_payback = one.payback("car_insurance"), one.payback("health_insurance")
        assert car_payback is not None
        assert health_payback is not None
        assert near(car_payback, car)
        assert near(health_payback, health)


def test_a_lottery_ticket_by_the_day_on_which_it_is_drawn() -> None:
    printed = {
        1: ".2968",
        3: ".2969",
        5: ".2967",
        11: ".2968",
        16: ".2907",
        19: ".2997",
        22: ".2656",
        24: ".3176",
    }
    found = lottery_chances(rules_of("payday"))
    assert {day: f"{float(chance):.4f}"[1:] for day, chance in found.items()} == printed


# ------------------------------------------------------------------------ other ways to see it


@pytest.mark.parametrize("overlays", [(), ("mail_64",), ("no_daylight",)])
@pytest.mark.parametrize("cause", ["", "board", "windfalls", "bill", "medical", "car"])
def test_a_month_agrees_with_the_long_run_of_the_chain(
    overlays: tuple[str, ...], cause: str
) -> None:
    """Months start afresh, so the long-run variance per month is the variance of one month."""
    walk = chain_of("payday", *overlays)
    price = flow(walk.rules, cause)
    expected = per(walk, laps, price)
    found = moments(MonthWalk(walk).law(price, tickets=False))
    assert (found.mean, found.variance) == (expected.mean, expected.variance)


def test_the_chances_of_a_law_sum_to_one_exactly_and_are_fractions() -> None:
    law = of().law
    assert sum(law.values()) == 1
    assert all(type(chance) is Fraction and chance > 0 for chance in law.values())
    assert all(amount % 5 == 0 for amount in law)


def test_insurance_takes_away_the_bills_of_its_kind_and_nothing_else() -> None:
    plain, covered = of(), of(insured=("car_insurance",))
    assert covered.causes["car"].mean == covered.causes["car"].variance == 0
    assert covered.mean - plain.mean == -plain.causes["car"].mean
    assert covered.causes["medical"] == plain.causes["medical"]
    both = of(insured=("car_insurance", "health_insurance"))
    assert both.causes["medical"].mean == 0
    assert both.sd < covered.sd < plain.sd


def test_months_without_some_card_sum_to_the_chance_that_it_is_not_drawn() -> None:
    """Three of 72 cards are car insurance: the mean of (69/72) to the number of cards drawn."""
    walk = MonthWalk(chain_of("payday"))
    cards = walk.law(lambda e: int(isinstance(e, Drew) and e.deck == "mail"), tickets=False)
    (chance,) = walk.law(lambda _: 0, tickets=False, without=["car_insurance"]).values()
    assert chance == sum(p * F(69, 72) ** n for n, p in cards.items())
    assert sum(n * p for n, p in cards.items()) == F(8911055007767068645, 2369190669160808448)


# ------------------------------------------------------------------- a board worked by hand

SMALL = """
format = 1
title = "Small month"
[dice]
count = 1
sides = 2
[lap]
square = "pay"
[accounts]
salary = 100
loan_rate = "1/10"
[end]
when = "months"
months = 2
[[squares]]
id = "start"
[[squares]]
id = "mail"
kind = "mail"
landing = [{ draw = "mail" }]
[[squares]]
id = "lottery"
landing = [{ note = "lottery_draw" }]
[[squares]]
id = "pay"
stop = true
landing = [{ collect = 100, tag = "salary" }, { place = "start" }]
[[decks.mail.cards]]
id = "ticket"
effects = [{ keep = "lottery_ticket", prize = 50 }]
[[decks.mail.cards]]
id = "bill"
effects = [{ owe = 20 }]
"""


def small(tmp_path: Path, text: str = SMALL) -> Path:
    file = tmp_path / "small.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_tickets_and_the_walk_are_taken_jointly(tmp_path: Path) -> None:
    """A coin moves 1 or 2: Mail with 1/2, there a ticket or a bill, then Lottery with 1/2.

    50 comes with 1/2 · 1/2 · 1/2, -20 with 1/2 · 1/2, nothing with the rest.
    """
    one = month(load(small(tmp_path)))
    assert one.law == {50: F(1, 8), 0: F(5, 8), -20: F(1, 4)}
    assert one.mean == F(50, 8) - 5
    assert one.variance == F(2500, 8) + 100 - F(5, 4) ** 2
    assert one.causes["lottery"].mean == F(25, 4)
    assert lottery_chances(load(small(tmp_path))) == {1: F(1, 2)}


def test_a_ticket_that_is_drawn_on_lottery_draw_itself_pays_if_it_is_drawn_first(
    tmp_path: Path,
) -> None:
    """Draw, then the lottery: both in one landing; the other way round the ticket is too late."""
    first = 'landing = [{ keep = "lottery_ticket", prize = 50 }, { note = "lottery_draw" }]'
    late = 'landing = [{ note = "lottery_draw" }, { keep = "lottery_ticket", prize = 50 }]'
    plain = 'landing = [{ note = "lottery_draw" }]'
    no_mail = SMALL.replace('landing = [{ draw = "mail" }]', "")
    # Lottery Draw is reached with 1/2 at once and 1/4 over the mail space
    early = month(load(small(tmp_path, no_mail.replace(plain, first))))
    assert early.law == {50: F(3, 4), 0: F(1, 4)}
    assert month(load(small(tmp_path, no_mail.replace(plain, late)))).law == {0: 1}


def test_a_throw_that_leads_nowhere_is_repeated(tmp_path: Path) -> None:
    """On the last space before Pay Day a 1 may be thrown away: that changes no money."""
    back = SMALL.replace(
        'id = "pay"\nstop = true',
        'id = "trap"\nlanding = [{ move = -1 }]\n[[squares]]\nid = "pay"\nstop = true',
    )
    # from lottery: 1 -> trap, back to lottery (a landing, but no ticket is left); 2 -> pay
    one = month(load(small(tmp_path, back.replace('landing = [{ note = "lottery_draw" }]', ""))))
    assert one.law == {0: F(3, 4), -20: F(1, 4)}


def test_a_payment_that_can_come_again_and_again_has_no_law(tmp_path: Path) -> None:
    back = SMALL.replace(
        'id = "pay"\nstop = true',
        'id = "trap"\nlanding = [{ pay = 5 }, { move = -1 }]\n[[squares]]\nid = "pay"\nstop = true',
    )
    with pytest.raises(RulesError, match="again and again"):
        month(load(small(tmp_path, back)))


def test_a_game_without_months_says_so() -> None:
    with pytest.raises(RulesError, match="no months"):
        month(chain_of("corner_shop"))
    with pytest.raises(RulesError, match="did you mean 'car_insurance'"):
        month(chain_of("payday"), insured=["car_insurence"])


def test_a_month_can_be_shown() -> None:
    one = of("mail_64")
    assert "no insurance" in str(one)
    assert one.frame()["cause"].tolist()[-1] == "all"
    assert one.frame(exact=True)["mean_$_per_month"].tolist()[-1] == one.mean
    assert "evidence: C" in one._repr_html_()


def test_one_insurance_may_be_named_without_a_list() -> None:
    card = "health_insurance"
    one, listed = (month(chain_of("payday"), insured=held) for held in (card, (card,)))
    assert one.law == listed.law
    assert one.insured == listed.insured == (card,)
