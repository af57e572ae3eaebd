"""What the tests share: chains that are built once, and ways to set up a position by hand.

A position is a `State`: a token on a square, and what is still to come.  `follow` gives the table's
answers to it, one after the other, and returns everything that happened and where it led.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache

# two workers share two cores: threads of linear algebra would only wait for one another
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
from hypothesis import settings

from boardrules.chain import Chain, chain
from boardrules.effects import Ask, Draw, Effect, EndRoll, EndTurn, Keep, Roll, Throw
from boardrules.events import Event
from boardrules.library import load
from boardrules.rules import Rules
from boardrules.turn import Policy, State, Thrown, Token, leave, read_throw, stay, step

# the same examples on every machine: what fails here fails there
settings.register_profile("alike", derandomize=True)
settings.load_profile("alike")

Said = tuple[int, ...] | int | str
"""Dice as (5, 2), the sum of dice that move nobody as 7, a card or a choice by its id."""


# ------------------------------------------------------------------- positions by hand


def on(square: int, *, doubles: int = 0, held: tuple[Keep, ...] = (), again: bool = False) -> State:
    """A token that is about to throw the dice on a square, counted from 0."""
    return State(Token(square, doubles=doubles, held=held), (Roll(again=again), EndTurn()))


def drawing(
    square: int, deck: str, cause: str, *, pips: int = 0, then: Iterable[Effect] = ()
) -> State:
    """A token that has landed on a square and is about to draw the top card of a deck."""
    return State(Token(square, pips=pips), (Draw(deck, cause), *then, EndRoll(), EndTurn()))


def jailed(attempt: int, rules: Rules) -> State:
    """A token in jail that is about to throw for the n-th time, having paid nothing."""
    assert rules.jail is not None
    return State(Token(rules.index[rules.jail.square], jailed=attempt), (Roll(), EndTurn()))


def follow(rules: Rules, state: State, *said: Said) -> tuple[list[Event], State]:
    """Answer the questions of a position one after the other: all events, and the last pause."""
    record: list[Event] = []
    for one in said:
        way = step(state, _answer(one, state, rules), rules)
        record.extend(way.events)
        state = way.end
    return record, state


def _answer(said: Said, state: State, rules: Rules) -> Thrown | int | str:
    if isinstance(state.question, Roll):
        assert isinstance(said, tuple), f"dice are asked for, not {said!r}"
        return read_throw(said, rules.dice)
    assert not isinstance(said, tuple), f"{asked(state)} is asked, not dice"
    return said


def asked(state: State) -> str:
    """The question of a pause in a few words: `roll`, `draw chance`, `leave_jail: pay or roll`."""
    match state.question:
        case Roll(again=again):
            return "roll again" if again else "roll"
        case Throw(name=name):
            return f"throw for {name}"
        case Draw(deck=deck):
            return f"draw {deck}"
        case Ask(question=question, answers=answers):
            return f"{question}: {' or '.join(name for name, _ in answers)}"


# ------------------------------------------------------------------- games and chains


@lru_cache(maxsize=64)
def rules_of(game: str, *overlays: str) -> Rules:
    """A game from the shelf, opened once."""
    return load(game, *overlays)


@lru_cache(maxsize=64)
def chain_of(game: str, *overlays: str, policy: Policy | None = None) -> Chain[Fraction]:
    """The exact chain of a game from the shelf, built once."""
    return chain(rules_of(game, *overlays), policy)


@pytest.fixture(scope="session")
def monopoly() -> Rules:
    return rules_of("monopoly")


@pytest.fixture(scope="session")
def easy_money() -> Rules:
    return rules_of("easy_money")


@pytest.fixture(scope="session")
def payday() -> Rules:
    return rules_of("payday")


@pytest.fixture(scope="session")
def corner_shop() -> Rules:
    return rules_of("corner_shop")


@pytest.fixture(scope="session")
def monopoly_chain() -> Callable[[str], Chain[Fraction]]:
    """The three jail readings: S pays at once, LO is the printed rule, LC is Collins's."""
    made: dict[str, tuple[tuple[str, ...], Policy]] = {
        "S": ((), leave),
        "LO": ((), stay),
        "LC": (("readings/collins_jail",), stay),
    }

    def get(reading: str) -> Chain[Fraction]:
        overlays, policy = made[reading]
        return chain_of("monopoly", *overlays, policy=policy)

    return get
