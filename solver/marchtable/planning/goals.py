"""
Goal files: reading them, checking them against a position, writing them.

A goal is TOML or JSON of one schema (``marchtable schema goal``), or made in Python::

    Goal(aims=(Aim(units=("sqA", "sqB"), at=("K..Q",), must=1, worth=3),), avoid=("F4",))

If you make one in Python, pass it through :func:`checked_goal` (``plan`` and ``why`` do).
"""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.arguments import public
from marchtable.board.board import STEPS, split_name
from marchtable.codec.plain import checked, read, table_of, write
from marchtable.codec.structs import builtins_of, struct_of
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.nearest import did_you_mean, unknown
from marchtable.planning.road_distance import is_on_road
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.goal import GOAL_FORMAT, Aim, Goal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from marchtable.board.board import Board
    from marchtable.state.position import Position

__all__ = [
    "checked_goal", "goal_data", "goal_of", "load_goal", "movers_of", "places_of", "save_goal",
    "units_of", "wanted_twice", "with_carriers", "worth_of",
]  # fmt: skip

_RANGE = re.compile(r"(?P<first>[0-9A-Za-z]+)\.\.(?P<last>[0-9A-Za-z]+)")
_WAYS = ("at", "near", "exit")


@public
def load_goal(path: str | Path, position: Position[Any, Any]) -> Goal:
    """
    Return the goal in a file.

    Parameters
    ----------
    path
        A TOML or JSON file; ``-`` reads standard input.
    position
        The position: every name in the goal must exist there.

    Raises
    ------
    BadInputError
        Names the file, the field and what was expected there.
    """
    if not Path(path).exists() and position.board.called(str(path)) in position.board:
        raise BadInputError(
            "expected the file of a goal, got a hex; in the file: "
            f'format = "{GOAL_FORMAT}" and aims = [{{ units = [...], at = ["{path}"] }}]',
            source=str(path),
        )
    data, source = read(path)
    return goal_of(data, position, source=source)


def goal_of(data: Any, position: Position[Any, Any], *, source: str = "goal") -> Goal:
    """Return the goal of plain data, checked against a position."""
    table = table_of(checked(data, source=source), GOAL_FORMAT, source=source)
    goal: Goal = struct_of(table, Goal, source=source)
    if table.get("order") and table.get("weights"):
        raise BadInputError(
            "expected either order or weights, got both", source=source, field="order"
        )
    try:
        return checked_goal(goal, position)
    except BadInputError as error:
        raise error.located(source=source) from None


def goal_data(goal: Goal) -> dict[str, Any]:
    """Return a goal as plain data, without default values."""
    found: dict[str, Any] = builtins_of(goal)
    return found


@public
def save_goal(goal: Goal, path: str | Path) -> None:
    """Write a goal to a file."""
    write(goal_data(goal), path)


# -- the meaning of a goal on a board --------------------------------------------------------------


def units_of(aim: Aim, position: Position[Any, Any]) -> tuple[str, ...]:
    """Return the units of an aim; for a side, only those that can ever move."""
    return aim.units if aim.side is None else _side_units(position, aim.side)


def _side_units(position: Position[Any, Any], side: str) -> tuple[str, ...]:
    points = find_rulebook(position.rulebook).points
    return tuple(u.id for u in position.units if u.side == side and points(position, u))


def with_carriers(names: Iterable[str], position: Position[Any, Any]) -> tuple[str, ...]:
    """Return the units whose points bring these to their destinations: each after its carrier."""
    units = map(position.unit, names)
    found = (name for unit in units for name in (unit.carrier, unit.id) if name is not None)
    return tuple(dict.fromkeys(found))


def worth_of(aim: Aim, unit: str) -> int:
    """Return a unit's worth to an aim."""
    return aim.each.get(unit, aim.worth)


def movers_of(goal: Goal, position: Position[Any, Any]) -> tuple[str, ...]:
    """Return the units that plans can use, in the position's order."""
    if goal.movers:
        return tuple(unit.id for unit in position.units if unit.id in goal.movers)
    return _side_units(position, position.side)


def places_of(names: Iterable[str], board: Board, *, field: str = "") -> frozenset[str]:
    """
    Return the Locations that names stand for.

    Parameters
    ----------
    names
        Locations, or ranges of columns: ``"K..Q"``, on joined boards ``"5K..6C"``, stand for all
        Locations in these columns of the map and those between.
    board
        The map.
    field
        The field with the names, for the message.

    Raises
    ------
    UnknownNameError
        If there is no such Location or column.
    """
    found: set[str] = set()
    for number, name in enumerate(names):
        try:
            found |= _places(name, board)
        except BadInputError as error:
            raise error.located(field=f"{field}[{number}]") from None
    return frozenset(found)


