"""AFV platoons (D14.2 to D14.24), and AFVs without a radio that move alone."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.answers.routes import reach_answers
from marchtable.errors import BadInputError
from marchtable.files.notation import format_action
from marchtable.reachability.reach import reach
from marchtable.rules.generator import legal_actions
from marchtable.state.records import replace
from marchtable_models.asl.model import AslUnit, UnitType
from tests.asl.boards import ASL, bars, cites, field, foot, judge, last, place, total, vehicle
from tests.asl.test_convoys import road
from tests.asl.test_lines import refusal

PLAIN = road(paved=False)


def tank(name: str, at: str | None, **fields: Any) -> AslUnit:
    """Return a tank of platoon ``p``, facing north."""
    found = {"facing": "NNE", "platoon": "p", **fields}
    return vehicle(name, found.pop("kind", "ft-12"), at=at, **found)


def platoon(*rows: int, **scene: Any) -> Any:
    """Return tanks t1, t2 ... of one platoon in these rows of column A."""
    shared = scene.pop("shared", {})
    tanks = [tank(f"t{n}", f"A{row}", **shared) for n, row in enumerate(rows, 1)]
    return place(PLAIN, *tanks, *scene.pop("others", ()), **scene)


def mute(morale: int = 8) -> UnitType:
    """Return a tank without a radio."""
    return msgspec.convert(
        {
            "name": "mute", "class": "vehicle", "column": "ft", "mp": 12, "afv": True,
            "radio": False, "morale": morale,
        },
        UnitType,
    )  # fmt: skip


def radioless(*rows: int, morale: int = 8, **fields: Any) -> Any:
    """Return tanks without a radio, t1, t2 ..., in no platoon unless stated, in column A."""
    found = {"kind": "mute", "platoon": "", **fields}
    tanks = [tank(f"t{n}", f"A{row}", **found) for n, row in enumerate(rows, 1)]
    return place(PLAIN, *tanks, types=(mute(morale),))


def after(position: Any, *lines: str) -> Any:
    """Return the position after these lines."""
    verdict = judge(position, *lines)
    assert verdict.status == "LEGAL", verdict.violations
    return verdict.rulings[-1].after


def platoons(position: Any) -> dict[str, str]:
    """Return each unit's platoon."""
    return {unit.id: unit.line.platoon for unit in position.units}


def test_reach_of_a_unit_that_does_not_move_alone() -> None:
    """A unit that moves by Impulses, or must roll first, has no exact reach; the answer says what to ask."""
    truck = {"kind": "tr-20", "platoon": "", "convoy": "c"}
    convoy = [tank(f"t{n}", f"A{n + 3}", rank=n, **truck) for n in (1, 2)]
    waits = {
        "D14.31": platoon(4, 5), "D14.23a": radioless(4), "E11.2m": place(PLAIN, *convoy),
        "D8.3a": place(PLAIN, tank("t1", "A4", platoon="", bogged=True)),
    }  # fmt: skip
    for clause, position in waits.items():
        (answer,) = reach_answers(position, ["t1"], to="A3")
        found = (answer["status"], answer["exact"], answer["unsupported"])
        assert found == ("UNSUPPORTED", False, [clause])
        assert answer["instead"] == ["options", "plan"]
    (free,) = reach_answers(place(PLAIN, tank("t1", "A4", platoon="")), ["t1"])
    assert (free["exact"], free["instead"]) == (True, [])
    (over,) = reach_answers(platoon(4, 5, shared={"mph": "done"}), ["t1"])
    assert (over["exact"], over["instead"]) == (True, [])


@pytest.mark.clause("D14.2a")
@pytest.mark.parametrize(("rows", "legal"), [((4,), False), ((4, 5), True), ((4, 5, 6), True)])
def test_a_platoons_size(*, rows: tuple[int, ...], legal: bool) -> None:
    """A platoon is two or three AFVs."""
    assert ("D14.2a" in refusal(platoon(*rows))) is not legal


@pytest.mark.clause("D14.2a")
def test_no_fourth_and_no_truck() -> None:
    """A platoon with a fourth AFV, or a truck, is refused."""
    assert "D14.2a" in refusal(platoon(3, 4, 5, 6))
    assert "D14.2a" in refusal(platoon(4, others=(tank("t2", "A5", kind="tr-20"),)))


