"""Reads off a position the facts of what units do beside moving: declarations, SW, night, phases."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable_models.asl.clauses.terrain.chart import is_out_of_season, row_named
from marchtable_models.asl.counterkinds import WIRE, is_track
from marchtable_models.asl.extraction.ground import lie
from marchtable_models.asl.extraction.guidance import is_unguided
from marchtable_models.asl.extraction.lines import kind_of, members
from marchtable_models.asl.extraction.lookout import is_computed, sees_enemy
from marchtable_models.asl.extraction.movers import form_of, party, riders_of
from marchtable_models.asl.extraction.overlay import site
from marchtable_models.asl.extraction.reading import NOWHERE, there, type_of
from marchtable_models.asl.extraction.routing import captors_of, excess, flees, is_cornered, lingers
from marchtable_models.asl.extraction.standings import strays_with
from marchtable_models.asl.extraction.unitkinds import nationality_of
from marchtable_models.asl.facts.foot import Handling, Moment, SettingOut, Shelter
from marchtable_models.asl.facts.ground import FORDED, STREAMS
from marchtable_models.asl.facts.units import Declaration, PhaseStart
from marchtable_models.asl.levels import hand_to_hand, level_of
from marchtable_models.asl.verbs.foot import Transfer
from marchtable_models.asl.weapons import (
    BICYCLE,
    SKIS,
    lying,
    named,
    owner_of,
    was_carried,
    within_reach,
)
from marchtable_models.asl.weapons import kind_of as kind_of_weapon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit, SupportWeapon, UnitType
    from marchtable_models.asl.verbs.foot import Drop, Recover

    AslPosition = Position[AslUnit, AslConditions]

__all__ = [
    "dark", "declaration", "handling", "lies_open", "loses", "moment", "phase_start", "setting_out", "shelter",
]  # fmt: skip

BENEATH = "beneath"
BY_STEALTH = ("lax", "normal", "stealthy")


def dark(position: AslPosition) -> bool:
    """Return whether it is night and nothing can be seen: a NVR of 0."""
    return position.conditions.night and not position.conditions.nvr


def declaration(
    position: AslPosition, unit: AslUnit, verb: str, to: AslUnit | None = None
) -> Declaration:
    """Return the facts of a declaration of Double Time, or of lending IPC to a unit."""
    kind = type_of(position, unit)
    other = unit if to is None else to
    return Declaration(
        verb=verb,
        foot=kind.is_infantry,
        smc=kind.class_ == "smc",
        fresh=unit.move.mph == "unmoved" or (verb == "lend" and _has_just_left(unit)),
        cx=unit.status.cx,
        was_cx=unit.status.was_cx,
        wounded=unit.status.wounded,
        doubled=unit.points.double > 0,
        own_pp=sum(weapon.pp for weapon in unit.sw),
        to_foot=type_of(position, other).is_infantry
        and other.side == unit.side
        and not other.crew.inherent,
        together=(other.at, other.cargo.aboard, level_of(position, other), _has_just_left(other))
        == (unit.at, unit.cargo.aboard, level_of(position, unit), _has_just_left(unit)),
        to_fresh=other.move.mph == "unmoved" or _has_just_left(other),
        to_self=other.id == unit.id,
        to_fit=not other.status.broken and not other.status.pinned,
        assault=unit.move.assault,
        entered=unit.move.previous is not None or unit.move.mph == "done",
        dark=dark(position),
        lent=unit.move.lends is not None or other.move.helper is not None,
        conveyed=unit.cargo.conveyed or unit.cargo.aboard is not None,
        horse=kind.class_ == "cavalry",
        wagon=kind.mp * 2 if kind.class_ == "wagon" else 0,
        in_bypass=unit.place.bypass is not None,
        gear=unit.status.gear,
        unridden=kind.mounts > 0 and not riders_of(position, unit),
        mounted=_rides_horses(position, unit),
        to_line="" if to is None else kind_of(to),
        here=ground_row_at(position, unit.at) if kind.class_ == "cavalry" and unit.at else "",
    )


def shelter(
    position: AslPosition, unit: AslUnit, units: Sequence[AslUnit], to: str, *, wire: bool
) -> Shelter:
    """Return the facts of Infantry going beneath a Fortification, or out of it, with these units."""
    ids, at = tuple(one.id for one in units), unit.at or ""
    others = there(position, unit.side, at, ids)
    boxed = "pillbox" in others.counters
    within = there(position, unit.side, at, ids, "pillbox") if boxed else NOWHERE
    return Shelter(
        to=to,
        wire=wire,
        foot=type_of(position, unit).is_infantry and unit.cargo.aboard is None,
        in_bypass=unit.place.bypass is not None,
        double=unit.points.double > 0,
        inside=unit.place.inside,
        counters_here=others.counters,
        group=party(position, units).crowd,
        sheltered=within.crowd if boxed else others.beneath,
        enemies=others.known or others.concealed or within.known or within.concealed,
        advancing=position.phase == "APh",
        walled=unit.place.wall_advantage,
    )


def _rides_horses(position: AslPosition, unit: AslUnit) -> bool:
    return (
        unit.cargo.aboard is not None
        and type_of(position, position.unit(unit.cargo.aboard)).class_ == "cavalry"
    )


def _has_just_left(unit: AslUnit) -> bool:
    """Return whether a unit's last act was to leave a vehicle that it was aboard of all MPh."""
    return (
        unit.cargo.act in ("unloads", "alights")
        and unit.move.mph == "moving"
        and unit.move.previous is None
    )


