"""Skis (E4) and bicycles (D15.8): switching to them and back, and actions while using them."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.answers.routes import reach_answers
from marchtable.errors import BadInputError
from marchtable.files.notation import format_action
from marchtable.rules.generator import legal_actions
from marchtable.state.position import Counter
from marchtable_models.asl.model import SupportWeapon
from tests.asl.boards import (
    ASL,
    allotment,
    bars,
    cites,
    crossing,
    foot,
    last,
    place,
    step,
    total,
    vehicle,
)
from tests.solver.test_reach import check_reach

SKIS, BICYCLE = SupportWeapon(name="Skis", pp=1), SupportWeapon(name="Bicycle", pp=1)
SNOW: dict[str, Any] = {"stated": {"ground_snow": True}}
DEEP: dict[str, Any] = {"stated": {"deep_snow": True}}
ROAD: dict[str, Any] = {"road": "Paved Road"}


def skier(**fields: Any) -> Any:
    """Return the fields of a Skier, or of a unit carrying skis."""
    return {"sw": (SKIS,), "gear": "skis", **fields}


def cyclist(**fields: Any) -> Any:
    """Return the fields of a unit riding a bicycle, or carrying one."""
    return {"sw": (BICYCLE,), "gear": "bicycle", **fields}


def switch(line: str = "switch u skis", *log: str, scene: Any = SNOW, **fields: Any) -> Any:
    """Return the ruling on a switch by a squad on foot with skis."""
    others = fields.pop("others", ())
    here = fields.pop("here", None)
    unit = foot(**skier(gear="", **fields)) if "sw" not in fields else foot(**fields)
    return last(place(crossing(here), unit, *others, **scene), *log, line)


@pytest.mark.clause("B20.9")
def test_no_skis_at_the_crest() -> None:
    """Whether a unit can switch in Crest status is not modelled; on the floor of the gully it can."""
    bed = {"depression": "Gully", "level": -1}
    at_crest = switch(here=bed, inside="crest", crest=1)
    assert (at_crest.status, cites(at_crest)) == ("UNSUPPORTED", {"B20.9"})
    assert switch(here=bed).status == "LEGAL"


@pytest.mark.clause("E4.2a")
def test_who_goes_over_to_skis() -> None:
    """Infantry that has them, where snow lies, and back again; no other unit, and not twice."""
    done = switch()
    assert (done.status, done.after.unit("u").status.gear) == ("LEGAL", "skis")
    back = switch("switch u foot", "switch u skis")
    assert (back.status, back.after.unit("u").status.gear) == ("LEGAL", "")
    for ruling in (
        switch(sw=()), switch(scene={}), switch("switch u bicycle"), switch("switch u foot"),
        switch(gear="skis", sw=(SKIS,)),
        last(place(crossing(), foot(**skier(gear="", kind="cavalry")), **SNOW), "switch u skis"),
    ):  # fmt: skip
        assert "E4.2a" in bars(ruling)
    assert bars(switch(pinned=True)) == {"A7.8a"}


@pytest.mark.clause("E4.2b")
def test_what_it_costs() -> None:
    """2 MF of the remaining, Finns 1; none to take them off."""
    assert [total(switch(nationality=name)) for name in ("german", "finnish")] == [2, 1]
    assert total(switch("switch u foot", "switch u skis")) == 0
    assert "A4.11b" in bars(switch(mph="moving", spent=5, used=5))


@pytest.mark.clause("E4.32")
def test_in_other_phases() -> None:
    """In the APh and the RtPh it is UNSUPPORTED, in the DFPh ILLEGAL."""
    for phase in ("APh", "RtPh"):
        ruling = switch(scene={**SNOW, "phase": phase})
        assert (ruling.status, "E4.32" in cites(ruling)) == ("UNSUPPORTED", True)
    assert "A3.3" in bars(switch(scene={**SNOW, "phase": "DFPh"}))


@pytest.mark.clause("E4.3c")
def test_not_inside_a_building() -> None:
    """Not in a building or rubble; in its Bypass and in woods it can."""
    for name in ("Stone Building", "Wooden Rubble"):
        assert bars(switch(here={"terrain": name})) == {"E4.3c"}
    assert not bars(switch(here={"terrain": "Stone Building"}, bypass=1))
    assert not bars(switch(here={"terrain": "Woods"}))


@pytest.mark.clause("E4.3")
def test_snow_is_nothing_to_skiers() -> None:
    """Deep Snow costs a squad half a MF, and 1 MF a level; a Skier neither."""
    for fields, cost in (({}, 1.5), (skier(), 1)):
        assert total(step("inf", scene=DEEP, **fields)) == cost
    for fields, cost in (({}, 3), (skier(), 2)):
        assert total(step("inf", there={"level": 1}, scene=SNOW, **fields)) == cost


@pytest.mark.clause("E4.3a")
def test_where_no_skier_goes() -> None:
    """Skiers cannot enter buildings, rubble or debris, or cross cliffs; they can enter woods and bypass a house."""
    roomy = {"terrain": "Stone Building", "clear": (17,) * 6}
    for there in (
        {"terrain": "Stone Building"},
        {"terrain": "Wooden Rubble"},
        {"terrain": "Debris"},
    ):
        assert "E4.3a" in bars(step("inf", there=there, scene=SNOW, **skier()))
        assert "E4.3a" not in bars(step("inf", there=there, scene=SNOW, **skier(gear="")))
    over = step("inf", there={"level": 2}, hexside={"terrain": "Cliff"}, scene=SNOW, **skier())
    assert "E4.3a" in bars(over)
    assert not bars(step("inf", there={"terrain": "Woods"}, scene=SNOW, **skier()))
    assert not bars(step("inf", "bypass u C1 vertex=E", there=roomy, scene=SNOW, **skier()))


@pytest.mark.clause("E4.3b")
def test_what_is_boarded_on_skis() -> None:
    """No truck or horses, on skis or by bicycle; after taking them off it can."""
    truck = vehicle("t", moving=False)
    for fields in (skier(), cyclist()):
        position = place(crossing(), foot(**fields), truck, **SNOW)
        assert "E4.3b" in bars(last(position, "load u t"))
    assert "E4.3b" not in bars(last(place(crossing(), foot(**skier(gear="")), truck), "load u t"))


@pytest.mark.clause("E4.6")
def test_what_else_is_done_upon_them() -> None:
    """Double Time is allowed, Searching is UNSUPPORTED; on foot it is not."""
    ruling = last(place(crossing(), foot(**skier()), **SNOW), "search u")
    assert (ruling.status, "E4.6" in cites(ruling)) == ("UNSUPPORTED", True)
    assert last(place(crossing(), foot(**skier()), **SNOW), "double-time u").is_legal
    assert "E4.6" not in cites(last(place(crossing(), foot(), **SNOW), "search u"))


@pytest.mark.clause("E4.3d")
def test_no_road_bonus_on_skis() -> None:
    """On a plowed road a squad has 5 MF, a Skier 4."""
    scene: dict[str, Any] = {"stated": {"ground_snow": True, "plowed": True}}
    for fields, has in (({}, 5), (skier(), 4)):
        after = step("inf", hexside=ROAD, scene=scene, **fields).after
        assert (allotment(after), after.unit("u").move.road) == (has, has == 5)


@pytest.mark.clause("E4.31", "E4.31b")
def test_downhill() -> None:
    """One level down gains 2 MF, two 4, into a gully none; on foot or in the APh none."""

    def gains(level: int, there: Any = None, phase: str = "MPh", **fields: Any) -> float:
        scene = {**SNOW, "phase": phase}
        line = "enter u C1" if phase == "MPh" else "advance u C1"
        after = step(
            "inf", line, here={"level": level}, there=there, scene=scene, **{**skier(), **fields}
        ).after
        return allotment(after) - 4

    gully = {"terrain": "Gully", "level": -1, "depression": "Gully"}
    assert [gains(1), gains(2), gains(0), gains(0, gully)] == [2, 4, 0, 0]
    read = {"readings": (("E4.31", "any"),), **SNOW}
    into = step("inf", there=gully, scene=read, **skier())
    assert allotment(into.after) == 6
    assert (gains(1, gear=""), gains(1, phase="APh")) == (0, 0)
    spent = step("inf", here={"level": 1}, left=0, scene=SNOW, **skier())
    assert (spent.status, spent.receipts[0].left) == ("LEGAL", 2)


@pytest.mark.clause("E4.21", "E4.21b")
def test_what_becomes_of_them() -> None:
    """Carried they weigh 1 PP, worn none; worn skis cannot be dropped; taking up others' is UNSUPPORTED."""
    heavy = (SKIS, SupportWeapon(name="HMG", pp=3))
    for gear, has in (("", 3), ("skis", 4)):
        assert allotment(place(crossing(), foot(sw=heavy, gear=gear), **SNOW)) == has
    assert bars(last(place(crossing(), foot(**skier()), **SNOW), "drop u Skis")) == {"E4.21"}
    dropped = last(place(crossing(), foot(**skier()), **SNOW), "switch u foot", "drop u Skis")
    assert dropped.is_legal
    given = last(
        place(crossing(), foot(**skier(gear="")), foot("v"), phase="RPh"), "transfer u v Skis"
    )
    assert (given.status, cites(given)) == ("UNSUPPORTED", {"E4.21b"})


