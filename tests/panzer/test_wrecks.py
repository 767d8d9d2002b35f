"""Wrecks and forts in PanzerBlitz: their effect on stacking and roads."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.state.position import Counter
from marchtable.state.records import replace
from tests.panzer.scenes import bars, foe, grid, paid, place, rifles, truck
from tests.panzer.test_stacking import END

ROAD = grid({"A1": {}, "A2": {}, "A3": {}}, {"A1-A2": {"road": "Dirt Road"}})
LEADER = {"P.opt-b-stacking": "panzer-leader", "P.opt-b-road": "panzer-leader"}


def there(*units: Any, kinds: tuple[str, ...] = (), **fields: Any) -> Any:
    """Return a position with counters in A2."""
    position = place(*units, board=ROAD, **fields)
    return replace(position, counters=tuple(Counter(kind=kind, at="A2") for kind in kinds))


@pytest.mark.clause("PB.wrecks")
def test_wrecks_fill_a_hex() -> None:
    """Three Germans can be there, or two and a wreck; a fort takes no place except in Panzer Leader."""

    def ends(count: int, *kinds: str, **fields: Any) -> set[str]:
        units = [rifles(f"r{n}", at="A2") for n in range(count)]
        return bars(there(*units, foe(at="A3"), kinds=kinds, **fields), END)

    assert [ends(2, "wreck"), ends(3, "wreck"), ends(2, "wreck", "wreck")] == [
        set(), {"P.opt-b"}, {"P.opt-b"},
    ]  # fmt: skip
    assert ends(3, "fort") == set()
    assert ends(4, readings=LEADER) == set()
    assert ends(4, "fort", readings=LEADER) == ends(4, "wreck", readings=LEADER) == {"P.opt-b"}


def test_wrecks_spoil_the_road() -> None:
    """Not the hex: it costs as without the road rate; a fort costs nothing."""

    def cost(*kinds: str, **fields: Any) -> float:
        return float(paid(there(truck(at="A1"), kinds=kinds, **fields), "move t A2"))

    assert [cost(), cost("wreck"), cost("fort")] == [0.5, 2, 0.5]
    assert [cost("wreck", "wreck", readings=LEADER), cost("fort", readings=LEADER)] == [0.5, 2]


@pytest.mark.clause("PB.enemies")
def test_a_fort_that_enemies_hold() -> None:
    """It can be entered; without a fort enemies forbid entry."""
    held = there(rifles(at="A1"), foe(at="A2"), kinds=("fort",))
    assert bars(held, "move r A2") == set()
    assert bars(there(rifles(at="A1"), foe(at="A2"), kinds=("wreck",)), "move r A2") == {
        "PB.enemies"
    }
