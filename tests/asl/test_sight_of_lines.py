"""Lines of vehicles that see an enemy or each other by computed sight (E11.25, E11.5, D14.2)."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.files.notation import parse_action
from marchtable.rules.referee import check
from tests.asl.boards import ASL, bars, cites, foot, last, vehicle
from tests.asl.test_computed_sight import BLAZE, HILL, ROUND, board, russian, scene

# -- lines -----------------------------------------------------------------------------------------


@pytest.mark.clause("E11.251a")
def test_a_vehicle_leaves_for_an_enemy_in_sight() -> None:
    """A vehicle has no reason to leave for an enemy behind a hill; a Blaze leaves it open."""
    road = {f"A{row}-A{row + 1}": {"road": "Dirt Road"} for row in range(4, 9)}
    trucks = [vehicle(f"t{n}", at=f"A{n + 4}", facing="NNE", convoy="c", rank=n) for n in (1, 2, 3)]

    def ruled(where: Any, *more: Any, **fields: Any) -> Any:
        return last(scene(where, *trucks, *(more or (russian(),)), **fields), "leave t2")

    assert ruled(board(road)).status == "LEGAL"
    assert bars(ruled(board(road, A2=HILL))) == {"E11.251a"}
    assert bars(ruled(board(road), russian(not_sees=("t2",)))) == {"E11.251a"}
    assert ruled(board(road, A2=HILL), russian(sees=("t2",))).status == "LEGAL"
    fire = ruled(board(road), counters=BLAZE)
    assert (fire.status, cites(fire)) == ("UNSUPPORTED", {"E11.251a"})


@pytest.mark.clause("E11.5e")
def test_a_vehicle_leaves_for_a_column_in_sight() -> None:
    """A vehicle has no reason to leave for a Column behind a hill."""
    road = {f"A{row}-A{row + 1}": {"road": "Dirt Road"} for row in range(4, 9)}
    trucks = [vehicle(f"t{n}", at=f"A{n + 4}", facing="NNE", convoy="c", rank=n) for n in (1, 2, 3)]
    lined = [
        russian(f"e{n}", f"A{n}", column="k", rank=n, concealed=n == 1) for n in (1, 2)
    ]  # fmt: skip
    flat, hill = (
        last(scene(board(road, **more), *trucks, *lined), "leave t1") for more in ({}, {"A3": HILL})
    )
    assert flat.status == "LEGAL"
    assert bars(hill) == {"E11.251a"}


@pytest.mark.clause("E11.251b", "E11.251e")
def test_a_vehicle_leaves_for_a_mate_that_it_sees_attacked() -> None:
    """An attack on a vehicle behind a hill gives no reason."""
    road = {f"A{row}-A{row + 1}": {"road": "Dirt Road"} for row in range(1, 9)}
    blows: list[tuple[dict[str, Any], str]] = [
        ({"attacked": True}, "E11.251b"), ({"fallen": True}, "E11.251e"),
    ]  # fmt: skip
    for what, clause in blows:
        trucks = [
            vehicle("t1", at="A2", facing="NNE", convoy="c", rank=1, **what),
            vehicle("t2", at="A4", facing="NNE", convoy="c", rank=2),
        ]
        flat, hill = (
            last(scene(where, *trucks, russian(at="B10", concealed=True)), "leave t2")
            for where in (board(road), board(road, A3={"level": 2}))
        )
        assert flat.status == "LEGAL"
        assert clause in dict(flat.exceptions)
        assert "E11.251a" in bars(hill)


@pytest.mark.clause("E11.251c")
def test_a_radio_afv_leaves_for_what_another_sees() -> None:
    """The other AFV's line of sight is computed too."""
    first = vehicle("t1", "ft-12", at="B9", facing="NNE", convoy="c", rank=1)
    second = vehicle("t2", "ft-12", at="A9", facing="NNE", convoy="c", rank=2)
    other = vehicle("x", "ft-12", at="A4", facing="NNE")
    wood = {"A5": {"level": 2}, "B5": {"level": 2}, "B4": {"level": 2}}
    flat, hill = (
        last(scene(board(**wood, **more), first, second, other, russian()), "leave t2")
        for more in ({}, {"A2": HILL})
    )
    assert "E11.251c" in dict(flat.exceptions)
    assert "E11.251a" in bars(hill)


