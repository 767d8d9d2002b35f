"""Actions as numbers and positions as planes, both of constant size within a scenario."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import Action, group_field, moves_field, parameters

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from marchtable.play.scenarios import Scenario
    from marchtable.state.action import Parameter
    from marchtable.state.position import Position, Unit

__all__ = ["Coding", "Planes", "actor_of"]

FELLOWS = 4  # units in the same Location that an action can name
DRAWN = 4  # values that a rulebook proposes for an argument of its own kind
JOINS = 16  # units, or moves, offered at a time for joining an opened action
SIDES = 6
_NOTHING: Any = object()
"""Replaces a value that an argument's number does not represent now."""


class Coding:
    """
    Numbers for actions.

    An action is a unit, a verb and its arguments: a hexside for its destination, an index among the
    units of the Location for another unit. Joint actions are opened by one unit and then grow by
    *joins* until they are *closed*; if more can join than there are numbers, one number shows the
    next of them. The last number ends the phase.

    Parameters
    ----------
    scenario
        The scenario: its units have numbers; units created later have none.

    Attributes
    ----------
    size, joins, more, close, end
        The number of actions; the first numbers of joins, of showing more joins, of closing, and of
        ending the phase.
    """

    def __init__(self, scenario: Scenario) -> None:
        self.scenario, position = scenario, scenario.position
        self.rulebook, self.board = find_rulebook(position.rulebook), position.board
        self.units = [unit.id for unit in position.units]
        self._slot = {name: number for number, name in enumerate(self.units)}
        self._ways: dict[str, dict[str, int]] = {}
        self.ways = (
            max(max(self._ways_from(x.name).values(), default=0) for x in self.board.locations) + 1
        )
        self.patterns: list[tuple[type[Action], tuple[int, ...]]] = []
        for verb in self.rulebook.choices_of():
            sizes = [self._size(parameter) for parameter in arguments(verb)]
            self.patterns += [(verb, chosen) for chosen in product(*map(range, sizes))]
        self._number = {pattern: number for number, pattern in enumerate(self.patterns)}
        self.joins = len(self.units) * len(self.patterns)
        self.more = self.joins + JOINS
        self.close, self.end, self.size = self.more + 1, self.more + 2, self.more + 3

    def __reduce__(self) -> tuple[type[Coding], tuple[Scenario]]:
        """Return the arguments to recreate it."""
        return Coding, (self.scenario,)

    def _ways_from(self, at: str) -> dict[str, int]:
        """Return a number for each neighbour: its hexside, plus six for a second one beyond it."""
        found = self._ways.get(at)
        if found is None:
            found, taken = {}, [0] * SIDES
            for side, name in self.board.neighbours(at):
                found.setdefault(name, side % SIDES + SIDES * taken[side % SIDES])
                taken[side % SIDES] += 1
            self._ways[at] = found
        return found

    def _size(self, parameter: Parameter) -> int:
        if parameter.domain == "adjacent":
            return self.ways
        if parameter.domain == "fellow":
            return FELLOWS
        if parameter.domain == "free":
            return 1
        return len(parameter.values) or DRAWN

    def _values(self, position: Position[Any, Any], unit: Unit, parameter: Parameter) -> list[Any]:
        """Return the values of an argument's numbers, for a unit in its present state."""
        if parameter.domain == "adjacent":
            if unit.at is None:
                return [*self.rulebook.next_to(position, unit)]
            found: list[Any] = [_NOTHING] * self.ways
            for name, number in self._ways_from(unit.at).items():
                found[number] = name
            return found
        if parameter.domain == "fellow":
            return [other.id for other in position.beside(unit.at) if other is not unit]
        if parameter.domain == "free":
            return [parameter.default]
        if parameter.values:
            return [*parameter.values]
        return [*self.rulebook.values(position, unit, parameter)]

    def number(self, position: Position[Any, Any], action: Action) -> int | None:
        """Return an action's number, or None if it has none."""
        verb = type(action)
        group, actor = group_field(verb), actor_of(action)
        if (
            not isinstance(actor, str)
            or actor not in self._slot
            or (group and len(getattr(action, group)) > 1)
        ):
            return None
        unit, chosen = position.unit(actor), []
        for parameter in arguments(verb):
            values, value = self._values(position, unit, parameter), getattr(action, parameter.name)
            if value not in values:
                return None
            chosen.append(values.index(value))
        found = self._number.get((verb, tuple(chosen)))
        return None if found is None else self._slot[actor] * len(self.patterns) + found

    def action(self, position: Position[Any, Any], number: int) -> Action | str:
        """Return the action of a number below ``joins``, or in words why it represents none."""
        slot, pattern = divmod(number, len(self.patterns))
        name = self.units[slot]
        if name not in position.index:
            return f"{name} no longer exists"
        unit, (verb, chosen) = position.unit(name), self.patterns[pattern]
        given: dict[str, Any] = {}
        for parameter, which in zip(arguments(verb), chosen, strict=True):
            values = self._values(position, unit, parameter)
            value = values[which] if which < len(values) else _NOTHING
            if value is _NOTHING:
                return f"`{verb.__struct_config__.tag}` has no such choice of `{parameter.name}` for {name} now"
            given[parameter.name] = value
        group, moves = group_field(verb), moves_field(verb)
        if group:
            given[group] = (name,)
        else:
            given["unit"] = name
        if moves:
            given[moves] = ()
        return verb(**given)


