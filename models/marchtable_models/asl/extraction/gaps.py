"""Reads off a position how a Convoy parts where a Gap appears, and why a vehicle may leave it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.extraction.lines import has_leavers, origin_of
from marchtable_models.asl.extraction.unitkinds import (
    crew_morale,
    is_known_enemy,
    seen_by,
    type_of,
    unstated,
)
from marchtable_models.asl.facts.lines import Leaving, Parted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["last_of_line", "leaving", "might_have_reason", "parted", "platoon_mates"]


def parted(
    position: AslPosition,
    line: Sequence[AslUnit],
    *,
    lost: Collection[str] = (),
    leads: Collection[str] = (),
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
    for part in _parts(line, lost, leads):
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
    radio = kind.afv and kind.radio and any(
        any(_sees(position, other, convoy)) or _sees_column(position, other)
        for other in position.units
        if _tells_by_radio(position, unit, other)
    )  # fmt: skip
    return Leaving(
        convoy=unit.line.convoy != "",
        column=unit.line.column != "",
        declared=declared,
        unstated=declared and might_have_reason(position, unit),
        idle=idle,
        alone=alone,
        morale=crew_morale(position, unit),
        drm=int(unit.crew.dazed),
        checked=unit.motion.check != "",
        sees_column=_sees_column(position, unit),
        leavers=has_leavers(position, unit),
        sees_enemy=enemy,
        sees_attacked=attacked,
        sees_lost=lost,
        radio_sees=radio,
        recalled=unit.crew.recalled,
        radioless=kind.afv and not kind.radio,
        platoon=unit.line.platoon != "",
        mates_ahead=_has_mates_ahead(position, unit),
        begun=unit.move.mph != "unmoved",
    )


def might_have_reason(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a vehicle would have a reason to leave its Convoy if it saw all units on the map."""
    convoy, kind = origin_of(unit), type_of(position, unit)
    lost = not unit.concealment.sees and any(
        (other.line.attacked or other.line.fallen)
        and other.side == unit.side
        and origin_of(other) == convoy
        for other in position.units
        if other.id != unit.id
    )
    return lost or any(
        unstated(position, other)
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


def _sees_column(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a unit sees a Known enemy unit that is in a Column."""
    return any(u.line.column and is_known_enemy(position, unit, u) for u in seen_by(position, unit))


def _sees(position: AslPosition, unit: AslUnit, convoy: str) -> tuple[bool, bool, bool]:
    """Return whether a unit sees a Known enemy, and vehicles of a Convoy attacked or lost."""
    prc = [u for u in position.beside(unit.at) if u.cargo.aboard == unit.id] if unit.at else []
    seen = [u for one in (unit, *prc) for u in seen_by(position, one)]
    of_it = [u for u in (unit, *seen) if convoy and u.side == unit.side and origin_of(u) == convoy]
    return (
        any(not u.line.column and is_known_enemy(position, unit, u) for u in seen),
        any(u.line.attacked for u in of_it),
        any(u.line.fallen for u in of_it),
    )
