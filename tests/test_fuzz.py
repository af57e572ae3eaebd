"""Real files, spoilt by chance: a mutant loads and is a sound game, or is a `RulesError`.

Games, overlays and owner's sheets are changed in a few places, with values that turn up in files
of people and of jokers; the command line is given words in any order.  Everything is drawn anew in
the same way on every run, so that a failure here can be seen again anywhere.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from copy import deepcopy
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from boardrules import lab
from boardrules.__main__ import main
from boardrules.chain import chain
from boardrules.files import read_toml
from boardrules.library import data_folder, games, load
from boardrules.rules import Rules, RulesError
from boardrules.sheet import COLUMNS, write
from boardrules.tables import UNITS, landing

GAMES = ("corner_shop", "monopoly", "easy_money", "payday")
OVERLAYS = [
    (game.name, data_folder() / game.name / f"{overlay.name}.toml")
    for game in games()
    for overlay in game.overlays
]

WORDS = (
    *("go", "jail", "park", "market", "corner", "day_31", "bonus", "chance", "letters", "mail"),
    *("bank", "players", "free_parking", "pot", "hat", "card", "dice", "street", "shops", "tax"),
    *("roll", "draw", "collect", "pay", "goto", "move", "nearest", "keep", "use", "place", "x"),
    *("", " ", "A B", "é", "\0", "\x1b[31m", "\u202e", "=1+1", "1/2", "-1/6", "1/0", "a.b[0]"),
)
NUMBERS = (0, 1, 2, 3, 7, -1, 40, 399, 10**9, 10**9 + 1, -(10**30), Fraction(1, 2), Fraction(-1, 3))
ODD = (True, False, float("nan"), float("inf"), None, 1.0, 0.1)

values = st.recursive(
    st.sampled_from([*WORDS, *NUMBERS, *ODD]),
    lambda inside: (
        st.lists(inside, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inside, max_size=3)
    ),
    max_leaves=4,
)


def seriously(examples: int) -> Any:
    """The same mutants on every run; how long one takes is of no concern."""
    quiet = list(HealthCheck)
    return settings(
        max_examples=examples, derandomize=True, deadline=None, suppress_health_check=quiet
    )


@cache
def document(file: Path) -> dict[str, Any]:
    return read_toml(file, file.name)


def game_file(game: str) -> Path:
    return data_folder() / game / "rules.toml"


def places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every key of every table, and every entry of every list, with what it stands in."""
    for key in list(node) if isinstance(node, dict) else range(len(node)):
        yield node, key
        if isinstance(node[key], (dict, list)):
            yield from places(node[key])


@st.composite
def mutants(draw: st.DrawFn, file: Path, change: Any) -> dict[str, Any]:
    """The content of a file, changed in one to three places."""
    made = deepcopy(document(file))
    for _ in range(draw(st.integers(1, 3))):
        change(draw, *draw(st.sampled_from(list(places(made)) or [(made, "squares")])))
    return made


def wildly(draw: st.DrawFn, box: Any, key: Any) -> None:
    """Take out, exchange, rename or double what stands at a place."""
    how = draw(st.sampled_from(("out", "value", "value", "key", "double", "swap")))
    if how == "out":
        del box[key]
    elif how == "value":
        box[key] = draw(values)
    elif isinstance(box, dict):
        other = draw(st.sampled_from([*box, *WORDS]))
        box[other] = box.pop(key) if how == "key" else deepcopy(box[key])
    else:
        other = draw(st.integers(0, len(box) - 1))
        if how == "swap":
            box[key], box[other] = box[other], box[key]
        else:
            box.insert(other, deepcopy(box[key]))


def gently(draw: st.DrawFn, box: Any, key: Any) -> None:
    """Change a number a little, send somewhere else, take out an effect: most such games load."""
    value = box[key]
    if isinstance(value, bool):
        box[key] = not value
    elif isinstance(value, (int, Fraction)):
        box[key] = draw(st.sampled_from((value + 1, value - 1, 2 * value, 0)))
    elif isinstance(value, list) and value and isinstance(value[0], dict) and "id" not in value[0]:
        value.pop(draw(st.integers(0, len(value) - 1)))
    elif key in ("goto", "square", "place", "draw"):
        box[key] = draw(st.sampled_from(WORDS[:10]))
    elif key == "spot" or (key == "kind" and "id" in box):
        box[key] = draw(st.sampled_from(("", "go", "shops")))


