"""Plans in which vehicles carry Infantry: a planner model (see :mod:`marchtable.rules.plan_model`)."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from marchtable.planning.choice.aims import demands, still
from marchtable.planning.choice.options import ClauseRows, Order, Problem, Ride, Terrain
from marchtable.planning.choice.presence import Stations
from marchtable.planning.choice.space import ChoiceSpace
from marchtable.planning.goals import units_of, with_carriers
from marchtable.planning.reasons import ANY, Family
from marchtable.state.goal import CRITERIA
from marchtable_models.asl.cpsat.reached.ends import left_by
from marchtable_models.asl.cpsat.transport.cuts import Charge, Cuts, part_of
from marchtable_models.asl.cpsat.transport.instance import Instance
from marchtable_models.asl.cpsat.transport.listing import Listing
from marchtable_models.asl.cpsat.transport.options import Plan, Trip
from marchtable_models.asl.cpsat.transport.replay import Clock
from marchtable_models.asl.hooks.conflict_candidates import BOARDING
from marchtable_models.asl.rules.carried import carried
from marchtable_models.asl.rules.loading import kept as mp_kept
from marchtable_models.asl.rules.offboard import leaves
from marchtable_models.asl.rules.riders import through
from marchtable_models.asl.rules.unloading import quarter

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from marchtable.planning.choice.model import Chosen
    from marchtable.planning.choice.options import Pair
    from marchtable.rules.plan_model import Control, PlanSpace, Task
    from marchtable.rules.ruling import Verdict
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable_models.asl.cpsat.transport.options import Option, TransportOptions
    from marchtable_models.asl.hooks.travel import AslTravel
    from marchtable_models.asl.model import AslPosition

    Aboard = Mapping[Trip, Mapping[str, Sequence[int]]]

__all__ = ["Transport"]

MORE = (16, 8, 4, 2)
"""Extra half points for a unit, largest first, to find a plan that few clauses forbid."""


class Done(NamedTuple):
    """The choice, and the acting order of vehicles."""

    options: Sequence[Option]
    turns: Sequence[Pair]


class Transport(ChoiceSpace["Option"]):
    """
    The transport model for one position and goal.

    Parameters
    ----------
    rulebook, position, goal
        The problem; the goal is checked.
    """

    name = "transport"

    def __init__(self, rulebook: AslTravel, position: AslPosition, goal: Goal) -> None:
        super().__init__(position, goal, "avoid")
        self.instance = Instance(rulebook, position, goal)
        self.listing = Listing(self.instance)
        self.clock = Clock(self.instance)
        self.cuts = Cuts(self.instance, self.clock)
        self._proposed: dict[tuple[Action, ...], Done] = {}

    def again(self) -> Transport:
        """Return a copy of the space, to be used while other clauses are off."""
        return Transport(self.instance.rulebook, self.position, self.goal)

    def problem_of(self, task: Task) -> Problem[Option]:
        """Return the choices for a task."""
        return stated(self.instance, self.clock, self.listing.options(task))

    @property
    def is_fit(self) -> bool:
        """
        Whether a vehicle carries or can carry a unit of the plan, or some are to leave the map.

        Or aims concern vehicles, and no other possible mover.
        """
        instance = self.instance
        carries = instance.aboard or any(map(instance.boarding.is_of_use, instance.vehicles))
        drives = any(map(instance.is_of_use, instance.vehicles)) and not instance.outsiders
        return bool(carries or instance.exits or drives)

    @property
    def might_carry(self) -> bool:
        """Whether vehicles and Infantry can move, even separately, and aims concern no others."""
        instance = self.instance
        return bool(instance.motors and instance.foot) and not instance.outsiders

    @property
    def space(self) -> PlanSpace:
        """The plans it searches; it leaves out what applied within what was examined."""
        return self.instance.space(self.name)

    # -- planner interface ------------------------------------------------------------------------

    def quick(self) -> Iterator[tuple[Action, ...]]:
        """Yield the plan without moves, if it is possible."""
        if not self.instance.restless(self.position):
            yield ()

    def reject(self, log: tuple[Action, ...], verdict: Verdict) -> None:  # noqa: ARG002 - a model's interface
        """Exclude this plan."""
        self._exclude(self._proposed[log])

    def differ(self, log: tuple[Action, ...]) -> None:
        """
        Require plans in which some unit ends elsewhere, or has spent another amount.

        Other equal plans are rejected when proposed: only then is their cost known.
        """
        if log in self._proposed:
            self._exclude(self._proposed[log])

    def families(self, control: Control) -> Iterator[Family]:
        """Yield the conflict candidates."""
        candidates = (*(self.instance.rulebook.conflict_candidates or ()), *BOARDING)
        guesses = partial(self._with_more_points, control)
        yield Family(candidates, bearing=self.space.left_out, guesses=guesses)

    def _with_more_points(self, control: Control) -> Iterator[tuple[Action, ...]]:
        """Yield plans that meet the musts if one unit with a required place has more points."""
        rulebook, position, goal = self.instance.rulebook, self.position, self.goal
        wanted = [u for aim in goal.aims if aim.must for u in units_of(aim, position)]
        for name in with_carriers(wanted, position):
            unit = position.unit(name)
            changed = (rulebook.with_points(position, unit, halves) for halves in MORE)
            richer = next((other for other in changed if other is not None), None)
            if richer is not None:
                log = type(self)(rulebook, richer, goal).best(ANY, control).log
                if log is not None:
                    yield tuple(log)

    def log_of(self, found: Chosen[Option], task: Task) -> tuple[Action, ...] | None:  # noqa: ARG002 - a model's interface
        """Return a choice's log, or None after learning what is wrong with it."""
        plan = plan_of(found.options, found.pairs)
        groups = self.clock.groups_of(plan)
        is_first = not self.learned.cuts
        run, is_whole, cuts = self.cuts.acted(groups)
        for cut in cuts:
            self._learn(cut)
        this = Done(plan.options(), self.cuts.turns(run, groups))
        if not is_whole:
            if not cuts:
                self._exclude(this)
            return None
        if self.instance.restless(run.position):
            self._exclude(this)
            return None
        if cuts:
            if is_first and not self.goal.threat:  # others might turn a unit to a less exposed way
                self.found(run.log)
            return None
        met = self.instance.measure.of(run.verdict).score["exposure"]
        if run.hindered and met < found.totals["exposure"]:  # the policy does not search for that
            self._exclude(this)
            return None
        self._proposed[run.log] = this
        return run.log

    # -- learning ---------------------------------------------------------------------------------

    def _learn(self, charge: Charge) -> None:
        """Learn an actor's extra cost."""
        key = (charge.actor, charge.given)
        self.learned.cuts[key] = charge.cut(self.learned.cuts.get(key))
        self.listing.cut(self.cuts.blocked(charge))

    def _exclude(self, done: Done) -> None:
        """Exclude this combination in these turns."""
        self.learned.orders.append(Order(frozenset(done.options), done.turns))
        self.listing.cut(part_of(self.position.board, option) for option in done.options)


