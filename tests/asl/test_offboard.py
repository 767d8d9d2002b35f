"""Entering the map and leaving it."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.errors import BadInputError
from marchtable.play.options import options
from marchtable.reachability.reach import reach
from marchtable.state.records import replace
from marchtable_models.asl.model import Enter
from tests.asl.boards import (
    ASL,
    bars,
    cites,
    crossing,
    field,
    foot,
    last,
    load,
    place,
    total,
    vehicle,
)  # fmt: skip
from tests.solver.test_reach import check_reach

ROADS = {"terrain": "Dirt Road"}
TRUCK: dict[str, Any] = {"at": None, "entering": ("B1",)}


def coming(unit: Any, *lines: str, board: Any = None, **scene: Any) -> Any:
    """Return the ruling on the last of these lines."""
    return last(place(board or crossing(), unit, **scene), *lines)


@pytest.mark.clause("A2.5a")
def test_units_come_on_by_the_hexes_stated() -> None:
    """Into a stated edge hex, at its usual cost; not into another, nor one inside the map."""
    on = coming(foot(at=None, entering=("B1",)), "enter u B1")
    assert (total(on), on.status, on.after.unit("u").at) == (1, "LEGAL", "B1")
    assert bars(coming(foot(at=None, entering=("B1",)), "enter u C1")) == {"A2.5a"}
    ring = field({f"{column}{row}": {} for column in "ABC" for row in (1, 2, 3)})
    assert bars(coming(foot(at=None, entering=("B2",)), "enter u B2", board=ring)) == {"A2.5a"}
    stack = place(crossing(), *(foot(name, at=None, entering=("B1",)) for name in "uv"))
    assert last(stack, "enter u,v B1").is_legal


@pytest.mark.clause("A2.5a", "D2.11c")
def test_a_vehicle_comes_on_in_motion_over_a_side_ahead() -> None:
    """No Start is due; its VCA must point over the edge, and can first be changed for 1 MP."""
    on = coming(vehicle(facing="SSE", **TRUCK), "enter u B1")
    assert (total(on), on.status) == (4, "LEGAL")
    assert bars(coming(vehicle(facing="W", **TRUCK), "enter u B1", board=field(
        {"B1": {}, "C1": {}, "C2": {}}))) == {"D2.11c"}  # fmt: skip
    assert total(coming(vehicle(facing="E", **TRUCK), "turn u SSE")) == 1
    assert coming(vehicle(facing="E", **TRUCK), "turn u SSE", "enter u B1").is_legal
    assert coming(vehicle(facing="SSE", **TRUCK), "stop u", "delay u mp=1", "start u").is_legal


@pytest.mark.clause("D2.12b", "D2.12c")
@pytest.mark.parametrize("kind", ["tr-40", "mc-40"])
def test_what_comes_on_need_not_start(kind: str) -> None:
    """Whatever the scene says of Motion, and even after a Stop off the map: once on it, it is moving."""
    stopped = vehicle(kind=kind, facing="E", moving=False, **TRUCK)
    on = coming(stopped, "turn u SSE", "enter u B1")
    assert (on.status, on.after.unit("u").motion.moving) == ("LEGAL", True)
    assert on.after.unit("u").points.spent == on.receipts[0].amount + 2
    assert coming(stopped, "turn u SSE", "enter u B1", "stop u").is_legal
    assert coming(vehicle(kind=kind, facing="SSE", **TRUCK), "stop u", "enter u B1").is_legal
    assert bars(coming(vehicle(kind=kind, moving=False), "enter u C1")) == {"D2.12b"}
    wagon = vehicle(kind="hd-40", facing="SSE", moving=False, **TRUCK)
    assert not coming(wagon, "enter u B1").after.unit("u").motion.moving


@pytest.mark.clause("D2.12a", "D2.12c", "D2.13", "D2.17")
@pytest.mark.parametrize("moving", [True, False])
def test_what_waits_is_in_motion_until_it_stops(*, moving: bool) -> None:
    """Whatever the scene says, it neither starts nor delays; it stops once, then can start, in Reverse too."""
    waits = vehicle(kind="tr-40", facing="SSE", moving=moving, **TRUCK)
    assert bars(coming(waits, "start u")) == {"D2.12a"}
    assert bars(coming(waits, "delay u mp=1")) == {"D2.17"}
    assert bars(coming(waits, "turn u E", "start u")) == {"D2.12a"}
    assert bars(coming(waits, "stop u", "stop u")) == {"D2.13"}
    assert coming(waits, "stop u", "delay u mp=1", "start u reverse=true").is_legal
    assert bars(coming(waits, "stop u", "turn u E")) == {"D2.12c"}


@pytest.mark.clause("A2.51a")
def test_what_is_done_off_the_board() -> None:
    """Hatches, Double Time, Assault Movement and the MPh's end are; Excessive Speed and leaving are not."""
    tank = vehicle(kind="ft-9", facing="SSE", **TRUCK)
    assert coming(tank, "hatch u bu").is_legal
    assert coming(foot(at=None, entering=("B1",)), "double-time u").is_legal
    assert coming(foot(at=None, entering=("B1",)), "end u").is_legal
    waits = foot(at=None, entering=("B1",))
    assert coming(waits, "assault u", "enter u B1").is_legal
    assert bars(coming(waits, "assault u", "enter u B1", "enter u C1")) == {"A4.61c"}
    assert bars(coming(tank, "esb u mp=1")) == {"A2.51a"}
    assert "A2.51a" in bars(coming(foot(at=None, entering=("B1",)), "exit u"))
    laden = foot(at=None, entering=("B1",), sw=load(5))
    for line in ("drop u SW0", "recover u SW0", "transfer u u SW0"):
        assert bars(coming(laden, line)) == {"A2.51a"}


