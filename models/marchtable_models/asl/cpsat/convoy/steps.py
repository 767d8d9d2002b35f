"""A Convoy vehicle's Impulse options and ends, from the rulebook, cached with the map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

import msgspec

from marchtable.planning.line.graph import LaneGraph, LaneStep
from marchtable.reachability.crossings import sight_is_denied
from marchtable.rules.clause import clause_of, switched_off, without
from marchtable.state.action import parameters
from marchtable.state.records import replace
from marchtable.tokens import token_of
from marchtable_models.asl.cpsat.line_relations import distances
from marchtable_models.asl.cpsat.line_steps import PROBE, LineSteps
from marchtable_models.asl.cpsat.ruled import unmodelled
from marchtable_models.asl.model import End, Turn
from marchtable_models.asl.rules.convoys import convoy_line, motion_as_one
from marchtable_models.asl.rules.gaps import in_order, last_of_line
from marchtable_models.asl.rules.impulse_moves import Impulse, step_of
from marchtable_models.asl.rules.impulses import all_can_pay
from marchtable_models.asl.rules.leaving_convoys import reason
from marchtable_models.asl.views.cargo import carried_by
from marchtable_models.asl.views.edge import beyond, span, ways
from marchtable_models.asl.views.ground import has_second_way
from marchtable_models.asl.views.lines import kind_of
from marchtable_models.asl.views.modes import in_mode, mode_of, spine
from marchtable_models.asl.views.unitkinds import type_of

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Sequence

    from marchtable.board.board import Board
    from marchtable.rules.rulebook import Rulebook
    from marchtable.rules.ruling import Ruling
    from marchtable_models.asl.model import AslPosition, AslUnit
    from marchtable_models.asl.views.edge import Spot

__all__ = [
    "AS_ONE",
    "OUT",
    "VERBS",
    "EndGraph",
    "VehicleState",
    "VehicleSteps",
    "state_of",
    "steps_for",
]

CROSSING = ("enter", "half")
VERBS = (*CROSSING, "start", "stop", "turn")
"""The moves of the plan space, other than staying."""
FACING = next(parameter for parameter in parameters(Turn) if parameter.name == "facing")
OUT = "exit"
BLOCK, MATE = "block", "mate"
WIDTH = 2  # hexes ahead of a vehicle
KEPT = 64  # tables per board
TABLES: WeakKeyDictionary[Board, dict[Hashable, VehicleSteps]] = WeakKeyDictionary()
AS_ONE = (all_can_pay.id, reason.id, convoy_line.id, motion_as_one.id, in_order.id)
"""The clauses that bind vehicles to each other, off while one alone is asked about."""


class OffMap(NamedTuple):
    """The mode of a vehicle that has left the map: whether it counts as in Motion."""

    moving: bool


class VehicleState(NamedTuple):
    """
    A vehicle's place and mode (see :mod:`marchtable_models.asl.views.modes`).

    ``alone``: it is the last, all others having left the map. ``left``: the Location by which it
    has left itself; its mode is then :class:`OffMap`.
    """

    at: str | None
    mode: Any
    alone: bool = False
    left: str = ""

    @property
    def is_moving(self) -> bool:
        """Whether it is in Motion."""
        return bool(self.mode.moving)

    @property
    def idle(self) -> VehicleState:
        """The state after an Impulse without a move."""
        return self


def state_of(unit: AslUnit) -> VehicleState:
    """Return a vehicle's present state."""
    return VehicleState(unit.at, _plain(mode_of(unit)))


def _plain(mode: Any) -> Any:
    """Return a mode after an expenditure, without entries for the whole allotment."""
    return mode._replace(stage=False)


