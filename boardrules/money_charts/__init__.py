"""Charts of money: months, plans, loans and savings, and what to decide when.

They look like all charts of `boardrules.charts`, with the same small print and every simplification
that a result rests on.  `plans` draws laws of wealth, `formulas` the textbook beside the board,
`decisions` what to do at each Pay Day, on each Deal day, at each offer of insurance.
"""

from .decisions import decision_map, insurance_map, trade_map
from .formulas import (
    beside_chart,
    deal_chart,
    deposit_chart,
    gap_chart,
    growth_chart,
    interest_chart,
)
from .plans import balance_fan, month_chart, plan_chart

__all__ = [
    "balance_fan",
    "beside_chart",
    "deal_chart",
    "decision_map",
    "deposit_chart",
    "gap_chart",
    "growth_chart",
    "insurance_map",
    "interest_chart",
    "month_chart",
    "plan_chart",
    "trade_map",
]
