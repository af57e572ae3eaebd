"""The chain as a table: many tokens at once, with real decks.

Every state asks one question, so that the whole walk is a table: the row of a state and of an
answer names the next state.  Answers come from dice, and from decks that are drawn independently
(as in the chain) or are real: shuffled once, held cards out of the pack.  What is kept of it all
is how often each row was used; shares and differences are sums over these counts.

Tokens are simulated in blocks, each with random numbers of its own, so that a result depends on
its seed alone and not on how many processes share the work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

from .chain import Branch, Chain, chain
from .decks import full_deck, held
from .effects import Ask, Draw, Roll, Throw
from .events import Drew, Event, Price, total
from .measure import stationary
from .results import STOPS, Context, context, frame_of, html_table, unit_price
from .rules import IN_JAIL, Problem, Rules, RulesError, unknown
from .solve import resolvent
from .tables import landing
from .turn import Policy, State, options

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    Places: TypeAlias = NDArray[np.intp]
    Cards: TypeAlias = NDArray[np.int16]
    Counts: TypeAlias = NDArray[np.int64]
    Floats: TypeAlias = NDArray[np.float64]
    Flags: TypeAlias = NDArray[np.bool_]

R = TypeVar("R", "Share", "Shift")

Decks: TypeAlias = Literal["real", "independent"]

BLOCK = 8192
"""So many tokens share one stream of random numbers."""

GROUPS = 64
"""A block is counted in so many groups; standard errors come from the spread between groups."""

BURN_IN = 500
"""Rolls of each token before counting begins: the start and the first shuffle are forgotten."""

MOST_TOKENS, MOST_ROLLS = 10_000_000, 100_000_000
"""More than this is taken for a slip of the pen."""

MOST_QUESTIONS = 10_000
"""More questions than this between two rolls are taken for a game in which nobody rolls."""

ROUNDING = 1e-12
"""What a card brings a square is nothing if it is less than this: only the solve was rounded."""

FINE = 2**16
"""Chances with a common denominator up to this are drawn exactly, from whole numbers."""


# ------------------------------------------------------------------------------ the table


@dataclass(frozen=True, eq=False)
class Law:
    """The chances of the answers to a question, ready to be drawn from.

    `lookup` lists each answer as often as its share of the common denominator says; where that
    would be too long, `cumulative` is searched instead.
    """

    lookup: Places | None
    cumulative: Floats

    def draw(self, count: int, random: np.random.Generator) -> Places:
        """The places of some answers, each by its chance."""
        np = _numpy()
        found: Places
        if self.lookup is not None:
            found = self.lookup[random.integers(0, len(self.lookup), count)]
            return found
        found = np.searchsorted(self.cumulative, random.random(count), side="right")
        return found


@dataclass(frozen=True, eq=False)
class Given:
    """Cards of one deck that change hands in a row: which rows, and which card of the deck."""

    deck: int
    card: Cards

    def moved(self, who: Places, rows: Places) -> tuple[Places, Cards]:
        """The tokens in whose rows a card moves, and the cards."""
        cards = self.card[rows]
        there = cards >= 0
        return who[there], cards[there]


@dataclass(frozen=True, eq=False)
class Table:
    """A chain as whole numbers: for each state its first row, for each row the next state.

    `law` says by which of the `laws` a question is answered, `deck` from which deck a card is
    drawn (-1: none), and `row_of_card` which row a card of that deck then leads to.
    """

    label: str
    first: Places
    end: Places
    law: Places
    laws: tuple[Law, ...]
    rolling: Flags
    deck: Places
    packs: tuple[Pack, ...]
    row_of_card: tuple[Places, ...]
    kept: Flags
    given_back: tuple[Given, ...]
    taken_late: tuple[Given, ...]


@dataclass(frozen=True, eq=False)
class Pack:
    """A real deck before it is shuffled: its cards as whole numbers, and where used ones go."""

    name: str
    cards: Cards
    to_bottom: bool


def table(walk: Chain[float], *, real: bool = True) -> Table:
    """A chain written as a table of whole numbers, with its decks as packs of single cards.

    Raises `RulesError` if decks are to be real and hold parts of cards.
    """
    np = _numpy()
    rules, states = walk.rules, walk.states
    sizes = [len(branches) for branches in walk.branches]
    first = np.concatenate(([0], np.cumsum(sizes)[:-1])).astype(np.intp)
    end = np.array([b.end for branches in walk.branches for b in branches], dtype=np.intp)
    law, laws = _laws(walk)
    names = list(rules.decks)
    asks = [s.question.deck if isinstance(s.question, Draw) else None for s in states]
    cards = {name: [card.id for card in deck.cards] for name, deck in rules.decks.items()}
    packs, rows = [], []
    for name, deck in rules.decks.items() if real else ():
        full = np.array([cards[name].index(one) for one in full_deck(deck, rules)], dtype=np.int16)
        packs.append(Pack(name, full, deck.used == "bottom"))
        rows.append(np.full((len(states), len(cards[name])), -1, dtype=np.intp))
    for i, state in enumerate(states):
        if isinstance(state.question, Draw) and real:
            d = names.index(state.question.deck)
            answers = (branch.events[0] for branch in walk.branches[i])
            for n, drew in enumerate(answers):
                assert isinstance(drew, Drew)
                rows[d][i, cards[drew.deck].index(drew.card)] = first[i] + n
    kept, back, late = _given(walk, names, cards)
    return Table(
        label=rules.label,
        first=first,
        end=end,
        law=law,
        laws=laws,
        rolling=np.array([isinstance(state.question, Roll) for state in states]),
        deck=np.array([names.index(ask) if ask else -1 for ask in asks], dtype=np.intp),
        packs=tuple(packs),
        row_of_card=tuple(rows),
        kept=kept,
        given_back=back,
        taken_late=late,
    )


def _laws(walk: Chain[float]) -> tuple[Places, tuple[Law, ...]]:
    """The different laws of answers; the law of the dice that move is one of them."""
    np = _numpy()
    found: dict[tuple[Fraction, ...], int] = {}
    known: dict[Any, int] = {}
    of_state = []
    for state in walk.states:
        alike = _alike(state)
        if alike not in known:
            chances = tuple(options(state, walk.rules, walk.policy).values())
            known[alike] = found.setdefault(chances, len(found))
        of_state.append(known[alike])
    return np.array(of_state, dtype=np.intp), tuple(map(_law, found))


def _alike(state: State) -> Any:
    """What the chances of the answers depend on, so that they are worked out only once."""
    question = state.question
    match question:
        case Roll():
            return Roll
        case Throw():
            return Throw, question.dice
        case Draw():
            return question.deck, state.token.held
        case Ask():
            return question, state.token


def _law(chances: tuple[Fraction, ...]) -> Law:
    np = _numpy()
    scale = lcm(*(Fraction(chance).denominator for chance in chances))
    cumulative = np.cumsum([float(chance) for chance in chances])
    cumulative[-1:] = 1.0
    if scale > FINE:
        return Law(None, cumulative)
    times = [int(chance * scale) for chance in chances]
    return Law(np.repeat(np.arange(len(chances), dtype=np.intp), times), cumulative)


def _given(
    walk: Chain[float], names: Sequence[str], cards: Mapping[str, Sequence[str]]
) -> tuple[Flags, tuple[Given, ...], tuple[Given, ...]]:
    """Which rows keep the card that is drawn in them, give a kept one back, or keep one later."""
    np = _numpy()
    size = sum(map(len, walk.branches))
    kept = np.zeros(size, dtype=bool)
    back: dict[tuple[int, int], Any] = {}
    late: dict[tuple[int, int], Any] = {}
    row = 0
    for state, branches in zip(walk.states, walk.branches, strict=True):
        for branch in branches:
            for d, name in enumerate(names):
                lost, won = _changed(state, walk.states[branch.end], name)
                drawn = _drawn(branch, name)
                if drawn in won:
                    kept[row] = True
                    won.remove(drawn)
                for into, moved in ((back, lost), (late, won)):
                    for n, card in enumerate(moved):
                        places = into.setdefault((d, n), np.full(size, -1, dtype=np.int16))
                        places[row] = cards[name].index(card)
            row += 1
    return kept, _all_given(back), _all_given(late)


def _all_given(found: Mapping[tuple[int, int], Any]) -> tuple[Given, ...]:
    return tuple(Given(d, cards) for (d, _), cards in found.items())


def _changed(before: State, after: State, deck: str) -> tuple[list[str], list[str]]:
    """The cards of a deck that a token has no longer, and those that it has newly."""
    if before.token.held == after.token.held:
        return [], []
    lost, won = list(held(before.token, deck)), list(held(after.token, deck))
    for card in tuple(lost):
        if card in won:
            lost.remove(card)
            won.remove(card)
    return lost, won


def _drawn(branch: Branch[float], deck: str) -> str:
    """The card of a deck that is drawn in a row, or nothing."""
    drew = branch.events[0] if branch.events else None
    return drew.card if isinstance(drew, Drew) and drew.deck == deck else ""


# -------------------------------------------------------------------------- decks of many


class Rings:
    """One deck for each of many tokens, used cards to the bottom: rings with a head and a length.

    `cards` has a line for each token; the top card lies at `head`, the others behind it.
    """

    def __init__(self, pack: Cards, count: int, random: np.random.Generator) -> None:
        np = _numpy()
        self.cards = random.permuted(np.tile(pack, (count, 1)), axis=1)
        self.head = np.zeros(count, dtype=np.intp)
        self.left = np.full(count, len(pack), dtype=np.intp)
        self._size = len(pack)

    def draw(self, who: Places) -> Cards:
        """The top cards of some tokens' decks, taken into the hand."""
        head = self.head[who]
        found: NDArray[Any] = self.cards[who, head]
        self.head[who] = (head + 1) % self._size
        self.left[who] -= 1
        return found

    def put_back(self, who: Places, cards: Cards) -> None:
        """Put a card to the bottom of each of some decks."""
        left = self.left[who]
        self.cards[who, (self.head[who] + left) % self._size] = cards
        self.left[who] = left + 1

    def take(self, who: Places, cards: Cards) -> None:
        """Take a card out of each of some decks, the lowest of its kind."""
        np = _numpy()
        around = (self.head[who, None] + np.arange(self._size)) % self._size
        lines = self.cards[who[:, None], around]
        there = (lines == cards[:, None]) & (np.arange(self._size) < self.left[who, None])
        place = self._size - 1 - np.argmax(there[:, ::-1], axis=1)
        gone = np.arange(self._size) == place[:, None]
        order = np.argsort(gone, axis=1, kind="stable")
        self.cards[who] = np.take_along_axis(lines, order, axis=1)
        self.head[who] = 0
        self.left[who] -= 1

    def lying(self, kinds: int) -> Counts:
        """How many of each card lie on the table, token by token."""
        np = _numpy()
        behind = (np.arange(self._size) - self.head[:, None]) % self._size
        return _kinds(self.cards, behind < self.left[:, None], kinds)

    def empty(self, who: Places) -> bool:
        """Whether some of these tokens find no card to draw."""
        return bool((self.left[who] == 0).any())


