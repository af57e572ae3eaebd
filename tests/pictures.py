"""Takes a picture of every chart, board and widget, for eyes that have not seen them before.

    python tests/pictures.py FOLDER [WORD ...]
    python tests/pictures.py --readme

With words, only pictures with one of them in their names are taken.  Charts come in three pictures,
as wide as a notebook, as a class sees them on a projector of 1366 x 768 (what is below its edge is
cut off), and in greys; boards and widgets in the first two; what needs a kernel stands in a real
JupyterLab.  A new chart needs a line in `CHARTS`: `test_pictures.py` asks for it.  With `--readme`
the pictures of the README are made anew.
"""

from __future__ import annotations

import base64
import importlib.util
import json
import struct
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
from playwright.sync_api import Browser, Page, sync_playwright

from boardrules import finance, landing, leave, load, rent, stay
from boardrules.board import Picture, svg
from boardrules.chain import Chain, chain
from boardrules.charts import approach_chart, landing_chart
from boardrules.decimals import figure
from boardrules.money.beside import loans_beside
from boardrules.money.best import best
from boardrules.money.insurance import best_insurance
from boardrules.money.month import month
from boardrules.money.plans import Game
from boardrules.money.trade import best_trade
from boardrules.money_charts import (
    balance_fan,
    beside_chart,
    deal_chart,
    decision_map,
    deposit_chart,
    gap_chart,
    growth_chart,
    insurance_map,
    interest_chart,
    month_chart,
    plan_chart,
    trade_map,
)
from boardrules.quick import numbers_of
from boardrules.rent_charts import horizon_chart, income_map, payback_chart, rent_ladder
from boardrules.rents.groups import groups
from boardrules.rents.payback import payback
from boardrules.results import as_chain
from boardrules.side_by_side import (
    View,
    beside,
    difference_chart,
    differences,
    incomes_beside,
    landings_beside,
    paybacks_beside,
    rents_beside,
)
from boardrules.tallies import read, squares_of, sums_of, tally_chart, verdict
from boardrules.widgets import Board, Choice, Controls, Group, Slider, Tick, film, quiz, stepper
from boardrules.widgets.tally import TallyForm, tallies

