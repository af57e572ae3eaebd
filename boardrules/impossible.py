"""What is well written and still makes no game: names without bearers, throws that cannot be.

Each finding has the path to blame, so that the file behind it can be named.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from .effects import (
    BANK,
    PLAYERS,
    Ask,
    Collect,
    Draw,
    Effect,
    Everyone,
    GoTo,
    Jail,
    Keep,
    Nearest,
    Pay,
    Place,
    Take,
    UnlessHeld,
    Use,
)
from .overlay import Path, show
from .rules import IN_JAIL, Rules, unknown

MOST_THROWS = 20_000
MOST_NAMES = 50
"""Names of cards beyond these are not searched for slips of the pen: it takes long."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """What is well written and still makes no game: where, why, and what would be wanted."""

    path: Path
    text: str
    wants: Path = ()


def impossible(rules: Rules) -> Iterator[Wrong]:
    """Everything that keeps a checked ruleset from being a game."""
    hung = tuple(_hung(rules))
    kept = {effect.card for _, effect in hung if isinstance(effect, Keep)}
    slips = _slips(hung, rules, kept)
    groups = _groups(rules)
    for path, effect in hung:
        yield from _dangling(path, effect, rules, groups)
        if isinstance(effect, (UnlessHeld, Use)) and effect.card in slips:
            word = "use" if isinstance(effect, Use) else "unless_held"
            yield Wrong((*path, word), slips[effect.card])
    yield from _impossible_dice(rules)
    yield from _impossible_jail(rules, slips)
    yield from _no_square(("start", "square"), rules.start.square, rules)
    yield from _no_square(("lap", "square"), rules.lap, rules)
    if rules.start.counts_as_one and rules.dice.count_own_space:
        text = "the first move would count its space twice; set only one of counts_as_one and "
        yield Wrong(("start", "counts_as_one"), f"{text}dice.count_own_space")
    for place, card in enumerate(rules.carries):
        if card not in kept:
            yield Wrong(("chain", "carries", place), unknown("card to keep", card, kept))
    for deck in rules.decks.values():
        for card_ in deck.cards:
            if card_.deal and not 0 < card_.deal.cost < card_.deal.value:
                text = "a deal must cost something and be worth more than it costs"
                yield Wrong(("decks", deck.id, "cards", card_.id, "deal"), text)


def _hung(rules: Rules) -> Iterator[tuple[Path, Effect]]:
    """Every effect in a ruleset, with its path."""
    for square in rules.squares:
        for peg in ("passing", "landing", "crossing"):
            yield from _each(("squares", square.id, peg), getattr(square, peg))
    for deck in rules.decks.values():
        for card in deck.cards:
            yield from _each(("decks", deck.id, "cards", card.id, "effects"), card.effects)
    for peg in ("before", "after", "at_limit"):
        yield from _each(("doubles", peg), getattr(rules.doubles, peg))
    for place, throw in enumerate(rules.dice.throws):
        yield from _each(("dice", "throws", place, "effects"), throw.effects)


def _each(path: Path, effects: Sequence[Effect]) -> Iterator[tuple[Path, Effect]]:
    """The effects of a list and those inside them, each with its path."""
    for place, effect in enumerate(effects):
        here = (*path, place)
        yield here, effect
        match effect:
            case Ask():
                for name, then in effect.answers:
                    yield from _each((*here, "answers", name), then)
            case Everyone():
                yield from _each((*here, "everyone"), effect.effects)
            case UnlessHeld():
                yield from ((here, inside) for _, inside in _each((), (effect.effect,)))
            case _:
                pass


def _dangling(path: Path, effect: Effect, rules: Rules, groups: Collection[str]) -> Iterator[Wrong]:
    """Names in an effect that nothing answers to."""
    match effect:
        case GoTo(square=name):
            yield from _no_square((*path, "goto"), name, rules)
        case Place(square=name):
            yield from _no_square((*path, "place"), name, rules)
        case Draw(deck=name) if name not in rules.decks:
            text = unknown("deck", name, rules.decks)
            yield Wrong((*path, "draw"), text, ("decks", name))
        case Nearest(group=name) if name not in groups:
            yield Wrong((*path, "nearest"), unknown("group of squares", name, groups))
        case Take(pot=name) if name not in rules.pots:
            yield Wrong((*path, "take"), unknown("pot", name, rules.pots), ("pots", name))
        case Pay(taker=name):
            yield from _nobody((*path, "to"), name, rules, PLAYERS)
        case Collect(giver=name):
            yield from _nobody((*path, "from"), name, rules, PLAYERS)
        case Jail() if rules.jail is None:
            yield Wrong((*path, "jail"), "sends to jail, but there is no table [jail]", ("jail",))
        case Ask(otherwise=name, answers=answers) if name not in dict(answers):
            yield Wrong((*path, "otherwise"), unknown("answer", name, dict(answers)))
        case _:
            pass


def _groups(rules: Rules) -> set[str]:
    """The groups and kinds of squares that the nearest one can be looked for."""
    groups = {square.deed.group for square in rules.squares if square.deed}
    return (groups | {square.kind for square in rules.squares}) - {""}


def _no_square(path: Path, name: str, rules: Rules) -> Iterator[Wrong]:
    if name not in rules.index:
        yield Wrong(path, unknown("square", name, rules.index), ("squares", name))


def _nobody(path: Path, name: str, rules: Rules, *more: str) -> Iterator[Wrong]:
    """Whoever gives or takes money is the bank or a pot, in most places also the players."""
    known = (BANK, *more, *rules.pots)
    if name not in known:
        text = f"must be {', '.join(known)} or the id of a pot, not {show(name)}"
        near = get_close_matches(name, known, n=1)
        tip = f"; did you mean {near[0]!r}?" if near else ""
        yield Wrong(path, text + tip, ("pots", name))


def _slips(
    hung: Sequence[tuple[Path, Effect]], rules: Rules, kept: Collection[str]
) -> dict[str, str]:
    """What to say to cards that nobody can hold, and that look like one that somebody can.

    The others may be out of the deck on purpose.
    """
    named = {effect.card for _, effect in hung if isinstance(effect, (UnlessHeld, Use))}
    named |= {rules.jail.card} if rules.jail else set()
    known = sorted(kept)[:MOST_NAMES]
    odd = [name for name in sorted(named - set(kept)) if name][:MOST_NAMES]
    close = [name for name in odd if get_close_matches(name, known, n=1)]
    return {name: unknown("card to keep", name, known) for name in close}


def _impossible_dice(rules: Rules) -> Iterator[Wrong]:
    dice = rules.dice
    if len(dice.faces) ** dice.count > MOST_THROWS:
        text = f"more than {MOST_THROWS:,} different throws; take fewer dice or fewer sides"
        yield Wrong(("dice",), text)
    given = rules.tree.get("dice", {})
    if given.get("sides") is not None and given.get("faces") is not None:
        text = "give sides or faces, not both; an overlay says remove = ['dice.sides']"
        yield Wrong(("dice", "faces"), text)
    faces = {face for face, _ in dice.faces}
    for place, throw in enumerate(dice.throws):
        if len(throw.faces) != dice.count or not set(throw.faces) <= faces:
            text = f"the throw {list(throw.faces)} cannot be thrown with these dice"
            yield Wrong(("dice", "throws", place, "faces"), text)


def _impossible_jail(rules: Rules, slips: Mapping[str, str]) -> Iterator[Wrong]:
    jail = rules.jail
    if jail is None:
        return
    if IN_JAIL in rules.index:
        text = "this id is taken: tables use it for tokens in jail"
        yield Wrong(("squares", IN_JAIL), text)
    yield from _no_square(("jail", "square"), jail.square, rules)
    if not 1 <= jail.attempts <= 20:
        text = f"must be from 1 to 20 rolls, not {jail.attempts}"
        yield Wrong(("jail", "attempts"), text)
    if jail.fine < 0:
        yield Wrong(("jail", "fine"), f"must not be negative, not {jail.fine}")
    for place, attempt in enumerate(jail.fine_before):
        if not 1 <= attempt <= jail.attempts:
            text = f"there is no roll {attempt} in jail, only 1 to {jail.attempts}"
            yield Wrong(("jail", "fine_before", place), text)
    yield from _nobody(("jail", "fine_to"), jail.fine_to, rules)
    if jail.card in slips:
        yield Wrong(("jail", "card"), slips[jail.card])
