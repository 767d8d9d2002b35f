"""A search for a legal log that explains a record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec.structs import replace

from marchtable.rules.rulebook import find_rulebook
from marchtable_models.asl.model import SPINES, End, Start, Stop
from marchtable_models.asl.recorded.detours import by_any_way
from marchtable_models.asl.recorded.entering import (
    come_on,
    edge_hexes,
    entered,
    openings,
    turns_to,
)
from marchtable_models.asl.recorded.lines import (
    Assumptions,
    PartialLog,
    best_of,
    played,
    pruned,
)
from marchtable_models.asl.recorded.scripts import (
    Advanced,
    Affected,
    BoardScript,
    ClimbScript,
    Declared,
    Dropped,
    Ended,
    Exited,
    Hooked,
    LendScript,
    Meanwhile,
    PushScript,
    Recovered,
    SmokeScript,
    Sped,
    Unhooked,
    UnloadScript,
    Walked,
)
from marchtable_models.asl.rules.declarations import DoubleTime, Lend
from marchtable_models.asl.rules.dispensers import Dispense
from marchtable_models.asl.rules.driving import ExcessSpeed
from marchtable_models.asl.rules.grenades import Smoke
from marchtable_models.asl.rules.happenings import StatedResult
from marchtable_models.asl.rules.loading import Load
from marchtable_models.asl.rules.pushing import Push
from marchtable_models.asl.rules.support_weapons import Drop, Recover
from marchtable_models.asl.rules.towing import Hook, Unhook
from marchtable_models.asl.rules.unloading import Unload
from marchtable_models.asl.verbs import Advance, Exit, Into, Stairs
from marchtable_models.asl.views.edge import outer_sides

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from marchtable.state.action import Action
    from marchtable_models.asl.model import AslPosition
    from marchtable_models.asl.recorded.scripts import Part

HIGHEST = 5
"""The highest exponent of SMOKE grenades."""
USAGE = 12
"""The highest Usage Number of a smoke dispenser."""


class Reading(NamedTuple):
    """The best log found for a script."""

    line: PartialLog  # the log, legal or not
    # the number of the part from which on no legal log goes, None where one goes to the end
    failed: int | None
    legal: PartialLog  # the log that is legal as far as the recording can be explained
    is_whole: bool  # whether all ways were tried that the script leaves open: no search was cut
    # clauses of which one alone forbids some way to go on from the legal log
    barring: tuple[str, ...] = ()


def read(
    position: AslPosition,
    script: Sequence[Part],
    assumed: Assumptions = Assumptions(),  # noqa: B008 - immutable
) -> Reading | None:
    """
    Find the cheapest legal log that explains a script, or the one breaking the fewest clauses.

    Parameters
    ----------
    position
        Where the move begins.
    script
        What was recorded.
    assumed
        The assumptions.

    Returns
    -------
    Reading or None
        None if a named unit is not in the position.
    """
    mover = {name for part in script for name in _movers(part)}
    if not mover <= position.index.keys():
        return None
    lines = [PartialLog(position, assumed)]
    legal, failed, is_whole = lines[0], None, assumed.is_thorough
    barring: tuple[str, ...] = ()
    for number, part in enumerate(script):
        found: list[PartialLog] = []
        is_searched = failed is None and assumed.is_thorough
        if is_searched:
            ways, exact = by_any_way(lines, part, script[number + 1 :])
            found, is_whole = ways, is_whole and exact
        if not (found and is_whole and _is_alone(lines, part)):
            found += [after for line in lines for after in _explained(line, part)]
        if failed is None and not is_searched and all(line.faults for line in found):
            found += by_any_way(lines, part, script[number + 1 :])[0]
        clean = [line for line in found if not line.faults]
        if failed is None and not clean:
            legal, failed, barring = best_of(lines, mover), number, _single_clauses(found)
        kept = clean if failed is None else found
        if not kept:
            return Reading(best_of(lines, mover), failed, legal, is_whole, barring)
        lines, all_kept = pruned(kept, mover)
        is_whole = is_whole and (all_kept or failed is not None)
    best = best_of(lines, mover)
    return Reading(best, failed, best if failed is None else legal, is_whole, barring)


def _is_alone(lines: Sequence[PartialLog], part: Part) -> bool:
    """Return whether a part is a single unit's way to another place: its reach holds every way."""
    if not isinstance(part, Walked) or len(part.units) > 1 or lines[0].assumed.lifted:
        return False
    return all(line.position.unit(part.units[0]).at != part.to for line in lines)


