"""What a class has counted: how it is read, and whether the verdict on it is fair."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from itertools import product
from math import factorial, log, prod, sqrt
from random import Random
from typing import Any

import numpy as np
import pytest
from conftest import chain_of, rules_of
from hypothesis import given, settings
from hypothesis import strategies as st

from boardrules.chain import chain
from boardrules.events import RollOver, TurnOver
from boardrules.library import load
from boardrules.measure import after
from boardrules.play import fair, play
from boardrules.rules import RulesError
from boardrules.tallies import Tally, read, squares_of, sums_of, tally_chart, verdict
from boardrules.tallies.verdict import law_of_sums, simulated

DICE = sums_of(rules_of("monopoly"))
SQUARES = squares_of(rules_of("monopoly"))
SHOP = squares_of(rules_of("corner_shop"))


def seen(tally: Tally) -> dict[str, int]:
    """What was counted at all."""
    return {key: count for key, count in tally.counts.items() if count}


# ------------------------------------------------------------------------------- reading


@pytest.mark.parametrize(
    "text",
    [
        "7 8 3 7 7",
        "7, 8, 3, 7, 7",
        "7;8;3;7;7",
        "7\t8\t3\t7\t7",
        "7\n8\n3\n7\n7",
        "7: 3\n8: 1\n3: 1",
        "7=3, 8=1, 3=1",
        "7: 3, 8 1, 3: 1",
        "7 |||\n8 |\n3 |",
        "7: III\n8: I\n3: I",
        "sum,count\n3,1\n7,3\n8,1",
        "sum;count\n3;1,0\n7;3,0\n8;1,0",
        "sum\tcount\n3\t1.00\n7\t3.00\n8\t1.00\n",
        "\ufeffSumme;Anzahl\r\n3;1\r\n7;3\r\n8;1\r\n",
        "name;3;7;8\nAnna;1;1;0\nBen;0;2;1",
        "sum;Anna;Ben;total\n3;1;0;1\n7;1;2;3\n8;0;1;1\ntotal;2;3;5",
        "Anna: 7 8\nBen: 3 7 7",
        "Anna 7 8\nBen 3, 7, 7",
        "Anna;7;8\nBen;3;7;7",
        "2 0\n3 1\n7 3\n8 1",
        "# our class\n\n7 8 3\n\n7 7\n",
    ],
)
def test_a_class_may_write_its_throws_in_many_ways(text: str) -> None:
    tally = read(text, DICE)
    assert seen(tally) == {"3": 1, "7": 3, "8": 1}
    assert tally.doubts == ()
    assert tally.said.startswith("5 throws")


@pytest.mark.parametrize(
    "text",
    [
        "Illinois Avenue IIII\nGO: 2",
        "Illinois Avenue 4\nGO 2",
        "illinois avenue: 4\ngo: 2",
        "24: 4\n0: 2",
        "24 0 24 24 0 24",
        "Illinois Avenue, GO, Illinois Avenue\nGO, Illinois Avenue, Illinois Avenue",
        "square;a;b\nIllinois Avenue;3;1\nGO;1;1",
        "Illinois Avenue\t4\nGO\t2",
        "name;Illinois Avenue;GO\nAnna;3;0\nBen;1;2",
        "Anna: GO, Illinois Avenue, Illinois Avenue\nBen: 24 24 0",
        "24 Illinois Avenue: 4\n0 GO: 2",
    ],
)
def test_a_class_may_write_its_landings_in_many_ways(text: str) -> None:
    tally = read(text, SQUARES)
    assert seen(tally) == {"go": 2, "illinois": 4}
    assert tally.doubts == ()


def test_pupils_are_counted_whether_they_stand_in_rows_or_in_columns() -> None:
    for text in (
        "Anna: 7 8 3\nBen: 5 6",
        "name;3;5;6;7;8\nAnna;1;0;0;1;1\nBen;0;1;1;0;0",
        "sum;Anna;Ben\n3;1;0\n5;0;1\n6;0;1\n7;1;0\n8;1;0",
    ):
        tally = read(text, DICE)
        assert tally.pupils == {"Anna": 3, "Ben": 2}
        assert tally.said == "5 throws of 2 pupils"


def test_names_of_other_languages_and_without_accents_are_known() -> None:
    german = squares_of(rules_of("monopoly", "names/deutsch"))
    tally = read("Badstrasse: 2\nMunchner Straße 3\nGehe ins Gefangnis |", german)
    assert seen(tally) == {"mediterranean": 2, "st_james": 3, "go_to_jail": 1}


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("7 8\n7 33 8", 2, "“33” is no sum of these dice; they give 2 to 12"),
        ("7: 5\n13: 2", 2, "“13” is no sum"),
        ("7: 5\n8: 13,9 %", 2, "counts are needed, not shares"),
        ("7: 5\n8: 3,5", 2, "a count is a whole number"),
        ("7: 5\n8: many", 2, "“many” is no count of 8"),
        ("7: 5\n3 x 8", 2, "not understood"),
        ("7: 5\n-8", 2, "not understood"),
        ("7: 5\n7.5", 2, "not understood"),
        ("7: 5\n1/2", 2, "not understood"),
        ("7: 5\n8: 999999999", 2, "more than anybody counts"),
        ("7: 5\nhello world", 2, "“hello world” is not understood"),
    ],
)
def test_what_is_not_understood_is_told_with_its_line_and_not_counted(
    text: str, line: int, said: str
) -> None:
    tally = read(text, DICE)
    assert [doubt.line for doubt in tally.doubts] == [line]
    assert said in tally.doubts[0].text
    assert set(seen(tally)) <= {"7", "8"}
    assert tally.counts["8"] == (1 if "33" in text else 0) + text.count("7 8\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Jail: 4", "“Jail” may be Just Visiting or In Jail; which one?"),
        ("Chance: 4", "“Chance” may be Chance 1 or Chance 2 or Chance 3"),
        ("Ilinois: 4", "no square “Ilinois”; did you mean Illinois Avenue?"),
        ("Nowhere", "no square “Nowhere”"),
        ("99", "no square “99”"),
    ],
)
def test_a_square_that_may_be_several_or_none_is_not_guessed(text: str, said: str) -> None:
    tally = read(text, SQUARES)
    assert tally.total == 0
    assert said in str(tally.doubts[0])


def test_a_shortened_name_is_read_and_told() -> None:
    tally = read("Atlant 3\nBoardw", SQUARES)
    assert seen(tally) == {"atlantic": 3, "boardwalk": 1}
    assert "“Atlant” is read as Atlantic Avenue" in tally.notes


@pytest.mark.parametrize("text", ["8 3", "7 5\n8 3", "7;5\n8;3", "7\t5\n8\t3", "7, 5\n8, 3"])
def test_two_numbers_a_line_are_not_read_until_somebody_says_how(text: str) -> None:
    unsure = read(text, DICE)
    assert unsure.total == 0
    assert "two ways" in unsure.doubts[0].text
    rows = 1 if "\n" not in text else 2
    assert read(text, DICE, "list").total == 2 * rows
    assert read(text, DICE, "table").counts["8"] == 3


def test_two_numbers_a_line_are_read_where_only_one_way_makes_sense() -> None:
    assert seen(read("7 15\n8 3", DICE)) == {"7": 15, "8": 3}  # 15 is no throw
    assert read("7 5\n8 3\n7 6", DICE).total == 6  # a table has each sum once
    whole = read("2 4\n3 4\n4 6\n5 7", DICE)  # counts up from line to line
    assert seen(whole) == {"2": 4, "3": 4, "4": 6, "5": 7}
    assert "read as: first what it is, then how often" in whole.notes


def test_totals_are_left_out_and_that_is_told() -> None:
    tally = read("7: 3\n8: 2\ntotal: 5", DICE)
    assert tally.total == 5
    assert any("would count twice" in note for note in tally.notes)


def test_python_may_give_lists_and_dicts() -> None:
    assert seen(read([7, 7, 3], DICE)) == {"3": 1, "7": 2}
    assert seen(read({7: 2, 3: 1}, DICE)) == {"3": 1, "7": 2}
    assert seen(read({"jail": 2, "in_jail": 1}, SQUARES)) == {"jail": 2, "in_jail": 1}


def test_a_form_that_there_is_not_is_refused() -> None:
    with pytest.raises(RulesError, match="no such form"):
        read("7", DICE, "tabel")  # type: ignore[arg-type]


def test_endless_texts_are_read_only_so_far() -> None:
    long = read("7 " * 500_000, DICE)
    assert any("only the first" in str(doubt) for doubt in long.doubts)
    many = read("x\n" * 10_000, DICE)
    assert len(many.doubts) <= 31
    assert "more like these" in str(many.doubts[-1])
    assert len(str(read("y" * 100_000, DICE))) < 500


@settings(max_examples=150)
@given(st.text(alphabet="7812 3\t;,:=|I/x%.-\n\"'AnaBen\u00e4\u0663²", max_size=60))
def test_whatever_is_typed_gives_counts_and_doubts_and_never_an_error(text: str) -> None:
    for outcomes in (DICE, SQUARES, SHOP):
        for form in ("auto", "list", "table"):
            tally = read(text, outcomes, form)  # type: ignore[arg-type]
            assert all(count >= 0 for count in tally.counts.values())
            assert set(tally.counts) == set(outcomes.names)
            assert sum(tally.pupils.values()) <= tally.total
            if re.search("[1-9]", text) and not re.search("[:=0]", text):  # "7:" may mean none
                assert tally.total or tally.doubts or tally.notes


@settings(max_examples=100)
@given(st.lists(st.integers(2, 12), min_size=3, max_size=40))
def test_a_list_of_throws_is_counted_as_it_stands(throws: list[int]) -> None:
    for joint in (" ", ", ", "\n", "; "):
        assert seen(read(joint.join(map(str, throws)), DICE)) == {
            str(total): count for total, count in sorted(Counter(throws).items())
        }


# ---------------------------------------------------------------------- verdicts by hand


def test_the_law_of_the_sums_is_counted_by_hand() -> None:
    ways = Counter(a + b for a, b in product(range(1, 7), repeat=2))
    assert law_of_sums(rules_of("monopoly")) == {
        str(total): Fraction(count, 36) for total, count in sorted(ways.items())
    }
    # bent coins: heads (1) twice as often as tails (2)
    assert law_of_sums(rules_of("corner_shop", "house/bent_coins")) == {
        "2": Fraction(4, 9),
        "3": Fraction(4, 9),
        "4": Fraction(1, 9),
    }


def exact_odds(counts: tuple[int, ...], law: tuple[Fraction, ...]) -> Fraction:
    """The chance of counts with at least this chi-square, by adding up all that can happen."""
    total = sum(counts)

    def far(some: tuple[int, ...]) -> Fraction:
        return sum(
            ((n - total * p) ** 2 / (total * p) for n, p in zip(some, law, strict=True)),
            Fraction(0),
        )

    mine, odds = far(counts), Fraction(0)
    for a in range(total + 1):
        for b in range(total + 1 - a):
            some = (a, b, total - a - b)
            if far(some) >= mine:
                ways = factorial(total) // prod(map(factorial, some))
                odds += ways * prod(
                    (p**n for n, p in zip(some, law, strict=True)), start=Fraction(1)
                )
    return odds


@pytest.mark.parametrize(
    "counts", [(4, 0, 4), (2, 4, 2), (0, 8, 0), (8, 0, 0), (1, 7, 4), (9, 9, 2)]
)
def test_the_odds_are_those_of_all_ways_that_two_coins_can_fall(
    counts: tuple[int, int, int],
) -> None:
    """By full enumeration; the simulation may be off by five standard errors, six cases."""
    exact = float(exact_odds(counts, (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))))
    classes = 40_000
    found = verdict(dict(zip("234", counts, strict=True)), "corner_shop", classes=classes, seed=11)
    error = sqrt(exact * (1 - exact) / classes) + 1 / classes
    assert abs(found.odds - exact) < 5 * error, (found.odds, exact)


def test_expected_landings_are_the_laws_after_each_roll_added_up() -> None:
    walk = chain("corner_shop", number=float)
    laws = [after(walk, n) for n in (1, 2, 3)]
    found = verdict("Corner, Bakery, Market, Corner, Market", walk, per="roll", pupils=2)
    assert found.walks == (3, 2)
    for row in found.rows:
        key = ("station", True) if row.key == "in_jail" else (row.key, False)
        one, two, three = (law.get(key, 0.0) for law in laws)
        assert row.expected == pytest.approx(2 * one + 2 * two + three, abs=1e-9)


def test_simulated_classes_have_the_mean_of_the_exact_law() -> None:
    """Monopoly, 5 tokens of 7 turns: each of 41 means within the chance of one in a million."""
    walk = chain("monopoly", number=float)
    classes = 3_000
    for ending, per in ((RollOver, "roll"), (TurnOver, "turn")):
        counts = simulated(walk, ending, (7,) * 5, classes, seed=3)
        assert (counts.sum(axis=1) == 35).all()
        rows = verdict({"go": 35}, walk, per=per, pupils=5, classes=99).rows
        expected = np.array([row.expected for row in rows])
        assert expected.sum() == pytest.approx(35)
        spread = counts.std(axis=0) / sqrt(classes)
        z = np.abs(counts.mean(axis=0) - expected) / np.maximum(spread, 1e-9)
        z[expected < 1e-12] = 0
        assert z.max() < sqrt(2 * log(2 * 82 / 1e-6)), z  # Gauss: 82 comparisons


# -------------------------------------------------------------------------- calibration


def uniform_bound(count: int) -> float:
    """How far an empirical law is from the true one, but for a chance of one in a million."""
    return sqrt(log(2 / 1e-6) / (2 * count))


def check_calibration(odds: list[float]) -> None:
    """Honest odds are uniform: not too small too often, nor too large."""
    far = [abs(share - (k + 1) / len(odds)) for k, share in enumerate(sorted(odds))]
    assert max(far) < uniform_bound(len(odds)) + 0.02, max(far)  # 0.02: odds come in steps


def test_odds_of_fair_throws_are_uniform() -> None:
    """400 classes of 90 fair throws of two dice, by Python's own dice."""
    random = Random(20)
    odds = []
    for number in range(400):
        throws = [random.randint(1, 6) + random.randint(1, 6) for _ in range(90)]
        odds.append(verdict(Counter(throws), rules_of("monopoly"), classes=499, seed=number).odds)
    check_calibration(odds)


