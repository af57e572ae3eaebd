"""Laws of money drawn: one month by cause, wealth from Pay Day to Pay Day, plans side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from ..charts import (
    GRID,
    HATCHES,
    INK,
    LARGE,
    NORMAL,
    OKABE_ITO,
    SMALL,
    Figure,
    axis,
    broken,
    safe,
    told_apart,
)
from ..money.compare import PlanTable
from ..money.month import SALARY, TICKETS, Month
from ..money.plans import Game, Move, Plan, Wealth, plan_of
from ..results import context
from ..rules import Rules
from .common import amounts, bad, figure, mixed, money, note, percent, signed, times, titled

BANDS: Final = ((Fraction(1, 20), Fraction(19, 20)), (Fraction(1, 4), Fraction(3, 4)))
"""The outer band holds nine games in ten, the inner one half of them."""
HALF: Final = Fraction(1, 2)

BLUE, ORANGE = OKABE_ITO[0], OKABE_ITO[1]
MOST_PANELS, MOST_ROWS = 3, 14
LETTERS: Final = "ABCDEF"
"""What the tables of a chart are called, in the legend and beside each row."""


# ------------------------------------------------------------------------------ one month


def month_chart(month: Month) -> Figure:
    """Draw what one month brings on average, cause by cause: what comes in and what is paid.

    One bar for each cause, the salary first and all together last.  Hover text tells by how much
    luck moves each.
    """
    rules = month.rules
    rows = list(_causes(month))
    drawn, go = figure("What one month brings", [month.context], _left_out(month))
    rows.reverse()  # the first one stands on top
    drawn.add_trace(
        go.Bar(
            x=[row.mean for row in rows],
            y=list(range(len(rows))),
            orientation="h",
            text=[f"<b>{safe(signed(rules, row.mean))}</b>" for row in rows],
            textposition="outside",
            textfont={"size": NORMAL, "color": INK},
            cliponaxis=False,
            hovertext=[
                f"<b>{safe(row.name)}</b><br>{safe(signed(rules, row.mean))} on average in a "
                f"{safe(rules.lap_name)}<br>give or take {safe(money(rules, row.sd))} "
                "(one standard deviation)"
                for row in rows
            ],
            hoverinfo="text",
            marker={
                "color": [INK if row.whole else BLUE if row.mean >= 0 else ORANGE for row in rows],
                "line": {"color": INK, "width": 1},
                "pattern": {
                    "shape": ["" if row.whole or row.mean >= 0 else "/" for row in rows],
                    "fillmode": "overlay",
                    "fgcolor": INK,
                    "size": 8,
                },
            },
        )
    )
    low, high = min(0.0, *(row.mean for row in rows)), max(0.0, *(row.mean for row in rows))
    room = 0.2 * (high - low)
    drawn.update_xaxes(
        **amounts(rules, f"mean amount in one {rules.lap_name}"),
        range=[low - room, high + room],
        gridcolor=GRID,
    )
    drawn.update_yaxes(
        **axis(),
        tickmode="array",
        tickvals=list(range(len(rows))),
        ticktext=[safe(row.name) for row in rows],
        range=[-0.6, len(rows) - 0.4],
        automargin=True,
    )
    drawn.add_vline(x=0, line={"color": INK, "width": 2})
    return drawn


@dataclass(frozen=True, slots=True)
class _Cause:
    name: str
    mean: float
    sd: float
    whole: bool = False


def _causes(month: Month) -> Iterator[_Cause]:
    rules = month.rules
    yield _Cause(SALARY, float(rules.accounts.salary), 0.0)
    for name, moments in month.causes.items():
        yield _Cause(_plain(name), float(moments.mean), moments.sd)
    yield _Cause("all together", float(month.with_salary), month.sd, whole=True)


def _plain(name: str) -> str:
    """A cause as people call it; `bill`, `medical` are kinds of bills."""
    named = {"board": "spaces of the board", "windfalls": "windfalls in the mail"}
    if name in named or name == TICKETS:
        return named.get(name, "lottery tickets")
    plain = name.replace("_", " ")
    return "ordinary bills" if plain == "bill" else f"{plain} bills"


def _left_out(month: Month) -> list[str]:
    held = f"insured: {', '.join(month.insured)}" if month.insured else "no insurance"
    return [
        f"{held}; no deals, poker, Swellfare or elections, and no interest; one token alone; "
        "there is no salary in the last month"
        if not month.rules.accounts.salary_last_month
        else f"{held}; no deals, poker, Swellfare or elections, and no interest; one token alone"
    ]


# -------------------------------------------------------------------- wealth over the months


def balance_fan(game: Game, *plans: Plan | str | Move) -> Figure:
    """Draw how wealth spreads from Pay Day to Pay Day: a fan for each plan, side by side.

    Wealth is cash and savings less the loan.  The dark band holds half of all games, the light one
    nine in ten; the line is the median, the diamonds are means.  Takes the game whose months the
    plans go through, `boardrules.money.plans.Game`, and one to three plans.
    """
    if not 1 <= len(plans) <= MOST_PANELS:
        text = f"a chart takes 1 to {MOST_PANELS} plans, not {len(plans)}"
        raise bad("balance_fan", "plans", text)
    chosen = [plan_of(game.rules, plan) for plan in plans]
    trails = [game.trail(plan) for plan in chosen]
    rules = game.rules
    left_out = dict.fromkeys(line for trail in trails for line in trail[-1].simplified)
    legend = (
        "dark: half of all games; light: nine in ten; line: median; diamonds: mean; "
        f"wealth is cash and savings less the loan, after each of {times(game.months, 'Pay Day')}"
    )
    drawn, go = figure(
        "How wealth spreads", [context(game.walk, "lap", "accounts")], [legend, *left_out]
    )
    for place, (plan, trail) in enumerate(zip(chosen, trails, strict=True), start=1):
        for trace in fan_traces(go, rules, trail):
            if place > 1:
                trace.update(xaxis=f"x{place}")
            drawn.add_trace(trace)
        _panel(drawn, place, len(plans), plan.name, game.months, trail, rules)
    low = min(trail[-1].quantile(BANDS[0][0]) for trail in trails)
    low = min([low, 0, *(w.quantile(BANDS[0][0]) for trail in trails for w in trail)])
    high = max(w.quantile(BANDS[0][1]) for trail in trails for w in trail)
    room = 0.06 * (high - low)
    drawn.update_yaxes(**amounts(rules, "wealth"), range=[low - room, high + room], gridcolor=GRID)
    for place in range(1, len(plans) + 1):
        drawn.add_shape(
            type="line",
            x0=0,
            x1=game.months,
            y0=0,
            y1=0,
            xref="x" if place == 1 else f"x{place}",
            yref="y",
            line={"color": INK, "width": 3, "dash": "dot"},
        )
    drawn.update_layout(margin={"t": drawn.layout.margin.t + LARGE})
    return drawn


def fan_traces(go: Any, rules: Rules, trail: Sequence[Wealth]) -> list[Any]:
    """The bands, the median and the means of one fan; the same number of traces for every plan."""
    start = rules.start.cash
    months = list(range(len(trail) + 1))
    traces = []
    for (low, high), colour in zip(BANDS, (mixed(BLUE, 0.25), mixed(BLUE, 0.6)), strict=True):
        lower = [start, *(one.quantile(low) for one in trail)]
        upper = [start, *(one.quantile(high) for one in trail)]
        traces.append(
            go.Scatter(
                x=[*months, *reversed(months)],
                y=[*upper, *reversed(lower)],
                mode="lines",
                fill="toself",
                fillcolor=colour,
                line={"color": INK, "width": 1},
                hoverinfo="skip",
                showlegend=False,
            )
        )
    traces.append(
        go.Scatter(
            x=months,
            y=[start, *(one.quantile(HALF) for one in trail)],
            mode="lines+markers",
            line={"color": INK, "width": 4},
            marker={"size": 9, "color": INK},
            hovertext=[
                f"<b>at the start</b><br>{safe(money(rules, start))} in cash",
                *(_spread(rules, n, one) for n, one in enumerate(trail, start=1)),
            ],
            hoverinfo="text",
            showlegend=False,
            cliponaxis=False,
        )
    )
    traces.append(
        go.Scatter(
            x=months[1:],
            y=[one.mean for one in trail],
            mode="markers",
            marker={
                "symbol": "diamond",
                "size": 14,
                "color": "#FFFFFF",
                "line": {"color": INK, "width": 2},
            },
            hovertext=[
                f"<b>mean after Pay Day {n}</b><br>{safe(money(rules, one.mean))}"
                for n, one in enumerate(trail, start=1)
            ],
            hoverinfo="text",
            showlegend=False,
            cliponaxis=False,
        )
    )
    return traces


def _spread(rules: Rules, month: int, one: Wealth) -> str:
    (low, high), (lower, upper) = (map(one.quantile, band) for band in BANDS)
    lines = [
        f"<b>after Pay Day {month}</b>",
        f"half of all games end above {safe(money(rules, one.quantile(HALF)))}",
        f"half lie between {safe(money(rules, lower))} and {safe(money(rules, upper))}",
        f"nine in ten between {safe(money(rules, low))} and {safe(money(rules, high))}",
        f"in debt: {safe(percent(one.p_debt))}",
    ]
    return "<br>".join(lines)


def _panel(
    drawn: Figure,
    place: int,
    count: int,
    name: str,
    months: int,
    trail: Sequence[Wealth],
    rules: Rules,
) -> None:
    """The axis of one fan, its name, and the numbers where it ends."""
    wide, gap = 1 / count, 0.035
    left, right = (place - 1) * wide, place * wide - (gap if place < count else 0)
    suffix = "" if place == 1 else str(place)
    drawn.update_layout(
        {
            f"xaxis{suffix}": {
                **titled("Pay Days"),
                "domain": [left, right],
                "range": [-0.15, months * (1.3 if count > 1 else 1.18)],
                "tickmode": "array",
                "tickvals": list(range(months + 1)),
                "anchor": "y",
            }
        }
    )
    drawn.add_annotation(
        **note(
            f"<b>{safe(name)}</b>: in debt at the end {safe(percent(trail[-1].p_debt))}",
            x=left,
            xref="paper",
            xanchor="left",
            y=1,
            yref="paper",
            yanchor="bottom",
        )
    )
    last = trail[-1]
    for share in (*BANDS[0], HALF):
        drawn.add_annotation(
            **note(
                safe(money(rules, last.quantile(share))),
                x=months,
                xref=f"x{suffix}",
                xanchor="left",
                xshift=12,
                y=last.quantile(share),
                yref="y",
            )
        )


# ------------------------------------------------------------------------- plans side by side


def plan_chart(*tables: PlanTable) -> Figure:
    """Draw the law of the final wealth under each plan, the plans of all tables under each other.

    The box holds half of all games, the thin line nine in ten; the bar in the box is the median,
    the diamond the mean.  Beside it stand the mean and the chance to end in debt.  Tables of games
    with different salaries are drawn in salaries, since their money cannot be compared.
    """
    rows = [(place, row) for place, table in enumerate(tables) for row in table.rows]
    if not 1 <= len(rows) <= MOST_ROWS or len(tables) > len(OKABE_ITO):
        text = f"a chart takes 1 to {MOST_ROWS} plans in up to {len(OKABE_ITO)} tables"
        raise bad("plan_chart", "plans", text)
    contexts = [table.context for table in tables]
    labels, _ = told_apart(contexts, [_months(table) for table in tables])
    unit = _Unit.of(tables)
    small = [
        "box: half of all games; thin line: nine in ten; bar: median; diamond: mean",
        *dict.fromkeys(line for table in tables for line in _besides(table)),
    ]
    drawn, go = figure("Plans compared", contexts, small, len(tables))
    top = len(rows) - 1
    for place, (table, label) in enumerate(zip(tables, labels, strict=True)):
        some = [(top - n, row) for n, (which, row) in enumerate(rows) if which == place]
        scale = unit.scale(table)
        named = f"{LETTERS[place]}: {label}" if len(tables) > 1 else ""
        for trace in _boxes(go, some, scale, place, named, unit):
            drawn.add_trace(trace)
        for height, row in some:
            mean = unit.shown(table, row.mean)
            drawn.add_annotation(**_beside(f"<b>{safe(mean)}</b>", height, 12))
            drawn.add_annotation(**_beside(safe(percent(row.p_debt)), height, 105))
    for text, shift in (("mean", 12), ("in debt", 105)):
        drawn.add_annotation(**_beside(f"<i>{text}</i>", top + 0.75, shift))
    _plan_axes(drawn, tables, rows, unit)
    return drawn


@dataclass(frozen=True, slots=True)
class _Unit:
    """What wealth is measured in: money, or salaries where money cannot be compared."""

    salaries: bool
    rules: Rules

    @classmethod
    def of(cls, tables: Sequence[PlanTable]) -> _Unit:
        kinds = {(t.context.rules.currency, t.context.rules.accounts.salary) for t in tables}
        if len(kinds) > 1 and any(not t.context.rules.accounts.salary for t in tables):
            text = "games with different money and without a salary cannot stand in one chart"
            raise bad("plan_chart", "tables", text)
        return cls(len(kinds) > 1, tables[0].context.rules)

    def scale(self, table: PlanTable) -> float:
        return 1 / table.context.rules.accounts.salary if self.salaries else 1.0

    def shown(self, table: PlanTable, amount: float) -> str:
        return (
            f"{amount * self.scale(table):.2f}".replace("-", "−")
            if self.salaries
            else money(self.rules, amount)
        )


def _months(table: PlanTable) -> tuple[str, str]:
    return (
        f"wealth after {times(table.rows[0].months, 'month')}, first salary included",
        f"{table.players} players" if table.players > 1 else "",
    )


def _besides(table: PlanTable) -> list[str]:
    """What stands under a table of plans besides its context."""
    return list(table.lines[len(table.context.lines) :])


def _beside(text: str, height: float, shift: int) -> dict[str, Any]:
    return note(
        text,
        x=1,
        xref="paper",
        xanchor="left",
        xshift=shift,
        y=height,
        yref="y",
    )


def _boxes(
    go: Any,
    rows: Sequence[tuple[int, Wealth]],
    scale: float,
    place: int,
    label: str,
    unit: _Unit,
) -> Iterator[Any]:
    """Thin lines, boxes, medians and means of one table."""
    (low, high), (lower, upper) = BANDS
    heights = [height for height, _ in rows]
    named = {"name": broken(label) if label else "", "legendgroup": str(place)}
    lines_x: list[float | None] = []
    lines_y: list[float | None] = []
    bars_x: list[float | None] = []
    bars_y: list[float | None] = []
    for height, row in rows:
        lines_x += [scale * row.quantile(low), scale * row.quantile(high), None]
        lines_y += [height, height, None]
        bars_x += [scale * row.quantile(HALF)] * 2 + [None]
        bars_y += [height - 0.3, height + 0.3, None]
    yield go.Scatter(
        x=lines_x,
        y=lines_y,
        mode="lines+markers",
        line={"color": INK, "width": 2},
        marker={"symbol": "line-ns-open", "size": 16, "color": INK, "line": {"width": 2}},
        hoverinfo="skip",
        showlegend=False,
        **named,
    )
    yield go.Bar(
        x=[scale * (row.quantile(upper) - row.quantile(lower)) for _, row in rows],
        base=[scale * row.quantile(lower) for _, row in rows],
        y=heights,
        width=0.6,
        orientation="h",
        hovertext=[_told(row, scale, label, unit) for _, row in rows],
        hoverinfo="text",
        showlegend=bool(label),
        marker={
            "color": mixed(OKABE_ITO[place], 0.6),
            "line": {"color": INK, "width": 1.5},
            "pattern": {
                "shape": HATCHES[place],
                "fillmode": "overlay",
                "fgcolor": INK,
                "size": 8,
            },
        },
        **named,
    )
    yield go.Scatter(
        x=bars_x,
        y=bars_y,
        mode="lines",
        line={"color": INK, "width": 5},
        hoverinfo="skip",
        showlegend=False,
        **named,
    )
    yield go.Scatter(
        x=[scale * row.mean for _, row in rows],
        y=heights,
        mode="markers",
        marker={
            "symbol": "diamond",
            "size": 15,
            "color": "#FFFFFF",
            "line": {"color": INK, "width": 2},
        },
        hovertext=[_told(row, scale, label, unit) for _, row in rows],
        hoverinfo="text",
        showlegend=False,
        **named,
    )


def _told(row: Wealth, scale: float, label: str, unit: _Unit) -> str:
    def shown(amount: float) -> str:
        text = f"{amount * scale:.2f} salaries" if unit.salaries else money(unit.rules, amount)
        return safe(text.replace("-", "−"))

    (low, high), (lower, upper) = (map(row.quantile, band) for band in BANDS)
    lines = [
        f"<b>{safe(row.plan.name)}</b>: {safe(row.plan.told)}",
        f"mean {shown(row.mean)}, median {shown(row.quantile(HALF))}",
        f"half of all games between {shown(lower)} and {shown(upper)}",
        f"nine in ten between {shown(low)} and {shown(high)}",
        f"ends in debt: {safe(percent(row.p_debt))}",
    ]
    return "<br>".join([*lines, broken(label)] if label else lines)


def _plan_axes(
    drawn: Figure,
    tables: Sequence[PlanTable],
    rows: Sequence[tuple[int, Wealth]],
    unit: _Unit,
) -> None:
    ends = [
        unit.scale(tables[place]) * row.quantile(share) for place, row in rows for share in BANDS[0]
    ]
    low, high = min(0.0, *ends), max(0.0, *ends)
    room = 0.04 * (high - low)
    spans = {row.months for _, row in rows}
    words = f"wealth after {times(spans.pop(), 'month')}" if len(spans) == 1 else "final wealth"
    scale = (
        titled("wealth in salaries of its own game")
        if unit.salaries
        else amounts(unit.rules, words)
    )
    drawn.update_xaxes(**scale, range=[low - room, high + room], gridcolor=GRID)
    drawn.update_yaxes(
        **axis(),
        tickmode="array",
        tickvals=list(range(len(rows))),
        ticktext=[
            safe(row.plan.name) + (f"  <b>{LETTERS[place]}</b>" if len(tables) > 1 else "")
            for place, row in reversed(rows)
        ],
        range=[-0.6, len(rows)],
        automargin=True,
    )
    if low < 0:
        drawn.add_vrect(
            x0=low - room, x1=0, fillcolor=GRID, opacity=0.45, layer="below", line={"width": 0}
        )
        drawn.add_annotation(
            **note("grey: in debt", x=0, xanchor="right", xshift=-6, y=len(rows) - 0.25, yref="y")
        )
    drawn.add_vline(x=0, line={"color": INK, "width": 2})
    head = drawn.layout.margin
    drawn.update_layout(
        height=head.t + 110 + 58 * len(rows),
        margin={"r": 190},
        legend={"traceorder": "normal", "font": {"size": SMALL, "color": INK}},
        barmode="overlay",
    )
