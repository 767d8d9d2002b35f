"""A saved game as laid out on the table: boards side by side, stacks of pieces at their hexes."""

from __future__ import annotations

import os
from itertools import pairwise
from math import hypot
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from marchtable.board.joining import numbered
from marchtable.board.overlays import OVERLAID
from marchtable.budget import look
from marchtable.errors import BadInputError
from marchtable.vasl.archive import board_name, has_terrain, open_archive, picture_size
from marchtable.vasl.geometry import GridHex, lay_out
from marchtable.vasl.losdata import read_los_data
from marchtable.vasl.metadata import read_metadata
from marchtable.vasl.saves.described import Described, described_boards
from marchtable.vasl.saves.pieces import Piece, anonymous, read_piece
from marchtable.vasl.saves.savefile import Save
from marchtable.vasl.saves.sequences import tokens, whole
from marchtable.vasl.ssr import understood

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

__all__ = ["MAIN_MAPS", "Layout", "Stack", "Table", "added", "laid_boards", "pile", "read_table"]

OFF = "off the boards,"
EDGE = 400
"""Pixels of empty table around the boards."""
MAIN_MAPS = ("Main Map", "Map0")
MAX_PIECES = 6_000
MAX_PIECE = 400_000
_BLANK = ("nul", "nulv")
_SLACK = 0.25


class Stack(msgspec.Struct, frozen=True):
    """
    A stack of pieces.

    Parameters
    ----------
    at
        Its hex, by its name on the joined map; None off the map.
    where
        The place in words.
    pieces
        The pieces, bottom to top.
    """

    at: str | None
    where: str
    pieces: tuple[Piece, ...]


class Table(msgspec.Struct, frozen=True):
    """
    A saved game, laid out.

    Parameters
    ----------
    save
        Its source, without the commands, which contain the players' passwords.
    boards
        The boards as scenes name them, row by row; empty if it has none.
    stacks
        Everything on the main map, and on other maps or none.
    information
        The content of the scenario's information window, token by token.
    notes
        Differences of the boards from the saved ones.
    unchanged
        The SSR that are left out, by board, because their changes are not known.
    bare
        The empty boards, by column and row.
    """

    save: Save
    boards: tuple[tuple[str, ...], ...]
    stacks: tuple[Stack, ...]
    information: tuple[str, ...]
    notes: tuple[str, ...]
    unchanged: tuple[tuple[str, str], ...] = ()
    bare: frozenset[tuple[int, int]] = frozenset()


class _Sheet(NamedTuple):
    """A board on the table: its name in scenes, its pixels on the table, its hexes' centres."""

    described: Described
    word: str
    label: str
    size: tuple[float, float]
    hexes: tuple[GridHex, ...]
    notes: tuple[str, ...]
    unchanged: tuple[str, ...]
    height: float

    def nearest(self, x: float, y: float) -> str:
        """Return the hex at a point of the board as laid out."""
        return self._at(*self._own(x, y)).name

    def off_centre(self, x: float, y: float) -> float:
        """Return the distance of a point from its hex's centre, in hex heights."""
        x, y = self._own(x, y)
        near = self._at(x, y)
        return hypot(near.x - x, near.y - y) / self.height

    def _own(self, x: float, y: float) -> tuple[float, float]:
        """Convert a point of the board as laid out to its own picture."""
        if self.described.turned:
            x, y = self.size[0] - x, self.size[1] - y
        zoom, (left, top, *_) = self.described.zoom, self.described.crop
        return x / zoom + left, y / zoom + top

    def _at(self, x: float, y: float) -> GridHex:
        return min(self.hexes, key=lambda one: (one.x - x) ** 2 + (one.y - y) ** 2)


