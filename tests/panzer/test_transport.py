"""The turn of a transport: load, carry, carry and unload; half the allowance; units that rest."""

from __future__ import annotations

import itertools

import pytest

from marchtable.errors import BadInputError
from marchtable_models.panzer.rules.stack_order import stack_order
from tests.panzer.scenes import (
    after,
    bars,
    field,
    foe,
    grid,
    judge,
    last,
    offered,
    paid,
    place,
    rifles,
    tank,
    truck,
    unit,
    wagon,
)  # fmt: skip

ROAD = [f"A{n}" for n in range(1, 21)]
LANE = grid(
    {name: {} for name in ROAD},
    {f"{a}-{b}": {"road": "Dirt Road"} for a, b in itertools.pairwise(ROAD)},
)
"""A road twenty hexes long: half a point a hex."""


def along(first: int, count: int, name: str = "t") -> list[str]:
    """Return that many steps down the lane."""
    return [f"move {name} A{first + n}" for n in range(1, count + 1)]


# -- one of three things ---------------------------------------------------------------------------


@pytest.mark.clause("P.turn-a")
def test_one_of_three() -> None:
    """A transport loads, or carries, or carries and unloads, only in its own movement phase."""
    waiting, loaded = place(truck(), rifles()), place(truck(), rifles(aboard="t"))
    assert judge(waiting, "load t r").status == "LEGAL"
    assert judge(loaded, "move t C4").status == "LEGAL"
    assert judge(loaded, "move t C4", "unload t r").status == "LEGAL"
    for phase in ("Fire", "Assault"):
        assert bars(place(truck(), rifles(), phase=phase), "load t r") == {"P.turn-a"}
        carrying = place(truck(), rifles(aboard="t"), phase=phase)
        assert bars(carrying, "unload t r") == {"P.turn-a"}
    assert bars(place(truck(), rifles(), side="russian"), "load t r") == {"P.turn-a"}


@pytest.mark.clause("P.turn-a")
def test_one_passenger() -> None:
    """It carries one unit, of its own hex and side, that is not aboard already."""
    full = place(truck(), rifles("r", aboard="t"), rifles("s"))
    assert "P.turn-a" in bars(full, "load t s")
    assert "P.turn-a" in bars(place(truck(), truck("u"), rifles(aboard="t")), "load u r")
    assert bars(place(truck(), rifles(at="C4")), "load t r") == {"P.turn-a"}
    assert "P.turn-a" in bars(place(truck(), rifles(side="russian")), "load t r")
    assert "P.turn-a" in bars(place(truck(), rifles()), "load t t")
    assert bars(place(truck(), rifles()), "unload t r") == {"P.turn-a"}
    assert bars(place(truck(), truck("u"), rifles(aboard="t")), "unload u r") == {"P.turn-a"}
    assert offered(place(truck(), rifles(), rifles("s", at="C4")), "load") == {"load t r"}


@pytest.mark.clause("P.turn-d")
def test_three_things_exclude_each_other() -> None:
    """No carrying after loading, no unloading after loading, no loading after unloading."""
    waiting = place(truck(), rifles(), rifles("s"), foe())
    assert judge(waiting, "load t r").status == "LEGAL"
    assert bars(waiting, "load t r", "move t C4") == {"P.turn-d"}
    assert bars(waiting, "load t r", "unload t r") == {"P.turn-d"}
    carrying = place(truck(), rifles(aboard="t"), rifles("s"))
    assert bars(carrying, "unload t r", "load t s") == {"P.turn-d"}
    next_turn = ("phase Fire side=russian", "phase Fire side=german", "phase Movement")
    assert bars(waiting, "load t r", *next_turn, "move t C4") == set()


# -- half the movement factor ----------------------------------------------------------------------


@pytest.mark.clause("P.turn-b")
def test_half_before_unloading() -> None:
    """A truck of 12 MF can unload after spending 6, but not after 6.5."""
    position = place(truck(at="A1"), rifles(at="A1", aboard="t"), board=LANE)
    assert bars(position, *along(1, 12), "unload t r") == set()
    assert bars(position, *along(1, 13), "unload t r") == {"P.turn-b"}
    (violation,) = last(position, *along(1, 13), "unload t r").violations
    assert (violation.need, violation.have) == (13, 12)


