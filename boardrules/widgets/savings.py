"""Loans and savings with sliders: the textbook beside the game, as soon as a rate is moved.

`Answer` is what is shown for some settings, and knows nothing of notebooks.  The textbook reckons
with an average player who always gets the average month; the game follows every month's luck, whole
steps and seven steps of Pay Day.  Where the two differ, a line says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any, Final

import ipywidgets

from ..chain import Chain
from ..charts import (
    DASHES,
    INK,
    MARKS,
    OKABE_ITO,
    SMALL,
    axis,
    graph_objects,
    page,
    safe,
    told_apart,
)
from ..decimals import Decimal, checked, figure, marked_up, written
from ..library import Source
from ..money.formulas import GrowthRow, growth_table, loan_cost, savings_yield
from ..money.ledger import opened
from ..money.month import SALARY, month
from ..money.plans import PLANS, Game, Plan, Wealth, saver
from ..money_charts.common import amounts, money, percent, times, titled
from ..money_charts.formulas import interest_traces, terms_of
from ..money_charts.plans import BANDS, fan_traces
from ..results import Context, as_chain, context, html_table
from ..rules import Rules, RulesError
from .controls import Choice, Controls, Slider

GRID: Final = 5
"""Rates move in steps of so many percent: others would need smaller coins than the game has."""
HIGHEST, LONGEST, AXIS = 50, 6, 12
AT_ONCE: Final = 3
"""Up to so many months the law is worked out while one slides; longer games wait for the button."""
WIDE, TALL, NARROW = 600, 480, 66
"""The chart in pixels (a figure in a box of widgets does not find its width by itself), letters."""
MOST_KEPT: Final = 300
WORK, BOARD = "Work it out", "As on the board"
SAVE, REPAY = "save", "repay"
WITHOUT_SAVINGS: Final = (("repay loans, never save", REPAY), ("hold all cash", "hold"))
HALF: Final = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Settings:
    """What the sliders say: rates in percent, months, cash kept in hand, and the plan."""

    loan: int
    savings: int
    months: int
    cushion: int
    plan: str

    def chosen(self) -> Plan:
        """The plan, with its cushion if it saves."""
        return saver(self.cushion) if self.plan == SAVE and self.cushion else PLANS[self.plan]

    @classmethod
    def read(cls, values: Mapping[str, Any], start: Settings) -> tuple[Settings, str]:
        """Settings from a form, and what had to be rounded; what is as at the start stays so."""
        whole = {
            name: values[name]
            if values[name] == getattr(start, name)
            else size * round(values[name] / size)
            for name, size in (("loan", GRID), ("savings", GRID), ("cushion", 100))
            if name in values
        }
        rounded = any(whole[name] != values[name] for name in whole)
        said = f"Rounded: rates to {GRID} %, cash in hand to whole hundreds. " if rounded else ""
        kept = whole.get("cushion", 0) if values["plan"] == SAVE else 0  # nobody else asks for it
        rate = whole.get("savings", 0)
        found = cls(whole["loan"], rate, values["months"], kept, values["plan"])
        return found, said


@dataclass(frozen=True, eq=False)
class Answer:
    """What textbook and game say to some settings; `trail` is empty while it is not worked out."""

    settings: Settings
    rules: Rules
    growth: GrowthRow
    average: tuple[Fraction, ...]
    trail: tuple[Wealth, ...]


class Savings:
    """Sliders for rates, months, cushion and plan; what a loan costs, and how wealth spreads.

    Made by `savings`; shows itself as the last line of a cell.
    """

    def __init__(self, walk: Chain[Any], months: int = AT_ONCE, decimal: Decimal = ".") -> None:
        self.rules = rules = walk.rules
        self.decimal: Decimal = checked(decimal)
        opened(rules, months)  # says what is wrong with the number of months, or the terms
        self._game = Game(walk, min(months, LONGEST))
        self._mean = month(walk).mean
        self._trails: dict[Settings, tuple[Wealth, ...]] = {}
        terms = rules.accounts
        self._start = Settings(
            round(100 * terms.loan_rate),
            round(100 * terms.savings_rate),
            months,
            0,
            SAVE if terms.savings else REPAY,
        )
        self.controls = Controls(self._fields(), (WORK, BOARD), "Borrow, save, or hold cash?")
        self.controls.on_change(self._changed)
        self.controls.on_press(self._pressed)
        self.chart = graph_objects().FigureWidget(self._drawn())
        self.table = ipywidgets.HTML()
        self.status = ipywidgets.HTML()
        self.controls.layout.width = "320px"
        self.status.layout.width = "310px"
        left = ipywidgets.VBox([self.controls, self.status])
        head = ipywidgets.HBox([left, self.chart], layout={"flex_flow": "row wrap"})
        self.box = ipywidgets.VBox([head, self.table])
        self.answer = self._answered(self._start, work=True)
        self._show("")

    def _fields(self) -> list[Slider | Choice]:
        one = self._start
        high = max(HIGHEST, *(-(-rate // GRID) * GRID for rate in (one.loan, one.savings)))
        lent = Slider("loan", "Interest on a loan", 0, high, GRID, one.loan, "%")
        long = Slider("months", "Months of the game", 1, LONGEST, 1, one.months, "")
        named = (("repay loans, then save", SAVE), *WITHOUT_SAVINGS)
        if not self.rules.accounts.savings:
            return [lent, long, Choice("plan", "Plan", WITHOUT_SAVINGS, one.plan)]
        unit = self.rules.currency.strip()
        return [
            lent,
            Slider("savings", "Interest on savings", 0, high, GRID, one.savings, "%"),
            long,
            Slider("cushion", "Cash kept in hand", 0, 600, 100, one.cushion, unit),
            Choice("plan", "Plan", named, one.plan),
        ]

    # ---- working it out

    def _changed(self, values: Mapping[str, Any]) -> None:
        settings, said = Settings.read(values, self._start)
        if said:
            self._set(loan=settings.loan, savings=settings.savings, cushion=settings.cushion)
        self._answer(settings, said, work=settings.months <= AT_ONCE)

    def _answer(self, settings: Settings, said: str, *, work: bool) -> None:
        """Show the answer to some settings; where there is none, say why and keep the last one."""
        try:
            self.answer = self._answered(settings, work=work)
        except RulesError as error:
            why = "; ".join(problem.text for problem in error.problems)
            self.status.value = _line(f"Not possible here: {why}. The chart shows what was before.")
            return
        self._show(said)

    def _set(self, **values: Any) -> None:
        """Put values into those fields that there are."""
        there = self.controls.values
        self.controls.set(**{name: value for name, value in values.items() if name in there})

    def _pressed(self, button: str) -> None:
        if button == BOARD:
            self._set(**asdict(self._start))
        settings, said = Settings.read(self.controls.values, self._start)
        self.status.value = _line("Working it out …")
        self._answer(settings, said, work=True)

    def _answered(self, settings: Settings, *, work: bool) -> Answer:
        changed = {
            f"accounts.{name}_rate": str(Fraction(getattr(settings, name), 100))
            for name in ("loan", "savings")
            if getattr(settings, name) != getattr(self._start, name)
        }
        rules = self.rules.but(changed) if changed else self.rules
        step = rules.accounts.step
        rows = growth_table(rules, months=settings.months, amounts=(step,)).rows
        return Answer(
            settings,
            rules,
            rows[-1],
            average_player(rules, self._mean, settings),
            self._trail(settings, rules, work=work),
        )

    def _trail(self, settings: Settings, rules: Rules, *, work: bool) -> tuple[Wealth, ...]:
        """The law after every Pay Day: remembered, worked out, or not yet known."""
        if settings in self._trails:
            return self._trails[settings]
        if not work:
            return ()
        game = self._game.under(rules, settings.months)
        if len(self._trails) >= MOST_KEPT:
            self._trails.clear()
        self._trails[settings] = tuple(game.trail(settings.chosen()))
        return self._trails[settings]

    # ---- what is shown

    def _drawn(self) -> Any:
        """The chart with all its traces, empty: three of the textbook, five of the game."""
        go = graph_objects()
        figure = go.Figure()
        for trace in interest_traces(go, self.rules, AXIS):
            figure.add_trace(trace)
        for trace in fan_traces(go, self.rules, ()):
            figure.add_trace(trace.update(xaxis="x2", yaxis="y2"))
        figure.add_trace(
            go.Scatter(
                mode="lines+markers",
                name="above: the textbook's average player",
                xaxis="x2",
                yaxis="y2",
                hoverinfo="text",
                line={"color": OKABE_ITO[1], "width": 3, "dash": DASHES[1]},
                marker={
                    "symbol": MARKS[1],
                    "size": 9,
                    "color": OKABE_ITO[1],
                    "line": {"color": INK, "width": 1},
                },
            )
        )
        figure.update_layout(**self._page(self.rules))
        return figure

    def _rests(self, rules: Rules) -> Context:
        """What all of this rests on."""
        return context(self._game.under(rules, 1).walk, "lap", "accounts")

    def _page(self, rules: Rules) -> dict[str, Any]:
        """Title and small print, wrapped to a narrow chart; the rest stands below the table."""
        about = self._rests(rules)
        _, small = told_apart([about])
        made = page("Textbook and game", [about], small, 4, NARROW)
        height = made["margin"]["t"] + made["margin"]["b"] + TALL
        return {**made, "height": height, "width": WIDE, "autosize": False}

    def _show(self, said: str) -> None:
        now = self.answer
        rules, settings, trail = now.rules, now.settings, now.trail
        months = settings.months
        go = graph_objects()
        lines = [*interest_traces(go, rules, AXIS), *fan_traces(go, rules, trail)]
        average = [money(rules, value) for value in now.average]
        with self.chart.batch_update():
            for old, new in zip(self.chart.data, lines, strict=False):
                old.x, old.y, old.hovertext = new.x, new.y, self._told(new.hovertext)
                old.marker.size = new.marker.size
                if new.name:
                    old.name = marked_up(new.name, self.decimal)
            last = self.chart.data[-1]
            last.x, last.y = list(range(months + 1)), [float(value) for value in now.average]
            last.hovertext = self._told(
                f"<b>textbook, after {times(n, 'Pay Day')}</b><br>{safe(text)}"
                for n, text in enumerate(average)
            )
            layout = {**self._page(rules), **_axes(rules, now)}
            if self.decimal == ",":
                layout = figure(go.Figure(layout=layout), ",").layout.to_plotly_json()
            self.chart.update_layout(layout)
        self.table.value = _large(self._html(now))
        self.status.value = _line(written(said + self._words(now), self.decimal))

    def _told(self, texts: Iterable[str] | None) -> list[str] | None:
        """What hovers over a line."""
        return None if texts is None else [marked_up(text, self.decimal) for text in texts]

    def _html(self, now: Answer, *more: str) -> str:
        lines, cells = self._table(now)
        return html_table(
            [written(line, self.decimal) for line in (*lines, *more)],
            [[written(cell, self.decimal) for cell in row] for row in cells],
        )

    def _words(self, now: Answer) -> str:
        """One line for all, and for those who hear and do not see."""
        rules, settings = now.rules, now.settings
        if not now.trail:
            return f"For more than {AT_ONCE} months press “{WORK}”; the formulas are new already."
        last = now.trail[-1]
        return (
            f"{settings.chosen().name}, {times(settings.months, 'month')}: mean "
            f"{money(rules, last.mean)}, half of all games above "
            f"{money(rules, last.quantile(HALF))}, in debt {percent(last.p_debt)}."
        )

    def _table(self, now: Answer) -> tuple[list[str], list[list[str]]]:
        """The textbook, the game, and why they differ, line by line."""
        rules, settings, row = now.rules, now.settings, now.growth
        terms, k = rules.accounts, settings.months
        step = terms.step
        last = now.trail[-1] if now.trail else None
        one, many = money(rules, step), times(k, "Pay Day")
        cells = [["", "textbook", "the game", "why they differ"]]
        cells.append(
            [
                f"a loan of {one}, {many}, interest paid in cash",
                f"costs {money(rules, loan_cost(step, terms.loan_rate, k))}",
                f"costs {money(rules, row.simple - step)}",
                "they agree: interest does not touch the loan (P27)",
            ]
        )
        cells.append(
            [
                f"a loan of {one}, {many}, interest borrowed too",
                f"costs {money(rules, row.loan_ideal - step)}",
                f"costs {money(rules, row.net - step)}",
                f"loans come in whole steps of {one} (P21): too much is borrowed",
            ]
        )
        if terms.savings:
            compound = row.saved_ideal[0] - step
            simple = money(rules, savings_yield(step, terms.savings_rate, k))
            cells.append(
                [
                    f"savings of {one}, {many}",
                    f"bring {money(rules, compound)} (simple: {simple})",
                    f"bring {money(rules, row.saved[0] - step)}",
                    f"interest is saved only when it makes {one} (P28)",
                ]
            )
        cells.append(
            [
                f"wealth after {times(k, 'month')}",
                f"{money(rules, now.average[-1])}, the average player",
                f"{money(rules, last.mean)} on average" if last else "– press the button",
                "luck: who is short pays for a loan, or the fee (P23); and whole steps",
            ]
        )
        cells.append(
            [
                "in debt at the end",
                "yes" if now.average[-1] < 0 else "no",
                f"in {percent(last.p_debt)} of all games" if last else "– press the button",
                f"an average hides the spread; no {SALARY} in the last month (P26)"
                if not terms.salary_last_month
                else "an average hides the spread",
            ]
        )
        lines = [
            f"Textbook and game: {terms_of(rules)}",
            settings.chosen().told,
            "chart: dark: half of all games, light: nine in ten, line: median, diamonds: mean",
            *self._game.simplified(),
        ]
        return lines, cells

    def __repr__(self) -> str:
        return f"<Savings of {self.rules.label}: {self._words(self.answer)}>"

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        data: dict[str, Any] = self.box._repr_mimebundle_(**kwargs)
        return {
            **data,
            "text/plain": repr(self),
            # where only the table is shown, it has to say itself what it rests on
            "text/html": self._html(self.answer, *self._rests(self.answer.rules).lines),
        }


def _large(html: str) -> str:
    """A table that can be read from the last row."""
    return f"<div style='font-size:{SMALL}px;line-height:1.35'>{html}</div>"


def _line(text: str) -> str:
    """A line that is read out when it changes; percents stay beside their numbers."""
    text = text.replace(" %", "\N{NO-BREAK SPACE}%")
    return f"<div role='status' style='font-size:{SMALL}px'>{safe(text)}</div>"


def _axes(rules: Rules, now: Answer) -> dict[str, Any]:
    """Both pairs of axes, the right one as long as the game."""
    months, trail = now.settings.months, now.trail
    ends = [float(value) for value in now.average]
    ends += [one.quantile(share) for one in trail for share in BANDS[0]]
    low, high = min(0.0, *ends), max(0.0, *ends)
    room = 0.06 * (high - low or 1)
    return {
        "xaxis": {
            **titled("Pay Days that a loan or savings are open"),
            "range": [-0.3, AXIS + 0.4],
            "dtick": 1,
        },
        "yaxis": {
            **amounts(rules, f"interest on {money(rules, rules.accounts.step)}"),
            "domain": [0, 0.36],
            "rangemode": "tozero",
        },
        "xaxis2": {
            **titled("Pay Days of the game"),
            "anchor": "y2",
            "range": [-0.1, months + 0.1],
            "dtick": 1,
        },
        "yaxis2": {
            **axis(),
            **amounts(rules, "wealth"),
            "anchor": "x2",
            "domain": [0.56, 1],
            "range": [low - room, high + room],
            "zeroline": True,
            "zerolinewidth": 2,
            "zerolinecolor": INK,
        },
    }


def average_player(rules: Rules, mean: Fraction, settings: Settings) -> tuple[Fraction, ...]:
    """The textbook's wealth after each Pay Day: every month is the average month, to the cent.

    `mean` is what a month brings without salary and interest.  What lies on the account when a
    month begins bears interest on its Pay Day (P27); what is owed costs the rate of loans.
    """
    terms = rules.accounts
    wealth = [Fraction(rules.start.cash)]
    saved = Fraction(0)
    for number in range(1, settings.months + 1):
        last = number == settings.months
        paid = 0 if last and not terms.salary_last_month else terms.salary
        rate = terms.savings_rate if saved > 0 else terms.loan_rate
        wealth.append(wealth[-1] + mean + paid + rate * saved)
        free = wealth[-1] - settings.cushion if wealth[-1] > 0 else wealth[-1]
        saves = settings.plan == SAVE and terms.savings
        saved = max(free, Fraction(0)) if saves and wealth[-1] > 0 else min(wealth[-1], Fraction(0))
    return tuple(wealth)


def savings(
    game: Rules | Source | Chain[Any] = "payday",
    *overlays: Source,
    months: int = AT_ONCE,
    decimal: Decimal = ".",
) -> Savings:
    """Sliders for rates, months, cushion and plan: the textbook's formulas beside the game.

    `game` and `overlays` are taken as by `boardrules.finance`; the sliders start at its rates, and
    `months` at so many.  `decimal=","` writes numbers with a comma.  Whatever else is worked out of
    the same chain shares its months.  Needs numpy and plotly.  Raises `RulesError` for games
    without accounts.
    """
    return Savings(as_chain(game, *overlays), months, decimal)


__all__ = ["Answer", "Savings", "Settings", "average_player", "savings"]