def check_refusal(error: RulesError) -> None:
    """All problems, but no more than anybody reads, and nothing that upsets a terminal."""
    assert 1 <= len(error.problems) <= 101
    assert all(sign.isprintable() for line in str(error).split("\n") for sign in line)


def opened(*sources: Any) -> Rules | None:
    """The rules of a mutant, or nothing if it is refused as it ought to be."""
    try:
        rules = load(*sources)
    except RulesError as error:
        check_refusal(error)
        return None
    assert len(rules.index) == len(rules.squares) >= 2
    assert set(rules.grades.values()) <= {"seed", "A", "user", "B", "C", "D", "illustrative"}
    assert write(rules.tree).count("\n") > len(rules.squares)
    return rules


def followed(rules: Rules, unit: Any = "roll") -> bool:
    """Whether a game has a walk; if so, its shares have to sum to one, exactly."""
    try:
        walk = chain(rules)
        table = landing(walk, per=unit)
    except RulesError:
        return False
    assert all(sum(row.values()) == 1 for row in walk.rows())
    assert sum(row.probability for row in table.rows) == 1
    assert all(isinstance(row.probability, Fraction) for row in table.rows)
    assert all(row.probability >= 0 for row in table.rows)
    return True


# ------------------------------------------------------------------------------ the games

units = st.sampled_from(("roll", "turn", "visit"))


@seriously(1200)
@given(st.sampled_from(GAMES).flatmap(lambda game: mutants(game_file(game), wildly)))
def test_a_wild_mutant_of_a_game_loads_or_is_refused(mutant: dict[str, Any]) -> None:
    opened(mutant)


@seriously(800)
@given(st.data())
def test_a_wild_mutant_of_an_overlay_loads_or_is_refused(data: st.DataObject) -> None:
    game, file = data.draw(st.sampled_from(OVERLAYS))
    opened(game, data.draw(mutants(file, wildly)))


def test_a_gentle_mutant_that_loads_has_a_walk_whose_shares_sum_to_one() -> None:
    seen: Counter[str] = Counter()

    @seriously(160)
    @given(st.data())
    def try_one(data: st.DataObject) -> None:
        game = data.draw(st.sampled_from((*GAMES, "corner_shop", "corner_shop")))
        rules = opened(data.draw(mutants(game_file(game), gently)))
        seen["mutants"] += 1
        seen["loaded"] += rules is not None
        seen["walked"] += rules is not None and followed(rules, data.draw(units))

    try_one()
    assert seen["walked"] >= 100, seen


def test_a_gentle_mutant_of_an_overlay_has_a_walk_whose_shares_sum_to_one() -> None:
    seen: Counter[str] = Counter()

    @seriously(25)
    @given(st.data())
    def try_one(data: st.DataObject) -> None:
        game, file = data.draw(st.sampled_from(OVERLAYS))
        rules = opened(game, data.draw(mutants(file, gently)))
        seen["walked"] += rules is not None and followed(rules, data.draw(units))

    try_one()
    assert seen["walked"] >= 12, seen


# ----------------------------------------------------------------------- texts and sheets

SIGNS = ("-1", "0", "true", "nan", "1e9", '"x"', "[]", "{}", "[[", "]]", '"', "=", "\0", "é", "'''")


@seriously(600)
@given(data=st.data())
def test_a_text_with_signs_out_of_place_loads_or_is_refused(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    game, source = data.draw(st.sampled_from([*OVERLAYS, *((g, game_file(g)) for g in GAMES)]))
    text = source.read_text(encoding="utf-8")
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = start + data.draw(st.sampled_from((0, 0, 1, 2, 20)))
        text = text[:start] + data.draw(st.sampled_from(("", *SIGNS))) + text[end:]
    file = tmp_path_factory.getbasetemp() / "mutant.toml"
    file.write_text(text, encoding="utf-8")
    opened(*([file] if source.name == "rules.toml" else [game, file]))


@cache
def fresh(game: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(write(load(game).tree))))


CELLS = (
    *("", "0", "1", "-1", "7", "x", "$5", "5 €", "1e9", "999999999", "-999999999", "9" * 30),
    *("²", "٣", "=1+1", "nan", "TRUE", "1,5", "1.50", "7.00", "\0", "a\nb", "'", "x" * 300),
    *("yes", "square", "card", "goto", "pay", "take", "keep", "deal", "street", "nothing", "tax"),
    *("A B", "\x1b[31m", "\u202e", "go", "bonus", "chance", "mail", "deals", "letters", "bank"),
)


