"""A stack under fire before and after: a row of counters for each outcome of the dice."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.picture.axes import AxesSheet
from marchtable.picture.counters import Marker, paint_counter, side_colours
from marchtable.picture.figure import DPI, quiet
from marchtable.picture.geometry import block
from marchtable.picture.sheet import printable
from marchtable.picture.style import load_styles
from marchtable.report.losswords import UNHARMED, untouched, value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from matplotlib.figure import Figure

    Data = Mapping[str, Any]

__all__ = ["draw_stack"]

LEAD, COLUMN, ROW, HEAD, FOOT = 1.9, 1.5, 1.86, 0.62, 0.12
"""Widths of row titles and counter columns, heights of rows, title and foot, in inches."""
CARD = 0.96
LOST, CUT, HELD = "#c81e1e", "#b35c00", "#2d6a2d"
AMBER, PAPER, LINE, DIM = "#ffc845", "#ffffff", "#d9d4c4", "#5c5a52"
CARRIED = "#ece6d4"


class _Row(NamedTuple):
    """A row of the picture: its title, the units, and what happened to them."""

    title: str
    note: str
    units: Sequence[Data]
    losses: Mapping[str, Data]


def draw_stack(answer: Data) -> Figure:
    """
    Draw the units of an answer to ``casualties`` before the attack, and after the best plan.

    Parameters
    ----------
    answer
        It must hold the best plan.

    Returns
    -------
    matplotlib.figure.Figure
        The picture, for :func:`marchtable.picture.save`.
    """
    best = answer["best"]
    order = _order(answer["units"])
    first = _Row("Before", f"worth {value(best['intact'])}", answer["units"], {})
    rows = [first, *_ends(best["plan"], "After the best plan", 1, 1)]
    with quiet():
        from matplotlib.figure import Figure

        width = LEAD + COLUMN * max(len(order), 2) + 0.15
        height = HEAD + ROW * len(rows) + FOOT
        figure = Figure(figsize=(width, height), dpi=DPI, facecolor=PAPER)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        axes.set_xlim(0, width)
        axes.set_ylim(-height, 0)
        sheet = AxesSheet(axes, 72, load_styles())
        points = f"{answer['points']} point{'' if answer['points'] == 1 else 's'}"
        whence = f", fired at from {answer['origin']}" if answer["origin"] else ""
        _write(sheet, (0.15, -0.3), f"{answer['at']} takes {points}{whence}", 15, bold=True)
        for number, row in enumerate(rows):
            _paint_row(sheet, row, order, -HEAD - ROW * number, width)
    return figure


def _order(units: Sequence[Data]) -> list[str]:
    """Return the units' names, those carried after their vehicle."""
    found = []
    for unit in units:
        if not unit.get("aboard"):
            found.append(unit["unit"])
            found += [u["unit"] for u in units if u.get("aboard") == unit["unit"]]
    return found


def _ends(plan: Data, title: str, chance: int, of: int) -> Iterator[_Row]:
    """Yield a row for each end of a plan."""
    if "roll" not in plan:
        losses = {loss["unit"]: loss for loss in plan["losses"]}
        note = f"keeps {value(plan['value'])}"
        odds = f"chance {chance}/{of}, " if of > 1 else ""
        yield _Row(title, odds + note, plan["units"], losses)
        return
    roll = plan["roll"]
    so_far = "" if title.startswith("After") else f"{title}, "
    for name, what, faces in (
        ("survived", "survives", roll["chance"]),
        ("failed", "is lost", roll["of"] - roll["chance"]),
    ):
        if name in plan:
            lead = f"{so_far}{'if' if so_far else 'If'} {roll['unit']} {what}"
            yield from _ends(plan[name], lead, chance * faces, of * roll["of"])


# -- painting --------------------------------------------------------------------------------------


