"""The format of ruleset files, as pydantic models derived from the words and parts of the rules.

Each word of `boardrules.effects` and each flat table of `boardrules.rules` is turned into a model
field by field, so that a word or a table is described in one place only.  Unknown keys are
refused, sizes are bounded, and numbers are exact.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from difflib import get_close_matches
from fractions import Fraction
from functools import reduce
from operator import or_
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
from .overlay import MOST_PROBLEMS, Origin, Path, show, write_path
from .rules import GRADES, Problem

MOST_MONEY = 10**9
MOST_SQUARES = 400
MOST_CARDS = 1_000
MOST_EFFECTS = 50

# ------------------------------------------------------------------------------ scalars


_FRACTION = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,18}|/0*[1-9][0-9]{0,17})?")


_RATIO = {"type": "string", "pattern": f"^{_FRACTION.pattern}$"}


def _exact(value: object) -> Fraction:
    """A weight or rate: a whole number, "a/b", or a decimal read exactly; never a float."""
    if isinstance(value, str) and _FRACTION.fullmatch(value):
        value = Fraction(value)
    if isinstance(value, bool) or not isinstance(value, (int, Fraction)):
        raise ValueError("a number, or a fraction such as '1/6'")
    exact = Fraction(value)
    if max(abs(exact.numerator), exact.denominator) > 10**18:
        raise ValueError("a fraction with at most 18 digits above and below the line")
    return exact


Money: TypeAlias = Annotated[int, Field(strict=True, ge=-MOST_MONEY, le=MOST_MONEY)]
Count: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=10_000)]
Flag: TypeAlias = Annotated[bool, Field(strict=True)]
_PRINTABLE = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]*$"
Text: TypeAlias = Annotated[
    str, StringConstraints(strict=True, max_length=2_000, pattern=_PRINTABLE)
]
Name: TypeAlias = Annotated[
    str, StringConstraints(strict=True, min_length=1, max_length=80, pattern=_PRINTABLE)
]
ID = r"[a-z][a-z0-9_]{0,59}"
Id: TypeAlias = Annotated[str, StringConstraints(strict=True, pattern=f"^{ID}$")]
Kind: TypeAlias = Annotated[str, StringConstraints(strict=True, pattern=f"^({ID})?$")]
_FACE = r"^(0|[1-9][0-9]{0,2})$"
Face: TypeAlias = Annotated[str, StringConstraints(strict=True, pattern=_FACE)]
_SHEET = r"^[^*\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+$"
Sheet: TypeAlias = Annotated[str, StringConstraints(strict=True, max_length=80, pattern=_SHEET)]
Weight: TypeAlias = Annotated[
    Fraction,
    BeforeValidator(_exact),
    Field(gt=0),
    WithJsonSchema({"anyOf": [{"type": "number", "exclusiveMinimum": 0}, _RATIO]}),
]
Rate: TypeAlias = Annotated[
    Fraction,
    BeforeValidator(_exact),
    Field(ge=0, le=100),
    WithJsonSchema({"anyOf": [{"type": "number", "minimum": 0, "maximum": 100}, _RATIO]}),
]
Grade: TypeAlias = Annotated[Literal[tuple(GRADES)], Field()]  # type: ignore[valid-type]
Graded: TypeAlias = Annotated[
    Annotated[Grade, Tag("grade")] | Annotated[dict[Id, Grade], Tag("by field")],
    Discriminator(lambda given: "by field" if isinstance(given, Mapping) else "grade"),
]


class Table(BaseModel):
    """A table of a ruleset file: what it does not know is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)


_SCALARS: Mapping[Any, Any] = {int: Money, bool: Flag, str: Text, Fraction: Rate}


def _field(hint: Any) -> Any:
    """The file's type for a field of one of our records."""
    if hint in _SCALARS:
        return _SCALARS[hint]
    if get_origin(hint) is tuple:
        many: Any = list[_field(get_args(hint)[0])]  # type: ignore[misc]
        return Annotated[many, Field(max_length=100)]
    if get_origin(hint) in (Union, UnionType):
        return reduce(or_, (_field(one) for one in get_args(hint)))
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


_EVIDENCE: dict[str, Any] = {
    "rule": (Text, ""),
    "source": (Text, ""),
    "grade": (Graded | None, None),
}

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
    ("keep", "prize"): Annotated[int, Field(strict=True, ge=0, le=MOST_MONEY)],
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
    options = {} if word in ("roll", "ask", "everyone") else _defaults(record)
    for name, (kind, default) in options.items():
        if name == "cause":
            continue
        key = _key(record, name)
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


def _key(record: Any, name: str) -> str:
    """What files call a field of a word: the word itself, or an option."""
    word = next(word for word, (one, _) in _HEADS.items() if one is record)
    return word if name == _HEADS[word][1] else _KEYS.get(name, name)


def _safe(key: str) -> str:
    return f"{key}_" if key in ("from", "to") else key


