"""The quick numbers against the tables that everything else is checked with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import rules_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import boardrules.quick
from boardrules.chain import chain
from boardrules.library import games, load
from boardrules.quick import TOP, Desk, Grouped, Numbers, levels, numbers_of, shape
from boardrules.rents.groups import groups
from boardrules.rents.table import rent
from boardrules.results import UNITS
from boardrules.rules import Rules, RulesError
from boardrules.tables import income, landing
from boardrules.turn import leave, stay
from boardrules.variants import knobs, turned

GAMES = tuple(game.name for game in games())
CLOSE = 1e-9


def quick(rules: Rules, policy: Any = None) -> Numbers:
    return numbers_of(chain(rules, policy, float))


@pytest.mark.parametrize("per", UNITS)
@pytest.mark.parametrize("game", GAMES)
def test_landings_are_those_of_the_landing_table(game: str, per: str) -> None:
    walk = chain(rules_of(game), number=float)
    mine, theirs = numbers_of(walk).landing(per), landing(walk, per=per)
    assert [row.id for row in mine.rows] == [row.id for row in theirs.rows]
    for one, other in zip(mine.rows, theirs.rows, strict=True):
        assert (one.number, one.name) == (other.number, other.name)
        assert one.probability == pytest.approx(other.probability, rel=CLOSE, abs=1e-15)
    assert mine.context == theirs.context


@pytest.mark.parametrize("per", ["roll", "turn", "lap"])
@pytest.mark.parametrize("game", GAMES)
def test_the_causes_of_income_add_up_to_all_of_it(game: str, per: str) -> None:
    walk = chain(rules_of(game), number=float)
    table = income(walk, per=per)
    mine = numbers_of(walk).incomes(per)
    assert sum(mine.values()) == pytest.approx(table["all"].mean, rel=CLOSE)
    if "salary" in mine:
        assert mine["salary"] == pytest.approx(table["salary"].mean, rel=CLOSE)


@pytest.mark.parametrize("overlays", [(), ("no_rent_in_jail",), ("utility_fresh_throw",)])
@pytest.mark.parametrize("per", ["roll", "turn", "lap"])
def test_rents_of_groups_are_those_of_the_group_table(per: str, overlays: tuple[str, ...]) -> None:
    walk = chain(rules_of("monopoly", *overlays), stay, float)
    table, mine = groups(walk, per=per), numbers_of(walk)
    for level in ("set", "1", "3", "hotel"):
        for one in mine.rents(level, per):
            row = table[one.name, one.level]
            assert one.mean == pytest.approx(row.mean, rel=CLOSE)
            assert one.invested == row.invested
            assert one.payback == pytest.approx(row.payback, rel=CLOSE)
    assert len(mine.rents("hotel", per)) == 10
    assert mine.rents(TOP, per) == mine.rents("hotel", per)


def test_deeds_without_a_group_stand_alone() -> None:
    walk = chain(rules_of("easy_money"), number=float)
    table = rent(walk)
    for one in numbers_of(walk).rents():
        assert one.mean == pytest.approx(table[one.name, one.level].mean, rel=CLOSE)


def test_more_opponents_shorten_the_payback_and_nothing_else() -> None:
    numbers = quick(rules_of("corner_shop"))
    one, three = numbers.rents(TOP)[0], numbers.rents(TOP, opponents=3)[0]
    assert isinstance(one, Grouped)
    assert one.payback is not None
    assert three.payback == pytest.approx(one.payback / 3)
    assert three.mean == one.mean


def test_a_game_without_deeds_has_no_rents_and_leaves_bills() -> None:
    numbers = quick(rules_of("payday"))
    assert numbers.rents() == []
    assert numbers.bills("lap") > 0
    assert levels(rules_of("payday")) == ()
    with pytest.raises(RulesError, match="no such level"):
        numbers.rents("hotel")


@st.composite
def turns_of_knobs(draw: Any) -> tuple[Rules, dict[str, Any]]:
    rules = rules_of(draw(st.sampled_from(GAMES)))
    some = draw(st.lists(st.sampled_from(knobs(rules)), max_size=4, unique_by=lambda one: one.name))
    steps = [draw(st.integers(0, int((one.high - one.low) / one.step))) for one in some]
    return rules, {
        one.name: type(one.value)(one.low + n * one.step)
        for one, n in zip(some, steps, strict=True)
    }


@settings(max_examples=25, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(turns_of_knobs())
def test_amounts_written_anew_give_what_a_new_chain_gives(
    turn: tuple[Rules, dict[str, Any]],
) -> None:
    rules, chosen = turn
    try:
        changed = turned(rules, chosen)
    except RulesError:
        return
    desk = Desk()
    desk.numbers(rules)
    mine, afresh = desk.numbers(changed), quick(changed)
    for one, other in zip(mine.landing().rows, afresh.landing().rows, strict=True):
        assert one.probability == pytest.approx(other.probability, rel=CLOSE, abs=1e-15)
    assert mine.incomes() == pytest.approx(afresh.incomes(), rel=1e-7, abs=1e-12)
    assert mine.bills() == pytest.approx(afresh.bills(), rel=CLOSE)
    for a, b in zip(mine.rents(), afresh.rents(), strict=True):
        assert (a.name, a.level, a.invested) == (b.name, b.level, b.invested)
        assert a.mean == pytest.approx(b.mean, rel=CLOSE)


def test_no_chain_is_built_where_only_amounts_change(monkeypatch: pytest.MonkeyPatch) -> None:
    built = []

    def counted(*arguments: Any) -> Any:
        built.append(arguments)
        return chain(*arguments)

    monkeypatch.setattr(boardrules.quick, "chain", counted)
    rules, desk = rules_of("monopoly"), Desk()
    desk.numbers(rules, leave)
    for name, value in {
        "squares.go.passing[0].collect": 400, "jail.fine": 100, "rents.orange": 150,
        "squares.boardwalk.deed.price": 100, "houses": 50, "mortgage.interest": 20,
        "decks.chance.cards.poor_tax.effects[0].pay": 100,
    }.items():  # fmt: skip
        desk.numbers(turned(rules, {name: value}), leave)
    assert len(built) == 1
    desk.numbers(rules, stay)
    desk.numbers(turned(rules, {"jail.attempts": 5}), leave)
    desk.numbers(turned(rules, {"jail.fine": 0}), leave)  # nothing is paid: another shape
    assert len(built) == 4
    desk.numbers(rules, leave)
    assert len(built) == 4, "the first walk is still there"


def test_only_a_few_walks_are_kept() -> None:
    desk = Desk(most=2)
    for attempts in (2, 3, 4, 5):
        desk.numbers(turned(rules_of("corner_shop"), {"jail.attempts": attempts}))
    assert len(desk._kept) == 2


def test_two_payments_that_looked_alike_are_told_apart_by_a_new_chain() -> None:
    twice = [{"pay": 4, "tag": "tax"}, {"pay": 4, "tag": "tax"}]
    rules = rules_of("corner_shop").but({"squares.market.landing": twice})
    changed = rules.but({"squares.market.landing[1].pay": 9})
    assert shape(rules) == shape(changed)
    desk = Desk()
    desk.numbers(rules)
    tax = desk.numbers(changed).incomes()["tax"]
    assert tax == pytest.approx(income(changed)["tax"].mean.__float__())
    assert desk.numbers(changed).incomes()["tax"] == pytest.approx(tax)


@pytest.mark.parametrize("name", ["cash", "rule", "source", "grade", "deed"])
def test_a_square_may_be_called_like_a_word_of_the_format(tmp_path: Path, name: str) -> None:
    """Where its move leads elsewhere the walk is another one, whatever the square is called."""
    squares = "".join(f'[[squares]]\nid = "{one}"\n' for one in ("go", name, "b", "c"))
    file = tmp_path / "ours.toml"
    file.write_text(
        'format = 1\ntitle = "Ours"\n[dice]\ncount = 1\nsides = 2\n'
        + squares.replace(f'"{name}"\n', f'"{name}"\nlanding = [{{ goto = "go" }}]\n'),
        encoding="utf-8",
    )
    before = load(file)
    after = before.but({f"squares.{name}.landing[0].goto": "b"})
    desk = Desk()
    desk.numbers(before)
    mine = desk.numbers(after).landing().rows
    expected = landing(after, per="roll").rows
    assert [row.probability for row in mine] == pytest.approx(
        [float(row.probability) for row in expected]
    )
