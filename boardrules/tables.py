"""Results as tidy tables: light objects with their own view, and pandas frames on demand.

Every table names its unit, its policy, the overlays and the grade of the evidence; units stand in
the column names.  pandas is imported only when a frame is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any, Generic

from .chain import Chain, N
from .events import (
    Event,
    Paid,
    Price,
    bank,
)
from .library import Source
from .measure import Moments, per_each, tally
from .results import STOPS, UNITS, Context, as_chain, context, frame_of, html_table, unit_price
from .rules import IN_JAIL, Problem, Rules, RulesError, unknown
from .turn import Policy

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Row(Generic[N]):
    """One square of a landing table."""

    number: int
    id: str
    name: str
    probability: N


@dataclass(frozen=True, eq=False)
class Landing(Generic[N]):
    """How often a token comes to each square, in board order, jail as its own row."""

    context: Context
    rows: tuple[Row[N], ...]

    def __getitem__(self, square: str) -> N:
        """The number of one square, by its id; "in_jail" is the row of the jail."""
        for row in self.rows:
            if row.id == square:
                return row.probability
        rules = self.context.rules
        text = unknown("square", square, [row.id for row in self.rows])
        raise RulesError(rules.label, [Problem("", square, text)])

    @property
    def column(self) -> str:
        """What the numbers are, with their unit, as the frame calls it."""
        name = "stops" if self.context.unit == "lap" else "probability"
        return f"{name}_per_{self.context.per}"

    def most(self, count: int = 10) -> tuple[Row[N], ...]:
        """The squares visited most, the first one most of all."""
        return tuple(sorted(self.rows, key=lambda row: -_number(row.probability))[:count])

    def frame(self, *, exact: bool = False) -> pd.DataFrame:
        """The table as a pandas frame; `exact=True` keeps Fractions as they are."""
        return frame_of(
            {
                "square": [row.number for row in self.rows],
                "id": [row.id for row in self.rows],
                "name": [row.name for row in self.rows],
                self.column: [
                    row.probability if exact else _number(row.probability) for row in self.rows
                ],
            }
        )

    def __str__(self) -> str:
        wide = max(len(row.name) for row in self.rows)
        body = (f"{row.number:>3}  {row.name:<{wide}}  {self.shown(row):>9}" for row in self.rows)
        return "\n".join((*self.context.lines, "", *body))

    def shown(self, row: Row[N]) -> str:
        """A number of this table as people read it: percent, or stops in a lap."""
        value = _number(row.probability)
        return f"{value:.4f}" if self.context.unit == "lap" else f"{100 * value:.4f} %"

    def __repr__(self) -> str:
        return f"<Landing {'; '.join(self.context.lines)}>"

    def _repr_html_(self) -> str:
        head = ("square", "name", self.column)
        body = [(str(row.number), row.name, self.shown(row)) for row in self.rows]
        return html_table(self.context.lines, [head, *body])


def landing(
    game: Rules | Source | Chain[N],
    *overlays: Source,
    per: str = "roll",
    policy: Policy | None = None,
    number: Callable[[Fraction], N] = Fraction,  # type: ignore[assignment]
) -> Landing[N]:
    """Where a token lands in the long run: the chance of every square.

    `game` is a name, a ruleset or a chain; `per` is "roll" (where rolls end), "turn" (where turns
    end), "visit" (all stops) or "lap" (expected stops in a lap or month; may exceed one); `policy`
    is what is done in jail (default: leave at once).  Exact by default; `number=float` is faster.
    Raises `RulesError` for unknown names, units, and for overlays that make no game.

    >>> from boardrules import landing
    >>> landing("corner_shop")["corner"]
    Fraction(653, 4392)
    """
    walk = as_chain(game, *overlays, policy=policy, number=number)
    rules = walk.rules
    if per not in UNITS:
        raise RulesError(rules.label, [Problem("", "per", unknown("unit", per, UNITS))])
    found = tally(walk, STOPS[per], unit_price(rules, per))
    zero = walk.number(Fraction(0))
    rows = [
        Row(square.number, square.id, square.name, found.get((square.id, False), zero))
        for square in rules.squares
    ]
    if rules.jail:
        jail = sum((v for (_, jailed), v in found.items() if jailed), zero)
        rows.append(Row(rules.squares[-1].number + 1, IN_JAIL, rules.jail.name, jail))
    return Landing(context(walk, per), tuple(rows))


# ------------------------------------------------------------------------------- income


@dataclass(frozen=True, eq=False)
class Income(Generic[N]):
    """What the bank pays a token and takes from it, by cause, with mean and variance."""

    context: Context
    rows: Mapping[str, Moments[N]]

    def __getitem__(self, cause: str) -> Moments[N]:
        """The moments of one cause, or of "all"."""
        return self.rows[cause]

    def frame(self, *, exact: bool = False) -> pd.DataFrame:
        """The table as a pandas frame; `exact=True` keeps Fractions as they are."""
        unit = f"{self.context.rules.currency}_per_{self.context.per}"
        show = (lambda value: value) if exact else _number
        return frame_of(
            {
                "cause": list(self.rows),
                f"mean_{unit}": [show(row.mean) for row in self.rows.values()],
                f"sd_{unit}": [row.sd for row in self.rows.values()],
            }
        )

    def __str__(self) -> str:
        wide = max(map(len, self.rows))
        body = (
            f"{cause:<{wide}}  {_number(row.mean):>12.6f}  sd {row.sd:>12.6f}"
            for cause, row in self.rows.items()
        )
        return "\n".join((*self.context.lines, "", *body))

    def __repr__(self) -> str:
        return f"<Income {'; '.join(self.context.lines)}>"

    def _repr_html_(self) -> str:
        unit = f"{self.context.rules.currency} per {self.context.per}"
        body = [
            (cause, f"{_number(row.mean):.4f}", f"{row.sd:.4f}") for cause, row in self.rows.items()
        ]
        head = ("cause", f"mean, {unit}", "standard deviation")
        return html_table(self.context.lines, [head, *body])


def income(
    game: Rules | Source | Chain[N],
    *overlays: Source,
    per: str = "roll",
    policy: Policy | None = None,
    number: Callable[[Fraction], N] = Fraction,  # type: ignore[assignment]
) -> Income[N]:
    """What a token gets from the bank in the long run, by cause and in all.

    Salaries, taxes, cards and fines; not what depends on deeds, houses or the number of players.
    Takes what `landing` takes.
    """
    walk = as_chain(game, *overlays, policy=policy, number=number)
    causes = sorted(
        {
            _cause(event)
            for branches in walk.branches
            for branch in branches
            for event in branch.events
            if bank(event)
        }
    )
    prices: dict[str, Price] = {cause: _bank_for(cause) for cause in causes}
    found = per_each(walk, unit_price(walk.rules, per), {**prices, "all": bank})
    return Income(context(walk, per, "bank"), found)


def _cause(event: Event) -> str:
    return event.tag or event.cause if isinstance(event, Paid) else ""


def _bank_for(cause: str) -> Price:
    def price(event: Event) -> int:
        return bank(event) if _cause(event) == cause else 0

    return price


# --------------------------------------------------------------------------- comparison


@dataclass(frozen=True, eq=False)
class Comparison(Generic[N]):
    """Two landing tables side by side, matched by square id."""

    before: Landing[N]
    after: Landing[N]
    rows: tuple[tuple[Row[N], N, N], ...]

    def changed(self, count: int = 10) -> tuple[tuple[Row[N], N, N], ...]:
        """The squares whose numbers change most: (row, before, after)."""
        by_size = sorted(self.rows, key=lambda row: -abs(_number(row[2] - row[1])))
        return tuple(row for row in by_size if row[2] != row[1])[:count]

    def frame(self, *, exact: bool = False) -> pd.DataFrame:
        """The comparison as a pandas frame, in board order."""
        column = self.before.column
        show = (lambda value: value) if exact else _number
        return frame_of(
            {
                "square": [row.number for row, _, _ in self.rows],
                "id": [row.id for row, _, _ in self.rows],
                "name": [row.name for row, _, _ in self.rows],
                f"before_{column}": [show(old) for _, old, _ in self.rows],
                f"after_{column}": [show(new) for _, _, new in self.rows],
                f"difference_{column}": [show(new - old) for _, old, new in self.rows],
            }
        )

    def __str__(self) -> str:
        lines = [*self.before.context.lines, "against", *self.after.context.lines, ""]
        for row, old, new in self.changed():
            change = 100 * _number(new - old)
            lines.append(f"{row.number:>3}  {row.name:<24}  {change:+.4f} points")
        if len(lines) == len(self.before.context.lines) + len(self.after.context.lines) + 2:
            lines.append("no square is visited more or less often")
        return "\n".join(lines)

    def __repr__(self) -> str:
        names = f"{self.before.context.rules.label} against {self.after.context.rules.label}"
        return f"<Comparison of {names}, {self.before.column}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def compare(
    before: Landing[N] | Rules | Source, after: Landing[N] | Rules | Source, *, per: str = "roll"
) -> Comparison[Any]:
    """What a changed rule does to where a token lands.

    Takes two rulesets (or names, or landing tables of the same unit).
    """
    tables = [one if isinstance(one, Landing) else landing(one, per=per) for one in (before, after)]
    first, second = tables
    if first.context.unit != second.context.unit:
        text = f"one table is per {first.context.unit}, the other per {second.context.unit}"
        raise RulesError("compare", [Problem("", "", text)])
    return Comparison(first, second, tuple(_paired(first, second)))


def _paired(first: Landing[Any], second: Landing[Any]) -> Iterable[tuple[Row[Any], Any, Any]]:
    old = {row.id: row for row in first.rows}
    new = {row.id: row for row in second.rows}
    for name, row in {**old, **new}.items():
        zero = row.probability * 0
        yield (
            row,
            old[name].probability if name in old else zero,
            new[name].probability if name in new else zero,
        )


def _number(value: Any) -> float:
    return float(value)


def law(rules: Rules, seen: Mapping[tuple[str, bool], N]) -> Sequence[Row[N]]:
    """The result of `after` as rows in board order, squares without a chance left out."""
    rows = [
        Row(square.number, square.id, square.name, seen[square.id, False])
        for square in rules.squares
        if (square.id, False) in seen
    ]
    jailed = [value for (_, inside), value in seen.items() if inside]
    if rules.jail and jailed:
        last = rules.squares[-1].number + 1
        total = jailed[0] if len(jailed) == 1 else sum(jailed[1:], jailed[0])
        rows.append(Row(last, IN_JAIL, rules.jail.name, total))
    return rows
