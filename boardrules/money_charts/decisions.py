"""Decision maps: what to do at each Pay Day, which deals to take, when to insure.

Every cell says in letters what its colour says, so that nothing is lost in a grey copy; the whole
sentence stands in the hover text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ..board import CIVIDIS, ink_on
from ..charts import INK, NORMAL, SMALL, Figure, axis, safe
from ..money.best import BestPlan
from ..money.insurance import Insurance, When
from ..money.ledger import deals
from ..money.trade import BestTrade
from ..rules import Rules
from .common import amounts, bad, figure, mixed, money, signed, titled

NEVER = "never comes up"
_LETTERS = {"repay": "R", "deposit": "D", "withdraw": "W", "borrow": "B"}
_COLOURS = {
    "keep": "#FFFFFF",
    "repay": mixed("#009E73", 0.55),
    "deposit": mixed("#56B4E9", 0.6),
    "withdraw": mixed("#E69F00", 0.6),
    "borrow": mixed("#D55E00", 0.7),
    "never": "#E0E0E0",
}
"""The colour of the first word of a move; letters on it are black."""
MOST_CELLS = 14


def _grid(
    drawn: Figure, go: Any, cells: Sequence[Sequence[str]], colours: Sequence[Sequence[str]],
    hover: Sequence[Sequence[str]], size: int = NORMAL,
) -> None:  # fmt: skip
    """Coloured cells with words in them, the first row on top."""
    used = sorted({colour for row in colours for colour in row})
    steps = max(1, len(used) - 1)
    scale = [[n / steps, colour] for n, colour in enumerate(used)]
    drawn.add_trace(
        go.Heatmap(
            z=[[used.index(colour) for colour in row] for row in colours],
            colorscale=scale if len(scale) > 1 else [[0, used[0]], [1, used[0]]],
            zmin=0,
            zmax=steps,
            showscale=False,
            xgap=2,
            ygap=2,
            hovertext=[list(row) for row in hover],
            hoverinfo="text",
        )
    )
    for y, row in enumerate(cells):
        for x, text in enumerate(row):
            drawn.add_annotation(
                x=x,
                y=y,
                text=text,
                showarrow=False,
                font={"size": size, "color": ink_on(colours[y][x])},
            )
    drawn.update_layout(plot_bgcolor=INK)


def _ticks(names: Sequence[str]) -> dict[str, Any]:
    return {
        "tickmode": "array",
        "tickvals": list(range(len(names))),
        "ticktext": list(names),
        "showgrid": False,
    }


# ------------------------------------------------------------------------------ Pay Days


def decision_map(
    best: BestPlan,
    month: int | None = None,
    accounts: Sequence[int] = (-300, -200, -100, 0, 100, 200, 300),
    cash: Sequence[int] = (-150, -50, 0, 50, 100, 200, 300, 400, 500),
) -> Figure:
    """Draw the best move at one Pay Day: accounts down, cash across, a letter in each cell.

    Without a `month` it is the second Pay Day, if that is not the last: on the first one nobody
    may have an account yet.
    Cash is what salary, interest and the bills in hand leave; below nothing, savings or a loan must
    pay for bills.
    """
    for name, values in (("accounts", accounts), ("cash", cash)):
        if not 1 <= len(values) <= MOST_CELLS:
            raise bad("decision_map", name, f"needs 1 to {MOST_CELLS} values, not {len(values)}")
    rules = best.context.rules
    month = best.typical if month is None else month
    table = best.decisions(month, accounts, cash)
    small = [
        f"Pay Day {month} of {best.game.months}; {best.lines[len(best.context.lines)]}",
        "D: deposit, R: repay, W: withdraw, B: borrow, –: leave all as it is",
        *best.lines[len(best.context.lines) + 1 :],
    ]
    drawn, go = figure("The best move", [best.context], small)
    where = [
        [f"<b>{safe(_account(rules, a))}, {safe(money(rules, c))} in cash</b><br>" for c in cash]
        for a in accounts
    ]
    _grid(
        drawn,
        go,
        [[_letters(said) for said in row] for row in table],
        [[_COLOURS[_kind(said)] for said in row] for row in table],
        [
            [place + safe(_sentence(rules, said)) for place, said in zip(places, row, strict=True)]
            for places, row in zip(where, table, strict=True)
        ],
    )
    across, down = amounts(rules, "cash left when all bills in hand are paid"), titled("account")
    across.pop("tickformat", None)
    across.pop("tickprefix", None)
    drawn.update_xaxes(
        **across, **_ticks([safe(money(rules, c)) for c in cash]), range=[-0.5, len(cash) - 0.5]
    )
    drawn.update_yaxes(
        **down,
        **_ticks([safe(_account(rules, a)) for a in accounts]),
        range=[len(accounts) - 0.5, -0.5],
    )
    head = drawn.layout.margin.t
    drawn.update_layout(height=head + 110 + 60 * len(accounts))
    return drawn


def _account(rules: Rules, account: int) -> str:
    if not account:
        return "no account"
    return f"savings {money(rules, account)}" if account > 0 else f"loan {money(rules, -account)}"


def _kind(said: str) -> str:
    if said == NEVER:
        return "never"
    return next((word for word in _LETTERS if said.startswith(word)), "keep")


def _letters(said: str) -> str:
    """`repay 100, deposit 200` as R 100 over D 200."""
    if said == NEVER:
        return ""
    found = re.findall(r"(repay|deposit|withdraw|borrow) (\d+)", said)
    return "<br>".join(f"<b>{_LETTERS[word]}</b> {amount}" for word, amount in found) or "–"


def _sentence(rules: Rules, said: str) -> str:
    if said == NEVER:
        return "no game comes here"
    if _kind(said) == "keep":
        return "leave all as it is"
    return re.sub(r"\d+", lambda found: money(rules, int(found[0])), said)


# --------------------------------------------------------------------------------- deals


def trade_map(best: BestTrade, months: Sequence[int] | None = None) -> Figure:
    """Draw which deals to take: deals with their prices down, Deal days of each month across.

    Each cell tells what buying gains over refusing, the best done afterwards.  Without `months` the
    last two are drawn, in which answers change.
    """
    rules, last = best.game.rules, best.game.months
    chosen = list(range(max(1, last - 1), last + 1)) if months is None else list(months)
    wrong = [m for m in chosen if m not in range(1, last + 1)]
    if wrong or not 1 <= len(chosen) <= 3:
        raise bad("trade_map", "months", f"needs 1 to 3 of the months 1 to {last}, not {months!r}")
    days = sorted({day for _, day, _ in best.gains})
    columns = [(month, day) for month in chosen for day in days]
    cards = sorted(best.game.cards, key=lambda card: deals(rules)[card].cost)
    names = {card.id: card.name for deck in rules.decks.values() for card in deck.cards}
    gains = [[float(best.gains[month, day, card]) for month, day in columns] for card in cards]
    small = [
        "each cell: what buying gains on average over refusing, the best done afterwards; "
        "white and bold: buy; grey, minus: refuse",
        *best.lines[len(best.context.lines) :],
    ]
    drawn, go = figure("Which deals to take", [best.context], small)
    yes, no = "#FFFFFF", "#BDBDBD"
    _grid(
        drawn,
        go,
        [[_gain(gain) for gain in row] for row in gains],
        [[yes if gain > 0 else no for gain in row] for row in gains],
        [
            [
                f"<b>{safe(names[card])}</b>, month {month} of {last}, day {day}<br>"
                f"{'buy: it gains' if gain > 0 else 'refuse: buying brings'} "
                f"{safe(signed(rules, gain))} on average"
                for (month, day), gain in zip(columns, row, strict=True)
            ]
            for card, row in zip(cards, gains, strict=True)
        ],
        SMALL,
    )
    wide = len(columns) <= 8
    drawn.update_xaxes(
        **titled("Deal day, and month" if wide else "Deal day, and month (m)"),
        **_ticks([f"day {day}<br>month {m}" if wide else f"{day}<br>m {m}" for m, day in columns]),
        tickangle=0,
        range=[-0.5, len(columns) - 0.5],
    )
    drawn.update_yaxes(
        **axis(),
        **_ticks([_price(rules, names[card], card) for card in cards]),
        range=[len(cards) - 0.5, -0.5],
        automargin=True,
    )
    head = drawn.layout.margin.t
    drawn.update_layout(height=head + 110 + 30 * len(cards))
    return drawn


def _price(rules: Rules, name: str, card: str) -> str:
    deal = deals(rules)[card]
    return safe(f"{name} {money(rules, deal.cost)} → {money(rules, deal.value)}")


def _gain(gain: float) -> str:
    return f"<b>+{gain:.0f}</b>" if gain > 0 else f"−{abs(gain):.0f}"


# ----------------------------------------------------------------------------- insurance


def insurance_map(insurance: Insurance) -> Figure:
    """Draw from how many bills in hand on an insurance should be bought, whenever it is offered.

    Months down, days across; on a day with several cards it matters how many are still to come.
    """
    rules = insurance.context.rules
    moments = sorted({(when.day, -when.left) for when in insurance.least})
    months = list(range(1, insurance.months + 1))
    least = [
        [insurance.least[When(month, day, -left)] for day, left in moments] for month in months
    ]
    name = insurance.card.replace("_", " ")
    skipped = len(insurance.context.lines)
    told, _, *rest = insurance.lines[skipped:]
    small = [
        f"each cell: buy from so many {rules.currency}of such bills in hand on".replace(
            "$of", "$ of"
        ),
        told.replace("_", " "),
        *rest,
    ]
    drawn, go = figure(f"When to buy {name}", [insurance.context], small)
    low, high = min(map(min, least)), max(map(max, least))
    _grid(
        drawn,
        go,
        [[f"<b>{value}</b>" for value in row] for row in least],
        [[_shade(value, low, high) for value in row] for row in least],
        [
            [
                f"<b>month {month} of {insurance.months}, day {day}</b>"
                f"{f', {-left} more to draw today' if left else ''}<br>buy if at least "
                f"{safe(money(rules, value))} of such bills are in hand"
                for (day, left), value in zip(moments, row, strict=True)
            ]
            for month, row in zip(months, least, strict=True)
        ],
        SMALL,
    )
    drawn.update_xaxes(
        **titled("day (cards still to draw on it)"),
        **_ticks([f"{day}<br>({-left})" if left else str(day) for day, left in moments]),
        range=[-0.5, len(moments) - 0.5],
    )
    drawn.update_yaxes(
        **titled("month"), **_ticks([str(m) for m in months]), range=[len(months) - 0.5, -0.5]
    )
    head = drawn.layout.margin.t
    drawn.update_layout(height=head + 130 + 56 * len(months))
    return drawn


def _shade(value: int, low: int, high: int) -> str:
    place = (value - low) / (high - low) if high > low else 0.0
    return CIVIDIS[round((1 - place) * (len(CIVIDIS) - 1))]
