"""Reads off a position the facts of transport."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable_models.asl.clauses.chart import row_named
from marchtable_models.asl.clauses.passengers import is_russian
from marchtable_models.asl.data import count
from marchtable_models.asl.facts.aboard import Plunge, Slew
from marchtable_models.asl.facts.transport import (
    Alight,
    Boarding,
    Disembark,
    Embark,
    Forsaken,
    Hitch,
    Hold,
)
from marchtable_models.asl.spines import SPINES
from marchtable_models.asl.survey import purse
from marchtable_models.asl.survey import reading as survey
from marchtable_models.asl.survey.overlay import site

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from marchtable.edition import Edition
    from marchtable.position import Position
    from marchtable_models.asl.facts.ground import Ground
    from marchtable_models.asl.model import AslConditions, AslUnit, SupportWeapon

    AslPosition = Position[AslUnit, AslConditions]

__all__ = [
    "alight",
    "board",
    "carried_by",
    "conveyance",
    "disembark",
    "embark",
    "everybody",
    "forsaken",
    "hauled",
    "hitch",
    "hold",
    "is_in_bypass",
    "is_medium_mortar",
    "is_own_mph",
    "plunge",
    "prc",
    "removed",
    "slew",
]  # fmt: skip


def prc(position: AslPosition, vehicle: AslUnit) -> list[AslUnit]:
    """Return the Passengers and Riders of a vehicle, its inherent crew apart."""
    return [unit for unit in everybody(position, vehicle) if not unit.inherent]


def everybody(position: AslPosition, vehicle: AslUnit) -> list[AslUnit]:
    """Return who is aboard a vehicle: they are where it is in the position."""
    name = vehicle.id
    return [unit for unit in position.beside(position.unit(name).at) if unit.aboard == name]


def carried_by(position: AslPosition, vehicle: AslUnit) -> list[AslUnit]:
    """Return all that goes where a vehicle goes: its PRC, and the Gun it tows."""
    name = vehicle.id
    beside = position.beside(position.unit(name).at)
    return [unit for unit in beside if name in (unit.aboard, unit.towed_by)]


def conveyance(position: AslPosition, unit: AslUnit) -> AslUnit:
    """Return the vehicle that a unit is aboard, or the unit itself."""
    return unit if unit.aboard is None else position.unit(unit.aboard)


def _pp(weapons: Sequence[SupportWeapon]) -> int:
    return sum(weapon.pp for weapon in weapons)


def is_medium_mortar(weapon: SupportWeapon) -> bool:
    """Tell whether a SW is a mortar that can be dismantled, and then counts by its ammo."""
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
    kind = survey.type_of(position, vehicle)
    all_ = everybody(position, vehicle)
    aboard = [unit for unit in all_ if not unit.inherent]
    joining = [unit for unit in joining if unit not in aboard]
    inside = [unit for unit in aboard if not unit.riding] + ([] if riding else [*joining])
    outside = [unit for unit in aboard if unit.riding] + ([*joining] if riding else [])
    towed = gun or (position.unit(vehicle.towing) if vehicle.towing else None)
    piece = survey.type_of(position, towed) if towed else None
    crew = [unit for unit in all_ if unit.inherent]  # what it has lies inside, too
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
        passengers=survey.party(position, inside).crowd,
        riders=survey.party(position, outside).crowd,
        passenger_sw=_pp(weapons),
        rider_sw=sum(_pp(unit.sw) for unit in outside),
        stowed=_pp(vehicle.sw),
        mortars=tuple(w.pp for w in (*weapons, *vehicle.sw) if w.dm and is_medium_mortar(w)),
        unfit=any(unit.pinned or unit.broken for unit in outside),
        gun_mm=piece.mm if piece else 0,
        m_number=piece.m_number if piece else None,
        convoy=vehicle.convoyed or (vehicle.convoy and ("gun" if vehicle.towing else "empty")),
        yoke=piece is not None and kind.class_ == "wagon" and _has_another(position, vehicle),
    )


def _has_another(position: AslPosition, wagon: AslUnit) -> bool:
    """Tell whether another wagon of its side in a wagon's Location tows nothing."""
    return any(
        other.id != wagon.id
        and other.side == wagon.side
        and other.towing is None
        and survey.type_of(position, other).class_ == "wagon"
        for other in position.occupants.get(wagon.at or "", ())
    )


