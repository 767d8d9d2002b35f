"""What the owner can do with Casualty Points, case by case."""

from __future__ import annotations

import msgspec
import pytest

from marchtable.errors import BadInputError
from marchtable.state.records import replace
from marchtable_models.valor.allocation.advice import (
    Member,
    Stack,
    UnitLoss,
    allocations,
    count,
)
from tests.valor.allocation_hexes import (
    BRAVE,
    DESANT,
    GUN,
    HALF,
    LEADER,
    PINNED,
    RIDER,
    SHIELD,
    TANK,
    TOWED,
    TRUCK,
    A,
    B,
    Ends,
    end,
    ends,
)
from tests.valor.step_by_step import brute_force


def test_one_point_pins_reduces_or_eliminates() -> None:
    """One point can pin; the owner can also lose more, but then nothing else."""
    expected = {
        end(("a", "pinned", 1)),
        end(("a", "reduced", 2)),
        end(("a", "eliminated", 4)),
        end(("leader", "pinned", 1)),
        end(("leader", "eliminated", 3)),
    }

    assert expected == ends(A, LEADER, points=1)


def test_worked_example_two_points() -> None:
    """Two points on two squads: one is reduced, both are pinned, or one is lost."""
    expected = {
        end(("a", "reduced", 2)),
        end(("a", "pinned", 1), ("b", "pinned", 1)),
        end(("a", "eliminated", 4)),
    }

    assert expected == ends(A, B, points=2)


def test_worked_example_three_points() -> None:
    """Three points on a squad and a half squad: the squad is reduced, the half squad pinned."""
    assert end(("a", "reduced", 2), ("half", "pinned", 1)) in ends(A, HALF, points=3)


def test_pins_close_the_account() -> None:
    """A pin never exceeds the points: only a reduction or an elimination can."""
    for loss in ends(A, B, HALF, points=5):
        if any("pinned" in result for _, result, _ in loss):
            assert sum(points for _, _, points in loss) == 5


def test_all_lost_with_points_left() -> None:
    """More points than all ratings together eliminate everything, and the rest is lost."""
    expected = {end(("a", "eliminated", 4), ("leader", "eliminated", 3))}

    assert expected == ends(A, LEADER, points=8)


def test_pinned_units_come_last_and_whole() -> None:
    """A unit pinned before is hit only when no unpinned one is left, and is then eliminated."""
    assert all(unit != "pinned" for loss in ends(A, PINNED, points=4) for unit, _, _ in loss)
    assert {end(("a", "eliminated", 4), ("pinned", "eliminated", 4))} == ends(A, PINNED, points=5)


def test_valour_ignores_the_first_point() -> None:
    """A valorous unit can ignore one point; points left fall on it before any other."""
    expected = {
        end(("brave", "ignored", 1), ("leader", "pinned", 1)),
        end(("brave", "pinned", 2)),
        end(("brave", "pinned", 1), ("leader", "pinned", 1)),
        end(("brave", "reduced", 2)),
        end(("brave", "reduced", 3)),
        end(("brave", "eliminated", 4)),
        end(("brave", "eliminated", 5)),
        end(("leader", "eliminated", 3)),
    }

    assert expected == ends(BRAVE, LEADER, points=2)


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        (1, {end(("gun", "pinned", 1))}),
        (2, {end(("gun", "survived", 2)), end(("gun", "eliminated", 3))}),
        (3, {end(("gun", "survived", 3)), end(("gun", "eliminated", 3))}),
        (4, {end(("gun", "eliminated", 3))}),
    ],
)
def test_gun_alone(points: int, expected: Ends) -> None:
    """One point pins a Gun, up to its rating it rolls, beyond it is lost without a roll."""
    assert expected == ends(GUN, points=points)


def test_survival_roll_must_leave_nothing_over() -> None:
    """A Gun alone cannot absorb fewer points than there are: the rest could not be fulfilled."""
    assert end(("gun", "survived", 2)) not in ends(GUN, points=3)
    assert end(("gun", "survived", 2), ("a", "pinned", 1)) in ends(GUN, A, points=3)


