"""Plans of Columns: goldens, the optimum by brute force, limits, cuts and reasons."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from marchtable.budget import watched
from marchtable.cpsat.harness import Stop
from marchtable.files.notation import format_action
from marchtable.planning.loop import plan
from marchtable.planning.search import Progress
from marchtable.planning.why import why
from marchtable.rules.clause import without
from marchtable.rules.plan_model import Task
from marchtable.rules.referee import check
from marchtable.state.goal import Aim, Goal
from marchtable.state.position import Counter
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.column.model import column_models
from marchtable_models.asl.rules.declarations import DoubleTime
from tests.asl.boards import ASL, field, foot, place, vehicle
from tests.asl.column_cases import compared, drawn
from tests.asl.test_columns import column as fresh
from tests.asl.test_plan_convoy import PlainControl, rejected_at
from tests.slowly import slow_after

if TYPE_CHECKING:
    from marchtable_models.asl.cpsat.column.model import ColumnModel

MANY = int(os.environ.get("MARCHTABLE_CASES", "60"))


def column(*rows: int, **fields: Any) -> Any:
    """Return squads in Column that are CX, and so cannot declare Double Time."""
    return fresh(*rows, **{"cx": True, **fields})


def near(*names: str, units: tuple[str, ...] = ("u1",), **fields: Any) -> Goal:
    """Return the goal to bring units near Locations."""
    return Goal(aims=(Aim(units=units, near=names),), **fields)


def must(name: str, unit: str = "u1") -> Aim:
    """Return the demand that a unit ends in a Location."""
    return Aim(units=(unit,), at=(name,), must="all")


def lines_of(found: Any) -> list[str]:
    """Return the log of the best plan."""
    return [format_action(action) for action in found.plans[0].log]


def model(position: Any, goal: Goal) -> ColumnModel:
    """Return the model of the Column that u1 leads."""
    return column_models(ASL, position, goal, "avoid")[0]


def by_road(*kinds: str, last: int = 12) -> Any:
    """Return units in Column down a road along row A, the lead in A8, with as many hexes beside it."""
    hexes: dict[str, Any] = {f"{u}{row}": {} for u in "AB" for row in range(1, last + 1)}
    sides = {f"A{row}-A{row + 1}": {"road": "Dirt Road"} for row in range(1, last)}
    units = [
        foot(f"u{n + 1}", kind, at=f"A{8 + n}", column="k", rank=n + 1, cx=True)
        for n, kind in enumerate(kinds)
    ]
    return place(field(hexes, sides), *units)


def tired() -> Any:
    """Return a Column with one MF left."""
    return column(8, 9, spent=6, used=6, mph="moving")


# -- goldens -----------------------------------------------------------------------------------------


def test_all_follow_the_lead() -> None:
    """Three squads go as far as four MF allow, each to the previous place of the unit ahead."""
    found = plan(column(8, 9, 10), near("A4"))
    assert (found.status, found.space.name) == ("OPTIMAL", "column")
    assert lines_of(found) == [
        f"impulse u1 enter:A{n - 1},enter:A{n},enter:A{n + 1}" for n in (8, 7, 6, 5)
    ]
    assert found.plans[0].score["points"] == 2 * 3 * 4


@pytest.mark.parametrize(
    ("kinds", "left"), [(("squad", "squad"), 2), (("leader", "squad"), 0), (("hero", "squad"), 2)]
)
def test_the_slowest_and_the_leader(kinds: tuple[str, ...], left: int) -> None:
    """Four MF and the road bonus are not enough for seven hexes; a leader's two MF for all are."""
    found = plan(by_road(*kinds), near("A1"))
    assert found.status == "OPTIMAL"
    assert found.plans[0].score["distance"] == left


def test_off_the_road_there_is_no_bonus() -> None:
    """A unit that leaves the road to go round a hex has four MF, not five."""
    position = by_road("squad", "squad")
    assert plan(position, near("A3")).plans[0].score["distance"] == 0
    assert plan(position, near("A3", avoid=("A5",))).plans[0].score["distance"] == 2


def test_round_the_woods() -> None:
    """Woods without a road are avoided: the lead of a Column three hexes long reaches A1 by B2."""
    found = plan(column(3, 4, 5), near("A1"))
    assert found.plans[0].score["distance"] == 0
    assert not any("A2" in line for line in lines_of(found))


