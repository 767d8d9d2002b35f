"""How a vehicle ends its MPh: by a Stop, by spending the rest, or in Motion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from marchtable.errors import BadInputError
from marchtable.files.scenes import scene_of
from marchtable.rules.clause import without
from tests.asl.boards import (
    ROOMY,
    bars,
    cites,
    crossing,
    field,
    foot,
    judge,
    last,
    load,
    place,
    step,
    total,
    vehicle,
)  # fmt: skip
from tests.asl.test_platoons import PLAIN, platoon, tank

if TYPE_CHECKING:
    from marchtable.rules.ruling import Ruling

BRUSH = {"terrain": "Brush"}
BUILDING = {"terrain": "Wooden Building"}
HEDGE = {"terrain": "Hedge"}
ROAD = {"road": "Dirt Road"}
WOODS = {"terrain": "Woods"}
MOVING: dict[str, Any] = {"mph": "moving", "spent": 2}  # it has only started


def end(column: str, left: float, **fields: Any) -> Ruling:
    """Return the ruling on ending the MPh in B1, with C1 and C2 ahead."""
    return step(column, "end u", left=left, **fields)


# -- D2.4 ------------------------------------------------------------------------------------------


@pytest.mark.clause("D2.4")
def test_a_vehicle_ends_in_motion_when_it_cannot_afford_the_next_hex() -> None:
    """With half a MP less than Open Ground costs, or none, it can; with exactly that it cannot."""
    for column, cost in (("ft", 1), ("ht", 1), ("tr", 4)):
        assert end(column, 0).status == end(column, cost - 0.5).status == "LEGAL"
        short = end(column, cost)
        assert [(v.clause, v.units, v.need, v.have, v.halves) for v in short.violations] == [
            ("D2.4", ("u",), 0, 2 * cost, True)
        ]
        after = end(column, cost - 0.5).after.unit("u")
        assert (after.move.mph, after.motion.moving) == ("done", True)


@pytest.mark.clause("D2.4")
def test_one_of_the_hexes_ahead_may_be_the_one_it_cannot_afford() -> None:
    """Brush to one side, 6 MP: with 5½ a truck can end though Open Ground is 4; with 6 it cannot."""
    assert end("tr", 5.5, there=BRUSH).status == "LEGAL"
    assert bars(end("tr", 6, there=BRUSH)) == {"D2.4"}
    assert end("tr", 4.5, others=(foot("w", "wreck", at="C1"),)).status == "LEGAL"
    assert bars(end("tr", 5, others=(foot("w", "wreck", at="C1"),))) == {"D2.4"}
    assert bars(end("tr", 4, there=BRUSH, facing="W")) == {"D2.4"}  # the brush lies behind it


@pytest.mark.clause("D2.4")
def test_who_may_end_as_he_likes() -> None:
    """A stopped vehicle or Infantry can end with anything left; so can a unit with nothing left."""
    assert end("tr", 20).violations
    assert end("tr", 20, moving=False).status == "LEGAL"
    assert end("inf", 3).status == "LEGAL"
    fresh = place(crossing(), vehicle(moving=False))
    assert last(fresh, "end u").is_legal
    assert last(fresh, "start u", "stop u", "end u").is_legal
    assert bars(last(fresh, "start u", "end u")) == {"D2.4"}
    assert last(fresh, "start u", "enter u C1 rest=true", "end u").is_legal


@pytest.mark.clause("D2.4b")
def test_a_vehicle_that_begins_in_motion_does_not_just_stay_so() -> None:
    """It spends 1 MP first, even before hexes dearer than all its MP; half a MP is not enough."""
    for spent in (0, 1):
        short = step("tr", "end u", kind="tr-3", spent=spent, mph="moving")
        assert [(v.clause, v.need, v.have, v.halves) for v in short.violations] == [
            ("D2.4b", 2, spent, True)
        ]
        assert bars(step("tr", "end u", spent=spent, mph="moving")) == {"D2.4", "D2.4b"}
    assert step("tr", "end u", kind="tr-3", spent=2, mph="moving").status == "LEGAL"
    assert step("tr", "end u", moving=False).status == "LEGAL"


@pytest.mark.clause("D2.4")
def test_another_units_move_ends_the_vehicles_too() -> None:
    """The start of another unit's MPh ends the truck's; a declaration, or its end, does not."""
    squad, tank = foot("v"), vehicle("v", "tr-3", moving=False)
    begins = (
        ("enter v C1", squad), ("minimum v C1", foot("v", sw=load(6))), ("enter v,w C1", squad), ("start v", tank),
        ("turn v SSE", vehicle("v")), ("stop v", vehicle("v")), ("enter v C1", vehicle("v")),
    )  # fmt: skip
    for line, other in begins:
        for spent, dear in ((2 * ROOMY - 8, False), (2 * ROOMY - 7, True)):
            truck = vehicle(mph="moving", spent=spent, used=spent)
            ruling = judge(place(crossing(), truck, other, foot("w")), line).rulings[0]
            assert [v.units for v in ruling.violations if v.clause == "D2.4"] == (
                [] if dear else [("u",)]
            )
    still = place(crossing(), vehicle(**MOVING), squad, foot("h", "hero"))
    for line in ("double-time v", "lend h v", "end v"):
        assert last(still, line).is_legal


@pytest.mark.clause("D2.4")
def test_a_move_that_another_units_does_not_end() -> None:
    """An enemy's move, or one already begun, ends none; nor that of a stopped, done or unmoved vehicle."""
    others = (
        vehicle(side="russian", **MOVING), vehicle(moving=False, **MOVING), vehicle(mph="done", spent=2), vehicle(),
    )  # fmt: skip
    for other in others:
        assert last(place(crossing(), other, foot("v")), "enter v C1").is_legal
    assert bars(last(place(crossing(), vehicle(**MOVING), foot("v")), "enter v C1")) == {"D2.4"}
    assert last(
        place(crossing(), vehicle(**MOVING), foot("v", mph="moving")), "enter v C1"
    ).is_legal
    assert last(place(crossing(), vehicle(**MOVING), vehicle("v", **MOVING)), "turn v SSE").is_legal


