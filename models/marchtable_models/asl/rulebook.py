"""The ASL rulebook: its contents page, and what each action does.

Thin slice: vehicles (truck, halftrack, fully-tracked) and Infantry moving over common terrain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from marchtable.errors import BadInputError
from marchtable.rulebook import Bill, Case, Rulebook
from marchtable_models.asl import bog, chart, data, infantry, stacking, standing, survey, terrain, vehicles
from marchtable_models.asl.facts import (
    Allowance, BogResult, Declaration, Entry, Group, Jump, Parting, Payment, Standing, StartStop, Swing,
)  # fmt: skip
from marchtable_models.asl.model import (
    ACTIONS, SPINES, AslConditions, AslUnit, DoubleTime, End, Enter, Lend, MinimumMove, Start, Stop, Turn,
)  # fmt: skip

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
    StartStop: (vehicles.start, vehicles.stop),
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
        verb = str(action.__struct_config__.tag)
        found = [Case((unit.id,), survey.standing(position, unit, verb), _hexes(unit.at))]
        if isinstance(action, Start | Stop):
            vehicle = survey.type_of(position, unit).is_vehicle
            found.append(Case((unit.id,), StartStop(verb, vehicle, unit.moving, unit.final), _hexes(unit.at)))
        elif isinstance(action, Turn) and unit.at is not None:
            facts = survey.swing(position, unit, SPINES.index(action.facing))
            found.append(Case((unit.id,), facts, _hexes(unit.at)))
        elif isinstance(action, DoubleTime):
            found.append(Case((unit.id,), survey.declaration(position, unit, verb)))
        elif isinstance(action, Lend):
            to = position.unit(action.to)
            found.append(Case((unit.id,), survey.declaration(position, unit, verb, to)))
        return found

    def _entry_cases(self, position: AslPosition, action: Enter | MinimumMove) -> list[Case]:
        minimum = isinstance(action, MinimumMove)
        ids = (action.unit,) if isinstance(action, MinimumMove) else action.units
        half, extra = (False, 0) if isinstance(action, MinimumMove) else (action.half, action.extra)
        if not ids:
            raise BadInputError("expected at least one unit", field="units")
        to = position.board.resolve(action.to)
        units = [position.unit(name) for name in ids]
        verb = str(action.__struct_config__.tag)
        found = [Case((u.id,), survey.standing(position, u, verb), _hexes(u.at)) for u in units]
        if len(units) > 1:
            found.append(Case(ids, survey.group(position, units), _hexes(units[0].at)))
        for unit in units:
            hexes = _hexes(unit.at, to)
            if unit.at is None or position.board.hexside(unit.at, to) is None:
                found.append(Case((unit.id,), survey.jump(position, unit, to), hexes))
            else:
                facts = survey.entry(position, unit, to, units, half=half, minimum=minimum, extra=extra)
                found.append(Case((unit.id,), facts, hexes))
            if indebted := self._indebted(position, unit, ids):
                found.append(Case((unit.id, *indebted), Parting(len(indebted)), hexes))
        return found

    def _indebted(self, position: AslPosition, leader: AslUnit, going: Sequence[str]) -> tuple[str, ...]:
        """Return the units that stay behind and have spent MF that the leader's bonus gave them."""
        return tuple(
            unit.id
            for unit in position.units
            if unit.leader == leader.id and unit.id not in going
            and unit.spent > self.allotment(position, msgspec.structs.replace(unit, leader=None))
        )  # fmt: skip

    def payment(self, position: AslPosition, case: Case, finding: Finding) -> Payment | None:
        """Return the facts of paying what was found."""
        facts = case.facts
        if not isinstance(facts, PAID):
            return None
        unit = position.unit(case.units[0])
        after = unit
        minimum = isinstance(facts, Entry) and facts.minimum
        if isinstance(facts, Entry):
            after = self._flags(unit, facts, (unit.leader or unit.id) if facts.led else None)
        return Payment(
            is_vehicle=survey.type_of(position, unit).is_vehicle,
            cost=finding.total,
            spent=unit.spent,
            used=unit.used,
            allotment=self.allotment(position, after),
            whole=any(charge.part == "all" for charge in finding.charges),
            minimum=minimum,
            extra=facts.extra if isinstance(facts, Entry) else 0,
        )

    # -- effects -----------------------------------------------------------------------------

    def apply(self, position: AslPosition, action: Action, bills: Sequence[Bill]) -> AslPosition | None:
        """Return the position after the action itself."""
        paid = {bill.case.units[0]: bill for bill in bills if isinstance(bill.case.facts, PAID)}
        if isinstance(action, Enter | MinimumMove):
            ids = (action.unit,) if isinstance(action, MinimumMove) else action.units
        else:
            ids = (action.unit,)  # type: ignore[attr-defined]
        members = [position.unit(name) for name in ids]
        changed = [self._done(position, action, unit, members, paid.get(unit.id)) for unit in members]
        moves = not isinstance(action, DoubleTime | Lend | End)
        if moves and any(unit.mph == "unmoved" for unit in members):
            changed += [
                msgspec.structs.replace(unit, mph="done")
                for unit in position.units
                if unit.mph == "moving" and unit.side == members[0].side and unit.id not in ids
            ]
        return position.with_units([*self._left_behind(position, ids), *changed])

    def _left_behind(self, position: AslPosition, going: Sequence[str]) -> list[AslUnit]:
        """Return the units that lose a leader's bonus they have not used, as he goes on without them."""
        return [
            msgspec.structs.replace(unit, leader=None)
            for unit in position.units
            if unit.leader in going and unit.id not in going
            and not self._indebted(position, position.unit(unit.leader or ""), going)
        ]  # fmt: skip

    def _done(
        self, position: AslPosition, action: Action, unit: AslUnit, members: Sequence[AslUnit], bill: Bill | None
    ) -> AslUnit:
        mph = "moving" if unit.mph == "unmoved" else unit.mph
        if isinstance(action, End):
            return msgspec.structs.replace(unit, mph="done")
        if isinstance(action, Lend):
            return msgspec.structs.replace(unit, lends=action.to)
        if isinstance(action, DoubleTime):
            return unit
        spent = unit.spent + (bill.amount if bill else 0)
        if isinstance(action, Start | Stop):
            return msgspec.structs.replace(unit, mph=mph, spent=spent, moving=isinstance(action, Start))
        used = unit.used + (bill.amount if bill else 0)
        if isinstance(action, Turn):
            return msgspec.structs.replace(unit, mph=mph, spent=spent, used=used, facing=action.facing)
        assert isinstance(action, Enter | MinimumMove)
        to = position.board.resolve(action.to)
        if bill and isinstance(bill.case.facts, Entry):
            unit = self._flags(unit, bill.case.facts, survey.leader_in(position, unit, members))
        return msgspec.structs.replace(unit, mph=mph, spent=spent, used=used, at=to, previous=unit.at)

    @staticmethod
    def _flags(unit: AslUnit, facts: Entry, leader: str | None) -> AslUnit:
        """Return the unit with what crossing this hexside makes of its standing for the MPh."""
        if facts.mover.is_vehicle:
            into_obstacle = not facts.way and chart.row_named(facts.ground.there).obstacle
            return msgspec.structs.replace(unit, off_road=into_obstacle)
        return msgspec.structs.replace(
            unit, leader=leader, used=unit.used or 1,
            road=unit.road and facts.way == "road" and not facts.there.smoke,
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
        side = event.side or position.side
        turn = position.turn + (side != position.side and side in [u.side for u in position.units[:1]])
        ended = {"phase"} | ({"turn"} if event.side else set())
        position = msgspec.structs.replace(
            position, phase=event.phase, side=side, turn=turn,
            counters=tuple(c for c in position.counters if c.until not in ended),
        )  # fmt: skip
        if event.phase != "MPh":
            return position
        fresh: dict[str, Any] = {
            "mph": "unmoved", "spent": 0, "used": 0, "final": "", "previous": None, "road": True,
            "double": 0, "leader": None, "lends": None,
        }  # fmt: skip
        return position.with_units(
            [msgspec.structs.replace(u, **fresh, was_cx=u.cx, cx=False) for u in position.units if u.side == side]
        )

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
        """Return every mode: (facing, moving, off road, fresh, final) or (road, double, fresh, final)."""
        if not survey.type_of(position, unit).is_vehicle:
            doubles = sorted({0, unit.double, *(data.halves("A4.5", name) for name in ("at_start", "later"))})
            return [
                (road, double, fresh, final)
                for road in (True, False)
                for double in doubles
                for fresh, final in ((True, ""), (False, ""), (False, "minimum"))
            ]
        off_road = (False, True) if unit.off_road or survey.mover(position, unit).column == "ft" else (False,)
        return [
            (facing, moving, off, fresh, "")
            for facing in SPINES for moving in (True, False) for off in off_road for fresh in (True, False)
        ] + [
            (facing, moving, off, False, final)
            for facing in SPINES for off in (False, True)
            for moving, final in ((True, "all"), (False, "all"), (True, "minimum"))
        ]  # fmt: skip

    def mode(self, unit: AslUnit) -> Hashable:
        """Return the unit's present mode."""
        fresh = unit.used == 0
        if unit.facing is None:
            return (unit.road, unit.double, fresh, unit.final)
        return (unit.facing, unit.moving, unit.off_road, fresh, unit.final)

    def in_mode(self, unit: AslUnit, at: str, mode: Hashable) -> AslUnit:
        """Return the unit as if it stood there in that mode with nothing spent."""
        plain: dict[str, Any] = {
            "at": at, "spent": 0, "leader": None, "mph": "done" if unit.mph == "done" else "moving",
        }  # fmt: skip
        if unit.facing is None:
            plain["road"], plain["double"], fresh, plain["final"] = mode  # type: ignore[misc]
            plain["cx"] = unit.cx or plain["double"] > 0
            if fresh:
                plain["mph"] = unit.mph
        else:
            plain["facing"], plain["moving"], plain["off_road"], fresh, plain["final"] = mode  # type: ignore[misc]
        return msgspec.structs.replace(unit, used=0 if fresh else 1, **plain)

    def is_final(self, mode: Any) -> bool:
        """Tell whether a unit in this mode has used its whole allotment."""
        return bool(mode[-1])

    def describe_mode(self, mode: Any) -> dict[str, Any]:
        """Return a mode as clients are told of it."""
        if len(mode) == 5:
            return {"facing": mode[0], "moving": mode[1]}
        return {"double_time": True} if mode[1] else {}

    def mover(self, position: AslPosition, unit: AslUnit) -> Hashable:
        """Return all about the unit that its moving depends on."""
        bare = {
            "id": "", "at": None, "spent": 0, "used": 0, "final": "", "road": True, "leader": None,
            "moving": False, "off_road": False, "previous": None,
            "facing": None if unit.facing is None else SPINES[0],
        }  # fmt: skip
        bare["mph"] = "unmoved" if unit.mph == "unmoved" and unit.facing is None else (
            "done" if unit.mph == "done" else "moving"
        )
        return (msgspec.structs.replace(unit, **bare), unit.off_road, position.side, position.phase)

    def ground(self, board: Board, a: str, b: str) -> Hashable:
        """Return the facts of the map from a to b."""
        return survey.lie(board, a, b)

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
            for name in (unit.leader, unit.lends, unit.id if unit.lends else None)
            if name is not None
        )

    # -- the rest ----------------------------------------------------------------------------

    def values(self, position: AslPosition, unit: AslUnit, parameter: Parameter) -> Iterable[Any]:
        """Return values to propose: no extra MP; IPC is lent within the Location."""
        if parameter.name == "extra":
            return (0,)
        return parameter.values

    def check_position(self, position: AslPosition) -> None:
        """Raise BadInputError for unknown types, vehicles without a VCA and the like."""
        known = {*data.unit_types(), *(t.name for t in position.conditions.types)}
        for number, unit in enumerate(position.units):
            field = f"units[{number}]"
            if unit.type not in known:
                raise BadInputError(
                    f"no unit type {unit.type!r} (types: {', '.join(sorted(known))})", field=f"{field}.type"
                )
            if survey.type_of(position, unit).is_vehicle != (unit.facing is not None):
                raise BadInputError(
                    f"{unit.id}: vehicles, and only they, have a facing (one of {', '.join(SPINES)})",
                    field=f"{field}.facing",
                )

    def marker(self, unit: AslUnit) -> dict[str, Any]:
        """Return how a picture shows the unit."""
        if unit.facing is not None:
            return {"label": unit.id, "style": "vehicle", "facing": 30.0 + 60.0 * SPINES.index(unit.facing)}
        return {"label": unit.id, "style": "wreck" if unit.type == "wreck" else "foot", "facing": None}


def _hexes(*names: str | None) -> tuple[str, ...]:
    return tuple(name for name in names if name is not None)


RULEBOOK = Asl()
