"""Unit types that differ from others only in their points, as repairs propose them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from marchtable.state.records import replace
from marchtable_models.asl.data import unit_types

if TYPE_CHECKING:
    from marchtable_models.asl.model import AslConditions
    from marchtable_models.asl.unittype import UnitType

__all__ = ["variant_of", "without_variants"]

_NAME = re.compile(r"(.+) \((\d+) (MF|MP)\)")


def variant_of(kind: UnitType, points: int) -> UnitType:
    """Return a type that is like another but for having so many MP, or MF if it has no MP."""
    name, field = ("MP", "mp") if kind.mp else ("MF", "mf")
    told = {"name": f"{kind.name} ({points} {name})", field: points}
    return replace(kind, **told)


def without_variants(conditions: AslConditions) -> AslConditions:
    """Return conditions without the types that their name tells all about, given the others."""
    if not conditions.types:
        return conditions
    known = {**unit_types(), **{kind.name: kind for kind in conditions.types[::-1]}}
    names = [kind.name for kind in conditions.types]
    kept = []
    for kind in conditions.types:
        told = _NAME.fullmatch(kind.name)
        base = known.get(told[1]) if told else None
        is_told = base is not None and told is not None and variant_of(base, int(told[2])) == kind
        if not is_told or names.count(kind.name) > 1:
            kept.append(kind)
    if len(kept) == len(conditions.types):
        return conditions
    return msgspec.structs.replace(conditions, types=tuple(kept))
