"""The game in a notebook: a board that can be stepped through, and questions that check answers.

`stepper()` is a whole lesson: any of the games, forward and back, with the chances of what comes
next.  What it shows is worked out by `Lesson`, which knows nothing of notebooks.  Needs the extra
`lab`; nothing else in the package imports this module.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import Any

try:
    import ipywidgets
    import traitlets
    from anywidget import AnyWidget
except ImportError as error:
    _TEXT = 'the widgets need ipywidgets and anywidget: pip install "boardrules[lab]"'
    raise ImportError(_TEXT) from error

from .board import CIVIDIS, Heat, Picture, layout, paint, percent, svg, warmth
from .chain import Chain, chain
from .effects import Ask, Draw, Throw
from .events import turns
from .library import Source, games, load
from .measure import after
from .play import Walk, ask, fair, sentences, to_come
from .results import context
from .rules import IN_JAIL, Rules, RulesError
from .tables import law
from .turn import Policy, State, Thrown, begin, options, start_from

LONGEST_ANSWER = 200
MOST_STATES = 4_000
"""A larger walk is played without heat: nobody likes to wait in the middle of a lesson."""
HIGHEST_SEED = 999_999_999

# ------------------------------------------------------------------------------- a lesson


@dataclass(frozen=True, slots=True)
class Chance:
    """One possible answer to a question: what it is called, and how likely it is."""

    name: str
    chance: Fraction
    text: str


class Lesson:
    """A game to walk through, and all that is shown beside the board at each pause.

    The same seed gives the same lesson.  It begins on the square `start`, or at the start of the
    game.  Raises `RulesError` for a policy that the rules do not allow, or no such square.
    """

    def __init__(
        self, rules: Rules, policy: Policy | None = None, seed: int = 1, start: str = ""
    ) -> None:
        self.rules = rules
        self.seed = seed
        first = start_from(rules, start) if start else begin(rules)
        self.walk = Walk(rules, policy, fair(seed), first)
        self.message = ""
        self._chains: list[Chain[float]] = []
        self._too_large = False

    @property
    def place(self) -> str:
        """Where the token stands: the id of a square, or "in_jail"."""
        token = self.walk.state.token
        return IN_JAIL if token.jailed else self.rules.squares[token.square].id

    @property
    def question(self) -> str:
        """What is asked now."""
        return ask(self.walk.state, self.rules)

    @property
    def story(self) -> tuple[str, ...]:
        """What the last answer led to, sentence by sentence."""
        return sentences(self.walk.last, self.rules) if self.walk.last else ()

    @property
    def coming(self) -> tuple[str, ...]:
        """What is still to come this turn."""
        return to_come(self.walk.state, self.rules)

    @property
    def caption(self) -> str:
        """What the list of possible answers is headed with."""
        if isinstance(self.walk.state.question, Ask):
            return "Possible answers, and how this player decides"
        return "Possible answers and their chances"

    @property
    def example(self) -> str:
        """An answer that would fit, as one would type it."""
        question = self.walk.state.question
        if isinstance(question, Ask):
            return question.answers[0][0]
        if isinstance(question, Draw):
            return self.rules.decks[question.deck].cards[0].name
        count = question.dice if isinstance(question, Throw) else self.rules.dice.count
        faces = [str(face) for face, _ in self.rules.dice.faces]
        return "+".join((faces[-2:] * count)[:count])

    def ends(self) -> dict[str, float]:
        """Where this turn may end, and how likely each place is, given all that has happened.

        Empty if the walk is too large to be followed to its end.
        """
        if self._too_large:
            return {}
        try:
            found = after(self._chain(self.walk.state), 1, turns, self.walk.state)
        except RulesError as error:
            self._too_large = True
            self.message = _plain(error)
            return {}
        return {row.id: row.probability for row in law(self.rules, found)}

    def _chain(self, state: State) -> Chain[float]:
        """A chain that holds this state; one that somebody forced may need a chain of its own."""
        for one in self._chains:
            if state in one.states:
                return one
        start = state if self._chains else None
        made = chain(self.rules, self.walk.policy, float, start=start, most_states=MOST_STATES)
        self._chains = [*self._chains[:1], made]
        return made if start is not None else self._chain(state)

    def chances(self) -> tuple[Chance, ...]:
        """The possible answers to the question that stands, with their exact chances."""
        state = self.walk.state
        found = options(state, self.rules, self.walk.policy)
        question = state.question
        if isinstance(question, Ask):
            shares = {name: found.get(name, Fraction(0)) for name, _ in question.answers}
            return _told(shares, sure="always")
        if isinstance(question, Draw):
            cards = {card.id: card.name for card in self.rules.decks[question.deck].cards}
            return _told(_summed((cards[str(card)], share) for card, share in found.items()))
        if isinstance(question, Throw):
            return _told(_summed((str(pips), share) for pips, share in found.items()))
        return self._throws(found)

    def _throws(self, found: Mapping[Any, Fraction]) -> tuple[Chance, ...]:
        throws = [(thrown, p) for thrown, p in found.items() if isinstance(thrown, Thrown)]
        sums = _summed((thrown.pips, p) for thrown, p in throws)
        shares = {str(pips): sums[pips] for pips in sorted(sums)}
        doubles = sum((p for thrown, p in throws if thrown.double), Fraction(0))
        rules = self.rules.doubles
        jailed = self.walk.state.token.jailed
        if doubles and (jailed or rules.after or rules.before or rules.limit):
            shares["doubles, of all these"] = doubles
        return _told(shares)

    # ---- moves

    def forward(self) -> None:
        """Go one question on."""
        self._try(self.walk.forward)

    def forward_turn(self) -> None:
        """Play to the end of this turn."""
        self._try(self.walk.forward_turn)

    def back(self) -> None:
        """Go one question back."""
        self.message = "" if self.walk.back() else "This is the start of the game."

    def back_turn(self) -> None:
        """Go back to the start of this turn, or of the one before."""
        self.message = "" if self.walk.moves else "This is the start of the game."
        self.walk.back_turn()

    def answer(self, told: str) -> None:
        """Answer the question oneself; what does not fit changes nothing and is explained."""
        text = told.strip()[:LONGEST_ANSWER]
        if text:
            self._try(lambda: self.walk.force(text))

    def _try(self, move: Callable[[], object]) -> None:
        self.message = ""
        try:
            move()
        except RulesError as error:
            self.message = _plain(error)

    # ---- what is shown

    def panel(self, ends: Mapping[str, float]) -> dict[str, Any]:
        """All that is written beside the board, as plain data; `ends` is what `ends()` found."""
        note = context(self._chains[0], "turn").caution if self._chains else ""
        told: dict[str, Any] = {
            "title": f"{self.rules.title}, turn {self.walk.turn}",
            "story": list(self.story),
            "now": self.question,
            "coming": list(self.coming) if len(self.coming) > 1 else [],
            "caption": self.caption,
            "answers": [[one.name, one.text, float(one.chance)] for one in self.chances()],
            "note": note,
        }
        if ends:
            told["scale"] = {
                "colours": list(CIVIDIS),
                "low": "0%",
                "top": percent(max(ends.values())),
                "text": "Colours: the chance that this turn ends there",
            }
        return told

    def said(self) -> str:
        """What is read out after each move."""
        return " ".join([*self.story, self.question])

    def picture(self) -> Picture:
        """The board as it stands, as a still picture."""
        title = f"{self.rules.title}: where this turn ends"
        return svg(self.rules, self.ends(), self.place, title)


def _summed(pairs: Any) -> dict[Any, Fraction]:
    """Chances by name, those of one name together."""
    found: dict[Any, Fraction] = {}
    for name, share in pairs:
        found[name] = found.get(name, Fraction(0)) + share
    return found


def _told(shares: Mapping[str, Fraction], sure: str = "sure") -> tuple[Chance, ...]:
    """Chances as one counts them at the table: all in 36ths, or in whatever the deck has."""
    whole = lcm(*(share.denominator for share in shares.values()))
    return tuple(
        Chance(
            name,
            share,
            "never" if not share
            else sure if share == 1
            else f"{share * whole} of {whole}" if whole <= 10_000
            else percent(float(share)),
        )
        for name, share in shares.items()
    )  # fmt: skip


def _plain(error: RulesError) -> str:
    """A refusal as one says it to a pupil."""
    texts = (problem.text for problem in error.problems)
    words = "; ".join(f"this question {text}" if text.startswith("needs") else text
                      for text in texts)  # fmt: skip
    return f"That does not fit: {words}."


# ------------------------------------------------------------------------------ the widgets


class Paper(AnyWidget):
    """What `board.js` can show: a board, a panel beside it, a box for answers.

    Every trait is plain data, made in the kernel.
    """

    _esm = Path(__file__).parent / "board.js"

    drawing = traitlets.Dict().tag(sync=True)
    heat = traitlets.Dict().tag(sync=True)
    token = traitlets.Unicode("").tag(sync=True)
    label = traitlets.Unicode("").tag(sync=True)
    panel = traitlets.Dict().tag(sync=True)
    said = traitlets.Unicode("").tag(sync=True)
    asks = traitlets.Unicode("").tag(sync=True)
    button = traitlets.Unicode("Answer").tag(sync=True)
    message = traitlets.Unicode("").tag(sync=True)

    def on_answer(self, listener: Callable[[str], None]) -> None:
        """Have somebody listen to what is typed into the box."""

        def heard(_: object, content: object, __: object) -> None:
            if isinstance(content, Mapping) and isinstance(content.get("answer"), str):
                listener(content["answer"])

        self.on_msg(heard)


class Board(Paper):
    """A board to look at and to walk over with the arrow keys; its token moves.

    Takes what `boardrules.board.svg` takes; `show` changes any of it later.
    """

    def __init__(self, rules: Rules, heat: Heat = None, token: str = "", **more: Any) -> None:
        self.rules = rules
        self._warm: dict[str, float] = {}
        super().__init__(**more)
        self.show(rules, heat, token)

    def show(self, rules: Rules, heat: Heat = None, token: str = "", **more: Any) -> None:
        """Show another board, other heat, the token elsewhere; all at once.

        Raises `RulesError` for squares that the board does not have.
        """
        warm = warmth(rules, heat)
        svg(rules, None, token or ())  # refuses a square that does not exist
        with self.hold_sync():
            if rules is not self.rules or not self.drawing:
                self.drawing = layout(rules).drawing()
                self.label = f"The board of {rules.title}"
            self.rules, self._warm = rules, warm
            self.heat = paint(rules, warm)
            self.token = token
            for name, value in more.items():
                setattr(self, name, value)

    def picture(self) -> Picture:
        """The same as a still picture."""
        return svg(self.rules, self._warm, self.token or ())

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        return {**data, "image/svg+xml": str(self.picture())}, metadata


class Stepper:
    """A lesson with its board and its buttons; shows itself as the last line of a cell."""

    def __init__(
        self, rules: Rules, policy: Policy | None = None, seed: int = 1, start: str = ""
    ) -> None:
        self._given = rules, policy, start
        self.lesson = Lesson(rules, policy, seed, start)
        self.board = Board(rules, asks="Answer")
        self.board.on_answer(self.answer)
        self.game, self.seed = self._choices(rules, seed)
        self._own = self.game.value
        self.buttons = {
            name: ipywidgets.Button(description=name, tooltip=tip, layout={"width": "auto"})
            for name, tip in _BUTTONS.items()
        }
        moves = (self.start_again, self.back_turn, self.back, self.forward, self.whole_turn)
        for button, move in zip(self.buttons.values(), moves, strict=True):
            button.on_click(lambda _, move=move: move())
        self.buttons["Forward"].button_style = "primary"
        row = ipywidgets.HBox(
            [self.game, self.seed, *self.buttons.values()],
            layout={"flex_flow": "row wrap", "justify_content": "center"},
        )
        self.box = ipywidgets.VBox([row, self.board])
        self._show()

    def _choices(self, rules: Rules, seed: int) -> tuple[Any, Any]:
        """The boxes for the game and the seed."""
        shelf = [(game.title, game.name) for game in games()]
        own = rules.id
        if rules.overlays or own not in [name for _, name in shelf]:
            own = ""
            shelf.insert(0, (f"{rules.title} ({rules.label})", own))
        game = ipywidgets.Dropdown(
            options=shelf,
            value=own,
            description="Game",
            layout={"width": "230px"},
            style={"description_width": "45px"},
        )
        game.observe(lambda _: self._open(), "value")
        box = ipywidgets.BoundedIntText(
            value=seed,
            min=0,
            max=HIGHEST_SEED,
            description="Seed",
            layout={"width": "135px"},
            style={"description_width": "40px"},
        )
        box.observe(lambda _: self.start_again(), "value")
        return game, box

    def _open(self) -> None:
        """Start the game that the box says."""
        name = self.game.value
        try:
            own = name == self._own
            rules, policy, start = self._given if own else (load(name), None, "")
            self.lesson = Lesson(rules, policy, self.seed.value, start)
        except RulesError as error:
            self.lesson.message = _plain(error)
        self._show()

    def start_again(self) -> None:
        """Go back to the start, with fresh dice from the seed in the box."""
        self._open()

    def back(self) -> None:
        """Go one question back."""
        self.lesson.back()
        self._show()

    def forward(self) -> None:
        """Go one question on."""
        self.lesson.forward()
        self._show()

    def whole_turn(self) -> None:
        """Play to the end of this turn."""
        self.lesson.forward_turn()
        self._show()

    def back_turn(self) -> None:
        """Go back to where this turn began."""
        self.lesson.back_turn()
        self._show()

    def answer(self, told: str) -> None:
        """Answer the question that stands: `5+2`, the name of a card, `pay`."""
        self.lesson.answer(told)
        self._show()

    def _show(self) -> None:
        lesson = self.lesson
        ends = lesson.ends()
        self.board.show(
            lesson.rules,
            ends,
            lesson.place,
            panel=lesson.panel(ends),
            asks=f"Or answer yourself, such as “{lesson.example}”:",
            said=lesson.said(),
            message=lesson.message,
        )

    def __repr__(self) -> str:
        return f"<Stepper of {self.lesson.rules.label}, seed {self.lesson.seed}>"

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        data = self.box._repr_mimebundle_(**kwargs)
        return {**data, "text/plain": repr(self), "image/svg+xml": str(self.lesson.picture())}


_BUTTONS = {
    "Start again": "to the start of the game, with the dice of this seed",
    "Back a turn": "to where this turn began",
    "Back": "one question back",
    "Forward": "one question on",
    "Whole turn": "to the end of this turn",
}


def stepper(
    game: Rules | Source = "monopoly",
    *overlays: Source,
    policy: Policy | None = None,
    seed: int = 1,
    start: str = "",
) -> Stepper:
    """Play a game step by step: any game, forward and back, with the chances of every step.

    `game`, `overlays` and `policy` are taken as by `boardrules.landing`; the other games can be
    picked in the widget, with their own rules.  The same seed gives the same game.  `start` is the
    id of a square to begin on.  Raises `RulesError` if there is no such game or square.
    """
    rules = game if isinstance(game, Rules) else load(game, *overlays)
    return Stepper(rules, policy, seed, start)


# ------------------------------------------------------------------------------- questions


def quiz(question: str, right: int | Fraction | str, hint: str = "", why: str = "") -> Quiz:
    """A question with a box for the answer, which says kindly whether it is right.

    Numbers may be told as `6`, `6/36`, `6 of 36`, `0.167` or `16.7%`; a decimal counts as right
    if it is rounded rightly to at least two digits.  `hint` helps after a wrong answer, `why`
    explains a right one.
    """
    return Quiz(question, right, hint, why)


class Quiz(Paper):
    """One question with a box for its answer; made by `quiz`."""

    def __init__(self, question: str, right: int | Fraction | str, hint: str, why: str) -> None:
        super().__init__(asks=question, button="Check")
        self._right, self._hint, self._why = right, hint, why
        self.on_answer(self.answer)

    def answer(self, told: str) -> None:
        """Check an answer, and say so below the box."""
        verdict, text = judge(told, self._right)
        more = {True: self._why, False: self._hint, None: ""}[verdict]
        self.message = f"{text} {more}".strip()


def judge(told: str, right: int | Fraction | str) -> tuple[bool | None, str]:
    """Whether an answer is right, and a friendly word; None if it is no answer at all."""
    text = told.strip()[:LONGEST_ANSWER]
    if isinstance(right, str):
        if text.casefold() == right.casefold():
            return True, f"“{text}” is right!"
        return False, f"“{text}” is not it yet."
    number = read_number(text)
    if number is None:
        return None, f"“{text}” is not a number I can read; try 6, 6/36, 0.167 or 16.7%."
    value, slack = number
    if value == right:
        return True, f"{text} is right!"
    if abs(value - right) <= slack:
        if slack > Fraction(1, 200):
            return None, f"{text} is about right; please give two digits or a fraction."
        return True, f"{text} is right, rounded; exactly it is {right}."
    return False, f"{text} is not it yet."


_DECIMAL = re.compile(r"(\d{1,9})(?:[.,](\d{1,9}))?\s*(%?)")
_SHARE = re.compile(r"(\d{1,9})\s*(?:/|of|in|out of)\s*(\d{1,9})")


def read_number(text: str) -> tuple[Fraction, Fraction] | None:
    """A number as a pupil writes it, and how far rounding may have moved it; None if it is none."""
    found = _SHARE.fullmatch(text.strip())
    if found:
        whole = int(found[2])
        return (Fraction(int(found[1]), whole), Fraction(0)) if whole else None
    found = _DECIMAL.fullmatch(text.strip())
    if not found:
        return None
    places = len(found[2] or "")
    value = Fraction(int(found[1] + (found[2] or "")), 10**places)
    slack = Fraction(1, 2 * 10**places) if places or found[3] else Fraction(0)
    return (value / 100, slack / 100) if found[3] else (value, slack)


def ways(total: int, dice: int = 2, sides: int = 6) -> int:
    """In how many ways some dice show a total, every die told apart.

    >>> ways(12)
    1
    """
    counts = {0: 1}
    for _ in range(dice):
        longer: dict[int, int] = {}
        for pips, count in counts.items():
            for face in range(1, sides + 1):
                longer[pips + face] = longer.get(pips + face, 0) + count
        counts = longer
    return counts.get(total, 0)


__all__: Sequence[str] = ["Board", "Lesson", "Quiz", "Stepper", "quiz", "stepper", "ways"]
