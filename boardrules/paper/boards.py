"""Boards in black on white: to play on, to shade, to invent one's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..board import Box, Cell, Layout, full_names, layout, percent, ring, text_width, warmth, wrap
from ..decimals import Decimal, checked, shown_with
from ..library import Source
from ..results import Context
from ..rules import Problem, Rules, RulesError
from ..tables import Landing, landing
from ..turn import Policy
from .page import Page, Sheet, opened, safe, sized, small_print

FEWEST, MOST = 8, 60
"""So many squares a blank board may have."""

_HATCHES = (
    "",
    "M0 8L8 0M-2 2L2 -2M6 10L10 6",
    "M0 0L8 8M-2 6L2 10M6 -2L10 2",
    "M0 4H8",
    "M4 0V8",
    "M0 8L8 0M0 0L8 8",
    "M0 4H8M4 0V8",
    "M3 3h2v2h-2z",
    "M0 2H8M0 6H8",
    "M2 0V8M6 0V8",
)
"""Patterns of eight by eight for the groups of deeds, told apart without any colour."""

_FONT = "Arial, Helvetica, sans-serif"


def board_page(
    game: Rules | Source,
    *overlays: Source,
    heat: bool = False,
    per: str = "roll",
    policy: Policy | None = None,
    size: str = "a4",
    decimal: Decimal = ".",
) -> Page:
    """The board on one sheet of paper, across.

    Groups of deeds have a hatching and a letter.  With `heat` each square shows its share of all
    rolls (or turns, by `per`) and is the darker the more often it is visited; then unit and policy
    stand below.
    """
    paper, checked_ = sized(size), checked(decimal)
    rules = opened(game, *overlays)
    if heat:
        found = landing(rules, per=per, policy=policy, number=float)
        small: tuple[str, ...] = small_print(found.context)
        title = f"{rules.title}: {_HEATED.get(per, 'where tokens stop')}"
    else:
        found, title = None, rules.title
        small = _without_numbers(rules)
    body = _drawn(rules, found, checked_)
    return Page(title, paper, (Sheet(title, body, small, across=True),))


_HEATED = {
    "roll": "where a roll ends, of all rolls",
    "turn": "where a turn ends, of all turns",
    "visit": "where tokens stop, of all stops",
}


def _without_numbers(rules: Rules) -> tuple[str, ...]:
    """What a board without numbers rests on."""
    overlays = ", ".join(rules.overlays) or "none"
    about = Context(rules, "roll", "")
    return tuple(filter(None, (f"overlays: {overlays}; evidence: {about.grade}", about.caution)))


def _drawn(rules: Rules, found: Landing[float] | None, decimal: Decimal) -> str:
    board = layout(rules)
    per_lap = found is not None and found.context.unit == "lap"
    show = shown_with(decimal, "{:.2f}".format if per_lap else percent)
    warm = warmth(rules, found)
    top = max(warm.values(), default=1.0)
    hatches = _hatches(cell.letter for cell in board.cells if cell.letter)
    parts = [*_patterns(hatches.values()), *_track(board.track)]
    for cell in board.cells:
        share = warm.get(cell.id)
        ground = _grey(share / top) if share else "#ffffff"
        parts += _cell(cell, ground, show(share) if share else "", hatches)
    return _svg(board, parts, [*_panel(rules, board, warm, show)], f"The board of {rules.title}")


def _hatches(letters: Iterable[str]) -> dict[str, int]:
    return {letter: k % len(_HATCHES) for k, letter in enumerate(dict.fromkeys(letters))}


def _patterns(used: Iterable[int]) -> Iterator[str]:
    for k in sorted(set(used)):
        yield (
            f"<pattern id='hatch-{k}' width='8' height='8' patternUnits='userSpaceOnUse'>"
            f"<rect width='8' height='8' fill='#ffffff'/>"
            f"<path d='{_HATCHES[k]}' stroke='#000000' stroke-width='1.4' fill='none'/></pattern>"
        )


def _grey(share: float) -> str:
    """The darker the more often; black letters stay readable on the darkest (10 to 1)."""
    level = round(255 - 80 * min(max(share, 0.0), 1.0))
    return f"#{level:02x}{level:02x}{level:02x}"


def _cell(cell: Cell, ground: str, heat: str, hatches: Mapping[str, int]) -> list[str]:
    parts = [_rect(cell.box, ground)]
    if (stripe := cell.stripe) is not None:
        parts.append(_rect(stripe, f"url(#hatch-{hatches[cell.letter]})", 1.2))
        x, y = stripe.x + stripe.width / 2, stripe.y + stripe.height / 2
        wide = text_width(cell.letter, 16) + 8
        parts.append(_rect(Box(x - wide / 2, y - 8.5, wide, 17), "#ffffff", 0))
        parts.append(_text(cell.letter, x, y + 5.5, 16, anchor="middle", bold=True))
    for (x, y), line in zip(cell.text_at, cell.lines, strict=True):
        parts.append(_text(line, x, y, cell.size))
    if heat:
        parts.append(_text(heat, *cell.heat_at, bold=True))
    if cell.number:
        parts.append(_text(cell.number, *cell.number_at, anchor="end"))
    return parts


def _panel(rules: Rules, board: Layout, warm: Mapping[str, float], show: object) -> Iterator[str]:
    """Whose letters are whose, and with numbers the squares visited most."""
    room = board.panel
    x, y, wide = room.x + 30, room.y + 34, room.width - 60
    if wide < 120:
        return
    assert callable(show)
    for line in wrap(rules.title, wide, 34):
        y += 36
        yield _text(line, x, y, 34, bold=True)
    low = room.y + room.height - 30
    if warm:
        y += 30
        yield _text("The darker, the more often.", x, y, 20)
        names = full_names(board)
        most = sorted(warm, key=lambda key: -warm[key])[:5]
        for place, key in enumerate(most, start=1):
            if y + 32 < low:
                y += 32
                yield _text(f"{place}.  {names[key]}: {show(warm[key])}", x, y, 24)
        return
    groups: dict[str, str] = {}
    for square, cell in zip(rules.squares, board.cells, strict=False):
        if square.deed and cell.letter:
            groups.setdefault(cell.letter, square.deed.group or square.deed.kind)
    told = ",  ".join(f"{letter} {name.replace('_', ' ')}" for letter, name in groups.items())
    for line in wrap(told, wide, 22):
        if y + 30 < low:
            y += 30
            yield _text(line, x, y, 22)


def blank_page(squares: int | Rules | Source = 24, *, size: str = "a4") -> Page:
    """An empty board for a game of one's own: a ring of numbered squares and lines to write on.

    `squares` is how many, 8 to 60, or a game that has as many.
    """
    paper = sized(size)
    count = squares if isinstance(squares, int) else len(opened(squares).squares)
    if isinstance(squares, bool) or not FEWEST <= count <= MOST:
        text = f"a blank board has {FEWEST} to {MOST} squares, not {count!r}"
        raise RulesError("blank_page", [Problem("", "squares", text)])
    places = ring(count)
    parts = [*_track(places.track)]
    for place, box in enumerate(places.boxes):
        parts.append(_rect(box, "#ffffff"))
        parts.append(_text(str(place), box.x + box.width - 4, box.y + box.height - 5, 15, "end"))
    board = Layout(places.width, places.height, (), places.track, places.panel)
    body = _svg(board, parts, [*_lines(places.panel)], f"An empty board of {count} squares")
    title = "A board of our own"
    small = ("Number 0 is the start; move clockwise.",)
    return Page(title, paper, (Sheet(title, body, small, across=True),))


def _lines(room: Box) -> Iterator[str]:
    asks = ("The game is called", "Dice", "Whoever passes the start gets", "Special squares", "",
            "Cards", "", "How it ends")  # fmt: skip
    step = (room.height - 60) / len(asks)
    for k, ask in enumerate(asks, start=1):
        y = room.y + 24 + k * step
        begin = room.x + 40 + (text_width(ask, 22) + 10 if ask else 0)
        if ask:
            yield _text(ask, room.x + 40, y, 22)
        yield (
            f"<path d='M{begin:.1f} {y + 3:.1f}H{room.x + room.width - 40:.1f}' "
            "stroke='#000000' stroke-width='1.2'/>"
        )


# -------------------------------------------------------------------------------- drawing


def _track(track: Box | None) -> Iterator[str]:
    if track:
        yield _rect(track, "none", 6, "#999999")


def _svg(board: Layout, parts: Sequence[str], panel: Sequence[str], label: str) -> str:
    size = f"{board.width + 4:g} {board.height + 4:g}"
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='-2 -2 {size}' role='img' "
        f"aria-label='{safe(label)}' font-family='{_FONT}'>{''.join((*parts, *panel))}</svg>"
    )


def _rect(box: Box, fill: str, thick: float = 1.5, ink: str = "#000000") -> str:
    return (
        f"<rect x='{box.x:.2f}' y='{box.y:.2f}' width='{box.width:.2f}' height='{box.height:.2f}' "
        f"fill='{fill}' stroke='{ink}' stroke-width='{thick:g}'/>"
    )


def _text(
    text: str, x: float, y: float, size: float, anchor: str = "start", *, bold: bool = False
) -> str:
    weight = " font-weight='bold'" if bold else ""
    return (
        f"<text x='{x:.2f}' y='{y:.2f}' font-size='{size:g}' text-anchor='{anchor}'{weight}>"
        f"{safe(text)}</text>"
    )
