"""The board as a picture: places, colours, writing, and the still SVG."""

from __future__ import annotations

import ast
import re
import sys
import xml.etree.ElementTree as ET
from fractions import Fraction
from math import atan2, pi
from pathlib import Path
from typing import Any

import pytest
from conftest import rules_of

from boardrules import board
from boardrules.board import IN_JAIL, Box, contrast, layout, percent, shade, svg
from boardrules.library import load
from boardrules.rents.position import position
from boardrules.rules import Rules, RulesError
from boardrules.tables import landing

GAMES = ("monopoly", "easy_money", "payday", "corner_shop")
SVG = "{http://www.w3.org/2000/svg}"


def ring_rules(count: int, jail: int | None = None) -> Rules:
    """A board of so many empty squares, with a jail beside one of them."""
    game: dict[str, Any] = {
        "format": 1,
        "title": f"Ring of {count}",
        "dice": {"count": 1, "sides": 2},
        "squares": [{"id": f"s{place}"} for place in range(count)],
    }
    if jail is not None:
        game["jail"] = {"square": f"s{jail}"}
    return load(game)


def apart(boxes: list[Box]) -> bool:
    return not any(one.meets(two) for k, one in enumerate(boxes) for two in boxes[:k])


def inside(small: Box, width: float, height: float) -> bool:
    return (
        small.x >= 0
        and small.y >= 0
        and small.x + small.width <= width + 1e-6
        and small.y + small.height <= height + 1e-6
    )


def tokens_in(root: ET.Element) -> list[tuple[float, float]]:
    """Where the tokens and the other marks of a picture stand."""
    moved = [group.attrib.get("transform", "") for group in root.iter(f"{SVG}g")]
    numbers = [re.findall(r"-?[\d.]+", one) for one in moved if one]
    return [(float(x), float(y)) for x, y in numbers]


# --------------------------------------------------------------------------------- places


@pytest.mark.parametrize("count", range(2, 61))
def test_a_ring_of_any_size_has_its_squares_apart_and_on_the_board(count: int) -> None:
    places = board.ring(count)
    assert len(places.boxes) == count
    assert apart(list(places.boxes))
    assert all(inside(box, places.width, places.height) for box in places.boxes)


@pytest.mark.parametrize("count", range(2, 61))
def test_a_ring_goes_clockwise_from_the_lower_right_corner(count: int) -> None:
    places = board.ring(count)
    first = places.boxes[0]
    assert first.x + first.width == pytest.approx(places.width)
    assert first.y + first.height == pytest.approx(places.height)

    def turned(box: Box) -> float:  # how far round, seen from the middle, from the first square
        x = box.x + box.width / 2 - places.width / 2
        y = box.y + box.height / 2 - places.height / 2
        return atan2(y, x) % (2 * pi)

    start = turned(first)
    way = [(turned(box) - start) % (2 * pi) for box in places.boxes]
    assert way == sorted(way)
    assert len(set(way)) == count


