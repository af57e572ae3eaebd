"""Whole groups in one hand: what they bring, how risky they are, and which is best for how long.

The deeds of a group do not earn independently: a token that has just paid on one of them is not on
its way to the next.  Their covariances are exact, and so is the spread of the group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic

from ..chain import Chain, N
from ..effects import Collect, GoTo, Nearest, Owe, Pay, Place, Take, UnlessHeld, inner
from ..events import Event, Landed, Price, lands_on
from ..library import Source
from ..measure import rates
from ..results import Context, as_chain, context, frame_of, html_table
from ..rules import DOUBTFUL, Rules, Square, unknown
from ..turn import Policy
from .deeds import (
    HOTEL,
    Charge,
    Hand,
    Settled,
    Terms,
    bad,
    checked_opponents,
    is_street,
    level_name,
    levels_of,
    members_of,
    settled,
    unit_of,
)
from .table import (
    LOW_IS_GOOD,
    RentTable,
    cell,
    column_of,
    columns,
    opposite,
    payback_of,
    root,
    shape_of,
    shown,
)
from .takings import Takings, takings

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class GroupRow(Generic[N]):
    """A whole group in one hand at one level: what all its deeds bring together.

    `landings` is how often somebody lands on it per unit, `deeds` what its deeds cost,
    `covariances` the long-run covariances between its deeds, in the order of `members`.
    """

    group: str
    level: str
    members: tuple[str, ...]
    landings: N
    mean: N
    variance: N
    variance_one: N
    deeds: int | None
    invested: int | None
    payback: N | None
    covariances: tuple[tuple[N, ...], ...] = field(repr=False)

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
        """What comes in per unit for each 100 invested in deeds and buildings."""
        return self.mean * 100 / Fraction(self.invested) if self.invested else None

    @property
    def correlations(self) -> tuple[tuple[float, ...], ...]:
        """The correlations between the deeds in the long run."""
        roots = [root(row[k]) for k, row in enumerate(self.covariances)]
        return tuple(
            tuple(
                float(value) / (a * b) if a and b else 0.0  # type: ignore[arg-type]
                for value, b in zip(row, roots, strict=True)
            )
            for row, a in zip(self.covariances, roots, strict=True)
        )


@dataclass(frozen=True, slots=True)
class Rank(Generic[N]):
    """One place in a ranking: by how much it is ahead of the next one (None for the last)."""

    group: str
    level: str
    value: N
    margin: N | None


@dataclass(frozen=True, eq=False)
class GroupTable(Generic[N]):
    """Whole groups at every level, what they bring and how risky they are: `groups` makes it."""

    context: Context
    opponents: int
    terms: Terms
    rows: tuple[GroupRow[N], ...]

    def __getitem__(self, which: tuple[str, str | int]) -> GroupRow[N]:
        """The row of a group at a level: `table["orange", 3]`."""
        group, level = which
        name = level_name(level)
        name = HOTEL if name == "5" else name
        found = {(row.group, row.level): row for row in self.rows}
        if (group, name) in found:
            return found[group, name]
        rules = self.context.rules
        if group not in {row.group for row in self.rows}:
            raise bad(rules, group, unknown("group", group, [row.group for row in self.rows]))
        there = ", ".join(row.level for row in self.rows if row.group == group)
        raise bad(rules, group, f"no level {name!r}; the levels of this group are {there}")

    @property
    def lines(self) -> tuple[str, ...]:
        """Title and small print."""
        return (*self.context.lines, *self.terms.lines, *opposite(self.opponents))

    def ranking(self, by: str = "mean", level: str | int | None = None) -> tuple[Rank[N], ...]:
        """The groups from best to worst by a column, each with its margin over the next one.

        Without a level every group stands with its own best level.
        """
        rules = self.context.rules
        name = None if level is None else level_name(level)
        name = HOTEL if name == "5" else name
        rows = [
            row
            for row in self.rows
            if (name is None or row.level == name) and column_of(rules, row, by) is not None
        ]
        if not rows:
            there = sorted({row.level for row in self.rows})
            raise bad(rules, "level", unknown("level", str(name), there))
        low = by in LOW_IS_GOOD
        return _ranked({(r.group, r.level): getattr(r, by) for r in rows}, low=low)

    def after(self, turns: int, level: str | int | None = None) -> tuple[Rank[N], ...]:
        """The ranking by what is left after so many units: rents less all that was invested.

        Counts all opponents.  Without a level every group stands with the level that is best for
        so many units.
        """
        rules = self.context.rules
        if isinstance(turns, bool) or not isinstance(turns, int) or turns < 0:
            raise bad(rules, "turns", f"must be a whole number, 0 or more, not {turns!r}")
        name = None if level is None else level_name(level)
        name = HOTEL if name == "5" else name
        many = turns * (1 if self.context.unit == "round" else self.opponents)
        left = {
            (row.group, row.level): row.mean * many - Fraction(row.invested)
            for row in self.rows
            if row.invested is not None and (name is None or row.level == name)
        }
        if not left:
            known = sorted({row.level for row in self.rows})
            raise bad(self.context.rules, "level", unknown("level", str(level), known))
        return _ranked(left, low=False)

    def frame(self, *, exact: bool = False) -> pd.DataFrame:
        """The table as a pandas frame; `exact=True` keeps Fractions as they are."""
        show = shown(exact)
        return frame_of({c: [show(getattr(row, c)) for row in self.rows] for c in GROUP_COLUMNS})

    def __str__(self) -> str:
        return "\n".join((*self.lines, "", *columns(self._cells())))

    def _cells(self) -> list[tuple[str, ...]]:
        body = (tuple(cell(getattr(row, c)) for c in GROUP_COLUMNS) for row in self.rows)
        return [GROUP_COLUMNS, *body]

    def __repr__(self) -> str:
        return f"<GroupTable {'; '.join(self.lines)}>"

    def _repr_html_(self) -> str:
        return html_table(self.lines, self._cells())


GROUP_COLUMNS = (
    "group",
    "level",
    "landings",
    "mean",
    "sd",
    "sd_one",
    "deeds",
    "invested",
    "payback",
    "per_100",
)
"""The columns of a group table."""


def groups(
    game: Rules | Source | Chain[N],
    *overlays: Source,
    per: str = "roll",
    policy: Policy | None = None,
    opponents: int = 1,
    terms: Terms | None = None,
    number: Callable[[Fraction], N] = Fraction,  # type: ignore[assignment]
) -> GroupTable[N]:
    """What whole groups bring in one hand, what they cost, and how their deeds go together.

    Takes what `rent` takes.  Streets from the set on; railroads and utilities all together.  The
    payback is that of everything invested.  Raises `RulesError` for a game without groups.
    """
    walk = as_chain(game, *overlays, policy=policy, number=number)
    rules = walk.rules
    count = checked_opponents(rules, opponents)
    together = members_of(rules)
    if not together:
        raise bad(rules, "", "no deed of this game belongs to a group")
    asked, unit = settled(walk, terms), unit_of(rules, per)
    shapes = {
        group: {s.id: shape_of(s.id, levels_of(rules, s)[-1]) for s in some}
        for group, some in together.items()
    }
    hands: dict[Any, Hand] = {}
    for by_id in shapes.values():
        names = list(by_id)
        for k, one in enumerate(names):
            for other in names[k:]:
                charges = {n: Charge(by_id[n][1], by_id[n][2]) for n in (one, other)}
                hands[one, other] = Hand(charges, asked)
    counts = Settled("moved", "moved", cards_double=False, chance=Fraction(1), fresh={})
    for group, by_id in shapes.items():
        hands[group] = _Visits(by_id, counts)
    found = takings(walk, unit, hands)
    many = count if per == "round" else 1
    rows: list[GroupRow[N]] = []
    for group, some in together.items():
        for level, charged in _together(rules, some):
            rows.append(_group_row(group, level, some, charged, found, many, (per, count)))
    return GroupTable(context(walk, per, "rent"), count, terms or Terms(), tuple(rows))


class _Visits(Hand):
    """One for every landing on some squares, whatever is due there."""

    def __init__(self, squares: Iterable[str], asked: Settled) -> None:
        super().__init__({square: Charge(1) for square in squares}, asked)

    def law(self, event: Event) -> Mapping[int, Fraction] | None:
        here = isinstance(event, Landed) and event.square in self.charges
        return {1: Fraction(1)} if here else None


def _together(
    rules: Rules, some: Sequence[Square]
) -> Iterable[tuple[str, list[tuple[int, int | None]]]]:
    """The levels that a whole group can have: for each deed the factor and what was invested."""
    ups = [levels_of(rules, square) for square in some]
    names = [up.name for up in ups[0]]
    streets = all(square.deed is not None and is_street(square.deed) for square in some)
    whole = [name for name in names if name != "deed"] if "set" in names or not streets else names
    for name in whole if streets else [str(len(some))]:
        charged: list[tuple[int, int | None]] = []
        for up in ups:
            place = next((k for k, one in enumerate(up) if one.name == name), None)
            if place is None:
                break
            costs = [one.cost for one in up[: place + 1]]
            spent = None if None in costs else sum(cost or 0 for cost in costs)
            charged.append((up[place].rent or 1, spent))
        else:
            yield name, charged


def _group_row(
    group: str,
    level: str,
    some: Sequence[Square],
    charged: Sequence[tuple[int, int | None]],
    found: Mapping[Any, Takings[Any]],
    many: int,
    scale: tuple[str, int],
) -> GroupRow[Any]:
    ids = [square.id for square in some]
    factor = dict(zip(ids, (rent for rent, _ in charged), strict=True))

    def both(a: str, b: str, what: str) -> Any:
        """Cov(a, b) = (Var(a + b) - Var(a) - Var(b)) / 2, at the rents of this level."""
        a, b = sorted((a, b), key=ids.index)
        own = getattr(found[a, b], what)
        if a != b:
            own = (own - getattr(found[a, a], what) - getattr(found[b, b], what)) / 2
        return own * factor[a] * factor[b] * many

    spent = [cost for _, cost in charged]
    invested = None if None in spent else sum(cost or 0 for cost in spent)
    prices = [square.deed.price if square.deed else None for square in some]
    mean: Any = (
        sum(
            (found[a, a].mean * factor[a] for a in ids[1:]),
            found[ids[0], ids[0]].mean * factor[ids[0]],
        )
        * many
    )
    per, opponents = scale
    table = {
        what: [[both(a, b, what) for b in ids] for a in ids]
        for what in ("variance", "variance_one")
    }
    return GroupRow(
        group,
        level,
        tuple(ids),
        found[group].mean * many,
        mean,
        _whole(table["variance"]),
        _whole(table["variance_one"]),
        None if None in prices else sum(price or 0 for price in prices),
        invested,
        payback_of(invested, mean, 1 if per == "round" else opponents),
        tuple(map(tuple, table["variance"])),
    )


def _whole(table: Sequence[Sequence[Any]]) -> Any:
    values = [value for row in table for value in row]
    return sum(values[1:], values[0])


def _ranked(values: Mapping[tuple[str, str], Any], *, low: bool) -> tuple[Rank[Any], ...]:
    best: dict[str, tuple[Any, str]] = {}
    for (group, level), value in values.items():
        if group not in best or (value < best[group][0] if low else value > best[group][0]):
            best[group] = (value, level)
    order = sorted(best.items(), key=lambda item: item[1][0], reverse=not low)
    following: list[Any] = [*(value for _, (value, _) in order[1:]), None]
    return tuple(
        Rank(group, level, value, None if after is None else abs(value - after))
        for (group, (value, level)), after in zip(order, following, strict=True)
    )


# ---------------------------------------------------------------------------- invented boards


@dataclass(frozen=True, slots=True)
class Moved(Generic[N]):
    """How far a deed's rent moves when its invented square is exchanged for another one."""

    square: str
    level: str
    mean: N
    low: N
    high: N

    def surely_beats(self, other: Moved[N]) -> bool:
        """Whether this deed earns more wherever the two of them stand."""
        return float(self.low) > float(other.high)  # type: ignore[arg-type]


