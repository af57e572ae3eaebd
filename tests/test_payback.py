"""How sure the rents are: laws of money and of waits, by hand, by one another, and by the dice."""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any

import pytest
from conftest import chain_of, rules_of
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from strategies import documents, policies
from test_rent import COIN, TEN, ring

from boardrules import Rules, RulesError, chain, leave, load, rolls, spread, stay, turns
from boardrules.chain import Chain
from boardrules.effects import Draw, EndRoll, EndTurn
from boardrules.events import Event, Landed, TurnOver
from boardrules.measure import first_passage, per_each, until
from boardrules.play import fair
from boardrules.rents import rent
from boardrules.rents.deeds import Terms, charge_at
from boardrules.rents.payback import by_turn, chance_of_rent, collected, payback
from boardrules.rents.till import Till, mean_wait, turn_starts
from boardrules.turn import State, Token, step

HALF = Fraction(1, 2)


def binomial(n: int, k: int) -> Fraction:
    return Fraction(comb(n, k), 2**n)


@lru_cache
def coin_ring() -> Rules:
    """Half of all turns end on the shop, each independent of all others; the rent is 10."""
    return ring(2, COIN, TEN)


@lru_cache
def monopoly_in_floats() -> Chain[float]:
    return chain(rules_of("monopoly"), leave, float)


# -------------------------------------------------------------------------- worked by hand


@pytest.mark.parametrize("opponents", [1, 2, 7])
def test_the_rent_of_n_turns_is_a_number_of_heads(opponents: int) -> None:
    found = collected(coin_ring(), hand={"shop": "deed"}, turns=4, opponents=opponents)
    tosses = 4 * opponents
    assert found.law == {10 * k: binomial(tosses, k) for k in range(tosses + 1)}
    assert found.mean == 5 * tosses
    assert found.sd == pytest.approx((25 * tosses) ** 0.5, rel=1e-12)
    assert found.any == 1 - binomial(tosses, 0)
    assert found.at_least(10 * tosses) == binomial(tosses, tosses)
    assert found.at_least(11) == 1 - binomial(tosses, 0) - binomial(tosses, 1)


@pytest.mark.parametrize("opponents", [1, 3])
def test_a_cost_of_25_is_three_landings(opponents: int) -> None:
    found = payback(
        coin_ring(),
        hand={"shop": "deed"},
        cost=25,
        opponents=opponents,
        turns=12,
        number=Fraction,
    )
    for n in range(13):
        tosses = n * opponents
        assert found.paid[n] == 1 - sum(binomial(tosses, k) for k in range(min(3, tosses + 1)))
    if opponents == 1:
        assert found.mean == 6  # three waits of two turns
        assert (found.median, found.nine_of_ten) == (5, 9)  # 1 - 16/32; 1 - 46/512


def test_the_mean_for_several_opponents_is_the_sum_of_the_chances_to_wait() -> None:
    """Two tosses a round until one head: 4/3 rounds."""
    found = payback(coin_ring(), hand={"shop": "deed"}, cost=10, opponents=2)
    assert found.mean == pytest.approx(4 / 3, rel=1e-10)


def test_on_a_ring_without_chance_only_the_start_is_uncertain() -> None:
    rules = ring(3, {"1": 1}, TEN)
    found = payback(rules, deed="shop", turns=9, number=Fraction)  # the price of 30: three rents
    third = Fraction(1, 3)
    assert found.paid == (0, 0, 0, 0, 0, 0, 0, third, 2 * third, 1)
    assert found.mean == 8
    late = payback(rules, deed="shop", start="shop", turns=9, number=Fraction)
    assert late.paid == (*(0,) * 9, 1)
    assert late.mean == 9
    soon = payback(rules, deed="shop", start="s1", turns=9, number=Fraction)
    assert soon.mean == 7


def test_a_step_that_costs_nothing_has_paid_at_once() -> None:
    found = payback("monopoly", deed="boardwalk", level="set")
    assert (found.paid, found.mean, found.median) == ((1.0,), 0, 0)


