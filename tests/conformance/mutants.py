"""Switch off each clause and ask the suite: ``python -m tests.conformance.mutants [RULEBOOK]...``.

A clause is noticed if a case that names it changes its answer. It prints the share, and writes
unnoticed clauses to ``survivors.json``.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from marchtable.answers.verdicts import obligation_data
from marchtable.errors import MarchtableError
from marchtable.files.cases import scene_of_case
from marchtable.files.notation import parse_action
from marchtable.files.scenes import scene_data, scene_of
from marchtable.rules.clause import without
from marchtable.rules.ledger import read_ledger
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook, rulebook_names
from tests.conformance.engine import changes, figures, odds
from tests.conformance.run import faults, read_cases

if TYPE_CHECKING:
    from collections.abc import Iterable

SURVIVORS = Path(__file__).with_name("survivors.json")


class Asked:
    """A case whose scene is read once, to be judged many times."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.case, self.rulebook = case, find_rulebook(case["rulebook"])
        self.position = scene_of(scene_of_case(case["rulebook"], case["scene"])).position
        self.log = [parse_action(line, self.rulebook) for line in case["log"]]

    def answer(self) -> dict[str, Any]:
        """Return the answer now, as :func:`tests.conformance.engine.reply` does, without points of the log's start."""
        if asked := self.case.get("entitlement"):
            return self._entitlement(asked)
        verdict = check(self.position, self.log)
        last = verdict.rulings[-1]
        cited = verdict.violations if verdict.status == "ILLEGAL" else verdict.unsupported
        pending = (*verdict.position.pending, *self.rulebook.debts(verdict.position))
        cost: dict[str, float] = defaultdict(float)
        for paid in last.receipts:
            cost[paid.unit] += paid.amount / 2
        found = {
            "verdict": verdict.status, "clauses": [one.clause for one in cited], "cost": cost,
            "left": {paid.unit: paid.left / 2 for paid in last.receipts},
            "fields": sorted((one.unit, one.field) for one in last.effects),
            "rolls": sorted({one.id for one in pending}),
            "exceptions": sorted(
                {name for name, _ in last.exceptions if not self.rulebook.clause(name).assumes}
            ),
            "odds": odds([obligation_data(one) for one in pending]),
        }  # fmt: skip
        if "figures" in self.case:
            details = self.rulebook.details(self._before(), self.log[-1])
            found["figures"] = figures(self.case["rulebook"], details)
        if "after" in self.case and verdict.status == "LEGAL":
            now = scene_data(verdict.position, board="")
            found["after"] = changes(self.case["scene"], now)
        return found

    def _before(self) -> Any:
        """Return the position before the last entry."""
        return check(self.position, self.log[:-1]).position

    def _entitlement(self, asked: dict[str, Any]) -> dict[str, Any]:
        unit = self.position.unit(asked["unit"])
        for entry in self.rulebook.entitlements(self.position, unit):
            if entry["what"] == asked["what"]:
                return {"verdict": "LEGAL" if entry["allowed"] else "ILLEGAL", "clauses": entry["clauses"],
                        "entitlement": {"factor": entry["factor"]}}  # fmt: skip
        return {"verdict": "ILLEGAL", "clauses": []}

    def fails(self) -> bool:
        """Return whether the answer differs from the case's."""
        try:
            found = self.answer()
        except MarchtableError:
            return True
        effects = sorted((one["unit"], one["field"]) for one in self.case.get("effects", ()))
        return bool(faults(self.case, found)) or (
            "effects" in self.case and effects != found["fields"]
        )


def named(case: dict[str, Any]) -> set[str]:
    """Return the clauses that a case names."""
    charged = {clause for paid in case.get("cost", ()) for clause, _ in paid["sum"]}
    return {case["clause"], *case["about"], *case.get("clauses", ())} | charged


def survivors(rulebook: str, clauses: Iterable[str]) -> list[str]:
    """Return the clauses that, switched off in turn, no case naming them notices."""
    by_clause: dict[str, list[Asked]] = defaultdict(list)
    for case in read_cases(rulebook):
        asked = Asked(case)
        for clause in named(case):
            by_clause[clause].append(asked)
    found = []
    for clause in clauses:
        with without(clause):
            if not any(one.fails() for one in by_clause[clause]):
                found.append(clause)
    return found


def main(arguments: list[str]) -> None:
    """Measure each rulebook, and write the survivors."""
    known = json.loads(SURVIVORS.read_text(encoding="utf-8")) if SURVIVORS.exists() else {}
    unknown = sorted(set(arguments) - set(rulebook_names()))
    if unknown:
        sys.exit(f"{unknown[0]}: expected rulebooks, of {', '.join(rulebook_names())}")
    for name in arguments or ("panzer", "valor", "asl"):
        clauses = list(read_ledger(find_rulebook(name)))
        known[name] = survivors(name, clauses)
        alive = len(known[name])
        print(f"{name}: {len(clauses) - alive} of {len(clauses)} clauses noticed", flush=True)
        SURVIVORS.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
