"""
Counting a line's possible Impulses, and finding the moves that still lead to one.

Both use dynamic programming along the line. A member's options depend on those ahead only by a
*state*: the places of units that later ones might meet, where the unit just ahead has gone, and the
cost of the Impulse. Legality is never decided here: every piece, link and payment is judged by the
clauses of :meth:`Rulebook.rule`, on the same facts.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Literal, NamedTuple

from msgspec.structs import replace

from marchtable_models.asl.model import Start, Stop
from marchtable_models.asl.rules import columns, gaps, impulses, leaving_convoys
from marchtable_models.asl.rules.impulse_moves import Ranks, moves_of, ranks_of
from marchtable_models.asl.rules.impulses import expended
from marchtable_models.asl.views import lines
from marchtable_models.asl.views.mph_ends import interrupted
from marchtable_models.asl.views.spending import payment
from marchtable_models.asl.views.spending_facts import Payment, is_paid
from marchtable_models.asl.views.steps import hexes

if TYPE_CHECKING:
    from marchtable.rules.edition import Edition
    from marchtable_models.asl.model import AslPosition, AslUnit
    from marchtable_models.asl.rules.columns import Ahead
    from marchtable_models.asl.rules.impulse_moves import Mark, Piece
    from marchtable_models.asl.views.edge import Spot
    from marchtable_models.asl.views.foot_facts import AdvanceCost

    Due = Payment | AdvanceCost | None
    from collections.abc import Iterator

    from marchtable_models.asl.rules.impulse_moves import Impulse, MemberMove
    from marchtable_models.asl.views.foot_facts import AdvanceCost


ROUND = ("bypass", "along", "into")
"""Moves whose facts can depend on any Location."""


class Limits(NamedTuple):
    """The largest expenditure of an Impulse, and the largest of those not spent to leave."""

    all: int
    ours: int


class TallyState(NamedTuple):
    """What later members need to know of those ahead."""

    # where those stand who have gone from, or to, a Location that later ones look at
    marks: tuple[Mark, ...]
    front: Spot | None  # where the unit just ahead is
    # of a Column, whether the ranks ahead have left their Locations
    seen: tuple[Ahead | None, Ahead | None]
    # active, parted, halted: whether somebody does something, a Gap has been made, and a vehicle
    # has stopped
    active: bool
    parted: bool
    halted: bool
    # largest, ours: whether somebody has made an expenditure as large as the limits
    largest: bool
    ours: bool


class Verdicts:
    """
    The clauses' verdicts on one line in one position, each asked for once.

    Parameters
    ----------
    position, ranks, edition
        The position, the line, and the ruleset.
    """

    def __init__(self, position: AslPosition, ranks: Ranks, edition: Edition) -> None:
        self.position, self.ranks, self._edition = position, ranks, edition
        self._dues: dict[int, tuple[bool, Due]] = {}
        self._paying: dict[tuple[int, int, int], bool] = {}
        self._links: dict[tuple[int, Spot | None, str | None, bool, bool], tuple[bool, bool]] = {}
        self._leavers: dict[tuple[int, bool], bool] = {}

    def _is_fine(self, facts: object) -> bool:
        found = self._edition.judge(facts)
        return not (found.bars or found.unsupported)

    def _due(self, piece: Piece) -> tuple[bool, Due]:
        """Return whether nothing bars a piece by itself, and its payment."""
        found = self._dues.get(id(piece))  # the ranks keep it, so no other has this id
        if found is None:
            due: Due = None
            is_fine = True
            for case in piece.cases:
                finding = self._edition.judge(case.facts)
                is_fine &= not (finding.bars or finding.unsupported)
                if is_paid(case.facts, finding):
                    unit = self.position.unit(case.units[0])
                    due = payment(self.position, unit, case.facts, finding, self._edition)
            found = self._dues[id(piece)] = (is_fine, due)
        return found

    def _pays(self, due: Due, limits: Limits, *, parted: bool) -> bool:
        """Return whether a member can pay an Impulse with expenditures within limits."""
        if not isinstance(due, Payment):
            return due is None or self._is_fine(due)
        excess = 0 if parted else limits.all - limits.ours
        key = (id(due), limits.all, excess)  # the payment is kept with its piece
        found = self._paying.get(key)
        if found is None:
            paying = replace(due, shared=limits.all, excess=excess)
            found = self._paying[key] = self._is_fine(paying)
        return found

    def _link(self, number: int, front: Spot | None, rear: AslUnit) -> tuple[bool, bool]:
        """Return whether a member can stand so behind the one ahead, and whether that is a Gap."""
        key = (number, front, rear.at, rear.offboard.exited, rear.motion.moving)
        found = self._links.get(key)
        if found is None:
            before = (self.ranks.units[number - 1], self.ranks.units[number])
            link = gaps.link(self.position, front, rear, before)
            found = self._links[key] = (self._is_fine(link), gaps.is_gap(link))
        return found

    def _may_leave(self, number: int, *, idle: bool = False) -> bool:
        key = (number, idle)
        if key not in self._leavers:
            reasons = leaving_convoys.leaving(self.position, self.ranks.units[number], idle=idle)
            self._leavers[key] = self._is_fine(reasons)
        return self._leavers[key]

    def _is_open(self, *, active: bool, crowded: bool = False, restarts: bool = False) -> bool:
        """Return whether the line can make an Impulse at all, in which some unit acts or none."""
        line, position = self.ranks.units, self.position
        found = impulses.lineup(
            position, line[0], line, self._edition, active=active, crowded=crowded,
            restarts=restarts,
        )  # fmt: skip
        found += interrupted(position, line, self._edition)
        return all(self._is_fine(case.facts) for case in found)


class Tally(Verdicts):
    """
    The Impulses of one line in one position.

    Parameters
    ----------
    position, ranks, edition
        The position, the line, and the ruleset.
    """

    def __init__(self, position: AslPosition, ranks: Ranks, edition: Edition) -> None:
        super().__init__(position, ranks, edition)
        self.choices = [moves_of(position, unit) for unit in ranks.units]
        self._watched = self._watched_from()
        self._counts: dict[tuple[int, TallyState, Limits], int] = {}
        self._ends: dict[tuple[int, TallyState, Limits], bool] = {}
        self._closings: dict[tuple[str, ...], list[str]] = {}
        self._walks: dict[tuple[tuple[str, ...], Limits], TallyState | None] = {}
        self._costs = {0}
        self._from = {unit.id: unit.at for unit in ranks.units}
        self._may_go = [self._is_open(active=active) for active in (False, True)]
        self._may_share = self._is_open(active=True, crowded=ranks.units[0].line.convoy != "")
        self._may_restart = self._is_open(active=True, restarts=True)
        self._may_part = False  # no unit has been found that can

    def count(self) -> int:
        """Return the number of legal Impulses, of each member's possible moves."""
        total = 0
        for limits in self._limits() if any(self._may_go) else ():
            total += self._count(0, self._start(limits), limits)
        return total

    def closing(self, moves: tuple[str, ...]) -> list[str]:
        """Return the next member's moves that can still make an Impulse legal."""
        known = self._closings.get(moves)
        if known is None:
            known = self._closings[moves] = self._closing(moves)
        return known

    def _closing(self, moves: tuple[str, ...]) -> list[str]:
        number = len(moves)
        if number == len(self.choices) or not any(self._may_go):
            return []
        free = Limits(0, 0)
        state = self._walked(moves, free)
        for move in self.choices[number]:  # their cost is likely to be the Impulse's
            if state is not None:
                self._after(number, state, move, free)
        return [move for move in self.choices[number] if self._leads_on(moves, move)]

    def _leads_on(self, moves: tuple[str, ...], move: str) -> bool:
        """Return whether an Impulse can be legal after this move of the next member."""
        number, likely = len(moves), 0
        if not number:
            piece = self.ranks.piece(self.position, 0, move, (), self._edition)
            is_fine, due = self._due(piece)
            likely = expended(due, self._edition)
            if not is_fine:
                return False
        for limits in self._limits(likely):
            state = self._walked(moves, limits)
            if state is not None and self._ends_after(number, state, move, limits):
                return True
        return False

    def _ends_after(self, number: int, state: TallyState, move: str, limits: Limits) -> bool:
        after = self._after(number, state, move, limits)
        return after is not None and self._ends_well(number + 1, after, limits)

    def _walked(self, moves: tuple[str, ...], limits: Limits) -> TallyState | None:
        """Return the state after the first members' moves, None if they are barred."""
        if not moves:
            return self._start(limits)
        key = (moves, limits)
        if key not in self._walks:
            state = self._walked(moves[:-1], limits)
            if state is not None:
                state = self._after(len(moves) - 1, state, moves[-1], limits)
            self._walks[key] = state
        return self._walks[key]

    def _limits(self, likely: int = 0) -> Iterator[Limits]:
        """
        Yield every pair of expenditures that might be the largest, as they become known.

        A likely one comes first, 0 last.
        """
        yielded: set[Limits] = set()
        if likely:
            yielded.add(Limits(likely, likely))
            yield Limits(likely, likely)
        while True:
            waiting = [
                Limits(most, ours)
                for most in sorted(self._costs, key=lambda cost: cost or inf)
                for ours in sorted(self._costs, reverse=True)
                if ours == most or (ours < most and self._may_part)
            ]
            limits = next((pair for pair in waiting if pair not in yielded), None)
            if limits is None:
                return
            yielded.add(limits)
            yield limits

    def _start(self, limits: Limits) -> TallyState:
        free = limits.ours == 0
        return TallyState((), None, (None, None), False, False, False, limits.all == 0, free)

    def _count(self, number: int, state: TallyState, limits: Limits) -> int:
        """Return the number of ways for the members from this one on."""
        if number == len(self.choices):
            return int(self._is_whole(state))
        key = (number, state, limits)
        if key not in self._counts:
            after = (self._after(number, state, move, limits) for move in self.choices[number])
            self._counts[key] = sum(self._count(number + 1, s, limits) for s in after if s)
        return self._counts[key]

    def _ends_well(self, number: int, state: TallyState, limits: Limits) -> bool:
        """Return whether there is a way for the members from this one on."""
        if number == len(self.choices):
            return self._is_whole(state)
        key = (number, state, limits)
        if key not in self._ends:
            after = (self._after(number, state, move, limits) for move in self.choices[number])
            self._ends[key] = any(self._ends_well(number + 1, s, limits) for s in after if s)
        return self._ends[key]

    def _is_whole(self, state: TallyState) -> bool:
        return state.largest and state.ours and self._may_go[state.active]

    def _after(
        self, number: int, state: TallyState, move: str, limits: Limits
    ) -> TallyState | None:
        """Return the state after a member's move, None if it is barred."""
        unit, doing = self.ranks.units[number], self.ranks.member_move(self.position, number, move)
        parts, seen = self._parts(number, state, doing), state.seen
        if parts is None or self._shares(number, doing.after.at, state.marks):
            return None
        if state.halted and type(doing.act) is Start and not self._may_restart:
            return None
        if unit.line.column:
            seen = columns.ranks_ahead(seen, unit, doing.act)
            follow = columns.following(self.position, seen[0], unit, doing.act)
            if follow is not None and not self._is_fine(follow.facts):
                return None
        due = self._paid(number, state, move, doing.looks, limits, parts=parts)
        if due is False:
            return None
        cost = expended(due, self._edition)
        marks = (*state.marks, doing.mark) if doing.mark else state.marks
        return TallyState(
            self._among(marks, self._watched[number + 1]),
            gaps.spot(self.position, unit, doing.after),
            seen,
            state.active or doing.act is not None,
            state.parted or parts,
            state.halted or (unit.line.convoy != "" and type(doing.act) is Stop),
            state.largest or cost == limits.all,
            state.ours or (not parts and cost == limits.ours),
        )

    def _parts(self, number: int, state: TallyState, doing: MemberMove) -> bool | None:
        """Return whether a member's move makes a Gap before it, None if it cannot stand so."""
        if not number:
            return False
        holds, parts = self._link(number, state.front, doing.after)
        idle = parts and leaving_convoys.is_idle(self.ranks.units[number], doing.after)
        if not holds or (parts and not self._may_leave(number, idle=idle)):
            return None
        self._may_part |= parts
        return parts

    def _paid(
        self,
        number: int,
        state: TallyState,
        move: str,
        looks: tuple[str, ...] | None,
        limits: Limits,
        *,
        parts: bool,
    ) -> Due | Literal[False]:
        """Return the payment for a member's move, False if it is barred or beyond the limits."""
        marks = self._among(state.marks, looks)
        piece = self.ranks.piece(self.position, number, move, marks, self._edition)
        is_fine, due = self._due(piece)
        if not is_fine:
            return False
        cost = expended(due, self._edition)
        if cost > (limits.all if parts else limits.ours):
            self._costs.add(cost)
            return False
        return due if self._pays(due, limits, parted=state.parted or parts) else False

    def _shares(self, number: int, at: str | None, marks: tuple[Mark, ...]) -> bool:
        """Return whether a unit ahead is in a Location that cannot be shared."""
        if self._may_share:
            return False
        now = {mark[0]: mark[1] for mark in marks}
        ahead = self.ranks.units[:number]
        return at is not None and any(now.get(unit.id, unit.at) == at for unit in ahead)

    def _among(
        self, marks: tuple[Mark, ...], looks: tuple[str, ...] | frozenset[str] | None
    ) -> tuple[Mark, ...]:
        """Return the marks that are in, or have left, one of these Locations."""
        if looks is None or not marks:
            return marks
        return tuple([m for m in marks if m[1] in looks or self._from[m[0]] in looks])

    def _watched_from(self) -> list[frozenset[str] | None]:
        """Return, for each number, the Locations that any member from that one on might look at."""
        found: list[frozenset[str] | None] = [frozenset()]
        for unit, moves in zip(self.ranks.units[::-1], self.choices[::-1], strict=True):
            split = [move.partition(":") for move in moves]
            before = found[-1]
            if before is None or any(verb in ROUND for verb, _, _ in split):
                found.append(None)
            else:
                found.append(before.union(*(hexes(unit.at), [to for _, _, to in split])))
        return found[::-1]


def tally_of(position: AslPosition, impulse: Impulse, edition: Edition) -> Tally | None:
    """
    Return the Impulses of a line, cached with the position.

    None if they do not follow from each member and the one ahead: for platoons, whose AFV need not
    stand in line, and if the unit named does not lead a line.
    """
    ranks = ranks_of(position, position.unit(impulse.unit))
    is_line = lines.kind_of(position.unit(impulse.unit)) in ("convoy", "column")
    if not is_line or ranks.ids[0] != impulse.unit:
        return None
    known: dict[tuple[str, Edition], Tally] = position.notes.setdefault("tallies", {})
    key = (impulse.unit, edition)
    if key not in known:
        # kept with the position itself, a tally would keep it alive for ever
        here = replace(position)
        for name in ("index", "occupants", "markers"):
            here.__dict__[name] = getattr(position, name)
        here.notes["ranks"] = position.notes["ranks"]
        known[key] = Tally(here, ranks, edition)
    return known[key]