def test_a_deed_that_nobody_pays_for_never_pays() -> None:
    found = payback(coin_ring(), deed="shop", terms=Terms(owner_notices=0), turns=3)
    assert found.paid == (0, 0, 0, 0)
    assert found.mean is None
    assert found.median is None


def test_an_owner_who_often_forgets_waits_longer() -> None:
    found = payback(
        coin_ring(), deed="shop", terms=Terms(owner_notices="1/2"), turns=4, number=Fraction
    )
    assert found.mean == 12  # three rents, each at 1 in 4
    assert found.paid[3] == Fraction(1, 4**3)


def test_a_fresh_throw_has_its_law_in_the_till() -> None:
    deed = {"kind": "utility", "price": 30, "times_throw": [4]}
    rules = ring(2, COIN, deed, rent={"utility_throw": "fresh"})
    found = collected(rules, hand={"shop": 1}, turns=2)
    quarter = Fraction(1, 4)
    assert found.law == {
        0: quarter,
        4: 2 * HALF * quarter,
        8: 2 * HALF * quarter + quarter * quarter,
        12: 2 * quarter * quarter,
        16: quarter * quarter,
    }


# --------------------------------------------------------------------- against one another


@pytest.mark.parametrize("policy", [leave, stay], ids=["leave", "stay"])
def test_one_turn_from_the_long_run_has_the_moments_of_the_table(policy: Any) -> None:
    walk = chain_of("monopoly", policy=policy)
    table = rent(walk, per="turn")
    for name, level in (("boardwalk", "hotel"), ("reading", "4"), ("water_works", "2")):
        found = collected(walk, hand={name: level}, turns=1)
        assert found.mean == table[name, level].mean
        square = sum(amount * amount * chance for amount, chance in found.law.items())
        assert square - found.mean**2 == table[name, level].variance_one


def test_the_laws_are_laws_in_either_type_of_number() -> None:
    hand = {"st_james": 3, "tennessee": 3, "new_york": 3}
    exact = collected(chain_of("monopoly"), hand=hand, turns=8)
    fast = collected(monopoly_in_floats(), hand=hand, turns=8)
    assert sum(exact.law.values()) == 1
    assert all(isinstance(chance, Fraction) for chance in exact.law.values())
    for amount, chance in exact.law.items():
        assert fast.law[amount] == pytest.approx(float(chance), rel=1e-9)


def test_from_a_square_the_law_is_that_of_the_general_measure() -> None:
    walk = chain_of("monopoly")
    hand = {"boardwalk": "hotel"}
    mine = collected(walk, hand=hand, turns=3, start="illinois")

    def price(event: Event) -> int:
        return 2000 * int(isinstance(event, Landed) and event.square == "boardwalk")

    assert mine.law == spread(walk, 3, price, unit=turns, start="illinois")


def test_the_chance_of_a_rent_is_the_wait_for_the_first_one() -> None:
    walk = chain_of("monopoly")
    found = chance_of_rent(walk, hand={"new_york": "deed"}, turns=5, start="start")
    wait = first_passage(
        walk,
        lambda event: isinstance(event, Landed) and event.square == "new_york",
        unit=turns,
        most=5,
    )
    assert found[0] == 0
    for n in range(1, 6):
        assert found[n] == sum(chance for k, chance in wait.items() if k <= n)
    several = chance_of_rent(walk, hand={"new_york": "deed"}, turns=5, start="start", opponents=3)
    assert several[5] == 1 - (1 - found[5]) ** 3


def test_the_mean_wait_for_the_first_rent_is_that_of_the_general_measure() -> None:
    walk = chain_of("monopoly", policy=stay)
    mine = payback(walk, deed="boardwalk", level="hotel", start="go", turns=1)
    general = until(
        walk,
        lambda event: isinstance(event, Landed) and event.square == "boardwalk",
        price=turns,
        start="go",
    )
    assert mine.mean == general.mean


@pytest.mark.parametrize(
    ("deed", "level"), [("boardwalk", "hotel"), ("baltic", 4), ("water_works", 1), ("reading", 1)]
)
def test_the_mean_is_the_sum_of_the_chances_that_it_has_not_paid_yet(deed: str, level: Any) -> None:
    found = payback(monopoly_in_floats(), deed=deed, level=level)
    assert found.paid[-1] == pytest.approx(1, abs=1e-11)
    assert sum(1 - chance for chance in found.paid) == pytest.approx(found.mean, rel=1e-8)


