"""Names and numbers as they fit into a small square: broken into lines, shortened, or cut."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

SHORTER = {
    "Avenue": "Ave.", "Railroad": "R.R.", "Community": "Comm.", "Company": "Co.",
    "Telephone": "Tel.", "Navigation": "Nav.", "Interurban": "Interurb.",
    "Associated": "Assoc.", "Pennsylvania": "Penns.", "Mediterranean": "Mediterr.",
    "Gemeinschaftsfeld": "Gem.-Feld", "Einkommensteuer": "Eink.-Steuer",
}  # fmt: skip
"""Long words that stand on many boards, as they are shortened where room is short."""

LARGE = (22.0, 20.0, 19.0, 18.0, 17.0, 16.0, 15.0, 14.0)
MIDDLE = (19.0, 18.0, 17.0, 16.0, 15.0, 14.0)
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
    return tuple(cut(line, width, 12.0) for line in kept), 12.0


def wrap(text: str, width: float, size: float) -> tuple[str, ...]:
    """Text in lines, broken between words; a long word keeps a line of its own."""
    lines: list[str] = []
    for word in text.split():
        if lines and text_width(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return tuple(lines)


def cut(line: str, width: float, size: float) -> str:
    """A line that ends in three dots where it would be too long."""
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
