"""The units in a plan, and the rulebook's answers about them, asked once per combination of facts."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import msgspec

from marchtable.planning.goals import places_of, units_of
from marchtable.planning.relation import Relation
from marchtable.reachability.crossings import crossings_of
from marchtable.rules.rulebook import find_rulebook
from marchtable_models.panzer.model import PanzerUnit
from marchtable_models.panzer.rules.leaving import Exit
from marchtable_models.panzer.rules.loading import Load, Unload
from marchtable_models.panzer.rules.movement import Move, mobile, vehicles_first
from marchtable_models.panzer.views.travel import SettingOut
from marchtable_models.panzer.views.units import CARRIERS, faction_of, passengers, type_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from marchtable.planning.choice.options import Spot
    from marchtable.rules.clause import Finding
    from marchtable.rules.rulebook import Case
    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable_models.panzer.model import PanzerPosition

__all__ = ["Cast", "Sort"]

replace = msgspec.structs.replace
Sort = tuple[tuple[int, int], bool]
"""A faction's limits by PanzerBlitz and by Panzer Leader, and whether a unit is carried."""
Paid = tuple[int, bool] | None
"""Half points, and whether it is the one hex that a unit can always enter; None if it cannot."""
Priced = tuple["Case", "Finding"]
"""The facts of a step, and the clauses' finding."""


