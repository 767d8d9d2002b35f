"""Every final allocation of a stack, one by one, from the options of its groups."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.valor.allocation_groups import Option, options
from marchtable_models.valor.allocation_stack import Allocation, Loss

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable_models.valor.allocation_cargo import Fate, Group
    from marchtable_models.valor.allocation_groups import Hex
    from marchtable_models.valor.allocation_stack import Choices, Stack

__all__ = ["Sum", "allocation_of", "clauses_of", "is_closed", "list_hex"]

Chosen = tuple[tuple["Group", tuple[tuple[str, ...], ...], tuple[Option, ...]], ...]


class Sum(NamedTuple):
    """What the options chosen so far add up to; ``early`` and ``late`` are reaches by stage."""

    points: int = 0
    stage: int = 0
    early: int = 0
    late: int = 0
    pin: bool = False
    bare: int = 0
    resolved: bool = True
    gone: bool = True

    def plus(self, option: Option) -> Sum:
        """Return the sum with one more option."""
        return Sum(
            self.points + option.points,
            max(self.stage, option.stage),
            max(self.early, option.reach if option.stage == 1 else 0),
            max(self.late, option.reach if option.stage == 2 else 0),
            self.pin or option.pin,
            self.bare + (option.bare and (3 if option.stage == 1 else 1)),
            self.resolved and option.resolved,
            self.gone and option.gone,
        )


def is_closed(total: Sum, owed: int) -> bool:
    """
    Tell whether a choice fulfils what is owed and nothing in it was gratuitous.

    A bare Passenger counts for three, so that anything beside it shows.
    """
    if total.pin or total.bare:
        alone = total.bare <= 1 or (total.bare == 3 and total.stage == 1)
        return total.points == owed and alone
    reach = total.late if total.stage == 2 else total.early
    return total.points >= owed > total.points - reach


def list_hex(stack: Stack, found: Hex, points: int, choices: Choices) -> Iterator[Allocation]:
    """Yield the final allocations of a hex, each kind once."""
    if not points:
        yield Allocation((), 0)
        return
    for chosen, total in _choose(found.unpinned, (), Sum(), points, choices):
        if is_closed(total, points):
            yield allocation_of(stack, chosen)
        elif total.points < points and total.resolved and (found.pinned or total.gone):
            owed = points - total.points
            for more, after in _choose(found.pinned, chosen, Sum(), owed, choices):
                lost = total.gone and after.gone and after.points < owed
                if lost or (after.points and is_closed(after, owed)):
                    yield allocation_of(stack, more)


def _choose(
    classes: Sequence[tuple[Group, tuple[tuple[str, ...], ...]]],
    before: Chosen,
    total: Sum,
    points: int,
    choices: Choices,
) -> Iterator[tuple[Chosen, Sum]]:
    """Yield the choices of one standing that are not plainly too much."""
    if not classes:
        yield before, total
        return
    (group, names), rest = classes[0], classes[1:]
    for picked in combinations_with_replacement(options(group, choices), len(names)):
        after = total
        for option in picked:
            after = after.plus(option)
        exact = after.pin or after.bare
        reach = max(after.early, after.late)
        if after.points <= points if exact else after.points - reach < points:
            yield from _choose(rest, (*before, (group, names, picked)), after, points, choices)


def allocation_of(stack: Stack, chosen: Chosen) -> Allocation:
    """Return the allocation that a choice of options stands for, given to the first units."""
    fates: dict[str, Fate] = {}
    ways = 1
    for _, names, picked in chosen:
        for i, (ids, option) in enumerate(zip(names, reversed(picked), strict=True)):
            fates.update(zip(ids, option.fates, strict=True))
            same = sum(o is option for o in picked[len(picked) - 1 - i :])
            ways = ways * (i + 1) // same * option.ways
    losses = tuple(
        Loss(member.id, *fates[member.id])
        for member in stack.members
        if member.id in fates and fates[member.id].result != "unharmed"
    )
    points = sum(loss.points for loss in losses)
    return Allocation(losses, points, ways, clauses_of(stack, losses))


def clauses_of(stack: Stack, losses: Sequence[Loss]) -> tuple[str, ...]:
    """Return the clauses behind some losses, each once."""
    fates = {loss.unit: loss for loss in losses}
    cited: dict[str, None] = {}
    for loss in losses:
        cited.update(dict.fromkeys(_clauses(stack, loss, fates)))
    return tuple(cited)


def _clauses(stack: Stack, loss: Loss, fates: dict[str, Loss]) -> Iterator[str]:
    member = stack.by_id[loss.unit]
    carrier = fates.get(member.aboard or "")
    fate = carrier.result if carrier is not None else ""
    shared = fate in ("pinned", "survived", "eliminated")
    if member.aboard is not None and loss.points and not (shared and fate == loss.result):
        yield "V14.65a"
    if loss.result == "ignored" or loss.points == member.cr + 1:
        yield "V14.63a"
    if loss.result.startswith("reduced"):
        yield "V14.61h"
    if shared:
        yield "V14.64c"
        if fate == "eliminated" and loss.points:
            yield "V14.64f"
    elif stack.is_pinned(member) and loss.result == "eliminated":
        yield "V14.62b" if member.kind == "infantry" else "V14.64d"
    elif loss.result == "reduced, pinned":
        yield "V14.61b"
    elif member.kind == "infantry":
        yield from {"pinned": ("V14.61a",), "eliminated": ("V14.61i",)}.get(loss.result, ())
    else:
        rolled = ("V14.64b", "V14.64e")
        by_result = {"pinned": ("V14.64a",), "survived": rolled[1:], "eliminated": rolled}
        yield from by_result.get(loss.result, ())
