"""Stacks (A4.2): units that move together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from marchtable.errors import BadInputError
from marchtable.rules.facts import Case, Facts, Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.views.reading import type_of
from marchtable_models.asl.views.standing import standing_of
from marchtable_models.asl.views.steps import hexes


class Group(Facts, frozen=True, gc=False):
    """
    Units about to enter as one stack.

    ``with_afv``: Personnel around one AFV. ``needed``: of the units making a Minimum Move, at least
    one cannot pay. With an AFV: ``infantry`` (all others are), ``beneath`` (they began the MPh in
    its Location and moved only with it), ``platoon`` (it is in one); ``manner`` names an unusual
    way: ``minimum``, ``bypass`` or ``night``.
    """

    size: int
    distinct: bool
    one_place: bool
    all_foot: bool
    one_side: bool
    phases: tuple[str, ...]
    with_afv: bool = False
    needed: bool = True
    infantry: bool = True
    beneath: bool = True
    manner: str = ""
    platoon: bool = False


def members(position: AslPosition, ids: Sequence[str]) -> list[AslUnit]:
    """Return the units that act together; raises BadInputError if there are none."""
    if not ids:
        raise BadInputError("expected at least one unit", field="units")
    return [position.unit(name) for name in ids]


def stack_facts(
    position: AslPosition, units: Sequence[AslUnit], verb: str, facts_of: Callable[[AslUnit], Any]
) -> list[Case]:
    """Return the facts on whether units can act, and as a stack if several, and each one's own."""
    found = list[Case]()
    if len(units) > 1:
        together = group(position, units, verb)
        found.append(Case(tuple(unit.id for unit in units), together, hexes(units[0].at)))
    for unit in units:
        who, where = (unit.id,), hexes(unit.at)
        found.append(Case(who, standing_of(position, unit, verb), where))
        found.append(Case(who, facts_of(unit), where))
    return found


def group(
    position: AslPosition, units: Sequence[AslUnit], verb: str, *, needed: bool = True
) -> Group:
    """Return the facts of units entering together; a Gun would be pushed along (C10.3)."""
    kinds = [type_of(position, unit) for unit in units]
    afv = afv_of(position, units)
    with_it = [unit for unit in units if unit is not afv]
    return Group(
        size=len(units),
        distinct=len({unit.id for unit in units}) == len(units),
        one_place=len({(unit.at, unit.place.inside, unit.place.floor) for unit in units})
        == len({u.place.bypass for u in with_it})
        == 1,
        all_foot=all([kind.is_personnel or kind.class_ == "gun" for kind in kinds]),  # noqa: C419
        one_side=len({unit.side for unit in units}) == 1,
        phases=tuple(
            sorted({unit.move.mph for unit in with_it})
        ),  # the AFV can have started before
        with_afv=afv is not None,
        needed=needed,
        infantry=all(type_of(position, unit).is_infantry for unit in with_it),
        beneath=afv is None or _is_beneath(afv, with_it),
        manner=_manner(position, units, verb),
        platoon=afv is not None and afv.line.platoon != "",
    )


def afv_of(position: AslPosition, units: Sequence[AslUnit]) -> AslUnit | None:
    """Return the AFV of a stack of Personnel around one AFV."""
    found: AslUnit | None = None
    for unit in units:
        if not type_of(position, unit).is_personnel:
            if found is not None:
                return None
            found = unit
    return found if found is not None and type_of(position, found).afv else None


def _is_beneath(afv: AslUnit, infantry: Sequence[AslUnit]) -> bool:
    """Return whether all began the MPh in the AFV's Location and moved only with it."""
    if afv.move.armored is not None:
        apart = {one.unit for one in afv.move.escorted if one.apart}
        return all(u.move.armored == afv.id and u.id not in apart for u in infantry)
    return all(
        unit.move.previous is None and unit.move.armored is None and not unit.cargo.conveyed
        for unit in (afv, *infantry)
    )


def _manner(position: AslPosition, units: Sequence[AslUnit], verb: str) -> str:
    if position.conditions.night:
        return "night"
    round_it = verb in ("bypass", "into") or any(unit.place.bypass is not None for unit in units)
    return "bypass" if round_it else "minimum" if verb == "minimum" else ""


@clause("A4.2b", kind="action", composes="joint")
def stack_moves(facts: Group, sheet: Sheet) -> None:
    """Only Infantry in one Location moves as a stack, all in one MPh."""
    if not facts.distinct:
        sheet.bar("a unit is named twice")
    if not facts.one_place or not facts.one_side:
        sheet.bar("all units of a stack must be of one side and in one Location")
    if facts.size > 1 and not facts.all_foot and not facts.with_afv:
        sheet.bar("only Infantry moves as a stack", 1, facts.size)
    if len(facts.phases) > 1:
        sheet.bar("units that have moved separately, or not yet, cannot join the stack")


@clause("A4.134c", kind="action", composes="joint")
def minimum_move_in_stack(facts: Group, sheet: Sheet) -> None:
    """A stack makes a Minimum Move only if a unit cannot pay; the others pay as usual."""
    if not facts.needed:
        sheet.bar("every unit of the stack can pay for the entry")
