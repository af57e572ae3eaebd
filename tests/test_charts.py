"""Charts say what the tables say, and say what they rest on."""

from __future__ import annotations

import importlib
import subprocess
import sys
from fractions import Fraction
from html import unescape
from typing import Any

import pytest
from figures import sizes, strings

from boardrules import RulesError, chain, landing, leave, load, stay
from boardrules.charts import (
    HATCHES,
    OKABE_ITO,
    approach_chart,
    landing_chart,
)
from boardrules.tables import Landing
from boardrules.why import distances

pytest.importorskip("plotly")

WICKED: dict[str, Any] = {
    "format": 1,
    "title": '<b>Tom\'s</b> & "game"',
    "dice": {"count": 1, "sides": 3},
    "squares": [
        {"id": "a", "name": "<a href='javascript:alert(1)'>A</a>"},
        {"id": "b", "name": "from $5 to $6"},
        {"id": "c", "name": "%{x} & {y}"},
    ],
}


@pytest.fixture(scope="module")
def short() -> Landing[float]:
    return landing("monopoly", number=float)


@pytest.fixture(scope="module")
def long() -> Landing[float]:
    return landing("monopoly", policy=stay, number=float)


def head(figure: Any) -> str:
    return unescape(figure.layout.title.text)


# ---------------------------------------------------------------------------- landings


# Where a roll that begins on a square of the corner shop ends, in sixteenths, written down from
# its rules by hand: 2, 3 or 4 steps in 4, 8 and 4 of 16 cases; a letter (one of four) brings the
# token to the corner, or to jail, or leaves it where it is (two of four); the red light jails.
SIXTEENTHS = {
    "Corner": {"Corner": 1, "Letter Box": 2, "In Jail": 1, "Book Shop": 8, "Police Station": 4},
    "Bakery": {"Book Shop": 4, "Police Station": 8, "Toy Shop": 4},
    "Letter Box": {"Police Station": 4, "Toy Shop": 8, "In Jail": 4},
    "Book Shop": {"Toy Shop": 4, "In Jail": 8, "Market": 4},
    "Police Station": {"In Jail": 4, "Market": 8, "Corner": 4},
    "Toy Shop": {"Market": 4, "Corner": 8, "Bakery": 4},
    "Market": {"Bakery": 4, "Corner": 2, "Letter Box": 4, "In Jail": 2, "Book Shop": 4},
    "In Jail": {"In Jail": 4, "Market": 8, "Corner": 4},
}


def test_the_bars_of_the_corner_shop_stay_as_they_are_when_everyone_rolls_once_more():
    figure = landing_chart(landing("corner_shop"))
    names = [name.replace("<br>", " ") for name in figure.layout.xaxis.ticktext]
    bars = dict(zip(names, figure.data[0].y, strict=True))
    assert bars.pop("Red Light") == 0  # nobody ends a roll there
    assert sum(bars.values()) == pytest.approx(100, rel=1e-12)
    for square, height in bars.items():
        again = sum(bars[one] * SIXTEENTHS[one].get(square, 0) / 16 for one in SIXTEENTHS)
        assert again == pytest.approx(height, rel=1e-12)


def test_every_bar_is_the_row_of_its_square_in_board_order(short):
    figure = landing_chart(short)
    (bars,) = figure.data
    assert list(bars.x) == list(range(41))
    assert list(bars.y) == [100 * row.probability for row in short.rows]
    shown = [unescape(name) for name in figure.layout.xaxis.ticktext]
    assert shown == [row.name for row in short.rows]
    assert list(figure.layout.xaxis.tickvals) == list(bars.x)


def test_by_share_the_square_visited_most_comes_first(short):
    figure = landing_chart(short, order="share", most=3)
    assert list(figure.layout.xaxis.ticktext) == ["In Jail", "Illinois Avenue", "GO"]
    assert [round(y, 4) for y in figure.data[0].y] == [3.9500, 3.1858, 3.0961]


def test_the_most_visited_squares_can_stand_in_board_order(short):
    figure = landing_chart(short, most=3)
    assert list(figure.layout.xaxis.ticktext) == ["GO", "Illinois Avenue", "In Jail"]


def test_several_rulesets_stand_side_by_side_matched_by_square(short, long):
    figure = landing_chart(short, long)
    assert [bars.name for bars in figure.data] == ["jail: leave", "jail: stay"]
    assert list(figure.data[1].y) == [100 * row.probability for row in long.rows]
    assert list(figure.data[0].x) == list(figure.data[1].x)


def test_a_board_without_a_jail_has_no_bar_there(short):
    figure = landing_chart(short, landing("monopoly", "no_jail", number=float))
    assert figure.layout.xaxis.ticktext[-1] == "In Jail"
    assert figure.data[0].y[-1] == pytest.approx(3.94997561, abs=5e-9)
    assert figure.data[1].y[-1] is None
    names = [bars.name.partition(", evidence")[0] for bars in figure.data]
    assert names == ["jail: leave, overlays: none", "no jail, overlays: house/no_jail"]


