"""A still drawing of the board.

Names come from ruleset files and are escaped here, at the one place where they become part of a
picture.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from zlib import crc32

from ..rules import DOUBTFUL, Rules
from .colours import INK, PAPER, QUIET, ink_on, shade
from .heat import Heat, paint, small_print, warmth
from .pieces import Mark, Outline, Players, Scene, scene
from .places import FRINGE, WIDE_FRINGE, Box, Cell, Layout, full_names, layout
from .writing import cut, percent, wrap

FONT = "Arial, Helvetica, sans-serif"


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
    subtitle: str = "",
    players: Players = None,
    show: Callable[[float], str] = percent,
) -> Picture:
    """Draw the board: warm squares bright, tokens where they stand, houses beside their deeds.

    `heat` is a landing table, or numbers by square id with "in_jail" for the jail; `tokens` are
    ids of squares; `players` a position, or such a dict: `{"Anna": {"square": "go", "deeds":
    {"boardwalk": 2}}}`; `subtitle` is small print, without it what a landing table rests on;
    `show` writes a number.  Raises `RulesError` for squares and deeds that do not exist.

    >>> from boardrules import load
    >>> svg(load("corner_shop"), heat={"corner": 0.25}, tokens="bakery")
    <Picture Corner Shop>
    """
    board = layout(rules)
    warm = warmth(rules, heat)
    painted = paint(rules, heat, show)
    who = scene(rules, tokens, players)
    notes = who.notes()
    title, subtitle = title or rules.title, subtitle or small_print(rules, heat)
    small = subtitle + "." * (subtitle[-1:].isalnum() or subtitle.endswith(")"))
    desc = " ".join(filter(None, (small, _described(rules, board, warm, who, show))))
    drawn = f"{title}{desc}{who}{sorted(warm.items())}"
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
    parts.extend(
        _draw_cell(cell, painted.get(cell.id), notes.get(cell.id, "")) for cell in board.cells
    )
    parts.extend(_draw_panel(rules, board, warm, (title, subtitle), who, show))
    parts.extend(map(_draw_mark, who.marks(board)))
    parts.extend(map(_draw_mark, who.tokens(board)))
    parts.append("</svg>")
    return Picture("\n".join(parts))


def _described(
    rules: Rules,
    board: Layout,
    warm: Mapping[str, float],
    who: Scene,
    show: Callable[[float], str],
) -> str:
    """The picture in words, for those who cannot see it."""
    names = full_names(board)
    words = [f"The board of {rules.title}, {len(rules.squares)} squares."]
    standing = list(zip(who.pieces, who.at, strict=True))
    if lone := [names[square] for piece, square in standing if not piece.name]:
        words.append(f"Token on {', '.join(lone)}.")
    words += [f"{piece.name} on {names[square]}." for piece, square in standing if piece.name]
    words += [f"{names[square]} {note}." for square, note in who.notes().items()]
    if warm:
        most = _most(warm)
        words.append("Most: " + "; ".join(f"{names[k]} {show(warm[k])}" for k in most) + ".")
    return " ".join(words)


def _most(warm: Mapping[str, float], count: int = 5) -> list[str]:
    return sorted(warm, key=lambda key: -warm[key])[:count]


def _draw_cell(cell: Cell, paint_: Mapping[str, str] | None, note: str) -> str:
    fill, ink = (paint_["fill"], paint_["ink"]) if paint_ else (PAPER, INK)
    heat = paint_["text"] if paint_ else ""
    said = ": ".join(part for part in (" ".join((cell.number, cell.name)).strip(), heat) if part)
    said = ", ".join(filter(None, (said, note)))
    parts = [f"<g><title>{_xml(said)}</title>", _rect(cell.box, fill=fill)]
    if stripe := cell.stripe:
        parts.append(_rect(stripe, fill=cell.colour))
        middle = (stripe.x + stripe.width / 2, stripe.y + stripe.height / 2 + 5)
        size = 15 if len(cell.letter) == 1 or cell.flat else 12
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
    titles: tuple[str, str],
    who: Scene,
    show: Callable[[float], str],
) -> Iterable[str]:
    """Title and small print, scale, the warmest squares, who is who, and what must be confessed."""
    room = board.panel
    side, edge = (WIDE_FRINGE + 8, FRINGE + 16) if who.owners else (24.0, 24.0)
    x, y, width = room.x + side, room.y + edge - 4, room.width - 2 * side
    if width < 120:
        return
    title, subtitle = titles
    size = 34.0 if len(wrap(title, width, 34 * 1.07)) <= 2 else 28.0
    for line in wrap(title, width, size * 1.07):  # bold letters are wider
        y += size * 1.1
        yield _text(line, x, y, size, INK, bold=True)
    for line in wrap(subtitle, width, 20):
        y += 26
        yield _text(line, x, y, 20, QUIET)
    low = room.y + room.height - edge + 4
    if rules.caution and rules.weakest() in DOUBTFUL:
        lines = wrap(rules.caution, width, 20)
        low -= 24 * len(lines)
        for k, line in enumerate(lines):
            yield _text(line, x, low + 24 * k + 20, 20, QUIET)
    y += 14
    named = [piece for piece in who.pieces if piece.name]
    for piece, square in zip(who.pieces, who.at, strict=True):
        if piece.name and y + 34 < low - (180 if warm else 0):
            y += 34
            yield _draw_mark(Mark(x + 14, y - 8, piece.shapes()))
            line = f"{piece.name}: {full_names(board)[square]}"
            yield _text(cut(line, width - 36, 24), x + 36, y, 24, INK)
    yield from _draw_scale(board, warm, Box(x, y + 10 * bool(named), width, low - y), show)


def _draw_scale(
    board: Layout, warm: Mapping[str, float], room: Box, show: Callable[[float], str]
) -> Iterable[str]:
    """From cold to warm, and the warmest squares, as many as there is room for."""
    if not warm:
        return
    x, y, low = room.x, room.y + 16, room.y + room.height
    names = full_names(board)
    top = max(warm.values())
    bar = Box(x, y, min(room.width, 420.0), 22)
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
        if y + 32 < low:
            y += 32
            yield _text(cut(line, room.width, 26), x, y, 26, INK)


def _draw_mark(mark: Mark) -> str:
    """Shapes around their place."""
    parts = [f'<g transform="translate({mark.x:.5g} {mark.y:.5g})">']
    for one in mark.shapes:
        if isinstance(one, Outline):
            parts.append(
                f'<path d="{one.path}" fill="{one.fill}" stroke="#000000" '
                f'stroke-width="{one.thick:g}"/>'
            )
        else:
            where = one.x, one.y, one.size, one.ink
            parts.append(_text(one.text, *where, bold=True, anchor="middle"))
    return "".join([*parts, "</g>"])


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
