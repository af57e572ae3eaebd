"""Where every square of a board stands: a ring, or a calendar where a square stops every move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from ..rules import IN_JAIL, Rules, Square
from .colours import NEUTRAL, OKABE_ITO, ink_on
from .writing import LARGE, MIDDLE, fit

WIDE, HIGH = 1200.0, 660.0
WEEK = 7
TOKEN = 14.0
"""The radius of a token."""
STRIPE = 17.0
"""How thick the stripe of a group is."""
FRINGE = 30.0
"""How far marks of owners and houses reach into the middle of the board, from below and above."""
WIDE_FRINGE = 62.0
"""The same from the left and the right."""

Side: TypeAlias = Literal["low", "left", "top", "right", ""]
"""On which side of a ring a square stands; corners count as their upright sides."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle: its upper left corner, and how wide and high it is."""

    x: float
    y: float
    width: float
    height: float

    def meets(self, other: Box) -> bool:
        """Whether two rectangles cover some place together."""
        return (
            self.x < other.x + other.width - 1e-6
            and other.x < self.x + self.width - 1e-6
            and self.y < other.y + other.height - 1e-6
            and other.y < self.y + self.height - 1e-6
        )


@dataclass(frozen=True, slots=True)
class Cell:
    """One place where a token can stand, and all that is written there whatever happens."""

    id: str
    name: str
    number: str
    box: Box
    side: Side = ""
    colour: str = ""
    letter: str = ""
    lines: tuple[str, ...] = ()
    size: float = 14.0

    @property
    def flat(self) -> bool:
        """Whether the stripe of the group lies above the name, and does not stand beside it."""
        return self.side in ("low", "top")

    @property
    def stripe(self) -> Box | None:
        """The stripe in the colour of the group."""
        if not self.letter:
            return None
        box = self.box
        wide, high = (box.width, STRIPE) if self.flat else (STRIPE, box.height)
        return Box(box.x, box.y, wide, high)

    @property
    def paper(self) -> Box:
        """What the stripe leaves free."""
        if not self.letter:
            return self.box
        x, y, wide, high = self.box.x, self.box.y, self.box.width, self.box.height
        if self.flat:
            return Box(x, y + STRIPE, wide, high - STRIPE)
        return Box(x + STRIPE, y, wide - STRIPE, high)

    @property
    def tall(self) -> bool:
        """Whether there is room for the largest numbers."""
        return not self.side and self.box.height > 80

    @property
    def high(self) -> bool:
        """Whether there is room for larger numbers."""
        return self.box.height > 75

    @property
    def text_at(self) -> tuple[tuple[float, float], ...]:
        """Where the lines of the name begin."""
        paper = self.paper
        return tuple(
            (paper.x + 5, paper.y + 2 + self.size * (0.9 + 1.08 * line))
            for line in range(len(self.lines))
        )

    @property
    def heat_at(self) -> tuple[float, float, float]:
        """Where the number of the heat begins, and its size."""
        if self.tall:
            size = 23.0 if self.box.width < 120 else 28.0
        elif self.high:
            size = 22.0 if self.box.width < 96 else 25.0
        else:
            size = 20.0
        return self.paper.x + 5, self.box.y + self.box.height - 4.5, size

    @property
    def number_at(self) -> tuple[float, float, float]:
        """Where the number of the square ends, and its size."""
        size = 18.0 if self.tall else 13.0
        return self.box.x + self.box.width - 4, self.box.y + self.box.height - 5, size

    @property
    def token_at(self) -> tuple[float, float]:
        """Where the middle of a token stands."""
        lift = 44.0 if self.tall else TOKEN + 3
        return self.box.x + self.box.width - TOKEN - 4, self.box.y + self.box.height - lift

    @property
    def beside(self) -> tuple[float, float, int]:
        """Where marks of the owner begin, inside the ring, and which way they go on (1 or -1)."""
        box, middle = self.box, self.box.y + self.box.height / 2
        match self.side:
            case "low":
                return box.x + 14, box.y - FRINGE / 2, 1
            case "top":
                return box.x + 14, box.y + box.height + FRINGE / 2, 1
            case "right":
                return box.x - FRINGE / 2, middle, -1
            case "left":
                return box.x + box.width + FRINGE / 2, middle, 1
        return box.x + 14, box.y + box.height - FRINGE / 2, 1  # a calendar has no middle