def test_each_ruleset_has_its_colour_and_its_hatching(short, long):
    figure = landing_chart(short, long, landing("monopoly", "collins_jail", number=float))
    assert [bars.marker.color for bars in figure.data] == list(OKABE_ITO[:3])
    assert [bars.marker.pattern.shape for bars in figure.data] == list(HATCHES[:3])
    assert len(set(OKABE_ITO)) == len(set(HATCHES)) == len(OKABE_ITO)


def test_figures_hold_plain_lists_and_no_arrays(short):
    bars = landing_chart(short).to_plotly_json()["data"][0]
    assert {type(bars[key]) for key in ("x", "y", "text", "hovertext")} <= {list, tuple}


@pytest.mark.parametrize(
    ("per", "said"),
    [
        ("roll", "<b>Illinois Avenue</b> (square 24)<br>3.1858 % of all rolls end here"),
        ("turn", "<b>Illinois Avenue</b> (square 24)<br>3.2087 % of all turns end here"),
        # 0.03780307 visits per turn; the share is worked out in the tests of the tables
        ("visit", "% of all stops are made here, about 1 in 34"),
    ],
)
def test_pointing_at_a_bar_says_in_words_what_it_is(per, said):
    figure = landing_chart(landing("monopoly", per=per, number=float))
    assert said in figure.data[0].hovertext[24]


def test_a_month_is_told_in_stops_and_not_in_percent():
    figure = landing_chart(landing("payday", per="lap", number=float))
    assert "1.0000 stops here in one month" in figure.data[0].hovertext[31]
    assert figure.data[0].y[31] == pytest.approx(1, rel=1e-12)
    assert figure.layout.yaxis.ticksuffix == ""
    assert figure.layout.yaxis.title.text == "expected stops here in one month"


def test_squares_of_one_name_are_told_apart_by_their_numbers():
    figure = landing_chart(landing("payday", per="lap", number=float))
    names = figure.layout.xaxis.ticktext
    assert len(set(names)) == len(names) == 32
    assert names[1] == "1 Mail"


# ---------------------------------------------------------------------------- small print


def test_the_small_print_names_unit_policy_overlays_and_evidence(short):
    text = head(landing_chart(short))
    for part in ("Monopoly", "per roll", "jail: leave", "overlays: none", "evidence: A"):
        assert part in text


def test_what_differs_stands_in_the_legend_and_what_is_shared_above(short):
    figure = landing_chart(short, landing("monopoly", per="turn", number=float))
    assert [bars.name for bars in figure.data] == ["per roll", "per turn"]
    assert "per roll" not in head(figure)
    assert "jail: leave; overlays: none; evidence: A" in head(figure)
    assert figure.layout.yaxis.title.text == "share, each in its own unit"
    assert figure.layout.showlegend is True


def test_different_games_are_named_in_the_legend(short):
    figure = landing_chart(short, landing("corner_shop", number=float))
    assert [bars.name.partition(",")[0] for bars in figure.data] == ["Monopoly", "Corner Shop"]
    assert "Monopoly" not in head(figure)


def test_two_equal_tables_are_still_told_apart(short):
    names = [bars.name for bars in landing_chart(short, short).data]
    assert names == ["Monopoly (1)", "Monopoly (2)"]


def test_doubtful_evidence_is_confessed_in_every_chart():
    caution = load("easy_money").caution
    assert caution
    assert caution in head(landing_chart(landing("easy_money", number=float)))
    assert caution in head(approach_chart("easy_money", steps=2))


def test_a_chart_does_not_confess_what_it_does_not_rest_on():
    # no mail card of Payday moves a token, so its placeholders do not touch landing
    assert load("payday").caution not in head(landing_chart(landing("payday", number=float)))


def test_a_chart_without_doubtful_evidence_carries_no_caution(short):
    assert head(landing_chart(short)).count("<br>") == 1


def test_a_caution_survives_in_a_chart_of_two_games(short):
    figure = landing_chart(short, landing("easy_money", number=float))
    assert "Illustrative board" in head(figure)


def test_no_letter_is_smaller_than_fourteen_pixels(short, long):
    for figure in (landing_chart(short, long), approach_chart("corner_shop", steps=3)):
        found = sizes(figure.to_plotly_json())
        assert len(found) >= 6
        assert min(found) >= 14