@pytest.mark.clause("D14.21a")
def test_adjacent_as_an_impulse_ends() -> None:
    """Each AFV is with or adjacent to a mate as an Impulse ends, whatever came between."""
    assert last(platoon(4, 5), "impulse t1 enter:A3,enter:A4").is_legal
    assert last(platoon(4, 5), "impulse t1 stay,enter:A4").is_legal
    assert last(platoon(4, 6, 5), "impulse t1 stay,turn:E,stay").is_legal
    apart = last(platoon(4, 5), "impulse t1 enter:A3")
    assert bars(apart) == {"D14.21a"}
    assert {v.units for v in apart.violations} == {("t1", "t2"), ("t2", "t1")}
    assert bars(last(platoon(4, 5, 6), "impulse t1 stay,stay,turn:E")) == set()
    assert "D14.21a" in refusal(platoon(4, 6, phase="PFPh"))
    assert "D14.21a" in refusal(platoon(3, 5, 7))
    assert refusal(platoon(4, 6)) == ""  # a mate between them may have been lost (D14.22)


@pytest.mark.clause("D14.21a")
def test_part_of_a_platoon_waits_off_the_map() -> None:
    """A platoon may be partly off the map (D14.212)."""
    waits = tank("t2", None, entering=("A8",))
    assert refusal(platoon(4, others=(waits,))) == ""


@pytest.mark.clause("D14.21b")
@pytest.mark.parametrize(("reading", "sees", "legal"), [
    ("seen", (), True), ("stated", (), False), ("stated", ("t1", "t2"), True),
])  # fmt: skip
def test_mates_in_sight(*, reading: str, sees: tuple[str, ...], legal: bool) -> None:
    """Adjacent mates see each other, unless lines of sight are read as stated."""
    position = platoon(4, 5, shared={"sees": sees}, readings=(("D14.21b", reading),))
    ruling = last(position, "impulse t1 turn:E")
    assert bars(ruling) == (set() if legal else {"D14.21b"})


@pytest.mark.clause("D14.21c")
def test_one_status_for_all() -> None:
    """All AFV of a platoon start, and stop, in the same Impulse."""
    halted = platoon(4, 5, shared={"moving": False})
    assert last(halted, "impulse t1 start,start").is_legal
    assert bars(last(halted, "impulse t1 start")) == {"D14.21c"}
    assert bars(last(platoon(4, 5), "impulse t1 stop")) == {"D14.21c"}
    assert last(platoon(4, 5), "impulse t1 stop,stop").is_legal
    backwards = tank("t2", "A5", reverse=True)
    assert "D14.21c" in refusal(platoon(4, others=(backwards,)))


@pytest.mark.clause("D14.21c", "D2.1c")
def test_a_mate_that_has_prep_fired() -> None:
    """It stays, and the others go round it; it cannot move, nor can they leave its side."""
    still = platoon(4, 5, 6, shared={"moving": False})
    position = still.with_units([replace(still.unit("t2"), prep_fired=True)])
    assert last(position, "impulse t1 start,stay,start", "impulse t1 turn:E,stay,turn:E").is_legal
    assert "D2.1c" in bars(last(position, "impulse t1 start,start,start"))
    away = bars(last(position, "impulse t1 start,stay,start", "impulse t1 enter:A3,stay,enter:A5"))
    assert away == {"D14.21a"}


@pytest.mark.clause("D14.21c", "D2.1c")
@pytest.mark.parametrize("state", ["prep_fired", "ti"])
def test_mates_of_one_that_may_not_move(state: str) -> None:
    """Its mates go round one that has fired or is TI, unless all must be alike; it spends nothing."""
    fixed = tank("t2", "A5", moving=False, **{state: True})
    rest = {"others": (fixed,), "shared": {"moving": False}}
    assert last(platoon(4, **rest), "impulse t1 start,stay", "impulse t1 turn:E,stay").is_legal
    assert bars(last(platoon(4, **rest), "impulse t1 start,start")) == {"D2.1c"}
    strict = platoon(4, **rest, readings=(("D14.21c", "all"),))
    assert bars(last(strict, "impulse t1 start,stay")) == {"D14.21c"}
    convoy = [
        replace(u, platoon="", convoy="c", rank=n)
        for n, u in enumerate((tank("t1", "A4", moving=False), fixed))
    ]
    assert "D2.1c" in bars(last(place(PLAIN, *convoy), "impulse t1 start,stay"))


