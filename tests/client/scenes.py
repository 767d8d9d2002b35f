"""A scene and a log as plain data for the tests to modify, with paths to fields."""

from __future__ import annotations

import copy
from typing import Any

from marchtable.codec.plain import read
from marchtable.rules.rulebook import find_rulebook

__all__ = ["DEMO", "LOG", "PENDING", "STACK", "STACK_FILE", "broken", "log", "scene"]

_FOLDER = find_rulebook("asl").demo
assert _FOLDER is not None
DEMO = _FOLDER
"""The folder of the demonstration."""
_STACKS = find_rulebook("valor").demo
assert _STACKS is not None
STACK_FILE = _STACKS / "stack.toml"
"""A stack under fire."""
STACK: dict[str, Any] = read(STACK_FILE)[0]

_SCENE: dict[str, Any] = {
    "format": "marchtable/scene/2",
    "name": "yard",
    "rulebook": "asl",
    "board": "demo",
    "side": "german",
    "phase": "MPh",
    "turn": 2,
    "conditions": {"month": 7},
    "interpretations": {"D2.12c": "any"},
    "counters": [{"kind": "smoke", "at": "C5", "until": "phase"}],
    "units": [
        {"id": "truck", "side": "german", "at": "B4", "type": "opel-blitz", "facing": "E"},
        {"id": "ldr", "side": "german", "at": "B3", "type": "leader"},
        {
            "id": "sq",
            "side": "german",
            "at": "B3",
            "type": "squad",
            "sw": [{"name": "MG", "pp": 5}],
            "spent": 1.5,
            "used": 1.5,
            "mph": "moving",
        },
        {"id": "gone", "side": "russian", "at": "-", "type": "squad"},
    ],
}
PENDING = {
    "id": "bog:truck", "clause": "D8.21a", "unit": "truck",
    "outcomes": [{"outcome": "mobile", "chance": 30, "of": 36}],
}  # fmt: skip
"""A roll due for the truck."""
LOG = ("start truck", "enter truck C5", "enter truck D5 extra=0.5", "stop truck")


def scene(**changes: Any) -> dict[str, Any]:
    """Return a fresh scene with some keys changed."""
    return {**copy.deepcopy(_SCENE), **changes}


def log(*entries: Any, **changes: Any) -> dict[str, Any]:
    """Return a fresh log."""
    return {"format": "marchtable/log/1", "log": list(entries or LOG), **changes}


def broken(path: str, value: Any) -> dict[str, Any]:
    """Return the scene with the value at a path (``units.0.at``) changed or added."""
    found = scene()
    *way, last = path.split(".")
    here: Any = found
    for step in way:
        here = here[int(step)] if isinstance(here, list) else here[step]
    if isinstance(here, list):
        here[int(last)] = value
    else:
        here[last] = value
    return found