def test_the_mean_of_the_table_is_the_mean_of_the_curve() -> None:
    table = rent(monopoly_in_floats())
    for deed, level in (("boardwalk", "hotel"), ("baltic", "hotel"), ("electric_company", 1)):
        curve = payback(monopoly_in_floats(), deed=deed, level=level)
        assert table[deed, level].turns_to_recover == pytest.approx(curve.mean, rel=1e-10)


def test_exact_and_rounded_curves_agree() -> None:
    exact = payback(chain_of("monopoly"), deed="new_york", level=3, turns=20, opponents=3)
    fast = payback(monopoly_in_floats(), deed="new_york", level=3, opponents=3)
    assert all(isinstance(chance, Fraction) for chance in exact.paid)
    for n in range(21):
        assert fast.paid[n] == pytest.approx(float(exact.paid[n]), abs=1e-12)


def test_the_same_without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    hand = {"st_james": 3, "new_york": 3}
    with_it = payback(monopoly_in_floats(), hand=hand, turns=10, opponents=2).paid
    monkeypatch.setattr("boardrules.rents.till.numpy_or_none", lambda: None)
    monkeypatch.setattr("boardrules.rents.payback.numpy_or_none", lambda: None)
    without = payback(monopoly_in_floats(), hand=hand, turns=10, opponents=2).paid
    assert without == pytest.approx(with_it, rel=1e-9)


def test_more_opponents_pay_sooner_and_nobody_gives_rent_back() -> None:
    curves = [
        payback(monopoly_in_floats(), hand={"boardwalk": 3, "park_place": 3}, opponents=k)
        for k in (1, 3, 7)
    ]
    means = [curve.mean for curve in curves if curve.mean is not None]
    assert means == sorted(means, reverse=True)
    for few, many in itertools.pairwise(curves):
        assert all(many.within(n) >= few.paid[n] - 1e-12 for n in range(len(few.paid)))
    for curve in curves:
        assert list(curve.paid) == sorted(curve.paid)


def test_the_long_run_at_the_start_of_turns_is_the_share_of_turns_that_end_there() -> None:
    walk = chain_of("monopoly", policy=stay)
    _, law = turn_starts(walk)
    assert sum(law.values()) == 1
    jail = sum(chance for i, chance in law.items() if walk.states[i].token.jailed)
    assert f"{float(100 * jail):.8f}" == "10.94254040"  # per turn under the printed rule


def test_expected_rents_of_the_first_turns_come_to_those_of_the_law() -> None:
    walk = chain_of("monopoly")
    hand = {"oriental": "hotel", "vermont": "hotel"}
    sums = by_turn(walk, hand=hand, turns=3)
    for n in range(4):
        law = collected(walk, hand=hand, turns=n, start="start")
        assert sums[n].mean == law.mean
        square = sum(amount * amount * chance for amount, chance in law.law.items())
        assert sums[n].variance == square - law.mean**2


def test_easy_money_begins_one_space_short() -> None:
    """The start counts as one: after the first throw space 7 has 1/6, whatever card is drawn.

    No card of doubles leads to the Telephone Co. (22) in one turn; Street C is space 6.
    """
    found = chance_of_rent(
        "easy_money", "readings/no_go_to_cards", hand={"street_c": 1}, turns=1, start="start"
    )
    assert found[1] == Fraction(5, 36)  # a total of 6


# ----------------------------------------------------------------------- where one may start


def test_a_token_in_jail_begins_before_the_try_that_is_told() -> None:
    """Out of jail by doubles only: after the second try one more may follow."""
    hand = {"st_james": "hotel"}  # six squares from jail: doubles of three
    found = chance_of_rent("monopoly", hand=hand, turns=1, start=("jail", 1), policy=stay)
    assert found[1] == Fraction(1, 36)
    # before the third try any total of six leads there
    last = chance_of_rent("monopoly", hand=hand, turns=1, start=("jail", 3), policy=stay)
    assert last[1] >= Fraction(5, 36)


