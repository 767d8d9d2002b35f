"""Boards as scenes name them: the rulebook's own, files, VASL archives, or several joined."""

from __future__ import annotations

import re
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from marchtable.arguments import public
from marchtable.board.board import Board, BoardFile
from marchtable.budget import report_progress
from marchtable.cache import Cache
from marchtable.codec.plain import STDIN, checked, on_disk, read, write
from marchtable.codec.structs import builtins_of, struct_of
from marchtable.errors import BadInputError
from marchtable.files.grids import GRID_FORMAT, HIGHEST, GridFile, board_of_grid, formed

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from marchtable.rules.rulebook import Rulebook

__all__ = [
    "BOARD_FORMAT", "DEMO", "demo_board", "find_board", "is_archive", "is_board", "load_board",
    "path_in", "save_board",
]  # fmt: skip

BOARD_FORMAT = "marchtable/board/1"
DEMO = "demo"
"""The scenes' name for the rulebook's own board."""
TURNED = " r"
"""Suffix of a board's name that rotates it by 180 degrees."""

_NAMED = re.compile(
    r"(?P<path>.+?)(?: ssr (?P<ssr>\S+))?(?: overlays (?P<overlays>\S+))?"
    r"(?: crop (?P<crop>\S+))?(?P<turned> r)?",
    re.DOTALL,
)
_ARCHIVES = {b"PK", b"7z"}  # 7z is recognized so that it can be rejected by name
_LIKE_ARCHIVE = re.compile(r"(?i)bd[0-9a-z_-]+(\.zip)?")
_FARTHEST = 10_000
_LOCATION_BYTES = 3000  # memory of a board with its derived data, measured on VASL's
_MOST_BYTES = 256_000_000  # file size above which no digest is made; no board is larger
_KEPT: Cache[Board] = Cache(
    lambda board: _LOCATION_BYTES * len(board) + sum(len(sheet.pixels) for sheet in board.sheets)
)


def find_board(
    named: str | Sequence[Sequence[str]] | BoardFile | GridFile,
    rulebook: Rulebook[Any, Any] | None = None,
    *,
    folder: str | Path = ".",
) -> Board:
    """
    Return the board that a scene names.

    Boards are cached by the content of their files.

    Parameters
    ----------
    named
        ``"demo"``; a path; rows of paths for boards side by side; a whole board, or a grid by hand.
        Suffixes can follow a path, in this order: `` ssr NoRoads,AllDirt`` for SSR that change a
        VASL board's terrain, `` overlays o5:H4:G4`` for VASL's overlays, `` crop A-P`` for a part
        of the board, and `` r`` to rotate it.
    rulebook
        The rulebook of ``"demo"``; without one, ``"demo"`` is a path like any other.
    folder
        The folder that paths are relative to.

    Raises
    ------
    BadInputError
        If a board cannot be read, or the boards do not fit together.
    """
    if isinstance(named, BoardFile | GridFile):
        return _board(named, source="")
    if named == DEMO and rulebook is not None:
        return demo_board(rulebook)
    if isinstance(named, str):
        report_progress(f"reading {_called(named)}")
        return _one(named, Path(folder))
    keys = [[_content(entry, Path(folder)) for entry in row] for row in named]
    contents = None if any(None in row for row in keys) else tuple(map(tuple, keys))
    return _kept(contents, lambda: _joined(named, Path(folder)))


def _joined(named: Sequence[Sequence[str]], folder: Path) -> Board:
    """Read boards and join them side by side."""
    from marchtable.board.joining import join

    count = 0
    boards: list[list[Board]] = []
    for row in named:
        boards.append([])
        for entry in row:
            count += 1
            report_progress(f"reading {_called(entry)}", count, sum(map(len, named)))
            boards[-1].append(_one(entry, folder))
    report_progress("joining boards")
    return join(boards)


def _kept(content: Hashable, read_board: Callable[[], Board]) -> Board:
    """Return the cached board with this content; read and cache it if there is none."""
    if content is None:
        return read_board()
    return _KEPT.get(content) or _KEPT.keep(content, read_board())


