"""Transport plans by brute force: every plan of the declared space, out of ``legal_actions`` alone.

What a unit may do alone is searched once for all positions that are the same wherever it looked;
what follows from a position is looked up in a table if the position was met before.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.action import verb_of
from marchtable.generator import legal_actions
from marchtable.planning.goal import CRITERIA
from marchtable.planning.score import Measure, Stand
from marchtable_models.asl.verbs.carrying import Load, Unload
from tests.asl.boards import ASL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from marchtable.planning.goal import Goal

__all__ = ["ByForce"]

Ends = frozenset[tuple[Any, ...]]
"""Scores, each with the projection that it comes from."""
Changes = tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]
"""By unit, the fields that have changed."""

FIRST = (-1, -1)
replace = msgspec.structs.replace


class Way(NamedTuple):
    """Where a way leads, what it costs, what may be left there at most, and what it changes."""

    at: str
    stands: bool
    plain: bool
    spent: int
    left: int
    changes: Changes


class Found(NamedTuple):
    """The ways of a unit, wherever these Locations look the same."""

    looked: frozenset[str]
    seen: frozenset[Any]
    ways: tuple[Way, ...]


class ByForce:
    """
    All plans for a position and goal, vehicles moving in the order given.

    Each unit's own way is the cheapest, as the declared policy has it; who boards what, where
    vehicles go, who leaves them there and in which order the others act is tried out in full.

    Parameters
    ----------
    position, goal, order
        The problem, and the vehicles.
    verbs
        Those of the declared space.
    """

    def __init__(
        self, position: Any, goal: Goal, order: list[str], verbs: Iterable[str], *,
        whole: bool = False,
    ) -> None:  # fmt: skip
        self.start, self.goal, self.order = position, goal, order
        self.verbs = set(verbs) - {"load", "unload"}
        self.whole = whole
        self.measure = Measure(position, goal)
        self._ways: dict[Any, list[Found]] = {}
        self._ends: dict[Any, Ends] = {}

    def ends(self) -> Ends:
        """Return the scores of all plans that meet the musts; with `whole`, their projections too."""
        return self._boarding(self.start)

    def best(self, weights: Mapping[str, int]) -> int | None:
        """Return the largest weighted sum, None if no plan meets the musts."""
        return max(
            (
                sum(weights.get(c, 0) * n for c, n in zip(CRITERIA, end[0], strict=True))
                for end in self.ends()
            ),
            default=None,
        )

    # -- stages ----------------------------------------------------------------------------------

    def _kept(self, stage: Any, position: Any, found: Callable[[], Iterator[Any]]) -> Ends:
        key = (stage, frozenset(map(_essence, position.units)))
        if key not in self._ends:
            self._ends[key] = frozenset(end for ends in found() for end in ends)
        return self._ends[key]

    def _boarding(self, position: Any) -> Ends:
        vehicles = [position.unit(name) for name in self.order]

        def found() -> Iterator[Any]:
            yield self._driving(position, 0)
            for unit in self._on_foot(position):
                if unit.mph != "unmoved":
                    continue
                for way in self._ways_of(position, unit.id):
                    if not way.plain or way.spent > self._least(unit.id, way.at):
                        continue  # it would pay for company on its way
                    if any(v.at == way.at for v in vehicles):
                        yield from map(self._boarding, self._loaded(_after(position, way), unit.id))

        return self._kept("board", position, found)

    def _loaded(self, position: Any, name: str) -> Iterator[Any]:
        for choice in legal_actions(position, name):
            action, ruling = choice.action, choice.ruling
            is_boarding = isinstance(action, Load) and choice.closes and not action.riding
            if not is_boarding or ruling.obligations or getattr(action, "units", ()) != (name,):
                continue
            if ruling.after.unit(name).aboard in self.order:
                yield ruling.after

    def _driving(self, position: Any, number: int) -> Ends:
        if number == len(self.order):
            return self._walking(position)

        def found() -> Iterator[Any]:
            yield self._driving(position, number + 1)
            for way in self._ways_of(position, self.order[number]):
                if way.stands:
                    there = _after(position, way)
                    yield self._driving(there, number + 1)
                    for left in self._unloaded(there, self.order[number]):
                        off = [u.id for u in there.units if u.aboard and not left.unit(u.id).aboard]
                        yield self._walking_on(left, number, frozenset(off))

        return self._kept(number, position, found)

    def _unloaded(self, position: Any, vehicle: str) -> Iterator[Any]:
        inside = [unit.id for unit in position.units if unit.aboard == vehicle]
        waiting = [c for name in inside for c in legal_actions(position, name)
                   if isinstance(c.action, Unload)]  # fmt: skip
        while waiting:
            choice = waiting.pop()
            if choice.closes and not choice.ruling.obligations:
                yield choice.ruling.after
            if choice.joins:
                waiting += legal_actions(position, opened=choice.action)

    def _walking_on(
        self, position: Any, number: int, able: frozenset[str], last: tuple[int, int] = FIRST
    ) -> Ends:
        """Let those who have left a vehicle go on, who has least to spare first."""

        def found() -> Iterator[Any]:
            yield self._driving(position, number + 1)
            for name in able:
                for way, turn in self._in_turn(position, name, last):
                    yield self._walking_on(_after(position, way), number, able - {name}, turn)

        return self._kept((number, able, last), position, found)

    def _walking(self, position: Any, last: tuple[int, int] = FIRST) -> Ends:
        """Let the others walk, who has least to spare first."""

        def found() -> Iterator[Any]:
            end = self._end(position)
            yield () if end is None else (end,)
            for unit in self._on_foot(position):
                if unit.mph == "unmoved":
                    for way, turn in self._in_turn(position, unit.id, last):
                        yield self._walking(_after(position, way), turn)

        return self._kept(("walk", last), position, found)

    def _in_turn(
        self, position: Any, name: str, last: tuple[int, int]
    ) -> Iterator[tuple[Way, tuple[int, int]]]:
        """Yield the cheapest way to each other Location, if it is not another's turn."""
        unit, place = position.unit(name), self.measure.movers.index(name)
        lefts = {way.at: way.left for way in self._ways_of(self._apart(position, name), name)}
        seen = {unit.at}
        for way in self._ways_of(position, name):
            turn = (lefts.get(way.at, 0), place)
            if way.at not in seen and turn > last:
                yield way, turn
            seen.add(way.at)

    def _apart(self, position: Any, name: str) -> Any:
        """Return the position with none of the other movers about."""
        return position.with_units([
            replace(unit, at=None, aboard=None)
            for unit in position.units
            if unit.id in self.measure.movers and unit.id != name
        ])  # fmt: skip

    def _on_foot(self, position: Any) -> Iterator[Any]:
        return (
            unit for unit in position.units
            if unit.side == position.side and unit.facing is None and unit.aboard is None
            and unit.id in self.measure.movers
        )  # fmt: skip

    def _least(self, name: str, at: str) -> int:
        """Return the least that a unit spends on its way to a Location with none of the others about."""
        ways = self._ways_of(self._apart(self.start, name), name)
        return min((way.spent for way in ways if way.plain and way.at == at), default=-1)

    # -- ways ------------------------------------------------------------------------------------

    def _ways_of(self, position: Any, name: str) -> tuple[Way, ...]:
        """Return the cheapest way to each Location, standing or not, able to board or not."""
        unit = position.unit(name)
        inside = tuple(u for u in position.units if u.aboard == name)
        known = self._ways.setdefault((unit, inside), [])
        for found in known:
            if _seen(position, name, found.looked) == found.seen:
                return found.ways
        known.append(self._searched(position, name))
        return known[-1].ways

    def _searched(self, position: Any, name: str) -> Found:
        numbers = count()
        waiting = [(position.unit(name).spent, next(numbers), position)]
        done: set[Any] = set()
        left: dict[str, int] = {}
        found: dict[tuple[str, bool, bool], Way] = {}
        looked = set()
        while waiting:
            _, _, now = heappop(waiting)
            unit = now.unit(name)
            state = replace(unit, spent=0, used=min(unit.used, 1), previous=None)
            if state in done:
                continue
            done.add(state)
            looked |= {unit.at, *(at for _, at in now.board.neighbours(unit.at))}
            plain = not (unit.double or unit.final or unit.tired or unit.bypass is not None)
            if unit.bypass is None:
                key = (unit.at, not unit.moving, plain)
                found.setdefault(key, Way(*key, unit.spent, 0, _changes(position, now)))
                left[unit.at] = max(left.get(unit.at, 0), ASL.allotment(now, unit) - unit.spent)
            for choice in legal_actions(now, name):
                if self._is_alone(choice, name):
                    after = choice.ruling.after
                    if after.unit(name).at not in self.goal.avoid:
                        heappush(waiting, (after.unit(name).spent, next(numbers), after))
        known = [way._replace(left=left[way.at]) for way in found.values()]
        ways = sorted(known, key=lambda way: way.spent)
        return Found(frozenset(looked), _seen(position, name, looked), tuple(ways))

    def _is_alone(self, choice: Any, name: str) -> bool:
        if not choice.closes or verb_of(choice.action) not in self.verbs:
            return False
        ruling = choice.ruling
        named = getattr(choice.action, "units", (name,))
        return ruling.is_legal and not ruling.obligations and tuple(named) == (name,)

    # -- ends ------------------------------------------------------------------------------------

    def _end(self, position: Any) -> tuple[Any, ...] | None:
        stands = {u.id: Stand(u.at, u.aboard is not None) for u in position.units}
        measure = self.measure
        for number in range(len(self.goal.aims)):
            met = sum(measure.holds(number, name, stand) for name, stand in stands.items())
            if met < measure.required(number):
                return None
        gains = [measure.gain(name, stand) for name, stand in stands.items()]
        before = {unit.id: unit for unit in self.start.units}
        points = sum(unit.spent - before[unit.id].spent for unit in position.units)
        moved = sum(unit.at != before[unit.id].at for unit in position.units)
        score = (sum(v for v, _ in gains), sum(d for _, d in gains), 0, points, moved)
        if not self.whole:
            return (score,)
        return score, tuple(
            (name, position.unit(name).at, position.unit(name).spent - before[name].spent)
            for name in measure.movers
        )


def _after(position: Any, way: Way) -> Any:
    return position.with_units([
        replace(position.unit(name), **dict(fields)) for name, fields in way.changes
    ])  # fmt: skip


def _changes(before: Any, after: Any) -> Changes:
    return tuple(
        (now.id, tuple((f, getattr(now, f)) for f in now.__struct_fields__
                       if getattr(now, f) != getattr(was, f)))
        for was, now in zip(before.units, after.units, strict=True) if was != now
    )  # fmt: skip


def _seen(position: Any, name: str, looked: Iterable[str]) -> frozenset[Any]:
    """Return the others that stand, or stand aboard something, in some Locations."""
    return frozenset(
        _plain(unit) for unit in position.units
        if unit.at in looked and name not in (unit.id, unit.aboard)
    )  # fmt: skip


def _plain(unit: Any) -> Any:
    """Return another's unit without what its own later moves alone depend on."""
    facing = None if unit.facing is None or unit.moving else "E"
    return replace(unit, spent=0, used=0, previous=None, facing=facing or unit.facing, road=False)


def _essence(unit: Any) -> Any:
    """Return a unit without what nothing more depends on."""
    if unit.mph != "moved":
        return unit
    return replace(unit, used=0, previous=None, road=False)
