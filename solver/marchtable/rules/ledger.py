"""
The ledger: the test that kills each clause's mutant, and so what ``--coverage`` can claim.

A row is valid while the clause is unchanged since the mutants ran. Its fingerprint covers the
function, the rulebook's helpers that it calls (without docstrings), its subject's own facts that it
reads, the data it closes over and the figures it names. No status is written by hand.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import textwrap
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from marchtable.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from types import CodeType, FunctionType

    from marchtable.rules.clause import Clause
    from marchtable.rules.rulebook import Rulebook

__all__ = [
    "LedgerRow", "Sources", "Status", "check_ledger", "coverage", "fingerprint", "guards", "missing",
    "read_ledger", "sources", "stale", "write_ledger",
]  # fmt: skip

Status = Literal["enforced", "partial", "unsupported"]


class LedgerRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    The mutation result of one clause.

    Parameters
    ----------
    clause
        Its id.
    killed_by
        Node ids of tests that fail when it is switched off; empty if it survives.
    source
        Its fingerprint at the time.
    """

    clause: str
    killed_by: tuple[str, ...] = ()
    source: str = ""


class _Ledger(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rulebook: str
    rows: tuple[LedgerRow, ...]


class Sources:
    """The sources of a function, down to the edge of the rulebook's own package, and strings in them."""

    def __init__(self, package: str, facts: Mapping[str, Callable[..., Any]]) -> None:
        self.package, self.facts = package, facts
        self.parts: list[str] = []
        self.strings: set[str] = set()
        self._seen: set[FunctionType] = set()

    def read(self, value: Any) -> None:
        """Record a function's source and what it uses, or plain data as JSON."""
        function = inspect.unwrap(value) if callable(value) else value
        if not inspect.isfunction(function):
            with suppress(TypeError):
                self.parts.append(msgspec.json.encode(value, order="deterministic").decode())
        elif (
            f"{function.__module__}.".startswith(f"{self.package}.") and function not in self._seen
        ):
            self._seen.add(function)
            self.parts.append(_source(function))
            for cell in function.__closure__ or ():
                self.read(cell.cell_contents)
            for code in _codes(function.__code__):
                self.strings.update(c for c in code.co_consts if isinstance(c, str))
                for name in code.co_names:
                    if name in function.__globals__:
                        self.read(function.__globals__[name])
                    if name in self.facts:
                        self.read(self.facts[name])


def _source(function: FunctionType) -> str:
    """Return a function's source without its docstring."""
    source = inspect.getsource(function)
    if function.__doc__ is None:
        return source
    definition = ast.parse(textwrap.dedent(source)).body[0]
    assert isinstance(definition, ast.FunctionDef)
    text, lines = definition.body[0], source.splitlines(keepends=True)
    return "".join((*lines[: text.lineno - 1], *lines[text.end_lineno :]))


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if inspect.iscode(constant):
            yield from _codes(constant)


def sources(rulebook: Rulebook[Any, Any], entry: Clause) -> Sources | None:
    """Return the sources of a clause; None if they cannot be read."""
    module = type(rulebook).__module__
    own = {name: what for view in entry.views for name, what in view.own_functions().items()}
    reader = Sources(module.rpartition(".")[0] or module, own)
    try:
        reader.read(entry.function)
        if "is_relevant" in own:
            reader.read(own["is_relevant"])
        if entry.denied is not None:
            reader.read(entry.denied)
    except OSError:  # installed without them
        return None
    return reader


def fingerprint(rulebook: Rulebook[Any, Any], entry: Clause) -> str:
    """Return a hash of a clause's sources; ``""`` if they cannot be read."""
    reader = sources(rulebook, entry)
    if reader is None:
        return ""
    figures = [(k, v) for k, v in sorted(rulebook.figures.items()) if k in reader.strings]
    readings = [reading for reading in rulebook.register if reading.id in reader.strings]
    basis = [entry.id, entry.title, entry.kind, reader.parts, figures, readings]
    return hashlib.sha256(msgspec.json.encode(basis, order="deterministic")).hexdigest()[:16]


def read_ledger(rulebook: Rulebook[Any, Any]) -> dict[str, LedgerRow]:
    """Return the rows by clause; raise BadInputError if the file is no ledger of this rulebook."""
    path = rulebook.ledger
    if path is None or not path.exists():
        return {}
    try:
        ledger = msgspec.json.decode(path.read_bytes(), type=_Ledger)
    except msgspec.DecodeError as error:
        raise BadInputError(f"no ledger: {error}", source=str(path)) from None
    if ledger.rulebook != rulebook.name:
        raise BadInputError(
            f"the ledger of {ledger.rulebook!r}, expected {rulebook.name!r}",
            source=str(path),
            field="rulebook",
        )
    return {row.clause: row for row in ledger.rows}


def write_ledger(rulebook: Rulebook[Any, Any], rows: Iterable[LedgerRow]) -> Path:
    """
    Write rows to the rulebook's ledger; keep the rows of other clauses that still exist.

    Parameters
    ----------
    rulebook
        The rulebook.
    rows
        Mutation results, from :func:`marchtable.rules.mutation.mutate`.

    Returns
    -------
    Path
        The file written.

    Raises
    ------
    BadInputError
        If the rulebook names no ledger.
    """
    path = rulebook.ledger
    if path is None:
        raise BadInputError(f"rulebook {rulebook.name} names no ledger", field="ledger")
    known = read_ledger(rulebook) | {
        row.clause: LedgerRow(row.clause, row.killed_by, row.source) for row in rows
    }
    kept = tuple(known[name] for name in rulebook.clauses if name in known)
    text = msgspec.json.format(msgspec.json.encode(_Ledger(rulebook.name, kept)), indent=1)
    path.write_bytes(text + b"\n")
    return path


def _is_fresh(rulebook: Rulebook[Any, Any], row: LedgerRow) -> bool:
    return row.source != "" and row.source == fingerprint(rulebook, rulebook.clauses[row.clause])


def coverage(rulebook: Rulebook[Any, Any]) -> list[dict[str, Any]]:
    """
    Return each clause's status, in the order of the contents page.

    Returns
    -------
    list of dict
        With ``clause``, ``title``, ``kind``, ``status`` and ``tests`` (node ids). The status is
        ``enforced`` if a test kills the clause's mutant and the clause is unchanged since,
        ``partial`` if no such test is recorded, ``unsupported`` if it is not modelled.
    """
    ledger = read_ledger(rulebook)
    found = []
    for entry in rulebook.clauses.values():
        tests = guards(rulebook, entry.id, ledger)
        status: Status = "enforced" if tests else "partial" if entry.modelled else "unsupported"
        found.append(
            {
                "clause": entry.id, "title": entry.title, "kind": entry.kind, "status": status,
                "tests": list(tests),
            }
        )  # fmt: skip
    return found


def guards(
    rulebook: Rulebook[Any, Any], clause: str, ledger: Mapping[str, LedgerRow] | None = None
) -> tuple[str, ...]:
    """Return the tests that fail without a clause in its present form; none if unmodelled."""
    row = (read_ledger(rulebook) if ledger is None else ledger).get(clause)
    is_known = row and rulebook.clauses[clause].modelled and _is_fresh(rulebook, row)
    return row.killed_by if row and is_known else ()


def stale(rulebook: Rulebook[Any, Any]) -> list[str]:
    """Return the clauses that have changed since their mutants ran."""
    rows = read_ledger(rulebook).values()
    return [r.clause for r in rows if r.clause in rulebook.clauses and not _is_fresh(rulebook, r)]


def check_ledger(rulebook: Rulebook[Any, Any], root: Path | None = None) -> list[str]:
    """
    Return the faults of the ledger, one line each; a clause that no test kills is not a fault.

    Parameters
    ----------
    rulebook
        The rulebook.
    root
        The folder that node ids start from; if given, the killing tests must exist.
    """
    ledger, old = read_ledger(rulebook), set(stale(rulebook))
    problems = []
    for entry in rulebook.clauses.values():
        if not entry.modelled:
            continue
        if entry.id not in ledger:
            problems.append(f"{entry.id}: its mutant has never run")
        elif entry.id in old:
            problems.append(f"{entry.id}: it has changed since its mutant ran")
    for row in ledger.values():
        if row.clause not in rulebook.clauses or not rulebook.clauses[row.clause].modelled:
            problems.append(f"{row.clause}: the rulebook models no such clause")
        elif root is not None:
            gone = [test for test in row.killed_by if not _exists(root, test)]
            problems += [f"{row.clause}: there is no test {test}" for test in gone]
    return problems


def _exists(root: Path, test: str) -> bool:
    file, *_, name = test.partition("[")[0].split("::")
    path = root / file
    return path.exists() and f"def {name}(" in path.read_text(encoding="utf-8")


def missing(rulebook: Rulebook[Any, Any], lists: Sequence[Path]) -> list[str]:
    """
    Return the clauses of clause lists that the rulebook does not declare yet.

    Parameters
    ----------
    rulebook
        The rulebook.
    lists
        Tab-separated files with the columns ``clause``, ``kind``, ``demand``; absent ones are
        skipped.

    Raises
    ------
    BadInputError
        If a file has other columns.
    """
    found = []
    for path in lists:
        if not path.exists():
            continue
        header, *lines = path.read_text(encoding="utf-8").splitlines() or [""]
        if header.split("\t") != ["clause", "kind", "demand"]:
            raise BadInputError(
                "expected the columns clause, kind, demand", source=str(path), field="line 1"
            )
        found += [line.split("\t")[0] for line in lines if line.strip()]
    return [name for name in dict.fromkeys(found) if name not in rulebook.clauses]
