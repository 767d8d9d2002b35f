"""Separates cuts by simulating a plan: of what the referee refuses or charges more for."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from marchtable.planning.choice.replay import fewest
from marchtable_models.asl.cpsat.reached.ends import to_end, to_stand
from marchtable_models.asl.cpsat.ruled import is_granted
from marchtable_models.asl.cpsat.transport.boarding import to_board
from marchtable_models.asl.cpsat.transport.options import aboard_of
from marchtable_models.asl.cpsat.transport.replay import Run, standing_in, without
from marchtable_models.asl.cpsat.transport.surcharge_cuts import (
    FREE,
    Charge,
    SurchargeCuts,
    part_of,
)
from marchtable_models.asl.extraction.modes import mode_of
from marchtable_models.asl.verbs.carrying import Load, Unhook, Unload

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Sequence

    from marchtable.planning.choice.options import Given, Pair, Price
    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action
    from marchtable.state.position import Position
    from marchtable_models.asl.cpsat.transport.clock import Clock
    from marchtable_models.asl.cpsat.transport.instance import Instance
    from marchtable_models.asl.cpsat.transport.options import Column, Group, Offer, Trip
    from marchtable_models.asl.cpsat.transport.replay import Asked
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["CutSeparation"]


class CutSeparation:
    """
    Acts plans out, group by group.

    Parameters
    ----------
    instance, clock
        The problem, and when its columns act.
    """

    def __init__(self, instance: Instance, clock: Clock) -> None:
        self.instance, self.clock = instance, clock
        self.surcharges = SurchargeCuts(instance, clock)
        self._ways: dict[Hashable, tuple[Group, frozenset[str | None]]] = {}
        self._clean: dict[Hashable, tuple[AslPosition, list[Ruling]]] = {}

    def acted(self, groups: Sequence[Group]) -> tuple[Run, bool, list[Charge]]:
        """
        Return the log of some groups, whether all could act, and cuts of what was not as told.

        Who cannot act stays where it is, and the others go on: each cut holds for itself. What a
        group did before as told, with the same others about, is not ruled on again.
        """
        run, cuts, is_whole = Run(self.instance, self.instance.position), [], True
        for group in groups:
            before, told = run.position, len(run.rulings)
            key = self._met(before, group)
            if key in self._clean:
                run.repeat(*self._clean[key], _own(before, group))
                continue
            found: list[Charge] = []
            hindered, run.hindered = run.hindered, set()
            has_acted = self._act(run, group, found)
            if not has_acted and group.trip is not None:
                run.hindered.add(group.trip.unit)
            if has_acted and not found and not run.hindered:  # else it matters who is elsewhere
                self._clean[key] = before, run.rulings[told:]
            run.hindered |= hindered
            is_whole &= has_acted
            cuts += found
        return run, is_whole, cuts

    def turns(self, run: Run, groups: Sequence[Group]) -> tuple[Pair, ...]:
        """Return who acted before whom, of the vehicles whose ways meet, or that others hindered."""
        acted = [
            (group.trip.unit, self._way(group) | {group.trip.load.vehicle.at, group.trip.at})
            for group in groups
            if group.trip is not None
        ]
        return tuple(
            (first, then)
            for (first, one), (then, two) in combinations(acted, 2)
            if {first, then} & run.hindered or one & two
        )

    # -- who is met --------------------------------------------------------------------------------

    def _met(self, here: AslPosition, group: Group) -> Hashable:
        """Return who acts how, and who else stands on the way."""
        looked = self._way(group) | {str(here.unit(o.unit).at) for o in group.offers}
        if group.trip is not None:
            looked |= {str(group.trip.load.vehicle.at)}
        return (*_key(group), *[(u.id, u.at, u.cargo.aboard) for u in here.units if u.at in looked])

    def _way(self, group: Group) -> frozenset[str | None]:
        """Return the Locations on the way of all in a group."""
        key = _key(group)
        if key not in self._ways:
            ways = [None if group.trip is None else group.trip.way]
            ways += [o.board if group.boards else o.walk for o in group.offers]
            names = [at for way in ways if way is not None for at in (way.at, *way.entered())]
            self._ways[key] = (group, frozenset(names))
        return self._ways[key][1]

    # -- one after another -------------------------------------------------------------------------

    def _act(self, run: Run, group: Group, cuts: list[Charge]) -> bool:
        if group.boards:
            return self._board(run, group.offers[0], cuts)
        given: Given = frozenset()
        before, offers, trip = run.position, group.offers, group.trip
        if trip is not None and trip.way is not None:
            asked = self.instance.setting_out(trip.load)
            settled = self.surcharges.settled(run, asked, trip.way, to_stand, trip.load)
            if settled.kept:
                run.hindered.add(trip.unit)
                cuts += self.surcharges.of_vehicle(before, trip, offers, settled.kept)
                given = self.surcharges.stands(before, settled.kept, self.clock.drives(trip.unit))
            if settled.rulings is None:
                return False
            run.keep(settled.rulings)
            if given and not all(self.surcharges.left(o, trip, settled.spent) for o in offers):
                return False  # the cut tells that too
        if trip is not None and offers and not self._unload(run, trip, offers, given, cuts):
            return False
        walked = [self._walk(run, offer, cuts) for offer in offers]
        return all(walked)

    def _walk(self, run: Run, offer: Offer, cuts: list[Charge]) -> bool:
        if offer.walk is None:
            return True
        settled = self.surcharges.settled(run, _asked(run, offer), offer.walk, to_end)
        if settled.kept:
            run.hindered.add(offer.unit if offer.trip is None else offer.trip.unit)
            cuts += self.surcharges.of_walker(run.position, offer, settled.kept)
        run.keep(settled.rulings or ())
        return settled.rulings is not None

    def _board(self, run: Run, offer: Offer, cuts: list[Charge]) -> bool:
        """Let a unit walk to its vehicle and board it, all as told, or neither."""
        assert offer.trip is not None
        assert offer.board is not None
        settled = self.surcharges.settled(run, _asked(run, offer), offer.board, to_board)
        if settled.kept:
            cuts += self.surcharges.of_boarder(run.position, offer, settled.kept)
        if settled.rulings is None or settled.kept:
            return False
        vehicle, seats = aboard_of(offer), {s.unit.id: s for s in offer.trip.load.seats}
        seat = seats[offer.unit]
        there = Run(self.instance, run.position)
        there.keep(settled.rulings)
        action = Load((offer.unit,), vehicle, seat.unit.cargo.riding)

        def is_told(ruling: Ruling) -> bool:
            after = ruling.after
            return (
                is_granted(ruling) and after.unit(offer.unit).points.spent == seat.unit.points.spent
            )

        def more(column: Column) -> Price | None:
            return None if aboard_of(column) == vehicle else FREE

        who = self._hindering(there, action, (offer.unit, vehicle), is_told)
        if who is None:
            run.keep([*settled.rulings, *there.tried((action,))])
            return True
        given = self.surcharges.stands(there.position, who, self.clock.boards(offer))
        given |= {self.surcharges.inside(u.id, vehicle) for u in there.position.units
                  if u.cargo.aboard == vehicle and u.id in seats}  # fmt: skip
        cuts.append(Charge(given, offer.unit, more, vehicle))
        return False

    def _unload(
        self, run: Run, trip: Trip, offers: Sequence[Offer], given: Given, cuts: list[Charge]
    ) -> bool:
        """Let a stack leave its vehicle; of those who may not, as few are told as will do."""
        rulings = run.tried((_leaving(trip, offers),))
        if is_granted(rulings[-1]):
            run.keep(rulings)
            return True
        for offer in offers:
            fewer = [other for other in offers if other is not offer]
            if fewer and not is_granted(run.tried((_leaving(trip, fewer),))[-1]):
                offers = fewer
        mine = (*(offer.unit for offer in offers), trip.unit)
        who = self._hindering(run, _leaving(trip, offers), mine, is_granted) or ()
        given |= self.surcharges.stands(run.position, who, self.clock.drives(trip.unit))
        given |= {*map(self.surcharges.doing, offers)}
        _, ends = part_of(self.instance.position.board, trip)
        cuts.append(
            Charge(given, trip.unit, lambda column: None if column is trip else FREE, ends=ends)
        )
        return False

    def _hindering(
        self, run: Run, action: Action, mine: Sequence[str], is_told: Callable[[Ruling], bool]
    ) -> tuple[str, ...] | None:
        """Return as few others as will do for whom an action is not as told; None where it is."""
        here = run.position

        def is_bad(some: Collection[str]) -> bool:
            gone = {n for n in standing_in(self.instance, here) if n not in some and n not in mine}
            return not is_told(run.tried((action,), without(here, gone))[-1])

        if is_told(run.tried((action,))[-1]):
            return None
        others = [n for n in standing_in(self.instance, here) if n not in mine]
        beside = [n for n in others if here.unit(n).at == here.unit(mine[-1]).at]
        return fewest(beside if is_bad(beside) else others, is_bad)


def _key(group: Group) -> tuple[object, ...]:
    return (id(group.trip), *map(id, group.offers), group.boards)


def _asked(run: Run, offer: Offer) -> Asked:
    """Return a unit as its walk starts: from where it stood, or where it has been left."""
    unit = run.position.unit(offer.unit)
    return unit, mode_of(unit), unit.points.spent


def _own(here: AslPosition, group: Group) -> set[str]:
    """Return the units that act in a group, what they carry, and what they board."""
    names = {offer.unit for offer in group.offers}
    if group.boards:
        return names | {aboard_of(group.offers[0])}
    if group.trip is not None:
        vehicle = group.trip.unit
        carried = (u.id for u in here.units if vehicle in (u.cargo.aboard, u.cargo.towed_by))
        names |= {vehicle, *carried}
    return names


def _leaving(trip: Trip, offers: Sequence[Offer]) -> Unload | Unhook:
    """Return how a stack leaves its vehicle."""
    if trip.unhook:
        return Unhook(trip.unit, trip.unhook)
    return Unload(tuple(sorted(offer.unit for offer in offers)))
