"""Charts of results, to be read from the last row of a classroom.

Every chart is a plotly figure that carries its own small print: unit, jail policy, overlays, grade
of the evidence, and the caution where there is one.  Colours are those of Okabe and Ito, and each
has its own hatching or dashes, so that a chart survives a grey copy and colour-blind eyes.  Names
come from ruleset files, maybe a stranger's, and are escaped, since plotly renders some HTML.

plotly is imported only when a chart is drawn; no renderer is chosen here.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap
from typing import Any, Literal, TypeAlias

from .chain import Chain
from .events import rolls, turns
from .library import Source
from .results import UNITS, Context, as_chain, context
from .rules import GRADES, IN_JAIL, Problem, Rules, RulesError, unknown
from .tables import Landing
from .why import distances

Figure: TypeAlias = Any
"""A `plotly.graph_objects.Figure`."""

OKABE_ITO = (
    "#0072B2",  # blue
    "#E69F00",  # orange
    "#009E73",  # green
    "#56B4E9",  # sky
    "#D55E00",  # vermillion
    "#CC79A7",  # purple
)
HATCHES = ("", "/", "x", ".", "-", "+")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
MARKS = ("circle", "square", "diamond", "triangle-up", "x", "star")

SMALL, NORMAL, LARGE = 16, 18, 24
"""Font sizes in pixels; nothing is smaller."""

INK = "#000000"
"""The colour of letters and axes."""
GRID = "#C8C8C8"
"""The colour of what lies behind."""
_PLOT_WIDE, _LETTER = 850, 9  # pixels: the bars in a notebook, and a letter at size SMALL
_WIDE = 110
"""So many letters of small print fit on a line of a notebook."""

_SEEN = {
    "roll": "{share} of all rolls end here",
    "turn": "{share} of all turns end here",
    "visit": "{share} of all stops are made here",
    "lap": "{stops} stops here in one {lap}",
}
"""What a bar says when one points at it."""


# ----------------------------------------------------------------------------- landings


def landing_chart(
    *landings: Landing[Any],
    order: Literal["board", "share"] = "board",
    most: int | None = None,
    wide: int = _WIDE,
) -> Figure:
    """Draw how often a token comes to each square: one bar a square, the rulesets side by side.

    Squares stand in board order, or by `order="share"` with the one visited most first (in the
    first table); `most` keeps that many squares; `wide` small letters fit on a line.  Tables are
    matched by square id.  Raises `RulesError` for more tables than there are colours, and for laps
    beside shares.
    """
    tables = _fit(landings)
    ids = _ordered(tables, order, most)
    contexts = [table.context for table in tables]
    labels, small = told_apart(contexts)
    go = graph_objects()
    figure = go.Figure()
    for place, (table, label) in enumerate(zip(tables, labels, strict=True)):
        bars = _bars(table, ids, label if len(tables) > 1 else "")
        figure.add_trace(
            go.Bar(
                x=list(range(len(ids))),
                y=[bar.height for bar in bars],
                name=broken(label, wide) if len(tables) > 1 else safe(label),
                text=[bar.label for bar in bars] if len(tables) == 1 else None,
                textposition="outside",
                textangle=-90 if len(ids) > 18 else 0,
                textfont={"size": SMALL, "color": INK},
                constraintext="none",
                cliponaxis=False,
                hovertext=[bar.words for bar in bars],
                hoverinfo="text",
                marker={
                    "color": OKABE_ITO[place],
                    "line": {"color": INK, "width": 1},
                    "pattern": {
                        "shape": HATCHES[place],
                        "fillmode": "overlay",
                        "fgcolor": INK,
                        "size": 7,
                    },
                },
            )
        )
    figure.update_layout(
        **page("Where a token lands", contexts, small, len(tables), wide),
        bargap=0.25 if len(tables) == 1 else 0.2,
        bargroupgap=0.0,
    )
    names, turned = _names(tables, ids)
    figure.update_xaxes(
        **axis(),
        tickmode="array",
        tickvals=list(range(len(ids))),
        ticktext=names,
        tickangle=turned,
        automargin=True,
        range=[-0.6, len(ids) - 0.4],
    )
    shares = tables[0].context.unit != "lap"
    figure.update_yaxes(
        **axis(),
        title={"text": _measured(contexts), "font": {"size": NORMAL}, "standoff": 14},
        ticksuffix=" %" if shares else "",
        range=[0, _top(figure)],
        gridcolor=GRID,
        automargin=True,
    )
    return figure


@dataclass(frozen=True, slots=True)
class _Bar:
    """One bar: how high, what stands above it, and what it says when one points at it."""

    height: float | None
    label: str
    words: str


def _fit(landings: Sequence[Landing[Any]]) -> Sequence[Landing[Any]]:
    """The tables, if they can stand in one picture."""
    if not 1 <= len(landings) <= len(OKABE_ITO):
        text = f"a chart takes 1 to {len(OKABE_ITO)} landing tables, not {len(landings)}"
        raise RulesError("landing_chart", [Problem("", "", text)])
    if len({table.context.unit == "lap" for table in landings}) > 1:
        text = "stops per lap may exceed one and cannot stand beside shares of rolls or turns"
        raise RulesError("landing_chart", [Problem("", "per", text)])
    return landings


def _ordered(tables: Sequence[Landing[Any]], order: str, most: int | None) -> list[str]:
    """The ids of the squares to show, those of all tables together."""
    if order not in ("board", "share"):
        text = unknown("order", order, ("board", "share"))
        raise RulesError("landing_chart", [Problem("", "order", text)])
    ids = list(dict.fromkeys(row.id for table in tables for row in table.rows if row.id != IN_JAIL))
    if any(row.id == IN_JAIL for table in tables for row in table.rows):
        ids.append(IN_JAIL)
    first = {row.id: float(row.probability) for row in tables[0].rows}
    by_share = sorted(ids, key=lambda square: -first.get(square, -1.0))
    kept = set(by_share if most is None else by_share[: max(1, most)])
    return [square for square in (by_share if order == "share" else ids) if square in kept]


def _names(tables: Sequence[Landing[Any]], ids: Sequence[str]) -> tuple[list[str], int]:
    """What stands below the bars, and how far it is turned so that nothing overlaps.

    Where two squares bear one name, all have their numbers in front.
    """
    rows = [next(r for t in tables for r in t.rows if r.id == square) for square in ids]
    names = [row.name for row in rows]
    if len(set(names)) < len(names):
        names = [f"{row.number} {row.name}" for row in rows]
    letters = _PLOT_WIDE // (len(names) * _LETTER)
    if max(len(word) for name in names for word in name.split() or [""]) > letters:
        return [safe(name) for name in names], -90
    return [broken(name, letters) for name in names], 0


def _top(figure: Figure) -> float:
    """The end of the scale: a little above the highest bar, for the number that stands there."""
    heights = [height for bars in figure.data for height in bars.y if height is not None]
    return 1.12 * max(heights, default=1.0) or 1.0


def _bars(table: Landing[Any], ids: Iterable[str], label: str) -> list[_Bar]:
    rows = {row.id: row for row in table.rows}
    bars = []
    for square in ids:
        row = rows.get(square)
        if row is None:  # a square of another board
            bars.append(_Bar(None, "", ""))
            continue
        factor = 1 if table.context.unit == "lap" else 100
        lines = [
            f"<b>{safe(row.name)}</b> (square {row.number})",
            safe(_words(row.probability, table.context)),
        ]
        if label:
            lines.append(broken(label))
        height = float(factor * row.probability)
        bars.append(_Bar(height, f"{height:.2f}", "<br>".join(lines)))
    return bars


def _words(value: Any, about: Context) -> str:
    number = float(value)
    said = _SEEN[about.unit].format(
        share=f"{100 * number:.4f} %", stops=f"{number:.4f}", lap=about.rules.lap_name
    )
    if about.unit != "lap" and 0 < number < 1:
        said += f", about 1 in {1 / number:.0f}" if number < 0.1 else f", 1 in {1 / number:.1f}"
    return said


def _measured(contexts: Sequence[Context]) -> str:
    units = {about.unit for about in contexts}
    if len(units) > 1:
        return "share, each in its own unit"
    words = UNITS[units.pop()].partition(",")[0]
    lap = contexts[0].rules.lap_name
    return safe(words.replace("one lap", f"one {lap}"))


# ----------------------------------------------------------------- on the way to the limit


def approach_chart(
    *games: Rules | Source | Chain[Any],
    steps: int = 40,
    per: Literal["roll", "turn"] = "roll",
) -> Figure:
    """Draw how fast the start is forgotten: after n rolls, how far the law is from the long run.

    The distance is the total variation: the share of the chance that lies on other squares than
    in the long run.  `games` are names, rulesets or chains; each is computed numerically.
    """
    if not 1 <= len(games) <= len(OKABE_ITO):
        text = f"a chart takes 1 to {len(OKABE_ITO)} games, not {len(games)}"
        raise RulesError("approach_chart", [Problem("", "", text)])
    kinds = {"roll": rolls, "turn": turns}
    if per not in kinds:
        raise RulesError("approach_chart", [Problem("", "per", unknown("unit", per, kinds))])
    walks = [as_chain(game, number=float) for game in games]
    contexts = [context(walk, per) for walk in walks]
    labels, small = told_apart(contexts)
    go = graph_objects()
    figure = go.Figure()
    for place, (walk, label) in enumerate(zip(walks, labels, strict=True)):
        far = distances(walk, steps, kinds[per])
        seen = [n for n, distance in enumerate(far) if distance > _NOISE]
        figure.add_trace(
            go.Scatter(
                x=seen,
                y=[100 * far[n] for n in seen],
                mode="lines+markers",
                name=broken(label) if len(walks) > 1 else safe(label),
                hovertext=[_at(n, far[n], per, label if len(walks) > 1 else "") for n in seen],
                hoverinfo="text",
                line={"color": OKABE_ITO[place], "width": 3, "dash": DASHES[place]},
                marker={"symbol": MARKS[place], "size": 9, "line": {"color": INK, "width": 1}},
            )
        )
    figure.update_layout(**page("How fast the start is forgotten", contexts, small, len(walks)))
    figure.update_xaxes(
        **axis(),
        title={"text": f"{per}s since the start", "font": {"size": NORMAL}},
        range=[-0.5, steps + 0.5],
        gridcolor=GRID,
        automargin=True,
    )
    figure.update_yaxes(
        **axis(),
        title={
            "text": "chance on the wrong squares",
            "font": {"size": NORMAL},
            "standoff": 14,
        },
        type="log",
        tickmode="array",
        tickvals=[10.0**power for power in range(2, -11, -1)],
        ticktext=[f"{10.0**power:.{max(0, -power)}f} %" for power in range(2, -11, -1)],
        gridcolor=GRID,
        automargin=True,
    )
    return figure


_NOISE = 1e-12
"""Below this, numbers of a computer are noise, and a logarithm of them would be drawn as news."""


def _at(count: int, distance: float, per: str, label: str) -> str:
    each = per if count == 1 else f"{per}s"
    lines = [f"<b>after {count} {each}</b>", f"{100 * distance:.3g} % of the chance is elsewhere"]
    return "<br>".join([*lines, broken(label)] if label else lines)


# ---------------------------------------------------------------------------- small print


def told_apart(
    contexts: Sequence[Context], more: Sequence[Sequence[str]] = ()
) -> tuple[list[str], list[str]]:
    """How to call each of several results, and the small print that is true of all of them.

    What they share stands once, above the chart; what differs makes the names in the legend.
    `more` is what each result rests on besides, in equally many words for each ("" for nothing).
    """
    besides = more or [()] * len(contexts)
    parts = [(*_parts(about), *own) for about, own in zip(contexts, besides, strict=True)]
    shared = [set(column) for column in zip(*parts, strict=True)]
    differ = [place for place, values in enumerate(shared) if len(values) > 1]
    labels = [", ".join(some[place] for place in differ if some[place]) for some in parts]
    labels = [label or contexts[0].rules.title for label in labels]
    if len(set(labels)) < len(labels):  # two that differ in nothing that has a name
        labels = [f"{label} ({place})" for place, label in enumerate(labels, start=1)]
    same = [parts[0][place] for place in range(1, len(shared)) if place not in differ]
    cautions = dict.fromkeys(about.caution for about in contexts if about.caution)
    return labels, ["; ".join(text for text in same if text), *cautions]


def _parts(about: Context) -> tuple[str, ...]:
    unit = about.rules.lap_name if about.unit == "lap" else about.unit
    overlays = ", ".join(about.rules.overlays) or "none"
    return (
        about.rules.title,
        f"per {unit}",
        f"jail: {about.policy}" if about.policy else "no jail",
        f"overlays: {overlays}",
        f"evidence: {about.grade} ({GRADES[about.grade]})",
    )


def page(
    title: str, contexts: Sequence[Context], small: Sequence[str], count: int, wide: int = _WIDE
) -> dict[str, Any]:
    """What all charts have in common: white ground, black ink, large letters, small print.

    `wide` small letters fit on a line; a chart that stands beside something has shorter ones.
    """
    games = list(dict.fromkeys(about.rules.title for about in contexts))
    head = f"{games[0]}: {title[0].lower()}{title[1:]}" if len(games) == 1 else title
    heads = [safe(line) for line in wrap(head, wide * SMALL // LARGE)] or [" "]
    print_ = [line for text in small for line in wrap(text, wide)]
    lines = "".join(f"<br>{safe(line)}" for line in print_)
    legend = (SMALL + 8) * count if count > 1 else 0
    top = 32 + 30 * len(heads) + 21 * len(print_) + legend
    return {
        "template": "none",
        "font": {"size": SMALL, "color": INK, "family": "Arial, Helvetica, sans-serif"},
        "paper_bgcolor": "#FFFFFF",
        "plot_bgcolor": "#FFFFFF",
        "title": {
            "text": f"<span style='font-size:{LARGE}px'><b>{'<br>'.join(heads)}</b></span>{lines}",
            "font": {"size": SMALL, "color": INK},
            "x": 0,
            "xanchor": "left",
            "y": 1,
            "yanchor": "top",
            "pad": {"t": 28, "l": 12},
        },
        "height": 640,
        "margin": {"t": top, "r": 20, "b": 60, "l": 80},
        "showlegend": count > 1,
        "legend": {
            "orientation": "v",
            "x": 0,
            "xanchor": "left",
            "y": 1.01,
            "yanchor": "bottom",
            "font": {"size": SMALL, "color": INK},
        },
        "hoverlabel": {
            "font": {"size": NORMAL, "color": INK},
            "bgcolor": "#FFFFFF",
            "align": "left",
        },
        "hovermode": "closest",
    }


def axis() -> dict[str, Any]:
    """What all axes have in common."""
    return {
        "tickfont": {"size": SMALL, "color": INK},
        "linecolor": INK,
        "showline": True,
        "zeroline": False,
        "ticks": "outside",
    }


def safe(text: str) -> str:
    """A text of a ruleset as plotly shows it letter for letter.

    Tags are disarmed, and dollars too: where MathJax is loaded, two of them make a formula.
    """
    return escape(text, quote=False).replace("$", "&#36;")


def broken(label: str, wide: int = _WIDE) -> str:
    """Break a long name into several lines."""
    return "<br>".join(safe(line) for line in wrap(label, wide)) or " "


def graph_objects() -> Any:
    """The part of plotly that makes figures; says what to do where plotly is absent."""
    try:
        return importlib.import_module("plotly.graph_objects")
    except ImportError as error:
        text = (
            "charts need plotly: pip install 'boardrules[lab]'; "
            "the same numbers are in .rows and .frame(), which do not"
        )
        raise ImportError(text) from error
