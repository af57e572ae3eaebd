"""Charts of rents say what the rent tables say, and say what they rest on."""

from __future__ import annotations

import json
import subprocess
import sys
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from figures import head, sizes, strings

from boardrules import RulesError, chain, leave, load, rent, stay
from boardrules.decimals import written
from boardrules.rent_charts import horizon_chart, income_map, payback_chart, rent_ladder
from boardrules.rents.deeds import Terms
from boardrules.rents.groups import GroupTable, groups
from boardrules.rents.payback import Payback, payback
from boardrules.rents.table import RentTable

pytest.importorskip("plotly")

# Two squares, a coin that says 1 or 2 with equal chances, one roll a turn: wherever the token
# stands, half of the turns end on either square, and no turn tells anything about the next.
COIN: dict[str, Any] = {
    "format": 1,
    "title": "<b>Coin</b> & $Street",
    "currency": "$",
    "dice": {"count": 1, "sides": 2},
    "squares": [
        {"id": "start", "name": "Start"},
        {
            "id": "inn",
            "name": "<a href='x'>Inn</a>",
            "kind": "street",
            "deed": {
                "kind": "street",
                "group": "<i>row</i>",
                "price": 100,
                "mortgage": 50,
                "house": 40,
                "rent": [10, 30, 50],
            },
        },
    ],
}


@pytest.fixture(scope="module")
def short() -> RentTable[float]:
    return rent("monopoly", number=float)


@pytest.fixture(scope="module")
def all_groups() -> GroupTable[float]:
    return groups("monopoly", per="turn", number=float)


@pytest.fixture(scope="module")
def hotels() -> list[Payback[float]]:
    walk = chain(load("monopoly"), leave, float)
    return [payback(walk, deed="boardwalk", level="hotel", opponents=n) for n in range(1, 8)]


# ---------------------------------------------------------------------------- the ladder


def test_the_ladder_of_an_inn_is_half_of_its_rents_give_or_take_as_much():
    # a landing in half of the turns: mean r/2, and variance r²/4, so the deviation is r/2 too;
    # the deed asks 10, with one house 30, with two 50 (no rule doubles the rent of a set here)
    (bars,) = rent_ladder(rent(COIN, per="turn", number=float), "inn").data
    assert list(bars.y) == pytest.approx([5, 15, 25], rel=1e-12)
    assert list(bars.error_y.array) == pytest.approx([5, 15, 25], rel=1e-9)
    assert list(bars.error_y.arrayminus) == pytest.approx([5, 15, 25], rel=1e-9)


def test_over_a_hundred_turns_the_mean_grows_hundredfold_and_the_deviation_tenfold():
    (bars,) = rent_ladder(rent(COIN, per="turn", number=float), "inn", units=100).data
    assert list(bars.y) == pytest.approx([500, 1500, 2500], rel=1e-12)
    assert list(bars.error_y.array) == pytest.approx([50, 150, 250], rel=1e-9)


def test_the_ladder_of_boardwalk_climbs_through_the_published_rents_per_roll(short):
    figure = rent_ladder(short, "boardwalk")
    heights = [round(y, 4) for y in figure.data[0].y]
    assert heights == [1.3130, 2.6260, 5.2519, 15.7558, 36.7635, 44.6414, 52.5193]
    assert figure.layout.xaxis.ticktext[0] == "single deed<br><b>&#36;1.31</b>"
    assert figure.layout.xaxis.ticktext[-1] == "hotel<br><b>&#36;52.52</b>"


def test_no_deviation_goes_below_nothing(short):
    for bars in rent_ladder(short, "boardwalk", "baltic").data:
        pairs = zip(bars.y, bars.error_y.arrayminus, strict=True)
        assert all(height - minus >= 0 for height, minus in pairs)
        assert max(bars.error_y.array) > max(bars.error_y.arrayminus)  # upwards it is not cut


def test_groups_have_ladders_too_and_wear_the_colours_of_the_board(all_groups):
    figure = rent_ladder(all_groups, "orange", "light_blue", units=20)
    assert [bars.name for bars in figure.data] == ["orange", "light blue"]
    assert [bars.marker.color for bars in figure.data] == ["#e69f00", "#56b4e9"]
    assert len({bars.marker.pattern.shape for bars in figure.data}) == 2
    assert "mean rent, 20 turns of one opponent" in figure.layout.yaxis.title.text