def _union(models: Mapping[str, Any]) -> Any:
    tagged = tuple(Annotated[model, Tag(word)] for word, model in models.items())
    return Annotated[reduce(or_, tagged), Discriminator(word_of)]


_LEAVES = {word: _effect(word) for word in _HEADS if word not in ("ask", "everyone")}
_MIDDLE = {**_LEAVES, "everyone": _effect("everyone", _union(_LEAVES))}
_WHOLE = {**_MIDDLE, "ask": _effect("ask", _union(_MIDDLE))}
_Any: Any = _union(_WHOLE)
Effects: TypeAlias = Annotated[list[_Any], Field(max_length=MOST_EFFECTS)]

_WORDS: Mapping[Any, str] = {model: word for word, model in _WHOLE.items()}
_ATTRIBUTES: Mapping[str, Mapping[str, str]] = {
    word: {one.name: _safe(_key(record, one.name)) for one in fields(record) if one.name != "cause"}
    for word, (record, _) in _HEADS.items()
}
"""Where a checked model of a word holds each field of its record."""


def read_effects(models: Sequence[Any], cause: str) -> tuple[Effect, ...]:
    """The effects that checked models stand for, marked with the square or card they hang on."""
    return words.caused_by(cause, tuple(_read_effect(model) for model in models))


def _read_effect(model: Any) -> Effect:
    word = _WORDS[type(model)]
    effect: Effect
    if word == "roll":
        effect = words.Roll(again=True)
    elif word == "ask":
        answers = tuple((n, tuple(map(_read_effect, a))) for n, a in model.answers.items())
        effect = words.Ask(model.ask, answers, model.otherwise)
    elif word == "everyone":
        effect = words.Everyone(tuple(map(_read_effect, model.everyone)))
    else:
        given = {name: getattr(model, at) for name, at in _ATTRIBUTES[word].items()}
        effect = _HEADS[word][0](**given)
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
    faces: Annotated[dict[Face, Weight], Field(min_length=1, max_length=100)] | None = None
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
    kind: Kind = ""
    side: Count = 0
    passing: Effects = []
    landing: Effects = []
    crossing: Effects = []
    stop: Flag = False
    spot: Kind = ""
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
    "squares": (
        Annotated[dict[Id, SquareTable], Field(min_length=2, max_length=MOST_SQUARES)],
        ...,
    ),
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
    game: Name
    title: Name = ""
    description: Text = ""
    source: Text = ""
    grade: Grade | None = None
    over: Annotated[list[Sheet], Field(max_length=50)] = []
    needs: Annotated[list[Name], Field(max_length=20)] = []
    set: dict[str, Any] = {}
    add: dict[str, Any] = {}
    remove: Annotated[list[Text], Field(max_length=1_000)] = []


# ------------------------------------------------------------------------------ reading


def read(model: Any, tree: Mapping[str, Any], whose: Callable[[Path], Origin]) -> Any:
    """A checked model of a tree, or the list of its problems.

    `whose` tells which file a place in the tree comes from, as an overlay may have set it.
    """
    try:
        return model.model_validate(tree)
    except ValidationError as error:
        found = error.errors(include_url=False)
        return [_problem(one, model, tree, whose) for one in found[: MOST_PROBLEMS + 1]]


def _problem(
    error: Any, model: Any, tree: Mapping[str, Any], whose: Callable[[Path], Origin]
) -> Problem:
    path, table = _walk(error["loc"], model, tree)
    origin = whose(path)
    return Problem(origin.file, origin.shown, _words(error, path, table))


def _walk(loc: Sequence[str | int], model: Any, tree: Any) -> tuple[Path, Any]:
    """A place in the tree for a place in the models, and the last table on the way there."""
    path: list[str | int] = []
    kind, node, table = model, tree, model
    for part in loc:
        if part == "[key]":  # the name of the last place is wrong, not what stands there
            break
        if _tagged(kind):
            kind = _tagged(kind).get(part)
            continue  # a branch of a union, which files know nothing of
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            table = kind
        path.append(part)
        kind = _inside(kind, part)
        node = node.get(part) if isinstance(node, Mapping) else None
    return tuple(path), table


def _bare(kind: Any) -> Any:
    """A type without the choice of leaving it out, and without its trimmings."""
    if get_origin(kind) in (Union, UnionType):
        rest = [one for one in get_args(kind) if one is not type(None)]
        return _bare(rest[0]) if len(rest) == 1 else kind
    if get_origin(kind) is Annotated and not _tagged(kind):
        return _bare(get_args(kind)[0])
    return kind


def _tagged(kind: Any) -> Mapping[Any, Any]:
    """The choices of a union with tags, by tag."""
    if get_origin(kind) is not Annotated or not isinstance(get_args(kind)[1], Discriminator):
        return {}
    choices = (get_args(choice) for choice in get_args(get_args(kind)[0]))
    return {trimmings[-1].tag: _bare(one) for one, *trimmings in choices}


