"""What the sweeps over a Convoy's layers read: tuples of numbers and flat arrays, which numba takes as they are."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["Before", "Laid", "Line", "Moves", "Wanted"]


class Line(NamedTuple):
    """
    The vehicles of a Convoy and where their states are.

    Parameters
    ----------
    vehicles, size
        How many vehicles there are, and how many states each has room for.
    base, span
        By vehicle: where its states begin in arrays over states, and how many it has.
    place, hexes
        By state: its place (0: off the map); by place: the number of its hex.
    near_at, near
        The places beside each, where the next vehicle may be: where those of a place begin, and all.
    entering, linked
        By vehicle and place: whether it may wait off the map with the one ahead there; by vehicle:
        whether it is to be beside the one ahead.
    seen, some, live
        Room for a mask of each place, empty between sweeps, for one of each state of a vehicle, and
        for lists of states.
    """

    vehicles: int
    size: int
    base: Any
    span: Any
    place: Any
    hexes: Any
    near_at: Any
    near: Any
    entering: Any
    linked: Any
    seen: Any
    some: Any
    live: Any


class Moves(NamedTuple):
    """
    What is one step away from each state.

    Parameters
    ----------
    last
        How many Impulses there are.
    costs, full
        What each kind of Impulse costs, kind 0 nothing; the mask of all sums.
    first, to, kind
        By state: where its arcs begin; by arc: the vehicle's state it leads to, and the kind of
        its cost, -1 if it cannot be gone.
    asked
        By state: whether its arcs are known.
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
    ladder: Any


class Wanted(NamedTuple):
    """
    What the end of a plan must come to.

    Row r demands that what the vehicles gain by their last states, and `points` for each step of
    the grain that is spent, come to `least`.

    Parameters
    ----------
    gains
        By row, vehicle and state.
    flat
        By row and vehicle: what it gains in every state, or :data:`~.sweep.NONE`.
    points, least
        By row.
    """

    gains: Any
    flat: Any
    points: Any
    least: Any


class Laid(NamedTuple):
    """
    The states that layers leave, numbered, and the pairs of those of neighbours.

    Parameters
    ----------
    at, states
        By Impulse and vehicle: where its states begin, and these.
    arc_at, arc_to, arc_kind
        The arcs from each of them to those of the next Impulse.
    pair_at
        By Impulse and vehicle but the last: where its pairs with the next begin.
    rank
        Room for a number of each state of each layer.
    """

    at: Any
    states: Any
    arc_at: Any
    arc_to: Any
    arc_kind: Any
    pair_at: Any
    rank: Any


class Before(NamedTuple):
    """
    How the rules let vehicles end their MPh by what stands before them.

    Parameters
    ----------
    alike, moving
        Whether all must end in Motion or none; by state: whether it is in Motion.
    width, ahead
        Before how many places a vehicle may stand; by state: these, 0 for none.
    may_end
        By vehicle, state and code of what is taken before it: for what sums it may end.
    taken, reach
        Room for a mask of each vehicle in each place, and for `width` masks twice of each state left.
    """

    alike: int
    moving: Any
    width: int
    ahead: Any
    may_end: Any
    taken: Any
    reach: Any
