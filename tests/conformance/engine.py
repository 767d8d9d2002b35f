"""
The engine of this project on the suite's line protocol: ``python -m tests.conformance.engine``.

Each question goes through :func:`marchtable.answer`, as any client's would.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from marchtable import answer
from tests.conformance.drawing import board_of

__all__ = ["reply", "scene_of_case"]


def scene_of_case(case: dict[str, Any]) -> dict[str, Any]:
    """Return the scene of a case as a scene file's plain data."""
    scene = case["scene"]
    return {
        "format": "marchtable/scene/2",
        "rulebook": case["rulebook"],
        **scene,
        "board": board_of(scene["board"]),
    }


def reply(case: dict[str, Any]) -> dict[str, Any]:
    """
    Return the engine's answer to a question.

    Returns
    -------
    dict
        ``id``, ``verdict``, ``clauses``; of the log's last entry ``cost`` in points by unit, and ``effects``; ``rolls``
        that are due after it. For an entitlement its ``factor`` and clauses.
    """
    scene = scene_of_case(case)
    if "entitlement" in case:
        return {"id": case["id"], **_entitlement(scene, case["entitlement"])}
    found = answer({"verb": "check", "scene": scene, "log": case["log"]})
    if found["status"] == "ERROR":
        return {"id": case["id"], "verdict": "ERROR", "message": found["error"]["message"]}
    last = len(case["log"]) - 1
    cited = found["violations"] if found["status"] == "ILLEGAL" else found["unsupported"]
    cost: dict[str, float] = {}
    for paid in found["receipts"]:
        if paid["step"] == last:
            cost[paid["unit"]] = cost.get(paid["unit"], 0) + paid["amount"]
    return {
        "id": case["id"],
        "verdict": found["status"],
        "clauses": sorted({one["clause"] for one in cited}),
        "cost": cost,
        "effects": [
            {key: one.get(key) for key in ("unit", "field", "value")}
            for one in found["effects"]
            if one["step"] == last
        ],
        "rolls": sorted({one["id"] for one in found["obligations"]}),
        "receipts": [paid for paid in found["receipts"] if paid["step"] == last],
        "readings": found["interpretations"],
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
    """Answer each line of standard input by a line on standard output."""
    for line in sys.stdin:
        print(json.dumps(reply(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
