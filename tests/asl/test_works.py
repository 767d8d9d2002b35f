"""Counters in a Location or on a hexside that affect movement: Wire, Entrenchments, rubble ..."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.errors import BadInputError
from marchtable.reachability.reach import reach
from marchtable.state.position import Counter
from marchtable_models.asl.model import UnitType
from tests.asl.boards import (
    ASL,
    COLUMNS,
    EIGHT,
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
from tests.asl.test_bog import odds

ROAD = {"road": "Dirt Road"}
WOODS = {"terrain": "Woods"}


def scene(kind: str, at: str = "C1") -> dict[str, Any]:
    """Return the fields of a position with one counter."""
    return {"counters": (Counter(kind=kind, at=at),)}


def row(clause: str, kind: str, *costs: float | None) -> Any:
    """Return a counter with its extra cost in each column (None: not allowed), marked."""
    return pytest.param(clause, kind, costs, marks=pytest.mark.clause(clause), id=kind)


@pytest.mark.parametrize(("clause", "kind", "costs"), [
    row("B26", "wire", 0, 2, 4, 4),
    row("B27-foxhole", "foxhole", 0, 0, 0, 4),
    row("B27-trench", "trench", 0, 0, None, None),
    row("B30", "pillbox", 0, 0, 0, 0),
    row("B25", "blaze", None, None, None, None),
])  # fmt: skip
def test_what_a_counter_adds(clause: str, kind: str, costs: tuple[float | None, ...]) -> None:
    """A counter adds the chart's figure to the cost of terrain, or forbids entry; when left, nothing."""
    for column, cost in zip(COLUMNS, costs, strict=True):
        open_ground = 4 if column == "tr" else 1
        if cost is None:
            assert bars(step(column, scene=scene(kind))) == {clause}, column
        else:
            enough = step(column, scene=scene(kind), left=cost + open_ground)
            assert (paid(enough, clause), enough.status) == (cost, "LEGAL"), column
            assert clause in dict(enough.exceptions)
            short = step(column, scene=scene(kind), left=cost + open_ground - 0.5)
            assert bars(short) == {"A4.11b" if column == "inf" else "D2.1b"}
        if (kind, column) != ("wire", "inf"):
            assert step(column, scene=scene(kind, "B1")).status == "LEGAL"


@pytest.mark.clause("B26", "B10.4b")
def test_wire_belongs_to_the_cost_of_terrain() -> None:
    """By road and uphill, a truck pays ½ + 4 for the Wire + 2; Wire is not doubled on foot."""
    truck = step("tr", there={"level": 1}, hexside=ROAD, scene=scene("wire"))
    assert (paid(truck, "B26"), total(truck)) == (4, 6.5)
    assert total(step(there={"level": 1}, scene=scene("wire"))) == 2


@pytest.mark.clause("A24.7", "B3.4d", "A4.72")
def test_a_burning_wreck_costs_as_smoke() -> None:
    """1 MF or MP more, doubled uphill on foot, besides the wreck's own cost; when left, nothing."""
    fire = scene("burning-wreck")
    for column, cost in (("inf", 2), ("ft", 2), ("tr", 5)):
        assert (step(column, scene=fire).status, total(step(column, scene=fire))) == ("LEGAL", cost)
        assert total(step(column, scene=scene("burning-wreck", "B1"))) == cost - 1
    wreck = foot("w", "wreck", at="C1")
    assert total(step("ft", scene=fire, others=(wreck,))) == 3
    assert total(step(there={"level": 1}, scene=fire)) == 4
    by_road = step(hexside=ROAD, scene=fire)
    assert (total(by_road), by_road.after.unit("u").move.road) == (2, False)
    hedge = {"terrain": "Hedge"}
    onto = step("inf", "advance u C1", there={"terrain": "Woods"}, hexside=hedge,
                scene={**fire, "phase": "APh"})  # fmt: skip
    assert (onto.status, onto.after.unit("u").status.cx) == ("LEGAL", False)


@pytest.mark.clause("x-counter")
def test_counters_that_nothing_models() -> None:
    """An unknown counter makes entering its hex UNSUPPORTED; SMOKE does not."""
    for column in COLUMNS:
        assert cites(step(column, scene=scene("sangar"))) == {"x-counter"}
        assert step(column, scene=scene("sangar", "C2")).status == "LEGAL"
        assert step(column, scene=scene("smoke")).status == "LEGAL"
        assert step(column, scene=scene("foxhole")).status == "LEGAL"
    assert cites(step(scene=scene("roadblock-X"))) == {"x-counter"}
    assert step(others=(foot("v", at="C1"),)).status == "LEGAL"


