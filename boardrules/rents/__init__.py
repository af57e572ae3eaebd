"""Deeds and what they earn: rents, paybacks, groups, mortgages, bids, and positions in mid-game.

`rent` is the table of all deeds at all levels; `groups`, `payback`, `invest` and `position` are
modules of their own, each named after what it works out.
"""

from .deeds import Terms
from .table import COLUMNS, RentRow, RentTable, rent

__all__ = ["COLUMNS", "RentRow", "RentTable", "Terms", "rent"]
