"""Convoys at set-up, and the order of the parts that Gaps have made."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.errors import BadInputError, UnknownNameError
from marchtable.state.records import replace
from marchtable_models.asl.rulebook import RULEBOOK
from marchtable_models.asl.rules.impulse_moves import Impulse
from marchtable_models.asl.unittype import UnitType
from tests.asl.boards import (
    bars,
    cites,
    field,
    foot,
    last,
    moved_jointly,
    paid,
    place,
    total,
    vehicle,
)
from tests.asl.test_columns import column
from tests.asl.test_convoys import convoy
from tests.asl.test_gaps import FOLLOW, after, convoy_types, convoys

FOLLOW_4 = "impulse t1 enter:A3,enter:A4,enter:A5,enter:A6"
ENEMY = foot("e", at="B1", side="russian")


def changed(position: Any, name: str, **fields: Any) -> Any:
    """Return the position with a unit changed."""
    return position.with_units([replace(position.unit(name), **fields)])


def refused(position: Any, match: str) -> None:
    """Assert that a scene is refused for this reason."""
    with pytest.raises(BadInputError, match=match):
        RULEBOOK.check_position(position)


@pytest.mark.clause("E11.1a")
def test_what_a_convoy_is_made_of() -> None:
    """A Convoy has motorized vehicles, each with its own place in line, none stuck or in a Column."""
    RULEBOOK.check_position(convoy(4, 5))
    refused(changed(convoy(4, 5), "t2", type="wagon"), "motorized")
    refused(changed(convoy(4, 5), "t2", rank=1), "same place")
    refused(changed(convoy(4, 5, 6), "t2", bogged=True, moving=False), "bogged or immobile")
    refused(changed(convoy(4, 5, 6), "t2", immobile=True, moving=False), "bogged or immobile")
    refused(changed(convoy(4, 5), "t2", column="k"), "not in both")


@pytest.mark.clause("E11.5a")
def test_a_column_takes_up_two_hexes() -> None:
    """One hex is no Column, however many units are in it; units still off the map count."""
    RULEBOOK.check_position(column(4, 5))
    refused(column(4), "two hexes")
    refused(column(4, 4), "two hexes")
    waiting = changed(column(4, 5), "u2", at=None, entering=("A4",))
    RULEBOOK.check_position(waiting)


@pytest.mark.clause("E11.251b")
@pytest.mark.parametrize(
    ("what", "legal"), [("attacked", False), ("stunned", False), ("immobilized", True)]
)
def test_mines_that_did_little_are_no_reason(*, what: str, legal: bool) -> None:
    """Of mines, only those that eliminate or immobilize count as an attack."""
    position = after(convoy(4, 5, 6), f"result t3 {what} by=mines", "sight t1 of=t3")
    calm = changed(position, "t3", fallen=False)  # that is E11.251e
    assert last(calm, "leave t1").is_legal is legal


@pytest.mark.clause("E11.251b")
def test_sight_of_nobody() -> None:
    """A unit that is not there is not seen."""
    with pytest.raises(UnknownNameError, match="nobody"):
        last(convoy(4, 5), "sight t1 of=nobody")


@pytest.mark.clause("E11.251a")
def test_a_wreck_is_no_enemy() -> None:
    """An enemy vehicle in sight is a reason to leave; its wreck is not."""
    base = convoy(4, 5, others=(vehicle("e", at="B1", side="russian"),))
    assert last(base, "sight t1 of=e", "leave t1").is_legal
    wreck = changed(base, "e", type="wreck", facing=None, moving=False)
    assert bars(last(wreck, "sight t1 of=e", "leave t1")) == {"E11.251a"}


@pytest.mark.clause("E11.251a")
def test_what_those_aboard_see() -> None:
    """An enemy seen by a Rider is a reason too; one seen by a unit beside the vehicle is not."""
    enemy = vehicle("e", at="B1", side="russian")
    aboard, beside = (
        foot("r", at="A4", aboard="t1", riding=True, sees=("e",)), foot("r", at="A4", sees=("e",)),
    )  # fmt: skip
    assert last(convoy(4, 5, others=(enemy, aboard)), "leave t1").is_legal
    assert cites(last(convoy(4, 5, others=(enemy, beside)), "leave t1")) == {"E11.251a"}
    assert cites(last(convoy(4, 5, others=(enemy, aboard)), "leave t2")) == {"E11.251a"}


@pytest.mark.clause("E11.251c")
@pytest.mark.parametrize("state", ["stunned", "shocked", "abandoned"])
def test_no_word_from_a_crew_that_is_not_there(state: str) -> None:
    """The second AFV with a radio must be neither stunned nor shocked, and must have its crew."""
    kind = convoy_types([vehicle("t", "ft-12")])[0]
    base = convoy(4, 5, 6, others=(ENEMY,))
    found = msgspec.structs.replace(base.conditions, types=(*base.conditions.types, kind))
    base = msgspec.structs.replace(base, conditions=found)
    for name in ("t1", "t2"):
        base = changed(base, name, type="ft-12")
    assert last(base, "sight t2 of=e", "leave t1").is_legal
    assert cites(last(changed(base, "t2", **{state: True}), "sight t2 of=e", "leave t1"))


@pytest.mark.clause("E11.21b", "E11.255b")
def test_a_lone_vehicle_keeps_its_place() -> None:
    """One vehicle ahead of a Gap ends its MPh before the rest goes on; one behind waits."""
    ahead = after(convoy(4, 5, 6, 7, 8), FOLLOW, "result t2 eliminated", "enter t1 A2")
    rear = "impulse t3 turn:E"
    assert bars(last(ahead, rear)) == {"E11.21b"}
    ended = after(ahead, "stop t1", "end t1", rear)
    assert bars(last(ended, "enter t1 A1"))
    behind = after(convoy(4, 5, 6, 7, 8), FOLLOW, "result t4 eliminated")
    assert bars(last(behind, "turn t5 E")) == {"E11.21b"}
    assert last(behind, "impulse t1 stop,stop,stop", "end t1", "turn t5 E").is_legal


@pytest.mark.clause("E11.21b", "E11.255b")
def test_parts_of_parts() -> None:
    """A part that separates in turn keeps its place before the parts behind it."""
    first = after(convoy(4, 5, 6, 7, 8), FOLLOW, "result t3 eliminated", "result t2 eliminated")
    assert convoys(first) == {"t4": "c.2", "t5": "c.2"}
    assert bars(last(first, "impulse t4 turn:E")) == {"E11.21b"}
    assert last(first, "stop t1", "end t1", "impulse t4 turn:E").is_legal


@pytest.mark.clause("E11.21b")
def test_what_is_left_of_a_part_keeps_its_place() -> None:
    """A part of two that loses either vehicle still waits for the part ahead."""
    for lost, left in (("t3", "t4"), ("t4", "t3")):
        log = (FOLLOW_4, "result t2 eliminated", f"result {lost} eliminated")
        position = after(convoy(4, 5, 6, 7), *log)
        assert bars(last(position, f"turn {left} E")) == {"E11.21b"}
        assert last(position, "stop t1", "end t1", f"turn {left} E").is_legal


@pytest.mark.clause("E11.25b")
def test_nobody_moves_before_a_unit_that_has_left() -> None:
    """A vehicle that leaves moves at once: no other unit moves before it is done."""
    squad, rider = foot("s", at="B8"), foot("r", at="A4", aboard="t1")
    position = after(convoy(4, 5, others=(squad, rider)), "result t1 attacked", "leave t1")
    for line in ("enter s B7", "turn t2 E"):
        assert bars(last(position, line)) == {"E11.25b"}
        assert "moves at once: t1 must end" in str(last(position, line))
    assert last(position, "stop t1", "end t1", "turn t2 E").is_legal
    assert "E11.25b" not in bars(last(position, "unload r"))


@pytest.mark.clause("E11.21e")
def test_parts_without_order_do_not_take_turns() -> None:
    """Without an order, a part's MPh is over once the other begins its own (A4.2)."""
    position = after(convoy(4, 5, 6, 7, 8), "result t3 eliminated")
    moved = after(position, "impulse t1 stop,stop", "impulse t4 turn:E")
    assert bars(last(moved, "impulse t1 start,start"))


