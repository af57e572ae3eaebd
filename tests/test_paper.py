"""Pages to print: right numbers, black on white, one sheet each, and nothing from elsewhere."""

from __future__ import annotations

import re
from fractions import Fraction
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from conftest import chain_of, rules_of

from boardrules.__main__ import main
from boardrules.library import games
from boardrules.paper import PAGES, SIZES, Page, blank_page, paper, together
from boardrules.rules import IN_JAIL, RulesError
from boardrules.tables import landing
from boardrules.turn import leave, stay

GAMES = [game.name for game in games()]
SINGLE = [page for page in PAGES if page != "all"]


class Read(HTMLParser):
    """What is in a page: its tags, its tables, its words, and whether all tags are closed."""

    VOID = ("meta", "br")

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.words = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.words += data
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data


def read(page: Page) -> Read:
    parser = Read()
    parser.feed(page.html)
    parser.close()
    assert parser.open == []
    return parser


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("which", SINGLE)
def test_every_page_of_every_game_is_whole_html_without_script_or_links(
    game: str, which: str
) -> None:
    found = paper(rules_of(game), page=which)
    assert isinstance(found, Page)
    inside = read(found)
    assert found.html.startswith("<!doctype html>")
    names = {tag for tag, _ in inside.tags}
    assert not names & {"script", "link", "img", "iframe", "object", "embed", "a", "form"}
    for _, attributes in inside.tags:
        assert not any(name.startswith("on") or name in ("src", "href") for name in attributes)
    assert "url(" not in re.sub(r"url\(#[\w-]+\)", "", found.html)
    assert "@import" not in found.html
    assert [tag for tag, _ in inside.tags].count("h1") == 1


@pytest.mark.parametrize("size", SIZES)
def test_pages_know_their_paper_and_their_way_round(size: str) -> None:
    name = SIZES[size][0]
    for page in SINGLE:
        across = page in ("board", "heat", "blank")
        found = paper(rules_of("corner_shop"), page=page, size=size)
        way = "landscape" if across else "portrait"
        assert found.html.count(f"@page {{ size: {name} {way};") == 1
        assert (f"class='across {size}'" in found.html) is across


def test_all_pages_come_as_one_file() -> None:
    every = paper(rules_of("corner_shop"), page="all")
    assert len(every.sheets) == len(SINGLE)
    titles = [sheet.title for sheet in every.sheets]
    assert titles == [
        *(paper(rules_of("corner_shop"), page=page).title for page in SINGLE if page != "blank"),
        blank_page(8).title,
    ]
    with pytest.raises(RulesError, match="one page at least"):
        together([])


@pytest.mark.parametrize("game", GAMES)
def test_a_board_has_every_square_with_its_number_in_black_on_white(game: str) -> None:
    rules = rules_of(game)
    page = paper(rules, page="board")
    for square in rules.squares:
        assert f">{square.number}</text>" in page.html
        for word in square.name.split():
            short = unescape(page.html)
            assert word in short or word[:4] in short or f">{word[0]}" in short
    colours = {one.lower() for one in re.findall(r"(?:fill|stroke)='(#[0-9a-fA-F]{6})'", page.html)}
    assert all(len({one[1:3], one[3:5], one[5:7]}) == 1 for one in colours), "greys only"
    assert not re.search(r"\d+[.,]\d%<", page.html), "no share stands on a board to play on"


def test_groups_of_deeds_have_a_letter_and_hatchings_of_their_own() -> None:
    page = paper(rules_of("monopoly"), page="board").html
    used = set(re.findall(r"url\(#hatch-(\d+)\)", page))
    assert len(used) == 10  # eight colours, railroads and utilities
    assert used <= set(re.findall(r"<pattern id='hatch-(\d+)'", page))
    for letter in ("B", "L", "P", "O", "R", "Y", "G", "D", "Ra", "U"):
        assert f">{letter}</text>" in page


def test_a_warm_board_shows_the_shares_and_says_of_what() -> None:
    rules = rules_of("corner_shop")
    for policy, name in ((leave, "leave"), (stay, "stay")):
        page = paper(rules, page="heat", per="turn", policy=policy)
        table = landing(chain_of("corner_shop", policy=policy), per="turn")
        shown = re.findall(r"font-weight='bold'>([\d.]+%)</text>", page.html)
        assert shown == [f"{100 * float(r.probability):.1f}%" for r in table.rows if r.probability]
        assert f"per turn, jail: {name}" in read(page).words
        assert "The darker, the more often." in page.html
    greys = re.findall(r"fill='#([0-9a-f]{2})\1\1'", page.html)
    assert min(int(grey, 16) for grey in greys if grey != "00") >= 0xA0, "black ink stays readable"


