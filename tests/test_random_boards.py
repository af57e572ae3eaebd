"""What must hold on every board holds on random ones: small, biased, with decks, jails and pegs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import islice
from math import isclose
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from strategies import documents, policies
from sympy import Matrix, Rational

from boardrules.chain import Chain, chain
from boardrules.events import RollOver, TurnOver, bank, laps, rolls, turns
from boardrules.library import load
from boardrules.measure import after, per, per_each, rates, spread, stationary, tally, trail
from boardrules.play import Walk, fair, play
from boardrules.rules import RulesError
from boardrules.tables import landing
from boardrules.turn import Policy, State

MOST_STATES = 400

quick = settings(
    max_examples=80,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def walked(
    document: dict[str, Any], policy: Policy, number: Callable[[Fraction], Any] = Fraction
) -> Chain[Any]:
    """The chain of a random game; games that grow large or fall apart are thrown away."""
    walk = chain_of(document, policy, number)
    assume(walk is not None)
    assert walk is not None
    return walk


NO_GAME = ("allow more", "keeps adding", "in circles", "two separate parts")
"""Why a random game may have no long run; anything else is a fault."""


def chain_of(
    document: dict[str, Any], policy: Policy, number: Callable[[Fraction], Any]
) -> Chain[Any] | None:
    rules = load(document)
    try:
        walk = chain(rules, policy, number, most_states=MOST_STATES)
        stationary(walk)
    except RulesError as error:
        if any(words in str(error) for words in NO_GAME):
            return None
        raise
    return walk


@quick
@given(documents(), policies())
def test_all_branches_of_a_state_sum_to_one_exactly(
    document: dict[str, Any], policy: Policy
) -> None:
    walk = walked(document, policy)
    for row, branches in zip(walk.rows(), walk.branches, strict=True):
        assert sum(row.values()) == 1
        assert all(type(branch.chance) is Fraction and branch.chance > 0 for branch in branches)


@quick
@given(documents(), policies())
def test_the_stationary_law_is_a_law_and_stays_as_it_is(
    document: dict[str, Any], policy: Policy
) -> None:
    walk = walked(document, policy)
    law = stationary(walk)
    assert all(type(share) is Fraction and share >= 0 for share in law)
    assert sum(law) == 1
    ahead = [Fraction(0)] * len(law)
    for share, row in zip(law, walk.rows(), strict=True):
        for place, chance in row.items():
            ahead[place] += share * chance
    assert ahead == law


@quick
@given(documents(), policies())
def test_sympy_finds_the_same_stationary_law(document: dict[str, Any], policy: Policy) -> None:
    walk = walked(document, policy)
    size = len(walk.states)
    assume(size <= 25)
    matrix = Matrix.zeros(size, size)
    for place, row in enumerate(walk.rows()):
        for end, chance in row.items():
            matrix[end, place] += Rational(chance.numerator, chance.denominator)
    (law,) = (matrix - Matrix.eye(size)).nullspace()
    whole = sum(law)
    assert [Fraction(int(p.p), int(p.q)) for p in law / whole] == stationary(walk)


@quick
@given(documents(), policies())
def test_exact_and_numeric_arithmetic_agree(document: dict[str, Any], policy: Policy) -> None:
    one, two = walked(document, policy), walked(document, policy, float)
    assert [s.token for s in one.states] == [s.token for s in two.states]
    for left, right in zip(stationary(one), stationary(two), strict=True):
        assert type(right) is float
        assert isclose(left, right, rel_tol=1e-12)
    prices = {"bank": bank, "laps": laps, "turns": turns}
    exact, numeric = per_each(one, rolls, prices), per_each(two, rolls, prices)
    for name in prices:
        scale = per(one, rolls, lambda event, name=name: abs(prices[name](event))).mean
        assert isclose(exact[name].mean, numeric[name].mean, rel_tol=1e-12, abs_tol=1e-12 * scale)


@quick
@given(documents(), policies())
def test_landings_sum_to_one_per_roll_turn_and_visit(
    document: dict[str, Any], policy: Policy
) -> None:
    walk = walked(document, policy)
    for unit in ("roll", "turn", "visit"):
        table = landing(walk, per=unit)
        assert sum(row.probability for row in table.rows) == 1
        assert all(type(row.probability) is Fraction for row in table.rows)


@quick
@given(documents(), policies())
def test_units_convert_into_one_another(document: dict[str, Any], policy: Policy) -> None:
    # what comes per turn is what comes per roll times the rolls of a turn
    walk = walked(document, policy)
    per_roll = rates(walk, rolls, {"bank": bank, "turns": turns, "laps": laps})
    per_turn = rates(walk, turns, {"bank": bank, "rolls": rolls})
    assert per_turn["rolls"] * per_roll["turns"] == 1
    assert per_turn["bank"] == per_roll["bank"] * per_turn["rolls"]
    assert per(walk, rolls, rolls).mean == 1
    assert per(walk, rolls, rolls).variance == 0


@quick
@given(documents(), policies(), st.integers(-3, 3), st.integers(-3, 3))
def test_means_are_linear_in_the_price(
    document: dict[str, Any], policy: Policy, a: int, b: int
) -> None:
    walk = walked(document, policy)
    both = per(walk, rolls, lambda event: a * bank(event) + b * laps(event))
    alone = per_each(walk, rolls, {"bank": bank, "laps": laps})
    assert both.mean == a * alone["bank"].mean + b * alone["laps"].mean
    assert both.variance >= 0
    # variances too, with the covariance found from a sum and a difference
    plus = per(walk, rolls, lambda event: bank(event) + laps(event)).variance
    minus = per(walk, rolls, lambda event: bank(event) - laps(event)).variance
    parts = a * a * alone["bank"].variance + b * b * alone["laps"].variance
    assert both.variance == parts + a * b * (plus - minus) / 2


@quick
@given(documents(), policies(), st.integers(1, 4))
def test_where_a_token_is_after_some_turns_is_the_power_of_the_matrix(
    document: dict[str, Any], policy: Policy, steps: int
) -> None:
    # one turn is (inside)* (ending), with the matrix split by which branches end a turn
    walk = walked(document, policy, float)
    size = len(walk.states)
    inside, ending = np.zeros((size, size)), np.zeros((size, size))
    for place, branches in enumerate(walk.branches):
        for branch in branches:
            over = any(isinstance(event, TurnOver) for event in branch.events)
            (ending if over else inside)[place, branch.end] += branch.chance
    turn = np.linalg.solve(np.eye(size) - inside, ending)
    law = np.linalg.matrix_power(turn, steps)[0]
    assert isclose(law.sum(), 1)
    expected: dict[tuple[str, bool], float] = {}
    for chance, state in zip(law, walk.states, strict=True):
        spot = spot_of(walk, state)
        expected[spot] = expected.get(spot, 0.0) + chance
    found = after(walk, steps, turns)
    places = any("place" in str(card.get("effects")) for card in document["decks"]["news"]["cards"])
    if not places:  # a token is placed once its turn is over, and then begins elsewhere
        for spot in expected.keys() | found.keys():
            assert isclose(found.get(spot, 0.0), expected.get(spot, 0.0), abs_tol=1e-12)
    assert isclose(sum(found.values()), 1)


def spot_of(walk: Chain[Any], state: State) -> tuple[str, bool]:
    """The square of a state, and whether it is in jail."""
    return walk.rules.squares[state.token.square].id, state.token.jailed > 0


@quick
@given(documents(), policies())
def test_shares_of_rolls_near_the_long_run_as_fast_as_they_must(
    document: dict[str, Any], policy: Policy
) -> None:
    # If M is the longest mean number of rolls to some home state, then the expected rolls that end
    # on a square, among any n in a row, are within 2 M of n times its share (renewal theory).
    walk = walked(document, policy, float)
    longest = rolls_home(walk)
    window = 100
    laws = list(islice(trail(walk), 50, 50 + window))
    for row in landing(walk).rows:
        found = sum(share(law, row.id) for law in laws)
        assert abs(found - window * row.probability) <= 2 * longest + 1e-9


def share(law: Mapping[tuple[str, bool], float], square: str) -> float:
    """The chance of a square, or of being in jail, in a law of `trail`."""
    if square == "in_jail":
        return sum(chance for (_, jailed), chance in law.items() if jailed)
    return law.get((square, False), 0.0)


def rolls_home(walk: Chain[float]) -> float:
    """The longest mean number of rolls from any state to the one that is visited most."""
    law = stationary(walk)
    home = law.index(max(law))
    matrix, gains = np.eye(len(law)), np.zeros(len(law))
    for place, branches in enumerate(walk.branches):
        for branch in branches:
            gains[place] += branch.chance * sum(isinstance(e, RollOver) for e in branch.events)
            if branch.end != home:
                matrix[place, branch.end] -= branch.chance
    return float(np.linalg.solve(matrix, gains).max())


@quick
@given(documents(), policies(), st.integers(1, 3))
def test_the_spread_of_money_is_a_law_with_the_mean_of_its_rolls(
    document: dict[str, Any], policy: Policy, steps: int
) -> None:
    walk = walked(document, policy)
    try:
        money = spread(walk, steps, bank, rolls)
    except RulesError as error:  # a card may lead back to its own square, time and again
        assume("any number of questions" not in str(error))
        raise
    assert spread(walk, steps, rolls, rolls) == {steps: 1}, "n rolls have n rolls"
    assert sum(money.values()) == 1
    assert all(type(chance) is Fraction for chance in money.values())
    assert list(money) == sorted(money)


@quick
@given(documents(), policies(), st.integers(0, 10**6))
def test_whatever_is_played_is_a_way_through_the_chain(
    document: dict[str, Any], policy: Policy, seed: int
) -> None:
    walk = walked(document, policy)
    place = 0
    for _, move in zip(range(50), play(walk.rules, policy, fair(seed)), strict=False):
        assert walk.states[place] == move.before
        ways = [b for b in walk.branches[place] if walk.states[b.end] == move.after]
        assert move.events in [way.events for way in ways]
        place = next(way.end for way in ways if way.events == move.events)


@quick
@given(documents(), policies(), st.integers(0, 10**6), st.integers(1, 30))
def test_back_and_forward_again_is_the_same_game(
    document: dict[str, Any], policy: Policy, seed: int, count: int
) -> None:
    walk = Walk(walked(document, policy).rules, policy, fair(seed))
    made = [walk.forward() for _ in range(count)]
    for move in reversed(made):
        assert walk.back() == move
    assert walk.back() is None
    assert [walk.forward() for _ in range(count)] == made


@quick
@given(documents(), policies())
def test_kinds_of_events_are_counted_as_their_prices(
    document: dict[str, Any], policy: Policy
) -> None:
    walk = walked(document, policy)
    kinds = tally(walk, lambda event: type(event).__name__, rolls)
    assert kinds["Rolled"] == 1
    assert kinds["RollOver"] == 1
    assert kinds["TurnOver"] == per(walk, rolls, turns).mean


def test_the_random_games_are_not_all_alike() -> None:
    """Guard the guard: the games drawn must reach jails, decks, doubles and biased dice."""
    met: set[str] = set()

    @settings(max_examples=200, derandomize=True, deadline=None, database=None)
    @given(documents())
    def look(document: dict[str, Any]) -> None:
        rules = load(document)
        met.update(
            word
            for word, there in (
                ("jail", rules.jail is not None),
                ("no jail", rules.jail is None),
                ("two dice", rules.dice.count == 2),
                ("biased", len({weight for _, weight in rules.dice.faces}) > 1),
                ("doubles", bool(rules.doubles.after)),
                ("limit", bool(rules.doubles.limit)),
                ("crossing", any(square.crossing for square in rules.squares)),
                ("stop", any(square.stop for square in rules.squares)),
            )
            if there
        )

    look()
    assert met == {
        "jail", "no jail", "two dice", "biased", "doubles", "limit", "crossing", "stop"
    }  # fmt: skip


@pytest.mark.parametrize("unit", ["roll", "turn", "visit", "lap"])
def test_units_have_their_tables(unit: str) -> None:
    assert landing("corner_shop", per=unit).rows
