"""Movement at night."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.errors import BadInputError
from marchtable.reachability.reach import reach
from marchtable.rules.clause import Sheet
from marchtable.state.position import Counter
from marchtable.state.records import replace
from marchtable_models.asl.model import AslConditions, Enter, UnitType
from marchtable_models.asl.rules import night
from marchtable_models.asl.views import movers, reading
from tests.asl.boards import (
    ASL,
    allotment,
    bars,
    cites,
    crossing,
    field,
    foot,
    judge,
    last,
    paid,
    place,
    step,
    total,
    vehicle,
)  # fmt: skip
from tests.asl.walking import LINE, walker

WOODS = {"terrain": "Woods"}
ROAD = {"road": "Dirt Road"}


def dim(column: str = "inf", line: str = "enter u C1", nvr: int = 3, **fields: Any) -> Any:
    """Return the ruling on a step at night by a unit that has set out."""
    scene = {"nvr": nvr, **fields.pop("scene", {})}
    return step(column, line, scene=scene, **{"guide": "u", **fields})


@pytest.mark.clause("E1.51a")
def test_concealment_terrain_at_night() -> None:
    """1 MF more in woods, also by path and uphill (5 MF); not by road, in the open, or by day."""
    assert total(dim(there=WOODS)) == 3
    assert total(dim(there={**WOODS, "level": 1}, kind="leader")) == 5
    assert total(dim(there=WOODS, hexside={"path": True})) == 2
    assert total(dim(there=WOODS, hexside=ROAD)) == total(dim()) == 1
    assert total(step(there=WOODS)) == 2
    for name, cost in (
        ("Brush", 3),
        ("Orchard", 2),
        ("Mudflats", 3),
        ("Stone Building", 3),
        ("Gully", 2),
    ):
        depression = name if name == "Gully" else None
        assert total(dim(there={"terrain": name, "depression": depression})) == cost
    grain = {"terrain": "Grain"}
    assert total(dim(there=grain)) == 2.5
    assert total(dim(there=grain, scene={"month": 1})) == 1
    for month in (4, 5):  # plowed: Open Ground except for its cost (B15.6)
        for column in ("inf", "cav"):
            assert total(dim(column, there=grain, scene={"month": month})) == 1.5
    for month in (6, 9):
        assert total(dim("cav", there=grain, scene={"month": month})) == 2.5
    overgrown = {"terrain": "Brush", "depression": "Gully"}
    assert paid(dim(there=overgrown), "E1.51a") == 1
    assert paid(dim("tr", there=WOODS), "E1.51a") == 0


@pytest.mark.clause("E1.51a")
def test_the_road_hexside_itself_spares_it() -> None:
    """Crossing a road hexside costs no more, even a declined one, a graveyard's or one to a door."""
    off = "enter u C1 off_road=true"
    assert total(dim(line=off, there=WOODS, hexside=ROAD)) == 2
    uphill = dim(line=off, there={**WOODS, "level": 1}, hexside=ROAD)
    assert total(uphill) == 4
    assert total(dim("cav", off, there={"terrain": "Brush"}, hexside=ROAD)) == 2
    graveyard = {"terrain": "Graveyard"}
    assert paid(dim(there=graveyard), "E1.51a") == 1
    assert paid(dim(there=graveyard, hexside=ROAD), "E1.51a") == 0
    factory = {"terrain": "Stone Factory, 1.5 Level"}
    assert paid(dim(there=factory), "E1.51a") == 1
    assert paid(dim(here=factory, there=factory), "E1.51a") == 1
    assert paid(dim(there=factory, hexside=ROAD), "E1.51a") == 0
    rubble = {"counters": (Counter(kind="stone-rubble", at="C1"),)}
    for there in (factory, WOODS):  # snow buries the road
        assert paid(dim(there=there, hexside=ROAD, scene=rubble), "E1.51a") == 1


