"""A Convoy's functions as numba compiles them where that pays, in plain Python where it does not."""

from __future__ import annotations

from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from marchtable_models.asl.cpsat.convoy import (
    clausemoves,
    clauses,
    conflicts,
    deadends,
    divemoves,
    divends,
    divesteps,
    pairends,
    watches,
)
from marchtable_models.asl.cpsat.convoy import dive as convoydive
from marchtable_models.asl.cpsat.convoy import pairs as convoypairs
from marchtable_models.asl.cpsat.convoy import sweep as convoysweep

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["FEW", "WIDEST", "is_quick", "run"]

WIDEST = 61
"""Bits that a mask may have for numba."""
FEW = 4000
"""Masks in a table below which plain Python is as quick as loading numba."""
PARTS = (
    (convoysweep, ("settled", "matched", "spread", "traced", "fitting", "hoped")),
    (convoypairs, ("beside", "chained", "laid", "paired", "traced_pairs", "payable", "shown")),
    (pairends, ("standing", "around", "ended")),
    (deadends, ("smaller", "nearest", "lacking", "keyed", "learned", "deadly", "barred")),
    (divemoves, ("blocked", "narrowed", "prepared")),
    (divends, ("fits", "blamed", "straightened")),
    (divesteps, ("barring", "doomed", "ended_here", "failed", "gone_from", "picked")),
    (convoydive, ("dive",)),
    (clauses, ("put", "close", "join", "shut", "dear", "sole", "levelled", "expensed", "homes")),
    (clauses, ("lined", "singly")),
    (clausemoves, ("turned", "fanned", "moved", "payers", "flagged", "stopped", "ending")),
    (clausemoves, ("written",)),
    (watches, ("grouped", "raised", "pushed", "popped", "forced", "undone", "implied")),
    (conflicts, ("stride", "noted", "lessened", "resolved", "faded", "filled", "watched", "kept")),
    (conflicts, ("searched",)),
)  # each after those that it calls


class _Loaded:
    """Whether numba has been loaded for a large Convoy; then it serves small ones too."""

    yes = False


@cache
def _compiled() -> dict[str, Callable[..., Any]] | None:
    try:
        from numba import njit
    except Exception:  # whatever numba may raise, we do without
        return None
    found: dict[str, Callable[..., Any]] = {}
    for module, names in PARTS:
        for name in names:
            plain = getattr(module, name)
            inner = FunctionType(plain.__code__, {**plain.__globals__, **found}, name)
            inner.__module__, inner.__qualname__ = plain.__module__, name
            found[name] = njit(cache=True, nogil=True, boundscheck=False)(inner)
    return found


def is_quick(bits: int, work: int) -> bool:
    """Tell whether a function does not take long, be the table small or numba there."""
    return bits <= WIDEST and (work < FEW or _compiled() is not None)


def run(name: str, bits: int, work: int, *told: Any) -> Any:
    """
    Call a function by name, filling the arrays told.

    Parameters
    ----------
    bits
        How many its masks have.
    work
        How large its table is.
    """
    if bits <= WIDEST and (_Loaded.yes or work >= FEW):
        compiled = _compiled()
        if compiled is not None:
            _Loaded.yes = True
            return compiled[name](*told)
    plain = next(getattr(module, name) for module, names in PARTS if name in names)
    lists = [each.tolist() if isinstance(each, np.ndarray) else each for each in told]
    found = plain(*lists)
    for each, after in zip(told, lists, strict=True):
        if isinstance(each, np.ndarray):
            each[:] = after
    return found
