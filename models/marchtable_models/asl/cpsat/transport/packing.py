"""Prices of units by which vehicles, each filled as is best for it, do not get more than they can."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.asl.cpsat.relaxed import Relaxed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Pack", "repriced"]

ROUNDS = 12


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
    vehicles = {name: number for number, name in enumerate(dict.fromkeys(p.vehicle for p in packs))}
    units, found = [*alone], dict(prices)
    taken: list[tuple[int, Pack, list[str]]] = []
    least: int | None = None
    for _ in range(ROUNDS):
        tops: dict[str, int] = {}
        for pack in packs:
            worth, chosen = pack.filled(prices)
            if worth > tops.get(pack.vehicle, worth - 1):
                tops[pack.vehicle] = worth
            own = pack.worth + sum(pack.best[name] for name in chosen)
            taken.append((own, pack, chosen))
        promised = sum(prices.values()) + sum(tops.values())
        if least is None or promised < least:
            least, found = promised, dict(prices)
        taken = [*{(id(p), frozenset(c)): (w, p, c) for w, p, c in taken}.values()]
        master = Relaxed(len(units) + len(taken))
        by_unit: dict[str, list[int]] = {name: [n] for n, name in enumerate(units)}
        by_vehicle: dict[str, list[int]] = {name: [] for name in vehicles}
        for n, (_, pack, chosen) in enumerate(taken, len(units)):
            by_vehicle[pack.vehicle].append(n)
            for name in chosen:
                by_unit[name].append(n)
        for numbers in (*by_unit.values(), *by_vehicle.values()):
            master.one_of(numbers)
        worths = [*alone.values(), *(worth for worth, _, _ in taken)]
        master.maximize([*enumerate(worths)])
        solved = master.prices()
        if solved is None or sum(solved) >= least - 1:
            break
        prices = {name: max(round(price), alone[name])
                  for name, price in zip(units, solved, strict=False)}  # fmt: skip
    return found