def forsaken(
    position: AslPosition, vehicle: AslUnit, going: Collection[str], sw: Sequence[SupportWeapon]
) -> Forsaken | None:
    """Return the facts of an AFV that keeps no SW without PRC, if its last PRC go from it."""
    kind = survey.type_of(position, vehicle)
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
) -> Boarding:
    """Return the facts of a unit boarding a vehicle, with these units, or as it hooks up a Gun."""
    kind = survey.type_of(position, onto)
    return Boarding(
        phase=position.phase,
        foot=survey.type_of(position, unit).is_infantry,
        aboard=unit.aboard is not None,
        carrier=kind.is_vehicle and kind.class_ != "motorcycle" and onto.side == unit.side,
        together=onto.at == unit.at,
        double_time=unit.double > 0,
        helped=unit.helper is None or unit.helper in ids,
        assault=unit.assault,
        shown=unit.concealed and not all(u.concealed for u in (onto, *map(position.unit, ids))),
        hooks=hooks,
    )


def embark(
    position: AslPosition,
    vehicle: AslUnit,
    boarders: Sequence[tuple[int, int]],
    edition: Edition,
    units: Sequence[AslUnit] = (),
) -> Embark:
    """Return the facts of a vehicle being boarded by units that have spent and left so much."""
    earlier = ((vehicle.boarder_spent, vehicle.boarder_left),) if vehicle.boarder_spent else ()
    return Embark(
        moving=vehicle.moving,
        stunned=vehicle.stunned,
        allotment=purse.allotment(position, vehicle, edition),
        spent=vehicle.spent,
        lost=vehicle.lost,
        earlier=earlier,
        boarders=tuple(boarders),
        shown=vehicle.concealed and not all(unit.concealed for unit in units),
    )


def disembark(
    position: AslPosition, vehicle: AslUnit, units: Sequence[AslUnit], edition: Edition
) -> Disembark:
    """Return the facts of a vehicle being left by a stack."""
    around = survey.there(position, vehicle.side, vehicle.at or "")
    return Disembark(
        one_vehicle=len({unit.aboard for unit in units}) == 1 and units[0].aboard is not None,
        distinct=len({unit.id for unit in units}) == len(units),
        moving=vehicle.moving,
        stunned=vehicle.stunned,
        prep_fired=vehicle.prep_fired or survey.is_blind(position, vehicle),
        mp=survey.type_of(position, vehicle).mp * 2,
        spent=vehicle.spent,
        lost=vehicle.lost,
        left=purse.allotment(position, vehicle, edition) - vehicle.spent,
        enemies=around.known or around.concealed or around.harmless,
    )


def alight(position: AslPosition, unit: AslUnit, vehicle: AslUnit) -> Alight:
    """Return the facts of a unit leaving its vehicle; a blind AFV may have spent a Stop (E1.52)."""
    kind, blind = survey.type_of(position, vehicle), survey.is_blind(position, vehicle)
    return Alight(
        phase=position.phase,
        spent=unit.spent,
        mp=kind.mp * 2,
        used=vehicle.used if blind else vehicle.spent,
        prep_fired=vehicle.prep_fired or blind,
        immobile=vehicle.immobile or vehicle.bogged,
        fired=unit.fired,
        pinned=unit.pinned,
        vehicle_fired=vehicle.fired,
        soft=not (unit.riding or kind.afv),
        crew=("carrier" if kind.carrier else "other") if unit.inherent else "",
        bypass=vehicle.bypass is not None,
        bogs=vehicle.bogged and vehicle.mph == "done" and _has_driven(vehicle),
        lost=0 if blind else vehicle.lost,
    )


def _has_driven(vehicle: AslUnit) -> bool:
    """Tell whether a vehicle whose MPh is over has entered something in it, or turned."""
    return vehicle.previous is not None or vehicle.used > 0


def hitch(
    position: AslPosition,
    verb: str,
    vehicle: AslUnit,
    gun: AslUnit | None,
    crew: AslUnit,
    edition: Edition,
) -> Hitch:
    """Return the facts of a Gun being hooked up or unhooked."""
    kind = survey.type_of(position, crew)
    piece = survey.type_of(position, gun) if gun else None
    near = (crew.at, crew.side) == (vehicle.at, vehicle.side)
    idle = crew.ti or crew.mph == "done"
    return Hitch(
        verb=verb,
        mp=survey.type_of(position, vehicle).mp * 2,
        moving=vehicle.moving,
        stunned=vehicle.stunned,
        gun=_is_own_gun(position, vehicle, gun),
        towed=gun is not None and gun.towed_by is not None,
        fired=tuple(_fired(position, verb, vehicle, gun, crew)),
        inherent=crew.inherent,
        five=kind.class_ == "smc" and near and _has_five(position, crew),
        towing=vehicle.towing is not None,
        circled=piece is not None and piece.circled,
        ready=bool(piece and gun and (piece.qsu or gun.limbered)),
        crew=near
        and kind.class_ in ("crew", "half-squad", "squad")
        and crew.aboard in (None, vehicle.id),
        fit=not (crew.pinned or crew.broken or idle),
        aboard=crew.aboard is not None,
        crew_mf=purse.allotment(position, crew, edition),
        crew_spent=crew.spent,
        without_esb=purse.allotment(position, vehicle, edition) - vehicle.spent - vehicle.esb
        if vehicle.esb
        else None,
    )


