"""Every measure on boards so small that the answer is worked out by hand in the comment above it.

All answers are exact, and exact means of type `Fraction`: one float would poison the rest.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from boardrules.chain import Chain, chain
from boardrules.events import Event, Paid, Price, bank, landings, lands_on, laps, rolls, turns
from boardrules.library import load
from boardrules.measure import after, first_passage, per, per_each, rates, spread, stationary, until
from boardrules.tables import landing
from boardrules.turn import Roll, stay

F = Fraction


def exact(value: Any) -> Any:
    """The value itself, once it is known to be a Fraction."""
    assert type(value) is F, f"{value!r} is a {type(value).__name__}"
    return value


def moments(walk: Chain[F], unit: Price, price: Price) -> tuple[F, F]:
    found = per(walk, unit, price)
    return exact(found.mean), exact(found.variance)


def wait(walk: Chain[F], stop: Any, price: Price = rolls, start: str | None = None) -> Any:
    found = until(walk, stop, price, start)
    return exact(found.mean), exact(found.variance)


def fines(event: Event) -> int:
    """One for every payment to the bank."""
    return int(isinstance(event, Paid) and event.taker == "bank")


def ring(squares: list[dict[str, Any]], dice: dict[str, Any], **more: Any) -> Chain[F]:
    """The chain of squares a, b, c … in a ring; a lap ends at a."""
    rows = [{"id": "abcdef"[place], **square} for place, square in enumerate(squares)]
    rules = load({"format": 1, "title": "Ring", "dice": dice, "squares": rows, **more})
    return chain(rules, stay)


# ----------------------------------------------------------------- two states, not alike


@pytest.fixture(scope="module")
def hop() -> Chain[F]:
    """Home a pays 10 when it is reached, b costs 4, c sends on to a; a die shows 1 or, twice as
    often, 2.

    From a: 1 (chance 1/3) leads to b, 2 to c and on to a.  From b both lead to a.  So there are two
    states, with a -> b of chance 1/3 and b -> a for sure.
    """
    return ring(
        [
            {"passing": [{"collect": 10}]},
            {"landing": [{"pay": 4}]},
            {"landing": [{"goto": "a"}]},
        ],
        {"count": 1, "faces": {"1": 1, "2": 2}},
    )


def test_the_two_states_and_their_branches_are_as_drawn(hop: Chain[F]) -> None:
    assert [state.token.square for state in hop.states] == [0, 1]
    assert hop.rows() == [{1: F(1, 3), 0: F(2, 3)}, {0: F(1)}]
    assert all(type(chance) is F for row in hop.rows() for chance in row.values())


def test_the_long_run_of_two_states(hop: Chain[F]) -> None:
    # balance: share(a) · 1/3 = share(b) · 1, so 3 : 1
    assert list(map(exact, stationary(hop))) == [F(3, 4), F(1, 4)]


def test_mean_and_variance_per_roll_of_two_states(hop: Chain[F]) -> None:
    # Landings on b: mean 1/4.  Two states with switching chances p = 1/3 and q = 1 have the second
    # eigenvalue r = 1 - p - q = -1/3; the variance per step of the visits to one of them is
    # 3/4 · 1/4 · (1 + r)/(1 - r) = 3/16 · (2/3)/(4/3) = 3/32.
    assert moments(hop, rolls, lands_on("b")) == (F(1, 4), F(3, 32))
    # Every roll brings 10, but a roll to b costs 4 and brings nothing: 10 - 14 · b.
    assert moments(hop, rolls, bank) == (10 - F(14, 4), 14**2 * F(3, 32))
    # Every roll ends a lap, unless it leads to b.
    assert moments(hop, rolls, laps) == (F(3, 4), F(3, 32))


def test_mean_and_variance_per_lap_of_two_states(hop: Chain[F]) -> None:
    # A lap is one roll (2/3) or two rolls, by b (1/3); laps are independent of one another.
    assert moments(hop, laps, rolls) == (F(4, 3), F(2, 9))
    assert moments(hop, laps, lands_on("b")) == (F(1, 3), F(2, 9))
    # A lap brings 10, less 4 if it went by b.
    assert moments(hop, laps, bank) == (10 - F(4, 3), 16 * F(2, 9))
    # Landings in a lap: c and a, or b and a, or b, c and a.  The last has the chance
    # 1/3 · 1/3 = 1/9, so the mean is 2 + 1/9 and the variance 1/9 · 8/9.
    assert moments(hop, laps, landings) == (F(19, 9), F(8, 81))


def test_many_prices_at_once_are_each_price_alone(hop: Chain[F]) -> None:
    prices: dict[str, Price] = {"bank": bank, "laps": laps, "b": lands_on("b")}
    together = per_each(hop, rolls, prices)
    assert together == {name: per(hop, rolls, price) for name, price in prices.items()}
    assert rates(hop, rolls, prices) == {name: one.mean for name, one in together.items()}


def test_the_wait_for_a_square_is_geometric(hop: Chain[F]) -> None:
    # From a each roll hits b with chance 1/3: mean 3, variance (2/3)/(1/9) = 6.
    assert wait(hop, lands_on("b")) == (3, 6)
    # From b one roll more, for sure.
    assert wait(hop, lands_on("b"), start="b") == (4, 6)


def test_money_is_counted_up_to_the_event_that_is_waited_for(hop: Chain[F]) -> None:
    # Before the roll to b there are N - 1 rolls that bring 10 each, N geometric as above; the
    # 4 for b are due after landing there, and count only if one waits for that payment.
    assert wait(hop, lands_on("b"), bank) == (20, 600)
    assert wait(hop, fines, bank) == (16, 600)


def test_the_law_of_a_wait_is_geometric(hop: Chain[F]) -> None:
    law = first_passage(hop, lands_on("b"), most=4)
    assert law == {1: F(1, 3), 2: F(2, 9), 3: F(4, 27), 4: F(8, 81)}
    assert first_passage(hop, lands_on("b"), start="b", most=4) == {
        2: F(1, 3),
        3: F(2, 9),
        4: F(4, 27),
    }
    assert all(type(chance) is F for chance in law.values())


def test_where_the_token_is_after_some_rolls(hop: Chain[F]) -> None:
    # The chance of b is 1/4 - 1/4 · (-1/3)^n: 1/3, 2/9, 7/27 …
    for n in range(1, 12):
        b = F(1, 4) - F(1, 4) * F(-1, 3) ** n
        assert after(hop, n) == {("a", False): 1 - b, ("b", False): b}
    assert after(hop, 1, start="b") == {("a", False): 1}
    assert type(after(hop, 1, start="b")["a", False]) is F


def test_the_spread_of_money_after_some_rolls(hop: Chain[F]) -> None:
    # Two rolls from a: a a (2/3 · 2/3) brings 20; a b (2/3 · 1/3) and b a (1/3 · 1) bring 6.
    law = spread(hop, 2, bank)
    assert law == {6: F(5, 9), 20: F(4, 9)}
    assert list(law) == [6, 20]
    assert all(type(chance) is F for chance in law.values())
    assert spread(hop, 0, bank) == {0: 1}


def test_shares_per_roll_and_per_visit_of_two_states(hop: Chain[F]) -> None:
    # Rolls end on a or b as 3 : 1.  Stops per roll: from a, b (1/3) or c and a (2/3 each); from b,
    # c and a (1/3) or a alone (2/3).  In the long run a stops 3/4·2/3 + 1/4 = 3/4 of a roll, b 1/4,
    # c 3/4·2/3 + 1/4·1/3 = 7/12; in all 19/12.
    assert [exact(row.probability) for row in landing(hop).rows] == [F(3, 4), F(1, 4), 0]
    assert [exact(row.probability) for row in landing(hop, per="visit").rows] == [
        F(9, 19),
        F(3, 19),
        F(7, 19),
    ]
    assert [exact(row.probability) for row in landing(hop, per="lap").rows] == [
        1,
        F(1, 3),
        F(7, 9),
    ]


# ------------------------------------------------------------------ three states in a ring


@pytest.fixture(scope="module")
def wheel() -> Chain[F]:
    """Squares a, b, c; the die shows 1 with chance 3/4 and 2 with chance 1/4."""
    return ring([{}, {}, {}], {"count": 1, "faces": {"1": 3, "2": 1}})


def test_a_wheel_visits_all_squares_alike(wheel: Chain[F]) -> None:
    assert list(map(exact, stationary(wheel))) == [F(1, 3)] * 3


def test_laps_of_a_wheel_are_a_third_of_its_pips(wheel: Chain[F]) -> None:
    # Laps and a third of all pips never differ by one, so mean and variance per roll are those of
    # the pips over 3 and over 9: mean 5/4, variance 3/4 · 1/4.
    assert moments(wheel, rolls, laps) == (F(5, 12), F(3, 16) / 9)


def test_the_wait_on_a_wheel(wheel: Chain[F]) -> None:
    # To b from a: x = 1 + y/4, from c: y = 1 + 3x/4; so x = 20/13, y = 28/13.
    # Squares: s = 1 + 2·y/4 + t/4 = 27/13 + t/4 and t = 1 + 2·3x/4 + 3s/4 = 43/13 + 3s/4, so
    # s = 604/169, and the variance from a is (604 - 400)/169.
    assert wait(wheel, lands_on("b")) == (F(20, 13), F(204, 169))
    assert wait(wheel, lands_on("b"), start="c")[0] == F(28, 13)


def test_a_wheel_after_two_rolls(wheel: Chain[F]) -> None:
    # 1+1 leads to c (9/16), 1+2 and 2+1 back to a (6/16), 2+2 to b (1/16)
    assert after(wheel, 2) == {
        ("a", False): F(6, 16),
        ("b", False): F(1, 16),
        ("c", False): F(9, 16),
    }


# --------------------------------------------------------------------- three states, a jail


@pytest.fixture(scope="module")
def yard() -> Chain[F]:
    """Two squares, the yard a and the gate b that leads to jail; two coins for dice.

    An even throw (2 or 4, always doubles, chance 1/2) goes round to where one stands, an odd one
    (3) to the other square.  Two attempts in jail, the fine of 6 only after the second.  States:
    free F, in jail before the first try J, before the second K.
        F -> F, J       J -> F, K       K -> F, J (pays 6, moves 3, lands on the gate)
    each with chance 1/2.
    """
    return ring(
        [{}, {"landing": [{"jail": True}]}],
        {"count": 2, "sides": 2},
        jail={"square": "a", "fine": 6, "attempts": 2, "fine_before": []},
    )


def test_the_long_run_of_a_jail(yard: Chain[F]) -> None:
    # Every state leads to F with 1/2, so F has 1/2.  K = J/2 and J = F/2 + K/2: J = 1/3, K = 1/6.
    shares = dict(zip((s.token.jailed for s in yard.states), stationary(yard), strict=True))
    assert shares == {0: F(1, 2), 1: F(1, 3), 2: F(1, 6)}
    assert all(type(share) is F for share in shares.values())


def test_fines_of_a_jail_per_roll(yard: Chain[F]) -> None:
    # From K half of the rolls pay: 1/12 of all rolls.  The rolls between two fines, from J on:
    # h(K) = 1 + h(F)/2, h(F) = 2 + h(J), h(J) = 1 + h(F)/2 + h(K)/2 give h(J) = 12, h(F) = 14,
    # h(K) = 8.  Their squares, s = 2h - 1 + (half of the next two): s(F) = 54 + s(J),
    # s(K) = 15 + s(F)/2, s(J) = 23 + s(F)/2 + s(K)/2 give s(J) = 284, variance 284 - 144 = 140.
    # Renewals of mean m and variance v have v/m³ per step: 140/1728 = 35/432.
    assert moments(yard, rolls, fines) == (F(1, 12), F(35, 432))
    assert moments(yard, rolls, bank) == (F(-1, 2), 36 * F(35, 432))
    # And from one fine to the next, the rolls themselves:
    assert moments(yard, fines, rolls) == (12, 140)
    # To the first one, from F: mean 14, square 54 + 284.
    assert wait(yard, fines) == (14, 54 + 284 - 14**2)


def test_the_table_of_a_jail_has_a_row_of_its_own(yard: Chain[F]) -> None:
    table = landing(yard)
    assert [row.probability for row in table.rows] == [F(1, 2), 0, F(1, 2)]
    assert table["in_jail"] == F(1, 2)


# ----------------------------------------------------------- turns of more than one roll


def test_rolls_in_a_turn_with_doubles_without_limit() -> None:
    # Two coins are equal with chance 1/2, and then roll again: geometric, mean 2, variance 2.
    walk = ring([{}, {}], {"count": 2, "sides": 2}, doubles={"after": [{"roll": True}]})
    assert moments(walk, turns, rolls) == (2, 2)
    # Rolls between two turns' ends are the same from the other side: mean 1/2, variance 1/4.
    assert moments(walk, rolls, turns) == (F(1, 2), F(1, 4))


def test_rolls_in_a_turn_with_a_limit() -> None:
    # The second doubles end the turn: one roll or two, with chance 1/2 each.
    doubles = {"after": [{"roll": True}], "limit": 2, "at_limit": []}
    walk = ring([{}, {}], {"count": 2, "sides": 2}, doubles=doubles)
    assert moments(walk, turns, rolls) == (F(3, 2), F(1, 4))
    # After one turn: an odd throw (1/2) leads to b at once; doubles lead round to a, and then an
    # odd throw to b or second doubles nowhere (1/4 each).
    assert after(walk, 1, turns) == {("a", False): F(1, 4), ("b", False): F(3, 4)}
    assert spread(walk, 1, rolls, turns) == {1: F(1, 2), 2: F(1, 2)}


def test_a_start_that_is_never_seen_again_has_no_share() -> None:
    # The first move is one short: 0 or 1 in place of 1 or 2; from then on a and b are alike.
    walk = ring([{}, {}], {"count": 1, "faces": {"1": 1, "2": 1}}, start={"counts_as_one": True})
    assert walk.states[0].question == Roll(short=1)
    assert list(map(exact, stationary(walk))) == [0, F(1, 2), F(1, 2)]
    assert after(walk, 1) == {("a", False): F(1, 2), ("b", False): F(1, 2)}


# --------------------------------------------------------------------------- one card more


def test_a_card_is_drawn_by_its_copies() -> None:
    # On b a card is drawn: back to a (1 of 4) or nothing (3 of 4).  The die always shows 1, so
    # a -> b; b -> a.  A roll from a ends on b with 3/4; and b is left by every roll.
    # Shares per roll: b = 3/4 · a, a + b = 1: a = 4/7.
    deck = {"cards": [{"id": "back", "effects": [{"move": -1}]}, {"id": "nothing", "copies": 3}]}
    walk = ring([{}, {"landing": [{"draw": "d"}]}], {"faces": {"1": 1}}, decks={"d": deck})
    assert [exact(row.probability) for row in landing(walk).rows] == [F(4, 7), F(3, 7)]
    # A draw is a pause of its own: per question a, draw, b stand 4 : 4 : 3.
    assert sorted(stationary(walk)) == [F(3, 11), F(4, 11), F(4, 11)]


def test_a_card_that_rolls_again_ends_the_roll_that_drew_it() -> None:
    # On c a card is drawn: roll again, or nothing.  From a the die leads to b or c (1/2 each), and
    # there the first roll ends, whatever the card says.  The second roll leads from b to c or a,
    # from c to a or b.
    deck = {"cards": [{"id": "again", "effects": [{"roll": True}]}, {"id": "nothing"}]}
    walk = ring([{}, {}, {"landing": [{"draw": "d"}]}], {"count": 1, "sides": 2}, decks={"d": deck})
    assert after(walk, 1) == {("b", False): F(1, 2), ("c", False): F(1, 2)}
    assert after(walk, 2) == {("a", False): F(1, 2), ("b", False): F(1, 4), ("c", False): F(1, 4)}
    assert spread(walk, 2, rolls) == {2: 1}
    # A third of all rolls end on c, half of them with a card that gives the turn another roll.
    assert moments(walk, rolls, turns)[0] == F(5, 6)
