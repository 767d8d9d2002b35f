"""
Which cases the page of a clause shows: ``python -m tests.conformance.pages`` writes them to the rulebooks' data.

A case *turns on* a clause if its answer is different without the clause: in a legal case any part of
the answer, in other cases the verdict or the violations.

- Of the cases that turn on a clause, its page shows the plainest of each verdict, two at most.
- A case is plain if it has few units, entries and hexes; if the clause has cases enough with its verb
  and its kind of unit; and if its verdict changes without the clause, no other clause being violated.
- If only one turns on the clause, or the second is far less plain, the page shows a contrast instead:
  the most similar case in which the clause has no part, preferably with a verdict that the clause
  still needs.
- If there is no contrast, because the clause has a part in every action of its kind, the page adds
  a second case that turns on it.
- If a verdict is still lacking then, the first case is another one that turns on the clause and has a
  contrast of that verdict.
- If no case turns on a clause, which only ``missing.json`` allows, the page shows the plainest case
  about it.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
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
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from marchtable.rules.clause import Clause

__all__ = ["consulted", "is_contrast", "part", "question", "shown", "size", "verb", "write"]

RULEBOOKS = ("asl", "valor", "panzer")
Part = Literal["decides", "other", "none"]
"""Whether a case turns on a clause, the clause changes something else in its answer, or nothing."""
_JUDGED: dict[tuple[str, str], tuple[Part, bool]] = {}
HEXES, TEXT = 12, 400
"""Hexes of the board, and characters of the rest of the scene, that take as long to read as one unit."""
RARE = 3
"""A verb or type is rare if another is so many times as common among a clause's cases."""
ODD, SHARED, FAR = 3, 4, 4
"""What counts against a case, in units: a rare verb or type, a verdict that other clauses share, being no contrast."""


def question(case: dict[str, Any], clauses: Iterable[str] = ()) -> ConformanceCase:
    """Return a case's question as clause pages read it."""
    asked = {key: case[key] for key in ("id", "scene", "log") if case[key]}
    if "entitlement" in case:
        asked["entitlement"] = {key: case["entitlement"][key] for key in ("unit", "what")}
    return msgspec.convert({**asked, "clauses": tuple(clauses)}, ConformanceCase)


def size(case: dict[str, Any]) -> tuple[float, str]:
    """Return the size of a case for its reader, in units or what takes as long to read, then its id."""
    scene = case["scene"]
    board = scene.get("board", {})
    hexes = len(board.get("hexes", ())) + len(board.get("links", ()))
    text = len(json.dumps([{**scene, "board": None}, case["log"]]))
    return len(scene.get("units", ())) + len(case["log"]) / 2 + hexes / HEXES + text / TEXT, case[
        "id"
    ]


def subject(case: dict[str, Any]) -> str:
    """Return the type of the unit that a case is about: of its last entry, or of the entitlement."""
    words = [case.get("entitlement", {}).get("unit", ""), *case["log"]][-1].split()
    named = {name for word in words for name in word.split(",")}
    units = case["scene"].get("units", ())
    return next((str(unit.get("type")) for unit in units if unit["id"] in named), "")


