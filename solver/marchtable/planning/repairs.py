"""
Repairs: the smallest changes that would make a goal possible, verified.

Generic ones: more points for a unit, a unit (or a number of them) left out, stopping short of the
aim, entering a Location to avoid, taking rolls; rulebooks add their own. A rule of thumb orders
them by cost: one more point counts 1, a hex short 2, a Location to avoid entered or rolls taken 3,
a unit left out 5 and its worth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.budget import budget_scope, heeding
from marchtable.codec.structs import points
from marchtable.planning.goals import places_of, units_of, with_carriers, worth_of
from marchtable.planning.solver import Answer, cheapest
from marchtable.rules.plan_hooks import GoalChange
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from marchtable.cpsat.harness import Stop
    from marchtable.planning.solver import Solver
    from marchtable.rules.plan_model import Reason, Rolls
    from marchtable.state.action import Action
    from marchtable.state.goal import Aim, Goal
    from marchtable.state.position import Position

__all__ = ["Repair", "repairs"]

HEX, ENTRY, UNIT = 2, 3, 5
FARTHEST = 8  # hexes short of an aim
EXAMPLES = 0.5
"""Share of the remaining limit for finding cheaper examples."""
MOST_HALVES = (64, 32, 16, 8, 4, 2, 1)  # powers of two of which extra half points are composed


class _Found(NamedTuple):
    """A change that makes a goal possible, and its evidence."""

    change: GoalChange
    answer: Answer

    @property
    def cost(self) -> float:
        """The size of the change."""
        return self.change.cost

    def repair(self, share: float, stop: Stop) -> Repair:
        """Return the repair with a plan of fewest points, as far as a share of the limit allows."""
        words, cost, clauses = self.change[:3]
        log: tuple[Action, ...] = ()
        with heeding(stop):
            log = self._translated(cheapest(self.answer, share) or ())
        with budget_scope(None):  # return a repair that was found in any case
            log = log or self._translated(self.answer.log or ())
            words = words if self.change.named is None else self.change.named(log)
        return Repair(words, cost, clauses, log)

    def _translated(self, log: tuple[Action, ...]) -> tuple[Action, ...]:
        return log if self.change.translated is None else self.change.translated(log) or ()


class Repair(NamedTuple):
    """A change that makes a goal possible, and a plan for the changed goal."""

    change: str
    cost: float
    clauses: tuple[str, ...]
    log: tuple[Action, ...]


def repairs(
    position: Position[Any, Any], goal: Goal, solver: Solver, reasons: Sequence[Reason],
    most: int, rolls: Rolls,
) -> list[Repair]:  # fmt: skip
    """
    Return changes that make a goal possible, the cheapest first.

    Parameters
    ----------
    position, goal
        A goal that is impossible.
    solver
        Verifies the changes.
    reasons
        The conflict; more points are tried for the units it names.
    most
        The maximum number.
    rolls
        The policy for rolls of the space in which the goal is impossible.
    """
    clauses = tuple(reason.clause for reason in reasons)
    found: list[_Found] = []
    with heeding(solver.budget.stop):
        found += _points(position, goal, solver, reasons)
        found += _nearer(position, goal, solver, clauses)
        found += _content(position, goal, solver, clauses)
        _add_changes(position, goal, solver, clauses, found, most)
        log = solver.passing(position, goal) if rolls == "avoid" else None
        if log is not None:
            change = GoalChange("take the rolls on the way", ENTRY, (), position, goal)
            found.append(_Found(change, Answer(log)))
    chosen = sorted(found, key=lambda one: one.cost)[:most]
    return [one.repair(EXAMPLES / len(chosen), solver.budget.stop) for one in chosen]


def _add_changes(
    position: Position[Any, Any], goal: Goal, solver: Solver, clauses: tuple[str, ...],
    found: list[_Found], most: int,
) -> None:  # fmt: skip
    """Add the rulebook's changes that help, the cheapest first, until there are enough."""
    changes = [*find_rulebook(position.rulebook).repairs(position, goal),
               *_fewer(position, goal, clauses), *_entering(position, goal)]  # fmt: skip
    done: list[frozenset[str]] = []
    for change in sorted(changes, key=lambda change: change.cost):
        if any(parts < change.parts for parts in done):
            continue
        enough = len([one for one in found if one.cost <= change.cost]) >= most
        answer = Answer(None) if enough else solver.plan(change.position, change.goal)
        if answer.log is not None and _is_real(change, answer.log):
            found.append(_Found(change, answer))
            done += [change.parts] if change.parts else []


