"""Plans on foot by brute force: every plan of the declared space, judged step by step.

How far each gets is searched by ``legal_actions`` alone, and the model's ways must be no worse. Of the
model only these ways are then taken, as actions; who goes first, where each ends and what that is
worth is found out by acting them out. What a group comes to is asked once for all plans in which the
same others stand on its way.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count, product
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.action import verb_of
from marchtable.planning.goals import places_of
from marchtable.planning.score import Measure
from marchtable_models.asl.cpsat.foot.acting import Group
from marchtable_models.asl.cpsat.foot.menu import ALONE, STAYS
from marchtable_models.asl.cpsat.reached.ends import end_name, left_by, off_by, stand_of
from tests.asl.boards import ASL
from tests.asl.foot_freely import next_, off

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from marchtable_models.asl.cpsat.foot.model import Foot

__all__ = ["ByForce", "misfits"]

replace = msgspec.structs.replace
AMPLE = 10_000
LOTS = 2


class End(NamedTuple):
    """What a plan comes to, and where each unit ends with what it has spent."""

    score: tuple[int, ...]
    projection: tuple[tuple[str, str, int], ...]


# -- how far they get ------------------------------------------------------------------------------


def reached(model: Foot, name: str) -> dict[tuple[str, Any], tuple[int, int]]:
    """
    Return the least that a unit alone on the map spends, by Location and mode.

    With it goes the least threat that it meets on its way there for so much.
    """
    empty, numbers, names = model.company.empty, count(), (name,)
    threat = model.goal.threat
    open_ = {*model.position.board.index} - {*model.goal.avoid}
    start = empty.with_units([model.position.unit(name)])
    exits = places_of({name for aim in model.goal.aims for name in aim.exit}, empty.board)
    waiting = [(start.unit(name).spent, 0, next(numbers), start)]
    done: dict[Any, tuple[int, int]] = {}
    seen = set()
    while waiting:
        spent, met, _, now = heappop(waiting)
        unit = now.unit(name)
        essence = replace(unit, spent=0, used=min(unit.used, 1), previous=None)
        if essence in seen:
            continue
        seen.add(essence)
        if unit.bypass is None and unit.at != start.unit(name).at:
            done.setdefault((str(unit.at), ASL.mode(unit)), (spent, met))
        for after in next_(now, names):
            to = after.unit(name).at
            if to is None and unit.at in exits:
                key, now_ = (off_by(unit.at), ASL.mode(unit)), (after.unit(name).spent, met)
                done[key] = min(now_, done.get(key, now_))
            elif to in {unit.at, *open_}:
                more = threat.get(str(to), 0) if to != unit.at else 0
                heappush(waiting, (after.unit(name).spent, met + more, next(numbers), after))
    return done


def misfits(model: Foot) -> str:
    """Return what menus tell otherwise than ``legal_actions``, nothing if nothing."""
    menus = model.company.menus
    for name, menu in menus.items():
        force = reached(model, name)
        cheapest: dict[str, tuple[int, int]] = {}
        for (at, _), least in force.items():
            cheapest[at] = min(least, cheapest.get(at, least))
        told: dict[str, tuple[int, int]] = {}
        ends = 0
        for row in range(1, menu.width):
            if menu.leader[row] == ALONE:
                ends += 1
                at = end_name(model.position.board, int(menu.at[row]))
                least = int(menu.score[row, 3]) + menu.unit.spent, int(menu.score[row, 2])
                told[at] = min(least, told.get(at, least))
        if told != cheapest:
            return f"{name} alone gets to {told}, by force {cheapest}"
        if ends != len(force):
            return f"{name} has {ends} ends, by force {len(force)}"
        if wrong := _misled(model, name):
            return wrong
    return ""


def _misled(model: Foot, name: str) -> str:
    """Return what a unit's menu tells otherwise of going along with leaders."""
    menu, company = model.company.menus[name], model.company
    for leader in company.leaders:
        first = company.menus[leader]
        if name in company.leaders or first.unit.at != menu.unit.at:
            continue
        led = ASL.allotment(company.empty, replace(menu.unit, leaders=(leader,)))
        may_follow = led > ASL.allotment(company.empty, menu.unit)
        if not may_follow or leader not in _bonus(model, leader, name):
            continue
        told = {int(menu.led[row]): int(menu.score[row, 3])
                for row in range(1, menu.width) if menu.leader[row] == first.number}  # fmt: skip
        start = company.empty.with_units([first.unit, menu.unit])
        for row in range(1, first.width):
            group = Group(first, row, (name,))
            done = _played(start, group)
            is_minimum = any(verb_of(action) == "minimum" for action in group.actions())
            if done and not is_minimum and told.get(row, AMPLE) > done[name][0]:
                return f"{name} with {leader}, row {row}: {told.get(row)}, by force {done[name]}"
    return ""


