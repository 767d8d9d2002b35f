"""Who takes part in a plan: the units that may be used, and what stands still whatever is done."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, cast

import msgspec

from marchtable_models.panzer.model import PanzerUnit
from marchtable_models.panzer.rules.loading import Load, Unload
from marchtable_models.panzer.views.presence import presence
from marchtable_models.panzer.views.units import CARRIERS, faction_of, passengers, type_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from marchtable.planning.choice.options import Spot
    from marchtable_models.panzer.cpsat.prices import Prices
    from marchtable_models.panzer.views.presence import Presence
    from marchtable_models.panzer.views.units import PanzerPosition

__all__ = ["Participants"]

replace = msgspec.structs.replace
Sort = tuple[tuple[int, int], bool]
"""A faction's limits by PanzerBlitz and by Panzer Leader, and whether a unit is carried."""


class Participants:
    """
    The units of a plan.

    Parameters
    ----------
    position
        Where the game stands.
    movers
        The units that may be used.
    prices
        Asks the rulebook.

    Attributes
    ----------
    loads
        Whom each transport could load, if it were in the other's hex.
    fixed
        The units that cannot but stay as they are.
    bare
        The position without all others.
    """

    def __init__(self, position: PanzerPosition, movers: Sequence[str], prices: Prices) -> None:
        self.position, self.prices = position, prices
        units = [position.unit(name) for name in movers]
        self.movers = [unit for unit in units if unit.at is not None]
        self._names = {unit.id for unit in self.movers}
        self.loads = self._loads()
        self.fixed = self._fixed()
        gone = [u for u in position.units if u.id not in self.fixed and u.at is not None]
        self.bare = position.with_units([replace(u, at=None, aboard=None) for u in gone])
        self._crowds: dict[tuple[str, str], Presence] = {}
        self._limits: dict[str, tuple[int, int]] = {}
        self._kinds: dict[tuple[int, int], str] = {}

    @property
    def actors(self) -> list[PanzerUnit]:
        """The units that may do something on their own, or be loaded."""
        return [u for u in self.movers if u.aboard is None and u.id not in self.fixed]

    def uses(self, units: Iterable[PanzerUnit]) -> bool:
        """Return whether all these may be used."""
        return all(unit.id in self._names for unit in units)

    def with_only(self, names: Iterable[str]) -> PanzerPosition:
        """Return the position with these, their cargo and what stands still, and nobody else."""
        kept = set(names)
        return self.bare.with_units(
            [u for u in self.position.units if (u.aboard or u.id) in kept and u.at is not None]
        )

    def sort(self, name: str, aboard: str | None) -> Sort:
        """Return what of a unit matters to others in its hex: its faction's limits, and if it is carried."""
        limits = self._limits.get(name)
        if limits is None:
            faction = faction_of(self.position, self.position.unit(name))
            limits = self._limits[name] = (faction.stacking, faction.leader_stacking)
            self._kinds.setdefault(limits, self.position.unit(name).type)
        return limits, aboard is not None

    def among(self, crowds: Mapping[Spot, int]) -> Participants:
        """Return the same cast with so many units of a sort standing still in some hexes."""
        held = copy(self)
        more: list[PanzerUnit] = []
        for (at, sort), count in crowds.items():
            limits, carried = cast("Sort", sort)
            one = PanzerUnit(id="", side=self.position.side, type=self._kinds[limits], at=at)
            one = replace(one, aboard=f"{at}*" if carried else None)
            more += [replace(one, id=f"{at}*{len(more) + n}") for n in range(count)]
        held.bare = msgspec.structs.replace(self.bare, units=(*self.bare.units, *more))
        held._crowds = {}  # noqa: SLF001 - of its own class
        return held

    def crowd(self, side: str, at: str) -> Presence:
        """Return who stands in a hex whatever is done."""
        key = (side, at)
        if key not in self._crowds:
            self._crowds[key] = presence(self.bare, side, at, None)
        return self._crowds[key]

    def _loads(self) -> dict[str, list[str]]:
        known: dict[object, bool] = {}
        found: dict[str, list[str]] = {}
        waiting = [unit for unit in self.movers if unit.aboard is None]
        for unit in waiting:
            cargo = tuple([_like(u) for u in passengers(self.position, unit)])
            for other in [other for other in waiting if other is not unit]:
                marks = self.position.markers.get(other.at or "", ())
                pair = (_like(unit), _like(other), cargo, marks)
                if pair not in known:
                    known[pair] = self._is_fit(unit, other) and self._could_load(unit, other)
                if known[pair]:
                    found.setdefault(unit.id, []).append(other.id)
        return found

    def _is_fit(self, unit: PanzerUnit, other: PanzerUnit) -> bool:
        """Return whether it might carry the other if clauses that bar that were off: no man a wagon."""
        kind = type_of(self.position, unit)
        carries = kind.is_vehicle or kind.armoured or kind.class_ in CARRIERS
        return carries and not type_of(self.position, other).is_vehicle

    def _could_load(self, unit: PanzerUnit, other: PanzerUnit) -> bool:
        cargo = passengers(self.position, unit)
        alone = self.position.with_units(
            [
                replace(u, at=other.at)
                if u in (unit, other, *cargo)
                else replace(u, at=None, aboard=None)
                for u in self.position.units
            ]
        )
        before = [alone]  # it may set down what it carries, and then load
        for ruling in [self.prices.rule(alone, Unload(unit.id, u.id)) for u in cargo]:
            before += [ruling.after] if ruling.is_legal else []
        return any(self.prices.rule(p, Load(unit.id, other.id)).is_legal for p in before)

    def _fixed(self) -> frozenset[str]:
        loadable = {name for names in self.loads.values() for name in names}
        able: set[str] = set()
        for unit in self.movers:
            cargo = passengers(self.position, unit)
            moves = self.prices.may_move(self.position, unit)
            if moves or unit.id in loadable or unit.id in self.loads or self._frees(unit, cargo):
                able |= {unit.id, *(u.id for u in cargo)}
        return frozenset(u.id for u in self.position.units if u.id not in able)

    def _frees(self, unit: PanzerUnit, cargo: Sequence[PanzerUnit]) -> bool:
        """Return whether it could unload if nobody else were there."""
        gone = [u for u in self.position.units if u is not unit and u not in cargo]
        alone = self.position.with_units([replace(u, at=None, aboard=None) for u in gone])
        return any(self.prices.rule(alone, Unload(unit.id, u.id)).is_legal for u in cargo)


def _like(unit: PanzerUnit) -> PanzerUnit:
    """Return a unit without what loading does not depend on."""
    return replace(unit, id="", at=None, aboard=None, height=0, value=0)
