"""Who takes part in a plan: the units that may be used, and what stands still whatever is done."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import msgspec

from marchtable_models.panzer.extraction import reading
from marchtable_models.panzer.model import PanzerUnit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from marchtable.planning.choice.options import Spot
    from marchtable_models.panzer.cpsat.prices import Prices
    from marchtable_models.panzer.extraction.reading import PanzerPosition

__all__ = ["Cast", "Sort"]

replace = msgspec.structs.replace
Sort = tuple[tuple[int, int], bool]
"""A faction's limits by PanzerBlitz and by Panzer Leader, and whether a unit is carried."""


class Cast:
    """
    The units of a plan.

    Parameters
    ----------
    position
        Where the game stands.
    names
        The units that may be used.
    prices
        Asks the rulebook.

    Attributes
    ----------
    names
        Those of them that are on the map.
    loads
        By unit the units that it may carry.
    fixed
        The units that do nothing whatever is planned.
    bare
        The position without all others.
    """

    def __init__(self, position: PanzerPosition, names: Sequence[str], prices: Prices) -> None:
        self.position, self.prices = position, prices
        movers = [u for u in map(position.unit, names) if u.at is not None]
        free = [u for u in movers if u.aboard is None]
        self.names = frozenset(u.id for u in movers)
        self.loads = {u.id: [o for o in free if self._carries(u, o)] for u in free}
        carried = {other.id for some in self.loads.values() for other in some}
        able: set[str] = set()
        for unit in movers:
            cargo = {u.id for u in reading.passengers(position, unit)}
            pairs = cargo or self.loads.get(unit.id) or unit.id in carried
            if pairs or prices.may_move(position, unit):
                able |= {unit.id, *cargo}
        self.fixed = frozenset(u.id for u in position.units if u.id not in able)
        self.actors = [u for u in free if u.id in able]
        gone = [u for u in position.units if u.id in able and u.at is not None]
        self.bare = position.with_units([replace(u, at=None, aboard=None) for u in gone])
        self._kinds: dict[tuple[int, int], str] = {}

    def _carries(self, unit: PanzerUnit, other: PanzerUnit) -> bool:
        """Return whether it might carry the other: no man a wagon, whatever clauses are off."""
        kind = reading.type_of(self.position, unit)
        carries = kind.is_vehicle or kind.armoured or kind.class_ in reading.CARRIERS
        is_vehicle = reading.type_of(self.position, other).is_vehicle
        fits = unit is not other and carries and not is_vehicle
        return fits and self.prices.pairs(self.position, unit, other)

    def sort(self, name: str, aboard: str | None) -> Sort:
        """Return what of a unit matters to others in its hex: its faction's limits, and if it is carried."""
        unit = self.position.unit(name)
        faction = reading.faction_of(self.position, unit)
        limits = (faction.stacking, faction.leader_stacking)
        self._kinds.setdefault(limits, unit.type)
        return limits, aboard is not None

    def among(self, crowds: Mapping[Spot, int]) -> PanzerPosition:
        """Return the bare position with so many units of a sort standing still in some hexes."""
        more: list[PanzerUnit] = []
        for (at, sort), count in crowds.items():
            limits, carried = cast("Sort", sort)
            one = PanzerUnit(id="", side=self.position.side, type=self._kinds[limits], at=at)
            one = replace(one, aboard=f"{at}*" if carried else None)
            more += [replace(one, id=f"{at}*{len(more) + n}") for n in range(count)]
        return replace(self.bare, units=(*self.bare.units, *more))