def actor_of(action: Action) -> Any:
    """Return the acting unit, the first of several; None if there is none."""
    group = group_field(type(action))
    return getattr(action, group)[0] if group else getattr(action, "unit", None)


def arguments(verb: type[Action]) -> list[Parameter]:
    """Return the arguments of a verb except the acting and joining units."""
    return [p for p in parameters(verb) if p.domain not in ("unit", "companions", "moves")]


class Planes:
    """
    Positions as planes: one value from 0 to 1 for each row and column of the board.

    The planes, in this order (14 of them for two sides and eight units):

    1. one for each side, sides in alphabetical order: 0.25 for each of its units in the hex, at
       most 1;
    2. one for each unit, in the scenario's order: 0.5 in its hex, plus up to 0.5 for the share of
       its points that it has left;
    3. the terrain: the number of its name in alphabetical order, divided by the number of names;
    4. the level, scaled from the board's lowest (0) to its highest (1);
    5. the hexes that the observing side's goal names: 1;
    6. 1 everywhere if the observing side is to act, else 0.

    Units that this side cannot see are left out.

    Parameters
    ----------
    scenario
        The scenario.

    Attributes
    ----------
    shape
        Planes, rows and columns.
    """

    def __init__(self, scenario: Scenario) -> None:
        import numpy as np

        from marchtable.planning.goals import places_of

        self.scenario = scenario
        board, position = scenario.position.board, scenario.position
        across = sorted({place.u for place in board.locations})
        down = sorted({place.v for place in board.locations})
        rows = {v: number for number, v in enumerate(down)}
        columns = {u: number for number, u in enumerate(across)}
        self.at = {x.name: (rows[x.v], columns[x.u]) for x in board.locations}
        self.sides = sorted({unit.side for unit in position.units})
        self._units = {unit.id: number for number, unit in enumerate(position.units)}
        self._rulebook = find_rulebook(position.rulebook)
        self.shape = (len(self.sides) + len(self._units) + 4, len(down), len(across))
        kinds = sorted({place.terrain for place in board.locations})
        levels = [place.level for place in board.locations]
        span = max(levels) - min(levels) or 1
        ground = np.zeros((2, *self.shape[1:]), np.float32)
        for place in board.locations:
            row, column = self.at[place.name]
            ground[0, row, column] = (1 + kinds.index(place.terrain)) / len(kinds)
            ground[1, row, column] = (place.level - min(levels)) / span
        self._ground = ground
        self._wanted = {}
        for side, goal in scenario.goals.items():
            plane = np.zeros(self.shape[1:], np.float32)
            for aim in goal.aims:
                for name in places_of(aim.at or aim.exit or aim.near, board):
                    plane[self.at[name]] = 1
            self._wanted[side] = plane

    def __reduce__(self) -> tuple[type[Planes], tuple[Scenario]]:
        """Return the arguments to recreate it."""
        return Planes, (self.scenario,)

    def of(self, position: Position[Any, Any], side: str, *, acts: bool) -> npt.NDArray[np.float32]:
        """Return the planes as a side sees them; `acts` says whether it is to act."""
        import numpy as np

        position = self._rulebook.seen_by(position, side)
        found = np.zeros(self.shape, np.float32)
        first = len(self.sides)
        for unit in position.units:
            if unit.at is None:
                continue
            row, column = self.at[unit.at]
            plane = found[self.sides.index(unit.side)]
            plane[row, column] = min(1.0, plane[row, column] + 0.25)
            if unit.id in self._units:
                most = self._rulebook.allotment(position, unit) or 1
                left = max(0.0, 1 - self._rulebook.spent(unit) / most)
                found[first + self._units[unit.id], row, column] = 0.5 + 0.5 * min(1.0, left)
        found[-4:-2] = self._ground
        found[-2] = self._wanted[side]
        found[-1] = float(acts)
        return found
