"""A line's functions as numba compiles them where that pays, in plain Python where it does not."""

from __future__ import annotations

from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from marchtable.budget import look
from marchtable.planning.line import pairs, sweep

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["FEW", "WIDEST", "run"]

WIDEST = 61
"""Bits that a mask may have for numba."""
FEW = 4000
"""Masks in a table below which plain Python is as quick as loading numba."""
PARTS = (
    (sweep, ("settled", "matched", "spread", "traced", "fitting", "hoped")),
    (pairs, ("apart", "chained", "numbered", "paired", "traced_pairs", "payable", "shown",
             "standing", "around", "ended")),
)  # each after those that it calls # fmt: skip


class Loaded:
    """Whether numba has been loaded for a large line; then it serves small ones too."""

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


def run(name: str, bits: int, work: int, *told: Any) -> Any:
    """
    Call a function by name, filling the arrays told.

    Parameters
    ----------
    bits
        How many its masks have.
    work
        How large its table is.

    Raises
    ------
    OverLimit
        If time is over, or a stop was requested.
    """
    look()
    if bits <= WIDEST and (Loaded.yes or work >= FEW):
        compiled = _compiled()
        if compiled is not None:
            Loaded.yes = True
            return compiled[name](*told)
    plain = next(getattr(module, name) for module, names in PARTS if name in names)
    lists = [_listed(each) for each in told]
    found = plain(*lists)
    _filled(told, lists)
    return found


def _listed(told: Any) -> Any:
    """Return an array as a list, quicker in plain Python, and so those of a tuple."""
    if isinstance(told, tuple):
        return told._make(map(_listed, told))  # type: ignore[attr-defined]
    return told.tolist() if isinstance(told, np.ndarray) else told


def _filled(told: Any, lists: Any) -> None:
    """Fill arrays with what has become of their lists."""
    for each, after in zip(told, lists, strict=True):
        if isinstance(each, tuple):
            _filled(each, after)
        elif isinstance(each, np.ndarray):
            each[:] = after
