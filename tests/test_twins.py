"""Lessons with solutions are made from the lessons: no drift, no blank without a right answer."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from boardrules import twins

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
LESSONS = twins.lessons(FOLDER)
OPEN = "… Put your answer in place of the three dots."

lessons = pytest.mark.parametrize("file", LESSONS, ids=lambda file: file.stem)


def cell(text: str, kind: str = "code", **answers: str) -> dict[str, Any]:
    metadata = {"boardrules": {"answers": answers}} if answers else {}
    return {"cell_type": kind, "id": "one", "metadata": metadata, "source": text.splitlines(True)}


def solved(text: str, kind: str = "code", **answers: str) -> str:
    return twins.source(twins.solved(cell(text, kind, **answers)))


# ----------------------------------------------------------------------- how a twin is made


def test_an_answer_takes_the_place_of_the_three_dots_and_nothing_else_changes():
    text = "my_half = ...    # one digit\nmy_word = ...\nprint(my_half, ...)"
    wanted = "my_half = 0.5    # one digit\nmy_word = 'x'\nprint(my_half, ...)"
    assert solved(text, my_half="0.5", my_word="'x'") == wanted


def test_a_blank_is_a_line_of_its_own_with_nothing_but_three_dots():
    text = "my_one = ...\nmy_two = ....real\n  my_three = ...\nyour_four = ...\nmy_five = ... # ?"
    assert twins.blanks(cell(text)) == ("my_one", "my_five")


def test_text_for_reading_has_no_blanks():
    assert twins.blanks(cell("my_one = ...", "markdown")) == ()
    assert solved("my_one = ...", "markdown", my_one="1") == "my_one = ..."


def test_solutions_are_unfolded_and_the_page_for_the_teacher_is_not():
    text = "<details><summary>Solution</summary>\n6\n</details>\n"
    teacher = "<details><summary><b>For the teacher</b></summary>\nAge 13\n</details>"
    wanted = text.replace("<details>", "<details open>") + teacher
    assert solved(text + teacher, "markdown") == wanted


def test_a_quiz_at_the_end_of_a_cell_is_shown_solved():
    assert solved("x = 6\nquiz('?', x)\n") == "x = 6\nquiz('?', x).solved()"
    for other in (
        "quiz",
        "board(quiz('?', 6))",
        "one = quiz('?', 6)",
        "quiz('?', 6); print(1)",
        "",
    ):
        assert solved(other) == other


def test_a_twin_says_on_top_what_it_is_and_carries_no_hidden_answers():
    lesson = {"cells": [cell("# Dice\n\nTwo.", "markdown"), cell("my_x = ...", my_x="6")]}
    made = twins.twin(lesson, "dice.ipynb")
    top = twins.source(made["cells"][0])
    assert top.startswith("# Dice\n\n*With solutions, made from `dice.ipynb`")
    assert top.endswith("\n\nTwo.")
    assert "answers" not in json.dumps(made)
    assert twins.blanks(lesson["cells"][1]) == ("my_x",), "the lesson is left as it was"


def test_a_blank_without_an_answer_and_an_answer_without_a_blank_are_told():
    lesson = {"cells": [cell("my_x = ...", my_y="6"), cell("my_z = ...", my_z="1")]}
    assert list(twins.problems(lesson)) == [
        "cell one: my_x has no answer",
        "cell one: no blank my_y",
    ]


def test_a_folder_gets_its_twins_and_loses_those_without_a_lesson(tmp_path, capsys):
    lesson = {"cells": [cell("# Dice", "markdown"), cell("my_x = ...", my_x="6")]}
    (tmp_path / "dice.ipynb").write_text(twins.written(lesson))
    (tmp_path / "solutions").mkdir()
    (tmp_path / "solutions" / "cards.ipynb").write_text("{}")
    assert twins.main([str(tmp_path)]) == 0
    assert [file.name for file in twins.lessons(tmp_path / "solutions")] == ["dice.ipynb"]

    lesson["cells"][1]["metadata"] = {}
    (tmp_path / "dice.ipynb").write_text(twins.written(lesson))
    assert twins.main([str(tmp_path)]) == 1
    assert capsys.readouterr().err == "dice.ipynb, cell one: my_x has no answer\n"


# -------------------------------------------------------------------------- the twins we have


def test_every_lesson_has_its_twin_and_every_twin_its_lesson():
    names = [file.name for file in LESSONS]
    assert len(names) >= 3
    assert [file.name for file in twins.lessons(FOLDER / "solutions")] == names


@lessons
def test_a_twin_is_what_its_lesson_makes_of_it(file):
    lesson = twins.read(file)
    assert list(twins.problems(lesson)) == []
    there = (FOLDER / "solutions" / file.name).read_text(encoding="utf-8")
    assert there == twins.written(twins.twin(lesson, file.name)), "python -m boardrules.twins"


def checks_in(text: str) -> int:
    """How many answers the code of a cell looks at."""
    called = (node.func for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))
    return sum(isinstance(name, ast.Name) and name.id == "check" for name in called)


def run(text: str, space: dict[str, Any]) -> Any:
    """Run a cell as far as it needs no notebook; the value of its last line, if it has one."""
    body = ast.parse(text)
    last = body.body.pop() if body.body and isinstance(body.body[-1], ast.Expr) else None
    exec(compile(body, "a cell", "exec"), space)
    return eval(compile(ast.Expression(last.value), "a cell", "eval"), space) if last else None


@lessons
def test_an_unanswered_cell_asks_for_answers_and_the_answers_are_taken_for_right(
    file: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    space: dict[str, Any] = {}
    for one in twins.read(file)["cells"]:
        if one["cell_type"] != "code":
            continue
        text, answered = twins.source(one), twins.source(twins.solved(one))
        if answered == text:
            run(text, space)
            capsys.readouterr()
            continue
        count = checks_in(text)
        only_guesses = len(ast.parse(text).body) == len(twins.blanks(one))
        assert count or only_guesses or answered.endswith(".solved()"), "who looks at the answers?"
        run(text, space)
        assert signs(capsys.readouterr().out) == [OPEN[0]] * count, f"unanswered {one['id']}"
        shown = run(answered, space)
        assert signs(capsys.readouterr().out) == ["✓"] * count, f"answered {one['id']}"
        if answered.endswith(".solved()"):
            assert " is right" in shown.message


def signs(printed: str) -> list[str]:
    """The signs at the beginning of what `check` said."""
    return [line[0] for line in printed.splitlines() if line[:1] in {*"✓≈✗…"}]
