"""Relations of neighbours in a line, as tables that a space has filled from the clauses."""

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

__all__ = ["Beside", "Hexes", "Links", "Mates", "Shares", "beside"]

Hexes = Collection[tuple[int, int]]
"""Doubled coordinates of hexes, perhaps off the map, in one of which a member is."""
Mates = Callable[[int, int, int], Collection[int]]
"""By member, its place and another member: the places near enough for its mate."""
Shares = Callable[[int, int], tuple[int, ...]]
"""What two members pay in a round, given their own costs, in half points."""


class Links(NamedTuple):
    """
    The constraints between each member of a line and the one ahead.

    Parameters
    ----------
    apart
        The distance in hexes up to which there is no Gap.
    waiting
        By member: the Locations of the one ahead with which it can wait off the map.
    bound
        By member: whether it is constrained at all.
    shares
        What two of them pay in a round. All pay the same, or nothing is proved.
    shared
        Whether two of them can be in one hex, in Locations of their own.
    follows
        Whether each enters only what the one ahead has just left.
    in_turn
        Whether a member off the map enters only in a round after the one ahead has.
    in_order
        Whether no member leaves the map before the one ahead.
    mates
        By member, its place and another member: the places where the other is near enough to be its
        mate, :data:`.graph.OFF` for waiting off the map. After each round each needs one. None if
        this does not apply.
    parted
        Whether they begin too far apart for that: until one of them moves, they need no mate.
    alike
        Whether all members on the map must be moving after each round, or none.
    crowds
        By member: those whose place it does not enter; None: all others.
    clauses
        Clause ids by subject: ``line``: neighbours keep together; ``follow``, ``turn``, ``order``,
        ``mates`` and ``alike``: as above; ``pay``: all pay for the dearest; ``afford``: none pays
        more than it has; ``alone``: the last one is in no line; ``own``: it spends no more than it
        has; ``halt``: none starts once the line has stopped; ``back``: none goes straight back. The
        model's rows have these names.
    """

    apart: frozenset[int]
    waiting: tuple[tuple[str, ...], ...]
    bound: tuple[bool, ...]
    shares: Shares
    shared: bool = False
    follows: bool = False
    in_turn: bool = False
    in_order: bool = False
    mates: Mates | None = None
    alike: bool = False
    clauses: Mapping[str, str] = MappingProxyType({})
    crowds: tuple[frozenset[int], ...] | None = None
    parted: bool = False

    def is_near(self, a: Hexes, b: Hexes) -> bool:
        """Return whether there is no Gap between two members, each in one of some hexes."""
        return min(hexes_between(u - x, v - y) for u, v in a for x, y in b) in self.apart


class Beside(NamedTuple):
    """
    The possible places of the next member, by a member's own; one per hex, as in all plans.

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
    """Return the places within the permitted distance of each; cached."""
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
    rows += [[]] * (len(places) - len(rows))  # a member alone is beside none
    begins = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    flat = np.array([n for row in rows for n in row] or [0], np.int64)
    return Beside([frozenset(row) for row in rows], begins, flat)
