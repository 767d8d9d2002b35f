"""Order among parts of a Convoy and units that left it: which must wait for which."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.asl.views.lines import origin_of
from marchtable_models.asl.views.lookout import (
    is_computed,
    sees_enemy,
)
from marchtable_models.asl.views.unitkinds import type_of

if TYPE_CHECKING:
    from marchtable_models.asl.model import AslPosition, AslUnit


def waits_for_front(position: AslPosition, unit: AslUnit, verb: str = "") -> str:
    """
    Return the first vehicle of a Convoy part ahead of a unit's that has still to move, ``""`` for none.

    Units that leave before the same Impulse need not wait: nothing was spent in between.
    """
    if not unit.line.behind or _has_left(unit):
        return ""
    ahead = [
        other
        for other in position.units
        if other.move.mph != "done"
        and not other.line.fallen  # it is in no Convoy, and does not move
        and other.side == unit.side
        and (other.line.convoy == unit.line.behind or _is_ahead(other, unit))
    ]
    if verb == "leave" and any(
        _has_left(other) and origin_of(other) == origin_of(unit) for other in position.units
    ):
        ahead = [other for other in ahead if other.points.spent != unit.points.spent]
    return min(ahead, key=lambda other: other.line.rank).id if ahead else ""


def _has_left(unit: AslUnit) -> bool:
    return unit.line.left == "declared" and not unit.line.convoy


def _is_ahead(other: AslUnit, unit: AslUnit) -> bool:
    """Return whether a unit is in a Convoy part that a Gap put ahead of another's."""
    if _has_left(other):
        return False  # it moves before both (E11.25b)
    apart = not unit.line.convoy or other.line.convoy != unit.line.convoy
    return apart and other.line.rank < unit.line.rank and origin_of(other) == origin_of(unit)


def waits_for_convoy(position: AslPosition, unit: AslUnit) -> str:
    """Return the elements not done of another Convoy that has begun its MPh and has split, or ``""``."""
    if unit.move.mph != "unmoved":
        return ""
    under_way = position.notes.get("under way")
    if under_way is None:
        under_way = position.notes["under way"] = _under_way(position)
    return ", ".join(
        other
        for (side, name), waiting in under_way.items()
        if side == unit.side and name != origin_of(unit)
        for other in waiting
    )


def waits_for_leaver(position: AslPosition, unit: AslUnit) -> str:
    """Return the vehicles that left their Convoy and have not ended their MPh, or ``""``."""
    leavers = position.notes.get("leavers")
    if leavers is None:
        leavers = [
            u for u in position.units if u.line.left and u.move.mph != "done" and _has_left(u)
        ]
        position.notes["leavers"] = leavers
    if not leavers or unit.line.convoy:
        return ""
    its_own = (unit.id, unit.cargo.aboard, unit.cargo.towed_by)
    here = [other.id for other in leavers if other.side == unit.side]
    return "" if any(name in its_own for name in here) else ", ".join(here)


def _under_way(position: AslPosition) -> dict[tuple[str, str], list[str]]:
    """Return the Convoys, by side, that have begun their MPh and have split: who of them is not done."""
    parted = {
        (u.side, u.line.origin)
        for u in position.units
        if u.line.origin and u.line.origin != u.line.convoy
    }
    elements: dict[tuple[str, str], list[AslUnit]] = {}
    for unit in position.units if parted else ():
        key = (unit.side, origin_of(unit))
        if key in parted and not unit.line.fallen:
            elements.setdefault(key, []).append(unit)
    return {
        key: [unit.id for unit in found if unit.move.mph != "done"]
        for key, found in elements.items()
        if {unit.move.mph for unit in found} not in ({"unmoved"}, {"done"})
    }


class FactsOfOthers(NamedTuple):
    """
    What of other units, wherever they are, a unit's moving depends on.

    Parameters
    ----------
    front, convoy, leaver
        The vehicles of a Convoy part ahead, of another Convoy, and those that left one, for which it waits.
    helped
        Whether a CX SMC lends it his IPC.
    seen
        Whether it sees an enemy at night; where sight is computed it depends on the Location.
    tows
        The type of the Gun it tows.
    """

    front: str
    convoy: str
    leaver: str
    helped: bool
    seen: Hashable
    tows: Hashable


def facts_of_others(position: AslPosition, unit: AslUnit) -> FactsOfOthers:
    """Return what of other units a unit's moving depends on."""
    index, night = position.index, position.conditions.night
    towing = unit.cargo.towing
    return FactsOfOthers(
        front=waits_for_front(position, unit),
        convoy=waits_for_convoy(position, unit),
        leaver=waits_for_leaver(position, unit),
        helped=unit.move.helper in index and position.unit(str(unit.move.helper)).status.cx,
        seen=night and not is_computed(position) and sees_enemy(position, unit),
        tows=type_of(position, position.unit(towing)) if towing in index else None,
    )
