"""Ask a tree's planners, and compare the answers of two trees.

``python PATH/answers.py ask QUESTIONS ANSWERS``, run with the tree to be asked on the path (it needs
nothing but ``marchtable``), adds a line for each question that has none yet; ``python PATH/answers.py
compare QUESTIONS OLD NEW`` reports those that differ and how long both took. What each plan's log is
worth to the other tree distinguishes a planner's fault from a rule that has changed: ``... judge QUESTIONS OLD
NEW`` rules on the logs of both. ``... time QUESTIONS NUMBER`` says how long one takes at first and again.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import marchtable

Data = dict[str, Any]
RESPECTS = ("strength", "firepower", "wasted")
RUNS = 4
UNPROVED = ("FEASIBLE", "UNKNOWN")
OTHERS = ("IMPOSSIBLE", "UNSUPPORTED")
"""Without the stated clauses others also forbid it: a minimal set may be one of several."""


def read(path: str) -> list[Data]:
    """Return the lines of a file, none if it does not exist."""
    file = Path(path)
    return (
        [*map(json.loads, file.read_text(encoding="utf-8").splitlines())] if file.exists() else []
    )


def stated(request: Data) -> Data:
    """Return the parts of an answer on which two trees must agree, and the logs."""
    found: Any = marchtable.answer(request)
    status = found["status"]
    if status == "ERROR":
        return {"status": status, "error": found["error"]["message"]}
    if request["verb"] == "plan":
        sought = request.get("pareto") or [*found["bound"]]
        plans = [
            {
                "status": each["status"], "log": each["log"],
                "score": {name: each["objective"][name] for name in sought},
            }
            for each in found["plans"]
        ]  # fmt: skip
        bound = found["bound"] if status in UNPROVED else None
        return {"status": status, "plans": plans, "bound": bound}
    if request["verb"] == "why":
        conflict = found["conflict"]
        forbidding = None if conflict is None else sorted({each["clause"] for each in conflict})
        return {
            "status": status,
            "forbidding": forbidding,
            "verified": _verified(request, forbidding),
        }
    return {
        "status": status,
        "count": found.get("count"),
        "ways": found.get("ways"),
        **_taken(found),
    }


def _taken(found: Data) -> Data:
    """Return the ways of taking losses and their values."""
    best = found.get("best") or {}
    value = (best.get("plan") or {}).get("value")
    plans = found.get("allocations", ())
    kinds = {x["unit"]: f"{x['type']} {x['pinned']}" for x in found.get("units", ())}
    losses = [
        sorted([kinds[x["unit"]], x["result"], x["points"]] for x in way["losses"]) for way in plans
    ]
    front = [[each[name] for name in RESPECTS] for each in found.get("pareto", ())]
    return {"best": value, "listed": sorted(losses), "front": sorted(front)}


def _verified(request: Data, forbidding: list[str] | None) -> str:
    """Return the plan with the clauses off that are said to forbid it."""
    if not forbidding:
        return ""
    asked = {**request, "verb": "plan"}
    with marchtable.without(*forbidding):
        return str(marchtable.answer(asked)["status"])


def ask(questions: str, answers: str) -> None:
    """Answer the questions without an answer."""
    done = {(each["kind"], each["seed"]) for each in read(answers)}
    with Path(answers).open("a", encoding="utf-8") as out:
        for each in read(questions):
            if (each["kind"], each["seed"]) in done:
                continue
            begun = time.process_time()
            try:
                found = stated(each["request"])
            except Exception as error:  # a failure is an answer, too
                found = {"status": "FAILED", "error": f"{type(error).__name__}: {error}"[:300]}
            taken = time.process_time() - begun
            line = {"kind": each["kind"], "seed": each["seed"], "stated": found, "seconds": taken}
            out.write(json.dumps(line) + "\n")
            out.flush()


def _scores(found: Data) -> Any:
    """Return what is proved about plans, in any order: about a front, or about equally good ones."""
    result = [sorted(each["score"].items()) for each in found["plans"]]
    return sorted(result)


def difference(old: Data, new: Data) -> str:
    """Return how two answers differ, nothing if they agree in everything both prove."""
    if "forbidding" in new and new["status"] == old["status"]:
        if new["verified"] in OTHERS and old["verified"] not in OTHERS:
            return f"not verified: {new['forbidding']} {new['verified']}"
        a, b = old["forbidding"], new["forbidding"]
        if a is not None and b is not None and len(a) < len(b):
            return f"reasons {a} -> {b}"
        return ""
    if old["status"] != new["status"]:
        return f"{old['status']} {old.get('error', '')} -> {new['status']} {new.get('error', '')}"
    if "plans" in new and (a := _scores(old)) != (b := _scores(new)):
        return f"{a} -> {b}"
    for key in new:
        if key not in ("plans", "status", "bound", "verified") and old.get(key) != new[key]:
            return f"{key}: {old.get(key)} -> {new[key]}"
    return ""


def compare(questions: str, before: str, after: str) -> None:
    """Report how the answers of two trees differ, and write the logs of those that do."""
    old = {(each["kind"], each["seed"]): each for each in read(before)}
    new = {(each["kind"], each["seed"]): each for each in read(after)}
    asked = {(each["kind"], each["seed"]): each for each in read(questions)}
    kinds: dict[str, list[Any]] = defaultdict(list)
    for key in asked:
        if key in old and key in new:
            kinds[key[0]].append(key)
    for kind, keys in kinds.items():
        sorts, wrong = Counter[str](), 0
        for key in keys:
            a, b = old[key]["stated"], new[key]["stated"]
            sorts[b["status"]] += 1
            if said := difference(a, b):
                wrong += 1
                sys.stdout.write(f"{kind} {key[1]}: {said[:400]}\n")
        taken = [sum(each[key]["seconds"] for key in keys) for each in (old, new)]
        sys.stdout.write(
            f"{kind}: {len(keys)} questions ({dict(sorts)}), {wrong} differ;"
            f" {taken[0]:.1f} and {taken[1]:.1f} s\n"
        )


def judge(questions: str, *answers: str) -> None:
    """Report this tree's verdicts on the logs of differing answers, old and new."""
    old, new = ({(each["kind"], each["seed"]): each["stated"] for each in read(a)} for a in answers)
    for each in read(questions):
        key = each["kind"], each["seed"]
        if key not in old or key not in new or not difference(old[key], new[key]):
            continue
        scene = each["request"]["scene"]
        said = [[ruled(scene, log) for log in logs_of(found[key])] for found in (old, new)]
        sys.stdout.write(json.dumps([*key, *said]) + "\n")


