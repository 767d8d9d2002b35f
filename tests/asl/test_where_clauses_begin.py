"""Clauses at their limits: bridges, ends of moves, lent IPC, roads in other terrain, unit types."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.errors import BadInputError
from marchtable.reachability.reach import reach
from marchtable.state.records import replace
from marchtable_models.asl.model import UnitType
from tests.asl.boards import (
    ASL,
    allotment,
    bars,
    cites,
    crossing,
    field,
    foot,
    last,
    load,
    paid,
    place,
    step,
    total,
    vehicle,
)

WOODS = {"terrain": "Woods"}
ROAD = {"road": "Dirt Road"}


def status_of(*args: Any, **fields: Any) -> str:
    """Return the status of a step."""
    return step(*args, **fields).status


# -- vehicles --------------------------------------------------------------------------------------


@pytest.mark.clause("B6.43")
@pytest.mark.parametrize(
    ("terrain", "spine", "cost"),
    [
        ("Stone Bridge", "NNE", 2),
        ("Stone Bridge", "SSE", 1),
        ("Open Ground", "NNE", 1),
        ("Open Ground", "SSE", 1),
    ],
)
def test_a_vca_change_on_a_bridge(terrain: str, spine: str, cost: float) -> None:
    """On a bridge a hexspine costs a truck 2 MP, but 1 across the road (to C2); elsewhere 1."""
    board = field(
        {"A1": {}, "A2": {}, "B1": {"terrain": terrain}, "C1": {}, "C2": {}},
        {"A1-B1": ROAD, "B1-C2": ROAD},
    )
    ruling = last(place(board, vehicle()), f"turn u {spine}")
    assert (total(ruling), paid(ruling, "B6.43")) == (cost, cost - 1)


@pytest.mark.clause("B6.431")
def test_a_bridge_has_two_lanes_unless_read_otherwise() -> None:
    """A truck enters a bridge past another unless it is read as one-lane; a squad always can."""
    board = field(
        {"A1": {}, "B1": {}, "C1": {"terrain": "Stone Bridge"}}, {"A1-B1": ROAD, "B1-C1": ROAD}
    )
    other = vehicle("v", at="C1", moving=False)
    truck, squad = place(board, vehicle(), other), place(board, foot(), other)
    assert last(truck, "enter u C1").status == "LEGAL"
    assert last(truck, "enter u C1").readings == (("B6.431", "two-lane"),)
    one_lane = {"readings": (("B6.431", "one-lane"),)}
    narrow = replace(truck, **one_lane)
    assert bars(last(narrow, "enter u C1")) == {"B6.431"}
    assert last(replace(squad, **one_lane), "enter u C1").status == "LEGAL"


@pytest.mark.clause("D2.4")
def test_the_end_of_the_mph_is_the_end_of_a_move() -> None:
    """A moving truck with MP left blocks the next phase; with all spent, stopped or done it does not."""

    def begun(
        side: str = "german", line: str = "phase DFPh", **fields: Any
    ) -> tuple[str, set[str]]:
        unit = vehicle(kind="tr-12", side=side, **fields)
        ruling = last(place(crossing(), unit), line)
        return ruling.status, bars(ruling)

    moved: dict[str, Any] = {"mph": "moving", "spent": 16, "used": 16}
    spent: dict[str, Any] = {"mph": "moving", "spent": 24, "used": 24}
    assert begun(**moved) == begun(**moved, line="phase RPh side=russian") == ("ILLEGAL", {"D2.4"})
    assert begun(**spent) == begun(**{**moved, "mph": "done"}) == ("LEGAL", set())
    assert begun(**{**moved, "moving": False}) == begun(side="russian", **moved) == ("LEGAL", set())


@pytest.mark.clause("D2.4")
def test_only_the_end_of_the_mph_asks_for_it() -> None:
    """A truck in Motion does not block any other phase."""
    position = place(crossing(), vehicle(kind="tr-12"), phase="PFPh")
    assert last(position, "phase MPh").status == "LEGAL"


# -- what is left out ------------------------------------------------------------------------------


@pytest.mark.clause("A2.5")
def test_entry_from_off_the_board() -> None:
    """Any move from off the map is UNSUPPORTED; from a hex it is not."""
    for unit in (foot(at=None), vehicle(at=None)):
        position = place(crossing(), unit)
        assert last(position, "enter u C1").status == "UNSUPPORTED"
        assert cites(last(position, "enter u C1")) == {"A2.5"}
        assert reach(position, ["u"])[0].unsupported == ("A2.5",)
    for unit in (foot(), vehicle()):
        assert last(place(crossing(), unit), "enter u C1").status == "LEGAL"


@pytest.mark.clause("A3.3")
def test_units_move_in_their_own_mph() -> None:
    """In the APh or an enemy's turn no unit can enter, declare or start; in its own MPh it can."""
    aph = {"phase": "APh"}
    for ruling in (
        step(scene=aph),
        step("tr", scene=aph),
        step("inf", "double-time u", scene=aph),
        step(scene={"phase": "AFPh"}),
        step(scene={"phase": "APh", "side": "russian"}),
    ):
        assert (bars(ruling), cites(ruling)) == ({"A3.3"}, set())
    assert status_of() == "LEGAL"


