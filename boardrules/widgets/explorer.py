"""The ruleset explorer: pick a game, tick house rules, slide numbers, and see what they do."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import ipywidgets
import traitlets
from anywidget import AnyWidget

from ..charts import Figure, graph_objects
from ..decimals import Decimal, checked, figure, written
from ..library import Source, games
from ..rules import Problem, Rules, RulesError, unknown
from ..variants import JAIL, MONEY, Knob
from .controls import Choice, Controls, Group, Slider, Tick
from .study import FOLDERS, POLICIES, QUESTIONS, UNITS, Asked, Study, opened

RESET, TOML, PYTHON = "Reset", "Copy as TOML", "Copy as Python"
_TICK = "overlay: "


class Copied(AnyWidget):
    """A text to be taken away: shown in a box, and put into the clipboard where that is allowed."""

    _esm = Path(__file__).parent / "explorer.js"

    label = traitlets.Unicode("").tag(sync=True)
    text = traitlets.Unicode("").tag(sync=True)
    asked = traitlets.Int(0).tag(sync=True)

    def show(self, label: str, text: str) -> None:
        """Show a text and ask the browser to copy it."""
        with self.hold_sync():
            self.label, self.text = label, text
            self.asked += 1


class Explorer:
    """A game to be changed, with its forms and a chart; shows itself at the end of a cell.

    `rules_form` changes the rules, `chart_form` what is shown of them.
    """

    def __init__(self, study: Study, decimal: Decimal = ".") -> None:
        self.study, self.decimal = study, checked(decimal)
        self.rules_form, self.chart_form = Controls(()), Controls(())
        self.copied = Copied()
        first = self._drawn()
        self.figure = graph_objects().FigureWidget(first)
        self.figure._config = {**self.figure._config, "responsive": True}
        self._shown = _parts(first)
        for form in (self.rules_form, self.chart_form):
            form.on_change(self.change)
            form.on_press(self.press)
        left = ipywidgets.Box([self.rules_form], layout=_LEFT)
        right = ipywidgets.VBox([self.chart_form, self.figure], layout=_RIGHT)
        row = ipywidgets.HBox([left, right], layout={"flex_flow": "row wrap"})
        self.box = ipywidgets.VBox([row, self.copied])
        self._fields()
        self._refresh()

    # ---- the forms

    def _fields(self) -> None:
        """The forms for the rules as they are ticked; every knob stands where it was left."""
        asked = self.study.asked
        parts: dict[str, list[Knob]] = {}
        for one in self.study.knobs:
            parts.setdefault(one.part, []).append(one)
        first = [part for part in (MONEY, JAIL) if part in parts]
        later = [part for part in parts if part not in first]
        fields: list[Any] = [Group("", self._games())]
        fields += [_sliders(part, parts[part], asked.chosen, part != MONEY) for part in first]
        fields += self._ticks(asked)
        fields += [_sliders(part, parts[part], asked.chosen) for part in later]
        buttons = (RESET, TOML, PYTHON)
        self.rules_form.show(fields, buttons, "Change the rules", "Find a rule")
        self.chart_form.show(self._charts())

    def _games(self) -> list[Any]:
        study = self.study
        shelf = [(game.title, game.name) for game in games()]
        if study.given:
            shelf.insert(0, (f"{study.given.title} (as given)", ""))
        fields: list[Any] = [Choice("game", "Game", shelf, self._own)]
        if study.base.jail:
            told = [(words, name) for name, (words, _) in POLICIES.items()]
            fields.append(Choice("policy", "In jail", told, study.asked.policy))
        return fields

    @property
    def _own(self) -> str:
        """The value of the game that is studied; rules of one's own have none."""
        return "" if self.study.given else self.study.game

    def _charts(self) -> list[Group]:
        study, asked = self.study, self.study.asked
        lap = study.base.lap_name
        units = [(f"per {lap if unit == 'lap' else unit}", unit) for unit in UNITS]
        charts = [(QUESTIONS[what], what) for what in study.questions()]
        fields: list[Any] = [
            Choice("what", "Chart", charts, asked.what, spread=True),
            Choice("per", "Count", units, asked.per),
            Tick("difference", "Show only the differences", asked.difference),
        ]
        groups = [Group("", fields)]
        if "rent" in study.questions():
            level = Choice("level", "Rents with", study.levels(), asked.level)
            opponents = Slider("opponents", "Opponents, for paybacks", 1, 7, 1, asked.opponents)
            groups.append(Group("Rents and paybacks", (level, opponents), folded=True))
        return groups

    def _ticks(self, asked: Asked) -> list[Group]:
        """The overlays of the game, by folder, each with what it does."""
        every = self.study.overlays()
        found = []
        for folder, title in FOLDERS.items():
            some = [
                Tick(
                    f"{_TICK}{one.name}",
                    one.title or one.name,
                    one.name in asked.overlays,
                    one.description,
                )
                for one in every
                if one.name.startswith(f"{folder}/")
            ]
            if some:
                found.append(Group(title, some, folded=True))
        return found

    # ---- what comes from the forms

    def change(self, _: Mapping[str, Any]) -> None:
        """Something was changed: work it out, and draw the chart."""
        values = {**self.rules_form.values, **self.chart_form.values}
        if values["game"] != self._own:
            self._open(values["game"])
            return
        before = self.study.asked
        asked = self._read(values)
        self.study.ask(asked)
        if self.study.message:
            self.chart_form.message = self.study.message
            self._back(before)
            return
        if self.study.asked.overlays != before.overlays:
            self._fields()
        self._refresh()

    def _back(self, asked: Asked) -> None:
        """Ticks and choices go back to what the chart shows; a slider may go on being slid."""
        stood = {one.name: one.name in asked.overlays for one in self.study.overlays()}
        self.rules_form.set(**{f"{_TICK}{name}": on for name, on in stood.items()})
        if "policy" in self.rules_form.values:
            self.rules_form.set(policy=asked.policy)

    def _read(self, values: Mapping[str, Any]) -> Asked:
        """The values of the forms as a question."""
        before = self.study.asked
        slid = {
            one.name: values[one.name]
            for one in self.study.knobs
            if values[one.name] != _plain(one.value, one)
        }
        return Asked(
            overlays=tuple(
                name.removeprefix(_TICK)
                for name, on in values.items()
                if name.startswith(_TICK) and on
            ),
            chosen=slid,
            policy=values.get("policy", before.policy),
            per=values["per"],
            level=values.get("level", before.level),
            opponents=values.get("opponents", before.opponents),
            difference=values["difference"],
            what=values["what"],
        )

    def _open(self, game: str) -> None:
        """Study another game."""
        try:
            self.study = Study(game)
        except RulesError as error:
            self.chart_form.message = str(error)
            return
        self._fields()
        self._refresh()

    def press(self, button: str) -> None:
        """A button was pressed."""
        if button == RESET:
            self.study.reset()
            self._fields()
            self._refresh()
        elif button == TOML:
            self.copied.show("Overlay file (TOML): save it as my_rules.toml", self.study.toml())
        elif button == PYTHON:
            self.copied.show("Python: paste it into a cell", self.study.python())

    # ---- what is shown

    def _refresh(self) -> None:
        """The numbers are new: the chart is drawn, and what changed most is said."""
        self.copied.text = ""
        self._shown = poured(self._drawn(), self.figure, self._shown)
        self.chart_form.message = written(self.study.sentence(), self.decimal)

    def _drawn(self) -> Figure:
        return figure(self.study.figure(), self.decimal)

    def __repr__(self) -> str:
        return f"<Explorer of {self.study.after.rules.label}>"

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        data = self.box._repr_mimebundle_(**kwargs)
        return {**data, "text/plain": repr(self)}


