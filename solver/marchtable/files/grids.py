"""
Boards by hand: a grid of terrain letters (``marchtable/grid/1``), read into a board.

The rows are those of the printed map: columns B, D, F … are half a hex lower than A, C, E ….
Roads, hexsides and bridges are given as lists of hexes.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.arguments import public
from marchtable.board.board import DIRECTIONS, STEPS, Board, Location
from marchtable.board.bridges import BRIDGE, connect, on_levels
from marchtable.board.places import Hexside
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.files.names import check_name, names_of
from marchtable.nearest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = [
    "GRID_FORMAT", "HIGHEST", "MOST_COLUMNS", "MOST_ROWS", "Cell", "GridFile", "board_by_hand", "board_of_grid",
    "column_letters", "letters",
]  # fmt: skip

GRID_FORMAT = "marchtable/grid/1"
NO_HEX = "-"
OPEN = "."
"""Marks a missing hex in a row, and the end of a road that leads off the map."""
ROAD, BRIDGE_KIND = "Dirt Road", "Stone Bridge"
"""Meaning of ``road`` and ``bridge`` without a kind."""
PATH = "Path"
MOST_COLUMNS, MOST_ROWS = 52, 99
HIGHEST = 20

_CELL = re.compile(r"(?P<letter>[^\d\s]+?)(?P<level>-?\d+)?|(?P<bare>\d+)")
_TURNED = re.compile(r"(?P<level>-?\d+)(?P<letter>[^\d\s]+)")
_PACKED = re.compile(r"[^\d\s](?:-?\d+)?")
_WORD = re.compile(r"[^\s,]+")


class Cell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    The meaning of a letter, or the fields of one hex.

    Parameters
    ----------
    terrain, also, depression, stairway, clear
        As of a :class:`marchtable.board.places.Location`. Depression terrain also sets
        `depression`.
    level
        The hex's level; for a depression, that of its surroundings. A level in the grid is added.
    """

    terrain: str | None = None
    also: tuple[tuple[str, int], ...] = ()
    depression: str | None = None
    stairway: bool = False
    clear: tuple[int, ...] = ()
    level: int | None = None


class GridFile(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="format", tag=GRID_FORMAT
):
    """
    A board by hand as a file (``marchtable/grid/1``), or as the ``board`` of a scene.

    Parameters
    ----------
    rows
        The grid, as text of several lines or as a list of lines. Each cell is a hex: a letter of
        the legend and, unless it is 0, a level (``w2``). ``-`` means no hex. Column letters above
        the grid and row numbers before it are optional, and are checked.
    name
        The board's name.
    legend
        The meaning of letters, in addition to the predefined ones (``marchtable terrain``).
    road, roads
        Roads from hex to hex, such as ``"A3 B2 C3 D2"``, with ``-`` at an end that leads off the
        map: dirt roads, or by kind.
    hexsides
        Hexsides by what lies along them, as ``"C3-C4"`` or ``"C3-NE"``, several per line.
    bridge, bridges
        Hexes with a stone bridge, or with bridges by kind; a road must lead onto each.
    hexes
        Further fields of single hexes.
    """

    rows: str | list[str]
    name: str = "by hand"
    legend: dict[str, str | Cell] = {}
    road: list[str] = []
    roads: dict[str, list[str]] = {}
    hexsides: dict[str, list[str]] = {}
    bridge: list[str] = []
    bridges: dict[str, list[str]] = {}
    hexes: dict[str, Cell] = {}


@public
def board_by_hand(rows: str | Sequence[str], **fields: Any) -> Board:
    """
    Return a board from a grid of terrain letters.

    Parameters
    ----------
    rows
        The grid, as in :class:`GridFile`.
    fields
        Its other fields: ``name``, ``legend``, ``road``, ``roads``, ``hexsides``, ``bridge``,
        ``bridges``, ``hexes``.

    Raises
    ------
    BadInputError
        Names the row and the hex, or the field, and what was expected there.

    Examples
    --------
    >>> board = board_by_hand('''
    ...   A B C
    ... 1 . w .
    ... 2 . . s
    ... ''', road=["- A2 B1 C2"])
    >>> board["C2"].terrain
    'Stone Building'
    >>> board.hexside("A2", "B1").road
    'Dirt Road'
    """
    from marchtable.codec.structs import struct_of

    if not isinstance(rows, Iterable):
        raise BadInputError(f"expected the rows of a grid, got {rows!r:.60}", field="rows")
    lines = rows if isinstance(rows, str) else list(rows)
    return board_of_grid(struct_of({"format": GRID_FORMAT, "rows": lines, **fields}, GridFile))