@pytest.mark.clause("A4.15", "A4.14")
def test_infantry_overrun() -> None:
    """One lone enemy SMC might be overrun: UNSUPPORTED; not two, one with a squad, or by a vehicle."""

    def enemies(*kinds: str, column: str = "inf", **fields: Any) -> tuple[set[str], set[str]]:
        others = tuple(
            foot(f"e{n}", kind, at="C1", side="russian", **fields) for n, kind in enumerate(kinds)
        )
        ruling = step(column, others=others)
        return bars(ruling), cites(ruling)

    assert enemies("leader") == (set(), {"A4.15"})
    assert enemies("leader", "hero") == ({"A4.14"}, set())
    assert enemies("squad") == enemies("squad", "leader") == ({"A4.14"}, set())
    assert enemies("leader", "squad") == enemies("crew") == ({"A4.14"}, set())
    assert "A4.15" not in enemies("leader", column="tr")[1]
    assert "A4.15" not in enemies("leader", concealed=True)[1]
    assert enemies() == (set(), set())


@pytest.mark.clause("x-slope")
def test_slopes() -> None:
    """A Slope hexside is UNSUPPORTED, on foot or in a vehicle; without it the step is judged."""
    for column in ("inf", "tr"):
        assert cites(step(column, hexside={"slope": True})) == {"x-slope"}
        assert status_of(column) == "LEGAL"


@pytest.mark.clause("x-road")
def test_strange_roads() -> None:
    """A railroad across the hexside is UNSUPPORTED; a paved or dirt road, bridge or runway is not."""
    for column in ("inf", "tr"):
        assert cites(step(column, hexside={"road": "Railroad"})) == {"x-road"}
        for road in ("Paved Road", "Dirt Road", "Stone Bridge", "Runway"):
            found = step(column, hexside={"road": road})
            assert (found.status, cites(found)) == ("LEGAL", set())


# -- portage ---------------------------------------------------------------------------------------


@pytest.mark.clause("A4.52", "A4.42b")
def test_a_cx_leader_has_no_ipc_to_lend() -> None:
    """With 4 PP a squad has 3 MF; a leader's help makes it 4, unless CX by Double Time."""

    def helped(**leader: Any) -> float:
        squad = foot(sw=load(4), helper="ldr")
        return allotment(place(crossing(), squad, foot("ldr", "leader", lends="u", **leader)))

    assert allotment(place(crossing(), foot(sw=load(4)))) == 3
    assert (helped(), helped(cx=True), helped(cx=True, double=4)) == (4, 4, 3)


@pytest.mark.clause("A4.42d")
def test_ipc_is_lent_to_the_fit() -> None:
    """A pinned or broken squad cannot be lent IPC; a Good Order one can."""

    def lent(**fields: Any) -> set[str]:
        position = place(crossing(), foot(sw=load(4), **fields), foot("ldr", "leader"))
        return bars(last(position, "lend ldr u"))

    assert lent() == set()
    assert lent(pinned=True) == lent(broken=True) == {"A4.42d"}


