"""Published tables, and the conventions that reproduce them.

Others have printed how often a Monopoly token is found on each square.  Their tables look as if
they contradicted one another, and do not: each counts something else (rolls, turns or visits), and
each plays the jail in its own way.  A table here names its conventions, and `reproduce` sets our
exact numbers beside the printed ones, digit for digit.  What was printed, by whom, and how it was
read, stands in `data/published/README.md`.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, Literal

from .library import data_folder
from .results import html_table
from .rules import IN_JAIL, Problem, RulesError, unknown
from .tables import Landing, landing
from .turn import Policy, leave, stay

if TYPE_CHECKING:
    import pandas as pd

GAME = "monopoly"
"""The game that all these tables are about."""

JAIL_SQUARE = 10
"""Where visitors stand, and where some tables count the jailed as well."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One number as it was printed, with all its digits: `"3.0961"`."""

    number: int
    name: str
    printed: str

    @property
    def value(self) -> Fraction:
        """The printed number itself, exactly."""
        return Fraction(self.printed)


@dataclass(frozen=True, slots=True)
class Published:
    """A table that somebody printed: who, where, what is counted, and every digit.

    `unit`, `policy` and `overlays` are what `landing` needs to compute the same table; `percent`
    says that shares are printed in percent; with `jail_with_visitors` square 10 counts the jailed
    too, and there is no row for them.  `rolls_per_turn` is a printed number that goes with the
    table, or nothing.
    """

    id: str
    author: str
    year: int | None
    where: str
    unit: str
    policy: Policy
    overlays: tuple[str, ...] = ()
    percent: bool = False
    jail_with_visitors: bool = False
    rolls_per_turn: str = ""
    cells: tuple[Cell, ...] = ()

    @property
    def decimals(self) -> int:
        """How many digits are printed after the point."""
        return len(self.cells[0].printed.partition(".")[2])

    @property
    def credit(self) -> str:
        """Who and where, on one line."""
        year = f" ({self.year})" if self.year else ""
        return f"{self.author}{year}, {self.where}"

    @property
    def conventions(self) -> str:
        """What one has to know before two tables can be compared, on one line."""
        scale = "percent" if self.percent else "fractions of one"
        square_10 = "jail and visitors" if self.jail_with_visitors else "visitors only"
        overlays = ", ".join(self.overlays) or "none"
        return (
            f"per {self.unit}, jail: {self.policy.name}; overlays: {overlays}; "
            f"{scale}, {self.decimals} decimals; square {JAIL_SQUARE}: {square_10}"
        )

    def __repr__(self) -> str:
        return f"<Published {self.id}: {self.conventions}>"


_COLLINS = "Probabilities in the Game of Monopoly, tkcs-collins.com/truman/monopoly/monopoly.shtml"
_BUTLER = "Monopoly pages, durangobill.com/Monopoly.html"
_NOE = "Usenet net.games and net.math, 29 August, <513@riccb.UUCP>"
_SHORT, _LONG = "1.1866239585", "1.1658963640"

_HEADS = (
    Published(
        "collins_short_per_roll_percent",
        "Truman Collins",
        1997,
        _COLLINS,
        "roll",
        leave,
        percent=True,
    ),
    Published(
        "collins_long_per_roll_percent",
        "Truman Collins",
        1997,
        _COLLINS,
        "roll",
        stay,
        ("readings/collins_jail",),
        percent=True,
    ),
    Published(
        "butler_short_per_roll",
        "Bill Butler",
        None,
        _BUTLER,
        "roll",
        leave,
        jail_with_visitors=True,
        rolls_per_turn=_SHORT,
    ),
    Published(
        "butler_long_per_roll",
        "Bill Butler",
        None,
        _BUTLER,
        "roll",
        stay,
        jail_with_visitors=True,
        rolls_per_turn=_LONG,
    ),
    Published(
        "butler_short_per_turn",
        "Bill Butler",
        None,
        _BUTLER,
        "turn",
        leave,
        jail_with_visitors=True,
        rolls_per_turn=_SHORT,
    ),
    Published(
        "butler_long_per_turn",
        "Bill Butler",
        None,
        _BUTLER,
        "turn",
        stay,
        jail_with_visitors=True,
        rolls_per_turn=_LONG,
    ),
    Published(
        "noe_long_per_visit_percent",
        "Roger J. Noe",
        1985,
        _NOE,
        "visit",
        stay,
        percent=True,
    ),
)
"""Everything but the digits, in the order of the file's columns."""


def published() -> tuple[Published, ...]:
    """Read the published tables, each with its author, its conventions and every printed digit.

    >>> published()[0]
    <Published collins_short_per_roll_percent: per roll, jail: leave; overlays: none; percent, \
4 decimals; square 10: visitors only>
    """
    file = data_folder() / "published" / "monopoly_landing.csv"
    with file.open(encoding="utf-8", newline="") as stream:
        lines = list(csv.DictReader(stream))
    return tuple(replace(head, cells=_cells(lines, head.id)) for head in _HEADS)


def _cells(lines: list[dict[str, str]], column: str) -> tuple[Cell, ...]:
    """One column; where nothing was printed there is no cell."""
    return tuple(
        Cell(int(line["square"]), line["name"], line[column]) for line in lines if line[column]
    )


