"""Where worker processes put files for a moment; what servers that were killed left there is cleared."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

__all__ = ["PREFIX", "clear", "folder_of", "new_scratch"]

PREFIX = "marchtable-serve-"


def new_scratch() -> Path:
    """Return a new folder for this process; those of processes that are no more are taken away."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        pid = path.name.removeprefix(PREFIX).partition("-")[0]
        if pid.isdigit() and not _is_there(int(pid)):
            clear(path)
    return Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))


def folder_of(scratch: Path, pid: int) -> Path:
    """Return the folder of a worker process."""
    return scratch / str(pid)


def clear(path: Path) -> None:
    """Take a folder away, if it is one of ours."""
    shutil.rmtree(path, ignore_errors=True)


def _is_there(pid: int) -> bool:
    """Return whether there is such a process."""
    if os.name == "nt":  # to ask would end it
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
