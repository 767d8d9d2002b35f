"""Convoys that combine, units joining a Column, platoons that leave, fire at the rest (E11.2, E11.5)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.files.notation import format_action
from marchtable.rules.generator import legal_actions
from marchtable.state.records import replace
from tests.asl.boards import bars, cites, foot, last, total, vehicle
from tests.asl.test_columns import column
from tests.asl.test_convoys import convoy
from tests.asl.test_gaps import after, convoy_types, convoys


def two_convoys(gap: int = 1) -> Any:
    """Return Convoys c (t1, t2) and d (x1, x2) behind it on one road."""
    others = tuple(
        vehicle(f"x{n}", at=f"A{3 + gap + n}", facing="NNE", convoy="d", rank=n) for n in (1, 2)
    )
    return convoy(3, 4, others=others)


@pytest.mark.clause("E11.26")
def test_convoys_combine() -> None:
    """One's lead falls in behind the other's rear; all have then spent the most of any."""
    position = two_convoys()
    moved = after(position, "impulse x1 turn:E")
    assert bars(last(moved, "join x2 c")) == {"E11.26"}
    ruling = last(position, "join x1 c")
    assert ruling.is_legal
    assert convoys(ruling.after) == dict.fromkeys(("t1", "t2", "x1", "x2"), "c")
    spent = position.with_units([replace(position.unit(n), spent=8, used=8) for n in ("t1", "t2")])
    ruling = last(spent, "join x1 c")
    assert [total(ruling, n) for n in ("t1", "x1", "x2")] == [0, 4, 4]
    assert [u.points.spent for u in ruling.after.units] == [8, 8, 8, 8]
    assert [u.line.rank for u in ruling.after.units] == [1, 2, 3, 4]
    assert bars(last(two_convoys(2), "join x1 c")) == {"E11.26"}


@pytest.mark.clause("E11.26")
@pytest.mark.parametrize(("spent", "legal"), [(80, True), (82, False)])
def test_nobody_combines_beyond_his_means(spent: int, *, legal: bool) -> None:
    """A vehicle without the MP the other Convoy has spent cannot combine with it."""
    position = two_convoys()
    units = [
        msgspec.structs.replace(u, type="long") if u.line.convoy == "c" else u
        for u in position.units
    ]
    truck = next(k for k in position.conditions.types if k.name == position.unit("t1").type)
    types = (*position.conditions.types, msgspec.structs.replace(truck, name="long", mp=60))
    far = [replace(u, spent=spent, used=spent) if u.type == "long" else u for u in units]
    position = msgspec.structs.replace(
        position,
        units=tuple(far),
        conditions=msgspec.structs.replace(position.conditions, types=types),
    )
    assert last(position, "join x1 c").is_legal is legal


@pytest.mark.clause("E11.26")
def test_joining_is_offered() -> None:
    """The options list it only for the lead."""
    position = two_convoys()
    listed = {format_action(c.action) for c in legal_actions(position)}
    assert {line for line in listed if line.startswith("join")} == {"join x1 c"}


@pytest.mark.clause("E11.523a", "E11.523c")
def test_who_joins_a_column() -> None:
    """A Good Order unit behind the Column, or in a hex of it, joins; the Column's MPh is over."""
    mate = foot("x", at="A6")
    position = column(4, 5, others=(mate,))
    ruling = last(position, "join x k")
    assert ruling.is_legal
    joined = ruling.after.unit("x")
    assert (joined.line.column, joined.line.rank, joined.move.hazardous, joined.move.mph) == (
        "k",
        6,
        "column",
        "done",
    )
    assert {u.move.mph for u in ruling.after.units} == {"done"}
    inside = column(4, 5, others=(foot("x", at="A5"),))
    assert last(inside, "join x k").after.unit("x").line.rank == 5
    assert bars(last(column(4, 5, others=(foot("x", at="A7"),)), "join x k")) == {"E11.523a"}
    pinned = column(4, 5, others=(foot("x", at="A6", pinned=True),))
    assert "E11.523a" in bars(last(pinned, "join x k"))
    for state in ("stunned", "abandoned", ""):
        fields: dict[str, Any] = {state: True} if state else {}
        cart = vehicle("x", "wagon", at="A6", moving=False, **fields)
        said = bars(last(column(4, 5, others=(cart,)), "join x k"))
        assert ("E11.523a" in said) is bool(state)
    begun = after(position, "impulse u1 enter:A3,enter:A4")
    near = begun.with_units([msgspec.structs.replace(begun.unit("x"), at="A5")])
    assert bars(last(near, "join x k")) == {"E11.523a"}


@pytest.mark.clause("E11.523b")
def test_a_line_is_joined_by_name() -> None:
    """The ATTACKER names a line of the ATTACKER's own."""
    position = column(4, 5, others=(foot("x", at="A6"),))
    assert bars(last(position, "join x z")) == {"E11.523b"}
    assert last(position, "join x k").is_legal


