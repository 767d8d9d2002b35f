"""
Rotated boards, and boards joined side by side.

Where two boards meet, each shows half of the same hexes: the joined board has one Location for
both halves, named by the left or upper board, with the other board's name as an alias. A feature
that either half shows on a hexside counts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from marchtable.board.board import CHANGED, STEPS, Board, EdgeRecord, Hexside, Location, split_name
from marchtable.board.bridges import BRIDGE, connect, on_levels
from marchtable.board.cropping import CROPPED
from marchtable.board.overlays import COVERED, OVERLAID
from marchtable.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["join", "numbered", "reverse"]

_OPEN = "Open Ground"

_Sides = dict[tuple[str, str], Hexside]


# -- rotation --------------------------------------------------------------------------------


def reverse(board: Board) -> Board:
    """
    Return a board rotated by 180 degrees; its labels stay.

    Parameters
    ----------
    board
        A single or a joined board.
    """
    span_u, span_v = (
        min(places) + max(places)
        for places in zip(*((one.u, one.v) for one in board.locations), strict=True)
    )
    turned = [
        msgspec.structs.replace(
            one,
            u=span_u - one.u,
            v=span_v - one.v,
            rim=tuple(sorted((_opposite(way), hexside) for way, hexside in one.rim)),
            clear=one.clear[3:] + one.clear[:3],
        )
        for one in board.locations
    ]
    sheets = [sheet.turned(span_u, span_v) for sheet in board.sheets]
    return Board(board.name, turned, board.edges, board.aliases, sheets)


def _opposite(direction: int) -> int:
    return (direction + 3) % 6


# -- joining ---------------------------------------------------------------------------------


def join(rows: Sequence[Sequence[Board]], name: str | None = None) -> Board:
    """
    Return one board made of several.

    Parameters
    ----------
    rows
        The boards as they are laid out: rows from top to bottom, each from left to right. Their
        outermost columns are half-hexes, shared with the next board. Rows start at the left;
        beside a row of fewer boards there are no hexes.
    name
        The name of the whole; by default the boards' names with ``+`` between them and ``/``
        between rows.

    Raises
    ------
    BadInputError
        If there is no board, boards in a row differ in height, rows of as many boards differ
        in width, or the hex grids do not meet.
    """
    boards = [board for row in rows for board in row]
    if not boards or not all(len(row) for row in rows):
        raise BadInputError("expected at least one board in each row", field="boards")
    _check_cropped(rows)
    title = name or "/".join("+".join(board.name for board in row) for row in rows)
    names = [_label(board) for board in boards]
    for board, label in zip(boards, names, strict=True):
        if names.count(label) > 1 and _is_joined(board):
            raise BadInputError(f"board {label} occurs twice", field="boards")
    labels = iter(numbered(names))
    return _Join(_placed([[(board, next(labels)) for board in row] for row in rows])).board(title)


def numbered(labels: Sequence[str]) -> list[str]:
    """
    Return a different label for the hexes of each board of a layout.

    Examples
    --------
    >>> numbered(["00", "1", "00"])
    ['00', '1', '00no2']
    """
    return [
        f"{one}no{count}" if (count := labels[: number + 1].count(one)) > 1 else one
        for number, one in enumerate(labels)
    ]


def _is_joined(board: Board) -> bool:
    """Return whether a board's hexes already have a board's name as prefix."""
    parts = split_name(board.locations[0].hex)
    return bool(parts and parts[0])


def _label(board: Board) -> str:
    """Return the prefix for a board's hexes: its name without SSR, overlays and crop."""
    return re.split(f"{CHANGED}|{OVERLAID}|{CROPPED}", board.name)[0]


def _check_cropped(rows: Sequence[Sequence[Board]]) -> None:
    """Reject boards that would meet at a cropped edge, without half-hexes to share."""
    for row in rows:
        for board in row:
            part = board.name.partition(CROPPED)[2]
            if part and (len(row) > 1 or (len(rows) > 1 and not part.replace("-", "").isalpha())):
                raise BadInputError(
                    f"board {board.name} would meet another where it is cut: a cropped board has "
                    "others only above and below, and then all of its rows (such as A-P)",
                    field="boards",
                )


