"""Files made to hurt: whatever is in them, the answer is a `RulesError`, soon, in little memory.

What is merely wrong is in `test_bad_files.py`; here are files that are endless, enormous or sly,
and owner's sheets as spreadsheets and jokers leave them.  Times are those of the processor, so that
a busy machine is no reason to fail.
"""

from __future__ import annotations

import csv
import io
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from boardrules.chain import chain
from boardrules.library import load, open_file
from boardrules.rules import RulesError
from boardrules.sheet import write
from boardrules.tables import landing

SECONDS = 20
"""What takes longer hangs.  Files like these take a second at most; a busy machine may take two."""
MEMORY = 500_000_000

HEAD = 'format = 1\ntitle = "Trap"\n'
DICE = "[dice]\ncount = 1\nsides = 6\n"
RING = '[[squares]]\nid = "a"\n[[squares]]\nid = "b"\n'


@contextmanager
def soon() -> Iterator[None]:
    """What is done inside has to take less than two seconds of the processor."""
    begun = resource.getrusage(resource.RUSAGE_SELF)
    yield
    ended = resource.getrusage(resource.RUSAGE_SELF)
    took = ended.ru_utime + ended.ru_stime - begun.ru_utime - begun.ru_stime
    assert took < SECONDS, f"took {took:.1f} s"


def many(count: int, line: Callable[[int], str]) -> str:
    return "".join(line(place) for place in range(count))


def squares(*rows: str) -> str:
    """A whole game of squares, each given by its lines beside the id."""
    return HEAD + DICE + many(len(rows), lambda n: f"[[squares]]\nid = 's{n}'\n{rows[n]}\n")


def deck(*cards: str, of: str = "d") -> str:
    """A deck of cards, each given by its effects."""
    return many(
        len(cards), lambda n: f"[[decks.{of}.cards]]\nid = 'c{n}'\neffects = [{cards[n]}]\n"
    )


def board(landing_on_b: str) -> str:
    """Two squares; what happens on the second."""
    return f"{HEAD}{DICE}{RING}landing = [{landing_on_b}]\n"


def walk(file: Path, over: str) -> None:
    landing(chain(load(over, file) if over else open_file(file), number=float))


def said(file: Path, over: str = "") -> str:
    """What is said to a file, at the latest when its walk is followed."""
    with soon(), pytest.raises(RulesError) as caught:
        walk(file, over)
    assert len(caught.value.problems) <= 101
    assert len(str(caught.value)) < 50_000
    return str(caught.value)


# ------------------------------------------------------------------- games without an end

DRAW = '{ draw = "d" }'

ENDLESS: Mapping[str, tuple[str, str]] = {
    "a card that draws itself": (
        board(DRAW) + deck(DRAW),
        "a turn that comes here can never end",
    ),
    "a card that draws two more": (
        board(DRAW) + deck(f"{DRAW}, {DRAW}", "{ collect = 1 }"),
        "a rule keeps adding to what is still to come",
    ),
    "a card that draws fifty more": (
        board(DRAW) + deck(", ".join([DRAW] * 50), "{ collect = 1 }"),
        "a rule keeps adding to what is still to come",
    ),
    "two decks that draw from one another, twice": (
        board(DRAW)
        + deck('{ draw = "e" }, { draw = "e" }', "{ collect = 1 }")
        + deck(f"{DRAW}, {DRAW}", "{ collect = 1 }", of="e"),
        "a rule keeps adding to what is still to come",
    ),
    "squares that send one another round": (
        squares("landing = [{ goto = 's1' }]", "landing = [{ goto = 's0' }]"),
        "the rules go in circles here",
    ),
    "a square that sends back to itself": (
        squares("landing = [{ move = 2 }]", ""),
        "the rules go in circles here",
    ),
    "a hundred squares, each two moves on": (
        squares(*["landing = [{ move = 1 }, { move = 1 }]"] * 100),
        "a rule keeps adding to what is still to come",
    ),
    "fifty moves of a thousand squares past fifty payments each": (
        squares(
            *[f"passing = [{'{ collect = 1 }, ' * 50}]\nlanding = [{'{ move = 1000 }, ' * 50}]"]
            * 40
        ),
        "a rule keeps adding to what is still to come",
    ),
    "two more rolls for every roll": (
        board("{ roll = true }, { roll = true }"),
        "a rule keeps adding to what is still to come",
    ),
    "a choice that asks itself again, and again": (
        board('{ ask = "x", answers = { a = [{ roll = true }] }, otherwise = "a" }, ' * 50),
        "a rule keeps adding to what is still to come",
    ),
    "a deck whose cards are all kept": (
        board(DRAW) + deck('{ keep = "k" }') + '[chain]\ncarries = ["k"]\n',
        "no card is left to draw",
    ),
    "a jail that nobody leaves": (
        board("{ jail = true }")
        + '[jail]\nsquare = "a"\nattempts = 20\nfine_before = []\ndoubles_out = "never"\n',
        "must be 'turn_ends' or 'roll_again', not 'never'",
    ),
}


