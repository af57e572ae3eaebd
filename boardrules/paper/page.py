"""A printable page: one HTML text with its own style for paper, and its small print."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Literal, TypeAlias

from ..library import Source, load
from ..results import Context
from ..rules import Problem, Rules, RulesError, unknown

Size: TypeAlias = Literal["a4", "letter"]

SIZES: Mapping[str, tuple[str, float, float]] = {
    "a4": ("A4", 210.0, 297.0),
    "letter": ("Letter", 215.9, 279.4),
}
"""Sizes of paper: what CSS calls them, and their width and height in millimetres."""

MARGIN = 10.0
"""The white border of a page, in millimetres."""

_NO_TEXT = re.compile("[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def safe(text: object) -> str:
    """A text of a ruleset file as it may stand in a page."""
    return escape(_NO_TEXT.sub("\ufffd", str(text)))


@dataclass(frozen=True, slots=True)
class Sheet:
    """One side of paper: upright or across, with a heading, small print, and what is on it."""

    title: str
    body: str
    small: tuple[str, ...] = ()
    across: bool = False

    def html(self, size: str) -> str:
        """The sheet as a section of a page."""
        kind = "across" if self.across else "upright"
        small = "".join(f"<p class='small'>{safe(line)}</p>" for line in self.small if line)
        return (
            f"<section class='{kind} {size}'><h1>{safe(self.title)}</h1>{self.body}"
            f"<footer>{small}</footer></section>"
        )


@dataclass(frozen=True, slots=True)
class Page:
    """Something to print; notebooks show it, `save` writes the file that a browser prints."""

    title: str
    size: Size
    sheets: tuple[Sheet, ...]

    @property
    def html(self) -> str:
        """The whole page as one HTML text."""
        first = self.sheets[0].across
        return (
            "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>"
            "<meta name='viewport' content='width=device-width'>"
            f"<title>{safe(self.title)}</title>"
            f"<style>{_on_paper(self.size, across=first)}{_STYLE}</style></head>\n"
            f"<body class='boardrules-paper'><main>{self._body}</main></body></html>\n"
        )

    @property
    def _body(self) -> str:
        return "\n".join(sheet.html(self.size) for sheet in self.sheets)

    def save(self, file: str | Path) -> Path:
        """Write the page to a file, and say where."""
        path = Path(file)
        path.write_text(self.html, encoding="utf-8", errors="replace")
        return path

    def __str__(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return f"<Page {self.title}: {len(self.sheets)} on {SIZES[self.size][0]}>"

    def _repr_html_(self) -> str:
        # a notebook has a style of its own for tables, which must give way
        style = _STYLE.replace(".boardrules-paper ", ".boardrules-paper.boardrules-paper ")
        return f"<style>{style}</style><div class='boardrules-paper'>{self._body}</div>"


def together(pages: Sequence[Page]) -> Page:
    """Several pages as one file, printed one after the other."""
    if not pages:
        raise RulesError("paper", [Problem("", "pages", "needs one page at least")])
    sheets = tuple(sheet for page in pages for sheet in page.sheets)
    return Page(pages[0].title, pages[0].size, sheets)


def opened(game: Rules | Source, *overlays: Source) -> Rules:
    """The rules of a game, by whatever names it."""
    if not isinstance(game, Rules):
        return load(game, *overlays)
    if overlays:
        text = "these rules are loaded already; give the overlays to load()"
        raise RulesError(game.label, [Problem("", "", text)])
    return game


def sized(size: str) -> Size:
    """A size of paper, if it is one.

    Raises `RulesError` for any other.
    """
    if size == "a4":
        return "a4"
    if size == "letter":
        return "letter"
    raise RulesError("paper", [Problem("", "size", unknown("size", str(size), SIZES))])


def small_print(about: Context) -> tuple[str, ...]:
    """Unit, policy, overlays, grade and caution; and that names change no number."""
    changes = about.rules.changes
    only_names = changes and all(change.path.endswith(".name") for change in changes)
    note = "the overlays change only names: every number is as without them" if only_names else ""
    _, *small = about.lines
    return tuple(line for line in ("; ".join(small[:2]), *small[2:], note) if line)


def table(head: Sequence[str], rows: Iterable[Sequence[str]], kinds: Sequence[str]) -> str:
    """A table; `kinds` are the classes of its columns: `number`, `name`, `empty`, `wide`."""
    first = "".join(
        f"<th scope='col' class='{kind}'>{safe(cell)}</th>"
        for cell, kind in zip(head, kinds, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(
            f"<td class='{kind}'>{safe(cell)}</td>" for cell, kind in zip(row, kinds, strict=True)
        )
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{first}</tr></thead><tbody>{body}</tbody></table>"


def _on_paper(size: str, *, across: bool) -> str:
    name = SIZES[size][0]
    first = "landscape" if across else "portrait"
    return (
        f"@page {{ size: {name} {first}; margin: {MARGIN:g}mm; }}\n"
        f"@page across {{ size: {name} landscape; margin: {MARGIN:g}mm; }}\n"
        f"@page upright {{ size: {name} portrait; margin: {MARGIN:g}mm; }}\n"
        "body { margin: 0; }\n"
    )


_STYLE = """
.boardrules-paper { color: #000; background: #fff; font: 12pt/1.25 Arial, Helvetica, sans-serif; }
.boardrules-paper section { box-sizing: border-box; background: #fff; color: #000; }
.boardrules-paper section.across { page: across; }
.boardrules-paper section.upright { page: upright; }
.boardrules-paper section + section { break-before: page; }
.boardrules-paper h1 { font-size: 18pt; font-weight: bold; margin: 0 0 2mm; color: #000; }
.boardrules-paper h2 { font-size: 13pt; font-weight: bold; margin: 4mm 0 1.5mm; color: #000; }
.boardrules-paper p { margin: 0 0 2mm; }
.boardrules-paper footer { margin-top: 2mm; }
.boardrules-paper .small { font-size: 9pt; margin: 0; }
.boardrules-paper svg { display: block; width: 100%; height: auto; }
.boardrules-paper .fields { display: flex; gap: 8mm; margin: 0 0 3mm; }
.boardrules-paper .fields span { flex: 1; border-bottom: 1px solid #000; padding-top: 5mm; }
.boardrules-paper .side { display: flex; gap: 6mm; align-items: flex-start; }
.boardrules-paper .side > * { flex: 1 1 0; min-width: 0; }
.boardrules-paper table { border-collapse: collapse; table-layout: auto; width: 100%;
  font-size: inherit; break-inside: auto; color: #000; background: #fff; }
.boardrules-paper tr { break-inside: avoid; }
.boardrules-paper th, .boardrules-paper td { border: 1px solid #000; padding: 0.6mm 1.5mm;
  text-align: left; color: #000; background: #fff; }
.boardrules-paper th { font-size: 10pt; }
.boardrules-paper .number { text-align: right; white-space: nowrap; width: 1%; }
.boardrules-paper .empty { width: 22mm; }
.boardrules-paper .wide { width: 55%; }
.boardrules-paper .dense { font-size: 10pt; }
.boardrules-paper .dense td { padding: 0.35mm 1.2mm; }
.boardrules-paper .roomy td { height: 9.5mm; }
.boardrules-paper .rows { font-size: 10pt; }
.boardrules-paper .rows td { height: 7.2mm; padding: 0 1.5mm; }
.boardrules-paper .rows .name { width: 45%; }
.boardrules-paper .rows .empty { width: 9mm; }
.boardrules-paper .rows .wide { width: auto; }
@media screen { .boardrules-paper section { max-width: 277mm; margin: 0 auto 8mm; padding: 8mm;
  border: 1px solid #999; } .boardrules-paper section.upright { max-width: 190mm; } }
"""