@pytest.mark.parametrize(("clause", "inside"), [
    pytest.param("B23.4u", "upstairs", marks=pytest.mark.clause("B23.4u")),
    pytest.param("B20.93a", "crest", marks=pytest.mark.clause("B20.93a")),
])  # fmt: skip
def test_units_inside_are_not_modelled(clause: str, inside: str) -> None:
    """A unit upstairs or at a Crest, with unstated level or side, cannot be judged."""
    assert cites(step(inside=inside)) == {clause}
    assert cites(step(line="minimum u C1", inside=inside)) == {clause}
    assert step(line="end u", inside=inside).status == "LEGAL"
    assert step().status == "LEGAL"
    with pytest.raises(BadInputError, match=r"units\[0\]\.inside"):
        ASL.check_position(place(crossing(), vehicle(inside=inside)))


@pytest.mark.clause("D8.21a", "D8.21b", "D8.21d")
def test_bog_checks_of_wire_and_trenches() -> None:
    """Wire adds 2 to its own Bog Check, or to the terrain's (or hexside's, by a reading); a trench 0."""
    wire = scene("wire")
    one = {**wire, "readings": (("D8.21d", "one"),)}
    for column, chance in (("ft", 10), ("ht", 15), ("tr", 21)):
        assert odds(step(column, scene=wire)) == chance
        assert odds(step(column, "turn u SSE", scene=scene("wire", "B1"))) == chance
        assert odds(step(column, scene=scene("wire", "B1"))) is None
    assert odds(step("ft", there=WOODS, line="minimum u C1", scene=wire)) == 10
    assert odds(step("ht", hexside={"terrain": "Hedge"}, scene=one)) == 15
    assert odds(step("ft", scene=scene("trench"))) == 3
    assert odds(step("ft", "turn u SSE", scene=scene("trench", "B1"))) == 3
    assert odds(step("ft", scene=scene("foxhole"))) is None
    assert odds(step(scene=wire)) is None


@pytest.mark.clause("D8.21a", "D8.21b")
def test_wire_on_a_road_calls_for_a_check_unless_read_otherwise() -> None:
    """Along a woods road the check is due only for the Wire, by default."""
    through = {"terrain": "Dirt Road", "also": (("Woods", 60),)}
    wire, here = scene("wire"), scene("wire", "B1")
    spared = {"readings": (("D8.21a", "road"),)}

    assert odds(step("ft", there=through, hexside=ROAD, scene=wire)) == 10
    assert odds(step("ft", there=through, hexside=ROAD, scene={**wire, **spared})) is None
    assert odds(step("ft", scene={**wire, **spared})) == 10
    assert odds(step("ft", "turn u SSE", here=through, hexside=ROAD, scene=here)) == 10
    turn = step("ft", "turn u SSE", here=through, hexside=ROAD, scene={**here, **spared})
    assert odds(turn) is None


@pytest.mark.clause("B3.4d")
@pytest.mark.parametrize(("kind", "kept"), [
    ("wire", False), ("smoke", False), ("roadblock-SW", False), ("stone-rubble", False),
    ("foxhole", True), ("pillbox", True),
])  # fmt: skip
def test_counters_that_cost_the_road_bonus(kind: str, kept: bool) -> None:
    """Wire, SMOKE, a roadblock or rubble on the road do; a foxhole does not."""
    after = step(hexside=ROAD, scene=scene(kind)).after
    assert after.unit("u").move.road is kept


@pytest.mark.clause("B29")
def test_a_roadblock_costs_infantry_1_and_stops_the_rest() -> None:
    """Across its hexside, from either side, Infantry pays 1 more and vehicles cannot pass."""
    for kind, at in (("roadblock-NE", "B1"), ("roadblock-SW", "C1")):
        across = step(hexside=ROAD, scene=scene(kind, at), left=2, road=False)
        assert (paid(across, "B29"), total(across), across.status) == (1, 2, "LEGAL")
        assert bars(step(hexside=ROAD, scene=scene(kind, at), left=1.5, road=False)) == {"A4.11b"}
        for column in ("ft", "ht", "tr"):
            assert bars(step(column, hexside=ROAD, scene=scene(kind, at))) == {"B29"}
            assert step(column, "enter u C2", hexside=ROAD, scene=scene(kind, at)).status == "LEGAL"
    uphill = step(there={"level": 1}, hexside={**ROAD, "terrain": "Road Block"})
    assert (paid(uphill, "B29"), total(uphill)) == (1, 3)
    assert total(step(hexside=ROAD, scene=scene("roadblock-NE", "A1"))) == 1


