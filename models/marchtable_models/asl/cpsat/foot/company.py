"""The walkers of a plan, the places each reaches alone, and the referee's rulings on acts."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from marchtable.state.records import replace
from marchtable_models.asl.cpsat.reached.ends import to_end
from marchtable_models.asl.cpsat.reached.paths import bare, searched
from marchtable_models.asl.cpsat.reached.taking_part import TakingPart, numbered, waits_by
from marchtable_models.asl.cpsat.ruled import is_granted, tried, unmodelled
from marchtable_models.asl.views import modes, reading

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Mapping

    from marchtable.state.goal import Goal
    from marchtable_models.asl.cpsat.foot.options import MovingGroup
    from marchtable_models.asl.cpsat.reached.paths import Places
    from marchtable_models.asl.hooks.travel import AslTravel
    from marchtable_models.asl.model import AslPosition, AslUnit

__all__ = ["Acting", "Company"]


class Company(TakingPart):
    """
    The Infantry of a plan.

    Parameters
    ----------
    rulebook, position, goal
        The problem; the goal is checked.

    Attributes
    ----------
    units
        The units that can walk, by id, in the given order.
    empty
        The position without any of them on the map.
    kinds
        By name: equal for units alike except in name and place.
    """

    def __init__(self, rulebook: AslTravel, position: AslPosition, goal: Goal) -> None:
        super().__init__(rulebook, position, goal)
        movers = (position.unit(name) for name in self.measure.movers)
        self.units: dict[str, AslUnit] = {u.id: u for u in movers if self._may_walk(u)}
        self.empty: AslPosition = bare(position, tuple(self.units))
        self.kinds = numbered({name: self._kind(unit) for name, unit in self.units.items()})

    def _may_walk(self, unit: AslUnit) -> bool:
        """Return whether a unit is, or can enter, on foot, and has not begun its MPh."""
        return self.is_free(unit) and unit.cargo.aboard is None and self.is_infantry(unit)

    @property
    def parts(self) -> Collection[str]:
        """The units that can walk."""
        return self.units

    def _kind(self, unit: AslUnit) -> Hashable:
        """Return an equal key for units alike except in name and place; off the map including place."""
        near = () if unit.at else tuple(waits_by(self.position.board, unit))
        alike = modes.stripped(unit)
        return (alike, unit.points.spent, modes.mode_of(unit), near)

    @cached_property
    def leaders(self) -> tuple[str, ...]:
        """The possible leaders, in the given order."""
        of = self.position
        return tuple(n for n, unit in self.units.items() if reading.type_of(of, unit).leads)

    @cached_property
    def places(self) -> dict[str, Places]:
        """The places each unit reaches alone."""
        alike: dict[Hashable, AslUnit] = {}
        for name, unit in self.units.items():
            alike.setdefault((self.kinds[name], unit.at), unit)
        asked = [(unit, modes.mode_of(unit), unit.points.spent) for unit in alike.values()]
        found = searched(
            self.empty, asked, to_end, self.goal.avoid, exits=self.exits, threat=self.goal.threat
        )
        known = dict(zip(alike, found, strict=True))
        return {name: known[self.kinds[name], unit.at] for name, unit in self.units.items()}

    def are_together(self, one: str, two: str) -> bool:
        """Return whether units start in the same Location, or wait to enter by the same ones."""
        places = [
            (unit.at, {*unit.offboard.entering}) for unit in (self.units[one], self.units[two])
        ]
        return places[0] == places[1]

    @property
    def is_fit(self) -> bool:
        """Whether a unit can walk, and aims concern no other possible mover."""
        return bool(self.units) and not self.outsiders

    @cached_property
    def sorts(self) -> dict[str, int]:
        """By name: equal for units alike to others that enter their Location."""
        return self.looks(self.units.values(), self.empty)

    def stood(self, name: str, at: str) -> AslUnit:
        """Return a unit as others meet it in a Location."""
        unit = self.units[name]
        return unit if unit.at == at else replace(unit, at=at, mph="done", entering=())

    def unsupported(self) -> set[str]:
        """Return the unmodelled clauses that apply to a step within reach."""
        found = self.__dict__.get("places", {}).values()
        clauses = {name for one in found for name in one.found.unsupported}
        return clauses | (self.exits.left_out if self.exits else set())


class Acting:
    """
    Acts of groups, each asked about once.

    Parameters
    ----------
    company
        The units taking part.

    Attributes
    ----------
    left_out
        Unmodelled clauses that alone prevented something asked about.
    """

    def __init__(self, company: Company) -> None:
        self.company = company
        self.left_out: set[str] = set()
        self._known: dict[Hashable, tuple[int, ...] | None] = {}

    def spent(self, group: MovingGroup, others: Mapping[str, str]) -> tuple[int, ...] | None:
        """Return each group member's expenditure with others in given Locations; None if rejected."""
        company, way = self.company, group.way
        nearby = {n: at for n, at in others.items() if at in way}
        looks = Counter((company.sorts[n], at) for n, at in nearby.items())
        led = tuple(company.kinds[name] for name in group.others)
        who = company.kinds[group.unit], group.first.unit.at, group.row, led
        key = (*who, frozenset(looks.items()))
        if key not in self._known:
            self._known[key] = self._asked(group, nearby)
        return self._known[key]

    def _asked(self, group: MovingGroup, nearby: Mapping[str, str]) -> tuple[int, ...] | None:
        company = self.company
        start = [company.units[name] for name in group.names]
        others = [company.stood(name, at) for name, at in nearby.items()]
        here = company.empty.with_units([*start, *others])
        last = tried(company.rulebook, here, group.actions())[-1]
        if not is_granted(last):
            self.left_out |= unmodelled(last)
            return None
        return tuple(last.after.unit(u.id).points.spent - u.points.spent for u in start)
