"""
Facts of steps, and of the occupants of a Location, read off a position.

Only the modules of this folder make facts for clauses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from marchtable.board.bridges import BRIDGE
from marchtable.rules.view import fact
from marchtable_models.asl.counterkinds import BURNING, FORTIFIED, SMOKES
from marchtable_models.asl.levels import is_unsure, level_entered, level_of, upstairs
from marchtable_models.asl.model import SPINES, AslUnit, Enter, MinimumMove, UnitType
from marchtable_models.asl.records import Place
from marchtable_models.asl.verbs import Advance, Exit
from marchtable_models.asl.views.banks import from_cliff, from_crest, to_crest
from marchtable_models.asl.views.cargo import captives
from marchtable_models.asl.views.chart import row_named
from marchtable_models.asl.views.edge import coming_on, going_off, outer_sides, ways
from marchtable_models.asl.views.entry import Companion, Crowd, Detour, Entry, Jump, Manner, There
from marchtable_models.asl.views.lookout import GROUND, is_seen_moving, place_entered
from marchtable_models.asl.views.movers import crowd_of, half_squads_in, mover, riders_of, sizes_of
from marchtable_models.asl.views.nightsight import light_on
from marchtable_models.asl.views.overlay import counters_at, crossing
from marchtable_models.asl.views.unitkinds import nationality_of, type_of
from marchtable_models.asl.views.weather import snowed, weather_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable_models.asl.model import AslPosition
    from marchtable_models.asl.verbs import Stairs
    from marchtable_models.asl.views.ground_facts import Ground, Lie
    from marchtable_models.asl.views.los import Los
    from marchtable_models.asl.views.movers import Party

__all__ = [
    "Entering", "corner", "descent", "entry", "ground_at", "ground_from", "has_arrived", "jump", "placed", "stairs", "there", "type_of",
]  # fmt: skip

NOWHERE = There()
NOBODY = Crowd()
USUAL = Manner()


def _who_counts(position: AslPosition, at: str) -> Sequence[AslUnit]:
    """Return the occupants of a hex without prisoners, who do not count (A20.51, A20.54)."""
    occupants = position.occupants.get(at, ())
    if not occupants or not captives(position):
        return occupants
    return [unit for unit in occupants if unit.cargo.guard is None]


def there(
    position: AslPosition, side: str, at: str, leave_out: Sequence[str] = (), level: str = ""
) -> There:
    """Return the occupants of a hex at a level, for a mover of that side, some units left out."""
    occupants = _who_counts(position, at)
    markers = position.markers.get(at, ())
    if not occupants and not markers:
        return NOWHERE
    friends: list[UnitType] = []
    vehicles, wrecks, tons, small = 0, 0, 0.0, 0
    convoy = unweighed = False
    known = enemy_afv = manned_afv = unmanned = False
    smc = others = guns = 0
    weak: set[str] = set()
    carriers: set[str] = set()
    elsewhere = [u for u in occupants if u.place.inside != level and level_of(position, u) != level]
    leave_out = (*leave_out, *[u.id for u in elsewhere]) if elsewhere else leave_out
    sham = True
    hidden: tuple[str, ...] = ()
    for unit in occupants:
        if unit.id in leave_out:
            continue
        if (unit.cargo.aboard or unit.cargo.towed_by) and unit.side == side:
            continue  # it is on or behind its vehicle (A5.3)
        kind = type_of(position, unit)
        unhooked = kind.class_ == "gun" and not unit.cargo.towed_by
        guns += unhooked and (unit.side == side or not unit.concealment.concealed)
        if kind.class_ in ("vehicle", "wagon", "wreck"):
            vehicles, tons = vehicles + 1, tons + kind.tons
            unweighed |= not kind.tons
            small += kind.small
        convoy |= unit.line.convoy != ""
        if kind.class_ == "wreck":
            wrecks += 1
            continue
        if unit.side == side:
            friends += sizes_of(position, unit, kind)
            continue
        enemy_afv |= kind.afv
        manned_afv |= kind.afv and not (unit.concealment.concealed or unit.crew.abandoned)
        if unit.concealment.concealed:
            hidden = (*hidden, unit.id)
            sham &= unit.concealment.dummy
        elif (
            unit.status.disrupted
            or unit.status.unarmed
            or kind.mounts
            or _is_unarmed_transport(kind)
        ):
            weak.add(unit.id)
        else:  # a Gun's crew is a separate unit
            idle = unit.crew.abandoned or kind.class_ == "gun"
            unmanned |= idle
            known |= not idle
            smc += kind.class_ == "smc"
            carriers.add(unit.cargo.aboard or "")
            others += not idle and kind.class_ != "smc"
    return There(
        vehicles,
        convoy,
        crowd_of(friends) if friends else NOBODY,
        weak != set(),
        hidden,
        known,
        smc == 1 and not others and weak <= carriers,
        enemy_afv,
        BURNING in markers or any([kind in SMOKES for kind in markers]),  # noqa: C419
        counters_at(position, at) if markers else (),
        tons,
        unweighed,
        small,
        unmanned,
        wrecks,
        manned_afv,
        sham and hidden != (),
        guns=guns,
        held=any(_holds(u, side) for u in elsewhere),
        overhead=any(u.place.inside == "upstairs" and _holds(u, side) for u in elsewhere),
        unsure=any(is_unsure(position, u) for u in elsewhere),
        beneath=_sheltered(position, side, occupants, leave_out),
        prey=any(
            _is_prey(position, u) for u in occupants if u.side != side and u.id not in leave_out
        ),
        garrison=_garrison(position, side, occupants, leave_out) if FORTIFIED in markers else 0,
    )


def has_arrived(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a Known enemy, neither unarmed nor disrupted, is in a unit's Location."""
    level = level_of(position, unit)
    return unit.at is not None and there(position, unit.side, unit.at, level=level).known


