"""Towing Guns: hooking up, moving with a Gun, unhooking."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.rules.generator import legal_actions
from marchtable.state.position import Counter
from marchtable.state.records import replace
from marchtable_models.asl.model import UnitType
from tests.asl.boards import (
    ASL,
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
)

ROW = field({name: {} for name in ("A1", "A2", "B1", "C1", "C2", "D1")})
GUN = UnitType(name="gun", class_="gun", mm=75, m_number=11, circled=True, qsu=True)
MORTAR = UnitType(name="mtr", class_="gun", mm=107, m_number=11, qsu=True, main="mortar")
SLOW = UnitType(name="slow", class_="gun", mm=75, m_number=11)
TYPES = (GUN, MORTAR, SLOW)


def gun(kind: str = "gun", **fields: Any) -> Any:
    """Return a Gun at B1."""
    return foot("g", kind, **fields)


def crew(**fields: Any) -> Any:
    """Return a crew at B1."""
    return foot("c", **{"kind": "crew", **fields})


def tractor(**fields: Any) -> Any:
    """Return a stopped SPW 250/1 of 18 MP and 9 PP at B1."""
    return vehicle("t", "spw-250", **{"moving": False, **fields})


def hooking(*units: Any, line: str = "hook t g c", **fields: Any) -> Any:
    """Return the ruling on hooking up at B1."""
    found = units or (tractor(), gun(), crew())
    return judge(place(ROW, *found, types=TYPES, **fields), line).rulings[-1]


def tow(board: Any, *others: Any, kind: str = "gun", by: Any = None, **fields: Any) -> Any:
    """Return a moving vehicle with a Gun in tow at B1."""
    by = by or vehicle("t", "spw-250", **fields)
    by = replace(by, towing="g")
    return place(board, by, gun(kind, towed_by="t"), *others, types=TYPES)


@pytest.mark.clause("C10.11a")
def test_hooking_up() -> None:
    """A stopped vehicle that tows nothing, and a free Gun of its side standing there."""
    ruling = hooking()
    assert ruling.is_legal
    after = ruling.after
    assert (
        after.unit("t").cargo.towing,
        after.unit("g").cargo.towed_by,
        after.unit("c").cargo.aboard,
    ) == (
        "g",
        "t",
        None,
    )
    moved = tractor(spent=4, used=4, mph="moving")
    assert hooking(moved, gun(), crew()).is_legal
    assert bars(hooking(tractor(moving=True), gun(), crew())) == {"C10.11a"}
    assert "C10.11a" in bars(hooking(tractor(stunned=True), gun(), crew()))
    assert bars(hooking(tractor(), gun(at="C1"), crew())) == {"C10.11a"}
    assert bars(hooking(tractor(), gun(side="russian"), crew())) == {"C10.11a"}
    assert "C10.11a" in bars(hooking(tractor(), gun("squad"), crew()))
    other = (tractor(towing="h"), foot("h", "gun", towed_by="t"), gun(), crew())
    assert bars(hooking(*other)) == {"C10.11a"}


@pytest.mark.clause("C10.11b")
@pytest.mark.parametrize(("kind", "cost"), [("gun", 12), ("mtr", 9), ("slow", 9)])
def test_cost_of_hooking_up(kind: str, cost: float) -> None:
    """Half the 18 MP, two thirds for a circled M#, rounded up; unhooking costs the same."""
    limbered = gun(kind, limbered=True)
    assert total(hooking(tractor(), limbered, crew()), "t") == cost
    position = tow(ROW, crew(aboard="t"), kind=kind, moving=False)
    assert total(last(position, "unhook t c"), "t") == cost
    odd = vehicle("t", "kfz-1", moving=False)
    seventeen = vehicle("t", "sdkfz-7", moving=False)
    assert total(hooking(odd, limbered, crew()), "t") == (20 if cost == 12 else 15)
    assert total(hooking(seventeen, limbered, crew()), "t") == (12 if cost == 12 else 9)


