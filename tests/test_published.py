"""The chain against the tables that others printed, to their last digit."""

from __future__ import annotations

import csv
from decimal import Decimal
from fractions import Fraction

import pytest

from boardrules import RulesError, chain, landing, leave, load, per, rolls, stay, turns
from boardrules.library import data_folder
from boardrules.published import Published, Reproduction, published, reproduce, rounded

# Printed one off in the last place, with the exact value beside it: the three of Collins fit his
# estimating the doubles by simulation, Butler's is a transcriber's sum of rounded rows.
KNOWN = {
    ("collins_short_per_roll_percent", 40): ("3.9499", Fraction("3.949976")),
    ("collins_short_per_roll_percent", 29): ("2.5861", Fraction("2.586049")),
    ("collins_long_per_roll_percent", 8): ("2.1874", Fraction("2.187348")),
    ("butler_long_per_roll", 10): ("0.11527746", Fraction("0.115277453")),
}

COLUMNS = [table.id for table in published()]
CELLS = [(table.id, cell.number) for table in published() for cell in table.cells]


@pytest.fixture(scope="module")
def tables() -> dict[str, Published]:
    return {table.id: table for table in published()}


@pytest.fixture(scope="module")
def beside() -> dict[str, Reproduction]:
    return {table.id: reproduce(table) for table in published()}


def test_every_column_of_the_file_is_described_once_and_in_order():
    file = data_folder() / "published" / "monopoly_landing.csv"
    header = next(csv.reader(file.read_text(encoding="utf-8").splitlines()))
    assert header == ["square", "name", *COLUMNS]


def test_there_are_seven_tables_with_283_numbers():
    # 41 rows each for Collins (two) and Noe, 40 each for Butler (four): 3 * 41 + 4 * 40
    sizes = [len(table.cells) for table in published()]
    assert sizes == [41, 41, 40, 40, 40, 40, 41]
    assert len(CELLS) == 283


@pytest.mark.parametrize(("column", "number"), CELLS)
def test_every_printed_number_is_ours_to_its_last_digit(beside, column, number):
    row = next(row for row in beside[column].rows if row.number == number)
    if (column, number) in KNOWN:
        one_in_the_last_place = Decimal((0, (1,), row.printed.as_tuple().exponent))
        assert abs(row.printed - row.ours) == one_in_the_last_place
    else:
        assert row.ours == row.printed


def test_exactly_four_printed_numbers_are_off_and_no_others(beside):
    off = {(column, row.number) for column in COLUMNS for row in beside[column].differing}
    assert off == set(KNOWN)


@pytest.mark.parametrize(("column", "number"), KNOWN)
def test_the_four_numbers_that_are_off_are_the_ones_on_record(beside, column, number):
    printed, computed = KNOWN[column, number]
    row = next(row for row in beside[column].rows if row.number == number)
    assert row.printed == Decimal(printed)
    decimals = 9 if column.startswith("butler") else 6
    assert rounded(row.exact, decimals) == rounded(computed, decimals)


def test_no_number_hangs_on_how_halves_are_rounded(beside, tables):
    for column, found in beside.items():
        for row in found.rows:
            assert rounded(row.exact, tables[column].decimals, "even") == row.ours


def test_ours_are_fractions_and_not_floats(beside):
    assert {type(row.exact) for found in beside.values() for row in found.rows} == {Fraction}


@pytest.mark.parametrize(("policy", "printed"), [(leave, "1.1866239585"), (stay, "1.1658963640")])
def test_rolls_per_turn_are_those_that_butler_printed(policy, printed):
    ours = per(chain(load("monopoly"), policy), turns, rolls).mean
    assert isinstance(ours, Fraction)
    assert rounded(ours, 10) == Decimal(printed)


def test_the_tables_carry_butlers_rolls_per_turn(tables):
    for stem, printed in (("short", "1.1866239585"), ("long", "1.1658963640")):
        for unit in ("roll", "turn"):
            assert tables[f"butler_{stem}_per_{unit}"].rolls_per_turn == printed


@pytest.mark.parametrize(
    ("column", "author", "year", "unit", "policy", "overlays", "percent", "decimals", "with_jail"),
    [
        (
            "collins_short_per_roll_percent",
            "Truman Collins",
            1997,
            "roll",
            "leave",
            (),
            True,
            4,
            False,
        ),
        (
            "collins_long_per_roll_percent",
            "Truman Collins",
            1997,
            "roll",
            "stay",
            ("readings/collins_jail",),
            True,
            4,
            False,
        ),
        ("butler_short_per_roll", "Bill Butler", None, "roll", "leave", (), False, 8, True),
        ("butler_long_per_roll", "Bill Butler", None, "roll", "stay", (), False, 8, True),
        ("butler_short_per_turn", "Bill Butler", None, "turn", "leave", (), False, 9, True),
        ("butler_long_per_turn", "Bill Butler", None, "turn", "stay", (), False, 9, True),
        ("noe_long_per_visit_percent", "Roger J. Noe", 1985, "visit", "stay", (), True, 4, False),
    ],
)
def test_each_table_says_by_which_conventions_it_was_made(
    tables, column, author, year, unit, policy, overlays, percent, decimals, with_jail
):
    table = tables[column]
    assert (table.author, table.year, table.unit, table.policy.name) == (author, year, unit, policy)
    assert (table.overlays, table.percent, table.decimals) == (overlays, percent, decimals)
    assert table.jail_with_visitors is with_jail
    assert all(len(cell.printed.partition(".")[2]) == decimals for cell in table.cells)


