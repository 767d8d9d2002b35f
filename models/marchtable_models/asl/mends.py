"""What might make an impossible goal possible, in the game's own terms: more MP, less to carry."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable.planning.goals import movers_of, units_of
from marchtable.planning.hooks import Change
from marchtable.rulebook import find_rulebook
from marchtable_models.asl.survey import purse
from marchtable_models.asl.survey import reading as survey

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.planning.goal import Goal
    from marchtable.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["repairs", "with_points"]

MOST_MP, MOST_MF = 60, 12  # that a counter may have
DROP, LEAVE = 2, 4
"""How much of a change it is to drop a SW, or to leave a unit behind; a MP more counts 1."""

replace = msgspec.structs.replace


def with_points(position: AslPosition, unit: AslUnit, halves: int) -> AslPosition | None:
    """
    Return the position if a vehicle's printed MP, or the MF of Infantry, were so many half points more.

    Fewer if that is below 0; None for what has neither, and for half a point.
    """
    kind = survey.type_of(position, unit)
    if halves % 2 or not (kind.mp or kind.is_infantry):
        return None
    name, most = ("MP", MOST_MP) if kind.mp else ("MF", MOST_MF)
    edition = find_rulebook(position.rulebook).edition(position)
    points = kind.mp or purse.base(position, unit, edition) // 2
    if not 0 < (points := points + halves // 2) <= most:
        return None
    told = {"mp" if kind.mp else "mf": points}
    other = replace(kind, name=f"{kind.name} ({points} {name})", **told)
    types = (*position.conditions.types, other)
    conditions = replace(position.conditions, types=types)
    changed = position.with_units([replace(unit, type=other.name)])
    return replace(changed, conditions=conditions)


def repairs(position: AslPosition, goal: Goal) -> Iterator[Change]:
    """Yield dropping a SW of those who must be somewhere or ride, and leaving who takes up room."""
    movers = movers_of(goal, position)
    wanted = {u for aim in goal.aims if aim.must for u in units_of(aim, position)} & {*movers}
    for unit in (position.unit(name) for name in movers):
        if unit.id not in wanted and unit.aboard is None:
            continue
        for number, weapon in enumerate(unit.sw):
            kept = unit.sw[:number] + unit.sw[number + 1 :]
            changed = position.with_units([replace(unit, sw=kept)])
            words = f"drop the {weapon.name} of {unit.id}"
            yield Change(words, DROP, (), changed, goal)
    for unit in position.units:
        if unit.id in wanted or unit.id not in movers or unit.aboard is None:
            continue
        named = {name for aim in goal.aims for name in units_of(aim, position)}
        if unit.id not in named:
            changed = position.with_units([replace(unit, at=None, aboard=None, riding=False)])
            yield Change(f"leave {unit.id} behind", LEAVE, (), changed, goal)