@pytest.mark.clause("C10.111")
def test_the_crew() -> None:
    """A crew, half squad or squad there, fit and on foot; no SMC, and no unit elsewhere."""
    for kind in ("crew", "half-squad", "squad"):
        assert hooking(tractor(), gun(), crew(kind=kind)).is_legal
    assert bars(hooking(tractor(), gun(), crew(kind="leader"))) == {"C10.111"}
    assert bars(hooking(tractor(), gun(), crew(at="C1"))) == {"C10.111"}
    assert bars(hooking(tractor(), gun(), crew(aboard="t"))) == {"C10.111"}
    for state in ("pinned", "broken", "ti"):
        assert bars(hooking(tractor(), gun(), crew(**{state: True}))) == {"C10.111"}
    assert bars(hooking(tractor(), gun(), crew(mph="done"))) == {"C10.111"}


@pytest.mark.clause("C10.11c")
def test_a_crew_that_has_come_far_hooks_up_nothing() -> None:
    """At most half its 4 MF can be spent."""
    walked = {"used": 1, "mph": "moving", "road": False}
    assert hooking(tractor(), gun(), crew(spent=4, **walked)).is_legal
    assert bars(hooking(tractor(), gun(), crew(spent=5, **walked))) == {"C10.11c"}
    for spent, barred in ((4, set()), (5, {"C10.11c"})):  # C10.12: under the same conditions
        on_foot = tow(ROW, crew(spent=spent, **walked), moving=False)
        assert bars(judge(on_foot, "unhook t c").rulings[0]) == barred


@pytest.mark.clause("A12.2c", "A12.2")
@pytest.mark.parametrize(("reading", "kept"), [("kept", True), ("seen", False)])
def test_a_gun_in_tow_shares_its_vehicles_concealment(*, reading: str, kept: bool) -> None:
    """Vehicle, crew aboard and Gun lose it together when the vehicle is seen to move, or keep it."""
    position = tow(ROW, crew(aboard="t", concealed=True), concealed=True)
    hidden = [replace(unit, concealed=True) for unit in position.units]
    position = msgspec.structs.replace(position.with_units(hidden), readings=(("A12.2", reading),))
    to = next(name for _, name in position.board.neighbours(position.unit("t").at))
    after = judge(position, f"enter t {to}").rulings[0].after
    assert {unit.concealment.concealed for unit in after.units} == {kept}


@pytest.mark.clause("C10.21")
def test_a_gun_must_be_limbered() -> None:
    """Unless it is QSU."""
    assert bars(hooking(tractor(), gun("slow"), crew())) == {"C10.21"}
    assert hooking(tractor(), gun("slow", limbered=True), crew()).is_legal


@pytest.mark.clause("C10.11d")
def test_all_concerned_are_ti() -> None:
    """After hooking up Gun, crew, vehicle and PRC; after unhooking Gun and crew."""
    rider = foot("p", "leader", aboard="t")
    after = hooking(tractor(), gun(), crew(), rider).after
    assert [after.unit(name).status.ti for name in "tgcp"] == [True] * 4
    assert not after.unit("c").cargo.conveyed
    position = tow(ROW, crew(aboard="t"), rider, moving=False)
    ruling = last(position, "unhook t c")
    assert [ruling.after.unit(name).status.ti for name in "tgcp"] == [False, True, True, False]
    assert last(ruling.after, "start t", "enter t C1").after.unit("g").at == "B1"


