"""Leaving vehicles: which units, when, for how many MF and MP, and what follows."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.state.records import replace
from tests.asl.boards import (
    ASL,
    bars,
    cites,
    field,
    foot,
    judge,
    last,
    load,
    place,
    total,
)  # fmt: skip
from tests.asl.carried import like
from tests.asl.trucks import ROW, left, truck, unloading


@pytest.mark.clause("D6.5a")
def test_leaving_costs_a_quarter_of_the_mp_for_each_stack() -> None:
    """7 of 28 MP, 6 of 21: once for a stack, twice for two; only while stopped, from one vehicle."""
    assert total(unloading(), "t") == 7
    assert total(unloading(by=truck("zis-5")), "t") == 6
    pair = (foot(aboard="t"), foot("w", "half-squad", aboard="t"))
    assert left(unloading("unload u,w", units=pair)) == 21
    assert left(unloading("unload u", "unload w", units=pair)) == 14
    assert bars(unloading(by=truck(moving=True))) == {"D6.5a"}
    other = truck(id="v")
    apart = (foot(aboard="t"), foot("w", aboard="v"), other)
    assert "D6.5a" in bars(unloading("unload u,w", units=apart))
    assert "D6.5a" in bars(judge(place(ROW, truck(), foot()), "unload u").rulings[-1])
    assert bars(unloading("unload u,u")) == {"D6.5a"}
    ridden = place(ROW, foot("u", "half-squad", aboard="h"), foot("h", "horses"))
    assert bars(last(ridden, "unload u")) == {"D6.5a"}  # it dismounts


@pytest.mark.clause("D6.5a", "D6.5c", "D2.1b")
def test_what_is_left_must_pay_for_leaving() -> None:
    """With 10 MP and 7.5 spent 2.5 remain: the quarter of 3 is too much, unless the rest suffices."""
    kind = next(k for k in place(ROW, truck("tr-10")).conditions.types)
    kind = msgspec.structs.replace(kind, name="ten", pp=10)
    by = truck("ten", spent=15, used=15, mph="moving")
    assert bars(unloading(by=by, types=(kind,))) == {"D2.1b"}
    ruling = unloading(by=by, types=(kind,), readings=(("D6.5a", "rest"),))
    assert ruling.is_legal
    assert left(ruling) == 0
    by = replace(by, spent=14, used=14)
    assert left(unloading(by=by, types=(kind,), readings=(("D6.5a", "rest"),))) == 0


@pytest.mark.clause("D6.5b")
@pytest.mark.parametrize(
    ("kind", "spent", "reading", "bill"),
    [
        ("zis-5", 6, "allotment", 3), ("zis-5", 6, "quarter", 2), ("zis-5", 5, "allotment", 2),
        ("zis-5", 5.5, "allotment", 3), ("zis-5", 0, "allotment", 1), ("opel-blitz", 7, "allotment", 2),
        ("opel-blitz", 7.5, "allotment", 3), ("opel-blitz", 21, "allotment", 4),
        ("zis-5", 6.5, "quarter", 3),
    ],
)  # fmt: skip
def test_mf_of_leaving(kind: str, spent: float, reading: str, bill: float) -> None:
    """1 MF, and one more for each quarter of the MP begun before."""
    by = truck(kind, spent=int(2 * spent), used=int(2 * spent), mph="moving")
    ruling = unloading(by=by, readings=(("D6.5b", reading),))
    assert total(ruling) == bill
    assert left(ruling, "u") == 4 - bill


@pytest.mark.clause("D6.5b")
def test_mf_spent_on_foot_are_among_those_of_the_quarters() -> None:
    """A unit that boarded with 3 MF spent counts as having used three quarters, not six."""
    unit = foot(spent=2, used=2, mph="moving")
    ruling = last(place(ROW, truck(), unit), "load u t", "start t", "stop t", "unload u")
    assert ruling.is_legal
    assert total(ruling) == 2  # 2 spent on foot, 16 of 28 MP gone: 3 quarters, and the leaving
    assert left(ruling, "u") == 0


@pytest.mark.clause("D6.5c")
def test_nobody_pays_for_leaving_too_late() -> None:
    """Past three quarters only that is reported, and no points go below zero."""
    late = unloading(by=truck(spent=43, used=43, mph="moving"))
    assert (bars(late), total(late, "t"), total(late, "u")) == ({"D6.5c"}, 0, 0)


@pytest.mark.clause("A4.2a", "D6.5g")
def test_a_unit_that_has_left_waits_for_no_other_unit() -> None:
    """Once another unit has moved, the MPh of a unit that left is over: D6.5g is named."""
    squad, other = foot(aboard="t"), foot("x")
    after_it = last(place(ROW, truck(), squad, other), "unload u", "enter x C1", "enter u C1")
    notes = [one.note for one in after_it.violations if one.clause == "A4.2a"]
    assert len(notes) == 1
    assert "D6.5g" in notes[0]
    ended = last(place(ROW, foot()), "end u", "enter u C1")
    assert [(one.clause, "D6.5g" in one.note) for one in ended.violations] == [("A4.2a", False)]


@pytest.mark.clause("D6.5c")
def test_nobody_leaves_after_three_quarters() -> None:
    """21 of 28 MP is the last moment."""
    at = {"mph": "moving"}
    assert unloading(by=truck(spent=42, used=42, **at)).is_legal
    assert "D6.5c" in bars(unloading(by=truck(spent=43, used=43, **at)))


@pytest.mark.clause("D6.5d", "D6.5f")
def test_leaving_a_vehicle_that_prep_fired() -> None:
    """1 MF and no MP, if it has spent none; the unit stays in the Location."""
    ruling = unloading(by=truck(prep_fired=True))
    assert (total(ruling, "t"), total(ruling), ruling.is_legal) == (0, 1, True)
    assert bars(judge(ruling.after, "enter u C1").rulings[0]) == {"D6.5f"}
    assert bars(unloading(by=truck(prep_fired=True, spent=1))) == {"D6.5d"}
    other = truck(id="v")
    aboard = (foot(aboard="t"), other)
    again = unloading("unload u", "load u v", by=truck(prep_fired=True), units=aboard)
    assert cites(again) == {"D6.5f"}
    assert cites(unloading("unload u", "load u v", by=truck(), units=aboard)) == set()


@pytest.mark.clause("D6.5e")
def test_leaving_an_immobilized_vehicle() -> None:
    """It can be left for MP and MF as usual, and the unit can go on; not if it bogged this MPh."""
    states: tuple[dict[str, Any], ...] = ({"immobile": True}, {"bogged": True})
    for state in states:
        ruling = unloading(by=truck(**state))
        assert ruling.is_legal
        assert ("D6.5e", "the vehicle is immobile") in ruling.exceptions
        assert judge(ruling.after, "enter u C1").rulings[0].is_legal
        stay = unloading(by=truck(**state), readings=(("D6.5e", "stay"),))
        assert bars(judge(stay.after, "enter u C1").rulings[0]) == {"D6.5f"}
    assert bars(unloading(by=truck(bogged=True, mph="done"))) == {"A4.2a"}
    for drove in ({"previous": "A1"}, {"spent": 4, "used": 4}):  # the second turned in woods
        gone = unloading(by=truck(bogged=True, mph="done", **drove))
        assert bars(gone) == {"A4.2a", "D6.5e"}
        assert gone.violations[0].clause == "D6.5e"


@pytest.mark.clause("D6.5c")
def test_leaving_a_vehicle_immobilized_as_it_moves() -> None:
    """It stays, and can be left in that MPh within three quarters; if bogged, it cannot."""
    moving: dict[str, Any] = {"moving": True, "mph": "moving"}
    position = place(ROW, truck(spent=42, used=40, **moving), foot(aboard="t"))
    ruling = judge(position, "result t immobilized", "unload u").rulings[-1]
    assert (ruling.status, total(ruling)) == ("LEGAL", 4)
    assert bars(judge(position, "result t immobilized", "start t").rulings[-1]) == {"D8.1"}
    assert "A4.2a" in bars(judge(position, "result t bogged", "unload u").rulings[-1])
    late = place(ROW, truck(spent=43, used=41, **moving), foot(aboard="t"))
    ruling = judge(late, "result t immobilized", "unload u").rulings[-1]
    assert "D6.5c" in bars(ruling)


@pytest.mark.clause("D6.5b")
def test_what_an_earlier_stack_cost_counts_for_the_next() -> None:
    """The quarter for the first stack is spent before the second leaves."""
    pair = (foot(aboard="t"), foot("w", "half-squad", aboard="t"))
    assert total(unloading("unload u", "unload w", units=pair), "w") == 2


@pytest.mark.clause("D6.5f")
def test_a_unit_that_has_left_goes_on_with_the_rest_of_four_mf() -> None:
    """Three MF after leaving at once, never a road bonus; laden, what portage leaves."""
    road = field(
        {name: {} for name in ("B1", "C1", "D1", "E1", "F1")},
        {pair: {"road": "Dirt Road"} for pair in ("B1-C1", "C1-D1", "D1-E1", "E1-F1")},
    )
    position = place(road, truck(), foot(aboard="t"))
    lines = ("unload u", "enter u C1", "enter u D1", "enter u E1")
    assert last(position, *lines).is_legal
    assert bars(judge(position, *lines, "enter u F1").rulings[-1]) == {"A4.11b"}
    laden = place(road, truck(), foot(aboard="t", sw=load(5)))
    assert last(laden, *lines[:2]).is_legal
    assert bars(judge(laden, *lines[:3]).rulings[-1]) == {"A4.11b"}


@pytest.mark.clause("D6.5h", "D6.5f")
def test_pinned_passengers_leave_but_stay() -> None:
    """A pinned unit can unload, but go no farther, even once it is no longer pinned."""
    ruling = unloading(units=(foot(aboard="t", pinned=True),))
    assert ruling.is_legal
    calm = ruling.after.with_units([replace(ruling.after.unit("u"), pinned=False)])
    assert bars(judge(calm, "enter u C1").rulings[0]) == {"D6.5f"}


def test_the_unloaded_move_in_the_vehicles_mph() -> None:
    """They need not move together, and until another unit moves the vehicle can go on too."""
    pair = (foot(aboard="t"), foot("w", "half-squad", aboard="t"), foot("x", at="D1"))
    lines = ("unload u,w", "enter u C1", "start t", "enter t C2", "enter w C1", "stop t")
    position = place(ROW, truck(), *pair)
    assert judge(position, *lines).status == "LEGAL"
    verdict = judge(position, "unload u,w", "enter u C1", "enter x D2", "enter w C1")
    assert [bool(bars(r)) for r in verdict.rulings] == [False, False, False, True]


@pytest.mark.clause("D6.5k")
def test_leaving_among_enemies() -> None:
    """Enemies in the Location neither forbid nor penalize it."""
    enemy = foot("e", side="russian")
    ruling = unloading(units=(foot(aboard="t"), enemy))
    assert ruling.is_legal
    assert [clause for clause, _ in ruling.exceptions] == ["D6.5k"]
    assert unloading().exceptions == ()


@pytest.mark.clause("D6.5m")
def test_a_unit_that_has_fired_does_not_leave() -> None:
    """PRC that fired in the MPh stay aboard."""
    assert bars(unloading(units=(foot(aboard="t", fired=True),))) == {"D6.5m"}


@pytest.mark.clause("D6.5r")
def test_a_stunned_vehicle_is_not_left() -> None:
    """Nor can it be boarded."""
    assert "D6.5r" in bars(unloading(by=truck(stunned=True)))


@pytest.mark.clause("D6.4h", "A4.42d", "D6.3b")
@pytest.mark.parametrize("before", [True, False])
def test_a_smc_lends_his_ipc_to_whom_he_leaves_with(before: bool) -> None:
    """Aboard or unloaded: a squad of 5 PP has 3 MF of four, 1 after an Open Ground hex."""
    pair = (foot(aboard="t", sw=load(5)), foot("h", "leader", aboard="t"))
    lines = ["unload u,h", "enter h,u C1"]
    lines.insert(0 if before else 1, "lend h u")
    ruling = unloading(*lines, units=pair)
    assert (ruling.is_legal, left(ruling, "u")) == (True, 1)
    alone = unloading("unload u,h", "enter h,u C1", units=pair)
    assert (alone.is_legal, left(alone, "u")) == (True, 0)


@pytest.mark.clause("A4.42d")
def test_ipc_lent_to_others_than_whom_one_leaves_with() -> None:
    """Not to a unit that was on foot, left another vehicle or has gone on."""
    smc, squad = foot("h", "leader", aboard="t"), foot(sw=load(5))
    assert bars(unloading("lend h u", units=(smc, squad))) == {"A4.42d"}
    assert bars(unloading("unload h", "lend h u", units=(smc, squad))) == {"A4.42d"}
    pair = (foot(aboard="t", sw=load(5)), smc)
    gone = unloading("unload u,h", "enter u,h C1", "lend h u", units=pair)
    assert bars(gone) == {"A4.42d"}


@pytest.mark.clause("D6.5n")
def test_a_sw_laid_down_outside_is_unsupported() -> None:
    """A Rider's place for it is UNSUPPORTED; a Passenger's stays inside, on foot it lies there."""
    riders = foot(aboard="t", sw=load(1), riding=True)
    tank = place(ROW, truck("t-26-m33"), riders, year=1943)
    assert cites(judge(tank, "drop u SW0").rulings[0]) == {"D6.5n"}
    assert judge(place(ROW, truck(), foot(sw=load(1))), "drop u SW0").rulings[0].is_legal
    inside = last(place(ROW, truck(), foot(aboard="t", sw=load(1))), "drop u SW0").after
    assert (inside.unit("u").sw, inside.unit("t").sw, inside.counters) == ((), load(1), ())


@pytest.mark.clause("D6.4f", "D6.4k")
@pytest.mark.parametrize(
    ("kind", "barred"),
    [("opel-blitz", set()), ("spw-251", set()), ("carrier-mtr-3in", set()), ("like", {"D6.4f"})],
)
def test_sw_left_behind_in_a_vehicle(kind: str, barred: set[str]) -> None:
    """They stay in a truck, halftrack or Carrier; from another AFV the last Passenger takes them."""
    other = like("t-26-m33", pp=5)
    units = (foot(kind="half-squad", aboard="t", sw=load(1)), foot("l", "leader", aboard="t"))
    types = (other,) if kind == "like" else ()
    position = place(ROW, truck(kind), *units, types=types, year=1943)
    assert bars(last(position, "drop u SW0", "unload u")) == set()
    both = last(position, "drop u SW0", "unload u,l")
    assert bars(both) == barred
    if not barred:
        assert both.after.unit("t").sw == load(1)
        ASL.check_position(both.after)
    assert bars(last(position, "unload u,l")) == set()


@pytest.mark.clause("D6.5b", "D6.5c")
@pytest.mark.parametrize(
    ("reading", "lost", "bill"), [("used", 21, 4), ("free", 21, 1), ("used", 7, 2)]
)
def test_mp_lost_by_being_boarded(reading: str, lost: int, bill: float) -> None:
    """By one reading they are used for units aboard all along, by the other not."""
    by = truck(spent=2 * lost, used=2 * lost, lost=2 * lost)
    ruling = unloading(by=by, readings=(("D6.5c", reading),))
    assert (ruling.is_legal, total(ruling)) == (True, bill)
    over = truck(spent=44, used=44, lost=44)
    found = bars(unloading(by=over, readings=(("D6.5c", reading),)))
    assert ("D6.5c" in found) == (reading == "used")


@pytest.mark.clause("D5.41")
def test_a_gun_is_unhooked_from_an_abandoned_vehicle() -> None:
    """At the usual cost; nothing can be hooked up to it."""
    units = (truck("spw-250", abandoned=True, towing="g"), foot("g", "gun-75-rcl", towed_by="t"))
    ruling = judge(place(ROW, *units, foot("c", "crew")), "unhook t c").rulings[0]
    assert (ruling.is_legal, ruling.after.unit("g").cargo.towed_by) == (True, None)
    free = (truck("spw-250", abandoned=True), foot("g", "gun-75-rcl", limbered=True))
    hooks = judge(place(ROW, *free, foot("c", "crew")), "hook t g c").rulings[0]
    assert "D5.41" in bars(hooks)


@pytest.mark.clause("D6.5b")
def test_options_tell_whether_one_may_leave_now() -> None:
    """Not while the truck moves, nor when broken."""

    def may(by: Any, **fields: Any) -> bool:
        position = place(ROW, by, foot(aboard="t", **fields))
        found = {e["what"]: e["allowed"] for e in ASL.entitlements(position, position.unit("u"))}
        return bool(found["leave its vehicle now for so many MF"])

    assert may(truck())
    assert not may(truck(moving=True))
    assert not may(truck(), broken=True)


@pytest.mark.clause("D6.4f")
@pytest.mark.parametrize(
    ("lines", "riding", "stays"),
    [
        (("result u eliminated",), False, False),
        (("result u eliminated",), True, False),
        (("bail-out u pinned",), True, False),
        (("result u broken",), True, False),
        (("tca t SSE",), True, False),
        (("start t", "enter t C1"), True, False),
        (("result u broken",), False, True),
        (("result u pinned",), False, True),
    ],
)
def test_sw_that_events_leave_alone_on_an_afv(
    lines: tuple[str, ...], riding: bool, stays: bool
) -> None:
    """Their outcome is UNSUPPORTED, and they do not stay there; a halftrack keeps them."""
    woods = field({"A1": {}, "A2": {}, "B1": {}, "C1": {"terrain": "Woods"}, "C2": {}})
    who = foot(kind="half-squad", aboard="t", riding=riding)

    def ruled(kind: str, *others: Any) -> Any:
        types = (like("t-26-m33", pp=6, turret=True),) if kind == "like" else ()
        units = (truck(kind, sw=load(1)), who, *others)
        return judge(place(woods, *units, types=types, year=1943), *lines).rulings[-1]

    found = ruled("like")
    assert ("D6.4f" in cites(found)) is not stays
    assert found.after.unit("t").sw == (load(1) if stays else ())
    ASL.check_position(msgspec.structs.replace(found.after, pending=()))
    assert "D6.4f" not in cites(ruled("like", foot("l", "leader", aboard="t")))
    if not riding:
        assert ruled("spw-251").after.unit("t").sw == load(1)


@pytest.mark.clause("A4.42f", "D6.5b")
@pytest.mark.parametrize(("pp", "used", "left"), [(5, 14, 0), (5, 0, 1), (3, 14, 1), (4, 14, 0)])
def test_a_load_felt_only_on_foot(pp: int, used: int, left: float) -> None:
    """At most the whole allotment counts as spent aboard: no unit has less than nothing."""
    by = truck(spent=2 * used, used=2 * used, mph="moving" if used else "unmoved")
    after = unloading(by=by, units=(foot(aboard="t", sw=load(pp)),)).after
    assert ASL.allotment(after, after.unit("u")) - after.unit("u").points.spent == 2 * left


@pytest.mark.clause("D6.4k")
def test_sw_of_a_passenger_who_is_lost_stay_in_the_vehicle() -> None:
    """In a truck or halftrack they lie there for units aboard; a Rider's are lost with it."""
    for kind in ("opel-blitz", "spw-251"):
        units = (truck(kind), foot(kind="half-squad", aboard="t", sw=load(2)))
        after = last(place(ROW, *units), "result u eliminated").after
        assert after.unit("t").sw == load(2)
        ASL.check_position(after)
    tank = (truck("t-26-m33"), foot(kind="half-squad", aboard="t", riding=True, sw=load(2)))
    assert last(place(ROW, *tank, year=1943), "result u eliminated").after.unit("t").sw == ()
    other = like("t-26-m33", pp=6)
    inside = (truck("like"), foot(kind="half-squad", aboard="t", sw=load(1)))
    alone = judge(place(ROW, *inside, types=(other,)), "result u eliminated").rulings[0]
    assert (cites(alone), alone.after.unit("t").sw) == ({"D6.4f"}, ())