@st.composite
def sheets(draw: st.DrawFn, game: str) -> str:
    """The sheet of a game, filled in by somebody who does not look."""
    rows = [list(row) for row in fresh(game)]
    cells = st.sampled_from(CELLS) | st.sampled_from([row[3] for row in rows])
    for _ in range(draw(st.integers(1, 6))):
        place = draw(st.integers(0, len(rows) - 1))
        row = rows[place]
        how = draw(st.sampled_from(("cell",) * 6 + ("out", "twice", "cut", "more", "new")))
        if how == "cell" and row:
            row[draw(st.integers(0, len(row) - 1))] = draw(cells)
        elif how == "out" and len(rows) > 1:
            del rows[place]
        elif how == "twice":
            rows.insert(draw(st.integers(0, len(rows))), list(row))
        elif how == "cut":
            rows[place] = row[: draw(st.integers(0, len(row)))]
        elif how == "more":
            row.append(draw(cells))
        else:
            kind = draw(st.sampled_from(("square", "card")))
            filled = draw(st.dictionaries(st.sampled_from(COLUMNS[1:]), cells, max_size=5))
            rows.append([kind, *(filled.get(column, "") for column in COLUMNS[1:])])
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=draw(st.sampled_from(",;\t"))).writerows(rows)
    return text.getvalue()


@seriously(500)
@given(data=st.data())
def test_a_sheet_filled_in_at_random_is_taken_or_refused(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    game = data.draw(st.sampled_from(GAMES))
    file = tmp_path_factory.getbasetemp() / "mutant.csv"
    file.write_text(data.draw(sheets(game)), encoding="utf-8", newline="")
    rules = opened(game, file)
    if rules is not None and game == "corner_shop":
        followed(rules)


# ---------------------------------------------------------------------- the command line

COMMANDS = ("landing", "play", "diff", "sheet", "check", "games", "rent", "lab", "tour", "fly")
OPTIONS = (
    *("--per", "--jail", "--format", "--exact", "--turns", "--seed", "--level", "--opponents"),
    *("--help", "--version", "--copy-only", "--folder", "--no-browser", "--fly", "--", "-", "-x"),
)
OPERANDS = (
    *("corner_shop",) * 6,
    *("monopoly", "payday", "easy_money", "monopolly", "bent_coins", "house/no_jail", "no_jail"),
    *UNITS,
    *("leave", "stay", "collins", "mixed:1/3", "mixed:2", "mixed:", "2", "0", "-1", "1/3", "1e9"),
    *("table", "csv", "json", "deed", "hotel", "mine.toml", "gone.toml", "mine.csv", ".", "..", ""),
    *("é", "\u202e", "x" * 300, "a\nb", "%s", "{}", "nan", "9" * 30),
)

single = st.sampled_from(OPERANDS + OPTIONS).map(lambda word: [word])
paired = st.tuples(st.sampled_from(OPTIONS), st.sampled_from(OPERANDS)).map(list)
right = st.sampled_from(
    (["--per", "lap"], ["--jail", "2"], ["--format", "csv"], ["--exact"], ["--turns", "3"])
)
first = st.sampled_from(COMMANDS).map(lambda word: [word]) | st.just([])
game = st.sampled_from((["corner_shop"], ["corner_shop"], []))
arguments = st.builds(
    lambda command, game, rest: [*command, *game, *(word for words in rest for word in words)],
    first,
    game,
    st.lists(single | paired | right, max_size=4),
)


def test_the_command_line_never_ends_in_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(lab, "open_lab", lambda *_, **__: 0)  # a server would never end
    (tmp_path / "mine.toml").write_text('game = "corner_shop"\n[set]\njail.fine = 2\n')
    (tmp_path / "mine.csv").write_text("row,number,amount\nsquare,7,-3\n")
    ends: Counter[int] = Counter()

    @seriously(600)
    @given(arguments)
    def try_one(line: list[str]) -> None:
        assume("tour" not in line[:1] or len(line) > 1)  # a tour takes long, and is tested
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            try:
                status = main(line)
            except SystemExit as ended:
                status = int(str(ended.code))
        assert status in (0, 1, 2), line
        assert "Traceback" not in err.getvalue() + out.getvalue()
        assert (status == 2) == err.getvalue().startswith("usage:")
        if status == 1:
            assert err.getvalue().startswith("boardrules:") or line[0] == "check"
        ends[status] += 1

    try_one()
    assert min(ends[0], ends[1], ends[2]) >= 20, ends
