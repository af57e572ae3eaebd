"""One answer at a time: a turn to watch, to step back through, and to have explained.

An *answerer* answers the questions that a game asks: `fair(seed)` by chance, `scripted(...)` as it
is told.  `play` goes on and on, a `Walk` can be stepped forward and back.  Nothing here knows the
Markov chain, so that the two can check one another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from math import lcm
from random import Random
from typing import Any, Protocol, TypeAlias, assert_never

from . import effects
from .chain import usual_policy
from .effects import (
    BANK,
    DICE,
    LEAVE_JAIL,
    PLAYERS,
    Ask,
    Collect,
    Draw,
    Effect,
    EndRoll,
    EndTurn,
    Everyone,
    Pay,
    PutDown,
    Roll,
    Throw,
)
from .events import (
    Answered,
    Crossed,
    Drew,
    Event,
    Freed,
    Jailed,
    Kept,
    Landed,
    Noted,
    Owed,
    Paid,
    Passed,
    Placed,
    Repaired,
    Rolled,
    RollOver,
    Spared,
    Threw,
    Took,
    TurnOver,
    Used,
)
from .library import Source, load
from .rules import Problem, Rules, RulesError, unknown
from .turn import (
    Answer,
    Policy,
    State,
    begin,
    check_policy,
    options,
    pack,
    read_throw,
    step,
)


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, and the faces of the dice if dice were thrown for it."""

    answer: Answer
    faces: tuple[int, ...] = ()


class Answerer(Protocol):
    """Whoever answers the questions of a game; raises `StopIteration` when there is no more."""

    def __call__(self, state: State, rules: Rules, policy: Policy) -> Reply:
        """The answer to the question of this state."""


@dataclass(frozen=True, slots=True)
class Move:
    """One question and its answer: the state before, what happened, and the state after."""

    turn: int
    before: State
    reply: Reply
    events: tuple[Event, ...]
    after: State

    @property
    def ends_turn(self) -> bool:
        """Whether the turn is over with this move."""
        return any(isinstance(event, TurnOver) for event in self.events)


# ----------------------------------------------------------------------------- answerers


def fair(seed: int) -> Answerer:
    """Honest dice and well shuffled cards, the same for the same seed.

    Every draw is from the full deck, as in the chain.
    """
    random = Random(seed)

    def answer(state: State, rules: Rules, policy: Policy) -> Reply:
        question = state.question
        match question:
            case Roll():
                faces = thrown_faces(random, rules, rules.dice.count)
                return Reply(read_throw(faces, rules.dice), faces)
            case Throw():
                faces = thrown_faces(random, rules, question.dice)
                return Reply(sum(faces), faces)
            case Draw():
                cards = {card.id: copies for card, copies in pack(question, state.token, rules)}
                return Reply(pick(random, cards))
            case Ask():
                return Reply(pick(random, options(state, rules, policy)))
            case _:
                assert_never(question)

    return answer


def thrown_faces(random: Random, rules: Rules, count: int) -> tuple[int, ...]:
    """The faces of some dice, thrown one by one."""
    faces = dict(rules.dice.faces)
    return tuple(pick(random, faces) for _ in range(count))


def pick(random: Random, weights: Mapping[Any, Fraction]) -> Any:
    """One key by its weight, in whole numbers, so that every Python picks the same."""
    if len(weights) == 1:
        return next(iter(weights))
    scale = lcm(*(weight.denominator for weight in weights.values()))
    left = random.randrange(int(sum(weights.values()) * scale))
    for key, weight in weights.items():
        left -= int(weight * scale)
        if left < 0:
            return key
    raise AssertionError("weights ran out")


Told: TypeAlias = int | str | Sequence[int]


def scripted(answers: Iterable[Told], then: Answerer | None = None) -> Answerer:
    """Answers as they are told: dice as `(5, 2)`, a card by its id, a choice by its name.

    One die may be told as a number, dice also as `"5+2"`.  After the last answer `then` goes on,
    or the game stops.  Raises `RulesError` for an answer that does not fit the question.
    """
    told = iter(enumerate(answers, start=1))

    def answer(state: State, rules: Rules, policy: Policy) -> Reply:
        try:
            place, one = next(told)
        except StopIteration:
            if then is None:
                raise
            return then(state, rules, policy)
        return read_answer(one, state, rules, f"answer {place} of the script")

    return answer