@pytest.mark.clause("C10.12")
def test_unhooking() -> None:
    """By a stopped towing vehicle; the crew unloads as part of it."""
    ruling = last(tow(ROW, crew(aboard="t"), moving=False), "unhook t c")
    after = ruling.after
    assert (
        after.unit("t").cargo.towing,
        after.unit("g").cargo.towed_by,
        after.unit("c").cargo.aboard,
    ) == (
        None,
        None,
        None,
    )
    assert bars(judge(tow(ROW, crew(aboard="t")), "unhook t c").rulings[0]) == {"C10.11a"}
    free = judge(place(ROW, tractor(), gun(), crew(aboard="t"), types=TYPES), "unhook t c").rulings[
        0
    ]
    assert bars(free) == {"C10.12"}


@pytest.mark.clause("C10.12c")
def test_the_crew_that_unhooks_spends_its_share() -> None:
    """Half its MF, rounded up, two thirds for a circled M#, or the rest; nothing by the other reading."""

    def unhooked(*, circled: bool = False, reading: str = "share", **fields: Any) -> Any:
        kind = msgspec.structs.replace(GUN, circled=circled)
        by = vehicle("t", "spw-250", moving=False, towing="g")
        units, given = (by, gun(towed_by="t"), crew(**fields)), (("C10.12c", reading),)
        return last(place(ROW, *units, types=(kind,), readings=given), "unhook t c")

    walked: dict[str, Any] = {"spent": 4, "used": 4, "mph": "moving"}
    for fields, half, more in (
        ({"aboard": "t"}, 2, 3), ({"inexperienced": True}, 2, 2), ({}, 2, 3), (walked, 2, 2),
    ):  # fmt: skip
        for circled, share in ((False, half), (True, more)):
            ruling = unhooked(circled=circled, **fields)
            assert (total(ruling, "c"), paid(ruling, "C10.12c", "c")) == (share, share)
            assert ruling.after.unit("c").move.mph == "done"
    assert total(unhooked(reading="nothing", aboard="t"), "c") == 0
    assert total(hooking(tractor(), gun(), crew()), "c") == 0


@pytest.mark.clause("D6.5a", "D6.4d")
def test_load_and_unload_name_what_moves_a_gun() -> None:
    """A Gun in tow is unhooked, a standing one hooked up; en portee it is loaded and unloaded as such."""

    def stated(position: Any, line: str) -> list[str]:
        return [one.note for one in judge(position, line).rulings[0].violations]

    towed = tow(ROW, crew(aboard="t"), moving=False)
    for line in ("unload g", "unload g,c"):
        assert ["`unhook VEHICLE CREW`" in note for note in stated(towed, line)] == [True]
    standing = place(ROW, tractor(), gun(), crew(), types=TYPES)
    for line in ("load g t", "load c,g t"):
        assert ["`hook VEHICLE GUN CREW`" in note for note in stated(standing, line)] == [True]
    noted = place(ROW, replace(tractor(), portee=75), gun(), crew(), types=TYPES)
    assert "`portee VEHICLE GUN CREW`" in stated(noted, "load g t")[0]
    laden = replace(vehicle("t", "spw-250", moving=False), portee=75, towing="g", laden=True)
    carried = place(ROW, laden, gun(towed_by="t"), crew(), types=TYPES)
    assert "`portee VEHICLE GUN CREW`" in stated(carried, "unload g")[0]
    away = place(ROW, tractor(), crew(aboard="t"), foot("v"), types=TYPES)
    assert "aboard one vehicle" in stated(away, "unload c,v")[0]


@pytest.mark.clause("D6.1e", "D6.1c", "C10.1a")
def test_hooking_up_leaves_room_for_those_aboard() -> None:
    """A crew fits the 5 PP that a 75mm Gun leaves of 9; with a PP more aboard it does not."""
    assert hooking(line="hook t g c board=true").after.unit("c").cargo.aboard == "t"
    armed = crew(sw=foot(sw=()).sw)
    full = (tractor(), gun(), armed, foot("p", "half-squad", aboard="t"))
    assert hooking(*full).is_legal
    assert bars(hooking(*full, line="hook t g c board=true")) == {"D6.1c"}
    heavy = UnitType(name="gun", class_="gun", mm=75, m_number=8, qsu=True)
    position = place(ROW, tractor(), gun(), crew(), types=(heavy,))
    assert bars(judge(position, "hook t g c").rulings[0]) == {"C10.1a"}