def _inside(kind: Any, part: str | int) -> Any:
    """The type of a field of a table, of an entry of a list, of a value of a dict."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return _bare(_fields(kind).get(str(part)))
    return _bare(get_args(kind)[-1]) if get_origin(kind) in (list, dict) else None


def _fields(table: Any) -> dict[str, Any]:
    """The types of a table's fields, by the names that files use."""
    return {one.alias or key: one.annotation for key, one in table.model_fields.items()}


# ----------------------------------------------------------------------------- messages

_EXAMPLES: Mapping[str, str] = {
    "format": "format = 1",
    "title": "title = 'My game'",
    "dice": "a table [dice] with count = 2 and sides = 6",
    "squares": "[[squares]], one table for each square, in the order of the board",
    "cards": "[[decks.….cards]], one table for each card",
    "game": "game = '…' names the game that this overlay is for",
    "otherwise": "otherwise = '…', the answer of a player who does not mind",
}

_SIGNS: Mapping[str, str] = {
    "greater_than": "more than",
    "greater_than_equal": "at least",
    "less_than": "less than",
    "less_than_equal": "at most",
}

_PATTERNS: Mapping[str, str] = {
    _PRINTABLE: "must be one line of printable text, not {}",
    _SHEET: "must be the name of an overlay, not {}",
    _FACE: "{} is no face of a die: a whole number from 0 to 999",
    f"^{ID}$": "{} is no id: small letters, digits and _, a letter first",
    f"^({ID})?$": "{} is no id: small letters, digits and _, a letter first",
}

_TYPES: Mapping[str, str] = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing_size": "a whole number",
    "bool_type": "true or false",
    "string_type": "a text",
    "list_type": "a list",
    "dict_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
}


def _words(error: Any, path: Path, table: Any) -> str:
    """What is wrong, and what to do, in words of ours."""
    kind, given, context = error["type"], error.get("input"), error.get("ctx", {})
    last = str(path[-1]) if path else ""
    if kind == "extra_forbidden":
        return _no_such(path, table)
    if kind == "missing":
        return f"this is needed: {_EXAMPLES[last]}" if last in _EXAMPLES else "this is needed"
    if kind in ("union_tag_not_found", "union_tag_invalid"):
        return _no_word(given)
    if kind == "literal_error":
        expected = context["expected"].replace("True", "true")
        return f"must be {expected}, not {show(given)}"
    if kind == "string_pattern_mismatch":
        return _PATTERNS[context["pattern"]].format(show(given))
    if kind in _TYPES:
        return f"must be {_TYPES[kind]}, not {show(given)}"
    if kind == "value_error":
        return f"must be {context['error']}, not {show(given)}"
    if kind in _SIGNS:
        return f"must be {_SIGNS[kind]} {next(iter(context.values())):,}, not {show(given)}"
    if kind in ("too_long", "too_short"):
        limit = context["max_length"] if kind == "too_long" else context["min_length"]
        return f"needs at {'most' if kind == 'too_long' else 'least'} {limit:,} of these"
    if kind == "string_too_long":
        return f"is too long: at most {context['max_length']:,} characters"
    if kind == "string_too_short":
        return "must not be empty"
    return f"{error['msg']}, not {show(given)}"


def _no_such(path: Path, table: Any) -> str:
    """What to say to a key that nothing knows, with the key that was probably meant."""
    last, known = str(path[-1]), _fields(table)
    if table.__name__.startswith("Effect"):
        return _no_option(last, table)
    far = list(_elsewhere(last, table)) if len(path) == 1 else []
    near = [write_path((*path[:-1], key)) for key in get_close_matches(last, known, n=1)]
    found = [*far, *near]
    return f"no such rule; did you mean {found[0]}?" if found else "no such rule"


def _elsewhere(name: str, table: Any) -> Iterator[str]:
    """The paths of rules with some name in the tables of a game."""
    for key, kind in _fields(table).items():
        inner = _bare(kind)
        if isinstance(inner, type) and issubclass(inner, BaseModel) and name in _fields(inner):
            yield f"{key}.{name}"


def _no_option(name: str, table: Any) -> str:
    """What to say to a key that does not belong to an effect."""
    keys = list(_fields(table))
    word = next(key for key in keys if key in _HEADS)
    if name in _HEADS:
        return f"one effect, one word: {{ {word} = … }}, {{ {name} = … }}"
    near = get_close_matches(name, keys, n=1)
    tip = f"did you mean {near[0]!r}?" if near else f"it knows {', '.join(keys)}"
    return f"{word!r} knows no {show(name)}; {tip}"


def _no_word(given: object) -> str:
    """What to say to an effect without a word that can stand there."""
    if not isinstance(given, Mapping) or not given:
        return f"must be an effect such as {{ collect = 200 }}, not {show(given)}"
    word = word_of(given)
    if word:
        return f"{word!r} cannot stand inside another effect"
    for key in given:
        near = get_close_matches(str(key), _HEADS, n=1)
        if near:
            return f"unknown effect {show(key)}; did you mean {near[0]!r}?"
    first = next(iter(given))
    return f"unknown effect {show(first)}; the words are {', '.join(_HEADS)}"
