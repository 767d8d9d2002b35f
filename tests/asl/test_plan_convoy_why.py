"""If no Convoy rule forbids a goal, the clauses that bind vehicles are searched."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.planning.loop import plan
from marchtable.planning.reasons import ANY
from marchtable.planning.why import why
from marchtable.rules.clause import without
from marchtable.rules.referee import check
from marchtable.state.goal import Aim, Goal
from marchtable.state.records import replace
from marchtable_models.asl.hooks.conflict_candidates import CANDIDATES
from marchtable_models.asl.model import End
from marchtable_models.asl.rules.impulse_moves import Impulse
from tests.asl.convoys_by_hand import by_road
from tests.asl.test_plan_convoy import PlainControl, model

AHEAD = Goal(aims=(Aim(units=("t1",), at=("A2",), must="all"),), order=("moved",))


def changed(position: Any, name: str, **fields: Any) -> Any:
    """Return the position with one unit changed."""
    return position.with_units([replace(position.unit(name), **fields)])


TWO_IN_ONE = (
    Impulse("t1", ("enter:A4", "enter:A5")),
    Impulse("t1", ("enter:A3", "enter:A4")),
    Impulse("t1", ("stay", "enter:A3")),
    Impulse("t1", ("stop", "stop")),
    End("t1"),
)
"""Two trucks that end in one hex."""

CASES = {
    "immobile": (changed(by_road(2, 6), "t2", immobile=True), "D8.1", ("t2",)),
    "done": (
        changed(changed(by_road(2, 6), "t1", mph="done"), "t2", mph="done"),
        "A4.2a",
        ("t1", "t2"),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_holds_a_convoy_is_reported(name: str) -> None:
    """The clause alone forbids it, with all others that bind units off; without it the goal is met."""
    position, clause, units = CASES[name]
    (reason,) = why(position, AHEAD, most=0).conflict or ()
    assert (reason.clause, reason.units, reason.is_needed) == (clause, units, True)
    others = [other for other in CANDIDATES if other != clause]
    with without(*others):
        assert plan(position, AHEAD, space="convoy").status == "IMPOSSIBLE"
    with without(*others, clause):
        assert plan(position, AHEAD, space="convoy").status == "OPTIMAL"


def test_what_to_lift() -> None:
    """With the smallest set of clauses lifted there is a valid plan, and it is proved that there was none."""
    position, clause, _ = CASES["immobile"]
    found = why(position, AHEAD, most=0)
    assert found.lift is not None
    assert (found.lift.clauses, found.lift.is_smallest) == ((clause,), True)
    assert found.proof is not None
    assert check(position, found.lift.log).status == "ILLEGAL"
    with without(*found.lift.clauses):
        assert check(position, found.lift.log).status == "LEGAL"


def test_a_limit_leaves_it_open() -> None:
    """If the limit cuts the search short, no clause is reported as needed that is not."""
    position, clause, _ = CASES["immobile"]
    for limit in (1e-4, 1e-2, 0.1):
        found = why(position, AHEAD, limit=limit, most=0)
        assert all(r.clause == clause or not r.is_needed for r in found.conflict or ())


@pytest.mark.slow
@pytest.mark.clause("E11.1a")
@pytest.mark.parametrize(("at", "stated"), [(("A3",), True), (("A3", "A4"), False)])
def test_too_few_hexes_are_reported_as_one_per_hex(*, at: tuple[str, ...], stated: bool) -> None:
    """Two in one hex are forbidden by E11.1a by one reading, otherwise only by the space; in two they fit."""
    goal = Goal(aims=(Aim(units=("t1", "t2"), at=at, must="all"),))
    for reading in ("always", "set-up"):
        position = msgspec.structs.replace(by_road(2, 6), readings=(("E11.1a", reading),))
        found = why(position, goal, most=0)
        assert found.status == ("IMPOSSIBLE" if stated else "LEGAL")
        if stated and reading == "always":
            (reason,) = found.conflict or ()
            assert (reason.clause, reason.units, reason.is_needed) == (
                "E11.1a",
                ("t1", "t2"),
                False,
            )
        elif stated:
            assert (found.conflict, found.no_conflict) == ((), "space")
            assert check(position, TWO_IN_ONE).status == "LEGAL"  # the policy alone excludes it


def test_what_no_impulses_reach_is_reported_at_once() -> None:
    """If a hex per Impulse is not enough no clause is named, and the rulebook is not asked."""
    goal = Goal(aims=(Aim(units=("t1",), at=("A1",), must="all"),))
    asked = model(by_road(2, 9), goal, 5)
    control = PlainControl()
    assert asked.best(ANY, control).status == "IMPOSSIBLE"
    before = control.time
    assert asked.conflict(control) == ()
    assert control.time == before
    assert model(by_road(2, 9), goal, 12).best(ANY, PlainControl()).status == "OPTIMAL"
