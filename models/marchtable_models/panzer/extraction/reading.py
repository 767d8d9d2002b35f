"""Reads the facts of units, stacks and steps off a position; here facts are made, nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from marchtable.state.position import Position
from marchtable_models.panzer.data import factions, hexside_rows, rows, unit_types
from marchtable_models.panzer.extraction.ground import coming_on, lie, terrain_of
from marchtable_models.panzer.facts.steps import (
    Allowance,
    Burden,
    Leaving,
    Limits,
    Loading,
    Mobile,
    Overrunning,
    Pairing,
    Payment,
    Sequence,
    Stack,
    Step,
    There,
    Unloading,
)  # fmt: skip
from marchtable_models.panzer.model import PHASES, PanzerConditions, PanzerUnit

if TYPE_CHECKING:
    from collections.abc import Sequence as Names

    from marchtable.rules.clause import Finding
    from marchtable.rules.edition import Edition
    from marchtable.state.action import Phase
    from marchtable_models.panzer.model import Faction, TerrainRow, UnitType

PanzerPosition = Position[PanzerUnit, PanzerConditions]

__all__ = [
    "CARRIERS", "NOBODY", "PanzerPosition", "allotment", "burden", "faction_of", "hexside_named", "is_late", "is_mined", "is_transportable", "loading", "mobile", "on_foot", "others", "overrunning",
    "pairing", "passengers", "payment", "row_named", "sequence", "stack", "step", "stopped", "thrown_pairs", "type_of",
    "unloading", "watched",
]  # fmt: skip

NOBODY = There()
CARRIERS = ("C", "C(I)")
COUNTED = ("wreck", "fort", "block", "mines")
"""Counters whose number matters, not only that they are there."""


# -- who is who ------------------------------------------------------------------------------------


def type_of(position: PanzerPosition, unit: PanzerUnit) -> UnitType:
    """Return what is printed on the unit's counter; the scene's own come before the samples."""
    for kind in position.conditions.types:
        if kind.name == unit.type:
            return kind
    return unit_types()[unit.type]


def faction_of(position: PanzerPosition, unit: PanzerUnit) -> Faction:
    """Return the unit's faction; the scene's own come before those of the rulebook."""
    name = type_of(position, unit).faction
    for faction in position.conditions.factions:
        if faction.name == name:
            return faction
    return factions()[name]


def row_named(conditions: PanzerConditions, name: str) -> tuple[TerrainRow | None, bool]:
    """Return the chart's row for a terrain, and whether it is the scene's own."""
    for row in conditions.terrain:
        if name in row.names:
            return row, True
    return rows().get(name), False


def hexside_named(conditions: PanzerConditions, name: str) -> TerrainRow | None:
    """Return the row for what lies on a hexside: the scene's own, or that of the chart."""
    own = next((row for row in conditions.terrain if name in row.names), None)
    return own or hexside_rows().get(name)


def passengers(position: PanzerPosition, unit: PanzerUnit) -> tuple[PanzerUnit, ...]:
    """Return the units that a unit carries."""
    return tuple([other for other in position.units if other.aboard == unit.id])


def is_transportable(kind: UnitType) -> bool:
    """Return whether such a unit could be carried by some transport."""
    return not kind.is_vehicle and kind.kind != "cavalry"


def others(position: PanzerPosition, side: str, at: str, leave_out: PanzerUnit | None) -> There:
    """Return who stands in a hex, a unit with its passengers left out."""
    found = position.occupants.get(at, ())
    marks, registered = position.markers.get(at, ()), is_registered(position, side, at)
    if not found and not marks and not registered:
        return NOBODY
    own = [u for u in found if u.side == side]
    if leave_out is not None:
        own = [u for u in own if leave_out.id not in (u.id, u.aboard)]
    return There(
        units=len(own),
        carried=sum(u.aboard is not None for u in own),
        enemy=any(u.side != side for u in found),
        markers=tuple(sorted(set(marks) - {*COUNTED})),
        wrecks=marks.count("wreck"),
        forts=marks.count("fort"),
        blocks=marks.count("block"),
        mines="mines" in marks,
        registered=registered,
        limits=tuple(sorted({_limits(position, u) for u in own})),
    )


def watched(position: PanzerPosition) -> frozenset[tuple[str, str]]:
    """Return the hexes with registered fire of sides that have observed in this turn, each with the side."""
    if not position.conditions.registered:
        return frozenset()
    if "watched" not in position.notes:
        sides = {u.side for u in position.units if u.observed and u.at and not u.dispersed}
        position.notes["watched"] = frozenset(
            (entry.side, position.board.resolve(name))
            for entry in position.conditions.registered
            for name in entry.at
            if entry.side in sides
        )
    found: frozenset[tuple[str, str]] = position.notes["watched"]
    return found