def _is_real(change: GoalChange, log: tuple[Action, ...]) -> bool:
    """Return whether a plan after a change translates to the unchanged position, if it must."""
    return change.translated is None or change.translated(log) is not None


def _demands(goal: Goal) -> Iterator[tuple[int, Aim]]:
    """Yield the aims that must be met, with their numbers."""
    return ((number, aim) for number, aim in enumerate(goal.aims) if aim.must is not None)


def _with_aim(goal: Goal, number: int, aim: Aim) -> Goal:
    aims = (*goal.aims[:number], aim, *goal.aims[number + 1 :])
    return msgspec.structs.replace(goal, aims=aims)


class _Least(NamedTuple):
    """The least number that works, with a plan; not sure if a smaller one was not settled."""

    number: int
    answer: Answer
    is_sure: bool

    @property
    def lead(self) -> str:
        """The words before the number."""
        return "" if self.is_sure else "at most "


def least_of(works: Callable[[int], Answer], most: int, likely: int = 0) -> _Least | None:
    """Return the least number from 1 that works, if works is monotone; `likely` is tried first."""
    low, high, sure, found = 0, likely or 1, True, works(likely or 1)
    while found.log is None:
        sure &= found.is_sure
        if high >= most:
            return None
        low, high = high, min(2 * high, most)
        found = works(high)
    middle = high - 2 if likely > 2 else (low + high) // 2
    while high - low > 1:
        between = works(middle)
        if between.log is None:
            low, sure = middle, sure and between.is_sure
        else:
            high, found = middle, between
        middle = (low + high) // 2
    return _Least(high, found, sure)


