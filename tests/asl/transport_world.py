"""What units can do alone, from ``legal_actions``: searched once for equal surroundings.

A state is a tuple of numbers, one a unit; a world, shared by positions on one board, holds their
meaning.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.rules.generator import legal_actions
from marchtable.state.action import verb_of
from marchtable.state.records import differences, replace
from marchtable_models.asl.views.modes import mode_of
from tests.asl.boards import ASL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Entry", "State", "Way", "World"]

State = tuple[int, ...]
Changes = tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]
"""The changed fields, by unit."""


class Entry(NamedTuple):
    """A unit, the Location by which it has left the map, whether it ever moved, the threat it met."""

    unit: Any
    by: str = ""
    moved: bool = False
    exposure: int = 0


class Way(NamedTuple):
    """A way's end (or exit Location), its mode, its cost and its changes."""

    at: str
    by: str
    stands: bool
    plain: bool
    spent: int
    exposure: int
    left: int
    moved: bool
    changes: Changes


class Found(NamedTuple):
    """A unit's ways, wherever these Locations look the same."""

    looked: frozenset[str]
    seen: frozenset[int]
    ways: tuple[Way, ...]


class World:
    """Knowledge about units on one board, for any position.

    Parameters
    ----------
    verbs
        Those by which units go alone.
    apart
        Whether to distinguish ways of vehicles by the mode in which they end.
    """

    def __init__(self, verbs: Iterable[str], *, apart: bool = False) -> None:
        self.verbs, self.apart = frozenset(verbs), apart
        self.asked = 0
        self.entries: list[Entry] = []
        self.at: list[str | None] = []
        self.plain: list[int] = []
        self._numbers: dict[Entry, int] = {}
        self._plain: dict[Any, int] = {}
        self._ways: dict[Any, list[Found]] = {}
        self._gone: dict[tuple[int, Any], int] = {}
        self.steps: dict[Any, tuple[int, tuple[State, ...]]] = {}

    # -- states ----------------------------------------------------------------------------------

    def number(self, entry: Entry) -> int:
        """Return the number of an entry, equal entries sharing one."""
        found = self._numbers.get(entry)
        if found is None:
            found = self._numbers[entry] = len(self.entries)
            unit = entry.unit
            self.entries.append(entry)
            stands = unit.at is not None and unit.cargo.aboard is None
            self.at.append(unit.at if stands else None)
            plain = self._plain.setdefault(_plain(unit), len(self._plain)) if stands else -1
            self.plain.append(plain)
        return found

    def state(self, position: Any) -> State:
        """Return the state of a position in which no unit has acted."""
        return tuple([self.number(Entry(unit)) for unit in position.units])

    def position(self, start: Any, state: State) -> Any:
        """Return the position of a state."""
        return start.with_units([self.entries[number].unit for number in state])

    def with_changes(
        self, state: State, index: dict[str, int], changes: Changes, way: Way | None = None,
        mover: str = "",
    ) -> State:  # fmt: skip
        """Return a state with changed units: the mover and, if stated, its load on a way."""
        found = list(state)
        for name, fields in changes:
            place = index[name]
            entry = self.entries[found[place]]
            goes = mover in (name, entry.unit.cargo.aboard, entry.unit.cargo.towed_by)
            if way is not None and not goes and entry.unit.move.mph != "moving":
                continue  # the other whose MPh ended then had begun it
            key = (found[place], (fields, way[:8] if way and goes else None))
            number = self._gone.get(key)
            if number is None:
                unit = replace(entry.unit, **dict(fields))
                gone = entry._replace(unit=unit)
                if way is not None and goes:
                    gone = Entry(
                        unit, way.by, entry.moved or way.moved, entry.exposure + way.exposure
                    )
                number = self._gone[key] = self.number(gone)
            found[place] = number
        return tuple(found)

    # -- ways ------------------------------------------------------------------------------------

    def ways(self, start: Any, state: State, name: str, goal: Any) -> tuple[Way, ...]:
        """Return the cheapest ways to each Location, and off the map, in the present situation."""
        units = [self.entries[number].unit for number in state]
        group = [u for u in units if name in (u.id, u.cargo.aboard, u.cargo.towed_by)]
        group.sort(key=lambda unit: unit.id != name)
        mine = {unit.id for unit in group}
        others = [n for n, unit in zip(state, units, strict=True) if unit.id not in mine]
        asks = (goal.avoid, tuple(goal.threat.items()), tuple(aim.exit for aim in goal.aims))
        key = (tuple(self.number(Entry(unit)) for unit in group), asks)
        known = self._ways.setdefault(key, [])
        for found in known:
            if self.seen(others, found.looked) == found.seen:
                return found.ways
        search = _Search(self, self.position(start, state), key[0], others)
        ways = search.ways(goal)
        looked = frozenset(search.looked)
        known.append(Found(looked, self.seen(others, looked), ways))
        return ways

    def seen(self, others: list[int], looked: frozenset[str]) -> frozenset[int]:
        """Return the others' presence in some Locations."""
        return frozenset([self.plain[n] for n in others if self.at[n] in looked])


