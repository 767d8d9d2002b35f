"""What the referee refused or charged beyond the options, and who had to be about for it."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.asl.cpsat.foot.congestion import FREE
from marchtable_models.asl.cpsat.foot.options import ALONE, worths

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping

    import numpy as np
    import numpy.typing as npt

    from marchtable.rules.plan_model import Task
    from marchtable_models.asl.cpsat.foot.congestion import CongestionCosts
    from marchtable_models.asl.cpsat.foot.crowds import Crowds
    from marchtable_models.asl.cpsat.foot.options import Options

    Flags = npt.NDArray[np.bool_]

__all__ = ["ALONG", "ANY_WAY", "Cut", "Cuts", "Need"]

ALONG = -2
"""In place of a Location, or of waiting off the map: in the actor's own stack."""
ANY_WAY = True
"""For others that may stand there or come along, it is all the same."""


class Need(NamedTuple):
    """At least so many others that look alike, in a Location as the actor moves, or along with it."""

    looks: Hashable
    at: int
    number: int
    any_way: bool = False


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
    options_of
        What each unit may do.
    looks
        What is equal for units that are alike to others.
    crowds
        The Locations for which units are known to contend.
    congestions
        The Locations of which it is known what coming there costs more.
    """

    def __init__(
        self, options_of: Mapping[str, Options], looks: Mapping[str, Hashable], crowds: Crowds,
        congestions: CongestionCosts,
    ) -> None:  # fmt: skip
        self.options_of, self.looks = options_of, looks
        self.found: list[Cut] = []
        self.crowds, self.congestions = crowds, congestions
        self.barred: list[dict[str, Flags]] = []
        self._meeting: dict[tuple[Need, str, int], dict[str, Flags]] = {}

    @property
    def size(self) -> int:
        """How much is known beyond the options."""
        found = len(self.crowds.found) + len(self.congestions.found)
        return len(self.found) + len(self.barred) + found

    def foresee(self, task: Task) -> None:
        """Note for which Locations units are bound to contend."""
        self.crowds.foresee(
            {name: worths(options, task) for name, options in self.options_of.items()}
        )

    def meeting(self, need: Need, actor: str, row: int) -> dict[str, Flags]:
        """Return the rows by which others meet a need while the actor does a row."""
        key = (need, actor, row)
        if key not in self._meeting:
            self._meeting[key] = dict(self._met(need, actor, row))
        return self._meeting[key]

    def _met(self, need: Need, actor: str, row: int) -> Iterator[tuple[str, Flags]]:
        own = self.options_of[actor]
        leader, led = int(own.leader[row]), int(own.led[row])
        if leader == ALONE:
            leader, led = own.number, row
        for name, options in self.options_of.items():
            if name != actor and self.looks[name] == need.looks:
                along = (options.leader == leader) & (options.led == led)
                if need.at == ALONG:
                    found = along
                else:
                    found = options.stands(need.at, int(own.turn[row]))
                    found = found | along if need.any_way else found
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
        found = {name: sum(by.values()) for name, by in self.congestions.paid(plan).items()}
        for cut in self.found:
            for actor, rows in cut.more.items():
                more = rows.get(plan[actor]) or 0
                if more > found.get(actor, 0) and self.holds(cut, actor, plan):
                    found[actor] = more
        return found

    def points(self, plan: Mapping[str, int]) -> int:
        """Return what a plan that no cut bars is known to cost in all."""
        extra = self.known(plan)
        found = sum(int(self.options_of[name].score[row, 3]) for name, row in plan.items())
        for name, by in self.congestions.paid(plan).items():
            end = int(self.options_of[name].at[plan[name]])
            on_the_way = sum(more for at, more in by.items() if at != end)
            extra[name] -= on_the_way
            found += on_the_way
        for at, crowd in self.crowds.found.items():
            ends = [n for n, row in plan.items() if self.options_of[n].at[row] == at]
            paid = sum(extra.pop(name, 0) for name in ends)
            alike = sum(self.looks[name] == crowd.looks for name in ends)
            found += max(paid, crowd.total(alike))
        return found + sum(extra.values())

    def touched(self) -> tuple[dict[str, Flags], set[str], set[str]]:
        """
        Return the rows that have a part in a cut, who is in the way at home, and who may gain by haste.

        What the rows of those who are in the way have a part in is only as long as they stay there.
        By going earlier somebody gains only if it is then out of the way, or others come after it.
        """
        import numpy as np

        found = {name: np.zeros(len(options), bool) for name, options in self.options_of.items()}
        at_home: set[str] = set()
        hasty: set[str] = set()
        for cut in self.found:
            for actor, rows in cut.more.items():
                found[actor][[*rows]] = True
                for need, row in product(cut.needs, rows):
                    turn = self.options_of[actor].turn[row]
                    for name, met in self.meeting(need, actor, row).items():
                        is_home = self.options_of[name].home == need.at
                        found[name] |= met & ((not is_home) | (self.options_of[name].turn == turn))
                        (at_home if is_home else hasty).add(name if is_home else actor)
        for congestion in self.congestions.found.values():
            at_home |= self.congestions.at_home(congestion)
            for name, part in self.congestions.touched(congestion).items():
                found[name] |= part
                hasty |= {name} if (congestion.of[name] != FREE).any() else set()
        for name, met in (pair for plan in self.barred for pair in plan.items()):
            found[name] |= met
        for at, crowd in self.crowds.found.items():
            for name, look in self.looks.items():
                found[name] |= (self.options_of[name].at == at) & (look == crowd.looks)
        return found, at_home, self._in_stacks(hasty | at_home)

    def _in_stacks(self, some: set[str]) -> set[str]:
        """Return some units with all who may be in a stack with them, and with these."""
        found, names, size = {*some}, [*self.options_of], 0
        while len(found) > size:
            size = len(found)
            for name, options in self.options_of.items():
                leaders = {names[n] for n in {*options.leader.tolist()} if n != ALONE}
                if leaders and (name in found or leaders & found):
                    found |= {name, *leaders}
        return found
