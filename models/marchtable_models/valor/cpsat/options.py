"""What units may do in one go: alone, as a stack with a leader, or as a transport with what it carries.

Nothing here knows a rule: ways are asked of reach, and loading, unloading and what a stack pays of the
referee.
"""

from __future__ import annotations

from functools import cached_property
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.planning.goals import places_of, units_of
from marchtable.planning.score import Stand
from marchtable.planning.ways import unsupported, ways
from marchtable.tokens import token_of
from marchtable_models.valor.extraction import moves, reading
from marchtable_models.valor.orders import Enter, Load, Unload

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from marchtable.planning.score import Measure
    from marchtable.planning.ways import Way
    from marchtable.rules.plan_model import Rolls
    from marchtable.rules.rulebook import Rulebook
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable_models.valor.extraction.reading import ValorPosition
    from marchtable_models.valor.model import ValorUnit

__all__ = ["Option", "Options"]

replace = msgspec.structs.replace
MOST_ABOARD = 6
NOBODY: Mapping[str, Stand] = MappingProxyType({})


class Option(NamedTuple):
    """
    What some units may do together.

    Parameters
    ----------
    actions
        By which, rolls on the way not settled; none for staying.
    stands
        Where each of the units that have a part in it ends.
    adds
        What it adds to each criterion.
    """

    actions: tuple[Action, ...]
    stands: dict[str, Stand]
    adds: dict[str, int]