def test_railroads_are_counted_by_the_number_owned(short):
    figure = rent_ladder(short, "reading")
    assert [text.partition("<br>")[0] for text in figure.layout.xaxis.ticktext] == [
        "1 owned",
        "2 owned",
        "3 owned",
        "4 owned",
    ]
    assert [round(y, 4) for y in figure.data[0].y] == [0.8130, 1.6260, 3.2521, 6.5041]


def test_a_rung_says_in_words_what_the_step_costs_and_when_it_is_back(short):
    said = unescape(rent_ladder(short, "boardwalk").data[0].hovertext[-1])
    assert said.startswith("<b>Boardwalk</b>, hotel<br>$52.52 on average in one roll")
    assert said.endswith("this step costs $200: back after 25.4 rolls on average")


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ((), "say which 1 to 6"),
        (("boardwalks",), "did you mean 'boardwalk'"),
        (("boardwalk", "reading"), "different ladders"),
    ],
)
def test_a_ladder_leans_on_what_exists(short, names, said):
    with pytest.raises(RulesError, match=said):
        rent_ladder(short, *names)


@pytest.mark.parametrize("units", [0, -1, 1.5, True])
def test_a_ladder_is_of_a_whole_number_of_units(short, units):
    with pytest.raises(RulesError, match="whole number, 1 or more"):
        rent_ladder(short, "boardwalk", units=units)


# ------------------------------------------------------------------------------- paybacks


def test_the_curve_of_an_inn_is_that_of_heads_and_tails():
    # one house costs 40 and adds 20 (30 instead of 10) with chance 1/2 a turn: two heads needed;
    # at least 2 heads of 1, 2, 3 and 4: nothing, 1/4, 4/8, 11/16
    one = payback(COIN, deed="inn", level="1")
    assert one.cost == 40
    curve, marks, _ = payback_chart(one).data
    assert list(curve.y[:5]) == pytest.approx([0, 0, 25, 50, 68.75], abs=1e-9)
    assert marks.x[0] in (3, 4)  # exactly one half, which a float may miss


def test_the_marks_stand_where_half_and_nine_tenths_have_paid(hotels):
    figure = payback_chart(hotels[0])
    curve, marks, _ = figure.data
    for n, share in zip(marks.x, (50, 90), strict=True):
        assert curve.y[n] >= share > curve.y[n - 1]
    # one landing pays for the step, and there are 0.0312 a turn (published): about ln 2 / 0.0312
    assert marks.x[0] == 21
    assert marks.text[0] == "<b>half after 21 turns</b>"
    assert {line.y0 for line in figure.layout.shapes} == {50, 90}


def test_seven_opponents_have_seven_curves_that_differ_by_more_than_colour(hotels):
    figure = payback_chart(*hotels)
    curves, legend = figure.data[::3], figure.data[2::3]
    assert len({curve.line.color for curve in curves}) == 7
    assert len({curve.line.dash for curve in curves}) == 7
    assert len({curve.marker.symbol for curve in legend}) == 7
    assert legend[0].name.startswith("1 opponent: half 21, nine in ten ")
    assert legend[6].name.startswith("7 opponents: ")
    assert "Boardwalk, step to hotel: $200 to come back" in head(figure)
    assert figure.layout.xaxis.title.text == "rounds (one turn of every opponent)"


def test_more_opponents_pay_sooner(hotels):
    curves = payback_chart(*hotels, rounds=30).data[::3]
    for fewer, more in pairwise(curves):
        assert all(a <= b + 1e-9 for a, b in zip(fewer.y, more.y, strict=True))
        assert more.y[10] > fewer.y[10]


def test_a_point_of_a_curve_tells_the_chance_in_words(hotels):
    curve = payback_chart(hotels[0]).data[0]
    assert curve.hovertext[1].startswith("<b>within 1 turn</b><br>")
    assert curve.hovertext[2].startswith("<b>within 2 turns</b><br>")
    assert curve.hovertext[1].endswith("% of all games have paid by then")