@pytest.mark.clause("A2.51a")
def test_a_gallop_declared_off_the_board() -> None:
    """Cavalry and wagons can enter at a Gallop declared before; not by the reading that the list is closed."""
    rider = foot(kind="cavalry", at=None, entering=("B1",))
    on = coming(rider, "gallop u", "enter u B1")
    assert (on.status, on.after.unit("u").points.double) == ("LEGAL", 16)
    assert coming(vehicle(kind="hd-12", facing="SSE", **TRUCK), "gallop u", "enter u B1").is_legal
    closed = coming(rider, "gallop u", readings=(("A2.51a", "listed"),))
    assert bars(closed) == {"A2.51a"}
    assert coming(
        foot(at=None, entering=("B1",)), "double-time u", readings=(("A2.51a", "listed"),)
    ).is_legal


@pytest.mark.clause("A2.51b")
def test_edge_hexes_that_are_not_at_level_0() -> None:
    """The height of the ground beyond is unknown: UNSUPPORTED; at level 0 it is judged."""
    for there in ({"level": 1}, {"level": -1, "terrain": "Gully", "depression": "Gully"}):
        assert "A2.51b" in cites(
            coming(foot(at=None, entering=("B1",)), "enter u B1", board=crossing(here=there))
        )
    brush = coming(foot(at=None, entering=("B1",)), "enter u B1",
                   board=crossing(here={"terrain": "Brush"}))  # fmt: skip
    assert (total(brush), brush.status) == (2, "LEGAL")


@pytest.mark.clause("A2.5")
def test_entry_that_nobody_can_judge() -> None:
    """Without stated entry hexes it is UNSUPPORTED."""
    assert cites(coming(foot(at=None), "enter u B1")) == {"A2.5"}
    assert cites(coming(vehicle(at=None), "turn u SSE")) == {"A2.5"}


@pytest.mark.parametrize(("name", "side", "road"), [
    ("I1", "SSE", True), ("Q1", "SSE", True), ("Y1", "SSE", True), ("G1", "SSE", False),
    ("I5", "E", True), ("I4", "E", False),
])  # fmt: skip
def test_roads_that_lead_off_the_board(name: str, side: str, road: bool) -> None:
    """In hexrows I, Q and Y over a long edge, in row 5 over a short one, an edge road continues."""
    unit = vehicle(at=None, entering=(name,), facing=side)
    for hexes, rate in (({name: ROADS}, 0.5 if road else 4), ({name: {}}, 4)):
        assert total(coming(unit, f"enter u {name}", board=field(hexes))) == rate
    gone = coming(
        vehicle(at=name, facing="NNW" if side == "SSE" else "W"),
        "exit u",
        board=field({name: ROADS}),
    )
    assert total(gone) == (0.5 if road else 4)


