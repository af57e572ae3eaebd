"""One deal at a time: what buying bargains brings, with cash or on loans, and how to do it best.

The walk is followed with the deal in hand as part of the position: a deal that is drawn with empty
hands is bought or not, the next landing on Buyer sells it, and what is unsold at the end is lost.
All other money of the months is counted as well, jointly with the walk.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any, TypeAlias

from ..chain import Chain
from ..events import Drew, Event, Kept, laps
from ..library import Source
from ..progress import progress
from ..results import Context, as_chain, context, frame_of
from ..rules import Deal, Problem, Rules, RulesError, unknown
from .deals import BUYER, commission_share, selling
from .formulas import loan_for_gap
from .ledger import deals, grain, opened
from .month import LOTTERY, MonthWalk, flow, noted
from .plans import MOST, Wealth

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]

SIMPLIFIED = (
    "deals one at a time, sold to the first buyer; the deck is drawn from as if always full",
    "a deal in cash: the cash is always there; on a loan: its whole price is borrowed, and repaid "
    "on the first Pay Day after the sale",
    "other money bears no interest; no insurance, poker, Swellfare or elections; one token alone",
)
"""What is left out when deals are compared."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A deal that is drawn with empty hands: when, and what it costs and brings."""

    month: int
    months: int
    day: int
    card: str
    deal: Deal


@dataclass(frozen=True, slots=True)
class TradePlan:
    """Which deals are bought, and whether with cash or on a loan."""

    name: str
    told: str
    takes: Callable[[Offer], bool]
    loan: bool = False


def _all(_: Offer) -> bool:
    return True


TRADES = ("deals_cash", "deals_loan", "deals_positive")
"""The named plans about deals."""


def trade_plan(game: Trade, plan: TradePlan | str) -> TradePlan:
    """A plan about deals by its name."""
    if isinstance(plan, TradePlan):
        return plan
    if plan == "deals_cash":
        return TradePlan(plan, "buy every deal with cash", _all)
    if plan == "deals_loan":
        return TradePlan(plan, "buy every deal on a loan", _all, loan=True)
    if plan == "deals_positive":
        told = "buy with cash where the expected gain of the deal alone is positive"
        return TradePlan(plan, told, game.positive)
    raise RulesError(game.rules.label, [Problem("", "plan", unknown("plan", plan, TRADES))])


# ---------------------------------------------------------------------- what a branch does

_Do: TypeAlias = tuple[str, Any]
"""One thing that a branch does, read backwards: money, ticket, lottery, sell, or a deal drawn."""


@dataclass(frozen=True, slots=True)
class _Step:
    """A branch: its chance, where it leads (-1: Pay Day), what it does, the last thing first."""

    chance: Fraction
    end: int
    doings: tuple[_Do, ...]


