"""What is shown at each pause of a game: the question, the chances, what happened and why.

Knows nothing of notebooks; the stepper shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from ..board import CIVIDIS, Picture, percent, svg
from ..chain import Chain, chain
from ..decimals import Decimal, shown_with
from ..effects import Ask, Draw, Throw
from ..events import turns
from ..measure import after
from ..play import Move, Reply, Told, Walk, ask, fair, scripted, sentences, to_come
from ..results import context
from ..rules import Problem, Rules, RulesError
from ..tables import law
from ..turn import Policy, State, Thrown, begin, options, start_from
from .route import Leg, place_of, route

LONGEST_ANSWER = 200
"""Longer answers are cut off here."""
MOST_STATES = 4_000
"""A larger walk is played without heat: nobody likes to wait in the middle of a lesson."""


@dataclass(frozen=True, slots=True)
class Chance:
    """One possible answer to a question: what it is called, and how likely it is."""

    name: str
    chance: Fraction
    text: str


LONGEST_SCRIPT = 1_000


class Luck:
    """The answers of a lesson: those of a script first, then chance.

    What somebody forces is remembered by its place.  Which way the lesson goes on is decided by
    the seed, the script and what was forced, and never by how far somebody has looked ahead.
    """

    def __init__(self, seed: int, script: Sequence[Told] = ()) -> None:
        self._seed, self._script = seed, tuple(script)
        self._forced: set[int] = set()
        self._policy: Policy | None = None
        self._answer = scripted(self._script, fair(seed))

    def __call__(self, state: State, rules: Rules, policy: Policy) -> Reply:
        """The next answer of the script, or of chance when it has come to its end."""
        self._policy = policy
        return self._answer(state, rules, policy)

    def recall(self, moves: Sequence[Move], rules: Rules) -> None:
        """Go on after these moves, the last of which was forced, as if nothing else had been."""
        last = len(moves) - 1
        self._forced = {place for place in self._forced if place < last} | {last}
        kept = self._script[: min(self._forced)]  # a script tells of the game as it was
        self._answer = scripted(kept, fair(self._seed))
        for place, move in enumerate(moves):
            if place not in self._forced and self._policy is not None:
                self._answer(move.before, rules, self._policy)


def checked_script(
    rules: Rules, policy: Policy | None, script: Sequence[Told], first: State
) -> tuple[Told, ...]:
    """A script that fits the game, played through once; raises `RulesError` if it does not."""
    if isinstance(script, str) or not isinstance(script, Sequence) or len(script) > LONGEST_SCRIPT:
        text = f"needs a list of at most {LONGEST_SCRIPT:,} answers, such as ['5+2', 'back_three']"
        raise RulesError(rules.label, [Problem("", "script", text)])
    walk = Walk(rules, policy, scripted(script), first)
    while walk.forward() is not None:
        pass
    return tuple(script)


class Lesson:
    """A game to walk through, and all that is shown beside the board at each pause.

    The same seed and the same `script` of first answers give the same lesson.  It begins on the
    square `start`, or at the start of the game.  Raises `RulesError` for a policy that the rules
    do not allow, no such square, or a script that does not fit.
    """

    def __init__(
        self,
        rules: Rules,
        policy: Policy | None = None,
        seed: int = 1,
        start: str = "",
        script: Sequence[Told] = (),
    ) -> None:
        self.rules = rules
        self.seed = seed
        first = start_from(rules, start) if start else begin(rules)
        told = checked_script(rules, policy, script, first)
        self.walk = Walk(rules, policy, Luck(seed, told), first)
        self.message = ""
        self._chains: list[Chain[float]] = []
        self._too_large = False
        self._confessed: str | None = None

    @property
    def place(self) -> str:
        """Where the token stands: the id of a square, or "in_jail"."""
        return place_of(self.walk.state.token, self.rules)

    @property
    def way(self) -> tuple[Leg, ...]:
        """How the token came here in the last move."""
        return route(self.walk.last, self.rules) if self.walk.last else ()

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
            self.message = plain(error)
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
            self.message = plain(error)

    # ---- what is shown

    def panel(self, ends: Mapping[str, float]) -> dict[str, Any]:
        """All that is written beside the board, as plain data; `ends` is what `ends()` found."""
        told: dict[str, Any] = {
            "title": f"{self.rules.title}, turn {self.walk.turn}",
            "story": list(self.story),
            "now": self.question,
            "coming": list(self.coming) if len(self.coming) > 1 else [],
            "caption": self.caption,
            "answers": [[one.name, one.text, float(one.chance)] for one in self.chances()],
            "note": self._caution() if self._chains else "",
        }
        if ends:
            told["scale"] = {
                "colours": list(CIVIDIS),
                "low": "0%",
                "top": percent(max(ends.values())),
                "text": "Colours: the chance that this turn ends there",
            }
        return told

    def _caution(self) -> str:
        """What has to be confessed about the evidence; looked up once, as it is long in finding."""
        if self._confessed is None:
            self._confessed = context(self._chains[0], "turn").caution
        return self._confessed

    def said(self) -> str:
        """What is read out after each move."""
        return " ".join([*self.story, self.question])

    def picture(self, decimal: Decimal = ".") -> Picture:
        """The board as it stands, as a still picture."""
        title = f"{self.rules.title}: where this turn ends"
        show = shown_with(decimal, percent)
        return svg(self.rules, self.ends(), self.place, title, show=show)


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


def plain(error: RulesError) -> str:
    """A refusal as one says it to a pupil."""
    texts = (problem.text for problem in error.problems)
    words = "; ".join(f"this question {text}" if text.startswith("needs") else text
                      for text in texts)  # fmt: skip
    return f"That does not fit: {words}."
