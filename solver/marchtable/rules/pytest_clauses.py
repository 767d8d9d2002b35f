"""
A pytest plugin: the marker ``clause``, and the loop that runs the mutants.

``@pytest.mark.clause("D2.12", ...)`` states that the test fails when one of these clauses is
switched off; an id that no installed rulebook declares ends the run. With ``--mutants`` (passed by
:func:`marchtable.rules.mutation.mutate`) the marked tests run once for each clause without it.
"""

from __future__ import annotations

import signal
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from marchtable.rules.clause import without
from marchtable.rules.mutation import MutationJob, MutationRow
from marchtable.rules.rulebook import find_rulebook, rulebook_names

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MutantLoop", "clauses_of", "patience"]

PATIENCE = 60.0  # seconds before a test counts as caught in a loop by its mutant


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option through which ``mutate`` passes a worker its job."""
    parser.getgroup("marchtable").addoption(
        "--mutants", metavar="FILE", help="run the marked tests without each clause that FILE names"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker and, if requested, the loop."""
    config.addinivalue_line(
        "markers", "clause(*ids): the clauses the test guards; without any of them it must fail"
    )
    if path := config.getoption("mutants"):
        job = msgspec.json.decode(Path(path).read_bytes(), type=MutationJob)
        config.pluginmanager.register(MutantLoop(job))
        _hurry_hypothesis()


def _hurry_hypothesis() -> None:
    """Use the same examples each time, and do not shrink failures."""
    with suppress(ImportError):
        from hypothesis import Phase, settings

        settings.register_profile(
            "mutants",
            derandomize=True,
            database=None,
            deadline=None,
            phases=(Phase.explicit, Phase.generate),
        )
        settings.load_profile("mutants")


def clauses_of(item: pytest.Item) -> tuple[str, ...]:
    """Return the clauses with which a test is marked."""
    return tuple(name for mark in item.iter_markers("clause") for name in mark.args)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Reject marks that name no clause."""
    marked = [item for item in items if item.get_closest_marker("clause")]
    if not marked:
        return
    known = {clause for name in rulebook_names() for clause in find_rulebook(name).clauses}
    faults = []
    for item in marked:
        names = clauses_of(item)
        unknown = [str(name) for name in names if name not in known]
        if unknown or not names:
            what = f"unknown clause {', '.join(unknown)}" if unknown else "no clause named"
            faults.append(f"{item.nodeid}: {what}")
    if faults:
        rulebooks = ", ".join(rulebook_names())
        raise pytest.UsageError(f"marks that match no rulebook ({rulebooks}):", *faults)


class MutantLoop:
    """
    Runs the marked tests without each clause of a job, instead of the usual loop.

    Every test runs on its own, session fixtures included, because a fixture's result under another
    mutant must not be reused.
    """

    def __init__(self, job: MutationJob) -> None:
        self._job = job
        self._rulebook = find_rulebook(job.rulebook)
        self._fit: dict[str, bool] = {}
        self._reports: list[pytest.TestReport] = []

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the tests that name a clause of the job."""
        wanted = set(self._job.clauses)
        items[:] = [item for item in items if wanted.intersection(clauses_of(item))]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record the results of the running test."""
        self._reports.append(report)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Write a result row for each clause as soon as it is known."""
        if session.testsfailed:
            raise session.Interrupted(f"{session.testsfailed} errors during collection")
        with Path(self._job.answers).open("ab") as answers:
            for name in self._job.clauses:
                marked = [item for item in session.items if name in clauses_of(item)]
                answers.write(msgspec.json.encode(self._row(name, marked)) + b"\n")
                answers.flush()
        return True

    def _row(self, name: str, marked: list[pytest.Item]) -> MutationRow:
        tests = [item for item in marked if self._is_fit(item)]
        killers: list[str] = []
        with without(self._rulebook.clause(name).id):
            for item in tests:
                if self._fails(item):
                    killers.append(item.nodeid)
                    if not self._job.exhaustive:
                        break
        unfit = tuple(item.nodeid for item in marked if not self._is_fit(item))
        return MutationRow(
            name, tuple(killers), tests=tuple(item.nodeid for item in tests), unfit=unfit
        )

    def _is_fit(self, item: pytest.Item) -> bool:
        """Return whether a test passes normally."""
        if item.nodeid not in self._fit:
            failed = self._fails(item)
            called = any(r.when == "call" and r.outcome == "passed" for r in self._reports)
            self._fit[item.nodeid] = called and not failed
        return self._fit[item.nodeid]

    def _fails(self, item: pytest.Item) -> bool:
        self._reports.clear()
        with patience():
            item.ihook.pytest_runtest_protocol(item=item, nextitem=None)
        return any(report.failed for report in self._reports)


@contextmanager
def patience() -> Iterator[None]:
    """Interrupt a test that a mutant keeps in a loop, if the system has such an alarm."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def interrupt(_number: int, _frame: object) -> None:
        raise TimeoutError(f"the test took more than {PATIENCE:g} s")

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE, PATIENCE)  # again, in case the test continues
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
