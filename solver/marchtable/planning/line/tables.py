"""What the sweeps over a line's layers read: tuples of numbers and flat arrays, which numba takes as they are."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["Before", "Laid", "Layers", "Line", "Moves", "Wanted"]


class Line(NamedTuple):
    """
    The members of a line and where their states are.

    Parameters
    ----------
    members, size
        How many members there are, and how many states each has room for.
    base, span
        By member: where its states begin in arrays over states, and how many it has.
    place, hexes
        By state: its place (0: off the map); by place: the number of its hex.
    near_at, near
        The places beside each, where the next member may be: where those of a place begin, and all.
    entering, linked
        By member and place: whether it may wait off the map with the one ahead there; by member:
        whether it is to be beside the one ahead.
    seen, some, live
        Room for a mask of each place, empty between sweeps, for one of each state of a member, and
        for lists of states.
    follows
        Whether who is not in front only goes where the one ahead has just been.
    in_turn, waits
        Whether nobody comes on before the one ahead stands on the map; if so, by state: whether
        it is one off the map of who has yet to come on.
    """

    members: int
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
    follows: int = 0
    in_turn: int = 0
    waits: Any = None


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
    joint
        By two kinds: which of them a round is of. No lower one; sweeps over single members rest on that.
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
    joint: Any


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


class Laid(NamedTuple):
    """
    The states that layers leave, numbered, and the pairs of those of neighbours.

    Parameters
    ----------
    at, states
        By round and member: where its states begin, and these.
    arc_at, arc_to, arc_kind
        The arcs from each of them to those of the next round.
    pair_at
        By round and member but the last: where its pairs with the next begin.
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
    How the rules let members end their turn by what stands before them.

    Parameters
    ----------
    alike, moving
        Whether all must end moving or none; by state: whether it is moving.
    width, ahead
        Before how many places a member may stand; by state: these, 0 for none.
    may_end
        By member, state and code of what is taken before it: for what sums it may end.
    taken, reach
        Room for a mask of each member in each place, and for `width` masks twice of each state left.
    """

    alike: int
    moving: Any
    width: int
    ahead: Any
    may_end: Any
    taken: Any
    reach: Any


class Layers(NamedTuple):
    """
    Masks of all states on a way from the start to an end that is wanted.

    Parameters
    ----------
    active, ends
        Of those on the way, the ends included, and of the ends.
    pays
        By round and kind of cost: the sums before which some member can pay just that.
    pairs
        How many pairs of neighbours' states were looked at.
    """

    active: Any
    ends: Any
    pays: Any
    pairs: int = 0
