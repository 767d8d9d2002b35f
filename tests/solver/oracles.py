"""Exhaustive oracles, without pruning, to check the generator and reach.

Written independently: they share only ``rule`` and the rulebook's names.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.rules.rolls import passed
from marchtable.state.action import Action, Event, Settle, group_field, parameters
from marchtable.state.records import replace
from tests.strategies import rulebook

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from marchtable.state.action import Parameter
    from marchtable.state.position import Position, Unit

__all__ = ["Walked", "actors", "attempts", "canonical", "legal", "perft_by_force", "walk"]


# -- every possible action -------------------------------------------------------------------------


def _values(position: Position[Any, Any], parameter: Parameter) -> list[Any]:
    ids = [unit.id for unit in position.units]
    if parameter.domain in ("unit", "fellow", "prisoner", "gun", "captor"):
        return ids
    if parameter.domain == "companions":
        return [group for size in range(1, len(ids) + 1) for group in combinations(ids, size)]
    if parameter.domain == "seen":  # what a moving enemy has spent, all of it
        going = [u for u in position.units if u.side == position.side and u.move.mph == "moving"]
        return [max([2, *(u.points.spent for u in going)])]
    if parameter.domain in ("location", "adjacent", "target"):
        return [location.name for location in position.board.locations]
    if parameter.domain == "names":
        return [parameter.default or ()]
    if parameter.domain == "count":
        return [*range(1, 10)]
    if parameter.domain == "moves":
        return [()]  # no unit here belongs to a line that moves jointly
    if parameter.values:
        return list(parameter.values)
    if parameter.domain in ("weapon", "lying"):
        carried = {item.name for unit in position.units for item in unit.sw}
        return sorted(carried | {c.kind.split(" ", 2)[-1] for c in position.counters})
    return [parameter.default]  # a number without bounds is judged, never proposed


TOLD = 3
"""How many optional arguments are given at once: each further flag doubles the number of trials."""


def attempts(position: Position[Any, Any]) -> Iterator[Action]:
    """Yield every verb with every unit, Location and value, with at most ``TOLD`` optional arguments."""
    for kind in rulebook(position).action_types:
        if kind.unlisted or (issubclass(kind, Event) and not kind.chosen):
            continue
        found = parameters(kind)
        for arguments in product(*(_values(position, p) for p in found)):
            chosen = [
                p.name for p, v in zip(found, arguments, strict=True)
                if not p.required and v != p.default
            ]  # fmt: skip
            if len(chosen) <= TOLD:
                yield kind(*arguments)


def legal(position: Position[Any, Any]) -> list[Action]:
    """Return the actions that ``rule`` finds legal; while a roll is pending, its outcomes."""
    if position.pending:
        roll = position.pending[0]
        return [Settle(roll.id, odds.outcome) for odds in roll.outcomes if odds.chance]
    book = rulebook(position)
    return [
        action
        for action in attempts(position)
        if book.rule(position, action).is_legal and not _is_idle(book, position, action)
    ]


def _is_idle(book: Any, position: Position[Any, Any], action: Action) -> bool:
    """Return whether the rulebook never proposes this action, though it is legal."""
    names = actors(action)
    return bool(names) and book.is_idle(position, position.unit(names[0]), action)


def actors(action: Action) -> tuple[str, ...]:
    """Return the acting units, none for an event."""
    field = group_field(type(action))
    found = getattr(action, field or "unit", ())
    return (found,) if isinstance(found, str) else found


# -- identical units -------------------------------------------------------------------------------


def _swapped(value: Any, a: str, b: str) -> Any:
    """Return builtins with two names swapped wherever they stand."""
    if isinstance(value, dict):
        return {key: _swapped(entry, a, b) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_swapped(entry, a, b) for entry in value]
    return {a: b, b: a}.get(value, value) if isinstance(value, str) else value


def _words(value: Any) -> Iterator[str]:
    """Yield every word in builtins."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for entry in value.values() if isinstance(value, dict) else value:
            yield from _words(entry)


