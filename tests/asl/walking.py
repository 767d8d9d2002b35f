"""A line of hexes, and how far units walk along it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.asl.boards import field, foot, judge, place

if TYPE_CHECKING:
    from marchtable.board.board import Board

__all__ = ["LINE", "WAY", "walk", "walker"]

LINE: Board = field(
    {name: {} for name in ("A1", "B1", "C2", "D2", "E3", "F3", "G4", "H4", "I5", "J5")}
)
"""A line of Open Ground, longer than any unit's MF, from A1 along WAY."""
WAY = tuple(LINE.index)[1:]


def walk(
    *units: Any, who: str = "u", board: Board = LINE, before: tuple[str, ...] = (), **scene: Any
) -> int:
    """Return how many hexes of the line the units can walk."""
    position = place(board, *units, **scene)
    verdict = judge(position, *before, *(f"enter {who} {name}" for name in WAY))
    assert verdict.status == "ILLEGAL"  # the line is longer than any unit's MF
    assert {v.clause for v in verdict.violations if not v.after} == {"A4.11b"}
    return next(v.step for v in verdict.violations) - len(before)


def walker(name: str = "u", kind: str = "squad", **fields: Any) -> Any:
    """Return a unit on foot at the head of the line."""
    return foot(name, kind, at="A1", **fields)
