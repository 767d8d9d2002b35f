"""Which facts bear on a move: on each unit, on those that move together, on those that moved before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.errors import BadInputError
from marchtable.rules.rulebook import Case
from marchtable_models.valor.extraction import fights, hexmates, moves
from marchtable_models.valor.facts.assaults import Overrunning
from marchtable_models.valor.facts.errands import Leaving
from marchtable_models.valor.facts.moves import Step, Turning
from marchtable_models.valor.orders import Advance, Enter, Moved, Turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.clause import Finding
    from marchtable.rules.edition import Edition
    from marchtable_models.valor.extraction.reading import ValorPosition
    from marchtable_models.valor.facts.moves import Payment
    from marchtable_models.valor.model import ValorUnit

__all__ = ["cases_of", "payments"]

PAID = (Step, Turning, Overrunning, Leaving)
"""Facts of what is paid for in MP."""


def cases_of(position: ValorPosition, action: Enter | Turn | Advance | Moved) -> list[Case]:
    """Return the facts that bear on a move; raises BadInputError if nobody is to move."""
    names = action.units if isinstance(action, Enter | Moved) else (action.unit,)
    if not names:
        raise BadInputError("expected at least one unit", field="units")
    movers = [position.unit(name) for name in names]
    if isinstance(action, Moved):
        return [_march(position, unit, told=True) for unit in movers]
    found = [case for unit in movers for case in _of_unit(position, unit, action)]
    if isinstance(action, Enter):
        found.append(Case(names, moves.company(position, movers), _hexes(movers[0])))
        to = position.board.resolve(action.to)
        if fights.lanes_at(position, to):
            found.append(Case(names, fights.swept(position, movers, to), (to,)))
    if position.phase == "Movement" and not any(unit.moving for unit in movers):
        found += [
            Case(names, stack, (at,))
            for at, stack in moves.unended(position, movers[0].side, names)
        ]
    return found


def _hexes(unit: ValorUnit) -> tuple[str, ...]:
    return (unit.at,) if unit.at is not None else ()


def _march(position: ValorPosition, unit: ValorUnit, *, told: bool = False) -> Case:
    return Case((unit.id,), hexmates.march(position, unit, told=told), _hexes(unit))


def _of_unit(
    position: ValorPosition, unit: ValorUnit, action: Enter | Turn | Advance
) -> list[Case]:
    """Return the facts of one unit that moves; of one off the map there are no others."""
    who = (unit.id,)
    verb = type(action).__struct_config__.tag
    found = [Case(who, moves.mobile(position, unit, str(verb)), _hexes(unit))]
    if unit.at is None and not (unit.entering and isinstance(action, Enter)):
        return found
    found.append(_march(position, unit))
    if isinstance(action, Turn):
        return [*found, Case(who, moves.turning(position, unit, action.facing), _hexes(unit))]
    to = position.board.resolve(action.to)
    assault = isinstance(action, Enter) and action.assault
    facts = moves.step(position, unit, to, str(verb), assault=assault)
    return [*found, Case(who, facts, (*_hexes(unit), to))]


def payments(
    position: ValorPosition, cases: Sequence[Case], findings: Sequence[Finding], edition: Edition
) -> list[Payment | None]:
    """Return the facts of paying for each case; units that move together pay each its own."""
    party = tuple(case.units[0] for case in cases if isinstance(case.facts, Step | Leaving))
    paid: dict[str, int] = {}
    found: list[Payment | None] = []
    for case, finding in zip(cases, findings, strict=True):
        facts = case.facts
        if position.phase != "Movement" or not isinstance(facts, PAID):
            found.append(None)
            continue
        unit = position.unit(case.units[0])
        allotted = moves.allotment(
            position, unit, edition, party, assault=isinstance(facts, Step) and facts.assault
        )
        spent = unit.spent + paid.get(unit.id, 0)
        found.append(moves.payment(unit, finding, allotted, spent, facts))
        paid[unit.id] = paid.get(unit.id, 0) + finding.total
    return found
