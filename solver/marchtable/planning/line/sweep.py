"""
Where each member of a line can be, round by round: plain functions that numba can compile.

The sums that may have been spent in a state are a mask: bit x stands for x steps of the graph's
grain. All arrays are flat; a table of masks has an entry for each round, member and state, in this
order. See :mod:`marchtable.planning.line.state_graph` for the arrays.
"""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = [
    "NONE",
    "Layers",
    "Line",
    "Moves",
    "Wanted",
    "fitting",
    "hoped",
    "keep_contiguous",
    "matched",
    "sweep_back",
    "sweep_forward",
]

NONE = -(2**40)
"""Less than any gain."""


class Line(NamedTuple):
    """
    The members of a line and the layout of their states.

    Parameters
    ----------
    members, size
        The number of members, and of states for which each has room.
    base, span
        By member: where its states begin in arrays over states, and how many it has.
    place
        By state: its place (0: off the map).
    near_at, near
        The possible places of the next member: where those of a place begin, and all.
    entering, linked
        By member and place: whether it can wait off the map with the one ahead there; by member:
        whether it must be beside the one ahead.
    seen, live
        Room for a mask of each place, empty between sweeps, and for lists of states.
    waits
        By state: whether its member is off the map and must let the one ahead enter first.
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
    The arcs out of each state.

    Parameters
    ----------
    last
        The number of rounds.
    costs, full
        The cost of each kind of round, 0 for kind 0; the mask of all sums.
    first, to, kind
        By state: where its arcs begin; by arc: the member's state it leads to, and the kind of its
        cost, -1 if it is impossible.
    asked, idle
        By state: whether its arcs are known, and the state after staying.
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
    What the end of a plan must reach.

    Row r demands that the members' gains by their last states, plus `points` for each step of the
    grain spent, are at least `least`.

    Parameters
    ----------
    gains
        By row, member and state; flat, of the shape [rows, members, size].
    flat
        By row and member: the gain if equal in every state, else :data:`~.sweep.NONE`; flat, of the
        shape [rows, members].
    points, least
        By row.
    """

    gains: Any
    flat: Any
    points: Any
    least: Any


class Layers(NamedTuple):
    """
    Masks of all states on a way from the start to a wanted end.

    Parameters
    ----------
    active, ends
        Of those on the way, the ends included, and of the ends. Each is flat, of the shape
        [rounds + 1, members, size].
    """

    active: Any
    ends: Any


def keep_contiguous(masks: Any, begin: Any, line: Any) -> int:
    """
    Keep states in which every member has its neighbours beside it; return the possible sums.

    Works on the layer of masks at `begin`.
    """
    list_live(masks, begin, line)
    for i in range(1, line.members):
        if line.linked[i]:
            keep_behind(masks, begin, i, line)
    for i in range(line.members - 1, 0, -1):
        if line.linked[i]:
            keep_ahead(masks, begin, i, line)
    return keep_common(masks, begin, line)


def list_live(masks: Any, begin: Any, line: Any) -> None:
    """List each member's states with a mask in `live`, after where each member's list begins."""
    live, used = line.live, line.members + 1
    for i in range(line.members):
        live[i] = used
        for s in range(line.span[i]):
            if masks[begin + i * line.size + s]:
                live[used] = s
                used += 1
    live[line.members] = used


def keep_behind(masks: Any, begin: Any, i: Any, line: Any) -> None:
    """Keep the sums of a member with which the one ahead can be beside it."""
    base, place, seen, live = line.base, line.place, line.seen, line.live
    near_at, near, places = line.near_at, line.near, len(line.seen)
    before, by_entry = begin + (i - 1) * line.size, 0
    for n in range(live[i - 1], live[i]):
        mask, p = masks[before + live[n]], place[base[i - 1] + live[n]]
        if line.waits[base[i - 1] + live[n]] == 0:
            seen[p] |= mask
        if p == 0 or line.entering[i * places + p]:
            by_entry |= mask
    here = begin + i * line.size
    for n in range(live[i], live[i + 1]):
        p = place[base[i] + live[n]]
        allowed = by_entry
        if p != 0:
            allowed = seen[0]
            for k in range(near_at[p], near_at[p + 1]):
                allowed |= seen[near[k]]
        masks[here + live[n]] &= allowed
    for n in range(live[i - 1], live[i]):
        seen[place[base[i - 1] + live[n]]] = 0