def test_curves_can_be_called_by_the_names_of_groups():
    walk = chain(load("monopoly"), leave, float)
    hand = {"boardwalk": 3, "park_place": 3}
    one = payback(walk, hand=hand, opponents=3)
    figure = payback_chart(one, one, names=("dark_blue", "yellow"))
    # deeds 750 and three levels of 400, as in the table of groups: 1950 invested
    assert [t.name.partition(": half")[0] for t in figure.data[2::3]] == [
        "dark blue: &#36;1,950 to come back",
        "yellow: &#36;1,950 to come back",
    ]
    assert figure.data[0].line.color == "#0072b2"


def test_what_never_pays_has_a_curve_on_the_ground():
    never = payback("monopoly", deed="reading", level="1", turns=5,
                    terms=Terms(owner_notices=0))  # fmt: skip
    curve, marks, legend = payback_chart(never).data
    assert set(curve.y) == {0}
    assert list(marks.x) == []
    assert "not within 5" in legend.name


@pytest.mark.parametrize("count", [0, 8])
def test_a_chart_takes_one_to_seven_paybacks(hotels, count):
    with pytest.raises(RulesError, match=f"1 to 7 paybacks, not {count}"):
        payback_chart(*[hotels[0]] * count)


def test_names_and_curves_are_equally_many(hotels):
    with pytest.raises(RulesError, match="as many names, not 1"):
        payback_chart(*hotels[:2], names=["orange"])


# ------------------------------------------------------------------------- the best group


def lines_of(figure: Any) -> dict[str, Any]:
    """The coloured line of each group, by name."""
    return {line.name: line for line in figure.data if line.mode == "lines"}


def test_with_nothing_to_come_the_cheapest_group_loses_least(all_groups):
    # deeds: brown 120, utilities 2 x 150, light blue 320, pink 440, orange 560, red 680,
    # dark blue 750, yellow and railroads 800, green 920
    lines = lines_of(horizon_chart(all_groups, turns=5))
    first = sorted(lines, key=lambda name: lines[name].y[0])
    assert first[:7] == ["brown", "utility", "light blue", "pink", "orange", "red", "dark blue"]
    assert set(first[7:9]) == {"yellow", "railroad"}
    assert first[9] == "green"


def test_in_the_middle_game_orange_is_best_and_in_the_very_long_run_green(all_groups):
    # green with hotels brings most per roll, 102.6 (red 93.5); orange brings most per dollar
    figure = horizon_chart(all_groups, turns=200)
    lines = lines_of(figure)
    assert lines["orange"].y[50] == 1
    assert lines["green"].y[200] == 1
    assert lines["orange"].y[200] > 1


def test_ranks_are_a_ranking_at_every_moment(all_groups):
    lines = lines_of(horizon_chart(all_groups, turns=60))
    for n in range(61):
        assert sorted(line.y[n] for line in lines.values()) == list(range(1, 11))


def test_by_money_one_sees_the_rents_less_what_was_invested(all_groups):
    # orange with hotels: 85.2677 per roll, 1.1866239585 rolls a turn, invested 560 + 5 x 300
    figure = horizon_chart(all_groups, turns=50, level="hotel", names=["orange"], show="money")
    (line,) = lines_of(figure).values()
    assert line.y[0] == pytest.approx(-2060)
    assert line.y[50] == pytest.approx(50 * 85.2677 * 1.1866239585 - 2060, abs=0.01)
    said = unescape(line.hovertext[50])
    assert said == "<b>orange</b>, hotel<br>place 1 with 50 turns to come<br>$2,999 left over"


def test_three_opponents_bring_three_times_as_much(all_groups):
    three = groups("monopoly", per="turn", opponents=3, number=float)
    how: Any = {"level": "hotel", "names": ["orange"], "show": "money"}
    (one,) = lines_of(horizon_chart(all_groups, turns=30, **how)).values()
    (many,) = lines_of(horizon_chart(three, turns=10, **how)).values()
    assert many.y[10] == pytest.approx(one.y[30], rel=1e-12)
    assert "3 opponents; all at level hotel" in head(horizon_chart(three, turns=10, **how))


def test_groups_bear_their_letters_and_end_in_their_names(all_groups):
    figure = horizon_chart(all_groups, turns=60)
    badges = {line.name: set(line.text) for line in figure.data if line.mode == "markers+text"}
    assert badges["orange"] == {"<b>O</b>"}
    letters = [letter for some in badges.values() for letter in some]
    assert len(set(letters)) == len(letters) == 10
    words = [note.text for note in figure.layout.annotations]
    assert "orange, hotel" in words
    assert "grey: every group still loses money" in words


