"""Compiles what one unit may do into a search space, by asking ``rule`` once for each case.

Two crossings with equal facts of the map and equal occupants get equal rulings, so one of them
stands for all: a unit is put there in each of its modes, every travel verb is tried, and the
cost and the mode it leads to become arcs wherever those facts occur. The unit that is moved
about is a *newcomer*, equal to the one asked about, which itself stays where it stands; so all
equal units share a space.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import msgspec

from marchtable.action import parameters, retold
from marchtable.clause import switched_off
from marchtable.errors import InternalError
from marchtable.family import Family, Transition, Unmodelled
from marchtable.generator import candidates
from marchtable.rose import Rose

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable.action import Action
    from marchtable.board import Board
    from marchtable.position import Position, Unit
    from marchtable.rulebook import Rulebook
    from marchtable.ruling import Ruling

    Ints = npt.NDArray[np.int32]

__all__ = ["Crossings", "Prober", "crossings_of", "group_key"]


class Crossings:
    """
    Every Location (as a crossing to itself) and crossing of a board, grouped by its facts.

    Attributes
    ----------
    pairs
        Names of the two Locations.
    ends
        Their indices, one row each.
    kinds
        Number of each crossing's group, into ``facts``.
    by_place
        Crossings out of or into each Location.
    """

    def __init__(self, rulebook: Rulebook[Any, Any], board: Board) -> None:
        import numpy as np

        self.pairs = [
            (a, b) for a in board.index for b in (a, *(name for _, name in board.neighbours(a)))
        ]
        numbers: dict[Hashable, int] = {}
        self.facts: list[Hashable] = []
        kinds = []
        self.by_place: dict[str, list[int]] = {name: [] for name in board.index}
        for number, (a, b) in enumerate(self.pairs):
            facts = (a == b, rulebook.ground(board, a, b))
            if facts not in numbers:
                numbers[facts] = len(numbers)
                self.facts.append(facts)
            kinds.append(numbers[facts])
            for name in {a, b}:
                self.by_place[name].append(number)
        self.kinds = np.array(kinds, np.int32)
        self.ends = np.array([(board.index[a], board.index[b]) for a, b in self.pairs], np.int32)

    def groups(
        self, present: Mapping[str, Hashable], apart: str | None = None
    ) -> tuple[list[tuple[Any, Hashable]], Ints]:
        """
        Return the facts of each group given who stands where, and each crossing's group.

        Crossings out of the Location `apart` get groups of their own: what may be done there may
        depend on the unit's standing in that very place.
        """
        groups = [group_key(facts) for facts in self.facts]
        if not present and apart is None:
            return groups, self.kinds
        kinds = self.kinds.copy()
        numbers: dict[Hashable, int] = {}
        touched = {n for name in (*present, apart) if name for n in self.by_place[name]}
        for number in sorted(touched):
            a, b = self.pairs[number]
            facts = self.facts[self.kinds[number]]
            key = group_key(facts, present.get(a), present.get(b), apart=a == apart)
            if key not in numbers:
                numbers[key] = len(groups)
                groups.append(key)
            kinds[number] = numbers[key]
        return groups, kinds


NOTHING = (None, None, False)


def group_key(
    facts: Hashable, here: Hashable = None, there: Hashable = None, *, apart: bool = False
) -> tuple[Any, Hashable]:
    """Return what tells a group: facts of the map; who stands at both ends, whether it is apart."""
    return (facts, (here, there, apart))


_CROSSINGS: WeakKeyDictionary[Board, dict[str, Crossings]] = WeakKeyDictionary()


def crossings_of(rulebook: Rulebook[Any, Any], board: Board) -> Crossings:
    """Return the grouped crossings of a board under a rulebook, made once."""
    known = _CROSSINGS.setdefault(board, {})
    name = f"{rulebook.name} {rulebook.version}"
    if name not in known:
        known[name] = Crossings(rulebook, board)
    return known[name]


class Prober:
    """
    Asks the rulebook what a unit may do in one representative of each group.

    Parameters
    ----------
    rulebook, position
        Whose rules, and where.
    unit
        The unit that is put about; it must be in the position.
    modes
        Its modes; transitions name them by number.
    avoid
        Leave out every step that calls for a roll.
    """

    def __init__(
        self,
        rulebook: Rulebook[Any, Any],
        position: Position[Any, Any],
        unit: Unit,
        modes: Sequence[Hashable],
        *,
        avoid: bool,
    ) -> None:
        self.rulebook, self.unit, self.modes, self.avoid = rulebook, unit, modes, avoid
        self.position = msgspec.structs.replace(position, pending=())
        self.number = {mode: index for index, mode in enumerate(modes)}
        self.rose = Rose(rulebook, modes)
        self.open_modes = [(n, mode) for n, mode in enumerate(modes) if not rulebook.is_final(mode)]
        self.known: dict[Hashable, tuple[Transition | Unmodelled, ...]] = {}
        self.seen: dict[Hashable, tuple[Transition | Unmodelled, ...]] = {}
        self.tries: dict[tuple[int, bool], tuple[Action, ...]] = {}
        rests_on, off = rulebook.sight_rests_on, switched_off()
        self.denied = bool(off if rests_on is None else off & rests_on)
        travel = rulebook.travel_in(position, unit)
        crosses = {t: any(p.domain == "adjacent" for p in parameters(t)) for t in travel}
        self.crossing = [t for t in travel if crosses[t]]
        self.staying = [t for t in travel if not crosses[t]]

    def family(self, a: str, b: str, group: tuple[Any, Hashable]) -> Family:
        """Return what may be done from a to b, or in a if they are the same, as in all that group."""
        (_, ground), present = group
        transitions: dict[tuple[int, int, int, bool], Transition] = {}
        unsupported: list[Unmodelled] = []
        for start, mode in self.open_modes:
            seen = self._sight(ground, present, mode)
            if seen is None:
                continue
            for found in self._seen(a, b, start, ground, present, seen):
                if isinstance(found, Transition):
                    kept = transitions.setdefault(found[:4], found)
                    if len(found.rolls) < len(kept.rolls):
                        transitions[found[:4]] = found
                else:
                    unsupported.append(found)
        return Family(tuple(transitions.values()), tuple(unsupported))

    def _seen(
        self, a: str, b: str, start: int, ground: Hashable, present: Hashable, seen: Hashable
    ) -> tuple[Transition | Unmodelled, ...]:
        """Return the ways on from a mode, found once for all modes that differ by their bearing."""
        own = (start, a == b, seen, present)
        known = self.seen.get(own)
        if known is not None:
            return known
        like, by = self.rose.like(start) if self._is_bare(present) else (start, 0)
        key = (like, *own[1:])
        if key not in self.seen:
            ways = tuple(self._ways_on(a, b, start, ground, present))
            self.seen[key] = self.rose.turn(ways, -by)
        self.seen[own] = self.rose.turn(self.seen[key], by)
        return self.seen[own]

    def _is_bare(self, present: Hashable) -> bool:
        """Tell whether what may be done depends on nothing but what :meth:`_sight` tells."""
        return present == NOTHING and not self.denied

    def _sight(
        self, ground: Hashable, present: Hashable, mode: Hashable, action: Action | None = None
    ) -> Hashable:
        """Return what of the map matters; with a clause switched off, nothing is barred for sure."""
        if self.denied:
            return ground
        seen = self.rulebook.sight(ground, mode, action)
        # What stands there may lie on a certain hexside.
        return seen if seen is None or self._is_bare(present) else (seen, ground)

    def _ways_on(
        self, a: str, b: str, start: int, ground: Hashable, present: Hashable
    ) -> Iterator[Transition | Unmodelled]:
        mode, probe = self.modes[start], None
        for what in self._candidates(a, b, start):
            seen = self._sight(ground, present, mode, what)
            if seen is None:
                continue
            key = (start, what, seen, present)
            if key not in self.seen:
                probe = probe or self.position.with_units(
                    [self.rulebook.in_mode(self.unit, a, mode)]
                )
                self.seen[key] = self._tried(probe, retold(what, unit=self.unit.id, to=b), b, start)
            yield from self.seen[key]

    def _candidates(self, a: str, b: str, start: int) -> tuple[Action, ...]:
        """Return what might be tried in a mode, told of no unit and towards nowhere."""
        key = (start, a == b)
        if key not in self.tries:
            unit = self.rulebook.in_mode(self.unit, a, self.modes[start])
            probe = self.position.with_units([unit])
            types, to = (self.staying, None) if a == b else (self.crossing, b)
            found = candidates(self.rulebook, probe, unit, types, to=to, free=False)
            self.tries[key] = tuple(retold(action, unit="", to="") for action in found)
        return self.tries[key]

    def _tried(
        self, probe: Position[Any, Any], action: Action, to: str, start: int
    ) -> tuple[Transition | Unmodelled, ...]:
        edition = self.rulebook.edition(probe)
        facts = tuple([case.facts for case in self.rulebook.cases(probe, action)])
        if any([edition.judge(entry).bars for entry in facts]):  # noqa: C419 - quicker
            return ()
        # Equal facts in an equal mode get equal rulings, wherever they are met.
        key = (start, retold(action, unit="", to=""), facts)
        if key not in self.known:
            unit = probe.unit(self.unit.id)
            self.known[key] = tuple(self._asked(probe, unit, action, to, start))
        return self.known[key]

    def _asked(
        self, probe: Position[Any, Any], unit: Unit, action: Action, to: str, start: int
    ) -> Iterator[Transition | Unmodelled]:
        ruling = self.rulebook.rule(probe, action)
        rolls = tuple(o.clause for o in ruling.obligations)
        if ruling.violations or (rolls and self.avoid):
            return
        if ruling.unsupported:
            yield self._unmodelled(ruling, unit, start)
            return
        after = ruling.after.unit(self.unit.id)
        if after.at == unit.at and to != unit.at:
            return  # it is sent back to where it came from
        if after.at != to:
            raise InternalError(f"{ruling.action} was to lead to {to} but led to {after.at}")
        cost = self.rulebook.spent(after) - self.rulebook.spent(unit)
        mode = self.rulebook.mode(after)
        end = self.rulebook.is_final(mode)
        if (self.number[mode], to, cost) == (start, unit.at, 0):
            return
        yield Transition(start, self.number[mode], cost, end, (action,), rolls)
        if end:  # what is still free afterwards (a Stop) belongs to the same arc
            settled = msgspec.structs.replace(ruling.after, pending=())
            for last in candidates(self.rulebook, settled, after, self.staying, free=False):
                final = self.rulebook.rule(settled, last)
                if final.is_legal and self.rulebook.is_final(
                    stop := self.rulebook.mode(final.after.unit(self.unit.id))
                ):
                    yield Transition(start, self.number[stop], cost, True, (action, last), rolls)

    def _unmodelled(self, ruling: Ruling, unit: Unit, start: int) -> Unmodelled:
        clauses = tuple(v.clause for v in ruling.unsupported)
        if ruling.after is None:
            return Unmodelled(start, start, 0, clauses)
        after = ruling.after.unit(self.unit.id)
        mode = self.rulebook.mode(after)
        cost = self.rulebook.spent(after) - self.rulebook.spent(unit)
        if self.rulebook.is_final(mode):  # it takes whatever is left
            cost = 0
        return Unmodelled(start, self.number.get(mode, start), cost, clauses)
