"""Films: a whole game that is sent once; what is in it, and what is refused.  No browser here."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from conftest import rules_of

from boardrules.board import Scene, pieces_for
from boardrules.decimals import written
from boardrules.events import Landed, RollOver
from boardrules.library import load
from boardrules.play import Walk, explain, fair, play, scripted
from boardrules.rules import IN_JAIL, RulesError
from boardrules.tables import landing
from boardrules.turn import leave, start_from, stay
from boardrules.widgets import Film, Reel, Shot, film, stepper
from boardrules.widgets.film import MOST_TURNS
from boardrules.widgets.route import place_of, route

GAMES = ("monopoly", "easy_money", "payday", "corner_shop")


@pytest.mark.parametrize("name", GAMES)
def test_a_film_is_the_game_of_its_seed_with_every_step_explained(name: str) -> None:
    rules = rules_of(name)
    moves = list(play(rules, answerer=fair(6), turns=12))
    shots = film(rules, turns=12, seed=6).reel.shots
    assert len(shots) == len(moves) + 1
    for shot, move in zip(shots[1:], moves, strict=True):
        assert "\n".join(shot.story) == explain(move, rules)
        assert shot.square == place_of(move.after.token, rules)
    assert [shot.turn for shot in shots] == sorted(shot.turn for shot in shots)
    assert shots[-1].now == "The film is over, after 12 turns."


def test_the_same_seed_gives_the_same_film_and_another_seed_another() -> None:
    one, same, other = (film("monopoly", turns=15, seed=seed) for seed in (3, 3, 4))
    assert one.film == same.film
    assert one.film != other.film
    assert repr(one) == "<Film of monopoly, 15 turns, seed 3>"


@pytest.mark.parametrize("name", GAMES)
def test_a_longer_film_begins_like_a_shorter_one(name: str) -> None:
    short, long = (film(name, turns=turns, seed=2).reel.shots for turns in (5, 9))
    assert long[: len(short) - 1] == short[:-1]


@pytest.mark.parametrize("name", GAMES)
def test_every_way_leads_from_shot_to_shot_over_squares_that_lie_side_by_side(name: str) -> None:
    rules = rules_of(name)
    order = [square.id for square in rules.squares]
    shots = film(rules, turns=80, seed=9).reel.shots
    walked = 0
    for before, shot in pairwise(shots):
        here = before.square
        for square, walks in shot.way:
            if walks:
                start = rules.jail.square if here == IN_JAIL and rules.jail else here
                assert order[(order.index(start) + 1) % len(order)] == square
                walked += 1
            here = square
        assert here == shot.square
    assert walked > 100


def test_dice_walk_cards_and_arrests_go_straight() -> None:
    rules = rules_of("monopoly")
    moves = list(play(rules, answerer=scripted(["5+2", "back_three", (6, 6), (6, 6)]), turns=1))
    assert [len(route(move, rules)) for move in moves[:2]] == [7, 1]
    assert route(moves[1], rules) == (("income_tax", False),)
    move = Walk(rules, leave, scripted(["1+2"]), start_from(rules, "ventnor")).forward()
    assert move is not None
    assert route(move, rules) == (
        *((square, True) for square in ("water_works", "marvin_gardens", "go_to_jail")),
        (IN_JAIL, False),
    )


@pytest.mark.parametrize("name", GAMES)
def test_what_is_counted_is_where_rolls_end(name: str) -> None:
    rules = rules_of(name)
    expected: Counter[str] = Counter()
    for move in play(rules, answerer=fair(1), turns=60):
        for event in move.events:
            if isinstance(event, RollOver):
                expected[IN_JAIL if event.jailed else event.square] += 1
    assert film(rules, turns=60).reel.counts == expected


def test_other_units_can_be_counted() -> None:
    rules = rules_of("monopoly")
    by_turn = film(rules, turns=60, per="turn").reel.counts
    assert by_turn.total() == 60
    stops = film(rules, turns=60, per="visit").reel.counts
    events = [event for move in play(rules, answerer=fair(1), turns=60) for event in move.events]
    assert stops["chance_1"] == sum(
        isinstance(event, Landed) and event.square == "chance_1" for event in events
    )


def test_the_long_run_beside_the_counts_is_the_landing_table() -> None:
    table = landing("monopoly", policy=stay, number=float)
    movie = film("monopoly", policy=stay, turns=3)
    assert movie.film["long"] == pytest.approx({row.id: row.probability for row in table.rows})
    assert "jail: stay" in movie.film["note"]
    laps = film("corner_shop", per="lap", turns=3).film["long"]
    assert sum(laps.values()) == pytest.approx(1)


def test_without_heat_nothing_is_counted_or_compared() -> None:
    movie = film("monopoly", turns=3, heat=False)
    assert (movie.film["heat"], movie.film["long"]) == (False, {})
    assert "Where rolls ended" not in str(movie.picture())


def test_a_film_can_begin_with_a_script_and_on_any_square() -> None:
    movie = film("monopoly", turns=3, script=["5+2", "back_three"], start="go")
    assert [shot.square for shot in movie.reel.shots[:3]] == ["go", "chance_1", "income_tax"]
    assert "a script first" in movie.film["note"]
    assert film("monopoly", turns=1, start="illinois").reel.shots[0].square == "illinois"
    with pytest.raises(RulesError, match="did you mean 'illinois'"):
        film("monopoly", start="ilinois")
    with pytest.raises(RulesError, match="needs a card of Chance"):
        film("monopoly", script=["5+2", "pizza"])


def test_a_film_and_the_stepper_show_the_same_game() -> None:
    steps = stepper("payday", seed=5)
    for shot in film("payday", turns=4, seed=5).reel.shots[1:-1]:
        steps.forward()
        assert (steps.lesson.place, steps.lesson.story) == (shot.square, shot.story)
        assert (steps.lesson.question, steps.lesson.way) == (shot.now, shot.way)


def test_everything_that_is_wrong_with_a_film_is_told_at_once() -> None:
    with pytest.raises(RulesError) as refused:
        film("monopoly", turns=10**6, seed=-1, per="rol", script="5+2")
    told = [(problem.path, problem.text) for problem in refused.value.problems]
    assert [path for path, _ in told] == ["turns", "seed", "per", "script"]
    assert told[0][1] == "needs a whole number, 1 to 1,000, not '1000000'"
    assert "did you mean 'roll'" in told[2][1]


@pytest.mark.parametrize("turns", [0, -1, True, 2.5, "20", None, float("nan")])
def test_films_of_no_number_of_turns_are_refused(turns: Any) -> None:
    with pytest.raises(RulesError, match="needs a whole number"):
        film("monopoly", turns=turns)


def test_the_longest_film_is_small_enough_to_send() -> None:
    movie = film("payday", turns=MOST_TURNS, heat=False)
    assert len(json.dumps(movie.film)) < 2_000_000


def test_a_turn_that_never_ends_makes_no_film() -> None:
    again = [{"draw": "letters"}]
    cards = [card.id for card in rules_of("corner_shop").decks["letters"].cards]
    changes = {f"decks.letters.cards.{card}.effects": again for card in cards}
    with pytest.raises(RulesError):
        film(load("corner_shop", {"set": changes}), turns=50)


def test_a_walk_too_large_to_solve_is_filmed_without_the_long_run() -> None:
    two_more = [{"draw": "letters"}, {"draw": "letters"}]
    rules = load("corner_shop", {"set": {"decks.letters.cards.library_fine.effects": two_more}})
    movie = film(rules, turns=5)
    assert (movie.film["long"], movie.film["compared"]) == ({}, "")


def test_rules_that_are_loaded_already_take_no_overlays() -> None:
    with pytest.raises(RulesError, match="loaded already"):
        film(rules_of("monopoly"), "no_jail")
    assert film("monopoly", "no_jail", turns=2).reel.rules.overlays == ("house/no_jail",)


def test_invented_boards_say_so_in_the_film_and_in_its_picture() -> None:
    movie = film("easy_money", turns=5)
    assert "Illustrative board" in movie.film["note"]
    assert "Illustrative board" in str(movie.picture())


def test_without_a_kernel_and_a_browser_a_film_is_a_picture_of_its_end() -> None:
    movie = film("monopoly", turns=40, seed=3)
    assert isinstance(movie, Film)
    bundle, _ = movie._repr_mimebundle_()
    text = bundle["image/svg+xml"]
    assert "Monopoly: 40 turns" in text
    (most, count), *_ = movie.reel.counts.most_common(1)
    names = {row.id: row.name for row in landing("monopoly", number=float).rows}
    assert f"Most: {names[most].replace('&', '&amp;')} {count}" in text
    assert "seed 3; per roll, jail: leave; overlays: none" in text


def two_players() -> Reel:
    """A little game of two players, made up by hand."""
    pieces = pieces_for(["Anna", "Ben"])
    shots = (
        Shot(1, "go", (), "Anna throws the dice."),
        Shot(
            1, "baltic", ("Anna buys it.",), "Ben throws.", scene=Scene(pieces, (), {"baltic": 0})
        ),
        Shot(1, "oriental", ("Ben pays nobody.",), "Anna throws.", who=1),
        Shot(
            2,
            "in_jail",
            ("Anna builds, and goes to jail.",),
            "The end.",
            scene=Scene(pieces, (), {"baltic": 0, "oriental": 1}, {"baltic": "2"}),
        ),
    )
    rules = rules_of("monopoly")
    return Reel(rules, 2, "turn", shots, "made by hand", pieces)


def test_a_film_with_a_comma_is_the_same_film_written_otherwise() -> None:
    plain, turned = (film("payday", turns=4, seed=2, decimal=sign) for sign in ".,")
    assert plain.film["decimal"] == "."
    assert turned.film["decimal"] == ","
    assert turned.film["long"] == plain.film["long"]
    for one, other in zip(plain.film["shots"], turned.film["shots"], strict=True):
        assert other["story"] == [written(line) for line in one["story"]]
        assert other["now"] == written(one["now"])
        assert other["count"] == one["count"]
    evidence = "1,000 rolls are a long film, 2.5 % of them in jail"
    reel = Reel(rules_of("payday"), 1, "roll", plain.reel.shots[:1], evidence)
    note = Film(reel, decimal=",").film["note"]
    assert note == "1\u202f000 rolls are a long film, 2,5 % of them in jail"


def test_a_film_of_several_players_ends_with_everybodys_token_and_houses() -> None:
    text = str(Film(two_players(), heat=False).picture())
    assert "Anna on In Jail. Ben on Oriental Avenue." in text
    assert "Baltic Avenue belongs to Anna, 2 houses." in text
    assert "Oriental Avenue belongs to Ben." in text


def test_who_owns_what_is_sent_only_when_it_changes() -> None:
    shots = Film(two_players(), heat=False).film["shots"]
    assert ["scene" in shot for shot in shots] == [False, True, False, True]
