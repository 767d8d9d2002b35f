"""Convoys: prohibitions, capacity, and their effect on other units (E11.1 to E11.4, E11.8)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.state.position import Counter
from marchtable.state.records import replace
from marchtable_models.asl.rules.capacity import hold
from marchtable_models.asl.unittype import SupportWeapon, UnitType
from tests.asl.boards import ASL, bars, cites, field, foot, last, paid, place, total, vehicle
from tests.asl.test_convoys import convoy, impulse
from tests.asl.test_gaps import after, convoys


@pytest.mark.clause("E11.1b")
def test_no_convoy_by_chance() -> None:
    """Vehicles in a line are a Convoy only if so stated; a lone one is not asked."""
    two = place(field({"A1": {}, "A2": {}, "A3": {}}), vehicle("a", at="A1"), vehicle("b", at="A2"))
    assert "E11.1b" in bars(last(two, "impulse a -"))
    assert last(two, "turn a NNE").is_legal
    apart = two.with_units([msgspec.structs.replace(two.unit("b"), at="A3")])
    assert bars(last(apart, "impulse a -")) == {"E11.2a"}


@pytest.mark.clause("E11.2e")
def test_no_overrun() -> None:
    """A Convoy vehicle cannot make an OVR; the same entry without it is no such matter."""
    enemy = foot("e", at="A3", side="russian")
    position = convoy(4, 5, others=(enemy,))
    assert "E11.2e" in bars(impulse(position, "overrun:A3,enter:A4"))
    assert "E11.2e" not in bars(impulse(position, "enter:A3,enter:A4"))


@pytest.mark.clause("E11.2i")
def test_minefield_left_within_an_impulse() -> None:
    """A unit leaving a minefield is attacked within the Impulse, which is UNSUPPORTED."""
    position = convoy(4, 5)
    mined = msgspec.structs.replace(position, counters=(Counter(kind="minefield", at="A4"),))
    assert "E11.2i" in cites(impulse(mined, "enter:A3,enter:A4"))
    assert "E11.2i" not in cites(impulse(position, "enter:A3,enter:A4"))


GUN = UnitType(name="gun-75", class_="gun", mm=75, m_number=10)


def towing(*, in_convoy: bool = True) -> Any:
    """Return two trucks, in Convoy or not, of which the first tows a Gun."""
    position = convoy(4, 5)
    kinds = (
        *(msgspec.structs.replace(k, t_number=8, pp=20) for k in position.conditions.types),
        GUN,
    )
    gun = foot("g", "gun-75", at="A4", towed_by="t1", limbered=True)
    units = [replace(position.unit("t1"), towing="g"), gun]
    found = msgspec.structs.replace(position.conditions, types=kinds)
    units = [*units, position.unit("t2")]
    if not in_convoy:
        units = [replace(u, convoy="") for u in units]
    return msgspec.structs.replace(position, units=tuple(units), conditions=found)


@pytest.mark.clause("E11.2k")
def test_a_gun_in_tow_costs_nothing_more() -> None:
    """In a Convoy the Gun's MP and the Convoy's are one; outside it the Gun costs its MP."""
    ruling = impulse(towing(), "enter:A3,enter:A4")
    assert total(ruling, "t1") == total(ruling, "t2") == 2
    assert paid(ruling, "E11.2k", "t1") == -1
    assert total(last(towing(in_convoy=False), "enter t1 A3"), "t1") == 1.5


@pytest.mark.clause("E11.22a")
def test_no_reverse() -> None:
    """A Convoy vehicle can neither start nor go on in Reverse."""
    still = convoy(4, 5)
    still = still.with_units([replace(u, moving=False) for u in still.units])
    assert bars(impulse(still, "reverse,start")) == {"E11.22a"}
    assert impulse(still, "start,start").is_legal
    backwards = convoy(4, 5)
    backwards = backwards.with_units(
        [replace(u, reverse=True, facing="SSW") for u in backwards.units]
    )
    assert "E11.22a" in bars(impulse(backwards, "enter:A3,enter:A4"))


@pytest.mark.clause("E11.2m", "E11.21a")
def test_excessive_speed_in_a_convoy() -> None:
    """It spends no MP, so it is no Impulse; a vehicle whose engine fails separates the Convoy."""
    position = convoy(4, 5, 6)
    position = position.with_units(
        [msgspec.structs.replace(unit, type="spw-251") for unit in position.units]
    )
    faster = last(
        position, "esb t2 mp=1", "settle esb:t2 mobile", "impulse t1 enter:A3,enter:A4,enter:A5"
    )
    assert (
        faster.status,
        faster.after.unit("t2").points.esb,
        faster.after.unit("t2").line.convoy,
    ) == (
        "LEGAL",
        2,
        "c",
    )
    failed = last(position, "esb t2 mp=1", "settle esb:t2 immobilized").after
    assert [unit.line.convoy for unit in failed.units] == ["", "", ""]
    assert bars(last(position, "stop t2")) == {"E11.2m"}


@pytest.mark.clause("E11.24b")
def test_no_motion_attempt() -> None:
    """A DEFENDER's Convoy cannot make a Motion attempt; a vehicle in no Convoy can."""
    for name, legal in (("c", False), ("", True)):
        tank = vehicle("x", at="B1", side="russian", moving=False, convoy=name)
        mate = vehicle("y", at="B2", side="russian", moving=False, convoy=name, rank=1)
        position = place(field({"B1": {}, "B2": {}}), tank, mate)
        assert (bars(last(position, "motion x")) == set()) is legal


