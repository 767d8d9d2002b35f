"""How a plan can begin, the best way and the next."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.valor.allocating.fold import closed
from marchtable_models.valor.allocating.course import DIE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable_models.valor.allocating.fold import Entry, State
    from marchtable_models.valor.allocating.planner import Planner

__all__ = ["Opening", "openings"]


class Opening(NamedTuple):
    """
    A way to begin: a complete allocation, or a first roll.

    ``value`` is its expected value at the finest scale, units that nothing can befall left out.
    ``entries`` are those of the unpinned and of the pinned classes; otherwise ``settings`` tell
    what befell Passengers and ``roller`` for which vehicle or Gun to roll.
    """

    value: int
    entries: tuple[tuple[Entry, ...], tuple[Entry, ...]] | None = None
    settings: tuple[int, ...] = ()
    roller: int = -1
    ignored: int = 0
    absorbed: int = 0


def openings(planner: Planner) -> list[Opening]:
    """Return the best opening and the runner-up, best first."""
    best = sorted(_complete(planner), key=_by_value, reverse=True)[:2]
    seen = set()
    for bound, settings, roller in _beginnings(planner):
        if len(best) > 1 and bound <= best[1].value:
            break
        for opening in _rolls(planner, settings, roller):
            key = _key(planner, opening)
            if key not in seen:
                seen.add(key)
                best.append(opening)
        best = sorted(best, key=_by_value, reverse=True)[:2]
    return best


def _by_value(opening: Opening) -> int:
    return opening.value


def _beginnings(planner: Planner) -> list[tuple[int, tuple[int, ...], int]]:
    """Return what can be settled for Passengers before each first roll, with a bound on value."""
    if not planner.rollers or planner.points < 2:
        return []
    finer = DIE ** (len(planner.rollers) - 1)
    rest = planner.intact + planner.waiting
    found = []
    for settings in product(*(range(len(s)) for s in planner.settings)):
        chosen = [planner.settings[i][s] for i, s in enumerate(settings)]
        if sum(setting.cargo.points for setting in chosen) > planner.points - 2:
            continue
        ready = sum(setting.ready for setting in chosen) + rest
        for i, setting in enumerate(chosen):
            chance = min(planner.rollers[i][1].head.cr, DIE)
            bound = DIE * (ready - setting.ready) + chance * setting.pinned
            found.append((bound * finer, settings, i))
    found.sort(reverse=True)
    return found


def _rolls(planner: Planner, settings: tuple[int, ...], roller: int) -> Iterator[Opening]:
    """Yield a first roll with every number of points."""
    left = tuple(enumerate(settings))
    owed = planner.points - sum(planner.settings[i][s].cargo.points for i, s in left)
    head = planner.rollers[roller][1].head
    for ignored in (0, 1) if head.shield and planner.ignoring else (0,):
        for absorbed in range(2, min(head.cr, owed - ignored) + 1):
            value = planner.rolled(left, roller, owed, ignored, absorbed, spared=False)
            if value is not None:
                yield Opening(value, None, settings, roller, ignored, absorbed)


def _key(planner: Planner, opening: Opening) -> object:
    """Return what tells an opening apart when identical vehicles are exchanged."""
    parts = (
        (kind, s, i == opening.roller)
        for i, ((kind, _, _), s) in enumerate(zip(planner.rollers, opening.settings, strict=True))
    )
    return tuple(sorted(parts)), opening.ignored, opening.absorbed


def _complete(planner: Planner) -> Iterator[Opening]:
    """Yield the best complete allocations."""
    owed, finer = planner.points, DIE ** len(planner.rollers)
    fold = planner.fold
    for group, names in planner.heavy:
        fold = fold.plus(planner.part(group, len(names)))
    for value, entries in fold.two_dearest(lambda state: closed(state, owed)):
        yield Opening((value + planner.waiting) * finer, (tuple(entries), ()))
    unpinned = planner.lone + planner.heavy
    if planner.fewest(unpinned) >= owed:
        return
    fold = planner.losing(unpinned)
    for spent in sorted({state[0] for state in fold.final if state[0] < owed}):
        heads = fold.two_dearest(lambda state, spent=spent: state[0] == spent)  # type: ignore[misc]
        for value, more in last_two(planner, owed - spent):
            for worth, entries in heads:
                yield Opening((worth + value) * finer, (tuple(entries), tuple(more)))


def last_two(planner: Planner, owed: int) -> list[tuple[int, list[Entry]]]:
    """Return the best and next for units pinned earlier, when nothing else is left."""

    def ends(state: State) -> bool:
        return state[0] > 0 and closed(state, owed)

    found = planner.pinned.two_dearest(ends)
    if planner.fewest(planner.later) < owed:
        found += planner.losing(planner.later).two_dearest(lambda state: state[0] < owed)
    return found
