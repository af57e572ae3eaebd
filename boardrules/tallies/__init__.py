"""What a class has counted, and how surprising it is.

`reading` makes counts of whatever thirty pupils type or paste; `verdict` says in plain words how
odd they are, against the exact law; `chart` draws both.
"""

from .chart import tally_chart
from .reading import Doubt, Outcomes, Tally, read, squares_of, sums_of
from .verdict import Seen, Verdict, verdict

__all__ = [
    "Doubt",
    "Outcomes",
    "Seen",
    "Tally",
    "Verdict",
    "read",
    "squares_of",
    "sums_of",
    "tally_chart",
    "verdict",
]