def test_the_grey_ends_where_the_first_group_has_earned_its_cost(all_groups):
    (grey,) = horizon_chart(all_groups, turns=60).layout.shapes
    first = next(n for n in range(61) if all_groups.after(n)[0].value > 0)
    assert (grey.x0, grey.x1) == (0, first)
    # orange with hotels is back after 2060 / (85.2677 x 1.1866) = 20.36 turns; no other is sooner
    assert first == 21


def test_names_beside_the_lines_of_money_have_the_letters_on_the_lines(all_groups):
    figure = horizon_chart(all_groups, turns=60, show="money")
    names = [note.text for note in figure.layout.annotations if note.xref == "paper"]
    badges = {unescape(one.text[0]) for one in figure.data if one.mode == "markers+text"}
    assert badges == {name.partition(" ")[0] for name in names}
    assert "<b>Ra</b> railroad" in names
    assert figure.layout.yaxis.zeroline
    assert not [one for one in figure.layout.shapes if one.type == "line"]  # through a letter


def test_names_of_a_horizon_stay_apart(all_groups):
    figure = horizon_chart(all_groups, turns=30, show="money")
    written = [note.y for note in figure.layout.annotations if note.xref == "paper"]
    assert len(written) == 10
    heights = [y for line in lines_of(figure).values() for y in line.y]
    least = (max(heights) - min(heights)) / 18
    written.sort()
    assert all(b - a >= 0.99 * least for a, b in pairwise(written))


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"show": "moneys"}, "did you mean 'money'"),
        ({"names": ["orang"]}, "did you mean 'orange'"),
        ({"turns": -1}, "whole number of turns"),
        ({"level": "castle"}, "castle"),
    ],
)
def test_a_horizon_refuses_what_it_does_not_know(all_groups, how, said):
    with pytest.raises(RulesError, match=said):
        horizon_chart(all_groups, **how)


# ------------------------------------------------------------------------ the board in colours


def cells(picture: Any) -> dict[str, list[str]]:
    """What is written on each square of a picture, by what it says when one points at it."""
    ns = "{http://www.w3.org/2000/svg}"
    root = ElementTree.fromstring(str(picture))
    return {
        found[0].text or "": [text.text or "" for text in found.findall(f"{ns}text")]
        for found in root.findall(f"{ns}g")
    }


def test_the_map_prints_the_rent_of_every_deed_with_its_currency(short):
    written = cells(income_map(short))
    assert "$52.5" in written["39 Boardwalk: $52.5"]  # 52.5193
    assert "$6.50" in written["5 Reading Railroad: $6.50"]  # 6.5041
    assert "$1.79" in written["12 Electric Company: $1.79"]  # 1.7945
    assert sum("$" in said for said in written) == 28
    assert "0 GO" in written


def test_the_map_can_show_streets_at_another_level(short):
    written = cells(income_map(short, level=3))
    assert "39 Boardwalk: $36.8" in written  # 36.7635
    assert "5 Reading Railroad: $6.50" in written


def test_the_map_can_write_amounts_with_a_comma(short):
    plain, turned = (list(cells(income_map(short, decimal=sign))) for sign in ".,")
    assert "39 Boardwalk: $52,5" in turned
    assert [written(said) for said in plain] == turned


def test_the_map_of_a_hand_shows_that_hand_only(short):
    written = cells(income_map(short, hand={"boardwalk": "hotel", "reading": 1}))
    assert sum("$" in said for said in written) == 2
    assert "5 Reading Railroad: $0.81" in written  # 0.8130


def test_the_map_of_a_game_without_hotels_takes_the_fifth_house():
    easy = rent("easy_money", number=float)
    assert "streets: 5 houses" in str(income_map(easy, level=5))
    assert str(income_map(easy, level=5)) == str(income_map(easy))


def test_the_map_of_a_table_with_one_level_shows_that_level():
    picture = income_map(rent("monopoly", level=3, number=float))
    assert "streets: 3 houses" in str(picture)
    assert "39 Boardwalk: $36.8" in cells(picture)