def _by_id(units: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(units, key=lambda unit: str(unit["id"]))


def classes(position: Position[Any, Any]) -> dict[str, str]:
    """Return for each unit the first that could exchange names with it without effect.

    A unit that others name (as their leader, for example) equals no other.
    """
    units = _swapped(msgspec.to_builtins(position.units), "", "")  # lists throughout
    named = {word for unit in units for word in _words({**unit, "id": None})}
    found: dict[str, str] = {}
    for unit in position.units:
        like = (
            first for first in dict.fromkeys(found.values())
            if not named & {first, unit.id}
            and _by_id(_swapped(units, first, unit.id)) == _by_id(units)
        )  # fmt: skip
        found[unit.id] = next(like, unit.id)
    return found


def canonical(position: Position[Any, Any], action: Action) -> tuple[Any, ...]:
    """Return an action with identical units not distinguished."""
    names = classes(position)

    def plain(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(sorted(names.get(entry, entry) for entry in value))
        return names.get(value, value) if isinstance(value, str) else value

    fields = (getattr(action, name) for name in action.__struct_fields__)
    return (type(action).__name__, *(plain(value) for value in fields))


def perft_by_force(position: Position[Any, Any], depth: int) -> int:
    """Count the sequences of legal actions, identical units not distinguished."""
    if depth == 0:
        return 1
    book = rulebook(position)
    ways = {canonical(position, action): action for action in legal(position)}
    return sum(
        perft_by_force(book.rule(position, action).after, depth - 1) for action in ways.values()
    )


# -- everywhere a unit can go ----------------------------------------------------------------------


class Walked(NamedTuple):
    """Least half points spent in each Location and mode, and the unmodelled clauses met.

    ``beyond`` are those met only where they lift a prohibition of modelled clauses, such as too few
    points: reach need not have met them.
    """

    spent: dict[tuple[str, Any], int]
    unsupported: set[str]
    beyond: set[str]


def _alone(position: Position[Any, Any], unit: Unit, *, goes_on: bool) -> Iterator[Action]:
    """Yield each travel verb for this unit alone, to the Locations its hex touches, and its own if it goes on."""
    book = rulebook(position)
    places = [name for _, name in position.board.neighbours(unit.at)] if unit.at else None
    if goes_on and places is not None and unit.at is not None:
        places.append(unit.at)
    if places is None:  # off the map: its stated edge hexes
        places = list(book.next_to(position, unit))
    for kind in book.travel:
        domains: list[Sequence[Any]] = []
        for p in parameters(kind):
            own: dict[str, list[Any]] = {
                "unit": [unit.id], "companions": [(unit.id,)], "adjacent": places,
                "free": [p.default],
            }  # fmt: skip
            domains.append(own.get(p.domain) or _values(position, p))
        if all(domains) and (places or "adjacent" not in {p.domain for p in parameters(kind)}):
            tried = (kind(*arguments) for arguments in product(*domains))
            yield from (action for action in tried if not book.is_idle(position, unit, action))


def _bare(unit: Any) -> Any:
    """Return the part of a unit that its further way depends on, without where it came from."""
    if not getattr(unit, "previous", None):
        return unit
    return replace(unit, previous=unit.at)


def walk(
    position: Position[Any, Any], name: str, *, rolls: str = "pass", goes_on: bool = False
) -> Walked:
    """Walk one unit in every possible way, whatever the cost.

    Parameters
    ----------
    position
        Where it starts.
    name
        The unit.
    rolls
        ``"pass"`` strikes every roll off that can be passed, ``"avoid"`` takes no step that calls for one.
    goes_on
        Whether it also acts towards its own Location once it has left the first: in Bypass, round the same hex.
    """
    book = rulebook(position)
    spent: dict[tuple[str, Any], int] = {}
    unsupported: set[str] = set()
    beyond: set[str] = set()
    began = position.unit(name)
    waiting, seen = [(position, True)], {(_bare(began), True)}
    while waiting:
        here, stays = waiting.pop()
        unit = here.unit(name)
        place = (unit.at, book.mode(unit))
        if unit.at is not None:
            spent[place] = min(spent.get(place, book.spent(unit)), book.spent(unit))
        for action in _alone(here, unit, goes_on=goes_on or stays):
            ruling = book.rule(here, action)
            if ruling.violations or (ruling.obligations and rolls == "avoid"):
                continue
            if ruling.unsupported:
                met = {v.clause for v in ruling.unsupported}
                lifted = any(book.clause(one).modelled for one in met)
                (beyond if lifted else unsupported).update(met)
                continue
            if ruling.obligations and passed(ruling.after) is None:
                unsupported.update(o.clause for o in ruling.obligations)
                continue
            after = ruling.after.unit(name)
            still = stays and after.at == began.at
            if (state := (_bare(after), still)) not in seen:
                seen.add(state)
                waiting.append((msgspec.structs.replace(ruling.after, pending=()), still))
    return Walked(spent, unsupported, beyond)