@pytest.mark.clause("D14.22a")
@pytest.mark.parametrize(
    "state", ["bogged", "immobile", "abandoned", "stunned", "shocked", "recalled"]
)
def test_a_scene_with_one_that_is_not_mobile(state: str) -> None:
    """One that is not Mobile, or is Recalled, is in no platoon; without it the others move on."""
    lame = {"moving": False, state: True}
    assert "t3: an AFV that is not Mobile" in refusal(
        platoon(4, 5, others=(tank("t3", "A6", **lame),))
    )
    assert "D14.22a" in refusal(platoon(4, 5, others=(tank("t3", "A6", **lame),)))
    free = platoon(4, 5, others=(tank("t3", "A6", platoon="", **lame),))
    assert refusal(free) == ""
    assert last(free, "impulse t1 enter:A3,enter:A4").is_legal
    assert bars(last(platoon(4, 5, shared=lame), "form t1 t2")) >= {"D14.2b"}
    lone = platoon(4, 5, shared={"platoon": "", **lame})
    assert "D14.2b" in bars(last(lone, "form t1 t2"))


@pytest.mark.clause("D14.22a", "D14.2b")
def test_mobile_again() -> None:
    """One that is Mobile again is in the platoon only after forming one, as their MPh begins."""
    lost = after(platoon(4, 5, 6, shared={"moving": False}), "result t3 stunned")
    again = lost.with_units([replace(lost.unit("t3"), stunned=False, dazed=True)])
    assert last(again, "impulse t1 start,start").is_legal
    assert last(again, "form t3 t1", "impulse t1 start,start,start").is_legal
    assert "D14.2b" in bars(last(again, "impulse t1 start,start", "form t3 t1"))


@pytest.mark.clause("D14.22d", "D14.23a")
def test_recalled_without_a_radio() -> None:
    """A Recalled AFV needs no task check: it is treated as one with a radio."""
    assert bars(last(radioless(4), "stop t1")) == {"D14.23a"}
    stopped = last(radioless(4, recalled=True), "stop t1")
    assert (stopped.status, total(stopped, "t1")) == ("LEGAL", 1)


def offboard(*entries: str, **fields: Any) -> Any:
    """Return tanks without a radio off the map, t1, t2 ..., by their entry hexes."""
    given = {"kind": "mute", "platoon": "", **fields}
    tanks = [tank(f"t{n}", None, entering=(at,), **given) for n, at in enumerate(entries, 1)]
    return place(PLAIN, *tanks, types=(mute(),))


@pytest.mark.clause("D14.212")
def test_radioless_afvs_come_on_in_a_platoon() -> None:
    """Two that wait side by side first form a platoon; one that waits alone enters alone."""
    for beside in ("A8", "B8"):
        pair = offboard("A8", beside)
        assert bars(last(pair, "enter t1 A8")) == {"D14.212"}
        assert last(pair, "form t1 t2", "impulse t1 enter:A8,stay").is_legal
        (given,) = reach_answers(pair, ["t1"], to="A8")
        assert given["unsupported"] == ["D14.212"]
    assert last(offboard("A8"), "enter t1 A8").is_legal
    (given,) = reach_answers(offboard("A8"), ["t1"], to="A8")
    assert (given["exact"], given["unsupported"]) == (True, [])


@pytest.mark.clause("D14.212", "D14.21a")
def test_units_that_no_other_can_come_on_with() -> None:
    """No mate: one far off, Recalled, due later, or unable to move, or a full platoon."""
    assert last(offboard("A8", "A1"), "enter t1 A8").is_legal
    assert bars(last(offboard("A8", "A1"), "form t1 t2")) == {"D14.21a"}
    pair = offboard("A8", "A8")
    for other in ({"recalled": True}, {"entry_turn": 2}, {"ti": True}, {"stunned": True}):
        given: Any = other
        assert last(pair.with_units([replace(pair.unit("t2"), **given)]), "enter t1 A8").is_legal
    crowd = offboard("A8", "A8", "A8", "A8")
    full = crowd.with_units([replace(crowd.unit(f"t{n}"), platoon="p") for n in (2, 3, 4)])
    assert last(full, "enter t1 A8").is_legal
    left_over = full.with_units([replace(full.unit("t4"), platoon="")])
    assert bars(last(left_over, "enter t1 A8")) == {"D14.212"}


