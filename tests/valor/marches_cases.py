"""Random small infantry positions for marches, checked against all plans."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.errors import BadInputError
from marchtable.planning.loop import plan
from marchtable.state.action import Phase
from marchtable.state.goal import Aim, Goal
from marchtable_models.valor.rules.leaving import Exit
from marchtable_models.valor.rules.movement import Enter
from tests.play.walks import expanded
from tests.valor.scenes import VALOR, field, foe, place, unit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["Case", "best_by_force", "compared", "drawn", "leaving", "played_out"]

TERRAIN = (
    "Open Ground",
    "Open Ground",
    "Open Ground",
    "Woods",
    "Orchard",
    "Stone Building",
    "Gully",
)
MEN = ("squad-464", "half-squad-262", "squad-464")


class Case(NamedTuple):
    """A position and a goal."""

    position: Any
    goal: Goal


def drawn(seed: int) -> Case | None:
    """Return a leader, a squad and obstacles on a few hexes, or None."""
    random = Random(f"march {seed}")
    found = {
        f"{column}{row}": {"terrain": random.choice(TERRAIN)} for column in "AB" for row in (1, 2)
    }
    board = field("AB", 2, found)
    home, crowded = random.choice([*found]), random.choice([*found])
    units = [unit("u", random.choice(MEN), home)]
    units.append(unit("l", "leader", random.choice((home, home, crowded))))
    units += [
        unit(f"x{n}", "squad-464", crowded, spent=8) for n in range(random.choice((0, 2, 3, 4)))
    ]
    if random.random() < 0.3:
        units.append(foe("e", "squad-464", random.choice([*found])))
    at = tuple(random.sample([*found], 2))
    aim = Aim(units=("u", "l"), at=at, must=random.choice((None, None, 1, "all")))
    position = place(*units, board=board, phase="Movement")
    try:
        VALOR.check_position(position)
    except BadInputError:
        return None
    return Case(position, Goal(aims=(aim,), movers=("u", "l"), order=("value", "points")))


def leaving(seed: int) -> Case | None:
    """Return the same with some units to leave the map by one hex; every hex is at the edge."""
    case, random = drawn(seed), Random(f"leave {seed}")
    if case is None or not VALOR.rule(case.position, Phase("DefensiveFire")).is_legal:
        return None  # a plan need not make room where it starts
    wanted = random.choice((("u", "l"), ("u",), ("l",)))
    must: Any = random.choice((None, "all"))
    aim = Aim(units=wanted, exit=(random.choice([*case.position.board.index]),), must=must)
    return case._replace(goal=msgspec.structs.replace(case.goal, aims=(aim,)))


def played_out(
    position: Any, movers: Iterable[str] = (), exits: Callable[[Any, Any], bool] | None = None
) -> list[Any]:
    """Return every position after entries, without Assault Movement, from which the phase can end.

    Parameters
    ----------
    exits
        Whether an ``exit`` is one of the plan's: by default none is.
    """
    waiting, seen = [position], {position.units}
    found = []
    while waiting:
        now = waiting.pop()
        if VALOR.rule(now, Phase("DefensiveFire")).is_legal:
            found.append(now)
        for action in (*expanded(now), *_stacks(now, movers)):
            result: Any = action
            if isinstance(result, Exit):
                if exits is None or not exits(now, result):
                    continue
            elif not isinstance(result, Enter) or result.assault:
                continue
            if movers and not {*result.units} <= {*movers}:
                continue
            then = msgspec.structs.replace(VALOR.rule(now, action).after, pending=())
            if then.units not in seen:
                seen.add(then.units)
                waiting.append(then)
    return found


def _stacks(position: Any, names: Iterable[str]) -> Iterator[Any]:
    """Yield what a stack can do only with a leader's points."""
    units = [position.unit(name) for name in names]
    for at in {one.at for one in units} - {None}:
        stack = tuple(one.id for one in units if one.at == at)
        if len(stack) > 1:
            tries = (Exit(stack), *(Enter(stack, to) for _, to in position.board.neighbours(at)))
            yield from (one for one in tries if VALOR.rule(position, one).is_legal)


def best_by_force(case: Case) -> tuple[int, int] | None:
    """Return the most value and, negated, the fewest points of all plans, or None."""
    (aim,), movers = case.goal.aims, {*case.goal.movers}
    least = len(aim.units) if aim.must == "all" else aim.must or 0

    def exits(position: Any, stated: Any) -> bool:
        at = {position.unit(name).at for name in stated.units}
        return at <= {*aim.exit} and not {*stated.units}.isdisjoint(aim.units)

    scores = []
    for end in played_out(case.position, movers, exits):
        there = (None,) if aim.exit else aim.at
        value = sum(u.at in there for u in end.units if u.id in aim.units)
        points = sum(u.spent for u in end.units if u.id in movers)
        if value >= least:
            scores.append((value, -points))
    return max(scores, default=None)


def compared(case: Case) -> str:
    """Return the errors in the plan for a case; empty if it is the best of all."""
    best, found = best_by_force(case), plan(case.position, case.goal, space="marches")
    if best is None or not found.plans:
        right = best is None and found.status == "IMPOSSIBLE"
        return "" if right else f"{found.status}, by force {best}"
    score = found.plans[0].score
    result = score["value"], -score["points"]
    return (
        ""
        if result == best and found.status == "OPTIMAL"
        else f"{found.status} {result}, by force {best}"
    )
