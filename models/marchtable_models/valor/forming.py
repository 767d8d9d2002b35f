"""Which facts bear on squads that split and half squads that combine, and what comes of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from marchtable.rules.rulebook import Case
from marchtable.state.records import replace
from marchtable_models.valor.extraction import hexmates, reading
from marchtable_models.valor.facts.errands import Forming
from marchtable_models.valor.orders import Split

if TYPE_CHECKING:
    from marchtable_models.valor.extraction.reading import ValorPosition
    from marchtable_models.valor.model import ValorUnit
    from marchtable_models.valor.orders import Join

__all__ = ["after_forming", "cases_of", "stems_from"]

_NUMBERED = re.compile(r"(.*?)((?:-\d+)*)", re.DOTALL)


def stems_from(position: ValorPosition, name: str) -> bool:
    """Return whether a half squad of that name may part from a unit that there is, or from its half squads."""
    stem, number = _NUMBERED.fullmatch(name).groups()  # type: ignore[union-attr]
    parts = number.split("-")[1:]
    stems = ("-".join((stem, *parts[:kept])) for kept in range(len(parts)))
    whole = next((position.unit(one) for one in stems if one in position.index), None)
    return whole is not None and reading.type_of(position, whole).class_ in ("squad", "half-squad")


def cases_of(position: ValorPosition, action: Split | Join) -> list[Case]:
    """Return the facts that bear on such an action, and on the hex and the portage after it."""
    unit = position.unit(action.unit)
    units = (unit,) if isinstance(action, Split) else (unit, position.unit(action.to))
    who, hexes = tuple(one.id for one in units), (unit.at,) if unit.at is not None else ()
    found = [Case(who, _forming(position, action, units), hexes)]
    after = after_forming(position, action)
    if after is None or not hexes:
        return found
    formed = [one for one in after.units if one.id in who or one.id not in position.index]
    found += [
        Case((unit.id,), hexmates.portage(after, one), hexes)
        for one in formed
        if one.at is not None
    ]
    crowd = hexmates.stacked(after, after.unit(unit.id), ends=True)
    return [*found, Case((unit.id,), crowd, hexes)] if isinstance(action, Split) else found


def _forming(
    position: ValorPosition, action: Split | Join, units: tuple[ValorUnit, ...]
) -> Forming:
    unit, other = units[0], units[-1]
    splits = isinstance(action, Split)
    leaders = [
        u for u in position.occupants.get(unit.at or "", ())
        if (u.side, u.pinned) == (unit.side, False) and reading.type_of(position, u).class_ == "leader"
    ]  # fmt: skip
    places = {(u.at, u.side, u.aboard) for u in units}
    half = reading.type_of(position, unit).half
    fits = half is not None if splits else _squad_of(position, unit, other) is not None
    return Forming(
        not splits, position.phase, unit.side == position.side,
        any(u.pinned for u in units), any(u.valorous for u in units), bool(leaders),
        unit.at is not None and len(places) == 1 and (splits or unit is not other), fits,
        not isinstance(action, Split) or _left(unit, action.gives) is not None,
    )  # fmt: skip


def _left(unit: ValorUnit, given: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the weapons that a unit keeps, None if it does not have what it gives."""
    left = list(unit.sw)
    for name in given:
        if name not in left:
            return None
        left.remove(name)
    return tuple(left)


def _squad_of(position: ValorPosition, unit: ValorUnit, other: ValorUnit) -> str | None:
    """Return the first type of squad whose half squad both are."""
    if unit.type != other.type:
        return None
    return next((kind.name for kind in reading.types(position) if kind.half == unit.type), None)


def after_forming(position: ValorPosition, action: Split | Join) -> ValorPosition | None:
    """Return the position after it, None where there are no such half squads."""
    unit = position.unit(action.unit)
    if isinstance(action, Split):
        half, left = reading.type_of(position, unit).half, _left(unit, action.gives)
        if half is None or left is None:
            return None
        number = 2
        while f"{unit.id}-{number}" in position.index:
            number += 1
        kept = replace(unit, type=half, sw=left)
        new = replace(kept, id=f"{unit.id}-{number}", sw=action.gives)
        return replace(position, units=(*position.with_units([kept]).units, new))
    other = position.unit(action.to)
    squad = _squad_of(position, unit, other)
    if squad is None or unit is other:
        return None
    whole = replace(unit, type=squad, sw=(*unit.sw, *other.sw))
    return position.with_units([whole, replace(other, at=None, aboard=None, sw=())])
