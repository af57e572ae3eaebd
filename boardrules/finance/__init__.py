"""Borrow, save, or hold cash?  Ledgers, formulas, cash flows, plans, and the best plan.

`ledger` keeps one player's money to the letter of the rules, `formulas` has the textbook beside
it, `month` is what one month brings, `plans` compares plans, `best` finds the best one, and `deals`
tells when a bargain is one.
"""

from .ledger import Ledger, opened
from .plans import finance

__all__ = ["Ledger", "finance", "opened"]
