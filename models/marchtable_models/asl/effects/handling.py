"""The effect on a position of handling SW: who possesses them, and which are where."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable.state.records import replace
from marchtable_models.asl.views.foot import loses
from marchtable_models.asl.weapons import (
    as_counter,
    is_weapon,
    was_carried,
    weapon_of,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.state.position import Counter
    from marchtable_models.asl.model import AslPosition, AslUnit, SupportWeapon


def given(unit: AslUnit, weapon: SupportWeapon) -> SupportWeapon:
    """Return a SW after its owner gives it away."""
    portaged = weapon.portaged or was_carried(unit, weapon)
    return replace(weapon, portaged=portaged, held=0)


def left_behind(position: AslPosition, unit: AslUnit) -> AslPosition:
    """Return the position with the SW of a lost unit on foot left in its Location."""
    if unit.at is None or not unit.sw or loses(position, unit):
        return position
    lie = [as_counter(given(unit, weapon), unit.at) for weapon in unit.sw]
    return msgspec.structs.replace(position, counters=(*position.counters, *lie))


def rested_loads(units: Sequence[AslUnit]) -> list[AslUnit]:
    """Return units as a phase begins: nothing portaged or tried in it yet."""
    return [
        replace(
            unit, portaged=0, tried=(),
            sw=tuple(replace(weapon, portaged=False, held=0) for weapon in unit.sw),
        )
        if unit.points.portaged or unit.move.tried or any(weapon.portaged or weapon.held for weapon in unit.sw)
        else unit
        for unit in units
    ]  # fmt: skip


def fresh_counter(counter: Counter) -> Counter:
    """Return a counter as a phase begins: a SW can be portaged again."""
    if not is_weapon(counter.kind):
        return counter
    rested = replace(weapon_of(counter.kind), portaged=False)
    return as_counter(rested, counter.at)
