"""Borrow, save, or hold cash?  Ledgers, formulas, cash flows, plans, and the best plan.

`ledger` keeps one player's money to the letter of the rules, `formulas` has the textbook beside
it, `month` is what one month brings, `deals` tells when a bargain is one.  `plans` follows plans
about accounts, `trade` plans about deals; `best`, `trade` and `insurance` find the best answers;
`compare` puts all of them into one table.
"""

from .compare import finance
from .ledger import Ledger, opened

__all__ = ["Ledger", "finance", "opened"]
