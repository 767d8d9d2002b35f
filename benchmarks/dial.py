"""The plain C search of `dial.c`, built by the system's C compiler and called by ctypes."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from marchtable.kernel import Workspace

if TYPE_CHECKING:
    from marchtable.space import Space

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
    search.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32]
    return search


class CSearch:
    """One space and its workspace as the C search wants them: pointers set up beforehand."""

    def __init__(self, search: Any, space: Space) -> None:
        self.work = Workspace(space, compiled=True)
        space_arrays = [*space.arrays, space.limit]
        numbers = (len(space.target), len(space.end_target))
        self.keep = (space_arrays, space)
        self.space_struct = _struct(space_arrays, numbers)
        self.work_struct = _struct(self.work.parts, (len(self.work.parts[1]) - 1,))
        self.space_at = ctypes.addressof(self.space_struct)
        self.work_at = ctypes.addressof(self.work_struct)
        self.search = search

    def __call__(self, start: int) -> int:
        """Search from one state at no cost; return how many states were reached."""
        count: int = self.search(self.space_at, self.work_at, start)
        return count


def _struct(arrays: list[Any], numbers: tuple[int, ...]) -> ctypes.Structure:
    fields: list[Any] = [(f"array{i}", ctypes.c_void_p) for i in range(len(arrays))]
    fields += [(f"number{i}", ctypes.c_uint32) for i in range(len(numbers))]
    kind = type("Struct", (ctypes.Structure,), {"_fields_": fields})
    struct: ctypes.Structure = kind(*(array.ctypes.data for array in arrays), *numbers)
    return struct