@dataclass(frozen=True, slots=True)
class Layout:
    """A whole board: its squares in order, the jail last; the track; and room to write in."""

    width: float
    height: float
    cells: tuple[Cell, ...]
    track: Box | None
    panel: Box

    def drawing(self) -> dict[str, Any]:
        """The same as plain data, for whoever draws it elsewhere."""
        return {
            "width": self.width,
            "height": self.height,
            "track": _plain(self.track),
            "panel": _plain(self.panel),
            "radius": TOKEN,
            "fringe": [WIDE_FRINGE, FRINGE] if self.track else [0, 0],
            "cells": [
                {
                    "id": cell.id,
                    "name": cell.name,
                    "number": cell.number,
                    "box": _plain(cell.box),
                    "stripe": _plain(cell.stripe),
                    "colour": cell.colour,
                    "letter": cell.letter,
                    "letter_ink": ink_on(cell.colour) if cell.colour else "",
                    "size": cell.size,
                    "lines": [
                        [*_short(at), line]
                        for at, line in zip(cell.text_at, cell.lines, strict=True)
                    ],
                    "heat_at": _short(cell.heat_at),
                    "number_at": _short(cell.number_at),
                    "token_at": _short(cell.token_at),
                }
                for cell in self.cells
            ],
        }


def _plain(box: Box | None) -> list[float]:
    return _short((box.x, box.y, box.width, box.height)) if box else []


def _short(numbers: Sequence[float]) -> list[float]:
    """Tenths are fine enough to draw with."""
    return [round(number, 1) for number in numbers]


def layout(rules: Rules) -> Layout:
    """Where every square of a board stands.

    A ring, clockwise from the lower right corner; a calendar where a square stops every move.
    """
    numbers = [square.number for square in rules.squares]
    calendar = any(square.stop for square in rules.squares)
    places = weeks(numbers) if calendar else ring(len(numbers))
    marks = groups(rules)
    cells = [
        _cell(square, box, side, marks)
        for square, box, side in zip(rules.squares, places.boxes, places.sides, strict=True)
    ]
    panel = places.panel
    if rules.jail:
        box, panel = _jail_box(places, rules.index[rules.jail.square])
        cells.append(_written(Cell(IN_JAIL, rules.jail.name, "", box, "left")))
    return Layout(places.width, places.height, tuple(cells), places.track, panel)