def test_a_place_where_no_turn_starts_is_a_clear_error() -> None:
    walk = chain_of("monopoly")
    hand = {"boardwalk": 1}
    drawing = State(Token(7), (Draw("chance", "chance_1"), EndRoll(), EndTurn()))
    for start, says in (
        ("go_to_jail", "no turn ever starts there"),
        ("st_jams", "did you mean 'st_james'"),
        (("jail", 4), "before try 4"),
        (("go", 1), "before try 1"),
        (drawing, "middle of a roll"),
    ):
        with pytest.raises(RulesError) as error:
            collected(walk, hand=hand, start=start)  # type: ignore[arg-type]
        assert says in str(error.value)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"hand": {"boardwalk": 1}, "turns": -1}, "0 to 100,000"),
        ({"hand": {"boardwalk": 1}, "turns": 2.5}, "0 to 100,000"),
        ({"hand": {"boardwalk": 1}, "opponents": 0}, "1 to 20"),
        ({"hand": {}}, "empty hand"),
        ({"hand": {"bordwalk": 1, "reading": 5}}, "2 problems"),
    ],
)
def test_a_question_that_cannot_be_asked_is_a_clear_error(more: dict[str, Any], says: str) -> None:
    with pytest.raises(RulesError, match=says):
        collected(monopoly_in_floats(), **more)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({}, "either"),
        ({"deed": "boardwalk", "hand": {"boardwalk": 1}}, "either"),
        ({"deed": "boardwalk", "cost": -1}, "0 or more"),
        ({"deed": "reading", "level": "hotel"}, "nobody builds here"),
    ],
)
def test_a_payback_that_cannot_be_asked_is_a_clear_error(more: dict[str, Any], says: str) -> None:
    with pytest.raises(RulesError, match=says):
        payback(monopoly_in_floats(), **more)


def test_a_deed_without_a_price_needs_what_was_paid() -> None:
    with pytest.raises(RulesError, match="say what was paid"):
        payback("easy_money", deed="street_a")
    assert payback("easy_money", deed="street_a", cost=30).paid[1] > 0


def test_beyond_the_end_of_a_curve_nothing_is_made_up() -> None:
    found = payback(coin_ring(), deed="shop", turns=3)
    assert found.within(3) == found.paid[3]
    assert found.quantile(Fraction(99, 100)) is None
    with pytest.raises(RulesError, match="ends at 3"):
        found.within(4)
    sure = payback(coin_ring(), deed="shop")
    assert sure.within(10_000) == pytest.approx(1, abs=1e-11)


# -------------------------------------------------------------------------------- the view


def test_every_view_says_what_it_rests_on() -> None:
    for one in (
        payback("easy_money", deed="street_a", level=2, opponents=3),
        collected("easy_money", hand={"street_a": 2}, opponents=3, number=float),
    ):
        for text in (str(one), repr(one), one._repr_html_()):
            assert "Street A" in text
            assert "3 opponents" in text
            assert "llustrative" in text
    frame = payback(coin_ring(), deed="shop", turns=3, number=Fraction).frame(exact=True)
    assert list(frame.columns) == ["rounds", "paid"]
    assert frame["paid"][3] == Fraction(1, 8)
    law = collected(coin_ring(), hand={"shop": "deed"}, turns=1).frame()
    assert list(law["amount"]) == [0, 10]


# ------------------------------------------------------------------------- against the dice


