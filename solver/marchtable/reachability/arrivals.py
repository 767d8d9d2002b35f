"""
The starts of a unit's search that ``rule`` finds in the position itself, and their costs.

A unit off the map enters it. A unit on the map can have first steps that depend on how it came to
its Location, which the states of a search do not hold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.rules.candidates import candidates
from marchtable.rules.rolls import passed, without_rolls
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from marchtable.rules.rulebook import Rulebook
    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action
    from marchtable.state.position import Position, Unit

__all__ = ["Arrival", "Arrivals", "arrivals", "has_first_steps"]


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
    """
    Try all actions of a unit off the map, and every way on from there.

    Of a unit on the map, try what it can do in its own Location.
    """
    rulebook, asked = find_rulebook(position.rulebook), position.unit(name)
    ways: dict[tuple[str, Hashable], Arrival] = {}
    if asked.at is not None:
        ways[asked.at, rulebook.mode(asked)] = Arrival(rulebook.spent(asked), (), ())
    unsupported: set[str] = set()
    best: dict[Hashable, int] = {}
    waiting: list[tuple[Position[Any, Any], Arrival]] = [(position, Arrival(0, (), ()))]
    while waiting:
        here, before = waiting.pop()
        unit = here.unit(name)
        for action in _tried(rulebook, here, unit, stays=asked.at is not None):
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
                stays = moved.at == asked.at and has_first_steps(after, moved)
                if stays or rulebook.is_final(mode):  # if final, it can perhaps still Stop
                    waiting.append((after, found))
    return Arrivals(ways, tuple(sorted(unsupported)))


def _tried(
    rulebook: Rulebook[Any, Any], position: Position[Any, Any], unit: Unit, *, stays: bool
) -> Iterator[Action]:
    """Yield a unit's actions; of one that stays on the map, those that lead to its own Location."""
    to = unit.at if stays else None
    verbs = rulebook.travel_in(position, unit)
    yield from candidates(rulebook, position, unit, verbs, to=to, free=False)


def has_first_steps(position: Position[Any, Any], unit: Unit) -> bool:
    """Return whether verbs that enter might lead a unit to its own Location because of how it came."""
    return unit.at is not None and unit.at in find_rulebook(position.rulebook).next_to(
        position, unit
    )


def _not_searched(ruling: Ruling) -> tuple[str, ...]:
    """Return the clauses of a step that are unmodelled, or whose rolls cannot be passed."""
    if ruling.unsupported:
        return tuple(v.clause for v in ruling.unsupported)
    if ruling.obligations and passed(ruling.after) is None:
        return tuple(o.clause for o in ruling.obligations)
    return ()
