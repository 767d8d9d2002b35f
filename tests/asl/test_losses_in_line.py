"""A lost vehicle's effects on lines: its own, Columns that see it, and what remains."""

from __future__ import annotations

from typing import Any

import pytest

from tests.asl.boards import bars, foot, last, place, vehicle
from tests.asl.test_columns import names
from tests.asl.test_convoys import convoy, road
from tests.asl.test_gaps import FOLLOW, after


@pytest.mark.clause("E11.532a")
@pytest.mark.parametrize("what", ["attacked", "stunned", "immobilized", "eliminated"])
def test_every_attack_on_a_convoy_checks_columns(what: str) -> None:
    """A Column that sees a Known enemy disbands after each attack, including one that separates a Convoy."""
    line = tuple(
        foot(f"u{n}", at=f"B{n}", column="k", rank=n, side="russian", sees=("t1",)) for n in (7, 8)
    )
    position = convoy(4, 5, 6, others=line, phase="DFPh")
    assert names(after(position, f"result t3 {what}")) == set()
    assert names(after(position, "result t3 bogged")) == {"u7", "u8"}


@pytest.mark.clause("E11.21b", "E11.21c")
def test_an_immobile_vehicle_holds_nobody_up() -> None:
    """An immobilized vehicle is in no Convoy: the part behind waits only for the one ahead."""
    other = foot("sq", at="B8")
    position = after(convoy(4, 5, 6, 7, 8, others=(other,)), FOLLOW, "result t3 immobilized")
    rear = "impulse t4 turn:E"
    assert bars(last(position, rear)) == {"E11.21b"}
    ended = after(position, "impulse t1 stop,stop", "end t1")
    assert ended.unit("t3").move.mph == "moving"
    assert last(ended, rear).is_legal
    assert "E11.21c" in bars(last(ended, "enter sq B7"))


@pytest.mark.parametrize(("kind", "left"), [("tr-40", "wreck"), ("wagon", None), ("mc-28", None)])
def test_what_leaves_a_wreck(kind: str, left: str | None) -> None:
    """A truck that is eliminated leaves a wreck, a wagon or motorcycle nothing."""
    position = after(place(road(), vehicle("w", kind, at="A4")), "result w eliminated")
    unit: Any = position.unit("w")
    assert (unit.type, unit.at) == ((left, "A4") if left else (kind, None))
    assert not unit.motion.moving
    assert unit.line.fallen
