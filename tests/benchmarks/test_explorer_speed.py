"""From slider to chart: `pytest tests/benchmarks/test_explorer_speed.py -o addopts=`.

From a slider to the chart redrawn is to take 150 ms where only money changes, 400 ms where the
walk changes.  Every figure is the median of 20 and is printed: the kernel alone, and in a real
JupyterLab in headless Chromium from the event to the screen, two frames included.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import pytest

from boardrules.widgets import explorer
from tests.browser.conftest import (  # noqa: F401
    CHROMIUM,
    browser_context_args,
    browser_type_launch_args,
    lab,
    offline,
    open_notebook,
)

ROUNDS = 20
SALARY, ATTEMPTS = "squares.go.passing[0].collect", "jail.attempts"
MONEY_GOAL, WALK_GOAL = 150, 400  # milliseconds

PAINTED = """async ([label, value]) => {
  const row = [...document.querySelectorAll('.boardrules-controls .row')]
    .find((one) => one.querySelector('label')?.textContent === label);
  const slider = row.querySelector('input[type=range]');
  const chart = document.querySelector('.js-plotly-plot');
  let drawn = false;
  chart.on('plotly_afterplot', () => { drawn = true; });
  const start = performance.now();
  slider.value = value;
  slider.dispatchEvent(new Event('input'));
  while (!drawn) {
    await new Promise((done) => { const port = new MessageChannel(); port.port1.onmessage = done;
      port.port2.postMessage(0); });
    if (performance.now() - start > 10000) throw new Error('nothing happened');
  }
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return performance.now() - start;
}"""


def report(benchmark: Any, name: str, times: list[float], goal: float) -> None:
    """Print a median and keep all figures with the benchmark."""
    found = median(times)
    told = f"median {found:.0f} ms, {min(times):.0f} to {max(times):.0f} (goal {goal:g})"
    print(f"\n{name}: {told}")  # noqa: T201
    benchmark.extra_info.update({name: found, "goal": goal, "all": times})


@pytest.mark.parametrize("what", ["landing", "income", "rent", "payback"])
@pytest.mark.parametrize("game", ["monopoly", "easy_money"])
def test_a_slid_amount_in_the_kernel(benchmark: Any, game: str, what: str) -> None:
    one = explorer(game)
    money = one.study.knobs[0]
    one.chart_form._handle_custom_msg({"set": {"what": what}}, [])
    times: list[float] = []

    def slide() -> None:
        value = money.value + (len(times) % 5 + 1) * money.step
        start = perf_counter()
        one.rules_form._handle_custom_msg({"set": {money.name: value}}, [])
        times.append(1000 * (perf_counter() - start))

    benchmark.pedantic(slide, rounds=ROUNDS, warmup_rounds=3)
    report(benchmark, f"{game}, {what}, an amount, kernel", times[3:], MONEY_GOAL)


@pytest.mark.parametrize("game", ["monopoly", "easy_money", "payday"])
def test_a_slid_die_in_the_kernel(benchmark: Any, game: str) -> None:
    one = explorer(game)
    times: list[float] = []

    def slide() -> None:
        weight = 1.25 + 0.25 * len(times)  # never the same walk twice
        start = perf_counter()
        one.rules_form._handle_custom_msg({"set": {"dice.highest": weight}}, [])
        times.append(1000 * (perf_counter() - start))

    benchmark.pedantic(slide, rounds=ROUNDS, warmup_rounds=3)
    report(benchmark, f"{game}, landing, a die, kernel", times[3:], WALK_GOAL)


@pytest.mark.skipif(not CHROMIUM, reason="no Chromium found")
def test_a_slider_to_the_screen(
    benchmark: Any,
    tmp_path: Path,
    open_notebook: Callable[[Path], Any],  # noqa: F811
) -> None:
    code = "from boardrules.widgets import explorer\nexplorer()"
    cell = {"cell_type": "code", "id": "c", "metadata": {}, "outputs": [], "source": code,
            "execution_count": None}  # fmt: skip
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    book = {"cells": [cell], "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    file = tmp_path / "explorer.ipynb"
    file.write_text(json.dumps(book), encoding="utf-8")
    page = open_notebook(file)
    page.locator(".js-plotly-plot .bars").first.wait_for()
    page.wait_for_timeout(1500)
    for chart in ("Landing", "Bank income", "Rents", "Payback"):
        page.get_by_role("radio", name=chart).check()
        page.wait_for_timeout(1000)
        sliders = (("Salary (GO)", [250 + 50 * (n % 5) for n in range(ROUNDS)], MONEY_GOAL),
                   ("Weight of a 6 on each die (the other faces: 1)",
                    [1.25 + 0.25 * n for n in range(ROUNDS)], WALK_GOAL))  # fmt: skip
        for label, values, goal in sliders:
            times = []
            for value in values:
                times.append(page.evaluate(PAINTED, [label, value]))
                page.wait_for_timeout(150)
            report(benchmark, f"monopoly, {chart}, {label}, to the screen", times, goal)
    benchmark(lambda: None)
