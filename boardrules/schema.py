"""The format of ruleset files, as pydantic models derived from the words and parts of the rules.

Each word of `boardrules.effects` and each flat table of `boardrules.rules` is turned into a model
field by field, so that a word or a table is described in one place only.  Unknown keys are
refused, sizes are bounded, and numbers are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from fractions import Fraction
from functools import lru_cache
from types import UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    StringConstraints,
    Tag,
    ValidationError,
    WithJsonSchema,
    create_model,
)

from . import effects as words
from . import rules as parts
from .effects import Effect
from .overlay import Path, show
from .rules import GRADES, Problem, unknown

MOST_MONEY = 10**9
MOST_SQUARES = 400
MOST_CARDS = 1_000
MOST_EFFECTS = 50

# ------------------------------------------------------------------------------ scalars


def _exact(value: object) -> Fraction:
    """A weight or rate: a whole number, "a/b", or a decimal read exactly; never a float."""
    if isinstance(value, bool) or not isinstance(value, (int, str, Fraction)):
        raise ValueError("a number, or a fraction such as '1/6'")
    if isinstance(value, str) and len(value) > 40:
        raise ValueError("a fraction of at most 40 characters")
    try:
        exact = Fraction(value)
    except (ValueError, ZeroDivisionError):
        raise ValueError("a number, or a fraction such as '1/6'") from None
    if max(abs(exact.numerator), exact.denominator) > 10**18:
        raise ValueError("a fraction with at most 18 digits above and below the line")
    return exact


Money: TypeAlias = Annotated[int, Field(strict=True, ge=-MOST_MONEY, le=MOST_MONEY)]
Count: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=10_000)]
Flag: TypeAlias = Annotated[bool, Field(strict=True)]
_PRINTABLE = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]*$"
Text: TypeAlias = Annotated[str, StringConstraints(strict=True, max_length=2_000, pattern=_PRINTABLE)]
Name: TypeAlias = Annotated[
    str, StringConstraints(strict=True, min_length=1, max_length=80, pattern=_PRINTABLE)
]
Id: TypeAlias = Annotated[str, StringConstraints(strict=True, pattern=r"^[a-z][a-z0-9_]{0,59}$")]
Weight: TypeAlias = Annotated[
    Fraction,
    BeforeValidator(_exact),
    Field(gt=0),
    WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "string"}]}),
]
Rate: TypeAlias = Annotated[
    Fraction,
    BeforeValidator(_exact),
    Field(ge=0, le=100),
    WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "string"}]}),
]
Grade: TypeAlias = Annotated[Literal[tuple(GRADES)], Field()]  # type: ignore[valid-type]
Graded: TypeAlias = Grade | dict[Id, Grade]


class Table(BaseModel):
    """A table of a ruleset file: what it does not know is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)


_SCALARS: Mapping[Any, Any] = {int: Money, bool: Flag, str: Text, Fraction: Rate}


def _field(hint: Any) -> Any:
    """The file's type for a field of one of our records."""
    if hint in _SCALARS:
        return _SCALARS[hint]
    if get_origin(hint) is tuple:
        return Annotated[list[_field(get_args(hint)[0])], Field(max_length=100)]  # type: ignore[misc]
    if get_origin(hint) in (Union, UnionType):
        return Union[tuple(_field(arg) if arg is not type(None) else None for arg in get_args(hint))]
    return hint


def _defaults(record: Any) -> dict[str, tuple[Any, Any]]:
    """Name, file type and default of every field of a record."""
    hints = get_type_hints(record)
    found = {}
    for one in fields(record):
        default = ... if one.default is MISSING else one.default
        found[one.name] = (_field(hints[one.name]), default)
    return found


def _flat(record: Any) -> Any:
    """The model of a table that has just the fields of one of our records."""
    made: dict[str, Any] = {**_defaults(record), **_EVIDENCE}
    return create_model(record.__name__, __base__=Table, __doc__=record.__doc__, **made)


_EVIDENCE: dict[str, Any] = {"rule": (Text, ""), "source": (Text, ""), "grade": (Graded | None, None)}

# ------------------------------------------------------------------------------ effects

_HEADS: Mapping[str, tuple[Any, str]] = {
    "roll": (words.Roll, ""),
    "throw": (words.Throw, "name"),
    "draw": (words.Draw, "deck"),
    "ask": (words.Ask, "question"),
    "collect": (words.Collect, "amount"),
    "pay": (words.Pay, "amount"),
    "repairs": (words.Repairs, ""),
    "owe": (words.Owe, "amount"),
    "take": (words.Take, "pot"),
    "keep": (words.Keep, "card"),
    "use": (words.Use, "card"),
    "everyone": (words.Everyone, "effects"),
    "note": (words.Note, "name"),
    "move": (words.Move, "steps"),
    "goto": (words.GoTo, "square"),
    "nearest": (words.Nearest, "group"),
    "place": (words.Place, "square"),
    "forfeit": (words.Forfeit, ""),
    "jail": (words.Jail, ""),
    "release": (words.Release, ""),
}
"""Each word as files write it: the record it makes, and the field that the word's value fills."""

