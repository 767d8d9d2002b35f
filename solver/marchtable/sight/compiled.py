"""The :mod:`~marchtable.sight.kernel`, compiled by numba and cached on disk if possible."""

from __future__ import annotations

import os
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType
from typing import Any

from marchtable.sight import facts, field
from marchtable.sight.kernel import (
    case,
    columns,
    counters,
    depressions,
    hexsides,
    hexspines,
    lines,
    obstacles,
    thread,
    whole,
)

__all__ = ["compiled", "is_kept"]

MODULES = (case, counters, depressions, hexsides, hexspines, lines, obstacles, thread, whole)
_MADE: dict[str, Any] = {}


def _digest() -> str:
    """Return a digest of the sources: numba checks only the called file, not its callees."""
    sources = (*MODULES, columns, facts, field)
    return sha256(b"".join(Path(str(one.__file__)).read_bytes() for one in sources)).hexdigest()[:8]


def compiled() -> Any:
    """
    Return the compiled :func:`~marchtable.sight.kernel.thread.many`, or the plain one.

    The functions that it calls are compiled with it.
    """
    if find_spec("numba") is None:
        return thread.many
    if not _MADE:
        digest, made = _digest(), dict[Any, Any]()
        spaces = [dict(vars(module)) for module in MODULES]
        for module, space in zip(MODULES, spaces, strict=True):
            for name, function in vars(module).items():
                if isinstance(function, FunctionType) and function.__module__ == module.__name__:
                    copy = FunctionType(function.__code__, space, name)
                    copy.__qualname__ = f"{name}_{digest}"
                    made[function] = _jit(copy) if function is thread.many else _inner(copy)
        for space in spaces:
            space.update({
                name: made[it] for name, it in space.items() if isinstance(it, FunctionType) and it in made
            })  # fmt: skip
        _MADE["many"] = made[thread.many]
    return _MADE["many"]


def _inner(function: Any) -> Any:
    """Compile a function that only compiled functions call, without a Python wrapper."""
    from numba import njit

    bare: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return njit(nogil=True, **bare)(function)


def _jit(function: Any) -> Any:
    from numba import njit

    try:
        return njit(cache=True, nogil=True)(function)
    except RuntimeError:
        return njit(nogil=True)(function)


def is_kept() -> bool:
    """Return whether numba has cached compiled code of these sources."""
    folder = os.environ.get("NUMBA_CACHE_DIR") or Path(thread.__file__).with_name("__pycache__")
    return any(Path(folder).rglob(f"thread.many_{_digest()}-*.nbi"))