@pytest.mark.parametrize(("unit", "where"), [
    (foot(entering=("B1",)), "units[0].at"),
    (foot(exited=True), "units[0].at"),
    (vehicle(moving=False, reverse=True), "units[0].reverse"),
])  # fmt: skip
def test_states_that_cannot_be(unit: Any, where: str) -> None:
    """A unit on the map neither waits to enter nor has left; a stopped one is not in Reverse."""
    with pytest.raises(BadInputError) as caught:
        ASL.check_position(place(crossing(), unit))
    assert caught.value.field == where
    ASL.check_position(place(crossing(), vehicle(reverse=True), foot("v", at=None, exited=True)))


def test_a_unit_that_is_aboard_comes_on_with_its_vehicle() -> None:
    """A turn stated for it that differs from its vehicle's is rejected."""
    aboard = foot("p", at=None, aboard="u", entry_turn=2)
    ASL.check_position(place(crossing(), vehicle("u", "opel-blitz", entry_turn=2, **TRUCK), aboard))
    with pytest.raises(BadInputError) as caught:
        ASL.check_position(place(crossing(), vehicle("u", "opel-blitz", **TRUCK), aboard))
    assert caught.value.field == "units[1].entry_turn"


def test_a_unit_that_is_carried_on_waits_no_more() -> None:
    """A Passenger's entry hexes are dropped as its vehicle enters."""
    truck = vehicle("u", "opel-blitz", facing="SSW", moving=True, **TRUCK)
    aboard = foot("p", at=None, aboard="u", entering=("C1",))
    on = last(place(crossing(), truck, aboard), "enter u B1")
    assert on.after.unit("p").at == "B1"
    ASL.check_position(on.after)


# -- A2.6 ------------------------------------------------------------------------------------------


@pytest.mark.clause("A2.6a")
def test_leaving_costs_the_mirror_image_of_the_hex() -> None:
    """From brush at the edge 2 MF, 6 MP; half a MP less is too little; then the unit is gone."""
    board = crossing(here={"terrain": "Brush"})
    for unit, cost, clause in (
        (foot(mph="moving", spent=4, used=4), 2, "A4.11b"),
        (vehicle(mph="moving", facing="NNW", spent=68, used=68), 6, "D2.1b"),
    ):
        gone = coming(unit, "exit u", board=board)
        after = gone.after.unit("u")
        assert (total(gone), gone.status) == (cost, "LEGAL")
        assert (after.at, after.offboard.exited, after.move.mph) == (None, True, "done")
        poorer = replace(unit, spent=unit.points.spent + 1, used=unit.points.used + 1)
        assert bars(coming(poorer, "exit u", board=board)) == {clause}


@pytest.mark.clause("A2.6a", "D2.11c", "D2.2b")
def test_who_leaves_where() -> None:
    """Units leave from edge hexes alone, a vehicle across its front (its rear in Reverse); by one reading none leaves."""
    ring = field({f"{column}{row}": {} for column in "ABC" for row in (1, 2, 3)})
    assert bars(coming(foot(at="B2"), "exit u", board=ring)) == {"A2.6a"}
    assert coming(foot(at="B1"), "exit u", board=ring).is_legal
    for facing, reverse, barred in (
        ("NNW", False, set()), ("SSE", False, {"D2.11c"}), ("SSE", True, set()),
        ("NNW", True, {"D2.2b"}),
    ):  # fmt: skip
        unit = vehicle(at="B1", facing=facing, reverse=reverse)
        assert bars(coming(unit, "exit u", board=ring)) == barred
    assert bars(coming(foot(), "exit u", readings=(("A2.6a", "nowhere"),))) == {"A2.6a"}


@pytest.mark.clause("A2.6b")
def test_a_unit_that_has_left_does_not_come_back() -> None:
    """Neither now nor in another turn, whatever hexes are stated for it."""
    gone = coming(foot(entering=("B1",)), "exit u").after
    assert bars(last(gone, "enter u B1")) >= {"A2.6b"}
    later = last(gone, "phase RPh side=russian", "phase MPh side=german").after
    assert bars(last(later, "enter u B1")) == {"A2.6b"}
    assert reach(later, ["u"])[0].places == ()


def test_units_leave_as_a_stack() -> None:
    """A squad and its leader leave together; a truck and a squad do not."""
    both = place(crossing(), foot(), foot("v", "leader"), vehicle("t", facing="NNW"))
    after = last(both, "exit u,v").after
    assert [after.unit(name).at for name in "uv"] == [None, None]
    assert "A4.2b" in bars(last(both, "exit u,t"))