def _bonus(model: Foot, leader: str, name: str) -> tuple[str, ...]:
    """Return with whom a unit has moved after a first step with a leader."""
    units = [model.position.unit(n) for n in (leader, name)]
    for after in next_(model.company.empty.with_units(units), (leader, name)):
        if after.unit(name).at != units[1].at:
            found: tuple[str, ...] = after.unit(name).leaders
            return found
    return ()


# -- all plans -------------------------------------------------------------------------------------


class ByForce:
    """
    All plans of a model's space, each acted out.

    Parameters
    ----------
    model
        Whose ways they go; nothing else of it is used.
    """

    def __init__(self, model: Foot) -> None:
        self.model, self.menus = model, model.company.menus
        self.measure = Measure(model.position, model.goal)
        self.empty = off(model.position, [*self.menus])
        self._done: dict[Any, Any] = {}
        self._full: dict[str, bool] = {}
        self._turns: dict[tuple[str, int], tuple[int, int, str]] = {}

    def size(self) -> int:
        """Return how many plans there are at most."""
        found = 1
        for menu in self.menus.values():
            found *= menu.width
        return found

    def ends(self) -> set[End]:
        """Return what all plans come to that are legal and meet the musts, in whatever lots they go."""
        rows = [range(menu.width) for menu in self.menus.values()]
        found: set[End] = set()
        for told in product(*rows):
            plan = dict(zip(self.menus, told, strict=True))
            if self._is_joined(plan):
                for order in self._orders(plan):
                    end = self._end(plan, order)
                    found |= set() if end is None else {end}
        return found

    def best(self, weights: Mapping[str, int], criteria: tuple[str, ...]) -> int | None:
        """Return the largest weighted sum, None if no plan meets the musts."""
        return max(
            (sum(weights.get(c, 0) * n for c, n in zip(criteria, end.score, strict=True))
             for end in self.ends()),
            default=None,
        )  # fmt: skip

    def _is_joined(self, plan: dict[str, int]) -> bool:
        """Tell whether all who go with a leader go where he goes."""
        names = list(self.menus)
        leaders = ((name, int(self.menus[name].leader[row])) for name, row in plan.items())
        return all(
            leader == ALONE or plan[names[leader]] == self.menus[name].led[plan[name]]
            for name, leader in leaders
        )

    def _end(self, plan: dict[str, int], order: Sequence[Group]) -> End | None:
        names = list(self.menus)
        at = {unit.id: str(unit.at) for unit in self.model.position.units}
        spent = dict.fromkeys(names, 0)
        exposure = 0
        for group in order:
            done = self._acted(group, at)
            if done is None:
                return None
            for name, (points, entered) in done.items():
                spent[name] = points
                exposure += sum(self.model.goal.threat.get(place, 0) for place in entered)
                at[name] = entered[-1]
        return self._measured(plan, at, spent, exposure)

    def _orders(self, plan: Mapping[str, int]) -> set[tuple[Group, ...]]:
        """Return who moves, lot after lot, in each first who has least to spare, of equals who spends most."""
        names = list(self.menus)
        leader = {n: int(self.menus[n].leader[row]) for n, row in plan.items() if row != STAYS}
        found = [
            Group(self.menus[first], plan[first],
                  tuple(n for n, other in leader.items() if other == names.index(first)))
            for first in leader if leader[first] == ALONE
        ]  # fmt: skip
        turns = {group: self._turn(group) for group in found}
        return {
            tuple(sorted(found, key=lambda group: (lots[group], turns[group])))
            for told in product(*(self._lots(group) for group in found))
            for lots in (dict(zip(found, told, strict=True)),)
        }

    def _lots(self, group: Group) -> range:
        """Return in which lots a group may go: in the last, and ahead if it begins where it is full."""
        home, number = str(group.first.unit.at), group.first.home
        if home not in self._full:
            self._full[home] = any(
                self._is_full(home, Group(menu, row))
                for menu in self.menus.values() if menu.home != number
                for row in range(1, menu.width)
                if menu.at[row] == number and menu.leader[row] == ALONE
            )  # fmt: skip
        return range(0 if self._full[home] else LOTS - 1, LOTS)

    def _is_full(self, home: str, group: Group) -> bool:
        """Tell whether a group that ends somewhere pays more, or may not, if all stay who begin there."""
        here = self.empty.with_units([group.first.unit])
        staying = [menu.unit for menu in self.menus.values() if menu.unit.at == home]
        return _played(here, group) != _played(here.with_units(staying), group)

    def _turn(self, group: Group) -> tuple[int, int, str]:
        """Return what the first of a group has left once it is there, less what it spends, and its name."""
        key = (name, _) = (group.first.unit.id, group.row)
        if key not in self._turns:
            here = self.empty.with_units([group.first.unit])
            for action in Group(group.first, group.row).actions():
                here = ASL.rule(here, action).after
            unit = here.unit(name)
            left = -1 if unit.at is None else ASL.allotment(here, unit) - unit.spent
            self._turns[key] = left, -unit.spent, name
        return self._turns[key]

    def _acted(self, group: Group, at: dict[str, str]) -> Any:
        """Return what each of a group spends and enters; None if it is refused, or rolls are due."""
        way = self._way(group)
        others = [n for n in self.menus if n not in group.names]
        key = (group.names, group.row, tuple((n, at[n]) for n in others if at[n] in way))
        if key not in self._done:
            here = self.model.position.with_units([
                replace(self.model.position.unit(n), at=None if left_by(at[n]) else at[n],
                        mph="unmoved" if at[n] == self.model.position.unit(n).at else "done")
                for n in others
            ])  # fmt: skip
            self._done[key] = _played(here, group)
        return self._done[key]

    def _way(self, group: Group) -> set[str]:
        key = (group.first.unit.id, group.row)
        if key not in self._done:
            self._done[key] = {
                place for action in group.actions() if (place := getattr(action, "to", None))
            } | {str(group.first.unit.at)}
        way: set[str] = self._done[key]
        return way

    def _measured(
        self, plan: dict[str, int], at: dict[str, str], spent: dict[str, int], exposure: int
    ) -> End | None:
        measure = self.measure
        stands = {u.id: stand_of(at[u.id], carried=u.aboard is not None)
                  for u in self.model.position.units}  # fmt: skip
        for number in range(len(self.model.goal.aims)):
            met = sum(measure.holds(number, name, stand) for name, stand in stands.items())
            if met < measure.required(number):
                return None
        gains = [measure.gain(name, stand) for name, stand in stands.items()]
        moved = sum(row != STAYS for row in plan.values())
        score = (sum(v for v, _ in gains), sum(d for _, d in gains), exposure,
                 sum(spent.values()), moved)  # fmt: skip
        return End(score, tuple((name, at[name], spent[name]) for name in measure.movers))


def _played(here: Any, group: Group) -> dict[str, tuple[int, list[str]]] | None:
    start = here
    entered: dict[str, list[str]] = {name: [] for name in group.names}
    for action in group.actions():
        ruling = ASL.rule(here, action)
        if not ruling.is_legal or ruling.obligations:
            return None
        for name in group.names:
            at, to = (each.unit(name).at for each in (here, ruling.after))
            if to != at:
                entered[name].append(off_by(at) if to is None else to)
        here = ruling.after
    return {n: (here.unit(n).spent - start.unit(n).spent, entered[n]) for n in group.names}