def test_names_from_a_file_reach_the_chart_letter_for_letter_and_not_as_html():
    table = landing(WICKED)
    twice = landing_chart(table, landing(load(WICKED).but({"dice.sides": 4})))
    for figure in (landing_chart(table), twice, approach_chart(load(WICKED), steps=3)):
        for text in strings(figure.to_plotly_json()):
            assert "<a " not in text
            assert "<b>Tom" not in text
            assert "$" not in text  # two of them would be a formula where MathJax is loaded
        assert '<b>Tom\'s</b> & "game"' in head(figure)
    shown = [unescape(name.replace("<br>", " ")) for name in twice.layout.xaxis.ticktext]
    assert shown == [square["name"] for square in WICKED["squares"]]
    assert "&lt;a href=" in twice.data[0].hovertext[0]


def test_hover_texts_are_no_templates_that_a_name_could_fill_in(short):
    bars = landing_chart(short).data[0]
    assert bars.hoverinfo == "text"
    assert bars.hovertemplate is None


# --------------------------------------------------------------------------- refusals


@pytest.mark.parametrize("count", [0, len(OKABE_ITO) + 1])
def test_a_chart_takes_as_many_tables_as_there_are_colours(short, count):
    with pytest.raises(RulesError, match=f"1 to 6 landing tables, not {count}"):
        landing_chart(*[short] * count)


def test_laps_do_not_stand_beside_shares():
    roll, lap = (landing("corner_shop", per=per) for per in ("roll", "lap"))
    with pytest.raises(RulesError, match="cannot stand beside shares"):
        landing_chart(roll, lap)


def test_an_unknown_order_gets_a_suggestion(short):
    with pytest.raises(RulesError, match="did you mean 'share'"):
        landing_chart(short, order="shares")  # type: ignore[arg-type]


def test_an_unknown_unit_gets_a_suggestion():
    with pytest.raises(RulesError, match="did you mean 'roll'"):
        approach_chart("corner_shop", per="rol")  # type: ignore[arg-type]


def test_without_plotly_a_message_says_what_to_install(short, monkeypatch):
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(ImportError, match=r"boardrules\[lab\]"):
        landing_chart(short)


def test_importing_the_charts_does_not_import_plotly():
    code = "import sys, boardrules.charts; sys.exit('plotly' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# ----------------------------------------------------------------- on the way to the limit


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (leave, {10: 0.1225, 20: 0.0191, 30: 0.0034, 40: 0.0005}),
        (stay, {10: 0.1597, 20: 0.0395, 30: 0.0106, 40: 0.0025}),
    ],
)
def test_the_distance_to_the_limit_falls_as_an_independent_program_found(policy, expected):
    found = distances(chain(load("monopoly"), policy, float), 40)
    assert {n: round(found[n], 4) for n in expected} == expected


def test_at_the_start_all_but_the_share_of_the_start_is_elsewhere():
    assert distances(chain(load("corner_shop")), 0) == [1 - Fraction(653, 4392)]


def test_a_walk_that_never_settles_stays_away_from_its_long_run():
    # one coin that always says 1, two squares: there and back for ever, half the time on each
    board = {
        "format": 1,
        "title": "To and fro",
        "dice": {"count": 1, "faces": {"1": 1}},
        "squares": [{"id": "here"}, {"id": "there"}],
    }
    assert distances(chain(load(board)), 4) == [Fraction(1, 2)] * 5


def test_distances_start_where_the_chain_starts():
    rules = load("corner_shop")
    walk = chain(rules)
    jailed = next(state for state in walk.states if state.token.jailed)
    (first,) = distances(chain(rules, start=jailed), 0)
    assert first == 1 - Fraction(565, 2928)


def test_the_curve_shows_the_distances_in_percent():
    figure = approach_chart("corner_shop", steps=5)
    (curve,) = figure.data
    assert list(curve.x) == [0, 1, 2, 3, 4, 5]
    assert list(curve.y) == [
        100 * far for far in distances(chain(load("corner_shop"), number=float), 5)
    ]
    assert figure.layout.yaxis.type == "log"
    assert curve.hovertext[1].startswith("<b>after 1 roll</b><br>")
    assert curve.hovertext[2].startswith("<b>after 2 rolls</b><br>")


def test_curves_differ_by_more_than_colour():
    figure = approach_chart("corner_shop", load("corner_shop", "bent_coins"), steps=3)
    assert len({curve.line.color for curve in figure.data}) == 2
    assert len({curve.line.dash for curve in figure.data}) == 2
    assert len({curve.marker.symbol for curve in figure.data}) == 2
    assert [curve.name for curve in figure.data] == ["overlays: none", "overlays: house/bent_coins"]


def test_a_distance_of_nothing_is_left_off_the_logarithmic_scale():
    # a die with two sides on a board of two squares: after one roll the law is the limit
    board = {
        "format": 1,
        "title": "Coin",
        "dice": {"count": 1, "sides": 2},
        "squares": [{"id": "here"}, {"id": "there"}],
    }
    figure = approach_chart(load(board), steps=3)
    assert list(figure.data[0].x) == [0]
    assert list(figure.data[0].y) == [50]