class Heaps:
    """One deck for each of many tokens, used cards on a discard pile that is shuffled at the end.

    Nobody sees the order of a shuffled pack, so that drawing any of its cards is the same as
    drawing the top one.  A line of `cards` holds the pack, then the discards.
    """

    def __init__(self, pack: Cards, count: int, random: np.random.Generator) -> None:
        np = _numpy()
        self.cards = np.tile(pack, (count, 1))
        self.left = np.full(count, len(pack), dtype=np.intp)
        self.used = np.zeros(count, dtype=np.intp)
        self._random, self._size = random, len(pack)

    def draw(self, who: Places) -> Cards:
        """A card of the pack of some tokens; where the pack has run out, the discards come in."""
        np = _numpy()
        left, used = self.left[who], self.used[who]
        out = left == 0
        left, used = np.where(out, used, left), np.where(out, 0, used)
        place = (self._random.random(len(who)) * left).astype(np.intp)
        found: NDArray[Any] = self.cards[who, place]
        left = left - 1
        self.cards[who, place] = self.cards[who, left]
        self.cards[who, left] = self.cards[who, left + used]  # no gap between pack and discards
        self.left[who], self.used[who] = left, used
        return found

    def put_back(self, who: Places, cards: Cards) -> None:
        """Put a card on the discard pile of each of some tokens."""
        used = self.used[who]
        self.cards[who, self.left[who] + used] = cards
        self.used[who] = used + 1

    def take(self, who: Places, cards: Cards) -> None:
        """Take a card from where it lies, from the discards if there is one of its kind."""
        np = _numpy()
        left, used = self.left[who], self.used[who]
        lies = np.arange(self._size) < (left + used)[:, None]
        there = (self.cards[who] == cards[:, None]) & lies
        place = self._size - 1 - np.argmax(there[:, ::-1], axis=1)
        packed = place < left
        left = left - packed
        self.cards[who, place] = np.where(packed, self.cards[who, left], self.cards[who, place])
        place = np.where(packed, left, place)
        used = used - ~packed
        self.cards[who, place] = self.cards[who, left + used]
        self.left[who], self.used[who] = left, used

    def lying(self, kinds: int) -> Counts:
        """How many of each card lie on the table, token by token."""
        np = _numpy()
        lies = np.arange(self._size) < (self.left + self.used)[:, None]
        return _kinds(self.cards, lies, kinds)

    def empty(self, who: Places) -> bool:
        """Whether some of these tokens find no card to draw."""
        return bool((self.left[who] + self.used[who] == 0).any())