NOTEBOOK, PROJECTOR = (1000, 700), (1366, 768)
GREY = "html { filter: grayscale(1) }"


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture to be taken: its name, whose work it shows, how that is made, what is pressed."""

    name: str
    shows: Callable[..., Any]
    make: Callable[[], Any]
    press: Sequence[str] = ()


# ------------------------------------------------------------------ what several pictures need


@lru_cache
def payday() -> Chain[Any]:
    return as_chain("payday")


@lru_cache
def monopoly() -> Chain[Any]:
    return chain(load("monopoly"), leave, float)


def numbers(*overlays: str) -> Any:
    return numbers_of(chain(load("monopoly", *overlays), leave, float))


def counted(question: str) -> Any:
    """What an invented class has counted on Monopoly."""
    rules = load("monopoly")
    form = tallies(rules, question=question)
    text, pupils = form.example(question)
    if question == "throw":
        return verdict(read(text, sums_of(rules)), rules)
    return verdict(read(text, squares_of(rules)), monopoly(), per="roll", pupils=int(pupils))


PLAYERS = {
    "Anna": {"square": "new_york", "deeds": {"boardwalk": "hotel", "park_place": 4}},
    "Ben": {"square": "jail", "jailed": 2, "deeds": ["short_line", "electric_company"]},
    "Cleo": {"square": "new_york", "deeds": {"illinois": 2}},
}
"""A position of three at the table."""

# ------------------------------------------------------------------------------- the pictures

CHARTS: tuple[Shot, ...] = (
    Shot("landing_monopoly", landing_chart, lambda: landing_chart(landing(monopoly()))),
    Shot(
        "landing_payday_two",
        landing_chart,
        lambda: landing_chart(
            landing("payday", per="lap"), landing("payday", "no_daylight", per="lap")
        ),
    ),
    Shot(
        "landing_most_comma",
        landing_chart,
        lambda: figure(landing_chart(landing(monopoly()), order="share", most=10)),
    ),
    Shot("landing_easy_money", landing_chart, lambda: landing_chart(landing("easy_money"))),
    Shot("landing_corner_shop", landing_chart, lambda: landing_chart(landing("corner_shop"))),
    Shot(
        "approach",
        approach_chart,
        lambda: approach_chart("monopoly", "easy_money", "payday", "corner_shop"),
    ),
    Shot(
        "ladder_street",
        rent_ladder,
        lambda: rent_ladder(rent("monopoly", number=float), "boardwalk"),
    ),
    Shot(
        "ladder_groups",
        rent_ladder,
        lambda: rent_ladder(
            groups("monopoly", per="turn", number=float), "orange", "light_blue", "dark_blue"
        ),
    ),
    Shot(
        "payback",
        payback_chart,
        lambda: payback_chart(
            *(
                payback(monopoly(), deed=name, level="hotel", opponents=3)
                for name in ("new_york", "boardwalk", "oriental")
            )
        ),
    ),
    Shot(
        "horizon_rank",
        horizon_chart,
        lambda: horizon_chart(groups("monopoly", per="turn", number=float)),
    ),
    Shot(
        "horizon_money",
        horizon_chart,
        lambda: horizon_chart(groups("monopoly", per="turn", number=float), show="money"),
    ),
    Shot(
        "beside_landings",
        landings_beside,
        lambda: landings_beside("monopoly", ("monopoly", "no_jail")),
    ),
    Shot(
        "beside_incomes",
        incomes_beside,
        lambda: incomes_beside("monopoly", ("monopoly", "double_go"), ("monopoly", "no_jail")),
    ),
    Shot("beside_rents", rents_beside, lambda: rents_beside("monopoly", ("monopoly", "no_jail"))),
    Shot("beside_rents_easy_money", rents_beside, lambda: rents_beside("easy_money")),
    Shot(
        "beside_paybacks",
        paybacks_beside,
        lambda: paybacks_beside("monopoly", ("monopoly", "no_jail"), level=3, opponents=3),
    ),
    Shot(
        "beside_ghost",
        beside,
        lambda: beside(
            View("landing"),
            (numbers(), numbers("house/no_jail")),
            names=("as printed", "your rules"),
            ghost=True,
        ),
    ),
    Shot(
        "differences_landing",
        differences,
        lambda: differences("monopoly", ("monopoly", "no_jail")),
    ),
    Shot(
        "differences_income",
        difference_chart,
        lambda: difference_chart(View("income"), numbers(), numbers("house/no_jail")),
    ),
    Shot("tally_throws", tally_chart, lambda: tally_chart(counted("throw"))),
    Shot("tally_squares_comma", tally_chart, lambda: tally_chart(counted("roll"), ",")),
    Shot("money_month", month_chart, lambda: month_chart(month(payday()))),
    Shot("money_fan", balance_fan, lambda: balance_fan(Game(payday(), 3), "hold", "save")),
    Shot(
        "money_plans",
        plan_chart,
        lambda: plan_chart(finance(payday(), months=2, plans=["hold", "repay", "save"])),
    ),
    Shot("money_interest", interest_chart, lambda: interest_chart("payday")),
    Shot("money_growth", growth_chart, lambda: growth_chart("payday")),
    Shot("money_gap", gap_chart, lambda: gap_chart("payday")),
    Shot("money_deposit", deposit_chart, lambda: deposit_chart("payday")),
    Shot("money_deal", deal_chart, lambda: deal_chart("payday")),
    Shot("money_decision", decision_map, lambda: decision_map(best(payday(), months=2))),
    Shot("money_trade", trade_map, lambda: trade_map(best_trade(payday(), months=2, players=4))),
    Shot(
        "money_insurance",
        insurance_map,
        lambda: insurance_map(best_insurance(payday(), "health_insurance", months=2)),
    ),
    Shot(
        "money_beside",
        beside_chart,
        lambda: beside_chart(loans_beside(games=["monopoly"]).only("payday", "boardwalk")),
    ),
)

BOARDS: tuple[Shot, ...] = (
    *(
        Shot(f"board_{name}", svg, lambda name=name: svg(load(name)))
        for name in ("monopoly", "easy_money", "payday", "corner_shop")
    ),
    *(
        Shot(
            f"board_{name}_heat",
            svg,
            lambda name=name: svg(
                load(name),
                landing(name, number=float),
                title=f"{load(name).title}: where a roll ends",
                subtitle="; ".join(landing(name, number=float).context.lines[1:]),
            ),
        )
        for name in ("monopoly", "easy_money", "payday", "corner_shop")
    ),
    Shot("board_monopoly_players", svg, lambda: svg(load("monopoly"), players=PLAYERS)),
    Shot(
        "board_monopoly_players_heat",
        svg,
        lambda: svg(load("monopoly"), landing(monopoly()), players=PLAYERS),
    ),
    Shot(
        "board_german",
        svg,
        lambda: svg(load("monopoly", "names/deutsch"), landing(monopoly()), "go"),
    ),
    Shot(
        "income_map_monopoly",
        income_map,
        lambda: income_map(rent("monopoly", policy=stay, per="turn", number=float), level="hotel"),
    ),
    Shot(
        "income_map_easy_money",
        income_map,
        lambda: income_map(rent("easy_money", number=float)),
    ),
)


def readme_board() -> Picture:
    """The picture that opens the README; exact, so that it is the same on every machine."""
    return svg(load("monopoly"), landing("monopoly"), title="Monopoly: where rolls end")


def _stepped(*script: str) -> Board:
    """A stepper after some answers."""
    steps = stepper("monopoly", script=script)
    for _ in script:
        steps.forward()
    return steps.board


def _board(name: str) -> Board:
    return Board(load(name), landing(name, number=float), load(name).squares[1].id)


def _form() -> Controls:
    fine = Slider("fine", "Jail fine", 0, 200, 5, 50, "$", "What leaving jail costs.")
    unit = Choice("unit", "Unit", (("per roll", "roll"), ("per turn", "turn")), "roll")
    spread = Choice("chart", "Chart", (("Landing", "l"), ("Rents", "r")), "l", spread=True)
    ticks = (Tick("go", "Double salary", True, "On GO one gets twice as much."),)
    groups = (Group("Money", (fine,)), unit, spread, Group("House rules", ticks))
    return Controls(groups, buttons=("Reset",), title="Rules", find="Find a rule")


def _tally_form() -> TallyForm:
    form = tallies("monopoly")
    form.form.text = "pupil 1: 7, 8, 3\npupil 2: 7 7 13"
    form.show()
    return form.form


WIDGETS: tuple[Shot, ...] = (
    *(
        Shot(f"widget_board_{name}", Board, lambda name=name: _board(name))
        for name in ("monopoly", "easy_money", "payday", "corner_shop")
    ),
    Shot("widget_board_players", Board, lambda: Board(load("monopoly"), players=PLAYERS)),
    Shot("widget_stepper_start", stepper, lambda: stepper("monopoly").board),
    Shot("widget_stepper_card", stepper, lambda: _stepped("3+4", "back_three", "2+1")),
    Shot("widget_stepper_turn_2", stepper, lambda: _stepped("3+4", "back_three")),
    Shot("widget_stepper_payday", stepper, lambda: stepper("payday", seed=3).board),
    Shot("widget_stepper_corner_shop", stepper, lambda: stepper("corner_shop").board),
    Shot(
        "widget_board_comma",
        Board,
        lambda: Board(load("corner_shop", "deutsch"), landing("corner_shop"), decimal=","),
    ),
    Shot("widget_film", film, lambda: film("monopoly", turns=20)),
    Shot("widget_film_later", film, lambda: film("monopoly", turns=20), ("Step",) * 24),
    Shot("widget_film_corner_shop", film, lambda: film("corner_shop", turns=20), ("Step",) * 24),
    Shot("widget_film_payday", film, lambda: film("payday", turns=20), ("Step",) * 24),
    Shot(
        "widget_quiz",
        quiz,
        lambda: quiz("In how many ways can two dice show seven?", 6, "Count 1+6 and 6+1.", "Yes."),
    ),
    Shot("widget_controls", Controls, _form),
    Shot("widget_tally_form", tallies, _tally_form),
)
"""Widgets that need no kernel to be drawn."""

LAB: tuple[tuple[str, str, str], ...] = (
    (
        "lab_stepper",
        "from boardrules.widgets import stepper\nstepper('monopoly')",
        ".boardrules svg",
    ),
    ("lab_film", "from boardrules.widgets import film\nfilm('payday', turns=9)", ".boardrules svg"),
    (
        "lab_explorer",
        "from boardrules.widgets import explorer\nexplorer('monopoly', 'no_jail')",
        ".js-plotly-plot .bars",
    ),
    (
        "lab_savings",
        "from boardrules.widgets.savings import savings\nsavings()",
        ".js-plotly-plot .scatterlayer",
    ),
    (
        "lab_explorer_comma",
        "from boardrules.widgets import explorer\nexplorer('payday', 'no_daylight', decimal=',')",
        ".js-plotly-plot .bars",
    ),
    (
        "lab_savings_comma",
        "from boardrules.widgets.savings import savings\nsavings(months=2, decimal=',')",
        ".js-plotly-plot .scatterlayer",
    ),
    (
        "lab_tallies",
        "from boardrules.widgets import tallies\nseen = tallies('monopoly', question='roll')\n"
        "text, pupils = seen.example('roll')\n"
        "tallies('monopoly', question='roll', text=text, pupils=int(pupils))",
        ".js-plotly-plot .bars",
    ),
)
"""Whole widgets in a notebook: a name, the cell, and what is there when it is drawn."""

README: tuple[tuple[str, str], ...] = (
    ("stepper.png", "widget_stepper_turn_2"),
    ("which_group.png", "horizon_rank"),
)
"""The pictures of the README beside its board: files, and which pictures they are."""

PICTURES = Path(__file__).parents[1] / "notebooks" / "pictures"

# -------------------------------------------------------------------------------- the camera

MOUNT = """async ([source, state]) => {
  const model = {
    get: (name) => structuredClone(state[name]), set: () => {}, on: () => {}, off: () => {},
    save_changes: () => {}, send: () => {},
  };
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const { default: widget } = await import(url);
  widget.render({ model, el: document.getElementById("here") });
  await document.fonts.ready;
}"""
"""A model made of thin air in place of a kernel."""

EMPTY = (
    "<!doctype html><html lang=en><style>body { margin: 0; background: #fff }</style>"
    "<main id=here></main></html>"
)
DRAW = """async (figure) => {
  await Plotly.newPlot("here", figure.data, figure.layout, { responsive: true });
  await document.fonts.ready;
}"""


DONE = """() => window.jupyterapp.shell.currentWidget.sessionContext
  .session?.kernel?.status === "idle\""""
