"""The cases of the clauses are judged as they are written down, and each turns on its clause."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from marchtable.answers.answer import answer
from marchtable.files.cases import Case, judged, read_cases
from marchtable.rules.clause import without
from marchtable.rules.ledger import read_ledger
from marchtable.rules.rulebook import find_rulebook
from tests.slowly import slow_after

if TYPE_CHECKING:
    from marchtable.rules.ruling import Ruling

LEAST = {"asl": 0.8, "valor": 0.75, "panzer": 0.85}
"""The share of the modelled clauses that have a case: it may only grow."""


def facts(ruling: Ruling) -> tuple[Any, ...]:
    """Return what a case writes down of a ruling."""
    clauses = {one.clause for one in (*ruling.violations, *ruling.unsupported)}
    paid = {one.unit: one.amount for one in ruling.receipts if one.amount}
    return ruling.status, tuple(sorted(clauses)), paid


@pytest.mark.parametrize("part", slow_after(1, range(4)))
@pytest.mark.parametrize("name", LEAST)
def test_cases_are_judged_as_written(name: str, part: int) -> None:
    """Status, clauses and points of every case, a quarter at a time."""
    rulebook = find_rulebook(name)
    wrong = []
    for case in read_cases(rulebook)[part::4]:
        ruling = judged(rulebook, case)
        if facts(ruling) != (case.status, case.clauses, case.paid):
            wrong.append(f"{case.clause}: {case.action}: {ruling}")
    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("name", LEAST)
def test_an_illegal_case_turns_on_its_clause(name: str) -> None:
    """With the clause off, nothing says any more that it is broken."""
    rulebook = find_rulebook(name)
    for case in read_cases(rulebook):
        if case.status == "ILLEGAL":
            with without(case.clause):
                assert case.clause not in facts(judged(rulebook, case))[1]


@pytest.mark.parametrize("name", LEAST)
def test_most_clauses_have_a_case(name: str) -> None:
    """An illegal case is broken by its clause, a legal one breaks nothing; few clauses have none."""
    rulebook = find_rulebook(name)
    cases: dict[str, list[Case]] = {}
    for case in read_cases(rulebook):
        assert case.clause in rulebook.clauses
        cases.setdefault(case.clause, []).append(case)
    for clause, some in cases.items():
        assert len({one.status for one in some}) == len(some)
        assert all(clause in one.clauses for one in some if one.status == "ILLEGAL")
    assert len(cases) >= LEAST[name] * len(read_ledger(rulebook))


def test_the_page_of_a_clause() -> None:
    """It says where the clause stands and which test fails without it, and shows its cases."""
    found = answer({"verb": "rules", "clause": "D2.14", "cases": True})
    (row,) = found["clauses"]
    assert row["source"].startswith("asl/")
    assert row["tests"]
    (case,) = row["cases"]
    assert case["check"]["status"] == "LEGAL"
    assert "D2.14" in str(case["check"]["receipts"])
    assert (
        answer({"verb": "check", "scene": case["scene"], "log": case["check"]["log"]})
        == case["check"]
    )


def test_a_chapter_has_no_pages() -> None:
    """Only clauses named by their ids have one."""
    found = answer({"verb": "rules", "clause": "D2", "cases": True})
    assert len(found["clauses"]) > 20
    assert all("cases" not in row for row in found["clauses"])
