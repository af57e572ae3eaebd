"""How surprising a class's counts are, in plain words and without false precision.

Throws are independent; landings of one token are not, since it walks on from where it stands.  So
nothing is looked up in a table of chi-square: as many classes as the computer has time for are
simulated by the rules themselves, with as many pupils and as many rolls, and the verdict is how
many of them are at least as odd as this one.  Whatever is looked at in many places at once is
compared with the oddest place of each simulated class.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

from ..chain import Chain
from ..decimals import Decimal, written
from ..events import Price, RollOver, TurnOver, rolls, turns
from ..library import Source
from ..measure import trail
from ..results import Context, context, frame_of, html_table
from ..results import as_chain as _as_chain
from ..rules import IN_JAIL, Problem, Rules, RulesError, unknown
from ..turn import Policy, Thrown, throws
from .reading import Outcomes, Tally, read, squares_of, sums_of

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    Counts: TypeAlias = NDArray[np.int64]
    Floats: TypeAlias = NDArray[np.float64]

CLASSES = 4_999
"""So many classes are simulated, if there is time."""
FEWEST_CLASSES, MOST_CLASSES = 99, 99_999
WORK = 2_500_000
"""So many rolls are simulated for one verdict, about."""
MOST_WORK = 50_000_000
"""More than this takes longer than anybody waits."""
MOST_THROWS, MOST_LANDINGS, MOST_OF_ONE = 10_000_000, 100_000, 2_000
"""More than this is counted by no class, and by no one pupil."""
SELDOM = 1
"""What is expected less often than this is put together with its like."""
STANDS_OUT = 0.05
"""So seldom the oddest place of a class is as odd as one that is said to stand out."""
ALMOST_TOO_GOOD = 0.002

_UNITS: Mapping[str, tuple[type[RollOver] | type[TurnOver], Price]] = {
    "roll": (RollOver, rolls),
    "turn": (TurnOver, turns),
}


@dataclass(frozen=True, slots=True)
class Seen:
    """One outcome: how often it was counted, and how often one expects it.

    19 of 20 classes lie between `low` and `high`, for this outcome alone.  `odds` is the share of
    classes in which *some* outcome is at least as odd.
    """

    key: str
    name: str
    count: int
    expected: float
    low: float
    high: float
    odds: float


@dataclass(frozen=True, eq=False)
class Verdict:
    """How odd the counts of a class are.

    `odds` is the share of simulated classes that are at least as odd as this one, `closer` the
    share of those that come at least as close to the law.  `walks` says how far each token of the
    class walked, `compared` how many outcomes were looked at, seldom ones taken together.
    """

    context: Context
    tally: Tally
    rows: tuple[Seen, ...]
    odds: float
    closer: float
    classes: int
    seed: int
    walks: tuple[int, ...]
    notes: tuple[str, ...]
    compared: int
    impossible: tuple[str, ...]

    @property
    def standing_out(self) -> tuple[Seen, ...]:
        """Outcomes that are odd even among so many, the oddest first."""
        odd = [row for row in self.rows if row.odds <= STANDS_OUT]
        return tuple(sorted(odd, key=lambda row: row.odds))

    @property
    def sentence(self) -> str:
        """The verdict in one sentence."""
        return next(iter(self.sentences()))

    def sentences(self, decimal: Decimal = ".") -> tuple[str, ...]:
        """The verdict, what stands out, and what has to be said about it."""
        return tuple(written(text, decimal) for text in self._sentences())

    def _sentences(self) -> Iterator[str]:
        if self.impossible:
            names = ", ".join(self.impossible)
            yield (
                f"By these rules nobody can end on {names}: look at the counting, or at the rules "
                "you played by."
            )
            return
        yield self._of_all()
        yield self._of_single_ones()
        yield from self.notes

    def _of_all(self) -> str:
        who = self._who()
        if self.closer <= ALMOST_TOO_GOOD:
            share = _of_classes(self.closer, self.classes)
            return (
                f"Almost too good: in {share} do the counts come so close to the law. Were they "
                "all thrown, or were some made up?"
            )
        said = f"{who} give something at least as odd as this in"
        return f"{said} {_of_classes(self.odds, self.classes)}: {_judged(self.odds)}."

    def _who(self) -> str:
        if self.tally.outcomes.kind == "landings":
            return "Tokens that walk by these rules"
        weights = {weight for _, weight in self.context.rules.dice.faces}
        return "Fair dice" if len(weights) == 1 else "Dice as these rules want them"

    def _of_single_ones(self) -> str:
        thing = "sum" if self.tally.outcomes.kind == "throws" else "square"
        many = self.compared
        if many < 2:
            return f"These are too few to look at single {thing}s."
        if not self.standing_out:
            return (
                f"No single {thing} stands out. Among {many}, one is often far from its mean; "
                "that is allowed for."
            )
        told = [
            f"{row.name}: {row.count} instead of about {_about(row.expected)}"
            for row in self.standing_out[:3]
        ]
        odds = _of_classes(self.standing_out[0].odds, self.classes)
        return (
            f"What stands out: {'; '.join(told)}. Whoever looks at {many} {thing}s at once finds "
            f"one as odd as the first in {odds}."
        )

    @property
    def lines(self) -> tuple[str, ...]:
        """Title and small print."""
        how = f"{self.classes:,} classes simulated, seed {self.seed}"
        if self.walks:
            how = f"{_walks(self.walks)}; {how}; cards drawn independently"
        title, *small = self.context.lines
        aside = len(self.tally.doubts)
        left = [f"{aside} not counted, first {self.tally.doubts[0]}"] if aside else []
        return (f"{title}: {self.tally.said}", *small, how, *left)

    def frame(self) -> pd.DataFrame:
        """The counts beside what one expects, as a pandas frame."""
        return frame_of(
            {
                "id": [row.key for row in self.rows],
                "name": [row.name for row in self.rows],
                "count": [row.count for row in self.rows],
                "expected": [row.expected for row in self.rows],
                "low_19_of_20": [row.low for row in self.rows],
                "high_19_of_20": [row.high for row in self.rows],
                "odds_among_all": [row.odds for row in self.rows],
            }
        )

    def _cells(self) -> Iterator[tuple[str, ...]]:
        yield (self.tally.outcomes.one, "counted", "expected", "19 of 20 classes")
        for row in self.rows:
            band = f"{row.low:g} to {row.high:g}"
            yield (row.name, str(row.count), _about(row.expected), band)

    def __str__(self) -> str:
        cells = list(self._cells())
        wide = [max(len(row[k]) for row in cells) for k in range(4)]
        body = (
            f"{row[0]:<{wide[0]}}  {row[1]:>{wide[1]}}  {row[2]:>{wide[2]}}  {row[3]:>{wide[3]}}"
            for row in cells
        )
        return "\n".join((*self.lines, "", *self.sentences(), "", *body))

    def __repr__(self) -> str:
        return f"<Verdict on {self.tally.said}: {self.sentence}>"

    def _repr_html_(self) -> str:
        return html_table((*self.lines, *self.sentences()), list(self._cells()))


def _about(value: float) -> str:
    """An expected count: 60, 6.2 or 0.31."""
    return f"{value:.0f}" if value >= 20 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def _of_classes(share: float, classes: int) -> str:
    """A share of classes as one says it, no finer than it is known."""
    if share * (classes + 1) < 1.5:
        return "fewer than 1 of 1,000 classes" if classes >= 2_999 else (
            f"none of {classes:,} simulated classes"
        )  # fmt: skip
    if share >= 0.0095:
        return f"about {min(round(100 * share), 99)} of 100 classes" if share < 0.995 else (
            "nearly every class"
        )  # fmt: skip
    if share >= 0.00095:
        return f"about {round(1000 * share)} of 1,000 classes"
    return "fewer than 1 of 1,000 classes"


def _judged(odds: float) -> str:
    if odds > 0.1:
        return "no reason for suspicion"
    if odds > 0.05:
        return "a little unusual, as happens"
    if odds > 0.01:
        return "unusual; throw again before you believe that there is more behind it"
    if odds > 0.001:
        return "very unusual; look for a cause, and throw again to see whether it stays"
    return "look for the cause, in the dice, in the counting, or in the rules"


def _walks(walks: Sequence[int]) -> str:
    fewest, most = min(walks), max(walks)
    each = f"{most:,}" if fewest == most else f"{fewest:,} to {most:,}"
    one = "token" if len(walks) == 1 else "tokens"
    return f"{len(walks):,} {one} of {each} from the start"


# -------------------------------------------------------------------------- the question


def verdict(
    tally: Tally | str | Mapping[Any, int],
    game: Rules | Source | Chain[float],
    *overlays: Source,
    per: str = "throw",
    pupils: int | None = None,
    policy: Policy | None = None,
    classes: int | None = None,
    seed: int = 1,
) -> Verdict:
    """Say how odd the counts of a class are, against the law of a game.

    `per` is "throw" (sums of the dice), "roll" or "turn" (squares where these end).  Landings are
    of `pupils` tokens that all began at the start of the game and walked equally far; the tally
    may know the pupils itself.  `classes` are simulated, the same ones for the same seed.  Raises
    `RulesError` for an empty tally, and for more than a class can count.
    """
    walk = _as_chain(game, *overlays, policy=policy, number=float) if per in _UNITS else None
    rules = walk.rules if walk else _rules(game, *overlays)
    if per != "throw" and per not in _UNITS:
        known = ("throw", *_UNITS)
        raise RulesError(rules.label, [Problem("", "per", unknown("unit", per, known))])
    outcomes = squares_of(rules) if walk else sums_of(rules)
    if not isinstance(tally, Tally):
        tally = read(tally, outcomes)
    _check(tally, outcomes, rules, pupils, classes, seed)
    if walk is None:
        return _of_throws(tally, rules, classes or CLASSES, seed)
    return _of_landings(tally, walk, per, pupils, classes, seed)


def _rules(game: Rules | Source | Chain[float], *overlays: Source) -> Rules:
    from ..library import load

    if isinstance(game, Chain):
        return game.rules
    if isinstance(game, Rules):
        if overlays:
            text = "these rules are loaded already; give the overlays to load()"
            raise RulesError(game.label, [Problem("", "", text)])
        return game
    return load(game, *overlays)


def _check(
    tally: Tally,
    outcomes: Outcomes,
    rules: Rules,
    pupils: int | None,
    classes: int | None,
    seed: int,
) -> None:
    problems = []
    if list(tally.outcomes.names) != list(outcomes.names):
        text = f"these {tally.outcomes.one}s are of {tally.outcomes.label}, not of {rules.label}"
        problems.append(Problem("", "tally", text))
    elif tally.outcomes.kind != outcomes.kind:
        text = f"{tally.outcomes.one}s are no {outcomes.one}s"
        problems.append(Problem("", "tally", text))
    most = MOST_THROWS if outcomes.kind == "throws" else MOST_LANDINGS
    if not 1 <= tally.total <= most:
        text = f"needs 1 to {most:,} {outcomes.one}s, not {tally.total:,}"
        problems.append(Problem("", "tally", text))
    if pupils is not None and not (_whole(pupils) and 1 <= pupils <= max(tally.total, 1)):
        text = f"needs a whole number from 1 to the number of landings, not {pupils!r}"
        problems.append(Problem("", "pupils", text))
    if classes is not None and not (_whole(classes) and FEWEST_CLASSES <= classes <= MOST_CLASSES):
        text = f"needs a whole number from {FEWEST_CLASSES} to {MOST_CLASSES:,}, not {classes!r}"
        problems.append(Problem("", "classes", text))
    if not (_whole(seed) and 0 <= seed < 2**63):
        text = f"needs a whole number, 0 or more, not {seed!r:.60}"
        problems.append(Problem("", "seed", text))
    if problems:
        raise RulesError(rules.label, problems)


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


# -------------------------------------------------------------------------------- throws


def law_of_sums(rules: Rules) -> dict[str, Fraction]:
    """The exact chance of every sum of the dice."""
    law = dict.fromkeys(sums_of(rules).names, Fraction(0))
    for thrown, chance in throws(rules.dice).items():
        assert isinstance(thrown, Thrown)
        law[str(thrown.pips)] += chance
    return law


def _of_throws(tally: Tally, rules: Rules, classes: int, seed: int) -> Verdict:
    np = _numpy()
    shares = np.array([float(chance) for chance in law_of_sums(rules).values()])
    random = np.random.default_rng(seed)
    counts = random.multinomial(tally.total, shares / shares.sum(), size=classes)
    about = Context(rules, "throw", "", "dice")
    return _judge(tally, about, counts, tally.total * shares, seed)


# ------------------------------------------------------------------------------ landings


def _of_landings(
    tally: Tally,
    walk: Chain[float],
    per: str,
    pupils: int | None,
    classes: int | None,
    seed: int,
) -> Verdict:
    walks, note = _lengths(tally, pupils)
    if max(walks) > MOST_OF_ONE:
        text = f"no one token makes more than {MOST_OF_ONE:,} {per}s; how many pupils were there?"
        raise RulesError(walk.rules.label, [Problem("", "pupils", text)])
    classes = classes or min(max(WORK // tally.total, FEWEST_CLASSES), CLASSES)
    if classes * tally.total > MOST_WORK:
        text = (
            f"{classes:,} classes of {tally.total:,} {per}s are too many to simulate; ask for fewer"
        )
        raise RulesError(walk.rules.label, [Problem("", "classes", text)])
    ending, unit = _UNITS[per]
    counts = simulated(walk, ending, walks, classes, seed)
    expected = _expected(walk, unit, walks)
    return _judge(tally, context(walk, per), counts, expected, seed, walks, note)


def _lengths(tally: Tally, pupils: int | None) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """How far each pupil walked, and what has to be said about that."""
    known = [count for count in tally.pupils.values() if count]
    if pupils is None and known and sum(known) == tally.total:
        return tuple(known), ()
    many = pupils or max(len(known), 1)
    each, more = divmod(tally.total, many)
    walks = tuple(each + (k < more) for k in range(many))
    if pupils is None and not known:
        return walks, ("Taken as the walk of one single token: say how many pupils there were.",)
    return walks, ()


def simulated(
    walk: Chain[float],
    ending: type[RollOver] | type[TurnOver],
    walks: Sequence[int],
    classes: int,
    seed: int,
) -> Counts:
    """Where the tokens of many classes end their rolls or turns: a row of counts for each class.

    Columns are the squares in board order, then the jail if there is one.
    """
    np = _numpy()
    random = np.random.default_rng(seed)
    first, last, upper, end, place = _as_table(walk, ending)
    cells = len(squares_of(walk.rules).names)
    lengths = np.tile(np.array(walks), classes)
    whose = np.repeat(np.arange(classes), len(walks)) * cells
    state = np.zeros(len(lengths), dtype=np.intp)
    counts = np.zeros(classes * cells, dtype=np.int64)
    for done in range(max(walks)):
        active = np.flatnonzero(lengths > done)
        for _ in range(10_000):  # a unit has an end: the chain has been checked for that
            here = state[active]
            row = np.searchsorted(upper, here + random.random(len(active)), side="right")
            row = np.clip(row, first[here], last[here])
            state[active] = end[row]
            over = place[row] >= 0
            counts += np.bincount(whose[active[over]] + place[row[over]], minlength=classes * cells)
            active = active[~over]
            if not len(active):
                break
    table: Counts = counts.reshape(classes, cells)
    return table


def _as_table(walk: Chain[float], ending: type[RollOver] | type[TurnOver]) -> tuple[Any, ...]:
    """A chain as arrays: rows of each state, their chances added up, their ends, and the places."""
    np = _numpy()
    keys = list(squares_of(walk.rules).names)
    at = {key: k for k, key in enumerate(keys)}
    sizes = [len(branches) for branches in walk.branches]
    last = np.cumsum(sizes) - 1
    first = last - np.array(sizes) + 1
    upper, end, place = [], [], []
    for i, branches in enumerate(walk.branches):
        sums = np.cumsum([branch.chance for branch in branches])
        upper.extend(i + sums / sums[-1])
        for branch in branches:
            over = next((one for one in branch.events if isinstance(one, ending)), None)
            end.append(branch.end)
            place.append(-1 if over is None else at[IN_JAIL if over.jailed else over.square])
    return first, last, np.array(upper), np.array(end), np.array(place)


def _expected(walk: Chain[float], unit: Price, walks: Sequence[int]) -> Floats:
    """How often each place is expected: the law after 1, 2, … units, added up over the pupils."""
    np = _numpy()
    keys = list(squares_of(walk.rules).names)
    at = {key: k for k, key in enumerate(keys)}
    sums: Floats = np.zeros(len(keys))
    lengths = np.array(walks)
    before = np.zeros(len(keys))
    for done, seen in enumerate(islice(trail(walk, unit), 1, int(lengths.max()) + 1)):
        law = np.zeros(len(keys))
        for (square, jailed), chance in seen.items():
            law[at[IN_JAIL if jailed else square]] += chance
        sums += law * (lengths > done).sum()
        if np.abs(law - before).max() < 1e-12:  # the start is forgotten: so it goes on
            sums += law * np.maximum(lengths - done - 1, 0).sum()
            break
        before = law
    return sums


# ------------------------------------------------------------------------------ judgement


def _judge(
    tally: Tally,
    about: Context,
    counts: Counts,
    expected: Floats,
    seed: int,
    walks: tuple[int, ...] = (),
    notes: tuple[str, ...] = (),
) -> Verdict:
    np = _numpy()
    names = tally.outcomes.names
    seen = np.array(list(tally.counts.values()))
    possible = expected > 1e-12 * tally.total
    impossible = tuple(
        name for name, can, n in zip(names.values(), possible, seen, strict=True) if n and not can
    )
    cells = _pooled(expected, possible)
    pooled, mean = counts @ cells, expected @ cells
    own = seen @ cells
    distance = ((pooled - mean) ** 2 / mean).sum(axis=1)
    mine = ((own - mean) ** 2 / mean).sum()
    slack = 1e-9 * (1 + mine)  # what is equal but for rounding is equally odd
    odd = (1 + (distance >= mine - slack).sum()) / (1 + len(counts))
    closer = (1 + (distance <= mine + slack).sum()) / (1 + len(counts))
    single = _single_odds(pooled, mean, own) @ cells.T
    low, high = (np.quantile(counts, q, axis=0, method=how) for q, how in
                 ((0.025, "lower"), (0.975, "higher")))  # fmt: skip
    rows = tuple(
        Seen(key, name, int(seen[k]), float(expected[k]), float(low[k]), float(high[k]),
             float(single[k]) if possible[k] else (0.0 if seen[k] else 1.0))
        for k, (key, name) in enumerate(names.items())
    )  # fmt: skip
    rare = [name for k, name in enumerate(names.values()) if possible[k] and expected[k] < SELDOM]
    seldom = tuple(rare) if len(rare) > 1 else ()
    more = list(notes)
    if seldom:
        more.append(
            f"{len(seldom)} that are expected less than once each are judged together: "
            f"{', '.join(seldom[:6])}{' …' if len(seldom) > 6 else ''}."
        )
    if tally.total < 5 * cells.shape[1]:
        more.append(
            f"With only {tally.total} {tally.outcomes.one}s even badly bent dice could hide."
        )
    odds = 0.0 if impossible else float(odd)
    return Verdict(
        about, tally, rows, odds, float(closer), len(counts), seed, walks,
        tuple(more), cells.shape[1], impossible,
    )  # fmt: skip


def _pooled(expected: Floats, possible: Any) -> Floats:
    """Which outcome goes into which cell: those that are seldom expected all into one."""
    np = _numpy()
    often = np.flatnonzero(possible & (expected >= SELDOM))
    rare = np.flatnonzero(possible & (expected < SELDOM))
    cells: Floats = np.zeros((len(expected), len(often) + (len(rare) > 0)))
    cells[often, np.arange(len(often))] = 1
    cells[rare, -1:] = 1
    return cells


def _single_odds(pooled: Any, mean: Floats, own: Any) -> Floats:
    """For each cell, the share of classes in which some cell is at least as odd."""
    np = _numpy()
    spread = pooled.std(axis=0)
    spread[spread == 0] = np.inf
    oddest = (np.abs(pooled - mean) / spread).max(axis=1)
    odd = np.abs(own - mean) / spread
    more = (oddest[:, None] >= odd * (1 - 1e-9)).sum(axis=0)
    found: Floats = (1 + more) / (1 + len(pooled))
    return found


def _numpy() -> Any:
    try:
        import numpy
    except ImportError as error:
        text = 'a verdict needs numpy: pip install "boardrules[simulate]"'
        raise ImportError(text) from error
    return numpy
