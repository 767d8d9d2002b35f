"""How neighbours in a line stand to each other, as tables that a space has asked of the clauses."""

from __future__ import annotations

from collections.abc import Callable, Collection
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from marchtable.board.board import hexes_between

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from marchtable.board.board import Board
    from marchtable.planning.line.graph import Places

__all__ = ["Beside", "Hexes", "Links", "Shares", "beside"]

Hexes = Collection[tuple[int, int]]
"""Doubled coordinates of hexes, perhaps beyond the map's edge, in one of which a member is."""
Shares = Callable[[int, int], tuple[int, ...]]
"""What two members pay in a round who spend so much themselves, in half points."""


class Links(NamedTuple):
    """
    What binds each member of a line to the one ahead.

    Parameters
    ----------
    apart
        At how many hexes from it there is no Gap.
    waiting
        By member: the Locations of the one ahead with which it may wait off the map.
    bound
        By member: whether it is to be so at all.
    shares
        What two of them pay in a round. All pay the same, or nothing is proved.
    shared
        Whether two of them may be in one hex, in Locations of their own.
    follows
        Whether each enters only what the one ahead has just left.
    in_turn
        Whether who waits off the map comes on after a round before which the one ahead has.
    in_order
        Whether nobody leaves the map before the one ahead.
    mates
        By member, its place and another member: the places where the other is near enough to be its
        mate. After each round each needs one. None if that does not matter.
    alike
        Whether all members on the map must be moving after each round, or none.
    crowds
        By member: those in whose place it does not enter; None: in nobody's.
    clauses
        The ids of those that say so, by what is said: ``line`` that neighbours keep together,
        ``follow``, ``turn`` and ``order``, ``mates`` and ``alike`` those of these, ``pay`` that all
        pay for the dearest, ``afford`` that nobody pays what it has not, ``alone`` that who is the
        last is in no line, ``own`` that it spends no more than it has, ``halt`` that nobody starts once the line has stopped, ``back`` that
        nobody goes straight back. Rows of the model have these names.
    """

    apart: frozenset[int]
    waiting: tuple[tuple[str, ...], ...]
    bound: tuple[bool, ...]
    shares: Shares
    shared: bool = False
    follows: bool = False
    in_turn: bool = False
    in_order: bool = False
    mates: Callable[[int, int, int], Collection[int]] | None = None
    alike: bool = False
    clauses: Mapping[str, str] = MappingProxyType({})
    crowds: tuple[frozenset[int], ...] | None = None

    def is_near(self, a: Hexes, b: Hexes) -> bool:
        """Return whether there is no Gap between two members, each in one of some hexes."""
        return min(hexes_between(u - x, v - y) for u, v in a for x, y in b) in self.apart


class Beside(NamedTuple):
    """
    The places in which the next member may be, by a member's own; one per hex, as all plans have it.

    Parameters
    ----------
    sets
        By place.
    begins, places
        The same as arrays: where those of a place begin, and all.
    """

    sets: Sequence[frozenset[int]]
    begins: Any
    places: Any


def beside(board: Board, places: Places, links: Links) -> Beside:
    """Return the places that are so far from each, made once."""
    key = f"line beside {len(places)} {sorted(links.apart)} {links.shared}"
    found: Beside | None = board.notes.get(key)
    if found is None:
        found = board.notes[key] = _made(board, places, links)
    return found


def _made(board: Board, places: Places, links: Links) -> Beside:
    apart, shared = links.apart, links.shared
    far = max(apart, default=0)
    steps = [
        (du, dv)
        for du in range(-far, far + 1)
        for dv in range(-2 * far, 2 * far + 1)
        if (du or dv or shared) and hexes_between(du, dv) in apart
    ]
    at: dict[tuple[int, int], list[int]] = {}
    for place in board.locations:
        at.setdefault((place.u, place.v), []).append(places.number[place.name])
    rows: list[list[int]] = [[]]
    for name in places.names[1 : places.count]:
        here = board[str(name)]
        rows.append(sorted(n for u, v in steps for n in at.get((here.u + u, here.v + v), ())))
    rows += [[]] * (len(places) - len(rows))  # who stands alone is beside nobody
    begins = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    flat = np.array([n for row in rows for n in row] or [0], np.int64)
    return Beside([frozenset(row) for row in rows], begins, flat)
