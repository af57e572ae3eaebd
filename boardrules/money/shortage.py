"""Months that begin with little cash: what it costs to be short before Pay Day (P23, P25).

Who cannot pay on the spot must take from his savings, for a fee, and then borrow.  So a month that
begins with little cash has a law of its own for every amount of cash and of savings.  All of them
are worked out at once, backwards from Pay Day; what a payment does to cash and account is asked of
the ledger.  From `deep` units of cash on nobody is ever short, and the usual law holds.

A ticket's prize is counted on Pay Day, since on the board nothing has to be paid on the spot after
the draw; where a ruleset has it otherwise, `early` says so.  What is still to come (Lottery Draw,
the offer of an insurance) is kept apart, so that all that is added up are chances, and nothing is
taken away from anything.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from ..events import Drew, Event, Kept, Owed
from ..events import laps as over
from ..progress import progress
from ..rules import Problem, Rules, RulesError
from .ledger import Holder, grain, opened
from .month import LOTTERY, Money, MonthWalk, noted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Ints: TypeAlias = NDArray[np.int64]

PLENTY = 60
"""Steps of savings that hardly any month can use up; more are tried where one can."""

MOST_PLENTY = 4_000


@dataclass(frozen=True, eq=False)
class Short:
    """The laws of one month for little cash at its start.

    `laws[cash, kind, taken, i]` is the chance that the account falls by so many steps (`taken`)
    and wealth changes by (low + i) units, fees included.  `kind` is the number of steps saved;
    the last one stands for as many or more, the first for none, or a loan.  `early` says that a
    prize may come before something has to be paid on the spot, which is not counted.
    """

    low: int
    laws: Floats
    early: bool = False

    def moved(self, units: int) -> Short:
        """The same with so much more wealth."""
        return replace(self, low=self.low + units)

    @property
    def deep(self) -> int:
        """From so many units of cash on nobody is ever short."""
        return int(self.laws.shape[0])

    @property
    def taken(self) -> int:
        """By so many steps an account falls at most."""
        return int(self.laws.shape[2]) - 1

    def kind(self, account: int) -> int:
        """The row for an account of so many steps."""
        return min(max(account, 0), int(self.laws.shape[1]) - 1)


def together(parts: Sequence[Short]) -> Short:
    """The sum of several laws."""
    import numpy as np

    low = min(short.low for short in parts)
    high = max(short.low + short.laws.shape[3] for short in parts)
    size = tuple(max(short.laws.shape[axis] for short in parts) for axis in range(3))
    whole = np.zeros((*size, high - low))
    for short in parts:
        first, (cash, kinds, taken, wide) = short.low - low, short.laws.shape
        whole[:cash, :kinds, :taken, first : first + wide] += short.laws
    return Short(low, whole, any(short.early for short in parts))


# ------------------------------------------------------------------------------ the purse


class _Purse:
    """What paying on the spot does to cash (in units) and savings (in steps): the ledger knows."""

    def __init__(self, rules: Rules) -> None:
        self.unit, self.step = grain(rules), rules.accounts.step
        self._empty = opened(rules, 1)
        self._known: dict[tuple[int, int, int], tuple[int, int, int, int]] = {}

    def pay(self, cash: int, saved: int, amount: int) -> tuple[int, int, int, int]:
        """Cash and savings afterwards, the steps that the account fell by, and the fee in units."""
        if amount <= cash:
            return cash - amount, saved, 0, 0
        key = cash, saved, amount
        if key not in self._known:
            held: dict[Holder, int] = {"cash": cash * self.unit, "savings": saved * self.step}
            then = replace(self._empty, balances=held).pay(amount * self.unit)
            fell = saved - (then.savings - then.loan) // self.step
            fees = sum(entry.amount for entry in then.entries if entry.what == "fee")
            left = then.cash // self.unit, then.savings // self.step
            self._known[key] = (*left, fell, fees // self.unit)
        return self._known[key]


@dataclass(frozen=True, slots=True)
class _Way:
    """Branches that pay alike on the spot: where to (-1: Pay Day), and amounts in their order.

    `marks` are what happens in them of what is kept apart.  `yes` and `no` are the chances of what
    else changes wealth (bills, tickets), in units, where Lottery Draw is still to come after it or
    not.
    """

    end: int
    paid: tuple[int, ...]
    marks: frozenset[str]
    yes: dict[int, float] = field(default_factory=dict)
    no: dict[int, float] = field(default_factory=dict)


_Row: TypeAlias = tuple[int, int]
"""Cash in units, and steps saved."""

_Line: TypeAlias = tuple[int, int]
"""A row by its number, and the steps by which the account falls from there to Pay Day."""


@dataclass(frozen=True, slots=True)
class _Run:
    """Lines of a state, one after the other, that lead to lines of the next in the same way.

    `along`: to lines one after the other as well; otherwise all to one line.
    """

    line: int
    to: int
    count: int
    along: bool
    fee: int


def _runs(moves: Sequence[tuple[int, int] | None]) -> list[_Run]:
    """The longest runs of moves, each told as the next line and the fees; None leads nowhere."""
    found: list[_Run] = []
    line = 0
    while line < len(moves):
        move, count = moves[line], 1
        if move is not None:
            to, fee = move
            along = line + 1 < len(moves) and moves[line + 1] == (to + 1, fee)
            while line + count < len(moves) and moves[line + count] == (to + along * count, fee):
                count += 1
            found.append(_Run(line, to, count, along, fee))
        line += count
    return found


@dataclass(frozen=True, eq=False)
class _Block:
    """From one state to Pay Day: laws by line, the last one that of plenty of cash.

    They are kept apart by what is still to come.
    """

    low: int
    laws: Mapping[frozenset[str], Floats]

    @property
    def wide(self) -> int:
        """How many changes of wealth there are."""
        return int(next(iter(self.laws.values())).shape[1])


class _Work:
    """The backward walk over the states of a month."""

    def __init__(
        self, graph: MonthWalk, money: Money, without: Collection[str], apart: Collection[str]
    ) -> None:
        self.graph, self.money = graph, money
        self.without, self.apart = frozenset(without), frozenset(apart)
        self.purse = _Purse(graph.rules)
        self.unit = self.purse.unit
        self.ways, self.home = self._read()
        self.deep = self._deep()
        # savings that no rest of the month can use up are alike
        self.kinds: dict[int, tuple[int, ...]] = {}
        most = self._from_plenty()
        self.kinds = {i: (*range(max(m)), self.plenty) for i, m in most.items()}
        self.taken = self._most_taken()
        self.lines = {i: self._lines(i) for i in self.taken}

    # ---- what the branches do

    def _read(self) -> tuple[dict[int, tuple[Fraction, list[_Way]]], int]:
        """The ways from each state, those alike told once; and where the month begins."""
        alike, same = {-1: -1}, dict[Any, int]()
        ways: dict[int, tuple[Fraction, list[_Way]]] = {}
        for i in self.graph.order:
            stay, some = self._ways(i, alike)
            nothing = _Way(some[0].end, (), frozenset(), {0: 1.0}, {0: 1.0}) if some else None
            if some == [nothing] and some[0].end >= 0:
                alike[i] = some[0].end
                continue
            told = frozenset(
                (w.end, w.paid, w.marks, frozenset(w.yes.items()), frozenset(w.no.items()))
                for w in some
            )
            alike[i] = same.setdefault((stay, told), i)
            if alike[i] == i:
                ways[i] = stay, some
        return ways, alike[self.graph.home]

    def _ways(self, i: int, alike: Mapping[int, int]) -> tuple[Fraction, list[_Way]]:
        """The chance to stay where nothing happens, and all other branches, alike ones together."""
        stay, found = Fraction(0), dict[Any, _Way]()
        for branch in self.graph.chain.branches[i]:
            if any(isinstance(e, Drew) and e.card in self.without for e in branch.events):
                continue
            done = any(map(over, branch.events))
            if not done and branch.end == i:
                stay += Fraction(branch.chance)
                continue
            end = -1 if done else alike[branch.end]
            paid, yes, no, marks = self._told(branch.events)
            way = found.setdefault((end, paid, marks), _Way(end, paid, marks))
            chance = float(branch.chance)
            way.yes[yes] = way.yes.get(yes, 0.0) + chance
            way.no[no] = way.no.get(no, 0.0) + chance
        return stay, list(found.values())

    def _told(self, events: Iterable[Event]) -> tuple[tuple[int, ...], int, int, frozenset[str]]:
        paid: list[int] = []
        marks: set[str] = set()
        bills = drawn = cashed = 0
        for event in events:
            amount = self.money(event) // self.unit
            if isinstance(event, Owed):
                bills += amount
            elif amount:
                paid.append(amount)
            if noted(LOTTERY)(event):
                cashed, drawn = cashed + drawn, 0
                marks.add(LOTTERY)
            elif isinstance(event, Drew) and event.card in self.apart:
                marks.add(event.card)
            elif isinstance(event, Kept):
                drawn += event.prize // self.unit
        return tuple(paid), bills + cashed + drawn, bills + cashed, frozenset(marks)

    def _deep(self) -> dict[int, int]:
        """The least cash with which nobody is short, from each state."""
        deep = {-1: 0}
        for i in self.ways:
            deep[i] = 0
            for way in self.ways[i][1]:
                need = deep[way.end]
                for amount in reversed(way.paid):
                    need = max(0, need - amount)
                deep[i] = max(deep[i], need)
        return deep

    def _early(self) -> bool:
        """Whether a prize may come before something has to be paid on the spot."""
        ways = (way for _, some in self.ways.values() for way in some)
        return any(LOTTERY in way.marks and self.deep[way.end] > 0 for way in ways)

    # ---- rows of cash and savings

    def _from_plenty(self) -> dict[int, list[int]]:
        """The most that is taken from savings which are never used up."""
        self.plenty = PLENTY
        while self.plenty <= MOST_PLENTY:
            self.kinds = dict.fromkeys((-1, *self.ways), (self.plenty,))
            most = self._most_taken()
            if max(most[self.home]) < self.plenty:
                return most
            self.plenty *= 4
        text = "withdrawing costs so much that no savings last a month; lower the fee"
        raise RulesError(self.graph.rules.label, [Problem("", "accounts", text)])

    def rows(self, i: int) -> list[_Row]:
        """Cash and savings of each row of a state; one more row stands for plenty of cash."""
        return [(cash, saved) for cash in range(self.deep[i]) for saved in self.kinds[i]]

    def _lines(self, i: int) -> dict[_Line, int]:
        """All lines of a state with their numbers, those of the same fall together."""
        *little, plenty = self.taken[i]
        lines = [
            (row, taken)
            for taken in range(max(self.taken[i]) + 1)
            for row, most in enumerate(little)
            if taken <= most
        ]
        return {line: number for number, line in enumerate([*lines, (len(little), plenty)])}

    def _after(self, cash: int, saved: int, way: _Way) -> tuple[int, int, int]:
        """The row of the next state (its last one is that of plenty), steps taken, and fees."""
        taken = fees = 0
        for amount in way.paid:
            if amount > 0:
                cash += amount
                continue
            cash, left, fell, fee = self.purse.pay(cash, saved, -amount)
            saved = saved if saved == self.plenty else left
            taken, fees = taken + fell, fees + fee
        kinds = self.kinds[way.end]
        row = min(cash, self.deep[way.end]) * len(kinds)
        if cash < self.deep[way.end]:
            row += min(saved, len(kinds) - 1)
        return row, taken, fees

    def _most_taken(self) -> dict[int, list[int]]:
        """By how many steps an account may fall at most from each row of a state to Pay Day."""
        most: dict[int, list[int]] = {-1: [0]}
        for i in self.ways:
            rows = self.rows(i)
            most[i] = [0] * (len(rows) + 1)
            for way in self.ways[i][1]:
                for place, row in enumerate(rows):
                    then, taken, _ = self._after(*row, way)
                    most[i][place] = max(most[i][place], taken + most[way.end][then])
        return most

    # ---- laws

    def short(self) -> dict[frozenset[str], Short]:
        """The laws of a whole month, kept apart by which of some cards are drawn in it."""
        import numpy as np

        known = {-1: _Block(0, {frozenset(): np.ones((1, 1))})}
        last = {way.end: i for i in self.ways for way in self.ways[i][1]}
        for i in progress(self.ways, "months that begin with little cash"):
            known[i] = self._block(i, known)
            for end in {way.end for way in self.ways[i][1]}:
                if last[end] == i and end != -1:
                    del known[end]  # nobody leads there any more
        found: dict[frozenset[str], Short] = {}
        for marks, laws in known[self.home].laws.items():
            low, dense = known[self.home].low, self._dense(laws)
            cards, short = marks - {LOTTERY}, Short(low, dense, self._early())
            found[cards] = together([found[cards], short]) if cards in found else short
        return found

    def _dense(self, laws: Floats) -> Floats:
        """The lines of the start of a month by cash, kind of account, and steps taken."""
        import numpy as np

        kinds = len(self.kinds[self.home])
        size = self.deep[self.home], kinds, max(self.taken[self.home]) + 1, laws.shape[1]
        whole = np.zeros(size)
        for (row, taken), line in self.lines[self.home].items():
            if row < size[0] * kinds:
                whole[row // kinds, row % kinds, taken] = laws[line]
        return whole

    def _block(self, i: int, known: Mapping[int, _Block]) -> _Block:
        import numpy as np

        stay, ways = self.ways[i]
        moves = [self._moves(i, way) for way in ways]
        low, high = self._reach(ways, moves, known)
        laws: dict[frozenset[str], Floats] = {}
        for way, move in zip(ways, moves, strict=True):
            ahead = known[way.end]
            for to_come, some in ahead.laws.items():
                marks = to_come | way.marks
                if marks not in laws:
                    laws[marks] = np.zeros((len(self.lines[i]), high - low))
                changes = way.yes if LOTTERY in to_come else way.no
                _add(laws[marks], low, some, ahead.low + sum(way.paid), changes, move)
        if stay:
            for one in laws.values():
                one /= float(1 - stay)
        return _Block(low, laws)

    def _moves(self, i: int, way: _Way) -> list[_Run]:
        """From each line to the next, for plenty of cash as well."""
        ahead = self.lines[way.end]
        plenty = self.deep[way.end] * len(self.kinds[way.end]), 0, 0
        after = [*(self._after(*row, way) for row in self.rows(i)), plenty]
        moves: list[tuple[int, int] | None] = []
        for row, taken in self.lines[i]:
            then, fell, fee = after[row]
            to = ahead.get((then, taken - fell))
            moves.append(None if to is None else (to, fee))
        return _runs(moves)

    def _reach(
        self, ways: Sequence[_Way], moves: Sequence[Sequence[_Run]], known: Mapping[int, _Block]
    ) -> tuple[int, int]:
        """From where to where (one beyond) wealth may change."""
        lows, highs = [], []
        for way, move in zip(ways, moves, strict=True):
            ahead = known[way.end]
            changes, first = [*way.yes, *way.no], ahead.low + sum(way.paid)
            lows.append(first + min(changes) - max(run.fee for run in move))
            highs.append(first + ahead.wide + max(changes))
        return min(lows), max(highs)


def _add(
    out: Floats,
    low: int,
    ahead: Floats,
    first: int,
    changes: Mapping[int, float],
    runs: Sequence[_Run],
) -> None:
    """Add what lies ahead to the lines that lead there."""
    import numpy as np

    least = min(changes)
    chances = np.zeros(max(changes) - least + 1)
    for change, chance in changes.items():
        chances[change - least] = chance
    spread = convolved(ahead, chances)
    wide = spread.shape[1]
    for run in runs:
        lines = spread[run.to : run.to + (run.count if run.along else 1)]
        start = first + least - run.fee - low
        out[run.line : run.line + run.count, start : start + wide] += lines


def convolved(masses: Floats, chances: Floats) -> Floats:
    """Each row spread by the same chances: sums of products of what is not negative."""
    import numpy as np

    if len(chances) == 1:
        scaled: Floats = masses * chances[0]
        return scaled
    rows, wide = masses.shape
    count = len(chances)
    apart = int(np.gcd.reduce(np.flatnonzero(chances)))
    if apart > 1 and (count - 1) % apart == 0:
        # amounts in fives, units of one: what is not in the same fifth never meets
        spread = np.zeros((rows, wide + count - 1))
        for first in range(min(apart, wide)):
            part = masses[:, first::apart]
            if part.any():
                spread[:, first::apart] = convolved(part, chances[::apart])
        return spread
    block = min(max(count, 64), wide)
    shifted = np.zeros((block, block + count - 1))
    for i in range(block):
        shifted[i, i : i + count] = chances
    out = np.zeros((rows, wide + count - 1))
    for start in range(0, wide, block):
        part = masses[:, start : start + block]
        some, here = part.any(axis=1), part.shape[1]
        end = start + here + count - 1
        out[some, start:end] += part[some] @ shifted[:here, : here + count - 1]
    return out


def short_months(
    graph: MonthWalk, money: Money, without: Collection[str] = (), apart: Collection[str] = ()
) -> dict[frozenset[str], Short]:
    """The laws of one month for little cash at its start.

    `money` is what events bring or owe; `without` are cards that are not to be drawn; `apart` are
    cards by which the laws are kept apart: by all of them that are drawn.
    """
    return _Work(graph, money, without, apart).short()
