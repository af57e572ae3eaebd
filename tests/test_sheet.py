"""The owner's sheet: printed, filled in from the box, read back, and refused where it is wrong."""

import csv
import io
from pathlib import Path

import pytest

from boardrules import RulesError, landing, load
from boardrules.__main__ import main
from boardrules.evidence import grade
from boardrules.sheet import COLUMNS, write
from boardrules.tables import income

GAMES = ("easy_money", "payday", "monopoly", "corner_shop")


def fresh(game: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(write(load(game).tree))))


def saved(rows: list[dict[str, str]], file: Path, mark: str = ",") -> Path:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, COLUMNS, delimiter=mark, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(rows)
    file.write_text("\ufeff" + text.getvalue(), encoding="utf-8", newline="")
    return file


def row(rows: list[dict[str, str]], name: str) -> dict[str, str]:
    return next(one for one in rows if one["id"] == name)


def short(file: Path, *lines: str) -> Path:
    file.write_text("\n".join(lines) + "\n")
    return file


@pytest.mark.parametrize("game", GAMES)
def test_a_sheet_has_every_square_and_card_the_weakest_evidence_first(game: str) -> None:
    rows, rules = fresh(game), load(game)
    cards = sum(len(deck.cards) for deck in rules.decks.values())
    assert [one["row"] for one in rows].count("square") == len(rules.squares)
    assert [one["row"] for one in rows].count("card") == cards
    order = ["illustrative", "D", "C", "B", "user", "A", "seed"]
    places = [order.index(one["grade"]) for one in rows]
    assert places == sorted(places)


def test_weak_cells_are_empty_and_ours_stands_beside_them() -> None:
    tractor = row(fresh("payday"), "tractor")
    assert (tractor["cost"], tractor["value"], tractor["grade"]) == ("", "", "C")
    assert "cost 950; value 1400; commission 95" in tractor["ours"]
    known = row(fresh("monopoly"), "boardwalk")
    assert (known["price"], known["rent_1"], known["rent_6"]) == ("400", "50", "2000")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("mark", [",", ";"])
def test_a_fresh_sheet_changes_nothing(game: str, mark: str, tmp_path: Path) -> None:
    rules = load(game, saved(fresh(game), tmp_path / "fresh.csv", mark))
    plain = load(game)
    assert rules.changes == ()
    assert [rules.grade_of(f"squares.{s.id}.position") for s in rules.squares] == [
        plain.grade_of(f"squares.{s.id}.position") for s in plain.squares
    ]
    assert (grade(rules, "bank"), grade(rules, "rent")) == (
        grade(plain, "bank"),
        grade(plain, "rent"),
    )


def test_when_every_row_is_checked_the_labels_vanish(tmp_path: Path) -> None:
    rows = fresh("easy_money")
    for one in rows:
        one["checked"] = "x"
    rules = load("easy_money", saved(rows, tmp_path / "mine.csv"))
    assert rules.changes == ()
    assert grade(rules, "walk") == grade(rules, "bank") == grade(rules, "rent") == "user"
    assert "Illustrative" not in str(landing(rules))
    assert "Illustrative" in str(landing("easy_money"))


def test_labels_vanish_only_where_the_sheet_is_filled_in(tmp_path: Path) -> None:
    rows = fresh("easy_money")
    names = {square.number: square.name for square in load("easy_money").squares}
    for one in rows:
        if one["row"] == "square":
            one["name"] = names[int(one["number"])]
        elif one["deck"]:
            one["checked"] = "yes"
    rules = load("easy_money", saved(rows, tmp_path / "places.csv"))
    assert grade(rules, "walk") == "user"  # all squares have their places, all cards are known
    assert grade(rules, "rent") == "illustrative"
    assert grade(rules, "bank") == "illustrative"
    assert landing(rules).context.caution == ""
    assert income(rules, number=float).context.caution == rules.caution


