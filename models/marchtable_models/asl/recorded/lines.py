"""Partial logs that explain a recorded move, and their continuation by the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from marchtable.budget import work
from marchtable.errors import BadInputError
from marchtable.rules.rolls import passing
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import Settle
from marchtable_models.asl.model import Start

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from marchtable.rules.ruling import Ruling, Violation
    from marchtable.state.action import Action
    from marchtable_models.asl.model import AslPosition, AslUnit

WIDTH, THOROUGH_WIDTH = 24, 120
"""The largest number of lines kept."""
RULING = 0.00015
"""The deterministic time per ruling."""
MOST_OUTCOMES = 12
"""The largest number of outcomes tried: no roll of a move has more."""


class Assumptions(NamedTuple):
    """What a search for readings takes as given."""

    # the units that show a CX counter as the phase ends: they alone may have made a Minimum Move
    tired: frozenset[str] = frozenset()
    lifted: frozenset[str] = frozenset()  # clauses that are taken not to be in force
    # whether every way between the places of a record is tried, Bypass and detours too: nothing is
    # proved to be illegal without that
    is_thorough: bool = False


class PartialLog(NamedTuple):
    """A partial log: its position, its rulings, and its faults and doubts."""

    position: AslPosition
    assumed: Assumptions = Assumptions()
    log: tuple[Action, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    faults: tuple[Violation, ...] = ()
    doubts: tuple[Violation, ...] = ()
    notes: tuple[str, ...] = ()


def _cost(line: PartialLog, mover: Iterable[str]) -> tuple[int, ...]:
    spent = sum(
        line.position.unit(name).points.spent for name in mover if name in line.position.index
    )
    clauses = {one.clause for one in line.faults}
    backwards = sum(isinstance(action, Start) and action.reverse for action in line.log)
    return len(clauses), len(line.doubts), len(line.notes), backwards, spent, len(line.log)


def best_of(lines: Sequence[PartialLog], mover: set[str]) -> PartialLog:
    return min(lines, key=lambda line: _cost(line, mover))


def pruned(lines: list[PartialLog], mover: set[str]) -> tuple[list[PartialLog], bool]:
    """
    Return the lines not dominated by others, cheapest first, and whether none was cut off.

    A line is dominated by another that leads to the same state of the movers, none of which has
    spent more, with no more faults and doubts.
    """
    if not lines:
        return [], True
    lines.sort(key=lambda line: _cost(line, mover))
    found: dict[object, list[tuple[int, ...]]] = {}
    kept: list[PartialLog] = []
    for line in lines:
        units = [line.position.unit(name) for name in sorted(mover) if name in line.position.index]
        key = tuple(as_state(line.position, unit) for unit in units)
        burden = (
            len({one.clause for one in line.faults}),
            len(line.doubts),
            *(unit.points.spent for unit in units),
        )
        if not is_dominated(burden, found.setdefault(key, [])):
            found[key].append(burden)
            kept.append(line)
    width = THOROUGH_WIDTH if lines[0].assumed.is_thorough else WIDTH
    return kept[:width], len(kept) <= width


def is_dominated(burden: tuple[int, ...], others: Iterable[tuple[int, ...]]) -> bool:
    """Return whether one of others is no greater in any part."""
    return any(all(a <= b for a, b in zip(other, burden, strict=True)) for other in others)


def as_state(position: AslPosition, unit: AslUnit) -> tuple[AslUnit, bool]:
    """Return a unit without its expenditure, and whether that is all it can spend."""
    book = find_rulebook(position.rulebook)
    is_spent = unit.at is not None and book.spent(unit) >= book.allotment(position, unit)
    points = msgspec.structs.replace(unit.points, spent=0, used=min(unit.points.used, 1))
    return msgspec.structs.replace(unit, points=points), is_spent


def played(line: PartialLog, actions: Sequence[Action]) -> Iterator[PartialLog]:
    """Yield the results of actions, by each outcome of their rolls."""
    lines = [line]
    for action in actions:
        lines = [
            settled for one in lines for ruled in _ruled(one, action) for settled in _settled(ruled)
        ]
    yield from lines


def _ruled(line: PartialLog, action: Action) -> Iterator[PartialLog]:
    work(RULING)
    try:
        ruling = find_rulebook(line.position.rulebook).rule(line.position, action)
    except BadInputError:
        return
    if ruling.after is None:
        return
    lifted = line.assumed.lifted
    yield PartialLog(
        ruling.after,
        line.assumed,
        (*line.log, action),
        (*line.rulings, ruling),
        (*line.faults, *(one for one in ruling.violations if one.clause not in lifted)),
        (*line.doubts, *ruling.unsupported),
        line.notes,
    )


def _settled(line: PartialLog) -> Iterator[PartialLog]:
    """Yield a line with its rolls settled: passed first, then otherwise."""
    if not line.position.pending:
        yield line
        return
    first = line.position.pending[0]
    passed = passing(line.position)
    events = [] if passed is None else [passed]
    events += [Settle(first.id, odds.outcome) for odds in first.outcomes]
    for event in list(dict.fromkeys(events))[:MOST_OUTCOMES]:
        for ruled in _ruled(line, event):
            yield from _settled(ruled)
