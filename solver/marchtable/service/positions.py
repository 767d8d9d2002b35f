"""A worker process's caches: boards are read once, games replayed from the last known place."""

from __future__ import annotations

import json
from collections import OrderedDict
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from marchtable.codec.plain import checked, read
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.files.boards import DEMO, find_board, path_in
from marchtable.files.logs import log_of
from marchtable.files.notation import format_action
from marchtable.files.scenes import Scene, position_of, scene_table
from marchtable.nearest import unknown
from marchtable.rules.referee import rule
from marchtable.rules.rulebook import find_rulebook
from marchtable.service.settings import Library

if TYPE_CHECKING:
    from collections.abc import Callable

    from marchtable.board.board import Board
    from marchtable.state.position import Position

__all__ = ["Positions", "played"]

V = TypeVar("V")


class _Lately(Generic[V]):
    """A small cache of the most recently used values."""

    def __init__(self, most: int) -> None:
        self._kept: OrderedDict[Any, V] = OrderedDict()
        self._most = most

    def get(self, key: Any, make: Callable[[], V]) -> V:
        """Return the value cached under a key; make it if there is none."""
        return self.put(key, self._kept[key] if key in self._kept else make())

    def put(self, key: Any, value: V) -> V:
        """Cache a value under a key, and return it."""
        self._kept[key] = value
        self._kept.move_to_end(key)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return value

    def __contains__(self, key: Any) -> bool:
        return key in self._kept


class Positions:
    """
    The boards, scenes and positions that a worker used recently.

    Parameters
    ----------
    library
        The files that can be read.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._scenes: _Lately[Scene] = _Lately(64)
        self.seen: _Lately[list[Any]] = _Lately(64)
        self._after: _Lately[Position[Any, Any]] = _Lately(512)

    def named(self, name: str) -> dict[str, Any]:
        """Return a scene of the library as plain data; raise BadInputError."""
        path = self._library.scenes.get(name)
        if path is None:
            raise UnknownNameError(unknown("scene", name, self._library.scenes), field="named")
        data, source = read(path)
        return scene_table(data, source=source)

    def scene(self, data: Any, *, source: str = "scene") -> Scene:
        """Return the scene of plain data; its boards are the library's."""
        table = scene_table(checked(data, source=source), source=source)
        return self._scenes.get(_digest(table), lambda: self._scene(table, source))

    def _scene(self, table: dict[str, Any], source: str) -> Scene:
        named = table.get("board")
        board = None
        if isinstance(named, str | list):
            board = self.board(named, table.get("rulebook"), source=source)
        position = position_of(table, source=source, board=board)
        return Scene(position, table.get("name", ""), source)

    def board(self, named: Any, rulebook: Any, *, source: str = "scene") -> Board:
        """Return a board by name; raise BadInputError for one that is not in the library."""
        book = find_rulebook(rulebook if isinstance(rulebook, str) else None)
        wanted = named if named == DEMO else self._paths(named, source)
        return find_board(wanted, book, folder="/")

    def unplaced(self, text: str) -> str:
        """Return a text with the paths of the library's files replaced by their names."""
        for path in {*self._library.scenes.values(), *self._library.boards.values()}:
            text = text.replace(path, Path(path).name)
        return text

    @property
    def board_files(self) -> list[Path]:
        """The library's files of boards, each once."""
        return sorted({Path(path) for path in self._library.boards.values()})

    def beside(self, library: Library) -> Positions:
        """Return positions on another library's boards, and on this one's where that has none."""
        return Positions(Library(library.scenes, {**self._library.boards, **library.boards}))

    def _paths(self, named: Any, source: str) -> Any:
        """Replace names of boards by the library's files."""
        if isinstance(named, list):
            return [self._paths(name, source) for name in named]
        known = self._library.boards
        name = path_in(named) if isinstance(named, str) else named
        if not isinstance(name, str) or name not in known:
            raise UnknownNameError(
                unknown("board", name, [DEMO, *known]), source=source, field="board"
            )
        return known[name] + named[len(name) :]

    @staticmethod
    def keys(scene: bytes, log: list[str]) -> list[bytes]:
        """Return keys that identify the history, before and after each entry of a log."""
        found = [_hash(scene)]
        for line in log:
            found.append(_hash(found[-1], line.encode()))
        return found

    def at(self, scene: bytes, log: list[str]) -> Scene:
        """
        Return a game's scene after its log.

        Parameters
        ----------
        scene
            The starting scene, as JSON.
        log
            The entries played since; each must lead to a position.
        """
        start = self._scenes.get(_hash(scene), lambda: self._scene(json.loads(scene), "scene"))
        keys = self.keys(scene, log)
        known = next((n for n in range(len(log), 0, -1) if keys[n] in self._after), 0)
        position = start.position
        if known:
            position = self._after.get(keys[known], lambda: start.position)
        for number in range(known, len(log)):
            position = self._after.put(keys[number + 1], played(position, log[number]))
        return start._replace(position=position)


def played(position: Position[Any, Any], line: str) -> Position[Any, Any]:
    """Return the position after an entry that leads to one."""
    (action,) = log_of([line], position)
    after: Position[Any, Any] | None = rule(position, action).after
    if after is None:
        raise BadInputError(f"{format_action(action)} leads nowhere", source="log")
    return after


def _hash(*parts: bytes) -> bytes:
    return blake2b(b"\0".join(parts), digest_size=16).digest()


def _digest(data: Any) -> bytes:
    return _hash(json.dumps(data, separators=(",", ":")).encode())
