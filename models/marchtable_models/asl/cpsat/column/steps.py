"""Impulse options of the units of one Column place, from the rulebook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.planning.line.graph import LaneGraph, LaneStep
from marchtable.rules.clause import without
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.line_steps import PROBE, LineSteps
from marchtable_models.asl.cpsat.ruled import unmodelled
from marchtable_models.asl.rules.impulse_moves import Impulse
from marchtable_models.asl.rules.impulses import all_others_can_pay
from marchtable_models.asl.views.ground import has_second_way
from marchtable_models.asl.views.modes import FRESH, in_mode, mode_of
from marchtable_models.asl.views.unitkinds import type_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from marchtable.rules.rulebook import Rulebook
    from marchtable.rules.ruling import Ruling
    from marchtable_models.asl.model import AslPosition, AslUnit

__all__ = ["VERBS", "ColumnState", "ColumnSteps", "state_of", "templates"]

VERBS = ("enter", "half")
"""The moves of the plan space, other than staying."""


class ColumnState(NamedTuple):
    """
    The units' common place, and each one's mode.

    See :mod:`marchtable_models.asl.views.modes`. ``at`` is None while they wait off the map. On
    foot no unit is in Motion, and none leaves the map.
    """

    at: str | None
    modes: tuple[Any, ...]
    is_moving: bool = False
    alone: bool = False
    left: str = ""

    @property
    def idle(self) -> ColumnState:
        """The state after an Impulse without a move."""
        if all(mode.stage not in FRESH for mode in self.modes):
            return self
        return self._replace(modes=tuple(_staged(mode, "spent") for mode in self.modes))

    @property
    def moved(self) -> ColumnState:
        """The state as if they had moved there."""
        return self._replace(modes=tuple(_staged(mode, "moved") for mode in self.modes))


def _staged(mode: Any, stage: str) -> Any:
    return mode if mode.stage == "moved" else mode._replace(stage=stage)


def templates(units: Sequence[AslUnit]) -> tuple[AslUnit, ...]:
    """Return the units of one place in general form, without place and mode."""
    return tuple(
        replace(
            unit, id=f"{PROBE}{n}", at=None, rank=0, spent=0, used=0, mph="moving", previous=None,
            sees=(), not_sees=(), attacked=False, road=True, double=0, cx=False, tired=False, final="", guide=None,
            entering=unit.offboard.entering if unit.at is None else (),
        )
        for n, unit in enumerate(units)
    )  # fmt: skip


def state_of(units: Sequence[AslUnit]) -> ColumnState:
    """Return the present state of the units of one place."""
    return ColumnState(units[0].at, tuple(mode_of(unit) for unit in units))


class ColumnSteps(LineSteps[ColumnState]):
    """
    The steps of the units of one place, with the rest of their Column out of the way.

    Parameters
    ----------
    rulebook, base, units, avoid
        See :class:`.LineSteps`; the units as by :func:`templates`.
    exits
        Also ask about leaving the map.

    Attributes
    ----------
    left_out
        Unmodelled clauses that apply to leaving the map.
    barring
        Clauses that have barred such steps.
    """

    def __init__(
        self, rulebook: Rulebook[Any, Any], base: AslPosition, units: tuple[AslUnit, ...], *,
        avoid: bool, exits: bool,
    ) -> None:  # fmt: skip
        super().__init__(rulebook, base, units, avoid=avoid)
        kinds = [type_of(self.base, unit).column for unit in units]
        self._verbs = VERBS if any(has_second_way(base.board, k) for k in kinds) else VERBS[:1]
        self._looks_beyond = exits
        self.left_out: set[str] = set()
        self.barring: set[str] = set()
        self.exits, self.parts = frozenset[str](), False
        self.graph = LaneGraph(self, base.board)

    def _ways(self, state: ColumnState) -> Iterable[LaneStep]:
        """Return the cheapest step to each successor state."""
        found: dict[ColumnState, LaneStep] = {}
        for step in self._every(state):
            known = found.get(step.to)
            if known is None or step.cost < known.cost:
                found[step.to] = step
        return found.values()

    def _every(self, state: ColumnState) -> Iterator[LaneStep]:
        at, board = state.at, self.base.board
        if at is None:
            for name in self.units[0].offboard.entering:
                yield from self._tried(state, board.resolve(name))
            return
        if self._looks_beyond:
            self._look_beyond(state)
        for _, to in board.neighbours(at):
            yield from self._grouped(state, at, to)

    def _grouped(self, state: ColumnState, at: str, to: str) -> Iterator[LaneStep]:
        """Yield the steps from one Location to another, equal for equal facts."""
        alone = to if self.base.counters else None  # counters can be near or far
        near = (self._present.get(at), self._present.get(to))
        key = (self.kind(at, to), state.modes, near, alone)
        for step in self._once(key, lambda: self._tried(state, to)):
            move = f"{step.move.partition(':')[0]}:{to}"
            yield step._replace(move=move, to=step.to._replace(at=to))

    def _tried(self, state: ColumnState, to: str) -> Iterator[LaneStep]:
        for verb in self._verbs:
            move = f"{verb}:{to}"
            ruling = self._ask(state, move)
            self.barring.update(v.clause for v in ruling.violations)
            self._heard |= unmodelled(ruling)
            after = self._after(ruling)
            if after is not None and all(unit.at == to for unit in after):
                cost = max(unit.points.spent for unit in after)
                last = not all(unit.line.column for unit in after)
                yield LaneStep(move, verb, cost, state_of(after), last=last)

    def _ask(self, state: ColumnState, move: str) -> Ruling:
        """Return the ruling on a move, whatever the whole Column can pay."""
        with without(all_others_can_pay.id):
            impulse = Impulse(self.units[0].id, (move,) * len(self.units))
            return self.rulebook.rule(self.base.with_units(self.placed(state)), impulse)

    def placed(self, state: ColumnState) -> list[AslUnit]:
        """Return the units in a state, with nothing spent."""
        return [
            replace(in_mode(unit, state.at or "", mode), at=state.at)
            for unit, mode in zip(self.units, state.modes, strict=True)
        ]

    def _look_beyond(self, state: ColumnState) -> None:
        """Record what is not modelled of leaving the map from a Location."""
        found = unmodelled(self._ask(state, "exit"))
        if found:
            self.left_out |= found
            self._looks_beyond = False
