"""What the explorer shows: rules as they are and as somebody has changed them, and the numbers.

Knows nothing of notebooks.  Whatever makes no game is told in words, and the last good result
stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, TypeAlias

from ..chain import usual_policy
from ..charts import Figure
from ..library import Entry, Game, Source, games, load
from ..quick import TOP, Desk, Numbers, levels
from ..rents.deeds import deeds
from ..rules import Problem, Rules, RulesError
from ..side_by_side import View, What, beside, changed_most, changes, difference_chart
from ..turn import Policy, leave, leave_at, stay
from ..variants import Knob, as_python, as_toml, knobs, settings

POLICIES: Mapping[str, tuple[str, Policy]] = {
    "leave": ("pay at once", leave),
    "second": ("pay before the second roll", leave_at(2)),
    "stay": ("stay as long as one may", stay),
}
"""How the player in jail may decide."""

UNITS = ("roll", "turn", "visit", "lap")

QUESTIONS: Mapping[What, str] = {
    "landing": "Landing",
    "income": "Bank income",
    "rent": "Rents",
    "payback": "Payback",
}
"""The questions, and what their tabs are called."""

LETTERS = 68
"""So many small letters go into a line of a chart beside the sliders."""

FOLDERS: Mapping[str, str] = {
    "house": "House rules",
    "editions": "Editions",
    "readings": "Readings of open rules",
    "names": "Names in other languages",
}
"""How the folders of overlays are headed, in the order in which they are shown."""

Chosen: TypeAlias = Mapping[str, Any]
"""What knobs say, by their names."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What somebody wants to see: overlays, numbers that were slid, and how it is counted."""

    overlays: tuple[str, ...] = ()
    chosen: Chosen = field(default_factory=dict)
    policy: str = "leave"
    per: str = "roll"
    level: str = TOP
    opponents: int = 1
    difference: bool = False
    what: What = "landing"


