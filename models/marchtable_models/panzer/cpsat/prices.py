"""What steps cost units: the rulebook's own answers, asked once for each combination of facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import msgspec

from marchtable.rulebook import find_rulebook
from marchtable_models.panzer import survey

if TYPE_CHECKING:
    from collections.abc import Hashable

    from marchtable.action import Action
    from marchtable.board import Board
    from marchtable.clause import Finding
    from marchtable.ruling import Ruling
    from marchtable_models.panzer.facts import There
    from marchtable_models.panzer.model import PanzerUnit
    from marchtable_models.panzer.survey import PanzerPosition

__all__ = ["Prices"]

replace = msgspec.structs.replace
_KNOWN: WeakKeyDictionary[Board, tuple[dict[str, Any], dict[Hashable, int]]] = WeakKeyDictionary()
Paid = tuple[int, bool] | None


class Prices:
    """
    Asks the rulebook about single steps, payments and who may move, and remembers the answers.

    Parameters
    ----------
    position
        Gives the map, the conditions and the readings. Who stands where is told with each
        question.

    Attributes
    ----------
    left_out
        Clauses that are not modelled and alone stood against something that was asked.
    """

    def __init__(self, position: PanzerPosition) -> None:
        self.book: Any = find_rulebook(position.rulebook)
        self.edition = self.book.edition(position)
        self.board = position.board
        self._ways, self._kinds = _KNOWN.setdefault(self.board, ({}, {}))
        self.left_out: set[str] = set()
        self._costs: dict[Hashable, dict[Hashable, Finding | None]] = {}
        self._paid: dict[Hashable, dict[Hashable, Paid]] = {}

    def rule(self, position: PanzerPosition, action: Action) -> Ruling:
        """Return the referee's ruling."""
        found: Ruling = self.book.rule(position, action)
        if found.unsupported and not found.violations:
            self.left_out |= {v.clause for v in found.unsupported}
        return found

    def ways_from(self, at: str) -> tuple[tuple[str, int], ...]:
        """Return the hexes next to one, each with the number of its crossing's facts."""
        known: tuple[tuple[str, int], ...] | None = self._ways.get(at)
        if known is None:
            found = []
            for _, to in self.board.neighbours(at):
                lie = self.book.ground(self.board, at, to)
                found.append((to, self._kinds.setdefault(lie, len(self._kinds))))
            known = self._ways[at] = tuple(found)
        return known

    def may_move(self, position: PanzerPosition, unit: PanzerUnit) -> bool:
        """Tell whether anything bars the unit from moving wherever it goes, its cargo included."""
        return self._allows(self.edition.judge(survey.mobile(position, unit)))

    def _allows(self, *findings: Finding) -> bool:
        """Tell whether nothing is barred nor unsupported, and note what is unsupported only."""
        if any(found.bars for found in findings):
            return False
        unsupported = {bar.clause for found in findings for bar in found.unsupported}
        self.left_out |= unsupported
        return not unsupported

    def crowds(self, position: PanzerPosition, unit: PanzerUnit) -> dict[str, There]:
        """Return who stands in each hex where anyone does, the unit and its cargo left out."""
        return {
            at: found
            for at in (*position.occupants, *position.markers)
            if (found := survey.others(position, unit.side, at, unit)) != survey.NOBODY
        }

    def costs_of(self, position: PanzerPosition, unit: PanzerUnit) -> Costs:
        """Return what the steps of such a unit cost, among those who stand there now."""
        kind = (unit.type, unit.side)
        costs = self._costs.setdefault(kind, {})
        return Costs(self, position, unit, costs, self._paid.setdefault((*kind, unit.task), {}))

    def cost(self, position: PanzerPosition, unit: PanzerUnit, to: str) -> Finding | None:
        """Return what is found of a step, all that it costs in it; None where it is barred."""
        step = self.edition.judge(survey.step(position, unit, to))
        room = self.edition.judge(survey.stack(position, unit, "enter", at=to))
        return step if self._allows(step, room) else None

    def pay(self, position: PanzerPosition, unit: PanzerUnit, finding: Finding) -> Paid:
        """Return what a unit pays for a step, and whether it was its last; None if it cannot."""
        paid = self.edition.judge(survey.payment(position, unit, finding, self.edition))
        final = any(forced.field == "final" and forced.value for forced in paid.forced)
        return None if paid.bars or paid.unsupported else (finding.total + paid.total, final)


class Costs:
    """
    What the steps of one unit cost, among those who stand on the map in one position.

    Parameters
    ----------
    prices, position, unit
        Who asks whom of what.
    costs, paid
        What is known of such units' steps and payments.
    """

    def __init__(
        self,
        prices: Prices,
        position: PanzerPosition,
        unit: PanzerUnit,
        costs: dict[Hashable, Finding | None],
        paid: dict[Hashable, Paid],
    ) -> None:
        self._prices, self._position, self._unit = prices, position, unit
        self._crowds = prices.crowds(position, unit)
        self._costs, self._paid = costs, paid

    def step(self, at: str, to: str, kind: int, spent: int, *, entered: bool) -> Paid:
        """Return what a step costs a unit that has spent so much, and whether it is its last."""
        key = (kind, self._crowds[to]) if to in self._crowds else kind
        if key not in self._costs:
            unit = replace(self._unit, at=at)
            self._costs[key] = self._prices.cost(self._position, unit, to)
        found = self._costs[key]
        if found is None:
            return None
        paying = (found.total, spent, entered)
        if paying not in self._paid:
            unit = replace(self._unit, spent=spent, entered=entered)
            self._paid[paying] = self._prices.pay(self._position, unit, found)
        return self._paid[paying]
