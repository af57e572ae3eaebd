"""Overlays commute or complain: never does the last one silently win."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardrules.effects import Collect, Pay
from boardrules.library import games, load
from boardrules.overlay import Overlay, lay, read_path, write_path
from boardrules.rules import Change, Rules, RulesError

PAIRS = [
    (game.name, one.name, two.name)
    for game in games()
    for place, one in enumerate(game.overlays)
    for two in game.overlays[place + 1 :]
]


def said(*overlays: Any, game: Any = "corner_shop") -> str:
    """What is said about overlays that cannot be laid over one another."""
    with pytest.raises(RulesError) as caught:
        load(game, *overlays)
    return str(caught.value)


def outcome(game: str, *overlays: Any) -> object:
    """The rules that overlays give, or what is said against them, to be compared."""
    try:
        rules = load(game, *overlays)
    except RulesError as error:
        return str(error)
    return rules.tree, rules.grades, rules.changes


# ------------------------------------------------------------------ the order is no matter


@pytest.mark.parametrize(("game", "one", "two"), PAIRS)
def test_any_two_overlays_commute_or_complain(game: str, one: str, two: str) -> None:
    assert outcome(game, one, two) == outcome(game, two, one)


def test_three_sheets_in_memory_commute(tmp_path: Path) -> None:
    file = tmp_path / "sheet.toml"
    file.write_text('game = "corner_shop"\n[add.squares.market]\nlanding = [{ pay = 1 }]\n')
    sheets = (
        {"add": {"squares.market.landing": [{"pay": 2}]}},
        {"add": {"squares.market.landing": [{"pay": 3}]}, "set": {"jail.fine": 9}},
        file,
    )
    outcomes = [outcome("corner_shop", *order) for order in permutations(sheets)]
    assert all(one == outcomes[0] for one in outcomes)
    market = load("corner_shop", *sheets).square("market")
    assert sorted(e.amount for e in market.landing if isinstance(e, Pay)) == [1, 2, 3, 4]


def test_one_overlay_twice_is_that_overlay() -> None:
    once, twice = load("monopoly", "double_go"), load("monopoly", "double_go", "house/double_go")
    assert twice.overlays == once.overlays
    assert twice.diff(once) == ()


# ------------------------------------------------------------------------ what conflicts


def test_two_values_for_one_path_are_a_conflict() -> None:
    assert said({"set": {"jail.fine": 1}}, {"set": {"jail.fine": 2}}) == (
        "1 problem in corner_shop + overlay 1 + overlay 2\n"
        "  overlay 1 and overlay 2  jail.fine  both set jail.fine: 1 against 2; leave one out, or "
        "write over = ['overlay 2'] in overlay 1"
    )


def test_one_value_for_one_path_is_none() -> None:
    rules = load("corner_shop", {"set": {"jail.fine": 2}}, {"set": {"jail": {"fine": 2}}})
    assert rules.jail is not None
    assert rules.jail.fine == 2


def test_a_path_and_a_part_of_it_are_a_conflict() -> None:
    whole, part = {"squares.market.landing": []}, {"squares.market.landing[0].pay": 9}
    assert said({"set": whole}, {"set": part}) == (
        "1 problem in corner_shop + overlay 1 + overlay 2\n"
        "  overlay 1 and overlay 2  squares.market.landing[0].pay  one has "
        "set.squares.market.landing, the other set.squares.market.landing[0].pay; leave one out, "
        "or write over = ['overlay 2'] in overlay 1"
    )


def test_removing_what_another_changes_is_a_conflict() -> None:
    text = said({"remove": ["jail"]}, {"set": {"jail.fine": 1}})
    assert "jail.fine  one has remove.jail, the other set.jail.fine" in text


def test_two_may_remove_the_same() -> None:
    no_light = {"set": {"squares.red_light.landing": [], **NO_LETTER}, "remove": ["jail"]}
    rules = load("corner_shop", no_light, {"remove": ["jail"]})
    assert rules.jail is None


NO_LETTER = {"decks.letters.cards.to_the_station.effects": []}


def test_two_files_of_one_name_are_told_apart(tmp_path: Path) -> None:
    for folder, fine in (("a", 1), ("b", 2)):
        (tmp_path / folder).mkdir()
        text = f'game = "corner_shop"\n[set]\njail.fine = {fine}\n'
        (tmp_path / folder / "fine.toml").write_text(text)
    text = said(tmp_path / "a" / "fine.toml", tmp_path / "b" / "fine.toml")
    assert "another overlay is called 'fine' too; rename one of the two files" in text
    assert load("corner_shop", tmp_path / "a" / "fine.toml", tmp_path / "a" / "fine.toml")


def test_each_over_the_other_is_a_conflict_still(tmp_path: Path) -> None:
    for name, other, fine in (("one", "two", 1), ("two", "one", 2)):
        text = f'game = "corner_shop"\nover = ["{other}"]\n[set]\njail.fine = {fine}\n'
        (tmp_path / f"{name}.toml").write_text(text)
    assert said(tmp_path / "two.toml", tmp_path / "one.toml") == (
        "1 problem in corner_shop + one + two\n"
        "  one.toml and two.toml  jail.fine  both set jail.fine: 1 against 2; each says that it "
        "goes over the other"
    )


# ------------------------------------------------------------------------ what goes over


def test_an_overlay_may_go_over_a_named_one_in_any_order(tmp_path: Path) -> None:
    low, high = tmp_path / "low.toml", tmp_path / "high.toml"
    low.write_text('game = "corner_shop"\n[set]\njail.fine = 1\njail.attempts = 3\n')
    high.write_text('game = "corner_shop"\nover = ["low"]\n[set]\njail.fine = 2\n')
    for rules in (load("corner_shop", low, high), load("corner_shop", high, low)):
        assert rules.jail is not None
        assert (rules.jail.fine, rules.jail.attempts) == (2, 3)


def test_over_a_sheet_that_is_not_there_does_nothing() -> None:
    assert load("monopoly", "no_jail").overlays == ("house/no_jail",)
    both = load("monopoly", "no_jail", "free_parking_pot")
    assert both.jail is None
    assert both.square("luxury_tax").landing == (
        Pay(75, "free_parking", "tax", cause="luxury_tax"),
    )


# ----------------------------------------------------------------------- set, add, remove


def test_what_is_added_comes_behind_what_is_there_and_what_is_set() -> None:
    added = {"add": {"squares.market.landing": [{"collect": 1}]}}
    assert [type(e) for e in load("corner_shop", added).square("market").landing] == [Pay, Collect]
    rules = load("corner_shop", added, {"set": {"squares.market.landing": [{"pay": 9}]}})
    assert rules.square("market").landing == (
        Pay(9, cause="market"),
        Collect(1, cause="market"),
    )


def test_a_square_a_card_a_deck_and_a_pot_can_be_added() -> None:
    rules = load(
        "corner_shop",
        {
            "add": {
                "squares": [{"id": "cinema", "landing": [{"draw": "news"}, {"take": "hat"}]}],
                "decks.letters.cards": [{"id": "rain", "copies": 3}],
                "decks": [{"id": "news", "cards": [{"id": "sun", "effects": [{"collect": 1}]}]}],
                "pots": [{"id": "hat", "start": 2}],
            }
        },
    )
    assert [square.id for square in rules.squares][-2:] == ["market", "cinema"]
    assert rules.decks["letters"].cards[-1].id == "rain"
    assert rules.decks["news"].cards[0].effects == (Collect(1, cause="news.sun"),)
    assert rules.pots["hat"].start == 2


def test_one_sheet_may_set_a_part_of_what_another_adds() -> None:
    new = {"add": {"squares": [{"id": "cinema", "landing": [{"pay": 1}]}]}}
    dear = {"set": {"squares.cinema.landing[0].pay": 5}}
    for order in ((new, dear), (dear, new)):
        assert load("corner_shop", *order).square("cinema").landing == (Pay(5, cause="cinema"),)


def test_a_row_can_be_exchanged_for_a_new_one() -> None:
    path = "decks.letters.cards"
    sheet = {"remove": [f"{path}.library_fine"], "add": {path: [{"id": "library_fine"}]}}
    cards = load("corner_shop", sheet).decks["letters"].cards
    assert [card.id for card in cards][-1] == "library_fine"
    assert cards[-1].effects == ()


def test_a_table_without_lines_changes_nothing() -> None:
    rules = load("corner_shop", {"set": {"squares": {"market": {}}, "jail": {}}})
    assert rules.diff(load("corner_shop")) == ()
    assert rules.changes == ()


# ------------------------------------------------------------------- changes, diff and but


def test_changes_tell_path_before_after_and_file() -> None:
    assert load("monopoly", "no_auctions", "four_sided_dice").changes == (
        Change("dice.sides", 6, 4, "monopoly/house/four_sided_dice.toml"),
        Change("buying.auction", True, False, "monopoly/house/no_auctions.toml"),
    )
    added = load("corner_shop", "double_corner").changes
    assert added == (
        Change(
            "squares.corner.landing",
            [],
            [{"collect": 10, "tag": "salary"}],
            "corner_shop/house/double_corner.toml",
        ),
    )


def test_setting_what_is_there_already_is_no_change() -> None:
    assert load("corner_shop", {"set": {"jail.fine": 5}}).changes == ()


def test_but_changes_rules_in_memory_and_leaves_the_old_ones_alone() -> None:
    rules = load("corner_shop")
    free = rules.but({"jail.fine": 0})
    assert free.jail is not None
    assert rules.jail is not None
    assert (free.jail.fine, rules.jail.fine) == (0, 5)
    assert free.name == "corner_shop + jail.fine = 0"
    assert free.changes == (Change("jail.fine", 5, 0, "but(…)"),)


def test_but_goes_over_every_overlay() -> None:
    rules = load("monopoly", "collins_jail").but({"jail": {"doubles_out": "turn_ends"}})
    assert rules.jail is not None
    assert (rules.jail.doubles_out, rules.jail.last_attempt) == ("turn_ends", "pay_first")


def test_but_after_but_keeps_both_and_the_last_word() -> None:
    rules = load("corner_shop").but({"jail.fine": 1, "start.cash": 7}).but({"jail": {"fine": 2}})
    assert rules.jail is not None
    assert (rules.jail.fine, rules.start.cash) == (2, 7)
    assert rules.name == "corner_shop + start.cash = 7, jail.fine = 2"
    part = {"squares.market.landing[0].pay": 1}
    whole = {"squares.market.landing": [{"pay": 8}]}
    assert pays(load("corner_shop").but(part).but(whole)) == 8
    assert pays(load("corner_shop").but(part).but(whole).but(part)) == 1


def pays(rules: Rules) -> int:
    """What the market costs."""
    (effect,) = rules.square("market").landing
    assert isinstance(effect, Pay)
    return effect.amount


def test_but_says_what_is_wrong_without_naming_a_file_that_is_not_there() -> None:
    with pytest.raises(RulesError) as caught:
        load("corner_shop").but({"jail.fines": 0})
    assert str(caught.value) == (
        "1 problem in corner_shop + jail.fines = 0\n"
        "  but(…)  jail.fines  no such rule; did you mean jail.fine?"
    )


def test_but_takes_the_jail_away() -> None:
    rules = load("corner_shop").but({"jail": None, "squares.red_light.landing": [], **NO_LETTER})
    assert rules.jail is None


def test_diff_tells_every_path_that_differs_both_ways() -> None:
    rules, other = load("monopoly"), load("monopoly", "unlimited_houses")
    found = {(change.path, change.before, change.after) for change in rules.diff(other)}
    assert found == {("building.houses", 32, None), ("building.hotels", 12, None)}
    assert {(c.path, c.after, c.before) for c in other.diff(rules)} == found
    assert rules.diff(load("monopoly")) == ()


def test_rules_about_money_alone_are_told_from_rules_of_the_walk() -> None:
    assert load("monopoly", "no_auctions").only_money_changed
    assert load("monopoly", "marvin_gardens_22").only_money_changed
    assert not load("monopoly", "four_sided_dice").only_money_changed
    assert not load("monopoly", "no_auctions", "no_jail").only_money_changed


# -------------------------------------------------------------------------------- paths


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("jail.fine", ("jail", "fine")),
        ("squares.go.passing[0].collect", ("squares", "go", "passing", 0, "collect")),
        ("a[0][12]", ("a", 0, 12)),
        ("dice.faces.1", ("dice", "faces", "1")),
    ],
)
def test_a_path_is_read_and_written(text: str, path: tuple[str | int, ...]) -> None:
    assert read_path(text) == path
    assert write_path(path) == text


@pytest.mark.parametrize(
    "text", ["", ".", "a.", ".a", "a..b", "a[", "a]", "a[x]", "a[-1]", "a[01]", "a[12345]", "a\x1b"]
)
def test_what_is_no_path_is_not_read(text: str) -> None:
    assert read_path(text) == ()


TREES = st.fixed_dictionaries(
    {
        "jail": st.fixed_dictionaries({"fine": st.integers(0, 3), "attempts": st.integers(1, 3)}),
        "pots": st.fixed_dictionaries({"hat": st.fixed_dictionaries({"start": st.just(1)})}),
        "notes": st.lists(st.integers(0, 3), max_size=2),
    }
)
PATHS = st.sampled_from(["jail", "jail.fine", "jail.attempts", "pots.hat.start", "notes", "x.y"])
SHEETS = st.lists(
    st.tuples(
        st.dictionaries(PATHS.filter(lambda path: path != "notes"), st.integers(0, 2), max_size=2),
        st.dictionaries(st.just("notes"), st.lists(st.integers(0, 2), max_size=2), max_size=1),
        st.lists(PATHS, max_size=1),
        st.lists(st.sampled_from("abc"), max_size=2),
    ),
    min_size=2,
    max_size=3,
)


@given(tree=TREES, sheets=SHEETS, data=st.data())
def test_sheets_in_any_order_give_the_same_tree_or_the_same_complaint(
    tree: dict[str, Any], sheets: Any, data: st.DataObject
) -> None:
    overlays = [
        Overlay(name, f"{name}.toml", set=new, add=more, remove=tuple(gone), over=tuple(over))
        for name, (new, more, gone, over) in zip("abc", sheets, strict=False)
    ]
    shuffled = data.draw(st.permutations(overlays))
    one, two = lay(tree, overlays), lay(tree, shuffled)
    assert (one.tree, one.problems, one.changes) == (two.tree, two.problems, two.changes)
