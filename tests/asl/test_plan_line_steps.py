"""Steps of one vehicle of a line: learned at one place and bearing, they hold for any equal view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace as replaced

from benchmarks.convoy_scenes import scene
from marchtable.planning.goals import checked_goal
from marchtable.rules.rulebook import find_rulebook
from marchtable_models.asl.cpsat.convoy.model import convoy_models
from marchtable_models.asl.cpsat.convoy.steps import TABLES, VehicleSteps
from tests.asl import convoy_cases, convoy_exit_cases

if TYPE_CHECKING:
    from collections.abc import Iterator

ASL = find_rulebook("asl")


def learned(position: Any, goal: Any) -> Iterator[Any]:
    """Yield the steps of each kind of Convoy vehicle, learned from place to place."""
    TABLES.clear()
    plain: Any = convoy_models(ASL, position, checked_goal(goal, position), "pass")[0]
    yield from {id(steps): steps for steps in plain.steps}.values()


def asked_anew(steps: Any, state: Any) -> Any:
    """Return the steps learned from one state alone."""
    others = tuple(unit for unit in steps.base.units if unit.id != steps.template.id)
    base = replaced(steps.base, units=others)
    lone = steps.lone if steps.parts else None
    fresh = VehicleSteps(
        ASL, base, steps.template, avoid=steps.avoid, exits=steps.exits, lone=lone,
        as_one=steps.as_one,
    )  # fmt: skip
    return sorted(fresh.of(state), key=str), fresh.unmodelled.get(state)


@pytest.mark.parametrize(
    ("position", "goal"),
    [
        scene(3, 1, columns=6, ahead=3),
        *((case.position, case.goal) for case in map(convoy_cases.drawn, (0, 3))),
        *((case.position, case.goal) for case in map(convoy_exit_cases.drawn, (1,))),
    ],
    ids=["road", "drawn 0", "drawn 3", "leaving 1"],
)
def test_steps_are_those_of_each_state_by_itself(position: Any, goal: Any) -> None:
    """Turned from one bearing to another, they are what the rulebook allows there."""
    count = 0
    for steps in learned(position, goal):
        for number, state in enumerate(steps.graph.states):
            if number % 3 == 0 and steps.graph.rows[number] is not None:
                count += 1
                known = sorted(steps.of(state), key=str), steps.unmodelled.get(state)
                assert known == asked_anew(steps, state)
    assert count > 5