def test_the_tail_may_stay() -> None:
    """A unit beside the new place of the unit ahead need not follow, and does not if unwanted."""
    aims = (must("A3"), must("A5", "u2"))
    found = plan(column(4, 5), Goal(aims=aims))
    assert found.status == "IMPOSSIBLE"
    aims = (must("B4"), must("A5", "u2"))
    found = plan(column(4, 5), Goal(aims=aims))
    assert lines_of(found) == ["impulse u1 enter:B4,stay"]


def test_a_stack_moves_together() -> None:
    """Two squads of one Location go to one hex, and the Column pays once."""
    position = column(8, 9, 9)
    found = plan(position, near("A4", units=("u1", "u2", "u3")))
    assert lines_of(found)[0] == "impulse u1 enter:A7,enter:A8,enter:A8"
    assert found.plans[0].score["distance"] == 0 + 1 + 1


def test_avoid_and_exposure() -> None:
    """No unit enters a Location to avoid; each entry under threat counts."""
    position = column(8, 9)
    assert plan(position, near("A6", avoid=("A7", "B7", "B8"))).plans[0].score["distance"] == 2
    found = plan(position, near("A6", threat={"A7": 5})).plans[0].score
    assert (found["distance"], found["exposure"]) == (0, 0)
    walled = near("A6", threat={"A7": 5, "B7": 1, "B8": 1})
    assert plan(position, walled).plans[0].score["exposure"] == 1 + 1


def test_from_off_the_map() -> None:
    """Units waiting off the map enter in line, each by a hex stated for it."""
    units = [foot(f"u{n}", at=None, column="k", rank=n, entering=("A12",)) for n in (1, 2)]
    hexes: dict[str, Any] = {f"A{row}": {} for row in range(1, 13)}
    found = plan(place(field(hexes), *units), near("A10"))
    assert lines_of(found) == [
        "impulse u1 enter:A12,stay",
        "impulse u1 enter:A11,enter:A12",
        "impulse u1 enter:A10,enter:A11",
    ]


def test_a_unit_that_sees_an_enemy_makes_one_impulse() -> None:
    """A Column that sees a Known enemy disbands as it spends MF: it makes no second Impulse."""
    enemy = foot("e", at="B1", side="russian")
    position = column(8, 9, others=(enemy,))
    seeing = position.with_units([replace(position.unit("u2"), sees=("e",))])
    assert plan(position, near("A4")).plans[0].score["distance"] == 0
    found = plan(seeing, near("A4"))
    assert (found.status, found.plans[0].score["distance"]) == ("OPTIMAL", 3)


def test_a_blast_area_is_as_far_as_it_gets() -> None:
    """The Impulse that brings a unit within six hexes of HE is the Column's last."""
    position = column(10, 11)
    blast = msgspec.structs.replace(position, counters=(Counter(kind="blast-area", at="A3"),))
    assert plan(position, near("A6")).plans[0].score["distance"] == 0
    assert plan(blast, near("A6")).plans[0].score["distance"] == 3


def test_nobody_is_known_to_leave_the_map() -> None:
    """Leaving the map by Impulses is not modelled: a must to leave is reported UNSUPPORTED."""
    aim = Aim(units=("u1",), exit=("A1",), must=1)
    found = plan(column(3, 4), Goal(aims=(aim,)))
    assert found.status == "UNSUPPORTED"
    assert found.space.left_out == ("A2.6e",)
    reasons = why(column(3, 4), Goal(aims=(aim,))).conflict
    assert [(one.clause, one.is_needed) for one in reasons or ()] == [("A2.6e", False)]


# -- when the model applies ------------------------------------------------------------------------


def test_fit_for_goals_about_its_units() -> None:
    """The model is offered for goals about one Column on foot whose units can all move."""
    position, goal = column(4, 5, others=(foot("x", at="B5"),)), near("A3")
    assert [found.name for found in column_models(ASL, position, goal, "avoid")] == ["column"]
    for other in (
        near("A3", movers=("u1",)),
        near("A3", units=("u1", "x")),
        near("A3", units=("x",)),
    ):
        assert not column_models(ASL, position, other, "avoid")
    cart = vehicle("w", "wagon", at="A6", moving=False, column="k", rank=6)
    assert not column_models(ASL, column(4, 5, others=(cart,)), goal, "avoid")
    advancing = msgspec.structs.replace(position, phase="APh")
    assert not column_models(ASL, advancing, goal, "avoid")


def test_the_space_is_reported() -> None:
    """The answer states which units move, by which actions, and how often at most."""
    space = plan(column(4, 5), near("A3")).space
    assert (space.verbs, space.movers) == (("double-time", "impulse"), ("u1", "u2"))
    assert "at most 12 Impulses" in space.policy[0]


