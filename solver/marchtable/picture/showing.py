"""Pictures of positions: units, one unit's reach, and the paths and faults of a log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from marchtable.budget import report_progress
from marchtable.codec.structs import points
from marchtable.reachability.reach import reach
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.figure import Figure

    from marchtable.board.board import Board
    from marchtable.picture import Marker, PathOverlay, Thing
    from marchtable.rules.ruling import Verdict
    from marchtable.state.action import Action
    from marchtable.state.position import Position

__all__ = ["counters_of", "last_way", "los_picture", "scene_picture", "things_of"]

Stop: TypeAlias = tuple[str, str, float | None]

WHOLE_BOARD = 400
"""Larger boards (in Locations) are shown only around what matters."""


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
        The position.
    unit
        Shade this unit's reach; with a log, draw only this unit's path.
    log
        Draw the units' paths, their final places, and the hexes where the log breaks a clause.
    rolls
        Whether reach assumes that rolls succeed (``"pass"``) or avoids them.
    title
        A line above the map.

    Raises
    ------
    UnknownNameError
        If there is no such unit.
    """
    from marchtable.picture import Link, Look, ReachOverlay, draw

    shown = position
    ways: list[PathOverlay] = []
    faults: dict[str, str] = {}
    reached = None
    if log is not None:
        verdict = check(position, log)
        shown = verdict.position
        ways = ways_of_log(position, verdict, [unit] if unit else [u.id for u in position.units])
        faults = _faults(position, verdict)
    elif unit is not None:
        reached = ReachOverlay(*reach_shades(position, unit, rolls))
    book = find_rulebook(position.rulebook)
    overall = book.overall(shown)
    title = ", ".join(filter(None, (title, overall.headline)))
    absent = sum(one.at is None for one in shown.units)
    if absent:
        title = ", ".join(filter(None, (title, f"{absent} not on the map")))
    report_progress("drawing")
    around = [u.at for u in shown.units if u.at] if len(position.board) > WHOLE_BOARD else []
    return draw(
        position.board,
        units=list(counters_of(shown).values()),
        things=things_of(shown),
        reach=reached,
        ways=ways,
        highlights=faults,
        links=[Link(**link) for link in overall.links],
        title=title,
        around=[*around, *(at for one in ways for at, _ in one.steps), *faults] if around else (),
        look=Look(tint=overall.tint),
    )


def los_picture(
    board: Board, found: Mapping[str, Any], position: Position[Any, Any] | None = None
) -> Figure:
    """
    Draw lines of sight.

    A thread leads from each place to the other, broken where it is not clear; the hex responsible
    is outlined, with the clause.

    Parameters
    ----------
    board
        The board.
    found
        The answer of ``los``.
    position
        The position to draw with them; only the board if there is none.
    """
    from marchtable.picture import Link, Look, draw

    rows = found["sights"]
    threads = [
        Link(row["from"], row["to"], label=_thread_text(row), broken=row["sight"] != "clear")
        for row in rows
    ]
    ends = [at for row in rows for at in (row["from"], row["to"])]
    book = None if position is None else find_rulebook(position.rulebook)
    return draw(
        board,
        units=[] if position is None else list(counters_of(position).values()),
        things=[] if position is None else things_of(position),
        links=threads,
        highlights={row["hex"]: row["clause"] or "" for row in rows if row["hex"] is not None},
        title=found["board"],
        around=ends if len(board) > WHOLE_BOARD else (),
        look=None if book is None or position is None else Look(tint=book.overall(position).tint),
    )


def _thread_text(row: Mapping[str, Any]) -> str:
    """Return the text on a thread: whether it is clear, and the Hindrance."""
    return f"{row['sight']}{row['hindrance']:+d}" if row["hindrance"] else str(row["sight"])


def reach_shades(
    position: Position[Any, Any], unit: str, rolls: str
) -> tuple[dict[str, tuple[float, str]], str]:
    """Return a unit's points left by Location, with a + where it could board or be boarded."""
    rulebook = find_rulebook(position.rulebook)
    found = reach(position, [position.unit(unit, "unit").id], rolls=rolls)[0]
    meets: set[str] = set()
    for prospect in rulebook.prospects(position, found, {}):
        meets.add(prospect["at"])
    shades = {}
    for at, place in found.best().items():
        shades[at] = (float(points(place.left)), f"{points(place.left):g}{'+' * (at in meets)}")
    label = f"{rulebook.points(position, found.unit)} left"
    return shades, f"{label} (+ it could board, or be boarded)" if meets else label


