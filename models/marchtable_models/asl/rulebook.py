"""The ASL rulebook's interface to the engine. Its clauses are listed in ``contents.py``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from marchtable.state.action import Event, verb_of
from marchtable_models.asl import acting as effects
from marchtable_models.asl import blame, data, mends, planners
from marchtable_models.asl.contents import ACTIONS, CONTENTS, SUBJECTS
from marchtable_models.asl.discovery import found_out
from marchtable_models.asl.joint.linebook import AslLines
from marchtable_models.asl.model import (
    PHASES,
    AslConditions,
    AslUnit,
    End,
    Enter,
    LeaveRoad,
    MinimumMove,
    Start,
    Stop,
    Turn,
    actors,
)
from marchtable_models.asl.occasions import CHECK, CHECK_LOAD, LOSS, SPENDING
from marchtable_models.asl.reporting.hooks import AslReporting
from marchtable_models.asl.reporting.rooms import left_in
from marchtable_models.asl.rules import assault_movement, disbanding, infantry_mf
from marchtable_models.asl.rules.declarations import Assault, DoubleTime, Lend
from marchtable_models.asl.rules.driving import ExcessSpeed
from marchtable_models.asl.rules.fortifications import Shift
from marchtable_models.asl.rules.freeing import Unbog
from marchtable_models.asl.rules.happenings import MINES
from marchtable_models.asl.rules.hatches import Hatch
from marchtable_models.asl.rules.leaving_convoys import Leave
from marchtable_models.asl.rules.platoons import Form, TaskCheck
from marchtable_models.asl.rules.straying import SetOut
from marchtable_models.asl.rules.trail_breaks import after_moves
from marchtable_models.asl.travel import BY_DAY, AslTravel
from marchtable_models.asl.validation import places as checks_places
from marchtable_models.asl.validation import scenes as checks
from marchtable_models.asl.validation import states as checks_states
from marchtable_models.asl.verbs import Advance, Delay, Exit
from marchtable_models.asl.views import (
    eyes,
    lines,
    mount_counters,
    nightsight,
    reading,
    spending,
)
from marchtable_models.asl.views.cargo import captives
from marchtable_models.asl.views.spending_facts import is_paid
from marchtable_models.asl.views.standing import Standing, is_near_trail, standing_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from marchtable.board.board import Board
    from marchtable.importing import SavedScene, Wishes
    from marchtable.rules.clause import Charge, Clause, Finding, Interpretation
    from marchtable.rules.plan_hooks import Change
    from marchtable.rules.plan_model import PlanModel
    from marchtable.rules.refereeing import Eyes, GameFile, Judgement, Recorded
    from marchtable.rules.rulebook import Bill, Case
    from marchtable.rules.subjects import Subjects
    from marchtable.sight.facts import Obstruction, SightFacts, Viewpoint
    from marchtable.state.action import Action, Phase
    from marchtable.state.goal import Goal
    from marchtable.state.position import Obligation, Position
    from marchtable.vasl.logs import Show
    from marchtable.vasl.saves import Piece, Table
    from marchtable_models.asl.views.foot_facts import AdvanceCost
    from marchtable_models.asl.views.spending_facts import Payment

    AslPosition = Position[AslUnit, AslConditions]

STAND = frozenset((
    Advance, Assault, Delay, DoubleTime, End, Enter, ExcessSpeed, Exit, Form, Hatch, Leave, LeaveRoad, Lend,
    MinimumMove, Start, Stop, TaskCheck, Turn, Unbog,
))  # fmt: skip
"""Verbs for which the acting unit's standing is always judged."""
GONE = ("eliminated", "dies")
"""The outcome by which a unit is lost."""