"""The kernel has nothing left to do."""


def _state(widget: Any) -> dict[str, Any]:
    """What is sent to a browser, except what only ipywidgets understand."""
    names = [name for name in widget.keys if not name.startswith("_")]
    own = {name: getattr(widget, name) for name in names if name not in ("layout", "tabbable")}
    plain: dict[str, Any] = json.loads(json.dumps(own, default=str))
    return plain


def _put(page: Page, made: Any) -> None:
    """Put whatever was made into an empty page, and wait until it is drawn."""
    page.set_content(EMPTY)
    if hasattr(made, "to_json"):
        import plotly.offline

        page.add_script_tag(content=plotly.offline.get_plotlyjs())
        page.evaluate(DRAW, json.loads(made.to_json()))
        page.locator(".js-plotly-plot .main-svg").first.wait_for()
    elif hasattr(made, "_esm"):
        page.evaluate(MOUNT, [str(made._esm), _state(made)])
    else:
        page.evaluate("(html) => { here.innerHTML = html }", made._repr_html_())


def take(browser: Browser, shot: Shot, folder: Path) -> list[Path]:
    """Take the pictures of one thing: a notebook's width, a projector, and charts in greys."""
    made = shot.make()
    files = []
    for (width, height), ending in ((NOTEBOOK, "notebook"), (PROJECTOR, "projector")):
        page = browser.new_page(viewport={"width": width, "height": height})
        page.emulate_media(reduced_motion="reduce")
        _put(page, made)
        for button in shot.press:
            page.get_by_role("button", name=button, exact=True).click()
        files.append(folder / f"{shot.name}-{ending}.png")
        page.screenshot(path=files[-1], full_page=ending == "notebook", animations="disabled")
        if ending == "notebook" and hasattr(made, "to_json"):
            page.add_style_tag(content=GREY)
            files.append(folder / f"{shot.name}-grey.png")
            page.screenshot(path=files[-1], full_page=True)
        page.close()
    return files


