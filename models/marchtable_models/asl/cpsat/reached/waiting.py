"""Coming onto the map: the ways on of units that wait off it, asked of the rulebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable.budget import lent_here, work
from marchtable.checking import Checks, hold
from marchtable.reachability.arrivals import Arrivals, arrivals
from marchtable.rules.clause import switched_off
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Hashable

    from marchtable.board.board import Board
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["may_come", "waits_by", "ways_on"]

MOST = 5_000  # units, as others stand where they come on, whose ways on are kept with a board
ENTRY = 0.002  # deterministic time that each Location to come on by counts for


def may_come(unit: AslUnit) -> bool:
    """Return whether a unit off the map may come on by itself, or with what carries it."""
    return not unit.offboard.exited and bool(
        unit.offboard.entering or unit.cargo.aboard or unit.cargo.towed_by
    )


def waits_by(board: Board, unit: AslUnit) -> list[str]:
    """Return the Locations by which a unit comes on."""
    return list(dict.fromkeys(board.resolve(name) for name in unit.offboard.entering))


def ways_on(position: AslPosition, unit: AslUnit) -> Arrivals:
    """Return the ways on of one like a unit that waits off the map, none of them by a roll."""
    rulebook, board = find_rulebook(position.rulebook), position.board
    there = position.with_units([unit])
    near = tuple(waits_by(board, unit))
    found = [rulebook.presence(position, unit.side, at, unit) for at in near]
    about = (rulebook.circumstances(position), position.readings, position.turn, switched_off())
    who = (unit.move.mph, unit.points.spent, rulebook.mode(unit), rulebook.mover(there, unit))
    key = (near, *found, *about, *who)
    budget = lent_here()
    if budget is not None and budget.is_news(("ways on", key)):
        work(ENTRY * (1 + len(near)))
    known: dict[Hashable, Arrivals] = board.notes.setdefault("ways on", {})
    if key not in known:
        if len(known) > MOST:
            known.clear()
        known[key] = arrivals(there, unit.id, avoid=True)
    elif Checks.on:
        ruled = arrivals(msgspec.structs.replace(there), unit.id, avoid=True)
        both = (_unnamed(known[key]), _unnamed(ruled))
        hold("ways on", *both, key=key, position=position, action=unit.id)
    return known[key]


def _unnamed(found: Arrivals) -> Hashable:
    """Return arrivals without the name of their unit, to compare them."""
    ways = {place: (way.spent, way.rolls) for place, way in found.ways.items()}
    return frozenset(ways.items()), found.unsupported
