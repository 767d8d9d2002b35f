"""Time-expanded layers: where the members of a line can be on the way to what is wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from marchtable.planning.line.compiled import run
from marchtable.planning.line.sweep import NONE

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

    from marchtable.planning.line.field import StateGraph
    from marchtable.planning.line.tables import Wanted

    Asked = Mapping[Hashable, int]
    """Sums of criteria, and what they must come to at least."""

__all__ = ["ROUNDS", "Kept", "Layers", "alone", "blank", "earliest", "ends_of", "hope"]

ROUNDS = 3
"""How often what pairs leave is gone through again."""


KEPT = 12


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


class Kept:
    """Layers that are there already, with what was asked of the plans in them."""

    def __init__(self) -> None:
        self._known: list[tuple[Asked, int, Layers]] = []

    def keep(self, asked: Asked, layers: Layers) -> None:
        """Keep some layers."""
        left = int(np.count_nonzero(layers.active))
        self._known = [*self._known[1 - KEPT :], (asked, left, layers)]

    def within(self, asked: Asked) -> Layers | None:
        """Return the smallest layers in which all is that is asked for, if there are any."""
        found = [
            (left, n)
            for n, (told, left, _) in enumerate(self._known)
            if all(asked.get(what, least - 1) >= least for what, least in told.items())
        ]
        return self._known[min(found)[1]][2] if found else None


def alone(
    field: StateGraph,
    wanted: Wanted,
    may_end: Callable[[Any], Any],
    *,
    alike: bool,
    within: Layers | None = None,
) -> Layers | None:
    """
    Return masks of what lies on a way from the start to an end, and of the ends; None if nothing.

    As far as each member and those beside it tell.

    Parameters
    ----------
    field, wanted
        The states, and what the end must come to.
    may_end
        For a table of ends: masks of what may be spent when a member ends its turn in a state.
    alike
        Whether all must end moving or none.
    within
        What is left for ends of which these are some.
    """
    if within is None:
        ends = ends_of(field, wanted, field.masks, alike=alike)
        found = _narrowed(field, wanted, Layers(field.masks, ends, blank(field, 0)))
    else:
        ends = ends_of(field, wanted, within.ends, alike=alike)
        found = _narrowed(field, wanted, within._replace(ends=ends))
    if found is None:
        return found
    sure = ends_of(field, wanted, found.ends & may_end(found.ends), alike=alike)
    if np.array_equal(sure, found.ends):
        return found
    return _narrowed(field, wanted, found._replace(ends=sure))


def hope(field: StateGraph, wanted: Wanted, masks: Any, *, alike: bool) -> int | None:
    """Return by how much the first row may be exceeded as far as ends tell, None if not."""
    ends = ends_of(field, wanted, masks, alike=alike)
    best = np.zeros(2 * field.levels, np.int64)
    found = run(
        "hoped", field.levels, len(ends), ends, field.most, field.levels, best, wanted, field.line
    )
    return None if found == NONE else int(found - wanted.least[0])


# -- single members -------------------------------------------------------------------------------


def ends_of(field: StateGraph, wanted: Wanted, masks: Any, *, alike: bool) -> Any:
    """Return what of some ends is wanted: all moving or all stopped, or as it comes."""
    if not alike:
        return _fitting(field, wanted, masks.copy())
    table = masks.reshape(field.most + 1, -1)
    going = (table * _row(field, field.moving)).reshape(-1)
    resting = masks & ~going
    return _fitting(field, wanted, going) | _fitting(field, wanted, resting)


def earliest(field: StateGraph, ends: Any) -> Any:
    """Return of some ends those after the fewest rounds by which every member has one."""
    found = ends.reshape(field.most + 1, field.count, field.size).copy()
    able = (found != 0).any(axis=2).all(axis=1)
    found[able.argmax() + 1 :] = 0
    return found.reshape(-1)


def _row(field: StateGraph, told: Any) -> Any:
    """Return what is told of states as a table of masks has it after one round."""
    row = np.zeros((field.count, field.size), np.int64)
    for i in range(field.count):
        row[i, : field.span[i]] = told[field.base[i] : field.base[i] + field.span[i]]
    return row.reshape(-1)


def _fitting(field: StateGraph, wanted: Wanted, ends: Any) -> Any:
    ends[: field.count * field.size] = 0  # who makes no round ends no turn
    if not np.count_nonzero(ends):
        return ends
    best = np.zeros((field.count + 1) * field.levels, np.int64)
    told = (field.levels, len(ends), ends, field.most)
    run("fitting", *told, field.levels, best, wanted, field.line)
    run("matched", *told, field.line)
    return ends


def _narrowed(field: StateGraph, wanted: Wanted, layers: Layers) -> Layers | None:
    active, ends, pays, _ = layers
    tried, back, tables = 0, field.blank(), (field.blank(), field.blank())
    while np.count_nonzero(ends):
        back.fill(0)
        paying = blank(field, field.most * len(field.costs))
        if not run(
            "traced", field.levels, len(back), back, active, ends, pays, paying, field.moves,
            field.line,
        ):  # fmt: skip
            return None
        ahead = tables[tried % 2]
        ahead.fill(0)
        step = field.count * field.size
        ahead[:step] = back[:step]
        todo = np.zeros(len(field.place), np.int64)
        run("spread", field.levels, len(back), ahead, back, paying, todo, field.moves, field.line)
        kept = ends & ahead
        tried += 1
        is_same = np.array_equal(kept, ends)
        is_done = is_same and (tried > ROUNDS or np.array_equal(pays, paying))
        active, pays = ahead, paying
        if is_done:
            return Layers(active, kept, pays)
        if not is_same:
            ends = _fitting(field, wanted, kept)
    return None


def blank(field: StateGraph, size: int) -> Any:
    """Return so many empty masks."""
    return np.zeros(size, np.int64 if field.small else object)
