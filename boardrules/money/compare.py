"""Plans side by side, those about accounts and those about deals: the public door `finance`.

Every row is a law of the final wealth, worked out and not sampled; under the table stands what was
simplified for which rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any

from ..chain import Chain
from ..library import Source
from ..progress import progress
from ..results import Context, as_chain, context, frame_of
from ..rules import Problem, Rules, RulesError, unknown
from .deals import commission_share
from .plans import PLANS, QUANTILES, Game, Move, Plan, Wealth, plan_of
from .trade import TRADES, Trade, TradePlan, trade_plan

if TYPE_CHECKING:
    import pandas as pd


NAMED = (*PLANS, *TRADES)
"""The plans that have names, in the order of the table."""


@dataclass(frozen=True, eq=False)
class PlanTable:
    """Plans side by side: `finance` makes it; `missing` are plans that were not worked out."""

    context: Context
    rows: tuple[Wealth, ...]
    players: int = 1
    missing: tuple[str, ...] = ()

    def __getitem__(self, plan: str) -> Wealth:
        """The law of wealth under one plan, by its name."""
        for row in self.rows:
            if row.plan.name == plan:
                return row
        known = [row.plan.name for row in self.rows]
        text = unknown("plan", plan, known)
        raise RulesError(self.context.rules.label, [Problem("", "plan", text)])

    @property
    def lines(self) -> tuple[str, ...]:
        """Title and small print, with every simplification."""
        months = self.rows[0].months
        wealth = f"wealth after {months} month{'s' if months > 1 else ''}, first salary included"
        players = (f"{self.players} players",) if self.players > 1 else ()
        names = ", ".join(self.missing)
        stopped = (f"stopped before the end; not worked out: {names}",) if names else ()
        simplified = _told(self.rows)
        return (*self.context.lines, wealth, *players, *stopped, *simplified)

    def frame(self) -> pd.DataFrame:
        """The table as a pandas frame, one row for each plan."""
        return frame_of(self.columns())

    def columns(self) -> dict[str, list[Any]]:
        """The table by columns: money in the currency of the game, chances as shares of one."""
        columns: dict[str, list[Any]] = {
            "plan": [row.plan.name for row in self.rows],
            "months": [row.months for row in self.rows],
            "mean": [row.mean for row in self.rows],
            "sd": [row.sd for row in self.rows],
            "se": [0.0 for _ in self.rows],
            "p_debt": [row.p_debt for row in self.rows],
        }
        for share in QUANTILES:
            columns[f"q{int(100 * share):02d}"] = [row.quantile(share) for row in self.rows]
        columns["method"] = [row.method for row in self.rows]
        return columns

    def __str__(self) -> str:
        wide = max(len(row.plan.name) for row in self.rows)
        body = (
            f"{row.plan.name:<{wide}}  mean {row.mean:>10.2f}  sd {row.sd:>8.2f}  "
            f"in debt {100 * row.p_debt:6.2f} %  "
            f"5 % {row.quantile(QUANTILES[0]):>7}  half {row.quantile(Fraction(1, 2)):>7}  "
            f"95 % {row.quantile(QUANTILES[-1]):>7}"
            for row in self.rows
        )
        return "\n".join((*self.lines, "", *body))

    def __repr__(self) -> str:
        return f"<PlanTable {'; '.join(self.lines)}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def finance(
    game: Rules | Source | Chain[Any],
    *overlays: Source,
    plans: Sequence[Plan | TradePlan | str | Move] = NAMED,
    months: int | None = None,
    players: int = 1,
) -> PlanTable:
    """Borrow, save, or hold cash?  The law of the final wealth under each plan, without sampling.

    `plans` are names, plans, or functions of a `Position` that say how much goes to the account;
    `months` are 1 to 12 (default: as the ruleset says, 6); `players` share the commissions of
    deals.  Plans about accounts and plans about deals are simplified in different ways, which is
    told below the table.  Long work shows a bar; who stops it (Ctrl-C) gets the plans that are
    done, and the table says which are missing.  Needs numpy.  Raises `RulesError` for unknown
    plans, for moves against the rules, and for games without accounts.

    >>> from boardrules import finance
    >>> print(round(finance("payday", plans=["save"], months=1)["save"].mean, 2))
    192.63
    """
    walk = as_chain(game, *overlays)
    rules = walk.rules
    count = rules.end.months if months is None else months
    commission_share(rules, players)
    play = Game(walk, count)
    asked = _asked(rules, plans)
    trades = Trade(walk, count, players) if any(_trades(plan) for plan in asked) else None
    rows: list[Wealth] = []
    try:
        for plan in progress(asked, "plans"):
            if isinstance(plan, Plan):
                rows.append(play.wealth(plan))
            else:
                assert trades is not None
                rows.append(trades.wealth(trade_plan(trades, plan)))
    except KeyboardInterrupt:
        if not rows:
            raise
    left = (plan if isinstance(plan, str) else plan.name for plan in asked[len(rows) :])
    about = context(walk, "lap", "deals" if trades else "accounts")
    return PlanTable(about, tuple(rows), players, tuple(left))


def _trades(plan: object) -> bool:
    return isinstance(plan, TradePlan) or plan in TRADES


def _asked(
    rules: Rules, plans: Sequence[Plan | TradePlan | str | Move]
) -> list[Plan | TradePlan | str]:
    """The plans to work out; all unknown ones are reported at once, before any work is done."""
    asked: list[Plan | TradePlan | str] = []
    problems: list[Problem] = []
    if isinstance(plans, str) or not isinstance(plans, Iterable):
        text = f'plans are a list, such as ["save", "hold"], not {plans!r:.60}'
        raise RulesError(rules.label, [Problem("", "plans", text)])
    for plan in plans:
        if isinstance(plan, TradePlan) or (isinstance(plan, str) and plan in TRADES):
            asked.append(plan)
            continue
        try:
            asked.append(plan_of(rules, plan))
        except RulesError:
            problems.append(Problem("", "plan", unknown("plan", str(plan), NAMED)))
    if not plans:
        text = f"no plan is given; the named ones are {', '.join(NAMED)}"
        problems.append(Problem("", "plans", text))
    if problems:
        raise RulesError(rules.label, problems)
    return asked


def _told(rows: Sequence[Wealth]) -> list[str]:
    """What is simplified, each thing once, and for which rows, where it is not for all."""
    lines = dict.fromkeys(line for row in rows for line in row.simplified)
    told = []
    for line in lines:
        names = [row.plan.name for row in rows if line in row.simplified]
        told.append(line if len(names) == len(rows) else f"{', '.join(names)}: {line}")
    return told
