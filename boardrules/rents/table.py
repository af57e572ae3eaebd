"""What a deed earns: the rents of every deed at every level, their spread, and what a step costs.

Rent is due on every landing, not where a turn ends, and it may hang on how the square was reached:
a card may double it, a utility asks so many times a throw.  So rents are prices put on the events
of the chain.  Whole groups are in `boardrules.rents.groups`, waits and laws in
`boardrules.rents.payback`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING, Any, Generic

from ..chain import Chain, N
from ..events import TurnOver
from ..library import Source
from ..results import Context, as_chain, context, frame_of, html_table
from ..rules import Problem, Rules, RulesError, unknown
from ..turn import Policy
from .deeds import (
    HOTEL,
    Charge,
    Hand,
    Level,
    Settled,
    Terms,
    bad,
    checked_opponents,
    deed_square,
    deeds,
    level_name,
    level_of,
    levels,
    levels_of,
    settled,
    step_at,
    unit_of,
)
from .takings import condensed, in_floats, stands_on, takings
from .till import Start, Till, Waits, turn_starts

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class RentRow(Generic[N]):
    """One deed at one level.

    `mean` and `variance` are per unit (the variance in the long run), `variance_one` that of a
    single unit; `cost` is what this step costs, `invested` all steps so far, `payback` the units
    until the step has come back on average.
    """

    square: int
    id: str
    name: str
    group: str
    level: str
    mean: N
    variance: N
    variance_one: N
    cost: int | None
    invested: int | None
    payback: N | None
    _recover: Callable[[], float | None] = field(repr=False)

    @property
    def sd(self) -> float:
        """Standard deviation in the long run: n units have about sd · √n."""
        return root(self.variance)

    @property
    def sd_one(self) -> float:
        """Standard deviation of a single unit."""
        return root(self.variance_one)

    @property
    def per_100(self) -> N | None:
        """What comes in per unit for each 100 put into this deed so far."""
        return self.mean * 100 / Fraction(self.invested) if self.invested else None

    @cached_property
    def turns_to_recover(self) -> float | None:
        """How many turns of one opponent this step needs on average until it has paid.

        Unless the table was told otherwise, the opponent begins in the long-run law of where
        turns begin.  Rounded to a float.
        """
        return self._recover()


@dataclass(frozen=True, eq=False)
class RentTable(Generic[N]):
    """What every deed earns at every level: `rent` makes it."""

    context: Context
    opponents: int
    terms: Terms
    rows: tuple[RentRow[N], ...]
    walk: Chain[N] = field(repr=False)

    def __getitem__(self, which: tuple[str, str | int]) -> RentRow[N]:
        """The row of a deed at a level: `table["boardwalk", "hotel"]`."""
        square, level = which
        place = level_of(self.context.rules, square, level)
        name = levels(self.context.rules, square)[place].name
        for row in self.rows:
            if (row.id, row.level) == (square, name):
                return row
        raise bad(self.context.rules, square, f"level {name!r} is not in this table")

    @property
    def lines(self) -> tuple[str, ...]:
        """Title and small print."""
        return (*self.context.lines, *self.terms.lines, *opposite(self.opponents))

    def best(self, by: str = "mean", count: int = 10) -> tuple[RentRow[N], ...]:
        """The rows that are best by a column, the best one first."""
        chosen = [row for row in self.rows if column_of(self.context.rules, row, by) is not None]
        low = by in LOW_IS_GOOD
        order = sorted(chosen, key=lambda row: float(getattr(row, by)), reverse=not low)
        return tuple(order[:count])

    def frame(self, *, exact: bool = False) -> pd.DataFrame:
        """The table as a pandas frame; `exact=True` keeps Fractions as they are."""
        show = shown(exact)
        return frame_of(
            {
                name: [show(getattr(row, name)) for row in self.rows]
                for name in (*COLUMNS, "per_100")
            }
        )

    def __str__(self) -> str:
        return "\n".join((*self.lines, "", *columns(self._cells())))

    def _cells(self) -> list[tuple[str, ...]]:
        head = (*COLUMNS[:-1], "turns")
        return [head, *(tuple(cell(getattr(row, c)) for c in COLUMNS) for row in self.rows)]

    def __repr__(self) -> str:
        return f"<RentTable {'; '.join(self.lines)}>"

    def _repr_html_(self) -> str:
        return html_table(self.lines, self._cells())


COLUMNS = (
    "square",
    "name",
    "group",
    "level",
    "mean",
    "sd",
    "sd_one",
    "cost",
    "invested",
    "payback",
    "turns_to_recover",
)
"""The columns of a rent table."""


LOW_IS_GOOD = ("sd", "sd_one", "cost", "invested", "payback", "turns_to_recover")


def rent(
    game: Rules | Source | Chain[N],
    *overlays: Source,
    per: str = "roll",
    level: str | int | None = None,
    policy: Policy | None = None,
    opponents: int = 1,
    terms: Terms | None = None,
    paid: Mapping[str, int] | None = None,
    start: Start = None,
    number: Callable[[Fraction], N] = Fraction,  # type: ignore[assignment]
) -> RentTable[N]:
    """What every deed earns from an opponent, at every level, and when it has paid for itself.

    `per` is an opponent's "roll", "turn" or "lap", or a "round" (one turn of each of the
    `opponents`).  `level` keeps one level (`deed, set, 1 … 4, hotel`, or the number owned);
    `opponents` shortens the payback only; `paid` gives the prices of deeds bought at auction
    (without a price only what is built counts as invested); `start` is where the opponent of
    `turns_to_recover` stands (default: the long run; "start" is the start of the game).
    Exact by default; `number=float` is faster.  Raises `RulesError` for unknown units, deeds and
    levels, and for a game without deeds.

    >>> from boardrules.rents import rent
    >>> rent("corner_shop", per="turn")["bakery", "2"].mean
    Fraction(629, 976)
    """
    walk = as_chain(game, *overlays, policy=policy, number=number)
    rules = walk.rules
    count = checked_opponents(rules, opponents)
    asked, chosen = settled(walk, terms), _chosen(rules, level)
    known = {square.id: levels_of(rules, square) for square in deeds(rules)}
    prices = _paid(rules, paid or {})
    shapes = {shape_of(square, one) for square, ups in known.items() for one in ups}
    hands = {key: Hand({key[0]: Charge(key[1], key[2])}, asked) for key in sorted(shapes)}
    found = takings(walk, unit_of(rules, per), hands)
    together = count if per == "round" else 1
    recover = _Recovery(walk, asked, start)
    rows = []
    for square in deeds(rules):
        invested: int | None = 0
        before: Any = 0
        for k, one in enumerate(known[square.id]):
            got, scale = found[shape_of(square.id, one)], one.rent if one.rent else 1
            mean = got.mean * scale * together
            cost = prices.get(square.id, one.cost) if k == 0 else one.cost
            invested = None if invested is None or cost is None else invested + cost
            if cost is None:  # no list price: what is built on top is still counted
                invested = 0
            if one.name in chosen:
                rows.append(
                    RentRow(
                        square.number,
                        square.id,
                        square.name,
                        square.deed.group if square.deed else "",
                        one.name,
                        mean,
                        got.variance * scale * scale * together,
                        got.variance_one * scale * scale * together,
                        cost,
                        invested,
                        payback_of(cost, mean - before, 1 if per == "round" else count),
                        recover.of(square.id, one.name, cost),
                    )
                )
            before = mean
    return RentTable(context(walk, per, "rent"), count, terms or Terms(), tuple(rows), walk)


def shape_of(square: str, level: Level) -> tuple[str, int, int]:
    """Levels of one deed that differ only by a factor have one shape, and are solved once."""
    return (square, 0, level.times) if level.times else (square, 1 if level.rent else 0, 0)


def payback_of(cost: int | None, gained: Any, opponents: int) -> Any:
    """How many units it takes on average rents until a cost has come back; None for never."""
    if cost is None or not gained > 0:
        return None
    return Fraction(cost) / (gained * opponents)


class _Recovery:
    """The waits of the rows, worked out in floats and only when somebody looks at them."""

    def __init__(self, walk: Chain[Any], asked: Settled, start: Start) -> None:
        self._walk, self._asked, self._start = walk, asked, start
        self._known: dict[tuple[str, Charge], Waits[float]] = {}
        if start is not None:
            turn_starts(walk, start)  # refuse at once what cannot be

    def of(self, square: str, level: str, cost: int | None) -> Callable[[], float | None]:
        def wait() -> float | None:
            if not cost:
                return None if cost is None else 0.0
            step = step_at(self._walk.rules, square, level)
            if step.rent < 0 or step.times < 0:  # a step that loses money never pays
                return None
            # rents that differ only by a factor share their waits
            one = Charge(1 if step.rent else 0, step.times, step.cards or not step.times)
            found: float | None = self._waits(square, one).mean(Fraction(cost, step.rent or 1))
            return found

        return wait

    def _waits(self, square: str, charge: Charge) -> Waits[float]:
        if (square, charge) not in self._known:
            walk, starts = self._short
            hand = Hand({square: charge}, self._asked)
            self._known[square, charge] = Waits(Till(walk, hand, starts))
        return self._known[square, charge]

    @cached_property
    def _short(self) -> tuple[Chain[float], dict[int, float]]:
        """The walk with rolls as steps, and where turns begin, for all deeds."""
        owned = {square.id for square in deeds(self._walk.rules)}
        walk, starts = turn_starts(in_floats(self._walk), self._start)
        short = condensed(walk, lambda e: isinstance(e, TurnOver) or stands_on(e, owned))
        places = {state: i for i, state in enumerate(short.states)}
        return short, {places[walk.states[i]]: chance for i, chance in starts.items()}


# ------------------------------------------------------------------------------------- common


def _chosen(rules: Rules, level: str | int | None) -> set[str]:
    """The names of the levels that are wanted."""
    known = [one.name for square in deeds(rules) for one in levels_of(rules, square)]
    if not known:
        raise bad(rules, "", "nobody owns anything in this game: it has no deeds")
    if level is None:
        return set(known)
    name = level_name(level)
    if name == "5" and name not in known:
        name = HOTEL
    if name not in known:
        there = ", ".join(dict.fromkeys(known))
        text = f"{unknown('level', name, known)}; the levels of this game are {there}"
        raise bad(rules, "level", text)
    return {name}


def _paid(rules: Rules, paid: Mapping[str, int]) -> dict[str, int]:
    problems: list[Problem] = []
    for name, price in paid.items():
        try:
            deed_square(rules, name)
        except RulesError as error:
            problems.extend(error.problems)
        if isinstance(price, bool) or not isinstance(price, int) or price < 0:
            problems.append(Problem("", str(name), f"a price is a whole number, not {price!r}"))
    if problems:
        raise RulesError(rules.label, problems)
    return dict(paid)


def column_of(rules: Rules, row: object, by: str) -> Any:
    """The number of a row to rank it by; raises `RulesError` for what cannot be ranked."""
    if not isinstance(getattr(type(row), by, None), property) and not hasattr(row, by):
        known = [*COLUMNS[4:], "per_100"]
        raise bad(rules, "by", unknown("column", by, known))
    value = getattr(row, by)
    if isinstance(value, (str, tuple)) or callable(value):
        raise bad(rules, "by", f"column {by!r} cannot be ranked")
    return value


def opposite(opponents: int) -> tuple[str, ...]:
    """The line of small print about several opponents."""
    return (f"payback with {opponents} opponents",) if opponents != 1 else ()


def root(value: Any) -> float:
    """A standard deviation from a variance, whatever its type of number."""
    return sqrt(max(0.0, float(value)))


def shown(exact: bool) -> Callable[[Any], Any]:  # noqa: FBT001
    """How frames show a number: as it is, or as a float."""

    def show(value: Any) -> Any:
        return value if exact or value is None or isinstance(value, (str, int)) else float(value)

    return show


def cell(value: Any) -> str:
    """A number or a name as tables show it."""
    if value is None:
        return "–"
    return str(value) if isinstance(value, (str, int)) else f"{float(value):,.4f}"


def columns(cells: Sequence[tuple[str, ...]]) -> list[str]:
    """Rows of cells under one another; what holds words is flush left."""
    wide = [max(map(len, column)) for column in zip(*cells, strict=True)]
    left = [any(c[:1].isalpha() for c in column[1:]) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            f"{cell:<{width}}" if flush else f"{cell:>{width}}"
            for cell, width, flush in zip(row, wide, left, strict=True)
        ).rstrip()
        for row in cells
    ]
