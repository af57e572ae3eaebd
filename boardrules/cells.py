"""Cells of a table as text, such that no spreadsheet takes one for a formula."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"-[0-9]+(\.[0-9]+|/[0-9]+)?([eE][-+]?[0-9]+)?")
_RISKY = ("=", "+", "-", "@", "\t", "\r")


def harmless(cell: str) -> str:
    """The cell, with a mark before it if a spreadsheet would run it; a number may be negative.

    >>> harmless("-5"), harmless("=1+1"), harmless("Market")
    ('-5', "'=1+1", 'Market')
    """
    return f"'{cell}" if cell.startswith(_RISKY) and not _NUMBER.fullmatch(cell) else cell
