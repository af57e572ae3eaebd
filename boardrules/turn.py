"""How a turn goes: which answers the question of a state has, and what each answer leads to.

A state is a token and its *agenda*, the list of what is still to come.  The first thing on the
agenda is always a question.  `options` lists its possible answers with their chances, `step` takes
one answer and follows the consequences up to the next question.  Following all answers gives the
Markov chain, following one gives a game; this module serves both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Protocol, TypeAlias, assert_never, runtime_checkable

from .effects import (
    DICE,
    LEAVE_JAIL,
    QUESTIONS,
    Ask,
    Collect,
    Consequence,
    Draw,
    Effect,
    EndRoll,
    EndTurn,
    Everyone,
    Forfeit,
    GoTo,
    Jail,
    Keep,
    Land,
    Move,
    Nearest,
    Note,
    Owe,
    Pay,
    Place,
    PutDown,
    Question,
    Release,
    Repairs,
    Roll,
    Take,
    Throw,
    UnlessHeld,
    Use,
)
from .events import (
    PLAYER,
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
from .rules import IN_JAIL, Card, Dice, Problem, Rules, RulesError, Square, unknown

MOST_CONSEQUENCES = 500
"""More consequences than this between two questions are taken for a rule that goes in circles."""

LONGEST_AGENDA = 200
"""More than this still to come in one turn is taken for a rule that keeps adding to it."""


@dataclass(frozen=True, slots=True)
class Token:
    """The one token that is followed.

    `square` counts from 0, `doubles` in a row this turn, `jailed` is the number of the coming
    attempt to leave jail (0: free), `pips` the throw of this roll, `held` the cards it carries.
    """

    square: int = 0
    doubles: int = 0
    jailed: int = 0
    pips: int = 0
    held: tuple[Keep, ...] = ()

    def holds(self, card: str) -> bool:
        """Whether the token carries a card of this name."""
        return any(kept.card == card for kept in self.held)


@dataclass(frozen=True, slots=True)
class State:
    """A pause in the game: the token, and what is still to come; a question comes first."""

    token: Token = Token()
    agenda: tuple[Effect, ...] = (Roll(), EndTurn())

    @property
    def question(self) -> Question:
        """What is asked now."""
        question = self.agenda[0]
        assert isinstance(question, QUESTIONS)
        return question


@dataclass(frozen=True, slots=True)
class Thrown:
    """A throw as far as the rules tell throws apart: its sum, and whether all dice are equal.

    `faces` is filled in only for throws that have an effect of their own.
    """

    pips: int
    double: bool = False
    faces: tuple[int, ...] = ()


Answer: TypeAlias = Thrown | int | str
"""To `Roll` a `Thrown`, to `Throw` its sum, to `Draw` a card's id, to `Ask` an answer's name."""


@runtime_checkable
class Policy(Protocol):
    """How the player decides: for a question, the chance of each answer.

    An empty mapping means no opinion; the ruleset's default answer is taken then.
    """

    @property
    def name(self) -> str:
        """What results call this policy."""

    def __call__(self, question: Ask, token: Token) -> Mapping[str, Fraction]:
        """The chance of each answer to this question."""


@dataclass(frozen=True, slots=True)
class Step:
    """What an answer leads to: the next pause, and the record of what happened on the way."""

    end: State
    events: tuple[Event, ...]


# ------------------------------------------------------------------------------ policies


@dataclass(frozen=True, slots=True)
class JailPolicy:
    """Pays to leave jail with a given chance before the first, second, … roll.

    The last chance goes for all further rolls.  A card that opens the jail costs nothing and is
    used at once.
    """

    name: str
    chances: tuple[Fraction, ...]

    def __call__(self, question: Ask, token: Token) -> Mapping[str, Fraction]:
        """The chances of "pay" and of "roll", or a card at once; no opinion on anything else."""
        if question.question != LEAVE_JAIL:
            return {}
        chance = self.chances[min(token.jailed, len(self.chances)) - 1]
        if "card" in dict(question.answers):
            return {"card": Fraction(1)}
        return {"pay": chance, "roll": 1 - chance}


def leave_at(attempt: int) -> JailPolicy:
    """Stay in jail at first, but pay before the given roll (1: leave at once)."""
    if isinstance(attempt, bool) or not isinstance(attempt, int) or not 1 <= attempt <= 100:
        _refuse("leave_at", f"needs the number of a roll in jail, 1 or more, not {attempt!r}")
    name = "leave" if attempt == 1 else f"leave before roll {attempt}"
    return JailPolicy(name, (Fraction(0),) * (attempt - 1) + (Fraction(1),))


def mixed(*chances: Fraction | int | float | str) -> JailPolicy:
    """Pay with a chance: before every roll in jail, or one chance for each roll in turn.

    Decimals are read as they are written: `mixed(0.1)` is exactly 1/10.
    """
    try:
        exact = tuple(Fraction(str(chance)) for chance in chances)
    except (ValueError, ZeroDivisionError):
        exact = ()
    if not exact or not all(0 <= chance <= 1 for chance in exact):
        _refuse("mixed", f"needs chances from 0 to 1, such as '1/2', not {chances!r}")
    return JailPolicy(f"mixed {', '.join(map(str, exact))}", exact)


leave = leave_at(1)
"""Pay before the first roll in jail."""

stay = JailPolicy("stay", (Fraction(0),))
"""Never pay before one has to."""


def check_policy(policy: Policy, rules: Rules) -> None:
    """Refuse a jail policy that wants to pay when the rules do not let it.

    Raises `RulesError`: a policy that silently did something else would give a wrong number.
    """
    if not callable(policy):
        _refuse(rules.label, f"a policy such as stay or leave_at(2) is needed, not {policy!r}")
    if not isinstance(policy, JailPolicy) or rules.jail is None:
        return
    jail = rules.jail
    for attempt, chance in enumerate(policy.chances[: jail.attempts], start=1):
        forced = attempt == jail.attempts and jail.last_attempt == "pay_first"
        if chance and attempt not in jail.fine_before and not forced:
            offered = ", ".join(map(str, jail.fine_before)) or "none"
            _refuse(
                rules.label,
                f"policy '{policy.name}' pays before roll {attempt} in jail, but these rules let "
                f"nobody do so (only before: {offered}); see the readings, or set "
                "jail.fine_before",
            )
    if len(policy.chances) > max(jail.attempts, 1):
        _refuse(
            rules.label,
            f"policy '{policy.name}' looks beyond the {jail.attempts} rolls these rules give",
        )


def _refuse(about: str, text: str) -> None:
    raise RulesError(about, [Problem("", "", text)])


# ------------------------------------------------------------------------------- options


def options(state: State, rules: Rules, policy: Policy) -> Mapping[Answer, Fraction]:
    """Every possible answer to the question of a state, with its exact chance."""
    question = state.question
    match question:
        case Roll():
            return throws(rules.dice)
        case Throw():
            return sums(rules.dice, question.dice)
        case Draw():
            return _shares({c.id: copies for c, copies in pack(question, state.token, rules)})
        case Ask():
            return _decided(question, policy, state.token)
        case _:
            assert_never(question)


@lru_cache(maxsize=256)
def throws(dice: Dice) -> Mapping[Answer, Fraction]:
    """The distinguishable throws of the dice and their chances."""
    weights: dict[Answer, Fraction] = {}
    for dies in product(dice.faces, repeat=dice.count):
        thrown = read_throw(tuple(face for face, _ in dies), dice)
        weight = Fraction(1)
        for _, share in dies:
            weight *= share
        weights[thrown] = weights.get(thrown, Fraction(0)) + weight
    return _shares(weights)


@lru_cache(maxsize=256)
def sums(dice: Dice, count: int) -> Mapping[Answer, Fraction]:
    """The sums of some dice and their chances."""
    weights: dict[Answer, Fraction] = {0: Fraction(1)}
    for _ in range(count):
        longer: dict[Answer, Fraction] = {}
        for pips, weight in weights.items():
            for face, share in dice.faces:
                assert isinstance(pips, int)
                longer[pips + face] = longer.get(pips + face, Fraction(0)) + weight * share
        weights = longer
    return _shares(weights)


def read_throw(faces: tuple[int, ...], dice: Dice) -> Thrown:
    """A throw as the rules see it."""
    double = len(faces) > 1 and len(set(faces)) == 1
    special = tuple(sorted(faces))
    known = any(peg.faces == special for peg in dice.throws)
    return Thrown(sum(faces), double, special if known else ())


def pack(question: Draw, token: Token, rules: Rules) -> list[tuple[Card, Fraction]]:
    """The cards that can be drawn, and how many of each; what the token holds is not there.

    Raises `RulesError` if the token holds them all.
    """
    left = []
    for card in rules.decks[question.deck].cards:
        copies = card.copies
        if token.held:
            copies -= sum(kept.cause == f"{question.deck}.{card.id}" for kept in token.held)
            if copies <= 0:
                continue
        left.append((card, copies))
    if not left:
        text = "no card is left to draw: the token holds them all"
        raise RulesError(rules.label, [Problem("", f"decks.{question.deck}", text)])
    return left


def _decided(question: Ask, policy: Policy, token: Token) -> Mapping[Answer, Fraction]:
    names = [name for name, _ in question.answers]
    if len(names) == 1:
        return {names[0]: Fraction(1)}
    chances = policy(question, token) or {question.otherwise: Fraction(1)}
    for name in chances:
        if name not in names:
            _refuse(question.question, unknown("answer", name, names))
    negative = any(isinstance(one, Fraction) and one < 0 for one in chances.values())
    if negative or sum(chances.values()) != 1:
        _refuse(question.question, f"the chances of policy '{policy.name}' do not add up to 1")
    return {name: chances[name] for name in names if chances.get(name)}


def _shares(weights: Mapping[Answer, Fraction]) -> Mapping[Answer, Fraction]:
    whole = sum(weights.values(), Fraction(0))
    if whole == 1:  # also for weights that contain a letter, which cannot always be divided
        return weights
    return {answer: weight / whole for answer, weight in weights.items()}


# ---------------------------------------------------------------------------------- step


def begin(rules: Rules) -> State:
    """The state in which a player makes the first throw of the game."""
    short = 1 if rules.start.counts_as_one else 0
    return start_from(rules, rules.start.square, short=short)


def start_from(rules: Rules, square: str, short: int = 0) -> State:
    """The state of a token that begins a turn on a square, with no doubles; or "in_jail"."""
    if square == IN_JAIL and rules.jail:
        token = Token(rules.index[rules.jail.square], jailed=1)
        return State(token, _next_turn(token, rules))
    rules.square(square)
    return State(Token(rules.index[square]), (Roll(short), EndTurn()))


def step(state: State, answer: Answer, rules: Rules) -> Step:
    """Take one answer and follow the consequences up to the next question."""
    token, agenda, first = _answered(state, answer, rules)
    events = list(first)
    for _ in range(MOST_CONSEQUENCES):
        if len(agenda) > LONGEST_AGENDA:
            raise _lost(token, rules, "a rule keeps adding to what is still to come this turn")
        effect = agenda[0]
        if isinstance(effect, Roll) and EndRoll() in agenda:
            agenda = (EndRoll(), *_without_end(agenda))  # rolling on ends the roll under way
            continue
        if isinstance(effect, QUESTIONS):
            return Step(State(token, agenda), tuple(events))
        token, agenda, new = happen(effect, token, agenda[1:], rules)
        events.extend(new)
    raise _lost(token, rules, "the rules go in circles here and never ask for a throw")


def _without_end(agenda: tuple[Effect, ...]) -> tuple[Effect, ...]:
    place = agenda.index(EndRoll())
    return agenda[:place] + agenda[place + 1 :]


def _lost(token: Token, rules: Rules, text: str) -> RulesError:
    where = f"squares.{rules.squares[token.square].id}"
    return RulesError(rules.label, [Problem("", where, text)])


_Then: TypeAlias = tuple[Token, tuple[Effect, ...], tuple[Event, ...]]
"""The token, the agenda and the new events after something has happened."""


def _answered(state: State, answer: Answer, rules: Rules) -> _Then:
    question, token, rest = state.question, state.token, state.agenda[1:]
    match question:
        case Roll():
            if not isinstance(answer, Thrown):
                raise TypeError(f"a roll is answered by a Thrown, not by {answer!r}")
            return _rolled(question, answer, token, rest, rules)
        case Throw():
            assert isinstance(answer, int)
            return token, rest, (Threw(question.name, answer),)
        case Draw():
            card = _card(rules, question.deck, answer)
            return token, card.effects + rest, (Drew(question.deck, card.id, question.cause),)
        case Ask():
            assert isinstance(answer, str)
            record = Answered(question.question, answer, question.cause)
            return token, question.effects(answer) + rest, (record,)
        case _:
            assert_never(question)


def _card(rules: Rules, deck: str, answer: Answer) -> Card:
    for card in rules.decks[deck].cards:
        if card.id == answer:
            return card
    names = [card.id for card in rules.decks[deck].cards]
    raise RulesError(
        rules.label, [Problem("", f"decks.{deck}", unknown("card", str(answer), names))]
    )


def _rolled(
    question: Roll, thrown: Thrown, token: Token, rest: tuple[Effect, ...], rules: Rules
) -> _Then:
    """A throw: out of jail or not, one's luck with doubles, then the move."""
    rolled = Rolled(thrown.pips, thrown.double, question.again)
    token = _with_pips(token, thrown.pips)
    if token.jailed:
        token, brought = _rolled_in_jail(thrown, token, rules)
    else:
        token, brought = _rolled_free(question, thrown, token, rules)
    return token, brought + rest, (rolled,)