class Asl(AslTravel, AslLines, AslReporting):
    """
    Advanced Squad Leader.

    :class:`AslTravel` is the interface to reach, :class:`AslLines` to joint moves of lines,
    :class:`AslReporting` to proposals and reports.
    """

    name: ClassVar[str] = "asl"
    version: ClassVar[str] = "1"
    unit_type: ClassVar[type[Any]] = AslUnit
    conditions_type: ClassVar[type[Any]] = AslConditions
    action_types: ClassVar[tuple[type[Action], ...]] = ACTIONS
    travel: ClassVar[tuple[type[Action], ...]] = (*BY_DAY, SetOut, Advance, Shift)
    phases: ClassVar[tuple[str, ...]] = PHASES
    moving_phase: ClassVar[str] = "MPh"
    contents: ClassVar[Mapping[type, tuple[Clause, ...]]] = CONTENTS
    subjects: ClassVar[Subjects | None] = SUBJECTS
    register: ClassVar[tuple[Interpretation, ...]] = data.register()
    conflict_candidates: ClassVar[tuple[str, ...] | None] = blame.BLAMABLE
    fit_for: ClassVar[Mapping[str, str]] = planners.FIT_FOR
    contains: ClassVar[Mapping[str, Collection[str]]] = planners.CONTAINS
    planned_jointly: ClassVar[frozenset[str]] = planners.PLANNED_JOINTLY
    sight_rests_on: ClassVar[frozenset[str]] = blame.SIGHT
    demo: ClassVar[Path | None] = data.FOLDER / "demo"
    ledger: ClassVar[Path | None] = data.FOLDER / "ledger.json"
    figures: ClassVar[Mapping[str, Any]] = data.figures()
    words: ClassVar[Mapping[str, tuple[str, ...]]] = data.other_words()
    plain_words: ClassVar[Mapping[str, str]] = data.plain_words()
    outcomes: ClassVar[Mapping[str, str]] = data.outcomes()
    spared: ClassVar[Mapping[str, str | None]] = {
        "double-time": None, "gallop": None, "load": "unload", "unload": None, "start": "stop",
        "turn": None,
    }  # fmt: skip

    # -- facts and effects ------------------------------------------------------------------------

    def cases(self, position: AslPosition, action: Action) -> Sequence[Case]:
        """Return the facts of an action."""
        edition = self.edition(position)
        found = SUBJECTS.cases(position, action, edition)
        if isinstance(action, Event):
            return found
        unit = position.unit(actors(action)[0])
        return [*found, *SUBJECTS.ask(SPENDING, [], position, unit, found, edition)]

    def aftermath(
        self, position: AslPosition, action: Action, bills: Sequence[Bill], after: AslPosition
    ) -> Sequence[Case]:
        """Return the facts of Columns that see a Known enemy once MF or MP have been spent (E11.531)."""
        if position.conditions.sight != "computed":
            return ()
        spent = any(bill.payment is not None for bill in bills)
        return disbanding.of_meeting(position, after) if spent else ()

    def settle_cases(
        self, position: AslPosition, obligation: Obligation, outcome: str
    ) -> Sequence[Case]:
        """Return the facts of a roll's or choice's result, and of prisoners whose Guard it removes."""
        found = SUBJECTS.settle_cases(position, obligation, outcome, self.edition(position))
        if outcome in GONE and obligation.id.partition(":")[0] not in MINES:
            found += SUBJECTS.ask(LOSS, [], position, position.unit(obligation.unit))
        return found

    def phase_cases(self, position: AslPosition, event: Phase) -> Sequence[Case]:
        """Return the facts of every unit as a phase begins."""
        return SUBJECTS.phase_cases(position, event, self.edition(position))

    def settle(self, position: AslPosition, obligation: Obligation, outcome: str) -> AslPosition:
        """Return the position after a roll: a recovered SW changes hands, a Trail Break opens."""
        after: AslPosition = SUBJECTS.resolve(position, obligation, outcome, self.edition(position))
        return after

    def payment(
        self, position: AslPosition, case: Case, finding: Finding
    ) -> Payment | AdvanceCost | None:
        """Return the facts of paying a finding's cost."""
        if not is_paid(case.facts, finding):
            return None
        unit = position.unit(case.units[0])
        return spending.payment(position, unit, case.facts, finding, self.edition(position))

    def apply(
        self, position: AslPosition, action: Action, bills: Sequence[Bill]
    ) -> AslPosition | None:
        """Return the position after the action itself: fire at earlier acts is over."""
        if type(action) in SUBJECTS.actions:
            found = SUBJECTS.effect(position, action, bills, self.edition(position))
        else:
            found = effects.after_action(position, action, bills)
        if found is None:
            return None
        after = found_out(after_moves(position, found, bills))
        return after if isinstance(action, Event) else effects.resolved(position, after)

    def begin_phase(self, position: AslPosition, event: Phase) -> AslPosition:
        """Return the position as a phase begins."""
        return effects.at_phase_start(position, event)

    # -- amounts ----------------------------------------------------------------------------------

    def points(self, position: AslPosition, unit: AslUnit) -> str:
        """Return MF for units on foot, Cavalry, wagons and pushed Guns, else MP."""
        kind = reading.type_of(position, unit)
        return "MF" if kind.pays_mf or kind.class_ == "gun" else "MP"

    def allotment(self, position: AslPosition, unit: AslUnit) -> int:
        """Return the unit's allotment, in half points."""
        return spending.allotment(position, unit, self.edition(position))

    def allowance(self, position: AslPosition, unit: AslUnit) -> Sequence[Charge]:
        """Return the parts of the allotment, clause by clause."""
        return spending.made_of(position, unit, self.edition(position))

    def spendable(self, position: AslPosition, unit: AslUnit) -> int:
        """Return the allotment, less what Assault Movement keeps (A4.61b)."""
        return assault_movement.spendable(position, unit, self.edition(position))

    def spent(self, unit: AslUnit) -> int:
        """Return the half points the unit has spent."""
        return unit.points.spent

    # -- plans ------------------------------------------------------------------------------------

    def plan_models(
        self, position: AslPosition, goal: Goal, rolls: Literal["pass", "avoid"]
    ) -> Iterable[PlanModel]:
        """Return the models that can plan for such a goal, best first."""
        return planners.models(self, position, goal, rolls)

    def unfit(self, position: AslPosition, goal: Goal, space: str) -> str:
        """Return why a space does not suit a goal."""
        return planners.unfit(self, position, goal, space)

    def barred_models(
        self, position: AslPosition, goal: Goal, rolls: Literal["pass", "avoid"]
    ) -> Iterable[PlanModel]:
        """Return the transport model if clauses bar boarding."""
        return planners.barred(self, position, goal)

    def may_come(self, position: AslPosition, name: str) -> bool:
        """Return whether a counter of that name can split from horses or motorcycles."""
        return name not in position.index and mount_counters.stems_from(position, name)

    def never_moves(self, position: AslPosition, unit: AslUnit) -> bool:
        """Return whether it is a wreck."""
        return reading.type_of(position, unit).class_ == "wreck"

    def with_points(self, position: AslPosition, unit: AslUnit, halves: int) -> AslPosition | None:
        """Return the position if a vehicle had other printed MP, or Infantry other MF."""
        return mends.with_points(position, unit, halves)

    def room(self, position: AslPosition, unit: AslUnit) -> Iterable[tuple[str, str, int]]:
        """Return the PP left inside, and on, a vehicle."""
        if reading.type_of(position, unit).class_ != "vehicle":
            return []
        found = left_in(position, unit, self.edition(position))
        return [(clause, f"PP for {whom}", left) for clause, whom, left in found if left >= 0]

    def repairs(self, position: AslPosition, goal: Goal) -> Iterable[Change]:
        """Return SW to drop and Passengers to leave behind."""
        return mends.repairs(position, goal)

    def simpler(self, action: Action) -> Iterable[Action]:
        """Return Impulses without one of the turns."""
        return planners.simpler(action)

    def exit_of(self, position: AslPosition, unit: AslUnit) -> Action | None:
        """Return the action by which a unit by itself leaves the map."""
        return None if self.carrier(position, unit) else Exit((unit.id,))

    def carrier(self, position: AslPosition, unit: AslUnit) -> str | None:
        """Return the vehicle that carries or tows the unit."""
        return unit.cargo.aboard or unit.cargo.towed_by

    def another(self, position: AslPosition, unit: AslUnit, name: str, at: str) -> AslUnit | None:
        """Return another unit like one; None if it is in a line, carried or carrying."""
        line = lines.kind_of(unit) or lines.origin_of(unit)
        tied = unit.cargo.aboard or unit.cargo.towed_by or unit.cargo.towing or unit.cargo.guard
        if line or tied or unit.id in captives(position):
            return None
        return super().another(position, unit, name, at)

    # -- lines of sight ---------------------------------------------------------------------------

    def sight_facts(self, conditions: AslConditions | None = None) -> SightFacts:
        """Return the effect of terrain on lines of sight in that month and weather."""
        return eyes.sight_facts(conditions)

    def eye(self, position: AslPosition, unit: AslUnit) -> Viewpoint:
        """Return a unit's viewpoint; raises BadInputError if it is not on the map."""
        return eyes.viewpoint(position, unit)

    def viewpoints(self, board: Board) -> Sequence[Viewpoint]:
        """Return the ground of each hex, bridges, and the upper levels of buildings."""
        return eyes.viewpoints(board)

    def obstructions(self, position: AslPosition) -> tuple[Obstruction, ...]:
        """Return the SMOKE, rubble, AFV and wrecks that obstruct lines of sight."""
        return eyes.obstructions(position)

    def as_lit(self, position: AslPosition, point: Viewpoint) -> Viewpoint:
        """Return a viewpoint limited by the Night Visibility Range and light."""
        return nightsight.as_lit(position, point)

    def los_notes(self, position: AslPosition) -> list[str]:
        """Return the assumptions that lines of sight make in a scene."""
        return eyes.los_notes(position)

    # -- others -----------------------------------------------------------------------------------

    def scene_of_save(self, table: Table, wishes: Wishes) -> SavedScene:
        """Return the scene of a VASL saved game."""
        from marchtable_models.asl.saved.scenes import scene_of_save

        return scene_of_save(table, wishes, self.phases)

    def show_of_recorded(
        self, piles: Sequence[Sequence[Piece]], game: GameFile, eyes: Eyes
    ) -> Show:
        """Return a stack as the reader sees it: nothing hidden by others or under their `?`."""
        from marchtable_models.asl.recorded.eyes import show_of

        return show_of(piles, game, eyes)

    def check_game(self, game: GameFile) -> None:
        """Refuse a game file that names an unknown unit type, nation or side."""
        from marchtable_models.asl.recorded.gamefiles import check_game

        check_game(game)

    def judge_recorded(self, recorded: Recorded) -> Judgement:
        """Judge the moves recorded in a VASL log."""
        from marchtable_models.asl.recorded.judging import judge_recorded

        return judge_recorded(recorded, self.phases)

    def outset(self, position: AslPosition, unit: AslUnit, verb: type[Action]) -> Standing | None:
        """Return the facts of whether the unit can act at all, for verbs that check only that first."""
        if verb not in STAND:
            return None
        found = standing_of(position, unit, verb_of(verb))
        led = (found.due or found.left_due) and found.goes
        return None if led and is_near_trail(position, unit.at) else found

    def opened(self, position: AslPosition) -> AslPosition:
        """Return the position without last turn's CX counters (A4.51)."""
        return infantry_mf.opened(position, self.edition(position))

    def check_position(self, position: AslPosition) -> None:
        """Raise BadInputError for unknown types, overloaded vehicles and the like."""
        edition = self.edition(position)
        checks.check_scene(position)
        checks.check_units(position)
        checks.check_counters(position)
        for occasion in (CHECK, CHECK_LOAD):
            for number, unit in enumerate(position.units):
                SUBJECTS.ask(occasion, [], position, unit, f"units[{number}]", edition)
        checks_states.check_states(position)
        checks_places.check_places(position, edition)
        checks.check_progress(position)


RULEBOOK = Asl()
