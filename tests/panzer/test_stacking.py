"""Stacking: no unloading into full hexes, and limits as a movement phase ends."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable_models.panzer.model import Faction
from tests.panzer.scenes import bars, last, place, rifles, truck, unit

END = "phase Assault"


def crowd(count: int, at: str = "C3") -> list[Any]:
    """Return this many rifles in a hex."""
    return [rifles(f"x{number}", at) for number in range(count)]


@pytest.mark.clause("P.stack-a")
def test_no_unloading_into_a_full_hex() -> None:
    """Of three German units to a hex, a loaded truck and one more leave room to unload; two do not."""
    for others, found in ((0, set()), (1, set()), (2, {"P.stack-a"})):
        position = place(truck(), rifles(aboard="t"), *crowd(others))
        assert bars(position, "unload t r") == found
    (violation,) = last(position, "unload t r").violations
    assert (violation.need, violation.have) == (4, 3)


@pytest.mark.clause("P.stack-a")
def test_russians_stack_two() -> None:
    """Two Russian units can be in a hex: a loaded truck alone can unload, beside another it cannot."""
    loaded = (unit("t", "russian-truck"), unit("r", "russian-rifles", aboard="t"))
    assert bars(place(*loaded), "unload t r") == set()
    assert bars(place(*loaded, unit("s", "russian-rifles")), "unload t r") == {"P.stack-a"}


@pytest.mark.clause("P.one-a")
def test_a_loaded_pair_counts_as_one() -> None:
    """Transport and passenger stack as one unit while loaded, and as two when not."""
    pair = (truck(), rifles(aboard="t"))
    assert bars(place(*pair, *crowd(2)), END) == set()
    assert bars(place(*pair, *crowd(3)), END) == {"P.opt-b"}
    assert bars(place(truck(), rifles(), *crowd(1)), END) == set()
    assert bars(place(truck(), rifles(), *crowd(2)), END) == {"P.opt-b"}


@pytest.mark.clause("P.opt-b")
def test_limits_as_the_phase_ends() -> None:
    """The limit applies as the movement phase ends: units can pass through a full hex."""
    full = crowd(3, "C4")
    passing = place(truck(), *full)
    assert bars(passing, "move t C4", "move t C5") == set()
    assert bars(passing, "move t C4", END) == {"P.opt-b"}
    assert bars(passing, END) == set()


@pytest.mark.clause("P.opt-b")
def test_limits_of_a_scene() -> None:
    """A scene's own faction sets the limit."""
    narrow = {"factions": (Faction(name="german", stacking=1, leader_stacking=4),)}
    assert bars(place(truck(), conditions=narrow), END) == set()
    assert bars(place(truck(), rifles(), conditions=narrow), END) == {"P.opt-b"}
    assert bars(place(truck(), rifles(aboard="t"), conditions=narrow), "unload t r") == {
        "P.stack-a"
    }
