"""What the sweeps over a line's layers read: tuples of numbers and flat arrays, which numba takes as they are."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["Layers", "Line", "Moves", "Wanted"]


class Line(NamedTuple):
    """
    The members of a line and where their states are.

    Parameters
    ----------
    members, size
        How many members there are, and how many states each has room for.
    base, span
        By member: where its states begin in arrays over states, and how many it has.
    place
        By state: its place (0: off the map).
    near_at, near
        The places beside each, where the next member may be: where those of a place begin, and all.
    entering, linked
        By member and place: whether it may wait off the map with the one ahead there; by member:
        whether it is to be beside the one ahead.
    seen, live
        Room for a mask of each place, empty between sweeps, and for lists of states.
    waits
        By state: whether its member is off the map and must let the one ahead come on first.
    """

    members: int
    size: int
    base: Any
    span: Any
    place: Any
    near_at: Any
    near: Any
    entering: Any
    linked: Any
    seen: Any
    live: Any
    waits: Any


class Moves(NamedTuple):
    """
    What is one step away from each state.

    Parameters
    ----------
    last
        How many rounds there are.
    costs, full
        What each kind of round costs, kind 0 nothing; the mask of all sums.
    first, to, kind
        By state: where its arcs begin; by arc: the member's state it leads to, and the kind of
        its cost, -1 if it cannot be gone.
    asked, idle
        By state: whether its arcs are known, and that of who stays.
    ladder
        Room for a mask of each kind and one more.
    """

    last: int
    costs: Any
    full: int
    first: Any
    to: Any
    kind: Any
    asked: Any
    idle: Any
    ladder: Any


class Wanted(NamedTuple):
    """
    What the end of a plan must come to.

    Row r demands that what the members gain by their last states, and `points` for each step of
    the grain that is spent, come to `least`.

    Parameters
    ----------
    gains
        By row, member and state.
    flat
        By row and member: what it gains in every state, or :data:`~.sweep.NONE`.
    points, least
        By row.
    """

    gains: Any
    flat: Any
    points: Any
    least: Any


class Layers(NamedTuple):
    """
    Masks of all states on a way from the start to an end that is wanted.

    Parameters
    ----------
    active, ends
        Of those on the way, the ends included, and of the ends.
    """

    active: Any
    ends: Any
