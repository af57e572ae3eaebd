"""The textbook beside the board: growth, cost of a loan, yield of savings, and break-evens.

Every formula is an ordinary function that takes numbers (whole numbers and Fractions stay exact)
or sympy symbols.  `formula(name)` is the same as mathematics: with letters, evaluated at values,
printed in a notebook.  Where board and textbook differ, `growth_table` shows it, from the ledger.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import TYPE_CHECKING, Any

from ..library import Source, load
from ..results import Context, frame_of, html_table
from ..rules import Deal, Problem, Rules, RulesError, unknown
from .ledger import MOST_MONTHS, Ledger, deals, opened

if TYPE_CHECKING:
    import pandas as pd


# ------------------------------------------------------------------------------- formulas


def simple_growth(amount: Any, rate: Any, months: Any) -> Any:
    """An amount with interest that is never put to it: the board's loans and savings."""
    return amount * (1 + rate * months)


def compound_growth(amount: Any, rate: Any, months: Any) -> Any:
    """An amount with interest that earns interest itself: the textbook's loans and savings."""
    return amount * (1 + rate) ** months


def loan_cost(loan: Any, rate: Any, months: Any) -> Any:
    """What a loan costs in interest if it is open for so many Pay Days."""
    return loan * rate * months


def savings_yield(savings: Any, rate: Any, months: Any) -> Any:
    """What savings earn in interest over so many Pay Days."""
    return savings * rate * months


def loan_for_gap(gap: Any, step: Any) -> Any:
    """The least loan that closes a gap: loans come in whole steps."""
    return step * _ceiling(_over(gap, step))


def gap_cost(gap: Any, step: Any, rate: Any, months: Any = 1) -> Any:
    """What it costs to close a gap with a loan for so many Pay Days."""
    return loan_cost(loan_for_gap(gap, step), rate, months)


def repay_or_save(step: Any, loan_rate: Any, savings_rate: Any) -> Any:
    """What repaying one step instead of saving it gains at each Pay Day."""
    return step * (loan_rate - savings_rate)


def deposit_gain(savings: Any, rate: Any, fee: Any, chance: Any) -> Any:
    """What a deposit gains in one month if it must all be drawn early with some chance."""
    return rate * savings * (1 - chance) - fee * chance


def deposit_or_keep(savings: Any, rate: Any, fee: Any) -> Any:
    """Deposit if the chance that all must be drawn early is smaller than this."""
    return _over(rate * savings, rate * savings + fee)


def months_for_fee(savings: Any, rate: Any, fee: Any) -> Any:
    """So many Pay Days of interest pay for one certain early withdrawal."""
    return _over(fee, rate * savings)


def fee_or_interest(fee: Any, step: Any, rate: Any) -> Any:
    """Up to this gap one Pay Day of loan interest costs no more than the fee for withdrawing."""
    return step * _floor(_over(fee, rate * step))


def loan_for_deal(cost: Any, value: Any, step: Any, rate: Any) -> Any:
    """So many Pay Days of interest eat the margin of a deal that was bought on a loan."""
    return _over(value - cost, rate * loan_for_gap(cost, step))


def effective_rate(rate: Any, months: Any = 12) -> Any:
    """A rate a month as a rate over so many months, interest on interest."""
    return (1 + rate) ** months - 1


def nominal_rate(rate: Any, months: Any = 12) -> Any:
    """A rate a month as a rate over so many months, without interest on interest."""
    return rate * months


def _over(above: Any, below: Any) -> Any:
    """A quotient that stays exact; infinite for something over nothing."""
    if isinstance(above, (int, Fraction)) and isinstance(below, (int, Fraction)):
        if below == 0:
            return _nothing_below(above)
        return Fraction(above) / below
    return above / below


def _nothing_below(above: Any) -> float:
    """Something over nothing is never reached; nothing over nothing makes no difference."""
    if above > 0:
        return float("inf")
    text = "there is no break-even: nothing is gained and nothing is lost either way"
    raise RulesError("formula", [Problem("", "", text)])


