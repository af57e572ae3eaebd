"""What can be slid in a ruleset, and that an exported overlay makes exactly the same rules."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from conftest import rules_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boardrules.library import games, load
from boardrules.rules import Rules, RulesError
from boardrules.variants import HIGHEST, as_python, as_toml, knob, knobs, turned
from boardrules.variants import settings as told

GAMES = tuple(game.name for game in games())
PAIRS = [(game.name, entry.name) for game in games() for entry in game.overlays]
SAME = tuple(
    one.name
    for one in fields(Rules)
    if one.name not in ("overlays", "tree", "grades", "changes", "_remake")
)
"""What makes a game; how it came about, which overlays tell, is left out."""


def same(rules: Rules, others: Rules) -> bool:
    return all(getattr(rules, name) == getattr(others, name) for name in SAME)


def run(code: str) -> Rules:
    """The rules that some exported lines make."""
    names: dict[str, Any] = {}
    exec(code, names)
    made: Rules = names["rules"]
    return made


def values(rules: Rules, one: Any) -> st.SearchStrategy[Any]:
    """Values of a knob, as a slider gives them."""
    if one.whole:
        return st.integers(int(one.low), int(one.high))
    steps = int((one.high - one.low) / one.step)
    return st.integers(0, steps).map(lambda step: float(one.low + step * one.step))


@st.composite
def variants(draw: Any) -> tuple[Rules, dict[str, Any]]:
    """Rules from the shelf with some overlays, and values for some of their knobs."""
    game = draw(st.sampled_from(games()))
    names = draw(
        st.lists(st.sampled_from([one.name for one in game.overlays]), max_size=2, unique=True)
    )
    try:
        rules = rules_of(game.name, *names)
    except RulesError:
        rules = rules_of(game.name)
    some = draw(st.lists(st.sampled_from(knobs(rules)), max_size=5, unique_by=lambda one: one.name))
    return rules, {one.name: draw(values(rules, one)) for one in some}


@settings(max_examples=60, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(variants())
def test_what_is_exported_makes_exactly_the_same_rules(
    tmp_path_factory: pytest.TempPathFactory, variant: tuple[Rules, dict[str, Any]]
) -> None:
    rules, chosen = variant
    try:
        changed = turned(rules, chosen)
    except RulesError:
        return  # rules that are none: a deal that costs more than it brings
    file = tmp_path_factory.mktemp("mine") / "mine.toml"
    file.write_text(as_toml(rules, chosen), encoding="utf-8")
    assert same(load(rules.id, file), changed)
    assert same(run(as_python(rules, chosen)), changed)


@pytest.mark.parametrize("game", GAMES)
def test_every_knob_can_be_turned_alone_and_changes_the_rules(game: str) -> None:
    rules = rules_of(game)
    for one in knobs(rules):
        value = one.value + one.step if one.value + one.step <= one.high else one.value - one.step
        try:
            changed = turned(rules, {one.name: value})
        except RulesError as error:
            # what a deal costs must stay below what it is worth; nothing else may refuse
            assert ".deal." in one.name, error  # noqa: PT017
            continue
        factor_of_little = one.kind == "factor" and not rules.diff(changed)
        assert rules.diff(changed) or factor_of_little, one.name
        assert turned(rules, {one.name: one.value}) is rules


@pytest.mark.parametrize(("game", "overlay"), PAIRS)
def test_under_every_overlay_each_knob_really_moves_what_it_names(game: str, overlay: str) -> None:
    rules = rules_of(game, overlay)
    places = {".".join(change.path.split(".")[:2]) for change in rules.changes}
    near = [one for one in knobs(rules) if ".".join(one.name.split(".")[:2]) in places]
    for one in [one for one in near if one.kind == "money" and ".deal." not in one.name][:25]:
        value = int(one.high) if one.value != one.high else int(one.low)
        changed = turned(rules, {one.name: value})
        assert knob(changed, one.name).value == value
        moved = {change.path for change in rules.diff(changed)}
        assert len(moved) == 1, f"{one.name} moves {moved}, and nothing of the overlay is lost"


@pytest.mark.parametrize("game", GAMES)
def test_the_numbers_that_a_class_asks_for_come_first(game: str) -> None:
    first = knobs(rules_of(game))[:2]
    wanted = {
        "monopoly": ["squares.go.passing[0].collect", "jail.fine"],
        "easy_money": ["squares.bonus.passing[0].collect"],
        "payday": ["squares.day_31.landing[0].collect"],
        "corner_shop": ["squares.corner.passing[0].collect", "jail.fine"],
    }[game]
    assert [one.name for one in first][: len(wanted)] == wanted


def test_a_value_lies_in_its_range_and_on_its_steps() -> None:
    for game in GAMES:
        every = knobs(rules_of(game))
        assert len({one.name for one in every}) == len(every)
        for one in every:
            assert one.low <= one.value <= one.high
            assert one.low < one.high
            assert (one.value - one.low) % one.step == 0 or one.kind == "weight"
            assert one.label.strip()


def test_rents_go_by_factors_that_multiply() -> None:
    rules = rules_of("corner_shop")
    changed = turned(rules, {"rents": 200, "rents.shops": 150, "rents.deeds.bakery": 50})
    deeds = {square.id: square.deed.rent for square in changed.squares if square.deed}
    assert deeds == {"bakery": (3, 8, 14), "book_shop": (9, 21, 36), "toy_shop": (12, 27, 45)}
    houses = turned(rules, {"houses": 150, "squares.bakery.deed.house": 10})
    assert [s.deed.house for s in houses.squares if s.deed] == [15, 12, 12]


def test_the_highest_face_has_a_weight_and_the_others_keep_theirs() -> None:
    dice = turned(rules_of("monopoly"), {HIGHEST: 2.5}).dice
    assert dict(dice.faces) == {**dict.fromkeys(range(1, 6), 1), 6: Fraction(5, 2)}
    eight = turned(rules_of("monopoly"), {HIGHEST: 3, "dice.sides": 8}).dice
    assert dict(eight.faces) == {**dict.fromkeys(range(1, 8), 1), 8: 3}
    loaded = turned(rules_of("monopoly", "loaded_dice"), {HIGHEST: 4}).dice
    assert dict(loaded.faces)[6] == 4


def test_decimals_are_read_exactly_as_they_are_written() -> None:
    assert told(rules_of("monopoly"), {"mortgage.interest": 7})["mortgage.interest"] == Fraction(
        7, 100
    )
    assert told(rules_of("monopoly"), {HIGHEST: 0.3})["dice.faces.6"] == Fraction(3, 10)


def test_whatever_cannot_be_turned_is_told_at_once() -> None:
    with pytest.raises(RulesError) as error:
        turned(rules_of("monopoly"), {"jail.fines": 3, "jail.attempts": 99, "jail.fine": "much"})
    text = str(error.value)
    assert "3 problems" in text
    assert "did you mean 'jail.fine'" in text
    assert "from 1 to 6" in text
    with pytest.raises(RulesError, match=r"did you mean 'jail\.fine'"):
        knob(rules_of("monopoly"), "jail.fines")


def test_what_an_overlay_has_added_is_no_knob_since_nothing_could_reach_it() -> None:
    names = {one.name for one in knobs(rules_of("monopoly", "double_go"))}
    assert "squares.go.passing[0].collect" in names
    assert "squares.go.landing[0].collect" not in names


def test_changes_made_in_memory_before_are_exported_as_well(tmp_path: Path) -> None:
    rules = rules_of("monopoly", "double_go").but({"jail.fine": 75})
    file = tmp_path / "mine.toml"
    file.write_text(as_toml(rules, {"jail.attempts": 5}), encoding="utf-8")
    again = load("monopoly", file)
    assert (again.jail.fine, again.jail.attempts) == (75, 5)
    assert same(again, turned(rules, {"jail.attempts": 5}))
    assert same(run(as_python(rules, {"jail.attempts": 5})), again)


def test_overlays_that_do_not_lie_on_the_shelf_are_named_in_a_comment(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('game = "monopoly"\n[set]\njail.fine = 80\n', encoding="utf-8")
    text = as_toml(load("monopoly", "double_go", mine), {"jail.attempts": 5}, "A <title>\n")
    assert text.splitlines()[0] == "# to be laid over monopoly + mine"
    assert 'needs = ["house/double_go"]' in text
