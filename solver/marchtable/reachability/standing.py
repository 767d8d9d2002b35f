"""The occupants of Locations, as far as they matter to an entering unit."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from marchtable.reachability.keys import present_key
from marchtable.tokens import token_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping

    from marchtable.reachability.compiler import Prober
    from marchtable.reachability.crossings import Crossing
    from marchtable.rules.rulebook import Rulebook
    from marchtable.rules.travel import Entrant
    from marchtable.state.position import Position, Unit

__all__ = [
    "OtherUnits",
    "Presences",
    "all_presences",
    "presences_of",
    "present_at",
    "single_presences",
]  # fmt: skip


class Presences:
    """
    The contents of each Location for an entrant, and the surroundings of each.

    Parameters
    ----------
    rulebook, position, entrant
        The rulebook, the position and the entrant.
    without
        A unit that is left out.

    Attributes
    ----------
    contents
        The contents of each non-empty Location.
    """

    def __init__(
        self, rulebook: Rulebook[Any, Any], position: Position[Any, Any], entrant: Entrant,
        without: Unit | None = None,
    ) -> None:  # fmt: skip
        found = rulebook.presences(position, entrant, without)
        self.contents = {at: there for at, there in found.items() if there is not None}
        self.rulebook, self.board, self.entrant = rulebook, position.board, entrant
        self._sided: dict[int, bool] = {}

    def follow(self, after: Position[Any, Any], places: Iterable[str]) -> None:
        """Pass data on to a position that differs only in Locations where units keep apart."""
        found = object.__new__(Presences)
        found.rulebook, found.board, found.entrant = self.rulebook, self.board, self.entrant
        found.contents, found._sided = dict(self.contents), self._sided
        for at in places:
            there = self.rulebook.presence(after, self.entrant, at, None)
            if there is not None:
                found.contents[at] = there
            else:
                found.contents.pop(at, None)
        all_presences(after)[self.entrant] = found

    @cached_property
    def tokens(self) -> dict[str, int]:
        """A token of the contents, by Location."""
        return {at: token_of(there) for at, there in self.contents.items()}

    @cached_property
    def token(self) -> int:
        """A token of all contents."""
        return token_of(frozenset(self.tokens.items()))

    @cached_property
    def around(self) -> Mapping[int, int]:
        """A token of the contents of a Location and its neighbours, by index, if not empty."""
        index = self.board.index
        near = {name for at in self.tokens for _, name in self.board.neighbours(at)}
        return {index[at]: self.surroundings(at) for at in near.union(self.tokens)}

    def surroundings(self, at: str, instead: Mapping[str, int | None] | None = None) -> int:
        """Return a token of a Location's contents (or `instead`) and its neighbours'."""
        tokens: Mapping[str, int | None] = {**self.tokens, **instead} if instead else self.tokens
        near = (at, *(name for _, name in self.board.neighbours(at)))
        return token_of(tuple([tokens.get(name) for name in near]))

    def has_sides(self, token: int | None, there: Hashable) -> bool:
        """Return whether the side matters on which something is."""
        if token is None:
            return False
        if token not in self._sided:
            self._sided[token] = self.rulebook.symmetry.has_sides(there)
        return self._sided[token]


def presences_of(
    rulebook: Rulebook[Any, Any], position: Position[Any, Any], entrant: Entrant
) -> Presences:
    """Return all contents for an entrant; cached per position."""
    known = all_presences(position)
    if entrant not in known:
        known[entrant] = Presences(rulebook, position, entrant)
    return known[entrant]


def all_presences(position: Position[Any, Any]) -> dict[Entrant, Presences]:
    """Return the contents for each entrant for whom all are known."""
    return position.__dict__.setdefault("presences", {})  # type: ignore[no-any-return]


def single_presences(position: Position[Any, Any]) -> dict[Entrant, dict[str, Hashable]]:
    """Return, for each entrant, the contents of single Locations that were asked for."""
    return position.__dict__.setdefault("single presences", {})  # type: ignore[no-any-return]


def present_at(
    rulebook: Rulebook[Any, Any], position: Position[Any, Any], entrant: Entrant, at: str
) -> Hashable:
    """Return the contents of one Location for an entrant, or None; other Locations are not examined."""
    whole = all_presences(position).get(entrant)
    if whole is not None:
        return whole.contents.get(at)
    some = single_presences(position).setdefault(entrant, {})
    if at not in some:
        some[at] = rulebook.presence(position, entrant, at, None)
    return some[at]


class OtherUnits:
    """
    The other units by place, for one unit.

    Parameters
    ----------
    presences
        The contents of Locations.
    ask
        Returns the prober for a place.
    home
        The unit's Location with its other contents, if they matter to the unit as it returns.
    ask_at_home
        Returns the prober for the return.
    apart
        A Location from which results may differ, because the unit itself is there.

    Attributes
    ----------
    name
        A key that distinguishes it from others.
    around
        As :attr:`Presences.around`, for this unit.
    """

    def __init__(
        self, presences: Presences, ask: Callable[[], Prober], *,
        home: tuple[str, Hashable] | None = None, ask_at_home: Callable[[], Prober] | None = None,
        apart: str | None = None,
    ) -> None:  # fmt: skip
        self._presences, self._ask, self._ask_at_home = presences, ask, ask_at_home
        self.name = (frozenset(presences.contents.items()), home, apart)
        self._home, self._apart = home, apart
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
            token = token_of(("apart", presences.surroundings(apart)))
            self.around = {**self.around, index[apart]: token}

    def present(self, crossing: Crossing) -> tuple[int, bool]:
        """Return a token of a crossing's occupants, and whether their side matters."""
        presences, apart = self._presences, crossing.a == self._apart
        here, meets = presences.contents.get(crossing.a), presences.contents.get(crossing.b)
        if self._comes_home(crossing):
            assert self._home is not None
            meets = self._home[1]
        tokens = [None if one is None else token_of(one) for one in (here, meets)]
        whole_map = apart or any(map(presences.has_sides, tokens, (here, meets)))
        return present_key(*tokens, apart=apart), whole_map

    def asking(self, crossing: Crossing) -> Prober:
        """Return the prober for a crossing."""
        if self._comes_home(crossing):
            assert self._ask_at_home is not None
            return self._ask_at_home()
        return self._ask()

    def _comes_home(self, crossing: Crossing) -> bool:
        return self._home is not None and crossing.b == self._home[0] != crossing.a
