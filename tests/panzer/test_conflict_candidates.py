"""Why a delivery is impossible: the stated reason forbids it, with nothing else unnamed."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from marchtable.planning.goals import checked_goal
from marchtable.planning.why import why
from marchtable.state.goal import Aim, Goal
from marchtable_models.panzer.cpsat.delivery import CANDIDATES, STACKING
from tests.panzer.every_plan import is_met_by_force
from tests.panzer.scenes import PANZER, grid, place, rifles, truck, unit, wagon
from tests.panzer.test_crowded import CART, READINGS
from tests.panzer.test_delivery import want
from tests.panzer.test_transport import LANE
from tests.slowly import slow_after

MOST, SCENES = 4000, 10


def reasons(position: Any, goal: Goal) -> list[tuple[str, tuple[str, ...]]]:
    """Return the clauses stated, each with its units; all must be shown to be needed."""
    found = why(position, goal)
    assert found.status == "IMPOSSIBLE"
    assert found.conflict is not None
    assert all(reason.is_needed for reason in found.conflict)
    return [(reason.clause, reason.units) for reason in found.conflict]


def engineers(name: str, at: str) -> Any:
    """Return German engineers."""
    return unit(name, "german-engineers", at)


def test_a_gun_by_itself() -> None:
    """A gun has no movement factor: that is the reason, not the units unable to carry it."""
    position = place(
        unit("g", "german-gun", "A2"), engineers("e", "A3"), rifles(at="A4"), board=LANE
    )
    assert reasons(position, want("g", "r", at="A3", must="all")) == [("PB.move", ("g",))]


def test_what_the_map_bars() -> None:
    """A wagon enters woods by road only: that is the reason, not the engineers beside it."""
    woods = grid({"A1": {}, "A2": {"terrain": "Woods"}, "A3": {}}, {})
    position = place(wagon(at="A1"), engineers("e", "A2"), engineers("f", "A3"), board=woods)
    assert reasons(position, want("w", at="A2", must="all")) == [("P.move-a", ("w",))]


def test_neither_walks_nor_is_carried_so_far() -> None:
    """A gun could be brought a hex if it walked, or if its truck could go so far and unload."""
    hexes: dict[str, dict[str, Any]] = {f"A{n}": {"terrain": "Gully"} for n in range(1, 5)}
    gun = unit("g", "german-gun", "A3")
    found = reasons(
        place(gun, truck(at="A1"), board=grid(hexes)), want("g", "t", at="A4", must="all")
    )
    assert ("PB.move", ("g",)) in found
    assert {name for name, _ in found} & {"P.turn-b", "P.turn-d"}


def test_uninvolved_units_are_not_listed() -> None:
    """Units not needed for the goal are not named, though with a clause off they might be."""
    idle = [rifles(f"x{n}", f"A{n + 8}") for n in range(3)]
    position = place(rifles(at="A1"), *idle, board=LANE)
    assert reasons(position, want("r", at="A4", must=1)) == [("PB.pay", ("r",))]


def small(seed: int) -> tuple[Any, Goal]:
    """Return few units on few hexes, two of them with a goal."""
    random = Random(seed)
    terrain = ["Open Ground", "Open Ground", "Woods", "Gully"]
    hexes: dict[str, dict[str, Any]] = {
        f"A{n}": {"terrain": random.choice(terrain)} for n in range(1, 5)
    }
    road = {"A1-A2": {"road": "Dirt Road"}} if random.random() < 0.5 else {}
    carriers = ["german-wagon", "cart", "pz-iv-h"]
    men = ["german-rifles", "german-gun", "german-engineers"]
    units = [
        unit("t", random.choice(carriers), random.choice(["A1", "A2"]), height=1),
        unit("r", random.choice(men), random.choice(["A1", "A2", "A3"])),
    ]
    if random.random() < 0.4:
        units.append(unit("x", random.choice(men), "A3", dispersed=random.choice(["", "D"])))
    conditions = {"types": (CART,)}
    readings = random.choice(READINGS)
    position = place(*units, board=grid(hexes, road), readings=readings, conditions=conditions)
    aim = Aim(units=("t", "r"), at=(random.choice(["A1", "A4"]),), must=random.choice([1, "all"]))
    return position, checked_goal(Goal(aims=(aim,)), position)


@pytest.mark.parametrize("seed", slow_after(2, range(SCENES)))
def test_reported_reasons_forbid(seed: int) -> None:
    """With every other candidate off, the referee finds no plan among all possible ones."""
    position, goal = small(seed)
    found = why(position, goal)
    if found.status == "LEGAL":
        return
    assert found.status == "IMPOSSIBLE"
    assert found.conflict is not None
    result = {reason.clause for reason in found.conflict}
    modelled = {name for name, one in PANZER.clauses.items() if one.modelled}
    may = set(CANDIDATES) if result & {*CANDIDATES, STACKING} else modelled
    assert is_met_by_force(position, goal, may - result, MOST) is False