def read_answer(told: Told, state: State, rules: Rules, where: str = "answer") -> Reply:
    """What somebody said, as an answer to the question of a state.

    Raises `RulesError` that says what would fit.
    """
    question = state.question
    match question:
        case Roll() | Throw():
            count = rules.dice.count if isinstance(question, Roll) else question.dice
            faces = _told_faces(told)
            known = {face for face, _ in rules.dice.faces}
            if len(faces) != count or not set(faces) <= known:
                example = "+".join(str(min(known)) for _ in range(count))
                dice = "one die" if count == 1 else f"{count} dice"
                text = f"needs {dice} with faces {min(known)} to {max(known)}, such as {example!r}"
                raise _unfit(rules, where, f"{text}, not {told!r}")
            if isinstance(question, Roll):
                return Reply(read_throw(faces, rules.dice), faces)
            return Reply(sum(faces), faces)
        case Draw():
            deck = rules.decks[question.deck]
            names = {card.id: card.id for card in deck.cards}
            names.update({card.name.casefold(): card.id for card in deck.cards})
            key = str(told).strip()
            found = names.get(key) or names.get(key.casefold())
            if found is None:
                text = f"needs a card of {deck.name}: {unknown('card', key, names)}"
                raise _unfit(rules, where, text)
            return Reply(found)
        case Ask():
            names = {name: name for name, _ in question.answers}
            if str(told).strip().casefold() not in names:
                text = f"needs one of {', '.join(names)}, not {told!r}"
                raise _unfit(rules, where, text)
            return Reply(str(told).strip().casefold())
        case _:
            assert_never(question)


def _told_faces(told: Told) -> tuple[int, ...]:
    if isinstance(told, bool):
        return ()
    if isinstance(told, int):
        return (told,)
    if isinstance(told, str):
        parts = told.replace("+", " ").replace(",", " ").split()
        return tuple(map(int, parts)) if all(map(str.isdecimal, parts)) else ()
    faces = tuple(told) if isinstance(told, Sequence) else ()
    whole = tuple(face for face in faces if type(face) is int)
    return whole if len(whole) == len(faces) else ()


def _unfit(rules: Rules, where: str, text: str) -> RulesError:
    return RulesError(rules.label, [Problem("", where, text)])


# --------------------------------------------------------------------------------- play


def play(
    rules: Rules | Source,
    policy: Policy | None = None,
    answerer: Answerer | None = None,
    *,
    turns: int | None = None,
) -> Iterator[Move]:
    """Play on, one question at a time, for some turns or for ever.

    Default is the usual policy and `fair(1)`.  Every move can be given to `explain`.
    """
    walk = Walk(rules, policy, answerer)
    if turns is not None and (isinstance(turns, bool) or not isinstance(turns, int) or turns < 0):
        text = f"turns must be a whole number, 0 or more, not {turns!r}"
        raise RulesError(walk.rules.label, [Problem("", "", text)])
    while turns is None or walk.turn <= turns:
        move = walk.forward()
        if move is None:
            return
        yield move


LONGEST_TURN = 2_000
"""A turn that asks more questions than this is taken for one that never ends."""