def test_gun_shield_holds_off_one_point() -> None:
    """With a Gun Shield a Gun can ignore one point and absorb its whole rating besides."""
    assert end(("gun", "survived", 4)) in ends(SHIELD, points=4)


def test_passengers_share_their_vehicle_s_fate() -> None:
    """Passengers are pinned or lost with their vehicle, their rating credited; not a towed Gun's."""
    found = ends(TRUCK, RIDER, TOWED, points=4)

    assert end(("truck", "survived", 4), ("rider", "pinned", 0), ("towed", "pinned", 0)) in found
    gone = ("truck", "eliminated", 4), ("rider", "eliminated", 4), ("towed", "eliminated", 0)
    assert end(*gone) in found


def test_passengers_first_and_never_pinned() -> None:
    """Passengers can be reduced or eliminated, before anything else, but not pinned."""
    reduced = ("rider", "reduced, pinned", 2)
    found = ends(TRUCK, RIDER, points=4)

    assert end(("rider", "eliminated", 4)) in found
    assert end(("truck", "survived", 2), reduced) in found
    assert all(("rider", "pinned", 1) not in loss for loss in found)


def test_afvs_and_their_riders_are_immune() -> None:
    """AP fire does not affect an AFV, riders on it, or a hex of nothing else."""
    assert {end()} == ends(TANK, DESANT, points=3)
    assert {end(("a", "pinned", 1)), end(("a", "reduced", 2)), end(("a", "eliminated", 4))} == ends(
        TANK, DESANT, A, points=1
    )


def test_opportunity_fire_harms_movers_only() -> None:
    """Under opportunity fire units that do not move, and their Passengers, are safe."""
    still = msgspec.structs.replace(A, mover=False)
    parked = msgspec.structs.replace(TRUCK, mover=False)

    assert {end(("b", "eliminated", 4))} == ends(still, B, parked, RIDER, points=9, op_fire=True)


def test_identical_units_are_listed_once() -> None:
    """Units identical except for their names are one in the list, and counted."""
    found = {a.losses: a.ways for a in allocations(Stack((A, B)), 2)}

    assert 2 == found[UnitLoss("a", "reduced", 2),]
    assert 1 == found[UnitLoss("a", "pinned", 1), UnitLoss("b", "pinned", 1)]
    assert (3, 5) == count(Stack((A, B)), 2)


def test_no_points_change_nothing() -> None:
    """No points leave one allocation, with no losses."""
    assert {end()} == ends(A, points=0)
    assert (1, 1) == count(Stack((A,)), 0)
    assert () == brute_force(Stack((A,)), 0)[0].losses


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ((A, A), "ids that differ"),
        ((Member("x", "infantry"),), "cr: expected 1"),
        ((Member("x", "infantry", 4, 4),), "less than cr"),
        ((Member("x", "gun", 4, 2),), "only infantry is reduced"),
        ((RIDER,), "no such member"),
        ((A, Member("x", "infantry", 3, aboard="a")), "no carrier"),
        ((TRUCK, Member("x", "gun", 3, aboard="truck")), "towed: needs aboard"),
        ((TRUCK, msgspec.structs.replace(RIDER, towed=True)), "only a Gun is towed"),
        ((TRUCK, replace(RIDER, pinned=True)), "pinned only with its carrier"),
        ((TRUCK, Member("x", "vehicle", 3, aboard="truck")), "no passenger"),
        ((msgspec.structs.replace(A, rally=(37,)),), "rally"),
        ((msgspec.structs.replace(A, worth=1, worth_half=2),), "worth"),
    ],
)
def test_stacks_that_cannot_be(members: tuple[Member, ...], message: str) -> None:
    """A stack with contradictory fields is rejected with the member and the field."""
    with pytest.raises(BadInputError, match=message):
        Stack(members)


@pytest.mark.parametrize("points", [-1, 1.5, True])
def test_points_that_cannot_be(points: int) -> None:
    """Points are a whole number from 0."""
    with pytest.raises(BadInputError, match="Casualty Points"):
        count(Stack((A,)), points)
