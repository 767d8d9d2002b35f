"""SW that lie about: counters whose kind reads ``sw PP NAME``, or ``sw* PP NAME`` if portaged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.errors import BadInputError
from marchtable.position import Counter
from marchtable_models.asl.model import AslConditions, AslUnit, SupportWeapon

if TYPE_CHECKING:
    from collections.abc import Iterable

    from marchtable.position import Position

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["as_counter", "is_weapon", "lying", "named", "weapon_of"]

LYING, PORTAGED = "sw", "sw*"


def is_weapon(kind: str) -> bool:
    """Tell whether a counter is a SW."""
    return kind.startswith((f"{LYING} ", f"{PORTAGED} "))


def weapon_of(kind: str) -> SupportWeapon:
    """Return the SW that a counter is; raises BadInputError."""
    head, *rest = kind.split(" ", 2)
    if len(rest) != 2 or not rest[0].isdigit():
        raise BadInputError(
            f"{kind!r}: expected 'sw PP NAME', such as 'sw 5 HMG'", field="counters"
        )
    return SupportWeapon(name=rest[1], pp=int(rest[0]), portaged=head == PORTAGED)


def as_counter(weapon: SupportWeapon, at: str) -> Counter:
    """Return the counter that a SW is when nobody possesses it."""
    head = PORTAGED if weapon.portaged else LYING
    return Counter(kind=f"{head} {weapon.pp} {weapon.name}", at=at)


def lying(position: AslPosition, at: str | None) -> tuple[SupportWeapon, ...]:
    """Return the SW that lie in a Location."""
    kinds = position.markers.get(at or "", ())
    return tuple(weapon_of(kind) for kind in kinds if is_weapon(kind))


def named(weapons: Iterable[SupportWeapon], name: str) -> SupportWeapon | None:
    """Return the first SW of that name, if there is one."""
    return next((weapon for weapon in weapons if weapon.name == name), None)
