"""A line's functions, compiled by numba where that pays, in plain Python otherwise."""

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
"""Maximum width of a mask for numba, in bits."""
FEW = 4000
"""Number of masks in a table up to which plain Python is as fast as loading numba."""
PREPARING = "preparing compiled code (the first time on a machine this takes some seconds)"
PARTS = (
    *("list_live", "keep_behind", "keep_ahead", "keep_common", "keep_contiguous"),
    *("matched", "sweep_forward", "sweep_back", "fitting", "hoped"),
)
"""Functions of the sweep, each after those that it calls."""


class Loaded:
    """Whether numba has been loaded for a large line; small ones then use it too."""

    yes = False


@cache
def compiled_functions() -> dict[str, Callable[..., Any]] | None:
    """Return the sweep's compiled functions by name, or None if numba cannot be used."""
    try:
        from numba import njit
    except Exception:  # run without numba, whatever it raises
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
        The function.
    bits
        The width of its masks.
    work
        The size of its table.
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
    """Return an array as a list, which is faster in plain Python; likewise inside tuples."""
    if isinstance(value, tuple):
        return value._make(map(_listed, value))  # type: ignore[attr-defined]
    return value.tolist() if isinstance(value, np.ndarray) else value


def _filled(arrays: Any, lists: Any) -> None:
    """Copy lists back to their arrays."""
    for each, after in zip(arrays, lists, strict=True):
        if isinstance(each, tuple):
            _filled(each, after)
        elif isinstance(each, np.ndarray):
            each[:] = after