def _kinds(cards: NDArray[Any], lies: NDArray[Any], kinds: int) -> Counts:
    np = _numpy()
    lying = [((cards == kind) & lies).sum(axis=1) for kind in range(kinds)]
    counts: Counts = np.stack(lying, axis=1)
    return counts


# -------------------------------------------------------------------------- many tokens


class Tokens:
    """Many tokens on boards of their own, each with its own decks, rolling all at once."""

    def __init__(
        self, table: Table, count: int, decks: Decks, seed: np.random.SeedSequence
    ) -> None:
        np = _numpy()
        self.table = table
        self.random = np.random.Generator(np.random.PCG64(seed))
        self.state = np.zeros(count, dtype=np.intp)
        self.piles: list[Rings | Heaps] = []
        if decks == "real":
            for pack in table.packs:
                kind = Rings if pack.to_bottom else Heaps
                self.piles.append(kind(pack.cards, count, self.random))
        groups = min(GROUPS, count)
        self.counts = np.zeros((groups, len(table.end)), dtype=np.int64)
        self._flat = self.counts.reshape(-1)
        self._group = np.arange(count) * groups // count * len(table.end)
        self._all = np.arange(count)

    def roll(self) -> None:
        """Everybody throws the dice once, draws and decides until the next throw."""
        table = self.table
        law = table.laws[table.law[self.state[0]]]
        self._go(self._all, table.first[self.state] + law.draw(len(self._all), self.random))
        self.finish(self._all)

    def finish(self, who: Places) -> None:
        """Answer every question of some tokens up to their next throw of the dice."""
        for _ in range(MOST_QUESTIONS):
            who = who[~self.table.rolling[self.state[who]]]
            if not len(who):
                return
            self._answer(who)
        raise _wrong(self.table.label, "", "the game goes on and on without a roll")

    def _answer(self, who: Places) -> None:
        np, table, state = _numpy(), self.table, self.state[who]
        if self.piles:
            for deck in range(len(self.piles)):
                self._draw(deck, who[table.deck[state] == deck])
            who = who[table.deck[state] < 0]
            state = self.state[who]
        laws = table.law[state]
        for one in np.unique(laws):
            those = who[laws == one]
            answers = table.laws[one].draw(len(those), self.random)
            self._go(those, table.first[self.state[those]] + answers)

    def _draw(self, deck: int, who: Places) -> None:
        table, pile = self.table, self.piles[deck]
        if not len(who):
            return
        if pile.empty(who):
            where = f"decks.{table.packs[deck].name}"
            raise _wrong(table.label, where, "no card is left to draw: all are held")
        cards = pile.draw(who)
        rows = table.row_of_card[deck][self.state[who], cards]
        back = ~table.kept[rows]
        pile.put_back(who[back], cards[back])
        self._go(who, rows)

    def _go(self, who: Places, rows: Places) -> None:
        np, table = _numpy(), self.table
        np.add.at(self._flat, self._group[who] + rows, 1)
        self.state[who] = table.end[rows]
        if self.piles:
            for given in table.given_back:
                those, cards = given.moved(who, rows)
                self.piles[given.deck].put_back(those, cards)
            for given in table.taken_late:
                those, cards = given.moved(who, rows)
                self.piles[given.deck].take(those, cards)

    def forget(self) -> None:
        """Begin to count from here."""
        self.counts[:] = 0