# -- against brute force -----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", slow_after(2, range(MANY)))
def test_the_optimum_is_that_of_brute_force(seed: int) -> None:
    """On small maps the best plans are those of an exhaustive search, or neither has any."""
    case = drawn(seed, most=2 + seed % 2, across=3)
    if case is not None:
        assert not compared(case, count=1 + seed % 3)


# -- Double Time, and who passes whom ----------------------------------------------------------------


@pytest.mark.clause("E11.52f")
def test_double_time_where_it_is_needed() -> None:
    """Five hexes need Double Time: only the units that need it declare it."""
    found = plan(fresh(8, 9), Goal(aims=(must("A3"),)), space="column")
    assert found.status == "OPTIMAL"
    assert lines_of(found)[:2] == ["double-time u1", "double-time u2"]
    near_by = plan(fresh(8, 9), Goal(aims=(must("A4"),)), space="column")
    assert not any(line.startswith("double-time") for line in lines_of(near_by))
    led = fresh(8, 9, kinds=("hero", "squad"))
    found = plan(led, Goal(aims=(must("A3"),)), space="column")
    assert [line for line in lines_of(found) if line.startswith("double")] == ["double-time u2"]
    tired_ = plan(column(8, 9), Goal(aims=(must("A3"),)), space="column")
    assert tired_.status == "IMPOSSIBLE"
    with without("E11.52f"):
        assert plan(fresh(8, 9), Goal(aims=(must("A3"),)), space="column").status == "IMPOSSIBLE"


@pytest.mark.clause("A13.36a")
def test_gallop_is_not_searched() -> None:
    """What only Gallop might reach is not called impossible; if no unit can gallop it is."""
    riders = ("cavalry", "cavalry")
    goal = Goal(aims=(must("A1"), must("A13", "u2")))
    for tired_, status in ((False, "UNSUPPORTED"), (True, "IMPOSSIBLE")):
        found = plan(column(8, 9, kinds=riders, cx=tired_), goal, space="column")
        assert (found.status, "A13.36a" in found.space.left_out) == (status, not tired_)


