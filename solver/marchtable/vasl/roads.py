"""Whether a road crosses a hexside, or runs along it.

**A road crosses a hexside where it leads on into both hexes.** Each stretch of road on the hexside
itself is followed into either hex: a road across it leads on at least a third as deep as the stretch
is long, one that runs along it or bulges over it does not. A stretch at a corner is another
hexside's unless its middle lies well off that corner.

Of the 890 stretches on eleven boards those of roads across lead on 0.39 of their length or more,
nearly all of them to the last line; those of roads along 0.19 or less. How much of the hexside a
road covers tells little: 21 % and up where it crosses, narrow or aslant. At a corner stretches lie
with their middle within 0.16 of it where a road passes through the corner, and at 0.24 or more where
it crosses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["LINES", "REACH", "SAMPLES", "Stretch", "runs", "stretches"]

SAMPLES = 48
"""How many points a line along a hexside has."""
REACH = 0.25
"""How far into either hex roads are followed, in hex heights."""
LINES = 33
"""How many lines there are from that far in one hex to that far in the other."""
_LEAST = 0.12
_LEADS_ON = 0.3
_OFF_CORNER = 0.18
_ALONG = 0.8
_TOUCHING = 1.5 / SAMPLES

Flags = npt.NDArray[np.bool_]


class Stretch(msgspec.Struct, frozen=True):
    """
    An unbroken stretch of road on a hexside.

    Parameters
    ----------
    start, end
        Where on the hexside it begins and ends, from 0 to 1.
    depth
        How far the road leads on from it into the hex in which it leads less far, in lengths of
        the hexside.
    """

    start: float
    end: float
    depth: float

    @property
    def crosses(self) -> bool:
        """Whether it is that of a road across the hexside."""
        length, middle = self.end - self.start, (self.start + self.end) / 2
        inner = self.start > _TOUCHING and self.end < 1 - _TOUCHING
        return (
            length >= _LEAST
            and self.depth >= _LEADS_ON * length
            and (inner or _OFF_CORNER <= middle <= 1 - _OFF_CORNER)
        )

    @property
    def is_along(self) -> bool:
        """Whether it is that of a road along the hexside."""
        return self.end - self.start >= _ALONG and not self.crosses


def stretches(road: Flags, over: Flags, step: float) -> Iterator[Stretch]:
    """
    Yield the stretches of road on a hexside, the longest first.

    Parameters
    ----------
    road
        Where there is road, ``[line, sample]``, the hexside itself being the middle line.
    over
        Where something is printed over it that a road may go on beneath.
    step
        From line to line, in lengths of the hexside.
    """
    middle = len(road) // 2
    ways = road | over
    for start, end in runs(road[middle]):
        depth = min(_led_on(ways[middle::step_], start, end) for step_ in (1, -1))
        yield Stretch(start / SAMPLES, end / SAMPLES, depth * step)


def _led_on(ways: Flags, start: int, end: int) -> int:
    """Return over how many lines a way leads on from a stretch of the first."""
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
