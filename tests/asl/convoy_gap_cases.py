"""Random small Convoys that can separate, checked against all possible plans.

``python -m tests.asl.convoy_gap_cases FIRST COUNT`` tries many and reports disagreements; add
``off`` for cases that leave the map.
"""

from __future__ import annotations

import sys
from random import Random
from typing import TYPE_CHECKING, Any

from marchtable.state.goal import Aim, Goal
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.convoy.model import GapModel
from tests.asl.boards import foot, on_edge, place
from tests.asl.convoy_exit_cases import Case
from tests.asl.convoys_by_hand import all_plans, line_of, small_convoy
from tests.asl.gaps_by_hand import all_parted, has_no_gap
from tests.asl.test_plan_convoy import best_of, model

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["compared_apart", "drawn_apart", "drawn_off"]

SIZES = (*[(2, 3, 3, 2)] * 2, (3, 3, 3, 1))
OFF_SIZES = (*SIZES, (3, 2, 3, 2), (2, 2, 3, 3))
"""Numbers of vehicles, columns and rows, and the most Impulses."""


def drawn_apart(seed: int, sizes: Sequence[tuple[int, ...]] = SIZES) -> Case:
    """Return a random case in which some vehicles have a reason to leave, for good or for a while."""
    random = Random(seed)
    count, columns, rows, impulses = random.choice(sizes)
    position = small_convoy(random, count, columns, rows)
    names = list(position.board.index)
    sees = random.random() < 0.5
    units = [_with_reason(random, unit, sees=sees) for unit in position.units]
    if sees:
        units.append(foot("e", at=random.choice(names), side="russian"))
    position = place(position.board, *units)
    line = tuple(line_of(position))
    behind = str(position.unit(line[-1]).at)
    far = max(names, key=lambda name: position.board.distance(name, behind))
    stays = Aim(
        units=line[-1:], at=(behind, random.choice(names)), worth=2,
        must=random.choice((None, "all")),
    )  # fmt: skip
    each = [
        Aim(units=(name,), at=tuple(random.sample(names, 2)), must=random.choice((None, "all")))
        for name in line
    ]
    aims = random.choice(((stays, Aim(units=line[:-1], near=(far,))), tuple(each)))
    threat = {name: random.randint(1, 3) for name in random.sample(names, 2)}
    return Case(position, Goal(aims=aims, threat=threat if random.random() < 0.4 else {}), impulses)


def drawn_off(seed: int, sizes: Sequence[tuple[int, ...]] = OFF_SIZES) -> Case:
    """Return a random case in which vehicles can separate and all or some must leave the map."""
    random = Random(seed)
    case = drawn_apart(seed, sizes)
    position, line = case.position, tuple(line_of(case.position))
    names = list(position.board.index)
    edge = tuple(on_edge(position.board, random.sample(names, 4))) or ("A1",)
    rear = random.randint(1, len(line) - 1)
    behind = tuple(str(position.unit(name).at) for name in line[rear:])
    off = Aim(units=line, exit=edge, must=random.choice((None, 1)))
    front = Aim(units=line[:rear], exit=edge, worth=2, must=random.choice((None, "all")))
    back = Aim(units=line[rear:], exit=edge, worth=2)
    stays = Aim(
        units=line[rear:], at=(*behind, random.choice(names)), must=random.choice((None, "all"))
    )
    waits = Aim(units=line[:rear], at=tuple(random.sample(names, 2)))
    aims = random.choice(((off,), (front, stays), (front, stays), (back, waits), (off, stays)))
    return case._replace(goal=Goal(aims=aims, threat=case.goal.threat))


def _with_reason(random: Random, unit: Any, *, sees: bool) -> Any:
    if not unit.line.convoy or random.random() < 0.2:
        return unit
    return replace(unit, attacked=not sees, sees=("e",) if sees else ())


def compared_apart(case: Case) -> tuple[str, bool]:
    """Return the errors in the plan found, and whether the best plan makes a Gap."""
    with_gap = all_parted(case.position, case.goal, case.impulses)
    whole = all_plans(*case, has_no_gap)
    plans = {**with_gap, **whole}
    expected = min(plans, key=lambda score: (-score[0], *score[1:]), default=None)
    apart = GapModel(model(case.position, case.goal, case.impulses))
    found = best_of(apart, case.goal)
    parts = expected not in whole and expected is not None
    return "" if found == expected else f"found {found}, not {expected}", parts


def main() -> None:
    """Try cases, and report the wrong ones and how many best plans make a Gap."""
    first, number = int(sys.argv[1]), int(sys.argv[2])
    wrong = apart = 0
    drawn = drawn_off if sys.argv[3:] == ["off"] else drawn_apart
    for seed in range(first, first + number):
        found, parts = compared_apart(drawn(seed))
        apart += parts
        if found:
            wrong += 1
            sys.stdout.write(f"{seed} {found}\n")
    sys.stdout.write(f"{number} cases, {wrong} wrong, {apart} with a Gap\n")


if __name__ == "__main__":
    main()
