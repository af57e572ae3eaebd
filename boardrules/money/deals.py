"""When a bargain is one: the chance to sell a deal, its expected gain, and the commission.

A deal is bought on a Deal day and sold by landing on a Buyer; unsold at the end it is worthless.
Each deal is looked at alone: with several in hand one landing sells only one of them.  On a loan
the whole price is borrowed, in whole steps, and repaid on the first Pay Day after the sale.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any

from ..chain import Chain
from ..events import Drew
from ..library import Source
from ..measure import Moments
from ..results import Context, as_chain, context, frame_of
from ..rules import Deal, Problem, Rules, RulesError, unknown
from .formulas import loan_for_gap
from .ledger import deals
from .month import MonthWalk, moments, noted

if TYPE_CHECKING:
    import pandas as pd

BUYER = "buyer"
"""The note that a landing on Buyer leaves in the record."""


@dataclass(frozen=True, eq=False)
class Selling:
    """How likely a buyer turns up: from each Deal day to Pay Day, and in a whole month.

    `days` are the chances from each Deal day, `month` that of a full month, `landings` the law of
    the number of landings on Buyer in a month, `draws` mean and variance of the deals drawn.
    """

    rules: Rules = field(repr=False)
    days: Mapping[int, Fraction]
    month: Fraction
    landings: Mapping[int, Fraction]
    draws: Moments[Fraction]

    def chance(self, day: int, more: int = 0) -> Fraction:
        """The chance to sell what is bought on a day, this month or in so many months after it."""
        return 1 - (1 - self._of(day)) * (1 - self.month) ** _months(self.rules, more)

    def pay_days(self, day: int, more: int = 0) -> Fraction:
        """How many Pay Days a loan for a deal bears interest, on average.

        One is certain; a further one follows for each month in which the deal was not sold before.
        """
        unsold = 1 - self._of(day)
        later = (unsold * (1 - self.month) ** n for n in range(_months(self.rules, more)))
        return 1 + sum(later, Fraction(0))

    def _of(self, day: int) -> Fraction:
        if day not in self.days:
            known = ", ".join(map(str, self.days))
            text = f"no deals are drawn on day {day}; the Deal days are {known}"
            raise RulesError(self.rules.label, [Problem("", str(day), text)])
        return self.days[day]


def selling(game: Rules | Source | Chain[Any], *overlays: Source) -> Selling:
    """How likely a deal is sold: from each Deal day, and month by month.

    >>> selling("payday").chance(25)
    Fraction(343, 1080)
    """
    walk = as_chain(game, *overlays)
    rules = walk.rules
    decks = {name for name, deck in rules.decks.items() if any(card.deal for card in deck.cards)}
    if not decks:
        raise RulesError(rules.label, [Problem("", "decks", "there are no deals in this game")])
    graph, wanted = MonthWalk(walk), noted(BUYER)
    chances = graph.reach(wanted)
    days = {
        square.number: chances[graph.after(square.id)]
        for square in rules.squares
        if square.kind == "deal"
    }
    landings = graph.law(lambda e: int(wanted(e)), tickets=False)
    draws = graph.law(lambda e: int(isinstance(e, Drew) and e.deck in decks), tickets=False)
    return Selling(rules, days, chances[graph.home], landings, moments(draws))


# ------------------------------------------------------------------------------ the bargains


@dataclass(frozen=True, slots=True)
class Bargain:
    """One deal drawn on one day, with so many full months to come after this one.

    `gain_cash` and `gain_loan` are what buying brings on average, `need_cash` and `need_loan` the
    least chance of a sale that makes it worth while (on a loan of one Pay Day).
    """

    card: str
    name: str
    cost: int
    value: int
    commission: int
    loan: int
    day: int
    more: int
    chance: Fraction
    gain_cash: Fraction
    gain_loan: Fraction
    need_cash: Fraction
    need_loan: Fraction

    @property
    def take(self) -> str:
        """What to do: buy (even on a loan), buy only with cash, or refuse."""
        if self.gain_loan > 0:
            return "buy"
        return "cash only" if self.gain_cash > 0 else "refuse"


BARGAIN_COLUMNS = (
    "name",
    "cost",
    "value",
    "commission",
    "loan",
    "day",
    "more",
    "chance",
    "gain_cash",
    "gain_loan",
    "need_cash",
    "need_loan",
    "take",
)
"""The columns of a table of bargains."""


@dataclass(frozen=True, eq=False)
class Bargains:
    """Every deal on every Deal day: `bargains` makes it."""

    context: Context
    players: int
    selling: Selling
    rows: tuple[Bargain, ...]

    def __getitem__(self, which: tuple[str, int]) -> Bargain:
        """The row of a card and a day: `table["tractor", 25]`."""
        for row in self.rows:
            if (row.card, row.day) == which:
                return row
        known = deals(self.context.rules)
        text = unknown("deal", which[0], known) if which[0] not in known else "no such day"
        raise RulesError(self.context.rules.label, [Problem("", str(which), text)])

    @property
    def lines(self) -> tuple[str, ...]:
        """Title and small print."""
        more = self.rows[0].more
        months = f"{more} more month{'s' if more > 1 else ''} to come"
        last = f"with {months}" if more else "in the last month"
        who = f"{self.players} players, each wins a commission with 1/{self.players}"
        if self.players == 1:
            who = "one player, who wins every commission"
        return (
            *self.context.lines,
            f"{last}; {who}",
            "each deal alone; on a loan the whole price is borrowed, repaid after the sale",
        )

    def frame(self, *, exact: bool = False) -> pd.DataFrame:
        """The table as a pandas frame; `exact=True` keeps Fractions as they are."""

        def shown(value: Any) -> Any:
            return float(value) if isinstance(value, Fraction) and not exact else value

        return frame_of(
            {name: [shown(getattr(row, name)) for row in self.rows] for name in BARGAIN_COLUMNS}
        )

    def __str__(self) -> str:
        wide = max(len(row.name) for row in self.rows)
        body = (
            f"{row.name:<{wide}}  day {row.day:>2}  sold with {100 * float(row.chance):5.1f} %  "
            f"cash {float(row.gain_cash):>+9.2f}  loan {float(row.gain_loan):>+9.2f}  {row.take}"
            for row in self.rows
        )
        return "\n".join((*self.lines, "", *body))

    def __repr__(self) -> str:
        return f"<Bargains {'; '.join(self.lines)}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def bargains(
    game: Rules | Source | Chain[Any], *overlays: Source, players: int = 1, more: int = 0
) -> Bargains:
    """What each deal is worth on each Deal day, with cash and on a loan, exactly.

    `more` is how many full months come after this one; `players` share the commission.
    """
    walk = as_chain(game, *overlays)
    rules, sold = walk.rules, selling(walk)
    share = commission_share(rules, players)
    names = {card.id: card.name for deck in rules.decks.values() for card in deck.cards}
    rows = [
        _bargain(sold, card, names[card], deal, day, more, share)
        for card, deal in deals(rules).items()
        for day in sold.days
    ]
    return Bargains(context(walk, "lap", "deals"), players, sold, tuple(rows))


def _bargain(
    sold: Selling, card: str, name: str, deal: Deal, day: int, more: int, share: Fraction
) -> Bargain:
    terms = sold.rules.accounts
    loan = loan_for_gap(deal.cost, terms.step)
    chance, price = sold.chance(day, more), deal.cost - deal.commission * share
    gain = deal.value * chance - price
    return Bargain(
        card,
        name,
        deal.cost,
        deal.value,
        deal.commission,
        loan,
        day,
        more,
        chance,
        gain,
        gain - terms.loan_rate * loan * sold.pay_days(day, more),
        price / deal.value,
        (price + terms.loan_rate * loan) / deal.value,
    )


# ---------------------------------------------------------------------------- the commission


def commission_share(rules: Rules, players: int) -> Fraction:
    """The chance to win a commission: all are alike, so one of so many (P8)."""
    if isinstance(players, bool) or not isinstance(players, int) or not 1 <= players <= 100:
        text = f"the number of players is 1 or more, not {players!r}"
        raise RulesError(rules.label, [Problem("", "players", text)])
    return Fraction(1, players)


def tie_chance(rules: Rules, players: int) -> Fraction:
    """The chance that the highest throw is thrown more than once, so that Pa decides."""
    commission_share(rules, players)
    faces = sorted(rules.dice.faces)
    whole = sum((weight for _, weight in faces), Fraction(0))
    alone, below = Fraction(0), Fraction(0)
    for _, weight in faces:
        alone += players * (weight / whole) * below ** (players - 1)
        below += weight / whole
    return 1 - alone if players > 1 else Fraction(0)


# -------------------------------------------------------------------------- the deck as a queue


@dataclass(frozen=True, slots=True)
class Queue:
    """The deck of deals as an attentive player knows it: cards underneath lie in a known order.

    `unseen` are cards nobody has seen yet, on top and in unknown order; `known` lie below them,
    the first one next.
    """

    unseen: frozenset[str]
    known: tuple[str, ...] = ()

    @classmethod
    def of(cls, rules: Rules) -> Queue:
        """A shuffled deck of all deals."""
        return cls(frozenset(deals(rules)))

    def chances(self) -> dict[str, Fraction]:
        """How likely each card is the next one."""
        if self.unseen:
            return {card: Fraction(1, len(self.unseen)) for card in sorted(self.unseen)}
        return {self.known[0]: Fraction(1)} if self.known else {}

    def drawn(self, card: str) -> Queue:
        """The deck after this card was drawn."""
        if card not in self.chances():
            raise RulesError("deals", [Problem("", "P7", f"{card!r} cannot be the next card")])
        if self.unseen:
            return replace(self, unseen=self.unseen - {card})
        return replace(self, known=self.known[1:])

    def under(self, card: str) -> Queue:
        """The deck after a refused or sold card was put underneath (P6, P9)."""
        if card in self.unseen or card in self.known:
            raise RulesError("deals", [Problem("", "P7", f"{card!r} is in the deck already")])
        return replace(self, known=(*self.known, card))


def _months(rules: Rules, more: int) -> int:
    if isinstance(more, bool) or not isinstance(more, int) or not 0 <= more <= 1_200:
        text = f"months to come are a whole number, 0 or more, not {more!r}"
        raise RulesError(rules.label, [Problem("", "more", text)])
    return more
