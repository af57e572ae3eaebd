"""Why a square is as likely as it is, and how fast the start is forgotten."""

from fractions import Fraction

import pytest
from conftest import chain_of, rules_of

from boardrules import RulesError, chain, landing, lands_on, leave, load, per, rolls, stay
from boardrules.events import Landed
from boardrules.measure import first_passage
from boardrules.why import distances, quantile, second_eigenvalue, why

GAMES = ("monopoly", "easy_money", "payday", "corner_shop")


@pytest.mark.parametrize("game", GAMES)
def test_the_parts_add_up_to_the_whole(game: str) -> None:
    walk = chain_of(game)
    table = landing(walk)
    for row in table.rows[::7]:
        if row.probability:
            split = why(walk, row.id)
            assert split.whole == row.probability
            assert {type(share) for share in split.parts.values()} == {Fraction}
            assert all(share > 0 for share in split.parts.values())


def test_illinois_by_the_dice_and_by_its_card() -> None:
    split = why(chain_of("monopoly"), "illinois")
    # a sixteenth of all draws from Chance, published as 0.07413211 a roll
    assert float(split.parts["chance.illinois"]) == pytest.approx(0.07413211 / 16, abs=1e-9)
    assert set(split.parts) == {"dice", "chance.illinois"}
    assert split.sentence() == (
        "Illinois Avenue has 3.19 % of all rolls: 2.72 % thrown on the board; "
        "0.46 % by “Go to Illinois Avenue” from Chance."
    )


def test_railroads_are_fed_by_the_double_rent_card_as_published() -> None:
    # share of a railroad's landings by card that pay double; Reading has a card of its own too
    for policy, square, percent in [
        (leave, "pennsylvania_railroad", 9.8751),
        (leave, "b_and_o", 11.3945),
        (stay, "pennsylvania_railroad", 10.3210),
        (stay, "b_and_o", 12.0407),
    ]:
        split = why(chain(rules_of("monopoly"), policy), square)
        share = split.parts["chance.nearest_railroad"] / split.whole
        assert round(100 * float(share), 4) == percent


def test_jail_by_square_cards_doubles_and_staying() -> None:
    split = why(chain(rules_of("monopoly"), stay), "in_jail")
    # published for the long stay: landings on square 30, and the first of the three jail turns
    assert float(split.parts["go_to_jail"]) == pytest.approx(0.02488099, abs=5e-9)
    arrived = sum(share for way, share in split.parts.items() if way != "stayed in jail")
    assert float(arrived) == pytest.approx(0.03712952, abs=5e-9)
    assert "doubles" in split.parts


def test_three_out_of_jail_land_by_the_dice_of_the_jail() -> None:
    # under the long stay square 20 is reached by double fives from jail
    walk = chain(rules_of("monopoly"), stay)
    split = why(walk, "free_parking")
    assert set(split.parts) == {"dice", "dice out of jail"}
    # it is the only way to come there from jail with doubles, and one of the third throws: 5+5,
    # 4+6 and 6+4 of 36 on the third try, 5+5 on the first two
    tries = [0.03712952, 0.03094127, 0.02578439]
    by_jail = (tries[0] + tries[1]) / 36 + tries[2] * 3 / 36
    assert float(split.parts["dice out of jail"]) == pytest.approx(by_jail, abs=1e-8)


def test_paying_first_and_then_throwing_counts_as_out_of_jail() -> None:
    split = why(chain_of("monopoly"), "virginia")  # four squares from jail
    # every jailing (published per roll) is followed by a throw from there; 3 of 36 make a 4
    expected = pytest.approx(0.03949976 * 3 / 36, abs=1e-9)
    assert float(split.parts["dice out of jail"]) == expected


def test_a_split_of_visits_agrees_where_nobody_moves_on() -> None:
    walk = chain_of("monopoly")
    by_card = per(
        walk, rolls, lambda e: isinstance(e, Landed) and e.square == "boardwalk" and e.by != "dice"
    ).mean
    split = why(walk, "boardwalk")
    assert split.parts["chance.boardwalk"] == by_card
    assert split.whole == per(walk, rolls, lands_on("boardwalk")).mean


def test_floats_give_the_same_split() -> None:
    exact = why(chain_of("monopoly"), "new_york")
    rounded = why(chain(rules_of("monopoly"), number=float), "new_york")
    assert list(rounded.parts) == list(exact.parts)
    for way, share in exact.parts.items():
        assert rounded.parts[way] == pytest.approx(float(share), rel=1e-11)


def test_a_split_as_a_frame_and_as_html() -> None:
    split = why(chain_of("easy_money"), "night_club")
    frame = split.frame(exact=True)
    assert list(frame.columns) == ["square", "way", "in words", "probability_per_roll"]
    assert sum(frame["probability_per_roll"]) == split.whole
    assert "Illustrative board" in split._repr_html_()


def test_a_square_where_no_roll_ends_has_nothing_to_explain() -> None:
    with pytest.raises(RulesError, match="no roll ever ends there"):
        why(chain_of("monopoly"), "go_to_jail")
    with pytest.raises(RulesError, match="did you mean 'boardwalk'"):
        why(chain_of("monopoly"), "bordwalk")


@pytest.mark.parametrize(("policy", "modulus"), [(leave, 0.836460), (stay, 0.871633)])
def test_the_second_eigenvalue_is_the_published_one(policy: object, modulus: float) -> None:
    walk = chain(rules_of("monopoly"), policy, float)  # type: ignore[arg-type]
    assert round(second_eigenvalue(walk), 6) == modulus


def test_the_distance_is_exact_where_the_chain_is() -> None:
    far = distances(chain_of("corner_shop"), 5)
    assert {type(one) for one in far} == {Fraction}
    assert far[0] == 1 - landing(chain_of("corner_shop"))["corner"]
    assert far == sorted(far, reverse=True)


def test_quantiles_of_a_wait_by_hand() -> None:
    # one coin with a jail on tails: the n-th throw is the first tails with chance 1 / 2^n
    board = {
        "format": 1,
        "title": "Until tails",
        "dice": {"count": 1, "sides": 2},
        "squares": [{"id": "a"}, {"id": "b"}],
    }
    walk = chain(load(board))
    law = first_passage(walk, lambda e: getattr(e, "pips", 0) == 2, most=12)
    assert law == {n: Fraction(1, 2**n) for n in range(1, 13)}
    assert quantile(law, "1/2") == 1
    assert quantile(law, "3/4") == 2
    assert quantile(law, 0.9) == 4
    with pytest.raises(RulesError, match=r"this law holds only 0\.9998"):
        quantile(law, "0.9999")
    with pytest.raises(RulesError, match="needs a chance up to 1"):
        quantile(law, 2)
