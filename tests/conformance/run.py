#!/usr/bin/env python3
"""Run the conformance cases against an engine, and print its score by feature.

``python run.py [--rulebook NAME] [--need TAG] -- COMMAND...`` starts the engine, writes one question a line to
its standard input, reads one answer a line from its standard output, and compares. ``--tags`` lists the tags
instead, with the number of their cases. This file needs nothing but Python; README.md describes questions and
answers. Exit code: 0 if no answer is wrong, 10 if one is, 2 if the engine or an option cannot be used.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

CASES = Path(__file__).parent / "cases"
ASKED = ("id", "rulebook", "needs", "scene", "log", "entitlement")
"""The fields of a case given to the engine."""


def read_cases(rulebook: str = "", need: str = "") -> list[dict[str, Any]]:
    """Return the cases of a rulebook (by default of all) that have a tag."""
    paths = sorted(CASES.glob("*.jsonl"))
    found = [
        json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines()
    ]
    return [
        case for case in found
        if rulebook in ("", case["rulebook"]) and need in ("", *case["needs"])
    ]  # fmt: skip


def question(case: dict[str, Any]) -> dict[str, Any]:
    """Return the engine's question: the case without its answer."""
    asked = {key: case[key] for key in ASKED if key in case}
    if "entitlement" in asked:
        asked["entitlement"] = {key: asked["entitlement"][key] for key in ("unit", "what")}
    return asked


def faults(case: dict[str, Any], answer: dict[str, Any]) -> list[str]:
    """Return the wrong fields of an answer.

    The verdict must be the case's. If it is ILLEGAL or UNSUPPORTED, one of the accepted clauses must be among
    those cited. Points, effects, rolls, odds, figures and what is different afterwards are compared if the answer has them.
    Texts are never compared.
    """
    if answer.get("verdict") != case["verdict"]:
        return ["verdict"]
    wrong = []
    if case.get("clauses") and not {*case["clauses"]} & {*answer.get("clauses", ())}:
        wrong.append("clauses")
    if "cost" in case and "cost" in answer:
        costs = Counter[str]()
        for one in case["cost"]:
            costs[one["unit"]] += one["amount"]
        if any(answer["cost"].get(unit, 0) != amount for unit, amount in costs.items()):
            wrong.append("cost")
    if "cost" in case and "left" in answer:
        left = {one["unit"]: one["left"] for one in case["cost"]}
        if any(answer["left"].get(unit) != amount for unit, amount in left.items()):
            wrong.append("left")
    wrong += [
        key
        for key in ("effects", "rolls", "figures", "odds", "exceptions")
        if key in case and key in answer and _sorted(case[key]) != _sorted(answer[key])
    ]
    after, now = case.get("after", {}), answer.get("after", {})
    wrong += [f"after.{key}" for key in after if key in now and after[key] != now[key]]
    expected, given = case.get("entitlement", {}), answer.get("entitlement", {})
    if "factor" in expected and "factor" in given and expected["factor"] != given["factor"]:
        wrong.append("factor")
    return wrong


def _differs(field: str, case: dict[str, Any], answer: dict[str, Any]) -> str:
    """Return a field with what is expected and what the engine answered, cut at 100 characters."""
    values = [json.dumps(one.get(field))[:100] for one in (case, answer) if field in one]
    return f"{field} (expected {values[0]}, got {values[1]})" if len(values) > 1 else field


def _sorted(entries: Any) -> list[str]:
    found = entries.items() if isinstance(entries, dict) else entries
    return sorted(json.dumps(entry, sort_keys=True) for entry in found)


def answers(command: list[str], cases: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the engine's answer to each case, in order."""
    try:
        started = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
    except OSError as error:
        raise EngineError(f"cannot start {command[0]!r}: {error.strerror}") from None
    with started as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        for case in cases:
            try:
                engine.stdin.write(json.dumps(question(case)) + "\n")
                engine.stdin.flush()
            except BrokenPipeError:
                line = ""
            else:
                line = engine.stdout.readline()
            if not line:
                raise EngineError(f"the engine ended at case {case['id']}, without an answer")
            yield answer_in(line, case["id"])
        engine.stdin.close()


def answer_in(line: str, case: str) -> dict[str, Any]:
    """Return the answer on a line of the engine."""
    try:
        found = json.loads(line)
    except ValueError:
        found = None
    if not isinstance(found, dict) or not isinstance(found.get("verdict"), str):
        raise EngineError(
            f'case {case}: expected a line of JSON such as {{"verdict": "SKIP"}}, got {line.strip()[:80]!r}'
        )
    return found


class EngineError(Exception):
    """An engine that cannot be started, ends early, or writes an invalid answer."""


class Score:
    """Counts of right, wrong and skipped answers, in total and by feature."""

    def __init__(self) -> None:
        self.counts: dict[str, Counter[str]] = {}
        self.wrong: list[tuple[str, list[str]]] = []

    def add(self, case: dict[str, Any], answer: dict[str, Any]) -> None:
        """Count an answer under each feature that its case needs."""
        wrong = [] if answer.get("verdict") == "SKIP" else faults(case, answer)
        kind = "wrong" if wrong else "skipped" if answer.get("verdict") == "SKIP" else "right"
        for tag in ("all", case["rulebook"], *case["needs"]):
            self.counts.setdefault(tag, Counter())[kind] += 1
        if wrong:
            self.wrong.append((case["id"], [_differs(key, case, answer) for key in wrong]))

    def lines(self) -> Iterator[str]:
        """Yield the score: one line a feature, "passed" if all answers are right."""
        for tag, counts in self.counts.items():
            passed = counts["right"] == counts.total()
            yield (f"{tag:32} {counts['right']:5} of {counts.total():5} right, {counts['wrong']:4} wrong,"
                   f" {counts['skipped']:4} skipped{'  passed' * passed}")  # fmt: skip


def main(arguments: list[str]) -> int:
    """Run the suite; return the exit code."""
    parser = argparse.ArgumentParser(prog="run.py", description="Score an engine by feature.")
    books = sorted(path.stem for path in CASES.glob("*.jsonl"))
    parser.add_argument("--rulebook", default="", choices=["", *books], help="default: all")
    parser.add_argument("--need", default="", help="only cases with this tag")
    parser.add_argument(
        "--tags", action="store_true", help="list the tags, and how many cases have them"
    )
    parser.add_argument("command", nargs="*", help="the engine and its arguments, after --")
    given = parser.parse_args(arguments)
    cases, score = read_cases(given.rulebook, given.need), Score()
    tags = Counter(tag for case in read_cases(given.rulebook) for tag in case["needs"])
    if given.need and given.need not in tags:
        near = ", ".join(difflib.get_close_matches(given.need, tags)) or "none"
        parser.error(f"no case needs {given.need!r}; nearest: {near} (--tags lists all)")
    if given.tags:
        print("\n".join(f"{tag:32} {count:5}" for tag, count in sorted(tags.items())))
        return 0
    if not given.command:
        parser.error("expected the engine's command after --, such as: -- node engine.mjs")
    try:
        for case, answer in zip(cases, answers(given.command, cases), strict=True):
            score.add(case, answer)
    except EngineError as error:
        print(f"run.py: {error}", file=sys.stderr)
        return 2
    print("\n".join(score.lines()))
    for name, wrong in score.wrong:
        print(f"wrong: {name}: {', '.join(wrong)}")
    return 10 if score.wrong else 0


if __name__ == "__main__":
    try:
        code = main(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:  # such as after `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code)