def _rolled_free(
    question: Roll, thrown: Thrown, token: Token, rules: Rules
) -> tuple[Token, tuple[Effect, ...]]:
    doubles = rules.doubles
    special = _special(thrown, rules)
    steps = thrown.pips - question.short - (1 if rules.dice.count_own_space else 0)
    move = Move(steps, DICE)
    if not thrown.double:
        token = Token(token.square, 0, 0, token.pips, token.held)
        return token, (*special, move, EndRoll())
    if doubles.limit:  # without a limit nobody counts
        token = replace(token, doubles=token.doubles + 1)
        if token.doubles >= doubles.limit:
            return token, (*special, *doubles.at_limit, EndRoll())
    return token, (*special, *doubles.before, move, EndRoll(), *doubles.after)


def _rolled_in_jail(thrown: Thrown, token: Token, rules: Rules) -> tuple[Token, tuple[Effect, ...]]:
    jail, doubles = rules.jail, rules.doubles
    assert jail is not None
    special = _special(thrown, rules)
    move = Move(thrown.pips, DICE)
    if thrown.double:
        free = (*special, Release("doubles"), move, EndRoll())
        if jail.doubles_out == "roll_again":
            return replace(token, doubles=1 if doubles.limit else 0), (*free, *doubles.after)
        return token, free
    if token.jailed >= jail.attempts:
        fine = Pay(jail.fine, jail.fine_to, "fine", cause="jail")
        return token, (*special, fine, Release("fine"), move, EndRoll())
    return replace(token, jailed=token.jailed + 1), (*special, EndRoll())


