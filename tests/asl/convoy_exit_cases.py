"""Random small Convoys with goals of all sorts, checked against all possible plans.

``python -m tests.asl.convoy_exit_cases FIRST COUNT`` tries many and reports disagreements.
"""

from __future__ import annotations

import sys
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.state.goal import Aim, Goal
from tests.asl.boards import on_edge
from tests.asl.convoys_by_hand import all_plans, small_convoy
from tests.asl.test_plan_convoy import best_of, model

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Case", "compared", "drawn"]

SIZES = (*[(2, 3, 2, 2)] * 6, *[(3, 3, 3, 1)] * 4, (2, 3, 3, 2))
"""Numbers of vehicles, columns and rows, and the most Impulses."""


class Case(NamedTuple):
    """A position, a goal for its Convoy, and the most Impulses of a plan."""

    position: Any
    goal: Goal
    impulses: int


def drawn(seed: int, sizes: Sequence[tuple[int, ...]] = SIZES) -> Case:
    """Return a random case: leaving the map, crossing a line, or both, near or far."""
    random = Random(seed)
    count, columns, rows, impulses = random.choice(sizes)
    position = small_convoy(random, count, columns, rows)
    names = list(position.board.index)
    line = tuple(unit.id for unit in position.units if unit.line.convoy)
    leaving = Aim(
        units=line, exit=tuple(on_edge(position.board, random.sample(names, 4))) or ("A1",), must=random.choice((None, None, 1)),
        carried=True, each={"t2": 3} if random.random() < 0.2 else {},
    )  # fmt: skip
    ends = sorted(random.choices("ABCDE"[:columns], k=2))
    across = Aim(
        units=line, at=("..".join(ends),), must=random.choice((None, None, 1, "all")),
        each={random.choice(line): 5} if random.random() < 0.5 else {},
    )  # fmt: skip
    near = Aim(
        units=line[-1:] if random.random() < 0.5 else line,
        near=tuple(random.sample(names, 2)), each={line[-1]: 4},
    )  # fmt: skip
    aims = random.choice(((leaving,), (leaving,), (leaving, near), (across,), (across, near)))
    threat = {name: random.randint(1, 3) for name in random.sample(names, 2)}
    return Case(position, Goal(aims=aims, threat=threat if random.random() < 0.4 else {}), impulses)


def compared(case: Case) -> str:
    """Return the errors in the plan found for a case; empty if it is the best of all."""
    plans = all_plans(case.position, case.goal, case.impulses)
    expected = min(plans, key=lambda score: (-score[0], *score[1:]), default=None)
    found = best_of(model(case.position, case.goal, case.impulses), case.goal)
    return "" if found == expected else f"found {found}, not {expected}"


def main() -> None:
    """Try cases and report the wrong ones."""
    first, number = int(sys.argv[1]), int(sys.argv[2])
    wrong = 0
    for seed in range(first, first + number):
        found = compared(drawn(seed))
        if found:
            wrong += 1
            sys.stdout.write(f"{seed} {found}\n")
    sys.stdout.write(f"{number} cases, {wrong} wrong\n")


if __name__ == "__main__":
    main()
