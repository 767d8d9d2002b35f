"""The groups of a stack, identical ones together: units with all that they carry."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.valor.allocation.options import figures_of, group_of

if TYPE_CHECKING:
    from marchtable_models.valor.allocation.options import Group
    from marchtable_models.valor.facts.stack import Member, Stack

__all__ = ["Class", "Hex", "groups_of"]

Class = tuple["Group", tuple[tuple[str, ...], ...]]
"""A kind of group, and for each of its copies the names of the units."""


class Hex(NamedTuple):
    """The classes of a stack, unpinned and pinned apart."""

    unpinned: tuple[Class, ...]
    pinned: tuple[Class, ...]


def groups_of(stack: Stack) -> Hex:
    """Return the eligible groups of a stack."""
    classes: dict[Group, list[tuple[str, ...]]] = {}
    for head in stack.members:
        if head.aboard is not None or stack.bar(head):
            continue
        units = (head, *sorted(stack.cargo.get(head.id, ()), key=_load_order))
        group = group_of(head.pinned, *map(figures_of, units))
        classes.setdefault(group, []).append(tuple(unit.id for unit in units))
    found = [(group, tuple(copies)) for group, copies in classes.items()]
    return Hex(
        tuple(entry for entry in found if not entry[0].pinned),
        tuple(entry for entry in found if entry[0].pinned),
    )


def _load_order(member: Member) -> tuple[object, ...]:
    return (member.towed, *figures_of(member))
