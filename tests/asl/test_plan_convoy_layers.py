"""What a Convoy's layers leave out before any search."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from marchtable.budget import watched
from marchtable.planning.line import compiled
from marchtable.planning.line.graph import HALTED
from marchtable.planning.line.layers import in_parts
from marchtable.planning.line.state_graph import Scope, StateGraph
from marchtable.planning.line.sweep import Layers
from marchtable.planning.line.worth import TaskRows
from marchtable.rules.plan_model import Task
from marchtable.state.goal import Aim, Goal
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.convoy.model import GapModel
from marchtable_models.asl.cpsat.convoy.steps import state_of
from tests.asl.convoys_by_hand import by_road
from tests.asl.test_plan_convoy import model, near
from tests.asl.test_plan_convoy_gaps import apart, attacked


def starts(field: Any) -> bool:
    """Return whether any vehicle can still start once the Convoy could have stopped."""
    return bool(((field.flags & HALTED > 0) & (field.kind >= 0)).any())


@pytest.mark.clause("E11.2d")
@pytest.mark.parametrize(
    ("moving", "halted", "left"),
    [(True, False, False), (False, False, True), (False, True, False)],
)
def test_a_unit_that_has_stopped_the_convoy_does_not_start(
    *, moving: bool, halted: bool, left: bool
) -> None:
    """Steps that start a vehicle remain where it began stopped and the Convoy has not stopped."""
    position = by_road(2, 5, moving=moving)
    units = [replace(unit, halted=halted) for unit in position.units]
    found = model(position.with_units(units), near("A1"))
    assert starts(found.graph) is left
    states, scope = [state_of(unit) for unit in found.line], Scope(found.most, found.graph.budget)
    assert starts(StateGraph(position.board, found.steps, states, found.links, scope))


def test_parts_are_looked_for_only_where_they_can_end() -> None:
    """A vehicle with a required end keeps only that end and the ways to it, or nothing at all."""
    position = attacked(by_road(2, 6), "t2")
    side = GapModel(model(position, apart(6))).side(1)
    graph, wanted = side.graph, TaskRows(side.worth, Task({}, {}, {})).wanted(0)
    layers = Layers(graph.masks, graph.masks)
    none = [0] * len(wanted.least)
    parts = [range(1), range(1, 2)]
    found = in_parts([(part, graph.part(part, 100), none) for part in parts], wanted, layers)
    assert found is not None
    active, ends = (each.reshape(graph.most + 1, 2, graph.size) for each in found[:2])
    last = np.bitwise_or.reduce(ends, axis=0)
    for i, at in enumerate(("A2", "A6")):
        assert {graph.state(i, int(s)).at for s in last[i].nonzero()[0]} == {at}
    assert (active & ~graph.masks.reshape(active.shape) == 0).all()
    assert in_parts([(part, graph.part(part, 1), none) for part in parts], wanted, layers) is None


def test_places_of_too_much_threat_are_not_looked_at() -> None:
    """A vehicle enters no place of more threat than the exposure allowed, but can stay where it begins."""
    position = by_road(2, 6)
    start, ahead = position.unit("t1").at, "A3"
    goal = Goal(aims=(Aim(units=("t1",), near=("A1",)),), threat={start: 1, ahead: 1})
    asked = model(position, goal)
    for most, left in ((0, {start}), (1, {start, ahead})):
        masks = TaskRows(asked.worth, Task({}, {}, {"exposure": most})).reached()
        first = masks.reshape(asked.graph.most + 1, asked.graph.count, asked.graph.size)[:, 0]
        there = {asked.graph.state(0, int(s)).at for s in first.any(axis=0).nonzero()[0]}
        assert there & {start, ahead} == left


def test_that_code_is_prepared_is_reported() -> None:
    """A watcher is notified before numba's code is loaded, which compiles it on a new machine."""
    seen: list[str] = []
    compiled.compiled_functions.cache_clear()
    with watched(lambda one: seen.append(one.line)):
        found = compiled.compiled_functions()
    assert found is None or (set(found) == set(compiled.PARTS) and seen == [compiled.PREPARING])