# -- bicycles --------------------------------------------------------------------------------------


def bicycle(line: str = "switch u bicycle", *log: str, others: Any = (), **fields: Any) -> Any:
    """Return the ruling on mounting or leaving a bicycle."""
    scene = {name: fields.pop(name) for name in ("phase",) if name in fields}
    return last(
        place(crossing(), foot(**cyclist(**{"gear": "", **fields})), *others, **scene), *log, line
    )


@pytest.mark.clause("D15.81e", "D15.82")
def test_mounting_a_bicycle() -> None:
    """It is free, without snow; a unit cannot ride with a SW."""
    assert (bicycle().status, total(bicycle()) if bicycle().receipts else 0) == ("LEGAL", 0)
    assert ("D15.81e", "a bicycle is mounted and dismounted at no cost") in bicycle().exceptions
    loaded = bicycle(sw=(BICYCLE, SupportWeapon(name="LMG", pp=1)))
    assert bars(loaded) == {"D15.82"}
    assert bicycle("switch u foot", "switch u bicycle").is_legal
    with pytest.raises(BadInputError, match=r"D15\.82"):
        ASL.check_position(
            place(crossing(), foot(**cyclist(sw=(BICYCLE, SupportWeapon(name="LMG", pp=1)))))
        )
    with pytest.raises(BadInputError, match="among its sw"):
        ASL.check_position(place(crossing(), foot(gear="skis")))