@pytest.mark.clause("D2.4")
@pytest.mark.parametrize(
    ("column", "there", "least"), [("tr", WOODS, 8), ("ht", WOODS, 2), ("ft", WOODS, 2)]
)
def test_woods_ahead_may_have_to_be_bypassed(
    column: str, there: dict[str, Any], least: float
) -> None:
    """Bypass costs twice Open Ground: with that much left it must go round, if there is clearance."""
    clear = {**there, "clear": (50,) * 6}
    assert bars(end(column, least, there=clear)) == {"D2.4"}
    assert end(column, least - 0.5, there=clear).status == "LEGAL"
    assert end(column, least, there=there).status == "LEGAL"
    unstated = end(column, least, there=there, scene={"readings": (("x-clear", "unknown"),)})
    assert (unstated.status, cites(unstated)) == ("UNSUPPORTED", {"D2.4"})


@pytest.mark.clause("D2.4")
def test_woods_that_can_be_entered_are_no_reason_to_end() -> None:
    """After only the Start all MP are left for woods; a tank with half of them needs no more."""
    assert bars(step("tr", "end u", there=WOODS, **MOVING)) == {"D2.4"}
    assert step("tr", "end u", there=WOODS, used=1, **MOVING).status == "LEGAL"
    assert bars(end("ft", ROOMY / 2, there=WOODS)) == {"D2.4"}
    assert end("ft", ROOMY / 2 - 0.5, there=WOODS).status == "LEGAL"
    assert bars(end("tr", 4, there=WOODS, hexside=ROAD)) == {"D2.4"}


@pytest.mark.clause("D2.4", "D2.7")
def test_what_can_be_afforded_is_what_the_clauses_on_paying_say() -> None:
    """7½ MP may be too few for woods; without D2.7 they could be entered for the rest."""
    board = field({"B1": {}, "C1": WOODS, "C2": WOODS})
    spent = round(2 * (ROOMY - 7.5))
    position = place(board, vehicle(mph="moving", spent=spent, used=spent))
    assert (last(position, "end u").status, bars(last(position, "enter u C1"))) == (
        "LEGAL",
        {"D2.7"},
    )
    with without("D2.7"):
        assert (bars(last(position, "end u")), bars(last(position, "enter u C1"))) == (
            {"D2.4"},
            set(),
        )


