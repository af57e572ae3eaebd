"""Games about money, played by throwing dice: what the laws of plans are tested against.

Many games at once, one row of the chain after the other.  Every payment is made on its day, from
cash, then from savings for a fee, then on a loan; only the price of insurance waits for Pay Day, as
it does in the laws.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from boardrules.chain import Chain
from boardrules.events import Drew, Kept, Noted, Owed, Paid, laps
from boardrules.money.ledger import policies
from boardrules.money.month import flow
from boardrules.money.plans import Plan

FEE, STEP, SALARY = 50, 100, 325


@dataclass
class Purses:
    """Cash, savings and loans of many games under one plan."""

    plan: Plan
    cash: Any
    savings: Any
    loan: Any
    insured: Any

    @classmethod
    def of(cls, plan: Plan, games: int, insurances: int) -> Purses:
        zero = np.zeros(games, dtype=np.int64)
        held = np.zeros((games, insurances), dtype=bool)
        return cls(plan, zero + SALARY, zero.copy(), zero.copy(), held)

    def receive(self, who: Any, amount: Any) -> None:
        self.cash[who] += amount

    def pay(self, who: Any, amount: Any, fee: int = FEE) -> None:
        """Pay at once: who is short takes the least from savings that will do, then borrows."""
        cash, savings = self.cash[who], self.savings[who]
        short = (cash < amount) & (savings > 0)
        wanted = -(-(amount + fee - cash) // STEP) * STEP
        taken = np.where(short, np.minimum(np.maximum(wanted, STEP), savings), 0)
        cash = cash + taken - np.where(taken > 0, fee, 0) - amount
        lent = np.where(cash < 0, -(cash // STEP) * STEP, 0)
        self.cash[who], self.savings[who] = cash + lent, savings - taken
        self.loan[who] += lent

    def pay_day(self, bills: Any, *, last: bool) -> None:
        """Salary, interest, the player's move, and bills."""
        everybody = np.arange(len(self.cash))
        if not last:
            self.cash += SALARY
        self.cash += self.savings // 10
        self.pay(everybody, self.loan // 5, fee=0)
        free = np.maximum(self.cash - bills - self.plan.cushion, 0) // STEP * STEP
        if self.plan.share != "hold":
            back = np.minimum(free, self.loan)
            more = free - back if self.plan.share == "save" else 0
            self.cash, self.loan = self.cash - back - more, self.loan - back
            self.savings = self.savings + more
        self.pay(everybody, bills, fee=0)

    @property
    def wealth(self) -> Any:
        return self.cash + self.savings - self.loan


class Sampler:
    """Months of many tokens at once, drawn from the rows of the chain."""

    def __init__(self, walk: Chain[Any], seed: int) -> None:
        self.random = np.random.default_rng(seed)
        rules = walk.rules
        price, cards = flow(rules), sorted(policies(rules))
        self.prices = np.array([policies(rules)[card].price for card in cards])
        kinds = [policies(rules)[card].kinds for card in cards]
        size = len(walk.states), max(map(len, walk.branches))
        self.cumulative = np.ones(size)
        self.end, self.now, self.bill, self.ticket = np.zeros((4, *size), dtype=np.int64)
        self.lottery, self.over = np.zeros((2, *size), dtype=bool)
        self.spared = np.zeros((*size, len(cards)), dtype=np.int64)
        self.offer = np.zeros((*size, len(cards)), dtype=bool)
        for i, branches in enumerate(walk.branches):
            chances = np.cumsum([float(branch.chance) for branch in branches])
            self.cumulative[i, : len(branches) - 1] = chances[:-1]
            for b, branch in enumerate(branches):
                self.end[i, b] = branch.end
                self.over[i, b] = any(map(laps, branch.events))
                paid = [price(event) for event in branch.events if isinstance(event, Paid)]
                assert sum(map(bool, paid)) <= 1  # the order of two would matter
                self.now[i, b] = sum(paid)
                for event in branch.events:
                    match event:
                        case Owed(kind=kind):
                            self.bill[i, b] -= price(event)
                            for c, spared in enumerate(kinds):
                                self.spared[i, b, c] -= price(event) if kind in spared else 0
                        case Kept(prize=prize):
                            self.ticket[i, b] += prize
                        case Noted(name="lottery_draw"):
                            self.lottery[i, b] = True
                        case Drew(deck="mail", card=card) if card in cards:
                            self.offer[i, b, cards.index(card)] = True

    def play(self, plans: Sequence[Plan], months: int, games: int) -> dict[str, Any]:
        """The final wealth of the same games under each plan."""
        purses = [Purses.of(plan, games, len(self.prices)) for plan in plans]
        for month in range(1, months + 1):
            bills, spared, offered = self._month(purses, games)
            for purse in purses:
                due = bills
                if purse.plan.insures:
                    new = offered & ~purse.insured
                    purse.insured |= offered
                    due = bills - (purse.insured * spared).sum(axis=1)
                    due = due + (new * self.prices).sum(axis=1)
                purse.pay_day(due, last=month == months)
        return {purse.plan.name: purse.wealth for purse in purses}

    def _month(self, purses: Sequence[Purses], games: int) -> tuple[Any, Any, Any]:
        """Payments on their days; the bills left, what insurance spares, and what is offered."""
        state, held, bills = np.zeros((3, games), dtype=np.int64)
        spared = np.zeros((games, len(self.prices)), dtype=np.int64)
        offered = np.zeros(spared.shape, dtype=bool)
        going = np.arange(games)
        while len(going):
            at = state[going]
            row = (self.random.random(len(going))[:, None] >= self.cumulative[at]).sum(axis=1)
            now, cashed = self.now[at, row], self.lottery[at, row]
            prize = np.where(cashed, held[going], 0)
            for purse in purses:
                purse.receive(going, np.maximum(now, 0) + prize)
                pays = now < 0
                purse.pay(going[pays], -now[pays])
            held[going] += self.ticket[at, row] - prize
            bills[going] += self.bill[at, row]
            spared[going] += self.spared[at, row]
            offered[going] |= self.offer[at, row]
            state[going] = self.end[at, row]
            going = going[~self.over[at, row]]
        return bills, spared, offered
