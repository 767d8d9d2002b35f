"""A server's settings: where it listens, what it may use, who may ask."""

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
"""Of files that may be scenes and boards; VASL archives have none."""
BOARDS = (BOARD_FORMAT, GRID_FORMAT)
"""What files say that they are, if they say anything and may be boards."""
MOST_TEXT = 1_000_000


class Library(msgspec.Struct, frozen=True):
    """
    The scenes and boards that may be asked for, by name: no request leads to any other file.

    Parameters
    ----------
    scenes
        Scene files by their names.
    boards
        Board files by the names that scenes may call them.
    """

    scenes: dict[str, str] = {}
    boards: dict[str, str] = {}


def library_of(scene: Path | None = None, folder: Path | None = None) -> Library:
    """
    Return what a scene, and the files of a folder, put at the disposal of those who ask.

    Parameters
    ----------
    scene
        A scene's file; the boards that it names may be named by others.
    folder
        Its scenes and boards, not those of folders in it.
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
    """Return what a file of a scene's size holds, nothing if that is no table; its faults are reported later."""
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
    """Yield the files that a scene's board is made of, without what is done to them."""
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
        The scenes and boards that may be named.
    database
        Where games are kept; None keeps them in memory.
    workers, planners
        Processes for short questions, and for long ones.
    seconds, long_seconds
        After which a question ends as UNKNOWN, and its process is killed a little later.
    memory
        MB that a process may take.
    waiting, long_waiting
        Short and long questions that may wait for a process; more are refused at once.
    each, each_long
        Requests, and long questions as jobs, that one client may have under way.
    body
        Bytes of a request.
    patience
        Seconds within which a request must have come in.
    connections
        Connections that may be open.
    held
        Bytes of requests that are under way.
    jobs
        Long questions that are remembered, with their answers.
    remembered
        Bytes of answers that are kept for who asks the same.
    first
        The scene that is read at the start.
    disk
        MB that the games may take; no more are kept then.
    games
        Games that are kept of those that one side's token has begun.
    tokens
        The side that each token's holder plays, None for the referee; without tokens everybody
        is the referee.
    hosts
        What the server is called by those who ask; any other name is refused. Empty means any.
    origins
        Other sites whose pages may ask (``https://example.org``).
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
