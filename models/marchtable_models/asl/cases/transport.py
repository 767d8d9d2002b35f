"""Which facts bear on the verbs of transport, and on those whom a moving vehicle carries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable.errors import BadInputError
from marchtable.rules.judging import Case
from marchtable.state.action import verb_of
from marchtable_models.asl.cases.mphends import stranded
from marchtable_models.asl.clauses.transport import riders, survival
from marchtable_models.asl.clauses.vehicles import bog
from marchtable_models.asl.extraction import cargo, purse, reading, standings, transport
from marchtable_models.asl.extraction import manning as manning_facts
from marchtable_models.asl.extraction import stacks as stack_facts
from marchtable_models.asl.facts.aboard import BailResult, Haul, Lost, Shot
from marchtable_models.asl.facts.foot import BOARDED, Detection
from marchtable_models.asl.facts.steps import Entry
from marchtable_models.asl.facts.transport import Orphaned
from marchtable_models.asl.occasions import BLOW
from marchtable_models.asl.verbs.carrying import (
    BailOut,
    Destroy,
    Load,
    Traverse,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.edition import Edition
    from marchtable.state.position import Obligation, Position
    from marchtable_models.asl.facts.ground import Ground
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.verbs.happenings import Befall

    AslPosition = Position[AslUnit, AslConditions]
    Verb = Load | BailOut | Traverse | Destroy

__all__ = [
    "TRANSPORT", "of_blow", "of_carried", "of_outcome", "of_transport", "of_turning",
]  # fmt: skip

ENTERS = ("loads", "hooks", "mans")
"""What a unit does that would get it aboard a vehicle."""
TRANSPORT = (Load, BailOut, Traverse, Destroy)


def of_transport(position: AslPosition, action: Verb, edition: Edition) -> list[Case]:
    """Return the facts that bear on a verb of transport."""
    if isinstance(action, Load):
        if not action.units:
            raise BadInputError("expected at least one unit", field="units")
        return _of_load(position, action, [position.unit(name) for name in action.units], edition)
    if isinstance(action, BailOut):
        unit = position.unit(action.unit)
        return _of_plunge(position, unit, edition, action.by) + _of_forsaken(position, unit)
    if isinstance(action, Traverse):
        return _of_traverse(position, position.unit(action.unit), action.facing, edition)
    vehicle = position.unit(action.unit)
    if vehicle.facing is None:
        raise BadInputError(f"{vehicle.id} cannot be destroyed; expected a vehicle", field="unit")
    return _of_loss(position, vehicle, action.by)


def _case(unit: AslUnit, facts: object) -> Case:
    return Case((unit.id,), facts, () if unit.at is None else (unit.at,))


def _of_load(
    position: AslPosition, action: Load, units: Sequence[AslUnit], edition: Edition
) -> list[Case]:
    onto = position.unit(action.onto)
    found = [_case(unit, standings.standing(position, unit, "load")) for unit in units]
    boarded = standings.standing(position, onto, "load")  # its MPh does not begin yet
    found.append(_case(onto, msgspec.structs.replace(boarded, due=False, left_due=False)))
    if len(units) > 1:
        found.append(Case(action.units, stack_facts.group(position, units, verb_of(action))))
    boarders = []
    for unit in units:
        facts = transport.board(position, unit, onto, action.units, riding=action.riding)
        found.append(_case(unit, facts))
        due = purse.due(position, unit, facts, edition.judge(facts), edition)
        boarders.append((due.spent + due.cost, due.left))
    if onto.facing is not None:
        found.append(_case(onto, transport.embark(position, onto, boarders, edition, units)))
        whole = transport.hold(
            position, onto, cargo.with_captives(position, units), riding=action.riding
        )
        before = [u.id for u in cargo.prc(position, onto) if u.cargo.riding == action.riding]
        counted = dict.fromkeys((*action.units, *before))  # all whose PP count there
        found.append(Case((onto.id, *counted), whole))
    return found


def _of_forsaken(position: AslPosition, *going: AslUnit) -> list[Case]:
    """Return the facts of the vehicle that these units go from, if SW may not stay on it alone."""
    if not going or going[0].cargo.aboard is None:
        return []
    vehicle = position.unit(going[0].cargo.aboard)
    facts = transport.forsaken(position, vehicle, [unit.id for unit in going], vehicle.sw)
    return [] if facts is None else [_case(vehicle, facts)]


def _of_orphaned(position: AslPosition, lost: AslUnit) -> list[Case]:
    """Return the facts of the vehicle that a unit is lost aboard of: a Passenger's SW stay inside."""
    vehicle = position.unit(str(lost.cargo.aboard))
    sw = vehicle.sw if lost.cargo.riding else (*vehicle.sw, *lost.sw)
    alone = transport.forsaken(position, vehicle, (lost.id,), sw)
    found = [] if sw == vehicle.sw else [_case(vehicle, Orphaned(sw))]
    return found if alone is None else [*found, _case(vehicle, alone)]


