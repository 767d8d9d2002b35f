"""
A unit's entitlements, and those of others against it, at any moment, besides its actions.

The clauses read a :class:`Moment`, :class:`Mounted` or :class:`Carriage` and record through
:mod:`marchtable_models.asl.grants`; the last statement counts, and all clauses that made one are
named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable_models.asl.reporting import convoys, crewrights, rooms
from marchtable_models.asl.rules.carriers import carriage
from marchtable_models.asl.rules.passengers import mounted
from marchtable_models.asl.rules.under_fire import moment

if TYPE_CHECKING:
    from marchtable.rules.edition import Edition
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit


def of(
    position: Position[AslUnit, AslConditions], unit: AslUnit, edition: Edition, rule: rooms.Rule
) -> list[dict[str, Any]]:
    """
    Return the clauses' statements on the unit: ``what``, ``allowed``, ``factor`` and ``clauses``.

    `rule` is the rulebook's, and judges possible actions.
    """
    found: dict[str, dict[str, Any]] = {}
    about = None if unit.at is None else moment(position, unit)
    for facts in (about, mounted(position, unit), carriage(position, unit)):
        for said in () if facts is None else edition.judge(facts).forced:
            entry = found.setdefault(said.field, {"what": said.field, "clauses": []})
            entry["allowed"], entry["factor"] = said.value is not None, said.value
            if said.clause not in entry["clauses"]:
                entry["clauses"].append(said.clause)
    asked = (
        *rooms.rooms(position, unit, edition, rule),
        *crewrights.rights(position, unit, rule),
    )
    return [*found.values(), *asked, *convoys.leave_to_go(position, unit, edition)]