def _fired(
    position: AslPosition, verb: str, vehicle: AslUnit, gun: AslUnit | None, crew: AslUnit
) -> Iterator[str]:
    """Yield who has fired of those who take part in hooking up or unhooking."""
    for part, unit in (("gun", gun), ("crew", crew), ("vehicle", vehicle)):
        if unit is not None and (unit.fired or unit.prep_fired):
            yield part
    if verb == "hook" and any(unit.fired for unit in prc(position, vehicle)):
        yield "prc"


def _has_five(position: AslPosition, smc: AslUnit) -> bool:
    """Tell whether so many SMC of a side are in a Location that they count as a half squad."""
    around = [
        unit
        for unit in position.beside(smc.at)
        if unit.side == smc.side and survey.type_of(position, unit).class_ == "smc"
    ]
    return len(around) >= count("A5.5", "smc_for_one")


def _is_own_gun(position: AslPosition, vehicle: AslUnit, gun: AslUnit | None) -> bool:
    return (
        gun is not None
        and survey.type_of(position, gun).class_ == "gun"
        and (gun.side, gun.at) == (vehicle.side, vehicle.at)
    )


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
    enemies = survey.there(position, rider.side, at)
    afoot = msgspec.structs.replace(rider, aboard=None, riding=False, conveyed=True)
    return Plunge(
        here=ground.here if ground else "",
        entered=ground.rows if ground else (),
        hexside=ground.hurdle if ground else "",
        road=ground is not None and ground.road,
        in_stream=ground is not None and ground.from_depression and ground.into_depression,
        at=at,
        by=by,
        rider=rider.aboard is not None and rider.riding,
        broken=rider.broken,
        morale=survey.type_of(position, rider).morale,
        own=rider.side == position.side,
        enemies=enemies.known or enemies.concealed or enemies.harmless,
        mf=purse.allotment(position, afoot, edition),
        bypass=is_in_bypass(position, rider),
        own_mph=is_own_mph(position, rider),
    )


def is_own_mph(position: AslPosition, unit: AslUnit) -> bool:
    """Tell whether it is the MPh of a unit's side."""
    return position.phase == "MPh" and unit.side == position.side


def is_in_bypass(position: AslPosition, rider: AslUnit) -> bool:
    """Tell whether a unit is aboard a vehicle in Bypass."""
    return rider.aboard is not None and position.unit(rider.aboard).bypass is not None


def slew(position: AslPosition, vehicle: AslUnit, facing: str) -> Slew:
    """Return the facts of a turret that is to point along a hexspine."""
    kind, at = survey.type_of(position, vehicle), vehicle.at or ""
    ahead = SPINES.index(vehicle.facing) if vehicle.facing else 0
    steps = (SPINES.index(facing) - ahead) % len(SPINES)
    own = is_own_mph(position, vehicle)
    rows = site(position, at).ground.rows if at else ()
    return Slew(
        afv=kind.afv,
        turret=kind.turret,
        steps=steps,
        same=steps == vehicle.turret,
        idle=vehicle.stunned or vehicle.shocked or vehicle.abandoned,
        hard=own and any(row_named(row).hard_turn for row in rows),
    )


def hauled(
    position: AslPosition, members: Sequence[AslUnit], changed: Sequence[AslUnit]
) -> list[AslUnit]:
    """Return what vehicles that enter a Location, or leave the map, carry there."""
    gone = {
        before.id: after
        for before, after in zip(members, changed, strict=True)
        if before.at != after.at and _may_carry(position, before)
    }
    return [
        msgspec.structs.replace(
            unit, at=after.at, exited=after.exited, mph="done" if after.exited else unit.mph
        )
        for name, after in gone.items()
        for unit in carried_by(position, position.unit(name))
    ]


def _may_carry(position: AslPosition, unit: AslUnit) -> bool:
    return unit.facing is not None or survey.type_of(position, unit).mounts > 0


def removed(position: AslPosition, unit: AslUnit) -> list[AslUnit]:
    """Return a unit that is no vehicle as eliminated, and the vehicle that towed it without it."""
    replace = msgspec.structs.replace
    sw = () if unit.aboard is not None else unit.sw  # see D6.4k
    found = [replace(unit, at=None, mph="done", aboard=None, riding=False, towed_by=None, sw=sw)]
    if unit.towed_by is not None:
        found.append(replace(position.unit(unit.towed_by), towing=None))
    return found