class Layout:
    """
    The boards of a saved game, laid out: they give the hex of a piece.

    Parameters
    ----------
    save
        The saved game.
    folder
        The folder of its boards' archives; None if the hexes are not needed.
    without
        Boards to leave out, by column and row.
    reads_all
        Whether a board without LOS data is rejected; otherwise it has no hexes.

    Raises
    ------
    BadInputError
        If a board is missing or cannot be read.
    """

    def __init__(
        self,
        save: Save,
        folder: str | Path | None,
        without: Collection[tuple[int, int]] = (),
        *,
        reads_all: bool = True,
    ) -> None:
        notes: list[str] = []
        saved = described_boards(save.commands)
        kept = [one for one in saved if (one.column, one.row) not in without]
        bare = [] if reads_all or folder is None else _without_terrain(kept, Path(folder))
        notes += [f"board {one.name} has no LOS data: nothing on it is judged" for one in bare]
        laid = [one for one in kept if one not in bare]
        rows = _laid(laid, Path(folder)) if folder is not None and laid else []
        blanks, unmeasured = _blanks(kept, bare, folder if rows else None)
        sheets = [sheet for row in rows for sheet in row]
        if len({len(row) for row in rows}) > 1:
            notes.append("the boards fill no rectangle: beside the shorter rows there are no hexes")
        if unmeasured:
            notes.append(
                f"how much room {', '.join(unmeasured)} takes is not known, as its archive is not among "
                "the boards given: counters on boards below or right of it may lie a hex off"
            )
        notes += [
            f"board {one.name} (column {one.column}, row {one.row}), on which nothing lies, is left "
            "out: with it the boards do not fit together"
            for one in saved
            if (one.column, one.row) in without
        ]
        self.notes = (*notes, *(note for sheet in sheets for note in sheet.notes))
        """Differences of the boards from the saved ones."""
        self._save = msgspec.structs.replace(save, commands=())
        self._sheets = sheets
        self._places = _Places(rows, blanks)
        self._bare = {(one.column, one.row): one.name for one in bare}
        self.boards = tuple(tuple(sheet.word for sheet in row) for row in rows)
        """The boards as scenes name them, row by row."""
        self.unchanged = tuple(
            (one.described.name, name) for one in sheets for name in one.unchanged
        )
        """The SSR that are left out, by board, because their changes are not known."""
        self.information: tuple[str, ...] = ()
        """The content of the scenario's information window, token by token."""
        for command in save.commands:
            if command.startswith("INFO\t"):
                self.information = tuple(tokens(command, "\t")[1:])

    def stack(self, name: str, x: int, y: int, pieces: Sequence[Piece]) -> Stack:
        """Return pieces at a pixel of a map as a stack at its hex."""
        return self._places.stack(name, x, y, pieces)

    def without_terrain(self, x: int, y: int) -> str:
        """Return the board without LOS data at a pixel of the main map, or ``""``."""
        return self._bare.get(self._places.blank_at(x, y), "")

    def off_centre(self, x: int, y: int) -> float:
        """Return the distance of a main map pixel from its hex's centre, in hex heights."""
        return self._places.off_centre(x, y)

    def table(self, stacks: Sequence[Stack], notes: Sequence[str] = ()) -> Table:
        """Return these stacks as a table."""
        sheets = self._sheets
        return Table(
            self._save,
            self.boards,
            tuple(stacks),
            self.information,
            (*notes, *self.notes),
            self.unchanged,
            frozenset((sheet.described.column, sheet.described.row) for sheet in sheets)
            - self._places.used,
        )


def read_table(
    save: Save, folder: str | Path | None, without: Collection[tuple[int, int]] = ()
) -> Table:
    """
    Return the pieces of a saved game, by place.

    Parameters
    ----------
    save
        The saved game.
    folder
        The folder of its boards' archives; None if the hexes are not needed.
    without
        Boards to leave out, by column and row.

    Raises
    ------
    BadInputError
        If a board is missing or cannot be read, or the save is damaged.
    """
    notes: list[str] = []
    if save.steps:
        notes.append(
            f"a log: this is the position it begins with; the {save.steps} recorded steps after it "
            "are not read here (`marchtable referee` judges them)"
        )
    try:
        layout = Layout(save, folder, without)
        stacks = tuple(_stacks(save.commands, layout))
    except BadInputError as error:
        raise error.located(source=save.source) from None
    return layout.table(stacks, notes)


# -- boards ----------------------------------------------------------------------------------


