"""Printed examples of the rules on available boards, replayed move by move."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.files.notation import points
from tests.asl.boards import foot, judge, place, total, vehicle
from tests.asl.test_real_boards import BOARDS, real

if TYPE_CHECKING:
    from marchtable.rules.ruling import Verdict

pytestmark = pytest.mark.skipif(
    not (Path(BOARDS) / "bd01").exists(), reason=f"needs VASL boards in {BOARDS}"
)
BT = vehicle(kind="ft-40", at="FF5", facing="NNE")
OTHER_TURN = ("phase DFPh", "phase RPh side=russian", "phase RPh side=german", "phase MPh")

EXAMPLES: dict[str, tuple[str, Any, tuple[str, ...], list[float]]] = {
    **{
        f"A4.133 {at}-3W4": ("bd03", foot(kind="leader", at=at), ("enter u W4",), [cost])
        for at, cost in {"V4": 2, "W5": 2, "X4": 2, "V3": 4, "W3": 4, "X3": 4}.items()
    },
    **{
        f"B3.4 {at}-3I10": ("bd03", foot(kind="leader", at=at), ("enter u I10",), [cost])
        for at, cost in {"H9": 2, "I9": 2, "J9": 2, "H10": 4, "J10": 4}.items()
    },
    "A4.31 on": ("bd02", foot(at="D3"), ("bypass u D4 vertex=SSW", "enter u C5"), [1, 1]),
    "A4.31 over the wall": ("bd02", foot(at="D3"), ("bypass u D4 vertex=SSW", "enter u D5"), [1, 2]),
    "A4.31 on round": ("bd02", foot(at="D3"), ("bypass u D4 vertex=SSW", "bypass u D4 vertex=SSE"), [1, 1]),
    "A4.31 on round two": ("bd02", foot(at="D3"), ("bypass u D4 vertex=SSW", "bypass u D4 vertex=E"), [1, 1]),
    "A4.31 in": ("bd02", foot(at="D3"), ("bypass u D4 vertex=SSW", "into u"), [1, 2]),
    "A2.4 2I9": ("bd02", foot(at="J9"), ("enter u I9",), [4]),
    "B18.41 12V4-V3": ("bd12", vehicle(at="V4", facing="NNW"), ("enter u V3",), [1]),
    "B19.4 12Z4-Y5": ("bd12", foot(at="Z4"), ("enter u Y5",), [4]),
    "B19.4 12Y5-Y4": ("bd12", foot(at="Y5"), ("enter u Y4",), [4]),
    "B19.4 12Y4-Y5": ("bd12", foot(kind="leader", at="Y4"), ("enter u Y5",), [6]),
    "D2.3 3I10": ("bd03", vehicle(kind="ft-40", at="J10", facing="W"), ("bypass u I10",), [10]),
    "D2.21 2FF6": ("bd02", BT, ("stop u", "start u reverse=true", "bypass u FF6", "enter u EE7"), [1, 1, 8, 4]),
    "D2.24 2EE6": ("bd02", BT, ("stop u", "start u reverse=true", "enter u EE6"), [1, 1, 20]),
    "D2.33 1K2": (
        "bd01", vehicle(kind="ft-40", at="L1", facing="W"),
        ("enter u K1", "turn u SSW", "bypass u K2"), [0.5, 1, 2],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_printed_example(name: str) -> None:
    """Each step is legal and costs what is printed."""
    board, mover, lines, costs = EXAMPLES[name]
    rulings = judge(place(real(board), mover), *lines).rulings
    assert [(ruling.status, total(ruling)) for ruling in rulings] == [("LEGAL", c) for c in costs]


def spent(verdict: Verdict) -> tuple[str, set[float]]:
    """Return the status of a log, and the total spent by the AFVs on the map."""
    return verdict.status, {
        points(one.points.spent) for one in verdict.position.units if one.type != "wreck"
    }


@pytest.mark.clause("D2.4", "D14.21a", "D14.31b")
def test_a_platoon_over_three_turns() -> None:
    """The example of D14.22: 9, 11 and 10 MP; in between the three stay in Motion, as 5 MP are too many."""
    found: Any = {"facing": "NNE", "moving": False, "platoon": "p"}
    tanks = [
        vehicle(name, kind, at, **found)
        for name, kind, at in (("a", "ft-11", "Y5"), ("b", "ft-12", "Z5"), ("c", "ft-12", "AA6"))
    ]
    first = judge(
        place(real("bd03"), *tanks), "impulse a start,start,start",
        "impulse a enter:Z4,enter:AA5,stay", "impulse a turn:E,enter:BB4,enter:AA5",
        "impulse a enter:AA5,enter:CC4,enter:BB4", "impulse a turn:NNE,stay,stay",
    )  # fmt: skip
    assert spent(first) == ("LEGAL", {9})
    second = judge(
        first.position, "end a", *OTHER_TURN,
        "impulse a enter:BB4,enter:DD3,enter:CC4 first=b,c",
        "impulse a enter:CC4,enter:EE3,enter:DD3 first=b,c", "impulse a stop,stop,stop",
    )  # fmt: skip
    assert spent(second) == ("LEGAL", {11})
    third = judge(
        second.position, "end a", *OTHER_TURN, "impulse a start,start,start",
        "impulse a enter:CC3,enter:EE2,enter:DD2 first=b,c", "result c eliminated",
        "impulse a stay,turn:NNW", "impulse a enter:CC2,enter:DD1 first=b",
        "impulse a stay,turn:NNE", "impulse a enter:DD1,enter:EE1 first=b",
    )  # fmt: skip
    assert spent(third) == ("LEGAL", {10})
    assert [one.at for one in third.position.units if one.id in "ab"] == ["DD1", "EE1"]


def test_up_the_stairs_of_3m2() -> None:
    """A10.51 EX: next to an enemy in M3 a unit in M2 routs up and stays, or goes on into N1 or higher."""
    unit = foot(at="M2", broken=True, dm=True, sees=("e",))
    scene = place(real("bd03"), unit, foot("e", at="M3", side="russian"), phase="RtPh")
    for lines in (
        ("stairs u up",),
        ("stairs u up", "rout u N1"),
        ("stairs u up", "stairs u up", "rout u N1"),
    ):
        verdict = judge(scene, *lines, "phase APh")
        assert verdict.status == "LEGAL", lines
        assert not verdict.rulings[-1].obligations, lines
    assert judge(scene, "phase APh").rulings[-1].obligations