@pytest.mark.clause("E1.51b")
def test_no_road_bonus_in_the_dark() -> None:
    """With a NVR of 0 a squad along a road has 4 MF, with 1 it has 5."""
    for nvr, left in ((0, 3), (1, 4)):
        assert dim(nvr=nvr, hexside=ROAD).receipts[0].left == 2 * left
    off_road = place(LINE, walker(previous="B1", road=False), nvr=0)
    assert allotment(off_road) == allotment(place(LINE, walker(), nvr=0)) == 4
    assert allotment(place(LINE, vehicle(at="A1", previous="B1"), nvr=0)) == 40


@pytest.mark.clause("E1.51c")
def test_no_double_time_in_the_dark() -> None:
    """With a NVR of 0 there is none, with 1 there is; IPC can be lent."""
    assert bars(dim(line="double-time u", nvr=0)) == {"E1.51c"}
    assert dim(line="double-time u", nvr=1).status == "LEGAL"
    lent = place(LINE, walker(), walker("h", "hero"), nvr=0)
    assert last(lent, "lend h u").status == "LEGAL"


@pytest.mark.clause("E1.52a")
def test_vehicles_pay_a_mp_more_at_night() -> None:
    """Each hexside, by road and in the open; uphill does not change it; by day none."""
    assert total(dim("tr")) == 5
    assert total(dim("tr", hexside=ROAD)) == 1.5
    assert total(dim("tr", there={"level": 1})) == 9
    assert total(step("tr")) == 4
    assert paid(dim(), "E1.52a") == 0


@pytest.mark.clause("E1.52a")
def test_whether_the_night_adds_to_what_is_paid_as_if_towing() -> None:
    """By register it does, or it is included in such a cost the vehicle already pays."""
    position = place(crossing(), vehicle(guide="u"), nvr=3)
    unit = position.unit("u")
    facts = reading.entry(
        position, unit, "C1", movers.party(position, (unit,)), Enter(("u",), "C1")
    )

    def charged(choice: str, before: int) -> tuple[int, int]:
        sheet = Sheet({"E1.52a": choice})
        sheet.charge(before, "Convoy", "tow")
        sheet.consult(night.vehicle_in_the_dark, facts)
        found = sheet.finding()
        return found.total, len(found.exceptions)

    assert charged("additive", 2) == (4, 0)
    assert charged("absorbed", 2) == (2, 1)
    assert charged("absorbed", 0) == (2, 0)


@pytest.mark.clause("E1.52b")
def test_a_buttoned_up_afv_in_the_dark() -> None:
    """With a NVR of 0 it can only stop; crew exposed, unarmored or with a NVR of 1 it can drive."""
    blind: dict[str, Any] = {"kind": "t-26-m33", "bu": True, "nvr": 0}
    assert bars(dim("ft", **blind)) == bars(dim("ft", "turn u SSE", **blind)) == {"E1.52b"}
    assert dim("ft", "stop u", **blind).status == "LEGAL"
    assert "E1.52b" not in bars(dim("ft", "end u", **blind))
    for seeing in (
        {**blind, "bu": False},
        {**blind, "nvr": 1},
        {**blind, "kind": "ft-9", "bu": False},
    ):
        assert dim("ft", **seeing).status == "LEGAL"
    assert dim("tr", bu=True, nvr=0).status == "LEGAL"


