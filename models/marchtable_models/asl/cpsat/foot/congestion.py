"""Congestion costs: what all pay who come through, or into, a Location for others there, by their number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.reachability.crossings import crossings_of
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.foot.acting import tried
from marchtable_models.asl.cpsat.foot.options import ALONE, NEVER, STAYS
from marchtable_models.asl.cpsat.foot.prices import rising
from marchtable_models.asl.cpsat.ruled import is_granted

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping

    import numpy as np
    import numpy.typing as npt

    from marchtable_models.asl.cpsat.foot.company import Company
    from marchtable_models.asl.cpsat.foot.options import Options
    from marchtable_models.asl.cpsat.foot.prices import Prices
    from marchtable_models.asl.cpsat.reached.ways import Places

    Flags = npt.NDArray[np.bool_]
    Ints = npt.NDArray[np.int64]

__all__ = ["BARRED", "FREE", "CongestionCost", "CongestionCosts"]

BARRED = 10**6
"""The price of what cannot be done: more half points than anybody has."""
FREE = 0
"""The number of the price that is nothing."""
NOWHERE = -1


class CongestionCost(NamedTuple):
    """
    What a step into a Location costs more, by how many others that look alike are there.

    Parameters
    ----------
    at, looks
        Which Location, and which others.
    prices
        Half points more by the number of others, rising; the first is nothing.
    of
        By unit, of each row which of the prices it is.
    with_stack
        Whether those who move along count as those who are there.
    """

    at: int
    looks: Hashable
    prices: tuple[tuple[int, ...], ...]
    of: Mapping[str, Ints]
    with_stack: bool

    @property
    def dearest(self) -> int:
        """The most that anybody pays."""
        return max(max(n for n in told if n < BARRED) for told in self.prices)

    def price(self, name: str, row: int, others: int) -> int:
        """Return what a unit pays more on a row's way while so many others are there."""
        told = self.prices[int(self.of[name][row])]
        return told[min(others, len(told) - 1)]