def _places(name: str, board: Board) -> set[str]:
    columns = _RANGE.fullmatch(name)
    if columns is None:
        return {board.resolve(name)}
    ends = [_column(columns[end], board) for end in ("first", "last")]  # in either order
    return {place.name for place in board.locations if min(ends) <= place.u <= max(ends)}


def _column(name: str, board: Board) -> int:
    """Return the coordinate of a hex column by its letters, with the board's name as a prefix."""
    for place in board.locations:
        parts = split_name(place.hex)
        if parts is not None and parts[0] + parts[1] == name:
            return place.u
    columns = dict.fromkeys(
        parts[0] + parts[1]
        for place in sorted(board.locations, key=lambda place: place.u)
        if (parts := split_name(place.hex)) is not None
    )
    ends = f" (from {next(iter(columns))} to {[*columns][-1]})" if columns else ""
    raise UnknownNameError(f"no column {name!r} of hexes on board {board.name}{ends}")


def wanted_twice(goal: Goal, position: Position[Any, Any]) -> tuple[str, ...]:
    """
    Return units that a goal demands in two places at once, so that no plan meets it.

    Either the units of two aims without a common place that together demand more units than they
    have, or one unit that aims without a common place demand with all their others.
    """
    demands = [_Demand.of(aim, position) for aim in goal.aims if aim.must is not None]
    for one, other in combinations(demands, 2):
        units = dict.fromkeys((*one.units, *other.units))
        if not one.places & other.places and one.least + other.least > len(units):
            return tuple(name for name in one.units if name in other.units)
    whole = [demand for demand in demands if demand.least == len(demand.units)]
    for name in dict.fromkeys(name for demand in whole for name in demand.units):
        if not frozenset.intersection(*(one.places for one in whole if name in one.units)):
            return (name,)
    return ()


class _Demand(NamedTuple):
    """An aim's demand: a number of units, and the places, each with whether units leave there."""

    units: tuple[str, ...]
    places: frozenset[tuple[str, bool]]
    least: int

    @classmethod
    def of(cls, aim: Aim, position: Position[Any, Any]) -> _Demand:
        units, leaves = units_of(aim, position), bool(aim.exit)
        places = places_of(aim.exit or aim.at, position.board)
        count = len(units) if aim.must == "all" else aim.must or 0
        return cls(units, frozenset((at, leaves) for at in places), count)


# -- checking against a position -------------------------------------------------------------------


def checked_goal(goal: Goal, position: Position[Any, Any]) -> Goal:
    """
    Check that a goal fits a position, and return it with the proper names of its Locations.

    Raises
    ------
    BadInputError
        Names the field and what was expected there.
    """
    board = position.board
    # prices may not be negative: that would pay for nothing
    goal = struct_of(goal_data(goal), Goal)
    if not goal.aims:
        raise BadInputError("expected at least one aim", field="aims")
    aims = tuple(_checked_aim(aim, position, f"aims[{n}]") for n, aim in enumerate(goal.aims))
    avoid = tuple(_resolved(goal.avoid, board, "avoid"))
    names = _resolved(goal.threat, board, "threat")
    threat = dict(zip(names, goal.threat.values(), strict=True))
    if len(threat) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise BadInputError(f"Location {twice!r} is named twice", field="threat")
    _check_movers(goal, position)
    if len(set(goal.order)) < len(goal.order):
        raise BadInputError("expected each criterion once", field="order")
    if goal.weights and not any(goal.weights.values()):
        raise BadInputError("expected a weight above 0", field="weights")
    if not goal.order and not goal.weights:
        raise BadInputError("expected at least one criterion", field="order")
    return msgspec.structs.replace(goal, aims=aims, avoid=avoid, threat=threat)


def _resolved(names: Iterable[str], board: Board, field: str) -> list[str]:
    found = []
    for number, name in enumerate(names):
        try:
            found.append(board.resolve(name))
        except UnknownNameError as error:
            raise error.located(field=f"{field}[{number}]") from None
    return found


