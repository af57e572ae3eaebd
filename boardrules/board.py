"""The board as a picture: where every square stands, and a still drawing of it.

Squares in a ring are drawn as a ring, whatever their number; days that end at a stop are drawn as
a calendar, a week in a row.  The same places serve the still picture and the widget.  Names come
from ruleset files and are escaped here, at the one place where they become part of a picture.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import floor, isfinite
from pathlib import Path
from typing import Any, TypeAlias
from zlib import crc32

from .rules import DOUBTFUL, IN_JAIL, Problem, Rules, RulesError, Square, unknown

WIDE, HIGH = 1200.0, 660.0
WEEK = 7
FONT = "Arial, Helvetica, sans-serif"
TOKEN = 14.0
"""The radius of a token."""

# ------------------------------------------------------------------------------- colours

CIVIDIS = (
    "#00204d", "#00336f", "#39486b", "#575d6d", "#707173",
    "#8a8779", "#a69d75", "#c4b56c", "#e4cf5b", "#ffea46",
)  # fmt: skip
"""Ten steps of cividis, from never to often: told apart with any kind of colour vision."""

OKABE_ITO = {
    "orange": "#e69f00", "light_blue": "#56b4e9", "green": "#009e73", "yellow": "#f0e442",
    "dark_blue": "#0072b2", "red": "#d55e00", "pink": "#cc79a7", "brown": "#000000",
}  # fmt: skip
"""The colours of Okabe and Ito, under the group names that they come nearest to."""

NEUTRAL = "#bbbbbb"
PAPER, INK, QUIET = "#ffffff", "#111111", "#595959"


def shade(share: float) -> tuple[str, str]:
    """The colour for a share of the most there is (0 to 1), and black or white to write on it."""
    place = min(max(share, 0.0), 1.0) * (len(CIVIDIS) - 1)
    step = min(int(place), len(CIVIDIS) - 2)
    low, high = _parts(CIVIDIS[step]), _parts(CIVIDIS[step + 1])
    mixed = [round(a + (b - a) * (place - step)) for a, b in zip(low, high, strict=True)]
    colour = "#" + "".join(f"{part:02x}" for part in mixed)
    return colour, ink_on(colour)


def ink_on(colour: str) -> str:
    """Black or white, whichever is easier to read on a colour."""
    return max(("#ffffff", "#000000"), key=lambda ink: contrast(ink, colour))


def contrast(one: str, other: str) -> float:
    """How well two colours can be told apart, 1 to 21, as the accessibility guidelines count."""
    dark, light = sorted((_light(one), _light(other)))
    return (light + 0.05) / (dark + 0.05)


def _light(colour: str) -> float:
    weights = (0.2126, 0.7152, 0.0722)
    parts = (part / 255 for part in _parts(colour))
    linear = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return sum(weight * part for weight, part in zip(weights, linear, strict=True))


def _parts(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


# -------------------------------------------------------------------------------- places


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
    colour: str = ""
    letter: str = ""
    lines: tuple[str, ...] = ()
    size: float = 14.0

    @property
    def stripe(self) -> float:
        """How wide the stripe of the group is."""
        return 17.0 if self.letter else 0.0

    @property
    def tall(self) -> bool:
        """Whether there is room for bigger numbers."""
        return self.box.height > 80

    @property
    def text_at(self) -> tuple[tuple[float, float], ...]:
        """Where the lines of the name begin."""
        x = self.box.x + self.stripe + 5
        return tuple(
            (x, self.box.y + 2 + self.size * (0.9 + 1.08 * line)) for line in range(len(self.lines))
        )

    @property
    def heat_at(self) -> tuple[float, float, float]:
        """Where the number of the heat begins, and its size."""
        if self.tall:
            size = 23.0 if self.box.width < 120 else 28.0
        else:
            size = 17.5 if self.box.width < 100 else 19.0
        return self.box.x + self.stripe + 5, self.box.y + self.box.height - 5, size

    @property
    def number_at(self) -> tuple[float, float, float]:
        """Where the number of the square ends, and its size."""
        size = 18.0 if self.tall else 12.0
        return self.box.x + self.box.width - 4, self.box.y + self.box.height - 5, size

    @property
    def token_at(self) -> tuple[float, float]:
        """Where the middle of a token stands."""
        lift = 44.0 if self.tall else TOKEN + 3
        return self.box.x + self.box.width - TOKEN - 4, self.box.y + self.box.height - lift


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
            "cells": [
                {
                    "id": cell.id,
                    "name": cell.name,
                    "number": cell.number,
                    "box": _plain(cell.box),
                    "stripe": cell.stripe,
                    "colour": cell.colour,
                    "letter": cell.letter,
                    "letter_ink": ink_on(cell.colour) if cell.colour else "",
                    "size": cell.size,
                    "lines": [
                        [x, y, line] for (x, y), line in zip(cell.text_at, cell.lines, strict=True)
                    ],
                    "heat_at": list(cell.heat_at),
                    "number_at": list(cell.number_at),
                    "token_at": list(cell.token_at),
                }
                for cell in self.cells
            ],
        }


def _plain(box: Box | None) -> list[float]:
    return [box.x, box.y, box.width, box.height] if box else []


def layout(rules: Rules) -> Layout:
    """Where every square of a board stands.

    A ring, clockwise from the lower right corner; a calendar where a square stops every move.
    """
    numbers = [square.number for square in rules.squares]
    calendar = any(square.stop for square in rules.squares)
    places = weeks(numbers) if calendar else ring(len(numbers))
    marks = groups(rules)
    cells = [
        _cell(square, box, marks) for square, box in zip(rules.squares, places.boxes, strict=True)
    ]
    panel = places.panel
    if rules.jail:
        box, panel = _jail_box(places, rules.index[rules.jail.square])
        cells.append(_written(Cell(IN_JAIL, rules.jail.name, "", box)))
    return Layout(places.width, places.height, tuple(cells), places.track, panel)


@dataclass(frozen=True, slots=True)
class Places:
    """The boxes of a board's squares, before anything is written into them."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    track: Box | None
    panel: Box


