"""`boardrules finance`: the columns agreed on, what it says about itself, and how it is stopped."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from conftest import chain_of

from boardrules import finance
from boardrules.__main__ import main
from boardrules.money import compare, plans
from boardrules.money.plans import saver
from boardrules.progress import PATIENCE, progress

QUICK = ["--months", "1", "--plan", "hold", "save"]


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["finance", *arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_the_columns_of_csv_are_those_agreed_on(capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(said(capsys, "payday", *QUICK, "--format", "csv"))))
    assert list(rows[0])[:6] == ["plan", "months", "mean", "sd", "se", "p_debt"]
    assert list(rows[0])[6:17] == [*(f"q{n:02d}" for n in range(5, 100, 10)), "method"]
    assert [row["plan"] for row in rows] == ["hold", "save"]
    expected = finance(chain_of("payday"), plans=["hold"], months=1)["hold"]
    assert float(rows[0]["mean"]) == expected.mean
    assert float(rows[0]["p_debt"]) == expected.p_debt
    assert int(rows[0]["q05"]) == expected.quantile(0.05)
    assert rows[0]["grade"] == "D"
    assert "no deals" in rows[0]["simplified"]


def test_json_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    table = json.loads(said(capsys, "payday", *QUICK, "--format", "json"))
    assert table["grade"] == "D"
    assert [row["plan"] for row in table["rows"]] == ["hold", "save"]
    assert table["rows"][1]["months"] == 1


def test_the_table_names_unit_grade_and_every_simplification(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = said(capsys, "payday", *QUICK)
    for part in ("per month", "overlays: none", "evidence: D", "wealth after 1 month", "no deals"):
        assert part in out


def test_an_overlay_changes_the_result_and_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert "overlays: editions/us_1994" in said(capsys, "payday", "us_1994", *QUICK[:-1])


def test_a_cushion_is_a_plan_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "payday", "--months", "2", "--plan", "save_100", "--format", "json")
    (row,) = json.loads(out)["rows"]
    expected = finance(chain_of("payday"), plans=[saver(100)], months=2)
    assert row["mean"] == pytest.approx(expected["save_100"].mean, rel=1e-12)


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["payday", "--plan", "hodl", "sav"], ["2 problems", "'hold'", "'save'"]),
        (["payday", "--plan", "save_x"], ["no such plan 'save_x'"]),
        (["payday", "--months", "13", *QUICK[2:]], ["at most 12 months, not 13"]),
        (["monopoly"], ["this game has no accounts"]),
    ],
)
def test_mistakes_are_named_all_at_once(
    arguments: list[str], parts: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["finance", *arguments]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert all(part in err for part in parts)


def test_who_stops_the_work_gets_what_is_done(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C in the third plan: two are told, the rest is named, and the exit status says so."""
    usual = compare.Game.wealth

    def stopped(game: Any, plan: Any) -> Any:
        if plan.name == "save":
            raise KeyboardInterrupt
        return usual(game, plan)

    monkeypatch.setattr(compare.Game, "wealth", stopped)
    order = ["--plan", "hold", "repay", "save", "insure"]
    assert main(["finance", "payday", "--months", "1", *order]) == 130
    out = capsys.readouterr().out
    assert "stopped before the end; not worked out: save, insure" in out
    assert "repay  mean" in out


def test_who_stops_at_once_gets_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(plans.Game, "wealth", stopped)
    with pytest.raises(KeyboardInterrupt):
        finance(chain_of("payday"), plans=["hold"], months=1)


class Clock:
    """Time that goes on by one second at every look."""

    now = 0.0

    @classmethod
    def time(cls) -> float:
        cls.now += 1.0
        return cls.now


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("count", "seen"), [(1, False), (20, True)])
def test_only_long_work_shows_a_bar(
    count: int, seen: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr("tqdm.std.time", Clock.time)
    monkeypatch.setenv("COLUMNS", "80")
    assert PATIENCE >= 2
    assert list(progress(range(count), "months")) == list(range(count))
    assert ("months" in screen.getvalue()) is seen


def test_no_bar_is_written_into_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    def slowly() -> Iterator[int]:
        yield from range(5)

    assert list(progress(slowly(), "months")) == [0, 1, 2, 3, 4]
    assert capsys.readouterr().err == ""
