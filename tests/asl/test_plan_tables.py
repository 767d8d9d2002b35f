"""Boarding and room learned from one question serve the next only if they are the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from marchtable.planning.goals import checked_goal
from marchtable.state.goal import Aim, Goal
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.reached.ends import to_stand
from marchtable_models.asl.cpsat.transport.model import Transport
from marchtable_models.asl.cpsat.transport.tables import AfterUnloading
from marchtable_models.asl.rulebook import RULEBOOK
from marchtable_models.asl.rules.unloading import Unload
from marchtable_models.asl.unittype import UnitType
from tests.asl.boards import crossing, field, foot, place, vehicle

if TYPE_CHECKING:
    from marchtable_models.asl.cpsat.transport.instance import Instance

LANE = field({f"{chr(65 + n)}{1 + n // 2}": {} for n in range(9)})
TUG, SMALL, BIG = (
    msgspec.convert(fields, UnitType)
    for fields in (
        {"name": "tug", "class": "vehicle", "column": "ht", "mp": 16, "pp": 21, "t_number": -9},
        {"name": "small", "class": "gun", "column": "inf", "mm": 37, "m_number": 9},
        {"name": "big", "class": "gun", "column": "inf", "mm": 150, "m_number": 9},
    )
)  # fmt: skip


def instance(position: Any, *names: str) -> Instance:
    """Return the possible tasks of the Infantry of these names."""
    goal = Goal(aims=(Aim(units=names, near=(position.board.locations[-1].name,), carried=True),))
    return Transport(RULEBOOK, position, checked_goal(goal, position)).instance


@pytest.mark.parametrize("order", [("small", "big"), ("big", "small")])
def test_a_gun_of_another_kind_leaves_other_room(order: tuple[str, str]) -> None:
    """A towed 150 mm Gun takes 4 PP more than a 37 mm one, whichever was asked about first."""
    free = {}
    for kind in order:
        tug = vehicle("t", "tug", "A1", moving=False, towing="g")
        gun = foot("g", kind, at="A1", towed_by="t")
        units = (tug, gun, foot("u", at="A1", cx=True))
        made = instance(place(LANE, *units, types=(TUG, SMALL, BIG)), "u")
        free[kind] = made.tables.room(tug, ())
    assert free == {"small": 34, "big": 26}


@pytest.mark.parametrize("first", [True, False])
def test_a_unit_that_came_by_road_only_walks_on_for_longer(first: bool) -> None:
    """Of two identical units leaving a vehicle only the one that kept to the road has the bonus."""
    names: dict[str, Any] = {f"A{row}": {} for row in range(1, 12)}
    road = {f"A{row}-A{row + 1}": {"road": "Dirt Road"} for row in range(1, 11)}
    units = [foot(name, at="A1", cx=True) for name in ("u1", "u2")]
    made = instance(place(field(names, road), *units), "u1", "u2")
    gone = {"spent": 6, "used": 6, "mph": "moving", "previous": "A2"}
    lefts = [
        AfterUnloading(replace(unit, road=kept, **gone), 0)
        for unit, kept in zip(units, (first, not first), strict=True)
    ]
    at = made.position.board.index["A4"]
    most = [int(places.remaining.max()) for places in made.walk_ons([(left, at) for left in lefts])]
    assert most == ([4, 2] if first else [2, 4])


@pytest.mark.parametrize("first", ["by the road", "in the open"])
def test_at_night_boarding_takes_no_movement_dr(first: str) -> None:
    """A unit beside the vehicle boards at night, by a road or not (E1.53a forbids leaving the hex)."""
    names: dict[str, Any] = {f"{column}{row}": {} for column in "ABCDEFGH" for row in range(1, 12)}
    road = {"A1-A2": {"road": "Dirt Road"}, "A2-A3": {"road": "Dirt Road"}}
    near = (vehicle("t1", "spw-251", "A1", moving=False), foot("u1", at="A1", cx=True))
    far = (vehicle("t2", "spw-251", "F6", moving=False), foot("u2", at="F6", cx=True))
    units = (*near, *far) if first == "by the road" else (*far, *near)
    for _ in range(2):
        made = instance(place(field(names, road), *units, nvr=3), "u1", "u2")
        boarders = {name: [*found] for name, found in made.boarding.boarders.items()}
        assert boarders == {"t1": ["u1"], "t2": ["u2"]}


def test_at_night_leaving_depends_on_the_location() -> None:
    """Riding from a road into the open at night depends on where the vehicle stops."""
    names: dict[str, Any] = {f"{column}{row}": {} for column in "ABCDEFGH" for row in range(1, 12)}
    road = {"A1-A2": {"road": "Dirt Road"}, "A2-A3": {"road": "Dirt Road"}}
    car = vehicle("t1", "spw-251", "A1", moving=False)
    rider = foot("u1", at="A1", aboard="t1")
    made = instance(place(field(names, road), car, rider, nvr=3), "u1")
    load = made.loads[0]
    for at in ("A3", "F6"):
        stopped = made.stopped(load, 10, at)
        empty = made.tables.empty.with_units([stopped, msgspec.structs.replace(rider, at=at)])
        ruling = RULEBOOK.rule(empty, Unload(("u1",)))
        left = made.tables.unloaded(load.seats[0].unit, stopped)
        assert (left is not None) == (ruling.is_legal and not ruling.obligations)


def test_what_is_not_modelled_only_while_others_stand_about_is_left_out() -> None:
    """Too heavy a vehicle on a wooden bridge is reported once a way with it there is sought."""
    kinds = tuple(
        UnitType(name=name, class_="vehicle", column="ht", mp=20, tons=tons)
        for name, tons in (("light", 3), ("heavy", 11))
    )
    units = [vehicle("t1", "heavy", "B1", moving=False), vehicle("t2", "light", "B1", moving=False)]
    board = crossing(there={"terrain": "Single Hex Wooden Bridge"}, hexside={"road": "Dirt Road"})
    position = place(board, *units, types=kinds)
    goal = Goal(aims=(Aim(units=("t1", "t2"), near=("C1",)),))
    model = Transport(RULEBOOK, position, checked_goal(goal, position))
    made = model.instance
    load = next(load for load in made.loads if load.vehicle.id == "t2")
    assert "B6.42a" not in {*made.unsupported()}
    there = position.with_units([msgspec.structs.replace(units[0], at="C1")])
    model.cuts.places_of(there, made.setting_out(load), to_stand, ("t1",), load)
    assert "B6.42a" in {*made.unsupported()}
