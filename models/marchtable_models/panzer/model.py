"""The units, factions and conditions of the PanzerBlitz rulebook."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from marchtable.state.position import Conditions, Half, LocationName, Position, Unit, UnitId

__all__ = [
    "PHASES", "Column", "Costs", "Faction", "Game", "PanzerConditions", "PanzerUnit", "Registered", "TerrainRow", "UnitType",
]  # fmt: skip

PHASES = ("Fire", "Movement", "Assault")

Count = Annotated[int, msgspec.Meta(ge=0, le=99)]
Points = Annotated[float, msgspec.Meta(ge=0, le=99, multiple_of=0.5)]
Column = Literal["infantry", "vehicle", "truck", "wagon", "cavalry"]
"""The columns of the terrain effects chart."""
Game = Literal["panzerblitz", "panzer-leader"]
"""The published games that apply where the restatement is silent."""


class UnitType(
    msgspec.Struct, frozen=True, kw_only=True, cache_hash=True, forbid_unknown_fields=True
):
    """
    What is printed on a counter.

    Parameters
    ----------
    name
        Its name in unit records.
    class_
        Its class (``class`` in files): C a carrier, C(I) an armed one, else its weapon or none.
    kind
        Its kind.
    faction
        Its faction.
    column
        Its column of the terrain effects chart.
    mf
        Movement factor.
    defence
        Defence factor, if known.
    armoured, self_propelled
        For a vehicle: whether it is armoured, and whether it is self-propelled artillery.
    source, assumed
        The sources of the figures, and the fields not read off a counter.
    """

    name: str
    class_: Literal["C", "C(I)", "A", "H", "(H)", "M", "I", "-"] = msgspec.field(name="class")
    kind: Literal[
        "vehicle", "infantry", "engineers", "cavalry", "gun", "mortar", "observer", "command"
    ]
    faction: str
    column: Column
    mf: Count = 0
    defence: Count | None = None
    armoured: bool = False
    self_propelled: bool = False
    source: str = ""
    assumed: tuple[str, ...] = ()

    @property
    def is_vehicle(self) -> bool:
        """Whether it is a vehicle."""
        return self.kind == "vehicle"


class Faction(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """
    A nation's stacking limits and doctrine.

    Parameters
    ----------
    name
        Its name in unit types.
    stacking, leader_stacking
        Units to a hex, by PanzerBlitz and by Panzer Leader.
    rides
        The games in which infantry and engineers can ride on its armoured vehicles.
    source
        The source.
    """

    name: str
    stacking: Count
    leader_stacking: Count
    rides: tuple[Game, ...] = ()
    source: str = ""


class Costs(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Points by column of the chart; None if there are none."""

    infantry: Points | None = None
    vehicle: Points | None = None
    truck: Points | None = None
    wagon: Points | None = None
    cavalry: Points | None = None

    def of(self, column: Column) -> int | None:
        """Return a column's cell, in half points."""
        cell: float | None = getattr(self, column)
        return None if cell is None else int(cell * 2)


class TerrainRow(Costs, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """
    A row of the terrain effects chart: entry costs; a column left out is by road only.

    Parameters
    ----------
    id, title
        Its name.
    names
        Its name on maps.
    leave
        Extra cost of leaving, except by road.
    ringed
        Whether units that enter by road only also leave across its hexsides by road only.
    concealing
        Whether it conceals the units in it.
    source, assumed
        The sources of the figures, and the columns not read in a rulebook.
    """

    id: str
    title: str
    names: tuple[str, ...]
    leave: Costs = Costs()
    ringed: bool = False
    concealing: bool = False
    source: str = ""
    assumed: tuple[str, ...] = ()


class Registered(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hexes for which a side has registered its indirect fire in advance."""

    side: str
    at: tuple[LocationName, ...]


class PanzerUnit(Unit, frozen=True, kw_only=True):
    """
    A unit.

    Parameters
    ----------
    type
        Name of its unit type.
    value
        Its value as stated by its owner, for advice on losses.
    aboard
        The transport that carries it.
    height
        Its place in the stack: higher numbers are above lower ones.
    dispersed
        Its marker.
    exposed
        Whether it can be spotted in concealing terrain: it entered some as a vehicle, or fired.
    spent, entered, final, onward
        Points spent in this phase, whether it has entered a hex, whether that was the one hex a
        unit can always enter, and whether it has entered a second.
    task
        Its task as a transport in this phase.
    before
        Whether it had moved before it unloaded.
    came
        Whether it entered its hex with a passenger in this phase.
    moved, carried
        Whether it has moved in this turn, and with a passenger.
    handled, fired
        Whether it was loaded or unloaded, and whether it fired: in this phase or earlier in this
        turn.
    observed, lookout
        Whether it has observed for indirect fire in this turn, and whether its passenger has.
    by_road, overran, crushed, stormed
        Whether it has moved at the road rate in this phase and overrun a hex in it, and whether its
        hex has been overrun or close-assaulted in this turn.
    left
        The transport that unloaded it in this phase.
    thrown
        The transport that a DD threw it off, until the phase ends.
    shelled
        Whether the enemy fires at it in its hex, as registered in advance.
    entering
        If it waits off the map: the edge hexes where it can enter.
    """

    type: str
    value: Count = 0
    aboard: UnitId | None = None
    height: int = 0
    dispersed: Literal["", "D", "DD"] = ""
    exposed: bool = False
    spent: Half = 0
    entered: bool = False
    final: bool = False
    onward: bool = False
    task: Literal["", "load", "unload"] = ""
    before: bool = False
    came: bool = False
    moved: bool = False
    carried: bool = False
    handled: Literal["", "now", "earlier"] = ""
    fired: Literal["", "now", "earlier"] = ""
    observed: bool = False
    lookout: bool = False
    by_road: bool = False
    overran: bool = False
    crushed: bool = False
    stormed: bool = False
    left: UnitId | None = None
    thrown: UnitId | None = None
    shelled: bool = False
    entering: tuple[LocationName, ...] = ()

    @property
    def carrier(self) -> str | None:
        """What carries it, or tows it."""
        return self.aboard


class PanzerConditions(Conditions, frozen=True, kw_only=True):
    """
    Conditions of the whole map.

    Parameters
    ----------
    types, factions, terrain
        Unit types, factions and chart rows that add to, or replace, those of the rulebook.
    optional
        Optional rules in play.
    registered
        Hexes for which sides have registered indirect fire.
    first_side
        The side that moves first in each turn; the turn counter goes up as its turn begins.
    """

    types: tuple[UnitType, ...] = ()
    factions: tuple[Faction, ...] = ()
    terrain: tuple[TerrainRow, ...] = ()
    optional: tuple[Literal["concealed-movement", "revealed-movement", "heavy-equipment"], ...] = ()
    registered: tuple[Registered, ...] = ()
    first_side: str = ""


PanzerPosition = Position[PanzerUnit, PanzerConditions]