CART = UnitType(name="cart", class_="wagon", column="hd", mp=12, pp=14, t_number=10)


def carts(m_number: int = 2, **second: Any) -> Any:
    """Return two wagons, t and s, with a Gun of this M# and its crew at B1."""
    still: dict[str, Any] = {"moving": False}
    piece = UnitType(name="gun", class_="gun", mm=37, m_number=m_number, qsu=True)
    found = vehicle("t", "cart", **still), vehicle("s", "cart", **{**still, **second})
    return place(ROW, *found, gun(), crew(), types=(CART, piece))


@pytest.mark.clause("D12.2")
def test_two_wagons_tow_what_one_cannot() -> None:
    """Combined they have T# 2; a Gun of M# 1 is too heavy for them, one of M# 9 for one wagon."""
    towed = last(carts(), "combine t s", "hook t g c")
    assert (towed.status, towed.after.unit("t").cargo.towing) == ("LEGAL", "g")
    assert bars(last(carts(1), "combine t s", "hook t g c")) == {"D12.2"}
    assert bars(last(carts(9), "hook t g c")) == {"C10.1a"}
    assert last(carts(10), "hook t g c").is_legal


@pytest.mark.clause("D12.2b")
def test_two_wagons_are_combined() -> None:
    """Two of one side in a Location that tow nothing spend as one, and can separate again."""
    one = last(carts(spent=6, used=6, mph="moving"), "combine t s").after
    whole = one.unit("t")
    assert (whole.cargo.yoked, one.unit("s").at, whole.points.spent) == (True, None, 6)
    assert "combine t s" in {str(choice.action) for choice in legal_actions(carts())}
    two = last(carts(), "combine t s", "split t").after
    assert (two.unit("t").cargo.yoked, two.unit("t-2").type, two.unit("t-2").at) == (
        False, "cart", "B1",
    )  # fmt: skip
    for log in (
        ("split t",), ("combine t t",), ("combine t c",), ("combine t s", "hook t g c", "split t"),
    ):  # fmt: skip
        assert bars(last(carts(), *log)) == {"D12.2b"}
    for found in ({"at": "A1"}, {"side": "russian"}, {"bypass": 0}, {"yoked": True}):
        assert bars(last(carts(**found), "combine t s")) == {"D12.2b"}
    loaded = carts().with_units([foot("c", "half-squad", aboard="s")])
    assert cites(last(loaded, "combine t s")) == {"D12.2b"}
    assert cites(last(carts(convoy="x", rank=1), "combine t s")) == {"D12.2b"}


@pytest.mark.clause("C10.1b")
def test_towing_costs_one_mp_a_hex() -> None:
    """After all else, so it is not doubled; a medium mortar costs nothing."""
    assert paid(last(tow(crossing()), "enter t C1"), "C10.1b", "t") == 1
    assert total(last(tow(crossing()), "enter t C1"), "t") == 2
    assert total(last(tow(crossing(), kind="mtr"), "enter t C1"), "t") == 1
    after = last(tow(crossing(), crew(aboard="t")), "enter t C1").after
    assert (after.unit("g").at, after.unit("c").at) == ("C1", "C1")


@pytest.mark.clause("C10.1c")
def test_where_no_gun_is_towed() -> None:
    """Over no wall or hedge and into no building, except by road; woods are allowed."""
    hedge = {"terrain": "Hedge"}
    assert bars(judge(tow(crossing(hexside=hedge)), "enter t C1").rulings[0]) == {"C10.1c"}
    assert last(tow(crossing(hexside={**hedge, "road": "Dirt Road"})), "enter t C1").is_legal
    house = crossing(there={"terrain": "Wooden Building, 1 Level"})
    assert "C10.1c" in bars(judge(tow(house), "enter t C1").rulings[0])
    assert judge(tow(crossing(hexside=hedge), kind="mtr"), "enter t C1").rulings[0].is_legal
    woods = judge(tow(crossing(there={"terrain": "Woods"})), "enter t C1").rulings[0]
    assert woods.is_legal
    assert (total(woods, "t"), "C10.1b" in dict(woods.exceptions)) == (18, True)


