"""Where one unit can get to, at what price in points and exposure, and by which path."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from marchtable_models.panzer.cpsat.prices import Costs, Prices
    from marchtable_models.panzer.extraction.reading import PanzerPosition
    from marchtable_models.panzer.model import PanzerUnit

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
        The threat met on it by each unit that goes it.
    entered, onward, final
        Whether it has entered a hex, a second one, and whether the first was the one hex that a
        unit may always enter.
    before
        The way without its last step; None where it begins.
    """

    at: str
    spent: int
    exposure: int
    entered: bool
    onward: bool
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

    Returns
    -------
    dict
        By hex, those reached for fewer points first; a way of a single step that takes all that a
        unit has, since it may always enter one hex, is told beside dearer ones after which it has
        some left, and a way of more steps beside a dearer one of one step: unloading may ask.
    """
    assert unit.at is not None
    start = Way(unit.at, unit.spent, 0, unit.entered, unit.onward, unit.final, None)
    if not prices.may_move(position, unit):
        return {unit.at: [start]} if to in (None, unit.at) else {}
    found = _searched(prices, prices.costs_of(position, unit), start, terms, to)
    return found if to is None else {to: found[to]} if to in found else {}


def _searched(
    prices: Prices, costs: Costs, start: Way, terms: Terms, to: str | None
) -> dict[str, list[Way]]:
    """Return the ways to each hex, up to the one asked for."""
    found: dict[str, list[Way]] = {}
    threat, avoid = terms.threat, terms.avoid
    step, plain, crowds = costs.step, costs.plain, costs.crowds
    waiting: dict[tuple[str, bool, bool, int], int] = {}  # points of the cheapest in the heap
    next_to = {there for there, _ in prices.ways_from(start.at)}
    heap, count = [(start.spent, 0, 0, start)], 0
    while heap:
        spent, exposure, _, way = heapq.heappop(heap)
        others = found.setdefault(way.at, [])
        if _is_beaten(way, others):
            continue
        others.append(way)
        if way.at == to and not threat and (to not in next_to or not (way.final or way.onward)):
            break
        entered = way.entered
        for there, kind in prices.ways_from(way.at):
            met = exposure + threat[there] if there in threat else exposure
            if there in avoid or there == start.at:
                continue
            paying = (kind, spent, entered)
            if there in crowds or way.at in crowds or paying not in plain:
                paid = step(way.at, there, kind, spent, entered=entered)
            else:
                paid = plain[paying]
            if paid is None:
                continue
            on, key = spent + paid[0], (there, entered, paid[1], met)
            if waiting.get(key, on + 1) > on:
                waiting[key] = on
                count += 1
                heapq.heappush(
                    heap, (on, met, count, Way(there, on, met, True, entered, paid[1], way))
                )
    return found


def _is_beaten(way: Way, others: Sequence[Way]) -> bool:
    """Return whether one of the others, none of which costs more points, is as good in all respects."""
    return any(
        other.exposure <= way.exposure
        and (way.final or not other.final)
        and (way.onward or not other.onward)
        for other in others
    )
