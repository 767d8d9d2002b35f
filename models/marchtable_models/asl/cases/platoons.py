"""Reads off a position how the AFVs of a platoon stand to each other, and which facts bear."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.judging import Case
from marchtable.state.records import replace
from marchtable_models.asl.clauses.vehicles.bog import is_bog_check
from marchtable_models.asl.extraction import lines
from marchtable_models.asl.extraction.lookout import has_los
from marchtable_models.asl.extraction.unitkinds import crew_morale, type_of
from marchtable_models.asl.facts.los import best
from marchtable_models.asl.facts.platoons import (
    Bereft,
    ComingOn,
    Forming,
    Mates,
    NerveResult,
    Shaken,
    Steadying,
)
from marchtable_models.asl.verbs.vehicles import TaskCheck

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from marchtable.rules.clause import Roll
    from marchtable.rules.edition import Edition
    from marchtable.state.position import Position
    from marchtable_models.asl.facts.los import Los
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.verbs.vehicles import Form

    AslPosition = Position[AslUnit, AslConditions]

__all__ = [
    "coming_on",
    "is_apart",
    "losses",
    "mates",
    "of_platoon",
    "of_result",
    "platoon_of",
    "shared_checks",
    "sundered",
]


def mates(
    position: AslPosition, after: Sequence[AslUnit], before: Sequence[AslUnit] = ()
) -> list[Case]:
    """
    Return the facts of each AFV of a platoon as an Impulse leaves it, or as it stands.

    `before` are its AFVs as the Impulse began; of another line there are none.
    """
    if not after or lines.kind_of(after[0]) != "platoon":
        return []
    now = position.phase == "MPh" and after[0].side == position.side  # a mate was lost, it may be
    waits = is_apart(position, before or after) and (
        now if not before else all(a.at == b.at for a, b in zip(before, after, strict=True))
    )
    return _mates(position, after, waits=waits)


def is_apart(position: AslPosition, units: Sequence[AslUnit]) -> bool:
    """Return whether these are two AFVs of one platoon that are not adjacent."""
    return len(units) == 2 and not lines.are_near(position, *units)


def sundered(position: AslPosition, units: Iterable[AslUnit]) -> list[Case]:
    """Return the facts of platoons that are still apart as the MPh of these units ends."""
    own = {unit.line.platoon: platoon_of(position, unit) for unit in units if unit.line.platoon}
    return [
        Case((unit.id,), Bereft(apart=True))
        for left in own.values()
        if is_apart(position, left)
        for unit in left
    ]


def _mates(position: AslPosition, units: Sequence[AslUnit], *, waits: bool = False) -> list[Case]:
    here = [unit for unit in units if unit.at is not None]
    going = {(u.motion.moving, u.motion.reverse) for u in here if not lines.is_held_back(u)}
    all_going = {(u.motion.moving, u.motion.reverse) for u in here}
    found = []
    for unit in units:
        others = [other for other in units if other.id != unit.id]
        near = [other for other in others if lines.are_near(position, unit, other)]
        los = best(_sees(position, unit, other) for other in near)
        ids = (unit.id, *(other.id for other in others))
        alike, all_alike = len(going) <= 1, len(all_going) <= 1
        found.append(Case(ids, Mates(bool(near), los, alike, waits, all_alike)))
    return found


def _sees(position: AslPosition, unit: AslUnit, mate: AslUnit) -> Los:
    """Find whether an AFV sees a mate, SMOKE and the night apart; off the map that does not matter."""
    if unit.at is None or mate.at is None:
        return "yes"
    return has_los(position, unit, mate, bare=True)


def shared_checks(line: Sequence[AslUnit], found: Sequence[Case], edition: Edition) -> list[Case]:
    """Return the facts of a platoon's Bog Checks in an Impulse, given those of its steps."""
    if not line or lines.kind_of(line[0]) != "platoon":
        return []
    checked = [
        case.units[0]
        for case in found
        if any(_is_shared(roll) for roll in edition.judge(case.facts).rolls)
    ]
    return [Case(tuple(checked), Shaken(len(checked)))] if checked else []


