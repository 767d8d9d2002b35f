"""Reads off a position who moves as one line, and the facts of its Impulses (D14.3, E11.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.errors import BadInputError
from marchtable.state.records import replace
from marchtable_models.asl.extraction.edge import beyond, outer_sides, span, ways
from marchtable_models.asl.extraction.ground import lie
from marchtable_models.asl.facts.lines import Lineup, Link
from marchtable_models.asl.model import SPINES, Enter, Start, Stop, Turn
from marchtable_models.asl.verbs.bypass import Along, Bypass, Into
from marchtable_models.asl.verbs.foot import Advance
from marchtable_models.asl.verbs.vehicles import Delay, Exit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from marchtable.board.board import Board
    from marchtable.state.action import Action
    from marchtable.state.position import Position
    from marchtable_models.asl.extraction.edge import Spot
    from marchtable_models.asl.model import AslConditions, AslUnit, UnitType

    AslPosition = Position[AslUnit, AslConditions]

__all__ = [
    "STAY", "are_adjacent", "are_near", "has_leavers", "in_motion", "is_gap", "is_held_back", "is_idle", "is_immobile", "kind_of", "lineup", "link", "members", "moves_for", "nerve_of", "origin_of", "spot", "step_of",
]  # fmt: skip

STAY = "stay"
ENTRIES: dict[str, dict[str, bool]] = {
    "enter": {}, "half": {"half": True}, "off-road": {"off_road": True},
    "overrun": {"overrun": True}, "beneath": {"beneath": True},
}  # fmt: skip
"""Moves into a Location, with what is stated about the entry."""


PLAIN: dict[str, Callable[[str], Action]] = {
    "along": Along, "into": lambda name: Into((name,)), "start": Start, "stop": Stop,
    "reverse": lambda name: Start(name, reverse=True), "exit": lambda name: Exit((name,)),
}  # fmt: skip
"""Moves of which nothing more is stated."""


def kind_of(unit: AslUnit) -> str:
    """Return what the unit moves as part of: ``convoy``, ``column``, ``platoon``, ``wave`` or ``""``."""
    if unit.line.convoy:
        return "convoy"
    if unit.line.column:
        return "column"
    if unit.line.wave:
        return "wave"
    return "platoon" if unit.line.platoon else ""


def origin_of(unit: AslUnit) -> str:
    """Return the Convoy that a unit belonged to as the MPh began, ``""`` for none."""
    return unit.line.origin or unit.line.convoy


def is_held_back(unit: AslUnit) -> bool:
    """Return whether a Mobile vehicle cannot move in this MPh because it has fired or is TI (D2.1, D.7)."""
    return unit.status.prep_fired or unit.status.ti


def is_immobile(unit: AslUnit) -> bool:
    """Return whether a vehicle is not Mobile (D.7)."""
    crew, motion = unit.crew, unit.motion
    return motion.bogged or motion.immobile or crew.abandoned or crew.stunned or crew.shocked


def are_near(position: AslPosition, unit: AslUnit, other: AslUnit) -> bool:
    """Return whether two AFV share a hex or are in adjacent ones, counting hexes off the map."""
    board = position.board
    if unit.at is not None and other.at is not None:
        return are_adjacent(board, unit.at, other.at)
    if unit.offboard.exited or other.offboard.exited:
        return True
    places = [_where(board, one) for one in (unit, other)]
    return not all(places) or any(span(board, a, b) <= 1 for a in places[0] for b in places[1])


def _where(board: Board, unit: AslUnit) -> list[Spot]:
    """Return the hex of an AFV, or the hexes off the map in which it can wait."""
    if unit.at is not None:
        return [unit.at]
    return [beyond(board, board.resolve(name)) for name in unit.offboard.entering]


def are_adjacent(board: Board, a: str, b: str) -> bool:
    """Return whether AFV in two Locations are with or next to each other."""
    return board.distance(a, b) <= 1


def nerve_of(kind: UnitType, unit: AslUnit) -> str:
    """Return ``due``, ``failed`` or ``moving`` of a radioless AFV's task check, else ``""``."""
    if kind.radio or not kind.afv:
        return ""
    if unit.motion.check == "failed":
        return "moving" if unit.motion.moving else "failed"
    due = (
        unit.move.mph == "unmoved"
        and unit.at is not None
        and not unit.motion.check
        and not kind_of(unit)
    )
    return "due" if due else ""