def _content(named: str, folder: Path) -> Hashable:
    """Return a board's name with a digest of its file, or None if the file cannot be read."""
    path = path_in(named)
    digest = None if path == STDIN else _digest(on_disk(folder / path))
    return None if digest is None else (Path(path).name, named[len(path) :], digest)


def _digest(path: Path) -> bytes | None:
    """Return a digest of a file, or None if it is missing or too large for a board."""
    try:
        if not path.is_file() or path.stat().st_size > _MOST_BYTES:
            return None
        return blake2b(path.read_bytes(), digest_size=16).digest()
    except (OSError, ValueError):  # reading it as a board reports the fault
        return None


def demo_board(rulebook: Rulebook[Any, Any]) -> Board:
    """Return the rulebook's own board; raise BadInputError if it has none."""
    if rulebook.demo is None:
        raise BadInputError(f"rulebook {rulebook.name} has no board of its own", field="board")
    path = rulebook.demo / "board.json"
    return _kept((rulebook.name, _digest(path)), lambda: load_board(path))


def _one(named: str, folder: Path) -> Board:
    """Return one board of a layout, with its overlays, crop and rotation."""
    return _kept(_content(named, folder), lambda: _read(named, folder))


def _read(named: str, folder: Path) -> Board:
    match = _NAMED.fullmatch(named)
    if match is None:
        return load_board(folder / named)
    if match["path"].endswith(" r") and (match["ssr"] or match["overlays"] or match["crop"]):
        raise BadInputError(f"{named}: expected ssr, overlays, crop, then r", field="board")
    ssr = match["ssr"].split(",") if match["ssr"] else ()
    board = load_board(
        folder / match["path"].rstrip(), ssr=ssr, overlays=match["overlays"], crop=match["crop"]
    )
    if not match["turned"]:
        return board
    from marchtable.board.joining import reverse

    return reverse(board)


def _called(named: str) -> str:
    """Return a board's name without the folder of its file."""
    path = path_in(named)
    return Path(path).name + named[len(path) :]


def path_in(named: str) -> str:
    """Return the path in a board's name, without its suffixes."""
    match = _NAMED.fullmatch(named)
    return named if match is None else match["path"].rstrip()


@public
def load_board(
    path: str | Path,
    *,
    ssr: Sequence[str] = (),
    overlays: str | None = None,
    crop: str | None = None,
) -> Board:
    """
    Return the board in a file: ``marchtable/grid/1``, ``marchtable/board/1`` or a VASL archive.

    Parameters
    ----------
    path
        The file.
    ssr
        SSR that change the terrain of a VASL board, by their VASL names.
    overlays
        VASL's overlays on it, such as ``"o5:H4:G4"`` (see
        :func:`marchtable.board.overlays.overlaid`).
    crop
        The part of the board wanted, such as ``"A-P"`` (see
        :func:`marchtable.board.cropping.crop`).

    Raises
    ------
    BadInputError
        Names the file and the fault.
    """
    board = _whole(on_disk(path), ssr)
    if overlays is None and crop is None:
        return board
    from marchtable.board.cropping import crop as cropped
    from marchtable.board.overlays import overlaid

    try:
        if overlays is not None:
            board = overlaid(board, overlays)
        return board if crop is None else cropped(board, crop)
    except BadInputError as error:
        raise error.located(source=str(path)) from None


def _whole(path: str | Path, ssr: Sequence[str]) -> Board:
    if is_archive(path):
        from marchtable.vasl import import_board

        return import_board(path, ssr=ssr)
    try:
        data, source = read(path)
    except BadInputError:
        if not (_LIKE_ARCHIVE.fullmatch(Path(path).name) and Path(path).is_file()):
            raise
        raise BadInputError(
            "is no ZIP, as VASL's board archives are: damaged, or another file of that name; download "
            "it again",
            source=str(path),
        ) from None
    data = formed(data)
    form = data.get("format") if isinstance(data, dict) else None
    kinds: dict[Any, Any] = {GRID_FORMAT: GridFile, BOARD_FORMAT: BoardFile}
    if not isinstance(form, str) or form not in kinds:
        raise BadInputError(
            f"expected a VASL board archive or a file with format = {GRID_FORMAT!r} or "
            f"{BOARD_FORMAT!r}", source=source,
        )  # fmt: skip
    if ssr:
        raise BadInputError(
            f"{', '.join(ssr)}: SSR change the terrain of VASL archives only", source=source,
            field="ssr",
        )  # fmt: skip
    return _board(struct_of(data, kinds[form], source=source), source)


