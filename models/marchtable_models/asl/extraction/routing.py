"""
Reads off a position what bears on rout (A10.5): whom a broken unit flees, and may be taken prisoner by.

Whom it sees is stated by ``sees`` or computed; if neither, each Known armed enemy may see it, or none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.chart import row_named
from marchtable_models.asl.data import count
from marchtable_models.asl.extraction.adjacency import are_adjacent, spot_of
from marchtable_models.asl.extraction.flight import has_begun
from marchtable_models.asl.extraction.lookout import has_los
from marchtable_models.asl.extraction.overlay import site
from marchtable_models.asl.extraction.prisoners import load_of, us_of
from marchtable_models.asl.extraction.unitkinds import (
    is_known_enemy,
    nationality_of,
    normal_range,
    type_of,
)
from marchtable_models.asl.facts.los import best

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.state.position import Position
    from marchtable_models.asl.facts.los import Los
    from marchtable_models.asl.facts.units import Captor
    from marchtable_models.asl.model import AslConditions, AslUnit, SupportWeapon

    AslPosition = Position[AslUnit, AslConditions]

__all__ = [
    "captors_of", "excess", "flees", "in_range", "ipc_of", "is_armed", "is_cornered", "is_exposed", "is_fit",
    "lingers", "takes_prisoner",
]  # fmt: skip


def ipc_of(position: AslPosition, unit: AslUnit) -> int:
    """Return what a broken unit may carry."""
    if unit.status.wounded:
        return count("A17.2", "ipc")
    return count("A4.42", "smc" if type_of(position, unit).class_ == "smc" else "mmc")


def flees(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a broken unit could begin to rout, and so abandon SW."""
    return (
        position.phase == "RtPh" and unit.move.mph == "unmoved" and unit.at is not None
        and is_fit(position, unit) and not has_begun(unit)
    )  # fmt: skip


def excess(position: AslPosition, unit: AslUnit, weapon: SupportWeapon) -> tuple[bool, bool]:
    """Return whether a unit carries more than its IPC, and without a SW still as much of that as it could."""
    most, all_of_it = ipc_of(position, unit), [one.pp for one in unit.sw]
    rest = list(all_of_it)
    rest.remove(weapon.pp)
    return sum(all_of_it) > most, _fullest(rest, most) == _fullest(all_of_it, most)


def _fullest(loads: Sequence[int], most: int) -> int:
    """Return the greatest sum of some loads that is within a limit."""
    sums = {0}
    for load in loads:
        sums |= {one + load for one in sums if one + load <= most}
    return max(sums)


def is_fit(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether it is broken Infantry on foot, neither pinned nor in Melee."""
    state = unit.status
    return (
        type_of(position, unit).is_infantry
        and state.broken
        and not (state.pinned or state.melee == "held" or unit.cargo.aboard)
        and unit.place.bypass is None
    )


def captors_of(position: AslPosition, unit: AslUnit) -> tuple[Captor, ...]:
    """Return the enemies beside a unit who would take it prisoner."""
    return tuple(
        (one.id, nationality_of(one), us_of(position, [one]), load_of(position, one, unit))
        for one in position.units
        if takes_prisoner(position, unit, one)
    )


def takes_prisoner(position: AslPosition, unit: AslUnit, other: AslUnit) -> bool:
    """Return whether it is Known armed Infantry or Cavalry in Good Order, out of Melee, beside a unit."""
    state = other.status
    near = _are_beside(position, unit, other)
    whole = not (state.broken or state.disrupted or state.berserk or state.melee == "held")
    on_foot = type_of(position, other).is_personnel and other.cargo.aboard is None
    return near and whole and on_foot and is_armed(position, unit, other)


def lingers(position: AslPosition, unit: AslUnit, *, stated: bool = True) -> Los:
    """
    Find whether a broken unit has stayed in Open Ground in the LOS and Normal Range of an enemy.

    It is ``unsure`` if the range of those that see it is not known. Only enemies count that see it; if
    not `stated`, only those of whom that is not clear.
    """
    if (
        not unit.status.broken
        or unit.status.melee == "held"
        or unit.move.previous is not None
        or unit.cargo.aboard is not None
        or unit.place.inside
    ):
        return "no"
    watchers = [
        one
        for one in position.units
        if is_armed(position, unit, one)
        and has_los(position, unit, one) in (("yes",) if stated else ("untold", "unsure"))
    ]
    return is_exposed(position, unit, watchers)


def is_cornered(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a broken unit on foot is next to, or with, an unbroken Known armed enemy."""
    if not unit.status.broken or unit.status.melee == "held" or unit.at is None:
        return False
    return unit.cargo.aboard is None and any(
        not one.status.broken and is_armed(position, unit, one) and _are_beside(position, unit, one)
        for one in position.units
    )


def _are_beside(position: AslPosition, unit: AslUnit, other: AslUnit) -> bool:
    """Return whether two units are on the map, in the same Location or ADJACENT."""
    on_map = unit.at is not None and other.at is not None
    return on_map and are_adjacent(position, spot_of(unit), spot_of(other))


def is_exposed(position: AslPosition, unit: AslUnit, enemies: Sequence[AslUnit]) -> Los:
    """Find whether a unit is in Open Ground within the Normal Range of one of those who may see it."""
    if unit.at is None or not row_named(site(position, unit.at).ground.here).bare:
        return "no"
    return best(
        in_range(position, one, unit.at)
        for one in enemies
        if not one.status.broken and one.status.melee != "held"
    )


def in_range(position: AslPosition, enemy: AslUnit, at: str) -> Los:
    """
    Find whether a Location is in the Normal Range of an enemy, of 16 hexes at most (A10.532).

    It is ``unsure`` of whoever is concealed, of units whose name gives no range, and of those with SW
    farther off than their own range.
    """
    far = position.board.distance(at, str(enemy.at))
    if far > count("A10.532", "range"):
        return "no"
    most = None if enemy.concealment.concealed else normal_range(type_of(position, enemy))
    if most is None:
        return "unsure"
    return "yes" if far <= most else "unsure" if enemy.sw else "no"


def is_armed(position: AslPosition, unit: AslUnit, other: AslUnit) -> bool:
    """Return whether a unit knows another as an armed enemy on the map."""
    kind = type_of(position, other)
    armed = (
        kind.is_personnel or (kind.armed and kind.class_ == "vehicle")
    ) and not other.status.unarmed
    return armed and other.at is not None and is_known_enemy(position, unit, other)
