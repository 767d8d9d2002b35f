"""What pairs of neighbours leave of a line's layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from marchtable.planning.line.compiled import run
from marchtable.planning.line.layers import ROUNDS, Layers, blank, ends_of
from marchtable.planning.line.tables import Before, Laid

if TYPE_CHECKING:
    from marchtable.planning.line.ends import AnyEnd
    from marchtable.planning.line.field import StateGraph
    from marchtable.planning.line.tables import Wanted

__all__ = ["in_pairs"]

WIDE = 4_000_000
"""More pairs than that are not looked at."""


def in_pairs(field: StateGraph, wanted: Wanted, layers: Layers, ends: AnyEnd) -> Layers | None:
    """Return what pairs of neighbours leave of that; None if nothing."""
    if field.count < 2:
        return layers
    return _paired(field, wanted, layers, ends)


def _lay_out(field: StateGraph, masks: Any) -> tuple[Laid, int] | None:
    """Return what of some masks is left, numbered, and how many pairs; None if these are too many."""
    count, last = field.count, field.most
    left = int(np.count_nonzero(masks))
    by_layer = np.count_nonzero(masks.reshape(last + 1, count, field.size), axis=2)
    wide = int((by_layer[:, :-1] * by_layer[:, 1:] * field.linked[1:]).sum())
    if wide > WIDE:
        return None
    arcs = left * (1 + int(np.diff(field.first).max()))
    sizes = ((last + 1) * count + 1, left, left + 1, arcs, arcs, (last + 1) * (count - 1) + 1)
    laid = Laid(*(np.zeros(n, np.int64) for n in (*sizes, len(masks))))
    _swept(field, "numbered", masks, laid, field.moves, field.line)
    return laid, wide


def _swept(field: StateGraph, name: str, masks: Any, *told: Any) -> Any:
    return run(name, field.levels, len(masks), masks, *told)


def _paired(field: StateGraph, wanted: Wanted, layers: Layers, rules: AnyEnd) -> Layers | None:
    """Return what pairs leave of some layers."""
    active, ends, pays, _ = layers
    found = _lay_out(field, active)
    if found is None:
        return layers
    laid, wide = found
    told = (laid, field.moves, field.line)
    left, limits = -1, blank(field, 0)
    for _ in range(ROUNDS):
        ahead = blank(field, wide)
        _swept(field, "paired", ahead, limits, active, pays, *told)
        final = _final(field, wanted, laid, ahead, ends, rules)
        if final is None:
            return None
        back = blank(field, wide)
        if not _swept(field, "traced_pairs", back, ahead, final, pays, *told):
            return None
        limits, last, left = back, left, int(np.count_nonzero(back))
        active = _shown(field, laid, limits, active)
        pays = blank(field, field.most * len(field.costs))
        run("payable", field.levels, len(active), pays, active, field.moves, field.line)
        if left == last:
            break
    return Layers(active, _shown(field, laid, final, ends), pays, wide)


def _final(
    field: StateGraph, wanted: Wanted, laid: Laid, ahead: Any, ends: Any, rules: AnyEnd
) -> Any | None:
    """Return what of pairs can end as wanted."""
    before = Before(
        int(rules.all_alike), field.moving, rules.width, rules.ahead(),
        rules.table(ends).reshape(-1), blank(field, field.count * len(field.places)),
        blank(field, 2 * rules.width * len(laid.states)),
    )  # fmt: skip
    while True:
        found = blank(field, len(ahead))
        _swept(field, "ended", found, ahead, ends, field.most, before, laid, field.line)
        left = _shown(field, laid, found, ends)
        fits = ends_of(field, wanted, left, alike=rules.all_alike)
        if not np.count_nonzero(fits):
            return None
        if np.array_equal(fits, left):
            return found
        ends = fits


def _shown(field: StateGraph, laid: Laid, masks: Any, alone: Any) -> Any:
    found = field.blank()
    run("shown", field.levels, len(masks), found, masks, alone, field.most, laid, field.line)
    return found
