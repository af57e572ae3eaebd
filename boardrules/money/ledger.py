"""One player's money, entry by entry: cash, savings or a loan, and the seven steps of Pay Day.

A ledger is not a simulation: it throws no dice and decides nothing.  It carries out what one tells
it to, refuses what the rules forbid (naming the rule, as in the game's list of rules), and keeps a
double entry of everything, so that no money appears or is lost.  All figures come from the ruleset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from html import escape
from math import gcd
from typing import Any, Literal, TypeAlias

from ..effects import Ask, Collect, Keep, Owe, Pay, UnlessHeld, inner
from ..rules import Deal, Problem, Rules, RulesError, unknown

Holder: TypeAlias = Literal["cash", "savings", "loan", "bank", "pot", "players"]
"""Where money can be; a loan is a holder that has less than nothing."""

HOLDERS: tuple[Holder, ...] = ("cash", "savings", "loan", "bank", "pot", "players")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the ledger: how much went from whom to whom, why, and by which rule."""

    month: int
    what: str
    amount: int
    giver: Holder
    taker: Holder
    rule: str


@dataclass(frozen=True, slots=True)
class Bill:
    """A bill in hand, and of which kind it is."""

    amount: int
    kind: str = "bill"


@dataclass(frozen=True, slots=True)
class Policy:
    """An insurance: what it costs, and which kinds of bills it cancels."""

    card: str
    price: int
    kinds: frozenset[str]


