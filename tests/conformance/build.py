"""Add cases to the suite from what tests assert: ``python -m tests.conformance.build [TESTS]...``.

It runs the tests, collects their questions with the answers that they state (see
``tests.conformance.collect``), and adds ASL's golden cases. It writes ``cases/RULEBOOK.jsonl`` and
the cases that the pages of clauses show. A case is accepted only if the engine agrees;
disagreements are printed. All known cases are kept. Of the new cases about a clause few are kept:
those that its page, or another clause's, could need. An id is a hash of the question, so it never
changes and is never reused.
"""

from __future__ import annotations

import ast
import copy
import hashlib
import json
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from marchtable.errors import BadInputError
from marchtable.files.cases import board_of
from marchtable.files.scenes import scene_data, scene_of
from marchtable.rules.rulebook import find_rulebook
from tests.conformance import pages
from tests.conformance.drawing import drawn
from tests.conformance.engine import reply
from tests.conformance.required import report
from tests.conformance.run import CASES, faults, read_cases
from tests.conformance.tags import needs_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MOST = 8
"""Cases of one test, its parameters counted separately; UNSUPPORTED ones are rare and all taken."""
ALIKE = 2
"""Cases of one clause and verdict, worked by hand, that are kept in any case; more only if a page could need them."""
RULEBOOKS = ("asl", "valor", "panzer")
VERDICTS = ("LEGAL", "ILLEGAL", "UNSUPPORTED")