_KEYS = {"giver": "from", "taker": "to"}
"""Fields that files call by a shorter name."""

_NARROW: Mapping[tuple[str, str], Any] = {
    ("throw", "dice"): Annotated[int, Field(strict=True, ge=1, le=6)],
    ("collect", "amount"): Annotated[int, Field(strict=True, ge=0, le=MOST_MONEY)],
    ("pay", "amount"): Annotated[int, Field(strict=True, ge=0, le=MOST_MONEY)],
    ("owe", "amount"): Annotated[int, Field(strict=True, ge=0, le=MOST_MONEY)],
    ("pay", "or_percent"): Annotated[int, Field(strict=True, ge=0, le=100)],
    ("move", "steps"): Annotated[int, Field(strict=True, ge=-1_000, le=1_000)],
    ("take", "by"): Literal["", "dice", "card"],
    ("nearest", "rent"): Count,
    ("nearest", "times_throw"): Count,
}


def word_of(raw: object) -> str | None:
    """The word of an effect as a file writes it."""
    if isinstance(raw, Mapping):
        return next((str(key) for key in raw if key in _HEADS), None)
    return getattr(raw, "word_", None)


def _effect(word: str, inside: Any = None) -> Any:
    """The model of one word: its value, its options, and the card that spares one from it."""
    record, head = _HEADS[word]
    made: dict[str, Any] = {} if head else {word: (Literal[True], ...)}
    for name, (kind, default) in ({} if word in ("roll", "ask", "everyone") else _defaults(record)).items():
        if name == "cause":
            continue
        key = word if name == head else _KEYS.get(name, name)
        made[_safe(key)] = (
            _NARROW.get((word, name), kind),
            Field(... if name == head else default, alias=key),
        )
    if word == "everyone":
        made["everyone"] = (Annotated[list[inside], Field(max_length=MOST_EFFECTS)], ...)
    if word == "ask":
        answers = Annotated[dict[Id, list[inside]], Field(min_length=1, max_length=20)]
        made |= {"ask": (Id, ...), "answers": (answers, ...), "otherwise": (Id, ...)}
    made["unless_held"] = (Id | None, None)
    return create_model(
        f"Effect{word.title()}",
        __base__=Table,
        __doc__=record.__doc__,
        **made,
    )


def _safe(key: str) -> str:
    return f"{key}_" if key in ("from", "to") else key


def _union(models: Mapping[str, Any]) -> Any:
    tagged = tuple(Annotated[model, Tag(word)] for word, model in models.items())
    return Annotated[Union[tagged], Discriminator(word_of)]


_LEAVES = {word: _effect(word) for word in _HEADS if word not in ("ask", "everyone")}
_MIDDLE = {**_LEAVES, "everyone": _effect("everyone", _union(_LEAVES))}
_WHOLE = {**_MIDDLE, "ask": _effect("ask", _union(_MIDDLE))}
Effects: TypeAlias = Annotated[list[_union(_WHOLE)], Field(max_length=MOST_EFFECTS)]  # type: ignore[misc]


def read_effects(models: Sequence[Any], cause: str) -> tuple[Effect, ...]:
    """The effects that checked models stand for, marked with the square or card they hang on."""
    return words.caused_by(cause, tuple(_read_effect(model) for model in models))


def _read_effect(model: Any) -> Effect:
    word = next(word for word in _HEADS if word in type(model).model_fields)
    effect: Effect
    if word == "roll":
        effect = words.Roll(again=True)
    elif word == "ask":
        answers = tuple((n, tuple(map(_read_effect, a))) for n, a in model.answers.items())
        effect = words.Ask(model.ask, answers, model.otherwise)
    elif word == "everyone":
        effect = words.Everyone(tuple(map(_read_effect, model.everyone)))
    else:
        record, head = _HEADS[word]
        given = {
            one.name: getattr(model, _safe(word if one.name == head else _KEYS.get(one.name, one.name)))
            for one in fields(record)
            if one.name != "cause"
        }
        effect = record(**given)
    return words.UnlessHeld(model.unless_held, effect) if model.unless_held else effect


# ------------------------------------------------------------------------------- tables


class PeggedTable(Table):
    """A throw with an effect of its own."""

    faces: Annotated[list[Count], Field(min_length=1, max_length=6)]
    effects: Effects


