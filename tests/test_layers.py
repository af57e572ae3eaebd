"""The house has floors, and stairs lead only down: who may import whom, and what loads when."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import os
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import boardrules

FLOORS: tuple[set[str], ...] = (
    {"effects", "slope", "lab", "lesson", "decimals", "progress", "cells"},
    {"rules", "events", "twins"},
    {"overlay", "evidence", "board"},
    {"schema", "files", "impossible", "sheet"},
    {"build"},
    {"library"},
    {"turn", "editor"},
    {"chain"},
    {"solve", "play"},
    {"measure", "decks"},
    {"results", "symbolic"},
    {"tables", "why", "printed"},
    {"simulate", "rents", "published"},
    {"money"},
    {"charts", "quick", "variants"},
    {"rent_charts", "money_charts", "side_by_side", "tallies", "paper"},
    {"widgets", "__main__"},
)
"""The rooms of the package, a folder counting as one; each sees only the floors below its own."""

FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}

# fmt: off
PUBLIC = {
    "load", "games", "Rules", "RulesError", "chain", "stationary", "per", "until", "after",
    "spread", "play", "explain", "landing", "rent", "finance", "simulate", "sweep", "compare",
    "rolls", "turns", "laps", "bank", "landings", "lands_on",
    "leave", "stay", "leave_at", "mixed",
}
# fmt: on
"""All names that the package is to offer one day."""

NOT_YET = {"simulate", "sweep"}
"""Those of them that may still be missing."""

FOLDER = Path(boardrules.__file__).parent
FILES = sorted(file for file in FOLDER.rglob("*.py") if "data" not in file.parts)
MODULES = [one.name for one in pkgutil.walk_packages([str(FOLDER)], "boardrules.")]


def name_of(file: Path) -> str:
    """A file as the name of its module, without the package: `rents.deeds`, "" for the package."""
    parts = file.relative_to(FOLDER).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def imported(file: Path) -> Iterator[str]:
    """The modules of the package that a file imports, inside functions and for types as well."""
    package = name_of(file).split(".") if file.stem == "__init__" else name_of(file).split(".")[:-1]
    known = {name_of(one) for one in FILES}
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            above = [part for part in package if part][: len(package) + 1 - node.level]
            base = [*above, *(node.module or "").split(".")]
            whole = ".".join(part for part in base if part)
            names = {".".join(filter(None, (whole, one.name))) for one in node.names} & known
            yield from names or {whole}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("boardrules"):
            yield (node.module or "").removeprefix("boardrules").removeprefix(".")
        elif isinstance(node, ast.Import):
            for one in node.names:
                if one.name.startswith("boardrules"):
                    yield one.name.removeprefix("boardrules").removeprefix(".")


def room(name: str) -> str:
    return name.split(".")[0]


def test_every_room_has_its_floor() -> None:
    assert {room(name_of(file)) for file in FILES} - {""} == set(FLOOR), (
        "a module is new or gone: say on which floor of FLOORS it stands"
    )
    assert sum(map(len, FLOORS)) == len(FLOOR), "one room, one floor"


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_imports_only_go_down(file: Path) -> None:
    here = room(name_of(file))
    for name in imported(file):
        there = room(name)
        if here in ("", there):
            continue  # the front door sees the whole house; inside a room one may walk about
        assert there in FLOOR, f"{here} imports {name or 'the package itself'}"
        assert FLOOR[there] < FLOOR[here], f"{here} must not import {there}"


def test_no_import_goes_in_a_circle() -> None:
    graph = {name_of(file): set(imported(file)) - {""} for file in FILES}
    order = list(TopologicalSorter(graph).static_order())  # raises CycleError if there is one
    assert order.index("effects") < order.index("turn") < order.index("widgets")


def test_the_engine_of_play_never_sees_the_chain_of_answers() -> None:
    # they can only check one another if neither uses the other's results
    seen = set(imported(FOLDER / "play.py"))
    assert not seen & {"measure", "solve", "tables", "symbolic", "simulate"}
    tree = ast.parse((FOLDER / "play.py").read_text(encoding="utf-8"))
    from_chain = {
        name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "chain"
        for name in node.names
    }
    assert from_chain <= {"usual_policy"}


def fresh(code: str) -> str:
    """What some code prints in an interpreter of its own."""
    settings = {**os.environ, "PYTHONPATH": str(FOLDER.parent)}
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=settings
    )
    return ended.stdout


def test_importing_the_package_loads_the_standard_library_only() -> None:
    loaded = fresh(
        "import sys; before = set(sys.modules); import boardrules; "
        "print(*sorted({m.split('.')[0] for m in set(sys.modules) - before}))"
    ).split()
    assert set(loaded) - set(sys.stdlib_module_names) == {"boardrules"}


def test_an_exact_table_loads_neither_pandas_nor_numpy_nor_sympy() -> None:
    loaded = set(
        fresh(
            "import sys; before = set(sys.modules); import boardrules; "
            "boardrules.landing('corner_shop'); "
            "print(*sorted({m.split('.')[0] for m in set(sys.modules) - before}))"
        ).split()
    )
    assert {"pydantic", "flint"} <= loaded
    assert not loaded & {"numpy", "pandas", "scipy", "sympy", "plotly", "ipywidgets", "numba"}


def test_the_public_names_are_those_agreed_on() -> None:
    offered = set(boardrules.__all__)
    assert len(offered) == len(boardrules.__all__), "each once"
    assert offered <= PUBLIC
    assert PUBLIC - offered <= NOT_YET


@pytest.mark.parametrize("name", boardrules.__all__)
def test_every_public_name_has_a_docstring_and_types(name: str) -> None:
    thing = getattr(boardrules, name)
    # a policy is a record: its class tells what it is, its fields say the rest
    told = thing if inspect.isfunction(thing) or inspect.isclass(thing) else type(thing)
    doc = inspect.getdoc(told) or ""
    assert len(doc.split()) >= 4
    assert doc[0].isupper()
    assert doc.split("\n")[0].endswith((".", ":", "?")), "the first line is a sentence"
    if inspect.isfunction(thing):
        signature = inspect.signature(thing)
        assert signature.return_annotation is not signature.empty
        for parameter in signature.parameters.values():
            assert parameter.annotation is not parameter.empty, parameter.name


def test_the_package_says_that_it_is_typed() -> None:
    assert (FOLDER / "py.typed").is_file()


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_the_documentation_are_true(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__doc__
    ended = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert ended.failed == 0


def test_there_are_examples_at_all() -> None:
    finder = doctest.DocTestFinder()
    examples = [
        example
        for name in MODULES
        for test in finder.find(importlib.import_module(name))
        for example in test.examples
    ]
    assert len(examples) >= 3
