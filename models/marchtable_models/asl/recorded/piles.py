"""Concealed units the reader does not see: one `?` for all of a side in a hex."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from marchtable.rules.refereeing import UNSEEN
from marchtable_models.asl.recorded.views import Seen

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Place = tuple[str, str]
"""A side, and the places of its concealed units."""


class Piles:
    """
    Each side's concealed units.

    Their pieces are kept by number, but only their presence in a hex, and moves between hexes, are
    ever shown: what both players see on the map.
    """

    def __init__(self) -> None:
        self._places: dict[str, Place] = {}
        self._count: Counter[Place] = Counter()

    def __contains__(self, number: str) -> bool:
        return number in self._places

    def place(self, number: str) -> str:
        """Return the place of a concealed piece."""
        return self._places[number][1]

    def seen(self) -> dict[str, Seen]:
        """Return a `?` for each place, by an id of its own."""
        there = sorted(place for place, count in self._count.items() if count)
        return {f"{UNSEEN} {side} {at}": _question((side, at)) for side, at in there}

    def update(
        self, numbers: Iterable[str], now: Mapping[str, Place]
    ) -> dict[str, tuple[Seen | None, Seen | None]]:
        """
        Take over the pieces' places, and return what is seen of the changes, by ids.

        Parameters
        ----------
        numbers
            The pieces that might have changed.
        now
            Those of them that are now concealed.
        """
        before = {name: self._places.pop(name) for name in numbers if name in self._places}
        already = {place for place in now.values() if self._count[place]}
        self._count.subtract(before.values())
        self._count.update(now.values())
        self._places.update(now)
        legs = {
            (was, now[name])
            for name, was in before.items()
            if name in now and was != now[name] and was[0] == now[name][0]
        }
        begins, ends = {was for was, _ in legs}, {to for _, to in legs}
        both: set[tuple[Place | None, Place | None]] = {*legs}
        both |= {(place, place) for place in begins if self._count[place]}
        both |= {(place, None) for place in {*before.values()} - begins if not self._count[place]}
        both |= {(None, place) for place in {*now.values()} - ends - already}
        return {
            f"{UNSEEN} {was} {to}": (was and _question(was), to and _question(to))
            for was, to in sorted(both, key=repr)
        }


def _question(place: Place) -> Seen:
    return Seen({}, UNSEEN, place[0], at=place[1], class_=UNSEEN)