def _holds(unit: AslUnit, side: str) -> bool:
    """Return whether a unit is a Known armed enemy of a side, not Disrupted."""
    fit = not (unit.status.disrupted or unit.status.unarmed)
    return unit.side != side and fit and not unit.concealment.concealed


def _sheltered(
    position: AslPosition, side: str, occupants: Sequence[AslUnit], leave_out: Sequence[str]
) -> Crowd:
    """Return a side's units beneath a Fortification, some units left out."""
    beneath = [
        u
        for u in occupants
        if u.place.inside == "beneath" and u.side == side and u.id not in leave_out
    ]
    kinds = [size for u in beneath for size in sizes_of(position, u, type_of(position, u))]
    return crowd_of(kinds) if kinds else NOBODY


def _garrison(
    position: AslPosition, side: str, occupants: Sequence[AslUnit], leave_out: Sequence[str]
) -> int:
    """Return the number of half squads of other sides that hold a Location."""
    able = [
        u
        for u in occupants
        if u.side != side
        and u.id not in leave_out
        and not (
            u.concealment.concealed
            or u.status.broken
            or u.status.pinned
            or u.status.unarmed
            or u.status.disrupted
        )
        and type_of(position, u).is_infantry
    ]
    crowd = crowd_of([size for u in able for size in sizes_of(position, u, type_of(position, u))])
    return half_squads_in(crowd)