@pytest.mark.clause("E1.52b")
@pytest.mark.parametrize("reading", ["others", "spends"])
def test_a_blind_afv_in_an_impulse(reading: str) -> None:
    """In line, too, it can only stop; by one reading it still pays what others spend."""
    board = field({f"A{n}": {} for n in range(1, 7)}, {f"A{n}-A{n + 1}": ROAD for n in range(1, 6)})
    found: dict[str, Any] = {"kind": "ft-40", "facing": "NNE", "convoy": "c"}
    tanks = [vehicle(f"t{n}", at=f"A{n + 2}", rank=n, bu=n > 1, **found) for n in (1, 2)]
    position = place(board, *tanks, nvr=0, readings=(("E1.52b", reading),))
    assert last(position, "impulse t1 stop,stop").is_legal
    assert bars(last(position, "impulse t1 enter:A2,enter:A3")) == {"E1.52b"}
    assert bars(last(position, "impulse t1 stop,turn:E")) == {"E1.52b"}
    waits = last(position, "impulse t1 turn:E,stay")
    assert bars(waits) == ({"E1.52b"} if reading == "spends" else set())
    seeing = [replace(unit, bu=False) for unit in tanks]
    assert last(position.with_units(seeing), "impulse t1 enter:A2,enter:A3").is_legal
    assert last(place(crossing(), vehicle(kind="t-26-m33", bu=True), nvr=0), "set-out u").is_legal


@pytest.mark.clause("E1.52b", "D6.5d")
def test_units_that_leave_a_blind_afv() -> None:
    """Its PRC unload for no MP, after a Stop too, and stay there; a vehicle that sees pays a quarter."""

    def leaving(*log: str, nvr: int = 0, bu: bool = True, **fields: Any) -> Any:
        track = vehicle("t", "spw-251", bu=bu, guide="t", **fields)
        rider = foot(aboard="t", guide="u")
        return last(place(crossing(), track, rider, nvr=nvr), *log)

    out = leaving("unload u", moving=False)
    assert (out.status, total(out, "t"), total(out)) == ("LEGAL", 0, 1)
    assert bars(leaving("unload u", "enter u C1", moving=False)) >= {"D6.5f"}
    stopped = leaving("stop t", "unload u")
    assert (stopped.status, total(stopped, "t"), total(stopped)) == ("LEGAL", 0, 1)
    turned: dict[str, Any] = {"mph": "moving", "spent": 2, "used": 2, "moving": False}
    assert "D6.5d" in bars(leaving("unload u", **turned))
    assert total(leaving("unload u", moving=False, nvr=1), "t") == 4
    assert total(leaving("unload u", moving=False, bu=False), "t") == 4


@pytest.mark.clause("E1.53a")
def test_who_must_set_out_first() -> None:
    """Away from road, path, gully and stream an unmoved unit must set out; by day none must."""
    assert bars(dim(guide=None)) == {"E1.53a"}
    assert bars(dim("tr", guide=None)) == {"E1.53a"}
    assert dim(line="double-time u", guide=None).status == "LEGAL"  # that moves it nowhere yet
    assert dim().status == step().status == "LEGAL"
    assert bars(dim(guide=None, mph="moving")) == {"E1.53a"}
    assert dim(line="end u", guide=None).status == "LEGAL"
    for hexside in (ROAD, {"path": True}):
        assert dim(guide=None, hexside=hexside).status == "LEGAL"
    gully = {"terrain": "Gully", "depression": "Gully"}
    stream = {"terrain": "Shallow Stream", "depression": "Shallow Stream"}
    for there in (gully, stream):
        assert "E1.53a" not in bars(dim(guide=None, there=there))
        assert "E1.53a" not in bars(dim(guide=None, here=there))
    far = field({n: {} for n in LINE.index}, {"D2-E3": ROAD})
    assert last(place(far, foot(at="C2"), nvr=3), "enter u B1").status == "LEGAL"
    assert bars(last(place(far, walker(), nvr=3), "enter u B1")) == {"E1.53a"}
    assert bars(dim(guide=None, hexside={"road": "Runway"})) == {"E1.53a"}  # Open Ground, no guide
    strange = dim(guide=None, hexside={"road": "Railroad"})  # it is unknown whether this is a guide
    assert (strange.status, cites(strange)) == ("UNSUPPORTED", {"E1.53a", "x-road"})