def of_blow(position: AslPosition, event: Befall, edition: Edition) -> list[Case]:
    """Return the facts of a Rider who is pinned or broken, and of the PRC of a vehicle that is lost."""
    unit = position.unit(event.unit)
    found: list[Case] = edition.subjects.ask(BLOW, [unit], position, event, edition)
    if found:
        return found
    if event.what in ("pinned", "broken", "eliminated") and unit.cargo.act:
        mans = unit.cargo.act == "mans"
        return (manning_facts.shot_manning if mans else _of_shot)(position, unit)
    if event.what in ("broken", "eliminated") and unit.crew.inherent:
        return manning_facts.crew_lost(position, unit, event.what)
    if event.what in ("pinned", "broken") and unit.cargo.riding:
        return _of_plunge(position, unit, edition, event.what) + _of_forsaken(position, unit)
    if event.what == "eliminated" and unit.cargo.aboard is not None:
        return _of_orphaned(position, unit)
    lost = event.what == "eliminated" and unit.facing is not None
    return _of_loss(position, unit, "") if lost else []


def _of_shot(position: AslPosition, unit: AslUnit) -> list[Case]:
    """Return the facts of a unit struck in the act, and of what it was about to hitch."""
    parts = zip(("vehicle", "gun"), unit.cargo.hitch, strict=False)
    facts = Shot(unit.cargo.act, "unit", unit.cargo.hitch)
    return [
        _case(unit, facts),
        *(
            _case(position.unit(name), msgspec.structs.replace(facts, part=part))
            for part, name in parts
        ),
    ]


def _of_loss(position: AslPosition, vehicle: AslUnit, by: str) -> list[Case]:
    number = reading.type_of(position, vehicle).survival
    aboard = cargo.everybody(position, vehicle)
    boarding = [
        unit for unit in aboard if unit.cargo.act in ENTERS
    ]  # they are not aboard yet (D5.43)
    parts = [("vehicle", vehicle), *(("prc", unit) for unit in aboard if unit not in boarding)]
    guns = (
        [vehicle.cargo.towing] if vehicle.cargo.towing is not None else _unhooked(position, vehicle)
    )
    parts += [("gun", position.unit(name)) for name in guns]
    found = [_case(unit, _lost(position, vehicle, part, unit, by, number)) for part, unit in parts]
    for unit in boarding:
        mans = unit.cargo.act == "mans"
        struck = manning_facts.shot_manning(position, unit) if mans else _of_shot(position, unit)
        facts = msgspec.structs.replace(struck[0].facts, destroyed=True)
        found.append(_case(unit, facts))
    return found


def _unhooked(position: AslPosition, vehicle: AslUnit) -> list[str]:
    """Return the Gun that is being unhooked from a vehicle."""
    return [
        unit.cargo.hitch[1]
        for unit in position.beside(vehicle.at)
        if unit.cargo.act == "unhooks" and unit.cargo.hitch[0] == vehicle.id
    ]


def _lost(
    position: AslPosition, vehicle: AslUnit, part: str, unit: AslUnit, by: str, number: int
) -> Lost:
    return Lost(
        part,
        by,
        number,
        unit.cargo.riding,
        unit.status.broken,
        own_mph=transport.is_own_mph(position, vehicle),
        shaken=unit.crew.inherent
        and (vehicle.crew.stunned or vehicle.crew.shocked or vehicle.crew.dazed),
        mp=reading.type_of(position, vehicle).mp * 2,
        used=vehicle.points.spent,
        spent=unit.points.spent,
        mph=vehicle.move.mph,
        carrier_crew=manning_facts.is_carrier_crew(position, unit, vehicle),
    )


