"""
Reads off a position the facts of steps, of Locations, and of who stands there.

The modules of this folder make clauses' facts; nowhere else are they made.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from marchtable_models.asl.corners import is_pivoted
from marchtable_models.asl.data import count
from marchtable_models.asl.facts.steps import Companion, Crowd, Entry, Jump, Manner, Mover, There
from marchtable_models.asl.facts.units import Standing
from marchtable_models.asl.model import (
    SPINES,
    AslConditions,
    AslUnit,
    Enter,
    MinimumMove,
    UnitType,
)  # fmt: skip
from marchtable_models.asl.survey.edge import coming_on, going_off, ways
from marchtable_models.asl.survey.guidance import is_unguided
from marchtable_models.asl.survey.lines import (
    kind_of,
    members,
    nerve_of,
    origin_of,
)
from marchtable_models.asl.survey.overlay import counters_at, crossing
from marchtable_models.asl.survey.precedence import (
    waits_for_convoy,
    waits_for_front,
    waits_for_leaver,
)  # fmt: skip
from marchtable_models.asl.survey.unitkinds import nationality_of, sees_enemy, type_of
from marchtable_models.asl.verbs.vehicles import Exit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.position import Position
    from marchtable_models.asl.facts.ground import Ground, Lie
    from marchtable_models.asl.verbs.foot import Advance

    AslPosition = Position[AslUnit, AslConditions]

__all__ = [
    "corner", "entry", "form_of", "ground_at", "ground_from", "is_blind", "is_due", "jump", "mover",
    "party", "pivoted", "riders_of", "standing", "strays_with", "there", "type_of",
]  # fmt: skip

TRACKLESS = ("tr", "ac", "mc")
CREW = ("stunned", "shocked", "abandoned", "recalled")
NOWHERE = There()
NOBODY = Crowd()
USUAL = Manner()


def riders_of(position: AslPosition, unit: AslUnit) -> list[AslUnit]:
    """Return the units that ride a counter of horses or motorcycles."""
    if not type_of(position, unit).mounts:
        return []
    return [other for other in position.units if other.aboard == unit.id]


def _sizes(position: AslPosition, unit: AslUnit, kind: UnitType) -> list[UnitType]:
    """Return the types that count for stacking: those of who rides, or the unit's own (D15.3)."""
    if not kind.mounts:
        return [kind]
    return [type_of(position, rider) for rider in riders_of(position, unit)]


def mover(position: AslPosition, unit: AslUnit) -> Mover:
    """Return who moves."""
    kind = type_of(position, unit)
    if kind.mounts and not kind.is_vehicle:
        smc = all(other.class_ == "smc" for other in _sizes(position, unit, kind))
        return Mover(kind.column, smc=smc)
    return _mover(kind, bu=unit.bu, towing=_tows(position, unit))


def _tows(position: AslPosition, unit: AslUnit) -> bool:
    """Tell whether a vehicle is hampered by what it tows; a medium mortar does not (C10.1)."""
    if unit.towing is None:
        return False
    gun = type_of(position, position.unit(unit.towing))
    least, most = count("C10.1", "mortar_from"), count("C10.1", "mortar_to")
    return not (gun.main == "mortar" and least <= gun.mm <= most)


@cache
def _mover(kind: UnitType, *, bu: bool, towing: bool) -> Mover:
    if not kind.is_vehicle:
        return Mover(kind.column, smc=kind.size == "smc")
    return Mover(
        column=kind.column,
        mp=kind.mp * 2,
        afv=kind.afv,
        bu=bu,
        open_topped=kind.open_topped,
        truck_type=kind.truck_type,
        ground_pressure=kind.ground_pressure,
        tons=kind.tons,
        armed=kind.armed,
        rev=kind.rev,
        towing=towing,
        small=kind.small,
    )


class Party(NamedTuple):
    """Those who enter together: units, their ids, how many they are, and the first on foot."""

    units: tuple[AslUnit, ...]
    ids: tuple[str, ...]
    crowd: Crowd
    first: str


def party(position: AslPosition, units: Sequence[AslUnit]) -> Party:
    """Return units as those who enter together."""
    if len(units) == 1 and not (kind := type_of(position, units[0])).mounts:
        return Party((units[0],), (units[0].id,), _crowd_of((kind.size,)), units[0].id)
    ids = tuple([unit.id for unit in units])
    kinds = [kind for unit in units for kind in _sizes(position, unit, type_of(position, unit))]
    first = ids[0] if len(ids) == 1 else next((u.id for u in units if u.facing is None), "")
    return Party(tuple(units), ids, _crowd(kinds), first)


def _crowd(kinds: Sequence[UnitType]) -> Crowd:
    return _crowd_of(tuple([kind.size for kind in kinds]))


