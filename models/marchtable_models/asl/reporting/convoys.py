"""Convoys: what they can afford, which vehicles can leave and why, and how they are drawn."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from marchtable.codec.structs import points
from marchtable.state.records import replace
from marchtable_models.asl.rules.impulse_moves import moves_of, ranks_of
from marchtable_models.asl.rules.leaving_convoys import leaving
from marchtable_models.asl.views import lines, spending
from marchtable_models.asl.views import vehicles as vehicle_facts
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.standing import is_blind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.rules.edition import Edition
    from marchtable_models.asl.model import AslPosition, AslUnit


def leave_to_go(position: AslPosition, unit: AslUnit, edition: Edition) -> Iterator[dict[str, Any]]:
    """Yield whether a vehicle can leave its Convoy, by the clauses that give a reason or bar it."""
    if not unit.line.convoy:
        return
    found = edition.judge(leaving(position, unit, declared=True))
    bars = [bar.clause for bar in (*found.bars, *found.unsupported)]
    reasons = [name for name, _ in found.exceptions]
    yield {
        "what": "leave its Convoy", "allowed": not bars, "factor": None,
        "clauses": list(dict.fromkeys(bars or reasons)),
    }  # fmt: skip


def drawn(position: AslPosition) -> Iterator[dict[str, Any]]:
    """Yield the drawing of Convoys and Columns: their lines, and the Gaps between parts."""
    shown = sorted(position.units, key=lambda unit: unit.line.rank)
    for line in dict.fromkeys(
        lines.members(position, u) for u in shown if u.line.convoy or u.line.column
    ):
        for front, rear in pairwise(u for u in line if u.at is not None):
            yield {"a": front.at, "b": rear.at}
    parts: dict[tuple[str, str], list[AslUnit]] = {}
    for unit in shown:
        gone = (
            unit.at is None
            or unit.line.fallen
            or (unit.line.left == "declared" and not unit.line.convoy)
        )
        if lines.origin_of(unit) and not gone:
            parts.setdefault((unit.side, lines.origin_of(unit)), []).append(unit)
    for found in parts.values():
        for front, rear in pairwise(found):
            if not front.line.convoy or front.line.convoy != rear.line.convoy:
                yield {"a": front.at, "b": rear.at, "label": "Gap", "broken": True}


def convoy_outlook(
    position: AslPosition, lead: AslUnit, edition: Edition, ways: int | None
) -> list[dict[str, Any]]:
    """Return a Convoy's poorest vehicle, its affordable road hexes, and its next Impulses."""
    line = lines.members(position, lead)
    if not lead.line.convoy:
        return []
    left = {
        unit.id: spending.allotment(position, unit, edition) - unit.points.spent for unit in line
    }
    poorest = min(left, key=left.__getitem__)
    rows: list[tuple[str, Any]] = [("poorest", f"{poorest}, {points(left[poorest]):g} MP left")]
    going = [replace(unit, moving=True) for unit in line]
    if cost := _by_road(position.with_units(going), going[0], edition):
        able = ways != 0 and not any(is_blind(position, unit) for unit in line)
        further = (left[poorest] - _to_start(position, line, edition)) // cost if able else 0
        rows.append((f"further Impulses by road, at {points(cost):g} MP", max(0, further)))
    if ways is not None:
        rows.append(("ways to make this Impulse", ways))
    return [{"what": what, "value": value, "parts": [], "outcomes": []} for what, value in rows]


def _to_start(position: AslPosition, line: Sequence[AslUnit], edition: Edition) -> int:
    """Return the cost of an Impulse in which all stopped vehicles start; everything if none can."""
    found = [
        edition.judge(vehicle_facts.start_stop(position, unit, "start"))
        for unit in line
        if not unit.motion.moving
    ]
    if any(each.bars for each in found):
        return max(spending.allotment(position, unit, edition) for unit in line)
    return max((each.total for each in found), default=0)


def _by_road(position: AslPosition, lead: AslUnit, edition: Edition) -> int | None:
    """Return the lead's cost of the next hex by road, in half MP; None if there is none ahead."""
    ranks = ranks_of(position, lead)
    steps = [
        edition.judge(case.facts)
        for move in moves_of(position, lead)
        for case in ranks.piece(position, 0, move, (), edition).cases
        if isinstance(case.facts, Entry) and case.facts.way == "road" and not case.facts.passing
    ]
    costs = [step.total for step in steps if not (step.bars or step.unsupported)]
    return min(costs, default=None)
