"""The ASL rulebook: what the machinery asks of it. Its clauses are listed in ``contents.py``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from marchtable.action import Event, verb_of
from marchtable.rulebook import Bill, Case, Rulebook
from marchtable_models.asl import (
    boarding,
    bog,
    capacity,
    cases,
    cases_transport,
    checks,
    checks_lines,
    checks_transport,
    convoytold,
    data,
    effects,
    entitlements,
    handling,
    lines,
    loading,
    modes,
    mounted,
    outlook,
    planners,
    purse,
    survey,
    survey_bypass,
    weapons,
)  # fmt: skip
from marchtable_models.asl.bypassverbs import BYPASSES
from marchtable_models.asl.columnfacts import Disbanding
from marchtable_models.asl.contents import CONTENTS
from marchtable_models.asl.edge import ways
from marchtable_models.asl.effects_mounts import after_mounts
from marchtable_models.asl.effects_trails import after_bog, after_moves
from marchtable_models.asl.effects_transport import after_manning, after_transport
from marchtable_models.asl.facts import Entry, StartStop, Swing
from marchtable_models.asl.footfacts import AdvanceCost, Handling
from marchtable_models.asl.footverbs import Advance, SetOut
from marchtable_models.asl.ground import has_second_way, lie, rows_on
from marchtable_models.asl.guidance import is_unguided, unguided
from marchtable_models.asl.lineeffects import LINE_ACTIONS, after_line_action, impulse_dues
from marchtable_models.asl.linefacts import Idle, Joined, Lineup
from marchtable_models.asl.manningfacts import Abandonment, Emptied, Manned
from marchtable_models.asl.manningverbs import MANNING_ACTIONS
from marchtable_models.asl.model import (
    ACTIONS,
    SPINES,
    AslConditions,
    AslUnit,
    DoubleTime,
    Enter,
    Impulse,
    LeaveRoad,
    MinimumMove,
    Start,
    Stop,
    Turn,
)  # fmt: skip
from marchtable_models.asl.mountfacts import Dismounting, Mounting, Ridden
from marchtable_models.asl.mountverbs import MOUNT_ACTIONS, Gallop
from marchtable_models.asl.overlay import lane_headings, roadblock_side
from marchtable_models.asl.ranks import ranks_of
from marchtable_models.asl.survey_manning import armament_left
from marchtable_models.asl.tally import Tally, tally_of
from marchtable_models.asl.transportfacts import Alight, Boarding, Disembark, Embark, Hitch
from marchtable_models.asl.uncovered import uncovered
from marchtable_models.asl.unitingcases import names_to_join
from marchtable_models.asl.vehiclefacts import Wait

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from pathlib import Path

    from marchtable.action import Action, Parameter, Phase
    from marchtable.board import Board
    from marchtable.clause import Clause, Finding, Interpretation
    from marchtable.planning.goal import Goal
    from marchtable.planning.model import PlanModel
    from marchtable.position import Obligation, Position
    from marchtable.reach import Reach
    from marchtable.ruling import Ruling
    from marchtable_models.asl.model import UnitType
    from marchtable_models.asl.unitfacts import Payment, Standing

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["RULEBOOK", "Asl"]

PAYS = "declared"
PAID: frozenset[type[Any]] = frozenset((
    Disbanding, Entry, Idle, Swing, StartStop, Wait, Handling, Boarding, Embark, Disembark, Alight,
    Hitch, Joined, Mounting, Ridden, Dismounting, Abandonment, Emptied, Manned,
))  # fmt: skip
AFTER: dict[type[Action], Callable[..., Position[AslUnit, AslConditions] | None]] = {
    **dict.fromkeys(LINE_ACTIONS, after_line_action),
    **dict.fromkeys(cases_transport.TRANSPORT, after_transport),
    **dict.fromkeys(MOUNT_ACTIONS, after_mounts),
    **dict.fromkeys(MANNING_ACTIONS, after_manning),
}
"""What an action does, where it is not :func:`effects.after_action`."""
# Reach declares no Excessive Speed, opens no hatch, frees nobody and leaves no map by itself.
BY_DAY: tuple[type[Action], ...] = (
    Start, Stop, Turn, LeaveRoad, Enter, MinimumMove, DoubleTime, Gallop, *BYPASSES,
)  # fmt: skip
ON_FOOT = tuple(verb for verb in BY_DAY if verb not in (Start, Stop, Turn, LeaveRoad))
DRIVEN = tuple(verb for verb in BY_DAY if verb not in (DoubleTime, Gallop))
FOR_SOME: dict[str, Callable[[UnitType, Board], bool]] = {
    "half": lambda kind, board: has_second_way(board, kind.column),
    "alone": lambda kind, _: kind.afv and not kind.radio,
    "rest": lambda kind, _: kind.is_vehicle,
    "overrun": lambda *_: False,  # judged, never proposed: its attack is not modelled
    "beneath": lambda *_: False,
}
"""Options of an action that only some unit types ever have, on some maps."""


def _tied(unit: AslUnit) -> tuple[str | None, ...]:
    """Return the units that a unit's being carried, or towed, ties together."""
    other = unit.aboard or unit.towed_by or unit.towing
    return (unit.id, other) if other else ()