@pytest.mark.clause("D8.21a")
def test_a_towing_vehicle_bogs_more_easily() -> None:
    """Its Bog DRM is one more."""
    woods = crossing(there={"terrain": "Woods"})
    (alone,) = judge(place(woods, vehicle("t", "spw-250")), "enter t C1").rulings[0].obligations
    (towing,) = judge(tow(woods), "enter t C1").rulings[0].obligations
    assert [due.outcomes[1].chance for due in (alone, towing)] == [6, 10]


@pytest.mark.clause("C10.3g")
def test_pushing_is_not_modelled() -> None:
    """A Gun moved by itself, or with its crew, is UNSUPPORTED; other verbs are not."""
    for line in ("enter g C1", "enter c,g C1"):
        ruling = judge(place(crossing(), gun(), crew(), types=TYPES), line).rulings[0]
        assert (cites(ruling), bars(ruling)) == ({"C10.3g"}, set())
        assert {receipt.points for receipt in ruling.receipts} == {"MF"}
    wood = crossing(there={"terrain": "Woods", "clear": (50,) * 6})
    round_it = judge(place(wood, gun(), crew(), types=TYPES), "bypass g C1 vertex=E").rulings[0]
    assert (cites(round_it), bars(round_it)) == ({"C10.3g"}, set())


def test_a_towed_gun_and_its_crew_take_no_room() -> None:
    """The vehicle counts once; neither the Gun nor the crew aboard adds to it."""
    parked = (vehicle("v", "spw-250", at="C1", moving=False, towing="g"),
              foot("g", "gun", at="C1", towed_by="v"), foot("c", "crew", at="C1", aboard="v"))  # fmt: skip
    position = place(crossing(), vehicle("t", "ft-20"), *parked, types=TYPES)
    ruling = judge(position, "enter t C1").rulings[0]
    assert total(ruling, "t") == 2


@pytest.mark.clause("C10.1f")
def test_no_reverse_in_tow() -> None:
    """With a Gun in tow it can neither start nor go in Reverse; without one it can."""

    def stated(line: str, **fields: Any) -> set[str]:
        truck = vehicle("t", "opel-blitz", **{"towing": "g", **fields})
        return bars(last(place(ROW, truck, gun(towed_by="t"), types=TYPES), line))

    assert stated("start t reverse=true", moving=False) == {"C10.1f"}
    assert stated("start t", moving=False) == set()
    assert "C10.1f" in stated("enter t A1", reverse=True)
    free = place(ROW, vehicle("t", "opel-blitz", moving=False))
    assert bars(last(free, "start t reverse=true")) == set()


@pytest.mark.clause("C10.1d", "D6.4j")
def test_a_gun_being_hooked_or_unhooked_is_lost_with_its_vehicle() -> None:
    """Its crew is then on foot, whether boarding or unloaded; an unhooked Gun stays."""
    for line in ("hook t g c", "hook t g c board=true"):
        ruling = hooking(line=line)
        assert ruling.is_legal
        after = last(ruling.after, "destroy t fire")
        assert (after.after.unit("g").at, after.after.unit("c").at, after.obligations) == (
            None, "B1", (),
        )  # fmt: skip
        assert after.after.unit("c").cargo.aboard is None
    towed = place(
        ROW, tractor(towing="g"), gun(towed_by="t", limbered=True), crew(aboard="t"), types=TYPES
    )
    undone = last(towed, "unhook t c", "destroy t fire").after
    assert (undone.unit("g").at, undone.unit("c").at, undone.unit("c").cargo.aboard) == (
        None,
        "B1",
        None,
    )
    done = last(towed, "unhook t c", "end t", "destroy t fire").after
    assert done.unit("g").at == "B1"


