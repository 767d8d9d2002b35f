"""The ledger: what makes a row stale, and its effect on coverage and the check."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from marchtable.errors import BadInputError
from marchtable.rules.ledger import (
    LedgerRow,
    check_ledger,
    coverage,
    fingerprint,
    missing,
    read_ledger,
    stale,
    write_ledger,
)
from marchtable.rules.mutation import MutationRow
from tests.solver.tiny import TINY, at, load

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
def test_coverage_reads_the_ledger(tiny: Any) -> None:
    """Killed clauses are enforced, survivors partial, unmodelled ones unsupported."""
    statuses = {row["clause"]: row["status"] for row in coverage(tiny)}
    assert statuses == {
        "T1": "enforced", "T2": "partial", "T3": "enforced", "T4": "partial", "T5": "partial",
        "T6": "unsupported",
    }  # fmt: skip
    assert {
        "clause": "T1", "title": "A step costs points", "kind": "cost", "status": "enforced",
        "tests": list(at("test_step")),
    } == coverage(tiny)[0]  # fmt: skip


def test_nothing_is_covered_without_a_ledger(
    tiny: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a ledger every modelled clause reads partial and is a problem."""
    monkeypatch.setattr(type(tiny), "ledger", tmp_path / "none.json")
    assert {"partial", "unsupported"} == {row["status"] for row in coverage(tiny)}
    assert len(check_ledger(tiny)) == 5


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ('sheet.charge(price("T1"), "step")', 'sheet.charge(price("T1"), "pace")', ["T1"]),
        ("A step costs points", "A step costs a point", ["T1"]),
        ('return Tiny.figures[name]["points"]', 'return Tiny.figures[name]["points"] + 0', ["T1"]),
        ('"T1": {"points": 2}', '"T1": {"points": 3}', ["T1"]),
        ('sheet.charge(7, "turning")', 'sheet.charge(8, "turning")', ["T3"]),
        ('{"title": "deep"}', '{"title": "shallow"}', ["T4"]),
        ('"T9": {"points": 9}', '"T9": {"points": 8}', []),
        ("return 1", "return 2", []),
        ('"Return what"', '"Return how much"', []),
    ],
    ids=[
        "body",
        "title",
        "helper",
        "figure",
        "denied",
        "row",
        "other-figure",
        "other-function",
        "docstring",
    ],
)
def test_changed_clause_is_stale(
    tiny: Any, tmp_path: Path, old: str, new: str, changed: list[str]
) -> None:
    """A change in what a clause is made of makes its row stale, and nothing else does."""
    file = tmp_path / "tiny.py"
    assert TINY.count(old) == 1
    file.write_text(TINY.replace(old, new))
    later = load(file)
    type(later).ledger = tiny.ledger
    assert changed == stale(later)
    assert [f"{name}: it has changed since its mutant ran" for name in changed] == check_ledger(
        later
    )
    enforced = {row["clause"] for row in coverage(later) if row["status"] == "enforced"}
    assert {"T1", "T3"} - set(changed) == enforced


def test_check_names_clauses_and_tests_that_are_gone(
    tiny: Any, project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The check requires the killing tests to exist and the ledger's clauses to be in the rulebook."""
    assert check_ledger(tiny, project) == []
    assert [
        f"T1: there is no test {at('test_step')[0]}",
        f"T3: there is no test {at('test_total')[0]}",
    ] == (check_ledger(tiny, tmp_path))
    foreign = tmp_path / "ledger.json"
    foreign.write_bytes(tiny.ledger.read_bytes().replace(b'"T5"', b'"T6"'))
    monkeypatch.setattr(type(tiny), "ledger", foreign)
    assert check_ledger(tiny) == [
        "T5: its mutant has never run",
        "T6: the rulebook models no such clause",
    ]


def test_writing_some_rows_keeps_the_others(
    tiny: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Writing one clause's row replaces only that row, in the contents page's order."""
    ledger = tmp_path / "ledger.json"
    ledger.write_bytes(tiny.ledger.read_bytes())
    monkeypatch.setattr(type(tiny), "ledger", ledger)
    before = read_ledger(tiny)
    write_ledger(tiny, [MutationRow("T2", ("tests/x.py::test_new",), "abc", tests=("t",))])
    after = read_ledger(tiny)
    assert before | {"T2": LedgerRow("T2", ("tests/x.py::test_new",), "abc")} == after
    assert list(before) == list(after)


@pytest.mark.parametrize(
    ("text", "message"),
    [("[]", "no ledger"), ('{"rulebook": "asl", "rows": []}', "the ledger of 'asl'")],
)
def test_bad_ledgers_are_rejected(
    tiny: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    """A file of another format or of another rulebook is no ledger."""
    (tmp_path / "ledger.json").write_text(text)
    monkeypatch.setattr(type(tiny), "ledger", tmp_path / "ledger.json")
    with pytest.raises(BadInputError, match=message):
        read_ledger(tiny)


def test_missing_lists_what_is_not_declared(tiny: Any, tmp_path: Path) -> None:
    """Listed clauses that the registry lacks are missing; nonexistent lists are skipped."""
    clauses = tmp_path / "clauses.tsv"
    clauses.write_text("clause\tkind\tdemand\nT1\tcost\tpoints\nT8\taction\tno\nT7\tcost\tyes\n")
    assert missing(tiny, [clauses, tmp_path / "none.tsv"]) == ["T8", "T7"]
    clauses.write_text("id\tkind\n")
    with pytest.raises(BadInputError, match="expected the columns"):
        missing(tiny, [clauses])


def test_fingerprints_are_the_same_everywhere(tiny: Any, tmp_path: Path) -> None:
    """A fingerprint depends neither on the process's hash seed nor on where the source lies."""
    (tmp_path / "tiny.py").write_text(TINY)
    here = {name: fingerprint(tiny, entry) for name, entry in tiny.clauses.items()}
    program = (
        "import msgspec; from tiny import RULEBOOK as r; from marchtable.rules.ledger import fingerprint;"
        "print(msgspec.json.encode({n: fingerprint(r, c) for n, c in r.clauses.items()}).decode())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        check=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONHASHSEED": "7"},
    )
    assert here == msgspec.json.decode(done.stdout)
