"""Which facts bear on which action or event."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.action import Event, verb_of
from marchtable.judging import Case
from marchtable_models.asl import bog, columncases, effects, footsurvey, lines, purse, survey
from marchtable_models.asl.facts import Entry
from marchtable_models.asl.footcases import (
    interrupted,
    members,
    of_handling,
    of_setting_out,
    of_settling,
)  # fmt: skip
from marchtable_models.asl.footverbs import Advance, Assault, Drop, Recover, SetOut, Transfer
from marchtable_models.asl.linecases import endings, hexes, of_event, of_impulse, of_leaving, parts
from marchtable_models.asl.model import (
    SPINES,
    AslConditions,
    AslUnit,
    Disband,
    DoubleTime,
    End,
    Enter,
    Impulse,
    Leave,
    Lend,
    MinimumMove,
    Start,
    Stop,
    Turn,
    actors,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.action import Action, Phase
    from marchtable.edition import Edition
    from marchtable.position import Obligation, Position

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["of_action", "of_outcome", "of_phase"]


def of_action(position: AslPosition, action: Action, edition: Edition) -> list[Case]:
    """Return the facts that bear on an action."""
    if isinstance(action, Enter | MinimumMove | Advance):
        return _of_entry(position, action, edition)
    if isinstance(action, Impulse):
        return of_impulse(position, action, edition)
    if isinstance(action, Event):
        return of_event(position, action)
    if isinstance(action, SetOut):
        return of_setting_out(position, action, edition)
    if isinstance(action, Drop | Recover | Transfer):
        return of_handling(position, action, edition)
    return _of_one(position, action, edition)


def _of_one(position: AslPosition, action: Action, edition: Edition) -> list[Case]:
    """Return the facts of an action of one unit that enters nothing."""
    unit = position.unit(action.unit)  # type: ignore[attr-defined]
    who, where, verb = (unit.id,), hexes(unit.at), verb_of(action)
    found = [Case(who, survey.standing(position, unit, verb), where)]
    if isinstance(action, End):
        return found + endings(position, lines.members(position, unit) or (unit,), edition)
    if isinstance(action, Leave):
        return found + of_leaving(position, unit)
    if isinstance(action, Disband):
        return found + columncases.of_declaring(position, unit)
    if isinstance(action, DoubleTime | Assault | Lend):
        to = position.unit(action.to) if isinstance(action, Lend) else None
        return [*found, Case(who, footsurvey.declaration(position, unit, verb, to))]
    if isinstance(action, Start | Stop):
        found.append(Case(who, survey.start_stop(position, unit, verb), where))
    elif isinstance(action, Turn) and unit.at is not None:
        swing = survey.swing(position, unit, SPINES.index(action.facing))
        found.append(Case(who, swing, where))
    return found + interrupted(position, (unit,), edition)


def _of_entry(
    position: AslPosition, action: Enter | MinimumMove | Advance, edition: Edition
) -> list[Case]:
    ids = actors(action)
    units = members(position, ids)
    to = position.board.resolve(action.to)
    stack, verb = survey.party(position, units), verb_of(action)
    found: list[Case] = []
    for unit in units:
        who, where = (unit.id,), hexes(unit.at, to)
        found.append(Case(who, survey.standing(position, unit, verb), where))
        if unit.at is None:
            continue  # from off the board (A2.5)
        if position.board.hexside(unit.at, to) is None:
            found.append(Case(who, survey.jump(position, unit, to), where))
        else:
            found.append(Case(who, survey.entry(position, unit, to, stack, action), where))
    if len(units) > 1:
        needed = not isinstance(action, MinimumMove) or any(
            isinstance(case.facts, Entry)
            and purse.is_short(position, position.unit(case.units[0]), case.facts, edition)
            for case in found
        )
        together = survey.group(position, units, needed=needed)
        found.insert(0, Case(ids, together, hexes(units[0].at)))
    found += interrupted(position, units, edition)
    if any([survey.type_of(position, unit).leads for unit in units]):  # noqa: C419 - quicker
        found += _partings(position, ids, edition)
    return found


def _partings(position: AslPosition, going: Sequence[str], edition: Edition) -> list[Case]:
    """Return the facts of units left behind by leaders they have moved with."""
    found = []
    for unit in position.units:
        if unit.leaders and unit.id not in going:
            leaving = [name for name in unit.leaders if name in going]
            if leaving:
                facts = purse.parting(position, unit, going, edition)
                found.append(Case((unit.id, *leaving), facts, hexes(unit.at)))
    return found


def of_outcome(position: AslPosition, obligation: Obligation, outcome: str) -> list[Case]:
    """Return the facts of a roll or choice that came out so."""
    if not bog.is_bog_check(obligation.clause):
        return of_settling(position, obligation, outcome)
    unit = position.unit(obligation.unit)
    at_hexside = obligation.clause == bog.bog_check_at_hexside.id
    facts = footsurvey.bog_result(position, unit, outcome, at_hexside=at_hexside)
    found = [Case((unit.id,), facts, hexes(unit.at))]
    return found + parts(position, unit) if outcome == "bogged" else found


def of_phase(
    position: AslPosition, event: Phase, phases: Sequence[str], edition: Edition
) -> list[Case]:
    """Return the facts of every unit as a phase begins, and of vehicles whose MPh it ends."""
    side = event.side or position.side
    new_turn = effects.begins_turn(position, event, phases)
    over = [u for u in position.units if u.side == position.side] if position.phase == "MPh" else []
    return endings(position, over, edition) + [
        Case(
            (unit.id,),
            footsurvey.phase_start(unit, event.phase, side, new_turn=new_turn),
            hexes(unit.at),
        )
        for unit in position.units
    ]
