"""Firing and observing units: transports, passengers, carried observers."""

from __future__ import annotations

import pytest

from tests.panzer.scenes import bars, foe, last, place, rifles, stated, truck, unit

OBSERVER = unit("o", "german-observer", aboard="t")


@pytest.mark.clause("P.fire-a")
def test_transports_fire_while_they_load() -> None:
    """A transport can fire in the phase in which it loads or unloads, as in any other."""
    half = unit("h", "sdkfz-251")
    waiting, carrying = place(half, rifles()), place(half, rifles(aboard="h"))
    assert bars(waiting, "fire h") == set()
    assert bars(waiting, "load h r", "fire h") == set()
    assert bars(carrying, "unload h r", "fire h") == set()
    assert stated(last(waiting, "load h r").after, "h")["fire"][0]


@pytest.mark.clause("P.fire-c")
def test_passengers_never_fire() -> None:
    """A carried unit cannot fire in any phase; once unloaded it can in the next."""
    for phase in ("Fire", "Movement", "Assault"):
        assert "P.fire-c" in bars(place(truck(), rifles(aboard="t"), phase=phase), "fire r")
    assert bars(place(truck(), rifles()), "fire r") == set()
    carrying = place(truck(), rifles(aboard="t"))
    assert bars(carrying, "unload t r", "phase Assault", "fire r") == set()
    assert stated(carrying, "r")["fire"] == (False, None)
    assert stated(carrying, "t")["fire"] == (True, None)


@pytest.mark.clause("P.fire-b")
def test_carried_observers_observe() -> None:
    """A carried observer observes while its transport stays, which can fire meanwhile."""
    position = place(truck(), OBSERVER)
    assert bars(position, "observe o") == set()
    assert bars(position, "fire t", "observe o") == set()
    assert bars(position, "move t C4", "observe o") == {"P.fire-b"}
    assert bars(position, "observe o", "move t C4") == {"P.fire-b"}
    assert bars(position, "observe o", "unload t o") == set()
    assert stated(position, "o")["observe for indirect fire"][0]


@pytest.mark.clause("P.fire-b")
def test_only_observers_observe_when_carried() -> None:
    """Rifles observe on foot, not aboard; an observer can again in the next turn."""
    assert bars(place(truck(), rifles()), "observe r") == set()
    assert bars(place(truck(), rifles(aboard="t")), "observe r") == {"P.fire-b"}
    position = place(truck(), OBSERVER, foe())
    turn = ("phase Fire side=russian", "phase Fire side=german")
    assert bars(position, "move t C4", "phase Assault", "observe o") == {"P.fire-b"}
    assert bars(position, "move t C4", *turn, "observe o") == set()


@pytest.mark.clause("PB.observe")
def test_class_c_units_do_not_spot() -> None:
    """Trucks do not observe, nor do units off the map or out of their turn; C(I) units do."""
    assert bars(place(truck()), "observe t") == {"PB.observe"}
    assert bars(place(unit("h", "sdkfz-251")), "observe h") == set()
    assert bars(place(rifles(at=None)), "observe r") == {"PB.observe"}
    assert bars(place(foe(), phase="Fire"), "observe e") == {"PB.observe"}
    assert bars(place(foe()), "observe e") == set()


@pytest.mark.clause("PB.fire")
def test_a_unit_fires_once_a_turn() -> None:
    """A unit fires once a turn: in its side's turn, or while enemies move."""
    assert bars(place(rifles(), phase="Fire"), "fire r") == set()
    assert bars(place(rifles(), phase="Fire"), "fire r", "fire r") == {"PB.fire"}
    assert bars(place(rifles(), phase="Fire"), "fire r", "phase Assault", "fire r") == {"PB.fire"}
    assert bars(place(foe()), "fire e") == set()
    assert bars(place(foe(), phase="Fire"), "fire e") == {"PB.fire"}
    assert "PB.fire" in bars(place(rifles(at=None)), "fire r")
    turn = ("phase Fire side=russian", "phase Fire side=german")
    assert bars(place(rifles(), foe(), phase="Fire"), "fire r", *turn, "fire r") == set()


@pytest.mark.clause("P.fire-a")
def test_loading_is_over_with_its_phase() -> None:
    """In the assault phase nothing is being loaded any more, so no exception applies."""
    position = place(truck(), rifles())
    assert last(position, "load t r", "fire t").exceptions
    assert not last(position, "load t r", "phase Assault", "fire t").exceptions