def keep_ahead(masks: Any, begin: Any, i: Any, line: Any) -> None:
    """Keep the sums of the one ahead of a member with which the member can be beside it."""
    base, place, seen, live = line.base, line.place, line.seen, line.live
    near_at, near, places = line.near_at, line.near, len(line.seen)
    here, anywhere = begin + i * line.size, 0
    for n in range(live[i], live[i + 1]):
        mask = masks[here + live[n]]
        seen[place[base[i] + live[n]]] |= mask
        anywhere |= mask
    before = begin + (i - 1) * line.size
    for n in range(live[i - 1], live[i]):
        p = place[base[i - 1] + live[n]]
        allowed = seen[0] if line.waits[base[i - 1] + live[n]] else anywhere
        if p != 0:
            allowed = 0
            if line.entering[i * places + p]:
                allowed = seen[0]
            for k in range(near_at[p], near_at[p + 1]):
                allowed |= seen[near[k]]
        masks[before + live[n]] &= allowed
    for n in range(live[i], live[i + 1]):
        seen[place[base[i] + live[n]]] = 0


def keep_common(masks: Any, begin: Any, line: Any) -> int:
    """Keep the sums that every member can have, and return them."""
    live, common = line.live, -1
    for i in range(line.members):
        found = 0
        for n in range(live[i], live[i + 1]):
            found |= masks[begin + i * line.size + live[n]]
        common &= found
    for i in range(line.members):
        for n in range(live[i], live[i + 1]):
            masks[begin + i * line.size + live[n]] &= common
    return common


def matched(masks: Any, last: Any, line: Any) -> None:
    """Keep ends in which every member has its neighbours beside it."""
    for t in range(1, last + 1):
        keep_contiguous(masks, t * line.members * line.size, line)


def sweep_forward(masks: Any, limits: Any, todo: Any, moves: Any, line: Any) -> int:
    """
    Fill masks forwards from those of round 0, within limits if there are any.

    Writes the states whose arcs are not known yet to `todo`; returns how many.
    """
    count, size, base, span = line.members, line.size, line.base, line.span
    last, costs, ladder = moves.last, moves.costs, moves.ladder
    first, to, kind = moves.first, moves.to, moves.kind
    kinds, unknown = len(costs), 0
    for t in range(last):
        for i in range(count):
            here = (t * count + i) * size
            there = here + count * size
            for s in range(span[i]):
                mask = masks[here + s]
                if mask == 0:
                    continue
                state = base[i] + s
                if moves.asked[state] == 0:
                    if todo[state] == 0:
                        todo[state] = 1
                        unknown += 1
                    continue
                ladder[kinds] = 0
                for k in range(kinds - 1, 0, -1):
                    ladder[k] = ladder[k + 1] | (mask << costs[k]) & moves.full
                ladder[0] = ladder[1]
                masks[there + moves.idle[state]] |= ladder[0]
                for a in range(first[state], first[state + 1]):
                    if kind[a] >= 0:
                        masks[there + to[a]] |= ladder[kind[a]]
        begin = (t + 1) * count * size
        if len(limits) > 0:
            for k in range(begin, begin + count * size):
                masks[k] &= limits[k]
        keep_contiguous(masks, begin, line)
    return unknown