@pytest.mark.clause("D5.43", "D6.4j")
def test_hitching_under_fire() -> None:
    """A crew pinned, broken or lost while hooking up leaves the Gun there; while unhooking, on the hook."""
    ready = place(ROW, tractor(), gun(), crew(), types=TYPES)
    for blow in ("pinned", "broken", "eliminated"):
        for line in ("hook t g c", "hook t g c board=true"):
            after = judge(ready, line, f"result c {blow}").position
            assert (after.unit("t").cargo.towing, after.unit("g").cargo.towed_by) == (None, None)
            assert after.unit("c").cargo.aboard is None
            assert after.unit("g").at == "B1"
        units = (tractor(towing="g"), gun(towed_by="t", limbered=True), crew(aboard="t"))
        position = place(ROW, *units, types=TYPES)
        after = judge(position, "unhook t c", f"result c {blow}").position
        assert (after.unit("t").cargo.towing, after.unit("g").cargo.towed_by) == ("g", "t")
        assert after.unit("c").cargo.aboard is None
        safe = judge(position, "unhook t c", "end t", f"result c {blow}").position
        assert (safe.unit("t").cargo.towing, safe.unit("g").cargo.towed_by) == (None, None)
    calm = judge(ready, "hook t g c board=true", "result c attacked").position
    assert (calm.unit("t").cargo.towing, calm.unit("c").cargo.aboard) == ("g", "t")


@pytest.mark.clause("C10.1c")
@pytest.mark.parametrize("terrain", ["Wall", "Hedge", "Bocage", "Cactus Hedge"])
def test_hexsides_no_gun_is_towed_over(terrain: str) -> None:
    """Over none of them, except through an obvious gap or by a road."""
    tank, found = vehicle("u", "ft-30", towing="g"), gun(towed_by="u")
    for hexside, barred in (
        ({}, {"C10.1c"}), ({"gap": 20}, set()), ({"gap": 19}, {"C10.1c"}),
        ({"road": "Dirt Road"}, set()),
    ):  # fmt: skip
        board = crossing(hexside={"terrain": terrain, **hexside})
        assert bars(last(place(board, tank, found, types=TYPES), "enter u C1")) == barred


@pytest.mark.clause("C10.21")
def test_what_is_no_gun_is_not_asked_to_be_limbered() -> None:
    """A squad named as the Gun is no Gun, and that is the only error."""
    position = place(crossing(), vehicle("t", "spw-250", moving=False), foot(), crew())
    assert bars(judge(position, "hook t u c").rulings[0]) == {"C10.11a"}


@pytest.mark.clause("C10.11e")
@pytest.mark.parametrize("line", ["hook t g c", "hook t g c board=true", "unhook t c"])
@pytest.mark.parametrize("who", ["t", "g", "c"])
def test_nobody_who_has_fired_hooks_or_unhooks(line: str, who: str) -> None:
    """Neither vehicle, Gun nor crew can have fired; a Passenger that fired only cannot unhook."""
    towed = line.startswith("unhook")
    units = [
        tractor(towing="g" if towed else None), gun(towed_by="t" if towed else None),
        crew(aboard="t" if towed else None), foot("p", "leader", aboard="t"),
    ]  # fmt: skip
    position = place(ROW, *units, types=TYPES)
    assert bars(judge(position, line).rulings[0]) == set()

    def having_fired(name: str) -> set[str]:
        fired = replace(position.unit(name), fired=True)
        return bars(judge(position.with_units([fired]), line).rulings[0])

    assert having_fired(who) == {"C10.11e"}
    assert having_fired("p") == (set() if towed else {"C10.11e"})


