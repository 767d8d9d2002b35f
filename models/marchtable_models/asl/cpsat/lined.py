"""What plans of Columns and of Convoys have in common: which line a goal is about, and whether it may go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.planning.goals import movers_of, units_of
from marchtable.state.action import Event
from marchtable_models.asl.clauses.vehicles.impulses import one_each
from marchtable_models.asl.extraction.cargo import carried_by
from marchtable_models.asl.extraction.lines import members
from marchtable_models.asl.model import End, Impulse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from marchtable.rules.rulebook import Rulebook
    from marchtable.rules.ruling import Ruling, Verdict, Violation
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["bars_on", "lines_for", "made_before", "may_move"]


def lines_for(
    position: AslPosition, goal: Goal, is_of: Callable[[AslUnit], object]
) -> Iterator[tuple[AslUnit, ...]]:
    """Yield the lines that may move now, front first, that have all units which a goal is about."""
    if position.phase != "MPh" or position.pending:
        return
    wanted = {name for aim in goal.aims for name in units_of(aim, position)}
    movers = set(movers_of(goal, position))
    for lead in position.units:
        line = members(position, lead) if is_of(lead) and lead.side == position.side else ()
        mine = {load.id for unit in line for load in (unit, *carried_by(position, unit))}
        if line and line[0].id == lead.id and wanted <= mine <= movers:
            yield tuple(line)


def may_move(
    rulebook: Rulebook[Any, Any], position: AslPosition, line: Sequence[AslUnit]
) -> tuple[bool, set[str]]:
    """Tell whether nothing keeps a line as a whole where it is, and what is not modelled of that."""
    ruling = _idle(rulebook, position, line)
    if _bars(ruling):
        return False, set()
    left_out = {fault.clause for fault in ruling.unsupported}
    return not left_out, left_out


def bars_on(
    rulebook: Rulebook[Any, Any], position: AslPosition, line: Sequence[AslUnit]
) -> list[Violation]:
    """Return what keeps a line as a whole where it is: each that is told does so by itself."""
    return _bars(_idle(rulebook, position, line))


def _idle(
    rulebook: Rulebook[Any, Any], position: AslPosition, line: Sequence[AslUnit]
) -> Ruling:  # fmt: skip
    return rulebook.rule(position, Impulse(line[0].id, ("stay",) * len(line)))


def _bars(ruling: Ruling) -> list[Violation]:
    return [bar for bar in ruling.violations if bar.clause != one_each.id]


def made_before(log: Sequence[Action], verdict: Verdict) -> int | None:
    """Return how many Impulses were made up to the first that was refused; None if none was."""
    broken = [v.step for v in (*verdict.violations, *verdict.unsupported)]
    first = min(broken, default=len(log))
    if first >= len(log) or isinstance(log[first], End):
        return None
    return sum(not isinstance(action, Event) for action in log[: first + 1])
