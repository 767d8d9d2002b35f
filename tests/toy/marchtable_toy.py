"""A toy game, found like any other rulebook: walkers cross meadow and swamp, at most two to a hex.

Amounts are half points. Nothing in the machinery knows of it; it is also the shortest example of
what a rulebook has to say.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from marchtable.errors import BadInputError
from marchtable.rules.facts import Bill, Case, Finding, Sheet
from marchtable.rules.rulebook import PointBudget, Rulebook
from marchtable.rules.subjects import (
    Subjects,
    cases,
    clause,
    effect,
    not_modelled,
    resolves,
)
from marchtable.state.action import Action, Adjacent, Companions, Phase
from marchtable.state.position import Conditions, Half, Obligation, Odds, Position, Unit
from marchtable.state.records import replace

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from marchtable.board.board import Board
    from marchtable.rules.travel import Entrant

COSTS = {"Meadow": 2, "Swamp": 5}
ROAD, CROWD = 1, 2
ODDS = (Odds("through", 5, 6), Odds("stuck", 1, 6))


class Walker(Unit, frozen=True, kw_only=True):
    """Someone on foot; ``allowance`` and ``spent`` are half points."""

    allowance: Half = 8
    spent: Half = 0
    stuck: bool = False


class Sky(Conditions, frozen=True, kw_only=True):
    """Conditions: none."""


class Walk(Action, frozen=True, tag="walk"):
    """Walkers of one hex enter the next together."""

    units: Companions
    to: Adjacent


class Step(msgspec.Struct, frozen=True):
    """Facts of one walker's step: what is entered and how, who is there, who may walk."""

    terrain: str
    road: bool
    may_walk: bool
    crowd: int


class Payment(msgspec.Struct, frozen=True):
    """Facts of paying, in half points."""

    cost: int
    spent: int
    allotment: int


@clause("T1", kind="cost")
def terrain(facts: Step, sheet: Sheet) -> None:
    """A step costs what its terrain costs, by road half a point."""
    sheet.charge(ROAD if facts.road else COSTS.get(facts.terrain, 0), facts.terrain)


@clause("T2", kind="action")
def may_walk(facts: Step, sheet: Sheet) -> None:
    """Only a walker of the side to move walks, to the next hex, if it is not stuck."""
    if not facts.may_walk:
        sheet.bar("it cannot walk there")


@clause("T3", kind="capacity", composes="joint")
def crowd(facts: Step, sheet: Sheet) -> None:
    """At most two walkers are in a hex."""
    if facts.crowd > CROWD:
        sheet.bar("too many in the hex", CROWD, facts.crowd)


@clause("T4", kind="odds")
def swamp(facts: Step, sheet: Sheet) -> None:
    """Entering swamp may leave a walker stuck."""
    if facts.terrain == "Swamp" and not (facts.road and sheet.reading("T4") == "firm"):
        sheet.roll("mud", ODDS)


@clause("T5", kind="cost", composes="flag")
def within_allowance(facts: Payment, sheet: Sheet) -> None:
    """A walker spends no more than its allowance."""
    left = facts.allotment - facts.spent
    if facts.cost > left:
        sheet.bar("not enough points left", facts.cost, left, halves=True)


@not_modelled("T6")
def swimming(facts: Step) -> bool:
    """Swimming."""
    return facts.terrain not in COSTS and not facts.road


@cases(Walk)
def steps(position: Position[Walker, Sky], action: Walk) -> list[Case]:
    """Return the facts of each walker's step."""
    members, to = [position.unit(name) for name in action.units], position.board[action.to]
    if not members:
        raise BadInputError("expected at least one walker", field="units")
    there = [u for u in position.occupants.get(to.name, ()) if u not in members]
    together = len({u.at for u in members}) == 1 and len(set(action.units)) == len(members)
    found = []
    for unit in members:
        side = unit.at and position.board.hexside(unit.at, to.name)
        ready = (
            together and position.phase == "Walk" and unit.side == position.side and not unit.stuck
        )
        road = bool(side and side.road)
        step = Step(to.terrain, road, bool(side) and ready, len(members) + len(there))
        found.append(Case((unit.id,), step, (to.name,)))
    return found


@effect(Walk)
def after_walk(
    position: Position[Walker, Sky], action: Walk, bills: Sequence[Bill]
) -> Position[Walker, Sky] | None:
    """Move the walkers, unless they are off the map."""
    members = [position.unit(bill.case.units[0]) for bill in bills]
    if any(u.at is None for u in members):
        return None
    to = position.board.resolve(action.to)
    return position.with_units(
        [
            replace(u, at=to, spent=u.spent + bill.amount)
            for u, bill in zip(members, bills, strict=True)
        ]
    )


@resolves("mud")
def after_mud(
    position: Position[Walker, Sky], obligation: Obligation, outcome: str
) -> Position[Walker, Sky]:
    """Leave a walker stuck."""
    walker = position.unit(obligation.unit)
    return position.with_units([msgspec.structs.replace(walker, stuck=outcome == "stuck")])


class Toy(Rulebook[Walker, Sky]):
    """The game."""

    name: ClassVar[str] = "toy"
    version: ClassVar[str] = "1"
    travel: ClassVar[tuple[type[Action], ...]] = (Walk,)
    phases: ClassVar[tuple[str, ...]] = ("Walk", "Rest")
    subjects: ClassVar[Subjects] = Subjects(__name__)
    folder: ClassVar[Path | None] = Path(__file__).parent

    others_hinder: ClassVar[bool] = True

    def payments(
        self, position: Position[Walker, Sky], cases: Sequence[Case], findings: Sequence[Finding]
    ) -> Sequence[Payment]:
        """Return the facts of paying for each step."""
        units = [position.unit(case.units[0]) for case in cases]
        return [
            Payment(finding.total, unit.spent, unit.allowance)
            for unit, finding in zip(units, findings, strict=True)
        ]

    def begin_phase(self, position: Position[Walker, Sky], event: Phase) -> Position[Walker, Sky]:
        """Rest everyone."""
        rested = [replace(u, spent=0, stuck=False) for u in position.units]
        return super().begin_phase(position.with_units(rested), event)

    def points(self, position: Position[Any, Any], unit: Walker) -> str:
        """Return what walkers spend."""
        return "WP"

    def budget(self, position: Position[Walker, Sky], unit: Walker) -> PointBudget:
        """Return the walker's allowance."""
        return PointBudget(unit.allowance)

    def with_points(
        self, position: Position[Walker, Sky], unit: Walker, halves: int
    ) -> Position[Walker, Sky] | None:
        """Return the position with another allowance."""
        allowance = unit.allowance + halves
        if allowance < unit.spent:
            return None
        return position.with_units([msgspec.structs.replace(unit, allowance=allowance)])

    def mover(self, position: Position[Walker, Sky], unit: Walker) -> Hashable:
        """Return what its walking depends on."""
        return unit.allowance, unit.stuck, unit.side, position.side, position.phase

    def ground(self, board: Board, a: str, b: str) -> Hashable:
        """Return the terrain entered, and whether by road."""
        side = board.hexside(a, b)
        return board[b].terrain, bool(side and side.road)

    def presence(
        self, position: Position[Walker, Sky], entrant: Entrant, at: str, leave_out: Walker | None
    ) -> Hashable:
        """Return how many are there."""
        return sum(u is not leave_out for u in position.occupants.get(at, ())) or None


RULEBOOK = Toy()
