"""Plans in which units leave the map, on foot, driven, or aboard a vehicle."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.errors import BadInputError
from marchtable.planning.loop import plan
from marchtable.planning.why import why
from marchtable.rules.referee import check
from marchtable.state.goal import Aim, Goal
from marchtable.state.position import Counter
from tests.asl.boards import field, foot, load, place, vehicle
from tests.asl.test_plan_transport import LANE, lines, track
from tests.asl.transport_cases import best


def leaving(*names: str, by: tuple[str, ...], **fields: Any) -> Goal:
    """Return the goal that some units leave the map."""
    return Goal(aims=(Aim(units=names, exit=by, **{"must": "all", **fields}),))


def test_infantry_alone_leaves_and_that_is_proved() -> None:
    """Two squads and no vehicle: the one that can leaves the map, the other stays."""
    position = place(LANE, foot("u", at="G4"), foot("v", at="A1"))
    found = plan(position, leaving("u", "v", by=("I5",), must=None))
    (best_plan,) = found.plans
    assert (found.space.name, found.status) == ("foot", "OPTIMAL")
    assert lines(best_plan.log) == ["enter u H4", "enter u I5", "exit u"]
    assert best_plan.score == {"value": 1, "distance": 0, "exposure": 0, "points": 6, "moved": 1}


def test_only_by_the_locations_stated() -> None:
    """Every hex of a lane is at the edge; a squad leaves by the one named in the aim, or not at all."""
    position = place(LANE, foot("u", at="A1"))
    assert lines(best(position, leaving("u", by=("C2", "I5")), points=-1)[1].log) == [
        "enter u B1", "enter u C2", "exit u",
    ]  # fmt: skip
    assert best(position, leaving("u", by=("I5",)), points=-1)[1].status == "IMPOSSIBLE"
    ring = field({f"{column}{row}": {} for column in "ABC" for row in (1, 2, 3)})
    with pytest.raises(BadInputError, match="expected a Location at the edge of the map, got 'B2'"):
        plan(place(ring, foot("u", at="B2")), leaving("u", by=("B2",)))


def test_what_lies_at_one_edge_hex_bars_no_other() -> None:
    """Wire at one of two Locations leaves the other as good an exit as before."""
    ring = field({f"{column}{row}": {} for column in "ABC" for row in range(1, 6)})
    position = place(ring, foot("u", at="B3"), counters=(Counter(kind="wire", at="A3"),))
    found = plan(position, leaving("u", by=("A3", "A4"), must=None), space="transport")
    assert (found.status, lines(found.plans[0].log)) == ("OPTIMAL", ["enter u A4", "exit u"])


@pytest.mark.parametrize("carried", [True, False])
def test_passengers_leave_with_their_vehicle(*, carried: bool) -> None:
    """They count as off the map if the aim includes units aboard, with no MF spent; else they must walk."""
    position = place(LANE, track(), foot("u", at="A1", aboard="t"))
    _, found = best(position, leaving("u", by=("E3",), carried=carried), points=-1)
    end = check(position, found.log).position
    assert end.unit("u").at is None
    assert (end.unit("t").at is None) == carried
    last = "exit t" if carried else "exit u"
    assert lines(found.log)[-1] == last
    assert ("unload u" in lines(found.log)) != carried


def test_the_vehicle_itself_and_the_gun_it_tows() -> None:
    """A truck exits without stopping; the Gun behind it counts if the aim includes units in tow."""
    from tests.asl.test_towing import TYPES, gun

    truck = vehicle("t", "opel-blitz", at="A1", moving=False, towing="g")
    position = place(LANE, truck, gun(at="A1", towed_by="t"), types=TYPES)
    _, found = best(position, leaving("t", "g", by=("C2",), carried=True), points=-1)
    assert lines(found.log) == ["start t", "enter t B1", "enter t C2", "exit t"]
    end = check(position, found.log).position
    assert [end.unit(name).at for name in "tg"] == [None, None]
    assert best(position, leaving("g", by=("C2",)), points=-1)[1].status == "IMPOSSIBLE"


def test_a_vehicle_must_point_over_the_edge() -> None:
    """If its VCA contains only map hexes, it turns first."""
    board = field({f"{column}{row}": {} for column in "ABC" for row in (1, 2, 3)})
    position = place(board, vehicle("t", at="B1", moving=True, facing="SSE"))
    _, found = best(position, leaving("t", by=("B1",)), points=-1)
    assert lines(found.log)[-1] == "exit t"
    assert {line.split()[0] for line in lines(found.log)[:-1]} == {"turn"}


def test_a_unit_that_leaves_first_is_out_of_the_way() -> None:
    """Of three squads in line the one that exits goes first; the others follow at their usual cost."""
    units = [foot(name, at="H4", cx=True) for name in "uvw"]
    position = place(LANE, *units)
    goal = Goal(
        aims=(*leaving("w", by=("I5",)).aims, Aim(units=("u", "v"), at=("I5",), must="all"))
    )
    _, found = best(position, goal, points=-1)
    assert found.status == "OPTIMAL"
    assert lines(found.log)[:2] == ["enter w I5", "exit w"]
    assert check(position, found.log).status == "LEGAL"


def test_lines_that_leave_by_impulses_are_not_modelled() -> None:
    """A Column or platoon is not said to be unable to leave the map: it is UNSUPPORTED."""
    column = [foot("u", at="A1", column="x"), foot("v", at="B1", column="x", rank=1)]
    platoon = [
        vehicle(name, "t-26-m33", at, moving=False, platoon="x")
        for name, at in (("u", "A1"), ("v", "B1"))
    ]
    for units in (column, platoon):
        found = plan(place(LANE, *units), leaving("u", by=("A1",)), space="transport")
        assert (found.status, found.space.left_out) == ("UNSUPPORTED", ("A2.6e",))
    assert why(place(LANE, *platoon), leaving("u", by=("A1",))).status == "UNSUPPORTED"


def test_why_nobody_leaves() -> None:
    """A squad one hex too far lacks MF: that is the reason, and that of two it could stay on the map."""
    position = place(LANE, foot("u", at="F3", cx=True, sw=load(6)))
    found = why(position, leaving("u", by=("I5",)))
    assert found.status == "IMPOSSIBLE"
    assert ("A4.11b", ("u",)) in [(one.clause, one.units) for one in found.conflict or ()]
    both = place(LANE, *position.units, foot("v", at="I5"))
    found = why(both, leaving("u", "v", by=("I5",)))
    assert "leave u on the map" in {repair.change for repair in found.repairs}


def test_a_unit_that_has_no_part_in_a_plan_counts_where_it_stays() -> None:
    """A squad whose MPh is over meets an aim where it stands, and adds its known value."""
    position = place(LANE, track(), foot("u", at="A1", cx=True), foot("w", at="G4", mph="done"))
    goal = Goal(aims=(Aim(units=("u", "w"), at=("G4",), must="all"),))
    found = plan(position, goal)
    assert found.status == "OPTIMAL"
    assert found.plans[0].score["value"] == 2
    near = Goal(aims=(Aim(units=("u", "w"), near=("I5",)),))
    _, proposal = best(position, near, distance=-1)
    assert (proposal.status, proposal.bound) == ("OPTIMAL", -4)


def test_a_wreck_is_nowhere_to_be_brought() -> None:
    """An aim about a unit's own wreck is rejected by name."""
    position = place(LANE, track(), foot("w", "wreck", at="A1"))
    with pytest.raises(BadInputError) as caught:
        plan(position, Goal(aims=(Aim(units=("t", "w"), at=("B1",)),)))
    assert caught.value.field == "aims[0].units[1]"
    assert "expected units that can move, got 'w'" in caught.value.message