def test_what_is_filled_in_is_in_the_game_with_the_grade_user(tmp_path: Path) -> None:
    sheet = short(
        tmp_path / "mine.csv",
        "row;number;name;amount;rent_1;rent_2;rent_3;rent_4;rent_5;house;mortgage",
        "square;2;Acorn Street;;12,00;24;36;48;60.0;110;240",
        "square;7;;-80;;;;;;;",
    )
    rules = load("easy_money", sheet)
    acorn = rules.squares[1]
    assert acorn.name == "Acorn Street"
    assert acorn.deed is not None
    assert (acorn.deed.rent, acorn.deed.house) == ((12, 24, 36, 48, 60), 110)
    assert rules.grade_of(f"squares.{acorn.id}.deed") == "user"
    assert rules.grade_of(f"squares.{acorn.id}.position") == "user"
    (tax,) = rules.tree["squares"]["tax_1"]["landing"]
    assert tax == {"pay": 80, "tag": "tax", "unless_held": "exemption"}
    assert rules.grade_of("squares.tax_1.landing") == "user"
    assert rules.grade_of("squares.tax_1.position") == "illustrative"
    assert rules.overlays == ("mine",)


def test_a_square_that_we_know_moves_to_its_place(tmp_path: Path) -> None:
    sheet = short(
        tmp_path / "mine.csv",
        "row,number,name",
        "square,5,Black Kat Night Club",
        "square,28,Airdale Bus Lines",
    )
    rules = load("easy_money", sheet)
    assert rules.squares[4].id == "night_club"
    assert rules.squares[27].id == "airdale_bus_lines"
    # seven squares from Bonus lies 8 (start counts as one, index 4 is four steps away)
    moved, before = landing(rules), landing("easy_money")
    assert moved["night_club"] > before["street_c"]
    assert rules.changes[-1].path == "squares.order"
    combined = load("easy_money", "red_light_off", sheet)
    assert combined.squares[4].id == "night_club"
    assert combined.tree["squares"]["red_light_1"]["crossing"] == []


def test_a_new_name_makes_a_new_square(tmp_path: Path) -> None:
    sheet = short(
        tmp_path / "mine.csv",
        "row,number,name,kind,amount,tag",
        "square,8,Parking Fine,legend,-15,traffic",
    )
    rules = load("easy_money", sheet)
    fine = rules.squares[7]
    assert (fine.id, fine.kind, fine.deed) == ("parking_fine", "legend", None)
    (pays,) = rules.tree["squares"]["parking_fine"]["landing"]
    assert pays == {"pay": 15, "tag": "traffic", "unless_held": "exemption"}


def test_cards_are_corrected_added_and_taken_out(tmp_path: Path) -> None:
    sheet = short(
        tmp_path / "mine.csv",
        "row,number,deck,id,name,kind,amount,copies,cost,value,target",
        "card,1,deals,tractor,,,,,900,1500,",
        "card,,mail,nothing,,,,9,,,",
        "card,,mail,nothing_extra,,,,0,,,",
        "card,,mail,,Roof,bill,-120,2,,,",
        "card,,mail,,Cough,medical,-35,,,,",
    )
    rules = load("payday", sheet)
    deals = {card.id: card for card in rules.decks["deals"].cards}
    assert deals["tractor"].deal is not None
    assert (deals["tractor"].deal.cost, deals["tractor"].deal.value) == (900, 1500)
    ask = rules.tree["decks"]["deals"]["cards"]["tractor"]["effects"][0]
    assert ask["answers"]["buy"][0] == {"pay": 900}
    mail = {card.id: card for card in rules.decks["mail"].cards}
    assert mail["nothing"].copies == 9
    assert "nothing_extra" not in mail
    assert rules.tree["decks"]["mail"]["cards"]["roof"]["effects"] == [{"owe": 120}]
    (cough,) = rules.tree["decks"]["mail"]["cards"]["cough"]["effects"]
    assert cough == {"owe": 35, "kind": "medical", "unless_held": "health_insurance"}
    assert rules.grade_of("decks.deals.cards.tractor.deal") == "user"
    assert rules.grade_of("decks.deals.cards.powerboat.deal") == "C"


def test_a_new_go_to_card_needs_its_target(tmp_path: Path) -> None:
    header = "row,deck,number,name,kind,target"
    good = short(
        tmp_path / "a.csv", header, "card,give_or_take,,To the hospital,goto,city_hospital"
    )
    rules = load("easy_money", good)
    (card,) = [c for c in rules.decks["give_or_take"].cards if c.name == "To the hospital"]
    assert len(card.effects) == 2
    bad = short(tmp_path / "b.csv", header, "card,give_or_take,,To nowhere,goto,city_hospitals")
    with pytest.raises(RulesError, match="did you mean 'city_hospital'"):
        load("easy_money", bad)