def _ceiling(value: Any) -> Any:
    if isinstance(value, (int, Fraction)):
        return ceil(value)
    from sympy import ceiling

    return ceiling(value)


def _floor(value: Any) -> Any:
    if isinstance(value, (int, Fraction)):
        return floor(value)
    if isinstance(value, float):  # a fee that no interest ever reaches
        return value
    from sympy import floor as floor_of

    return floor_of(value)


# --------------------------------------------------------------------------- as mathematics

LETTERS: Mapping[str, str] = {
    "amount": "A",
    "rate": "r",
    "months": "k",
    "loan": "L",
    "savings": "S",
    "gap": "g",
    "step": "s",
    "loan_rate": "r_L",
    "savings_rate": "r_S",
    "fee": "F",
    "chance": "q",
    "cost": "C",
    "value": "V",
}
"""The letter for each quantity."""

_ALL: tuple[Callable[..., Any], ...] = (
    simple_growth,
    compound_growth,
    loan_cost,
    savings_yield,
    loan_for_gap,
    gap_cost,
    repay_or_save,
    deposit_gain,
    deposit_or_keep,
    months_for_fee,
    fee_or_interest,
    loan_for_deal,
    effective_rate,
    nominal_rate,
)
FORMULAS: Mapping[str, Callable[..., Any]] = {one.__name__: one for one in _ALL}
"""Every formula by its name."""


@dataclass(frozen=True, eq=False)
class Formula:
    """A formula as mathematics: letters for its quantities, and values for the letters.

    `known` are quantities that already have a value, such as the rates of a ruleset.
    """

    name: str
    meaning: str
    known: Mapping[str, Any] = field(default_factory=dict)

    @property
    def quantities(self) -> tuple[str, ...]:
        """What it depends on, in order."""
        return tuple(inspect.signature(FORMULAS[self.name]).parameters)

    @cached_property
    def expression(self) -> Any:
        """The formula as a sympy expression in its letters."""
        from sympy import Rational, Symbol

        given: dict[str, Any] = {}
        for name in self.quantities:
            value = self.known.get(name)
            if value is None:
                given[name] = Symbol(LETTERS[name], nonnegative=True)
            else:
                given[name] = Rational(value.numerator, value.denominator)
        return FORMULAS[self.name](**given)

    def at(self, **values: int | str | Fraction) -> Any:
        """The value at given quantities, exactly; decimals are given as strings (`rate="0.2"`).

        Infinite (as a float) for a break-even that is never reached.
        """
        given = {**self.known, **{name: self._exact(name, v) for name, v in values.items()}}
        missing = [name for name in self._needed if name not in given]
        if missing:
            raise _bad(self.name, f"needs a value for {', '.join(missing)}")
        found = FORMULAS[self.name](**given)
        return Fraction(found) if isinstance(found, int) else found

    @property
    def _needed(self) -> list[str]:
        known = inspect.signature(FORMULAS[self.name]).parameters
        return [name for name, one in known.items() if one.default is one.empty]

    def _exact(self, name: str, value: int | str | Fraction) -> Fraction | int:
        if name not in self.quantities:
            raise _bad(self.name, unknown("quantity", name, self.quantities))
        text = str(value)
        exact = Fraction(text) if _PLAIN.fullmatch(text) else Fraction(-1)
        if exact < 0:
            raise _bad(self.name, f"{name} is a number, 0 or more, not {value!r:.60}")
        if name == "step" and not exact:
            raise _bad(self.name, "a step is more than nothing")
        if name == "months" and (exact.denominator != 1 or exact > MOST_MONTHS):
            # interest is counted Pay Day by Pay Day
            text = f"months are a whole number, up to {MOST_MONTHS}, not {value!r:.60}"
            raise _bad(self.name, text)
        return int(exact) if exact.denominator == 1 else exact

    def __repr__(self) -> str:
        return f"<Formula {self.name}: {self.expression}>"

    def _repr_latex_(self) -> str:
        from sympy import latex

        return f"$\\displaystyle {latex(self.expression)}$"