@dataclass(frozen=True, eq=False)
class Ledger:
    """What one player has and owes; each transaction makes a new ledger with one line more.

    `step` is the step of Pay Day done last (0: Pay Day has not begun).  Savings and loan are whole
    numbers of steps of the account.  Made by `opened`.
    """

    rules: Rules = field(repr=False)
    months: int
    month: int = 1
    step: int = 0
    over: bool = False
    bills: tuple[Bill, ...] = ()
    tickets: tuple[int, ...] = ()
    deals: tuple[str, ...] = ()
    insured: frozenset[str] = frozenset()
    start: int = 0
    entries: tuple[Entry, ...] = field(default=(), repr=False)
    balances: Mapping[Holder, int] = field(default_factory=dict, repr=False)

    # ------------------------------------------------------------------------ what there is

    @property
    def cash(self) -> int:
        """Money in hand."""
        return self.balances.get("cash", 0)

    @property
    def savings(self) -> int:
        """Money in the savings account."""
        return self.balances.get("savings", 0)

    @property
    def loan(self) -> int:
        """What is owed to the bank."""
        return -self.balances.get("loan", 0)

    @property
    def wealth(self) -> int:
        """What counts at the end: cash and savings, less the loan (P33)."""
        return self.cash + self.savings - self.loan

    @property
    def owed(self) -> int:
        """All bills in hand."""
        return sum(bill.amount for bill in self.bills)

    @property
    def last_month(self) -> bool:
        """Whether this is the last month."""
        return self.month == self.months

    # ---------------------------------------------------------------------------- accounts

    def deposit(self, amount: int) -> Ledger:
        """Put cash into savings: only on Pay Day, in step 3, and never with a loan (P22, P23)."""
        terms = self.rules.accounts
        self._whole_steps(amount, "deposit")
        if not terms.savings:
            raise self._no("P23", "there are no savings in this edition")
        if self.step != ACCOUNTS_OPEN:
            raise self._no("P23", "savings are opened or added to only on Pay Day, in step 3")
        if self.loan and not terms.both_at_once:
            raise self._no("P22", f"no savings while a loan of {self.loan} is open: repay it first")
        if amount > self.cash:
            raise self._no("P23", f"cash is {self.cash}, too little to deposit {amount}")
        return self._moved(amount, "cash", "savings", "deposit", "P28")

    def withdraw(self, amount: int) -> Ledger:
        """Take cash out of savings: free on Pay Day, for a fee at any other time (P23)."""
        self._going_on()
        self._whole_steps(amount, "withdrawal", all_of=self.savings)
        if amount > self.savings:
            raise self._no("P23", f"savings are {self.savings}, too little to withdraw {amount}")
        fee = self.fee(amount)
        if self.cash + amount < fee:
            raise self._no("P23", f"the fee of {fee} is more than cash and withdrawal together")
        taken = self._moved(amount, "savings", "cash", "withdraw", "P23")
        return taken._moved(fee, "cash", "bank", "fee", "P23") if fee else taken

    def fee(self, amount: int) -> int:
        """What withdrawing so much costs now."""
        terms = self.rules.accounts
        if self.step:
            return 0
        per = -(-amount // terms.step) if terms.fee_mode == "per_step" else 1
        return terms.early_withdrawal_fee * per

    def borrow(self, amount: int) -> Ledger:
        """Take up or raise a loan, at any time, but never while there are savings (P22, P24)."""
        self._going_on()
        self._whole_steps(amount, "loan")
        if self.savings and not self.rules.accounts.both_at_once:
            raise self._no("P22", f"no loan while there are savings of {self.savings}: empty them")
        return self._moved(amount, "loan", "cash", "borrow", "P24")

    def repay(self, amount: int) -> Ledger:
        """Pay back a loan or a part of it: only on Pay Day, in step 3 (P24, P28)."""
        self._whole_steps(amount, "repayment")
        if self.step != ACCOUNTS_OPEN:
            raise self._no("P24", "a loan is repaid only on Pay Day, in step 3")
        if amount > self.loan:
            raise self._no("P24", f"the loan is {self.loan}, less than {amount}")
        if amount > self.cash:
            raise self._no("P24", f"cash is {self.cash}, too little to repay {amount}")
        return self._moved(amount, "cash", "loan", "repay", "P28")

    # ----------------------------------------------------------------- money in and out

    def receive(
        self, amount: int, what: str = "receive", giver: Holder = "bank", rule: str = "P21"
    ) -> Ledger:
        """Collect money."""
        self._going_on()
        self._in_grain(amount)
        return self._moved(amount, giver, "cash", what, rule)

    def pay(
        self, amount: int, what: str = "pay", taker: Holder = "bank", rule: str = "P25"
    ) -> Ledger:
        """Pay what has to be paid; who is short must withdraw savings, and then borrow (P25)."""
        self._going_on()
        self._in_grain(amount)
        return self._raised(amount)._moved(amount, "cash", taker, what, rule)

    def spend(self, amount: int, what: str, taker: Holder = "bank", rule: str = "Pn") -> Ledger:
        """Pay for what nobody has to buy: insurance, poker, a stake (a switch, Pn)."""
        if amount > self.cash and not self.rules.accounts.loan_may_pay_for_side_games:
            text = f"cash is {self.cash}, and neither savings nor a loan may pay for {what}"
            raise self._no("Pn", text)
        return self.pay(amount, what, taker, rule)

    def _raised(self, amount: int) -> Ledger:
        """Enough cash for a payment: the least withdrawal that will do, then the least loan."""
        ledger, step = self, self.rules.accounts.step
        if ledger.savings and ledger.cash < amount:
            tries = [*range(step, ledger.savings, step), ledger.savings]
            enough = [w for w in tries if ledger.cash + w - ledger.fee(w) >= amount]
            ledger = ledger._forced_withdrawal(enough[0] if enough else ledger.savings)
        short = amount - ledger.cash
        return ledger.borrow(-(-short // step) * step) if short > 0 else ledger

    def _forced_withdrawal(self, amount: int) -> Ledger:
        """A withdrawal whose fee may itself have to be borrowed."""
        fee, step = self.fee(amount), self.rules.accounts.step
        taken = self._moved(amount, "savings", "cash", "withdraw", "P23")
        short = fee - taken.cash
        if short > 0:
            taken = taken.borrow(-(-short // step) * step)
        return taken._moved(fee, "cash", "bank", "fee", "P23") if fee else taken

    # ------------------------------------------------------------------ mail and spaces

    def bill(self, amount: int, kind: str = "bill") -> Ledger:
        """Draw a bill: it is kept until Pay Day, unless insurance cancels it (P12, P14)."""
        self._during_month("P12", "a bill is drawn")
        self._in_grain(amount)
        if kind in self._spared:
            return self
        return replace(self, bills=(*self.bills, Bill(amount, kind)))

    @property
    def _spared(self) -> frozenset[str]:
        every = policies(self.rules)
        return frozenset(kind for card in self.insured for kind in every[card].kinds)

    def insure(self, card: str) -> Ledger:
        """Buy an insurance on the spot; it cancels the bills of its kind in hand as well (P14)."""
        self._during_month("P14", "insurance is bought when it is drawn")
        known = policies(self.rules)
        if card not in known:
            raise self._no("P14", unknown("insurance", card, known))
        if card in self.insured:
            raise self._no("P14", f"{card} is held already; it lasts the whole game")
        paid = self.spend(known[card].price, card, rule="P14")
        left = tuple(bill for bill in paid.bills if bill.kind not in known[card].kinds)
        return replace(paid, bills=left, insured=paid.insured | {card})

    def ticket(self, prize: int) -> Ledger:
        """Draw a lottery ticket; it pays only on Lottery Draw in the same month (P13)."""
        self._during_month("P13", "a ticket is drawn")
        self._in_grain(prize)
        return replace(self, tickets=(*self.tickets, prize))

    def cash_tickets(self) -> Ledger:
        """Land on Lottery Draw: every ticket of this month pays (P13)."""
        self._during_month("P13", "tickets are cashed on Lottery Draw")
        ledger = self
        for prize in self.tickets:
            ledger = ledger.receive(prize, "lottery", rule="P13")
        return replace(ledger, tickets=())

    def election(self, amount: int) -> Ledger:
        """Pay for the town election, into the pot; nobody may refuse (P18)."""
        return self.pay(amount, "election", "pot", "P18")

    def take_pot(self) -> Ledger:
        """Throw a six: the pot is yours (P18)."""
        held = self.balances.get("pot", 0)
        return self.receive(held, "pot", "pot", "P18") if held else self

    def share_pot(self, players: int) -> Ledger:
        """Share what is left in the pot after the last month, where the rules have it so (Pf).

        Whole units only; what cannot be shared stays in the pot.
        """
        if self.rules.accounts.pot_left != "shared":
            raise self._no("Pf", "a pot that is left at the end is nobody's")
        if not self.over:
            raise self._no("Pf", "the pot is shared when the last month is over")
        if players < 1:
            raise self._no("Pf", "nobody is there to share the pot")
        unit = grain(self.rules)
        share = self.balances.get("pot", 0) // unit // players * unit
        if not share:
            return self
        shared = self._moved(share, "pot", "cash", "pot left", "Pf")
        others = share * (players - 1)
        return shared._moved(others, "pot", "players", "pot left", "Pf") if others else shared

    def poker(self, players: int, *, won: bool) -> Ledger:
        """Sit at poker with so many players in all: everyone stakes, one takes all (P17, Pk)."""
        stake, terms = self.rules.accounts.poker_stake, self.rules.accounts
        self._during_month("P17", "poker is played on its space")
        if players < 1:
            raise self._no("P17", "nobody sits at poker")
        paid = self.spend(stake, "poker", "players", "P17")
        if players == 1:
            back = terms.lone_poker_returns
            return paid.receive(stake, "poker", "players", "Pk") if back else paid
        return paid.receive(stake * players, "poker", "players", "P17") if won else paid

    @property
    def may_use_swellfare(self) -> bool:
        """Whether loan, its coming interest and bills in hand exceed cash (P15, Ph)."""
        terms = self.rules.accounts
        have = self.cash + (self.savings if terms.side_savings_count_as_cash else 0)
        return self.loan + self.interest_due("loan") + self.owed > have

    def swellfare(self, stake: int, face: int) -> Ledger:
        """Stake something on one throw: a winning face pays many times, the rest loses (P15)."""
        terms = self.rules.accounts
        self._during_month("P15", "Swellfare is used when it is drawn")
        if not self.may_use_swellfare:
            text = "only who owes more than his cash may use Swellfare (loan, interest and bills)"
            raise self._no("P15", text)
        if not 0 < stake <= terms.side_stake:
            raise self._no("P15", f"stake at most {terms.side_stake}, not {stake}")
        won = face in terms.side_win_faces
        if won and terms.side_stake_kept_on_win:
            self._affordable(stake)
            return self.receive(stake * terms.side_multiple, "swellfare", rule="P15")
        paid = self.spend(stake, "swellfare", "bank" if won else "pot", "P15")
        return paid.receive(stake * terms.side_multiple, "swellfare", rule="P15") if won else paid

    def _affordable(self, amount: int) -> None:
        if amount > self.cash and not self.rules.accounts.loan_may_pay_for_side_games:
            raise self._no("Pn", f"cash is {self.cash}, and a loan may not pay for a stake")

    # ---------------------------------------------------------------------------- deals

    def buy(self, card: str) -> Ledger:
        """Buy the deal that was drawn, at its cost; savings, then a loan may pay for it (P6)."""
        self._during_month("P6", "a deal is bought when it is drawn")
        deal = self._deal(card)
        if card in self.deals:
            raise self._no("P7", f"{card} is in hand already and cannot be drawn")
        return replace(self.pay(deal.cost, card, rule="P6"), deals=(*self.deals, card))

    def sell(self, card: str) -> Ledger:
        """Hand a deal to a buyer for its value, which the bank pays (P9)."""
        self._during_month("P9", "deals are sold on Buyer")
        deal = self._deal(card)
        if card not in self.deals:
            raise self._no("P9", f"{card} is not in hand")
        left = tuple(one for one in self.deals if one != card)
        return replace(self.receive(deal.value, card, rule="P9"), deals=left)

    def commission(self, card: str) -> Ledger:
        """Win the commission of a deal that somebody has bought; the bank pays it (P8)."""
        amount = self._deal(card).commission
        return self.receive(amount, "commission", rule="P8") if amount else self

    def _deal(self, card: str) -> Deal:
        known = deals(self.rules)
        if card not in known:
            raise self._no("P6", unknown("deal", card, known))
        return known[card]

    # -------------------------------------------------------------------------- Pay Day

    def salary(self) -> Ledger:
        """Step 1: collect the salary, unless this is the last month (P26)."""
        terms = self.rules.accounts
        ledger = self._next(1, "P26")
        if self.last_month and not terms.salary_last_month:
            return ledger
        return ledger._moved(terms.salary, "bank", "cash", "salary", "P26")

    def interest(self) -> Ledger:
        """Step 2: collect interest on savings, or pay it on the loan as it stands (P27)."""
        ledger = self._next(2, "P27")
        earned, due = self.interest_due("savings"), self.interest_due("loan")
        if earned:
            to = "cash" if self.rules.accounts.savings_interest_to == "cash" else "savings"
            ledger = ledger._moved(earned, "bank", to, "interest", "P27")  # type: ignore[arg-type]
        return ledger.pay(due, "interest", rule="P27") if due else ledger

    def interest_due(self, account: Literal["savings", "loan"]) -> int:
        """The interest on a balance as it stands now.

        Interest counts on whole steps of the account, which is how it never needs rounding.
        """
        terms = self.rules.accounts
        rate = terms.savings_rate if account == "savings" else terms.loan_rate
        balance = self.savings if account == "savings" else self.loan
        return balance // terms.step * interest_of_a_step(self.rules, rate)

    def pay_bills(self) -> Ledger:
        """Step 4: pay all bills; a loan taken for them bears its first interest next time (P29)."""
        ledger = self._next(4, "P29")
        for bill in self.bills:
            ledger = ledger.pay(bill.amount, bill.kind, rule="P29")
        return replace(ledger, bills=())

    def void_tickets(self) -> Ledger:
        """Step 5: tickets that were not cashed are void (P30)."""
        return replace(self._next(5, "P30"), tickets=())

    def discard_deals(self) -> Ledger:
        """Step 6: in the last month, deals not sold are worth nothing (P31)."""
        ledger = self._next(6, "P31")
        return replace(ledger, deals=()) if self.last_month else ledger

    def home(self) -> Ledger:
        """Step 7: back to Start for the next month, or stop after the last (P32)."""
        ledger = self._next(7, "P32")
        if self.last_month:
            return replace(ledger, over=True)
        return replace(ledger, month=self.month + 1, step=0)

    def pay_day(self, choose: Callable[[Ledger], Ledger] | None = None) -> Ledger:
        """All seven steps in their order; `choose` is what the player does in step 3."""
        ledger = self.salary().interest()
        if choose is not None:
            ledger = choose(ledger)
        return ledger.pay_bills().void_tickets().discard_deals().home()

    def _next(self, step: int, rule: str) -> Ledger:
        """The next step of Pay Day; step 3 is a choice and may be left out."""
        self._going_on()
        before = {4: ACCOUNTS_OPEN}.get(step, step - 1)
        if self.step != before:
            done = f"step {self.step} was the last one done" if self.step else "no step is done yet"
            raise self._no(rule, f"the steps of Pay Day keep their order: {done}, not {before}")
        return replace(self, step=step)

    # -------------------------------------------------------------------- what is refused

    def _going_on(self) -> None:
        if self.over:
            raise self._no("P32", "the last month is over")

    def _during_month(self, rule: str, what: str) -> None:
        self._going_on()
        if self.step:
            raise self._no(rule, f"{what}, not on Pay Day")

    def _in_grain(self, amount: int) -> None:
        smallest = grain(self.rules)
        if isinstance(amount, bool) or not isinstance(amount, int) or amount < 0:
            raise self._no("P21", f"an amount is a whole number, not {amount!r}")
        if amount % smallest:
            raise self._no("P21", f"all amounts are multiples of {smallest}, not {amount}")

    def _whole_steps(self, amount: int, what: str, all_of: int = 0) -> None:
        step = self.rules.accounts.step
        if isinstance(amount, bool) or not isinstance(amount, int) or amount <= 0:
            raise self._no("P21", f"a {what} is a whole number above 0, not {amount!r}")
        if amount % step and amount != all_of:
            raise self._no("P21", f"a {what} is a multiple of {step}, not {amount}")

    def _no(self, rule: str, text: str) -> RulesError:
        return RulesError(self.rules.label, [Problem("", rule, text)])

    def _moved(self, amount: int, giver: Holder, taker: Holder, what: str, rule: str) -> Ledger:
        now = dict(self.balances)
        now[giver] = now.get(giver, 0) - amount
        now[taker] = now.get(taker, 0) + amount
        entry = Entry(self.month, what, amount, giver, taker, rule)
        return replace(self, balances=now, entries=(*self.entries, entry))

    # ------------------------------------------------------------------------------ views

    def __str__(self) -> str:
        unit = self.rules.currency
        head = f"{self.rules.title}: month {self.month} of {self.months}"
        body = (
            f"{one.month:>3}  {one.rule:<4} {one.what:<12} {self._signed(one):>8}"
            for one in self.entries
        )
        foot = (
            f"cash {unit}{self.cash}, savings {unit}{self.savings}, loan {unit}{self.loan}, "
            f"bills {unit}{self.owed}"
        )
        return "\n".join((head, *body, foot))

    @staticmethod
    def _signed(entry: Entry) -> str:
        return f"{'+' if entry.taker == 'cash' else '-'}{entry.amount}"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


ACCOUNTS_OPEN = 2
"""After this step of Pay Day, and before bills, accounts are open (step 3)."""


def opened(rules: Rules, months: int | None = None, pot: int = 0) -> Ledger:
    """The ledger of a player at the start: the start cash in hand, no account (P1).

    >>> from boardrules import load
    >>> ledger = opened(load("payday"), months=6).pay(50).salary().interest().deposit(600)
    >>> ledger.cash, ledger.savings
    (0, 600)
    """
    if "accounts" not in rules.tree:
        text = "this game has no accounts: no salary, savings or loans"
        raise RulesError(rules.label, [Problem("", "accounts", text)])
    count = rules.end.months if months is None else months
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= MOST_MONTHS:
        text = f"the number of months is from 1 to {MOST_MONTHS}, not {count!r}"
        raise RulesError(rules.label, [Problem("", "P1", text)])
    if wrong := _impossible(rules):
        raise RulesError(rules.label, wrong)
    held: dict[Holder, int] = {"cash": rules.start.cash}
    if pot:
        held["pot"] = pot
    return Ledger(rules, count, start=rules.start.cash, balances=held)


def _impossible(rules: Rules) -> list[Problem]:
    """What no account can do: steps of nothing, and amounts below nothing."""
    terms = rules.accounts
    least = {
        "start.cash": (rules.start.cash, 0),
        "accounts.salary": (terms.salary, 0),
        "accounts.step": (terms.step, 1),
        "accounts.early_withdrawal_fee": (terms.early_withdrawal_fee, 0),
    }
    return [
        Problem("", path, f"must be {low} or more, not {value}")
        for path, (value, low) in least.items()
        if value < low
    ]


MOST_MONTHS = 1_200
"""Games longer than this are taken for a slip of the pen."""


def interest_of_a_step(rules: Rules, rate: Fraction) -> int:
    """The interest on one step of an account; it must be a whole number (P21)."""
    amount = rate * rules.accounts.step
    if amount.denominator != 1:
        text = (
            f"interest of {rate} on one step of {rules.accounts.step} is not a whole number; "
            "choose a rate or a step that needs no rounding"
        )
        raise RulesError(rules.label, [Problem("", "P21", text)])
    return int(amount)


# ------------------------------------------------------------- what the ruleset knows of money


@lru_cache(maxsize=64)
def grain(rules: Rules) -> int:
    """The largest amount that divides every amount of the game: all money comes in such units."""
    terms = rules.accounts
    amounts = [rules.start.cash, terms.salary, terms.step, terms.early_withdrawal_fee]
    amounts += [terms.poker_stake, terms.side_stake, terms.pushed_start_collects]
    amounts += [interest_of_a_step(rules, rate) for rate in (terms.savings_rate, terms.loan_rate)]
    amounts += [n for deal in deals(rules).values() for n in (deal.value, deal.commission)]
    amounts += [e.prize for e in _effects(rules) if isinstance(e, Keep)]
    amounts += [e.amount for e in _effects(rules) if isinstance(e, (Collect, Pay, Owe))]
    return gcd(*amounts) or 1


def _effects(rules: Rules) -> Iterable[Any]:
    for square in rules.squares:
        yield from inner(square.passing + square.landing + square.crossing)
    for deck in rules.decks.values():
        for card in deck.cards:
            yield from inner(card.effects)


def deals(rules: Rules) -> dict[str, Deal]:
    """All deals of the game by the ids of their cards."""
    cards = (card for deck in rules.decks.values() for card in deck.cards)
    return {card.id: card.deal for card in cards if card.deal is not None}


@lru_cache(maxsize=64)
def policies(rules: Rules) -> Mapping[str, Policy]:
    """All insurances of the game: the kept cards that spare their holder some kind of bill."""
    kinds: dict[str, set[str]] = {}
    prices: dict[str, int] = {}
    for effect in _effects(rules):
        match effect:
            case UnlessHeld(card=card, effect=Owe(kind=kind)):
                kinds.setdefault(card, set()).add(kind)
            case Ask(answers=answers):
                for _, then in answers:
                    kept = [one.card for one in then if isinstance(one, Keep)]
                    price = sum(one.amount for one in then if isinstance(one, Pay))
                    prices.update(dict.fromkeys(kept, price))
            case _:
                pass
    return {
        card: Policy(card, prices[card], frozenset(of))
        for card, of in kinds.items()
        if card in prices
    }