def test_mail_cards_on_a_day_are_counted(tmp_path: Path) -> None:
    sheet = short(tmp_path / "mine.csv", "row,number,cards", "square,1,2")
    assert len(load("payday", sheet).squares[1].landing) == 2


def test_every_mistake_is_told_by_row_and_column(tmp_path: Path) -> None:
    sheet = short(
        tmp_path / "mine.csv",
        "row,number,name,kind,amount,rent_1,cost,deck,id",
        "square,2,A,,$5,,,,",
        "square,99,B,,,,,,",
        "square,2,C,,,x,,,",
        "sqare,3,,,,,,,",
        "square,5,Black Kat Night Club,,,,,,",
        "card,1,,,,,70,give_or_take,exemption",
        "card,1,,,,,70,give_and_take,exemption",
        "square,,Nowhere,,,,,,",
        "square,4,,,,,,,,,too far right",
        "card,,A new one,surprise,,,,give_or_take,",
    )
    with pytest.raises(RulesError) as caught:
        load("easy_money", sheet)
    told = {problem.path: problem.text for problem in caught.value.problems}
    assert told == {
        "row 2, column amount": "write the number alone, 5 instead of '$5'",
        "row 3, column number": "there is no square 99, they go from 1 to 48",
        "row 4, column rent_1": "must be a whole number, not 'x'",
        "row 4, column number": "this square stands in row 2 already",
        "row 5, column row": "must be square or card, not 'sqare'",
        "row 6, column name": "its square was number 28, so say in a row what is on 28",
        "row 7, column cost": "this card is no deal",
        "row 8, column deck": "no such deck 'give_and_take'; did you mean 'give_or_take'?",
        "row 9, column number": "which square? its number is missing",
        "row 10": "more cells than there are columns; is a comma in a name?",
        "row 11, column kind": ("no such kind of card 'surprise'"),
    }


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["row,number,amonut"], "no such column 'amonut'; did you mean 'amount'?"),
        (["name,number", "x,1"], "row 1, column row"),
        ([""], "this column is missing"),
        (["row,number,row", "square,1,"], "two columns have the same name"),
        (["row,number,rent_3", "square,2,5"], ""),
        (["row,number,rent_6", "square,3,5"], "fill in rent_1 first"),
        (["row,number,house", "square,2,-5"], "must not be negative"),
        (["row,number,amount", "square,18,7"], ""),
        (["row,number,cards", "square,1,2"], "on a square where cards are drawn"),
        (["row,number,amount", "square,2,1e9"], "must be a whole number"),
        (["row,number,amount", "square,2,99999999999999"], "must be a whole number"),
        (["row,number,amount", "square,2,1,5"], "more cells than there are columns"),
        (["row,number,name", 'square,2,"open'], "this is no CSV"),
    ],
)
def test_a_sheet_that_cannot_be_says_where(lines: list[str], words: str, tmp_path: Path) -> None:
    sheet = short(tmp_path / "mine.csv", *lines)
    if not words:
        load("easy_money", sheet)
        return
    with pytest.raises(RulesError) as caught:
        load("easy_money", sheet)
    assert words in str(caught.value)
    assert "mine.csv" in str(caught.value)


def test_a_rent_that_falls_out_of_the_game_is_found_by_the_format(tmp_path: Path) -> None:
    sheet = short(tmp_path / "mine.csv", "row,number,name", "square,2," + "x" * 90)
    with pytest.raises(RulesError, match="too long"):
        load("easy_money", sheet)


def test_names_are_harmless_to_spreadsheets_and_come_back(tmp_path: Path) -> None:
    rules = load("corner_shop", {"set": {"squares.market.name": "=1+1"}})
    text = write(rules.tree)
    assert ",'=1+1," in text
    file = tmp_path / "mine.csv"
    file.write_text(text)
    assert load("corner_shop", file).square("market").name == "=1+1"


def test_the_command_prints_a_sheet_and_reads_it_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sheet", "payday"]) == 0
    out = capsys.readouterr().out
    assert out == write(load("payday").tree)
    file = tmp_path / "mine.csv"
    file.write_text(out)
    assert main(["landing", "payday", str(file), "--per", "lap"]) == 0
    assert "overlays: mine" in capsys.readouterr().out
    file.write_text("row,number,amount\nsquare,2,$500\n")
    assert main(["landing", "payday", str(file)]) == 1
    assert "row 2, column amount" in capsys.readouterr().err
