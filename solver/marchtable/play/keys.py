"""Keys for cached lists of possible actions: one function for each sort of key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.rules.clause import switched_off
from marchtable.rules.rulebook import find_rulebook
from marchtable.tokens import token_of

if TYPE_CHECKING:
    from collections.abc import Hashable

    from marchtable.rules.equivalence import Equivalence
    from marchtable.state.position import Position, Unit

__all__ = ["listed_key", "menu_key", "setting_of"]


def setting_of(position: Position[Any, Any]) -> int:
    """Return a token of everything outside the position on which legal actions depend."""
    known, off = position.__dict__.get("list setting"), switched_off()
    if known is None or known[0] is not off:
        rulebook = find_rulebook(position.rulebook)
        setting = (position.board.digest, rulebook.name, rulebook.version, position.readings, off)
        known = position.__dict__["list setting"] = (off, token_of(setting))
    return int(known[1])


def listed_key(position: Position[Any, Any], unit: Unit, *, named: bool) -> tuple[int, bool, str]:
    """Return the key of a unit's list while nothing near changes; `named`: only it was asked."""
    return (setting_of(position), named, unit.id)


def menu_key(
    position: Position[Any, Any], like: Equivalence, *, named: bool
) -> tuple[Hashable, ...]:
    """Return the key of a list under the names of units and Locations."""
    towards = like.towards
    own = (like.beside, like.here, like.other_verbs_key)
    return (setting_of(position), named, *own, *towards, *towards.values())
