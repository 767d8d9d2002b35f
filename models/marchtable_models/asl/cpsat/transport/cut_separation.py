"""Separates cuts by simulating a plan: of what the referee refuses or charges more for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from marchtable.state.records import differences, replace
from marchtable_models.asl.cpsat.fewest import least
from marchtable_models.asl.cpsat.ruled import is_granted
from marchtable_models.asl.cpsat.transport.cuts import FREE, Charge, aboard_of
from marchtable_models.asl.cpsat.transport.meetings import (
    Meetings,
    boarding,
    foreseen,
    leaving,
    own,
)
from marchtable_models.asl.cpsat.transport.replay import Run
from marchtable_models.asl.cpsat.transport.resolved_paths import broken, standing_in, without
from marchtable_models.asl.cpsat.transport.surcharge_cuts import SurchargeCuts

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Sequence

    from marchtable.planning.choice.options import Given, Price
    from marchtable.state.action import Action
    from marchtable.state.position import Position
    from marchtable_models.asl.cpsat.transport.clock import Clock
    from marchtable_models.asl.cpsat.transport.cuts import Column
    from marchtable_models.asl.cpsat.transport.instance import Instance
    from marchtable_models.asl.cpsat.transport.options import Group, Offer, Trip
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["CutSeparation"]


class Done(NamedTuple):
    """
    What a group did, all as told.

    Parameters
    ----------
    before, after
        Where everybody stood.
    actions
        What it did.
    """

    before: AslPosition
    after: AslPosition
    actions: list[Action]


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
        self.meetings = Meetings(instance)
        self._clean: dict[Hashable, Done] = {}

    def acted(
        self, groups: Sequence[Group], *, lazily: bool = False
    ) -> tuple[Run, bool, list[Charge]]:
        """
        Return the log of some groups, whether all could act, and cuts of what was not as told.

        Who cannot act stays where it is, and the others go on: each cut holds for itself. Lazily,
        who meets nobody on the way is taken to do what the tables tell, and what a group did
        before, with the same others about, is not ruled on again.
        """
        run, cuts, is_whole = Run(self.instance, self.instance.position), [], True
        self.clock.begin(groups)
        for group in groups:
            before = run.position
            key, is_alone = self.meetings.about(before, group)
            if lazily:
                known = self._clean.get(key)
                if known is not None or is_alone:
                    units = (
                        foreseen(self.instance, before, group)
                        if known is None
                        else _again(before, known, own(before, group))
                    )
                    run.take(self.meetings.acts(group) if known is None else known.actions, units)
                    continue
            found: list[Charge] = []
            hindered, run.hindered = run.hindered, set()
            told = len(run.log)
            has_acted = self._act(run, group, found)
            if not has_acted and group.trip is not None:
                run.hindered.add(group.trip.unit)
            if has_acted and not found and not run.hindered:  # else it matters who is elsewhere
                self._clean[key] = Done(before, run.position, run.log[told:])
            run.hindered = hindered | run.hindered
            is_whole &= has_acted
            cuts += found
        return run, is_whole, cuts

    def _act(self, run: Run, group: Group, cuts: list[Charge]) -> bool:
        if group.boards:
            return self._board(run, group.offers[0], cuts)
        kept: tuple[str, ...] = ()
        before, offers = run.position, group.offers
        if group.trip is not None and group.trip.way is not None:
            settled = self.surcharges.drive(run, group.trip)
            kept = settled.kept
            if kept:
                run.hindered.add(group.trip.unit)
                cuts += self.surcharges.of_vehicle(before, group.trip, offers, kept)
            if settled.rulings is None:
                return False
            run.keep(settled.rulings)
            if kept and not all(self.surcharges.left(o, group.trip, settled.spent) for o in offers):
                return False  # the cut tells that too
        if group.trip is not None and group.offers:
            time = (1, self.clock.order[group.trip.unit])
            stands = self.surcharges.stands(before, kept, time)
            if not self._unload(run, group.trip, group.offers, stands, cuts):
                return False
        walked = [self._walk(run, offer, cuts) for offer in group.offers]
        return all(walked)

    def _walk(self, run: Run, offer: Offer, cuts: list[Charge]) -> bool:
        if offer.walk is None:
            return True
        settled = self.surcharges.walk(run, offer)
        if settled.kept:
            run.hindered.add(offer.unit if offer.trip is None else offer.trip.unit)
            cuts += self.surcharges.of_walker(run.position, offer, settled.kept)
        run.keep(settled.rulings or ())
        return settled.rulings is not None

    def _board(self, run: Run, offer: Offer, cuts: list[Charge]) -> bool:
        assert offer.trip is not None
        settled = self.surcharges.board(run, offer)
        if settled.kept:
            cuts += self.surcharges.of_boarder(run.position, offer, settled.kept)
        if settled.rulings is None or settled.kept:
            return False
        vehicle = offer.trip.load.vehicle.id
        start = run.position
        run.keep(settled.rulings)
        seat = next(s for s in offer.trip.load.seats if s.unit.id == offer.unit)
        action = boarding(offer)
        rulings = run.tried((action,))
        ruling = rulings[-1]
        if (
            is_granted(ruling)
            and ruling.after.unit(offer.unit).points.spent == seat.unit.points.spent
        ):
            run.keep(rulings)
            return True
        alone = run.tried((action,), self._apart(run.position, (), {offer.unit, vehicle}))
        clauses = tuple(broken(rulings, alone))

        def is_bad(some: Collection[str]) -> bool:
            left = self._apart(run.position, some, {offer.unit, vehicle})
            found = run.tried((action,), left)[-1]
            return (
                not is_granted(found)
                or found.after.unit(offer.unit).points.spent != seat.unit.points.spent
            )

        time, aboard = self.clock.boards(offer), self._aboard(run.position, offer.trip)
        given = self._others(run.position, (offer.unit, vehicle), is_bad, time) | aboard

        def more(column: Column) -> Price | None:
            return None if aboard_of(column) == vehicle else FREE

        cuts.append(Charge(given, offer.unit, more, lambda: clauses, vehicle))
        run.position = start
        del run.log[len(run.log) - len(settled.rulings) :]
        del run.rulings[len(run.rulings) - len(settled.rulings) :]
        return False

    def _unload(
        self, run: Run, trip: Trip, offers: Sequence[Offer], stands: Given,
        cuts: list[Charge],
    ) -> bool:  # fmt: skip
        """Let a stack leave its vehicle; of those who may not, as few are told as will do."""
        rulings = run.tried((leaving(trip, offers),))
        if is_granted(rulings[-1]):
            run.keep(rulings)
            return True
        for offer in offers:
            fewer = [other for other in offers if other is not offer]
            if fewer and not is_granted(run.tried((leaving(trip, fewer),))[-1]):
                offers = fewer
        mine = [*(offer.unit for offer in offers), trip.unit]

        def is_bad(some: Collection[str]) -> bool:
            left = self._apart(run.position, some, {*mine})
            return not is_granted(run.tried((leaving(trip, offers),), left)[-1])

        time = (1, self.clock.order[trip.unit])
        given = frozenset(map(self.surcharges.spots.doing, offers)) | stands
        given |= self._others(run.position, mine, is_bad, time)
        ruling = run.tried((leaving(trip, offers),))[-1]
        clauses = tuple(v.clause for v in (*ruling.violations, *ruling.unsupported))
        cuts.append(
            Charge(given, trip.unit, lambda c: None if c is trip else FREE, lambda: clauses)
        )
        return False

    def _apart(
        self, here: AslPosition, kept: Collection[str], mine: Collection[str]
    ) -> AslPosition:
        names = standing_in(self.instance, here)
        return without(here, {n for n in names if n not in kept and n not in mine})

    def _others(
        self, here: AslPosition, mine: Sequence[str], is_bad: object, time: tuple[int, ...]
    ) -> Given:
        """Return that as few others as will do stand where they do."""
        others = [n for n in standing_in(self.instance, here) if n not in mine]
        beside = [n for n in others if here.unit(n).at == here.unit(mine[-1]).at]
        found = least(beside if is_bad(beside) else others, is_bad)  # type: ignore[operator,arg-type]
        return self.surcharges.stands(here, found, time)

    def _aboard(self, here: AslPosition, trip: Trip) -> Given:
        """Return that those are aboard a vehicle who are so already."""
        names = {seat.unit.id for seat in trip.load.seats}
        return frozenset(self.surcharges.spots.inside(u.id, trip.unit) for u in here.units
                         if u.cargo.aboard == trip.unit and u.id in names)  # fmt: skip


def _again(here: AslPosition, done: Done, names: Collection[str]) -> list[AslUnit]:
    """Return some units here with what became of them elsewhere."""
    pairs = zip(done.before.units, done.after.units, strict=True)
    changed = [(was, now) for was, now in pairs if now is not was and now.id in names]
    return [replace(here.unit(now.id), **differences(was, now)) for was, now in changed]
