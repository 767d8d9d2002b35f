"""The parts of cache keys for steps of reach: one function for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.tokens import token_of

if TYPE_CHECKING:
    from collections.abc import Hashable

    from marchtable.rules.rulebook import Rulebook
    from marchtable.state.position import Position

__all__ = ["circumstances", "outcome_key", "present_key", "seen_key"]


def circumstances(rulebook: Rulebook[Any, Any], position: Position[Any, Any]) -> Hashable:
    """
    Return the key part that is the same for all units: board, conditions, readings and rulebook.

    Occupants and switched-off clauses are separate parts. The side, the phase and the endings of
    others are in the rulebook's `mover`.
    """
    parts = (position.board.digest, rulebook.circumstances(position), position.readings)
    return (rulebook.name, rulebook.version, *parts)


def seen_key(ground: Hashable, seen: Hashable, *, whole_map: bool) -> int:
    """Return a token of the map at a crossing: of all of it if `whole_map`, else of what a mode sees."""
    return token_of((whole_map, ground if whole_map else seen))


def present_key(here: int | None, there: int | None, *, apart: bool) -> int:
    """Return a token for the occupants of a crossing's ends, and whether the unit is apart."""
    return token_of((here, there, apart))


def outcome_key(mode: Hashable, action: int, seen: int, present: int) -> tuple[Hashable, ...]:
    """
    Return the key of an action's outcome in a mode (or its number); the rest are tokens.

    Outcomes belong to a mover, whose own key holds the unit, the side and what sight rests on.
    """
    return (mode, action, seen, present)
