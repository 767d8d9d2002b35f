"""Whether a unit could do better by coming back to where it started.

In a shared space the unit that is asked about still stands in its own Location, as it does for
an equal newcomer. For the unit itself that is wrong in one place only: where it re-enters that
Location. Here we look whether that would ever pay; then it needs a space of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.compiled import NO_LIMIT, families_of, present_in
from marchtable.compiler import Prober, Transition, Unmodelled, crossings_of
from marchtable.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from marchtable.compiled import CompiledSpace
    from marchtable.position import Position, Unit
    from marchtable.space import Reached

__all__ = ["gains_by_returning"]


def gains_by_returning(
    space: CompiledSpace, position: Position[Any, Any], unit: Unit, found: Reached, *, avoid: bool
) -> bool:
    """Tell whether some way back home is cheaper than a search in a shared space knows."""
    import numpy as np

    home = str(unit.at)
    without = find_rulebook(position.rulebook).presence(position, unit.side, home, unit)
    ways = space.returns.get((home, without))
    if ways is None:
        listed = list(_cheaper_ways(position, unit, space, without, avoid=avoid))
        width, index = len(space.modes), position.board.index
        ways = space.returns[home, without] = np.array(
            [
                (
                    index[a] * width + t.start,
                    index[home] * width + t.stop,
                    NO_LIMIT if isinstance(t, Transition) and t.end else t.cost,
                    isinstance(t, Unmodelled),
                )
                for a, t in listed
            ],
            np.int64,
        ).reshape(-1, 4)
    if not len(ways):
        return False
    before, after, cost, unmodelled = ways.T
    spent = space.lend_scratch()
    spent[found.state] = found.spent
    leaving, known = spent[before], spent[after]
    spent[found.state] = NO_LIMIT
    space.scratch.append(spent)
    limit = space.limit[after]
    arrival = np.where(cost == NO_LIMIT, limit, leaving + cost)
    better = (arrival < known) | (unmodelled > 0)
    return bool(((leaving < NO_LIMIT) & (arrival <= limit) & better).any())


def _cheaper_ways(
    position: Position[Any, Any], unit: Unit, space: CompiledSpace, without: Hashable, *, avoid: bool
) -> Iterator[tuple[str, Transition | Unmodelled]]:
    """Yield the steps into the unit's Location that a shared space has dearer or not at all."""
    rulebook = find_rulebook(position.rulebook)
    home = str(unit.at)
    present, _ = present_in(rulebook, position, unit)
    if without == present.get(home):
        return
    families = families_of(rulebook, position, unit, avoid=avoid)
    crossings = crossings_of(rulebook, position.board)
    prober = None
    for number in crossings.by_place[home]:
        a, b = crossings.pairs[number]
        if b != home or a == home:
            continue
        facts = (crossings.facts[crossings.kinds[number]], present.get(a), without)
        if facts not in families:
            prober = prober or _prober(position, unit, space, avoid=avoid)
            families[facts] = prober.family(a, b)
        known, found = space.families_at(number), families[facts]
        yield from ((a, way) for way in set(found.transitions) - set(known.transitions))
        yield from ((a, way) for way in set(found.unsupported) - set(known.unsupported))


def _prober(
    position: Position[Any, Any], unit: Unit, space: CompiledSpace, *, avoid: bool
) -> Prober:
    """Return a prober of a newcomer in the position without the unit itself."""
    newcomer = msgspec.structs.replace(unit, id=f"{unit.id}*")
    gone = position.with_units([msgspec.structs.replace(unit, at=None)])
    probed = msgspec.structs.replace(gone, units=(*gone.units, newcomer))
    rulebook = find_rulebook(position.rulebook)
    return Prober(rulebook, probed, newcomer, space.modes, avoid=avoid)
