"""The command line: a game checked, played, measured and compared from a terminal."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from . import __version__, lab, sheet
from .chain import chain, usual_policy
from .library import games, load, open_file
from .money import finance
from .money.compare import NAMED
from .paper import PAGES, SIZES, paper
from .play import fair, play, transcript
from .printed import as_rows, as_table, plain, shown
from .rents import COLUMNS as RENT_COLUMNS
from .rents import rent
from .rents.deeds import oddities
from .rents.table import columns
from .results import UNITS
from .rules import Problem, Rules, RulesError, unknown
from .tables import Landing, compare, landing
from .turn import Policy, leave, leave_at, mixed, stay

COLLINS = "readings/collins_jail"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status: 0 well, 1 something is wrong, 2 called wrongly."""
    if hasattr(sys.stdout, "reconfigure"):  # a terminal that lacks a sign shows ? instead
        sys.stdout.reconfigure(errors="replace")
    parser = _parser()
    if not (sys.argv[1:] if arguments is None else arguments):
        parser.print_help(sys.stderr)
        return 2
    options = parser.parse_args(arguments)
    try:
        status: int = options.run(options)
        sys.stdout.flush()
        return status
    except RulesError as error:
        print(f"boardrules: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # whoever read us has gone; say nothing more, not even at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="boardrules",
        description="What a money board game really does. Start with: boardrules tour",
        epilog="GAME is a name from 'boardrules games' or a TOML file. OVERLAY is a changed rule: "
        "a name from that list, or a TOML file of your own.",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    _command(commands, "tour", _tour, "a short look at a game: one turn, where you land, a rule")
    one = _command(commands, "games", _games, "the games and the changed rules there are for them")
    one.add_argument("game", metavar="GAME", nargs="?", help="only this game")

    one = _command(
        commands, "landing", _landing, "how often each square is landed on, in the long run"
    )
    _add_game(one)
    _add_jail(one)
    one.add_argument(
        "--per",
        choices=list(UNITS),
        default="roll",
        help="; ".join(f"{unit}: {what}" for unit, what in UNITS.items()) + " (default: roll)",
    )
    _add_format(one)

    one = _command(
        commands, "rent", _rent, "what deeds earn at every level, and when they have paid"
    )
    _add_game(one)
    _add_jail(one)
    one.add_argument(
        "--per",
        choices=["roll", "turn", "lap", "round"],
        default="roll",
        help="an opponent's roll, turn or lap, or a round of all opponents (default: roll)",
    )
    one.add_argument("--level", metavar="N", help="deed, set, 1 to 4 or hotel; number owned")
    one.add_argument(
        "--opponents", type=_count, default=1, metavar="N", help="for the payback (default: 1)"
    )
    _add_format(one)

    one = _command(
        commands, "finance", _finance, "borrow, save, or hold cash? what plans come to in the end"
    )
    _add_game(one)
    one.add_argument(
        "--months", type=_count, metavar="M", help="1 to 12 (default: as the rules say)"
    )
    one.add_argument(
        "--plan",
        dest="plans",
        nargs="+",
        action="extend",
        metavar="NAME",
        help=f"{', '.join(NAMED)}, or save_N: save, but keep N in hand (default: all)",
    )
    one.add_argument(
        "--players", type=_count, default=1, metavar="N", help="share commissions (default: 1)"
    )
    _add_format(one, exact=False)

    one = _command(commands, "play", _play, "some turns of one token, every step explained")
    _add_game(one)
    _add_jail(one)
    one.add_argument(
        "--turns", type=_count, default=10, metavar="N", help="how many turns (default: 10)"
    )
    one.add_argument(
        "--seed", type=int, default=1, metavar="S", help="same seed, same dice (default: 1)"
    )

    one = _command(commands, "diff", _diff, "what an overlay changes, rule by rule")
    one.add_argument("game", metavar="GAME")
    one.add_argument("overlays", metavar="OVERLAY", nargs="+")

    one = _command(commands, "sheet", _sheet, "a sheet of a game to fill in from your own box")
    one.epilog = (
        "Save it (boardrules sheet easy_money > mine.csv), open it in a spreadsheet, fill in what "
        "is empty or put an x into the column 'checked', and use the file as an OVERLAY: "
        "boardrules landing easy_money mine.csv"
    )
    _add_game(one)

    one = _command(commands, "paper", _paper, "a page to print: the board, sheets, the answers")
    one.epilog = "Save it (boardrules paper monopoly > board.html), open it in a browser, print it."
    _add_game(one)
    _add_jail(one)
    one.add_argument(
        "--page",
        choices=list(PAGES),
        default="board",
        help="; ".join(f"{page}: {what}" for page, what in PAGES.items()) + " (default: board)",
    )
    one.add_argument(
        "--per",
        choices=["roll", "turn", "visit"],
        default="roll",
        help="of what the shares are (default: roll)",
    )
    one.add_argument("--size", choices=list(SIZES), default="a4", help="of the paper (default: a4)")
    one.add_argument(
        "--decimal", choices=[".", ","], default=".", help="decimal point or comma (default: .)"
    )

    one = _command(commands, "check", _check, "whether ruleset files of your own are right")
    one.add_argument("files", metavar="FILE", nargs="+")

    one = _command(commands, "lab", _lab, "copy the lessons and open them in JupyterLab")
    one.add_argument(
        "--folder", type=Path, default=Path(lab.FOLDER), help="(default: ./%(default)s)"
    )
    one.add_argument("--copy-only", action="store_true", help="copy the lessons, open nothing")
    one.add_argument(
        "--solutions", action="store_true", help="for teachers: the lessons with solutions as well"
    )
    one.add_argument("--no-browser", action="store_true", help="start the server, open no browser")
    one = _command(commands, "html", _html, "run lessons and write them as web pages")
    one.add_argument("lessons", metavar="LESSON", type=Path, nargs="+", help="notebook files")
    one.add_argument(
        "--folder", type=Path, default=Path(), help="where to write them (default: here)"
    )
    return parser


def _command(commands: Any, name: str, run: Any, what: str) -> argparse.ArgumentParser:
    made: argparse.ArgumentParser = commands.add_parser(name, help=what, description=what)
    made.set_defaults(run=run, parser=made)
    return made


def _add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game, such as monopoly, or a TOML file")
    parser.add_argument("overlays", metavar="OVERLAY", nargs="*", help="changed rules")


def _add_jail(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--jail",
        metavar="HOW",
        type=_jail,
        help="leave: pay before the first roll (default); stay: never pay early; a number K: pay "
        f"before the K-th roll; collins: stay, with {COLLINS}; mixed:1/3: pay with that chance",
    )


def _add_format(parser: argparse.ArgumentParser, *, exact: bool = True) -> None:
    if exact:
        parser.add_argument("--exact", action="store_true", help="fractions n/d, not decimals")
    parser.add_argument(
        "--format",
        choices=["table", "csv", "json"],
        default="table",
        help="a table to read, CSV or JSON (default: table)",
    )


def _jail(text: str) -> tuple[Policy, tuple[str, ...]]:
    """What --jail says: a policy, and the overlay that goes with it."""
    named: dict[str, tuple[Policy, tuple[str, ...]]] = {
        "leave": (leave, ()),
        "stay": (stay, ()),
        "collins": (stay, (COLLINS,)),
    }
    if text in named:
        return named[text]
    try:
        if text.startswith("mixed:"):
            return mixed(*text.removeprefix("mixed:").split(",")), ()
        return leave_at(int(text)), ()
    except ValueError:  # a RulesError is one too
        raise argparse.ArgumentTypeError(
            f"{text!r} is none of leave, stay, collins, mixed:1/3, or a number from 1"
        ) from None


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1_000_000:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to 1,000,000")
    return int(text)


def _opened(options: argparse.Namespace) -> tuple[Rules, Policy]:
    """The ruleset and the policy that a command line asks for."""
    policy, brought = options.jail or (None, ())
    rules = load(options.game, *options.overlays, *brought)
    if policy is not None and rules.jail is None:
        options.parser.error(f"--jail: {rules.label} has no jail")
    return rules, policy or usual_policy(rules)


# ------------------------------------------------------------------------------ commands


def _games(options: argparse.Namespace) -> int:
    shelf = {game.name: game for game in games()}
    if options.game and options.game not in shelf:
        text = unknown("game", options.game, shelf)
        raise RulesError(options.game, [Problem("", "", text)])
    for game in [shelf[options.game]] if options.game else shelf.values():
        print(f"{game.name:<12} {game.title}. {game.description}")
        for overlay in game.overlays:
            print(f"    {overlay.name:<36} {overlay.description}")
        print()
    return 0


def _landing(options: argparse.Namespace) -> int:
    rules, policy = _opened(options)
    table = landing(rules, per=options.per, policy=policy, number=_number(options))
    rows: list[dict[str, Any]] = [
        {"square": row.number, "name": row.name, "probability": row.probability, "id": row.id}
        for row in table.rows
    ]
    if options.format == "table":
        wide = max(len(row.name) for row in table.rows)
        lines = [
            f"{row.number:>3}  {row.name:<{wide}}  "
            + (plain(row.probability) if options.exact else table.shown(row).rjust(9))
            for row in table.rows
        ]
        print(as_table(table.context.lines, lines, _note(rules)))
    else:
        print(as_rows(rows, table.context, options.format, _note(rules)))
    return 0


def _rent(options: argparse.Namespace) -> int:
    rules, policy = _opened(options)
    table = rent(
        rules,
        per=options.per,
        level=options.level,
        policy=policy,
        opponents=options.opponents,
        number=_number(options),
    )
    rows = [
        {**{column: getattr(row, column) for column in RENT_COLUMNS}, "id": row.id}
        for row in table.rows
    ]
    if options.format == "table":
        text = [[shown(row[column]) for column in RENT_COLUMNS] for row in rows]
        print(as_table(table.lines, columns([RENT_COLUMNS, *map(tuple, text)])))
    else:
        print(as_rows(rows, table.context, options.format))
    return 0


def _finance(options: argparse.Namespace) -> int:
    rules = load(options.game, *options.overlays)
    plans, months, players = options.plans or NAMED, options.months, options.players
    table = finance(rules, plans=plans, months=months, players=players)
    if options.format == "table":
        print(table)
    else:
        columns_ = table.columns()
        rows = [
            dict(zip(columns_, row, strict=True)) for row in zip(*columns_.values(), strict=True)
        ]
        for row, wealth in zip(rows, table.rows, strict=True):
            row["simplified"] = "; ".join(wealth.simplified)
        print(as_rows(rows, table.context, options.format))
    return 130 if table.missing else 0


def _number(options: argparse.Namespace) -> Any:
    return Fraction if options.exact else float


def _note(rules: Rules) -> str:
    if rules.overlays and rules.only_money_changed:
        return "these overlays change only rules of ownership and money: landing is as without them"
    if rules.changes and all(change.path.endswith(".name") for change in rules.changes):
        return "these overlays change only names: every number is as without them"
    return ""


def _play(options: argparse.Namespace) -> int:
    rules, policy = _opened(options)
    jail = f", jail: {policy.name}" if rules.jail else ""
    print(f"{rules.title}: {options.turns} turns, seed {options.seed}{jail}")
    print(f"overlays: {', '.join(rules.overlays) or 'none'}; evidence: {rules.weakest()}")
    if rules.caution:
        print(rules.caution)
    for line in transcript(play(rules, policy, fair(options.seed), turns=options.turns), rules):
        print(line if line.startswith(" ") else f"\n{line}")
    return 0


def _diff(options: argparse.Namespace) -> int:
    rules = load(options.game, *options.overlays)
    print(rules.label)
    for change in rules.changes:
        print(f"  {change.path}")
        print(f"    before: {plain(change.before)}")
        print(f"    after:  {plain(change.after)}    ({change.file})")
    if note := _note(rules):
        print(note)
    return 0


def _sheet(options: argparse.Namespace) -> int:
    print(sheet.write(load(options.game, *options.overlays).tree), end="")
    return 0


def _paper(options: argparse.Namespace) -> int:
    rules, policy = _opened(options)
    made = paper(
        rules,
        page=options.page,
        per=options.per,
        policy=policy,
        size=options.size,
        decimal=options.decimal,
    )
    # signs by number, so that the file is right whatever a terminal makes of letters
    print(made.html.encode("ascii", "xmlcharrefreplace").decode("ascii"), end="")
    return 0


def _check(options: argparse.Namespace) -> int:
    wrong = 0
    for file in options.files:
        if file.casefold().endswith(".csv"):
            wrong += 1
            print(f"{file}: a sheet is checked with its game: boardrules landing GAME {file}")
            continue
        try:
            rules = open_file(file)
            walk = chain(rules, number=float)
            landing(walk)
        except RulesError as error:
            wrong += 1
            print(error)
        else:
            squares, states = len(rules.squares), len(walk.states)
            print(f"{file}: fine. {rules.title}, {squares} squares, {states} states of a token")
            for odd in oddities(rules):
                print(f"  odd, but allowed: {odd.path}: {odd.text}")
    return 1 if wrong else 0


def _tour(_: argparse.Namespace) -> int:
    for line in _tour_lines():
        print(line)
    return 0


def _tour_lines() -> Iterator[str]:
    rules = load("monopoly")
    yield "What does a money board game really do? A short look at Monopoly."
    yield ""
    yield "1. ONE TURN. Dice are thrown, the rules do the rest; in brackets the rule's number."
    for line in transcript(play(rules, leave, fair(_TOUR_SEED), turns=1), rules):
        yield f"   {line}"
    yield ""
    yield "2. WHERE YOU LAND. Not every square is as likely as the next. The ten most visited,"
    yield "   as shares of all rolls in the long run, computed exactly, not by trying:"
    table: Landing[Fraction] = landing(rules)
    for row in table.most(10):
        yield f"     {row.name:<24} {100 * float(row.probability):.4f} %"
    fair_share = 100 / (len(rules.squares))
    yield f"   If all {len(rules.squares)} squares were alike, each had {fair_share:.4f} %."
    yield ""
    yield "3. A CHANGED RULE. What if there were no jail? The squares that notice it most:"
    for row, old, new in compare(table, load("monopoly", "no_jail")).changed(6):
        change = 100 * float(new - old)
        shares = f"{100 * float(old):.4f} % -> {100 * float(new):.4f} %"
        yield f"     {row.name:<24} {shares} ({change:+.4f})"
    yield ""
    yield "NOW YOU. See all games and rules:   boardrules games"
    yield "         Change a rule:             boardrules landing monopoly four_sided_dice"
    yield "         Step through turns:        boardrules play payday"
    python = _python()
    if lab.can_open():
        yield f"Open the lessons:                   {python} -m boardrules lab"
    else:
        yield f'For the lessons, first:             {python} -m pip install "boardrules[lab]"'
        yield f"then open them with:                {python} -m boardrules lab"
    yield f"(without activating the environment, say {python} -m boardrules for boardrules)"


_TOUR_SEED = 548
"""A turn in which much happens."""


def _python() -> str:
    """How to call this Python from here."""
    executable = Path(sys.executable)
    try:
        return str(executable.relative_to(Path.cwd()))
    except ValueError:
        return "python"


def _html(options: argparse.Namespace) -> int:
    for lesson in options.lessons:
        if not lesson.is_file():
            options.parser.error(f"no such file: {lesson}")
    if not lab.can_open():
        print('This needs the lessons\' packages: pip install "boardrules[lab]"', file=sys.stderr)
        return 1
    try:
        for line in lab.export(options.lessons, options.folder):
            print(line)
    except (OSError, lab.ExportError) as error:
        print(f"boardrules: {error}", file=sys.stderr)
        return 1
    return 0


def _lab(options: argparse.Namespace) -> int:
    try:
        for line in lab.copy_lessons(options.folder, solutions=options.solutions):
            print(line)
    except OSError as error:
        print(f"boardrules: cannot write to {options.folder}: {error.strerror}", file=sys.stderr)
        return 1
    print(f"The lessons are in {options.folder}")
    if options.copy_only:
        return 0
    if not lab.can_open():
        print(
            'To open them: pip install "boardrules[lab]", then this command again', file=sys.stderr
        )
        return 1
    print("Opening JupyterLab; start with 00_start_here.ipynb. To end, press Ctrl-C here.")
    return lab.open_lab(options.folder, browser=not options.no_browser)


if __name__ == "__main__":
    sys.exit(main())
