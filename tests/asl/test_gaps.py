"""Gaps in a Convoy and leaving it (E11.21, E11.25)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.errors import BadInputError
from marchtable.reachability.reach import reach
from marchtable.state.records import replace
from tests.asl.boards import ASL, bars, built_type, cites, field, foot, last, place, vehicle
from tests.asl.convoys_by_hand import by_road
from tests.asl.test_convoys import convoy
from tests.asl.test_plan_convoy_gaps import attacked


def convoys(position: Any) -> dict[str, str]:
    """Return the Convoy of each unit that is in one."""
    return {unit.id: unit.line.convoy for unit in position.units if unit.line.convoy}


def after(position: Any, *log: str) -> Any:
    """Return the position after a legal log."""
    ruling = last(position, *log)
    assert ruling.is_legal, ruling.violations
    return ruling.after


FOLLOW = "impulse t1 enter:A3,enter:A4,enter:A5,enter:A6,enter:A7"


@pytest.mark.clause("E11.21a")
def test_elimination_parts_the_convoy() -> None:
    """A vehicle lost makes two Convoys of one; lost at the rear it only shortens it."""
    position = convoy(4, 5, 6, 7, 8)
    assert convoys(after(position, "result t3 eliminated")) == {
        "t1": "c", "t2": "c", "t4": "c.2", "t5": "c.2",
    }  # fmt: skip
    assert convoys(after(position, "result t5 immobilized")) == dict.fromkeys(
        ("t1", "t2", "t3", "t4"), "c"
    )


@pytest.mark.clause("E11.255b")
def test_lone_vehicle_is_free() -> None:
    """A part of one vehicle is no Convoy."""
    position = after(convoy(4, 5, 6, 7), "result t2 eliminated")
    assert convoys(position) == {"t3": "c.2", "t4": "c.2"}
    assert last(position, "enter t1 A3").is_legal


@pytest.mark.clause("E11.255b")
def test_a_unit_that_leaves_the_map_as_a_gap_appears_is_of_no_part() -> None:
    """The vehicle ahead of a Gap is alone if those ahead of it exit in that Impulse.

    An exiting part has no name.
    """
    position = by_road(3, 3)
    parted = after(attacked(position, "t3"), "impulse t1 exit,enter:A1,stop")
    assert convoys(parted) == {}
    assert last(parted, "exit t2").is_legal
    parted = after(attacked(position, "t2"), "impulse t1 exit,stop,stay")
    assert convoys(parted) == dict.fromkeys(("t2", "t3"), "c")


@pytest.mark.clause("E11.21b")
def test_front_part_ends_first() -> None:
    """After an Impulse the lead part finishes its MPh before the rear one goes on."""
    position = after(convoy(4, 5, 6, 7, 8), FOLLOW, "result t3 eliminated")
    rear = "impulse t4 turn:E"
    judged = last(position, rear)
    assert bars(judged) == {"E11.21b"}
    assert all("Convoy of t1," in bar.note for bar in judged.violations)
    ended = after(position, "impulse t1 stop,stop", "end t1")
    assert last(ended, rear).is_legal


@pytest.mark.clause("E11.21e")
@pytest.mark.parametrize(("reading", "legal"), [("no-order", True), ("front-first", False)])
def test_gap_before_any_impulse(*, reading: str, legal: bool) -> None:
    """A Gap before the first Impulse sets no order, except under one reading."""
    position = convoy(4, 5, 6, 7, 8, readings=(("E11.21e", reading),))
    position = after(position, "result t3 eliminated")
    assert last(position, "impulse t4 turn:E").is_legal is legal


@pytest.mark.clause("E11.21c")
def test_nobody_else_between() -> None:
    """No other unit of the side moves until every part of the separated Convoy is done."""
    start = convoy(4, 5, 6, 7, 8, others=(foot("sq", at="B8"),))
    position = after(start, FOLLOW, "result t3 eliminated", "impulse t1 stop,stop", "end t1")
    waits = last(position, "enter sq B7")
    assert "E11.21c" in bars(waits)
    assert "a Convoy has begun its MPh: t4, t5 must end theirs first" in str(waits)
    done = after(position, "impulse t4 stop,stop", "end t4")
    assert last(done, "enter sq B7").is_legal


@pytest.mark.clause("E11.251a")
def test_a_known_enemy_in_sight_is_a_reason() -> None:
    """To leave, a vehicle must see a Known enemy; none in sight, or a concealed one, is no reason."""
    enemy = foot("e", at="B1", side="russian")
    hidden = foot("h", at="B2", side="russian", concealed=True)
    position = convoy(4, 5, 6, others=(enemy, hidden))
    assert cites(last(position, "leave t1")) == {"E11.251a"}
    assert bars(last(position, "sight t1 of=h", "leave t1")) == {"E11.251a"}
    assert last(position, "sight t1 of=e", "leave t1").is_legal


@pytest.mark.clause("E11.251b")
def test_a_fellow_attacked_is_a_reason() -> None:
    """An attack on a vehicle of its Convoy, itself included, as the last Impulse ended is a reason."""
    position = convoy(4, 5, 6)
    assert last(position, "result t1 attacked", "leave t1").is_legal
    assert cites(last(position, "result t2 attacked", "leave t1")) == {"E11.251a"}
    assert last(position, "result t2 attacked", "sight t1 of=t2", "leave t1").is_legal
    lapsed = ("result t1 attacked", "impulse t1 enter:A3,enter:A4,enter:A5", "leave t1")
    assert bars(last(position, *lapsed)) == {"E11.251a"}


@pytest.mark.clause("E11.251c")
def test_word_by_radio_is_a_reason() -> None:
    """For an AFV with a radio, another such AFV can see in its stead, unless stunned."""
    enemy = foot("e", at="B1", side="russian")
    tanks = [
        vehicle(f"t{n}", "ft-12", at=f"A{3 + n}", facing="NNE", convoy="c", rank=n) for n in (1, 2)
    ]
    base = convoy(4, 5, others=(enemy,))
    types = convoy_types(tanks)
    position = msgspec.structs.replace(
        base,
        units=(*tanks, enemy),
        conditions=msgspec.structs.replace(base.conditions, types=types),
    )
    assert cites(last(position, "leave t1")) == {"E11.251a"}
    assert last(position, "sight t2 of=e", "leave t1").is_legal
    assert cites(last(position, "sight t2 of=e", "result t2 stunned", "leave t1")) >= {"E11.251a"}


def convoy_types(tanks: Any) -> Any:
    """Return the types of made-up vehicles."""
    return tuple({built_type(t.type) for t in tanks})


@pytest.mark.clause("E11.251d", "E11.253")
def test_recall() -> None:
    """A Recalled vehicle leaves, and must do so before the next Impulse."""
    position = after(convoy(4, 5, 6), "result t1 recalled")
    assert bars(last(position, "impulse t1 enter:A3,enter:A4,enter:A5")) >= {"E11.253"}
    assert last(position, "leave t1").is_legal
    assert last(position, "leave t1", "end t1", "impulse t2 turn:E").is_legal


@pytest.mark.clause("E11.251e")
def test_a_fellow_lost_is_a_reason() -> None:
    """A vehicle of its Convoy in its sight, eliminated or immobilized this MPh, is a reason."""
    start = convoy(4, 5, 6, 7)
    position = after(start, "result t4 immobilized")
    position = position.with_units([replace(position.unit("t4"), attacked=False)])
    assert cites(last(position, "leave t1")) == {"E11.251a"}
    assert last(position, "sight t1 of=t4", "leave t1").is_legal


@pytest.mark.clause("E11.25a")
def test_only_a_convoy_is_left() -> None:
    """A unit in no Convoy cannot leave one."""
    position = convoy(4, 5, others=(vehicle("x", at="B1", recalled=True),))
    assert bars(last(position, "leave x")) == {"E11.25a"}


@pytest.mark.clause("E11.252c")
def test_radioless_stays_in_its_platoon() -> None:
    """Once its MPh has begun a radioless AFV cannot leave its platoon."""
    kind = msgspec.structs.replace(convoy_types([vehicle("t", "ft-12")])[0], radio=False)
    for spent, legal in ((0, True), (4, False)):
        tanks = tuple(
            vehicle(f"t{n}", "ft-12", at=f"A{3 + n}", facing="NNE", convoy="c", rank=n,
                    platoon="p", attacked=True, spent=spent, used=spent,
                    mph="moving" if spent else "unmoved")
            for n in (1, 2)
        )  # fmt: skip
        base = convoy(4, 5)
        conditions = msgspec.structs.replace(base.conditions, types=(kind,))
        position = msgspec.structs.replace(base, units=tanks, conditions=conditions)
        assert ("E11.252c" not in bars(last(position, "leave t1 alone=true"))) is legal
        assert last(position, "leave t1").is_legal  # with its platoon-mate (E11.252a)


def tanks(*platoons: str, radio: bool) -> Any:
    """Return a Convoy of tanks in these platoons, the second of which was attacked."""
    kind = msgspec.structs.replace(convoy_types([vehicle("t", "ft-40")])[0], radio=radio)
    line = [
        vehicle(f"t{n}", "ft-40", at=f"A{3 + n}", facing="NNE", convoy="c", rank=n, platoon=name,
                attacked=n == 2, mph="moving", spent=2, used=2)
        for n, name in enumerate(platoons, 1)
    ]  # fmt: skip
    base = convoy(4, 5)
    conditions = msgspec.structs.replace(base.conditions, types=(kind,))
    return msgspec.structs.replace(base, units=tuple(line), conditions=conditions)


@pytest.mark.clause("E11.252c")
@pytest.mark.parametrize(
    ("platoons", "legal"), [(("", "p", "p"), True), (("p", "p", "q"), False), (("", "p"), True)]
)
def test_a_gap_before_a_platoon(*, platoons: tuple[str, ...], legal: bool) -> None:
    """A Gap cannot separate a radioless platoon whose MPh has begun; before its first one it can."""
    ruling = last(tanks(*platoons, radio=False), "impulse t1 enter:A3,stop")
    assert bars(ruling) == (set() if legal else {"E11.252c"})


@pytest.mark.clause("D14.22a", "D14.22b")
def test_a_unit_that_leaves_a_convoy_alone_is_in_no_platoon() -> None:
    """An AFV with a radio that leaves its Convoy leaves its platoon; the last one of it is in none."""
    position = after(tanks("p", "p", "", radio=True), "leave t2")
    assert [unit.line.platoon for unit in position.units] == ["", "", ""]
    assert last(position, "turn t2 E").is_legal


@pytest.mark.clause("E11.251a", "E11.21a")
def test_a_gap_made_on_purpose() -> None:
    """With a reason a vehicle can stop behind: it then leads a new rear Convoy."""
    move = "impulse t1 enter:A3,enter:A4,stop"
    position = convoy(4, 5, 6, 7)
    assert bars(last(position, move)) == {"E11.251a"}
    parted = after(position, "result t3 attacked", move)
    assert convoys(parted) == {"t1": "c", "t2": "c", "t3": "c.2", "t4": "c.2"}
    assert bars(last(parted, "impulse t3 stay,stop")) == {"E11.21b"}


@pytest.mark.clause("E11.2d")
def test_no_start_after_the_stop() -> None:
    """Once the Convoy has stopped none of its vehicles can start again."""
    position = after(convoy(4, 5), "impulse t1 stop,stop")
    assert bars(last(position, "impulse t1 start,start")) == {"E11.2d"}


@pytest.mark.clause("E11.2d")
@pytest.mark.parametrize(("reading", "legal"), [("leavers-too", False), ("members", True)])
def test_no_start_after_the_stop_for_one_that_leaves(*, reading: str, legal: bool) -> None:
    """A vehicle that leaves a stopped Convoy cannot start in that MPh, unless only members are bound."""
    position = convoy(4, 5, 6, readings=(("E11.2d", reading),))
    log = ("impulse t1 stop,stop,stop", "result t2 attacked", "leave t2")
    ruling = last(position, *log, "start t2")
    assert bars(ruling) == (set() if legal else {"E11.2d"})
    assert ("E11.2d", reading) in ruling.readings
    under_way = ("impulse t1 enter:A3,enter:A4,enter:A5", "result t2 attacked", "leave t2")
    assert last(position, *under_way, "stop t2", "start t2").is_legal
    reached = reach(after(position, *log), ["t2"])[0].best()
    assert ("A4" in reached) is legal


@pytest.mark.clause("E11.251b")
@pytest.mark.parametrize(("phase", "legal"), [("MPh", True), ("DFPh", False)])
def test_attacks_as_an_impulse_ends(*, phase: str, legal: bool) -> None:
    """An attack as the last Impulse ended counts in the next MPh too; a later attack does not."""
    blow = "result t2 attacked"
    position = after(
        convoy(4, 5, 6), "impulse t1 stop,stop,stop", *([blow] if phase == "MPh" else []), "end t1",
        "phase DFPh", *([blow] if phase == "DFPh" else []), "phase RPh side=russian",
        "phase RPh side=german", "phase MPh",
    )  # fmt: skip
    assert bars(last(position, "leave t2")) == (set() if legal else {"E11.251a"})


@pytest.mark.clause("E11.2d", "E11.254b")
def test_a_stop_made_to_leave_is_not_the_convoys() -> None:
    """A Stop made to leave is spent for the part behind, not for the Convoy that goes on."""
    position = after(convoy(4, 5, 6), "result t2 attacked")
    parted = after(position, "impulse t1 enter:A3,stop,stay")
    assert {u.id: u.line.halted for u in parted.units} == {"t1": False, "t2": True, "t3": True}


@pytest.mark.clause("E11.24a")
def test_motion_is_for_all_or_none() -> None:
    """A Convoy ends with all its vehicles stopped or all in Motion."""
    position = convoy(4, 5)
    assert "E11.24a" in bars(last(position, "impulse t1 stop", "end t1"))
    assert last(position, "impulse t1 stop,stop", "end t1").is_legal


@pytest.mark.clause("E11.24a")
@pytest.mark.parametrize(
    ("log", "broken"),
    [("end t1", {"D2.4"}), ("impulse t1 stop|end t1", {"E11.24a"}),
     ("impulse t1 stop,stop,stop|end t1", set()), ("impulse t1 enter:A7,enter:A8|end t1", set())],
)  # fmt: skip
@pytest.mark.parametrize("moving", [True, False])
def test_half_on_the_map_all_end_alike(log: str, broken: set[str], *, moving: bool) -> None:
    """Vehicles still off the map stop with the others, or end in Motion, whatever the scene states."""
    board = field({f"A{n}": {} for n in range(1, 9)})
    line = [
        vehicle(
            f"t{n}", "tr-11", at=None, entering=("A8",), facing="NNE", convoy="c", rank=n,
            moving=moving,
        )
        for n in (1, 2, 3)
    ]  # fmt: skip
    on = after(place(board, *line), "impulse t1 enter:A8")
    assert bars(last(on, *log.split("|"))) == broken


@pytest.mark.clause("E11.24a")
def test_motion_as_a_scene_tells_it() -> None:
    """A scene's Convoy that has not moved is in Motion with all its vehicles or with none."""
    ASL.check_position(convoy(4, 5))
    mixed = [replace(u, moving=u.id == "t1") for u in convoy(4, 5).units]
    with pytest.raises(BadInputError, match=r"E11\.24a"):
        ASL.check_position(convoy(4, 5).with_units(mixed))
    board = field({f"A{n}": {} for n in range(1, 9)})
    for there in (True, False):  # vehicles yet to enter do the same as those on the map
        found: dict[str, Any] = {"kind": "tr-11", "facing": "NNE", "convoy": "c"}
        position = place(
            board, vehicle("t1", at="A8", rank=1, moving=there, **found),
            vehicle("t2", at=None, entering=("A8",), rank=2, moving=not there, **found),
        )  # fmt: skip
        ASL.check_position(position)
        assert "E11.24a" not in bars(last(position, "phase DFPh"))
    begun = [replace(unit, mph="moving") for unit in mixed]
    ASL.check_position(convoy(4, 5).with_units(begun))