def sweep_back(masks: Any, ahead: Any, ends: Any, moves: Any, line: Any) -> int:
    """Fill masks backwards with the part of `ahead` that leads to an end; return the start's."""
    count, size, base, span = line.members, line.size, line.base, line.span
    last, costs, ladder = moves.last, moves.costs, moves.ladder
    first, to, kind = moves.first, moves.to, moves.kind
    kinds, common = len(costs), 0
    for t in range(last, -1, -1):
        for i in range(count):
            here = (t * count + i) * size
            there = here + count * size
            for s in range(span[i]):
                mask = ahead[here + s]
                if mask == 0:
                    continue
                state, found = base[i] + s, 0
                if t < last:
                    for k in range(kinds):
                        ladder[k] = 0
                    ladder[0] = masks[there + moves.idle[state]]
                    for a in range(first[state], first[state + 1]):
                        if kind[a] >= 0:
                            ladder[kind[a]] |= masks[there + to[a]]
                    onward = ladder[0]
                    for k in range(1, kinds):
                        onward |= ladder[k]
                        found |= onward >> costs[k]
                masks[here + s] = mask & found | ends[here + s]
        common = keep_contiguous(masks, t * count * size, line)
    return common


def hoped(masks: Any, last: Any, levels: Any, best: Any, wanted: Any, line: Any) -> int:
    """Return the maximum of row 0 with all members at their best; :data:`NONE` without ends."""
    count, size, span = line.members, line.size, line.span
    gains, flat, points = wanted.gains, wanted.flat, wanted.points
    found = NONE
    for t in range(1, last + 1):
        common = -1
        for x in range(levels):
            best[x] = points[0] * x
        for i in range(count):
            here, seen = (t * count + i) * size, 0
            for x in range(levels):
                best[levels + x] = NONE if flat[i] == NONE else flat[i]
            for s in range(span[i]):
                mask, x = masks[here + s], 0
                seen |= mask
                if flat[i] != NONE:
                    continue
                gain = gains[i * size + s]
                while mask:
                    if mask & 1 and gain > best[levels + x]:
                        best[levels + x] = gain
                    mask >>= 1
                    x += 1
            common &= seen
            if common == 0:
                break
            for x in range(levels):
                best[x] += best[levels + x]
        for x in range(levels):
            if (common >> x) & 1:
                found = max(found, int(best[x]))
    return found


def fitting(masks: Any, last: Any, levels: Any, best: Any, wanted: Any, line: Any) -> int:
    """
    Keep possible ends, given the other members' best; return whether any are left.

    `best` is room for as many sums as there are `levels` of each member and one more.
    """
    count, size, span = line.members, line.size, line.span
    gains, flat, points, least = wanted.gains, wanted.flat, wanted.points, wanted.least
    total = 0
    for t in range(1, last + 1):
        for r in range(len(least)):
            for x in range(levels):
                best[count * levels + x] = points[r] * x - least[r]
            for i in range(count):
                row, here = (r * count + i) * size, (t * count + i) * size
                if flat[r * count + i] != NONE:
                    for x in range(levels):
                        best[count * levels + x] += flat[r * count + i]
                    continue
                for x in range(levels):
                    best[i * levels + x] = NONE
                for s in range(span[i]):
                    mask, x = masks[here + s], 0
                    while mask:
                        if mask & 1 and gains[row + s] > best[i * levels + x]:
                            best[i * levels + x] = gains[row + s]
                        mask >>= 1
                        x += 1
                for x in range(levels):
                    best[count * levels + x] += best[i * levels + x]
            room = 0
            for x in range(levels):
                if best[count * levels + x] >= 0:
                    room |= 1 << x
            for i in range(count):
                row, here = (r * count + i) * size, (t * count + i) * size
                for s in range(span[i]):
                    kept = masks[here + s] & room
                    if kept and flat[r * count + i] == NONE:
                        mask, x = kept, 0
                        while mask:
                            slack = best[count * levels + x]
                            if mask & 1 and best[i * levels + x] - gains[row + s] > slack:
                                kept ^= 1 << x
                            mask >>= 1
                            x += 1
                    masks[here + s] = kept
        for i in range(count):
            for s in range(span[i]):
                if masks[(t * count + i) * size + s]:
                    total += 1
    return total
