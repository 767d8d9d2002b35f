"""What units pay for others in Locations on their ways, and who is kept out: asked step by step."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from marchtable.planning.choice.options import Cut, Presence
from marchtable.reachability.crossings import crossings_of
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.foot.acting import together, tried
from marchtable_models.asl.cpsat.foot.options import ALONE, STAYS
from marchtable_models.asl.cpsat.reached.ends import WAITING
from marchtable_models.asl.cpsat.ruled import is_granted

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable.planning.choice.options import Learned, Price
    from marchtable.state.action import Action
    from marchtable_models.asl.cpsat.foot.acting import Group
    from marchtable_models.asl.cpsat.foot.company import Company
    from marchtable_models.asl.cpsat.foot.options import Options, Walk
    from marchtable_models.asl.cpsat.reached.ways import Places
    from marchtable_models.asl.model import AslUnit

    Flags = npt.NDArray[np.bool_]
    Ints = npt.NDArray[np.int64]
    Crowd = tuple[tuple[int, int], ...]

__all__ = ["Crowds"]

BARRED = 10**6
"""The price of what cannot be done: more half points than anybody has."""
NOWHERE = -1


class Crowds:
    """
    Finds out who is in whose way, and what that costs.

    Units that look alike to whoever meets them are of one sort. Who comes along in a stack is asked
    about as one who is there already.

    Parameters
    ----------
    company, options_of
        Who takes part, and what each may do.
    learned
        Takes the cuts.

    Attributes
    ----------
    touched
        By unit, the rows that have a part in a cut.
    """

    def __init__(
        self, company: Company, options_of: Mapping[str, Options], learned: Learned[Walk]
    ) -> None:
        import numpy as np

        self.company, self.options_of, self.learned = company, options_of, learned
        self.touched = {name: np.zeros(len(o), bool) for name, o in options_of.items()}
        self._names = list(options_of)
        self._prices: dict[Hashable, int] = {}
        self._nodes: dict[Hashable, Ints] = {}
        self._parents: dict[int, Ints] = {}
        self._tables: dict[Hashable, Ints] = {}
        self._seen: set[Hashable] = set()

    # -- what is learned ---------------------------------------------------------------------------

    def learn(self, group: Group, rows: Mapping[str, int], others: Mapping[str, str]) -> bool:
        """Learn who of others, told where they stand, is in a group's way; return whether that is news."""
        index, looks = self.company.position.board.index, self.company.sorts
        is_new = False
        for name in group.names:
            options, row = self.options_of[name], rows[name]
            dear: dict[int, Crowd] = {}
            for at in {int(index[where]) for where in others.values()} | self._through(group):
                there = Counter(looks[other] for other, its in others.items() if index[its] == at)
                there.update(looks[other] for other in group.others if other != name)
                crowd = self._fewest(options, row, at, there)
                if crowd:
                    dear[at] = crowd
                    is_new |= self._learn(at, crowd)
            paid = sum(self._extra(options, row, at, crowd) for at, crowd in dear.items())
            if not is_new and len(dear) > 1 and paid > options.left[row]:
                is_new |= self._bar(dear)
        return is_new

    def _through(self, group: Group) -> set[int]:
        found, width = group.first.places.found, group.first.places.space.width
        return {state // width for state, _ in found.path(int(group.first.way[group.row]))}

    def _fewest(self, options: Options, row: int, at: int, there: Mapping[int, int]) -> Crowd:
        """Return as few of those who are there as cost as much; none if they cost nothing."""
        few = {sort: n for sort, n in there.items() if n}
        paid = self._extra(options, row, at, _told(few))
        for sort, most in list(few.items()) if paid else ():
            for count in range(most):
                if self._extra(options, row, at, _told({**few, sort: count})) >= paid:
                    few[sort] = count
                    break
        return _told(few) if paid else ()

    def _learn(self, at: int, crowd: Crowd) -> bool:
        """Learn what a crowd somewhere costs all who come there, and of one sort what any number does."""
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
                    self._add(name, {at: one}, more, at)
                before = more
            self.touched[name] |= more != 0
            if self.company.sorts[name] in dict(crowd):
                self.touched[name] |= options.at == at
        return True

    def _bar(self, dear: Mapping[int, Crowd]) -> bool:
        """Learn who may not go because it cannot pay for crowds in several Locations."""
        import numpy as np

        key = tuple(dear.items())
        if key in self._seen:
            return False
        self._seen.add(key)
        for name, options in self.options_of.items():
            each = [self._amounts(options, at, crowd) for at, crowd in dear.items()]
            is_poor = np.sum(each, axis=0) > options.left
            if is_poor.any():
                self._add(name, dear, np.where(is_poor, BARRED, 0), None)
        return True

    def _add(self, name: str, crowds: Mapping[int, Crowd], more: Ints, of: Hashable) -> None:
        names = self.company.position.board.locations
        given = frozenset(
            Presence((names[at].name, sort), n) for at, crowd in crowds.items() for sort, n in crowd
        )
        left = self.options_of[name].left
        self.learned.cuts[name, given] = Cut(given, name, partial(_pays, more, left), of)

    # -- which rows lead there ---------------------------------------------------------------------

    def _first(self, options: Options, row: int) -> Options:
        """Return the options of whoever's way a row goes: the unit's own or its leader's."""
        leader = int(options.leader[row])
        return options if leader == ALONE else self.options_of[self._names[leader]]

    def _into(self, options: Options, at: int) -> Ints:
        """Return of each row by which state its way last comes into a Location."""
        import numpy as np

        key = (self.company.kinds[options.unit.id], options.home, at)
        if key not in self._nodes:
            nodes = self._nodes[key] = np.full(len(options), NOWHERE, np.int64)
            for number in np.unique(options.leader[STAYS + 1 :]).tolist():
                rows = STAYS + 1 + np.flatnonzero(options.leader[STAYS + 1 :] == number)
                first = self._first(options, int(rows[0]))
                nodes[rows] = self._steps_into(first, options.way[rows], at)
        return self._nodes[key]

    def _steps_into(self, first: Options, ends: Ints, at: int) -> Ints:
        import numpy as np

        found, width = first.places.found, first.places.space.width
        parents, here = self._parents_in(first.places), found.state // width == at
        roots = here & (parents == NOWHERE) & (first.home == WAITING)
        into = (here & (parents != NOWHERE) & ~here[parents]) | roots
        steps, now = np.full(len(ends), NOWHERE, np.int64), ends
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

    # -- what others cost --------------------------------------------------------------------------

    def _amounts(self, options: Options, at: int, crowd: Crowd) -> Ints:
        """Return what such a crowd in a Location, or a larger one, costs more by each row."""
        import numpy as np

        (sort, count), *others = crowd
        key = (self.company.kinds[options.unit.id], options.home, at, crowd if others else sort)
        if key not in self._tables:
            pairs = np.stack([options.leader, self._into(options, at)], axis=1)
            _, some, where = np.unique(pairs, axis=0, return_index=True, return_inverse=True)
            told = [
                (0, self._extra(options, row, at, crowd)) if others else self._rising(options, row, at, sort)
                for row in some.tolist()
            ]  # fmt: skip
            most = max(map(len, told))
            table = np.array([[*one, *[one[-1]] * (most - len(one))] for one in told], np.int64)
            self._tables[key] = table.T[:, where.ravel()]
        table = self._tables[key]
        found: Ints = table[-1 if others else min(count, len(table) - 1)]
        return found

    def _rising(self, options: Options, row: int, at: int, sort: int) -> tuple[int, ...]:
        """Return what a unit pays more on a row's way by how many of a sort are in a Location, or more."""
        own, looks = {options.unit.id, self._first(options, row).unit.id}, self.company.sorts
        most = sum(looks[other] == sort for other in looks if other not in own)
        if not most or self._extra(options, row, at, ((sort, most),)) == 0:
            return (0,)
        found = [0]
        while found[-1] < BARRED and len(found) <= most:
            found.append(self._extra(options, row, at, ((sort, len(found)),)))
        return tuple(min(found[n:]) for n in range(len(found)))

    def _extra(self, options: Options, row: int, at: int, crowd: Crowd) -> int:
        """Return what a unit pays more on a row's way for a crowd in a Location; BARRED where it cannot."""
        node = int(self._into(options, at)[row])
        if node == NOWHERE or not crowd:
            return 0
        first = self._first(options, row)
        usual, paid = (self._cost(options, first, node, some) for some in ((), crowd))
        return BARRED if paid >= BARRED > usual else max(0, paid - usual)

    def _cost(self, options: Options, first: Options, node: int, crowd: Crowd) -> int:
        """Return what a unit spends on the step into a state of whoever's way it goes, beside a crowd."""
        company, found, space = self.company, first.places.found, first.places.space
        names, (before, state, arc) = space.board.locations, _step(first, node)
        at, to = (names[one // space.width].name for one in (before, state))
        step: Hashable = state
        if arc >= 0:
            step = space.way(arc), crossings_of(company.rulebook, space.board).kind(at, to)
        led = None if first is options else company.kinds[first.unit.id]
        key = (company.kinds[options.unit.id], led, step, space, crowd)
        if key not in self._prices:
            stack = [one.unit for one in dict.fromkeys((first, options))]
            if arc < 0:
                actions = tuple(first.places.way_on(found.path(node), first.unit.id))
            else:
                mode = space.modes[before % space.width]
                stack = [company.rulebook.in_mode(unit, at, mode) for unit in stack]
                actions = space.actions_on(arc, state, first.unit.id)
                if led is not None:
                    stack[-1] = replace(stack[-1], leaders=(first.unit.id,))
            self._prices[key] = self._asked(stack, actions, to, crowd)
        return self._prices[key]

    def _asked(
        self, stack: Sequence[AslUnit], actions: Sequence[Action], to: str, crowd: Crowd
    ) -> int:
        """Return what the last of a stack spends; nothing where there are not so many others."""
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


def _step(first: Options, node: int) -> tuple[int, int, int]:
    """Return from which state to which a step leads, and by which arc."""
    found = first.places.found
    return int(found.parent[node]), int(found.state[node]), int(found.arc[node])


def _told(few: Mapping[int, int]) -> Crowd:
    return tuple(sorted((sort, n) for sort, n in few.items() if n))


def _pays(more: Ints, left: Ints, walk: Walk) -> Sequence[Price]:
    """Return what a unit pays more by a row; nothing where it cannot pay."""
    return [] if more[walk.row] > left[walk.row] else [(int(more[walk.row]), 0)]
