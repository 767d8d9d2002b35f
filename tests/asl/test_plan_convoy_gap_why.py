"""Gaps: quick plans in which those behind stop as they would have followed, and why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.planning.loop import plan
from marchtable.planning.reasons import ANY
from marchtable.state.goal import Aim, Goal
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.convoy.gapmodel import GapModel
from tests.asl.boards import field, foot, place, vehicle
from tests.asl.convoys_by_hand import by_road
from tests.asl.test_plan_convoy import Lent, model

if TYPE_CHECKING:
    import pytest

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


# -- why not -------------------------------------------------------------------------------------------


def in_need(last: str) -> Any:
    """Return three trucks of which the last two have a reason to leave, eight hexes of road ahead."""
    position = by_road(3, 9, last=last)
    hit = [replace(position.unit(name), attacked=True) for name in ("t2", "t3")]
    return position.with_units(hit)


def wanted(unit: str) -> Goal:
    """Return the goal that a truck ends at the far end of the road."""
    return Goal(aims=(Aim(units=(unit,), at=("A1",), must="all"),), order=("value",))


def test_what_one_cannot_pay_it_cannot_pay_apart_either() -> None:
    """The last lacks the MP by itself: that is shown to forbid it with a Gap as well."""
    asked = GapModel(model(in_need("tr-4"), wanted("t3"), 12))
    assert asked.gaps
    assert asked.best(ANY, Lent()).status == "IMPOSSIBLE"
    told = asked.conflict(Lent()) or ()
    assert [(r.clause, r.units, r.is_needed) for r in told] == [("E11.2h", ("t3",), True)]
    assert plan(in_need("tr-28"), wanted("t3")).status == "OPTIMAL"


def test_what_one_cannot_pay_for_others_is_no_proof() -> None:
    """The last lacks the MP to follow the lead; apart it need not: that is told, and not as proved."""
    position = in_need("tr-4")
    asked = GapModel(model(position, wanted("t1"), 12))
    assert asked.plain.conflict(Lent())
    told = asked.conflict(Lent()) or ()
    assert [(reason.clause, reason.is_needed) for reason in told] == [("E11.2h", False)]


def test_a_limit_proves_nothing_of_gaps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where time is up before that is looked into, reasons are told as not proved."""
    asked = GapModel(model(in_need("tr-4"), wanted("t3"), 12))
    control = Lent()
    reasons = asked.plain.conflict(control)
    assert [reason.is_needed for reason in reasons or ()] == [True]

    def at_once(_: Any) -> Any:
        control.stop.request()
        return reasons

    monkeypatch.setattr(asked.plain, "conflict", at_once)
    assert [reason.is_needed for reason in asked.conflict(control) or ()] == [False]
