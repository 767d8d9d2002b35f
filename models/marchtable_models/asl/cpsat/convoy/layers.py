"""Where the vehicles of a Convoy can be on the way to what is wanted: what no solver need ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from marchtable_models.asl.cpsat.convoy.compiled import run

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

    from marchtable_models.asl.cpsat.convoy.ends import Ends
    from marchtable_models.asl.cpsat.convoy.field import Field

    Asked = Mapping[Hashable, int]
    """Sums of criteria, and what they must come to at least."""

__all__ = ["Kept", "Layers", "Pairs", "Wanted", "alone", "hope", "in_pairs"]

ROUNDS = 3
"""How often what pairs leave is gone through again."""
WIDE = 4_000_000
"""More pairs than that are not looked at."""


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
        By row and vehicle: what it gains in every state, or :data:`NONE`.
    points, least
        By row.
    """

    gains: Any
    flat: Any
    points: Any
    least: Any


NONE = -(2**40)
KEPT = 12


class Pairs(NamedTuple):
    """
    What of the layers is left, numbered, and masks of pairs of neighbours; see `convoypairs`.

    Parameters
    ----------
    at, states
        By Impulse and vehicle: where its states begin, and these.
    arc_at, arc_to, arc_kind, arc_flags
        The arcs from each of them to those of the next Impulse.
    pair_at, masks
        By Impulse and vehicle but the last: where its pairs with the next begin, and their masks.
    """

    at: Any
    states: Any
    arc_at: Any
    arc_to: Any
    arc_kind: Any
    arc_flags: Any
    pair_at: Any
    masks: Any


class Layers(NamedTuple):
    """
    Masks of all states on a way from the start to an end that is wanted.

    Parameters
    ----------
    active, ends
        Of those on the way, the ends included, and of the ends.
    pays
        By Impulse and kind of cost: the sums before which some vehicle can pay just that.
    pairs
        Masks of neighbours, if they were not too many.
    """

    active: Any
    ends: Any
    pays: Any
    pairs: Pairs | None


class Kept:
    """Layers that are there already, with what was asked of the plans in them."""

    def __init__(self) -> None:
        self._known: list[tuple[Asked, int, Layers]] = []

    def keep(self, asked: Asked, layers: Layers) -> None:
        """Keep some layers."""
        left = int(np.count_nonzero(layers.active))
        self._known = [*self._known[1 - KEPT :], (asked, left, layers._replace(pairs=None))]

    def within(self, asked: Asked) -> Layers | None:
        """Return the smallest layers in which all is that is asked for, if there are any."""
        found = [
            (left, n)
            for n, (told, left, _) in enumerate(self._known)
            if all(asked.get(what, least - 1) >= least for what, least in told.items())
        ]
        return self._known[min(found)[1]][2] if found else None


def alone(
    field: Field,
    wanted: Wanted,
    may_end: Callable[[Any], Any],
    *,
    alike: bool,
    within: Layers | None = None,
) -> Layers | None:
    """
    Return masks of what lies on a way from the start to an end, and of the ends; None if nothing.

    As far as each vehicle and those beside it tell.

    Parameters
    ----------
    field, wanted
        The states, and what the end must come to.
    may_end
        For a table of ends: masks of what may be spent when a vehicle ends its MPh in a state.
    alike
        Whether all must end in Motion or none.
    within
        What is left for ends of which these are some.
    """
    if within is None:
        ends = _ends(field, wanted, field.masks, alike=alike)
        found = _narrowed(field, wanted, Layers(field.masks, ends, _blank(field, 0), None))
    else:
        ends = _ends(field, wanted, within.ends, alike=alike)
        return _narrowed(field, wanted, within._replace(ends=ends))
    if found is None:
        return None
    sure = _ends(field, wanted, found.ends & may_end(found.ends), alike=alike)
    if np.array_equal(sure, found.ends):
        return found
    return _narrowed(field, wanted, found._replace(ends=sure))


