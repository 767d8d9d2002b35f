"""Every final allocation of a stack, one by one, from the options of its groups."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial
from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.valor.allocating.groups import options
from marchtable_models.valor.allocating.stack import Allocation, Loss

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable_models.valor.allocating.cargo import Group
    from marchtable_models.valor.allocating.groups import Hex, Option
    from marchtable_models.valor.allocating.stack import Choices, Stack

__all__ = ["Chosen", "allocation_of", "clauses_by_loss", "clauses_of", "list_hex"]


class Part(NamedTuple):
    """
    What befalls one class, with what it adds up to; ``early`` and ``late`` are reaches by stage.

    ``exact`` tells that the points must come out exactly: 1 for pins, 2 where a unit merely
    ignores a point, 4 where a Passenger does (and then nothing else may be hit but Passengers).
    """

    points: int
    stage: int
    early: int
    late: int
    exact: int
    resolved: bool
    gone: bool
    losses: tuple[tuple[int, Loss], ...]
    ways: int
    clauses: tuple[str, ...]


NOTHING = Part(0, 0, 0, 0, 0, True, True, (), 1, ())


def _joined(a: Part, b: Part) -> Part | None:
    """Return two parts together, or None if they exclude each other."""
    exact = a.exact | b.exact
    if exact > 1:
        if a.exact & b.exact & 6 or exact & 6 == 6:
            return None
        if exact & 4 and (exact & 1 or max(a.stage, b.stage) == 2):
            return None
    return Part(
        a.points + b.points,
        max(a.stage, b.stage),
        max(a.early, b.early),
        max(a.late, b.late),
        exact,
        a.resolved and b.resolved,
        a.gone and b.gone,
        a.losses + b.losses,
        a.ways * b.ways,
        a.clauses + b.clauses,
    )


def _is_closed(part: Part, owed: int) -> bool:
    """Tell whether a choice fulfils what is owed and nothing in it was gratuitous."""
    if part.exact:
        return part.points == owed
    reach = part.late if part.stage == 2 else part.early
    return part.points >= owed > part.points - reach


def list_hex(stack: Stack, found: Hex, points: int, choices: Choices) -> Iterator[Allocation]:
    """Yield the final allocations of a hex, each kind once."""
    if not points:
        yield Allocation((), 0)
        return
    first, last = (
        [list(_parts(stack, group, names, choices)) for group, names in classes]
        for classes in found
    )
    for part in _choose(first, 0, NOTHING, points):
        if _is_closed(part, points):
            yield _written(part)
        elif part.resolved and part.points < points:
            owed = points - part.points
            for more in _choose(last, 0, NOTHING, owed):
                lost = part.gone and more.gone and more.points < owed
                both = _joined(part, more._replace(exact=0))
                if both is not None and (lost or (more.points and _is_closed(more, owed))):
                    yield _written(both)


def _choose(classes: Sequence[Sequence[Part]], i: int, before: Part, points: int) -> Iterator[Part]:
    """Yield the choices of one standing that are not plainly too much."""
    if i == len(classes):
        yield before
        return
    for part in classes[i]:
        total = before.points + part.points
        if total - max(before.early, before.late, part.early, part.late) < points or (
            total == points and (before.exact or part.exact)
        ):
            both = _joined(before, part)
            if both is not None and not (both.exact and total > points):
                yield from _choose(classes, i + 1, both, points)


def _parts(
    stack: Stack, group: Group, names: tuple[tuple[str, ...], ...], choices: Choices
) -> Iterator[Part]:
    """Yield what can befall one class, each kind once, given to its first units."""
    singles = [(option, _single(option)) for option in options(group, choices)]
    order = {member.id: i for i, member in enumerate(stack.members)}
    for picked in combinations_with_replacement(singles, len(names)):
        part: Part | None = NOTHING
        for _, single in picked:
            part = None if part is None else _joined(part, single)
        if part is None:
            continue
        chosen = [option for option, _ in picked][::-1]
        losses = _losses((group, names, chosen))
        cited = clauses_of(stack, losses)
        ways = factorial(len(chosen))
        for same in Counter(chosen).values():
            ways //= factorial(same)
        yield part._replace(
            losses=tuple((order[loss.unit], loss) for loss in losses),
            ways=part.ways * ways,
            clauses=cited,
        )


def _single(option: Option) -> Part:
    early, late = (option.reach if option.stage == stage else 0 for stage in (1, 2))
    exact = 1 if option.pin else (4 if option.stage == 1 else 2) if option.bare else 0
    return Part(
        option.points, option.stage, early, late, exact, option.resolved, option.gone, (),
        option.ways, (),
    )  # fmt: skip


def _written(part: Part) -> Allocation:
    losses = tuple(loss for _, loss in sorted(part.losses))
    return Allocation(losses, part.points, part.ways, tuple(dict.fromkeys(part.clauses)))


Chosen = tuple[tuple["Group", tuple[tuple[str, ...], ...], "Sequence[Option]"], ...]
"""Groups with the names of their copies and an option for each copy."""


def _losses(chosen: tuple[Group, tuple[tuple[str, ...], ...], Sequence[Option]]) -> list[Loss]:
    _, names, picked = chosen
    return [
        Loss(unit, *fate)
        for ids, option in zip(names, picked, strict=True)
        for unit, fate in zip(ids, option.fates, strict=True)
        if fate.result != "unharmed"
    ]


def allocation_of(stack: Stack, chosen: Chosen) -> Allocation:
    """Return the allocation that a choice of options stands for; ways are not counted."""
    by_unit = {loss.unit: loss for entry in chosen for loss in _losses(entry)}
    losses = tuple(by_unit[member.id] for member in stack.members if member.id in by_unit)
    points = sum(loss.points for loss in losses)
    return Allocation(losses, points, 1, clauses_of(stack, losses))


def clauses_of(stack: Stack, losses: Sequence[Loss]) -> tuple[str, ...]:
    """Return the clauses behind some losses, each once."""
    return tuple(dict.fromkeys(name for cited in clauses_by_loss(stack, losses) for name in cited))


def clauses_by_loss(stack: Stack, losses: Sequence[Loss]) -> list[tuple[str, ...]]:
    """Return the clauses behind each of some losses."""
    results = {loss.unit: loss.result for loss in losses}
    found = []
    for loss in losses:
        member = stack.by_id[loss.unit]
        carrier = member.aboard
        fate = None if carrier is None else results.get(carrier, "unharmed")
        known = (member.kind, member.cr, member.cr_half, stack.is_pinned(member))
        found.append(_clauses(*known, fate, loss.result, loss.points))
    return found


@lru_cache(maxsize=4096)
def _clauses(
    kind: str,
    rating: int,
    half: int | None,
    was_pinned: bool,
    carrier: str | None,
    result: str,
    points: int,
) -> tuple[str, ...]:
    """Return the clauses behind one loss; ``carrier`` is what befell the carrier, if any."""
    lives = carrier in ("pinned", "survived")  # who dies then was lost before, not with it
    shared = carrier == "eliminated" or (lives and result != "eliminated")
    reduced = rating - (half or 0)
    cost = {"pinned": 1, "reduced": reduced, "reduced, pinned": reduced + 1, "eliminated": rating}
    found = []
    if (
        result == "ignored"
        or (result == "survived" and points > rating)
        or (not shared and result in cost and points > cost[result])
    ):
        found.append("V14.63a")
    if carrier is not None and points and (not shared or result == "reduced, pinned"):
        found.append("V14.65a")
    if result.startswith("reduced"):
        found.append("V14.61h")
    if shared:
        return (*found, "V14.64c", *(["V14.64f"] if carrier == "eliminated" and points else []))
    if result == "reduced, pinned":
        found.append("V14.61b")
    elif was_pinned and result == "eliminated":
        found.append("V14.62b" if kind == "infantry" else "V14.64d")
    elif kind == "infantry":
        found += {"pinned": ["V14.61a"], "eliminated": ["V14.61i"]}.get(result, [])
    elif result != "ignored":
        rolled = {"pinned": ["V14.64a"], "survived": ["V14.64e"]}
        found += rolled.get(result, ["V14.64b", "V14.64e"])
    return tuple(found)
