"""The textbook beside the board: what loans cost, what savings bring, and where they break even.

Rates, fee and step are those of the ruleset, so that an overlay moves every curve; the curves of
the board come from the ledger.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, isinf
from typing import Any

from ..charts import (
    DASHES,
    GRID,
    INK,
    MARKS,
    NORMAL,
    OKABE_ITO,
    SMALL,
    Figure,
    axis,
    broken,
    safe,
)
from ..library import Source, load
from ..money.beside import Beside
from ..money.formulas import (
    compound_growth,
    deal_months,
    deposit_or_keep,
    fee_or_interest,
    gap_cost,
    growth_table,
    loan_cost,
    loan_for_gap,
    months_for_fee,
    savings_yield,
)
from ..money.ledger import deals, interest_of_a_step, opened
from ..rules import Rules
from .common import about, amounts, bad, figure, money, note, percent, rate, times, titled

MOST_MONTHS = 60
"""So many Pay Days fit on an axis."""


def _rules(game: Rules | Source, overlays: Sequence[Source]) -> Rules:
    """The rules of a game that has accounts."""
    if isinstance(game, Rules):
        if overlays:
            raise bad(game.label, "", "these rules are loaded already; give the overlays to load()")
        rules = game
    else:
        rules = load(game, *overlays)
    opened(rules, 1)  # refuses a game without accounts
    return rules


def _months(what: str, months: int) -> int:
    if isinstance(months, bool) or not isinstance(months, int) or not 0 <= months <= MOST_MONTHS:
        text = f"months are a whole number from 0 to {MOST_MONTHS}, not {months!r}"
        raise bad(what, "months", text)
    return months


def _line(
    go: Any, place: int, name: str, points: Sequence[tuple[float, float]], **more: Any
) -> Any:
    """A curve in the colour, dashes and marks of its place."""
    return go.Scatter(
        x=[x for x, _ in points],
        y=[y for _, y in points],
        mode="lines+markers",
        name=name,
        hoverinfo="text",
        line={"color": OKABE_ITO[place], "width": 3.5, "dash": DASHES[place]},
        marker={
            "symbol": MARKS[place],
            "size": 11,
            "color": OKABE_ITO[place],
            "line": {"color": INK, "width": 1},
        },
        cliponaxis=False,
        **more,
    )


def _pay_days(drawn: Figure, months: int, title: str = "Pay Days") -> None:
    drawn.update_xaxes(
        **titled(title),
        range=[-0.02 * max(months, 1), 1.03 * max(months, 1)],
        dtick=max(1, ceil(months / 14)),
        tick0=0,
        gridcolor=GRID,
    )


# ------------------------------------------------------------------- the textbook's straight lines


def interest_chart(game: Rules | Source, *overlays: Source, months: int = 12) -> Figure:
    """Draw what one step costs as a loan and brings as savings, Pay Day by Pay Day, and the fee.

    The textbook's simple interest, with the rates of the ruleset.  Where the savings line meets the
    fee, interest has paid for one early withdrawal.
    """
    rules, count = _rules(game, overlays), _months("interest_chart", months)
    drawn, go = figure("A loan against savings", [about(rules)], [terms_of(rules)], 3)
    for trace in interest_traces(go, rules, count):
        drawn.add_trace(trace)
    drawn.update_yaxes(
        **amounts(rules, f"interest on {money(rules, rules.accounts.step)}"),
        rangemode="tozero",
        gridcolor=GRID,
    )
    _pay_days(drawn, count, "Pay Days that the loan or the savings are open")
    drawn.update_xaxes(zeroline=False)
    return drawn


def interest_traces(go: Any, rules: Rules, months: int) -> list[Any]:
    """The cost of a loan, the yield of savings, and the fee; always three traces."""
    terms = rules.accounts
    step, ks = terms.step, range(months + 1)
    cost = [(k, float(loan_cost(step, terms.loan_rate, k))) for k in ks]
    brings = [(k, float(savings_yield(step, terms.savings_rate, k))) for k in ks]
    fee, needed = terms.early_withdrawal_fee, _earned(rules)
    met = [float(needed)] if needed is not None and needed <= months else []
    one = safe(money(rules, step))
    return [
        _line(
            go,
            4,
            f"{one} borrowed: the loan costs {rate(terms.loan_rate)} a Pay Day",
            cost,
            hovertext=[
                f"<b>{times(k, 'Pay Day')}</b><br>the loan of {one} costs {safe(money(rules, y))}"
                for k, y in cost
            ],
        ),
        _line(
            go,
            0,
            f"{one} saved: the savings bring {rate(terms.savings_rate)} a Pay Day",
            brings,
            hovertext=[
                f"<b>{times(k, 'Pay Day')}</b><br>savings of {one} bring {safe(money(rules, y))}"
                for k, y in brings
            ],
        ),
        go.Scatter(
            x=[0, *met, max(months, 1)],
            y=[fee] * (2 + len(met)),
            mode="lines+markers",
            name=f"fee for an early withdrawal: {safe(money(rules, fee))}{_until(rules)}",
            line={"color": INK, "width": 2, "dash": "dot"},
            marker={
                "symbol": "circle-open",
                "size": [0, *(24 for _ in met), 0],
                "color": INK,
                "line": {"color": INK, "width": 3},
            },
            hovertext=[f"the fee is {safe(money(rules, fee))}, whenever it is"] * (2 + len(met)),
            hoverinfo="text",
            cliponaxis=False,
        ),
    ]


def _earned(rules: Rules) -> Fraction | None:
    """After how many Pay Days the savings have earned the fee; None for never, or for no fee."""
    terms = rules.accounts
    if not terms.early_withdrawal_fee or not terms.savings_rate or not terms.savings:
        return None
    found: Fraction = months_for_fee(terms.step, terms.savings_rate, terms.early_withdrawal_fee)
    return found


def _until(rules: Rules) -> str:
    """The same in words."""
    needed = _earned(rules)
    return "" if needed is None else f", earned after {times(needed, 'Pay Day')}"


def terms_of(rules: Rules) -> str:
    """Rates, steps and fee in one line."""
    terms = rules.accounts
    savings = (
        f"savings {rate(terms.savings_rate)}, "
        f"fee {money(rules, terms.early_withdrawal_fee)} {_per(rules)}"
        if terms.savings
        else "no savings in this edition"
    )
    return (
        f"loans {rate(terms.loan_rate)} a {rules.lap_name} in steps of "
        f"{money(rules, terms.step)}, {savings}"
    )


def _per(rules: Rules) -> str:
    per_step = rules.accounts.fee_mode == "per_step"
    return f"for each {money(rules, rules.accounts.step)}" if per_step else "for each withdrawal"


# --------------------------------------------------------------------- board beside textbook


def growth_chart(game: Rules | Source, *overlays: Source, months: int = 12) -> Figure:
    """Draw what becomes of one step borrowed and one step saved: on the board, and by the textbook.

    On the board interest is paid in cash, and an account moves in whole steps only; the textbook
    puts interest to the account at once.  The curves of the board are played by the ledger.
    """
    rules, count = _rules(game, overlays), _months("growth_chart", months)
    one = safe(money(rules, rules.accounts.step))
    curves = _curves(rules, count)
    small = [
        terms_of(rules),
        "board: played by the ledger, no other money comes in or goes out; textbook: interest on "
        "interest, to the cent",
    ]
    drawn, go = figure("Board and textbook", [about(rules)], small, len(curves))
    for place, name, points in curves:
        drawn.add_trace(
            _line(
                go,
                place,
                f"{one} {name}",
                points,
                hovertext=[
                    f"<b>{times(k, 'Pay Day')}</b><br>{one} {name}: {safe(money(rules, y))}"
                    for k, y in points
                ],
            )
        )
    drawn.update_yaxes(**amounts(rules, "owed, or owned"), rangemode="tozero", gridcolor=GRID)
    _pay_days(drawn, count)
    return drawn


def _curves(rules: Rules, months: int) -> list[tuple[int, str, list[tuple[float, float]]]]:
    """Place, name and points of each curve; all start at one step."""
    step, terms = rules.accounts.step, rules.accounts
    rows = growth_table(rules, months=months, amounts=(step,)).rows
    ideal: list[tuple[float, float]] = [
        (k, float(compound_growth(Fraction(step), terms.loan_rate, k))) for k in range(months + 1)
    ]
    begin = (0.0, float(step))

    def from_(values: Sequence[float]) -> list[tuple[float, float]]:
        return [begin, *((float(k), float(v)) for k, v in enumerate(values, start=1))]

    curves = [
        (4, "borrowed, board: interest borrowed too, in whole steps", from_([r.net for r in rows])),
        (1, "borrowed, textbook: compound interest", ideal),
        (5, "borrowed, board: interest paid from other money", from_([r.simple for r in rows])),
    ]
    if terms.savings:
        saved = from_([r.saved[0] for r in rows])
        grown = from_([float(r.saved_ideal[0]) for r in rows])
        curves += [
            (2, "saved, textbook: compound interest", grown),
            (0, "saved, board: interest saved in whole steps", saved),
        ]
    return curves


# --------------------------------------------------------------------------- fee or interest


def gap_chart(game: Rules | Source, *overlays: Source) -> Figure:
    """Draw what it costs to be short in mid-month: a loan for one Pay Day, or an early withdrawal.

    A loan comes in whole steps, so its cost is a staircase; a withdrawal costs the fee and the
    interest that the sum would have earned.
    """
    rules = _rules(game, overlays)
    terms = rules.accounts
    if not terms.savings:
        raise bad(rules.label, "accounts.savings", "there are no savings to withdraw")
    step = terms.step
    drawn, go = figure(
        "Short of cash in mid-month", [about(rules)], [terms_of(rules), _gap(rules)], 3
    )
    gaps = range(1, 5 * step + 1)
    loan = [(gap, float(gap_cost(gap, step, terms.loan_rate))) for gap in gaps]
    fees = [(gap, float(_fee(rules, gap))) for gap in gaps]
    whole = [(gap, fee + float(terms.savings_rate * loan_for_gap(gap, step))) for gap, fee in fees]
    for place, name, points in (
        (4, "a loan, open for one Pay Day", loan),
        (0, "the fee for withdrawing", fees),
        (2, "the fee, and the interest that the money would have earned", whole),
    ):
        drawn.add_trace(
            go.Scatter(
                x=[x for x, _ in points],
                y=[y for _, y in points],
                mode="lines",
                name=name,
                line={"color": OKABE_ITO[place], "width": 4, "dash": DASHES[place], "shape": "hv"},
                hovertext=[
                    f"<b>{safe(money(rules, x))} short</b><br>{name}: {safe(money(rules, y))}"
                    for x, y in points
                ],
                hoverinfo="text",
            )
        )
    drawn.update_xaxes(**amounts(rules, "short by"), range=[0, 5 * step], gridcolor=GRID)
    drawn.update_yaxes(**amounts(rules, "cost"), rangemode="tozero", gridcolor=GRID)
    return drawn


def _fee(rules: Rules, gap: int) -> int:
    terms = rules.accounts
    steps = loan_for_gap(gap, terms.step) // terms.step
    return terms.early_withdrawal_fee * (steps if terms.fee_mode == "per_step" else 1)


def _gap(rules: Rules) -> str:
    """Up to which gap a loan would be cheaper, and that it is forbidden."""
    terms = rules.accounts
    forbidden = (
        ""
        if terms.both_at_once
        else "; but there is no loan while there are savings (P22), so the saver pays the fee"
    )
    if terms.fee_mode == "per_step":
        interest = terms.loan_rate * terms.step
        cheaper = "a loan" if interest < terms.early_withdrawal_fee else "the fee"
        return (
            f"one Pay Day of interest against the fee alone: {cheaper} is never dearer{forbidden}"
        )
    if not terms.loan_rate:
        return f"a loan costs nothing{forbidden}"
    limit = fee_or_interest(terms.early_withdrawal_fee, terms.step, terms.loan_rate)
    cheaper = f"up to {money(rules, limit)} short, a loan would cost no more than the fee alone"
    return cheaper + forbidden


# ---------------------------------------------------------------------------- deposit or keep


def deposit_chart(game: Rules | Source, *overlays: Source, steps: int = 10) -> Figure:
    """Draw how sure one must be not to need the money: for each sum, the largest risk worth taking.

    Below the curve depositing for one month gains on average, above it keeping cash is better.
    """
    rules = _rules(game, overlays)
    terms = rules.accounts
    if not terms.savings or not terms.savings_rate:
        raise bad(rules.label, "accounts.savings_rate", "savings bring nothing: keep the cash")
    if isinstance(steps, bool) or not isinstance(steps, int) or not 1 <= steps <= MOST_MONTHS:
        raise bad("deposit_chart", "steps", f"needs 1 to {MOST_MONTHS} steps, not {steps!r}")
    sums = [terms.step * n for n in range(1, steps + 1)]
    limits = [deposit_or_keep(s, terms.savings_rate, _fee(rules, s)) for s in sums]
    small = [
        terms_of(rules),
        "one month; if the money is needed early, all of it is withdrawn at once",
    ]
    drawn, go = figure("Deposit, or keep the cash?", [about(rules)], small)
    drawn.add_trace(
        go.Scatter(
            x=sums,
            y=[100 * float(limit) for limit in limits],
            mode="lines+markers+text",
            text=[safe(str(limit)) if steps <= 12 else "" for limit in limits],
            textposition="top left",
            textfont={"size": NORMAL, "color": INK},
            line={"color": OKABE_ITO[0], "width": 4},
            marker={"size": 12, "color": OKABE_ITO[0], "line": {"color": INK, "width": 1}},
            fill="tozeroy",
            fillcolor="#D9EAF5",
            hovertext=[
                f"<b>deposit {safe(money(rules, s))}</b><br>if it is needed early with a chance of "
                f"less than {safe(str(limit))} ({percent(limit)})"
                for s, limit in zip(sums, limits, strict=True)
            ],
            hoverinfo="text",
            cliponaxis=False,
        )
    )
    drawn.add_annotation(**note("<b>deposit</b>", x=0.75, xref="paper", y=0.15, yref="paper"))
    drawn.add_annotation(**note("<b>keep the cash</b>", x=0.15, xref="paper", y=0.88, yref="paper"))
    drawn.update_xaxes(
        **amounts(rules, "put into savings"), range=[0, sums[-1] * 1.03], gridcolor=GRID
    )
    drawn.update_yaxes(
        **titled("chance that it is needed early"), ticksuffix=" %", range=[0, 102], gridcolor=GRID
    )
    return drawn


# ------------------------------------------------------------------------- a loan for a deal


def deal_chart(game: Rules | Source, *overlays: Source) -> Figure:
    """Draw after how many Pay Days the interest on a loan has eaten the margin of each deal.

    One Pay Day of interest is certain, even if the deal is sold at once: a loan is repaid on Pay
    Day only, after the interest.
    """
    rules = _rules(game, overlays)
    known = deals(rules)
    if not known:
        raise bad(rules.label, "decks", "there are no deals in this game")
    if not rules.accounts.loan_rate:
        raise bad(rules.label, "accounts.loan_rate", "loans bear no interest: no margin is eaten")
    names = {card.id: card.name for deck in rules.decks.values() for card in deck.cards}
    months = {card: float(k) for card, k in deal_months(rules).items() if not isinf(k)}
    order = sorted(months, key=lambda card: -months[card])
    small = [
        terms_of(rules),
        "the whole price is borrowed, in whole steps; the deal is sold for sure",
    ]
    drawn, go = figure("A loan for a deal", [about(rules, "deals")], small)
    drawn.add_trace(
        go.Bar(
            x=[months[card] for card in order],
            y=list(range(len(order))),
            orientation="h",
            text=[f"{months[card]:.2f}" for card in order],
            textposition="outside",
            textfont={"size": SMALL, "color": INK},
            cliponaxis=False,
            hovertext=[_margin(rules, names[card], card, months[card]) for card in order],
            hoverinfo="text",
            marker={"color": OKABE_ITO[3], "line": {"color": INK, "width": 1}},
        )
    )
    drawn.add_vline(x=1, line={"color": INK, "width": 3, "dash": "dash"})
    drawn.add_annotation(
        **note(
            "one Pay Day is certain",
            x=1,
            xanchor="left",
            xshift=4,
            y=1,
            yref="paper",
            yanchor="bottom",
        )
    )
    drawn.update_xaxes(
        **titled("Pay Days until the interest has eaten the margin"),
        range=[0, 1.12 * max(months.values())],
        gridcolor=GRID,
    )
    drawn.update_yaxes(
        **axis(),
        tickmode="array",
        tickvals=list(range(len(order))),
        ticktext=[safe(names[card]) for card in order],
        range=[-0.6, len(order) - 0.4],
        automargin=True,
    )
    top = drawn.layout.margin.t + 24
    drawn.update_layout(height=top + 90 + 27 * len(order), margin={"t": top})
    return drawn


def _margin(rules: Rules, name: str, card: str, months: float) -> str:
    deal, terms = deals(rules)[card], rules.accounts
    loan = loan_for_gap(deal.cost, terms.step)
    interest = interest_of_a_step(rules, terms.loan_rate) * (loan // terms.step)
    lines = [
        f"<b>{safe(name)}</b>",
        f"costs {safe(money(rules, deal.cost))}, sold for {safe(money(rules, deal.value))}: "
        f"margin {safe(money(rules, deal.value - deal.cost))}",
        f"a loan of {safe(money(rules, loan))} costs {safe(money(rules, interest))} a Pay Day",
        f"the margin is eaten after {times(round(months, 2), 'Pay Day')}",
    ]
    return "<br>".join(lines)


# --------------------------------------------------------------------- mortgages beside loans


def beside_chart(beside: Beside) -> Figure:
    """Draw what a loan costs in each game, for as many turns or months as it is open.

    One curve for the loan and one for each mortgage.  Turns and months are different clocks: the
    axis counts the ones of each game, and the small print says so.
    """
    rows = beside.shown
    if not 1 <= len(rows) <= len(OKABE_ITO):
        text = f"a chart takes 1 to {len(OKABE_ITO)} loans, not {len(rows)}; pick some with only()"
        raise bad("beside_chart", "", text)
    contexts = [row.context for row in rows]
    drawn, go = figure(f"What {beside.amount} borrowed cost", contexts, [*beside.small], len(rows))
    for place, row in enumerate(rows):
        points = [(float(k), float(row.cost(k))) for k in range(beside.last + 1)]
        drawn.add_trace(
            _line(
                go,
                place,
                broken(row.told),
                points,
                hovertext=[
                    f"<b>{safe(row.name)}</b> ({safe(row.game)})<br>open for "
                    f"{times(int(k), row.clock)}: {y:,.2f}"
                    for k, y in points
                ],
            )
        )
    drawn.update_yaxes(
        **titled(f"cost of {beside.amount} borrowed"), rangemode="tozero", gridcolor=GRID
    )
    _pay_days(drawn, beside.last, f"{beside.clocks} that it is open: each game by its own clock")
    return drawn
