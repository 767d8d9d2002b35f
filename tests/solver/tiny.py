"""A small rulebook with its tests, good and bad ones, as a project of its own."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["TINY", "at", "load", "write_project"]

TINY = """
from pathlib import Path
from typing import NamedTuple

from marchtable.rules.clause import Clause, clause, unsupported
from marchtable.rules.rulebook import Rulebook

class Step(NamedTuple):
    mud: bool = False

def price(name):
    "Return what"
    return Tiny.figures[name]["points"]

def unrelated():
    return 1

@clause("T1", "A step costs points", kind="cost")
def step(facts, sheet):
    sheet.charge(price("T1"), "step")

@clause("T2", "Mud costs more", kind="cost")
def mud(facts, sheet):
    if facts.mud:
        sheet.charge(1, "mud")

def dearer(facts, sheet):
    sheet.charge(7, "turning")

@clause("T3", "Turning costs nothing", kind="cost", denied=dearer)
def turning(facts, sheet):
    pass

def row_clause(row):
    def bar(facts, sheet):
        if facts.mud:
            sheet.bar(row["title"])
    return Clause("T4", "A row of data", kind="action", function=bar)

@clause("T5", "No test names it", kind="cost")
def unnamed(facts, sheet):
    pass

CLAUSES = (
    step, mud, turning, row_clause({"title": "deep"}), unnamed,
    unsupported("T6", "Weather", lambda facts: False),
)

class Tiny(Rulebook):
    name = "tiny"
    version = "1"
    contents = {Step: CLAUSES}
    figures = {"T1": {"points": 2}, "T9": {"points": 9}}
    ledger = Path(__file__).parent / "ledger.json"

RULEBOOK = Tiny()
"""

MARKED = """
from types import SimpleNamespace

import pytest
from tiny import RULEBOOK, Step

def judge(**facts):
    return RULEBOOK.edition(SimpleNamespace(readings=())).judge(Step(**facts))

@pytest.fixture(scope="session")
def plain():
    return judge()

@pytest.mark.clause("T1")
def test_step(plain):
    assert 2 == plain.total

@pytest.mark.slow
@pytest.mark.clause("T1", "T3")
def test_total():
    assert 2 == judge().total

@pytest.mark.clause("T2")
def test_that_cannot_fail():
    assert judge(mud=True).total >= 0

@pytest.mark.clause("T4")
def test_that_fails_anyway():
    assert not judge(mud=True).bars

@pytest.mark.clause("T4")
@pytest.mark.skip
def test_that_is_skipped():
    pass

def test_unmarked():
    raise AssertionError
"""

CONFIG = """
[tool.pytest.ini_options]
pythonpath = ["."]
addopts = ["--strict-markers", "-n", "auto", "-m", "not slow"]
markers = ["slow"]
"""


def write_project(folder: Path, tests: str = MARKED) -> Path:
    """Lay out a project with the rulebook, as if installed, and its tests."""
    info = folder / "tiny-1.0.dist-info"
    info.mkdir()
    (folder / "tests").mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[marchtable.rulebooks]\ntiny = tiny:RULEBOOK\n")
    (folder / "tiny.py").write_text(TINY)
    (folder / "pyproject.toml").write_text(CONFIG)
    (folder / "tests" / "test_tiny.py").write_text(tests)
    return folder


def load(file: Path) -> Any:
    """Return a file's rulebook, without leaving it importable."""
    spec = importlib.util.spec_from_file_location("tiny", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.RULEBOOK


def at(*names: str) -> tuple[str, ...]:
    """Return node ids of the tiny project's tests."""
    return tuple(f"tests/test_tiny.py::{name}" for name in names)
