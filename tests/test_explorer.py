"""The explorer in the kernel: what is ticked and slid, what is shown of it, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from conftest import rules_of

from boardrules.decimals import written
from boardrules.library import load
from boardrules.rules import RulesError
from boardrules.tables import income, landing
from boardrules.turn import stay
from boardrules.widgets import Explorer, explorer
from boardrules.widgets.study import Asked, Study, opened

GAMES = ("monopoly", "easy_money", "payday", "corner_shop")
SALARY = "squares.go.passing[0].collect"


def slide(one: Explorer, **values: Any) -> None:
    """What arrives from the browser when somebody changes something in one of the forms."""
    for form in (one.rules_form, one.chart_form):
        own = {name: value for name, value in values.items() if name in form.values}
        if own:
            form._handle_custom_msg({"set": own}, [])


def press(one: Explorer, button: str) -> None:
    one.rules_form._handle_custom_msg({"press": button}, [])


def bars(one: Explorer) -> dict[str, tuple[float, float]]:
    """The bars in sight: as printed, and under the changed rules."""
    before, after = one.figure.data
    return dict(
        zip(one.figure.layout.yaxis.ticktext, zip(before.x, after.x, strict=True), strict=True)
    )


@pytest.fixture
def monopoly() -> Explorer:
    return explorer("monopoly")


def test_at_first_the_printed_rules_stand_beside_themselves(monopoly: Explorer) -> None:
    before, after = monopoly.figure.data
    assert list(before.y) == list(after.y)
    assert before.y[0] == pytest.approx(100 * float(landing("monopoly")["go"]))
    assert "printed rules" in monopoly.chart_form.message


def test_an_explorer_with_a_comma_shows_commas_and_gives_away_points() -> None:
    plain, turned = (explorer("corner_shop", decimal=sign) for sign in ".,")
    for one in (plain, turned):
        slide(one, what="income")
        slide(one, **{"jail.fine": 7})
    assert re.search(r"\d\.\d", plain.chart_form.message)
    assert turned.chart_form.message == written(plain.chart_form.message)
    for before, after in zip(plain.figure.data, turned.figure.data, strict=True):
        assert list(before.x) == list(after.x)
        assert list(after.text) == [written(text) for text in before.text]
        assert list(after.text) != list(before.text)
    assert turned.figure.layout.separators == ",\u202f"
    for button in ("Copy as TOML", "Copy as Python"):
        texts = []
        for one in (plain, turned):
            press(one, button)
            texts.append(one.copied.text)
        assert texts[0] == texts[1] != ""


def test_a_slid_salary_moves_the_bars_of_income_and_says_so(monopoly: Explorer) -> None:
    slide(monopoly, what="income")
    slide(monopoly, **{SALARY: 400})
    printed = income("monopoly")["salary"].mean
    before, after = bars(monopoly)["Salary"]
    assert before == pytest.approx(float(printed))
    assert after == pytest.approx(float(2 * printed))
    assert f"salary +${float(printed):.2f}" in monopoly.chart_form.message
    assert "Nothing changes for landing, rents and payback." in monopoly.chart_form.message


def test_the_traces_are_updated_and_not_replaced(monopoly: Explorer) -> None:
    figure, traces = monopoly.figure, monopoly.figure.data
    for what in ("income", "rent", "payback", "landing"):
        slide(monopoly, what=what)
        slide(monopoly, **{SALARY: 350})
        slide(monopoly, difference=True)
        slide(monopoly, difference=False)
    assert monopoly.figure is figure
    assert all(one is other for one, other in zip(figure.data, traces, strict=True))


def test_a_chart_keeps_nothing_of_the_one_before_it(monopoly: Explorer) -> None:
    first = monopoly.figure.to_dict()
    for what in ("rent", "income", "landing"):
        slide(monopoly, what=what)
    slide(monopoly, difference=True)
    slide(monopoly, difference=False)
    again = monopoly.figure.to_dict()
    for one, other in zip(first["data"], again["data"], strict=True):
        for key in ("x", "y", "name", "marker", "hovertext"):
            assert _same(one[key], other[key]), key
        assert other["orientation"] == "v"
        assert not any(other["text"])
    assert again["layout"]["yaxis"] == first["layout"]["yaxis"]
    assert again["layout"]["xaxis"] == first["layout"]["xaxis"]
    assert not again["layout"].get("annotations")


def _same(one: Any, other: Any) -> bool:
    if hasattr(one, "tolist") or isinstance(one, (list, tuple)):
        return list(one) == list(other)
    return bool(one == other)


def test_ticked_overlays_are_laid_over_the_game_and_the_form_follows(monopoly: Explorer) -> None:
    slide(monopoly, **{"overlay: editions/2008": True, "what": "income"})
    assert monopoly.study.after.rules.overlays == ("editions/2008",)
    assert monopoly.rules_form.values["squares.luxury_tax.landing[0].pay"] == 100
    slide(monopoly, **{SALARY: 300})
    assert monopoly.study.asked.overlays == ("editions/2008",)
    assert monopoly.study.asked.chosen == {SALARY: 300}
    slide(monopoly, **{"overlay: editions/2008": False})
    assert monopoly.rules_form.values["squares.luxury_tax.landing[0].pay"] == 75
    assert monopoly.rules_form.values[SALARY] == 300, "what was slid stays"


def test_overlays_that_contradict_each_other_are_explained_and_the_last_picture_stays(
    monopoly: Explorer,
) -> None:
    slide(monopoly, **{"overlay: house/four_sided_dice": True})
    shown = list(monopoly.figure.data[1].y)
    slide(monopoly, **{"overlay: house/eight_sided_dice": True})
    assert "do not go together" in monopoly.chart_form.message
    assert "8 against 4" in monopoly.chart_form.message
    assert monopoly.rules_form.values["overlay: house/eight_sided_dice"] is False
    assert monopoly.rules_form.values["overlay: house/four_sided_dice"] is True
    assert list(monopoly.figure.data[1].y) == shown
    slide(monopoly, **{SALARY: 300})
    assert "do not go together" not in monopoly.chart_form.message


def test_a_policy_that_the_rules_do_not_allow_is_refused_in_words() -> None:
    rules = load("corner_shop", {"set": {"jail.fine_before": [2]}})
    one = explorer(rules)
    assert one.rules_form.values["policy"] == "stay"
    slide(one, policy="leave")
    assert "these rules let nobody do so" in one.chart_form.message
    assert one.rules_form.values["policy"] == "stay"


def test_a_slider_that_makes_no_game_is_explained_and_keeps_the_last_result() -> None:
    one = explorer("payday")
    cost = next(k for k in one.study.knobs if k.name.endswith("deal.cost"))
    shown = list(one.figure.data[1].y)
    slide(one, **{cost.name: cost.high})
    assert "worth more than it costs" in one.chart_form.message
    assert list(one.figure.data[1].y) == shown


def test_nonsense_from_the_browser_changes_nothing(monopoly: Explorer) -> None:
    before = monopoly.study.asked
    for value in (-1, 10**9, "much", None, float("nan"), [1]):
        monopoly.rules_form._handle_custom_msg({"set": {SALARY: value}}, [])
        assert "from 0 to" in monopoly.rules_form.message
    monopoly.chart_form._handle_custom_msg({"set": {"per": "year", "what": "luck"}}, [])
    assert monopoly.study.asked == before


@pytest.mark.parametrize("game", GAMES)
def test_every_game_shows_what_it_has_an_answer_to(monopoly: Explorer, game: str) -> None:
    slide(monopoly, what="rent")
    slide(monopoly, game=game)
    assert monopoly.study.game == game
    charts = [text for text, _ in _field(monopoly, "what")["options"]]
    assert charts == (["Landing", "Bank income"] if game == "payday"
                      else ["Landing", "Bank income", "Rents", "Payback"])  # fmt: skip
    assert ("policy" in monopoly.rules_form.values) == (game in ("monopoly", "corner_shop"))
    for what in monopoly.study.questions():
        slide(monopoly, what=what)
        for per in ("roll", "turn", "visit", "lap"):
            slide(monopoly, per=per)
            assert monopoly.figure.data[1].y is not None
            assert "do not go together" not in monopoly.chart_form.message
    title = str(monopoly.figure.layout.title.text)
    assert ("Illustrative" in title) == (game == "easy_money")


def _field(one: Explorer, name: str) -> dict[str, Any]:
    fields = [field for group in one.chart_form.form["groups"] for field in group["fields"]]
    return next(field for field in fields if field["name"] == name)


def test_jail_policy_level_and_opponents_are_obeyed(monopoly: Explorer) -> None:
    slide(monopoly, policy="stay", what="payback", level="3", opponents=3, per="turn")
    from boardrules.chain import chain
    from boardrules.rents.groups import groups

    table = groups(chain("monopoly", stay, float), per="turn", opponents=3)
    found = next(both for name, both in bars(monopoly).items() if "Orange" in name)
    assert found[0] == found[1] == pytest.approx(table["orange", 3].payback)
    assert "jail: stay" in str(monopoly.figure.layout.title.text)


def test_reset_goes_back_to_the_printed_rules_and_keeps_the_chart(monopoly: Explorer) -> None:
    slide(monopoly, what="income", per="turn")
    slide(monopoly, **{"overlay: house/double_go": True})
    slide(monopoly, **{SALARY: 0, "policy": "stay"})
    press(monopoly, "Reset")
    assert monopoly.study.asked == Asked(what="income", per="turn")
    assert monopoly.rules_form.values[SALARY] == 200
    assert "printed rules" in monopoly.chart_form.message


def test_what_is_copied_makes_the_rules_that_are_shown(monopoly: Explorer, tmp_path: Path) -> None:
    slide(monopoly, **{"overlay: house/double_go": True})
    slide(monopoly, **{SALARY: 300, "dice.highest": 2.5})
    press(monopoly, "Copy as TOML")
    file = tmp_path / "my_rules.toml"
    file.write_text(monopoly.copied.text, encoding="utf-8")
    shown = monopoly.study.after.rules
    again = load("monopoly", file)
    assert (again.squares, again.dice, again.decks) == (shown.squares, shown.dice, shown.decks)
    press(monopoly, "Copy as Python")
    made: dict[str, Any] = {}
    exec(monopoly.copied.text, made)
    assert made["rules"].squares == shown.squares
    slide(monopoly, **{SALARY: 350})
    assert monopoly.copied.text == "", "what does not fit any more is taken away"


def test_the_legend_stays_short_however_much_is_slid(monopoly: Explorer) -> None:
    slide(monopoly, rents=200, houses=200)
    slide(monopoly, **{SALARY: 300})
    assert monopoly.study.after.rules.overlays == ("3 numbers",)
    assert [trace.name for trace in monopoly.figure.data] == ["as printed", "your rules"]


def test_overlays_given_at_first_are_ticked_and_ones_own_rules_are_taken_as_they_are() -> None:
    one = explorer("monopoly", "double_go", per="turn")
    assert one.rules_form.values["overlay: house/double_go"] is True
    assert one.chart_form.values["per"] == "turn"
    own = explorer("corner_shop", {"set": {"jail.fine": 9}})
    assert own.rules_form.values["jail.fine"] == 9
    assert own.rules_form.values["game"] == ""
    assert not any(name.startswith("overlay: ") for name in own.rules_form.values)
    assert opened("monopoly", "double_go") == ("monopoly", ("house/double_go",))
    assert opened(rules_of("corner_shop"))[0] is rules_of("corner_shop")


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        (lambda: explorer("monoply"), "did you mean 'monopoly'"),
        (lambda: explorer("monopoly", policy="run"), "no such policy"),
        (lambda: explorer("monopoly", per="year"), "no such per"),
        (lambda: explorer("monopoly", "four_sided_dice", "eight_sided_dice"), "8 against 4"),
    ],
)
def test_what_cannot_be_explored_is_refused_in_words(ask: Any, text: str) -> None:
    with pytest.raises(RulesError, match=text):
        ask()


def test_a_study_knows_nothing_of_notebooks_and_keeps_its_last_good_result() -> None:
    study = Study("corner_shop")
    study.ask(Asked(chosen={"jail.fine": 8}))
    assert study.message == ""
    good = study.after
    study.ask(Asked(overlays=("no_such_overlay",)))
    assert "no_such_overlay" in study.message
    assert study.after is good