@pytest.mark.clause("C10.11f", "A4.5e", "A4.61e")
def test_boarding_as_part_of_hooking_up() -> None:
    """It costs no MF, and is not allowed after Double or Assault Movement."""
    ruling = hooking(tractor(), gun(), crew(), line="hook t g c board=true")
    assert (ruling.status, total(ruling, "c")) == ("LEGAL", 0)
    assert ruling.after.unit("c").cargo.conveyed
    for found, clause in (({"double": 4}, "A4.5e"), ({"assault": True}, "A4.61e")):
        busy: dict[str, Any] = found
        units = (tractor(), gun(), crew(**busy))
        assert bars(hooking(*units, line="hook t g c board=true")) == {clause}
        afoot = hooking(*units)
        assert (bars(afoot), afoot.after.unit("c").cargo.conveyed) == (set(), False)
        ASL.check_position(afoot.after)


@pytest.mark.clause("A12.2c")
def test_hooking_up_and_concealment() -> None:
    """Vehicle, Gun and a boarding crew are all concealed, or none is."""

    def hidden(line: str, **fields: bool) -> list[bool]:
        units = (
            tractor(concealed=fields["t"]), gun(concealed=fields["g"]), crew(concealed=fields["c"]),
        )  # fmt: skip
        after = hooking(*units, line=line).after
        return [after.unit(name).concealment.concealed for name in "tgc"]

    boards = "hook t g c board=true"
    assert hidden(boards, t=True, g=True, c=True) == [True, True, True]
    assert hidden(boards, t=True, g=True, c=False) == [False, False, False]
    assert hidden(boards, t=False, g=True, c=True) == [False, False, False]
    assert hidden("hook t g c", t=True, g=True, c=False) == [True, True, False]
    assert hidden("hook t g c", t=True, g=False, c=True) == [False, False, True]


@pytest.mark.clause("C10.111")
def test_five_smc_as_a_crew_are_unsupported() -> None:
    """One that is not one of five is no crew."""
    five = [foot(f"l{number}", "leader") for number in range(5)]
    position = place(ROW, tractor(), gun(), *five, types=TYPES)
    assert cites(last(position, "hook t g l0")) == {"C10.111"}
    four = place(ROW, tractor(), gun(), *five[1:], types=TYPES)
    assert bars(last(four, "hook t g l1")) == {"C10.111"}


@pytest.mark.clause("C10.111")
def test_a_crew_inside_something_hooks_up_nothing() -> None:
    """Coming out, for example from upstairs, is UNSUPPORTED like its other moves."""
    assert hooking(tractor(), gun(), crew()).is_legal
    for inside in ("beneath", "upstairs", "crest"):
        assert hooking(tractor(), gun(), crew(inside=inside)).status == "UNSUPPORTED"


@pytest.mark.clause("D6.1e", "C10.1a")
def test_a_gun_of_unstated_caliber() -> None:
    """The room its ammo leaves for Passengers is unknown; an empty vehicle can tow it."""
    unstated = UnitType(name="unstated", class_="gun", m_number=11, qsu=True)
    units = (tractor(towing="g"), gun("unstated", towed_by="t"), foot("h", "half-squad"))
    position = place(ROW, *units, types=(unstated,))
    assert cites(last(position, "load h t")) == {"D6.1e"}
    ASL.check_position(position)
    found = place(ROW, tractor(towing="g"), gun(towed_by="t"), units[2], types=TYPES)
    assert last(found, "load h t").is_legal


@pytest.mark.clause("C10.111")
def test_an_inherent_crew_neither_hooks_nor_unhooks() -> None:
    """It would man or abandon its vehicle, which is UNSUPPORTED; it stays aboard."""
    inside = crew(aboard="t", inherent=True)
    for line, found in (("unhook t c", {"towing": "g"}), ("hook t g c", {})):
        piece = gun(towed_by="t") if found else gun()
        position = place(ROW, tractor(**found), piece, inside, types=TYPES)
        assert cites(judge(position, line).rulings[0]) == {"C10.111"}


