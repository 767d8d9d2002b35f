"""Which facts bear on the moves of lines (Convoys, Columns, platoons) and on the MPh's end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable.action import verb_of
from marchtable.errors import BadInputError
from marchtable.judging import Case
from marchtable_models.asl import (
    columncases,
    effects,
    gaps,
    lines,
    platooncases,
    purse,
    survey,
    survey_bypass,
    survey_vehicles,
)
from marchtable_models.asl.bypassfacts import Detached
from marchtable_models.asl.bypassverbs import Along, Bypass, Into
from marchtable_models.asl.cases_transport import of_blow, of_carried, of_turning
from marchtable_models.asl.footverbs import Advance
from marchtable_models.asl.happenings import NO_ATTACK, Befall
from marchtable_models.asl.lineeffects import step_taken
from marchtable_models.asl.linefacts import Blow, Idle, LineEnd
from marchtable_models.asl.model import SPINES, AslConditions, AslUnit, Enter, Impulse, Start, Turn
from marchtable_models.asl.unitfacts import Wound
from marchtable_models.asl.vehiclefacts import Arrival

if TYPE_CHECKING:
    from collections.abc import Iterable

    from marchtable.action import Action, Event
    from marchtable.edition import Edition
    from marchtable.position import Position
    from marchtable_models.asl.unitfacts import Standing

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["endings", "hexes", "of_event", "of_impulse", "of_leaving", "parts"]


def of_impulse(position: AslPosition, impulse: Impulse, edition: Edition) -> list[Case]:
    """Return the facts of an Impulse: each member's step, taken from the front, and the line."""
    told = lines.steps(position, impulse)
    line = [unit for unit, _ in told]
    ids = tuple([unit.id for unit in line]) or (impulse.unit,)
    found = [Case(ids, lines.lineup(position, impulse, told))]
    working = position
    for unit, act in told:
        if act is None and position.phase == "APh":
            continue
        found.append(Case((unit.id,), _standing(position, unit, act, line[0]), hexes(unit.at)))
        if act is None:
            found.append(Case((unit.id,), Idle(lines.kind_of(unit))))
            continue
        found += _of_member(working, unit, act)
        if isinstance(act, Enter) and unit.at is not None:
            found += of_carried(working, unit, position.board.resolve(act.to))
        if isinstance(act, Turn):
            found += of_turning(working, unit)
        working = step_taken(working, act)
    if line and line[0].column:
        found += columncases.of_following(position, told)
    linked = lines.links(working, line)
    found += [Case(pair, link) for pair, link in linked]
    found += platooncases.mates(working, line)
    apart = [pair[1] for pair, link in linked if link.kind == "convoy" and link.distance > 1]
    if apart:
        found += [Case((name,), gaps.leaving(position, position.unit(name))) for name in apart]
        split = gaps.parted(position, line, leads=apart, begun=True, willing=True)
        found += [Case((name,), facts) for name, facts in split]
    if line and line[0].mph == "unmoved":
        over = effects.interrupted(position, line[0].side, ids)
        found += endings(position, over, edition)
    return found


def of_event(position: AslPosition, event: Event) -> list[Case]:
    """Return the facts of what befell a unit: in its Convoy, its Column, and to its PRC."""
    carried = of_blow(position, event) if isinstance(event, Befall) else []
    if isinstance(event, Befall) and event.what == "wounded":
        carried += _of_wound(position, position.unit(event.unit))
    if isinstance(event, Befall):
        carried += _of_fire(position, event)
    if isinstance(event, Befall) and event.what in ("eliminated", "immobilized", "bogged"):
        found = parts(position, position.unit(event.unit))
        if found:
            return found + carried
    return columncases.of_event(position, event) + carried


def _of_wound(position: AslPosition, unit: AslUnit) -> list[Case]:
    if survey.type_of(position, unit).class_ != "smc":
        raise BadInputError(f"{unit.id} cannot be wounded; expected a SMC", field="unit")
    going = position.phase == "MPh" and unit.side == position.side
    return [Case((unit.id,), Wound(unit.spent if going else 0), hexes(unit.at))]


def _of_fire(position: AslPosition, event: Befall) -> list[Case]:
    """Return the facts of fire at a Convoy vehicle in its own MPh, one that left it moving now."""
    unit = position.unit(event.unit)
    if not unit.convoy or event.by == "mines" or event.what in NO_ATTACK:
        return []
    moves = any(u.left == "declared" and u.mph == "moving" for u in position.units)
    mine = unit.side == position.side and position.phase == "MPh"
    return [Case((unit.id,), Blow(leaver=moves and mine), hexes(unit.at))]