def _with_pips(token: Token, pips: int) -> Token:
    """The token with another throw: spelt out, since `replace` is slow where every step goes."""
    return Token(token.square, token.doubles, token.jailed, pips, token.held)


def _special(thrown: Thrown, rules: Rules) -> tuple[Effect, ...]:
    for peg in rules.dice.throws:
        if thrown.faces and peg.faces == thrown.faces:
            return peg.effects
    return ()


def happen(effect: Consequence, token: Token, rest: tuple[Effect, ...], rules: Rules) -> _Then:
    """One consequence: the token and the agenda after it, and what goes into the record."""
    match effect:
        case Move():
            return _moved(effect, token, rest, rules)
        case Land():
            return _landed(effect, token, rest, rules)
        case EndRoll():
            over: Event = RollOver(rules.squares[token.square].id, token.jailed)
            return _with_pips(token, 0), rest, (over,)
        case EndTurn():
            over = TurnOver(rules.squares[token.square].id, token.jailed)
            token = Token(token.square, 0, token.jailed, 0, token.held)
            return token, rest + _next_turn(token, rules), (over,)
        case Collect():
            paid = Paid(effect.amount, effect.giver, PLAYER, effect.cause, effect.tag)
            return token, rest, (paid,)
        case Pay():
            paid = Paid(effect.amount, PLAYER, effect.taker, effect.cause, effect.tag)
            return token, rest, (paid,)
        case Repairs():
            return token, rest, (Repaired(effect.house, effect.hotel, effect.cause),)
        case Owe():
            return token, rest, (Owed(effect.amount, effect.kind, effect.cause),)
        case Take():
            return token, rest, (Took(effect.pot, effect.cause),)
        case Keep():
            kept = Kept(effect.card, effect.cause, effect.prize)
            return _kept(effect, token, rules), rest, (kept,)
        case Use():
            return _used(effect, token), rest, (Used(effect.card, effect.cause),)
        case UnlessHeld():
            if token.holds(effect.card):
                return token, rest, (Spared(effect.card, effect.cause),)
            return token, (effect.effect, *rest), ()
        case Everyone():
            return token, effect.effects + rest, ()
        case Note():
            return token, rest, (Noted(effect.name, effect.cause),)
        case GoTo():
            return _gone(effect, rules.index[effect.square], token, rest, rules)
        case Nearest():
            return _gone(effect, _nearest(effect.group, token.square, rules), token, rest, rules)
        case Place():
            return token, (*rest, PutDown(effect.square, effect.cause)), ()
        case PutDown():
            token = replace(token, square=rules.index[effect.square])
            return token, rest, (Placed(effect.square, effect.cause),)
        case Forfeit():
            return token, _forfeited(rest), ()
        case Jail():
            return _jailed(effect, token, rest, rules)
        case Release():
            return replace(token, jailed=0), rest, (Freed(effect.cause),)
        case _:
            assert_never(effect)


