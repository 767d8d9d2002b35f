"""Reads off a position how a Convoy parts where a Gap appears, and why a vehicle may leave it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.extraction.lines import has_leavers, origin_of
from marchtable_models.asl.extraction.lookout import (
    has_los,
    is_computed,
    known_enemies,
    of_any,
    unclear,
)
from marchtable_models.asl.extraction.unitkinds import crew_morale, type_of
from marchtable_models.asl.facts.lines import Leaving, Parted
from marchtable_models.asl.facts.los import best

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from marchtable.state.position import Position
    from marchtable_models.asl.facts.los import Los
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["last_of_line", "leaving", "might_have_reason", "parted", "platoon_mates"]


def parted(
    position: AslPosition,
    line: Sequence[AslUnit],
    *,
    lost: Collection[str] = (),
    leads: Collection[str] = (),
    gone: Collection[str] = (),
    willing: bool = False,
    begun: bool | None = None,
) -> list[tuple[str, Parted]]:
    """
    Return the facts of each vehicle of a Convoy in which Gaps appear.

    Parameters
    ----------
    position
        Where the Convoy stands.
    line
        Its vehicles, from the front.
    lost
        Those lost to it: each leaves a Gap where it was.
    leads
        Those who lead a part of their own: each has a Gap before it.
    gone
        Those who leave the map as it parts.
    willing
        Whether that is their own will.
    begun
        Whether an Impulse has been completed this MPh, if that is not to be seen yet.
    """
    if begun is None:
        begun = any(unit.points.spent or unit.move.mph == "done" for unit in line)
    found = [
        (unit.id, _one(unit, lost=True, alone=True, begun=begun, willing=willing))
        for unit in line
        if unit.id in lost
    ]
    names, ahead = _names(position, line), line[0].line.behind
    parts = ([u for u in part if u.id not in gone] for part in _parts(line, lost, leads))
    for part in filter(None, parts):
        name, alone = next(names), len(part) == 1
        at_will = willing and part[0].id in leads
        if alone or name != line[0].line.convoy:
            found += [
                (u.id, _one(u, alone=alone, name=name, ahead=ahead, begun=begun, willing=at_will,
                            leads=at_will and u is part[0]))
                for u in part
            ]  # fmt: skip
        ahead = name
    return found


def _one(
    unit: AslUnit,
    *,
    alone: bool,
    begun: bool,
    willing: bool,
    lost: bool = False,
    name: str = "",
    ahead: str = "",
    leads: bool = False,
) -> Parted:
    return Parted(
        lost, alone, name, ahead, begun, willing, leads,
        tows=unit.cargo.towing is not None, origin=origin_of(unit),
    )  # fmt: skip


def last_of_line(unit: AslUnit) -> Parted:
    """Return the facts of the one vehicle left of a Convoy whose others have left the map."""
    return _one(unit, alone=True, begun=True, willing=False, name=unit.line.convoy)


def _parts(
    line: Sequence[AslUnit], lost: Collection[str], leads: Collection[str]
) -> list[list[AslUnit]]:
    parts: list[list[AslUnit]] = [[]]
    for unit in line:
        if unit.id in lost:
            parts.append([])
        elif unit.id in leads:
            parts.append([unit])
        else:
            parts[-1].append(unit)
    return [part for part in parts if part]


def _names(position: AslPosition, line: Sequence[AslUnit]) -> Iterator[str]:
    """Yield the Convoy's own name for its first part, then names not in use."""
    yield line[0].line.convoy
    known = {name for unit in position.units for name in (unit.line.convoy, unit.line.behind)}
    number = 2
    while True:
        if (name := f"{origin_of(line[0])}.{number}") not in known:
            yield name
        number += 1


