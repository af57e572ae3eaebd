"""Hypothesis strategies for small random games: boards, dice, decks, jails, pegs and policies.

Every game drawn here is well formed and small enough for exact solutions in milliseconds.  It is
made as a dict, as a file would hold it, so that the library is tested along with the rest.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from boardrules.turn import Policy, leave, mixed, stay

SQUARES = "abcdefgh"

amounts = st.integers(0, 9)
weights = st.integers(1, 4) | st.sampled_from(["1/2", "2/3", "0.3"])


@st.composite
def dice(draw: st.DrawFn) -> dict[str, Any]:
    """One or two dice with two to four sides, fair or biased."""
    count = draw(st.integers(1, 2))
    sides = draw(st.integers(2, 4 if count == 1 else 3))
    if draw(st.booleans()):
        return {"count": count, "sides": sides}
    faces = {str(face): draw(weights) for face in range(1, sides + 1)}
    return {"count": count, "faces": faces}


def money() -> st.SearchStrategy[dict[str, Any]]:
    """An effect that moves nobody."""
    return st.one_of(
        amounts.map(lambda amount: {"collect": amount}),
        amounts.map(lambda amount: {"pay": amount}),
        amounts.map(lambda amount: {"pay": amount, "to": "hat"}),
        st.just({"take": "hat"}),
        st.just({"note": "something"}),
        amounts.map(lambda amount: {"everyone": [{"pay": amount, "to": "players"}]}),
    )


@st.composite
def moves(draw: st.DrawFn, size: int, *, jail: bool) -> dict[str, Any]:
    """An effect that moves the token, or loses it the turn."""
    quiet = SQUARES[draw(st.integers(0, size - 1))]
    kinds = [
        {"goto": quiet, "passing": draw(st.booleans())},
        {"move": draw(st.integers(-2, 2))},
        {"place": quiet},
        {"forfeit": True},
        {"nearest": "shop", "rent": 2},
        {"roll": True},
    ]
    return draw(st.sampled_from([*kinds, {"jail": True}] if jail else kinds))


@st.composite
def decks(draw: st.DrawFn, size: int, *, jail: bool) -> dict[str, Any]:
    """One deck of two to four cards, one of which at least does nothing, so that turns end."""
    effects = st.lists(money() | moves(size, jail=jail), min_size=1, max_size=2)
    cards: list[dict[str, Any]] = [{"id": "nothing", "copies": draw(weights)}]
    names = ("one", "two", "three")[: draw(st.integers(1, 3))]
    cards += [{"id": name, "copies": draw(weights), "effects": draw(effects)} for name in names]
    return {"news": {"cards": cards}}


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    """A whole small game as a file would hold it.

    Square a is always quiet; square b always belongs to the group "shop"; at most one square draws
    a card, so that no two squares can send a token around for ever without a question.
    """
    size = draw(st.integers(3, 8))
    jail = draw(st.booleans())
    squares: list[dict[str, Any]] = [{"id": name} for name in SQUARES[:size]]
    squares[1]["kind"] = "shop"
    for square in squares:
        for peg in ("passing", "landing", "crossing"):
            if draw(st.integers(0, 3)) == 0:
                square[peg] = [draw(money())]
    squares[0].setdefault("passing", [{"collect": 2}])
    squares[-1]["landing"] = [{"draw": "news"}]
    if jail:
        squares[-2]["landing"] = [{"jail": True}]
    if draw(st.booleans()):
        squares[0]["stop"] = True
    document: dict[str, Any] = {
        "format": 1,
        "title": "Random",
        "dice": draw(dice()),
        "squares": squares,
        "decks": draw(decks(size, jail=jail)),
        "pots": {"hat": {"name": "The hat"}},
        "start": {"counts_as_one": draw(st.booleans())},
    }
    if draw(st.booleans()):
        limit = draw(st.sampled_from([0, 2, 3]))
        end: list[Any] = [{"jail": True}] if jail and limit else []
        document["doubles"] = {"after": [{"roll": True}], "limit": limit, "at_limit": end}
    if jail:
        attempts = draw(st.integers(1, 3))
        document["jail"] = {
            "square": "a",
            "fine": draw(amounts),
            "attempts": attempts,
            "fine_before": list(range(1, attempts + 1)),
            "last_attempt": draw(st.sampled_from(["roll_first", "pay_first"])),
            "doubles_out": draw(st.sampled_from(["turn_ends", "roll_again"])),
        }
    return document


def policies() -> st.SearchStrategy[Policy]:
    """Leave jail at once, never pay early, or toss a coin for it."""
    return st.sampled_from([leave, stay, mixed(Fraction(1, 3))])
