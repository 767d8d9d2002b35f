"""SW recovered on the way, and what happens to others meanwhile: parts inserted in a script."""

from __future__ import annotations

from collections import Counter
from itertools import islice, product
from typing import TYPE_CHECKING

from marchtable_models.asl.recorded.scripts import Meanwhile, Recovered
from marchtable_models.asl.weapons import lying, named

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable_models.asl.model import AslPosition
    from marchtable_models.asl.recorded.groups import TrackGroup
    from marchtable_models.asl.recorded.scripts import Part
    from marchtable_models.asl.recorded.tracks import Track

MOST_CHOICES = 16
"""The largest number of ways in which SW might have been recovered."""


def among(script: Sequence[Part], meanwhile: Sequence[Meanwhile]) -> tuple[Part, ...]:
    """Return a script with events of other units, each before the first later part."""
    parts = list(script)
    for one in meanwhile:
        later = (n for n, part in enumerate(parts) if getattr(part, "when", -1) > one.when)
        if (at := next(later, None)) is not None:
            parts.insert(at, one)
    return tuple(parts)


def gained_weapons(group: TrackGroup) -> Counter[str]:
    """Return the SW that a group's units on foot have when last seen, but not at first."""
    afoot = [one for one in group.tracks if one.start and one.seen and one.seen.is_afoot]
    had = sum((one.start.weapons for one in afoot if one.start), Counter[str]())
    return sum((one.seen.weapons for one in afoot if one.seen), Counter[str]()) - had


def recovering(
    script: tuple[Part, ...], group: TrackGroup, position: AslPosition
) -> Iterator[tuple[Part, ...]]:
    """
    Yield the ways in which units might recover the SW they gained, then none.

    Parameters
    ----------
    script
        What was recorded of the units.
    group
        The units.
    position
        The places of SW: a unit recovers one in a hex on its way, before it is seen with it.
    """
    gained = _gained(group)
    choices = [
        [
            (track, weapon, number)
            for number, at in enumerate(track.way)
            if at in position.board
            and (not number or track.legs[number - 1].when <= when)
            and named(lying(position, at), weapon)
        ]
        for track, weapon, when in gained
    ]
    for some in islice(product(*choices), MOST_CHOICES) if gained else ():
        parts = list(script)
        for track, weapon, number in some:
            since = track.legs[number - 1].when if number else -1
            later = (
                place
                for place, part in enumerate(parts)
                if track.unit in getattr(part, "units", ()) and getattr(part, "when", -1) > since
            )
            parts.insert(next(later, len(parts)), Recovered(track.unit, weapon, since))
        yield tuple(parts)
    yield script


def _gained(group: TrackGroup) -> list[tuple[Track, str, int]]:
    """Return the SW that a group's units have gained, with the step that first shows each."""
    gained = gained_weapons(group)
    found: list[tuple[Track, str, int]] = []
    for track in group.tracks:
        if track.start is None or track.seen is None or not track.seen.is_afoot:
            continue
        for name in (track.seen.weapons - track.start.weapons) & gained:
            had = track.start.weapons[name]
            found.append(
                (track, name, next(at for at, shown in track.weapons if shown[name] > had))
            )
            gained[name] -= 1
    return found