@pytest.mark.clause("D15.8a", "D15.83")
def test_bicycles_and_enemies() -> None:
    """Among Known enemies a unit can neither dismount nor ride; among concealed ones, or on foot, it can."""
    enemy = foot("e", side="russian", kind="tr-20", facing="E")
    known = bicycle("switch u foot", gear="bicycle", others=(enemy,), melee="free")
    assert "D15.8a" in bars(known)
    hidden = foot("e", side="russian", kind="tr-20", facing="E", concealed=True)
    assert "D15.8a" not in bars(bicycle("switch u foot", gear="bicycle", others=(hidden,)))
    at = vehicle("e", side="russian", at="C1", kind="tr-20", moving=False)
    for fields, barred in ((cyclist(), True), (cyclist(gear=""), False)):
        assert ("D15.83" in bars(step("inf", hexside=ROAD, others=(at,), **fields))) is barred


@pytest.mark.clause("D15.81a")
def test_by_road_alone() -> None:
    """A bicycle crosses only road hexsides, paved or not, even a woods-road's."""
    for kind in ("Paved Road", "Dirt Road"):
        assert step("inf", hexside={"road": kind}, there={"terrain": "Woods"}, **cyclist()).is_legal
    assert bars(step("inf", **cyclist())) == {"D15.81a"}
    assert bars(step("inf", "enter u C1 off_road=true", hexside=ROAD, there={"terrain": "Woods"}, **cyclist())) == {"D15.81a"}  # fmt: skip


