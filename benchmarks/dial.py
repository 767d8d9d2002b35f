"""The plain C search of `dial.c`, built by the system's C compiler and called by ctypes."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from marchtable.reachability.space import SearchSpace

SOURCE = Path(__file__).with_name("dial.c")
LIBRARY = SOURCE.parent / "build" / "dial.so"
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")


def library() -> Any:
    """Return the C search, or None where there is no C compiler."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        return None
    LIBRARY.parent.mkdir(exist_ok=True)
    subprocess.run([compiler, *FLAGS, str(SOURCE), "-o", str(LIBRARY)], check=True)
    search = ctypes.CDLL(str(LIBRARY)).search
    search.argtypes = [ctypes.c_void_p, ctypes.c_uint32]
    return search


class CSearch:
    """One space in the C search's format, with its work arrays, prepared beforehand."""

    def __init__(self, search: Any, space: SearchSpace) -> None:
        count, none = len(space.target), np.zeros(space.size + 1, np.uint32)
        # one state's arcs after another's, and no end arcs; np.append makes int64 of a Python int
        indptr = np.append(space.first, count).astype(np.uint32)
        assert np.array_equal(indptr[1:], space.last)
        assert np.array_equal(space.middle, space.last)
        buckets = 1 << space.dearest.bit_length()
        self.out = np.empty((3, space.size), np.int32)
        self.arrays = [
            indptr,
            np.stack([space.target, space.cost], axis=1),
            none, none, none, space.limit,
            np.repeat(space.limit + np.int32(1), 2),
            np.zeros(buckets, np.uint32),
            np.empty((space.size + count + 1, 2), np.uint32),
            *self.out,
        ]  # fmt: skip
        self.struct = _struct(self.arrays, (count, 0, buckets - 1))
        self.at, self.search = ctypes.addressof(self.struct), search

    def __call__(self, start: int) -> int:
        """Search from one state at no cost; return the number of states reached."""
        count: int = self.search(self.at, start)
        return count


def _struct(arrays: list[Any], numbers: tuple[int, ...]) -> ctypes.Structure:
    fields: list[Any] = [(f"array{i}", ctypes.c_void_p) for i in range(len(arrays))]
    fields += [(f"number{i}", ctypes.c_uint32) for i in range(len(numbers))]
    kind = type("Struct", (ctypes.Structure,), {"_fields_": fields})
    struct: ctypes.Structure = kind(*(array.ctypes.data for array in arrays), *numbers)
    return struct
