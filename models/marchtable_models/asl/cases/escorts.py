"""Lists the facts of a stack with an AFV that enters a hex, together or one without the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.rules.judging import Case
from marchtable_models.asl.extraction.escorts import escort, parted, went_along
from marchtable_models.asl.extraction.steps import hexes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.edition import Edition
    from marchtable.state.action import Action
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["of_escorts"]


def of_escorts(
    position: AslPosition,
    units: Sequence[AslUnit],
    taken: Sequence[tuple[Any, ...]],
    to: str | None,
    action: Action,
    edition: Edition,
) -> list[Case]:
    """Return the facts of Infantry that enters with an AFV, or did so before, and of an AFV that it leaves."""
    if len(units) == 1 and units[0].move.armored is None:
        return []
    found = list[Case]()
    left: dict[str, list[str]] = {}
    for unit in units:
        facts = escort(position, unit, units, to, action, edition)
        if facts is None:
            continue
        if facts.afv == unit.id and unit.facing is not None:
            facts = went_along(position, facts, units, taken, edition)
        elif facts.afv == unit.id and unit.move.armored in position.index:
            left.setdefault(str(unit.move.armored), []).append(unit.id)
        found.append(Case((unit.id,), facts, hexes(unit.at, to)))
    for name, going in left.items():
        afv = position.unit(name)
        found.append(Case((name,), parted(position, afv, going, edition), hexes(afv.at)))
    return found
