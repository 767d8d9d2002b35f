"""What Convoys, Columns and platoons must be as a scene gives them."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from marchtable.errors import BadInputError
from marchtable_models.asl.extraction import lines
from marchtable_models.asl.extraction.reading import type_of
from marchtable_models.asl.facts.lines import Formation
from marchtable_models.asl.rules import columns, platoons
from marchtable_models.asl.weapons import can_be_dm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.edition import Edition
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["check_lines", "formation"]


def check_lines(position: AslPosition, edition: Edition) -> None:
    """Raise BadInputError for a line that cannot be, naming its first unit and the clause."""
    seen: set[str] = set()
    for number, unit in enumerate(position.units):
        if unit.line.convoy and unit.line.column:
            raise BadInputError(
                f"{unit.id}: a unit is in a Convoy or in a Column, not in both (E11.1a); leave column or convoy out",
                field=f"units[{number}].column",
            )
        if unit.id in seen or not lines.kind_of(unit):
            continue
        line = lines.members(position, unit)
        if all(u.offboard.exited for u in line):
            continue
        seen.update(u.id for u in line)
        judged = [formation(position, line), *(c.facts for c in platoons.mates(position, line))]
        for bar in [bar for facts in judged for bar in edition.judge(facts).bars]:
            kind = lines.kind_of(unit)
            raise BadInputError(
                f"{kind} {getattr(unit.line, kind)!r}: {bar.note} ({bar.clause})",
                field=f"units[{number}].{kind}",
            )


def formation(position: AslPosition, line: Sequence[AslUnit]) -> Formation:
    """Return the facts of a line as it stands."""
    kind = lines.kind_of(line[0])
    places = Counter(unit.at for unit in line if unit.at is not None)
    return Formation(
        kind=kind,
        members=len(line),
        hexes=len(places) + len({unit.line.rank for unit in line if unit.at is None}),
        misfits=sum(not _fits(position, unit, kind) for unit in line),
        widest=max((lines.link(position, a.at, b).distance for a, b in pairwise(line)), default=0),
        most=max(places.values(), default=0),
        fresh=all(unit.move.mph == "unmoved" for unit in line),
        assembled=sum(can_be_dm(w) and not w.dm for u in line if u.facing is None for w in u.sw),
        concealed=sum(unit.concealment.concealed for unit in line),
        ranks=len({unit.line.rank for unit in line}),
        stuck=sum(unit.motion.bogged or unit.motion.immobile for unit in line),
        moving=lines.in_motion(line, between=True),
        blast=columns.distance_to_blast(position, line) if kind == "column" else None,
        overtaken=any(a.at is None and b.at is not None for a, b in pairwise(line)),
        lost=tuple([u.id for u in line if u.crew.recalled or lines.is_immobile(u)])
        if kind == "platoon"
        else (),
    )


def _fits(position: AslPosition, unit: AslUnit, kind: str) -> bool:
    what = type_of(position, unit)
    if kind == "column":
        return what.is_personnel or what.class_ == "wagon"
    if what.class_ == "wagon":
        return False  # it has no motor
    return what.is_vehicle and (kind == "convoy" or what.afv)
