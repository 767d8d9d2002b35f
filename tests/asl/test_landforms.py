"""Depressions, water, marsh, cliffs, Abrupt Elevation Changes, Blazes."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.reachability.reach import reach
from marchtable.state.position import Counter
from marchtable_models.asl.model import UnitType
from tests.asl.boards import (
    EIGHT,
    bars,
    cites,
    crossing,
    foot,
    last,
    load,
    paid,
    place,
    step,
    total,
    vehicle,
)  # fmt: skip
from tests.asl.chart_by_hand import low
from tests.asl.test_bog import odds

ROAD = {"road": "Dirt Road"}
STREAM = low("Shallow Stream")
DEEP = low("Deep Stream")
MARSH = {"terrain": "Marsh"}


@pytest.mark.clause("B11")
def test_a_cliff_is_crossed_by_nobody() -> None:
    """A cliff is climbed; where a road leads through it, no cliff is crossed."""
    for column in EIGHT:
        assert bars(step(column, hexside={"terrain": "Cliff"})) == {"B11"}
    assert step(hexside={"terrain": "Cliff", **ROAD}).status == "LEGAL"


@pytest.mark.clause("B10.5")
def test_each_level_between_costs() -> None:
    """Each level between costs 2 MF or 4 MP up, 1 MF or 2 MP down; one level costs nothing."""
    for column, up, down in (
        ("inf", 2, 1), ("cav", 2, 1), ("hd", 2, 1), ("mc", 4, 2), ("ac", 4, 2), ("tr", 4, 2),
    ):  # fmt: skip
        assert paid(step(column, there={"level": 2}), "B10.5") == up
        assert paid(step(column, here={"level": 2}), "B10.5") == down
        assert paid(step(column, there={"level": 3}), "B10.5") == 2 * up
        assert paid(step(column, there={"level": 1}), "B10.5") == 0
        assert paid(step(column, here={"level": 1}), "B10.5") == 0
    assert step(there={"level": 2}, left=4, road=False).status == "LEGAL"
    assert bars(step(there={"level": 2}, left=3.5, road=False)) == {"A4.11b"}


@pytest.mark.clause("D8.21a")
def test_an_abrupt_change_makes_bogging_likelier() -> None:
    """A Bog Check that is due has +1 DRM; the change alone requires none."""
    assert odds(step("tr", there={"terrain": "Vineyard"})) == 10
    assert odds(step("tr", there={"terrain": "Vineyard", "level": 2})) == 15
    assert odds(step("tr", there={"terrain": "Vineyard", "level": 1})) == 10
    assert odds(step("tr", there={"level": 2})) is None


@pytest.mark.clause("A2.4")
def test_woods_about_a_building() -> None:
    """Woods covering much of a building's hex, or a building in woods, add their cost; others do not."""
    wooded = {"terrain": "Wooden Building", "also": (("Woods", 40),)}
    assert (total(step(there=wooded, left=4)), step(there=wooded).status) == (4, "LEGAL")
    assert bars(step(there=wooded, left=3.5, road=False)) == {"A4.11b"}
    assert total(step(there={"terrain": "Woods", "also": (("Stone Building", 40),)})) == 4
    for share in (("Woods", 10), ("Brush", 60), ("Stone Building", 60)):
        assert total(step(there={"terrain": "Wooden Building", "also": (share,)})) == 2
    assert total(step(there={"terrain": "Woods", "also": (("Brush", 60),)})) == 2
    tank = step("ft", "minimum u C1", there=wooded, bu=True)
    assert (tank.status, odds(tank)) == (
        "LEGAL",
        9,
    )  # a vehicle that would bog may rubble it, or fall (B23.41)


@pytest.mark.clause("B19.4a")
def test_vehicles_in_gully_woods() -> None:
    """A vehicle needs a Minimum Move, a fully tracked one half its allotment and 2; NA stays NA."""
    woods = low("Gully", ("Woods", 60))
    assert bars(step("tr", there=woods)) == {"D2.7"}
    assert odds(step("tr", "minimum u C1", there=woods)) == 10
    half = step("ft", "enter u C1 half=true", there=woods, left=22)
    assert (half.status, total(half), odds(half)) == ("LEGAL", 22, 15)
    assert bars(step("ft", "enter u C1 half=true", there=woods, left=21.5)) == {"D2.1b"}
    assert "B19.4a" in bars(step("ac", there=low("Gully", ("Graveyard", 60))))