def test_odds_of_landings_are_uniform_although_they_hang_together() -> None:
    """250 classes of 6 tokens, 8 rolls each, walked by the engine that never sees the chain."""
    rules, walk = rules_of("corner_shop"), chain("corner_shop", number=float)
    names = {square.id: square.id for square in rules.squares}
    odds = []
    for number in range(250):
        counts: Counter[str] = Counter()
        for pupil in range(6):
            stops: list[str] = []
            for move in play(rules, None, fair(1_000 * number + pupil), turns=8):
                stops += [
                    "in_jail" if event.jailed else names[event.square]
                    for event in move.events
                    if isinstance(event, RollOver)
                ]
            counts.update(stops[:8])
        assert sum(counts.values()) == 48
        found = verdict(counts, walk, per="roll", pupils=6, classes=299, seed=number)
        odds.append(found.odds)
    check_calibration(odds)


def test_counting_correlated_landings_as_independent_would_be_unfair() -> None:
    """One token on two squares that it never leaves for long: the spread is not that of a throw.

    On Corner Shop the variance of the counts differs from N p (1 - p) by far more than chance.
    """
    walk = chain("corner_shop", number=float)
    counts = simulated(walk, RollOver, (200,), 4_000, seed=5)
    mean = counts.mean(axis=0)
    naive = mean * (1 - mean / 200)
    ratio = counts.var(axis=0)[naive > 1] / naive[naive > 1]
    error = sqrt(2 / 4_000)  # of a variance
    assert (np.abs(ratio - 1) / error).max() > 20


