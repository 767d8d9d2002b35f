"""What tasks do to a position: what is cleared is gone, or a Trail Break leads through it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable.board.board import DIRECTIONS
from marchtable.state.position import Counter
from marchtable.state.records import replace
from marchtable_models.asl.clauses.infantry.tasks import CLEARED
from marchtable_models.asl.counterkinds import TRAIL, WIRE
from marchtable_models.asl.extraction.tasks import item_at
from marchtable_models.asl.facts.ground import ENTRENCHED

if TYPE_CHECKING:
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["after_clearance"]


def after_clearance(position: AslPosition, unit: AslUnit, outcome: str) -> AslPosition:
    """Return the position after a Clearance DR: the counter is gone, or a Trail Break leads through."""
    how, _, sides = outcome.partition(":")
    item = item_at(position, unit.at, unit.move.task)
    if how != CLEARED or item is None:
        return position
    trails = [Counter(kind=TRAIL + side, at=str(unit.at)) for side in sides.split("-") if side]
    known = {TRAIL + side for side in DIRECTIONS} & {
        *position.markers.get(str(unit.at), ()),
        *(trail.kind for trail in trails),
    }
    kept = list(position.counters)
    if not sides or len(known) == len(DIRECTIONS):  # crossed by Trail Breaks all round, it is gone
        kept.remove(item)
        kept = [one for one in kept if not sides or (one.kind not in known or one.at != unit.at)]
    else:
        kept += [trail for trail in trails if trail not in kept]
    after = msgspec.structs.replace(position, counters=tuple(kept))
    return after if item.kind != WIRE else after.with_units(_come_out(after, unit.at))


def _come_out(position: AslPosition, at: str | None) -> list[AslUnit]:
    """Return those who were beneath Wire that is gone, unless something else there is above them."""
    kinds = position.markers.get(str(at), ())
    if WIRE in kinds or any(kind.startswith(ENTRENCHED) for kind in kinds):
        return []
    beside = position.occupants.get(str(at), ())
    return [replace(one, inside="") for one in beside if one.place.inside == "beneath"]
