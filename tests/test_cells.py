"""Results as text for other programs: what a spreadsheet must not run, and what stays a number."""

from __future__ import annotations

import pytest

from boardrules.cells import harmless


@pytest.mark.parametrize(
    "name", ["=1+1", "-5+cmd|' /C calc'!A0", "-2-3", "-1,5", "+3", "@sum", "-", "\t=1"]
)
def test_a_name_that_begins_like_a_formula_is_text(name: str) -> None:
    """A name may begin like a number too: `-5+…` is run by a spreadsheet all the same."""
    assert harmless(name) == f"'{name}"


@pytest.mark.parametrize("cell", ["-5", "-3/4", "-0.25", "-1e-05", "Go", ""])
def test_numbers_and_plain_names_stay_as_they_are(cell: str) -> None:
    assert harmless(cell) == cell
