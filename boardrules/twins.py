"""Lessons with their solutions, for the teacher: each made from the lesson itself.

An exercise of a lesson is a line `my_name = ...`; what belongs there stands beside it in the cell's
metadata, as a pupil would write it: `{"boardrules": {"answers": {"my_name": "'5/36'"}}}`.  A twin
is the same notebook with the answers filled in, the solutions unfolded and the quizzes solved.

`python -m boardrules.twins` makes all twins anew, in the folder `solutions` beside the lessons.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from .lab import SOLUTIONS, lessons_folder

Notebook: TypeAlias = dict[str, Any]
Cell: TypeAlias = dict[str, Any]

_BLANK = re.compile(r"^(my_\w+) = \.\.\.(?=\s|$)", re.MULTILINE)
_FOLD = re.compile(r"<details>(?=\s*<summary>(?P<summary>.*?)</summary>)", re.DOTALL)
_TITLE = re.compile(r"# .*")


def source(cell: Cell) -> str:
    """What stands in a cell."""
    return "".join(cell["source"])


def blanks(cell: Cell) -> tuple[str, ...]:
    """The names that a pupil has to fill in."""
    return tuple(_BLANK.findall(source(cell))) if cell["cell_type"] == "code" else ()


def answers(cell: Cell) -> Mapping[str, str]:
    """What belongs into the blanks of a cell: pieces of Python by name."""
    found = cell["metadata"].get("boardrules", {}).get("answers", {})
    return {str(name): str(answer) for name, answer in found.items()}


def solved(cell: Cell) -> Cell:
    """A cell with its answers filled in, its quiz solved, or its solution unfolded."""
    text = source(cell)
    if cell["cell_type"] == "markdown":
        text = _FOLD.sub(_unfolded, text)
    elif cell["cell_type"] == "code":
        known = answers(cell)
        text = _BLANK.sub(lambda blank: f"{blank[1]} = {known.get(blank[1], '...')}", text)
        text = _with_quiz_solved(text)
    metadata = {key: value for key, value in cell["metadata"].items() if key != "boardrules"}
    return {**cell, "metadata": metadata, "source": text.splitlines(keepends=True)}


def twin(lesson: Notebook, name: str) -> Notebook:
    """The twin of the lesson in the file `name`: the same with its solutions."""
    first, *others = map(solved, lesson["cells"])
    told = f"*With solutions, made from `{name}` by `python -m boardrules.twins`.*"
    text = _TITLE.sub(lambda title: f"{title[0]}\n\n{told}", source(first), count=1)
    first["source"] = text.splitlines(keepends=True)
    return {**lesson, "cells": [first, *others]}


def problems(lesson: Notebook) -> Iterator[str]:
    """What keeps a lesson from having a twin: blanks without answers, answers without blanks."""
    for cell in lesson["cells"]:
        wanted, known = set(blanks(cell)), set(answers(cell))
        yield from (f"cell {cell['id']}: {one} has no answer" for one in sorted(wanted - known))
        yield from (f"cell {cell['id']}: no blank {one}" for one in sorted(known - wanted))


def lessons(folder: Path) -> list[Path]:
    """The lessons of a folder, in their order."""
    return sorted(folder.glob("*.ipynb"))


def read(file: Path) -> Notebook:
    """A notebook as plain data."""
    found: Notebook = json.loads(file.read_text(encoding="utf-8"))
    return found


def written(notebook: Notebook) -> str:
    """A notebook as the text of its file."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the twins of all lessons in a folder; 1 if a lesson lacks an answer."""
    given = sys.argv[1:] if arguments is None else arguments
    folder = Path(given[0]) if given else lessons_folder()
    wrong = [f"{file.name}, {one}" for file in lessons(folder) for one in problems(read(file))]
    if wrong:
        sys.stderr.write("\n".join([*wrong, ""]))
        return 1
    target = folder / SOLUTIONS
    target.mkdir(exist_ok=True)
    for file in lessons(folder):
        text = written(twin(read(file), file.name))
        (target / file.name).write_text(text, encoding="utf-8", newline="\n")
    for stale in {file.name for file in lessons(target)} - {file.name for file in lessons(folder)}:
        (target / stale).unlink()
    return 0


def _unfolded(fold: re.Match[str]) -> str:
    """Solutions are shown at once; the page for the teacher stays folded."""
    return fold[0] if "teacher" in fold["summary"].casefold() else "<details open>"


def _with_quiz_solved(text: str) -> str:
    """A cell that ends in a quiz shows it with its right answer."""
    body = ast.parse(text).body
    match body[-1] if body else None:
        case ast.Expr(value=ast.Call(func=ast.Name(id="quiz"))):
            return f"{text.rstrip()}.solved()"
    return text


if __name__ == "__main__":
    sys.exit(main())
