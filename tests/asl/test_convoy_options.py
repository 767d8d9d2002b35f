"""Convoys in `options`: their range, their poorest vehicle, and which can leave and why."""

from __future__ import annotations

from typing import Any

from marchtable.play.options import options
from marchtable.state.records import replace
from tests.asl.boards import place, vehicle
from tests.asl.test_columns import column
from tests.asl.test_convoys import convoy, road
from tests.asl.test_gaps import after
from tests.asl.test_snow_and_late import snowed


def stated(position: Any, unit: str) -> dict[str, Any]:
    """Return the report on the Impulse a unit can open."""
    (found,) = options(position, unit)["units"]
    (impulse,) = [a for a in found["actions"] if a["verb"] == "impulse"]
    return {detail["what"]: detail["value"] for detail in impulse.get("details", ())}


def leaving(position: Any, unit: str) -> tuple[bool, list[str]] | None:
    """Return whether a unit can leave its Convoy, and by which clauses."""
    (found,) = options(position, unit)["units"]
    entries = [e for e in found["entitlements"] if e["what"] == "leave its Convoy"]
    return (entries[0]["allowed"], entries[0]["clauses"]) if entries else None


def test_the_poorest_vehicle_decides() -> None:
    """A Convoy can afford as many Impulses by road, at 2 MP, as its poorest vehicle can."""
    position = convoy(4, 5, 6)
    poor = replace(position.unit("t2"), spent=69, used=69)
    position = position.with_units([poor])
    found = stated(position, "t1")
    assert found["poorest"] == "t2, 5.5 MP left"
    assert found["further Impulses by road, at 2 MP"] == 2
    assert found["ways to make this Impulse"] > 50


def test_what_the_road_ahead_costs() -> None:
    """The MP of such an Impulse are those of the clauses; with no road ahead none are listed."""
    for kinds, cost in ((("ft-40", "ht-40"), 2), (("ft-40", "tr-40"), 3)):
        found = stated(snowed(*kinds), "t1")
        assert found[f"further Impulses by road, at {cost} MP"] == 40 // cost
    astray = stated(snowed("ft-40", "tr-40", paved=False), "t1")
    assert "poorest" in astray
    assert not any("by road" in what for what in astray)


def test_what_an_impulse_by_road_waits_for() -> None:
    """A stopped Convoy pays its Start first; a blind AFV, or one that stopped this MPh, cannot move."""
    what = "further Impulses by road, at {} MP"

    def further(cost: int, convoy_: Any = None, **fields: Any) -> int:
        position = convoy_ or convoy(4, 5, 6)
        changed = [replace(unit, **fields) for unit in position.units]
        return stated(position.with_units(changed), "t1")[what.format(cost)]  # type: ignore[no-any-return]

    assert (further(2), further(2, moving=False)) == (20, 19)
    assert further(2, spent=8, moving=False) == 17
    assert further(3, convoy(4, 5, 6, nvr=1)) == 13
    tanks = [vehicle(f"t{n}", "ft-40", at=f"A{n + 3}", facing="NNE", convoy="c", rank=n, bu=n == 2)
             for n in (1, 2)]  # fmt: skip
    dark = place(road(), *tanks, nvr=0)
    assert (further(3, dark), further(3, dark, bu=False)) == (0, 13)
    halted = [replace(convoy(4, 5).unit(name), halted=True, moving=name == "t1")
              for name in ("t1", "t2")]  # fmt: skip
    assert further(2, convoy(4, 5).with_units(halted)) == 0


def test_nothing_of_the_sort_for_a_column() -> None:
    """Neither a Column's Impulse nor the leaving of a Column unit has such an entry."""
    assert stated(column(4, 5), "u1") == {}
    assert leaving(column(4, 5), "u1") is None


def test_who_may_leave_and_why() -> None:
    """Each vehicle lists whether it can leave: its reason, or the clause that requires one."""
    position = convoy(4, 5, 6)
    assert leaving(position, "t1") == (False, ["E11.251a"])
    attacked = after(position, "result t1 attacked", "sight t3 of=t1")
    assert leaving(attacked, "t1") == (True, ["E11.251b"])
    assert leaving(attacked, "t2") == (False, ["E11.251a"])
    assert leaving(attacked, "t3") == (True, ["E11.251b"])
    recalled = after(position, "result t2 recalled")
    assert leaving(recalled, "t2") == (True, ["E11.251d"])
    gone = after(attacked, "leave t1")
    assert leaving(gone, "t3") == (False, ["E11.25b"])