@pytest.mark.parametrize("case", ENDLESS)
def test_a_game_without_an_end_is_told_from_a_long_one(case: str, tmp_path: Path) -> None:
    text, words = ENDLESS[case]
    file = tmp_path / "trap.toml"
    file.write_text(text)
    assert words in said(file)


# ------------------------------------------------------------------- enormous and sly games

NEAREST = "[" + "{ nearest = 'k' }, " * 50 + "]"

ENORMOUS: Mapping[str, tuple[str, str]] = {
    "fifty thousand keys": (
        HEAD + DICE + RING + "[more]\n" + many(50_000, lambda n: f"k{n} = 1\n"),
        "more  no such rule",
    ),
    "fifty thousand keys at the top": (
        many(50_000, lambda n: f"k{n} = 1\n") + HEAD + DICE + RING,
        "and more problems like these",
    ),
    "ten thousand squares without an id": (
        HEAD + DICE + "[[squares]]\n" * 10_000,
        "squares[0]   needs an id",
    ),
    "two hundred thousand empty lists": (
        "x = [\n" + "[],\n" * 200_000 + "]\n",
        "more than 150,000 keys and lists",
    ),
    "keys of a hundred parts": (
        many(1_000, lambda n: f"x{n}" + ".a" * 119 + " = 1\n"),
        "nested too deep",
    ),
    "tables of a hundred parts": (
        many(2_000, lambda n: "[" + "a." * 119 + f"b{n}]\n"),
        "nested too deep",
    ),
    "a text of escapes": (
        'x = """' + ("\\n" * 9_000 + "\n") * 30 + '"""\n' + HEAD + DICE + RING,
        "x  no such rule",
    ),
    "forty thousand words that do not exist": (
        squares(*[f"landing = [{'{ x = 1 }, ' * 50}]\npassing = [{'{ x = 1 }, ' * 50}]"] * 300),
        "unknown effect 'x'",
    ),
    "more cards than a deck has": (
        board(DRAW) + deck(*["{ collect = 1 }"] * 1_001),
        "needs at most 1,000 of these",
    ),
    "fifty looks for the nearest on every peg of every square": (
        squares(*[f"kind = 'k'\nlanding = {NEAREST}\npassing = {NEAREST}"] * 200),
        "a rule keeps adding to what is still to come",
    ),
    "four dice of twelve weighted faces each": (
        f"{HEAD}[dice]\ncount = 4\nfaces = {{ {', '.join(f'{n} = {n + 1}' for n in range(12))} }}\n"
        + RING,
        "more than 20,000 different throws",
    ),
    "a weight of eighteen digits and one more": (
        f"{HEAD}[dice]\nfaces = {{ 1 = '1/{10**18 + 1}', 2 = 1 }}\n{RING}",
        "must be a number, or a fraction such as '1/6'",
    ),
    "a negative fraction": (
        f"{HEAD}[dice]\nfaces = {{ 1 = '-1/6', 2 = 1 }}\n{RING}",
        "must be more than 0, not '-1/6'",
    ),
    "copies without end": (
        board(DRAW) + "[[decks.d.cards]]\nid = 'c'\ncopies = inf\n",
        "must be a number, or a fraction such as '1/6', not inf",
    ),
    "copies that are no number": (
        board(DRAW) + "[[decks.d.cards]]\nid = 'c'\ncopies = nan\n",
        "must be a number, or a fraction such as '1/6', not nan",
    ),
    "copies below zero": (
        board(DRAW) + "[[decks.d.cards]]\nid = 'c'\ncopies = -3\n",
        "must be more than 0, not -3",
    ),
    "true as copies": (
        board(DRAW) + "[[decks.d.cards]]\nid = 'c'\ncopies = true\n",
        "must be a number, or a fraction such as '1/6', not true",
    ),
    "true as a rent": (
        board("").replace("landing = []", "deed = { kind = 'street', rent = [true] }"),
        "rent[0]  must be a whole number, not true",
    ),
    "nan as a price": (
        board("").replace("landing = []", "deed = { kind = 'street', price = nan }"),
        "price  must be a whole number, not nan",
    ),
    "cash of five thousand digits": (
        f"{HEAD}{DICE}{RING}[start]\ncash = {'9' * 5_000}\n",
        "a number has thousands of digits",
    ),
    "a rate of five thousand digits": (
        f"{HEAD}{DICE}{RING}[accounts]\nloan_rate = '{'9' * 5_000}'\n",
        "must be a number, or a fraction such as '1/6', not '999",
    ),
    "boxes in an effect": (
        board("{ collect = " + "[" * 30 + "]" * 30 + " }"),
        "must be a whole number, not [[[",
    ),
}