@pytest.mark.clause("E1.53b")
def test_the_odds_of_straying() -> None:
    """6 of 36 if Lax (and all vehicles), 4 if Normal, 2 if Stealthy; most of a stack decides."""
    types = tuple(
        UnitType(name=name, class_="squad", stealth=name) for name in ("lax", "normal", "stealthy")
    )

    def strays(*kinds: str) -> int:
        units = [walker(f"u{n}", kind) for n, kind in enumerate(kinds)]
        line = "set-out " + ",".join(unit.id for unit in units)
        (due,) = last(place(LINE, *units, nvr=3, types=types), line).obligations
        assert due.id == "stray:u0"
        return next(o.chance for o in due.outcomes if o.outcome == "strays")

    assert [strays(kind) for kind in ("lax", "normal", "stealthy", "squad")] == [6, 4, 2, 4]
    assert strays("stealthy", "lax", "lax") == strays("normal", "lax") == 6
    assert strays("normal", "stealthy", "stealthy") == 2
    (due,) = last(place(LINE, vehicle(at="A1"), nvr=3), "set-out u").obligations
    assert [o.chance for o in due.outcomes] == [30, 6]


@pytest.mark.clause("E1.53b")
def test_who_sets_out() -> None:
    """At night, once, and only without a guide; a stack sets out from one Location."""
    assert bars(step("inf", "set-out u")) >= {"E1.53b"}
    assert bars(dim(line="set-out u")) == {"E1.53b"}
    assert dim(line="set-out u", guide=None, mph="moving").status == "LEGAL"
    assert bars(dim(line="set-out u", guide=None, hexside=ROAD)) == {"E1.53b"}
    apart = place(LINE, walker(), foot("v", at="J5"), nvr=3)
    assert bars(last(apart, "set-out u,v")) == {"A4.2b"}
    both = last(place(LINE, walker(), walker("v"), nvr=3), "set-out u,v").after
    assert [unit.night.guide for unit in both.units] == ["u", "u"]
    log = ("set-out u", "settle stray:u keeps", "double-time u", "enter u B1")
    assert last(place(LINE, walker(), nvr=3), *log).status == "LEGAL"
    next_turn = ("phase MPh side=russian", "phase MPh side=german", "enter u C2")
    assert bars(last(place(LINE, walker(), nvr=3), *log, *next_turn)) == {"E1.53a"}


@pytest.mark.clause("E1.53c", "E1.53d")
def test_who_strays() -> None:
    """Units that set out together stray together, where to is UNSUPPORTED; other units move freely."""
    position = place(LINE, walker(), walker("v"), walker("w"), nvr=3)
    lost = last(position, "set-out u,v", "settle stray:u strays").after
    assert [unit.night.astray for unit in lost.units] == [True, True, False]
    assert cites(last(lost, "enter v B1")) == {"E1.53d"}
    assert cites(last(lost, "end v")) == set()
    found = last(position, "set-out u,v", "settle stray:u keeps", "enter u,v B1")
    assert (found.status, cites(found)) == ("LEGAL", set())


@pytest.mark.clause("E1.53a", "E1.53b")
def test_reach_at_night() -> None:
    """A unit that must set out reaches what it would after that; the answer lists the assumption."""
    road = {f"{a}-{b}": ROAD for a, b in (("D2", "E3"), ("E3", "F3"))}
    for unit in (walker(), walker(kind="leader"), vehicle(at="A1", kind="tr-10")):
        board = field({n: {} for n in LINE.index}, road)
        found = reach(place(board, unit, nvr=3), ["u"])[0]
        assert found.assumed == ("E1.53b",)
        known = last(place(board, unit, nvr=3), "set-out u", "settle stray:u keeps").after
        sure = reach(known, ["u"])[0]
        assert {n: p.spent for n, p in found.best().items()} == {
            n: p.spent for n, p in sure.best().items()
        }
        assert sure.assumed == ()
        avoided = reach(place(board, unit, nvr=3), ["u"], rolls="avoid")[0]
        assert set(avoided.best()) == {"A1"}
    exempt = reach(place(field({n: {} for n in LINE.index}, road), foot(at="C2"), nvr=3), ["u"])[0]
    assert exempt.assumed == ("E1.53b",)  # nothing guides it beyond B1
    assert "A1" in exempt.best()
    beside = place(field({n: {} for n in LINE.index}, road), foot(at="C2"), nvr=3)
    avoided = reach(beside, ["u"], rolls="avoid")[0]
    assert "B1" in avoided.best()
    assert "A1" not in avoided.best()


