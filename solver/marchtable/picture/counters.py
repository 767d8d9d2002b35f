"""Painting units as counters, side by side within a hex."""

from __future__ import annotations

from math import ceil, cos, radians, sin, sqrt
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.errors import BadInputError
from marchtable.nearest import one_of
from marchtable.picture.geometry import Place, Point, block, centre, toward, turned
from marchtable.picture.ground import covers
from marchtable.picture.marks import FOOT, paint_marks, paint_sides, rows_of
from marchtable.picture.sheet import across
from marchtable.picture.signs import load_signs, paint_sign
from marchtable.picture.style import load_styles
from marchtable.rules.marks import Mark

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from marchtable.picture.sheet import Canvas
    from marchtable.picture.style import SideColours, Styles
    from marchtable.picture.view import BoardView

WIDE, STRIP, LOW = 1.0, 0.27, 0.06
"""Side of a counter, height of its label strip, and its offset below the hex's centre."""
ABOVE = (-0.06, 0.86)
"""A counter's offset below the hex's centre, and its size, if there is something at the foot."""
CORNER, HIGH, APART, CARRIED = 1.02, 1.06, 0.95, 0.76
"""
For a stack: its corners' distance from the hex's centre, its height, the share of its place that
a counter fills, and the size of carried units relative to that.
"""
TIP = 0.2
"""How far the facing tip projects from its counter, and half its width."""
LITTLE, LEAST = 0.46, 0.085
"""Side of a carried unit's counter, and the minimum height of a label; longer labels are cut."""
MARGIN = 0.04
"""Margin inside a counter's edge without labels."""
ASIDE = 0.62
"""Distance from the hex's centre of a counter that is set aside."""


