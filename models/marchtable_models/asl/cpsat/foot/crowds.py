"""Costs and bars by other units in Locations on the way, asked about step by step."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from marchtable.planning.choice.options import Cut, Presence
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.foot.options import ALONE, STAYS, together
from marchtable_models.asl.cpsat.ruled import is_granted, tried

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    import numpy.typing as npt

    from marchtable.planning.choice.options import Learned, Price
    from marchtable.planning.searches import SearchStep
    from marchtable.state.action import Action
    from marchtable_models.asl.cpsat.foot.company import Company
    from marchtable_models.asl.cpsat.foot.options import FootOptions, MovingGroup, Walk
    from marchtable_models.asl.model import AslUnit

    Ints = npt.NDArray[np.int64]
    Crowd = tuple[tuple[int, int], ...]
    Coming = dict[int, dict[tuple[int, SearchStep], list[int]]]

__all__ = ["Crowds"]

BARRED = 10**6
"""The price of an impossible act: more half points than any unit has."""


class Crowds:
    """
    Finds which units are in the way, and their cost.

    Units that look alike to units meeting them are of one sort. A unit coming along in a stack is
    asked about as already there.

    Parameters
    ----------
    company, options_of
        The units taking part, and each one's options.
    learned
        The receiver of the cuts.

    Attributes
    ----------
    touched
        By unit, the rows involved in a cut.
    """

    def __init__(
        self, company: Company, options_of: Mapping[str, FootOptions], learned: Learned[Walk]
    ) -> None:
        self.company, self.options_of, self.learned = company, options_of, learned
        self.touched = {name: np.zeros(len(o), bool) for name, o in options_of.items()}
        self._names = list(options_of)
        self._prices: dict[Hashable, int] = {}
        self._ways: dict[Hashable, Coming] = {}
        self._tables: dict[Hashable, Ints] = {}
        self._seen: set[Hashable] = set()

    # -- learning ---------------------------------------------------------------------------------

    def learn(self, group: MovingGroup, rows: Mapping[str, int], others: Mapping[str, str]) -> bool:
        """Learn which others, by place, are in a group's way; return whether that is new."""
        index, looks = self.company.position.board.index, self.company.sorts
        is_new = False
        for name in group.names:
            options, row = self.options_of[name], rows[name]
            near = {where for where in (*others.values(), *group.way, group.home) if where}
            for at in sorted(int(index[where]) for where in near):
                there = Counter(looks[other] for other, its in others.items() if index[its] == at)
                there.update(looks[other] for other in group.others if other != name)
                crowd = self._fewest(options, row, at, there)
                is_new |= bool(crowd) and self._learn(at, crowd)
        return is_new

    def _fewest(self, options: FootOptions, row: int, at: int, there: Mapping[int, int]) -> Crowd:
        """Return the fewest occupants with the same cost; none if they cost nothing."""
        few = {sort: n for sort, n in there.items() if n}
        paid = self._extra(options, row, at, _crowd(few))
        for sort, most in list(few.items()) if paid else ():
            for count in range(most):
                if self._extra(options, row, at, _crowd({**few, sort: count})) >= paid:
                    few[sort] = count
                    break
        return _crowd(few) if paid else ()

    def _learn(self, at: int, crowd: Crowd) -> bool:
        """Learn a crowd's cost for all who enter and, of one sort, that of any number."""
        sort = crowd[0][0] if len(crowd) == 1 else None
        key = (at, crowd if sort is None else sort)
        if key in self._seen:
            return False
        self._seen.add(key)
        most = sum(look == sort for look in self.company.sorts.values())
        crowds = [crowd] if sort is None else [((sort, n),) for n in range(1, most + 1)]
        for name, options in self.options_of.items():
            before: Ints | None = None
            for one in crowds:
                more = self._amounts(options, at, one)
                if more.any() and (before is None or (more != before).any()):
                    self._add(name, at, one, more)
                before = more
            self.touched[name] |= more != 0
            if self.company.sorts[name] in dict(crowd):
                self.touched[name] |= options.at == at
        return True

    def _add(self, name: str, at: int, crowd: Crowd, more: Ints) -> None:
        where = self.company.position.board.locations[at].name
        given = frozenset(Presence((where, sort), n) for sort, n in crowd)
        remaining = self.options_of[name].remaining
        self.learned.cuts[name, given] = Cut(given, name, partial(_pays, more, remaining), at)

    # -- costs by others --------------------------------------------------------------------------

    def _first(self, options: FootOptions, row: int) -> FootOptions:
        """Return the options whose way a row follows: the unit's or its leader's."""
        leader = int(options.leader[row])
        return options if leader == ALONE else self.options_of[self._names[leader]]

    def _steps(self, first: FootOptions, number: int) -> Mapping[int, SearchStep]:
        """Return, by Location, the last step into it on the way to a node."""
        return {one.end: one for one in first.found.path(number) if one.start != one.end}

    def _coming(self, options: FootOptions, at: int) -> Mapping[tuple[int, SearchStep], list[int]]:
        """Return the last steps into a Location with the unit (or leader) and its rows."""
        key = (self.company.kinds[options.unit.id], options.home)
        if key not in self._ways:
            found: Coming = defaultdict(lambda: defaultdict(list))
            for row in range(STAYS + 1, len(options)):
                steps = self._steps(self._first(options, row), int(options.way[row]))
                for where, step in steps.items():
                    found[where][int(options.leader[row]), step].append(row)
            self._ways[key] = found
        return self._ways[key][at]

    def _amounts(self, options: FootOptions, at: int, crowd: Crowd) -> Ints:
        """Return the extra cost of such a crowd in a Location, or a larger one, by row."""
        unit, looks = options.unit.id, self.company.sorts
        (sort, count), *others = crowd
        most = 1 if others else sum(look == sort for look in looks.values())
        key = (self.company.kinds[unit], options.home, at, crowd if others else sort)
        if key not in self._tables:
            table = self._tables[key] = np.zeros((most, len(options)), np.int64)
            crowds = [crowd] if others else [((sort, n + 1),) for n in range(most)]
            for (_, step), rows in self._coming(options, at).items():
                first = self._first(options, rows[0])
                own = () if others else {unit, first.unit.id}
                there = most - sum(looks[name] == sort for name in own)
                paid = [self._more(options, first, step, one) for one in crowds[:there]]
                for n, least in enumerate(accumulate(reversed(paid), min), 1):
                    table[there - n, rows] = least
        found: Ints = self._tables[key][-1 if others else count - 1]
        return found

    def _extra(self, options: FootOptions, row: int, at: int, crowd: Crowd) -> int:
        """Return a unit's extra cost on a row's way for a crowd in a Location; BARRED if impossible."""
        first = self._first(options, row)
        step = self._steps(first, int(options.way[row])).get(at)
        return 0 if step is None or not crowd else self._more(options, first, step, crowd)

    def _more(
        self, options: FootOptions, first: FootOptions, step: SearchStep, crowd: Crowd
    ) -> int:
        """Return a unit's extra cost on a step for a crowd; BARRED if impossible."""
        usual, paid = (self._cost(options, first, step, some) for some in ((), crowd))
        return BARRED if paid >= BARRED > usual else max(0, paid - usual)

    def _cost(
        self, options: FootOptions, first: FootOptions, step: SearchStep, crowd: Crowd
    ) -> int:
        """Return a unit's cost of a step on its way, with a crowd at its end."""
        company, found, names = self.company, first.found, first.found.board.locations
        led = None if first is options else company.kinds[first.unit.id]
        key = (company.kinds[options.unit.id], led, found.kind(step), crowd)
        if key not in self._prices:
            stack = [one.unit for one in dict.fromkeys((first, options))]
            if not step.is_arrival:
                at = names[step.start].name
                stack = [company.rulebook.in_mode(unit, at, step.mode) for unit in stack]
                if led is not None:
                    stack[-1] = replace(stack[-1], leaders=(first.unit.id,))
            actions = found.actions(step, first.unit.id)
            self._prices[key] = self._asked(stack, actions, names[step.end].name, crowd)
        return self._prices[key]

    def _asked(
        self, stack: Sequence[AslUnit], actions: Sequence[Action], to: str, crowd: Crowd
    ) -> int:
        """Return the expenditure of the last of a stack; nothing without enough others."""
        company, (first, *led) = self.company, [unit.id for unit in stack]
        others = []
        for sort, count in crowd:
            alike = [n for n, look in company.sorts.items() if look == sort]
            others += [n for n in alike if n not in (first, *led)][:count]
        if len(others) < sum(count for _, count in crowd):
            return 0
        there = company.empty.with_units([*stack, *(company.stood(n, to) for n in others)])
        last = tried(company.rulebook, there, together(actions, first, led))[-1]
        if not is_granted(last):
            return BARRED
        spent: int = last.after.unit(stack[-1].id).points.spent - stack[-1].points.spent
        return spent


def _crowd(few: Mapping[int, int]) -> Crowd:
    return tuple(sorted((sort, n) for sort, n in few.items() if n))


def _pays(more: Ints, remaining: Ints, walk: Walk) -> Sequence[Price]:
    """Return a unit's extra cost by a row; no price if too much alone, which is faster for CP-SAT."""
    return [] if more[walk.row] > remaining[walk.row] else [(int(more[walk.row]), 0)]
