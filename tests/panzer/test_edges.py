"""Entering and leaving the map in PanzerBlitz, and close assaults."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.errors import BadInputError
from marchtable.reachability.reach import reach
from marchtable_models.panzer.rules.assaults import Assault
from tests.panzer.scenes import (
    PANZER,
    after,
    bars,
    field,
    foe,
    grid,
    offered,
    paid,
    place,
    rifles,
    tank,
    truck,
    unit,
    wagon,
)  # fmt: skip

WAITS = truck(at=None, entering=("A1", "A2"))
STORM = "assault r C2"
ENEMY = foe("e", at="C2")


# -- the map's edge --------------------------------------------------------------------------------


@pytest.mark.clause("PB.entry")
def test_a_unit_that_waits_comes_on() -> None:
    """By the stated hexes, at the first one's cost, and on from there; by no others."""
    position = place(WAITS)
    assert paid(position, "move t A1") == 2
    assert after(position, "move t A1", "move t A2").unit("t").spent == 2 * 4
    assert bars(position, "move t B1") == {"PB.entry"}
    assert bars(position, "move t A1", "move t B1") == set()
    assert not offered(position, "overrun")
    assert offered(position, "move") == {"move t A1", "move t A2"}
    assert after(position, "move t A1").unit("t").entering == ()


@pytest.mark.clause("PB.move")
def test_who_comes_on() -> None:
    """A waiting unit, in its side's movement phase; not one that is gone or carried."""
    assert bars(place(rifles(at=None)), "move r A1") >= {"PB.move"}
    assert bars(place(WAITS, phase="Fire"), "move t A1") == {"PB.move"}
    loaded = place(WAITS, rifles(at=None, aboard="t"))
    assert bars(loaded, "move r A1") >= {"P.turn-c"}
    assert after(loaded, "move t A1").unit("r").at == "A1"
    assert bars(place(WAITS), "exit t") >= {"PB.move"}


@pytest.mark.clause("P.move-a")
def test_coming_on_by_road() -> None:
    """Woods can be entered only by road, and a road saves cost as on the map."""
    hexes = {"A1": {"terrain": "Woods"}, "A2": {"terrain": "Dirt Road"}}
    board = grid(hexes)
    assert bars(place(WAITS, board=board), "move t A1") == {"P.move-a"}
    assert paid(place(WAITS, board=board), "move t A2") == 0.5


def test_reach_of_a_unit_that_waits() -> None:
    """It holds everything reachable by each of its hexes, one of them its first."""
    (found,) = reach(place(truck(at=None, entering=("A1",)), board=field("A", 9)), ["t"])
    assert {one.at for one in found.places} == {f"A{n}" for n in range(1, 7)}
    for one in found.places:
        found.replay(one)


@pytest.mark.clause("PB.exit")
def test_leaving() -> None:
    """From an edge hex, for a point, with the load, and for good; not from within, nor with nothing left."""
    loaded = place(truck(at="A1", height=1), rifles(at="A1", aboard="t"))
    assert paid(loaded, "exit t") == 1
    gone = after(loaded, "exit t")
    assert [(one.at, one.aboard) for one in gone.units] == [(None, None)] * 2
    assert bars(place(truck()), "exit t") == {"PB.exit"}
    assert bars(place(truck(at="A1"), foe()), "exit e") == {"PB.move"}
    assert bars(loaded, "exit r") >= {"P.turn-c"}
    for spent, broken in ((14, set()), (15, {"PB.pay"})):
        assert bars(place(tank(at="A1", spent=spent, entered=True)), "exit k") == broken
    assert bars(gone, "move t A1") >= {"PB.move"}


@pytest.mark.clause("PB.exit")
def test_a_unit_that_unloads_leaves_within_half() -> None:
    """Leaving counts as a hex of the half that an unloading transport can move."""
    position = place(wagon(at="A1", height=1), rifles(at="A1", aboard="w"))
    assert bars(position, "unload w r", "exit w") == set()
    assert bars(position, "unload w r", "move w A2", "move w A1") >= {"P.turn-b"}