def test_laws_and_waits_agree_with_fair_dice() -> None:
    """Games of 25 turns from GO; four comparisons, one false alarm in a million: |z| below 5.16.

    The spread of a sample variance comes from the fourth moment of the exact law.
    """
    rules = rules_of("monopoly")
    walk = chain(rules, leave, float)
    hand = {"st_james": "3", "tennessee": "3", "new_york": "4", "water_works": "2"}
    charges = {name: charge_at(rules, name, level) for name, level in hand.items()}
    games, many, cost = 1_200, 25, 1_000
    answer = fair(7)
    totals: list[int] = []
    quick = 0
    for _ in range(games):
        state, total, over, soon = walk.states[0], 0, 0, False
        while over < many:
            way = step(state, answer(state, rules, leave).answer, rules)
            for event in way.events:
                if isinstance(event, Landed) and event.square in charges:
                    charge = charges[event.square]
                    fresh = answer(walk.states[0], rules, leave).faces  # ten times a throw, by card
                    pips = sum(fresh) if event.times_throw else event.pips
                    total += charge.rent + (event.times_throw or charge.times) * pips
                over += isinstance(event, TurnOver)
            soon = soon or (total >= cost and over < 13)
            state = way.end
        totals.append(total)
        quick += soon
    law = collected(walk, hand=hand, turns=many, start="start")
    mean = law.mean
    central = [
        sum((amount - mean) ** k * chance for amount, chance in law.law.items()) for k in range(5)
    ]
    seen = sum(totals) / games
    variance = sum((total - mean) ** 2 for total in totals) / games
    paid = payback(walk, hand=hand, cost=cost, start="start", turns=many)
    rich = sum(total >= cost for total in totals) / games
    scores = {
        "mean": (seen - mean) / (central[2] / games) ** 0.5,
        "variance": (variance - central[2]) / ((central[4] - central[2] ** 2) / games) ** 0.5,
        "paid by 25": score(rich, paid.paid[25], games),
        "paid by 12": score(quick / games, paid.paid[12], games),
    }
    assert all(abs(z) < 5.16 for z in scores.values()), scores


def score(share: float, chance: float, count: int) -> float:
    return (share - chance) / (chance * (1 - chance) / count) ** 0.5


def test_rolls_are_counted_where_turns_are_not() -> None:
    """The till counts turns: three rents on a ring of three take nine turns from the shop."""
    rules = ring(3, {"1": 1}, TEN)
    walk = chain(rules)
    from boardrules.rents.payback import hand_of

    wait = mean_wait(walk, hand_of(walk, {"shop": "deed"}), 30, start="shop")
    assert wait == 9
    till = Till(walk, hand_of(walk, {"shop": "deed"}), "shop")
    assert till.unit == 10
    assert until(walk, lambda e: isinstance(e, Landed) and e.square == "shop", rolls).mean == 2


# ------------------------------------------------------------------------ on random boards


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(document=documents(), policy=policies(), place=st.integers(0, 99), price=st.integers(1, 30))
def test_on_random_boards_the_till_the_table_and_the_measures_agree(
    document: dict[str, Any], policy: Any, place: int, price: int
) -> None:
    squares = [dict(square) for square in document["squares"]]
    where = squares[place % len(squares)]
    where["deed"] = {"kind": "street", "price": price, "rent": [7]}
    try:
        walk = chain(load({**document, "squares": squares}), policy, most_states=300)
        row = rent(walk, per="turn").rows[0]
        one = collected(walk, hand={where["id"]: "deed"}, turns=1)
    except RulesError as error:
        known = ("allow more", "keeps adding", "in circles", "separate parts", "for ever", "policy")
        if not any(words in str(error) for words in known):
            raise
        assume(False)  # no game, no long run, no last draw of a turn, or no such policy

    def rents(event: Any) -> int:  # a card that leads there may double what is due
        here = isinstance(event, Landed) and event.square == where["id"]
        return event.rent if here else 0

    found = per_each(walk, turns, {"it": rents})["it"]
    assert row.mean == 7 * found.mean
    assert row.variance == 49 * found.variance
    assert sum(one.law.values()) == 1
    assert one.mean == row.mean
    second = sum(amount**2 * chance for amount, chance in one.law.items())
    assert second - one.mean**2 == row.variance_one
    two = collected(walk, hand={where["id"]: "deed"}, turns=2)
    assert two.mean == 2 * row.mean  # the long run does not drift
    wait = payback(walk, deed=where["id"], turns=2)
    assert wait.paid[1] == one.at_least(price)
    assert wait.paid[2] == two.at_least(price)
    if row.mean:
        general = rent(walk).rows[0].turns_to_recover
        assert general == pytest.approx(float(wait.mean or 0), rel=1e-9)
