"""The lessons as files, and the helper that looks at pupils' answers.

That every cell runs is tested by nbval, and what answers are right in `test_twins.py`; here are the
things that these do not see.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from boardrules.lesson import check

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
NOTEBOOKS = sorted([*FOLDER.glob("*.ipynb"), *FOLDER.glob("solutions/*.ipynb")])

# a path from the root of somebody's disk: not a URL, not the end of a tag, not a fraction
ABSOLUTE = re.compile(r"(?<![\w.:/<])/(?:[\w.-]+/)+[\w.-]+|\b[A-Z]:\\\w")
OBJECTIVES = re.compile(r"objectives|you will be able|in this lesson you will", re.IGNORECASE)


def read(file: Path) -> dict[str, Any]:
    return json.loads(file.read_text(encoding="utf-8"))


def source(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def of(kind: str, notebook: dict[str, Any]) -> list[str]:
    return [source(cell) for cell in notebook["cells"] if cell["cell_type"] == kind]


lessons = pytest.mark.parametrize(
    "file", NOTEBOOKS, ids=lambda file: file.relative_to(FOLDER).with_suffix("").as_posix()
)


def test_the_lessons_and_their_twins_are_found():
    assert len(NOTEBOOKS) >= 6
    assert FOLDER / "solutions" / "02_where_you_land.ipynb" in NOTEBOOKS


@lessons
def test_a_lesson_is_a_valid_notebook(file):
    nbformat = pytest.importorskip("nbformat")
    nbformat.validate(nbformat.read(file, as_version=4))


@lessons
def test_a_lesson_runs_on_any_python(file):
    kernel = read(file)["metadata"]["kernelspec"]
    assert (kernel["name"], kernel["language"]) == ("python3", "python")


@lessons
def test_a_lesson_is_small_and_holds_no_widget_state(file):
    assert file.stat().st_size < 200_000
    notebook = read(file)
    assert "widgets" not in notebook["metadata"]
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            kinds = set(output.get("data", {}))
            assert not any("widget" in kind or "plotly" in kind for kind in kinds)


@lessons
def test_a_lesson_names_no_place_on_anybodys_disk(file):
    notebook = read(file)
    for cell in notebook["cells"]:
        shown = json.dumps(cell.get("outputs", []), ensure_ascii=False)
        for text in (source(cell), shown):
            found = ABSOLUTE.search(text)
            assert found is None, found


def test_places_on_a_disk_are_told_from_addresses_tags_and_fractions():
    for path in ("open('/home/me/board.toml')", "see /var/lib/x", r"C:\Users\me"):
        assert ABSOLUTE.search(path)
    for text in ("https://example.org/a/b", "</details>", "5/36", "house/double_go", "a // b / c"):
        assert not ABSOLUTE.search(text)


@lessons
def test_a_lesson_starts_with_a_title_and_its_objectives(file):
    first = read(file)["cells"][0]
    assert first["cell_type"] == "markdown"
    assert re.match(r"# \S", source(first))
    opening = "\n".join(source(cell) for cell in read(file)["cells"][:3])
    assert OBJECTIVES.search(opening)


@lessons
def test_a_lesson_takes_45_minutes_and_ends_with_a_page_for_the_teacher(file):
    cells = of("markdown", read(file))
    assert "45 minutes" in cells[0]
    page = cells[-1].casefold()
    assert "for the teacher" in page
    for told in ("age", "timing", "common mistakes", "board", "needs|must know", "min|timing"):
        assert re.search(told, page), told


@lessons
def test_a_lesson_opens_every_fold_that_it_closes(file):
    text = "\n".join(of("markdown", read(file)))
    assert (
        len(re.findall("<details( open)?>", text))
        == text.count("</details>")
        == text.count("<summary>")
    )


@lessons
def test_every_cell_of_a_lesson_has_its_own_id(file):
    ids = [cell["id"] for cell in read(file)["cells"]]
    assert len(set(ids)) == len(ids)


# ----------------------------------------------------------------------- looking at answers

CHANCE = Fraction(5, 36)  # 0.13888…


@pytest.mark.parametrize(
    "answer",
    [
        CHANCE,
        5 / 36,
        "5/36",
        " 10 / 72 ",
        "5:36",
        "5 of 36",
        0.139,
        "0,139",
        ".1389",
        Decimal("0.14"),
        "13.9 %",
        "13,89%",
        "14 %",
    ],
)
def test_a_right_number_is_right_however_it_is_written(answer):
    assert check(answer, CHANCE)


@pytest.mark.parametrize(
    "answer", [0.138, 0.1399, "13.8 %", "0,15", "6/36", 0, 1, 0.13888, -0.139, "13.9", 0.1]
)
def test_a_number_that_is_not_right_is_not_taken_for_right(answer):
    assert not check(answer, CHANCE)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (13.9, "the number in percent; write '13.9 %' or 0.139"),
        (0.1, "one digit more"),
        (Fraction(31, 36), "does not happen"),
        (0.86, "does not happen"),
        (5, "between 0 and 1"),
        (Fraction(1, 36), "too small"),
        (0.5, "too large"),
    ],
)
def test_a_wrong_number_is_told_in_which_way_it_is_wrong(answer, said):
    assert said in str(check(answer, CHANCE))


def test_a_ratio_turned_round_is_noticed():
    assert "upside down" in str(check(Fraction(2, 5), Fraction(5, 2)))


@pytest.mark.parametrize("answer", [..., None, "", "…", " ... "])
def test_no_answer_is_an_open_question_and_not_a_wrong_one(answer):
    reply = check(answer, CHANCE, "count the ways")
    assert reply.verdict == "open"
    assert not reply
    assert "count" not in str(reply)  # the hint is for those who have tried


class Unspeakable:
    def __str__(self) -> str:
        raise ValueError


@pytest.mark.parametrize(
    "answer",
    [
        "abc",
        "1/0",
        "1/2/3",
        "--1",
        "9" * 5000,
        "1e999999999",
        float("nan"),
        float("inf"),
        Decimal("NaN"),
        True,
        [1],
        {},
        object(),
        Unspeakable(),
        print,
        b"\xff",
    ],
    ids=lambda answer: type(answer).__name__,
)
@pytest.mark.parametrize("expected", [CHANCE, 7, "Illinois Avenue", "Chance 1"])
def test_no_answer_whatsoever_raises(answer, expected):
    reply = check(answer, expected, "think of dice")
    assert not reply
    assert str(reply).endswith("Hint: think of dice")


def test_a_hint_is_kept_for_those_who_need_it():
    assert "count" not in str(check("5/36", CHANCE, "count the ways"))
    assert str(check("1/36", CHANCE, "count the ways")).endswith("Hint: count the ways")


@pytest.mark.parametrize(
    "answer",
    ["Illinois Avenue", "illinois avenue", "Ilinois  Avenue", "ILLINOIS", "Illinois Avenu"],
)
def test_a_name_with_a_slip_of_spelling_is_right(answer):
    assert check(answer, "Illinois Avenue")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Indiana Avenue", "Illinois Avenue"),
        ("Pennsylvania Avenue", "Pennsylvania Railroad"),
        ("Chance 2", "Chance 1"),
        ("Chance", "Chance 1"),
        ("turn", "roll"),
    ],
)
def test_another_name_is_not_a_slip_of_spelling(answer, expected):
    assert not check(answer, expected)


def test_a_hint_is_escaped_in_html():
    html = check("1/36", CHANCE, "<b>&</b>")._repr_html_()
    assert "&lt;b&gt;&amp;&lt;/b&gt;" in html
