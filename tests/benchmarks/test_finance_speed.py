"""How fast the money questions are, and what they need: `pytest tests/benchmarks -o addopts=`.

The law of six months under one plan is to take at most 10 s, the best plan of six months at most
60 s, on two cores.  Peak memory is measured in a process of its own and kept with the result.
"""

from __future__ import annotations

import subprocess
import sys
from math import sqrt
from typing import Any

import pytest
from money_games import Sampler

from boardrules import load
from boardrules.chain import chain
from boardrules.money.best import best
from boardrules.money.insurance import best_insurance
from boardrules.money.month import month
from boardrules.money.plans import PLANS, Game
from boardrules.money.trade import TRADES, Trade, best_trade, trade_plan

WALK = "from boardrules import load; from boardrules.chain import chain; w = chain(load('payday'))"
# not by `getrusage`, which hands on what the parent has held
PEAK = "print(next(l for l in open('/proc/self/status') if l.startswith('VmHWM')).split()[1])"


def peak_megabytes(code: str) -> float:
    """The most memory that a fresh interpreter held while it ran some code."""
    ended = subprocess.run(
        [sys.executable, "-c", f"{WALK}; {code}; {PEAK}"],
        capture_output=True,
        text=True,
        check=True,
    )
    return int(ended.stdout.split()[-1]) / 1024


def test_the_exact_law_of_a_month(benchmark: Any) -> None:
    """From the chain on, with every cause."""
    walk = chain(load("payday"))
    benchmark.pedantic(lambda: month(walk), rounds=3)


@pytest.mark.parametrize("plan", PLANS)
def test_six_months_under_one_plan(benchmark: Any, plan: str) -> None:
    """The law of the month is worked out as well."""
    walk = chain(load("payday"))
    benchmark.pedantic(lambda: Game(walk, 6).wealth(PLANS[plan]), rounds=1)
    benchmark.extra_info["peak_mb"] = peak_megabytes(
        f"from boardrules.money.plans import PLANS, Game; Game(w, 6).wealth(PLANS['{plan}'])"
    )


@pytest.mark.parametrize("target", [None, 1000])
def test_the_best_plan_of_six_months(benchmark: Any, target: int | None) -> None:
    walk = chain(load("payday"))
    benchmark.pedantic(lambda: best(walk, months=6, target=target), rounds=1)
    benchmark.extra_info["peak_mb"] = peak_megabytes(
        f"from boardrules.money.best import best; best(w, months=6, target={target})"
    )


@pytest.mark.parametrize("plan", TRADES)
def test_six_months_of_deals(benchmark: Any, plan: str) -> None:
    walk = chain(load("payday"))

    def run() -> None:
        game = Trade(walk, 6)
        game.wealth(trade_plan(game, plan))

    benchmark.pedantic(run, rounds=1)


def test_the_best_deals_and_insurance_of_six_months(benchmark: Any) -> None:
    walk = chain(load("payday"))

    def run() -> None:
        best_trade(walk, months=6)
        for card in ("car_insurance", "health_insurance"):
            best_insurance(walk, card, months=6)

    benchmark.pedantic(run, rounds=1)


def test_a_million_games_against_the_law(benchmark: Any) -> None:
    """Six months of `save` played to the letter: how long a sample takes, and how far it is off.

    The law takes a second or two and has no error; a million games still leave one in the third
    digit.  `z` is the distance of the mean in standard errors.
    """
    walk = chain(load("payday"))
    sampler = Sampler(walk, seed=2026)
    played = benchmark.pedantic(
        lambda: sampler.play([PLANS["save"]], 6, 1_000_000)["save"], rounds=1
    )
    law = Game(walk, 6).wealth(PLANS["save"])
    error = law.sd / sqrt(len(played))
    benchmark.extra_info["z"] = float((played.mean() - law.mean) / error)
    benchmark.extra_info["se"] = float(error)
    assert abs(benchmark.extra_info["z"]) < 5