class Cast:
    """
    The units of a plan.

    Parameters
    ----------
    position
        The position.
    names
        The units that can be used.

    Attributes
    ----------
    names
        Those of them that are on the map.
    loads
        For each unit, the units it can carry.
    fixed
        The units that do nothing in any plan.
    bare
        The position without all other units.
    known
        The empty hexes that units of a type, side and task can enter next, by their hex, points
        spent, and whether they have entered a hex.
    left_out
        Clauses that alone ruled out a step because they are not modelled or leave a decision to the
        enemy.
    """

    def __init__(self, position: PanzerPosition, names: Sequence[str]) -> None:
        self.position = position
        self.book: Any = find_rulebook(position.rulebook)
        self.edition = self.book.edition(position)
        self.left_out: set[str] = set()
        self._crossings = crossings_of(self.book, position.board)
        self._costs: dict[Hashable, Priced | None] = {}
        self._paid: dict[Hashable, Paid] = {}
        self._kinds: dict[tuple[int, int], str] = {}
        self._exits: list[tuple[frozenset[str], frozenset[str]]] | None = None
        self._near: dict[str, Sequence[tuple[str, Hashable]]] = {}
        self.known: dict[Hashable, dict[tuple[str, int, bool], Sequence[Any]]] = defaultdict(dict)
        movers = [u for u in map(position.unit, names) if u.at is not None]
        free = [u for u in movers if u.aboard is None]
        self.names = frozenset(u.id for u in movers)
        self._nobody = position.with_units(
            [replace(u, at=None, aboard=None) for u in position.units]
        )
        self.loads = {u.id: [o for o in free if self._carries(u, o)] for u in free}
        carried = {other.id for some in self.loads.values() for other in some}
        able: set[str] = set()
        for unit in movers:
            cargo = {u.id for u in passengers(position, unit)}
            pairs = cargo or self.loads.get(unit.id) or unit.id in carried
            if pairs or self.may_move(position, unit):
                able |= {unit.id, *cargo}
        self.fixed = frozenset(u.id for u in position.units if u.id not in able)
        self.actors = [u for u in free if u.id in able]
        gone = [u for u in position.units if u.id in able and u.at is not None]
        self.bare = position.with_units([replace(u, at=None, aboard=None) for u in gone])

    def _carries(self, unit: PanzerUnit, other: PanzerUnit) -> bool:
        """Return whether it could carry the adjacent unit: men never carry a wagon, even with clauses off."""
        kind, at = type_of(self.position, unit), other.at
        carries = kind.is_vehicle or kind.armoured or kind.class_ in CARRIERS
        if unit is other or not carries or type_of(self.position, other).is_vehicle:
            return False
        cargo = passengers(self.position, unit)
        there = self._nobody.with_units([other, *(replace(u, at=at) for u in (unit, *cargo))])
        freed = [self.rule(there, Unload(unit.id, u.id)) for u in cargo]
        before = [there, *(ruling.after for ruling in freed if ruling.is_legal)]
        return any(self.rule(one, Load(unit.id, other.id)).is_legal for one in before)

    def sort(self, name: str, aboard: str | None) -> Sort:
        """Return a unit's properties that matter to others in its hex: faction limits, and if carried."""
        unit = self.position.unit(name)
        faction = faction_of(self.position, unit)
        limits = (faction.stacking, faction.leader_stacking)
        self._kinds.setdefault(limits, unit.type)
        return limits, aboard is not None

    def exits(self, goal: Goal) -> Sequence[tuple[frozenset[str], frozenset[str]]]:
        """Return, for each aim to leave the map, the units wanted off it and their exit hexes."""
        if self._exits is None:
            aims, position = (aim for aim in goal.aims if aim.exit), self.position
            self._exits = [
                (frozenset(units_of(aim, position)), places_of(aim.exit, position.board))
                for aim in aims
            ]
        return self._exits

    def among(self, crowds: Mapping[Spot, int]) -> PanzerPosition:
        """Return the bare position with a number of units of a sort standing in some hexes."""
        more: list[PanzerUnit] = []
        for (at, sort), count in crowds.items():
            limits, carried = cast("Sort", sort)
            one = PanzerUnit(id="", side=self.position.side, type=self._kinds[limits], at=at)
            one = replace(one, aboard=f"{at}*" if carried else None)
            more += [replace(one, id=f"{at}*{len(more) + n}") for n in range(count)]
        return replace(self.bare, units=(*self.bare.units, *more))

    # -- rulings ----------------------------------------------------------------------------------

    def rule(self, position: PanzerPosition, action: Action) -> Ruling:
        """Return the referee's ruling."""
        found: Ruling = self.book.rule(position, action)
        if found.unsupported and not found.violations:
            self.left_out |= {v.clause for v in found.unsupported}
        return found

    def near(self, at: str) -> Sequence[tuple[str, Hashable]]:
        """Return the hexes adjacent to one, and the kinds of the ways there."""
        if at not in self._near:
            some = self._crossings.out_of(self.position.board.index[at])[1:]
            self._near[at] = [(crossing.b, crossing.kind) for crossing in some]
        return self._near[at]

    def may_move(self, position: PanzerPosition, unit: PanzerUnit) -> bool:
        """Return whether nothing forbids the unit to move anywhere, with its load."""
        cases = self.book.cases(position, Exit(unit.id))
        setting_out = [case.facts for case in cases if isinstance(case.facts, SettingOut)]
        return self._allows(*map(self.edition.judge, setting_out))

    def goes_first(self, unit: PanzerUnit, other: PanzerUnit) -> bool:
        """Return whether a unit cannot move after the other, by the clause on moving order."""
        gone = self.position.with_units([replace(other, entered=True, aboard=None)])
        order = Relation((vehicles_first.id,), partial(mobile, gone), (unit,))
        return bool(order.barred(self.edition, unit))

    def _allows(self, *findings: Finding) -> bool:
        """Return whether nothing is forbidden, unsupported or left to the enemy; record the last two."""
        if any(found.bars for found in findings):
            return False
        open_ = {bar.clause for found in findings for bar in found.unsupported}
        open_ |= {roll.clause for found in findings for roll in found.rolls}
        self.left_out |= open_
        return not open_

    def step_cost(
        self, position: PanzerPosition, unit: PanzerUnit, to: str, facts: Hashable
    ) -> Paid:
        """
        Return a unit's cost for a step.

        Parameters
        ----------
        position, unit
            The other units' places, and the unit before the step.
        facts
            A cache key for steps that clauses cannot distinguish, for units of a type and side.
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
        cases = [*self.book.cases(position, Move(unit.id, to))]
        findings = [self.edition.judge(case.facts) for case in cases]
        if not self._allows(*findings):
            return None
        dues = self.book.payments(position, cases, findings)
        every = zip(cases, findings, dues, strict=True)
        return next((case, found) for case, found, due in every if due is not None)

    def _pay(self, position: PanzerPosition, unit: PanzerUnit, case: Case, found: Finding) -> Paid:
        own = case._replace(units=(unit.id,))  # it may have been found for another of its type
        paid = self.edition.judge(self.book.payments(position, [own], [found])[0])
        final = any(forced.field == "final" and forced.value for forced in paid.forced)
        return (found.total + paid.total, final) if self._allows(paid) else None