def is_registered(position: PanzerPosition, side: str, at: str) -> bool:
    """Return whether enemies of a side have registered fire on a hex, and observe."""
    return any(name == at and other != side for other, name in watched(position))


# -- moving ----------------------------------------------------------------------------------------


def mobile(position: PanzerPosition, unit: PanzerUnit) -> Mobile:
    """Return whether a unit may move at all."""
    cargo = passengers(position, unit)
    return Mobile(
        own_phase=_own_phase(position, unit),
        on_map=unit.at is not None,
        has_mf=type_of(position, unit).mf > 0,
        dispersed=unit.dispersed != "",
        aboard=unit.aboard is not None,
        handled=unit.handled,
        task=unit.task,
        before=unit.before,
        loaded=bool(cargo),
        observed=unit.lookout,
        fired=unit.fired != "",
        optional=position.conditions.optional,
        overran=unit.overran,
        waits=unit.at is None and bool(unit.entering),
        stopped=stopped(position, unit),
        late=is_late(position, unit),
    )


def is_late(position: PanzerPosition, unit: PanzerUnit) -> bool:
    """Return whether a vehicle moves once units of its side have moved on foot in this phase."""
    return type_of(position, unit).is_vehicle and any(
        other.side == unit.side
        and other.entered
        and other.aboard is None
        and on_foot(position, other)
        for other in position.units
    )


def on_foot(position: PanzerPosition, unit: PanzerUnit) -> bool:
    """Return whether a unit is neither a vehicle nor mounted."""
    kind = type_of(position, unit).kind
    return kind not in ("vehicle", "cavalry")


def stopped(position: PanzerPosition, unit: PanzerUnit) -> Literal["", "mines", "block", "fort"]:
    """Return what in its hex stops a unit that has entered it in this phase."""
    if unit.at is None or not unit.entered or unit.at not in position.markers:
        return ""
    return others(position, unit.side, unit.at, unit).stops


def is_mined(position: PanzerPosition, unit: PanzerUnit) -> bool:
    """Return whether a unit has come into mines in this turn."""
    return unit.moved and "mines" in position.markers.get(unit.at or "", ())


def _own_phase(position: PanzerPosition, unit: PanzerUnit) -> bool:
    return position.phase == "Movement" and unit.side == position.side


def step(
    position: PanzerPosition,
    unit: PanzerUnit,
    to: str,
    *,
    overruns: bool = False,
    concealed: bool = False,
    beyond: bool = False,
) -> Step:
    """Return the facts of a unit's step into a hex; who overruns goes by no road."""
    on = unit.at is not None
    crossing = lie(position.board, str(unit.at), to) if on else coming_on(position.board, to)
    there = others(position, unit.side, to, unit)
    told = to in map(position.board.resolve, unit.entering)
    kind, conditions = type_of(position, unit), position.conditions
    row, added = row_named(conditions, crossing.there)
    side = hexside_named(conditions, crossing.hexside)
    unknown = [] if row else [crossing.there or "no terrain"]
    if crossing.hexside and side is None:
        unknown.append(crossing.hexside)
    road = crossing.road and not overruns
    clear, slope = row_named(conditions, "Open Ground")[0], row_named(conditions, "Slope")[0]
    assert clear is not None
    assert slope is not None
    return Step(
        column=kind.column,
        adjacent=crossing.adjacent,
        road=road,
        rise=crossing.rise,
        row=row,
        left=row_named(conditions, crossing.here)[0],
        clear=clear,
        slope=slope,
        hexside=side,
        uncharted="" if road else ", ".join(unknown),
        added=added,
        others=there,
        vehicle=kind.is_vehicle,
        overruns=overruns,
        concealed=concealed,
        optional=conditions.optional,
        late=unit.entered and there.blocks > 0,
        comes_on="" if on else "told" if told else "strange",
        beyond=beyond,
    )


def overrunning(
    position: PanzerPosition, unit: PanzerUnit, to: str, names: Names[str]
) -> Overrunning:
    """Return the facts of a vehicle about to drive through a hex with enemies, with others."""
    enemies = [u for u in position.occupants.get(to, ()) if u.side != unit.side]
    away = position.board.beyond(str(unit.at), to)
    row = row_named(position.conditions, terrain_of(position.board[to]))[0]
    return Overrunning(
        armoured=type_of(position, unit).armoured,
        by_road=unit.by_road,
        targets=len(enemies),
        crushed=any(u.crushed for u in enemies),
        clear=row is not None and row is row_named(position.conditions, "Open Ground")[0],
        beyond=away is not None,
        free=away is not None and not others(position, unit.side, away, unit).enemy,
        fired=unit.fired != "",
        twice=names.count(unit.id) > 1,
        stops=others(position, unit.side, to, unit).stops,
    )


