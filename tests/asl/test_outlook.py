"""The part of the map a mode depends on: what reach assumes of it."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.cache import clear_caches
from marchtable.checking import checked
from marchtable.files.scenes import load
from marchtable.reachability import recheck
from marchtable.reachability.reach import reach
from marchtable.rules.clause import without
from marchtable.rules.dependencies import tracking
from marchtable.rules.generator import candidates
from marchtable.state.action import renamed
from marchtable.state.position import Counter
from marchtable.tokens import token_of
from marchtable_models.asl import data
from marchtable_models.asl.model import SPINES, Turn
from marchtable_models.asl.verbs import Bypass
from marchtable_models.asl.views.ground_facts import BOTH_WAYS
from tests.asl.boards import ASL, bars, field, foot, place, vehicle
from tests.slowly import slow_after
from tests.solver.test_reach import check_reach

if TYPE_CHECKING:
    from collections.abc import Iterator

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
        turned = [ASL.symmetry.turned(mode, by) for by in range(7)]
        assert listed.issuperset(turned)
        assert turned[0] == turned[6] == mode
        if unit.facing is not None:
            bearings = [
                (ASL.symmetry.bearing(one) - ASL.symmetry.bearing(mode)) % 6 for one in turned[:6]
            ]
            assert bearings == [0, 1, 2, 3, 4, 5]


def test_a_bridge_used_both_ways_is_so_at_every_bearing() -> None:
    """A mode in which a one-lane bridge was used both ways keeps that as it is turned."""
    mode = ASL.mode(vehicle(lane=BOTH_WAYS))
    assert (
        mode == ASL.symmetry.turned(mode, 0) == ASL.symmetry.turned(ASL.symmetry.turned(mode, 2), 4)
    )


def test_actions_turn_by_what_they_name() -> None:
    """A VCA change turns with its VCA, and Infantry's Bypass with its vertex."""
    assert ASL.symmetry.turned(Turn("u", "W"), 2) == Turn("u", "NNE")
    for number, spine in enumerate(SPINES):
        action = Bypass(("u",), "B1", vertex=spine)
        assert ASL.symmetry.bearing(modes(UNITS[0])[0], action=action) == number
        assert ASL.symmetry.turned(action, -number).vertex == SPINES[0]
    assert ASL.symmetry.turned(Bypass(("u",), "B1"), 3) == Bypass(("u",), "B1")


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


ROOM, NARROW = (50,) * 6, (50, 50, 0, 0, 0, 0)
SHAPES: dict[str, Any] = {
    "B0": {"terrain": "Rail Car", "clear": ROOM},
    "B1": {},
    "C0": {"terrain": "Woods", "clear": NARROW},
    "C1": {"terrain": "Wooden Building", "clear": NARROW},
    "C2": {"terrain": "Stone Building", "also": (("Woods", 30),), "clear": (0, 0, 0, 50, 50, 0)},
    "D0": {"terrain": "Woods"},
    "D1": {"terrain": "Woods", "clear": ROOM},
    "D2": {"terrain": "Bridge"},
}
ROADS: dict[str, Any] = {"B1-C1": {"road": "Dirt Road"}, "C1-D1": {"road": "Dirt Road"}}
SURE = (
    "A4.3a", "A4.3b", "A4.3d", "A4.3f", "B3.4e", "D2.11c", "D2.12a", "D2.13", "D2.2b",
    "D2.31", "D2.33d", "D2.3b",
)  # fmt: skip
"""The clauses that bar a step by the map and the mode alone."""
MOVERS = (vehicle(), foot(), vehicle(kind="ft-12", moving=False), foot(kind="cavalry"))


def tried(position: Any, unit: Any) -> Iterator[tuple[Any, Any, Any, Any]]:
    """Yield a unit in each mode and Location, with each action there and what it crosses."""
    (found,) = reach(position, [unit.id])
    for mode in [mode for mode in found.space.modes if not ASL.is_final(mode)]:
        for at in position.board.index:
            probe = position.with_units([ASL.in_mode(unit, at, mode)])
            moved = probe.unit(unit.id)
            for action in candidates(ASL, probe, moved, ASL.travel_in(probe, moved), free=False):
                yield mode, probe, action, ASL.ground(position.board, at, getattr(action, "to", at))