def tanks(*, radio: bool) -> Any:
    """Return a Convoy of two AFV of one platoon and two trucks, the first AFV attacked."""
    kind = msgspec.structs.replace(convoy_types([vehicle("t", "ft-12")])[0], radio=radio)
    base = convoy(3, 4, 5, 6)
    afv = [replace(base.unit(f"t{n}"), type="ft-12", platoon="p", attacked=n == 1) for n in (1, 2)]
    types = (*base.conditions.types, kind)
    found = msgspec.structs.replace(base.conditions, types=types)
    return msgspec.structs.replace(base.with_units(afv), conditions=found)


@pytest.mark.clause("E11.252a")
@pytest.mark.parametrize(("radio", "stays"), [(False, {"t3", "t4"}), (True, {"t2", "t3", "t4"})])
def test_a_platoon_leaves_as_one(*, radio: bool, stays: set[str]) -> None:
    """AFV without radios leave with their platoon, and move on by its Impulses."""
    position = after(tanks(radio=radio), "leave t1")
    assert set(convoys(position)) == stays
    if not radio:
        assert bars(last(position, "enter t1 A2")) >= {"D14.31"}
        assert last(position, "impulse t1 enter:A2,enter:A3").is_legal


@pytest.mark.clause("E11.252b")
@pytest.mark.parametrize(("outcome", "legal"), [("passes", True), ("fails", False)])
def test_breaking_off(*, outcome: str, legal: bool) -> None:
    """A radioless AFV that breaks off alone takes a NTC, and moves if it passes."""
    position = tanks(radio=False)
    assert last(position, "leave t1").obligations == ()
    strange = position.with_units([replace(u, nationality="american") for u in position.units])
    assert "E11.252b" in cites(last(strange, "leave t1 alone=true"))
    sure = strange.with_units([replace(strange.unit("t1"), check="passed")])
    assert last(sure, "leave t1 alone=true", "enter t1 A2").is_legal
    types = tuple(msgspec.structs.replace(k, morale=8) for k in position.conditions.types)
    found = msgspec.structs.replace(position.conditions, types=types)
    position = msgspec.structs.replace(position, conditions=found)
    ruling = last(position, "leave t1 alone=true")
    assert [(o.outcome, o.chance, o.of) for o in ruling.obligations[0].outcomes] == [
        ("passes", 26, 36), ("fails", 10, 36),
    ]  # fmt: skip
    settled = last(ruling.after, f"settle ntc:t1 {outcome}").after
    assert set(convoys(settled)) == {"t2", "t3", "t4"}
    assert last(settled, "enter t1 A2").is_legal is legal
    assert settled.unit("t1").motion.check == ("passed" if legal else "failed")


@pytest.mark.clause("E11.252b")
def test_no_check_for_a_vehicle_without_a_platoon() -> None:
    """A radioless AFV in no platoon leaves its Convoy without a NTC."""
    position = tanks(radio=False)
    single = position.with_units([
        replace(position.unit(name), platoon="") for name in ("t1", "t2")
    ])  # fmt: skip
    assert last(single, "leave t1", "enter t1 A2").is_legal
    due = msgspec.structs.replace(single, readings=(("E11.252b", "D14.23"),))
    assert bars(last(due, "leave t1", "enter t1 A2")) == {"D14.23a"}


@pytest.mark.clause("E11.255c")
def test_no_fire_at_the_convoy_that_was_left() -> None:
    """While a vehicle that left spends MP only it is fired at; mines are different."""
    position = after(convoy(4, 5, 6), "result t1 attacked", "leave t1", "enter t1 A3")
    assert bars(last(position, "result t2 attacked")) == {"E11.255c"}
    assert last(position, "result t2 attacked by=mines").is_legal
    assert last(position, "result t1 attacked").is_legal
    assert last(after(position, "stop t1", "end t1"), "result t2 attacked").is_legal


@pytest.mark.clause("E11.2d")
def test_joining_undoes_no_stop() -> None:
    """A unit that combines with a Convoy that stopped this MPh cannot start either."""
    position = after(two_convoys(), "impulse t1 stop,stop", "join x1 c")
    ruling = last(position, "impulse t1 stay,stay,start,start")
    assert bars(ruling) >= {"E11.2d"}
    assert last(two_convoys(), "join x1 c", "impulse t1 stop,stop,stop,stop").is_legal


@pytest.mark.clause("E11.26")
def test_joining_a_convoy_on_the_move() -> None:
    """It moves on with the units that join it; another vehicle's MPh is then over."""
    assert last(two_convoys(), "impulse t1 turn:E", "join x1 c").is_legal
    lone = vehicle("o", at="B8", facing="NNE", moving=False)
    position = two_convoys().with_units([])
    position = msgspec.structs.replace(position, units=(*position.units, lone))
    begun = after(position, "start o", "stop o")
    assert last(begun, "join x1 c").after.unit("o").move.mph == "done"
    assert bars(last(position, "start o", "join x1 c")) == {"D2.4"}


@pytest.mark.clause("E11.523a")
def test_two_join_one_column() -> None:
    """A unit that has moved and joined does not make the Column one that has moved."""
    others = (foot("x", at="A6"), foot("z", at="B6"))
    position = column(4, 5, others=others)
    assert last(position, "enter z A6", "join z k", "join x k").is_legal