@pytest.mark.parametrize("kind", ["roadblock-SE", "roadblock-N", "roadblock-X"])
def test_a_roadblock_lies_on_a_road(kind: str) -> None:
    """A roadblock on a hexside without a road, or off the map, is bad input."""
    position = place(crossing(hexside=ROAD), foot(), counters=(Counter(kind=kind, at="B1"),))

    with pytest.raises(BadInputError, match=r"counters\[0\]\.kind"):
        ASL.check_position(position)
    fine = (Counter(kind="roadblock-NE", at="B1"),)
    ASL.check_position(place(crossing(hexside=ROAD), foot(), counters=fine))


@pytest.mark.clause("B3.43")
@pytest.mark.parametrize(("kind", "name"), [
    ("stone-rubble", "Stone Rubble"), ("wooden-rubble", "Wooden Rubble"), ("debris", "Debris"),
])  # fmt: skip
def test_rubble_buries_the_road(kind: str, name: str) -> None:
    """Rubble or debris at either end leaves no road: its own cost counts, or the terrain beyond."""
    for at in ("B1", "C1"):
        step_on = step(there=WOODS, hexside=ROAD, scene=scene(kind, at))
        assert "B3.43" in dict(step_on.exceptions)
        assert paid(step_on, "B3.4a") == 0
    assert total(step(there=WOODS, hexside=ROAD, scene=scene(kind, "B1"))) == 2
    printed = {"terrain": name}
    for column in COLUMNS:
        counter, drawn = step(column, scene=scene(kind)), step(column, there=printed)
        assert (total(counter), bars(counter), cites(counter)) == (
            total(drawn), bars(drawn), cites(drawn),
        )  # fmt: skip
    assert "B3.43" not in dict(step(scene=scene(kind)).exceptions)
    assert "B3.43" not in dict(step(hexside=ROAD, scene=scene("shellholes")).exceptions)


def test_reach_meets_counters() -> None:
    """Reach distinguishes a Location with Wire from one without, and a roadblock's hexside from the next."""
    board = field(
        {name: {} for name in ("A1", "A2", "B1", "B2", "C1", "C2")}, {"B1-C1": ROAD, "A1-B1": ROAD}
    )
    counters = (Counter(kind="wire", at="C2"), Counter(kind="roadblock-NE", at="B1"))
    squad = reach(place(board, foot(), counters=counters), ["u"])[0].best()
    truck = reach(place(board, vehicle(), counters=counters), ["u"])[0].best()

    assert (squad["C1"].spent, squad["C2"].spent) == (4, 2)
    assert truck["C2"].spent == 16
    verdict = last(place(board, vehicle(), counters=counters), "enter u C2")
    assert total(verdict) == 8


@pytest.mark.clause("B2-among")
@pytest.mark.parametrize(("column", "more"), [("ft", 0), ("ht", 0), ("ac", 2), ("tr", 4)])
def test_shellholes_among_other_terrain(column: str, more: float) -> None:
    """They keep the terrain and add their own figure to its cost; on foot, UNSUPPORTED."""
    # not brush, as this test once had: shellholes level it (B2.1)
    vines: dict[str, Any] = {"there": {"terrain": "Vineyard"}}
    strewn = scene("shellholes")
    need = total(step(column, **vines)) + more
    enough = step(column, scene=strewn, left=need, **vines)
    assert (total(enough), paid(enough, "B2-among"), enough.is_legal) == (need, more, True)
    assert bars(step(column, scene=strewn, left=need - 0.5, **vines))
    assert paid(step(column, scene=strewn, hexside=ROAD, **vines), "B2-among") == 0
    for on_foot in ("inf", "cav", "hd"):
        assert "B2-among" in cites(step(on_foot, scene=strewn, **vines))
        assert not cites(step(on_foot, scene=strewn, hexside=ROAD, **vines))
        assert not cites(step(on_foot, scene=strewn))
    poor = step("inf", scene=strewn, left=1, **vines)  # the prohibition depends on an unknown cost
    assert (poor.status, bars(poor)) == ("UNSUPPORTED", set())


