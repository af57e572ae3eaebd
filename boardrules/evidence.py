"""What a result rests on, and how good the evidence for that is.

A landing table rests on where the squares are and on whatever moves a token, but on no amount of
money; an income also rests on amounts, a rent on deeds.  A result is as good as the weakest part
that it rests on, and says so; it confesses nothing that it does not rest on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal, TypeAlias

from .effects import (
    Draw,
    Effect,
    Forfeit,
    GoTo,
    Jail,
    Move,
    Nearest,
    Place,
    Release,
    Roll,
    inner,
)
from .rules import GRADES, Rules

Rests: TypeAlias = Literal["walk", "bank", "rent", "accounts", "deals", "dice"]
"""What kind of result.

Where a token goes, what the bank pays, what deeds earn; what becomes of savings and loans, and of
bargains bought and sold; what the dice show.
"""

_MOVES = (Roll, Move, GoTo, Nearest, Place, Forfeit, Jail, Release)


@lru_cache(maxsize=32)
def grade(rules: Rules, rests: Rests = "walk") -> str:
    """The weakest grade of evidence that a kind of result rests on."""
    found = {one for path in _PATHS[rests](rules) for one in _grades_at(path, rules)}
    found = found or {rules.grade_of("")}
    return max(found, key=list(GRADES).index)


def _grades_at(path: str, rules: Rules) -> set[str]:
    """The grade of a part, and of whatever an overlay has changed inside it."""
    inside = {
        grade for known, grade in rules.grades.items() if known.startswith((f"{path}.", f"{path}["))
    }
    return {rules.grade_of(path), *inside}


def moves(effects: Sequence[Effect], rules: Rules) -> bool:
    """Whether effects can move a token, be it by a card."""
    return any(
        isinstance(effect, _MOVES) or (isinstance(effect, Draw) and _deck_moves(effect.deck, rules))
        for effect in inner(tuple(effects))
    )


def _deck_moves(name: str, rules: Rules) -> bool:
    cards = rules.decks[name].cards
    return any(
        isinstance(effect, _MOVES) or (isinstance(effect, Draw) and effect.deck != name)
        for card in cards
        for effect in inner(card.effects)
    )


def _walk(rules: Rules) -> Iterator[str]:
    """Where squares are, and what moves a token."""
    for table in ("dice", "doubles", "jail", "start"):
        if table in rules.tree:
            yield table
    for square in rules.squares:
        yield f"squares.{square.id}.position"
        for peg in ("passing", "landing", "crossing"):
            if moves(getattr(square, peg), rules):
                yield f"squares.{square.id}.{peg}"
    for deck in rules.decks.values():
        if _deck_moves(deck.id, rules):
            for card in deck.cards:
                yield f"decks.{deck.id}.cards.{card.id}.copies"
                yield f"decks.{deck.id}.cards.{card.id}.effects"


def _bank(rules: Rules) -> Iterator[str]:
    """The walk, and every amount on squares and cards."""
    yield from _walk(rules)
    for square in rules.squares:
        for peg in ("passing", "landing", "crossing"):
            if getattr(square, peg):
                yield f"squares.{square.id}.{peg}"
    for deck in rules.decks.values():
        for card in deck.cards:
            yield f"decks.{deck.id}.cards.{card.id}.copies"
            yield f"decks.{deck.id}.cards.{card.id}.effects"


def _rent(rules: Rules) -> Iterator[str]:
    """The walk, every deed, and the rules about deeds."""
    yield from _walk(rules)
    yield from (table for table in ("rent", "building", "mortgage") if table in rules.tree)
    for square in rules.squares:
        if square.deed:
            yield f"squares.{square.id}.deed"


def _accounts(rules: Rules) -> Iterator[str]:
    """What the bank pays, and the rules about savings and loans."""
    yield from _bank(rules)
    yield from (table for table in ("accounts", "end") if table in rules.tree)


def _deals(rules: Rules) -> Iterator[str]:
    """The accounts, and what every deal costs and brings."""
    yield from _accounts(rules)
    for deck in rules.decks.values():
        for card in deck.cards:
            if card.deal is not None:
                yield f"decks.{deck.id}.cards.{card.id}.deal"


def _dice(rules: Rules) -> Iterator[str]:
    """The dice alone."""
    if "dice" in rules.tree:
        yield "dice"


_PATHS: Mapping[Rests, Callable[[Rules], Iterator[str]]] = {
    "walk": _walk,
    "bank": _bank,
    "rent": _rent,
    "accounts": _accounts,
    "deals": _deals,
    "dice": _dice,
}
