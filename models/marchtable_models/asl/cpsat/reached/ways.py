"""Where units of a plan can get to, told Location by Location: what reach is asked for that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.budget import work
from marchtable.reachability.compiled import Limits
from marchtable.reachability.sharing import shared_space
from marchtable.reachability.space import nowhere
from marchtable.rules.clause import switched_off
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.reached.ends import home_of
from marchtable_models.asl.cpsat.reached.exposed import reached_by
from marchtable_models.asl.cpsat.reached.places import ON_MAP, Place, Places
from marchtable_models.asl.cpsat.reached.waiting import ways_on
from marchtable_models.asl.extraction import purse
from marchtable_models.asl.extraction.standings import standing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from marchtable.reachability.arrivals import Arrivals
    from marchtable.reachability.compiled import CompiledSpace
    from marchtable.reachability.space import Reached
    from marchtable.state.position import Position
    from marchtable_models.asl.cpsat.reached.exits import Exits
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["AMPLE", "Place", "Places", "bare", "is_unlimited", "searched"]

SEARCH = 0.001  # deterministic time that a search of one unit's ways counts for
AMPLE = 10_000  # half points: more than any way on a map costs


def bare(position: AslPosition, movers: Sequence[str]) -> AslPosition:
    """Return the position with these units off the map."""
    return position.with_units(
        [replace(position.unit(name), at=None, aboard=None, riding=False) for name in movers]
    )


def searched(
    position: AslPosition,
    asked: Sequence[tuple[AslUnit, Any, int]],
    fits: Callable[[Any], bool],
    closed: Sequence[str] = (),
    *,
    exits: Exits | None = None,
    threat: Mapping[str, int] | None = None,
    ample: int = 0,
) -> list[Places]:
    """
    Return where units get to from a mode with so much spent, no step calling for a roll.

    Parameters
    ----------
    position
        Who else stands where; the units themselves need not stand in it.
    asked
        Each unit, its mode and what it has spent. One that waits off the map comes on by any of its
        Locations.
    fits
        Tells in which modes they may be there.
    closed
        Locations that must not be entered; who stands in one may leave it for good.
    exits
        What leaving the map comes to, if that is among the ends.
    threat
        What coming into Locations adds to exposure: of equally cheap ways the least exposed is told.
    ample
        The half points that all have, if not what the rules give them.
    """
    groups: dict[tuple[CompiledSpace, str | None], list[int]] = {}
    starts = [_start(position, *one) for one in asked]
    for number, (unit, _, _) in enumerate(asked):
        space = shared_space(position, replace(unit, entering=()), avoid=True)
        left = unit.at if unit.at in closed else None
        groups.setdefault((space, left), []).append(number)
    work(SEARCH * len(asked))
    found: dict[int, Places] = {}
    for (space, left), numbers in groups.items():
        enough = ample or AMPLE * is_unlimited(position, asked[numbers[0]][0])
        shut = frozenset(space.board.index[name] for name in closed if name != left)
        limits = Limits(enough, shut) if enough or shut else None
        reached = _reached(space, [starts[n] for n in numbers], limits, threat, left)
        placed = Places.of(space, reached, fits, [starts[n].on for n in numbers])
        for n, one, places in zip(numbers, reached, placed, strict=True):
            unit, mode, spent = asked[n]
            found[n] = places
            if fits(mode) and (unit.at is not None or unit.facing is None):
                found[n] = found[n].started(home_of(unit), spent)
            if exits is not None:
                off = exits.ways_off(position, unit, space, one, anyhow=bool(ample))
                found[n] = found[n].leaving(off)
    return [found[number] for number in range(len(asked))]


class _Start(NamedTuple):
    """Where a search begins: in which states, by Location, mode and half points spent; the ways there."""

    states: Sequence[tuple[str, Any, int]]
    on: Arrivals = ON_MAP


def _start(position: AslPosition, unit: AslUnit, mode: Any, spent: int) -> _Start:
    if unit.at is not None:
        return _Start([(unit.at, mode, spent)])
    on = ways_on(position, unit)
    return _Start([(at, how, way.spent) for (at, how), way in on.ways.items()], on)


def _reached(
    space: CompiledSpace, starts: Sequence[_Start], limits: Limits | None, threat: Mapping[str, int] | None,
    left: str | None,
) -> list[Reached]:  # fmt: skip
    """Return what is reached from each start, nothing where nobody comes on."""
    able = [n for n, start in enumerate(starts) if start.states]
    told = reached_by(
        space,
        [tuple(space.state(at, mode) for at, mode, _ in starts[n].states) for n in able],
        [tuple(spent for _, _, spent in starts[n].states) for n in able],
        limits,
        threat,
        [bool(starts[n].on.ways) for n in able],
        left=left,
    )
    found = dict(zip(able, told, strict=True))
    return [found[n] if n in found else nowhere() for n, _ in enumerate(starts)]


def is_unlimited(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether no clause that is on bars a unit from overspending."""
    if not switched_off():
        return False
    edition = find_rulebook(position.rulebook).edition(position)
    finding = edition.judge(standing(position, unit, "start"))
    due = msgspec.structs.replace(purse.due(position, unit, None, finding, edition), cost=AMPLE)
    return not edition.judge(due).bars
