"""Unit options for one move: alone, in a stack with a leader, or as a transport with its load.

Nothing here states a rule: reach finds the ways, and the referee judges loading, unloading and
stack payments.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations
from typing import TYPE_CHECKING

import msgspec

from marchtable.planning.goals import places_of, units_of
from marchtable.planning.score import FinalPlace
from marchtable.planning.ways import End, Way, unsupported
from marchtable.rules.rulebook import find_rulebook
from marchtable.tokens import token_of
from marchtable_models.valor.rules.leaving import Exit
from marchtable_models.valor.rules.movement import Enter
from marchtable_models.valor.rules.paying import allotment, fellows
from marchtable_models.valor.rules.transport import Load, Unload
from marchtable_models.valor.views.units import cargo, carrier_of, kind_of, type_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from marchtable.planning.choice.aims import Standing
    from marchtable.planning.company import Company
    from marchtable.rules.plan_model import Rolls
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable_models.valor.model import ValorPosition, ValorUnit

__all__ = ["JointMove", "Options", "final_place"]

replace = msgspec.structs.replace


@dataclass(frozen=True, eq=False, slots=True)
class JointMove:
    """
    A possible joint move of some units.

    Parameters
    ----------
    stands
        Where each unit involved ends, the acting one first.
    way
        The actions on the way, None for staying.
    points, moved
        Its cost in half points, and how many units go, those aboard included.
    """

    stands: tuple[Standing, ...]
    way: Way | None = None
    points: int = 0
    moved: int = 0

    @property
    def actions(self) -> tuple[Action, ...]:
        """Its actions, with rolls not settled."""
        return self.way.actions if self.way else ()

    @property
    def unit(self) -> str:
        """The unit that acts or leads."""
        return self.stands[0][0]

    @property
    def units(self) -> tuple[str, ...]:
        """All units it decides for."""
        return tuple(name for name, _ in self.stands)

    @property
    def acts(self) -> int:
        """Whether it has actions."""
        return int(self.way is not None)

    @property
    def exposure(self) -> int:
        """The threat to all units that go."""
        return self.way.exposure * self.moved if self.way else 0


class Options:
    """
    The options of every mover of one position and goal.

    Parameters
    ----------
    company, goal, rolls
        The movers, the plan's goal, and the treatment of rolls.
    """

    def __init__(self, company: Company, goal: Goal, rolls: Rolls) -> None:
        self.company, self.position, self.goal, self.rolls = company, company.position, goal, rolls
        self.movers, self.left_out = frozenset(company.units), set[str]()
        going = [unit for unit in map(self.position.unit, company.units) if unit.moving]
        self.ended = self.position.with_units([replace(unit, moving=False) for unit in going])
        self._known: dict[tuple[int, tuple[str, ...]], list[Way]] = {}

    def all_of_them(self) -> Iterator[JointMove]:
        """Yield every option."""
        for name in self.company.units:
            yield JointMove(((name, final_place(self.position.unit(name))),))
        for name in sorted(self.concerned & self.movers):
            unit = self.position.unit(name)
            load = [u.id for u in cargo(self.position, unit)]
            stands = unit.at is not None or unit.entering
            if stands and unit.aboard is None and self.movers.issuperset(load):
                yield from self._going(self._crowded(unit), unit, load)
                yield from self._unloading(unit, load)
                yield from self._loading(unit, load)
        for party in self._parties() if self.position.phase == "Movement" else ():
            yield from self._together(party)

    @cached_property
    def concerned(self) -> frozenset[str]:
        """Units wanted somewhere, units that could carry them, and units in their way."""
        goal, position = self.goal, self.position
        wanted = {name for aim in goal.aims for name in units_of(aim, position)}
        places = {at for aim in goal.aims for at in places_of(aim.at, position.board)}
        found = set(wanted)
        for unit in map(position.unit, wanted):
            rides = carrier_of(position, unit) or unit
            found |= {u.id for u in (rides, *fellows(position, rides)) if u.side == unit.side}
        found |= {u.id for at in places for u in position.occupants.get(at, ())}
        return frozenset(found)

    def _start(self, unit: ValorUnit) -> ValorPosition:
        """Return the latest position in which a unit begins: units that were moving have ended."""
        return self.position if unit.moving else self.ended

    # -- one unit, with its load ------------------------------------------------------------------

    def _going(
        self, start: ValorPosition, unit: ValorUnit, aboard: Sequence[str], *,
        before: tuple[Action, ...] = (), behind: Sequence[str] = (),
        after: tuple[Action, ...] = (), off: Sequence[str] = (),
    ) -> Iterator[JointMove]:  # fmt: skip
        """Yield a unit's options before and after some actions, and its final load."""
        here = str(unit.at)
        stays = tuple((name, FinalPlace(here)) for name in behind)
        if before:
            ends = ((unit.id, FinalPlace(here)), *_aboard(aboard, here))
            yield JointMove(ends + stays, Way(End(here), 0, 0, lambda: before))
        for way in self._ways(start, unit.id):
            at, leaves = way.end
            if leaves and after:
                continue  # units cannot unload off the map
            ends = tuple((name, FinalPlace(at)) for name in (unit.id, *off))
            ends += _aboard(aboard, at)
            if leaves:
                ends = tuple((name, _off(at)) for name, _ in ends)
            loaded_way = _by(way, (unit.id,), before, after)
            yield JointMove(ends + stays, loaded_way, way.points, len(ends))

    def _crowded(self, unit: ValorUnit) -> ValorPosition:
        """Return the position a unit starts from: if it only leaves a crowd, after those getting off."""
        position = self._start(unit)
        for other in self.position.occupants.get(unit.at or "", ()) if unit.settled else ():
            off = other.aboard and self.company.played(position, (Unload(other.id),))
            position = off[0] if off else position
        return position

    def _unloading(self, unit: ValorUnit, cargo: Sequence[str]) -> Iterator[JointMove]:
        """Yield a transport's options that unload units, at its end or its start."""
        for some in _some(cargo):
            down: tuple[Action, ...] = tuple(Unload(name) for name in some)
            unloaded = self.company.played(self._start(unit), down)
            staying = [name for name in cargo if name not in some]
            if unloaded is not None or unit.at is None:
                yield from self._going(self._start(unit), unit, staying, after=down, off=some)
            if unloaded is not None:
                yield from self._going(unloaded[0], unit, staying, before=down, behind=some)

    def _loading(self, unit: ValorUnit, cargo: Sequence[str]) -> Iterator[JointMove]:
        """Yield a transport's options that load units of its hex."""
        if unit.at is None or not type_of(self.position, unit).carries:
            return
        beside = [u.id for u in self.position.beside(unit.at)
                  if u.id in self.movers and u.aboard is None and u is not unit]  # fmt: skip
        for some in _some(beside):
            up: tuple[Action, ...] = tuple(Load(name, unit.id) for name in some)
            laden = self.company.played(self._start(unit), up)
            if laden is not None:
                yield from self._going(laden[0], unit, [*cargo, *some], before=up)

    # -- stacks -----------------------------------------------------------------------------------

    def _parties(self) -> Iterator[tuple[ValorUnit, ...]]:
        """Yield infantry that can move together: with one leader, or as it does already."""
        able = [
            u for u in map(self.position.unit, sorted(self.concerned & self.movers))
            if u.aboard is None and not u.pinned and kind_of(self.position, u) == "infantry"
        ]  # fmt: skip
        for leader in (u for u in able if not u.moved and self._leads(u)):
            beside = {u.id for u in fellows(self.position, leader) if u.side == leader.side}
            others = [u for u in able if u.id in beside and not u.moved and not self._leads(u)]
            for size in range(1, len(others) + 1):
                yield from ((leader, *some) for some in combinations(others, size))
        for names in sorted({u.party for u in able if u.moving and u.party}):
            units = map(self.position.unit, names)
            party = tuple(u for u in units if u.at is not None and u.moving and not u.pinned)
            if len(party) > 1 and self.movers.issuperset(names):
                yield party

    def _leads(self, unit: ValorUnit) -> bool:
        return type_of(self.position, unit).class_ == "leader"

    def _together(self, party: Sequence[ValorUnit]) -> Iterator[JointMove]:
        """Yield a stack's destinations: as far as its slowest member gets with the others."""
        names, book = tuple(u.id for u in party), find_rulebook(self.position.rulebook)
        edition, company = book.edition(self.position), self.company
        remaining = {u.id: allotment(self.position, u, edition, names) - u.spent for u in party}
        slowest = min(party, key=lambda unit: remaining[unit.id])
        start = self._start(party[0])
        apart = start.with_units([replace(slowest, party=())])
        alone = apart.unit(slowest.id)
        more = remaining[alone.id] - (book.allotment(apart, alone) - alone.spent)
        relaxed = book.with_points(apart, alone, more) if more else apart
        if relaxed is None:
            return
        reached = [{way.end for way in self._ways(start, name)} for name in names]
        for way in self._ways(relaxed, alone.id, *(n for n in names if n != alone.id)):
            if all(way.end in some for some in reached):
                continue  # each gets there alone at the same cost
            points, led_way = way.points * len(names), _by(way, names)
            if len(way.actions) == 1:  # a first hex can cost all that each has
                done = company.played(start, led_way.actions)
                points = sum(company.spent(done[0], name) for name in names) if done else 0
            end = _off(way.end.at) if way.end.leaves else FinalPlace(way.end.at)
            stands = tuple((name, end) for name in names)
            yield JointMove(stands, led_way, points, len(names))

    # -- results ----------------------------------------------------------------------------------

    def _ways(self, position: ValorPosition, name: str, *beside: str) -> list[Way]:
        """Return a unit's unbeaten ways by points and exposure, with those beside it for company."""
        key = (token_of(position.units), (name, *beside))
        if key not in self._known:
            self.left_out |= {*unsupported(position, name, self.goal, self.rolls)}
            self._known[key] = [*chain(*self.company.ways(position, name, beside).values())]
            self.left_out |= self.company.left_out
        return self._known[key]


def final_place(unit: ValorUnit) -> FinalPlace:
    """Return a unit's present state."""
    return FinalPlace(unit.at, carried=unit.aboard is not None)


def _by(
    way: Way,
    names: tuple[str, ...],
    before: tuple[Action, ...] = (),
    after: tuple[Action, ...] = (),
) -> Way:
    """Return a way of several units with other actions; no Assault Movement (same cost)."""

    def made() -> tuple[Action, ...]:
        steps = (
            replace(one, units=names, assault=False) if isinstance(one, Enter)
            else Exit(names) if isinstance(one, Exit) else one
            for one in way.actions
        )  # fmt: skip
        return (*before, *steps, *after)

    return Way(way.end, way.points, way.exposure, made)


def _aboard(names: Iterable[str], at: str) -> tuple[Standing, ...]:
    return tuple((name, FinalPlace(at, carried=True)) for name in names)


def _off(at: str) -> FinalPlace:
    """Return the state of a unit that has left the map from a hex, on its own or aboard."""
    return FinalPlace(None, exited_by=at)


def _some(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield every non-empty set of names: few, since a hex holds few units (V6.9)."""
    return chain.from_iterable(combinations(names, size + 1) for size in range(len(names)))
