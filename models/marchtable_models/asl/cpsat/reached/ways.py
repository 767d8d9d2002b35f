"""Where units of a plan can get to, told Location by Location: what reach is asked for that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.budget import work
from marchtable.clause import switched_off
from marchtable.rulebook import find_rulebook
from marchtable.sharing import shared_space
from marchtable.space import nowhere
from marchtable_models.asl.cpsat.reached.ends import home_of
from marchtable_models.asl.cpsat.reached.exposed import reached_by
from marchtable_models.asl.cpsat.reached.places import ON_MAP, Place, Places
from marchtable_models.asl.cpsat.reached.waiting import ways_on
from marchtable_models.asl.survey import purse
from marchtable_models.asl.survey.modes import mode_of
from marchtable_models.asl.survey.standings import standing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from marchtable.arrivals import Arrivals
    from marchtable.compiled import CompiledSpace
    from marchtable.position import Position
    from marchtable.space import Reached
    from marchtable_models.asl.cpsat.reached.exits import Exits
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["AMPLE", "Place", "Places", "bare", "pace", "searched"]

replace = msgspec.structs.replace
SEARCH = 0.001  # deterministic time that a search of one unit's ways counts for
AMPLE = 10_000  # half points: more than any way on a map costs


def bare(position: AslPosition, movers: Sequence[str]) -> AslPosition:
    """Return the position with these units off the map."""
    return position.with_units(
        [
            msgspec.structs.replace(position.unit(name), at=None, aboard=None, riding=False)
            for name in movers
        ]
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
    for number, (unit, mode, _) in enumerate(asked):
        modes = [mode, *(mode for _, mode in starts[number].on.ways)]
        space = shared_space(position, replace(unit, entering=()), avoid=True, modes=modes)
        left = unit.at if unit.at in closed else None
        groups.setdefault((space, left), []).append(number)
    work(SEARCH * len(asked))
    found: dict[int, Places] = {}
    for (space, left), numbers in groups.items():
        enough = ample or _unlimited(position, asked[numbers[0]][0])
        limit = _limits(space, [name for name in closed if name != left], enough)
        reached = _reached(space, [starts[n] for n in numbers], limit, threat, left)
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
    space: CompiledSpace, starts: Sequence[_Start], limit: Any, threat: Mapping[str, int] | None,
    left: str | None,
) -> list[Reached]:  # fmt: skip
    """Return what is reached from each start, nothing where nobody comes on."""
    able = [n for n, start in enumerate(starts) if start.states]
    told = reached_by(
        space,
        [tuple(space.state(at, mode) for at, mode, _ in starts[n].states) for n in able],
        [tuple(spent for _, _, spent in starts[n].states) for n in able],
        None if limit is None else [limit] * len(able),
        threat,
        [bool(starts[n].on.ways) for n in able],
        left=left,
    )
    found = dict(zip(able, told, strict=True))
    return [found[n] if n in found else nowhere() for n, _ in enumerate(starts)]


def pace(position: AslPosition, unit: AslUnit) -> tuple[int, int]:
    """Return the half points that a unit may have, and such that no step costs it less."""
    space, mode = shared_space(position, unit, avoid=True), mode_of(unit)
    known = space.__dict__.setdefault("cheapest steps", {})
    if mode not in known:
        known[mode] = _cheapest_step(space, mode)
    return max(int(space.limit.max()), _unlimited(position, unit)), known[mode]


def _unlimited(position: AslPosition, unit: AslUnit) -> int:
    """Return ample half points where no clause that is on bars a unit from overspending, else 0."""
    if not switched_off():
        return 0
    edition = find_rulebook(position.rulebook).edition(position)
    finding = edition.judge(standing(position, unit, "start"))
    due = msgspec.structs.replace(purse.due(position, unit, None, finding, edition), cost=AMPLE)
    return 0 if edition.judge(due).bars else AMPLE


def _cheapest_step(space: CompiledSpace, mode: Any) -> int:
    import numpy as np

    arcs, width = space.space, len(space.modes)
    source = np.repeat(np.arange(len(arcs.limit)), np.diff(arcs.indptr))
    leaves = source // width != arcs.target // width
    costs = arcs.cost[leaves & space.onward(mode)[source % width]]
    return max(1, int(costs.min())) if len(costs) else 1


def _limits(space: CompiledSpace, closed: Sequence[str], ample: int = 0) -> Any:
    import numpy as np

    if not closed and not ample:
        return None
    limit, width = np.maximum(space.limit, np.int32(ample)), len(space.modes)
    for name in closed:
        first = space.board.index[name] * width
        limit[first : first + width] = -1
    return limit