class Walk:
    """A game of one token to walk through, forward and back.

    Going back and forward again repeats the same answers; only `force` writes a new future.
    """

    def __init__(
        self,
        rules: Rules | Source,
        policy: Policy | None = None,
        answerer: Answerer | None = None,
        start: State | None = None,
    ) -> None:
        self.rules = rules if isinstance(rules, Rules) else load(rules)
        self.policy = policy or usual_policy(self.rules)
        check_policy(self.policy, self.rules)
        self._answerer = answerer or fair(1)
        self._start = start or begin(self.rules)
        self._moves: list[Move] = []
        self._place = 0

    @property
    def moves(self) -> tuple[Move, ...]:
        """What has been played up to here."""
        return tuple(self._moves[: self._place])

    @property
    def last(self) -> Move | None:
        """The move that led here, if there is one."""
        return self._moves[self._place - 1] if self._place else None

    @property
    def state(self) -> State:
        """Where the game stands now."""
        return self.last.after if self.last else self._start

    @property
    def turn(self) -> int:
        """The number of the turn that is being played, from 1."""
        return self.last.turn + self.last.ends_turn if self.last else 1

    def forward(self) -> Move | None:
        """Go one question on; None if the script has come to its end."""
        if self._place == len(self._moves):
            try:
                reply = self._answerer(self.state, self.rules, self.policy)
            except StopIteration:
                return None
            self._take(reply)
        self._place += 1
        return self.last

    def back(self) -> Move | None:
        """Go one question back; the move that was taken back, or None at the start."""
        undone = self.last
        if undone is not None:
            self._place -= 1
        return undone

    def forward_turn(self) -> tuple[Move, ...]:
        """Play to the end of this turn; the moves that were made."""
        made: list[Move] = []
        while (move := self.forward()) is not None:
            made.append(move)
            if move.ends_turn:
                break
        return tuple(made)

    def back_turn(self) -> None:
        """Go back to the start of this turn, or of the one before if this one has just begun."""
        self.back()
        while self.last is not None and not self.last.ends_turn:
            self.back()

    def force(self, told: Told) -> Move:
        """Answer the question that stands here oneself; what was played after it is forgotten.

        Raises `RulesError`, and changes nothing, if the answer does not fit.
        """
        reply = read_answer(told, self.state, self.rules)
        del self._moves[self._place :]
        self._take(reply)
        self._place += 1
        # real decks have to take a told card from where it lies, and back what was undone
        recall = getattr(self._answerer, "recall", None)
        if recall is not None:
            recall(self.moves, self.rules)
        return self._moves[-1]

    @property
    def _began(self) -> int:
        """The place of the first move of this turn, as far back as is worth looking."""
        for place in range(self._place, max(0, self._place - LONGEST_TURN - 1), -1):
            if self._moves[place - 1].ends_turn:
                return place
        return max(0, self._place - LONGEST_TURN - 1)

    def _take(self, reply: Reply) -> None:
        asked = self._place - self._began
        if asked > LONGEST_TURN:
            text = f"this turn has asked {asked:,} questions and does not end"
            raise RulesError(self.rules.label, [Problem("", "", text)])
        way = step(self.state, reply.answer, self.rules)
        self._moves.append(Move(self.turn, self.state, reply, way.events, way.end))

    def __repr__(self) -> str:
        return f"<Walk of {self.rules.label}: turn {self.turn}, {ask(self.state, self.rules)}>"

    def _repr_html_(self) -> str:
        lines = [f"Turn {self.turn}. {ask(self.state, self.rules)}"]
        if self.last:
            lines = [*sentences(self.last, self.rules), *lines]
        return "<br>".join(map(escape, lines))


# ------------------------------------------------------------------------------- explain


def explain(move: Move, rules: Rules) -> str:
    """What happened in a move, one plain sentence a line, each naming its rule."""
    return "\n".join(sentences(move, rules))


def sentences(move: Move, rules: Rules) -> tuple[str, ...]:
    """The sentences of `explain`, one for each thing that happened."""
    told = (_sentence(event, move, rules) for event in move.events)
    return tuple(sentence for sentence in told if sentence)


def transcript(moves: Iterable[Move], rules: Rules) -> Iterator[str]:
    """A game as lines of text, turn by turn."""
    turn = 0
    for move in moves:
        if move.turn != turn:
            turn = move.turn
            yield f"Turn {turn}, from {_at(move.before, rules)}"
        for sentence in sentences(move, rules):
            yield f"  {sentence}"


def money(amount: int, rules: Rules) -> str:
    """An amount as it is read out: `$200`, or `10 coins`."""
    symbol = rules.currency
    return f"{symbol}{amount}" if len(symbol) == 1 else f"{amount} {symbol}"


def ask(state: State, rules: Rules) -> str:
    """The question that stands now, in one line."""
    question = state.question
    match question:
        case Roll(again=True):
            return "Throw the dice again."
        case Roll():
            place = "jail" if state.token.jailed else rules.squares[state.token.square].name
            return f"You are {'in' if state.token.jailed else 'on'} {place}: throw the dice."
        case Throw():
            dice = "1 die" if question.dice == 1 else f"{question.dice} dice"
            return f"Throw {dice} for {question.name}."
        case Draw():
            return f"Draw a card from {rules.decks[question.deck].name}."
        case Ask():
            names = " or ".join(name for name, _ in question.answers)
            if question.question == LEAVE_JAIL:
                attempt = state.token.jailed
                return f"You are in jail, before throw {attempt} of {_attempts(rules)}: {names}?"
            return f"{_words(question.question)}: {names}?"
        case _:
            assert_never(question)