def _is_prey(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether an enemy is Known and can be overrun."""
    kind = type_of(position, unit)
    shut_in = kind.afv and unit.crew.bu and not unit.crew.abandoned
    return not (unit.concealment.concealed or shut_in or kind.class_ == "wreck")


def _is_unarmed_transport(kind: UnitType) -> bool:
    return (kind.truck_type or kind.class_ == "wagon") and not kind.armed


class Entering(Entry):
    """A unit entering a Location or leaving the map, alone or with a stack, as a position shows it."""

    # position, unit, stack: where, who, and those who enter together
    position: AslPosition
    unit: AslUnit
    to: str  # what is entered; off the map, what is left
    stack: Party
    action: Enter | MinimumMove | Exit | Advance  # what they do
    place: Place | None = None  # where in it the unit is then, None if on the level that it leaves

    reads = True
    mover = fact(lambda step: mover(step.position, step.unit))
    month = fact(lambda step: step.position.conditions.month)
    weather = fact(lambda step: weather_of(step.position.conditions))
    depth = fact(lambda step: "dry" if step.weather.snow else step.position.conditions.stream)
    reverse = fact(lambda step: step.unit.motion.reverse)
    off_road = fact(lambda step: step.unit.place.off_road)
    on_trail = fact(lambda step: step.unit.place.on_trail)
    inside = fact(lambda step: step.unit.place.inside)
    fired = fact(lambda step: step.unit.status.fired)
    cx = fact(lambda step: step.unit.status.cx)
    fresh = fact(lambda step: step.unit.points.used == 0)
    road = fact(lambda step: step.unit.move.road)
    convoy = fact(lambda step: step.unit.line.convoy != "")
    column = fact(lambda step: step.unit.line.column != "")
    group = fact(lambda step: step.stack.crowd)
    minimum = fact(lambda step: isinstance(step.action, MinimumMove))
    half = fact(lambda step: step.enters and step.action.half)
    declined = fact(lambda step: step.enters and step.action.off_road)
    extra = fact(lambda step: step.action.extra if step.enters else 0)
    rest = fact(lambda step: step.enters and step.action.rest)
    overrun = fact(lambda step: step.enters and step.action.overrun)
    breach = fact(lambda step: step.enters and step.action.breach)
    beneath = fact(lambda step: getattr(step.action, "beneath", False))
    ground = fact(lambda step: ground_from(step.lie, step.unit))

    @fact
    def enters(self) -> bool:
        """Whether it uses the usual entry action, with its choices."""
        return isinstance(self.action, Enter)

    @fact
    def leaves(self) -> bool:
        """Whether it leaves the map."""
        return isinstance(self.action, Exit)

    @fact
    def mirrored(self) -> Lie | None:
        """The crossing whose mirror image leads off the map, if it leaves so."""
        return _mirrored(self.position, self.unit) if self.leaves else None

    @fact
    def lie(self) -> Lie:
        """The crossing and its direction."""
        position, unit = self.position, self.unit
        if self.mirrored is not None:
            ground = msgspec.structs.replace(self.mirrored.ground, edge="off")
            return msgspec.structs.replace(self.mirrored, ground=ground)
        if self.leaves:
            way = snowed(going_off(position.board, self.to, ways(unit)), position.conditions)
            if unit.place.bypass is None or unit.facing is not None:
                return way
            open_ = msgspec.structs.replace(way.ground, there="open", within="")  # see A2.6d
            return msgspec.structs.replace(way, ground=open_)
        if unit.at is None:
            return snowed(coming_on(position.board, self.to, ways(unit)), position.conditions)
        return crossing(position, unit.at, self.to)

    @fact
    def there(self) -> There:
        """The occupants of the Location."""
        if self.leaves:
            return NOWHERE
        level = level_entered(level_of(self.position, self.unit))
        return there(self.position, self.unit.side, self.to, self.stack.ids, level)

    @fact
    def ahead(self) -> bool:
        """Whether the hex is in a vehicle's VCA."""
        return self.unit.facing is None or self.lie.direction in ways(self.unit)

    @fact
    def along(self) -> tuple[Companion, ...]:
        """The other units of the stack."""
        together = len(self.stack.ids) > 1
        return _along(self.position, self.unit, self.stack.units) if together else ()

    @fact
    def counters_here(self) -> tuple[str, ...]:
        """Kinds of counters in the Location being left."""
        here = self.unit.at or self.to
        return counters_at(self.position, here) if self.position.markers else ()

    @fact
    def manner(self) -> Manner:
        """How it enters."""
        place = _place(self.unit, self.action) if self.place is None else self.place
        return _manner(self.position, self.unit, self.to, place)

    @fact
    def hidden(self) -> bool:
        """Whether Infantry meets concealed enemies."""
        return self.there.concealed and self.unit.facing is None and not self.manner.advancing

    @fact
    def detour(self) -> Detour | None:
        """Where it returns to."""
        if not self.hidden:
            return None
        return _detour(self.position, self.unit, self.to, sham=self.there.sham)

    @fact
    def asks(self) -> tuple[str, ...]:
        """The concealed enemies, if it is the first unit to enter."""
        unit = self.unit
        first = self.hidden and unit.id == self.stack.first
        if first and unit.line.column:  # the units ahead in its Column have already entered
            others = self.position.occupants.get(self.to, ())
            first = all(u.line.column != unit.line.column for u in others)
        return self.there.hidden if first else ()

    @fact
    def corner(self) -> Literal["", "at", "off", "out"]:
        """Whether it leaves Bypass for a hex at the vertex reached."""
        if self.mirrored is not None:
            return "out"
        if self.leaves:
            return _at_the_edge(self.position, self.unit)
        return corner(self.unit, self.lie.direction)


def entry(
    position: AslPosition,
    unit: AslUnit,
    to: str,
    stack: Party,
    action: Enter | MinimumMove | Exit | Advance,
    place: Place | None = None,
) -> Entry:
    """Return the facts of a unit entering a Location or leaving the map; see :class:`Entering`."""
    found = placed(
        Entering(position=position, unit=unit, to=to, stack=stack, action=action, place=place)
    )
    crests = getattr(action, "crest", False)
    return to_crest(position, to, found, found.lie.direction) if crests else found


def placed(step: Entering) -> Entering:
    """Return a step with the changes of a Crest, a cliff or a trench, if the unit is in one."""
    inside = step.unit.place.inside
    if inside == "cliff":
        return from_cliff(step.unit, step, step.lie.direction)
    if inside == "crest":
        return from_crest(step.position, step.unit, step, step.lie.direction)
    return _along_trenches(step) if inside == "beneath" else step


def descent(position: AslPosition, unit: AslUnit, stack: Party) -> Entry:
    """Return the facts of a unit going from the Crest to the bottom, as if from beside it."""
    at = unit.at or ""
    others = [one.id for one in position.occupants.get(at, ())]
    plain = entry(position, unit, at, stack, Advance(stack.ids, at))
    return plain.replace(
        ground=msgspec.structs.replace(plain.ground, rise=0, from_depression=False),
        there=there(position, unit.side, at, others),
        bank="down",
        stays=True,
        detour=None,
        asks=(),
    )


def stairs(position: AslPosition, unit: AslUnit, stack: Party, action: Stairs) -> Entry:
    """Return the facts of a unit going up or down a stairwell."""
    at = unit.at or ""
    floor = max(0, unit.place.floor + (1 if action.to == "up" else -1))
    place = Place(inside="upstairs", floor=floor) if floor else GROUND
    plain = entry(position, unit, at, stack, Advance(stack.ids, at), place)
    level = upstairs(floor)
    return plain.replace(
        there=there(position, unit.side, at, stack.ids, level),
        stairs=action.to,
        stays=True,
        detour=None,
        asks=(),
    )


def _along_trenches(found: Entering) -> Entering:
    """Return an entry that stays beneath connected trenches: no hexside counts there."""
    beneath = found.replace(beneath=True)
    if beneath.way != "trench":
        return found
    within = msgspec.structs.replace(found.ground, hexside="", path=False)
    return beneath.replace(ground=within)


def _mirrored(position: AslPosition, unit: AslUnit) -> Lie | None:
    """
    Return the crossing whose mirror image leads off the map from a vertex, on foot in Bypass.

    That is the one into the map's hex at a vertex on its edge (A2.6), None if there is none.
    """
    if unit.place.bypass is None or unit.facing is not None or unit.at is None:
        return None
    sides = {unit.place.bypass, (unit.place.bypass + 1) % len(SPINES)}
    inner = [name for way, name in position.board.neighbours(unit.at) if way in sides]
    off = sides.intersection(outer_sides(position.board, unit.at))
    return crossing(position, unit.at, inner[0]) if inner and off else None


def _at_the_edge(position: AslPosition, unit: AslUnit) -> Literal["", "at", "off"]:
    """Return whether a unit in Bypass leaves the map from a vertex on its edge."""
    if unit.place.bypass is None or unit.facing is not None:
        return corner(unit, 0)
    sides = (unit.place.bypass, (unit.place.bypass + 1) % len(SPINES))
    off = outer_sides(position.board, unit.at or "")
    return "at" if any(side in off for side in sides) else "off"


def _detour(position: AslPosition, unit: AslUnit, to: str, *, sham: bool) -> Detour:
    wired = unit.at is not None and "wire" in counters_at(position, unit.at)
    return Detour(
        unit.at, to, unit.place.bypass, unit.offboard.entering, wired=wired, sham=sham,
        concealed=unit.concealment.concealed,
    )  # fmt: skip


def ground_from(way: Lie, unit: AslUnit) -> Ground:
    """Return a crossing's map facts for a unit: in Bypass it starts beside the obstacle."""
    if unit.place.bypass is None:
        return way.ground
    return msgspec.structs.replace(way.ground, here=way.beside or "open", road_here=False)


def ground_at(spot: Lie, unit: AslUnit) -> Ground:
    """Return the map facts of a unit's own place; see :func:`ground_from`."""
    if unit.place.bypass is None:
        return spot.ground
    return msgspec.structs.replace(ground_from(spot, unit), there=spot.beside or "open", within="")


def corner(unit: AslUnit, direction: int) -> Literal["", "at", "off"]:
    """Return whether a hex in that direction touches the vertex a unit has reached in Bypass."""
    if unit.place.bypass is None:
        return ""
    if unit.facing is not None:  # its VCA decides where it can go
        return "at"
    return (
        "at" if direction in (unit.place.bypass, (unit.place.bypass + 1) % len(SPINES)) else "off"
    )


def _place(unit: AslUnit, action: Enter | MinimumMove | Exit | Advance) -> Place:
    """Return a unit's place in a Location after entering it."""
    if getattr(action, "beneath", False):
        return Place(inside="beneath")
    return Place(inside="crest") if getattr(action, "crest", False) else place_entered(unit)


def _manner(position: AslPosition, unit: AslUnit, to: str, place: Place) -> Manner:
    night, advancing = position.conditions.night, position.phase == "APh"
    seen: Los = "no"
    if unit.concealment.concealed:
        seen = is_seen_moving(position, unit, to, place)
    light = light_on(position, to) if night and unit.concealment.concealed else "dark"
    if unit.facing is not None:
        if not (night or unit.concealment.concealed or unit.points.double):
            return USUAL
        return Manner(
            night=night,
            concealed=unit.concealment.concealed,
            galloping=unit.points.double > 0,
            seen=seen,
        )
    moved = unit.move.assault and unit.move.previous is not None
    spent_load = any([weapon.portaged for weapon in unit.sw]) if unit.sw else False  # noqa: C419
    dared = unit.move.dared is not None
    galloping = unit.points.double > 0 and type_of(position, unit).class_ == "cavalry"
    routing = position.phase == "RtPh"
    if not (
        night
        or advancing
        or routing
        or unit.move.assault
        or unit.concealment.concealed
        or spent_load
        or galloping
        or dared
        or unit.status.berserk
        or unit.line.wave
        or unit.status.gear
        or unit.status.unarmed
    ):
        return USUAL
    return Manner(
        night,
        advancing,
        unit.move.assault,
        moved,
        unit.concealment.concealed,
        spent_load,
        galloping=galloping,
        seen=seen,
        dummy=unit.concealment.dummy,
        dared=unit.move.dared == to,
        elsewhere=dared and unit.move.dared != to,
        berserk=unit.status.berserk,
        wave=unit.line.wave != "",
        gear=unit.status.gear,
        downhill=unit.points.downhill,
        unarmed=unit.status.unarmed,
        routing=routing,
        light=light,
    )


def _along(position: AslPosition, unit: AslUnit, stack: Sequence[AslUnit]) -> tuple[Companion, ...]:
    with_it = [other for other in stack if other.id != unit.id]
    return tuple([
        Companion(
            other.id,
            type_of(position, other).leads,
            nationality_of(other) == nationality_of(unit),
            exposed=other.cargo.aboard is not None and not other.cargo.riding,
            mounted=other.cargo.riding,
        )
        for other in (*with_it, *(_leading_aboard(position, with_it) if unit.facing is None else ()))
    ])  # fmt: skip


def _leading_aboard(position: AslPosition, stack: Sequence[AslUnit]) -> list[AslUnit]:
    """Return a stack's leaders who are CE Passengers of a halftrack (D6.65), or Cavalry (A13.3)."""
    found = []
    for vehicle in stack:
        if vehicle.facing is None and type_of(position, vehicle).mounts:
            found += [
                unit
                for unit in riders_of(position, vehicle)
                if not (unit.cargo.conveyed or unit.status.broken) and type_of(position, unit).leads
            ]
        if vehicle.facing is None or not (kind := type_of(position, vehicle)).is_halftrack_afv:
            continue
        hidden = not kind.carrier and (
            vehicle.crew.bu or vehicle.crew.stunned or vehicle.crew.shocked
        )
        found += [
            unit
            for unit in position.units
            if unit.cargo.aboard == vehicle.id
            and not (
                hidden
                or unit.cargo.riding
                or unit.cargo.conveyed
                or unit.status.broken
                or unit.status.pinned
            )
            and type_of(position, unit).leads
        ]
    return found


def jump(position: AslPosition, unit: AslUnit, to: str) -> Jump:
    """Return the facts of an entry that is not a step to a neighbour."""
    distance = position.board.distance(unit.at, to) if unit.at else 0
    levels: Literal["", "building", "depression"] = ""
    if unit.at == to:
        row, inside = row_named(crossing(position, to, to).ground.here), unit.place.inside
        if row.closed or inside == "upstairs":
            levels = "building"
        elif position.board[to].depression is not None or inside == "crest":
            levels = "depression"
    bridge = any(at.endswith(BRIDGE) for at in (unit.at or "", to))
    return Jump(distance, position.phase == "APh", levels=levels, bridge=bridge)
