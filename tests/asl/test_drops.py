"""Possible drops: one SW or as many as needed, cargo of a vehicle, a Gun in tow."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.planning.why import why
from marchtable.rules.referee import check
from marchtable.state.goal import Aim, Goal
from tests.asl.boards import foot, load, place, vehicle
from tests.asl.test_plan_transport import LANE
from tests.asl.transport_cases import TYPES

LORRY = msgspec.structs.replace(TYPES[0], name="fast", mp=30)


def stated(*units: Any, at: str, carried: bool = False) -> dict[str, float]:
    """Return what would help a squad to get there, with the cost of each; each has a legal plan."""
    position = place(LANE, *units, types=(*TYPES, LORRY))
    goal = Goal(aims=(Aim(units=("u",), at=(at,), must="all", carried=carried),))
    found = why(position, goal)
    assert found.status == "IMPOSSIBLE"
    assert all(repair.log for repair in found.repairs if repair.change.startswith("drop"))
    return {repair.change: repair.cost for repair in found.repairs}


def test_both_are_dropped_where_one_is_too_few() -> None:
    """With 8 PP a squad gets four hexes by Double Time, with 4 PP five, with none six."""
    found = stated(foot("u", at="A1", sw=load(4, 4)), at="G4")
    assert found["drop the SW0 of u and the SW1 of u"] == 4
    assert not {"drop the SW0 of u", "drop the SW1 of u"} & {*found}


def test_no_more_is_dropped_than_it_takes() -> None:
    """If dropping either SW suffices, dropping both is not proposed."""
    found = stated(foot("u", at="A1", sw=load(4, 4)), at="E3")
    assert {one for one in found if one.startswith("drop")} == {
        "drop the SW0 of u", "drop the SW1 of u",
    }  # fmt: skip


@pytest.mark.slow
def test_two_of_three_where_many_are_about() -> None:
    """Of three SW two are dropped, though more units are near than the pairs tried."""
    others = vehicle("t", "fast", "A1", moving=False), foot("v", at="A1", aboard="t", sw=load(1, 1))
    drops = [one for one in stated(foot("u", at="B1", sw=load(3, 4, 4)), *others, at="G4")
             if one.startswith("drop")]  # fmt: skip
    assert "drop the SW1 of u and the SW2 of u" in drops
    assert not any(one.count("SW") == 3 for one in drops)


def test_the_lightest_is_dropped_first() -> None:
    """Of two SW that each suffice, the one with fewer PP is listed first."""
    found = stated(foot("u", at="A1", sw=load(4, 3)), at="E3")
    assert [one for one in found if one.startswith("drop")] == [
        "drop the SW1 of u", "drop the SW0 of u",
    ]  # fmt: skip


def test_what_lies_in_a_halftrack_is_dropped() -> None:
    """6 PP of 15 leave no room for a squad, even if the halftrack is not asked about."""
    track = vehicle("t", "spw-251", "A1", moving=False, sw=load(6))
    assert stated(track, foot("u", at="A1", cx=True), at="F3")["drop the SW0 of t"] == 2


def test_a_gun_in_tow_is_left() -> None:
    """The ammo of a Gun in tow takes PP that a squad would need."""
    lorry = vehicle("t", "fast", "A1", moving=False, towing="g")
    units = (lorry, foot("g", "piece", at="A1", towed_by="t"), foot("u", at="A1", cx=True))
    assert "leave g behind" in stated(*units, at="F3", carried=True)


def test_the_plan_of_a_repair_is_for_the_changed_unit() -> None:
    """The plan for a squad without its SW is legal for that squad, and not for the one that has it."""
    squad = foot("u", at="A1", sw=load(5))
    goal = Goal(aims=(Aim(units=("u",), at=("E3",), must="all"),))
    position = place(LANE, squad)
    log = next(r.log for r in why(position, goal).repairs if r.change == "drop the SW0 of u")
    assert check(position, log).status == "ILLEGAL"
    free = position.with_units([msgspec.structs.replace(squad, sw=())])
    assert check(free, log).status == "LEGAL"
