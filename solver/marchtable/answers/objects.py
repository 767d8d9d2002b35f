"""Actions in answers as objects, in addition to their lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.codec.structs import builtins_of
from marchtable.files.notation import parse_action

if TYPE_CHECKING:
    from marchtable.rules.rulebook import Rulebook

__all__ = ["add_objects"]


def add_objects(answer: Any, rulebook: Rulebook[Any, Any]) -> None:
    """Add to each ``action`` of an answer its ``object``, to each ``log`` its ``objects``."""

    def read(line: str) -> Any:
        return builtins_of(parse_action(line, rulebook))

    waiting = [answer]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting += one
        elif isinstance(one, dict):
            waiting += one.values()
            if isinstance(line := one.get("action"), str):
                one["object"] = read(line)
            if isinstance(log := one.get("log"), list):
                one["objects"] = [read(line) for line in log]
