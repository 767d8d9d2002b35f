"""Quick plans with a Gap: those behind stop in the Impulse in which they would have followed."""

from __future__ import annotations

from typing import Any

from marchtable.planning.goal import Aim, Goal
from marchtable.planning.loop import plan
from tests.asl.boards import field, foot, place, vehicle

ROADS = ("A1-A2", "A3-A4", "A4-A5", "A6-A7")


def test_who_stops_need_not_pay_for_following() -> None:
    """The last would pay more to follow off the road than the Impulse costs in which it stops."""
    hexes: dict[str, Any] = {f"A{row}": {} for row in range(1, 8)}
    board = field(hexes, {side: {"road": "Dirt Road"} for side in ROADS})
    trucks = [
        vehicle(f"t{n}", "tr-28", at=f"A{3 + n}", rank=n, facing="NNE", convoy="c", moving=True,
                sees=("e",) if n > 1 else (), spent=36)
        for n in (1, 2, 3)
    ]  # fmt: skip
    position = place(board, *trucks, foot("e", at="A1", side="russian"))
    aims = (
        Aim(units=("t2",), at=("A6", "A4"), must="all"),
        Aim(units=("t1",), near=("A2",)),
        Aim(units=("t3",), at=("A6",), must="all"),
    )
    found = plan(position, Goal(aims=aims), space="convoy-gaps")
    assert found.status == "OPTIMAL"
    assert found.plans[0].score["value"] == 2
