"""A class types or pastes in what it has counted, and sees how surprising that is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, cast

import ipywidgets
import traitlets
from anywidget import AnyWidget

from ..board import CIVIDIS, paint, svg
from ..chain import Chain, chain, usual_policy
from ..charts import graph_objects
from ..decimals import Decimal, checked, written
from ..events import Rolled, RollOver, TurnOver
from ..library import Source, load
from ..play import fair, play
from ..rules import IN_JAIL, Problem, Rules, RulesError, unknown
from ..tallies import Tally, Verdict, read, squares_of, sums_of, tally_chart, verdict
from ..tallies.reading import FORMS, MOST_LETTERS, Form
from ..turn import Policy
from .paper import Board
from .pause import plain

Question = Literal["throw", "roll", "turn"]

QUESTIONS: Mapping[str, str] = {
    "throw": "sums of the dice",
    "roll": "squares where rolls ended",
    "turn": "squares where turns ended",
}
"""What a class may have counted."""

_HINTS = {
    "throw": "Throws one by one (7 8 3), sums with counts (7: 5), strokes (7 ||||), a row or a "
    "column for each pupil, or cells from a spreadsheet.",
    "squares": "Squares by name or number, with counts (Market: 5) or strokes (Market ||||), one "
    "by one, a row or a column for each pupil, or cells from a spreadsheet.",
}
_EXAMPLE_SEED, _EXAMPLE_PUPILS, _EXAMPLE_TURNS = 35, 30, 12


class TallyForm(AnyWidget):
    """The form itself: a box to type into, two lists, buttons, and what was read and found."""

    _esm = Path(__file__).parent / "tally.js"

    label = traitlets.Unicode("").tag(sync=True)
    hint = traitlets.Unicode("").tag(sync=True)
    text = traitlets.Unicode("").tag(sync=True)
    pupils = traitlets.Unicode("").tag(sync=True)
    question = traitlets.Unicode("throw").tag(sync=True)
    questions: traitlets.List[Any] = traitlets.List().tag(sync=True)
    form = traitlets.Unicode("auto").tag(sync=True)
    forms: traitlets.List[Any] = traitlets.List().tag(sync=True)
    said = traitlets.Unicode("").tag(sync=True)
    doubts: traitlets.List[Any] = traitlets.List().tag(sync=True)
    told: traitlets.List[Any] = traitlets.List().tag(sync=True)

    def on_use(self, listener: Callable[[str, Mapping[str, str]], None]) -> None:
        """Have somebody listen to the buttons, with all that stands in the form."""

        def heard(_: object, content: object, __: object) -> None:
            if not isinstance(content, Mapping):
                return
            names = ("tally", "text", "question", "form", "pupils")
            told = {name: content.get(name) for name in names}
            if all(isinstance(value, str) for value in told.values()):
                listener(cast(str, told["tally"]), cast(Mapping[str, str], told))

        self.on_msg(heard)


class Tallies:
    """A form, a chart, and for squares a board; shows itself as the last line of a cell.

    `tally` is what was read last, `verdict` what was found about it, or None.
    """

    def __init__(
        self,
        rules: Rules,
        policy: Policy | None = None,
        question: str = "throw",
        text: str = "",
        pupils: int | None = None,
        decimal: Decimal = ".",
        seed: int = 1,
    ) -> None:
        if question not in QUESTIONS:
            text_ = unknown("question", question, QUESTIONS)
            raise RulesError(rules.label, [Problem("", "question", text_)])
        self.rules, self.decimal, self.seed = rules, checked(decimal), seed
        self._policy = policy
        self._walk: Chain[float] | None = None
        self.tally: Tally | None = None
        self.verdict: Verdict | None = None
        self.chart: Any = None
        self.board: Board | None = None
        self.form = TallyForm(
            label=f"What the class counted: {rules.title}",
            question=question,
            questions=[[name, what] for name, what in QUESTIONS.items()],
            forms=[[name, what] for name, what in FORMS.items()],
            hint=self._hint(question),
            text=text,
            pupils="" if pupils is None else str(pupils),
        )
        self.form.on_use(self.use)
        self.box = ipywidgets.VBox([self.form])
        if text:
            self.show()

    def _hint(self, question: str) -> str:
        return _HINTS["throw" if question == "throw" else "squares"]

    # ---- what the buttons do

    def use(self, button: str, told: Mapping[str, str]) -> None:
        """Do what a button says; what makes no sense changes nothing."""
        if told["question"] not in QUESTIONS or told["form"] not in FORMS:
            return
        form = self.form
        changed = told["question"] != form.question
        with form.hold_sync():
            form.question, form.form = told["question"], told["form"]
            form.hint = self._hint(form.question)
            form.text, form.pupils = told["text"][: MOST_LETTERS + 1], told["pupils"][:12]
            if button == "example":
                form.text, form.pupils, form.form = *self.example(form.question), "auto"
            if button == "clear" or (button == "ask" and changed):
                form.text = "" if button == "clear" else form.text
                self._forget()
        if button in ("show", "example"):
            self.show()

    def _forget(self) -> None:
        self.tally = self.verdict = None
        self.form.said, self.form.doubts, self.form.told = "", [], []
        self.box.children = (self.form,)

    def show(self) -> None:
        """Read what stands in the box, and show what came of it."""
        form = self.form
        of_squares = form.question != "throw"
        outcomes = squares_of(self.rules) if of_squares else sums_of(self.rules)
        tally = read(form.text, outcomes, cast(Form, form.form))
        doubts = [str(doubt) for doubt in tally.doubts]
        found, problem = None, ""
        if tally.total:
            pupils = self._pupils(tally, doubts) if of_squares else None
            try:
                found = self._verdict(tally, pupils)
            except RulesError as error:
                problem = plain(error)
            except ImportError as error:
                problem = str(error)
        self.tally, self.verdict = tally, found
        with form.hold_sync():
            notes = "".join(f" ({note})" for note in tally.notes)
            said = f"Read: {tally.said}.{notes}" if tally.total else "Nothing has been read yet."
            form.said = written(said, self.decimal)
            form.doubts = doubts
            form.told = self._told(found, problem)
        self._draw(found)

    def _told(self, found: Verdict | None, problem: str) -> list[str]:
        if found is None:
            return [problem] if problem else []
        small = written("; ".join(found.lines[1:]), self.decimal)
        return [*found.sentences(self.decimal), small]

    def _pupils(self, tally: Tally, doubts: list[str]) -> int | None:
        """How many tokens walked: from the box, if that says something sensible."""
        text = self.form.pupils.strip()
        if not text:
            return None
        if text.isascii() and text.isdecimal() and 1 <= int(text) <= tally.total:
            return int(text)
        doubts.append(f"pupils: needs a number from 1 to {tally.total}, not “{text}”; left out")
        return None

    def _verdict(self, tally: Tally, pupils: int | None) -> Verdict:
        per = self.form.question
        if per == "throw":
            return verdict(tally, self.rules, seed=self.seed)
        if self._walk is None:
            self._walk = chain(self.rules, self._policy or usual_policy(self.rules), float)
        return verdict(tally, self._walk, per=per, pupils=pupils, seed=self.seed)

    # ---- what is drawn

    def _draw(self, found: Verdict | None) -> None:
        if found is None:
            self.box.children = (self.form,)
            return
        figure = tally_chart(found, self.decimal)
        if self.chart is None:
            self.chart = graph_objects().FigureWidget(figure)
            # as wide as its place, which a figure among other widgets does not find by itself
            self.chart._config = {**self.chart._config, "responsive": True}
        else:
            with self.chart.batch_update():
                for old, new in zip(self.chart.data, figure.data, strict=True):
                    old.update(new.to_plotly_json(), overwrite=True)
                self.chart.update_layout(figure.layout.to_plotly_json(), overwrite=True)
        if self.form.question == "throw":
            self.box.children = (self.form, self.chart)
            return
        counts = self._counts(found)
        if self.board is None:
            self.board = Board(self.rules)
        label = f"What the class counted on {self.rules.title}"
        self.board.show(self.rules, counts, label=label, panel=self._panel(found, counts))
        self.board.heat = paint(self.rules, counts, _whole)
        self.box.children = (self.form, self.chart, self.board)

    def _panel(self, found: Verdict, counts: Mapping[str, int]) -> dict[str, Any]:
        """What stands in the middle of the board."""
        top = max(counts.values(), default=0)
        return {
            "title": written(f"{self.rules.title}: {found.tally.said}", self.decimal),
            "caption": "Counted most, and what one expects",
            "answers": [
                [row.name, written(f"{row.count} ({row.expected:.1f})", self.decimal), row.count]
                for row in sorted(found.rows, key=lambda row: -row.count)[:6]
                if row.count
            ],
            "scale": {
                "colours": list(CIVIDIS),
                "low": "0",
                "top": str(top),
                "text": "Colours: how often the class stood there",
            },
            "note": found.context.caution,
        }

    def _counts(self, found: Verdict) -> dict[str, int]:
        return {row.key: row.count for row in found.rows if row.count}

    def example(self, question: str) -> tuple[str, str]:
        """What a class of thirty might have counted, and how many they were; always the same."""
        lines = []
        for pupil in range(1, _EXAMPLE_PUPILS + 1):
            seen = self._counted_by(question, _EXAMPLE_SEED * 1000 + pupil)
            lines.append(f"pupil {pupil}: {', '.join(seen)}")
        return "\n".join(lines), "" if question == "throw" else str(_EXAMPLE_PUPILS)

    def _counted_by(self, question: str, seed: int) -> list[str]:
        """What one pupil counts in twelve throws, rolls or turns."""
        seen: list[str] = []
        known = squares_of(self.rules)
        ending = TurnOver if question == "turn" else RollOver
        for move in play(self.rules, self._policy, fair(seed), turns=_EXAMPLE_TURNS):
            for event in move.events:
                if question == "throw":
                    if isinstance(event, Rolled):
                        seen.append(str(event.pips))
                elif isinstance(event, ending):
                    key = IN_JAIL if event.jailed else event.square
                    name = known.names[key]
                    number = "" if key == IN_JAIL else str(self.rules.square(key).number)
                    seen.append(name if known.find(name) == (key,) else number)
        return seen[:_EXAMPLE_TURNS]

    # ---- as the last line of a cell

    def __repr__(self) -> str:
        what = self.tally.said if self.tally else "nothing yet"
        return f"<Tallies of {self.rules.label}: {what}>"

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        data = {**self.box._repr_mimebundle_(**kwargs), "text/plain": repr(self)}
        if self.verdict is not None and self.form.question != "throw":
            title = f"What the class counted on {self.rules.title}"
            counts = self._counts(self.verdict)
            data["image/svg+xml"] = str(svg(self.rules, counts, title=title, show=_whole))
        return data


def _whole(value: float) -> str:
    return f"{value:.0f}"


def tallies(
    game: Rules | Source = "monopoly",
    *overlays: Source,
    question: str = "throw",
    text: str = "",
    pupils: int | None = None,
    policy: Policy | None = None,
    decimal: Decimal = ".",
    seed: int = 1,
) -> Tallies:
    """A box for what the class has counted, with a fair verdict, a chart and a board.

    `question` is "throw" (sums of the dice), "roll" or "turn" (squares where these ended); it can
    be changed in the form.  `text` stands in the box at the start and is shown at once; `pupils`
    is how many tokens walked.  Raises `RulesError` if there is no such game or question.
    """
    rules = game if isinstance(game, Rules) else load(game, *overlays)
    return Tallies(rules, policy, question, text, pupils, decimal, seed)
