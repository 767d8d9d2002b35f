"""Units in a plan of Infantry, alone or with vehicles, and the worth of their ends."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from marchtable.planning.choice.aims import idle_of
from marchtable.planning.goals import places_of, units_of
from marchtable.planning.score import Measure
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.reached.ends import Merits
from marchtable_models.asl.cpsat.reached.paths import Exits
from marchtable_models.asl.views import lines, reading

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Mapping

    from marchtable.board.board import Board
    from marchtable.planning.score import FinalPlace
    from marchtable.state.goal import Goal
    from marchtable_models.asl.hooks.travel import AslTravel
    from marchtable_models.asl.model import AslPosition, AslUnit

__all__ = ["TakingPart", "numbered", "waits_by"]


class TakingPart:
    """
    The units taking part in a plan.

    Parameters
    ----------
    rulebook, position, goal
        The problem; the goal is checked.
    """

    def __init__(self, rulebook: AslTravel, position: AslPosition, goal: Goal) -> None:
        self.rulebook, self.position, self.goal = rulebook, position, goal
        self.measure = Measure(position, goal)
        self._merits: dict[tuple[int | None, ...], Merits] = {}

    @property
    def parts(self) -> Collection[str]:
        """The names of all units taking part."""
        raise NotImplementedError

    def is_free(self, unit: AslUnit) -> bool:
        """Return whether a unit is on the map or can enter, in no line, its MPh not begun."""
        bound = (
            unit.move.leaders
            or unit.move.lends
            or unit.move.helper
            or unit.place.bypass is not None
        )
        return (
            (unit.at is not None or self._may_come(unit))
            and unit.move.mph == "unmoved"
            and not (bound or lines.kind_of(unit) or lines.origin_of(unit))
        )

    def _may_come(self, unit: AslUnit) -> bool:
        """Return whether a unit off the map can enter by itself, or with its carrier."""
        return not unit.offboard.exited and bool(
            unit.offboard.entering or unit.cargo.aboard or unit.cargo.towed_by
        )

    def is_infantry(self, unit: AslUnit) -> bool:
        """Return whether a unit is Infantry."""
        return reading.type_of(self.position, unit).is_infantry

    def looks(self, units: Iterable[AslUnit], empty: AslPosition) -> dict[str, int]:
        """Return the rulebook's view of each unit for others entering: equal for units alike to them."""
        at = self.position.board.locations[0].name
        alone = {unit.id: empty.with_units([replace(unit, at=at, entering=())]) for unit in units}
        return numbered({
            name: self.rulebook.presence(here, self.rulebook.entrant(here, here.unit(name)), at, None)
            for name, here in alone.items()
        })  # fmt: skip

    # -- worth ------------------------------------------------------------------------------------

    def merits(self, name: str) -> Merits:
        """Return the worth of a unit's ends; one object for all units of equal worth."""
        worths = tuple(self.measure.worth(n, name) for n, _ in enumerate(self.goal.aims))
        if worths not in self._merits:
            self._merits[worths] = Merits(self.measure, name)
        return self._merits[worths]

    @cached_property
    def wanted(self) -> frozenset[str]:
        """The units that aims concern."""
        return frozenset(n for aim in self.goal.aims for n in units_of(aim, self.position))

    @property
    def exit_names(self) -> Collection[str]:
        """The Locations where aims want units to leave the map."""
        wanted = {name for aim in self.goal.aims for name in aim.exit}
        return places_of(wanted, self.position.board)

    @cached_property
    def exits(self) -> Exits | None:
        """Exits from the map, None if no aim wants that."""
        names = self.exit_names
        return Exits(self.rulebook, self.position, names) if names else None

    @cached_property
    def idle(self) -> dict[str, FinalPlace]:
        """The other units' places, unchanged."""
        return dict(idle_of(self.position, self.parts))

    @property
    def outsiders(self) -> bool:
        """Whether aims concern possible movers that take no part in the plan."""
        others = (self.wanted & {*self.measure.movers}).difference(self.parts)
        return any(
            unit.move.mph != "done" and reading.type_of(self.position, unit).class_ != "wreck"
            for unit in map(self.position.unit, others)
        )


def waits_by(board: Board, unit: AslUnit) -> list[str]:
    """Return the Locations where a unit enters."""
    return list(dict.fromkeys(board.resolve(name) for name in unit.offboard.entering))


def numbered(values: Mapping[str, Hashable]) -> dict[str, int]:
    """Return numbers by name, equal for equal values."""
    numbers: dict[Hashable, int] = {}
    return {name: numbers.setdefault(one, len(numbers)) for name, one in values.items()}
