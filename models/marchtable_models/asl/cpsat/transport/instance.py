"""The problem instance: possible tasks of a plan's units, from reach and the rulebook."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from marchtable.planning.goals import places_of, units_of
from marchtable.rules.clause import switched_off
from marchtable.rules.plan_model import PlanSpace
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.reached.ends import final_place, to_end, to_stand
from marchtable_models.asl.cpsat.reached.paths import Places, bare, searched
from marchtable_models.asl.cpsat.reached.taking_part import TakingPart, waits_by
from marchtable_models.asl.cpsat.ruled import unmodelled
from marchtable_models.asl.cpsat.transport.options import LoadedVehicle, Offer, Seat
from marchtable_models.asl.cpsat.transport.tables import Tables
from marchtable_models.asl.model import End
from marchtable_models.asl.rules.capacity import rider_dates
from marchtable_models.asl.rules.offboard import from_offboard
from marchtable_models.asl.views import modes, reading

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from marchtable.planning.score import FinalPlace
    from marchtable.state.goal import Goal
    from marchtable_models.asl.cpsat.reached.paths import ReachedEnd
    from marchtable_models.asl.cpsat.transport.options import Trip
    from marchtable_models.asl.cpsat.transport.tables import AfterBoarding, AfterUnloading
    from marchtable_models.asl.hooks.travel import AslTravel
    from marchtable_models.asl.model import AslPosition, AslUnit

    Boarders = dict[str, dict[str, tuple[ReachedEnd, AfterBoarding]]]

__all__ = ["ENTERING", "OTHERS", "VERBS", "Instance", "PossibleLoads", "to_board"]

VERBS = (
    "start", "stop", "turn", "enter", "leave-road", "minimum", "double-time", "gallop", "load",
    "unload", "unhook", "bypass", "along", "into",
)  # fmt: skip
BOARDERS_FIRST = "The units that board a vehicle go first: each walks alone to where the vehicle stands and boards it"
EITHER = ". All units that board one vehicle are Passengers, or all are Riders."
INSIDE = " as a Passenger. The scene states no year, so it is not known which units can be Riders."
DRIVING = (
    "Then the vehicles act, in the best order. Each goes to one Location and stops. One stack can get "
    "off there, or one unit can unhook the Gun in tow. Units that get off walk on at once, before "
    "another vehicle acts. No vehicle goes where its Riders would bail out, or ends in Bypass."
)
RESTING = (
    "A vehicle in Motion that goes nowhere stays in Motion only if the rules allow its MPh to end that "
    "way with no other unit of the plan on the map, or with all of them where they begin. Otherwise it stops where it is."
)
WALKING = "Then the other Infantry walks, each unit alone."
WAYS = (
    "Each unit takes a route of least points without rolls; of several, the least exposed. "
    "Of units that walk one after another, "
    "the one with the fewest points to spare goes first (ties are broken by name). No unit pays for "
    "overstacking on the way to a vehicle. Plans in which other units divert a unit to a less exposed "
    "route are not searched."
)
LEAVING = (
    "Units leave the map by a Location that an aim `exit` names: a vehicle, with everything "
    "aboard or in tow, instead of stopping; a unit on foot at the end of its walk, with no points to spare."
)
STAYING = "No unit leaves the map."
ENTERING = (
    "Units that wait off the map come on when it is their turn to go, by one of the Locations stated for them, or "
    "stay there. Vehicles come on with everything aboard or in tow at the start."
)
OTHERS = (
    "Units that are not among the movers do nothing, and neither do vehicles that carry them, even if "
    "the rules demand something of them before the MPh ends."
)
ELSE = (
    "A vehicle stops once, and picks up no unit on its way. No unit boards another vehicle after leaving one. No "
    "Gun is hooked up, because all units that take part become TI and cannot move. Cargo stays aboard. No unit "
    "drops a SW or lends IPC."
)


def to_board(mode: Any) -> bool:
    """Return whether a unit on foot can board in a mode: no Double Time, allotment not used up."""
    return mode.bypass is None and not (mode.double or mode.tired or mode.final)


class PossibleLoads:
    """
    The possible loads of a plan's vehicles as they go.

    Parameters
    ----------
    participants, tables
        The units taking part, and the clauses' answers.
    walks
        The places each unit on foot reaches alone.
    """

    def __init__(self, participants: Instance, tables: Tables, walks: Mapping[str, Places]) -> None:
        self.participants, self.tables, self.walks = participants, tables, walks
        self._places: dict[str, Places] = {}

    @cached_property
    def boarders(self) -> Boarders:
        """For each vehicle, its possible Passengers: the way there, and both units afterwards."""
        return self._able(riding=False)

    @cached_property
    def riders(self) -> Boarders:
        """For each vehicle, its possible Riders; none if the scene states no year (D6.2b)."""
        is_known = self.participants.position.conditions.year or rider_dates.id in switched_off()
        if not is_known:
            return {name: {} for name in self.participants.vehicles}
        return self._able(riding=True)

    def _able(self, *, riding: bool) -> Boarders:
        taking_part = self.participants
        found: Boarders = {name: {} for name in taking_part.vehicles}
        for name, vehicle in taking_part.vehicles.items():
            for unit in taking_part.foot.values() if vehicle.at else ():  # not off the map (A2.51a)
                place = self.by(unit.id, str(vehicle.at))
                if place is None:
                    continue
                boarded = self.tables.boarded(self._arrived(unit, place), vehicle, riding=riding)
                if boarded is not None:
                    found[name][unit.id] = (place, boarded)
        return found

    def by(self, name: str, at: str) -> ReachedEnd | None:
        """Return the place at which a unit on foot reaches a Location to board there."""
        if name not in self._places:
            self._places[name] = Places(self.walks[name].found, to_board)
        return self._places[name].by(at)

    def _arrived(self, unit: AslUnit, place: ReachedEnd) -> AslUnit:
        """Return a unit after reaching a place on foot."""
        if place.at == unit.at and place.spent == unit.points.spent:
            return unit
        arrived: AslUnit = self.participants.rulebook.in_mode(unit, place.at, place.mode())
        return replace(arrived, spent=place.spent, used=place.spent, entering=())

    def is_of_use(self, name: str) -> bool:
        """Return whether a unit can board a vehicle."""
        return bool(self.boarders[name] or self.riders[name])

    @cached_property
    def loads(self) -> list[LoadedVehicle]:
        """Each vehicle as it is, and as each boarder that can count leaves it."""
        found = []
        for name, vehicle in self.participants.vehicles.items():
            inside = [
                Seat(unit, None)
                for unit in self.participants.aboard.values()
                if unit.cargo.aboard == name
            ]
            found.append(LoadedVehicle(vehicle, None, vehicle, inside, rider=_rider(inside)))
            for boarders in (self.boarders[name], self.riders[name]):
                found += self._boarded(vehicle, inside, boarders)
        return found

    def _boarded(
        self,
        vehicle: AslUnit,
        inside: list[Seat],
        boarders: dict[str, tuple[ReachedEnd, AfterBoarding]],
    ) -> list[LoadedVehicle]:
        seats = {n: Seat(b.unit, p) for n, (p, b) in boarders.items()}
        by_key: dict[tuple[int, int], list[str]] = {}
        for other, (_, boarded) in boarders.items():
            by_key.setdefault(boarded.key, []).append(other)
        found = []
        for key, counted in by_key.items():
            able = [seats[n] for n in self._under(vehicle, key, by_key, boarders)]
            state = boarders[counted[0]][1].vehicle
            rider = _rider([*inside, seats[counted[0]]])
            found.append(LoadedVehicle(vehicle, key, state, inside + able, counted, rider))
        return found

    def _under(
        self, vehicle: AslUnit, key: tuple[int, int], by_key: dict[tuple[int, int], list[str]],
        boarders: dict[str, tuple[ReachedEnd, AfterBoarding]],
    ) -> list[str]:  # fmt: skip
        """Return the boarders that count for no more than those of a key."""
        found = []
        riding = boarders[by_key[key][0]][1].unit.cargo.riding
        first, place = by_key[key][0], {name: place for name, (place, _) in boarders.items()}
        foot = self.participants.foot
        one = self._arrived(foot[first], place[first])
        for other, names in by_key.items():
            two = self._arrived(foot[names[0]], place[names[0]])
            if other == key or self.tables.counts(one, two, vehicle, riding=riding) == key:
                found += names
        return found


def _rider(seats: list[Seat]) -> AslUnit | None:
    """Return one of the Riders, if any: where one can stay on, all can."""
    return next((seat.unit for seat in seats if seat.unit.cargo.riding), None)


class Instance(TakingPart):
    """
    The units in a plan, and all their options.

    Parameters
    ----------
    rulebook, position, goal
        The problem.

    Attributes
    ----------
    foot, aboard, vehicles
        The units that can walk, those aboard the plan's vehicles, and the vehicles, by id.
    names
        The ids of all of them.
    motors
        All vehicles that can move, useful or not.
    among_others
        Unmodelled clauses that affect units' reach while others of the plan are about.
    """

    def __init__(self, rulebook: AslTravel, position: AslPosition, goal: Goal) -> None:
        super().__init__(rulebook, position, goal)
        self.foot: dict[str, AslUnit] = {}
        self.aboard: dict[str, AslUnit] = {}
        self.vehicles: dict[str, AslUnit] = {}
        self._sort_out()
        self._begin()
        self._under_way = [name for name, unit in self.vehicles.items() if unit.motion.moving]
        self.motors = tuple(self.vehicles)
        idle = self._idle()
        if idle:  # they stay in place: no destinations needed
            self.vehicles = {n: u for n, u in self.vehicles.items() if n not in idle}
            self.aboard = {n: u for n, u in self.aboard.items() if u.cargo.aboard in self.vehicles}
            for known in ("walks", "boarding", "exits"):
                self.__dict__.pop(known, None)
            self._begin()
        self._walk_ons: dict[tuple[int, int, int], Places] = {}
        self.among_others: set[str] = set()

    def _sort_out(self) -> None:
        position, movers = self.position, set(self.measure.movers)
        able = {u.id: u for u in position.units if u.id in movers and self.is_free(u)}
        cargo: dict[str, list[AslUnit]] = {}
        for unit in position.units:
            if carrier := unit.cargo.aboard or unit.cargo.towed_by:
                cargo.setdefault(carrier, []).append(unit)
        self.vehicles = {
            name: unit
            for name, unit in able.items()
            if unit.facing is not None
            and reading.type_of(position, unit).class_ in ("vehicle", "wagon")
            and all(self._may_carry(other, movers) for other in cargo.get(name, ()))
        }
        infantry = [unit for unit in able.values() if self.is_infantry(unit)]
        self.foot = {u.id: u for u in infantry if u.cargo.aboard is None}
        self.aboard = {u.id: u for u in infantry if u.cargo.aboard in self.vehicles}

    @cached_property
    def order(self) -> dict[str, int]:
        """
        The vehicles' acting order when it does not matter.

        Vehicles nearest to their goals act first, then by name.
        """
        board = self.position.board
        wanted = sorted(
            {
                name
                for aim in self.goal.aims
                for name in (*aim.near, *places_of((*aim.at, *aim.exit), board))
            }
        )

        def far(vehicle: AslUnit) -> int:
            """Return its distance, off the map one hex more than its entry's."""
            homes = [vehicle.at] if vehicle.at else waits_by(board, vehicle)
            found = (board.distance(home, name) for home in homes for name in wanted)
            return min(found, default=0) + (vehicle.at is None)

        ranked = sorted(self.vehicles.values(), key=lambda v: (far(v), v.id))
        return {vehicle.id: number for number, vehicle in enumerate(ranked)}

    def _may_carry(self, unit: AslUnit, movers: set[str]) -> bool:
        return unit.id in movers and (unit.cargo.towed_by is not None or self.is_free(unit))

    def _unstated(self) -> bool:
        """Return whether an aim concerns a mover off the map without a stated entry."""
        position = self.position
        units = [position.unit(name) for name in self.wanted & {*self.measure.movers}]
        first = [
            position.unit(u.cargo.aboard or u.cargo.towed_by or u.id)
            for u in units
            if not u.offboard.exited
        ]
        return any(unit.at is None and not unit.offboard.entering for unit in first)

    def _wanted_off(self) -> frozenset[str]:
        """Return the units that an aim wants off the map."""
        aims = (aim for aim in self.goal.aims if aim.exit)
        return frozenset(name for aim in aims for name in units_of(aim, self.position))

    @property
    def parts(self) -> Collection[str]:
        """All units taking part, and their tows."""
        return {*self.names, *(str(unit.cargo.towing) for unit in self.vehicles.values())}

    def stands(self, option: Offer | Trip) -> list[tuple[str, FinalPlace]]:
        """Return the ends of an option's units."""
        if isinstance(option, Offer):
            return [(option.unit, final_place(option.at, carried=option.carried))]
        vehicle = option.load.vehicle
        if not vehicle.cargo.towing:
            return [(vehicle.id, final_place(option.at))]
        gun = final_place(option.at, carried=not option.unhook)
        return [(vehicle.id, final_place(option.at)), (vehicle.cargo.towing, gun)]

    def _idle(self) -> set[str]:
        """Return vehicles without use that can stay in place and are in nobody's way."""
        idle = {n for n in self.vehicles if not self.is_of_use(n) and self._rests_apart(n)}
        going = [unit for name, unit in self.vehicles.items() if name not in idle]
        while idle and going:
            asked = [(unit, modes.mode_of(unit), unit.points.spent) for unit in going]
            found = self.searched(self.tables.empty, asked, to_stand)
            reached = {
                place.at for places in found for place in map(places.place, range(len(places)))
            }
            going = [self.vehicles[name] for name in idle if self.vehicles[name].at in reached]
            idle -= {unit.id for unit in going}
        return idle

    def _begin(self) -> None:
        self.names = (*self.foot, *self.aboard, *self.vehicles)
        guns = [str(u.cargo.towing) for u in self.vehicles.values() if u.cargo.towing]
        self.tables = Tables(self.rulebook, bare(self.position, (*self.names, *guns)))

    def is_of_use(self, name: str) -> bool:
        """
        Return whether an aim concerns a vehicle or its tow, or it has or can have a load.

        For one off the map, which cannot be boarded (A2.51a): whether an aim concerns any of them.
        """
        vehicle = self.vehicles[name]
        wanted = self.wanted
        inside = {unit.id for unit in self.aboard.values() if unit.cargo.aboard == name}
        if vehicle.at is None:
            return bool(wanted & {name, vehicle.cargo.towing, *inside})
        return bool(
            inside or wanted & {name, vehicle.cargo.towing} or self.boarding.is_of_use(name)
        )

    # -- staying in place -------------------------------------------------------------------------

    def may_rest(self, name: str) -> bool:
        """Return whether a vehicle can stay in place, without the others or with them unmoved."""
        return self._rests_apart(name) or not self.restless(self.position, (name,))

    def _rests_apart(self, name: str) -> bool:
        vehicle = self.vehicles[name]
        return not self.restless(self.tables.empty.with_units([vehicle]), (name,))

    def restless(self, here: AslPosition, names: Sequence[str] | None = None) -> tuple[str, ...]:
        """
        Return the clauses by which moving vehicles cannot end their MPh as they are.

        For the named ones, or all that might be in a plan.
        """
        found: tuple[str, ...] = ()
        for name in self._under_way:
            if (
                name in (names or self._under_way)
                and here.unit(name).motion.moving
                and here.unit(name).at
            ):
                ruling = self.rulebook.rule(here, End(name))
                found += (*(v.clause for v in ruling.violations), *unmodelled(ruling))
                self.tables.left_out |= unmodelled(ruling)
        return found

    # -- destinations -----------------------------------------------------------------------------

    def searched(
        self, position: AslPosition, asked: Sequence[tuple[AslUnit, Any, int]],
        fits: Callable[[Any], bool],
    ) -> list[Places]:  # fmt: skip
        """Return the places units reach, and their exits from the map that aims name."""
        exits = None if fits is to_board else self.exits
        return searched(position, asked, fits, self.goal.avoid,
                        exits=exits, threat=self.goal.threat)  # fmt: skip

    @cached_property
    def walks(self) -> dict[str, Places]:
        """The places each unit on foot reaches alone."""
        asked = [(u, modes.mode_of(u), u.points.spent) for u in self.foot.values()]
        found = self.searched(self.tables.empty, asked, to_end)
        return dict(zip(self.foot, found, strict=True))

    @cached_property
    def boarding(self) -> PossibleLoads:
        """Which unit can board which vehicle, inside or outside."""
        return PossibleLoads(self, self.tables, self.walks)

    @property
    def loads(self) -> list[LoadedVehicle]:
        """Each vehicle as it is, and after units have boarded it."""
        return self.boarding.loads

    @cached_property
    def stops(self) -> list[Places]:
        """The possible stops of each loaded vehicle, with nobody thrown off on the way."""
        return self.driven(self.loads)

    def driven(
        self, loads: Sequence[LoadedVehicle], standing: Sequence[AslUnit] = ()
    ) -> list[Places]:
        """Return the possible stops of loaded vehicles, with some other units in place."""
        by_rider: dict[AslUnit | None, list[int]] = {}
        for number, load in enumerate(loads):
            by_rider.setdefault(load.rider, []).append(number)
        found: dict[int, Places] = {}
        for numbers in by_rider.values():
            empty = self.tables.empty.with_units(standing)
            here = self.with_rider(empty, loads[numbers[0]])
            asked = [self.setting_out(loads[number]) for number in numbers]
            found.update(zip(numbers, self.searched(here, asked, to_stand), strict=True))
        return [found[number] for number in range(len(loads))]

    @cached_property
    def sorts(self) -> dict[str, int]:
        """Others' view of each vehicle in its place: equal for vehicles alike to them."""
        return self.looks(self.vehicles.values(), self.tables.empty)

    def setting_out(self, load: LoadedVehicle) -> tuple[AslUnit, Any, int]:
        """Return a load's vehicle at its start, its mode and expenditure."""
        return load.vehicle, modes.mode_of(load.state), load.state.points.spent

    def with_rider(self, position: AslPosition, load: LoadedVehicle) -> AslPosition:
        """Return a position with a load's Rider; vehicle and Rider are off the map."""
        if load.rider is None:
            return position
        return position.with_units([replace(load.rider, at=None)])

    def stopped(self, load: LoadedVehicle, spent: int, at: str) -> AslUnit:
        """Return a vehicle after that expenditure, stopped there."""
        if (
            spent == load.state.points.spent
            and at == load.vehicle.at
            and not load.vehicle.motion.moving
        ):
            return load.state
        return replace(
            load.state, at=at, moving=False, mph="moving", spent=spent, used=max(1, spent),
            entering=(),
        )  # fmt: skip

    def walk_ons(self, asked: Sequence[tuple[AfterUnloading, int]]) -> list[Places]:
        """Return the places reached by units that have just left their vehicle in a Location."""
        names = self.position.board.locations
        keys = [
            (self.tables.kind(unloaded.unit), at, unloaded.unit.points.spent)
            for unloaded, at in asked
        ]
        new = {
            key: replace(unloaded.unit, at=names[at].name)
            for key, (unloaded, at) in zip(keys, asked, strict=True)
            if key not in self._walk_ons
        }
        if new:
            new_starts = [(unit, modes.mode_of(unit), unit.points.spent) for unit in new.values()]
            found = self.searched(self.tables.empty, new_starts, to_end)
            self._walk_ons.update(zip(new, found, strict=True))
        return [self._walk_ons[key] for key in keys]

    def unsupported(self) -> tuple[str, ...]:
        """Return the unmodelled clauses that apply to a step within the reach examined."""
        known = self.__dict__  # so far; all of it once anything is proved
        found = [*known.get("walks", {}).values(), *known.get("stops", ())]
        found += [*self._walk_ons.values()]
        clauses = {name for one in found for name in one.found.unsupported} | self.among_others
        if self._unstated():
            clauses.add(from_offboard.id)
        if self.exits is not None:
            clauses |= self.exits.left_out
            clauses |= self.exits.not_modelled(self._wanted_off() - {*self.names})
        return tuple(sorted(clauses | self.tables.left_out))

    def space(self, name: str) -> PlanSpace:
        """Return the plans a model of the problem searches, in plain sentences."""
        leaves = self.exits is not None
        boarding = EITHER if self.position.conditions.year else INSIDE
        driven = (BOARDERS_FIRST + boarding, DRIVING, RESTING, WALKING, WAYS)
        return PlanSpace(
            name=name,
            verbs=(*VERBS, "exit") if leaves else VERBS,
            movers=self.names,
            policy=(*driven, ENTERING, LEAVING if leaves else STAYING, ELSE, OTHERS),
            rolls="avoid",
            left_out=self.unsupported(),
        )

    # -- capacity ---------------------------------------------------------------------------------

    def room(self, load: LoadedVehicle) -> tuple[int, dict[str, int]]:
        """
        Return the half PP free in a vehicle before boarding, and those each boarder takes.

        If all possible boarders fit, none takes any.
        """
        vehicle = load.vehicle
        if not self.room_clause(load):
            return 0, {}
        riding = load.rides
        inside = [seat.unit for seat in load.seats
                  if seat.board is None and seat.unit.cargo.riding == riding]  # fmt: skip
        room = self.tables.room
        free, empty = (room(vehicle, some, riding=riding) or 0 for some in (inside, ()))
        return free, {
            seat.unit.id: empty - (room(vehicle, (seat.unit,), riding=riding) or 0)
            for seat in load.seats
            if seat.board is not None
        }

    def room_clause(self, load: LoadedVehicle) -> str:
        """Return the clause by which not all possible boarders fit, "" if they do."""
        riding = load.rides
        all_ = [seat.unit for seat in load.seats if seat.unit.cargo.riding == riding]
        return self.tables.is_too_much(load.vehicle, all_, riding=riding)