def test_what_stands_out_does_so_by_chance_in_one_class_of_twenty_at_most() -> None:
    """Looking at eleven sums at once is allowed for: 400 fair classes."""
    random = Random(21)
    odd = 0
    for number in range(400):
        throws = [random.randint(1, 6) + random.randint(1, 6) for _ in range(120)]
        found = verdict(Counter(throws), rules_of("monopoly"), classes=499, seed=number)
        odd += bool(found.standing_out)
    # binomial with 1/20: mean 20, sd 4.4; one in a million lies above 45
    assert odd <= 45


def test_a_loaded_die_is_found_out() -> None:
    """A six twice as likely: of 600 throws, 12 comes with 4/49 instead of 1/36."""
    random = Random(22)
    for number in range(20):
        throws = [sum(random.choices(range(1, 7), (1, 1, 1, 1, 1, 2), k=2)) for _ in range(600)]
        found = verdict(Counter(throws), rules_of("monopoly"), classes=2_999, seed=number)
        assert found.odds < 0.001
        assert "12" in [row.name for row in found.standing_out]
        assert "look for the cause" in found.sentence
        loaded = verdict(Counter(throws), load("monopoly", "loaded_dice"), seed=number)
        assert loaded.odds > 1e-4  # under its own law it is an ordinary class; 20 x 1e-4
        assert "Dice as these rules want them" in loaded.sentence or loaded.closer < 0.003