def _single_clauses(lines: Sequence[PartialLog]) -> tuple[str, ...]:
    """Return the clauses that some log breaks with no other clause."""
    sets = [dict.fromkeys(fault.clause for fault in line.faults) for line in lines]
    return tuple(dict.fromkeys(clause for some in sets if len(some) == 1 for clause in some))


def _movers(part: Part) -> Iterator[str]:
    yield from getattr(part, "units", ())
    for field in ("unit", "vehicle", "gun"):
        if name := getattr(part, field, ""):
            yield name


# -- one part of a script ------------------------------------------------------------------------


def _explained(line: PartialLog, part: Part) -> Iterator[PartialLog]:
    """Yield the continuations of a log that explain a part."""
    if isinstance(part, Walked):
        yield from _walked(line, part)
    elif isinstance(part, Ended):
        yield from _ended(line, part)
    elif isinstance(part, Exited):
        yield from _exited(line, part)
    elif isinstance(part, SmokeScript):
        yield from _thrown(line, part)
    elif isinstance(part, Recovered):
        yield from _recovered(line, part)
    elif isinstance(part, Meanwhile):
        changed = [replace(line.position.unit(name), at=at) for name, at in part.others]
        yield line._replace(position=line.position.with_units(changed))
    else:
        for actions in _options(line.position, part):
            yield from played(line, actions)


_ACTIONS: dict[type, Callable[[Any], Action]] = {
    Affected: lambda part: StatedResult(part.unit, part.what),
    Declared: lambda part: DoubleTime(part.unit),
    Dropped: lambda part: Drop(part.unit, part.weapon),
    LendScript: lambda part: Lend(part.unit, part.to),
    PushScript: lambda part: Push(part.units, part.gun, part.to),
    Sped: lambda part: ExcessSpeed(part.unit, part.mp),
}
"""The action of each part that has only one."""


def _options(position: AslPosition, part: Part) -> Iterator[Sequence[Action]]:
    """Yield the actions by which units might have done a part."""
    if isinstance(part, Advanced):
        yield (Advance(part.units, part.to),)
        yield (Advance(part.units, part.to, beneath=True),)
    elif isinstance(part, ClimbScript):
        yield [*_stairs(position, part)]
    elif isinstance(part, Hooked | Unhooked):
        yield from _hitched(position, part)
    elif isinstance(part, BoardScript | UnloadScript):
        yield from _carried(position, part)
    else:
        yield (_ACTIONS[type(part)](part),)


def _stairs(position: AslPosition, part: ClimbScript) -> Iterator[Stairs]:
    """Yield how units get to a level of their building, those on one level together."""
    floors: dict[int, list[str]] = {}
    for name in part.units:
        floors.setdefault(position.unit(name).place.floor, []).append(name)
    for floor, some in floors.items():
        way: Literal["up", "down"] = "up" if floor < part.floor else "down"
        yield from [Stairs(tuple(some), way)] * abs(part.floor - floor)


def _carried(position: AslPosition, part: BoardScript | UnloadScript) -> Iterator[Sequence[Action]]:
    """Yield the ways onto or off a vehicle, for units not there yet."""
    if isinstance(part, BoardScript):
        out = tuple(name for name in part.units if position.unit(name).cargo.aboard != part.vehicle)
        vehicle = part.vehicle
        actions: list[Load | Unload] = (
            [Load(out, vehicle), Load(out, vehicle, riding=True)] if out else []
        )
    else:
        out = tuple(name for name in part.units if position.unit(name).cargo.aboard)
        vehicle = position.unit(out[0]).cargo.aboard or "" if out else ""
        actions = [Unload(out)] if out else []
    if not actions:
        yield ()
        return
    yield from ((*halt, action) for halt in _halts(position, vehicle) for action in actions)


def _halts(position: AslPosition, vehicle: str) -> Iterator[Sequence[Action]]:
    """Yield a vehicle's acts before units or Guns join or leave it: none, or a stop."""
    yield ()
    if position.unit(vehicle).motion.moving:
        yield (Stop(vehicle),)


def _hitched(position: AslPosition, part: Hooked | Unhooked) -> Iterator[Sequence[Action]]:
    """Yield the ways to hook up or unhook a Gun, by each unit that can be its crew."""
    gun, vehicle = position.unit(part.gun), position.unit(part.vehicle)
    is_towed = gun.cargo.towed_by == part.vehicle
    if is_towed == isinstance(part, Hooked):
        yield ()
        return
    here = [
        unit
        for unit in position.beside(vehicle.at)
        if unit.side == vehicle.side and unit.facing is None and unit.id != part.gun
    ]
    for halt in _halts(position, part.vehicle):
        if isinstance(part, Unhooked):
            yield from ((*halt, Unhook(part.vehicle, unit.id)) for unit in here)
            continue
        for name in part.crews:
            yield (*halt, Hook(part.vehicle, part.gun, name, board=True))
        for unit in here:
            if unit.id not in part.crews:
                yield (*halt, Hook(part.vehicle, part.gun, unit.id))


