"""
Reads the facts off a position.

Here, and for what the map alone tells in :mod:`marchtable_models.asl.ground`, clauses' facts are
made; nowhere else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.errors import BadInputError
from marchtable_models.asl.chart import cell, row_named
from marchtable_models.asl.data import count, halves, unit_types
from marchtable_models.asl.facts import Ending, Entry, Jump, Mover, Swing, There
from marchtable_models.asl.ground import lie
from marchtable_models.asl.model import SPINES, AslConditions, AslUnit, Enter, UnitType
from marchtable_models.asl.unitfacts import Allowance, Declaration, Group, Standing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.edition import Edition
    from marchtable.position import Position
    from marchtable_models.asl.model import MinimumMove

    AslPosition = Position[AslUnit, AslConditions]

__all__ = [
    "allowance", "check_units", "declaration", "ending", "enemy_afv", "entry", "group", "jump",
    "leaders_in", "mover", "standing", "swing", "there", "type_of",
]  # fmt: skip

NOWHERE = There()
AHEAD = {spine: (i, (i + 1) % len(SPINES)) for i, spine in enumerate(SPINES)}  # its two hexsides


def type_of(position: AslPosition, unit: AslUnit) -> UnitType:
    """Return what is printed on the unit's counter."""
    known = unit_types().get(unit.type)
    if known is not None:
        return known
    return next(t for t in position.conditions.types if t.name == unit.type)


def mover(position: AslPosition, unit: AslUnit) -> Mover:
    """Return who moves."""
    kind = type_of(position, unit)
    if not kind.is_vehicle:
        return Mover("inf")
    return Mover(
        kind.column, kind.mp * 2, kind.afv, unit.bu, kind.open_topped, kind.truck_type, kind.ground_pressure
    )


def half_squads(kind: UnitType) -> int:
    """Return a MMC's size in half squads (A5.1, A5.5); a SMC counts apart."""
    return {"squad": 2, "half-squad": 1, "crew": 1}.get(kind.class_, 0)


def there(position: AslPosition, side: str, at: str, leave_out: Sequence[str] = ()) -> There:
    """Return what stands in a Location, for a mover of that side, some units left out."""
    occupants = position.occupants.get(at, ())
    markers = position.markers.get(at, ())
    if not occupants and not markers:
        return NOWHERE
    vehicles = halves = smc = 0
    enemy = {"": False, "unarmed-truck": False, "concealed": False, "known": False}
    for unit in occupants:
        if unit.id in leave_out:
            continue
        kind = type_of(position, unit)
        vehicles += kind.class_ in ("vehicle", "wreck")
        if kind.class_ == "wreck":
            continue
        if unit.side == side:
            halves += half_squads(kind)
            smc += kind.class_ == "smc"
        else:
            unarmed = kind.truck_type and not kind.armed
            enemy["concealed" if unit.concealed else "unarmed-truck" if unarmed else "known"] = True
    return There(
        vehicles, halves, smc,
        enemy=next((name for name in ("known", "concealed", "unarmed-truck") if enemy[name]), ""),
        smoke="smoke" in markers,
        counters=tuple(sorted(set(markers) - {"smoke"})),
    )  # fmt: skip


def standing(position: AslPosition, unit: AslUnit, verb: str) -> Standing:
    """Return whether the unit may act at all."""
    kind = type_of(position, unit)
    return Standing(
        verb=verb,
        kind="vehicle" if kind.is_vehicle else "foot" if kind.is_personnel else "wreck",
        own_turn=unit.side == position.side,
        phase=position.phase,
        on_map=unit.at is not None,
        mph=unit.mph,
        final=unit.final,
        pinned=unit.pinned,
        broken=unit.broken,
        ti=unit.ti,
        prep_fired=unit.prep_fired,
        bogged=unit.bogged,
        immobile=unit.immobile,
        smc=kind.class_ == "smc",
        pp=sum(weapon.pp for weapon in unit.sw),
    )


def entry(
    position: AslPosition,
    unit: AslUnit,
    to: str,
    stack: Sequence[AslUnit],
    action: Enter | MinimumMove,
) -> Entry:
    """Return the facts of a unit entering a Location, alone or with a stack."""
    ids = tuple([member.id for member in stack])
    crossing = lie(position.board, unit.at or to, to)
    halves = men = 0
    for member in stack:
        kind = type_of(position, member)
        halves += half_squads(kind)
        men += kind.class_ == "smc"
    enter = action if isinstance(action, Enter) else Enter(ids, to)
    return Entry(
        ground=crossing.ground,
        mover=mover(position, unit),
        there=there(position, unit.side, to, ids),
        month=position.conditions.month,
        ahead=unit.facing is None or crossing.direction in AHEAD[unit.facing],
        moving=unit.moving,
        off_road=unit.off_road,
        half=enter.half,
        minimum=enter is not action,
        led=len(ids) > 1 and bool(leaders_in(position, unit, stack)),
        helped=unit.helper is None or unit.helper in ids,
        group_half_squads=halves,
        group_smc=men,
        extra=enter.extra,
        rest=enter.rest,
    )


def leaders_in(position: AslPosition, unit: AslUnit, stack: Sequence[AslUnit]) -> tuple[str, ...]:
    """Return the leaders in the stack with whom the unit has moved all along."""
    if unit.used and not unit.leaders:
        return ()
    return tuple(
        [
            other.id
            for other in stack
            if other.id != unit.id
            and type_of(position, other).leads
            and other.nationality == unit.nationality
            and (not unit.leaders or other.id in unit.leaders)
        ]
    )


