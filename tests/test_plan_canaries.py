"""What no model may do: call an unproved goal impossible, lose a plan, or fall below random play."""

from __future__ import annotations

import signal
from random import Random
from typing import Any

import pytest

from marchtable.budget import watched
from marchtable.cpsat.harness import Stop
from marchtable.planning.goals import checked_goal
from marchtable.planning.loop import plan
from marchtable.planning.score import Measure
from marchtable.planning.search import Progress
from marchtable.planning.why import why
from marchtable.rules.generator import legal_actions
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.goal import Aim, Goal
from tests.asl.boards import foot, vehicle
from tests.asl.boards import place as asl_place
from tests.asl.convoys_by_hand import by_road
from tests.asl.test_columns import column
from tests.asl.test_plan_convoy_gaps import attacked
from tests.asl.test_plan_transport import LANE, track
from tests.asl.test_platoons import platoon
from tests.panzer.scenes import place as panzer_place
from tests.panzer.scenes import rifles, truck
from tests.panzer.test_transport import LANE as ROAD
from tests.slowly import slow_after


def _aim(*units: str, **fields: Any) -> Aim:
    return Aim(units=units, **fields)


def _trucks(spent: int) -> Any:
    """Return two trucks in Convoy on a road of eight hexes, with this many half points spent."""
    return by_road(2, 8, mph="moving", spent=spent, used=spent)


SCENES: dict[str, tuple[Any, str, str]] = {
    "alone": (asl_place(LANE, vehicle("u", "ht-5", "A1", mph="moving")), "C2", "I5"),
    "foot": (asl_place(LANE, foot("u", at="A1")), "C2", "I5"),
    "transport": (asl_place(LANE, track(), foot("u", at="A1", cx=True)), "F3", "I5"),
    "transport-stops": (asl_place(LANE, track(), foot("u", at="A1", aboard="t")), "C2", "I5"),
    "convoy": (_trucks(46), "A5", "A1"),
    "convoy-gaps": (attacked(_trucks(50), "t2"), "A5", "A1"),
    "platoon": (
        platoon(6, 7, shared={"mph": "moving", "spent": 22, "used": 22}), "A5", "A1",
    ),
    "column": (column(8, 9, spent=6, used=6, mph="moving", cx=True), "A7", "A6"),
    "delivery": (
        panzer_place(truck("u", at="A1"), rifles(at="A1", aboard="u"), board=ROAD), "A9", "",
    ),
}  # fmt: skip
"""By space a position, with possible and impossible places for its unit."""

NAMED = {"convoy": "t1", "convoy-gaps": "t1", "platoon": "t1", "column": "u1", "delivery": "r"}
"""The unit's name, if not u."""

ALSO = {"transport-stops": (_aim("t", at=("F3",), must="all"),)}
"""Further aims."""


def by_name(name: str) -> str | None:
    """Return the space to request, or none if it is chosen by default."""
    return name if name in ALSO else None


def must(name: str, *, can: bool) -> tuple[Any, Goal]:
    """Return a position of a space, and a goal that is possible or not."""
    position, within, beyond = SCENES[name]
    units = (NAMED.get(name, "u"),)
    at = within if can else beyond or "A14"
    return position, Goal(
        aims=(_aim(*units, at=(at,), must="all"), *ALSO.get(name, ())), order=("moved",)
    )


@pytest.mark.parametrize("name", SCENES)
def test_the_answers_are_as_expected(name: str) -> None:
    """Each space has a possible and an impossible goal, whatever the seed."""
    for seed in (0, 1, 17):
        position, goal = must(name, can=True)
        found = plan(position, goal, space=by_name(name), seed=seed)
        assert (found.status, found.space.name) == ("OPTIMAL", name)
        none = plan(*must(name, can=False), space=by_name(name), seed=seed)
        assert none.status == "IMPOSSIBLE"


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize("limit", [0.0, 1e-9, 1e-3, 1e-2])
def test_a_tiny_limit_is_no_proof(name: str, limit: float) -> None:
    """A possible goal is never called impossible; with no time at all nothing is."""
    space = by_name(name)
    found = plan(*must(name, can=True), space=space, limit=limit)
    assert found.status in ("OPTIMAL", "FEASIBLE", "UNKNOWN")
    assert why(*must(name, can=True), space=space, limit=limit).status in ("LEGAL", "UNKNOWN")
    if not limit:
        assert plan(*must(name, can=False), space=space, limit=limit).status == "UNKNOWN"
        assert why(*must(name, can=False), space=space, limit=limit).status == "UNKNOWN"