@pytest.mark.clause("E1.53a", "E1.53b")
def test_who_goes_away_from_his_guide() -> None:
    """A unit that leaves a road, has entered, or no longer sees an enemy makes the DR before going on."""
    road = field({n: {} for n in LINE.index}, {"D2-E3": ROAD, "E3-F3": ROAD})
    walks = place(road, foot(at="D2"), nvr=3)
    assert last(walks, "enter u C2", "enter u B1").status == "LEGAL"  # from beside the road
    assert bars(last(walks, "enter u C2", "enter u B1", "enter u A1")) == {"E1.53a"}
    log = ("enter u C2", "enter u B1", "set-out u", "settle stray:u keeps", "enter u A1")
    assert last(walks, *log).status == "LEGAL"
    assert last(walks, "enter u E3", "enter u D2").status == "LEGAL"
    comes = place(road, foot(at=None, entering=("A1",)), nvr=3)
    assert last(comes, "enter u A1").status == "LEGAL"
    assert bars(last(comes, "enter u A1", "enter u B1")) == {"E1.53a"}
    assert last(comes, "enter u A1", "end u").status == "LEGAL"
    enemy = foot("e", at="J5", side="russian")
    seeing = place(LINE, walker(sees=("e",)), enemy, nvr=3)
    assert last(seeing, "enter u B1", "enter u C2").status == "LEGAL"
    assert bars(last(seeing, "enter u B1", "sight u", "enter u C2")) == {"E1.53a"}
    assert "E1.53a" in reach(seeing, ["u"])[0].unsupported


def test_a_night_has_a_nvr() -> None:
    """A scene at night must state the NVR."""
    position = place(LINE, walker())

    odd = msgspec.structs.replace(position, conditions=AslConditions(night=True))
    with pytest.raises(BadInputError, match="Night Visibility Range"):
        ASL.check_position(odd)


@pytest.mark.clause("E1.52a")
def test_a_convoy_at_night() -> None:
    """A Convoy's truck pays 4 + 1 + 1 MP in the open; under the other reading night is included."""
    board = crossing()

    def cost(choice: str) -> float:
        position = place(
            board, vehicle(convoy="A"), vehicle("v", at="A1", convoy="A", rank=1), nvr=3,
            readings=(("E1.52a", choice),),
        )  # fmt: skip
        unit = position.unit("u")
        stack = movers.party(position, (unit,))
        facts = reading.entry(position, unit, "C1", stack, Enter(("u",), "C1"))
        return ASL.edition(position).judge(facts).total / 2

    assert (cost("additive"), cost("absorbed")) == (6, 5)


@pytest.mark.clause("E1.53a", "E1.53b", "E11.6a")
def test_one_movement_dr_serves_a_line() -> None:
    """The lead of a Convoy or Column makes it; the others set out with the lead."""
    lead, rear = vehicle(convoy="A"), vehicle("v", at="A1", convoy="A", rank=1)
    position = place(crossing(), lead, rear, nvr=3)
    assert last(position, "impulse u turn:NNE").is_legal  # within its hex
    assert bars(last(position, "impulse u enter:C1")) >= {"E1.53a"}
    assert last(position, "set-out u").status == "LEGAL"
    assert "E11.6a" in bars(last(position, "set-out v"))
    assert last(position, "set-out u", "settle stray:u keeps", "impulse u turn:NNE").is_legal
    column = place(LINE, walker(column="C"), foot("v", at="B1", column="C", rank=1), nvr=3)
    assert last(column, "set-out u").status == "LEGAL"