class Trade:
    """The months of one game with one deal at a time."""

    def __init__(self, walk: Chain[Any], months: int, players: int = 1) -> None:
        rules = walk.rules
        opened(rules, months)
        if months > MOST:
            text = f"at most {MOST} months, not {months}"
            raise RulesError(rules.label, [Problem("", "months", text)])
        self.walk, self.rules, self.months = walk, rules, months
        self.share = commission_share(rules, players)
        self.selling = selling(walk)
        self.cards = tuple(deals(rules))
        self.unit = grain(rules)
        self.graph = MonthWalk(walk)
        self._prizes = self.graph.reach(noted(LOTTERY))
        self._steps = self._read()

    def positive(self, offer: Offer) -> bool:
        """Whether a deal gains on average if it is bought with cash and looked at alone."""
        more = offer.months - offer.month
        brings = offer.deal.value * self.selling.chance(offer.day, more)
        return brings + offer.deal.commission * self.share > offer.deal.cost

    def interest(self, card: str) -> int:
        """The interest of one Pay Day on a loan for a deal."""
        terms = self.rules.accounts
        loan = loan_for_gap(deals(self.rules)[card].cost, terms.step)
        return int(terms.loan_rate * loan)

    def salaries(self) -> int:
        """All salaries of the game, the start cash included."""
        terms = self.rules.accounts
        paid = self.months if terms.salary_last_month else self.months - 1
        return self.rules.start.cash + terms.salary * paid

    def _read(self) -> dict[int, list[_Step]]:
        """What every state can do, those alike told once."""
        price, sold = flow(self.rules), noted(BUYER)
        alike: dict[int, int] = {-1: -1}
        same: dict[Any, int] = {}
        steps: dict[int, list[_Step]] = {}
        for i in self.graph.order:
            square = self.rules.squares[self.walk.states[i].token.square].number
            chances: dict[tuple[int, tuple[_Do, ...]], Fraction] = {}
            stay = Fraction(0)
            for branch in self.walk.branches[i]:
                over = any(map(laps, branch.events))
                doings = tuple(
                    doing
                    for event in reversed(branch.events)
                    if (doing := self._doing(event, square, price, sold))
                )
                if branch.end == i and not over and not doings:
                    stay += Fraction(branch.chance)
                    continue
                key = (-1 if over else alike[branch.end], doings)
                chances[key] = chances.get(key, Fraction(0)) + Fraction(branch.chance)
            only = next(iter(chances))
            if len(chances) == 1 and not only[1] and only[0] >= 0:
                alike[i] = only[0]  # nothing happens here
                continue
            alike[i] = same.setdefault(
                frozenset((k, c / (1 - stay)) for k, c in chances.items()), i
            )
            if alike[i] == i:
                steps[i] = [_Step(c / (1 - stay), e, d) for (e, d), c in chances.items()]
        self.home = alike[self.graph.home]
        return steps

    def _doing(
        self,
        event: Event,
        square: int,
        price: Callable[[Event], int],
        sold: Callable[[Event], bool],
    ) -> _Do | None:
        money = price(event)
        if money:
            return ("money", money)
        if sold(event):
            return ("sell", 0)
        if noted(LOTTERY)(event):
            return ("lottery", 0)
        if isinstance(event, Kept) and event.prize:
            return ("ticket", event.prize)
        if isinstance(event, Drew) and event.card in self.cards:
            return ("deal", (square, event.card))
        return None

    # ------------------------------------------------------------------------ expectations

    def best(self, *, loan: bool = False) -> BestTrade:
        """Which deals to buy, in which month and on which day, for the most expected wealth."""
        takes: dict[tuple[int, int, str], Fraction] = {}
        ahead = self._settled(Fraction(0))
        for month in range(self.months, 0, -1):
            ahead = self._expected(month, ahead, takes, loan=loan)
        return BestTrade(self, loan, takes, self.salaries() + ahead[0])

    def _settled(self, zero: Any) -> list[Any]:
        """At the end a deal in hand is worth nothing."""
        return [zero] * (len(self.cards) + 1)

    def _expected(
        self,
        month: int,
        ahead: list[Fraction],
        takes: dict[tuple[int, int, str], Fraction],
        *,
        loan: bool,
    ) -> list[Fraction]:
        """Expected money from the start of a month on, for each deal in hand (0: none)."""
        known: dict[int, list[Fraction]] = {-1: ahead}
        for i, steps in self._steps.items():
            whole = self._settled(Fraction(0))
            for step in steps:
                row = list(known[step.end])
                # a ticket is worth its prize times the chance of Lottery Draw still to come
                lottery = self._prizes.get(step.end, Fraction(0))
                for kind, what in step.doings:
                    if kind == "money":
                        row = [value + what for value in row]
                    elif kind == "ticket":
                        row = [value + what * lottery for value in row]
                    elif kind == "lottery":
                        lottery = Fraction(1)
                    elif kind == "sell":
                        row = [row[0], *(row[0] + self._value(card) for card in self.cards)]
                    else:
                        day, card = what
                        gain = row[self._place(card)] - row[0] - self._price(card, loan=loan)
                        takes[month, day, card] = gain
                        row[0] += max(gain, Fraction(0))
                whole = [w + step.chance * value for w, value in zip(whole, row, strict=True)]
            known[i] = whole
        found = known[self.home]
        if loan:  # a loan of an earlier month bears interest on this Pay Day in any case
            found = [found[0]] + [
                value - self.interest(card)
                for value, card in zip(found[1:], self.cards, strict=True)
            ]
        return found

    def _place(self, card: str) -> int:
        return self.cards.index(card) + 1

    def _value(self, card: str) -> int:
        return deals(self.rules)[card].value

    def _price(self, card: str, *, loan: bool) -> Fraction:
        """What buying costs on average, less the share of the commission, interest included."""
        deal = deals(self.rules)[card]
        interest = self.interest(card) if loan else 0
        return deal.cost + interest - deal.commission * self.share

    # -------------------------------------------------------------------------------- laws

    def wealth(self, plan: TradePlan) -> Wealth:
        """The law of the wealth at the end under a plan about deals."""
        import numpy as np

        width = len(self.cards) + 1
        ahead = _Laws(0, np.ones((width, 1)))
        for month in progress(range(self.months, 0, -1), f"months of {plan.name}"):
            ahead = self._law(month, ahead, plan)
        chances = ahead.chances[0]
        some = np.flatnonzero(chances)
        amounts = (ahead.low + some) * self.unit + self.salaries()
        return Wealth(plan, self.months, amounts, chances[some], simplified=SIMPLIFIED)

    def _law(self, month: int, ahead: _Laws, plan: TradePlan) -> _Laws:
        """The law of the money from the start of a month on, for each deal in hand."""
        import numpy as np

        nothing = _Laws(0, np.zeros((ahead.chances.shape[0], 1)))
        known: dict[int, tuple[_Laws, _Laws]] = {-1: (nothing, ahead)}
        uses = {step.end: i for i, steps in self._steps.items() for step in steps}
        for i, steps in self._steps.items():
            parts: tuple[list[_Laws], list[_Laws]] = ([], [])
            for step in steps:
                pair = known[step.end]
                for doing in step.doings:
                    pair = self._done(pair, doing, month, plan)
                for side in (0, 1):
                    parts[side].append(pair[side].times(float(step.chance)))
            known[i] = (_sum(parts[0]), _sum(parts[1]))
            for end in {step.end for step in steps}:
                if uses[end] == i and end != -1:
                    del known[end]  # nobody leads there any more
        found = _sum(list(known[self.home]))
        if plan.loan:
            due = [0, *(self.interest(card) // self.unit for card in self.cards)]
            found = _sum([found.only(k).moved(-units) for k, units in enumerate(due)])
        return found

    def _done(
        self, pair: tuple[_Laws, _Laws], doing: _Do, month: int, plan: TradePlan
    ) -> tuple[_Laws, _Laws]:
        kind, what = doing
        yes, no = pair
        if kind == "money":
            return yes.moved(what // self.unit), no.moved(what // self.unit)
        if kind == "ticket":
            return yes.moved(what // self.unit), no
        if kind == "lottery":
            return _sum([yes, no]), no.times(0.0)
        if kind == "sell":
            return self._sold(yes), self._sold(no)
        day, card = what
        offer = Offer(month, self.months, day, card, deals(self.rules)[card])
        if not plan.takes(offer):
            return pair
        return self._bought(yes, card, plan), self._bought(no, card, plan)

    def _sold(self, law: _Laws) -> _Laws:
        """Read backwards: who holds a deal here goes on with its value and empty hands."""
        values = [0, *(self._value(card) // self.unit for card in self.cards)]
        return _sum([law.into(0, k).moved(units) for k, units in enumerate(values)])

    def _bought(self, law: _Laws, card: str, plan: TradePlan) -> _Laws:
        """Read backwards: who has empty hands here goes on with the deal, less its cost.

        The commission is won with the chance of one player.
        """
        deal, place, share = deals(self.rules)[card], self._place(card), float(self.share)
        interest = self.interest(card) if plan.loan else 0
        bought = law.into(place, 0).moved(-(deal.cost + interest) // self.unit)
        won = bought.moved(deal.commission // self.unit)
        return _sum([law.without(0), won.times(share), bought.times(1 - share)])


@dataclass(frozen=True, eq=False)
class _Laws:
    """For each deal in hand (rows) the law of the money to come, from `low` units on."""

    low: int
    chances: Floats

    def times(self, chance: float) -> _Laws:
        return _Laws(self.low, self.chances * chance)

    def moved(self, units: int) -> _Laws:
        return _Laws(self.low + units, self.chances)

    def only(self, place: int) -> _Laws:
        """All other rows are empty."""
        return self.into(place, place)

    def into(self, place: int, row: int) -> _Laws:
        """In the given row, what stands at a place; all other rows are empty."""
        import numpy as np

        found = np.zeros_like(self.chances)
        found[row] = self.chances[place]
        return _Laws(self.low, found)

    def without(self, place: int) -> _Laws:
        found = self.chances.copy()
        found[place] = 0
        return _Laws(self.low, found)


def _sum(laws: Sequence[_Laws]) -> _Laws:
    import numpy as np

    low = min(law.low for law in laws)
    high = max(law.low + law.chances.shape[1] for law in laws)
    whole = np.zeros((laws[0].chances.shape[0], high - low))
    for law in laws:
        first = law.low - low
        whole[:, first : first + law.chances.shape[1]] += law.chances
    return _Laws(low, whole)


# ------------------------------------------------------------------------------ the best way


@dataclass(frozen=True, eq=False)
class BestTrade:
    """Which deals to buy when, for the most expected wealth: `best_trade` makes it.

    `gains` are what buying gains over refusing, by month, day and card, the best done afterwards;
    `value` is the expected wealth at the end, exactly.
    """

    game: Trade = field(repr=False)
    loan: bool
    gains: Mapping[tuple[int, int, str], Fraction] = field(repr=False)
    value: Fraction

    @property
    def plan(self) -> TradePlan:
        """The same as a plan that can be compared with others."""
        return TradePlan("deals_best", "buy what gains most in the long run", self.takes, self.loan)

    def takes(self, offer: Offer) -> bool:
        """Whether to buy."""
        return self.gains[offer.month, offer.day, offer.card] > 0

    def against(self, plans: Sequence[TradePlan | str] = TRADES) -> dict[str, float]:
        """How much more expected wealth it brings than other plans about deals."""
        chosen = [trade_plan(self.game, plan) for plan in plans]
        return {one.name: float(self.value) - self.game.wealth(one).mean for one in chosen}

    @property
    def _days(self) -> list[tuple[int, int]]:
        return sorted({(month, day) for month, day, _ in self.gains})

    def frame(self, *, exact: bool = False) -> pd.DataFrame:
        """What buying gains, deals down, months and days across."""
        columns: dict[str, list[Any]] = {"deal": list(self.game.cards)}
        for month, day in self._days:
            gains = [self.gains[month, day, card] for card in self.game.cards]
            columns[f"month {month} day {day}"] = [g if exact else float(g) for g in gains]
        return frame_of(columns)

    @property
    def context(self) -> Context:
        """What it rests on."""
        return context(self.game.walk, "lap", "deals")

    @property
    def lines(self) -> tuple[str, ...]:
        """Title and small print."""
        how = "on loans" if self.loan else "with cash"
        aim = (
            f"best deals {how} over {self.game.months} months: "
            f"expected wealth {float(self.value):.2f}"
        )
        return (*self.context.lines, aim, *SIMPLIFIED)

    def __str__(self) -> str:
        wide = max(map(len, self.game.cards))
        days = sorted({day for _, day in self._days})
        months = range(1, self.game.months + 1)
        head = f"{'':<{wide}}  " + "  ".join(
            f"month {month}: day {' '.join(f'{day:>2}' for day in days)}" for month in months
        )
        body = (
            f"{card:<{wide}}  "
            + "  ".join(
                f"{'':>{len(f'month {month}: day')}} "
                + " ".join(f"{'+' if self.gains[month, day, card] > 0 else '·':>2}" for day in days)
                for month in months
            )
            for card in self.game.cards
        )
        return "\n".join((*self.lines, "+ buy, · refuse", "", head, *body))

    def __repr__(self) -> str:
        return f"<BestTrade {'; '.join(self.lines)}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def best_trade(
    game: Rules | Source | Chain[Any],
    *overlays: Source,
    months: int | None = None,
    players: int = 1,
    loan: bool = False,
) -> BestTrade:
    """Which deals to buy, by month and day, for the most expected wealth, exactly.

    One deal at a time, with cash or (`loan=True`) on loans; `players` share the commissions.
    """
    walk = as_chain(game, *overlays)
    count = walk.rules.end.months if months is None else months
    return Trade(walk, count, players).best(loan=loan)