class _Search:
    """The search for one unit's ways, whichever other units stand where."""

    def __init__(self, world: World, position: Any, group: State, others: list[int]) -> None:
        self.world, self.position, self.group, self.others = world, position, group, others
        self.name = world.entries[group[0]].unit.id
        self.looked: set[str] = set()
        self.beside: Changes = ()  # what its setting out means to others

    def ways(self, goal: Any) -> tuple[Way, ...]:
        """Return the ways, cheapest first, then least exposed."""
        numbers, by = count(), {at for aim in goal.aims for at in aim.exit}
        first = self.world.entries[self.group[0]].unit
        waiting = [(first.points.spent, 0, next(numbers), self.group, False)]
        done: set[Any] = set()
        left: dict[str, int] = {}
        found: dict[Any, Way] = {}
        while waiting:
            spent, exposure, _, now, moved = heappop(waiting)
            unit = self.world.entries[now[0]].unit
            mode = replace(unit, spent=0, used=min(unit.points.used, 1), previous=None)
            if mode in done:
                continue
            done.add(mode)
            plain = not (
                unit.points.double
                or unit.points.final
                or unit.status.tired
                or unit.place.bypass is not None
            )
            room, steps = self._steps(now)
            if unit.place.bypass is None and unit.at is not None:
                key = (unit.at, "", not unit.motion.moving, plain)
                how = mode_of(unit) if self.world.apart and unit.facing is not None else None
                found.setdefault(
                    (*key, how), Way(*key, spent, exposure, 0, moved, self._changes(now))
                )
                left[unit.at] = max(left.get(unit.at, 0), room - spent)
            for after in steps:
                gone = self.world.entries[after[0]].unit
                if (
                    gone.at is None and not gone.offboard.exited
                ):  # it has turned, for example, before entering
                    heappush(waiting, (gone.points.spent, exposure, next(numbers), after, moved))
                elif gone.at is None:
                    key = ("", unit.at, False, False)
                    best = found.get(key)
                    if unit.at in by and (
                        best is None or (gone.points.spent, exposure) < best[4:6]
                    ):
                        result = (gone.points.spent, exposure, 0, True)
                        found[key] = Way(*key, *result, self._changes(after))
                elif gone.at not in goal.avoid:
                    entered = gone.at != unit.at
                    met = exposure + (goal.threat.get(gone.at, 0) if entered else 0)
                    heappush(
                        waiting, (gone.points.spent, met, next(numbers), after, moved or entered)
                    )
        known = [way._replace(left=left.get(way.at, 0)) for way in found.values()]
        return tuple(sorted(known, key=lambda way: way[4:6]))

    def _changes(self, now: State) -> Changes:
        """Return the changes by a way."""
        if now == self.group:
            return ()
        entries = self.world.entries
        pairs = [(entries[a].unit, entries[b].unit) for a, b in zip(self.group, now, strict=True)]
        return (*_differences(pairs), *self.beside)

    def _steps(self, now: State) -> tuple[int, tuple[State, ...]]:
        """Return a unit's total allotment, and the legal next steps of a state of its group."""
        world = self.world
        unit, board = world.entries[now[0]].unit, self.position.board
        if unit.at is None:
            around = frozenset(map(board.resolve, unit.offboard.entering))
        else:
            around = frozenset((unit.at, *(other for _, other in board.neighbours(unit.at))))
        self.looked |= around
        key = (now, world.seen(self.others, around))
        if key not in world.steps or now == self.group:
            position = self.position.with_units([world.entries[n].unit for n in now])
            world.asked += 1
            after = [*_steps(position, self.name, world.verbs)]
            ids = [world.entries[n].unit.id for n in now]
            if now == self.group and after:
                others = changes_of(position, after[0])
                self.beside = tuple(change for change in others if change[0] not in ids)
            world.steps[key] = (
                ASL.allotment(position, position.unit(self.name)),
                tuple(tuple(world.number(Entry(one.unit(n))) for n in ids) for one in after),
            )
        return world.steps[key]


def _steps(position: Any, name: str, verbs: frozenset[str]) -> Iterator[Any]:
    """Yield the results of the legal steps of a unit alone that need no roll."""
    for choice in legal_actions(position, name):
        if not choice.closes or verb_of(choice.action) not in verbs:
            continue
        ruling = choice.ruling
        named = getattr(choice.action, "units", (name,))
        if ruling.is_legal and not ruling.obligations and tuple(named) == (name,):
            yield ruling.after


def changes_of(before: Any, after: Any) -> Changes:
    """Return the changed fields, by unit."""
    return _differences(zip(before.units, after.units, strict=True))


def _differences(pairs: Iterable[tuple[Any, Any]]) -> Changes:
    return tuple((now.id, tuple(differences(was, now).items())) for was, now in pairs if was != now)


KEPT_TO_ITSELF: dict[str, Any] = {
    "spent": 0, "used": 0, "previous": None, "road": False, "mph": "done", "final": "", "double": 0,
    "cx": False, "conveyed": False, "stays": False, "lost": 0, "boarder_spent": 0,
    "boarder_left": 0, "act": "", "hitch": (), "lane": None,
}  # fmt: skip
"""The part of a unit that only its own moves depend on."""


def _plain(unit: Any) -> Any:
    """Return another's unit without what only its own moves depend on."""
    facing = None if unit.facing is None or unit.motion.moving else "E"
    return replace(unit, facing=facing or unit.facing, **KEPT_TO_ITSELF)
