"""Modules that need an extra: skipped where it is not installed."""

from __future__ import annotations

import importlib
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import ModuleType

__all__ = ["all_imported", "imported"]


def imported(name: str) -> ModuleType:
    """Return a module of the project; skip the test if it needs something no extra of `dev` has."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("marchtable"):
            raise
        pytest.skip(f"{name} needs {error.name}, of another extra")


def all_imported(names: Iterable[str]) -> Iterator[tuple[str, ModuleType]]:
    """Yield each of these modules with its name, except those that need something no extra of `dev` has."""
    for name in names:
        with suppress(pytest.skip.Exception):
            yield name, imported(name)