def _paint_row(sheet: AxesSheet, row: _Row, order: list[str], top: float, width: float) -> None:
    sheet.stroke([[(0.15, top), (width - 0.15, top)]], LINE, 0.012)
    lines = wrap(row.title, 18)
    for number, line in enumerate(lines):
        _write(sheet, (0.15, top - 0.45 - 0.2 * number), line, 11, bold=True)
    for number, line in enumerate(wrap(row.note, 26)):
        at = (0.15, top - 0.5 - 0.2 * len(lines) - 0.16 * number)
        _write(sheet, at, line, 8.5, DIM)
    cards = {unit["unit"]: unit for unit in row.units}
    places = {unit: LEAD + COLUMN * (n + 0.5) for n, unit in enumerate(order)}
    _paint_loads(sheet, cards, places, top)
    for unit, x in places.items():
        _paint_card(sheet, cards[unit], row.losses.get(unit), (x, top - 0.68))


def _paint_loads(
    sheet: AxesSheet, cards: Mapping[str, Data], places: Mapping[str, float], top: float
) -> None:
    """Paint a background under each vehicle and its load."""
    for unit, x in places.items():
        load = [places[name] for name, card in cards.items() if card.get("aboard") == unit]
        if load:
            left, right = x - COLUMN / 2 + 0.06, max(load) + COLUMN / 2 - 0.06
            at = ((left + right) / 2, top - ROW / 2)
            sheet.fill([block(at, right - left, ROW - 0.12, 0)], CARRIED)


def _paint_card(sheet: AxesSheet, card: Data, loss: Data | None, at: tuple[float, float]) -> None:
    x, y = at
    colours = side_colours(sheet.styles, [_marker(card)])[card["side"]]
    paint_counter(sheet, _marker(card), at, CARD, colours)
    if not card["alive"]:
        sheet.fill([block(at, CARD, CARD, 0)], PAPER, alpha=0.62)
        half = CARD * 0.42
        cross = [
            [(x - half, y - half), (x + half, y + half)],
            [(x - half, y + half), (x + half, y - half)],
        ]
        sheet.stroke(cross, LOST, 0.09)
    elif card["pinned"]:
        band = block((x, y - 0.02), CARD * 1.08, 0.22, -12)
        sheet.fill([band], AMBER, line="#000000", width=0.015)
        written = sheet.axes.text(
            x,
            y - 0.02,
            "PINNED",
            fontsize=9,
            fontweight="bold",
            ha="center",
            va="center",
            rotation=12,
        )
        written.set_zorder(1)
    _caption(sheet, card, loss, (x, y - CARD / 2 - 0.13))


def _caption(sheet: AxesSheet, card: Data, loss: Data | None, at: tuple[float, float]) -> None:
    """Write below a counter what happened to it, the points fulfilled, and the clauses."""
    if loss is None:
        said = f"with {card['aboard']}" if card.get("aboard") else untouched(card)
        _write(sheet, at, "" if said == UNHARMED else said, 8, DIM, left=False)
        return
    x, y = at
    colour = LOST if not card["alive"] else HELD if loss["spared"] else CUT
    lines = wrap(loss["said"], 22)
    for number, line in enumerate(lines):
        _write(sheet, (x, y - 0.14 * number), line, 8, colour, bold=True, left=False)
    fulfils = f"{loss['points']} pt{'' if loss['points'] == 1 else 's'}" if loss["points"] else ""
    cited = ", ".join(filter(None, [fulfils, *loss["clauses"]]))
    for number, line in enumerate(wrap(cited, 28), start=len(lines)):
        _write(sheet, (x, y - 0.14 * number), line, 6.5, DIM, left=False)


def _marker(card: Data) -> Marker:
    return Marker(
        "", card["unit"], card["side"], style=card["sign"], note=card["figures"], men=card["men"]
    )


def _write(
    sheet: AxesSheet,
    at: tuple[float, float],
    text: str,
    size: float,
    colour: str = "#141410",
    *,
    bold: bool = False,
    left: bool = True,
) -> None:
    """Write a text of a font size in points."""
    sheet.write(at, printable(text), size / 72, colour, bold=bold, left=left)
