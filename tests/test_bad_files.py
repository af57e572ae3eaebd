"""Whatever is wrong with a ruleset file, its author is told where and what to do about it.

Each case is a file that a pupil, a teacher or a joker might hand in, with the exact message.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boardrules.chain import chain
from boardrules.events import Event, Jailed, laps
from boardrules.library import data_folder, load, open_file
from boardrules.measure import per, stationary, until
from boardrules.rules import Rules, RulesError
from boardrules.tables import landing
from boardrules.turn import mixed

MINI = """\
format = 1
title = "Mini"

[dice]
count = 1
sides = 2

[[squares]]
id = "home"
passing = [{ collect = 5 }]

[[squares]]
id = "shop"
#shop

[[squares]]
id = "park"
"""
"""A game that is in order: three squares in a ring, a die with two sides."""


def mini(old: str = "", new: str = "") -> str:
    """The small game with one piece of text exchanged."""
    assert old in MINI
    return MINI.replace(old, new, 1)


def shop(line: str) -> str:
    """The small game with one more line at its shop."""
    return mini("#shop", line)


def landing_on_shop(effects: str) -> str:
    return shop(f"landing = {effects}")


def complaint(content: str | bytes, folder: Path, *, over: str = "") -> str:
    """What is said about a file: a whole game, or an overlay laid over a game."""
    file = folder / "mine.toml"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(RulesError) as caught:
        load(over, file) if over else load(file)
    return str(caught.value)


def test_the_small_game_is_in_order(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(MINI)
    rules = load(tmp_path / "mine.toml")
    assert [square.id for square in rules.squares] == ["home", "shop", "park"]


# ------------------------------------------------------------------------- whole games

ONE = "1 problem in mine\n  mine.toml  "
"""How the message about one problem in the file begins."""

EFFECT = "squares.shop.landing[0]"

GAMES: Mapping[str, tuple[str, str]] = {
    "nothing at all": (
        "",
        "4 problems in mine\n"
        "  mine.toml  format   this is needed: format = 1\n"
        "  mine.toml  title    this is needed: title = 'My game'\n"
        "  mine.toml  dice     this is needed: a table [dice] with count = 2 and sides = 6\n"
        "  mine.toml  squares  this is needed: [[squares]], one table for each square, in the order"
        " of the board",
    ),
    "a format of the future": (mini("format = 1", "format = 2"), f"{ONE}format  must be 1, not 2"),
    "one square only": (
        'format = 1\ntitle = "x"\n[dice]\n[[squares]]\nid = "a"\n',
        f"{ONE}squares  needs at least 2 of these",
    ),
    "several mistakes": (
        mini("sides = 2", 'sides = "two"').replace("#shop", "landing = [{ colect = 5 }]")
        + 'nmae = "Park"\n',
        "3 problems in mine\n"
        "  mine.toml  dice.sides               must be a whole number, not 'two'\n"
        "  mine.toml  squares.shop.landing[0]  unknown effect 'colect'; did you mean 'collect'?\n"
        "  mine.toml  squares.park.nmae        no such rule; did you mean squares.park.name?",
    ),
    # ---- wrong types
    "a number as a text": (
        mini("count = 1", 'count = "1"'),
        f"{ONE}dice.count  must be a whole number, not '1'",
    ),
    "true for a number": (
        mini("count = 1", "count = true"),
        f"{ONE}dice.count  must be a whole number, not true",
    ),
    "a number for a text": (shop("name = 3"), f"{ONE}squares.shop.name  must be a text, not 3"),
    "a number for true or false": (
        shop("stop = 1"),
        f"{ONE}squares.shop.stop  must be true or false, not 1",
    ),
    "a number for a table": (
        f"{MINI}[decks]\nchance = 3\n",
        f"{ONE}decks.chance  must be a table, not 3",
    ),
    "an effect without a list around it": (
        landing_on_shop("{ collect = 5 }"),
        f"{ONE}squares.shop.landing  must be a list, not {{ collect = 5 }}",
    ),
    "an effect that is a number": (
        landing_on_shop("[5]"),
        f"{ONE}{EFFECT}  must be an effect such as {{ collect = 200 }}, not 5",
    ),
    "an effect that is a text": (
        landing_on_shop('["draw"]'),
        f"{ONE}{EFFECT}  must be an effect such as {{ collect = 200 }}, not 'draw'",
    ),
    "an effect without a word": (
        landing_on_shop("[{}]"),
        f"{ONE}{EFFECT}  must be an effect such as {{ collect = 200 }}, not {{}}",
    ),
    "an answer out of place": (
        f'{MINI}[jail]\nsquare = "park"\nlast_attempt = "pay"\n',
        f"{ONE}jail.last_attempt  must be 'roll_first' or 'pay_first', not 'pay'",
    ),
    "a grade that does not exist": (
        f'{MINI}[start]\ngrade = "Z"\n',
        f"{ONE}start.grade  must be 'seed', 'A', 'user', 'B', 'C', 'D' or 'illustrative', not 'Z'",
    ),
    "squares as one table": (
        'format = 1\ntitle = "x"\n[dice]\n[squares.a]\n[squares.b]\n',
        f"{ONE}squares  must be a list of tables, each with an id, not {{ a = {{}}, b = {{}} }}",
    ),
    "cards that are a number": (
        f"{MINI}[decks.chance]\ncards = 3\n",
        f"{ONE}decks.chance.cards  must be a list of tables, each with an id, not 3",
    ),
    "a deck without cards": (
        f'{MINI}[decks.chance]\nname = "Chance"\n',
        f"{ONE}decks.chance.cards  this is needed: [[decks.….cards]], one table for each card",
    ),
    "a deck of no cards": (
        f"{MINI}[decks.chance]\ncards = []\n",
        f"{ONE}decks.chance.cards  needs at least 1 of these",
    ),
    # ---- words and keys that nobody knows
    "a misspelt effect": (
        landing_on_shop("[{ colect = 5 }]"),
        f"{ONE}{EFFECT}  unknown effect 'colect'; did you mean 'collect'?",
    ),
    "an effect like no other": (
        landing_on_shop("[{ xyzzy = 5 }]"),
        f"{ONE}{EFFECT}  unknown effect 'xyzzy'; the words are roll, throw, draw, ask, collect, "
        "pay, repairs, owe, take, keep, use, everyone, note, move, goto, nearest, place, forfeit, "
        "jail, release",
    ),
    "two words in one effect": (
        landing_on_shop("[{ collect = 5, pay = 3 }]"),
        f"{ONE}{EFFECT}.pay  one effect, one word: {{ collect = … }}, {{ pay = … }}",
    ),
    "a misspelt option of an effect": (
        landing_on_shop('[{ collect = 5, form = "bank" }]'),
        f"{ONE}{EFFECT}.form  'collect' knows no 'form'; did you mean 'from'?",
    ),
    "an option that an effect does not have": (
        landing_on_shop("[{ place = 'park', xyzzy = 1 }]"),
        f"{ONE}{EFFECT}.xyzzy  'place' knows no 'xyzzy'; it knows place, unless_held",
    ),
    "jail = false": (
        landing_on_shop("[{ jail = false }]"),
        f"{ONE}{EFFECT}.jail  must be true, not false",
    ),
    "a misspelt effect inside an answer": (
        landing_on_shop(
            '[{ ask = "tax", answers = { flat = [{ pay = 3 }], share = [{ pya = 3 }] }, '
            'otherwise = "flat" }]'
        ),
        f"{ONE}{EFFECT}.answers.share[0]  unknown effect 'pya'; did you mean 'pay'?",
    ),
    "a misspelt effect for everyone": (
        landing_on_shop("[{ everyone = [{ colect = 3 }] }]"),
        f"{ONE}{EFFECT}.everyone[0]  unknown effect 'colect'; did you mean 'collect'?",
    ),
    "everyone inside everyone": (
        landing_on_shop("[{ everyone = [{ everyone = [{ pay = 3 }] }] }]"),
        f"{ONE}{EFFECT}.everyone[0]  'everyone' cannot stand inside another effect",
    ),
    "an unknown key of a square": (
        shop('nmae = "Shop"'),
        f"{ONE}squares.shop.nmae  no such rule; did you mean squares.shop.name?",
    ),
    "an unknown key of the jail": (
        f'{MINI}[jail]\nsquare = "park"\nfines = 3\n',
        f"{ONE}jail.fines  no such rule; did you mean jail.fine?",
    ),
    "a rule outside its table": (
        f"sides = 6\n{MINI}",
        f"{ONE}sides  no such rule; did you mean dice.sides?",
    ),
    "a rule that nothing resembles": (f"xyzzy = 6\n{MINI}", f"{ONE}xyzzy  no such rule"),
    # ---- targets that do not exist
    "going to a square that is not there": (
        landing_on_shop('[{ goto = "prak" }]'),
        f"{ONE}{EFFECT}.goto  no such square 'prak'; did you mean 'park'?",
    ),
    "drawing from a deck that is not there": (
        landing_on_shop('[{ draw = "chance" }]'),
        f"{ONE}{EFFECT}.draw  no such deck 'chance'",
    ),
    "the nearest of a group that is not there": (
        landing_on_shop('[{ nearest = "railroad" }]'),
        f"{ONE}{EFFECT}.nearest  no such group of squares 'railroad'",
    ),
    "placing the token on a square that is not there": (
        landing_on_shop('[{ place = "hmoe" }]'),
        f"{ONE}{EFFECT}.place  no such square 'hmoe'; did you mean 'home'?",
    ),
    "taking a pot that is not there": (
        landing_on_shop('[{ take = "pot" }]'),
        f"{ONE}{EFFECT}.take  no such pot 'pot'",
    ),
    "collecting from nobody": (
        landing_on_shop('[{ collect = 5, from = "nobody" }]'),
        f"{ONE}{EFFECT}.from  must be bank, players or the id of a pot, not 'nobody'",
    ),
    "paying somebody misspelt": (
        landing_on_shop('[{ pay = 5, to = "player" }]'),
        f"{ONE}{EFFECT}.to  must be bank, players or the id of a pot, not 'player'; "
        "did you mean 'players'?",
    ),
    "going to jail without a jail": (
        landing_on_shop("[{ jail = true }]"),
        f"{ONE}{EFFECT}.jail  sends to jail, but there is no table [jail]",
    ),
    "a missing square inside an answer": (
        landing_on_shop(
            '[{ ask = "bus", answers = { ride = [{ goto = "prak" }], stay = [] }, '
            'otherwise = "stay" }]'
        ),
        f"{ONE}{EFFECT}.answers.ride[0].goto  no such square 'prak'; did you mean 'park'?",
    ),
    "a missing square behind a card": (
        f'{MINI}[[decks.news.cards]]\nid = "bus"\neffects = [{{ goto = "prak" }}]\n',
        f"{ONE}decks.news.cards.bus.effects[0].goto  no such square 'prak'; did you mean 'park'?",
    ),
    "an otherwise that is no answer": (
        landing_on_shop('[{ ask = "bus", answers = { ride = [] }, otherwise = "rode" }]'),
        f"{ONE}{EFFECT}.otherwise  no such answer 'rode'; did you mean 'ride'?",
    ),
    "a misspelt card that spares": (
        landing_on_shop('[{ pay = 3, unless_held = "fere_pass" }]')
        + '[[decks.news.cards]]\nid = "pass"\neffects = [{ keep = "free_pass" }]\n',
        f"{ONE}{EFFECT}.unless_held  no such card to keep 'fere_pass'; did you mean 'free_pass'?",
    ),
    "a jail nowhere on the board": (
        f'{MINI}[jail]\nsquare = "prk"\n',
        f"{ONE}jail.square  no such square 'prk'; did you mean 'park'?",
    ),
    "a fine before a roll that never comes": (
        f'{MINI}[jail]\nsquare = "park"\nfine_before = [1, 4]\n',
        f"{ONE}jail.fine_before[1]  there is no roll 4 in jail, only 1 to 3",
    ),
    "a fine below zero": (
        f'{MINI}[jail]\nsquare = "park"\nfine = -5\n',
        f"{ONE}jail.fine  must not be negative, not -5",
    ),
    "no rolls in jail": (
        f'{MINI}[jail]\nsquare = "park"\nattempts = 0\nfine_before = []\n',
        f"{ONE}jail.attempts  must be from 1 to 20 rolls, not 0",
    ),
    "a lap from nowhere": (
        f'{MINI}[lap]\nsquare = "prk"\n',
        f"{ONE}lap.square  no such square 'prk'; did you mean 'park'?",
    ),
    "a start on the moon": (
        f'{MINI}[start]\nsquare = "moon"\n',
        f"{ONE}start.square  no such square 'moon'",
    ),
    "a deal at a loss": (
        f'{MINI}[[decks.news.cards]]\nid = "deal"\ndeal = {{ cost = 9, value = 9 }}\n',
        f"{ONE}decks.news.cards.deal.deal  a deal must cost something and be worth more than it"
        " costs",
    ),
    # ---- ids
    "two squares of one id": (
        mini('id = "park"', 'id = "shop"'),
        f"{ONE}squares[2]  two rows have the id 'shop'",
    ),
    "a square without an id": (
        mini('id = "park"', 'name = "Park"'),
        f"{ONE}squares[2]  needs an id, such as id = 'go'",
    ),
    "an id with a space": (
        mini('id = "park"', 'id = "Park Lane"'),
        f"{ONE}squares.Park Lane  'Park Lane' is no id: small letters, digits and _, a letter"
        " first",
    ),
    "two cards of one id and one without": (
        f'{MINI}[[decks.a.cards]]\nid = "x"\n[[decks.a.cards]]\nid = "x"\n[[decks.a.cards]]\n',
        "2 problems in mine\n"
        "  mine.toml  decks.a.cards[1]  two rows have the id 'x'\n"
        "  mine.toml  decks.a.cards[2]  needs an id, such as id = 'go'",
    ),
    # ---- money
    "money below zero": (
        landing_on_shop("[{ pay = -5 }]"),
        f"{ONE}{EFFECT}.pay  must be at least 0, not -5",
    ),
    "half a coin": (
        landing_on_shop("[{ pay = 1.5 }]"),
        f"{ONE}{EFFECT}.pay  must be a whole number, not 1.5",
    ),
    "a whole number with a point": (
        landing_on_shop("[{ pay = 200.0 }]"),
        f"{ONE}{EFFECT}.pay  must be a whole number, not 200.0",
    ),
    "true as money": (
        landing_on_shop("[{ pay = true }]"),
        f"{ONE}{EFFECT}.pay  must be a whole number, not true",
    ),
    "not a number as money": (
        landing_on_shop("[{ pay = nan }]"),
        f"{ONE}{EFFECT}.pay  must be a whole number, not nan",
    ),
    "infinite money": (
        landing_on_shop("[{ pay = -inf }]"),
        f"{ONE}{EFFECT}.pay  must be a whole number, not -inf",
    ),
    "more money than there is": (
        landing_on_shop("[{ pay = 5_000_000_000 }]"),
        f"{ONE}{EFFECT}.pay  must be at most 1,000,000,000, not 5000000000",
    ),
    "money of 5000 digits": (
        landing_on_shop(f"[{{ pay = {'9' * 5000} }}]"),
        "1 problem in mine.toml\n  mine.toml  a number has thousands of digits",
    ),
    "money of 5000 digits in hexadecimal": (
        landing_on_shop(f"[{{ pay = 0x{'f' * 5000} }}]"),
        f"{ONE}{EFFECT}.pay  must be at most 1,000,000,000, not something far too large",
    ),
    "a date as money": (
        landing_on_shop("[{ pay = 1935-11-05 }]"),
        f"{ONE}{EFFECT}.pay  must be a whole number, not 1935-11-05",
    ),
    # ---- chances
    "a face of weight zero": (
        mini("sides = 2", "faces = { 1 = 0, 2 = 1 }"),
        f"{ONE}dice.faces.1  must be more than 0, not 0",
    ),
    "a face of negative weight": (
        mini("sides = 2", "faces = { 1 = -1, 2 = 1 }"),
        f"{ONE}dice.faces.1  must be more than 0, not -1",
    ),
    "a face of infinite weight": (
        mini("sides = 2", "faces = { 1 = inf, 2 = 1 }"),
        f"{ONE}dice.faces.1  must be a number, or a fraction such as '1/6', not inf",
    ),
    "a weight divided by zero": (
        mini("sides = 2", 'faces = { 1 = "1/0", 2 = 1 }'),
        f"{ONE}dice.faces.1  must be a number, or a fraction such as '1/6', not '1/0'",
    ),
    "a weight with a terrible exponent": (
        mini("sides = 2", 'faces = { 1 = "1e99999999", 2 = 1 }'),
        f"{ONE}dice.faces.1  must be a number, or a fraction such as '1/6', not '1e99999999'",
    ),
    "a weight with a terrible exponent, bare": (
        mini("sides = 2", "faces = { 1 = 1e99999999, 2 = 1 }"),
        "1 problem in mine.toml\n  mine.toml  '1e99999999' is not a number that a rule can use",
    ),
    "a weight finer than any": (
        mini("sides = 2", "faces = { 1 = 1e-25, 2 = 1 }"),
        f"{ONE}dice.faces.1  must be a fraction with at most 18 digits above and below the line, "
        "not 1e-25",
    ),
    "a face with a name": (
        mini("sides = 2", "faces = { one = 1, 2 = 1 }"),
        f"{ONE}dice.faces.one  'one' is no face of a die: a whole number from 0 to 999",
    ),
    "one face twice": (
        mini("sides = 2", "faces = { 1 = 1, 01 = 1 }"),
        f"{ONE}dice.faces.01  '01' is no face of a die: a whole number from 0 to 999",
    ),
    "faces and sides": (
        mini("sides = 2", "sides = 2\nfaces = { 1 = 1, 2 = 1 }"),
        f"{ONE}dice.faces  give sides or faces, not both; an overlay says remove = ['dice.sides']",
    ),
    "a card that is never there": (
        f'{MINI}[[decks.news.cards]]\nid = "rare"\ncopies = 0\n',
        f"{ONE}decks.news.cards.rare.copies  must be more than 0, not 0",
    ),
    "a die with a thousand million sides": (
        mini("sides = 2", "sides = 1000000000"),
        f"{ONE}dice.sides  must be at most 100, not 1000000000",
    ),
    "a thousand million dice": (
        mini("count = 1", "count = 1000000000"),
        f"{ONE}dice.count  must be at most 4, not 1000000000",
    ),
    "dice with too many throws": (
        mini("count = 1\nsides = 2", "count = 4\nsides = 100"),
        f"{ONE}dice  more than 20,000 different throws; take fewer dice or fewer sides",
    ),
    "a throw that cannot be thrown": (
        mini("sides = 2", "sides = 2\nthrows = [{ faces = [6], effects = [{ collect = 1 }] }]"),
        f"{ONE}dice.throws[0].faces  the throw [6] cannot be thrown with these dice",
    ),
    # ---- too much of it
    "more squares than a board has": (
        "format = 1\ntitle = 'x'\n[dice]\n"
        + "".join(f"[[squares]]\nid='s{place}'\n" for place in range(40_000)),
        f"{ONE}squares  needs at most 400 of these",
    ),
    "a million squares": (
        "".join(f"[[squares]]\nid='s{place}'\n" for place in range(1_000_000)),
        "1 problem in mine.toml\n  mine.toml  the file is larger than 1,000,000 bytes",
    ),
    "a line without end": (
        f"# {'x' * 20_000}",
        "1 problem in mine.toml\n  mine.toml  a line is longer than 20,000 characters",
    ),
    "boxes in boxes": (
        f"x = {'[' * 9_000}{']' * 9_000}",
        "1 problem in mine.toml\n  mine.toml  lists or tables are nested too deep",
    ),
    "tables in tables": (
        f"x = {'{a=' * 60}1{'}' * 60}",
        "1 problem in mine.toml\n  mine.toml  lists or tables are nested too deep",
    ),
    "a key of a thousand parts": (
        f"x{'.x' * 1_000} = 1",
        "1 problem in mine.toml\n"
        "  mine.toml  a line has more than 120 dots outside quotation marks",
    ),
    "the same mistake five hundred times": (
        'format = 1\ntitle = "x"\n[dice]\n[[squares]]\nid = "a"\n[[squares]]\nid = "b"\n[jail]\n'
        'square = "a"\n' + "".join(f"fine_{place} = 1\n" for place in range(500)),
        "101 problems in mine\n"
        + "".join(
            f"  mine.toml  {f'jail.fine_{place}':<12}  no such rule; did you mean jail.fine?\n"
            for place in range(100)
        )
        + f"  {'':<9}  {'':<12}  and more problems like these",
    ),
    # ---- things that are not meant for the eye
    "terminal escapes in a title": (
        mini('"Mini"', '"Mini\\u001b[31m"'),
        f"{ONE}title  must be one line of printable text, not 'Mini\\x1b[31m'",
    ),
    "terminal escapes in an id": (
        mini('id = "park"', 'id = "pa\\u001b[31mrk"'),
        f"{ONE}squares.pa\\x1b[31mrk  'pa\\x1b[31mrk' is no id: small letters, digits and _, a "
        "letter first",
    ),
    "terminal escapes in a key": (
        f'"\\u001b[2J" = 1\n{MINI}',
        f"{ONE}\\x1b[2J  no such rule",
    ),
    "text that runs backwards": (
        mini('"Mini"', '"Mini\\u202e"'),
        f"{ONE}title  must be one line of printable text, not 'Mini\\u202e'",
    ),
    "a title of two lines": (
        mini('"Mini"', '"Mini\\nGame"'),
        f"{ONE}title  must be one line of printable text, not 'Mini\\nGame'",
    ),
    "a title of a whole page": (
        mini('"Mini"', f'"{"x" * 81}"'),
        f"{ONE}title  is too long: at most 80 characters",
    ),
    "a title of nothing": (mini('"Mini"', '""'), f"{ONE}title  must not be empty"),
    # ---- the wrong kind of file
    "an overlay in place of a game": (
        'game = "monopoly"\n[set]\njail.fine = 0\n',
        "1 problem in mine.toml\n"
        "  mine.toml  game  this file is an overlay for 'monopoly'; load that game first",
    ),
    "an overlay that forgot its game": (
        "[set]\njail.fine = 0\n",
        "1 problem in mine.toml\n"
        "  mine.toml  game  an overlay says game = '…' at its top; without that it is a whole game",
    ),
}


@pytest.mark.parametrize("case", GAMES)
def test_a_bad_game_is_refused_with_a_message_that_helps(case: str, tmp_path: Path) -> None:
    text, message = GAMES[case]
    assert complaint(text, tmp_path) == message


BYTES: Mapping[str, tuple[bytes, str]] = {
    "Latin letters in an old encoding": (
        mini("Mini", "Café").encode("latin-1"),
        "this file is not text in UTF-8",
    ),
    "a file saved as UTF-16": (MINI.encode("utf-16"), "this file is not text in UTF-8"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "this file is not text in UTF-8"),
    "a zero byte": (
        MINI.encode() + b"\0",
        "this is not TOML: Invalid statement (at line 18, column 1)",
    ),
    "a text that does not end": (
        b'title = "Mini\n',
        "this is not TOML: Illegal character '\\n' (at line 1, column 14)",
    ),
    "a word without a sign": (
        b'format = 1\ntitle "Mini"\n',
        "this is not TOML: Expected '=' after a key in a key/value pair (at line 2, column 7)",
    ),
    "a key twice": (
        b"format = 1\nformat = 1\n",
        "this is not TOML: Cannot overwrite a value (at line 2, column 11)",
    ),
}


@pytest.mark.parametrize("case", BYTES)
def test_a_file_that_is_no_ruleset_is_refused(case: str, tmp_path: Path) -> None:
    content, why = BYTES[case]
    assert complaint(content, tmp_path) == f"1 problem in mine.toml\n  mine.toml  {why}"


def test_the_signs_of_other_editors_are_no_problem(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(b"\xef\xbb\xbf" + MINI.replace("\n", "\r\n").encode())
    assert load(file).title == "Mini"


def test_a_file_that_is_not_there_or_is_a_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match=r"^1 problem in gone.toml\n.*no such file$"):
        load(tmp_path / "gone.toml")
    with pytest.raises(RulesError, match="this is a folder, not a file"):
        load(tmp_path)
    with pytest.raises(RulesError, match="there is no such file"):
        load("nul\0.toml")


def test_an_unknown_game_is_answered_with_the_nearest() -> None:
    with pytest.raises(RulesError) as caught:
        load("monopolly")
    assert str(caught.value) == (
        "1 problem in monopolly\n  no such game 'monopolly'; did you mean 'monopoly'?"
    )
    with pytest.raises(RulesError, match="this file cannot be read"):
        load("x" * 5000 + ".toml")


# ---------------------------------------------------------------------------- overlays

OVER = "1 problem in corner_shop + mine\n  mine.toml  "
EARLY = "1 problem in corner_shop\n  mine.toml  "

OVERLAYS: Mapping[str, tuple[str, str]] = {
    "a misspelt key": (
        "[set.jail]\nfines = 0",
        f"{OVER}set.jail.fines  no such rule; did you mean jail.fine?",
    ),
    "a misspelt table": (
        "[set.jial]\nfine = 0",
        f"{OVER}set.jial  no such rule; did you mean jail?",
    ),
    "a key outside its table": (
        "[set]\nfine = 0",
        f"{OVER}set.fine  no such rule; did you mean jail.fine?",
    ),
    "a misspelt effect that is set": (
        "[set.squares.market]\nlanding = [{ colect = 4 }]",
        f"{OVER}set.squares.market.landing[0]  unknown effect 'colect'; did you mean 'collect'?",
    ),
    "a misspelt effect that is added behind a good one": (
        "[add.squares.market]\nlanding = [{ collect = 4 }, { colect = 4 }]",
        f"{OVER}add.squares.market.landing[1]  unknown effect 'colect'; did you mean 'collect'?",
    ),
    "a second word in an effect of the game": (
        '[set]\n"squares.market.landing[0].collect" = 3',
        f"{OVER}set.squares.market.landing[0].collect  one effect, one word: {{ pay = … }}, "
        "{ collect = … }",
    ),
    "a text in place of money": (
        '[set]\n"squares.market.landing[0].pay" = "3"',
        f"{OVER}set.squares.market.landing[0].pay  must be a whole number, not '3'",
    ),
    "an entry that the list does not have": (
        '[set]\n"squares.market.landing[5].pay" = 3',
        f"{OVER}set.squares.market.landing[5].pay  this list has only 1 entry, counted from [0]",
    ),
    "an entry of a list that is not there": (
        '[set]\n"squares.station.landing[0].pay" = 3',
        f"{OVER}set.squares.station.landing[0].pay  there is no list squares.station.landing",
    ),
    "a square that is not there": (
        '[set.squares.markt]\nname = "x"',
        f"{OVER}set.squares.markt.name  no such square 'markt'; did you mean 'market'?",
    ),
    "a card that is not there": (
        "[set.decks.letters.cards.birthday]\ncopies = 2",
        f"{OVER}set.decks.letters.cards.birthday.copies  no such card 'birthday'; did you mean "
        "'birthday_money'?",
    ),
    "a square by its number": (
        '[set]\n"squares[7].name" = "x"',
        f"{OVER}set.squares[7].name  squares goes by names, not by numbers",
    ),
    "half a deed": (
        "[set.squares.market.deed]\nprice = 3",
        f"{OVER}set.squares.market.deed.kind  this is needed",
    ),
    "all squares at once": (
        "[set]\nsquares = 3",
        f"{OVER}set.squares  set single squares and cards by their ids; new ones go under add",
    ),
    "something that is no path": (
        '[set]\n"jail..fine" = 0',
        f"{OVER}set  'jail..fine' is not a path such as 'jail.fine' or "
        "'squares.go.passing[0].collect'",
    ),
    "one path twice": (
        '[set]\n"jail.fine" = 3\njail.fine = 4',
        f"{OVER}set.jail.fine  is set twice: 3 and 4",
    ),
    "removing what is not there": (
        'remove = ["jail.fines", "squares.markt", "xyzzy", ""]',
        "4 problems in corner_shop + mine\n"
        "  mine.toml  remove[3]             '' is not a path such as 'jail.fine' or "
        "'squares.go.passing[0].collect'\n"
        "  mine.toml  remove.jail.fines     no such rule 'fines'; did you mean 'fine'?\n"
        "  mine.toml  remove.squares.markt  no such square 'markt'; did you mean 'market'?\n"
        "  mine.toml  remove.xyzzy          no such rule 'xyzzy'",
    ),
    "removing what a game needs": (
        'remove = ["dice"]',
        f"{OVER}remove.dice  this is needed: a table [dice] with count = 2 and sides = 6",
    ),
    "removing where a card sends": (
        'remove = ["squares.corner"]\n[set]\nstart.square = "market"\nlap.square = "market"',
        "1 problem in corner_shop + mine\n"
        "  corner_shop/rules.toml  decks.letters.cards.to_the_corner.effects[0].goto  no such "
        "square 'corner' (mine.toml removes it)",
    ),
    "removing the jail and leaving the way there": (
        'remove = ["jail"]\n[set.squares.red_light]\nlanding = []',
        "1 problem in corner_shop + mine\n"
        "  corner_shop/rules.toml  decks.letters.cards.to_the_station.effects[0].jail  sends to "
        "jail, but there is no table [jail] (mine.toml removes it)",
    ),
    "adding something that is no list": (
        "[add.squares.market]\nlanding = { collect = 3 }",
        f"{OVER}add.squares.market.landing.collect  squares.market.landing is a list: write [ … ]",
    ),
    "adding a number": (
        "[add.squares.market]\nlanding = 3",
        f"{OVER}add.squares.market.landing  what is added must be a list, even of one: [3]",
    ),
    "going on behind a number": (
        "[set.jail.fine]\neuro = 3",
        f"{OVER}set.jail.fine.euro  jail.fine is 5, not a table or a list",
    ),
    "adding to something that is no list": (
        "[add.jail]\nfine = [3]",
        f"{OVER}add.jail.fine  jail.fine is not a list",
    ),
    "adding a square without an id, and a number": (
        '[add]\nsquares = [{ name = "x" }, 3]',
        f"{OVER}add.squares  [0] needs an id, such as id = 'go'; [1] must be a table, not 3",
    ),
    "adding a square that is there already": (
        '[[add.squares]]\nid = "market"',
        f"{OVER}add.squares  there is a row with the id 'market' already",
    ),
    "adding a square with a misspelt effect": (
        '[[add.squares]]\nid = "cinema"\nlanding = [{ pya = 3 }]',
        f"{OVER}add.squares.cinema.landing[0]  unknown effect 'pya'; did you mean 'pay'?",
    ),
    "adding a deck whose cards are a number": (
        '[[add.decks]]\nid = "news"\ncards = 3',
        f"{OVER}add.decks  news.cards must be a list of tables, each with an id, not 3",
    ),
    "faces beside the sides of the game": (
        "[set.dice]\nfaces = { 1 = 1 }",
        f"{OVER}set.dice.faces  give sides or faces, not both; an overlay says "
        "remove = ['dice.sides']",
    ),
    "more dice than can be counted": (
        "[set.dice]\ncount = 4\nsides = 90",
        f"{OVER}set.dice  more than 20,000 different throws; take fewer dice or fewer sides",
    ),
    "needing a sheet from elsewhere": (
        'needs = ["../mine", "house/no_jial"]',
        "2 problems in corner_shop + mine\n"
        "  mine.toml  needs[0]  no such overlay '../mine'\n"
        "  mine.toml  needs[1]  no such overlay 'house/no_jial'; did you mean 'house/no_jail'?",
    ),
    "going over everything": (
        'over = ["*"]',
        f"{EARLY}over[0]  must be the name of an overlay, not '*'",
    ),
    "several problems": (
        "[set.jail]\nfines = 0\nfine = true\n[add.squares.market]\nlanding = [{ colect = 3 }]",
        "3 problems in corner_shop + mine\n"
        "  mine.toml  set.jail.fine                  must be a whole number, not true\n"
        "  mine.toml  set.jail.fines                 no such rule; did you mean jail.fine?\n"
        "  mine.toml  add.squares.market.landing[0]  unknown effect 'colect'; did you mean "
        "'collect'?",
    ),
    "a misspelt heading": (
        "[sett.jail]\nfine = 0",
        f"{EARLY}sett  no such rule; did you mean set?",
    ),
}


@pytest.mark.parametrize("case", OVERLAYS)
def test_a_bad_overlay_is_refused_with_a_message_that_helps(case: str, tmp_path: Path) -> None:
    text, message = OVERLAYS[case]
    assert complaint(f'game = "corner_shop"\n{text}\n', tmp_path, over="corner_shop") == message


def test_an_overlay_for_another_game_or_for_none_is_refused(tmp_path: Path) -> None:
    said = complaint('game = "payday"\n[set]\njail.fine = 0', tmp_path, over="corner_shop")
    assert said == f"{EARLY}game  this overlay is for 'payday', not for 'corner_shop'"
    said = complaint("[set]\njail.fine = 0", tmp_path, over="corner_shop")
    assert said == (
        f"{EARLY}game  an overlay says game = '…' at its top; without that it is a whole game"
    )


def test_a_file_says_itself_for_which_game_it_is(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('game = "corner_shop"\n[set]\njail.fine = 0\n')
    rules = open_file(file)
    assert rules.name == "corner_shop + mine"
    assert rules.jail is not None
    assert rules.jail.fine == 0
    file.write_text("game = 3\n")
    with pytest.raises(RulesError, match="must be the name of a game, not 3"):
        open_file(file)
    file.write_text('game = "../monopoly"\n')
    with pytest.raises(RulesError, match=r"game  no such game '\.\./monopoly'"):
        open_file(file)


def test_two_overlays_that_disagree_are_both_named(tmp_path: Path) -> None:
    for name, fine in (("cheap", 1), ("dear", 9)):
        (tmp_path / f"{name}.toml").write_text(f'game = "corner_shop"\nset.jail.fine = {fine}\n')
    with pytest.raises(RulesError) as caught:
        load("corner_shop", tmp_path / "dear.toml", tmp_path / "cheap.toml")
    assert str(caught.value) == (
        "1 problem in corner_shop + cheap + dear\n"
        "  cheap.toml and dear.toml  jail.fine  both set jail.fine: 1 against 9; leave one out, or "
        "write over = ['dear'] in cheap.toml"
    )


# --------------------------------------------------- well written, and still no walk


def game(*squares: dict[str, Any], faces: dict[str, Any] | None = None, **more: Any) -> Rules:
    """A game in memory: squares a, b, c … in a ring, one die (default: 1 or 2)."""
    rows = [{"id": "abcdefgh"[place], **square} for place, square in enumerate(squares)]
    dice = {"count": 1, "faces": faces or {"1": 1, "2": 1}}
    return load({"format": 1, "title": "Ring", "dice": dice, "squares": rows, **more})


def test_squares_that_send_one_another_around_for_ever_are_found_by_the_chain() -> None:
    rules = game({"landing": [{"goto": "b"}]}, {"landing": [{"goto": "a"}]}, {})
    with pytest.raises(RulesError) as caught:
        chain(rules)
    assert str(caught.value) == (
        "1 problem in your game\n"
        "  squares.a  the rules go in circles here and never ask for a throw"
    )


def test_a_unit_that_never_happens_has_no_mean() -> None:
    def journeys_to_jail(event: Event) -> int:
        return int(isinstance(event, Jailed))

    with pytest.raises(RulesError, match="under these rules no journeys_to_jail ever happen"):
        per(chain(game({}, {})), journeys_to_jail, laps)


def test_waiting_for_what_may_never_happen_is_refused() -> None:
    rules = game({}, {}, {}, {}, faces={"2": 1})
    with pytest.raises(RulesError, match="may never happen, so the wait has no mean"):
        until(chain(rules), lambda event: getattr(event, "square", "") == "b")


def test_a_board_that_falls_into_two_parts_has_no_long_run() -> None:
    # a die that always shows 3 on six squares: a-d, b-e, c-f; the card at d leads to e or to f
    deck = {
        "cards": [
            {"id": "one_on", "effects": [{"move": 1}]},
            {"id": "two_on", "effects": [{"move": 2}]},
        ]
    }
    board = [{}, {}, {}, {"landing": [{"draw": "way"}]}, {}, {}]
    rules = game(*board, faces={"3": 1}, decks={"way": deck})
    with pytest.raises(RulesError, match="two separate parts of the board") as caught:
        stationary(chain(rules))
    assert "one with b" in str(caught.value)
    assert "one with c" in str(caught.value)


def test_a_card_that_adds_two_draws_for_one_grows_without_end() -> None:
    deck = {"cards": [{"id": "more", "effects": [{"draw": "d"}, {"draw": "d"}]}, {"id": "enough"}]}
    rules = game({"landing": [{"draw": "d"}]}, {}, {}, decks={"d": deck})
    with pytest.raises(RulesError) as caught:
        chain(rules, most_states=300)
    assert str(caught.value) == (
        "1 problem in your game\n"
        "  more than 300 states; a rule keeps adding to what is still to come, or the game is "
        "large (then allow more: chain(rules, most_states=…))"
    )


def test_a_policy_is_a_chance_and_nothing_else() -> None:
    for nonsense in ("2", "-1/2", "x", "nan", "1/0"):
        with pytest.raises(RulesError, match="needs chances from 0 to 1"):
            mixed(nonsense)


# ------------------------------------------------------------------------ shown as text


def test_html_in_names_is_shown_and_not_obeyed() -> None:
    evil = "<script>alert(1)</script>"
    rules = game({"name": evil}, {"name": "<b>b</b>"}, title=evil)
    for shown in (rules, landing(rules), chain(rules)):
        html = shown._repr_html_()
        assert "<script>" not in html
        assert "<b>b</b>" not in html
    assert "&lt;script&gt;" in rules._repr_html_()
    assert "&lt;script&gt;" in landing(rules)._repr_html_()


# ------------------------------------------------------------------------- in a hurry


def test_numbers_of_python_are_read_as_a_file_would_hold_them() -> None:
    rules = game({}, {}, faces={1: 0.1, 2: Fraction(1, 5)})
    assert rules.dice.faces == ((1, Fraction(1, 10)), (2, Fraction(1, 5)))
    with pytest.raises(RulesError, match="not nan"):
        game({}, {}, faces={"1": float("nan")})
    boxes: list[Any] = []
    boxes.append(boxes)  # a list that contains itself
    with pytest.raises(RulesError, match="nested too deep"):
        game({}, {}, rulebook=boxes)
    with pytest.raises(RulesError, match="nested too deep"):
        game({}, {}).but({"jail": boxes})


REAL = sorted(data_folder().rglob("*.toml"))
SWEETS = ("-1", "0", "true", "nan", "1e9", '"x"', "[]", "{}", "[[", "]]", '"', "=", "go", "\0", "é")


@st.composite
def spoilt(draw: st.DrawFn) -> str:
    """One of the real files, spoilt in a few places by small cuts, swaps and insertions."""
    lines = draw(st.sampled_from(REAL)).read_text(encoding="utf-8").split("\n")
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(lines) - 1))
        other = draw(st.integers(0, len(lines) - 1))
        how = draw(st.sampled_from(("cut", "double", "swap", "letter", "value", "word")))
        line = lines[place]
        at = draw(st.integers(0, len(line)))
        if how == "cut":
            lines[place] = ""
        elif how == "double":
            lines.insert(other, line)
        elif how == "swap":
            lines[place], lines[other] = lines[other], line
        elif how == "letter":
            lines[place] = line[:at] + line[at + 1 :]
        elif how == "value" and "=" in line:
            lines[place] = f"{line.partition('=')[0]}= {draw(st.sampled_from(SWEETS))}"
        else:
            lines[place] = line[:at] + draw(st.sampled_from(SWEETS)) + line[at:]
    return "\n".join(lines)


@settings(
    max_examples=400, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
)
@given(content=spoilt())
def test_a_spoilt_file_loads_or_is_refused_and_nothing_else(
    content: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.getbasetemp() / "spoilt.toml"
    file.write_bytes(content.encode())
    begun = time.process_time()
    said = refusal(file)
    assert time.process_time() - begun < 2
    assert all(letter.isprintable() for line in said.split("\n") for letter in line)
    assert not said or "  spoilt.toml" in said or "rules.toml" in said


def refusal(file: Path) -> str:
    """What is said to a file that is refused, or nothing."""
    try:
        open_file(file)
    except RulesError as error:
        return str(error)
    return ""


@settings(
    max_examples=100, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
)
@given(content=st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_noise_is_refused_and_nothing_else(
    content: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.getbasetemp() / "noise.toml"
    file.write_bytes(content)
    with pytest.raises(RulesError):
        open_file(file)
