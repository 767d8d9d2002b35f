"""The ASL rulebook: its contents page, and what each action does.

Thin slice: vehicles (truck, halftrack, fully-tracked) and Infantry moving over common terrain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from marchtable.action import verb_of
from marchtable.errors import BadInputError
from marchtable.rulebook import Bill, Case, Rulebook
from marchtable_models.asl import (
    bog, chart, data, effects, infantry, modes, stacking, standing, survey, terrain, vehicles,
)  # fmt: skip
from marchtable_models.asl.facts import BogResult, Ending, Entry, Jump, StartStop, Swing
from marchtable_models.asl.ground import lie
from marchtable_models.asl.model import (
    ACTIONS, SPINES, AslConditions, AslUnit, DoubleTime, End, Enter, Lend, MinimumMove, Start, Stop, Turn,
    actors,
)  # fmt: skip
from marchtable_models.asl.unitfacts import Allowance, Declaration, Group, Parting, Payment, Standing

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence
    from pathlib import Path

    from marchtable.action import Action, Parameter, Phase
    from marchtable.board import Board
    from marchtable.clause import Clause, Finding, Interpretation
    from marchtable.position import Obligation, Position

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["RULEBOOK", "Asl"]

CONTENTS: dict[type, tuple[Clause, ...]] = {
    Standing: (
        standing.in_own_mph, standing.on_the_map, standing.done_is_done, standing.pinned_stays,
        standing.broken_stays, standing.fresh_on_foot, standing.fit_vehicle, standing.mobile,
        standing.overloaded, standing.used_up,
    ),
    Jump: (standing.adjacent_only,),
    Group: (standing.stack_moves,),
    Entry: (
        vehicles.must_be_started, vehicles.enter_within_vca, vehicles.half_entry,
        *chart.terrain_clauses(), terrain.gully_terrain, terrain.gully_overgrown,
        terrain.road_on_foot, terrain.road_in_vehicle, terrain.bu_road, terrain.path,
        terrain.smoke, terrain.rise_on_foot, terrain.rise_in_vehicle, terrain.abrupt_change,
        *chart.hexside_clauses(),
        vehicles.building_entry, vehicles.off_the_woods_road, terrain.wooden_bridge,
        terrain.counters, vehicles.vehicles_there,
        stacking.overstacked_on_foot, stacking.overstacked_vehicle,
        stacking.enemy_there, stacking.concealed_enemy, infantry.moves_with_lender,
        bog.bog_check_entering,
    ),
    Swing: (
        vehicles.turn_after_start, vehicles.turn, vehicles.turn_one_spine, terrain.gully_overgrown,
        bog.bog_check_turning,
    ),
    StartStop: (vehicles.start, vehicles.stop, vehicles.enemy_afv_there),
    Ending: (vehicles.end_in_motion, vehicles.enemy_afv_there),
    Declaration: (infantry.declare_double_time, infantry.double_time_cx, infantry.lend_ipc),
    Parting: (infantry.leader_stays,),
    Payment: (
        vehicles.expend_more, vehicles.pay_mp, vehicles.all_entry, vehicles.minimum_move,
        infantry.pay_mf, infantry.minimum_move_on_foot,
    ),
    Allowance: (
        vehicles.printed_mp,
        infantry.base_mf, infantry.wounded, infantry.leader_bonus, infantry.portage,
        infantry.exhausted_ipc, infantry.lent_ipc, infantry.double_time_mf, infantry.road_bonus,
    ),
    BogResult: (bog.bogged,),
}  # fmt: skip

PAID = (Entry, Swing, StartStop)


class Asl(Rulebook[AslUnit, AslConditions]):
    """Advanced Squad Leader."""

    name: ClassVar[str] = "asl"
    version: ClassVar[str] = "1"
    unit_type: ClassVar[type[Any]] = AslUnit
    conditions_type: ClassVar[type[Any]] = AslConditions
    action_types: ClassVar[tuple[type[Action], ...]] = ACTIONS
    travel: ClassVar[tuple[type[Action], ...]] = (Start, Stop, Turn, Enter, MinimumMove, DoubleTime)
    phases: ClassVar[tuple[str, ...]] = ("RPh", "PFPh", "MPh", "DFPh", "AFPh", "RtPh", "APh", "CCPh")
    contents: ClassVar[Mapping[type, tuple[Clause, ...]]] = CONTENTS
    register: ClassVar[tuple[Interpretation, ...]] = data.register()
    demo: ClassVar[Path | None] = data.FOLDER / "demo"
    ledger: ClassVar[Path | None] = data.FOLDER / "ledger.json"
    figures: ClassVar[Mapping[str, Any]] = data.figures()

    # -- facts -------------------------------------------------------------------------------

    def cases(self, position: AslPosition, action: Action) -> Sequence[Case]:
        """Return the facts that bear on an action."""
        if isinstance(action, Enter | MinimumMove):
            return self._entry_cases(position, action)
        unit = position.unit(action.unit)  # type: ignore[attr-defined]
        verb = verb_of(action)
        found = [Case((unit.id,), survey.standing(position, unit, verb), _hexes(unit.at))]
        if isinstance(action, Start | Stop):
            vehicle, afv = survey.type_of(position, unit).is_vehicle, survey.enemy_afv(position, unit)
            facts = StartStop(verb, vehicle, unit.moving, unit.final, afv)
            found.append(Case((unit.id,), facts, _hexes(unit.at)))
        elif isinstance(action, Turn) and unit.at is not None:
            swing = survey.swing(position, unit, SPINES.index(action.facing))
            found.append(Case((unit.id,), swing, _hexes(unit.at)))
        elif isinstance(action, DoubleTime):
            found.append(Case((unit.id,), survey.declaration(position, unit, verb)))
        elif isinstance(action, Lend):
            to = position.unit(action.to)
            found.append(Case((unit.id,), survey.declaration(position, unit, verb, to)))
        elif isinstance(action, End):
            found += self._endings(position, (unit,))
        if unit.mph == "unmoved" and isinstance(action, Start | Stop | Turn):
            found += self._endings(position, effects.interrupted(position, unit.side, (unit.id,)))
        return found

    def _endings(self, position: AslPosition, units: Iterable[AslUnit]) -> list[Case]:
        """Return the facts of vehicles ending their MPh without having stopped."""
        edition = self.edition(position)
        return [
            Case((unit.id,), facts, _hexes(unit.at))
            for unit in units
            if unit.moving and unit.at is not None and unit.mph != "done"
            and (facts := survey.ending(position, unit, edition, self.allotment(position, unit)))
        ]  # fmt: skip

    def _entry_cases(self, position: AslPosition, action: Enter | MinimumMove) -> list[Case]:
        ids = actors(action)
        if not ids:
            raise BadInputError("expected at least one unit", field="units")
        to = position.board.resolve(action.to)
        units = [position.unit(name) for name in ids]
        verb = verb_of(action)
        found: list[Case] = []
        if len(units) > 1:
            found.append(Case(ids, survey.group(position, units), _hexes(units[0].at)))
        for unit in units:
            who, hexes = (unit.id,), _hexes(unit.at, to)
            found.append(Case(who, survey.standing(position, unit, verb), hexes))
            if unit.at is None or position.board.hexside(unit.at, to) is None:
                found.append(Case(who, survey.jump(position, unit, to), hexes))
            else:
                found.append(Case(who, survey.entry(position, unit, to, units, action), hexes))
            if unit.mph == "unmoved" and unit is units[0]:
                found += self._endings(position, effects.interrupted(position, unit.side, ids))
            if survey.type_of(position, unit).leads:
                indebted = self._indebted(position, unit, ids)
                if indebted:
                    found.append(Case((unit.id, *indebted), Parting(len(indebted)), hexes))
        return found

    def _indebted(self, position: AslPosition, leader: AslUnit, going: Sequence[str]) -> tuple[str, ...]:
        """Return the units that stay behind and have spent MF that the leader's bonus gave them."""
        return tuple(
            unit.id
            for unit in position.units
            if leader.id in unit.leaders and unit.id not in going
            and all(other in going for other in unit.leaders)
            and unit.spent > self.allotment(position, msgspec.structs.replace(unit, leaders=()))
        )  # fmt: skip

    def payment(self, position: AslPosition, case: Case, finding: Finding) -> Payment | None:
        """Return the facts of paying what was found."""
        facts = case.facts
        if not isinstance(facts, PAID):
            return None
        unit = after = position.unit(case.units[0])
        minimum, extra, rest = False, 0, False
        if isinstance(facts, Entry):
            minimum, extra, rest = facts.minimum, facts.extra, facts.rest
            after = effects.after_crossing(unit, facts, (unit.id,) if facts.led else ())
        return Payment(
            is_vehicle=unit.facing is not None,
            cost=finding.total,
            spent=unit.spent,
            used=unit.used,
            allotment=self.allotment(position, after),
            whole=any([charge.part == "all" for charge in finding.charges]),
            minimum=minimum,
            extra=extra,
            rest=rest,
        )

    # -- effects -----------------------------------------------------------------------------

    def apply(self, position: AslPosition, action: Action, bills: Sequence[Bill]) -> AslPosition | None:
        """Return the position after the action itself."""
        return effects.after_action(
            position, action, bills, lambda leader, going: self._indebted(position, leader, going)
        )

    def settle(self, position: AslPosition, obligation: Obligation, outcome: str) -> AslPosition:
        """Return the position after a Bog Check came out so."""
        unit = position.unit(obligation.unit)
        at_hexside = obligation.id.startswith("bog-hexside")
        finding = self.edition(position).judge(BogResult(outcome, at_hexside, unit.previous))
        if not finding.forced:
            return position
        changes = {forced.field: forced.value for forced in finding.forced}
        return position.with_units([msgspec.structs.replace(unit, **changes)])

    def begin_phase(self, position: AslPosition, event: Phase) -> AslPosition:
        """Return the position as a phase begins."""
        return effects.at_phase_start(position, event)

    # -- amounts -----------------------------------------------------------------------------

    def points(self, unit: AslUnit) -> str:
        """Return MP for what has a VCA, else MF."""
        return "MP" if unit.facing is not None else "MF"

    def allotment(self, position: AslPosition, unit: AslUnit) -> int:
        """Return the unit's allotment, in half points."""
        return self.edition(position).judge(survey.allowance(position, unit)).total

    def spent(self, unit: AslUnit) -> int:
        """Return what the unit has spent, in half points."""
        return unit.spent

    # -- reach -------------------------------------------------------------------------------

    def modes(self, position: AslPosition, unit: AslUnit) -> Sequence[Hashable]:
        """Return every mode of the unit; see :mod:`marchtable_models.asl.modes`."""
        return modes.modes_of(unit, survey.type_of(position, unit))

    def mode(self, unit: AslUnit) -> Hashable:
        """Return the unit's present mode."""
        return modes.mode_of(unit)

    def in_mode(self, unit: AslUnit, at: str, mode: Hashable) -> AslUnit:
        """Return the unit as if it stood there in that mode with nothing spent."""
        return modes.in_mode(unit, at, mode)

    def is_final(self, mode: Any) -> bool:
        """Tell whether a unit in this mode has used its whole allotment."""
        return bool(mode[-1])

    def describe_mode(self, mode: Any) -> dict[str, Any]:
        """Return a mode as clients are told of it."""
        return modes.describe(mode)

    def mover(self, position: AslPosition, unit: AslUnit) -> Hashable:
        """Return all about the unit that its moving depends on."""
        return (modes.stripped(unit), unit.off_road, position.side, position.phase)

    def ground(self, board: Board, a: str, b: str) -> Hashable:
        """Return the facts of the map from a to b."""
        return lie(board, a, b)

    def presence(
        self, position: AslPosition, side: str, at: str, leave_out: AslUnit | None
    ) -> Hashable:
        """Return what stands in a Location, one unit left out if it is given."""
        found = survey.there(position, side, at, (leave_out.id,) if leave_out else ())
        return None if found == survey.NOWHERE else found

    def bound_units(self, position: AslPosition) -> frozenset[str]:
        """Return leaders whom others moved with, and units that lend or borrow IPC."""
        return frozenset(
            name
            for unit in position.units
            for name in (*unit.leaders, unit.lends, unit.helper)
            if name is not None
        )

    def shares_space(self, position: AslPosition, unit: AslUnit) -> bool:
        """Tell whether an equal newcomer may do the same: no vehicle's MPh ends as the unit begins."""
        return super().shares_space(position, unit) and not (
            unit.mph == "unmoved"
            and any(u.moving for u in effects.interrupted(position, unit.side, (unit.id,)))
        )

    # -- the rest ----------------------------------------------------------------------------

    def values(self, position: AslPosition, unit: AslUnit, parameter: Parameter) -> Iterable[Any]:
        """Return values to propose: of overspending (D2.18) only all that is left, by vehicles."""
        if parameter.name == "rest" and unit.facing is None:
            return (False,)
        return super().values(position, unit, parameter)

    def check_position(self, position: AslPosition) -> None:
        """Raise BadInputError for unknown types, vehicles without a VCA and the like."""
        survey.check_units(position)

    def marker(self, unit: AslUnit) -> dict[str, Any]:
        """Return how a picture shows the unit."""
        if unit.facing is not None:
            return {"label": unit.id, "style": "vehicle", "facing": 30.0 + 60.0 * SPINES.index(unit.facing)}
        return {"label": unit.id, "style": "wreck" if unit.type == "wreck" else "foot", "facing": None}


def _hexes(*names: str | None) -> tuple[str, ...]:
    return names if None not in names else tuple([name for name in names if name is not None])  # type: ignore[return-value]


RULEBOOK = Asl()
