"""
Whether a road crosses a hexside, or runs along it.

**A road crosses a hexside if it leads on into both hexes.** Each stretch of road on the hexside
itself is followed into either hex. A road across leads on at least 0.3 times as deep as the stretch
is long, or 0.4 times if that is half the hexside; one that runs along the hexside or bulges over it
does not. A stretch at a corner, where three hexsides meet, belongs to the one that the road crosses
or runs along; if there is none, the hexside where it leads on furthest is crossed.

Of the 893 stretches on eleven boards, those of roads across lead on at least 0.39 of their length,
nearly all of them to the last line; those of roads along, at most 0.16. The share of the hexside
that a road covers says little: from 21 % where it crosses, narrow or aslant. Stretches at a corner
have their middle within 0.16 of it if the road belongs to another hexside, else at 0.24 or more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

__all__ = ["LINES", "REACH", "SAMPLES", "Stretch", "by_corners", "runs", "stretches"]

SAMPLES = 48
"""The number of points on a line along a hexside."""
REACH = 0.25
"""How far into either hex roads are followed, in hex heights."""
LINES = 33
"""The number of lines between these two depths."""
_LEAST = 0.12
_LEADS_ON = 0.3
_LEADS_ON_WIDE = 0.4
_WIDE = 0.5
_OFF_CORNER = 0.2
_ALONG = 0.8
_ENDS = 0.25
_TOUCHING = 1.5 / SAMPLES

Flags = npt.NDArray[np.bool_]
Side = tuple[int, int]
Corner = tuple[int, int]


class Stretch(msgspec.Struct, frozen=True, order=True):
    """
    An unbroken stretch of road on a hexside.

    Parameters
    ----------
    start, end
        Its beginning and end on the hexside, from 0 to 1.
    depth
        How far the road leads on into the hex in which it leads less far, in lengths of the
        hexside.
    """

    start: float
    end: float
    depth: float

    @property
    def length(self) -> float:
        """Its length."""
        return self.end - self.start

    @property
    def touches(self) -> tuple[bool, bool]:
        """Whether it touches the first and the second corner of the hexside."""
        return self.start <= _TOUCHING, self.end >= 1 - _TOUCHING

    @property
    def leads_on(self) -> bool:
        """Whether it leads on into both hexes."""
        least = _LEADS_ON_WIDE if self.length >= _WIDE else _LEADS_ON
        return self.length >= _LEAST and self.depth >= least * self.length

    @property
    def crosses(self) -> bool:
        """Whether it belongs, by itself, to a road across the hexside."""
        middle = (self.start + self.end) / 2
        off_corner = _OFF_CORNER <= middle <= 1 - _OFF_CORNER
        return self.leads_on and (off_corner or not any(self.touches))

    @property
    def is_along(self) -> bool:
        """Whether it belongs to a road along the hexside."""
        return self.length >= _ALONG and not self.leads_on


def by_corners(
    found: Mapping[Side, Sequence[Stretch]], ends: Callable[[Side], tuple[Corner, Corner]]
) -> dict[Side, Stretch]:
    """
    Return the stretches that cross at a corner where no other road crosses or runs along.

    Parameters
    ----------
    found
        The stretches of each hexside.
    ends
        Returns the two corners of a hexside.
    """
    settled: set[Corner] = set()
    open_: dict[Corner, list[tuple[float, float, Side, Stretch]]] = {}
    for side, measured in found.items():
        for one in measured:
            corners = [at for at, touched in zip(ends(side), one.touches, strict=True) if touched]
            if one.crosses or one.is_along:
                settled.update(corners)
            elif one.leads_on:
                for at in corners:
                    open_.setdefault(at, []).append((one.depth, one.length, side, one))
    chosen = (max(open_[at]) for at in open_.keys() - settled)
    return {side: one for _, _, side, one in chosen}


def stretches(road: Flags, over: Flags, step: float) -> Iterator[Stretch]:
    """
    Yield the stretches of road on a hexside, the longest first.

    Parameters
    ----------
    road
        Road pixels, ``[line, sample]``, the hexside itself being the middle line.
    over
        Pixels of features printed over roads, which may continue beneath.
    step
        From line to line, in lengths of the hexside.
    """
    middle = len(road) // 2
    ways = road | over
    for start, end in runs(road[middle]):
        depth = min(_led_on(ways[middle::outward], start, end) for outward in (1, -1))
        yield Stretch(start / SAMPLES, end / SAMPLES, depth * step)


def _led_on(ways: Flags, start: int, end: int) -> int:
    """
    Return the number of lines over which a road continues from a stretch of the first.

    From a stretch as long as the hexside, the middle must continue: the ends of a road along the
    hexside turn off into either hex.
    """
    if end - start >= _ALONG * SAMPLES:
        cut = round(_ENDS * SAMPLES)
        ways, start, end = ways[:, cut:-cut], 0, SAMPLES - 2 * cut
    reached = [(start, end)]
    for number, line in enumerate(ways[1:]):
        reached = [
            (a, b) for a, b in runs(line) if any(a <= far and near <= b for near, far in reached)
        ]
        if not reached:
            return number
    return len(ways) - 1


def runs(flags: Flags) -> list[tuple[int, int]]:
    """Return the unbroken runs of True as ``(start, end)``, longest first."""
    if not flags.any():
        return []
    edges = np.flatnonzero(np.diff(np.concatenate(([0], flags.view(np.int8), [0]))))
    found = [(int(start), int(end)) for start, end in zip(edges[::2], edges[1::2], strict=True)]
    return sorted(found, key=lambda run: (run[0] - run[1], run[0]))
