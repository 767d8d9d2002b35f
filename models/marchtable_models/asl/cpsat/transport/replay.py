"""Acting order of a plan's options; plays its steps, each ruled on in turn, and finds ways among the units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.planning.choice.options import Moment
from marchtable.planning.choice.presence import END, START, Stay
from marchtable.planning.choice.replay import fewest, ranked
from marchtable.rules.ruling import Verdict
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.ruled import is_granted, tried, unmodelled
from marchtable_models.asl.cpsat.transport.options import OptionGroup, Trip, aboard_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action
    from marchtable_models.asl.cpsat.reached.paths import Places, ReachedEnd
    from marchtable_models.asl.cpsat.transport.instance import Instance
    from marchtable_models.asl.cpsat.transport.options import LoadedVehicle, Offer, Option, Plan
    from marchtable_models.asl.model import AslPosition, AslUnit

    Asked = tuple[AslUnit, Any, int]

__all__ = ["Clock", "PathResolver", "ResolvedPath", "Run", "standing_as", "standing_in", "without"]

BOARD, DRIVE, WALK = range(3)


class Clock:
    """
    The acting order of a plan: boarders, then vehicles with units leaving them, then walkers.

    Parameters
    ----------
    instance
        The problem.
    """

    def __init__(self, instance: Instance) -> None:
        self.instance, self.order = instance, instance.order
        self.place = {name: number for number, name in enumerate(sorted(instance.measure.movers))}
        self._stays: dict[Option, Sequence[Stay]] = {}

    def drives(self, name: str) -> Moment:
        """Return when a vehicle acts."""
        return Moment(DRIVE, name)

    def boards(self, offer: Offer) -> Moment:
        """Return when a unit boards: for one vehicle, the unit that counts goes first."""
        assert offer.trip is not None
        later = int(offer.unit not in offer.trip.load.counted)
        return Moment(BOARD, rest=(self.order[offer.trip.unit], later, self.place[offer.unit]))

    def walks(self, offer: Offer) -> Moment:
        """Return when a unit walks to its end: least to spare first."""
        rest = (offer.remaining or 0, self.place[offer.unit])
        if offer.trip is None:
            return Moment(WALK, rest=rest)
        return Moment(DRIVE, offer.trip.unit, rest)

    def acts(self, group: OptionGroup) -> Moment:
        """Return when a group acts."""
        if group.trip is not None:
            return self.drives(group.trip.unit)
        (offer,) = group.offers
        return self.boards(offer) if group.boards else self.walks(offer)

    def groups_of(self, plan: Plan) -> list[OptionGroup]:
        """Return a plan's groups in acting order."""
        turns = ranked(self.order, plan.before)
        offers = [*plan.offers.values()]
        found = [
            OptionGroup(None, (offer,), boards=True) for offer in offers if offer.board is not None
        ]
        for trip in plan.trips.values():
            off = [o for o in offers if o.trip is trip and not o.carried]
            if trip.way is not None or off:
                found.append(OptionGroup(trip, tuple(sorted(off, key=self.walks))))
        found += [OptionGroup(None, (o,)) for o in offers if o.trip is None and o.walk is not None]

        def time(group: OptionGroup) -> tuple[int, ...]:
            when = self.acts(group)
            return when.stage, *(when.rest or (turns[when.party],))

        return sorted(found, key=time)

    def stays(self, option: Option) -> Sequence[Stay]:
        """
        Return an option's places of its unit, by name and, for a vehicle, by others' view of it.

        A unit's act, and the vehicle it is first aboard, are stated as if they were Locations.
        """
        if option not in self._stays:
            found = self._found(option)
            if isinstance(option, Trip):
                found += [stay._replace(sort=self.instance.sorts[option.unit]) for stay in found]
            inside = Stay(option.unit, ("aboard", aboard_of(option)))
            self._stays[option] = [*found, inside, Stay(option.unit, option)]
        return self._stays[option]

    def _found(self, option: Option) -> list[Stay]:
        home, trip = self.instance.position.unit(option.unit).at, getattr(option, "trip", None)
        places: list[tuple[str | None, Moment]] = [(home, START)]
        if isinstance(option, Trip):
            places.append((option.at, self.drives(option.unit)))
        elif trip is not None:
            places.append((None, START if option.board is None else self.boards(option)))
            if not option.carried:
                places.append((trip.at, self.drives(trip.unit)))
        if not isinstance(option, Trip) and option.walk is not None:
            places.append((option.at, self.walks(option)))
        found: list[Stay] = []
        for (at, since), (_, until) in zip(places, [*places[1:], (None, END)], strict=True):
            if at is None or since == until:
                continue
            if found and found[-1].where == at and found[-1].until == since:
                found[-1] = found[-1]._replace(until=until)
            else:
                found.append(Stay(at, option.unit, since, until))
        return found


