"""A small form in a notebook: sliders with a number beside them, lists, ticks, lines and buttons.

Drawn by `controls.js` with the browser's own inputs, each with a name that is read out.  What comes
from the browser is checked here: what makes no sense changes nothing and is answered in words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias, assert_never

import traitlets
from anywidget import AnyWidget

from ..rules import Problem, RulesError, unknown

MOST_FIELDS = 500
"""A form of more fields than this is none."""
LONGEST_LINE = 200
"""What is typed into a line is cut off here."""
LONGEST_TEXT = 300
"""Labels, hints and messages are cut off here."""
_DIGITS = 9
"""Numbers of a slider are rounded to so many decimals, which takes the dust off sums of steps."""


@dataclass(frozen=True, slots=True)
class Slider:
    """A number between two ends, to be slid or to be typed.

    Where the ends, the step and the value are whole numbers, so are all values.  `unit` is shown
    with the number: a sign such as `$` before it, a word or `%` after it.
    """

    name: str
    label: str
    low: float
    high: float
    step: float
    value: float
    unit: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several things; `options` are pairs of what is shown and the value, both texts.

    With `spread` all of them are in sight, as buttons of which one is chosen.
    """

    name: str
    label: str
    options: Sequence[tuple[str, str]]
    value: str
    hint: str = ""
    spread: bool = False