def _is_shared(roll: Roll) -> bool:
    """Return whether a roll is one that a platoon makes but once: a Bog Check, Mechanical Reliability."""
    return is_bog_check(roll.clause) or roll.name == "reliability"


def platoon_of(position: AslPosition, unit: AslUnit) -> list[AslUnit]:
    """Return the AFVs of a unit's platoon, even of one within a Convoy; none outside one."""
    if not unit.line.platoon:
        return []
    return [
        u for u in position.units if u.side == unit.side and u.line.platoon == unit.line.platoon
    ]


def losses(position: AslPosition, gone: AslUnit) -> list[Case]:
    """Return the facts of each AFV of a platoon that one of them leaves or is lost to."""
    left = [unit for unit in platoon_of(position, gone) if unit.id != gone.id]
    found = [Case((gone.id,), Bereft(lost=True))] if gone.line.platoon else []
    if len(left) == 1:
        found.append(Case((left[0].id,), Bereft(alone=True)))
    over = position.phase != "MPh" or gone.side != position.side or gone.move.mph == "done"
    return found + (
        sundered(position.with_units([replace(gone, platoon="")]), left) if over else []
    )


def of_platoon(position: AslPosition, action: Form | TaskCheck) -> list[Case]:
    """Return the facts of forming a platoon, or of the task check of who moves alone."""
    unit = position.unit(action.unit)
    if isinstance(action, TaskCheck):
        kind = type_of(position, unit)
        fresh = (
            unit.move.mph == "unmoved"
            and not unit.motion.check
            and not unit.line.convoy
            and unit.at is not None
        )
        facts = Steadying(
            kind.afv and not kind.radio, fresh, crew_morale(position, unit), int(unit.crew.dazed)
        )
        return [Case((unit.id,), facts)]
    return _forming(position, unit, position.unit(action.mate))


def _forming(position: AslPosition, unit: AslUnit, mate: AslUnit) -> list[Case]:
    """Return the facts of forming a platoon with another AFV, or with all of its platoon."""
    line = [*(platoon_of(position, mate) or [mate]), unit]
    fit = (
        unit.id != mate.id
        and not unit.line.platoon
        and all(_is_fit(position, u, unit) for u in line)
    )
    fresh = all(u.move.mph == "unmoved" and not u.motion.check for u in line)
    together = Case((unit.id, mate.id), Forming(fit, fresh, len(line)))
    return [together, *_mates(position, line)] if fit else [together]


def coming_on(position: AslPosition, unit: AslUnit, edition: Edition) -> list[Case]:
    """Return the facts of an AFV without a radio, in no line, that comes on; of others there are none."""
    if unit.at is not None or lines.kind_of(unit) or not _is_radioless(position, unit):
        return []
    mate = any(
        not any(edition.judge(case.facts).bars for case in _forming(position, unit, other))
        for other in position.units
        if _waits_beside(position, unit, other)
    )
    return [Case((unit.id,), ComingOn(mate))]


def _waits_beside(position: AslPosition, unit: AslUnit, other: AslUnit) -> bool:
    """Return whether another AFV without a radio waits off the map, due by now and free to move."""
    offboard = other.offboard
    return (
        other.id != unit.id
        and other.side == unit.side
        and other.at is None
        and bool(offboard.entering)
        and offboard.entry_turn <= position.turn
        and not lines.is_held_back(other)
        and _is_radioless(position, other)
    )


def _is_radioless(position: AslPosition, unit: AslUnit) -> bool:
    kind = type_of(position, unit)
    return kind.afv and not kind.radio


def _is_fit(position: AslPosition, unit: AslUnit, first: AslUnit) -> bool:
    offboard = unit.offboard
    here = unit.at is not None or (bool(offboard.entering) and not offboard.exited)
    able = here and not (lines.is_immobile(unit) or unit.crew.recalled)
    return able and unit.side == first.side and not unit.line.convoy and type_of(position, unit).afv


def of_result(position: AslPosition, unit: AslUnit, outcome: str) -> list[Case]:
    """Return the facts of a task check that came out so: who took it is in no platoon any more."""
    return [Case((unit.id,), NerveResult(outcome)), *losses(position, unit)]