@pytest.mark.clause("D14.212", "D14.2b", "D14.21a")
def test_one_that_can_form_no_platoon_comes_on_alone() -> None:
    """If `form` is illegal, `enter` is not: a mate's MPh is over, or one of its platoon is far away."""
    trio = offboard("A8", "A8", "A8")
    paired = trio.with_units([replace(trio.unit(f"t{n}"), platoon="p") for n in (2, 3)])
    assert bars(last(paired, "enter t1 A8")) == {"D14.212"}
    spent: Any = {"mph": "done"}
    passed: Any = {"check": "passed", "at": "A8"}
    for n, given, clause in ((3, spent, "D14.2b"), (2, spent, "D14.2b"), (3, passed, "D14.2b")):
        other = paired.with_units([replace(paired.unit(f"t{n}"), **given)])
        assert bars(last(other, "form t1 t2")) == {clause}
        assert last(other, "enter t1 A8").is_legal
        (found,) = reach_answers(other, ["t1"], to="A8")
        assert (found["exact"], found["unsupported"]) == (True, [])
    far = paired.with_units([replace(paired.unit("t3"), at="A1")])
    assert bars(last(far, "form t1 t2")) == {"D14.21a"}
    assert last(far, "enter t1 A8").is_legal
    gone: Any = {"exited": True}
    left = offboard("A8", "A8")
    left = left.with_units([replace(left.unit("t2"), **gone)])
    assert bars(last(left, "form t1 t2")) == {"D14.2b"}
    assert last(left, "enter t1 A8").is_legal


@pytest.mark.clause("D14.21a")
def test_one_of_a_platoon_is_off_the_map() -> None:
    """One that waits off the map is adjacent to its entry hex, and to none farther on."""
    waits = tank("t2", None, entering=("A8",))
    assert last(platoon(8, others=(waits,)), "impulse t1 turn:E,stay").is_legal
    away = last(platoon(7, others=(waits,)), "impulse t1 enter:A6,stay")
    assert bars(away) == {"D14.21a"}
    assert last(platoon(8, others=(waits,)), "impulse t1 enter:A7,enter:A8").is_legal


@pytest.mark.clause("A2.6f", "A2.6e")
def test_a_convoys_order_is_not_a_platoons() -> None:
    """That the one ahead exits first binds a Convoy; how a platoon exits is UNSUPPORTED."""
    tanks = tank("t1", "A2"), tank("t2", "A1")
    ruling = last(place(PLAIN, *tanks), "impulse t1 stay,exit")
    assert (ruling.status, bars(ruling), cites(ruling)) == ("UNSUPPORTED", set(), {"A2.6e"})
    convoy = [replace(u, platoon="", convoy="c", rank=n) for n, u in enumerate(tanks)]
    assert "A2.6f" in bars(last(place(PLAIN, *convoy), "impulse t1 stay,exit"))


@pytest.mark.clause("D14.31b")
def test_the_poorest_of_a_platoon() -> None:
    """No AFV can spend what a mate cannot: the clause is that of Impulses, not a Convoy's."""
    poor = tank("t2", "A5", spent=22, used=22, mph="moving")
    position = platoon(4, others=(poor,), shared={"mph": "moving"})
    assert last(position, "impulse t1 turn:E,turn:E").is_legal
    spent = position.with_units([replace(poor, spent=24, used=24)])
    assert bars(last(spent, "impulse t1 turn:E,stay")) == {"D14.31b"}


@pytest.mark.clause("D14.21d")
@pytest.mark.parametrize("line", ["minimum t1 A3", "esb t1 mp=1"])
def test_no_haste(line: str) -> None:
    """A platoon cannot use Minimum Move or Excessive Speed; it moves by Impulses alone."""
    broken = bars(last(platoon(4, 5), line))
    assert "D14.21d" in broken
    assert ("D14.31" in broken) is line.startswith("minimum")
    assert "D14.21d" not in bars(last(platoon(4, 5), "enter t1 A3"))
    assert "D14.21d" not in bars(last(place(PLAIN, tank("t1", "A4", platoon="")), line))


