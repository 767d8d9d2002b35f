"""Which facts bear on rout and surrender."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from marchtable.rules.judging import Case
from marchtable.state.action import verb_of
from marchtable_models.asl.extraction import purse, reading
from marchtable_models.asl.extraction.adjacency import spot_of
from marchtable_models.asl.extraction.cargo import captives
from marchtable_models.asl.extraction.foot import shelter
from marchtable_models.asl.extraction.movers import party
from marchtable_models.asl.extraction.prisoners import handed, unguarded
from marchtable_models.asl.extraction.routing import Aside, escorting, routing, surrendering
from marchtable_models.asl.extraction.steps import hexes
from marchtable_models.asl.model import Enter
from marchtable_models.asl.verbs.foot import GetBeneath, Rout, Shift, Stairs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.edition import Edition
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.verbs.foot import Surrender

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["of_rout", "of_rout_aside", "of_surrender", "routs_aside", "unguarded_by"]


def of_rout(position: AslPosition, action: Rout, edition: Edition) -> list[Case]:
    """Return the facts of a unit that routs: of its rout, and of its entry, which costs what it does."""
    unit, to = position.unit(action.unit), position.board.resolve(action.to)
    leaders = [position.unit(name) for name in action.leaders]
    left = purse.allotment(position, unit, edition) - unit.points.spent
    facts, where = routing(position, unit, action, edition, left), hexes(unit.at, to)
    found = [Case((unit.id,), facts, where)]
    found += [Case((one.id, unit.id), escorting(position, unit, one), where) for one in leaders]
    if facts.step:
        stack = party(position, (unit, *leaders))
        way = Enter(
            stack.ids, to, half=action.half, beneath=action.beneath, off_road=action.off_road
        )
        for one in stack.units:
            step = reading.entry(position, one, to, stack, way)
            found.append(Case((one.id,), step, where))
    return found


def routs_aside(position: AslPosition, units: Sequence[AslUnit]) -> bool:
    """Return whether what units do in their hex is a rout: they are broken, and it is the RtPh."""
    first = units[0]
    return position.phase == "RtPh" and first.status.broken and first.at is not None


def of_rout_aside(
    position: AslPosition, action: Shift | GetBeneath | Stairs, edition: Edition
) -> list[Case]:
    """Return the facts of a broken unit that routs in its own hex."""
    found = list[Case]()
    units = [position.unit(name) for name in action.units]
    for unit in units:
        who, where = (unit.id,), hexes(unit.at)
        left = purse.allotment(position, unit, edition) - unit.points.spent
        rout, aside = Rout(unit.id, str(unit.at)), _aside(unit, action)
        facts = routing(position, unit, rout, edition, left, aside)
        found.append(Case(who, replace(facts, alone=len(units) == 1), where))
        if isinstance(action, Stairs):
            step = reading.stairs(position, unit, party(position, units), action)
            found.append(Case(who, step, where))
        else:
            wire, to = isinstance(action, GetBeneath), getattr(action, "to", "beneath")
            found.append(Case(who, shelter(position, unit, units, to, wire=wire), where))
    return found


def _aside(unit: AslUnit, action: Shift | GetBeneath | Stairs) -> Aside:
    floor = spot_of(unit).floor
    if not isinstance(action, Stairs):
        return Aside("wire" if isinstance(action, GetBeneath) else "shelter", floor)
    return Aside("stairs", None if floor is None else floor + (1 if action.to == "up" else -1))


def of_surrender(position: AslPosition, action: Surrender, edition: Edition) -> list[Case]:
    """Return the facts of a unit that surrenders."""
    unit = position.unit(action.unit)
    left = purse.allotment(position, unit, edition) - unit.points.spent
    facts, who = surrendering(position, unit, action, edition, left), (unit.id, action.to)
    to = position.unit(action.to)
    kept = handed(position, verb_of(action), unit, to, to)
    found = [Case(who, facts, hexes(unit.at)), Case(who, kept, hexes(unit.at))]
    return found + unguarded_by(position, unit)


def unguarded_by(position: AslPosition, guard: AslUnit) -> list[Case]:
    """Return the facts of prisoners whose Guard is eliminated, or captured himself."""
    return [
        Case((each.id,), unguarded(position, each, guard), hexes(each.at))
        for each in captives(position).get(guard.id, ())
    ]
