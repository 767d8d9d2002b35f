"""Whether a Convoy has a plan within some layers, decided without CP-SAT where that can be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from marchtable_models.asl.cpsat.convoy.compiled import WIDEST, is_quick, run
from marchtable_models.asl.cpsat.convoy.conflicts import GIVEN_UP, NEVER
from marchtable_models.asl.cpsat.convoy.deadends import HEADS, KEYS, KINDS, SETS
from marchtable_models.asl.cpsat.convoy.dive import CAPPED, NONE
from marchtable_models.asl.cpsat.convoy.field import Course
from marchtable_models.asl.cpsat.convoy.layers import NONE as NOTHING
from marchtable_models.asl.cpsat.convoy.neighbours import lay_out
from marchtable_models.asl.cpsat.convoy.prices import LITERAL, LOOK
from marchtable_models.asl.cpsat.convoy.stated import Stated, lasting

if TYPE_CHECKING:
    from collections.abc import Callable

    from marchtable_models.asl.cpsat.convoy.ends import Ends
    from marchtable_models.asl.cpsat.convoy.field import Field
    from marchtable_models.asl.cpsat.convoy.layers import Layers, Wanted

__all__ = ["CAP", "LOOKS", "dived", "reasoned"]

CAP, ROOM = 20_000, 30_000
"""How many moves a dive tries, and how many dead ends it keeps."""
LOOKS, SLICE = 10_000_000, 500_000
"""How many clauses are looked at in search of a plan, and at a time: then the limit is asked."""
AGAIN = 100
"""How many solutions are refused whose ends are not worth enough."""


def reasoned(
    field: Field, layers: Layers, wanted: Wanted, ends: Ends, *, halted: bool | None,
    spend: Callable[[float], None], looks: int = LOOKS,
) -> Course | int | None:  # fmt: skip
    """
    Return a plan that clauses lead to; None if there is none, a number if the search gave up.

    What :func:`dived` does not look at is not looked at here. It tells `spend` of
    its work, for `looks` at clauses at most.
    """
    if not is_quick(field.levels, len(layers.active)):
        return CAPPED
    kept = lasting(field, layers)
    pairs = lay_out(field, kept.masks, paired=False)
    assert pairs is not None
    may_end = ends.table(layers.ends).reshape(-1)
    stated = Stated(field, pairs, kept, ends, may_end, halted=halted)
    spend(LITERAL * stated.literals)
    left, refused = looks, 0
    while left > 0 and refused < AGAIN:
        most = min(left, SLICE)
        told, value, work = stated.solved(most)
        left -= work
        spend(LOOK * work)
        if told == NEVER:
            return None
        if told == GIVEN_UP:
            if work < most:  # there is no more room
                break
            continue
        refused += 1
        course = stated.course(value)
        is_refused = stated.refuse(course, wanted)
        if is_refused is None:
            break
        if not is_refused:
            return course
    return CAPPED


def dived(
    field: Any,
    layers: Layers,
    wanted: Wanted,
    ends: Ends,
    *,
    halted: bool | None,
    idle: bool = False,
    cap: int = CAP,
) -> Course | int | None:
    """
    Return a plan that pairs lead to; None if there is none, a number if the search gave up.

    Going straight back, and what happens on the way, is not looked at. If `idle`, vehicles stay
    rather than move where they can.
    """
    pairs, count, last = layers.pairs, field.count, field.most
    assert pairs is not None
    if count > WIDEST or max(len(field.costs), field.levels) > KINDS:  # what dead ends are kept by
        return CAPPED
    width = int(np.diff(pairs.arc_at).max(initial=1))
    room = min(ROOM, 10 * len(pairs.masks) + 100)
    may_end = ends.table(layers.ends).reshape(-1)
    places = field.places
    found, after = np.zeros((last + 1) * count, np.int64), np.zeros(last + 1, np.int64)
    end = run(
        "dive", field.levels, len(pairs.masks), pairs.masks, layers.active, layers.ends,
        layers.pays, last, field.costs, field.levels, int(halted is not None), int(halted or 0), int(ends.all_alike),
        wanted.gains, wanted.flat, wanted.points, wanted.least, NOTHING, may_end, ends.ahead(),
        field.moving, *field.line[:3], field.place, places.u, places.v, field.linked, pairs.at,
        pairs.states, pairs.arc_at, pairs.arc_to, pairs.arc_kind, pairs.arc_flags, pairs.pair_at,
        cap, int(idle), room, width, *_scratch(room, last, count, width), found, after,
    )  # fmt: skip
    if end == NONE:
        return None
    if end == CAPPED:
        return CAPPED
    rows = found.reshape(last + 1, count)[: end + 1].tolist()
    spent = tuple(int(level) * field.grain for level in after[: end + 1])
    return Course(tuple(map(tuple, rows)), spent)


def _scratch(room: int, last: int, count: int, width: int) -> list[Any]:
    """Return what a dive works with: its dead ends, and by Impulse, vehicle and move."""
    rows, entries = last + 1, (last + 1) * count
    shapes = (
        room * (count + KEYS), HEADS, room, 2 * entries * SETS,  # dead ends
        rows * KINDS, entries + count, rows, rows, rows, rows, rows,
        *(entries,) * 7, entries * width, entries * width,
    )  # fmt: skip
    return [np.zeros(shape, np.int64) for shape in shapes]
