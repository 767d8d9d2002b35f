"""Roadblocks forbid vehicular Bypass along their hexside and round the vertices they reach (D2.3)."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.reachability.reach import reach
from marchtable.state.position import Counter
from tests.asl.boards import bars, cites, field, foot, last, place, total, vehicle
from tests.asl.test_bypass import WOODS
from tests.solver.test_reach import check_reach

HEXES: dict[str, Any] = {
    name: {} for name in ("A1", "A2", "B0", "B1", "C0", "C2", "D0", "D1", "D2")
}
BOARD = field({**HEXES, "C1": WOODS})


def scene(kind: str, at: str, mover: Any = None, reading: str = "") -> Any:
    """Return a vehicle in B1 that is to go along the southern hexside of C1, and a roadblock."""
    readings = (("D2.3d", reading),) if reading else ()
    found = (Counter(kind=f"roadblock-{kind}", at=at),)
    return place(BOARD, mover or vehicle(), counters=found, readings=readings)


ON = [("S", "C1"), ("N", "C2")]
PAST = [("SE", "B1"), ("NW", "C2")]  # at the vertex it leaves
NEAR = [("SE", "C1"), ("NW", "D1"), ("SW", "D1"), ("NE", "C2")]  # at the vertex it goes to
FAR = [("N", "C1"), ("NE", "C1"), ("NW", "C1"), ("S", "C2"), ("SE", "C2"), ("N", "D1"), ("N", "D2"),
       ("N", "B1"), ("S", "C0"), ("NE", "A2")]  # fmt: skip


@pytest.mark.clause("D2.3d")
@pytest.mark.parametrize(("kind", "at"), [*ON, *PAST, *NEAR, *FAR])
def test_bypass_past_a_roadblock(kind: str, at: str) -> None:
    """Forbidden on its hexside and round a vertex it reaches, not up to one; other readings differ."""
    spot = (kind, at)
    for reading, barred in (("", ON + PAST), ("meets", ON + PAST + NEAR), ("own", ON)):
        found = bars(last(scene(kind, at, reading=reading), "bypass u C1"))
        assert found == ({"D2.3d"} if spot in barred else set())


@pytest.mark.clause("D2.3d")
@pytest.mark.parametrize(
    ("kind", "at", "met"), [("SE", "C1", True), ("NE", "C2", True), ("NW", "C2", False)]
)
def test_on_from_a_vertex_that_a_roadblock_reaches(*, kind: str, at: str, met: bool) -> None:
    """There a vehicle can only stop, or go back the way it came."""
    tank = vehicle(at="C1", facing="E", bypass=3)
    for line in ("enter u D1", "turn u NNE; along u"):
        *before, step = line.split("; ")
        assert ("D2.3d" in bars(last(scene(kind, at, tank), *before, step))) is met
    free = scene(kind, at, tank, reading="own")
    assert "D2.3d" not in bars(last(free, "enter u D1"))
    back = vehicle(at="C1", facing="E", bypass=3, reverse=True)
    assert ("D2.3d" in bars(last(scene(kind, at, back), "enter u B1"))) is (
        at == "C2" and kind == "NW"
    )


@pytest.mark.clause("D2.3d")
def test_infantry_passes_it() -> None:
    """A roadblock does not affect Infantry Bypass that does not cross its hexside."""
    squad = scene("SW", "D1", foot())
    assert "D2.3d" not in bars(last(squad, "bypass u C1 vertex=SSE"))


@pytest.mark.parametrize(("kind", "at"), [("N", "C1"), *ON, *PAST, *NEAR])
def test_reach_keeps_away_from_it(kind: str, at: str) -> None:
    """The referee allows every way reach finds round the woods."""
    found = reach(scene(kind, at, vehicle(kind="tr-12")), ["u"], rolls="avoid")[0]
    for spot in found.best().values():
        found.replay(spot)


@pytest.mark.clause("B29.4")
@pytest.mark.parametrize(("kind", "at", "met"), [
    ("SW", "D1", True), ("NE", "C2", True), ("S", "C1", False), ("SE", "C1", False), ("N", "D2", False),
])  # fmt: skip
def test_infantry_round_a_vertex_of_a_roadblock(*, kind: str, at: str, met: bool) -> None:
    """The cost of Bypass round a vertex it reaches is not stated; up to that vertex it does not matter."""
    squad = foot(kind="leader")
    beyond = last(scene(kind, at, squad), "bypass u C1 vertex=E")
    assert ("B29.4" in cites(beyond)) == met
    assert not cites(last(scene(kind, at, squad), "bypass u C1 vertex=SSE"))


@pytest.mark.clause("B32.52")
def test_going_round_a_rail_car_has_an_unstated_cost() -> None:
    """Bypass of it is not ILLEGAL on foot or in a vehicle; entering it is judged as usual."""
    rails = field({**HEXES, "C1": {"terrain": "Rail Car", "clear": (50,) * 6}})
    for mover, line in ((foot(), "bypass u C1 vertex=NNE"), (vehicle(), "bypass u C1")):
        ruling = last(place(rails, mover), line)
        assert (ruling.status, "B32.52" in cites(ruling)) == ("UNSUPPORTED", True)
    assert last(place(rails, foot()), "enter u C1").is_legal
    assert bars(last(place(rails, vehicle()), "enter u C1")) == {"B32"}


@pytest.mark.clause("B29.4")
def test_infantry_from_a_vertex_that_a_roadblock_reaches() -> None:
    """Infantry can go past it and on from that vertex at an unstated cost, and into the woods at theirs."""
    squad = foot(kind="leader", at="B1")
    for kind, at, line in (
        ("S", "B0", "bypass u C1 vertex=NNW"),
        ("N", "B1", "bypass u C1 vertex=NNE"),
    ):
        assert "B29.4" in cites(last(scene(kind, at, squad), line))
    there = scene("SE", "C0", squad)
    upto = last(there, "bypass u C1 vertex=NNE")
    assert (upto.status, cites(upto)) == ("LEGAL", set())
    assert cites(last(upto.after, "enter u D0")) == {"B29.4"}
    assert last(upto.after, "into u").is_legal


@pytest.mark.slow
def test_reach_past_a_roadblock_is_what_everything_tried_gives() -> None:
    """The same holds for reach from beside the roadblock."""
    check_reach(scene("SE", "C0", foot(kind="leader", at="B1")), "u")


@pytest.mark.clause("D2.3d", "B29.4")
@pytest.mark.parametrize(
    ("road", "kind", "at", "barred", "cited"),
    [
        ("C0-C1", "N", "C1", set(), set()),
        ("C1-C2", "S", "C1", {"D2.3d"}, set()),
        ("B1-C2", "SE", "B1", {"D2.3d"}, {"B29.4"}),
    ],
)
def test_roadblocks_on_roads(
    road: str, kind: str, at: str, barred: set[str], cited: set[str]
) -> None:
    """A distant roadblock, one on the bypassed hexside, one across its first vertex.

    Open Ground 4 MP, doubled 8; on foot 1 MF.
    """
    board = field({**HEXES, "C1": WOODS}, {road: {"road": "Dirt Road"}})
    found = (Counter(kind=f"roadblock-{kind}", at=at),)
    driven = last(place(board, vehicle(), counters=found), "bypass u C1")
    assert bars(driven) == barred
    assert total(driven) == 8
    walked = last(place(board, foot(), counters=found), "bypass u C1 vertex=SSE")
    assert cites(walked) == cited
    assert total(walked) == 1