@pytest.mark.clause("D2.4")
def test_a_building_ahead_leaves_only_bypass() -> None:
    """If a truck cannot enter there is only Bypass; half a MP pays for nothing."""

    def status(left: float, *, room: bool) -> str:
        built = {**BUILDING, "clear": (50,) * 6 if room else (0,) * 6}
        board = field({"B1": {}, "C1": built, "C2": built})
        spent = round(2 * (ROOMY - left))
        return last(place(board, vehicle(mph="moving", spent=spent, used=spent)), "end u").status

    lefts = (8, 7.5, 1, 0.5, 0)
    assert [status(left, room=True) for left in lefts] == ["ILLEGAL"] + ["LEGAL"] * 4
    assert [status(left, room=False) for left in lefts] == ["ILLEGAL"] * 3 + ["LEGAL"] * 2


@pytest.mark.clause("D2.4")
def test_the_maps_edge_ahead_costs_what_leaving_costs() -> None:
    """Half off the map, half Open Ground: with the 4 MP of leaving it cannot end, with 3½ it can."""
    assert bars(end("tr", 4, facing="NNE")) == {"D2.4"}
    assert end("tr", 3.5, facing="NNE").status == "LEGAL"
    nowhere: dict[str, Any] = {"readings": (("A2.6a", "nowhere"),)}
    board = field({"B1": {}, "C1": {}})
    west = vehicle(facing="W", mph="moving", spent=2 * ROOMY - 7, used=1)
    assert last(place(board, west), "end u").is_legal
    assert bars(last(place(board, west, **nowhere), "end u")) == {"D2.4"}


@pytest.mark.clause("D2.4")
def test_terrain_ahead_that_is_not_modelled() -> None:
    """Before lava it is UNSUPPORTED, unless the other hex is too dear anyway."""
    assert cites(end("tr", 4, there={"terrain": "Lava"})) == {"D2.4"}
    assert end("tr", 3.5, there={"terrain": "Lava"}).status == "LEGAL"


@pytest.mark.clause("D2.4")
def test_what_may_not_be_entered_is_not_too_dear() -> None:
    """Hedges on both sides do not let a truck end, unless half a MP is left, which pays for nothing."""

    def ending(left: float, other: dict[str, Any]) -> Ruling:
        board = field({"B1": {}, "C1": {}, "C2": {}}, {"B1-C1": HEDGE, "B1-C2": other})
        spent = round(2 * (ROOMY - left))
        return last(place(board, vehicle(mph="moving", spent=spent, used=spent)), "end u")

    assert bars(ending(4, HEDGE)) == bars(ending(1, HEDGE)) == {"D2.4"}
    assert ending(0.5, HEDGE).status == "LEGAL"
    assert bars(ending(0.5, ROAD)) == {"D2.4"}  # the road is open
    assert ending(3.5, {}).status == "LEGAL"


# -- D2.6 ------------------------------------------------------------------------------------------


@pytest.mark.clause("D2.6")
def test_stopping_beside_an_enemy_afv() -> None:
    """An unarmed vehicle cannot; for an armed one it is UNSUPPORTED; other units there do not matter."""
    tank = vehicle("e", "t-26-m33", "B1", side="russian")
    assert bars(step("tr", "stop u", others=(tank,))) == {"D2.6"}
    stop = step("ft", "stop u", kind="t-26-m33", others=(tank,))
    assert (stop.status, cites(stop)) == ("UNSUPPORTED", {"D2.6"})
    for other in (
        vehicle("e", "gaz-mm", "B1", side="russian"), vehicle("e", "t-26-m33", "B1"),
        vehicle("e", "t-26-m33", "C1", side="russian"), foot("e", "wreck", "B1", side="russian"),
    ):  # fmt: skip
        assert step("tr", "stop u", others=(other,)).status == "LEGAL"
    assert step("tr", "turn u SSE", others=(tank,)).status == "LEGAL"
    assert step("tr", others=(tank,)).status == "LEGAL"
    assert step("tr", "start u", others=(tank,), moving=False).status == "LEGAL"