@pytest.mark.parametrize("count", [40, 48, 8])
def test_a_ring_of_fours_has_a_corner_after_every_quarter(count: int) -> None:
    places = board.ring(count)
    corners = [places.boxes[k * count // 4] for k in range(4)]
    right, low = places.width - corners[0].width, places.height - corners[0].height
    assert [(box.x, box.y) for box in corners] == [
        (pytest.approx(right), pytest.approx(low)),
        (0, pytest.approx(low)),
        (0, 0),
        (pytest.approx(right), 0),
    ]


@pytest.mark.parametrize("count", [2, 3, 4, 5, 8, 13, 40, 60])
def test_the_jail_covers_no_square_and_leaves_room_to_write(count: int) -> None:
    for jail in {0, count // 3, count // 2, count - 1}:
        drawn = layout(ring_rules(count, jail))
        assert drawn.cells[-1].id == IN_JAIL
        boxes = [cell.box for cell in drawn.cells]
        assert apart([*boxes, drawn.panel])
        assert all(inside(box, drawn.width, drawn.height) for box in boxes)
        assert drawn.panel.width > 300
        assert drawn.panel.height > 300


def test_a_board_with_a_stop_is_a_calendar_with_a_week_in_a_row() -> None:
    boxes = {cell.id: cell.box for cell in layout(rules_of("payday")).cells}
    assert boxes["day_1"].y == boxes["day_7"].y < boxes["day_8"].y
    assert boxes["day_1"].x == boxes["day_8"].x == boxes["day_29"].x == 0
    assert boxes["day_7"].x == boxes["day_28"].x == 6 * boxes["day_1"].width
    assert boxes["day_0"].y < boxes["day_1"].y
    assert apart([*boxes.values(), layout(rules_of("payday")).panel])


def test_a_calendar_that_begins_with_day_one_needs_no_row_above() -> None:
    drawn = layout(load("payday", {"set": {"numbering": 1}}))
    assert (drawn.cells[0].box.x, drawn.cells[0].box.y) == (0, 0)


# -------------------------------------------------------------------------------- colours


def test_black_on_white_has_the_highest_contrast_there_is() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)  # (1 + 0.05) / (0 + 0.05)
    assert contrast("#777777", "#777777") == 1


def test_writing_can_be_read_on_every_heat_colour() -> None:
    for step in range(1001):
        fill, ink = shade(step / 1000)
        assert contrast(fill, ink) >= 4.5, (step, fill)


def test_more_heat_is_always_brighter() -> None:
    light = [contrast("#000000", shade(step / 100)[0]) for step in range(101)]
    assert light == sorted(light)


def test_the_letter_of_a_group_can_be_read_on_its_stripe() -> None:
    for name in GAMES:
        for colour, _ in board.groups(rules_of(name)).values():
            assert contrast(colour, board.ink_on(colour)) >= 4.5


def test_no_two_groups_share_a_letter_and_no_two_groups_of_streets_a_colour() -> None:
    marks = board.groups(rules_of("monopoly"))
    assert len({letter for _, letter in marks.values()}) == 10
    assert len({colour for colour, _ in marks.values()}) == 9  # railroads, utilities are grey
    assert marks["orange"] == ("#e69f00", "O")
    assert marks["red"][1] == "R"
    assert marks["railroad"][1] == "Ra"


def test_more_groups_than_colours_still_have_letters_of_their_own() -> None:
    squares = [
        {"id": f"s{k}", "deed": {"kind": "street", "group": f"blocks_{'abcdefghijkl'[k]}"}}
        for k in range(12)
    ]
    game = {"format": 1, "title": "Blocks", "dice": {"sides": 2}, "squares": squares}
    letters = [letter for _, letter in board.groups(load(game)).values()]
    assert len(set(letters)) == 12


# -------------------------------------------------------------------------------- writing


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *((0, ""), (-0.1, ""), (0.0004, "<0.1%"), (0.0005, "0.1%"), (0.029, "2.9%")),
        *((1 / 16, "6.3%"), (0.9994, "99.9%"), (0.9996, "100%"), (1, "100%"), (1.25, "125.0%")),
    ],
)
def test_percents_are_short(value: float, text: str) -> None:
    assert percent(value) == text


@pytest.mark.parametrize("name", GAMES)
def test_every_name_is_written_within_its_square(name: str) -> None:
    for cell in layout(rules_of(name)).cells:
        assert cell.lines
        assert cell.size >= 12
        low = cell.text_at[-1][1]
        assert low < cell.heat_at[1] - 0.7 * cell.heat_at[2]  # above the number
        for (x, _), line in zip(cell.text_at, cell.lines, strict=True):
            assert x + board.text_width(line, cell.size) <= cell.box.x + cell.box.width


def test_names_are_shortened_only_where_room_is_short() -> None:
    written = {cell.id: " ".join(cell.lines) for cell in layout(rules_of("monopoly")).cells}
    assert written["boardwalk"] == "Boardwalk"
    assert written["illinois"] == "Illinois Avenue"
    assert board.fit("Baltic Avenue", 200, 18, (16.0,)) == (("Baltic Avenue",), 16.0)
    assert board.fit("Baltic Avenue", 90, 18, (16.0,)) == (("Baltic Ave.",), 16.0)
    assert board.fit("Baltic Avenue", 90, 36, (16.0,)) == (("Baltic", "Avenue"), 16.0)
    lines, _ = board.fit("Pneumonoultramicroscopicsilicovolcanoconiosis", 60, 30, (16.0,))
    assert lines[0].endswith("…")


# -------------------------------------------------------------------------------- picture


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_picture_with_a_title_and_a_description(name: str) -> None:
    rules = rules_of(name)
    picture = svg(rules, landing(rules, number=float), rules.start.square, "Where rolls end")
    root = ET.fromstring(picture.text)
    assert root.tag == f"{SVG}svg"
    assert root.attrib["role"] == "img"
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert desc is not None
    assert title.text == "Where rolls end"
    assert rules.square(rules.start.square).name in (desc.text or "")
    assert root.attrib["aria-labelledby"] == f"{title.attrib['id']} {desc.attrib['id']}"
    cells = [group for group in root.findall(f"{SVG}g") if group.find(f"{SVG}title") is not None]
    assert len(cells) == len(rules.squares) + (rules.jail is not None)


@pytest.mark.parametrize("count", [2, 3, 5, 17, 60])
def test_a_board_of_any_size_can_be_drawn(count: int) -> None:
    ET.fromstring(svg(ring_rules(count, 1), {"s0": 1}, "s1").text)


