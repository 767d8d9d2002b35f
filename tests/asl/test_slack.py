"""What room a legal log leaves in ASL: lines are not crowded by more of their own."""

from __future__ import annotations

from marchtable.notation import parse_action
from marchtable.planning.why import why
from tests.asl.boards import ASL
from tests.asl.test_convoys import convoy


def test_nobody_is_like_a_vehicle_of_a_convoy() -> None:
    """Of vehicles in a Convoy it is told what points they might lack, not how many more might stand there."""
    lines = ("impulse t1 enter:A5,enter:A6", "impulse t1 enter:A4,enter:A5")
    found = why(convoy(6, 7), [parse_action(line, ASL) for line in lines])
    assert found.status == "LEGAL"
    assert {one.what for one in found.slack} == {"MP"}
