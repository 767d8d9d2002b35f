"""Modules that need an extra: their tests are skipped, loudly, where it is not installed."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["imported"]


def imported(name: str) -> ModuleType:
    """Return a module of the project; skip the test if it needs what no extra of `dev` brings."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("marchtable"):
            raise
        pytest.skip(f"{name} needs {error.name}, of another extra")