@pytest.mark.clause("D15.81b")
def test_half_the_cost() -> None:
    """½ MF by road; 1 MF among shellholes, in Mud on unpaved road, in unplowed snow; uphill 2."""

    def cost(road: str = "Paved Road", *counters: str, rise: int = 0, **fields: Any) -> float:
        scene = {
            "stated": fields,
            "counters": tuple(Counter(kind=kind, at="C1") for kind in counters),
        }
        return total(
            step("inf", hexside={"road": road}, there={"level": rise}, scene=scene, **cyclist())
        )

    assert (cost(), cost("Dirt Road"), cost("Paved Road", "smoke")) == (0.5, 0.5, 1)
    out = {"counters": (Counter(kind="foxhole-1", at="B1"),)}
    for reading, paid_ in (("entered", 0.5), ("either", 1)):
        scene = {**out, "readings": (("D15.81b", reading),)}
        assert total(step("inf", hexside=ROAD, scene=scene, **cyclist())) == paid_
    assert (cost("Paved Road", "shellholes"), cost("Paved Road", "foxhole-1")) == (1, 1)
    assert (cost(mud=True), cost("Dirt Road", mud=True)) == (0.5, 1.5)
    assert (cost(ground_snow=True, plowed=True), cost(ground_snow=True)) == (0.5, 1)
    assert (cost(rise=1), cost(rise=-1)) == (2, 0.5)


@pytest.mark.clause("D15.81c")
def test_bicycles_downhill() -> None:
    """One level down by road gains 1 MF, two gain 2; level ground and climbs none."""
    for level, gained in ((1, 1), (2, 2), (0, 0)):
        found = step("inf", here={"level": level}, hexside=ROAD, **cyclist())
        assert allotment(found.after) == 4 + 1 + gained  # plus the road bonus
    assert allotment(step("inf", here={"level": 1}, hexside=ROAD, **cyclist(gear="")).after) == 5


@pytest.mark.clause("D15.81d")
def test_no_assault_by_bicycle() -> None:
    """It is neither declared on a bicycle nor kept on mounting; Double Time is."""
    riding = place(crossing(), foot(**cyclist()))
    assert bars(last(riding, "assault u")) == {"D15.81d"}
    assert bars(bicycle("switch u bicycle", "assault u")) == {"D15.81d"}
    assert last(riding, "double-time u").is_legal
    assert last(place(crossing(), foot(**cyclist(gear=""))), "assault u").is_legal


@pytest.mark.clause("D15.82b")
def test_bicycles_in_the_aph() -> None:
    """A unit with a bicycle cannot advance, riding or carrying it; without one it can."""
    for fields in (cyclist(), cyclist(gear="")):
        assert "D15.82b" in bars(
            step("inf", "advance u C1", hexside=ROAD, scene={"phase": "APh"}, **fields)
        )
    assert step("inf", "advance u C1", hexside=ROAD, scene={"phase": "APh"}).is_legal


# -- proposals -------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.clause("E4.2a", "D15.81a", "E4.31")
def test_options_and_reach() -> None:
    """`options` offers a unit's gear; reach keeps its present mode, and on slopes says why it stops."""

    def offered(**fields: Any) -> set[str]:
        found = legal_actions(place(crossing(), foot(**fields), **SNOW))
        return {line for one in found if (line := format_action(one.action)).startswith("switch")}

    assert offered(**skier(gear="")) == {"switch u skis"}
    assert offered(**skier()) == {"switch u foot"}
    assert offered(**cyclist(gear="")) == {"switch u bicycle"}
    assert offered() == set()
    flat = crossing(hexside=ROAD)
    for fields in (skier(), cyclist()):
        position = place(flat, foot(**fields), **SNOW)
        check_reach(position, "u")
    hilly = place(crossing({"level": 1}), foot(**skier()), **SNOW)
    (answer,) = reach_answers(hilly, ["u"])
    assert (answer["exact"], answer["unsupported"]) == (False, ["E4.31"])