def _next_turn(token: Token, rules: Rules) -> tuple[Effect, ...]:
    """The agenda of a new turn; a token in jail is asked how it wants to leave."""
    jail = rules.jail
    if not token.jailed or jail is None:
        return Roll(), EndTurn()
    fine = Pay(jail.fine, jail.fine_to, "fine", cause="jail")
    answers: list[tuple[str, tuple[Effect, ...]]] = []
    forced = token.jailed >= jail.attempts and jail.last_attempt == "pay_first"
    if forced or token.jailed in jail.fine_before:
        answers.append(("pay", (fine, Release("fine"), Roll())))
    if jail.card and token.holds(jail.card):
        answers.append(("card", (Use(jail.card, "jail"), Release("card"), Roll())))
    if not forced:
        answers.append(("roll", (Roll(),)))
    if len(answers) == 1 and not forced:
        return Roll(), EndTurn()
    return Ask(LEAVE_JAIL, tuple(answers), "pay" if forced else "roll", "jail"), EndTurn()


def _moved(effect: Move, token: Token, rest: tuple[Effect, ...], rules: Rules) -> _Then:
    here, size = token.square, len(rules.squares)
    if effect.steps < 0:
        there = rules.squares[(here + effect.steps) % size]
        return token, (Land(there.id, effect.cause), *rest), ()
    way: list[Square] = []
    for far in range(1, effect.steps + 1):
        way.append(rules.squares[(here + far) % size])
        if way[-1].stop:
            break
    if not way:
        return token, (Land(rules.squares[here].id, effect.cause), *rest), ()
    land = Land(way[-1].id, effect.cause)
    return _travelled(way, land, token, rest, rules, passing=True, crossing=True)


