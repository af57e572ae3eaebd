"""Rules and their parts: what a ruleset file says, checked and frozen.

Nothing here reads files or computes anything about a game; `boardrules.library` makes these
records, every other module reads them.  Ids name squares and cards, money is in whole units of
the game's currency, chances are weights of type `Fraction`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from html import escape
from typing import Any, Literal

from .effects import Effect

GRADES: Mapping[str, str] = {
    "seed": "stated by the rulebook itself",
    "A": "two independent sources agree",
    "user": "read off the user's own board, or set by the user",
    "B": "one source and an outside hint",
    "C": "one source only",
    "D": "a placeholder of ours",
    "illustrative": "invented, not the printed game",
}
"""What each grade of evidence means, the strongest first."""

DOUBTFUL = ("D", "illustrative")
"""Grades that every result resting on them has to confess."""


class RulesError(ValueError):
    """A ruleset, or a question about one, that cannot be: what is wrong, where, and what to do.

    `problems` holds them all, one record each.
    """

    def __init__(self, about: str, problems: Iterable[Problem]) -> None:
        self.about = about
        self.problems = tuple(problems)
        super().__init__(about, self.problems)

    def __str__(self) -> str:
        count = len(self.problems)
        lines = [f"{count} problem{'s' if count != 1 else ''} in {self.about}"]
        columns = [
            [problem.file for problem in self.problems],
            [problem.path for problem in self.problems],
            [problem.text for problem in self.problems],
        ]
        shown = [column for column in columns if any(column)]
        wide = [max(map(len, column)) for column in shown]
        for row in zip(*shown, strict=True):
            cells = (f"{cell:<{width}}" for cell, width in zip(row, wide, strict=True))
            lines.append(f"  {'  '.join(cells)}".rstrip())
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: in which file, at which path, and what to do about it."""

    file: str
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """One number or line in which a ruleset differs from the game's base rules."""

    path: str
    before: Any
    after: Any
    file: str


# --------------------------------------------------------------------------- the walk


@dataclass(frozen=True, slots=True)
class Pegged:
    """A throw that has an effect of its own: the faces, sorted, and what they bring."""

    faces: tuple[int, ...]
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Dice:
    """The dice: how many, and how likely each face is (weights, not yet shares)."""

    count: int = 1
    faces: tuple[tuple[int, Fraction], ...] = tuple((face, Fraction(1)) for face in range(1, 7))
    throws: tuple[Pegged, ...] = ()
    count_own_space: bool = False


@dataclass(frozen=True, slots=True)
class Doubles:
    """What equal dice bring: before the move, after it, and at the limit instead of it."""

    before: tuple[Effect, ...] = ()
    after: tuple[Effect, ...] = ()
    limit: int = 0
    at_limit: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class Jail:
    """Jail: where it is, what leaving costs, and the ways out.

    `fine_before` lists the rolls before which the fine may be paid.  `last_attempt` says whether
    the last roll in jail comes before its fine ("roll_first") or after it ("pay_first").
    `doubles_out` says whether doubles that open the jail end the turn or roll again and count.
    """

    square: str
    name: str = "In Jail"
    fine: int = 0
    fine_to: str = "bank"
    attempts: int = 3
    fine_before: tuple[int, ...] = (1, 2)
    last_attempt: Literal["roll_first", "pay_first"] = "roll_first"
    doubles_out: Literal["turn_ends", "roll_again"] = "turn_ends"
    card: str = ""


@dataclass(frozen=True, slots=True)
class Start:
    """How a player begins: where, with how much cash, and how the first move is counted."""

    square: str = ""
    cash: int = 0
    counts_as_one: bool = False


@dataclass(frozen=True, slots=True)
class Deed:
    """What can be owned: its price, its mortgage, the cost of a house, and its rents.

    `rent` lists amounts by level (a street: bare, then houses; a railroad: how many are owned).
    `times_throw` lists multiples of a throw instead.
    """

    kind: str
    group: str = ""
    price: int | None = None
    mortgage: int | None = None
    house: int | None = None
    rent: tuple[int, ...] = ()
    times_throw: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Deal:
    """A bargain on a card: what it costs, what a buyer pays, and the commission."""

    cost: int
    value: int
    commission: int = 0


