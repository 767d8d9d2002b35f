"""Painting other things in hexes: a sign and a word for each, or its sign at a hexside."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable.picture.geometry import block, centre, toward
from marchtable.picture.sheet import across
from marchtable.picture.signs import paint_sign
from marchtable.picture.style import SideColours

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from marchtable.picture.geometry import Place, Point
    from marchtable.picture.sheet import Canvas
    from marchtable.picture.view import BoardView

__all__ = ["Thing", "paint_icon", "paint_things", "tile"]

FOOT, RAISED = 0.71, 0.27
"""Things' offset below a hex's centre, and how much higher they are where costs are written."""
TALL, SMALLEST, ROOM = 0.24, 0.17, 1.2
"""Height of a row of things, the minimum at which several keep their words, and its width."""
LETTERS, BESIDE = 0.78, 0.25
"""Relative to a thing's height: its letters, and the space beside its content."""
AT_SIDE, SIDE_SIZE = 0.66, 0.5
"""Distance from the centre of a thing on a hexside, and its sign's size."""


class Thing(msgspec.Struct, frozen=True):
    """
    A thing in a Location, described by a word.

    ``sign`` is one of ``data/signs.toml``; ``side`` the hexside that it is on, clockwise from the
    top. The tile of a ``hidden`` one, which the other side does not see, has the colours of
    hidden units' labels.
    """

    at: str
    text: str
    sign: str = ""
    side: int | None = None
    hidden: bool = False

    @property
    def tone(self) -> str:
        """The name of its colours."""
        return "hidden" if self.hidden else "thing"


def paint_things(
    sheet: Canvas, view: BoardView, things: Sequence[Thing], *, raised: Collection[Place] = ()
) -> None:
    """Paint each hex's things side by side at its foot, ``raised`` where costs are written."""
    lying: dict[Place, dict[Thing, int]] = {}
    shown = set(view.places)
    for thing in things:
        location = view.board[thing.at]
        place = (location.u, location.v)
        if place not in shown:
            continue
        if thing.side is None:
            alike = lying.setdefault(place, {})
            kind = msgspec.structs.replace(thing, at="")
            alike[kind] = alike.get(kind, 0) + 1
        else:
            at = toward(centre(place), thing.side, AT_SIDE)
            paint_icon(sheet, thing.sign, at, SIDE_SIZE, turn=60.0 * thing.side)
    for place, found in lying.items():
        x, y = centre(place)
        _paint_row(sheet, (x, y - FOOT + RAISED * (place in raised)), found)


def _paint_row(sheet: Canvas, at: Point, found: dict[Thing, int]) -> None:
    """Paint a hex's things as large as possible; of several, those with a sign drop their words."""
    items = [(one.sign, f"{n} x {one.text}" if n > 1 else one.text) for one, n in found.items()]
    if len(items) > 1 and _wide(items, SMALLEST) > ROOM:
        items = [(sign, text.removesuffix(one.text).strip() if sign else text)
                 for (sign, text), one in zip(items, found, strict=True)]  # fmt: skip
    high = min(TALL, ROOM / _wide(items, 1.0))
    x = at[0] - _wide(items, high) / 2
    for (sign, text), one in zip(items, found, strict=True):
        wide = _wide([(sign, text)], high)
        tile(sheet, (x, at[1]), (wide, high), (sign, text), tone=one.tone)
        x += wide


def _wide(items: Sequence[tuple[str, str]], high: float) -> float:
    """Return the total width of things of that height."""
    letters = sum(across(text, bold=True) * LETTERS for _, text in items if text)
    return (letters + sum(bool(sign) for sign, _ in items) + BESIDE * len(items)) * high


def tile(
    sheet: Canvas,
    at: Point,
    box: tuple[float, float],
    shown: tuple[str, str],
    *,
    tone: str = "thing",
) -> None:
    """Paint a thing's sign and word on a tile that begins at a point."""
    (wide, high), (sign, text) = box, shown
    x, y = at[0] + BESIDE * high / 2, at[1]
    colours = sheet.styles.tones[tone]
    card = block((at[0] + wide / 2, y), wide, high, 0)
    sheet.fill([card], colours.fill, line=colours.line, width=0.02)
    if sign:
        paint_icon(sheet, sign, (x + high / 2, y), high * 1.15, tone=tone)
        x += high
    if text:
        letters = LETTERS * high
        middle = (x + across(text, bold=True) * letters / 2, y)
        sheet.write(middle, text, letters, colours.ink, room=across(text, bold=True) * letters)


def paint_icon(
    sheet: Canvas, sign: str, at: Point, size: float, *, turn: float = 0.0, tone: str = "thing"
) -> None:
    """Paint a thing's sign in a thing's colours."""
    colours = sheet.styles.tones[tone]
    paint_sign(sheet, sign, at, size, SideColours(fill=colours.fill, ink=colours.ink), facing=turn)
