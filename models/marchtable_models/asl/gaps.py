"""Reads off a position how a Convoy parts where a Gap appears, and why a vehicle may leave it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.linefacts import Leaving, Parted
from marchtable_models.asl.lines import origin_of
from marchtable_models.asl.survey import type_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from marchtable.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["leaving", "parted"]


def parted(
    position: AslPosition,
    line: Sequence[AslUnit],
    *,
    lost: Collection[str] = (),
    leads: Collection[str] = (),
    begun: bool | None = None,
) -> list[tuple[str, Parted]]:
    """
    Return what becomes of each vehicle of a Convoy in which Gaps appear.

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
    begun
        Whether an Impulse has been completed this MPh, if that is not to be seen yet.
    """
    if begun is None:
        begun = any(unit.spent or unit.mph == "done" for unit in line)
    found = [
        (unit.id, Parted(lost=True, alone=True, name="", ahead="", begun=begun))
        for unit in line
        if unit.id in lost
    ]
    names, ahead = _names(position, line), ""
    for part in _parts(line, lost, leads):
        name, alone = next(names), len(part) == 1
        facts = Parted(lost=False, alone=alone, name=name, ahead=ahead, begun=begun)
        if alone or name != line[0].convoy:
            found += [(unit.id, facts) for unit in part]
        if not alone:
            ahead = name
    return found


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
    yield line[0].convoy
    known = {unit.convoy for unit in position.units}
    number = 2
    while True:
        if (name := f"{origin_of(line[0])}.{number}") not in known:
            yield name
        number += 1


def leaving(position: AslPosition, unit: AslUnit) -> Leaving:
    """Return why a vehicle might leave its Convoy."""
    kind = type_of(position, unit)
    enemy, attacked, lost = _sees(position, unit)
    radio = kind.afv and kind.radio and any(
        any(_sees(position, other))
        for other in position.units
        if other.id != unit.id and other.side == unit.side and not other.stunned
        and (theirs := type_of(position, other)).afv and theirs.radio
    )  # fmt: skip
    return Leaving(
        convoy=unit.convoy != "",
        sees_enemy=enemy,
        sees_attacked=attacked,
        sees_lost=lost,
        radio_sees=radio,
        recalled=unit.recalled,
        radioless=kind.afv and not kind.radio,
        platoon=unit.platoon != "",
        begun=unit.mph != "unmoved",
    )


def _sees(position: AslPosition, unit: AslUnit) -> tuple[bool, bool, bool]:
    """Return whether a unit sees a Known enemy, and fellows of its Convoy attacked or lost."""
    seen = [position.unit(name) for name in unit.sees if name in position.index]
    fellows = [u for u in (unit, *seen) if origin_of(u) and origin_of(u) == origin_of(unit)]
    return (
        any(u.side != unit.side and not u.concealed for u in seen),
        any(u.attacked for u in fellows),
        any(u.fallen for u in fellows),
    )