class Study:
    """A game to be changed: as printed, and as it has been changed, side by side.

    `game` is a name on the shelf, whose overlays can be ticked, or rules of one's own.  Raises
    `RulesError` if there is no such game.
    """

    def __init__(self, game: str | Rules = "monopoly") -> None:
        self._desk = Desk()
        self._loaded: dict[tuple[str, ...], Rules] = {}
        self.given = game if isinstance(game, Rules) else None
        self.game = game.id if isinstance(game, Rules) else game
        self.message = ""
        self.base = self.rules = self._load(())
        self.usual = "leave" if usual_policy(self.base) == leave else "stay"
        self.asked = Asked(policy=self.usual)
        self.before = self.after = self._numbers(self.base, None)
        self.knobs: tuple[Knob, ...] = knobs(self.rules)

    # ---- what can be chosen

    def overlays(self) -> Sequence[Entry]:
        """The overlays that can be ticked."""
        if self.given:
            return ()
        found: Sequence[Game] = [game for game in games() if game.name == self.game]
        return found[0].overlays if found else ()

    def levels(self) -> list[tuple[str, str]]:
        """The levels of building that rents can be asked for: words and name."""
        named = {"set": "no houses", "hotel": "hotels", "1": "1 house"}
        built = levels(self.base)
        houses = "hotel" in built or "set" in built
        told = [(named.get(n, f"{n} houses") if houses else f"level {n}", n) for n in built]
        return [("as high as one can build", TOP), *told]

    def questions(self) -> list[What]:
        """The questions that this game has an answer to."""
        owned = bool(deeds(self.base))
        return [what for what in QUESTIONS if owned or what in ("landing", "income")]

    # ---- what is asked

    def ask(self, asked: Asked) -> None:
        """Work out what somebody wants to see; what cannot be is told in `message`."""
        try:
            rules = self._load(asked.overlays)
            known = {one.name for one in knobs(rules)}
            chosen = {name: value for name, value in asked.chosen.items() if name in known}
            told = settings(rules, chosen)
            policy = POLICIES[asked.policy][1] if rules.jail else None
            after = self._numbers(rules.but(told) if told else rules, policy)
            before = self._numbers(self.base, self._allowed(policy))
        except RulesError as error:
            self.message = refusal(error)
            return
        self.asked = replace(asked, chosen=chosen)
        self.rules, self.knobs = rules, knobs(rules)
        self.before = before
        self.after = replace(after, rules=replace(after.rules, overlays=self._called()))
        self.message = ""

    def reset(self) -> None:
        """Go back to the printed rules; what is shown of them stays."""
        self.ask(replace(self.asked, overlays=(), chosen={}, policy=self.usual))

    def _load(self, overlays: tuple[str, ...]) -> Rules:
        key = tuple(sorted(overlays))
        if key not in self._loaded:
            if len(self._loaded) > 30:
                self._loaded.clear()
            self._loaded[key] = self.given or load(self.game, *key)
        return self._loaded[key]

    def _numbers(self, rules: Rules, policy: Policy | None) -> Numbers:
        return self._desk.numbers(rules, policy)

    def _allowed(self, policy: Policy | None) -> Policy | None:
        """The policy, where the printed rules allow it too."""
        try:
            self._numbers(self.base, policy)
        except RulesError:
            return None
        return policy

    def _called(self) -> tuple[str, ...]:
        """The changed rules in a few words, for legends: overlays, then what was slid."""
        moved = self.changed()
        named = [f"{one.label} {value:g}" for one, value in moved]
        return (*self.rules.overlays, *(named if len(moved) < 3 else [f"{len(moved)} numbers"]))

    def changed(self) -> list[tuple[Knob, float]]:
        """The knobs that do not stand where the rules have them, and what they say."""
        chosen = self.asked.chosen
        return [
            (one, float(chosen[one.name]))
            for one in self.knobs
            if one.name in chosen and _exact(chosen[one.name]) != one.value
        ]

    # ---- what is shown

    def view(self, what: What) -> View:
        """How a question is put now; stops do not pay rents, so these go by rolls then."""
        per = self.asked.per
        if what in ("rent", "payback") and per == "visit":
            per = "roll"
        return View(what, per, self.asked.level, self.asked.opponents)

    def figure(self) -> Figure:
        """The chart that is asked for: the printed rules as a pale ghost, or only differences."""
        view = self.view(self.asked.what)
        if self.asked.difference:
            return difference_chart(view, self.before, self.after, wide=LETTERS)
        figure = self._beside(view)
        if view.what == "landing":  # as high as the others, beside the form
            figure.layout.height -= 100
        return figure

    def _beside(self, view: View) -> Figure:
        both, names = (self.before, self.after), ("as printed", "your rules")
        return beside(view, both, names=names, ghost=True, wide=LETTERS)

    def sentence(self) -> str:
        """What changed most, question by question, in plain words."""
        if not self.before.rules.diff(self.after.rules):
            return "These are the printed rules. Move a slider or tick a rule."
        told: list[str] = []
        still: list[str] = []
        for what in self.questions():
            view = self.view(what)
            found = changes(view, self.before, self.after)
            if found:
                told.append(changed_most(view, self.before, self.after, found))
            else:
                still.append(QUESTIONS[what].lower())
        if still:
            named = ", ".join(still[:-1]) + (" and " if still[:-1] else "") + still[-1]
            told.append(f"Nothing changes for {named}.")
        return " ".join(told)

    def toml(self) -> str:
        """The changed rules as an overlay file."""
        return as_toml(self.rules, self.asked.chosen)

    def python(self) -> str:
        """The changed rules as lines of Python."""
        return as_python(self.rules, self.asked.chosen)


def _exact(value: Any) -> Fraction:
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


def refusal(error: RulesError) -> str:
    """Why some rules cannot be, as one says it to a class; the last good result stays."""
    problems: Sequence[Problem] = error.problems[:3]
    told = "; ".join(_plainly(one) for one in problems)
    more = len(error.problems) - len(problems)
    rest = f"; and {more} more" if more > 0 else ""
    return f"These rules do not go together: {told}{rest}. The charts show the last that did."


def _plainly(problem: Problem) -> str:
    """A problem without what only a writer of files can do about it."""
    text = problem.text.partition(", or write over")[0]
    return text if not problem.path or problem.path in text else f"{problem.path} {text}"


def opened(game: Source | Rules, *overlays: Source) -> tuple[str | Rules, tuple[str, ...]]:
    """What to study, and which overlays are ticked at first.

    A game of the shelf with overlays of the shelf can be changed freely; everything else is taken
    as it is.
    """
    rules = game if isinstance(game, Rules) else load(game, *overlays)
    shelf = {one.name: {entry.name for entry in one.overlays} for one in games()}
    if isinstance(game, str) and game in shelf and set(rules.overlays) <= shelf[game]:
        return game, rules.overlays
    return rules, ()
