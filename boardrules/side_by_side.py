"""Rulesets side by side: where one lands, what the bank pays, what groups earn, what pays when.

Each chart shows one question for several rulesets, each with its own colour and hatching; groups of
deeds carry the letter and the colour of the board beside their names.  `differences` shows the same
question as what one ruleset has more or less than another, the largest difference first.  Numbers
are floats and means; spreads and exact numbers are in the tables.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from math import ceil
from textwrap import wrap
from typing import Any, Literal, TypeAlias

from .board import groups
from .chain import Chain
from .charts import (
    GRID,
    HATCHES,
    INK,
    NORMAL,
    OKABE_ITO,
    SMALL,
    Figure,
    axis,
    broken,
    graph_objects,
    landing_chart,
    page,
    safe,
    told_apart,
)
from .evidence import Rests
from .library import Source
from .quick import TOP, Desk, Numbers, levels, numbers_of
from .rents.deeds import deeds, level_name, members_of
from .results import UNITS, Context, as_chain
from .rules import Problem, Rules, RulesError, unknown
from .turn import Policy

Game: TypeAlias = Rules | Source | tuple[Source, ...] | Chain[Any] | Numbers
"""A game: a name, a name with overlays as a tuple, rules, a chain, or numbers worked out before."""

What: TypeAlias = Literal["landing", "income", "rent", "payback"]

GHOST = {"color": "#D4D4D4", "line": {"color": "#595959", "width": 1}, "pattern": {"shape": ""}}
"""How the rules that others are compared with look: pale, behind whatever is new."""

_RESTS: Mapping[str, Rests] = {
    "landing": "walk",
    "income": "bank",
    "rent": "rent",
    "payback": "rent",
}
_TITLES = {
    "landing": "Where a token lands",
    "income": "What the bank pays a player",
    "rent": "What a whole group earns",
    "payback": "When a whole group has paid for itself",
}
MOST_OPPONENTS = 100
WIDE = 110
"""So many small letters fit on a line of a notebook."""
_LETTER = 8.3
"""How wide a small letter is, in pixels."""
_TAG = re.compile("<[^>]*>")
_MORE, _LESS = OKABE_ITO[0], OKABE_ITO[4]
_NOISE = 1e-9
"""Below this a difference is dust of floating point numbers."""


@dataclass(frozen=True, slots=True)
class View:
    """How a question is put: per what, at which level of building, against how many opponents.

    Of deeds without groups only the `most` that earn most are drawn.
    """

    what: What
    per: str = "roll"
    level: str = TOP
    opponents: int = 1
    most: int = 16


@dataclass(frozen=True, slots=True)
class Item:
    """One bar: its name, its value, its mark on the board, and at which level a group stands."""

    name: str
    value: float | None
    mark: tuple[str, str] = ("", "")
    level: str = ""


# ------------------------------------------------------------------------------- the charts


def landings_beside(
    *games: Game,
    per: str = "roll",
    policy: Policy | None = None,
    order: Literal["board", "share"] = "board",
    most: int | None = None,
) -> Figure:
    """Draw how often a token comes to each square, for several rulesets.

    Takes what `boardrules.charts.landing_chart` takes, and games in place of tables.
    """
    tables = [one.landing(per) for one in _numbers(games, policy)]
    return landing_chart(*tables, order=order, most=most)


def incomes_beside(*games: Game, per: str = "roll", policy: Policy | None = None) -> Figure:
    """Draw what the bank pays a player per unit, by causes and in all, for several rulesets."""
    return beside(View("income", per), _numbers(games, policy))


def rents_beside(
    *games: Game, per: str = "roll", policy: Policy | None = None, level: str | int = TOP
) -> Figure:
    """Draw what each whole group earns from one opponent at a level, for several rulesets.

    Where nothing is built all deeds of a group are owned.  `level` is `set, 1 … 4, hotel`, or the
    highest there is.
    """
    return beside(View("rent", per, level_name(level)), _numbers(games, policy))


def paybacks_beside(
    *games: Game,
    per: str = "turn",
    policy: Policy | None = None,
    level: str | int = TOP,
    opponents: int = 1,
) -> Figure:
    """Draw after how many units deeds and houses of each group have come back, by mean rents."""
    view = View("payback", per, level_name(level), opponents)
    return beside(view, _numbers(games, policy))


def beside(
    view: View,
    numbers: Sequence[Numbers],
    *,
    names: Sequence[str] = (),
    ghost: bool = False,
    wide: int = WIDE,
) -> Figure:
    """Draw one question for several rulesets; with `ghost` the first one is drawn pale.

    `names` come before what tells the rulesets apart; `wide` small letters fit on a line.

    Raises `RulesError` for more rulesets than there are colours, and if none has an answer.
    """
    _check(view, numbers)
    if view.what == "landing":
        figure = landing_chart(*[one.landing(view.per) for one in numbers], wide=wide)
        _thinned(figure, wide)
    else:
        figure = _bars(view, numbers, wide)
    if names:
        _call(figure, names, wide)
    if ghost and len(numbers) > 1:
        figure.data[0].update(marker=GHOST)
        figure.data[0].textfont.color = "#595959"
        for place, trace in enumerate(figure.data[1:]):
            trace.update(marker={"color": OKABE_ITO[place], "pattern": {"shape": HATCHES[place]}})
    return figure


def _labels(view: View, numbers: Sequence[Numbers]) -> tuple[list[str], list[str]]:
    """What tells the rulesets of a chart apart, and the small print that they share."""
    contexts = [one.context(view.per, _RESTS[view.what]) for one in numbers]
    return told_apart(contexts, [_besides(view, one) for one in numbers])


def _thinned(figure: Figure, wide: int) -> None:
    """Leave names of squares out where they would cover one another; pointing tells the rest."""
    line = figure.layout.xaxis
    apart = ceil(1.15 * SMALL * len(line.ticktext) / (wide * _LETTER - 100))
    if line.tickangle == -90 and apart > 1:
        kept = range(0, len(line.ticktext), apart)
        line.tickvals = [line.tickvals[place] for place in kept]
        line.ticktext = [line.ticktext[place] for place in kept]


def _call(figure: Figure, names: Sequence[str], wide: int) -> None:
    """Give the rulesets short names; what tells them apart goes into the small print."""
    labels = [str(trace.name).replace("<br>", " ") for trace in figure.data]
    alike = any(label.endswith(f" ({n})") for n, label in enumerate(labels, start=1))
    told = [] if alike else [f"{name}: {label}" for name, label in zip(names, labels, strict=True)]
    lines = ["<br>".join(wrap(line, wide, break_long_words=False)) for line in told]
    for trace, name in zip(figure.data, names, strict=True):
        trace.name = safe(name)
    figure.layout.title.text = "<br>".join([figure.layout.title.text, *lines])
    more = 21 * sum(1 + line.count("<br>") for line in lines)
    figure.layout.margin.t += more
    figure.layout.height += more


def _bars(view: View, numbers: Sequence[Numbers], wide: int) -> Figure:
    """Bars that lie, a row for each cause or group, the rulesets of a row under one another."""
    contexts = [one.context(view.per, _RESTS[view.what]) for one in numbers]
    labels, small = _labels(view, numbers)
    tables = [items(view, one) for one in numbers]
    rows = _kept(view, numbers, tables)
    go = graph_objects()
    figure = go.Figure()
    several = len(numbers) > 1
    for place, (one, label, table) in enumerate(zip(numbers, labels, tables, strict=True)):
        found = [table.get(key) for key in rows]
        figure.add_trace(
            go.Bar(
                orientation="h",
                y=list(range(len(rows))),
                x=[item.value if item else None for item in found],
                name=broken(label, wide) if several else safe(label),
                text=[safe(_shown(view, one.rules, item)) if item else "" for item in found],
                textposition="outside",
                textfont={"size": SMALL, "color": INK},
                cliponaxis=False,
                constraintext="none",
                hovertext=[_words(view, one, item, label if several else "") for item in found],
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
    look = page(_title(view, numbers), contexts, small, len(numbers), wide)
    names = [next(table[key] for table in tables if key in table) for key in rows]
    _lay_out(figure, look, [_named(item) for item in names], len(numbers))
    _scale(figure, view, numbers[0].rules, wide)
    if apart := _apart(view, numbers):
        said = f"{measured(view, numbers[0].rules).partition(' ')[2]}; {apart}"
        figure.update_xaxes(title={"text": safe(said)}, tickformat=",", ticksuffix="")
    return figure


def _title(view: View, numbers: Sequence[Numbers]) -> str:
    title = _TITLES[view.what]
    grouped = any(members_of(one.rules) for one in numbers)
    return title if grouped else title.replace("a whole group", "a deed")


def _kept(
    view: View, numbers: Sequence[Numbers], tables: Sequence[Mapping[str, Item]]
) -> list[str]:
    """The rows to draw, in their order: those of all tables, or the deeds that earn most."""
    rows = list(dict.fromkeys(key for table in tables for key in table))
    if view.what == "income" or len(rows) <= view.most:
        return rows
    earned = {one.name: one.mean for one in numbers[0].rents(view.level, view.per)}
    best = sorted(rows, key=lambda key: -earned.get(key, 0.0))[: view.most]
    return [key for key in rows if key in best]


def _lay_out(figure: Figure, look: dict[str, Any], names: Sequence[str], many: int) -> None:
    """Rows from the top down, as high as their bars need."""
    look["height"] = max(420, look["margin"]["t"] + 80 + len(names) * (14 + 20 * many))
    figure.update_layout(**look, bargap=0.25, bargroupgap=0.0)
    figure.update_yaxes(
        **axis(),
        tickmode="array",
        tickvals=list(range(len(names))),
        ticktext=list(names),
        range=[len(names) - 0.4, -0.6],
        automargin=True,
    )


def _scale(figure: Figure, view: View, rules: Rules, wide: int) -> None:
    """The axis of the values, with room for the numbers beside the bars."""
    values = [float(value) for trace in figure.data for value in trace.x if value is not None]
    low, high = min([0.0, *values]), max([0.0, *values])
    names = [unescape(_TAG.sub("", name)) for name in figure.layout.yaxis.ticktext or ()]
    texts = [unescape(text) for trace in figure.data for text in trace.text]
    place = wide * _LETTER - 1.1 * _LETTER * max(map(len, names), default=0) - 60
    needed = 1.1 * _LETTER * max(map(len, texts), default=0) + 14
    sides = (low < 0) + (high > 0)
    room = ((high - low) or 1.0) * needed / max(place - sides * needed, place / 4, 100)
    look = {**axis(), "zeroline": low < 0, "zerolinecolor": INK, "zerolinewidth": 1}
    figure.update_xaxes(
        **look,
        title={"text": safe(measured(view, rules)), "font": {"size": NORMAL}, "standoff": 12},
        range=[low - room if low < 0 else 0, high + room if high > 0 else room],
        gridcolor=GRID,
        automargin=True,
        **_ticks(view, rules),
    )


def _ticks(view: View, rules: Rules) -> dict[str, Any]:
    if view.what == "landing":
        return {} if view.per == "lap" else {"ticksuffix": " %"}
    if view.what == "payback":
        return {"tickformat": ","}
    if rules.currency == "$":
        return {"tickformat": "$,"}  # puts the minus in front
    return {"ticksuffix": f" {safe(rules.currency)}"} if len(rules.currency) == 1 else {}


# -------------------------------------------------------------------------- the differences


def differences(
    before: Game,
    after: Game,
    what: What = "landing",
    *,
    per: str = "roll",
    policy: Policy | None = None,
    level: str | int = TOP,
    opponents: int = 1,
    most: int = 12,
) -> Figure:
    """Draw what one ruleset has more or less than another, the largest difference first.

    `what` is the question: "landing", "income", "rent" or "payback"; `most` bars are kept.  Raises
    `RulesError` for two different games, whose squares have nothing to do with one another.
    """
    view = View(what, per, level_name(level), opponents)
    old, new = _numbers((before, after), policy)
    if old.rules.id != new.rules.id:
        text = (
            f"{new.rules.title} is another game than {old.rules.title}: compare rules of one game"
        )
        raise RulesError("differences", [Problem("", "after", text)])
    return difference_chart(view, old, new, most=most)


def difference_chart(
    view: View, before: Numbers, after: Numbers, *, most: int = 12, wide: int = WIDE
) -> Figure:
    """The same for numbers that are worked out already; `wide` small letters fit on a line."""
    _check(view, (before, after))
    contexts = [one.context(view.per, _RESTS[view.what]) for one in (before, after)]
    labels, small = _labels(view, (before, after))
    found = changes(view, before, after)[: max(1, most)]
    figure = graph_objects().Figure()
    more, less = ("later", "sooner") if view.what == "payback" else ("more", "less")
    for sign, word, colour, hatch in ((1, more, _MORE, ""), (-1, less, _LESS, "/")):
        mine = [one if sign * one.by > 0 else None for one in found]
        figure.add_bar(
            orientation="h",
            y=list(range(len(found))),
            x=[one.by if one else None for one in mine],
            name=f"{word} than before",
            text=[safe(_signed(view, after.rules, one.by)) if one else "" for one in mine],
            textposition="outside",
            textfont={"size": SMALL, "color": INK},
            cliponaxis=False,
            constraintext="none",
            hovertext=[_told(view, after.rules, one, labels) if one else "" for one in mine],
            hoverinfo="text",
            marker={
                "color": colour,
                "line": {"color": INK, "width": 1},
                "pattern": {"shape": hatch, "fillmode": "overlay", "fgcolor": INK, "size": 7},
            },
        )
    title = f"{_title(view, (before, after))}: the difference"
    compared = f"{labels[1]}, compared with {labels[0]}"
    look = page(title, contexts, [compared, *small], 2, wide)
    _lay_out(figure, look, [_named(one.item) for one in found], 1)
    figure.update_layout(barmode="overlay")
    _scale(figure, view, after.rules, wide)
    points = view.what == "landing" and view.per != "lap"
    said = "difference in percentage points" if points else "difference"
    figure.update_xaxes(title={"text": safe(f"{said}: {measured(view, after.rules)}")})
    figure.update_xaxes(ticksuffix="" if points else None)
    if not found:
        figure.add_annotation(
            text=safe(_apart(view, (before, after)) or "Nothing changes here."),
            showarrow=False,
            font={"size": NORMAL, "color": INK},
            x=0.5,
            y=0.5,
            xref="paper",
            yref="paper",
        )
    return figure


@dataclass(frozen=True, slots=True)
class Difference:
    """What one bar has more (or less, with a minus) after a change of the rules."""

    item: Item
    before: float
    after: float

    @property
    def by(self) -> float:
        """By how much it has changed."""
        return self.after - self.before


def changes(view: View, before: Numbers, after: Numbers) -> list[Difference]:
    """Everything that differs between two rulesets, the largest difference first.

    Nothing at all where amounts are in two currencies: no difference of those means anything.
    """
    if _apart(view, (before, after)):
        return []
    old, new = items(view, before), items(view, after)
    found = []
    for key, item in {**old, **new}.items():
        values = [table[key].value if key in table else 0.0 for table in (old, new)]
        if values[0] is None or values[1] is None:
            continue  # what never pays for itself cannot be compared with what does
        one = Difference(item, values[0], values[1])
        if abs(one.by) > _NOISE * max(1.0, abs(values[0])):
            found.append(one)
    return sorted(found, key=lambda one: -abs(one.by))


def changed_most(
    view: View, before: Numbers, after: Numbers, found: Sequence[Difference] | None = None
) -> str:
    """One sentence in plain words: what changed most, by how much; or that nothing did.

    `found` are the changes, where they are known already.
    """
    if apart := _apart(view, (before, after)):
        return apart
    every = changes(view, before, after) if found is None else found
    whole = next((one.by for one in every if one.item.name == _ALL), 0.0)
    found = [one for one in every if one.item.name != _ALL]
    if not found:
        return {
            "landing": "Landing stays as it was.",
            "income": "The bank pays what it paid before.",
            "rent": "Rents stay as they were.",
            "payback": "Paybacks stay as they were.",
        }[view.what]
    top, rules = found[0], after.rules
    size = _signed(view, rules, top.by)
    if view.what == "income":
        said = f"{_signed(view, rules, whole)} in all" if abs(whole) > _NOISE else "the same in all"
        return f"The bank, per {_unit(after, view)}: {top.item.name} {size}, {said}."
    old, new = (_shown(view, rules, Item("", value)) for value in (top.before, top.after))
    about = {"landing": "Landing", "rent": "Rent", "payback": "Payback"}[view.what]
    return f"{about}: {top.item.name} changes most, {old} → {new} ({size})."


# ----------------------------------------------------------------------------- the numbers

_ALL = "in all"


def items(view: View, numbers: Numbers) -> dict[str, Item]:
    """The bars of a question for one ruleset, by their ids."""
    if view.what == "landing":
        factor = 1 if view.per == "lap" else 100
        return {
            row.id: Item(row.name, factor * row.probability)
            for row in numbers.landing(view.per).rows
        }
    if view.what == "income":
        parts = numbers.incomes(view.per)
        owed = numbers.bills(view.per)
        if owed:
            parts["bills, paid later"] = -owed
        ordered = sorted(parts.items(), key=lambda part: -part[1])
        whole = Item(_ALL, sum(parts.values()))
        return {_ALL: whole, **{name: Item(name, value) for name, value in ordered}}
    marks = groups(numbers.rules)
    return {
        one.name: Item(
            one.label,
            one.mean if view.what == "rent" else one.payback,
            marks.get(one.name, ("", "")),
            one.level,
        )
        for one in numbers.rents(view.level, view.per, view.opponents)
    }


def measured(view: View, rules: Rules) -> str:
    """What the axis of a question says, with its unit."""
    unit = rules.lap_name if view.per == "lap" else view.per
    if view.what == "landing":
        return UNITS[view.per].partition(",")[0].replace("one lap", f"one {rules.lap_name}")
    if view.what == "income":
        return f"{rules.currency} per {unit}, mean"
    if view.what == "rent":
        return f"{rules.currency} per {unit} of one opponent, mean"
    of = "an opponent" if view.opponents == 1 else f"each of {view.opponents} opponents"
    return f"{unit}s of {of} until all that was invested is back"


def _apart(view: View, numbers: Sequence[Numbers]) -> str:
    """What has to be said where amounts are in several currencies, or nothing."""
    used = list(dict.fromkeys(one.rules.currency.strip() for one in numbers))
    if view.what not in ("income", "rent") or len(used) < 2:
        return ""
    return f"Amounts in {' and in '.join(used)} cannot be compared."


def _besides(view: View, numbers: Numbers) -> tuple[str, ...]:
    """The small print of a question beyond that of its numbers."""
    if view.what == "income" and numbers.bills():
        return ("bills counted when they come; without lottery, deals and bets",)
    if view.what not in ("rent", "payback") or not levels(numbers.rules):
        return ()
    built = levels(numbers.rules)
    name = built[-1] if view.level == TOP else view.level
    said = {"set": "no houses", "hotel": "with a hotel"}.get(name, f"level {name}")
    if name.isdigit() and any(square.deed and square.deed.house for square in deeds(numbers.rules)):
        said = "1 house each" if name == "1" else f"{name} houses each"
    if members_of(numbers.rules):
        return (f"each group whole, {said}; what cannot be built on: all owned",)
    kept = len(deeds(numbers.rules)) > view.most
    return (f"{said}, no groups" + (f"; the {view.most} that earn most" if kept else ""),)


def _shown(view: View, rules: Rules, item: Item) -> str:
    """A value as it stands beside its bar."""
    value = item.value
    if value is None:
        return "never" if view.what == "payback" else ""
    if view.what == "landing":
        return f"{value:.2f}" if view.per == "lap" else f"{value:.2f} %"
    if view.what == "payback":
        return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"
    return money(rules, value)


def _signed(view: View, rules: Rules, value: float) -> str:
    """A difference with its sign."""
    sign, size = ("+" if value > 0 else "−"), abs(value)
    if view.what == "landing":
        word = "stops" if view.per == "lap" else "points"
        return f"{sign}{size:.2f} {word}" if size >= 0.005 else f"{sign}{size:.1g} {word}"
    if view.what == "payback":
        number = f"{size:,.0f}" if size >= 100 else f"{size:.1f}" if size >= 0.05 else f"{size:.1g}"
        return f"{sign}{number}"
    return f"{sign}{money(rules, size)}"


def money(rules: Rules, value: float) -> str:
    """An amount as people write it: a sign before the number, a word after it."""
    size = abs(value)
    number = f"{size:,.0f}" if size >= 1000 else f"{size:.2f}" if size >= 0.005 else f"{size:.1g}"
    minus = "−" if value < 0 and float(number.replace(",", "")) else ""
    if len(rules.currency) == 1 and not rules.currency.isalnum():
        return f"{minus}{rules.currency}{number}"
    return f"{minus}{number} {rules.currency.strip()}"


def _named(item: Item) -> str:
    """The name of a row; a group has its colour and its letter before it."""
    colour, letter = item.mark
    if not letter:
        name = item.name[:1].upper() + item.name[1:]
        return f"<b>{safe(name)}</b>" if item.name == _ALL else safe(name)
    return f"<span style='color:{safe(colour)}'>■</span> <b>{safe(letter)}</b> {safe(item.name)}"


def _words(view: View, numbers: Numbers, item: Item | None, label: str) -> str:
    """What a bar says when one points at it."""
    if item is None:
        return ""
    shown = _shown(view, numbers.rules, item)
    unit = _unit(numbers, view)
    if view.what == "income":
        said = f"the bank pays {shown} per {unit}" if (item.value or 0) >= 0 else (
            f"the player pays {shown.removeprefix('−')} per {unit}")  # fmt: skip
    elif view.what == "rent":
        said = f"{shown} per {unit} of one opponent, on average"
    elif item.value is None:
        said = "never pays for itself, or has no price"
    else:
        said = f"has paid for itself after {shown} {unit}s, by mean rents"
    lines = [f"<b>{safe(item.name)}</b>", safe(said)]
    if item.level:
        lines.append(safe(f"level: {item.level}"))
    return "<br>".join([*lines, broken(label)] if label else lines)


def _told(view: View, rules: Rules, one: Difference, labels: Sequence[str]) -> str:
    """What a difference says when one points at it."""
    old, new = (_shown(view, rules, Item("", value)) for value in (one.before, one.after))
    lines = [f"<b>{safe(one.item.name)}</b>", safe(_signed(view, rules, one.by))]
    lines += [f"{broken(labels[1], 60)}: {safe(new)}", f"{broken(labels[0], 60)}: {safe(old)}"]
    return "<br>".join(lines)


def _unit(numbers: Numbers, view: View) -> str:
    return Context(numbers.rules, view.per, "").per


def _numbers(games: Sequence[Game], policy: Policy | None) -> list[Numbers]:
    """The numbers of whatever names a game."""
    desk = Desk(most=max(1, len(games)))
    found = []
    for game in games:
        if isinstance(game, Numbers):
            found.append(game)
        elif isinstance(game, tuple):
            found.append(numbers_of(as_chain(*game, policy=policy, number=float)))
        elif isinstance(game, Rules):
            found.append(desk.numbers(game, policy))
        else:
            found.append(numbers_of(as_chain(game, policy=policy, number=_number(game))))
    return found


def _number(game: object) -> Any:
    return game.number if isinstance(game, Chain) else float


def _check(view: View, numbers: Sequence[Numbers]) -> None:
    """Refuse what makes no picture, all at once."""
    problems = []
    if view.what not in _TITLES:
        problems.append(Problem("", "what", unknown("question", str(view.what), _TITLES)))
    if not 1 <= len(numbers) <= len(OKABE_ITO):
        text = f"a chart takes 1 to {len(OKABE_ITO)} rulesets, not {len(numbers)}"
        problems.append(Problem("", "", text))
    asked = view.what in ("rent", "payback")
    if asked and numbers and not any(levels(one.rules) for one in numbers):
        text = "nobody owns anything in this game: it has no deeds"
        problems.append(Problem("", "", text))
    few = range(1, MOST_OPPONENTS + 1)
    if not isinstance(view.opponents, int) or view.opponents not in few or view.opponents is True:
        text = f"needs a whole number from 1 to {MOST_OPPONENTS}"
        problems.append(Problem("", "opponents", text))
    if problems:
        raise RulesError("side_by_side", problems)
