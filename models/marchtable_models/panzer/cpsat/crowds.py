"""Conflicts: courses played among others, and what a number of others in a hex forbid or charge."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from marchtable.budget import work
from marchtable.planning.choice.options import Cut, Presence, Row
from marchtable.planning.choice.replay import fewest
from marchtable.planning.dominance import Front
from marchtable_models.panzer.cpsat.courses import Listing
from marchtable_models.panzer.rules.movement import Move
from marchtable_models.panzer.rules.stacking import Stack, stack
from marchtable_models.panzer.views.presence import presence

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from marchtable.planning.choice.options import Given, Price, Spot
    from marchtable.planning.choice.replay import Stuck
    from marchtable.state.action import Action
    from marchtable_models.panzer.cpsat.courses import Course, Courses, End
    from marchtable_models.panzer.model import PanzerPosition, PanzerUnit
    from marchtable_models.panzer.views.presence import Limits

__all__ = ["Acted", "Crowds"]

FREE: Sequence[Price] = ((0, 0),)
COURSE, TRY = 0.0001, 0.0005  # deterministic time per course listed, and per try


class Acted(NamedTuple):
    """The position after courses played in some order, and all their actions."""

    position: PanzerPosition
    log: tuple[Action, ...] = ()


class Crowds:
    """
    Plays courses among others, and finds how few of these make one dearer or impossible.

    It is the same for any units: units whose factions allow stacks of one size, carried or not, are
    of one sort (:meth:`Cast.sort`), and equal for all units that meet them.

    Parameters
    ----------
    courses
        The units' courses.
    """

    def __init__(self, courses: Courses) -> None:
        self.courses, self.cast = courses, courses.cast
        self._done: dict[Hashable, list[PanzerUnit] | None] = {}

    # -- playing ----------------------------------------------------------------------------------

    def play(
        self, acted: Acted, course: Course, extra: Price | None, *, exactly: bool = False
    ) -> Acted | None:
        """
        Return a course's result now, by another way if needed; None if it is too dear.

        Parameters
        ----------
        extra
            How much more it can cost than stated; None for any.
        exactly
            Whether it must cost exactly that much more.
        """
        work(TRY)
        points, exposure = extra or (0, 0)
        plain = self._played(acted, course, course.points)
        if plain is not None and not (exactly and points):
            return plain
        position, most = acted.position, None if extra is None else course.points + points
        listing = Listing(None, course.deeds, {end.unit: end.at for end in course.ends})
        for way in self.courses.ways(position, position.unit(course.unit), listing, most):
            is_cheap = most is None or way.exposure <= course.exposure + exposure
            if is_cheap and not (exactly and way.points != most):
                done = self._played(acted, way, way.points)
                if done is not None:
                    return done
        return None

    def _played(self, acted: Acted, course: Course, points: int) -> Acted | None:
        """Return the result of a course's actions; None if they are illegal or cost something else."""
        actions = (*course.actions,)
        key = actions, points, self._about(acted.position, course)
        if key not in self._done:
            self._done[key] = self._ruled(acted.position, course, points)
        after = self._done[key]
        if after is None:
            return None
        return Acted(acted.position.with_units(after), (*acted.log, *actions))

    def _about(self, position: PanzerPosition, course: Course) -> Hashable:
        """Return all that a course's rulings depend on: occupants on its way, and units that have moved."""
        own, met = course.units, course.met
        others = [(u.at, u.type, u.side, u.aboard is None, u.entered)
                  for u in position.units if u.id not in own]  # fmt: skip
        there = Counter(one for one in others if one[0] in met)
        return frozenset(there.items()), frozenset(one[1:4] for one in others if one[4])

    def _ruled(
        self, position: PanzerPosition, course: Course, points: int
    ) -> list[PanzerUnit] | None:
        """Return a course's units after it, none if it is illegal or costs something else."""
        for action in course.actions:
            ruling = self.cast.rule(position, action)
            if not ruling.is_legal:
                return None
            position = ruling.after
            points -= sum(receipt.amount for receipt in ruling.receipts)
        return None if points else [position.unit(name) for name in course.units]

    # -- conflicts --------------------------------------------------------------------------------

    def stands(self, course: Course) -> tuple[Mapping[Spot, int], Mapping[Spot, int]]:
        """Return the number of a course's units by sort and place, before it and after."""
        units = [self.cast.position.unit(end.unit) for end in course.ends]
        sort = self.cast.sort
        before: Counter[Spot] = Counter((str(u.at), sort(u.id, u.aboard)) for u in units)
        if not course.acts:
            return before, before
        there = (end for end in course.known if not end.has_left)
        return before, Counter((end.at, sort(end.unit, end.aboard)) for end in there)

    def given(self, stuck: Stuck[Course], extra: Price | None) -> Given | None:
        """
        Return the fewest others, by place, that hinder a course; None if no bystander does.

        Parameters
        ----------
        extra
            How much more it can cost than stated; None for any.
        """
        course, own = stuck.option, stuck.option.units
        there: Counter[Spot] = Counter(
            (str(u.at), self.cast.sort(u.id, u.aboard))
            for u in stuck.state.position.units
            if u.at is not None and u.id not in own and u.id not in self.cast.fixed
        )

        def among(some: Iterable[tuple[Spot, int]]) -> Acted | None:
            return self._among(Counter(spot for spot, _ in some), course, extra)

        names: list[tuple[Spot, int]] = []
        while (done := among(names)) is not None:
            met = _met(done, course) - {spot[0] for spot, _ in names}
            more = [(spot, n) for spot in there if spot[0] in met for n in range(there[spot])]
            if not more:
                return None
            names += more
        few = fewest(names, lambda some: among(some) is None)
        return _given(Counter(spot for spot, _ in few)) or None

    def variants(self, course: Course, others: Sequence[Course]) -> Iterator[Given]:
        """
        Yield the states of other courses, before or after them, that make one dearer.

        These are all: a unit off the cheapest present way changes nothing.
        """
        waiting: list[Counter[Spot]] = [Counter()]
        seen = {_given(waiting[0])}
        while waiting:
            crowds = waiting.pop()
            done = self._among(crowds, course, None)
            if crowds:
                yield _given(crowds)
            if done is None:
                continue
            met = _met(done, course)
            near = [
                [{}, *({k: n for k, n in some.items() if k[0] in met} for some in self.stands(one))]
                for one in others
            ]
            for some in product(*(states for states in near if any(states))):
                work(COURSE)
                more: Counter[Spot] = sum(map(Counter, some), start=Counter())
                wider = crowds | more
                if _given(wider) not in seen:
                    seen.add(_given(wider))
                    waiting.append(wider)

    def _among(
        self, crowds: Mapping[Spot, int], course: Course, extra: Price | None
    ) -> Acted | None:
        """Return the result of a course among such crowds, within its cost limit."""
        own, base = course.units, self.cast.among(crowds)
        units = [u for u in self.cast.position.units if u.id in own]
        return self.play(Acted(base.with_units(units)), course, extra)

    def cut(self, unit: str, given: Given) -> Cut[Course]:
        """Return the courses through a crowd that it forbids, or makes dearer, for a unit."""
        base = self.cast.among({one.spot: one.least for one in given})
        there = {one.spot[0] for one in given}
        known: dict[Listing, dict[object, list[Price]]] = {}

        def extra(course: Course) -> Sequence[Price]:
            if there.isdisjoint(course.met):
                return FREE
            if course.listing not in known:
                prices = known[course.listing] = {}
                mover = self.cast.position.unit(unit)
                for one in self.courses.of(mover, course.listing, base):
                    work(COURSE)
                    prices.setdefault(one.key(), []).append((one.points, one.exposure))
            front = known[course.listing].get(course.key(), ())
            more = ((p - course.points, e - course.exposure) for p, e in front)
            least = Front()
            return [one for one in sorted(more) if min(one) >= 0 and least.takes("", *one)]

        return Cut(given, unit, extra)

    # -- limits as the phase ends -----------------------------------------------------------------

    def room(self, courses: Sequence[Course], clause: str) -> Iterator[Row]:
        """
        Yield that as the phase ends no hex holds more units than the stacking clauses allow.

        If units of several factions might meet, the limit is the largest of theirs.
        """
        position = self.cast.position
        own = [u for u in position.units if u.side == position.side and u.at is not None]
        limits = {x for unit in own for x in stack(position, unit, "end").limits}
        most = max(n for n in range(len(own) + 1) if n == 0 or self._fits(n, 0, limits))
        carried = int(not self._fits(most + 1, 1, limits))

        def weight(ends: Iterable[End]) -> int:
            return sum(carried if end.aboard else 1 for end in ends)

        loads: dict[str, list[tuple[int, int]]] = {}
        for number, course in enumerate(courses):
            ends = [end for end in course.known if not end.has_left]
            for at in {end.at for end in ends}:
                took = weight(end for end in ends if end.at == at)
                loads.setdefault(at, []).append((number, took))
        for at, terms in loads.items():
            there = presence(self.cast.bare, position.side, at, None)
            free = most - there.units + there.carried * (1 - carried)
            if sum(took for _, took in terms) > free:
                yield Row(clause, terms, most=free)

    def _fits(self, units: int, carried: int, limits: Iterable[Limits]) -> bool:
        stacks = (Stack("end", units, carried, (one,)) for one in limits)
        found = map(self.cast.edition.judge, stacks)
        return any(not one.bars and not one.unsupported for one in found)


def _given(crowds: Mapping[Spot, int]) -> Given:
    return frozenset(Presence(spot, count) for spot, count in crowds.items() if count)


def _met(done: Acted, course: Course) -> set[str]:
    """Return the hexes where a course, as played, meets other units."""
    return {one.to for one in done.log if isinstance(one, Move)} | {end.at for end in course.ends}