def _takes(position: AslPosition, unit: AslUnit) -> list[tuple[str, ...]]:
    """Return what armament a unit may be thought to take off its vehicle: each piece, or all."""
    if unit.aboard is None:
        return [()]
    names = [weapon.name for weapon in armament_left(position, position.unit(unit.aboard))]
    return list(dict.fromkeys([(), *((name,) for name in names), tuple(names)]))


class Asl(Rulebook[AslUnit, AslConditions]):
    """Advanced Squad Leader."""

    name: ClassVar[str] = "asl"
    version: ClassVar[str] = "1"
    unit_type: ClassVar[type[Any]] = AslUnit
    conditions_type: ClassVar[type[Any]] = AslConditions
    action_types: ClassVar[tuple[type[Action], ...]] = ACTIONS
    travel: ClassVar[tuple[type[Action], ...]] = (*BY_DAY, SetOut, Advance)
    phases: ClassVar[tuple[str, ...]] = (
        "RPh",
        "PFPh",
        "MPh",
        "DFPh",
        "AFPh",
        "RtPh",
        "APh",
        "CCPh",
    )
    contents: ClassVar[Mapping[type, tuple[Clause, ...]]] = CONTENTS
    register: ClassVar[tuple[Interpretation, ...]] = data.register()
    demo: ClassVar[Path | None] = data.FOLDER / "demo"
    ledger: ClassVar[Path | None] = data.FOLDER / "ledger.json"
    figures: ClassVar[Mapping[str, Any]] = data.figures()

    # -- facts and effects -------------------------------------------------------------------

    def cases(self, position: AslPosition, action: Action) -> Sequence[Case]:
        """Return the facts that bear on an action."""
        return cases.of_action(position, action, self.edition(position))

    def settle_cases(
        self, position: AslPosition, obligation: Obligation, outcome: str
    ) -> Sequence[Case]:
        """Return the facts of a roll or choice that came out so."""
        return cases.of_outcome(position, obligation, outcome, self.edition(position))

    def phase_cases(self, position: AslPosition, event: Phase) -> Sequence[Case]:
        """Return the facts of every unit as a phase begins."""
        return cases.of_phase(position, event, self.phases, self.edition(position))

    def settle(self, position: AslPosition, obligation: Obligation, outcome: str) -> AslPosition:
        """Return the position after a roll: a SW recovered changes hands, a Trail Break is open."""
        if bog.is_bog_check(obligation.clause):
            return after_bog(position, obligation, outcome, self.edition(position))
        return handling.settled(position, obligation, outcome)

    def payment(
        self, position: AslPosition, case: Case, finding: Finding
    ) -> Payment | AdvanceCost | None:
        """Return the facts of paying what was found."""
        kind = type(case.facts)
        if kind not in PAID or getattr(case.facts, "cause", PAYS) != PAYS:
            return None
        if kind is Handling and not finding.total:
            return None
        unit = position.unit(case.units[0])
        return purse.payment(position, unit, case.facts, finding, self.edition(position))

    def payments(
        self, position: AslPosition, cases: Sequence[Case], findings: Sequence[Finding]
    ) -> Sequence[Payment | AdvanceCost | None]:
        """Return the facts of paying; in an Impulse each learns of the largest expenditure."""
        dues = [self.payment(position, *each) for each in zip(cases, findings, strict=True)]
        for case in cases:
            if type(case.facts) is Lineup:
                return impulse_dues(cases, dues)
        return dues

    def members(self, position: AslPosition, action: Action) -> Sequence[str]:
        """Return the units of the line that makes an Impulse."""
        return ranks_of(position, position.unit(action.unit)).ids  # type: ignore[attr-defined]

    def moves(self, position: AslPosition, action: Action, unit: AslUnit) -> Sequence[str]:
        """Return the moves to propose to the next member of an Impulse."""
        has_half = has_second_way(position.board, survey.type_of(position, unit).column)
        return lines.moves_for(position, unit, has_half=has_half)

    def closing(self, position: AslPosition, action: Action) -> Sequence[str] | None:
        """Return the next member's moves with which an Impulse can be made legal, but a platoon's."""
        if isinstance(action, Impulse) and self.members(position, action)[:1] != (action.unit,):
            return ()  # named by another than the first of the line (E11.2a)
        tally = self._tally(position, action)
        return None if tally is None else tally.closing(action.moves)  # type: ignore[attr-defined]

    def closings(self, position: AslPosition, action: Action) -> int | None:
        """Return how many Impulses a Convoy or Column can make, if no move is told yet."""
        tally = self._tally(position, action)
        return None if tally is None or action.moves else tally.count()  # type: ignore[attr-defined]

    def _tally(self, position: AslPosition, action: Action) -> Tally | None:
        if not isinstance(action, Impulse):
            return None
        return tally_of(position, action, self.edition(position), self.payment)

    def repeats(self, action: Action) -> bool:
        """Tell whether an Impulse tells its last member to stay, as it does without being told."""
        return isinstance(action, Impulse) and action.moves[-1:] == (lines.STAY,)

    def apply(
        self, position: AslPosition, action: Action, bills: Sequence[Bill]
    ) -> AslPosition | None:
        """Return the position after the action itself: fire at what was done before is over."""
        make: Callable[..., AslPosition | None] = AFTER.get(type(action), effects.after_action)
        found = make(position, action, bills)
        if found is None:
            return None
        after = after_moves(position, found, bills)
        return after if isinstance(action, Event) else effects.resolved(position, after)

    def begin_phase(self, position: AslPosition, event: Phase) -> AslPosition:
        """Return the position as a phase begins."""
        return effects.at_phase_start(position, event, self.phases)

    # -- amounts -----------------------------------------------------------------------------

    def points(self, position: AslPosition, unit: AslUnit) -> str:
        """Return MF for units on foot, Cavalry and wagons, else MP."""
        return "MF" if survey.type_of(position, unit).pays_mf else "MP"

    def allotment(self, position: AslPosition, unit: AslUnit) -> int:
        """Return the unit's allotment, in half points."""
        return purse.allotment(position, unit, self.edition(position))

    def spent(self, unit: AslUnit) -> int:
        """Return what the unit has spent, in half points."""
        return unit.spent

    # -- reach -------------------------------------------------------------------------------

    def modes(self, position: AslPosition, unit: AslUnit) -> Sequence[Hashable]:
        """Return every mode of the unit; see :mod:`marchtable_models.asl.modes`."""
        told, night = position.conditions.stream, position.conditions.night
        deep = told == "deep" or (not told and "stream-deep" in rows_on(position.board))
        kind = survey.type_of(position, unit)
        all_one_lane = ("B6.431", "one-lane") in position.readings
        lanes = lane_headings(position, all_of_them=all_one_lane) if kind.is_vehicle else ()
        return modes.modes_of(unit, kind, position.phase, night=night, deep=deep, lanes=lanes)

    def travel_in(self, position: AslPosition, unit: AslUnit) -> tuple[type[Action], ...]:
        """Return the verbs of the phase for such a unit; by day nobody sets out by a Movement DR."""
        if position.phase == "APh":
            return (Advance,)
        kind = survey.type_of(position, unit)
        verbs = ON_FOOT if not kind.is_vehicle else DRIVEN if kind.column != "hd" else BY_DAY
        return (*verbs, SetOut) if position.conditions.night else verbs

    def mode(self, unit: AslUnit) -> Hashable:
        """Return the unit's present mode."""
        return modes.mode_of(unit)

    def in_mode(self, unit: AslUnit, at: str, mode: Hashable) -> AslUnit:
        """Return the unit as if it stood there in that mode with nothing spent."""
        return modes.in_mode(unit, at, mode)

    def is_final(self, mode: Any) -> bool:
        """Tell whether a unit in this mode has used its whole allotment."""
        return bool(mode[-1])

    def next_to(self, position: AslPosition, unit: AslUnit) -> Sequence[str]:
        """Return the Locations before (in Reverse behind) the unit; off the map, those told for it."""
        if unit.at is not None:
            sides = ways(unit)
            return [name for side, name in position.board.neighbours(unit.at) if side in sides]
        if unit.exited:
            return ()
        return tuple(dict.fromkeys(position.board.resolve(name) for name in unit.entering))

    def describe_mode(self, mode: Any) -> dict[str, Any]:
        """Return a mode as clients are told of it."""
        return modes.describe(mode)

    def mover(self, position: AslPosition, unit: AslUnit) -> Hashable:
        """Return all about the unit that its moving depends on."""
        bare = modes.stripped(unit, night=position.conditions.night)
        nerve = lines.nerve_of(survey.type_of(position, unit), unit)
        riders = tuple(
            (survey.type_of(position, rider), rider.sw, rider.pinned, rider.prep_fired)
            for rider in survey.riders_of(position, unit)
        )
        listed, when = modes.listed(unit), (position.side, position.phase)
        late = survey.lateness(position, unit)
        return (bare, unit.off_road, listed, *when, nerve, riders, late)

    def ground(self, board: Board, a: str, b: str) -> Hashable:
        """Return the facts of the map from a to b."""
        return lie(board, a, b)

    def sight(self, ground: Hashable, mode: Hashable, action: Action | None = None) -> Hashable:
        """Return what the ways on by a crossing in a mode, or an action, depend on of it."""
        return outlook.sight(ground, mode, action)  # type: ignore[arg-type]

    def presence(
        self, position: AslPosition, side: str, at: str, leave_out: AslUnit | None
    ) -> Hashable:
        """Return what stands in a Location, one unit left out if it is given."""
        without = (leave_out.id,) if leave_out else ()
        found = survey.there(position, side, at, without)
        edges = survey_bypass.taken(position, at, without)
        blocks = survey_bypass.roadblocks(position, at) if position.counters else ()
        lost = position.conditions.night and is_unguided(position, at)
        if not (lost or edges or blocks) and found == survey.NOWHERE:
            return None
        return (found, edges, blocks, lost)

    def presences(
        self, position: AslPosition, side: str, leave_out: AslUnit | None
    ) -> Mapping[str, Hashable]:
        """
        Return what stands where, or is in Bypass along a hexside.

        At night Locations count that show a unit no way (E1.531).
        """
        found = dict(super().presences(position, side, leave_out))
        for unit in survey_bypass.bypassers(position):
            for way, name in position.board.neighbours(str(unit.at)):
                if way == unit.bypass and name not in found:
                    found[name] = self.presence(position, side, name, leave_out)
        for counter in position.counters:
            if roadblock_side(counter.kind) is not None:
                for _, name in position.board.neighbours(position.board.resolve(counter.at)):
                    found[name] = self.presence(position, side, name, leave_out)
        if position.conditions.night:
            lost = (survey.NOWHERE, (), (), True)
            dark = [at for at in unguided(position.board) if is_unguided(position, at)]
            found = {**dict.fromkeys(dark, lost), **found}
        return found

    def left_out(self, position: AslPosition, unit: AslUnit) -> Sequence[str]:
        """Return D6.3b for who is aboard: its vehicle may move, or it may get off and walk."""
        return (loading.carried.id,) if unit.aboard is not None else ()

    def may_help(self, position: AslPosition, ruling: Ruling, unit: AslUnit) -> bool:
        """Tell whether a unit could lift a bar by coming along: leaders, lenders, who is left behind."""
        return (
            survey.type_of(position, unit).leads
            or unit.lends is not None
            or any(unit.id in violation.units for violation in ruling.violations)
        )

    def bound_units(self, position: AslPosition) -> frozenset[str]:
        """Return leaders or AFV others moved with, who lends or borrows IPC, carries or is carried."""
        return frozenset(
            name
            for unit in position.units
            for name in (*unit.leaders, unit.lends, unit.helper, unit.armored, *_tied(unit))
            if name is not None
        )

    def shares_space(self, position: AslPosition, unit: AslUnit) -> bool:
        """Tell whether an equal newcomer may do the same: no vehicle's MPh ends as the unit begins."""
        return super().shares_space(position, unit) and not (
            unit.mph == "unmoved"
            and any(u.moving for u in effects.interrupted(position, unit.side, (unit.id,)))
        )

    # -- plans -------------------------------------------------------------------------------

    def plan_models(
        self, position: AslPosition, goal: Goal, rolls: Literal["pass", "avoid"]
    ) -> Sequence[PlanModel]:
        """Return the models that can plan for such a goal, the fittest first."""
        return planners.models(self, position, goal, rolls)

    def carrier(self, position: AslPosition, unit: AslUnit) -> str | None:
        """Return the vehicle that carries the unit, or tows it."""
        return unit.aboard or unit.towed_by

    # -- the rest ----------------------------------------------------------------------------

    def values(self, position: AslPosition, unit: AslUnit, parameter: Parameter) -> Iterable[Any]:  # noqa: PLR0911
        """Return values to propose: False for what a unit of that type can never use."""
        if parameter.domain == "line":
            return names_to_join(position, unit)
        if parameter.domain in ("weapon", "lying"):
            held = parameter.domain == "weapon"
            items = unit.sw if held else weapons.lying(position, unit.at)
            return dict.fromkeys(item.name for item in items)
        if parameter.name == "facing" and unit.facing is not None:
            now = SPINES.index(unit.facing)  # one hexspine either way (D2.11b)
            return (SPINES[now - 1], SPINES[(now + 1) % len(SPINES)])
        if parameter.domain == "mate":
            return ()
        if parameter.name == "take":
            return _takes(position, unit)
        if parameter.name == "vertex":
            return (None,) if unit.facing is not None else SPINES
        usable = FOR_SOME.get(parameter.name)
        if usable is not None and not usable(survey.type_of(position, unit), position.board):
            return (False,)
        return super().values(position, unit, parameter)

    def uncovered(self, board: Board) -> dict[str, int]:
        """Return what the Terrain Chart does not cover."""
        return uncovered(board)

    def entitlements(self, position: AslPosition, unit: AslUnit) -> list[dict[str, Any]]:
        """Return what the unit is entitled to, and what fire at it is, at this moment."""
        edition = self.edition(position)
        found = {entry["what"]: entry for entry in entitlements.of(position, unit, edition)}
        for entry in mounted.of(position, unit, edition):  # what holds aboard goes before
            clauses = found.get(entry["what"], {}).get("clauses", [])
            found[entry["what"]] = {**entry, "clauses": [*clauses, *entry["clauses"]]}
        rooms = capacity.rooms(position, unit, edition)
        return [*found.values(), *rooms, *convoytold.leave_to_go(position, unit, edition)]

    def details(self, position: AslPosition, action: Action) -> list[dict[str, Any]]:
        """Return what a Convoy can afford, or a vehicle keeps once units have boarded or left it."""
        if not isinstance(action, Impulse):
            return boarding.details(self, position, action)
        if action.moves:
            return []
        lead, ways = position.unit(action.unit), self.closings(position, action)
        return convoytold.of_convoy(position, lead, self.edition(position), ways)

    def prospects(
        self, position: AslPosition, found: Reach, known: Mapping[str, Reach]
    ) -> list[dict[str, Any]]:
        """Return the vehicles that a unit could board, or the units that could board it."""
        return boarding.prospects(self, position, found, known)

    def outset(self, position: AslPosition, unit: AslUnit, verb: type[Action]) -> Standing | None:
        """Return whether the unit may act at all, for verbs that ask nothing else first."""
        return survey.standing(position, unit, verb_of(verb)) if verb in cases.STAND else None

    def check_position(self, position: AslPosition) -> None:
        """Raise BadInputError for unknown types, overloaded vehicles and the like."""
        checks.check_scene(position)
        checks.check_units(position)
        checks.check_counters(position)
        checks_lines.check_lines(position, self.edition(position))
        checks_transport.check_cargo(position, self.edition(position))

    def links(self, position: AslPosition) -> list[dict[str, Any]]:
        """Return the lines of Convoys and Columns, and their Gaps."""
        return list(convoytold.drawn(position))

    def marker(self, unit: AslUnit) -> dict[str, Any]:
        """Return how a picture shows the unit, in a Convoy or Column with its place in line."""
        line = unit.convoy or unit.column
        note = f"{line} {unit.rank}" if line else ""
        if unit.facing is not None:
            return {
                "label": unit.id,
                "note": note,
                "style": "vehicle",
                "facing": 30.0 + 60.0 * SPINES.index(unit.facing),
            }
        return {
            "label": unit.id,
            "note": note,
            "style": "wreck" if unit.type == "wreck" else "foot",
            "facing": None,
        }


RULEBOOK = Asl()
