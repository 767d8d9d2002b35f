"""Whom a plan's groups meet on their ways."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from marchtable_models.asl.cpsat.transport.forecast import acts, own
from marchtable_models.asl.cpsat.transport.options import name_of
from marchtable_models.asl.cpsat.transport.precedence import After

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from marchtable.state.action import Action
    from marchtable.state.position import Position
    from marchtable_models.asl.cpsat.transport.instance import Instance
    from marchtable_models.asl.cpsat.transport.replay import Group, Run
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["Meetings"]


class Meetings:
    """
    Who stands where groups go.

    Parameters
    ----------
    instance
        The problem.
    """

    def __init__(self, instance: Instance) -> None:
        guns = (str(u.cargo.towing) for u in instance.vehicles.values() if u.cargo.towing)
        self._movers = {*instance.names, *guns}
        self._ways: dict[Hashable, tuple[Group, frozenset[str | None]]] = {}
        self._acts: dict[Hashable, tuple[Group, list[Action]]] = {}

    def acts(self, group: Group) -> list[Action]:
        """Return what a group does where it meets nobody."""
        key = _key(group)
        if key not in self._acts:
            self._acts[key] = (group, acts(group))
        return self._acts[key][1]

    def about(self, here: AslPosition, group: Group) -> tuple[Hashable, bool]:
        """Return who acts how and who else stands on the way, and whether nobody of the plan does."""
        way = self.way(group)
        looked = way | {str(here.unit(o.unit).at) for o in group.offers}
        if group.trip is not None:
            looked |= {str(group.trip.load.vehicle.at)}
        near = [u for u in here.units if u.at in looked]
        mine = own(here, group)
        if group.boards and way - {here.unit(group.offers[0].unit).at}:
            mine = {group.offers[0].unit}  # it has to get to where the vehicle stands
        is_alone = all(u.id in mine or u.id not in self._movers for u in near)
        return (*_key(group), *[(u.id, u.at, u.cargo.aboard) for u in near]), is_alone

    def way(self, group: Group) -> frozenset[str | None]:
        """Return the Locations on the way of all in a group."""
        key = _key(group)
        if key not in self._ways:
            ways = [group.trip and group.trip.way]
            ways += [o.board if group.boards else o.walk for o in group.offers]
            names = [at for way in ways if way is not None for at in (way.at, *way.entered())]
            self._ways[key] = (group, frozenset(names))
        return self._ways[key][1]

    def turns(self, run: Run, groups: Sequence[Group]) -> tuple[After, ...]:
        """Return who acted after whom, of the vehicles whose ways meet, or that others hindered."""
        acted = [
            (name_of(group.trip), self.way(group) | {group.trip.load.vehicle.at, group.trip.at})
            for group in groups
            if group.trip is not None
        ]
        return tuple(
            After(then, first)
            for (first, one), (then, two) in combinations(acted, 2)
            if {first, then} & run.hindered or one & two
        )


def _key(group: Group) -> tuple[object, ...]:
    return (id(group.trip), *map(id, group.offers), group.boards)
