"""Who stands where, as far as it matters to a unit that comes there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.successors import Present
from marchtable.tokens import token_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

    from marchtable.compiler import Prober
    from marchtable.crossings import Crossing
    from marchtable.position import Position, Unit
    from marchtable.rulebook import Rulebook

__all__ = ["Presences", "Standing", "presences_of"]


class Presences:
    """
    What stands in each Location for a side, and the surroundings of each.

    Parameters
    ----------
    rulebook, position, side
        Whose rules, where, and for whom.
    without
        A unit that is left out.

    Attributes
    ----------
    there
        What stands in a Location, where something does.
    tokens
        A token of that.
    token
        A token of all of it.
    around
        A token of what stands in a Location and next to it, by its index, where something does.
    """

    def __init__(
        self, rulebook: Rulebook[Any, Any], position: Position[Any, Any], side: str,
        without: Unit | None = None,
    ) -> None:  # fmt: skip
        found = rulebook.presences(position, side, without)
        self.there = {at: there for at, there in found.items() if there is not None}
        self.tokens = {at: token_of(there) for at, there in self.there.items()}
        self.rulebook, self.board = rulebook, position.board
        self.token = token_of(frozenset(self.tokens.items()))
        self._sided: dict[int, bool] = {}
        index = self.board.index
        near = {name for at in self.tokens for _, name in self.board.neighbours(at)}
        self.around = {index[at]: self.surroundings(at) for at in near.union(self.tokens)}

    def surroundings(self, at: str, instead: Mapping[str, int | None] | None = None) -> int:
        """Return a token of what stands in a Location and next to it, or does there instead."""
        tokens: Mapping[str, int | None] = {**self.tokens, **instead} if instead else self.tokens
        near = (at, *(name for _, name in self.board.neighbours(at)))
        return token_of(tuple([tokens.get(name) for name in near]))

    def has_sides(self, token: int | None, there: Hashable) -> bool:
        """Tell whether it matters on which side something stands."""
        if token is None:
            return False
        if token not in self._sided:
            self._sided[token] = self.rulebook.has_sides(there)
        return self._sided[token]


def presences_of(
    rulebook: Rulebook[Any, Any], position: Position[Any, Any], side: str
) -> Presences:
    """Return what stands where for a side, found once for a position."""
    name = f"present {side}"
    known: Presences | None = position.__dict__.get(name)
    if known is None:
        known = position.__dict__[name] = Presences(rulebook, position, side)
    return known


class Standing:
    """
    Who stands where for one unit.

    Parameters
    ----------
    presences
        What stands where.
    ask
        Returns whom to ask what may be done there.
    home
        Where the unit stands, if what stands there without it, if anything, meets it as it comes
        back; and that.
    ask_at_home
        Returns whom to ask what it may do as it comes back.
    apart
        A Location out of which things may be otherwise, for the unit itself stands there.
    """

    def __init__(
        self, presences: Presences, ask: Callable[[], Prober], *,
        home: tuple[str, Hashable] | None = None, ask_at_home: Callable[[], Prober] | None = None,
        apart: str | None = None,
    ) -> None:  # fmt: skip
        self._presences, self._ask, self._ask_at_home = presences, ask, ask_at_home
        self.token = (presences.token, home, apart)
        self._home, self._apart = home, apart
        self._known: dict[tuple[str, str], Present] = {}
        self.around: Mapping[int, int] = presences.around
        index, board = presences.board.index, presences.board
        if home is not None:
            at, there = home
            instead = {at: None if there is None else token_of(there)}
            near = [name for _, name in board.neighbours(at)]
            self.around = {
                **self.around, **{index[n]: presences.surroundings(n, instead) for n in near}
            }  # fmt: skip
        if apart is not None:
            told = token_of(("apart", presences.surroundings(apart)))
            self.around = {**self.around, index[apart]: told}

    def present(self, crossing: Crossing) -> Present:
        """Return who stands at a crossing."""
        key = (crossing.a, crossing.b)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._found(crossing.a, crossing.b)
        return found

    def _found(self, a: str, b: str) -> Present:
        told, ask = self._presences, self._ask
        here, there = told.tokens.get(a), told.tokens.get(b)
        meets = told.there.get(b)
        if self._home is not None and b == self._home[0] and a != b:
            meets = self._home[1]
            there = None if meets is None else token_of(meets)
            assert self._ask_at_home is not None
            ask = self._ask_at_home
        apart = a == self._apart
        wide = (
            apart or told.has_sides(here, told.there.get(a)) or told.has_sides(there, meets)
        )  # fmt: skip
        return Present(token_of((here, there, apart)), wide, ask)
