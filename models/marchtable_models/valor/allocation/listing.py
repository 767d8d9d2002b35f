"""Every final allocation of a stack, one by one, and the clauses behind each loss."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.valor.allocation.fold import START, endings, fits, join
from marchtable_models.valor.allocation.groups import groups_of
from marchtable_models.valor.allocation.options import options
from marchtable_models.valor.facts.stack import Allocation, Loss

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from marchtable_models.valor.allocation.course import Step
    from marchtable_models.valor.allocation.options import Fate, Key, Option
    from marchtable_models.valor.facts.stack import Choices, Stack

__all__ = ["Copy", "allocation_of", "clauses_by_loss", "clauses_of", "list_hex"]


class Copy(NamedTuple):
    """One group of the hex: its units, what can befall it, and how many identical ones precede it."""

    ids: tuple[str, ...]
    options: tuple[Option, ...]
    n: int
    late: bool


Arcs = dict[int, list[tuple[int, int]]]
"""From each state, the options that can be read and the states that they lead to."""
State = tuple["Key", "Key", int]
"""What befell the unpinned and those pinned earlier, and the least option of the next copy."""


def list_hex(
    stack: Stack, points: int, choices: Choices, most: int | None = None
) -> Iterator[Allocation]:
    """
    Yield the final allocations of a hex, each kind once.

    Parameters
    ----------
    most
        How many to seek at most, however many there are.
    """
    copies, onward, ends = _automaton(stack, points, choices)
    if not points or not copies:
        yield Allocation((), 0)
        return
    for word in islice(_words(onward, ends, 0), most):
        yield _written(stack, copies, word)


def _words(onward: Arcs, ends: frozenset[int], state: int) -> Iterator[tuple[int, ...]]:
    """Yield what can be read from a state on; every way leads to an end."""
    if state in ends:
        yield ()
        return
    for letter, after in onward[state]:
        for word in _words(onward, ends, after):
            yield (letter, *word)


def _written(stack: Stack, copies: Sequence[Copy], word: Sequence[int]) -> Allocation:
    fates: dict[str, Fate] = {}
    ways, same, first = 1, 1, 0
    for i, (copy, letter) in enumerate(zip(copies, word, strict=True)):
        if not copy.n:
            first = i
        same = same + 1 if copy.n and word[i - 1] == letter else 1
        ways = ways * copy.options[letter].ways * (copy.n + 1) // same
        last = i + 1 == len(copies) or not copies[i + 1].n
        if last:  # of identical groups the first suffer
            for ids, picked in zip(
                copies[first : i + 1], reversed(word[first : i + 1]), strict=True
            ):
                fates |= zip(ids.ids, copy.options[picked].fates, strict=True)
    return allocation_of(stack, fates, ways)


def _automaton(
    stack: Stack, points: int, choices: Choices
) -> tuple[list[Copy], Arcs, frozenset[int]]:
    """
    Return the groups, what reads an option for each, and where it ends; 0 is the start.

    Its states are what the options add up to, and all lead to an end. Identical groups are given
    their options in order.
    """
    copies = [
        Copy(ids, options(group, choices, rolls=True), n, bool(late))
        for late, classes in enumerate(groups_of(stack))
        for group, names in classes
        for n, ids in enumerate(names)
    ]
    layers: list[dict[State, list[tuple[State, int]]]] = [{(START, START, 0): []}]
    for i, copy in enumerate(copies):
        is_last = i + 1 == len(copies) or not copies[i + 1].n
        layer: dict[State, list[tuple[State, int]]] = {}
        for state in layers[-1]:
            first, last, least = state
            for letter in range(least, len(copy.options)):
                key = copy.options[letter].key
                both = join(last if copy.late else first, key)
                if both is not None and fits(both, points):
                    keys = (first, both) if copy.late else (both, last)
                    after = (*keys, 0 if is_last else letter)
                    layer.setdefault(after, []).append((state, letter))
        layers.append(layer)
    ends = [s for s in layers[-1] if any(True for _ in endings(s[:1], s[1:2], points))]
    numbers = {(len(copies), state): n for n, state in enumerate(ends, start=1)}
    onward: Arcs = {}
    waiting = list(numbers)
    while waiting:
        depth, state = waiting.pop()
        for before, letter in layers[depth][state]:
            known = (depth - 1, before)
            if known not in numbers:
                numbers[known] = len(numbers) + 1 if depth > 1 else 0
                if depth > 1:
                    waiting.append(known)
            onward.setdefault(numbers[known], []).append((letter, numbers[depth, state]))
    return copies, onward, frozenset(range(1, len(ends) + 1))


def allocation_of(stack: Stack, fates: Mapping[str, Fate], ways: int = 1) -> Allocation:
    """Return the allocation in which these fates befall units, and nothing the others."""
    losses = tuple(
        Loss(member.id, *fates[member.id])
        for member in stack.members
        if member.id in fates and fates[member.id].result != "unharmed"
    )
    points = sum(loss.points for loss in losses)
    return Allocation(losses, points, ways, clauses_of(stack, losses))


def clauses_of(stack: Stack, losses: Sequence[Loss]) -> tuple[str, ...]:
    """Return the clauses behind some losses, each once."""
    return tuple(dict.fromkeys(name for cited in clauses_by_loss(stack, losses) for name in cited))


def clauses_by_loss(
    stack: Stack, losses: Sequence[Loss], steps: Collection[Step] = ()
) -> list[tuple[str, ...]]:
    """Return the clauses behind each of some losses, and behind the steps that led there if told."""
    ignored = {step.unit for step in steps if step.verb == "ignore"}
    first = {step.unit for step in steps if step.verb == "eliminate"}  # not with their vehicle
    results = {loss.unit: loss.result for loss in losses}
    found = []
    for loss in losses:
        member = stack.by_id[loss.unit]
        carrier = member.aboard
        fate = None if carrier is None else results.get(carrier, "unharmed")
        if carrier is not None and loss.unit in first:
            fate = "unharmed"
        known = (member.kind, member.cr, member.cr_half, stack.is_pinned(member))
        cited = _clauses(*known, fate, loss.result, loss.points)
        found.append(tuple(dict.fromkeys((*("V14.63a",) * (loss.unit in ignored), *cited))))
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