@pytest.mark.clause("A4.134", "A4.52")
@pytest.mark.parametrize("cx", [True, False])
def test_a_minimum_move_takes_all_that_check_and_reach_say(*, cx: bool) -> None:
    """A squad with 4 PP has 3 MF, CX from before or not, and spends 4 on woods uphill; `reach` agrees."""
    uphill = crossing(there={**WOODS, "level": 1})
    position = place(uphill, foot(sw=load(4), cx=cx))
    ruling = last(position, "minimum u C1")
    after = ruling.after.unit("u")
    place_there = reach(position, ["u"])[0].best()["C1"]

    assert (ruling.status, total(ruling)) == ("LEGAL", 4)
    assert (after.status.cx, after.status.pinned, after.status.tired) == (True, True, not cx)
    assert allotment(ruling.after) == 3
    assert (place_there.spent, place_there.left) == (2 * 4, 0)


# -- the ground ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("also", "cost"),
    [((("Hedge", 30),), 1), ((("Brush", 30),), 2), ((), 1)],
)
def test_a_road_runs_in_what_else_the_hex_holds(also: tuple[Any, ...], cost: float) -> None:
    """Hexside terrain beside a road leaves its hex open ground; brush makes it brush."""
    found = step(there={"terrain": "Dirt Road", "also": also})
    assert (found.status, total(found)) == ("LEGAL", cost)


def test_brush_in_a_gully() -> None:
    """Entering a gully with brush costs both, 4 MF; a bare one 2."""
    bare, grown = (
        step(there={"terrain": terrain, "depression": "Gully", "level": -1})
        for terrain in ("Gully", "Brush")
    )
    assert [(r.status, total(r)) for r in (bare, grown)] == [("LEGAL", 2), ("LEGAL", 4)]


def test_an_unknown_depression() -> None:
    """A depression the chart lacks is UNSUPPORTED; a gully is not."""
    unknown, known = (
        step(there={"terrain": "Open Ground", "depression": name, "level": -1})
        for name in ("Ravine of Doom", "Gully")
    )
    assert (unknown.status, known.status) == ("UNSUPPORTED", "LEGAL")


# -- unit types ------------------------------------------------------------------------------------


def kind(
    name: str = "opel-blitz", class_: Any = "vehicle", column: Any = "tr", mp: int = 5
) -> UnitType:
    """Return a unit type of the scene."""
    return UnitType(name=name, class_=class_, column=column, mp=mp)


def test_the_scenes_unit_types_come_before_the_samples() -> None:
    """A scene's own Opel Blitz of 5 MP is used."""
    truck = vehicle(kind="opel-blitz")
    assert allotment(place(crossing(), truck, types=(kind(),))) == 5
    assert allotment(place(crossing(), truck)) > 5


@pytest.mark.parametrize(
    ("types", "where"),
    [
        ((kind(), kind("b"), kind()), "conditions.types[2].name"),
        ((kind("a", column="inf"),), "conditions.types[0].column"),
        ((kind("b"), kind("a", mp=0)), "conditions.types[1].mp"),
        ((kind("a", "squad", "tr", 0),), "conditions.types[0].column"),
        ((kind("a", "squad", "inf", 4),), "conditions.types[0].mp"),
        ((kind("a", "wagon", "tr"),), "conditions.types[0].column"),
        ((kind("a", "motorcycle", "mc"),), "conditions.types[0].riders"),
        ((msgspec.structs.replace(kind(), riders="smc"),), "conditions.types[0].riders"),
    ],
)
def test_unit_types_that_cannot_be(types: tuple[UnitType, ...], where: str) -> None:
    """A type listed twice is rejected, and one whose column or MP does not fit its class."""
    with pytest.raises(BadInputError) as caught:
        ASL.check_position(place(crossing(), foot(), types=types))
    assert caught.value.field == where


def test_unit_types_that_can_be() -> None:
    """Vehicles with MP and squads without are accepted."""
    types = (
        kind(), kind("a", "squad", "inf", 0), kind("w", "wreck", "inf", 0),
        kind("c", "wagon", "hd"), kind("d", "vehicle", "ac"),
        UnitType(name="m", class_="motorcycle", column="mc", mp=5, riders="smc"),
        UnitType(name="h", class_="cavalry", column="cav", riders="squad"),
    )  # fmt: skip
    ASL.check_position(place(crossing(), foot(), types=types))