def enemy_afv(position: AslPosition, unit: AslUnit) -> bool:
    """Tell whether an enemy AFV is in the unit's Location."""
    return any(
        other.side != unit.side and type_of(position, other).afv
        for other in position.occupants.get(unit.at or "", ())
    )


def group(position: AslPosition, units: Sequence[AslUnit]) -> Group:
    """Return the facts of units entering as one."""
    return Group(
        size=len(units),
        distinct=len({unit.id for unit in units}) == len(units),
        one_place=len({unit.at for unit in units}) == 1,
        all_foot=all(type_of(position, unit).is_personnel for unit in units),
        one_side=len({unit.side for unit in units}) == 1,
        phases=tuple(sorted({unit.mph for unit in units})),
    )


def jump(position: AslPosition, unit: AslUnit, to: str) -> Jump:
    """Return the facts of an entry that is no step to a neighbour."""
    return Jump(position.board.distance(unit.at, to) if unit.at else 0)


def swing(position: AslPosition, unit: AslUnit, facing: int) -> Swing:
    """Return the facts of a VCA change."""
    at = unit.at or ""
    site = lie(position.board, at, at)
    now = SPINES.index(unit.facing) if unit.facing else 0
    clockwise = (facing - now) % len(SPINES)
    steps = min(clockwise, len(SPINES) - clockwise)
    # hexside i + 1 lies between spines i and i + 1
    passed = facing if clockwise == 1 else now
    return Swing(
        site.ground,
        mover(position, unit),
        steps,
        unit.off_road,
        steps == 1 and passed % len(SPINES) in site.roads,
        unit.moving,
    )


def allowance(position: AslPosition, unit: AslUnit) -> Allowance:
    """Return what the unit's allotment depends on."""
    kind = type_of(position, unit)
    return Allowance(
        is_vehicle=not kind.is_personnel,
        mp=kind.mp * 2,
        smc=kind.class_ == "smc",
        inexperienced=unit.inexperienced and kind.class_ != "smc",
        wounded=unit.wounded,
        led=bool(unit.leaders),
        pp=sum(weapon.pp for weapon in unit.sw),
        cx=unit.cx and (unit.final != "minimum" or unit.double > 0),
        helped=unit.helper is not None,
        double=unit.double,
        road=unit.road and unit.used > 0,
    )


def ending(position: AslPosition, unit: AslUnit, edition: Edition, allotment: int) -> Ending:
    """Return the facts of a moving vehicle ending its MPh: what the hexes in its VCA would cost."""
    left = allotment - unit.spent
    ways = dict(position.board.neighbours(unit.at or ""))
    sides = AHEAD[unit.facing] if unit.facing else ()
    ahead = [
        _next_hex(position, unit, ways[side], edition, allotment) if side in ways else "unknown"
        for side in sides
    ]
    cornered = left < halves("D2.13", "stop") and set(ahead) == {"barred"}
    return Ending(
        left, unit.spent, "dear" in ahead or cornered, "unknown" in ahead, enemy_afv(position, unit)
    )


def _next_hex(position: AslPosition, unit: AslUnit, to: str, edition: Edition, allotment: int) -> str:
    """Return whether a hex ahead is ``"open"``, too ``"dear"``, ``"barred"`` or ``"unknown"``."""
    tried = [
        entry(position, unit, to, (unit,), Enter((unit.id,), to, half=half))
        for half in (False, True)
    ]
    findings = [edition.judge(facts) for facts in tried]
    left = allotment - unit.spent
    for found in findings:
        whole = any(charge.part == "all" for charge in found.charges)
        purse = left if not whole else 0 if unit.used else allotment  # D2.7
        if not found.bars and not found.unsupported and found.total <= purse:
            return "open"
    facts, found = tried[0], findings[0]
    bypass = count("D2.3", "times") * cell("open", facts.mover).amount
    # what bars entry leaves only Bypass, if there is room for it
    least = halves("D2.13", "stop") if found.bars else bypass
    if row_named(facts.ground.there).obstacle and left >= least:
        return "unknown"
    if found.unsupported and found.total <= left:
        return "unknown"
    return "barred" if found.bars else "dear"


def declaration(position: AslPosition, unit: AslUnit, verb: str, to: AslUnit | None = None) -> Declaration:
    """Return the facts of a declaration of Double Time, or of lending IPC to a unit."""
    kind = type_of(position, unit)
    other = unit if to is None else to
    return Declaration(
        verb=verb,
        foot=kind.is_personnel,
        smc=kind.class_ == "smc",
        fresh=unit.mph == "unmoved",
        cx=unit.cx,
        was_cx=unit.was_cx,
        wounded=unit.wounded,
        doubled=unit.double > 0,
        own_pp=sum(weapon.pp for weapon in unit.sw),
        to_foot=type_of(position, other).is_personnel and other.side == unit.side,
        together=other.at == unit.at,
        to_fresh=other.mph == "unmoved",
        to_self=other.id == unit.id,
        lent=unit.lends is not None or other.helper is not None,
    )


def check_units(position: AslPosition) -> None:
    """Raise BadInputError for unknown unit types, and vehicles without a VCA."""
    known = {*unit_types(), *(t.name for t in position.conditions.types)}
    for number, unit in enumerate(position.units):
        field = f"units[{number}]"
        if unit.type not in known:
            raise BadInputError(
                f"no unit type {unit.type!r} (types: {', '.join(sorted(known))})", field=f"{field}.type"
            )
        if type_of(position, unit).is_vehicle != (unit.facing is not None):
            raise BadInputError(
                f"{unit.id}: vehicles, and only they, have a facing (one of {', '.join(SPINES)})",
                field=f"{field}.facing",
            )