@dataclass(frozen=True, slots=True)
class Places:
    """The boxes of a board's squares, before anything is written into them."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    sides: tuple[Side, ...]
    track: Box | None
    panel: Box


def ring(count: int) -> Places:
    """The places of a ring of squares: clockwise from the lower right corner.

    Four corners, larger than the rest, which is dealt evenly to the sides; where sides differ the
    squares stand a little apart, on a track that joins them.
    """
    rest = max(count - 4, 0)
    extra = {0: (), 1: (0,), 2: (0, 2), 3: (0, 1, 2)}[rest % 4]
    lengths = [rest // 4 + (side in extra) for side in range(4)]
    columns, rows = max(lengths[0], lengths[2]), max(lengths[1], lengths[3])
    width, height = max(WIDE, 88.0 * (columns + 2)), max(HIGH, 53.0 * (rows + 2))
    wide, high = min(1.28 * width / (columns + 2), 160.0), min(1.5 * height / (rows + 2), 82.0)
    room_x, room_y = width - 2 * wide, height - 2 * high
    flat = min(room_x / max(columns, 1), 160.0), high
    upright = wide, min(room_y / max(rows, 1), 82.0)
    corners = ((width - wide, height - high), (0.0, height - high), (0.0, 0.0), (width - wide, 0.0))
    boxes: list[Box] = []
    sides: list[Side] = []
    names: tuple[Side, ...] = ("low", "left", "top", "right")
    for side, (corner, many) in enumerate(zip(corners, lengths, strict=True)):
        boxes.append(Box(*corner, wide, high))
        sides.append("right" if side in (0, 3) else "left")
        for place in range(many):
            lying = side % 2 == 0
            room, (across, down) = (room_x, flat) if lying else (room_y, upright)
            along = room * (place + 0.5) / many  # the middle of the square, from its corner on
            if side in (0, 1):  # to the left, and up
                along = room - along
            x = wide + along - across / 2 if lying else (0.0 if side == 1 else width - across)
            y = high + along - down / 2 if not lying else (height - down if side == 0 else 0.0)
            boxes.append(Box(x, y, across, down))
            sides.append(names[side])
    inside = Box(wide, high, room_x, room_y)
    track = Box(wide / 2, high / 2, width - wide, height - high)
    return Places(width, height, tuple(boxes[:count]), tuple(sides[:count]), track, inside)


def weeks(numbers: Sequence[int]) -> Places:
    """The places of a month's days: seven in a row, what comes before day 1 above them."""
    before = numbers[0] < 1
    top = 62.0 if before else 0.0
    rows = max(1, -(-max(numbers) // WEEK))
    width, height = WIDE, max(HIGH, top + 60.0 * rows)
    wide, high = 106.0, min((height - top) / rows, 130.0)
    boxes = [
        Box((day - 1) % WEEK * wide, top + (day - 1) // WEEK * high, wide, high)
        if day > 0
        else Box(0.0, 0.0, wide, top - 6)
        for day in numbers
    ]
    left = WEEK * wide + 12
    panel = Box(left, 0.0, width - left, height)
    no_side: Side = ""
    return Places(width, height, tuple(boxes), (no_side,) * len(boxes), None, panel)


def _jail_box(places: Places, square: int) -> tuple[Box, Box]:
    """A place for the jail inside the board, beside its square, and the room that is left."""
    near, room, gap = places.boxes[square], places.panel, 8.0
    left, low = (WIDE_FRINGE, FRINGE) if places.track else (gap, gap)
    wide, high = min(near.width, 112.0), min(near.height, 62.0)
    x = min(max(near.x, room.x + left), room.x + room.width - wide - left)
    y = min(max(near.y, room.y + low), room.y + room.height - high - low)
    right, low = room.x + room.width, room.y + room.height
    left_over = (
        Box(room.x, room.y, x - gap - room.x, room.height),
        Box(x + wide + gap, room.y, right - x - wide - gap, room.height),
        Box(room.x, room.y, room.width, y - gap - room.y),
        Box(room.x, y + high + gap, room.width, low - y - high - gap),
    )
    panel = max(left_over, key=lambda box: max(box.width, 0) * max(box.height, 0) ** 1.2)
    return Box(x, y, wide, high), panel


# -------------------------------------------------------------------------------- groups


def groups(rules: Rules) -> Mapping[str, tuple[str, str]]:
    """The colour and the letter of every group of deeds, in board order.

    Streets choose first; a letter that is taken already becomes two.
    """
    deeds = [square.deed for square in rules.squares if square.deed]
    named = {deed.group or deed.kind: deed.kind for deed in deeds}
    streets = [name for name, kind in named.items() if kind == "street"]
    others = [name for name in named if name not in streets]
    free = [colour for name, colour in OKABE_ITO.items() if name not in named]
    marks: dict[str, tuple[str, str]] = {}
    letters: set[str] = set()
    for name in (*streets, *others):
        if name in OKABE_ITO:
            colour = OKABE_ITO[name]
        elif name in streets and free:
            colour = free.pop(0)
        else:
            colour = NEUTRAL
        letter = letter_for(name, letters)
        letters.add(letter)
        marks[name] = (colour, letter)
    return marks


def letter_for(name: str, taken: set[str]) -> str:
    """A letter or two that stand for a name, unlike all that are taken; a number if need be."""
    plain = "".join(filter(str.isalnum, name)).capitalize()
    tries = [plain[:1], plain[:2], *(plain[0] + letter for letter in plain[2:].lower())]
    return next((one for one in tries if one and one not in taken), str(len(taken) + 1))


def _cell(square: Square, box: Box, side: Side, marks: Mapping[str, tuple[str, str]]) -> Cell:
    colour = letter = ""
    if square.deed:
        colour, letter = marks[square.deed.group or square.deed.kind]
    return _written(Cell(square.id, square.name, str(square.number), box, side, colour, letter))


def _written(cell: Cell) -> Cell:
    """The cell with its name in lines that fit: as large as can be, shortened if need be."""
    room = cell.paper.width - 8
    height = cell.paper.height - (30 if cell.tall else 22 if cell.high else 19) - 3
    lines, size = fit(cell.name, room, height, LARGE if cell.high and not cell.flat else MIDDLE)
    return replace(cell, lines=lines, size=size)


def full_names(board: Layout) -> dict[str, str]:
    """What to call each square: its name, with its number where squares are called alike."""
    names = [cell.name for cell in board.cells]
    return {
        cell.id: f"{cell.name} ({cell.number})" if names.count(cell.name) > 1 else cell.name
        for cell in board.cells
    }
