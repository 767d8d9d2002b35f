"""The constraints of a line: one method for each rule, over the literals of :mod:`.variables`."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

from marchtable.budget import look
from marchtable.planning.line.graph import HALTED, HALTS, LAST, OFF, PLACE
from marchtable.planning.line.variables import Variables

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from marchtable.planning.line.links import Hexes, Mates
    from marchtable.planning.line.problem import LineProblem
    from marchtable.planning.line.sweep import Layers
    from marchtable.planning.line.variables import Kind, LinePart
    from marchtable.planning.line.worth import TaskRows

__all__ = ["LineConstraints"]


class LineConstraints(Variables):
    """
    The plans of a line within layers and bounds.

    The rulebook decides which clauses apply (:class:`.links.Links`, :class:`.problem.AnyEnd`); each
    row is named after its clause.

    Parameters
    ----------
    problem, layers
        The line, and its remaining states.
    limits, least
        The task's bounds, and the least value of its objective; None for any value.
    """

    def __init__(
        self, problem: LineProblem, layers: Layers, limits: TaskRows, least: int | None
    ) -> None:
        super().__init__(problem.graph, layers, problem.parting)
        self.problem, self.limits, self.least = problem, limits, least

    def add_all(self) -> None:
        """Add all constraints: the table of contents. Raises OverLimit if time is over."""
        for add in (
            # Each member's moves, and what all spend.
            self.add_flow,
            self.add_budget,
            # Members' places after a round relative to each other, and the order of moves.
            self.add_contiguity,
            self.add_follow,
            self.add_entry,
            self.add_one_each,
            self.add_no_restart,
            self.add_platoon,
            # A line that parts, and members that leave the map.
            self.add_gap,
            self.add_exits,
            # The end of the turn, the goal, and excluded plans.
            self.add_ends,
            self.add_goal,
            self.add_cuts,
        ):
            look()
            add()

    def add_last_places(self) -> None:
        """Constrain only the last places, for layers without rounds: a relaxation of all plans."""
        self.add_flow()
        self.add_budget()
        self.add_contiguity()
        self.add_one_each()
        for row in self.limits.asking(self.least):
            terms, _ = self.limits.terms(self, row, is_hoped=True)
            self.total(terms, row.least)

    # -- moves of each member ----------------------------------------------------------------------

    def add_flow(self) -> None:
        """Put each member in one state after each round, by ``rule``'s moves. No clause."""
        for i, net in enumerate(self.nets):
            look()
            for states in self.at[i]:
                self.one_of(states.values())
            for made in self.made[i][1:]:
                self.one_of(made.values())
            into: dict[tuple[int, int], list[tuple[int, Kind]]] = {node: [] for node in net}
            nodes: Iterable[Any] = net.adjacency()
            for (t, state), heads in nodes:
                onward = [(to, kind) for (_, to), kinds in heads.items() for kind in kinds]
                for to, kind in onward:
                    into[t + 1, to].append((state, kind))
                if t < self.last:
                    self._leads(i, t, state, t + 1, onward)
            for (t, state), back in into.items():
                if t:
                    self._leads(i, t, state, t, back)

    def _leads(
        self, i: int, t: int, state: int, move: int, edges: Iterable[tuple[int, Kind]]
    ) -> None:
        """Link a member's move and state to one of the edges' other ends, and require an edge."""
        here, made = self.at[i][t][state], self.made[i][move]
        there = self.at[i][t + 1 if move > t else t - 1]
        fans: dict[Kind, list[int]] = {}
        for other, kind in edges:
            fans.setdefault(kind, []).append(there[other])
        for kind, fan in fans.items():
            self.any_of((~here, ~made[kind], *fan))
        if len(fans) < len(made):
            self.any_of((~here, *(made[kind] for kind in fans)))

    # -- spending ----------------------------------------------------------------------------------

    def add_budget(self) -> None:
        """
        Charge all of a part the dearest move of a round, and let none spend more than it has.

        By the clauses ``pay`` (ASL E11.2g, D14.31a) and, for a member leaving the map, ``afford``
        (E11.2h); the layers hold what each has.
        """
        for part in self.parts:
            self._costs(part)
            self._last_rounds(part)
            self._totals(part)
        caps = self.graph.caps if self.graph.has_exits else ()
        with self.says("afford"):
            for i, cap in enumerate(() if caps is None or callable(caps) else caps):
                for t in self.rounds:
                    self._affords(i, t, cap)

    def _payers(self, part: LinePart, t: int) -> dict[int, list[tuple[int, tuple[int, ...]]]]:
        """Return, by cost, the moves that count for a part's round, and alternative literals."""
        found: dict[int, list[tuple[int, tuple[int, ...]]]] = {}
        for i, member in enumerate(self.made):
            more = self.parting is not None and i == self.parting.at and not self.parting.is_shared
            unless = self.apart_from(i, part, t + more)
            for kind, literal in member[t].items():
                found.setdefault(kind.due, []).append((literal, unless))
        return found

    def _costs(self, part: LinePart) -> None:
        """Set the cost of a part's round to its dearest move; no round follows the plan's end."""
        costs_no_more = cache(self.graph.costs_no_more)
        for t in self.rounds:
            costs = part.costs[t]
            self.one_of(costs.values())
            with self.says("pay"):
                for due, payers in self._payers(part, t).items():
                    if due:
                        self.any_of(
                            (
                                ~costs[due],
                                *(self.both(x, *(~y for y in unless)) for x, unless in payers),
                            )
                        )
                        above = [x for other, x in costs.items()
                                 if other and costs_no_more(max(0, other), max(0, due))]  # fmt: skip
                        for literal, unless in payers:
                            self.any_of((~literal, *unless, *above))
            if 0 in costs and (t == 1 or self.parting):
                self.any_of((*self.apart(t), ~costs[0]))
        for before, after in zip(part.costs[1:], part.costs[2:], strict=False):
            if 0 in before:
                self.any_of((~before[0], after[0]) if 0 in after else (~before[0],))

    def _last_rounds(self, part: LinePart) -> None:
        """Let no round follow a step that must be the last."""
        for i in part.members:
            for made, after in zip(self.made[i][1:], part.costs[2:], strict=False):
                for literal in (x for kind, x in made.items() if kind.flags & LAST):
                    self.any_of((~literal, after[0]) if 0 in after else (~literal,))

    def _totals(self, part: LinePart) -> None:
        """Define the sum spent by each round, and limit members' places by it."""
        for totals in part.totals:
            self.one_of(totals.values())
        for t in self.rounds:
            for level, literal in part.totals[t - 1].items():
                for cost, costs in part.costs[t].items():
                    after = part.totals[t].get(level + max(0, cost))
                    if not cost and level not in part.ended[t - 1]:
                        after = None
                    self.any_of((~literal, ~costs) if after is None else (~literal, ~costs, after))
        # for parts, earlier sums say little
        times = self.times[-1:] if self.parting else self.times
        for t in (t for t in times if len(part.levels[t]) > 1):
            for i in part.members:
                self._fits(i, t, part.totals[t])

    def _fits(self, i: int, t: int, totals: Mapping[int, int]) -> None:
        """Limit a member's states after a round to sums that fit."""
        for state, literal in self.at[i][t].items():
            fitting = self.fitting(i, t, state)
            if len(fitting) < len(totals):
                self.any_of((~literal, *(totals[level] for level in fitting)))

    def _affords(self, i: int, t: int, cap: int) -> None:
        """Let a member that leaves the map pay for the round in which it does."""
        gone, before = self.gone(i, t), self.gone(i, t - 1)
        if gone is None:
            return
        for level, total in self.part_of(i).totals[t].items():
            if level * self.graph.grain > cap:
                self.any_of((~total, ~gone, *([] if before is None else [before])))

    # -- relative places ---------------------------------------------------------------------------

    def add_contiguity(self) -> None:
        """Keep each member near the one ahead, by clause ``line`` (ASL E11.251a, E11.5b)."""
        graph = self.graph
        with self.says("line"):
            for i in (i for i in range(1, self.count) if graph.linked[i]):
                for t in self.times:
                    free = self.apart_from(i, self.part_of(i - 1), t + 1)
                    self._in_line(i, t, free)
                for t in self.rounds if graph.has_exits else ():
                    self._no_gap_off(i - 1, t, self.apart_from(i, self.part_of(i - 1), t + 1))

    def _in_line(self, i: int, t: int, free: Iterable[int]) -> None:
        """Require a member beside the one ahead, or one of the `free` literals."""
        front, rear = self.places[i - 1][t].items(), self.places[i][t].items()
        around = {p: self.graph.near(i, p) for p, _ in front if p != OFF}
        for p, literal in front:
            if p != OFF:
                near = [x for q, x in rear if q in around[p]]
                if len(near) < len(rear):
                    self.any_of((~literal, *free, *near))
        for q, literal in rear:
            near = [x for p, x in front if p == OFF or q in around[p]]
            if len(near) < len(front):
                self.any_of((~literal, *free, *near))

    def _no_gap_off(self, i: int, t: int, free: Sequence[int]) -> None:
        """Require the next member near one that leaves the map, or a `free` literal."""
        both = self.gone(i + 1, t)
        for leaves, near, along in self._off(i, t):
            self.any_of((*leaves, *free, *near, *([] if both is None else [both])))
            if both is not None:
                self.any_of((*leaves, *free, ~both, *along))

    def _off(self, i: int, t: int) -> Iterator[tuple[tuple[int, ...], list[int], list[int]]]:
        """Yield by way off the map: literals false on it; the next member's places, ways beside."""
        gone = self.gone(i, t)
        known: dict[Hexes, tuple[list[int], list[int]]] = {}
        for literal, beyond in self._leaving(i, t):
            if beyond not in known:
                there = [x for p, x in self.spots[i + 1][t].items()
                         if self.graph.is_on_map(p) and self.graph.links.is_near(beyond, self.graph.hexes(p))]  # fmt: skip
                along = [
                    x
                    for x, other in self._leaving(i + 1, t)
                    if self.graph.links.is_near(beyond, other)
                ]
                known[beyond] = there, along
            if gone is not None:
                yield (~literal, ~gone), *known[beyond]

    def _leaving(self, i: int, t: int) -> list[tuple[int, Hexes]]:
        """Return literals of states with an exit in a round, and the hexes entered."""
        graph = self.graph
        return [
            (x, graph.graphs[i].steps.beyond(graph.state(i, state)))
            for state, x in self.at[i][t - 1].items()
            if any(graph.is_gone(i, to) for to, *_ in graph.ways(i, state))
        ]

    def add_follow(self) -> None:
        """Let each member enter only what the one ahead has just left: ``follow`` (ASL E11.5g)."""
        with self.says("follow"):
            for t, i in product(
                self.rounds if self.graph.links.follows else (), range(1, self.count)
            ):
                was, now = self.places[i][t - 1], self.places[i][t]
                front_was, front_now = self.places[i - 1][t - 1], self.places[i - 1][t]
                for place, x in now.items():
                    here = [~x, was[place]] if place in was else [~x]
                    if place not in front_was:
                        self.any_of(here)
                        continue
                    self.any_of((*here, front_was[place]))
                    if place in front_now:
                        self.any_of((*here, ~front_now[place]))

    def add_entry(self) -> None:
        """Let members enter the map only after the one ahead, by clause ``turn`` (ASL E11.1a)."""
        with self.says("turn"):
            for t, i in product(
                self.rounds if self.graph.links.in_turn else (), range(1, self.count)
            ):
                ahead, waits = self.places[i - 1][t - 1].get(OFF), self.places[i]
                if self.graph.linked[i] and ahead is not None and OFF in waits[t - 1]:
                    still = (waits[t][OFF],) if OFF in waits[t] else ()
                    self.any_of((~ahead, ~waits[t - 1][OFF], *still))

    def add_one_each(self) -> None:
        """Let no member enter where another of its part is; those ahead move first. A policy."""
        starts = [self.graph.place_of(i, state) for i, state in enumerate(self.graph.starts)]
        begun = [place for place in starts if place != OFF]
        for t in self.times:
            if self.graph.links.crowds is not None or len({*begun}) < len(begun):
                self._enter_apart(t)
            else:
                parts = [part.members for part in self.parts] if self.last else [range(self.count)]
                for members in parts:
                    self._one_each_of(t, members)

    def _enter_apart(self, t: int) -> None:
        """Add this for a line some of which begin in one place, and may stay there or pass."""
        crowds = self.graph.links.crowds
        for i, hexes in enumerate(self.places if t else ()):
            for place, x in hexes[t].items():
                here = (~x, hexes[t - 1][place]) if place in hexes[t - 1] else (~x,)
                for j, others in enumerate(self.places):
                    there = others[t - (j > i)]
                    is_apart = j != i and (crowds is None or j in crowds[i])
                    if is_apart and place != OFF and place in there:
                        self.any_of((*here, ~there[place]))

    def _one_each_of(self, t: int, members: Iterable[int]) -> None:
        """Add this for members that begin in separate places."""
        now: dict[int, dict[int, int]] = {}
        was: dict[int, dict[int, int]] = {}
        for i in members:
            for place, literal in self.places[i][t].items():
                now.setdefault(place, {})[i] = literal
            for place, literal in self.places[i][t - 1].items() if t else ():
                was.setdefault(place, {})[i] = literal
        for place, those in now.items():
            before, seen = was.get(place, {}), set[tuple[int, ...]]()
            for k in sorted(those) if before else [self.count]:
                group = (*(x for i, x in those.items() if i <= k),
                         *(x for i, x in before.items() if i > k))  # fmt: skip
                if place != OFF and len(group) > 1 and group not in seen:
                    seen.add(group)
                    self.not_two(group)

    def add_no_restart(self) -> None:
        """Let no member start after another of its part has stopped: ``halt`` (ASL E11.2d)."""
        halted, stops, starts = self.graph.halted, self._those(HALTS), self._those(HALTED)
        if halted is None or not starts or not (stops or halted):
            return
        with self.says("halt"):
            for part in self.parts:
                over = self.news(self.last + 1)
                if halted:
                    self.any_of((over[0],))
                for t in range(self.last):
                    self.any_of((~over[t], over[t + 1]))
                for i, t, literal in stops:
                    self.any_of((~literal, *self.apart_from(i, part, t + 1), over[t]))
                for i, t, literal in starts:
                    if i in part.members:
                        self.any_of((~literal, ~over[t - 1]))
                        for j, s, other in stops:
                            if s == t and j < i:  # those ahead act first
                                self.any_of((~literal, ~other, *self.apart_from(j, part, t)))

    def _those(self, flag: int) -> list[tuple[int, int, int]]:
        """Return the members, rounds and literals of moves with a flag."""
        return [
            (i, t, literal)
            for i, member in enumerate(self.made)
            for t, made in enumerate(member)
            for kind, literal in made.items()
            if kind.flags & flag
        ]

    def add_platoon(self) -> None:
        """Keep each member near a mate, all moving or none: ``mates``, ``alike`` (ASL D14.21)."""
        links = self.graph.links
        still = self._still() if links.parted else {}
        for t in self.rounds:
            if links.mates is not None:
                with self.says("mates"):
                    for i in range(self.count):
                        self._one_near(i, t, links.mates, still.get(t, ()))
            if links.alike:
                with self.says("alike"):
                    self._all_alike(range(self.count), t)

    def _still(self) -> dict[int, tuple[int, ...]]:
        """Return literals, by round, that hold only while no member has entered another place."""
        found: dict[int, tuple[int, ...]] = {0: ()}
        starts = [self.graph.place_of(i, state) for i, state in enumerate(self.graph.starts)]
        for t in self.rounds:
            stay = [places[t][place] for places, place in zip(self.places, starts, strict=True)
                    if place in places[t]]  # fmt: skip
            if len(stay) < self.count:
                break
            found[t] = (self.both(*found[t - 1], *stay),)
        return found

    def _one_near(self, i: int, t: int, mates: Mates, still: tuple[int, ...]) -> None:
        for p, x in self.places[i][t].items():
            there = (
                y for j, hexes in enumerate(self.places) if j != i
                for q, y in hexes[t].items() if q in mates(i, p, j)
            )  # fmt: skip
            self.any_of((~x, *there, *still))

    def _all_alike(self, members: Iterable[int], t: int) -> None:
        """Require that all or none of some members on the map move after a round."""
        moving = self.new()
        for i in members:
            for state, x in self.at[i][t].items():
                if self.graph.place_of(i, state) != OFF or not self.graph.links.alike:
                    self.any_of((~x, moving if self.graph.is_moving(i, state) else ~moving))

    # -- parting, and leaving the map --------------------------------------------------------------

    def add_gap(self) -> None:
        """
        Let a line that can part do so once, with a Gap; neither part enters the other's hexes.

        By the clauses ``line`` (ASL E11.251a), ``alone`` (E11.255b) and ``own`` (D2.1b); that no
        member enters the other part's hexes is policy of these spaces.
        """
        parting = self.parting
        if parting is None:
            return
        self.any_of((self.joint[1],))
        self.any_of((~self.joint[self.last + 1],))
        for t in self.rounds:
            self.any_of((~self.joint[t + 1], self.joint[t]))
        if not parting.later and self.last > 1:
            self.any_of((~self.joint[2],))
        if not parting.first:
            self.any_of((self.joint[2],))
        with self.says("line"):
            for t in self.rounds:
                self._gapes(parting.at, t)
        self._keep_apart()
        for part in (part for part in self.parts if len(part.members) == 1):
            for t in self.times:
                self._alone(part.members[0], t, *self.apart(t + 1))
            self._pays_alone(part, parting.alone_budgets[part.members[0]])

    def _pays_alone(self, part: LinePart, means: int) -> None:
        """Limit the spending of a member left alone to what it has."""
        (i,) = part.members
        with self.says("own"):
            for t in self.rounds:
                over = [x for n, x in part.totals[t].items() if n * self.graph.grain > means]
                paid = [x for kind, x in self.made[i][t].items() if kind.cost]
                for total, literal in product(over, paid):
                    self.any_of((~literal, ~total, self.joint[t]))

    def _unless_made(self, t: int) -> tuple[int, int]:
        """Return two literals that both fail exactly if the Gap is made in a round."""
        return ~self.joint[t], self.joint[t + 1]

    def _gapes(self, at: int, t: int) -> None:
        """Require a Gap where one is made, by a move that can make it: a stop, or into a place."""
        gap, beside = self._unless_made(t), self.graph.beside.sets
        front, rear = self.spots[at - 1][t], self.spots[at][t]
        for spots in (spots for spots in (front, rear) if OFF in spots):
            self.any_of((*gap, ~spots[OFF]))
        self._gapes_off(at, t, gap)
        for p, literal in front.items():
            for q in (p, *beside[p]) if self.graph.is_on_map(p) else ():
                if q in rear:
                    self.any_of((*gap, ~literal, ~rear[q]))
        for kind, literal in self.made[at][t].items():
            if not kind.flags & (PLACE | HALTS):
                self.any_of((*gap, ~literal))

    def _gapes_off(self, at: int, t: int, gap: tuple[int, int]) -> None:
        """Require a Gap also if the one ahead leaves the map as it is made, but not before."""
        if (before := self.gone(at - 1, t - 1)) is not None:
            self.any_of((*gap, ~before))
        both = self.gone(at, t)
        for leaves, near, along in self._off(at - 1, t):
            also = [] if both is None else [(~both, ~x) for x in along]
            for literals in (*((~x,) for x in near), *also):
                self.any_of((*gap, *leaves, *literals))

    def _keep_apart(self) -> None:
        """Keep the front out of the rear's places as the Gap is made, the rear out of its ends."""
        front, rear = ([self._stands(part.members, t) for t in self.times] for part in self.parts)
        for t in self.rounds:
            for q, literal in front[t].items():
                for other in (rear[t].get(q), rear[t - 1].get(q)):
                    if other is not None:
                        self.any_of((*self.apart(t), ~literal, ~other))
        stood = {q: self.new() for q in dict.fromkeys(q for there in rear[1:] for q in there)}
        for t, (q, x) in product(self.rounds, stood.items()):
            there, gap = rear[t].get(q), self._unless_made(t)
            self.any_of((*gap, ~x) if there is None else (*gap, ~x, there))
            if there is not None:
                self.any_of((*gap, ~there, x))
            for here, other in ((front[t].get(q), x), (front[-1].get(q), there)):
                if here is not None and other is not None:
                    self.any_of((self.joint[t], ~here, ~other))
        self.others = [stood, front[-1]]

    def _stands(self, part: Sequence[int], t: int) -> dict[int, int]:
        """Return literals for some member of a part being in a place."""
        found: dict[int, list[int]] = {}
        for i in part:
            for p, literal in self.spots[i][t].items():
                if self.graph.is_on_map(p):
                    found.setdefault(p, []).append(literal)
        return self.merged(found)

    def add_exits(self) -> None:
        """Let members leave in order, the last alone: ``order`` (A2.6f), ``alone`` (E11.255b)."""
        for t in self.rounds if self.graph.has_exits else ():
            with self.says("order"):
                for i in range(self.count - 1) if self.graph.links.in_order else ():
                    front, rear = self.gone(i, t), self.gone(i + 1, t)
                    if rear is not None:
                        free = self.apart_from(i, self.part_of(i + 1), t)
                        self.any_of((~rear, *free) if front is None else (~rear, *free, front))
            for part in (part for part in self.parts if len(part.members) > 1):
                i = part.members[-1]  # those behind a Gap have parted from those ahead, too
                parted = self.apart(t + 1) if i < self.count - 1 else ()
                gone = self.gone(i - 1, t)
                self._alone(i, t, None if gone is None else self.both(gone, *parted))

    def _alone(self, i: int, t: int, parted: int | None) -> None:
        """Require a member to be alone, or off the map, exactly once all others have gone."""
        alone = self.either(x for s, x in self.at[i][t].items() if self.graph.is_alone(i, s))
        with self.says("alone"):
            if alone is not None:
                self.any_of((~alone,) if parted is None else (~alone, parted))
            if parted is not None:
                self.any_of((~parted, *(x for x in (alone, self.gone(i, t)) if x is not None)))

    # -- the end -----------------------------------------------------------------------------------

    def add_ends(self) -> None:
        """
        Let all of a part end moving or none, each with what ending in motion requires before it.

        By the clauses of :class:`.problem.AnyEnd` (ASL E11.24a; D2.4, of a platoon D14.31).
        """
        ends, end = self.problem.ends, self.last
        for part, others in zip(self.parts, self.others, strict=True):
            if ends.alike:
                with self.under(ends.alike):
                    self._all_alike((i for i in part.members if i not in ends.uncounted), end)
            going: dict[int, list[tuple[int, list[list[int]]]]] = {}
            for i in part.members:
                for state, x in self.at[i][end].items():
                    for level in self.fitting(i, end, state) if ends.binds(i, state) else ():
                        needs = self._needs(part.members, (i, state, level), others)
                        going.setdefault(level, []).append((x, needs))
            with self.under(ends.clause):
                for level, those in going.items():
                    total = part.totals[end][level]
                    if ends.one_for_all:
                        able = [self._all_of(x, needs) for x, needs in those]
                    for x, needs in those:
                        for literals in [able] if ends.one_for_all else needs:
                            self.any_of((~x, ~total, *literals))

    def _needs(
        self, members: Iterable[int], how: tuple[int, int, int], others: Mapping[int, int]
    ) -> list[list[int]]:
        """Return lists of literals, of each of which one must hold for a member to end so."""
        (i, state, level), end, found = how, self.last, []
        for budget, poorer in self.problem.ends.poorest(i):
            gone = [self.gone(j, end) for j in poorer]
            unless = [~x for x in gone if x is not None]
            if len(unless) < len(gone):
                continue  # they cannot have left
            needs = self.problem.ends.needs(i, state, level, budget)
            for places in [frozenset[int]()] if needs is None else needs:
                mates = [self.spots[j][end].items() for j in members if j != i]
                there = [x for spots in (*mates, others.items()) for p, x in spots if p in places]
                found.append([*unless, *there])
        return found

    def _all_of(self, literal: int, needs: Sequence[Sequence[int]]) -> int:
        """Return a literal that implies the given one and one of each list."""
        if not needs:
            return literal
        found = self.new()
        for literals in ((literal,), *needs):
            self.any_of((~found, *literals))
        return found

    def add_goal(self) -> None:
        """Add the bounds of the goal and the task. No clause: they are demanded."""
        for row in self.limits.asking(self.least):
            terms, cutoff = self.limits.terms(self, row)
            if row.wayside or cutoff < row.least:
                self.total(terms, row.least - cutoff, sum(max(0, value) for _, value in terms))

    def add_cuts(self) -> None:
        """Exclude rejected and returned plans, and moves straight back: ``back`` (ASL E11.22b)."""
        self.problem.cuts.state(self)
