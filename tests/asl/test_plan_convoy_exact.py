"""Plans of Convoys against exhaustive search, against random play, and compiled against plain."""

from __future__ import annotations

import os
from random import Random
from typing import Any

import numpy as np
import pytest

from marchtable.files.notation import format_action
from marchtable.files.scenes import load
from marchtable.planning.line import compiled as convoycompiled
from marchtable.planning.loop import plan
from marchtable.planning.score import Measure
from marchtable.rules.referee import check, rule
from marchtable.state.goal import Aim, Goal
from marchtable.state.records import replace
from marchtable_models.asl import data
from marchtable_models.asl.model import End
from marchtable_models.asl.rules.impulse_moves import Impulse
from tests.asl.boards import place, vehicle
from tests.asl.convoy_cases import compared, drawn, with_stunned
from tests.asl.convoys_by_hand import KEYS, by_road, random_plan, small_convoy
from tests.asl.test_plan_convoy import agrees, best_of, model, near, some_goal
from tests.asl.test_plan_line_rows import must
from tests.slowly import slow_after

BLOCK = 10
MANY = int(os.environ.get("MARCHTABLE_CASES", "20"))


@pytest.mark.parametrize("block", slow_after(1, range(10)))
def test_two_vehicles_two_impulses(block: int) -> None:
    """Two vehicles on nine hexes do as well as the best of all plans of two Impulses."""
    for seed in range(100 + BLOCK * block, 100 + BLOCK * (block + 1)):
        agrees(seed, 2, 3, 3, 2)


@pytest.mark.slow
@pytest.mark.parametrize("block", slow_after(1, range(6)))
def test_three_vehicles_one_impulse(block: int) -> None:
    """The same for three on a map of five by five, within one Impulse."""
    for seed in range(300 + BLOCK * block, 300 + BLOCK * (block + 1)):
        agrees(seed, 3, 5, 5, 1)


@pytest.mark.slow
def test_four_vehicles() -> None:
    """The same for four on twelve hexes."""
    for seed in range(400, 405):
        agrees(seed, 4, 4, 3, 1)


@pytest.mark.slow
def test_three_vehicles_two_impulses() -> None:
    """The same for three on nine hexes within two."""
    for seed in range(500, 503):
        agrees(seed, 3, 3, 3, 2)


@pytest.mark.slow
def test_two_vehicles_three_impulses() -> None:
    """The same for two on sixteen hexes within three."""
    for seed in range(600, 603):
        agrees(seed, 2, 4, 4, 3)


@pytest.mark.parametrize("seed", slow_after(1, [*range(1, MANY), 0]))
def test_the_optimum_is_that_of_brute_force(seed: int) -> None:
    """For any order of criteria and any start, a Convoy does as well as by brute force."""
    assert not compared(drawn(seed))


@pytest.mark.parametrize("seed", slow_after(2, [11, *range(11), *range(12, MANY)]))
def test_the_optimum_with_a_stunned_vehicle(seed: int) -> None:
    """So does a Convoy with a Stunned vehicle: the others may end in Motion, or not (E11.24a)."""
    assert not compared(with_stunned(seed))


def test_a_stunned_vehicle_does_not_keep_the_others_from_ending_in_motion() -> None:
    """The lead leaves the road with its last MP and ends in Motion; the Stunned one behind it is stopped."""
    position = by_road(2, 8, spent=44, mph="moving", used=44)
    stunned = replace(position.unit("t2"), stunned=True, moving=False)
    position = position.with_units([stunned])
    log = (Impulse("t1", ("turn:E", "stay")), Impulse("t1", ("enter:B7", "stay")), End("t1"))
    assert check(position, log).status == "LEGAL"
    found = plan(position, must(("t1", "B7")), space="convoy")
    assert found.status == "OPTIMAL"
    assert [one.log for one in found.plans] == [log]


@pytest.mark.parametrize("seed", slow_after(2, range(8)))
def test_random_play_is_no_better(seed: int) -> None:
    """No randomly played plan of the space is better than the proved best."""
    random = Random(seed)
    position = small_convoy(random, random.choice((2, 3, 4)), 5, 5)
    goal = some_goal(random, position)
    best = best_of(model(position, goal, 4), goal)
    measure = Measure(position, goal)
    for _ in range(4):
        log = random_plan(random, position, 4)
        measured = None if log is None else measure.of(check(position, log))
        if measured is not None and measured.is_kept:
            score = tuple(measured.score[key] for key in KEYS)
            assert best is not None
            assert (-best[0], *best[1:]) <= (-score[0], *score[1:])


def test_compiled_and_plain_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled with numba or run as Python, it finds the same layers and the same plan."""
    found: list[Any] = []
    for few in (0, 2**60):
        monkeypatch.setattr(convoycompiled, "FEW", few)
        monkeypatch.setattr(convoycompiled.Loaded, "yes", False)
        position = by_road(3, 6)
        goal = near("B1", "A1", units=("t1", "t2"))
        convoy = model(position, goal, 6)
        found.append((convoy.graph.masks, best_of(convoy, goal)))
    (masks, best), (plain, other) = found
    assert np.array_equal(masks, plain)
    assert best == other
    assert best is not None


# -- plans that can be completed ---------------------------------------------------------------------


def test_a_vehicle_in_motion_must_act() -> None:
    """A Convoy in Motion that cannot end its MPh so must act, though doing nothing costs least."""
    position = by_road(2, 5)
    assert not rule(position, End("t1")).is_legal
    found = plan(position, near("A1", order=("points", "distance")))
    assert found.status == "OPTIMAL"
    assert found.plans[0].log
    assert found.plans[0].score["points"] > 0
    assert all(unit.move.mph == "done" for unit in found.plans[0].verdict.position.units)


def test_no_impulses_no_plan() -> None:
    """With no Impulse allowed, a Convoy in Motion has no plan; a stopped Convoy has one, which is to stay."""
    goal = Goal(aims=(Aim(units=("t1",), near=("A1",)),))
    assert best_of(model(by_road(2, 5), goal, 0), goal) is None
    assert best_of(model(by_road(2, 5, moving=False), goal, 0), goal) is not None


def test_a_mate_on_the_bridge_stands_before_a_vehicle_too() -> None:
    """With the bridge taken and wrecks beyond it the one behind has no way on, and ends in Motion."""
    like: dict[str, Any] = {
        "moving": True,
        "mph": "moving",
        "convoy": "c",
        "spent": 26,
        "used": 26,
        "facing": "NNW",
    }
    line = [
        vehicle(name, "opel-blitz", at, rank=rank, **like)
        for rank, (name, at) in enumerate((("a", "L5"), ("b", "L6")), start=1)
    ]
    wrecks = [
        vehicle(f"w{n}", "wreck", "J4", side="russian", facing=None, moving=False) for n in range(3)
    ]
    position = place(load(data.FOLDER / "demo" / "scene.toml").board, *line, *wrecks)
    aims = tuple(
        Aim(units=(unit,), at=(at,), must="all") for unit, at in (("a", "K5:bridge"), ("b", "L5"))
    )
    found = plan(position, Goal(aims=aims, order=("points",)), space="convoy")
    assert found.status == "OPTIMAL"
    assert [format_action(act) for act in found.plans[0].log] == [
        "impulse a enter:K5:bridge,enter:L5", "end a",
    ]  # fmt: skip
