"""One month's laws in floats, ready to push a player's cash and account from Pay Day to Pay Day.

With plenty of cash a month is one law, taken over from the exact one; with little cash it is a law
for each amount (`boardrules.money.shortage`), since who is short in mid-month pays a fee or
borrows.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeAlias

from ..chain import Chain
from ..effects import Keep, inner
from ..rules import Rules
from .ledger import grain, policies
from .month import MonthWalk, flow
from .shortage import Short, convolved, short_months, together

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Held:
    """The chances of every account (rows, in steps from `account` on) and cash (columns).

    Cash is in units from `cash` on.
    """

    account: int
    cash: int
    chances: Floats


@dataclass(frozen=True, eq=False)
class Kernel:
    """The law of one month's money: `chances[i]` is that of (low + i) units.

    `short` are the laws of the months that begin with little cash; `per_step` are the units in one
    step of an account.
    """

    low: int
    chances: Floats
    short: Short
    per_step: int

    def spread(self, held: Held) -> Held:
        """The law after the month.  No bit is lost: sums of products of what is not negative."""
        import numpy as np

        deep = max(0, min(self.short.deep - held.cash, held.chances.shape[1]))
        plenty = held.chances[:, deep:]
        parts = [self._short(held.account, held.cash, held.chances[:, :deep])] if deep else []
        if plenty.size:
            spread = np.zeros((len(plenty), plenty.shape[1] + len(self.chances) - 1))
            some = plenty.any(axis=1)
            spread[some] = convolved(plenty[some], self.chances)
            parts.append(Held(held.account, held.cash + deep + self.low, spread))
        return summed(parts)

    def _short(self, account: int, cash: int, chances: Floats) -> Held:
        """What becomes of little cash, for each kind of account."""
        import numpy as np

        kinds = np.array([self.short.kind(account + row) for row in range(len(chances))])
        count, wide = chances.shape[1], self.short.laws.shape[3]
        parts: list[Held] = []
        for kind in np.unique(kinds):
            rows = np.flatnonzero(kinds == kind)
            for taken, laws in enumerate(self.short.laws[cash : cash + count, kind].swapaxes(0, 1)):
                if not laws.any():
                    continue
                # each amount of cash has its own law, and starts so much further to the right
                shifted = np.zeros((count, wide + count - 1))
                for one in range(count):
                    shifted[one, one : one + wide] = laws[one]
                first = cash + self.short.low + taken * self.per_step
                low = account + int(rows[0]) - taken
                parts.append(Held(low, first, chances[rows] @ shifted))
        return summed(parts)


def summed(parts: Sequence[Held]) -> Held:
    """The sum of several laws."""
    import numpy as np

    account, cash = min(p.account for p in parts), min(p.cash for p in parts)
    rows = max(p.account + p.chances.shape[0] for p in parts) - account
    wide = max(p.cash + p.chances.shape[1] for p in parts) - cash
    whole = np.zeros((rows, wide))
    for p in parts:
        down, right = p.account - account, p.cash - cash
        whole[down : down + p.chances.shape[0], right : right + p.chances.shape[1]] += p.chances
    return Held(account, cash, whole)


# ------------------------------------------------------------------------------ insurance

Kernels: TypeAlias = dict[tuple[frozenset[str], frozenset[str]], Kernel]
"""A month from each set of insurances held to each set held after it."""

NONE: frozenset[str] = frozenset()


def month_kernels(walk: Chain[Any], *, insures: bool) -> Kernels:
    """One month's law from each set of insurances held to each set held after it.

    Who buys every insurance when it is first offered has all bills of its kind of this month
    cancelled, those drawn before included; its price is counted on Pay Day.  Kept for the last
    walks, since plans, the best plan and charts of one walk share them.
    """
    return _insured(walk) if insures else _uninsured(walk)


@lru_cache(maxsize=4)
def _uninsured(walk: Chain[Any]) -> Kernels:
    rules, graph = walk.rules, MonthWalk(walk)
    law, short = graph.law(flow(rules)), short_months(graph, flow(rules))[NONE]
    per_step = rules.accounts.step // grain(rules)
    return {(NONE, NONE): _kernel(law, grain(rules), short, per_step)}


@lru_cache(maxsize=1)  # a few hundred megabytes each
def _insured(walk: Chain[Any]) -> Kernels:
    rules, graph = walk.rules, MonthWalk(walk)
    per_step = rules.accounts.step // grain(rules)
    found: Kernels = {}
    cards = tuple(policies(rules))
    laws: dict[tuple[frozenset[str], frozenset[str]], dict[int, Fraction]] = {}
    for after in subsets(cards):
        money = flow(rules, insured=after)
        never = _offers(rules, frozenset(cards) - after)
        offers = {offer: card for card in after for offer in _offers(rules, frozenset({card}))}
        shorts = short_months(graph, money, never, offers)
        for before in subsets(tuple(after)):
            new = after - before
            price = sum(policies(rules)[card].price for card in new)
            some = [
                short.moved(-price // grain(rules))
                for drawn, short in shorts.items()
                if new <= {offers[one] for one in drawn}
            ]
            law = _exact(graph, after, new, price, laws)
            if law:
                found[before, after] = _kernel(law, grain(rules), together(some), per_step)
    return found


def _kernel(law: Mapping[int, Fraction], unit: int, short: Short, per_step: int) -> Kernel:
    import numpy as np

    low, high = min(law) // unit, max(law) // unit
    chances = np.zeros(high - low + 1)
    for amount, chance in law.items():
        chances[amount // unit - low] = float(chance)
    return Kernel(low, chances, short, per_step)


def _exact(
    graph: MonthWalk,
    after: frozenset[str],
    new: frozenset[str],
    price: int,
    known: dict[tuple[frozenset[str], frozenset[str]], dict[int, Fraction]],
) -> dict[int, Fraction]:
    """The exact law of the months in which all new insurances are drawn, and no others.

    Inclusion and exclusion over those that are not.
    """
    rules = graph.rules
    cards = frozenset(policies(rules))
    law: dict[int, Fraction] = {}
    for absent in subsets(tuple(new)):
        never = (cards - after) | absent
        if (after, never) not in known:
            money = flow(rules, insured=after)
            known[after, never] = graph.law(money, without=_offers(rules, never))
        sign = -1 if len(absent) % 2 else 1
        for amount, chance in known[after, never].items():
            law[amount - price] = law.get(amount - price, Fraction(0)) + sign * chance
    return {amount: chance for amount, chance in law.items() if chance}


def subsets(cards: Sequence[str]) -> list[frozenset[str]]:
    """All choices of some cards, none and all included."""
    return [frozenset(some) for size in range(len(cards) + 1) for some in combinations(cards, size)]


def _offers(rules: Rules, kept: Collection[str]) -> frozenset[str]:
    """The ids of the cards that offer these insurances."""
    return frozenset(
        card.id
        for deck in rules.decks.values()
        for card in deck.cards
        if any(isinstance(e, Keep) and e.card in kept for e in inner(card.effects))
    )