class Marker(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    A unit in a picture.

    Parameters
    ----------
    at
        Name of its Location.
    label
        What its counter says.
    side
        Whose it is; each side has its own colour.
    facing
        Where it faces, in degrees clockwise from the top of the map, or None.
    style
        The sign its counter shows, one of ``data/signs.toml``.
    note
        A word more, in small writing.
    marks
        What it has and what marks it, as labels behind the note.
    sides
        The hexsides of its hex along which it has a bar.
    turret
        Where its turret points, in degrees as its facing; None: ahead.
    men
        How many men ``"foot"`` shows.
    height
        Where in its stack it lies: units with a larger number are drawn over those with a smaller one.
    carried
        The label of the unit of its hex that carries it, at whose right it is drawn small.
    aside
        Which way off the hex's centre it stands, in hexsides clockwise from the top; None: on it.
    """

    at: str
    label: str
    side: str
    facing: float | None = None
    style: str = "foot"
    note: str = ""
    men: int = 3
    height: int = 0
    carried: str = ""
    aside: float | None = None
    marks: tuple[Mark, ...] = ()
    sides: tuple[int, ...] = ()
    turret: float | None = None


def check_markers(units: Iterable[Marker], things: Iterable[Any] = ()) -> None:
    """Raise BadInputError if a sign or colours to be drawn do not exist."""
    known, tones = load_signs(), load_styles().tones
    wanted: list[tuple[str, str, Mapping[str, Any]]] = []
    for number, unit in enumerate(units):
        wanted.append((f"units[{number}].style", unit.style, known))
        wanted += [(f"units[{number}].marks", mark.tone, tones) for mark in unit.marks]
    wanted += [(f"things[{n}].sign", one.sign, known) for n, one in enumerate(things) if one.sign]
    for field, name, names in wanted:
        if name not in names:
            raise BadInputError(one_of(names, name), field=field)


def side_colours(styles: Styles, units: Iterable[Any]) -> dict[str, SideColours]:
    """Return the colours of each side in play, by side."""
    sides = sorted({unit.side for unit in units})
    return {side: styles.counters[n % len(styles.counters)] for n, side in enumerate(sides)}


def paint_counters(sheet: Canvas, view: BoardView, units: Sequence[Marker]) -> None:
    """Paint the units in view, side by side within a hex."""
    colours = side_colours(sheet.styles, units)
    placed = largest_first(laid_out(view, units))
    for number, at, size in placed:
        unit = units[number]
        location = view.board[unit.at]
        paint_sides(sheet, (location.u, location.v), unit.sides, colours[unit.side])
        paint_counter(sheet, unit, at, size, colours[unit.side])
    for number, at, size in placed:
        paint_front(sheet, units[number], at, size)


def paint_covered(sheet: Canvas, view: BoardView, units: Iterable[Marker]) -> None:
    """Write above each hex's counters the terrain they cover, unless it is Open Ground."""
    held = {(view.board[unit.at].u, view.board[unit.at].v) for unit in units}
    palette = sheet.styles.palette
    for location in view.ground:
        place = (location.u, location.v)
        names = dict.fromkeys(name for name, _ in covers(sheet.styles, location))
        if names and place in held:
            x, y = centre(place)
            box = (palette.light_ink, "#777777")
            text = ", ".join(names)
            sheet.write((x, y + 0.515), text, 0.12, palette.dark_ink, room=1.15, box=box)


def laid_out(
    view: BoardView, units: Sequence[Marker], lying: Collection[Place] = ()
) -> list[tuple[int, Point, float]]:
    """
    Return the units in view, each with its counter's centre and size.

    Units are given by number. Those of one hex are consecutive, the lowest of a stack first: units
    under a bridge before those on it. A lone counter leaves the foot of its hex free if something
    is ``lying`` there.
    """
    hexes: dict[Place, list[int]] = {}
    shown = set(view.places)
    for number, unit in enumerate(units):
        location = view.board[unit.at]
        if (location.u, location.v) in shown:
            hexes.setdefault((location.u, location.v), []).append(number)
    stacks: dict[tuple[Place, float | None], dict[int, list[int]]] = {}
    for place, stack in hexes.items():
        for outer, load in _loads(units, stack).items():  # carried units are where their carrier is
            stacks.setdefault((place, units[outer].aside), {})[outer] = load
    found = []
    for (place, aside), loads in stacks.items():
        bare = sorted(loads, key=lambda n: view.board[units[n].at].level)
        at = centre(place) if aside is None else toward(centre(place), aside, ASIDE)
        if len(bare) == 1:
            low, size = ABOVE if place in lying and aside is None else (LOW, WIDE)
            found += [(bare[0], (at[0], at[1] - low), size)]
            found += _beside(found[-1][1], size, loads[bare[0]], units[bare[0]].facing)
        else:
            found += _spread(at, [(one, one in loads) for n in bare for one in (n, *loads[n])])
    return found


def largest_first(placed: list[tuple[int, Point, float]]) -> list[tuple[int, Point, float]]:
    """Return counters in drawing order: larger ones first, so that they hide no small neighbour."""
    return sorted(placed, key=lambda one: -one[2])


def _loads(units: Sequence[Marker], stack: list[int]) -> dict[int, list[int]]:
    """Return each carrier's units in a stack, by the outermost: a Gun's crew by its truck."""
    numbers = {units[number].label: number for number in stack}
    outermost = {}
    for number in stack:
        outer = number
        for _ in stack:
            outer = numbers.get(units[outer].carried, outer)
        outermost[number] = outer
    return {
        outer: [n for n in stack if outermost[n] == outer and n != outer]
        for outer in dict.fromkeys(outermost.values())
    }


def _beside(
    at: Point, size: float, carried: list[int], facing: float | None
) -> list[tuple[int, Point, float]]:
    """
    Return the places and size of carried units' counters: small, on the carrier's right.

    If the carrier faces right, or down to the right, they are on its left, so that its tip is
    visible.
    """
    small = min(LITTLE, 1.4 / max(len(carried), 1))
    aside, y = size / 2 + small / 2 - MARGIN * size, at[1] - size / 2 + small / 10
    x = at[0] + (-aside if facing is not None and 45 < facing < 180 else aside)
    return [(unit, (x, y + n * small * 1.05), small) for n, unit in enumerate(carried)]


def _spread(at: Point, stack: list[tuple[int, bool]]) -> list[tuple[int, Point, float]]:
    """
    Return the place and size of each counter of a stack, in rows without overlap.

    The input says whether each unit stands by itself; carried units are smaller, and come after.
    """
    count = len(stack)
    pitch, columns = max(
        (_pitch(across, ceil(count / across)), across) for across in range(1, count + 1)
    )
    rows = ceil(count / columns)
    placed = []
    for number, (unit, alone) in enumerate(stack):
        row, column = divmod(number, columns)
        across = min(columns, count - row * columns)
        where = (
            at[0] + (column - (across - 1) / 2) * pitch,
            at[1] - (row - (rows - 1) / 2) * pitch,
        )
        placed.append((unit, where, pitch * (APART if alone else APART * CARRIED)))
    return placed


def _pitch(columns: int, rows: int) -> float:
    """Return the distance between counters of a stack that keeps all within the hex."""
    return min(CORNER / (columns / 2 + rows / (2 * sqrt(3))), HIGH / rows)


def _cut(text: str, most: int) -> str:
    """Return a text of at most so many letters, cutting the middle: ids often differ at the end."""
    if len(text) <= most:
        return text
    return f"{text[: most - most // 2 - 1]}…{text[len(text) - most // 2 :]}"


def paint_counter(
    sheet: Canvas, unit: Marker, at: Point, size: float, colours: SideColours
) -> None:
    """Paint one counter: the label in its upper strip, the sign below it, the marks at its foot."""
    x, y = at
    high = WIDE * size
    shadow = block((x + 0.04, y - 0.04), high, high, 0)
    sheet.fill([shadow], "#000000", alpha=0.4)
    gid = f"unit:{unit.side}:{unit.label}:{unit.at}"
    card = block(at, high, high, 0)
    sheet.fill([card], colours.fill, line="#000000", width=0.03, gid=gid)
    top = y + high / 2 - STRIP * size / 2 - 0.01
    room = 0.92 * high
    label = _cut(unit.label, int(room / across("m", bold=True) / (LEAST * size)))
    sheet.write((x, top), label, 0.21 * size, colours.ink, bold=True, room=room)
    laid = rows_of([*([Mark(unit.note, tone="note")] if unit.note else []), *unit.marks])
    labels = laid[0] * len(laid[1])
    # The sign is centred in the space between the label and the marks.
    middle = y + ((0.5 - STRIP) + (labels - FOOT if labels else -0.5)) * size / 2
    room = 0.5 - STRIP + (FOOT - labels if labels else 0.5)
    paint_sign(
        sheet, unit.style, (x, middle), size * min(1.0, room / load_signs()[unit.style].high), colours,
        facing=unit.facing, turret=unit.turret, men=unit.men,
    )  # fmt: skip
    paint_marks(sheet, at, size, laid)


def paint_front(sheet: Canvas, unit: Marker, at: Point, size: float) -> None:
    """Paint the facing tip at a counter's edge; it does not cover the counter."""
    if unit.facing is None:
        return
    turn, half = radians(unit.facing), WIDE * size / 2
    edge = half / max(abs(sin(turn)), abs(cos(turn)))
    points = turned(
        [(px * size, edge + py * size) for px, py in ((-TIP, 0.0), (0.0, TIP), (TIP, 0.0))],
        at,
        unit.facing,
    )
    is_level = abs(cos(turn)) > abs(sin(turn))
    for end in (0, 2):  # its base is on the edge
        x, y = (
            min(max(value - centre, -half), half)
            for value, centre in zip(points[end], at, strict=True)
        )
        x, y = (
            (x, half * (1 if cos(turn) > 0 else -1))
            if is_level
            else (half * (1 if sin(turn) > 0 else -1), y)
        )
        points[end] = (at[0] + x, at[1] + y)
    sheet.fill([points], "#ffffff", line="#000000", width=0.05 * size)
