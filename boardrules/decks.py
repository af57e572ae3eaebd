"""Real decks: shuffled once, dealt from the top, and used cards put where the rules say.

`shuffled(seed)` answers the questions of a game as `play.fair` does, but draws from real packs of
cards.  A used card goes to the bottom of its pack, or on a discard pile that is shuffled when the
pack has run out; a card that the token keeps is out of the pack until it is given back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import TypeAlias

from .effects import Ask, Draw, Roll, Throw
from .play import Answerer, Move, Reply, pick, thrown_faces
from .rules import Card, Deck, Problem, Rules, RulesError
from .turn import Policy, State, Token, options, read_throw

MOST_CARDS = 10_000
"""No pack of cards is larger than this."""


def shuffled(seed: int) -> Answerer:
    """Honest dice and real decks, the same for the same seed.

    Every deck is shuffled once.  For going back and answering differently see
    `Shuffled.recall`.  Raises `RulesError` when a deck has half cards in it or has run out.
    """
    return Shuffled(seed)


# ------------------------------------------------------------------------------ one pile


@dataclass(frozen=True, slots=True)
class Pile:
    """One deck on the table: the pack (top card first), the discards, and the cards in a hand."""

    pack: tuple[str, ...]
    used: tuple[str, ...] = ()
    out: tuple[str, ...] = ()

    def turn_over(self, random: Random) -> Pile:
        """Shuffle the discards into a new pack, if the pack has run out."""
        if self.pack or not self.used:
            return self
        return replace(self, pack=_shuffle(self.used, random), used=())

    def take(self, place: int) -> Pile:
        """Take a card out from where it lies: its place from the top, the discards after them."""
        cards = (*self.pack, *self.used)
        left = cards[:place] + cards[place + 1 :]
        size = len(self.pack) - (place < len(self.pack))
        return Pile(left[:size], left[size:], (*self.out, cards[place]))

    def put_back(self, card: str, where: str) -> Pile:
        """Put a card from the hand to the bottom of the pack, or on the discard pile."""
        place = self.out.index(card)
        out = self.out[:place] + self.out[place + 1 :]
        if where == "bottom":
            return Pile((*self.pack, card), self.used, out)
        return Pile(self.pack, (*self.used, card), out)


Piles: TypeAlias = Mapping[str, Pile]
"""All decks on the table by their ids; never changed, only replaced."""


def copies(card: Card, deck: Deck, rules: Rules) -> int:
    """How many of a card there are; a real deck has no half cards.

    Raises `RulesError` if the number is not whole.
    """
    count = card.copies
    if not isinstance(count, Fraction) or count.denominator != 1 or count <= 0:
        text = f"a real deck holds whole cards, not {count} of one; draw independently instead"
        raise _wrong(rules, f"decks.{deck.id}.cards.{card.id}.copies", text)
    return int(count)


def full_deck(deck: Deck, rules: Rules) -> tuple[str, ...]:
    """Every single card of a deck, in the order of the ruleset.

    Raises `RulesError` if the deck holds part of a card, or more cards than anybody can shuffle.
    """
    counts = {card.id: copies(card, deck, rules) for card in deck.cards}
    if sum(counts.values()) > MOST_CARDS:
        text = f"more than {MOST_CARDS:,} cards; draw independently instead"
        raise _wrong(rules, f"decks.{deck.id}", text)
    return tuple(card for card, count in counts.items() for _ in range(count))


def held(token: Token, deck: str) -> tuple[str, ...]:
    """The cards of a deck that the token keeps."""
    causes = (kept.cause.partition(".") for kept in token.held)
    return tuple(card for name, _, card in causes if name == deck)


def _shuffle(cards: Sequence[str], random: Random) -> tuple[str, ...]:
    mixed = list(cards)
    for last in range(len(mixed) - 1, 0, -1):
        other = random.randrange(last + 1)
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return tuple(mixed)


def _wrong(rules: Rules, path: str, text: str) -> RulesError:
    return RulesError(rules.label, [Problem("", path, text)])


# -------------------------------------------------------------------------- the answerer


class Shuffled:
    """An answerer with real decks on its table; made by `shuffled`.

    A drawn card stays in the hand until the next question: then the token holds it, or it goes
    back.  Everything comes from one stream of random numbers, so that the same seed plays the
    same game on every Python.
    """

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._rules: Rules | None = None
        self._piles: Piles = {}
        self._past: list[tuple[State, Reply, Piles]] = []

    @property
    def piles(self) -> Piles:
        """What lies where now; the card drawn last is still in the hand."""
        return self._piles

    def __call__(self, state: State, rules: Rules, policy: Policy) -> Reply:
        """The answer to the question of this state."""
        self._lay_out(rules)
        before = self._piles
        self._tidy(state.token)
        reply = self._answer(state, rules, policy)
        self._past.append((state, reply, before))
        return reply

    def recall(self, moves: Sequence[Move], rules: Rules) -> None:
        """Lay the decks as they are after these moves, of which the last ones may be told ones.

        Whoever goes back in a game and answers otherwise says so here: what was dealt since is
        undone, and a told card is taken from where it lies, were it not the top one.
        """
        self._lay_out(rules)
        shared = 0
        for move, (state, reply, _) in zip(moves, self._past, strict=False):
            if move.before != state or move.reply != reply:
                break
            shared += 1
        if shared < len(self._past):
            self._piles = self._past[shared][2]
            del self._past[shared:]
        for move in moves[shared:]:
            before = self._piles
            self._tidy(move.before.token)
            if isinstance(move.before.question, Draw):
                self._told(move.before.question.deck, str(move.reply.answer))
            self._past.append((move.before, move.reply, before))

    def _answer(self, state: State, rules: Rules, policy: Policy) -> Reply:
        question = state.question
        match question:
            case Roll():
                faces = thrown_faces(self._random, rules, rules.dice.count)
                return Reply(read_throw(faces, rules.dice), faces)
            case Throw():
                faces = thrown_faces(self._random, rules, question.dice)
                return Reply(sum(faces), faces)
            case Draw():
                return Reply(self._drawn(question.deck, rules))
            case Ask():
                return Reply(pick(self._random, options(state, rules, policy)))

    def _lay_out(self, rules: Rules) -> None:
        """Shuffle every deck, at the first question of a game."""
        if rules is self._rules:
            return
        full = {name: full_deck(deck, rules) for name, deck in rules.decks.items()}
        self._piles = {name: Pile(_shuffle(cards, self._random)) for name, cards in full.items()}
        self._rules, self._past = rules, []

    def _drawn(self, deck: str, rules: Rules) -> str:
        pile = self._piles[deck].turn_over(self._random)
        if not pile.pack:
            raise _wrong(rules, f"decks.{deck}", "no card is left to draw: all are held")
        self._lay(deck, pile.take(0))
        return pile.pack[0]

    def _told(self, deck: str, card: str) -> None:
        """Take a card that was told from where it lies; one that lies nowhere is not there."""
        pile = self._piles[deck].turn_over(self._random)
        cards = (*pile.pack, *pile.used)
        self._lay(deck, pile.take(cards.index(card)) if card in cards else pile)

    def _tidy(self, token: Token) -> None:
        """Put back what was in the hand and is not kept; take out what is kept."""
        for name, pile in self._piles.items():
            kept = held(token, name) if token.held else ()
            if pile.out != kept:
                self._lay(name, self._settled(name, pile, kept))

    def _settled(self, deck: str, pile: Pile, kept: tuple[str, ...]) -> Pile:
        assert self._rules is not None
        wanted, here = Counter(kept), Counter(pile.out)
        for card in reversed(pile.out):  # the card just drawn first, then one that was kept
            if here[card] > wanted[card]:
                here[card] -= 1
                pile = pile.put_back(card, self._rules.decks[deck].used)
        for card in (wanted - here).elements():
            cards = (*pile.pack, *pile.used)
            if card in cards:  # one that was just put back lies last
                pile = pile.take(len(cards) - 1 - cards[::-1].index(card))
        return pile

    def _lay(self, deck: str, pile: Pile) -> None:
        self._piles = {**self._piles, deck: pile}

    def __repr__(self) -> str:
        decks = (
            f"{name}: {len(pile.pack)} in the pack, {len(pile.used)} used, {len(pile.out)} out"
            for name, pile in self._piles.items()
        )
        return f"<Shuffled {'; '.join(decks) or 'decks, not laid out yet'}>"
