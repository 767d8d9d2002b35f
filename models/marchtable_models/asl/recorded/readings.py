"""A search for a legal log that explains what was recorded."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from marchtable.budget import look
from marchtable.errors import BadInputError
from marchtable.reachability.reach import reach
from marchtable.rules.rolls import passing
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import Settle
from marchtable_models.asl.model import (
    SPINES,
    DoubleTime,
    End,
    Enter,
    MinimumMove,
    Start,
    Stop,
    Turn,
)
from marchtable_models.asl.recorded.scripts import (
    Advanced,
    Befell,
    Boarded,
    Declared,
    Ended,
    Left,
    Walked,
)  # fmt: skip
from marchtable_models.asl.records import Points
from marchtable_models.asl.verbs.bypass import Bypass, Into
from marchtable_models.asl.verbs.carrying import Load, Unload
from marchtable_models.asl.verbs.foot import Advance
from marchtable_models.asl.verbs.happenings import Befall

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from marchtable.rules.ruling import Ruling, Violation
    from marchtable.state.action import Action
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.recorded.scripts import Part

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["Line", "Reading", "read"]

WIDTH = 24
"""How many ways of having got so far are kept at most."""
MOST_OUTCOMES = 4
MOST_WAYS = 4
"""In how many modes a unit that got to a place by any way at all goes on from there, at most."""
TURNS = len(SPINES)


class Line(NamedTuple):
    """
    A log as far as it goes: where it leads, its rulings, and what is wrong or doubtful with it.

    `tired` are the units that show a CX counter as the phase ends: they alone may have made a
    Minimum Move.
    """

    position: AslPosition
    tired: frozenset[str] = frozenset()
    log: tuple[Action, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    faults: tuple[Violation, ...] = ()
    doubts: tuple[Violation, ...] = ()
    notes: tuple[str, ...] = ()


class Reading(NamedTuple):
    """
    The best log found for a script.

    Parameters
    ----------
    line
        The log, legal or not.
    failed
        The number of the part from which on no legal log goes, None where one goes to the end.
    legal
        The log that is legal as far as the recording can be explained.
    is_whole
        Whether all ways were tried.
    """

    line: Line
    failed: int | None
    legal: Line
    is_whole: bool


def read(
    position: AslPosition, script: Sequence[Part], tired: frozenset[str] = frozenset()
) -> Reading | None:
    """
    Return the cheapest legal log that explains a script, or the one that breaks the fewest clauses.

    Parameters
    ----------
    position
        Where the move begins.
    script
        What was recorded.
    tired
        The units that show a CX counter as the phase ends.

    Returns
    -------
    Reading or None
        None where a unit that is named is not in the position.
    """
    mover = {name for part in script for name in _who(part)}
    if not mover <= position.index.keys():
        return None
    lines = [Line(position, tired)]
    legal, failed, is_whole = lines[0], None, True
    for number, part in enumerate(script):
        found = [after for line in lines for after in _explained(line, part)]
        clean = [line for line in found if not line.faults]
        if failed is None and not clean:
            clean, exact = _by_reach(lines, part)
            found += clean
            is_whole = is_whole and exact
        if failed is None and not clean:
            legal, failed = _best(lines, mover), number
        kept = clean if failed is None else found
        if not kept:
            return Reading(
                _best(lines, mover), number if failed is None else failed, legal, is_whole
            )
        lines, all_kept = _pruned(kept, mover)
        is_whole = is_whole and all_kept
    best = _best(lines, mover)
    return Reading(best, failed, best if failed is None else legal, is_whole)


def _who(part: Part) -> Iterator[str]:
    yield from getattr(part, "units", ())
    for field in ("unit", "vehicle"):
        if name := getattr(part, field, ""):
            yield name


def _cost(line: Line, mover: Iterable[str]) -> tuple[int, ...]:
    spent = sum(
        line.position.unit(name).points.spent for name in mover if name in line.position.index
    )
    clauses = {one.clause for one in line.faults}
    backwards = sum(isinstance(action, Start) and action.reverse for action in line.log)
    return len(clauses), len(line.doubts), len(line.notes), backwards, spent, len(line.log)


def _best(lines: Sequence[Line], mover: set[str]) -> Line:
    return min(lines, key=lambda line: _cost(line, mover))


def _pruned(lines: list[Line], mover: set[str]) -> tuple[list[Line], bool]:
    """Return the cheapest line to each state of the movers, and whether none was dropped beside."""
    lines.sort(key=lambda line: _cost(line, mover))
    found: dict[object, Line] = {}
    for line in lines:
        units = [line.position.unit(name) for name in sorted(mover) if name in line.position.index]
        key = tuple(_as_state(line.position, unit) for unit in units)
        found.setdefault(key, line)
    return list(islice(found.values(), WIDTH)), len(found) <= WIDTH


def _as_state(position: AslPosition, unit: AslUnit) -> tuple[AslUnit, bool]:
    """Return a unit whatever it has spent, and whether that is all it may."""
    book = find_rulebook(position.rulebook)
    is_spent = unit.at is not None and book.spent(unit) >= book.allotment(position, unit)
    return msgspec.structs.replace(unit, points=Points(final=unit.points.final)), is_spent


# -- one part of a script ------------------------------------------------------------------------


def _explained(line: Line, part: Part) -> Iterator[Line]:
    """Yield the logs that go on from one so that a part is explained."""
    if isinstance(part, Walked):
        yield from _walked(line, part)
    elif isinstance(part, Ended):
        yield from _ended(line, part)
    else:
        for actions in _options(line.position, part):
            yield from _after(line, actions)


def _options(position: AslPosition, part: Part) -> Iterator[Sequence[Action]]:
    if isinstance(part, Declared):
        yield (DoubleTime(part.unit),)
    elif isinstance(part, Advanced):
        yield (Advance(part.units, part.to),)
        yield (Advance(part.units, part.to, beneath=True),)
    elif isinstance(part, Boarded):
        out = tuple(name for name in part.units if position.unit(name).cargo.aboard != part.vehicle)
        if not out:
            yield ()
            return
        yield (Load(out, part.vehicle),)
        yield (Load(out, part.vehicle, riding=True),)
    elif isinstance(part, Left):
        aboard = tuple(name for name in part.units if position.unit(name).cargo.aboard)
        yield (Unload(aboard),) if aboard else ()
    elif isinstance(part, Befell):
        yield (Befall(part.unit, part.what),)  # type: ignore[arg-type]


def _walked(line: Line, part: Walked) -> Iterator[Line]:
    """Yield the logs by which units get to a place by the shortest ways."""
    board = line.position.board
    here = line.position.unit(part.units[0]).at
    if here is None or part.to not in board:
        return
    if here == part.to:
        bypassing = any(line.position.unit(name).place.bypass is not None for name in part.units)
        yield from _after(line, (Into(part.units),)) if bypassing else (line,)
        return
    lines = [line]
    far = board.distance(here, part.to)
    mover = set(part.units)
    for left in range(far - 1, -1, -1):
        found: list[Line] = []
        for one in lines:
            at = one.position.unit(part.units[0]).at
            if at is None:
                continue
            for way, name in board.neighbours(at):
                if board.distance(name, part.to) == left and (left or name == part.to):
                    found += _entered(one, part.units, way, name)
        clean = [one for one in found if not one.faults]
        lines, _ = _pruned(clean or found, mover) if found else ([], True)
    yield from lines


def _entered(line: Line, units: tuple[str, ...], way: int, to: str) -> Iterator[Line]:
    """Yield the logs by which units enter a Location next to theirs."""
    first = line.position.unit(units[0])
    is_vehicle = first.facing is not None
    for opening in _openings(first, way):
        for entry in _entries(line, units, to, is_vehicle=is_vehicle):
            yield from _after(line, (*opening, entry))


def _openings(unit: AslUnit, way: int) -> Iterator[Sequence[Action]]:
    """Yield what a vehicle does before it crosses a hexside: it starts, and turns that way."""
    if unit.facing is None:
        yield ()
        return
    starts: Sequence[Sequence[Action]] = ((),)
    reverses: Sequence[Sequence[Action]] = ()
    if not unit.motion.moving:
        starts, reverses = ((Start(unit.id),),), ((Start(unit.id, reverse=True),),)
    elif unit.motion.reverse:
        starts, reverses = (), ((),)
    now = SPINES.index(unit.facing)
    for ways, ahead in ((starts, way), (reverses, way + 3)):
        for start in ways:
            for spine in (ahead % TURNS, (ahead - 1) % TURNS):
                for turns in _turns(unit.id, now, spine):
                    yield (*start, *turns)


def _turns(unit: str, now: int, spine: int) -> Iterator[Sequence[Action]]:
    """Yield the changes of VCA from one hexspine to another, by the shorter way round."""
    right = (spine - now) % TURNS
    left = TURNS - right
    if right <= left or right == 0:
        yield [Turn(unit, SPINES[(now + n) % TURNS]) for n in range(1, right + 1)]
    if right and left <= right:
        yield [Turn(unit, SPINES[(now - n) % TURNS]) for n in range(1, left + 1)]


def _entries(line: Line, units: tuple[str, ...], to: str, *, is_vehicle: bool) -> Iterator[Action]:
    """Yield the ways to enter a Location, the plain one first."""
    yield Enter(units, to)
    yield Enter(units, to, off_road=True)
    yield Enter(units, to, half=True)
    if is_vehicle:
        yield Enter(units, to, rest=True)
        yield Bypass(units, to)
        return
    yield Enter(units, to, beneath=True)
    if line.tired.issuperset(units):
        yield MinimumMove(units, to)


def _ended(line: Line, part: Ended) -> Iterator[Line]:
    """Yield the logs by which a vehicle comes to point as it was seen last, and stops if it did."""
    unit = line.position.unit(part.unit)
    if unit.facing is None:
        yield line
        return
    turned = [line]
    if part.facing and part.facing != unit.facing:
        opening: Sequence[Action] = () if unit.motion.moving else (Start(unit.id),)
        now, spine = SPINES.index(unit.facing), SPINES.index(part.facing)
        turned = [
            after
            for turns in _turns(unit.id, now, spine)
            for after in _after(line, (*opening, *turns))
        ]
    for one in turned:
        unit = one.position.unit(part.unit)
        if not unit.motion.moving:
            yield one
            continue
        if part.moving:
            yield from _in_motion(one, part.unit)
            continue
        stopped = [
            after for after in _after(one, (Stop(unit.id),)) if len(after.faults) == len(one.faults)
        ]
        yield from stopped
        if not stopped:
            note = (
                f"{unit.id} has no MP left to stop: it is in Motion, and lacks its Motion counter"
            )
            yield from _in_motion(one._replace(notes=(*one.notes, note)), part.unit)


def _in_motion(line: Line, unit: str) -> Iterator[Line]:
    """Yield where a vehicle's move ends in Motion: what it has left is spent there (D2.4)."""
    known, book = line.position.unit(unit), find_rulebook(line.position.rulebook)
    if known.move.mph == "done" or book.spent(known) >= book.allotment(line.position, known):
        yield line
        return
    ended = [one for one in _after(line, (End(unit),)) if len(one.faults) == len(line.faults)]
    if not ended:
        done = msgspec.structs.replace(known, move=msgspec.structs.replace(known.move, mph="done"))
        note = f"what {unit} has left is taken as spent in its last hex"
        ended = [
            line._replace(position=line.position.with_units([done]), notes=(*line.notes, note))
        ]
    yield from ended