def test_the_number_is_printed_on_each_warm_square_and_on_no_other() -> None:
    heat = {"corner": Fraction(1, 4), "bakery": Fraction(3, 4), "market": 0}
    root = ET.fromstring(svg(rules_of("corner_shop"), heat).text)
    shown = [text.text for text in root.iter(f"{SVG}text") if (text.text or "").endswith("%")]
    # each on its square and in the list, the larger one at the end of the scale as well
    assert sorted(shown) == ["1.  Bakery: 75.0%", "2.  Corner: 25.0%", "25.0%", "75.0%", "75.0%"]


def test_the_warmest_square_has_the_brightest_colour_and_the_rest_their_share() -> None:
    painted = board.paint(rules_of("corner_shop"), {"corner": 0.2, "bakery": 0.1})
    assert painted["corner"]["fill"] == "#ffea46"
    assert painted["bakery"]["fill"] == shade(0.5)[0]


def test_names_from_a_ruleset_are_written_and_never_obeyed() -> None:
    bad = "<script>alert('x')</script>&\"]]>"
    names = {"squares.corner.name": bad, "title": bad, "jail.name": bad}
    rules = load("corner_shop", {"set": names})
    picture = svg(rules, {"corner": 1}, "corner", title="<img src=x onerror=alert(1)>")
    for text in (picture._repr_svg_(), picture._repr_html_()):
        assert "<script" not in text
        assert "<img" not in text
    root = ET.fromstring(picture.text)
    assert not [node for node in root.iter() if node.tag.lower().endswith(("script", "img"))]
    titles = [node.text or "" for node in root.iter(f"{SVG}title")]
    assert any(bad in title for title in titles)


def test_letters_that_no_picture_may_hold_are_replaced() -> None:
    ET.fromstring(svg(rules_of("corner_shop"), title="bad \x00 \ufffe \ud800 letters").text)


def test_two_tokens_on_one_square_do_not_cover_one_another() -> None:
    root = ET.fromstring(svg(rules_of("monopoly"), tokens=["go", "go"]).text)
    one, two = tokens_in(root)
    assert abs(one[0] - two[0]) >= board.TOKEN
    assert one[1] == two[1]


GAME = {
    "Anna": {"square": "new_york", "deeds": {"boardwalk": "hotel", "park_place": 4, "reading": 0}},
    "Ben": {"square": "jail", "jailed": 2, "deeds": ["short_line"]},
    "Bob": {"square": "new_york", "deeds": {"b_and_o": "mortgaged"}},
}


def test_players_have_letters_shapes_and_colours_of_their_own() -> None:
    pieces = board.scene(rules_of("monopoly"), players=GAME).pieces
    assert [piece.letter for piece in pieces] == ["A", "B", "Bo"]
    for sign in ("letter", "shape", "colour"):
        assert len({getattr(piece, sign) for piece in pieces}) == 3
    many = board.pieces_for(["Anna"] * 20)
    assert len({piece.letter for piece in many}) == 20
    assert len({(piece.shape, piece.colour) for piece in many}) == 20


def test_a_position_is_drawn_with_everybodys_token_deeds_and_houses() -> None:
    rules = rules_of("monopoly")
    who = board.scene(rules, players=GAME)
    assert who.at == ("new_york", IN_JAIL, "new_york")
    assert {square: GAME_NAMES[owner] for square, owner in who.owners.items()} == {
        "boardwalk": "Anna",
        "park_place": "Anna",
        "reading": "Anna",
        "short_line": "Ben",
        "b_and_o": "Bob",
    }
    marks = who.marks(layout(rules))
    # five owners, a hotel, four houses and the sign of a mortgage
    assert len(marks) == 5 + 1 + 4 + 1
    assert len(tokens_in(ET.fromstring(svg(rules, players=GAME).text))) == 3 + 3 + 11


GAME_NAMES = tuple(GAME)


def test_marks_of_owners_lie_inside_the_ring_and_clear_of_the_jail() -> None:
    for name in ("monopoly", "easy_money", "corner_shop"):
        rules = rules_of(name)
        drawn = layout(rules)
        deeds = [square.id for square in rules.squares if square.deed]
        for level in (0, 4, "hotel"):
            players = {"Anna": {"deeds": dict.fromkeys(deeds, level)}}
            for mark in board.scene(rules, players=players).marks(drawn):
                spot = Box(mark.x - 8, mark.y - 8, 16, 16)
                assert not any(spot.meets(cell.box) for cell in drawn.cells), (name, level, mark)


def test_a_position_is_told_to_those_who_cannot_see_it() -> None:
    text = str(svg(rules_of("monopoly"), players=GAME))
    assert "Anna on New York Avenue. Ben on In Jail." in text
    assert "Park Place belongs to Anna, 4 houses." in text
    assert "39 Boardwalk, belongs to Anna, hotel" in text
    assert "25 B. &amp; O. Railroad, belongs to Bob, mortgaged" in text


