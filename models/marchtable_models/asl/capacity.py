"""What vehicles have room for, for ``options`` to tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.structs import points
from marchtable_models.asl.data import halves
from marchtable_models.asl.passengers import load, may_ride, outside
from marchtable_models.asl.survey import type_of
from marchtable_models.asl.survey_transport import hold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.edition import Edition
    from marchtable.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["rooms"]


def rooms(position: AslPosition, vehicle: AslUnit, edition: Edition) -> Iterator[dict[str, Any]]:
    """Yield how many PP of Passengers, and of Riders, a vehicle has still room for."""
    if vehicle.at is None or type_of(position, vehicle).class_ != "vehicle":
        return
    facts = hold(position, vehicle)
    totals: dict[str, int] = {}
    for charge in edition.judge(facts).charges:
        totals[charge.part] = totals.get(charge.part, 0) + charge.amount
    room = 2 * facts.pp + totals.get("room", 0)
    if room:
        left = room - load(facts) - totals.get("inside", 0)
        yield _entry("take Passengers of so many PP more", left, "D6.1c")
    if may_ride(facts):
        clause, most = ("D6.81c", halves("D6.81", "outside")) if facts.carrier else (
            "D6.2d", halves("D6.2d", "most"),
        )  # fmt: skip
        left = most - outside(facts) - totals.get("outside", 0)
        yield _entry("take Riders of so many PP more", left, clause)


def _entry(what: str, left: int, clause: str) -> dict[str, Any]:
    return {"what": what, "allowed": left > 0, "factor": points(max(0, left)), "clauses": [clause]}
