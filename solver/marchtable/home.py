"""Whether a unit could do better by coming back to where it started.

In a shared space the unit that is asked about still stands in its own Location, as it does for
an equal newcomer. For the unit itself that is wrong in one place only: where it re-enters that
Location. Here we look whether that would ever pay; then it needs a space of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.compiled import NO_LIMIT
from marchtable.compiler import Prober
from marchtable.crossings import crossings_of, group_key
from marchtable.family import Transition, Unmodelled
from marchtable.rulebook import find_rulebook
from marchtable.sharing import kept_of, memory_of, present_in

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from marchtable.compiled import CompiledSpace
    from marchtable.family import Family, Kept, Way
    from marchtable.position import Position, Unit
    from marchtable.space import Ints

__all__ = ["Returns", "returns"]


class Returns:
    """
    Ways back home that a shared space has dearer or not at all.

    Parameters
    ----------
    space
        The shared space.
    ways
        State before and after each, its cost or NO_LIMIT for all that is left, and whether it
        is not modelled.

    Attributes
    ----------
    watch
        The states before and then those after.
    """

    def __init__(self, space: CompiledSpace, ways: list[tuple[int, int, int, bool]]) -> None:
        import numpy as np

        before, after, cost, unmodelled = np.array(ways, np.int32).T
        spends_all = cost == NO_LIMIT
        self._cost = np.where(spends_all, 0, cost).astype(np.int32)
        most = np.minimum(space.limit[before], space.limit[after] - self._cost)
        self._most = most.astype(np.int32)
        self._least = np.where(spends_all, space.limit[after], 0).astype(np.int32)
        # What nobody can judge might be a gain, however little was spent to be there before.
        self._slack = np.where(unmodelled > 0, space.limit[after], -1).astype(np.int32)
        self.watch = np.concatenate((before, after))

    def gain(self, watched: Ints) -> bool:
        """Tell whether one is cheaper, given what is spent in the states of ``watch``."""
        import numpy as np

        count = len(self._cost)
        before, known = watched[:count], watched[count:]
        after = np.maximum(before + self._cost, self._least)
        better = (after <= known + self._slack) & (before <= self._most)
        return bool(np.count_nonzero(better))


def returns(
    space: CompiledSpace, position: Position[Any, Any], unit: Unit, *, avoid: bool
) -> Returns | None:
    """Return the ways back home that a shared space does not know, if there are any."""
    home = str(unit.at)
    rulebook = find_rulebook(position.rulebook)
    without = rulebook.presence(position, unit.side, home, unit)
    key = (home, without, rulebook.off_in_travel())
    if key not in space.returns:
        width, index = len(space.modes), position.board.index
        ways = [
            (
                index[a] * width + way.start,
                index[home] * width + way.stop,
                NO_LIMIT if isinstance(way, Transition) and way.end else way.cost,
                isinstance(way, Unmodelled),
            )
            for a, way in _cheaper_ways(position, unit, space, without, avoid=avoid)
        ]
        space.returns[key] = Returns(space, ways) if ways else None
    return space.returns[key]


def _cheaper_ways(
    position: Position[Any, Any],
    unit: Unit,
    space: CompiledSpace,
    without: Hashable,
    *,
    avoid: bool,
) -> Iterator[tuple[str, Transition | Unmodelled]]:
    """Yield the steps into the unit's Location that a shared space has dearer or not at all."""
    rulebook = find_rulebook(position.rulebook)
    home = str(unit.at)
    present, _ = present_in(rulebook, position, unit)
    if without == present.get(home):
        return
    kept = kept_of(rulebook, position, unit, avoid=avoid)
    crossings = crossings_of(rulebook, position.board)
    asked, numbers = [], []
    for number in crossings.by_place[home]:
        a, b = crossings.pairs[number]
        if b == home and a != home:
            facts = crossings.facts[crossings.kinds[number]]
            asked.append((a, b, group_key(facts, present.get(a), without)))
            numbers.append(number)
    told = kept.told[1]
    families = [told[group] for _, _, group in asked if group in told]
    if len(families) < len(asked):
        prober = _prober(position, unit, space, kept, avoid=avoid)
        families, _ = prober.families(asked, space.covered)
    for (a, _, _), number, found in zip(asked, numbers, families, strict=True):
        yield from ((a, way) for way in _beyond(found, space.families_at(number)))


def _beyond(found: Family, known: Family) -> Iterator[Way]:
    """Yield what one family has and another has not, by whatever example of such actions."""
    as_told = {(by, _essence(way)) for block, by in known.parts for way in block.ways}
    parts = [
        (block, by)
        for block, by in found.parts
        if any((by, _essence(way)) not in as_told for way in block.ways)
    ]
    if parts:
        same = {_essence(way) for way in known.ways()}
        for block, by in parts:
            yield from (w for w in found.rose.turn(block.ways, by) if _essence(w) not in same)


def _essence(way: Way) -> Hashable:
    """Return a way on but for its actions and rolls."""
    return way[:4]


def _prober(
    position: Position[Any, Any], unit: Unit, space: CompiledSpace, kept: Kept, *, avoid: bool
) -> Prober:
    """Return a prober of a newcomer in the position without the unit itself."""
    newcomer = msgspec.structs.replace(unit, id=f"{unit.id}*")
    gone = position.with_units([msgspec.structs.replace(unit, at=None)])
    probed = msgspec.structs.replace(gone, units=(*gone.units, newcomer))
    rulebook = find_rulebook(position.rulebook)
    memory = memory_of(rulebook, probed, newcomer, space.modes)
    return Prober(rulebook, probed, newcomer, space.modes, avoid=avoid, kept=kept, memory=memory)
