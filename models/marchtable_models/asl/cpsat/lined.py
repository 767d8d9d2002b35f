"""What plans of Columns and of Convoys have in common: which line a goal is about, whether it may go, and why not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.planning.goals import movers_of, units_of
from marchtable.planning.reasons import Family, clauses_against
from marchtable.rules.clause import without
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import Event
from marchtable_models.asl.blame import BLAMABLE
from marchtable_models.asl.clauses.vehicles.impulses import one_each
from marchtable_models.asl.extraction.cargo import carried_by
from marchtable_models.asl.extraction.lines import members
from marchtable_models.asl.model import End, Impulse

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from marchtable.planning.reasons import Question
    from marchtable.rules.plan_model import Reason
    from marchtable.rules.rulebook import Rulebook
    from marchtable.rules.ruling import Ruling, Verdict, Violation
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["conflict", "lines_for", "made_before", "may_move"]

ROUND = 0.01  # deterministic time that finding out what bars a line counts for, each time


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
    """Return whether nothing keeps a line as a whole where it is, and what is not modelled of that."""
    ruling = _idle(rulebook, position, line)
    if _bars(ruling):
        return False, set()
    left_out = {fault.clause for fault in ruling.unsupported}
    return not left_out, left_out


def conflict(
    question: Question, line: Sequence[AslUnit], likely: Collection[str] = (), *,
    others: Collection[str] = (), bearing: Collection[str] = (),
    barring: Callable[[], Collection[str]] = tuple,
) -> tuple[Reason, ...] | None:  # fmt: skip
    """
    Return a minimal set of clauses that keep a line from its goal's musts, verified; None at a limit.

    Lifted are those that bind units whatever the map is like, and those that bar the line, or a
    step, with these lifted; what steps cost, and what is never asked about, is the background.

    Parameters
    ----------
    question, line
        What is asked, and of whom.
    likely, others, bearing
        Clauses to be tried first, others to be lifted, and those that are not modelled and bear.
    barring
        Tells which clauses bar a step as rules are now.
    """
    among, control = {*likely, *others, *BLAMABLE}, question.control
    rulebook = find_rulebook(question.position.rulebook)
    while not control.stop.is_requested and control.left() > 0:
        control.spend(ROUND)
        with without(*among):
            bars = _bars(_idle(rulebook, question.position, line))
            more = {bar.clause for bar in bars}.union(barring())
        if more <= among:
            return clauses_against(
                question, Family(tuple(among), tuple(likely), bearing=tuple(bearing))
            )
        among |= more
    return None


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
