"""What tests of charts look for in a figure: its head, all its texts, the size of its letters."""

from __future__ import annotations

from html import unescape
from typing import Any


def head(figure: Any) -> str:
    """Title and small print, in one line."""
    return unescape(figure.layout.title.text.replace("<br>", " "))


def strings(node: Any) -> list[str]:
    """Every text anywhere in a figure."""
    if isinstance(node, str):
        return [node]
    inside = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    return [text for one in inside for text in strings(one)]


def sizes(node: Any) -> list[float]:
    """The size of every font in a figure."""
    found: list[float] = []
    if isinstance(node, dict):
        for key, value in node.items():
            if key.endswith("font") and isinstance(value, dict) and "size" in value:
                found.append(value["size"])
            found.extend(sizes(value))
    if isinstance(node, list | tuple):
        found += [size for one in node for size in sizes(one)]
    return found
