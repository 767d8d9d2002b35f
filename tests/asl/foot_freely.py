"""Plans on foot where company costs nothing, by ``legal_actions`` alone, without the model.

Units too few to overstack any Location neither help nor hinder each other, except for leaders. Each
unit's ways are searched with none of the others on the map, and a leader's with each unit they may
lead; then all choices are combined.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count, product
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.planning.goals import places_of
from marchtable.planning.score import FinalPlace, Measure
from marchtable.rules.generator import legal_actions
from marchtable.state.action import verb_of
from marchtable.state.goal import CRITERIA
from marchtable.state.records import replace
from marchtable_models.asl import data
from marchtable_models.asl.views.reading import type_of
from tests.asl.boards import ASL

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from marchtable.state.goal import Goal

__all__ = [
    "Freely",
    "final_place",
    "home_of",
    "is_free",
    "left_by",
    "next_",
    "off",
    "off_by",
    "together",
]  # fmt: skip

VERBS = {"enter", "minimum", "double-time", "bypass", "into", "exit"}

NOWHERE, OFF = "-", "off the map by "


def home_of(unit: Any) -> str:
    """Return the end of a unit that stays in place."""
    return unit.at or NOWHERE


def off_by(at: str) -> str:
    """Return the end of having left the map by a Location."""
    return OFF + at


def left_by(end: str) -> str | None:
    """Return the Location where the map is left, None for an end on the map."""
    return end.removeprefix(OFF) if end.startswith(OFF) else None


def final_place(end: str, *, carried: bool = False) -> FinalPlace:
    """Return a unit's place at an end."""
    if end == NOWHERE:
        return FinalPlace(None, carried)
    by = left_by(end)
    return FinalPlace(end, carried) if by is None else FinalPlace(None, carried, by)


class Way(NamedTuple):
    """Where units that move together end, what each has spent since, and the threat met."""

    at: str
    mode: Any
    spent: tuple[int, ...]
    met: int


class Gain(NamedTuple):
    """What a unit adds to a weighted sum, and which must-aims it meets."""

    worth: int
    held: tuple[int, ...]


def is_free(position: Any, side: str) -> bool:
    """Return whether a side has too few units to overstack a Location."""
    types = [type_of(position, unit) for unit in position.units if unit.side == side]
    leaders = sum(kind.leads for kind in types)
    squads = data.count("A5.1", "half_squads") // data.count(
        "A5.5", "squad"
    )  # the same number of leaders is free
    return leaders <= data.count("A5.1", "smc") and len(types) - leaders <= squads


def together(one: Any, two: Any) -> bool:
    """Return whether units start in the same Location, or wait to enter by the same ones."""
    return bool((one.at, {*one.offboard.entering}) == (two.at, {*two.offboard.entering}))


def off(position: Any, names: Sequence[str]) -> Any:
    """Return a position with some units off the map."""
    return position.with_units([replace(position.unit(name), at=None) for name in names])


# -- ways ------------------------------------------------------------------------------------------


def next_(now: Any, names: Sequence[str]) -> Iterator[Any]:
    """Yield the positions after each action by which units move on together."""
    waiting = [choice for name in names for choice in legal_actions(now, name)]
    while waiting:
        choice = waiting.pop()
        action, ruling = choice.action, choice.ruling
        if choice.joins and {*getattr(action, "units", ())} < {*names}:
            waiting += legal_actions(now, opened=action)
        if not choice.closes or verb_of(action) not in VERBS or ruling.obligations:
            continue
        if len(names) > 1 and verb_of(action) == "minimum":  # that action is taken alone
            continue
        if not hasattr(action, "units"):
            yield from _all_declare(ruling.after, action, names[1:])
        elif {*action.units} == {*names}:
            yield ruling.after


def _all_declare(now: Any, action: Any, names: Sequence[str]) -> Iterator[Any]:
    for name in names:
        ruling = ASL.rule(now, replace(action, unit=name))
        if not ruling.is_legal:
            return
        now = ruling.after
    yield now


def ways(empty: Any, units: Sequence[Any], goal: Goal) -> list[Way]:
    """Return the ways units can move together, by fewest points of the first, then least exposure."""
    names, numbers = tuple(unit.id for unit in units), count()
    start, home = empty.with_units(units), units[0].at
    open_ = {*empty.board.index} - {*goal.avoid}
    exits = places_of({name for aim in goal.aims for name in aim.exit}, empty.board)
    waiting: list[Any] = [(0, 0, next(numbers), start, None)]
    seen: set[Any] = set()
    found: list[Way] = []
    while waiting:
        paid, met, _, now, left = heappop(waiting)
        there = [now.unit(name) for name in names]
        spent = tuple(now.unit(u.id).points.spent - u.points.spent for u in units)
        if left is not None:
            found.append(Way(left[0], left[1], spent, met))
            continue
        if (essence := (_essence(there[0]), *there[1:])) in seen:
            continue
        seen.add(essence)
        at = there[0].at
        if there[0].place.bypass is None and at != home:
            found.append(Way(at, ASL.mode(there[0]), spent, met))
        for after in next_(now, names):
            to = after.unit(names[0]).at
            cost = after.unit(names[0]).points.spent - units[0].points.spent
            if to is None and at in exits:
                gone = (off_by(at), ASL.mode(there[0]))
                heappush(waiting, (cost, met, next(numbers), after, gone))
            elif to == at or to in open_:
                more = goal.threat.get(to, 0) if to != at else 0
                heappush(waiting, (cost, met + more, next(numbers), after, None))
        assert paid >= 0
    return found


