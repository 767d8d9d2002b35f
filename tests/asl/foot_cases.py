"""Random small positions for plans on foot, checked against brute force.

``python -m tests.asl.foot_cases FIRST COUNT [ACROSS [CROWDED]]`` tries many and reports
disagreements.
"""

from __future__ import annotations

import sys
from random import Random
from typing import Any, NamedTuple

from marchtable.files.notation import format_action
from marchtable.planning.goals import checked_goal
from marchtable.planning.score import Measure
from marchtable.rules.plan_model import Task
from marchtable.rules.referee import check
from marchtable.state.goal import CRITERIA, Aim, Goal
from marchtable_models.asl.cpsat.foot.model import Foot
from marchtable_models.asl.rulebook import RULEBOOK
from marchtable_models.asl.views.edge import outer_sides
from tests.asl.boards import ASL, field, foot, load, place
from tests.asl.foot_by_force import ByForce
from tests.asl.foot_freely import Freely, is_free
from tests.asl.foot_ways import misfits
from tests.quiet import Quiet

__all__ = ["Case", "best", "compared", "drawn"]

MOST_PLANS = 6000
TERRAIN = ("Woods", "Brush", "Grain", "Stone Building", *["Open Ground"] * 4)
ROAD = {"road": True}


class Case(NamedTuple):
    """A position, a goal and its weights."""

    position: Any
    goal: Goal
    weights: dict[str, int]


def best(position: Any, goal: Goal, **weights: int) -> tuple[Foot, Any]:
    """Return the model of a problem and the best result it finds."""
    model = Foot(RULEBOOK, position, checked_goal(goal, position))
    task: Any = Task(weights, {}, {})  # type: ignore[arg-type]
    return model, model.best(task, Quiet())


def drawn(seed: int, *, across: int = 5, crowded: bool = False) -> Case | None:
    """Return a random case of 2 to 4 units on up to this many columns, or None.

    In a crowded case other units stand where some of them begin.
    """
    random = Random(seed)
    names = [f"{chr(65 + u)}{v + 1}" for u in range(random.randint(2, across))
             for v in range(random.randint(1, across))]  # fmt: skip
    board = field({name: {"terrain": random.choice(TERRAIN)} for name in names})
    homes = [random.choice(names) for _ in range(random.choice((1, 1, 2)))]
    units = [_man(random, f"u{n}", homes) for n in range(random.randint(2, 4))]
    crowd, enemy = random.choice(names), random.choice(names)
    crowd = homes[0] if crowded else crowd
    others = [foot(f"x{n}", at=crowd)
              for n in range(random.choice((1, 2) if crowded else (0, 0, 1, 2, 3)))]  # fmt: skip
    if random.random() < 0.3 and enemy not in (crowd, *homes):
        kind = random.choice(("squad", "wreck"))
        others.append(foot("e", kind, at=enemy, side="russian"))
    position = place(board, *units, *others)
    try:
        ASL.check_position(position)
    except ValueError:
        return None
    return _aimed(random, position, names, tuple(unit.id for unit in units))


def _man(random: Random, name: str, homes: list[str]) -> Any:
    kind = random.choice(("squad", "squad", "squad", "half-squad", "leader", "leader"))
    pp = random.choice(((), (), (4,), (5,))) if kind == "squad" else random.choice(((), (2,)))
    fields: dict[str, Any] = {"cx": random.random() < 0.7}
    if kind == "leader":
        pp, fields["wounded"] = (), random.random() < 0.3
    else:
        fields["inexperienced"] = random.random() < 0.2
    if random.random() < 0.2:
        fields["nationality"] = "italian"
    return foot(name, kind, at=random.choice(homes), sw=load(*pp), **fields)


def _aimed(random: Random, position: Any, names: list[str], men: tuple[str, ...]) -> Case:
    aims = [Aim(units=men, near=(random.choice(names),))]
    if random.random() < 0.6:
        some = tuple(name for name in men if random.random() < 0.8) or men
        aims.append(Aim(units=some, at=(random.choice(names), random.choice(names)),
                        must=random.choice((None, None, 1, "all"))))  # fmt: skip
    weights = {"value": random.choice((0, 10, 50)), "distance": -random.choice((0, 5, 20)),
               "points": -random.choice((0, 1, 1, 3)), "exposure": -random.choice((0, 2)),
               "moved": -random.choice((0, 0, 1))}  # fmt: skip
    threat = {name: random.randint(1, 3) for name in names if random.random() < 0.2}
    if random.random() < 0.4:
        some = tuple(name for name in men if random.random() < 0.8) or men
        exits: tuple[str, ...] = (random.choice(names), random.choice(names))
        must: Any = random.choice((None, None, 1, "all"))
        exits = tuple(name for name in exits if outer_sides(position.board, name))
        if exits:
            aims.append(Aim(units=some, exit=exits, must=must))
    avoid = tuple(name for name in names if random.random() < 0.07)
    return Case(position, Goal(aims=tuple(aims), movers=men, threat=threat, avoid=avoid), weights)


def compared(case: Case, *, options_of: bool = True) -> str | None:
    """Return the errors in the answer to a case, or None if there are too many plans to try.

    Checks `options` too, unless switched off.
    """
    position, goal, weights = case
    model = Foot(RULEBOOK, position, checked_goal(goal, position))
    force = ByForce(model)
    if force.size() > MOST_PLANS:
        return None
    if options_of and (wrong := misfits(model)):
        return wrong
    model, found = best(position, goal, **weights)
    known = force.best(weights, CRITERIA)
    log = "; ".join(map(format_action, found.log or ()))
    if is_free(position, position.unit(goal.movers[0]).side):
        freely = Freely(position, model.goal, weights).best()
        if found.bound != freely:
            return f"bound {found.bound}, freely {freely}: {log}"
    if found.bound != known:
        return f"bound {found.bound}, by force {known}: {log}"
    if found.log is None:
        return "" if found.status == "IMPOSSIBLE" else str(found.status)
    measured = Measure(position, model.goal).of(check(position, found.log))
    worth = sum(weights.get(c, 0) * measured.score[c] for c in CRITERIA)
    return "" if measured.is_kept and worth == found.bound else f"worth {worth}: {log}"


def main() -> None:
    """Try cases and report the wrong ones."""
    first, number, *across = map(int, sys.argv[1:])
    tried = wrong = 0
    for seed in range(first, first + number):
        case = drawn(seed, across=across[0] if across else 5, crowded=len(across) > 1)
        found = None if case is None else compared(case)
        tried += found is not None
        if tried % 50 == 0:
            sys.stderr.write(f"{seed} {tried}\n")
        if found:
            wrong += 1
            sys.stdout.write(f"{seed} {found}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{tried} cases, {wrong} wrong\n")


if __name__ == "__main__":
    main()
