"""A side's view: of concealed enemies only their presence (A12.1), of hidden counters nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.state.records import field_of, fields_of, replace, struct_from_fields
from marchtable_models.asl.model import AslUnit
from marchtable_models.asl.rules.detection import detected, thrown_back
from marchtable_models.asl.rules.minefields import attacked
from marchtable_models.asl.rules.surrender import fails_to_rout, remains_in_the_open

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from marchtable.state.position import Obligation
    from marchtable_models.asl.model import AslPosition

STAND_IN = "squad"
"""Type of the stand-in for all that a side conceals in a Location."""

FAILURES = (fails_to_rout.id, remains_in_the_open.id)
OTHERS = {
    thrown_back.id: "the other side chooses",
    detected.id: "the other side chooses",
    attacked.id: "the other side rolls the attack of its minefield, and enters the result",
    **dict.fromkeys(FAILURES, "the other side decides whether it takes a prisoner"),
}
"""What the other side settles: the clauses that call for it, and what the unit's own side reads."""


def seen_by(position: AslPosition, side: str) -> AslPosition:
    """
    Return a position as a side sees it.

    Counters hidden by another side are left out (A12.33). Other sides' concealed units are replaced
    by one stand-in per Location, named ``?`` and the Location, of a neutral type; that they move,
    and what they spend, is seen. Off the map they are left out. Nothing refers to them any more. What
    the other side decides is shown without outcomes: whom it reveals, what its minefield does,
    whether it takes a prisoner.
    """
    if position.pending:
        pending = tuple(_asked(one, position, side) for one in position.pending)
        position = msgspec.structs.replace(position, pending=pending)
    if any(one.hidden not in ("", side) for one in position.counters):
        known = tuple(one for one in position.counters if one.hidden in ("", side))
        position = msgspec.structs.replace(position, counters=known)
    hidden = {
        unit.id for unit in position.units if unit.concealment.concealed and unit.side != side
    }
    if not hidden:
        return position
    kept = [_scrubbed(unit, hidden) for unit in position.units if unit.id not in hidden]
    types = {unit.type for unit in kept}
    conditions = msgspec.structs.replace(
        position.conditions, types=tuple(t for t in position.conditions.types if t.name in types)
    )
    return msgspec.structs.replace(
        position,
        units=(*kept, *_stand_ins(position, hidden, kept)),
        conditions=conditions,
        pending=tuple(one for one in position.pending if one.unit not in hidden),
    )


def stands_in(unit: AslUnit) -> bool:
    """Whether a unit stands for all units that another side conceals in a Location."""
    return unit.concealment.concealed and unit.id.startswith("?")


def _scrubbed(unit: AslUnit, hidden: Container[str]) -> AslUnit:
    """Return a unit without references to hidden units."""
    changes: dict[str, Any] = {}
    for entry in fields_of(type(unit)):
        value = field_of(unit, entry.attribute)
        if entry.domain != "unit" and entry.attribute != "hitch":
            continue
        if isinstance(value, tuple) and any(name in hidden for name in value):
            changes[entry.attribute] = tuple(name for name in value if name not in hidden)
        elif isinstance(value, str) and value in hidden:
            changes[entry.attribute] = None
    return replace(unit, **changes) if changes else unit


def _stand_ins(
    position: AslPosition, hidden: Container[str], kept: list[AslUnit]
) -> Iterator[AslUnit]:
    concealed = {(u.at, u.side) for u in position.units if u.id in hidden and u.at is not None}
    for at, side in sorted(concealed):
        nationality = next((u.nationality for u in kept if u.side == side), "")
        moving = [u for u in position.units if u.id in hidden and (u.at, u.side) == (at, side)
                  and u.move.mph == "moving"]  # fmt: skip
        latest = max(moving, key=lambda one: one.points.spent, default=None)
        seen = {} if latest is None else {
            "mph": "moving", "spent": latest.points.spent, "previous": latest.move.previous,
        }  # fmt: skip
        name = f"?{at}"
        while any(unit.id == name for unit in kept):
            name = f"?{name}"
        yield struct_from_fields(
            AslUnit,
            id=name,
            side=side,
            at=at,
            type=STAND_IN,
            nationality=nationality,
            concealed=True,
            **seen,
        )


def _asked(obligation: Obligation, position: AslPosition, side: str) -> Obligation:
    """Return what is due; without outcomes if only the other side can settle it."""
    note = OTHERS.get(obligation.clause)
    if note is None or (position.unit(obligation.unit).side != side and side):
        return obligation
    if obligation.clause in FAILURES and len(obligation.outcomes) == 1:
        return obligation
    return msgspec.structs.replace(obligation, outcomes=(), note=note)
