"""The counts of a class as bars, beside what one expects of so many throws or landings."""

from __future__ import annotations

from textwrap import wrap

from ..charts import (
    GRID,
    INK,
    NORMAL,
    OKABE_ITO,
    Figure,
    axis,
    broken,
    graph_objects,
    page,
    safe,
)
from ..decimals import Decimal, figure
from .verdict import Verdict

_LINE = 84
"""So many letters of small print fit on a line of a chart in a form."""
_LETTERS = 94
"""So many letters of names fit below the bars before they are turned."""


def tally_chart(verdict: Verdict, decimal: Decimal = ".") -> Figure:
    """Draw what a class has counted: bars, and with diamonds what the law leads one to expect.

    The line through each diamond is the band in which 19 of 20 classes lie, for that outcome by
    itself.  What stands out among all of them is hatched and has its name in bold.
    """
    go = graph_objects()
    rows = verdict.rows
    odd = {row.key for row in verdict.standing_out}
    places = list(range(len(rows)))
    chart = go.Figure()
    for own, label, colour, hatch in (
        (False, "counted by the class", OKABE_ITO[3], ""),
        (True, "counted, and it stands out", OKABE_ITO[1], "/"),
    ):
        chart.add_trace(
            go.Bar(
                x=places,
                y=[row.count if (row.key in odd) is own else None for row in rows],
                name=label,
                visible=bool(odd) or not own,
                hovertext=[_words(row.name, row.count, row.expected) for row in rows],
                hoverinfo="text",
                marker={
                    "color": colour,
                    "line": {"color": INK, "width": 1},
                    "pattern": {"shape": hatch, "fillmode": "overlay", "fgcolor": INK, "size": 8},
                },
            )
        )
    chart.add_trace(
        go.Scatter(
            x=places,
            y=[row.expected for row in rows],
            mode="markers",
            name="expected; 19 of 20 classes lie on the line",
            marker={
                "symbol": "diamond",
                "size": 11 if len(rows) < 25 else 8,
                "color": "#FFFFFF",
                "line": {"color": INK, "width": 2},
            },
            error_y={
                "type": "data",
                "symmetric": False,
                "array": [max(row.high - row.expected, 0) for row in rows],
                "arrayminus": [max(row.expected - row.low, 0) for row in rows],
                "color": INK,
                "thickness": 2,
                "width": 5,
            },
            hovertext=[
                f"<b>{safe(row.name)}</b><br>expected {row.expected:.1f}<br>"
                f"19 of 20 classes: {row.low:g} to {row.high:g}"
                for row in rows
            ],
            hoverinfo="text",
        )
    )
    said = "; ".join(verdict.lines[1:])
    small = [*wrap(verdict.sentence, _LINE), *wrap(said, _LINE)]
    what = "sums of the dice" if verdict.tally.outcomes.kind == "throws" else "where tokens stood"
    layout = page(f"{what}, {verdict.tally.said}", [verdict.context], small, 3 if odd else 2)
    chart.update_layout(**layout, barmode="overlay", bargap=0.25)
    turned = max(len(row.name) for row in rows) * len(rows) > _LETTERS
    names = [safe(row.name) if turned else broken(row.name, 12) for row in rows]
    marked = [f"<b>{n}</b>" if r.key in odd else n for n, r in zip(names, rows, strict=True)]
    chart.update_xaxes(
        **axis(),
        tickmode="array",
        tickvals=places,
        ticktext=marked,
        tickangle=-90 if turned else 0,
        automargin=True,
        range=[-0.6, len(rows) - 0.4],
    )
    top = max(max(row.count, row.high) for row in rows)
    chart.update_yaxes(
        **axis(),
        title={"text": "how often", "font": {"size": NORMAL}},
        range=[0, 1.08 * top or 1],
        gridcolor=GRID,
        automargin=True,
    )
    chart.update_layout(height=layout["height"] + (120 if turned else 0))
    return figure(chart, decimal)


def _words(name: str, count: int, expected: float) -> str:
    return f"<b>{safe(name)}</b><br>counted {count}<br>expected {expected:.1f}"