@pytest.mark.clause("E11.21a")
def test_a_vehicle_destroyed_leaves_a_gap() -> None:
    """However it is stated, a lost vehicle is no longer in its Convoy."""
    position = after(convoy(4, 5, 6, 7, 8), FOLLOW, "destroy t3 fire")
    assert convoys(position) == {"t1": "c", "t2": "c", "t4": "c.2", "t5": "c.2"}
    assert last(position, "impulse t1 enter:A2,enter:A3").is_legal


@pytest.mark.clause("E11.2f", "E11.23c")
def test_into_a_hex_that_a_fellow_leaves() -> None:
    """Members act from the front; one that enters first pays for the vehicle there, unless it left first."""
    position = convoy(4, 5, paved=False)
    for name in ("t1", "t2"):
        position = changed(position, name, facing="SSW")
    ruling = last(position, "impulse t1 enter:A5,enter:A6")
    assert (ruling.is_legal, total(ruling, "t1"), paid(ruling, "E11.2g", "t2")) == (True, 9, 4)
    ruling = last(position, "impulse t1 enter:A5,enter:A6 first=t2")
    assert (ruling.is_legal, total(ruling, "t1"), paid(ruling, "E11.2g", "t2")) == (True, 5, 0)
    assert {u.id: u.at for u in ruling.after.units} == {"t1": "A5", "t2": "A6"}
    assert "enter:A6" in (moved_jointly(position, Impulse("t1", ("enter:A5",))).closing() or ())


