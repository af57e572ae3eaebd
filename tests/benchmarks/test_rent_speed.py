"""How fast the rents are: `pytest tests/benchmarks -o addopts=`.

The whole Monopoly rent table is to take at most 1.5 s exactly and 0.15 s in floats on a quiet
machine; nothing is asserted here, since other machines are others.  Run with one thread for
linear algebra (OPENBLAS_NUM_THREADS=1): on matrices of this size threads cost more than they give.
"""

from fractions import Fraction
from typing import Any

import pytest

from boardrules import Rules, chain, load
from boardrules.rents import rent
from boardrules.rents.groups import groups
from boardrules.rents.payback import collected, payback
from boardrules.rents.position import outlook


@pytest.fixture(scope="module")
def monopoly() -> Rules:
    return load("monopoly")


@pytest.mark.parametrize("number", [Fraction, float])
@pytest.mark.parametrize("per", ["roll", "turn"])
def test_the_whole_rent_table(benchmark: Any, monopoly: Rules, per: str, number: Any) -> None:
    """From the rules on: the chain is built as well."""
    benchmark(lambda: rent(monopoly, per=per, number=number))


def test_the_waits_of_the_whole_table(benchmark: Any, monopoly: Rules) -> None:
    walk = chain(monopoly, number=float)
    benchmark(lambda: [row.turns_to_recover for row in rent(walk).rows])


@pytest.mark.parametrize("number", [Fraction, float])
def test_all_groups_with_their_covariances(benchmark: Any, monopoly: Rules, number: Any) -> None:
    walk = chain(monopoly, number=number)
    benchmark(lambda: groups(walk))


@pytest.mark.parametrize("number", [Fraction, float])
def test_the_law_of_the_rent_of_ten_turns(benchmark: Any, monopoly: Rules, number: Any) -> None:
    walk = chain(monopoly, number=number)
    hand = {"st_james": 3, "tennessee": 3, "new_york": 3}
    benchmark(lambda: collected(walk, hand=hand, turns=10))


@pytest.mark.parametrize("opponents", [1, 7])
def test_a_payback_curve(benchmark: Any, monopoly: Rules, opponents: int) -> None:
    walk = chain(monopoly, number=float)
    hand = {"st_james": 3, "tennessee": 3, "new_york": 3}
    benchmark(lambda: payback(walk, hand=hand, opponents=opponents))


def test_the_outlook_of_four_players(benchmark: Any, monopoly: Rules) -> None:
    walk = chain(monopoly, number=float)
    given = {
        "players": {
            "Anna": {"deeds": {"boardwalk": "hotel", "park_place": "hotel"}, "cash": 100},
            "Ben": {"deeds": ["reading", "short_line"], "cash": 500},
            "Cleo": {"deeds": ["water_works"], "cash": 700},
            "Dora": {"cash": 300},
        }
    }
    benchmark(lambda: outlook(walk, given=given, turns=10))
