"""Golden cases: worked figures of the rules, as data that other engines can read too.

A case in ``tests/golden/asl/*.toml`` gives ``hexes`` and ``hexsides`` (adjacent hexes are joined;
columns run A, B, C …, every second one half a hex higher) and ``units`` as in a scene. Units are
German unless stated; it is their MPh. It can give more unit ``types``, a ``nvr`` at night, further
conditions ``stated``, and the ``log``. Expected are the ``status``; the ``receipts`` of the listed
steps (amount, remainder, sum by clause); every ``violations`` and ``unsupported`` entry; every roll
due; and some fields of units ``after`` it. ``clauses`` names those that show only in an allotment.
The ``source`` names the rule.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from marchtable.files.notation import points, struct_of
from marchtable.state.position import Counter
from marchtable.state.records import as_flat, grouped
from marchtable_models.asl.model import AslUnit, UnitType
from tests.asl.boards import ASL, field, judge, place

if TYPE_CHECKING:
    from marchtable.rules.ruling import Verdict

WORST = ("bogged", "immobilized", "immobilized-36")
"""Worst results of rolls; a case gives their odds."""
GOLDEN = Path(__file__).parents[1] / "golden" / "asl"


class _Receipt(msgspec.Struct, forbid_unknown_fields=True):
    step: int
    unit: str
    amount: float
    clauses: dict[str, float]
    left: float | None = None


class _Cited(msgspec.Struct, forbid_unknown_fields=True):
    step: int
    clause: str
    need: float | None = None
    have: float | None = None


class _Roll(msgspec.Struct, forbid_unknown_fields=True):
    step: int
    id: str
    clause: str
    bogs: int
    of: int


class Case(msgspec.Struct, forbid_unknown_fields=True):
    """A golden case."""

    id: str
    title: str
    source: str
    hexes: dict[str, dict[str, Any]]
    units: list[dict[str, Any]]
    log: list[str]
    hexsides: dict[str, dict[str, Any]] = {}
    counters: list[Counter] = []
    readings: dict[str, str] = {}
    types: list[UnitType] = []
    phase: str = "MPh"
    nvr: int | None = None
    stated: dict[str, Any] = {}
    year: int = 0
    clauses: list[str] = []
    status: str = "LEGAL"
    receipts: list[_Receipt] = []
    violations: list[_Cited] = []
    unsupported: list[_Cited] = []
    rolls: list[_Roll] = []
    after: list[dict[str, Any]] = []

    @property
    def cited(self) -> tuple[str, ...]:
        """Every clause whose absence changes the result of the case."""
        found = [*self.clauses, *(c for receipt in self.receipts for c in receipt.clauses)]
        found += [entry.clause for entry in (*self.violations, *self.unsupported)]
        found += [roll.clause for roll in self.rolls]
        return tuple(dict.fromkeys(found))


def cases() -> list[Any]:
    """Return the cases as parameters, each marked with the clauses it cites."""
    found = []
    for path in sorted(GOLDEN.glob("*.toml")):
        for data in tomllib.loads(path.read_text(encoding="utf-8"))["case"]:
            case = msgspec.convert(data, Case)
            marks = [pytest.mark.clause(*case.cited)] if case.cited else []
            found.append(pytest.param(case, id=case.id, marks=marks))
    return found


def verdict_on(case: Case) -> Verdict:
    """Return the referee's answer to a case."""
    units = [
        struct_of(grouped({"side": "german", **unit}, AslUnit), AslUnit) for unit in case.units
    ]
    position = place(
        field(case.hexes, case.hexsides), *units, phase=case.phase,
        counters=tuple(case.counters), readings=tuple(sorted(case.readings.items())),
        types=tuple(case.types), nvr=case.nvr, year=case.year,
        stated=case.stated,
    )  # fmt: skip
    ASL.check_position(position)
    return judge(position, *case.log)


def number(value: Any, *, halves: bool) -> Any:
    """Return a violation's number in points if it is in half points."""
    return points(value) if halves and isinstance(value, int) else value


@pytest.mark.parametrize("case", cases())
def test_golden(case: Case) -> None:
    """The referee's verdict on the case matches the rules' own figures."""
    verdict = verdict_on(case)

    assert case.status == verdict.status
    first = [v for v in verdict.violations if not v.after]
    assert {v.clause for v in case.violations} == {v.clause for v in first}
    for cited in case.violations:
        found = next(v for v in first if v.clause == cited.clause)
        assert cited.step == found.step
        if cited.need is not None:
            assert cited.need == number(found.need, halves=found.halves)
            assert cited.have == number(found.have, halves=found.halves)
    assert [(u.step, u.clause) for u in case.unsupported] == [
        (u.step, u.clause) for u in verdict.unsupported
    ]
    _compare_receipts(case, verdict)
    assert [(r.step, r.id, r.clause, r.bogs, r.of) for r in case.rolls] == [
        (step, due.id, due.clause, odds.chance, odds.of)
        for step, ruling in enumerate(verdict.rulings)
        if not ruling.violations
        for due in ruling.obligations
        for odds in due.outcomes
        if odds.outcome in WORST
    ]
    for result in case.after:
        unit = as_flat(verdict.position.unit(result["unit"]), full=True)
        for key, value in result.items():
            if key != "unit":
                assert value == as_stated(unit.get(key), value), key


def as_stated(found: Any, stated: Any) -> Any:
    """Return the result, with only those table keys that the case states."""
    if isinstance(found, dict) and isinstance(stated, dict):
        return {key: as_stated(found.get(key), stated[key]) for key in stated}
    if isinstance(found, list) and isinstance(stated, list) and len(found) == len(stated):
        return [as_stated(*pair) for pair in zip(found, stated, strict=True)]
    return found


def _compare_receipts(case: Case, verdict: Any) -> None:
    for result in case.receipts:
        (found,) = [r for r in verdict.receipts if (r.step, r.unit) == (result.step, result.unit)]
        by_clause: dict[str, float] = {}
        for charge in found.charges:
            by_clause[charge.clause] = by_clause.get(charge.clause, 0) + charge.amount / 2
        assert result.clauses == by_clause
        assert result.amount == found.amount / 2
        if result.left is not None:
            assert result.left == found.left / 2


def test_every_case_has_its_own_id_and_a_source() -> None:
    """Ids are unique, and every case names its rule."""
    found = [parameter.values[0] for parameter in cases()]

    assert len(found) == len({case.id for case in found})
    assert all(case.source.strip() and case.title.strip() for case in found)