@pytest.mark.parametrize("first", ["x", "t1,t1"])
def test_the_first_to_act_is_of_the_line(first: str) -> None:
    """Only members of the line, each once, can be named to act first."""
    with pytest.raises(BadInputError, match="different units of the line"):
        last(convoy(4, 5), f"impulse t1 enter:A3,enter:A4 first={first}")


@pytest.mark.clause("E11.5g")
def test_none_in_a_column_is_before_the_one_ahead() -> None:
    """A Column unit enters the hex just left, so it cannot act before the unit ahead."""
    follow = "impulse u1 enter:A3,enter:A4,enter:A5 first="
    assert last(column(4, 5, 6), f"{follow}u1").is_legal
    assert bars(last(column(4, 5, 6), f"{follow}u2")) == {"E11.5g"}


@pytest.mark.clause("E11.1a")
@pytest.mark.parametrize(("reading", "legal"), [("set-up", True), ("always", False)])
def test_one_per_hex(*, reading: str, legal: bool) -> None:
    """By register no vehicle ends an Impulse in the hex of another of its Convoy; passing through is fine."""
    position = msgspec.structs.replace(
        changed(convoy(4, 5), "t1", facing="SSW"), readings=(("E11.1a", reading),)
    )
    assert bars(last(position, "impulse t1 enter:A5,stay")) == (set() if legal else {"E11.1a"})
    assert bars(last(position, "impulse t1 stay,enter:A4")) == (set() if legal else {"E11.1a"})
    about = changed(position, "t2", facing="SSW")
    assert last(about, "impulse t1 enter:A5,enter:A6").is_legal
    other = vehicle("x", at="A3", convoy="d", rank=1)
    north = convoy(4, 5, others=(other,), readings=(("E11.1a", reading),))
    assert last(north, "impulse t1 enter:A3,enter:A4").is_legal


@pytest.mark.clause("E11.1a")
def test_who_comes_on_first() -> None:
    """Off the map too the vehicles are in line: each enters after the one ahead has gone on."""
    position = convoy(4, 5, 6)
    for name in ("t1", "t2", "t3"):
        position = changed(position, name, at=None, entering=("A8",))
    assert bars(last(position, "impulse t1 stay,enter:A8")) == {"E11.1a"}
    assert bars(last(position, "impulse t1 enter:A8,enter:A8")) == {"E11.1a"}
    first = "impulse t1 enter:A8"
    assert last(position, first, "impulse t1 enter:A7,enter:A8").is_legal
    assert bars(last(position, first, "impulse t1 enter:A7,enter:A8,enter:A8")) == {"E11.1a"}
    assert last(position, first, "impulse t1 stay,enter:A8").is_legal


