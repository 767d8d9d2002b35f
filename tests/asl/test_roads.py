"""Bridges, sunken and elevated roads, runways."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable import answer
from marchtable.state.position import Counter
from marchtable_models.asl.model import UnitType
from tests.asl.boards import (
    bars,
    cites,
    crossing,
    field,
    foot,
    last,
    paid,
    place,
    step,
    total,
    vehicle,
)
from tests.slowly import slow_after
from tests.solver.test_reach import check_reach

ROAD = {"road": "Dirt Road"}
BRIDGE = {"terrain": "Stone Bridge"}
WOODEN = {"terrain": "Single Hex Wooden Bridge"}
SUNKEN = {"terrain": "Sunken Road", "level": -1, "depression": "Sunken Road"}
ELEVATED = {"terrain": "Elevated Road", "level": 1}
RUNWAY = {"terrain": "Runway"}
WRECK = vehicle("w", "wreck", "C1", facing=None, moving=False)


@pytest.mark.clause("B6.1")
def test_a_bridge_is_left_along_its_road() -> None:
    """A unit on a bridge leaves it by road; another hexside is forbidden."""
    for column, cost in (("inf", 1), ("ft", 0.5), ("tr", 0.5)):
        along = step(column, here=BRIDGE, hexside=ROAD)
        assert (along.status, total(along)) == ("LEGAL", cost)
        assert bars(step(column, "enter u C2", here=BRIDGE, hexside=ROAD)) == {"B6.1"}
        assert step(column).status == "LEGAL"


def on_a_bridge(tons: float, *others: float, reading: str | None = None) -> Any:
    """Return the ruling on a halftrack of this weight entering a wooden bridge with others on it."""
    weights = sorted({tons, *others})
    types = tuple(
        UnitType(name=f"t{w:g}", class_="vehicle", column="ht", mp=20, tons=w) for w in weights
    )
    units = [vehicle(f"o{number}", f"t{other:g}", "C1") for number, other in enumerate(others)]
    position = place(
        crossing(there=WOODEN, hexside=ROAD), vehicle(kind=f"t{tons:g}"), *units, types=types,
        readings=(("B6.42a", reading),) if reading else (),
    )  # fmt: skip
    return last(position, "enter u C1")


def collapses(ruling: Any) -> int | None:
    """Return in how many of 36 throws the bridge collapses, or None if no roll is due."""
    for due in ruling.obligations:
        assert (due.id, due.clause) == ("collapse:u", "B6.42a")
        chances = {entry.outcome: entry.chance for entry in due.outcomes}
        assert sum(chances.values()) == 36
        return int(chances["collapses"])
    return None


@pytest.mark.clause("B6.42a")
def test_a_wooden_bridge_may_collapse_under_more_than_ten_tons() -> None:
    """Up to ten tons no roll is due; above that an 11 collapses it, from 15.5 tons a 10, and so on."""
    assert collapses(on_a_bridge(10)) is None
    assert collapses(on_a_bridge(10.5)) == 3  # a fraction of five tons counts, by the rule
    assert collapses(on_a_bridge(15)) == 3
    assert collapses(on_a_bridge(15.5)) == 6
    assert collapses(on_a_bridge(20)) == 6
    assert collapses(on_a_bridge(4, 6)) is None
    assert collapses(on_a_bridge(5, 6)) == 3
    assert collapses(on_a_bridge(5, 3, 3)) == 3
    assert collapses(step("ht", there=BRIDGE, hexside=ROAD)) is None


@pytest.mark.clause("B6.42a")
def test_a_part_of_five_tons_counts_unless_the_register_says_otherwise() -> None:
    """Half a ton over adds 1 to the roll by default, nothing if only whole five tons count."""
    for choice, chance in ((None, 3), ("whole", 1), ("begun", 3)):
        assert collapses(on_a_bridge(10.5, reading=choice)) == chance
    assert collapses(on_a_bridge(15, reading="whole")) == 3
    assert collapses(on_a_bridge(10, reading="whole")) is None


@pytest.mark.clause("B6.42a")
def test_wooden_bridges_that_are_not_judged() -> None:
    """Without a weight, beside a wreck without one, or if overloaded before, it is UNSUPPORTED."""
    for column in ("ft", "ht", "tr"):
        assert cites(step(column, there=WOODEN, hexside=ROAD)) == {"B6.42a"}
        assert step(column, there=BRIDGE, hexside=ROAD).status == "LEGAL"
        assert step(column, here=WOODEN, hexside=ROAD).status == "LEGAL"
    assert step(there=WOODEN, hexside=ROAD).status == "LEGAL"
    assert step("tr", there={"terrain": "Wooden Building"}).status == "ILLEGAL"
    assert cites(on_a_bridge(1, 11)) == {"B6.42a"}
    types = (UnitType(name="light", class_="vehicle", column="ht", mp=20, tons=3),)
    board = crossing(there=WOODEN, hexside=ROAD)
    beside = place(board, vehicle(kind="light"), WRECK, types=types)
    assert cites(last(beside, "enter u C1")) == {"B6.42a"}
    assert last(place(board, vehicle(kind="light"), types=types), "enter u C1").status == "LEGAL"


@pytest.mark.clause("B6.42a")
def test_what_is_known_to_weigh_so_much() -> None:
    """A light halftrack is held without a roll, a Tiger is not; either weight is reported as assumed."""
    for name, due in (("SPW 251/1", []), ("PzKpfw VIE", ["collapse:h"])):
        scene = {
            "format": "marchtable/scene/2", "rulebook": "asl", "side": "german", "phase": "MPh",
            "board": {"name": "t", "rows": [". . .", ". gu .", ". . ."], "road": ["- A1 B1 C1 -"],
                      "bridges": {"Wooden Bridge": ["B1"]}},
            "units": [{"id": "h", "side": "german", "type": name, "at": "A1", "facing": "E",
                       "moving": True}],
        }  # fmt: skip
        found = answer({"verb": "check", "scene": scene, "log": ["enter h B1:bridge"]})
        assert [one["id"] for one in found["obligations"]] == due
        assert (found["status"], "tons" in str(found["assumed"])) == ("LEGAL", True)


@pytest.mark.clause("B6.42b")
def test_a_collapse_is_not_modelled() -> None:
    """If the bridge holds the vehicle goes on; otherwise the effect is UNSUPPORTED."""
    position = on_a_bridge(12).after
    assert cites(last(position, "settle collapse:u collapses")) == {"B6.42b"}
    held = last(position, "settle collapse:u holds")
    assert (held.status, held.after.unit("u").at) == ("LEGAL", "C1")


@pytest.mark.clause("B4")
def test_a_sunken_road_is_entered_on_foot_or_along_it() -> None:
    """Off the road it costs 2 MF on foot and vehicles cannot enter; along it the road rate applies."""
    down = step(there=SUNKEN, left=2)
    assert (paid(down, "B4"), total(down), down.status) == (2, 2, "LEGAL")
    assert bars(step(there=SUNKEN, left=1.5)) == {"A4.11b"}
    for column in ("ft", "ht", "tr"):
        assert bars(step(column, there=SUNKEN)) == {"B4"}
        for road in ("Sunken Road", "Dirt Road"):
            along = step(column, there=SUNKEN, hexside={"road": road})
            assert (along.status, total(along)) == ("LEGAL", 0.5)
    assert total(step(there=SUNKEN, hexside=ROAD)) == 1


@pytest.mark.clause("B4.42a")
def test_a_vehicle_leaves_a_sunken_road_along_it() -> None:
    """The banks keep a vehicle in, a squad climbs out as uphill; along the road all go on."""
    for column in ("ft", "ht", "tr"):
        assert bars(step(column, here=SUNKEN)) == {"B4.42a"}
        out = step(column, here=SUNKEN, hexside=ROAD)
        assert (out.status, total(out)) == ("LEGAL", 2.5)
        assert step(column, here=SUNKEN, there=SUNKEN, hexside=ROAD).status == "LEGAL"
    assert (step(here=SUNKEN).status, total(step(here=SUNKEN))) == ("LEGAL", 2)


@pytest.mark.clause("B5")
def test_an_elevated_road_is_climbed_for_the_charts_figure() -> None:
    """Off the road 2 MF on foot, 5 MP tracked, the climb included; a truck cannot get up."""
    for column, cost in (("inf", 2), ("ft", 5), ("ht", 5)):
        up = step(column, there=ELEVATED, left=cost)
        assert (paid(up, "B5"), total(up), up.status) == (cost, cost, "LEGAL")
        short = step(column, there=ELEVATED, left=cost - 0.5)
        assert bars(short) == {"A4.11b" if column == "inf" else "D2.1b"}
    assert bars(step("tr", there=ELEVATED)) == {"B5"}
    for column in ("ft", "ht", "tr"):
        ramp = step(column, there=ELEVATED, hexside=ROAD)
        assert (ramp.status, total(ramp)) == ("LEGAL", 2.5)
        level = step(column, here=ELEVATED, there=ELEVATED, hexside={"road": "Elevated Road"})
        assert (level.status, total(level)) == ("LEGAL", 0.5)


@pytest.mark.clause("B5.42a")
def test_only_tracked_vehicles_go_down_the_edge_of_an_elevated_road() -> None:
    """A truck keeps to the road, tracked vehicles and squads can go down; by the ramp all can."""
    assert bars(step("tr", here=ELEVATED)) == {"B5.42a"}
    assert step("tr", here=ELEVATED, hexside=ROAD).status == "LEGAL"
    for column in ("inf", "ft", "ht"):
        assert step(column, here=ELEVATED).status == "LEGAL"


@pytest.mark.clause("B5.42b")
@pytest.mark.parametrize(("choice", "costs"), [
    (None, (1, 1, 1)), ("terrain", (1, 1, 1)), ("edge", (2, 5, 5)),
])  # fmt: skip
def test_what_going_down_the_edge_costs(choice: str | None, costs: tuple[float, ...]) -> None:
    """The terrain below is paid for, or the edge if it is more expensive and the register says so."""
    scene = {"readings": (("B5.42b", choice),) if choice else ()}
    for column, cost in zip(("inf", "ft", "ht"), costs, strict=True):
        down = step(column, here=ELEVATED, left=cost, scene=scene)
        assert (total(down), down.status) == (cost, "LEGAL")
        assert bars(step(column, here=ELEVATED, left=cost - 0.5, scene=scene))
        along = step(column, here=ELEVATED, hexside=ROAD, scene=scene)
        assert total(along) == (1 if column == "inf" else 0.5)
    woods = step(here=ELEVATED, there={"terrain": "Woods"}, scene=scene)
    assert total(woods) == 2


@pytest.mark.parametrize(("clause", "here"), [
    pytest.param("B6.43", BRIDGE, marks=pytest.mark.clause("B6.43")),
    pytest.param("B4.42b", SUNKEN, marks=pytest.mark.clause("B4.42b")),
    pytest.param("B5.42c", ELEVATED, marks=pytest.mark.clause("B5.42c")),
])  # fmt: skip
def test_turning_off_the_line_of_such_a_road_is_doubled(clause: str, here: dict[str, Any]) -> None:
    """A VCA change costs 2 MP there, but 1 if it swings across the road; on a plain road 1."""
    across = step("ft", "turn u SSE", here=here, left=2)
    assert (paid(across, clause), total(across), across.status) == (1, 2, "LEGAL")
    assert bars(step("ft", "turn u SSE", here=here, left=1.5)) == {"D2.1b"}
    along = step("ft", "turn u NNE", here=here, hexside=ROAD)
    assert (paid(along, clause), total(along)) == (0, 1)
    assert total(step("ft", "turn u SSE", here={"terrain": "Dirt Road"}, hexside=ROAD)) == 1


@pytest.mark.clause("D2.14")
@pytest.mark.parametrize("there", [SUNKEN, {**ELEVATED, "level": 0}, BRIDGE])
def test_a_wreck_on_such_a_road_costs_four_times(there: dict[str, Any]) -> None:
    """A CE tank pays for a wreck there: ½ + (1 x 2 x 2) = 4½ MP; on a plain road 2½."""
    tank = step("ft", there=there, hexside=ROAD, others=(WRECK,), left=4.5)
    assert (paid(tank, "D2.14"), total(tank), tank.status) == (4, 4.5, "LEGAL")
    assert total(step("ft", hexside=ROAD, others=(WRECK,))) == 2.5


@pytest.mark.clause("B4.4")
@pytest.mark.parametrize("there", [SUNKEN, ELEVATED])
def test_sunken_and_elevated_roads_among_other_terrain(there: dict[str, Any]) -> None:
    """Off the road with woods in the hex it is UNSUPPORTED; by road, or bare, it is judged."""
    wooded = {**there, "also": (("Woods", 60),)}
    among = step(there=wooded)  # neither the cost is known, nor whether it is too much
    assert (among.status, "B4.4" in cites(among), bars(among)) == ("UNSUPPORTED", True, set())
    assert step(there=wooded, hexside=ROAD).status == "LEGAL"
    assert step(there=there).status == "LEGAL"
    assert step("ft", there={**ELEVATED, "level": 2}).status == "LEGAL"
    below = step(here={"level": -2}, there=SUNKEN)
    assert (below.status, "B4.4" in cites(below)) == ("UNSUPPORTED", True)
    assert step("ft", here={"level": 1}, there={**ELEVATED, "level": 2}).status == "LEGAL"
    assert step(there={**there, "also": (("Dirt Road", 60), ("Woods", 10))}).status == "LEGAL"


@pytest.mark.clause("B10.4a", "B10.5", "B4.4")
def test_an_elevated_road_from_below_on_foot() -> None:
    """It costs 1 MF doubled; from two levels below 2 more, SMOKE doubled except over these."""
    high: Any = {**ELEVATED, "level": 2}
    for smoke, low, deep in (((), 2, 4), (("C1",), 4, 5)):
        scene = {"smoke": smoke}
        for column in ("inf", "cav"):
            up = step(
                column, kind="leader" if column == "inf" else "cavalry", there=ELEVATED, scene=scene
            )
            assert (total(up), up.status) == (low, "LEGAL")
            abrupt = step(
                column, kind="leader" if column == "inf" else "cavalry", there=high, scene=scene
            )
            assert (total(abrupt), abrupt.status) == (deep, "LEGAL")
    assert bars(step(there=high, left=3.5)) == {"A4.11b"}
    assert bars(step(there=high, left=4)) == set()
    smoky = step(here={"level": 1}, there=ELEVATED, scene={"smoke": ("C1",)})
    assert total(smoky) == 3  # from its own level SMOKE counts once
    ramp = step(there=ELEVATED, hexside=ROAD, scene={"smoke": ("C1",)})
    assert total(ramp) == 4
    wooded = step(there={**high, "also": (("Woods", 60),)}, left=1)
    assert (wooded.status, bars(wooded)) == ("UNSUPPORTED", set())


@pytest.mark.clause("B10.4b", "B10.5", "B5")
def test_an_elevated_road_from_a_stream_in_a_vehicle() -> None:
    """Out of the stream 4 MP for the level between and 5 for the road's edge, climb included; SMOKE 1 more."""
    stream = {"terrain": "Shallow Stream", "level": -1, "depression": "Shallow Stream"}
    for column in ("ft", "ht"):
        up = step(column, here=stream, there=ELEVATED, left=9)
        assert (total(up), up.status) == (9, "LEGAL")
        assert (paid(up, "B10.5"), paid(up, "B5"), paid(up, "B10.4b")) == (4, 5, 0)
        assert bars(step(column, here=stream, there=ELEVATED, left=8.5)) == {"D2.1b"}
        smoky = step(column, here=stream, there=ELEVATED, scene={"smoke": ("C1",)})
        assert total(smoky) == 10
        flat = step(column, there=ELEVATED)
        assert total(flat) == 5
        ramp = step(column, here=stream, there=ELEVATED, hexside=ROAD)
        assert paid(ramp, "B10.4b") == 2
    assert "B5" in bars(step("tr", here=stream, there=ELEVATED))


