"""The colours of the board, told apart by everybody, and what can be written on them."""

from __future__ import annotations

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
