"""The command line, called as a user calls it: what it prints, and how it ends."""

import csv
import io
import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from boardrules import chain, games, landing, load
from boardrules.__main__ import main

ROOT = Path(__file__).resolve().parents[1]


def run(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "boardrules", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**__import__("os").environ, "PYTHONIOENCODING": "utf-8"},
        cwd=cwd,
        timeout=60,
        check=False,
    )


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command prints, in this process."""
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_games_lists_every_game_and_overlay_with_its_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = said(capsys, "games")
    for game in games():
        assert f"{game.title}. {game.description}" in out
        for overlay in game.overlays:
            assert overlay.name in out
            assert overlay.description in out


def test_a_landing_table_as_csv_has_all_digits(capsys: pytest.CaptureFixture[str]) -> None:
    table = rows(said(capsys, "landing", "monopoly", "--format", "csv"))
    ours = landing(chain(load("monopoly"), number=float))
    assert [row["name"] for row in table][10::30] == ["Just Visiting", "In Jail"]
    assert [row["square"] for row in table] == [str(number) for number in range(41)]
    assert [float(row["probability"]) for row in table] == [row.probability for row in ours.rows]
    assert {(row["unit"], row["jail"], row["grade"]) for row in table} == {("roll", "leave", "A")}
    assert sum(float(row["probability"]) for row in table) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("form", ["csv", "json", "table"])
def test_exact_gives_fractions_in_every_format(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = said(capsys, "landing", "corner_shop", "--exact", "--format", form)
    if form == "csv":
        found = [Fraction(row["probability"]) for row in rows(out)]
    elif form == "json":
        found = [Fraction(row["probability"]) for row in json.loads(out)["rows"]]
    else:
        found = [
            Fraction(line.split()[-1]) for line in out.splitlines() if line[:3].strip().isdigit()
        ]
    assert found == [row.probability for row in landing("corner_shop").rows]
    assert "653/4392" in out


def test_the_table_shows_percent_with_four_decimals(capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "landing", "monopoly", "--jail", "stay")
    illinois = next(line for line in out.splitlines() if line.startswith(" 24 "))
    assert illinois.split() == ["24", "Illinois", "Avenue", "2.9955", "%"]  # Butler: 0.02995492
    assert "per roll, jail: stay; overlays: none" in out


def test_collins_is_staying_with_his_reading(capsys: pytest.CaptureFixture[str]) -> None:
    table = rows(said(capsys, "landing", "monopoly", "--jail", "collins", "--format", "csv"))
    assert round(100 * float(table[40]["probability"]), 4) == 9.4569
    assert {row["overlays"] for row in table} == {"readings/collins_jail"}
    again = said(capsys, "landing", "monopoly", "collins_jail", "--jail", "stay", "--format", "csv")
    assert rows(again) == table


@pytest.mark.parametrize(
    ("jail", "in_jail"),
    # percent of rolls: leaving at once and never, Butler; in between lies in between
    [
        ("leave", (3.9499, 3.9501)),
        ("1", (3.9499, 3.9501)),
        ("2", (3.95, 9.3855)),
        ("mixed:1/2", (3.95, 9.3855)),
        ("stay", (9.3855, 9.3856)),
    ],
)
def test_jail_policies(
    jail: str, in_jail: tuple[float, float], capsys: pytest.CaptureFixture[str]
) -> None:
    table = rows(said(capsys, "landing", "monopoly", "--jail", jail, "--format", "csv"))
    low, high = in_jail
    assert low < 100 * float(table[40]["probability"]) < high


@pytest.mark.parametrize("per", ["roll", "turn", "visit"])
def test_shares_add_up_to_one_in_every_unit(per: str, capsys: pytest.CaptureFixture[str]) -> None:
    for game in ("monopoly", "easy_money", "payday", "corner_shop"):
        table = rows(said(capsys, "landing", game, "--per", per, "--format", "csv"))
        assert sum(float(row["probability"]) for row in table) == pytest.approx(1, abs=1e-12)
        assert {row["unit"] for row in table} == {per}


def test_a_month_starts_and_ends_once(capsys: pytest.CaptureFixture[str]) -> None:
    table = rows(said(capsys, "landing", "payday", "--per", "lap", "--exact", "--format", "csv"))
    assert (table[0]["probability"], table[31]["probability"]) == ("1/1", "1/1")
    table = rows(said(capsys, "landing", "payday", "--format", "csv"))
    assert (table[0]["probability"], table[31]["square"]) == ("0.0", "31")


def test_an_illustrative_board_says_so_in_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    for form in ("table", "csv", "json"):
        out = said(capsys, "landing", "easy_money", "--format", form)
        assert "Illustrative board, not the printed one" in out
    assert "Illustrative board" in said(capsys, "play", "easy_money", "--turns", "1")


def test_landing_says_when_only_money_is_changed(capsys: pytest.CaptureFixture[str]) -> None:
    note = "these overlays change only rules of ownership and money"
    assert note in said(capsys, "landing", "monopoly", "no_auctions", "marvin_gardens_22")
    assert note in said(capsys, "landing", "monopoly", "no_auctions", "--format", "json")
    assert note not in said(capsys, "landing", "monopoly", "no_auctions", "no_jail")
    assert note not in said(capsys, "landing", "monopoly")


def test_rents_as_csv_have_the_columns_of_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    table = rows(said(capsys, "rent", "monopoly", "--jail", "stay", "--format", "csv"))
    hotel = next(r for r in table if r["name"] == "Boardwalk" and r["level"] == "hotel")
    # published: 49.7224 per opponent roll under the long stay; the step from four houses 26.82
    assert round(float(hotel["mean"]), 4) == 49.7224
    assert round(float(hotel["payback"]), 2) == 26.82
    assert (hotel["cost"], hotel["invested"], hotel["unit"]) == ("200", "1400", "roll")
    named = "square,name,group,level,mean,sd,sd_one,cost,invested,payback,turns_to_recover"
    assert list(table[0])[:11] == named.split(",")


def test_rents_by_level_unit_and_opponents(capsys: pytest.CaptureFixture[str]) -> None:
    hotels = rows(
        said(capsys, "rent", "monopoly", "--level", "hotel", "--per", "turn", "--format", "csv",
             "--jail", "stay", "--opponents", "3")
    )  # fmt: skip
    boardwalk = next(r for r in hotels if r["name"] == "Boardwalk")
    assert round(float(boardwalk["mean"]), 2) == 57.97  # published per opponent turn
    assert {r["level"] for r in hotels} == {"hotel"}
    one = rows(said(capsys, "rent", "monopoly", "--level", "hotel", "--per", "turn", "--format",
                    "csv", "--jail", "stay"))  # fmt: skip
    alone = next(r for r in one if r["name"] == "Boardwalk")
    assert float(alone["payback"]) == pytest.approx(3 * float(boardwalk["payback"]))
    assert "  hotel" in said(capsys, "rent", "monopoly", "--level", "hotel")


def test_play_names_turns_and_seed_and_repeats_itself(capsys: pytest.CaptureFixture[str]) -> None:
    first = said(capsys, "play", "monopoly")
    assert first.startswith("Monopoly: 10 turns, seed 1, jail: leave\n")
    assert first.count("\nTurn ") == 10
    assert said(capsys, "play", "monopoly") == first
    assert said(capsys, "play", "monopoly", "--seed", "2") != first


def test_play_never_pays_under_stay(capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "play", "monopoly", "--turns", "300", "--jail", "stay")
    assert "throw 3 in jail" in out
    assert "Your answer: pay" not in out
    assert "Your answer: pay" in said(capsys, "play", "monopoly", "--turns", "300")


def test_diff_shows_before_and_after(capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "diff", "monopoly", "2008")
    assert "squares.luxury_tax.landing[0].pay" in out
    assert "before: 75" in out
    assert "after:  100    (monopoly/editions/2008.toml)" in out


def test_the_tour_shows_a_turn_ten_squares_and_a_changed_rule(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = said(capsys, "tour")
    assert "You draw from Community Chest" in out
    assert "Illinois Avenue          3.1858 %" in out
    assert "In Jail                  3.9500 % -> 0.0000 % (-3.9500)" in out
    assert out.splitlines()[-2].endswith("-m boardrules lab")


def test_check_tells_all_problems_and_the_exit_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad, good = tmp_path / "bad.toml", tmp_path / "good.toml"
    bad.write_text('game = "monopoly"\n[set]\njail.fines = 0\ndice.sides = "six"\n')
    good.write_text('game = "monopoly"\n[set]\njail.fine = 0\n')
    assert main(["check", str(bad), str(good)]) == 1
    out, err = capsys.readouterr()
    assert err == ""
    assert "2 problems in monopoly + bad" in out
    assert "no such rule; did you mean jail.fine?" in out
    assert f"{good}: fine. Monopoly, 40 squares" in out
    assert main(["check", str(good)]) == 0


def test_check_finds_what_only_playing_shows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "circle.toml"
    file.write_text(
        'game = "corner_shop"\n[set.squares]\nmarket.landing = [{ goto = "bakery" }]\n'
        'bakery.landing = [{ goto = "market" }]\n'
    )
    assert main(["check", str(file)]) == 1
    assert "the rules go in circles here" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["landing", "monopoli"], 1, "did you mean 'monopoly'?"),
        (["landing", "monopoly", "duble_go"], 1, "did you mean 'double_go'?"),
        (["landing", "monopoly", "no_such.toml"], 1, "there is no such file"),
        (["landing", "monopoly", "--jail", "3"], 1, "only before: 1, 2"),
        (["landing", "monopoly", "--jail", "0"], 2, "none of leave, stay, collins"),
        (["landing", "monopoly", "--jail", "mixed:2"], 2, "none of leave, stay, collins"),
        (["landing", "payday", "--jail", "stay"], 2, "payday has no jail"),
        (["landing", "monopoly", "no_jail", "--jail", "stay"], 2, "has no jail"),
        (["landing", "monopoly", "--per", "year"], 2, "invalid choice"),
        (["landing"], 2, "GAME"),
        (["rent", "payday"], 1, "it has no deeds"),
        (["rent", "monopoly", "--level", "9"], 1, "no such level '9'"),
        (["rent", "monopoly", "--opponents", "0"], 2, "no number from 1"),
        (["play", "payday", "--turns", "0"], 2, "no number from 1"),
        (["play", "payday", "--turns", "x"], 2, "no number from 1"),
        (["fly"], 2, "invalid choice"),
        ([], 2, "a short look at a game"),
    ],
)
def test_a_mistake_is_named_on_standard_error_without_a_traceback(
    arguments: list[str], status: int, words: str
) -> None:
    ended = run(*arguments)
    assert ended.returncode == status
    assert words in ended.stderr
    assert "Traceback" not in ended.stderr
    assert ended.stdout == ""


def test_a_broken_pipe_ends_quietly() -> None:
    command = f"{sys.executable} -m boardrules games | head -n 1"
    bash = ["bash", "-c", command]
    ended = subprocess.run(bash, capture_output=True, text=True, timeout=60, check=False)
    assert ended.stderr == ""
    assert ended.stdout.count("\n") == 1


def test_a_name_that_a_spreadsheet_would_run_is_made_harmless(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "formula.toml"
    file.write_text('game = "corner_shop"\n[set]\nsquares.market.name = "=1+1"\n')
    assert rows(said(capsys, "landing", "corner_shop", str(file), "--format", "csv"))[7][
        "name"
    ] == ("'=1+1")


def test_an_overlay_may_be_a_file_of_ones_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('game = "monopoly"\n[set]\ndice.sides = 4\n')
    mine = rows(said(capsys, "landing", "monopoly", str(file), "--format", "csv"))
    house = rows(said(capsys, "landing", "monopoly", "four_sided_dice", "--format", "csv"))
    assert [row["probability"] for row in mine] == [row["probability"] for row in house]
    assert {row["grade"] for row in mine} == {"user"}


def test_games_of_one_name(capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "games", "payday")
    assert "editions/mail_64" in out
    assert "Monopoly" not in out
    assert main(["games", "paday"]) == 1
    assert "did you mean 'payday'?" in capsys.readouterr().err


def test_check_names_what_is_odd_and_sends_sheets_to_their_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = tmp_path / "odd.toml"
    odd.write_text('game = "monopoly"\n[set]\n"squares.boardwalk.deed.rent[1]" = 40\n')
    assert main(["check", str(odd)]) == 0
    out = capsys.readouterr().out
    assert "odd, but allowed: squares.boardwalk.deed: rent does not increase" in out
    assert main(["check", "mine.csv"]) == 1
    assert "boardrules landing GAME mine.csv" in capsys.readouterr().out


def test_help_is_there_for_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    out = capsys.readouterr().out
    for command in ("tour", "games", "landing", "play", "diff", "check", "lab"):
        assert command in out


def test_lab_copies_the_lessons_and_never_over_a_changed_one(tmp_path: Path) -> None:
    folder = tmp_path / "lessons"
    assert main(["lab", "--copy-only", "--folder", str(folder)]) == 0
    names = {file.name for file in (ROOT / "notebooks").glob("*.ipynb")}
    assert {file.name for file in folder.glob("*.ipynb")} == names
    mine = folder / "01_one_turn.ipynb"
    mine.write_text("my notes")
    other = folder / "02_where_you_land.ipynb"
    other.unlink()
    ended = run("lab", "--copy-only", "--folder", str(folder))
    assert ended.returncode == 0
    assert "01_one_turn.ipynb: kept, you have changed it" in ended.stdout
    assert "02_where_you_land.ipynb: copied" in ended.stdout
    assert mine.read_text() == "my notes"
    assert other.exists()


def test_lab_copies_the_solutions_only_for_those_who_ask(tmp_path: Path) -> None:
    folder = tmp_path / "lessons"
    assert main(["lab", "--copy-only", "--folder", str(folder)]) == 0
    assert not (folder / "solutions").exists()
    assert main(["lab", "--copy-only", "--solutions", "--folder", str(folder)]) == 0
    names = {file.name for file in (ROOT / "notebooks").glob("*.ipynb")}
    assert {file.name for file in (folder / "solutions").glob("*.ipynb")} == names

    mine = folder / "solutions" / "01_one_turn.ipynb"
    mine.write_text("my notes")
    ended = run("lab", "--copy-only", "--solutions", "--folder", str(folder))
    assert "solutions/01_one_turn.ipynb: kept, you have changed it" in ended.stdout
    assert mine.read_text() == "my notes"


def test_lab_brings_an_untouched_older_copy_up_to_date(tmp_path: Path) -> None:
    from hashlib import sha256

    folder = tmp_path / "lessons"
    folder.mkdir()
    old = folder / "01_one_turn.ipynb"
    old.write_text("an older edition")
    record = {old.name: sha256(old.read_bytes()).hexdigest()}
    (folder / ".copied.json").write_text(json.dumps(record))
    assert main(["lab", "--copy-only", "--folder", str(folder)]) == 0
    assert old.read_bytes() == (ROOT / "notebooks" / old.name).read_bytes()


def test_lab_opens_without_asking_for_news_from_the_internet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from boardrules import lab

    def started(command: list[str], *, cwd: Path, check: bool, env: dict[str, str]) -> object:
        assert "jupyterlab" in command
        assert "--no-browser" in command
        assert cwd == tmp_path
        first, *others = env["JUPYTER_CONFIG_PATH"].split(os.pathsep)
        assert others == ["mine"]
        page = json.loads((Path(first) / "labconfig" / "page_config.json").read_text())
        assert list(page["disabledExtensions"]) == ["@jupyterlab/apputils-extension:announcements"]
        return subprocess.CompletedProcess(command, 3)

    monkeypatch.setenv("JUPYTER_CONFIG_PATH", "mine")
    monkeypatch.setattr(subprocess, "run", started)
    assert lab.open_lab(tmp_path, browser=False) == 3


def test_lab_says_so_when_it_cannot_write(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert main(["lab", "--copy-only", "--folder", str(tmp_path / "file")]) == 1
    assert "cannot write to" in capsys.readouterr().err