@pytest.mark.clause("D14.21e")
def test_one_bog_check_for_several() -> None:
    """Two of a platoon in woods at once are UNSUPPORTED; one of them makes its own check."""
    woods = {"terrain": "Woods"}
    hexes = {"A1": woods, "A2": {}, "A3": {}, "B1": woods, "B2": {}, "B3": {}}
    tanks = tank("t1", "A2"), tank("t2", "B2")
    position = place(field(hexes), *tanks)
    both = last(position, "impulse t1 half:A1,half:B1")
    assert (both.status, cites(both)) == ("UNSUPPORTED", {"D14.21e"})
    assert [v.units for v in both.unsupported] == [("t1", "t2")]
    one = last(position, "impulse t1 half:B1,turn:E")
    assert (one.status, [o.id for o in one.obligations]) == ("LEGAL", ["bog:t1"])
    assert last(platoon(4, 5), "impulse t1 enter:A3,enter:A4").is_legal


@pytest.mark.clause("D14.22a", "D14.22b")
def test_losses() -> None:
    """A lost AFV leaves the platoon; the last one left is free for the rest of the MPh."""
    three = after(platoon(4, 5, 6), "result t2 immobilized")
    assert platoons(three) == {"t1": "p", "t2": "", "t3": "p"}
    two = after(platoon(4, 5), "impulse t1 turn:E,turn:E", "result t2 eliminated")
    assert platoons(two) == {"t1": "", "t2": ""}
    assert last(two, "enter t1 B4").is_legal
    for blow in ("stunned", "recalled"):  # it is not Mobile (D.7), or Recalled
        assert platoons(after(platoon(4, 5, 6), f"result t2 {blow}"))["t2"] == ""
    assert platoons(after(platoon(4, 5), "result t2 attacked")) == {"t1": "p", "t2": "p"}


@pytest.mark.clause("D14.21a", "D14.22c")
def test_two_whom_a_loss_has_parted() -> None:
    """They can turn, and meet in the first Impulse that enters a new hex, or be free afterwards."""
    position = platoon(4, 5, 6, shared={"kind": "ft-20"})
    parted = after(position, "impulse t1 turn:E,turn:E,turn:E", "result t2 eliminated")
    assert platoons(parted) == {"t1": "p", "t2": "", "t3": "p"}
    assert last(parted, "impulse t1 turn:SSE").is_legal
    assert bars(last(parted, "impulse t1 enter:B4,stay")) == {"D14.21a"}
    meeting = ("impulse t1 stay,turn:NNE", "impulse t1 stay,enter:A5")
    assert last(parted, *meeting).is_legal
    over = after(parted, "impulse t1 stop,stop", "end t1")
    assert platoons(over) == {"t1": "", "t2": "", "t3": ""}
    ASL.check_position(parted)
    later = after(
        position, "impulse t1 stop,stop,stop", "end t1", "phase DFPh", "result t2 eliminated"
    )
    assert platoons(later) == {"t1": "", "t2": "", "t3": ""}


@pytest.mark.clause("D14.23a", "D14.23b")
def test_without_a_radio_from_off_the_map() -> None:
    """An AFV without a radio that enters the map takes no task check before it enters, and needs none to go on."""
    comes = place(
        PLAIN, tank("t1", None, kind="mute", platoon="", entering=("A8",)), types=(mute(),)
    )
    assert bars(last(comes, "task-check t1")) >= {"D14.23b"}
    assert last(comes, "enter t1 A8", "enter t1 A7").is_legal