@pytest.mark.clause("D2.4b")
@pytest.mark.parametrize("line", ["end t1", "phase AFPh"])
def test_a_convoy_in_motion_does_something(line: str) -> None:
    """A Convoy in Motion cannot end its MPh with nothing spent."""
    assert bars(last(convoy(4, 5), line)) == {"D2.4", "D2.4b"}


@pytest.mark.clause("E11.21a", "E11.21b", "E11.21c")
def test_the_seeds_example_of_two_gaps() -> None:
    """3 trucks lead 5 halftracks; after both Gaps the part ahead finishes before the one behind."""
    line = [
        vehicle(f"v{n}", "tr-40" if n <= 3 else "ht-40", at=f"A{n + 2}", facing="NNE", convoy="c",
                rank=n)
        for n in range(1, 9)
    ]  # fmt: skip
    row: Any = {f"A{n}": {} for n in range(1, 12)} | {"B8": {}, "B9": {}}
    board = field(row, {f"A{n}-A{n + 1}": {"road": "Dirt Road"} for n in range(1, 11)})
    start = place(board, *line, foot("sq", at="B8"))

    position = after(start, "impulse v1 " + ",".join(f"enter:A{n}" for n in range(2, 10)))
    assert {unit.points.spent for unit in position.units if unit.line.convoy} == {
        4
    }  # 2 MP, in half points
    position = after(position, "result v3 eliminated")
    assert bars(last(position, "impulse v4 turn:E")) == {"E11.21b"}
    position = after(position, "impulse v1 stop,stop", "end v1")
    assert "E11.21c" in bars(last(position, "enter sq B9"))
    position = after(position, "impulse v4 turn:E,stay,stay,stay,stay", "result v6 eliminated")
    assert convoys(position) == {
        "v1": "c", "v2": "c", "v4": "c.2", "v5": "c.2", "v7": "c.3", "v8": "c.3",
    }  # fmt: skip
    assert bars(last(position, "impulse v7 turn:E")) == {"E11.21b"}
    position = after(position, "impulse v4 stop,stop", "end v4", "impulse v7 stop,stop", "end v7")
    assert last(position, "enter sq B9").is_legal
