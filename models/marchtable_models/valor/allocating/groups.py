r"""What can befall each unit, in a form that adds up: groups, classes and their options.

A *group* is a unit with all that it carries; groups alike in all but names form a *class*. An
:class:`Option` is one thing that can befall a group. With :math:`V` the sum of the points of the
options chosen and :math:`N` the attack's, the choice is a final allocation if and only if

- :math:`V \ge N` and :math:`V - M < N`, where :math:`M` is the largest ``reach`` among the options
  of the last stage touched (Passengers before others, unpinned before pinned units);
- :math:`V = N` if a unit is pinned by choice (``pin``), or one, and no more, merely ignores a
  point (``bare``; if a Passenger does, no later stage is touched);
- a group pinned earlier is touched only if every other is ``resolved``;
- or :math:`V < N` and every option is ``gone``: surplus points are lost.

``reach`` is the points of the last course to the unit, less what must still have been owed
for it beyond one. Because points are owed before every course, some order exists exactly when
the last course of some unit can be the last of all.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.valor.allocating.cargo import (
    Cargo,
    Fate,
    Group,
    cargoes_of,
    figures_of,
    group_of,
    ignorable,
    losses_with,
    lost_with,
    pinned_too,
)
from marchtable_models.valor.allocating.course import DIE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable_models.valor.allocating.stack import Choices, Member, Stack

__all__ = ["Hex", "Option", "decisions", "groups_of", "options", "standing"]


class Option(NamedTuple):
    """
    One thing that can befall a group; ``fates`` are its units' in the group's order.

    ``stage`` is 0 if nothing happens, 1 if only Passengers are touched, else 2. ``roll`` tells
    that it takes a survival roll, or may: an owner cannot simply choose it. ``ways`` counts it
    with identical Passengers told apart.
    """

    fates: tuple[Fate, ...]
    points: int = 0
    reach: int = 0
    stage: int = 0
    pin: bool = False
    bare: bool = False
    resolved: bool = False
    gone: bool = False
    roll: bool = False
    ways: int = 1


class Hex(NamedTuple):
    """The classes of a stack: for each group the ids of its copies, unpinned and pinned apart."""

    unpinned: tuple[tuple[Group, tuple[tuple[str, ...], ...]], ...]
    pinned: tuple[tuple[Group, tuple[tuple[str, ...], ...]], ...]


def groups_of(stack: Stack) -> Hex:
    """Return the eligible groups of a stack, identical ones together."""
    classes: dict[Group, list[tuple[str, ...]]] = {}
    cargo = stack.cargo
    for head in stack.members:
        if head.aboard is not None or stack.bar(head):
            continue
        load = cargo.get(head.id)
        if load is None:
            group, names = group_of(head.pinned, figures_of(head)), (head.id,)
        else:
            units = (head, *sorted(load, key=_load_order))
            group = group_of(head.pinned, *map(figures_of, units))
            names = tuple(unit.id for unit in units)  # type: ignore[assignment] # any number
        classes.setdefault(group, []).append(names)
    found = [(group, tuple(copies)) for group, copies in classes.items()]
    return Hex(
        tuple(entry for entry in found if not entry[0].pinned),
        tuple(entry for entry in found if entry[0].pinned),
    )


def _load_order(member: Member) -> tuple[object, ...]:
    return (member.towed, *figures_of(member))


@lru_cache(maxsize=4096)
def options(group: Group, choices: Choices) -> tuple[Option, ...]:
    """Return all that can befall a group, nothing first; no two have the same fates."""
    if group.pinned:
        found = _pinned_options(group, choices)
    elif group.head.kind == "infantry":
        found = _infantry_options(group.head, choices)
    else:
        found = _roller_options(group, choices)
    return tuple(found)


def _infantry_options(unit: Member, choices: Choices) -> Iterator[Option]:
    yield Option((Fate(),))
    lost = unit.cr - (unit.cr_half or unit.cr)
    for extra in ignorable(unit, choices):
        yield Option((Fate("pinned", 1 + extra),), 1 + extra, 1, 2, pin=True)
        if lost:
            points = lost + extra
            yield Option((Fate("reduced", points),), points, lost, 2)
            points += 1
            yield Option((Fate("reduced, pinned", points),), points, 1, 2, pin=True)
        yield _eliminated(unit, extra)
    if len(ignorable(unit, choices)) == 2:
        yield Option((Fate("ignored", 1),), 1, 1, 2, bare=True)


def _eliminated(unit: Member, extra: int) -> Option:
    points = unit.cr + extra
    fates = (Fate("eliminated", points),)
    return Option(fates, points, unit.cr, 2, resolved=True, gone=True)


# -- vehicles and Guns -----------------------------------------------------------------------------


def _roller_options(group: Group, choices: Choices) -> Iterator[Option]:
    head = group.head
    ignored = ignorable(head, choices)
    most = head.cr + len(ignored) - 1
    for cargo in cargoes_of(group, choices):
        yield from _chosen(group, cargo, choices)
        if cargo.bare:
            continue
        for points in range(2, most + 1 if head.cr > 1 else 2):
            fates = (Fate("survived", points), *map(pinned_too, cargo.fates))
            total = cargo.points + points
            yield Option(fates, total, 1, 2, resolved=True, roll=True, ways=cargo.ways)
    # by a failed roll two points must be owed, where a roll can fail; without one, more than CR
    needed = 0 if choices.outright == "yes" else 1 if head.cr < DIE else head.cr
    yield from _roller_losses(group, choices, needed)


@lru_cache(maxsize=4096)
def decisions(group: Group, choices: Choices) -> tuple[Option, ...]:
    """Return the options that need no survival roll: those an owner can simply choose."""
    if not group.rolls:
        return options(group, choices)
    needed = 0 if choices.outright == "yes" else group.head.cr
    chosen = (
        option for cargo in cargoes_of(group, choices) for option in _chosen(group, cargo, choices)
    )
    return (*chosen, *_roller_losses(group, choices, needed))


def _chosen(group: Group, cargo: Cargo, choices: Choices) -> Iterator[Option]:
    """Yield what an owner can choose for a vehicle that lives, after its Passengers' losses."""
    stage = 1 if cargo.points else 0
    fates = (Fate(), *cargo.fates)
    bare = bool(cargo.bare)
    yield Option(fates, cargo.points, cargo.reach, stage, bare=bare, ways=cargo.ways)
    if not bare:
        yield from _touched(group, cargo, choices)


