"""Feature tags of a case: what an engine must know to answer it."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import Any

__all__ = ["needs_of"]

PLAIN_UNIT = {"id", "side", "at", "type", "facing"}


def needs_of(case: dict[str, Any]) -> list[str]:
    """Return the tags of a case, sorted: verbs, kinds of units, their states, terrain, counters, conditions."""
    scene = case["scene"]
    tags = {f"verb:{line.split()[0]}" for line in case["log"]}
    tags |= {"entitlement"} if "entitlement" in case else set()
    for unit in scene["units"]:
        tags.add(f"unit:{_kind(case['rulebook'], unit['type'], scene)}")
        tags |= {f"state:{key}" for key in _states(unit)}
    board = scene["board"]
    for place in board["hexes"].values():
        if "terrain" in place:
            tags.add(f"terrain:{_slug(place['terrain'])}")
        tags |= {key for key in ("level", "depression", "also", "hex") if key in place}
    for side in (*board.get("hexsides", {}).values(), *board.get("links", ())):
        tags |= {f"hexside:{_slug(side['terrain'])}"} if side.get("terrain") else set()
        tags |= {"road"} if side.get("road") else set()
        tags |= {key for key in ("path", "slope") if side.get(key)}
    tags |= {f"counter:{_slug(one['kind'])}" for one in scene.get("counters", ())}
    tags |= {
        f"condition:{key}" for key in scene.get("conditions", {}) if key not in ("types", "weapons")
    }
    tags |= {"reading"} if scene.get("interpretations") else set()
    if is_infantry_entry(case):
        tags.add("infantry-entry")
    return sorted(tags)


def is_infantry_entry(case: dict[str, Any]) -> bool:
    """
    Return whether a case is the simplest question of ASL: one squad or leader enters one adjacent hex.

    It has its whole allotment; there are no levels, roads, factories, counters or conditions.
    """
    scene, board = case["scene"], case["scene"]["board"]
    (unit, *others) = scene["units"] or [{}]
    return (
        case["rulebook"] == "asl"
        and "entitlement" not in case
        and not others
        and {*unit} == {"id", "side", "at", "type"}
        and unit["type"] in ("squad", "leader")
        and unit["at"] in board["hexes"]
        and scene["phase"] == "MPh"
        and unit["side"] == scene["side"]
        and re.fullmatch(rf"enter {unit['id']} [A-Z]\d", "; ".join(case["log"])) is not None
        and not {*scene} & {"counters", "interpretations", "pending"}
        and {*scene.get("conditions", {})} <= {"types"}
        and all({*place} <= {"terrain"} for place in board["hexes"].values())
        and not any(
            re.search("Factory|Elevated|Pontoon", place.get("terrain", ""))
            for place in board["hexes"].values()
        )
        and all({*side} <= {"terrain"} for side in board.get("hexsides", {}).values())
        and not {*board} & {"closed", "links", "more"}
    )


def _states(unit: dict[str, Any], prefix: str = "") -> set[str]:
    return {f"{prefix}{key}" for key in unit if key not in PLAIN_UNIT}


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


@cache
def _kinds(rulebook: str) -> dict[str, str]:
    """Return the class of each counter, of PanzerBlitz its kind."""
    types = import_module(f"marchtable_models.{rulebook}.data").unit_types()
    return {
        name: getattr(one, "kind" if rulebook == "panzer" else "class_")
        for name, one in types.items()
    }


def _kind(rulebook: str, name: str, scene: dict[str, Any]) -> str:
    own = {one["name"]: one for one in scene.get("conditions", {}).get("types", ())}
    kind = own[name].get("class", name) if name in own else _kinds(rulebook).get(name, name)
    return _slug(str(kind)) or "other"