def formula(name: str, **known: int | str | Fraction) -> Formula:
    """A formula by its name, as mathematics; what is already known may be given.

    >>> formula("deposit_or_keep").expression
    S*r/(F + S*r)
    >>> formula("deposit_or_keep", rate="1/10", fee=50).at(savings=100)
    Fraction(1, 6)
    """
    if name not in FORMULAS:
        raise _bad("formulas", unknown("formula", name, FORMULAS))
    doc = inspect.getdoc(FORMULAS[name]) or ""
    bare = Formula(name, doc.partition("\n")[0])
    return Formula(name, bare.meaning, {key: bare._exact(key, v) for key, v in known.items()})


def formula_of(rules: Rules, name: str) -> Formula:
    """A formula with the rates, the fee and the step of a ruleset in it.

    Raises `RulesError` for games without accounts, which have no rates.
    """
    opened(rules, 1)
    terms = rules.accounts
    loan = name in ("loan_cost", "gap_cost", "fee_or_interest", "loan_for_deal")
    there: Mapping[str, Any] = {
        "rate": terms.loan_rate if loan else terms.savings_rate,
        "loan_rate": terms.loan_rate,
        "savings_rate": terms.savings_rate,
        "fee": terms.early_withdrawal_fee,
        "step": terms.step,
    }
    wanted = formula(name).quantities
    return formula(name, **{key: value for key, value in there.items() if key in wanted})


def deal_months(rules: Rules) -> dict[str, Fraction | float]:
    """For each deal the Pay Days of interest that eat its margin, the full price borrowed."""
    one = formula_of(rules, "loan_for_deal")
    return {name: one.at(**_prices(deal)) for name, deal in deals(rules).items()}


def _prices(deal: Deal) -> dict[str, int]:
    return {"cost": deal.cost, "value": deal.value}


_PLAIN = re.compile(r"[0-9]{1,18}(\.[0-9]{1,18}|/0*[1-9][0-9]{0,17})?")
"""A number that can be worked with: whole, a decimal, or a fraction, and not too long."""


def _bad(about: str, text: str) -> RulesError:
    return RulesError(about, [Problem("", "", text)])


# ----------------------------------------------------------------- what the board makes of it


@dataclass(frozen=True, slots=True)
class GrowthRow:
    """A debt and two savings after k Pay Days: on the board, and as the textbook has them.

    `simple` is what one step borrowed costs in all if the interest is paid from other money;
    `loan`, `idle` and `net` what becomes of it if the interest is always borrowed.  `saved` is
    what savings have grown to where interest is put to them in whole steps.
    """

    k: int
    simple: int
    loan: int
    idle: int
    net: int
    loan_ideal: Fraction
    saved: tuple[int, ...]
    saved_ideal: tuple[Fraction, ...]


