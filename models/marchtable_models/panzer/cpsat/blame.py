"""Which clauses together forbid what a goal demands: a smallest set, found by switching them off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.planning.reasons import Family, clauses_against
from marchtable_models.panzer.rules import (
    carrying,
    dispersal,
    loading,
    movement,
    observation,
    removal,
    stacking,
    terrain,
)

if TYPE_CHECKING:
    from marchtable.planning.reasons import Question
    from marchtable.rules.plan_model import Reason

__all__ = ["CANDIDATES", "STACKING", "blamed"]

CANDIDATES = tuple(
    one.id
    for one in (
        carrying.riders, carrying.armed_carriers, carrying.by_class, observation.observer_aboard,
        dispersal.dispersed, loading.exclusive, loading.wholly, loading.passenger_rests,
        loading.one_of_three, stacking.unloading, loading.half, movement.who_moves, movement.pay,
        removal.owner_removes,
    )
)  # fmt: skip
"""Clauses that are blamed first; the map and what its hexes cost are taken as given."""
BACKGROUND = tuple(
    one.id for one in (movement.one_hex, terrain.adjacent, terrain.added_terrain, terrain.chart)
)
"""Clauses on the map; blamed only where the goal is impossible with all candidates off."""
FIRST = movement.who_moves.id
"""Told rather than others: that a unit moves nowhere comes before how far it is."""
STACKING = stacking.game_rules.id
"""It also sets the road rate, so that without it less may be possible: it is never off but alone."""


def blamed(question: Question, bearing: tuple[str, ...]) -> tuple[Reason, ...] | None:
    """
    Return clauses that together forbid a goal's demands, so that none of them can be spared.

    Where all is impossible though the candidates are off, any clause of the rulebook may be blamed,
    those on the map rather than others. None if a limit was reached.

    Parameters
    ----------
    bearing
        Clauses that are not modelled and bear on it; they may be blamed as well.
    """
    likely = Family(CANDIDATES, bearing=bearing, fixed=(STACKING,), rather=(FIRST,))
    found = clauses_against(question, likely)
    if found != ():
        return found
    return clauses_against(question, Family(bearing=bearing, rather=(*BACKGROUND, FIRST)))
