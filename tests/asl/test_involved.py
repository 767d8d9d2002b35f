"""What is remembered of one position answers for another only if all that matters is equal."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import msgspec
import pytest

from marchtable.reach import reach
from tests.asl.boards import field, foot, place, vehicle
from tests.asl.test_towing import TYPES

WAY = ("A1", "B1", "C2", "D2", "E3", "F3", "G4", "H4")


def road(number: int) -> Any:
    """Return a row of hexes that is remembered apart from those of other numbers."""
    return field({name: {} for name in (*WAY, *[f"Z{n}" for n in range(20, 21 + number)])})


def far(position: Any, name: str) -> int:
    """Return how many Locations a unit reaches without a roll."""
    return len(reach(position, [name], rolls="avoid")[0].best())


def waiting(board: Any) -> dict[Any, Any]:
    """Return who waits for a parted Convoy, or for who has left one, and who is free."""
    walker = foot("u", at="A1", cx=True)
    done = vehicle("x", "opel-blitz", "G4", convoy="c", origin="c", mph="done", rank=1)
    rest = vehicle("y", "opel-blitz", "E3", convoy="d", origin="c", rank=3, moving=False)
    gone = vehicle(
        "x", "opel-blitz", "G4", left="declared", mph="moving", origin="c", spent=2, used=2
    )
    free = place(board, walker)
    return {place(board, walker, done, rest): "u", place(board, walker, gone): "u", free: "u"}


def seeing(board: Any) -> dict[Any, Any]:
    """Return who sees a friend, or an enemy of the same name, at night."""
    walker = foot("u", at="A1", cx=True, sees=("e",))
    sides = ("german", "russian")
    return {place(board, walker, foot("e", at="F3", side=side), nvr=2): "u" for side in sides}


def towing(board: Any) -> dict[Any, Any]:
    """Return who tows a Gun, or a mortar of the same name."""
    tractor = msgspec.structs.replace(
        vehicle("t", "spw-250", at="A1", moving=False), towing="g", spent=8, used=8
    )
    return {
        place(board, tractor, foot("g", kind, at="A1", towed_by="t"), types=TYPES): "t"
        for kind in ("gun", "mtr")
    }


@pytest.mark.parametrize("scenes", [waiting, seeing, towing])
def test_equal_names_are_not_equal_units(scenes: Any) -> None:
    """Whichever of alike positions is asked first, each gets the same answer."""
    count = len(scenes(road(0)))
    found = []
    for number, order in enumerate(permutations(range(count))):
        asked = [*scenes(road(number)).items()]
        told = {n: far(*asked[n]) for n in order}
        found.append([told[n] for n in range(count)])
    assert all(one == found[0] for one in found)
    assert len({*found[0]}) > 1
