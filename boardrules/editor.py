"""The JSON Schema of ruleset files, for editors: it completes words and tells what each key means.

`python -m boardrules.editor` writes the two files of schemas beside the games: one for a whole game
and one for an overlay.  Both are made from the models that check the files, so that they cannot say
anything else; only the sentences about each key stand here.  A schema knows the form of a file and
not its sense: whether a named square exists is told by `boardrules check`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

from pydantic.json_schema import GenerateJsonSchema

from .library import data_folder
from .schema import ID, GameTable, OverlayTable

Schema: TypeAlias = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"

FILES = ("game.schema.json", "overlay.schema.json")

_ROWS = ("SquareTable", "CardTable", "DeckTable", "PotTable")
"""Tables that go by ids."""

_PATHS: Schema = {r"[.\[]": {}}
"""Keys with one of these signs are paths in quotes: "squares.go.passing[0].collect" = 200."""

# ------------------------------------------------------------------------------ the texts

EVERYWHERE: Mapping[str, str] = {
    "rule": "The number of the rule that says so, such as 'M4'; transcripts cite it.",
    "source": "Where this is known from.",
    "grade": "How good the evidence is: 'seed', 'A', 'user', 'B', 'C', 'D' or 'illustrative'; for "
    "the whole row, or field by field as in { name = 'A', landing = 'C' }.",
    "unless_held": "The card that spares its holder: whoever holds it skips this effect.",
    "tag": "What the money is for, such as 'salary' or 'tax'; results can be sorted by it.",
    "name": "What players call it; made from the id if left out.",
    "id": "Its name in this file: small letters, digits and _, a letter first.",
    "effects": "What it brings, one effect after the other.",
    "kind": "What sort it is, such as 'street', 'railroad' or 'tax'.",
    "auction": "Whether a deed that its finder does not buy goes to auction.",
    "passing": "Whether the squares on the way act that pay whoever passes, such as Go.",
    "crossing": "Whether the squares on the way act that charge whoever goes over them.",
    "dice": "How many dice.",
    "own_turn_only": "Whether a player does this in his own turn only.",
}
"""What a key means wherever nothing else is said about it."""

TEXTS: Mapping[str, Mapping[str, str]] = {
    "Game": {
        "format": "The format of this file: 1.",
        "title": "The name of the game, as players know it.",
        "description": "The game in one or two sentences.",
        "caution": "A sentence that goes wherever results rest on weak evidence.",
        "currency": "A sign that goes before an amount, such as '$', or a word after it.",
        "numbering": "The number of the first square: 0 or 1.",
        "dice": "The dice: how many, with how many sides or which faces.",
        "doubles": "What equal dice bring. Leave it out if they mean nothing.",
        "jail": "Where the jail is and how a player leaves it. Leave it out if there is none.",
        "start": "How a player begins.",
        "lap": "Which square ends a lap, and what a lap is called.",
        "chain": "What the followed token keeps beside its square.",
        "squares": "The squares in the order of the board, one table each.",
        "decks": "The decks of cards, each by its id.",
        "pots": "Money on the table that belongs to nobody yet, each pot by its id.",
        "rulebook": "Which rule number a transcript cites for each thing that happens.",
        "notes": "The sentence for each name that { note = 'name' } puts into the record.",
        "source": "Where the rules are known from.",
        "grade": "How good the evidence for the file is, where a row says nothing else.",
        "buying": "How deeds are sold.",
        "rent": "How rent is charged.",
        "building": "How houses are bought and sold.",
        "mortgage": "Which deeds can be mortgaged, and what that costs.",
        "accounts": "Wages, savings, loans, and the side games that move cash between them.",
        "end": "When the game is over and who has won.",
    },
    "DiceTable": {
        "count": "How many dice are thrown.",
        "sides": "How many sides a die has, all alike. Give sides or faces, not both.",
        "faces": "How likely each face is, as weights: { 1 = 1, 2 = '1/2', 3 = 0.5 }.",
        "throws": "Throws that bring something of their own, such as a six that wins the pot.",
        "count_own_space": "Whether every move counts the square it starts from as one.",
    },
    "PeggedTable": {"faces": "The faces of the throw, one for each die, in any order."},
    "DoublesTable": {
        "before": "What they bring before the move.",
        "after": "What they bring after the move, such as { roll = true }.",
        "limit": "At how many doubles in a row the limit is reached; 0: never.",
        "at_limit": "What happens instead of the move at the limit, such as { jail = true }.",
    },
    "LapTable": {
        "square": "The id of the square that ends a lap; the first one if left out.",
        "name": "What a lap is called.",
    },
    "ChainTable": {
        "carries": "Cards that the followed token keeps; each doubles the work or more.",
    },
    "Jail": {
        "square": "The id of the square where the jail is.",
        "name": "What being in jail is called.",
        "fine": "What leaving costs.",
        "fine_to": "Who gets the fine: 'bank' or the id of a pot.",
        "attempts": "How many rolls in jail there are at most.",
        "fine_before": "Before which of these rolls the fine may be paid, such as [1, 2].",
        "last_attempt": "Whether the last roll comes before its fine or after it.",
        "doubles_out": "Whether doubles that open the jail end the turn, or roll again and count.",
        "card": "The card that opens the jail.",
    },
    "Start": {
        "square": "The id of the square where players begin; the first one if left out.",
        "cash": "The cash of a player at the beginning.",
        "counts_as_one": "Whether the first move counts the start itself as one.",
    },
    "SquareTable": {
        "side": "On which side of the board it lies.",
        "passing": "What it brings every time it is reached going forward, stopping or not.",
        "landing": "What it brings to whoever ends a move here.",
        "crossing": "What it brings to whoever goes over it without stopping.",
        "stop": "Whether every move ends here at the latest.",
        "spot": "Squares with the same name here are one spot: they act once in a move.",
        "deed": "What can be owned here.",
    },
    "Deed": {
        "group": "The colour or set it belongs to.",
        "price": "What the bank asks for it.",
        "mortgage": "What the bank lends on it.",
        "house": "What a house on it costs.",
        "rent": "The rents by level: a street bare, then by houses; others by how many are owned.",
        "times_throw": "In place of rents: how many times the throw is paid, by level.",
    },
    "DeckTable": {
        "used": "Where a used card goes: under the deck, or to the discards.",
        "cards": "The cards, one table each.",
    },
    "CardTable": {
        "copies": "How many there are, or a weight such as '1/2'; 1 if left out.",
        "deal": "The bargain that this card offers.",
    },
    "Deal": {
        "cost": "What it costs.",
        "value": "What a buyer pays for it.",
        "commission": "What whoever wins the commission gets.",
    },
    "PotTable": {"start": "How much is in it at the beginning."},
    "Buying": {
        "method": "How a deed is sold to whoever finds it: at its price, by auction, not at all.",
        "smallest_bid": "The smallest bid, and the smallest raise.",
        "full_lap_first": "Whether a player must finish a lap before he may buy.",
        "first_house_free": "Whether a street comes with its first house.",
        "one_per_side": "Whether a player may hold only one street on each side, until he has all.",
        "licence_is_permanent": "Whether a player who had a street on each side is free for good.",
        "unsold_offered_again": "Whether what nobody bought is offered at the next landing again.",
    },
    "Rent": {
        "set_multiplier": "How many times the bare rent is due once a whole set is owned.",
        "utility_throw": "Whether a utility's rent goes by the throw that moved or by a fresh one.",
        "card_throw": "Likewise after a card has sent the player there; 'none': nothing is due.",
        "jailed_owner_collects": "Whether an owner in jail collects rent.",
        "owner_notices": "The chance that an owner asks for his rent in time.",
    },
    "Building": {
        "houses": "How many houses the bank has; left out: as many as you like.",
        "hotels": "How many hotels the bank has; left out: as many as you like.",
        "levels": "How many levels a street can be built up to.",
        "even": "Whether the streets of a set are built up evenly.",
        "needs_group": "Whether building needs the whole set.",
        "sell_back": "Which share of its cost the bank pays for a house sold back.",
        "per_colour": "How many houses there are of each colour; left out: any number.",
    },
    "Mortgage": {
        "kinds": "Which kinds of deeds can be mortgaged.",
        "interest": "What lifting a mortgage costs beside it, as a share of it.",
        "transfer": "What taking over a mortgaged deed costs, as a share of the mortgage.",
        "rounding": "How such a share is rounded.",
    },
    "Accounts": {
        "salary": "The wages of each month.",
        "salary_last_month": "Whether there are wages in the last month too.",
        "savings": "Whether there are savings at all.",
        "savings_rate": "The interest on savings for a month, such as '1/10'.",
        "loan_rate": "The interest on a loan for a month, such as '1/5'.",
        "step": "Savings and loans go in steps of this.",
        "early_withdrawal_fee": "What a withdrawal before the end of the month costs.",
        "fee_mode": "Whether that fee is due once, or for each step.",
        "savings_interest_to": "Whether interest is paid in cash or added to the savings.",
        "both_at_once": "Whether a player may have savings and a loan at once.",
        "poker_stake": "The stake of each player at poker.",
        "pot_left": "Whose a pot is that is left at the end.",
        "lone_poker_returns": "Whether who sits at poker alone takes the stake back.",
        "side_stake": "The highest stake of the side bet.",
        "side_win_faces": "The faces that win the side bet.",
        "side_multiple": "How many times the stake it pays.",
        "side_stake_kept_on_win": "Whether the winner keeps the stake beside what he gets.",
        "side_savings_count_as_cash": "Whether savings count when it is asked who may bet.",
        "side_rolls_win_pot": "Whether a six thrown for something else wins the pot too.",
        "finished_players_take_part": "Whether who has finished still pays, throws and is pushed.",
        "pushed_start_collects": "What a token on the start collects when it is pushed.",
        "pushed_to_start_collects": "Whether a token pushed onto the start collects that too.",
        "pushes_chain": "Whether a push may set off another.",
        "push_order": "Whether one player is pushed and settled at a time, or all at first.",
        "loan_may_pay_for_side_games": "Whether a loan may pay for insurance, bets and poker.",
        "ties": "What equal throws in a contest bring.",
    },
    "End": {
        "when": "What ends the game.",
        "months": "After how many months it ends, where it goes by months.",
        "bank": "How much money the bank has; left out: it never runs out.",
        "street_counts_as": "What a street is worth in the final count.",
        "building_counts_as": "What a public building is worth in the final count.",
        "utility_counts_as": "What a utility is worth in the final count.",
        "leftover_cash_to_creditor": "Whether a bankrupt's last cash goes to his creditor.",
        "must_resell_first": "Whether a bankrupt must offer his deeds before he is out.",
        "tie": "What happens when several players have won.",
    },
    "EffectRoll": {"roll": "true: throw the dice and move once more, in the same turn."},
    "EffectThrow": {"throw": "Throw dice without moving: what for, by name."},
    "EffectDraw": {"draw": "Draw the top card of this deck and do what it says."},
    "EffectAsk": {
        "ask": "Let the player decide: the question, by name.",
        "answers": "The answers, each with what it brings.",
        "otherwise": "The answer of a player who does not mind.",
    },
    "EffectCollect": {
        "collect": "Receive this much money.",
        "from": "Who gives it: 'bank', 'players' (each of them) or the id of a pot.",
    },
    "EffectPay": {
        "pay": "Pay this much money.",
        "to": "Who gets it: 'bank', 'players' (each of them) or the id of a pot.",
        "or_percent": "Or so many percent of all that the player is worth, as he likes.",
    },
    "EffectRepairs": {
        "repairs": "true: pay for every building.",
        "house": "What is due for each house.",
        "hotel": "What is due for each hotel.",
    },
    "EffectOwe": {
        "owe": "Keep a bill of this much for later.",
        "kind": "What sort of bill it is.",
    },
    "EffectTake": {
        "take": "Take all the money in this pot.",
        "by": "Only who came by 'dice', or only who came by 'card'; left out: whoever lands.",
    },
    "EffectKeep": {
        "keep": "Keep a card until it is used: its name.",
        "prize": "What a lottery ticket pays when it is cashed.",
    },
    "EffectUse": {"use": "Give a kept card back: its name."},
    "EffectEveryone": {"everyone": "All players do this, the one at turn first."},
    "EffectNote": {"note": "Put this name into the record; [notes] holds its sentence."},
    "EffectMove": {"move": "So many squares forward, or back if negative."},
    "EffectGoto": {"goto": "Go forward to this square."},
    "EffectNearest": {
        "nearest": "Go forward to the next square of this group or kind.",
        "rent": "How many times the usual rent is due there.",
        "times_throw": "In place of rent: so many times a fresh throw; 0: not so.",
    },
    "EffectPlace": {"place": "After this turn, start the next one from this square."},
    "EffectForfeit": {"forfeit": "true: lose the rest of this turn."},
    "EffectJail": {"jail": "true: go straight to jail; the turn is over."},
    "EffectRelease": {"release": "true: leave jail."},
    "OverlayTable": {
        "format": "The format of this file: 1.",
        "game": "The game that this changes, such as 'monopoly'.",
        "title": "What the changed rule is called.",
        "description": "The changed rule in one or two sentences.",
        "grade": "How good the evidence is; 'user' if left out.",
        "over": "Overlays that this one goes over where both change one place.",
        "needs": "Overlays of the same game that this one brings along, such as 'house/no_jail'.",
        "set": "What gets another value, by its path: jail.fine = 0.",
        "add": "What is added to a list of effects, squares or cards, by its path.",
        "remove": "The paths of what is taken out, such as 'jail'.",
    },
}
"""What each key of each table means, in words for a teacher; see also `EVERYWHERE`."""


# ---------------------------------------------------------------------------- the schemas


def game_schema() -> Schema:
    """The JSON Schema of a whole game, as files write it: squares and cards are lists of tables."""
    game, parts = _described(GameTable)
    for name in ("SquareTable", "CardTable"):
        parts[name] = _with_id(parts[name])
    for table, key in ((game, "squares"), (parts["DeckTable"], "cards")):
        table["properties"][key] = _listed(table["properties"][key])
    return {"$schema": DIALECT, "title": "A game of boardrules", **game, "$defs": parts}


def overlay_schema() -> Schema:
    """The JSON Schema of an overlay: what it sets and adds has the form of parts of a game."""
    overlay, _ = _described(OverlayTable)
    game, parts = _described(GameTable)
    made = dict(parts)
    for name, part in parts.items():
        made[f"Set{name}"] = _to_set(part)
        made[f"Add{name}"] = _to_add(part, parts)
    for name in _ROWS:
        made[f"New{name}"] = _with_id(parts[name])
    new_deck = made["NewDeckTable"]["properties"]
    new_deck["cards"] = _listed(new_deck["cards"], new="New")
    sides = overlay["properties"]
    for key, table in (("set", _to_set(game)), ("add", _to_add(game, parts))):
        sides[key] = {**table, "description": sides[key]["description"]}
    whole = {"$schema": DIALECT, "title": "An overlay of boardrules", **overlay}
    return {**whole, "$defs": {name: made[name] for name in sorted(_used(whole, made))}}


def write(folder: Path) -> None:
    """Write both schemas into a folder; the library holds them beside its games."""
    for file, schema in zip(FILES, (game_schema(), overlay_schema()), strict=True):
        text = json.dumps(schema, indent=1, ensure_ascii=False)
        (folder / file).write_text(f"{text}\n", encoding="utf-8")


class _Plain(GenerateJsonSchema):
    """Schemas without what a TOML file cannot hold (null) and what nobody reads (titles)."""

    def nullable_schema(self, schema: Any) -> Schema:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: Any) -> Schema:
        plain = isinstance(schema.get("default"), (str, int, Fraction))
        return super().default_schema(schema) if plain else self.generate_inner(schema["schema"])

    def encode_default(self, dft: Any) -> Any:
        return int(dft) if isinstance(dft, Fraction) else dft

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002
        return False


def _described(model: Any) -> tuple[Schema, dict[str, Schema]]:
    """The schema of a model and of its parts, each key with its sentence."""
    whole = model.model_json_schema(schema_generator=_Plain)
    parts: dict[str, Schema] = whole.pop("$defs", {})
    for name, table in (*parts.items(), (model.__name__, whole)):
        del table["title"]
        table["description"] = " ".join(table["description"].split())
        for key, value in table["properties"].items():
            value["description"] = TEXTS.get(name, {}).get(key) or EVERYWHERE[key]
    unions: dict[str, Schema] = {}
    for node in list(_nodes([whole, parts])):
        if "patternProperties" in node:
            node["additionalProperties"] = False
        if _is_effect(node):
            name = _name_of_union(node)
            unions[name] = {"oneOf": node.pop("oneOf")}
            node["$ref"] = f"#/$defs/{name}"
    return whole, {**parts, **unions}


def _nodes(value: Any) -> Iterator[Schema]:
    """Every table inside a schema, the schema itself included."""
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for inside in value:
            yield from _nodes(inside)


def _is_effect(node: Schema) -> bool:
    """Whether a place is for an effect, whatever its word."""
    return any(_referred(choice).startswith("Effect") for choice in node.get("oneOf", ()))


def _name_of_union(node: Schema) -> str:
    """What to call the words that may stand at a place: all, or fewer inside other effects."""
    words = {_referred(choice) for choice in node["oneOf"]}
    if "EffectAsk" in words:
        return "Effect"
    return "EffectOfAnswer" if "EffectEveryone" in words else "EffectForAll"


def _referred(node: Any) -> str:
    """The name of the part that stands at a place, or nothing."""
    return str(node.get("$ref", "")).rpartition("/")[2] if isinstance(node, Mapping) else ""


def _used(node: Any, parts: Mapping[str, Schema]) -> set[str]:
    """The names of all parts that a schema leads to."""
    found: set[str] = set()
    ahead = [node]
    while ahead:
        names = {_referred(one) for one in _nodes(ahead.pop())} - {"", *found}
        found |= names
        ahead += [parts[name] for name in names]
    return found


def _with_id(table: Schema) -> Schema:
    """The same table as a row of a list: it says its id itself."""
    name = {"type": "string", "pattern": f"^{ID}$", "description": EVERYWHERE["id"]}
    required = ["id", *table.get("required", ())]
    return {**table, "properties": {"id": name, **table["properties"]}, "required": required}


def _listed(keyed: Schema, new: str = "") -> Schema:
    """A list of rows in place of rows that go by their ids."""
    (row,) = keyed["patternProperties"].values()
    least, most = keyed.get("minProperties", 0), keyed["maxProperties"]
    items = {"$ref": f"#/$defs/{new}{_referred(row)}"}
    about = {"description": keyed["description"]} if "description" in keyed else {}
    return {"type": "array", "minItems": least, "maxItems": most, "items": items, **about}


def _to_set(node: Schema) -> Schema:
    """What an overlay may set of a table: any part of it, by its name or by a path in quotes."""
    name = _referred(node)
    if name and not name.startswith("Effect"):
        return {**node, "$ref": f"#/$defs/Set{name}"}
    if "properties" in node:
        named = {key: _to_set(value) for key, value in node["properties"].items()}
        return {**_whatever(node), "properties": named, "patternProperties": _PATHS}
    if "patternProperties" in node:
        named = {key: _to_set(value) for key, value in node["patternProperties"].items()}
        return {**_whatever(node), "patternProperties": {**named, **_PATHS}}
    return node


def _to_add(node: Schema, parts: Mapping[str, Schema]) -> Schema:
    """What an overlay may add to a table: its lists and rows; empty if it has none."""
    name = _referred(node)
    if name and not name.startswith("Effect"):
        return {**node, "$ref": f"#/$defs/Add{name}"} if _to_add(parts[name], parts) else {}
    if "properties" in node:
        named = {key: _to_add(value, parts) for key, value in node["properties"].items()}
        named = {key: value for key, value in named.items() if value}
        made = {**_whatever(node), "properties": named, "patternProperties": _PATHS}
        return made if named else {}
    if "patternProperties" in node:
        (row,) = node["patternProperties"].values()
        if _referred(row) not in _ROWS:
            return {}
        inside = {key: _to_add(row, parts) for key in node["patternProperties"]}
        table = {**_whatever(node), "patternProperties": {**inside, **_PATHS}}
        listed = _listed({**node, "minProperties": 0}, new="New")
        return {**table, **listed, "type": ["array", "object"]}
    return {k: v for k, v in node.items() if k != "minItems"} if "items" in node else {}


def _whatever(table: Schema) -> Schema:
    """A table of which no part is needed."""
    return {k: v for k, v in table.items() if k not in ("required", "minProperties")}


if __name__ == "__main__":
    write(data_folder())
