"""One answer at a time: walks forward and back, scripts, and sentences that name their rule."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from itertools import islice, pairwise
from typing import Any

import pytest
from conftest import chain_of, rules_of

from boardrules.effects import Draw, Roll, Throw
from boardrules.events import Paid, Rolled, RollOver, TurnOver
from boardrules.library import data_folder, games, load
from boardrules.play import (
    Move,
    Walk,
    ask,
    explain,
    fair,
    play,
    read_answer,
    scripted,
    sentences,
    to_come,
    transcript,
)
from boardrules.rules import Rules, RulesError
from boardrules.turn import State, Thrown, leave, leave_at, stay

GAMES = [game.name for game in games()]
SHELF = [(game,) for game in GAMES]
SHELF += [(game.name, overlay.name) for game in games() for overlay in game.overlays]
every_game = pytest.mark.parametrize("game", GAMES)


# ---------------------------------------------------------------------------- honest dice


@every_game
def test_the_same_seed_gives_the_same_game(game: str) -> None:
    rules = rules_of(game)
    one, two, other = (list(play(rules, None, fair(seed), turns=40)) for seed in (7, 7, 8))
    assert one == two
    assert one != other
    assert list(transcript(one, rules)) == list(transcript(two, rules))


@every_game
def test_a_game_of_twelve_turns_has_twelve_turns(game: str) -> None:
    moves = list(play(rules_of(game), turns=12))
    assert sum(move.ends_turn for move in moves) == 12
    assert [move.turn for move in moves] == sorted(move.turn for move in moves)
    assert {move.turn for move in moves} == set(range(1, 13))
    for one, two in pairwise(moves):
        assert two.before == one.after


def test_play_without_an_end_goes_on_and_on() -> None:
    assert len(list(islice(play(rules_of("corner_shop")), 500))) == 500


def test_honest_dice_show_every_face_about_as_often() -> None:
    # 6000 dice, each face 1000 times on average with a deviation of 29: 6 deviations are 174,
    # and one of six faces is further away with a chance of 1.2e-8
    rules = rules_of("monopoly")
    faces = [
        face
        for move in play(rules, None, fair(3), turns=4000)
        if isinstance(move.before.question, Roll)
        for face in move.reply.faces
    ][:6000]
    assert len(faces) == 6000
    for face in range(1, 7):
        assert abs(faces.count(face) - 1000) <= 174, (face, faces.count(face))


def test_biased_dice_show_their_bias() -> None:
    # bent coins show 1 with chance 2/3: 4000 of 6000 on average, deviation 36.5
    rules = rules_of("corner_shop", "house/bent_coins")
    faces = [face for move in play(rules, None, fair(3), turns=4000) for face in move.reply.faces][
        :6000
    ]
    assert abs(faces.count(1) - 4000) <= 6 * 36.5


# ------------------------------------------------------------------------------ scripts


def script(rules: Rules, *told: Any, policy: Any = None) -> list[Move]:
    return list(play(rules, policy, scripted(told)))


def test_a_script_is_followed_and_then_the_game_stops() -> None:
    # from the corner (0) 2+1 to the book shop (3); 2+1 to the red light, so to jail (4); out by
    # paying, and 1+1 to the red light again
    rules = rules_of("corner_shop")
    moves = script(rules, (2, 1), (2, 1), "pay", (1, 1))
    assert [move.after.token.square for move in moves] == [3, 4, 4, 4]
    assert [move.turn for move in moves] == [1, 2, 3, 3]


def test_dice_may_be_told_in_many_ways() -> None:
    rules = rules_of("corner_shop")
    for told in ((2, 1), [2, 1], "2+1", "2 1", "2,1", " 2 + 1 "):
        (move,) = script(rules, told)
        assert move.reply.faces == (2, 1)
        assert move.reply.answer == Thrown(3)
    (move,) = script(rules_of("payday"), 6)
    assert move.reply.faces == (6,)


def test_cards_may_be_told_by_id_or_by_name() -> None:
    rules = rules_of("corner_shop")
    for told in ("birthday_money", "Birthday money", "  birthday MONEY "):
        moves = script(rules, "1+1", told)
        assert moves[-1].reply.answer == "birthday_money"
        assert Paid(6, "bank", "player", "letters.birthday_money") in moves[-1].events


def test_after_a_script_somebody_else_may_go_on() -> None:
    rules = rules_of("corner_shop")
    moves = list(play(rules, None, scripted(["1+1", "library_fine"], fair(1)), turns=5))
    assert moves[1].reply.answer == "library_fine"
    assert moves[-1].turn == 5


NONSENSE: tuple[tuple[str, tuple[Any, ...], str], ...] = (
    ("monopoly", ((7, 1),), "needs 2 dice with faces 1 to 6, such as '1+1', not (7, 1)"),
    ("monopoly", ((3,),), "needs 2 dice with faces 1 to 6, such as '1+1', not (3,)"),
    ("monopoly", (3,), "needs 2 dice with faces 1 to 6, such as '1+1', not 3"),
    ("monopoly", ("three",), "needs 2 dice with faces 1 to 6, such as '1+1', not 'three'"),
    ("monopoly", ("",), "needs 2 dice with faces 1 to 6, such as '1+1', not ''"),
    ("monopoly", (True,), "needs 2 dice with faces 1 to 6, such as '1+1', not True"),
    ("monopoly", (None,), "needs 2 dice with faces 1 to 6, such as '1+1', not None"),
    ("payday", ((1, 2),), "needs one die with faces 1 to 6, such as '1', not (1, 2)"),
    (
        "corner_shop",
        ("1+1", "birthday"),
        "needs a card of Letters: no such card 'birthday'; did you mean 'birthday_money'?",
    ),
    ("corner_shop", ("1+1", (1, 1)), "needs a card of Letters: no such card '(1, 1)'"),
    ("corner_shop", ("1+1", "to_the_station", "run"), "needs one of pay, roll, not 'run'"),
)


@pytest.mark.parametrize(("game", "told", "message"), NONSENSE)
def test_nonsense_in_a_script_is_answered_with_what_would_fit(
    game: str, told: tuple[Any, ...], message: str
) -> None:
    with pytest.raises(RulesError) as caught:
        script(rules_of(game), *told)
    (problem,) = caught.value.problems
    assert problem.path == f"answer {len(told)} of the script"
    assert problem.text == message


# ---------------------------------------------------------------------- forward and back


@every_game
def test_back_and_forward_again_repeats_the_game(game: str) -> None:
    walk = Walk(rules_of(game), answerer=fair(4))
    made = [walk.forward() for _ in range(30)]
    states = [move.before for move in made if move]
    for move, state in zip(reversed(made), reversed(states), strict=True):
        assert walk.back() == move
        assert walk.state == state
    assert walk.back() is None
    assert (walk.last, walk.turn, walk.moves) == (None, 1, ())
    assert [walk.forward() for _ in range(30)] == made


def test_whole_turns_forward_and_back() -> None:
    walk = Walk(rules_of("monopoly"), answerer=fair(2))
    first, second = walk.forward_turn(), walk.forward_turn()
    assert [move.turn for move in (*first, *second)] == [1] * len(first) + [2] * len(second)
    assert first[-1].ends_turn
    assert walk.turn == 3
    walk.forward()
    walk.back_turn()
    assert (walk.turn, walk.state) == (3, second[-1].after)
    walk.back_turn()
    assert (walk.turn, walk.moves) == (2, first)
    walk.back_turn()
    walk.back_turn()
    assert (walk.turn, walk.moves) == (1, ())
    assert walk.forward_turn() == first


def test_a_forced_answer_writes_a_new_future() -> None:
    walk = Walk(rules_of("corner_shop"), answerer=fair(2))
    old = [walk.forward() for _ in range(5)]
    for _ in range(5):
        walk.back()
    move = walk.force("2+2")
    assert move.after.token.square == 4
    assert walk.moves == (move,)
    assert walk.forward() != old[1]
    assert walk.turn == 2 + walk.moves[-1].ends_turn


def test_a_forced_answer_that_does_not_fit_changes_nothing() -> None:
    walk = Walk(rules_of("corner_shop"), answerer=fair(2))
    made = [walk.forward() for _ in range(4)]
    walk.back()
    before = (walk.state, walk.moves, walk.turn)
    with pytest.raises(RulesError):
        walk.force("seven")
    assert (walk.state, walk.moves, walk.turn) == before
    assert walk.forward() == made[3]


def test_a_script_that_ends_leaves_the_walk_where_it_is() -> None:
    walk = Walk(rules_of("corner_shop"), answerer=scripted(["2+1"]))
    assert walk.forward() is not None
    assert walk.forward() is None
    assert walk.forward_turn() == ()
    assert walk.turn == 2
    assert walk.force("1+1").turn == 2


def test_a_walk_may_begin_anywhere() -> None:
    rules = rules_of("monopoly")
    walk = Walk(rules, stay, scripted(["roll", "5+5"]), in_jail(2))
    walk.forward()
    walk.forward()
    assert walk.state.token.square == 20
    assert walk.state.token.jailed == 0


def in_jail(attempt: int) -> State:
    """A turn of Monopoly that begins in jail, with the question how to leave it."""
    states = chain_of("monopoly", policy=stay).states
    return next(state for state in states if state.token.jailed == attempt)


def test_a_policy_that_the_rules_forbid_is_refused_at_once() -> None:
    with pytest.raises(RulesError, match="pays before roll 3"):
        Walk(rules_of("monopoly"), leave_at(3))


# -------------------------------------------------------------------------- in words

SILENT = (RollOver, TurnOver)
CITED = re.compile(r" \([A-Z]\d+[a-z]?\)\.$|\([A-Z]\d+[a-z]?\)\.$")


def told(move: Move, rules: Rules) -> list[tuple[object, tuple[str, ...]]]:
    """The sentences of each event alone."""
    return [(event, sentences(replace(move, events=(event,)), rules)) for event in move.events]


@pytest.mark.parametrize("names", SHELF, ids=" + ".join)
def test_every_event_is_one_sentence_that_names_a_rule_of_the_book(names: tuple[str, ...]) -> None:
    rules = rules_of(*names)
    book = (data_folder() / names[0] / "RULES.md").read_text(encoding="utf-8")
    policies = (leave, stay) if rules.jail else (None,)
    for policy in policies:
        for move in play(rules, policy, fair(11), turns=400):
            for event, lines in told(move, rules):
                if isinstance(event, SILENT):
                    assert len(lines) <= 1
                else:
                    assert len(lines) == 1, event
                for line in lines:
                    assert line[0].isupper(), line
                    cited = CITED.search(line)
                    assert cited, f"{line} names no rule"
                    number = cited[0].strip(" ().")
                    assert f"**{number}**" in book, f"{number} is no rule of {names[0]}"


def test_explain_is_the_sentences_in_their_order() -> None:
    rules = rules_of("corner_shop")
    (move,) = script(rules, (2, 2))
    assert explain(move, rules) == "\n".join(sentences(move, rules))
    assert explain(move, rules) == (
        "You throw 2 and 2, 4 in all (C1).\nYou land on Police Station (C5)."
    )


def test_a_whole_turn_is_told_as_it_happens() -> None:
    # from the market 1+2 passes the corner and ends on the letter box; the letter leads on
    rules = rules_of("corner_shop")
    moves = script(rules, "2+2", "2+1", "1+2", "to_the_corner")
    assert list(transcript(moves, rules)) == [
        "Turn 1, from Corner",
        "  You throw 2 and 2, 4 in all (C1).",
        "  You land on Police Station (C5).",
        "Turn 2, from Police Station",
        "  You throw 2 and 1, 3 in all (C1).",
        "  You land on Market (C7).",
        "  You pay the bank 4 coins (tax) (C7).",
        "Turn 3, from Market",
        "  You throw 1 and 2, 3 in all (C1).",
        "  You pass Corner: a lap is complete (C2).",
        "  The bank pays you 10 coins (salary) (C2).",
        "  You land on Letter Box (C4).",
        "  You draw from Letters: “Go to the corner” (C4).",
        "  You reach Corner: a lap is complete (C2).",
        "  The bank pays you 10 coins (salary) (C2).",
        "  You move to Corner (C2).",
    ]


def test_jail_is_told_try_by_try() -> None:
    rules = rules_of("corner_shop")
    moves = script(rules, "2+1", "2+1", "roll", "1+2", "roll", "2+1", policy=stay)
    assert list(transcript(moves, rules))[3:] == [
        "Turn 2, from Book Shop",
        "  You throw 2 and 1, 3 in all (C1).",
        "  You land on Red Light (C5).",
        "  You go straight to jail; the turn is over (C5).",
        "Turn 3, from In Jail",
        "  Leave jail? Your answer: roll (C6).",
        "  You throw 1 and 2, 3 in all, throw 1 in jail (C1).",
        "  No doubles: you stay in jail (C6).",
        "Turn 4, from In Jail",
        "  Leave jail? Your answer: roll (C6).",
        "  You throw 2 and 1, 3 in all, throw 2 in jail (C1).",
        "  You pay the bank 5 coins (fine) (C6).",
        "  You are out of jail (C6).",
        "  You land on Market (C7).",
        "  You pay the bank 4 coins (tax) (C7).",
    ]


def test_leaving_jail_is_told_with_the_rule_of_leaving() -> None:
    # M3 is about going to jail, M4 about the ways out
    rules = rules_of("monopoly")
    walk = Walk(rules, leave, scripted(["pay"]), in_jail(1))
    move = walk.forward()
    assert move is not None
    assert explain(move, rules) == (
        "Leave jail? Your answer: pay (M4).\n"
        "You pay the bank $50 (fine) (M4).\n"
        "You are out of jail (M4)."
    )


@every_game
def test_the_question_that_stands_is_one_sentence(game: str) -> None:
    rules = rules_of(game)
    policy = stay if rules.jail else None
    kinds = set()
    for move in play(rules, policy, fair(6), turns=300):
        question = ask(move.before, rules)
        assert question.endswith((".", "?"))
        assert question[0].isupper()
        assert "\n" not in question
        kinds.add(type(move.before.question).__name__)
        assert all(line and line[0].islower() for line in to_come(move.before, rules))
    assert {"Roll", "Draw"} <= kinds


def test_what_is_to_come_is_told_in_order() -> None:
    # day 3 of the calendar: three letters one after the other
    rules = rules_of("payday")
    (move,) = script(rules, 3)
    assert isinstance(move.after.question, Draw)
    assert ask(move.after, rules) == "Draw a card from Mail."
    assert to_come(move.after, rules) == (
        "draw a card from Mail",
        "draw a card from Mail",
        "the turn ends",
    )


def test_a_walk_shows_itself() -> None:
    walk = Walk(rules_of("corner_shop"), answerer=scripted(["1+1"]))
    assert repr(walk) == "<Walk of corner_shop: turn 1, You are on Corner: throw the dice.>"
    walk.forward()
    assert repr(walk) == "<Walk of corner_shop: turn 1, Draw a card from Letters.>"
    assert "You land on Letter Box (C4)." in walk._repr_html_()


def test_html_in_names_is_shown_and_not_obeyed() -> None:
    rules = load("corner_shop").but(
        {"squares.letter_box.name": "<b>Box</b>", "decks.letters.cards.library_fine.name": "<i>"}
    )
    walk = Walk(rules, answerer=scripted(["1+1", "library_fine"]))
    shown = []
    for _ in range(2):
        walk.forward()
        shown.append(walk._repr_html_())
    assert "&lt;b&gt;Box&lt;/b&gt;" in shown[0]
    assert "&lt;i&gt;" in shown[1]
    assert not any(tag in html for tag in ("<b>", "<i>") for html in shown)


# ------------------------------------------------------------------------- odd throws


def test_a_throw_that_moves_nobody_is_a_question_of_its_own() -> None:
    rules = load("corner_shop").but(
        {"squares.market.landing": [{"throw": "the raffle", "dice": 3}, {"pay": 1}]}
    )
    walk = Walk(rules, answerer=scripted(["2+2", "1+2"]))
    walk.forward()
    walk.forward()
    assert isinstance(walk.state.question, Throw)
    assert ask(walk.state, rules) == "Throw 3 dice for the raffle."
    with pytest.raises(RulesError, match="needs 3 dice"):
        walk.force("1+1")
    move = walk.force("1+2+2")
    assert move.reply.answer == 5
    assert "You throw 1 and 2 and 2 for the raffle." in explain(move, rules)


def test_read_answer_names_the_place_that_it_is_told() -> None:
    rules: Rules = rules_of("monopoly")
    with pytest.raises(RulesError) as caught:
        read_answer("9+9", State(), rules, "your throw")
    assert caught.value.problems[0].path == "your throw"


def test_whole_numbers_pick_the_same_everywhere() -> None:
    # copies of 1/3 and 2/3 are whole numbers to the picker, never floats; a third of 3000 draws is
    # 1000, with a deviation of 26
    rules = load("corner_shop").but(
        {
            "decks.letters.cards.birthday_money.copies": Fraction(1, 3),
            "decks.letters.cards.library_fine.copies": Fraction(2, 3),
            "decks.letters.cards.to_the_corner.copies": 1,
            "decks.letters.cards.to_the_station.copies": 1,
        }
    )
    drawn = [
        move.reply.answer
        for move in play(rules, None, fair(5), turns=12000)
        if isinstance(move.before.question, Draw)
    ]
    few = [card for card in drawn if card in ("birthday_money", "library_fine")]
    third = len(few) / 3
    assert len(few) > 300
    assert abs(few.count("birthday_money") - third) <= 6 * (len(few) * 2 / 9) ** 0.5


def test_rolled_events_tell_doubles_and_further_rolls() -> None:
    rules = rules_of("monopoly")
    moves = script(rules, (1, 1), "hospital", (1, 2))
    rolled = [event for move in moves for event in move.events if isinstance(event, Rolled)]
    assert rolled == [Rolled(2, True), Rolled(3, False, again=True)]
