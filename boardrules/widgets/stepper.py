"""A whole lesson: any of the games, forward and back, with the chances of what comes next."""

from __future__ import annotations

from typing import Any

import ipywidgets

from ..library import Source, games, load
from ..rules import Rules, RulesError
from ..turn import Policy
from .paper import Board
from .pause import Lesson, plain

HIGHEST_SEED = 999_999_999


class Stepper:
    """A lesson with its board and its buttons; shows itself as the last line of a cell."""

    def __init__(
        self, rules: Rules, policy: Policy | None = None, seed: int = 1, start: str = ""
    ) -> None:
        self._given = rules, policy, start
        self.lesson = Lesson(rules, policy, seed, start)
        self.board = Board(rules, asks="Answer")
        self.board.on_answer(self.answer)
        self.game, self.seed = self._choices(rules, seed)
        self._own = self.game.value
        self.buttons = {
            name: ipywidgets.Button(description=name, tooltip=tip, layout={"width": "auto"})
            for name, tip in _BUTTONS.items()
        }
        moves = (self.start_again, self.back_turn, self.back, self.forward, self.whole_turn)
        for button, move in zip(self.buttons.values(), moves, strict=True):
            button.on_click(lambda _, move=move: move())
        self.buttons["Forward"].button_style = "primary"
        row = ipywidgets.HBox(
            [self.game, self.seed, *self.buttons.values()],
            layout={"flex_flow": "row wrap", "justify_content": "center"},
        )
        self.box = ipywidgets.VBox([row, self.board])
        self._show()

    def _choices(self, rules: Rules, seed: int) -> tuple[Any, Any]:
        """The boxes for the game and the seed."""
        shelf = [(game.title, game.name) for game in games()]
        own = rules.id
        if rules.overlays or own not in [name for _, name in shelf]:
            own = ""
            shelf.insert(0, (f"{rules.title} ({rules.label})", own))
        game = ipywidgets.Dropdown(
            options=shelf,
            value=own,
            description="Game",
            layout={"width": "230px"},
            style={"description_width": "45px"},
        )
        game.observe(lambda _: self._open(), "value")
        box = ipywidgets.BoundedIntText(
            value=seed,
            min=0,
            max=HIGHEST_SEED,
            description="Seed",
            layout={"width": "135px"},
            style={"description_width": "40px"},
        )
        box.observe(lambda _: self.start_again(), "value")
        return game, box

    def _open(self) -> None:
        """Start the game that the box says."""
        name = self.game.value
        try:
            own = name == self._own
            rules, policy, start = self._given if own else (load(name), None, "")
            self.lesson = Lesson(rules, policy, self.seed.value, start)
        except RulesError as error:
            self.lesson.message = plain(error)
        self._show()

    def start_again(self) -> None:
        """Go back to the start, with fresh dice from the seed in the box."""
        self._open()

    def back(self) -> None:
        """Go one question back."""
        self.lesson.back()
        self._show()

    def forward(self) -> None:
        """Go one question on."""
        self.lesson.forward()
        self._show()

    def whole_turn(self) -> None:
        """Play to the end of this turn."""
        self.lesson.forward_turn()
        self._show()

    def back_turn(self) -> None:
        """Go back to where this turn began."""
        self.lesson.back_turn()
        self._show()

    def answer(self, told: str) -> None:
        """Answer the question that stands: `5+2`, the name of a card, `pay`."""
        self.lesson.answer(told)
        self._show()

    def _show(self) -> None:
        lesson = self.lesson
        ends = lesson.ends()
        self.board.show(
            lesson.rules,
            ends,
            lesson.place,
            panel=lesson.panel(ends),
            asks=f"Or answer yourself, such as “{lesson.example}”:",
            said=lesson.said(),
            message=lesson.message,
        )

    def __repr__(self) -> str:
        return f"<Stepper of {self.lesson.rules.label}, seed {self.lesson.seed}>"

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        data = self.box._repr_mimebundle_(**kwargs)
        return {**data, "text/plain": repr(self), "image/svg+xml": str(self.lesson.picture())}


_BUTTONS = {
    "Start again": "to the start of the game, with the dice of this seed",
    "Back a turn": "to where this turn began",
    "Back": "one question back",
    "Forward": "one question on",
    "Whole turn": "to the end of this turn",
}


def stepper(
    game: Rules | Source = "monopoly",
    *overlays: Source,
    policy: Policy | None = None,
    seed: int = 1,
    start: str = "",
) -> Stepper:
    """Play a game step by step: any game, forward and back, with the chances of every step.

    `game`, `overlays` and `policy` are taken as by `boardrules.landing`; the other games can be
    picked in the widget, with their own rules.  The same seed gives the same game.  `start` is the
    id of a square to begin on.  Raises `RulesError` if there is no such game or square.
    """
    rules = game if isinstance(game, Rules) else load(game, *overlays)
    return Stepper(rules, policy, seed, start)
