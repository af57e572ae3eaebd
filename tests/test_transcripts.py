"""Golden transcripts: what happens in twelve turns of every game, so that a change shows in a diff.

After a change that is meant, write them anew with `python tests/test_transcripts.py`, and read the
difference before it is committed.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from boardrules.library import games, load
from boardrules.play import fair, play, transcript

FOLDER = Path(__file__).parent / "transcripts"
SEEDS = (1, 2)
TURNS = 12
WANTED = [(game.name, seed) for game in games() for seed in SEEDS]


def file_of(game: str, seed: int) -> Path:
    return FOLDER / f"{game}-{seed}.txt"


def told(game: str, seed: int) -> str:
    """The game as it is told now."""
    rules = load(game)
    lines = transcript(play(rules, None, fair(seed), turns=TURNS), rules)
    return "\n".join([f"{rules.title}, seed {seed}, {TURNS} turns", *lines, ""])


@pytest.mark.parametrize(("game", "seed"), WANTED)
def test_a_game_is_told_as_it_was(game: str, seed: int) -> None:
    file = file_of(game, seed)
    assert file.is_file(), f"{file.name} is missing: run python tests/test_transcripts.py"
    assert told(game, seed) == file.read_text(encoding="utf-8")


def test_there_is_no_transcript_of_a_game_that_is_gone() -> None:
    assert {file.name for file in FOLDER.iterdir()} == {file_of(*one).name for one in WANTED}


@pytest.mark.parametrize(("game", "seed"), WANTED)
def test_every_sentence_of_a_transcript_names_a_rule(game: str, seed: int) -> None:
    title, *lines = file_of(game, seed).read_text(encoding="utf-8").splitlines()
    assert title.endswith(f"seed {seed}, {TURNS} turns")
    turns = [line for line in lines if not line.startswith("  ")]
    assert [line.split(",")[0] for line in turns] == [f"Turn {n + 1}" for n in range(TURNS)]
    for line in lines:
        assert line.startswith("Turn ") or re.search(r"\([A-Z]\d+[a-z]?\)\.$", line), line


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for game, seed in WANTED:
        file_of(game, seed).write_text(told(game, seed), encoding="utf-8")
