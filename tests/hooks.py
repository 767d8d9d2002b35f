"""Count what a rulebook can define: ``python -m tests.hooks`` lists it by what it is for.

A hook is a public method of :class:`Rulebook` or one of its bases that is not ``final``; an attribute is a class
variable. What reach asks, and what decides which units are alike, is listed apart: it goes once reads are noted.
"""

from __future__ import annotations

import sys
from typing import Any

from marchtable.rules.datafiles import DataFiles
from marchtable.rules.plan_hooks import PlanHooks
from marchtable.rules.rulebook import Rulebook
from marchtable.rules.sight_hooks import SightHooks
from marchtable.rules.travel import Travel

__all__ = ["APART", "attributes", "hooks"]

APART = ("reach", "equivalence")
EQUIVALENCE = ("alike", "equivalence", "distant_facts")
ROOMS: dict[str, type[Any]] = {
    "data": DataFiles, "judging and answers": Rulebook, "plans": PlanHooks, "sight": SightHooks, "reach": Travel,
}  # fmt: skip


def hooks() -> dict[str, list[str]]:
    """Return the methods that a game can define, by what they are for."""
    found: dict[str, list[str]] = {room: [] for room in (*ROOMS, "equivalence")}
    for room, base in ROOMS.items():
        for name, method in vars(base).items():
            is_open = callable(method) and not hasattr(method, "__final__")
            if is_open and not name.startswith("_"):
                found["equivalence" if name in EQUIVALENCE else room].append(name)
    return found


def attributes() -> dict[str, list[str]]:
    """Return the class variables that a game can set, by what they are for."""
    found = {
        name: room
        for room, base in ROOMS.items()
        for name, kind in base.__annotations__.items()
        if "ClassVar" in kind
    }
    return {room: [name for name, of in found.items() if of == room] for room in ROOMS}


def main() -> None:
    """Print both lists and their sums."""
    for title, rooms in (("hooks", hooks()), ("attributes", attributes())):
        apart = sum(len(rooms.get(room, ())) for room in APART)
        rest = sum(map(len, rooms.values())) - apart
        sys.stdout.write(f"{title}: {rest}, and {apart} of reach and equivalence\n")
        for room, names in rooms.items():
            sys.stdout.write(f"  {room}, {len(names)}: {' '.join(names)}\n")


if __name__ == "__main__":
    main()