def _points(
    position: Position[Any, Any], goal: Goal, solver: Solver, reasons: Sequence[Reason]
) -> Iterator[_Found]:
    """Yield the fewest additional points that each unit would need."""
    clauses = tuple(reason.clause for reason in reasons)
    lacking = _lacking(reasons)
    rulebook = find_rulebook(position.rulebook)
    wanted = dict.fromkeys(u for _, aim in _demands(goal) for u in units_of(aim, position))
    for name in dict.fromkeys((*with_carriers(wanted, position), *lacking)):
        unit = position.unit(name)

        def works(halves: int, unit: Any = unit) -> Answer:
            changed = rulebook.with_points(position, unit, halves)
            return Answer(None) if changed is None else solver.plan(changed, goal)

        can = [n for n in MOST_HALVES if rulebook.with_points(position, unit, n) is not None]
        grain = 1 if 1 in can else 2  # some units have whole points only
        most = max(can, default=0) // grain
        likely = min(-(-lacking.get(name, 0) // grain), most)
        known: dict[int, Answer] = {}

        def once(grains: int, known: Any = known, works: Any = works, grain: int = grain) -> Answer:
            if grains not in known:
                known[grains] = works(grains * grain)
            return known[grains]  # type: ignore[no-any-return]

        if not most or all(once(n).log is None for n in (likely or most, most)):
            continue  # more points would not help
        found = least_of(once, most, likely)
        if found is not None:
            amount = points(found.number * grain)
            words = f"{found.lead}{amount} more {rulebook.points(position, unit)} for {name}"
            yield _Found(GoalChange(words, amount, clauses, position, goal), found.answer)


def _lacking(reasons: Sequence[Reason]) -> dict[str, int]:
    """Return the units in the reasons, with the half points that they seem to lack."""
    found: dict[str, int] = {}
    for reason in reasons:
        numbers = dict(reason.numbers)
        lack = numbers.get("lacks")
        need, have = numbers.get("need"), numbers.get("have")
        if isinstance(need, int | float) and isinstance(have, int | float):
            lack = need - have
        halves = int(2 * lack) if isinstance(lack, int | float) else 0
        for unit in reason.units:
            found[unit] = max(halves, found.get(unit, 0))
    return found


def _nearer(
    position: Position[Any, Any], goal: Goal, solver: Solver, clauses: tuple[str, ...]
) -> Iterator[_Found]:
    """Yield the fewest hexes by which each aim must be missed; a single unit may not stay put."""
    board = position.board
    for number, aim in _demands(goal):
        if not aim.at:
            continue
        there = places_of(aim.at, board)
        far = {
            place.name: min(board.distance(place.name, target) for target in there)
            for place in board.locations
        }

        def works(steps: int, aim: Any = aim, number: int = number, far: Any = far) -> Any:
            near = tuple(at for at in board.index if far[at] <= steps)
            return solver.plan(position, _with_aim(goal, number, _at(aim, near)))

        most, units = min(FARTHEST, max(far.values())), units_of(aim, position)
        if len(units) == 1:  # that would mean leaving it out
            most = min(most, far.get(position.unit(units[0]).at or "", FARTHEST + 1) - 1)
        found = least_of(works, most) if most > 0 else None
        if found is not None:
            steps = found.number
            hexes = "hex" if steps == 1 else "hexes"
            words = f"stop {found.lead}{steps} {hexes} short of {_places(aim)}"
            yield _Found(GoalChange(words, HEX * steps, clauses, position, goal), found.answer)


def _at(aim: Aim, places: tuple[str, ...]) -> Aim:
    return msgspec.structs.replace(aim, at=places)


def _content(
    position: Position[Any, Any], goal: Goal, solver: Solver, clauses: tuple[str, ...]
) -> Iterator[_Found]:
    """Yield the fewest units by which a must would have to be reduced; the goal still demands one."""
    demands = [*_demands(goal)]
    for number, aim in demands:
        if aim.must == "all" or not aim.must:
            continue
        must = aim.must

        def works(less: int, aim: Aim = aim, number: int = number, must: int = must) -> Answer:
            lower = msgspec.structs.replace(aim, must=must - less or None)
            return solver.plan(position, _with_aim(goal, number, lower))

        most = must if len(demands) > 1 else must - 1
        found = least_of(works, most) if most else None
        if found is not None:
            units = ", ".join(units_of(aim, position))
            lead = "at least " if not found.is_sure else ""
            words = f"require only {lead}{must - found.number} of {units} {_where(aim)}"
            cost = (UNIT + aim.worth) * found.number
            yield _Found(GoalChange(words, cost, clauses, position, goal), found.answer)


def _fewer(
    position: Position[Any, Any], goal: Goal, clauses: tuple[str, ...]
) -> Iterator[GoalChange]:
    """Yield changes that leave units out of an aim about all of them, if any remain."""
    demands = [*_demands(goal)]
    for number, aim in demands:
        units = units_of(aim, position) if aim.must == "all" else ()
        for unit in units if len(units) + len(demands) > 2 else ():
            others = tuple(name for name in units if name != unit)
            each = {name: worth for name, worth in aim.each.items() if name != unit}
            fewer = msgspec.structs.replace(aim, units=others, side=None, each=each)
            changed = _with_aim(goal, number, fewer)
            if not others:
                wish = msgspec.structs.replace(aim, must=None)
                changed = _with_aim(goal, number, wish)
            cost = UNIT + worth_of(aim, unit)
            words = f"leave {unit} {f'out of {_places(aim)}' if aim.at else 'on the map'}"
            yield GoalChange(words, cost, clauses, position, changed)


def _where(aim: Aim) -> str:
    return f"in {_places(aim)}" if aim.at else f"leaving by {_places(aim)}"


def _places(aim: Aim) -> str:
    return ", ".join(aim.at or aim.exit)


def _entering(position: Position[Any, Any], goal: Goal) -> Iterator[GoalChange]:
    """Yield changes that permit a Location to avoid."""
    for place in goal.avoid:
        avoid = tuple(name for name in goal.avoid if name != place)
        changed = msgspec.structs.replace(goal, avoid=avoid)
        yield GoalChange(f"enter {place} after all", ENTRY, (), position, changed)
