"""The part of the map a mode depends on: what reach assumes of it."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import pytest

from marchtable.files.scenes import load
from marchtable.reachability.reach import reach
from marchtable.rules.clause import without
from marchtable.rules.dependencies import tracking
from marchtable_models.asl import data
from marchtable_models.asl.model import SPINES, Enter, LeaveRoad, MinimumMove, Turn
from marchtable_models.asl.verbs import BYPASSES, Bypass
from marchtable_models.asl.views.ground_facts import BOTH_WAYS
from tests.asl.boards import ASL, field, foot, place, vehicle
from tests.slowly import slow_after
from tests.solver.test_reach import check_reach

BOARD = load(data.FOLDER / "demo" / "scene.toml").board
GROUNDS = list({
    ASL.ground(BOARD, a, b)
    for a in BOARD.index
    for b in (a, *(name for _, name in BOARD.neighbours(a)))
})  # fmt: skip
UNITS = (foot(), foot(kind="cavalry"), vehicle("u", "ft-12"), vehicle("u", "tr-20"))


def modes(unit: Any) -> list[Any]:
    """Return the modes in which a unit may still do something, as far as its reach comes to them."""
    (found,) = reach(place(BOARD, unit), [unit.id])
    return [mode for mode in found.space.modes if not ASL.is_final(mode)]


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.type)
def test_modes_turned_are_modes(unit: Any) -> None:
    """Every turned mode is a mode, six sixths restore it, and a vehicle's bearing turns with it."""
    listed = set(modes(unit))
    for mode in listed:
        turned = [ASL.turned(mode, by) for by in range(7)]
        assert listed.issuperset(turned)
        assert turned[0] == turned[6] == mode
        if unit.facing is not None:
            bearings = [(ASL.bearing(one) - ASL.bearing(mode)) % 6 for one in turned[:6]]
            assert bearings == [0, 1, 2, 3, 4, 5]


def test_a_bridge_used_both_ways_is_so_at_every_bearing() -> None:
    """A mode in which a one-lane bridge was used both ways keeps that as it is turned."""
    mode = ASL.mode(vehicle(lane=BOTH_WAYS))
    assert mode == ASL.turned(mode, 0) == ASL.turned(ASL.turned(mode, 2), 4)


def test_actions_turn_by_what_they_name() -> None:
    """A VCA change turns with its VCA, and Infantry's Bypass with its vertex."""
    assert ASL.turned(Turn("u", "W"), 2) == Turn("u", "NNE")
    for number, spine in enumerate(SPINES):
        action = Bypass(("u",), "B1", vertex=spine)
        assert ASL.bearing(modes(UNITS[0])[0], action=action) == number
        assert ASL.turned(action, -number).vertex == SPINES[0]
    assert ASL.turned(Bypass(("u",), "B1"), 3) == Bypass(("u",), "B1")


@pytest.mark.parametrize("clause", slow_after(1, ["A4.3f", "A4.3a"]))
@pytest.mark.parametrize(
    "unit", slow_after(1, [foot(kind="leader", at="A1", wounded=True), foot(at="A1", cx=True)])
)
@pytest.mark.parametrize("asked", slow_after(1, [nullcontext, tracking]))
def test_modes_that_only_a_clause_off_leads_to(clause: str, unit: Any, asked: Any) -> None:
    """Bypass of nothing keeps the road bonus; going on from nowhere spends MF: reach has both."""
    hexes: dict[str, Any] = {f"{column}{row}": {} for column in "ABC" for row in (1, 2, 3)}
    hexes["B2"] = {"terrain": "Woods"}
    sides: dict[str, Any] = {"A1-B1": {"road": "Dirt Road"}, "B1-B2": {"road": "Dirt Road"}}
    position = place(field(hexes, sides), unit)
    with without(clause), asked():
        check_reach(position, "u")
    check_reach(position, "u")


@pytest.mark.clause("D2.12b")
def test_a_stopped_vehicle_is_asked_for_no_entries() -> None:
    """Only what no clause bars wherever it is: it starts or turns first; a wagon need not."""
    stopped = vehicle(kind="tr-3", moving=False)
    entries = {Enter, MinimumMove, LeaveRoad, *BYPASSES}
    others = (vehicle(), vehicle(kind="hd-12", moving=False), foot())
    board = field({"B1": {}, "C1": {}}, {})
    for unit in (stopped, *others):
        scene = place(board, unit)
        barred = {*ASL.travel_in(scene, unit)} - {*ASL.travel_in(scene, unit, now=True)}
        assert barred == (entries if unit is stopped else set())
    for asked in (nullcontext(), without("D2.12b")):
        with asked:
            check_reach(place(board, stopped), "u")
