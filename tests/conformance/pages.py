"""
Which cases the page of a clause shows: ``python -m tests.conformance.pages`` writes them to the rulebooks' data.

A case *turns on* a clause if its answer is different without the clause: in a legal case any part of
the answer, in other cases the verdict or the violations.

- Of the cases that turn on a clause, its page shows the smallest of each verdict, two at most.
- If there is only one, the page adds a contrast: the most similar case in which the clause has no
  part, preferably with a verdict that the clause still needs.
- If there is no contrast, because the clause has a part in every action of its kind, the page adds
  a second case that turns on it.
- If no case turns on a clause, which only ``missing.json`` allows, the page shows the smallest case
  about it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from contextlib import contextmanager
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Literal
from unittest.mock import patch

import msgspec

from marchtable.answers.clauses import case_answer
from marchtable.files.cases import ConformanceCase, cases_path
from marchtable.rules.edition import Edition
from marchtable.rules.rulebook import find_rulebook
from marchtable.rules.view import View
from tests.conformance.required import required
from tests.conformance.run import read_cases

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from marchtable.rules.clause import Clause

__all__ = ["consulted", "is_contrast", "part", "question", "shown", "size", "verb", "write"]

RULEBOOKS = ("asl", "valor", "panzer")
Part = Literal["decides", "other", "none"]
"""Whether a case turns on a clause, the clause changes something else in its answer, or nothing."""
VERDICTS = ("LEGAL", "ILLEGAL", "UNSUPPORTED")
"""Verdicts in the order in which a page shows them."""


def question(case: dict[str, Any], clauses: Iterable[str] = ()) -> ConformanceCase:
    """Return a case's question as clause pages read it."""
    asked = {key: case[key] for key in ("id", "scene", "log") if case[key]}
    if "entitlement" in case:
        asked["entitlement"] = {key: case["entitlement"][key] for key in ("unit", "what")}
    return msgspec.convert({**asked, "clauses": tuple(clauses)}, ConformanceCase)


def size(case: dict[str, Any]) -> tuple[int, str]:
    """Return the size of a case for its reader, then its id."""
    return len(json.dumps([case["scene"], case["log"]])), case["id"]


def part(case: dict[str, Any], clause: str) -> Part:
    """Return the part that a clause has in a case's answer."""
    found = case_answer(find_rulebook(case["rulebook"]), question(case), clause)
    if found["contrast"]:
        return "none"
    if case["verdict"] == "LEGAL" or "entitlement" in found or found["without"] != case["verdict"]:
        return "decides"
    cited = [*found["check"]["violations"], *found["check"]["unsupported"]]
    return "decides" if clause in {one["clause"] for one in cited} else "other"


def consulted(case: dict[str, Any]) -> set[str]:
    """Return the clauses that are asked in a case."""
    with asking() as found:
        case_answer(find_rulebook(case["rulebook"]), question(case), case["clause"])
    return found


@contextmanager
def asking() -> Iterator[set[str]]:
    """Yield a set that collects the clauses that are asked here."""
    found, judge = set[str](), Edition.judge

    def judging(edition: Edition, facts: Any) -> Any:
        kind = facts.kind if isinstance(facts, View) else type(facts)
        subjects, clauses = edition.procedure(kind)
        seen = facts.seen_as(*subjects) if subjects else facts
        found.update(name for name, _, bears in clauses if bears is None or bears(seen))
        return judge(edition, facts)

    with patch.object(Edition, "judge", judging):
        yield found


def shown(cases: Iterable[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Return, by clause, the cases that its page shows."""
    about: dict[Clause, list[dict[str, Any]]] = defaultdict(list)
    for case in sorted(cases, key=size):
        for name in {case["clause"], *case["about"]} - {""}:
            about[find_rulebook(case["rulebook"]).clauses[name]].append(case)
    return {clause.id: _picked(clause, some) for clause, some in about.items()}


def _picked(clause: Clause, cases: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Pick two of a clause's cases (one if it is not modelled); they are given smallest first."""
    turning: dict[str, dict[str, Any]] = {}
    others = []
    for case in cases:
        if case["verdict"] not in turning and part(case, clause.id) == "decides":
            turning[case["verdict"]] = case
        elif case["verdict"] != "UNSUPPORTED":
            others.append(case)
    needed = required(clause)
    useful = {"LEGAL", "ILLEGAL", *needed} if clause.modelled else needed
    verdicts = sorted(useful & {*turning}, key=lambda one: (one not in needed, VERDICTS.index(one)))
    found = [turning[verdict] for verdict in verdicts][:2] or [*turning.values()][:1]
    if not found:
        return others[:1]
    if len(found) == 1 and clause.modelled:
        first = found[0]
        ranked = sorted(others, key=lambda one: rank(one, first, needed))
        contrasts = (one for one in ranked if is_contrast(one, clause.id, first))
        also = (one for one in others if part(one, clause.id) == "decides")
        found += [*islice(chain(contrasts, also), 1)]
    return found


def rank(
    case: dict[str, Any], other: dict[str, Any], needed: AbstractSet[str]
) -> tuple[bool, float]:
    """Return a key that sorts contrasts to another case: first those with a verdict still needed, then the most similar."""
    return case["verdict"] not in (needed - {other["verdict"]} or {"LEGAL"}), -likeness(case, other)


def is_contrast(case: dict[str, Any], clause: str, other: dict[str, Any]) -> bool:
    """Return whether a clause has no part in a case's answer, though it is asked there, or the case has the verb of another."""
    is_near = verb(case) == verb(other) or clause in consulted(case)
    return is_near and part(case, clause) == "none"


def verb(case: dict[str, Any]) -> str:
    """Return the verb of a case's last entry, or the entitlement that it asks about."""
    last: str = [case.get("entitlement", {}).get("what", ""), *case["log"]][-1]
    return last.partition(" ")[0] if case["log"] else last


def likeness(case: dict[str, Any], other: dict[str, Any]) -> float:
    """Return the share of two questions' facts that both have."""
    one, two = ({*facts([each["scene"], each["log"]])} for each in (case, other))
    return len(one & two) / len(one | two)


def facts(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the words of nested data, each with the names that lead to it."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from facts(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from facts(inner, path)
    else:
        yield from ((path, word) for word in str(value).split())


def write(rulebook: str, cases: Iterable[dict[str, Any]]) -> None:
    """Write the questions that the pages of a rulebook's clauses show to its data, in the order of the suite."""
    path, cases = cases_path(find_rulebook(rulebook)), [*cases]
    assert path is not None
    clauses = defaultdict(list)
    for clause, some in shown(cases).items():
        for case in some:
            clauses[case["id"]].append(clause)
    lines = [
        msgspec.json.encode(question(case, sorted(clauses[case["id"]])))
        for case in cases
        if case["id"] in clauses
    ]
    path.write_bytes(b"\n".join(lines) + b"\n")


if __name__ == "__main__":
    for name in RULEBOOKS:
        write(name, read_cases(name))