def test_every_printed_row_bears_the_name_of_our_square(tables):
    ours = {row.number: row.name for row in landing("monopoly", number=float).rows}
    for table in tables.values():
        for cell in table.cells:
            assert cell.name == ours[cell.number]


@pytest.mark.parametrize(
    ("column", "total"),
    [
        ("collins_short_per_roll_percent", "100.0001"),
        ("collins_long_per_roll_percent", "99.9999"),
        ("butler_short_per_roll", "0.99999999"),
        ("butler_long_per_roll", "0.99999997"),
        ("butler_short_per_turn", "1"),
        ("butler_long_per_turn", "1"),
        ("noe_long_per_visit_percent", "100.0002"),
    ],
)
def test_the_printed_columns_add_up_as_the_readme_says(tables, column, total):
    assert sum(cell.value for cell in tables[column].cells) == Fraction(total)


@pytest.mark.parametrize(
    ("column", "unit", "policy"),
    [
        ("collins_short_per_roll_percent", "turn", leave),  # the wrong unit
        ("collins_short_per_roll_percent", "roll", stay),  # the wrong policy
        ("collins_long_per_roll_percent", "roll", stay),  # the wrong reading of the jail
        ("noe_long_per_visit_percent", "roll", stay),
    ],
)
def test_a_wrong_convention_does_not_reproduce_a_table(column, unit, policy):
    found = reproduce(column, landing("monopoly", per=unit, policy=policy))
    assert len(found.differing) > 30


def test_collins_and_the_printed_rule_differ_by_seven_hundredths_of_a_percent_in_jail(beside):
    collins = beside["collins_long_per_roll_percent"].rows[40].exact
    rule = 100 * landing("monopoly", policy=stay)["in_jail"]
    assert rounded(collins - rule, 4) == Decimal("0.0714")


def test_a_table_without_a_jail_has_nothing_in_the_jail_row():
    found = reproduce("collins_short_per_roll_percent", landing("monopoly", "no_jail"))
    assert found.rows[40].exact == 0


def test_an_unknown_table_gets_a_suggestion():
    with pytest.raises(RulesError, match="did you mean 'butler_long_per_roll'"):
        reproduce("butler_long_per_rol")


@pytest.mark.parametrize(
    ("value", "decimals", "up", "even"),
    [
        (Fraction(1, 2), 0, "1", "0"),
        (Fraction(3, 2), 0, "2", "2"),
        (Fraction(1, 8), 2, "0.13", "0.12"),
        (Fraction(1, 3), 4, "0.3333", "0.3333"),
        (Fraction(2, 3), 4, "0.6667", "0.6667"),
        (Fraction(0), 3, "0.000", "0.000"),
        # 0.15 is not a float: the nearest float lies below it, and would be rounded to 0.1
        (Fraction(15, 100), 1, "0.2", "0.2"),
        # far more digits than a float, or a decimal context, carries
        (Fraction(10**40 + 5, 10**41), 40, "0." + "1" + "0" * 38 + "1", "0.1" + "0" * 39),
    ],
)
def test_rounding_is_exact_and_halves_go_up_or_to_even(value, decimals, up, even):
    assert str(rounded(value, decimals)) == up
    assert str(rounded(value, decimals, "even")) == even


def test_the_frame_names_its_units_and_keeps_the_digits(beside):
    frame = beside["noe_long_per_visit_percent"].frame()
    assert list(frame.columns) == [
        "square",
        "name",
        "printed_percent_per_visit",
        "ours_percent_per_visit",
        "agrees",
    ]
    assert len(frame) == 41
    assert str(frame["printed_percent_per_visit"][30]) == "2.3069"
    assert str(frame["ours_percent_per_visit"][30]) == "2.3069"
    assert frame["agrees"].all()


def test_what_is_shown_says_who_how_and_how_well(beside):
    found = beside["collins_short_per_roll_percent"]
    text, html = str(found), found._repr_html_()
    for line in (
        "Truman Collins (1997), Probabilities in the Game of Monopoly",
        "theirs: per roll, jail: leave; overlays: none; percent, 4 decimals",
        "ours: Monopoly, per roll, jail: leave; overlays: none",
        "39 of 41 numbers agree in every printed digit",
    ):
        assert line in text
        assert line in html
    assert "3.9499  3.9500  differs" in text
    assert "39 of 41" in repr(found)


def test_names_and_sources_are_escaped_in_html(beside):
    html = beside["noe_long_per_visit_percent"]._repr_html_()
    assert "&lt;513@riccb.UUCP&gt;" in html
    assert "<513@" not in html
    assert "B. &amp; O. Railroad" in html
