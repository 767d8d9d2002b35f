"""Shared fixtures of the importer's tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from marchtable.vasl import import_board

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from marchtable.board.board import Board
    from tests.vasl.forge import Forge

    Read = Callable[[Forge], Board]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Write a board and import it again."""
    return lambda forge: import_board(forge.write(tmp_path / "bd07"))