# -- the rules -----------------------------------------------------------------------------------


def _after(line: Line, actions: Sequence[Action]) -> Iterator[Line]:
    """Yield where actions lead, by each outcome of the rolls they call for."""
    lines = [line]
    for action in actions:
        lines = [
            settled for one in lines for ruled in _ruled(one, action) for settled in _settled(ruled)
        ]
    yield from lines


def _ruled(line: Line, action: Action) -> Iterator[Line]:
    look()
    try:
        ruling = find_rulebook(line.position.rulebook).rule(line.position, action)
    except BadInputError:
        return
    if ruling.after is None:
        return
    yield Line(
        ruling.after,
        line.tired,
        (*line.log, action),
        (*line.rulings, ruling),
        (*line.faults, *ruling.violations),
        (*line.doubts, *ruling.unsupported),
        line.notes,
    )


def _settled(line: Line) -> Iterator[Line]:
    """Yield a line with its rolls settled: passed first, then as they may have come out else."""
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


def _tires(way: Iterable[Action]) -> bool:
    """Return whether a way makes the unit CX."""
    return any(isinstance(action, MinimumMove | DoubleTime) for action in way)


def _by_reach(lines: Sequence[Line], part: Part) -> tuple[list[Line], bool]:
    """
    Return the logs by which a unit alone gets to a place by any way at all.

    With them goes whether what was not found is ruled out: a clause that is not modelled may help.
    """
    if not isinstance(part, Walked):
        return [], True
    is_whole = True
    found: list[Line] = []
    if len(part.units) > 1 or not all(part.to in line.position.board for line in lines):
        return [], True
    for line in lines[:4]:
        if line.position.unit(part.units[0]).at in (None, part.to):
            continue
        (known,) = reach(line.position, part.units)
        is_whole = is_whole and known.is_exact
        fitting = (
            way
            for place in known.places_at(part.to)
            if not _tires(way := known.actions_to(place)) or line.tired.issuperset(part.units)
        )
        for way in islice(fitting, MOST_WAYS):
            found += [one for one in _after(line, way) if not one.faults]
    return found, is_whole