@cache
def _crowd_of(classes: tuple[str, ...]) -> Crowd:
    return Crowd(
        classes.count("squad"),
        classes.count("half-squad"),
        classes.count("crew"),
        classes.count("smc"),
        classes.count("gun"),
    )


def pivoted(unit: AslUnit) -> bool:
    """Tell whether a vehicle in Bypass has changed its VCA at the vertex in front."""
    if unit.bypass is None or unit.facing is None:
        return False
    return is_pivoted(unit.bypass, SPINES.index(unit.facing))


def there(position: AslPosition, side: str, at: str, leave_out: Sequence[str] = ()) -> There:
    """Return what stands in a Location, for a mover of that side, some units left out."""
    occupants = position.occupants.get(at, ())
    markers = position.markers.get(at, ())
    if not occupants and not markers:
        return NOWHERE
    friends: list[UnitType] = []
    vehicles, tons, small = 0, 0.0, 0
    convoy = unweighed = False
    harmless = known = more_than_smc = enemy_afv = unmanned = False
    hidden: tuple[str, ...] = ()
    for unit in occupants:
        if unit.id in leave_out:
            continue
        if (unit.aboard or unit.towed_by) and unit.side == side:
            continue  # it lies on or behind its vehicle (A5.3)
        kind = type_of(position, unit)
        if kind.class_ in ("vehicle", "wagon", "wreck"):
            vehicles, tons = vehicles + 1, tons + kind.tons
            unweighed |= not kind.tons
            small += kind.small
        convoy |= unit.convoy != ""
        if kind.class_ == "wreck":
            continue
        if unit.side == side:
            friends += _sizes(position, unit, kind)
            continue
        enemy_afv |= kind.afv
        if unit.concealed:
            hidden = (*hidden, unit.id)
        elif unit.disrupted or unit.unarmed or kind.mounts or _is_unarmed_transport(kind):
            harmless = True
        else:  # who mans a Gun is a unit of its own
            idle = unit.abandoned or kind.class_ == "gun"
            unmanned |= idle
            known |= not idle
            more_than_smc |= not idle and kind.class_ != "smc"
    return There(
        vehicles,
        convoy,
        _crowd(friends) if friends else NOBODY,
        harmless,
        hidden,
        known,
        known and not more_than_smc,
        enemy_afv,
        "smoke" in markers,
        counters_at(position, at) if markers else (),
        tons,
        unweighed,
        small,
        unmanned,
    )


def _is_unarmed_transport(kind: UnitType) -> bool:
    return (kind.truck_type or kind.class_ == "wagon") and not kind.armed


def form_of(kind: UnitType) -> str:
    """Return ``vehicle``, ``foot``, ``gun`` or ``wreck``."""
    return "vehicle" if kind.is_vehicle else "foot" if kind.is_personnel else kind.class_


def is_due(position: AslPosition, unit: AslUnit, begins: bool) -> bool:
    """Tell whether, at night, a Movement DR is due of a unit that begins to move."""
    return (
        position.conditions.night
        and begins
        and unit.guide is None
        and is_unguided(position, unit.at)
        and not sees_enemy(position, unit)
    )


def strays_with(unit: AslUnit, first: AslUnit, kind: UnitType) -> bool:
    """Tell whether a unit of a line strays only as its first does: AFV with radios do by themselves."""
    if kind_of(unit) == "platoon":
        return first.id != unit.id and not kind.radio
    return first.id != unit.id or (not unit.left and origin_of(unit) != unit.convoy)


def is_blind(position: AslPosition, unit: AslUnit) -> bool:
    """Tell whether it is a buttoned-up AFV at night, where nothing can be seen."""
    if not unit.bu or not position.conditions.night or position.conditions.nvr:
        return False
    return type_of(position, unit).afv


def standing(
    position: AslPosition,
    unit: AslUnit,
    verb: str,
    *,
    by_impulse: bool = False,
    lead: AslUnit | None = None,
    move: str = "",
) -> Standing:
    """
    Return whether the unit may act at all.

    `lead` is the first of its line, if that is known, `move` what it does in an Impulse.
    """
    known = position.__dict__.get("standing")  # kept where much is asked of one position
    if known is None or by_impulse or lead is not None or move:
        return _standing(position, unit, verb, by_impulse=by_impulse, lead=lead, move=move)
    found = known.get((unit.id, verb))
    if found is None or found[0] is not unit:  # one that is thought to be elsewhere, or so
        found = known[unit.id, verb] = (unit, _standing(position, unit, verb))
    return found[1]  # type: ignore[no-any-return]


