"""How fast many tokens roll, and compared with what: `pytest tests/benchmarks -o addopts=`.

Every benchmark here plays `ROLLS` rolls of Monopoly, or a multiple that its name states, so that
ratios can be read off: one token answered by `play.fair` or by real decks, against the table.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from boardrules import Rules, chain, load, stay
from boardrules.decks import shuffled
from boardrules.events import rolls, total
from boardrules.play import Answerer, fair
from boardrules.simulate import BLOCK, Tokens, deck_difference, table
from boardrules.turn import begin, step

ROLLS = 2_000
"""Rolls of the one-token benchmarks."""

TIMES = 500
"""The table plays so many times as many rolls."""


@pytest.fixture(scope="module")
def monopoly() -> Rules:
    return load("monopoly")


@pytest.fixture(scope="module")
def held() -> Rules:
    return load("monopoly", "hold_cards")


def one_token(rules: Rules, answerer: Answerer) -> int:
    """A game of one token, question by question, without its record."""
    state, rolled = begin(rules), 0
    while rolled < ROLLS:
        way = step(state, answerer(state, rules, stay).answer, rules)
        state, rolled = way.end, rolled + total(rolls, way.events)
    return rolled


def test_one_token_answered_by_fair(benchmark: Any, monopoly: Rules) -> None:
    benchmark(lambda: one_token(monopoly, fair(1)))


def test_one_token_with_real_decks(benchmark: Any, monopoly: Rules) -> None:
    benchmark(lambda: one_token(monopoly, shuffled(1)))


@pytest.mark.parametrize("decks", ["independent", "real"])
@pytest.mark.parametrize("cards", ["returned", "held"])
def test_the_table_500_times_as_many_rolls(
    benchmark: Any, monopoly: Rules, held: Rules, cards: str, decks: Any
) -> None:
    made = table(chain(held if cards == "held" else monopoly, stay, float))
    tokens = Tokens(made, BLOCK, decks, np.random.SeedSequence(1))

    def play() -> int:
        for _ in range(ROLLS * TIMES // BLOCK):
            tokens.roll()
        return int(tokens.counts.sum())

    benchmark(play)


def test_the_table_alone(benchmark: Any, held: Rules) -> None:
    walk = chain(held, stay, float)
    benchmark(lambda: table(walk))


def test_a_table_of_deck_differences(benchmark: Any, monopoly: Rules) -> None:
    benchmark.pedantic(lambda: deck_difference(monopoly, stay, tokens=8192, rolls=500), rounds=3)
