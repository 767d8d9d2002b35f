"""A stopped truck, a squad to board it, and the rulings on loading and unloading there."""

from __future__ import annotations

from typing import Any

from marchtable.files.notation import points
from tests.asl.boards import ASL, field, foot, judge, last, place, vehicle

__all__ = ["ROW", "left", "loading", "truck", "unloading"]

ROW = field({name: {} for name in ("A1", "A2", "B1", "C1", "C2", "D1", "D2")})


def truck(kind: str = "opel-blitz", **fields: Any) -> Any:
    """Return a stopped truck at B1."""
    return vehicle("t", kind, **{"moving": False, **fields})


def left(ruling: Any, name: str = "t") -> float:
    """Return a unit's remaining points after a step."""
    after = ruling.after
    return points(ASL.allotment(after, after.unit(name)) - after.unit(name).points.spent)


def loading(*units: Any, line: str = "load u t", by: Any = None, **scene: Any) -> Any:
    """Return the ruling on loading at B1."""
    return judge(place(ROW, by or truck(), *units, **scene), line).rulings[-1]


def unloading(*lines: str, by: Any = None, units: tuple[Any, ...] = (), **scene: Any) -> Any:
    """Return the ruling on the last of these lines, with a squad aboard the truck."""
    aboard = units or (foot(aboard="t"),)
    return last(place(ROW, by or truck(), *aboard, **scene), *(lines or ("unload u",)))
