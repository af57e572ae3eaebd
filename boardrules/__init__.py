"""What a money board game really does: exact landing probabilities, incomes and odds.

Start with `games()` and `load("monopoly")`; `landing`, `per`, `until`, `after` and `spread` answer
questions about a token's walk, `play` and `explain` show it turn by turn.
"""

from .chain import chain
from .events import bank, landings, lands_on, laps, rolls, turns
from .library import games, load
from .measure import after, per, spread, stationary, until
from .money import finance
from .play import explain, play
from .rents import rent
from .rules import Rules, RulesError
from .tables import compare, landing
from .turn import leave, leave_at, mixed, stay

__version__ = "0.1.0"

__all__ = [
    "Rules",
    "RulesError",
    "after",
    "bank",
    "chain",
    "compare",
    "explain",
    "finance",
    "games",
    "landing",
    "landings",
    "lands_on",
    "laps",
    "leave",
    "leave_at",
    "load",
    "mixed",
    "per",
    "play",
    "rent",
    "rolls",
    "spread",
    "stationary",
    "stay",
    "turns",
    "until",
]
