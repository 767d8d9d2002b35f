"""Which facts bear on mounting, dismounting and Gallop, and on those thrown off their mounts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable.errors import BadInputError
from marchtable.rules.judging import Case
from marchtable.state.action import verb_of
from marchtable.state.records import replace
from marchtable_models.asl.cases.mphends import interrupted, stranded
from marchtable_models.asl.clauses.cavalry.gallop import WRECKED
from marchtable_models.asl.extraction import foot as foot_facts
from marchtable_models.asl.extraction import mounts as mounts
from marchtable_models.asl.extraction import movers, purse, reading, standings
from marchtable_models.asl.extraction import stacks as stack_facts
from marchtable_models.asl.extraction.cargo import carried_by, everybody
from marchtable_models.asl.extraction.transport import plunge
from marchtable_models.asl.facts.aboard import Lost
from marchtable_models.asl.facts.mounts import Spilled, Unhorsed, Unseated
from marchtable_models.asl.facts.outcomes import WreckResult
from marchtable_models.asl.verbs.mounts import Combine, Dismount, Gallop, Mount, Split

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.edition import Edition
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.verbs.happenings import Befall

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["of_blow", "of_mounts", "of_wreck"]


def of_mounts(
    position: AslPosition, action: Mount | Dismount | Gallop | Split | Combine, edition: Edition
) -> list[Case]:
    """Return the facts that bear on a verb of horses, motorcycles and wagons."""
    if isinstance(action, Mount):
        if not action.units:
            raise BadInputError("expected at least one unit", field="units")
        return _of_mounting(position, action, edition)
    unit = position.unit(action.unit)
    if isinstance(action, Dismount):
        return _of_dismounting(position, unit, edition)
    if isinstance(action, Combine | Split) and reading.type_of(position, unit).class_ == "wagon":
        to = position.unit(action.to) if isinstance(action, Combine) else None
        return [_case(unit, mounts.yoking(position, unit, to))]
    if isinstance(action, Split):
        return _of_splitting(position, unit, edition)
    if isinstance(action, Combine):
        other = position.unit(action.to)
        return [_case(unit, mounts.combining(position, unit, other))]
    return [
        _case(unit, standings.standing(position, unit, "gallop")),
        _case(unit, foot_facts.declaration(position, unit, "gallop")),
    ]


def _case(unit: AslUnit, facts: object) -> Case:
    return Case((unit.id,), facts, () if unit.at is None else (unit.at,))


def _of_mounting(position: AslPosition, action: Mount, edition: Edition) -> list[Case]:
    onto, units = position.unit(action.onto), [position.unit(name) for name in action.units]
    found = [_case(unit, standings.standing(position, unit, "mount")) for unit in (*units, onto)]
    if len(units) > 1:
        found.append(Case(action.units, stack_facts.group(position, units, verb_of(action))))
    spent = []
    for unit in units:
        facts = mounts.mounting(position, unit, onto, action.units)
        found.append(_case(unit, facts))
        due = purse.due(position, unit, facts, edition.judge(facts), edition)
        spent.append(due.spent + due.cost)
    if reading.type_of(position, onto).mounts:
        found.append(_whole(position, "mount", onto, units, max(spent), edition))
    return found + interrupted(position, [*units, onto], edition)


def _whole(
    position: AslPosition,
    verb: str,
    onto: AslUnit,
    units: Sequence[AslUnit],
    most: int,
    edition: Edition,
) -> Case:
    facts = mounts.ridden(position, verb, onto, units, most, edition)
    return Case((onto.id, *(unit.id for unit in units)), facts, () if not onto.at else (onto.at,))


def _of_dismounting(position: AslPosition, mount: AslUnit, edition: Edition) -> list[Case]:
    riders = movers.riders_of(position, mount)
    found = [_case(mount, standings.standing(position, mount, "dismount"))]
    spent = [0]
    for unit in riders:
        standing = standings.standing(position, unit, "dismount")
        found.append(_case(unit, replace(standing, mph=mount.move.mph)))
        facts = mounts.dismounting(position, mount, edition)
        found.append(_case(unit, facts))
        spent.append(unit.points.spent + edition.judge(facts).total)
    found.append(_whole(position, "dismount", mount, riders, max(spent), edition))
    return found + interrupted(position, [mount, *riders], edition)


def _of_splitting(position: AslPosition, unit: AslUnit, edition: Edition) -> list[Case]:
    facts = mounts.splitting(position, unit)
    standing = standings.standing(position, unit, "split")
    if not facts.rides or unit.cargo.aboard is None:
        return [_case(unit, standing), _case(unit, facts)]
    mount = position.unit(unit.cargo.aboard)
    return [
        _case(mount, standings.standing(position, mount, "split")),
        _case(unit, replace(standing, mph=mount.move.mph)),
        _case(unit, facts),
        *interrupted(position, [mount, unit], edition),
    ]


def of_blow(position: AslPosition, event: Befall, edition: Edition) -> list[Case]:
    """Return the facts of a rider who is struck, and of the counter he rides; none for others."""
    unit = position.unit(event.unit)
    if reading.type_of(position, unit).mounts and movers.riders_of(position, unit):
        if event.what in ("pinned", "broken", "eliminated"):
            raise BadInputError(
                f"{unit.id}: expected the unit that rides it, as men are struck", field="unit"
            )
        return []
    kind = reading.type_of(position, unit)
    if kind.riders and event.what == "broken":
        one = Unhorsed(event.what, kind.class_ == "cavalry", others=False, whole=True)
        return [_case(unit, one)]
    found = mounts.unhorsed(position, unit, event.what)
    if found is None:
        return []
    mount, facts = found
    cases = [_case(mount, facts)]
    if event.what == "broken" and facts.horses:
        fall = plunge(position, unit, edition, "broken")
        cases.append(_case(unit, msgspec.structs.replace(fall, rider=True)))
    return cases


def of_wreck(position: AslPosition, unit: AslUnit, outcome: str) -> list[Case]:
    """Return the facts of a Wreck Check that came out so, and of those who ride or are carried."""
    kind = reading.type_of(position, unit)
    has_riders = kind.mounts > 0
    found = [_case(unit, WreckResult(outcome, wagon=kind.class_ == "wagon", told=has_riders))]
    if has_riders:
        return found + [_case(rider, Unseated(outcome)) for rider in carried_by(position, unit)]
    passengers, bypass = everybody(position, unit), unit.place.bypass is not None
    for one in passengers:
        unbreakable = reading.type_of(position, one).never_pinned or one.status.berserk
        found.append(_case(one, Spilled(outcome, one.sw, bypass, unbreakable)))
    if outcome != WRECKED:
        return found
    if unit.cargo.towing is not None:
        gun = Lost("gun", "fire", 0, riding=False, broken=False)
        found.append(_case(position.unit(unit.cargo.towing), gun))
    return found + stranded(position, passengers) if bypass and passengers else found
