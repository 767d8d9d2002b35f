"""Plans written out: which unit suffers what, for each way in which the survival rolls fall."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.valor.allocating.cargo import Fate, lost_with, pinned_too
from marchtable_models.valor.allocating.fold import closed
from marchtable_models.valor.allocating.groups import Option
from marchtable_models.valor.allocating.listing import allocation_of
from marchtable_models.valor.allocating.openings import last_two
from marchtable_models.valor.allocating.plan import Plan, Roll
from marchtable_models.valor.allocating.course import DIE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from marchtable_models.valor.allocating.cargo import Cargo, Group
    from marchtable_models.valor.allocating.fold import Entry
    from marchtable_models.valor.allocating.listing import Chosen
    from marchtable_models.valor.allocating.openings import Opening
    from marchtable_models.valor.allocating.planner import Classes, Left, Planner
    from marchtable_models.valor.allocating.stack import Choices, Stack

__all__ = ["Throw", "rolling", "settled", "standing_by", "write"]


class Throw(NamedTuple):
    """A survival roll for one vehicle or Gun whose Passengers are settled."""

    group: Group
    ids: tuple[str, ...]
    cargo: Cargo
    ignored: int
    absorbed: int


def settled(group: Group, ids: tuple[str, ...], fates: tuple[Fate, ...]) -> Chosen:
    """Return what befell one group as a choice."""
    return ((group, (ids,), (Option(fates),)),)


def standing_by(group: Group, ids: tuple[str, ...], cargo: Cargo) -> Chosen:
    """Return a vehicle or Gun that stands as its Passengers' losses leave it."""
    return settled(group, ids, (Fate(), *cargo.fates))


def rolling(
    stack: Stack,
    throw: Throw,
    now: Chosen,
    value: int,
    choices: Choices,
    go_on: Callable[[Chosen, bool], Plan],
) -> Plan:
    """
    Return the plan that begins with a roll.

    Parameters
    ----------
    now
        What has befallen the units when the die is thrown.
    go_on
        Returns the plan after the roll, given what it made of the group and whether it held.
    """
    group, ids, cargo, ignored, absorbed = throw
    rating = group.head.cr
    found = allocation_of(stack, now)
    held = (Fate("survived", ignored + absorbed), *map(pinned_too, cargo.fates))
    survived, failed = go_on(settled(group, ids, held), True), None
    if rating < DIE:
        lost = (Fate("eliminated", rating + ignored), *lost_with(group, cargo, choices))
        failed = go_on(settled(group, ids, lost), False)
    roll = Roll(ids[0], absorbed, bool(ignored), min(rating, DIE))
    return Plan(found.losses, found.points, value, found.clauses, roll, survived, failed)


def write(planner: Planner, opening: Opening) -> Plan:
    """Return the plan that begins so and goes on for the best."""
    finer = DIE ** len(planner.rollers)
    fixed = planner.fixed * finer
    if opening.entries is not None:
        chosen = _chosen(planner.lone + planner.heavy, opening.entries[0])
        chosen += _chosen(planner.later, opening.entries[1])
        return _final(planner, chosen, opening.value + fixed)
    left = tuple(enumerate(opening.settings))
    owed = planner.points - sum(planner.settings[i][s].cargo.points for i, s in left)
    place, ignored, absorbed = opening.roller, opening.ignored, opening.absorbed
    return _rolling(planner, left, owed, (), (place, ignored, absorbed), opening.value, 1)


def _chosen(classes: Classes, entries: Sequence[Entry]) -> Chosen:
    return tuple(
        (group, names, entry.picked[::-1])  # the first of identical units suffer
        for (group, names), entry in zip(classes, entries, strict=False)
    )


def _final(planner: Planner, chosen: Chosen, value: int) -> Plan:
    found = allocation_of(planner.stack, chosen)
    return Plan(found.losses, found.points, value, found.clauses)


def _rolling(
    planner: Planner,
    left: Left,
    owed: int,
    done: Chosen,
    roll: tuple[int, int, int],
    value: int,
    finer: int,
) -> Plan:
    """Return a plan that begins with a roll; ``value`` counts in units ``finer`` times too large."""
    place, ignored, absorbed = roll
    i, s = left[place]
    _, group, ids = planner.rollers[i]
    cargo = planner.settings[i][s].cargo
    rest = left[:place] + left[place + 1 :]
    now = done
    for j, setting in left:
        now += standing_by(*planner.rollers[j][1:], planner.settings[j][setting].cargo)

    def go_on(chosen: Chosen, held: bool) -> Plan:
        spent = absorbed if held else group.head.cr + cargo.left
        spared = held or _is_spared(done)
        return _next(planner, rest, owed - ignored - spent, done + chosen, spared, finer * DIE)

    throw = Throw(group, ids, cargo, ignored, absorbed)
    value = _value(planner, value, done, finer)
    return rolling(planner.stack, throw, now, value, planner.choices, go_on)


def _is_spared(done: Chosen) -> bool:
    return any(option.fates[0].result == "survived" for _, _, picked in done for option in picked)


def _value(planner: Planner, value: int, done: Chosen, finer: int) -> int:
    """Return a value with that of the units already settled and of those outside."""
    settled = sum(planner.scale.group(group, picked[0].fates) for group, _, picked in done)
    return value * finer + (settled + planner.fixed) * int(DIE ** len(planner.rollers))


def _next(planner: Planner, left: Left, owed: int, done: Chosen, spared: bool, finer: int) -> Plan:
    value = planner.inner(left, owed, spared=spared)
    assert value is not None
    end = planner.end(left, owed, spared=spared) if owed > 0 else None
    if owed > 0 and (end is None or end * DIE ** len(left) < value):
        for place, (i, _) in enumerate(left):
            roll = planner.most(i, owed)
            if roll[1] > 1 and value == planner.rolled(left, place, owed, *roll, spared=spared):
                return _rolling(planner, left, owed, done, (place, *roll), value, finer)
    chosen = done + _ending(planner, left, owed, end)
    return _final(planner, chosen, _value(planner, value, done, finer))


def _ending(planner: Planner, left: Left, owed: int, end: int | None) -> Chosen:
    """Return the choice that takes the points still owed without a roll."""
    if end is None:
        kept: Chosen = ()
        for i, s in left:
            kept += standing_by(*planner.rollers[i][1:], planner.settings[i][s].cargo)
        return kept
    standers = [(planner.rollers[i][1], (planner.rollers[i][2],)) for i, _ in left]
    classes = (*planner.lone, *standers)
    fold = planner.fold_of(left)
    way = fold.dearest(lambda state: closed(state, owed))
    if way is not None and way[0] + planner.waiting == end:
        return _chosen(classes, way[1])
    lost = planner.losing(planner.lone)
    for i, setting in left:
        entries = planner.standing(i, setting)
        lost = lost.plus(tuple(entry for entry in entries if entry.picked[0].gone))
    spent, head = max((state[0], state) for state in lost.final if state[0] < owed)
    more = last_two(planner, owed - spent)
    chosen = _chosen(classes, lost.trace(head))
    return chosen + _chosen(planner.later, more[0][1] if more else ())
