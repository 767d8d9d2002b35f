"""Columns near a plan: what went wrong in it is chosen anew, all other vehicles do the same again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.cpsat.transport.cuts import Passage
from marchtable_models.asl.cpsat.transport.offers import Columns

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from marchtable_models.asl.cpsat.transport.cuts import Cut
    from marchtable_models.asl.cpsat.transport.offers import Offer, Trip
    from marchtable_models.asl.cpsat.transport.program import Plan

__all__ = ["hindered", "near"]


def hindered(cuts: Iterable[Cut | Passage]) -> set[str]:
    """Return the units and vehicles that were refused something, or charged more for it."""
    found: set[str] = set()
    for cut in cuts:
        if isinstance(cut, Passage):
            found |= {cut.actor, cut.vehicle}
        else:
            found |= {literal.unit for literal in cut.literals}
    return found


def near(plan: Plan, several: Sequence[Columns], anew: Collection[str]) -> Columns:
    """Return of several choices what some vehicles may do, and all units while the others do the same."""
    trips: dict[str, list[Trip]] = {}
    for name, kept in plan.trips.items():
        trips[name] = [kept]
        if name in anew:
            told = {id(trip): trip for columns in several for trip in columns.trips[name]}
            trips[name] = [*told.values()]
    able = {id(trip) for found in trips.values() for trip in found}
    offers: dict[str, list[Offer]] = {}
    for name in plan.offers:
        every = {id(offer): offer for columns in several for offer in columns.offers[name]}
        offers[name] = [o for o in every.values() if o.trip is None or id(o.trip) in able]
    return Columns(offers, trips)
