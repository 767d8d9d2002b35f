"""Reads facts off a board and a position: counters, arcs, sights, and the units under fire."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable.board.board import STEPS
from marchtable_models.valor.data import unit_types, weapon_types, works
from marchtable_models.valor.extraction.sightlines import line_of_sight
from marchtable_models.valor.facts.losses import Guard, guarded
from marchtable_models.valor.facts.moves import Sequence
from marchtable_models.valor.model import FACINGS, PHASES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from marchtable.board.board import Board
    from marchtable.state.action import Phase
    from marchtable.state.position import Position
    from marchtable_models.valor.model import (
        Attack,
        Sight,
        UnitType,
        ValorConditions,
        ValorUnit,
        WeaponType,
    )  # fmt: skip

    ValorPosition = Position[ValorUnit, ValorConditions]

__all__ = [
    "attack_on", "battering", "begun", "bunker_on", "cargo", "carrier_of", "given", "guard_of", "has_suffered", "is_before", "is_in_arc",
    "is_moving", "is_safe", "is_struck", "is_towed", "kind_of", "losses_of", "may_ignore", "rating", "sequence", "sight", "type_named",
    "type_of", "types", "under_fire", "weapon_of",
]  # fmt: skip

UNHURT = ((), ("ignored",))


# -- counters --------------------------------------------------------------------------------------


def type_of(position: ValorPosition, unit: ValorUnit) -> UnitType:
    """Return what is printed on the unit's counter."""
    return type_named(position, unit.type)


def type_named(position: ValorPosition, name: str) -> UnitType:
    """Return the unit type of that name."""
    known = unit_types().get(name)
    return known or next(t for t in position.conditions.types if t.name == name)


def types(position: ValorPosition) -> tuple[UnitType, ...]:
    """Return every unit type that there is."""
    return (*unit_types().values(), *position.conditions.types)


def weapon_of(position: ValorPosition, name: str) -> WeaponType:
    """Return the support weapon of that name."""
    known = weapon_types().get(name)
    return known or next(w for w in position.conditions.weapons if w.name == name)


def kind_of(position: ValorPosition, unit: ValorUnit) -> str:
    """Return ``infantry``, ``gun``, ``vehicle`` or ``afv``."""
    kind = type_of(position, unit)
    return "infantry" if kind.is_infantry else kind.class_


def carrier_of(position: ValorPosition, unit: ValorUnit) -> ValorUnit | None:
    """Return what carries or tows the unit."""
    return None if unit.aboard is None else position.unit(unit.aboard)


def cargo(position: ValorPosition, unit: ValorUnit) -> tuple[ValorUnit, ...]:
    """Return what the unit carries or tows."""
    units = position.units if unit.at is None else position.occupants.get(unit.at, ())
    return tuple(other for other in units if other.aboard == unit.id and other.at == unit.at)


def is_towed(position: ValorPosition, unit: ValorUnit) -> bool:
    """Return whether it is a Gun on tow."""
    return unit.aboard is not None and type_of(position, unit).class_ == "gun"


def is_moving(position: ValorPosition, unit: ValorUnit) -> bool:
    """Return whether it has just moved, by itself or with what carries it."""
    carrier = carrier_of(position, unit)
    return unit.moving or (carrier is not None and carrier.moving)


# -- the map ---------------------------------------------------------------------------------------


def is_in_arc(board: Board, at: str, facing: str | None, target: str) -> bool:
    """Return whether a hex lies in the FFA: the wedge between the two front hexsides, edges included."""
    if facing is None:
        return True
    ahead = FACINGS.index(facing)
    here, there = board[at], board[target]
    u, v = there.u - here.u, there.v - here.v
    (lu, lv), (ru, rv) = STEPS[ahead - 1], STEPS[(ahead + 1) % len(STEPS)]
    across = lu * rv - lv * ru
    left, right = (u * rv - v * ru) * across, (lu * v - lv * u) * across
    return left >= 0 and right >= 0 and (left, right) != (0, 0)


def sight(position: ValorPosition, a: str, b: str) -> Sight | None:
    """Return the line of sight between two hexes as it was given, or computed; None if it is neither."""
    found = given(position, a, b)
    if found is not None or position.conditions.sight != "computed":
        return found
    line = line_of_sight(position.board, a, b)
    if line.unknown and not line.sight.blocked:
        return None
    if bunker_on(position.markers, line.sight) is None:
        return line.sight
    return msgspec.structs.replace(line.sight, blocked=True)


