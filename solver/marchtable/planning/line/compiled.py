"""A line's functions as numba compiles them where that pays, in plain Python where it does not."""

from __future__ import annotations

from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from marchtable.budget import look, report_progress
from marchtable.planning.line import sweep

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["FEW", "PARTS", "PREPARING", "WIDEST", "compiled_functions", "run"]

WIDEST = 61
"""Bits that a mask may have for numba."""
FEW = 4000
"""Masks in a table below which plain Python is as quick as loading numba."""
PREPARING = "preparing compiled code (the first time on a machine this takes some seconds)"
PARTS = ("keep_contiguous", "matched", "sweep_forward", "sweep_back", "fitting", "hoped")
"""Functions of the sweep, each after those that it calls."""


class Loaded:
    """Whether numba has been loaded for a large line; then it serves small ones too."""

    yes = False


@cache
def compiled_functions() -> dict[str, Callable[..., Any]] | None:
    """Return the sweep's functions compiled, by name; None where numba cannot be used."""
    try:
        from numba import njit
    except Exception:  # whatever numba may raise, we do without
        return None
    report_progress(PREPARING)
    found: dict[str, Callable[..., Any]] = {}
    for name in PARTS:
        plain = getattr(sweep, name)
        inner = FunctionType(plain.__code__, {**plain.__globals__, **found}, name)
        inner.__module__, inner.__qualname__ = plain.__module__, name
        found[name] = njit(cache=True, nogil=True, boundscheck=False)(inner)
    return found


def run(name: str, bits: int, work: int, *arrays: Any) -> Any:
    """
    Call a function of :data:`PARTS` by name, compiled where that pays.

    Parameters
    ----------
    name
        Which.
    bits
        How many its masks have.
    work
        How large its table is.
    arrays
        Its arguments: arrays, which it fills, named tuples of arrays, and numbers.

    Returns
    -------
    What the function returns: a number, or None.

    Raises
    ------
    OverLimit
        If time is over, or a stop was requested.
    """
    look()
    if bits <= WIDEST and (Loaded.yes or work >= FEW):
        compiled = compiled_functions()
        if compiled is not None:
            Loaded.yes = True
            return compiled[name](*arrays)
    plain = getattr(sweep, name)
    lists = [_listed(each) for each in arrays]
    found = plain(*lists)
    _filled(arrays, lists)
    return found


def _listed(value: Any) -> Any:
    """Return an array as a list, quicker in plain Python, and so those of a tuple."""
    if isinstance(value, tuple):
        return value._make(map(_listed, value))  # type: ignore[attr-defined]
    return value.tolist() if isinstance(value, np.ndarray) else value


def _filled(arrays: Any, lists: Any) -> None:
    """Fill arrays with what has become of their lists."""
    for each, after in zip(arrays, lists, strict=True):
        if isinstance(each, tuple):
            _filled(each, after)
        elif isinstance(each, np.ndarray):
            each[:] = after
