"""Whether to insure, given the bills in hand: the best answer each time insurance is offered.

Bought insurance cancels the bills of its kind, those in hand and those to come.  Waiting for more
bills may be better than buying at once, but the next offer is not certain, and bills are gone after
Pay Day; so the best answer is worked out backwards over all positions, exactly.  Money bears no
interest here, so that an answer does not depend on cash.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from typing import Any

from ..chain import Branch, Chain
from ..effects import Draw, Keep, inner
from ..events import Drew, Owed, laps
from ..library import Source
from ..results import Context, as_chain, context
from ..rules import Problem, Rules, RulesError, unknown
from .ledger import Policy, grain, opened, policies
from .month import MonthWalk

SIMPLIFIED = (
    "money bears no interest and is always there to pay for insurance",
    "cards are drawn independently; one token alone",
)
"""What is left out when insurance is judged."""


@dataclass(frozen=True, slots=True)
class When:
    """When insurance is offered: month, day, and how many cards are still to be drawn that day."""

    month: int
    day: int
    left: int


@dataclass(frozen=True, eq=False)
class Insurance:
    """When to buy an insurance: `best_insurance` makes it.

    `least` are the bills of its kind in hand from which on buying is better than waiting.  `value`
    is what the best answers gain on average over never insuring, `always` what buying at the first
    offer does.
    """

    context: Context
    card: str
    price: int
    months: int
    least: Mapping[When, int] = field(repr=False)
    value: Fraction
    always: Fraction

    def buys(self, when: When, bills: int) -> bool:
        """Whether to buy with so many dollars of such bills in hand."""
        if when not in self.least:
            text = f"{self.card} is never offered then"
            raise RulesError(self.context.rules.label, [Problem("", str(when), text)])
        return bills >= self.least[when]

    @property
    def lines(self) -> tuple[str, ...]:
        """Title and small print."""
        unit = self.context.rules.currency
        return (
            *self.context.lines,
            f"{self.card} for {unit}{self.price}, {self.months} months: best answers gain "
            f"{_signed(self.value, unit)} over never, the first offer {_signed(self.always, unit)}",
            "buy from so many bills in hand on; columns: day (cards still to come)",
            *SIMPLIFIED,
        )

    def __str__(self) -> str:
        moments = sorted({(when.day, -when.left) for when in self.least})
        heads = [f"{day} ({-left})" if left else f"{day}" for day, left in moments]
        rows = [["month", *heads]]
        for month in range(1, self.months + 1):
            cells = [str(self.least[When(month, day, -left)]) for day, left in moments]
            rows.append([str(month), *cells])
        wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
        body = ("  ".join(f"{c:>{w}}" for c, w in zip(row, wide, strict=True)) for row in rows)
        return "\n".join((*self.lines, "", *body))

    def __repr__(self) -> str:
        return f"<Insurance {'; '.join(self.lines)}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def _signed(amount: Fraction, unit: str) -> str:
    """A gain or a loss as one writes it."""
    return f"{'−' if amount < 0 else '+'}{unit}{abs(float(amount)):.2f}"


def best_insurance(
    game: Rules | Source | Chain[Any], card: str, *overlays: Source, months: int | None = None
) -> Insurance:
    """From how many bills in hand on an insurance should be bought, each time it is offered.

    `card` is the insurance, such as "health_insurance".  Exact.
    """
    walk = as_chain(game, *overlays)
    rules = walk.rules
    count = opened(rules, months).months
    every = policies(rules)
    if card not in every:
        raise RulesError(rules.label, [Problem("", card, unknown("insurance", card, every))])
    work = _Backward(walk, every[card], count)
    best, always = work.run()
    place = context(walk, "lap", "accounts")
    return Insurance(place, card, every[card].price, count, work.least, best, always)


class _Backward:
    """The promises of waiting, by state and by bills in hand, month after month from the last.

    Bills are counted up to the price; beyond it one buys at any offer, so that each further dollar
    is worth the chance of one this month.
    """

    def __init__(self, walk: Chain[Any], policy: Policy, months: int) -> None:
        self.walk, self.policy, self.months = walk, policy, months
        self.graph = MonthWalk(walk)
        self.unit = grain(walk.rules)
        self.top = -(-policy.price // self.unit)
        self.offers = {
            card.id
            for deck in walk.rules.decks.values()
            for card in deck.cards
            if any(isinstance(e, Keep) and e.card == policy.card for e in inner(card.effects))
        }
        self.offered = self.graph.reach(self._is_offer)
        self.least: dict[When, int] = {}
        self._read()

    def _read(self) -> None:
        """What every state can do: (chance, end, bill, when offered or None); alike states once."""
        alike: dict[int, int] = {-1: -1}
        same: dict[Any, int] = {}
        self.steps: dict[int, list[tuple[Fraction, int, int, tuple[int, int] | None]]] = {}
        for i in self.graph.order:
            chances: dict[tuple[int, int, tuple[int, int] | None], Fraction] = {}
            stay = Fraction(0)
            for branch in self.walk.branches[i]:
                over = any(map(laps, branch.events))
                if branch.end == i and not over:
                    stay += Fraction(branch.chance)
                    continue
                offer = any(map(self._is_offer, branch.events))
                where = self._where(branch.end) if offer else None
                key = (-1 if over else alike[branch.end], self._bill(branch), where)
                chances[key] = chances.get(key, Fraction(0)) + Fraction(branch.chance)
            steps = [(chance / (1 - stay), *key) for key, chance in chances.items()]
            alike[i] = same.setdefault(frozenset(steps), i)
            if alike[i] == i:
                self.steps[i] = steps
        self.home = alike[self.graph.home]

    def _where(self, state: int) -> tuple[int, int]:
        """Day, and cards still to be drawn on it."""
        after = self.walk.states[state]
        left = sum(isinstance(effect, Draw) for effect in after.agenda)
        return self.walk.rules.squares[after.token.square].number, left

    def _is_offer(self, event: object) -> bool:
        return isinstance(event, Drew) and event.card in self.offers

    def _bill(self, branch: Branch[Any]) -> int:
        return sum(
            event.amount
            for event in branch.events
            if isinstance(event, Owed) and event.kind in self.policy.kinds
        )

    def run(self) -> tuple[Fraction, Fraction]:
        """The gain of the best answers, and that of buying at once, from the start."""
        best = always = coming = Fraction(0)
        for month in range(self.months, 0, -1):
            best, always, coming = self._month(month, best, always, coming)
        return best, always

    def _month(
        self, month: int, best: Fraction, always: Fraction, coming: Fraction
    ) -> tuple[Fraction, Fraction, Fraction]:
        """One month earlier: what waiting and buying at once gain, and the bills to come."""
        bills = range(self.top + 1)
        wait: dict[int, list[Fraction]] = {-1: [best] * len(bills)}
        once: dict[int, list[Fraction]] = {-1: [always] * len(bills)}
        future: dict[int, Fraction] = {-1: coming}
        zero = Fraction(0)
        for i, steps in self.steps.items():
            waiting, buying, expected = [zero] * len(bills), [zero] * len(bills), zero
            for chance, end, bill, offer in steps:
                expected += chance * (bill + future[end])
                if offer is None:
                    more = bill // self.unit
                    waits = [self._at(wait[end], end, b + more) for b in bills]
                    buys = [self._at(once[end], end, b + more) for b in bills]
                else:
                    buys = [b * self.unit + future[end] - self.policy.price for b in bills]
                    waits = list(map(max, buys, wait[end]))
                    self.least[When(month, *offer)] = self._least(buys, wait[end])
                waiting = [have + chance * new for have, new in zip(waiting, waits, strict=True)]
                buying = [have + chance * new for have, new in zip(buying, buys, strict=True)]
            wait[i], once[i], future[i] = waiting, buying, expected
        return wait[self.home][0], once[self.home][0], future[self.home]

    def _at(self, row: list[Fraction], state: int, bills: int) -> Fraction:
        """The promise with so many bills in hand."""
        if bills <= self.top:
            return row[bills]
        more = (bills - self.top) * self.unit
        return row[self.top] + more * self.offered[state]

    def _least(self, gains: list[Fraction], waits: list[Fraction]) -> int:
        """From how many bills in hand on buying is better than waiting."""
        buy = [gain > waiting for gain, waiting in zip(gains, waits, strict=True)]
        # with more bills than the price, buying is better in any case
        return (buy.index(True) if any(buy) else self.top + 1) * self.unit
