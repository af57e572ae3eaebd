"""The board as a widget: what `board.js` draws, kept as plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import traitlets
from anywidget import AnyWidget

from ..board import Heat, Picture, layout, paint, svg, warmth
from ..rules import Rules


class Paper(AnyWidget):
    """What `board.js` can show: a board, a panel beside it, a box for answers.

    Every trait is plain data, made in the kernel.
    """

    _esm = Path(__file__).parent / "board.js"

    drawing = traitlets.Dict().tag(sync=True)
    heat = traitlets.Dict().tag(sync=True)
    token = traitlets.Unicode("").tag(sync=True)
    label = traitlets.Unicode("").tag(sync=True)
    panel = traitlets.Dict().tag(sync=True)
    said = traitlets.Unicode("").tag(sync=True)
    asks = traitlets.Unicode("").tag(sync=True)
    button = traitlets.Unicode("Answer").tag(sync=True)
    message = traitlets.Unicode("").tag(sync=True)

    def on_answer(self, listener: Callable[[str], None]) -> None:
        """Have somebody listen to what is typed into the box."""

        def heard(_: object, content: object, __: object) -> None:
            if isinstance(content, Mapping) and isinstance(content.get("answer"), str):
                listener(content["answer"])

        self.on_msg(heard)


class Board(Paper):
    """A board to look at and to walk over with the arrow keys; its token moves.

    Takes what `boardrules.board.svg` takes; `show` changes any of it later.
    """

    def __init__(self, rules: Rules, heat: Heat = None, token: str = "", **more: Any) -> None:
        self.rules = rules
        self._warm: dict[str, float] = {}
        super().__init__(**more)
        self.show(rules, heat, token)

    def show(self, rules: Rules, heat: Heat = None, token: str = "", **more: Any) -> None:
        """Show another board, other heat, the token elsewhere; all at once.

        Raises `RulesError` for squares that the board does not have.
        """
        warm = warmth(rules, heat)
        svg(rules, None, token or ())  # refuses a square that does not exist
        with self.hold_sync():
            if rules is not self.rules or not self.drawing:
                self.drawing = layout(rules).drawing()
                self.label = f"The board of {rules.title}"
            self.rules, self._warm = rules, warm
            self.heat = paint(rules, warm)
            self.token = token
            for name, value in more.items():
                setattr(self, name, value)

    def picture(self) -> Picture:
        """The same as a still picture."""
        return svg(self.rules, self._warm, self.token or ())

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        return {**data, "image/svg+xml": str(self.picture())}, metadata
