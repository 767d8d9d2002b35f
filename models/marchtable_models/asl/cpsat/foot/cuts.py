"""What the referee refused or charged beyond the menus, and who had to be about for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.asl.cpsat.foot.menu import ALONE

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping

    import numpy as np
    import numpy.typing as npt

    from marchtable_models.asl.cpsat.foot.menu import Menu

    Flags = npt.NDArray[np.bool_]

__all__ = ["ALONG", "Cut", "Cuts", "Need"]

ALONG = -1
"""In place of a Location: in the actor's own stack."""


class Need(NamedTuple):
    """At least so many others that look alike, in a Location as the actor moves, or along with it."""

    looks: Hashable
    at: int
    number: int


class Cut(NamedTuple):
    """
    What some ways cost more, or that they are barred, while others are about.

    Parameters
    ----------
    more
        By unit and row, half points more; None where it cannot be done.
    needs
        Who must be about.
    clauses
        The clauses that charge or forbid it.
    """

    more: Mapping[str, Mapping[int, int | None]]
    needs: tuple[Need, ...]
    clauses: tuple[str, ...]


class Cuts:
    """
    The cuts found so far.

    Parameters
    ----------
    menus
        What each unit may do.
    looks
        What is equal for units that are alike to others.
    """

    def __init__(self, menus: Mapping[str, Menu], looks: Mapping[str, Hashable]) -> None:
        self.menus, self.looks = menus, looks
        self.found: list[Cut] = []
        self.barred: list[dict[str, Flags]] = []
        self._meeting: dict[tuple[Need, str, int], dict[str, Flags]] = {}

    def meeting(self, need: Need, actor: str, row: int) -> dict[str, Flags]:
        """Return the rows by which others meet a need while the actor does a row."""
        key = (need, actor, row)
        if key not in self._meeting:
            self._meeting[key] = dict(self._met(need, actor, row))
        return self._meeting[key]

    def _met(self, need: Need, actor: str, row: int) -> Iterator[tuple[str, Flags]]:
        own = self.menus[actor]
        leader, led = int(own.leader[row]), int(own.led[row])
        if leader == ALONE:
            leader, led = own.number, row
        for name, menu in self.menus.items():
            if name != actor and self.looks[name] == need.looks:
                if need.at == ALONG:
                    found = (menu.leader == leader) & (menu.led == led)
                else:
                    found = menu.stands(need.at, int(own.turn[row]))
                if found.any():
                    yield name, found

    def holds(self, cut: Cut, actor: str, plan: Mapping[str, int]) -> bool:
        """Tell whether in a plan all are about whom a cut needs for what the actor does."""
        row = plan[actor]
        return all(
            sum(bool(rows[plan[name]]) for name, rows in self.meeting(need, actor, row).items())
            >= need.number
            for need in cut.needs
        )

    def known(self, plan: Mapping[str, int]) -> dict[str, int]:
        """Return what it is known that units pay more in a plan that no cut bars."""
        found: dict[str, int] = {}
        for cut in self.found:
            for actor, rows in cut.more.items():
                more = rows.get(plan[actor]) or 0
                if more > found.get(actor, 0) and self.holds(cut, actor, plan):
                    found[actor] = more
        return found

    def touched(self) -> dict[str, Flags]:
        """Return for each unit the rows that have a part in a cut."""
        import numpy as np

        found = {name: np.zeros(len(menu), bool) for name, menu in self.menus.items()}
        for cut in self.found:
            for actor, rows in cut.more.items():
                for row in rows:
                    found[actor][row] = True
                    for need in cut.needs:
                        for name, met in self.meeting(need, actor, row).items():
                            found[name] |= met
        for plan in self.barred:
            for name, met in plan.items():
                found[name] |= met
        return found
