"""Plans of AFV platoons: equal to brute force, replayed, found by plan and why."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from marchtable.errors import BadInputError
from marchtable.planning.loop import plan
from marchtable.planning.why import why
from marchtable.rules.clause import without
from marchtable.rules.referee import check
from marchtable.state.goal import Aim, Goal
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.platoons import OF_THE_PLATOON, PlatoonModel
from marchtable_models.asl.extraction.lines import members
from marchtable_models.asl.model import SPINES
from tests.asl.boards import ASL, field, place, vehicle
from tests.asl.convoy_cases import Case, proved
from tests.asl.convoys_by_hand import TERRAIN, all_plans
from tests.asl.test_plan_convoy import lines_of, near
from tests.asl.test_platoons import platoon

SHAPES = (*((2, 3, 3, 2),) * 6, *((2, 4, 4, 1),) * 2, *((3, 3, 3, 1),) * 3)
"""How many AFV on how many columns and rows go by how many Impulses at most."""


def model(position: Any, goal: Goal, impulses: int = 12) -> PlatoonModel:
    """Return the model of the platoon of t1."""
    return PlatoonModel(ASL, position, goal, members(position, position.unit("t1")), impulses)


def small_platoon(random: Random, count: int, columns: int, rows: int, **told: Any) -> Any:
    """Return AFV of one platoon, each near another, on a small map of all sorts of ground."""
    names = [f"{chr(65 + column)}{row}" for column in range(columns) for row in range(1, rows + 1)]
    hexes = {name: dict(random.choice(TERRAIN)) for name in names}
    sides = {
        f"{e.a}-{e.b}": {"road": "Dirt Road"}
        for e in field(hexes).edges if random.random() < 0.35
    }  # fmt: skip
    board = field(hexes, sides)
    line = [random.choice(names)]
    while len(line) < count:
        beside = [name for at in line for _, name in board.neighbours(at)]
        line.append(random.choice([*beside, line[0]]))
    moving = random.random() < 0.6
    units = [
        vehicle(
            f"t{n}", f"{random.choice(('ht', 'ft'))}-{random.choice((4, 6, 8, 10))}", at=at,
            facing=random.choice(SPINES), platoon="p", moving=moving, **told,
        )
        for n, at in enumerate(line, 1)
    ]  # fmt: skip
    if random.random() < 0.3:
        units.append(vehicle("w", "wreck", at=random.choice(names), facing=None, moving=False))
    return place(board, *units)


def some_goal(random: Random, position: Any) -> Goal:
    """Return a goal about some of the platoon's AFV."""
    names = list(position.board.index)
    line = tuple(unit.id for unit in position.units if unit.line.platoon)
    aim = random.choice([
        Aim(units=("t1",), near=(random.choice(names),)),
        Aim(units=line, near=(random.choice(names),)),
        Aim(units=line, at=tuple(random.sample(names, 4)), must=random.choice((None, 1))),
    ])  # fmt: skip
    threat = {name: random.randint(1, 3) for name in random.sample(names, 2)}
    return Goal(aims=(aim,), threat=threat if random.random() < 0.5 else {})


def drawn(seed: int) -> Case:
    """Return a random case."""
    random = Random(seed)
    count, columns, rows, impulses = random.choice(SHAPES)
    spent = random.choice((0, 0, 0, 1, 3))
    position = small_platoon(random, count, columns, rows, spent=spent, used=spent)
    if random.random() < 0.15:
        position = position.with_units([replace(position.unit("t2"), at=None, entering=("A1",))])
    return Case(position, some_goal(random, position), impulses)


def by_force(case: Case) -> tuple[int, ...] | None:
    """Return the best score of all plans, None if there is none."""
    plans = all_plans(case.position, case.goal, case.impulses)
    return min(plans, key=lambda score: (-score[0], *score[1:]), default=None)


def near_must(unit: str, at: str) -> Goal:
    """Return the goal that a unit must end in a Location."""
    return Goal(aims=(Aim(units=(unit,), at=(at,), must="all"),))


def agrees(seed: int) -> None:
    """Hold a random platoon's best plan against all its plans."""
    case = drawn(seed)
    found = model(case.position, case.goal, case.impulses)
    assert proved(case, found) == by_force(case), seed


@pytest.mark.parametrize("seed", range(24))
def test_the_planner_is_as_good_as_brute_force(seed: int) -> None:
    """Status and score are those of all plans there are."""
    agrees(seed)


@pytest.mark.parametrize("off", OF_THE_PLATOON[1:])  # E11.2h off, the generator offers too few
def test_no_clause_is_stated_twice(off: str) -> None:
    """With a clause off that binds the AFV of a platoon, the planner is as good as brute force without it."""
    with without(off):
        for seed in (7, 8, 19, 25, 49):
            agrees(2000 + seed)


def test_mates_seen_are_as_told() -> None:
    """Where lines of sight are read as told, AFV that are not told to see each other may not move."""
    for sees, status in (((), "IMPOSSIBLE"), (("t1", "t2"), "OPTIMAL")):
        position = platoon(4, 5, shared={"sees": sees}, readings=(("D14.21b", "told"),))
        assert plan(position, near_must("t1", "A3"), space="platoon").status == status


# -- plan and why ------------------------------------------------------------------------------------


def test_three_follow_their_way() -> None:
    """A platoon's plan is one of Impulses, found without the space being named."""
    position = platoon(6, 7, 8, shared={"moving": False})
    found = plan(position, near("A2", units=("t1", "t2", "t3")))
    assert (found.status, found.space.name) == ("OPTIMAL", "platoon")
    assert lines_of(found)[0] == "impulse t1 start,start,start"
    assert check(position, found.plans[0].log).status == "LEGAL"


def test_why_a_platoon_does_not_part() -> None:
    """One is not sent where its mate may not follow: the clause is told, and needed."""
    position = platoon(6, 7)
    aims = (Aim(units=("t1",), at=("A3",), must="all"), Aim(units=("t2",), at=("A7",), must="all"))
    told = why(position, Goal(aims=aims), most=0)
    assert (told.status, told.space and told.space.name) == ("IMPOSSIBLE", "platoon")
    assert [(reason.clause, reason.is_needed) for reason in told.conflict or ()] == [
        ("D14.21a", True)
    ]


def test_why_the_poorest_keeps_them() -> None:
    """What the last cannot pay the first does not spend either."""
    position = platoon(6, 7)
    poor = replace(position.unit("t2"), spent=20, used=20)
    told = why(position.with_units([poor]), near_must("t1", "A1"), most=0)
    assert "E11.2h" in {reason.clause for reason in told.conflict or ()}


@pytest.mark.parametrize("fields", [{"prep_fired": True}, {"reverse": True, "moving": True}])
def test_who_is_not_planned_for(fields: dict[str, Any]) -> None:
    """A platoon of which one has Prep Fired, or that goes in Reverse, is in no such space."""
    position = platoon(6, 7, shared={"moving": False, **fields})
    with pytest.raises(BadInputError, match="AFV platoon"):
        plan(position, near("A2"), space="platoon")
