"""How long a pupil waits after moving a slider of loans and savings."""

from __future__ import annotations

from itertools import cycle
from typing import Any

import pytest

from boardrules.widgets.savings import WORK, Savings, savings

MOVES = cycle([{"loan": rate} for rate in range(0, 51, 5)])


@pytest.fixture(scope="module")
def widget() -> Savings:
    return savings()


def test_another_rate_over_three_months(benchmark: Any, widget: Savings) -> None:
    def slide() -> None:
        widget._trails.clear()  # nothing remembered: the worst case
        widget.controls._hear(None, {"set": next(MOVES)}, None)

    benchmark.pedantic(slide, rounds=5, warmup_rounds=1)
    assert len(widget.answer.trail) == 3


def test_six_months_on_the_button(benchmark: Any, widget: Savings) -> None:
    widget.controls.set(months=6)

    def press() -> None:
        widget._trails.clear()
        widget.controls._hear(None, {"press": WORK}, None)

    benchmark.pedantic(press, rounds=2)
    assert len(widget.answer.trail) == 6
