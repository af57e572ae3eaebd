"""A whole game as a film: played here, sent once, and shown by the browser alone.

The browser needs nobody for it afterwards: no kernel, no internet.  So a film plays on in a
notebook that was exported as a page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..board import IN_JAIL, Picture, Piece, Scene, full_names, layout, shade, svg
from ..chain import usual_policy
from ..decimals import Decimal, checked, written
from ..library import Source, load
from ..play import Told, Walk, ask, fair, scripted, sentences
from ..results import STOPS, Context
from ..rules import Problem, Rules, RulesError, unknown
from ..tables import landing
from ..turn import Policy, State, begin, start_from
from .paper import Board, deeds_of, pieces_of
from .pause import LONGEST_SCRIPT
from .route import Leg, place_of, route
from .stepper import HIGHEST_SEED

MOST_TURNS = 1_000
"""A film of more turns would be slow to send and to keep."""
MOST_SHOTS = 5_000
SHADES = 48
"""How many steps of colour the counts have."""


@dataclass(frozen=True, slots=True)
class Shot:
    """What is shown at one moment: where the token that moved stands, and what is told.

    `turn` is the turn under way, `way` how the token came to `square`, `counted` the squares that
    are counted here, `who` the place of the token that moved, and `scene` who owns what from here
    on, if that has changed.
    """

    turn: int
    square: str
    story: tuple[str, ...]
    now: str
    way: tuple[Leg, ...] = ()
    counted: tuple[str, ...] = ()
    who: int = 0
    scene: Scene | None = None


@dataclass(frozen=True, slots=True)
class Reel:
    """A film before it is shown: the shots in order, and what the counts are compared with.

    `pieces` are the tokens, `starts` where they stand until they first move; `long` are shares in
    the long run by square, empty where they are not known; `small` is the small print.
    """

    rules: Rules
    turns: int
    per: str
    shots: tuple[Shot, ...]
    small: str = ""
    pieces: tuple[Piece, ...] = (Piece(""),)
    starts: tuple[str, ...] = ()
    long: Mapping[str, float] = field(default_factory=dict)

    @property
    def counts(self) -> Counter[str]:
        """How often each square has been counted in the end."""
        return Counter(square for shot in self.shots for square in shot.counted)

    @property
    def begins(self) -> tuple[str, ...]:
        """Where the tokens stand until they first move."""
        return self.starts or (self.shots[0].square,) * len(self.pieces)

    @property
    def end(self) -> Scene:
        """Where everybody stands and who owns what in the end."""
        at = list(self.begins)
        last = Scene()
        for shot in self.shots:
            at[shot.who] = shot.square
            last = shot.scene or last
        return Scene(self.pieces, tuple(at), last.owners, last.built)


class Film(Board):
    """A film on its board; shows itself as the last line of a cell.  Made by `film`."""

    def __init__(
        self, reel: Reel, name: str = "", *, heat: bool = True, decimal: Decimal = "."
    ) -> None:
        self.reel, self._name, self._heated = reel, name or reel.rules.label, heat
        shown = told(reel, heat=heat, decimal=checked(decimal))
        super().__init__(reel.rules, decimal=decimal, film=shown)

    def picture(self) -> Picture:
        """How it ends, as a still picture."""
        reel = self.reel
        counts = reel.counts if self._heated else Counter()
        what = f"{' '.join(_COUNTED[reel.per])}; {reel.small}" if self._heated else reel.small
        title = f"{reel.rules.title}: {reel.turns} turn{'s' * (reel.turns != 1)}"
        return svg(
            reel.rules,
            counts,
            title=title,
            subtitle=written(what, self.decimal),
            players=reel.end,
            show=lambda count: f"{count:g}",
        )

    def __repr__(self) -> str:
        return f"<Film of {self._name}>"


_COUNTED = {
    "roll": ("Where", "rolls ended"),
    "turn": ("Where", "turns ended"),
    "visit": ("All", "stops"),
    "lap": ("All", "stops"),
}
"""What has been counted, with room for the number between."""


def told(reel: Reel, *, heat: bool, decimal: Decimal = ".") -> dict[str, Any]:
    """A film as the plain data that `film.js` plays."""

    def say(text: str) -> str:
        return written(text, decimal)

    rules, board = reel.rules, layout(reel.rules)
    scenes = (deeds_of(shot.scene, board) if shot.scene else None for shot in reel.shots)
    return {
        "title": rules.title,
        "turns": reel.turns,
        "decimal": decimal,
        "heat": heat,
        "counted": list(_COUNTED[reel.per]),
        "compared": "; in brackets: the long run" if reel.long else "",
        "note": say(reel.small),
        "names": full_names(board),
        "shades": [shade(step / (SHADES - 1)) for step in range(SHADES)],
        "long": dict(reel.long) if heat else {},
        "pieces": pieces_of(Scene(reel.pieces)),
        "starts": list(reel.begins),
        "shots": [
            {
                "turn": shot.turn,
                "at": shot.square,
                "story": [say(line) for line in shot.story],
                "now": say(shot.now),
                "way": [list(leg) for leg in shot.way],
                "count": list(shot.counted),
                "who": shot.who,
                **({"scene": drawn} if drawn else {}),
            }
            for shot, drawn in zip(reel.shots, scenes, strict=True)
        ],
    }


# -------------------------------------------------------------------------------- shooting


def film(
    game: Rules | Source = "monopoly",
    *overlays: Source,
    turns: int = 20,
    seed: int = 1,
    policy: Policy | None = None,
    script: Sequence[Told] = (),
    start: str = "",
    per: str = "roll",
    heat: bool = True,
    decimal: Decimal = ".",
) -> Film:
    """Play some turns of one token, and show them as a film that can be stopped anywhere.

    The film shows how often rolls have ended on each square so far (`heat`; `per` may be "roll",
    "turn", "visit" or "lap") beside the long run, tells every step, and needs no kernel once it
    is there.  The same seed, with the same `script` of first answers, gives the same film.
    `decimal=","` writes numbers with a comma.
    Raises `RulesError` for more than 1,000 turns, and for whatever `boardrules.widgets.stepper`
    refuses.
    """
    rules = game if isinstance(game, Rules) else load(game, *overlays)
    _check(rules, overlays if isinstance(game, Rules) else (), turns, seed, script, per)
    policy = policy or usual_policy(rules)
    first = start_from(rules, start) if start else begin(rules)
    walk = Walk(rules, policy, scripted(script, fair(seed)), first)
    shots = tuple(_shots(walk, turns, per, first))
    small = Context(rules, per, policy.name if rules.jail else "").lines[1:]
    note = "; ".join((f"seed {seed}", *(("a script first",) if script else ()), *small))
    reel = Reel(rules, turns, per, shots, note, long=_long_run(rules, policy, per) if heat else {})
    return Film(reel, f"{rules.label}, {turns} turns, seed {seed}", heat=heat, decimal=decimal)


def _check(
    rules: Rules, overlays: Sequence[Source], turns: int, seed: int, script: object, per: str
) -> None:
    problems = []
    if overlays:
        problems.append(Problem("", "", "these rules are loaded already; give overlays to load()"))
    for name, value, low, high in (
        ("turns", turns, 1, MOST_TURNS),
        ("seed", seed, 0, HIGHEST_SEED),
    ):
        whole = isinstance(value, int) and not isinstance(value, bool)
        if not whole or not low <= value <= high:
            text = f"needs a whole number, {low} to {high:,}, not {str(value)[:20]!r}"
            problems.append(Problem("", name, text))
    if per not in STOPS:
        problems.append(Problem("", "per", unknown("unit", str(per), STOPS)))
    if isinstance(script, str) or not isinstance(script, Sequence) or len(script) > LONGEST_SCRIPT:
        text = f"needs a list of at most {LONGEST_SCRIPT:,} answers, such as ['5+2', 'back_three']"
        problems.append(Problem("", "script", text))
    if problems:
        raise RulesError(f"a film of {rules.label}", problems)


def _shots(walk: Walk, turns: int, per: str, first: State) -> Iterator[Shot]:
    """The moment before the first throw, and one for every answer."""
    rules, stop = walk.rules, STOPS[per]
    yield Shot(1, place_of(first.token, rules), (), ask(first, rules))
    count = 0
    while walk.turn <= turns:
        count += 1
        if count > MOST_SHOTS:
            text = f"asks more than {MOST_SHOTS:,} questions in {walk.turn} turns; ask for fewer"
            raise RulesError(f"a film of {rules.label}", [Problem("", "turns", text)])
        move = walk.forward()
        assert move is not None  # chance goes on where a script ends
        stops = (stop(event) for event in move.events)
        counted = (IN_JAIL if found[1] else found[0] for found in stops if found)
        over = walk.turn > turns
        yield Shot(
            min(walk.turn, turns),
            place_of(move.after.token, rules),
            sentences(move, rules),
            f"The film is over, after {turns} turn{'s' * (turns != 1)}."
            if over
            else ask(move.after, rules),
            route(move, rules),
            tuple(counted),
        )


def _long_run(rules: Rules, policy: Policy, per: str) -> dict[str, float]:
    """The shares in the long run; empty where the walk is too large to be solved."""
    try:
        rows = landing(rules, per=per, policy=policy, number=float).rows
    except RulesError:
        return {}
    whole = sum(row.probability for row in rows)  # in a lap there may be more than one stop
    return {row.id: row.probability / whole for row in rows}