@pytest.mark.clause("E11.5g")
def test_a_stack_of_a_column_does_not_part() -> None:
    """All units in one hex of a Column, at its head too, go on together or stay."""
    position = changed(column(4, 5, 6), "u2", at="A4", rank=4)
    assert last(position, "impulse u1 enter:A3,enter:A3,enter:A4").is_legal is False  # a Gap
    position = changed(changed(column(4, 5, 6), "u2", at="A4", rank=4), "u3", at="A5", rank=5)
    assert last(position, "impulse u1 enter:A3,enter:A3,enter:A4").is_legal
    assert "E11.5g" in bars(last(position, "impulse u1 enter:A3,enter:B4,enter:A4"))
    assert "E11.5g" in bars(last(position, "impulse u1 enter:A3,stay,enter:A4"))


@pytest.mark.clause("A2.6e")
def test_other_lines_that_leave_the_map() -> None:
    """How a Column or platoon leaves the map by Impulses is UNSUPPORTED."""
    tanks = [
        vehicle(f"t{n}", "ft-40", at=f"A{n}", facing="NNE", platoon="p", rank=n) for n in (1, 2)
    ]
    platoon = place(convoy(1, 2).board, *tanks)
    for position, name in ((platoon, "t1"), (column(1, 2), "u1")):
        for line in (f"exit {name}", f"impulse {name} exit"):
            ruling = last(position, line)
            assert "A2.6e" in cites(ruling)
            assert bars(ruling) <= {"E11.5b"}


@pytest.mark.clause("A2.6f", "E11.2m")
def test_a_convoy_leaves_the_map() -> None:
    """Vehicle by vehicle from the edge, those behind closing up; none alone or out of turn."""
    position = convoy(1, 2, 3)
    leaves = "impulse t1 exit,enter:A1,enter:A2"
    ruling = last(position, leaves)
    assert (ruling.is_legal, total(ruling, "t1")) == (True, 5)  # a road's end, but no road hexrow
    assert [(u.at, u.offboard.exited, u.move.mph) for u in ruling.after.units] == [
        (None, True, "done"), ("A1", False, "moving"), ("A2", False, "moving"),
    ]  # fmt: skip
    assert convoys(ruling.after) == {"t2": "c", "t3": "c"}
    assert bars(last(position, "impulse t1 exit")) == {"E11.251a"}
    assert bars(last(position, "exit t1")) == {"E11.2m"}
    inland = field({f"{c}{n}": {} for c in "ABC" for n in range(1, 6)})
    pair = [vehicle(f"t{n}", at=f"B{n + 1}", facing="NNE", convoy="c", rank=n) for n in (1, 2)]
    assert "A2.6a" in bars(last(place(inland, *pair), "impulse t1 exit,enter:B2"))
    beside = changed(changed(changed(position, "t1", at="B1"), "t2", at="A1"), "t3", at="A2")
    assert bars(last(beside, "impulse t1 stay,exit,enter:A1")) == {"A2.6f"}
    assert bars(last(beside, "impulse t1 exit,exit,enter:A1")) == set()
    assert bars(last(position, leaves, "impulse t2 exit")) == {"E11.251a"}