def drawn_scene(scene: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the rulebook of a scene, and the scene with its board as a drawing."""
    found = {k: v for k, v in scene.items() if k not in ("format", "rulebook")}
    board = found["board"]
    assert isinstance(board, dict), "a board by name"
    found["board"] = drawn(board)
    again = board_of(found["board"])
    assert _canonical(again) == _canonical(board), "the drawing is not the board"
    return scene["rulebook"], found


def _canonical(board: dict[str, Any]) -> Any:
    edges = {
        (frozenset((e["a"], e["b"])), json.dumps(e.get("hexside") or {}, sort_keys=True))
        for e in board["edges"]
    }
    return sorted(board["locations"], key=lambda one: one["name"]), edges


def case_id(case: dict[str, Any]) -> str:
    """Return the permanent id of a question."""
    asked = case.get("entitlement", {})
    basis = [case["scene"], case["log"], asked.get("unit"), asked.get("what")]
    text = json.dumps(basis, sort_keys=True)
    return f"{case['rulebook']}-{hashlib.sha256(text.encode()).hexdigest()[:10]}"


GENERATED = ("@given", ".draw(", "Random(", "legal_actions(", "closed_actions(", "offered(", "plan(", "plans(", "why(",
             "casualties(", "advise(", "options(", "reach(", "strategies")  # fmt: skip
"""A test whose source has one of these words asks generated or random questions."""


@cache
def _sources(file: str) -> dict[str, str]:
    """Return the source of each test of a file, decorators included."""
    text = Path(file).read_text(encoding="utf-8")
    lines = text.splitlines()
    return {
        node.name: "\n".join(
            lines[
                min([node.lineno, *(d.lineno for d in node.decorator_list)]) - 1 : node.end_lineno
            ]
        )
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef)
    }


def generated_by(test: str) -> str:
    """Return the word of a test's source, or of its file's name, that makes its questions generated; '' if it states them."""
    file, _, name = test.partition("[")[0].partition("::")
    if not name:
        return ""
    if "advi" in file:
        return "advi"
    return next((word for word in GENERATED if word in _sources(file).get(name, "")), "")


class Expected:
    """A test's expectation for one question: a verdict, clauses, points, a factor."""

    def __init__(self, stated: dict[str, Any]) -> None:
        self.verdict: str | None = None
        self.clauses: list[str] = []
        self.is_known = True
        for key, value in stated.items():
            if key.endswith("status") and value in VERDICTS:
                self._claim(value)
        self._read_clauses(stated.get("violations"), stated.get("unsupported"))
        if stated.get("is_legal") in (True, 1):
            self._claim("LEGAL")
        if "allowed" in stated:
            self._claim("LEGAL" if stated["allowed"] else "ILLEGAL")
        factor = stated.get("factor")
        self.is_stated = self.verdict is not None
        self.factor = None if isinstance(factor, (str, bool)) else factor
        self.costs = {
            key: value
            for key, value in stated.items()
            if key.startswith("cost")
            and isinstance(value, (int, float))
            and (value or key == "cost")
        }
        if self.verdict is None and (self.costs or self.factor is not None):
            self.verdict = "LEGAL"

    def _read_clauses(self, violations: Any, unsupported: Any) -> None:
        """Read the clauses a test names; some tests write ``? X`` for an unmodelled X."""
        if isinstance(violations, list) and any(one.startswith("? ") for one in violations):
            violations, unsupported = None, [one.removeprefix("? ") for one in violations]
        if violations:
            self._claim("ILLEGAL")
            self.clauses = violations if isinstance(violations, list) else []
        elif unsupported:
            self._claim("UNSUPPORTED")
            self.clauses = unsupported if isinstance(unsupported, list) else []
        elif violations == []:
            self._claim(self.verdict or "LEGAL")

    def _claim(self, verdict: str | None) -> None:
        if verdict is not None:
            self.is_known = self.is_known and self.verdict in (None, verdict)
            self.verdict = verdict

    def worked(self, found: dict[str, Any]) -> list[str] | None:
        """Return which parts of an answer the test states, or None if they differ or there are none."""
        if self.verdict is None or not self.is_known or found["verdict"] != self.verdict:
            return None
        parts = {"verdict"} if self.is_stated else set()
        if self.clauses:
            if not {*self.clauses} & {*found["clauses"]}:
                return None
            parts.add("clauses")
        for key, value in self.costs.items():
            if value not in _amounts(key.split()[1:], found):
                return None
            parts.add("cost")
        if self.factor is not None:
            if found.get("entitlement", {}).get("factor") != self.factor:
                return None
            parts.add("factor")
        return sorted(parts)


def _amounts(words: list[str], found: dict[str, Any]) -> set[float]:
    """Return the points a stated figure can mean: a clause's charge if one is named, else a sum."""
    clause = next((word for word in words if not word.islower()), None)
    if clause is None:
        return {*found["cost"].values(), sum(found["cost"].values())}
    charges = [one for paid in found["receipts"] for one in paid["charges"]]
    return {sum(one["amount"] for one in charges if one["clause"] == clause)}


def answered(
    case: dict[str, Any], found: dict[str, Any], accepted: Iterable[str]
) -> dict[str, Any]:
    """Return a case with its answer: verdict, accepted clauses, points with their arithmetic."""
    case = {**case, "verdict": found["verdict"]}
    if found["verdict"] != "LEGAL" or "entitlement" in case:
        case["clauses"] = sorted({*accepted} or {*found["clauses"]})
    if found["verdict"] == "LEGAL" and found.get("receipts"):
        case["cost"] = [
            {
                "unit": paid["unit"], "points": paid["points"], "amount": paid["amount"],
                "left": paid["left"], "sum": [[one["clause"], one["amount"]] for one in paid["charges"]],
            }
            for paid in found["receipts"] if paid["charges"]
        ]  # fmt: skip
        if not case["cost"]:
            del case["cost"]
    if found.get("readings"):
        case["reading"] = found["readings"]
    case |= {key: found[key] for key in ("figures", "odds", "exceptions") if found.get(key)}
    if found["verdict"] == "LEGAL" and "after" in found and case["log"]:
        case["after"] = found["after"]
    return case


def case_of(scene: dict[str, Any], log: list[str], asked: dict[str, Any] | None) -> dict[str, Any]:
    """Return a case without an answer."""
    rulebook, plain = drawn_scene(copy.deepcopy(scene))
    case: dict[str, Any] = {"id": "", "rulebook": rulebook, "scene": plain, "log": log}
    if asked:
        case["entitlement"] = asked
    case["id"] = case_id(case)
    return case


def main_clause(case: dict[str, Any], found: dict[str, Any], marks: list[str]) -> str:
    """Return a case's main clause: one it names, a marked one first."""
    charged = [one["clause"] for paid in found.get("receipts", ()) for one in paid["charges"]]
    named = case.get("clauses") or [*found.get("forcing", ()), *charged]
    return next((name for name in named if name in marks), (named or marks or [""])[0])


def known_clauses(rulebook: str, names: Iterable[str]) -> list[str]:
    """Return the names that are clauses of a rulebook."""
    return [name for name in names if name in find_rulebook(rulebook).clauses]


def about(case: dict[str, Any]) -> set[str]:
    """Return the clauses that a case is about."""
    return {case["clause"], *case["about"]} & {*find_rulebook(case["rulebook"]).clauses}


def _showing(case: dict[str, Any], clauses: set[str]) -> set[tuple[str, ...]]:
    """Return what a case can show of some clauses: a verdict, the part that the clause has in it, and the verb of a contrast."""
    parts = {clause: pages.part(case, clause) for clause in about(case) & clauses}
    return {
        (clause, case["verdict"], part, pages.verb(case) if part == "none" else "")
        for clause, part in parts.items()
    }


class Build:
    """The cases found so far, by id, and those left out."""

    def __init__(self) -> None:
        self.cases: dict[str, dict[str, Any]] = {}
        self.left_out: Counter[str] = Counter()
        self.kept: set[str] = set()
        self.asked: list[dict[str, Any]] = []

    def hand(self, rows: Iterable[dict[str, Any]]) -> None:
        """Add the tests' expectations."""
        taken: Counter[str] = Counter()
        for row in rows:
            if word := generated_by(row["test"]):
                name = row["test"].partition("[")[0]
                self.left_out[f"questions of {name}, which are generated (`{word}`)"] += 1
                continue
            if taken[row["test"]] >= MOST and not row["expected"].get("unsupported"):
                self.left_out["more of one test"] += 1
                continue
            asked = {"unit": row["unit"], "what": row["what"]} if "what" in row else None
            taken[row["test"]] += self._add(row, asked)

    def keep(self, cases: Iterable[dict[str, Any]]) -> None:
        """Keep known cases, completing their answers."""
        for case in cases:
            found = reply(case)
            if wrong := faults(case, found):
                self.left_out["differs"] += 1
                print(case["id"], wrong)
                continue
            self.kept.add(case["id"])
            self.cases[case["id"]] = answered(case, found, case.get("clauses", ()))

    def _add(self, row: dict[str, Any], asked: dict[str, Any] | None) -> bool:
        expected = Expected(row["expected"])
        if expected.verdict is None and asked:
            self.asked.append(row)
            return False
        if expected.verdict is None:
            self.left_out["no verdict"] += 1
            return False
        try:
            case = case_of(row["scene"], row["log"], asked)
        except (AssertionError, KeyError):
            self.left_out["board"] += 1
            return False
        known = self.cases.get(case["id"])
        found = reply(case)
        worked = expected.worked(found)
        if worked is None:
            self.left_out["no scene" if found["verdict"] == "ERROR" else "differs"] += 1
            if found["verdict"] != "ERROR":
                print(
                    row["test"],
                    row["log"],
                    row["expected"],
                    found["verdict"],
                    found.get("clauses"),
                    found.get("cost"),
                )
            return False
        if known:
            known["worked"] = sorted({*known["worked"], *worked})
            if known["origin"] == "engine":
                known |= {"origin": "hand", "source": row["test"].partition("[")[0]}
            marked = known_clauses(case["rulebook"], row["marks"])
            known["about"] = [*dict.fromkeys((*known["about"], *marked))]
            return False
        case = answered(case, found, expected.clauses)
        if asked:
            case["entitlement"] = {**asked, **found.get("entitlement", {})}
        clause = main_clause(case, found, row["marks"])
        self.cases[case["id"]] = {**case, "clause": clause, "about": known_clauses(case["rulebook"], row["marks"]), "origin": "hand",
                                  "source": row["test"].partition("[")[0], "worked": worked}  # fmt: skip
        return True

    def entitlements(self) -> None:
        """Add, for entitlement clauses without a case, the engine's answers to the tests' questions."""
        have = {(case["clause"], case["verdict"]) for case in self.cases.values()}
        seen = set[str]()
        for row in sorted(self.asked, key=lambda row: len(json.dumps(row["scene"]))):
            key = json.dumps([row["scene"], row["unit"]])
            if key not in seen:
                seen.add(key)
                self._entitle(row, have)

    def _entitle(self, row: dict[str, Any], have: set[tuple[str, str]]) -> None:
        try:
            position = scene_of(copy.deepcopy(row["scene"])).position
        except BadInputError:
            return
        rulebook = find_rulebook(position.rulebook)
        for entry in rulebook.entitlements(position, position.unit(row["unit"])):
            verdict = "LEGAL" if entry["allowed"] else "ILLEGAL"
            wanted = [one for one in entry["clauses"] if (one, verdict) not in have]
            if not wanted:
                continue
            case = case_of(row["scene"], [], {"unit": row["unit"], "what": entry["what"]})
            found = reply(case)
            if case["id"] in self.cases or found["verdict"] != verdict:
                continue
            have |= {(one, verdict) for one in wanted}
            case = answered(case, found, ())
            case["entitlement"] |= found["entitlement"]
            self.cases[case["id"]] = {**case, "clause": wanted[0], "about": wanted, "origin": "engine",
                                      "source": row["test"].partition("[")[0], "worked": []}  # fmt: skip

    def thin(self) -> None:
        """Delete new cases that no page of a clause could need, above :data:`ALIKE`; keep all that are UNSUPPORTED."""
        new = [case for case in self.cases.values() if case["id"] not in self.kept]
        new.sort(key=lambda case: (-len(case["worked"]), pages.size(case)))
        known = [case for case in self.cases.values() if case["id"] in self.kept]
        wanted = {clause for case in new for clause in about(case)}
        have = {one for case in known for one in _showing(case, wanted)}
        alike = Counter(
            (case["clause"], case["verdict"]) for case in known if case["origin"] == "hand"
        )
        for case in new:
            shows = _showing(case, wanted)
            key = case["clause"], case["verdict"]
            alike[key] += 1
            if alike[key] > ALIKE and shows <= have and case["verdict"] != "UNSUPPORTED":
                del self.cases[case["id"]]
            have |= shows

    def write(self, rulebooks: Iterable[str]) -> None:
        """Write the cases of rulebooks, in the order of their clauses, and what pages show of them."""
        for name in rulebooks:
            order = {clause: n for n, clause in enumerate(find_rulebook(name).clauses)}
            some = [case for case in self.cases.values() if case["rulebook"] == name]
            some.sort(
                key=lambda case: (
                    order.get(case["clause"], len(order)),
                    case["verdict"],
                    case["id"],
                )
            )
            CASES.mkdir(exist_ok=True)
            with (CASES / f"{name}.jsonl").open("w", encoding="utf-8") as file:
                for case in some:
                    file.write(json.dumps(ordered(case)) + "\n")
            pages.write(name, some)


KEYS = ("id", "rulebook", "clause", "about", "reading", "needs", "origin", "source", "worked", "scene", "log",
        "entitlement", "verdict", "clauses", "cost", "figures", "effects", "rolls", "odds", "exceptions", "after")  # fmt: skip


def ordered(case: dict[str, Any]) -> dict[str, Any]:
    """Return a case with its tags, and its fields in the order of the schema."""
    full = {**case, "needs": needs_of(case)}
    return {key: full[key] for key in KEYS if key in full}


def golden() -> Iterator[dict[str, Any]]:
    """Yield the expectations of the ASL golden cases, as rows of a collection."""
    from tests.asl.test_golden import cases

    for parameter in cases():
        case: Any = parameter.values[0]
        try:
            position = position_of(case)
            scene = scene_data(position)
        except BadInputError:
            continue  # a board that scenes cannot state
        found: dict[str, Any] = {"status": case.status}
        for key in ("violations", "unsupported"):
            if named := sorted({one.clause for one in getattr(case, key)}):
                found[key] = named
        last = [one for one in case.receipts if one.step == len(case.log) - 1]
        if len(last) == 1 and case.status == "LEGAL":
            found["cost"] = last[0].amount
        yield {"test": f"tests/golden/asl: {case.id} ({case.source})", "marks": list(case.cited),
               "scene": scene, "log": case.log, "expected": found}  # fmt: skip


def position_of(case: Any) -> Any:
    """Return the position of a golden case, which its test judges."""
    from unittest.mock import patch

    from tests.asl import test_golden

    with patch.object(test_golden, "judge", lambda position, *_: position):
        return test_golden.verdict_on(case)


def collected(tests: list[str]) -> list[dict[str, Any]]:
    """Run tests in a process of its own, and return the questions with the answers that they state."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "rows.jsonl")
        subprocess.run(
            [sys.executable, "-m", "tests.conformance.collect", str(path), *tests], check=True
        )
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def main(tests: list[str]) -> None:
    """
    Add the cases of tests to the rulebooks that these ask about; without tests, renew all rulebooks.

    Print how many cases these have, and which clauses lack one.
    """
    rows = collected(tests) if tests else []
    names = {row["scene"]["rulebook"] for row in rows} or {*RULEBOOKS}
    build = Build()
    for name in names:
        build.keep(read_cases(name))
    build.hand([*(golden() if "asl" in names else ()), *rows])
    build.thin()
    build.entitlements()
    build.write(names)
    cases = build.cases.values()
    for kind in ("origin", "verdict"):
        print(dict(Counter(case[kind] for case in cases)))
    for why, many in build.left_out.items():
        print(f"left out: {many} {why}")
    report()


if __name__ == "__main__":
    main(sys.argv[1:])
