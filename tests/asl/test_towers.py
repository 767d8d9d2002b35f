"""Towers (B34): entering their hex at ground level costs 1 MF on foot plus the other terrain."""

from __future__ import annotations

from typing import Any

import pytest

from tests.asl.boards import (
    bars,
    cites,
    crossing,
    foot,
    last,
    place,
    step,
    total,
)  # fmt: skip
from tests.asl.test_towing import TYPES, crew, gun, tractor
from tests.solver.test_reach import check_reach

TOWER: dict[str, Any] = {"terrain": "Tower, 2 Level Obstacle", "clear": (10,) * 6}
GRAIN: dict[str, Any] = {**TOWER, "also": (("Grain", 60),)}


@pytest.mark.clause("B34.4")
def test_a_tower_s_hex_costs_one_more_on_foot() -> None:
    """1 MF and the other terrain's cost; Cavalry and vehicles must go round, Infantry can."""
    assert total(step(there=TOWER)) == 2
    assert total(step(there=GRAIN)) == 2.5
    assert total(step(there={**TOWER, "level": 1})) == 4
    assert total(step(there={**TOWER, "terrain": "Tower", "depression": "Gully"})) == 3
    assert total(step(there=TOWER, hexside={"road": "Dirt Road"})) == 1
    for column in ("cav", "hd", "mc", "ac", "ft", "ht", "tr"):
        assert "B34.4" in bars(step(column, there=TOWER)), column
        assert step(column, there=TOWER, hexside={"road": "Dirt Road"}).status == "LEGAL"
    assert total(step(line="bypass u C1 vertex=E", there=TOWER)) == 1
    check_reach(place(crossing(there=GRAIN), foot(spent=4, used=4, mph="moving")), "u")


@pytest.mark.clause("B34.4b")
def test_no_gun_enters_a_tower_s_hex() -> None:
    """Neither pushed nor in tow, by road either; without one vehicles can by road."""
    road = crossing(there=TOWER, hexside={"road": "Dirt Road"})
    towed = (tractor(moving=True, towing="g"), gun(towed_by="t"))
    assert bars(last(place(road, *towed, types=TYPES), "enter t C1")) == {"B34.4b"}
    assert last(place(road, tractor(moving=True), types=TYPES), "enter t C1").is_legal
    pushed = last(place(road, crew(), gun(), types=TYPES), "push c g C1")
    assert "B34.4b" in bars(pushed)


@pytest.mark.clause("B34.41", "B34.3", "B34.42")
def test_what_is_not_modelled_of_towers() -> None:
    """An AFV that breaks in, woods or snow there, and its stairwell; CE or open-topped it cannot enter."""
    assert step("ft", there=TOWER, bu=True).status == "UNSUPPORTED"
    assert bars(step("ft", there=TOWER)) >= {"B34.4"}
    woods = {**TOWER, "also": (("Woods", 60),)}
    assert cites(step(there=woods)) == {"B34.3"}
    snowy = step(there=TOWER, scene={"stated": {"ground_snow": True}})
    assert "B34.3" in cites(snowy)
    inside = last(place(crossing(here={**TOWER, "stairway": True}), foot()), "stairs u up")
    assert inside.status == "UNSUPPORTED"
    assert "B34.42" in cites(inside)