def burdens(cases: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Return the sizes of a clause's cases, by id; a verb or type that few of them have counts as :data:`ODD` more."""
    found = {case["id"]: size(case)[0] for case in cases}
    for trait in (verb, subject):
        count = Counter(map(trait, cases))
        for case in cases:
            found[case["id"]] += ODD * (count[trait(case)] * RARE < max(count.values()))
    return found


def judged(case: dict[str, Any], clause: str) -> tuple[Part, bool]:
    """Return the part that a clause has in a case's answer, and whether it alone decides the verdict."""
    key = case["id"], clause
    if key not in _JUDGED:
        found = case_answer(find_rulebook(case["rulebook"]), question(case), clause)
        cited = {
            one["clause"] for kind in ("violations", "unsupported") for one in found["check"][kind]
        }
        changes = found["without"] != case["verdict"]
        is_legal = case["verdict"] == "LEGAL" or "entitlement" in found
        decides = is_legal or changes or clause in cited
        part: Part = "none" if found["contrast"] else "decides" if decides else "other"
        _JUDGED[key] = part, is_legal or (changes and cited <= {clause})
    return _JUDGED[key]


def part(case: dict[str, Any], clause: str) -> Part:
    """Return the part that a clause has in a case's answer."""
    return judged(case, clause)[0]


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
        found.update(
            name for name, _, is_relevant in clauses if is_relevant is None or is_relevant(seen)
        )
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


def _picked(clause: Clause, cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Pick two of a clause's cases (one if it is not modelled)."""
    burden = burdens(cases)
    cases = sorted(cases, key=lambda case: (burden[case["id"]], case["id"]))
    turning: dict[str, tuple[float, dict[str, Any]]] = {}
    for case in cases:
        least, weight = turning.get(case["verdict"], (math.inf, None))[0], burden[case["id"]]
        if weight < least and part(case, clause.id) == "decides":
            weight += 0 if judged(case, clause.id)[1] else SHARED
            if weight < least:
                turning[case["verdict"]] = weight, case
    needed = required(clause)
    useful = {"LEGAL", "ILLEGAL", *needed} if clause.modelled else needed
    verdicts = sorted(useful & {*turning}, key=lambda one: (one not in needed, turning[one][0]))
    found = [turning[verdict] for verdict in verdicts][:2] or [*turning.values()][:1]
    if not found or not clause.modelled:
        return [case for _, case in found[:1]] or cases[:1]
    pair = _pair(clause, cases, found)
    if not {case["verdict"] for case in pair} >= needed:
        for one in cases:  # another first case may have a contrast of the verdict still needed
            if one["verdict"] != "UNSUPPORTED" and part(one, clause.id) == "decides":
                other = _pair(clause, cases, [(burden[one["id"]], one), *found[1:]])
                if {case["verdict"] for case in other} >= needed:
                    return other
    return pair


def _pair(
    clause: Clause, cases: list[dict[str, Any]], found: list[tuple[float, dict[str, Any]]]
) -> list[dict[str, Any]]:
    """Return the first of the cases found, and a contrast to it or a second that turns on the clause."""
    burden, needed = burdens(cases), required(clause)
    first, others = found[0][1], [one for one in cases if one["verdict"] != "UNSUPPORTED"]
    near = [one for one in others if one is not first]
    if len(found) > 1:
        weight, second = found[1]
        near = [
            one
            for one in near
            if one["verdict"] == second["verdict"] and burden[one["id"]] < weight - FAR
        ]
    ranked = sorted(near, key=lambda one: rank(one, first, needed))
    contrasts = (one for one in ranked if is_contrast(one, clause.id, first))
    also = (one for one in others if one is not first and part(one, clause.id) == "decides")
    return [first, *islice(chain(contrasts, [case for _, case in found[1:]], also), 1)]


def rank(
    case: dict[str, Any], other: dict[str, Any], needed: AbstractSet[str]
) -> tuple[bool, float]:
    """Return a key that sorts contrasts to another case: first those with a verdict still needed, then the most similar."""
    return case["verdict"] not in (needed - {other["verdict"]} or {"LEGAL"}), -similarity(
        case, other
    )


def is_contrast(case: dict[str, Any], clause: str, other: dict[str, Any]) -> bool:
    """Return whether a clause has no part in a case's answer, though it is asked there, or the case has the verb of another."""
    is_near = verb(case) == verb(other) or clause in consulted(case)
    return is_near and part(case, clause) == "none"


def verb(case: dict[str, Any]) -> str:
    """Return the verb of a case's last entry, or the entitlement that it asks about."""
    last: str = [case.get("entitlement", {}).get("what", ""), *case["log"]][-1]
    return last.partition(" ")[0] if case["log"] else last


def similarity(case: dict[str, Any], other: dict[str, Any]) -> float:
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