# -------------------------------------------------------------------------- what is said


def test_ordinary_counts_raise_no_suspicion() -> None:
    text = "2: 9, 3: 22, 4: 31, 5: 40, 6: 51, 7: 60, 8: 45, 9: 38, 10: 29, 11: 18, 12: 17"
    found = verdict(text, "monopoly")
    assert "no reason for suspicion" in found.sentence
    assert found.sentence.startswith("Fair dice give something at least as odd as this in about")
    assert found.standing_out == ()
    assert found.tally.total == 360
    again = verdict(text, "monopoly")
    assert (again.odds, again.rows) == (found.odds, found.rows)


def test_counts_that_fit_too_well_are_wondered_at() -> None:
    made_up = {total: 10 * (6 - abs(total - 7)) for total in range(2, 13)}
    found = verdict(made_up, "monopoly")
    assert found.sentence.startswith("Almost too good")
    few = verdict("7 8 6", "monopoly")
    assert "Almost" not in few.sentence
    assert any("could hide" in text for text in few.sentences())


def test_a_square_where_nobody_can_stop_is_told_as_such() -> None:
    found = verdict("Red Light: 1\nMarket: 9", "corner_shop", per="roll", pupils=5)
    assert found.odds == 0
    assert "nobody can end on Red Light" in found.sentence