class DiceTable(Table):
    """The dice: count and sides, or count and weighted faces."""

    count: Annotated[int, Field(strict=True, ge=1, le=4)] = 1
    sides: Annotated[int, Field(strict=True, ge=1, le=100)] | None = None
    faces: Annotated[dict[Annotated[str, StringConstraints(pattern=r"^[0-9]{1,3}$")], Weight],
                     Field(min_length=1, max_length=100)] | None = None
    throws: Annotated[list[PeggedTable], Field(max_length=20)] = []
    count_own_space: Flag = False
    rule: Text = ""
    source: Text = ""
    grade: Graded | None = None


class DoublesTable(Table):
    """What equal dice bring."""

    before: Effects = []
    after: Effects = []
    limit: Annotated[int, Field(strict=True, ge=0, le=10)] = 0
    at_limit: Effects = []
    rule: Text = ""
    source: Text = ""
    grade: Graded | None = None


class LapTable(Table):
    """What counts as one lap."""

    square: Id | None = None
    name: Name = "lap"
    rule: Text = ""


class ChainTable(Table):
    """What the chain keeps track of beside the square."""

    carries: Annotated[list[Id], Field(max_length=4)] = []
    rule: Text = ""


JailTable: Any = _flat(parts.Jail)
StartTable: Any = _flat(parts.Start)
DeedTable: Any = _flat(parts.Deed)
DealTable: Any = _flat(parts.Deal)
MoneyTables: Any = {name: _flat(getattr(parts, name.title())) for name in parts.MONEY_TABLES}


class SquareTable(Table):
    """One square of the board."""

    name: Name | None = None
    kind: Id | Literal[""] = ""
    side: Count = 0
    passing: Effects = []
    landing: Effects = []
    crossing: Effects = []
    stop: Flag = False
    spot: Id | Literal[""] = ""
    deed: DeedTable | None = None
    rule: Text = ""
    source: Text = ""
    grade: Graded | None = None


class CardTable(Table):
    """One card, or several alike."""

    name: Name | None = None
    copies: Weight = Fraction(1)
    effects: Effects = []
    deal: DealTable | None = None
    rule: Text = ""
    source: Text = ""
    grade: Graded | None = None


class DeckTable(Table):
    """A deck of cards."""

    name: Name | None = None
    used: Literal["bottom", "discard"] = "bottom"
    cards: Annotated[dict[Id, CardTable], Field(min_length=1, max_length=MOST_CARDS)]
    rule: Text = ""
    source: Text = ""
    grade: Graded | None = None


class PotTable(Table):
    """Money on the table that belongs to nobody yet."""

    name: Name | None = None
    start: Annotated[int, Field(strict=True, ge=0, le=MOST_MONEY)] = 0
    rule: Text = ""
    source: Text = ""
    grade: Graded | None = None


_Game: Any = {
    "format": (Literal[1], ...),
    "title": (Name, ...),
    "description": (Text, ""),
    "caution": (Text, ""),
    "currency": (Annotated[Name, Field(max_length=12)], "money"),
    "numbering": (Annotated[int, Field(strict=True, ge=0, le=1)], 0),
    "dice": (DiceTable, ...),
    "doubles": (DoublesTable, DoublesTable()),
    "jail": (JailTable | None, None),
    "start": (StartTable, StartTable()),
    "lap": (LapTable, LapTable()),
    "chain": (ChainTable, ChainTable()),
    "squares": (Annotated[dict[Id, SquareTable], Field(min_length=2, max_length=MOST_SQUARES)], ...),
    "decks": (Annotated[dict[Id, DeckTable], Field(max_length=20)], {}),
    "pots": (Annotated[dict[Id, PotTable], Field(max_length=20)], {}),
    "rulebook": (dict[Id, Text], {}),
    "notes": (dict[Id, Text], {}),
    "source": (Text, ""),
    "grade": (Grade, "user"),
    **{name: (table, table()) for name, table in MoneyTables.items()},
}
GameTable: Any = create_model("Game", __base__=Table, __doc__="A whole game.", **_Game)


class OverlayTable(Table):
    """An overlay file: what it changes in a game."""

    format: Literal[1] = 1
    game: Id
    title: Name = ""
    description: Text = ""
    source: Text = ""
    grade: Grade | None = None
    over: Annotated[list[Name], Field(max_length=50)] = []
    needs: Annotated[list[Name], Field(max_length=20)] = []
    set: dict[str, Any] = {}
    add: dict[str, Any] = {}
    remove: Annotated[list[Text], Field(max_length=1_000)] = []


# ------------------------------------------------------------------------------ reading


def read(model: Any, tree: Mapping[str, Any], name: Callable[[Path], tuple[str, str]]) -> Any:
    """A checked model of a tree, or the list of its problems.

    `name` gives file and shown path of a place in the tree, which an overlay may have set.
    """
    try:
        return model.model_validate(tree)
    except ValidationError as error:
        found = [_problem(one, model, tree, name) for one in error.errors(include_url=False)]
        return list(dict.fromkeys(found))