def of_leaving(position: AslPosition, unit: AslUnit, *, alone: bool = False) -> list[Case]:
    """Return the facts of a vehicle leaving its Convoy: its reasons, and the Gap where it was."""
    found = [
        Case((unit.id,), gaps.leaving(position, unit, declared=True, alone=alone), hexes(unit.at))
    ]
    mates = [] if alone else gaps.platoon_mates(position, unit)
    if not mates:
        apart = _convoy_parts(position, unit, willing=True)
        return found + (apart or platooncases.losses(position, unit))
    line = lines.members(position, unit)
    split = gaps.parted(position, line, lost=(unit.id, *mates), willing=True)
    return found + [
        Case((name,), msgspec.structs.replace(facts, mate=name in mates)) for name, facts in split
    ]


def parts(position: AslPosition, lost: AslUnit) -> list[Case]:
    """Return the facts of the Convoy and of the platoon that a vehicle is lost to, if any."""
    return _convoy_parts(position, lost) + platooncases.losses(position, lost)


def _convoy_parts(position: AslPosition, lost: AslUnit, *, willing: bool = False) -> list[Case]:
    if not lost.convoy:
        return []
    line = lines.members(position, lost)
    split = gaps.parted(position, line, lost=(lost.id,), willing=willing)
    return [Case((name,), facts) for name, facts in split]


def _standing(position: AslPosition, unit: AslUnit, act: Action | None, lead: AslUnit) -> Standing:
    verb = "advance" if isinstance(act, Advance) else "impulse"
    return survey.standing(position, unit, verb, by_impulse=True, lead=lead)


def _of_member(position: AslPosition, unit: AslUnit, act: Action) -> list[Case]:  # noqa: PLR0911
    who, where = (unit.id,), hexes(unit.at)
    if isinstance(act, (Along, Into)):
        if unit.bypass is None:
            return [Case(who, Detached(), where)]
        stack = survey.party(position, (unit,))
        return [Case(who, survey_bypass.entry_by_bypass(position, unit, stack, act), where)]
    if isinstance(act, (Enter, Advance, Bypass)):
        to = position.board.resolve(act.to)
        where, found = hexes(unit.at, to), []
        if unit.at is None:
            edge = survey_vehicles.over_edge(position, unit, to)
            found = [Case(who, edge, where)] if edge is not None else []
            if not isinstance(edge, Arrival) or not edge.at_edge or isinstance(act, Bypass):
                return found
        elif position.board.hexside(unit.at, to) is None:
            return [Case(who, survey.jump(position, unit, to), where)]
        stack = survey.party(position, (unit,))
        if isinstance(act, Bypass):
            facts = survey_bypass.entry_by_bypass(position, unit, stack, act)
        else:
            facts = survey.entry(position, unit, to, stack, act)
        return [*found, Case(who, facts, where)]
    if isinstance(act, Turn):
        return [Case(who, survey_vehicles.swing(position, unit, SPINES.index(act.facing)), where)]
    reverse = isinstance(act, Start) and act.reverse
    facts_of = survey_vehicles.start_stop(position, unit, verb_of(act), reverse=reverse)
    return [Case(who, facts_of, where)]


def endings(position: AslPosition, units: Iterable[AslUnit], edition: Edition) -> list[Case]:
    """Return the facts of vehicles ending their MPh in motion, and of Infantry doing so in Bypass."""
    units = list(units)
    on_map = [unit for unit in units if unit.at is not None and unit.mph != "done"]
    return [
        *_line_ends(position, units),
        *(
            Case((unit.id,), purse.ending(position, unit, edition), hexes(unit.at))
            for unit in on_map
            if unit.moving
        ),
        *(
            Case((unit.id,), survey_bypass.lingering(unit), hexes(unit.at))
            for unit in on_map
            if unit.bypass is not None and survey.type_of(position, unit).is_personnel
        ),
    ]


def _line_ends(position: AslPosition, units: Iterable[AslUnit]) -> list[Case]:
    """Return the facts of the Convoys whose MPh ends with that of these vehicles."""
    found = []
    for line in dict.fromkeys(lines.members(position, u) for u in units if u.convoy):
        moving = sum(u.moving for u in line)
        found.append(Case(tuple(u.id for u in line), LineEnd(len(line), moving)))
    return found


def hexes(*names: str | None) -> tuple[str, ...]:
    return names if None not in names else tuple([name for name in names if name is not None])  # type: ignore[return-value]
