"""The board as a picture: where every square stands, and a still drawing of it.

Squares in a ring are drawn as a ring, whatever their number; days that end at a stop are drawn as
a calendar, a week in a row.  `places` says where things stand, `writing` how names fit, `heat` and
`colours` what shines, `pieces` who stands where and owns what; `picture` draws it all.  The same
places and shapes serve the widget.
"""

from ..rules import IN_JAIL
from .colours import CIVIDIS, NEUTRAL, OKABE_ITO, contrast, ink_on, shade
from .heat import Heat, paint, small_print, warmth
from .picture import Picture, svg
from .pieces import Piece, Players, Scene, pieces_for, plain, scene
from .places import TOKEN, Box, Cell, Layout, full_names, groups, layout, ring, weeks
from .writing import fit, percent, text_width, wrap

__all__ = [
    "CIVIDIS",
    "IN_JAIL",
    "NEUTRAL",
    "OKABE_ITO",
    "TOKEN",
    "Box",
    "Cell",
    "Heat",
    "Layout",
    "Picture",
    "Piece",
    "Players",
    "Scene",
    "contrast",
    "fit",
    "full_names",
    "groups",
    "ink_on",
    "layout",
    "paint",
    "percent",
    "pieces_for",
    "plain",
    "ring",
    "scene",
    "shade",
    "small_print",
    "svg",
    "text_width",
    "warmth",
    "weeks",
    "wrap",
]