# -- reach -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_reach_of_a_unit_that_comes_on() -> None:
    """Reach equals an exhaustive search; the way begins off the board, turning if necessary."""
    board = field({"B1": {"terrain": "Woods"}, "C1": {}, "C2": {}, "B2": {}})
    tank = vehicle(kind="ft-6", facing="NNW", at=None, entering=("B1", "B2", "C1"))
    for unit in (
        tank,
        replace(tank, moving=False),
        foot(at=None, entering=("B1", "C2")),
    ):
        position = place(board, unit)
        check_reach(position, "u", "avoid" if unit is tank else "pass")
        (found,) = reach(position, ["u"])
        assert set(found.best()) == {"B1", "B2", "C1", "C2"}
        first = found.actions_to(found.best()["B1"])
        assert (
            next(a.to for a in first if isinstance(a, Enter))
            in position.unit("u").offboard.entering
        )


@pytest.mark.clause("B3.4b", "B3.4d")
@pytest.mark.parametrize(("stated", "by_road"), [({"road": "Dirt Road"}, True), ({}, False)])
def test_the_maps_rim_tells_of_roads(*, stated: Any, by_road: bool) -> None:
    """A road over the rim is one in any hexrow; without one the hex's cost applies."""
    for name, terrain in (("Q1", "Dirt Road"), ("Q1", "Open Ground"), ("G1", "Open Ground")):
        rim = tuple((side, stated) for side in range(6))
        board = field({name: {"terrain": terrain, "rim": rim}})
        driven = coming(vehicle(at=name, facing="NNW"), "exit u", board=board)
        comes = vehicle(at=None, entering=(name,), facing="SSE")
        assert total(driven) == total(coming(comes, f"enter u {name}", board=board))
        assert total(driven) == (0.5 if by_road else 4)
        walked = coming(foot(at=None, entering=(name,)), f"enter u {name}", board=board)
        assert walked.after.unit("u").move.road is by_road


def rimmed(stated: dict[str, Any], *sides: int) -> Any:
    """Return a board of one hex with this terrain along its hexsides."""
    return field({"D1": {"rim": tuple((side, stated) for side in sides or range(6))}})


@pytest.mark.clause("B11", "B9-hedge")
def test_what_lies_along_the_maps_rim() -> None:
    """A cliff or hedge there stops a truck, a hedge costs Infantry 1 MF; a bare side comes first."""
    truck = vehicle(at="D1", facing="NNW")
    for terrain, clause in (("Cliff", "B11"), ("Hedge", "B9-hedge")):
        assert bars(coming(truck, "exit u", board=rimmed({"terrain": terrain}))) == {clause}
    hedge = {"terrain": "Hedge"}
    assert total(coming(foot(at="D1"), "exit u", board=rimmed(hedge))) == 2
    comes = foot(at=None, entering=("D1",))
    assert total(coming(comes, "enter u D1", board=rimmed(hedge))) == 2
    assert total(coming(foot(at="D1"), "exit u", board=rimmed(hedge, 0))) == 1
    assert cites(coming(foot(at="D1"), "exit u", board=rimmed({"slope": True}))) == {"x-slope"}
    assert cites(coming(foot(at="D1"), "exit u", board=rimmed({"road": "Railroad"}))) == {"x-road"}


def test_a_road_off_the_map_through_a_building_hex() -> None:
    """It is a road hexside whether or not a road is drawn in the hex; without one it is not."""
    for drawn, road, barred in (
        ((("Dirt Road", 17),), "Dirt Road", set()), ((), "Dirt Road", set()), ((), None, {"B23-wood"}),
    ):  # fmt: skip
        hex_: dict[str, Any] = {
            "terrain": "Wooden Building", "also": drawn, "rim": ((0, {"road": road}),),
        }  # fmt: skip
        comes = vehicle(at=None, entering=("I1",), facing="SSE")
        assert bars(coming(comes, "enter u I1", board=field({"I1": hex_}))) == barred


def test_reach_looks_at_the_rim() -> None:
    """Of two entry hexes, identical except at the rim, one costs half a MP."""
    hexes: Any = {"C1": {"rim": ((0, {"road": "Dirt Road"}),)}, "E1": {"rim": ((0, {}),)}}
    unit = vehicle("u", "tr-4", at=None, entering=("C1", "E1"), facing="SSE")
    (found,) = reach(place(field(hexes), unit), ["u"])
    least = {at: min(x.spent for x in found.places if x.at == at) for at in ("C1", "E1")}
    assert least == {"C1": 1, "E1": 8}


