"""Reach among fewer ways: none back home, and of those that cost the same the least exposed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.reachability.kernel import search_batch
from marchtable.reachability.space import Reached, Space, unsigned

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable.reachability.compiled import CompiledSpace, Limits

    Ints = npt.NDArray[np.int32]

__all__ = ["exposure_of", "reached_by"]

MOST_DRAWN = 4  # kept of one space
BITS = 32  # that a state and what a step costs share, see Space


class _Drawn(NamedTuple):
    """
    A space with fewer ways, in which a half point counts for more than all threats together.

    Parameters
    ----------
    space
        It.
    parts
        How many parts a half point has here, each a threat of 1; 1 where there is no room for more.
    met
        What coming into the Location of each state adds to exposure, in parts.
    """

    space: Space
    parts: int
    met: npt.NDArray[np.int64]


def _drawn(plain: Space, at: Ints, threat: Mapping[int, int], left: int | None) -> _Drawn:
    """
    Return a space with the arcs of another one, but for some.

    Parameters
    ----------
    plain, at
        The other, and the Location of each of its states.
    threat
        What coming into Locations adds to exposure.
    left
        A Location into which nothing leads from another; such arcs lead nowhere.
    """
    import numpy as np

    source = np.zeros(len(plain.target), np.int32)
    for first, last in ((plain.first, plain.middle), (plain.middle, plain.last)):
        counts = np.maximum(0, last - first)
        arcs = np.arange(int(counts.sum())) + np.repeat(first - np.cumsum(counts) + counts, counts)
        source[arcs] = np.repeat(np.arange(len(first), dtype=np.int32), counts)
    here, target = at[source], plain.target
    if left is not None:
        target = np.where((at[target] == left) & (here != left), source, target)
    dearest, most = int(plain.cost.max(initial=0)), int(plain.limit.max(initial=0))
    parts = 1 + 2 * sum(threat.values())
    bits = ((dearest + 1) * parts).bit_length()
    if (plain.size << bits) > 2**BITS or (most + 1) * parts >= 2 ** (BITS - 2):
        parts, bits = 1, dearest.bit_length()
    met = np.zeros(int(at.max(initial=0)) + 1, np.int64)
    if parts > 1:
        some = {where: number for where, number in threat.items() if where < len(met)}
        met[[*some]] = [*some.values()]
    met = met[at]
    cost = plain.cost * np.int64(parts) + np.where(here == at[target], 0, met[target])
    cost = cost.astype(np.int32)
    packed = unsigned(target) << np.uint32(bits) | unsigned(cost)
    space = Space(
        plain.first, plain.middle, plain.last, target, cost, _in_parts(plain.limit, parts),
        plain.source, (packed, bits), plain.numbers,
    )  # fmt: skip
    return _Drawn(space, parts, met)


def _in_parts(limit: Ints, parts: int) -> Ints:
    """Return limits in half points as they are in parts of these."""
    import numpy as np

    told: Ints = np.where(limit < 0, limit, limit * np.int64(parts) + parts - 1).astype(np.int32)
    return told


def exposure_of(found: Any) -> Any:
    """Return what was met on the way to each state found, 0 where nobody looked."""
    import numpy as np

    none = np.zeros(len(found), np.int32)
    return found.__dict__.get("exposed", none)


def reached_by(
    space: CompiledSpace, starts: Sequence[tuple[int, ...]], costs: Sequence[tuple[int, ...]],
    limits: Limits | None, threat: Mapping[str, int] | None, comes_on: Sequence[bool], *,
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
        Limits of all, if not the space's own.
    threat
        What coming into Locations adds to exposure.
    comes_on
        Whether each comes into its first Location, from off the map.
    left
        A Location that may be left, but not entered.
    """
    every = [limits] * len(starts)
    if left is None and not threat:
        return space.search(starts, costs, every)
    asked, costs = costs, space.payable(starts, costs)
    plain, numbers, rows = space.complete(starts, costs, every)
    at = numbers // space.width
    index = space.board.index
    key = ("drawn", left, *(threat or {}).items())
    known, drawn = space.notes.get(key, (None, None))
    if known is not plain:
        told = {index[name]: number for name, number in (threat or {}).items()}
        drawn = _drawn(plain, at, told, None if left is None else index[left])
        old = [one for one in space.notes if isinstance(one, tuple) and one[0] == "drawn"]
        for one in old[: len(old) - MOST_DRAWN + 1]:
            space.notes.pop(one, None)
        space.notes[key] = (plain, drawn)
    limit = None if limits is None else _in_parts(limits.array(at, plain.limit), drawn.parts)
    apart = [
        [
            spent * drawn.parts + (int(drawn.met[row]) if comes else 0)
            for row, spent in zip(some, paid, strict=True)
        ]
        for some, paid, comes in zip(rows, costs, comes_on, strict=True)
    ]
    found = search_batch(drawn.space, rows, apart, [limit] * len(rows))
    found = [_told(one, drawn.parts) for one in found]
    return [space.overdrawn(*one) for one in zip(found, starts, asked, strict=True)]


def _told(found: Reached, parts: int) -> Reached:
    """Return what a search has found, in half points; ``exposed`` is what was met on the way."""
    import numpy as np

    table = np.stack([found.state, found.spent // parts, found.arc])
    told = Reached(table, found.source, found.rows)
    told.__dict__["exposed"] = found.spent % parts
    return told
