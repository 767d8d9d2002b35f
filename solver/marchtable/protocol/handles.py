"""A client's open positions, by handle."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

from marchtable.errors import BadInputError, UnknownNameError
from marchtable.files.scenes import Scene, scene_data

if TYPE_CHECKING:
    from marchtable.state.position import Position

__all__ = ["MOST_POSITIONS", "Handles", "TooManyError", "summary"]

MOST_POSITIONS = 10_000


class TooManyError(BadInputError):
    """The maximum number of positions is open."""


class Handles:
    """
    The open positions.

    Parameters
    ----------
    most
        Their maximum number.
    """

    def __init__(self, most: int = MOST_POSITIONS) -> None:
        self._most, self._numbers = most, count(1)
        self._scenes: dict[str, tuple[Scene, Any]] = {}

    def open(self, scene: Scene, board: Any = None) -> str:
        """
        Store a position and return its handle.

        Parameters
        ----------
        scene
            The position and its name.
        board
            The scene's name for its board, if not the default.
        """
        if len(self._scenes) >= self._most:
            raise TooManyError(f"{self._most} positions are open; close some", field="position")
        handle = f"p{next(self._numbers)}"
        self._scenes[handle] = scene, board
        return handle

    def after(self, handle: str, position: Position[Any, Any]) -> str:
        """Store a position that another one has led to."""
        scene, board = self._entry(handle)
        return self.open(scene._replace(position=position), board)

    def scene(self, handle: str) -> Scene:
        """Return the position of a handle; raise UnknownNameError."""
        return self._entry(handle)[0]

    def data(self, handle: str) -> dict[str, Any]:
        """Return a position as a scene's plain data."""
        scene, board = self._entry(handle)
        return scene_data(scene.position, name=scene.name, board=board)

    def close(self, handle: str) -> None:
        """Delete a position; raise UnknownNameError."""
        self._entry(handle)
        del self._scenes[handle]

    def _entry(self, handle: str) -> tuple[Scene, Any]:
        if handle not in self._scenes:
            raise UnknownNameError(
                f"no position {handle!r} is open; `open` returns a handle", field="position"
            )
        return self._scenes[handle]


def summary(handle: str, scene: Scene) -> dict[str, Any]:
    """Return the summary of a position that a client has opened."""
    position = scene.position
    return {
        "position": handle, "key": position.key(), "name": scene.name, "rulebook": position.rulebook,
        "side": position.side, "phase": position.phase, "turn": position.turn,
        "units": [{"id": unit.id, "side": unit.side, "at": unit.at or "-"} for unit in position.units],
        "pending": [due.id for due in position.pending],
    }  # fmt: skip