@pytest.mark.clause("B7", "B3.4a", "B3.4b")
def test_a_runway_is_open_ground_from_beside_it_and_a_paved_road_along_it() -> None:
    """Across a hexside without runway it costs Open Ground's cost, across others the road rate."""
    for column, cost in (("inf", 1), ("cav", 1), ("ft", 1), ("ht", 1), ("ac", 3), ("tr", 4)):
        for here in ({}, RUNWAY):
            onto = step(column, here=here, there=RUNWAY, left=cost, road=False)
            assert (paid(onto, "B7"), total(onto), onto.status) == (cost, cost, "LEGAL")
            assert bars(step(column, here=here, there=RUNWAY, left=cost - 0.5, road=False))
        assert step(column, here=RUNWAY).status == "LEGAL"
        along = step(column, here=RUNWAY, there=RUNWAY, hexside={"road": "Runway"})
        rate = 1 if column in ("inf", "cav") else 0.5
        assert (total(along), along.status, paid(along, "B7")) == (rate, "LEGAL", 0)
        off = step(column, here=RUNWAY, hexside={"road": "Paved Road"})
        assert (total(off), off.status) == (rate, "LEGAL")
    wreck = foot("w", "wreck", at="C1")
    by = step("tr", here=RUNWAY, there=RUNWAY, hexside={"road": "Runway"}, others=(wreck,))
    assert (paid(by, "D2.14"), total(by)) == (2, 2.5)
    up = {**RUNWAY, "level": 1}
    assert total(step("tr", here=RUNWAY, there=up, hexside={"road": "Runway"})) == 2.5
    assert paid(step("ft", there=RUNWAY, hexside={"road": "Runway"}, bu=True), "D2.16") == 0.5


