"""Data that a position passes on to the position after an action, so that it is not recomputed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.arguments import public
from marchtable.checking import Checks, hold
from marchtable.reachability.standing import Presences, all_presences, single_presences
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from marchtable.board.board import Board
    from marchtable.rules.ruling import Ruling
    from marchtable.rules.travel import Entrant
    from marchtable.state.action import Action
    from marchtable.state.position import Position

__all__ = ["after", "follow", "ruled"]

MOST_COMPARED = 50
"""Locations; if more might have changed, nothing is passed on."""


def ruled(position: Position[Any, Any], action: Action) -> Ruling:
    """Return the ruling on an action, and pass unchanged data on to the position after it."""
    ruling = find_rulebook(position.rulebook).rule(position, action)
    if ruling.after is not None:
        follow(position, ruling.after)
    return ruling


@public
def after(position: Position[Any, Any], action: Action) -> Position[Any, Any]:
    """Return the position that a legal action leads to."""
    return ruled(position, action).after  # type: ignore[no-any-return]


def follow(before: Position[Any, Any], after: Position[Any, Any]) -> None:
    """Pass on to a position what is known of units' places and actions, as far as unchanged."""
    rulebook = find_rulebook(before.rulebook)
    whole, single = all_presences(before), single_presences(before)
    menus: dict[Any, Any] = before.__dict__.get("menus", {})
    same = (
        (whole or single)
        and len(before.units) == len(after.units)
        and before.board is after.board
        and before.conditions == after.conditions
        and before.counters == after.counters
        and before.readings == after.readings
    )
    if not same:
        return
    stood: set[str | None] = set()  # includes None, off the map
    for a, b in zip(before.units, after.units, strict=True):
        if a is not b:
            stood.update((a.at, b.at))
    places: set[str] = {at for at in stood if at is not None}
    entrants = {rulebook.entrant(before, unit) for unit, *_ in menus.values()}
    for entrant in {*whole, *single, *entrants}:
        changed = _changed_beyond(before, after, entrant)
        if changed is None:
            return
        places.update(changed)
    for entrant, held in single.items():
        single_presences(after)[entrant] = {
            at: there for at, there in held.items() if at not in places
        }
    for entrant, presences in whole.items():
        presences.follow(after, places)
        if Checks.on:
            handed, anew = all_presences(after)[entrant], Presences(rulebook, after, entrant)
            both = (handed.contents, anew.contents)
            hold("who stands where", *both, key=places, position=after, action=entrant.side)
    if menus:
        near = stood.union(places, *(_near(before.board, at) for at in places))
        index, units = before.index, after.units
        after.__dict__["menus"] = {
            key: menu
            for key, menu in menus.items()
            if menu[0].at not in near
            and units[index[key[-1]]] is menu[0]
            and menu[1] == rulebook.distant_facts(after, menu[0])
        }


def _changed_beyond(
    before: Position[Any, Any], after: Position[Any, Any], entrant: Entrant
) -> list[str] | None:
    """
    Return the Locations beyond those of changed units whose contents have changed for an entrant.

    None if there are too many to compare.
    """
    rulebook = find_rulebook(before.rulebook)
    found: set[str] = set()
    for position in (before, after):
        found.update(rulebook.affected(position, entrant))
        if len(found) > MOST_COMPARED:
            return None
    return [
        at
        for at in found
        if rulebook.presence(before, entrant, at, None)
        != rulebook.presence(after, entrant, at, None)
    ]


def _near(board: Board, at: str) -> frozenset[str]:
    """Return the Locations adjacent to one."""
    known: dict[str, frozenset[str]] = board.notes.setdefault("near", {})
    if at not in known:
        known[at] = frozenset(name for _, name in board.neighbours(at))
    return known[at]
