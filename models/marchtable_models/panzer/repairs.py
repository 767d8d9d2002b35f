"""Changes that would make a delivery possible, in the players' terms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable.planning.goals import places_of, units_of, with_carriers
from marchtable.rules.plan_hooks import GoalChange
from marchtable_models.panzer.rules.carrying import pairing
from marchtable_models.panzer.rules.dispersal import dispersed
from marchtable_models.panzer.rules.loading import exclusive
from marchtable_models.panzer.rules.stacking import game_rules, unloading
from marchtable_models.panzer.views.units import passengers, type_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.rules.edition import Edition
    from marchtable.state.goal import Goal
    from marchtable_models.panzer.model import PanzerPosition, PanzerUnit

__all__ = ["changes", "with_points"]

replace = msgspec.structs.replace
EARLIER, ELSEWHERE, IN_ORDER = 4, 5, 6
"""Size of a change: to have loaded before, been elsewhere, not been dispersed."""
MOST_MF = 99


def with_points(position: PanzerPosition, unit: PanzerUnit, halves: int) -> PanzerPosition | None:
    """Return the position if the unit had a larger movement factor; whole points only."""
    kind = type_of(position, unit)
    mf = kind.mf + halves // 2
    if halves % 2 or not 0 <= mf <= MOST_MF or not kind.mf:
        return None
    other = replace(kind, name=f"{kind.name}*{unit.id}", mf=mf)
    types = tuple([t for t in position.conditions.types if t.name != other.name])
    conditions = replace(position.conditions, types=(*types, other))
    changed = replace(position, conditions=conditions)
    return changed.with_units([replace(unit, type=other.name)])


def _conveyors(position: PanzerPosition, names: Sequence[str], edition: Edition) -> list[str]:
    """Return these units and those that could carry one of them, its own transport first."""
    found = dict.fromkeys(with_carriers(names, position))
    for name in names:
        found |= dict.fromkeys(u.id for u in _carriers(position, position.unit(name), edition))
    return list(found)


def _carriers(position: PanzerPosition, unit: PanzerUnit, edition: Edition) -> Iterator[PanzerUnit]:
    for other in position.units:
        if other is not unit and other.at is not None and other.side == unit.side:
            facts = pairing(position, other, unit)
            if other.aboard is None and not edition.judge(facts).bars:
                yield other


def changes(position: PanzerPosition, goal: Goal, edition: Edition) -> Iterator[GoalChange]:
    """Yield changes that might get units delivered."""
    for aim in goal.aims:
        if aim.must is None:
            continue
        names = units_of(aim, position)
        yield from _loaded_before(position, goal, names, edition)
        yield from _in_order(position, goal, _conveyors(position, names, edition))
        for at in sorted(places_of(aim.at, position.board)):
            yield from _elsewhere(position, goal, at, names)


def _loaded_before(
    position: PanzerPosition, goal: Goal, names: Sequence[str], edition: Edition
) -> Iterator[GoalChange]:
    """Yield the change that a transport in its hex had loaded a unit in an earlier turn."""
    clauses = (exclusive.id,)
    for unit in map(position.unit, names):
        if unit.aboard is not None or unit.at is None:
            continue
        for carrier in _carriers(position, unit, edition):
            if carrier.at == unit.at and not passengers(position, carrier):
                loaded = [
                    replace(unit, aboard=carrier.id),
                    replace(carrier, height=unit.height + 1),
                ]
                words = f"have {unit.id} aboard {carrier.id} already"
                yield GoalChange(words, EARLIER, clauses, position.with_units(loaded), goal)


def _in_order(position: PanzerPosition, goal: Goal, names: Sequence[str]) -> Iterator[GoalChange]:
    for unit in map(position.unit, names):
        if unit.dispersed:
            changed = position.with_units([replace(unit, dispersed="")])
            yield GoalChange(f"recover {unit.id} first", IN_ORDER, (dispersed.id,), changed, goal)


def _elsewhere(
    position: PanzerPosition, goal: Goal, at: str, names: Sequence[str]
) -> Iterator[GoalChange]:
    """Yield the change that a unit not to be delivered is not in the hex."""
    clauses = (unloading.id, game_rules.id)
    for unit in position.beside(at):
        if unit.side != position.side or unit.id in names or unit.aboard is not None:
            continue
        cargo = passengers(position, unit)
        gone = position.with_units([replace(u, at=None, aboard=None) for u in (unit, *cargo)])
        yield GoalChange(
            f"have {unit.id} stand elsewhere than in {at}", ELSEWHERE, clauses, gone, goal
        )
