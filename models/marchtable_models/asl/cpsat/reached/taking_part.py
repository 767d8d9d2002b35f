"""Who takes part in a plan of Infantry, alone or with vehicles, and what it is worth where they end."""

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
    from marchtable.planning.score import Stand
    from marchtable.state.goal import Goal
    from marchtable_models.asl.model import AslPosition, AslUnit
    from marchtable_models.asl.travel import AslTravel

__all__ = ["TakingPart", "numbered", "waits_by"]


class TakingPart:
    """
    The units that have a part in a plan.

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
        """All that have a part in it, by name."""
        raise NotImplementedError

    def is_free(self, unit: AslUnit) -> bool:
        """Return whether a unit is on the map, or may come on, and has not begun its MPh, in no line."""
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
        """Return whether a unit off the map may come on by itself, or with what carries it."""
        return not unit.offboard.exited and bool(
            unit.offboard.entering or unit.cargo.aboard or unit.cargo.towed_by
        )

    def is_infantry(self, unit: AslUnit) -> bool:
        """Return whether a unit is Infantry."""
        return reading.type_of(self.position, unit).is_infantry

    def looks(self, units: Iterable[AslUnit], empty: AslPosition) -> dict[str, int]:
        """Return what of each the rulebook sees where others come in: equal for those who are alike to them."""
        at = self.position.board.locations[0].name
        alone = {unit.id: empty.with_units([replace(unit, at=at, entering=())]) for unit in units}
        return numbered({
            name: self.rulebook.presence(here, here.unit(name).side, at, None)
            for name, here in alone.items()
        })  # fmt: skip

    # -- what is wanted ----------------------------------------------------------------------------

    def merits(self, name: str) -> Merits:
        """Return what it is worth where a unit ends; one for all units that are worth the same."""
        worths = tuple(self.measure.worth(n, name) for n, _ in enumerate(self.goal.aims))
        if worths not in self._merits:
            self._merits[worths] = Merits(self.measure, name)
        return self._merits[worths]

    @cached_property
    def wanted(self) -> frozenset[str]:
        """The units that aims are about."""
        return frozenset(n for aim in self.goal.aims for n in units_of(aim, self.position))

    @property
    def exit_names(self) -> Collection[str]:
        """The Locations by which aims want units to leave the map."""
        wanted = {name for aim in self.goal.aims for name in aim.exit}
        return places_of(wanted, self.position.board)

    @cached_property
    def exits(self) -> Exits | None:
        """What leaving the map comes to, None where no aim wants that."""
        names = self.exit_names
        return Exits(self.rulebook, self.position, names) if names else None

    @cached_property
    def idle(self) -> dict[str, Stand]:
        """How the others stand, who stay where they are."""
        return dict(idle_of(self.position, self.parts))

    @property
    def outsiders(self) -> bool:
        """Whether aims are about units that might move and have no part in the plan."""
        others = (self.wanted & {*self.measure.movers}).difference(self.parts)
        return any(
            unit.move.mph != "done" and reading.type_of(self.position, unit).class_ != "wreck"
            for unit in map(self.position.unit, others)
        )


def waits_by(board: Board, unit: AslUnit) -> list[str]:
    """Return the Locations by which a unit comes on."""
    return list(dict.fromkeys(board.resolve(name) for name in unit.offboard.entering))


def numbered(values: Mapping[str, Hashable]) -> dict[str, int]:
    """Return by name numbers that are equal where the given values are."""
    numbers: dict[Hashable, int] = {}
    return {name: numbers.setdefault(one, len(numbers)) for name, one in values.items()}
