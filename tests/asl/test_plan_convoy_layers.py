"""What the layers of a Convoy's plans leave out before anything is searched."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from marchtable.planning.line.graph import HALTED
from marchtable.planning.line.layers import blank, in_parts
from marchtable.planning.line.pairs import around, standing
from marchtable.planning.line.state_graph import Scope, StateGraph
from marchtable.planning.line.tables import Before, Laid, Layers, Line
from marchtable.planning.line.task import Limits
from marchtable.rules.plan_model import Task
from marchtable.state.goal import Aim, Goal
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.convoy.gap_model import GapModel
from marchtable_models.asl.cpsat.convoy.states import state_of
from tests.asl.convoys_by_hand import by_road
from tests.asl.test_plan_convoy import model, near
from tests.asl.test_plan_convoy_gaps import apart, attacked


def starts(field: Any) -> bool:
    """Return whether any vehicle may still start once the Convoy could have stopped."""
    return bool(((field.flags & HALTED > 0) & (field.kind >= 0)).any())


@pytest.mark.clause("E11.2d")
@pytest.mark.parametrize(
    ("moving", "halted", "left"),
    [(True, False, False), (False, False, True), (False, True, False)],
)
def test_who_has_stopped_the_convoy_does_not_start(
    *, moving: bool, halted: bool, left: bool
) -> None:
    """Steps that start a vehicle are left where it began stopped, and the Convoy has not stopped."""
    position = by_road(2, 5, moving=moving)
    units = [replace(unit, halted=halted) for unit in position.units]
    found = model(position.with_units(units), near("A1"))
    assert starts(found.graph) is left
    states, scope = [state_of(unit) for unit in found.line], Scope(found.most, found.graph.budget)
    assert starts(StateGraph(position.board, found.steps, states, found.links, scope))


def before(ahead: list[int], width: int, may_end: Any = (), reach: Any = ()) -> Before:
    """Return what ends of states are that stand before those places."""
    return Before(0, [], width, ahead, may_end, [0] * 40, reach)


def test_what_must_stand_before_who_ends_in_motion() -> None:
    """A place ahead counts as taken by the neighbour in it, or for sums with which others can be there."""
    two = before([7, 8], 2, [0b0001, 0b0010, 0b0100, 0b1000], [0b0010, 0b1100])
    assert standing(two, 0, 0, 5, 0) == 0b0111
    assert standing(two, 0, 0, 7, 0) == 0b1111
    assert standing(two._replace(reach=[0, 0]), 0, 0, 5, 0) == 0b0001
    assert standing(two._replace(ahead=[0, 0], reach=[0, 0]), 0, 0, 0, 0) == 0b0001
    three = before([7, 8, 9], 3, [0] * 7 + [0b1000])  # a bridge ahead: all places to be taken
    assert standing(three._replace(reach=[0b1010, 0b1001, 0]), 0, 0, 9, 0) == 0b1000
    assert standing(three._replace(reach=[0b0010, 0b1001, 0]), 0, 0, 9, 0) == 0


def test_who_can_be_in_the_places_ahead() -> None:
    """Others count but for the one ahead, or the one behind; nobody for who cannot be there at all."""
    masks, places = [0b011, 0b110, 0b101, 0], [4, 5, 4, 9]
    ends = before([5, 0, 4, 9, 5, 4, 4, 5], 2, reach=[0] * 16)
    none: Any = []
    line = Line(
        4, 1, [0, 1, 2, 3], none, places, none, none, none, none, none, [0] * 10, none, none
    )
    laid = Laid([0, 1, 2, 3, 4], [0] * 4, none, none, none, none, none)
    around(masks, 0, ends, laid, line)
    assert ends.reach[:4] == [0b110, 0, 0, 0]  # of the first, in whose way is the second alone
    assert ends.reach[4:8] == [0b101, 0, 0b011, 0]
    assert ends.reach[8:12] == [0, 0b011, 0b110, 0b011]
    assert ends.reach[12:] == [0, 0, 0, 0]
    assert not any(ends.taken)


def test_parts_are_looked_for_only_where_they_can_end() -> None:
    """Of who must end somewhere no other end is left, nor what does not lead there; or nothing at all."""
    position = attacked(by_road(2, 6), "t2")
    side = GapModel(model(position, apart(6))).side(1)
    graph, wanted = side.graph, Limits(side.worth, Task({}, {}, {})).wanted(0)
    layers = Layers(graph.masks, graph.masks, blank(graph, 0))
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
    """With no exposure allowed nobody can be where it threatens, but who begins there may stay."""
    position = by_road(2, 6)
    start, ahead = position.unit("t1").at, "A3"
    goal = Goal(aims=(Aim(units=("t1",), near=("A1",)),), threat={start: 1, ahead: 1})
    asked = model(position, goal)
    for most, left in ((0, {start}), (1, {start, ahead})):
        masks = Limits(asked.worth, Task({}, {}, {"exposure": most})).reached()
        first = masks.reshape(asked.graph.most + 1, asked.graph.count, asked.graph.size)[:, 0]
        there = {asked.graph.state(0, int(s)).at for s in first.any(axis=0).nonzero()[0]}
        assert there & {start, ahead} == left