def _of_survival(position: AslPosition, unit: AslUnit, outcome: str) -> list[Case]:
    """Return the facts of a Survival DR that came out so."""
    bypass, own = transport.is_in_bypass(position, unit), transport.is_own_mph(position, unit)
    facts = Lost(
        "prc", "fire", 0, unit.cargo.riding, unit.status.broken, outcome, bypass=bypass, own_mph=own
    )
    found = [_case(unit, facts)]
    return found + stranded(position, (unit,)) if bypass and outcome == "survives" else found


def _of_traverse(
    position: AslPosition, vehicle: AslUnit, facing: str, edition: Edition
) -> list[Case]:
    found = [_case(vehicle, transport.slew(position, vehicle, facing))]
    return found + of_turning(position, vehicle, edition, "tca")


def of_turning(
    position: AslPosition, vehicle: AslUnit, edition: Edition, how: str = "vca"
) -> list[Case]:
    """Return the facts of the Riders of a turreted AFV whose turret, or VCA, turns."""
    if not reading.type_of(position, vehicle).turret:
        return []
    riders = [unit for unit in cargo.prc(position, vehicle) if unit.cargo.riding]
    return _of_riders(position, riders, edition, how)


def of_carried(
    position: AslPosition, vehicle: AslUnit, facts: object, edition: Edition
) -> list[Case]:
    """Return the facts of those aboard a vehicle, and of the Gun it tows, as it makes a step."""
    if vehicle.facing is None or not isinstance(facts, Entry):
        return []
    found = []
    if vehicle.concealment.concealed and any(
        f.field == "concealed" for f in edition.judge(facts).forced
    ):
        loses = [unit for unit in cargo.carried_by(position, vehicle) if unit.concealment.concealed]
        found = [_case(unit, Detection(BOARDED)) for unit in loses]  # they share it (A12.2c)
    riders = [unit for unit in cargo.prc(position, vehicle) if unit.cargo.riding]
    if not riders:
        return found
    there = [_with(unit, vehicle.at) for unit in riders]
    return found + _of_riders(position, there, edition, ground=facts.ground)


def _of_riders(
    position: AslPosition,
    riders: Sequence[AslUnit],
    edition: Edition,
    by: str = "",
    ground: Ground | None = None,
) -> list[Case]:
    """Return the facts of Riders who may all bail out, and of SW that would be left alone then."""
    found = [case for unit in riders for case in _of_plunge(position, unit, edition, by, ground)]
    going = [case.units[0] for case in found if edition.judge(case.facts).forced]
    return found + _of_forsaken(position, *(unit for unit in riders if unit.id in going))


def _of_plunge(
    position: AslPosition,
    rider: AslUnit,
    edition: Edition,
    by: str = "",
    ground: Ground | None = None,
) -> list[Case]:
    """Return the facts of a Rider who may bail out, and of whose concealment that costs."""
    facts = transport.plunge(position, rider, edition, by, ground)
    found = [_case(rider, facts)]
    if facts.bypass and facts.enemies and edition.judge(facts).forced:
        found += stranded(position, (rider,))
    return found


def _with(unit: AslUnit, at: str | None) -> AslUnit:
    """Return a unit as it goes with its vehicle, wherever that is thought to be."""
    return unit if unit.at == at else msgspec.structs.replace(unit, at=at)


def of_outcome(position: AslPosition, obligation: Obligation, outcome: str) -> list[Case]:
    """Return the facts of a roll of bailing out, and of those carried by a vehicle that bogs."""
    unit = position.unit(obligation.unit)
    if obligation.clause == survival.survival.id:
        return _of_survival(position, unit, outcome)
    if riders.is_bail_roll(obligation.clause):
        roll = obligation.id.partition(":")[0]
        return [_case(unit, BailResult(roll, outcome, unit.sw))]
    check = bog.kind_of_check(obligation.clause)
    return [
        _case(other, Haul(outcome, check, unit.move.previous))
        for other in cargo.carried_by(position, unit)
    ]