def laid_boards(save: Save) -> list[str]:
    """Return the names of a saved game's boards, without the blank ones."""
    found = described_boards(save.commands)
    return [one.name for one in found if one.name.lower() not in _BLANK]


def _laid(boards: Sequence[Described], folder: Path) -> list[list[_Sheet]]:
    """
    Return the boards row by row, in VASSAL's layout.

    Each is as far right as the boards before it in its row are wide, and as far down as those
    before it in its column are high. Raises BadInputError if they overlap.
    """
    cells: dict[tuple[int, int], Described] = {}
    for one in boards:
        if one.name.lower() in _BLANK:
            continue
        if (one.row, one.column) in cells:
            raise BadInputError(
                f"boards {cells[one.row, one.column].name} and {one.name} in one place"
            )
        cells[one.row, one.column] = one
    rows = [
        [cells[at] for at in sorted(cells) if at[0] == row] for row in sorted({r for r, _ in cells})
    ]
    for above, below in pairwise(rows):
        hanging = {one.column for one in below} - {one.column for one in above}
        if hanging:
            one = next(one for one in below if one.column in hanging)
            raise BadInputError(
                f"there is no board above {one.name} (column {one.column}, row {one.row}), so that "
                "boards lie on one another: "
                + ", ".join(f"{one.name} (column {one.column}, row {one.row})" for one in boards)[
                    :300
                ]
            )
    archives = _archives(folder) if rows else {}
    labels = iter(numbered([board_name(Path(f"bd{one.name}")) for row in rows for one in row]))
    return [[_sheet(one, archives, next(labels)) for one in row] for row in rows]


def _without_terrain(boards: Sequence[Described], folder: Path) -> list[Described]:
    """Return the boards without LOS data at the ends of their rows, with no board beyond them."""
    archives = _archives(folder)
    found: list[Described] = []
    for one in sorted(boards, key=lambda one: -one.column):
        path = archives.get(f"bd{one.name}".lower())
        beyond = [two for two in boards if two.row == one.row and two.column > one.column]
        if path and not has_terrain(path) and all(two in found for two in beyond):
            found.append(one)
    return found


def _blanks(
    boards: Sequence[Described], bare: Sequence[Described], folder: str | Path | None
) -> tuple[dict[tuple[int, int], tuple[float, float]], list[str]]:
    """Return the size of blank boards by column and row, and the boards of unknown size."""
    found: dict[tuple[int, int], tuple[float, float]] = {}
    unmeasured: dict[str, None] = {}
    for one in boards:
        if (one.name.lower() in _BLANK or one in bare) and folder is not None:
            path = _archives(Path(folder)).get(f"bd{one.name}".lower())
            if path is None:
                unmeasured[one.name] = None
            else:
                found[one.column, one.row] = picture_size(path)
    return found, list(unmeasured)


def _archives(folder: Path) -> dict[str, Path]:
    try:
        names = sorted(os.listdir(folder))
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise BadInputError(f"cannot be read: {reason}", source=str(folder)) from None
    return {
        name.lower().removesuffix(".zip"): folder / name
        for name in reversed(names)
        if name.lower().startswith("bd")
    }