@pytest.mark.clause("C10.21")
def test_a_gun_is_left_standing_limbered() -> None:
    """A towed one need not be limbered again; a QSU one never needs it."""
    for kind, limbered in (("slow", True), ("gun", False)):
        position = tow(ROW, crew(aboard="t"), kind=kind, moving=False)
        assert last(position, "unhook t c").after.unit("g").cargo.limbered is limbered


@pytest.mark.clause("C10.1c")
def test_where_no_gun_is_towed_off_the_road() -> None:
    """Not into a graveyard except by road (B18.43), nor buildings in a gully; debris depends on a reading."""
    graves = {"terrain": "Graveyard"}

    def goes(there: Any, hexside: Any = None, **fields: Any) -> set[str]:
        tower = vehicle("t", "ft-12", towing="g", bu=True)
        board = crossing(there=there, hexside=hexside)
        drawn = place(board, tower, gun(towed_by="t"), types=TYPES, **fields)
        return bars(last(drawn, "enter t C1"))

    assert goes(graves) == {"C10.1c"}
    assert goes(graves, {"path": True}) == set()
    assert goes({"terrain": "Brush"}) == set()
    debris = (Counter(kind="debris", at="C1"),)
    assert goes({}, counters=debris) == set()
    assert goes({}, counters=debris, readings=(("C10.1c", "rubble"),)) == {"C10.1c"}


@pytest.mark.clause("C10.12b")
@pytest.mark.parametrize(("reading", "barred"), [("hooks", set()), ("neither", {"C10.12b"})])
def test_whether_excessive_speed_pays_for_hooking_up(reading: str, barred: set[str]) -> None:
    """By default its MP pay for hooking up, but never for unhooking."""
    asked = ("esb t mp=4", "settle esb:t mobile")
    spent = tractor(spent=16, used=16, mph="moving")  # 10 MP are left, and it takes 12
    drawn = place(ROW, spent, gun(), crew(), types=TYPES, readings=(("C10.12b", reading),))
    found = last(drawn, *asked, "hook t g c")
    assert bars(found) == barred


@pytest.mark.clause("C10.4")
def test_trailers() -> None:
    """No building, rubble, wall, hedge or Reverse; by road, and round a house, as usual."""
    fields: dict[str, Any] = {"trailer": True}
    for there in ("Stone Building", "Wooden Rubble"):
        assert "C10.4" in bars(
            step("ft", "enter u C1 half=true", there={"terrain": there}, **fields)
        )
    assert "C10.4" not in bars(
        step("ft", "enter u C1 half=true", there={"terrain": "Stone Building"})
    )
    for side in ("Wall", "Hedge", "Bocage"):
        assert "C10.4" in bars(step("ft", hexside={"terrain": side}, **fields))
        by_road = {"terrain": side, "road": "Dirt Road"}
        assert "C10.4" not in bars(step("ft", hexside=by_road, **fields))
    assert "C10.4" in bars(step("ft", "start u reverse=true", moving=False, **fields))
    assert step("ft", there={"terrain": "Woods"}, hexside={"road": "Dirt Road"}, **fields).is_legal
    assert total(step("ft", **fields)) == 1  # no MP more, as for a Gun


@pytest.mark.clause("C10.4")
def test_a_trailer_bogs() -> None:
    """It adds 1 to the Bog Check, as a Gun in tow does."""

    def bogs(**fields: Any) -> int:
        (roll,) = step(
            "ft", "enter u C1 half=true", there={"terrain": "Woods"}, **fields
        ).obligations
        return int(next(odds.chance for odds in roll.outcomes if odds.outcome == "bogged"))

    assert (bogs(), bogs(trailer=True)) == (15, 21)