@pytest.mark.clause("B3.4a", "B3.4b")
@pytest.mark.parametrize("kind", slow_after(1, ["squad", "tr-6", "ft-4", "tr-10"]))
def test_reach_along_a_runway(kind: str) -> None:
    """Rule and reach agree along the runway, off it and back."""
    board = field(
        {"B1": RUNWAY, "C1": RUNWAY, "D1": RUNWAY, "C2": {}},
        {"B1-C1": {"road": "Runway"}, "C1-D1": {"road": "Runway"}},
    )
    unit = foot(at="B1") if kind == "squad" else vehicle(kind=kind, at="B1", facing="E")
    check_reach(place(board, unit), "u")


@pytest.mark.clause("x-road")
def test_a_road_of_a_strange_kind() -> None:
    """Its effect is unknown: UNSUPPORTED, and not forbidden by the terrain around it."""
    strange_road = {"road": "Railroad"}
    strange = step("mc", there={"terrain": "Woods"}, hexside=strange_road)
    assert (strange.status, cites(strange)) == ("UNSUPPORTED", {"x-road"})
    assert step("mc", there={"terrain": "Woods"}).status == "ILLEGAL"


@pytest.mark.clause("B4.4")
def test_grain_about_a_sunken_road_out_of_season() -> None:
    """In season it is UNSUPPORTED off the road; from October to March there is none."""
    there = {**SUNKEN, "also": (("Grain", 60),)}
    for month, status in ((9, "UNSUPPORTED"), (10, "LEGAL")):
        assert step(there=there, scene={"month": month}).status == status


