"""The best plan for accounts: what to repay, deposit or withdraw at every Pay Day.

Backward induction: on the last Pay Day the end is known; one Pay Day earlier the best move is the
one after which the coming month promises most; and so on back to the start.  The laws of a month
and the simplifications are those of `boardrules.money.plans`; besides, nobody takes a loan that he
does not need.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, TypeAlias

from ..chain import Chain
from ..library import Source
from ..progress import progress
from ..results import Context, as_chain, context, frame_of
from ..rules import Problem, Rules, RulesError
from .kernels import Kernel
from .plans import PLANS, Game, Move, Plan, Position, Wealth, plan_of

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Ints: TypeAlias = NDArray[np.int64]

EQUAL = 1e-9
"""Moves whose promises differ by less than this (in parts of the best) are equally good."""


@dataclass(frozen=True, eq=False)
class _Stage:
    """What every position at the start of a month promises.

    `debts[i, z]` is the promise of an account of (lowest + i) steps, all below zero, and z units of
    cash.  Without a loan only the sum of savings, cash and coming interest counts: `free`; but not
    for little cash, with which one may be short in mid-month: `tight[saved, z]`.
    """

    lowest: int
    debts: Floats
    free: Floats
    tight: Floats


@dataclass(frozen=True, eq=False)
class BestPlan:
    """The best plan for accounts, and what it promises: `best` makes it.

    `value` is the expected wealth, or with a target the chance to end above it.
    """

    context: Context
    game: Game = field(repr=False)
    target: int | None
    stages: tuple[_Stage, ...] = field(repr=False)
    value: float

    @cached_property
    def plan(self) -> Plan:
        """The same as a plan that can be compared with others."""
        return Plan("best", f"the best plan for {self._aim}", many=self._moves)

    @cached_property
    def wealth(self) -> Wealth:
        """The law of the final wealth under the best plan."""
        return self.game.wealth(self.plan)

    def move(self, where: Position) -> int:
        """The best move at a position: what goes from cash to the account (below 0: back).

        Of moves that are equally good, the smallest.
        """
        import numpy as np

        self._check([where.account], [where.cash])
        return int(self._moves(np.array([where.cash]), where, self.game.step)[0])

    def _check(self, accounts: Sequence[int], cash: Sequence[int]) -> None:
        """Refuse amounts that nobody has in this game: accounts move in steps, money in units."""
        problems = [
            Problem("", what, f"comes in multiples of {unit}, not {value!r:.60}")
            for what, values, unit in (
                ("account", accounts, self.game.step),
                ("cash", cash, self.game.unit),
            )
            for value in values
            if isinstance(value, bool) or not isinstance(value, int) or value % unit
        ]
        if problems:
            raise RulesError(self.game.rules.label, problems)

    def said(self, where: Position) -> str:
        """The best move in words: `repay 100, deposit 200`."""
        move, step = self.move(where), self.game.step
        words = []
        if move < 0:
            words.append(f"withdraw {-move}")
        elif move:
            back = min(move, where.loan)
            words += [f"repay {back}"] if back else []
            words += [f"deposit {move - back}"] if move > back else []
        left = where.cash - move
        if left < 0:
            taken = min(-(left // step) * step, max(where.account + move, 0))
            words += [f"withdraw {taken} for bills"] if taken else []
            lent = -(left // step) * step - taken
            words += [f"borrow {lent} for bills"] if lent else []
        return ", ".join(words) or "–"

    def _moves(self, cash: Ints, where: Position, step: int) -> Ints:
        import numpy as np

        found = np.zeros(len(cash), dtype=np.int64)
        if where.month >= self.game.months:
            return found
        stage, unit = self.stages[where.month], self.game.unit
        account, total = where.account // step, where.account + cash
        best = np.full(len(cash), -np.inf)
        top = total // step if self.game.saves else np.minimum(total // step, 0)
        lowest = min(account, 0)
        # nearest moves first, so that of equally good ones the smallest is kept
        for new in sorted(range(lowest, int(top.max()) + 1), key=lambda a: (abs(a - account), a)):
            may = np.flatnonzero(new <= top)
            left = (total[may] - new * step) // unit
            promise = self._promise(stage, new, left)
            known = np.where(np.isinf(best[may]), 0.0, best[may])
            margin = EQUAL * np.maximum(1.0, np.abs(known))
            better = np.isinf(best[may]) | (promise > known + margin)
            better &= np.isfinite(promise)
            chosen = may[better]
            best[chosen], found[chosen] = promise[better], (new - account) * step
        # who cannot pay his bills has no choice: he takes the least loan that will do
        stuck = np.isinf(best) & ((top >= lowest) | (top < stage.lowest))
        if stuck.any():
            text = f"no game comes to an account of {where.account} with so much cash"
            raise RulesError(self.game.rules.label, [Problem("", f"month {where.month}", text)])
        return found

    def _promise(self, stage: _Stage, account: int, cash: Ints) -> Floats:
        """The promise of an account with many amounts of cash (in steps and units)."""
        import numpy as np

        if account < stage.lowest:
            return np.full(len(cash), -np.inf)
        if account < 0:
            return _looked_up(stage.debts[account - stage.lowest], cash)
        per_step = self.game.step // self.game.unit
        due = self.game.interest(account) // self.game.unit
        found = _looked_up(stage.free, account * per_step + cash + due)
        little = cash < stage.tight.shape[1]
        if little.any() and account < len(stage.tight):
            found[little] = stage.tight[account, cash[little]]
        return found

    @property
    def _aim(self) -> str:
        if self.target is None:
            return "expected wealth"
        return f"the chance to end with more than {self.target}"

    def against(self, plans: Sequence[Plan | str | Move] = tuple(PLANS)) -> dict[str, float]:
        """How much better the best plan is than others, in what it aims at.

        A plan that also buys insurance may be ahead: the best plan decides about accounts only.
        """
        found = {}
        for one in plans:
            plan = plan_of(self.game.rules, one)
            law = self.game.wealth(plan)
            found[plan.name] = self.value - self._value_of(law)
        return found

    def _value_of(self, law: Wealth) -> float:
        return law.mean if self.target is None else law.above(self.target)

    @property
    def typical(self) -> int:
        """A Pay Day on which accounts of all kinds come up: the second, if it is not the last."""
        return min(2, max(1, self.game.months - 1))

    def decisions(
        self,
        month: int | None = None,
        accounts: Sequence[int] = (-300, -200, -100, 0, 100, 200, 300),
        cash: Sequence[int] = (-150, -50, 0, 50, 100, 200, 300, 400, 500),
    ) -> list[list[str]]:
        """A decision table for one Pay Day: accounts down, cash less bills across.

        Without a `month` it is a `typical` one.
        """
        months = self.game.months
        month = self.typical if month is None else month
        if not 1 <= month <= months:
            text = f"Pay Days are numbered 1 to {months}, not {month!r}"
            raise RulesError(self.game.rules.label, [Problem("", "month", text)])
        self._check(accounts, cash)
        return [
            [self._said_or_never(Position(month, months, have, account)) for have in cash]
            for account in accounts
        ]

    def _said_or_never(self, where: Position) -> str:
        try:
            return self.said(where)
        except RulesError:
            return "never comes up"

    def frame(
        self,
        month: int | None = None,
        accounts: Sequence[int] = (-300, -200, -100, 0, 100, 200, 300),
        cash: Sequence[int] = (-150, -50, 0, 50, 100, 200, 300, 400, 500),
    ) -> pd.DataFrame:
        """The decision table of one Pay Day as a pandas frame."""
        table = self.decisions(month, accounts, cash)
        columns: dict[str, list[Any]] = {"account": [_account(one) for one in accounts]}
        for place, have in enumerate(cash):
            columns[f"cash {have}"] = [row[place] for row in table]
        return frame_of(columns)

    @property
    def lines(self) -> tuple[str, ...]:
        """Title and small print."""
        value = f"{100 * self.value:.4f} %"
        if self.target is None:
            value = f"{self.game.rules.currency}{self.value:.2f}"
        aim = f"best plan for {self._aim} after {self.game.months} months: {value}"
        return (
            *self.context.lines,
            aim,
            *self.game.simplified(),
            "cash is what bills in hand leave of it",
        )

    def __str__(self) -> str:
        accounts, cash = (-200, -100, 0, 100, 200), (-150, -50, 0, 100, 200, 300)
        cells = [["account", *(f"cash {one}" for one in cash)]]
        for account, row in zip(accounts, self.decisions(None, accounts, cash), strict=True):
            cells.append([_account(account), *row])
        wide = [max(map(len, column)) for column in zip(*cells, strict=True)]
        body = (
            "  ".join(f"{cell:<{w}}" for cell, w in zip(row, wide, strict=True)).rstrip()
            for row in cells
        )
        return "\n".join((*self.lines, "", f"Pay Day {self.typical}", *body))

    def __repr__(self) -> str:
        return f"<BestPlan {'; '.join(self.lines)}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def _looked_up(row: Floats, places: Ints) -> Floats:
    """What stands at some places of a row; beyond its end is what no game comes to."""
    import numpy as np

    found: Floats = np.where(places < len(row), row[np.minimum(places, len(row) - 1)], -np.inf)
    return found


def _account(account: int) -> str:
    if not account:
        return "none"
    return f"savings {account}" if account > 0 else f"loan {-account}"


# --------------------------------------------------------------------------- working it out


def best(
    game: Rules | Source | Chain[Any],
    *overlays: Source,
    months: int | None = None,
    target: int | None = None,
) -> BestPlan:
    """The best plan for savings and loans, by backward induction over all positions.

    Aims at expected wealth, or at the chance to end with more than a `target`; up to 12 months.
    Needs numpy.

    >>> from boardrules.money.best import best
    >>> from boardrules.money.plans import Position
    >>> best("payday", months=3).said(Position(month=2, months=3, cash=350, account=-100))
    'repay 100, deposit 100'
    """
    walk = as_chain(game, *overlays)
    count = walk.rules.end.months if months is None else months
    play = Game(walk, count)
    if target is not None and (isinstance(target, bool) or not isinstance(target, int)):
        text = f"a target is a whole number, an amount of money, not {target!r:.60}"
        raise RulesError(walk.rules.label, [Problem("", "target", text)])
    ((_, kernel),) = play.kernels(insures=False).items()
    stages = _Induction(play, kernel, target).stages()
    cash = walk.rules.start.cash // play.unit
    first = stages[0]
    value = first.tight[0, cash] if cash < first.tight.shape[1] else first.free[cash]
    return BestPlan(context(walk, "lap", "accounts"), play, target, tuple(stages), float(value))


class _Induction:
    """All stages, from the last month back to the first."""

    def __init__(self, game: Game, kernel: Kernel, target: int | None) -> None:
        self.game, self.kernel = game, kernel
        self.end = _wealth if target is None else _above(target)
        self.per_step = game.step // game.unit
        self._bounds()

    def _bounds(self) -> None:
        """The deepest debt and the most money that each month can begin with.

        `lowest[m]` is in steps, `most[m]` in units, at the start of month m + 1.
        """
        game, short = self.game, self.kernel.short
        low = min(self.kernel.low, short.low)
        high = self.kernel.low + len(self.kernel.chances) - 1
        self.lowest, self.most = [0], [game.rules.start.cash // game.unit]
        for month in range(1, game.months):
            paid = game.salary(month) // game.unit
            account = self.lowest[-1]
            deeper = account - short.taken  # loans taken before Pay Day
            due = game.interest(deeper) // game.unit
            floor = (account * self.per_step + low + paid + due) // self.per_step
            self.lowest.append(min(floor, deeper))
            top = self.most[-1]
            earned = game.interest(max(top, 0) // self.per_step) // game.unit
            self.most.append(max(top + high + paid + earned, 0))

    def stages(self) -> list[_Stage]:
        found: list[_Stage] = []
        ahead: _Stage | None = None
        for month in progress(range(self.game.months, 0, -1), "months of the best plan"):
            ahead = self._stage(month, ahead)
            found.append(ahead)
        return found[::-1]

    def _stage(self, month: int, ahead: _Stage | None) -> _Stage:
        """The promises at the start of a month, from those one month later."""
        import numpy as np

        game, low, count = self.game, self.kernel.low, len(self.kernel.chances)
        paid = game.salary(month) // game.unit
        lowest, most = self.lowest[month - 1], self.most[month - 1]
        pay_day = _PayDay(self, month, ahead)
        tight = _Tight(self, lowest, most, paid)
        wide = most + game.interest(max(most, 0) // self.per_step) // game.unit + 1
        first = low + paid
        line = pay_day.free(first, wide + count - 1)
        free = np.correlate(line, self.kernel.chances, mode="valid")
        for account in range(tight.top + 1):
            start, size = tight.reach(account)
            tight.add(account, start, pay_day.free(start, size))
        rows = np.empty((-lowest, most + count))
        for account in range(-1, lowest - self.kernel.short.taken - 1, -1):
            start, size = tight.reach(account)
            plain = account * self.per_step + first + game.interest(account) // game.unit
            if account >= lowest:
                size = max(start + size, plain + most + count) - start
            line = pay_day.debt(account, start, size)
            tight.add(account, start, line)
            if account >= lowest:
                rows[account - lowest] = line[plain - start : plain - start + most + count]
        debts = _correlated(rows, self.kernel.chances)
        little = min(self.kernel.short.deep, debts.shape[1])
        debts[:, :little] = tight.promises[:-lowest, :little] if lowest else debts[:, :little]
        return _Stage(lowest, debts, free, tight.promises[-lowest:])


class _Tight:
    """The promises of little cash: for each account (from `lowest` steps on) and each amount.

    `top` is the highest account that may come up.
    """

    def __init__(self, work: _Induction, lowest: int, most: int, paid: int) -> None:
        import numpy as np

        self.short, self.per_step = work.kernel.short, work.per_step
        self.game, self.lowest, self.paid = work.game, lowest, paid
        self.top = most // work.per_step if work.game.saves else 0
        self.promises = np.zeros((self.top - lowest + 1, self.short.deep))

    def reach(self, account: int) -> tuple[int, int]:
        """From which total on, and how many, are asked for on Pay Day with this account."""
        low = self._first(max(account, self.lowest), account)
        high = self._first(min(account + self.short.taken, self.top), account)
        return low, high - low + self.short.laws.shape[3] + max(self.short.deep - 1, 0)

    def _first(self, before: int, account: int) -> int:
        """The least total on Pay Day of who began the month with an account and no cash."""
        due = self.game.interest(account) // self.game.unit
        return before * self.per_step + self.short.low + self.paid + due

    def add(self, account: int, start: int, line: Floats) -> None:
        """Add the promises of one account on Pay Day to those that lead there."""
        import numpy as np

        laws = self.short.laws
        cash, wide = laws.shape[0], laws.shape[3]
        if not cash:
            return
        for taken in range(self.short.taken + 1):
            before = account + taken
            if not self.lowest <= before <= self.top:
                continue
            here = self._first(before, account) - start
            windows = np.lib.stride_tricks.sliding_window_view(line[here:], wide)[:cash]
            some = laws[:, self.short.kind(before), taken]
            self.promises[before - self.lowest] += np.einsum("cw,cw->c", some, windows)


class _PayDay:
    """What each total of cash and account promises on a Pay Day, the best move made.

    Totals are in units.  Asked for debts in turn, from the smallest on: each deeper loan allows one
    more account to be left as it is.
    """

    def __init__(self, work: _Induction, month: int, ahead: _Stage | None) -> None:
        import numpy as np

        self.work, self.ahead = work, ahead
        self.unit = work.game.unit
        if ahead is None:
            return
        lowest, most = work.lowest[month], work.most[month]
        self.low = lowest * work.per_step
        self.best = np.full(most + 1 - self.low, -np.inf)
        top = most // work.per_step if work.game.saves else 0
        for saved in range(top + 1):  # no loan, and so much saved
            first = saved * work.per_step
            totals = np.arange(first, most + 1)
            promise = ahead.free[totals + work.game.interest(saved) // self.unit]
            little = ahead.tight[saved, : len(promise)]
            promise[: len(little)] = little
            part = self.best[first - self.low :]
            np.maximum(part, promise, out=part)
        # who cannot pay his bills takes the least loan that will do
        totals = np.arange(self.low, 0)
        account = totals // work.per_step
        self.forced = ahead.debts[account - lowest, totals - account * work.per_step]

    def free(self, first: int, count: int) -> Floats:
        """Without a loan: the promises of so many totals from `first` on."""
        return self._line(first, count, 0)

    def debt(self, account: int, first: int, count: int) -> Floats:
        """With a loan of so many steps (below zero), which may be left as it is."""
        import numpy as np

        if self.ahead is not None:
            row = self.ahead.debts[account - self.ahead.lowest]
            start = account * self.work.per_step - self.low
            part = self.best[start : start + len(row)]
            np.maximum(part, row[: len(part)], out=part)
        return self._line(first, count, account * self.work.per_step)

    def _line(self, first: int, count: int, least: int) -> Floats:
        """Promises by total: below `least` a loan is forced."""
        import numpy as np

        totals = np.arange(first, first + count)
        if self.ahead is None:
            return self.work.end(totals * self.unit)
        inside = np.minimum(totals - self.low, len(self.best) - 1)
        forced = self.forced[np.minimum(inside, len(self.forced) - 1)] if least > self.low else 0.0
        found: Floats = np.where(totals < least, forced, self.best[inside])
        return found


def _correlated(rows: Floats, chances: Floats) -> Floats:
    """The mean over a month of what stands in each row, from every amount of cash on."""
    import numpy as np

    count = len(chances)
    wide = rows.shape[1] - count + 1
    out = np.empty((len(rows), wide))
    block = min(512, wide)
    shifted = np.zeros((block + count - 1, block))
    for i in range(block):
        shifted[i : i + count, i] = chances
    for first in range(0, wide, block):
        here = min(block, wide - first)
        part = rows[:, first : first + here + count - 1]
        out[:, first : first + here] = part @ shifted[: here + count - 1, :here]
    return out


def _wealth(totals: Ints) -> Floats:
    return totals.astype(float)


def _above(target: int) -> Callable[[Ints], Floats]:
    def reached(totals: Ints) -> Floats:
        return (totals > target).astype(float)

    return reached
