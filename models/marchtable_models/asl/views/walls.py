"""Facts of Wall Advantage (B9.32), read off a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from marchtable.sight.facts import Advantage
from marchtable_models.asl.counterkinds import TRENCH, WIRE
from marchtable_models.asl.data import tem
from marchtable_models.asl.levels import level_of
from marchtable_models.asl.views.ground import ground_row
from marchtable_models.asl.views.overlay import crossing, is_on_wire, site
from marchtable_models.asl.views.unitkinds import type_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable_models.asl.model import AslPosition, AslUnit

WALLS = ("wall", "hedge", "bocage", "roadblock")
FOXHOLE = "foxhole"


def advantage(position: AslPosition, unit: AslUnit) -> Advantage:
    """
    Return a unit's sight past the walls and bocage of its hex (B9.21, B9.521).

    A unit without the counter claims Wall Advantage only if it must, having no other TEM.
    """
    kinds = position.markers.get(unit.at or "", ())
    if unit.place.inside == "beneath":
        digs = any(kind == TRENCH or kind.startswith(FOXHOLE) for kind in kinds)
        return Advantage.UNKNOWN if not digs or WIRE in kinds else Advantage.ENTRENCHED
    if unit.place.wall_advantage or unit.place.bypass is not None:
        return Advantage.CLAIMED if unit.place.wall_advantage else Advantage.UNKNOWN
    rivals = rival(position, unit) in ("stated", "must")
    if not is_able(position, unit) or is_held(position, unit) or rivals:
        return Advantage.FORGONE
    level = [at for at, rise in _walls(position, unit) if rise == 0]
    if wall(position, unit) == "unstated" or any(
        one.side != unit.side and one.concealment.concealed
        for at in level for one in position.occupants.get(at, ())
    ):  # fmt: skip
        return Advantage.UNKNOWN
    return Advantage.FORGONE if hex_tem(position, unit) > 0 else Advantage.CLAIMED


def is_able(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a unit can have Wall Advantage: armed and unbroken, or with such a friend."""
    here = position.occupants.get(unit.at or "", ())
    mates = [one for one in here if one.side == unit.side and one.place.wall_advantage]
    return _may(position, unit) and (_is_armed(position, unit) or bool(mates))


def _may(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a unit's kind and place allow that."""
    kind = type_of(position, unit)
    lined = unit.line.convoy or unit.line.column
    fighter = (kind.is_personnel and kind.class_ != "gun") or kind.class_ == "vehicle"
    aloof = unit.place.inside or unit.cargo.aboard or lined or is_on_wire(position, unit)
    on_bridge = unit.at is not None and ground_row(position.board[unit.at]) == "bridge"
    return fighter and unit.at is not None and not (aloof or on_bridge)


def _is_armed(position: AslPosition, unit: AslUnit) -> bool:
    state, kind = unit.status, type_of(position, unit)
    if unit.facing is not None:
        return kind.armed and unit.crew.able
    return not (state.broken or state.unarmed or unit.concealment.dummy)


def is_held(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether an enemy is there that is no wreck, nor Abandoned, Stunned or shocked."""
    return any(
        one.side != unit.side
        and level_of(position, one) == level_of(position, unit)
        and type_of(position, one).class_ != "wreck"
        and one.crew.able
        for one in position.occupants.get(unit.at or "", ())
    )


def hex_tem(position: AslPosition, unit: AslUnit) -> int:
    """Return the TEM of a unit's hex, 0 in Bypass."""
    if unit.at is None or unit.place.bypass is not None:
        return 0
    ground = site(position, unit.at).ground
    return max((tem().get(row, 0) for row in (ground.there, ground.within)), default=0)


def _walls(position: AslPosition, unit: AslUnit) -> Iterator[tuple[str, int]]:
    """Yield the hexes beyond its walls and hedges, and how much higher each is."""
    at, edge = str(unit.at), unit.place.bypass
    sides = (
        range(6) if edge is None or unit.facing is None else ((edge - 1) % 6, edge, (edge + 1) % 6)
    )
    for way, beyond in position.board.neighbours(at):
        if way in sides and crossing(position, at, beyond).ground.hexside in WALLS:
            yield beyond, position.board[beyond].level - position.board[at].level


def wall(position: AslPosition, unit: AslUnit) -> Literal["yes", "no", "unstated"]:
    """Return whether a wall or hedge at its level is on a hexside a unit can claim from."""
    rises = [rise for _, rise in _walls(position, unit)] if unit.at is not None else []
    if rises and unit.place.bypass is not None and unit.facing is None:
        return "unstated"
    return "yes" if 0 in rises else "unstated" if any(rise > 0 for rise in rises) else "no"


def rival(position: AslPosition, unit: AslUnit) -> Literal["", "stated", "must", "concealed"]:
    """Return whether an enemy across a wall or hedge has Wall Advantage."""
    found: set[Literal["stated", "must", "concealed"]] = set()
    level = [at for at, rise in _walls(position, unit) if rise == 0] if unit.at is not None else []
    for enemy in (
        one for at in level for one in position.occupants.get(at, ()) if one.side != unit.side
    ):
        able = _may(position, enemy) and _is_armed(position, enemy) and not is_held(position, enemy)
        if not able or not (enemy.place.wall_advantage or _must(position, enemy)):
            continue
        if enemy.concealment.concealed:
            found.add("concealed")
        else:
            found.add("stated" if enemy.place.wall_advantage else "must")
    order: tuple[Literal["stated", "must", "concealed"], ...] = ("stated", "must", "concealed")
    return next((one for one in order if one in found), "")


def _must(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a unit has no TEM in its hex, nor stated WA across its walls."""
    if hex_tem(position, unit) > 0 or wall(position, unit) != "yes":
        return False
    return not any(
        one.side != unit.side and one.place.wall_advantage
        for at, rise in _walls(position, unit)
        if rise == 0
        for one in position.occupants.get(at, ())
    )