@cache
def letters() -> dict[str, str]:
    """Return the predefined terrain letters."""
    text = files("marchtable").joinpath("data/grid.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def board_of_grid(grid: GridFile) -> Board:
    """Return the board that a grid describes; raise BadInputError."""
    return _Reader(grid).board()


class _Reader:
    """Reader of one grid."""

    def __init__(self, grid: GridFile) -> None:
        self.grid = grid
        self.legend = {letter: Cell(terrain=name) for letter, name in letters().items()}
        for letter, meant in grid.legend.items():
            field = f"legend.{letter}"
            if letter == NO_HEX or not letter or re.search(r"[\d\s]", letter):
                raise BadInputError(
                    f"expected a letter or sign without digits, other than {NO_HEX}", field=field
                )
            self.legend[letter] = Cell(terrain=meant) if isinstance(meant, str) else meant
            _check_cell(self.legend[letter], field)
        self.places: dict[str, tuple[int, int]] = {}
        self.cells: dict[str, Cell] = {}
        self._read_rows()
        self.by_place = {place: name for name, place in self.places.items()}
        for name, cell in grid.hexes.items():
            proper = self._hex(name, "hexes")
            _check_cell(cell, f"hexes.{name}")
            stated = {
                f: v
                for f in Cell.__struct_fields__
                if (v := getattr(cell, f)) not in (None, (), False)
            }
            self.cells[proper] = msgspec.structs.replace(self.cells[proper], **stated)
        self.sides: dict[tuple[str, int], Hexside] = {}
        self.spans = self._bridges()
        self._read_roads()
        self._read_hexsides()

    def board(self) -> Board:
        """Return the board."""
        locations, edges = [], []
        for name, (u, v) in sorted(self.places.items(), key=lambda entry: entry[1]):
            rim: dict[int, Hexside] = {}
            for way, (across, down) in enumerate(STEPS):
                other = self.by_place.get((u + across, v + down))
                side = self.sides.get((name, way), Hexside())
                if other is None:
                    rim[way] = side
                elif 1 <= way <= 3:
                    edges += connect(name, other, side, self.spans)
            ground = _location(name, u, v, self.cells[name])
            deck = None
            if name in self.spans:
                deck = Location(
                    name + BRIDGE, name, u, v, self.cells[name].level or 0, self.spans[name]
                )
                if not any(self.sides.get((name, way), Hexside()).road for way in range(6)):
                    raise BadInputError(f"no road leads onto the bridge in {name}", field="bridges")
            locations += on_levels(ground, rim, deck)
        return Board(self.grid.name, locations, edges)

    # -- rows ----------------------------------------------------------------------------------

    def _read_rows(self) -> None:
        text = self.grid.rows
        lines = text.splitlines() if isinstance(text, str) else text
        rows = [line.split() for line in lines if line.strip()]
        if (
            rows
            and len(rows[0]) > 1
            and rows[0] == [column_letters(n) for n in range(len(rows[0]))]
        ):
            width: int | None = len(rows.pop(0))
        else:
            width = None
        if not rows:
            raise BadInputError("expected at least one row of terrain letters", field="rows")
        labelled = all(row[0].isdecimal() and len(row) > 1 for row in rows)
        first = int(rows[0][0]) if labelled and rows[0][0] == "0" else 1
        for number, row in enumerate(rows, first):
            if labelled and row[0] != str(number):
                raise BadInputError(f"expected row {number}, got row {row[0]}", field="rows")
            cells = self._unpacked(row[labelled:])
            width = len(cells) if width is None else width
            if len(cells) != width:
                raise BadInputError(
                    f"row {number}: expected {width} hexes as in the rows above, got {len(cells)} "
                    f"({' '.join(cells)})", field="rows",
                )  # fmt: skip
            if width > MOST_COLUMNS or number > MOST_ROWS:
                raise BadInputError(
                    f"expected at most {MOST_COLUMNS} columns and {MOST_ROWS} rows", field="rows"
                )
            for column, text in enumerate(cells):
                self._read_cell(text, column, number)
        if not self.places:
            raise BadInputError("expected at least one hex", field="rows")

    def _unpacked(self, row: list[str]) -> list[str]:
        """Split a row into cells; a row without blanks is split by letters."""
        if len(row) == 1 and len(row[0]) > 1:
            match = _CELL.fullmatch(row[0])
            if match is None or match["letter"] not in self.legend:
                return _PACKED.findall(row[0])
        return row

    def _read_cell(self, text: str, column: int, row: int) -> None:
        if text == NO_HEX:
            return
        name = f"{column_letters(column)}{row}"
        match = _CELL.fullmatch(text)
        if match and match["bare"]:  # a level alone
            match = _CELL.fullmatch(f"{OPEN}{text}")
        cell = self.legend.get(match["letter"]) if match else None
        if match is None or cell is None:
            letter = match["letter"] if match else text
            known = ", ".join(f"{one} {meant.terrain}" for one, meant in self.legend.items())
            terrains = [
                name for name in names_of("terrain") if name.lower().startswith(letter.lower())
            ]
            hint = (
                f'; write it into the legend, such as {letter} = "{terrains[0]}"'
                if terrains
                else ""
            )
            if letter.lower() in self.legend:
                hint = f"; nearest: {letter.lower()!r}"
            if turned := _TURNED.fullmatch(text):
                hint = f"; a level stands behind its letter: {turned['letter']}{turned['level']}"
            raise UnknownNameError(
                f"row {row}, hex {name}: no terrain letter {letter!r} (letters: {known}){hint}",
                field="rows",
            )
        if match["level"] is not None:
            cell = msgspec.structs.replace(cell, level=int(match["level"]))
        if abs(cell.level or 0) > HIGHEST:
            raise BadInputError(f"row {row}, hex {name}: expected a level from -{HIGHEST} to {HIGHEST}, "
                                f"got {cell.level}", field="rows")  # fmt: skip
        self.places[name] = (column, 2 * row - 1 + column % 2)
        self.cells[name] = cell

    # -- roads, hexsides, bridges ----------------------------------------------------------------

    def _read_roads(self) -> None:
        for kind, field, number, line in _lines({ROAD: self.grid.road}, "road", self.grid.roads):
            if kind != PATH:
                check_name("road", kind, field)
            place = f"{field}[{number}]"
            names = _words(line)
            if len(names) < 2:
                raise BadInputError(
                    f"expected two hexes or more, such as 'A3 B2 C3', got {line!r}", field=place
                )
            stated = {"path": True} if kind == PATH else {"road": kind}
            ends = {0: names[0] == NO_HEX, len(names) - 1: names[-1] == NO_HEX}
            way = [self._hex(name, place) for n, name in enumerate(names) if not ends.get(n)]
            for a, b in pairwise(way):
                self._mark(a, self._direction(a, b, place), place, **stated)
            for end, leaves in zip((way[:2], way[::-1][:2]), ends.values(), strict=True):
                if leaves:
                    self._mark(end[0], self._way_off(end, place), place, **stated)

    def _way_off(self, end: list[str], field: str) -> int:
        """Return the hexside by which a road leaves the map, as straight as possible."""
        if not end:
            raise BadInputError("expected a hex beside what is off the map", field=field)
        u, v = self.places[end[0]]
        rim = [
            way
            for way, (across, down) in enumerate(STEPS)
            if (u + across, v + down) not in self.by_place
        ]
        if not rim:
            raise BadInputError(
                f"{end[0]} does not lie at the edge of the map: drop the {NO_HEX!r} at that end of the road",
                field=field,
            )
        ahead = (self._direction(end[1], end[0], field)) if len(end) > 1 else rim[0]
        return min(rim, key=lambda way: min((way - ahead) % 6, (ahead - way) % 6))

    def _read_hexsides(self) -> None:
        for kind, field, number, line in _lines({}, "", self.grid.hexsides):
            check_name("hexside", kind, field)
            place = f"{field}[{number}]"
            for pair in _words(line):
                first, dash, second = pair.partition("-")
                if not dash or not second:
                    raise BadInputError(
                        f"expected hexsides such as 'C3-C4' or 'C3-NE', got {pair!r}", field=place
                    )
                a = self._hex(first, place)
                if second.upper() in DIRECTIONS:
                    way = DIRECTIONS.index(second.upper())
                elif re.fullmatch("[A-Za-z]+", second):
                    raise BadInputError(
                        f"no hexside {second!r} of {a} (hexsides: {', '.join(DIRECTIONS)}; "
                        f"or the hex beyond, such as '{a}-{self._beside(a)[0]}')",
                        field=place,
                    )
                else:
                    way = self._direction(a, self._hex(second, place), place)
                self._mark(a, way, place, terrain=kind)

    def _bridges(self) -> dict[str, str]:
        found = {}
        for kind, field, number, line in _lines(
            {BRIDGE_KIND: self.grid.bridge}, "bridge", self.grid.bridges
        ):
            check_name("bridge", kind, field)
            for name in _words(line):
                found[self._hex(name, f"{field}[{number}]")] = kind
        return found

    def _hex(self, name: str, field: str) -> str:
        """Return the proper name of a hex; raise UnknownNameError with the nearest."""
        if (proper := name.upper()) in self.places:
            return proper
        last = list(self.places)[-1]
        raise UnknownNameError(
            f"no hex {name!r} (they run from {next(iter(self.places))} to {last})"
            f"{did_you_mean(proper, self.places, hexes=True)}", field=field,
        )  # fmt: skip

    def _direction(self, a: str, b: str, field: str) -> int:
        (u, v), (to_u, to_v) = self.places[a], self.places[b]
        step = (to_u - u, to_v - v)
        if step in STEPS:
            return STEPS.index(step)
        raise BadInputError(
            f"{a} and {b} are not adjacent (beside {a} lie {', '.join(self._beside(a))})",
            field=field,
        )

    def _beside(self, a: str) -> list[str]:
        u, v = self.places[a]
        around = [self.by_place.get((u + across, v + down)) for across, down in STEPS]
        return [name for name in around if name is not None]

    def _mark(self, name: str, way: int, field: str, **stated: Any) -> None:
        """Record what lies along or crosses a hexside, for both of its hexes."""
        u, v = self.places[name]
        other = self.by_place.get((u + STEPS[way][0], v + STEPS[way][1]))
        known = self.sides.get((name, way), Hexside())
        for part, value in stated.items():
            if getattr(known, part) not in (None, False, value):
                raise BadInputError(
                    f"hexside {DIRECTIONS[way]} of {name} has {getattr(known, part)} already",
                    field=field,
                )
        side = msgspec.structs.replace(known, **stated)
        self.sides[name, way] = side
        if other is not None:
            self.sides[other, (way + 3) % 6] = side


def formed(data: Any) -> Any:
    """Add the grid's format to a table without a format or Locations; return other data unchanged."""
    if isinstance(data, dict) and not {"format", "locations"} & data.keys():
        return {"format": GRID_FORMAT, **data}
    return data


def column_letters(number: int) -> str:
    """Return a column's letters: A to Z, then AA, BB and so on."""
    return chr(ord("A") + number % 26) * (number // 26 + 1)


def _words(line: str) -> list[str]:
    return _WORD.findall(line)


def _lines(
    plain: Mapping[str, list[str]], key: str, kinds: Mapping[str, list[str]]
) -> Iterator[tuple[str, str, int, str]]:
    """Yield kind, field, number and text of each line, with or without a kind."""
    for field, table in ((key, plain), (f"{key}s" if key else "hexsides", kinds)):
        for kind, lines in table.items():
            place = field if table is plain else f"{field}.{kind}"
            for number, line in enumerate(lines):
                yield kind, place, number, line


def _check_cell(cell: Cell, field: str) -> None:
    for name in (cell.terrain, *(name for name, _ in cell.also)):
        if name is not None:
            check_name("terrain", name, field)
    if cell.depression is not None:
        check_name("depression", cell.depression, field)
    if cell.clear and (len(cell.clear) != 6 or not all(0 <= one <= 100 for one in cell.clear)):
        raise BadInputError(
            "expected six whole numbers from 0 to 100, one for each hexside, clockwise from N",
            field=f"{field}.clear",
        )


def _location(name: str, u: int, v: int, cell: Cell) -> Location:
    terrain = cell.terrain or "Open Ground"
    depression = cell.depression or (terrain if terrain in names_of("depression") else None)
    level = (cell.level or 0) - (depression is not None)
    return Location(
        name, name, u, v, level, terrain, cell.also, depression, cell.stairway, (), cell.clear
    )
