"""A mortgage is a loan too: what the same money costs for as long as it is borrowed, game by game.

Payday's bank takes a share of the loan at every Pay Day.  Monopoly and Easy Money take a flat share
once, however long the mortgage runs, but the mortgaged deed earns nothing meanwhile: the rent that
is lost is the interest.  Turns and months are different clocks; `pace` says how many turns are
taken for a month, and every result repeats it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, Any

from ..chain import Chain
from ..library import Source
from ..rents.deeds import levels_of
from ..rents.invest import MortgageRow, mortgages
from ..rents.payback import Holding
from ..results import Context, as_chain, context, frame_of, html_table
from ..rules import GRADES, Problem, Rules, RulesError, unknown
from .formulas import loan_for_gap
from .ledger import opened

if TYPE_CHECKING:
    import pandas as pd

RULES = {
    "monopoly": "M20, M11",
    "easy_money": "E44, E39",
    "payday": "P21, P24, P27",
}
"""The numbers of the rules that each loan follows."""

MOST_CLOCKS = 1_000
SHOWN = (1, 3, 6, 12)
"""So many months or turns stand in the columns of a printed table."""

ASSUMED = (
    "mortgages: mean rents, others in their long-run positions, nobody trades or builds meanwhile",
    "a mortgage is limited by its deed, a loan is not (P24); both are scaled to the same amount",
)


@dataclass(frozen=True, slots=True)
class Loan:
    """One way to borrow: what it costs once, and what it costs for each month or turn.

    `flat` and `each` are exact amounts of money on `borrowed`; `clock` is what is counted, `rule`
    where it is written.  `pace` is how many of these clocks are taken for one month.
    """

    context: Context
    name: str
    id: str
    level: str
    clock: str
    rule: str
    borrowed: int
    flat: Fraction
    each: Fraction
    pace: Fraction = Fraction(1)

    @property
    def game(self) -> str:
        """The game, with its overlays if there are any."""
        rules = self.context.rules
        overlays = f" + {', '.join(rules.overlays)}" if rules.overlays else ""
        return f"{rules.title}{overlays}"

    @property
    def told(self) -> str:
        """What it is called in a chart."""
        grade = " (illustrative)" if self.context.grade == "illustrative" else ""
        if not self.id:
            return f"{self.game}: loan{grade}"
        return f"{self.game}: mortgage on {self.name}{grade}"

    def cost(self, count: int | Fraction) -> Fraction:
        """What it costs in all if it is open for so many of its clocks."""
        return self.flat + self.each * count

    def rate(self, count: int) -> Fraction | None:
        """The cost for each clock as a share of what was borrowed; None for no time at all."""
        return self.cost(count) / (self.borrowed * count) if count else None

    @property
    def monthly(self) -> Fraction:
        """What it costs for each month, at the pace that is assumed."""
        return self.each * self.pace


@dataclass(frozen=True, eq=False, repr=False)
class Beside:
    """Loans and mortgages side by side: `loans_beside` makes it."""

    amount: int
    last: int
    pace: Fraction
    rows: tuple[Loan, ...]

    def __getitem__(self, name: str) -> Loan:
        """One of them, by the id of its deed, or by the id of the game for a loan."""
        known = [row.id or row.context.rules.id for row in self.rows]
        if name not in known:
            raise RulesError("loans", [Problem("", name, unknown("loan", name, known))])
        found = [row for row in self.rows if (row.id or row.context.rules.id) == name]
        if len(found) > 1:
            games = " and ".join(row.game for row in found)
            text = f"stands here more than once, for {games}; take it from .rows"
            raise RulesError("loans", [Problem("", name, text)])
        return found[0]

    def only(self, *names: str) -> Beside:
        """Some of them only."""
        return replace(self, rows=tuple(self[name] for name in names))

    @property
    def loan(self) -> Loan:
        """The loan with interest at every Pay Day that all others are compared with."""
        return next((row for row in self.rows if not row.id), self.rows[0])

    def cheaper_from(self, name: str) -> int | None:
        """The least number of months from which on a mortgage is cheaper than the loan.

        At the assumed pace; None if it never is.
        """
        row, loan = self[name], self.loan
        gained = loan.monthly - row.monthly
        if gained <= 0:
            return 0 if row.flat < loan.flat and not gained else None
        limit = (row.flat - loan.flat) / gained
        return max(0, floor(limit) + 1)

    def break_even(self, name: str) -> Fraction | None:
        """After how many months a mortgage and the loan have cost the same; None for never."""
        return self._break_even(self[name])

    def _break_even(self, row: Loan) -> Fraction | None:
        # by row: two rulesets of one game have deeds of the same ids
        gained = self.loan.monthly - row.monthly
        return max(Fraction(0), (row.flat - self.loan.flat) / gained) if gained > 0 else None

    @property
    def shown(self) -> tuple[Loan, ...]:
        """A few to draw: the loans, and of each game the cheapest and the dearest mortgage."""
        if len(self.rows) <= 6:
            return self.rows
        found = [row for row in self.rows if not row.id]
        for game in dict.fromkeys(row.game for row in self.rows if row.id):
            some = sorted(
                (row for row in self.rows if row.id and row.game == game),
                key=lambda row: row.cost(self.last),
            )
            found += [some[0], *some[-1:]] if len(some) > 1 else some
        return tuple(found[:6])

    @property
    def clocks(self) -> str:
        """What is counted, all games together."""
        return ", ".join(dict.fromkeys(f"{row.clock}s" for row in self.rows))

    @property
    def small(self) -> tuple[str, ...]:
        """What is assumed, for the small print of tables and charts."""
        clocks = list(dict.fromkeys(row.clock for row in self.rows if row.id))
        taken = f"{self.pace} {clocks[0]}{'' if self.pace == 1 else 's'}" if clocks else ""
        told = (
            f"months and {clocks[0]}s are different clocks: one month is taken for {taken}"
            if clocks
            else "interest at every Pay Day"
        )
        found = [told, *(ASSUMED if clocks else ())]
        if any(row.clock == "round" for row in self.rows):
            found.append("a round is one turn of each opponent")
        for game, grade in dict.fromkeys((row.game, row.context.grade) for row in self.rows):
            found.append(f"{game}: evidence {grade} ({GRADES[grade]})")
        return tuple(found)

    @property
    def lines(self) -> tuple[str, ...]:
        """Title and small print."""
        cautions = dict.fromkeys(row.context.caution for row in self.rows)
        return (f"What {self.amount} borrowed cost", *self.small, *filter(None, cautions))

    def frame(self, *, exact: bool = False) -> pd.DataFrame:
        """The table as a pandas frame: the costs after 0, 1, 2 … months or turns.

        `exact=True` keeps Fractions as they are.
        """

        def kept(value: Fraction | None) -> Any:
            return value if exact or value is None else float(value)

        columns: dict[str, list[Any]] = {
            "game": [row.game for row in self.rows],
            "loan": [row.name for row in self.rows],
            "level": [row.level for row in self.rows],
            "rule": [row.rule for row in self.rows],
            "clock": [row.clock for row in self.rows],
            "borrowed": [row.borrowed for row in self.rows],
            "flat": [kept(row.flat) for row in self.rows],
            "each": [kept(row.each) for row in self.rows],
        }
        for k in range(self.last + 1):
            columns[f"cost_{k}"] = [kept(row.cost(k)) for row in self.rows]
        columns[f"rate_{self.last}"] = [kept(row.rate(self.last)) for row in self.rows]
        columns["break_even_months"] = [
            kept(self._break_even(row)) if row.id else None for row in self.rows
        ]
        columns["grade"] = [row.context.grade for row in self.rows]
        return frame_of(columns)

    def _cells(self) -> list[list[str]]:
        counts = [k for k in SHOWN if k <= self.last] or [self.last]
        head = ["game", "loan", "rule", "clock", "at once", "each", *(f"for {k}" for k in counts)]
        head += [f"rate of {counts[-1]}", "as dear as the loan"]
        body = [
            [
                row.game,
                f"{row.name}{f' ({row.level})' if row.id else ''}",
                row.rule or "–",
                row.clock,
                f"{float(row.flat):.2f}",
                f"{float(row.each):.2f}",
                *(f"{float(row.cost(k)):.2f}" for k in counts),
                _percent(row.rate(counts[-1])),
                self._dear(row),
            ]
            for row in self.rows
        ]
        return [head, *body]

    def _dear(self, row: Loan) -> str:
        if not row.id:
            return "–"
        months = self._break_even(row)
        if months is None:
            return "never: always dearer"
        return f"{float(months):.2f} months" if months else "always cheaper"

    def __str__(self) -> str:
        cells = self._cells()
        wide = [max(map(len, column)) for column in zip(*cells, strict=True)]
        body = (
            "  ".join(f"{c:<{w}}" for c, w in zip(row, wide, strict=True)).rstrip() for row in cells
        )
        return "\n".join((*self.lines, "", *body))

    def __repr__(self) -> str:
        return f"<Beside {'; '.join(self.lines)}>"

    def _repr_html_(self) -> str:
        return html_table(self.lines, self._cells())


def _percent(rate: Fraction | None) -> str:
    return "–" if rate is None else f"{100 * float(rate):.2f} %"


def loans_beside(
    loan: Rules | Source | Chain[Any] = "payday",
    games: Sequence[Rules | Source | Chain[Any]] = ("monopoly", "easy_money"),
    *,
    amount: int = 100,
    last: int = 12,
    opponents: int = 1,
    pace: int | str | Fraction = 1,
    hands: Mapping[str, Holding] | None = None,
) -> Beside:
    """Compare a loan at every Pay Day with mortgages: what an amount costs, for how long, exactly.

    `hands` are the deeds to mortgage by the id of the game (default: every deed that can be, one
    alone and not built on); `opponents` land on them.  `pace` is how many turns (rounds, with
    several opponents) are taken for one month: a month of Payday has about 9.42 throws, a lesson
    may rather say 1.  Raises `RulesError` for games without loans or mortgages.

    >>> table = loans_beside(games=["monopoly"])
    >>> table["payday"].cost(3), table["boardwalk"].flat
    (Fraction(60, 1), Fraction(10, 1))
    """
    size, count = _whole("amount", amount, 1, 10**6), _whole("last", last, 1, MOST_CLOCKS)
    rows = [_bank(as_chain(loan), size)]
    speed, walks = _pace(pace), [as_chain(game) for game in games]
    strange = set(hands or {}) - {walk.rules.id for walk in walks}
    if strange:
        known = [walk.rules.id for walk in walks]
        text = [Problem("", "hands", unknown("game", name, known)) for name in sorted(strange)]
        raise RulesError("loans", text)
    for walk in walks:
        hand = (hands or {}).get(walk.rules.id) or _all_alone(walk.rules)
        table = mortgages(walk, hand=hand, turns_left=count, opponents=opponents)
        clock = "turn" if table.opponents == 1 else "round"
        about = context(walk, clock, "rent")
        rows += (_mortgage(about, row, size, clock, table.opponents, speed) for row in table.rows)
    return Beside(size, count, speed, tuple(rows))


def _bank(walk: Chain[Any], amount: int) -> Loan:
    """A loan with interest at every Pay Day; it comes in whole steps (P21)."""
    rules = walk.rules
    opened(rules, 1)
    terms = rules.accounts
    if not terms.loan_rate:
        text = "loans bear no interest here, or there are none"
        raise RulesError(rules.label, [Problem("", "accounts.loan_rate", text)])
    whole = loan_for_gap(amount, terms.step)
    each = terms.loan_rate * whole
    cited = RULES.get(rules.id, "")
    about = context(walk, "lap", "accounts")
    name = f"loan of {whole}"
    return Loan(about, name, "", "", rules.lap_name, cited, amount, Fraction(0), each)


def _mortgage(
    about: Context,
    row: MortgageRow[Any],
    amount: int,
    clock: str,
    opponents: int,
    pace: Fraction,
) -> Loan:
    """A mortgage, scaled to the amount: the flat share at once, the lost rent turn by turn."""
    rules = about.rules
    mortgage = row.cash - row.sold
    share = Fraction(amount, row.cash)
    flat = (row.to_lift - mortgage) * share
    lost = Fraction(row.lost) * opponents * share
    return Loan(
        about,
        row.name,
        row.id,
        row.level,
        clock,
        RULES.get(rules.id, ""),
        amount,
        flat,
        lost,
        pace,
    )


def _all_alone(rules: Rules) -> dict[str, str]:
    """Every deed that can be mortgaged, at the first of its levels."""
    kinds = rules.mortgage.kinds
    found = {
        square.id: levels_of(rules, square)[0].name
        for square in rules.squares
        if square.deed and square.deed.mortgage and (not kinds or square.deed.kind in kinds)
    }
    if not found:
        text = "there is nothing to mortgage in this game"
        raise RulesError(rules.label, [Problem("", "mortgage", text)])
    return found


def _whole(name: str, value: int, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        text = f"needs a whole number from {low} to {high}, not {value!r}"
        raise RulesError("loans", [Problem("", name, text)])
    return value


def _pace(value: int | str | Fraction) -> Fraction:
    try:
        exact = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        exact = Fraction(0)
    if not 0 < exact <= MOST_CLOCKS:
        text = f"the turns in a month are a number above 0, up to {MOST_CLOCKS}, not {value!r}"
        raise RulesError("loans", [Problem("", "pace", text)])
    return exact