@pytest.mark.parametrize("name", slow_after(2, SCENES))
def test_no_raw_core_is_shown(name: str) -> None:
    """A clause reported as needed is needed; with the limit cut short there is none, or it says so."""
    position, goal = must(name, can=False)
    whole = why(position, goal, space=by_name(name), most=0)
    assert whole.conflict
    result = {reason.clause for reason in whole.conflict or ()}
    for limit in (0.05, 0.2, 1.0):
        found = why(position, goal, space=by_name(name), limit=limit, most=0)
        for reason in found.conflict or ():
            assert reason.clause in result or not reason.is_needed


def wish(name: str) -> tuple[Any, Goal]:
    """Return a position of a space and a goal that takes some search."""
    position, _, beyond = SCENES[name]
    unit = NAMED.get(name, "u")
    aim = _aim(unit, near=(beyond or "A14",))
    return position, Goal(aims=(aim,), order=("distance", "points", "moved"))


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize("after", [1, 2, 3])
def test_ctrl_c_returns_a_legal_plan(name: str, after: int) -> None:
    """Ctrl-C at any progress of a search ends it, with the best plan so far, which is legal."""
    position, goal = wish(name)
    seen = 0

    def pressed(news: Any) -> None:
        nonlocal seen
        seen += isinstance(news, Progress)
        if isinstance(news, Progress) and seen == after:
            signal.raise_signal(signal.SIGINT)

    with watched(pressed):
        found = plan(position, goal, space=by_name(name))
    assert found.plans
    assert check(position, found.plans[0].log).status == "LEGAL"
    assert found.status in ("OPTIMAL", "FEASIBLE")


@pytest.mark.parametrize("name", SCENES)
def test_a_stop_before_it_begins(name: str) -> None:
    """A search stopped at once has no proof, and only legal plans."""
    position, goal = wish(name)
    stop = Stop()
    stop.request()
    found = plan(position, goal, space=by_name(name), stop=stop)
    assert found.status in ("FEASIBLE", "UNKNOWN")
    assert all(check(position, one.log).status == "LEGAL" for one in found.plans)


MOVERS: dict[str, tuple[Any, ...]] = {
    "squad": (foot("u", at="A1"),),
    "tired": (foot("u", at="A1", cx=True),),
    "stack": (foot("u", at="A1"), foot("l", "leader", at="A1")),
    "tired stack": (
        *(foot(n, at="A1", cx=True) for n in "uv"),
        foot("l", "leader", at="A1", cx=True),
    ),
    "mounted": (foot("u", "cavalry", at="A1"),),
    "mounted stack": (foot("u", "cavalry", at="A1"), foot("l", "cavalry-leader", at="A1")),
    "halftrack": (track("u"),),
    "passengers": (track("h"), foot("u", at="C2", aboard="h")),
    "truck": (vehicle("u", "opel-blitz", "C2", moving=False),),
}
"""By name, units for which no play beats the planner's spaces."""


def _drawn(position: Any, random: Random) -> Any:
    """Return a random move action, of a stack as often as of a single unit."""
    travel = find_rulebook("asl").travel
    choices = [one for one in legal_actions(position) if isinstance(one.action, travel)]
    while choices:
        chosen = random.choice(choices)
        wider = legal_actions(position, opened=chosen.action) if chosen.joins else []
        choices = wider if wider and (not chosen.closes or random.random() < 0.5) else []
        if not choices and chosen.closes:
            return chosen.action
    return None


@pytest.mark.parametrize("seed", slow_after(1, range(10)))
@pytest.mark.parametrize("name", MOVERS)
def test_no_random_play_beats_the_bound(name: str, seed: int) -> None:
    """Random moves get no nearer than the plan that is proved best."""
    position = asl_place(LANE, *MOVERS[name])
    result = _aim(*(unit.id for unit in MOVERS[name] if unit.id != "h"), near=("I5",), carried=True)
    goal = checked_goal(Goal(aims=(result,), order=("distance",)), position)
    found = plan(position, goal)
    assert found.status == "OPTIMAL"
    (bound,) = found.plans[0].bound
    assert bound is not None
    random, here, measure = Random(seed), position, Measure(position, goal)
    log: list[Any] = []
    for _ in range(40):
        action = _drawn(here, random)
        after = None if action is None else check(position, [*log, action])
        if after is not None and after.status == "LEGAL" and not after.position.pending:
            log.append(action)
            here = after.position
            assert measure.of(after).score["distance"] >= bound
    assert log
