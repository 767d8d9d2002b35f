"""Random small Convoys with goals of all sorts, checked against brute force.

``python -m tests.asl.convoy_cases FIRST COUNT`` tries many and reports disagreements.
"""

from __future__ import annotations

import sys
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.rules.plan_model import Task
from marchtable.rules.referee import check
from marchtable.state.records import replace
from tests.asl.convoys_by_hand import KEYS, all_plans, small_convoy
from tests.asl.test_plan_convoy import PlainControl, model, some_goal

if TYPE_CHECKING:
    from marchtable.planning.line.model import LineModel
    from marchtable.state.goal import Criterion, Goal

__all__ = ["Case", "compared", "drawn", "known", "proved", "with_stunned"]

SHAPES = (
    *((2, 3, 3, 2),) * 12, *((3, 5, 5, 1),) * 8, *((3, 3, 3, 1),) * 4, *((4, 4, 3, 1),) * 2,
    (2, 4, 4, 3), (3, 3, 3, 2),
)  # fmt: skip
"""Numbers of vehicles, columns and rows, and the most Impulses."""


class Case(NamedTuple):
    """A position, a goal, and the most Impulses of a plan."""

    position: Any
    goal: Goal
    impulses: int


def drawn(seed: int) -> Case:
    """Return a random case."""
    random = Random(seed)
    count, columns, rows, impulses = random.choice(SHAPES)
    position = small_convoy(random, count, columns, rows)
    goal = some_goal(random, position)
    if random.random() < 0.5:
        order: list[Criterion] = [*KEYS]
        random.shuffle(order)
        goal = msgspec.structs.replace(goal, order=tuple(order))
    line = [unit for unit in position.units if unit.line.convoy]
    found: list[Any] = []
    if random.random() < 0.15:
        spent = random.randint(1, 4)
        found = [replace(u, spent=spent, used=spent) for u in line]
    elif random.random() < 0.15:
        found = [
            replace(u, previous=random.choice([n for _, n in position.board.neighbours(u.at)]))
            for u in line
        ]
    elif random.random() < 0.1:
        found = [replace(u, at=None, entering=(line[0].at,)) for u in line]
    return Case(position.with_units(found), goal, impulses)


def with_stunned(seed: int) -> Case:
    """Return a random case in which one vehicle of the Convoy is Stunned and has stopped for it (D5.34)."""
    case, random = drawn(seed), Random(seed)
    unit = random.choice([unit for unit in case.position.units if unit.line.convoy])
    stunned = replace(unit, stunned=True, moving=False)
    return case._replace(position=case.position.with_units([stunned]))


def known(case: Case) -> tuple[int, ...] | None:
    """Return the best score by brute force, or None if there is no plan."""
    order = case.goal.order

    def rank(score: tuple[int, ...]) -> tuple[int, ...]:
        found = dict(zip(KEYS, score, strict=True))
        return tuple(-found[key] if key == "value" else found[key] for key in order)

    plans = all_plans(case.position, case.goal, case.impulses)
    found = min(plans, key=rank, default=None)
    if found is None:
        return None
    result = dict(zip(KEYS, found, strict=True))
    return tuple(result[key] for key in order)


def proved(case: Case, found: LineModel | None = None) -> tuple[int, ...] | None:
    """Return the best score a model (by default a Convoy's) proves, or None.

    Every plan is replayed.
    """
    found = found or model(case.position, case.goal, case.impulses)
    least: dict[Any, int] = {}
    most: dict[Any, int] = {}
    scores: dict[Any, int] = {}
    for criterion in case.goal.order:
        weight = 1 if criterion == "value" else -1
        while True:
            proposal = found.best(
                Task({criterion: weight}, dict(least), dict(most)), PlainControl()
            )
            if proposal.status == "IMPOSSIBLE":
                return None
            assert proposal.status == "OPTIMAL"
            assert proposal.log is not None
            assert proposal.bound is not None
            verdict = check(case.position, proposal.log)
            if verdict.status == "LEGAL":
                break
            found.reject(proposal.log, verdict)
        (least if weight > 0 else most)[criterion] = weight * proposal.bound
        scores = found.worth.measure.of(verdict).score
        assert scores[criterion] == weight * proposal.bound
    return tuple(scores[key] for key in case.goal.order)


def compared(case: Case) -> str:
    """Return the errors in the answer to a case, compared with brute force."""
    mine, force = proved(case), known(case)
    return "" if mine == force else f"{mine}, by force {force}, in the order {case.goal.order}"


def main() -> None:
    """Try cases and report the wrong ones."""
    first, number = int(sys.argv[1]), int(sys.argv[2])
    wrong = 0
    for seed in range(first, first + number):
        found = compared(drawn(seed))
        if found:
            wrong += 1
            sys.stdout.write(f"{seed} {found}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{number} cases, {wrong} wrong\n")


if __name__ == "__main__":
    main()
