"""Where a unit off the map can enter, and at what cost: the starts of its search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.rules.generator import candidates
from marchtable.rules.rolls import passed, without_rolls
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Hashable

    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action
    from marchtable.state.position import Position

__all__ = ["Arrival", "Arrivals", "arrivals"]


class Arrival(NamedTuple):
    """A cheapest way to one place: half points spent, the actions, and the rolls they require."""

    spent: int
    actions: tuple[Action, ...]
    rolls: tuple[str, ...]


class Arrivals(NamedTuple):
    """The way to each Location and mode, and the clauses met that are unmodelled or not passed."""

    ways: dict[tuple[str, Hashable], Arrival]
    unsupported: tuple[str, ...]


def arrivals(position: Position[Any, Any], name: str, *, avoid: bool) -> Arrivals:
    """Try all actions of a unit off the map, and every way on from there."""
    rulebook = find_rulebook(position.rulebook)
    ways: dict[tuple[str, Hashable], Arrival] = {}
    unsupported: set[str] = set()
    best: dict[Hashable, int] = {}
    waiting: list[tuple[Position[Any, Any], Arrival]] = [(position, Arrival(0, (), ()))]
    while waiting:
        here, before = waiting.pop()
        unit = here.unit(name)
        for action in candidates(rulebook, here, unit, rulebook.travel_in(here, unit), free=False):
            ruling = rulebook.rule(here, action)
            rolls = tuple(o.clause for o in ruling.obligations)
            if ruling.violations or (rolls and avoid):
                continue
            met = _not_searched(ruling)
            unsupported.update(met)
            if met or ruling.after is None:  # no result while a clause is switched off
                continue
            after = without_rolls(ruling.after)
            moved = after.unit(name)
            spent, mode = rulebook.spent(moved), rulebook.mode(moved)
            found = Arrival(spent, (*before.actions, action), (*before.rolls, *rolls))
            if moved.at is None:
                if spent < best.get(mode, spent + 1):
                    best[mode] = spent
                    waiting.append((after, found))
                continue
            kept = ways.get((moved.at, mode))
            if kept is None or (spent, len(found.rolls)) < (kept.spent, len(kept.rolls)):
                ways[moved.at, mode] = found
                if rulebook.is_final(mode):  # what is still possible afterwards, perhaps a Stop
                    waiting.append((after, found))
    return Arrivals(ways, tuple(sorted(unsupported)))


def _not_searched(ruling: Ruling) -> tuple[str, ...]:
    """Return the clauses of a step that are unmodelled, or whose rolls cannot be passed."""
    if ruling.unsupported:
        return tuple(v.clause for v in ruling.unsupported)
    if ruling.obligations and passed(ruling.after) is None:
        return tuple(o.clause for o in ruling.obligations)
    return ()
