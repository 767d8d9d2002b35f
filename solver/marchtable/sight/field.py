"""
A board as arrays of pixels, hexes and hexsides.

Pixels are on one canvas, in the orientation of the board's first sheet, so that a rotated board is
traced over the very same pixels. A board without sheets (drawn by hand) gets a canvas on which each
hex consists of its Location's terrain.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from marchtable.board.board import STEPS
from marchtable.board.bridges import BRIDGE
from marchtable.board.overlays import COVERED
from marchtable.errors import BadInputError
from marchtable.sight.facts import Does, TerrainFact

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy.typing as npt

    from marchtable.board.board import Board, Location
    from marchtable.board.sheets import BoardPicture
    from marchtable.sight.facts import SightFacts

    Ints = npt.NDArray[np.int32]

__all__ = ["FINE", "Field", "Hex", "build_field"]

FINE = 32
"""Fractional bits of a coordinate."""
LEVEL_0 = 64
"""Offset of stored pixel levels, so that they are never negative."""
MOST_CANVAS = 100_000_000
NOWHERE = -99
"""Stands for a missing height."""
_EDGE = 3  # margin in pixels around the canvas and its hexes' vertices, copied from the outermost
_HAND = (45.0, 26.0)  # a hex by hand: pixels to the next column, and half of those to the next row
_OWN = 0.10  # share of a hex from which inherent terrain is its own, not spill
_TRACE = 0.02
_NEAR = 6  # pixels from a hexside within which its wall or hedge is drawn
_FAR = 12  # pixels within which it is searched for others
_BARE_FAR = 24  # and that in open ground
_SQUEEZE = 3.0  # for regular hexes: a column is 3 where half a row is the root of 3
_TIE = 1e-9  # distances to two hexes that differ by less are equal
_OPEN = "Open Ground"


class Hex:
    """
    Columns of the table of hexes; heights are in half levels.

    ``BARE``: nothing fills it or runs along its hexsides, and it is no depression. ``DOT_X`` and
    ``DOT_Y``: the pixel of its centre in its sheet, independent of the board's orientation.

    The kernel adds six columns each, one per hexside: the neighbour, the terrain along it, the
    height from which that rises, and its marks.
    """

    (
        U,
        V,
        X,
        Y,
        LEVEL,
        BASE,
        IN,
        KIND,
        ROOF,
        BUILT,
        STAIRS,
        DECK,
        UNKNOWN,
        OWN,
        BARE,
        DOT_X,
        DOT_Y,
    ) = range(17)
    COUNT = 17
    NEAR, SIDE, RISE, GAP = range(17, 41, 6)


class Field(NamedTuple):
    """
    A board ready for tracing.

    Parameters
    ----------
    pixels
        For each pixel the terrain's number, its level and one more than its hex's number, packed.
    does
        The effect of each terrain, by number.
    hexes
        A row per hex (see :class:`Hex`).
    near
        For each hex the numbers of its neighbours by direction, -1 if there is none.
    sides
        For each hexside the number of the terrain along it, 0 if there is none.
    names, facts
        The terrains by number, and their facts.
    numbers
        Numbers of the hexes by name.
    places
        Names of the hexes by number.
    arrays
        The kernel's input: pixels, kinds of terrain, hexes with all that is along them, the
        vertices' distances from the centre, the radius around each pixel in which all pixels are
        alike, the same with bare hexes of one level counted as one, and with hindrances in a bare
        hex counted as open.
    """

    pixels: npt.NDArray[np.uint32]
    does: npt.NDArray[np.uint8]
    hexes: npt.NDArray[np.int64]
    near: Ints
    sides: npt.NDArray[np.uint8]
    names: tuple[str, ...]
    facts: tuple[TerrainFact, ...]
    numbers: dict[str, int]
    places: tuple[str, ...]
    arrays: tuple[Any, Any, Any, Any, Any, Any, Any]

    @property
    def nbytes(self) -> int:
        """Its approximate size in bytes."""
        return sum(array.nbytes for array in (*self[:5], *self.arrays[1:]))


def build_field(board: Board, facts: SightFacts) -> Field:
    """
    Build the arrays of a board.

    Raises
    ------
    BadInputError
        If its pixels are damaged, or the board is too large.
    """
    return _Builder(board, facts).field()


class _Builder:
    """Builds the arrays of a board step by step."""

    def __init__(self, board: Board, facts: SightFacts) -> None:
        self._board, self._facts = board, facts
        self._ground: list[Location] = []
        self._decks: dict[str, Location] = {}
        for one in board.locations:
            if one.name == one.hex + BRIDGE:
                self._decks[one.hex] = one
            elif one.name == one.hex:
                self._ground.append(one)
        self._names = [_OPEN]
        self._number = {_OPEN: 0}
        self._u = np.array([one.u for one in self._ground])
        self._v = np.array([one.v for one in self._ground])

    def field(self) -> Field:
        """Return the arrays."""
        sheets = self._board.sheets
        self._lay_out(sheets)
        count = len(self._ground)
        own = self._owners()
        if sheets:
            code, level = self._drawn(sheets)
        else:
            code, level = self._by_hand(own)
        kinds = [self._code(one.terrain) for one in self._ground]
        for name in self._facts.laid:
            self._code(name)
        edges = self._edges()
        code = np.pad(code, self._edge, mode="edge")
        level = np.pad(level, self._edge, mode="edge")
        found = [self._facts.fact(name) for name in self._names]
        does = np.zeros(256, np.uint8)
        tall, drm = np.zeros(256, np.int32), np.zeros(256, np.int32)
        whole, built = np.zeros(256, np.bool_), np.zeros(256, np.bool_)
        for number, fact in enumerate(found):
            does[number], tall[number], drm[number] = fact.does, fact.height, fact.drm
            whole[number], built[number] = fact.whole, fact.building
        shares = _shares(code, own, count)
        hexes = self._hexes(kinds, shares, found)
        if sheets:
            self._dots(hexes, sheets)
            self._cover(code, own, kinds)
            self._open_bridges(code, level, own, does)
        sides, base, gaps = self._sides(edges, hexes, code, level, does)
        filled = hexes[:, Hex.KIND] + hexes[:, Hex.IN] + sides.sum(axis=1) + gaps.sum(axis=1)
        hexes[:, Hex.BARE] = filled == 0
        pixels = (
            code.astype(np.uint32)
            | ((level.astype(np.int32) + LEVEL_0).astype(np.uint32) << 8)
            | ((own + 1).astype(np.uint32) << 16)
        )
        laid: npt.NDArray[np.uint32] = np.asfortranarray(pixels, np.uint32)
        near = self._near()
        table = np.stack([does, tall, drm, whole, built], axis=1).astype(np.int64)
        all_of_them = np.concatenate([hexes, near, sides, base, gaps], axis=1).astype(np.int64)
        return Field(
            laid, does, hexes, near, sides, tuple(self._names), tuple(found),
            {one.hex: number for number, one in enumerate(self._ground)},
            tuple(one.hex for one in self._ground),
            (laid, table, all_of_them, self._corners(), *_leaps(laid, hexes, table, bool(sheets))),
        )  # fmt: skip

    def _code(self, name: str) -> int:
        """Return the number of a terrain; assign one if it is new."""
        if name not in self._number:
            if len(self._names) > 255:
                raise BadInputError("more than 256 kinds of terrain", field="board")
            self._number[name] = len(self._names)
            self._names.append(name)
        return self._number[name]

    # -- the canvas --------------------------------------------------------------------------

    def _lay_out(self, sheets: Sequence[BoardPicture]) -> None:
        """Find the places of the hexes on the canvas, and the canvas's size."""
        if sheets:
            (_, self._right), (_, self._below) = sheets[0].across, sheets[0].down
        else:
            self._right, self._below = _HAND
        if not 4 <= abs(self._right) <= 2000 or not 4 <= abs(self._below) <= 2000:
            raise BadInputError("expected hexes of 4 to 2000 pixels", field="sheets.across")
        boxes = [self._box(sheet) for sheet in sheets] or [self._hand_box()]
        left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
        self._size = max(box[2] for box in boxes) - left, max(box[3] for box in boxes) - top
        self._left, self._top = left, top
        beyond = [
            max(start - min(first, last), max(first, last) - start - size) + reach * abs(step)
            for places, step, start, size, reach in (
                (self._u, self._right, left, self._size[0], 2 / 3),
                (self._v, self._below, top, self._size[1], 1.0),
            )
            for first, last in [(int(places.min()) * step, int(places.max()) * step)]
        ]
        self._edge = _EDGE + max(0, math.ceil(max(beyond)))
        if self._size[0] * self._size[1] > MOST_CANVAS:
            raise BadInputError("too large for lines of sight", field="board")

    def _box(self, sheet: BoardPicture) -> tuple[int, int, int, int]:
        """Return the pixels of the plane that a sheet covers with hexes of the board."""
        spans = []
        for first, last, (origin, step), size, scale, reach in (
            (*sheet.part[:2], sheet.across, sheet.width, self._right, 2 / 3),
            (*sheet.part[2:], sheet.down, sheet.height, self._below, 1.0),
        ):
            ends = sorted((-origin * scale / step, (size - origin) * scale / step))
            hexes = sorted((first * scale, last * scale))
            room = abs(scale) * reach
            spans.append(
                (round(max(ends[0], hexes[0] - room)), round(min(ends[1], hexes[1] + room)))
            )
        (left, right), (top, bottom) = spans
        return left, top, max(right, left + 1), max(bottom, top + 1)

    def _hand_box(self) -> tuple[int, int, int, int]:
        across = math.ceil(self._right * 2 / 3), math.ceil(self._below)
        xs, ys = self._u * self._right, self._v * self._below
        return (
            int(xs.min()) - across[0], int(ys.min()) - across[1],
            int(xs.max()) + across[0] + 1, int(ys.max()) + across[1] + 1,
        )  # fmt: skip

    def _owners(self) -> Ints:
        """
        Return the number of each pixel's hex, -1 off the map; includes the margin.

        A pixel halfway between two hexes belongs to the lower number, in any orientation of the
        board.
        """
        wide, high = self._size[0] + 2 * self._edge, self._size[1] + 2 * self._edge
        u0, v0 = int(self._u.min()) - 3, int(self._v.min()) - 5
        table = np.full((int(self._u.max()) - u0 + 4, int(self._v.max()) - v0 + 6), -1, np.int32)
        table[self._u - u0, self._v - v0] = np.arange(len(self._ground))
        last = table.shape[0] - 1, table.shape[1] - 1
        odd = int(self._u[0] + self._v[0]) % 2
        x = (np.arange(wide) + self._left - self._edge) / self._right
        y = (np.arange(high) + self._top - self._edge) / self._below
        found = []
        for ahead in (0, 1):
            here = np.floor(x).astype(np.int32) + ahead
            row = odd + (here % 2)
            rows = (y[None, :] - row[:, None] + 1) / 2
            near = 2 * np.floor(rows).astype(np.int32) + row[:, None]
            far = _SQUEEZE * ((x - here) ** 2)[:, None] + (y[None, :] - near) ** 2
            column = np.clip(here - u0, 0, last[0])[:, None]
            own = table[column, np.clip(near - v0, 0, last[1])]
            xs, ys = np.nonzero(np.abs(rows - np.rint(rows)) < _TIE)
            for beside in (-2, 2):
                other = table[column[xs, 0], np.clip(near[xs, ys] + beside - v0, 0, last[1])]
                is_near = np.abs(np.abs(y[ys] - near[xs, ys] - beside) - 1) < _TIE
                own[xs, ys] = np.where(is_near, _lower(own[xs, ys], other), own[xs, ys])
            found.append((far, own))
        (far_left, left), (far_right, right) = found
        best: Ints = np.where(far_right < far_left, right, left)
        tied = np.abs(far_right - far_left) < _TIE
        best[tied] = _lower(left[tied], right[tied])
        return best

    # -- pixels ------------------------------------------------------------------------------

    def _drawn(self, sheets: Sequence[BoardPicture]) -> tuple[Any, Any]:
        """Draw the sheets on the canvas: the first that covers a pixel counts."""
        code = np.zeros(self._size, np.uint8)
        level = np.zeros(self._size, np.int8)
        free = np.ones(self._size, np.bool_)
        for sheet in sheets:
            levels, terrain = sheet.planes()
            table = np.zeros(256, np.uint8)
            for old, name in sheet.terrain:
                if not 0 <= old < 256:
                    raise BadInputError("expected codes from 0 to 255", field="sheets.terrain")
                table[old] = self._code(name)
            left, top, right, bottom = self._box(sheet)
            # Halves are rounded down; rounding to even would skip every other pixel.
            xs, ys = (
                np.ceil(origin + np.arange(start, end) * (step / scale) - 0.5).astype(np.int64)
                for (origin, step), scale, start, end in (
                    (sheet.across, self._right, left, right),
                    (sheet.down, self._below, top, bottom),
                )
            )
            at = np.ix_(xs.clip(0, sheet.width - 1), ys.clip(0, sheet.height - 1))
            part = (
                slice(left - self._left, right - self._left),
                slice(top - self._top, bottom - self._top),
            )
            empty = free[part]
            code[part] = np.where(empty, table[terrain[at]], code[part])
            level[part] = np.where(empty, levels[at], level[part])
            free[part] = False
        return code, level

    def _by_hand(self, own: Ints) -> tuple[Any, Any]:
        """Paint each hex completely with its Location's terrain."""
        inner = own[self._edge : -self._edge, self._edge : -self._edge]
        kinds = [self._code(one.depression or one.terrain) for one in self._ground] + [0]
        levels = [one.level for one in self._ground] + [0]
        return np.array(kinds, np.uint8)[inner], np.array(levels, np.int8)[inner]

    def _cover(self, code: Any, own: Ints, kinds: Sequence[int]) -> None:
        """Paint hexes beneath overlays, whose pictures are not read."""
        for number, one in enumerate(self._ground):
            if one.terrain.startswith(COVERED):
                code[own == number] = kinds[number]

    def _open_bridges(self, code: Any, level: Any, own: Ints, does: Any) -> None:
        """Let lines of sight pass below a bridge's deck, because its pixels are not the ground."""
        for number, one in enumerate(self._ground):
            if one.hex not in self._decks:
                continue
            here = own == number
            xs, ys = np.nonzero(here & (does[code] == Does.BRIDGE))
            if not len(xs):
                continue
            box = (slice(xs.min(), xs.max() + 1), slice(ys.min(), ys.max() + 1))
            deck = here[box] & (level[box] > one.level)
            level[box][deck] = one.level
            road = deck & (does[code[box]] == Does.OPEN)
            code[box][road] = self._code(one.depression or one.terrain)

    # -- hexes -------------------------------------------------------------------------------

    def _hexes(self, kinds: Sequence[int], shares: Any, found: Sequence[TerrainFact]) -> Any:
        """Return the table of hexes."""
        table = np.zeros((len(self._ground), Hex.COUNT), np.int64)
        table[:, Hex.U], table[:, Hex.V] = self._u, self._v
        for column, places, step, start in (
            (Hex.X, self._u, self._right, self._left),
            (Hex.Y, self._v, self._below, self._top),
        ):
            table[:, column] = np.rint((places * step - start + self._edge) * 2.0**FINE)
        houses = [
            number for number, fact in enumerate(found)
            if fact.building and fact.does in (Does.OBSTACLE, Does.HALL, Does.CANOPY)
        ]  # fmt: skip
        wholes = [number for number, fact in enumerate(found) if fact.whole]
        roads = {at for edge in self._board.edges if edge.hexside.road for at in (edge.a, edge.b)}
        for number, one in enumerate(self._ground):
            row, share = table[number], shares[number]
            base = one.level + (one.depression is not None)
            fact = found[kinds[number]]
            row[Hex.LEVEL], row[Hex.BASE] = 2 * one.level, 2 * base
            row[Hex.IN] = one.depression is not None
            inherent = max(wholes, key=lambda kind: share[kind], default=0)
            is_own = inherent and share[inherent] > _OWN
            row[Hex.KIND] = kinds[number] if fact.whole else inherent if is_own else 0
            house = max(houses, key=lambda kind: share[kind], default=0)
            if houses and share[house] > _TRACE:
                fact = found[house]
            row[Hex.BUILT] = bool(fact.building) and fact.does in (
                Does.OBSTACLE, Does.HALL, Does.CANOPY,
            )  # fmt: skip
            row[Hex.ROOF] = 2 * base + fact.height if row[Hex.BUILT] else NOWHERE
            row[Hex.STAIRS] = _stairs(fact, one.stairway, one.name in roads)
            row[Hex.DECK] = 2 * self._decks[one.hex].level if one.hex in self._decks else NOWHERE
            row[Hex.UNKNOWN] = found[kinds[number]].does == Does.UNKNOWN
            row[Hex.OWN] = kinds[number]
        return table

    def _dots(self, table: Any, sheets: Sequence[BoardPicture]) -> None:
        """Set the pixel of each hex's centre in the table, from the first sheet that shows it."""
        for sheet in (sheets[0], *reversed(sheets)):
            left, top, right, bottom = self._box(sheet)
            xs, ys = (
                np.rint((np.floor(origin + places * step) - math.ceil(origin - 0.5)) * (scale / step))
                for places, (origin, step), scale in (
                    (self._u, sheet.across, self._right), (self._v, sheet.down, self._below),
                )
            )  # fmt: skip
            here = (left <= xs) & (xs < right) & (top <= ys) & (ys < bottom)
            here |= table[:, Hex.DOT_X] == 0  # its centre is beyond the edge of every sheet
            table[here, Hex.DOT_X] = xs[here] - self._left + self._edge
            table[here, Hex.DOT_Y] = ys[here] - self._top + self._edge

    def _near(self) -> Ints:
        at = {(one.u, one.v): number for number, one in enumerate(self._ground)}
        return np.array(
            [[at.get((one.u + du, one.v + dv), -1) for du, dv in STEPS] for one in self._ground],
            np.int32,
        ).reshape(-1, 6)

    def _corners(self) -> npt.NDArray[np.int64]:
        """Return the offsets of a hex's vertices from its centre."""
        steps = np.array(STEPS, float)
        off = (steps + np.roll(steps, -1, axis=0)) / 3 * (self._right, self._below)
        found: npt.NDArray[np.int64] = np.rint(off * 2.0**FINE).astype(np.int64)
        return found

    # -- hexsides ----------------------------------------------------------------------------

    def _edges(self) -> dict[tuple[int, int], tuple[int, int]]:
        """Return the terrain and the marks of each hexside, by hex and direction."""
        number = {one.name: index for index, one in enumerate(self._ground)}
        found: dict[tuple[int, int], tuple[int, int]] = {}
        for edge in self._board.edges:
            if edge.a not in number or edge.b not in number:
                continue
            side = edge.hexside
            marks = (side.gap > 0) + 2 * side.ridge + 4 * side.slope
            if side.terrain is None and not marks:
                continue
            here = self._code(side.terrain) if side.terrain else 0, marks
            way = self._board.direction(edge.a, edge.b)
            found[number[edge.a], way] = here
            found[number[edge.b], (way + 3) % 6] = here
        return found

    def _sides(
        self, edges: dict[tuple[int, int], tuple[int, int]], hexes: Any, code: Any, level: Any,
        does: Any,
    ) -> tuple[Any, Any, Any]:  # fmt: skip
        """
        Return the terrain along each hexside, the height from which it rises, and its marks.

        Marks: 1 for a break in it, 2 if it divides two depressions, 4 if it slopes.
        """
        count = len(self._ground)
        sides, gaps = np.zeros((count, 6), np.uint8), np.zeros((count, 6), np.uint8)
        base = np.zeros((count, 6), np.int32)
        near = self._near()
        for (here, way), (kind, marks) in edges.items():
            there = near[here, way]
            sides[here, way], gaps[here, way] = kind, marks
            low, high = sorted((hexes[here, Hex.BASE], hexes[there, Hex.BASE]))
            base[here, way] = low
            if low != high and does[kind] == Does.WALL and self._board.sheets:
                x, y = (
                    int((hexes[here, at] + hexes[there, at]) // 2 >> FINE) for at in (Hex.X, Hex.Y)
                )
                box = (
                    slice(max(0, x - _NEAR), x + _NEAR + 1),
                    slice(max(0, y - _NEAR), y + _NEAR + 1),
                )
                drawn = 2 * level[box][does[code[box]] == Does.WALL].astype(np.int32)
                if len(drawn) and (drawn >= high).mean() > 0.5:
                    base[here, way] = high
        return sides, base, gaps


def _leaps(
    pixels: npt.NDArray[np.uint32], hexes: Any, kinds: Any, is_drawn: bool
) -> tuple[Any, Any, Any]:
    """Return the radius around each pixel without changes, in three ways; empty for whole hexes."""
    if not is_drawn:
        none = np.zeros((0, 0), np.uint8)
        return none, none, none
    return (
        _alike(pixels, _FAR),
        _alike(_without_bare(pixels, hexes, kinds[:, 0]), _BARE_FAR),
        _alike(_without_hindrances(pixels, hexes, kinds), _FAR),
    )


def _without_bare(pixels: npt.NDArray[np.uint32], hexes: Any, does: Any) -> npt.NDArray[np.uint32]:
    """Return the pixels without hex numbers where a bare hex shows open ground at its level."""
    level = hexes[:, Hex.BASE] // 2 + LEVEL_0
    levels = np.append(0, np.where(hexes[:, Hex.BARE] != 0, level, 0)).astype(np.uint8)
    bare = levels[pixels >> 16] == (pixels >> 8).astype(np.uint8)
    bare &= does[pixels.astype(np.uint8)] == Does.OPEN
    return np.where(bare, pixels | np.uint32(0xFFFF0000), pixels)


def _without_hindrances(
    pixels: npt.NDArray[np.uint32], hexes: Any, kinds: Any
) -> npt.NDArray[np.uint32]:
    """Return the pixels with open and hindering ones of a bare hex equal, if all hinder alike."""
    does, tall, drm, whole = kinds[:, 0], kinds[:, 1], kinds[:, 2], kinds[:, 3] != 0
    hinders = (does == Does.HINDRANCE) & ~whole
    shares = _shares(pixels & 255, (pixels >> 16).astype(np.int32) - 1, len(hexes)) > 0
    calm = hexes[:, Hex.BARE] != 0
    for amounts in (tall, drm):
        least = np.where(shares & hinders, amounts, NOWHERE * NOWHERE).min(axis=1)
        most = np.where(shares & hinders, amounts, NOWHERE).max(axis=1)
        calm &= least >= most
    here = np.append(False, calm)[pixels >> 16]
    here &= ((does == Does.OPEN) | hinders)[pixels & 255]
    level = np.append(0, hexes[:, Hex.BASE] // 2 + LEVEL_0)[pixels >> 16]
    here &= level == (pixels >> 8) & 255
    return np.where(here, pixels | np.uint32(255), pixels)


def _alike(pixels: npt.NDArray[np.uint32], far: int) -> npt.NDArray[np.uint8]:
    """Return the radius of the square around each pixel in which all are equal, at most `far`."""
    same = np.zeros(pixels.shape, np.bool_)
    same[1:-1, 1:-1] = True
    across = pixels[1:] == pixels[:-1]
    down = pixels[:, 1:] == pixels[:, :-1]
    for rows in (slice(None, -2), slice(1, -1), slice(2, None)):
        same[1:-1, 1:-1] &= down[rows, :-1] & down[rows, 1:]
    same[1:-1, 1:-1] &= across[:-1, 1:-1] & across[1:, 1:-1]
    found = same.astype(np.uint8)
    for _ in range(far - 1):
        same[1:-1] &= same[:-2].copy() & same[2:]
        same[:, 1:-1] &= same[:, :-2].copy() & same[:, 2:]
        found += same
    return found


def _stairs(fact: TerrainFact, is_printed: bool, has_road: bool) -> int:
    """Return how many half levels stairs connect within a building hex (B23.26, B23.87)."""
    if fact.does == Does.HALL:  # from the ground to the roof, at an access point
        return fact.height if is_printed or has_road else 0
    return 2 if is_printed or fact.height == 3 else 0


def _lower(one: Ints, other: Ints) -> Ints:
    """Return the lower of two hexes' numbers; -1 means none."""
    found: Ints = np.minimum(one.astype(np.uint32), other.astype(np.uint32)).astype(np.int32)
    return found


def _shares(code: Any, own: Ints, count: int) -> npt.NDArray[np.float64]:
    """Return, for each hex, the share of each terrain's pixels."""
    on_map = own >= 0
    flat = own[on_map].astype(np.int64) * 256 + code[on_map]
    counts = np.bincount(flat, minlength=count * 256).reshape(count, 256)
    shares: npt.NDArray[np.float64] = counts / np.maximum(1, counts.sum(axis=1, keepdims=True))
    return shares
