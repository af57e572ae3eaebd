"""Every chart and widget is among the pictures that are looked at, and the best are kept fresh."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("plotly")
pytest.importorskip("numpy")
pytest.importorskip("playwright")

from pictures import BOARDS, CHARTS, LAB, PICTURES, README, WIDGETS, readme_board

import boardrules
import boardrules.widgets

DRAWN = {"Figure", "Picture"}


def public_functions() -> Iterator[Any]:
    """What the package offers for drawing, by what it says that it returns."""
    for one in pkgutil.walk_packages(boardrules.__path__, "boardrules."):
        if ".data" in one.name or ".widgets" in one.name or one.name.endswith("__main__"):
            continue
        module = importlib.import_module(one.name)
        for name, function in inspect.getmembers(module, inspect.isfunction):
            here = function.__module__ == one.name and not name.startswith("_")
            if here and function.__annotations__.get("return") in DRAWN:
                yield function


def test_every_chart_and_board_of_the_package_has_its_picture() -> None:
    found = set(public_functions())
    assert len(found) > 20, "the search itself is broken"
    missing = found - {shot.shows for shot in (*CHARTS, *BOARDS)}
    assert not missing, f"give {sorted(one.__name__ for one in missing)} a line in pictures.py"


def widget_makers() -> Iterator[str]:
    """The functions that give something to be shown as the last line of a cell."""
    for one in pkgutil.iter_modules(boardrules.widgets.__path__, "boardrules.widgets."):
        module = importlib.import_module(one.name)
        for name, function in inspect.getmembers(module, inspect.isfunction):
            made = getattr(module, str(function.__annotations__.get("return")), None)
            if function.__module__ == one.name and hasattr(made, "_repr_mimebundle_"):
                yield name


def test_every_widget_has_its_picture() -> None:
    made = set(widget_makers())
    assert {"stepper", "film", "quiz", "explorer", "savings", "tallies"} <= made
    cells = " ".join(code for _, code, _ in LAB)
    shown = {shot.shows.__name__ for shot in WIDGETS} | set(re.findall(r"\w+", cells))
    assert made <= shown
    assert {"Board", "Controls"} <= shown


def test_pictures_have_names_of_their_own_that_a_file_may_have() -> None:
    names = [shot.name for shot in (*CHARTS, *BOARDS, *WIDGETS)] + [name for name, _, _ in LAB]
    assert len(names) == len(set(names))
    assert all(re.fullmatch("[a-z0-9_]+", name) for name in names)


def test_the_board_of_the_readme_is_what_the_library_draws_today() -> None:
    kept = (PICTURES / "monopoly_landing.svg").read_text(encoding="utf-8")
    assert kept == f"{readme_board()}\n", "run: python tests/pictures.py --readme"


def test_the_other_pictures_of_the_readme_are_made_by_the_command_and_small() -> None:
    names = {shot.name for shot in (*CHARTS, *WIDGETS)}
    files = {file.name: file for file in PICTURES.iterdir() if file.suffix != ".svg"}
    assert set(files) == {name for name, _ in README}
    assert all(shot in names for _, shot in README)
    for file in files.values():
        assert file.read_bytes().startswith(b"\x89PNG")
        assert file.stat().st_size < 150_000