@pytest.mark.clause("D2.11a", "D8.21b")
def test_turning_in_a_depression() -> None:
    """In gully-woods a VCA change costs 2 and may bog; IN a stream in woods it does neither."""
    gully = step("ht", "turn u SSE", here=low("Gully", ("Woods", 60)))
    stream = step("ht", "turn u SSE", here=low("Dry Stream", ("Woods", 60)))
    assert (total(gully), odds(gully)) == (2, 6)
    assert (total(stream), odds(stream)) == (1, None)


@pytest.mark.clause("D2.11a")
def test_turning_in_rubble() -> None:
    """A VCA change in rubble costs 2 as in a building."""
    assert total(step("ft", "turn u SSE", here={"terrain": "Stone Rubble"})) == 2


@pytest.mark.clause("B20.43")
def test_a_deep_stream_exhausts_infantry() -> None:
    """Infantry and Cavalry become CX, by road too; a load costs nothing more at once; no vehicle does."""
    position = place(crossing(there=DEEP), foot(kind="leader"))
    after = last(position, "enter u C1").after.unit("u")
    assert (after.status.cx, after.status.tired) == (True, True)
    assert bars(last(position, "enter u C1", "double-time u")) == {"A4.5b"}
    assert last(place(crossing(there=STREAM), foot(kind="leader")), "enter u C1",
                "double-time u").is_legal  # fmt: skip
    assert step(there=DEEP, sw=load(3)).status == "LEGAL"
    assert step(there=DEEP, hexside=ROAD).after.unit("u").status.cx
    assert step("cav", there=DEEP).after.unit("u").status.cx
    assert not step("ft", there=DEEP).after.unit("u").status.cx
    cx = step(there=DEEP, cx=True)
    assert "cx" not in {effect.field for effect in cx.effects}


@pytest.mark.clause("B20-dry", "B20-shallow", "B20-deep")
def test_the_conditions_tell_how_deep_streams_are() -> None:
    """A depth stated in the conditions applies to every stream, whatever the map shows."""
    for depth, cost in (("dry", 2), ("shallow", 3), ("deep", 4)):
        scene = {"stated": {"stream": depth}}
        for drawn in ("Dry Stream", "Deep Stream"):
            ruling = step("cav", there=low(drawn), scene=scene)
            assert (total(ruling), paid(ruling, f"B20-{depth}")) == (cost, cost)
    assert total(step("cav", there=low("Gully"), scene={"stated": {"stream": "deep"}})) == 2


@pytest.mark.clause("B20.81")
def test_a_ford_is_one_class_shallower() -> None:
    """Where depth is stated a ford is one class shallower, and leaving it needs no Bog Check."""
    ford = {**low("Shallow Stream"), "terrain": "Ford", "depression": None}
    for depth, cost in (("deep", 3), ("shallow", 2), ("dry", 2)):
        ruling = step("cav", there=ford, scene={"stated": {"stream": depth}})
        assert (ruling.status, total(ruling)) == ("LEGAL", cost)
    assert cites(step("cav", there=ford)) == {"B20.81"}
    assert odds(step("tr", here=ford)) is None


@pytest.mark.clause("B21.4")
def test_water_is_entered_where_it_can_be_forded() -> None:
    """Water is impassable unless the conditions make it fordable; a road leads to it, not through it."""
    river = {"terrain": "River"}
    fordable = {"stated": {"fordable": True}}
    for column in ("inf", "cav", "hd"):
        assert bars(step(column, there=river)) == {"B21.4"}
        assert step(column, there=river, scene=fordable).status == "LEGAL"
    assert bars(step("tr", there=river, scene=fordable)) == {"B21"}
    assert bars(step(there=river, hexside=ROAD)) == {"B21.4"}


