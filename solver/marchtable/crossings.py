"""The crossings of a board, grouped by what the map, and who stands there, tell of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    import numpy as np
    import numpy.typing as npt

    from marchtable.board import Board
    from marchtable.rulebook import Rulebook

    Ints = npt.NDArray[np.int32]

__all__ = ["Crossings", "crossings_of", "group_key"]


class Crossings:
    """
    Every Location (as a crossing to itself) and crossing of a board, grouped by its facts.

    Attributes
    ----------
    pairs
        Names of the two Locations.
    ends
        Their indices, one row each.
    kinds, plain
        Number of each crossing's group, into ``facts``; those groups where nobody stands.
    by_place
        Crossings out of or into each Location.
    """

    def __init__(self, rulebook: Rulebook[Any, Any], board: Board) -> None:
        import numpy as np

        self.pairs = [
            (a, b) for a in board.index for b in (a, *(name for _, name in board.neighbours(a)))
        ]
        numbers: dict[Hashable, int] = {}
        self.facts: list[Hashable] = []
        kinds = []
        self.by_place: dict[str, list[int]] = {name: [] for name in board.index}
        for number, (a, b) in enumerate(self.pairs):
            facts = (a == b, rulebook.ground(board, a, b))
            if facts not in numbers:
                numbers[facts] = len(numbers)
                self.facts.append(facts)
            kinds.append(numbers[facts])
            for name in {a, b}:
                self.by_place[name].append(number)
        self.plain = [group_key(facts) for facts in self.facts]
        self.kinds = np.array(kinds, np.int32)
        self.ends = np.array([(board.index[a], board.index[b]) for a, b in self.pairs], np.int32)

    def groups(
        self, present: Mapping[str, Hashable], apart: str | None = None
    ) -> tuple[list[tuple[Any, Hashable]], Ints]:
        """
        Return the facts of each group given who stands where, and each crossing's group.

        Crossings out of the Location `apart` get groups of their own: what may be done there may
        depend on the unit's standing in that very place.
        """
        groups = [*self.plain]
        if not present and apart is None:
            return groups, self.kinds
        kinds = self.kinds.copy()
        numbers: dict[Hashable, int] = {}
        touched = {n for name in (*present, apart) if name for n in self.by_place[name]}
        for number in sorted(touched):
            a, b = self.pairs[number]
            facts = self.facts[self.kinds[number]]
            key = group_key(facts, present.get(a), present.get(b), apart=a == apart)
            if key not in numbers:
                numbers[key] = len(groups)
                groups.append(key)
            kinds[number] = numbers[key]
        return groups, kinds


def group_key(
    facts: Hashable, here: Hashable = None, there: Hashable = None, *, apart: bool = False
) -> tuple[Any, Hashable]:
    """Return what tells a group: facts of the map; who stands at both ends, whether it is apart."""
    return (facts, (here, there, apart))


_CROSSINGS: WeakKeyDictionary[Board, dict[str, Crossings]] = WeakKeyDictionary()


def crossings_of(rulebook: Rulebook[Any, Any], board: Board) -> Crossings:
    """Return the grouped crossings of a board under a rulebook, made once."""
    known = _CROSSINGS.setdefault(board, {})
    name = f"{rulebook.name} {rulebook.version}"
    if name not in known:
        known[name] = Crossings(rulebook, board)
    return known[name]
