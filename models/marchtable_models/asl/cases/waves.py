"""Which facts bear on Human Waves: as they are declared, in their Impulses, and as they end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.judging import Case
from marchtable.state.action import verb_of
from marchtable_models.asl.cases.foot import members
from marchtable_models.asl.cases.mphends import first_due
from marchtable_models.asl.extraction import lines, standings
from marchtable_models.asl.extraction.steps import hexes
from marchtable_models.asl.extraction.waves import joining, surging, wave_forming
from marchtable_models.asl.model import Enter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.edition import Edition
    from marchtable.state.position import Position
    from marchtable_models.asl.cases.ranks import Piece
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.verbs.waves import Wave

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["of_surging", "of_wave"]


def of_wave(position: AslPosition, action: Wave, edition: Edition) -> list[Case]:
    """Return the facts of units that declare a Human Wave, and of who is to move before them."""
    units, verb = members(position, action.units), verb_of(action)
    where = hexes(*dict.fromkeys(unit.at for unit in units if unit.at))
    found = [Case(action.units, wave_forming(position, units, action), where)]
    for unit in units:
        who, at = (unit.id,), hexes(unit.at)
        found.append(Case(who, standings.standing(position, unit, verb), at))
        found.append(Case(who, joining(position, unit, action), at))
    return found + first_due(position, units[0], edition)


def of_surging(
    position: AslPosition,
    line: Sequence[AslUnit],
    pieces: Sequence[Piece],
    told: int,
    edition: Edition,
) -> list[Case]:
    """
    Return the facts of each unit of a wave in an Impulse, for so many of whom a move is told.

    Who has none yet may still enter a Location that another had to.
    """
    if not line or lines.kind_of(line[0]) != "wave":
        return []
    taken = {piece.after.at for piece in pieces if isinstance(piece.act, Enter)}
    waiting = tuple(unit.id for unit in line[told:])
    return [
        Case(
            (was.id, *(name for name in waiting if name != was.id)),
            surging(position, was, piece.act, taken, edition),
            hexes(was.at, piece.after.at),
        )
        for was, piece in zip(line, pieces, strict=True)
    ]