@pytest.mark.clause("A4.134b")
def test_marsh_takes_all_mf() -> None:
    """A unit on foot needs all its MF; an extra cost, such as uphill, makes it a Minimum Move."""
    whole = step(there=MARSH)
    assert (whole.status, total(whole), whole.receipts[0].left) == ("LEGAL", 4, 0)
    assert whole.after.unit("u").points.final == "all"
    assert bars(step(there=MARSH, left=3.5)) == {"A4.134b"}
    assert bars(step(there=MARSH, sw=load(7))) == {"A4.134b"}
    assert step(there=MARSH, sw=load(6)).status == "LEGAL"
    for more, cost in (
        ({"there": {**MARSH, "level": 1}}, 8),
        ({"there": MARSH, "hexside": {"terrain": "Hedge"}}, 5),
        ({"there": MARSH, "scene": {"smoke": ("C1",)}}, 5),
    ):
        assert bars(step(**more)) == {"A4.134b"}
        least = step(line="minimum u C1", **more)
        assert (least.status, total(least)) == ("LEGAL", cost)
    assert bars(step(line="minimum u C1", there=MARSH)) == {"A4.134"}
    position = place(crossing(there=MARSH), foot())
    assert bars(last(position, "enter u C1", "enter u C2")) == {"A4.11b", "D2.7b"}
    doubled = last(position, "double-time u", "enter u C1")
    assert (doubled.status, total(doubled)) == ("LEGAL", 6)


@pytest.mark.clause("D8.21a", "D8.21b")
def test_hexes_beside_a_marsh_are_bog_hexes() -> None:
    """Beside a marsh, at level 0 or lower, vehicles off road may bog; motorcycles and squads do not."""
    for column, chance in (("hd", 6), ("ac", 6), ("ft", 3), ("ht", 6), ("tr", 10)):
        assert odds(step(column, here=MARSH)) == chance
        assert odds(step(column, "turn u SSE", there=MARSH)) == chance
        assert odds(step(column, here=MARSH, hexside=ROAD)) is None
        assert odds(step(column, here=MARSH, there={"level": 1})) is None
        assert odds(step(column, here={"terrain": "Mudflats"})) is None
    for column in ("inf", "cav", "mc"):
        assert odds(step(column, here=MARSH)) is None
    assert odds(step("mc", "turn u SSE", there=MARSH)) is None


@pytest.mark.clause("D8.21a")
@pytest.mark.parametrize(("terrain", "half", "chance"), [
    ("Graveyard", False, 15), ("Wooden Rubble", False, 15), ("Stone Rubble", False, 15),
    ("Debris", False, 6), ("Wrecked Rail Car", False, 3), ("Light Woods", True, 6),
    ("Light Woods", False, 3), ("Vineyard", False, 3),
])  # fmt: skip
def test_odds_of_bogging_fully_tracked(terrain: str, half: bool, chance: int) -> None:
    """Terrain and entry are added to the 1 for ground pressure."""
    line = f"enter u C1{' half=true' if half else ''}"
    assert odds(step("ft", line, there={"terrain": terrain})) == chance
    if terrain == "Light Woods":
        assert odds(step("ht", line, there={"terrain": terrain})) == chance + (4 if half else 3)
        assert odds(step("ft", line, there={"terrain": terrain, "level": 1})) == (10 if half else 6)


@pytest.mark.clause("B25")
def test_nothing_enters_a_blaze() -> None:
    """No unit enters a Blaze, by road either; a unit can leave one."""

    def scene(at: str) -> dict[str, Any]:
        return {"counters": (Counter(kind="blaze", at=at),)}

    for column in EIGHT:
        assert bars(step(column, scene=scene("C1"))) == {"B25"}
        assert bars(step(column, scene=scene("C1"), hexside=ROAD)) == {"B25"}
        assert step(column, scene=scene("B1")).status == "LEGAL"


@pytest.mark.clause("B9.54a")
def test_bocage_is_not_crossed_in_reverse() -> None:
    """A tank cannot back over bocage; forward it can, and it can back over Open Ground."""
    bocage = {"terrain": "Bocage"}
    back: dict[str, Any] = {"facing": "W", "reverse": True}
    for hexside, reverse, legal in ((bocage, True, False), (bocage, False, True), ({}, True, True)):
        found = step("ft", hexside=hexside, **(back if reverse else {}))
        assert ("B9.54a" in bars(found)) is not legal
    assert "B9.54a" not in bars(step("ft", hexside={**bocage, "road": "Dirt Road"}, **back))