def is_board(named: str | Path) -> bool:
    """
    Return whether a file is a board, not a scene.

    Its path can have the suffixes of :func:`find_board`. Faults are reported when it is read.
    """
    if str(named) == STDIN:
        return False
    match = _NAMED.fullmatch(str(named))
    path = match["path"].rstrip() if match and not Path(named).exists() else named
    try:
        return is_archive(path) or formed(read(path)[0]).get("format") in (
            GRID_FORMAT,
            BOARD_FORMAT,
        )
    except (BadInputError, AttributeError):
        return False


def is_archive(path: str | Path) -> bool:
    """Return whether a file is an archive, as VASL's boards are."""
    try:
        with Path(path).open("rb") as file:
            return file.read(2) in _ARCHIVES
    except (OSError, ValueError):
        return False  # reading it as a file reports the fault


def _board(data: BoardFile | GridFile, source: str) -> Board:
    try:
        found = board_of_grid(data).file() if isinstance(data, GridFile) else data
        _check(found)
        return Board.from_file(found)
    except BadInputError as error:
        raise error.located(source=source) from None


def _check(data: BoardFile) -> None:
    """Reject missing, invalid or overlapping Locations."""
    if not data.locations:
        raise BadInputError("expected at least one Location", field="locations")
    odd = (data.locations[0].u + data.locations[0].v) % 2
    hexes: dict[tuple[int, int], str] = {}
    for number, one in enumerate(data.locations):
        field = f"locations[{number}]"
        if not one.name or any(c.isspace() or c in ",=|" for c in one.name):
            raise BadInputError("expected a name without blanks, commas, bars and =",
                                field=f"{field}.name")  # fmt: skip
        if abs(one.level) > HIGHEST:
            raise BadInputError(f"{one.name}: expected a level from -{HIGHEST} to {HIGHEST}, "
                                f"got {one.level}", field=f"{field}.level")  # fmt: skip
        if max(abs(one.u), abs(one.v)) > _FARTHEST or (one.u + one.v) % 2 != odd:
            raise BadInputError(
                f"{one.name}: expected doubled coordinates within {_FARTHEST} and on one hex grid",
                field=field,
            )
        if hexes.setdefault((one.u, one.v), one.hex) != one.hex:
            raise BadInputError(f"{one.name} lies where {hexes[one.u, one.v]} is", field=field)
        if any(not 0 <= way < 6 for way, _ in one.rim):
            raise BadInputError("expected directions from 0 to 5", field=f"{field}.rim")
    _check_measures(data)


def _check_measures(data: BoardFile) -> None:
    """Reject percentages outside 0 to 100."""
    for number, one in enumerate(data.locations):
        if len(one.clear) not in (0, 6) or not _percent(*one.clear):
            raise BadInputError(
                "expected six whole numbers from 0 to 100", field=f"locations[{number}].clear"
            )
        if not _percent(*(share for _, share in one.also)):
            raise BadInputError(
                "expected percentages from 0 to 100", field=f"locations[{number}].also"
            )
        if not _percent(*(hexside.gap for _, hexside in one.rim)):
            raise BadInputError("expected a gap from 0 to 100", field=f"locations[{number}].rim")
    for number, edge in enumerate(data.edges):
        if not _percent(edge.hexside.gap):
            raise BadInputError("expected a number from 0 to 100", field=f"edges[{number}].gap")


def _percent(*numbers: int) -> bool:
    return all(0 <= number <= 100 for number in numbers)


@public
def save_board(board: Board, path: str | Path) -> None:
    """Write a board to a file; raise BadInputError if that fails."""
    write(checked(builtins_of(board.file())), path)
