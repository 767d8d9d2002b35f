"""Placing Demolition Charges: which units, where, the cost, and the DC placed."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable_models.asl.model import SupportWeapon
from tests.asl.boards import bars, cites, field, foot, last, place, total, vehicle

BOARD = field(
    {"B1": {}, "C1": {"terrain": "Stone Building"}, "B2": {}, "A1": {"level": 1}, "B3": {}, "A2": {"terrain": "Marsh"}},
    {"B1-A1": {"terrain": "Cliff"}, "B1-B2": {"terrain": "Wall"}},
)  # fmt: skip
CHARGE = SupportWeapon(name="DC", pp=1)


def placed(
    line: str = "place u DC C1", *others: Any, log: tuple[str, ...] = (), **fields: Any
) -> Any:
    """Return the ruling on placing a DC."""
    scene = {name: fields.pop(name) for name in ("phase", "smoke") if name in fields}
    unit = foot(**{"sw": (CHARGE,), **fields})
    return last(place(BOARD, unit, *others, **scene), *log, line)


@pytest.mark.clause("A23.3a")
def test_who_places() -> None:
    """Good Order Infantry with a DC can; not with another SW, aboard or disrupted."""
    assert placed().status == "LEGAL"
    assert bars(placed(disrupted=True)) == {"A23.3a"}
    assert bars(placed("place u LMG C1", sw=(SupportWeapon(name="LMG", pp=1),))) == {"A23.3a"}
    assert bars(placed(sw=())) == {"A23.3a"}
    assert bars(placed(pinned=True)) == {"A7.8a"}
    assert "A3.3" in bars(placed(phase="APh"))


@pytest.mark.clause("A23.3b")
def test_where() -> None:
    """An adjacent Location it could enter; not its own, a farther one, or a steep hill's marsh for all MF."""
    assert not bars(placed("place u DC B2"))
    for there in ("B1", "B3"):
        assert bars(placed(f"place u DC {there}")) == {"A23.3b"}
    enemy = foot("e", at="C1", side="russian")
    assert placed("place u DC C1", enemy).status == "LEGAL"


@pytest.mark.clause("A23.3c")
def test_what_is_not_known() -> None:
    """Against a Known tank a MMC needs a task check first, a SMC none; up a cliff none can be placed."""
    tank = vehicle("t", "ft-12", at="C1", side="russian")
    assert cites(placed("place u DC C1", tank)) == {"A23.3c"}
    assert not cites(placed("place u DC C1", tank, kind="leader"))
    assert bars(placed("place u DC A1")) == {"A23.3b"}


@pytest.mark.clause("A23.3d")
def test_what_it_costs() -> None:
    """The entry cost: 2 into a house, 2 over a wall, 3 with SMOKE; the unit must have that much."""
    assert (total(placed()), total(placed("place u DC B2"))) == (2, 2)
    assert total(placed(smoke=("C1",))) == 3
    spent: dict[str, Any] = {"spent": 6, "used": 6, "mph": "moving"}
    assert bars(placed(**spent)) == {"A4.11b"}
    assert not bars(placed(spent=4, used=4, mph="moving"))
    enemy = foot("e", "leader", at="C1", side="russian")
    assert total(placed("place u DC C1", enemy)) == 2


@pytest.mark.clause("A23.3e")
def test_what_lies_there() -> None:
    """A placed DC lies in the hex until the Player Turn ends; its placer stays, can move on, and has portaged its PP."""
    after = placed().after
    unit = after.unit("u")
    assert (unit.at, unit.sw, unit.points.portaged) == ("B1", (), 1)
    assert [(c.kind, c.at) for c in after.counters] == [("placed-dc", "C1")]
    assert last(after, "enter u B2").status == "LEGAL"
    assert last(after, "phase AFPh").after.counters
    assert not last(after, "phase RPh side=russian").after.counters
    friend = last(place(BOARD, foot("v"), counters=after.counters), "enter v C1")
    assert (friend.status, total(friend, "v")) == ("LEGAL", 2)
    assert bars(last(after, "place u DC C1")) == {"A23.3a"}