@pytest.mark.clause("B9.54")
def test_bocage_lets_only_afv_across() -> None:
    """A fully tracked vehicle that is no AFV cannot cross bocage, except by a road's gap."""
    tractor = UnitType(name="tractor", class_="vehicle", column="ft", mp=10)
    bocage = {"terrain": "Bocage"}

    def crosses(**gap: str) -> Any:
        board = crossing(hexside={**bocage, **gap})
        return last(place(board, vehicle(kind="tractor"), types=(tractor,)), "enter u C1")

    assert bars(crosses()) == {"B9.54"}
    assert crosses(**ROAD).is_legal
    assert step("ft", hexside=bocage).status == "LEGAL"


@pytest.mark.clause("B18.41")
def test_a_graveyards_road_is_no_road() -> None:
    """It costs 1 and a BU AFV 2, uphill 2 more; wrecks do not count double; it gives no road bonus."""
    yard = {"terrain": "Graveyard"}
    for column in ("ac", "ft", "ht", "tr", "mc", "hd"):
        ruling = step(column, there=yard, hexside=ROAD, left=1)
        assert (ruling.status, total(ruling), odds(ruling)) == ("LEGAL", 1, None)
        assert bars(step(column, there=yard, hexside=ROAD, left=0.5)) == {"D2.1b"}
    assert total(step("ft", there=yard, hexside=ROAD, bu=True)) == 2
    assert total(step("ft", there={**yard, "level": 1}, hexside=ROAD)) == 3
    assert paid(step("tr", there=yard, hexside=ROAD, others=(foot("w", "wreck", at="C1"),)),
                "D2.14") == 1  # fmt: skip
    assert step(there=yard, hexside=ROAD).receipts[0].left == 2 * 3


@pytest.mark.clause("B18.41")
def test_boards_draw_a_graveyards_road_as_a_path() -> None:
    """A path is that road into the graveyard, for all units; out of it, it is a path, no road."""
    yard, path = {"terrain": "Graveyard"}, {"path": True}
    for column in ("ac", "ft", "ht", "tr", "mc", "hd"):
        ruling = step(column, there=yard, hexside=path, left=1)
        assert (ruling.status, total(ruling), odds(ruling)) == ("LEGAL", 1, None)
        assert bars(step(column, there=yard, hexside=path, left=0.5)) == {"D2.1b"}
        assert paid(step(column, here=yard, hexside=path), "B18.41") == 0
        mover = vehicle(kind=f"{column}-4") if column != "hd" else vehicle(kind="wagon")
        (found,) = reach(place(crossing(there=yard, hexside=path), mover), ["u"])
        assert "C1" in found.best()
    assert total(step("ft", there=yard, hexside=path, bu=True)) == 2
    assert "B18" in bars(step("tr", there=yard))
    assert total(step(there=yard, hexside=path)) == 1
    assert step(there=yard, hexside=path).receipts[0].left == 2 * 3


@pytest.mark.clause("D8.2")
@pytest.mark.parametrize(
    ("choice", "columns"), [(None, {"tr"}), ("chart", {"ac", "ft", "ht", "tr"})]
)
def test_a_dry_stream_is_left_as_a_gully(choice: str | None, columns: set[str]) -> None:
    """Only trucks make a Bog Check; by the other reading all do, as the chart marks it."""
    scene: Any = {"readings": (("D8.2", choice),) if choice else ()}
    dry = {"terrain": "Dry Stream", "depression": "Dry Stream", "level": -1}
    wet = {"terrain": "Shallow Stream", "depression": "Shallow Stream", "level": -1}
    result = {"stated": {"stream": "dry"}}
    for here, more in ((dry, {}), (wet, result)):
        found = {
            c
            for c in ("ac", "ft", "ht", "tr")
            if step(c, here=here, scene={**scene, **more}).obligations
        }
        assert found == columns
    assert step("ft", here=wet).obligations
    wrecks = [
        bool(step("mc", there=dry, scene=scene).obligations),
        bool(step("mc", there=wet).obligations),
    ]
    assert wrecks == [choice == "chart", True]