def ring(count: int) -> Places:
    """The places of a ring of squares: clockwise from the lower right corner.

    Four corners, the rest dealt evenly to the sides; where sides differ the squares stand a little
    apart, on a track that joins them.
    """
    rest = max(count - 4, 0)
    extra = {0: (), 1: (0,), 2: (0, 2), 3: (0, 1, 2)}[rest % 4]
    sides = [rest // 4 + (side in extra) for side in range(4)]
    columns, rows = max(sides[0], sides[2]) + 2, max(sides[1], sides[3]) + 2
    width, height = max(WIDE, 86.0 * columns), max(HIGH, 50.0 * rows)
    wide, high = min(width / columns, 190.0), min(height / rows, 100.0)
    right, low = width - wide, height - high
    corners = ((right, low), (0.0, low), (0.0, 0.0), (right, 0.0))
    boxes: list[Box] = []
    for side, (x, y) in enumerate(corners):
        to_x, to_y = corners[(side + 1) % 4]
        steps = sides[side] + 1
        boxes.extend(
            Box(x + (to_x - x) * step / steps, y + (to_y - y) * step / steps, wide, high)
            for step in range(steps)
        )
    inside = Box(wide, high, width - 2 * wide, height - 2 * high)
    track = Box(wide / 2, high / 2, width - wide, height - high)
    return Places(width, height, tuple(boxes[:count]), track, inside)


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
    return Places(width, height, tuple(boxes), None, panel)


def _jail_box(places: Places, square: int) -> tuple[Box, Box]:
    """A place for the jail inside the board, beside its square, and the room that is left."""
    near, room, gap = places.boxes[square], places.panel, 8.0
    x = min(max(near.x, room.x + gap), room.x + room.width - near.width - gap)
    y = min(max(near.y, room.y + gap), room.y + room.height - near.height - gap)
    right, low = room.x + room.width, room.y + room.height
    left_over = (
        Box(room.x, room.y, x - gap - room.x, room.height),
        Box(x + near.width + gap, room.y, right - x - near.width - gap, room.height),
        Box(room.x, room.y, room.width, y - gap - room.y),
        Box(room.x, y + near.height + gap, room.width, low - y - near.height - gap),
    )
    panel = max(left_over, key=lambda box: max(box.width, 0) ** 1.2 * max(box.height, 0))
    return Box(x, y, near.width, near.height), panel


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
        letter = _letter(name, letters)
        letters.add(letter)
        marks[name] = (colour, letter)
    return marks


def _letter(name: str, taken: set[str]) -> str:
    plain = name.replace("_", "").capitalize()
    tries = [plain[:1], plain[:2], *(plain[0] + letter for letter in plain[2:].lower())]
    return next((one for one in tries if one not in taken), str(len(taken) + 1))


def _cell(square: Square, box: Box, marks: Mapping[str, tuple[str, str]]) -> Cell:
    colour = letter = ""
    if square.deed:
        colour, letter = marks[square.deed.group or square.deed.kind]
    return _written(Cell(square.id, square.name, str(square.number), box, colour, letter))


# ------------------------------------------------------------------------------- writing

SHORTER = {"Avenue": "Ave.", "Railroad": "R.R.", "Community": "Comm.", "Company": "Co."}
"""Long words that stand on many boards, as they are shortened where room is short."""

LARGE = (22.0, 20.0, 18.0, 17.0, 16.0, 15.0, 14.0)
MIDDLE = (17.0, 16.0, 15.0, 14.0)
"""Sizes of letters that are tried before a name is shortened."""

_WIDTHS = {
    **dict.fromkeys("ijl'|", 0.23),
    **dict.fromkeys(" .,:;!tfI/[]()-", 0.3),
    **dict.fromkeys('r"', 0.35),
    **dict.fromkeys("cksvxyzJ", 0.5),
    **dict.fromkeys("ABEKPSVXY&", 0.68),
    **dict.fromkeys("CDHNRUw", 0.73),
    **dict.fromkeys("GOQM%m", 0.86),
    **dict.fromkeys("W@", 1.0),
}


def text_width(text: str, size: float) -> float:
    """About how wide a line of text is; rather too wide than too narrow."""
    narrow = sum(_WIDTHS.get(letter, 0.57 if ord(letter) < 0x2000 else 1.0) for letter in text)
    return narrow * size


def _written(cell: Cell) -> Cell:
    """The cell with its name in lines that fit: as large as can be, shortened if need be."""
    room = cell.box.width - cell.stripe - 8
    height = cell.box.height - (30 if cell.tall else 21) - 3
    sizes = LARGE if cell.tall else MIDDLE
    lines, size = fit(cell.name, room, height, sizes)
    return Cell(cell.id, cell.name, cell.number, cell.box, cell.colour, cell.letter, lines, size)


def fit(
    name: str, width: float, height: float, large: Sequence[float]
) -> tuple[tuple[str, ...], float]:
    """A name in a few lines, and the size of the letters: large first, then short, then small."""
    short = " ".join(SHORTER.get(word, word) for word in name.split())
    for sizes in (large, (13.0, 12.0)):
        for text in (name, short):
            for size in sizes:
                lines = wrap(text, width, size)
                most = int(height / (1.08 * size))
                wide = max((text_width(line, size) for line in lines), default=0)
                if len(lines) <= most and wide <= width:
                    return lines, size
    most = max(1, int(height / (1.08 * 12)))
    lines = wrap(short, width, 12.0)
    kept = list(lines[:most])
    if len(lines) > most:
        kept[-1] += "…"
    return tuple(_cut(line, width, 12.0) for line in kept), 12.0


def wrap(text: str, width: float, size: float) -> tuple[str, ...]:
    """Text in lines, broken between words; a long word keeps a line of its own."""
    lines: list[str] = []
    for word in text.split():
        if lines and text_width(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return tuple(lines)


def _cut(line: str, width: float, size: float) -> str:
    if text_width(line, size) <= width:
        return line
    short = line.rstrip("…")
    while short and text_width(f"{short}…", size) > width:
        short = short[:-1]
    return f"{short.rstrip()}…"


def percent(value: float) -> str:
    """A chance as it is written on a square: `2.9%`; nothing for what cannot happen."""
    hundred = 100 * value
    if hundred <= 0:
        return ""
    tenths = floor(10 * hundred + 0.5 + 1e-9)  # halves go up, as at school
    if tenths < 1:
        return "<0.1%"
    return "100%" if tenths == 1000 else f"{tenths // 10}.{tenths % 10}%"


# ---------------------------------------------------------------------------------- heat

Heat: TypeAlias = Any
"""Numbers by square id (and "in_jail"), or a landing table, or anything with such rows."""


def warmth(rules: Rules, heat: Heat) -> dict[str, float]:
    """The heat of each square as plain numbers; what is nothing is left out.

    Raises `RulesError` for a square that the board does not have, or a number that is none.
    """
    if heat is None:
        return {}
    if not isinstance(heat, Mapping):
        heat = {row.id: row.probability for row in heat.rows}
    known = [*rules.index, *([IN_JAIL] if rules.jail else [])]
    problems = [Problem("", str(key), unknown("square", str(key), known)) for key in heat
                if key not in known]  # fmt: skip
    found: dict[str, float] = {}
    for key, value in heat.items():
        number = float(value)
        if not isfinite(number):
            problems.append(Problem("", str(key), f"the heat of a square cannot be {number}"))
        elif number > 0:
            found[key] = number
    if problems:
        raise RulesError(rules.label, problems)
    return found


def paint(
    rules: Rules, heat: Heat, show: Callable[[float], str] = percent
) -> dict[str, dict[str, str]]:
    """How each square looks under some heat: `fill`, `ink` and `text`; cold ones are left out."""
    warm = warmth(rules, heat)
    top = max(warm.values(), default=1.0)
    painted = {}
    for key, value in warm.items():
        fill, ink = shade(value / top)
        painted[key] = {"fill": fill, "ink": ink, "text": show(value)}
    return painted


# ------------------------------------------------------------------------------- picture


@dataclass(frozen=True, slots=True)
class Picture:
    """A still picture that notebooks show and files keep: an SVG drawing."""

    text: str

    def save(self, file: str | Path) -> Path:
        """Write the picture to a file, and say where."""
        path = Path(file)
        path.write_text(self.text + "\n", encoding="utf-8")
        return path

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        title = re.search(r"<title[^>]*>(.*?)</title>", self.text)
        return f"<Picture {title[1] if title else ''}>"

    def _repr_svg_(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f'<div style="max-width:1200px;background:{PAPER}">{self.text}</div>'


def svg(
    rules: Rules,
    heat: Heat = None,
    tokens: str | Iterable[str] = (),
    title: str = "",
    *,
    show: Callable[[float], str] = percent,
) -> Picture:
    """Draw the board: warm squares bright, tokens where they stand.

    `heat` is a landing table, or numbers by square id with "in_jail" for the jail; `tokens` are
    ids of squares; `show` writes a number.  Raises `RulesError` for squares that do not exist.

    >>> from boardrules import load
    >>> svg(load("corner_shop"), heat={"corner": 0.25}, tokens="bakery")
    <Picture Corner Shop>
    """
    board = layout(rules)
    warm = warmth(rules, heat)
    painted = paint(rules, heat, show)
    standing = (tokens,) if isinstance(tokens, str) else tuple(tokens)
    title = title or rules.title
    desc = _described(rules, board, warm, standing, show)
    drawn = f"{title}{desc}{standing}{sorted(warm.items())}"
    key = f"board-{crc32(drawn.encode(errors='replace')):08x}"
    size = f"{board.width + 4:g} {board.height + 4:g}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -2 {size}" '
        f'width="100%" role="img" aria-labelledby="{key}-title {key}-desc" '
        f'font-family="{FONT}">',
        f'<title id="{key}-title">{_xml(title)}</title>',
        f'<desc id="{key}-desc">{_xml(desc)}</desc>',
        _rect(Box(-2, -2, board.width + 4, board.height + 4), fill=PAPER),
    ]
    if board.track:
        parts.append(_rect(board.track, fill="none", stroke="#cccccc", stroke_width=10))
    parts.extend(_draw_cell(cell, painted.get(cell.id)) for cell in board.cells)
    parts.extend(_draw_panel(rules, board, warm, title, show))
    parts.extend(_draw_tokens(board, standing))
    parts.append("</svg>")
    return Picture("\n".join(parts))


def _described(
    rules: Rules,
    board: Layout,
    warm: Mapping[str, float],
    standing: Sequence[str],
    show: Callable[[float], str],
) -> str:
    """The picture in words, for those who cannot see it."""
    names = full_names(board)
    problems = [Problem("", key, unknown("square", key, names)) for key in standing
                if key not in names]  # fmt: skip
    if problems:
        raise RulesError(rules.label, problems)
    words = [f"The board of {rules.title}, {len(rules.squares)} squares."]
    if standing:
        words.append("Token on " + ", ".join(names[key] for key in standing) + ".")
    if warm:
        most = _most(warm)
        words.append("Most: " + "; ".join(f"{names[k]} {show(warm[k])}" for k in most) + ".")
    return " ".join(words)


def full_names(board: Layout) -> dict[str, str]:
    """What to call each square: its name, with its number where squares are called alike."""
    names = [cell.name for cell in board.cells]
    return {
        cell.id: f"{cell.name} ({cell.number})" if names.count(cell.name) > 1 else cell.name
        for cell in board.cells
    }


def _most(warm: Mapping[str, float], count: int = 5) -> list[str]:
    return sorted(warm, key=lambda key: -warm[key])[:count]


def _draw_cell(cell: Cell, paint_: Mapping[str, str] | None) -> str:
    fill, ink = (paint_["fill"], paint_["ink"]) if paint_ else (PAPER, INK)
    heat = paint_["text"] if paint_ else ""
    said = ": ".join(part for part in (" ".join((cell.number, cell.name)).strip(), heat) if part)
    parts = [f"<g><title>{_xml(said)}</title>", _rect(cell.box, fill=fill)]
    if cell.letter:
        stripe = Box(cell.box.x, cell.box.y, cell.stripe, cell.box.height)
        parts.append(_rect(stripe, fill=cell.colour))
        middle = (stripe.x + stripe.width / 2, stripe.y + stripe.height / 2 + 5)
        size = 15 if len(cell.letter) == 1 else 12
        ink_ = ink_on(cell.colour)
        parts.append(_text(cell.letter, *middle, size, ink_, bold=True, anchor="middle"))
    parts.append(_rect(cell.box, fill="none", stroke="#333333", stroke_width=1.5))
    for (x, y), line in zip(cell.text_at, cell.lines, strict=True):
        parts.append(_text(line, x, y, cell.size, ink))
    if heat:
        parts.append(_text(heat, *cell.heat_at, ink, bold=True))
    if cell.number:
        parts.append(_text(cell.number, *cell.number_at, ink if paint_ else QUIET, anchor="end"))
    return "".join([*parts, "</g>"])


def _draw_panel(
    rules: Rules,
    board: Layout,
    warm: Mapping[str, float],
    title: str,
    show: Callable[[float], str],
) -> Iterable[str]:
    """Title, scale, the warmest squares, and whatever has to be confessed."""
    room = board.panel
    x, y, width = room.x + 24, room.y + 20, room.width - 48
    if width < 120:
        return
    size = 34.0
    for line in wrap(title, width, size * 1.07):  # bold letters are wider
        y += size * 1.1
        yield _text(line, x, y, size, INK, bold=True)
    if warm:
        names = full_names(board)
        top = max(warm.values())
        y += 30
        bar = Box(x, y, min(width, 420.0), 22)
        step = bar.width / 40
        for k in range(40):
            colour, _ = shade((k + 0.5) / 40)
            yield _rect(Box(bar.x + k * step, y, step + 0.5, 22), fill=colour)
        yield _rect(bar, fill="none", stroke="#333333", stroke_width=1.5)
        y += 46
        yield _text("0", bar.x, y, 22, INK)
        yield _text(show(top), bar.x + bar.width, y, 22, INK, anchor="end")
        y += 14
        for place, key in enumerate(_most(warm), start=1):
            line = f"{place}.  {names[key]}: {show(warm[key])}"
            if y + 32 < room.y + room.height - 40:
                y += 32
                yield _text(_cut(line, width, 26), x, y, 26, INK)
    if rules.caution and rules.weakest() in DOUBTFUL:
        lines = wrap(rules.caution, width, 18)
        low = room.y + room.height - 14 - 22 * (len(lines) - 1)
        for k, line in enumerate(lines):
            yield _text(line, x, low + 22 * k, 18, QUIET)


def _draw_tokens(board: Layout, standing: Sequence[str]) -> Iterable[str]:
    """Tokens with a white and a black ring, so that they show on every colour."""
    at = {cell.id: cell.token_at for cell in board.cells}
    colours = [OKABE_ITO[name] for name in ("red", "light_blue", "yellow", "green", "pink")]
    before: dict[str, int] = {}
    for place, key in enumerate(standing):
        x, y = at[key]
        x -= 12 * before.get(key, 0)
        before[key] = before.get(key, 0) + 1
        fill = colours[place % len(colours)]
        yield (
            f'<g><circle cx="{x:g}" cy="{y:g}" r="{TOKEN:g}" fill="#ffffff" stroke="#000000" '
            f'stroke-width="2.5"/><circle cx="{x:g}" cy="{y:g}" r="{TOKEN - 5:g}" '
            f'fill="{fill}" stroke="#000000" stroke-width="1.5"/></g>'
        )


def _rect(box: Box, **how: object) -> str:
    more = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in how.items())
    size = f'width="{box.width:.5g}" height="{box.height:.5g}"'
    return f'<rect x="{box.x:.5g}" y="{box.y:.5g}" {size}{more}/>'


def _text(
    text: str,
    x: float,
    y: float,
    size: float,
    ink: str,
    *,
    bold: bool = False,
    anchor: str = "",
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    where = f' text-anchor="{anchor}"' if anchor else ""
    return (
        f'<text x="{x:.5g}" y="{y:.5g}" font-size="{size:g}" fill="{ink}"{weight}{where}>'
        f"{_xml(text)}</text>"
    )


_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _xml(text: str) -> str:
    """Text as it may stand in a picture, whatever a ruleset file calls its squares."""
    return escape(_NO_XML.sub("\ufffd", text))
