"""Finds who had to stand where for the referee to refuse a group, or to charge it more."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from marchtable_models.asl.cpsat.cuts import Cut, Literal
from marchtable_models.asl.cpsat.replay import Group, RefusedError, Run

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from marchtable.position import Position
    from marchtable_models.asl.cpsat.cuts import Clock
    from marchtable_models.asl.cpsat.gather import Gathered
    from marchtable_models.asl.cpsat.offers import Offer, Trip
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["Blame", "Result", "actor_of", "tried"]

replace = msgspec.structs.replace


class Result(NamedTuple):
    """How a group fared: half points beyond what was told, or None and the clauses it broke."""

    extra: int | None
    clauses: tuple[str, ...] = ()

    def is_as_bad_as(self, other: Result) -> bool:
        """Tell whether it fared no better than another."""
        if self.extra is None:
            return True
        return other.extra is not None and self.extra >= other.extra


def actor_of(group: Group) -> str:
    """Return whom a group is about."""
    return group.trip.load.vehicle.id if group.trip is not None else group.offers[0].unit


def tried(gathered: Gathered, run: Run, group: Group) -> Result:
    """Lay down a group and tell how it fared."""
    try:
        run.act(group)
    except RefusedError as refused:
        return Result(None, refused.clauses)
    start, now = gathered.position.unit, run.position.unit
    extra = sum(now(name).spent - start(name).spent - told for name, told in _told(group))
    if group.boards and extra:
        return Result(None, ("A5.11a",))  # not as the policy has it
    return Result(extra)


def _told(group: Group) -> Iterator[tuple[str, int]]:
    """Yield the units of a group, and what each has spent by then as the tables tell it."""
    for offer in group.offers:
        if group.boards:
            assert offer.trip is not None
            seat = next(s for s in offer.trip.load.seats if s.unit.id == offer.unit)
            yield offer.unit, seat.unit.spent
        else:
            yield offer.unit, offer.score[3]
    if group.trip is not None:
        yield group.trip.load.vehicle.id, group.trip.score[3]


class Blame:
    """
    Makes cuts of groups that fared ill.

    Parameters
    ----------
    gathered, clock
        The problem, and when its columns act.
    """

    def __init__(self, gathered: Gathered, clock: Clock) -> None:
        self.gathered, self.clock = gathered, clock

    def cut(self, before: AslPosition, group: Group, result: Result) -> Cut:
        """Return the cut of a group, with as few others in it as will do."""
        mine = {actor_of(group), *(offer.unit for offer in group.offers)}
        others = [
            unit.id for unit in before.units
            if unit.id in self.gathered.names and unit.id not in mine
            and unit.at is not None and unit.aboard is None
        ]  # fmt: skip

        def is_as_bad(kept: Collection[str], part: Group) -> bool:
            run = Run(self.gathered, self._without(before, set(others) - set(kept)))
            return tried(self.gathered, run, part).is_as_bad_as(result)

        part = self._least_part(group, lambda part: is_as_bad(others, part))
        kept = list(others)
        for name in others:
            fewer = [other for other in kept if other != name]
            if is_as_bad(fewer, part):
                kept = fewer
        time = self.clock.of(group)
        extra = None if result.extra is None else (0, 0, 0, result.extra, 0)
        literals = (*self._own(part), *(self._stands(before, name, time) for name in kept))
        return Cut(literals, actor_of(group), extra, result.clauses)

    def _without(self, position: AslPosition, names: set[str]) -> AslPosition:
        return position.with_units([
            replace(unit, at=None)
            for unit in position.units
            if unit.id in names or unit.aboard in names or unit.towed_by in names
        ])  # fmt: skip

    def _least_part(self, group: Group, is_as_bad: Callable[[Group], bool]) -> Group:
        """Return the group without those of its units whose leaving the vehicle does not matter."""
        if group.trip is None:
            return group
        if group.trip.way is not None and is_as_bad(group._replace(offers=())):
            return group._replace(offers=())
        for offer in group.offers:
            fewer = tuple(other for other in group.offers if other is not offer)
            if fewer and is_as_bad(group._replace(offers=fewer)):
                group = group._replace(offers=fewer)
        return group

    def _own(self, group: Group) -> Iterator[Literal]:
        for offer in group.offers:
            yield _boards(offer) if group.boards else _is(offer.unit, offer)
        if group.trip is not None:
            yield _goes(group.trip) if not group.offers else _is(actor_of(group), group.trip)

    def _stands(self, before: AslPosition, name: str, time: tuple[int, ...]) -> Literal:
        at, where = before.unit(name).at, self.clock.where
        return Literal(name, lambda column: where(column, time) == at)


def _is(name: str, chosen: Offer | Trip) -> Literal:
    return Literal(name, lambda column: column is chosen)


def _boards(chosen: Offer) -> Literal:
    """Return the literal of boarding the same vehicle, whatever comes then."""
    assert chosen.trip is not None
    vehicle = chosen.trip.load.vehicle

    def same(column: Offer | Trip) -> bool:
        trip = getattr(column, "trip", None)
        return trip is not None and trip.load.vehicle is vehicle

    return Literal(chosen.unit, same)


def _goes(chosen: Trip) -> Literal:
    """Return the literal of going to the same place with the same load, left there or not."""

    def same(column: Offer | Trip) -> bool:
        return getattr(column, "load", None) is chosen.load and column.at == chosen.at

    return Literal(chosen.load.vehicle.id, same)