@dataclass(frozen=True, eq=False)
class Counted:
    """How often tokens used each row of a chain: one line of counts for each group of tokens."""

    walk: Chain[float]
    counts: Counts
    decks: Decks
    tokens: int
    rolls: int
    seed: int

    def ratio(self, price: Floats, unit: Floats) -> tuple[Floats, Floats]:
        """Sums at some prices (a column for each) over sums at a unit, with standard errors.

        Groups are independent of one another, and the errors come from the spread between them.
        """
        np = _numpy()
        sums, units = self.counts @ price, self.counts @ unit
        means = sums.sum(axis=0) / units.sum()
        off = sums - np.outer(units, means)
        groups = len(units)
        spread = (off**2).sum(axis=0) * groups / (groups - 1)
        return means, np.sqrt(spread) / units.sum()

    def landing(self, per: str = "roll") -> Simulated:
        """Where the tokens landed, per roll, turn or visit."""
        walk = self.walk
        _unit(walk.rules, per)
        unit = _sums(walk, unit_price(walk.rules, per))
        shares, errors = self.ratio(_stops(walk, per), unit)
        rows = [
            Share(*place, float(share), float(error))
            for place, share, error in zip(_places(walk.rules), shares, errors, strict=True)
        ]
        return Simulated(context(walk, per), self.line, tuple(rows))

    @property
    def line(self) -> str:
        """How it was simulated, in one line of small print."""
        how = "real decks" if self.decks == "real" else "independent draws"
        return (
            f"{how}; simulated: {self.tokens:,} tokens, {self.rolls:,} rolls each, "
            f"seed {self.seed}; standard errors between {len(self.counts)} groups of tokens"
        )


