"""
Mutation by clause: switch each clause off and see whether the tests that name it fail.

The tests run in a few pytest processes; each collects once and then takes its share of the clauses
(:mod:`marchtable.rules.pytest_clauses`), whatever markers and workers the project's own pytest
options choose. A clause is killed if a test marked with it passes normally and fails without the
clause.
"""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.errors import BadInputError
from marchtable.rules.ledger import LedgerRow, fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from marchtable.rules.rulebook import Rulebook

__all__ = ["MutationJob", "MutationRow", "mutate"]

POLL = 0.1  # seconds


class MutationRow(LedgerRow, frozen=True):
    """
    The mutation result of one clause: a row for the ledger, and its evidence.

    Parameters
    ----------
    tests
        Node ids of the marked tests that pass normally and so could kill the mutant.
    unfit
        Node ids of the marked tests that normally fail or are skipped.
    """

    tests: tuple[str, ...] = ()
    unfit: tuple[str, ...] = ()

    @property
    def is_killed(self) -> bool:
        """Whether some test failed without the clause."""
        return bool(self.killed_by)


class MutationJob(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One worker's share: clauses of a rulebook, and the file for its result rows."""

    rulebook: str
    clauses: tuple[str, ...]
    answers: str
    exhaustive: bool = False


class _Worker:
    """A pytest process at work on a job, and the rows it has written so far."""

    def __init__(self, job: MutationJob, tests: Sequence[Path], folder: Path) -> None:
        self._answers = Path(job.answers)
        self._answers.touch()
        self._log = folder / f"{self._answers.stem}.log"
        self._read = 0
        self.waiting = len(job.clauses)
        file = self._answers.with_suffix(".job")
        file.write_bytes(msgspec.json.encode(job))
        command = [
            sys.executable, "-m", "pytest", "--quiet", "--tb=short", "-p", "no:cacheprovider",
            "-p", "marchtable.rules.pytest_clauses", "--mutants", str(file), "-m", "",
            *(("-n", "0") if find_spec("xdist") else ()), *map(str, tests),
        ]  # fmt: skip
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(  # noqa: S603 - our own interpreter, no shell
                command, stdout=log, stderr=subprocess.STDOUT
            )

    def news(self) -> list[MutationRow]:
        """Return rows written since the last call; raise BadInputError if there can be no more."""
        ended = self.process.poll() is not None
        with self._answers.open("rb") as file:
            file.seek(self._read)
            lines = [line for line in file if line.endswith(b"\n")]
        self._read += sum(map(len, lines))
        self.waiting -= len(lines)
        if ended and self.waiting:
            tail = self._log.read_text(encoding="utf-8", errors="replace").strip()[-2000:]
            raise BadInputError(f"the tests could not be run without clauses; pytest said:\n{tail}")
        return [msgspec.json.decode(line, type=MutationRow) for line in lines]

    def stop(self) -> None:
        """End the process if it has not ended."""
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait()


def mutate(
    rulebook: Rulebook[Any, Any],
    clauses: Sequence[str] | None = None,
    *,
    tests: Sequence[Path],
    processes: int = 2,
    exhaustive: bool = False,
    report: Callable[[MutationRow], object] | None = None,
) -> list[MutationRow]:
    """
    Run, for each clause, the tests marked with it while it is switched off.

    Parameters
    ----------
    rulebook
        An installed rulebook.
    clauses
        Ids of modelled clauses; by default all.
    tests
        Folders or files of tests marked ``@pytest.mark.clause(ID, ...)``.
    processes
        The number of pytest processes that share the work.
    exhaustive
        Record every test that kills a clause, not only the first in the order of collection.
    report
        Called with each row as soon as it is known.

    Returns
    -------
    list of MutationRow
        One for each clause, in the order given.

    Raises
    ------
    BadInputError
        If a clause does not exist or is not modelled, or the tests cannot be collected.
    """
    names = _names(rulebook, clauses)
    for path in tests:
        if not path.exists():
            raise BadInputError(f"no tests at {path}", field="tests")
    sources = {name: fingerprint(rulebook, rulebook.clause(name)) for name in names}
    rows: dict[str, MutationRow] = {}
    with TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        shares = [names[n::processes] for n in range(processes) if names[n::processes]]
        workers = []
        for number, share in enumerate(shares):
            job = MutationJob(rulebook.name, share, str(folder / f"{number}.rows"), exhaustive)
            workers.append(_Worker(job, [path.resolve() for path in tests], folder))
            stack.callback(workers[-1].stop)
        while len(rows) < len(names):
            for row in [row for worker in workers for row in worker.news()]:
                rows[row.clause] = msgspec.structs.replace(row, source=sources[row.clause])
                if report:
                    report(rows[row.clause])
            time.sleep(POLL)
    return [rows[name] for name in names]


def _names(rulebook: Rulebook[Any, Any], clauses: Sequence[str] | None) -> tuple[str, ...]:
    if clauses is None:
        return tuple(entry.id for entry in rulebook.clauses.values() if entry.modelled)
    for name in clauses:
        if not rulebook.clause(name).modelled:
            raise BadInputError(
                f"{name} is not modelled: there is nothing to switch off", field="clauses"
            )
    return tuple(dict.fromkeys(clauses))