class Run:
    """
    A log in the making, without rejected steps.

    Parameters
    ----------
    instance
        The problem.
    position
        The start of the log.

    Attributes
    ----------
    hindered
        The vehicles that, or whose leavers, others were in the way of; and others on foot.
    """

    def __init__(self, instance: Instance, position: AslPosition) -> None:
        self.instance, self.position = instance, position
        self.rulings: list[Ruling] = []
        self.hindered: set[str] = set()

    def tried(self, actions: Sequence[Action], position: AslPosition | None = None) -> list[Ruling]:
        """Return rulings on actions in turn, up to the first rejected one."""
        found = tried(self.instance.rulebook, position or self.position, actions)
        if found and position is None and not is_granted(found[-1]):  # as in some plan
            self.instance.tables.left_out |= unmodelled(found[-1])
        return found

    def keep(self, rulings: Sequence[Ruling]) -> None:
        """Add granted rulings."""
        if rulings:
            self.rulings += rulings
            self.position = rulings[-1].after

    @property
    def log(self) -> tuple[Action, ...]:
        """All actions added."""
        return tuple(ruling.action for ruling in self.rulings)

    @property
    def verdict(self) -> Verdict:
        """The referee's verdict on the log."""
        return Verdict(rulings=tuple(self.rulings), stopped=None, position=self.position)


class ResolvedPath(NamedTuple):
    """
    A way among the present units.

    Parameters
    ----------
    rulings
        The rulings on its steps; None if there is no way.
    spent
        Half points spent at its end.
    blockers
        The others that make it dearer or bar it.
    """

    rulings: list[Ruling] | None
    spent: int
    blockers: tuple[str, ...]


class PathResolver:
    """
    Finds the cheapest ways among the present units, and which of them matter.

    Parameters
    ----------
    instance
        The problem.
    """

    def __init__(self, instance: Instance) -> None:
        self.instance = instance

    def settled(
        self, run: Run, asked: Asked, usual: ReachedEnd, fits: Callable[[Any], bool],
        load: LoadedVehicle | None = None,
    ) -> ResolvedPath:  # fmt: skip
        """Return the cheapest way to a place now; `usual` is the way without other units."""
        name, here = asked[0].id, run.position
        blockers: tuple[str, ...] = ()
        place: ReachedEnd | None = usual
        while place is not None:
            rulings = run.tried(place.actions(name))
            spent = _spent(rulings, name, place.spent)
            if spent is not None and spent <= place.spent:
                return ResolvedPath(rulings, spent, blockers)
            more = self._blamed(run, name, place, blockers)
            if not more:  # reach knows of a cause other than units
                return ResolvedPath(None if spent is None else rulings, spent or 0, blockers)
            blockers += more
            place = self.places_of(here, asked, fits, blockers, load).by(usual.at)
        return ResolvedPath(None, 0, blockers)

    def places_of(
        self, here: AslPosition, asked: Asked, fits: Callable[[Any], bool], blockers: Collection[str],
        load: LoadedVehicle | None = None,
    ) -> Places:  # fmt: skip
        """Return the places a search reaches among those present, without the others."""
        empty = self.instance.tables.empty.with_units(standing_as(here, blockers))
        if load is not None:
            empty = self.instance.with_rider(empty, load)
        found = self.instance.searched(empty, [asked], fits)[0]
        self.instance.among_others.update(found.found.unsupported)
        return found

    def _blamed(
        self, run: Run, name: str, place: ReachedEnd, blockers: tuple[str, ...]
    ) -> tuple[str, ...]:
        """Return the fewest units that, with the known ones, make a way dearer or impossible."""
        here, actions = run.position, place.actions(name)
        others = [n for n in standing_in(self.instance, here) if n not in (name, *blockers)]

        def is_bad(some: Collection[str]) -> bool:
            bare = without(here, {n for n in others if n not in some})
            spent = _spent(run.tried(actions, bare), name, place.spent)
            return spent is None or spent > place.spent

        way = {here.unit(name).at, *place.entered()}
        near = [n for n in others if here.unit(n).at in way]
        alike = [n for n in near if name in self.instance.vehicles and n in self.instance.vehicles]
        one = next((n for n in alike if is_bad((n,))), None)
        return (one,) if one is not None else fewest(near if is_bad(near) else others, is_bad)


def standing_in(instance: Instance, here: AslPosition) -> list[str]:
    """Return the plan's units on the ground."""
    return [
        unit.id for unit in here.units
        if unit.id in instance.names and unit.at is not None
        and not (unit.cargo.aboard or unit.cargo.towed_by)
    ]  # fmt: skip


def standing_as(here: AslPosition, names: Collection[str]) -> list[AslUnit]:
    """Return some units with their loads."""
    return [u for u in here.units if {u.id, u.cargo.aboard, u.cargo.towed_by} & {*names}]


def without(here: AslPosition, names: Collection[str]) -> AslPosition:
    """Return the position without some units and their loads."""
    gone = standing_as(here, names) if names else ()
    return here.with_units([replace(unit, at=None) for unit in gone]) if gone else here


def _spent(rulings: Sequence[Ruling], name: str, before: int) -> int | None:
    """Return a unit's expenditure after some steps, None if one was rejected."""
    if not rulings:
        return before
    last = rulings[-1]
    return last.after.unit(name).points.spent if is_granted(last) else None
