"""Who stands where and owns what: tokens, marks of owners, houses and hotels, as simple shapes.

Every player has a shape and a letter besides a colour, and everything has a white and a black
ring, so that it can be told apart on any ground, in grey, and with any kind of colour vision.  The
same shapes are drawn in the still picture and in the widget.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import cos, pi, sin
from typing import Any, TypeAlias

from ..rules import IN_JAIL, Problem, Rules, RulesError, unknown
from .colours import INK, OKABE_ITO, PAPER, ink_on
from .places import TOKEN, Cell, Layout, letter_for
from .writing import cut

COLOURS = tuple(OKABE_ITO[name] for name in ("red", "light_blue", "yellow", "green", "pink"))
HOTEL, MORTGAGED = "hotel", "mortgaged"
MOST_PLAYERS = 20
MOST_HOUSES = 99
LONGEST_NAME = 60
"""Longer names of players are cut off here."""

Players: TypeAlias = Any
"""Players by name, each with `square` and `deeds`; a position of `boardrules.rents`; a `Scene`."""

_CORNERS = {"square": (4, pi / 4), "diamond": (4, 0.0), "triangle": (3, -pi / 2),
            "hexagon": (6, 0.0), "shield": (3, pi / 2)}  # fmt: skip
SHAPES = ("circle", *_CORNERS)

# -------------------------------------------------------------------------------- shapes


@dataclass(frozen=True, slots=True)
class Outline:
    """A closed line with a filling; `thick` is how thick the black line is."""

    path: str
    fill: str
    thick: float


@dataclass(frozen=True, slots=True)
class Word:
    """A few letters in the middle of a mark."""

    text: str
    x: float
    y: float
    size: float
    ink: str


@dataclass(frozen=True, slots=True)
class Mark:
    """Some shapes drawn around one place of the board."""

    x: float
    y: float
    shapes: tuple[Outline | Word, ...]

    def drawing(self) -> dict[str, Any]:
        """The same as plain data."""
        return {"at": [round(self.x, 2), round(self.y, 2)], "shapes": plain(self.shapes)}


def plain(shapes: Iterable[Outline | Word]) -> list[dict[str, Any]]:
    """Shapes as plain data, for whoever draws them elsewhere."""
    return [
        {"d": one.path, "fill": one.fill, "thick": one.thick}
        if isinstance(one, Outline)
        else {"text": one.text, "x": one.x, "y": one.y, "size": one.size, "ink": one.ink}
        for one in shapes
    ]


def _outline(shape: str, radius: float) -> str:
    """A shape around the middle, about as large as a circle of this radius."""
    if shape not in _CORNERS:
        r = f"{radius:g}"
        return f"M-{r} 0A{r} {r} 0 1 1 {r} 0A{r} {r} 0 1 1 -{r} 0Z"
    count, first = _CORNERS[shape]
    reach = radius * {3: 1.36, 4: 1.2, 6: 1.1}[count]
    drop = {"triangle": 0.22, "shield": -0.22}.get(shape, 0.0) * radius
    corners = (first + 2 * pi * k / count for k in range(count))
    points = (f"{reach * cos(turn):.2f} {reach * sin(turn) + drop:.2f}" for turn in corners)
    return f"M{'L'.join(points)}Z"


@dataclass(frozen=True, slots=True)
class Piece:
    """The token of a player: a shape, a letter and a colour; a lone token needs no letter."""

    name: str
    letter: str = ""
    shape: str = "circle"
    colour: str = COLOURS[0]

    def shapes(self, radius: float = TOKEN) -> tuple[Outline | Word, ...]:
        """The token, around its middle."""
        inner = radius - (4 if self.letter else 5)
        drawn: list[Outline | Word] = [
            Outline(_outline(self.shape, radius), PAPER, 2.5),
            Outline(_outline(self.shape, inner), self.colour, 1.5),
        ]
        if self.letter:
            size = radius if len(self.letter) == 1 else 0.75 * radius
            drawn.append(Word(self.letter, 0, round(0.36 * size, 2), size, ink_on(self.colour)))
        return tuple(drawn)


def pieces_for(names: Sequence[str]) -> tuple[Piece, ...]:
    """A piece for each player, no two with the same letter, neighbours unlike in everything."""
    taken: set[str] = set()
    made = []
    for place, name in enumerate(names):
        letter = letter_for(name, taken)
        taken.add(letter)
        shape, colour = SHAPES[place % len(SHAPES)], COLOURS[place % len(COLOURS)]
        made.append(Piece(name[:LONGEST_NAME], letter, shape, colour))
    return tuple(made)


_HOUSE = "M-6 7L-6 -1L0 -8L6 -1L6 7Z"
_HOTEL = "M-13 8L-13 -3L-7 -9L7 -9L13 -3L13 8Z"


def _built(level: str) -> list[tuple[float, tuple[Outline | Word, ...]]]:
    """What stands on a deed: how wide each thing is, and its shapes."""
    green, red = OKABE_ITO["green"], OKABE_ITO["red"]
    if level == HOTEL:
        return [(28, (Outline(_HOTEL, red, 1.5), Word("H", 0, 6, 14, INK)))]
    if level == MORTGAGED:
        return [(22, (Outline(_outline("square", 9), PAPER, 1.5), Word("M", 0, 5, 13, INK)))]
    count = int(level)
    house = (Outline(_HOUSE, green, 1.5),)
    if count <= 4:
        return [(14, house)] * count
    return [(14, house), (22, (Word(f"×{count}", 2, 6, 16, INK),))]


# --------------------------------------------------------------------------------- a game


@dataclass(frozen=True, slots=True)
class Scene:
    """Where everybody stands, and who owns what.

    `at` are the squares of the pieces, in their order; `owners` the place of each deed's owner
    among them; `built` says "1" to "99" houses, "hotel" or "mortgaged" of the deeds where there
    is something to say.
    """

    pieces: tuple[Piece, ...] = ()
    at: tuple[str, ...] = ()
    owners: Mapping[str, int] = field(default_factory=dict)
    built: Mapping[str, str] = field(default_factory=dict)

    def marks(self, board: Layout) -> tuple[Mark, ...]:
        """The owners' signs and what they have built, along the inner edge of the board."""
        cells = {cell.id: cell for cell in board.cells}
        found: list[Mark] = []
        for square, owner in self.owners.items():
            found.extend(_along(cells[square], self.pieces[owner], self.built.get(square, "0")))
        return tuple(found)

    def notes(self) -> dict[str, str]:
        """What there is to say about each deed: `belongs to Anna, 3 houses`."""
        return {
            square: ", ".join(filter(None, (f"belongs to {self.pieces[owner].name}",
                                            _said(self.built.get(square, "0")))))
            for square, owner in self.owners.items()
        }  # fmt: skip

    def tokens(self, board: Layout) -> tuple[Mark, ...]:
        """The tokens where they stand; those that share a square stand in a row."""
        cells = {cell.id: cell for cell in board.cells}
        spots = spread(cells, self.at)
        return tuple(
            Mark(*spot, piece.shapes()) for piece, spot in zip(self.pieces, spots, strict=True)
        )