def _sheet(board: Described, archives: dict[str, Path], label: str) -> _Sheet:
    """Return a board with its archive's grid, and its hexes' label."""
    path = archives.get(f"bd{board.name}".lower())
    if path is None:
        version = f" (version {board.version})" if board.version else ""
        raise BadInputError(
            f"board {board.name[:40]}{version}: no bd{board.name[:40]} among the boards given"
        )
    archive = open_archive(path)
    metadata = read_metadata(archive.metadata, archive.source)
    los = read_los_data(archive.los_data, archive.source)
    wide, high = los.terrain.shape
    grid = lay_out(metadata, wide, high, len(los.stairways), archive.source)
    part, hexes = _cropped(board, grid.hexes, (wide, high), (grid.hex_width, grid.hex_height))
    known, unchanged = understood(board.ssr, los, metadata)
    ssr = f" ssr {','.join(known)}" if known else ""
    overlays = f"{OVERLAID}{','.join(board.overlays)}" if board.overlays else ""
    crop = f" crop {part}" if part else ""
    shown = (
        (board.crop[2] if board.crop[2] > 0 else wide) * board.zoom,
        (board.crop[3] if board.crop[3] > 0 else high) * board.zoom,
    )
    notes = [f"SSR {name} is left off board {board.name}: {why}" for name, why in unchanged.items()]
    notes += [
        f"{_laid_by(overlay)} on board {board.name} is not read: where it may lie, moves are "
        "UNSUPPORTED"
        for overlay in board.overlays
    ]
    if board.version and metadata.version and board.version != metadata.version:
        notes.append(
            f"board {board.name} was saved in version {board.version}, read in version {metadata.version}"
        )
    return _Sheet(
        board, f"{path}{ssr}{overlays}{crop}{' r' if board.turned else ''}", label, shown, hexes,
        tuple(notes), tuple(unchanged), grid.hex_height,
    )  # fmt: skip


def _laid_by(overlay: str) -> str:
    """Return an overlay and its hexes, in words."""
    name, *hexes = overlay.split(":")
    return f"overlay {name}" + (f" laid by {' and '.join(hexes)}" if hexes else "")


def _cropped(
    board: Described,
    hexes: tuple[GridHex, ...],
    size: tuple[int, int],
    step: tuple[float, float],
) -> tuple[str, tuple[GridHex, ...]]:
    """Return the part of a board that a crop leaves (``"A-P"``, ``""`` for all) and its hexes."""
    x, y, width, height = board.crop
    right = x + width if width > 0 else size[0]
    bottom = y + height if height > 0 else size[1]
    is_wide, is_high = right - x >= size[0] - step[0] / 2, bottom - y >= size[1] - step[1] / 2
    if is_wide and is_high:
        return "", hexes
    across = {one.u for one in hexes if x - _SLACK * step[0] <= one.x <= right + _SLACK * step[0]}
    # Rows follow the columns with whole hexes at the upper edge: those of A.
    rows = {
        _row(one)
        for one in hexes
        if one.u % 2 == 0 and y - _SLACK * step[1] <= one.y <= bottom + _SLACK * step[1]
    }
    kept = tuple(one for one in hexes if one.u in across and (is_high or _row(one) in rows))
    if not kept:
        raise BadInputError(f"the crop of board {board.name[:40]} leaves no hex of it")
    first, last = (_letters(min(kept, key=key)) for key in (lambda one: one.u, lambda one: -one.u))
    if is_high:
        return f"{first}-{last}", kept
    return f"{first}{min(rows)}-{last}{max(rows)}", kept


def _letters(one: GridHex) -> str:
    return one.name.rstrip("0123456789")


def _row(one: GridHex) -> int:
    return int(one.name[len(_letters(one)) :])


# -- pieces ----------------------------------------------------------------------------------


