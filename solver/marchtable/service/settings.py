"""A server's settings: address, resources, and permitted clients."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.files.boards import BOARD_FORMAT, DEMO
from marchtable.files.grids import GRID_FORMAT

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Library", "Settings", "library_of"]

SUFFIXES = (".toml", ".json", "")
"""Suffixes of possible scenes and boards; VASL archives have none."""
BOARDS = (BOARD_FORMAT, GRID_FORMAT)
"""Formats that possible board files state, if they state any."""
MOST_TEXT = 1_000_000


class Library(msgspec.Struct, frozen=True):
    """
    The scenes and boards that clients can name: no request can reach any other file.

    Parameters
    ----------
    scenes
        Scene files by name.
    boards
        Board files by the names that scenes use.
    """

    scenes: dict[str, str] = {}
    boards: dict[str, str] = {}

    def sides(self) -> list[str]:
        """Return the sides of all scenes, sorted."""
        return sorted(
            {side for path in self.scenes.values() for side in sides_in(_table(Path(path)))}
        )


def sides_in(scene: dict[str, Any]) -> list[str]:
    """Return the sides that a scene's table names: the one to move, and those with units."""
    units = scene.get("units")
    named = (
        [unit.get("side") for unit in units if isinstance(unit, dict)]
        if isinstance(units, list)
        else []
    )
    return [side for side in dict.fromkeys([scene.get("side"), *named]) if isinstance(side, str)]


def library_of(scene: Path | None = None, folder: Path | None = None) -> Library:
    """
    Return the library of a scene and of the files in a folder.

    Parameters
    ----------
    scene
        A scene's file; other scenes can use its boards.
    folder
        The folder of scenes and boards, without subfolders.
    """
    scenes: dict[str, str] = {}
    boards: dict[str, str] = {}
    files = [] if folder is None else sorted(p for p in folder.iterdir() if p.is_file())
    for path in [*([scene] if scene else []), *files]:
        data = _table(path)
        if "units" in data:
            scenes.setdefault(path.stem, str(path.resolve()))
            for name in _named(data.get("board")):
                boards.setdefault(name, str((path.parent / name).resolve()))
        elif path.suffix.lower() in SUFFIXES and data.get("format", GRID_FORMAT) in BOARDS:
            boards.setdefault(path.stem, str(path.resolve()))
            boards.setdefault(path.name, str(path.resolve()))
    return Library(scenes, boards)


def _table(path: Path) -> dict[str, Any]:
    """Return the table in a file of scene size, or an empty one; faults are reported later."""
    try:
        if path.suffix.lower() == ".toml":
            data = tomllib.loads(path.read_text(encoding="utf-8"))
        elif path.suffix.lower() == ".json" and path.stat().st_size < MOST_TEXT:
            data = msgspec.json.decode(path.read_bytes())
        else:
            return {}
    except (OSError, ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _named(board: Any) -> Iterator[str]:
    """Yield the files of a scene's board, without suffixes of their names."""
    from marchtable.files.boards import path_in

    if isinstance(board, str) and board != DEMO:
        yield path_in(board)
    elif isinstance(board, list):
        for row in board:
            yield from (path_in(name) for name in row if isinstance(name, str))


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """
    A server's settings.

    Parameters
    ----------
    library
        The scenes and boards that can be named.
    database
        The file for games; None keeps them in memory.
    workers, planners
        Processes for short questions, and for long ones.
    seconds, long_seconds
        Time limits after which a question ends as UNKNOWN; its process is killed a little later.
    memory
        A process's memory limit in MB.
    waiting, long_waiting
        Maximum numbers of waiting short and long questions; more are rejected at once.
    each, each_long
        Maximum numbers of one client's running requests, and of its jobs.
    body
        Maximum size of a request in bytes.
    patience
        Seconds within which a request must have arrived.
    connections
        Maximum number of open connections.
    held
        Maximum bytes of all running requests.
    jobs
        Number of long questions that are kept, with their answers.
    remembered
        Bytes of answers that are cached.
    first
        The scene that is read at the start.
    disk
        Maximum size of the games in MB; no more are stored then.
    games
        Maximum number of games that one side's token can begin.
    tokens
        The side of each token's holder, None for the referee; without tokens everyone is the
        referee.
    hosts
        Names of the server in requests; any other name is rejected. Empty means any.
    origins
        Other sites whose pages can send requests (``https://example.org``).
    """

    library: Library = Library()
    database: Path | None = None
    workers: int = max(2, os.cpu_count() or 2)
    planners: int = 1
    seconds: float = 10.0
    long_seconds: float = 120.0
    memory: int = 4096
    waiting: int = 64
    long_waiting: int = 8
    each: int = 32
    each_long: int = 4
    body: int = 8_000_000
    patience: float = 20.0
    connections: int = 4000
    held: int = 256_000_000
    jobs: int = 100
    remembered: int = 64_000_000
    first: str | None = None
    disk: int = 2048
    games: int = 20
    tokens: dict[str, str | None] = {}
    hosts: tuple[str, ...] = ("localhost", "127.0.0.1", "[::1]")
    origins: tuple[str, ...] = ()
