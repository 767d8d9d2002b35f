"""
What a unit is entitled to, or others are against it, at any moment, beside its actions.

The clauses look at a :class:`Moment` and write with :func:`grant` and :func:`deny`; what is said
last of something holds, and all who spoke of it are named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.clause import clause
from marchtable_models.asl.data import count
from marchtable_models.asl.footsurvey import moment

if TYPE_CHECKING:
    from marchtable.clause import Sheet
    from marchtable.edition import Edition
    from marchtable.position import Position
    from marchtable_models.asl.footfacts import Moment
    from marchtable_models.asl.model import AslConditions, AslUnit

__all__ = [
    "beside_its_afv",
    "deny",
    "fire_at_movers",
    "fire_in_the_open",
    "grant",
    "hazardous",
    "of",
]

FFNAM, FFMO, HAZARDOUS = "FFNAM", "FFMO", "Hazardous Movement"


def grant(sheet: Sheet, what: str, factor: float) -> None:
    """Say that something is allowed, with the DRM or the factor that goes with it."""
    sheet.force(what, factor)


def deny(sheet: Sheet, what: str) -> None:
    """Say that something is not allowed."""
    sheet.force(what, None)


def of(
    position: Position[AslUnit, AslConditions], unit: AslUnit, edition: Edition
) -> list[dict[str, Any]]:
    """Return what clauses say of the unit: ``what``, ``allowed``, ``factor`` and ``clauses``."""
    if unit.at is None:
        return []
    found: dict[str, dict[str, Any]] = {}
    for said in edition.judge(moment(position, unit)).forced:
        entry = found.setdefault(said.field, {"what": said.field, "clauses": []})
        entry["allowed"], entry["factor"] = said.value is not None, said.value
        entry["clauses"].append(said.clause)
    return list(found.values())


@clause(
    "A4.6a", "Infantry that moves, but for Assault Movement, is fired at with FFNAM", kind="state"
)
def fire_at_movers(facts: Moment, sheet: Sheet) -> None:
    if facts.kind == "foot" and facts.moved:
        if facts.assault:
            deny(sheet, FFNAM)
        else:
            grant(sheet, FFNAM, count("A4.6", "ffnam"))


@clause(
    "A4.6b",
    "Infantry that moves with neither TEM nor Hindrance is fired at with FFMO",
    kind="state",
)
def fire_in_the_open(facts: Moment, sheet: Sheet) -> None:
    if facts.kind == "foot" and facts.moved:
        if facts.in_open and not facts.sheltered:
            grant(sheet, FFMO, count("A4.6", "ffmo"))
        else:
            deny(sheet, FFMO)


@clause("D9.31e", "Infantry that moves with an AFV is not fired at with FFMO", kind="state")
def beside_its_afv(facts: Moment, sheet: Sheet) -> None:
    if facts.moved and facts.escorted and sheet.reading("D9.31e") == "sheltered":
        deny(sheet, FFMO)


@clause("A4.62a", "Hazardous Movement gives its own DRM in place of FFNAM and FFMO", kind="state")
def hazardous(facts: Moment, sheet: Sheet) -> None:
    if facts.kind == "foot" and facts.hazardous and not facts.pinned:
        if facts.moved:
            deny(sheet, FFNAM)
            deny(sheet, FFMO)
        grant(sheet, HAZARDOUS, count("A4.62", "drm"))
