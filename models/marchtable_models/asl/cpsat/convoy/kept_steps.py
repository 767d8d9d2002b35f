"""The steps of each vehicle of a Convoy, kept with the map: those of equal vehicles are made once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import msgspec

from marchtable.rules.clause import clause_of, switched_off
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.convoy.steps import AS_ONE, PROBE, Steps
from marchtable_models.asl.cpsat.line_relations import distances
from marchtable_models.asl.extraction.cargo import carried_by
from marchtable_models.asl.extraction.edge import beyond, span
from marchtable_models.asl.extraction.modes import in_mode, mode_of

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Sequence

    from marchtable.board.board import Board
    from marchtable.rules.rulebook import Rulebook
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["steps_for"]

KEPT = 64  # tables per board
TABLES: WeakKeyDictionary[Board, dict[Hashable, Steps]] = WeakKeyDictionary()


def steps_for(
    rulebook: Rulebook[Any, Any],
    position: AslPosition,
    line: Sequence[AslUnit],
    *,
    avoid: bool = True,
    exits: frozenset[str] = frozenset(),
    lone: Collection[str] | None = None,
    as_one: Collection[str] = AS_ONE,
) -> dict[str, Steps]:
    """
    Return the steps of each vehicle of a Convoy, those of equal vehicles made once.

    Those told are `lone` if a Gap parts it from the others; where vehicles may leave the map by
    `exits`, the last of them may be. Without `as_one`, the clauses that bind them to each other.
    """
    board = position.board
    apart = distances(rulebook.edition(position), board) if exits else ()
    last = frozenset(at for exit_ in exits for at in _beside_exit(board, apart, exit_))
    ids = {unit.id for unit in line}
    loads = {unit.id: carried_by(position, unit) for unit in line}
    found = {}
    for unit in line:
        gone = ids | {load.id for name in ids - {unit.id} for load in loads[name]}
        others = tuple(u for u in position.units if u.id not in gone)
        base = msgspec.structs.replace(position, units=others, pending=())
        template = replace(
            unit, id=unit.id if loads[unit.id] else PROBE, rank=0, spent=0, used=1, mph="moving",
            previous=None, behind="", sees=(), not_sees=(), attacked=False, halted=False, at=None,
            entering=unit.offboard.entering if unit.at is None else (), facing=unit.facing or "NNE",
            moving=False, bypass=None, left="",
        )  # fmt: skip
        template = in_mode(template, "", mode_of(unit))
        known = TABLES.setdefault(position.board, {})
        places: frozenset[str] | None = None if lone is None else frozenset()
        if unit.id in (lone or ()):
            places = frozenset(board.index)
        elif exits and unit is line[-1]:
            places = last
        off = frozenset(name for name in switched_off() if clause_of(name) not in as_one)
        key = (base, _bare(template), off, avoid, exits, places)
        if key not in known:
            if len(known) >= KEPT:
                known.clear()
            template = msgspec.structs.replace(template, at=None)
            known[key] = Steps(
                rulebook, base, template, avoid=avoid, exits=exits, lone=places, as_one=as_one
            )  # fmt: skip
        found[unit.id] = known[key]
    return found


def _bare(template: AslUnit) -> AslUnit:
    """Return a vehicle without its place and mode, on which nothing that it may do depends."""
    return replace(
        template,
        at=None,
        facing="NNE",
        moving=False,
        reverse=False,
        off_road=False,
        used=1,
        spent=0,
    )


def _beside_exit(board: Board, apart: Collection[int], at: str) -> list[str]:
    """Return the Locations beside any hex off the map to which one leads."""
    off = beyond(board, at)
    return [name for name in board.index if span(board, off, name) in apart]