def _gone(
    effect: GoTo | Nearest, there: int, token: Token, rest: tuple[Effect, ...], rules: Rules
) -> _Then:
    size = len(rules.squares)
    steps = (there - token.square) % size or size
    way = [rules.squares[(token.square + far) % size] for far in range(1, steps + 1)]
    rent, throw = (effect.rent, effect.times_throw) if isinstance(effect, Nearest) else (1, 0)
    land = Land(way[-1].id, effect.cause, rent, throw)
    return _travelled(
        way, land, token, rest, rules, passing=effect.passing, crossing=effect.crossing
    )


def _travelled(
    way: list[Square],
    land: Land,
    token: Token,
    rest: tuple[Effect, ...],
    rules: Rules,
    *,
    passing: bool,
    crossing: bool,
) -> _Then:
    """Going forward: the pegs of the squares on the way, then the end of the move."""
    events: list[Event] = []
    brought: list[Effect] = []
    ends = (rules.squares[token.square], way[-1])
    for square in way:
        if square.passing or square.id == rules.lap:
            events.append(Passed(square.id, land.by, square.id == rules.lap))
            if passing:
                brought.extend(square.passing)
        if square.crossing and crossing and not any(_same_spot(square, end) for end in ends):
            events.append(Crossed(square.id, land.by))
            brought.extend(square.crossing)
    return token, (*brought, land, *rest), tuple(events)