class VehicleSteps(LineSteps[VehicleState]):
    """
    The steps of one sort of vehicle, with the rest of its Convoy out of the way.

    Parameters
    ----------
    rulebook, base, template, avoid
        See :class:`.LineSteps`.
    exits
        Locations where it can leave the map.
    lone
        Locations where it can be alone, no longer a Convoy; None: it never can.
    as_one
        The clauses that bind it to the rest of its line, which are off here.
    """

    def __init__(
        self,
        rulebook: Rulebook[Any, Any],
        base: AslPosition,
        template: AslUnit,
        *,
        avoid: bool,
        exits: Collection[str] = (),
        lone: Collection[str] | None = None,
        as_one: Collection[str] = AS_ONE,
    ) -> None:
        super().__init__(rulebook, base, (template,), avoid=avoid)
        self.template = template
        self.block = replace(
            template, id=BLOCK, at=None, entering=(), **{kind_of(template): "block"}
        )
        self.as_one = tuple(as_one)
        self.exits, self.lone = frozenset(exits), frozenset(lone or ())
        self.parts = bool(exits) or lone is not None
        self._freed = _freed(rulebook, base, template) if self.lone else {}
        self.has_half = has_second_way(base.board, type_of(base, template).column)
        self._is_denied = sight_is_denied(rulebook)
        self._sights: dict[tuple[int, Any, bool], tuple[int, int]] = {}
        self._ahead: dict[VehicleState, list[str]] = {}
        self._in_mode: dict[tuple[Any, bool], AslUnit] = {}
        self._ends: dict[Hashable, tuple[int, set[str]]] = {}
        self._thresholds: dict[Hashable, int] = {}
        self._looks_back: dict[tuple[str, bool], tuple[bool, bool, set[str]]] = {}
        self.graph = EndGraph(self, base.board)

    def _ways(self, state: VehicleState) -> list[LaneStep]:
        at = state.at
        if state.left:
            return []
        if at is None:
            return self._tried(state, self._moves(state, None))
        here = self._present.get(at)
        found = [*self._grouped(state, at, (at, at), (here, None))]
        for to in self.ahead(state):
            found += self._grouped(state, to, (at, to), (here, self._present.get(to)))
        if at in self.exits:
            found += self._leaving(state)
        if self.lone and not state.alone:
            found += self._left_alone([*found, LaneStep("stay", "stay", 0, state, stays=True)])
        return found

    def _leaving(self, state: VehicleState) -> list[LaneStep]:
        """Return the ways off the map; afterwards it counts as in Motion, or not."""
        return [
            step._replace(to=VehicleState(None, OffMap(moving), left=str(state.at)))
            for step in self._tried(state, [OUT])
            for moving in (True, False)
        ]

    def _left_alone(self, steps: Sequence[LaneStep]) -> list[LaneStep]:
        """Return the steps after which it can be alone."""
        return [
            step._replace(to=step.to._replace(alone=True))
            for step in steps
            if step.to.at in self.lone
        ]

    def _grouped(
        self,
        state: VehicleState,
        to: str,
        pair: tuple[str, str],
        present: tuple[Hashable, Hashable],
    ) -> Sequence[LaneStep]:
        """Return the steps from one Location to another, equal for equal facts, turned or not."""
        seen, by = self._seen(pair, state.mode, present)
        key = (seen, self._turned(state.mode, -by), present, state.alone)
        found = self._once(
            key, lambda: self._turns(self._tried(state, self._moves(state, to)), -by)
        )
        return [
            s._replace(
                move=f"{s.verb}:{to}" if s.verb in CROSSING else s.move,
                to=VehicleState(to, s.to.mode, state.alone),
            )
            for s in self._turns(found, by)
        ]

    def _seen(
        self, pair: tuple[str, str], mode: Any, present: tuple[Hashable, Hashable]
    ) -> tuple[int, int]:
        """Return a token of the ground a mode sees, and the hexspines by which it is turned."""
        crossing = self.crossings.between(*pair)
        key = (
            crossing.kind,
            mode,
            self._is_denied or any(map(self.rulebook.symmetry.has_sides, present)),
        )
        found = self._sights.get(key)
        if found is None:
            ground, is_wide = crossing.ground, key[2]
            sight = ground if is_wide else self.rulebook.sight(ground, mode)
            by = 0 if is_wide else self.rulebook.symmetry.bearing(mode, ground)
            found = self._sights[key] = token_of((crossing.stays, is_wide, sight)), by
        return found

    def _turned(self, mode: Any, by: int) -> Any:
        """Return a mode turned by hexspines."""
        return self.rulebook.symmetry.turned(mode, by) if by else mode

    def _turns(self, steps: Sequence[LaneStep], by: int) -> Sequence[LaneStep]:
        """Return steps turned by hexspines."""
        if not by:
            return steps
        return [
            step._replace(
                move=f"turn:{spine(step.to.mode.facing, by)}" if step.verb == "turn" else step.move,
                to=step.to._replace(mode=self._turned(step.to.mode, by)),
            )
            for step in steps
        ]

    def _moves(self, state: VehicleState, to: str | None) -> list[str]:
        """Return the moves to try: towards a Location, in place, or off the map all."""
        unit = self._put(state)
        near = self.ahead(state) if to is None else () if to == state.at else (to,)
        ways = CROSSING if self.has_half else CROSSING[:1]
        found = [f"{verb}:{name}" for name in near for verb in ways]
        if to is None or to == state.at:
            facings = self.rulebook.values(self.base, unit, FACING)
            found += ["start", "stop", *(f"turn:{facing}" for facing in facings)]
        return found

    def _tried(self, state: VehicleState, moves: Sequence[str]) -> list[LaneStep]:
        found = []
        for move in moves:
            ruling = self._ask(state, move)
            self._heard |= unmodelled(ruling)
            after = self._after(ruling)
            if after is not None:
                found.append(self._step(state, move, *after))
        return found

    def _step(self, state: VehicleState, move: str, after: AslUnit) -> LaneStep:
        verb, _, to = move.partition(":")
        key = (verb, state.alone)
        if key not in self._looks_back:  # these clauses read nothing else
            back = self._ask(state, move, previous=to if verb in CROSSING else None)
            halted = self._ask(state, move, halted=True)
            heard = unmodelled(back) | unmodelled(halted)
            self._looks_back[key] = (not back.is_legal, not halted.is_legal, heard)
        is_back, is_halted, heard = self._looks_back[key]
        self._heard |= heard
        to_state = state_of(after)._replace(alone=state.alone)
        return LaneStep(
            move, verb, after.points.spent, to_state, is_back, is_halted, after.line.halted
        )

    def _ask(self, state: VehicleState, move: str, **changes: Any) -> Ruling:
        unit = self._put(state, **changes)
        probe = self.base.with_units([unit])
        act = step_of(unit, move, probe.phase) if state.alone else Impulse(unit.id, (move,))
        assert act is not None
        with without(*self.as_one):
            return self.rulebook.rule(probe, act)

    def _put(self, state: VehicleState, **changes: Any) -> AslUnit:
        """Return the vehicle in a state, with nothing spent."""
        key = (state.mode, state.alone)
        unit = self._in_mode.get(key)
        if unit is None:
            freed = self._freed if state.alone else {}
            unit = self._in_mode[key] = replace(in_mode(self.template, "", state.mode), **freed)
        return replace(unit, at=state.at, **changes)

    def beyond(self, state: VehicleState) -> Spot:
        """Return its place after leaving the map."""
        assert state.at is not None
        return beyond(self.base.board, state.at, ways(self._put(state)))

    # -- ends of the MPh --------------------------------------------------------------------------

    def ahead(self, state: VehicleState) -> list[str]:
        """Return the Locations ahead of the vehicle, whose cost can decide its end."""
        found = self._ahead.get(state)
        if found is None:
            found = self._ahead[state] = list(self.rulebook.next_to(self.base, self._put(state)))
        return found

    def _ending(self, state: VehicleState, total: int, beside: Sequence[str]) -> Hashable:
        """Return all that decides whether a vehicle can end its MPh."""
        assert state.at is not None
        ahead = self.ahead(state)
        near = tuple((self.kind(state.at, to), self._present.get(to), to in beside) for to in ahead)
        board = self.base.board
        hexes = {(board[to].u, board[to].v) for to in ahead}
        edge = state.at if len(hexes) < WIDTH else None
        return (near, edge, self._present.get(state.at), state.mode, state.alone, total)

    def _ahead_costs(self, state: VehicleState, beside: Sequence[str]) -> Hashable:
        """Return the cost of each Location ahead, in half points, and whether it is taken."""
        costs: dict[str | None, int] = {}
        for step in self.of(state):
            if step.verb in CROSSING:
                costs[step.to.at] = min(step.cost, costs.get(step.to.at, step.cost))
        return tuple(sorted((costs.get(to, -1), to in beside) for to in self.ahead(state)))

    def ends_from(
        self, state: VehicleState, total: int, beside: Sequence[str]
    ) -> tuple[int, Collection[str]]:
        """
        Return the half points spent from which it can end its MPh there; more than `total`: never.

        Its expenditure and the poorest's remainder add up to `total`; friendly Convoy vehicles are
        in some of the Locations :meth:`ahead`. A vehicle that has spent more can end wherever one
        that has spent less can. The second result is the unmodelled clauses that applied.
        """
        if state.at is None:
            return 0, ()
        key = self._ending(state, total, beside)
        found = self._ends.get(key)
        if found is None:
            low, high, doubts = 0, total + 1, set[str]()
            like = (total, self._ahead_costs(state, beside))
            guess = self._thresholds.get(like, -1)  # likely the same where equal costs lie ahead
            while low < high:
                likely = (spent for spent in (guess, guess - 1) if low <= spent < high)
                middle = next(likely, (low + high) // 2)
                with without(*self.as_one):
                    ruling = self._ends_at(state, middle, total - middle, beside)
                doubts |= unmodelled(ruling)
                if ruling.is_legal:
                    high = middle
                else:
                    low = middle + 1
            self._thresholds[like] = low
            found = self._ends[key] = low, doubts
        return found

    def _ends_at(self, state: VehicleState, spent: int, left: int, beside: Sequence[str]) -> Ruling:
        unit = self._put(state, spent=spent, used=spent)
        blocks = [msgspec.structs.replace(self.block, id=f"{BLOCK}{n}", at=to)
                  for n, to in enumerate(beside)]  # fmt: skip
        if state.alone:
            return self._ends_alone(unit, blocks)
        whole = self.rulebook.allotment(self.base, self.template)
        poorest = replace(
            unit, id=MATE, at=None, rank=1, spent=whole - left, entering=(), aboard=None
        )
        probe = self.base.with_units([unit])
        probe = msgspec.structs.replace(probe, units=(*probe.units, *blocks, poorest))
        return self.rulebook.rule(probe, End(unit.id))

    def _ends_alone(self, unit: AslUnit, blocks: Sequence[AslUnit]) -> Ruling:
        """Judge one in no Convoy: those beside it after a Gap can be in one or in none."""
        here = self.base.with_units([unit])
        here = msgspec.structs.replace(here, units=(*here.units, *blocks))
        ruling = self.rulebook.rule(here, End(unit.id))
        if ruling.violations and blocks:
            apart = [replace(block, convoy="") for block in blocks]
            ruling = self.rulebook.rule(here.with_units(apart), End(unit.id))
        return ruling


def _freed(rulebook: Rulebook[Any, Any], position: AslPosition, unit: AslUnit) -> dict[str, Any]:
    """Return the changes of a vehicle that becomes the last of its Convoy on the map."""
    found = rulebook.edition(position).judge(last_of_line(unit))
    return {each.field: each.value for each in found.forced}


class EndGraph(LaneGraph):
    """The states of one sort of vehicle, and its possible ends in them."""

    def __init__(self, steps: VehicleSteps, board: Board) -> None:
        super().__init__(steps, board)
        self._ends: dict[tuple[int, int, int], tuple[int, Collection[str]]] = {}
        self._ahead: dict[int, tuple[int, ...]] = {}

    def ahead(self, n: int) -> tuple[int, ...]:
        """Return the places ahead of a vehicle."""
        state = self.states[n]
        if n not in self._ahead:
            ahead = () if state.at is None else self.steps.ahead(state)
            self._ahead[n] = tuple(self.places.number[at] for at in ahead)
        return self._ahead[n]

    def ends_from(self, n: int, total: int, code: int) -> tuple[int, Collection[str]]:
        """Return the result of :meth:`VehicleSteps.ends_from`; bit k of a code: the kth place :meth:`ahead` is taken."""
        found = self._ends.get((n, total, code))
        if found is None:
            names = (self.places.names[p] for k, p in enumerate(self.ahead(n)) if code >> k & 1)
            ends = self.steps.ends_from(self.states[n], total, tuple(map(str, names)))
            found = self._ends[n, total, code] = ends
        return found


# -- cached with the map -------------------------------------------------------------------------


def steps_for(
    rulebook: Rulebook[Any, Any],
    position: AslPosition,
    line: Sequence[AslUnit],
    *,
    avoid: bool = True,
    exits: frozenset[str] = frozenset(),
    lone: Collection[str] | None = None,
    as_one: Collection[str] = AS_ONE,
) -> dict[str, VehicleSteps]:
    """
    Return the steps of each vehicle of a Convoy, shared by equal vehicles.

    They are `lone` if a Gap splits it from the others; if vehicles can leave the map by `exits`,
    the last of them can be. Without `as_one`, the clauses that bind them to each other are off.
    """
    board = position.board
    apart = distances(rulebook.edition(position), board) if exits else ()
    last = frozenset(at for exit_ in exits for at in _beside_exit(board, apart, exit_))
    ids = {unit.id for unit in line}
    loads = {unit.id: carried_by(position, unit) for unit in line}
    found = {}
    for unit in line:
        gone = ids | {load.id for name in ids - {unit.id} for load in loads[name]}
        others = tuple(u for u in position.units if u.id not in gone)
        base = msgspec.structs.replace(position, units=others, pending=())
        template = replace(
            unit, id=unit.id if loads[unit.id] else PROBE, rank=0, spent=0, used=1, mph="moving",
            previous=None, behind="", sees=(), not_sees=(), attacked=False, halted=False, at=None,
            entering=unit.offboard.entering if unit.at is None else (), facing=unit.facing or "NNE",
            moving=False, bypass=None, left="",
        )  # fmt: skip
        template = in_mode(template, "", mode_of(unit))
        known = TABLES.setdefault(position.board, {})
        places: frozenset[str] | None = None if lone is None else frozenset()
        if unit.id in (lone or ()):
            places = frozenset(board.index)
        elif exits and unit is line[-1]:
            places = last
        off = frozenset(name for name in switched_off() if clause_of(name) not in as_one)
        key = (base, _bare(template), off, avoid, exits, places)
        if key not in known:
            if len(known) >= KEPT:
                known.clear()
            template = msgspec.structs.replace(template, at=None)
            known[key] = VehicleSteps(
                rulebook, base, template, avoid=avoid, exits=exits, lone=places, as_one=as_one
            )  # fmt: skip
        found[unit.id] = known[key]
    return found


def _bare(template: AslUnit) -> AslUnit:
    """Return a vehicle without place and mode, which its options do not depend on."""
    return replace(
        template,
        at=None,
        facing="NNE",
        moving=False,
        reverse=False,
        off_road=False,
        used=1,
        spent=0,
    )


def _beside_exit(board: Board, apart: Collection[int], at: str) -> list[str]:
    """Return the Locations beside any off-map hex that one leads to."""
    off = beyond(board, at)
    return [name for name in board.index if span(board, off, name) in apart]
