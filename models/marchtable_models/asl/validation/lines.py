"""What Convoys, Columns and platoons must be as a scene gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.errors import BadInputError
from marchtable_models.asl.extraction import lines
from marchtable_models.asl.occasions import SET_UP

if TYPE_CHECKING:
    from marchtable.rules.edition import Edition
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["check_lines"]


def check_lines(position: AslPosition, edition: Edition) -> None:
    """Raise BadInputError for a line that cannot be, naming its first unit and the clause."""
    seen: set[str] = set()
    for number, unit in enumerate(position.units):
        if unit.line.convoy and unit.line.column:
            raise BadInputError(
                f"{unit.id}: a unit is in a Convoy or in a Column, not in both (E11.1a); leave column or convoy out",
                field=f"units[{number}].column",
            )
        kind = lines.kind_of(unit)
        if unit.id in seen or not kind:
            continue
        line = lines.members(position, unit)
        if all(u.offboard.exited for u in line):
            continue
        seen.update(u.id for u in line)
        judged = edition.subjects.ask(SET_UP, line, position, line)
        for bar in [bar for case in judged for bar in edition.judge(case.facts).bars]:
            raise BadInputError(
                f"{kind} {getattr(unit.line, kind)!r}: {bar.note} ({bar.clause})",
                field=f"units[{number}].{kind}",
            )