@pytest.mark.parametrize("game", GAMES)
def test_the_answers_are_the_exact_landing_table(game: str) -> None:
    table = landing(chain_of(game))
    inside = read(paper(rules_of(game), page="answers"))
    told = {row[1]: row for row in inside.rows if len(row) in (4, 5) and row[0] != "chance"}
    numbers = {row[0]: row for row in inside.rows if row and row[0].isdecimal()}
    for row in table.rows:
        shown = told[row.name] if row.id == IN_JAIL else numbers[str(row.number)]
        assert shown[1] == row.name
        assert shown[2] == f"{100 * float(row.probability):.4f} %"
        if len(shown) == 5:
            assert Fraction(shown[3]) == row.probability
        if row.probability:
            assert shown[-1] == f"{float(1 / row.probability):.1f}"
    words = inside.words
    assert f"Most: {table.most(1)[0].name}" in words
    never = [row.name for row in table.rows if not row.probability]
    assert ("Never: " + ", ".join(never) + "." in words) if never else "Never" not in words
    for line in table.context.lines[2:]:
        assert line in words


def test_the_dice_on_the_answer_page_are_counted_rightly() -> None:
    inside = read(paper(rules_of("monopoly"), page="answers"))
    chances = next(row for row in inside.rows if row[0] == "chance")
    assert [Fraction(cell) * 36 for cell in chances[1:]] == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]


def test_a_tally_sheet_has_a_line_for_every_sum_and_every_square() -> None:
    sums = [row[0] for row in read(paper(rules_of("monopoly"), page="throws")).rows]
    assert sums == ["sum", *map(str, range(2, 13)), "all"]
    loaded = read(paper(rules_of("monopoly", "eight_sided_dice"), page="throws"))
    assert [row[0] for row in loaded.rows][1:-1] == [str(total) for total in range(2, 17)]
    names = [row[1] for row in read(paper(rules_of("monopoly"), page="squares")).rows]
    table = landing(chain_of("monopoly"))
    assert [name for name in names if name != "square"] == [row.name for row in table.rows]


def test_a_blank_board_has_as_many_squares_as_asked_for() -> None:
    for count in (8, 24, 41, 60):
        page = blank_page(count).html
        assert page.count("stroke-width='1.5'/>") == count
        assert f">{count - 1}</text>" in page
    assert blank_page("monopoly").html == blank_page(40).html
    for wrong in (7, 61, True, -1):
        with pytest.raises(RulesError, match="8 to 60"):
            blank_page(wrong)


def test_a_comma_stands_on_paper_wherever_a_point_stood() -> None:
    for page in ("heat", "answers"):
        point, comma = (
            paper(rules_of("monopoly"), page=page, decimal=sign)  # type: ignore[arg-type]
            for sign in ".,"
        )
        numbers = re.findall(r"\d+\.\d+ ?%", read(point).words)
        assert len(numbers) >= 40
        words = read(comma).words
        assert not re.search(r"\d\.\d+ ?%", words)
        assert re.findall(r"\d+,\d+ ?%", words) == [one.replace(".", ",") for one in numbers]


def test_names_in_another_language_are_printed_and_said_to_change_no_number() -> None:
    page = paper(rules_of("monopoly", "names/deutsch"), page="answers")
    words = read(page).words
    assert "Schlossallee" in words
    assert "names/deutsch" in words
    assert "the overlays change only names: every number is as without them" in words


def test_illustrative_boards_say_so_on_every_sheet_that_rests_on_them() -> None:
    for page in ("board", "heat", "squares", "answers"):
        assert "Illustrative board" in read(paper(rules_of("easy_money"), page=page)).words, page


def test_names_of_strangers_are_letters_on_paper() -> None:
    evil = "</text><script>alert(1)</script>&'\""
    rules = rules_of("corner_shop").but(
        {"squares.corner.name": evil, "jail.name": evil, "title": evil, "caution": evil}
    )
    for page in PAGES:
        html = paper(rules, page=page).html
        assert "<script" not in html
        read(paper(rules, page=page))


def test_a_notebook_shows_the_page_and_a_file_holds_it(tmp_path: Path) -> None:
    page = paper("corner_shop", page="answers")
    assert page.save(tmp_path / "answers.html").read_text(encoding="utf-8") == page.html
    shown = page._repr_html_()
    assert "<html" not in shown
    assert "@page" not in shown
    assert "653/4392" in shown
    assert repr(page) == "<Page Corner Shop: answers: 1 on A4>"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"page": "answer"}, "did you mean 'answers'"),
        ({"size": "leter"}, "did you mean 'letter'"),
        ({"page": "answers", "per": "rol"}, "did you mean 'roll'"),
    ],
)
def test_what_there_is_not_is_refused_with_a_suggestion(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(RulesError, match=said):
        paper("corner_shop", **asked)


def test_the_command_prints_a_page_that_any_terminal_can_carry(
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = ["paper", "monopoly", "deutsch", "--page", "answers", "--decimal", ","]
    assert main([*command, "--jail", "stay", "--size", "letter"]) == 0
    out = capsys.readouterr().out
    assert out.isascii()
    expected = paper(
        rules_of("monopoly", "deutsch"), page="answers", decimal=",", size="letter", policy=stay
    )
    assert unescape(out) == unescape(expected.html)
    assert main(["paper", "monopolie"]) == 1
    with pytest.raises(SystemExit) as ended:
        main(["paper", "monopoly", "--page", "nothing"])
    assert ended.value.code == 2