def to_come(state: State, rules: Rules) -> tuple[str, ...]:
    """What is still to come this turn, in order, the question that stands now left out."""
    return tuple(line for line in (_coming(one, rules) for one in state.agenda[1:]) if line)


def _attempts(rules: Rules) -> int:
    return rules.jail.attempts if rules.jail else 0


def _at(state: State, rules: Rules) -> str:
    token = state.token
    if token.jailed and rules.jail:
        return rules.jail.name
    return rules.squares[token.square].name


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _coming(effect: Effect, rules: Rules) -> str:
    match effect:
        case Roll(again=True):
            return "throw again, because of the doubles"
        case Roll():
            return "throw the dice"
        case Draw():
            return f"draw a card from {rules.decks[effect.deck].name}"
        case EndTurn():
            return "the turn ends"
        case EndRoll():
            return ""
        case _:
            return _coming_other(effect, rules)


def _coming_other(effect: Effect, rules: Rules) -> str:
    match effect:
        case Collect(amount=amount):
            return f"collect {money(amount, rules)}"
        case Pay(amount=amount):
            return f"pay {money(amount, rules)}"
        case Everyone():
            return "everybody does the same"
        case PutDown(square=square):
            return f"go back to {rules.square(square).name}"
        case effects.Move(steps=count):
            squares = "square" if abs(count) == 1 else "squares"
            return f"move {abs(count)} {squares}{' back' if count < 0 else ''}"
        case _:
            return ""


def _cite(rules: Rules, *causes: str) -> str:
    """The rule that the first of these causes names, in brackets."""
    for cause in causes:
        rule = rules.rulebook.get(cause) or _rule_of(rules, cause)
        if rule:
            return f" ({rule})"
    return ""


def _rule_of(rules: Rules, cause: str) -> str:
    """The rule of a square, or of a card as `deck.card`."""
    if cause in rules.index:
        return rules.squares[rules.index[cause]].rule
    deck, _, name = cause.partition(".")
    cards = rules.decks[deck].cards if deck in rules.decks else ()
    return next((card.rule for card in cards if card.id == name), "")


def _sentence(event: Event, move: Move, rules: Rules) -> str:
    match event:
        case Rolled():
            return _of_throw(event, move, rules)
        case Threw():
            faces = " and ".join(map(str, move.reply.faces))
            return f"You throw {faces} for {event.name}."
        case Drew():
            return _of_card(event, rules)
        case Answered():
            causes = () if event.question == LEAVE_JAIL else (event.cause,)
            cite = _cite(rules, *causes, "ask")
            return f"{_words(event.question)}? Your answer: {event.answer}{cite}."
        case Passed():
            return _of_passing(event, move, rules)
        case Crossed():
            name = rules.square(event.square).name
            return f"You run past {name} without stopping{_cite(rules, event.square)}."
        case Landed():
            return _of_landing(event, rules)
        case Placed():
            name = rules.square(event.square).name
            return f"Your token goes back to {name}{_cite(rules, 'placed', event.cause)}."
        case Paid():
            return _of_payment(event, rules)
        case Repaired():
            house, hotel = money(event.house, rules), money(event.hotel, rules)
            cite = _cite(rules, event.cause)
            return f"You pay the bank {house} for each house and {hotel} for each hotel{cite}."
        case Owed():
            kind = "" if event.kind == "bill" else f"{_words(event.kind).lower()} "
            bill = f"a {kind}bill of {money(event.amount, rules)}"
            return f"You keep {bill} until later{_cite(rules, event.cause)}."
        case Took():
            name = rules.pots[event.pot].name
            cite = _cite(rules, event.cause, event.pot)
            return f"You take all the money in {name}{cite}."
        case Kept():
            prize = f", worth {money(event.prize, rules)} if it is cashed" if event.prize else ""
            return (
                f"You keep a card: {_words(event.card).lower()}{prize}{_cite(rules, event.cause)}."
            )
        case Used():
            return f"You give back a card: {_words(event.card).lower()}{_cite(rules, 'fine')}."
        case Spared():
            card = _words(event.card).lower()
            return f"You need not pay, because you hold a card: {card}{_cite(rules, event.cause)}."
        case Noted():
            note = rules.notes.get(event.name, _words(event.name))
            return f"{note}{_cite(rules, event.name, event.cause)}."
        case Jailed():
            return f"You go straight to jail; the turn is over{_cite(rules, 'jailed')}."
        case Freed():
            how = {"doubles": "The doubles open the jail", "card": "Your card opens the jail"}
            key = "doubles_out" if event.cause == "doubles" else "fine"
            return f"{how.get(event.cause, 'You are out of jail')}{_cite(rules, key)}."
        case RollOver() | TurnOver():
            return _of_staying(event, move, rules)
        case _:
            assert_never(event)


