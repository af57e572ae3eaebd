"""A bar for work that takes longer than one likes to wait; nothing is shown for what is quick.

Bars go to the terminal, or below the cell of a notebook, never into a file.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 2.0
"""Work that is done after so many seconds shows no bar."""


def progress(items: Iterable[T], what: str, total: int | None = None) -> Iterator[T]:
    """Go through items, with a bar if it takes long.

    `what` stands before the bar.  Whoever stops half-way leaves no bar behind.
    """
    from tqdm.auto import tqdm

    hidden = not (_in_notebook() or sys.stderr.isatty())
    with tqdm(
        items, desc=what, total=total, delay=PATIENCE, leave=False, disable=hidden, mininterval=0.2
    ) as bar:
        yield from bar


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")
