"""The README and the page about the format: every example in them is executed."""

import doctest
import re
from pathlib import Path

import pytest

from boardrules import games, load
from boardrules.__main__ import main
from boardrules.library import open_file

ROOT = Path(__file__).resolve().parents[1]


def blocks(file: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / file).read_text(), re.DOTALL)


def test_the_examples_of_the_readme_give_what_they_show() -> None:
    found = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert found.attempted >= 8
    assert found.failed == 0


def test_the_game_on_the_format_page_is_a_game(tmp_path: Path) -> None:
    file = tmp_path / "tiny_town.toml"
    file.write_text(blocks("data/README.md", "toml")[0])
    assert [square.id for square in load(file).squares] == ["start", "letters", "gate", "fair"]
    assert main(["check", str(file)]) == 0


def test_the_house_rule_on_the_format_page_is_the_one_in_the_library(tmp_path: Path) -> None:
    file = tmp_path / "double_go.toml"
    file.write_text(blocks("data/README.md", "toml")[1])
    assert open_file(file).tree == load("monopoly", "double_go").tree


def test_every_word_of_the_format_page_is_understood(tmp_path: Path) -> None:
    page = (ROOT / "data/README.md").read_text()
    table = page.split("## The words")[1].split("## A house rule")[0]
    words = [effect for line in table.splitlines() for effect in re.findall(r"`(\{.*?\})`", line)]
    assert len(words) >= 20
    document = blocks("data/README.md", "toml")[0]
    for effect in words:
        text = effect.replace("[ … ]", "[]").replace('"chance"', '"letters"')
        text = text.replace('"go"', '"start"').replace('"day_0"', '"start"')
        text = text.replace('"railroad"', '"street"')
        text = document.replace("effects = [{ pay = 5 }, { jail = true }]", f"effects = [{text}]")
        text = text.replace(
            'deed = { kind = "street"', 'deed = { kind = "street", group = "street"'
        )
        text += '\n[pots.pot]\nname = "Pot"\n'
        file = tmp_path / "words.toml"
        file.write_text(text)
        load(file)


def test_the_command_lines_of_the_readme_name_what_exists() -> None:
    text = (ROOT / "README.md").read_text()
    overlays = {o.name.rpartition("/")[2] for game in games() for o in game.overlays}
    assert "no_jail" in overlays
    for line in re.findall(r"`boardrules ([a-z]+)", text):
        with pytest.raises(SystemExit) as ended:
            main([line, "--help"])
        assert ended.value.code == 0


def test_both_shells_get_the_same_commands() -> None:
    (unix_tour, unix_tests), (windows,) = (
        [block for block in blocks("README.md", "sh") if "venv .venv" in block],
        blocks("README.md", "powershell"),
    )
    for unix, line in zip((unix_tour, unix_tests), windows.splitlines(), strict=True):
        asked = unix.strip().replace("python3", "py -3").replace(" &&", ";")
        assert line == asked.replace(".venv/bin/python", r".venv\Scripts\python")
