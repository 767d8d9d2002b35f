"""Where one unit can get to, at what price in points and exposure, and by which path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.planning.dominance import Front
from marchtable.planning.paths import Label, paths
from marchtable_models.panzer.cpsat.prices import Going

if TYPE_CHECKING:
    from marchtable_models.panzer.cpsat.prices import Prices, Terms
    from marchtable_models.panzer.model import PanzerUnit
    from marchtable_models.panzer.views.units import PanzerPosition

__all__ = ["entered", "ways"]


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
    going = Going(prices, position, unit)
    if not prices.may_move(position, unit):
        start = Label(unit.spent, 0, going.starts[0].node)
        return {unit.at: [start]} if to in (None, unit.at) else {}
    found: dict[str, list[Label]] = {}
    kept, near = Front(), dict(prices.near(unit.at))
    for way in paths(going, terms.threat, terms.avoid):
        at, _, onward, final = way.node
        if kept.takes(at, way.exposure, onward, final):
            found.setdefault(at, []).append(way)
            if at == to and not terms.threat and (to not in near or not (onward or final)):
                break
    return found if to is None else {to: found[to]} if to in found else {}


def entered(way: Label) -> list[str]:
    """Return the hexes entered on a way, in order."""
    return [one.node[0] for one in way.path()[1:]]