def simulate(
    game: Rules | Chain[Any],
    policy: Policy | None = None,
    *,
    tokens: int = 16_384,
    rolls: int = 1_000,
    decks: Decks = "real",
    seed: int = 1,
    burn_in: int = BURN_IN,
    workers: int = 1,
) -> Counted:
    """Let many tokens walk, each for some rolls after a burn-in, and count the rows they use.

    `game` is a ruleset, or a chain (which has its policy); the usual policy is leaving jail.
    The result is the same for any number of `workers` (processes).  Raises `RulesError` for
    decks that cannot be real and for numbers of tokens or rolls that make no sense.
    """
    np = _numpy()
    rules = game.rules if isinstance(game, Chain) else game
    _sensible(rules, tokens=tokens, rolls=rolls, burn_in=burn_in, workers=workers, decks=decks)
    walk = _in_floats(game, policy)
    made = table(walk, real=decks == "real")
    sizes = [min(BLOCK, tokens - done) for done in range(0, tokens, BLOCK)]
    seeds = np.random.SeedSequence(seed).spawn(len(sizes))
    jobs = [
        (made, size, one, decks, rolls, burn_in) for size, one in zip(sizes, seeds, strict=True)
    ]
    blocks = [_block(job) for job in jobs] if workers == 1 else _shared(jobs, workers)
    return Counted(walk, np.concatenate(blocks), decks, tokens, rolls, seed)


def _in_floats(game: Rules | Chain[Any], policy: Policy | None) -> Chain[float]:
    if not isinstance(game, Chain):
        return chain(game, policy, float)
    if game.number is float:
        return game
    return chain(game.rules, game.policy, float, start=game.states[0])