def _standing(
    position: AslPosition,
    unit: AslUnit,
    verb: str,
    *,
    by_impulse: bool = False,
    lead: AslUnit | None = None,
    move: str = "",
) -> Standing:
    kind, line, night = type_of(position, unit), kind_of(unit), position.conditions.night
    blind = night and is_blind(position, unit)
    follows = led_astray = False
    if line:
        first = lead or members(position, unit)[0]
        follows = strays_with(unit, first, kind)
        led_astray = follows and first.astray and first.id != unit.id
    riders = riders_of(position, unit) if kind.mounts else ()
    return Standing(
        verb=verb,
        kind=form_of(kind),
        own_turn=unit.side == position.side,
        phase=position.phase,
        on_map=unit.at is not None,
        mph=unit.mph,
        final=unit.final,
        pinned=unit.pinned or any(rider.pinned for rider in riders),
        broken=unit.broken,
        ti=unit.ti,
        prep_fired=unit.prep_fired or any(rider.prep_fired for rider in riders),
        bogged=unit.bogged,
        immobile=unit.immobile,
        smc=kind.class_ == "smc",
        pp=sum([weapon.pp for weapon in unit.sw]) if unit.sw else 0,
        line=line,
        in_bypass=unit.bypass is not None,
        behind_front=unit.behind != "" and waits_for_front(position, unit, verb),
        behind_convoy=waits_for_convoy(position, unit),
        behind_leaver=waits_for_leaver(position, unit),
        riders=kind.riders if kind.class_ == "cavalry" else "",
        wounded=unit.wounded,
        inside=unit.inside,
        away="" if unit.at is not None else _away(unit),
        crew=_crew(unit),
        due=night and is_due(position, unit, unit.mph == "unmoved"),
        left_due=night and is_due(position, unit, unit.left != "" and unit.mph == "moving"),
        by_impulse=by_impulse,
        left=unit.left != "" and not unit.convoy,
        follows=follows,
        led_astray=led_astray,
        astray=unit.astray,
        blind=blind,
        aboard=unit.aboard is not None or unit.towed_by is not None,
        stays=unit.stays,
        nerve="" if kind.radio else nerve_of(kind, unit),
        unridden=kind.mounts > 0 and not riders,
        late=lateness(position, unit) if unit.at is None else "",
        cavalry=kind.class_ == "cavalry",
        move=move if blind else "",
    )


def _away(unit: AslUnit) -> str:
    return "gone" if unit.exited else "waits" if unit.entering else "unknown"


def lateness(position: AslPosition, unit: AslUnit) -> str:
    """Return whether the turn for a unit to come on is ``past`` or to come; see E11.7a for lines."""
    waits = unit.at is None and not unit.exited and unit.entry_turn > 0
    if waits and position.turn < unit.entry_turn:
        return "early"
    if not waits or position.turn == unit.entry_turn or unit.convoy or unit.column:
        return ""
    return "allowed" if unit.late else "past"


def _crew(unit: AslUnit) -> tuple[str, ...]:
    if not (unit.stunned or unit.abandoned or unit.recalled or unit.shocked):
        return ()
    return tuple([name for name in CREW if getattr(unit, name)])


def entry(
    position: AslPosition,
    unit: AslUnit,
    to: str,
    stack: Party,
    action: Enter | MinimumMove | Exit | Advance,
) -> Entry:
    """Return the facts of a unit entering a Location or leaving the map, alone or with a stack."""
    leaves = isinstance(action, Exit)
    here = unit.at or to
    if leaves:
        way = going_off(position.board, to, ways(unit))
    elif unit.at is None:
        way = coming_on(position.board, to, ways(unit))
    else:
        way = crossing(position, here, to)
    beyond = NOWHERE if leaves else there(position, unit.side, to, stack.ids)
    manner = _manner(position, unit, advancing=position.phase == "APh")
    drives_over = unit.facing is not None and "bridge" in (way.ground.here, way.ground.there)
    hidden = beyond.concealed and unit.facing is None and not manner.advancing
    asks = hidden and unit.id == stack.first
    if asks and unit.column:  # those ahead in its Column have gone in already
        asks = all(u.column != unit.column for u in position.occupants.get(to, ()))
    enter = action if isinstance(action, Enter) else None
    return Entry(
        ground=ground_from(way, unit),
        mover=mover(position, unit),
        there=beyond,
        month=position.conditions.month,
        depth=position.conditions.stream,
        fordable=position.conditions.fordable,
        ahead=unit.facing is None or way.direction in ways(unit),
        moving=unit.moving,
        reverse=unit.reverse,
        off_road=unit.off_road,
        half=enter is not None and enter.half,
        minimum=isinstance(action, MinimumMove),
        helped=unit.helper is None or unit.helper in stack.ids,
        group=stack.crowd,
        along=_along(position, unit, stack.units) if len(stack.ids) > 1 else (),
        fresh=unit.used == 0,
        leaders=unit.leaders,
        road=unit.road,
        convoy=unit.convoy != "",
        column=unit.column != "",
        back=to == unit.previous or _is_left(position, unit, to),
        cx=unit.cx,
        extra=enter.extra if enter else 0,
        rest=enter is not None and enter.rest,
        counters_here=counters_at(position, here) if position.markers else (),
        overrun=enter is not None and enter.overrun,
        beneath=enter is not None and enter.beneath,
        snow=_snow(position, unit) if position.conditions.ground_snow else "",
        manner=manner,
        detour=(unit.at or "", to) if hidden else (),
        corner=corner(unit, way.direction),
        asks=beyond.hidden if asks else (),
        heading=way.direction if drives_over else None,
        lane=unit.lane if drives_over else None,
    )


