"""Several plans on foot: each the best of those whose ends, or ways' own cost, differ from all before."""

from __future__ import annotations

import os
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from marchtable.planning.goals import checked_goal
from marchtable.planning.loop import plan
from marchtable.state.goal import CRITERIA, Aim, Goal
from marchtable_models.asl.cpsat.foot.model import Foot
from marchtable_models.asl.rulebook import RULEBOOK
from tests.asl import foot_cases
from tests.asl.boards import field, foot, load, place
from tests.asl.foot_by_force import ByForce
from tests.slowly import slow_after

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


MANY = int(os.environ.get("MARCHTABLE_CASES", "24"))


def _rank(order: Sequence[str], score: Mapping[Any, int]) -> tuple[int, ...]:
    return tuple(-score[name] if name == "value" else score[name] for name in order)


def _by_force(force: ByForce, order: Sequence[str]) -> list[tuple[int, ...]]:
    """Return the rank of the best plan of each kind, the best first."""
    found: dict[Any, tuple[int, ...]] = {}
    for end in force.ends():
        rank = _rank(order, dict(zip(CRITERIA, end.score, strict=True)))
        found[end.ways] = min(rank, found.get(end.ways, rank))
    return sorted(found.values())


@pytest.mark.parametrize("seed", slow_after(2, [20264, *range(31000, 31000 + MANY)]))
def test_several_plans_are_those_of_brute_force(seed: int) -> None:
    """As many as requested, in order; if there are fewer, the answer says that these are all."""
    case = foot_cases.drawn(seed, across=4, crowded=seed % 2 == 0)
    if case is None:
        pytest.skip("no case by this seed")
    random = Random(seed)
    goal = msgspec.structs.replace(case.goal, order=tuple(random.sample(CRITERIA, len(CRITERIA))))
    model = Foot(RULEBOOK, case.position, checked_goal(goal, case.position))
    force = ByForce(model)
    if not model.is_fit or force.size() > 1500:
        pytest.skip("not on foot, or too many plans")
    count = random.choice((2, 4, 7))
    expected = _by_force(force, goal.order)
    found = plan(case.position, goal, space="foot", best=count, rolls="avoid", limit=60)
    ranks = [_rank(goal.order, each.score) for each in found.plans]
    assert ranks == expected[:count]
    assert not found.complete or len(ranks) == len(expected)


def test_a_unit_that_pays_for_company_makes_no_other_plan() -> None:
    """Four squads enter one hex, one pays 2 more: that is one plan, whichever squad pays (A5.131)."""
    board = field({"A1": {"terrain": "Grain"}, "B1": {"terrain": "Open Ground"}})
    men = [foot(f"u{n}", "squad", at="B1", inexperienced=n == 1) for n in range(4)]
    names = tuple(man.id for man in men)
    goal = Goal(aims=(Aim(units=names, at=("A1",)),), order=("value", "points"))
    found = plan(place(board, *men), goal, space="foot", best=3, limit=60)
    assert [(one.score["value"], one.score["points"]) for one in found.plans] == [
        (4, 14), (3, 9), (3, 9),
    ]  # fmt: skip
    assert all(one.status == "OPTIMAL" for one in found.plans)


def _leaving(*aims: Aim, men: Sequence[Any], names: Sequence[str]) -> Any:
    goal = Goal(aims=aims, order=("points",))
    board = field({name: {} for name in names})
    return plan(place(board, *men), goal, space="foot", limit=60)


def test_a_unit_that_leaves_the_map_first_hinders_nobody() -> None:
    """Four squads end where another exits: it goes first, with the MF it has."""
    men = [foot(f"u{n}", "squad", at="B1" if n else "A2", cx=True) for n in range(5)]
    four = Aim(units=("u1", "u2", "u3", "u4"), at=("A1",), must="all")
    leaves = Aim(units=("u0",), exit=("A1",), must="all")
    found = _leaving(four, leaves, men=men, names=("A1", "B1", "A2"))
    assert found.status == "OPTIMAL"


def test_a_unit_that_is_led_off_the_map_pays_for_company_on_the_way() -> None:
    """With 4 PP and a leader it passes a hex where three squads stay, and can pay for it."""
    three = [foot(f"u{n}", "squad", at="A1", cx=True) for n in (1, 2, 3)]
    men = [*three, foot("u0", "squad", at="A3", cx=True, sw=load(5)),
           foot("ldr", "leader", at="A3", cx=True)]  # fmt: skip
    stay = Aim(units=("u1", "u2", "u3"), at=("A1",), must="all")
    leaves = Aim(units=("u0",), exit=("A1",), must="all")
    found = _leaving(stay, leaves, men=men, names=("A1", "B1", "A2", "A3"))
    assert found.status == "OPTIMAL"