_Job: TypeAlias = "tuple[Table, int, np.random.SeedSequence, Decks, int, int]"


def _block(job: _Job) -> Counts:
    made, size, seed, decks, rolls, burn_in = job
    tokens = Tokens(made, size, decks, seed)
    tokens.finish(tokens._all)
    for _ in range(burn_in):
        tokens.roll()
    tokens.forget()
    for _ in range(rolls):
        tokens.roll()
    counts: Counts = tokens.counts
    return counts


def _shared(jobs: Sequence[_Job], workers: int) -> list[Counts]:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        return list(pool.map(_block, jobs))


def _sensible(rules: Rules, *, decks: str, **numbers: int) -> None:
    if decks not in ("real", "independent"):
        text = unknown("kind of decks", decks, ("real", "independent"))
        raise _wrong(rules.label, "decks", text)
    least = {"tokens": 2, "rolls": 1, "burn_in": 0, "workers": 1}
    most = {"tokens": MOST_TOKENS, "rolls": MOST_ROLLS, "burn_in": MOST_ROLLS, "workers": 1000}
    problems = [
        Problem("", name, f"must be from {least[name]:,} to {most[name]:,}, not {number!r}")
        for name, number in numbers.items()
        if not isinstance(number, int) or not least[name] <= number <= most[name]
    ]
    if problems:
        raise RulesError(rules.label, problems)


def _wrong(about: str, path: str, text: str) -> RulesError:
    return RulesError(about, [Problem("", path, text)])


def _numpy() -> Any:
    try:
        import numpy
    except ImportError as error:
        text = "simulating many tokens needs numpy; play.fair and decks.shuffled do without"
        raise ImportError(text) from error
    return numpy


# --------------------------------------------------------------------------- the results


@dataclass(frozen=True, slots=True)
class Share:
    """One square of a simulated landing table: its share, and how far off that may be."""

    number: int
    id: str
    name: str
    share: float
    error: float


@dataclass(frozen=True, eq=False)
class Simulated:
    """Where simulated tokens landed: the share of each square, with its standard error."""

    context: Context
    how: str
    rows: tuple[Share, ...]

    def __getitem__(self, square: str) -> Share:
        """The row of one square, by its id; "in_jail" is the row of the jail."""
        return _row(self.rows, square, self.context)

    @property
    def lines(self) -> tuple[str, ...]:
        """Title and small print."""
        return (*self.context.lines, self.how)

    def frame(self) -> pd.DataFrame:
        """The table as a pandas frame."""
        unit = self.context.unit
        return frame_of(
            {
                "square": [row.number for row in self.rows],
                "id": [row.id for row in self.rows],
                "name": [row.name for row in self.rows],
                f"share_per_{unit}": [row.share for row in self.rows],
                f"standard_error_per_{unit}": [row.error for row in self.rows],
            }
        )

    def __str__(self) -> str:
        return _text(self.lines, self._head, self._cells)

    def __repr__(self) -> str:
        return f"<Simulated {'; '.join(self.lines)}>"

    def _repr_html_(self) -> str:
        return html_table(self.lines, [self._head, *self._cells])

    @property
    def _head(self) -> tuple[str, ...]:
        return "square", "name", f"share per {self.context.unit}", "standard error"

    @property
    def _cells(self) -> Iterator[tuple[str, ...]]:
        for row in self.rows:
            share, error = f"{100 * row.share:.4f} %", f"{100 * row.error:.4f}"
            yield str(row.number), row.name, share, error


@dataclass(frozen=True, slots=True)
class Shift:
    """What real decks do to one square: shares with independent draws and with real decks.

    `error` is the standard error of `real`; `independent` is computed and has none.
    """

    number: int
    id: str
    name: str
    independent: float
    real: float
    error: float

    @property
    def difference(self) -> float:
        """Real decks less independent draws."""
        return self.real - self.independent

    @property
    def z(self) -> float:
        """The difference in standard errors: beyond 4 or so it is hardly chance."""
        if not self.difference:
            return 0.0
        return self.difference / self.error if self.error else float("inf")


