"""Facts of the end of units' MPh, by themselves or because others begin theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.judging import Case
from marchtable_models.asl.levels import level_of
from marchtable_models.asl.occasions import FIRE_OVER, MPH_OVER, MPH_START
from marchtable_models.asl.views import reading
from marchtable_models.asl.views.foot_facts import STRANDED, Detection
from marchtable_models.asl.views.steps import hexes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from marchtable.rules.clause import Finding
    from marchtable.rules.edition import Edition
    from marchtable_models.asl.model import AslPosition, AslUnit


def interrupted(position: AslPosition, units: Sequence[AslUnit], edition: Edition) -> list[Case]:
    """Return the facts of other units' MPh that end because these begin theirs."""
    if not units or units[0].move.mph != "unmoved":
        return []
    over = others_moving(position, units[0].side, [unit.id for unit in units])
    ended = endings(position, over, edition) if over else []
    fire_over = edition.subjects.ask(FIRE_OVER, [], position)
    return [*ended, *first_due(position, units[0], edition), *fire_over]


def others_moving(position: AslPosition, side: str, ids: Sequence[str]) -> list[AslUnit]:
    """Return the units whose MPh or rout these end by beginning theirs (A4.2)."""
    moving = position.notes.get("moving")
    if moving is None:
        moving = position.notes["moving"] = [u for u in position.units if u.move.mph == "moving"]
    routs = position.phase == "RtPh"
    return [unit for unit in moving if (routs or unit.side == side) and unit.id not in ids]


def ended_by(position: AslPosition, unit: AslUnit, edition: Edition) -> tuple[Finding, ...]:
    """Return the findings on units whose MPh ends as this unit begins its own; empty if begun."""
    if unit.move.mph != "unmoved":
        return ()
    known = position.notes.setdefault("ended by", {})
    key = (unit.side, edition)
    if key not in known:
        over = others_moving(position, unit.side, ())
        found = [edition.judge(case.facts) for case in endings(position, over, edition)]
        known[key] = tuple([one for one in found if not one.is_plain])
    return known[key]  # type: ignore[no-any-return]


def first_due(position: AslPosition, unit: AslUnit, edition: Edition) -> list[Case]:
    """Return the facts of units that must move first: berserk ones, then a declared Human Wave."""
    found: list[Case] = edition.subjects.ask(MPH_START, (), position, unit, edition)
    return found


def endings(
    position: AslPosition, units: Iterable[AslUnit], edition: Edition, *, ended: bool = False
) -> list[Case]:
    """
    Return the facts of MPh ends: vehicles in Motion, Infantry in Bypass, berserk units, waves.

    With `ended`, the player states the end; otherwise a wagon has stopped.
    """
    units = list(units)
    on_map = [unit for unit in units if unit.at is not None and unit.move.mph != "done"]
    round_it = [
        u
        for u in on_map
        if u.place.bypass is not None and reading.type_of(position, u).is_personnel
    ]
    return [
        *edition.subjects.ask(MPH_OVER, on_map, position, on_map, edition, ended, units),
        *(case for unit in round_it for case in stranded(position, (unit,))),
    ]


def stranded(position: AslPosition, units: Sequence[AslUnit]) -> list[Case]:
    """Return the facts of units revealed as units get off or end in Bypass (A12.151)."""
    side, at = units[0].side, units[0].at
    beside = [unit for unit in position.beside(at) if not level_of(position, unit)]
    enemies = [unit for unit in beside if unit.side != side]
    if not enemies:
        return []
    hidden = [unit for unit in (*units, *enemies) if unit.concealment.concealed]
    return [
        Case((unit.id,), Detection(STRANDED, dummy=unit.concealment.dummy), hexes(at))
        for unit in hidden
    ]
