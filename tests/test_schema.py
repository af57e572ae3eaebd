"""The JSON Schema for editors: made from the models, and of one mind with them about real files."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from boardrules.editor import (
    EVERYWHERE,
    FILES,
    TEXTS,
    game_schema,
    overlay_schema,
    write,
)
from boardrules.library import data_folder, load
from boardrules.rules import RulesError

GAME, OVERLAY = (json.loads((data_folder() / file).read_text("utf-8")) for file in FILES)
FOUND = sorted(data_folder().rglob("*.toml"))

MINI: Mapping[str, Any] = {
    "format": 1,
    "title": "Mini",
    "dice": {"count": 1, "sides": 2},
    "squares": [{"id": "home"}, {"id": "shop"}],
}


def complaints(document: Any) -> list[str]:
    """What an editor underlines: the places of a file that its schema does not allow."""
    schema = OVERLAY if "game" in document else GAME
    found = Draft202012Validator(schema).iter_errors(document)
    return sorted(error.json_path for error in found)


def tables(node: Any) -> Iterator[Mapping[str, Any]]:
    """Every table of a schema that has keys of its own."""
    if isinstance(node, dict):
        if "properties" in node and node.get("additionalProperties") is False:
            yield node
        node = list(node.values())
    if isinstance(node, list):
        for inside in node:
            yield from tables(inside)


# --------------------------------------------------------------------------- the two files


def test_the_files_in_the_data_folder_are_up_to_date(tmp_path: Path) -> None:
    write(tmp_path)
    for file in FILES:
        fresh, kept = ((folder / file).read_text("utf-8") for folder in (tmp_path, data_folder()))
        assert fresh == kept, f"{file} is old; make it anew: python -m boardrules.editor"


@pytest.mark.parametrize("schema", [GAME, OVERLAY], ids=FILES)
def test_a_schema_is_one_of_draft_2020_12(schema: Any) -> None:
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("schema", [GAME, OVERLAY], ids=FILES)
def test_every_part_that_is_referred_to_is_there_and_every_part_is_used(schema: Any) -> None:
    text = json.dumps(schema)
    for name in schema["$defs"]:
        assert f'"#/$defs/{name}"' in text
    used = set(text.split('"#/$defs/')[1:])
    assert {one.partition('"')[0] for one in used} == set(schema["$defs"])


@pytest.mark.parametrize("schema", [GAME, OVERLAY], ids=FILES)
def test_every_key_of_every_table_is_explained_in_a_sentence(schema: Any) -> None:
    found = list(tables(schema))
    assert len(found) > 30
    for table in found:
        for key, value in table["properties"].items():
            text = value.get("description", "")
            assert len(text) >= 10, key
            assert text.endswith((".", ": 1.")), key


def test_every_sentence_is_said_of_some_key() -> None:
    game, overlay = game_schema(), overlay_schema()
    keys = {name: set(part.get("properties", ())) for name, part in game["$defs"].items()}
    keys["Game"], keys["OverlayTable"] = set(game["properties"]), set(overlay["properties"])
    for name, texts in TEXTS.items():
        assert texts.keys() <= keys[name], name
    special = {(name, key) for name, texts in TEXTS.items() for key in texts}
    general = {key for name, each in keys.items() for key in each if (name, key) not in special}
    assert general == set(EVERYWHERE)


# -------------------------------------------------------------------- what they say of files


@pytest.mark.parametrize("file", FOUND, ids=lambda file: file.relative_to(data_folder()).as_posix())
def test_every_file_of_the_library_fits_its_schema(file: Path) -> None:
    assert complaints(tomllib.loads(file.read_text("utf-8"))) == []


def test_both_examples_of_the_format_page_fit_their_schemas() -> None:
    page = (data_folder() / "README.md").read_text("utf-8")
    examples = [block.partition("```")[0] for block in page.split("```toml\n")[1:3]]
    assert [complaints(tomllib.loads(one)) for one in examples] == [[], []]


def test_the_comment_on_the_format_page_leads_from_an_overlay_to_its_schema() -> None:
    page = (data_folder() / "README.md").read_text("utf-8")
    (told,) = (line.split()[1] for line in page.splitlines() if line.startswith("#:schema "))
    # the editor reads the path from the folder that holds the file, as in house/double_go.toml
    assert (data_folder() / "house" / told).resolve().parent == data_folder().resolve()
    assert told.endswith(FILES[1])


BAD_GAMES: Mapping[str, tuple[dict[str, Any], str]] = {
    "a misspelt key": ({"ttile": "x"}, "$"),
    "a format of the future": ({"format": 2}, "$.format"),
    "a number as a text": ({"dice": {"count": "2"}}, "$.dice.count"),
    "true for a number": ({"dice": {"count": True}}, "$.dice.count"),
    "too many dice": ({"dice": {"count": 5}}, "$.dice.count"),
    "a face of weight zero": ({"dice": {"faces": {"1": 0}}}, "$.dice.faces['1']"),
    "a face with a name": ({"dice": {"faces": {"one": 1}}}, "$.dice.faces"),
    "one square only": ({"squares": [{"id": "a"}]}, "$.squares"),
    "squares by their ids": ({"squares": {"a": {}, "b": {}}}, "$.squares"),
    "a square without an id": ({"squares": [{"id": "a"}, {"name": "B"}]}, "$.squares[1]"),
    "an id with a space": ({"squares": [{"id": "a"}, {"id": "b b"}]}, "$.squares[1].id"),
    "a deck without cards": ({"decks": {"news": {}}}, "$.decks.news"),
    "a card that is never there": (
        {"decks": {"news": {"cards": [{"id": "a", "copies": 0}]}}},
        "$.decks.news.cards[0].copies",
    ),
    "a grade that does not exist": ({"start": {"grade": "Z"}}, "$.start.grade"),
    "an answer out of place": ({"end": {"when": "never ever"}}, "$.end.when"),
    "more than all of it": ({"accounts": {"loan_rate": 101}}, "$.accounts.loan_rate"),
    "a text of two lines": ({"title": "two\nlines"}, "$.title"),
}


@pytest.mark.parametrize("case", BAD_GAMES)
def test_a_bad_game_is_underlined_where_the_library_refuses_it(case: str) -> None:
    spoilt, where = BAD_GAMES[case]
    document = {**MINI, **spoilt}
    assert complaints(MINI) == []
    assert complaints(document) == [where]
    with pytest.raises(RulesError):
        load(document)


BAD_EFFECTS: Mapping[str, Any] = {
    "a misspelt word": {"colect": 5},
    "two words": {"collect": 5, "pay": 3},
    "money below zero": {"pay": -5},
    "half a coin": {"pay": 1.5},
    "true as money": {"pay": True},
    "an option it does not have": {"place": "home", "tag": "x"},
    "jail = false": {"jail": False},
    "no word at all": {},
    "a number": 5,
    "everyone inside everyone": {"everyone": [{"everyone": [{"pay": 3}]}]},
    "a choice inside everyone": {
        "everyone": [{"ask": "x", "answers": {"a": []}, "otherwise": "a"}]
    },
    "a choice inside a choice": {
        "ask": "x",
        "answers": {"a": [{"ask": "x", "answers": {"a": []}, "otherwise": "a"}]},
        "otherwise": "a",
    },
}


@pytest.mark.parametrize("case", BAD_EFFECTS)
def test_a_bad_effect_is_underlined_where_the_library_refuses_it(case: str) -> None:
    squares = [{"id": "home"}, {"id": "shop", "landing": [{"pay": 1}, BAD_EFFECTS[case]]}]
    document = {**MINI, "squares": squares}
    assert complaints(document) == ["$.squares[1].landing[1]"]
    with pytest.raises(RulesError):
        load(document)


GOOD_OVERLAYS: Mapping[str, dict[str, Any]] = {
    "a number": {"set": {"jail": {"fine": 3}}},
    "a path in quotes": {"set": {"squares.market.landing[0].pay": 3}},
    "a path in quotes inside a table": {"set": {"squares": {"market": {"landing[0].pay": 3}}}},
    "an effect more": {"add": {"squares": {"market": {"landing": [{"collect": 1}]}}}},
    "a new square": {"add": {"squares": [{"id": "cinema", "landing": [{"pay": 1}]}]}},
    "a new card": {"add": {"decks": {"letters": {"cards": [{"id": "bill"}]}}}},
    "a new deck": {"add": {"decks": [{"id": "news", "cards": [{"id": "rain"}]}]}},
    "a new pot": {"add": {"pots": [{"id": "hat", "start": 5}]}},
    "a rule less": {"remove": ["squares.market.landing"]},
    "a fraction": {"set": {"decks": {"letters": {"cards": {"library_fine": {"copies": "1/2"}}}}}},
}


@pytest.mark.parametrize("case", GOOD_OVERLAYS)
def test_a_good_overlay_is_left_alone_as_the_library_does(case: str) -> None:
    overlay = {"game": "corner_shop", **GOOD_OVERLAYS[case]}
    assert complaints(overlay) == []
    assert load("corner_shop", overlay).overlays == ("overlay",)


BAD_OVERLAYS: Mapping[str, tuple[dict[str, Any], str]] = {
    "a misspelt table": ({"set": {"jial": {"fine": 3}}}, "$.set"),
    "a misspelt key": ({"set": {"jail": {"fines": 3}}}, "$.set.jail"),
    "a text in place of money": ({"set": {"jail": {"fine": "3"}}}, "$.set.jail.fine"),
    "a bad effect": (
        {"set": {"squares": {"market": {"landing": [{"colect": 1}]}}}},
        "$.set.squares.market.landing[0]",
    ),
    "adding to a number": ({"add": {"jail": {"fine": [3]}}}, "$.add.jail"),
    "adding something that is no list": (
        {"add": {"squares": {"market": {"landing": {"collect": 1}}}}},
        "$.add.squares.market.landing",
    ),
    "a new square without an id": ({"add": {"squares": [{"name": "x"}]}}, "$.add.squares[0]"),
    "a new deck without cards": ({"add": {"decks": [{"id": "news"}]}}, "$.add.decks[0]"),
    "going over everything": ({"over": ["*"]}, "$.over[0]"),
    "a list that is a text": ({"remove": "jail"}, "$.remove"),
    "a misspelt heading": ({"sett": {}}, "$"),
}


@pytest.mark.parametrize("case", BAD_OVERLAYS)
def test_a_bad_overlay_is_underlined_where_the_library_refuses_it(case: str) -> None:
    changes, where = BAD_OVERLAYS[case]
    overlay = {"game": "corner_shop", **changes}
    assert complaints(overlay) == [where]
    with pytest.raises(RulesError):
        load("corner_shop", overlay)


def test_an_overlay_needs_its_game() -> None:
    errors = Draft202012Validator(OVERLAY).iter_errors({"set": {"jail": {"fine": 3}}})
    assert [error.validator for error in errors] == ["required"]