@dataclass(frozen=True, eq=False)
class GrowthTable:
    """Loans against savings over some Pay Days: `growth_table` makes it."""

    rules: Rules = field(repr=False)
    amounts: tuple[int, ...]
    rows: tuple[GrowthRow, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """What the columns are called."""
        step = self.rules.accounts.step
        savings = [f"{part}_{a}" for a in self.amounts for part in ("saved", "saved_ideal")]
        return ("k", f"simple_{step}", "loan", "idle", "net", "loan_ideal", *savings)

    def _values(self, row: GrowthRow) -> list[Any]:
        pairs = zip(row.saved, row.saved_ideal, strict=True)
        saved: list[Any] = [value for pair in pairs for value in pair]
        return [row.k, row.simple, row.loan, row.idle, row.net, row.loan_ideal, *saved]

    def frame(self, *, exact: bool = False) -> pd.DataFrame:
        """The table as a pandas frame; `exact=True` keeps Fractions as they are."""
        whole = [self._values(row) for row in self.rows]
        shown = [[v if exact or isinstance(v, int) else float(v) for v in row] for row in whole]
        return frame_of(dict(zip(self.columns, map(list, zip(*shown, strict=True)), strict=True)))

    @property
    def lines(self) -> tuple[str, ...]:
        """Title and small print."""
        return (
            *Context(self.rules, "lap", "", "accounts").lines,
            "loan, idle, net: one step borrowed, no other money, interest borrowed as well",
            "saved: interest put to the savings in whole steps; ideal: compound interest",
        )

    def _cells(self) -> list[list[str]]:
        body = [
            [str(v) if isinstance(v, int) else f"{float(v):.2f}" for v in self._values(row)]
            for row in self.rows
        ]
        return [list(self.columns), *body]

    def __str__(self) -> str:
        cells = self._cells()
        wide = [max(map(len, column)) for column in zip(*cells, strict=True)]
        body = ("  ".join(f"{c:>{w}}" for c, w in zip(row, wide, strict=True)) for row in cells)
        return "\n".join((*self.lines, "", *body))

    def __repr__(self) -> str:
        return f"<GrowthTable of {self.rules.label}: {len(self.rows)} Pay Days>"

    def _repr_html_(self) -> str:
        return html_table(self.lines, self._cells())


def growth_table(
    game: Rules | Source,
    *overlays: Source,
    months: int = 12,
    amounts: tuple[int, ...] = (100, 1000),
) -> GrowthTable:
    """One step of debt, and some savings, over so many Pay Days: by the ledger and by the textbook.

    `amounts` are what there is to save; what makes no whole step stays in cash.  Works in every
    edition that has accounts.  Raises `RulesError` for other games, and for impossible months or
    amounts.
    """
    rules = game if isinstance(game, Rules) else load(game, *overlays)
    _check(rules, months, amounts)
    terms = rules.accounts
    step, savings = terms.step, amounts if terms.savings else ()
    plain = rules.but({"accounts.salary": 0})
    paid = _debt(plain, months, other=months * step)
    spiral = _debt(plain, months, other=0)
    saved = [_saved(plain, months, amount) for amount in savings]
    rows = []
    for k in range(months + 1):
        interest = sum(one.amount for one in paid[k].entries if one.what == "interest")
        rows.append(
            GrowthRow(
                k,
                step + interest,
                spiral[k].loan,
                spiral[k].cash,
                spiral[k].loan - spiral[k].cash,
                compound_growth(Fraction(step), terms.loan_rate, k),
                tuple(way[k].wealth for way in saved),
                tuple(compound_growth(Fraction(a), terms.savings_rate, k) for a in savings),
            )
        )
    return GrowthTable(rules, tuple(savings), tuple(rows[1:]))


def _check(rules: Rules, months: int, amounts: tuple[int, ...]) -> None:
    """Refuse what no table can be made of, all at once."""
    opened(rules, 1)
    problems = []
    if isinstance(months, bool) or not isinstance(months, int) or not 0 <= months < MOST_MONTHS - 1:
        text = f"a whole number from 0 to {MOST_MONTHS - 2}, not {months!r:.60}"
        problems.append(Problem("", "months", text))
    for amount in amounts:
        if isinstance(amount, bool) or not isinstance(amount, int) or not 0 < amount <= 10**9:
            text = f"savings to begin with are a whole number above 0, not {amount!r:.60}"
            problems.append(Problem("", "amounts", text))
    if problems:
        raise RulesError(rules.label, problems)


def _debt(rules: Rules, months: int, other: int) -> list[Ledger]:
    """One step borrowed and spent; after each Pay Day, with some other money or none."""
    step = rules.accounts.step
    ledger = opened(rules.but({"start.cash": other}), months + 1).borrow(step).pay(step)
    return _on(ledger, months, lambda one: one)


def _saved(rules: Rules, months: int, amount: int) -> list[Ledger]:
    """An amount deposited; at each Pay Day all whole steps of the interest are put to it."""
    ledger = opened(rules.but({"start.cash": amount}), months + 2)
    return _on(ledger.pay_day(_deposit_all), months, _deposit_all)


def _deposit_all(ledger: Ledger) -> Ledger:
    step = ledger.rules.accounts.step
    whole = ledger.cash // step * step
    return ledger.deposit(whole) if whole else ledger


def _on(ledger: Ledger, months: int, choose: Callable[[Ledger], Ledger]) -> list[Ledger]:
    found = [ledger]
    for _ in range(months):
        found.append(found[-1].pay_day(choose))
    return found