class _Places:
    """Hexes of the joined map by pixels of the table, and the boards in use."""

    def __init__(
        self,
        rows: Sequence[Sequence[_Sheet]],
        blanks: Mapping[tuple[int, int], tuple[float, float]],
    ) -> None:
        self._many = sum(map(len, rows)) > 1
        self.used: set[tuple[int, int]] = set()
        """The boards on which something was found, by column and row."""
        self._sheets: list[tuple[float, float, _Sheet]] = []
        self._blanks: list[tuple[float, float, tuple[float, float], tuple[int, int]]] = []
        cells = {(one.described.column, one.described.row): one for row in rows for one in row}
        rights: dict[int, float] = {}
        bottoms: dict[int, float] = {}
        for column, row in sorted({*cells, *blanks}):
            left, top = rights.get(row, float(EDGE)), bottoms.get(column, float(EDGE))
            sheet = cells.get((column, row))
            size = blanks[column, row] if sheet is None else sheet.size
            if sheet is not None:
                self._sheets.append((left, top, sheet))
            else:
                self._blanks.append((left, top, size, (column, row)))
            rights[row], bottoms[column] = left + size[0], top + size[1]

    def stack(self, name: str, x: int, y: int, pieces: Sequence[Piece]) -> Stack:
        """Return a stack with its place."""
        if name not in MAIN_MAPS:
            where = f"on {name[:40]!r}" if name else "on no map"
            return Stack(None, where, tuple(pieces))
        found = self._sheet_at(x, y)
        if found is not None:
            board, at = found
            self.used.add((board.column, board.row))
            return Stack(at, at, tuple(pieces))
        return Stack(
            None, self._beside(x, y) if self._sheets else f"at pixel {x},{y}", tuple(pieces)
        )

    def blank_at(self, x: float, y: float) -> tuple[int, int]:
        """Return column and row of the board without hexes at a pixel, or -1, -1."""
        for left, top, size, at in self._blanks:
            if 0 <= x - left <= size[0] and 0 <= y - top <= size[1]:
                return at
        return -1, -1

    def off_centre(self, x: float, y: float) -> float:
        """Return a pixel's distance from its hex's centre, in hex heights; 0 off the boards."""
        for left, top, sheet in self._sheets:
            if 0 <= x - left <= sheet.size[0] and 0 <= y - top <= sheet.size[1]:
                return sheet.off_centre(x - left, y - top)
        return 0.0

    def _sheet_at(self, x: float, y: float) -> tuple[Described, str] | None:
        """Return the board and the hex at a pixel of the main map, or None."""
        for left, top, sheet in self._sheets:
            if 0 <= x - left <= sheet.size[0] and 0 <= y - top <= sheet.size[1]:
                name = sheet.nearest(x - left, y - top)
                return sheet.described, f"{sheet.label}{name}" if self._many else name
        return None

    def _beside(self, x: int, y: int) -> str:
        """Locate a pixel beside the boards: on which side of which hex."""
        found = []
        for left, top, sheet in self._sheets:
            near = (
                min(max(float(x), left), left + sheet.size[0]),
                min(max(float(y), top), top + sheet.size[1]),
            )
            found.append((hypot(x - near[0], y - near[1]), near))
        _, near = min(found)
        across, down = x - near[0], y - near[1]
        sides = ("left of", "right of") if abs(across) > abs(down) else ("above", "below")
        nearest = self._sheet_at(*near)
        return f"{OFF} {sides[max(across, down, key=abs) > 0]} {nearest[1] if nearest else ''}"


def _stacks(commands: Sequence[str], places: Layout) -> Iterator[Stack]:
    """Yield the stacks in the order of the save; a single piece is a stack of its own."""
    pieces: dict[str, Piece] = {}
    players: dict[str, str] = {}
    piles: list[tuple[str, int, int, list[str]]] = []
    for number, type_, state in added(commands):
        if type_ == "stack":
            piles.append(pile(state))
        elif not type_.startswith("deck"):
            pieces[number] = anonymous(read_piece(number, type_, state), players)
    stacked: set[str] = set()
    for where, x, y, members in piles:
        names = [name for name in dict.fromkeys(members) if name in pieces and name not in stacked]
        stacked.update(names)
        if names:
            yield places.stack(where, x, y, [pieces[name] for name in names])
    for name, piece in pieces.items():
        if name not in stacked:
            yield places.stack(piece.map, piece.x, piece.y, [piece])


def added(commands: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Yield number, type and state of everything the save puts on the table."""
    count = 0
    for command in commands:
        look()
        if not command.startswith("+/"):
            continue
        count += 1
        if len(command) > MAX_PIECE or count > MAX_PIECES:
            raise BadInputError(
                f"expected at most {MAX_PIECES} pieces, each of at most {MAX_PIECE} letters"
            )
        parts = tokens(command, "/")
        if len(parts) < 4:
            raise BadInputError("expected a piece's id, type and state")
        yield parts[1], parts[2], parts[3]


def pile(state: str) -> tuple[str, int, int, list[str]]:
    """Return a stack's map, its place there, and the numbers of its pieces."""
    where, *rest = tokens(state, ";")
    x, y = (whole(word, "a stack's place") for word in [*rest, "", ""][:2])
    return where, x, y, [word for word in rest[2:] if word and not word.startswith("@@")]
