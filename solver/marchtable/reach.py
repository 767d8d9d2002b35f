"""Where a unit can get to: a graph compiled from the rulings themselves, searched by the kernel.

The search space is Location x mode (facing, stopped or moving, what is still open to it). Its
arcs are not written anywhere: for each distinct combination of facts on the map the compiler
puts the unit there in each mode, asks ``rule`` once, and notes the cost and the mode it leads to.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.compiled import own_space, shared_space
from marchtable.errors import InternalError
from marchtable.home import gains_by_returning
from marchtable.rulebook import find_rulebook
from marchtable.space import nowhere

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.action import Action
    from marchtable.compiled import CompiledSpace
    from marchtable.position import Position, Unit
    from marchtable.space import Reached

__all__ = ["Place", "Reach", "reach"]


class Place(NamedTuple):
    """One place a unit can get to: Location, mode, and half points spent and left there."""

    at: str
    mode: Any
    spent: int
    left: int
    index: int


class Reach:
    """
    Everywhere a unit can get to, cheapest first, kept as arrays until someone looks.

    Attributes
    ----------
    unit
        Whose reach it is.
    found
        The kernel's arrays of reached states.
    """

    def __init__(self, position: Position[Any, Any], unit: Unit, space: CompiledSpace, found: Reached) -> None:
        self.position, self.unit, self.space, self.found = position, unit, space, found

    @property
    def is_exact(self) -> bool:
        """Whether no clause that is not modelled bears on a step that could be tried."""
        return not self.unsupported

    @cached_property
    def unsupported(self) -> tuple[str, ...]:
        """Ids of clauses that bear on a step within reach and are not modelled."""
        return self.space.unsupported_from(self.found)

    @cached_property
    def assumed(self) -> tuple[str, ...]:
        """Clauses whose rolls some of the paths assume to have been passed."""
        return self.space.rolls_on(self.found.arc)

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Every reached Location and mode, cheapest first."""
        width, board, limit = len(self.space.modes), self.position.board, self.space.limit
        return tuple(
            Place(
                board.locations[state // width].name,
                self.space.modes[state % width],
                spent,
                max(0, int(limit[state]) - spent),
                index,
            )
            for index, (state, spent) in enumerate(
                zip(self.found.state.tolist(), self.found.spent.tolist(), strict=True)
            )
        )

    def best(self) -> dict[str, Place]:
        """Return, for each Location reached, the place with the most points left."""
        found: dict[str, Place] = {}
        for place in self.places:
            if place.at not in found or place.left > found[place.at].left:
                found[place.at] = place
        return found

    def actions_to(self, place: Place) -> tuple[Action, ...]:
        """Return the actions of a cheapest way there (rolls assumed passed are not in it)."""
        return tuple(
            action
            for state, arc in self.found.path(place.index)
            if arc >= 0
            for action in self.space.actions_on(arc, state, self.unit.id)
        )

    def replay(self, place: Place) -> list[Any]:
        """
        Return the referee's rulings along a cheapest way there.

        Raises
        ------
        InternalError
            If the referee does not agree with the search.
        """
        rulebook = find_rulebook(self.position.rulebook)
        position, rulings = self.position, []
        for action in self.actions_to(place):
            ruling = rulebook.rule(position, action)
            if not ruling.is_legal:
                raise InternalError(f"reach proposes an illegal step: {action} in {position.key()}")
            rulings.append(ruling)
            position = msgspec.structs.replace(ruling.after, pending=())
        unit = position.unit(self.unit.id)
        if (unit.at, rulebook.spent(unit)) != (place.at, place.spent):
            raise InternalError(
                f"reach says {place.at} at {place.spent} half points, the referee "
                f"{unit.at} at {rulebook.spent(unit)} ({self.position.key()})"
            )
        return rulings


def reach(
    position: Position[Any, Any], units: Sequence[str], *, rolls: str = "pass"
) -> list[Reach]:
    """
    Find everywhere units can get to, each moving alone from where it now is.

    Parameters
    ----------
    position
        Where the game stands; a pending roll is taken as passed.
    units
        Ids of the units asked about.
    rolls
        ``"pass"`` assumes that each roll on the way is passed (the answer lists them under
        ``assumed``); ``"avoid"`` takes no step that calls for a roll.

    Returns
    -------
    list of Reach
        One for each unit, in order.

    Raises
    ------
    UnknownNameError
        If there is no such unit.
    """
    answers = []
    if position.pending:
        position = msgspec.structs.replace(position, pending=())
    for name in units:
        unit = position.unit(name)
        answers.append(_reach(position, unit, avoid=rolls == "avoid"))
    return answers


def _reach(position: Position[Any, Any], unit: Unit, *, avoid: bool) -> Reach:
    rulebook = find_rulebook(position.rulebook)
    if unit.at is not None and not rulebook.is_bound(position, unit):
        space = shared_space(position, unit, avoid=avoid)
        found = _search(space, position, unit)
        if not gains_by_returning(space, position, unit, found, avoid=avoid):
            return Reach(position, unit, space, found)
    space = own_space(position, unit, avoid=avoid)
    return Reach(position, unit, space, _search(space, position, unit))


def _search(space: CompiledSpace, position: Position[Any, Any], unit: Unit) -> Reached:
    from marchtable.kernel import search

    if unit.at is None:
        return nowhere()
    rulebook = find_rulebook(position.rulebook)
    start, spent = space.state(unit.at, rulebook.mode(unit)), rulebook.spent(unit)
    limit = None
    if spent > space.limit[start]:  # with a leader, say, it could spend more than it may alone
        first = start - start % len(space.modes)
        home = slice(first, first + len(space.modes))
        limit = space.limit.copy()
        limit[home] = limit[home].clip(min=spent)
    return search(space.space, [start], [spent], limit)