def hope(field: Field, wanted: Wanted, masks: Any, *, alike: bool) -> int | None:
    """Return by how much the first row may be exceeded as far as ends tell, None if not."""
    ends = _ends(field, wanted, masks, alike=alike)
    best = np.zeros(2 * field.levels, np.int64)
    found = run(
        "hoped", field.levels, len(ends), ends, field.most, field.levels, wanted.gains,
        wanted.flat, wanted.points, best, NONE, field.count, field.size, field.span,
    )  # fmt: skip
    return None if found == NONE else int(found - wanted.least[0])


def in_pairs(field: Field, wanted: Wanted, layers: Layers, ends: Ends) -> Layers | None:
    """Return what pairs of neighbours leave of that; None if nothing."""
    if field.count < 2:
        return layers._replace(pairs=_laid(field, layers.active))
    return _paired(field, wanted, layers, ends)


# -- single vehicles -------------------------------------------------------------------------------


def _ends(field: Field, wanted: Wanted, masks: Any, *, alike: bool) -> Any:
    """Return what of some ends is wanted: all in Motion or all stopped, or as it comes."""
    if not alike:
        return _fitting(field, wanted, masks.copy())
    moving = _spread(field, field.moving)
    return _fitting(field, wanted, masks * moving) | _fitting(field, wanted, masks * (1 - moving))


def _spread(field: Field, told: Any) -> Any:
    """Return what is told of states as a table of masks has it."""
    row = np.zeros((field.count, field.size), np.int64)
    for i in range(field.count):
        row[i, : field.span[i]] = told[field.base[i] : field.base[i] + field.span[i]]
    return np.tile(row.reshape(-1), field.most + 1)


def _fitting(field: Field, wanted: Wanted, ends: Any) -> Any:
    ends[: field.count * field.size] = 0  # who makes no Impulse ends no MPh
    best = np.zeros((field.count + 1) * field.levels, np.int64)
    run(
        "fitting", field.levels, len(ends), ends, field.most, field.levels, wanted.gains,
        wanted.flat, wanted.points, wanted.least, best, NONE, field.count, field.size, field.span,
    )  # fmt: skip
    step = field.count * field.size
    for t in range(1, field.most + 1):
        part = ends[t * step : (t + 1) * step]
        if part.any():
            run("settled", field.levels, len(ends), part, 0, *field.line)
    return ends


def _narrowed(field: Field, wanted: Wanted, layers: Layers) -> Layers | None:
    active, ends, pays, _ = layers
    tried = 0
    while ends.any():
        back, paying = field.blank(), _blank(field, field.most * len(field.costs))
        if not run(
            "traced", field.levels, len(back), back, active, ends, field.most, field.costs,
            field.first, field.to, field.kind, pays, paying, field.ladder, *field.line,
        ):  # fmt: skip
            return None
        ahead = field.blank()
        step = field.count * field.size
        ahead[:step] = back[:step]
        todo = np.zeros(len(field.place), np.int64)
        run(
            "spread", field.levels, len(back), ahead, back, field.most, field.costs, field.full,
            field.first, field.to, field.kind, field.asked, todo, paying, field.ladder, *field.line,
        )  # fmt: skip
        kept = ends & ahead
        tried += 1
        is_done = np.array_equal(kept, ends) and (tried > ROUNDS or np.array_equal(pays, paying))
        active, ends, pays = ahead, kept, paying
        if is_done:
            return Layers(active, ends, pays, None)
        ends = _fitting(field, wanted, ends)
    return None


# -- pairs -------------------------------------------------------------------------------------------


def _laid(field: Field, masks: Any) -> Pairs | None:
    count, last = field.count, field.most
    left = int(np.count_nonzero(masks))
    by_layer = np.count_nonzero(masks.reshape(last + 1, count, field.size), axis=2)
    wide = int((by_layer[:, :-1] * by_layer[:, 1:] * field.linked[1:]).sum())
    if wide > WIDE:
        return None
    arcs = left * (1 + int(np.diff(field.first).max()))
    made = [np.zeros(n, np.int64) for n in
            ((last + 1) * count + 1, left, left + 1, arcs, arcs, arcs, (last + 1) * (count - 1) + 1)]  # fmt: skip
    at, states, arc_at, arc_to, arc_kind, arc_flags, pair_at = made
    rank = np.zeros(len(masks), np.int64)
    run(
        "laid", field.levels, len(masks), masks, last, field.first, field.to, field.kind,
        field.flags, *field.line[:4], field.linked, at, states, rank, arc_at, arc_to, arc_kind, arc_flags,
        pair_at,
    )  # fmt: skip
    return Pairs(at, states, arc_at, arc_to, arc_kind, arc_flags, pair_at, _blank(field, wide))


