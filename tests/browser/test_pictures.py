"""Charts in a browser: what plotly accepts in Python may still fail where it is drawn."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("numpy")

import plotly.offline
from pictures import CHARTS, DRAW, EMPTY

SLOW = {"money_fan", "money_plans", "money_decision", "money_trade", "money_insurance"}
"""These take a while to be worked out, and are made of the same parts as the others."""

WIDTH = 930
"""So wide is a cell's output in JupyterLab on a projector, with its list of files open."""

OUTSIDE = """() => {
  const all = document.querySelector(".main-svg").getBoundingClientRect();
  return [...document.querySelectorAll(".js-plotly-plot text")].filter((text) => {
    const area = text.getBoundingClientRect();
    return area.width && (area.left < all.left - 1 || area.right > all.right + 1
      || area.top < all.top - 1 || area.bottom > all.bottom + 1);
  }).map((text) => text.textContent);
}"""


def test_every_chart_is_drawn_and_nothing_written_runs_out_of_it(page: Any) -> None:
    page.set_viewport_size({"width": WIDTH, "height": 768})
    page.set_content(EMPTY)
    page.add_script_tag(content=plotly.offline.get_plotlyjs())
    outside = {}
    for shot in CHARTS:
        if shot.name not in SLOW:
            page.evaluate(DRAW, json.loads(shot.make().to_json()))
            outside[shot.name] = page.evaluate(OUTSIDE)
    assert len(outside) > 20
    assert {name: texts for name, texts in outside.items() if texts} == {}
