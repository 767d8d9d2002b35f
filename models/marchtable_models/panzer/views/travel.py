"""Units that set out to move, and the steps of their actions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple

from marchtable.errors import BadInputError
from marchtable.rules.facts import Facts
from marchtable.state.action import Action
from marchtable.state.records import replace
from marchtable_models.panzer.model import PanzerPosition, PanzerUnit


class Travel(Action, frozen=True):
    """An action by which units move; units enter the map by it only if ``comes_on``."""

    comes_on: ClassVar[bool] = False


class SettingOut(Facts, frozen=True):
    """A record of a unit about to move anywhere: its bars apply to every step."""


class Going(NamedTuple):
    """One step of a unit's action."""

    # at the start of the step
    position: PanzerPosition
    unit: PanzerUnit
    to: str  # the hex entered
    # it is a step of an overrun; it is the second
    through: bool = False
    beyond: bool = False

    @property
    def hexes(self) -> tuple[str, ...]:
        """The hexes of the step, for messages."""
        return (self.to,) if self.unit.at is None else (self.unit.at, self.to)


def actors(position: PanzerPosition, action: Any) -> list[PanzerUnit]:
    """Return the units that act, one or more; raises BadInputError if none is named."""
    if not hasattr(action, "units"):
        return [position.unit(action.unit)]
    if not action.units:
        raise BadInputError("expected at least one unit", field="units")
    return [position.unit(name) for name in action.units]


def travellers(position: PanzerPosition, action: Any) -> list[PanzerUnit]:
    """Return the units an action moves; they can wait off the map only if it allows that."""
    units = actors(position, action)
    return units if action.comes_on else [replace(unit, entering=()) for unit in units]


def steps(position: PanzerPosition, action: Any) -> Iterator[Going]:
    """Yield the steps of an action: one for a move, two for each unit on the map in an overrun."""
    to = position.board.resolve(action.to)
    if not hasattr(action, "units"):
        yield Going(position, position.unit(action.unit), to)
        return
    for unit in actors(position, action):
        if unit.at is None:
            continue
        yield Going(position, unit, to, through=True)
        away = position.board.beyond(unit.at, to)
        if away is not None:
            there = position.with_units([replace(unit, at=to, entered=True)])
            yield Going(there, there.unit(unit.id), away, through=True, beyond=True)
