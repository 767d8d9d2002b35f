"""Slack of a legal ASL log: lines are not crowded by more of their own."""

from __future__ import annotations

from typing import Any

from marchtable.answers.verdicts import check_answer
from marchtable.files.notation import parse_action
from marchtable.planning.why import why
from tests.asl.boards import ASL, foot, load, place
from tests.asl.test_convoys import convoy
from tests.asl.test_plan_transport import LANE, track
from tests.asl.walking import LINE, walker


def test_nobody_is_like_a_vehicle_of_a_convoy() -> None:
    """For vehicles in a Convoy the slack lists missing points, not how many more could stand there."""
    lines = ("impulse t1 enter:A5,enter:A6", "impulse t1 enter:A4,enter:A5")
    found = why(convoy(6, 7), [parse_action(line, ASL) for line in lines])
    assert found.status == "LEGAL"
    assert {one.what for one in found.slack} == {"MP"}


def test_what_binds_next_in_a_line() -> None:
    """For a Convoy it states how many MP any vehicle could lack before Impulses fail."""
    lines = ("impulse t1 enter:A5,enter:A6", "impulse t1 enter:A4,enter:A5")
    found = why(convoy(6, 7), [parse_action(line, ASL) for line in lines])
    assert {(one.clause, one.unit) for one in found.slack} == {("E11.2h", "t1"), ("E11.2h", "t2")}


def carried(*, sw: int) -> Any:
    """Return the slack while a halftrack carries a squad as far as it can unload."""
    position = place(LANE, track(), foot("u", at="A1", cx=True, sw=load(sw)))
    lines = ("load u t", "start t", "enter t B1", "enter t C2", "stop t", "unload u")
    found = why(position, [parse_action(line, ASL) for line in lines])
    assert (found.status, found.unsettled) == ("LEGAL", None)
    return {(one.clause, one.unit, one.what): one.amount for one in found.slack}


def test_what_binds_next_in_transport() -> None:
    """It lists how many MP the vehicle could lack, and how many more PP fit."""
    assert carried(sw=4)["D6.5c", "t", "MP"] == 0
    assert carried(sw=4)["D6.1c", "t", "PP for Passengers"] == 1
    assert carried(sw=3)["D6.1c", "t", "PP for Passengers"] == 2


def test_what_binds_next_on_foot_after_a_ride() -> None:
    """A conveyed unit has 4 MF whatever is printed (A4.11c); its remainder is still listed."""
    position = place(LANE, track(), foot("u", at="A1", aboard="t"))
    lines = ("start t", "enter t B1", "stop t", "unload u", "enter u C2")
    found = why(position, [parse_action(line, ASL) for line in lines])
    room = {(one.unit, one.what): (one.clause, one.amount) for one in found.slack}
    assert (found.status, room["u", "MF"]) == ("LEGAL", ("A4.11b", 1))


def test_room_looked_into_within_a_limit() -> None:
    """At the limit no unexamined room is listed, and the answer says so."""
    position = place(LANE, track())
    found = why(position, [parse_action("start t", ASL)], limit=0.0)
    assert (found.status, found.slack, found.unsettled) == ("LEGAL", (), "limit")


def test_the_least_room_there_ever_is() -> None:
    """A squad boards, then a crew: the slack is the room that both leave."""
    units = foot("u", at="A1", cx=True), foot("c", "half-squad", at="A1", cx=True)
    lines = ["load u t", "load c t"]
    result = []
    for log in (lines[:1], lines):
        found = why(place(LANE, track(), *units), [parse_action(line, ASL) for line in log])
        assert found.status == "LEGAL"
        result += [one.amount for one in found.slack if one.what == "PP for Passengers"]
    assert result[0] > result[1]


def test_what_check_says_is_left_keeps_up() -> None:
    """Double Time and Gallop declared on the way, and a leader that goes on, change the remainder."""

    def left(position: Any, *lines: str) -> dict[str, float]:
        found = check_answer(position, [parse_action(line, ASL) for line in lines])
        return {one["unit"]: one["left"] for one in found["slack"]}

    assert left(place(LINE, walker()), "enter u B1", "double-time u") == {"u": 4}
    cavalry = place(LINE, walker(kind="cavalry"))
    assert left(cavalry, "enter u B1", "gallop u") == {"u": 15}
    led = place(LINE, walker(), walker("l", "leader"))
    assert left(led, "enter l,u B1", "enter l C2") == {"l": 4, "u": 3}
    assert left(place(LINE, walker()), "enter u B1", "phase DFPh") == {"u": 3}
