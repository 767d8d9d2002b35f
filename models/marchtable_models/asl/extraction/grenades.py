"""Reads off a position the facts of SMOKE grenades (A24.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from marchtable_models.asl.clauses.terrain.chart import row_named
from marchtable_models.asl.data import halves
from marchtable_models.asl.extraction.overlay import crossing, site
from marchtable_models.asl.extraction.unitkinds import type_of
from marchtable_models.asl.facts.grenades import Grenades

if TYPE_CHECKING:
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.verbs.foot import Smoke

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["has_only_thrown", "throwing"]


def has_only_thrown(unit: AslUnit) -> bool:
    """Return whether all that a unit has done in its MPh is to try SMOKE grenades."""
    own = unit.move.thrown == unit.at
    cost = halves("A24.1", "own" if own else "adjacent")
    return bool(unit.move.thrown) and unit.move.previous is None and unit.points.spent == cost


def throwing(position: AslPosition, unit: AslUnit, action: Smoke) -> Grenades:
    """Return the facts of a unit that tries to place SMOKE grenades."""
    board, told = position.board, position.conditions
    to, state = board.resolve(action.to), unit.status
    way: Literal["", "own", "adjacent"] = ""
    if to == unit.at:
        way = "own"
    elif unit.at is not None and board.hexside(unit.at, to) is not None:
        way = "adjacent"
    ground = crossing(position, str(unit.at), to).ground if way else site(position, to).ground
    indoors: Literal["", "own", "another"] = ""
    if row_named(ground.there).closed and row_named(ground.here).closed:
        indoors = "own" if way == "own" else "another"
    return Grenades(
        fit=type_of(position, unit).class_ == "squad"
        and unit.cargo.aboard is None
        and not (state.broken or state.disrupted or state.unarmed or state.berserk),
        tried=unit.move.thrown is not None,
        way=way,
        rise=ground.rise if way == "adjacent" else 0,
        cliff=ground.hexside == "cliff",
        row=ground.there,
        washed=told.rain or told.mud or told.deep_snow,
        indoors=indoors,
        exponent=action.exponent,
        wp=action.wp,
    )