@pytest.mark.clause("A2.6f", "E11.255b")
def test_the_rest_of_a_convoy_that_leaves_the_map() -> None:
    """The rest exits in later turns; the last one, being alone, is no Convoy."""
    position = after(convoy(1, 2, 3), "impulse t1 exit,enter:A1,enter:A2", "impulse t2 stop,stop",
                     "end t2", "phase DFPh side=russian", "phase MPh side=german")  # fmt: skip
    assert convoys(position) == {"t2": "c", "t3": "c"}
    assert bars(last(position, "impulse t1 start"))  # it has gone
    on = after(position, "impulse t2 start,start", "impulse t2 exit,enter:A1")
    assert convoys(on) == {}
    assert last(on, "exit t3").is_legal
    towing = changed(changed(convoy(1, 2), "t1", towing="g"), "t2", rank=2)
    gun = foot("g", "gun-75", at="A1", towed_by="t1", limbered=True)
    found = (UnitType(name="gun-75", class_="gun", mm=75, m_number=10),)
    with_gun = place(towing.board, *towing.units, gun, types=found)
    gone = after(with_gun, "impulse t1 exit,enter:A1").unit("g")
    assert (gone.at, gone.offboard.exited, gone.move.mph) == (None, True, "done")


@pytest.mark.clause("E11.53c")
@pytest.mark.parametrize("then", ["end u1", "phase AFPh", "enter x B7", "phase APh"])
def test_a_column_that_has_declared_it_disbands(then: str) -> None:
    """It disbands at the latest when its MPh ends, another unit moves, or the phase is over."""
    position = column(4, 5, others=(foot("x", at="B8"),))
    done = after(position, "disband u1", then)
    assert [(u.line.column, u.line.disbanding) for u in done.units[:2]] == [("", False)] * 2
    if then == "phase APh":
        assert last(done, "advance u1 A3").is_legal


@pytest.mark.clause("E11.254d")
@pytest.mark.parametrize(("reading", "legal"), [("move-or-stop", False), ("any", True)])
@pytest.mark.parametrize("idles", ["stay", "turn:E"])
def test_waiting_makes_no_gap(*, idles: str, reading: str, legal: bool) -> None:
    """To leave within an Impulse a vehicle enters a hex or stops; by one reading waiting suffices."""
    position = convoy(4, 5, 6, 7, readings=(("E11.254d", reading),))
    position = after(position, "result t3 attacked")
    ruling = last(position, f"impulse t1 enter:A3,enter:A4,{idles}")
    assert bars(ruling) == (set() if legal else {"E11.254d"})
    found = moved_jointly(position, Impulse("t1", ("enter:A3", "enter:A4"))).closing()
    assert (idles in (found or ())) is legal


@pytest.mark.clause("E11.254d")
@pytest.mark.parametrize(("reading", "legal"), [("move-or-stop", False), ("any", True)])
def test_starting_makes_no_gap(*, reading: str, legal: bool) -> None:
    """A Start MP alone does not leave either: it is neither a move nor a Stop."""
    position = convoy(4, 5, 6, 7, readings=(("E11.254d", reading),))
    position = after(position, "result t3 attacked")
    position = changed(position, "t3", moving=False)
    ruling = last(position, "impulse t1 enter:A3,enter:A4,start")
    assert bars(ruling) == (set() if legal else {"E11.254d"})
    found = moved_jointly(position, Impulse("t1", ("enter:A3", "enter:A4"))).closing()
    assert ("start" in (found or ())) is legal


@pytest.mark.clause("E11.21b", "E11.25b")
def test_several_leave_before_one_impulse() -> None:
    """They leave in any order, each ending its MPh; not once the Convoy ahead has moved on."""
    position = after(
        convoy(3, 4, 5, 6, 7, 8), "impulse t1 enter:A2,enter:A3,enter:A4,enter:A5,enter:A6,enter:A7"
    )
    for name in ("t3", "t5"):
        position = changed(position, name, attacked=True)
    first = after(position, "leave t3", "stop t3", "end t3")
    assert last(first, "leave t5", "turn t5 E", "stop t5", "end t5").is_legal
    assert bars(last(first, "leave t5", "impulse t1 enter:A1,enter:A2")) == {"E11.25b"}
    moved = after(first, "impulse t1 enter:A1,enter:A2")
    assert bars(last(moved, "leave t5")) == {"E11.21b"}
    assert last(position, "leave t5", "stop t5", "end t5", "leave t3").is_legal