@dataclass(frozen=True, eq=False)
class DeckDifference:
    """What the chain's independent draws leave out: each square with real decks and without.

    `against` is what the rules were whose chain is compared with.
    """

    context: Context
    how: str
    against: str
    rows: tuple[Shift, ...]

    def __getitem__(self, square: str) -> Shift:
        """The row of one square, by its id; "in_jail" is the row of the jail."""
        return _row(self.rows, square, self.context)

    @property
    def largest(self) -> Shift:
        """The square whose share changes most."""
        return max(self.rows, key=lambda row: abs(row.difference))

    @property
    def lines(self) -> tuple[str, ...]:
        """Title and small print."""
        return (*self.context.lines, f"independent draws: the chain of {self.against}", self.how)

    def frame(self) -> pd.DataFrame:
        """The table as a pandas frame; differences are in percentage points."""
        unit = self.context.unit
        return frame_of(
            {
                "square": [row.number for row in self.rows],
                "id": [row.id for row in self.rows],
                "name": [row.name for row in self.rows],
                f"independent_share_per_{unit}": [row.independent for row in self.rows],
                f"real_decks_share_per_{unit}": [row.real for row in self.rows],
                "difference_percentage_points": [100 * row.difference for row in self.rows],
                "standard_error_percentage_points": [100 * row.error for row in self.rows],
                "z": [row.z for row in self.rows],
            }
        )

    def __str__(self) -> str:
        return _text(self.lines, self._head, self._cells)

    def __repr__(self) -> str:
        return f"<DeckDifference {'; '.join(self.lines)}>"

    def _repr_html_(self) -> str:
        return html_table(self.lines, [self._head, *self._cells])

    @property
    def _head(self) -> tuple[str, ...]:
        unit = self.context.unit
        points = "difference in points"
        return "square", "name", f"independent, per {unit}", "real decks", points, "error", "z"

    @property
    def _cells(self) -> Iterator[tuple[str, ...]]:
        for row in self.rows:
            shares = f"{100 * row.independent:.4f} %", f"{100 * row.real:.4f} %"
            change = f"{100 * row.difference:+.5f}", f"{100 * row.error:.5f}", f"{row.z:+.1f}"
            yield str(row.number), row.name, *shares, *change


def simulate_landing(
    game: Rules | Chain[Any],
    policy: Policy | None = None,
    *,
    per: str = "roll",
    tokens: int = 16_384,
    rolls: int = 1_000,
    decks: Decks = "real",
    seed: int = 1,
    burn_in: int = BURN_IN,
    workers: int = 1,
) -> Simulated:
    """Where many simulated tokens land, with real decks or with independent draws.

    `per` is "roll", "turn" or "visit", as in `landing`; the other arguments are those of
    `simulate`.  Standard errors come from the spread between groups of tokens.
    """
    _unit(game.rules if isinstance(game, Chain) else game, per)
    return simulate(
        game,
        policy,
        tokens=tokens,
        rolls=rolls,
        decks=decks,
        seed=seed,
        burn_in=burn_in,
        workers=workers,
    ).landing(per)


def deck_difference(
    game: Rules | Chain[Any],
    policy: Policy | None = None,
    *,
    against: Rules | None = None,
    per: str = "roll",
    tokens: int = 32_768,
    rolls: int = 1_000,
    seed: int = 1,
    burn_in: int = BURN_IN,
    workers: int = 1,
) -> DeckDifference:
    """How much it matters that decks are real: every square against the chain's own share.

    Dice fall in a real game as they do in the chain; only cards do not.  So only draws are
    compared: what the card that came is worth to a square in the long run, less what a card of
    the pack is worth on average.  That takes the luck of the dice out of the result.  `against`
    is the ruleset whose chain is compared with, if not these rules (say, without held cards).
    """
    _unit(game.rules if isinstance(game, Chain) else game, per)
    counted = simulate(
        game,
        policy,
        tokens=tokens,
        rolls=rolls,
        seed=seed,
        burn_in=burn_in,
        workers=workers,
    )
    walk = counted.walk
    own = landing(walk, per=per)
    unit = _sums(walk, unit_price(walk.rules, per))
    luck = _luck_of_the_draw(walk, _stops(walk, per), unit, [row.probability for row in own.rows])
    change, errors = counted.ratio(luck, unit)
    other = own if against is None else landing(against, per=per, policy=walk.policy, number=float)
    rows = [
        Shift(
            row.number,
            row.id,
            row.name,
            other[row.id],
            row.probability + float(more),
            float(error),
        )
        for row, more, error in zip(own.rows, change, errors, strict=True)
    ]
    name = other.context.rules.label
    return DeckDifference(context(walk, per), counted.line, name, tuple(rows))


