"""Compiles what one unit may do into a search space, by asking ``rule`` once for each case.

Two crossings with equal facts of the map and equal occupants get equal rulings, so one of them
stands for all: a unit is put there in each of its modes, every travel verb is tried, and the
cost and the mode it leads to become arcs wherever those facts occur. The unit that is moved
about is a *newcomer*, equal to the one asked about, which itself stays where it stands; so all
equal units share a space.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.action import parameters, retold
from marchtable.budget import look
from marchtable.clause import clause_of, switched_off
from marchtable.errors import InternalError
from marchtable.family import NOTHING, Block, Transition, Unlisted, Unmodelled, Way, family_of
from marchtable.generator import candidates
from marchtable.hearing import heard_here, hearing, is_listening
from marchtable.tokens import token_of
from marchtable.unrolled import Shelf
from marchtable.views import views_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from marchtable.action import Action
    from marchtable.family import Family, Kept
    from marchtable.memory import Memory
    from marchtable.position import Position, Unit
    from marchtable.rulebook import Rulebook
    from marchtable.ruling import Ruling
    from marchtable.views import Row

    Asked = tuple[str, str, tuple[Any, Any]]
    Part = tuple[int, Block, int]


__all__ = ["Prober", "sight_is_denied"]


class Crossing(NamedTuple):
    """
    A crossing to ask about.

    Parameters
    ----------
    a, b
        From where to where.
    ground
        What the map tells of it.
    present
        A token of who stands at both ends, and whether it is apart.
    wide
        Whether more matters of it than is seen in a mode.
    """

    a: str
    b: str
    ground: Hashable
    present: int
    wide: bool


def sight_is_denied(rulebook: Rulebook[Any, Any]) -> bool:
    """Tell whether clauses are off on which rests what is told at sight, so that all is ruled on."""
    rests_on, off = rulebook.sight_rests_on, {clause_of(name) for name in switched_off()}
    return bool(off if rests_on is None else off & rests_on)


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
    kept
        What was found for equal units.
    memory
        What units equal in a mode are known to be able to do, if it is remembered.
    """

    def __init__(
        self,
        rulebook: Rulebook[Any, Any],
        position: Position[Any, Any],
        unit: Unit,
        modes: Sequence[Hashable],
        *,
        avoid: bool,
        kept: Kept,
        memory: Memory | None,
    ) -> None:
        self.rulebook, self.unit, self.modes, self.avoid = rulebook, unit, modes, avoid
        self.kept = kept
        self.laden = bool(rulebook.along(position, unit, unit))
        self.position = msgspec.structs.replace(position, pending=())
        self.number = {mode: index for index, mode in enumerate(modes)}
        self.denied = sight_is_denied(rulebook)
        self.views = views_of(rulebook, modes, denied=self.denied)
        self.rose, self.memory = self.views.rose, memory
        self.known: dict[Hashable, tuple[Way, ...]] = {}
        self.sayers: dict[Hashable, frozenset[str]] = {}
        self.listens = rulebook.judges_afresh and memory is not None and is_listening()
        if not self.listens:
            kept.hear(None)
        self.ways: dict[Hashable, tuple[Way, ...]] = {}
        self.listed: dict[tuple[int, bool], tuple[int, tuple[Action, ...]]] = {}
        travel = rulebook.travel_in(position, unit)
        crosses = {t: any(p.domain == "adjacent" for p in parameters(t)) for t in travel}
        self.crossing = [t for t in travel if crosses[t]]
        self.staying = [t for t in travel if not crosses[t]]

    def families(
        self, asked: Sequence[Asked], seeds: Iterable[Hashable]
    ) -> tuple[list[Family], frozenset[int]]:
        """
        Return what may be done at crossings, each as in all its group, and in which modes.

        Parameters
        ----------
        asked
            From where to where (if that is the same: there), and the group.
        seeds
            The modes to begin with. What may be done is told in these, in all to which it leads,
            and in those that were asked about before.
        """
        before, known = self.kept.told
        modes = {*before, *map(self._numbered, seeds)}
        told = [known.get(group) for _, _, group in asked]
        new = [one for one, family in zip(asked, told, strict=True) if family is None]
        found = self._found(new, modes)
        if len(modes) > len(before):  # what was known is told in too few modes now
            if len(new) < len(asked):
                found = self._found(asked, modes)
            before, known = self.kept.told = (frozenset(modes), {})
            self.kept.shelf = Shelf(lambda block: block.transitions)
            told = [None] * len(asked)
        known.update(found)
        return [
            family or found[group] for family, (_, _, group) in zip(told, asked, strict=True)
        ], before

    def _found(self, asked: Sequence[Asked], modes: set[int]) -> dict[Hashable, Family]:
        """Return the families of crossings by group, adding to the modes those to which they lead."""
        waiting: dict[int, list[tuple[list[Part], Crossing, Row]]] = {}
        parts: dict[Hashable, list[Part]] = {}
        for a, b, group in asked:
            (stays, ground), (here, there, apart) = group
            wide = apart or self.rulebook.has_sides(here) or self.rulebook.has_sides(there)
            crossing = Crossing(a, b, ground, token_of(group[1]), wide)
            listed = parts[group] = []
            for row in self.views.rows((stays, ground), wide=wide):
                waiting.setdefault(row.start, []).append((listed, crossing, row))
        queue, seen = sorted(modes), set()
        while queue:
            for listed, crossing, row in waiting.pop(queue.pop(), ()):
                block = self._block(crossing, row)
                if block is not NOTHING:
                    listed.append((row.start, block, row.by))
                    if (block.stops, row.by) not in seen:
                        seen.add((block.stops, row.by))
                        led = {self.rose.moded(stop, row.by) for stop in block.stops}
                        queue += sorted(led - modes)
                        modes |= led
        return {group: family_of(listed, self.rose) for group, listed in parts.items()}

    def _block(self, crossing: Crossing, row: Row) -> Block:
        """Return the ways on from the mode that a row's is like."""
        key = (row.like, row.seen, crossing.present)
        known = self.kept.blocks.get(key)
        if known is None:
            look()
            known = self.kept.blocks[key] = self._best(self._ways_on(crossing, row))
        return known

    def _best(self, ways: Iterable[Way]) -> Block:
        """Return the ways on, of equal ones that with the fewest rolls."""
        transitions: dict[Hashable, Transition] = {}
        unsupported: list[Unmodelled] = []
        for found in ways:
            if self.avoid and found.rolls:
                continue
            if isinstance(found, Unmodelled):
                unsupported.append(found)
                continue
            kept = transitions.setdefault(found[:4], found)
            if len(found.rolls) < len(kept.rolls):
                transitions[found[:4]] = found
        if not (transitions or unsupported):
            return NOTHING
        return Block(tuple(transitions.values()), tuple(unsupported))

    def _ways_on(self, crossing: Crossing, row: Row) -> Iterator[Way]:
        """Yield the ways on from the mode that a row's is like."""
        a, b, ground, present, wide = crossing
        probe = None
        listed = self._candidates(a, b, row.like)
        for one in self.views.tries(row, listed, ground, wide=wide):
            start = self.rose.moded(row.like, -one.by)
            key = (start, one.name, one.seen, present, self.denied)
            ways = self.ways.get(key)
            if ways is None and self.memory is not None:
                lesson = self.memory.recalled(start, key[1:])
                if lesson is not None:
                    ways = lesson.ways
                    self.kept.hear(lesson.heard)
            if ways is None:
                unit = self.rulebook.in_mode(self.unit, a, self.modes[row.start])
                probe = probe or self._put(unit)
                action = retold(self.rose.turned(one.action, row.by), unit=self.unit.id, to=b)
                found, heard = self._heard(probe, action, b, row.start)
                ways = self.rose.turn(found, -row.by - one.by)
                if self.memory is not None:
                    self.memory.remember(start, key[1:], ways, heard)
            self.ways[key] = ways
            if one.by:
                turned = (*key, one.by)
                if turned not in self.ways:
                    self.ways[turned] = self.rose.turn(ways, one.by)
                ways = self.ways[turned]
            yield from ways

    def _candidates(self, a: str, b: str, start: int) -> tuple[int, tuple[Action, ...]]:
        """Return what might be tried in a mode, told of no unit and towards nowhere, with a token."""
        key = (start, a == b)
        if key not in self.listed:
            unit = self.rulebook.in_mode(self.unit, a, self.modes[start])
            probe = self._put(unit)
            types, to = (self.staying, None) if a == b else (self.crossing, b)
            found = candidates(self.rulebook, probe, unit, types, to=to, free=False)
            told = tuple([retold(action, unit="", to="") for action in found])
            self.listed[key] = (token_of(told), told)
        return self.listed[key]

    def _put(self, unit: Unit) -> Position[Any, Any]:
        """Return the position with the unit there, and with whoever goes along."""
        along = self.rulebook.along(self.position, self.unit, unit) if self.laden else ()
        return self.position.with_units([unit, *along])

    def _heard(
        self, probe: Position[Any, Any], action: Action, to: str, start: int
    ) -> tuple[tuple[Way, ...], frozenset[str] | None]:
        """Return what comes of an action, and the clauses that have a say in it, if that is kept."""
        if not self.listens:
            return self._tried(probe, action, to, start), None
        with hearing() as heard:
            found = self._tried(probe, action, to, start)
        self.kept.hear(heard)
        return found, frozenset(heard)

    def _tried(
        self, probe: Position[Any, Any], action: Action, to: str, start: int
    ) -> tuple[Way, ...]:
        edition = self.rulebook.edition(probe)
        cases = self.rulebook.cases(probe, action)
        facts = tuple([case.facts for case in cases])
        if any([edition.judge(entry).bars for entry in facts]):  # noqa: C419 - quicker
            return ()
        # Equal facts in an equal mode get equal rulings, wherever they are met.
        key = (start, retold(action, unit="", to=""), facts)
        if key not in self.known:
            probe.__dict__["cases"] = (action, edition, cases)  # for who rules on it next
            unit = probe.unit(self.unit.id)
            self.known[key] = tuple(self._asked(probe, unit, action, to, start))
            self.sayers[key] = frozenset(heard_here() or ())
        elif self.listens:
            (heard_here() or set()).update(self.sayers[key])
        return self.known[key]

    def _asked(
        self, probe: Position[Any, Any], unit: Unit, action: Action, to: str, start: int
    ) -> Iterator[Way]:
        ruling = self.rulebook.rule(probe, action)
        rolls = tuple(o.clause for o in ruling.obligations)
        if ruling.violations:
            return
        if ruling.unsupported:
            yield self._unmodelled(ruling, unit, start)._replace(rolls=rolls)
            return
        after = ruling.after.unit(self.unit.id)
        if after.at == unit.at and to != unit.at:
            return  # it is sent back to where it came from
        if after.at != to:
            raise InternalError(f"{ruling.action} was to lead to {to} but led to {after.at}")
        cost = self.rulebook.spent(after) - self.rulebook.spent(unit)
        mode = self.rulebook.mode(after)
        end, number = self.rulebook.is_final(mode), self._numbered(mode)
        if (number, to, cost) == (start, unit.at, 0):
            return
        yield Transition(start, number, cost, end, (action,), rolls)
        if end:  # what is still free afterwards (a Stop) belongs to the same arc
            settled = msgspec.structs.replace(ruling.after, pending=())
            for last in candidates(self.rulebook, settled, after, self.staying, free=False):
                final = self.rulebook.rule(settled, last)
                if final.is_legal and self.rulebook.is_final(
                    stop := self.rulebook.mode(final.after.unit(self.unit.id))
                ):
                    yield Transition(start, self._numbered(stop), cost, True, (action, last), rolls)

    def _numbered(self, mode: Hashable) -> int:
        found = self.number.get(mode)
        if found is None:
            raise Unlisted(mode)
        return found

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
