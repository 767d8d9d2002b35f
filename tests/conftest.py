"""What all tests share: the clause marker, Hypothesis profiles and boards.

Tests of a game's clauses go to ``tests/<game>``, of the machinery to ``tests/solver``, of the
importer to ``tests/vasl``. ``HYPOTHESIS_PROFILE=ci`` tries more examples, the same each time.
"""

from __future__ import annotations

import math
import os
import signal
import threading
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import settings

from marchtable.board.board import Board, BoardFile
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Iterator

pytest_plugins = ["marchtable.rules.pytest_clauses"]

# What this run was told is not for those that tests begin.
os.environ.pop("PYTEST_ADDOPTS", None)

# Begun in the background, a run is told to ignore Ctrl-C; what is tested of it is to be heard.
if threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _signals_as_they_were() -> Iterator[None]:
    """Put back what a command run in this process does at Ctrl-C: it ends the process, workers too."""
    was = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    yield
    if threading.current_thread() is threading.main_thread():
        for one, handler in was.items():
            if signal.getsignal(one) is not handler:
                signal.signal(one, handler)


BOARDS = Path(__file__).resolve().parents[2] / "shared" / "boards"

settings.register_profile("dev", max_examples=25, deadline=None)
settings.register_profile("ci", max_examples=10, deadline=None, derandomize=True, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if "CI" in os.environ else "dev"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the page's tests first: one worker does them, and no two browsers are in each other's way at the end."""
    items.sort(key=lambda item: "/web/" not in str(item.path))


@cache  # not left to the session fixture: the mutants' loop sets each test up anew
def read_demo_board() -> Board:
    """Return the board that comes with the ASL rulebook, read once."""
    folder = find_rulebook("asl").demo
    assert folder is not None
    return Board.of_file(msgspec.json.decode((folder / "board.json").read_bytes(), type=BoardFile))


@pytest.fixture
def _no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let plans be limited by deterministic time alone, however slow or busy the machine."""
    monkeypatch.setattr("marchtable.planning.loop.patience", lambda _: math.inf)


@pytest.fixture(scope="session")
def demo_board() -> Board:
    """Return the board that comes with the ASL rulebook."""
    return read_demo_board()


@pytest.fixture(scope="session")
def boards() -> Path:
    """Return the folder of real VASL boards, which the project does not contain."""
    if not BOARDS.is_dir():
        pytest.skip(f"needs VASL boards in {BOARDS}")
    return BOARDS