@pytest.mark.clause("D2.401a", "D2.401b")
def test_motion_attempts_without_a_radio_and_of_platoons() -> None:
    """A lone tank without a radio adds 1, a platoon the number of its AFV; all of it moves, or none."""

    def chance(position: Any) -> list[int]:
        found = last(msgspec.structs.replace(position, side="russian"), "motion t1 seen=4")
        return [odds.chance for due in found.obligations for odds in due.outcomes]

    still: dict[str, Any] = {"moving": False}
    assert chance(place(PLAIN, tank("t1", "A4", platoon="", **still))) == [4, 2]
    assert chance(radioless(4, **still)) == [3, 3]
    assert chance(platoon(4, 5, shared=still)) == [2, 4]
    three = msgspec.structs.replace(platoon(4, 5, 6, shared=still), side="russian")
    assert "D2.401a" in bars(last(three, "motion t1 seen=3"))
    for outcome, moving in (("motion", True), ("stopped", False)):
        done = after(three, "motion t1 seen=4 reverse=true", f"settle motion:t1 {outcome}")
        assert [(u.motion.moving, u.motion.reverse, u.motion.tried_motion) for u in done.units] == [
            (moving, moving, True)
        ] * 3
    assert bars(
        last(three, "motion t1 seen=4", "settle motion:t1 stopped", "motion t2 seen=5")
    ) == {"D2.401a"}
    under_way = msgspec.structs.replace(place(PLAIN, tank("t1", "A4", platoon="")), side="russian")
    again = after(under_way, "motion t1 seen=2", "settle motion:t1 stopped").unit("t1")
    assert (again.motion.moving, again.motion.reverse) == (True, False)
    assert bars(last(under_way, "motion t1 seen=2 reverse=true")) == {"D2.401a"}


@pytest.mark.clause("D14.22b")
def test_a_survivor_without_radio() -> None:
    """Without a radio too the last one left is free, but only for this MPh."""
    position = radioless(4, 5, platoon="p")
    alone = after(position, "impulse t1 turn:E,turn:E", "result t2 immobilized")
    assert last(alone, "enter t1 B4").is_legal
    early = after(position, "result t2 immobilized")
    assert bars(last(early, "enter t1 A3")) == {"D14.23a"}


@pytest.mark.clause("D14.24")
def test_leaving_by_radio() -> None:
    """An AFV with a radio leaves as its MPh begins; the one left alone is in no platoon either."""
    assert platoons(after(platoon(4, 5, 6), "leave t2")) == {"t1": "p", "t2": "", "t3": "p"}
    assert platoons(after(platoon(4, 5), "leave t2")) == {"t1": "", "t2": ""}
    assert last(platoon(4, 5), "leave t1", "enter t1 A3").is_legal
    assert bars(last(platoon(4, 5), "impulse t1 turn:E,turn:E", "leave t1")) == {"E11.25a"}
    assert bars(last(radioless(4, 5, platoon="p"), "leave t1")) == {"E11.25a"}
    assert bars(last(place(PLAIN, tank("t1", "A4", platoon="")), "leave t1")) == {"E11.25a"}


@pytest.mark.clause("D14.23a")
def test_alone_without_a_radio() -> None:
    """Without a radio and a platoon an AFV moves only after a task check; it can end its MPh."""
    position = radioless(4, moving=False)
    assert bars(last(position, "start t1")) == bars(last(position, "turn t1 E")) - {"D2.12c"}
    assert bars(last(position, "start t1")) == {"D14.23a"}
    assert last(position, "end t1").is_legal
    assert last(radioless(4, 5, platoon="p"), "impulse t1 turn:E").is_legal
    assert last(place(PLAIN, tank("t1", "A4", platoon="")), "enter t1 A3").is_legal


@pytest.mark.clause("D14.23b", "D14.23c")
def test_the_task_check() -> None:
    """It passes on two dice up to the morale: 26 in 36 at 8; then the AFV moves as others do."""
    position = radioless(4)
    roll = last(position, "task-check t1").obligations[0]
    assert [(o.outcome, o.chance, o.of) for o in roll.outcomes] == [
        ("passed", 26, 36), ("failed", 10, 36),
    ]  # fmt: skip
    passed = after(position, "task-check t1", "settle task-check:t1 passed")
    assert passed.unit("t1").motion.check == "passed"
    assert last(passed, "enter t1 A3").is_legal
    assert bars(last(passed, "task-check t1")) == {"D14.23b"}
    fresh = after(passed, "stop t1", "end t1", "phase DFPh side=russian", "phase MPh side=german")
    assert "D14.23a" in bars(last(fresh, "start t1"))


@pytest.mark.clause("D14.23b")
def test_who_takes_no_task_check() -> None:
    """Not an AFV with a radio, nor one whose MPh has begun."""
    assert bars(last(place(PLAIN, tank("t1", "A4", platoon="")), "task-check t1")) == {"D14.23b"}
    begun = radioless(4, mph="moving", spent=2, used=2)
    assert bars(last(begun, "task-check t1")) == {"D14.23b"}