def take_lab(browser: Browser, shots: Sequence[tuple[str, str, str]], folder: Path) -> list[Path]:
    """Take pictures of cells in JupyterLab, each in a notebook of its own."""
    rig = _rig()
    files = []
    with _home() as home:
        more = ("--LabApp.expose_app_in_browser=True", "--LabApp.news_url=None")
        with rig.served("jupyterlab", home, *rig.OPEN, *more) as (url, work):
            for name, code, drawn in shots:
                note = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
                note.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
                nbformat.write(note, work / f"{name}.ipynb")
                width, height = PROJECTOR
                page = browser.new_page(viewport={"width": width, "height": height})
                page.set_default_timeout(60_000)
                page.goto(f"{url}/lab/tree/{name}.ipynb?reset")
                rig.run_all(page)
                page.locator(drawn).first.wait_for()
                page.wait_for_function(DONE)
                page.add_style_tag(content=".Toastify { display: none }")
                output = page.locator(".jp-OutputArea-output").first
                files.append(folder / f"{name}-projector.png")
                page.screenshot(path=files[-1], animations="disabled")
                # a window so high that the whole output is seen
                page.set_viewport_size({"width": width, "height": 2600})
                output.scroll_into_view_if_needed()
                files.append(folder / f"{name}-whole.png")
                output.screenshot(path=files[-1], animations="disabled")
                page.close()
    return files


