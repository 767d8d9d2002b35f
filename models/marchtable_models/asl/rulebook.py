"""The ASL rulebook: what the machinery asks of it. Its clauses are listed in ``contents.py``."""

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
"""Verbs for which the acting unit's standing is judged in any case."""
GONE = ("eliminated", "dies")
"""How it comes out that a unit is no more."""


class Asl(AslTravel, AslLines, AslReporting):
    """
    Advanced Squad Leader.

    What reach asks stands in :class:`AslTravel`, what lines do jointly in :class:`AslLines`, what is
    proposed and reported in :class:`AslReporting`.
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

    # -- facts and effects -------------------------------------------------------------------

    def cases(self, position: AslPosition, action: Action) -> Sequence[Case]:
        """Return the facts that bear on an action."""
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
        """Return the facts of a roll or choice that came out so, and of prisoners whose Guard it takes."""
        found = SUBJECTS.settle_cases(position, obligation, outcome, self.edition(position))
        if outcome in GONE and obligation.id.partition(":")[0] not in MINES:
            found += SUBJECTS.ask(LOSS, [], position, position.unit(obligation.unit))
        return found

    def phase_cases(self, position: AslPosition, event: Phase) -> Sequence[Case]:
        """Return the facts of every unit as a phase begins."""
        return SUBJECTS.phase_cases(position, event, self.edition(position))

    def settle(self, position: AslPosition, obligation: Obligation, outcome: str) -> AslPosition:
        """Return the position after a roll: a SW recovered changes hands, a Trail Break is open."""
        after: AslPosition = SUBJECTS.resolve(position, obligation, outcome, self.edition(position))
        return after

    def payment(
        self, position: AslPosition, case: Case, finding: Finding
    ) -> Payment | AdvanceCost | None:
        """Return the facts of paying what was found."""
        if not is_paid(case.facts, finding):
            return None
        unit = position.unit(case.units[0])
        return spending.payment(position, unit, case.facts, finding, self.edition(position))

    def apply(
        self, position: AslPosition, action: Action, bills: Sequence[Bill]
    ) -> AslPosition | None:
        """Return the position after the action itself: fire at what was done before is over."""
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

    # -- amounts -----------------------------------------------------------------------------

    def points(self, position: AslPosition, unit: AslUnit) -> str:
        """Return MF for units on foot, Cavalry, wagons and Guns that are pushed, else MP."""
        kind = reading.type_of(position, unit)
        return "MF" if kind.pays_mf or kind.class_ == "gun" else "MP"

    def allotment(self, position: AslPosition, unit: AslUnit) -> int:
        """Return the unit's allotment, in half points."""
        return spending.allotment(position, unit, self.edition(position))

    def allowance(self, position: AslPosition, unit: AslUnit) -> Sequence[Charge]:
        """Return what the allotment is made of, clause by clause."""
        return spending.made_of(position, unit, self.edition(position))

    def spendable(self, position: AslPosition, unit: AslUnit) -> int:
        """Return the allotment, of which Assault Movement keeps something (A4.61b)."""
        return assault_movement.spendable(position, unit, self.edition(position))

    def spent(self, unit: AslUnit) -> int:
        """Return what the unit has spent, in half points."""
        return unit.points.spent

    # -- plans -------------------------------------------------------------------------------

    def plan_models(
        self, position: AslPosition, goal: Goal, rolls: Literal["pass", "avoid"]
    ) -> Iterable[PlanModel]:
        """Return the models that can plan for such a goal, the fittest first."""
        return planners.models(self, position, goal, rolls)

    def unfit(self, position: AslPosition, goal: Goal, space: str) -> str:
        """Return what makes a space none for a goal."""
        return planners.unfit(self, position, goal, space)

    def barred_models(
        self, position: AslPosition, goal: Goal, rolls: Literal["pass", "avoid"]
    ) -> Iterable[PlanModel]:
        """Return the model of transport where clauses let nobody board."""
        return planners.barred(self, position, goal)

    def may_come(self, position: AslPosition, name: str) -> bool:
        """Return whether a counter of horses or motorcycles so named may part from another."""
        return name not in position.index and mount_counters.stems_from(position, name)

    def never_moves(self, position: AslPosition, unit: AslUnit) -> bool:
        """Return whether it is a wreck."""
        return reading.type_of(position, unit).class_ == "wreck"

    def with_points(self, position: AslPosition, unit: AslUnit, halves: int) -> AslPosition | None:
        """Return the position if a vehicle had more MP printed on it, Infantry more MF; or fewer."""
        return mends.with_points(position, unit, halves)

    def room(self, position: AslPosition, unit: AslUnit) -> Iterable[tuple[str, str, int]]:
        """Return the PP that are left in, and on, a vehicle."""
        if reading.type_of(position, unit).class_ != "vehicle":
            return []
        found = left_in(position, unit, self.edition(position))
        return [(clause, f"PP for {whom}", left) for clause, whom, left in found if left >= 0]

    def repairs(self, position: AslPosition, goal: Goal) -> Iterable[Change]:
        """Return SW that might be dropped, and Passengers that might be left behind."""
        return mends.repairs(position, goal)

    def simpler(self, action: Action) -> Iterable[Action]:
        """Return an Impulse in which some vehicle does not turn."""
        return planners.simpler(action)

    def exit_of(self, position: AslPosition, unit: AslUnit) -> Action | None:
        """Return the action by which a unit on its own leaves the map."""
        return None if self.carrier(position, unit) else Exit((unit.id,))

    def carrier(self, position: AslPosition, unit: AslUnit) -> str | None:
        """Return the vehicle that carries the unit, or tows it."""
        return unit.cargo.aboard or unit.cargo.towed_by

    def another(self, position: AslPosition, unit: AslUnit, name: str, at: str) -> AslUnit | None:
        """Return another unit like one; None of a line's, of what is carried, and of who carries."""
        line = lines.kind_of(unit) or lines.origin_of(unit)
        tied = unit.cargo.aboard or unit.cargo.towed_by or unit.cargo.towing or unit.cargo.guard
        if line or tied or unit.id in captives(position):
            return None
        return super().another(position, unit, name, at)

    # -- lines of sight ----------------------------------------------------------------------

    def sight_facts(self, conditions: AslConditions | None = None) -> SightFacts:
        """Return what terrain does to lines of sight in that month and weather."""
        return eyes.sight_facts(conditions)

    def eye(self, position: AslPosition, unit: AslUnit) -> Viewpoint:
        """Return from where a unit looks; raises BadInputError if it is not on the map."""
        return eyes.viewpoint(position, unit)

    def viewpoints(self, board: Board) -> Sequence[Viewpoint]:
        """Return the ground of each hex, bridges, and the upper levels of buildings."""
        return eyes.viewpoints(board)

    def obstructions(self, position: AslPosition) -> tuple[Obstruction, ...]:
        """Return SMOKE, rubble, AFV and wrecks in the way of lines of sight."""
        return eyes.obstructions(position)

    def as_lit(self, position: AslPosition, point: Viewpoint) -> Viewpoint:
        """Return a viewpoint by night as far as the Night Visibility Range, and light, make it."""
        return nightsight.as_lit(position, point)

    def los_notes(self, position: AslPosition) -> list[str]:
        """Return what lines of sight take for granted in a scene."""
        return eyes.los_notes(position)

    # -- the rest ----------------------------------------------------------------------------

    def scene_of_save(self, table: Table, wishes: Wishes) -> SavedScene:
        """Return what a saved game of VASL shows."""
        from marchtable_models.asl.saved.scenes import scene_of_save

        return scene_of_save(table, wishes, self.phases)

    def show_of_recorded(
        self, piles: Sequence[Sequence[Piece]], game: GameFile, eyes: Eyes
    ) -> Show:
        """Return what the reader sees of a stack: none that others hid, nothing under their `?`."""
        from marchtable_models.asl.recorded.eyes import show_of

        return show_of(piles, game, eyes)

    def check_game(self, game: GameFile) -> None:
        """Refuse a game file with a unit type, a nation or a side that there is not."""
        from marchtable_models.asl.recorded.gamefiles import check_game

        check_game(game)

    def judge_recorded(self, recorded: Recorded) -> Judgement:
        """Judge the moves that a log of VASL records."""
        from marchtable_models.asl.recorded.judging import judge_recorded

        return judge_recorded(recorded, self.phases)

    def outset(self, position: AslPosition, unit: AslUnit, verb: type[Action]) -> Standing | None:
        """Return whether the unit may act at all, for verbs that ask nothing else first."""
        if verb not in STAND:
            return None
        found = standing_of(position, unit, verb_of(verb))
        led = (found.due or found.left_due) and found.goes
        return None if led and is_near_trail(position, unit.at) else found

    def opened(self, position: AslPosition) -> AslPosition:
        """Return the position without the CX counters that units keep from the turn before (A4.51)."""
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