@dataclass(frozen=True, slots=True)
class Square:
    """One square and its pegs: what passing, landing on, or crossing it brings."""

    id: str
    name: str
    number: int
    kind: str = ""
    side: int = 0
    passing: tuple[Effect, ...] = ()
    landing: tuple[Effect, ...] = ()
    crossing: tuple[Effect, ...] = ()
    stop: bool = False
    spot: str = ""
    deed: Deed | None = None
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """One card (or several alike) and what it does; copies may be any positive weight."""

    id: str
    name: str
    copies: Fraction = Fraction(1)
    effects: tuple[Effect, ...] = ()
    deal: Deal | None = None
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck of cards; `used` tells where a used card goes."""

    id: str
    name: str
    cards: tuple[Card, ...]
    used: Literal["bottom", "discard"] = "bottom"
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Pot:
    """Money on the table that belongs to nobody yet."""

    id: str
    name: str
    start: int = 0


# ------------------------------------------------------------ ownership and money rules


@dataclass(frozen=True, slots=True)
class Buying:
    """How deeds are sold."""

    method: Literal["none", "price", "auction"] = "none"
    auction: bool = False
    smallest_bid: int = 1
    full_lap_first: bool = False
    first_house_free: bool = False
    one_per_side: bool = False
    licence_is_permanent: bool = True
    unsold_offered_again: bool = True


@dataclass(frozen=True, slots=True)
class Rent:
    """How rent is charged."""

    set_multiplier: int = 1
    utility_throw: Literal["moved", "fresh"] = "moved"
    card_throw: Literal["moved", "fresh", "none"] = "fresh"
    jailed_owner_collects: bool = True
    owner_notices: Fraction = Fraction(1)


@dataclass(frozen=True, slots=True)
class Building:
    """How houses are bought and sold; no `houses` or `hotels` means as many as you like."""

    houses: int | None = None
    hotels: int | None = None
    levels: int = 0
    even: bool = False
    needs_group: bool = False
    sell_back: Fraction = Fraction(0)
    own_turn_only: bool = False
    per_colour: int | None = None


@dataclass(frozen=True, slots=True)
class Mortgage:
    """Which deeds can be mortgaged, and what lifting or transferring a mortgage costs."""

    kinds: tuple[str, ...] = ()
    interest: Fraction = Fraction(0)
    transfer: Fraction = Fraction(0)
    rounding: Literal["up", "nearest"] = "up"
    own_turn_only: bool = False


@dataclass(frozen=True, slots=True)
class Accounts:
    """Wages, savings and loans, and the side games that move cash between them."""

    salary: int = 0
    salary_last_month: bool = False
    savings: bool = True
    savings_rate: Fraction = Fraction(0)
    loan_rate: Fraction = Fraction(0)
    step: int = 100
    early_withdrawal_fee: int = 0
    fee_mode: Literal["flat", "per_step"] = "flat"
    savings_interest_to: Literal["cash", "account"] = "cash"
    both_at_once: bool = False
    poker_stake: int = 0
    lone_poker_returns: bool = True
    side_stake: int = 0
    side_win_faces: tuple[int, ...] = ()
    side_multiple: int = 0
    side_stake_kept_on_win: bool = True
    side_savings_count_as_cash: bool = False
    side_rolls_win_pot: bool = False
    finished_players_take_part: bool = False
    pushed_start_collects: int = 0
    pushed_to_start_collects: bool = False
    pushes_chain: bool = False
    push_order: Literal["one_at_a_time", "all_then_resolve"] = "one_at_a_time"
    loan_may_pay_for_side_games: bool = True
    ties: Literal["reroll", "share"] = "reroll"
    pot_left: Literal["nobody", "shared"] = "nobody"


@dataclass(frozen=True, slots=True)
class End:
    """When a game is over and who has won."""

    when: Literal["never", "last_solvent", "first_bankruptcy", "months"] = "never"
    months: int = 0
    bank: int | None = None
    street_counts_as: Literal["nothing", "mortgage", "mortgage_and_houses"] = "nothing"
    building_counts_as: Literal["nothing", "mortgage"] = "nothing"
    utility_counts_as: Literal["nothing", "price_paid"] = "nothing"
    leftover_cash_to_creditor: bool = True
    must_resell_first: bool = False
    tie: Literal["shared", "roll"] = "shared"


IN_JAIL = "in_jail"
"""The row of a token in jail, in every table; no square may have this id where there is a jail."""

MONEY_TABLES = ("buying", "rent", "building", "mortgage", "accounts", "end")
"""Tables about ownership and money: no law of the walk depends on them."""


# ---------------------------------------------------------------------------- the whole


@dataclass(frozen=True, eq=False)
class Rules:
    """The rules of one game, overlays applied: everything that the engines need to play it.

    Made by `boardrules.load`.  `tree` is the merged ruleset as plain data, addressed by dotted
    paths such as `jail.fine` or `squares.go.passing[0].collect`.
    """

    id: str
    title: str
    description: str
    squares: tuple[Square, ...]
    decks: Mapping[str, Deck]
    pots: Mapping[str, Pot]
    dice: Dice
    doubles: Doubles
    jail: Jail | None
    start: Start
    lap: str
    lap_name: str
    carries: tuple[str, ...]
    numbering: int
    caution: str
    currency: str
    rulebook: Mapping[str, str]
    notes: Mapping[str, str]
    buying: Buying
    rent: Rent
    building: Building
    mortgage: Mortgage
    accounts: Accounts
    end: End
    overlays: tuple[str, ...] = ()
    tree: Mapping[str, Any] = field(default_factory=dict, repr=False)
    grades: Mapping[str, str] = field(default_factory=dict, repr=False)
    changes: tuple[Change, ...] = field(default=(), repr=False)
    _remake: Callable[[Mapping[str, Any]], Rules] | None = field(default=None, repr=False)

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Where on the board each square id stands, counted from 0."""
        return {square.id: place for place, square in enumerate(self.squares)}

    def square(self, name: str) -> Square:
        """The square with this id.

        Raises `RulesError` with a suggestion if there is none.
        """
        if name not in self.index:
            raise RulesError(self.label, [Problem("", name, unknown("square", name, self.index))])
        return self.squares[self.index[name]]

    @property
    def name(self) -> str:
        """The game and its overlays, as they are given to `load`: `monopoly + house/double_go`."""
        return " + ".join((self.id, *self.overlays))

    @property
    def label(self) -> str:
        """The name, short enough for one line."""
        return self.name if len(self.name) <= 100 else f"{self.name[:99]}…"

    def but(self, changes: Mapping[str, Any]) -> Rules:
        """The same rules, but with some of them changed in memory: `{"jail.fine": 0}`.

        Keys are paths, values what a ruleset file would hold there; the changes go over every
        overlay.  Raises `RulesError` with all problems if the result is not a game.
        """
        if self._remake is None:
            raise RulesError(self.label, [Problem("", "", "these rules were not made by load()")])
        return self._remake(changes)

    def diff(self, other: Rules) -> tuple[Change, ...]:
        """Every path at which two rulesets differ: here before, in the other after."""
        mine, theirs = dict(leaves(self.tree)), dict(leaves(other.tree))
        paths = [*mine, *(path for path in theirs if path not in mine)]
        return tuple(
            Change(path, mine.get(path), theirs.get(path), other.name)
            for path in paths
            if mine.get(path) != theirs.get(path)
        )

    def grade_of(self, path: str) -> str:
        """How well the evidence for a path is: the grade of the nearest graded part above it."""
        while path:
            if path in self.grades:
                return self.grades[path]
            path = path[: max(path.rfind("."), path.rfind("["), 0)]
        return self.grades.get("", "user")

    def weakest(self) -> str:
        """The weakest grade of evidence anywhere in the ruleset."""
        rows = {grade for path, grade in self.grades.items() if path}
        return max(rows or {self.grade_of("")}, key=list(GRADES).index)

    @property
    def only_money_changed(self) -> bool:
        """Whether the overlays changed nothing but rules of ownership and money."""
        return all(_about_money(change.path.split(".")) for change in self.changes)

    def __repr__(self) -> str:
        return f"<Rules {self.label}: {len(self.squares)} squares, evidence {self.weakest()}>"

    def _repr_html_(self) -> str:
        return (
            f"<b>{escape(self.title)}</b> ({escape(self.label)}): {len(self.squares)} squares, "
            f"{len(self.decks)} decks, weakest evidence {escape(self.weakest())}"
            + (f"<br><em>{escape(self.caution)}</em>" if self.caution else "")
        )


def _about_money(path: Sequence[str]) -> bool:
    return path[0] in MONEY_TABLES or (len(path) > 2 and path[0] == "squares" and path[2] == "deed")


def leaves(tree: Any, path: str = "") -> list[tuple[str, Any]]:
    """All end points of a tree of tables, with their dotted paths; a list is an end point."""
    if isinstance(tree, Mapping) and tree:
        found = []
        for key, value in tree.items():
            found.extend(leaves(value, f"{path}.{key}" if path else str(key)))
        return found
    return [(path, tree)]


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """The sentence for a name that does not exist, with a suggestion if one is near."""
    from difflib import get_close_matches

    near = get_close_matches(name, list(known), n=1)
    return f"no such {kind} {name!r}" + (f"; did you mean {near[0]!r}?" if near else "")