@dataclass(frozen=True, slots=True)
class Tick:
    """Yes or no."""

    name: str
    label: str
    value: bool = False
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A short text."""

    name: str
    label: str
    value: str = ""
    hint: str = ""


Field: TypeAlias = Slider | Choice | Tick | Line


@dataclass(frozen=True, slots=True)
class Group:
    """Fields under one heading; a folded group shows only its heading until it is opened."""

    legend: str
    fields: Sequence[Field]
    folded: bool = False


class Controls(AnyWidget):
    """A form of named fields and buttons; shows itself as the last line of a cell.

    `fields` are sliders, choices, ticks and lines, or groups of them.  `values` holds what they say
    now; whoever asked with `on_change` is told all values whenever one was changed in the browser,
    and with `on_press` the text of a button.  With `find` a box narrows the fields by their labels.
    Raises `RulesError` for fields that cannot be: two of one name, a value outside its range.
    """

    _esm = Path(__file__).parent / "controls.js"

    form = traitlets.Dict().tag(sync=True)
    state = traitlets.Dict().tag(sync=True)
    message = traitlets.Unicode("").tag(sync=True)

    def __init__(
        self,
        fields: Sequence[Field | Group],
        buttons: Sequence[str] = (),
        title: str = "",
        find: str = "",
        **more: Any,
    ) -> None:
        self._fields: dict[str, Field] = {}
        self._values: dict[str, Any] = {}
        self._buttons: tuple[str, ...] = ()
        self._changed: list[Callable[[Mapping[str, Any]], None]] = []
        self._pressed: list[Callable[[str], None]] = []
        super().__init__(**more)
        self.show(fields, buttons, title, find)
        self.on_msg(self._hear)

    # ---- for whoever uses the form

    @property
    def values(self) -> dict[str, Any]:
        """What every field says now, by its name."""
        return dict(self._values)

    def on_change(self, listener: Callable[[Mapping[str, Any]], None]) -> None:
        """Have somebody told all values when one was changed in the browser."""
        self._changed.append(listener)

    def on_press(self, listener: Callable[[str], None]) -> None:
        """Have somebody told the text of a button that was pressed."""
        self._pressed.append(listener)

    def set(self, **values: Any) -> None:
        """Put values into fields.  Nobody is told: who sets a value knows of it.

        Raises `RulesError` for a name without a field and for a value that does not fit.
        """
        checked, problems = self._checked(values)
        if problems:
            raise RulesError("these controls", problems)
        self._values |= checked
        self._tell()

    def show(
        self,
        fields: Sequence[Field | Group],
        buttons: Sequence[str] = (),
        title: str = "",
        find: str = "",
    ) -> None:
        """Show another form; every field starts with its own value."""
        groups = [one if isinstance(one, Group) else Group("", (one,)) for one in fields]
        every = [field for group in groups for field in group.fields]
        problems = list(_faults(every))
        if problems:
            raise RulesError("these controls", problems)
        self._fields = {field.name: field for field in every}
        self._values = {field.name: field.value for field in every}
        self._buttons = tuple(buttons)
        with self.hold_sync():
            self.form = {
                "title": _short(title),
                "find": _short(find),
                "buttons": [_short(text) for text in buttons],
                "groups": [
                    {
                        "legend": _short(group.legend),
                        "folded": group.folded,
                        "fields": [_drawn(field) for field in group.fields],
                    }
                    for group in groups
                ],
            }
            self._tell()

    # ---- what comes from the browser

    def _hear(self, _: object, content: object, __: object) -> None:
        """A message from a browser: some values, or a button."""
        if not isinstance(content, Mapping):
            return
        pressed, given = content.get("press"), content.get("set")
        if isinstance(pressed, str) and pressed in self._buttons:
            for hears in self._pressed:
                hears(pressed)
        if isinstance(given, Mapping):
            self._take(given, _sender(content))

    def _take(self, given: Mapping[Any, Any], sender: Mapping[str, Any]) -> None:
        """Take values over, tell the listeners, and answer so that the browser may send more."""
        checked, problems = self._checked({str(name): value for name, value in given.items()})
        self.message = _short(" ".join(problem.text for problem in problems[:3]))
        changed = any(self._values[name] != value for name, value in checked.items())
        self._values |= checked
        try:
            if changed:
                for listener in self._changed:
                    listener(self.values)
        finally:
            self._tell(sender)

    def _tell(self, sender: Mapping[str, Any] | None = None) -> None:
        """Send all values to every browser, and whose message they answer."""
        self.state = {"values": self.values, **(sender or {"by": "", "count": 0})}

    def _checked(self, given: Mapping[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
        """The values that fit their fields, and what is wrong with the others."""
        fit: dict[str, Any] = {}
        problems = []
        for name, value in given.items():
            field = self._fields.get(name)
            if field is None:
                text = f"There is {unknown('field', name[:60], self._fields)}"
                problems.append(Problem("", _short(name), text))
                continue
            read = _read(field, value)
            if read is None:
                problems.append(Problem("", name, _wanted(field)))
            else:
                fit[name] = read
        return fit, problems

    def __repr__(self) -> str:
        return f"<Controls {', '.join(f'{name}={value!r}' for name, value in self.values.items())}>"


def _sender(content: Mapping[Any, Any]) -> dict[str, Any]:
    """Which browser sent a message, and its number, to be sent back with the answer."""
    by, count = content.get("by"), content.get("count")
    known = isinstance(by, str) and isinstance(count, int)
    return {"by": str(by)[:40], "count": count} if known else {"by": "", "count": 0}


def _read(field: Field, value: Any) -> Any:
    """A value as its field understands it, or None."""
    match field:
        case Slider():
            return _number(field, value)
        case Choice():
            known = [option for _, option in field.options]
            return value if isinstance(value, str) and value in known else None
        case Tick():
            return value if isinstance(value, bool) else None
        case Line():
            return value[:LONGEST_LINE] if isinstance(value, str) else None
        case _:
            assert_never(field)


def _number(field: Slider, value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if not field.low <= value <= field.high:  # true of what is no number, too
        return None
    if _whole(field):
        return int(value) if value == int(value) else None
    return round(value, _DIGITS)


def _whole(field: Slider) -> bool:
    """Whether a slider knows whole numbers only."""
    return all(isinstance(one, int) for one in (field.low, field.high, field.step, field.value))


def _wanted(field: Field) -> str:
    """What to say to a value that does not fit."""
    label = _short(field.label)
    match field:
        case Slider():
            kind = "a whole number" if _whole(field) else "a number"
            return f"{label}: {kind} from {field.low:,} to {field.high:,}, please."
        case Choice():
            return f"{label}: one of the things in the list, please."
        case Tick():
            return f"{label}: yes or no, please."
        case Line():
            return f"{label}: a text, please."
        case _:
            assert_never(field)


def _faults(fields: Sequence[Field]) -> Iterator[Problem]:
    """What makes no form of some fields."""
    if len(fields) > MOST_FIELDS:
        yield Problem("", "", f"at most {MOST_FIELDS} fields, not {len(fields)}")
    seen: set[str] = set()
    for field in fields:
        if not field.name or field.name in seen:
            yield Problem("", field.name, "each field needs a name of its own")
        seen.add(field.name)
        if not field.label.strip():
            yield Problem("", field.name, "each field needs a label")
        if isinstance(field, Slider) and not (field.low < field.high and field.step > 0):
            yield Problem("", field.name, "a slider needs low < high and a step above 0")
        elif _read(field, field.value) is None:
            yield Problem("", field.name, f"{field.value!r} does not fit. {_wanted(field)}")


def _drawn(field: Field) -> dict[str, Any]:
    """A field as plain data for the browser."""
    data = {**asdict(field), "kind": type(field).__name__.lower()}
    data |= {"label": _short(field.label), "hint": _short(field.hint)}
    if isinstance(field, Slider):
        data |= {"whole": _whole(field), "before": _before(field.unit)}
    if isinstance(field, Choice):
        data["options"] = [[_short(text), value] for text, value in field.options]
        data["kind"] = "radio" if field.spread else "choice"
    return data


def _before(unit: str) -> bool:
    """Whether a unit stands before its number: a single sign does, but not a percent sign."""
    return len(unit) == 1 and not unit.isalnum() and unit != "%"


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"
