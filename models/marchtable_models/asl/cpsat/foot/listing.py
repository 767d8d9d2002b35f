"""What each unit may do: its own ways, and those of leaders whom it may join."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.cpsat.foot.escorted_paths import EscortedPaths
from marchtable_models.asl.cpsat.foot.options import ALONE, Options
from marchtable_models.asl.cpsat.reached.ends import end_number, home_of, to_end
from marchtable_models.asl.cpsat.reached.places import declarations
from marchtable_models.asl.cpsat.reached.ways import AMPLE, is_unlimited
from marchtable_models.asl.extraction import modes

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    import numpy as np
    import numpy.typing as npt

    from marchtable_models.asl.cpsat.foot.company import Company
    from marchtable_models.asl.cpsat.reached.ways import Places

    Ints = npt.NDArray[np.int64]
    Led = list[tuple[Options, Ints, Ints, Ints]]

__all__ = ["Listing"]


class Listing:
    """
    Lists options.

    Parameters
    ----------
    company
        Who takes part.
    """

    def __init__(self, company: Company) -> None:
        self.company = company

    def options_of(self) -> dict[str, Options]:
        """Return what each may do, in the order told."""
        company = self.company
        own = {name: self._own(name, number) for number, name in enumerate(company.units)}
        known: dict[Hashable, Led] = {}
        led = EscortedPaths(company)
        for name, unit in company.units.items():
            key = (company.kinds[name], unit.at)
            if name not in company.leaders and key not in known:
                known[key] = [
                    (own[leader], *led.ways(own[leader], unit))
                    for leader in company.leaders
                    if company.are_together(leader, name) and led.follows(own[leader], unit)
                ]
        return {
            name: options if name in company.leaders
            else self._joined(options, known[company.kinds[name], options.unit.at])
            for name, options in own.items()
        }  # fmt: skip

    def _own(self, name: str, number: int) -> Options:
        """Return what a unit may do by itself, in every mode that gets it there."""
        import numpy as np

        unit, places = self.company.units[name], self.company.places[name]
        home = end_number(self.company.position.board, home_of(unit))
        ends, at, spent = self._ends(name)
        ends, at, spent = (told[at != home] for told in (ends, at, spent))
        left = np.maximum(0, places.space.limits_in(places.found.state[ends]) - spent)
        at = np.append(home, at)
        gains = self.company.merits(name).gains[False][at]
        points = np.append(0, spent - unit.points.spent)
        exposure = np.append(0, places.met(self.company.goal.threat)[ends])
        moved = np.append(0, np.ones(len(ends), np.int64))
        may = np.full(len(left), AMPLE) if is_unlimited(self.company.empty, unit) else left
        may = np.where(self._overspend(places, ends), AMPLE, may)
        alone = np.full(len(at), ALONE, np.int64)
        return Options(
            unit, number, places, np.append(ALONE, ends), at,
            np.stack([gains[:, 0], gains[:, 1], exposure, points, moved], axis=1), gains[:, 2:],
            np.append(0, may), alone, alone,
        )  # fmt: skip

    def _overspend(self, places: Places, ends: Ints) -> npt.NDArray[np.bool_]:
        """Return which of some ways end in a Minimum Move, which takes what it takes (A4.134)."""
        import numpy as np

        space = places.space
        least = np.array([modes.declared(mode)[0] for mode in space.modes], bool)
        return least[places.found.state[ends] % space.width]

    def _ends(self, name: str) -> tuple[Ints, Ints, Ints]:
        """Return the states in which a unit may end, or leave the map, by what it declares; where; spent."""
        import numpy as np

        places = self.company.places[name]
        found, width = places.found, places.space.width
        fits = np.array([to_end(mode) for mode in places.space.modes], bool)
        numbers = np.flatnonzero(fits[found.state % width]).astype(np.int64)
        told = declarations(places.space)[found.state[numbers] % width]
        numbers = numbers[np.argsort(told, kind="stable")]
        at, spent = found.state[numbers].astype(np.int64) // width, found.spent[numbers]
        off = np.array([*self._ways_off(name)], np.int64).reshape(-1, 3)
        by, paid, ways = off.T
        at = np.append(at, by + len(self.company.position.board))
        return np.append(numbers, ways), at, np.append(spent, paid).astype(np.int64)

    def _ways_off(self, name: str) -> Iterable[tuple[int, int, int]]:
        """Return all by which a unit may leave the map, perhaps with others."""
        if self.company.exits is None:
            return ()
        places, unit = self.company.places[name], self.company.units[name]
        return self.company.exits.ways_off(
            self.company.empty, unit, places.space, places.found, every=True
        )

    def _joined(self, own: Options, led: list[tuple[Options, Ints, Ints, Ints]]) -> Options:
        """Return options with rows of leaders' that the unit may join, with what it has spent and left."""
        import numpy as np

        parts = [own]
        for leader, rows, spent, left in led:
            gains = self.company.merits(own.unit.id).gains[False][leader.at[rows]]
            score = leader.score[rows].copy()
            score[:, :2], score[:, 3] = gains[:, :2], spent - own.unit.points.spent
            told = np.full(len(rows), leader.number, np.int64)
            parts.append(Options(
                own.unit, own.number, own.places, leader.way[rows], leader.at[rows], score,
                gains[:, 2:], left, told, rows,
            ))  # fmt: skip
        names = ("way", "at", "score", "met", "left", "leader", "led")
        arrays = {n: np.concatenate([getattr(part, n) for part in parts]) for n in names}
        return Options(own.unit, own.number, own.places, **arrays)
