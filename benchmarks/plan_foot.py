"""Time plans of Infantry on foot with leaders: ``python -m benchmarks.plan_foot``."""

from __future__ import annotations

import os
from functools import partial
from importlib.util import find_spec
from random import Random
from statistics import median
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from benchmarks.delivery_peers import by_highs, solved
from benchmarks.plan_transport import Taken, by_default, timed
from benchmarks.reach import report
from benchmarks.scenes import asl, open_ground, single
from marchtable.planning.goals import checked_goal
from marchtable.rules.plan_model import Task
from marchtable.state.goal import Aim, Goal
from marchtable_models.asl.cpsat.foot.model import Foot
from marchtable_models.asl.model import AslUnit, SupportWeapon
from marchtable_models.asl.rulebook import RULEBOOK
from tests.quiet import Quiet

if TYPE_CHECKING:
    from benchmarks.reach import Row

SEEDS = 5
SIZES = ((6, 2), (12, 3))
STARTS = 4
TASK = Task({"distance": -100, "points": -1}, {}, {})


def instance(squads: int, leaders: int, seed: int) -> tuple[Any, Goal]:
    """Return squads and leaders in a few Locations, and a goal for all to be near."""
    board, random = single(), Random(seed)
    places = open_ground(board)
    middle = random.choice(places)
    starts = random.sample([n for n in places if 2 <= board.distance(n, middle) <= 5], STARTS)
    target = random.choice([n for n in places if 4 <= board.distance(n, middle) <= 6])
    units = [
        AslUnit(id=f"l{n}", side="german", type="leader", at=starts[n]) for n in range(leaders)
    ]
    for n in range(squads):
        weapons = tuple(SupportWeapon(name=f"w{n}", pp=pp)
                        for pp in random.choice(((), (), (2,), (5,))))  # fmt: skip
        at = starts[n % STARTS]
        units.append(AslUnit(id=f"s{n}", side="german", type="squad", at=at, sw=weapons))
    position = asl(board, units)
    goal = Goal(aims=(Aim(units=tuple(unit.id for unit in units), near=(target,)),))
    return position, checked_goal(goal, position)


def ours(position: Any, goal: Goal) -> tuple[int | None, Foot]:
    """Return what the model proves, including tables, model, cuts and the referee's part."""
    model = Foot(RULEBOOK, position, goal)
    found = model.best(TASK, Quiet())
    return found.bound if found.status == "OPTIMAL" else None, model


def compared(squads: int, leaders: int) -> tuple[list[Row], str]:
    """Time one size; all proofs agree."""
    taken: dict[str, list[Taken]] = {}
    sizes, cuts = [], []
    for seed in range(SEEDS):
        position, goal = instance(squads, leaders, seed)
        models, _ = solved(partial(ours, position, goal))
        _, model = ours(position, goal)
        small = SimpleNamespace(model=models[-1][0])
        sizes.append(len(small.model.proto.variables))
        runs = {
            "ours": timed(lambda p=position, g=goal: ours(p, g)[0]),
            "default CP-SAT": timed(lambda m=small: by_default(m)),
        }
        if find_spec("scipy"):
            taken_by, best = by_highs(small.model)
            runs["HiGHS"] = Taken(best, taken_by, taken_by)
        proved = {name: one.best for name, one in runs.items() if one.best is not None}
        assert len(set(proved.values())) == 1, proved
        cuts.append(len(model.learned.cuts))
        for name, one in runs.items():
            taken.setdefault(name, []).append(one)
    mine = median(one.processor for one in taken["ours"])
    rows: list[Row] = []
    for name, found in taken.items():
        other, clock = (median(getattr(one, of) for one in found) for of in ("processor", "clock"))
        failed = sum(one.best is None for one in found)
        result = f"{len(found) - failed} of {len(found)} proved"
        what = f"{squads} squads, {leaders} leaders: {name}"
        rows.append((what, f"{other:.1f}", f"{clock:.1f}", f"{other / mine:.2f}", result))
    return rows, (
        f"{squads} and {leaders}: {median(sizes):.0f} variables in the last model, "
        f"{median(cuts):.0f} cuts."
    )


def main() -> None:
    """Run every comparison."""
    os.environ["MARCHTABLE_KERNEL"] = "numba"
    rows: list[Row] = []
    notes = [
        "Milliseconds of the processor (this) and by the clock (against); Ratio is to ours. Medians "
        f"of {SEEDS} seeds on one board; the machine was shared, so read the ratios.",
        "Ours takes in tables, model, cuts, proof and what the referee is asked on the way; what reach "
        "compiles is kept from an earlier question. The others get the last model built, with all "
        "cuts that were found, and solve it once.",
        "HiGHS is scipy's, one thread; the clock is not taken of it." if find_spec("scipy")
        else "No scipy here: HiGHS is left out.",
    ]  # fmt: skip
    for squads, leaders in SIZES:
        more, found = compared(squads, leaders)
        rows += more
        notes.append(found)
    report("plan-foot", "Plans on foot", notes, rows)


if __name__ == "__main__":
    main()
