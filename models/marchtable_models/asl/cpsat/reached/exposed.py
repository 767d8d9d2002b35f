"""Reach among fewer ways: none back home, and of those that cost the same the least exposed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.kernel import search_batch
from marchtable.space import Reached, Space

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable.compiled import CompiledSpace

    Ints = npt.NDArray[np.int32]

__all__ = ["exposure_of", "reached_by"]

BITS = 32  # that a state and what a step costs share, see Space


class Exposed:
    """
    A space in which a half point counts for more than all threats together.

    Parameters
    ----------
    space
        Says what its states are.
    plain
        That space, or one of its states and arcs with fewer ways.
    threat
        What coming into Locations adds to exposure.

    Attributes
    ----------
    parts
        How many parts a half point has here, each a threat of 1; 1 where there is no room for more.
    """

    def __init__(self, space: CompiledSpace, plain: Space, threat: Mapping[str, int]) -> None:
        import numpy as np

        width = len(space.modes)
        self.parts = _parts(plain, threat)
        met = np.zeros(len(space.board), np.int64)
        for name, number in threat.items():
            met[space.board.index[name]] = number
        self._met, self._width = met, width
        source = np.repeat(np.arange(len(plain.limit)), np.diff(plain.indptr)) // width
        into = plain.target // width
        more = np.where(source == into, 0, met[into]) if self.parts > 1 else np.int64(0)
        self.space = Space(
            plain.indptr, plain.target, (plain.cost * np.int64(self.parts) + more).astype(np.int32),
            self.limits(plain.limit), plain.end_indptr, plain.end_target,
            self.limits(plain.end_before),
        )  # fmt: skip

    def limits(self, limit: Ints) -> Ints:
        """Return limits in half points as they are here."""
        import numpy as np

        last = self.parts - 1
        told: Ints = np.where(limit < 0, limit, limit * np.int64(self.parts) + last).astype(
            np.int32
        )
        return told

    def start(self, state: int, spent: int, *, comes_on: bool) -> int:
        """Return what has been spent in a state that a search starts from, as it is here."""
        more = self._met[state // self._width] if comes_on and self.parts > 1 else 0
        return int(spent * self.parts + more)

    def plain(self, found: Reached) -> Reached:
        """Return what a search here has found, in half points; ``exposed`` is what was met on the way."""
        table = found.table.copy()
        exposed = table[1] % self.parts
        table[1] //= self.parts
        told = Reached(table, self.space.indptr, self.space.end_indptr, found.watched)
        told.__dict__["exposed"] = exposed
        return told


def _parts(space: Space, threat: Mapping[str, int]) -> int:
    """Return more parts than all threats are, met twice even, or 1 if states and costs leave no room."""
    parts = 1 + 2 * sum(threat.values())
    dearest = (space.dearest + 1) * parts
    most = (int(space.limit.max(initial=0)) + 1) * parts
    fits = (space.size << dearest.bit_length()) <= 2**BITS and most < 2 ** (BITS - 2)
    return parts if fits else 1


def exposure_of(found: Any) -> Any:
    """Return what was met on the way to each state found, 0 where nobody looked."""
    import numpy as np

    none = np.zeros(len(found), np.int32)
    return found.__dict__.get("exposed", none)


def reached_by(
    space: CompiledSpace, starts: Sequence[tuple[int, ...]], costs: Sequence[tuple[int, ...]],
    limits: Sequence[Any] | None, threat: Mapping[str, int] | None, comes_on: Sequence[bool], *,
    left: str | None = None,
) -> list[Reached]:  # fmt: skip
    """
    Return what is reached from some starts each, of equally cheap ways by the least exposed.

    Parameters
    ----------
    space
        The space.
    starts, costs
        The states that each search starts from, and half points spent there.
    limits
        Limits of each, if not the space's own.
    threat
        What coming into Locations adds to exposure.
    comes_on
        Whether each comes into its first Location, from off the map.
    left
        A Location that may be left, but not entered.
    """
    known: dict[Any, Any] = space.__dict__.setdefault("drawn apart", {})
    plain = space.space
    if left is not None:
        if left not in known:
            known[left] = _never_back(space, left)
        plain = known[left]
    if not threat:
        return search_batch(plain, starts, costs, limits)
    drawn: Exposed | None = known.get(key := (left, *threat.items()))
    if drawn is None:
        drawn = known[key] = Exposed(space, plain, threat)
    told = None if limits is None else [drawn.limits(limit) for limit in limits]
    apart = [
        tuple(drawn.start(n, one, comes_on=comes) for n, one in zip(states, spent, strict=True))
        for states, spent, comes in zip(starts, costs, comes_on, strict=True)
    ]
    return [drawn.plain(one) for one in search_batch(drawn.space, starts, apart, told)]


def _never_back(space: CompiledSpace, left: str) -> Space:
    """Return the space with no way into a Location from another; such arcs lead nowhere."""
    import numpy as np

    arcs, width = space.space, len(space.modes)
    home, states = space.board.index[left], np.arange(len(space.space.limit), dtype=np.int32)
    source, last = (np.repeat(states, np.diff(ptr)) for ptr in (arcs.indptr, arcs.end_indptr))
    back = (arcs.target // width == home) & (source // width != home)
    ends = (arcs.end_target // width == home) & (last // width != home)
    return Space(
        arcs.indptr, np.where(back, source, arcs.target), arcs.cost, arcs.limit,
        arcs.end_indptr, arcs.end_target, np.where(ends, np.int32(-1), arcs.end_before),
    )  # fmt: skip