def things_of(position: Position[Any, Any]) -> list[Thing]:
    """Return the things on the map other than units, by the rulebook's names; hidden ones say so."""
    from marchtable.picture import Thing

    book = find_rulebook(position.rulebook)
    found = [Thing(one.at, **book.lying(one.kind)) for one in position.counters]
    return [
        msgspec.structs.replace(thing, text=f"{thing.text}, hidden", hidden=True)
        if one.hidden
        else thing
        for thing, one in zip(found, position.counters, strict=True)
    ]


def counters_of(position: Position[Any, Any]) -> dict[str, Marker]:
    """Return the counter of each unit on the map, by id, lower ones first."""
    from marchtable.picture import Marker

    book = find_rulebook(position.rulebook)
    found = {
        unit.id: Marker(at=unit.at, side=unit.side, **book.marker(position, unit))
        for unit in position.units
        if unit.at is not None
    }
    return dict(sorted(found.items(), key=lambda one: one[1].height))


def _way(position: Position[Any, Any], verdict: Verdict, unit: str | None) -> list[Stop]:
    """Return the Locations on a unit's path, with points spent and offsets from the centre."""
    if unit is None:
        return []
    marker = find_rulebook(position.rulebook).marker
    first = position.unit(unit)
    last = first.at, marker(position, first).get("aside")
    found: list[Stop] = [(last[0], "", last[1])] if last[0] else []
    spent = 0
    for ruling in verdict.rulings:
        spent += sum(receipt.amount for receipt in ruling.receipts if receipt.unit == unit)
        if ruling.after is None:
            continue
        now = ruling.after.unit(unit)
        here = now.at, marker(ruling.after, now).get("aside")
        if here[0] is not None and here != last:
            found.append((here[0], f"{points(spent):g}", here[1]))
        last = here
    return found


def _pays(position: Position[Any, Any], verdict: Verdict, name: str) -> bool:
    """Return whether a unit pays for a step that moves it."""
    at = position.unit(name).at
    for ruling in verdict.rulings:
        if ruling.after is None:
            continue
        was, at = at, ruling.after.unit(name).at
        if at != was and any(one.unit == name and one.amount for one in ruling.receipts):
            return True
    return False


def ways_of_log(
    position: Position[Any, Any], verdict: Verdict, movers: Sequence[str]
) -> list[PathOverlay]:
    """Return units' ways; units that pay nothing on another's way are listed with it."""
    from marchtable.picture import PathOverlay

    taken = {name: tuple(_way(position, verdict, name)) for name in movers}
    ways = {name: way for name, way in taken.items() if len(way) > 1}
    paying = {name: way for name, way in ways.items() if _pays(position, verdict, name)}
    found: dict[tuple[Stop, ...], list[str]] = {}
    for name, way in [*paying.items(), *(one for one in ways.items() if one[0] not in paying)]:
        places = {at for at, *_ in way}
        same = (
            other for other in found if name not in paying and places <= {at for at, *_ in other}
        )
        found.setdefault(next(same, way), []).append(name)
    book = find_rulebook(position.rulebook)
    return [
        PathOverlay(
            tuple((at, cost) for at, cost, _ in way),
            ", ".join(names),
            tuple(aside for *_, aside in way),
            book.points(position, position.unit(names[0])),
        )
        for way, names in found.items()
    ]


def last_way(position: Position[Any, Any], verdict: Verdict) -> list[tuple[str, str]]:
    """Return the Locations on the path of the unit that paid last, with the points spent."""
    paid = [receipt.unit for ruling in verdict.rulings for receipt in ruling.receipts]
    return [(at, cost) for at, cost, _ in _way(position, verdict, paid[-1] if paid else None)]


def _before(position: Position[Any, Any], verdict: Verdict, step: int | None) -> Position[Any, Any]:
    """Return the position in which a step was taken."""
    found = position
    for ruling in verdict.rulings[: step or 0]:
        found = ruling.after or found
    return found


def _faults(position: Position[Any, Any], verdict: Verdict) -> dict[str, str]:
    """Return the broken clauses, by Location."""
    found: dict[str, list[str]] = {}
    for violation in verdict.violations:
        at = violation.hexes[-1] if violation.hexes else None
        if at is None and violation.units:
            at = _before(position, verdict, violation.step).unit(violation.units[0]).at
        if at is not None:
            found.setdefault(at, []).append(violation.clause)
    return {at: ", ".join(dict.fromkeys(clauses)) for at, clauses in found.items()}