def test_the_verdict_says_what_it_rests_on() -> None:
    found = verdict("Market: 9\nBakery: 5", "corner_shop", per="turn", pupils=7)
    small = " ".join(found.lines)
    for part in (
        "Corner Shop",
        "14 landings",
        "per turn",
        "jail: leave",
        "7 tokens of 2",
        "seed 1",
    ):
        assert part in small
    one = verdict("Market: 9\nBakery: 5", "corner_shop", per="turn")
    assert any("one single token" in text for text in one.sentences())
    invented = verdict("1: 3\n2: 4", "easy_money", per="roll", pupils=2)
    assert any("Illustrative board" in line for line in invented.lines)
    dice = verdict("3: 3\n2: 4", "easy_money")  # ordinary dice, which nobody has invented
    assert dice.context.grade == "seed"
    assert not any("Illustrative" in line for line in dice.lines)


def test_a_verdict_says_what_was_not_counted() -> None:
    found = verdict("7: 5\n8: 9\nhello\n13", "monopoly")
    assert found.tally.total == 14
    assert "2 not counted, first line 3: “hello” is not understood" in str(found)
    assert "not counted" in tally_chart(found).layout.title.text


def test_a_verdict_speaks_with_a_comma_if_asked_to() -> None:
    found = verdict({"7": 40, "2": 12, "12": 1, "6": 20}, "monopoly")
    assert "stands out: 2: 12 instead of about 2.0" in " ".join(found.sentences())
    assert "stands out: 2: 12 instead of about 2,0" in " ".join(found.sentences(","))


