"""Data that a position passes on to the position after an action, so that it is not recomputed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.arguments import public
from marchtable.checking import Checks, hold
from marchtable.reachability.standing import Presences
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from marchtable.board.board import Board
    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action
    from marchtable.state.position import Position

__all__ = ["after", "follow", "ruled"]


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
    rulebook, units = find_rulebook(before.rulebook), after.units
    known = [name for name in before.__dict__ if name.startswith("presen")]
    if not known or len(before.units) != len(units):
        return
    same = (
        before.board is after.board
        and before.conditions == after.conditions
        and before.counters == after.counters
        and before.readings == after.readings
    )
    if not same:
        return
    places: set[str] = set()
    stood: set[str | None] = set()  # includes None, off the map
    for a, b in zip(before.units, units, strict=True):
        if a is not b:
            was, now = rulebook.felt_in(before, a), rulebook.felt_in(after, b)
            if was is None or now is None:
                return
            places.update(was, now)
            stood.update((a.at, b.at))
    for name in known:
        held = before.__dict__[name]
        if isinstance(held, dict):
            after.__dict__[name] = {at: there for at, there in held.items() if at not in places}
        else:
            held.follow(after, places)
            if Checks.on:
                handed, anew = after.__dict__[name], Presences(rulebook, after, held.side)
                both = (handed.contents, anew.contents)
                hold("who stands where", *both, key=places, position=after, action=held.side)
    menus = before.__dict__.get("menus")
    if menus:
        near = stood.union(places, *(_near(before.board, at) for at in places))
        index = before.index
        after.__dict__["menus"] = {
            key: menu
            for key, menu in menus.items()
            if menu[0].at not in near
            and units[index[key[-1]]] is menu[0]
            and menu[1] == rulebook.distant_facts(after, menu[0])
        }


def _near(board: Board, at: str) -> frozenset[str]:
    """Return the Locations adjacent to one."""
    known: dict[str, frozenset[str]] = board.notes.setdefault("near", {})
    if at not in known:
        known[at] = frozenset(name for _, name in board.neighbours(at))
    return known[at]
