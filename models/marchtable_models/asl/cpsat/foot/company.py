"""Who walks in a plan, who leads whom, and where each gets to: reach and the rulebook's answers."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from marchtable.planning.goals import places_of, units_of
from marchtable.planning.score import Measure, Stand
from marchtable_models.asl.cpsat.foot.escorted_paths import EscortedPaths
from marchtable_models.asl.cpsat.foot.options import ALONE, LOTS, NEVER, Options
from marchtable_models.asl.cpsat.foot.order_groups import full_homes
from marchtable_models.asl.cpsat.reached.ends import end_number, home_of, to_end
from marchtable_models.asl.cpsat.reached.exits import Exits
from marchtable_models.asl.cpsat.reached.merits import Merits
from marchtable_models.asl.cpsat.reached.places import declarations
from marchtable_models.asl.cpsat.reached.waiting import may_come, waits_by
from marchtable_models.asl.cpsat.reached.ways import AMPLE, bare, is_unlimited, searched
from marchtable_models.asl.extraction import lines, modes, reading

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    import numpy as np
    import numpy.typing as npt

    from marchtable.state.goal import Goal
    from marchtable.state.position import Position
    from marchtable_models.asl.cpsat.reached.ways import Places
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.travel import AslTravel

    AslPosition = Position[AslUnit, AslConditions]
    Ints = npt.NDArray[np.int64]

__all__ = ["Company"]

replace = msgspec.structs.replace


class Company:
    """
    The Infantry of a plan, and what each of them may do.

    Parameters
    ----------
    rulebook, position, goal
        The problem; the goal is checked.

    Attributes
    ----------
    units
        Those who may walk, by id, in the order told.
    empty
        The position with none of them on the map.
    """

    def __init__(self, rulebook: AslTravel, position: AslPosition, goal: Goal) -> None:
        self.rulebook, self.position, self.goal = rulebook, position, goal
        self.measure = Measure(position, goal)
        told = (position.unit(name) for name in self.measure.movers)
        self.units: dict[str, AslUnit] = {u.id: u for u in told if self._may_walk(u)}
        self.empty: AslPosition = bare(position, tuple(self.units))
        self.kinds = {name: self._kind(unit) for name, unit in self.units.items()}
        self._merits: dict[tuple[int | None, ...], Merits] = {}

    def _may_walk(self, unit: AslUnit) -> bool:
        """Tell whether a unit is on its own feet, or may come on so, and has not begun its MPh."""
        bound = (
            unit.move.leaders
            or unit.move.lends
            or unit.move.helper
            or unit.place.bypass is not None
        )
        return (
            (unit.at is not None or may_come(unit))
            and unit.cargo.aboard is None
            and unit.move.mph == "unmoved"
            and reading.type_of(self.position, unit).is_infantry
            and not (bound or lines.kind_of(unit) or lines.origin_of(unit))
        )

    def _kind(self, unit: AslUnit) -> Hashable:
        """Return what is equal for units that are alike but for name and place, off the map that as well."""
        near = () if unit.at else tuple(waits_by(self.position.board, unit))
        return (self._alike(unit), unit.points.spent, modes.mode_of(unit), near)

    @cached_property
    def leaders(self) -> tuple[str, ...]:
        """Those who may lead others, as told."""
        of = self.position
        return tuple(n for n, unit in self.units.items() if reading.type_of(of, unit).leads)

    @cached_property
    def exits(self) -> Exits | None:
        """What leaving the map comes to, None where no aim wants that."""
        wanted = {name for aim in self.goal.aims for name in aim.exit}
        names = places_of(wanted, self.position.board)
        return Exits(self.rulebook, self.empty, self._alike, names) if names else None

    def _alike(self, unit: AslUnit) -> Hashable:
        """Return what is equal for units that are alike but for name, place and spending."""
        return modes.stripped(unit, night=self.position.conditions.night)

    @cached_property
    def places(self) -> dict[str, Places]:
        """Where each gets to by itself."""
        alike: dict[Hashable, AslUnit] = {}
        for name, unit in self.units.items():
            alike.setdefault((self.kinds[name], unit.at), unit)
        asked = [(unit, modes.mode_of(unit), unit.points.spent) for unit in alike.values()]
        found = searched(
            self.empty, asked, to_end, self.goal.avoid, exits=self.exits, threat=self.goal.threat
        )
        known = dict(zip(alike, found, strict=True))
        return {name: known[self.kinds[name], unit.at] for name, unit in self.units.items()}

    @cached_property
    def options_of(self) -> dict[str, Options]:
        """What each may do."""
        import numpy as np

        numbers = {name: number for number, name in enumerate(self.units)}
        own = {name: self._own(name, numbers[name]) for name in self.units}
        options_of = {name: own[name] for name in self.leaders}
        known: dict[Hashable, list[tuple[Options, Ints, Ints, Ints]]] = {}
        led = EscortedPaths(self)
        for name, unit in self.units.items():
            if name in options_of:
                continue
            key = (self.kinds[name], unit.at)
            if key not in known:
                known[key] = [
                    (options_of[leader], *led.ways(options_of[leader], unit))
                    for leader in self.leaders
                    if self._are_together(leader, name) and led.follows(options_of[leader], unit)
                ]
            options_of[name] = self._joined(own[name], known[key])
        rows, full = (
            np.array([len(options_of[name]) for name in self.units]),
            full_homes(self, options_of),
        )
        return {name: options_of[name].in_order_groups(LOTS if options_of[name].home in full else 1, rows)
                for name in self.units}  # fmt: skip

    def _are_together(self, one: str, two: str) -> bool:
        """Tell whether units begin in the same Location, or wait to come on by the same ones."""
        places = [
            (unit.at, {*unit.offboard.entering}) for unit in (self.units[one], self.units[two])
        ]
        return places[0] == places[1]

    @cached_property
    def _ranks(self) -> dict[str, int]:
        """By name: who goes first of those who have as much to spare and spend as much."""
        return {name: rank for rank, name in enumerate(sorted(self.units))}

    @cached_property
    def fixed(self) -> tuple[int, ...]:
        """What the other units add to each criterion, who stay where they are."""
        gains = [self.measure.gain(name, stand) for name, stand in self._others]
        return (sum(value for value, _ in gains), sum(far for _, far in gains), 0, 0, 0)

    def standing(self, aim: int) -> int:
        """Return how many of the other units meet an aim where they are."""
        return sum(self.measure.holds(aim, name, stand) for name, stand in self._others)

    @cached_property
    def _others(self) -> list[tuple[str, Stand]]:
        carrier, position = self.rulebook.carrier, self.position
        return [
            (unit.id, Stand(unit.at, carrier(position, unit) is not None))
            for unit in position.units if unit.id not in self.units
        ]  # fmt: skip

    @property
    def is_fit(self) -> bool:
        """Whether somebody may walk, and aims are about nobody else who might move."""
        goal, position = self.goal, self.position
        wanted = {name for aim in goal.aims for name in units_of(aim, position)}
        others = (wanted & {*self.measure.movers}) - {*self.units}
        return bool(self.units) and not any(
            position.unit(name).move.mph != "done"
            and reading.type_of(position, position.unit(name)).class_ != "wreck"
            for name in others
        )

    @cached_property
    def looks(self) -> dict[str, Hashable]:
        """What of each the rulebook sees where others come in: equal for those who are alike to them."""
        known: dict[Hashable, Hashable] = {}
        found: dict[str, Hashable] = {}
        for name, unit in self.units.items():
            kind = self.kinds[name]
            if kind not in known:
                at = unit.at or waits_by(self.position.board, unit)[0]
                there = self.empty.with_units([replace(unit, at=at)])
                known[kind] = self.rulebook.presence(there, unit.side, at, None)
            found[name] = known[kind]
        return found

    # -- rows --------------------------------------------------------------------------------------

    def _own(self, name: str, number: int) -> Options:
        """Return what a unit may do by itself, in every mode that gets it there."""
        import numpy as np

        unit, places = self.units[name], self.places[name]
        home = end_number(self.position.board, home_of(unit))
        ends, at, spent = self._ends(name)
        ends, at, spent = (told[at != home] for told in (ends, at, spent))
        left = np.maximum(0, places.space.limits_in(places.found.state[ends]) - spent)
        first = np.where(at >= len(self.position.board), -1, left)  # who leaves goes first
        at = np.append(home, at)
        gains = self.merits(name).gains[False][at]
        points = np.append(0, spent - unit.points.spent)
        exposure = np.append(0, places.met(self.goal.threat)[ends])
        moved = np.append(0, np.ones(len(ends), np.int64))
        may = np.full(len(left), AMPLE) if is_unlimited(self.empty, unit) else left
        may = np.where(self._overspend(places, ends), AMPLE, may)
        turn = (first + 1) * AMPLE - np.minimum(AMPLE, points[1:])
        alone = np.full(len(at), ALONE, np.int64)
        return Options(
            unit, number, places, np.append(ALONE, ends), at,
            np.stack([gains[:, 0], gains[:, 1], exposure, points, moved], axis=1), gains[:, 2:],
            np.append(0, may), np.append(NEVER, turn * len(self.units) + self._ranks[name]), alone, alone,
        )  # fmt: skip

    def _overspend(self, places: Places, ends: Ints) -> npt.NDArray[np.bool_]:
        """Return which of some ways end in a Minimum Move, which takes what it takes (A4.134)."""
        import numpy as np

        space = places.space
        least = np.array([modes.declared(mode)[0] for mode in space.modes], bool)
        return least[places.found.state[ends] % space.width]

    def _ends(self, name: str) -> tuple[Ints, Ints, Ints]:
        """Return the states in which a unit may end, or leave the map, by what it declares; where; spent."""
        import numpy as np

        places = self.places[name]
        found, width = places.found, places.space.width
        fits = np.array([to_end(mode) for mode in places.space.modes], bool)
        numbers = np.flatnonzero(fits[found.state % width]).astype(np.int64)
        told = declarations(places.space)[found.state[numbers] % width]
        numbers = numbers[np.argsort(told, kind="stable")]
        at, spent = found.state[numbers].astype(np.int64) // width, found.spent[numbers]
        off = np.array([*self._ways_off(name)], np.int64).reshape(-1, 3)
        by, paid, ways = off.T
        at = np.append(at, by + len(self.position.board))
        return np.append(numbers, ways), at, np.append(spent, paid).astype(np.int64)

    def _ways_off(self, name: str) -> Iterable[tuple[int, int, int]]:
        """Return all by which a unit may leave the map, perhaps with others."""
        if self.exits is None:
            return ()
        places, unit = self.places[name], self.units[name]
        return self.exits.ways_off(self.empty, unit, places.space, places.found, every=True)

    def _joined(self, own: Options, led: list[tuple[Options, Ints, Ints, Ints]]) -> Options:
        """Return options with rows of leaders' that the unit may join, with what it has spent and left."""
        import numpy as np

        parts = [own]
        for leader, rows, spent, left in led:
            gains = self.merits(own.unit.id).gains[False][leader.at[rows]]
            score = leader.score[rows].copy()
            score[:, :2], score[:, 3] = gains[:, :2], spent - own.unit.points.spent
            told = np.full(len(rows), leader.number, np.int64)
            parts.append(Options(
                own.unit, own.number, own.places, leader.way[rows], leader.at[rows], score,
                gains[:, 2:], left, leader.turn[rows], told, rows,
            ))  # fmt: skip
        names = ("way", "at", "score", "met", "left", "turn", "leader", "led")
        arrays = {n: np.concatenate([getattr(part, n) for part in parts]) for n in names}
        return Options(own.unit, own.number, own.places, **arrays)  # type: ignore[arg-type]

    def merits(self, name: str) -> Merits:
        """Return what it is worth where a unit ends; one for all units that are worth the same."""
        worths = tuple(self.measure.worth(n, name) for n, _ in enumerate(self.goal.aims))
        if worths not in self._merits:
            self._merits[worths] = Merits(self.position.board, self.measure, name)
        return self._merits[worths]

    def unsupported(self) -> set[str]:
        """Return the clauses that are not modelled and bear on a step within reach."""
        found = self.__dict__.get("places", {}).values()
        clauses = {name for one in found for name in one.unsupported}
        return clauses | (self.exits.left_out if self.exits else set())