def logs_of(found: Data) -> list[Any]:
    """Return the logs in an answer."""
    return [each["log"] for each in found.get("plans", ())]


def ruled(scene: Data, log: Any) -> list[Any]:
    """Return the clauses that a log violates first, or that are not modelled, and the total charge of each."""
    found: Any = marchtable.answer({"verb": "check", "scene": scene, "log": log})
    if found["status"] == "ERROR":
        return [[found["error"]["message"]], {}]
    charged = Counter[str]()
    for receipt in found["receipts"]:
        for each in receipt["charges"]:
            charged[each["clause"]] += each["amount"]
    bars = [*found["violations"], *found["unsupported"]]
    first = min((each["step"] or 0 for each in bars), default=0)
    return [sorted({each["clause"] for each in bars if (each["step"] or 0) == first}), charged]


def clock(questions: str, number: str) -> None:
    """Report the milliseconds of processor time of a plan, first in a process, then at least."""
    asked = read(questions)[int(number)]
    request = asked["request"]
    with TemporaryDirectory() as folder:
        for name in ("scene", "goal"):
            Path(folder, f"{name}.json").write_text(json.dumps(request[name]), encoding="utf-8")
        position = marchtable.load(Path(folder, "scene.json"))
        goal = marchtable.load_goal(Path(folder, "goal.json"), position)
    taken = []
    for _ in range(RUNS):
        begun = time.process_time()
        found = marchtable.plan(position, goal, space=request["space"])
        taken.append(round((time.process_time() - begun) * 1e3, 1))
    reached = [*found.plans[0].reached] if found.plans else None
    line = [asked["kind"], asked["seed"], taken[0], min(taken[1:]), found.status, reached]
    sys.stdout.write(json.dumps(line) + "\n")


def main() -> None:
    """Ask, compare, judge or time."""
    verbs: Any = {"ask": ask, "compare": compare, "judge": judge, "time": clock}
    verbs[sys.argv[1]](*sys.argv[2:])


if __name__ == "__main__":
    main()
