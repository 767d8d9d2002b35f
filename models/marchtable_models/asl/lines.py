"""Reads off a position who moves as one line, and the facts of its Impulses (D14.3, E11.2)."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from marchtable.errors import BadInputError
from marchtable_models.asl.bypassverbs import Along, Bypass, Into
from marchtable_models.asl.footverbs import Advance
from marchtable_models.asl.linefacts import Lineup, Link
from marchtable_models.asl.model import SPINES, Enter, Start, Stop, Turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.action import Action
    from marchtable.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit, Impulse, UnitType

    AslPosition = Position[AslUnit, AslConditions]

__all__ = [
    "STAY", "has_leavers", "kind_of", "lineup", "links", "members", "moves_for", "nerve_of", "origin_of", "steps",
    "waits_for_convoy", "waits_for_front",
]  # fmt: skip

STAY = "stay"


def kind_of(unit: AslUnit) -> str:
    """Return what the unit moves as part of: ``convoy``, ``column``, ``platoon`` or ``""``."""
    if unit.convoy:
        return "convoy"
    if unit.column:
        return "column"
    return "platoon" if unit.platoon else ""


def origin_of(unit: AslUnit) -> str:
    """Return the Convoy that a unit belonged to as the MPh began, ``""`` for none."""
    return unit.origin or unit.convoy


def nerve_of(kind: UnitType, unit: AslUnit) -> str:
    """Return ``due``, ``failed`` or ``moving`` of a radioless AFV's task check, else ``""``."""
    if kind.radio or not kind.afv:
        return ""
    if unit.check == "failed":
        return "moving" if unit.moving else "failed"
    due = unit.mph == "unmoved" and not unit.check and not kind_of(unit)
    return "due" if due else ""


def members(position: AslPosition, unit: AslUnit) -> tuple[AslUnit, ...]:
    """Return the units of the line that a unit belongs to, from the front; none outside one."""
    kind = kind_of(unit)
    if not kind:
        return ()
    name = getattr(unit, kind)
    found = [
        u for u in position.units
        if u.side == unit.side and kind_of(u) == kind and getattr(u, kind) == name
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda u: u.rank))


def waits_for_front(position: AslPosition, unit: AslUnit) -> bool:
    """Tell whether the part of a Convoy just ahead of a unit's has still to end its MPh."""
    return bool(unit.behind) and any(
        other.convoy == unit.behind and other.mph != "done" for other in position.units
    )


def waits_for_convoy(position: AslPosition, unit: AslUnit) -> bool:
    """Tell whether another Convoy has begun its MPh, has parted, and is not done in every element."""
    if unit.mph != "unmoved":
        return False
    origins = {
        other.origin
        for other in position.units
        if other.origin and other.origin != other.convoy and other.side == unit.side
    } - {origin_of(unit)}
    if not origins:
        return False
    phases = {(u.origin, u.mph) for u in position.units if u.origin in origins and not u.fallen}
    return any(
        {mph for origin, mph in phases if origin == name} not in ({"unmoved"}, {"done"})
        for name in origins
    )


def steps(position: AslPosition, impulse: Impulse) -> list[tuple[AslUnit, Action | None]]:
    """
    Return each member with what it does in an Impulse, None for staying.

    Raises
    ------
    BadInputError
        If a move is not readable or there are more moves than members.
    """
    line = members(position, position.unit(impulse.unit))
    if line and len(impulse.moves) > len(line):
        raise BadInputError(
            f"{len(impulse.moves)} moves for {len(line)} units; expected one each", field="moves"
        )
    idle = (STAY,) * (len(line) - len(impulse.moves))
    return [
        (u, _step(u, move, position.phase))
        for u, move in zip(line, (*impulse.moves, *idle), strict=False)
    ]


def _step(unit: AslUnit, move: str, phase: str) -> Action | None:  # noqa: PLR0911
    verb, _, to = move.partition(":")
    if verb == "enter" and to and phase == "APh":
        return Advance((unit.id,), to)
    if verb in ("enter", "half", "overrun") and to:
        return Enter((unit.id,), to, half=verb == "half", overrun=verb == "overrun")
    if verb == "bypass" and to:
        return Bypass((unit.id,), to)
    if move in ("along", "into"):
        return Along(unit.id) if verb == "along" else Into((unit.id,))
    if verb == "turn" and to in SPINES:
        return Turn(unit.id, to)
    if move in ("start", "reverse"):
        return Start(unit.id, reverse=move == "reverse")
    if move == "stop":
        return Stop(unit.id)
    if move == STAY:
        return None
    raise BadInputError(
        f"{unit.id}: expected a move such as start, reverse, stop, turn:{SPINES[0]}, enter:HEX, half:HEX, "
        f"overrun:HEX, bypass:HEX, along, into or {STAY}, got {move!r}",
        field="moves",
    )


def moves_for(position: AslPosition, unit: AslUnit, *, has_half: bool) -> list[str]:
    """Return the moves to propose to a member, staying first."""
    ways = [name for _, name in position.board.neighbours(unit.at)] if unit.at else unit.entering
    found = [STAY, *(f"enter:{name}" for name in ways)]
    if has_half:
        found += [f"half:{name}" for name in ways]
    if unit.facing is not None:
        found += ["start", "stop", *(f"turn:{spine}" for spine in SPINES)]
        found += [f"bypass:{name}" for name in ways]
        found += ["along", "into"] if unit.bypass is not None else []
    return found


def lineup(
    position: AslPosition, impulse: Impulse, told: Sequence[tuple[AslUnit, Action | None]]
) -> Lineup:
    """Return the facts of a line as a whole about to make an Impulse."""
    unit = position.unit(impulse.unit)
    line = [u for u, _ in told]
    active = sum([act is not None for _, act in told])
    leads = bool(line) and line[0].id == unit.id
    return Lineup(
        kind_of(unit),
        leads,
        len(line),
        len(impulse.moves),
        active,
        recalled=any([u.recalled for u in line]),  # noqa: C419 - quicker
        chance="" if line else _by_chance(position, unit),
        leavers=has_leavers(position, unit),
        disbanding=any([u.disbanding for u in line]),  # noqa: C419 - quicker
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
    """Tell whether a vehicle has left a unit's Convoy this MPh and not ended its own since."""
    return unit.convoy != "" and any(
        u.left == "declared"
        and u.mph != "done"
        and not u.convoy
        and u.id != unit.id
        and u.side == unit.side
        for u in position.units
    )


def links(after: AslPosition, line: Sequence[AslUnit]) -> list[tuple[tuple[str, str], Link]]:
    """Return each two neighbours of a line with how they stand to each other after an Impulse."""
    found = []
    for front, rear in pairwise([after.unit(u.id) for u in line]):
        stopped = rear.facing is not None and not rear.moving
        distance = _apart(after, front, rear)
        found.append(((front.id, rear.id), Link(kind_of(front), distance, stopped)))
    return found


def _apart(position: AslPosition, front: AslUnit, rear: AslUnit) -> int:
    """Return how far two units of a line are from each other, 1 if both wait off the board."""
    if rear.at is None:
        ways = [position.board.distance(front.at, to) for to in rear.entering if front.at]
        return 1 + min(ways, default=0)
    return position.board.distance(front.at, rear.at) if front.at is not None else 1
