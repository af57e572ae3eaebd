"""How soon a click is on the screen: `pytest tests/benchmarks/test_widget_speed.py -o addopts=`.

A click in the stepper goes to the kernel and back, in a real JupyterLab in headless Chromium, and
is to be painted within 75 ms; a step of a film within 50 ms; a step in a burst of a hundred is to
take 2 ms.  Every figure is the median of 20, two frames of the screen included, and is printed.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from boardrules.widgets import film, stepper
from tests.browser.conftest import (  # noqa: F401
    CHROMIUM,
    browser_context_args,
    browser_type_launch_args,
    lab,
    offline,
    open_notebook,
)

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no Chromium found")

ROUNDS = 20

PAINTED = """async ([selector, button]) => {
  const root = document.querySelector(selector);
  const press = [...root.querySelectorAll('button')].find((one) => one.textContent === button);
  const before = root.querySelector('.panel').textContent;
  const start = performance.now();
  press.click();
  while (root.querySelector('.panel').textContent === before) {
    await new Promise((done) => { const port = new MessageChannel(); port.port1.onmessage = done;
      port.port2.postMessage(0); });
    if (performance.now() - start > 5000) throw new Error('nothing happened');
  }
  const there = performance.now() - start;
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return [there, performance.now() - start];
}"""

BURST = """async ([selector, count]) => {
  const root = document.querySelector(selector);
  const press = [...root.querySelectorAll('button')].find((one) => one.textContent === 'Step');
  const start = performance.now();
  for (let k = 0; k < count; k += 1) press.click();
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return (performance.now() - start) / count;
}"""


def notebook(folder: Path, *cells: str) -> Path:
    """A notebook of some cells of code."""
    code = [
        {"cell_type": "code", "id": f"c{k}", "metadata": {}, "outputs": [], "source": cell,
         "execution_count": None}
        for k, cell in enumerate(cells)
    ]  # fmt: skip
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    book = {"cells": code, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    file = folder / "speed.ipynb"
    file.write_text(json.dumps(book), encoding="utf-8")
    return file


def report(benchmark: Any, name: str, times: list[float], goal: float) -> None:
    """Print a median and keep all figures with the benchmark."""
    found = median(times)
    told = f"median {found:.1f} ms, {min(times):.1f} to {max(times):.1f} (goal {goal:g})"
    print(f"\n{name}: {told}")  # noqa: T201
    benchmark.extra_info.update({name: found, "goal": goal, "all": times})


@pytest.fixture
def page_with(
    open_notebook: Callable[[Path], Any],  # noqa: F811
    tmp_path: Path,
) -> Callable[[str], Any]:
    """JupyterLab with one widget in it, ready to be clicked."""

    def page_with_(code: str) -> Any:
        page = open_notebook(notebook(tmp_path, f"from boardrules.widgets import *\n{code}"))
        page.locator(".boardrules .cell").first.wait_for()
        page.wait_for_timeout(1000)
        return page

    return page_with_


@pytest.mark.parametrize("game", ["monopoly", "easy_money", "payday"])
def test_a_click_in_the_stepper_with_the_kernels_answer(
    benchmark: Any, page_with: Callable[[str], Any], game: str
) -> None:
    page = page_with(f"stepper({game!r}, seed=3)")
    times: list[float] = []
    answered: list[float] = []

    def click() -> None:
        there, painted = page.evaluate(PAINTED, [".boardrules", "Forward"])
        answered.append(there)
        times.append(painted)
        page.wait_for_timeout(200)

    benchmark.pedantic(click, rounds=ROUNDS, warmup_rounds=2)
    report(benchmark, f"{game}: click to changed page", answered[2:], 75)
    report(benchmark, f"{game}: click to paint", times[2:], 75)


def test_a_step_of_a_film(benchmark: Any, page_with: Callable[[str], Any]) -> None:
    page = page_with("film('monopoly', turns=100)")
    times: list[float] = []

    def click() -> None:
        times.append(page.evaluate(PAINTED, [".boardrules", "Step"])[1])

    benchmark.pedantic(click, rounds=ROUNDS, warmup_rounds=2)
    report(benchmark, "step of a film to paint", times[2:], 50)


def test_a_burst_of_a_hundred_steps(benchmark: Any, page_with: Callable[[str], Any]) -> None:
    page = page_with("film('monopoly', turns=1000)")
    times: list[float] = []
    benchmark.pedantic(
        lambda: times.append(page.evaluate(BURST, [".boardrules", 100])),
        rounds=ROUNDS - 10,
        warmup_rounds=1,
    )
    report(benchmark, "a step in a burst", times[1:], 2)


def test_a_step_in_the_kernel_alone(benchmark: Any) -> None:
    """What the kernel does for a click: the walk, the law of the turn, and all that is shown."""
    steps = stepper("monopoly", seed=3)
    benchmark(steps.forward)


def test_a_film_in_the_kernel(benchmark: Any) -> None:
    benchmark.pedantic(lambda: film("monopoly", turns=100), rounds=5)
