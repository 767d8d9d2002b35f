"""Occupants of a hex, as a unit of one side finds it."""

from __future__ import annotations

from typing import Literal

from marchtable.rules.facts import Facts
from marchtable_models.panzer.model import PanzerPosition, PanzerUnit
from marchtable_models.panzer.views.units import faction_of

COUNTED = ("wreck", "fort", "block", "mines")
"""Counters whose number matters."""
Work = Literal["", "mines", "block", "fort"]


class Limits(Facts, frozen=True, order=True):
    """A faction's stacking limits, by PanzerBlitz and by Panzer Leader."""

    panzerblitz: int
    leader: int


class Presence(Facts, frozen=True):
    """
    The units in a hex besides the mover: own units, carried ones, enemies; own units' limits.

    ``wrecks``, ``forts`` and ``blocks`` are counted; ``mines`` is a flag; all others are
    ``markers``. ``registered``: an enemy has registered fire on the hex, and observes.
    """

    units: int = 0
    carried: int = 0
    enemy: bool = False
    markers: tuple[str, ...] = ()
    limits: tuple[Limits, ...] = ()
    wrecks: int = 0
    forts: int = 0
    blocks: int = 0
    mines: bool = False
    registered: bool = False

    @property
    def stops(self) -> Work:
        """The first thing there that stops an entering unit."""
        if self.mines:
            return "mines"
        if self.blocks:
            return "block"
        return "fort" if self.forts and self.enemy else ""


NOBODY = Presence()


def presence(
    position: PanzerPosition, side: str, at: str, leave_out: PanzerUnit | None
) -> Presence:
    """Return the occupants of a hex, without ``leave_out`` and its passengers."""
    found = position.occupants.get(at, ())
    marks, registered = position.markers.get(at, ()), _is_registered(position, side, at)
    if not found and not marks and not registered:
        return NOBODY
    own = [u for u in found if u.side == side]
    if leave_out is not None:
        own = [u for u in own if leave_out.id not in (u.id, u.aboard)]
    return Presence(
        units=len(own),
        carried=sum(u.aboard is not None for u in own),
        enemy=any(u.side != side for u in found),
        markers=tuple(sorted(set(marks) - {*COUNTED})),
        wrecks=marks.count("wreck"),
        forts=marks.count("fort"),
        blocks=marks.count("block"),
        mines="mines" in marks,
        registered=registered,
        limits=tuple(sorted({limits_of(position, u) for u in own})),
    )


def limits_of(position: PanzerPosition, unit: PanzerUnit) -> Limits:
    """Return the stacking limits of a unit's faction."""
    faction = faction_of(position, unit)
    return Limits(faction.stacking, faction.leader_stacking)


def registered_hexes(position: PanzerPosition) -> frozenset[tuple[str, str]]:
    """Return (side, hex) for each hex with registered fire whose side has observed in this turn."""
    if not position.conditions.registered:
        return frozenset()
    if "registered" not in position.notes:
        sides = {u.side for u in position.units if u.observed and u.at and not u.dispersed}
        position.notes["registered"] = frozenset(
            (entry.side, position.board.resolve(name))
            for entry in position.conditions.registered
            for name in entry.at
            if entry.side in sides
        )
    found: frozenset[tuple[str, str]] = position.notes["registered"]
    return found


def _is_registered(position: PanzerPosition, side: str, at: str) -> bool:
    return any(name == at and other != side for other, name in registered_hexes(position))


def work_at(position: PanzerPosition, unit: PanzerUnit) -> Work:
    """Return the reason why a unit must stop in its hex after it has entered in this phase."""
    if unit.at is None or not unit.entered or unit.at not in position.markers:
        return ""
    return presence(position, unit.side, unit.at, unit).stops


def is_mined(position: PanzerPosition, unit: PanzerUnit) -> bool:
    """Return whether a unit has entered mines in this turn."""
    return unit.moved and "mines" in position.markers.get(unit.at or "", ())