@dataclass(frozen=True, slots=True)
class Beside:
    """One printed number and ours, rounded to the same digits; `exact` is ours before that."""

    number: int
    name: str
    printed: Decimal
    ours: Decimal
    exact: Fraction

    @property
    def agrees(self) -> bool:
        """Whether all printed digits are the same."""
        return self.printed == self.ours


@dataclass(frozen=True, slots=True)
class Reproduction:
    """A published table with our numbers beside it."""

    table: Published
    law: Landing[Fraction]
    rows: tuple[Beside, ...]

    @property
    def differing(self) -> tuple[Beside, ...]:
        """The squares where the last printed digit, or more, is another one."""
        return tuple(row for row in self.rows if not row.agrees)

    @property
    def lines(self) -> tuple[str, ...]:
        """Who printed what, how ours was computed, and how many numbers agree."""
        context = self.law.context
        overlays = ", ".join(context.rules.overlays) or "none"
        jail = f", jail: {context.policy}" if context.policy else ""
        same = len(self.rows) - len(self.differing)
        return (
            self.table.credit,
            f"theirs: {self.table.conventions}",
            f"ours: {context.rules.title}, per {context.unit}{jail}; overlays: {overlays}",
            f"{same} of {len(self.rows)} numbers agree in every printed digit",
        )

    def frame(self) -> pd.DataFrame:
        """Both columns as a pandas frame; numbers are decimals with the digits as printed."""
        try:
            import pandas
        except ImportError as error:
            text = "frames need pandas; install it, or use .rows, which needs nothing"
            raise ImportError(text) from error
        scale = "percent" if self.table.percent else "share"
        return pandas.DataFrame(
            {
                "square": [row.number for row in self.rows],
                "name": [row.name for row in self.rows],
                f"printed_{scale}_per_{self.table.unit}": [row.printed for row in self.rows],
                f"ours_{scale}_per_{self.law.context.unit}": [row.ours for row in self.rows],
                "agrees": [row.agrees for row in self.rows],
            }
        )

    def __str__(self) -> str:
        wide = max(len(row.name) for row in self.rows)
        body = (
            f"{row.number:>3}  {row.name:<{wide}}  {row.printed:f}  {row.ours:f}"
            f"{'' if row.agrees else '  differs'}"
            for row in self.rows
        )
        return "\n".join((*self.lines, "", *body))

    def __repr__(self) -> str:
        return f"<Reproduction of {self.table.id}: {self.lines[-1]}>"

    def _repr_html_(self) -> str:
        body = [
            (str(r.number), r.name, f"{r.printed:f}", f"{r.ours:f}", "yes" if r.agrees else "NO")
            for r in self.rows
        ]
        head = ("square", "name", "printed", "ours", "agrees")
        return html_table(self.lines, [head, *body])


def reproduce(table: Published | str, law: Landing[Fraction] | None = None) -> Reproduction:
    """Set a published table beside ours: same conventions, exact, rounded to the same digits.

    `table` is one of `published()` or its id.  Another landing table may be given as `law`, to
    see what a wrong convention looks like.  Raises `RulesError` for an id that does not exist.

    >>> [row.name for row in reproduce("collins_short_per_roll_percent").differing]
    ['Marvin Gardens', 'In Jail']
    """
    if isinstance(table, str):
        table = _by_id(table)
    if law is None:
        law = landing(GAME, *table.overlays, per=table.unit, policy=table.policy)
    shares = _shares(law, table)
    rows = tuple(_beside(cell, table, shares) for cell in table.cells)
    return Reproduction(table, law, rows)


def _by_id(name: str) -> Published:
    tables = {table.id: table for table in published()}
    if name not in tables:
        text = unknown("published table", name, tables)
        raise RulesError("published", [Problem("", name, text)])
    return tables[name]


def _shares(law: Landing[Fraction], table: Published) -> Mapping[int, Fraction]:
    """Our shares by the published numbers of the squares."""
    shares = {row.number: row.probability for row in law.rows}
    if table.jail_with_visitors:
        jailed = sum((row.probability for row in law.rows if row.id == IN_JAIL), Fraction(0))
        shares[JAIL_SQUARE] += jailed
    return shares


def _beside(cell: Cell, table: Published, shares: Mapping[int, Fraction]) -> Beside:
    exact = shares.get(cell.number, Fraction(0)) * (100 if table.percent else 1)
    ours = rounded(exact, table.decimals)
    return Beside(cell.number, cell.name, Decimal(cell.printed), ours, exact)


def rounded(value: Fraction, decimals: int, half: Literal["up", "even"] = "up") -> Decimal:
    """Round a share to so many digits after the point, exactly; a half goes up, or to even.

    >>> rounded(Fraction(1, 16), 3), rounded(Fraction(1, 16), 3, "even")
    (Decimal('0.063'), Decimal('0.062'))
    """
    scaled = value * 10**decimals
    whole = round(scaled) if half == "even" else floor(scaled + Fraction(1, 2))
    return Decimal((int(whole < 0), tuple(map(int, str(abs(whole)))), -decimals))