def test_a_checked_position_can_be_drawn_as_it_is() -> None:
    rules = rules_of("monopoly")
    assert svg(rules, players=position(rules, {"players": GAME})) == svg(rules, players=GAME)


def test_players_who_make_no_sense_are_refused_with_all_that_is_wrong() -> None:
    bad = {
        "Anna": {"square": "nowhere", "deeds": {"go": 1, "boardwalk": "castle", "oriental": True}},
        "Ben": {"deeds": {"oriental": 10**9}},
        "Cleo": {"deeds": 7},
    }
    with pytest.raises(RulesError) as refused:
        svg(rules_of("monopoly"), players=bad)
    assert [problem.path for problem in refused.value.problems] == [
        "Anna.square",
        "Anna.deeds.go",
        "Anna.deeds.boardwalk",
        "Anna.deeds.oriental",
        "Ben.deeds.oriental",
        "Ben.deeds.oriental",
        "Cleo.deeds",
    ]
    for crowd in ({}, {str(k): {} for k in range(21)}, ["Anna"], 7, {"Anna": 7}):
        with pytest.raises(RulesError, match="needs"):
            svg(rules_of("monopoly"), players=crowd)


def test_names_of_players_are_written_and_never_obeyed() -> None:
    bad = "<script>alert('x')</script>&\"]]>\x00"
    players = {bad: {"square": "go", "deeds": {"boardwalk": 1}}}
    picture = svg(rules_of("monopoly"), players=players, subtitle=bad)
    assert "<script" not in picture.text
    root = ET.fromstring(picture.text)
    assert not [node for node in root.iter() if node.tag.lower().endswith("script")]


def test_small_print_is_small_and_long_titles_shrink() -> None:
    def size(picture: str, word: str) -> float:
        (found,) = (t for t in ET.fromstring(picture).iter(f"{SVG}text") if word in (t.text or ""))
        return float(found.attrib["font-size"])

    rules = rules_of("monopoly")
    drawn = str(svg(rules, title="Rents", subtitle="per roll; overlays: none"))
    assert size(drawn, "overlays") < size(drawn, "Rents")
    long_one = str(svg(rules, title="Rents " + "and so much more " * 12))
    assert size(long_one, "Rents") < size(drawn, "Rents")


def test_a_table_of_shares_says_on_the_board_what_it_rests_on() -> None:
    rules, table = rules_of("monopoly"), landing("monopoly", per="turn", number=float)
    words = ET.fromstring(svg(rules, table).text).itertext()
    assert "per turn, jail: leave; overlays: none; evidence: A" in " ".join(words)
    assert "per turn" not in str(svg(rules, table, subtitle="as I like it"))
    assert "per turn" not in str(svg(rules, {row.id: row.probability for row in table.rows}))
    invented = landing("easy_money", number=float)
    assert str(svg(rules_of("easy_money"), invented)).count(">Illustrative board") == 1


def test_a_token_can_be_in_jail_only_where_there_is_one() -> None:
    assert "In Jail" in str(svg(rules_of("monopoly"), tokens=IN_JAIL))
    with pytest.raises(RulesError, match="no such square 'in_jail'"):
        svg(rules_of("payday"), tokens=IN_JAIL)


def test_heat_for_a_square_that_does_not_exist_is_refused_with_a_suggestion() -> None:
    with pytest.raises(RulesError, match="did you mean 'corner'"):
        svg(rules_of("corner_shop"), {"korner": 1})
    with pytest.raises(RulesError, match="cannot be nan"):
        svg(rules_of("corner_shop"), {"corner": float("nan")})


def test_boards_that_rest_on_invented_rows_say_so_in_the_picture() -> None:
    assert "Illustrative board" in str(svg(rules_of("easy_money")))
    assert "llustrative" not in str(svg(rules_of("corner_shop")))


def test_squares_called_alike_are_told_apart_by_their_numbers() -> None:
    picture = svg(rules_of("payday"), {"day_5": 0.5, "day_10": 0.25})
    assert "Mail (5): 50.0%" in picture.text
    assert "Poker Game: 25.0%" in picture.text


def test_a_picture_is_the_same_every_time_and_can_be_kept(tmp_path: Path) -> None:
    one, two = (svg(rules_of("monopoly"), {"go": 0.5}, "jail") for _ in range(2))
    assert one == two
    assert one.save(tmp_path / "board.svg").read_text(encoding="utf-8") == f"{one}\n"
    assert re.fullmatch(r"<Picture Monopoly>", repr(one))


def test_the_board_leans_only_on_rules_and_the_standard_library() -> None:
    near, far = set(), set()
    for file in Path(board.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                far |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level != 1:  # 1: inside this folder
                (near if node.level else far).add(str(node.module).split(".")[0])
    assert near == {"rules"}
    assert far <= set(sys.stdlib_module_names)