class Options:
    """
    The options of every mover of one position and goal.

    Parameters
    ----------
    book, position, goal, rolls, measure
        Where the plan starts, what it is for, and how it is measured.
    """

    def __init__(
        self,
        book: Rulebook[Any, Any],
        position: ValorPosition,
        goal: Goal,
        rolls: Rolls,
        measure: Measure,
    ) -> None:
        self.book, self.position, self.goal, self.rolls = book, position, goal, rolls
        self.measure, self.movers = measure, frozenset(measure.movers)
        self.left_out: set[str] = set()
        self.alone: set[tuple[str, str]] = set()
        self._known: dict[tuple[int, str], list[Way]] = {}

    def all_of_them(self) -> Iterator[Option]:
        """Yield every option."""
        for name in self.measure.movers:
            unit = self.position.unit(name)
            yield self._option((), {name: Stand(unit.at, carried=unit.aboard is not None)})
        for name in sorted(self.concerned & self.movers):
            unit = self.position.unit(name)
            cargo = [u.id for u in reading.cargo(self.position, unit)]
            stands = unit.at is not None or unit.entering
            if stands and unit.aboard is None and self.movers.issuperset(cargo):
                yield from self._alone(unit, cargo)
                yield from self._unloading(unit, cargo)
                yield from self._loading(unit, cargo)
        for party in self._parties() if self.position.phase == "Movement" else ():
            yield from self._together(party)

    @cached_property
    def concerned(self) -> frozenset[str]:
        """Those wanted somewhere, those of their hexes who might take them along, and those in their way."""
        goal, position = self.goal, self.position
        wanted = {name for aim in goal.aims for name in units_of(aim, position)}
        places = {at for aim in goal.aims for at in places_of(aim.at, position.board)}
        found = set(wanted)
        for unit in map(position.unit, wanted):
            rides = reading.carrier_of(position, unit) or unit
            found |= {u.id for u in (rides, *moves.fellows(position, rides)) if u.side == unit.side}
        found |= {u.id for at in places for u in position.occupants.get(at, ())}
        return frozenset(found)

    # -- one unit, with whatever it carries ----------------------------------------------------

    def _alone(self, unit: ValorUnit, cargo: Sequence[str]) -> Iterator[Option]:
        for way in self._ways(self.position, unit.id):
            self.alone.add((unit.id, way.at))
            yield self._by(way, {unit.id: Stand(way.at)} | _aboard(cargo, way.at))

    def _unloading(self, unit: ValorUnit, cargo: Sequence[str]) -> Iterator[Option]:
        """Yield what a transport may do that unloads some, where it ends or where it starts."""
        here = str(unit.at)
        for some in _some(cargo):
            down: tuple[Action, ...] = tuple(Unload(name) for name in some)
            left = self._played(down)
            if left is None and unit.at is not None:
                continue
            kept = [name for name in cargo if name not in some]
            for way in self._ways(self.position, unit.id):
                stands = {name: Stand(way.at) for name in (unit.id, *some)}
                yield self._by(way, stands | _aboard(kept, way.at), after=down)
            if left is None:
                continue
            stays = {name: Stand(here) for name in some}
            yield self._option(down, {unit.id: Stand(here)} | _aboard(kept, here) | stays)
            for way in self._ways(left, unit.id):
                yield self._by(way, {unit.id: Stand(way.at)} | _aboard(kept, way.at), stays, down)

    def _loading(self, unit: ValorUnit, cargo: Sequence[str]) -> Iterator[Option]:
        """Yield what a transport may do that loads some of its hex."""
        here = str(unit.at)
        if unit.at is None or not reading.type_of(self.position, unit).carries:
            return
        beside = [u.id for u in self.position.beside(here)
                  if u.id in self.movers and u.aboard is None and u is not unit]  # fmt: skip
        for some in _some(beside):
            up: tuple[Action, ...] = tuple(Load(name, unit.id) for name in some)
            laden = self._played(up)
            if laden is None:
                continue
            aboard = [*cargo, *some]
            yield self._option(up, {unit.id: Stand(here)} | _aboard(aboard, here))
            for way in self._ways(laden, unit.id):
                yield self._by(way, {unit.id: Stand(way.at)} | _aboard(aboard, way.at), before=up)

    # -- stacks --------------------------------------------------------------------------------

    def _parties(self) -> Iterator[tuple[ValorUnit, ...]]:
        """Yield infantry that may move together: with one leader, or as it does already."""
        under_way: set[tuple[str, ...]] = set()
        for group in self._groups():
            foot = [
                u for u in group
                if u.id in self.movers & self.concerned and u.aboard is None and not u.pinned
                and reading.kind_of(self.position, u) == "infantry"
            ]  # fmt: skip
            under_way |= {u.party for u in foot if u.moving and u.party}
            fresh = [u for u in foot if not u.moved]
            leaders = [u for u in fresh if self._leads(u)]
            others = [u for u in fresh if not self._leads(u)]
            for size in range(1, len(others) + 1):
                for some in combinations(others, size):
                    yield from ((leader, *some) for leader in leaders)
        for names in sorted(under_way):
            units = map(self.position.unit, names)
            party = tuple(u for u in units if u.at is not None and u.moving and not u.pinned)
            if len(party) > 1 and self.movers.issuperset(names):
                yield party

    def _groups(self) -> Iterator[Sequence[ValorUnit]]:
        """Yield who stands in one hex, and who waits off the map for the same ones."""
        yield from (self.position.beside(at) for at in self.position.occupants)
        waiting = {(u.side, u.entering): u for u in self.position.units if u.entering}
        yield from (moves.fellows(self.position, unit) for unit in waiting.values())

    def _leads(self, unit: ValorUnit) -> bool:
        return reading.type_of(self.position, unit).class_ == "leader"

    def _together(self, party: Sequence[ValorUnit]) -> Iterator[Option]:
        """Yield where a stack may go: as far as the slowest of it gets with the others."""
        names, edition = tuple(u.id for u in party), self.book.edition(self.position)
        allotted = {
            unit.id: moves.allotment(self.position, unit, edition, names) - unit.spent
            for unit in party
        }
        slowest = min(party, key=lambda unit: allotted[unit.id])
        apart = self.position.with_units([replace(slowest, party=())])
        own = self.book.allotment(apart, apart.unit(slowest.id)) - slowest.spent
        more = allotted[slowest.id] - own
        eased = self.book.with_points(apart, apart.unit(slowest.id), more) if more else apart
        if eased is None:
            return
        for way in self._ways(eased, slowest.id):
            if all((name, way.at) in self.alone for name in names):
                continue  # each gets there alone at the same cost
            joint = tuple(
                replace(one, units=names) if isinstance(one, Enter) else one for one in _plain(way)
            )
            points = way.points * len(party)
            if len(joint) == 1:  # a first hex may take all that each has
                points = self._paid(joint)
            stands = {name: Stand(way.at) for name in names}
            yield self._option(joint, stands, points, way.exposure * len(party), len(party))

    def _paid(self, actions: Iterable[Action]) -> int:
        """Return what actions cost by the referee's receipts, in half points."""
        position, spent = self.position, 0
        for action in actions:
            ruling = self.book.rule(position, action)
            spent += sum(receipt.amount for receipt in ruling.receipts)
            if ruling.after is None:
                break
            position = replace(ruling.after, pending=())
        return spent

    # -- what it comes to ----------------------------------------------------------------------

    def _ways(self, position: ValorPosition, name: str) -> list[Way]:
        """Return the ways of a unit that none beats in points and exposure."""
        key = (token_of(position.units), name)
        if key not in self._known:
            self.left_out |= {*unsupported(position, name, self.goal, self.rolls)}
            found = ways(position, name, self.goal, self.rolls)
            self._known[key] = [way for some in found.values() for way in some]
        return self._known[key]

    def _played(self, actions: Iterable[Action]) -> ValorPosition | None:
        """Return the position after actions that call for no roll, None if they are not legal."""
        position = self.position
        for action in actions:
            ruling = self.book.rule(position, action)
            if not ruling.is_legal:
                return None
            position = ruling.after
        return position

    def _by(
        self, way: Way, stands: dict[str, Stand], stays: Mapping[str, Stand] = NOBODY,
        before: tuple[Action, ...] = (), after: tuple[Action, ...] = (),
    ) -> Option:  # fmt: skip
        """Return an option of who goes by a way, with those that stay behind."""
        heads = len(stands)
        return self._option(
            (*before, *_plain(way), *after), {**stands, **stays}, way.points, way.exposure * heads, heads
        )  # fmt: skip

    def _option(
        self, actions: tuple[Action, ...], stands: dict[str, Stand], points: int = 0, exposure: int = 0,
        moved: int = 0,
    ) -> Option:  # fmt: skip
        gains = [self.measure.gain(name, stand) for name, stand in stands.items()]
        value, distance = sum(g[0] for g in gains), sum(g[1] for g in gains)
        adds = {
            "value": value,
            "distance": distance,
            "points": points,
            "exposure": exposure,
            "moved": moved,
        }
        return Option(actions, stands, adds)


def _plain(way: Way) -> tuple[Action, ...]:
    """Return the actions of a way without Assault Movement, which costs as much."""
    return tuple(
        replace(one, assault=False) if isinstance(one, Enter) else one for one in way.actions
    )


def _aboard(names: Iterable[str], at: str) -> dict[str, Stand]:
    return {name: Stand(at, carried=True) for name in names}


def _some(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield every choice of some of a few names."""
    for size in range(1, min(len(names), MOST_ABOARD) + 1):
        yield from combinations(names, size)
