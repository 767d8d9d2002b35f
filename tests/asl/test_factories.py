"""Factories: Infantry is judged, except at the great doors; vehicles are not."""

from __future__ import annotations

import pytest

from marchtable.state.position import Counter
from tests.asl.boards import EIGHT, bars, cites, field, foot, last, paid, place, step, total

ROAD = {"road": "Dirt Road"}
FACTORY = {"terrain": "Stone Factory, 1.5 Level"}
WALL = {"terrain": "Wooden Factory Wall, 2.5 Level"}


@pytest.mark.clause("B23.74")
def test_a_factory_costs_2_from_outside() -> None:
    """From outside, or another building, a factory costs 2 MF; leaving it adds nothing."""
    for there in (FACTORY, WALL):
        enter = step(there=there, left=2)
        assert (paid(enter, "B23.74"), total(enter), enter.status) == (2, 2, "LEGAL")
        assert bars(step(there=there, left=1.5)) == {"A4.11b"}
        assert total(step(here={"terrain": "Stone Building"}, there=there)) == 2
        assert total(step(here=there)) == 1


@pytest.mark.clause("B23.742a")
@pytest.mark.parametrize(("choice", "cost"), [(None, 1), ("one", 1), ("apart", 2)])
def test_inside_a_factory(choice: str | None, cost: int) -> None:
    """Each hex inside costs 1 MF, or 2 where the register keeps adjacent hexes apart."""
    scene = {"readings": (("B23.742a", choice),) if choice else ()}
    inside = step(here=FACTORY, there=WALL, left=cost, scene=scene)
    assert (paid(inside, "B23.742a"), total(inside), inside.status) == (cost, cost, "LEGAL")
    assert bars(step(here=FACTORY, there=WALL, left=cost - 0.5, scene=scene)) == {"A4.11b"}
    assert inside.after.unit("u").move.road is False


@pytest.mark.clause("B23.742b")
def test_a_factorys_entrance_is_not_modelled() -> None:
    """At a stairwell hex, or one with a road hexside, entering is UNSUPPORTED; inside it is judged."""
    stairs = {**FACTORY, "stairway": True}
    assert cites(step(there=stairs)) == {"B23.742b"}
    assert cites(step(there=FACTORY, hexside=ROAD)) == {"B23.742b"}
    assert cites(step("inf", "enter u C2", there=stairs)) == set()
    assert step(here=FACTORY, there=stairs).status == "LEGAL"
    assert step(here=FACTORY, there=FACTORY, hexside=ROAD).status == "LEGAL"
    assert step(there={"terrain": "Stone Building", "stairway": True}).status == "LEGAL"


@pytest.mark.clause("B23.742c")
def test_vehicles_and_factories_are_not_modelled() -> None:
    """Vehicles and horses are UNSUPPORTED into, out of or inside one; past a factory they are judged."""
    for column in EIGHT[1:]:
        assert "B23.742c" in cites(step(column, there=FACTORY))
        assert "B23.742c" in cites(step(column, here=FACTORY))
        assert "B23.742c" in cites(step(column, here=FACTORY, there=WALL))
        assert step(column, "enter u C2", there=FACTORY).status == "LEGAL"
        assert step(column, there=FACTORY).status == "UNSUPPORTED"


@pytest.mark.clause("B23.73")
def test_market_places_are_open_on_the_ground() -> None:
    """All units pass as over Open Ground; a stair leads up, but which building it serves is unknown."""
    market = {"terrain": "Stone Market Place"}
    for column in EIGHT:
        assert total(step(column, there=market)) == total(step(column))
    assert bars(step("ft", there=market, left=0.5)) == {"D2.1b"}
    up = last(
        place(field({"A1": market, "A2": {"terrain": "Stone Building, 1 Level"}}), foot(at="A1")),
        "stairs u up",
    )
    assert (up.status, total(up), up.after.unit("u").place.floor) == ("LEGAL", 1, 1)
    assert cites(last(up.after, "enter u A2")) == {"B23.25"}
    assert step(there={"terrain": "Crags"}).is_legal


@pytest.mark.clause("B23.74", "B23.742a")
def test_from_rubble_of_a_factory() -> None:
    """From its rubble into the factory costs 1 MF, as inside; from other rubble 2, and into the rubble 3."""
    for here, cost in ((FACTORY, 1), ({"terrain": "Stone Building"}, 2), ({}, 2)):
        rubble = {"counters": (Counter(kind="stone-rubble", at="B1"),)}
        assert total(step(here=here, there=WALL, scene=rubble)) == cost
    ahead = {"counters": (Counter(kind="wooden-rubble", at="C1"),)}
    assert total(step(here=FACTORY, there=FACTORY, scene=ahead)) == 3
    assert total(step(here=FACTORY, there=FACTORY)) == 1
