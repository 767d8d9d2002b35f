"""Mutation by clause, on a small rulebook written for the purpose."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.errors import BadInputError, UnknownNameError
from marchtable.rules import pytest_clauses
from marchtable.rules.mutation import MutationRow, mutate
from tests.slowly import slow_after
from tests.solver.tiny import at, write_project

if TYPE_CHECKING:
    from pathlib import Path


def test_every_modelled_clause_gets_a_row(rows: dict[str, MutationRow]) -> None:
    """There is a row for each clause, in the order of the contents page, except unsupported ones."""
    assert list(rows) == ["T1", "T2", "T3", "T4", "T5"]


def test_first_failing_test_kills(rows: dict[str, MutationRow]) -> None:
    """A clause is killed by the first test that fails, whatever a session fixture cached."""
    assert at("test_step") == rows["T1"].killed_by
    assert at("test_step", "test_total") == rows["T1"].tests


def test_clause_survives_a_test_that_cannot_fail(rows: dict[str, MutationRow]) -> None:
    """A marked test that passes without the clause does not kill it, and is reported."""
    assert (False, at("test_that_cannot_fail")) == (rows["T2"].is_killed, rows["T2"].tests)


def test_denied_reading_is_installed(rows: dict[str, MutationRow]) -> None:
    """A clause that only denies something is killed by a test of the denied fact."""
    assert at("test_total") == rows["T3"].killed_by


def test_tests_that_fail_anyway_do_not_kill(rows: dict[str, MutationRow]) -> None:
    """A test that fails or is skipped with the clause on says nothing about it."""
    assert (rows["T4"].killed_by, rows["T4"].tests) == ((), ())
    assert at("test_that_fails_anyway", "test_that_is_skipped") == rows["T4"].unfit


def test_clause_without_tests_survives(rows: dict[str, MutationRow]) -> None:
    """A clause that no test names survives, with no tests to show."""
    assert (rows["T5"].killed_by, rows["T5"].tests, rows["T5"].unfit) == ((), (), ())


@pytest.mark.slow
def test_exhaustive_names_every_killer(project: Path, tiny: Any) -> None:
    """An exhaustive run of one clause names all tests that kill it, and reports its row."""
    result: list[MutationRow] = []
    found = mutate(
        tiny, ["T1"], tests=[project / "tests"], exhaustive=True, processes=3, report=result.append
    )
    assert at("test_step", "test_total") == found[0].killed_by
    assert found == result


def test_mutate_rejects_what_it_cannot_switch_off(project: Path, tiny: Any) -> None:
    """Unknown and unmodelled clauses, and a folder that does not exist, are rejected."""
    with pytest.raises(UnknownNameError, match="no clause 'T7'"):
        mutate(tiny, ["T7"], tests=[project / "tests"])
    with pytest.raises(BadInputError, match="T6 is not modelled"):
        mutate(tiny, ["T6"], tests=[project / "tests"])
    with pytest.raises(BadInputError, match="no tests at"):
        mutate(tiny, tests=[project / "tests", project / "nowhere"])


@pytest.mark.slow
def test_tests_that_cannot_be_collected_are_reported(tmp_path: Path, tiny: Any) -> None:
    """A test module that fails to import ends the run with pytest's message."""
    write_project(tmp_path, "import nowhere_at_all")
    with pytest.raises(BadInputError, match="nowhere_at_all"):
        mutate(tiny, tests=[tmp_path / "tests"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mark", "message"),
    slow_after(1, [('"T7"', "test_it: unknown clause T7"), ("", "test_it: no clause named")]),
)
def test_unknown_clauses_end_the_collection(tmp_path: Path, mark: str, message: str) -> None:
    """A mark without a clause of an installed rulebook is rejected before any test runs."""
    tests = f"import pytest\n\n@pytest.mark.clause({mark})\ndef test_it(): pass\n"
    write_project(tmp_path, tests)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "marchtable.rules.pytest_clauses",
        "-n",
        "0",
        str(tmp_path),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert message in done.stderr


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs an alarm clock")
def test_patience_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that never ends is interrupted, as often as necessary."""
    monkeypatch.setattr(pytest_clauses, "PATIENCE", 0.02)
    interruptions = 0
    with pytest_clauses.patience():
        while interruptions < 2:
            try:
                signal.pause()
            except TimeoutError:
                interruptions += 1
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
