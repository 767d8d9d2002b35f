"""The tiny project of ``tiny.py``, with its mutants run once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from marchtable.rules.ledger import write_ledger
from marchtable.rules.mutation import MutationRow, mutate
from tests.solver.tiny import load, write_project

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the root of the tiny project."""
    return write_project(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="session")
def rows(project: Path) -> dict[str, MutationRow]:
    """Run every clause's mutant once, and write the ledger from it."""
    tiny = load(project / "tiny.py")
    found = mutate(tiny, tests=[project / "tests"])
    write_ledger(tiny, found)
    return {row.clause: row for row in found}


@pytest.fixture
def tiny(project: Path, rows: dict[str, MutationRow]) -> Any:
    """Return the tiny rulebook, its ledger written."""
    return load(project / "tiny.py")