def _is_left(position: AslPosition, unit: AslUnit, to: str) -> bool:
    """Tell whether a Location is in the hex that who moves in a line has just left (a bridge's, say)."""
    if unit.previous is None or not (unit.convoy or unit.column):
        return False
    return position.board[to].hex == position.board[unit.previous].hex


def _snow(position: AslPosition, unit: AslUnit) -> Literal["ground", "mixed"]:
    """Return whether, in Ground Snow, some vehicle of a unit's Convoy has no tracks."""
    line = members(position, unit) if unit.convoy else ()
    mixed = any(type_of(position, other).column in TRACKLESS for other in line)
    return "mixed" if mixed else "ground"


def ground_from(way: Lie, unit: AslUnit) -> Ground:
    """Return what the map says to a unit of a crossing: in Bypass it is beside the obstacle."""
    if unit.bypass is None:
        return way.ground
    return msgspec.structs.replace(way.ground, here=way.beside or "open", road_here=False)


def ground_at(spot: Lie, unit: AslUnit) -> Ground:
    """Return what the map says to a unit of where it stands; see :func:`ground_from`."""
    if unit.bypass is None:
        return spot.ground
    return msgspec.structs.replace(ground_from(spot, unit), there=spot.beside or "open", within="")


def corner(unit: AslUnit, direction: int) -> Literal["", "at", "off"]:
    """Return whether a hex that way lies at the vertex a unit has reached, if it is in Bypass."""
    if unit.bypass is None:
        return ""
    if unit.facing is not None:  # where it may go is its VCA's matter
        return "at"
    return "at" if direction in (unit.bypass, (unit.bypass + 1) % len(SPINES)) else "off"


def _manner(position: AslPosition, unit: AslUnit, *, advancing: bool) -> Manner:
    night = position.conditions.night
    if unit.facing is not None:
        if not (night or unit.concealed or unit.double):
            return USUAL
        return Manner(night=night, concealed=unit.concealed, galloping=unit.double > 0)
    moved = unit.assault and unit.previous is not None
    spent_load = any([weapon.portaged for weapon in unit.sw]) if unit.sw else False  # noqa: C419
    galloping = unit.double > 0 and type_of(position, unit).class_ == "cavalry"
    if not (night or advancing or unit.assault or unit.concealed or spent_load or galloping):
        return USUAL
    return Manner(
        night, advancing, unit.assault, moved, unit.concealed, spent_load, galloping=galloping
    )


def _along(position: AslPosition, unit: AslUnit, stack: Sequence[AslUnit]) -> tuple[Companion, ...]:
    with_it = [other for other in stack if other.id != unit.id]
    return tuple([
        Companion(
            other.id,
            type_of(position, other).leads,
            nationality_of(other) == nationality_of(unit),
            exposed=other.aboard is not None,
        )
        for other in (*with_it, *(_leading_aboard(position, with_it) if unit.facing is None else ()))
    ])  # fmt: skip


def _leading_aboard(position: AslPosition, stack: Sequence[AslUnit]) -> list[AslUnit]:
    """Return the leaders who are CE Passengers of an armored halftrack of a stack (D6.65)."""
    found = []
    for vehicle in stack:
        if vehicle.facing is None or not (kind := type_of(position, vehicle)).is_halftrack_afv:
            continue
        hidden = not kind.carrier and (vehicle.bu or vehicle.stunned or vehicle.shocked)
        found += [
            unit
            for unit in position.units
            if unit.aboard == vehicle.id
            and not (hidden or unit.riding or unit.conveyed or unit.broken or unit.pinned)
            and type_of(position, unit).leads
        ]
    return found


def jump(position: AslPosition, unit: AslUnit, to: str) -> Jump:
    """Return the facts of an entry that is no step to a neighbour."""
    distance = position.board.distance(unit.at, to) if unit.at else 0
    return Jump(distance, position.phase == "APh")
