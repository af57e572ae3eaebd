"""How long a class waits for a lesson: `pytest tests/benchmarks/test_lesson_speed.py -o addopts=`.

From the address typed in to the last cell done, in a real JupyterLab in headless Chromium; goal:
15 s on two cores.  The server runs already, as it does in the second lesson of a morning.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import (  # noqa: F401
    CHROMIUM,
    browser_context_args,
    browser_type_launch_args,
    lab,
    offline,
    open_notebook,
)

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no Chromium found")

LESSONS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.stem)
def test_a_lesson_opens_and_runs(
    benchmark: Any,
    open_notebook: Callable[[Path], Any],  # noqa: F811
    lesson: Path,
) -> None:
    benchmark.pedantic(lambda: open_notebook(lesson), rounds=1)
