"""
Which cases the page of a clause must show, by the clause's kind and by what its code says.

``python -m tests.conformance.required`` prints how many clauses have all of them, and removes cases
from ``missing.json`` that are no longer missing. It adds none: if a required case is missing, the
tests and the build of the docs site fail.
"""

from __future__ import annotations

import inspect
import json
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from marchtable.files.cases import read_cases as cases_of_pages
from marchtable.rules.rulebook import find_rulebook
from tests.conformance.run import read_cases

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from marchtable.rules.clause import Clause

__all__ = ["MISSING", "VERDICTS", "exceptions", "lacking", "missing", "required"]

RULEBOOKS = ("asl", "valor", "panzer")
MISSING = Path(__file__).with_name("missing.json")
"""The reviewed exceptions: by rulebook and clause, what its page lacks, with the reason."""
VERDICTS: dict[str, frozenset[str]] = {
    "action": frozenset({"LEGAL", "ILLEGAL"}),
    "capacity": frozenset({"LEGAL", "ILLEGAL"}),
    "cost": frozenset({"LEGAL", "ILLEGAL"}),  # one unit that can pay, and one that cannot
    "effect": frozenset({"LEGAL"}),  # it changes what a legal action does
    "odds": frozenset({"LEGAL"}),  # it changes a roll that a legal action requires
    "state": frozenset({"LEGAL"}),  # it gives a unit a right or a state
}
"""What a clause of each kind can decide: an effect, odds or a state forbids no action."""


SAYS = frozenset({"bar", "charge", "force", "roll", "unsupported", "exception"})
"""What a clause can say on its sheet."""
ONLY: dict[str, frozenset[str]] = {
    "unsupported": frozenset({"LEGAL", "UNSUPPORTED"}),  # in part not modelled
    "exception": frozenset({"LEGAL"}),  # it lets another clause allow an action
    "grant": frozenset({"LEGAL"}),  # an entitlement
    "deny": frozenset({"ILLEGAL"}),  # an entitlement that no unit has
    "": frozenset({"LEGAL"}),  # it says nothing: it stands for what it prevents
}
"""What a clause can decide whose code says one thing only, whatever its kind."""
SET_UP = "SetUp"
"""Suffix of the records of facts that reject a scene before any action."""


def said(function: Callable[..., Any]) -> frozenset[str]:
    """Return what a clause's code, or a function to which it passes its sheet, can say; ``grant`` and ``deny`` are such functions."""
    found, plain = set[str](), inspect.unwrap(function)
    for name in plain.__code__.co_names:
        other = plain.__globals__.get(name)
        if name in SAYS:
            found.add(name)
        elif inspect.isfunction(other) and "sheet" in inspect.signature(other).parameters:
            found |= {name} if name in ONLY else said(other)
    return frozenset(found)


def required(clause: Clause) -> frozenset[str]:
    """Return the verdicts that the cases of a clause's page must have."""
    if not clause.modelled:
        return frozenset({"UNSUPPORTED"})
    facts = next(iter(inspect.signature(clause.declared).parameters.values())).annotation
    if all(one.strip().endswith(SET_UP) for one in str(facts).split("|")):
        return frozenset({"LEGAL"})  # no case has an impossible scene
    says = said(clause.declared)
    only = ONLY.get("".join(says)) if len(says) < 2 else None
    return only or VERDICTS[str(clause.kind)]


def missing(rulebook: str) -> dict[str, list[str]]:
    """Return, by clause, the required verdicts that no case of its page has; SECOND if the page has only one case."""
    verdicts = {case["id"]: case["verdict"] for case in read_cases(rulebook)}
    have: dict[str, list[str]] = defaultdict(list)
    for case in cases_of_pages(find_rulebook(rulebook)):
        for clause in case.clauses:
            have[clause].append(verdicts[case.id])
    found = {
        clause.id: lacking(clause, have[clause.id])
        for clause in find_rulebook(rulebook).clauses.values()
    }
    return {clause: words for clause, words in found.items() if words}


def lacking(clause: Clause, verdicts: Sequence[str]) -> list[str]:
    """Return what is missing on the page of a clause that shows cases of these verdicts."""
    without = sorted(required(clause) - {*verdicts})
    return without or (["SECOND"] if clause.modelled and len(verdicts) < 2 else [])


def exceptions() -> dict[str, dict[str, dict[str, str]]]:
    """Return the reviewed list of exceptions: by rulebook and clause, why a case is missing."""
    found: dict[str, dict[str, dict[str, str]]] = json.loads(MISSING.read_text(encoding="utf-8"))
    return found


def _still(
    known: Mapping[str, Mapping[str, str]], now: Mapping[str, list[str]]
) -> dict[str, dict[str, str]]:
    both = {
        clause: {word: why for word, why in reasons.items() if word in now[clause]}
        for clause, reasons in known.items()
        if clause in now
    }
    return {clause: reasons for clause, reasons in both.items() if reasons}


def report() -> None:
    """Print how many clauses have the cases that they need, and shorten the list of exceptions."""
    known = exceptions()
    for name in RULEBOOKS:
        now, clauses = missing(name), find_rulebook(name).clauses
        print(f"{name}: {len(clauses) - len(now)} of {len(clauses)} clauses have what they need")
        known[name] = _still(known[name], now)
        for clause, words in now.items():
            if new := {*words} - {*known[name].get(clause, ())}:
                print(f"{clause}: no {' or '.join(sorted(new))} case that turns on it")
    MISSING.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    report()
