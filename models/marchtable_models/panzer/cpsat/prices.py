"""What steps cost units: the rulebook's own answers, asked once for each combination of facts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.planning.relation import Relation
from marchtable.reachability.crossings import crossings_of
from marchtable.rules.rulebook import find_rulebook
from marchtable_models.panzer.clauses.movement import vehicles_first
from marchtable_models.panzer.extraction import reading
from marchtable_models.panzer.orders import Move

if TYPE_CHECKING:
    from collections.abc import Hashable

    from marchtable.reachability.crossings import Crossing
    from marchtable.rules.clause import Finding
    from marchtable.rules.rulebook import Case
    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action
    from marchtable_models.panzer.extraction.reading import PanzerPosition
    from marchtable_models.panzer.model import PanzerUnit

__all__ = ["Paid", "Prices"]

replace = msgspec.structs.replace
Paid = tuple[int, bool] | None
"""Half points, and whether it is the one hex that a unit may always enter; None if it cannot."""
Priced = tuple["Case", "Finding"]
"""The facts of a step, and what the clauses find of it."""


class Prices:
    """
    Asks the rulebook about single steps, payments and who may move, and remembers the answers.

    Parameters
    ----------
    position
        Gives the map, the conditions and the readings. Who stands where comes with each question.

    Attributes
    ----------
    left_out
        Clauses that alone ruled out a step because they are not modelled, or leave a decision to the
        enemy.
    """

    def __init__(self, position: PanzerPosition) -> None:
        self.book: Any = find_rulebook(position.rulebook)
        self.edition = self.book.edition(position)
        self.left_out: set[str] = set()
        self._board, self._crossings = position.board, crossings_of(self.book, position.board)
        self._costs: dict[Hashable, Priced | None] = {}
        self._paid: dict[Hashable, Paid] = {}

    def rule(self, position: PanzerPosition, action: Action) -> Ruling:
        """Return the referee's ruling."""
        found: Ruling = self.book.rule(position, action)
        if found.unsupported and not found.violations:
            self.left_out |= {v.clause for v in found.unsupported}
        return found

    def near(self, at: str) -> tuple[Crossing, ...]:
        """Return the crossings to the hexes next to one."""
        return self._crossings.out_of(self._board.index[at])[1:]

    def may_move(self, position: PanzerPosition, unit: PanzerUnit) -> bool:
        """Return whether nothing forbids the unit to move wherever it goes, its cargo included."""
        return self._allows(self.edition.judge(reading.mobile(position, unit)))

    def pairs(self, position: PanzerPosition, unit: PanzerUnit, other: PanzerUnit) -> bool:
        """Return whether one may carry the other, as far as that depends on what they are."""
        return self._allows(self.edition.judge(reading.pairing(position, unit, other)))

    def goes_first(self, position: PanzerPosition, unit: PanzerUnit, other: PanzerUnit) -> bool:
        """Return whether a unit cannot move once the other has, by the clause on who moves first."""
        gone = position.with_units([replace(other, entered=True, aboard=None)])
        order = Relation((vehicles_first.id,), partial(reading.mobile, gone), (unit,))
        return bool(order.barred(self.edition, unit))

    def _allows(self, *findings: Finding) -> bool:
        """Return whether nothing is forbidden, unsupported or left to the enemy; note the last two."""
        if any(found.bars for found in findings):
            return False
        open_ = {bar.clause for found in findings for bar in found.unsupported}
        open_ |= {roll.clause for found in findings for roll in found.rolls}
        self.left_out |= open_
        return not open_

    def of_step(self, position: PanzerPosition, unit: PanzerUnit, to: str, facts: Hashable) -> Paid:
        """
        Return what a unit pays for a step.

        Parameters
        ----------
        position, unit
            Who stands where, and the unit as it is before the step.
        facts
            The same for all steps that clauses cannot distinguish, for units of a type and side.
        """
        kind = (unit.type, unit.side, facts)
        if kind not in self._costs:
            self._costs[kind] = self._cost(position.with_units([unit]), unit, to)
        if (found := self._costs[kind]) is None:
            return None
        key = (unit.type, unit.task, found[1].total, unit.spent, unit.entered)
        if key not in self._paid:
            self._paid[key] = self._pay(position.with_units([unit]), unit, *found)
        return self._paid[key]

    def _cost(self, position: PanzerPosition, unit: PanzerUnit, to: str) -> Priced | None:
        cases = self.book.cases(position, Move(unit.id, to))
        findings = [self.edition.judge(case.facts) for case in cases]
        if not self._allows(*findings):
            return None
        dues = self.book.payments(position, cases, findings)
        every = zip(cases, findings, dues, strict=True)
        return next((case, found) for case, found, due in every if due is not None)

    def _pay(self, position: PanzerPosition, unit: PanzerUnit, case: Case, found: Finding) -> Paid:
        own = case._replace(units=(unit.id,))  # it may have been found for another of its type
        paid = self.edition.judge(self.book.payment(position, own, found))
        final = any(forced.field == "final" and forced.value for forced in paid.forced)
        return (found.total + paid.total, final) if self._allows(paid) else None
