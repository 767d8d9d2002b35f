"""What steps cost units: the rulebook's own answers, asked once for each combination of facts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.planning.relation import Relation
from marchtable.reachability.crossings import crossings_of
from marchtable.rules.rulebook import find_rulebook
from marchtable_models.panzer.clauses.movement import vehicles_first
from marchtable_models.panzer.extraction import reading
from marchtable_models.panzer.orders import Move

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping

    from marchtable.planning.paths import Label
    from marchtable.rules.clause import Finding
    from marchtable.rules.rulebook import Case
    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action
    from marchtable_models.panzer.extraction.reading import PanzerPosition
    from marchtable_models.panzer.model import PanzerUnit

__all__ = ["Prices", "Terms"]

replace = msgspec.structs.replace
Paid = tuple[int, bool] | None
Priced = tuple["Case", "Finding"]
"""The facts of a step, and what the clauses find of it."""


class Terms(NamedTuple):
    """What a goal says of ways: hexes that nobody enters, and the threat met by entering one."""

    avoid: Iterable[str] = ()
    threat: Mapping[str, int] = {}


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
        Clauses that alone ruled out a step because they are not modelled, or leave a decision to the
        enemy.
    """

    def __init__(self, position: PanzerPosition) -> None:
        self.book: Any = find_rulebook(position.rulebook)
        self.edition = self.book.edition(position)
        self.board = position.board
        self._crossings = crossings_of(self.book, self.board)
        self._near: dict[str, list[tuple[str, Hashable]]] = {}
        self.left_out: set[str] = set()
        self._first: dict[tuple[str, str], bool] = {}
        self._costs: dict[Hashable, dict[Hashable, Priced | None]] = {}
        self._paid: dict[Hashable, tuple[dict[Hashable, Paid], dict[Hashable, Paid]]] = {}

    def rule(self, position: PanzerPosition, action: Action) -> Ruling:
        """Return the referee's ruling."""
        found: Ruling = self.book.rule(position, action)
        if found.unsupported and not found.violations:
            self.left_out |= {v.clause for v in found.unsupported}
        return found

    def near(self, at: str) -> list[tuple[str, Hashable]]:
        """Return the hexes next to one, each with a token of its crossing's facts."""
        if at not in self._near:
            out = self._crossings.out_of(self.board.index[at])
            self._near[at] = [(one.b, one.kind) for one in out if not one.stays]
        return self._near[at]

    def may_move(self, position: PanzerPosition, unit: PanzerUnit) -> bool:
        """Return whether anything bars the unit from moving wherever it goes, its cargo included."""
        return self._allows(self.edition.judge(reading.mobile(position, unit)))

    def goes_first(self, position: PanzerPosition, unit: PanzerUnit, other: PanzerUnit) -> bool:
        """Return whether the clause on who moves first bars units of a type once one of another's has moved."""
        key = (unit.type, other.type)
        if key not in self._first:
            gone = position.with_units([replace(other, entered=True, aboard=None)])
            order = Relation((vehicles_first.id,), partial(reading.mobile, gone), (unit,))
            self._first[key] = bool(order.barred(self.edition, unit))
        return self._first[key]

    def _allows(self, *findings: Finding) -> bool:
        """Return whether nothing is forbidden, unsupported or left to the enemy; note the last two."""
        if any(found.bars for found in findings):
            return False
        open_ = {bar.clause for found in findings for bar in found.unsupported}
        open_ |= {roll.clause for found in findings for roll in found.rolls}
        self.left_out |= open_
        return not open_

    def steps(
        self, position: PanzerPosition, unit: PanzerUnit, terms: Terms
    ) -> Callable[[Label], Iterator[tuple[int, int, Any, None]]]:
        """
        Return what gives the steps on from the end of a unit's way, among those who stand there now.

        Of each it tells what is spent and met then, and where it leads: the hex and the mode there. None
        leads back home.
        """
        kind, avoid, threat = (unit.type, unit.side), {unit.at, *terms.avoid}, terms.threat
        costs = self._costs.setdefault(kind, {})
        paid, known = self._paid.setdefault((*kind, unit.task), ({}, {}))
        there = self.book.presences(position, unit.side, unit)
        crowds = {at: crowd for at, crowd in there.items() if crowd is not None}

        def pays(at: str, to: str, paying: tuple[Hashable, int, bool]) -> Paid:
            key, spent, entered = paying
            if key not in costs:
                costs[key] = self.cost(position, replace(unit, at=at, entered=entered), to)
            if (found := costs[key]) is None:
                return None
            due = (found[1].total, spent, entered)
            if due not in paid:
                there = replace(unit, spent=spent, entered=entered)
                paid[due] = self.pay(position, there, found)
            return paid[due]

        def steps(way: Label) -> Iterator[tuple[int, int, Any, None]]:
            spent, exposure, (at, entered, _, _) = way[:3]
            stopped = crowds[at].stops if entered and at in crowds else ""
            for to, key in self.near(at):
                if to in avoid:
                    continue
                is_met = stopped or to in crowds
                met_by = (key, crowds.get(to), stopped, entered) if is_met else key
                paying = (met_by, spent, entered)
                if paying not in known:
                    known[paying] = pays(at, to, paying)
                if (done := known[paying]) is not None:
                    met = exposure + threat.get(to, 0)
                    yield spent + done[0], met, (to, True, entered, done[1]), None

        return steps

    def cost(self, position: PanzerPosition, unit: PanzerUnit, to: str) -> Priced | None:
        """Return what is found of the step that a unit pays for; None where it is barred."""
        moved = position.with_units([unit])
        cases = self.book.cases(moved, Move(unit.id, to))
        findings = [self.edition.judge(case.facts) for case in cases]
        if not self._allows(*findings):
            return None
        dues = self.book.payments(moved, cases, findings)
        return next(
            (case, finding)
            for case, finding, due in zip(cases, findings, dues, strict=True)
            if due is not None
        )

    def pay(self, position: PanzerPosition, unit: PanzerUnit, priced: Priced) -> Paid:
        """Return what a unit pays for a step, and whether it was its last; None if it cannot."""
        case, finding = priced
        own = case._replace(units=(unit.id,))  # it may have been found for another of its type
        due = self.book.payment(position.with_units([unit]), own, finding)
        paid = self.edition.judge(due)
        final = any(forced.field == "final" and forced.value for forced in paid.forced)
        return (finding.total + paid.total, final) if self._allows(paid) else None
