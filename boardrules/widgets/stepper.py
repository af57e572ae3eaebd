"""A whole lesson: any of the games, forward and back, with the chances of what comes next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..decimals import Decimal, written
from ..library import Source, games, load
from ..play import Told
from ..rules import Problem, Rules, RulesError
from ..turn import Policy
from .paper import Board
from .pause import Lesson, plain

HIGHEST_SEED = 999_999_999


def checked_seed(seed: object) -> int:
    """A seed that can be shown and typed again; raises `RulesError` for one that cannot."""
    whole = isinstance(seed, int) and not isinstance(seed, bool)
    if not whole or not 0 <= int(str(seed)) <= HIGHEST_SEED:
        text = f"needs a whole number, 0 to {HIGHEST_SEED:,}, not {str(seed)[:20]!r}"
        raise RulesError("seed", [Problem("", "seed", text)])
    return int(str(seed))


class Stepper:
    """A lesson with its board and its buttons; shows itself as the last line of a cell."""

    def __init__(
        self,
        rules: Rules,
        policy: Policy | None = None,
        seed: int = 1,
        start: str = "",
        script: Sequence[Told] = (),
        decimal: Decimal = ".",
    ) -> None:
        self._given = rules, policy, start, script
        self._shelf = _shelf(rules)
        self._own = self.game = _own(rules)
        self.seed = checked_seed(seed)
        self.lesson = Lesson(rules, policy, self.seed, start, script)
        self._moves: dict[str, Callable[[], None]] = {
            "Start again": self.start_again,
            "Back a turn": self.back_turn,
            "Back": self.back,
            "Forward": self.forward,
            "Whole turn": self.whole_turn,
        }
        bar = [{"name": name, "tip": _TIPS[name], "main": name == "Forward"}
               for name in self._moves]  # fmt: skip
        self.board = Board(rules, decimal=decimal, asks="Answer", bar=bar)
        self.board.on_answer(self.answer)
        self.board.on_press(self.press)
        self.board.on_choose(self.choose)
        self._show()

    def press(self, name: str) -> None:
        """Press the button of this name; there may be none."""
        if name in self._moves:
            self._moves[name]()

    def choose(self, what: str, value: str) -> None:
        """Choose another game by its name, or another seed; nonsense is explained and ignored."""
        if what == "Seed":
            try:
                told = value.strip()[:20]
                self.seed = checked_seed(int(told) if told.isascii() and told.isdigit() else told)
            except RulesError as error:
                self.lesson.message = plain(error)
                self._show()
                return
            self._open()
        elif what == "Game" and value in [name for _, name in self._shelf]:
            self.game = value
            self._open()

    def _open(self) -> None:
        """Start the game that is chosen."""
        own = self.game == self._own
        try:
            rules, policy, start, script = self._given if own else (load(self.game), None, "", ())
            self.lesson = Lesson(rules, policy, self.seed, start, script)
        except RulesError as error:
            self.lesson.message = plain(error)
        self._show()

    def start_again(self) -> None:
        """Go back to the start, with fresh dice from the seed in the box."""
        self._open()

    def back(self) -> None:
        """Go one question back."""
        self.lesson.back()
        self._show(moved=False)

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
        self._show(moved=False)

    def answer(self, told: str) -> None:
        """Answer the question that stands: `5+2`, the name of a card, `pay`."""
        self.lesson.answer(told)
        self._show()

    def _show(self, *, moved: bool = True) -> None:
        lesson, decimal = self.lesson, self.board.decimal
        ends = lesson.ends()
        self.board.show(
            lesson.rules,
            ends,
            lesson.place,
            way=lesson.way if moved else (),
            panel=lesson.panel(ends),
            asks=f"Or answer yourself, such as “{lesson.example}”:",
            said=written(lesson.said(), decimal),
            message=lesson.message,
            choices=[
                {"name": "Game", "options": self._shelf, "value": self.game},
                {"name": "Seed", "low": 0, "high": HIGHEST_SEED, "value": str(self.seed)},
            ],
        )

    def __repr__(self) -> str:
        return f"<Stepper of {self.lesson.rules.label}, seed {self.lesson.seed}>"

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        data, metadata = self.board._repr_mimebundle_(**kwargs)
        still = {
            "text/plain": repr(self),
            "image/svg+xml": str(self.lesson.picture(self.board.decimal)),
        }
        return {**data, **still}, metadata


def _own(rules: Rules) -> str:
    """The name under which the game that was asked for stands on the shelf: "" if it is changed."""
    return "" if rules.overlays or rules.id not in [game.name for game in games()] else rules.id


def _shelf(rules: Rules) -> list[list[str]]:
    """The games that can be chosen: how they are called, and their names."""
    shelf = [[game.title, game.name] for game in games()]
    return shelf if _own(rules) else [[f"{rules.title} ({rules.label})", ""], *shelf]


_TIPS = {
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
    script: Sequence[Told] = (),
    decimal: Decimal = ".",
) -> Stepper:
    """Play a game step by step: any game, forward and back, with the chances of every step.

    `game`, `overlays` and `policy` are taken as by `boardrules.landing`; the other games can be
    picked in the widget, with their own rules.  The same seed gives the same game.  `start` is the
    id of a square to begin on.  `script` holds the first answers, as one would type them:
    `["5+2", "back_three", (3, 3)]`; after them chance goes on.  `decimal=","` writes numbers with
    a comma.  Raises `RulesError` if there is no such game or square, or if the script does not
    fit.
    """
    rules = game if isinstance(game, Rules) else load(game, *overlays)
    return Stepper(rules, policy, seed, start, script, decimal)