@pytest.mark.clause("E11.5g")
def test_a_column_turns_on_its_heel() -> None:
    """The lead goes back through the hexes of units behind, which follow; excess squads stay apart."""
    found = plan(column(8, 9, 10), near("A13"), space="column")
    assert found.plans[0].score["distance"] == 1
    assert lines_of(found)[0] == "impulse u1 enter:A9,stay,stay"
    kinds = ("squad", "squad", "squad", "squad")
    units = [foot(f"u{n}", kind, at=f"A{8 + n // 3}", column="k", rank=1 + n // 3, cx=True)
             for n, kind in enumerate(kinds, 1)]  # fmt: skip
    heap = place(column(8).board, *units)
    line = model(heap, near("A13")).line
    assert line.links.crowds == (frozenset({1}), frozenset({0}))


# -- limits and cuts ---------------------------------------------------------------------------------


def test_a_tiny_limit_is_no_proof() -> None:
    """Without time nothing is proved: FEASIBLE if there is a plan, else UNKNOWN and not IMPOSSIBLE."""
    stays = Goal(aims=(must("B4"), must("A5", "u2")))
    assert plan(column(4, 5), stays, limit=1e-9).status == "FEASIBLE"
    far = Goal(aims=(must("A12"),))
    assert plan(column(4, 5), far, limit=1e-9).status == "UNKNOWN"
    assert plan(column(4, 5), stays).status == "OPTIMAL"
    position = column(8, 9, 10)
    found = plan(position, near("B1", units=("u1", "u2", "u3")), limit=1e-9)
    assert found.status == "FEASIBLE"
    assert found.plans[0].verdict.status == "LEGAL"
    at_once = plan(column(8, 9, 10), near("A1", units=("u1", "u2", "u3")), limit=0.0)
    assert [at_once.plans[0].verdict.position.unit(f"u{n}").at for n in (1, 2, 3)] == [
        "A4",
        "A5",
        "A6",
    ]


def test_a_tiny_limit_proves_nothing_wrong() -> None:
    """What is IMPOSSIBLE in next to no time is so with more time too: layers have proved it."""
    for seed in range(3000, 3016):
        case = drawn(seed, most=3, across=3)
        if case is None or not column_models(ASL, *case, "avoid"):
            continue
        found = plan(*case, space="column", limit=1e-9)
        if found.status == "IMPOSSIBLE":
            assert plan(*case, space="column").status == "IMPOSSIBLE"


def test_a_stop_leaves_the_first_plan() -> None:
    """A stop request returns the result of following the lead, with a bound."""
    stop = Stop()
    goal = near("B1", units=("u1", "u2", "u3"))
    with watched(lambda news: stop.request() if isinstance(news, Progress) else None):
        found = plan(column(8, 9, 10), goal, stop=stop)
    assert (found.status, found.unsettled) == ("FEASIBLE", "stop")
    assert found.plans[0].verdict.status == "LEGAL"


def test_different_plans() -> None:
    """Each of the best plans ends elsewhere or spends other points than those before it."""
    found = plan(column(8, 9), near("A5"), best=5)
    assert len({each.verdict.position for each in found.plans}) == 5
    scores = [each.score["distance"] for each in found.plans]
    assert scores == sorted(scores)


def test_a_front() -> None:
    """Nearer costs more: the front of distance and points has a plan for each hex."""
    found = plan(column(8, 9), near("A4"), pareto=("distance", "points"))
    result = [(each.score["distance"], each.score["points"]) for each in found.plans]
    assert found.complete
    assert result == [(n, 4 * (4 - n)) for n in range(5)]


def test_a_rejected_plan_is_not_proposed_again() -> None:
    """A plan the referee rejects is cut off, and the next best is proved."""
    position, goal = column(8, 9), near("A4")
    found, task = model(position, goal), Task({"distance": -1}, {}, {})
    first = found.best(task, PlainControl())
    assert first.log is not None
    found.reject(first.log, check(position, first.log))
    second = found.best(task, PlainControl())
    assert (first.bound, second.bound) == (0, -1)
    assert second.log != first.log


@pytest.mark.parametrize("doubles", [False, True])
def test_what_is_rejected_with_double_time_proves_nothing(*, doubles: bool) -> None:
    """Which units declare it depends on the whole plan: another plan with that start may be legal."""
    position, goal = (fresh if doubles else column)(8, 9), near("A3" if doubles else "A4")
    found, task = model(position, goal), Task({"distance": -1}, {}, {})
    first = found.best(task, PlainControl()).log
    assert first is not None
    assert any(isinstance(action, DoubleTime) for action in first) == doubles
    found.reject(first, rejected_at(position, first, len(first) - 1))
    second = found.best(task, PlainControl())
    assert second.log is not None
    assert second.log != first
    assert (second.status, second.bound is None) == (
        ("FEASIBLE", True) if doubles else ("OPTIMAL", False)
    )


# -- why not -----------------------------------------------------------------------------------------


def reasons(position: Any, *aims: Aim) -> list[tuple[str, tuple[str, ...], Any]]:
    """Return why the Column cannot meet its musts."""
    answer = why(position, Goal(aims=aims))
    assert answer.status == "IMPOSSIBLE"
    assert answer.conflict is not None
    return [(r.clause, r.units, r.numbers) for r in answer.conflict]


def test_one_mf_short() -> None:
    """The reason for a missing fifth MF is that the line's units lack it."""
    given = reasons(column(8, 9), must("A3"))
    assert given == [("D14.31b", ("u1", "u2"), (("need", 1), ("have", 0)))]


def test_two_units_apart() -> None:
    """No unit can end a hex from the one ahead: the Column would separate."""
    ((clause, units, _),) = reasons(column(8, 9), must("A7"), must("A9", "u2"))
    assert (clause, units) == ("E11.5b", ("u1", "u2"))


def test_no_way_but_that_of_those_ahead() -> None:
    """A unit behind cannot go where no unit ahead was; with more MF those ahead could go there first."""
    given = reasons(tired(), must("B7"), must("B8", "u2"))
    assert {clause for clause, _, _ in given} == {"E11.5g", "D14.31b"}


def test_woods_are_reported() -> None:
    """A Column can enter woods only by path or road."""
    assert [clause for clause, _, _ in reasons(column(3, 4), must("A2"))] == ["E11.521a"]


def test_one_impulse_is_reported() -> None:
    """A Column that disbands for a visible enemy makes no second Impulse."""
    position = column(8, 9, others=(foot("e", at="B1", side="russian"),))
    seeing = position.with_units([replace(position.unit("u1"), sees=("e",))])
    assert [clause for clause, _, _ in reasons(seeing, must("A6"))] == ["E11.53e"]