def test_an_unknown_level_of_a_map_gets_a_suggestion(short):
    with pytest.raises(RulesError, match="did you mean 'hotel'"):
        income_map(short, level="hotels")


def test_the_map_says_what_it_rests_on():
    text = str(income_map(rent("monopoly", policy=stay, per="turn", number=float), level="hotel"))
    title = unescape(text.partition("<title")[2].partition("</title>")[0])
    assert title.endswith("Monopoly: mean rent in an opponent's turn")
    small = unescape(text.partition("<desc")[2].partition("</desc>")[0])
    assert "streets: hotel" in small
    assert "jail: stay; overlays: none; evidence: A" in small


@pytest.mark.parametrize("hand", [{"boardwalks": 1}, {"reading": "hotel"}, {"boardwalk": 9}])
def test_a_map_of_what_cannot_be_is_refused(short, hand):
    with pytest.raises(RulesError):
        income_map(short, hand=hand)


# ---------------------------------------------------------------------------- small print


def every_chart(game: Any) -> list[Any]:
    table, hand = rent(game, per="turn", number=float), groups(game, per="turn", number=float)
    deed, group = table.rows[0].id, hand.rows[0].group
    return [
        rent_ladder(table, deed),
        rent_ladder(hand, group),
        payback_chart(payback(game, deed=deed)),
        horizon_chart(hand, turns=12),
        horizon_chart(hand, turns=12, show="money"),
    ]


@pytest.fixture(scope="module")
def monopoly_charts() -> list[Any]:
    return every_chart("monopoly")


def test_every_chart_names_unit_policy_overlays_and_evidence(monopoly_charts):
    for figure in monopoly_charts:
        for part in ("Monopoly", "per turn", "jail: leave", "overlays: none", "evidence: A"):
            assert part in head(figure)


def test_every_chart_has_letters_of_fourteen_pixels_at_least(monopoly_charts):
    for figure in monopoly_charts:
        found = sizes(figure.to_plotly_json())
        assert len(found) >= 6
        assert min(found) >= 14


def test_every_chart_holds_plain_lists(monopoly_charts):
    for figure in monopoly_charts:
        assert "bdata" not in json.dumps(json.loads(figure.to_json()))
        for trace in figure.to_plotly_json()["data"]:
            assert {type(trace[key]) for key in ("x", "y")} <= {list, tuple}


def test_names_from_a_file_reach_every_chart_letter_for_letter_and_not_as_html():
    for figure in every_chart(load(COIN)):
        for text in strings(figure.to_plotly_json()):
            assert "<a " not in text
            assert "<i>" not in text
            assert "<b>Coin" not in text
            assert "$" not in text.replace("$,", "")  # the format of an axis is no formula
        assert "<b>Coin</b> & $Street" in head(figure)
    text = str(income_map(rent(COIN, number=float)))
    assert "<a " not in text
    ElementTree.fromstring(text)


def test_an_invented_board_confesses_in_every_chart():
    caution = load("easy_money").caution
    assert caution.startswith("Illustrative board")
    table = rent("easy_money", per="turn", number=float)
    assert caution in head(rent_ladder(table, "street_v"))
    assert caution in head(payback_chart(payback("easy_money", deed="street_v", level=2)))
    assert "Illustrative board" in str(income_map(table))


def test_terms_that_are_not_the_rules_own_are_told():
    table = rent("monopoly", number=float, terms=Terms(owner_notices="9/10"))
    assert "owner notices: 9/10" in head(rent_ladder(table, "boardwalk"))
    assert "owner notices: 9/10" in str(income_map(table))
    some = groups("monopoly", number=float, terms=Terms(owner_notices="9/10"))
    assert "owner notices: 9/10" in head(horizon_chart(some, turns=3))


def test_importing_the_charts_of_rents_does_not_import_plotly():
    code = "import sys, boardrules.rent_charts; sys.exit('plotly' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# ----------------------------------------------------------------------- the lesson on rents

LESSON = Path(__file__).resolve().parents[1] / "notebooks" / "03_rent.ipynb"


def test_the_lesson_on_rents_writes_dollars_as_a_word_since_two_signs_are_a_formula():
    cells = json.loads(LESSON.read_text(encoding="utf-8"))["cells"]
    told = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    assert not [text for text in told if "$" in text]