@pytest.mark.parametrize("case", ENORMOUS)
def test_an_enormous_or_sly_game_is_refused_soon(case: str, tmp_path: Path) -> None:
    text, words = ENORMOUS[case]
    file = tmp_path / "trap.toml"
    file.write_text(text)
    assert words in said(file)


def test_hints_for_ten_thousand_cards_take_no_time(tmp_path: Path) -> None:
    def card(place: int) -> str:
        return f"{{ keep = 'kept_{place}' }}, {{ use = 'other{place}x' }}"

    file = tmp_path / "trap.toml"
    text = board('{ draw = "d0" }')
    for name in range(10):
        text += deck(*(card(500 * name + place) for place in range(500)), of=f"d{name}")
    file.write_text(text)
    with soon():
        assert len(load(file).decks) == 10


# --------------------------------------------------------------------------------- overlays

OVER = 'game = "corner_shop"\n'


def quoted(number: int) -> str:
    """One of the ways to write the path a.b.c.d.e.f.g.h.i.j.k: with dots, or in quotes."""
    text = "'a"
    for place, letter in enumerate("bcdefghijk"):
        text += f"'.'{letter}" if number >> place & 1 else f".{letter}"
    return f"{text}'"


OVERLAYS: Mapping[str, tuple[str, str]] = {
    "fifty thousand changes": (
        OVER + "[set.jail]\n" + many(50_000, lambda n: f"k{n} = 1\n"),
        "more than 10,000 changes in one overlay",
    ),
    "everything twice": (
        OVER + "[set]\n" + many(3_000, lambda n: f"jail.k{n} = 1\n'jail.k{n}' = 2\n"),
        "set.jail.k0   is set twice: 1 and 2",
    ),
    "one path in a thousand ways": (
        OVER + "[set]\n" + many(2**10, lambda n: f"{quoted(n)} = {n}\n"),
        "is set twice: 0 and 1",
    ),
    "a thousand removals of one thing, and what is set in it": (
        OVER
        + "remove = [\n"
        + '"jail",\n' * 1_000
        + "]\n[set.jail]\n"
        + many(9_000, lambda n: f"k{n} = 1\n"),
        "set.jail.k0",
    ),
    "a long value against a thousand others": (
        OVER
        + f"[set.squares.market]\nlanding = [{'{ pay = 1 },' + chr(10)}"
        + "{ pay = 1 },\n" * 20_000
        + "]\n[set]\n"
        + many(1_000, lambda n: f"'squares.market.landing[{n}].k' = 1\n"),
        "needs at most 50 of these",
    ),
    "ten thousand new squares that are wrong": (
        OVER + many(9_000, lambda n: f"[[add.squares]]\nid = 's{n}'\nx = 1\n"),
        "and more problems like these",
    ),
    "zero as a weight": (
        OVER + "[set.decks.letters.cards.library_fine]\ncopies = 0\n",
        "must be more than 0, not 0",
    ),
    "a path of thousands of parts": (
        OVER + f"[set]\n'{'a.' * 9_000}a' = 1\n",
        "is not a path",
    ),
    "a path into thousands of lists": (
        OVER + f"[set]\n'squares.market.landing{'[0]' * 6_000}' = 1\n",
        "is not a path",
    ),
    "a path to the last entry there can be": (
        OVER + "[set]\n'squares.market.landing[9999].pay' = 1\n",
        "this list has only 1 entry",
    ),
    "a path of five thousand digits": (
        OVER + f"[set]\n'squares.market.landing[{'9' * 5_000}].pay' = 1\n",
        "is not a path",
    ),
}


