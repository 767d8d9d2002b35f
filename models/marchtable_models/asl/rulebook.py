"""The ASL rulebook's interface to the engine. Its clauses are listed in ``contents.py``."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from marchtable.rules.rulebook import PointBudget
from marchtable.state.action import Event
from marchtable_models.asl import data
from marchtable_models.asl.contents import SUBJECTS
from marchtable_models.asl.cpsat import planners
from marchtable_models.asl.effects import acting as effects
from marchtable_models.asl.hooks import repairs
from marchtable_models.asl.hooks.answering import may_answer
from marchtable_models.asl.hooks.conflict_candidates import CANDIDATES, SIGHT
from marchtable_models.asl.hooks.travel import BY_DAY, AslTravel
from marchtable_models.asl.joint.linebook import AslLines
from marchtable_models.asl.model import (
    PHASES,
    AslConditions,
    AslUnit,
    actors,
)
from marchtable_models.asl.occasions import BUDGET, CHECK, CHECK_LOAD, MOVED, OPENED, SPENDING
from marchtable_models.asl.reporting.hooks import AslReporting
from marchtable_models.asl.reporting.rooms import left_in
from marchtable_models.asl.rules.fortifications import Shift
from marchtable_models.asl.rules.straying import SetOut
from marchtable_models.asl.validation import places as checks_places
from marchtable_models.asl.validation import scenes as checks
from marchtable_models.asl.validation import states as checks_states
from marchtable_models.asl.verbs import Advance
from marchtable_models.asl.views import (
    eyes,
    mount_counters,
    nightsight,
    reading,
    spending,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from marchtable.board.board import Board
    from marchtable.importing import SavedScene, Wishes
    from marchtable.rules.plan_hooks import GoalChange, PlanningSpace
    from marchtable.rules.plan_model import PlanModel
    from marchtable.rules.refereeing import GameFile, Referee, Viewer
    from marchtable.rules.rulebook import Bill, Case
    from marchtable.rules.subjects import Subjects
    from marchtable.sight.facts import Obstruction, Sight, SightFacts, Viewpoint
    from marchtable.state.action import Action, Phase
    from marchtable.state.goal import Goal
    from marchtable.vasl.saves import Table
    from marchtable_models.asl.model import AslPosition


class Asl(AslTravel, AslLines, AslReporting):
    """
    Advanced Squad Leader.

    :class:`AslTravel` is the interface to reach, :class:`AslLines` to joint moves of lines,
    :class:`AslReporting` to proposals and reports.
    """

    name: ClassVar[str] = "asl"
    version: ClassVar[str] = "1"
    travel: ClassVar[tuple[type[Action], ...]] = (*BY_DAY, SetOut, Advance, Shift)
    phases: ClassVar[tuple[str, ...]] = PHASES
    moving_phase: ClassVar[str] = "MPh"
    subjects: ClassVar[Subjects] = SUBJECTS
    folder: ClassVar[Path | None] = data.FOLDER
    conflict_candidates: ClassVar[tuple[str, ...] | None] = CANDIDATES
    spaces: ClassVar[Mapping[str, PlanningSpace]] = planners.SPACES
    planned_jointly: ClassVar[frozenset[str]] = planners.PLANNED_JOINTLY
    unplanned: ClassVar[Mapping[str, str]] = planners.UNPLANNED
    sight_rests_on: ClassVar[frozenset[str]] = SIGHT
    spared: ClassVar[Mapping[str, str | None]] = {
        "double-time": None, "gallop": None, "load": "unload", "unload": None, "start": "stop",
        "turn": None,
    }  # fmt: skip

    def active(self, position: AslPosition) -> Sequence[AslUnit]:
        """Return the units of the side whose turn it is, and others that can have a choice now."""
        side = position.side
        return [unit for unit in position.units if unit.side == side or may_answer(position, unit)]

    # -- facts and effects ------------------------------------------------------------------------

    def cases(self, position: AslPosition, action: Action) -> Iterator[Case]:
        """Yield the facts of an action."""
        found: list[Case] = []
        for case in super().cases(position, action):
            found.append(case)
            yield case
        if not isinstance(action, Event):
            unit = position.unit(actors(action)[0])
            yield from SUBJECTS.ask(SPENDING, [], position, unit, found, self.edition(position))

    def apply(
        self, position: AslPosition, action: Action, bills: Sequence[Bill]
    ) -> AslPosition | None:
        """Return the position after the action itself: fire at earlier acts is over."""
        found = super().apply(position, action, bills)
        if found is None:
            return None
        after = effects.found_out(SUBJECTS.fold(MOVED, found, position, bills))
        return after if isinstance(action, Event) else effects.resolved(position, after)

    def begin_phase(self, position: AslPosition, event: Phase) -> AslPosition:
        """Return the position as a phase begins."""
        return effects.at_phase_start(position, event)

    # -- amounts ----------------------------------------------------------------------------------

    def points(self, position: AslPosition, unit: AslUnit) -> str:
        """Return MF for units on foot, Cavalry, wagons and pushed Guns, else MP; "" for a wreck."""
        kind = reading.type_of(position, unit)
        if kind.class_ == "wreck":
            return ""
        return "MF" if kind.pays_mf or kind.class_ == "gun" else "MP"

    def budget(self, position: AslPosition, unit: AslUnit) -> PointBudget:
        """Return the unit's allotment, in half points, of which Assault Movement keeps something (A4.61b)."""
        edition = self.edition(position)
        made = spending.made_of(position, unit, edition)
        kept = SUBJECTS.fold(BUDGET, 0, unit, made.total, edition)
        return PointBudget(max(0, made.total), made.charges, kept)

    # -- plans ------------------------------------------------------------------------------------

    def plan_models(
        self, position: AslPosition, goal: Goal, rolls: Literal["pass", "avoid"]
    ) -> Iterable[PlanModel]:
        """Return the models that can plan for such a goal, best first."""
        return planners.models(self, position, goal, rolls)

    def barred_models(
        self, position: AslPosition, goal: Goal, rolls: Literal["pass", "avoid"]
    ) -> Iterable[PlanModel]:
        """Return the transport model if clauses bar boarding."""
        return planners.barred(self, position, goal)

    def may_come(self, position: AslPosition, name: str) -> bool:
        """Return whether a counter of that name can split from horses or motorcycles."""
        return name not in position.index and mount_counters.stems_from(position, name)

    def with_points(self, position: AslPosition, unit: AslUnit, halves: int) -> AslPosition | None:
        """Return the position if a vehicle had other printed MP, or Infantry other MF."""
        return repairs.with_points(position, unit, halves)

    def room(self, position: AslPosition, unit: AslUnit) -> Iterable[tuple[str, str, int]]:
        """Return the PP left inside, and on, a vehicle."""
        if reading.type_of(position, unit).class_ != "vehicle":
            return []
        found = left_in(position, unit, self.edition(position))
        return [(clause, f"PP for {whom}", left) for clause, whom, left in found if left >= 0]

    def repairs(self, position: AslPosition, goal: Goal) -> Iterable[GoalChange]:
        """Return SW to drop and Passengers to leave behind."""
        return repairs.repairs(position, goal)

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

    def sights(
        self, board: Board, pairs: Sequence[tuple[Viewpoint, Viewpoint]],
        position: AslPosition | None = None,
    ) -> list[Sight]:  # fmt: skip
        """Find lines of sight, by night as far as the Night Visibility Range, and light, make them."""
        from marchtable.sight.table import as_by_night, sights

        if position is None:
            return sights(board, eyes.sight_facts(None), pairs)
        facts = eyes.sight_facts(position.conditions)
        lit = [
            (nightsight.as_lit(position, looks), nightsight.as_lit(position, seen))
            for looks, seen in pairs
        ]
        found = sights(board, facts, lit, eyes.obstructions(position))
        return [as_by_night(board, facts, *one) for one in zip(found, lit, strict=True)]

    # -- others -----------------------------------------------------------------------------

    def scene_of_save(self, table: Table, wishes: Wishes) -> SavedScene:
        """Return the scene of a VASL saved game."""
        from marchtable_models.asl.saved.scenes import scene_of_save

        return scene_of_save(table, wishes, self.phases)

    def referee(self, game: GameFile, viewer: Viewer) -> Referee:
        """Return the judge of the moves in a VASL log; rejects a game file with unknown names."""
        from marchtable_models.asl.recorded.gamefiles import check_game
        from marchtable_models.asl.recorded.referee import AslReferee

        check_game(game)
        return AslReferee(game, viewer, self.phases)

    def check_position(self, position: AslPosition) -> AslPosition:
        """
        Return the position without the CX counters that units keep from the turn before (A4.51).

        Raises
        ------
        BadInputError
            For unknown types, overloaded vehicles and the like.
        """
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
        return SUBJECTS.fold(OPENED, position, edition)


RULEBOOK = Asl()