@pytest.mark.clause("E1.53a")
def test_a_unit_that_stays_in_its_hex_makes_no_movement_dr() -> None:
    """Recovery, mounting, and a VCA change do not go to a new hex (E1.531); the DR comes after."""
    lmg = (Counter(kind="sw 1 LMG", at="A1"),)
    position = place(LINE, walker(), nvr=3, counters=lmg)
    recovers = ("recover u LMG", "settle recover:u recovered")
    assert judge(position, *recovers, "end u").status == "LEGAL"
    assert judge(position, "double-time u", *recovers).status == "LEGAL"
    assert judge(position, "assault u", *recovers).status == "LEGAL"
    assert bars(last(position, *recovers, "enter u B1")) == {"E1.53a"}
    late = (*recovers, "set-out u", "settle stray:u keeps", "enter u B1")
    assert judge(position, *late).status == "LEGAL"
    for verb in ("enter", "minimum"):
        assert "E1.53a" in bars(last(position, f"{verb} u B1"))
    beside = place(crossing(), foot(), foot("h", "horses"), nvr=3)
    assert judge(beside, "mount u h").status == "LEGAL"
    ridden = place(crossing(), foot(aboard="h"), foot("h", "horses"), nvr=3)
    assert judge(ridden, "dismount h").status == "LEGAL"
    assert "E1.53a" in bars(last(ridden, "enter h C1"))
    car = place(crossing(), vehicle(moving=False), nvr=3)
    assert judge(car, "start u", "turn u NNE", "stop u", "end u").status == "LEGAL"
    assert bars(last(car, "start u", "enter u C1")) == {"E1.53a"}


@pytest.mark.clause("E1.53a")
def test_nothing_is_spent_before_the_movement_dr() -> None:
    """Under the stricter reading; pure declarations can come first."""
    strict: dict[str, Any] = {"nvr": 3, "readings": (("E1.53a", "first"),)}
    car = place(crossing(), vehicle(moving=False), **strict)
    assert bars(last(car, "start u")) == {"E1.53a"}
    assert bars(last(place(LINE, walker(), **strict), "smoke u A1 3")) == {"E1.53a"}
    assert last(place(LINE, walker(), **strict), "double-time u", "set-out u").status == "LEGAL"
    assert last(car, "set-out u", "settle stray:u keeps", "start u").is_legal
    assert last(car, "end u").is_legal


@pytest.mark.clause("E1.53a")
def test_prc_leave_and_board_at_night_within_their_hex() -> None:
    """Leaving and boarding need no Movement DR; a unit that then goes on needs one, unless it has set out."""
    board = field({name: {} for name in ("A1", "A2", "B1", "C1", "C2")})
    truck = vehicle("t", "opel-blitz", moving=False)
    aboard = place(board, truck, foot(aboard="t"), nvr=3)
    assert judge(aboard, "unload u").status == "LEGAL"
    goes = judge(aboard, "unload u", "enter u C1")
    assert [(v.clause, v.units) for v in goes.violations] == [("E1.53a", ("u",))]
    under_way = vehicle("t", "opel-blitz", moving=False, guide="t", mph="moving", spent=2)
    assert (
        judge(
            place(board, under_way, foot(aboard="t", guide="t"), nvr=3), "unload u", "enter u C1"
        ).status
        == "LEGAL"
    )
    log = ("set-out t", "settle stray:t keeps", "start t", "stop t", "unload u", "enter u C1")
    assert judge(aboard, *log).status == "LEGAL"  # set out with it
    assert judge(place(board, truck, foot(), nvr=3), "load u t").status == "LEGAL"
    begun = foot(guide="u", mph="moving", spent=2, used=2)
    assert judge(place(board, truck, begun, nvr=3), "load u t").status == "LEGAL"