@pytest.mark.clause("E11.8")
def test_start_and_stop_cost_no_more() -> None:
    """In a Convoy unlisted costs are the usual ones: Start and Stop 1 MP."""
    position = convoy(4, 5)
    assert total(impulse(position, "stop,stop"), "t1") == 1


@pytest.mark.clause("E11.3a", "E11.3b")
def test_capacity_in_a_convoy() -> None:
    """A Convoy truck takes only the crew of the Gun it was set up with."""
    position = towing()

    def full(name: str, *aboard: Any) -> bool:
        scene = msgspec.structs.replace(position, units=(*position.units, *aboard))
        return bool(ASL.edition(scene).judge(hold(scene, scene.unit(name))).bars)

    squad = foot("sq", at="A5", aboard="t2")
    crew = foot("cr", "crew", at="A4", aboard="t1")
    assert full("t2", squad)
    assert not full("t1", crew)
    manning = foot("hs", "half-squad", at="A4", aboard="t1")
    assert not full("t1", manning)
    assert full("t1", manning, crew)
    assert full("t1", crew, foot("sq", at="A4", aboard="t1"))
    armed = msgspec.structs.replace(crew, sw=(SupportWeapon(name="mg", pp=1),))
    assert full("t1", armed)
    assert full("t2", foot("cr", "crew", at="A5", aboard="t2"))


@pytest.mark.clause("E11.3a")
def test_capacity_after_a_convoy() -> None:
    """A vehicle that has been in a Convoy still takes no Passengers; with its Gun, only the crew."""
    left = after(towing(), "result t1 attacked", "result t2 attacked", "leave t1")
    assert left.unit("t1").line.convoyed == "gun"
    assert left.unit("t2").line.convoyed == "empty"
    seen = hold(left, left.unit("t2"))
    assert ASL.edition(left).judge(seen).total == -2 * seen.pp


def hindrance(position: Any, name: str = "t1") -> list[str]:
    """Return the clauses that make a unit a LOS Hindrance."""
    found = ASL.entitlements(position, position.unit(name))
    return next((e["clauses"] for e in found if e["what"] == "LOS Hindrance"), [])


@pytest.mark.clause("E11.4")
@pytest.mark.parametrize(("reading", "stated"), [("entered", ["E11.4"]), ("non-stopped", [])])
def test_hindrance(*, reading: str, stated: list[str]) -> None:
    """A Convoy vehicle is a Hindrance while it moves and, by one reading, after it has entered a hex."""
    position = convoy(4, 5, readings=(("E11.4", reading),))
    assert hindrance(position) == ["E11.4"]
    stopped = after(position, "impulse t1 stop,stop")
    assert hindrance(stopped) == []
    entered = after(position, "impulse t1 enter:A3,enter:A4", "impulse t1 stop,stop")
    assert hindrance(entered) == stated
    assert hindrance(place(field({"B1": {}}), vehicle("t1"))) == []


