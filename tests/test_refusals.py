"""Questions that cannot be answered are refused in words, never with a number."""

from fractions import Fraction
from typing import Any

import pytest

from boardrules import (
    RulesError,
    after,
    bank,
    chain,
    landing,
    lands_on,
    laps,
    load,
    per,
    play,
    rolls,
    spread,
    stay,
    until,
)
from boardrules.events import Event
from boardrules.play import Walk, scripted


def ring(**more: Any) -> dict[str, Any]:
    squares = [{"id": name} for name in ("a", "b", "c")]
    return {
        "format": 1,
        "title": "Ring",
        "dice": {"count": 1, "sides": 2},
        "squares": squares,
        **more,
    }


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: landing(load("monopoly"), "no_jail"), "these rules are loaded already"),
        (lambda: landing(chain("monopoly"), policy=stay), "a chain has its rules, its policy"),
        (lambda: landing(chain("monopoly"), number=float), "a chain has its rules, its policy"),
        (lambda: landing(chain("monopoly"), "no_jail"), "a chain has its rules, its policy"),
        (lambda: per(chain("corner_shop"), rolls, lambda _: 0.5), "gives Fractions or whole"),
        (lambda: until(chain("corner_shop"), laps, lambda _: 0.5), "gives Fractions or whole"),
        (lambda: spread(chain("corner_shop"), 2, lambda _: 0.1), "gives Fractions or whole"),
        (lambda: per(chain("corner_shop"), rolls, lambda _: None), "not None"),
        (lambda: per(chain("corner_shop"), rolls, lands_on("bakry")), "did you mean 'bakery'?"),
        (lambda: per(chain("corner_shop"), lambda _: 0, bank), "nothing can be told per unit"),
        (lambda: until(chain("corner_shop"), lambda _: 0), "may never happen"),
        (lambda: after(chain("corner_shop"), -1), "0 or more, not -1"),
        (lambda: after(chain("corner_shop"), 2, laps), "for rolls or turns"),
        (lambda: after(chain("corner_shop"), 2, start="bakry"), "did you mean 'bakery'?"),
        (lambda: list(play("corner_shop", turns=-1)), "0 or more, not -1"),
        (lambda: list(play("corner_shop", turns=1.5)), "0 or more, not 1.5"),
        (lambda: chain("corner_shop", "stay"), "a policy such as stay"),
        (lambda: chain("no_such_game"), "no such game 'no_such_game'"),
        (lambda: list(play("corner_shop", None, scripted([(1.5, 2)]))), "needs 2 dice"),
    ],
)
def test_a_question_that_cannot_be_is_refused(ask: Any, words: str) -> None:
    with pytest.raises(RulesError) as caught:
        ask()
    assert words in str(caught.value)


def test_a_turn_that_never_ends_is_refused_by_the_chain_and_by_play() -> None:
    dice = {"count": 2, "sides": 1}
    rules = load(ring(dice=dice, doubles={"after": [{"roll": True}]}))
    with pytest.raises(RulesError, match="a turn that comes here can never end"):
        chain(rules)
    with pytest.raises(RulesError, match="and does not end"):
        list(play(rules, turns=1))


def test_a_deck_whose_cards_are_all_held_is_refused_by_the_chain_and_by_play() -> None:
    cards = [{"id": "one", "effects": [{"keep": "it"}]}]
    game = ring(decks={"post": {"cards": cards}}, chain={"carries": ["it"]})
    game["squares"] = [{"id": n, "landing": [{"draw": "post"}]} for n in ("a", "b")]
    rules = load(game)
    for ask in (lambda: chain(rules), lambda: list(play(rules, turns=3))):
        with pytest.raises(RulesError, match="no card is left to draw"):
            ask()


def test_a_chain_too_large_for_fractions_says_so() -> None:
    squares = [{"id": f"s{n}"} for n in range(400)]
    cards = [{"id": f"c{n}", "effects": [{"keep": f"k{n}"}]} for n in range(4)]
    game = {
        "format": 1,
        "title": "Long way",
        "dice": {"sides": 6},
        "squares": [{**s, "landing": [{"draw": "post"}]} for s in squares],
        "decks": {"post": {"cards": [*cards, {"id": "none"}]}},
        "chain": {"carries": ["k0"]},
    }
    with pytest.raises(RulesError, match="too many to solve exactly; use number=float"):
        landing(load(game))


def test_a_game_with_too_many_branches_is_refused_before_it_takes_for_ever() -> None:
    squares = [{"id": f"s{n}"} for n in range(390)]
    game = {"format": 1, "title": "Wide", "dice": {"count": 2, "sides": 100}, "squares": squares}
    # 390 squares with about 300 throws each that the rules can tell apart
    with pytest.raises(RulesError, match="more than 50,000 branches"):
        chain(load(game), number=float, most_branches=50_000)


def test_the_law_from_any_square_and_from_jail() -> None:
    walk = chain("monopoly")
    # square 30 is never stood on between turns; from there two dice lead 2 to 12 squares on
    seen = after(walk, 1, start="go_to_jail")
    assert ("pacific", False) not in seen
    assert seen["north_carolina", False] == Fraction(1, 36)
    jailed = after(chain("monopoly", stay), 1, start="in_jail")
    # no doubles; or double sixes to Chance 2, and the jail card there
    assert jailed["jail", True] == Fraction(30, 36) + Fraction(1, 36 * 16)
    assert after(chain("payday"), 1, start="day_27")["day_28", False] == Fraction(1, 6)


def test_a_walk_can_go_on_for_thousands_of_turns() -> None:
    walk = Walk("corner_shop")
    for _ in range(3_000):
        walk.forward_turn()
    assert walk.turn == 3_001


def test_prices_may_be_booleans_and_fractions() -> None:
    def half(event: Event) -> Any:
        return Fraction(rolls(event), 2)

    assert per(chain("corner_shop"), rolls, half).mean == Fraction(1, 2)
    assert per(chain("corner_shop"), rolls, lambda e: bool(rolls(e))).mean == 1
