"""Pictures of positions: units, one unit's reach, and the way and the faults of a log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.budget import tell
from marchtable.codec.structs import points
from marchtable.reachability.reach import reach
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import parameters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from marchtable.picture import Marker
    from marchtable.rules.ruling import Verdict
    from marchtable.state.action import Action
    from marchtable.state.position import Position

__all__ = ["counters_of", "last_way", "scene_picture"]

WHOLE_BOARD = 400
"""Boards of more Locations than this are shown only around what matters."""


def scene_picture(
    position: Position[Any, Any],
    *,
    unit: str | None = None,
    log: Sequence[Action] | None = None,
    every: bool = False,
    rolls: str = "pass",
    title: str = "",
) -> Figure:
    """
    Draw a position.

    Parameters
    ----------
    position
        Where the game stands.
    unit
        Shade where this unit can get to; with a log, draw the way of this unit.
    log
        Draw the way it takes a unit (by default the first that moves), where it leaves all
        units, and the hexes where it breaks a clause.
    every
        With a log, draw the ways of all units that it moves.
    rolls
        Whether reach assumes rolls on the way to be passed (``"pass"``) or avoids them.
    title
        A line above the map.

    Raises
    ------
    UnknownNameError
        If there is no such unit.
    """
    from marchtable.picture import Link, draw

    shown = position
    way: list[tuple[str, str]] = []
    others: list[list[tuple[str, str]]] = []
    faults: dict[str, str] = {}
    shades, label = None, ""
    if log is not None:
        verdict = check(position, log)
        shown = verdict.position
        way = _way(position, verdict, unit or _first_mover(log))
        ways = [_way(position, verdict, u.id) for u in position.units] if every else []
        others = [found for found in ways if len(found) > 1 and found != way]
        faults = _faults(position, verdict)
    elif unit is not None:
        shades, label = _shades(position, unit, rolls)
    tell("drawing")
    around = [u.at for u in shown.units if u.at] if len(position.board) > WHOLE_BOARD else []
    return draw(
        position.board,
        units=list(counters_of(shown).values()),
        reach=shades,
        reach_label=label,
        path=way,
        others=others,
        highlights=faults,
        links=[Link(**link) for link in find_rulebook(position.rulebook).links(shown)],
        title=title,
        around=[*around, *(at for one in (way, *others) for at, _ in one), *faults]
        if around
        else (),
    )


def _shades(
    position: Position[Any, Any], unit: str, rolls: str
) -> tuple[dict[str, tuple[float, str]], str]:
    """Return what a unit has left where it can get to, whom it could meet there, and what that is."""
    rulebook = find_rulebook(position.rulebook)
    found = reach(position, [unit], rolls=rolls)[0]
    meets: dict[str, list[str]] = {}
    for prospect in rulebook.prospects(position, found, {}):
        meets.setdefault(prospect["at"], []).append(prospect["unit"])
    shades = {}
    for at, place in found.best().items():
        names = dict.fromkeys(meets.get(at, ()))
        told = f" ({', '.join(names)})" if names else ""
        shades[at] = (float(points(place.left)), f"{points(place.left):g}{told}")
    label = f"{rulebook.points(position, found.unit)} left"
    return shades, f"{label} (whom it could board, or be boarded by)" if meets else label


def counters_of(position: Position[Any, Any]) -> dict[str, Marker]:
    """Return the counter of each unit on the map, by its id, those below others first."""
    from marchtable.picture import Marker

    book = find_rulebook(position.rulebook)
    return {
        unit.id: Marker(at=unit.at, side=unit.side, **book.marker(position, unit))
        for unit in book.drawn(position)
        if unit.at is not None
    }


def _first_mover(log: Sequence[Action]) -> str | None:
    """Return the first unit that an action of the log names."""
    for action in log:
        for parameter in parameters(type(action)):
            value = getattr(action, parameter.name)
            if parameter.domain == "unit" and value is not None:
                return str(value)
            if parameter.domain == "companions" and value:
                return str(value[0])
    return None


def _way(position: Position[Any, Any], verdict: Verdict, unit: str | None) -> list[tuple[str, str]]:
    """Return the Locations a unit came through, each with what it had spent by then."""
    if unit is None:
        return []
    at = position.unit(unit).at
    found = [(at, "")] if at else []
    spent = 0
    for ruling in verdict.rulings:
        spent += sum(receipt.amount for receipt in ruling.receipts if receipt.unit == unit)
        here = ruling.after.unit(unit).at if ruling.after is not None else at
        if here is not None and here != at:
            found.append((here, f"{points(spent):g}"))
        at = here
    return found


def last_way(position: Position[Any, Any], verdict: Verdict) -> list[tuple[str, str]]:
    """Return the Locations that the unit which paid last came through, each with what it had spent."""
    paid = [receipt.unit for ruling in verdict.rulings for receipt in ruling.receipts]
    return _way(position, verdict, paid[-1] if paid else None)


def _faults(position: Position[Any, Any], verdict: Verdict) -> dict[str, str]:
    """Return the clauses broken, by the Location they were broken in."""
    found: dict[str, list[str]] = {}
    for violation in verdict.violations:
        at = violation.hexes[-1] if violation.hexes else None
        if at is None and violation.units:
            at = position.unit(violation.units[0]).at
        if at is not None:
            found.setdefault(at, []).append(violation.clause)
    return {at: ", ".join(dict.fromkeys(clauses)) for at, clauses in found.items()}
