"""Seeded questions about plans, to hold the answers of two trees against each other.

``python -m tests.asl.plan_questions ask KIND FIRST COUNT FILE``, run in the environment of each
tree, adds a line for each answer; ``python -m tests.asl.plan_questions compare OLD NEW`` tells of
those that differ and how long both took.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from benchmarks.convoy_scenes import scene
from benchmarks.transport_scenes import instance
from marchtable.planning.loop import plan
from marchtable.planning.why import why
from marchtable.state.goal import CRITERIA, Aim, Goal
from marchtable.state.records import replace
from tests.asl import (
    column_cases,
    convoy_cases,
    convoy_exit_cases,
    convoy_gap_cases,
    foot_cases,
    stops_cases,
    transport_cases,
)

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["KINDS", "Question", "answer", "differences"]


class Question(NamedTuple):
    """A position and a goal, in which space plans are sought, and how many; none: why not."""

    position: Any
    goal: Goal
    space: str
    best: int = 1


def _convoy(seed: int) -> Question:
    case = convoy_cases.drawn(seed)
    return Question(case.position, case.goal, "convoy", 1 + seed % 3)


def _exits(seed: int) -> Question:
    case = convoy_exit_cases.drawn(seed)
    return Question(case.position, case.goal, "convoy", 1 + seed % 2)


def _gaps(seed: int) -> Question:
    case = convoy_gap_cases.drawn_apart(seed)
    return Question(case.position, case.goal, "convoy-gaps", 1 + seed % 2)


def _column(seed: int) -> Question | None:
    if seed % 4 == 3:
        case: Any = column_cases.looping(seed)
    else:
        case = column_cases.drawn(seed, most=2 + seed % 4, across=3 + seed % 4)
    return case and Question(case.position, case.goal, "column", 1 + seed % 3)


def _road(seed: int) -> Question:
    """Return what the benchmark asks and more, of three to twelve vehicles on a winding road."""
    random = Random(seed)
    count = random.choice((3, 3, 4, 5, 5, 6, 8, 10, 12))
    position, goal = scene(count, seed, random.choice((5, 7, 10)), ahead=random.randint(4, 12))
    line = tuple(f"t{n}" for n in range(1, count + 1))
    names = list(position.board.index)
    end = goal.aims[0].near[0]
    if random.random() < 0.3:
        spent = random.randint(2, 24)
        poor = [position.unit(name) for name in random.sample(line, random.randint(1, 2))]
        position = position.with_units([replace(u, spent=spent, used=spent) for u in poor])
    aims = random.choice((
        goal.aims, goal.aims, (Aim(units=line, near=(end,)),),
        (Aim(units=("t1",), near=(end,)), Aim(units=line[-1:], near=tuple(random.sample(names, 2)))),
        (Aim(units=line, at=tuple(random.sample(names, len(names) // 4)), must=1),),
    ))  # fmt: skip
    told: dict[str, Any] = {"order": goal.order}
    if random.random() < 0.5:
        order = list(CRITERIA)
        random.shuffle(order)
        told["order"] = tuple(order[: random.randint(1, 5)])
    if random.random() < 0.2:
        told["weights"] = {"value": 9, "distance": 5, "points": 1}
    if random.random() < 0.4:
        told["threat"] = {name: random.randint(1, 3) for name in random.sample(names, 6)}
    return Question(position, Goal(aims=aims, **told), "convoy", 1 + (count < 6 and seed % 2))


def _why(seed: int) -> Question:
    """Return what small Convoys may not be able to do."""
    random = Random(seed)
    if seed % 4 == 0:
        count = random.choice((3, 4, 6))
        position, goal = scene(count, seed, 7, ahead=6)
        poor = position.unit(f"t{random.randint(1, count)}")
        told = random.randint(20, 26)
        position = position.with_units([replace(poor, spent=told, used=told)])
        aim = Aim(units=("t1",), at=goal.aims[0].near, must="all")
        return Question(position, Goal(aims=(aim,)), "convoy", 0)
    if seed % 4 == 3:
        case: Any = convoy_gap_cases.drawn_apart(seed)
        space = "convoy-gaps"
    else:
        case, space = convoy_cases.drawn(seed), "convoy"
    names = list(case.position.board.index)
    line = [unit.id for unit in case.position.units if unit.line.convoy]
    some = random.sample(line, random.randint(1, 2))
    aims = tuple(Aim(units=(u,), at=tuple(random.sample(names, 1)), must="all") for u in some)
    return Question(case.position, Goal(aims=aims), space, 0)


def _shuffled(random: Random, goal: Goal) -> Goal:
    """Return a goal in some order of criteria, or weighed."""
    order = list(CRITERIA)
    if random.random() < 0.4:
        random.shuffle(order)
    weights = {"value": 9, "distance": 5, "points": 1} if random.random() < 0.2 else {}
    return msgspec.structs.replace(goal, order=tuple(order), weights=weights)


def _transport(seed: int) -> Question | None:
    case = transport_cases.drawn(seed, most=3 + seed % 4, across=3 + seed % 4)
    if case is None:
        return None
    return Question(case.position, _shuffled(Random(seed), case.goal), "transport", 1 + seed % 3)


def _field(seed: int) -> Question:
    """Return what the benchmark asks and more, of four to twelve units with two to six vehicles."""
    random = Random(seed)
    vehicles = random.randint(2, 6)
    position, goal = instance(2 * vehicles + random.randint(0, 3), vehicles, seed)
    names = list(position.board.index)
    (aim,) = goal.aims
    more: tuple[Aim, ...] = random.choice((
        (), (), (Aim(units=aim.units, at=tuple(random.sample(names, 40))),),
        (Aim(units=aim.units, at=tuple(random.sample(names, 40)), must=2),),
        (Aim(units=tuple(f"t{n}" for n in range(vehicles)), near=tuple(random.sample(names, 1))),),
    ))  # fmt: skip
    threat = {name: random.randint(1, 3) for name in random.sample(names, 60)}
    goal = Goal(aims=(aim, *more), threat=threat if random.random() < 0.3 else {})
    return Question(position, _shuffled(random, goal), "transport", 1 + (seed % 4 == 0))


def _carried_why(seed: int) -> Question | None:
    """Return what transport may not be able to do."""
    case = transport_cases.drawn(seed, most=3 + seed % 3, across=3 + seed % 3)
    if case is None:
        return None
    random = Random(seed)
    names = list(case.position.board.index)
    men = [unit.id for unit in case.position.units if unit.id[0] == "u"]
    some = random.sample(men, min(len(men), random.randint(1, 2)))
    aims = tuple(Aim(units=(u,), at=tuple(random.sample(names, 1)), must="all") for u in some)
    return Question(case.position, Goal(aims=aims, movers=case.goal.movers), "transport", 0)


def _stops(seed: int) -> Question | None:
    case = stops_cases.drawn(seed, most=3 + seed % 2)
    return case and Question(case.position, case.goal, "transport-stops", 1 + seed % 2)


def _foot(seed: int) -> Question | None:
    case = foot_cases.drawn(seed, crowded=seed % 2 == 0)
    return case and Question(case.position, case.goal, "foot", 1 + seed % 2)


KINDS: dict[str, Callable[[int], Question | None]] = {
    "convoy": _convoy, "exits": _exits, "gaps": _gaps, "column": _column, "road": _road,
    "why": _why, "transport": _transport, "field": _field, "carried-why": _carried_why,
    "stops": _stops, "foot": _foot,
}  # fmt: skip


def answer(asked: Question) -> dict[str, Any]:
    """Return what is said: statuses, sums and bounds, or how many clauses forbid it and repairs."""
    if asked.best == 0:
        found: Any = why(asked.position, asked.goal, space=asked.space)
        reasons = found.conflict
        return {
            "status": found.status,
            "reasons": None
            if reasons is None
            else sorted([r.clause, r.is_needed] for r in reasons),
            "repairs": len(found.repairs),
        }
    found = plan(asked.position, asked.goal, best=asked.best, space=asked.space)
    plans = [
        [each.status, [*each.sought], [*each.reached], [*each.bound],
         each.verdict.status if each.verdict else None]
        for each in found.plans
    ]  # fmt: skip
    return {
        "status": found.status,
        "plans": plans,
        "complete": found.complete,
        "bound": [*map(list, found.bound)],
        "left_out": [*found.space.left_out],
    }


def differences(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """Return what of two answers differs."""
    return [f"{key}: {old.get(key)} -> {new.get(key)}" for key in old if old[key] != new.get(key)]


def _ask(kind: str, first: int, count: int, file: Path) -> None:
    with file.open("a", encoding="utf-8") as out:
        for seed in range(first, first + count):
            asked = KINDS[kind](seed)
            if asked is None:
                continue
            begun = time.process_time()
            try:
                told = answer(asked)
            except Exception as error:  # what fails is an answer, too
                told = {"failed": f"{type(error).__name__}: {error}"[:200]}
            line = {"kind": kind, "seed": seed, "told": told}
            out.write(json.dumps({**line, "seconds": time.process_time() - begun}) + "\n")
            out.flush()


def _read(file: Path) -> dict[tuple[str, int], Any]:
    lines = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return {(each["kind"], each["seed"]): each for each in lines}


def _compare(old: Path, new: Path) -> None:
    before, after = _read(old), _read(new)
    both = [key for key in before if key in after]
    for kind in KINDS:
        keys = [key for key in both if key[0] == kind]
        if not keys:
            continue
        wrong = 0
        for key in keys:
            a, b = before[key], after[key]
            if told := differences(a["told"], b["told"]):
                wrong += 1
                sys.stdout.write(f"{key}: {'; '.join(told)}\n")
        times = [sum(each[key]["seconds"] for key in keys) for each in (before, after)]
        slow = max(keys, key=lambda key: after[key]["seconds"] - before[key]["seconds"])
        sys.stdout.write(
            f"{kind}: {len(keys)} questions, {wrong} differ; {times[0]:.1f} and {times[1]:.1f} s;"
            f" slowed most: {slow[1]}, {before[slow]['seconds']:.2f} and"
            f" {after[slow]['seconds']:.2f} s\n"
        )


def main() -> None:
    """Ask, or compare."""
    what, *told = sys.argv[1:]
    if what == "ask":
        _ask(told[0], int(told[1]), int(told[2]), Path(told[3]))
    else:
        _compare(Path(told[0]), Path(told[1]))


if __name__ == "__main__":
    main()