def _thrown(line: PartialLog, part: SmokeScript) -> Iterator[PartialLog]:
    """Yield the logs by which a unit places SMOKE, with the best exponent."""
    board = line.position.board
    for name in part.units:
        unit = line.position.unit(name)
        if unit.at is None or part.to not in board or board.distance(unit.at, part.to) > 1:
            continue
        action: Action = Smoke(name, part.to, exponent=HIGHEST)
        if unit.facing is not None:
            if unit.at != part.to:
                continue
            action = Dispense(name, "sD", USAGE)
        for after in played(line, (action,)):
            if len(after.position.markers.get(part.to, ())) > len(
                line.position.markers.get(part.to, ())
            ):
                yield after


def _recovered(line: PartialLog, part: Recovered) -> Iterator[PartialLog]:
    """Yield the logs by which a unit recovers a SW, with a successful dr."""
    had = sum(one.name == part.weapon for one in line.position.unit(part.unit).sw)
    for after in played(line, (Recover(part.unit, part.weapon),)):
        if sum(one.name == part.weapon for one in after.position.unit(part.unit).sw) > had:
            yield after


def _exited(line: PartialLog, part: Exited) -> Iterator[PartialLog]:
    """Yield the logs by which units leave the map over its edge."""
    first = line.position.unit(part.units[0])
    if first.at is None:
        return
    edges = {
        name: line.position.board.distance(first.at, name) for name in edge_hexes(line.position)
    }
    nearest = min(edges.values(), default=0)
    for name, far in edges.items():
        if nearest and far == nearest:
            for there in _walked(line, Walked(part.units, name, part.when)):
                yield from _exited(there, part)
    for side in outer_sides(line.position.board, first.at):
        for opening in openings(first, side):
            yield from played(line, (*opening, Exit(part.units)))
        if first.facing is None:
            return


def _walked(line: PartialLog, part: Walked) -> Iterator[PartialLog]:
    """Yield the logs by which units get to a place by the shortest ways."""
    board = line.position.board
    here = line.position.unit(part.units[0]).at
    if part.to not in board:
        return
    if here is None:
        for arrived in come_on(line, part.units, part.to):
            yield from _walked(arrived, part)
        return
    if here == part.to:
        bypassing = any(line.position.unit(name).place.bypass is not None for name in part.units)
        yield from played(line, (Into(part.units),)) if bypassing else (line,)
        return
    lines = [line]
    far = board.distance(here, part.to)
    mover = set(part.units)
    for left in range(far - 1, -1, -1):
        found: list[PartialLog] = []
        for one in lines:
            at = one.position.unit(part.units[0]).at
            if at is None:
                continue
            for way, name in board.neighbours(at):
                if board.distance(name, part.to) == left and (left or name == part.to):
                    found += entered(one, part.units, way, name, rests=part.rests and not left)
        clean = [one for one in found if not one.faults]
        lines, _ = pruned(clean or found, mover) if found else ([], True)
    yield from lines


def _ended(line: PartialLog, part: Ended) -> Iterator[PartialLog]:
    """Yield the logs by which a vehicle gets its last seen VCA, and stops if it did."""
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
            for turns in turns_to(unit.id, now, spine)
            for after in played(line, (*opening, *turns))
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
            after for after in played(one, (Stop(unit.id),)) if len(after.faults) == len(one.faults)
        ]
        yield from stopped
        if not stopped:
            note = (
                f"{unit.id} has no MP left to stop: it is in Motion, and lacks its Motion counter"
            )
            yield from _in_motion(one._replace(notes=(*one.notes, note)), part.unit)


def _in_motion(line: PartialLog, unit: str) -> Iterator[PartialLog]:
    """Yield the ends of a vehicle's move in Motion: its remaining MP are spent there (D2.4)."""
    known, book = line.position.unit(unit), find_rulebook(line.position.rulebook)
    if known.move.mph == "done" or book.spent(known) >= book.allotment(line.position, known):
        yield line
        return
    ended = [one for one in played(line, (End(unit),)) if len(one.faults) == len(line.faults)]
    if not ended:
        done = replace(known, move=replace(known.move, mph="done"))
        note = f"what {unit} has left is assumed spent in its last hex"
        ended = [
            line._replace(position=line.position.with_units([done]), notes=(*line.notes, note))
        ]
    yield from ended