@pytest.mark.clause("P.turn-b")
def test_half_after_unloading() -> None:
    """Once it has unloaded, it has 6 MF left of 12, and not 6.5."""
    position = place(truck(at="A1"), rifles(at="A1", aboard="t"), board=LANE)
    unloaded = after(position, "unload t r", *along(1, 12))
    assert unloaded.unit("t").spent == 12
    assert bars(unloaded, "move t A14") == {"P.turn-b"}
    assert bars(after(position, *along(1, 12)), "move t A14") == set()


@pytest.mark.clause("P.turn-b")
@pytest.mark.parametrize(
    ("kind", "half"),
    [("german-truck", 6), ("allied-truck", 7), ("sdkfz-251", 5), ("t-34c", 5), ("su-76", 4),
     ("pz-iv-h", 4), ("german-wagon", 1)],
)  # fmt: skip
def test_halves_are_rounded_down(kind: str, half: int) -> None:
    """Half of 12, 14, 10, 11, 9, 8 and 3 MF is 6, 7, 5, 5, 4, 4 and 1."""
    position = place(unit("t", kind, "A1"), rifles(at="A1", aboard="t"), board=LANE)
    steps = along(1, 2 * half)
    assert bars(position, *steps, "unload t r") == set()
    assert "P.turn-b" in bars(position, *steps, f"move t A{2 * half + 2}", "unload t r")


@pytest.mark.clause("P.turn-e")
def test_wholly_before_or_after() -> None:
    """A transport that moved a step before unloading cannot move one after it."""
    position = place(truck(at="A1"), rifles(at="A1", aboard="t"), board=LANE)
    assert bars(position, "unload t r", "move t A2") == set()
    assert bars(position, "move t A2", "unload t r") == set()
    assert bars(position, "move t A2", "unload t r", "move t A3") == {"P.turn-e"}


# -- the passenger ---------------------------------------------------------------------------------


@pytest.mark.clause("P.turn-c")
def test_passenger_rests() -> None:
    """A loaded or unloaded unit neither moves nor fires in that phase; others do, and so does it later."""
    carrying = place(truck(), rifles(aboard="t"), rifles("s"))
    assert bars(carrying, "unload t r", "move r C4") == {"P.turn-c"}
    assert bars(carrying, "unload t r", "fire r") == {"P.turn-c"}
    assert bars(carrying, "unload t r", "move s C4") == set()
    assert bars(carrying, "unload t r", "fire s") == set()
    assert bars(carrying, "unload t r", "phase Assault", "fire r") == set()


@pytest.mark.clause("P.turn-c")
def test_no_loading_of_units_that_moved_or_fired() -> None:
    """A unit that moved or fired in this phase cannot be loaded in it; one that fired before can be."""
    position = place(truck(), rifles(at="C4"), rifles("s"))
    assert bars(position, "move r C3", "load t r") == {"P.turn-c"}
    assert bars(position, "fire s", "load t s") == {"P.turn-c"}
    early = place(truck(), rifles("s"), phase="Fire")
    assert bars(early, "fire s", "phase Movement", "load t s") == set()


@pytest.mark.clause("P.turn-c")
def test_passenger_travels_along() -> None:
    """A passenger goes where its transport goes, and not by itself."""
    position = place(truck(), rifles(aboard="t"))
    assert bars(position, "move r C4") == {"P.turn-c"}
    moved = after(position, "move t C4", "move t C5")
    assert [moved.unit(name).at for name in "tr"] == ["C5", "C5"]
    assert moved.unit("r").aboard == "t"


@pytest.mark.clause("PB.dispersed")
def test_dispersed_units_do_nothing() -> None:
    """Dispersed units can neither move, load, be loaded, fire nor observe, until they recover."""
    for state in ("D", "DD"):
        hurt = place(truck(dispersed=state), rifles())
        assert bars(hurt, "move t C4") == {"PB.dispersed"}
        assert bars(hurt, "load t r") == {"PB.dispersed"}
        assert bars(hurt, "fire t") == {"PB.dispersed"}
        assert bars(hurt, "recover t", "load t r") == set()
    assert bars(place(truck(), rifles(dispersed="D")), "load t r") == {"PB.dispersed"}
    aboard = place(truck(), rifles(aboard="t", dispersed="D"))
    assert bars(aboard, "unload t r") == {"PB.dispersed"}
    assert bars(place(rifles(dispersed="D")), "observe r") == {"PB.dispersed"}


