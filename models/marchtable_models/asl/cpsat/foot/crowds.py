"""What it costs more to end where others stand, asked of the rulebook for each number of them."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.asl.cpsat.foot.options import STAYS
from marchtable_models.asl.cpsat.foot.prices import rising

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    import numpy as np
    import numpy.typing as npt

    from marchtable_models.asl.cpsat.foot.company import Company
    from marchtable_models.asl.cpsat.foot.options import Options
    from marchtable_models.asl.cpsat.foot.prices import Prices

    Ints = npt.NDArray[np.int64]

__all__ = ["Crowd", "Crowds"]


class Crowd(NamedTuple):
    """
    What units that look alike pay more to come where others like them stand already.

    Parameters
    ----------
    looks
        What is equal for them.
    extra
        Half points more, by how many stand there; of more of them, at least as much.
    """

    looks: Hashable
    extra: tuple[int, ...]

    def total(self, count: int) -> int:
        """Return what so many pay together, however they come."""
        known = [*accumulate(self.extra, initial=0)]
        beyond = max(0, count - len(self.extra))
        return known[count - beyond] + beyond * self.extra[-1]


class Crowds:
    """
    The Locations for which more units of a plan might contend than end there for nothing.

    Parameters
    ----------
    company, prices
        The problem, and what company costs.

    Attributes
    ----------
    found
        By the number of the Location.
    """

    def __init__(self, company: Company, prices: Prices) -> None:
        self.company, self.prices = company, prices
        self.found: dict[int, Crowd] = {}
        self._homes = Counter(
            (company.looks[n], options.home) for n, options in company.options_of.items()
        )

    def add(self, at: int, looks: Hashable) -> bool:
        """Take note that a Location is contended for; return whether that is news, and can be told."""
        if at in self.found:
            return False
        rows = {self._extra(options, looks, row) for name, options in self.company.options_of.items()
                if self.company.looks[name] == looks for row in self._ends(options, at)}  # fmt: skip
        most = max(map(len, rows), default=0)
        least = [min(told[n] for told in rows if n < len(told)) for n in range(most)]
        extra = rising(least)
        if not extra or not extra[-1]:
            return False
        crowd = Crowd(looks, extra)
        if crowd.total(self._homes[looks, at]):  # who stays pays nothing: they would count too much
            return False
        self.found[at] = crowd
        return True

    def foresee(self, worth: Mapping[str, Ints]) -> None:
        """Note where more would end than may for nothing, each where there is room and it is worth most."""
        import numpy as np

        looks = self.company.looks
        there: Counter[tuple[int, Hashable]] = Counter()
        for name, options in self.company.options_of.items():
            for row in np.argsort(-worth[name][: options.width], kind="stable").tolist():
                key = (int(options.at[row]), looks[name])
                if row == STAYS or there[key] < self._room(options, row, looks[name]):
                    there[key] += 1
                    break
                self.add(*key)

    # -- asking ------------------------------------------------------------------------------------

    def _room(self, options: Options, row: int, looks: Hashable) -> int:
        """Return how many may end where a row does before one pays for it."""
        extra = self._extra(options, looks, row)
        return extra.count(0) if any(extra) else len(self.company.units)

    def _ends(self, options: Options, at: int) -> list[int]:
        rows: list[int] = (options.at[: options.width] == at).nonzero()[0].tolist()
        return [row for row in rows if row != STAYS]

    def _extra(self, options: Options, looks: Hashable, row: int) -> tuple[int, ...]:
        """Return what a row's last step costs more, by how many others stand where it leads."""
        if options.is_off(row):
            return ()
        return self.prices.of_step(
            options, self.prices.first(options, row), int(options.way[row]), looks
        )
