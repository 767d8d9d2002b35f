"""What it costs more to end where others stand, asked of the rulebook for each number of them."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from marchtable_models.asl.cpsat.foot.acting import tried
from marchtable_models.asl.cpsat.foot.menu import ALONE, STAYS
from marchtable_models.asl.cpsat.ruled import is_granted

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable.action import Action
    from marchtable_models.asl.cpsat.foot.company import Company
    from marchtable_models.asl.cpsat.foot.menu import Menu
    from marchtable_models.asl.model import AslUnit

    Ints = npt.NDArray[np.int64]

__all__ = ["Crowd", "Crowds"]

replace = msgspec.structs.replace


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
    company
        The problem.

    Attributes
    ----------
    found
        By the number of the Location.
    """

    def __init__(self, company: Company) -> None:
        self.company = company
        self.found: dict[int, Crowd] = {}
        self._known: dict[Hashable, tuple[int, ...]] = {}
        self._homes = Counter((company.looks[n], menu.home) for n, menu in company.menus.items())

    def add(self, at: int, looks: Hashable) -> bool:
        """Take note that a Location is contended for; return whether that is news, and can be told."""
        if at in self.found:
            return False
        rows = {self._extra(menu, looks, row) for name, menu in self.company.menus.items()
                if self.company.looks[name] == looks for row in self._ends(menu, at)}  # fmt: skip
        most = max(map(len, rows), default=0)
        least = [min(told[n] for told in rows if n < len(told)) for n in range(most)]
        rising = tuple(min(least[n:]) for n in range(len(least)))
        if not rising or not rising[-1]:
            return False
        crowd = Crowd(looks, rising)
        if crowd.total(self._homes[looks, at]):  # who stays pays nothing: they would count too much
            return False
        self.found[at] = crowd
        return True

    def foresee(self, worth: Mapping[str, Ints]) -> None:
        """Note where more would end than may for nothing, each where there is room and it is worth most."""
        import numpy as np

        looks = self.company.looks
        there: Counter[tuple[int, Hashable]] = Counter()
        for name, menu in self.company.menus.items():
            for row in np.argsort(-worth[name][: menu.width], kind="stable").tolist():
                key = (int(menu.at[row]), looks[name])
                if row == STAYS or there[key] < self._room(menu, row, looks[name]):
                    there[key] += 1
                    break
                self.add(*key)

    # -- asking ------------------------------------------------------------------------------------

    def _room(self, menu: Menu, row: int, looks: Hashable) -> int:
        """Return how many may end where a row does before one pays for it."""
        extra = self._extra(menu, looks, row)
        return extra.count(0) if any(extra) else len(self.company.units)

    def _ends(self, menu: Menu, at: int) -> list[int]:
        rows: list[int] = (menu.at[: menu.width] == at).nonzero()[0].tolist()
        return [row for row in rows if row != STAYS]

    def _extra(self, menu: Menu, looks: Hashable, row: int) -> tuple[int, ...]:
        """Return what a row's last step costs more, by how many others stand where it leads."""
        if menu.is_off(row):
            return ()
        company, leader = self.company, int(menu.leader[row])
        first = menu if leader == ALONE else company.menus[list(company.menus)[leader]]
        found, space = first.places.found, first.places.space
        end = int(menu.way[row])
        arc, before = int(found.arc[end]), int(found.parent[end])
        if arc < 0 or arc >= len(space.space.target):
            return ()
        unit = menu.unit
        key = (company.kinds[unit.id], int(space.arc_way[arc]), id(space), looks)
        if key not in self._known:
            state = int(found.state[end])
            name, to = (space.board.locations[s // len(space.modes)].name for s in (before, state))
            starts = company.rulebook.in_mode(unit, name, space.modes[before % len(space.modes)])
            actions = space.actions_on(arc, state, unit.id)
            self._known[key] = self._asked(starts, actions, to, looks)
        return self._known[key]

    def _asked(
        self, unit: AslUnit, actions: Sequence[Action], to: str, looks: Hashable
    ) -> tuple[int, ...]:
        company = self.company
        found: list[int] = []
        others = [replace(other, at=to, mph="done") for name, other in company.units.items()
                  if name != unit.id and company.looks[name] == looks]  # fmt: skip
        for count in range(len(others) + 1):
            there = company.empty.with_units([unit, *others[:count]])
            last = tried(company.rulebook, there, actions)[-1]
            if not is_granted(last):
                break
            found.append(last.after.unit(unit.id).spent - unit.spent)
        return tuple(cost - found[0] for cost in found)
