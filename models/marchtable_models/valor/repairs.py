"""Changes that would make a goal possible, in the players' terms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable.planning.goals import places_of, units_of, with_carriers
from marchtable.rules.plan_hooks import GoalChange
from marchtable_models.valor.data import figure
from marchtable_models.valor.rules.movement import own_phase
from marchtable_models.valor.rules.rally import pinned_acts_not
from marchtable_models.valor.rules.stacking import stacking_limit
from marchtable_models.valor.views.units import cargo, type_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.state.goal import Goal
    from marchtable_models.valor.model import ValorPosition, ValorUnit

__all__ = ["changes", "with_points"]

replace = msgspec.structs.replace
FRESH, ELSEWHERE = 4, 5
"""Size of a change: not to be pinned or have attacked, and to have been elsewhere."""
MOST_MP = 99


def with_points(position: ValorPosition, unit: ValorUnit, halves: int) -> ValorPosition | None:
    """Return the position if the unit had more MP; whole points only, and none for large Guns."""
    kind = type_of(position, unit)
    printed = kind.mp or (figure("V6.31a", kind.class_) if kind.is_infantry else 0)
    mp = printed + halves // 2
    if halves % 2 or not 0 < mp <= MOST_MP or not printed:
        return None
    other = replace(kind, name=f"{kind.name}*{unit.id}", mp=mp)
    types = tuple([t for t in position.conditions.types if t.name != other.name])
    conditions = replace(position.conditions, types=(*types, other))
    return replace(position, conditions=conditions).with_units([replace(unit, type=other.name)])


def changes(position: ValorPosition, goal: Goal) -> Iterator[GoalChange]:
    """Yield changes that might get units to their goal."""
    for aim in goal.aims:
        if aim.must is None:
            continue
        names = units_of(aim, position)
        for unit in map(position.unit, with_carriers(names, position)):
            if unit.pinned:
                able = position.with_units([replace(unit, pinned=False)])
                yield GoalChange(f"rally {unit.id} first", FRESH, (pinned_acts_not.id,), able, goal)
            if unit.fired:
                able = position.with_units([replace(unit, fired=False, fired_at=None)])
                yield GoalChange(
                    f"do not fire {unit.id} before", FRESH, (own_phase.id,), able, goal
                )
        for at in sorted(places_of(aim.at, position.board)):
            yield from _elsewhere(position, goal, at, names)


def _elsewhere(
    position: ValorPosition, goal: Goal, at: str, names: Sequence[str]
) -> Iterator[GoalChange]:
    """Yield the change that an unwanted unit is not in the hex."""
    for unit in position.beside(at):
        if unit.side != position.side or unit.id in names or unit.aboard is not None:
            continue
        lost = (unit, *cargo(position, unit))
        gone = position.with_units([replace(u, at=None, aboard=None) for u in lost])
        words = f"have {unit.id} stand elsewhere than in {at}"
        yield GoalChange(words, ELSEWHERE, (stacking_limit.id,), gone, goal)
