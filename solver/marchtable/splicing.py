"""Arcs of a space, sorted by the state they lead from; some of another's put in their stead."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int32]

__all__ = ["Arcs", "arcs_of", "spliced"]


class Arcs(NamedTuple):
    """
    Arcs by the state that they lead from.

    Parameters
    ----------
    indptr
        Those of state s are ``indptr[s]`` to ``indptr[s + 1]``.
    target, way
        The state that each leads to, and the number of its way.
    """

    indptr: Ints
    target: Ints
    way: Ints


def arcs_of(source: Ints, target: Ints, way: Ints, size: int) -> Arcs:
    """Return arcs that are sorted already, of a space of so many states."""
    import numpy as np

    counts = np.bincount(source, minlength=size)
    return Arcs(_ends_of(counts), target, way)


def _ends_of(counts: npt.NDArray[np.int64]) -> Ints:
    import numpy as np

    found = np.zeros(len(counts) + 1, np.int32)
    np.cumsum(counts, out=found[1:])
    return found


def spliced(arcs: Arcs, places: Ints, width: int, source: Ints, target: Ints, way: Ints) -> Arcs:
    """
    Return the arcs with those out of some places replaced by others, sorted already.

    Parameters
    ----------
    arcs
        All as they were.
    places, width
        The places, in rising order, and how many states, one after another, each is.
    source, target, way
        The arcs out of them.
    """
    import numpy as np

    counts = np.diff(arcs.indptr)
    states = (places[:, None] * width + np.arange(width)).ravel()
    counts[states] = np.bincount(source, minlength=len(counts))[states]
    begin, end = arcs.indptr[places * width].tolist(), arcs.indptr[(places + 1) * width].tolist()
    after = np.searchsorted(source, (places + 1) * width).tolist()
    pieces, old, new = [], 0, 0
    for one, two, three in zip(begin, end, after, strict=True):
        pieces += [(0, old, one), (1, new, three)]
        old, new = two, three
    pieces.append((0, old, len(arcs.way)))

    def joined(was: Ints, now: Ints) -> Ints:
        return np.concatenate([(was, now)[which][a:b] for which, a, b in pieces])

    return Arcs(_ends_of(counts), joined(arcs.target, target), joined(arcs.way, way))
