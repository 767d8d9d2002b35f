"""Transporting Personnel as a whole: its registry, what is offered, and what always holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.asl.boards import ASL

LIST = Path(__file__).resolve().parents[3] / "shared" / "clauses" / "asl-d6.tsv"
OPEN = {"D6.5l", "D6.5o"}
"""Clauses of vehicles in Bypass, which a vehicle cannot enter here."""


def test_every_clause_of_the_chapter_is_declared() -> None:
    """The registry holds every clause of the list, and models all but those told above."""
    if not LIST.is_file():
        pytest.skip(f"needs the list of clauses in {LIST.name}")
    rows = [line.split("\t") for line in LIST.read_text(encoding="utf-8").splitlines()[1:]]
    declared = ASL.clauses
    names = {name: kind for name, kind, _ in rows}
    assert {name for name in names if name not in declared} == OPEN
    assert {name for name in names if name in declared and not declared[name].modelled} == set()
    assert {n: k for n, k in names.items() if n not in OPEN} == {
        n: declared[n].kind for n in names if n not in OPEN
    }
