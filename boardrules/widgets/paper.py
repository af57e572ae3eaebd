"""The board as a widget: what `board.js` draws, kept as plain data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import traitlets
from anywidget import AnyWidget

from ..board import (
    CIVIDIS,
    Heat,
    Layout,
    Picture,
    Piece,
    Players,
    Scene,
    full_names,
    layout,
    paint,
    percent,
    scene,
    small_print,
    svg,
    warmth,
)
from ..board import plain as plain_shapes
from ..decimals import Decimal, checked, shown_with, written
from ..rules import DOUBTFUL, Rules
from .route import Leg

PARTS = ("squares.js", "panel.js", "film.js", "board.js")
"""The drawing, in the order in which its files are joined to one."""


def source() -> str:
    """The whole drawing as one module: nothing outside is loaded, now or later."""
    here = Path(__file__).parent
    return "\n".join((here / part).read_text(encoding="utf-8") for part in PARTS)


class Paper(AnyWidget):
    """What `board.js` can show: a board, a panel beside it, buttons, a box for answers, a film.

    Every trait is plain data, made in the kernel.
    """

    _esm = source()

    drawing = traitlets.Dict().tag(sync=True)
    heat = traitlets.Dict().tag(sync=True)
    token = traitlets.Unicode("").tag(sync=True)
    way: traitlets.List[Any] = traitlets.List().tag(sync=True)
    scene = traitlets.Dict().tag(sync=True)
    label = traitlets.Unicode("").tag(sync=True)
    panel = traitlets.Dict().tag(sync=True)
    said = traitlets.Unicode("").tag(sync=True)
    asks = traitlets.Unicode("").tag(sync=True)
    button = traitlets.Unicode("Answer").tag(sync=True)
    message = traitlets.Unicode("").tag(sync=True)
    bar: traitlets.List[Any] = traitlets.List().tag(sync=True)
    choices: traitlets.List[Any] = traitlets.List().tag(sync=True)
    film = traitlets.Dict().tag(sync=True)

    def on_answer(self, listener: Callable[[str], None]) -> None:
        """Have somebody listen to what is typed into the box."""
        self._hear("answer", lambda told, _: listener(told))

    def on_press(self, listener: Callable[[str], None]) -> None:
        """Have somebody listen to the buttons of the bar, by their names."""
        self._hear("press", lambda name, _: listener(name))

    def on_choose(self, listener: Callable[[str, str], None]) -> None:
        """Have somebody listen to what is chosen in the bar: its name, and the value as text."""

        def heard(name: str, content: Mapping[str, Any]) -> None:
            if isinstance(content.get("value"), str):
                listener(name, content["value"])

        self._hear("choose", heard)

    def _hear(self, key: str, listener: Callable[[str, Mapping[str, Any]], None]) -> None:
        def heard(_: object, content: object, __: object) -> None:
            if isinstance(content, Mapping) and isinstance(content.get(key), str):
                listener(content[key], content)

        self.on_msg(heard)


class Board(Paper):
    """A board to look at and to walk over with the arrow keys; its token moves.

    Takes what `boardrules.board.svg` takes; `show` changes any of it later.  With `decimal=","`
    its numbers, and those beside it, are written with a comma.
    """

    def __init__(
        self,
        rules: Rules,
        heat: Heat = None,
        token: str = "",
        players: Players = None,
        *,
        decimal: Decimal = ".",
        **more: Any,
    ) -> None:
        self.rules, self.decimal = rules, checked(decimal)
        self._warm: dict[str, float] = {}
        self._small = ""
        self._players: Players = None
        super().__init__(**more)
        self.show(rules, heat, token, players)

    def show(
        self,
        rules: Rules,
        heat: Heat = None,
        token: str = "",
        players: Players = None,
        way: Iterable[Leg] = (),
        **more: Any,
    ) -> None:
        """Show another board, other heat, the token or the players elsewhere; all at once.

        `way` is how the token goes there; a `panel` is what stands beside the board, in place of
        what heat and players say of themselves.  Raises `RulesError` for squares or deeds that
        the board does not have.
        """
        warm = warmth(rules, heat)
        scene(rules, token or ())  # refuses a square that does not exist
        who = scene(rules, players=players)
        with self.hold_sync():
            if rules is not self.rules or not self.drawing:
                self.drawing = drawing_of(rules)
                self.label = f"The board of {rules.title}"
            self.rules, self._warm, self._players = rules, warm, players
            self._small = small_print(rules, heat)
            self.heat = paint(rules, warm, self._percent)
            self.way = [list(leg) for leg in way]
            self.token = token
            self.scene = scene_of(who, layout(rules)) if players is not None else {}
            told = more.pop("panel", None) or self._beside(who)
            self.panel = with_decimal(told, self.decimal)
            for name, value in more.items():
                setattr(self, name, value)

    def picture(self) -> Picture:
        """The same as a still picture."""
        return svg(
            self.rules,
            self._warm,
            self.token or (),
            subtitle=written(self._small, self.decimal),
            players=self._players,
            show=self._percent,
        )

    @property
    def _percent(self) -> Callable[[float], str]:
        return shown_with(self.decimal, percent)

    def _beside(self, who: Scene) -> dict[str, Any]:
        """What stands beside a board if nobody says anything else: who is who, and what is warm."""
        rules, warm = self.rules, self._warm
        caution = rules.caution if rules.weakest() in DOUBTFUL else ""
        told: dict[str, Any] = {"small": "; ".join(filter(None, (self._small, caution)))}
        names = full_names(layout(rules))
        if who.pieces or warm:
            told["title"] = rules.title
        if who.pieces:
            told["people"] = []
        for piece, square in zip(who.pieces, who.at, strict=True):
            text = f"{piece.name}: {names[square]}"
            told["people"].append({"shapes": plain_shapes(piece.shapes()), "text": text})
        if warm:
            told["scale"] = {
                "colours": list(CIVIDIS),
                "low": "0%",
                "top": percent(max(warm.values())),
                "text": "Colours: the shares on the squares",
            }
            most = sorted(warm, key=lambda square: -warm[square])[:_MOST]
            told["caption"] = "The largest shares"
            told["answers"] = [[names[one], percent(warm[one]), warm[one]] for one in most]
        return {name: value for name, value in told.items() if value}

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        return {**data, "image/svg+xml": str(self.picture())}, metadata


_MOST = 5
"""So many squares are named beside a warm board."""


def with_decimal(panel: Mapping[str, Any], decimal: Decimal) -> dict[str, Any]:
    """What stands beside a board, its numbers written with a comma or a point.

    Names in the table of answers stay, since they may be typed as answers.
    """

    def turned(value: Any) -> Any:
        if isinstance(value, str):
            return written(value, decimal)
        if isinstance(value, Mapping):
            return {name: turned(part) for name, part in value.items()}
        return [turned(part) for part in value] if isinstance(value, list | tuple) else value

    found = {name: turned(value) for name, value in panel.items()}
    if "answers" in panel:
        found["answers"] = [[one, turned(text), share] for one, text, share in panel["answers"]]
    if "people" in panel:  # whose shapes are full of numbers
        people = panel["people"]
        found["people"] = [{**one, "text": turned(one["text"])} for one in people]
    return found


def drawing_of(rules: Rules) -> dict[str, Any]:
    """A board as plain data, with the token that stands there when nobody has a name."""
    return {**layout(rules).drawing(), "token": plain_shapes(Piece("").shapes())}


def pieces_of(who: Scene) -> list[dict[str, Any]]:
    """The tokens as plain data."""
    return [{"name": one.name, "shapes": plain_shapes(one.shapes())} for one in who.pieces]


def deeds_of(who: Scene, board: Layout) -> dict[str, Any]:
    """Who owns what, as plain data."""
    return {"marks": [mark.drawing() for mark in who.marks(board)], "notes": who.notes()}


def scene_of(who: Scene, board: Layout) -> dict[str, Any]:
    """Who stands where and owns what, as plain data."""
    return {"pieces": pieces_of(who), "at": list(who.at), **deeds_of(who, board)}
