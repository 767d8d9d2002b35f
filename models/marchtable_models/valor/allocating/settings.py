"""What can be chosen for each class and what it is then worth, kept from question to question."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from marchtable_models.valor.allocating.cargo import Fate, cargoes_of, pinned_too
from marchtable_models.valor.allocating.fold import entries_of
from marchtable_models.valor.allocating.groups import decisions, standing

if TYPE_CHECKING:
    from marchtable_models.valor.allocating.cargo import Cargo, Group
    from marchtable_models.valor.allocating.fold import Entry
    from marchtable_models.valor.allocating.groups import Option
    from marchtable_models.valor.allocating.stack import Choices
    from marchtable_models.valor.allocating.values import Scale

__all__ = [
    "Setting",
    "fewest",
    "parts_of",
    "settings_of",
    "standing_entries",
]


class Setting(NamedTuple):
    """
    A vehicle or Gun once its Passengers' losses are settled.

    ``ready`` and ``pinned`` are what the group is worth if it is then left alone, or pinned.
    """

    cargo: Cargo
    ready: int
    pinned: int


@lru_cache(maxsize=4096)
def parts_of(
    group: Group, which: Literal["any", "gone"], n: int, cap: int, choices: Choices, scale: Scale
) -> tuple[Entry, ...]:
    """Return the entries of ``n`` identical groups: of all decisions, or of those that lose it."""
    found = decisions(group, choices)
    if which == "gone":
        found = tuple(option for option in found if option.gone)
    return _entries(group, found, n, cap, scale)


def _entries(
    group: Group, found: tuple[Option, ...], n: int, cap: int, scale: Scale
) -> tuple[Entry, ...]:
    return entries_of(found, tuple(scale.group(group, o.fates) for o in found), n, cap)


@lru_cache(maxsize=4096)
def fewest(group: Group, choices: Choices) -> int:
    """Return the fewest points that losing the group can fulfil."""
    return min(option.points for option in decisions(group, choices) if option.gone)


@lru_cache(maxsize=4096)
def settings_of(group: Group, choices: Choices, scale: Scale) -> tuple[Setting, ...]:
    """
    Return the states that a vehicle's Passengers can be left in.

    One that two others beat whatever becomes of the vehicle is in no best plan and in no
    runner-up.
    """
    found: list[tuple[int, int, Cargo]] = []
    for cargo in cargoes_of(group, choices):
        if not cargo.bare:
            ready = scale.group(group, (Fate(), *cargo.fates))
            pins = (Fate("pinned"), *map(pinned_too, cargo.fates))
            found.append((ready, scale.group(group, pins), cargo))
    found.sort(key=_by_worth, reverse=True)
    kept: list[tuple[int, int, Cargo]] = []
    for ready, pinned, cargo in found:
        better = sum(
            p >= pinned and (c.points, c.left) == (cargo.points, cargo.left) for _, p, c in kept
        )
        if better < 2:
            kept.append((ready, pinned, cargo))
    return tuple(Setting(c, r, p) for r, p, c in kept)


@lru_cache(maxsize=4096)
def standing_entries(
    group: Group, cargo: Cargo, choices: Choices, scale: Scale
) -> tuple[Entry, ...]:
    """Return what can be chosen for a vehicle without a roll, its Passengers settled."""
    return _entries(group, standing(group, cargo, choices), 1, 0, scale)


def _by_worth(item: tuple[int, int, Cargo]) -> tuple[int, int]:
    return item[0], item[1]
