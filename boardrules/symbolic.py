"""Letters in place of numbers: a chance called p, exact slopes, closed formulas, money as symbols.

A *family* is a chain in which one chance is a letter: how a die is biased, how likely one card is,
how ready the player is to pay in jail.  It can be evaluated at any value, differentiated there
exactly, and, on a small board, solved as a formula.  sympy is imported when it is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from html import escape
from typing import Any, TypeVar

from .chain import Branch, Chain, Number, chain, usual_policy
from .events import Event, Paid, Price, bank, rolls
from .measure import rates
from .rules import Card, Problem, Rules, RulesError, unknown
from .slope import Sloped
from .turn import JailPolicy, Policy

T = TypeVar("T")
M = TypeVar("M", bound=Number)

LARGEST_FORMULA = 60
"""Chains with more states than this have no closed formula that anybody could read or wait for."""


@dataclass(frozen=True, eq=False)
class Family:
    """All chains that differ in one chance, called by a letter; its values are from 0 to 1.

    `chain` has polynomials in that letter for chances (elements of sympy's QQ[p]).
    """

    letter: str
    meaning: str
    chain: Chain[Any]

    def at(self, **value: Fraction | int | str) -> Chain[Fraction]:
        """The chain at one value of the letter: `family.at(p="1/6")`, exactly.

        Decimals are given as strings ("0.3"), so that they are exact.
        """
        point = self._point(value)
        return self._with(Fraction, lambda chance: _value(chance, point))

    def near(self, **value: Fraction | int | str) -> Chain[Sloped]:
        """The chain at one value, in numbers that know their slope there.

        Every measure of this chain has a `value` and an exact derivative, `slope`.
        """
        point = self._point(value)
        return self._with(
            lambda exact: Sloped(exact),
            lambda chance: Sloped(_value(chance, point), _value(chance.diff(0), point)),
        )

    def slope(self, letter: str, measure: Callable[[Chain[Sloped]], Any], at: Any) -> Fraction:
        """How fast a measure changes with the letter, exactly: `measure` takes a chain."""
        found = measure(self.near(**{letter: at}))
        return found.slope if isinstance(found, Sloped) else Fraction(0)

    def formula(self, measure: Callable[[Chain[Any]], Any]) -> Any:
        """A measure as a closed formula in the letter, a sympy expression.

        Raises `RulesError` on boards larger than a teaching board: the formula would be longer
        than a book.
        """
        states = len(self.chain.states)
        if states > LARGEST_FORMULA:
            text = f"a formula needs a board with at most {LARGEST_FORMULA} states, not {states}"
            raise RulesError(self.chain.rules.label, [Problem("", "", f"{text}; use at or near")])
        from sympy import factor
        from sympy.polys.domains import QQ

        field = QQ.frac_field(self._ring().symbols[0]).field
        found = measure(
            self._with(
                lambda exact: field(QQ(exact.numerator, exact.denominator)),
                lambda chance: field.from_expr(chance.as_expr()),
            )
        )
        return factor(found.as_expr()) if hasattr(found, "as_expr") else found

    def _ring(self) -> Any:
        return self.chain.number(Fraction(1)).ring

    def _point(self, value: Mapping[str, Any]) -> Fraction:
        label = self.chain.rules.label
        if set(value) != {self.letter}:
            text = f"this family has the letter {self.letter!r}: at({self.letter}='1/2')"
            raise RulesError(label, [Problem("", "", text)])
        try:
            point = Fraction(str(value[self.letter]))
        except (ValueError, ZeroDivisionError):
            point = Fraction(-1)
        if not 0 <= point <= 1:
            text = f"{self.letter} is a chance, from 0 to 1, not {value[self.letter]!r}"
            raise RulesError(label, [Problem("", "", text)])
        return point

    def _with(self, number: Callable[[Fraction], M], convert: Callable[[Any], M]) -> Chain[M]:
        """The same chain in another type of number; what is impossible there is left out."""
        branches = []
        for row in self.chain.branches:
            made = [Branch(convert(b.chance), b.end, b.events) for b in row]
            branches.append(tuple(branch for branch in made if branch.chance))
        return replace(self.chain, number=number, branches=tuple(branches))

    def __repr__(self) -> str:
        return f"<Family of {self.chain.rules.label}: {self.letter} is {self.meaning}>"

    def _repr_html_(self) -> str:
        return escape(repr(self))


def _value(chance: Any, point: Fraction) -> Fraction:
    """A polynomial at a point."""
    from sympy.polys.domains import QQ

    found = chance.evaluate(0, QQ(point.numerator, point.denominator))
    return Fraction(int(found.numerator), int(found.denominator))


# ------------------------------------------------------------------------------ families


def biased_die(rules: Rules, face: int, letter: str = "p", policy: Policy | None = None) -> Family:
    """A family of dice: one face has the chance p, the others share the rest as before."""
    faces = dict(rules.dice.faces)
    if face not in faces or len(faces) < 2:
        text = f"no face {face!r}; the dice have {', '.join(map(str, faces))}"
        raise RulesError(rules.label, [Problem("", "dice", text)])
    p = _letter(letter)
    shares = _rest_shared({str(f): weight for f, weight in faces.items()}, str(face), p)
    dice = replace(rules.dice, faces=tuple((int(f), share) for f, share in shares.items()))
    meaning = f"the chance of a {face} on each die"
    return _family(letter, meaning, replace(rules, dice=dice), p, policy)


def card_chance(
    rules: Rules, deck: str, card: str, letter: str = "p", policy: Policy | None = None
) -> Family:
    """A family of decks: one card is drawn with the chance p, the others share the rest."""
    if deck not in rules.decks:
        raise RulesError(rules.label, [Problem("", "decks", unknown("deck", deck, rules.decks))])
    cards = {one.id: one for one in rules.decks[deck].cards}
    if card not in cards:
        path = f"decks.{deck}.cards"
        raise RulesError(rules.label, [Problem("", path, unknown("card", card, cards))])
    p = _letter(letter)
    shares = _rest_shared({name: one.copies for name, one in cards.items()}, card, p)
    dealt: tuple[Card, ...] = tuple(replace(cards[n], copies=share) for n, share in shares.items())
    decks = {**rules.decks, deck: replace(rules.decks[deck], cards=dealt)}
    meaning = f"the chance to draw “{cards[card].name}” from {rules.decks[deck].name}"
    return _family(letter, meaning, replace(rules, decks=decks), p, policy)


def leaving_jail(rules: Rules, letter: str = "p") -> Family:
    """A family of players: each pays to leave jail with the chance p whenever that is offered."""
    if rules.jail is None or not rules.jail.fine_before:
        text = "nobody can pay to leave a jail under these rules"
        raise RulesError(rules.label, [Problem("", "jail", text)])
    p = _letter(letter)
    meaning = "the chance to pay before a roll in jail"
    return _family(letter, meaning, rules, p, JailPolicy(f"mixed {letter}", (p,)))


def _letter(letter: str) -> Any:
    from sympy.polys.domains import QQ
    from sympy.polys.rings import ring

    if not letter.isidentifier():
        raise RulesError("family", [Problem("", "", f"{letter!r} is no name for a letter")])
    return ring(letter, QQ)[1]


def _rest_shared(weights: Mapping[str, Fraction], one: str, p: Any) -> dict[str, Any]:
    from sympy.polys.domains import QQ

    rest = sum(weight for name, weight in weights.items() if name != one)
    shares: dict[str, Any] = {}
    for name, weight in weights.items():
        share = Fraction(weight) / rest if rest else Fraction(0)
        part = QQ(share.numerator, share.denominator)
        shares[name] = p if name == one else (1 - p) * part
    return shares


def _family(letter: str, meaning: str, rules: Rules, p: Any, policy: Policy | None) -> Family:
    from sympy.polys.domains import QQ

    def number(chance: Any) -> Any:
        if isinstance(chance, Fraction):
            return p.ring(QQ(chance.numerator, chance.denominator))
        return chance

    walk: Chain[Any] = chain(rules, policy or usual_policy(rules), number)
    return Family(letter, meaning, walk)


# ------------------------------------------------------------------------ money as symbols


def bank_formula(walk: Chain[Any], unit: Price = rolls) -> Any:
    """What a token gets from the bank per unit, with a letter for every amount.

    A sympy expression such as `0.17·salary − 0.04·fine + …` with exact coefficients: how often
    each payment is made per unit in the long run.  Amounts are called by what they are for.
    """
    from sympy import Rational, Symbol

    causes: dict[str, None] = {}
    for branches in walk.branches:
        for branch in branches:
            for event in branch.events:
                if bank(event):
                    causes[_amount(event)] = None
    prices: dict[str, Price] = {cause: _count(cause) for cause in causes}
    found = rates(walk, unit, prices)
    whole: Any = 0
    for cause, count in found.items():
        exact = Rational(count.numerator, count.denominator) if _plain(count) else count
        whole += exact * Symbol(cause)
    return whole


def _plain(count: Any) -> bool:
    return isinstance(count, Fraction)


def _amount(event: Event) -> str:
    """The name of the amount that an event pays: salary, luxury_tax, chance_dividend …"""
    assert isinstance(event, Paid)
    name = "fine" if event.cause == "jail" else event.cause.replace(".", "_")
    return event.tag if event.tag == "salary" else name


def _count(cause: str) -> Price:
    def price(event: Event) -> int:
        if not bank(event) or _amount(event) != cause:
            return 0
        return 1 if bank(event) > 0 else -1

    return price