def _said(level: str) -> str:
    if level in (HOTEL, MORTGAGED):
        return level
    return "" if level == "0" else f"{level} house{'s' if level != '1' else ''}"


def spread(cells: Mapping[str, Cell], at: Sequence[str]) -> list[tuple[float, float]]:
    """The middles of tokens that stand on these squares, side by side where they share one."""
    spots = []
    for place, square in enumerate(at):
        x, y = cells[square].token_at
        room = cells[square].box.width - 2 * TOKEN - 8
        step = min(2 * TOKEN - 4, room / max(at.count(square) - 1, 1))
        spots.append((x - step * at[:place].count(square), y))
    return spots


def _along(cell: Cell, piece: Piece, level: str) -> list[Mark]:
    x, y, way = cell.beside
    marks = [Mark(x, y, piece.shapes(11))]
    x += way * 13
    things = _built(level)
    if len(things) > 2 and not cell.flat:  # in two rows, so that the middle stays free
        spots = [(x + way * (9 + 14 * (k // 2)), y + (8 if k % 2 else -8)) for k in range(4)]
        return [
            *marks,
            *(Mark(*at, shapes) for at, (_, shapes) in zip(spots, things, strict=False)),
        ]
    for wide, shapes in things:
        marks.append(Mark(x + way * (2 + wide / 2), y, shapes))
        x += way * wide
    return marks


def scene(rules: Rules, tokens: str | Iterable[str] = (), players: Players = None) -> Scene:
    """Some tokens without names, or players with their deeds, as a scene on this board.

    A scene is taken as it is, and alone.
    Raises `RulesError`, with all problems at once, for squares and deeds that do not exist, deeds
    with two owners, and levels that are none.
    """
    if isinstance(players, Scene):
        return players
    standing = (tokens,) if isinstance(tokens, str) else tuple(tokens)
    problems: list[Problem] = []
    pieces: tuple[Piece, ...] = ()
    if standing:
        colours = (COLOURS[place % len(COLOURS)] for place in range(len(standing)))
        pieces = tuple(Piece("", colour=colour) for colour in colours)
        problems += _strangers(rules, {square: square for square in standing})
    owners: dict[str, int] = {}
    built: dict[str, str] = {}
    if players is not None:
        table = _table(players, problems)
        first = len(pieces)
        pieces += pieces_for(list(table))
        standing += tuple(_place(rules, name, one, problems) for name, one in table.items())
        for place, (name, one) in enumerate(table.items(), start=first):
            for deed, level in _deeds(one, name, problems).items():
                problems += _misheld(rules, name, deed, owners)
                owners[deed] = place
                told = _level(name, deed, level, problems)
                if told in (HOTEL, MORTGAGED) or (told != "0" and _street(rules, deed)):
                    built[deed] = told
    if problems:
        raise RulesError(rules.label, problems)
    return Scene(pieces, standing, owners, built)


def _strangers(rules: Rules, squares: Mapping[str, str]) -> list[Problem]:
    known = [*rules.index, *([IN_JAIL] if rules.jail else [])]
    return [Problem("", path, unknown("square", str(square), known))
            for path, square in squares.items() if square not in known]  # fmt: skip


def _table(players: Players, problems: list[Problem]) -> dict[str, Mapping[str, Any]]:
    """Players by name, from a dict, or from a position that has been checked already."""
    if isinstance(players, Mapping):
        found = players.get("players", players)
    else:
        found = {
            one.name: {"square": one.square, "jailed": one.jailed, "deeds": one.deeds}
            for one in getattr(players, "players", ())
        }
    if not isinstance(found, Mapping) or not 1 <= len(found) <= MOST_PLAYERS:
        problems.append(Problem("", "players", f"needs 1 to {MOST_PLAYERS} players by name"))
        return {}
    bad = [str(name) for name, one in found.items() if not isinstance(one, Mapping)]
    problems += [Problem("", name, "needs a table with square and deeds") for name in bad]
    return {} if bad else {str(name): one for name, one in found.items()}


def _place(rules: Rules, name: str, one: Mapping[str, Any], problems: list[Problem]) -> str:
    square = IN_JAIL if one.get("jailed") else one.get("square", rules.start.square)
    problems += _strangers(rules, {f"{name}.square": square})
    return str(square)


def _deeds(one: Mapping[str, Any], name: str, problems: list[Problem]) -> Mapping[str, Any]:
    deeds = one.get("deeds", {})
    if isinstance(deeds, (list, tuple)):
        return dict.fromkeys(map(str, deeds), 0)
    if isinstance(deeds, Mapping):
        return {str(deed): level for deed, level in deeds.items()}
    text = "needs a list of deeds, or deeds with levels"
    problems.append(Problem("", f"{name}.deeds", text))
    return {}


def _misheld(rules: Rules, name: str, deed: str, owners: Mapping[str, int]) -> list[Problem]:
    known = [square.id for square in rules.squares if square.deed]
    if deed not in known:
        return [Problem("", f"{name}.deeds.{deed}", unknown("deed", deed, known))]
    if deed in owners:
        return [Problem("", f"{name}.deeds.{deed}", "belongs to somebody else already")]
    return []


def _street(rules: Rules, deed: str) -> bool:
    """Whether one builds on it; the levels of railroads only count how many are owned."""
    index = rules.index.get(deed)
    square = rules.squares[index] if index is not None else None
    deed_ = square.deed if square is not None else None
    return deed_ is not None and (deed_.kind == "street" or deed_.house is not None)


def _level(name: str, deed: str, level: Any, problems: list[Problem]) -> str:
    if level in ("deed", "set", "", None):
        return "0"
    text = str(level)[:20]
    whole = text.isascii() and text.isdigit() and int(text) <= MOST_HOUSES
    if text in (HOTEL, MORTGAGED) or (whole and not isinstance(level, bool)):
        return text
    said = f"needs 0 to {MOST_HOUSES} houses, 'hotel' or 'mortgaged', not {cut(repr(level), 20, 1)}"
    problems.append(Problem("", f"{name}.deeds.{deed}", said))
    return "0"
