"""Temporary files of worker processes; those left by killed servers are removed."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

__all__ = ["PREFIX", "clear", "folder_of", "new_scratch"]

PREFIX = "marchtable-serve-"


def new_scratch() -> Path:
    """Return a new folder for this process; remove those of processes that no longer exist."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        pid = path.name.removeprefix(PREFIX).partition("-")[0]
        if pid.isdigit() and not _is_there(int(pid)):
            clear(path)
    return Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))


def folder_of(scratch: Path, pid: int) -> Path:
    """Return the folder of a worker process."""
    return scratch / str(pid)


def clear(path: Path) -> None:
    """Remove a folder, if it is one of ours."""
    shutil.rmtree(path, ignore_errors=True)


def _is_there(pid: int) -> bool:
    """Return whether a process exists."""
    if os.name == "nt":  # os.kill would end it
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