def _extent(board: Board) -> tuple[int, int, int, int]:
    places = [(one.u, one.v) for one in board.locations]
    us, vs = zip(*places, strict=True)
    return min(us), max(us), min(vs), max(vs)


def _placed(rows: Sequence[Sequence[tuple[Board, str]]]) -> list[Board]:
    """Return labelled boards moved to their places in the layout, with joined names."""
    placed: list[Board] = []
    widths: dict[int, int] = {}
    top, parity = 0, None
    for row in rows:
        left, height = 0, None
        for board, label in row:
            u0, u1, v0, v1 = _extent(board)
            one = board.locations[0]
            here = (one.u - u0 + left + one.v - v0 + top) % 2
            if (height or v1 - v0) != v1 - v0:
                raise BadInputError(f"board {board.name} is not as high as its row")
            if parity not in (None, here):
                raise BadInputError(f"the hex grid of board {board.name} does not meet the others")
            placed.append(_renamed(board, label, left - u0, top - v0))
            left, height, parity = left + u1 - u0, v1 - v0, here
        if widths.setdefault(len(row), left) != left:
            raise BadInputError("the rows of boards are not of one width", field="boards")
        top += height or 0
    return placed


def _renamed(board: Board, label: str, du: int, dv: int) -> Board:
    """Return a board shifted, with its label as prefix of its names."""
    prefix = "" if _is_joined(board) else label
    locations = [
        msgspec.structs.replace(
            one, name=prefix + one.name, hex=prefix + one.hex, u=one.u + du, v=one.v + dv
        )
        for one in board.locations
    ]
    edges = [EdgeRecord(prefix + one.a, prefix + one.b, one.hexside) for one in board.edges]
    aliases = {prefix + alias: prefix + target for alias, target in board.aliases.items()}
    sheets = [sheet.shifted(du, dv) for sheet in board.sheets]
    return Board(label, locations, edges, aliases, sheets)