@pytest.mark.clause("D14.23b")
def test_the_morale_of_a_crew_without_one_printed() -> None:
    """A T-34's is that of the best Russian elite, 8, shaken 1 less; an unlisted one needs a stated result."""

    def passes(**fields: Any) -> int:
        alone = place(PLAIN, tank("t1", "A4", kind="T-34 M41", platoon="", **fields))
        ruling = last(alone, "task-check t1")
        assert ruling.is_legal
        return int(ruling.obligations[0].outcomes[0].chance)

    assert passes(nationality="russian") == 26
    assert passes(nationality="soviet", dazed=True) == 21
    assert passes(nationality="italian") == 21
    for found in ({"nationality": "american"}, {"armor_leader": True}):
        strange = radioless(4, morale=0, **found)
        asked = last(strange, "task-check t1")
        assert [(one.chance, one.of) for one in asked.obligations[0].outcomes] == [(1, 1), (1, 1)]
        after = last(asked.after, "settle task-check:t1 failed").after
        assert after.unit("t1").motion.check == "failed"


@pytest.mark.clause("D14.23a", "D14.23b")
def test_a_task_check_that_a_scene_tells() -> None:
    """With a stated `check` it moves and is reached like others; otherwise options offer the verb."""
    found = radioless(4, morale=0, nationality="american", check="passed")
    assert last(found, "enter t1 A3").is_legal
    assert reach_answers(found, ["t1"], to="A3")[0]["status"] != "UNSUPPORTED"
    due = radioless(4, moving=False)
    assert "task-check t1" in {format_action(choice.action) for choice in legal_actions(due)}
    assert "`task-check`" in last(due, "start t1").violations[0].note
    with pytest.raises(BadInputError, match="is for an AFV without a radio"):
        ASL.check_position(place(PLAIN, tank("t1", "A4", platoon="", check="passed")))


@pytest.mark.clause("D14.23c", "D14.23d")
def test_a_failed_task_check() -> None:
    """An AFV that fails it stops and spends the MPh on Delay."""
    failed = after(radioless(4), "task-check t1", "settle task-check:t1 failed")
    for line in ("enter t1 A3", "turn t1 E", "end t1", "esb t1 mp=1"):
        assert "D14.23d" in bars(last(failed, line))
    assert last(failed, "stop t1", "delay t1 mp=11", "end t1").is_legal
    assert "D14.23d" in bars(last(failed, "stop t1", "start t1"))


@pytest.mark.clause("D14.23c", "D14.22a", "D14.22b")
def test_breaking_off() -> None:
    """An AFV without a radio that breaks off from its platoon is out of it, whatever the dice."""
    for outcome in ("passed", "failed"):
        position = radioless(4, 5, 6, platoon="p")
        parted = after(position, "task-check t2", f"settle task-check:t2 {outcome}")
        assert platoons(parted) == {"t1": "p", "t2": "", "t3": "p"}
        assert parted.unit("t2").motion.check == outcome


@pytest.mark.clause("D14.2b")
def test_forming() -> None:
    """Adjacent AFVs of one status form a platoon as the MPh begins, no more than three."""
    lone = platoon(4, 5, 6, 7, shared={"platoon": ""})
    two = after(lone, "form t1 t2")
    assert platoons(two) == {"t1": "t2", "t2": "t2", "t3": "", "t4": ""}
    three = after(two, "form t3 t2")
    assert platoons(three)["t3"] == "t2"
    assert bars(last(three, "form t4 t3")) == {"D14.2b"}
    assert bars(last(lone, "form t1 t3")) == {"D14.21a"}
    assert bars(last(lone, "form t1 t1")) == {"D14.2b"}
    assert bars(last(two, "form t1 t2")) == {"D14.2b"}
    assert bars(last(lone, "turn t1 E", "form t1 t2")) == {"D14.2b"}
    assert last(radioless(4, 5), "form t1 t2", "impulse t1 enter:A3,enter:A4").is_legal
    truck = platoon(4, others=(vehicle("x", at="A5", facing="NNE"),), shared={"platoon": ""})
    assert bars(last(truck, "form t1 x")) == {"D14.2b"}