def _roller_losses(group: Group, choices: Choices, needed: int) -> Iterator[Option]:
    for fates, points, reach, ways in losses_with(group, choices, needed):
        for extra in ignorable(group.head, choices):
            whole = (Fate("eliminated", group.head.cr + extra), *fates)
            yield Option(
                whole, points + extra, reach, 2, resolved=True, gone=True, roll=True, ways=ways
            )


def _touched(group: Group, cargo: Cargo, choices: Choices) -> Iterator[Option]:
    """Yield pins by choice, and a first point ignored, once Passengers have had their losses."""
    pinned = tuple(map(pinned_too, cargo.fates))
    ignored = ignorable(group.head, choices)
    for extra in ignored:
        fates = (Fate("pinned", 1 + extra), *pinned)
        yield Option(fates, cargo.points + 1 + extra, 1, 2, pin=True, ways=cargo.ways)
    if len(ignored) == 2:
        fates = (Fate("ignored", 1), *cargo.fates)
        yield Option(fates, cargo.points + 1, 1, 2, bare=True, ways=cargo.ways)


@lru_cache(maxsize=4096)
def standing(group: Group, cargo: Cargo, choices: Choices) -> tuple[Option, ...]:
    """Return a vehicle's decisions after the losses of its Passengers, which are not counted."""
    settled = cargo._replace(points=0)
    head = group.head
    whole = lost_with(group, cargo, choices)
    # owed must exceed the Casualty Rating, so that only what Passengers add can overshoot
    reach = cargo.left + (head.cr if choices.outright == "yes" else 0)
    lost = [
        Option(
            (Fate("eliminated", head.cr + extra), *whole), head.cr + extra + cargo.left, reach, 2,
            resolved=True, gone=True,
        )
        for extra in ignorable(head, choices)
    ]  # fmt: skip
    return (Option((Fate(), *cargo.fates)), *_touched(group, settled, choices), *lost)


def _pinned_options(group: Group, choices: Choices) -> Iterator[Option]:
    head = group.head
    ignored = ignorable(head, choices) if choices.pinned_shield == "ignores" else (0,)
    for cargo in cargoes_of(group, choices):
        stage = 1 if cargo.points else 0
        yield Option(
            (Fate(), *cargo.fates), cargo.points, cargo.reach, stage, bare=bool(cargo.bare),
            ways=cargo.ways,
        )  # fmt: skip
        if len(ignored) == 2 and not cargo.bare:
            fates = (Fate("ignored", 1), *cargo.fates)
            yield Option(fates, cargo.points + 1, 1, 2, bare=True, ways=cargo.ways)
    for fates, points, reach, ways in losses_with(group, choices, 0):
        for extra in ignored:
            whole = (Fate("eliminated", head.cr + extra), *fates)
            yield Option(whole, points + extra, reach, 2, resolved=True, gone=True, ways=ways)