@pytest.mark.parametrize("case", OVERLAYS)
def test_a_hostile_overlay_is_refused_soon(case: str, tmp_path: Path) -> None:
    text, words = OVERLAYS[case]
    file = tmp_path / "trap.toml"
    file.write_text(text)
    assert words in said(file, over="corner_shop")


# -------------------------------------------------------------------------- owner's sheets


def fresh(game: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(write(load(game).tree))))


def as_csv(rows: Iterable[Iterable[str]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()


FILL = "row,number,name,kind,amount,tag\n"

SHEETS: Mapping[str, tuple[bytes, str]] = {
    "nothing": (b"", "this column is missing; start from a fresh sheet"),
    "a million rows": (
        b"row,number\n" + b"square,1\n" * 1_000_000,
        "the file is larger than 1,000,000 bytes",
    ),
    "as many rows as fit": (
        b"row,number\n" + b"square,1\n" * 100_000,
        "row 2002  more than 2,000 rows; there are far fewer",
    ),
    "two thousand new cards": (
        b"row,number,name,kind,deck,amount\n"
        + many(2_000, lambda n: f"card,,n{n},take,give_or_take,1\n").encode(),
        "needs at most 1,000 of these",
    ),
    "as many empty cells as fit": (b"," * 19_000 + b"\n" + b"," * 19_000, "column is missing"),
    "a zero byte": (FILL.encode() + b"square,2,\0,,,\n", ""),
    "a zero byte in a number": (FILL.encode() + b"square,2,,,5\0,\n", ""),
    "a huge cell": (FILL.encode() + b"square,2," + b"x" * 19_000 + b",,,\n", "is too long"),
    "a huge cell over many lines": (
        FILL.encode() + b'square,2,"' + b"x\n" * 200_000 + b'",,,\n',
        "this is no CSV: field larger than field limit",
    ),
    "a quote that never ends": (
        FILL.encode() + b'square,2,"A,,,\nsquare,3,B,,,\n',
        "this is no CSV: unexpected end of data",
    ),
    "an old encoding": (FILL.encode() + b"square,2,Caf\xe9,,,\n", "not text in UTF-8"),
    "UTF-16": (FILL.encode("utf-16"), "not text in UTF-8"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "not text in UTF-8"),
    "a page of HTML": (b"<!doctype html>\n<html><body>row,number</body></html>", "column"),
    "a dollar sign": (
        FILL.encode() + b"square,2,,,$1200,\n",
        "row 2, column amount  write the number alone, 1200 instead of '$1200'",
    ),
    "a euro sign behind": (
        FILL.encode() + "square,2,,,12 €,\n".encode(),
        "row 2, column amount  write the number alone, 12 instead of '12 €'",
    ),
    "not a number": (FILL.encode() + b"square,2,,,nan,\n", "must be a whole number, not 'nan'"),
    "true as money": (FILL.encode() + b"square,2,,,TRUE,\n", "must be a whole number, not 'TRUE'"),
    "infinity": (FILL.encode() + b"square,2,,,inf,\n", "must be a whole number, not 'inf'"),
    "half a dollar": (FILL.encode() + b"square,2,,,1.50,\n", "must be a whole number, not '1.50'"),
    "five thousand digits": (
        FILL.encode() + b"square,2,,," + b"9" * 5_000 + b",\n",
        "must be a whole number, not '999",
    ),
    "digits of another script": (
        FILL.encode() + "square,2,,,٣٤,\n".encode(),
        "must be a whole number, not '٣٤'",
    ),
    "a formula": (
        FILL.encode() + b"square,2,,,=1+1,\n",
        "must be a whole number, not '=1+1'",
    ),
    "an error of a spreadsheet": (
        FILL.encode() + b"square,#REF!,A,,,\n",
        "column number  must be a whole number, not '#REF!'",
    ),
    "terminal escapes": (
        FILL.encode() + b"square,2,\x1b[31m,,,\n",
        "must be one line of printable text, not '\\x1b[31m'",
    ),
    "a kind that is none": (
        FILL.encode() + b"square,2,,A B,,\n",
        "'A B' is no id",
    ),
    "a square that leaves its place empty": (
        FILL.encode() + b"square,5,Black Kat Night Club,,,\n",
        "its square was number 28, so say in a row what is on 28",
    ),
    "one square on two places": (
        FILL.encode() + b"square,5,Here,,,\nsquare,6,Here,,,\n",
        "",
    ),
    "a card's cell on a square": (
        b"row,number,target\nsquare,2,bonus\n",
        "row 2, column target  only cards have this",
    ),
    "a square's cell on a card": (
        b"row,number,price\ncard,1,100\n",
        "row 2, column price  only squares have this",
    ),
    "a card that is sent somewhere and goes nowhere": (
        b"row,number,target,id\ncard,1,bonus,exemption\n",
        "row 2, column target  this card sends nobody anywhere",
    ),
    "more copies than there is paper": (
        b"row,number,copies\ncard,1,1000000000\n",
        "column copies  must be a whole number, not '1000000000'",
    ),
    "minus three copies": (b"row,number,copies\ncard,1,-3\n", "must be 0 or more"),
    "all cards gone": (
        b"row,number,copies\n" + many(40, lambda n: f"card,{n + 1},0\n").encode(),
        "",
    ),
}
"""Sheets for Easy Money; where no words are given, the sheet may also be taken."""


@pytest.mark.parametrize("case", SHEETS)
def test_a_hostile_sheet_is_told_by_row_and_column(case: str, tmp_path: Path) -> None:
    content, words = SHEETS[case]
    file = tmp_path / "mine.csv"
    file.write_bytes(content)
    if words:
        assert words in said(file, over="easy_money")
        return
    with soon():
        try:
            rules = load("easy_money", file)
        except RulesError:
            return
        landing(chain(rules, number=float))


def test_a_sheet_that_lost_a_row_only_leaves_that_square_as_it_was(tmp_path: Path) -> None:
    rows = fresh("easy_money")
    file = tmp_path / "mine.csv"
    file.write_bytes(as_csv(row for place, row in enumerate(rows) if place != 5))
    assert load("easy_money", file).changes == ()


def test_a_sheet_cannot_be_worked_into_a_broken_game(tmp_path: Path) -> None:
    sheet = tmp_path / "mine.csv"
    sheet.write_text("row,number,amount\nsquare,0,5\n")
    game = tmp_path / "broken.toml"
    for text in ("", HEAD, HEAD + DICE + "squares = 3\n", board("5"), board("") + "[decks.d]\n"):
        game.write_text(text)
        assert "broken.toml" in said_to(game, sheet)
    first = tmp_path / "first.csv"
    first.write_text("row,number,kind\nsquare,2,A B\n")
    assert "'A B' is no id" in said_to("easy_money", first, sheet)


def said_to(*sources: str | Path) -> str:
    with soon(), pytest.raises(RulesError) as caught:
        load(*sources)
    return str(caught.value)


# ------------------------------------------------------------ alone, with little memory

WORST: Mapping[str, Mapping[str, tuple[str, str]]] = {"game": ENDLESS | ENORMOUS, "over": OVERLAYS}
ALONE = (
    "a card that draws fifty more",
    "fifty moves of a thousand squares past fifty payments each",
    "fifty thousand keys at the top",
    "keys of a hundred parts",
    "a text of escapes",
    "a long value against a thousand others",
    "a thousand removals of one thing, and what is set in it",
)


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_AS"), reason="memory cannot be limited here")
@pytest.mark.parametrize("case", ALONE)
def test_the_worst_files_are_refused_within_two_seconds_and_500_megabytes(
    case: str, tmp_path: Path
) -> None:
    text, words = (WORST["game"] | WORST["over"])[case]
    file = tmp_path / "trap.toml"
    file.write_text(text)
    command = [sys.executable, "-c", _LIMITED, str(MEMORY), "check", str(file)]
    # one thread of algebra: each would reserve memory of its own that nobody uses
    quiet = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run(command, capture_output=True, encoding="utf-8", env=quiet, timeout=60)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert ended.stderr == ""
    assert ended.returncode == 1
    assert words in ended.stdout
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert took < SECONDS, f"took {took:.1f} s"


_LIMITED = """
import resource, sys
most = int(sys.argv.pop(1))
resource.setrlimit(resource.RLIMIT_AS, (most, most))
from boardrules.__main__ import main
sys.exit(main(sys.argv[1:]))
"""
