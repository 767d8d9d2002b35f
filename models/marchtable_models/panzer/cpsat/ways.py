"""Where one unit can get to, at what price in points and exposure, and by which path."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from marchtable.planning.dominance import Front
from marchtable.planning.ways import Label, labels

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Mapping

    from marchtable_models.panzer.cpsat.prices import Costs, Prices
    from marchtable_models.panzer.extraction.reading import PanzerPosition
    from marchtable_models.panzer.model import PanzerUnit

__all__ = ["Terms", "entered", "ways"]


class At(NamedTuple):
    """
    Where a way leads.

    Parameters
    ----------
    at
        The hex.
    entered, onward, final
        Whether the unit has entered a hex, a second one, and whether the first was the one hex that a
        unit may always enter.
    """

    at: str
    entered: bool
    onward: bool
    final: bool


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
) -> dict[str, list[Label]]:
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
    start = Label(unit.spent, 0, At(unit.at, unit.entered, unit.onward, unit.final))
    if not prices.may_move(position, unit):
        return {unit.at: [start]} if to in (None, unit.at) else {}
    found: dict[str, list[Label]] = {}
    kept, near = Front(), dict(prices.ways_from(unit.at))
    for way in labels([start], _steps(prices, prices.costs_of(position, unit), start, terms)):
        at, _, onward, final = way.node
        if kept.takes(at, way.exposure, onward, final):
            found.setdefault(at, []).append(way)
            if at == to and not terms.threat and (to not in near or not (onward or final)):
                break
    return found if to is None else {to: found[to]} if to in found else {}


def entered(way: Label) -> list[str]:
    """Return the hexes entered on a way, in order."""
    return [one.node.at for one in way.path()[1:]]


def _steps(
    prices: Prices, costs: Costs, start: Label, terms: Terms
) -> Callable[[Label], Iterator[tuple[int, int, At, None]]]:
    """Return what gives the steps of a unit that begins so, and what they cost it."""
    threat, avoid, home = terms.threat, terms.avoid, start.node.at
    step, plain, crowds = costs.step, costs.plain, costs.crowds

    def steps(way: Label) -> Iterator[tuple[int, int, At, None]]:
        spent, exposure, (at, moved, _, _) = way[:3]
        is_plain = at not in crowds
        for there, kind in prices.ways_from(at):
            if there in avoid or there == home:
                continue
            paying = (kind, spent, moved)
            if is_plain and there not in crowds and paying in plain:
                paid = plain[paying]
            else:
                paid = step(at, there, kind, spent, entered=moved)
            if paid is not None:
                met = exposure + threat.get(there, 0)
                yield spent + paid[0], met, At(there, True, moved, paid[1]), None

    return steps
