"""The shelf: games and overlays by name, by path, as dicts, and where a number comes from."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from boardrules.effects import Collect, Pay
from boardrules.library import data_folder, games, load, open_file
from boardrules.rules import GRADES, RulesError

OVERLAYS = [(game.name, overlay) for game in games() for overlay in game.overlays]

RING: dict[str, Any] = {
    "format": 1,
    "title": "Ring",
    "dice": {"count": 1, "sides": 2},
    "squares": [{"id": "home", "passing": [{"collect": 5}]}, {"id": "shop"}, {"id": "park"}],
}


# ----------------------------------------------------------------------- the shelf itself


def test_four_games_lie_on_the_shelf() -> None:
    assert [game.name for game in games()] == ["corner_shop", "easy_money", "monopoly", "payday"]


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_every_game_says_what_it_is_in_one_line(game: Any) -> None:
    assert game.title
    assert game.description
    assert "\n" not in game.description


@pytest.mark.parametrize(("game", "overlay"), OVERLAYS, ids=lambda one: getattr(one, "name", one))
def test_every_overlay_says_what_it_does_in_one_line(game: str, overlay: Any) -> None:
    assert overlay.title
    assert overlay.description
    assert "\n" not in overlay.description


@pytest.mark.parametrize("file", sorted(data_folder().rglob("*.toml")), ids=lambda f: f.name)
def test_every_file_carries_its_source_and_its_grade(file: Path) -> None:
    document = tomllib.loads(file.read_text(encoding="utf-8"))
    assert document["source"]
    assert document["grade"] in GRADES


def test_every_overlay_file_is_listed() -> None:
    files = {
        (file.parts[-3], f"{file.parent.name}/{file.stem}")
        for file in data_folder().glob("*/*/*.toml")
    }
    assert files == {(game, overlay.name) for game, overlay in OVERLAYS}


@pytest.mark.parametrize(("game", "overlay"), OVERLAYS, ids=lambda one: getattr(one, "name", one))
def test_every_overlay_changes_something(game: str, overlay: Any) -> None:
    rules = load(game, overlay.name)
    assert rules.overlays[-1] == overlay.name or overlay.name in rules.overlays
    assert rules.changes
    assert load(game).diff(rules)


# ---------------------------------------------------------------------- ways to open one


def test_a_game_opens_by_its_name() -> None:
    rules = load("monopoly")
    assert (rules.id, rules.title, len(rules.squares)) == ("monopoly", "Monopoly", 40)
    assert rules.name == "monopoly"


def test_an_overlay_opens_by_its_full_name_or_by_its_short_one() -> None:
    long, short = load("monopoly", "house/double_go"), load("monopoly", "double_go")
    assert long.name == short.name == "monopoly + house/double_go"
    assert long.diff(short) == ()


def test_a_short_name_in_two_folders_is_asked_back(tmp_path: Path) -> None:
    shelf_of(tmp_path, {"house/same": "", "readings/same": "", "house/other": ""})
    with pytest.raises(RulesError) as caught:
        load(tmp_path / "rules.toml", "same")
    assert caught.value.problems[0].text == (
        "overlay 'same' is not unique; which one: readings/same or house/same?"
    )
    assert load(tmp_path / "rules.toml", "house/same").overlays == ("house/same",)


def test_a_misspelt_overlay_is_answered_with_the_nearest() -> None:
    with pytest.raises(RulesError) as caught:
        load("monopoly", "duoble_go")
    assert caught.value.problems[0].text == (
        "no such overlay for monopoly 'duoble_go'; did you mean 'double_go'?"
    )


def test_a_game_and_an_overlay_open_from_files(tmp_path: Path) -> None:
    game, sheet = tmp_path / "ring.toml", tmp_path / "rich.toml"
    game.write_text(RING_TOML)
    sheet.write_text('game = "ring"\n[set]\n"squares.home.passing[0].collect" = 50\n')
    rules = load(str(game), sheet)
    assert rules.name == "ring + rich"
    assert rules.squares[0].passing == (Collect(50, cause="home"),)


def test_a_game_and_an_overlay_open_from_dicts() -> None:
    rules = load(RING, {"set": {"squares.home.passing[0].collect": 50}})
    assert rules.name == "your game + overlay"
    assert rules.squares[0].passing == (Collect(50, cause="home"),)
    assert RING["squares"][0] == {"id": "home", "passing": [{"collect": 5}]}, "left as it was"


def test_a_game_in_a_folder_of_its_own_has_a_shelf_of_its_own(tmp_path: Path) -> None:
    shelf_of(tmp_path, {"house/rich": '[set]\n"squares.home.passing[0].collect" = 50'})
    rules = load(tmp_path / "rules.toml", "rich")
    assert rules.overlays == ("house/rich",)
    assert rules.squares[0].passing == (Collect(50, cause="home"),)


def test_open_file_tells_a_game_from_an_overlay(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text(RING_TOML)
    assert open_file(file).title == "Ring"
    file.write_text('game = "payday"\n[set]\nstart.cash = 7\n')
    assert open_file(file).start.cash == 7


# ------------------------------------------------------------------- what a sheet needs


def test_an_overlay_brings_the_sheets_that_it_needs() -> None:
    rules = load("monopoly", "free_parking_pot_500")
    assert rules.overlays == ("house/free_parking_pot", "house/free_parking_pot_500")
    assert rules.pots["free_parking"].start == 500
    again = load("monopoly", "free_parking_pot", "free_parking_pot_500")
    assert again.diff(rules) == ()


def test_needs_can_go_in_a_ring(tmp_path: Path) -> None:
    shelf_of(tmp_path, {"house/one": "", "house/two": ""}, needs={"one": "two", "two": "one"})
    assert load(tmp_path / "rules.toml", "one").overlays == ("house/one", "house/two")


@pytest.mark.parametrize(
    "path", ["../secret", "../../secret.toml", "/etc/passwd", "house/../../secret", "secret", "?"]
)
def test_what_a_sheet_needs_never_leaves_the_shelf(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "game"
    shelf_of(folder, {"house/one": ""}, needs={"one": path})
    for place in (tmp_path, folder, folder / "house"):
        for name in ("secret", "secret.toml", "?"):
            (place / name).write_text('game = "rules"\n[set]\nstart.cash = 99\n')
    monkeypatch.chdir(folder)
    with pytest.raises(RulesError) as caught:
        load(folder / "rules.toml", "one")
    (problem,) = caught.value.problems
    assert (problem.file, problem.path) == ("one.toml", "needs[0]")
    assert problem.text.startswith(f"no such overlay {path!r}")


def test_a_game_that_is_named_inside_a_file_never_leaves_the_shelf(tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text(RING_TOML)
    file = tmp_path / "sheet.toml"
    for name in ("../../etc", "rules.toml", str(tmp_path / "rules.toml"), "./payday", ""):
        file.write_text(f'game = "{name}"\n')
        with pytest.raises(RulesError, match=r"sheet\.toml  game  no such game"):
            open_file(file)


# ------------------------------------------------------------------- what a ruleset says


def test_ids_names_and_numbers_come_in_board_order() -> None:
    rules = load("easy_money")
    assert [square.number for square in rules.squares] == list(range(1, 49))
    assert rules.squares[0].id == "bonus"
    assert rules.square("bonus").name == "Bonus"
    nameless = load(RING)
    assert [square.name for square in nameless.squares] == ["Home", "Shop", "Park"]


def test_a_square_that_is_not_there_is_answered_with_the_nearest() -> None:
    with pytest.raises(RulesError, match=r"no such square 'ilinois'; did you mean 'illinois'\?"):
        load("monopoly").square("ilinois")


def test_decimals_and_fractions_are_read_exactly(tmp_path: Path) -> None:
    file = tmp_path / "ring.toml"
    file.write_text(RING_TOML.replace("sides = 2", 'faces = { 1 = 0.1, 2 = "1/3" }'))
    assert load(file).dice.faces == ((1, Fraction(1, 10)), (2, Fraction(1, 3)))
    assert type(load("payday").accounts.savings_rate) is Fraction
    assert load("payday").accounts.savings_rate == Fraction(1, 10)


def test_every_effect_knows_what_caused_it() -> None:
    rules = load("monopoly")
    assert rules.square("luxury_tax").landing == (Pay(75, tag="tax", cause="luxury_tax"),)
    school = next(card for card in rules.decks["community_chest"].cards if card.id == "school")
    assert school.effects == (Pay(150, tag="fine", cause="community_chest.school"),)


def test_a_ruleset_shows_itself_in_one_line() -> None:
    assert repr(load("payday")) == "<Rules payday: 32 squares, evidence D>"
    assert repr(load("corner_shop", "no_jail")) == (
        "<Rules corner_shop + house/no_jail: 8 squares, evidence seed>"
    )
    assert "Illustrative board" in load("easy_money")._repr_html_()


# ------------------------------------------------------------------------- provenance


def test_a_grade_is_that_of_the_file_the_row_or_the_field() -> None:
    easy = load("easy_money")
    assert easy.grade_of("squares.street_a.deed") == "illustrative", "the file as a whole"
    assert easy.grade_of("dice.count") == "seed", "the table"
    assert easy.grade_of("squares.bonus.name") == "seed", "the field"
    assert easy.grade_of("squares.bonus.passing") == "seed"
    assert easy.grade_of("squares.radio_program_contest.landing") == "illustrative"


def test_what_an_overlay_sets_has_the_grade_of_the_overlay() -> None:
    rules = load("monopoly", "editions/2008")
    assert load("monopoly").grade_of("squares.luxury_tax.landing[0].pay") == "A"
    assert rules.grade_of("squares.luxury_tax.landing[0].pay") == "B"
    assert rules.grade_of("squares.go.passing") == "A"


def test_a_list_that_is_set_gives_its_grade_to_what_is_in_it() -> None:
    rules = load("corner_shop").but({"squares.market.landing": [{"pay": 3}]})
    assert rules.grade_of("squares.market.landing") == "user"
    assert rules.grade_of("squares.market.landing[0].pay") == "user"


def test_sheets_in_memory_keep_their_own_grades() -> None:
    fine = {"grade": "B", "set": {"jail.fine": 7}}
    cash = {"grade": "D", "set": {"start.cash": 7}}
    rules = load("corner_shop", fine, cash)
    assert (rules.grade_of("jail.fine"), rules.grade_of("start.cash")) == ("B", "D")


def test_what_is_changed_in_memory_is_the_users_own() -> None:
    rules = load("monopoly").but({"jail.fine": 100})
    assert rules.grade_of("jail.fine") == "user"
    assert rules.grade_of("jail.attempts") == "A"


def test_the_weakest_grade_decides() -> None:
    assert load("monopoly").weakest() == "A"
    assert load("monopoly", "double_go").weakest() == "B"
    assert load("corner_shop").weakest() == "seed"
    assert load("corner_shop").but({"jail.fine": 1}).weakest() == "user"
    assert load("payday").weakest() == "D", "four of the mail cards are placeholders"
    assert load("easy_money").weakest() == "illustrative"


# ------------------------------------------------------------------------------ helpers

RING_TOML = """\
format = 1
title = "Ring"
[dice]
count = 1
sides = 2
[[squares]]
id = "home"
passing = [{ collect = 5 }]
[[squares]]
id = "shop"
[[squares]]
id = "park"
"""


def shelf_of(folder: Path, sheets: dict[str, str], *, needs: dict[str, str] | None = None) -> None:
    """Write a small game called rules into a folder, with overlays beside it."""
    folder.mkdir(exist_ok=True)
    (folder / "rules.toml").write_text(RING_TOML)
    for name, text in sheets.items():
        file = folder / f"{name}.toml"
        file.parent.mkdir(exist_ok=True)
        need = (needs or {}).get(file.stem)
        path = need if need is None or need not in ("one", "two") else f"house/{need}"
        line = f'needs = ["{path}"]\n' if path else ""
        file.write_text(f'game = "rules"\n{line}{text}\n')


def test_what_is_misspelt_is_told_in_the_same_round_as_what_is_malformed(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        'game = "monopoly"\ntitel = "Mine"\n[set]\njail.fines = 3\n'
        'squares.go.landing = [{ draw = "chanse" }]\nsquares.baltic.landing = [{ colect = 1 }]\n'
    )
    with pytest.raises(RulesError) as caught:
        load("monopoly", file)
    told = str(caught.value)
    for words in (
        "titel",
        "did you mean jail.fine?",
        "'chanse'; did you mean 'chance'?",
        "'colect'",
    ):
        assert words in told
