"""A game in the middle: who owns what, where the tokens stand, and what the next turns bring.

A position is a dict, or a small TOML or JSON file:

    [players.Anna]
    square = "new_york"
    cash = 350
    deeds = { boardwalk = "hotel", park_place = 4, reading = "mortgaged", oriental = 0 }
    [players.Ben]
    square = "jail"
    jailed = 2                     # before his second roll in jail
    deeds = ["short_line", "st_james"]

Levels are numbers of houses, "hotel" or "mortgaged"; sets, railroads and utilities are counted.
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeAlias

from ..chain import Chain, N
from ..effects import PLAYERS
from ..events import PLAYER, Event, Landed, Paid, Price, Repaired, bank
from ..library import Source
from ..results import Context, as_chain, context, frame_of, html_table, in_floats_by_default
from ..rules import Problem, Rules, RulesError, Square, unknown
from ..turn import Policy
from .deeds import (
    HOTEL,
    Charge,
    Hand,
    Settled,
    Terms,
    charge_at,
    checked_turns,
    deed_square,
    deeds,
    is_street,
    level_of,
    levels,
    levels_of,
    members_of,
    settled,
)
from .till import Till, added, moments_after, turn_starts

if TYPE_CHECKING:
    import pandas as pd

MORTGAGED = "mortgaged"
MOST_BYTES = 1_000_000
MOST_PLAYERS = 20

Given: TypeAlias = Mapping[str, Any] | str | PathLike[str]
"""A position as a dict, or the path of a TOML or JSON file."""


@dataclass(frozen=True, slots=True)
class Player:
    """One player: where the token stands, the deeds with their levels (or "mortgaged"), the cash.

    `cash` is None where it was not told.
    """

    name: str
    square: str
    jailed: int
    deeds: Mapping[str, str]
    cash: int | None = None


@dataclass(frozen=True, slots=True)
class Position:
    """A checked position of one game."""

    rules: Rules
    players: tuple[Player, ...]

    def holding(self, player: Player) -> dict[str, str]:
        """A player's deeds with the levels they charge by, mortgaged deeds left out.

        Sets, railroads and utilities are counted, mortgaged ones included.  This is what the
        questions in `boardrules.rents.payback` and `boardrules.rents.invest` call a hand.
        """
        found = {}
        counts = Counter(self._group(name) for name in player.deeds)
        for name, level in player.deeds.items():
            if level == MORTGAGED:
                continue
            group = self._group(name)
            square = self.rules.square(name)
            assert square.deed is not None
            if group and not is_street(square.deed):
                level = str(counts[group])
            elif level == "deed" and group and counts[group] == len(members_of(self.rules)[group]):
                names = [one.name for one in levels_of(self.rules, square)]
                level = "set" if "set" in names else level
            found[name] = level
        return found

    def charges(self, player: Player) -> dict[str, Charge]:
        """What each deed of a player asks now, mortgaged deeds left out."""
        held = self.holding(player)
        return {name: charge_at(self.rules, name, level) for name, level in held.items()}

    def houses(self, player: Player) -> tuple[int, int]:
        """How many houses and hotels a player has built, for repairs."""
        built = [_houses(self.rules, name, level) for name, level in player.deeds.items()]
        return sum(k for k in built if k < 5), sum(k == 5 for k in built)

    def _group(self, name: str) -> str:
        deed = self.rules.square(name).deed
        return deed.group if deed is not None else ""


def _houses(rules: Rules, name: str, level: str) -> int:
    deed = rules.square(name).deed
    if deed is None or not is_street(deed) or rules.buying.first_house_free:
        return int(level) if level.isdigit() and deed is not None and is_street(deed) else 0
    return 5 if level == HOTEL else int(level) if level.isdigit() else 0


# --------------------------------------------------------------------------------- reading


def position(rules: Rules, given: Given) -> Position:
    """Read a position and check it against the rules.

    Raises `RulesError` with all problems: unknown players' keys, squares and deeds, deeds with two
    owners, houses without the group or on a railroad, uneven building, more than the bank has.
    """
    table, where = _opened(given)
    problems: list[Problem] = []
    players = _players(rules, table, problems)
    if players and not problems:
        problems += _impossible(rules, players)
    if problems:
        raise RulesError(
            f"position for {rules.label}",
            [Problem(where, problem.path, problem.text) for problem in problems],
        )
    return Position(rules, tuple(players))


def _opened(given: Given) -> tuple[Mapping[str, Any], str]:
    if isinstance(given, Mapping):
        return given, ""
    file = Path(given)
    try:
        if file.stat().st_size > MOST_BYTES:
            raise ValueError(f"larger than {MOST_BYTES:,} bytes")
        text = file.read_text(encoding="utf-8-sig")
        table = json.loads(text) if file.suffix == ".json" else tomllib.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        raise RulesError("position", [Problem(file.name, "", f"cannot be read: {error}")]) from None
    if not isinstance(table, dict):
        raise RulesError("position", [Problem(file.name, "", "needs a table of players")])
    return table, file.name


_TOP = ("players", "game")
_KEYS = ("square", "jailed", "deeds", "cash")


def _players(rules: Rules, table: Mapping[str, Any], problems: list[Problem]) -> list[Player]:
    problems += [
        Problem("", str(key), unknown("key", str(key), _TOP)) for key in table if key not in _TOP
    ]
    if table.get("game", rules.id) != rules.id:
        text = f"this position is for {table['game']!r}, not for {rules.id!r}"
        problems.append(Problem("", "game", text))
    players = table.get("players")
    if not isinstance(players, Mapping) or not 2 <= len(players) <= MOST_PLAYERS:
        problems.append(Problem("", "players", f"needs a table of 2 to {MOST_PLAYERS} players"))
        return []
    return [_player(rules, str(name), one, problems) for name, one in players.items()]


def _player(rules: Rules, name: str, given: Any, problems: list[Problem]) -> Player:
    path = f"players.{name}"
    if not isinstance(given, Mapping):
        problems.append(Problem("", path, "needs a table with square and deeds"))
        given = {}
    problems += [
        Problem("", f"{path}.{key}", unknown("key", str(key), _KEYS))
        for key in given
        if key not in _KEYS
    ]
    square = given.get("square", rules.start.square)
    if not isinstance(square, str) or square not in rules.index:
        text = unknown("square", str(square), rules.index)
        problems.append(Problem("", f"{path}.square", text))
    jailed = given.get("jailed", 0)
    if isinstance(jailed, bool) or not isinstance(jailed, int) or jailed < 0:
        problems.append(
            Problem("", f"{path}.jailed", f"needs 0 or the number of a roll: {jailed!r}")
        )
    elif jailed and rules.jail is None:
        problems.append(Problem("", f"{path}.jailed", "there is no jail in this game"))
    elif jailed and rules.jail and (jailed > rules.jail.attempts or square != rules.jail.square):
        text = f"a token in jail stands on {rules.jail.square}, before roll 1 to "
        problems.append(Problem("", f"{path}.jailed", text + str(rules.jail.attempts)))
    cash = given.get("cash")
    if cash is not None and (isinstance(cash, bool) or not isinstance(cash, int) or cash < 0):
        problems.append(Problem("", f"{path}.cash", f"needs a whole number, 0 or more: {cash!r}"))
    owned = given.get("deeds", {})
    if isinstance(owned, (list, tuple)):
        owned = dict.fromkeys(map(str, owned), 0)
    if not isinstance(owned, Mapping):
        problems.append(Problem("", f"{path}.deeds", "needs a list of deeds, or deeds with levels"))
        owned = {}
    held = {}
    for deed, level in owned.items():
        try:
            held[str(deed)] = _level(rules, str(deed), level)
        except RulesError as error:
            problems += [Problem("", f"{path}.deeds.{deed}", p.text) for p in error.problems]
    return Player(name, str(square), jailed if isinstance(jailed, int) else 0, held, cash)


def _level(rules: Rules, deed: str, level: Any) -> str:
    """The name of a level: what a deed is worth by its group is found out later."""
    square = deed_square(rules, deed)
    known = levels(rules, deed)
    assert square.deed is not None
    if level == MORTGAGED:
        if square.deed.mortgage is None or (
            rules.mortgage.kinds and square.deed.kind not in rules.mortgage.kinds
        ):
            text = f"{square.name} cannot be mortgaged"
            raise RulesError(rules.label, [Problem("", deed, text)])
        return MORTGAGED
    if level in (0, "deed", "set", "", None) and not isinstance(level, bool):
        return known[0].name
    if not is_street(square.deed) and square.deed.group:
        text = f"nobody builds on {square.name}; say 0 or 'mortgaged', the number owned is counted"
        raise RulesError(rules.label, [Problem("", deed, text)])
    return known[level_of(rules, deed, level)].name


def _impossible(rules: Rules, players: Iterable[Player]) -> list[Problem]:
    """What no rule of buying and building allows."""
    problems: list[Problem] = []
    owners: dict[str, str] = {}
    for player in players:
        for name in player.deeds:
            if name in owners:
                text = f"{rules.square(name).name} already belongs to {owners[name]}"
                problems.append(Problem("", f"players.{player.name}.deeds.{name}", text))
            owners.setdefault(name, player.name)
    houses = hotels = 0
    for player in players:
        for group, some in members_of(rules).items():
            problems += _misbuilt(rules, player, group, some)
        built = [_houses(rules, name, level) for name, level in player.deeds.items()]
        houses += sum(k for k in built if k < 5)
        hotels += sum(k == 5 for k in built)
    for count, stock, what in (
        (houses, rules.building.houses, "houses"),
        (hotels, rules.building.hotels, "hotels"),
    ):
        if stock is not None and count > stock:
            text = f"{count} {what} stand on the board, but the bank has only {stock}"
            problems.append(Problem("", "players", text))
    return problems


def _misbuilt(rules: Rules, player: Player, group: str, some: tuple[Square, ...]) -> list[Problem]:
    held = {s.id: player.deeds[s.id] for s in some if s.id in player.deeds}
    built = {name: _houses(rules, name, level) for name, level in held.items()}
    if not any(built.values()) or rules.buying.first_house_free:
        return []
    path = f"players.{player.name}.deeds"
    if rules.building.needs_group and len(held) < len(some):
        missing = ", ".join(s.id for s in some if s.id not in held)
        return [Problem("", path, f"houses on {group} need the whole group; {missing} is missing")]
    problems = []
    if MORTGAGED in held.values():
        problems.append(Problem("", path, f"houses on {group}, but one of its deeds is mortgaged"))
    elif rules.building.even and max(built.values()) - min(built.values()) > 1:
        text = ", ".join(f"{name} {count}" for name, count in built.items())
        problems.append(Problem("", path, f"houses on {group} are not even: {text}"))
    return problems


# --------------------------------------------------------------------------------- outlook


@dataclass(frozen=True, slots=True)
class Prospect(Generic[N]):
    """What the next turns bring one player on average, and how far it may be off.

    `received` and `paid` are rents, `other` is the bank and the cards; `income` is all together
    and `variance` its variance.  `short` is the chance that the rents to be paid alone come to
    more than the cash at hand (None where no cash was told).
    """

    player: str
    received: N
    paid: N
    other: N
    income: N
    variance: N
    short: N | None = None

    @property
    def sd(self) -> float:
        """The standard deviation of the income."""
        return sqrt(max(0.0, float(self.variance)))  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class Outlook(Generic[N]):
    """What every player of a position may expect: `outlook` makes it."""

    context: Context
    turns: int
    rows: tuple[Prospect[N], ...]

    def __getitem__(self, player: str) -> Prospect[N]:
        """The row of one player."""
        for row in self.rows:
            if row.player == player:
                return row
        rules = self.context.rules
        text = unknown("player", player, [row.player for row in self.rows])
        raise RulesError(rules.label, [Problem("", player, text)])

    @property
    def lines(self) -> tuple[str, ...]:
        """Title and small print."""
        return (*self.context.lines, f"the next {self.turns} turns of every player")

    def frame(self, *, exact: bool = False) -> pd.DataFrame:
        """The table as a pandas frame."""
        show: Callable[[Any], Any] = (lambda value: value) if exact else float
        return frame_of(
            {
                "player": [row.player for row in self.rows],
                **{
                    name: [show(getattr(row, name)) for row in self.rows]
                    for name in ("received", "paid", "other", "income")
                },
                "sd": [row.sd for row in self.rows],
                "short": [None if row.short is None else show(row.short) for row in self.rows],
            }
        )

    def _cells(self) -> list[tuple[str, ...]]:
        names = ("received", "paid", "other", "income", "sd")
        body = (
            (
                row.player,
                *(f"{float(getattr(row, name)):,.2f}" for name in names),
                "–" if row.short is None else f"{float(row.short):.4f}",  # type: ignore[arg-type]
            )
            for row in self.rows
        )
        return [("player", *names, "short"), *body]

    def __str__(self) -> str:
        wide = max(len(row[0]) for row in self._cells())
        body = (
            f"{name:<{wide}}  " + "  ".join(f"{cell:>10}" for cell in cells)
            for name, *cells in self._cells()
        )
        return "\n".join((*self.lines, "", *body))

    def __repr__(self) -> str:
        return f"<Outlook {'; '.join(self.lines)}>"

    def _repr_html_(self) -> str:
        return html_table(self.lines, self._cells())


def outlook(
    game: Rules | Source | Chain[N],
    *overlays: Source,
    given: Given,
    turns: int = 10,
    policy: Policy | None = None,
    terms: Terms | None = None,
    number: Callable[[Fraction], N] | None = None,
) -> Outlook[N]:
    """What the next turns bring every player of a position: rents, bank, cards; mean and risk.

    Every player takes so many turns; nobody buys, builds, sells or goes broke meanwhile.  The walk
    is exact: tokens walk independently, so their variances add up.  In floats by default;
    `number=Fraction` is exact and slow.  Raises `RulesError` with all problems of the position.
    """
    walk = as_chain(game, *overlays, policy=policy, number=number or in_floats_by_default(game))
    rules, many = walk.rules, checked_turns(walk.rules, turns)
    now = position(rules, given)
    if not deeds(rules):
        raise RulesError(rules.label, [Problem("", "", "this game has no deeds")])
    asked = settled(walk, terms)
    hands = {player.name: Hand(now.charges(player), asked) for player in now.players}
    count = len(now.players)
    starts = {p.name: turn_starts(walk, _place(p)) for p in now.players}
    rows = []
    came: dict[tuple[str, str], Any] = {}
    spread: dict[tuple[str, str], Any] = {}
    cards: dict[str, Any] = {}
    for token in now.players:
        own_walk, start = starts[token.name]
        by_card = moments_after(own_walk, _from_other(_nothing), _nothing, start, many)
        cards[token.name] = by_card[-1].mean
        for owner in now.players:
            if owner is token:
                price, noise = _own(now, token, hands, count)
            else:
                hand = hands[owner.name]
                price, noise = _from_other(hand.mean), hand.noise
            found = moments_after(own_walk, price, noise, start, many)[-1]
            came[token.name, owner.name] = found.mean
            spread[token.name, owner.name] = found.variance
    for player in now.players:
        me = player.name
        others = [one.name for one in now.players if one.name != me]
        received = _sum(came[other, me] - cards[other] for other in others)
        paid = _sum(came[me, other] - cards[me] for other in others)
        income = _sum(came[name, me] for name in (me, *others))
        variance = _sum(spread[name, me] for name in (me, *others))
        other = income - received + paid
        short = _short(player, starts[me], hands, asked, many)
        rows.append(Prospect(me, received, paid, other, income, variance, short))
    return Outlook(context(walk, "turn", "rent"), turns, tuple(rows))


def _short(
    player: Player,
    start: tuple[Chain[N], Mapping[int, N]],
    hands: Mapping[str, Hand],
    asked: Settled,
    many: int,
) -> Any:
    """The chance that a player's rents come to more than his cash."""
    walk, law = start
    if player.cash is None:
        return None
    others = {
        square: charge
        for name, hand in hands.items()
        if name != player.name
        for square, charge in hand.charges.items()
    }
    till = Till(walk, Hand(others, asked), law)
    laws = till.laws(limit=player.cash // till.unit + 1)
    for _ in range(many):
        next(laws)
    return walk.number(Fraction(1)) - added(next(laws))


def _place(player: Player) -> tuple[str, int]:
    return (player.square, player.jailed)


def _nothing(event: Event) -> int:  # noqa: ARG001
    return 0


def _between(event: Event) -> int:
    """What each other player gets from the one at turn by a card (negative: has to give)."""
    match event:
        case Paid(amount=amount, giver=giver, taker=taker) if PLAYERS in (giver, taker):
            return amount if giver == PLAYER else -amount
        case _:
            return 0


def _from_other(rent: Price) -> Price:
    """What another player's move brings an owner."""
    return lambda event: rent(event) + _between(event)


def _own(
    now: Position, player: Player, hands: Mapping[str, Hand], count: int
) -> tuple[Price, Price]:
    """What a player's own moves bring him: the bank, the cards, less the rents of all others."""
    houses, hotels = now.houses(player)
    others = [hand for name, hand in hands.items() if name != player.name]

    def price(event: Event) -> Any:
        if isinstance(event, Landed):
            return -_sum(hand.mean(event) for hand in others)
        if isinstance(event, Repaired):
            return -(event.house * houses + event.hotel * hotels)
        return bank(event) - (count - 1) * _between(event)

    def noise(event: Event) -> Any:
        return _sum(hand.noise(event) for hand in others)

    return price, noise


def _sum(values: Iterable[Any]) -> Any:
    return sum(values)
