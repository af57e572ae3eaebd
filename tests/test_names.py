"""Names in another language are an overlay: what is said changes, no number does."""

from __future__ import annotations

from html import unescape

import pytest
from conftest import chain_of, rules_of

from boardrules.__main__ import main
from boardrules.board import layout, svg
from boardrules.library import games, load
from boardrules.play import fair, play, transcript
from boardrules.results import UNITS, context
from boardrules.tables import income, landing

NAMES = [
    (game.name, overlay.name)
    for game in games()
    for overlay in game.overlays
    if overlay.name.startswith("names/")
]
each = pytest.mark.parametrize(("game", "overlay"), NAMES)


def test_there_are_names_in_five_overlays_at_least() -> None:
    assert len(NAMES) >= 5
    assert {game for game, _ in NAMES} >= {"corner_shop", "monopoly"}


@each
@pytest.mark.parametrize("unit", UNITS)
def test_names_change_no_number_of_a_landing_table(game: str, overlay: str, unit: str) -> None:
    before, after = (landing(chain_of(game, *names), per=unit) for names in ((), (overlay,)))
    assert [(row.id, row.number, row.probability) for row in after.rows] == [
        (row.id, row.number, row.probability) for row in before.rows
    ]


@each
def test_names_change_no_income_and_no_grade(game: str, overlay: str) -> None:
    before, after = (income(chain_of(game, *names)) for names in ((), (overlay,)))
    assert after.rows == before.rows
    assert after.context.grade == before.context.grade
    walks = [context(chain_of(game, *names), "roll") for names in ((), (overlay,))]
    assert walks[0].grade == walks[1].grade
    assert walks[0].caution == walks[1].caution


@each
def test_a_turn_goes_as_before_and_is_told_with_the_other_names(game: str, overlay: str) -> None:
    told = []
    for rules in (rules_of(game), rules_of(game, overlay)):
        moves = list(play(rules, None, fair(7), turns=12))
        told.append(([move.events for move in moves], list(transcript(moves, rules))))
    assert told[0][0] == told[1][0]
    assert told[0][1] != told[1][1]


@each
def test_a_board_with_the_other_names_shows_them_whole(game: str, overlay: str) -> None:
    """No name is cut off with dots, and every word is somewhere on the board."""
    rules = rules_of(game, overlay)
    drawn = unescape(str(svg(rules)))
    for cell in layout(rules).cells:
        assert "…" not in " ".join(cell.lines), cell.name
        assert cell.name in drawn


@each
def test_reports_show_the_names_and_say_that_only_names_differ(
    game: str, overlay: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["landing", game, overlay.rpartition("/")[2]]) == 0
    out = capsys.readouterr().out
    assert "these overlays change only names: every number is as without them" in out
    assert all(square.name in out for square in rules_of(game, overlay).squares)


def test_names_can_be_laid_with_every_other_overlay_of_the_game() -> None:
    """A house rule or an edition with German names is still that house rule."""
    for game in games():
        names = [one.name for one in game.overlays if one.name.startswith("names/")]
        others = [one.name for one in game.overlays if one.name not in names]
        for name in names:
            for other in others:
                together, alone = load(game.name, name, other), load(game.name, other)
                assert together.squares[0].name != alone.squares[0].name
                differ = alone.diff(together)
                assert {change.path.rpartition(".")[2] for change in differ} == {"name"}