def _of_throw(event: Rolled, move: Move, rules: Rules) -> str:
    faces = move.reply.faces or (event.pips,)
    thrown = " and ".join(map(str, faces)) + (f", {event.pips} in all" if len(faces) > 1 else "")
    jailed, question = move.before.token.jailed, move.before.question
    if isinstance(question, Roll) and question.short:
        thrown += f", counting the start as one{_cite(rules, 'short')}"
    if jailed:
        return f"You throw {thrown}, throw {jailed} in jail{_cite(rules, 'roll')}."
    if not event.double or not (rules.doubles.after or rules.doubles.before or rules.doubles.limit):
        return f"You throw {thrown}{_cite(rules, 'roll')}."
    if rules.doubles.limit and move.before.token.doubles + 1 >= rules.doubles.limit:
        times = {2: "second", 3: "third"}.get(rules.doubles.limit, f"{rules.doubles.limit}th")
        return f"You throw {thrown}: the {times} doubles in a row{_cite(rules, 'limit')}."
    after = ", so you throw again after this" if rules.doubles.after else ""
    return f"You throw {thrown}: doubles{after}{_cite(rules, 'again', 'roll')}."


def _of_card(event: Drew, rules: Rules) -> str:
    deck = rules.decks[event.deck]
    name = next(card.name for card in deck.cards if card.id == event.card)
    return (
        f"You draw from {deck.name}: “{name}”{_cite(rules, f'{event.deck}.{event.card}', 'draw')}."
    )


def _of_passing(event: Passed, move: Move, rules: Rules) -> str:
    landed = any(isinstance(e, Landed) and e.square == event.square for e in move.events)
    name = rules.square(event.square).name
    how = "reach" if landed else "pass"
    lap = f": a {rules.lap_name} is complete" if event.lap else ""
    return f"You {how} {name}{lap}{_cite(rules, event.square)}."


def _of_landing(event: Landed, rules: Rules) -> str:
    square = rules.square(event.square)
    how = "You land on" if event.by == DICE else "You move to"
    if square.deed is None:
        return f"{how} {square.name}{_cite(rules, event.square, 'land')}."
    due, cite = "rent to its owner", _cite(rules, "rent")
    if event.rent > 1:
        due, cite = f"{event.rent} times the rent to its owner", _cite(rules, event.by, "rent")
    if event.times_throw:
        due = f"{event.times_throw} times a fresh throw to its owner"
        cite = _cite(rules, event.by, "rent")
    if rules.buying.method == "none":
        return f"{how} {square.name}: {due}, if it has one{cite}."
    price = f" for {money(square.deed.price, rules)}" if square.deed.price else ""
    return f"{how} {square.name}: for sale{price}, or {due}{cite}."


def _of_payment(event: Paid, rules: Rules) -> str:
    amount, cite = money(event.amount, rules), _cite(rules, event.cause, "land")
    if event.cause == "jail":
        cite = _cite(rules, "fine")
    reason = f" ({event.tag})" if event.tag else ""
    if event.giver == BANK:
        return f"The bank pays you {amount}{reason}{cite}."
    if event.giver == PLAYERS:
        return f"Every other player pays you {amount}{reason}{cite}."
    if event.taker == BANK:
        return f"You pay the bank {amount}{reason}{cite}."
    if event.taker == PLAYERS:
        return f"You pay every other player {amount}{reason}{cite}."
    pot = rules.pots[event.taker if event.taker in rules.pots else event.giver].name
    return f"You pay {amount} to {pot}{reason}{cite}."


def _of_staying(event: RollOver | TurnOver, move: Move, rules: Rules) -> str:
    """A failed throw in jail is told; other ends of rolls and turns speak for themselves."""
    stayed = isinstance(event, RollOver) and event.jailed > 1
    if stayed and any(isinstance(e, Rolled) for e in move.events):
        return f"No doubles: you stay in jail{_cite(rules, 'stay')}."
    return ""
