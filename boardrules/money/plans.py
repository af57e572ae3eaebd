"""Plans compared: what borrowing, saving or holding cash comes to, as a law and not as a sample.

One month's money is an exact law (`boardrules.money.month`), for little cash a law for each amount
(`boardrules.money.shortage`); from Pay Day to Pay Day the law of (insurance, account, cash) is
pushed forward in floats, every bit of it.  What is simplified is told in `SIMPLIFIED` and wherever
a result is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from ..chain import Chain
from ..progress import progress
from ..rules import Problem, Rules, RulesError, unknown
from .kernels import NONE, Held, Kernels, month_kernels, summed
from .ledger import grain, interest_of_a_step, opened

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Ints: TypeAlias = NDArray[np.int64]

SIMPLIFIED = (
    "no deals, poker, Swellfare or elections; cards are drawn independently; one token alone",
)
"""What is left out of a comparison of plans."""

INSURED = (
    *SIMPLIFIED,
    "the price of insurance is counted on Pay Day: no fee for being short because of it",
)
"""The same where insurance is bought."""

MOST = 12
"""So many months are compared; the board has no longer games."""

EARLY = "prizes of the lottery are counted on Pay Day: too late for what is paid before"
"""The same where something may have to be paid on the spot after Lottery Draw."""

APART = "nobody has savings and a loan at once, which these rules would allow"
"""What else is left out where they would."""

MOST_MOVED = 10**15
"""More money than this is no move but a slip of the pen."""

RATES = frozenset(f"accounts.{name}" for name in ("loan_rate", "savings_rate"))
"""The rules on which no month's law depends, only what is made of it on Pay Day."""

QUANTILES = tuple(Fraction(n, 100) for n in range(5, 100, 10))
"""The ten quantiles of a table of plans."""


# -------------------------------------------------------------------------------- positions


@dataclass(frozen=True, slots=True)
class Position:
    """A player at the counter: step 3 of a Pay Day, salary and interest already settled.

    `cash` is what is left after the bills in hand (less than nothing if it does not pay for them),
    `account` is savings, or a loan as a negative number; `insured` are the insurances held.
    """

    month: int
    months: int
    cash: int
    account: int
    insured: frozenset[str] = frozenset()

    @property
    def savings(self) -> int:
        """What is in the savings account."""
        return max(self.account, 0)

    @property
    def loan(self) -> int:
        """What is owed to the bank."""
        return max(-self.account, 0)


Move: TypeAlias = Callable[[Position], int]
"""How much goes from cash to the account: a loan is repaid first, the rest deposited.

Less than nothing is a withdrawal from savings.
"""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a player does at every Pay Day, and whether he buys insurance when it is offered.

    `share` is how much of his cash he puts to the account: of what is above the `cushion`, only
    against a loan ("repay"), also into savings ("save"), or nothing ("hold").  A `move` of one's
    own is asked instead, if there is one (`many` for many amounts of cash at once).
    """

    name: str
    told: str
    share: str = "hold"
    cushion: int = 0
    insures: bool = False
    move: Move | None = None
    many: Callable[[Ints, Position, int], Ints] | None = None

    def moves(self, cash: Ints, where: Position, step: int) -> Ints:
        """The moves at many amounts of cash, everything else alike."""
        import numpy as np

        if self.many is not None:
            return self.many(cash, where, step)
        if self.move is not None:
            return np.array([self._asked(replace(where, cash=c)) for c in cash.tolist()], np.int64)
        if self.share == "hold":
            return np.zeros_like(cash)
        free: Ints = np.maximum(cash - self.cushion, 0) // step * step
        return free if self.share == "save" else np.minimum(free, where.loan)

    def _asked(self, where: Position) -> int:
        """What a move of one's own says; 100.0 is a whole number too, 100.5 is none."""
        assert self.move is not None
        said: Any = self.move(where)
        try:
            whole = int(said)
        except (TypeError, ValueError, OverflowError):
            whole = None
        wrong = whole is None or isinstance(said, (str, bytes)) or whole != said
        if whole is None or wrong or abs(whole) > MOST_MOVED:
            text = (
                f"a move is a whole number, how much goes to the account (0 for nothing), "
                f"not {said!r:.60} (month {where.month}, cash {where.cash})"
            )
            raise RulesError(f"plan {self.name}", [Problem("", "P21", text)])
        return whole


PLANS: Mapping[str, Plan] = {
    plan.name: plan
    for plan in (
        Plan("hold", "keep all cash, never save, repay nothing"),
        Plan("repay", "repay whatever cash allows, never save", "repay"),
        Plan("save", "repay first, then put all whole steps of cash into savings", "save"),
        Plan("insure", "as save, and buy every insurance that is offered", "save", insures=True),
    )
}
"""The named plans about accounts."""