class CongestionCosts:
    """
    The Locations of which it is known what coming there costs more.

    Parameters
    ----------
    company, prices
        The problem, and what company costs.

    Attributes
    ----------
    found
        By the number of the Location, and who is counted there.
    """

    def __init__(self, company: Company, prices: Prices) -> None:
        self.company, self.prices = company, prices
        self.found: dict[tuple[int, Hashable], CongestionCost] = {}
        self._parents: dict[int, Ints] = {}

    def add(self, at: int, looks: Hashable) -> bool:
        """Take note of what coming to a Location costs; return whether that is news."""
        if (at, looks) in self.found:
            return False
        numbers: dict[tuple[int, ...], int] = {(0,): FREE}
        known: dict[Hashable, Ints] = {}
        of: dict[str, Ints] = {}
        company = self.company
        for name, options in company.options_of.items():
            key = (company.kinds[name], options.home)
            if key not in known:
                known[key] = self._levels(options, at, looks, numbers)
            of[name] = known[key]
        self.found[at, looks] = CongestionCost(
            at, looks, (*numbers,), of, self._is_with_stack(at, looks)
        )
        return True

    def paid(self, plan: Mapping[str, int]) -> dict[str, dict[int, int]]:
        """Return what each unit is known to pay more in a plan, by Location."""
        found: dict[str, dict[int, int]] = {}
        for congestion in self.found.values():
            for name, row in plan.items():
                if congestion.of[name][row] != FREE:
                    more = congestion.price(name, row, self._others(congestion, plan, name))
                    if more:
                        by = found.setdefault(name, {})
                        by[congestion.at] = max(more, by.get(congestion.at, 0))
        return found

    def at_home(self, congestion: CongestionCost) -> set[str]:
        """Return who is in the way of others from the beginning."""
        looks = self.company.looks
        return {name for name, options in self.company.options_of.items()
                if looks[name] == congestion.looks and options.home == congestion.at}  # fmt: skip

    def touched(self, congestion: CongestionCost) -> dict[str, Flags]:
        """Return the rows by which units pay a congestion cost or, but for staying at home, make others pay."""
        import numpy as np

        found: dict[str, Flags] = {}
        names = [*self.company.options_of]
        for name, options in self.company.options_of.items():
            found[name] = congestion.of[name] != FREE
            if self.company.looks[name] == congestion.looks:
                found[name] = found[name] | (
                    (options.at == congestion.at) & (options.turn != NEVER)
                )
                for number in np.unique(options.leader[options.leader != ALONE]).tolist():
                    mine = np.flatnonzero(options.leader == number)
                    found[name][mine] |= congestion.of[names[number]][options.led[mine]] != FREE
        return found

    # -- who is about ------------------------------------------------------------------------------

    def group(self, name: str, row: int) -> tuple[int, int]:
        """Return who is first of those with whom a unit moves, by number, and what row he does."""
        options = self.company.options_of[name]
        leader = int(options.leader[row])
        return (options.number, row) if leader == ALONE else (leader, int(options.led[row]))

    def _others(self, congestion: CongestionCost, plan: Mapping[str, int], name: str) -> int:
        """Return how many others are in a Location, or come along, as a unit comes there."""
        company, row = self.company, plan[name]
        group, turn = self.group(name, row), int(company.options_of[name].turn[row])
        count = 0
        for other, its in plan.items():
            if other != name and company.looks[other] == congestion.looks:
                if its != STAYS and self.group(other, its) == group:
                    count += congestion.with_stack
                else:
                    count += bool(company.options_of[other].stands(congestion.at, turn)[its])
        return count

    def bears(self, options: Options, row: int, at: int, looks: Hashable, others: int) -> bool:
        """Tell whether a unit pays for so many others in a Location on its way, or is kept out."""
        import numpy as np

        first = self.prices.first(options, row)
        (node,) = self._steps_into(first.places, np.array([options.way[row]]), at).tolist()
        told = (0,) if node == NOWHERE else self._told(options, first, node, looks)
        return told[min(others, len(told) - 1)] > 0

    # -- prices ------------------------------------------------------------------------------------

    def _levels(
        self, options: Options, at: int, looks: Hashable, numbers: dict[tuple[int, ...], int]
    ) -> Ints:  # fmt: skip
        """Return of each row of a unit's options which price it is, and number those that are new."""
        import numpy as np

        found = np.zeros(options.width, np.int64)
        for number in np.unique(options.leader[1 : options.width]).tolist():
            rows = 1 + np.flatnonzero(options.leader[1 : options.width] == number)
            first = self.prices.first(options, int(rows[0]))
            nodes = self._steps_into(first.places, options.way[rows], at)
            for node in np.unique(nodes[nodes != NOWHERE]).tolist():
                told = self._told(options, first, node, looks)
                if any(told):
                    found[rows[nodes == node]] = numbers.setdefault(told, len(numbers))
        return np.concatenate([found, *[found[1:]] * (options.lots - 1)])

    def _steps_into(self, places: Places, ends: Ints, at: int) -> Ints:
        """Return by which state each way last comes into a Location; none if it then spends all."""
        import numpy as np

        found, width = places.found, places.space.width
        parents, here = self._parents_in(places), found.state // width == at
        into = here & (parents != NOWHERE) & ~here[parents]
        plain = ~places.space.is_end(found.arc[ends])
        now = np.where(plain, ends, NOWHERE)
        steps = np.full(len(ends), NOWHERE, np.int64)
        while (now != NOWHERE).any():
            comes = (now != NOWHERE) & into[now]
            steps[comes] = now[comes]
            now = np.where(comes | (now == NOWHERE), NOWHERE, parents[now])
        return steps

    def _parents_in(self, places: Places) -> Ints:
        """Return of each state that was found the number of the one before it."""
        import numpy as np

        if id(places) not in self._parents:
            found = places.found
            parents = [found.index.get(state, NOWHERE) for state in found.parent.tolist()]
            self._parents[id(places)] = np.array(parents, np.int64)
        return self._parents[id(places)]

    def _told(
        self, options: Options, first: Options, node: int, looks: Hashable
    ) -> tuple[int, ...]:
        """Return what a step costs more by the number of others, barred for too many."""
        told = rising(self.prices.of_step(options, first, node, looks))
        is_barred = 0 < len(told) <= self.prices.others(options.unit, looks)
        return (*told, BARRED) if is_barred else told or (0,)

    # -- stacks ------------------------------------------------------------------------------------

    def _is_with_stack(self, at: int, looks: Hashable) -> bool:
        """Tell whether nobody pays less for some who come along than for as many who are there."""
        return all(
            self._pays_enough(options, able, node, looks)
            for options, able in self._stacks(looks)
            for node in self._entries(options, at)
        )

    def _stacks(self, looks: Hashable) -> Iterator[tuple[Options, list[Options]]]:
        """Yield leaders with whom of those that look alike they may lead."""
        options_of = self.company.options_of
        for name in self.company.leaders:
            number = options_of[name].number
            able = [options for other, options in options_of.items()
                    if self.company.looks[other] == looks and (options.leader == number).any()]  # fmt: skip
            if able:
                yield options_of[name], able

    def _entries(self, options: Options, at: int) -> list[int]:
        """Return states by which a leader comes into a Location, one for each kind of step."""
        import numpy as np

        nodes = self._steps_into(options.places, options.way[1 : options.width], at)
        found: dict[tuple[int, int], int] = {}
        for node in np.unique(nodes[nodes != NOWHERE]).tolist():
            found.setdefault(self._kind_of_step(options.places, node), node)
        return [*found.values()]

    def _kind_of_step(self, places: Places, node: int) -> tuple[int, int]:
        """Return what is done by a step into a state, and what the map tells there."""
        found, space = places.found, places.space
        a, b = (
            space.board.locations[int(state) // space.width].name
            for state in (found.parent[node], found.state[node])
        )
        kind = crossings_of(self.company.rulebook, space.board).kind(a, b)
        return space.way(int(found.arc[node])), kind

    def _pays_enough(
        self, leader: Options, able: list[Options], node: int, looks: Hashable
    ) -> bool:
        """Tell whether a stack pays for all of itself, whether others are there already or not."""
        company, found, space = self.company, leader.places.found, leader.places.space
        state, before = int(found.state[node]), int(found.parent[node])
        width, names = space.width, space.board.locations
        at, to = names[before // width].name, names[state // width].name
        stack = [company.rulebook.in_mode(options.unit, at, space.modes[before % width])
                 for options in (leader, *able)]  # fmt: skip
        action: Any
        (action,) = space.actions_on(int(found.arc[node]), state, leader.unit.id)[-1:]
        if not hasattr(action, "units"):
            return False
        action = replace(action, units=tuple(unit.id for unit in stack))
        rest = [replace(unit, at=to, mph="done") for name, unit in company.units.items()
                if company.looks[name] == looks and name not in action.units]  # fmt: skip
        for there in (rest, []):
            here = company.empty.with_units([*stack, *there])
            usual = company.empty.with_units(stack)
            last = tried(company.rulebook, here, [action])[-1]
            if not is_granted(last):
                continue
            for options in (leader, *able):
                alone = tried(company.rulebook, usual, [replace(action, units=(options.unit.id,))])[
                    -1
                ]
                others = len(able) - (options is not leader) + len(there)
                told = self._told(options, leader, node, looks)
                if is_granted(alone):
                    paid = last.after.unit(options.unit.id).points.spent
                    paid -= alone.after.unit(options.unit.id).points.spent
                    if paid < told[min(others, len(told) - 1)]:
                        return False
        return True