# -- the order of the stack ------------------------------------------------------------------------


def order(position: object, at: str = "C3") -> str:
    """Return the units of a hex from the top of its stack down."""
    return "".join(found.id for found in stack_order(position, at))  # type: ignore[arg-type]


@pytest.mark.clause("P.rec-a")
def test_order_of_the_stack() -> None:
    """A transport lies directly above what it carries; unloaded, beneath the transportable units."""
    position = place(truck(height=0), rifles("r", height=1), rifles("s", height=2))
    assert order(position) == "srt"
    loaded = after(position, "load t r")
    assert order(loaded) == "trs"
    carrying = place(
        tank(height=-3), rifles("s"), rifles("r", aboard="t", height=1), truck(height=2),
        readings={"P.opt-b-stacking": "panzer-leader"},
    )  # fmt: skip
    assert order(carrying) == "trsk"
    assert order(after(carrying, "unload t r")) == "rstk"


@pytest.mark.clause("P.rec-a")
def test_a_wrong_order_is_rejected() -> None:
    """A scene with a passenger not beneath its transport in the stack is rejected."""
    with pytest.raises(BadInputError, match="directly beneath t"):
        place(truck(height=0), rifles("r", aboard="t", height=3))


@pytest.mark.clause("P.rec-a")
def test_order_survives_a_move() -> None:
    """A loaded pair goes on top of the stack it joins, in its order."""
    position = place(truck(height=2), rifles(aboard="t", height=1), rifles("s", at="C4", height=7))
    assert order(after(position, "move t C4"), "C4") == "trs"
    empty = after(position, "move t C4", "unload t r")
    assert order(empty, "C4") == "rst"


# -- prices of moving ------------------------------------------------------------------------------


@pytest.mark.clause("PB.mf", "PB.pay")
def test_movement_factor_is_the_limit() -> None:
    """Rifles enter one hex, a truck six clear ones at 2 each, and neither one more."""
    board = field("A", 9)
    assert bars(place(rifles(at="A1"), board=board), "move r A2", "move r A3") == {"PB.pay"}
    position = place(truck(at="A1"), board=board)
    steps = [f"move t A{n}" for n in range(2, 8)]
    assert after(position, *steps).unit("t").spent == 24
    assert bars(position, *steps, "move t A8") == {"PB.pay"}


@pytest.mark.clause("PB.one-hex")
def test_one_hex_always() -> None:
    """A wagon of 3 MF can enter a gully's far bank at 4 for its whole allotment, but only as its first hex."""
    deep = {"terrain": "Gully", "depression": "Gully", "level": -1}
    board = field("A", 3, {"A1": deep})
    assert paid(place(wagon(at="A1"), board=board), "move w A2") == 3
    assert bars(place(wagon(at="A1"), board=board), "move w A2", "move w A3") == {"PB.pay"}
    late = wagon(at="A1", entered=True, spent=1)
    assert bars(place(late, board=board), "move w A2") == {"PB.pay"}
    swamp = field("A", 2, {"A2": {"terrain": "Marsh"}})
    assert bars(place(wagon(at="A1"), board=swamp), "move w A2") == {"P.move-a"}


@pytest.mark.clause("PB.move")
def test_who_moves() -> None:
    """Units move in their own movement phase, on the map, and with a movement factor."""
    assert bars(place(rifles()), "move r C4") == set()
    assert bars(place(rifles(), phase="Fire"), "move r C4") == {"PB.move"}
    assert bars(place(rifles(), side="russian"), "move r C4") == {"PB.move"}
    assert bars(place(unit("g", "german-gun")), "move g C4") == {"PB.move"}
    assert "PB.move" in bars(place(rifles(at=None)), "move r C4")


@pytest.mark.clause("PB.adjacent")
def test_steps_are_single() -> None:
    """A step leads only to an adjacent hex."""
    assert bars(place(truck()), "move t C4") == set()
    assert bars(place(truck()), "move t C5") == {"PB.adjacent"}
