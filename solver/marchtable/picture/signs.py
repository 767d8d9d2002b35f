"""Counters' signs: those of ``data/signs.toml``, painted at a place, a size and a facing."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

import msgspec

from marchtable.errors import InternalError
from marchtable.picture.geometry import Point, circle, turned

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.picture.sheet import Canvas
    from marchtable.picture.style import SideColours

__all__ = ["load_signs", "paint_sign"]

APART = 0.2
"""Distance between men, in counter sides."""


class SignPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    A part of a sign: one of the four figures, with a line width or a radius.

    ``turret``: it rotates with the turret's facing instead of the unit's.
    """

    fill: tuple[Point, ...] = ()
    line: tuple[Point, ...] = ()
    shell: tuple[Point, ...] = ()
    disc: Point | None = None
    width: float = 0.0
    radius: float = 0.0
    hollow: float = 0.0
    turret: bool = False


class Sign(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sign: its parts in order, and whether it rotates with the unit's facing."""

    parts: tuple[SignPart, ...]
    turns: bool = False

    @property
    def high(self) -> float:
        """Its height when rotated, in counter sides, with a small margin."""
        return 0.62 if self.turns else 0.46


@cache
def load_signs() -> dict[str, Sign]:
    """Return the signs of ``signs.toml`` by name."""
    text = resources.files("marchtable").joinpath("data", "signs.toml").read_text("utf-8")
    try:
        return msgspec.convert(tomllib.loads(text), type=dict[str, Sign])
    except (msgspec.ValidationError, tomllib.TOMLDecodeError) as error:
        raise InternalError(f"data/signs.toml: {error}") from error


def paint_sign(
    sheet: Canvas, name: str, at: Point, size: float, colours: SideColours,
    *, facing: float | None = None, turret: float | None = None, men: int = 1,
) -> None:  # fmt: skip
    """
    Paint a sign.

    Parameters
    ----------
    sheet, name
        The sheet, and a name of :func:`load_signs`.
    at, size
        The centre and side of its counter.
    colours
        Those of the unit's side.
    facing
        The unit's facing, in degrees clockwise from the top of the map.
    turret
        Its turret's facing, likewise; None: ahead.
    men
        The number of copies of a foot unit's sign.
    """
    sign = load_signs()[name]
    ahead = (facing or 0.0) if sign.turns else 0.0
    count = men if name == "foot" else 1
    for number in range(count):
        middle = (at[0] + (number - (count - 1) / 2) * APART * size, at[1])
        for part in sign.parts:
            turn = turret if part.turret and turret is not None else ahead
            _paint(sheet, part, middle, (size, turn), colours)


def _paint(
    sheet: Canvas, part: SignPart, at: Point, scale: tuple[float, float], colours: SideColours
) -> None:
    size, turn = scale

    def placed(points: Sequence[Point]) -> list[Point]:
        return turned([(x * size, y * size) for x, y in points], at, turn)

    if part.fill:
        sheet.fill([placed(part.fill)], colours.ink)
    if part.shell:
        sheet.fill([placed(part.shell)], colours.fill, line=colours.ink, width=part.width * size)
    if part.line:
        sheet.stroke([placed(part.line)], colours.ink, part.width * size, cap="butt")
    if part.disc is not None:
        ring = circle(placed([part.disc])[0], part.radius * size)
        if part.hollow:
            sheet.stroke([ring], colours.ink, part.hollow * size, closed=True)
        else:
            sheet.fill([ring], colours.ink)