@pytest.mark.clause("B16.6")
def test_marsh_beside_shallow_water_is_not_judged() -> None:
    """With dry streams, or fordable Water Obstacles, Marsh may be mudflats: entry is UNSUPPORTED, not ILLEGAL.

    Trucks cannot enter Marsh in any case.
    """
    for found in ({"stream": "dry"}, {"fordable": True}):
        for column in ("inf", "cav"):
            ruling = step(column, there={"terrain": "Marsh"}, left=1, scene={"stated": found})
            assert (ruling.status, "B16.6" in cites(ruling)) == ("UNSUPPORTED", True)
        advance = step(
            line="advance u C1", there={"terrain": "Marsh"}, scene={"stated": found, "phase": "APh"}
        )
        assert "B16.6" in cites(advance)
        assert bars(step("tr", there={"terrain": "Marsh"}, scene={"stated": found})) == {"B16"}
    assert step(there={"terrain": "Marsh"}, scene={"stated": {"stream": "deep"}}).is_legal
    assert step(there={"terrain": "Mudflats"}, scene={"stated": {"stream": "dry"}}).is_legal


@pytest.mark.clause("B13.82")
def test_pine_woods_are_lighter_on_foot() -> None:
    """1.5 MF, Cavalry 3; for vehicles they are woods, with the Bog Check."""
    pine = {"terrain": "Pine Woods"}
    assert [paid(step(c, there=pine), "B13.82") for c in ("inf", "cav")] == [1.5, 3]
    assert bars(step(there=pine, left=1)) == {"A4.11b"}
    truck = step("tr", there=pine)
    assert (total(truck), len(truck.obligations)) == (40, 1)
    assert total(step("ft", "enter u C1 half=true", there=pine)) == 20
    assert bars(step("mc", there=pine)) == {"B13.82"}
    assert total(step(there={**pine, "level": 1})) == 3


@pytest.mark.clause("B19.4b")
def test_from_gully_to_gully_over_the_ridge() -> None:
    """2 MF or 4 MP more, as over an Abrupt Elevation Change; across a gully hexside, or a road, nothing."""
    gully = {"terrain": "Gully", "depression": "Gully", "level": -1}
    ridge = {"ridge": True}
    assert [
        total(step(c, here=gully, there=gully, hexside=ridge)) for c in ("inf", "hd", "ft")
    ] == [4, 42, 7]
    assert bars(step(here=gully, there=gully, hexside=ridge, left=3.5)) == {"A4.11b"}
    assert [total(step(c, here=gully, there=gully)) for c in ("inf", "ft")] == [2, 3]
    assert (
        paid(step(here=gully, there=gully, hexside={**ridge, "road": "Dirt Road"}), "B19.4b") == 0
    )
    truck = step("tr", here=gully, there=gully, hexside=ridge)
    assert len(truck.obligations) == 1
    assert not step("tr", here=gully, there=gully).obligations
    assert step("mc", here=gully, there=gully, hexside=ridge).obligations
    stream = {"terrain": "Shallow Stream", "depression": "Shallow Stream", "level": -1}
    woods = {**stream, "also": (("Woods", 60),)}
    assert [
        total(step(kind="leader", here=stream, there=woods, hexside=h)) for h in ({}, ridge)
    ] == [3, 7]


@pytest.mark.clause("B19.4a", "B20.4", "B15")
@pytest.mark.parametrize(("month", "cost"), [(9, 3.5), (10, 2), (3, 2)])
def test_grain_out_of_season_adds_nothing_in_a_gully(month: int, cost: float) -> None:
    """In season it adds its cost; otherwise there is no grain, and Open Ground adds nothing."""
    for depression, own in (("Gully", 2), ("Shallow Stream", 3)):
        for column in ("inf", "cav"):
            found = step(column, there=low(depression, ("Grain", 60)), scene={"month": month})
            assert total(found) == cost + own - 2


