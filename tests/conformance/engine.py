"""The engine of this project on the suite's line protocol: ``python -m tests.conformance.engine``.

Each question goes through :func:`marchtable.answer`, as any client's does.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from marchtable import answer
from marchtable.files.cases import scene_of_case

__all__ = ["changes", "figures", "odds", "reply"]


def reply(case: dict[str, Any]) -> dict[str, Any]:
    """
    Return the engine's answer to a question.

    Returns
    -------
    dict
        ``id``, ``verdict``, ``clauses``; of the log's last entry ``cost`` in points by unit, what is ``left``, ``effects``, the
        ``figures`` of an attack; ``rolls`` that are due with their ``odds``, and what is different ``after`` the log. For an
        entitlement its ``factor`` and clauses.
    """
    scene = scene_of_case(case["rulebook"], case["scene"])
    if "entitlement" in case:
        return {"id": case["id"], **_entitlement(scene, case["entitlement"])}
    found = answer({"verb": "check", "scene": scene, "log": case["log"], "then": True})
    if found["status"] == "ERROR":
        return {"id": case["id"], "verdict": "ERROR", "message": found["error"]["message"]}
    last = len(case["log"]) - 1
    cited = found["violations"] if found["status"] == "ILLEGAL" else found["unsupported"]
    cost: dict[str, float] = {}
    for paid in found["receipts"]:
        if paid["step"] == last:
            cost[paid["unit"]] = cost.get(paid["unit"], 0) + paid["amount"]
    result = [one for one in found.get("details", ()) if one["step"] == last]
    after = {"after": changes(scene, found["scene"])} if "scene" in found else {}
    return {
        "id": case["id"],
        "verdict": found["status"],
        "clauses": sorted({one["clause"] for one in cited}),
        "cost": cost,
        "left": {paid["unit"]: paid["left"] for paid in found["receipts"] if paid["step"] == last},
        "figures": figures(case["rulebook"], result),
        "exceptions": sorted({one["clause"] for one in found["exceptions"] if one["step"] == last}),
        "odds": odds(found["obligations"]),
        **after,
        "effects": [
            {key: one.get(key) for key in ("unit", "field", "value")}
            for one in found["effects"]
            if one["step"] == last
        ],
        "rolls": sorted({one["id"] for one in found["obligations"]}),
        "receipts": [paid for paid in found["receipts"] if paid["step"] == last],
        "readings": found["interpretations"],
    }


def figures(rulebook: str, details: list[dict[str, Any]]) -> dict[str, Any]:
    """Return an attack's figures: its strength, its modifiers, and the points for each roll."""
    if rulebook == "asl":  # whose details are no part of an answer
        return {}
    return {
        one["what"]: {each["outcome"]: each["value"] for each in one["outcomes"]} or one["value"]
        for one in details
        if isinstance(one["value"], (int, float))
    }


def odds(rolls: list[dict[str, Any]]) -> dict[str, dict[str, list[int]]]:
    """Return the outcomes of each due roll, with their chances as fractions."""
    return {
        roll["id"]: {one["outcome"]: [one["chance"], one["of"]] for one in roll["outcomes"]}
        for roll in rolls
        if roll["outcomes"]
    }


def changes(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of units that a log changed, by id (null for a unit that is gone), and of conditions, and all counters."""
    known = {unit["id"]: unit for unit in before["units"]}
    units = {}
    for unit in after["units"]:
        was = known.pop(unit["id"], {})
        if was != unit:
            units[unit["id"]] = {
                key: unit.get(key) for key in sorted({*was, *unit}) if was.get(key) != unit.get(key)
            }
    counters = sorted(f"{one['kind']} {one['at']}" for one in after.get("counters", ()))
    conditions = [scene.get("conditions", {}) for scene in (before, after)]
    return {
        "units": units | dict.fromkeys(known),
        "counters": counters,
        "conditions": {
            key: conditions[1].get(key)
            for key in sorted({*conditions[0], *conditions[1]} - {"types", "weapons"})
            if conditions[0].get(key) != conditions[1].get(key)
        },
    }


def _entitlement(scene: dict[str, Any], asked: dict[str, Any]) -> dict[str, Any]:
    found = answer({"verb": "options", "scene": scene, "unit": asked["unit"]})
    if found["status"] == "ERROR":
        return {"verdict": "ERROR", "message": found["error"]["message"]}
    for unit in found["units"]:
        for entry in unit["entitlements"]:
            if (unit["unit"], entry["what"]) == (asked["unit"], asked["what"]):
                return {
                    "verdict": "LEGAL" if entry["allowed"] else "ILLEGAL",
                    "clauses": entry["clauses"],
                    "entitlement": {"factor": entry["factor"]},
                }
    return {"verdict": "ILLEGAL", "clauses": []}


def main() -> None:
    """Answer each line of standard input with a line on standard output."""
    for line in sys.stdin:
        print(json.dumps(reply(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