@pytest.mark.clause("A2.51a", "A4.7a", "A4.7b", "A2.5a", "A4.72")
def test_entry_may_wait_for_the_aph() -> None:
    """Infantry can then advance onto the map by a stated hex; a vehicle, or a TI unit, cannot."""
    late: dict[str, Any] = {"phase": "APh"}
    waits: dict[str, Any] = {"at": None, "entering": ("B1",)}
    on = coming(foot(**waits), "advance u B1", **late)
    unit = on.after.unit("u")
    assert (on.status, total(on), unit.at, unit.offboard.entering, unit.move.mph) == (
        "LEGAL",
        0,
        "B1",
        (),
        "done",
    )
    assert coming(foot(**waits), "phase APh", "advance u B1").is_legal
    assert coming(foot(**waits, mph="done", prep_fired=True), "advance u B1", **late).is_legal
    assert bars(coming(foot(**waits), "advance u C1", **late)) == {"A2.5a"}
    assert bars(coming(foot(**waits, ti=True), "advance u B1", **late)) == {"A4.7b"}
    assert "A4.7b" in bars(coming(vehicle(facing="SSE", **waits), "advance u B1", **late))
    assert bars(coming(foot(**waits), "advance u B1")) == {"A4.7a"}
    again = coming(foot(**waits), "advance u B1", "advance u C1", **late)
    assert bars(again) == {"A4.7c"}
    hill = crossing({"terrain": "Woods"})
    heavy = foot(**waits, sw=load(5))
    assert coming(heavy, "advance u B1", board=hill, **late).after.unit("u").status.cx
    found = reach(place(crossing(), foot(**waits), **late), ["u"])[0].best()
    assert {"B1"} <= set(found)
    offered = options(place(crossing(), foot(**waits), **late), "u")["units"][0]["actions"]
    assert "advance u B1" in {entry["action"] for entry in offered}


@pytest.mark.clause("A3.3", "A4.2a", "A4.7b", "A4.7c", "A4.72", "A2.6a")
def test_units_leave_the_map_in_the_aph() -> None:
    """Infantry by its Advance, for no MF, CX if the ground off the map is as expensive as here."""
    late: dict[str, Any] = {"phase": "APh"}

    def leaves(unit: Any, board: Any = None, **scene: Any) -> Any:
        return last(place(board or crossing(), unit, **{**late, **scene}), "exit u")

    off = leaves(foot(mph="done", spent=8, used=8))
    unit = off.after.unit("u")
    assert (off.status, total(off), unit.at, unit.offboard.exited, unit.status.cx) == (
        "LEGAL", 0, None, True, False,
    )  # fmt: skip
    woods = crossing({"terrain": "Woods"})
    assert leaves(foot(sw=load(5)), woods).after.unit("u").status.cx
    assert bars(leaves(foot(sw=load(5), cx=True), woods)) == {"A4.72"}
    assert bars(leaves(foot(), side="russian")) == {"A4.7a"}
    assert bars(leaves(foot(), phase="AFPh")) == {"A3.3"}
    assert bars(leaves(foot(ti=True))) == {"A4.7b"}
    assert leaves(foot(prep_fired=True)).is_legal
    assert bars(leaves(foot(final="advance", mph="done"))) == {"A4.7c"}
    assert "A4.7b" in bars(leaves(vehicle()))
    assert bars(leaves(foot(pinned=True))) == {"A7.8a"}
    ring = field({f"{column}{row}": {} for column in "ABC" for row in (1, 2, 3)})
    assert bars(leaves(foot(at="B2"), ring)) == {"A2.6a"}
    offered = options(place(crossing(), foot(), **late), "u")["units"][0]["actions"]
    assert "exit u" in {entry["action"] for entry in offered}


@pytest.mark.clause("A4.134", "A2.5a")
def test_reach_by_a_minimum_move_onto_the_map() -> None:
    """A unit with 1 MF enters brush by a Minimum Move, for the 2 MF the referee counts."""
    tired = foot(at=None, entering=("B1",), cx=True, sw=load(5))
    found = reach(place(crossing({"terrain": "Brush"}), tired), ["u"])[0]
    spot = found.best()["B1"]
    assert (spot.spent, spot.left) == (2 * 2, 0)
    found.replay(spot)
