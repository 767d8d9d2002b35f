"""The reach of units that move together, by joint actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.budget import report_progress
from marchtable.codec.structs import points
from marchtable.errors import UnknownNameError
from marchtable.files.notation import format_action
from marchtable.planning.paths import Label, labels
from marchtable.rules.candidates import worth_trying
from marchtable.rules.rolls import passing
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import group_field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.files.scenes import Scene
    from marchtable.rules.ruling import Ruling
    from marchtable.state.position import Position

__all__ = ["reach_together"]

REPORTED = 50
"""Number of states between two reports of progress."""


def reach_together(scene: Scene, *, units: list[str], to: str | None = None) -> dict[str, Any]:
    """
    Compute where units can go that move together all the way, and what is left of the one with least.

    Only joint actions of all of them are tried. Rolls on the way are assumed passed.

    Parameters
    ----------
    units
        The units, which are in one Location. In a path, ``cost`` and ``spent`` are the first one's.
    to
        Return the cheapest way to this Location instead, as `reach` does.

    Returns
    -------
    dict
        ``locations``: the most points left in each; or ``to``, ``points`` and ``path``, which is
        empty if they do not get there together.

    Raises
    ------
    UnknownNameError
        If there is no such unit or Location.
    """
    position = scene.position
    for name in units:
        if name not in position.index:
            raise UnknownNameError(position.unknown_unit(name), field="units")
    target = None if to is None else position.board.resolve(to)
    book = find_rulebook(position.rulebook)
    first = units[0]
    locations: dict[str, float] = {}
    for way in _ways(position, tuple(units)):
        here = way.step[-1].after if way.step else position
        at = here.unit(first).at
        left = points(_least(here, units))
        if at == target:
            path = [_step(ruling, units) for one in way.path() for ruling in one.step]
            return {"to": to, "points": book.points(position, position.unit(first)), "path": path}
        locations[at] = max(left, locations.get(at, left))
    return {"locations": locations} if to is None else {"to": to, "path": []}


def _ways(position: Position[Any, Any], units: tuple[str, ...]) -> Iterator[Label]:
    """Yield the ways of units that move together, those that cost all together the least first; each step holds its rulings."""
    spent = find_rulebook(position.rulebook).spent

    def steps(way: Label) -> Iterator[tuple[int, int, Any, Any]]:
        for rulings in _joint_steps(way.step[-1].after if way.step else position, units):
            after = rulings[-1].after
            yield sum(map(spent, map(after.unit, units))), 0, _state(after, units), rulings

    start = Label(0, 0, _state(position, units), (), None)
    for number, way in enumerate(labels([start], steps)):
        if number % REPORTED == 0:
            report_progress(f"finding the reach of {', '.join(units)}")
        yield way


def _joint_steps(
    position: Position[Any, Any], units: tuple[str, ...]
) -> Iterator[tuple[Ruling, ...]]:
    """Yield what all units can do as one, each with its rolls passed."""
    book = find_rulebook(position.rulebook)
    first = position.unit(units[0])
    kinds = [kind for kind in book.travel_in(position, first) if group_field(kind)]
    for action in worth_trying(book, position, first, kinds):
        joint = msgspec.structs.replace(action, **{str(group_field(type(action))): units})
        steps = [book.rule(position, joint)]
        while steps[-1].is_legal and steps[-1].after.pending:
            event = passing(steps[-1].after)
            if event is None:
                break
            steps.append(book.rule(steps[-1].after, event))
        if steps[-1].is_legal and not steps[-1].after.pending:
            yield tuple(steps)


def _state(position: Position[Any, Any], units: tuple[str, ...]) -> tuple[Any, ...]:
    """Return all of the units' state that moving changes, except what they have spent."""
    mode = find_rulebook(position.rulebook).mode
    return tuple((unit.at, mode(unit)) for unit in map(position.unit, units))


def _least(position: Position[Any, Any], units: list[str] | tuple[str, ...]) -> int:
    """Return the half points left to the unit that has the fewest."""
    book = find_rulebook(position.rulebook)
    return min(book.allotment(position, one) - book.spent(one) for one in map(position.unit, units))


def _step(ruling: Ruling, units: list[str]) -> dict[str, Any]:
    """Return a step of a way: action, place, the first unit's cost, and what is left of the one with least."""
    first = ruling.after.unit(units[0])
    cost = sum(receipt.amount for receipt in ruling.receipts if receipt.unit == units[0])
    return {
        "action": format_action(ruling.action),
        "at": first.at,
        "cost": points(cost),
        "spent": points(find_rulebook(ruling.after.rulebook).spent(first)),
        "left": points(_least(ruling.after, units)),
        "rolls": [pending.clause for pending in ruling.obligations],
    }
