"""Plans of AFV platoons: equal to brute force, replayed, found by plan and why."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.errors import BadInputError
from marchtable.planning.loop import plan
from marchtable.planning.why import why
from marchtable.rules.clause import without
from marchtable.rules.referee import check
from marchtable.state.goal import Aim, Goal
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.platoons import OF_THE_PLATOON, PlatoonModel
from tests.asl.platoon_cases import compared, drawn, drawn_apart
from tests.asl.test_plan_convoy import lines_of, near
from tests.asl.test_platoons import platoon
from tests.slowly import slow_after


def near_must(unit: str, at: str) -> Goal:
    """Return the goal that a unit must end in a Location."""
    return Goal(aims=(Aim(units=(unit,), at=(at,), must="all"),))


@pytest.mark.parametrize("seed", slow_after(2, range(24)))
def test_the_planner_is_as_good_as_brute_force(seed: int) -> None:
    """Status and score equal those of an exhaustive search."""
    assert compared(drawn(seed)) == ""


@pytest.mark.clause("D14.21a")
@pytest.mark.parametrize("seed", slow_after(3, range(24)))
def test_two_that_are_apart_may_meet(seed: int) -> None:
    """Until one of two moves, neither needs a mate: they get ready, then move to become adjacent."""
    assert compared(drawn_apart(seed)) == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    "off", slow_after(1, OF_THE_PLATOON[1:])
)  # D14.31b off, the generator offers too few
def test_no_clause_is_stated_twice(off: str) -> None:
    """With a clause on platoon AFV off, the planner is as good as brute force without it."""
    with without(off):
        for seed in (7, 8, 19, 25, 49):
            assert compared(drawn(2000 + seed)) == ""


def test_mates_seen_are_as_stated() -> None:
    """If lines of sight are read as stated, AFV stated not to see each other may not move."""
    for sees, status in (((), "IMPOSSIBLE"), (("t1", "t2"), "OPTIMAL")):
        position = platoon(4, 5, shared={"sees": sees}, readings=(("D14.21b", "stated"),))
        assert plan(position, near_must("t1", "A3"), space="platoon").status == status


def test_without_time_a_platoon_still_moves() -> None:
    """The first plan follows the lead and stops, whatever the limit."""
    position = platoon(6, 7, 8, shared={"moving": False})
    found = plan(position, near("A2", units=("t1", "t2", "t3")), space="platoon", limit=0)
    assert found.plans[0].score["moved"] > 0


# -- plan and why ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_three_follow_their_way() -> None:
    """A platoon's plan consists of Impulses, and is found without naming the space."""
    position = platoon(6, 7, 8, shared={"moving": False})
    found = plan(position, near("A2", units=("t1", "t2", "t3")))
    assert (found.status, found.space.name) == ("OPTIMAL", "platoon")
    assert lines_of(found)[0] == "impulse t1 start,start,start"
    assert check(position, found.plans[0].log).status == "LEGAL"


def test_why_a_platoon_does_not_part() -> None:
    """An AFV cannot go where its mate cannot follow: the clause is stated, and needed."""
    position = platoon(6, 7)
    aims = (Aim(units=("t1",), at=("A3",), must="all"), Aim(units=("t2",), at=("A7",), must="all"))
    found = why(position, Goal(aims=aims), most=0)
    assert (found.status, found.space and found.space.name) == ("IMPOSSIBLE", "platoon")
    assert [(reason.clause, reason.is_needed) for reason in found.conflict or ()] == [
        ("D14.21a", True)
    ]


@pytest.mark.slow
def test_why_the_poorest_keeps_them() -> None:
    """The first cannot spend what the last cannot pay either."""
    position = platoon(6, 7)
    poor = replace(position.unit("t2"), spent=20, used=20)
    given = why(position.with_units([poor]), near_must("t1", "A1"), most=0)
    assert "D14.31b" in {reason.clause for reason in given.conflict or ()}


@pytest.mark.parametrize("fields", [{"prep_fired": True}, {"reverse": True, "moving": True}])
def test_units_that_are_not_planned_for(fields: dict[str, Any]) -> None:
    """The space excludes a platoon with an AFV that has Prep Fired or is in Reverse."""
    position = platoon(6, 7, shared={"moving": False, **fields})
    with pytest.raises(BadInputError, match="AFV platoon"):
        plan(position, near("A2"), space="platoon")


@pytest.mark.clause("D14.21a")
def test_a_unit_that_waits_off_the_map_is_as_near_as_the_hexes_beside_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The model lets no AFV go farther from a waiting mate; the referee rejects nothing."""
    rejected: list[Any] = []
    monkeypatch.setattr(PlatoonModel, "reject", lambda _, log, __: rejected.append(log))
    position = platoon(2, 3)
    waits = replace(position.unit("t2"), at=None, entering=("A1",))
    for units in (("t1",), ("t1", "t2")):
        found = plan(position.with_units([waits]), near("A4", units=units), space="platoon")
        assert found.status == "OPTIMAL"
        assert check(position.with_units([waits]), found.plans[0].log).status == "LEGAL"
    assert not rejected
