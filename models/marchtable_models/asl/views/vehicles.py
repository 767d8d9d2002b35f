"""Facts of acts that only vehicles perform, read off a position."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable_models.asl.data import vehicle_tables
from marchtable_models.asl.model import SPINES, AslUnit
from marchtable_models.asl.views.edge import OFF_BOARD, outer_sides
from marchtable_models.asl.views.ground_facts import AFLOAT
from marchtable_models.asl.views.movers import mover, pivoted
from marchtable_models.asl.views.overlay import counters_at, site
from marchtable_models.asl.views.reading import ground_at, there, type_of
from marchtable_models.asl.views.unitkinds import is_under_way
from marchtable_models.asl.views.vehicle_facts import (
    Arrival,
    Departure,
    StartStop,
    Swing,
    Wait,
)  # fmt: skip
from marchtable_models.asl.views.weather import weather_of

if TYPE_CHECKING:
    from marchtable_models.asl.model import AslPosition
    from marchtable_models.asl.verbs import Delay


def swing(position: AslPosition, unit: AslUnit, facing: int) -> Swing:
    """Return the facts of a VCA change."""
    spot = OFF_BOARD if unit.at is None else site(position, unit.at)
    now = SPINES.index(unit.facing) if unit.facing else 0
    clockwise = (facing - now) % len(SPINES)
    steps = min(clockwise, len(SPINES) - clockwise)
    # hexside i + 1 is between spines i and i + 1
    passed = facing if clockwise == 1 else now
    ground = ground_at(spot, unit)
    ahead = (facing, (facing + 1) % len(SPINES))
    return Swing(
        ground,
        mover(position, unit),
        steps,
        unit.place.off_road,
        steps == 1 and passed % len(SPINES) in spot.roads,
        is_under_way(unit),
        counters_at(position, unit.at or ""),
        unit.motion.reverse,
        unit.place.bypass is not None,
        pivoted(unit),
        galloping=unit.points.double > 0,
        keeps_road=ground.here != "bridge" or any(side in spot.roads for side in ahead),
        weather=weather_of(position.conditions),
        coming=is_under_way(unit) and not unit.motion.moving,
    )


def start_stop(
    position: AslPosition, unit: AslUnit, verb: str, *, reverse: bool = False
) -> StartStop:
    """Return the facts of a Start (perhaps in Reverse) or Stop."""
    beside = there(position, unit.side, unit.at or "")
    kind = type_of(position, unit)
    return StartStop(
        verb,
        kind.is_vehicle,
        is_under_way(unit),
        unit.points.final,
        beside.enemy_afv,
        unit.line.halted,
        wagon=kind.class_ == "wagon",
        mover=mover(position, unit),
        reverse=reverse,
        pivoted=pivoted(unit),
        convoy=unit.line.convoy != "",
        from_convoy=unit.line.convoy == "" and unit.line.origin != "",
        afloat=afloat(position, unit),
    )


def afloat(position: AslPosition, unit: AslUnit) -> str:
    """Return the row of the water or marsh an amphibious vehicle is in, else ``""``."""
    if unit.at is None or not type_of(position, unit).amphibious:
        return ""
    row = site(position, unit.at).ground.here
    return row if row in AFLOAT else ""


def wait(position: AslPosition, unit: AslUnit, action: Delay, allotment: int = 0) -> Wait:
    """Return the facts of a Delay; `allotment`, in half MP, is needed to push a wreck."""
    kind = type_of(position, unit)
    plain = Wait(
        is_vehicle=kind.is_vehicle,
        moving=is_under_way(unit),
        mp=action.mp,
        platoon=unit.line.platoon != "" and not unit.line.convoy,
    )
    if action.wreck is None:
        return plain
    wreck = position.unit(action.wreck)
    tracked = kind.afv and kind.column in vehicle_tables().tracked.columns
    theirs = type_of(position, wreck)
    return msgspec.structs.replace(
        plain,
        pushes=True,
        fit=tracked and theirs.class_ == "wreck" and wreck.at == unit.at and unit.at is not None,
        tons=kind.tons,
        wreck_tons=theirs.tons,
        allotment=allotment,
        wreck=wreck.id,
    )


def over_edge(position: AslPosition, unit: AslUnit, to: str | None) -> Arrival | Departure | None:
    """Return the facts of entering the map by a hex, or leaving; None if nothing states how."""
    board = position.board
    if to is None:
        return Departure(unit.at is not None and bool(outer_sides(board, unit.at)))
    if unit.offboard.exited or not unit.offboard.entering:
        return None
    listed = to in [board.resolve(name) for name in unit.offboard.entering]
    return Arrival(bool(outer_sides(board, to)), listed)
