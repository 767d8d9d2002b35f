"""Why a Column fails: properties of its units are named; a limit, or a stop, is never a reason."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.planning.loop import plan
from marchtable.planning.why import why
from marchtable.rules.clause import without
from marchtable.state.goal import Aim, Goal
from marchtable.state.records import replace
from marchtable_models.asl.cpsat import line_relations
from marchtable_models.asl.cpsat.column.model import OF_THE_LINE, ColumnModel
from marchtable_models.asl.hooks.conflict_candidates import CANDIDATES
from tests.asl.boards import load
from tests.asl.test_columns import column
from tests.asl.test_plan_column import by_road, model
from tests.asl.test_plan_convoy import PlainControl
from tests.slowly import slow_after

TIRED = column(8, 9, spent=6, used=6, mph="moving", cx=True)
TOO_FAR = Goal(aims=(Aim(units=("u1",), at=("A6",), must="all"),), order=("moved",))


def _never(*_: Any, **__: Any) -> Any:
    raise AssertionError


@pytest.mark.parametrize("is_stopped", [False, True])
def test_nothing_is_asked_once_it_is_over(
    *, is_stopped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With no time left, or a stop requested, no model is built to find the obstacle."""
    asked = model(TIRED, TOO_FAR)
    control: Any = PlainControl(60.0 if is_stopped else 0.0)
    if is_stopped:
        control.stop.request()
    monkeypatch.setattr(ColumnModel, "again", _never)
    assert asked.conflict(control) is None


def test_finding_out_what_bars_counts() -> None:
    """Each round of the search for obstacles takes from the limit, so it ends."""
    control: Any = PlainControl()
    assert model(TIRED, TOO_FAR).conflict(control)
    assert control.time <= 60 - line_relations.ROUND


@pytest.mark.parametrize("limit", [1e-6, 1e-3, 1e-2, 0.03, 0.1])
def test_a_tiny_limit_makes_no_reason(limit: float) -> None:
    """A reason reported under a limit is needed without one, too."""
    whole = {reason.clause for reason in why(TIRED, TOO_FAR, most=0).conflict or ()}
    assert whole
    found = why(TIRED, TOO_FAR, limit=limit, most=0)
    assert found.status in ("UNKNOWN", "IMPOSSIBLE")
    assert all(r.clause in whole or not r.is_needed for r in found.conflict or ())


# -- properties of the units -----------------------------------------------------------------------


def laden(*heavy: str) -> Any:
    """Return three squads on a road, some of them with a heavy MG."""
    found = by_road("squad", "squad", "squad")
    units = [msgspec.structs.replace(found.unit(name), sw=load(5)) for name in heavy]
    return found.with_units(units)


def status(position: Any, goal: Goal, *off: str) -> str:
    """Return whether there is a plan with some clauses off."""
    with without(*off):
        return plan(position, goal, space="column", rolls="avoid").status


AHEAD = Goal(aims=(Aim(units=("u1",), at=("A3",), must="all"),), order=("value", "distance"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("heavy", "slow"), slow_after(1, [(("u2",), "u2"), (("u3",), "u3"), (("u1",), "u1")])
)
def test_the_load_of_any_member_is_reported(heavy: tuple[str, ...], slow: str) -> None:
    """The load that slows the Column is named as the reason, and dropping it proposed, whichever units are wanted."""
    position = laden(*heavy)
    assert status(laden(), AHEAD) == "OPTIMAL"
    answer = why(position, AHEAD)
    assert answer.status == "IMPOSSIBLE"
    found = {reason.clause: reason.units for reason in answer.conflict or ()}
    assert found["A4.42a"] == (slow,)
    assert status(position, AHEAD, "A4.42a") == "OPTIMAL"
    assert f"drop the {position.unit(slow).sw[0].name} of {slow}" in {
        r.change for r in answer.repairs
    }


@pytest.mark.parametrize("heavy", slow_after(1, [(("u1", "u3"),), (("u2",),)]))
def test_each_reported_reason_is_needed_and_all_forbid(heavy: tuple[str, ...]) -> None:
    """With every other candidate off it is still impossible; with one of these off too it is not."""
    position = laden(*heavy)
    conflict = why(position, AHEAD, most=0).conflict or ()
    found = {reason.clause for reason in conflict}
    others = {*CANDIDATES, *OF_THE_LINE} - found
    assert status(position, AHEAD, *others) == "IMPOSSIBLE"
    assert {name for name in found if status(position, AHEAD, *others, name) == "OPTIMAL"} == found


@pytest.mark.parametrize("who", ["u1", "u2"])
@pytest.mark.parametrize(
    ("state", "clause"),
    [("pinned", "A7.8a"), ("broken", "A10.4"), ("ti", "A4.1c"), ("prep_fired", "A4.1c")],
)
def test_a_unit_that_may_not_move_is_reported(state: str, clause: str, who: str) -> None:
    """A Column with a unit that cannot move stands still, for the clause the referee names."""
    position = column(8, 9)
    stuck: Any = {state: True}
    position = position.with_units([replace(position.unit(who), **stuck)])
    one_on = Goal(aims=(Aim(units=("u1",), at=("A7",), must="all"),))
    found = why(position, one_on, most=0).conflict
    assert found is not None
    assert [(reason.clause, reason.units, reason.is_needed) for reason in found] == [
        (clause, (who,), True)
    ]


def test_nothing_is_proved_of_points_that_are_not_shared() -> None:
    """With D14.31a off each unit pays for itself: a plan is found, but not asked to cost least."""
    goal = Goal(aims=AHEAD.aims)
    assert status(laden(), goal) == "OPTIMAL"
    assert status(laden(), goal, "D14.31a") == "FEASIBLE"
    assert status(laden(), AHEAD, "D14.31a") == "OPTIMAL"
