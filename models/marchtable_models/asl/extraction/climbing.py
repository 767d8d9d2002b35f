"""Reads off a position the facts of climbing cliffs (B11.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.extraction.lines import kind_of
from marchtable_models.asl.extraction.movers import party
from marchtable_models.asl.extraction.overlay import crossing
from marchtable_models.asl.extraction.unitkinds import type_of
from marchtable_models.asl.facts.climbing import Climbing
from marchtable_models.asl.facts.foot import Crowd
from marchtable_models.asl.levels import level_of, on_cliff
from marchtable_models.asl.weapons import is_gone_upon

if TYPE_CHECKING:
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.verbs.foot import Climb

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["climbing", "on_its_cliff"]

CLIFF = "cliff"


def climbing(position: AslPosition, unit: AslUnit, action: Climb) -> Climbing:
    """Return the facts of a unit that climbs along the cliff to an adjacent Location, or gets off."""
    to, kind, told = position.board.resolve(action.to), type_of(position, unit), position.conditions
    side, top, low = _cliff(position, unit, to)
    on = unit.place.inside == CLIFF
    height = unit.place.floor if on else top if low == to else 0
    return Climbing(
        way=action.way,
        advancing=position.phase == "APh",
        fit=kind.is_infantry and _is_fit(unit, side),
        on=on,
        side=side,
        height=height,
        top=top,
        pp=sum(weapon.pp for weapon in unit.sw if not is_gone_upon(unit, weapon)),
        smc=kind.class_ == "smc",
        drm=told.rain + (told.ground_snow or told.deep_snow),
        commando=kind.commando,
        group=_group(position, unit, low, side, height, action.way),
    )


def on_its_cliff(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether there is a cliff where a unit is told to climb one."""
    ways = dict(position.board.neighbours(unit.at)) if unit.at is not None else {}
    above = ways.get(-1 if unit.place.crest is None else unit.place.crest)
    if above is None:
        return False
    side, top, low = _cliff(position, unit, above)
    return side is not None and low == unit.at and unit.place.floor <= top


def _is_fit(unit: AslUnit, side: int | None) -> bool:
    state = unit.status
    unfit = state.broken or state.disrupted or state.berserk or state.wounded or state.gear
    where = unit.place.inside in ("", CLIFF) and unit.place.bypass is None
    if unit.place.inside == CLIFF:
        where = where and unit.place.crest == side
    return where and not (unfit or unit.concealment.dummy or unit.cargo.aboard or kind_of(unit))


def _cliff(position: AslPosition, unit: AslUnit, to: str) -> tuple[int | None, int, str]:
    """Return along which hexside of the lower hex a cliff leads to a Location, its height, and that hex."""
    if unit.at is None or position.board.hexside(unit.at, to) is None:
        return None, 0, ""
    ground = crossing(position, unit.at, to).ground
    if ground.hexside != CLIFF or not ground.rise:
        return None, 0, ""
    low, high = (unit.at, to) if ground.rise > 0 else (to, unit.at)
    return position.board.direction(low, high), abs(ground.rise), low


def _group(
    position: AslPosition, unit: AslUnit, low: str, side: int | None, height: int, way: str
) -> Crowd:
    """Return who would be on the cliff where a unit gets to, it among them."""
    if side is None or way == "off":
        return Crowd()
    level = on_cliff(side, height + (1 if way == "up" else -1))
    others = [
        other
        for other in position.occupants.get(low, ())
        if other.side == unit.side and other.id != unit.id and level_of(position, other) == level
    ]
    return party(position, (unit, *others)).crowd
