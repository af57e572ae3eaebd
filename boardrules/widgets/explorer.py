"""The ruleset explorer: pick a game, tick house rules, slide numbers, and see what they do."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import ipywidgets
import traitlets
from anywidget import AnyWidget

from ..charts import Figure, graph_objects
from ..library import Source, games
from ..rules import Problem, Rules, RulesError, unknown
from ..side_by_side import What
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
    """A game to be changed, with its form and its charts; shows itself at the end of a cell."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.form = Controls(())
        self.copied = Copied()
        self.tabs = ipywidgets.Tab(layout={"flex": "1 1 560px", "min_width": "0"})
        self.figures: dict[What, Any] = {}
        self._shown: dict[What, list[dict[str, Any]]] = {}
        self._stale: set[What] = set()
        self.form.on_change(self.change)
        self.form.on_press(self.press)
        self.tabs.observe(lambda _: self.draw(), "selected_index")
        left = ipywidgets.Box(
            [self.form],
            layout={"flex": "0 1 390px", "min_width": "300px", "max_height": "760px",
                    "overflow": "auto"},
        )  # fmt: skip
        row = ipywidgets.HBox([left, self.tabs], layout={"flex_flow": "row wrap"})
        self.box = ipywidgets.VBox([row, self.copied])
        self._begin()

    # ---- the form

    def _begin(self) -> None:
        """A new game: its form, and a tab for each question it has an answer to."""
        self.figures, self._shown = {}, {}
        asked = self.study.questions()
        self.tabs.children = [ipywidgets.Box(layout={"overflow": "hidden"}) for _ in asked]
        self.tabs.titles = [QUESTIONS[what] for what in asked]
        self.tabs.selected_index = 0
        self._fields()
        self._refresh()

    def _fields(self) -> None:
        """The form for the rules as they are ticked; every knob stands where it was left."""
        study, asked = self.study, self.study.asked
        fields: list[Any] = [Group("What to see", self._questions())]
        parts: dict[str, list[Knob]] = {}
        for one in study.knobs:
            parts.setdefault(one.part, []).append(one)
        ticks = self._ticks(asked)
        first = [part for part in (MONEY, JAIL) if part in parts]
        later = [part for part in parts if part not in first]
        fields += [_sliders(part, parts[part], asked.chosen, part != MONEY) for part in first]
        fields += [*ticks, *(_sliders(part, parts[part], asked.chosen) for part in later)]
        buttons = (RESET, TOML, PYTHON)
        self.form.show(fields, buttons, "Change the rules", "Find a rule")

    def _questions(self) -> list[Any]:
        study, asked = self.study, self.study.asked
        shelf = [(game.title, game.name) for game in games()]
        if study.given:
            shelf.insert(0, (f"{study.given.title} (as given)", ""))
        own = "" if study.given else study.game
        lap = study.base.lap_name
        units = [(f"per {lap if unit == 'lap' else unit}", unit) for unit in UNITS]
        fields: list[Any] = [
            Choice("game", "Game", shelf, own),
            Choice("per", "Count", units, asked.per),
        ]
        if study.base.jail:
            told = [(words, name) for name, (words, _) in POLICIES.items()]
            fields.append(Choice("policy", "In jail, the players", told, asked.policy))
        if "rent" in study.questions():
            fields.append(Choice("level", "Rents with", study.levels(), asked.level))
            fields.append(Slider("opponents", "Opponents, for paybacks", 1, 7, 1, asked.opponents))
        fields.append(Tick("difference", "Show only the differences", asked.difference))
        return fields

    def _ticks(self, asked: Asked) -> list[Group]:
        """The overlays of the game, by folder, each with what it does."""
        every = self.study.overlays()
        found = []
        for folder, title in FOLDERS.items():
            some = [
                Tick(f"{_TICK}{one.name}", one.title or one.name, one.name in asked.overlays,
                     one.description)
                for one in every
                if one.name.startswith(f"{folder}/")
            ]  # fmt: skip
            if some:
                found.append(Group(title, some, folded=True))
        return found

    # ---- what comes from the form

    def change(self, values: Mapping[str, Any]) -> None:
        """Something was changed: work it out, and draw the chart that is in sight."""
        own = "" if self.study.given else self.study.game
        if values["game"] != own:
            self._open(values["game"])
            return
        ticked = self.study.asked.overlays
        asked = self._read(values)
        self.study.ask(asked)
        if self.study.message:
            self.form.message = self.study.message
            if asked.overlays != ticked:  # the ticks go back to what the charts show
                self.form.set(**{f"{_TICK}{name}": name in ticked
                                 for name in (*asked.overlays, *ticked)})  # fmt: skip
            return
        if self.study.asked.overlays != ticked:
            self._fields()
        self._refresh()

    def _read(self, values: Mapping[str, Any]) -> Asked:
        """The values of the form as a question."""
        before = self.study.asked
        known = {one.name: one for one in self.study.knobs}
        ticks = [name.removeprefix(_TICK) for name, on in values.items()
                 if name.startswith(_TICK) and on]  # fmt: skip
        return Asked(
            tuple(ticks),
            {name: value for name, value in values.items()
             if name in known and value != _plain(known[name].value, known[name])},
            values.get("policy", before.policy),
            values["per"],
            values.get("level", before.level),
            values.get("opponents", before.opponents),
            values["difference"],
        )  # fmt: skip

    def _open(self, game: str) -> None:
        """Study another game."""
        try:
            self.study = Study(game)
        except RulesError as error:
            self.form.message = str(error)
            return
        self._begin()

    def press(self, button: str) -> None:
        """A button was pressed."""
        if button == RESET:
            self.study.ask(Asked(policy=self.study.usual))
            self._fields()
            self._refresh()
        elif button == TOML:
            self.copied.show("Overlay file (TOML): save it as my_rules.toml", self.study.toml())
        elif button == PYTHON:
            self.copied.show("Python: paste it into a cell", self.study.python())

    # ---- what is shown

    def _refresh(self) -> None:
        """The numbers are new: all charts are stale, and the one in sight is drawn."""
        self._stale = set(self.study.questions())
        self.copied.text = ""
        self.draw()
        self.form.message = self.study.sentence()

    def draw(self) -> None:
        """Draw the chart in sight, if it is not up to date; the others wait until they are."""
        asked = self.study.questions()
        place = self.tabs.selected_index
        if place is None or place >= len(asked) or asked[place] not in self._stale:
            return
        what = asked[place]
        figure = self.study.figure(what)
        if what in self.figures:
            self._shown[what] = poured(figure, self.figures[what], self._shown[what])
        else:
            self.figures[what] = graph_objects().FigureWidget(figure)
            self._shown[what] = _parts(figure)
            self.tabs.children[place].children = [self.figures[what]]
        self._stale.discard(what)

    def __repr__(self) -> str:
        return f"<Explorer of {self.study.after.rules.label}>"

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        data = self.box._repr_mimebundle_(**kwargs)
        return {**data, "text/plain": repr(self)}


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
    return [*data["data"], data["layout"]]


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
) -> Explorer:
    """Change the rules of a game and see at once what that does.

    `game` and `overlays` are taken as by `boardrules.load`; overlays of the shelf are ticked at
    first, anything else is taken as it is.  `policy` is "leave" (the default where the rules allow
    it), "second" or "stay", `per` is "roll", "turn", "visit" or "lap".  Raises `RulesError` for
    what there is not.
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
    return Explorer(study)