@pytest.mark.clause("B2")
@pytest.mark.parametrize("name", ["Brush", "Orchard", "Grain", "Open Ground", "Plowed Field"])
def test_shellholes_level_what_is_there(name: str) -> None:
    """Terrain leveled by them no longer counts: only shellholes are paid for."""
    there = {"terrain": name}
    for column in EIGHT:
        printed = step(column, there={"terrain": "Shellholes"})
        counter = step(column, there=there, scene=scene("shellholes"))
        assert (total(counter), bars(counter), cites(counter)) == (
            total(printed), bars(printed), cites(printed),
        )  # fmt: skip
    one = step(there=there, scene=scene("shellholes"), left=1)
    assert (total(one), one.status) == (1, "LEGAL")
    assert total(step("inf", "enter u C1 half=true", there=there, scene=scene("shellholes"))) == 2
    assert total(step(there=there, scene=scene("shellholes"), hexside=ROAD)) == 1


@pytest.mark.clause("B23.41", "D15.46a")
def test_shellholes_take_no_terrain_away() -> None:
    """A tank that is not buttoned up cannot enter a building; a motorcycle makes a Wreck Check."""
    strewn = scene("shellholes")
    assert "B23.41" in bars(step("ft", there={"terrain": "Wooden Building"}, scene=strewn))
    assert step("mc", there={"terrain": "Vineyard"}, scene=strewn).obligations
    assert not step("mc", there={"terrain": "Vineyard"}).obligations


@pytest.mark.clause("x-counter")
@pytest.mark.parametrize("line", ["enter u C1", "turn u SSE"])
def test_an_unknown_counter_where_one_stands(line: str) -> None:
    """Leaving such a Location, or turning in it, reports that its effect is unknown."""
    assert cites(step("tr", line, scene=scene("panji", "B1"))) == {"x-counter"}
    assert not cites(step("tr", line, scene=scene("panji", "A1")))
    assert not cites(step("tr", line, scene=scene("pillbox", "B1")))


@pytest.mark.parametrize(("kind", "known"), [
    ("Wire", "wire"), ("Smoke", "smoke"), ("One_Lane", "one-lane"), ("Breach-ne", "breach-NE"),
])  # fmt: skip
def test_a_counter_written_otherwise(kind: str, known: str) -> None:
    """A known kind in capitals is rejected, with its correct spelling."""
    with pytest.raises(BadInputError, match=known):
        ASL.check_position(place(crossing(), foot(), counters=(Counter(kind=kind, at="C1"),)))
    ASL.check_position(place(crossing(), foot(), counters=(Counter(kind="other panji", at="C1"),)))


@pytest.mark.clause("B27-foxhole", "B27-trench")
@pytest.mark.parametrize("kind", ["foxhole", "trench"])
def test_uphill_an_entrenchment_is_not_doubled(kind: str) -> None:
    """It is no Artificial Terrain (B.9): 1 + 2 x 1 on horseback, with SMOKE 1 + 2 x 2; on foot nothing."""
    assert total(step("cav", there={"level": 1}, scene=scene(kind))) == 3
    smoke = {"counters": tuple(Counter(kind=k, at="C1") for k in (kind, "smoke"))}
    assert total(step("cav", there={"level": 1}, scene=smoke)) == 5
    assert total(step("cav", scene=scene(kind))) == 2
    assert total(step(there={"level": 1}, scene=scene(kind))) == 2


ON_WIRE: dict[str, Any] = {"counters": (Counter(kind="wire", at="B1"),)}


@pytest.mark.clause("B26.4a")
def test_nobody_enters_a_vehicle_from_on_top_of_wire() -> None:
    """Not to board, man, hook up and board, or ride a motorcycle; horses are no vehicle."""
    truck = vehicle("t", "opel-blitz", moving=False)
    armed = UnitType(name="armed", class_="vehicle", column="ft", mp=12, afv=True, armed=True)
    left = vehicle("t", "armed", moving=False, abandoned=True)
    cycle = vehicle("t", "cycles", moving=False)
    gun = foot("g", "gun", at="B1")
    quick = UnitType(name="gun", class_="gun", mm=75, m_number=11, qsu=True)
    tractor = vehicle("t", "spw-250", moving=False)
    for line, units in (
        ("load u t", (foot(), truck)),
        ("man u t", (foot(kind="crew"), left)),
        ("mount u t", (foot(), cycle)),
        ("hook t g u board=true", (foot(kind="crew"), tractor, gun)),
    ):
        position = place(crossing(), *units, types=(armed, quick))
        assert last(position, line).is_legal, line
        wired = place(crossing(), *units, types=(armed, quick), **ON_WIRE)
        assert bars(last(wired, line)) == {"B26.4a"}, line
        beyond = place(crossing(), *units, types=(armed, quick), **scene("wire"))
        assert last(beyond, line).is_legal, line
    horses = place(crossing(), foot(), foot("t", "horses"), **ON_WIRE)
    assert "B26.4a" not in bars(last(horses, "mount u t"))
    hooked = place(crossing(), foot(kind="crew"), tractor, gun, types=(quick,), **ON_WIRE)
    assert last(hooked, "hook t g u").is_legal
    under = place(crossing(), foot(inside="beneath"), truck, **ON_WIRE)
    assert cites(last(under, "load u t")) == {"B27.13u"}


