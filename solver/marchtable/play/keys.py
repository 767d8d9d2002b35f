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

__all__ = ["about_of", "listed_key", "menu_key"]


def about_of(position: Position[Any, Any]) -> int:
    """Return a token of everything outside the position on which legal actions depend."""
    known, off = position.__dict__.get("about"), switched_off()
    if known is None or known[0] is not off:
        rulebook = find_rulebook(position.rulebook)
        about = (position.board.digest, rulebook.name, rulebook.version, position.readings, off)
        known = position.__dict__["about"] = (off, token_of(about))
    return int(known[1])


def listed_key(position: Position[Any, Any], unit: Unit, *, named: bool) -> tuple[int, bool, str]:
    """Return the key of a unit's list while nothing near changes; `named`: only it was asked."""
    return (about_of(position), named, unit.id)


def menu_key(
    position: Position[Any, Any], like: Equivalence, *, named: bool
) -> tuple[Hashable, ...]:
    """Return the key of a list under the names of units and Locations."""
    towards = like.towards
    own = (like.beside, like.here, like.company)
    return (about_of(position), named, *own, *towards, *towards.values())