def _problem(
    error: Any, model: Any, tree: Mapping[str, Any], name: Callable[[Path], tuple[str, str]]
) -> Problem:
    path, known = _walk(error["loc"], model, tree)
    file, shown = name(path)
    return Problem(file, shown, _words(error, path, known))


def _walk(loc: Sequence[str | int], model: Any, tree: Any) -> tuple[Path, Sequence[str]]:
    """A place in the tree for a place in the models, and the keys known at its last table."""
    path: list[str | int] = []
    node, kind = tree, model
    known: Sequence[str] = ()
    for part in loc:
        if part == "[key]":
            break
        keys, kinds = _keys(kind, node)
        if isinstance(node, Mapping) and part in node or part in keys or isinstance(part, int):
            path.append(part)
            known = keys
            node = _inside(node, part)
            kind = kinds.get(part) if keys else _item(kind)
        # anything else is a branch of a union, which files know nothing of
    return tuple(path), known


def _inside(node: Any, part: str | int) -> Any:
    if isinstance(node, Mapping):
        return node.get(part)
    if isinstance(node, Sequence) and isinstance(part, int) and part < len(node):
        return node[part]
    return None


def _keys(kind: Any, node: Any) -> tuple[Sequence[str], Mapping[Any, Any]]:
    """The keys of the table that stands here, and the types behind them."""
    for choice in _choices(kind):
        if isinstance(choice, type) and issubclass(choice, BaseModel):
            made = choice.model_fields
            word = word_of(node)
            if choice.__name__.startswith("Effect") and choice.__name__ != f"Effect{(word or '').title()}":
                continue
            keys = [field.alias or key for key, field in made.items()]
            return keys, {field.alias or key: field.annotation for key, field in made.items()}
    return (), {}


def _item(kind: Any) -> Any:
    for choice in _choices(kind):
        if get_origin(choice) in (list, dict):
            return get_args(choice)[-1]
    return None


def _choices(kind: Any) -> list[Any]:
    """The types that an annotation allows, without its trimmings."""
    if get_origin(kind) is Annotated:
        return _choices(get_args(kind)[0])
    if get_origin(kind) in (Union, UnionType):
        return [inner for choice in get_args(kind) for inner in _choices(choice)]
    return [kind]


def _words(error: Any, path: Path, known: Sequence[str]) -> str:
    """What is wrong, and what to do, in words of ours."""
    kind, given, limits = error["type"], error.get("input"), error.get("ctx", {})
    last = str(path[-1]) if path else ""
    if kind in ("extra_forbidden", "unexpected_keyword_argument"):
        return unknown("rule", last, known)
    if kind == "missing":
        return "this is missing"
    if kind == "union_tag_not_found":
        return _no_word(given)
    if kind == "literal_error":
        return f"must be {limits['expected']}, not {show(given)}"
    if kind == "string_pattern_mismatch" and limits["pattern"] == _PRINTABLE:
        return f"must be one line of printable text, not {show(given)}"
    if kind == "string_pattern_mismatch":
        return f"{show(given)} is no id: small letters, digits and _, a letter first"
    if kind in ("int_type", "int_from_float", "int_parsing"):
        return f"must be a whole number, not {show(given)}"
    if kind == "bool_type":
        return f"must be true or false, not {show(given)}"
    if kind in ("string_type", "string_sub_type"):
        return f"must be a text, not {show(given)}"
    if kind in ("list_type", "tuple_type"):
        return f"must be a list, not {show(given)}"
    if kind in ("dict_type", "model_type", "model_attributes_type"):
        return f"must be a table, not {show(given)}"
    if kind == "value_error":
        return f"must be {limits['error']}, not {show(given)}"
    if kind in ("greater_than", "greater_than_equal", "less_than", "less_than_equal"):
        limit = next(iter(limits.values()))
        signs = {"greater_than": "more than", "greater_than_equal": "at least",
                 "less_than": "less than", "less_than_equal": "at most"}
        return f"must be {signs[kind]} {limit}, not {show(given)}"
    if kind.endswith("too_long"):
        return f"is too long: at most {limits.get('max_length')}"
    if kind.endswith("too_short"):
        return f"is too short: at least {limits.get('min_length')}"
    return f"{error['msg']}, not {show(given)}"


def _no_word(given: object) -> str:
    if not isinstance(given, Mapping) or not given:
        return f"must be an effect such as {{ collect = 200 }}, not {show(given)}"
    from difflib import get_close_matches

    for key in given:
        near = get_close_matches(str(key), list(_HEADS), n=1)
        if near:
            return f"unknown effect {str(key)!r}; did you mean {near[0]!r}?"
    first = next(iter(given))
    return f"unknown effect {str(first)!r}; the words are {', '.join(_HEADS)}"
