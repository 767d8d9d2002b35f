"""The crossings out of each Location of a board, with the map's facts about them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.rules.clause import clause_of, switched_off
from marchtable.tokens import token_of

if TYPE_CHECKING:
    from marchtable.board.board import Board
    from marchtable.rules.rulebook import Rulebook

__all__ = ["Crossing", "Crossings", "Spot", "crossings_of", "sight_is_denied"]


class Crossing(msgspec.Struct, frozen=True, gc=False):
    """
    A way from one Location to another, or to itself.

    Parameters
    ----------
    a, b
        The Locations.
    number
        The index of `b` on the board.
    kind
        A token of the facts.
    stays, ground
        The facts: whether `a` is `b`, and those of the map (:meth:`Travel.ground`).
    """

    a: str
    b: str
    number: int
    kind: int
    stays: bool
    ground: Hashable


class Spot(NamedTuple):
    """
    A crossing with its occupants.

    Parameters
    ----------
    crossing
        The crossing.
    present
        A token of the occupants at both ends, and whether the unit counts apart.
    whole_map
        Whether more of it matters than a mode sees.
    """

    crossing: Crossing
    present: int
    whole_map: bool


class Crossings:
    """
    The crossings of a board under a rulebook, computed on demand.

    Parameters
    ----------
    rulebook, board
        The rulebook and the board.
    """

    def __init__(self, rulebook: Rulebook[Any, Any], board: Board) -> None:
        self._rulebook, self._board = rulebook, board
        self._known: dict[int, tuple[Crossing, ...]] = {}

    def out_of(self, number: int) -> tuple[Crossing, ...]:
        """Return the crossings out of a Location, that to itself first."""
        found = self._known.get(number)
        if found is None:
            board, a = self._board, self._board.locations[number].name
            to = (a, *(name for _, name in board.neighbours(a)))
            found = self._known[number] = tuple([self._crossing(a, b) for b in to])
        return found

    def _crossing(self, a: str, b: str) -> Crossing:
        stays, ground = a == b, self._rulebook.ground(self._board, a, b)
        return Crossing(a, b, self._board.index[b], token_of((stays, ground)), stays, ground)

    def between(self, a: str, b: str) -> Crossing:
        """Return the crossing from one Location to another."""
        return next(one for one in self.out_of(self._board.index[a]) if one.b == b)

    def kind(self, a: str, b: str) -> int:
        """Return the token of a crossing's facts."""
        return self.between(a, b).kind


def sight_is_denied(rulebook: Rulebook[Any, Any]) -> bool:
    """Return whether clauses are off on which sight shortcuts rest, so that all is judged."""
    return any(clause_of(name) in rulebook.sight_rests_on for name in switched_off())


def crossings_of(rulebook: Rulebook[Any, Any], board: Board) -> Crossings:
    """Return the crossings of a board under a rulebook; cached."""
    key = f"crossings {rulebook.name} {rulebook.version}"
    found: Crossings = board.notes.setdefault(key, Crossings(rulebook, board))
    return found
