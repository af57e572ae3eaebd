"""Money now against rent later: the next house, a mortgage, a bid.

Everything here weighs the mean rents of `boardrules.rents` against money, per turn of an opponent;
how sure they are is told by `boardrules.rents.payback`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil, floor
from typing import TYPE_CHECKING, Any, Generic

from ..chain import Chain, N
from ..events import Price, turns
from ..library import Source
from ..measure import rates
from ..results import Context, as_chain, context, frame_of, html_table
from ..rules import Rules, Square
from ..turn import Policy
from .deeds import (
    HOTEL,
    Charge,
    Hand,
    Terms,
    bad,
    charge_at,
    checked_opponents,
    checked_turns,
    deed_square,
    deeds,
    is_street,
    level_of,
    levels_of,
    members_of,
    settled,
)
from .payback import Holding, hand_of
from .table import cell
from .takings import condensed
from .till import Start, moments_after, turn_starts

if TYPE_CHECKING:
    import pandas as pd


class _Table(Generic[N]):
    """What the tables of this room share: a title, columns, a view."""

    context: Context
    rows: tuple[Any, ...]
    columns: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """Title and small print."""
        return self.context.lines

    def frame(self, *, exact: bool = False) -> pd.DataFrame:
        """The table as a pandas frame; `exact=True` keeps Fractions as they are."""
        return frame_of(
            {c: [_value(getattr(row, c), exact=exact) for row in self.rows] for c in self.columns}
        )

    def _cells(self) -> list[tuple[str, ...]]:
        body = (tuple(cell(getattr(row, c)) for c in self.columns) for row in self.rows)
        return [self.columns, *body]

    def __str__(self) -> str:
        cells = self._cells()
        wide = [max(map(len, column)) for column in zip(*cells, strict=True)]
        body = (
            "  ".join(f"{cell:<{width}}" for cell, width in zip(row, wide, strict=True)).rstrip()
            for row in cells
        )
        return "\n".join((*self.lines, "", *body))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {'; '.join(self.lines)}>"

    def _repr_html_(self) -> str:
        return html_table(self.lines, self._cells())


def _value(value: Any, *, exact: bool) -> Any:
    plain = exact or value is None or isinstance(value, (str, int))
    return value if plain else float(value)


def _per_turn(walk: Chain[N], hands: Mapping[Any, Hand]) -> dict[Any, N]:
    """The mean rent of some hands per turn of an opponent, in the long run."""
    squares = {square for hand in hands.values() for square in hand.charges}

    def kept(event: Any) -> bool:
        return bool(turns(event)) or getattr(event, "square", None) in squares

    def price(hand: Hand) -> Price:
        return lambda event: walk.number(Fraction(mean)) if (mean := hand.mean(event)) else 0

    return rates(condensed(walk, kept), turns, {name: price(hand) for name, hand in hands.items()})


# --------------------------------------------------------------------------------- building


@dataclass(frozen=True, slots=True)
class Step(Generic[N]):
    """One house (or hotel) that may be built now: its cost, and the rent it adds per turn.

    `payback` is in opponent turns for one opponent, divided by the number of opponents.
    """

    square: int
    id: str
    name: str
    level: str
    cost: int
    gain: N
    per_100: N
    payback: N | None


@dataclass(frozen=True, eq=False, repr=False)
class Steps(_Table[N]):
    """The building steps that are allowed now, the best return first: `next_steps` makes it."""

    context: Context
    rows: tuple[Step[N], ...]
    columns = ("square", "name", "level", "cost", "gain", "per_100", "payback")


def next_steps(
    game: Rules | Source | Chain[N],
    *overlays: Source,
    hand: Holding,
    budget: int | None = None,
    houses: int | None = None,
    hotels: int | None = None,
    opponents: int = 1,
    policy: Policy | None = None,
    terms: Terms | None = None,
    number: Callable[[Fraction], N] = Fraction,  # type: ignore[assignment]
) -> Steps[N]:
    """Which house to build next: every step that is allowed, the best return per money first.

    `hand` is what one player owns.  A step needs the whole group, even building, the budget, and a
    house or hotel in the bank: `houses` and `hotels` are what the bank has left (default: the
    whole stock less what the hand has built).  Raises `RulesError` for a hand that cannot be.
    """
    walk = as_chain(game, *overlays, policy=policy, number=number)
    rules, count = walk.rules, checked_opponents(walk.rules, opponents)
    yard = _Yard(walk, hand, houses, hotels, terms)
    found: list[Step[N]] = []
    for name, level in yard.levels.items():
        if not yard.can_step(name, budget):
            continue
        square = rules.square(name)
        gain = yard.gain(name, level, level + 1)
        cost = yard.cost(name)
        found.append(
            Step(
                square.number,
                name,
                square.name,
                yard.level_name(level + 1),
                cost,
                gain,
                gain * 100 / Fraction(cost) if cost else gain,
                Fraction(cost) / (gain * count) if gain > 0 else None,
            )
        )
    found.sort(key=lambda step: float(step.per_100), reverse=True)  # type: ignore[arg-type]
    return Steps(context(walk, "turn", "rent"), tuple(found))


@dataclass(frozen=True, slots=True)
class Plan(Generic[N]):
    """The best way to spend a budget on houses: the levels to reach, cost and rent per turn.

    `gain` is the rent added per turn of one opponent, `net` what is left of it over the horizon
    from all opponents when the houses are paid for (None without a horizon).
    """

    levels: Mapping[str, str]
    cost: int
    gain: N
    net: N | None


def best_plan(
    game: Rules | Source | Chain[N],
    *overlays: Source,
    hand: Holding,
    budget: int,
    turns_left: int | None = None,
    houses: int | None = None,
    hotels: int | None = None,
    opponents: int = 1,
    policy: Policy | None = None,
    terms: Terms | None = None,
    number: Callable[[Fraction], N] = Fraction,  # type: ignore[assignment]
) -> Plan[N]:
    """The houses that bring most for a budget: all of them together, not one after the other.

    Without `turns_left` the most rent per turn, the cheapest way to it; with it the most that is
    left after so many turns of each opponent, building paid.  Even building and the bank's stock
    are kept, on the way too: four houses have to be there before they become a hotel.
    """
    walk = as_chain(game, *overlays, policy=policy, number=number)
    rules, count = walk.rules, checked_opponents(walk.rules, opponents)
    yard = _Yard(walk, hand, houses, hotels, terms)
    if isinstance(budget, bool) or not isinstance(budget, int) or budget < 0:
        raise bad(rules, "budget", f"needs a whole number, 0 or more, not {budget!r}")
    many = None if turns_left is None else checked_turns(rules, turns_left) * count
    zero: Any = walk.number(Fraction(0))
    # for each (cost, houses, hotels) the plan with the most rent
    plans: dict[tuple[int, int, int], tuple[Any, dict[str, int]]] = {(0, 0, 0): (zero, {})}
    for group in yard.groups():
        wider: dict[tuple[int, int, int], tuple[Any, dict[str, int]]] = {}
        options = yard.options(group, budget)
        for (cost, used, inns), (gain, chosen) in plans.items():
            for more_cost, more_used, more_inns, more_gain, reached in options:
                key = (cost + more_cost, used + more_used, inns + more_inns)
                if key[0] > budget:
                    continue
                total = gain + more_gain
                if key not in wider or total > wider[key][0]:
                    wider[key] = (total, {**chosen, **reached})
        plans = wider

    def worth(item: tuple[tuple[int, int, int], tuple[Any, dict[str, int]]]) -> tuple[Any, int]:
        (cost, _, _), (gain, _) = item
        return (gain if many is None else gain * many - Fraction(cost), -cost)

    for (cost, _, _), (gain, reached) in sorted(plans.items(), key=worth, reverse=True):
        if yard.in_stock(reached):
            names = {n: yard.level_name(k) for n, k in reached.items() if k != yard.levels[n]}
            net = None if many is None else gain * many - Fraction(cost)
            return Plan(names, cost, gain, net)
    raise AssertionError("building nothing is always possible")


class _Yard:
    """What one player may build: his streets, their levels as numbers of houses, the stock."""

    def __init__(
        self,
        walk: Chain[Any],
        hand: Holding,
        houses: int | None,
        hotels: int | None,
        terms: Terms | None,
    ) -> None:
        self.rules = walk.rules
        hand_of(walk, hand, terms)  # refuses what cannot be
        self.free = self.rules.buying.first_house_free
        self._lowest = 1 if self.free else 0
        streets = [self.rules.square(n) for n in hand if self._street(self.rules.square(n))]
        self.levels = {s.id: self._houses(s, hand[s.id]) for s in streets}
        self.whole = {
            s.id: s.deed is not None
            and all(one.id in hand for one in members_of(self.rules).get(s.deed.group, (s,)))
            for s in streets
        }
        asked = settled(walk, terms)
        self._rents = {s.id: self._by_houses(s) for s in streets}
        self._often = (
            _per_turn(walk, {s.id: Hand({s.id: Charge(1)}, asked) for s in streets})
            if streets
            else {}
        )
        mine = self._used(self.levels)
        self.houses = self._stock(houses, self.rules.building.houses, mine[0], "houses")
        self.hotels = self._stock(hotels, self.rules.building.hotels, mine[1], "hotels")

    def _street(self, square: Square) -> bool:
        return square.deed is not None and is_street(square.deed)

    def _houses(self, square: Square, level: str | int) -> int:
        names = [one.name for one in levels_of(self.rules, square)]
        name = names[level_of(self.rules, square.id, level)]
        return 5 if name == HOTEL else int(name) if name.isdigit() else 0

    def _by_houses(self, square: Square) -> dict[int, int]:
        """The rent by number of houses; bare streets as they stand in this hand."""
        found: dict[int, int] = {}
        for one in levels_of(self.rules, square):
            if one.name != "set" or self.whole[square.id]:
                found[self._houses(square, one.name)] = one.rent
        return found

    def _stock(self, left: int | None, whole: int | None, mine: int, what: str) -> int | None:
        if left is None:
            return None if whole is None else whole - mine
        if isinstance(left, bool) or not isinstance(left, int) or left < 0:
            raise bad(self.rules, what, f"needs a whole number, 0 or more, not {left!r}")
        return left

    def level_name(self, houses: int) -> str:
        return HOTEL if houses == 5 and not self.free else str(houses)

    def cost(self, name: str) -> int:
        deed = self.rules.square(name).deed
        return deed.house or 0 if deed is not None else 0

    def gain(self, name: str, before: int, after: int) -> Any:
        return self._often[name] * (self._rents[name][after] - self._rents[name][before])

    def can_step(self, name: str, budget: int | None) -> bool:
        """Whether the next house on a street is allowed, affordable, and in the bank."""
        level = self.levels[name]
        building = self.rules.building
        if level + 1 not in self._rents[name] or not (self.whole[name] or not building.needs_group):
            return False
        if budget is not None and self.cost(name) > budget:
            return False
        if building.even and level > min(self.levels[n] for n in self._same_group(name)):
            return False
        left = self.hotels if level == 4 and not self.free else self.houses
        return left is None or left > 0

    def _same_group(self, name: str) -> list[str]:
        deed = self.rules.square(name).deed
        group = deed.group if deed is not None else ""
        if not group:
            return [name]
        return [n for n in self.levels if getattr(self.rules.square(n).deed, "group", "") == group]

    def groups(self) -> list[list[str]]:
        """Streets whose building hangs together; where nothing is even, each by itself."""
        if not self.rules.building.even:
            return [[name] for name in self.levels]
        found: dict[str, list[str]] = {}
        for name in self.levels:
            found.setdefault(self._same_group(name)[0], []).append(name)
        return list(found.values())

    def options(
        self, group: Sequence[str], budget: int
    ) -> list[tuple[int, int, int, Any, dict[str, int]]]:
        """Cost, houses, hotels, rent and levels of every way to build on a group."""
        now = [self.levels[name] for name in group]
        allowed = all(self.whole[n] for n in group) or not self.rules.building.needs_group
        top = [max(self._rents[name]) if allowed else self.levels[name] for name in group]
        best: dict[tuple[int, int, int], tuple[Any, dict[str, int]]] = {}
        ranges = (range(a, b + 1) for a, b in zip(now, top, strict=True))
        before = self._used(dict(zip(group, now, strict=True)))
        for levels in product(*ranges):
            if self.rules.building.even and max(levels) - min(levels) > 1 and levels != tuple(now):
                continue
            reached = dict(zip(group, levels, strict=True))
            cost = sum(self.cost(n) * (b - a) for n, a, b in zip(group, now, levels, strict=True))
            if cost > budget:
                continue
            gains = [self.gain(n, a, b) for n, a, b in zip(group, now, levels, strict=True)]
            gain = sum(gains[1:], gains[0])
            used = self._used(reached)
            key = (cost, used[0] - before[0], used[1] - before[1])
            if key not in best or gain > best[key][0]:
                best[key] = (gain, reached)
        return [(*key, gain, reached) for key, (gain, reached) in best.items()]

    def _used(self, levels: Mapping[str, int]) -> tuple[int, int]:
        if self.free:
            return 0, 0
        return sum(k for k in levels.values() if k < 5), sum(k == 5 for k in levels.values())

    def in_stock(self, reached: Mapping[str, int]) -> bool:
        """Whether the bank has the houses, on the way to the hotels as well.

        Groups that give houses back are built first, those that need least on the way before the
        others; then those that keep houses, the ones that give most back on the way first.
        """
        before, after = self._used(self.levels), self._used({**self.levels, **reached})
        if self.hotels is not None and after[1] - before[1] > self.hotels:
            return False
        if self.houses is None:
            return True
        changes = []
        for group in self.groups():
            old = {n: self.levels[n] for n in group}
            new = {n: reached.get(n, self.levels[n]) for n in group}
            first, last = self._used(old)[0], self._used(new)[0]
            inns = [n for n in group if new[n] == 5 and old[n] < 5]
            on_the_way = 4 * sum(k < 5 for k in old.values()) if inns else last
            changes.append((max(on_the_way, last) - first, last - first))
        left = self.houses
        giving = sorted(change for change in changes if change[1] <= 0)
        keeping = sorted((c for c in changes if c[1] > 0), key=lambda c: c[1] - c[0])
        for most, kept in (*giving, *keeping):
            if most > left:
                return False
            left -= kept
        return True


# -------------------------------------------------------------------------------- mortgages


@dataclass(frozen=True, slots=True)
class MortgageRow(Generic[N]):
    """One deed that may be mortgaged: the cash now, and what it costs later.

    `cash` counts the buildings of the group that have to be sold first (`sold`); `to_lift` is paid
    to the bank later, `on_transfer` by a new owner at once; `lost` is the rent lost per turn of an
    opponent; `break_even` the number of opponent turns after which the lost rent has eaten the
    cash; `cost` the lost rent over the horizon and the interest, and `per_100` that per 100 cash.
    """

    square: int
    id: str
    name: str
    level: str
    cash: int
    sold: int
    to_lift: int
    on_transfer: int
    lost: N
    break_even: N | None
    cost: N
    per_100: N


@dataclass(frozen=True, eq=False, repr=False)
class Mortgages(_Table[N]):
    """What each mortgage costs, the cheapest cash first: `mortgages` makes it."""

    context: Context
    turns: int
    opponents: int
    rows: tuple[MortgageRow[N], ...]
    columns = (
        "square",
        "name",
        "level",
        "cash",
        "sold",
        "to_lift",
        "on_transfer",
        "lost",
        "break_even",
        "cost",
        "per_100",
    )

    @property
    def lines(self) -> tuple[str, ...]:
        """Title and small print."""
        text = f"lifted after {self.turns} turns of each of {self.opponents} opponents"
        return (*self.context.lines, text)


def mortgages(
    game: Rules | Source | Chain[N],
    *overlays: Source,
    hand: Holding,
    turns_left: int = 20,
    opponents: int = 1,
    policy: Policy | None = None,
    terms: Terms | None = None,
    number: Callable[[Fraction], N] = Fraction,  # type: ignore[assignment]
) -> Mortgages[N]:
    """Which deed to mortgage first: what cash now costs in lost rent and interest.

    `hand` is what one player owns, with levels.  Where houses can be sold back, those of the whole
    group are sold first.  The cheapest cash over `turns_left` turns of each opponent comes first.
    Raises `RulesError` if nothing in the hand can be mortgaged.
    """
    walk = as_chain(game, *overlays, policy=policy, number=number)
    rules, count = walk.rules, checked_opponents(walk.rules, opponents)
    many = checked_turns(rules, turns_left) * count
    hand_of(walk, hand, terms)
    asked = settled(walk, terms)
    able = [deed_square(rules, name) for name in hand if _can_mortgage(rules, name)]
    if not able:
        raise bad(rules, "hand", "none of these deeds can be mortgaged")
    hands: dict[Any, Hand] = {}
    for square in able:
        now, later = _before_and_after(rules, square, hand)
        hands[square.id, "now"] = Hand(now, asked)
        if later:
            hands[square.id, "later"] = Hand(later, asked)
    mean = _per_turn(walk, hands)
    rows: list[MortgageRow[N]] = []
    for square in able:
        deed = square.deed
        assert deed is not None
        assert deed.mortgage is not None
        sold = _sold(rules, square, hand)
        interest = rounded(rules, deed.mortgage * rules.mortgage.interest)
        lost: Any = mean[square.id, "now"]
        if (square.id, "later") in mean:
            lost = lost - mean[square.id, "later"]
        cash = deed.mortgage + sold
        cost = lost * many + walk.number(Fraction(interest))
        rows.append(
            MortgageRow(
                square.number,
                square.id,
                square.name,
                str(hand[square.id]),
                cash,
                sold,
                deed.mortgage + interest,
                rounded(rules, deed.mortgage * rules.mortgage.transfer),
                lost,
                Fraction(cash) / lost if lost > 0 else None,
                cost,
                cost * 100 / Fraction(cash),
            )
        )
    rows.sort(key=lambda row: float(row.per_100))  # type: ignore[arg-type]
    return Mortgages(context(walk, "turn", "rent"), turns_left, count, tuple(rows))


def _can_mortgage(rules: Rules, name: str) -> bool:
    deed = deed_square(rules, name).deed
    return (
        deed is not None
        and bool(deed.mortgage)
        and (not rules.mortgage.kinds or deed.kind in rules.mortgage.kinds)
    )


def rounded(rules: Rules, amount: Fraction | int) -> int:
    """An amount of interest in whole money, by the rule of the game: up, or to the nearest."""
    exact = Fraction(amount)
    return ceil(exact) if rules.mortgage.rounding == "up" else floor(exact + Fraction(1, 2))


def _built_group(rules: Rules, square: Square, hand: Holding) -> list[str]:
    """The deeds of a group whose houses must be sold before one of them is mortgaged."""
    deed = square.deed
    if not rules.building.sell_back or deed is None or not is_street(deed):
        return [square.id]
    some = members_of(rules).get(deed.group, (square,))
    return [one.id for one in some if one.id in hand]


def _steps_up(rules: Rules, name: str, level: str | int) -> int:
    """How many houses stand at a level; a hotel counts as five."""
    known = levels_of(rules, rules.square(name))[: level_of(rules, name, level) + 1]
    return sum(one.name.isdigit() or one.name == HOTEL for one in known)


def _sold(rules: Rules, square: Square, hand: Holding) -> int:
    if not rules.building.sell_back or square.deed is None or not is_street(square.deed):
        return 0
    total = Fraction(0)
    for name in _built_group(rules, square, hand):
        deed = rules.square(name).deed
        house = deed.house or 0 if deed is not None else 0
        total += rules.building.sell_back * house * _steps_up(rules, name, hand[name])
    return floor(total)


def _before_and_after(
    rules: Rules, square: Square, hand: Holding
) -> tuple[dict[str, Charge], dict[str, Charge]]:
    """What the deeds concerned ask now, and once this one is mortgaged and the houses are gone."""
    if square.deed is None or not is_street(square.deed) or not _sold(rules, square, hand):
        return {square.id: charge_at(rules, square.id, hand[square.id])}, {}
    concerned = _built_group(rules, square, hand)
    now = {name: charge_at(rules, name, hand[name]) for name in concerned}
    later = {}
    for name in concerned:
        names = [one.name for one in levels_of(rules, rules.square(name))]
        bare = "set" if "set" in names else names[0]
        if name != square.id:
            later[name] = charge_at(rules, name, bare)
    return now, later


# ------------------------------------------------------------------------------------- bids


@dataclass(frozen=True, slots=True)
class Bid(Generic[N]):
    """What one space is worth at an auction: at its first level, and at its best level.

    `rent` is the mean rent per opponent turn at the first level, `first` the present value there;
    `best` is the present value if it is built up to `level` at once, the houses paid for.
    """

    square: int
    id: str
    name: str
    rent: N
    first: N
    level: str
    best: N


@dataclass(frozen=True, eq=False, repr=False)
class Bids(_Table[N]):
    """Present values of all spaces, the dearest first: `fair_bids` makes it."""

    context: Context
    turns: int
    opponents: int
    discount: Fraction
    rows: tuple[Bid[N], ...]
    columns = ("square", "name", "rent", "first", "level", "best")

    @property
    def lines(self) -> tuple[str, ...]:
        """Title and small print."""
        text = f"present value over {self.turns} turns of each of {self.opponents} opponents"
        return (*self.context.lines, f"{text}, discount {self.discount} a turn")


def fair_bids(
    game: Rules | Source | Chain[N],
    *overlays: Source,
    turns_left: int,
    opponents: int = 1,
    discount: Fraction | int | float | str = 1,
    final_count: bool = True,
    start: Start = None,
    policy: Policy | None = None,
    terms: Terms | None = None,
    number: Callable[[Fraction], N] = Fraction,  # type: ignore[assignment]
) -> Bids[N]:
    """What each space is worth at an auction with so many turns of each opponent still to come.

    The mean rents of those turns, a rent in turn t weighted with `discount` to the power t, and at
    the end what the space counts for (`final_count`), less the houses.  `start` is where the
    opponents stand (default: the long run).  Whoever bids more loses on average.
    """
    walk = as_chain(game, *overlays, policy=policy, number=number)
    rules, count = walk.rules, checked_opponents(walk.rules, opponents)
    many, each = checked_turns(rules, turns_left), _discount(rules, discount)
    asked = settled(walk, terms)
    if not deeds(rules):
        raise bad(rules, "", "this game has no deeds")
    hands: dict[tuple[str, str], Hand] = {}
    for square in deeds(rules):
        for one in levels_of(rules, square):
            charge = Charge(one.rent, one.times)
            hands[square.id, one.name] = Hand({square.id: charge}, asked)
    rent = _per_turn(walk, hands)
    if start is None:
        weight = sum((each**t for t in range(1, many + 1)), Fraction(0)) * count
        value = {key: mean * walk.number(weight) for key, mean in rent.items()}
    else:
        value = _transient(walk, hands, start, [each**t * count for t in range(1, many + 1)])
    rows: list[Bid[N]] = []
    for square in deeds(rules):
        last = _final(rules, square) * each**many if final_count else Fraction(0)
        spent, worth = 0, list[tuple[Any, str]]()
        for k, one in enumerate(levels_of(rules, square)):
            if one.name == "set":
                continue
            spent += (one.cost or 0) if k else 0
            net = value[square.id, one.name] + walk.number(last - spent)
            worth.append((net, one.name))
        best, level = max(worth, key=lambda pair: pair[0])
        first = worth[0]
        mean = rent[square.id, first[1]]
        rows.append(Bid(square.number, square.id, square.name, mean, first[0], level, best))
    rows.sort(key=lambda row: float(row.best), reverse=True)  # type: ignore[arg-type]
    return Bids(context(walk, "turn", "rent"), many, count, each, tuple(rows))


def _discount(rules: Rules, value: Fraction | int | float | str) -> Fraction:
    try:
        exact = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        exact = Fraction(0)
    if not 0 < exact <= 1:
        raise bad(rules, "discount", f"needs a share above 0, at most 1, not {value!r}")
    return exact


def _final(rules: Rules, square: Square) -> int:
    """What an unmortgaged space counts for when the game is over; houses are left out."""
    deed = square.deed
    if deed is None or deed.mortgage is None:
        return 0
    if is_street(deed):
        return deed.mortgage if rules.end.street_counts_as != "nothing" else 0
    counts = deed.kind == "building" and rules.end.building_counts_as == "mortgage"
    return deed.mortgage if counts else 0


def _transient(
    walk: Chain[N], hands: Mapping[tuple[str, str], Hand], start: Start, weights: Sequence[Fraction]
) -> dict[tuple[str, str], N]:
    """The weighted rents of the coming turns, from a given place."""
    walk, begun = turn_starts(walk, start)
    found: dict[tuple[str, str], N] = {}
    for square, group in _by_square(hands):
        unit = Hand({square: Charge(1)}, next(iter(group.values())).settled)
        fixed = all(charge.times == 0 for h in group.values() for charge in h.charges.values())
        for name, hand in group.items():
            if fixed and (square, "") in found:
                scale = hand.charges[square].rent
                found[square, name] = found[square, ""] * scale
                continue
            which = unit if fixed else hand
            sums = moments_after(walk, which.mean, _zero, begun, len(weights))
            total: Any = walk.number(Fraction(0))
            for before, after, weight in zip(sums, sums[1:], weights, strict=False):
                total = total + (after.mean - before.mean) * walk.number(weight)
            if fixed:
                found[square, ""] = total
                found[square, name] = total * hand.charges[square].rent
            else:
                found[square, name] = total
    return found


def _by_square(hands: Mapping[tuple[str, str], Hand]) -> Iterator[tuple[str, dict[str, Hand]]]:
    grouped: dict[str, dict[str, Hand]] = {}
    for (square, name), hand in hands.items():
        grouped.setdefault(square, {})[name] = hand
    yield from grouped.items()


def _zero(event: Any) -> int:  # noqa: ARG001
    return 0