def make_readme(browser: Browser) -> Iterator[Path]:
    """Make the pictures of the README: its board, and what stands in `README`."""
    yield readme_board().save(PICTURES / "monopoly_landing.svg")
    shots = {shot.name: shot for shot in (*CHARTS, *WIDGETS)}
    for file, name in README:
        page = browser.new_page(viewport={"width": 900, "height": 900})
        page.emulate_media(reduced_motion="reduce")
        _put(page, shots[name].make())
        taken = page.locator("#here").screenshot(animations="disabled")
        (PICTURES / file).write_bytes(_smaller(page, taken))
        page.close()
        yield PICTURES / file


PIXELS = """async (data) => {
  const image = await createImageBitmap(await (await fetch(data)).blob());
  const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
  pen.drawImage(image, 0, 0);
  const all = pen.getImageData(0, 0, image.width, image.height).data;
  let text = "";
  for (let k = 0; k < all.length; k += 8192) {
    text += String.fromCharCode(...all.subarray(k, k + 8192));
  }
  return [image.width, image.height, btoa(text)];
}"""


def _far(one: bytes, other: bytes) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


def _smaller(page: Page, png: bytes) -> bytes:
    """A picture of few colours as a PNG with a palette, which is a third as large."""
    data = f"data:image/png;base64,{base64.b64encode(png).decode()}"
    width, height, told = page.evaluate(PIXELS, data)
    pixels = base64.b64decode(told)
    dots = [pixels[k : k + 3] for k in range(0, len(pixels), 4)]
    counts = Counter(dots)
    palette = [colour for colour, _ in counts.most_common(256)]
    nearest = {
        one: min(range(len(palette)), key=lambda k, one=one: _far(one, palette[k]))
        for one in counts
    }
    rows = (dots[k : k + width] for k in range(0, len(dots), width))
    body = b"".join(b"\0" + bytes(nearest[dot] for dot in row) for row in rows)
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", b"".join(palette)),
        (b"IDAT", zlib.compress(body, 9)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(part)) + kind + part + struct.pack(">I", zlib.crc32(kind + part))
        for kind, part in parts
    )


def _rig() -> ModuleType:
    """What the browser tests use: a server that is started and ended, and a notebook that runs."""
    file = Path(__file__).parent / "browser" / "conftest.py"
    spec = importlib.util.spec_from_file_location("browser_rig", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def _home() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        yield Path(home)


def take_all(browser: Browser, to: str, *words: str) -> Iterator[Path]:
    """Take all pictures, or those with a word in their names."""
    folder = Path(to)
    folder.mkdir(parents=True, exist_ok=True)

    def wanted(name: str) -> bool:
        return not words or any(word in name for word in words)

    for shot in (*CHARTS, *BOARDS, *WIDGETS):
        if wanted(shot.name):
            yield from take(browser, shot, folder)
    cells = [one for one in LAB if wanted(one[0])]
    if cells:
        yield from take_lab(browser, cells, folder)


def main(words: Sequence[str]) -> int:
    readme = list(words) == ["--readme"]
    if not readme and (not words or words[0].startswith("-")):
        print(__doc__)  # noqa: T201
        return 2
    rig = _rig()
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=rig.CHROMIUM, args=rig.FLAGS)
        for file in make_readme(browser) if readme else take_all(browser, *words):
            print(file)  # noqa: T201
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