@pytest.mark.clause("B26.4b", "B26.4c")
def test_sw_and_wire() -> None:
    """A SW cannot be transferred through Wire; whether one there lies on top or beneath is unknown."""
    men = foot(sw=load(1)), foot("v")
    below = foot("v", inside="beneath")
    assert "B26.4b" not in bars(last(place(crossing(), *men, **ON_WIRE), "transfer u v SW0"))
    assert "B26.4b" in bars(last(place(crossing(), men[0], below, **ON_WIRE), "transfer u v SW0"))
    assert "B26.4b" not in bars(last(place(crossing(), men[0], below), "transfer u v SW0"))
    lies = Counter(kind="sw 1 SW0", at="B1")
    free = place(crossing(), foot(), counters=(lies,))
    assert last(free, "recover u SW0").is_legal
    wired = place(crossing(), foot(), counters=(lies, *ON_WIRE["counters"]))
    assert cites(last(wired, "recover u SW0")) == {"B26.4c"}
    theirs = foot("v", broken=True, sw=load(1))
    assert "B26.4c" not in cites(
        last(place(crossing(), foot(), theirs, **ON_WIRE), "recover u SW0")
    )


def outcomes(ruling: Any) -> dict[str, int]:
    """Return the number of 36 throws for each outcome of the one check due."""
    (due,) = ruling.obligations
    return {entry.outcome: entry.chance for entry in due.outcomes}


@pytest.mark.clause("B26.53")
def test_a_tank_takes_the_wire_away() -> None:
    """A Bog Check passed with a colored 1 by a fully tracked vehicle removes it, wherever it is made."""
    found = step("ft", scene=scene("wire"))
    assert outcomes(found) == {"mobile": 20, "clears": 6, "bogged": 10}
    assert set(outcomes(step("ht", scene=scene("wire")))) == {"mobile", "bogged"}
    assert set(outcomes(step("ft", scene=scene("trench")))) == {"mobile", "bogged"}
    for outcome, left in (("mobile", 1), ("clears", 0), ("bogged", 1)):
        tank = place(crossing(), vehicle(kind="ft-12"), **scene("wire"))
        after = last(tank, "enter u C1", f"settle bog:u {outcome}").after
        assert (len(after.counters), after.unit("u").motion.bogged) == (left, outcome == "bogged")
        turning = place(crossing(), vehicle(kind="ft-12"), **ON_WIRE)
        after = last(turning, "turn u SSE", f"settle bog:u {outcome}").after
        assert len(after.counters) == left
    stream = {"terrain": "Shallow Stream", "depression": "Shallow Stream", "level": -1}
    out = last(
        place(crossing(here=stream), vehicle(kind="ft-12"), **ON_WIRE), "enter u C1",
        "settle bog-leaving:u clears",
    )  # fmt: skip
    assert (out.is_legal, out.after.counters) == (True, ())


@pytest.mark.clause("B37.3")
def test_of_vehicles_only_afv_enter_debris() -> None:
    """A tractor cannot, a tank can; by a road cleared of it any vehicle can."""
    tractor = UnitType(name="tractor", class_="vehicle", column="ft", mp=14)
    debris = {**scene("debris"), "types": (tractor,)}
    assert bars(step("ft", kind="tractor", scene=debris)) == {"B37.3"}
    assert step("ft", kind="ft-14", scene=debris).is_legal
    gully = {"terrain": "Gully", "depression": "Gully", "level": -1}
    assert bars(step("ft", kind="tractor", there=gully, scene=debris)) == {"B37.3"}
    assert bars(step("ht", scene=debris)) == {"B37"}


@pytest.mark.clause("B37")
@pytest.mark.parametrize(("mp", "cost"), [(12, 3), (14, 4), (16, 4), (17, 5)])
def test_a_quarter_for_debris_is_rounded_up(mp: int, cost: int) -> None:
    """A quarter of the MP, up to a whole one; in a gully 2 more (the rule's example)."""
    kind = f"ft-{mp}"
    assert total(step("ft", kind=kind, scene=scene("debris"))) == cost
    gully = {"terrain": "Gully", "depression": "Gully", "level": -1}
    assert total(step("ft", kind=kind, there=gully, scene=scene("debris"))) == cost + 2