def _is_trapped(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a unit is a broken Passenger of a vehicle whose inherent crew is gone."""
    if not unit.status.broken or unit.cargo.aboard is None or unit.cargo.riding:
        return False
    vehicle = position.unit(unit.cargo.aboard)
    return vehicle.crew.abandoned and type_of(position, vehicle).armed


def phase_start(
    position: AslPosition, unit: AslUnit, phase: str, side: str, *, new_turn: bool
) -> PhaseStart:
    """Return the facts of a unit as a phase of that side's Player Turn begins."""
    over = phase == "APh" and unit.status.broken
    return PhaseStart(
        phase=phase,
        own=unit.side == side,
        new_turn=new_turn,
        cx=unit.status.cx,
        was_cx=unit.status.was_cx,
        pinned=unit.status.pinned,
        prep_fired=unit.status.prep_fired,
        ti=unit.status.ti,
        hatched=unit.crew.hatched,
        dispensed=unit.crew.dispensed,
        tried_motion=unit.motion.tried_motion,
        hazardous=bool(unit.move.hazardous),
        trapped=_is_trapped(position, unit),
        in_bypass=unit.place.bypass is not None and unit.facing is None,
        stunned=unit.crew.stunned,
        melee=unit.status.melee,
        dm=unit.status.dm,
        cornered=over and is_cornered(position, unit),
        lingers=over and lingers(position, unit),
        lingers_unsure=over and is_computed(position) and lingers(position, unit, stated=False),
        captors=captors_of(position, unit) if over else (),
        nation=nationality_of(unit),
        night=unit.status.broken and position.conditions.night,
        waits=unit.at is None and not unit.offboard.exited and kind_of(unit) != "",
        on_cliff=unit.place.inside == "cliff",
    )


def _is_fit(unit: AslUnit) -> bool:
    return not (unit.status.broken or unit.status.pinned or unit.cargo.guard is not None)


def handling(
    position: AslPosition, unit: AslUnit, verb: str, action: Drop | Recover | Transfer
) -> Handling:
    """Return the facts of a SW being dropped, recovered or handed on."""
    kind = type_of(position, unit)
    recovers, aboard = verb == "recover", unit.cargo.aboard is not None
    weapon = named(within_reach(position, unit) if recovers else unit.sw, action.weapon)
    lies_in = _stowing(position, unit, action.weapon) if recovers and not weapon else []
    lies = recovers and aboard and not weapon and named(lying(position, unit.at), action.weapon)
    own = recovers and aboard and weapon is not None and not unit.cargo.riding
    nowhere = recovers and weapon is None and not lies and not lies_in
    owner = owner_of(position, unit, action.weapon) if nowhere else None
    over, spare = excess(position, unit, weapon) if weapon and verb == "drop" else (False, False)
    facts = Handling(
        verb=verb,
        phase=position.phase,
        own_turn=unit.side == position.side,
        foot=(kind.is_infantry if verb == "recover" else kind.is_personnel)  # A13.33
        and unit.at is not None,
        smc=kind.class_ == "smc",
        cx=unit.status.cx,
        fit=_is_fit(unit),
        broken=unit.status.broken,
        has=weapon is not None or owner is not None or bool(lies or lies_in),
        carried=weapon.pp if weapon and not weapon.portaged and was_carried(unit, weapon) else 0,
        owned=owner is not None,
        gun=nowhere and _is_gun_here(position, unit, action.weapon),
        portaged=unit.points.portaged,
        tried=unit.move.tried,
        weapon=action.weapon,
        armed_enemy=unit.at is not None
        and there(position, unit.side, unit.at, level=level_of(position, unit)).known,
        night=position.conditions.night,
        line=kind_of(unit),
        drowns=not aboard and loses(position, unit),
        on_cliff=unit.place.inside == "cliff",
        aboard=aboard,
        in_vehicle=aboard and not type_of(position, position.unit(str(unit.cargo.aboard))).mounts,
        in_motion=_is_in_motion(position, unit),
        riding=unit.cargo.riding,
        stowed=bool(lies_in) or own,
        passenger=own,
        wired=not aboard and WIRE in position.markers.get(unit.at or "", ()),
        gear=_gear(weapon),
        in_use=not recovers and _gear(weapon) != "" and _gear(weapon) == unit.status.gear,
        flees=verb == "drop" and flees(position, unit),
        excess=over,
        spare=spare,
    )
    return _handed(position, facts, unit, action) if isinstance(action, Transfer) else facts


def _gear(weapon: SupportWeapon | None) -> str:
    """Return whether an item is skis or a bicycle."""
    kind = "" if weapon is None else kind_of_weapon(weapon)
    return kind if kind in (SKIS, BICYCLE) else ""


def _is_gun_here(position: AslPosition, unit: AslUnit, name: str) -> bool:
    """Return whether that is the name of a Gun that stands in a unit's Location."""
    return any(
        other.id == name and type_of(position, other).class_ == "gun"
        for other in position.occupants.get(unit.at or "", ())
    )


def ground_row_at(position: AslPosition, at: str) -> str:
    """Return the chart row of a Location, streams being as deep as the conditions say."""
    ground, depth = site(position, at).ground, position.conditions.stream
    row = ground.here
    if row == "ford":
        return FORDED.get(depth or ground.ford, row)
    return f"stream-{depth}" if depth and row in STREAMS else row


def loses(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether SW that a unit leaves where it is are lost: on a cliff they are, too (B11.43)."""
    if unit.at is None or unit.place.inside == "cliff":
        return unit.at is not None
    return row_named(ground_row_at(position, unit.at)).drowns


def _stowing(position: AslPosition, unit: AslUnit, weapon: str) -> list[str]:
    """Return the vehicles of a unit's Location in which such a SW lies without an owner."""
    return [
        other.id
        for other in position.occupants.get(unit.at or "", ())
        if other.facing is not None and named(other.sw, weapon) is not None
    ]


def _is_in_motion(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether the vehicle that a unit is aboard, if any, is in motion."""
    return unit.cargo.aboard is not None and position.unit(unit.cargo.aboard).motion.moving


def _handed(position: AslPosition, facts: Handling, unit: AslUnit, action: Transfer) -> Handling:
    other = position.unit(action.to)
    kind = type_of(position, other)
    return msgspec.structs.replace(
        facts,
        to_fit=_is_fit(other),
        to_foot=kind.is_personnel and other.side == unit.side and other is not unit,
        to_smc=kind.class_ == "smc",
        to_busy=bool(other.move.tried),
        to_line=kind_of(other),
        together=hand_to_hand(position, unit, other),
        divided=facts.wired
        and other.cargo.aboard is None
        and (unit.place.inside == BENEATH) != (other.place.inside == BENEATH),
        to_aboard=other.cargo.aboard is not None,
        same_vehicle=unit.cargo.aboard is not None and unit.cargo.aboard == other.cargo.aboard,
        in_motion=facts.in_motion or _is_in_motion(position, other),
        begun=any(u.points.final == "advance" and u.side == position.side for u in position.units),
    )


def setting_out(position: AslPosition, unit: AslUnit, stack: Sequence[AslUnit]) -> SettingOut:
    """Return the facts of a unit setting out at night with a stack."""
    kinds = [_stealth(type_of(position, member)) for member in stack]
    alone, sees = is_unguided(position, unit.at), sees_enemy(position, unit)
    return SettingOut(
        night=position.conditions.night,
        exempt=not alone or sees == "yes",
        unsure=alone and sees == "unsure",
        fresh=unit.night.guide is None,
        line=kind_of(unit) if _follows(position, unit) else "",
        first=stack[0].id,
        is_first=unit is stack[0],
        stealth=max(BY_STEALTH, key=kinds.count),  # of equals the first, which is the worse
    )


def _follows(position: AslPosition, unit: AslUnit) -> bool:
    line = members(position, unit)
    return bool(line) and strays_with(unit, line[0], type_of(position, unit))


def _stealth(kind: UnitType) -> str:
    return kind.stealth if kind.is_personnel else BY_STEALTH[0]


def lies_open(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether neither terrain nor SMOKE shields a unit where it counts as being."""
    at = unit.at or ""
    if there(position, unit.side, at).smoke:
        return False
    here = site(position, at)
    if unit.place.cafp == "at" or unit.place.bypass is not None:  # beside the obstacle, not in it
        return _is_bare(position, here.beside or here.ground.here)
    came = (
        unit.move.previous is not None
        and position.board.hexside(unit.move.previous, at) is not None
    )
    by_road = came and lie(position.board, str(unit.move.previous), at).ground.road
    by_road = by_road and not unit.place.off_road
    return by_road or _is_bare(position, here.ground.here)


def _is_bare(position: AslPosition, name: str) -> bool:
    """Return whether such terrain has neither TEM nor a Hindrance at this time of the year."""
    row = row_named(name)
    return row.bare or is_out_of_season(row, position.conditions.month)


def moment(position: AslPosition, unit: AslUnit) -> Moment:
    """Return the facts of what a unit is entitled to at this moment."""
    going = position.phase == "MPh" and unit.side == position.side
    return Moment(
        kind=form_of(type_of(position, unit)),
        moved=going and unit.points.spent > 0 and unit.cargo.aboard is None,
        assault=unit.move.assault,
        hazardous=unit.move.hazardous,
        pinned=unit.status.pinned,
        in_open=lies_open(position, unit),
        sheltered=any(
            not is_track(kind) for kind in there(position, unit.side, unit.at or "").counters
        ),
        convoy=unit.line.convoy != "",
        column=unit.line.column != "",
        concealed=unit.concealment.concealed,
        escorted=_is_escorted(position, unit),
        dashing=unit.move.dash is not None and unit.move.previous is not None,
        in_motion=unit.motion.moving,
        entered=position.phase == "MPh" and unit.move.previous is not None,
    )


def _is_escorted(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether an AFV with which a unit has moved is in its Location."""
    if unit.facing is not None or unit.move.armored in (None, unit.id):
        return False
    return position.unit(str(unit.move.armored)).at == unit.at