@pytest.mark.clause("B6.42c", "B6.42a")
def test_a_wooden_bridge_holds_what_it_has_held() -> None:
    """Once it has held 25 tons, 25 need no roll, 30 one that adds 1; a counter says so."""
    types = tuple(
        UnitType(name=f"t{w}", class_="vehicle", column="ht", mp=20, tons=w) for w in (25, 30)
    )
    units = (
        vehicle("u", "t25"),
        vehicle("v", "t25", moving=False),
        vehicle("w", "t30", moving=False),
    )
    drawn = place(field({n: {} for n in ("A1", "A2", "B1", "C2", "D1", "D2")} | {"C1": WOODEN},
                        {"B1-C1": ROAD, "C1-D1": ROAD}), *units, types=types)  # fmt: skip
    over = ("enter u C1", "settle collapse:u holds", "enter u D1", "stop u")
    found = [c.kind for c in last(drawn, *over[:2]).after.counters]
    assert found == ["weight-limit-25"]
    assert last(drawn, *over, "start v", "enter v C1").obligations == ()
    heavier = last(drawn, *over, "start w", "enter w C1")
    (due,) = heavier.obligations
    assert (due.id, due.outcomes[1].chance) == ("collapse:w", 3)
    more = last(drawn, *over, "start w", "enter w C1", "settle collapse:w holds").after
    assert [c.kind for c in more.counters] == ["weight-limit-30"]
    limit: dict[str, Any] = {"counters": (Counter(kind="weight-limit-25", at="C1"),)}
    assert last(place(crossing(there=WOODEN, hexside=ROAD), vehicle(kind="t25"), types=types, **limit),
                "enter u C1").obligations == ()  # fmt: skip


