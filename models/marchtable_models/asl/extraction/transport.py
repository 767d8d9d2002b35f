"""Reads off a position the facts of transport."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.state.records import replace
from marchtable_models.asl.clauses.terrain.chart import row_named
from marchtable_models.asl.clauses.transport.passengers import is_russian
from marchtable_models.asl.corners import SPINES
from marchtable_models.asl.data import count
from marchtable_models.asl.extraction import movers, purse, reading
from marchtable_models.asl.extraction.cargo import carried_by, everybody, prc
from marchtable_models.asl.extraction.overlay import is_on_wire, site
from marchtable_models.asl.facts.aboard import Plunge, Slew
from marchtable_models.asl.facts.ground import WOODS
from marchtable_models.asl.facts.transport import (
    Boarding,
    Embark,
    Forsaken,
    Hold,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from marchtable.rules.edition import Edition
    from marchtable.state.position import Position
    from marchtable_models.asl.facts.ground import Ground
    from marchtable_models.asl.model import AslConditions, AslUnit, SupportWeapon

    AslPosition = Position[AslUnit, AslConditions]

__all__ = [
    "board",
    "embark",
    "forsaken",
    "hold",
    "is_in_bypass",
    "is_medium_mortar",
    "is_off_road_in_woods",
    "is_own_mph",
    "plunge",
    "slew",
]  # fmt: skip


def _pp(weapons: Sequence[SupportWeapon]) -> int:
    return sum(weapon.pp for weapon in weapons)


def is_medium_mortar(weapon: SupportWeapon) -> bool:
    """Return whether a SW is a mortar that can be dismantled, and then counts by its ammo."""
    return count("C10.13", "mortar_from") <= weapon.mm <= count("C10.13", "mortar_to")


def hold(
    position: AslPosition,
    vehicle: AslUnit,
    joining: Sequence[AslUnit] = (),
    *,
    riding: bool = False,
    gun: AslUnit | None = None,
) -> Hold:
    """Return what a vehicle carries, with those about to join it and a Gun about to be towed."""
    kind = reading.type_of(position, vehicle)
    all_ = everybody(position, vehicle)
    aboard = [unit for unit in all_ if not unit.crew.inherent]
    joining = [unit for unit in joining if unit not in aboard]
    inside = [unit for unit in aboard if not unit.cargo.riding] + ([] if riding else [*joining])
    outside = [unit for unit in aboard if unit.cargo.riding] + ([*joining] if riding else [])
    towing = vehicle.cargo.towing if not vehicle.cargo.laden else None
    towed = gun or (position.unit(towing) if towing else None)
    piece = reading.type_of(position, towed) if towed else None
    crew = [unit for unit in all_ if unit.crew.inherent]  # what it has lies inside, too
    weapons = [weapon for unit in (*inside, *crew) for weapon in unit.sw]
    return Hold(
        pp=kind.pp,
        role=kind.role,
        carrier=kind.carrier,
        main=kind.main,
        afv=kind.afv,
        halftrack=kind.column == "ht",
        t_number=kind.t_number,
        year=position.conditions.year,
        nationality=vehicle.nationality or vehicle.side,
        russian=all(is_russian(unit.nationality or unit.side) for unit in outside),
        passengers=movers.party(position, inside).crowd,
        riders=movers.party(position, outside).crowd,
        passenger_sw=_pp(weapons),
        rider_sw=sum(_pp(unit.sw) for unit in outside),
        stowed=_pp(vehicle.sw),
        mortars=tuple(w.pp for w in (*weapons, *vehicle.sw) if w.dm and is_medium_mortar(w)),
        unfit=any(unit.status.pinned or unit.status.broken for unit in outside),
        gun_mm=piece.mm if piece else 0,
        m_number=piece.m_number if piece else None,
        convoy=vehicle.line.convoyed
        or (vehicle.line.convoy and ("gun" if vehicle.cargo.towing else "empty")),
        laden=vehicle.cargo.laden,
        yoked=vehicle.cargo.yoked,
    )


def forsaken(
    position: AslPosition, vehicle: AslUnit, going: Collection[str], sw: Sequence[SupportWeapon]
) -> Forsaken | None:
    """Return the facts of an AFV that keeps no SW without PRC, if its last PRC go from it."""
    kind = reading.type_of(position, vehicle)
    if not sw or not kind.afv or kind.carrier or kind.column == "ht":
        return None
    left = [unit for unit in prc(position, vehicle) if unit.id not in going]
    return None if left else Forsaken()


def board(
    position: AslPosition,
    unit: AslUnit,
    onto: AslUnit,
    ids: Sequence[str],
    *,
    hooks: bool = False,
    riding: bool = False,
) -> Boarding:
    """Return the facts of a unit boarding a vehicle, with these units, or as it hooks up a Gun."""
    kind = reading.type_of(position, onto)
    return Boarding(
        phase=position.phase,
        foot=reading.type_of(position, unit).is_infantry,
        aboard=unit.cargo.aboard is not None,
        carrier=kind.is_vehicle and kind.class_ != "motorcycle" and onto.side == unit.side,
        together=onto.at == unit.at,
        double_time=unit.points.double > 0,
        helped=unit.move.helper is None or unit.move.helper in ids,
        assault=unit.move.assault,
        shown=unit.concealment.concealed
        and not all(u.concealment.concealed for u in (onto, *map(position.unit, ids))),
        hooks=hooks,
        wired=is_on_wire(position, unit),
        in_woods=riding and kind.afv and is_off_road_in_woods(position, onto),
        gun=("portee" if onto.cargo.portee else "hook")
        if reading.type_of(position, unit).class_ == "gun"
        else "",
    )


def is_off_road_in_woods(position: AslPosition, vehicle: AslUnit) -> bool:
    """Return whether a vehicle is in woods, neither on a road, nor IN a stream, nor in Bypass."""
    if vehicle.at is None or vehicle.place.bypass is not None:
        return False
    ground = site(position, vehicle.at).ground
    on_road = ground.road_here and not vehicle.place.off_road
    return not on_road and any(row in WOODS for row in ground.rows)


def embark(
    position: AslPosition,
    vehicle: AslUnit,
    boarders: Sequence[tuple[int, int]],
    edition: Edition,
    units: Sequence[AslUnit] = (),
) -> Embark:
    """Return the facts of a vehicle being boarded by units that have spent and left so much."""
    earlier = (
        ((vehicle.points.boarder_spent, vehicle.points.boarder_left),)
        if vehicle.points.boarder_spent
        else ()
    )
    return Embark(
        moving=vehicle.motion.moving,
        stunned=vehicle.crew.stunned,
        allotment=purse.allotment(position, vehicle, edition),
        spent=vehicle.points.spent,
        lost=vehicle.points.lost,
        earlier=earlier,
        boarders=tuple(boarders),
        shown=vehicle.concealment.concealed
        and not all(unit.concealment.concealed for unit in units),
        hulk=is_hulk(position, vehicle),
    )


def is_hulk(position: AslPosition, vehicle: AslUnit) -> bool:
    """Return whether a vehicle that is nothing without what it carries is immobilized and empty."""
    kind = reading.type_of(position, vehicle)
    if not vehicle.motion.immobile or kind.afv or kind.armed:
        return False
    return not (vehicle.sw or vehicle.cargo.towing or carried_by(position, vehicle))


def plunge(
    position: AslPosition,
    rider: AslUnit,
    edition: Edition,
    by: str = "",
    ground: Ground | None = None,
) -> Plunge:
    """Return the facts of a Rider who is struck, or whose AFV goes by such ground."""
    at = rider.at or ""
    if ground is None and at:
        ground = site(position, at).ground
    enemies = reading.there(position, rider.side, at)
    afoot = replace(rider, aboard=None, riding=False, conveyed=True)
    return Plunge(
        here=ground.here if ground else "",
        entered=ground.rows if ground else (),
        hexside=ground.hurdle if ground else "",
        road=ground is not None and (ground.road or ground.door),
        in_stream=ground is not None and ground.from_depression and ground.into_depression,
        at=at,
        by=by,
        rider=rider.cargo.aboard is not None and rider.cargo.riding,
        broken=rider.status.broken,
        morale=reading.type_of(position, rider).morale,
        own=rider.side == position.side,
        enemies=enemies.known or enemies.concealed or enemies.harmless,
        mf=purse.allotment(position, afoot, edition),
        bypass=is_in_bypass(position, rider),
        own_mph=is_own_mph(position, rider),
    )


def is_own_mph(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether it is the MPh of a unit's side."""
    return position.phase == "MPh" and unit.side == position.side


def is_in_bypass(position: AslPosition, rider: AslUnit) -> bool:
    """Return whether a unit is aboard a vehicle in Bypass."""
    return (
        rider.cargo.aboard is not None
        and position.unit(rider.cargo.aboard).place.bypass is not None
    )


def slew(position: AslPosition, vehicle: AslUnit, facing: str) -> Slew:
    """Return the facts of a turret that is to point along a hexspine."""
    kind, at = reading.type_of(position, vehicle), vehicle.at or ""
    ahead = SPINES.index(vehicle.facing) if vehicle.facing else 0
    steps = (SPINES.index(facing) - ahead) % len(SPINES)
    own = is_own_mph(position, vehicle)
    rows = site(position, at).ground.rows if at else ()
    return Slew(
        afv=kind.afv,
        turret=kind.turret,
        steps=steps,
        same=steps == vehicle.motion.turret,
        idle=vehicle.crew.stunned or vehicle.crew.shocked or vehicle.crew.abandoned,
        hard=own and any(row_named(row).hard_turn for row in rows),
        unspent=own and vehicle.points.spent == 0,
    )
