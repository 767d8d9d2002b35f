"""Gaps: plans in which the rear stops instead of following, and why there is none."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.planning.loop import plan
from marchtable.planning.reasons import ANY
from marchtable.rules.clause import without
from marchtable.rules.referee import check
from marchtable.state.goal import Aim, Goal
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.convoy.model import GapModel
from tests.asl.boards import field, foot, place, vehicle
from tests.asl.convoys_by_hand import by_road
from tests.asl.test_plan_convoy import PlainControl, model

ROADS = ("A1-A2", "A3-A4", "A4-A5", "A6-A7")


@pytest.mark.slow
def test_a_unit_that_stops_need_not_pay_for_following() -> None:
    """Following off the road would cost the last vehicle more than the Impulse in which it stops."""
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
    """Return three trucks, the last two with a reason to leave, and eight hexes of road ahead."""
    position = by_road(3, 9, last=last)
    hit = [replace(position.unit(name), attacked=True) for name in ("t2", "t3")]
    return position.with_units(hit)


def wanted(unit: str) -> Goal:
    """Return the goal that a truck ends at the far end of the road."""
    return Goal(aims=(Aim(units=(unit,), at=("A1",), must="all"),), order=("value",))


@pytest.mark.slow
def test_what_one_cannot_pay_it_cannot_pay_apart_either() -> None:
    """The last one lacks the MP by itself: that is shown to forbid it with a Gap as well."""
    asked = GapModel(model(in_need("tr-4"), wanted("t3"), 12))
    assert asked.gaps
    assert asked.best(ANY, PlainControl()).status == "IMPOSSIBLE"
    found = asked.conflict(PlainControl()) or ()
    assert [(r.clause, r.units, r.is_needed) for r in found] == [("E11.2h", ("t3",), True)]
    assert plan(in_need("tr-28"), wanted("t3")).status == "OPTIMAL"


@pytest.mark.slow
def test_what_a_gap_allows_no_clause_forbids() -> None:
    """The last one lacks the MP to follow the lead; with a Gap it need not: only policy forbids the Gap."""
    plain = model(in_need("tr-4"), wanted("t1"), 12)
    assert plain.best(ANY, PlainControl()).status == "IMPOSSIBLE"
    assert GapModel(plain).best(ANY, PlainControl()).status == "OPTIMAL"
    assert plain.conflict(PlainControl()) == ()


@pytest.mark.parametrize("is_stopped", [False, True])
def test_a_limit_proves_nothing_of_gaps(*, is_stopped: bool) -> None:
    """After the time limit, or a stop request, no reason is stated."""
    control: Any = PlainControl(60.0 if is_stopped else 0.0)
    if is_stopped:
        control.stop.request()
    assert GapModel(model(in_need("tr-4"), wanted("t3"), 12)).conflict(control) is None


@pytest.mark.slow
def test_where_none_may_part_that_is_a_reason() -> None:
    """Without E11.251a the last could stay behind: it is reported with the unpaid cost; both are needed."""
    position, goal = by_road(3, 10, last="tr-4"), wanted("t1")
    asked = model(position, goal, 12)
    result = asked.conflict(PlainControl()) or ()
    assert [(r.clause, r.is_needed) for r in result] == [("E11.251a", True), ("E11.2h", True)]
    assert dict(result[1].numbers) == {"have": 4}
    for off in result:
        with without(off.clause):
            found = GapModel(asked.again()).best(ANY, PlainControl())
            assert found.log is not None
            assert check(position, found.log).status == "LEGAL"
