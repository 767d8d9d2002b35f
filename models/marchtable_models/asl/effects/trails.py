"""What vehicles leave behind on the map: Trail Breaks, which way a lane has been used, what a bridge holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable.board.board import DIRECTIONS
from marchtable.state.position import Counter
from marchtable_models.asl.clauses.terrain.lanes import sets_direction
from marchtable_models.asl.clauses.terrain.trails import (
    along_the_trail,
    closes_behind,
    opens_ahead,
    opens_behind,
)
from marchtable_models.asl.clauses.vehicles.bog import (
    bog_check_turning,
    breached,
    clears_wire,
    is_bog_check,
    kind_of_check,
)
from marchtable_models.asl.corners import opposite
from marchtable_models.asl.counterkinds import BREACH, CROSSED, LIMIT, TRAIL, WIRE, limit_of
from marchtable_models.asl.extraction import vehicles as vehicle_facts
from marchtable_models.asl.extraction.reading import tons_at
from marchtable_models.asl.facts.outcomes import CollapseResult

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from marchtable.rules.clause import Finding
    from marchtable.rules.edition import Edition
    from marchtable.rules.judging import Bill
    from marchtable.state.position import Obligation, Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["after_bog", "after_crossing", "after_moves"]

LEAVES_TRACKS = frozenset((
    opens_ahead.id, opens_behind.id, closes_behind.id, along_the_trail.id, sets_direction.id,
    clears_wire.id, breached.id,
))  # fmt: skip


def after_moves(before: AslPosition, after: AslPosition, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after vehicles moved, with their tracks; a Bog Check is waited for."""
    for bill in bills:
        said = _said(bill.finding) if bill.finding.exceptions else ()
        if said and not any(is_bog_check(roll.clause) for roll in bill.finding.rolls):
            name = bill.case.units[0]
            after = _laid(after, before.unit(name).at, after.unit(name).at, said)
    return after


def after_bog(
    position: AslPosition, obligation: Obligation, outcome: str, edition: Edition
) -> AslPosition:
    """Return the position with the tracks of a vehicle whose Bog Check came out so."""
    unit = position.unit(obligation.unit)
    facts = vehicle_facts.bog_result(position, unit, outcome, kind_of_check(obligation.clause))
    said = _said(edition.judge(facts))
    if clears_wire.id in said:
        position = _without_wire(position, facts.previous if facts.of == "leaving" else unit.at)
    if breached.id in said:
        position = _with_breach(position, str(unit.move.previous), str(unit.at))
    if outcome == "bogged":  # it goes no farther, so no other check is due of it
        others = [
            due for due in position.pending if due.unit != unit.id or not is_bog_check(due.clause)
        ]
        position = msgspec.structs.replace(position, pending=tuple(others))
    elif any(due.unit == unit.id and is_bog_check(due.clause) for due in position.pending):
        return position  # what it leaves behind follows from the last
    if obligation.clause == bog_check_turning.id:
        return position  # its tracks were left as it came
    return _laid(
        position,
        unit.move.previous,
        unit.at,
        [name for name in said if name not in (clears_wire.id, breached.id)],
    )


def _with_breach(position: AslPosition, left: str, at: str) -> AslPosition:
    side = DIRECTIONS[position.board.direction(at, left)]
    new = Counter(kind=BREACH + side, at=at)
    return msgspec.structs.replace(position, counters=(*position.counters, new))


def _without_wire(position: AslPosition, at: str | None) -> AslPosition:
    kept = tuple(
        one for one in position.counters if one.kind != WIRE or position.board.resolve(one.at) != at
    )
    return msgspec.structs.replace(position, counters=kept)


def after_crossing(
    position: AslPosition, obligation: Obligation, outcome: str, edition: Edition
) -> AslPosition:
    """Return the position with the new weight limit of a wooden bridge that a vehicle has come onto."""
    at = position.unit(obligation.unit).at
    facts = CollapseResult(outcome, tons_at(position, at))
    if at is None or not edition.judge(facts).exceptions:
        return position
    kept = tuple(
        one for one in position.counters
        if limit_of(one.kind) is None or position.board.resolve(one.at) != at
    )  # fmt: skip
    new = Counter(kind=f"{LIMIT}{facts.tons:g}", at=at)
    return msgspec.structs.replace(position, counters=(*kept, new))


def _said(finding: Finding) -> Collection[str]:
    """Return which clauses say that tracks are left."""
    return [name for name, _ in finding.exceptions if name in LEAVES_TRACKS]


def _laid(
    position: AslPosition, a: str | None, b: str | None, said: Collection[str]
) -> AslPosition:
    """Return the position once a vehicle has left such tracks on its way from a to b."""
    if not said or a is None or b is None or position.board.hexside(a, b) is None:
        return position
    side = position.board.direction(a, b)
    found = [Counter(kind=CROSSED + DIRECTIONS[side], at=a, until="turn")]
    if opens_ahead.id in said:
        found.append(Counter(kind=TRAIL + DIRECTIONS[opposite(side)], at=b))
    if opens_behind.id in said:
        found.append(Counter(kind=TRAIL + DIRECTIONS[side], at=a))
    new = [counter for counter in found if counter not in position.counters]
    kept = position.counters
    if closes_behind.id in said:
        kept = tuple(one for one in kept if (one.kind, one.at) != (TRAIL + DIRECTIONS[side], a))
    return msgspec.structs.replace(position, counters=(*kept, *new))