def column(**fields: Any) -> list[Any]:
    """Return two squads in Column, behind each other."""
    return [
        foot(f"u{n}", at=f"A{n + 5}", column="k", rank=n, **fields) for n in (1, 2)
    ]  # fmt: skip


@pytest.mark.clause("E11.53b", "E11.531a")
def test_a_column_disbands_as_it_comes_into_sight() -> None:
    """It disbands as MF are spent, by it or by the enemy; not behind a hill."""
    move = "impulse u1 enter:A5,enter:A6"

    def disbands(where: Any, *lines: str, **fields: Any) -> set[bool]:
        found = check(
            scene(where, *column(), russian(fields.pop("name", "e")), **fields),
            [parse_action(line, ASL) for line in lines],
        )
        assert found.status == "LEGAL"
        after = found.rulings[-1].after
        return {after.unit(name).line.disbanding for name in ("u1", "u2")}

    assert disbands(board(), move) == {True}
    assert disbands(board(A3=HILL), move) == {False}
    assert disbands(board(), move, sight="given") == {False}
    theirs: dict[str, Any] = {"side": "russian"}
    assert disbands(board(), "enter e A2", **theirs) == {True}
    assert disbands(board(A3=HILL), "enter e A2", **theirs) == {False}
    assert disbands(board(A3=HILL), "enter e A2", "enter e A3", **theirs) == {True}
    fire = last(scene(board(), *column(), russian(), counters=BLAZE), move)
    assert (fire.status, cites(fire)) == ("UNSUPPORTED", {"E11.53b"})
    assert last(scene(board(A3=HILL), *column(), russian(), counters=BLAZE), move).status == "LEGAL"


@pytest.mark.clause("E11.532a", "E11.532c")
def test_a_column_disbands_in_other_phases() -> None:
    """It disbands after an attack on any unit, and as units advance."""
    for where, lined in ((board(), False), (board(A3=HILL), True)):
        units = (*column(), russian(), foot("x", at="B10"))
        shot = last(scene(where, *units, phase="DFPh"), "result x attacked")
        assert (shot.after.unit("u1").line.column != "") is lined
        step = last(scene(where, *units, phase="APh"), "advance x B9")
        assert step.status == "LEGAL"
        assert (step.after.unit("u1").line.column != "") is lined


@pytest.mark.clause("D14.21b")
def test_a_platoon_mate_that_is_not_seen() -> None:
    """Stated sight decides; otherwise adjacent AFV see each other, whatever the SMOKE."""
    tanks = [vehicle(f"t{n}", "ft-12", at=f"A{n + 4}", facing="NNE", platoon="p") for n in (1, 2)]
    move = "impulse t1 enter:A4,enter:A5"
    assert last(scene(board(), *tanks, smoke=["A4", "A5"]), move).status == "LEGAL"
    for sight in ("computed", "given"):
        blind = [
            tanks[0],
            vehicle("t2", "ft-12", at="A6", facing="NNE", platoon="p", not_sees=("t1",)),
        ]
        assert bars(last(scene(board(), *blind, sight=sight), move)) == {"D14.21b"}


"""Woods that a vehicle can bypass on the NE hexside."""


@pytest.mark.clause("D14.21b")
def test_platoon_mates_in_bypass() -> None:
    """Between the vertices adjacent AFV have reached (D2.32), the hill of a third hex may block sight."""
    tanks = [
        vehicle(f"t{n}", "ft-12", at=f"A{n + 3}", facing="SSE", bypass=1, platoon="p")
        for n in (1, 2)
    ]

    def ruled(**more: Any) -> Any:
        return last(scene(board(A4=ROUND, A5=ROUND, **more), *tanks), "impulse t1 stop,stop")

    assert ruled().status == "LEGAL"
    assert bars(ruled(B4=HILL)) == {"D14.21b"}
