"""Prices of units by which vehicles, each filled as is best for it, do not get more than they can."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.asl.cpsat.relaxed import Relaxed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Pack", "repriced"]

ROUNDS = 12
Taken = tuple[int, str, list[str]]
"""What a trip with some boarders is worth, whose it is, and who they are."""


class Pack(NamedTuple):
    """
    A trip, and who may board for it.

    Parameters
    ----------
    vehicle, worth
        Whose trip, and what it is worth with those who are aboard anyhow.
    best
        What each boarder gets at most.
    sizes, room
        What boarders take of the room that there is.
    counted
        Of whom one must board; None if nobody need.
    """

    vehicle: str
    worth: int
    best: Mapping[str, int]
    sizes: Mapping[str, int]
    room: int
    counted: Sequence[str] | None

    def filled(self, prices: Mapping[str, int]) -> tuple[int, list[str]]:
        """Return what it is worth once boarders are paid for, and who they are."""
        gains = {name: best - prices[name] for name, best in self.best.items()}
        chosen = self._chosen({name: gain for name, gain in gains.items() if gain > 0})
        able = [name for name in self.counted or () if name in gains]
        if able and all(gains[name] < 0 for name in able):
            chosen.append(max(able, key=gains.__getitem__))
        return self.worth + sum(gains[name] for name in chosen), chosen

    def _chosen(self, gains: Mapping[str, int]) -> list[str]:
        names, sizes = [*gains], self.sizes
        if sum(sizes.get(name, 0) for name in names) <= self.room:
            return names
        width = len(names)
        best = [0] * (self.room + 1)  # gain and set in one number: both add up
        for number, name in enumerate(names):
            size, more = sizes.get(name, 0), (gains[name] << width) | 1 << number
            for room in range(self.room, size - 1, -1):
                best[room] = max(best[room], best[room - size] + more)
        return [name for number, name in enumerate(names) if best[-1] >> number & 1]


def repriced(
    packs: Sequence[Pack], alone: Mapping[str, int], prices: Mapping[str, int]
) -> dict[str, int]:
    """
    Return prices of units by which less is promised in all, or those given.

    Parameters
    ----------
    packs, alone
        All trips, and what each unit gets at least without any.
    prices
        To begin with.
    """
    found, least = dict(prices), None
    taken: dict[tuple[int, frozenset[str]], Taken] = {
        (id(pack), frozenset()): (pack.worth, pack.vehicle, []) for pack in packs
    }  # with nobody, so that there is always some way to share
    for _ in range(ROUNDS):
        tops: dict[str, int] = {}
        for pack in packs:
            worth, chosen = pack.filled(prices)
            tops[pack.vehicle] = max(worth, tops.get(pack.vehicle, worth))
            own = pack.worth + sum(pack.best[name] for name in chosen)
            taken[id(pack), frozenset(chosen)] = (own, pack.vehicle, chosen)
        promised = sum(prices.values()) + sum(tops.values())
        if least is None or promised < least:
            found, least = dict(prices), promised
        solved = _shared_out([*taken.values()], alone)
        if solved is None or sum(solved) >= least - 1:
            break
        prices = {name: max(round(price), alone[name])
                  for name, price in zip(alone, solved, strict=False)}  # fmt: skip
    return found


def _shared_out(taken: Sequence[Taken], alone: Mapping[str, int]) -> list[float] | None:
    """Return the prices of units, then of vehicles, if trips are to be among those taken so far."""
    master = Relaxed(len(alone) + len(taken))
    by_unit = {name: [number] for number, name in enumerate(alone)}
    by_vehicle: dict[str, list[int]] = {}
    for number, (_, vehicle, chosen) in enumerate(taken, len(alone)):
        by_vehicle.setdefault(vehicle, []).append(number)
        for name in chosen:
            by_unit[name].append(number)
    for numbers in (*by_unit.values(), *by_vehicle.values()):
        master.one_of(numbers)
    master.maximize(enumerate((*alone.values(), *(worth for worth, _, _ in taken))))
    return master.prices()