def on_the_road(here: dict[str, Any], kind: str = "ft-40", **fields: Any) -> Any:
    """Return a vehicle in B1, with a road to A1, facing C1 without a road."""
    hexes = {"A1": {}, "A2": {}, "B1": here, "C1": {}, "C2": {}}
    return place(field(hexes, {"A1-B1": ROAD}), vehicle(kind=kind, **fields))


@pytest.mark.clause("B4.42a")
def test_a_tank_on_a_sunken_road() -> None:
    """It cannot go up the bank to C1; back to A1 by road costs 0.5 MP, plus 2 for the climb."""
    assert bars(last(on_the_road(SUNKEN), "enter u C1")) == {"B4.42a"}
    back = last(on_the_road(SUNKEN, facing="W"), "enter u A1")
    assert (back.status, total(back)) == ("LEGAL", 2.5)


@pytest.mark.clause("B5.42a")
@pytest.mark.parametrize(
    ("kind", "cost", "barred"), [("ft-40", 1, set()), ("tr-40", 4, {"B5.42a"})]
)
def test_down_the_edge_of_an_elevated_road(kind: str, cost: float, barred: set[str]) -> None:
    """A tank goes down to C1 for its Open Ground, 1 MP; a truck, which would pay 4, cannot."""
    down = last(on_the_road(ELEVATED, kind), "enter u C1")
    assert bars(down) == barred
    assert total(down) == cost


@pytest.mark.clause("B4.42b")
@pytest.mark.parametrize(("spent", "barred"), [(38, set()), (38.5, {"D2.1b"})])
def test_the_last_mp_for_a_turn_on_a_sunken_road(spent: float, barred: set[str]) -> None:
    """A hexspine of VCA is 1 MP, doubled 2: of 40 MP, 38 can be spent before, not 38.5."""
    halves = round(2 * spent)
    turned = last(on_the_road(SUNKEN, spent=halves, used=halves, mph="moving"), "turn u SSE")
    assert bars(turned) == barred
    assert total(turned) == 2