def _same_spot(square: Square, other: Square) -> bool:
    return square is other or bool(square.spot and square.spot == other.spot)


def _landed(effect: Land, token: Token, rest: tuple[Effect, ...], rules: Rules) -> _Then:
    square = rules.square(effect.square)
    landed = Landed(square.id, token.pips, effect.by, effect.rent, effect.times_throw)
    brought = tuple(
        peg
        for peg in square.landing
        if not (isinstance(peg, Take) and peg.by and (peg.by == DICE) != (effect.by == DICE))
    )
    here = rules.index[square.id]
    return (
        Token(here, token.doubles, token.jailed, token.pips, token.held),
        brought + rest,
        (landed,),
    )


def _nearest(group: str, here: int, rules: Rules) -> int:
    size = len(rules.squares)
    for far in range(1, size + 1):
        square = rules.squares[(here + far) % size]
        if group in (square.kind, square.deed.group if square.deed else ""):
            return (here + far) % size
    raise RulesError(rules.label, [Problem("", "", f"no square of group {group!r} on this board")])


def _kept(effect: Keep, token: Token, rules: Rules) -> Token:
    if effect.card not in rules.carries or effect in token.held:
        return token
    held = sorted((*token.held, effect), key=lambda kept: (kept.card, kept.cause))
    return replace(token, held=tuple(held))


def _used(effect: Use, token: Token) -> Token:
    """Without one card of this name, if there is one."""
    names = [kept.card for kept in token.held]
    if effect.card not in names:
        return token
    place = names.index(effect.card)
    return replace(token, held=token.held[:place] + token.held[place + 1 :])


def _jailed(effect: Jail, token: Token, rest: tuple[Effect, ...], rules: Rules) -> _Then:
    assert rules.jail is not None
    there = rules.index[rules.jail.square]
    token = replace(token, square=there, jailed=1, doubles=0)
    return token, _forfeited(rest), (Jailed(effect.cause),)


def _forfeited(rest: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """What is left of an agenda when the rest of the turn is lost: only its ends."""
    kept: list[Effect] = []
    for effect in rest:
        if isinstance(effect, (EndTurn, PutDown)) or (effect == EndRoll() and effect not in kept):
            kept.append(effect)
    return tuple(kept)
