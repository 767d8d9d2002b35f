"""Pictures of positions: units, one unit's reach, and the way and the faults of a log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.budget import tell
from marchtable.codec.structs import points
from marchtable.reachability.reach import reach
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from marchtable.picture import Marker, Way
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
        Shade where this unit can get to; with a log, draw the way of this unit alone.
    log
        Draw the ways it takes units, where it leaves all units, and the hexes where it breaks a
        clause.
    rolls
        Whether reach assumes rolls on the way to be passed (``"pass"``) or avoids them.
    title
        A line above the map.

    Raises
    ------
    UnknownNameError
        If there is no such unit.
    """
    from marchtable.picture import Link, Reached, Thing, draw

    shown = position
    ways: list[Way] = []
    faults: dict[str, str] = {}
    reached = None
    if log is not None:
        verdict = check(position, log)
        shown = verdict.position
        ways = _ways(position, verdict, [unit] if unit else [u.id for u in position.units])
        faults = _faults(position, verdict)
    elif unit is not None:
        reached = Reached(*_shades(position, unit, rolls))
    absent = sum(one.at is None for one in find_rulebook(position.rulebook).drawn(shown))
    if absent:
        title = ", ".join(filter(None, (title, f"{absent} not on the map")))
    tell("drawing")
    around = [u.at for u in shown.units if u.at] if len(position.board) > WHOLE_BOARD else []
    return draw(
        position.board,
        units=list(counters_of(shown).values()),
        things=[Thing(counter.at, counter.kind) for counter in shown.counters],
        reach=reached,
        ways=ways,
        highlights=faults,
        links=[Link(**link) for link in find_rulebook(position.rulebook).links(shown)],
        title=title,
        around=[*around, *(at for one in ways for at, _ in one.steps), *faults] if around else (),
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


def _ways(position: Position[Any, Any], verdict: Verdict, movers: Sequence[str]) -> list[Way]:
    """Return the ways of units; who pays nothing on the way of another is told with that one."""
    from marchtable.picture import Way

    taken = {name: tuple(_way(position, verdict, name)) for name in movers}
    ways = {name: way for name, way in taken.items() if len(way) > 1}
    paying = {name: way for name, way in ways.items() if len({cost for _, cost in way[1:]}) > 1}
    found: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for name, way in [*paying.items(), *(one for one in ways.items() if one[0] not in paying)]:
        places = {at for at, _ in way}
        same = (
            other for other in found if name not in paying and places <= {at for at, _ in other}
        )
        found.setdefault(next(same, way), []).append(name)
    return [Way(steps, ", ".join(names)) for steps, names in found.items()]


def last_way(position: Position[Any, Any], verdict: Verdict) -> list[tuple[str, str]]:
    """Return the Locations that the unit which paid last came through, each with what it had spent."""
    paid = [receipt.unit for ruling in verdict.rulings for receipt in ruling.receipts]
    return _way(position, verdict, paid[-1] if paid else None)


def _before(position: Position[Any, Any], verdict: Verdict, step: int | None) -> Position[Any, Any]:
    """Return the position in which a step was taken."""
    found = position
    for ruling in verdict.rulings[: step or 0]:
        found = ruling.after or found
    return found


def _faults(position: Position[Any, Any], verdict: Verdict) -> dict[str, str]:
    """Return the clauses broken, by the Location they were broken in."""
    found: dict[str, list[str]] = {}
    for violation in verdict.violations:
        at = violation.hexes[-1] if violation.hexes else None
        if at is None and violation.units:
            at = _before(position, verdict, violation.step).unit(violation.units[0]).at
        if at is not None:
            found.setdefault(at, []).append(violation.clause)
    return {at: ", ".join(dict.fromkeys(clauses)) for at, clauses in found.items()}
