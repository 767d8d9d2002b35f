"""What a step costs more for others where it leads, asked of the rulebook for each number of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.reachability.crossings import crossings_of
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.foot.acting import together, tried
from marchtable_models.asl.cpsat.foot.options import ALONE
from marchtable_models.asl.cpsat.ruled import is_granted

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from marchtable.state.action import Action
    from marchtable_models.asl.cpsat.foot.company import Company
    from marchtable_models.asl.cpsat.foot.options import Options
    from marchtable_models.asl.model import AslUnit

__all__ = ["Prices", "rising"]


class Prices:
    """
    What company costs, step by step.

    Parameters
    ----------
    company
        The problem.
    """

    def __init__(self, company: Company) -> None:
        self.company = company
        self._known: dict[Hashable, tuple[int, ...]] = {}

    def first(self, options: Options, row: int) -> Options:
        """Return the options of whoever's way a row goes: the unit's own or its leader's."""
        leader = int(options.leader[row])
        if leader == ALONE:
            return options
        return self.company.options_of[list(self.company.options_of)[leader]]

    def of_step(
        self, options: Options, first: Options, node: int, looks: Hashable
    ) -> tuple[int, ...]:
        """
        Return what a unit pays more for a step, by how many others stand where it leads.

        The step is that into a state of whoever's way it goes; none is told of one that spends all
        that is left. More others than told bar it, even to a unit that has spent nothing.
        """
        found, space = first.places.found, first.places.space
        arc, before = int(found.arc[node]), int(found.parent[node])
        if arc < 0 or space.is_end(found.arc[node : node + 1])[0]:
            return ()
        company, unit = self.company, options.unit
        led = None if first is options else company.kinds[first.unit.id]
        state = int(found.state[node])
        name, to = (space.board.locations[s // space.width].name for s in (before, state))
        kind = crossings_of(company.rulebook, space.board).kind(name, to)
        key = (company.kinds[unit.id], led, space.way(arc), kind, space, looks)
        if key not in self._known:
            mode = space.modes[before % space.width]
            stack = [company.rulebook.in_mode(one.unit, name, mode)
                     for one in dict.fromkeys((first, options))]  # fmt: skip
            if led is not None:
                stack[-1] = replace(stack[-1], leaders=(first.unit.id,))
            others = tuple(other.id for other in stack[1:])
            actions = together(space.actions_on(arc, state, first.unit.id), first.unit.id, others)
            self._known[key] = self._asked(stack, actions, to, looks)
        return self._known[key]

    def others(self, unit: AslUnit, looks: Hashable) -> int:
        """Return how many others a unit may meet that look like that."""
        alike = (other for other in self.company.units if other != unit.id)
        return sum(self.company.looks[other] == looks for other in alike)

    def _asked(
        self, stack: Sequence[AslUnit], actions: Sequence[Action], to: str, looks: Hashable
    ) -> tuple[int, ...]:
        company, names = self.company, {unit.id for unit in stack}
        unit, found = stack[-1], list[int]()
        others = [replace(other, at=to, mph="done") for name, other in company.units.items()
                  if name not in names and company.looks[name] == looks]  # fmt: skip
        for count in range(len(others) + 1):
            there = company.empty.with_units([*stack, *others[:count]])
            last = tried(company.rulebook, there, actions)[-1]
            if not is_granted(last):
                break
            found.append(last.after.unit(unit.id).points.spent - unit.points.spent)
        return tuple(cost - found[0] for cost in found)


def rising(prices: Sequence[int]) -> tuple[int, ...]:
    """Return for each number of others the least of what so many and more cost."""
    return tuple(min(prices[number:]) for number in range(len(prices)))
