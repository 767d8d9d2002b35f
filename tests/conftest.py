"""Shared fixtures: the clause marker, Hypothesis profiles and boards.

Tests of a game's clauses go to ``tests/<game>``, of the solver to ``tests/solver``, of the importer
to ``tests/vasl``.

``pytest`` runs the fast tests on all cores. With a file or a test named it uses one process, and a
test named by its id runs even if slow. Hypothesis tries the same few examples each time, and many
others with ``HYPOTHESIS_PROFILE=many``. ``--piece 2/5`` runs the second of five shares of the
tests.
"""

from __future__ import annotations

import importlib
import math
import os
import re
import signal
import sys
import threading
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

# Compiled modules are cached, whatever the environment says: hundreds of processes would compile
# them anew.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

import msgspec
import pytest
from hypothesis import settings

from marchtable.board.board import Board, BoardFile
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Iterator

pytest_plugins = ["marchtable.rules.pytest_clauses"]

# Options of this run do not apply to runs started by tests.
os.environ.pop("PYTEST_ADDOPTS", None)

# A background run ignores Ctrl-C; the tests of Ctrl-C need it.
if threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _signals_as_they_were() -> Iterator[None]:
    """Restore what a command in this process changes at Ctrl-C: it ends the process and its workers."""
    was = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    yield
    if threading.current_thread() is threading.main_thread():
        for one, handler in was.items():
            if signal.getsignal(one) is not handler:
                signal.signal(one, handler)


BOARDS = Path(__file__).resolve().parents[2] / "shared" / "boards"

settings.register_profile("same", max_examples=10, deadline=None, derandomize=True)
settings.register_profile("many", max_examples=50, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that splits a run."""
    parser.addoption("--piece", metavar="K/N", help="run each N-th of the tests, from the K-th on")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Use no workers for named files or tests: starting them takes longer than running the tests."""
    named = all(Path(arg.partition("::")[0]).is_file() for arg in config.args)
    return 0 if named and config.args else None


def pytest_configure(config: pytest.Config) -> None:
    """Reject an invalid piece; run a test named by its id even if slow."""
    piece = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", config.getoption("piece") or "1/1")
    if piece is None or int(piece[1]) > int(piece[2]):
        raise pytest.UsageError(f"--piece {config.getoption('piece')}: expected K/N, as 2/5")
    if config.args and all("::" in arg for arg in config.args):
        config.option.markexpr = config.option.markexpr.replace("not slow", "")


def pytest_collection(session: pytest.Session) -> None:
    """Have each worker import its share of the test files first: pytest then rewrites each file once."""
    given = getattr(session.config, "workerinput", None)
    if given is None:
        return
    root = session.config.rootpath
    files = sorted(
        {file for arg in session.config.args for file in (root / arg).rglob("test_*.py")}
    )
    first = int(given["workerid"].removeprefix("gw")) % given["workercount"]
    for file in files[first :: given["workercount"]]:
        with suppress(Exception, pytest.skip.Exception):  # the collection reports the error
            importlib.import_module(".".join(file.relative_to(root).with_suffix("").parts))


@pytest.hookimpl(trylast=True)  # when the slow ones, or the fast, are deselected
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the page's tests first (one worker runs them), and keep the requested piece."""
    items.sort(key=lambda item: "/web/" not in str(item.path))
    if piece := config.getoption("piece"):
        number, count = map(int, piece.split("/"))
        chosen = items[number - 1 :: count]
        others = [item for at, item in enumerate(items) if at % count != number - 1]
        config.hook.pytest_deselected(items=others)
        items[:] = chosen


def pytest_report_teststatus(report: Any) -> tuple[str, str, str] | None:
    """Report a test as soon as it fails, not only after all have run."""
    if not report.failed:
        return None
    crash = getattr(report.longrepr, "reprcrash", None)
    said = (crash.message if crash else report.longreprtext).partition("\n")[0]
    category, word = ("failed", "FAILED") if report.when == "call" else ("error", "ERROR")
    return category, f"\n{word} {report.nodeid} - {said[:300]}\n", word


@cache  # not left to the session fixture: the mutants' loop sets each test up anew
def read_demo_board() -> Board:
    """Return the board that comes with the ASL rulebook, read once."""
    folder = find_rulebook("asl").demo
    assert folder is not None
    return Board.from_file(
        msgspec.json.decode((folder / "board.json").read_bytes(), type=BoardFile)
    )


@pytest.fixture
def _no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit plans only by deterministic time, however slow or busy the machine."""
    monkeypatch.setattr("marchtable.planning.loop.patience", lambda _: math.inf)


@pytest.fixture(scope="session")
def demo_board() -> Board:
    """Return the board that comes with the ASL rulebook."""
    return read_demo_board()


@pytest.fixture(scope="session")
def boards() -> Path:
    """Return the folder of real VASL boards, which is not part of the project."""
    if not BOARDS.is_dir():
        pytest.skip(f"needs VASL boards in {BOARDS}")
    return BOARDS
