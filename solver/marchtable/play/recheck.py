"""A unit's choices from the referee alone, to check cached lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.checking import hold
from marchtable.rules.candidates import candidates, is_worth_ruling
from marchtable.rules.generator import choice_of
from marchtable.rules.generator import legal_actions as tried_actions
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.play.entries import CachedChoice
    from marchtable.state.action import Action
    from marchtable.state.position import Position, Unit

__all__ = ["closed_anew", "hold_closings", "hold_menu"]


def closed_anew(
    position: Position[Any, Any], action: Action, first: str | None
) -> tuple[Action, ...]:
    """Return all actions that close an opened one; `first` is as in the generator."""
    rulebook = find_rulebook(position.rulebook)
    found, waiting = [], [choice_of(rulebook, position, action, first)]
    while waiting:
        choice = waiting.pop()
        joint = rulebook.joint(position, choice.action)
        if choice.closes and not (joint and joint.is_repeated):
            found.append(choice.action)
        if choice.joins:
            waiting += tried_actions(position, first, opened=choice.action)[::-1]
    return tuple(found)


def _forgetful(position: Position[Any, Any]) -> Position[Any, Any]:
    """Return an equal position without cached data."""
    return msgspec.structs.replace(position)


def hold_menu(
    position: Position[Any, Any], unit: Unit, entries: Sequence[CachedChoice], first: str | None
) -> None:
    """
    Judge all candidates of a unit, and compare with its list.

    Raises
    ------
    WrongMemoryError
        If a listed action is not legal, or a legal one is not listed.
    """
    here, rulebook = _forgetful(position), find_rulebook(position.rulebook)
    ruled = {}
    for action in candidates(rulebook, here, unit):
        if not rulebook.is_idle(here, unit, action) and is_worth_ruling(rulebook, here, action):
            choice = choice_of(rulebook, here, action, first)
            if choice.closes or choice.joins:
                ruled[action] = (choice.closes, choice.joins)
    listed = {entry.action: (entry.closes, entry.joins) for entry in entries}
    for action in {**listed, **ruled}:
        both = (listed.get(action), ruled.get(action))
        hold("legal actions", *both, key=_key(position, unit), position=position, action=action)
    orders = ([*listed], [*ruled])
    hold("order of legal actions", *orders, key=unit.id, position=position, action="all")


def _key(position: Position[Any, Any], unit: Unit) -> Any:
    rulebook = find_rulebook(position.rulebook)
    return rulebook.equivalence(position, unit), rulebook.distant_facts(position, unit)


def hold_closings(position: Position[Any, Any], entry: CachedChoice, first: str | None) -> None:
    """Close an opened action in every way anew, and compare with the cached ways."""
    ruled = closed_anew(_forgetful(position), entry.action, first)
    key = position.key()
    hold("closed actions", entry.closings, ruled, key=key, position=position, action=entry.action)