@pytest.mark.clause("D14.2b")
def test_a_name_of_its_own() -> None:
    """A new platoon cannot take another's name."""
    lone = platoon(4, 5, others=(tank("x", "B1", platoon="t2"), tank("y", "B2", platoon="t2")),
                   shared={"platoon": ""})  # fmt: skip
    assert platoons(after(lone, "form t1 t2"))["t1"] == "t2.2"


def test_what_is_proposed() -> None:
    """Leaving and the task check are offered to eligible AFV; forming is only judged."""

    def offers(position: Any) -> set[str]:
        return {format_action(c.action) for c in legal_actions(position) if c.closes}

    lone = platoon(4, 5, shared={"platoon": ""})
    assert not [line for line in offers(lone) if line.startswith(("form", "leave", "task"))]
    assert {"leave t1", "leave t2"} <= offers(platoon(4, 5))
    assert offers(radioless(4)) == {"task-check t1", "hatch t1 bu"}
    assert offers(radioless(4, moving=False)) == {"task-check t1", "hatch t1 bu", "end t1"}


def test_reach_knows_of_the_task_check() -> None:
    """Nothing is reached before the task check; an otherwise equal unit under way goes on."""
    fresh, begun = radioless(4), radioless(4, mph="moving", spent=2, used=2)
    assert set(reach(fresh, ["t1"])[0].best()) <= {"A4"}
    assert "A3" in reach(begun, ["t1"])[0].best()
    assert set(reach(fresh, ["t1"])[0].best()) <= {"A4"}
    assert ASL.mode(fresh.unit("t1")) != ASL.mode(begun.unit("t1"))


@pytest.mark.clause("D14.31")
def test_what_a_platoon_spends_at_rest() -> None:
    """Delay within an Impulse is UNSUPPORTED; a Convoy vehicle cannot make its own."""
    halted = platoon(4, 5, shared={"moving": False})
    assert cites(last(halted, "delay t1 mp=1")) == {"D14.31"}
    assert bars(last(halted, "start t1")) == {"D14.31"}
    for line in ("delay t1 mp=1", "unload u", "unhook t1 u"):
        truck = tank("t1", "A4", kind="opel-blitz", platoon="", convoy="c", moving=False)
        other = tank("t2", "A5", kind="opel-blitz", platoon="", convoy="c", moving=False, rank=1)
        assert "E11.2m" not in bars(last(place(PLAIN, truck, other, foot("u", at="A4")), line))


@pytest.mark.clause("E11.2d")
def test_a_platoon_starts_after_a_stop() -> None:
    """Only Convoys cannot: a platoon that has stopped can start again in its MPh."""
    assert last(platoon(4, 5), "impulse t1 stop,stop", "impulse t1 start,start").is_legal
    convoy = [
        tank(f"t{n}", f"A{n + 3}", kind="tr-20", platoon="", convoy="c", rank=n) for n in (1, 2)
    ]
    found = last(place(PLAIN, *convoy), "impulse t1 stop,stop", "impulse t1 start,start")
    assert "E11.2d" in bars(found)


@pytest.mark.clause("E1.531", "E1.53a")
@pytest.mark.parametrize("has_radio", [False, True])
def test_a_platoon_at_night(*, has_radio: bool) -> None:
    """Without radios the first of a platoon makes the Movement DR; with radios each its own."""
    position = radioless(4, 5, platoon="p", sees=("t1", "t2"))
    types = tuple(msgspec.structs.replace(k, radio=has_radio) for k in position.conditions.types)
    dark = msgspec.structs.replace(position.conditions, types=types, night=True, nvr=3)
    position = msgspec.structs.replace(position, conditions=dark)
    assert last(position, "impulse t1 turn:E").is_legal  # within its hex
    move = "impulse t1 enter:A3,enter:A4"
    assert bars(last(position, move)) == {"E1.53a"}
    set_out = last(position, "set-out t1", "settle stray:t1 keeps").after
    assert bars(last(set_out, move)) == ({"E1.53a"} if has_radio else set())
    ruling = last(set_out, "set-out t2")
    assert bars(ruling) == (set() if has_radio else {"E1.531"})
    if has_radio:
        assert last(ruling.after, "settle stray:t2 keeps", move).is_legal
