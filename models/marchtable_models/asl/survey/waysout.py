"""Tells whether Infantry in Bypass can still leave it: into the obstacle, or by the vertex reached."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from marchtable_models.asl.facts.bypass import Linger
from marchtable_models.asl.model import SPINES, Enter
from marchtable_models.asl.survey.bypass import can_be_passed, entry_by_bypass, place_after
from marchtable_models.asl.survey.foot import declaration
from marchtable_models.asl.survey.movers import party
from marchtable_models.asl.survey.purse import payment
from marchtable_models.asl.survey.reading import corner, entry
from marchtable_models.asl.verbs.bypass import Bypass, Into

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.edition import Edition
    from marchtable.position import Position
    from marchtable_models.asl.facts.steps import Entry
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["cornered", "lingering"]


def lingering(position: AslPosition, unit: AslUnit, edition: Edition) -> Linger:
    """Return the facts of a unit on foot that would end its MPh in Bypass."""
    held = unit.pinned or unit.broken
    return Linger(held=held or not _gets_out(position, unit, edition))


def cornered(
    position: AslPosition, unit: AslUnit, action: Bypass, edition: Edition
) -> Linger | None:
    """
    Return the facts of a unit that would go round an obstacle and not be able to leave it.

    Who has spent nothing yet is not asked about: for reach, which takes all units so, what lies
    beyond a hex must not matter.
    """
    if not unit.spent or unit.column:
        return None
    facts = entry_by_bypass(position, unit, party(position, (unit,)), action)
    paid = _paid(position, unit, facts, edition)
    if not paid or facts.passing is None or not facts.passing.hexsides:
        return None
    reached = _at_vertex(position, unit, action, paid)
    return None if _gets_out(position, reached, edition) else Linger(held=True, enters=True)


def _at_vertex(position: AslPosition, unit: AslUnit, action: Bypass, paid: int) -> AslUnit:
    """Return the unit at the vertex that it goes to."""
    return replace(
        unit, at=position.board.resolve(action.to), bypass=place_after(position, unit, action),
        previous=unit.at, mph="moving", spent=unit.spent + paid, used=unit.used + paid, road=False,
    )  # fmt: skip


def _paid(position: AslPosition, unit: AslUnit, facts: Entry, edition: Edition) -> int | None:
    """Return what a step costs, None if it is barred or cannot be paid; 0 if nobody knows."""
    found = edition.judge(facts)
    if found.unsupported:
        return 0
    if found.bars or edition.judge(payment(position, unit, facts, found, edition)).bars:
        return None
    return found.total


def _gets_out(position: AslPosition, unit: AslUnit, edition: Edition) -> bool:
    found = edition.judge(declaration(position, unit, "double-time"))
    faster = {} if found.bars else {forced.field: forced.value for forced in found.forced}
    return any(
        _leaves(position, one, edition)
        for one in ((unit, replace(unit, **faster)) if faster else (unit,))
    )


def _leaves(position: AslPosition, unit: AslUnit, edition: Edition) -> bool:
    """Tell whether the unit can go into the obstacle, or on from the vertex it has reached."""
    if any(_paid(position, unit, facts, edition) is not None for facts in _steps(position, unit)):
        return True
    alone = party(position, (unit,))
    for action in _rounds(position, unit):
        paid = _paid(position, unit, entry_by_bypass(position, unit, alone, action), edition)
        if paid == 0 or (
            paid and _leaves(position, _at_vertex(position, unit, action, paid), edition)
        ):
            return True
    return False


def _steps(position: AslPosition, unit: AslUnit) -> Iterator[Entry]:
    ids, alone = (unit.id,), party(position, (unit,))
    yield entry_by_bypass(position, unit, alone, Into(ids))
    for way, name in position.board.neighbours(unit.at or ""):
        if corner(unit, way) == "at":
            yield entry(position, unit, name, alone, Enter(ids, name))


def _rounds(position: AslPosition, unit: AslUnit) -> Iterator[Bypass]:
    for way, name in position.board.neighbours(unit.at or ""):
        if corner(unit, way) == "at" and can_be_passed(position, unit.at or "", name):
            yield from (Bypass((unit.id,), name, vertex=spine) for spine in SPINES)
