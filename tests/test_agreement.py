"""The engines check one another, over every game and every overlay that lies on the shelf.

A new ruleset file is tested by lying there.  The arithmetic is checked exactly against numerically;
the law of the chain against honest play, which never sees the chain.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isclose, log, sqrt
from typing import Any

import pytest
from conftest import chain_of, rules_of

from boardrules.chain import Chain, chain
from boardrules.events import Event, Paid, RollOver, bank, rolls
from boardrules.library import games
from boardrules.measure import per_each, rates
from boardrules.play import fair, play
from boardrules.rules import Rules
from boardrules.tables import landing
from boardrules.turn import Policy, leave, stay

UNITS = ("roll", "turn", "visit", "lap")


@dataclass(frozen=True)
class Case:
    """A game, at most one overlay, and how often the dice are thrown for it."""

    game: str
    overlays: tuple[str, ...]
    policy: Policy | None
    rolls: int

    def __str__(self) -> str:
        policy = (self.policy.name,) if self.policy else ()
        return " + ".join((self.game, *self.overlays, *policy))

    @property
    def rules(self) -> Rules:
        return rules_of(self.game, *self.overlays)

    @property
    def exact(self) -> Chain[Fraction]:
        return chain_of(self.game, *self.overlays, policy=self.policy)


def cases() -> list[Case]:
    """Every game, with either policy where there is a jail, and every overlay."""
    found = []
    for game in games():
        jail = rules_of(game.name).jail is not None
        found += [Case(game.name, (), one, 20_000) for one in ((leave, stay) if jail else (None,))]
        # names change no rule: tests/test_names.py compares their laws exactly
        rules = [o.name for o in game.overlays if not o.name.startswith("names/")]
        found += [Case(game.name, (overlay,), None, 3_000) for overlay in rules]
    return found


CASES = cases()
every_case = pytest.mark.parametrize("case", CASES, ids=str)


@lru_cache(maxsize=128)
def numeric(case: Case) -> Chain[float]:
    return chain(case.rules, case.policy, float)


@lru_cache(maxsize=512)
def exactly(case: Case, unit: str) -> dict[str, Fraction]:
    """The exact landing table, by id; solved once for all tests."""
    return {row.id: row.probability for row in landing(case.exact, per=unit).rows}


# --------------------------------------------------------------------------- arithmetic


@every_case
def test_the_ways_on_from_every_state_sum_to_one_exactly(case: Case) -> None:
    for branches in case.exact.branches:
        whole = sum(branch.chance for branch in branches)
        assert type(whole) is Fraction
        assert whole == 1


@every_case
def test_landings_sum_to_one_per_roll_turn_and_visit(case: Case) -> None:
    for unit in ("roll", "turn", "visit"):
        shares = exactly(case, unit)
        assert all(type(share) is Fraction for share in shares.values())
        assert sum(shares.values()) == 1


@every_case
def test_a_lap_ends_once_in_a_lap(case: Case) -> None:
    # Go, Bonus or the last day of the month is reached at least once a lap, and stopped on at most
    # once, so its stops cannot exceed one; in Payday every month stops on its last day
    stops = exactly(case, "lap")[case.rules.lap]
    assert 0 < stops <= 1
    assert stops == 1 or case.game != "payday"


@every_case
def test_exact_and_numeric_arithmetic_agree(case: Case) -> None:
    for unit in UNITS:
        for row in landing(numeric(case), per=unit).rows:
            assert type(row.probability) is float
            share = exactly(case, unit)[row.id]
            assert isclose(share, row.probability, rel_tol=1e-12), (unit, row.id)
    # money in and money out, each a sum of numbers of one sign
    prices = {"in": lambda event: max(bank(event), 0), "out": lambda event: max(-bank(event), 0)}
    exact, near = rates(case.exact, rolls, prices), rates(numeric(case), rolls, prices)
    for name in prices:
        assert type(exact[name]) is Fraction
        assert isclose(exact[name], near[name], rel_tol=1e-12), name


# ----------------------------------------------------------------------------- the law


FALSE_ALARM = 1e-6
"""The chance that honest dice make any of these tests fail, over all comparisons together."""

COMPARISONS = 60 * len(CASES)
"""No game here has more than 60 squares, jail and bank included."""


def limit(variance: float, largest: float) -> float:
    """How far a sum may be from its mean: Bernstein's inequality, for the chance above.

    About 6.7 standard deviations where an event is frequent, more where it is rare and its count
    is skew.  `variance` is that of the whole sum, `largest` its largest single part.
    """
    odds = log(2 * COMPARISONS / FALSE_ALARM)
    return largest * odds / 3 + sqrt((largest * odds / 3) ** 2 + 2 * variance * odds)


def where(event: Event) -> tuple[str, bool] | None:
    """Where a roll ends, jail apart."""
    return (event.square, event.jailed > 0) if isinstance(event, RollOver) else None


def played(rules: Rules, policy: Policy | None, count: int, seed: int) -> Counter[Any]:
    """How often rolls ended on each square, and what the bank paid, in some rolls of the dice."""
    seen: Counter[Any] = Counter()
    for move in play(rules, policy, fair(seed)):
        for event in move.events:
            if isinstance(event, RollOver):
                seen[where(event)] += 1
                seen["rolls"] += 1
            seen["bank"] += bank(event)
        if seen["rolls"] >= count:
            return seen
    raise AssertionError("the game came to an end")


def deviations(walk: Chain[float], seen: Counter[Any]) -> list[tuple[float, str]]:
    """Every comparison: how far off, as a part of what is allowed, and the sentence to print."""
    events = {e for branches in walk.branches for b in branches for e in b.events}
    spots = sorted({where(event) for event in events} - {None})
    prices: dict[Any, Any] = {
        spot: (lambda event, spot=spot: int(where(event) == spot)) for spot in spots
    }
    largest = max((abs(bank(event)) for event in events if isinstance(event, Paid)), default=0)
    expected = per_each(walk, rolls, {**prices, "bank": bank})
    found = []
    for name, moments in expected.items():
        mean, variance = (seen["rolls"] * float(x) for x in (moments.mean, moments.variance))
        away = seen[name] - mean
        allowed = limit(max(variance, 0.0), largest if name == "bank" else 1)
        z = away / sqrt(variance) if variance > 0 else 0.0
        text = f"{name}: {seen[name]} against {mean:.1f}, z = {z:+.2f}, off by {away:+.1f}"
        found.append((abs(away) / allowed, f"{text}, allowed {allowed:.1f}"))
    strange = set(seen) - set(expected) - {"rolls"}
    assert not strange, f"play came to {strange}, where the chain never is"
    return found


@every_case
def test_honest_play_follows_the_law_of_the_chain(case: Case) -> None:
    seen = played(case.rules, case.policy, case.rolls, seed=1935)
    found = deviations(numeric(case), seen)
    assert len(found) <= 60
    worst, text = max(found)
    assert worst <= 1, text


def test_honest_play_of_other_rules_is_found_out() -> None:
    """Guard the guard: a salary doubled on Go, and dice a little loaded, must not pass."""
    walk = numeric(Case("monopoly", (), leave, 0))
    for overlay in ("house/double_go", "house/loaded_dice"):
        seen = played(rules_of("monopoly", overlay), leave, 20_000, seed=1935)
        worst, text = max(deviations(walk, seen))
        assert worst > 1, text
