"""What steps cost units: the rulebook's own answers, asked once for each combination of facts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.planning.relation import Relation
from marchtable.reachability.crossings import crossings_of
from marchtable.rules.rulebook import find_rulebook
from marchtable_models.panzer.modes import mode_of
from marchtable_models.panzer.rules.leaving import Exit
from marchtable_models.panzer.rules.movement import Move, mobile, vehicles_first
from marchtable_models.panzer.views.travel import SettingOut

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterator, Mapping

    from marchtable.rules.clause import Finding
    from marchtable.rules.rulebook import Case
    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action
    from marchtable_models.panzer.model import PanzerUnit
    from marchtable_models.panzer.views.units import PanzerPosition

__all__ = ["Going", "Prices", "Start", "Step", "Terms"]

replace = msgspec.structs.replace
Paid = tuple[int, bool] | None
Priced = tuple["Case", "Finding"]
"""The facts of a step, and what the clauses find of it."""


Costs = dict["Hashable", "Priced | None"]
Payments = tuple[dict["Hashable", Paid], dict["Hashable", Paid]]


class Terms(NamedTuple):
    """What a goal says of ways: hexes that nobody enters, and the threat met by entering one."""

    avoid: Collection[str] = ()
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
        self._costs: dict[Hashable, Costs] = {}
        self._paid: dict[Hashable, Payments] = {}

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
        cases = self.book.cases(position, Exit(unit.id))
        setting_out = [case.facts for case in cases if isinstance(case.facts, SettingOut)]
        return self._allows(*map(self.edition.judge, setting_out))

    def goes_first(self, position: PanzerPosition, unit: PanzerUnit, other: PanzerUnit) -> bool:
        """Return whether the clause on who moves first bars units of a type once one of another's has moved."""
        key = (unit.type, other.type)
        if key not in self._first:
            gone = position.with_units([replace(other, entered=True, aboard=None)])
            order = Relation((vehicles_first.id,), partial(mobile, gone), (unit,))
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

    def paying(self, unit: PanzerUnit) -> tuple[Costs, Payments]:
        """Return what is known of steps that units like one pay for, and of their paying."""
        kind = (unit.type, unit.side)
        costs = self._costs.setdefault(kind, {})
        return costs, self._paid.setdefault((*kind, unit.task), ({}, {}))

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


class Start(NamedTuple):
    """Where a unit begins: the hex and its mode, and half points spent."""

    node: Any
    spent: int
    actions: tuple[Action, ...] = ()


class Step(NamedTuple):
    """A step out of a hex: whose token the facts have that it meets, and where it leads."""

    facts: Hashable
    at: str
    to: str
    entered: bool


class Going:
    """
    What a unit may do from where it is, among those who stand there now.

    It is a :class:`~marchtable.planning.paths.Graph`, whose nodes are (hex, whether it has entered one,
    whether it had before, whether that was its last step); none but the first is where it begins.

    Parameters
    ----------
    prices
        What steps cost.
    position, unit
        Who moves from where; all others stay where they are.
    """

    comes_on = False

    def __init__(self, prices: Prices, position: PanzerPosition, unit: PanzerUnit) -> None:
        self._prices, self._position, self._unit = prices, position, unit
        self._costs, (self._paid, self._known) = prices.paying(unit)
        there = prices.book.presences(position, unit.side, unit)
        self._crowds = {at: crowd for at, crowd in there.items() if crowd is not None}
        self.starts = (Start((unit.at, *mode_of(unit)), unit.spent),)

    def out(self, node: Any) -> Iterator[Step]:
        """Return the steps out of a node, none back to where it began."""
        at, entered, _, _ = node
        crowds, home = self._crowds, self._unit.at
        stopped = crowds[at].stops if entered and at in crowds else ""
        for to, kind in self._prices.near(at):
            if to != home:
                is_met = stopped or to in crowds
                facts = (kind, crowds.get(to), stopped, entered) if is_met else kind
                yield Step(facts, at, to, entered)

    def after(self, spent: int, step: Step) -> tuple[int, Any] | None:
        """Return what is spent after a step, and the node where it ends; None if there is not so much."""
        paying = (step.facts, spent, step.entered)
        if paying not in self._known:
            self._known[paying] = self._pays(spent, step)
        done = self._known[paying]
        return None if done is None else (spent + done[0], (step.to, True, step.entered, done[1]))

    def _pays(self, spent: int, step: Step) -> Paid:
        unit, costs, paid = self._unit, self._costs, self._paid
        if step.facts not in costs:
            there = replace(unit, at=step.at, entered=step.entered)
            costs[step.facts] = self._prices.cost(self._position, there, step.to)
        if (found := costs[step.facts]) is None:
            return None
        due = (found[1].total, spent, step.entered)
        if due not in paid:
            there = replace(unit, spent=spent, entered=step.entered)
            paid[due] = self._prices.pay(self._position, there, found)
        return paid[due]

    def kind(self, a: str, b: str) -> Hashable:
        """Return what is the same for all pairs of hexes between which the map is the same."""
        return dict(self._prices.near(a))[b]

    def actions(self, step: Step) -> tuple[Action, ...]:
        """Return the actions of a step."""
        return (Move(self._unit.id, step.to),)
