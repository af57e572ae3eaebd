"""How fast it is, and compared with what: `pytest tests/benchmarks -o addopts=`.

No timing is asserted anywhere; the figures go into the changelog as ratios.
"""

import os
import subprocess
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from boardrules import Rules, bank, chain, landing, lands_on, load, rolls
from boardrules.measure import per_each, stationary
from boardrules.solve import resolvent


@pytest.fixture(scope="module")
def monopoly() -> Rules:
    return load("monopoly")


def test_from_file_to_float_landing_table(benchmark: Any) -> None:
    benchmark(lambda: landing("monopoly", number=float))


def test_from_file_to_exact_landing_table(benchmark: Any) -> None:
    benchmark(lambda: landing("monopoly"))


def test_load_alone(benchmark: Any) -> None:
    benchmark(lambda: load("monopoly"))


def test_chain_alone(benchmark: Any, monopoly: Rules) -> None:
    benchmark(lambda: chain(monopoly, number=float))


@pytest.mark.parametrize("number", [Fraction, float])
def test_means_and_variances_of_all_squares(benchmark: Any, monopoly: Rules, number: Any) -> None:
    walk = chain(monopoly, number=number)
    prices: dict[str, Any] = {square.id: lands_on(square.id) for square in monopoly.squares}
    benchmark(lambda: per_each(walk, rolls, {**prices, "bank": bank}))


def test_payday_from_file_to_exact_landing_table(benchmark: Any) -> None:
    benchmark(lambda: landing("payday"))


class TestTheSolveAlone:
    """Our float solve against numpy's on the same matrix."""

    @pytest.fixture(scope="class")
    def rows(self, monopoly: Rules) -> list[dict[int, float]]:
        rows = chain(monopoly, number=float).rows()
        last = len(rows) - 1  # without one state, so that there is one solution
        return [{j: p for j, p in row.items() if j != last} for row in rows[:last]]

    def test_ours(self, benchmark: Any, rows: list[dict[int, float]]) -> None:
        right = [[1.0] for _ in rows]
        benchmark(lambda: resolvent(rows, right, float))

    def test_numpy(self, benchmark: Any, rows: list[dict[int, float]]) -> None:
        matrix = np.eye(len(rows))
        for i, row in enumerate(rows):
            for j, p in row.items():
                matrix[i, j] -= p
        right = np.ones((len(rows), 1))
        benchmark(lambda: np.linalg.solve(matrix, right))


class TestTheLongRun:
    """Our float stationary distribution against quantecon's on the same matrix."""

    def test_ours(self, benchmark: Any, monopoly: Rules) -> None:
        walk = chain(monopoly, number=float)
        benchmark(lambda: stationary(walk))

    def test_quantecon(self, benchmark: Any, monopoly: Rules) -> None:
        quantecon = pytest.importorskip("quantecon", reason="quantecon is not installed")
        walk = chain(monopoly, number=float)
        matrix = np.zeros((len(walk.states), len(walk.states)))
        for i, row in enumerate(walk.rows()):
            matrix[i, list(row)] = list(row.values())

        def solve() -> Any:  # the chain anew, as it keeps what it has found
            return quantecon.MarkovChain(matrix).stationary_distributions

        (found,) = solve()
        assert np.abs(found - stationary(walk)).max() < 1e-12
        benchmark(solve)


@pytest.mark.parametrize("module", ["boardrules", "numpy"])
def test_import(benchmark: Any, module: str) -> None:
    """A fresh interpreter, bytecode compiled by the warm-up rounds, as after an installation."""
    command = [sys.executable, "-c", f"import {module}"]
    compiled = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    benchmark.pedantic(
        lambda: subprocess.run(command, check=True, env=compiled), rounds=20, warmup_rounds=2
    )


def test_python_alone(benchmark: Any) -> None:
    """What of the two imports above is the interpreter's own start."""
    command = [sys.executable, "-c", ""]
    benchmark.pedantic(lambda: subprocess.run(command, check=True), rounds=20, warmup_rounds=2)
