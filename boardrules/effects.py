"""The words of a turn: what the game may ask, and what may happen.

A turn is a list of effects.  Some of them ask a question (throw the dice, draw a card, let the
player decide), the others do something, and may bring further effects with them.  Both lists are
closed: a `match` over them that ends in `assert_never` is checked for completeness.

Every effect that a ruleset file hangs on a square or a card carries that square (`go`) or card
(`chance.illinois`) as its `cause`, so that the record of a turn can say why each thing happened.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

DICE = "dice"
"""The cause of a move made by the throw itself."""

LEAVE_JAIL = "leave_jail"
"""The question whether to pay one's way out of jail; no other question may have this name."""

BANK = "bank"
PLAYERS = "players"


# ---------------------------------------------------------------------------- questions


@dataclass(frozen=True, slots=True)
class Roll:
    """Throw the dice and move by them.

    `short` steps are left out of the move (a first move that counts the start as one);
    `again` marks a further roll in the same turn.
    """

    short: int = 0
    again: bool = False


@dataclass(frozen=True, slots=True)
class Throw:
    """Throw dice without moving, for a purpose that has a name."""

    name: str
    dice: int = 1
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Draw:
    """Take the top card of a deck and do what it says."""

    deck: str
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """Let the player choose one of several answers, each with its own effects.

    `otherwise` is the answer of a player whose policy has no opinion on this question.
    """

    question: str
    answers: tuple[tuple[str, tuple[Effect, ...]], ...]
    otherwise: str
    cause: str = ""

    def effects(self, answer: str) -> tuple[Effect, ...]:
        """The effects of one answer."""
        return dict(self.answers)[answer]


# ------------------------------------------------------------------------- consequences


@dataclass(frozen=True, slots=True)
class Collect:
    """Receive money, from the bank unless it says from whom."""

    amount: int
    giver: str = BANK
    tag: str = ""
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Pay:
    """Pay money, to the bank unless it says to whom.

    `or_percent` offers a share of the player's total worth instead (an income tax).  Whoever
    knows no worth, as the chain does, pays the amount.
    """

    amount: int
    taker: str = BANK
    tag: str = ""
    or_percent: int = 0
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Repairs:
    """Pay the bank for every house and hotel owned."""

    house: int
    hotel: int
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Owe:
    """Keep a bill that is paid later."""

    amount: int
    kind: str = "bill"
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Take:
    """Take all the money in a pot; with `by="dice"` only who arrived by the dice does."""

    pot: str
    by: str = ""
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep a card until it is used; a lottery ticket pays its prize when it is cashed."""

    card: str
    cause: str = ""
    prize: int = 0


@dataclass(frozen=True, slots=True)
class Use:
    """Give a kept card back."""

    card: str
    cause: str = ""


@dataclass(frozen=True, slots=True)
class UnlessHeld:
    """Do something, unless the player holds a card that spares him."""

    card: str
    effect: Effect
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Everyone:
    """Every player does the same, the one at turn first."""

    effects: tuple[Effect, ...]
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """Put something by name into the record: a corner of the game that is only about money."""

    name: str
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Move:
    """Go so many squares forward, or back if the number is negative."""

    steps: int
    cause: str = ""


@dataclass(frozen=True, slots=True)
class GoTo:
    """Go forward to a named square; `passing` and `crossing` tell which pegs on the way act."""

    square: str
    passing: bool = True
    crossing: bool = False
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Nearest:
    """Go forward to the next square of a group.

    The owner there gets `rent` times the normal rent, or, where `times_throw` is not 0, that many
    times a fresh throw of the dice.
    """

    group: str
    rent: int = 1
    times_throw: int = 0
    passing: bool = True
    crossing: bool = False
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Once this turn is over, start the next one from another square."""

    square: str
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Lose the rest of this turn."""

    cause: str = ""


@dataclass(frozen=True, slots=True)
class Jail:
    """Go straight to jail; the turn is over."""

    cause: str = ""


@dataclass(frozen=True, slots=True)
class Release:
    """Leave jail."""

    cause: str = ""


@dataclass(frozen=True, slots=True)
class Land:
    """Come to stand on a square: the end of every move."""

    square: str
    by: str = DICE
    rent: int = 1
    times_throw: int = 0


@dataclass(frozen=True, slots=True)
class PutDown:
    """Put the token on a square now, without a move: what `Place` becomes after the turn."""

    square: str
    cause: str = ""


@dataclass(frozen=True, slots=True)
class EndRoll:
    """The end of one roll, cards included: where the token stands now is counted."""


@dataclass(frozen=True, slots=True)
class EndTurn:
    """The end of the turn; the next one begins."""


Question: TypeAlias = Roll | Throw | Draw | Ask
Consequence: TypeAlias = (
    Collect
    | Pay
    | Repairs
    | Owe
    | Take
    | Keep
    | Use
    | UnlessHeld
    | Everyone
    | Note
    | Move
    | GoTo
    | Nearest
    | Place
    | Forfeit
    | Jail
    | Release
    | Land
    | PutDown
    | EndRoll
    | EndTurn
)
Effect: TypeAlias = Question | Consequence

QUESTIONS = (Roll, Throw, Draw, Ask)
"""The same closed list for `isinstance`."""


def caused_by(cause: str, effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """The same effects, marked with the square or card that they hang on."""
    return tuple(_marked(effect, cause) for effect in effects)


def _marked(effect: Effect, cause: str) -> Effect:
    match effect:
        case Roll() | Land() | EndRoll() | EndTurn():
            return effect
        case Ask():
            answers = tuple((name, caused_by(cause, then)) for name, then in effect.answers)
            return replace(effect, answers=answers, cause=cause)
        case Everyone():
            return replace(effect, effects=caused_by(cause, effect.effects), cause=cause)
        case UnlessHeld():
            return replace(effect, effect=_marked(effect.effect, cause), cause=cause)
        case _:
            return replace(effect, cause=cause)


def inner(effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """All effects of a list, those inside choices and conditions included."""
    found: list[Effect] = []
    for effect in effects:
        found.append(effect)
        match effect:
            case Ask():
                for _, then in effect.answers:
                    found.extend(inner(then))
            case Everyone():
                found.extend(inner(effect.effects))
            case UnlessHeld():
                found.extend(inner((effect.effect,)))
            case _:
                pass
    return tuple(found)
