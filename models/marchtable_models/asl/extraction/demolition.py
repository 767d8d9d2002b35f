"""Reads off a position the facts of placing a Demolition Charge (A23.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable_models.asl.extraction.movers import party
from marchtable_models.asl.extraction.reading import NOWHERE, entry, type_of
from marchtable_models.asl.facts.demolition import Placing
from marchtable_models.asl.model import Enter
from marchtable_models.asl.weapons import kind_of, named

if TYPE_CHECKING:
    from marchtable.rules.edition import Edition
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.verbs.foot import Place

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["placing"]


def placing(position: AslPosition, unit: AslUnit, action: Place, edition: Edition) -> Placing:
    """Return the facts of a unit that places a DC: entering would cost so much, nobody being there."""
    kind, state, to = type_of(position, unit), unit.status, position.board.resolve(action.to)
    weapon = named(unit.sw, action.weapon)
    adjacent = unit.at is not None and position.board.hexside(unit.at, to) is not None
    found, manned = None, False
    if adjacent:
        step = entry(position, unit, to, party(position, (unit,)), Enter((unit.id,), to))
        manned = step.there.manned_afv
        bare = msgspec.structs.replace(
            NOWHERE, smoke=step.there.smoke, counters=step.there.counters, crowd=step.there.crowd
        )
        alone = msgspec.structs.replace(step, there=bare, inside="", detour=None, asks=())
        found = edition.judge(alone)
    return Placing(
        fit=kind.is_infantry
        and unit.cargo.aboard is None
        and unit.place.bypass is None
        and not (state.broken or state.disrupted or state.unarmed),
        has=weapon is not None and kind_of(weapon) == "dc",
        adjacent=adjacent,
        open=found is None or not found.bars,
        judged=found is None or not found.unsupported,
        cost=0 if found is None else found.total,
        afv=manned and kind.class_ != "smc",
        portaged=unit.points.portaged + (weapon.pp if weapon and not weapon.portaged else 0),
    )