class _Join:
    """
    The boards of a join, already renamed and in place.

    Parameters
    ----------
    boards
        The boards, upper before lower and left before right.
    """

    def __init__(self, boards: Sequence[Board]) -> None:
        self._boards = boards
        self._hex_at: dict[tuple[int, int], str] = {}
        self._renaming: dict[str, str] = {}
        self._halves: dict[str, list[Location]] = {}
        self._owners: dict[str, set[str]] = {}
        for board in boards:
            for one in board.locations:
                here = self._hex_at.setdefault((one.u, one.v), one.hex)
                name = here + one.name.removeprefix(one.hex)
                if name != one.name:
                    self._renaming[one.name] = name
                self._halves.setdefault(name, []).append(one)
                self._owners.setdefault(name, set()).add(board.name)

    def board(self, name: str) -> Board:
        """Return the joined board."""
        merged = {at: _merged(at, halves) for at, halves in self._halves.items()}
        bridges = {one.hex for at, one in merged.items() if at == one.hex + BRIDGE}
        levels, between, rims = self._hexsides()
        edges = [EdgeRecord(*ends, hexside) for ends, hexside in levels.items()]
        for (a, b), hexside in between.items():
            edges += connect(a, b, hexside, bridges)
        locations: list[Location] = []
        for at, one in merged.items():
            if at == one.hex:
                locations += on_levels(one, rims.get(at, {}), merged.get(at + BRIDGE))
            elif at != one.hex + BRIDGE:
                locations.append(one)
        drawn = all(board.sheets for board in self._boards)
        sheets = [sheet for board in self._boards if drawn for sheet in board.sheets]
        return Board(name, locations, edges, self._aliases(), sheets)

    def _aliases(self) -> dict[str, str]:
        aliases = dict(self._renaming)
        for board in self._boards:
            for alias, target in board.aliases.items():
                aliases[alias] = self._renaming.get(target, target)
        return aliases

    def _hexsides(self) -> tuple[_Sides, _Sides, dict[str, dict[int, Hexside]]]:
        """
        Return the content of all hexsides, in three parts.

        First by pair of Locations, as the boards have it; then by pair of hexes, where two boards
        meet and the levels must be separated again; last what leads off the map, by hex and
        direction.
        """
        seams, rims = self._rims()
        levels: _Sides = {}
        between: _Sides = {}
        for board in self._boards:
            for edge in board.edges:
                a, b = (self._renaming.get(end, end) for end in (edge.a, edge.b))
                hexes = a.removesuffix(BRIDGE), b.removesuffix(BRIDGE)
                if _either(seams, hexes) in seams or any(self._half_bridged(one) for one in hexes):
                    _add(between, hexes, edge.hexside)
                else:
                    _add(levels, (a, b), edge.hexside)
        for ends, hexside in seams.items():
            _add(between, ends, hexside)
        self._close_gaps(levels, between)
        return levels, between, rims

    def _half_bridged(self, at: str) -> bool:
        """Return whether only one of the two boards that share a hex shows a bridge there."""
        return at + BRIDGE in self._halves and self._owners[at] != self._owners[at + BRIDGE]

    def _rims(self) -> tuple[_Sides, dict[str, dict[int, Hexside]]]:
        """Return hexsides that led off one board: onto the next, by pair, or off the map."""
        seams: _Sides = {}
        rims: dict[str, dict[int, Hexside]] = {}
        for board in self._boards:
            for one in board.locations:
                at = self._renaming.get(one.name, one.name).removesuffix(BRIDGE)
                for way, hexside in one.rim:
                    there = self._beyond(one, way)
                    if there is None:
                        side = rims.setdefault(at, {})
                        side[way] = side.get(way, hexside).merged(hexside)
                    elif hexside != Hexside():
                        _add(seams, (at, there), hexside)
        return seams, rims

    def _beyond(self, one: Location, way: int) -> str | None:
        """Return the hex across a hexside, if there is one."""
        du, dv = STEPS[way]
        return self._hex_at.get((one.u + du, one.v + dv))

    def _close_gaps(self, levels: _Sides, between: _Sides) -> None:
        """Connect adjacent hexes of different boards that nothing connects yet."""
        for at in self._hex_at.values():
            for way in range(3):
                there = self._beyond(self._halves[at][0], way)
                if there is None or self._owners[at] & self._owners[there]:
                    continue
                ends = (at, there)
                if _either(levels, ends) not in levels and _either(between, ends) not in between:
                    between[ends] = Hexside()


def _either(sides: _Sides, ends: tuple[str, str]) -> tuple[str, str]:
    """Return a pair in the order in which it is listed, if it is."""
    return ends if ends in sides else (ends[1], ends[0])


def _add(sides: _Sides, ends: tuple[str, str], hexside: Hexside) -> None:
    listed = _either(sides, ends)
    if listed in sides:
        sides[listed] = sides[listed].merged(hexside)
    else:
        sides[ends] = hexside


def _merged(name: str, halves: Sequence[Location]) -> Location:
    """
    Return one Location from the halves that two boards show.

    The centre's terrain is that of a half beneath an overlay, else the first that is not Open
    Ground.
    """
    says = next(
        (one for one in halves if one.terrain.startswith(COVERED)),
        next((one for one in halves if one.terrain != _OPEN), halves[0]),
    )
    suffix = says.name.removeprefix(says.hex)
    shares: dict[str, float] = {}
    for one in halves:
        rest = 100 - sum(percent for _, percent in one.also)
        for other, percent in (*one.also, (one.terrain, rest)):
            if other != says.terrain:
                shares[other] = shares.get(other, 0) + percent / len(halves)
    rounded = [(other, round(share)) for other, share in shares.items() if round(share)]
    return msgspec.structs.replace(
        says,
        name=name,
        hex=name.removesuffix(suffix),
        also=tuple(sorted(rounded, key=lambda share: (-share[1], share[0]))),
        stairway=any(one.stairway for one in halves),
        clear=tuple(map(min, zip(*(one.clear for one in halves if one.clear), strict=True))),
    )
