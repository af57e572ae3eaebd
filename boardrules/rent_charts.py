"""Charts of what deeds earn: the ladder of rents, paybacks, the best group, the board in colours.

They look like all charts of `boardrules.charts`, with the same small print, and can be read from
the last row.  Groups wear the colours and letters that they have on the board, so that yellow can
be told from orange in a grey copy too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, sqrt
from typing import Any, Literal, TypeAlias

from .board import Picture, groups, ink_on, svg
from .charts import (
    DASHES,
    GRID,
    HATCHES,
    INK,
    MARKS,
    NORMAL,
    OKABE_ITO,
    SMALL,
    Figure,
    axis,
    broken,
    graph_objects,
    page,
    safe,
    told_apart,
)
from .decimals import Decimal, shown_with, written
from .rents.deeds import (
    HOTEL,
    checked_turns,
    is_street,
    level_name,
)
from .rents.groups import GroupRow, GroupTable, Rank
from .rents.payback import Holding, Payback
from .rents.table import RentRow, RentTable, opposite
from .results import Context
from .rules import Problem, Rules, RulesError, unknown

Row: TypeAlias = RentRow[Any] | GroupRow[Any]

COLOURS = (*OKABE_ITO, INK)
"""Seven, for one to seven opponents."""
STYLES = (*DASHES, "2px,5px,2px,5px,10px,5px")
SIGNS = (*MARKS, "cross")

YELLOW_INK = {"#f0e442": "#9a8c00"}
"""Yellow as it can be seen on white paper, for thin lines."""

_BADGE = 28
"""The size of the round badges with the letters of groups."""


# ------------------------------------------------------------------------------ the ladder


def rent_ladder(table: RentTable[Any] | GroupTable[Any], *names: str, units: int = 1) -> Figure:
    """Draw what deeds or groups bring at every level, and by how much luck moves it.

    `names` are ids of deeds, or of groups for a table of groups; all streets, or none.  Bars are
    means of `units` rolls (or turns: the unit of the table) together, the thin lines on them one
    standard deviation up and down, cut at nothing since rents are never negative.  Raises
    `RulesError` for unknown names, and for railroads beside streets.
    """
    rules = table.context.rules
    rows = _ladders(table, names)
    if isinstance(units, bool) or not isinstance(units, int) or units < 1:
        raise _bad("rent_ladder", "units", f"needs a whole number, 1 or more, not {units!r}")
    steps = list(dict.fromkeys(row.level for some in rows.values() for row in some))
    built = _built(rules, next(iter(rows.values())))
    marks = groups(rules)
    go = graph_objects()
    figure = go.Figure()
    for place, (name, some) in enumerate(rows.items()):
        at = {row.level: row for row in some}
        there = [at[step] for step in steps if step in at]
        means = [units * float(row.mean) for row in there]
        spreads = [_spread(row, units) for row in there]
        figure.add_trace(
            go.Bar(
                x=[steps.index(row.level) for row in there],
                y=means,
                name=safe(_called(rules, name)),
                hovertext=[_rung(table, row, units) for row in there],
                hoverinfo="text",
                error_y={
                    "type": "data",
                    "array": spreads,
                    "arrayminus": [min(pair) for pair in zip(means, spreads, strict=True)],
                    "color": INK,
                    "thickness": 2,
                    "width": 7,
                },
                marker={
                    "color": _colour(name, place, marks),
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
    labels = [safe(_level(step, built)) for step in steps]
    if len(rows) == 1:
        labels = [
            f"{label}<br><b>{safe(_money(rules, height))}</b>"
            for label, height in zip(labels, figure.data[0].y, strict=True)
        ]
    _, small = told_apart([table.context], [_besides(table)])
    small.append("thin lines: one standard deviation up and down (not below nothing)")
    what = f"Rents of {_called(rules, next(iter(rows)))}" if len(rows) == 1 else "Rents"
    figure.update_layout(
        **page(f"{what}, level by level", [table.context], small, len(rows)),
        bargap=0.25,
        bargroupgap=0.0,
    )
    figure.update_xaxes(
        **axis(),
        tickmode="array",
        tickvals=list(range(len(steps))),
        ticktext=labels,
        range=[-0.6, len(steps) - 0.4],
        automargin=True,
    )
    figure.update_yaxes(
        **axis(),
        **_amounts(rules, _measured(table, units)),
        rangemode="tozero",
        gridcolor=GRID,
        automargin=True,
    )
    return figure


def _ladders(table: RentTable[Any] | GroupTable[Any], names: Sequence[str]) -> dict[str, list[Row]]:
    """The rows of each name, the lowest level first."""
    found: dict[str, list[Row]] = {}
    for row in table.rows:
        found.setdefault(row.id if isinstance(row, RentRow) else row.group, []).append(row)
    if not 1 <= len(dict.fromkeys(names)) <= len(OKABE_ITO):
        some = ", ".join(list(found)[:3])
        text = f"say which 1 to {len(OKABE_ITO)} to draw, such as {some}"
        raise _bad("rent_ladder", "names", text)
    problems = [
        Problem("", str(name), unknown("name", str(name), found)) for name in names
        if name not in found
    ]  # fmt: skip
    if problems:
        raise RulesError("rent_ladder", problems)
    rows = {name: found[name] for name in names}
    if len({_built(table.context.rules, some) for some in rows.values()}) > 1:
        text = "what is built on and what is counted by the number owned have different ladders"
        raise _bad("rent_ladder", "names", text)
    return rows


def _built(rules: Rules, rows: Sequence[Row]) -> bool:
    """Whether houses are built on whatever stands in these rows."""
    row = rows[0]
    deed = rules.square(row.id if isinstance(row, RentRow) else row.members[0]).deed
    return deed is not None and is_street(deed)


def _spread(row: Row, units: int) -> float:
    """The standard deviation of one unit, or of many together."""
    return row.sd_one if units == 1 else row.sd * sqrt(units)


def _rung(table: RentTable[Any] | GroupTable[Any], row: Row, units: int) -> str:
    rules, unit = table.context.rules, _unit(table.context)
    name = row.id if isinstance(row, RentRow) else row.group
    together = f"one {unit}" if units == 1 else f"{units} {unit}s"
    lines = [
        f"<b>{safe(_called(rules, name))}</b>, {safe(_level(row.level, _built(rules, [row])))}",
        safe(f"{_money(rules, units * float(row.mean))} on average in {together}"),
        safe(f"give or take {_money(rules, _spread(row, units))} (one standard deviation)"),
    ]
    if isinstance(row, RentRow) and row.cost and row.payback is not None:
        step = f"this step costs {rules.currency}{row.cost:,}: back after {float(row.payback):,.1f}"
        lines.append(safe(f"{step} {unit}s on average"))
    if isinstance(row, GroupRow) and row.invested and row.payback is not None:
        whole = f"{rules.currency}{row.invested:,} invested: back after {float(row.payback):,.1f}"
        lines.append(safe(f"{whole} {unit}s on average"))
    return "<br>".join(lines)


def _measured(table: RentTable[Any] | GroupTable[Any], units: int) -> str:
    unit = _unit(table.context)
    whose = "of all opponents" if unit == "round" else "of one opponent"
    return f"mean rent, one {unit} {whose}" if units == 1 else f"mean rent, {units} {unit}s {whose}"


# ------------------------------------------------------------------------------- paybacks


MARKED = {Fraction(1, 2): "half", Fraction(9, 10): "nine in ten"}
"""The chances that are marked on a payback curve, and how they are called."""


def payback_chart(
    *paybacks: Payback[Any], rounds: int | None = None, names: Sequence[str] = ()
) -> Figure:
    """Draw the chance that something has paid for itself within n rounds: one curve for each.

    The marks show when it has paid in half of all games and in nine of ten.  `rounds` is the end
    of the axis; `names` are what to call the curves, in their order.  Raises `RulesError` for more
    curves than there are colours.
    """
    if not 1 <= len(paybacks) <= len(COLOURS):
        text = f"a chart takes 1 to {len(COLOURS)} paybacks, not {len(paybacks)}"
        raise _bad("payback_chart", "", text)
    if names and len(names) != len(paybacks):
        text = f"{len(paybacks)} curves need as many names, not {len(names)}"
        raise _bad("payback_chart", "names", text)
    contexts = [one.context for one in paybacks]
    own = names or [""] * len(paybacks)
    called = [_paying(one, name) for one, name in zip(paybacks, own, strict=True)]
    marked = [groups(about.rules) for about in contexts]
    colours = [
        _colour(name, place, mark)
        for place, (name, mark) in enumerate(zip(own, marked, strict=True))
    ]
    labels, small = told_apart(contexts, called)
    last = _end(paybacks) if rounds is None else max(1, checked_turns(contexts[0].rules, rounds))
    each = "round" if any(one.opponents > 1 for one in paybacks) else "turn"
    go = graph_objects()
    figure = go.Figure()
    for place, (one, label) in enumerate(zip(paybacks, labels, strict=True)):
        look = {
            "line": {"color": colours[place], "width": 3, "dash": STYLES[place]},
            "marker": {
                "symbol": SIGNS[place],
                "size": 15,
                "color": colours[place],
                "line": {"color": INK, "width": 1.5},
            },
        }
        named = {"name": f"{broken(label, 60)}: {_when(one, each)}", **look}
        curve = [100 * float(chance) for chance in one.paid[: last + 1]]
        if len(one.paid) <= last and curve[-1] > 100 - 1e-7:  # certain, and so it stays
            curve += [curve[-1]] * (last + 1 - len(curve))
        said = label if len(paybacks) > 1 else ""
        marks = [(n, words) for share, words in MARKED.items()
                 if (n := one.quantile(share)) is not None and n <= last]  # fmt: skip
        figure.add_trace(
            go.Scatter(
                x=list(range(len(curve))),
                y=curve,
                mode="lines",
                showlegend=False,
                hovertext=[_by_then(n, chance, each, said) for n, chance in enumerate(curve)],
                hoverinfo="text",
                **named,
            )
        )
        figure.add_trace(
            go.Scatter(
                x=[n for n, _ in marks],
                y=[100 * float(one.paid[n]) for n, _ in marks],
                mode="markers+text" if len(paybacks) == 1 else "markers",
                showlegend=False,
                hoverinfo="skip",
                text=[f"<b>{words} after {_count(n, each)}</b>" for n, words in marks],
                textposition="bottom right",
                textfont={"size": NORMAL, "color": INK},
                cliponaxis=False,
                **named,
            )
        )
        # for the legend only: line and mark together
        figure.add_trace(go.Scatter(x=[None], y=[None], mode="lines+markers", **named))
    for share in MARKED:
        figure.add_hline(y=100 * float(share), line={"color": INK, "width": 1.5, "dash": "dot"})
    figure.update_layout(**page("When it has paid for itself", contexts, small, 1))
    figure.update_layout(
        showlegend=len(paybacks) > 1,
        legend={
            "x": 0.995,
            "xanchor": "right",
            "y": 0.02,
            "yanchor": "bottom",
            "bgcolor": "#FFFFFF",
            "bordercolor": INK,
            "borderwidth": 1,
        },
    )
    words = "rounds (one turn of every opponent)" if each == "round" else "turns of the opponent"
    figure.update_xaxes(
        **axis(),
        title={"text": words, "font": {"size": NORMAL}},
        range=[0, last],
        gridcolor=GRID,
        automargin=True,
    )
    shares = (0, 25, 50, 75, 90, 100)
    figure.update_yaxes(
        **axis(),
        title={"text": "chance that it has paid", "font": {"size": NORMAL}, "standoff": 14},
        tickmode="array",
        tickvals=list(shares),
        ticktext=[f"<b>{n} %</b>" if n in (50, 90) else f"{n} %" for n in shares],
        range=[0, 102],
        gridcolor=GRID,
        automargin=True,
    )
    return figure


def _paying(one: Payback[Any], name: str) -> tuple[str, str]:
    """What has to pay, and how many pay."""
    money = f"{one.context.rules.currency}{one.cost:,} to come back"
    return f"{_plain(name) if name else one.what}: {money}", _count(one.opponents, "opponent")


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _end(paybacks: Sequence[Payback[Any]]) -> int:
    """Where the axis ends: a little after the last mark, at a full ten."""
    ends = []
    for one in paybacks:
        nine = one.quantile(max(MARKED))
        ends.append(len(one.paid) - 1 if nine is None else 1.25 * nine)
    return max(5, *(ceil(end) if end < 10 else 10 * ceil(end / 10) for end in ends))


def _when(one: Payback[Any], each: str) -> str:
    """The marks of a curve in words."""
    times = [one.quantile(share) for share in MARKED]
    never = f"not within {len(one.paid) - 1}"
    half, nine = (never if n is None else str(n) for n in times)
    return f"half {half}, nine in ten {nine} {each}s"


def _by_then(count: int, percent: float, each: str, label: str) -> str:
    said = f"{percent:.1f} % of all games have paid by then"
    lines = [f"<b>within {_count(count, each)}</b>", said]
    return "<br>".join([*lines, broken(label)] if label else lines)


# ------------------------------------------------------------------------- the best group


def horizon_chart(
    table: GroupTable[Any],
    *,
    turns: int = 100,
    level: str | int | None = None,
    names: Sequence[str] = (),
    show: Literal["rank", "money"] = "rank",
) -> Figure:
    """Draw which group is best if so many turns are still to play.

    What counts is what is left at the end: rents of all opponents less all that was invested.
    Without a level each group stands with the level that is best for so long.  By rank the best
    group is on top; by money one sees by how much.  `names` are the groups to draw.
    """
    rules = table.context.rules
    last = max(1, checked_turns(rules, turns))
    if show not in ("rank", "money"):
        text = unknown("way to show it", str(show), ("rank", "money"))
        raise _bad("horizon_chart", "show", text)
    table.ranking(level=level)  # refuses a level that no group has
    ranks = [_among(table.after(n, level), names, rules) for n in range(last + 1)]
    drawn = [rank.group for rank in ranks[-1]]
    marks = groups(rules)
    go = graph_objects()
    figure = go.Figure()
    for group in drawn:
        places = [next(k for k, r in enumerate(some) if r.group == group) for some in ranks]
        values = [some[place] for some, place in zip(ranks, places, strict=True)]
        heights = [1 + place for place in places]
        if show == "money":
            heights = [float(value.value) for value in values]  # type: ignore[misc]
        for colour, width in ((INK, 8), (marks[group][0], 5)):  # a black rim, for yellow on white
            figure.add_trace(
                go.Scatter(
                    x=list(range(last + 1)),
                    y=heights,
                    mode="lines",
                    name=safe(_plain(group)),
                    showlegend=False,
                    hoverinfo="skip" if colour == INK and width == 8 else "text",
                    hovertext=[
                        _standing(rules, n, place, one, table)
                        for n, (place, one) in enumerate(zip(places, values, strict=True))
                    ],
                    line={"color": colour, "width": width},
                )
            )
    for place, group in enumerate(drawn):
        figure.add_trace(_badges(go, figure.data[2 * place + 1], marks[group], place, show))
    figure.update_layout(**_horizon_page(table, level))
    if show == "rank":
        _ends(figure, ranks, marks)
        figure.update_yaxes(
            **axis(),
            title={"text": "rank, best on top", "font": {"size": NORMAL}},
            tickmode="array",
            tickvals=list(range(1, len(drawn) + 1)),
            range=[len(drawn) + 0.6, 0.4],
            automargin=True,
        )
    else:
        figure.update_yaxes(
            **axis(),
            **_amounts(rules, "rents less all invested"),
            gridcolor=GRID,
            automargin=True,
        )
        # behind all lines, so that it does not go through letters
        figure.update_yaxes(zeroline=True, zerolinecolor=INK, zerolinewidth=2)
        _ends(figure, [], marks)
    _losing(figure, ranks, last)
    each = _unit(table.context)
    whose = "the opponent" if table.opponents == 1 else f"each of {table.opponents} opponents"
    words = "rounds" if each == "round" else f"{each}s of {whose}"
    figure.update_xaxes(
        **axis(),
        title={"text": f"{words} still to come", "font": {"size": NORMAL}},
        range=[-0.02 * last, 1.01 * last],
        automargin=True,
    )
    return figure


def _horizon_page(table: GroupTable[Any], level: str | int | None) -> dict[str, Any]:
    at = "each at its best level" if level is None else f"all at level {level_name(level)}"
    many = _count(table.opponents, "opponent")
    terms = "; ".join(table.terms.lines)
    _, small = told_apart([table.context], [(many, at, terms)])
    layout = page("Which group leaves most", [table.context], small, 1)
    layout["margin"]["r"] = 190
    layout["margin"]["t"] += SMALL + 8
    return layout


def _among(ranks: Sequence[Rank[Any]], names: Sequence[str], rules: Rules) -> list[Rank[Any]]:
    """The ranks of some groups only; the margins stay those over the next group drawn."""
    known = [rank.group for rank in ranks]
    problems = [
        Problem("", str(name), unknown("group", str(name), known)) for name in names
        if name not in known
    ]  # fmt: skip
    if problems:
        raise RulesError(rules.label, problems)
    kept = [rank for rank in ranks if rank.group in names or not names]
    after = [*(rank.value for rank in kept[1:]), None]
    return [
        Rank(rank.group, rank.level, rank.value, None if value is None else rank.value - value)
        for rank, value in zip(kept, after, strict=True)
    ]


def _standing(rules: Rules, count: int, place: int, rank: Rank[Any], table: GroupTable[Any]) -> str:
    unit = _unit(table.context)
    each = unit if count == 1 else f"{unit}s"
    built = _built(rules, [next(row for row in table.rows if row.group == rank.group)])
    left = float(rank.value)
    lines = [
        f"<b>{safe(_plain(rank.group))}</b>, {safe(_level(rank.level, built))}",
        f"place {place + 1} with {count} {each} to come",
        safe(f"{_money(rules, abs(left))} {'left over' if left >= 0 else 'still missing'}"),
    ]
    if rank.margin is not None:
        lines.append(safe(f"{_money(rules, float(rank.margin))} ahead of the next group"))
    return "<br>".join(lines)


def _badges(go: Any, line: Any, mark: tuple[str, str], place: int, show: str) -> Any:
    """Round badges with the letter of a group, every now and then on its line."""
    last = len(line.x) - 1
    count = 6
    shift = 0 if show == "rank" else place % 5 * last // (5 * count)
    # by money all lines begin close together, where badges would only cover one another
    whole = range(count + 1) if show == "rank" else range(2, count)
    at = sorted({min(last, shift + k * last // count) for k in whole})
    colour, letter = mark
    return go.Scatter(
        x=at,
        y=[line.y[n] for n in at],
        mode="markers+text",
        name=line.name,
        showlegend=False,
        hoverinfo="skip",
        cliponaxis=False,
        text=[f"<b>{safe(letter)}</b>"] * len(at),
        textfont={"size": SMALL if len(letter) == 1 else 14, "color": ink_on(colour)},
        marker={
            "symbol": "circle",
            "size": _BADGE,
            "color": colour,
            "line": {"color": INK, "width": 1.5},
        },
    )


def _ends(
    figure: Figure, ranks: Sequence[Sequence[Rank[Any]]], marks: Mapping[str, tuple[str, str]]
) -> None:
    """Write the name of each group to the right of its line, with its letter where none stands."""
    lines = figure.data[1 : 2 * len(figure.data) // 3 : 2]
    heights = {line.name: float(line.y[-1]) for line in lines}
    if not ranks:  # by money lines may end close together: the names are spread out
        whole = [float(height) for line in lines for height in line.y]
        heights = _apart(heights, (max(whole) - min(whole)) / 18)
    letters = {} if ranks else {safe(_plain(one)): mark[1] for one, mark in marks.items()}
    levels = {rank.group: rank.level for rank in ranks[-1]} if ranks else {}
    named = {safe(_plain(group)): level for group, level in levels.items()}
    for name, height in heights.items():
        level = named.get(name, "")
        letter = f"<b>{safe(letters[name])}</b> " if name in letters else ""
        figure.add_annotation(
            x=1.0,
            xref="paper",
            xanchor="left",
            xshift=22,
            y=height,
            text=letter + name + (f", {safe(level)}" if level == HOTEL else ""),
            showarrow=False,
            align="left",
            font={"size": NORMAL, "color": INK},
        )


def _apart(heights: Mapping[str, float], least: float) -> dict[str, float]:
    """Heights with at least so much between any two, in the same order; the highest stays."""
    placed: dict[str, float] = {}
    for name in sorted(heights, key=lambda name: -heights[name]):
        before = min(placed.values(), default=heights[name] + least)
        placed[name] = min(heights[name], before - least)
    return placed


def _losing(figure: Figure, ranks: Sequence[Sequence[Rank[Any]]], last: int) -> None:
    """Shade the time in which even the best group has not earned what it cost."""
    first = next((n for n, some in enumerate(ranks) if float(some[0].value) > 0), last)
    if first < 1:
        return
    figure.add_vrect(x0=0, x1=first, fillcolor=GRID, opacity=0.45, layer="below", line={"width": 0})
    figure.add_annotation(
        x=0,
        xanchor="left",
        y=1.0,
        yref="paper",
        yanchor="bottom",
        text="grey: every group still loses money",
        showarrow=False,
        font={"size": SMALL, "color": INK},
    )


# ------------------------------------------------------------------------ the board in colours


def income_map(
    table: RentTable[Any],
    *,
    level: str | int | None = None,
    hand: Holding | None = None,
    decimal: Decimal = ".",
) -> Picture:
    """Draw the board, each deed shaded by the rent that it brings, with the number on it.

    Streets stand at `level` (without it at their highest in the table), what has no houses at its
    highest; or only the deeds of a `hand` are shown, at its levels.  Unit, policy, overlays and
    evidence stand in the middle; `decimal=","` writes amounts with a comma.  Raises `RulesError`
    for deeds and levels that are not in the table.
    """
    rules = table.context.rules
    rows = _of_hand(table, hand) if hand is not None else _at_level(table, level)
    unit = _unit(table.context)
    streets = {row.level for row in rows if _built(rules, [row])}
    if hand is not None:
        at_what = "the deeds of one hand"
    elif len(streets) == 1:
        others = len(rows) > sum(_built(rules, [row]) for row in rows)
        at_what = f"streets: {_level(streets.pop(), built=True)}{', others: all owned' * others}"
    else:
        at_what = "every deed at its highest level"
    _, (small, *_) = told_apart([table.context], [_besides(table)])
    small = small.partition("; ")[2]  # the unit is said already
    when = "one round" if unit == "round" else f"an opponent's {unit}"
    title = f"{rules.title}: mean rent in {when}"
    subtitle = f"{at_what}; {small}"
    heat = {row.id: float(row.mean) for row in rows}
    show = shown_with(decimal, lambda value: _short(rules, value))
    return svg(rules, heat, title=title, subtitle=written(subtitle, decimal), show=show)


def _of_hand(table: RentTable[Any], hand: Holding) -> list[RentRow[Any]]:
    """The rows of some deeds; raises `RulesError` with all that is wrong."""
    rows: list[RentRow[Any]] = []
    problems: list[Problem] = []
    for name, level in hand.items():
        try:
            rows.append(table[name, level])
        except RulesError as error:
            problems.extend(error.problems)
    if problems:
        raise RulesError(table.context.rules.label, problems)
    return rows


def _at_level(table: RentTable[Any], level: str | int | None) -> list[RentRow[Any]]:
    """The highest row of every deed in the table, or for streets the row of a level."""
    rules = table.context.rules
    by_deed: dict[str, list[RentRow[Any]]] = {}
    for row in table.rows:
        by_deed.setdefault(row.id, []).append(row)
    if level is None:
        return [some[-1] for some in by_deed.values()]
    streets = [row for row in table.rows if _built(rules, [row])]
    name = level_name(level)
    name = HOTEL if name == "5" and HOTEL in {row.level for row in streets} else name
    found = [row for row in streets if row.level == name]
    if not found:
        text = unknown("level", name, dict.fromkeys(row.level for row in streets))
        raise _bad("income_map", "level", text)
    others = [some[-1] for some in by_deed.values() if not _built(rules, some)]
    return [*found, *others]


def _short(rules: Rules, value: float) -> str:
    """An amount in three digits, since there is no room for more on a square."""
    return f"{rules.currency}{value:.{2 if value < 9.995 else 1 if value < 99.95 else 0}f}"


# ---------------------------------------------------------------------------------- common


def _besides(table: RentTable[Any] | GroupTable[Any]) -> tuple[str, ...]:
    """What a table says besides its context; opponents only change paybacks."""
    alone = table.context.unit != "round"
    many = f"{table.opponents} opponents" if not alone else "; ".join(opposite(table.opponents))
    return ("; ".join(table.terms.lines), many)


def _unit(about: Context) -> str:
    return about.rules.lap_name if about.unit == "lap" else about.unit


def _colour(name: str, place: int, marks: Mapping[str, tuple[str, str]]) -> str:
    """The colour of a group on the board, or else the next one in turn; yellow would not show."""
    own = marks.get(name, ("", ""))[0]
    return YELLOW_INK.get(own, own) or COLOURS[place]


def _called(rules: Rules, name: str) -> str:
    """The name of a deed, or of a group in plain words."""
    return rules.square(name).name if name in rules.index else _plain(name)


def _plain(group: str) -> str:
    return group.replace("_", " ")


def _level(name: str, built: bool) -> str:  # noqa: FBT001
    """A level as people call it: `3 houses`, `whole set`, `2 owned`."""
    if not name.isdigit():
        return {"deed": "single deed", "set": "whole set"}.get(name, name)
    if built:
        return "1 house" if name == "1" else f"{name} houses"
    return f"{name} owned"


def _amounts(rules: Rules, title: str) -> dict[str, Any]:
    """An axis of money, with room between its title and its numbers."""
    words = {"title": {"text": safe(title), "font": {"size": NORMAL}, "standoff": 14}}
    if rules.currency == "$":
        return {**words, "tickformat": "$,"}  # puts the minus in front
    return {**words, "tickprefix": safe(rules.currency), "tickformat": ","}


def _money(rules: Rules, amount: float) -> str:
    if abs(amount) >= 1000:
        return f"{rules.currency}{amount:,.0f}"
    return (
        f"{rules.currency}{amount:,.2f}" if abs(amount) < 100 else f"{rules.currency}{amount:.1f}"
    )


def _bad(what: str, path: str, text: str) -> RulesError:
    return RulesError(what, [Problem("", path, text)])


__all__ = ["horizon_chart", "income_map", "payback_chart", "rent_ladder"]