def saver(cushion: int) -> Plan:
    """The plan `save`, but so much cash is kept in hand."""
    told = f"repay first, then save, but keep {cushion} in cash"
    return Plan(f"save_{cushion}", told, "save", cushion)


def plan_of(rules: Rules, plan: Plan | str | Move) -> Plan:
    """A plan by its name (`save_200` keeps 200 in hand), or made of a function of the position."""
    if isinstance(plan, Plan):
        return plan
    if callable(plan):
        name = getattr(plan, "__name__", "plan")
        return Plan(name, "a function of the position", move=plan)
    if not isinstance(plan, str):
        text = f"a plan is a name, a Plan, or a function of a Position, not {plan!r:.60}"
        raise RulesError(rules.label, [Problem("", "plan", text)])
    cushion = plan.removeprefix("save_")
    if plan.startswith("save_") and cushion.isascii() and cushion.isdecimal() and len(cushion) < 10:
        return saver(int(cushion))
    if plan not in PLANS:
        raise RulesError(rules.label, [Problem("", "plan", unknown("plan", plan, PLANS))])
    return PLANS[plan]


# ----------------------------------------------------------------------------- law of wealth


class Named(Protocol):
    """A plan of any kind: results need its name only."""

    @property
    def name(self) -> str:
        """What tables call it."""

    @property
    def told(self) -> str:
        """What it does, in words."""


@dataclass(frozen=True, eq=False)
class Wealth:
    """The law of the wealth at the end under one plan: amounts and their chances.

    `p_debt` is the chance to end with less than nothing; `missing` is by how much the chances fall
    short of one, which rounding alone should explain.
    """

    plan: Named
    months: int
    amounts: Ints = field(repr=False)
    chances: Floats = field(repr=False)
    method: str = "law"
    simplified: tuple[str, ...] = SIMPLIFIED

    @property
    def mean(self) -> float:
        """Expected wealth."""
        return float(self.amounts @ self.chances)

    @property
    def sd(self) -> float:
        """Its standard deviation."""
        away = self.amounts - self.mean
        return sqrt(float(away * away @ self.chances))

    @property
    def p_debt(self) -> float:
        """The chance to end in debt."""
        return float(self.chances[self.amounts < 0].sum())

    @property
    def missing(self) -> float:
        """One less the sum of all chances."""
        return 1 - float(self.chances.sum())

    def above(self, target: int) -> float:
        """The chance to end with more than a target."""
        return float(self.chances[self.amounts > target].sum())

    def quantile(self, share: Fraction | float) -> int:
        """The least amount that is not exceeded with at least such a chance."""
        import numpy as np

        place = int(np.searchsorted(np.cumsum(self.chances), float(share) * (1 - 1e-15)))
        return int(self.amounts[min(place, len(self.amounts) - 1)])