def members(position: AslPosition, unit: AslUnit) -> tuple[AslUnit, ...]:
    """
    Return the units of the line that a unit belongs to, from the front; none outside one.

    Those who have left the map do not count; of a line that has left it whole each is alone.
    """
    kind = kind_of(unit)
    if not kind:
        return ()
    found = position.notes.get("lines")
    if found is None:
        found = position.notes["lines"] = _lines(position)
    line = found.get((unit.side, kind, getattr(unit.line, kind)), ())
    return line or ((unit,) if unit.offboard.exited else ())


def _lines(position: AslPosition) -> dict[tuple[str, str, str], tuple[AslUnit, ...]]:
    """Return every line of a position, from the front, by its side, kind and name."""
    found: dict[tuple[str, str, str], list[AslUnit]] = {}
    for unit in position.units:
        if not unit.offboard.exited and (kind := kind_of(unit)):
            key = (unit.side, kind, getattr(unit.line, kind))
            found.setdefault(key, []).append(_coming_on(unit))
    stacked = {key: _stacked(line) if key[1] == "column" else line for key, line in found.items()}
    return {key: tuple(sorted(line, key=lambda u: u.line.rank)) for key, line in stacked.items()}


def _stacked(line: Sequence[AslUnit]) -> list[AslUnit]:
    """
    Give the units of a Column that share a Location as their MPh begins one rank, the least.

    They move as a stack (E11.5). Units that come to share one later, as a Column turns back through its
    own hexes, keep theirs.
    """
    least: dict[str | None, int] = {}
    for unit in line:
        least[unit.at] = min(least.get(unit.at, unit.line.rank), unit.line.rank)
    return [
        replace(unit, rank=least[unit.at])
        if unit.at is not None and unit.move.mph == "unmoved" and unit.line.rank != least[unit.at]
        else unit
        for unit in line
    ]


def _waits(unit: AslUnit) -> bool:
    """Return whether a vehicle of a Convoy or platoon waits off the map and its MPh has not begun."""
    return (
        unit.at is None
        and unit.move.mph == "unmoved"
        and not (unit.offboard.exited or unit.line.column)
    )


def _coming_on(unit: AslUnit) -> AslUnit:
    """Return a unit of a line, one that has yet to come on in Motion: it need not start (D2.12)."""
    return replace(unit, moving=True) if _waits(unit) and not unit.motion.moving else unit


def in_motion(line: Sequence[AslUnit], *, between: bool = False) -> int:
    """
    Return how many of a Convoy are in Motion: who has yet to come on does as those on the map.

    So is a Stunned vehicle taken to do, which has stopped for it; `between` the MPhs, one that was.
    """
    here = [
        unit.motion.moving
        for unit in line
        if not (_waits(unit) or unit.crew.stunned or (between and unit.crew.dazed))
    ]
    return len(line) if all(here) else sum(here)


def step_of(unit: AslUnit, move: str, phase: str) -> Action | None:  # noqa: PLR0911
    """Return what a member does by a move, None for staying; raises BadInputError."""
    verb, _, to = move.partition(":")
    if verb == "enter" and to and phase == "APh":
        return Advance((unit.id,), to)
    if verb in ENTRIES and to:
        return Enter((unit.id,), to, **ENTRIES[verb])
    if verb == "bypass" and to:
        return Bypass((unit.id,), to)
    if verb == "turn" and to in SPINES:
        return Turn(unit.id, to)
    if move in PLAIN:
        return PLAIN[move](unit.id)
    if verb == "delay" and (not to or to.isdecimal()):
        return Delay(unit.id, 2 * int(to or 1))
    if move == STAY:
        return None
    raise BadInputError(
        f"{unit.id}: expected a move such as start, reverse, stop, turn:{SPINES[0]}, enter:HEX, half:HEX, "
        f"off-road:HEX, overrun:HEX, beneath:HEX, bypass:HEX, along, into, delay, exit or {STAY}, got {move!r}",
        field="moves",
    )


def moves_for(position: AslPosition, unit: AslUnit, *, has_half: bool) -> list[str]:
    """Return the moves to propose to a member: staying first, then what it could make alone."""
    if unit.at is None:
        near = [position.board.resolve(name) for name in unit.offboard.entering]
    else:
        sides = ways(unit)
        near = [name for side, name in position.board.neighbours(unit.at) if side in sides]
    found = [STAY, *(f"enter:{name}" for name in near)]
    if has_half:
        found += [f"half:{name}" for name in near]
    if unit.facing is None:
        return found
    unit = _coming_on(unit)
    found += ["stop"] if unit.motion.moving else ["start"]
    if unit.line.platoon and not unit.line.convoy and not unit.motion.moving:
        found.append("reverse")
    now = SPINES.index(unit.facing)  # one hexspine either way (D2.11b)
    found += [f"turn:{SPINES[spine % len(SPINES)]}" for spine in (now - 1, now + 1)]
    if unit.at is not None:
        at = unit.at
        if unit.line.convoy and any(side in sides for side in outer_sides(position.board, at)):
            found.append("exit")
        if not unit.line.column:  # see E11.52d
            found += [f"bypass:{name}" for name in near if lie(position.board, at, name).skirt.row]
    if unit.place.bypass is not None and not unit.line.column:
        found.append("along")
    return found


