"""The record of a turn, and prices put on it.

A turn leaves events behind.  A *price* is any function from an event to a number: money, a count,
or 1 for "it happened".  What is counted per roll, turn or lap is a price too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from .effects import BANK, DICE


@dataclass(frozen=True, slots=True)
class Rolled:
    """The dice were thrown to move; `again` marks a further roll of the same turn."""

    pips: int
    double: bool
    again: bool = False


@dataclass(frozen=True, slots=True)
class Threw:
    """Dice were thrown for something else than a move."""

    name: str
    pips: int


@dataclass(frozen=True, slots=True)
class Drew:
    """A card was drawn; `cause` is the square or card that made the player draw."""

    deck: str
    card: str
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """The player chose."""

    question: str
    answer: str
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Passed:
    """A square was reached going forward, whether the token stopped there or not.

    Recorded for squares where passing matters; `lap` marks the one that ends a lap.
    """

    square: str
    by: str = DICE
    lap: bool = False


@dataclass(frozen=True, slots=True)
class Crossed:
    """A square was gone over without stopping there or anywhere on the same spot."""

    square: str
    by: str = DICE


@dataclass(frozen=True, slots=True)
class Landed:
    """A move ended on a square: with which throw, and by the dice or by which card.

    `rent` is how many times the normal rent is due, `times_throw` the multiple of a fresh throw
    that is due instead (0: none).
    """

    square: str
    pips: int
    by: str = DICE
    rent: int = 1
    times_throw: int = 0


@dataclass(frozen=True, slots=True)
class Placed:
    """The token was put on a square without a move."""

    square: str
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Paid:
    """Money changed hands; the player at turn is called "player"."""

    amount: int
    giver: str
    taker: str
    cause: str = ""
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Repaired:
    """The bank charged for every house and hotel owned."""

    house: int
    hotel: int
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Owed:
    """A bill was kept for later."""

    amount: int
    kind: str
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Took:
    """A pot was emptied by the player."""

    pot: str
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """A card was kept for later use; a lottery ticket tells its prize."""

    card: str
    cause: str = ""
    prize: int = 0


@dataclass(frozen=True, slots=True)
class Used:
    """A kept card was given back."""

    card: str
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Spared:
    """Something did not happen because of a card that is held."""

    card: str
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Noted:
    """Something by name happened that is only about money between players."""

    name: str
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Jailed:
    """The token was sent to jail."""

    cause: str = ""


@dataclass(frozen=True, slots=True)
class Freed:
    """The token left jail."""

    cause: str = ""


@dataclass(frozen=True, slots=True)
class RollOver:
    """A roll is over, cards included: here the token stands (`jailed`: before its n-th try)."""

    square: str
    jailed: int = 0


@dataclass(frozen=True, slots=True)
class TurnOver:
    """A turn is over: here the token stands (`jailed`: before its n-th try)."""

    square: str
    jailed: int = 0


Event: TypeAlias = (
    Rolled
    | Threw
    | Drew
    | Answered
    | Passed
    | Crossed
    | Landed
    | Placed
    | Paid
    | Repaired
    | Owed
    | Took
    | Kept
    | Used
    | Spared
    | Noted
    | Jailed
    | Freed
    | RollOver
    | TurnOver
)
Price: TypeAlias = Callable[[Event], Any]

PLAYER = "player"
"""How events call the player whose turn it is."""


def total(price: Price, events: Iterable[Event]) -> Any:
    """What all events of a record come to at one price."""
    return sum(price(event) for event in events)


# ------------------------------------------------------------------------------- prices


def rolls(event: Event) -> int:
    """One for every roll, counted when the dice leave the hand."""
    return int(isinstance(event, Rolled))


def turns(event: Event) -> int:
    """One for every turn, counted at its first roll."""
    return int(isinstance(event, Rolled) and not event.again)


def laps(event: Event) -> int:
    """One each time a lap ends: Go or Bonus is reached going forward, or the month is over."""
    return int(isinstance(event, Passed) and event.lap)


def bank(event: Event) -> int:
    """What the bank paid the player, less what the player paid the bank."""
    match event:
        case Paid(amount=amount, giver=giver) if giver == BANK:
            return amount
        case Paid(amount=amount, taker=taker) if taker == BANK:
            return -amount
        case _:
            return 0


def landings(event: Event) -> int:
    """One for every move that ends on a square, those that a card orders included."""
    return int(isinstance(event, Landed))


def lands_on(*squares: str) -> Price:
    """One for every move that ends on one of these squares (by their ids)."""
    return _LandsOn(squares)


@dataclass(frozen=True, slots=True)
class _LandsOn:
    """A price that can tell which squares it asks for, so that a misspelt one is noticed."""

    squares: tuple[str, ...]

    def __call__(self, event: Event) -> int:
        return int(isinstance(event, Landed) and event.square in self.squares)