def _luck_of_the_draw(
    walk: Chain[float],
    stops: Floats,
    unit: Floats,
    shares: Sequence[float],
) -> Floats:
    """What each row brings each square beyond what its question brings on average; draws only.

    A stop counts for its square, less the square's share for every unit that goes by; what a
    state is worth is what still comes, on average, from there on.
    """
    np = _numpy()
    begin = np.repeat(np.arange(len(walk.states)), [len(row) for row in walk.branches])
    end = np.array([branch.end for row in walk.branches for branch in row])
    chance = np.array([branch.chance for row in walk.branches for branch in row])
    gain = stops - np.outer(unit, shares)
    expected = np.zeros((len(walk.states), len(shares)))
    np.add.at(expected, begin, chance[:, None] * gain)
    home = int(np.argmax(stationary(walk)))  # a state that everybody comes back to
    others = [i for i in range(len(walk.states)) if i != home]
    place = {i: n for n, i in enumerate(others)}
    rows = walk.rows()
    inside = [{place[j]: p for j, p in rows[i].items() if j != home} for i in others]
    worth = np.zeros_like(expected)
    if others:
        worth[others] = resolvent(inside, expected[others].tolist(), float)
    luck: Floats = gain + worth[end] - worth[begin]
    drawing = np.array([isinstance(state.question, Draw) for state in walk.states])
    luck[~drawing[begin]] = 0.0
    luck[np.abs(luck) < ROUNDING] = 0.0
    return luck


def _unit(rules: Rules, per: str) -> None:
    units = ("roll", "turn", "visit")
    if per not in units:
        raise _wrong(rules.label, "per", unknown("unit", per, units))


def _places(rules: Rules) -> list[tuple[int, str, str]]:
    """The rows of a landing table: every square, and the jail."""
    rows = [(square.number, square.id, square.name) for square in rules.squares]
    if rules.jail:
        rows.append((rules.squares[-1].number + 1, IN_JAIL, rules.jail.name))
    return rows


def _sums(walk: Chain[float], price: Price) -> Floats:
    """What each row comes to at a price."""
    np = _numpy()
    rows = (branch.events for branches in walk.branches for branch in branches)
    sums: Floats = np.array([float(total(price, events)) for events in rows])
    return sums


def _stops(walk: Chain[float], per: str) -> Floats:
    """How many stops on each square a row has: a line for each row, a column for each square."""
    np = _numpy()
    column = {name: n for n, (_, name, _) in enumerate(_places(walk.rules))}
    stop: Callable[[Event], Any] = STOPS[per]
    found: Floats = np.zeros((sum(map(len, walk.branches)), len(column)))
    rows = (branch.events for branches in walk.branches for branch in branches)
    for n, events in enumerate(rows):
        for where in filter(None, map(stop, events)):
            square, jailed = where
            found[n, column[IN_JAIL if jailed else square]] += 1
    return found


def _row(rows: Sequence[R], square: str, context: Context) -> R:
    for row in rows:
        if row.id == square:
            return row
    text = unknown("square", square, [row.id for row in rows])
    raise _wrong(context.rules.label, square, text)


def _text(lines: Sequence[str], head: Sequence[str], cells: Iterator[Sequence[str]]) -> str:
    body = [tuple(head), *map(tuple, cells)]
    wide = [max(map(len, column)) for column in zip(*body, strict=True)]
    shown = (
        "  ".join(
            f"{cell:<{width}}" if n == 1 else f"{cell:>{width}}"
            for n, (cell, width) in enumerate(zip(row, wide, strict=True))
        )
        for row in body
    )
    return "\n".join((*lines, "", *shown))