def how_far(table: RentTable[N]) -> tuple[Moved[N], ...]:
    """What each deed earns, and the least and the most that it would on another square.

    Exchanges it with every square whose position is not evidence either.  The walk does not care
    which of them stand where, as long as they only move money and no card leads there, so the
    range is exact; for rents by the throw the mean throw is kept.  Deeds whose position is known
    do not move.
    """
    rules, walk = table.context.rules, table.walk
    landed: dict[str, Price] = {s.id: lands_on(s.id) for s in rules.squares}
    often = rates(walk, unit_of(rules, table.context.unit), landed)
    loose: list[Any] = [often[s.id] for s in rules.squares if _loose(walk, s) and often[s.id]]
    moved = []
    for row in table.rows:
        low = high = row.mean
        if _loose(walk, rules.square(row.id)) and loose:
            low = row.mean * min(loose) / often[row.id]
            high = row.mean * max(loose) / often[row.id]
        moved.append(Moved(row.id, row.level, row.mean, low, high))
    return tuple(moved)


_ONLY_MONEY = (Collect, Pay, Owe, Take, UnlessHeld)


def _loose(walk: Chain[Any], square: Square) -> bool:
    """Whether a square stands where it stands by invention, and could as well stand elsewhere."""
    rules = walk.rules
    return (
        rules.grade_of(f"squares.{square.id}.position") in DOUBTFUL
        and square.id not in (rules.lap, rules.start.square)
        and not square.passing
        and not square.stop
        and all(isinstance(effect, _ONLY_MONEY) for effect in inner(square.landing))
        and square.id not in _led_to(rules)
    )


def _led_to(rules: Rules) -> set[str]:
    """The squares that some card or square sends a token to."""
    effects = [e for deck in rules.decks.values() for c in deck.cards for e in inner(c.effects)]
    effects += [e for square in rules.squares for e in inner(square.landing)]
    named = {e.square for e in effects if isinstance(e, (GoTo, Place))}
    groups_led = {e.group for e in effects if isinstance(e, Nearest)}
    return named | {
        s.id
        for s in rules.squares
        if s.kind in groups_led or (s.deed is not None and s.deed.group in groups_led)
    }