@pytest.mark.parametrize("lying", slow_after(1, ["", "wire", "roadblock-SE", "stone-rubble"]))
@pytest.mark.parametrize("unit", slow_after(2, MOVERS), ids=lambda unit: unit.type)
def test_what_reach_leaves_out_is_barred(unit: Any, lying: str) -> None:
    """A clause that ``sight`` rests on bars each step left out, whatever counters lie about."""
    counters = tuple(Counter(kind=lying, at=at) for at in ("C0", "C1") if lying)
    position = place(field(SHAPES, ROADS), unit, counters=counters)
    left_out = 0
    for mode, probe, action, way in tried(position, unit):
        if ASL.sight(way, mode, action) is None or ASL.sight(way, mode) is None:
            left_out += 1
            assert ASL.sight_rests_on & bars(ASL.rule(probe, action)), (mode, probe, action)
    assert left_out


def test_clauses_alone_decide_what_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of these clauses leaves out some steps that no other does; the others leave out none."""

    def left_out(names: frozenset[str]) -> set[Any]:
        monkeypatch.setattr(type(ASL), "sight_rests_on", names)
        monkeypatch.setattr(ASL, "_barred", {})
        return {key for key, case in known.items() if ASL.sight(*case) is None}

    known = {}
    for unit in MOVERS[:2]:
        for mode, _, action, way in tried(place(field(SHAPES, ROADS), unit), unit):
            if unit.facing in (None, mode[0]):
                bare = renamed(action, unit="", to="")
                known[way, mode, token_of(bare)] = (way, mode, bare)
    every = ASL.sight_rests_on
    assert not left_out(frozenset())
    whole = left_out(every)
    assert left_out(frozenset(SURE)) == whole
    assert [name for name in SURE if left_out(frozenset({name})) == set()] == []
    assert [name for name in SURE if left_out(frozenset({*SURE} - {name})) == whole] == []


def test_a_step_that_is_not_modelled_is_not_left_out() -> None:
    """Bypass of a Rail Car (B32.52), and through woods around a building (A4.31b), is reported."""
    board = field({**SHAPES, "C1": {}})
    for unit in (vehicle(at="C1"), foot(at="C1")):
        (found,) = reach(place(board, unit), ["u"])
        assert {"B32.52", "A4.31b"} <= {*found.unsupported}


def test_reach_cites_only_what_it_meets() -> None:
    """Wire that the unit cannot get to, and an enemy that it could not pass above, leave nothing out."""
    road = field({f"{'ABCDEFGHIJ'[n]}{1 + n // 2}": {} for n in range(10)})

    def cited(at: str, **changes: Any) -> set[str]:
        position = place(road, foot(at=at), counters=(Counter(kind="wire", at="J5"),), **changes)
        (found,) = reach(position, ["u"])
        assert found.is_exact == (not found.unsupported)
        return {*found.unsupported}

    assert cited("A1") == set()
    assert cited("G4") == {"B26.4f"}
    house: dict[str, Any] = {"terrain": "Stone Building, 1 Level"}
    names = [*road.index]
    street = field({**{name: {} for name in names}, **dict.fromkeys(names[7:9], house)})
    for at, found in (("A1", set()), ("G4", {"B23.23"})):
        enemy = foot("e", at=names[8], side="russian")
        (known,) = reach(place(street, foot(at=at), enemy), ["u"])
        assert {*known.unsupported} & {"B23.23"} == found


@pytest.mark.parametrize("facing", SPINES)
def test_a_bypass_that_is_not_modelled_is_of_its_own_hexside(
    facing: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Past a Rail Car, both hexes ahead have a step that is not modelled, each in its own mode (B32.52)."""
    monkeypatch.setattr(recheck, "STATES", 1000)  # all of them
    cars = {f"{column}{row}": {"terrain": "Rail Car"} for column in "AC" for row in (1, 2)}
    open_hexes: Any = {"B1": {}, "B2": {}, "B3": {}}
    here = place(field({**cars, **open_hexes}), vehicle("u", "tr-40", at="B2", facing=facing))
    clear_caches()
    with checked():
        assert reach(here, ["u"])[0].unsupported
