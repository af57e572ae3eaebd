"""Letters in place of numbers: families, slopes, closed formulas, and money as symbols."""

from fractions import Fraction
from typing import Any

import pytest
import sympy
from conftest import chain_of, rules_of

from boardrules import Rules, RulesError, bank, chain, landing, leave, load, mixed, per, rolls, stay
from boardrules import turns as per_turn
from boardrules.slope import Sloped
from boardrules.symbolic import Family, bank_formula, biased_die, card_chance, leaving_jail

CORNER = Fraction(653, 4392)

FAMILIES = {
    "a bent coin": lambda rules: biased_die(rules, 2),
    "a letter's chance": lambda rules: card_chance(rules, "letters", "to_the_corner"),
    "a chance to leave": leaving_jail,
}


def corner(walk: Any) -> Any:
    return landing(walk)["corner"]


@pytest.fixture(scope="module")
def shop() -> Rules:
    return load("corner_shop")


def test_a_family_at_its_usual_value_is_the_usual_chain(shop: Rules) -> None:
    assert corner(biased_die(shop, 2).at(p="1/2")) == CORNER
    assert corner(card_chance(shop, "letters", "to_the_corner").at(p="1/4")) == CORNER
    assert corner(leaving_jail(shop).at(p=1)) == CORNER
    assert corner(leaving_jail(shop).at(p=0)) == corner(chain(shop, stay))
    assert corner(leaving_jail(shop).at(p="1/3")) == corner(chain(shop, mixed("1/3")))


def test_bent_coins_are_the_house_rule_of_that_name(shop: Rules) -> None:
    bent = landing("corner_shop", "bent_coins")
    ours = landing(biased_die(shop, 2).at(p="1/3"))
    assert [row.probability for row in ours.rows] == [row.probability for row in bent.rows]


@pytest.mark.parametrize("name", FAMILIES)
def test_a_closed_formula_holds_at_every_value(name: str, shop: Rules) -> None:
    family = FAMILIES[name](shop)
    p = sympy.Symbol("p")
    formula = family.formula(corner)
    income = family.formula(lambda walk: per(walk, rolls, bank).variance)
    for value in ("1/7", "1/2", "8/9"):
        point = sympy.Rational(value)
        exact = family.at(p=value)
        assert formula.subs(p, point) == sympy.Rational(str(corner(exact)))
        variance = per(exact, rolls, bank).variance
        assert income.subs(p, point) == sympy.Rational(str(variance))


def test_a_closed_formula_worked_by_hand() -> None:
    # one coin, two squares: 1 (heads, chance p) changes the square, 2 comes round to the same one
    board = {
        "format": 1,
        "title": "To and fro",
        "dice": {"count": 1, "sides": 2},
        "squares": [
            {"id": "here", "passing": [{"collect": 1}]},
            {"id": "there"},
        ],
    }
    family = biased_die(load(board), 1)
    p = sympy.Symbol("p")
    assert family.formula(lambda walk: landing(walk)["here"]) == sympy.Rational(1, 2)
    # here is reached going forward with every 2, and with a 1 from there: 1 - p + p/2
    mean = family.formula(lambda walk: per(walk, rolls, bank).mean)
    assert sympy.expand(mean - (1 - p / 2)) == 0


@pytest.mark.parametrize("name", FAMILIES)
def test_slopes_are_the_derivatives_of_the_formulas(name: str, shop: Rules) -> None:
    family = FAMILIES[name](shop)
    p = sympy.Symbol("p")
    for measure in (corner, lambda walk: per(walk, rolls, bank).variance):
        derivative = sympy.diff(family.formula(measure), p).subs(p, sympy.Rational(2, 5))
        slope = family.slope("p", measure, at="2/5")
        assert isinstance(slope, Fraction)
        assert sympy.Rational(slope.numerator, slope.denominator) == derivative


@pytest.mark.parametrize(
    ("game", "make"),
    [
        ("monopoly", lambda rules: biased_die(rules, 6)),
        ("monopoly", lambda rules: card_chance(rules, "chance", "illinois")),
        ("monopoly", leaving_jail),
        ("easy_money", lambda rules: card_chance(rules, "give_or_take", "night_club")),
        ("payday", lambda rules: biased_die(rules, 6)),
    ],
)
def test_slopes_on_the_real_boards_agree_with_small_steps(game: str, make: Any) -> None:
    family = make(rules_of(game))

    def earned(walk: Any) -> Any:
        return per(walk, rolls, bank).mean

    step = Fraction(1, 10**6)
    low, high = (earned(family.at(p=Fraction(1, 6) + way * step)) for way in (-1, 1))
    slope = family.slope("p", earned, at="1/6")
    assert isinstance(slope, Fraction)
    # the error of the symmetric difference is of the order of the step squared
    assert abs(slope - (high - low) / (2 * step)) < Fraction(1, 10**6) * (1 + abs(slope))


def test_a_family_of_monopoly_at_the_fair_value_is_monopoly() -> None:
    rules = rules_of("monopoly")
    ours = landing(biased_die(rules, 6).at(p="1/6"))
    theirs = landing(chain_of("monopoly"))
    assert [row.probability for row in ours.rows] == [row.probability for row in theirs.rows]
    assert {type(row.probability) for row in ours.rows} == {Fraction}