def allotment(position: PanzerPosition, unit: PanzerUnit, edition: Edition) -> int:
    """Return what a unit has to move by, in half points."""
    return edition.judge(Allowance(type_of(position, unit).mf * 2, unit.task)).total


def payment(
    position: PanzerPosition,
    unit: PanzerUnit,
    found: Finding,
    facts: Step | Leaving,
    edition: Edition,
) -> Payment:
    """Return the facts of paying for a step, or for leaving the map."""
    step = facts if isinstance(facts, Step) else None
    return Payment(
        mf=type_of(position, unit).mf * 2,
        cost=found.total,
        spent=unit.spent,
        allotment=allotment(position, unit, edition),
        entered=unit.entered,
        task=unit.task,
        overruns=step is not None and step.overruns,
        concealed=step is not None and step.concealed,
    )


# -- loading and unloading -------------------------------------------------------------------------


def loading(position: PanzerPosition, unit: PanzerUnit, passenger: PanzerUnit) -> Loading:
    """Return the facts of a transport loading a unit."""
    return Loading(
        own_phase=_own_phase(position, unit),
        lone=unit is passenger,
        together=unit.at is not None and unit.at == passenger.at,
        same_side=unit.side == passenger.side,
        task=unit.task,
        entered=unit.entered,
        spent=unit.spent,
        mf=type_of(position, unit).mf * 2,
        aboard=passenger.aboard is not None or unit.aboard is not None,
        carried=unit.carried and unit.entered,
        passenger_moved=passenger.entered,
        passenger_fired=passenger.fired,
        passenger_unloaded=passenger.left is not None,
        dispersed=unit.dispersed != "" or passenger.dispersed != "",
        optional=position.conditions.optional,
    )


def unloading(position: PanzerPosition, unit: PanzerUnit, passenger: PanzerUnit) -> Unloading:
    """Return the facts of a transport unloading a unit."""
    return Unloading(
        own_phase=_own_phase(position, unit),
        aboard=passenger.aboard == unit.id and unit.at is not None,
        task=unit.task,
        spent=unit.spent,
        entered=unit.entered,
        onward=unit.onward,
        before=unit.before,
        mf=type_of(position, unit).mf * 2,
        dispersed=unit.dispersed != "" or passenger.dispersed != "",
        optional=position.conditions.optional,
    )


def burden(position: PanzerPosition, unit: PanzerUnit, more: int = 0) -> Burden:
    """Return how many units a transport carries, or would with some more."""
    return Burden(len(passengers(position, unit)) + more)


def pairing(position: PanzerPosition, unit: PanzerUnit, passenger: PanzerUnit) -> Pairing:
    """Return who would carry whom."""
    return Pairing(
        type_of(position, unit), type_of(position, passenger), faction_of(position, unit).rides
    )


def stack(
    position: PanzerPosition,
    unit: PanzerUnit,
    why: Literal["load", "unload", "enter", "end"],
    *,
    at: str | None = None,
) -> Stack:
    """Return a hex's units of a unit's side: as they stand, or as that action would leave them."""
    place = at or unit.at or ""
    if why == "enter":
        found = others(position, unit.side, place, unit)
        there = (*found.limits, _limits(position, unit))
        return Stack(
            why, found.units + 1, found.carried, tuple(sorted(set(there))), wrecks=found.wrecks, forts=found.forts,
            blocks=found.blocks,
        )  # fmt: skip
    found = others(position, unit.side, place, None)
    limits = found.limits or (_limits(position, unit),)
    carried = found.carried - (1 if why == "unload" else 0)
    fresh = any(u.left is not None for u in position.occupants.get(place, ()))
    return Stack(
        why, found.units, max(0, carried), limits, fresh and why == "end", found.markers, found.wrecks,
        found.forts, found.blocks,
    )  # fmt: skip


def _limits(position: PanzerPosition, unit: PanzerUnit) -> Limits:
    faction = faction_of(position, unit)
    return Limits(faction.stacking, faction.leader_stacking)


def sequence(position: PanzerPosition, event: Phase) -> Sequence:
    """Return how the phase that begins lies to the one that ends."""
    sides = {position.side, position.conditions.first_side, *(u.side for u in position.units)}
    return Sequence(
        same_side=(event.side or position.side) == position.side,
        later=PHASES.index(event.phase) > PHASES.index(position.phase),
        known=not event.side or event.side in sides,
    )


# -- losses ----------------------------------------------------------------------------------------


def thrown_pairs(position: PanzerPosition) -> list[tuple[PanzerUnit, PanzerUnit]]:
    """Return each transport with the unit that a DD threw off it, both still in one hex."""
    found = []
    for unit in position.units:
        if unit.thrown is not None and unit.at is not None and unit.thrown in position.index:
            carrier = position.unit(unit.thrown)
            if carrier.at == unit.at:
                found.append((carrier, unit))
    return found