@pytest.mark.clause("A4.42d")
def test_an_inherent_crew_borrows_no_ipc() -> None:
    """A SMC aboard can lend IPC to Passengers, not to the driver."""
    units = (
        truck("spw-251"), foot("c", "crew", aboard="t", inherent=True),
        foot("l", "leader", aboard="t"), foot("p", "half-squad", aboard="t"),
    )  # fmt: skip
    assert bars(last(place(ROW, *units), "lend l p")) == set()
    assert bars(last(place(ROW, *units), "lend l c")) == {"A4.42d"}


@pytest.mark.clause("A4.42f")
@pytest.mark.parametrize(("pp", "barred"), [(3, set()), (5, {"A4.11b"})])
def test_the_mf_left_after_leaving(pp: int, barred: set[str]) -> None:
    """Half of 28 MP used: leaving is 1 + 2 of 4 MF.

    A load within the IPC leaves 1 MF, one of 5 PP (2 MF less) none.
    """
    by = truck(spent=28, used=28, mph="moving")
    position = place(ROW, by, foot(aboard="t", sw=load(pp)))
    off = last(position, "unload u")
    assert (off.status, total(off)) == ("LEGAL", 3)
    on = last(position, "unload u", "enter u A1")
    assert bars(on) == barred
    assert total(on) == 1
    assert bars(unloading(by=truck(moving=True))) == {"D6.5a"}  # nobody leaves: nothing to keep


@pytest.mark.clause("D6.4f")
@pytest.mark.parametrize(("line", "barred"), [("unload u", set()), ("unload u,l", {"D6.4f"})])
def test_the_last_off_an_afv_takes_the_sw(line: str, barred: set[str]) -> None:
    """A SW dropped inside stays if a leader is aboard, otherwise not. A quarter of 12 MP is 3."""
    units = (foot(kind="half-squad", aboard="t", sw=load(1)), foot("l", "leader", aboard="t"))
    position = place(ROW, truck("like"), *units, types=(like("t-26-m33", pp=6),), year=1943)
    off = last(position, "drop u SW0", line)
    assert bars(off) == barred
    assert total(off, "t") == 3