def _blank(field: Field, size: int) -> Any:
    return np.zeros(size, np.int64 if field.small else object)


def _paired(field: Field, wanted: Wanted, layers: Layers, rules: Ends) -> Layers | None:
    """Return what pairs leave of some layers."""
    active, ends, pays, _ = layers
    stands = (rules.table(ends).reshape(-1), rules.ahead())
    laid = _laid(field, active)
    if laid is None:
        return layers
    left, limits = -1, _blank(field, 0)
    for _ in range(ROUNDS):
        ahead = _ahead(field, laid, limits, active, pays)
        final = _final(field, wanted, laid, ahead, ends, stands, alike=rules.all_alike)
        if final is None:
            return None
        back = _back(field, laid, ahead, final, pays)
        if back is None:
            return None
        limits, last, left = back, left, int(np.count_nonzero(back))
        active = _shown(field, laid, limits, active)
        pays = _payable(field, active)
        if left == last:
            break
    found = laid._replace(masks=limits)
    return Layers(active, _shown(field, found, final, ends), pays, found)


def _payable(field: Field, active: Any) -> Any:
    pays = _blank(field, field.most * len(field.costs))
    run(
        "payable", field.levels, len(active), pays, active, field.most, field.costs, field.first,
        field.to, field.kind, *field.line[:4],
    )  # fmt: skip
    return pays


def _ahead(field: Field, laid: Pairs, limits: Any, active: Any, pays: Any) -> Any:
    found, seen = _blank(field, len(laid.masks)), np.zeros(field.size, np.int64)
    places = field.places
    run(
        "paired", field.levels, len(found), found, limits, active, field.most, field.costs,
        field.full, pays, field.ladder, field.count, field.size, field.base, field.place, places.u,
        places.v, field.entering.reshape(-1), field.linked, len(places), laid.at, laid.states,
        laid.arc_at, laid.arc_to, laid.arc_kind, laid.pair_at, seen,
    )  # fmt: skip
    return found


def _final(
    field: Field, wanted: Wanted, laid: Pairs, ahead: Any, ends: Any, stands: Any, *, alike: bool
) -> Any | None:
    """Return what of pairs can end as wanted."""
    seen, places = np.zeros(field.size, np.int64), len(field.places)
    taken, reach = _blank(field, field.count * places), _blank(field, 4 * len(laid.states))
    while True:
        found = _blank(field, len(ahead))
        run(
            "ended", field.levels, len(found), found, ahead, ends, field.most, int(alike),
            field.moving, *stands, places, taken, reach, field.full, *field.line[:3], field.place,
            field.linked, laid.at, laid.states, laid.pair_at, seen,
        )  # fmt: skip
        left = _shown(field, laid, found, ends)
        fits = _ends(field, wanted, left, alike=alike)
        if not fits.any():
            return None
        if np.array_equal(fits, left):
            return found
        ends = fits


def _back(field: Field, laid: Pairs, ahead: Any, final: Any, pays: Any) -> Any | None:
    found, seen = _blank(field, len(ahead)), np.zeros(field.size, np.int64)
    places = field.places
    kept = run(
        "traced_pairs", field.levels, len(found), found, ahead, final, field.most, field.costs,
        pays, field.ladder, field.count, field.base, field.place, places.u, places.v, field.linked,
        laid.at, laid.states, laid.arc_at, laid.arc_to, laid.arc_kind, laid.pair_at, seen,
    )  # fmt: skip
    return found if kept else None


def _shown(field: Field, laid: Pairs, masks: Any, alone: Any) -> Any:
    found = field.blank()
    run(
        "shown", field.levels, len(masks), found, masks, alone, field.most, field.count,
        field.size, field.linked, laid.at, laid.states, laid.pair_at,
    )  # fmt: skip
    return found