# -- close assaults --------------------------------------------------------------------------------


@pytest.mark.clause("PB.assault-a")
def test_who_assaults_whom() -> None:
    """Infantry, engineers and cavalry adjacent to enemies, in the Assault phase, that have not attacked."""

    def tried(*units: Any, line: str = STORM, **fields: Any) -> set[str]:
        return bars(place(*units, **{"phase": "Assault", **fields}), line)

    assert tried(rifles(), ENEMY) == tried(unit("r", "german-engineers"), ENEMY) == set()
    assert tried(unit("r", "cavalry"), ENEMY) == set()
    for kind in ("pz-iv-h", "german-mortar", "german-command-post"):
        assert tried(unit("r", kind), ENEMY) == {"PB.assault-a"}
    assert tried(rifles(), ENEMY, phase="Movement") == {"PB.assault-a"}
    assert tried(rifles(), ENEMY, side="russian") == {"PB.assault-a"}
    assert tried(rifles()) == {"PB.assault-a"}
    assert tried(rifles(), foe("e", at="C1"), line="assault r C1") == {"PB.assault-a"}
    assert tried(rifles(fired="earlier"), ENEMY) == {"PB.assault-a"}
    assert tried(rifles(), ENEMY, line="assault r,r C2") == {"PB.assault-a"}
    assert tried(rifles(dispersed="D"), ENEMY) == {"PB.dispersed"}
    two = place(rifles(), rifles("s", at="B3"), ENEMY, phase="Assault")
    done = after(two, "assault r,s C2")
    assert [done.unit(name).fired for name in "rs"] == ["now", "now"]
    assert bars(done, "fire r") == {"PB.fire"}
    with pytest.raises(BadInputError, match="at least one"):
        PANZER.rule(two, Assault((), "C2"))


@pytest.mark.clause("PB.assault-b")
def test_after_how_much_movement() -> None:
    """After one hex, not after two: riders of the steppe have moved too far."""
    horse = unit("r", "cavalry", "C4")
    assert bars(place(horse, ENEMY), "move r C3", "phase Assault", STORM) == set()
    far = place(unit("r", "cavalry", "C5"), ENEMY)
    assert bars(far, "move r C4", "move r C3", "phase Assault", STORM) == {"PB.assault-b"}
    foot = place(rifles(at="C4"), ENEMY)
    assert bars(foot, "move r C3", "phase Assault", STORM) == set()


@pytest.mark.clause("PB.assault-c")
def test_passengers_do_not_assault() -> None:
    """Neither a carried unit nor one unloaded in that turn; one unloaded in the last turn can."""
    pair = (truck(height=1), rifles(aboard="t"), ENEMY)
    assert bars(place(*pair, phase="Assault"), STORM) == {"PB.assault-c"}
    assert bars(place(*pair), "unload t r", "phase Assault", STORM) == {"PB.assault-c"}
    turn = ("phase Fire side=russian", "phase Assault side=german")
    assert bars(place(*pair), "unload t r", *turn, STORM) == set()


@pytest.mark.clause("PB.assault-d")
def test_its_results_are_stated() -> None:
    """For units in a hex assaulted this turn, for a loaded transport but not its passenger."""
    hit = "hit e DD fire=assault"
    position = place(rifles(), ENEMY, foe("x", at="C1"), phase="Assault")
    assert after(position, STORM, hit).unit("e").dispersed == "DD"
    assert bars(position, hit) == {"PB.assault-d"}
    assert bars(position, STORM, "hit x D fire=assault") == {"PB.assault-d"}
    assert bars(position, STORM, "phase Fire side=russian", hit) == {"PB.assault-d"}
    ridden = place(
        rifles(), foe("e", "t-34c", "C2", height=1), foe("p", at="C2", aboard="e"), phase="Assault",
    )  # fmt: skip
    assert "PB.assault-d" in bars(ridden, STORM, "hit p D fire=assault")
    assert after(ridden, STORM, "hit e X fire=assault").unit("p").at is None