_LEFT = {"flex": "1 1 330px", "max_width": "440px", "max_height": "780px", "overflow": "auto"}
_RIGHT = {"flex": "3 1 500px", "min_width": "0", "overflow": "hidden"}


def _sliders(
    part: str,
    some: list[Knob],
    chosen: Mapping[str, Any],
    folded: bool = True,  # noqa: FBT001, FBT002
) -> Group:
    return Group(part, [_slider(one, chosen.get(one.name)) for one in some], folded)


def _slider(one: Knob, value: Any) -> Slider:
    """A knob as a slider, standing where it was left as far as it still goes."""
    low, high, step = (_plain(number, one) for number in (one.low, one.high, one.step))
    stands = _plain(one.value, one) if value is None else value
    return Slider(one.name, one.label, low, high, step, min(max(stands, low), high), one.unit)


def _plain(value: Any, one: Knob) -> Any:
    return int(value) if one.whole else float(value)


def _parts(figure: Figure) -> list[dict[str, Any]]:
    """A figure as plain data: its traces, then its layout."""
    data = figure.to_plotly_json()
    traces = [{**_TRACE, "text": [""] * len(trace["y"]), **trace} for trace in data["data"]]
    return [*traces, {**_LAYOUT, **data["layout"]}]


_TRACE = {"orientation": "v", "textangle": 0}
_LAYOUT = {"barmode": "group", "annotations": []}
"""What a chart leaves unsaid has to be said where one chart follows another on one canvas."""


def poured(figure: Figure, widget: Any, before: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Make a figure on the screen show what another one does, sending only what differs."""
    now = _parts(figure)
    with widget.batch_update():
        for place, (old, new) in enumerate(zip(before, now, strict=True)):
            target = widget.layout if place == len(now) - 1 else widget.data[place]
            for key in {**old, **new}:
                if key != "uid" and _differ(old.get(key), new.get(key)):
                    target[key] = new.get(key)
    return now


def _differ(old: Any, new: Any) -> bool:
    try:
        return bool(old != new)
    except ValueError:  # arrays of numbers
        return True


def explorer(
    game: Rules | Source = "monopoly",
    *overlays: Source,
    policy: str = "",
    per: str = "roll",
    decimal: Decimal = ".",
) -> Explorer:
    """Change the rules of a game and see at once what that does.

    `game` and `overlays` are taken as by `boardrules.load`; overlays of the shelf are ticked at
    first, anything else is taken as it is.  `policy` is "leave" (the default where the rules allow
    it), "second" or "stay", `per` is "roll", "turn", "visit" or "lap".  `decimal=","` writes
    numbers with a comma, except in files and code.  Raises `RulesError` for what there is not.
    """
    problems = [
        Problem("", name, unknown(name, str(value), known))
        for name, value, known in (("policy", policy or "stay", POLICIES), ("per", per, UNITS))
        if value not in known
    ]
    if problems:
        raise RulesError("explorer", problems)
    start, ticked = opened(game, *overlays)
    study = Study(start)
    study.ask(Asked(overlays=ticked, policy=policy or study.usual, per=per))
    return Explorer(study, decimal)