def test_a_verdict_is_a_table_too() -> None:
    found = verdict({"7": 3, "8": 4}, "monopoly")
    frame = found.frame()
    assert list(frame["count"]) == [0, 0, 0, 0, 0, 3, 4, 0, 0, 0, 0]
    assert frame["expected"].sum() == pytest.approx(7)
    assert "<table>" in found._repr_html_()
    assert str(found).count("\n") > 11


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"tally": ""}, "needs 1 to"),
        ({"tally": "7", "per": "throws"}, "did you mean 'throw'"),
        ({"tally": "7", "per": "lap"}, "no such unit"),
        ({"tally": "7", "classes": 3}, "needs a whole number from 99"),
        ({"tally": "7 8", "per": "roll", "pupils": 0}, "needs a whole number from 1"),
        ({"tally": "7 8", "per": "roll", "pupils": 3}, "needs a whole number from 1"),
        ({"tally": {"go": 5_000}, "per": "roll"}, "how many pupils"),
        (
            {"tally": {"go": 5_000}, "per": "roll", "pupils": 50, "classes": 20_000},
            "too many to simulate",
        ),
        ({"tally": read("7", DICE), "per": "roll"}, "are of monopoly|are no landings"),
        ({"tally": read("3", SHOP), "per": "roll"}, "are of corner_shop, not of monopoly"),
    ],
)
def test_what_cannot_be_judged_is_refused_in_words(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(RulesError, match=said):
        verdict(asked.pop("tally"), "monopoly", **asked)


def test_a_chart_shows_counts_band_and_verdict() -> None:
    found = verdict({"7": 40, "2": 12, "12": 1, "6": 20}, "monopoly")
    chart = tally_chart(found, ",")
    counted, odd, expected = chart.data
    heights = [a if a is not None else b for a, b in zip(counted.y, odd.y, strict=True)]
    assert heights == [row.count for row in found.rows]
    assert list(expected.y) == [row.expected for row in found.rows]
    assert odd.visible is True
    assert odd.marker.pattern.shape
    assert "look for the cause" in chart.layout.title.text.replace("<br>", " ")
    assert "per throw" in chart.layout.title.text
    assert "2,0" in expected.hovertext[0]
    assert "expected 2,0" in counted.hovertext[0]


def test_names_of_strangers_are_escaped_in_the_chart() -> None:
    rules = rules_of("corner_shop").but({"squares.corner.name": "<b onclick=x>$E$</b>"})
    chart = tally_chart(verdict({"corner": 2, "market": 3}, rules, per="roll", pupils=2))
    for text in (*chart.layout.xaxis.ticktext, *chart.data[0].hovertext, *chart.data[2].hovertext):
        assert "<b onclick" not in text
        assert "$" not in text


def test_the_exact_chain_is_not_needed() -> None:
    exact = chain_of("corner_shop")
    with pytest.raises(RulesError, match="a chain has its rules"):
        verdict({"corner": 2}, exact, per="roll")


@pytest.mark.parametrize(
    "text",
    ["7 " + "| " * 90_000 + "x", "a" + " " * 190_000 + "b", "7: 1, a" + " " * 100_000 + "b"],
)
def test_long_rows_of_strokes_or_blanks_do_not_keep_a_class_waiting(text: str) -> None:
    """Patterns that go back and forth over such a line would take minutes; one pass does not."""
    read_it = read(text, DICE)
    assert len(read_it.doubts) == 1
    assert read_it.total <= 1


@pytest.mark.parametrize("seed", ["a", -1, 1.5, True, None])
def test_a_seed_that_is_none_is_refused(seed: Any) -> None:
    with pytest.raises(RulesError, match="seed  needs a whole number"):
        verdict("7: 5", "monopoly", seed=seed)
