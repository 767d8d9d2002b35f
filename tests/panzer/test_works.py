"""Mines, blocks and enemy forts in PanzerBlitz: a unit that enters stops there."""

from __future__ import annotations

from typing import Any

import pytest

import marchtable
from marchtable.planning.loop import plan
from marchtable.reachability.reach import reach
from marchtable.rules.clause import without
from marchtable.state.goal import Aim, Goal
from tests.panzer.scenes import (
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
)  # fmt: skip

ROAD = grid(
    {f"A{n}": {} for n in range(1, 5)}, {f"A{n}-A{n + 1}": {"road": "Dirt Road"} for n in (1, 2, 3)}
)
NEXT_TURN = ("phase Fire side=russian", "phase Fire side=german", "phase Movement")
ALIKE = (("mines", "PB.mines-a"), ("block", "PB.blocks"))


def lane(kind: str, *units: Any) -> Any:
    """Return units on a road, with a counter in its second hex."""
    return place(*units, board=ROAD, counters={kind: "A2"})


@pytest.mark.parametrize(("kind", "clause"), ALIKE)
@pytest.mark.clause("PB.mines-a", "PB.blocks")
def test_works_stop_units_that_come_in(kind: str, clause: str) -> None:
    """It costs as without the road rate, is the last hex of the phase, and can be left in the next."""
    position = lane(kind, truck(at="A1"), foe(at="A4"))
    assert paid(position, "move t A2") == 2
    assert bars(position, "move t A2", "move t A3") == {clause}
    assert bars(position, "move t A2", *NEXT_TURN, "move t A3") == set()
    assert bars(lane(kind, truck(at="A2")), "move t A3") == set()  # where it began
    assert "move t A3" not in offered(after(position, "move t A2"), "move")


@pytest.mark.clause("PB.blocks")
def test_a_block_is_entered_first() -> None:
    """Only by a unit that has entered no other hex in the phase; mines can be entered from afar."""
    for kind, barred in (("block", {"PB.blocks"}), ("mines", set())):
        assert bars(lane(kind, truck(at="A4")), "move t A3", "move t A2") == barred
        (found,) = marchtable.reach(lane(kind, truck(at="A4")), ["t"])
        assert found.is_exact
        assert {one.at for one in found.places} == (
            {"A3", "A4"} | ({"A2"} if kind == "mines" else set())
        )
    assert {one.at for one in reach(lane("block", truck(at="A3")), ["t"])[0].places} == {
        "A2",
        "A3",
        "A4",
    }


@pytest.mark.clause("PB.mines-b")
def test_a_unit_that_came_into_mines_attacks_nobody() -> None:
    """It neither fires nor assaults in that turn; a unit that stays in them can."""
    came = lane("mines", rifles(at="A1"), foe(at="A3"))
    assert bars(came, "move r A2", "phase Assault", "fire r") == {"PB.mines-b"}
    assert bars(came, "move r A2", "phase Assault", "assault r A3") == {"PB.mines-b"}
    stays = lane("mines", rifles(at="A2"), foe(at="A3"))
    assert bars(stays, "fire r") == bars(stays, "phase Assault", "assault r A3") == set()
    assert bars(came, "move r A2", *NEXT_TURN, "fire r") == set()
    assert (
        bars(lane("block", rifles(at="A1"), foe(at="A3")), "move r A2", "phase Assault", "fire r")
        == set()
    )


@pytest.mark.clause("PB.mines-c")
def test_whom_mines_attack() -> None:
    """A unit that entered this turn, in woods or not, a transport with its load; no other."""
    hit = "hit r DD fire=mines"
    assert after(lane("mines", rifles(at="A1")), "move r A2", hit).unit("r").dispersed == "DD"
    assert bars(lane("mines", rifles(at="A2")), hit) == {"PB.mines-c"}
    assert bars(lane("mines", rifles(at="A3")), "move r A4", hit) == {"PB.mines-c"}
    woods = field(stated={"C2": {"terrain": "Woods"}})
    hidden = place(rifles(), board=woods, counters={"mines": "C2"})
    assert bars(hidden, "move r C2", hit) == set()
    loaded = lane("mines", truck(at="A1", height=1), rifles(at="A1", aboard="t"))
    assert "PB.mines-c" in bars(loaded, "move t A2", hit)
    assert after(loaded, "move t A2", "hit t X fire=mines").unit("r").at is None


@pytest.mark.clause("PB.forts")
def test_a_fort_that_enemies_hold() -> None:
    """Units enter it and stop, and leave in their next turn; an unheld fort stops none."""
    held = lane("fort", tank(at="A1"), foe(at="A2"))
    assert bars(held, "move k A2") == set()
    assert bars(held, "move k A2", "move k A3") == {"PB.forts"}
    assert bars(held, "move k A2", *NEXT_TURN, "move k A3") == set()
    assert bars(lane("fort", tank(at="A1")), "move k A2", "move k A3") == set()
    assert {one.at for one in reach(held, ["k"])[0].places} == {"A1", "A2"}


@pytest.mark.clause("PB.overrun-b")
def test_nothing_that_stops_is_driven_through() -> None:
    """Mines, blocks and forts protect enemies in them from an overrun, and a block those beyond."""
    for kind in ("mines", "block", "fort"):
        assert bars(lane(kind, tank(at="A1"), foe(at="A2")), "overrun k A2") == {"PB.overrun-b"}
    beyond = place(tank(at="A1"), foe(at="A2"), board=ROAD, counters={"block": "A3"})
    assert bars(beyond, "overrun k A2") == {"PB.blocks"}


@pytest.mark.clause("PB.wrecks")
def test_blocks_fill_a_hex_in_panzer_leader() -> None:
    """They count there, and not in PanzerBlitz; mines count in neither."""
    for game, kind, broken in (
        ("panzer-leader", "block", {"P.opt-b"}), ("panzer-leader", "mines", set()), ("panzerblitz", "block", set()),
    ):  # fmt: skip
        crowd = [rifles(f"r{n}") for n in range(4 if game == "panzer-leader" else 3)]
        position = place(*crowd, counters={kind: "C3"}, readings={"P.opt-b-stacking": game})
        assert bars(position, "phase Assault") == broken


def test_plans_know_what_stops() -> None:
    """A plan goes round a block where that is quicker, and no farther than mines allow."""
    wide = field("AB", 4)
    goal = Goal(aims=(Aim(units=("t",), at=("A4",), must=1),))
    round_it = plan(place(truck(at="A1"), board=wide, counters={"block": "A2"}), goal)
    assert round_it.status == "OPTIMAL"
    assert all("A2" not in str(one) for one in round_it.plans[0].log)
    for kind, clause in ALIKE:  # and no farther than the clause allows
        assert plan(lane(kind, truck(at="A1")), goal).status == "IMPOSSIBLE"
        with without(clause):
            assert plan(lane(kind, truck(at="A1")), goal).status == "OPTIMAL"
