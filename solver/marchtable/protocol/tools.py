"""The engine's methods as tools: a name, a description, and the JSON Schema of the arguments."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.answers.requests import REQUESTS
from marchtable.answers.schema import schema
from marchtable.protocol.methods import VERBS

if TYPE_CHECKING:
    from marchtable.protocol.methods import Methods

__all__ = ["INSTRUCTIONS", "Tool", "tools"]

INSTRUCTIONS = """\
marchtable judges moves of tactical wargames by their rulebooks and cites the clause for every verdict.
Write a scene ('schema' describes its shape, 'known' lists valid names; board "demo" is the rulebook's own),
'open' it, and ask with the position's handle: 'options' and 'legal_actions' for what can be done, 'check'
for whether a log is legal and why not, 'reach', 'plan' and 'why'. 'apply' plays actions and gives a new
handle; 'show' draws. Statuses: LEGAL, ILLEGAL, UNSUPPORTED (an unmodelled clause applies to it),
OPTIMAL, FEASIBLE, IMPOSSIBLE (proved), UNKNOWN (not settled in time)."""

HIDDEN = ("about",)
DESCRIPTIONS = {
    "schema": "Return the JSON Schema of a scene, a log, a goal, a request or an answer.",
    "known": "List valid names for scenes and logs: unit types, terrain, verbs, counters, weapons, nationalities.",
    "open": "Read a scene, keep its position, and return a handle for it.",
    "apply": "Play actions on a position, if they are legal, and keep the position they lead to.",
    "scene": "Return a position as a scene's table.",
    "show": "Draw a position: its units on the map, a unit's reach, or the path of actions.",
    "close": "Forget a position.",
}
_POSITION = {
    "type": "string",
    "description": "Handle of an open position, instead of scene.",
}


class Tool(NamedTuple):
    """A tool: its name, its description, and the schema of its arguments."""

    name: str
    description: str
    arguments: dict[str, Any]


def tools(methods: Methods) -> list[Tool]:
    """Return all tools."""
    found = [_verb(name, kind) for name, kind in zip(VERBS, REQUESTS, strict=True)]
    for name, kind in methods.own.items():
        if name not in HIDDEN:
            found.append(
                Tool(name, DESCRIPTIONS[name], _flat(msgspec.json.schema(kind), kind.__name__))
            )
    return found


def _verb(name: str, kind: type[msgspec.Struct]) -> Tool:
    """Return the tool of a verb: its request, with a position's handle instead of the scene."""
    flat = _flat(schema("request"), kind.__name__)
    properties = {key: value for key, value in flat["properties"].items() if key != "verb"}
    required = [key for key in flat.get("required", ()) if key not in ("verb", "scene")]
    if "scene" in properties:
        properties = {"position": _POSITION, **properties}
    return Tool(
        name, inspect.getdoc(kind) or name, {**flat, "properties": properties, "required": required}
    )


def _flat(whole: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the schema of one struct, including the others that it refers to."""
    definitions = dict(whole["$defs"])
    found = {
        key: value
        for key, value in definitions.pop(name).items()
        if key not in ("title", "description")
    }
    used = _used(found, definitions)
    return {**found, "$defs": {key: definitions[key] for key in used}} if used else found


def _used(found: Any, definitions: dict[str, Any]) -> list[str]:
    """Return the names of the definitions to which a schema refers, directly or indirectly."""
    waiting, names = [found], list[str]()
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            name = str(one.get("$ref", "")).removeprefix("#/$defs/")
            if name in definitions and name not in names:
                names.append(name)
                waiting.append(definitions[name])
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return names
