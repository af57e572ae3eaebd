"""A decimal comma where people read, and nowhere else."""

from __future__ import annotations

import re
from typing import Any

import pytest
from conftest import chain_of, rules_of
from hypothesis import given
from hypothesis import strategies as st

from boardrules.board import percent, svg
from boardrules.charts import approach_chart, landing_chart
from boardrules.decimals import THIN, figure, shown_with, written
from boardrules.tables import landing


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("2.9 %", "2,9 %"),
        ("2.9182 %, about 1 in 34", "2,9182 %, about 1 in 34"),
        ("1,234 rolls", f"1{THIN}234 rolls"),
        ("1,234,567.25", f"1{THIN}234{THIN}567,25"),
        ("-0.5 to +0.5", "-0,5 to +0,5"),
        ("$57.97", "$57,97"),
        ("(0.25)", "(0,25)"),
        ("It is 2.5. Then 3.", "It is 2,5. Then 3."),
        ("<0.1%", "<0,1%"),
        # none of these is a decimal number
        ("version 1.2.3", "version 1.2.3"),
        ("rule C1.5", "rule C1.5"),
        ("squares 1, 2, 3", "squares 1, 2, 3"),
        ("1,2,3", "1,2,3"),
        ("24.12.2024", "24.12.2024"),
        ("St. Charles Place", "St. Charles Place"),
    ],
)
def test_a_point_becomes_a_comma_where_it_is_a_decimal_point(text: str, told: str) -> None:
    assert written(text, ",") == told
    assert written(text, ".") == text


@given(st.integers(0, 10**12), st.integers(0, 6))
def test_every_number_can_be_read_back(whole: int, places: int) -> None:
    text = f"{whole / 7:,.{places}f}"
    turned = written(text, ",")
    assert turned.replace(THIN, "").replace(",", ".") == text.replace(",", "")
    assert "." not in turned


@pytest.mark.parametrize("sign", ["", ";", "comma", None, 0])
def test_no_other_sign_is_taken(sign: Any) -> None:
    with pytest.raises(ValueError, match="must be"):
        written("1.5", sign)
    with pytest.raises(ValueError, match="must be"):
        shown_with(sign, percent)


def test_a_board_shows_its_numbers_with_a_comma() -> None:
    rules = rules_of("corner_shop")
    table = landing(chain_of("corner_shop"))
    plain, turned = (str(svg(rules, table, show=shown_with(sign, percent))) for sign in ".,")
    numbers = re.findall(r">(\d+\.\d%)<", plain)
    assert len(numbers) >= 8
    for number in numbers:
        assert f">{number.replace('.', ',')}<" in turned
    assert not re.search(r">\d+\.\d%<", turned)


def test_a_chart_shows_its_texts_and_ticks_with_a_comma_and_keeps_its_values() -> None:
    chart = landing_chart(landing(chain_of("corner_shop")))
    turned = figure(chart, ",")
    assert turned is not chart
    assert type(turned) is type(chart)
    assert turned.layout.separators == f",{THIN}"
    assert list(turned.data[0].y) == list(chart.data[0].y)
    assert list(turned.data[0].text) == [text.replace(".", ",") for text in chart.data[0].text]
    hover = " ".join(turned.data[0].hovertext)
    assert re.search(r"\d,\d{4} %", hover)
    assert not re.search(r"\d\.\d", hover)
    assert chart.layout.separators is None
    assert "." in chart.data[0].text[0]


def test_ticks_that_are_written_by_hand_are_turned_too() -> None:
    turned = figure(approach_chart("corner_shop"), ",")
    ticks = turned.layout.yaxis.ticktext
    assert "0,1 %" in ticks
    assert not any("." in tick for tick in ticks)


def test_styles_and_formats_inside_a_text_are_left_alone() -> None:
    from plotly import graph_objects as go

    chart = go.Figure(
        go.Scatter(
            x=[1.5], y=[2.5], hovertemplate="<span style='font-size:1.5em'>2.5</span> %{y:0.2f}"
        )
    )
    told = figure(chart, ",").data[0].hovertemplate
    assert told == "<span style='font-size:1.5em'>2,5</span> %{y:0.2f}"


def test_with_a_point_the_chart_itself_comes_back() -> None:
    chart = landing_chart(landing(chain_of("corner_shop")))
    assert figure(chart, ".") is chart