def lineup(
    position: AslPosition,
    unit: AslUnit,
    line: Sequence[AslUnit],
    *,
    moves: int,
    active: int,
    crowded: bool = False,
    restarts: bool = False,
) -> Lineup:
    """
    Return the facts of a line about to make an Impulse.

    `moves` counts the moves stated and `active` the units that act. With `crowded`, vehicles share a
    Location as it ends; with `restarts`, one starts after another has stopped.
    """
    leads = bool(line) and line[0].id == unit.id
    return Lineup(
        kind_of(unit),
        leads,
        len(line),
        moves,
        active,
        recalled=any([u.crew.recalled for u in line]),  # noqa: C419 - quicker
        chance="" if line else _by_chance(position, unit),
        leavers=has_leavers(position, unit),
        disbanding=any([u.line.disbanding for u in line]),  # noqa: C419 - quicker
        crowded=crowded,
        restarts=restarts,
    )


def _by_chance(position: AslPosition, unit: AslUnit) -> str:
    """Return what a unit that belongs to no line would be in with those beside it."""
    if unit.at is None:
        return ""
    near = {name for _, name in position.board.neighbours(unit.at)}
    beside = [u for u in position.units if u.side == unit.side and u.at in near]
    if not any((u.facing is None) == (unit.facing is None) for u in beside):
        return ""
    return "column" if unit.facing is None else "convoy"


def has_leavers(position: AslPosition, unit: AslUnit) -> bool:
    """
    Return whether a vehicle has left a Convoy this MPh and not ended its own since.

    Be it another Convoy than the unit's: who leaves moves at once.
    """
    return unit.line.convoy != "" and any(
        u.line.left == "declared"
        and u.move.mph != "done"
        and not u.line.convoy
        and u.id != unit.id
        and u.side == unit.side
        for u in position.units
    )


def is_idle(before: AslUnit, after: AslUnit) -> bool:
    """Return whether a vehicle has neither gone to another Location nor stopped."""
    return before.at == after.at and before.motion.moving <= after.motion.moving


def spot(position: AslPosition, before: AslUnit, after: AslUnit) -> Spot | None:
    """Return where a move has led a unit: beyond the map's edge, too, None if it waits off the map."""
    if after.offboard.exited and before.at is not None:
        return beyond(position.board, before.at, ways(before))
    return after.at


def link(
    position: AslPosition,
    front: Spot | None,
    rear: AslUnit,
    before: tuple[AslUnit, AslUnit] | None = None,
) -> Link:
    """
    Return how a unit of a line stands, after an Impulse, to the place of the one ahead.

    `before` are the two as the Impulse began, if there was one.
    """
    stopped = rear.facing is not None and not rear.motion.moving
    place: Spot | None = rear.at
    kind, early, split = kind_of(rear if before is None else before[1]), False, False
    if before is not None and kind in ("convoy", "column"):
        ahead, behind = before
        if kind == "convoy":
            early = ahead.at is None and behind.at is None and rear.at is not None
        else:
            split = (ahead.at, ahead.line.rank) == (
                behind.at,
                behind.line.rank,
            ) and front != rear.at
        place = spot(position, behind, rear)
    distance = _apart(position, front, rear, place)
    overtakes = rear.offboard.exited and (front is None or isinstance(front, str))
    return Link(kind, distance, stopped, early, split, overtakes)


def is_gap(found: Link) -> bool:
    """Return whether two neighbours of a Convoy part: whether the move may be made, clauses say."""
    return found.kind == "convoy" and found.gapes


def _apart(position: AslPosition, front: Spot | None, rear: AslUnit, place: Spot | None) -> int:
    """Return how far two units of a line are from each other, 1 if both wait off the board."""
    board = position.board
    if place is None:
        gaps = [span(board, front, board.resolve(to)) for to in rear.offboard.entering if front]
        return 1 + min(gaps, default=0)
    return span(board, front, place) if front is not None else 1