def test_a_real_board_has_no_closed_formula() -> None:
    with pytest.raises(RulesError, match="a formula needs a board with at most 60 states"):
        leaving_jail(rules_of("monopoly")).formula(corner)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda r: biased_die(r, 7), "no face 7; the dice have 1, 2"),
        (lambda r: card_chance(r, "letter", "x"), "did you mean 'letters'?"),
        (lambda r: card_chance(r, "letters", "to_the_corners"), "did you mean 'to_the_corner'?"),
        (lambda r: leaving_jail(load("payday")), "nobody can pay to leave a jail"),
        (lambda r: biased_die(r, 2, "a b"), "is no name for a letter"),
        (lambda r: biased_die(r, 2).at(q=1), "this family has the letter 'p'"),
        (lambda r: biased_die(r, 2).at(p=2), "p is a chance, from 0 to 1, not 2"),
        (lambda r: biased_die(r, 2).at(p="x"), "p is a chance"),
    ],
)
def test_a_family_that_cannot_be_says_why(make: Any, words: str, shop: Rules) -> None:
    with pytest.raises(RulesError) as caught:
        make(shop)
    assert words in str(caught.value)


def test_a_family_shows_what_its_letter_means(shop: Rules) -> None:
    family: Family = biased_die(shop, 2)
    assert repr(family) == "<Family of corner_shop: p is the chance of a 2 on each die>"
    assert "&lt;Family" in family._repr_html_()


def test_income_of_the_corner_shop_as_a_formula(shop: Rules) -> None:
    formula = bank_formula(chain(shop))
    letters = {str(letter) for letter in formula.free_symbols}
    assert letters == {"salary", "market", "fine", "letters_birthday_money", "letters_library_fine"}
    # the letter box is drawn from as often as it is landed on; each of its four cards a quarter
    drawn = per(chain(shop), rolls, lambda e: type(e).__name__ == "Drew").mean
    coefficient = formula.coeff(sympy.Symbol("letters_birthday_money"))
    assert coefficient == sympy.Rational(drawn.numerator, drawn.denominator) / 4
    amounts = {"salary": 10, "market": 4, "fine": 5, "letters_birthday_money": 6}
    value = formula.subs({**amounts, "letters_library_fine": 3})
    mean = per(chain(shop), rolls, bank).mean
    assert value == sympy.Rational(mean.numerator, mean.denominator)


@pytest.mark.parametrize(
    ("policy", "passes", "jailed"),
    # GO passes and fines per roll, as published: by dice and by card together; fine / 50
    [
        (leave, 0.15010740 + 0.02312675, 1.974988 / 50),
        (stay, 0.14163905 + 0.02198415, 1.074349 / 50),
    ],
)
def test_income_of_monopoly_as_a_formula(policy: Any, passes: float, jailed: float) -> None:
    formula = bank_formula(chain(rules_of("monopoly"), policy))
    assert float(formula.coeff(sympy.Symbol("salary"))) == pytest.approx(passes, abs=1e-8)
    assert float(formula.coeff(sympy.Symbol("fine"))) == pytest.approx(-jailed, abs=1e-8)
    assert formula.coeff(sympy.Symbol("salary")).is_Rational


def test_prices_may_be_symbols(shop: Rules) -> None:
    salary = sympy.Symbol("a")
    found = per_turn_income(chain(shop), salary)
    assert found == bank_formula(chain(shop), per_turn).coeff(sympy.Symbol("salary")) * salary


def per_turn_income(walk: Any, salary: Any) -> Any:
    from boardrules.measure import rates

    def price(event: Any) -> Any:
        return salary if getattr(event, "tag", "") == "salary" else 0

    return sympy.expand(rates(walk, per_turn, {"it": price})["it"])


class TestNumbersWithASlope:
    """Sloped numbers against derivatives worked by hand, at x = 3 with slope 1."""

    x = Sloped(Fraction(3), Fraction(1))

    def test_sum_difference_and_negation(self) -> None:
        assert self.x + 2 == 2 + self.x == Sloped(Fraction(5), Fraction(1))
        assert self.x - 2 == Sloped(Fraction(1), Fraction(1))
        assert 2 - self.x == Sloped(Fraction(-1), Fraction(-1))

    def test_product_rule(self) -> None:
        assert self.x * self.x == Sloped(Fraction(9), Fraction(6))
        assert 4 * self.x == self.x * Fraction(4) == Sloped(Fraction(12), Fraction(4))

    def test_quotient_rule(self) -> None:
        # (x + 1) / x = 1 + 1/x: value 4/3, slope -1/9
        assert (self.x + 1) / self.x == Sloped(Fraction(4, 3), Fraction(-1, 9))
        assert 1 / self.x == Sloped(Fraction(1, 3), Fraction(-1, 9))
        assert self.x / 3 == Sloped(Fraction(1), Fraction(1, 3))

    def test_only_a_constant_nothing_is_nothing(self) -> None:
        assert not Sloped(Fraction(0))
        assert Sloped(Fraction(0), Fraction(1))
        assert float(self.x) == 3.0
