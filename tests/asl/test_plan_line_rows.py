"""A line's rows in CP-SAT carry the ids of their clauses, and last places rule out what cannot be."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace as replaced

from marchtable.planning.line.constraints import LineConstraints
from marchtable.planning.line.search import could_end
from marchtable.planning.line.sweep import Layers
from marchtable.planning.line.variables import Parting
from marchtable.planning.line.worth import TaskRows
from marchtable.planning.loop import plan
from marchtable.planning.reasons import ANY
from marchtable.rules.clause import without
from marchtable.rules.plan_model import Task
from marchtable.state.goal import Aim, Goal
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.convoy.model import GapModel
from marchtable_models.asl.cpsat.line_relations import is_leaving_shared
from tests.asl import test_plan_column as columns
from tests.asl.boards import ASL, foot
from tests.asl.convoys_by_hand import by_road
from tests.asl.platoon_cases import drawn
from tests.asl.platoon_cases import model as platoon
from tests.asl.test_plan_convoy import PlainControl, model, near
from tests.quiet import Quiet

LINE, HALT, PAY, TURN = "E11.251a", "E11.2d", "E11.2g", "E11.1a"
OF_CONVOYS = {LINE, HALT, PAY, "D2.4", "E11.24a"}


def everywhere(graph: Any) -> Layers:
    """Return all states and ends of the members."""
    ends = graph.masks.copy()
    ends[: graph.count * graph.size] = 0
    return Layers(graph.masks, ends)


def stated(problem: Any) -> set[str]:
    """Return the names of a whole model's rows, except unnamed ones."""
    rules = LineConstraints(problem, everywhere(problem.graph), TaskRows(problem.worth, ANY), None)
    rules.add_all()
    return {row.name for row in rules.model().proto.constraints} - {""}


def test_rows_of_a_convoy_are_named_by_their_clauses() -> None:
    """In line, one stop for all, the dearest paid, the end: each row by its id, none once it is off."""
    position = by_road(3, 7, moving=False)
    assert stated(model(position, near("A1"), 4)) >= OF_CONVOYS - {"D2.4"}
    with without(HALT):
        assert HALT not in stated(model(position, near("A1"), 4))
    with without("E11.24a"):
        assert "E11.24a" not in stated(model(position, near("A1"), 4))


def test_rows_of_vehicles_off_the_map_and_leaving_it() -> None:
    """Order of entry and exit by E11.1a and A2.6f; the last one alone by E11.255b."""
    position = by_road(3, 8)
    line = [replace(unit, at=None, entering=("A8",), moving=True) for unit in position.units]
    assert TURN in stated(model(position.with_units(line), near("A1"), 4))
    off = Goal(aims=(Aim(units=("t1", "t2", "t3"), exit=("A1",)),))
    assert stated(model(by_road(3, 4), off, 4)) >= {"A2.6f", "E11.255b", LINE}


def test_rows_of_columns_and_platoons() -> None:
    """A Column follows the lead by its clauses, a platoon stays together by its own."""
    column = columns.model(columns.by_road("squad", "squad"), columns.near("A1"))
    assert stated(column) >= {"E11.5g", "E11.5b"}
    case = drawn(7)
    found = stated(platoon(case.position, case.goal, case.impulses))
    assert found == {"D14.21a", "D14.21c", "D14.31a", "D2.4"}


def test_rows_of_a_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of plans with a Gap have the same names, plus that of the vehicle left alone."""
    result: set[str] = set()
    model_of = LineConstraints.model

    def seen(self: Any) -> Any:
        found = model_of(self)
        result.update(row.name for row in found.proto.constraints)
        return found

    monkeypatch.setattr(LineConstraints, "model", seen)
    position = by_road(2, 6)
    position = position.with_units([replace(position.unit("t2"), attacked=True)])
    aims = tuple(Aim(units=(u,), at=(at,), must="all") for u, at in (("t1", "A2"), ("t2", "A6")))
    found = GapModel(model(position, Goal(aims=aims), 6)).best(ANY, PlainControl())
    assert found.status == "OPTIMAL"
    assert result >= {LINE, HALT, PAY, "E11.255b"}


def test_what_a_round_costs_is_asked_of_the_clauses() -> None:
    """All pay the dearest move except exit costs; with a clause off each pays its own, or all of it."""
    edition, asked = ASL.edition(by_road(2, 6)), model(by_road(2, 6), near("A1"), 4)
    assert (asked.links.shares(2, 5), asked.links.shares(5, 2)) == ((5, 5), (5, 5))
    assert asked.graph.round_cost((2, 5, 3)) == 5
    assert asked.graph.has_one_sum
    assert not is_leaving_shared(edition)
    with without("E11.255a"):
        assert is_leaving_shared(ASL.edition(by_road(2, 6)))
    with without(PAY):
        asked = model(by_road(2, 6), near("A1"), 4)
        assert asked.links.shares(2, 5) == (2, 5)
        assert not asked.graph.has_one_sum


# -- last places -----------------------------------------------------------------------------------


def ends_of(problem: Any, *, linked: bool = True) -> bool:
    """Return whether last places allow all required ends, perhaps with the lead apart."""
    problem.parting = None if linked else Parting(1, alone_budgets=problem.means)
    return could_end(
        problem, everywhere(problem.graph), TaskRows(problem.worth, ANY), None, Quiet()
    )


def must(*pairs: tuple[str, str]) -> Goal:
    """Return the goal that units end where they must."""
    return Goal(aims=tuple(Aim(units=(u,), at=(at,), must="all") for u, at in pairs))


@pytest.mark.parametrize("mp", [28, 60])
def test_what_last_places_rule_out(mp: int) -> None:
    """Two in one hex, two out of line, one behind its follower; with sums beyond any mask of numba too."""
    position = by_road(3, 8, last=f"tr-{mp}")
    if mp > 28:
        position = position.with_units([replace(u, type=f"tr-{mp}") for u in position.units])
    cases = {
        (("t1", "A3"), ("t2", "A3")): (False, False),
        (("t1", "A3"), ("t3", "A8")): (False, True),
        (("t1", "A4"), ("t2", "A3")): (True, True),
        (("t1", "A5"), ("t2", "A6"), ("t3", "A7")): (True, True),
    }
    for pairs, found in cases.items():
        asked = model(position, must(*pairs), 8)
        assert (ends_of(asked), ends_of(asked, linked=False)) == found, pairs


def test_what_stacks_of_several_pay_is_not_rounded() -> None:
    """Two in the last of three places: the points of the best plan suffice, one less does not."""
    line = columns.by_road("squad", "squad", "squad")
    position = replaced(
        line, units=(*line.units, foot("l", "leader", at="A10", column="k", rank=3))
    )
    problem = columns.model(position, Goal(aims=(columns.must("A4"),)))
    found = [
        problem.best(Task({}, {}, {"points": most}), PlainControl()).status for most in (32, 31)
    ]
    assert found == ["OPTIMAL", "IMPOSSIBLE"]


def test_ten_in_one_hex_are_ruled_out_at_once() -> None:
    """Of a longer Convoy only as many reach three hexes as these hold: no model of ways is built."""
    position = by_road(8, 14)
    aim = Aim(units=tuple(f"t{n}" for n in range(1, 9)), at=("A2", "A3", "A4"), must=4)
    found = plan(position, Goal(aims=(aim,)), space="convoy", limit=5)
    assert found.status == "IMPOSSIBLE"