class Game:
    """The months of one game under a plan, law by law: what `wealth` and the charts go through."""

    def __init__(self, walk: Chain[Any], months: int) -> None:
        rules = walk.rules
        opened(rules, months)
        if months > MOST:
            raise _bad(rules, "months", f"at most {MOST} months, not {months}")
        terms = rules.accounts
        if terms.savings_interest_to != "cash":
            raise _bad(rules, "Pj", "plans are compared only where interest comes in cash")
        self.walk, self.rules, self.months = walk, rules, months
        self.unit, self.step = grain(rules), terms.step
        self._earns = interest_of_a_step(rules, terms.savings_rate)
        self._costs = interest_of_a_step(rules, terms.loan_rate)
        self._kernels: dict[bool, Kernels] = {}

    def under(self, rules: Rules, months: int) -> Game:
        """The same months under other rates of interest: what a month brings stays as it was found.

        Raises `RulesError` if anything else differs.
        """
        paths = {change.path for change in rules.diff(self.rules)}
        if not paths <= RATES:
            text = f"not a matter of rates: {', '.join(sorted(paths - RATES)[:3])}"
            raise _bad(rules, "accounts", text)
        other = Game(replace(self.walk, rules=rules), months)
        if other.unit == self.unit:
            other._kernels = self._kernels
        return other

    def kernels(self, *, insures: bool) -> Kernels:
        """The laws of one month, worked out once."""
        if insures not in self._kernels:
            self._kernels[insures] = month_kernels(self.walk, insures=insures)
        return self._kernels[insures]

    def salary(self, month: int) -> int:
        """The salary of a month's Pay Day."""
        terms = self.rules.accounts
        return terms.salary if month < self.months or terms.salary_last_month else 0

    @property
    def saves(self) -> bool:
        """Whether there are savings in this edition at all."""
        return self.rules.accounts.savings

    def interest(self, account: int) -> int:
        """What a Pay Day adds to cash for an account of so many steps (a loan: below 0)."""
        return account * (self._earns if account > 0 else self._costs)

    def wealth(self, plan: Plan) -> Wealth:
        """The law of the wealth at the end."""
        return self.trail(plan)[-1]

    def trail(self, plan: Plan) -> list[Wealth]:
        """The law of the wealth (cash and savings, less the loan) after each Pay Day."""
        import numpy as np

        kernels = self.kernels(insures=plan.insures)
        first = np.zeros((1, self.rules.start.cash // self.unit + 1))
        first[0, -1] = 1.0
        law = {NONE: Held(0, 0, first)}
        found: list[Wealth] = []
        for month in progress(range(1, self.months + 1), f"months of {plan.name}"):
            law = self._month(law, kernels, plan, month)
            found.append(self._wealth(plan, law))
        return found

    def _month(
        self,
        law: Mapping[frozenset[str], Held],
        kernels: Kernels,
        plan: Plan,
        month: int,
    ) -> dict[frozenset[str], Held]:
        """A month and its Pay Day."""
        ahead: dict[frozenset[str], list[Held]] = {}
        for (before, after), kernel in kernels.items():
            if before in law:
                ahead.setdefault(after, []).append(kernel.spread(law[before]))
        return {
            after: self._pay_day(summed(parts), plan, Position(month, self.months, 0, 0, after))
            for after, parts in ahead.items()
        }

    def _pay_day(self, held: Held, plan: Plan, where: Position) -> Held:
        """Salary, interest, the player's move, and bills, for every account and all its cash."""
        import numpy as np

        accounts, units, chances = [], [], []
        for place, row in enumerate(held.chances):
            some = np.flatnonzero(row)
            if not len(some):
                continue
            account = held.account + place
            cash = (held.cash + some) * self.unit
            cash += self.salary(where.month) + self.interest(account)
            here = replace(where, account=account * self.step)
            moved = self._checked(plan.moves(cash, here, self.step), cash, here, plan)
            left = cash - moved
            short = np.maximum(-(left // self.step), 0)  # bills take savings first, then a loan
            accounts.append(account + moved // self.step - short)
            units.append((left + short * self.step) // self.unit)
            chances.append(row[some])
        rows_of, units_of = np.concatenate(accounts), np.concatenate(units)
        low = int(rows_of.min())
        rows, wide = int(rows_of.max()) - low + 1, int(units_of.max()) + 1
        cells, masses = (rows_of - low) * wide + units_of, np.concatenate(chances)
        flat = np.bincount(cells, masses, minlength=rows * wide).astype(np.float64)
        return Held(low, 0, flat.reshape(rows, wide))

    def _checked(self, moved: Ints, cash: Ints, where: Position, plan: Plan) -> Ints:
        """The moves of a plan, if the rules allow them all."""
        import numpy as np

        most = np.maximum(cash, 0) if self.saves else np.clip(cash, 0, where.loan)
        wrong = np.flatnonzero((moved % self.step != 0) | (moved > most) | (moved < -where.savings))
        if not len(wrong):
            return moved
        move, have = int(moved[wrong[0]]), int(cash[wrong[0]])
        if move % self.step:
            rule, text = "P21", f"a move is a multiple of {self.step}, not {move}"
        elif move < 0:
            rule, text = "P23", f"savings are {where.savings}, too little to withdraw {-move}"
        else:
            limit = "no savings in this edition" if not self.saves else f"cash left is {have}"
            rule, text = "P28", f"too much for the account: {move}, but {limit}"
        text += f" (plan {plan.name!r}, month {where.month}, account {where.account})"
        raise _bad(self.rules, rule, text)

    def _wealth(self, plan: Plan, law: Mapping[frozenset[str], Held]) -> Wealth:
        import numpy as np

        per_step = self.step // self.unit
        low = min(held.account * per_step + held.cash for held in law.values())
        high = max(
            (held.account + held.chances.shape[0]) * per_step + held.cash + held.chances.shape[1]
            for held in law.values()
        )
        chances = np.zeros(high - low)
        for held in law.values():
            for place, row in enumerate(held.chances):
                first = (held.account + place) * per_step + held.cash - low
                chances[first : first + len(row)] += row
        some = np.flatnonzero(chances)
        told = self.simplified(insures=plan.insures)
        return Wealth(plan, self.months, (low + some) * self.unit, chances[some], simplified=told)

    def simplified(self, *, insures: bool = False) -> tuple[str, ...]:
        """What is left out of these months."""
        told = INSURED if insures else SIMPLIFIED
        early = any(kernel.short.early for kernel in self.kernels(insures=insures).values())
        apart = self.rules.accounts.both_at_once
        return (*told, *((APART,) if apart else ()), *((EARLY,) if early else ()))


def _bad(rules: Rules, path: str, text: str) -> RulesError:
    return RulesError(rules.label, [Problem("", path, text)])
