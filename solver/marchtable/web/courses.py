"""The way that the first unit of a line would take if it were alone: what a line is led along."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.answers.routes import reach_answers
from marchtable.errors import UnknownNameError
from marchtable.files.logs import log_of
from marchtable.nearest import unknown
from marchtable.play.options import options
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from marchtable.files.scenes import Scene
    from marchtable.state.position import Position

__all__ = ["course", "reach_alone"]


def course(scene: Scene, *, unit: str, stops: list[str], log: list[str]) -> dict[str, Any]:
    """
    Find the cheapest way of a unit through hexes, as though it were in no line and those of its line away.

    It begins after entries that were not played.

    It proposes only: the referee judges each Impulse on the way as it is.

    Returns
    -------
    dict
        ``actions``: the unit's own, one after another; ``failed``: the answer of `reach` about the
        first stop that it does not come to, None if it comes to all.

    Raises
    ------
    UnknownNameError
        If there is no such unit or hex.
    """
    position = scene.position
    position = _alone(check(position, log_of(log, position, name=scene.name)).position, unit)
    actions: list[str] = []
    for stop in stops:
        (found,) = reach_answers(position, [unit], to=stop)
        path = found.get("path") or []
        if not path:
            return {"actions": actions, "failed": found}
        lines = [one["action"] for one in path]
        actions += lines
        position = check(position, log_of(lines, position, name=scene.name)).position
    return {"actions": actions, "failed": None}


def reach_alone(scene: Scene, *, unit: str) -> dict[str, Any]:
    """
    Compute what a unit could reach as though it were in no line: the Locations that it may lead its line to.

    Raises
    ------
    UnknownNameError
        If there is no such unit.
    """
    (found,) = options(_alone(scene.position, unit), unit)["units"]
    return {"locations": found["reach"]["locations"]}


def _alone(position: Position[Any, Any], unit: str) -> Position[Any, Any]:
    """Return a position in which a unit is in no line, and those of its line away."""
    if unit not in position.index:
        raise UnknownNameError(unknown("unit", unit, position.index), field="unit")
    return find_rulebook(position.rulebook).alone(position, position.unit(unit))