# -- statements for CP-SAT -----------------------------------------------------------------------


def plan_of(chosen: Sequence[Option], before: Collection[Pair]) -> Plan:
    """Return the choice as a plan."""
    trips = {one.unit: one for one in chosen if isinstance(one, Trip)}
    offers = {one.unit: one for one in chosen if not isinstance(one, Trip)}
    return Plan(offers, trips, before)


def stated(instance: Instance, clock: Clock, options: TransportOptions) -> Problem[Option]:
    """Return the choices."""
    every: list[Option] = [
        *(offer for offers in options.offers.values() for offer in offers),
        *(trip for trips in options.trips.values() for trip in trips),
    ]  # fmt: skip
    idle = [*instance.idle.items()]
    aboard, leaving = _riding(every)
    rules = ClauseRows(
        rides=[*_rides(instance, every, aboard, leaving)],
        terrain=[*_terrain(every, aboard)],
        demands=[*demands(instance.measure, [*map(instance.stands, every)], idle)],
    )
    scores = [dict(zip(CRITERIA, option.score, strict=True)) for option in every]
    return Problem(
        every, scores, still(instance.measure, idle), rules, Stations(every, clock.stays)
    )


def _rides(
    instance: Instance,
    every: Sequence[Option],
    aboard: Aboard,
    leaving: Mapping[Trip, Sequence[int]],
) -> Iterator[Ride]:
    """
    Yield the possible load of each trip.

    The load goes along (D6.3b), also off the map (A2.6a); a stop for units to leave needs one that
    leaves (D6.5a); one of those whose MF count for the kept MP is aboard (D6.4c); and all of them
    fit (D6.1c).
    """
    rooms: dict[int, tuple[int, dict[str, int]]] = {}
    for goes, trip in enumerate(every):
        if not isinstance(trip, Trip):
            continue
        load, own = trip.load, aboard[trip]
        if id(load) not in rooms:
            rooms[id(load)] = instance.room(load)
        room, sizes = rooms[id(load)]
        is_full = sum(sizes.get(name, 0) for name in own) > room
        counted = [n for name in load.counted for n in own.get(name, ())]
        yield Ride(
            goes, carried.id, own,
            unloading=(leaving[trip], quarter.id) if trip.drop else None,
            counted=None if load.key is None else (counted, mp_kept.id),
            room=(room, instance.room_clause(load)) if is_full else None, sizes=sizes,
            off=leaves.id if left_by(trip.at) else "",
        )  # fmt: skip


def _terrain(every: Sequence[Option], aboard: Aboard) -> Iterator[Terrain]:
    """Yield that Riders are aboard only for trips whose ways were found with Riders (D6.21a)."""
    riding: dict[tuple[str, str], list[int]] = defaultdict(list)
    goes: dict[str, list[int]] = defaultdict(list)
    for number, trip in enumerate(every):
        if isinstance(trip, Trip) and trip.load.rider is not None:
            goes[trip.unit].append(number)
            for seat in trip.load.seats:
                if seat.unit.cargo.riding:
                    riding[trip.unit, seat.unit.id] += aboard[trip].get(seat.unit.id, ())
    for (vehicle, _), numbers in riding.items():
        if numbers:
            yield Terrain(through.id, numbers, goes[vehicle])


def _riding(every: Sequence[Option]) -> tuple[Aboard, dict[Trip, list[int]]]:
    """Return, by trip, the possible load by unit, and the leavers: options by number."""
    aboard: dict[Trip, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    leaving: dict[Trip, list[int]] = defaultdict(list)
    for number, option in enumerate(every):
        if not isinstance(option, Trip) and option.trip is not None:
            aboard[option.trip][option.unit].append(number)
            if not option.carried:
                leaving[option.trip].append(number)
    return aboard, leaving