def _essence(unit: Any) -> Any:
    return replace(unit, spent=0, used=min(unit.points.used, 1), previous=None)


def cheapest(found: Sequence[Way], *, by_mode: bool) -> dict[Any, Way]:
    """Return the cheapest way to each end, then the least exposed."""
    best: dict[Any, Way] = {}
    for way in found:
        key = (way.at, way.mode) if by_mode else way.at
        if key not in best or (way.spent[0], way.met) < (best[key].spent[0], best[key].met):
            best[key] = way
    return best


# -- all choices -----------------------------------------------------------------------------------


class Freely:
    """The best plan of units that do not hinder each other.

    Parameters
    ----------
    position, goal, weights
        The problem; the goal is checked, and all its movers may walk.
    """

    def __init__(self, position: Any, goal: Goal, weights: Mapping[str, int]) -> None:
        self.position, self.goal, self.weights = position, goal, weights
        self.measure = Measure(position, goal)
        self.units = [position.unit(name) for name in self.measure.movers]
        self.empty = off(position, self.measure.movers)
        aims = range(len(goal.aims))
        self.musts = [(n, need) for n in aims if (need := self.measure.required(n))]
        self.leaders = [u for u in self.units if type_of(position, u).leads]
        self.alone = {u.id: ways(self.empty, [u], goal) for u in self.units}

    def best(self) -> int | None:
        """Return the largest weighted sum, or None if no plan meets the musts."""
        base = self._others()
        by_leader = [cheapest(self.alone[u.id], by_mode=True) for u in self.leaders]
        led = [self._led(*pair) for pair in zip(self.leaders, by_leader, strict=True)]
        rest = [u for u in self.units if u not in self.leaders]
        best = None
        for keys in product(*([None, *found] for found in by_leader)):
            options = [
                [self._gain(leader.id, None if key is None else found[key])]
                for leader, key, found in zip(self.leaders, keys, by_leader, strict=True)
            ]
            for unit in rest:
                mine = [self._gain(unit.id, None)]
                mine += [self._gain(unit.id, way)
                         for way in cheapest(self.alone[unit.id], by_mode=False).values()]  # fmt: skip
                mine += [self._gain(unit.id, way) for key, own in zip(keys, led, strict=True)
                         for way in own.get((unit.id, key), ())]  # fmt: skip
                options.append(mine)
            total = self._sum([[base], *options])
            best = total if best is None or (total is not None and total > best) else best
        return best

    def _led(self, leader: Any, alone: Mapping[Any, Way]) -> dict[Any, list[Way]]:
        """Return, by unit and leader's end, how the unit gets there with the leader for the bonus."""
        found: dict[Any, list[Way]] = {}
        for unit in self.units:
            if unit in self.leaders or not together(unit, leader):
                continue
            here = self.empty.with_units([leader, unit])
            result = replace(unit, leaders=(leader.id,))
            if ASL.allotment(here, result) <= ASL.allotment(here, unit):
                continue
            for way in ways(self.empty, [leader, unit], self.goal):
                key = (way.at, way.mode)
                if key in alone and (way.spent[0], way.met) == (
                    alone[key].spent[0],
                    alone[key].met,
                ):
                    mine = way._replace(spent=way.spent[1:])
                    found.setdefault((unit.id, key), []).append(mine)
        return found

    def _gain(self, name: str, way: Way | None) -> Gain:
        stand = final_place(home_of(self.position.unit(name)) if way is None else way.at)
        value, distance = self.measure.gain(name, stand)
        found = (value, distance, *((0, 0, 0) if way is None else (way.met, way.spent[0], 1)))
        worth = sum(self.weights.get(c, 0) * n for c, n in zip(CRITERIA, found, strict=True))
        return Gain(worth, tuple(int(self.measure.holds(n, name, stand)) for n, _ in self.musts))

    def _others(self) -> Gain:
        """Return what units that are not movers add."""
        worth, held = 0, [0] * len(self.musts)
        for unit in self.position.units:
            if unit.id not in self.measure.movers:
                stand = FinalPlace(unit.at, unit.cargo.aboard is not None)
                value, distance = self.measure.gain(unit.id, stand)
                worth += self.weights.get("value", 0) * value
                worth += self.weights.get("distance", 0) * distance
                for place, (n, _) in enumerate(self.musts):
                    held[place] += self.measure.holds(n, unit.id, stand)
        return Gain(worth, tuple(held))

    def _sum(self, options: Sequence[Sequence[Gain]]) -> int | None:
        """Return the best sum, with one option of each unit, that meets the musts."""
        needs = tuple(need for _, need in self.musts)
        known = {(0,) * len(needs): 0}
        for each in options:
            after: dict[tuple[int, ...], int] = {}
            for held, worth in known.items():
                for gain in each:
                    key = tuple(map(min, map(sum, zip(held, gain.held, strict=True)), needs))
                    after[key] = max(after.get(key, worth + gain.worth), worth + gain.worth)
            known = after
        return known.get(needs)