def given(position: ValorPosition, a: str, b: str) -> Sight | None:
    """Return the line of sight between two hexes, if it was given."""
    for found in position.conditions.sights:
        if {found.a, found.b} == {a, b}:
            return found
    return None


def bunker_on(markers: Mapping[str, Iterable[str]], found: Sight) -> str | None:
    """Return the first hex that a line crosses in which a counter blocks it, None without one."""
    blocking = {kind for kind, row in works().items() if row.blocks}
    return next((at for at in found.through if not blocking.isdisjoint(markers.get(at, ()))), None)


# -- phases ----------------------------------------------------------------------------------------


def sequence(position: ValorPosition, event: Phase) -> Sequence:
    """Return the facts of a change of phase; with one side on the map, any other side is accepted."""
    sides = {position.side, *(unit.side for unit in position.units)}
    return Sequence(
        same_side=(event.side or position.side) == position.side,
        later=PHASES.index(event.phase) > PHASES.index(position.phase),
        known=not event.side or event.side in sides or len(sides) == 1,
    )


def begun(position: ValorPosition, event: Phase) -> tuple[str, ...]:
    """Return the skipped phases, if any, and the one that begins."""
    here, there = PHASES.index(position.phase), PHASES.index(event.phase)
    if event.side not in (None, position.side):
        return (*PHASES[here + 1 :], *PHASES[: there + 1])
    return PHASES[here + 1 : there + 1] or (event.phase,)


# -- units under fire ------------------------------------------------------------------------------


def attack_on(position: ValorPosition) -> Attack | None:
    """Return the attack whose points are still owed."""
    attack = position.conditions.attack
    return attack if attack is not None and attack.owed > 0 else None


def under_fire(position: ValorPosition, attack: Attack) -> tuple[ValorUnit, ...]:
    """Return the enemies of the attacker in the target hex, and those named elsewhere."""
    there = position.occupants.get(attack.target, ())
    found = tuple(unit for unit in there if unit.side != attack.side)
    named = map(position.unit, attack.only)
    return (*found, *(u for u in named if u.at not in (None, attack.target)))


def is_struck(position: ValorPosition, attack: Attack, unit: ValorUnit) -> bool:
    """Return whether a unit is among those whom alone an attack affects: named, or moving."""
    if attack.only:
        return unit.id in attack.only or unit.aboard in attack.only
    return is_moving(position, unit)


def battering(attack: Attack, unit: ValorUnit) -> str:
    """Return whether a unit is ``aboard`` an AFV that is to take an assault's points, or ``behind`` it."""
    if not attack.batters or unit.id in attack.batters:
        return ""
    return "aboard" if unit.aboard in attack.batters else "behind"


def losses_of(attack: Attack, unit: str) -> tuple[str, ...]:
    """Return what an attack has done to a unit so far."""
    return next((entry.losses for entry in attack.taken if entry.unit == unit), ())


def has_suffered(attack: Attack, unit: str) -> bool:
    """Return whether an attack has done more to a unit than that it ignored a point."""
    return losses_of(attack, unit) not in UNHURT


def is_before(attack: Attack, unit: ValorUnit) -> bool:
    """Return whether a unit was pinned before the attack."""
    return unit.id in attack.before


def is_safe(attack: Attack, unit: ValorUnit) -> bool:
    """Return whether this very attack has pinned the unit."""
    return unit.pinned and not is_before(attack, unit)


def rating(position: ValorPosition, unit: ValorUnit) -> int:
    """Return its Casualty Rating, 0 for AFVs."""
    return type_of(position, unit).cr or 0


def guard_of(position: ValorPosition, attack: Attack, unit: ValorUnit) -> Guard:
    """Return what may protect a unit from the first point."""
    kind = type_of(position, unit)
    ahead = is_in_arc(position.board, attack.target, unit.facing, attack.origin)
    return Guard(kind.shield, ahead, is_moving(position, unit), unit.valorous and kind.is_infantry)


def may_ignore(position: ValorPosition, attack: Attack, unit: ValorUnit) -> bool:
    """Return whether a unit may still ignore a point."""
    return not losses_of(attack, unit.id) and guarded(guard_of(position, attack, unit))
