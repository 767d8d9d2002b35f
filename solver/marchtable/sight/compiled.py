"""The functions of :mod:`~marchtable.sight.thread`, compiled: its source is loaded a second time."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

from marchtable.sight import thread

__all__ = ["many"]


def _load() -> Any:
    name = thread.__name__ + thread.COMPILED
    if name not in sys.modules:
        spec = spec_from_file_location(name, thread.__file__)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        sys.modules[name] = module  # numba looks it up by its name
        spec.loader.exec_module(module)
    return sys.modules[name]


many = _load().many