def _check_movers(goal: Goal, position: Position[Any, Any]) -> None:
    sides = find_rulebook(position.rulebook).sides(position)
    if position.side in sides:  # other sides may act too, but a plan is for the side to move
        sides = (position.side,)
    _check_units(goal.movers, position, "movers")
    for number, name in enumerate(goal.movers):
        if position.unit(name).side not in sides:
            raise BadInputError(
                f"expected units of {' or '.join(sides)}, which are to move, got {name!r}",
                field=f"movers[{number}]",
            )


def _check_units(names: Iterable[str], position: Position[Any, Any], field: str) -> None:
    seen = set()
    for number, name in enumerate(names):
        try:
            position.unit(name)
        except UnknownNameError as error:
            raise error.located(field=f"{field}[{number}]") from None
        if name in seen:
            raise BadInputError(f"unit {name!r} is named twice", field=f"{field}[{number}]")
        seen.add(name)


def _checked_aim(aim: Aim, position: Position[Any, Any], field: str) -> Aim:
    board = position.board
    given = [way for way in _WAYS if getattr(aim, way)]
    if len(given) != 1:
        said = " and ".join(given) or "none"
        raise BadInputError(f"expected one of at, near and exit, got {said}", field=field)
    if bool(aim.units) == (aim.side is not None):
        raise BadInputError("expected either units or a side", field=f"{field}.units")
    _check_units(aim.units, position, f"{field}.units")
    units = units_of(aim, position)
    if not units:
        sides = dict.fromkeys(unit.side for unit in position.units)
        raise UnknownNameError(
            unknown("side", aim.side, sides, where=" with units here"), field=f"{field}.side"
        )
    _check_whose(aim, position, field)
    for name in aim.each:
        if name not in units:
            raise BadInputError(
                f"expected units of this aim ({', '.join(units)}), got {name!r}"
                f"{did_you_mean(name, units)}",
                field=f"{field}.each",
            )
    _check_must(aim, len(units), field)
    near = tuple(_resolved(aim.near, board, f"{field}.near"))
    _check_roads(aim, near, board, field)
    for way in ("at", "exit"):
        places_of(getattr(aim, way), board, field=f"{field}.{way}")
    _check_exits(aim, board, f"{field}.exit")
    return msgspec.structs.replace(aim, near=near)


def _check_roads(aim: Aim, near: Sequence[str], board: Board, field: str) -> None:
    """Reject a distance along roads to a place without a road."""
    if aim.by_road and not aim.near:
        raise BadInputError("by_road goes with near, not with at or exit", field=f"{field}.by_road")
    for number, name in enumerate(near if aim.by_road else ()):
        if not is_on_road(board, name):
            raise BadInputError(
                f"expected a Location on a road, as the aim counts by_road, got {name!r}",
                field=f"{field}.near[{number}]",
            )


def _check_exits(aim: Aim, board: Board, field: str) -> None:
    """Reject a name of no Location at the edge of the map."""
    hexes = {(place.u, place.v) for place in board.locations} if aim.exit else set()
    for number, name in enumerate(aim.exit):
        places = map(board.__getitem__, _places(name, board))
        if not any((here.u + u, here.v + v) not in hexes for here in places for u, v in STEPS):
            raise BadInputError(
                f"expected a Location at the edge of the map, got {name!r}",
                field=f"{field}[{number}]",
            )


def _check_whose(aim: Aim, position: Position[Any, Any], field: str) -> None:
    """Reject units of other sides, and units that never move."""
    rulebook = find_rulebook(position.rulebook)
    others = () if position.side in rulebook.sides(position) else rulebook.sides(position)
    sides = (position.side, *others)
    expected = " or ".join(sides)
    if aim.side is not None and aim.side not in sides:
        raise BadInputError(f"expected {expected}, which is to move, got {aim.side!r}",
                            field=f"{field}.side")  # fmt: skip
    for number, name in enumerate(aim.units):
        unit, where = position.unit(name), f"{field}.units[{number}]"
        if unit.side not in sides:
            raise BadInputError(f"expected units of {expected}, got {name!r}", field=where)
        if not rulebook.points(position, unit):
            raise BadInputError(f"expected units that can move, got {name!r}", field=where)


def _check_must(aim: Aim, count: int, field: str) -> None:
    if aim.must is None:
        return
    if aim.near:
        raise BadInputError("must goes with at or exit, not with near", field=f"{field}.must")
    if aim.must != "all" and aim.must > count:
        raise BadInputError(
            f"expected at most {count}, as many as the aim has units, got {aim.must}",
            field=f"{field}.must",
        )
