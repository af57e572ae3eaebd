"""Results as text for a terminal: tables to read, CSV and JSON for other programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from .cells import harmless
from .results import Context


def shown(value: Any) -> str:
    """A cell of a table: fractions as they are, decimals with four places."""
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    return f"{value:.4f}" if isinstance(value, float) else plain(value)


def as_table(head: Sequence[str], body: Sequence[str], note: str = "") -> str:
    """Title and small print, and the lines of the table below them."""
    return "\n".join([*head, *([note] if note else []), "", *body])


def as_rows(rows: Sequence[Mapping[str, Any]], rests: Context, form: str, note: str = "") -> str:
    """Rows as "csv" or "json", with what they rest on."""
    about = {
        "game": rests.rules.id,
        "unit": rests.unit,
        "jail": rests.policy,
        "overlays": " + ".join(rests.rules.overlays),
        "grade": rests.grade,
        "caution": rests.caution,
    }
    told = [{key: exactly(value) for key, value in row.items()} for row in rows]
    if form == "json":
        return json.dumps({**about, "note": note, "rows": told}, indent=2, ensure_ascii=False)
    sheet = io.StringIO()
    writer = csv.writer(sheet, lineterminator="\n")
    writer.writerow([*rows[0], *about])
    for row in told:
        writer.writerow([_cell(value) for value in (*row.values(), *about.values())])
    return sheet.getvalue().removesuffix("\n")


def _cell(value: Any) -> Any:
    return harmless(value) if isinstance(value, str) else value


def exactly(value: Any) -> Any:
    """A fraction as n/d, whole numbers included; anything else as it is."""
    return f"{value.numerator}/{value.denominator}" if isinstance(value, Fraction) else value


def plain(value: Any) -> str:
    """A value of a ruleset as a file would write it, nearly."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {plain(inside)}" for key, inside in value.items()) + " }"
    if isinstance(value, Fraction):
        return str(exactly(value))
    if isinstance(value, list):
        return "[" + ", ".join(map(plain, value)) + "]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)
