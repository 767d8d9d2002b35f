"""Where one unit can get to, at what price in points and exposure, and by which path."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from marchtable_models.panzer.cpsat.prices import Prices
    from marchtable_models.panzer.model import PanzerUnit
    from marchtable_models.panzer.survey import PanzerPosition

__all__ = ["Terms", "Way", "ways"]


class Way(NamedTuple):
    """
    One way to a hex.

    Parameters
    ----------
    at
        The hex.
    spent
        What the unit has spent of its factor on arrival, in half points.
    exposure
        The threat that it met.
    entered, final
        Whether it has entered a hex, and whether that was the one hex that a unit may always enter.
    before
        The way without its last step; None where it begins.
    """

    at: str
    spent: int
    exposure: int
    entered: bool
    final: bool
    before: Way | None

    def path(self) -> list[str]:
        """Return the hexes entered, in order."""
        hexes, way = [], self
        while way.before is not None:
            hexes.append(way.at)
            way = way.before
        return hexes[::-1]


class Terms(NamedTuple):
    """What a goal says of ways: hexes that nobody enters, and the threat met by entering one."""

    avoid: Container[str] = ()
    threat: Mapping[str, int] = {}


def ways(
    prices: Prices,
    position: PanzerPosition,
    unit: PanzerUnit,
    terms: Terms,
    *,
    to: str | None = None,
) -> dict[str, list[Way]]:
    """
    Return the ways to each hex that no other way there beats in points and in exposure.

    Parameters
    ----------
    position, unit
        Who moves from where; all others stay where they are.
    to
        The one hex asked for; all hexes in reach if left out.
    """
    assert unit.at is not None
    start = Way(unit.at, unit.spent, 0, unit.entered, unit.final, None)
    found: dict[str, list[Way]] = {}
    heap = [(start.spent, 0, 0, start)]
    count, moves = 0, not unit.final and prices.may_move(position, unit)
    costs = prices.costs_of(position, unit)
    while heap:
        spent, exposure, _, way = heapq.heappop(heap)
        known = found.setdefault(way.at, [])
        if any(w.exposure <= exposure and w.final is way.final for w in known):
            continue
        known.append(way)
        if way.final or not moves or (way.at == to and not terms.threat):
            continue
        for there, kind in prices.ways_from(way.at):
            if there in terms.avoid:
                continue
            paid = costs.step(way.at, there, kind, spent, entered=way.entered)
            if paid is None:
                continue
            count += 1
            met = exposure + terms.threat.get(there, 0)
            on = Way(there, spent + paid[0], met, True, paid[1], way)
            heapq.heappush(heap, (on.spent, met, count, on))
    return found if to is None else {to: found.get(to, [])}
