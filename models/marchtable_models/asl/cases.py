"""Which facts bear on which action or event."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.action import verb_of
from marchtable.errors import BadInputError
from marchtable.judging import Case
from marchtable_models.asl import bog, effects, lines, purse, survey
from marchtable_models.asl.linefacts import Idle
from marchtable_models.asl.model import (
    SPINES,
    AslConditions,
    AslUnit,
    DoubleTime,
    End,
    Enter,
    Impulse,
    Lend,
    MinimumMove,
    Start,
    Stop,
    Turn,
    actors,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from marchtable.action import Action, Phase
    from marchtable.edition import Edition
    from marchtable.position import Obligation, Position

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["of_action", "of_outcome", "of_phase"]


def of_action(position: AslPosition, action: Action, edition: Edition) -> list[Case]:
    """Return the facts that bear on an action."""
    if isinstance(action, Enter | MinimumMove):
        return _of_entry(position, action, edition)
    if isinstance(action, Impulse):
        return _of_impulse(position, action, edition)
    unit = position.unit(action.unit)  # type: ignore[attr-defined]
    who, hexes, verb = (unit.id,), _hexes(unit.at), verb_of(action)
    found = [Case(who, survey.standing(position, unit, verb), hexes)]
    if isinstance(action, Start | Stop):
        found.append(Case(who, survey.start_stop(position, unit, verb), hexes))
    elif isinstance(action, Turn) and unit.at is not None:
        swing = survey.swing(position, unit, SPINES.index(action.facing))
        found.append(Case(who, swing, hexes))
    elif isinstance(action, DoubleTime):
        found.append(Case(who, survey.declaration(position, unit, verb)))
    elif isinstance(action, Lend):
        to = position.unit(action.to)
        found.append(Case(who, survey.declaration(position, unit, verb, to)))
    elif isinstance(action, End):
        found += _endings(position, (unit,), edition)
    if unit.mph == "unmoved" and isinstance(action, Start | Stop | Turn):
        over = effects.interrupted(position, unit.side, who)
        found += _endings(position, over, edition)
    return found


def _of_entry(position: AslPosition, action: Enter | MinimumMove, edition: Edition) -> list[Case]:
    ids = actors(action)
    if not ids:
        raise BadInputError("expected at least one unit", field="units")
    to = position.board.resolve(action.to)
    units = [position.unit(name) for name in ids]
    stack, verb = survey.party(position, units), verb_of(action)
    found: list[Case] = []
    if len(units) > 1:
        found.append(Case(ids, survey.group(position, units), _hexes(units[0].at)))
    for unit in units:
        who, hexes = (unit.id,), _hexes(unit.at, to)
        found.append(Case(who, survey.standing(position, unit, verb), hexes))
        if unit.at is None:
            continue  # from off the board (A2.5)
        if position.board.hexside(unit.at, to) is None:
            found.append(Case(who, survey.jump(position, unit, to), hexes))
        else:
            found.append(Case(who, survey.entry(position, unit, to, stack, action), hexes))
    if units[0].mph == "unmoved":
        over = effects.interrupted(position, units[0].side, ids)
        found += _endings(position, over, edition)
    if any([survey.type_of(position, unit).leads for unit in units]):  # noqa: C419 - quicker
        found += _partings(position, ids, edition)
    return found


def _of_impulse(position: AslPosition, impulse: Impulse, edition: Edition) -> list[Case]:
    """Return the facts of an Impulse: each member's step, taken from the front, and the line."""
    told = lines.steps(position, impulse)
    line = [unit for unit, _ in told]
    ids = tuple([unit.id for unit in line]) or (impulse.unit,)
    found = [Case(ids, lines.lineup(position, impulse, [act for _, act in told]))]
    working = position
    for unit, act in told:
        found.append(Case((unit.id,), survey.standing(position, unit, "impulse"), _hexes(unit.at)))
        if act is None:
            found.append(Case((unit.id,), Idle(lines.kind_of(unit))))
            continue
        found.append(_of_member(working, unit, act))
        working = effects.step_taken(working, act)
    found += [Case(pair, link) for pair, link in lines.links(working, line)]
    if line and line[0].mph == "unmoved":
        over = effects.interrupted(position, line[0].side, ids)
        found += _endings(position, over, edition)
    return found


def _of_member(position: AslPosition, unit: AslUnit, act: Action) -> Case:
    who, hexes = (unit.id,), _hexes(unit.at)
    if isinstance(act, Enter):
        to = position.board.resolve(act.to)
        if unit.at is None or position.board.hexside(unit.at, to) is None:
            return Case(who, survey.jump(position, unit, to), _hexes(unit.at, to))
        facts = survey.entry(position, unit, to, survey.party(position, (unit,)), act)
        return Case(who, facts, _hexes(unit.at, to))
    if isinstance(act, Turn):
        return Case(who, survey.swing(position, unit, SPINES.index(act.facing)), hexes)
    return Case(who, survey.start_stop(position, unit, verb_of(act)), hexes)


def _endings(position: AslPosition, units: Iterable[AslUnit], edition: Edition) -> list[Case]:
    """Return the facts of vehicles ending their MPh without having stopped."""
    return [
        Case((unit.id,), purse.ending(position, unit, edition), _hexes(unit.at))
        for unit in units
        if unit.moving and unit.at is not None and unit.mph != "done"
    ]


def _partings(position: AslPosition, going: Sequence[str], edition: Edition) -> list[Case]:
    """Return the facts of units left behind by leaders they have moved with."""
    found = []
    for unit in position.units:
        if unit.leaders and unit.id not in going:
            leaving = [name for name in unit.leaders if name in going]
            if leaving:
                facts = purse.parting(position, unit, going, edition)
                found.append(Case((unit.id, *leaving), facts, _hexes(unit.at)))
    return found


def of_outcome(position: AslPosition, obligation: Obligation, outcome: str) -> list[Case]:
    """Return the facts of a roll that came out so; only Bog Checks have any."""
    if not bog.is_bog_check(obligation.clause):
        return []
    unit = position.unit(obligation.unit)
    at_hexside = obligation.clause == bog.bog_check_at_hexside.id
    facts = survey.bog_result(position, unit, outcome, at_hexside=at_hexside)
    return [Case((unit.id,), facts, _hexes(unit.at))]


def of_phase(
    position: AslPosition, event: Phase, phases: Sequence[str], edition: Edition
) -> list[Case]:
    """Return the facts of every unit as a phase begins, and of vehicles whose MPh it ends."""
    side = event.side or position.side
    new_turn = effects.begins_turn(position, event, phases)
    over = [u for u in position.units if u.side == position.side] if position.phase == "MPh" else []
    return _endings(position, over, edition) + [
        Case(
            (unit.id,),
            survey.phase_start(unit, event.phase, side, new_turn=new_turn),
            _hexes(unit.at),
        )
        for unit in position.units
    ]


def _hexes(*names: str | None) -> tuple[str, ...]:
    return names if None not in names else tuple([name for name in names if name is not None])  # type: ignore[return-value]
