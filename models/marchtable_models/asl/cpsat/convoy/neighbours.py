"""What pairs of neighbours leave of a Convoy's layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from marchtable_models.asl.cpsat.convoy.compiled import run
from marchtable_models.asl.cpsat.convoy.layers import ROUNDS, Layers, blank, ends_of

if TYPE_CHECKING:
    from marchtable_models.asl.cpsat.convoy.ends import Ends
    from marchtable_models.asl.cpsat.convoy.field import Field
    from marchtable_models.asl.cpsat.convoy.layers import Wanted

__all__ = ["in_pairs"]

WIDE = 4_000_000
"""More pairs than that are not looked at."""


class Pairs(NamedTuple):
    """
    What of the layers is left, numbered, and masks of pairs of neighbours; see `convoypairs`.

    Parameters
    ----------
    at, states
        By Impulse and vehicle: where its states begin, and these.
    arc_at, arc_to, arc_kind
        The arcs from each of them to those of the next Impulse.
    pair_at, masks
        By Impulse and vehicle but the last: where its pairs with the next begin, and their masks.
    """

    at: Any
    states: Any
    arc_at: Any
    arc_to: Any
    arc_kind: Any
    pair_at: Any
    masks: Any


def in_pairs(field: Field, wanted: Wanted, layers: Layers, ends: Ends) -> Layers | None:
    """Return what pairs of neighbours leave of that; None if nothing."""
    if field.count < 2:
        return layers
    return _paired(field, wanted, layers, ends)


def _lay_out(field: Field, masks: Any) -> Pairs | None:
    """Return what of some masks is left, numbered; None if there are too many pairs to look at."""
    count, last = field.count, field.most
    left = int(np.count_nonzero(masks))
    by_layer = np.count_nonzero(masks.reshape(last + 1, count, field.size), axis=2)
    wide = int((by_layer[:, :-1] * by_layer[:, 1:] * field.linked[1:]).sum())
    if wide > WIDE:
        return None
    arcs = left * (1 + int(np.diff(field.first).max()))
    made = [np.zeros(n, np.int64) for n in
            ((last + 1) * count + 1, left, left + 1, arcs, arcs, (last + 1) * (count - 1) + 1)]  # fmt: skip
    at, states, arc_at, arc_to, arc_kind, pair_at = made
    rank = np.zeros(len(masks), np.int64)
    run(
        "laid", field.levels, len(masks), masks, last, field.first, field.to, field.kind,
        *field.line[:4], field.linked, at, states, rank, arc_at, arc_to, arc_kind, pair_at,
    )  # fmt: skip
    return Pairs(at, states, arc_at, arc_to, arc_kind, pair_at, blank(field, wide))


def _paired(field: Field, wanted: Wanted, layers: Layers, rules: Ends) -> Layers | None:
    """Return what pairs leave of some layers."""
    active, ends, pays, _ = layers
    laid = _lay_out(field, active)
    if laid is None:
        return layers
    left, limits = -1, blank(field, 0)
    for _ in range(ROUNDS):
        ahead = _ahead(field, laid, limits, active, pays)
        final = _final(field, wanted, laid, ahead, ends, rules)
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
    return Layers(active, _shown(field, laid, final, ends), pays, len(limits))


def _payable(field: Field, active: Any) -> Any:
    pays = blank(field, field.most * len(field.costs))
    run(
        "payable", field.levels, len(active), pays, active, field.most, field.costs, field.first,
        field.to, field.kind, *field.line[:4],
    )  # fmt: skip
    return pays


def _ahead(field: Field, laid: Pairs, limits: Any, active: Any, pays: Any) -> Any:
    found, seen = blank(field, len(laid.masks)), np.zeros(field.size, np.int64)
    places = field.places
    run(
        "paired", field.levels, len(found), found, limits, active, field.most, field.costs,
        field.full, pays, field.ladder, field.count, field.size, field.base, field.place, places.u,
        places.v, field.entering.reshape(-1), field.linked, len(places), laid.at, laid.states,
        laid.arc_at, laid.arc_to, laid.arc_kind, laid.pair_at, seen,
    )  # fmt: skip
    return found


def _final(
    field: Field, wanted: Wanted, laid: Pairs, ahead: Any, ends: Any, rules: Ends
) -> Any | None:
    """Return what of pairs can end as wanted."""
    stands = rules.table(ends).reshape(-1), rules.ahead()
    seen, places = np.zeros(field.size, np.int64), len(field.places)
    taken, reach = (
        blank(field, field.count * places),
        blank(field, 2 * rules.width * len(laid.states)),
    )
    while True:
        found = blank(field, len(ahead))
        run(
            "ended", field.levels, len(found), found, ahead, ends, field.most, int(rules.all_alike),
            field.moving, *stands, places, taken, reach, *field.line[:3], field.place,
            field.linked, laid.at, laid.states, laid.pair_at, seen,
        )  # fmt: skip
        left = _shown(field, laid, found, ends)
        fits = ends_of(field, wanted, left, alike=rules.all_alike)
        if not np.count_nonzero(fits):
            return None
        if np.array_equal(fits, left):
            return found
        ends = fits


def _back(field: Field, laid: Pairs, ahead: Any, final: Any, pays: Any) -> Any | None:
    found, seen = blank(field, len(ahead)), np.zeros(field.size, np.int64)
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