@pytest.mark.clause("D2.6")
def test_ending_in_motion_beside_an_enemy_afv() -> None:
    """The same for an end in Motion, by its own `end` or another unit's move; if stopped, it can end."""
    tank = vehicle("e", "t-26-m33", "B1", side="russian")
    assert bars(end("tr", 3, others=(tank,))) == bars(end("tr", 0, others=(tank,))) == {"D2.6"}
    assert cites(end("ft", 0, kind="t-26-m33", others=(tank,))) == {"D2.6"}
    assert end("tr", 3, others=(tank,), moving=False).status == "LEGAL"
    assert end("tr", 3).status == "LEGAL"
    spent = 2 * ROOMY
    truck = vehicle(mph="moving", spent=spent, used=spent)
    assert bars(last(place(crossing(), truck, tank, foot("v")), "enter v C1")) == {"D2.6"}
    assert last(place(crossing(), truck, foot("v")), "enter v C1").is_legal


@pytest.mark.clause("D2.6b")
def test_no_excessive_speed_beside_an_enemy_afv() -> None:
    """Not for a vehicle that cannot stay there; for an armed one UNSUPPORTED; beside a truck as usual."""
    tank = vehicle("e", "t-26-m33", "B1", side="russian")
    truck = vehicle("e", "gaz-mm", "B1", side="russian")
    assert bars(step("ht", "esb u", kind="sdkfz-7", others=(tank,))) == {"D2.6b"}
    assert cites(step("ft", "esb u", kind="t-26-m33", others=(tank,))) == {"D2.6b"}
    for other in (
        truck,
        vehicle("e", "t-26-m33", "C1", side="russian"),
        vehicle("e", "t-26-m33", "B1"),
    ):
        assert step("ht", "esb u", kind="sdkfz-7", others=(other,)).is_legal


@pytest.mark.clause("D2.4")
def test_a_bridge_leads_by_its_road_alone() -> None:
    """On a bridge the hex ahead beside the road does not count; the one by road forbids the end."""
    units = [
        {"id": "u", "side": "german", "type": "Opel 6700", "at": "B2:bridge", "facing": "E",
         "moving": True, "mph": "moving", "spent": 3, "previous": "A2"},
    ]  # fmt: skip
    board = {"rows": ["...", ". ss .", "..."], "bridge": ["B2"], "road": ["A2 B2 C2"]}
    scene = {
        "format": "marchtable/scene/2", "rulebook": "asl", "side": "german", "phase": "MPh",
        "board": board, "units": units,
    }  # fmt: skip
    ruling = last(scene_of(scene).position, "end u")
    assert bars(ruling) == {"D2.4"}


@pytest.mark.clause("D2.17", "D14.31")
def test_delay_in_an_impulse() -> None:
    """An AFV of a platoon delays under way, too, and the others spend as much; in a Convoy only at rest."""
    under_way = last(platoon(4, 5), "impulse t1 delay:2,stay")
    assert (under_way.status, total(under_way, "t1"), total(under_way, "t2")) == ("LEGAL", 2, 2)
    at_rest = last(platoon(4, 5, shared={"moving": False}), "impulse t1 stay,delay")
    assert (at_rest.status, total(at_rest, "t1"), total(at_rest, "t2")) == ("LEGAL", 1, 1)
    alone = place(PLAIN, tank("t1", "A4", platoon="", moving=True))
    assert "D2.17" in bars(last(alone, "delay t1"))
    for moving in (True, False):
        trucks = [
            vehicle(f"v{row}", at=f"A{row}", convoy="c", rank=row, moving=moving, facing="NNE")
            for row in (4, 5)
        ]
        assert (bars(last(place(PLAIN, *trucks), "impulse v4 delay,stay")) == {"D2.17"}) is moving
    with pytest.raises(BadInputError, match="expected a move such as"):
        last(platoon(4, 5), "impulse t1 delay:x,stay")