def leaving(
    position: AslPosition,
    unit: AslUnit,
    *,
    declared: bool = False,
    alone: bool = False,
    idle: bool = False,
) -> Leaving:
    """Return why a vehicle might leave its Convoy."""
    kind = type_of(position, unit)
    convoy = origin_of(unit)
    enemy, attacked, lost = _sees(position, unit, convoy)
    radio: Los = "no"
    if kind.afv and kind.radio:
        radio = best(
            los
            for other in position.units
            if _tells_by_radio(position, unit, other)
            for los in (*_sees(position, other, convoy), _sees_column(position, other))
        )
    column = _sees_column(position, unit)
    found = (enemy, attacked, lost, radio, column)
    unstated = "unsure" in found or (
        declared and not is_computed(position) and might_have_reason(position, unit)
    )
    return Leaving(
        convoy=unit.line.convoy != "",
        column=unit.line.column != "",
        declared=declared,
        unstated=unstated,
        idle=idle,
        alone=alone,
        morale=crew_morale(position, unit),
        drm=int(unit.crew.dazed),
        checked=unit.motion.check != "",
        sees_column=column == "yes",
        leavers=has_leavers(position, unit),
        sees_enemy=enemy == "yes",
        sees_attacked=attacked == "yes",
        sees_lost=lost == "yes",
        radio_sees=radio == "yes",
        recalled=unit.crew.recalled,
        radioless=kind.afv and not kind.radio,
        platoon=unit.line.platoon != "",
        mates_ahead=_has_mates_ahead(position, unit),
        begun=unit.move.mph != "unmoved",
    )


def might_have_reason(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a vehicle would have a reason to leave its Convoy if it saw all whose sight is not stated."""
    convoy, kind = origin_of(unit), type_of(position, unit)
    lost = not unit.concealment.sees and any(
        has_los(position, unit, other) == "untold"
        for other in position.units
        if other.id != unit.id
        and (other.line.attacked or other.line.fallen)
        and other.side == unit.side
        and origin_of(other) == convoy
    )
    return lost or any(
        unclear(position, other)
        for other in position.units
        if other.id == unit.id
        or (kind.afv and kind.radio and _tells_by_radio(position, unit, other))
    )


def _tells_by_radio(position: AslPosition, unit: AslUnit, other: AslUnit) -> bool:
    """Return whether another AFV with a radio can say what it sees (E11.251)."""
    kind, crew = type_of(position, other), other.crew
    fit = not (crew.stunned or crew.shocked or crew.abandoned)
    return other.id != unit.id and other.side == unit.side and fit and kind.afv and kind.radio


def _has_mates_ahead(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether AFV of a unit's platoon are ahead of it in its Convoy."""
    own = (unit.side, unit.line.convoy, unit.line.platoon)
    return bool(unit.line.convoy and unit.line.platoon) and any(
        (u.side, u.line.convoy, u.line.platoon) == own and u.line.rank < unit.line.rank
        for u in position.units
    )


def platoon_mates(position: AslPosition, unit: AslUnit) -> list[str]:
    """Return who leaves a Convoy with a vehicle: the platoon of an AFV without a radio."""
    kind = type_of(position, unit)
    if not (unit.line.convoy and unit.line.platoon and kind.afv) or kind.radio:
        return []
    return [
        u.id
        for u in position.units
        if u.id != unit.id
        and (u.side, u.line.convoy, u.line.platoon)
        == (unit.side, unit.line.convoy, unit.line.platoon)
    ]


def _sees_column(position: AslPosition, unit: AslUnit) -> Los:
    """Find whether a unit sees a Known enemy unit that is in a Column."""
    lined = [one for one in known_enemies(position, unit) if one.line.column]
    return of_any(position, [unit], lined)


def _sees(position: AslPosition, unit: AslUnit, convoy: str) -> tuple[Los, Los, Los]:
    """Find whether a unit, or its PRC, sees a Known enemy, and vehicles of a Convoy attacked or lost."""
    prc = [u for u in position.beside(unit.at) if u.cargo.aboard == unit.id] if unit.at else []
    eyes = (unit, *prc)
    enemies = [one for one in known_enemies(position, unit) if not one.line.column]
    mates = [u for u in position.units if convoy and u.side == unit.side and origin_of(u) == convoy]
    attacked, lost = (
        "yes" if any(one.id == unit.id for one in those) else of_any(position, eyes, those)
        for those in (
            [one for one in mates if one.line.attacked], [one for one in mates if one.line.fallen],
        )
    )  # fmt: skip
    return of_any(position, eyes, enemies), attacked, lost