# -- leaving ---------------------------------------------------------------------------------------


@pytest.mark.clause("E11.25b")
def test_leavers_end_their_mph_first() -> None:
    """The Convoy's Impulse, and the next vehicle that leaves, wait for the MPh of the one that left."""
    position = after(convoy(3, 4, 5, 6), "result t1 attacked", "result t2 attacked", "leave t1")
    assert "E11.25b" in bars(last(position, "leave t2"))
    assert bars(last(position, "impulse t2 turn:E")) == {"E11.25b"}
    done = after(position, "stop t1", "end t1")
    assert last(done, "impulse t2 turn:E").is_legal
    assert last(done, "leave t2").is_legal


@pytest.mark.clause("E11.25c")
def test_a_leaver_moves_as_any_other() -> None:
    """A vehicle that has left spends MP by itself, at normal cost."""
    position = after(convoy(4, 5, 6), "result t1 attacked", "leave t1")
    ruling = last(position, "enter t1 A3")
    assert ruling.is_legal
    assert total(ruling, "t1") == 0.5


@pytest.mark.clause("E11.254a", "E11.254b", "E11.254c")
@pytest.mark.parametrize("stays", ["enter:B6", "stop"])
def test_leaving_by_a_gap(stays: str) -> None:
    """With a reason a vehicle leaves by a move or a Stop, and the Convoy ahead goes first."""
    position = after(convoy(4, 5, 6, 7), "result t3 attacked")
    turned = position.with_units([msgspec.structs.replace(position.unit("t3"), facing="E")])
    parted = after(turned, f"impulse t1 enter:A3,enter:A4,{stays}")
    assert convoys(parted) == {"t1": "c", "t2": "c", "t3": "c.2", "t4": "c.2"}
    assert "E11.21b" in bars(last(parted, "impulse t3 turn:E"))


@pytest.mark.clause("E11.255a")
def test_what_is_spent_to_leave() -> None:
    """An expensive move to leave is charged to that vehicle and those behind, not to those ahead."""
    position = after(convoy(4, 5, 6, 7), "result t3 attacked")
    turned = position.with_units([msgspec.structs.replace(position.unit("t3"), facing="E")])
    ruling = last(turned, "impulse t1 enter:A3,enter:A4,enter:B6")
    assert ruling.is_legal
    assert [total(ruling, f"t{n}") for n in (1, 2, 3, 4)] == [2, 2, 5, 5]


@pytest.mark.clause("E11.5e")
def test_a_column_seen_is_a_reason() -> None:
    """An enemy Column unit without '?' is a Known enemy."""
    enemies = [
        foot(f"e{n}", at=f"B{n}", side="russian", column="k", rank=n, concealed=n == 1)
        for n in (1, 2)
    ]
    position = convoy(4, 5, 6, others=tuple(enemies))
    assert last(position, "sight t1 of=e2", "leave t1").is_legal
    assert bars(last(position, "sight t1 of=e1", "leave t1")) == {"E11.251a"}


@pytest.mark.clause("E11.3a")
def test_passengers_are_refused_by_their_clause() -> None:
    """The Convoy keeps Passengers out, not what is printed on the vehicle."""
    position = towing()
    squad = foot("sq", at="A5", aboard="t2")
    scene = msgspec.structs.replace(position, units=(*position.units, squad))
    found = ASL.edition(scene).judge(hold(scene, scene.unit("t2"))).bars
    assert [bar.clause for bar in found] == ["E11.3a"]


@pytest.mark.clause("E11.3b")
def test_a_guns_crew_is_carried_in_a_convoy() -> None:
    """By road 0.5 MP, 1 as a Convoy (the Gun's own is part of it), 0.5 for the least rate: 2 MP."""
    position = towing()
    crew = foot("cr", "crew", at="A4", aboard="t1")
    ruling = impulse(
        msgspec.structs.replace(position, units=(*position.units, crew)), "enter:A3,enter:A4"
    )
    assert (ruling.status, total(ruling, "t1")) == ("LEGAL", 2)
    alone = impulse(position, "enter:A3,enter:A4")
    assert (alone.status, total(alone, "t1")) == ("LEGAL", 2)