@pytest.mark.clause("B24.121")
@pytest.mark.parametrize(("reading", "cost"), [(None, 3), ("replaces", 3), ("adds", 5)])
def test_rubble_fallen_into_a_gully(reading: str | None, cost: int) -> None:
    """Its cost replaces or is added to the gully's, and a deep stream's; elsewhere it is 3 either way."""
    found = {
        "counters": (Counter(kind="stone-rubble", at="C1"),),
        "readings": (("B24.121", reading),) if reading else (),
    }
    assert total(step(there=low("Gully"), scene=found, kind="leader")) == cost
    assert total(step(there={}, scene=found, kind="leader")) == 3
    deep = {**found, "stated": {"stream": "deep"}}
    assert paid(step(there=STREAM, scene=deep, kind="cavalry"), "B24.121") == (
        4 if cost == 5 else 0
    )


BOCAGE = {"terrain": "Bocage"}
DOZER = UnitType(
    name="dozer",
    class_="vehicle",
    column="ft",
    mp=13,
    afv=True,
    breaches=True,
    ground_pressure="low",
)


def breach(line: str = "enter u C1 breach=true", **fields: Any) -> Any:
    """Return the ruling on a dozer tank that breaches the bocage ahead."""
    scene = {"types": (DOZER,), **fields.pop("scene", {})}
    hexside = fields.pop("hexside", BOCAGE)
    return step(
        "ft", line, kind=fields.pop("kind", "dozer"), hexside=hexside, scene=scene, **fields
    )


@pytest.mark.clause("B9.541")
def test_who_breaches_bocage() -> None:
    """A dozer, forwards, for all its MP except the Start; the hex beyond adds no cost."""
    assert (breach().status, total(breach())) == ("LEGAL", 13)
    assert total(breach(there={"terrain": "Brush", "level": 1})) == 13
    started = last(
        place(crossing(hexside=BOCAGE), vehicle(kind="dozer", moving=False), types=(DOZER,)),
        "start u",
        "enter u C1 breach=true",
    )
    assert (started.status, total(started)) == ("LEGAL", 12)
    assert bars(breach(spent=2, used=2, mph="moving")) == {"D2.7"}
    assert bars(breach(kind="ft-13")) == {"B9.541"}
    assert "B9.541" in bars(breach(hexside={"terrain": "Hedge"}))
    assert "B9.541" in bars(breach(facing="W", reverse=True))
    assert total(breach("enter u C1")) == 7.5
    for kind in ("squad", "cavalry"):
        assert "B9.541" in bars(step(line="enter u C1 breach=true", hexside=BOCAGE, kind=kind))


@pytest.mark.clause("B9.541b", "B9.541c", "B9.541")
def test_what_a_breach_leaves() -> None:
    """If its Bog Check passes, a Breach that all cross as if without bocage; otherwise it stays."""
    assert [(roll.clause, roll.id) for roll in breach().obligations] == [("B9.541b", "breach:u")]
    assert [roll.clause for roll in breach("enter u C1").obligations] == ["D8.21d"]
    start = place(crossing(hexside=BOCAGE), vehicle(kind="dozer"), foot("s"), types=(DOZER,))
    made = last(start, "enter u C1 breach=true", "settle breach:u mobile").after
    assert [(one.kind, one.at) for one in made.counters] == [("breach-SW", "C1")]
    assert total(last(made, "enter s C1"), "s") == 1
    assert total(last(start, "enter s C1"), "s") == 3
    stuck = last(start, "enter u C1 breach=true", "settle breach:u bogged").after
    assert (stuck.unit("u").at, stuck.unit("u").motion.bogged, stuck.counters) == ("B1", True, ())
    plain = last(start, "enter u C1", "settle bog-hexside:u mobile").after
    assert plain.counters == ()
    wooded = crossing(there={"terrain": "Woods"}, hexside=BOCAGE)
    for reading, names in (("two", ["breach:u", "bog:u"]), ("one", ["breach:u"])):
        beyond = place(
            wooded, vehicle(kind="dozer"), types=(DOZER,), readings=(("D8.21d", reading),)
        )
        due = last(beyond, "enter u C1 breach=true").obligations
        assert [roll.id for roll in due] == names
