"""The PanzerBlitz rulebook's interface to the engine: loading and unloading as restated."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from marchtable.codec.structs import plain_fields
from marchtable.rules.marks import lying, marks_of
from marchtable.rules.plan_hooks import PlanningSpace
from marchtable.rules.rulebook import Case, PointBudget, Rulebook
from marchtable.rules.subjects import Subjects
from marchtable.state.records import replace
from marchtable_models.panzer import (
    assumptions,
    data,
    entitlements,
    equivalence,
    modes,
    repairs,
)
from marchtable_models.panzer import validation as checks
from marchtable_models.panzer.model import PHASES, PanzerConditions, PanzerUnit
from marchtable_models.panzer.rules import movement, removal, sequence
from marchtable_models.panzer.rules.hits import Shared
from marchtable_models.panzer.rules.leaving import Leaving
from marchtable_models.panzer.rules.movement import Move
from marchtable_models.panzer.rules.overruns import Overrun
from marchtable_models.panzer.rules.removal import Owing
from marchtable_models.panzer.rules.terrain import Step
from marchtable_models.panzer.views import ground, presence
from marchtable_models.panzer.views.units import CARRIERS, type_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence
    from pathlib import Path

    from marchtable.board.board import Board
    from marchtable.rules.clause import Finding
    from marchtable.rules.equivalence import Equivalence
    from marchtable.rules.plan_hooks import GoalChange
    from marchtable.rules.plan_model import PlanModel
    from marchtable.rules.ruling import Ruling
    from marchtable.rules.travel import Entrant
    from marchtable.state.action import Action, Parameter, Phase
    from marchtable.state.goal import Goal
    from marchtable.state.position import Obligation
    from marchtable_models.panzer.model import PanzerPosition
    from marchtable_models.panzer.rules.movement import Payment

__all__ = ["RULEBOOK", "SUBJECTS", "Panzer"]

SUBJECTS = Subjects(
    "marchtable_models.panzer.rules",
    order=(
        "removal", "sequence", "movement", "dispersal", "loading", "overruns", "observation", "optional_rules",
        "works", "leaving", "carrying", "stacking", "terrain", "spotting", "registered_fire", "stack_order",
        "fire", "assaults", "hits",
    ),
    actions=(
        "move", "overrun", "exit", "load", "unload", "fire", "observe", "assault", "remove", "hit", "recover",
    ),
)  # fmt: skip

SIGNS = {
    "vehicle": "vehicle",
    "gun": "gun",
    "mortar": "crew",
    "cavalry": "rider",
    "command": "leader",
}


class Panzer(Rulebook[PanzerUnit, PanzerConditions]):
    """PanzerBlitz by Shaun Appleby's restatement of loading and unloading."""

    name: ClassVar[str] = "panzer"
    version: ClassVar[str] = "1"
    travel: ClassVar[tuple[type[Action], ...]] = (Move,)
    mode_fields: ClassVar[tuple[str, ...]] = modes.FIELDS
    phases: ClassVar[tuple[str, ...]] = PHASES
    moving_phase: ClassVar[str] = "Movement"
    subjects: ClassVar[Subjects] = SUBJECTS
    folder: ClassVar[Path | None] = data.FOLDER
    spared: ClassVar[Mapping[str, str | None]] = {"load": None, "unload": None}
    spaces: ClassVar[Mapping[str, PlanningSpace]] = MappingProxyType(
        {"delivery": PlanningSpace(contains=("alone",))}
    )

    # -- facts and effects ------------------------------------------------------------------------

    def payments(
        self, position: PanzerPosition, cases: Sequence[Case], findings: Sequence[Finding]
    ) -> Sequence[Payment | None]:
        """Return the facts of paying for steps, nothing else: in an overrun the second hex after the first."""
        edition = self.edition(position)
        found: list[Payment | None] = []
        for case, finding in zip(cases, findings, strict=True):
            if not isinstance(case.facts, Step | Leaving):
                found.append(None)
                continue
            unit = position.unit(case.units[0])
            due = movement.payment(position, unit, finding, case.facts, edition)
            found.append(due)
            if due.through:
                position = position.with_units([replace(unit, spent=unit.spent + due.cost)])
        return found

    def begin_phase(self, position: PanzerPosition, event: Phase) -> PanzerPosition:
        """Return the position as a phase begins."""
        return sequence.begun(position, event, SUBJECTS.begun)

    # -- amounts ----------------------------------------------------------------------------------

    def points(self, position: PanzerPosition, unit: PanzerUnit) -> str:
        """Return the name of movement points."""
        return "MF"

    def budget(self, position: PanzerPosition, unit: PanzerUnit) -> PointBudget:
        """Return the unit's movement factor, in half points."""
        return PointBudget(movement.allotment(position, unit, self.edition(position)))

    # -- reach ------------------------------------------------------------------------------------

    def is_final(self, mode: Any) -> bool:
        """Return whether a unit in this mode has entered the one hex it always can."""
        return bool(mode[-1])

    def mover(self, position: PanzerPosition, unit: PanzerUnit) -> Hashable:
        """Return everything about the unit that its movement depends on, including a debt that bars it."""
        owing = bool(removal.owed(position, self.edition(position)))
        late = movement.is_late(position, unit)
        return (modes.stripped(unit), position.side, position.phase, owing, late)

    def ground(self, board: Board, a: str, b: str) -> Hashable:
        """Return the facts of the map from a to b."""
        return ground.lie(board, a, b)

    def presence(
        self, position: PanzerPosition, entrant: Entrant, at: str, leave_out: PanzerUnit | None
    ) -> Hashable:
        """Return the occupants of a hex, without a given unit and its passengers."""
        found = presence.presence(position, entrant.side, at, leave_out)
        return None if found == presence.NOBODY else found

    def affected_locations(self, position: PanzerPosition, entrant: Entrant) -> Sequence[str]:
        """Return the hexes with registered fire that is observed."""
        return [at for _, at in presence.registered_hexes(position)]

    def shares_space(self, position: PanzerPosition, unit: PanzerUnit) -> bool:
        """Return False also where a DD has thrown a unit off: an equal beside it could overcrowd the hex."""
        return not removal.thrown_pairs(position) and super().shares_space(position, unit)

    # -- plans ------------------------------------------------------------------------------------

    def plan_models(
        self, position: PanzerPosition, goal: Goal, rolls: Literal["pass", "avoid"]
    ) -> Sequence[PlanModel]:
        """Return the model of deliveries; nothing here needs rolls."""
        from marchtable_models.panzer.cpsat.delivery import Delivery

        return (Delivery(position, goal),)

    def with_points(
        self, position: PanzerPosition, unit: PanzerUnit, halves: int
    ) -> PanzerPosition | None:
        """Return the position if the unit had a larger movement factor."""
        return repairs.with_points(position, unit, halves)

    def repairs(self, position: PanzerPosition, goal: Goal) -> Iterable[GoalChange]:
        """Return changes that might get units delivered."""
        return repairs.changes(position, goal, self.edition(position))

    # -- equivalent units -------------------------------------------------------------------------

    def equivalence(self, position: PanzerPosition, unit: PanzerUnit) -> Equivalence | None:
        """Return a key of everything on which a unit's actions depend, so that only one of its kind is judged."""
        return equivalence.equivalence(self, position, unit)

    def distant_facts(self, position: PanzerPosition, unit: PanzerUnit) -> Hashable:
        """Return a key of everything beyond the adjacent hexes that affects a unit's actions."""
        return equivalence.distant_facts(self, position, unit)

    # -- others -----------------------------------------------------------------------------------

    def active(self, position: PanzerPosition) -> Sequence[PanzerUnit]:
        """Return the units of the side that must remove one, else of those that can act: all while units move."""
        if owed := removal.owed(position, self.edition(position)):
            sides = {owed[0].side}
        elif position.phase == "Movement":
            return position.units
        else:
            sides = {position.side, *(unit.side for _, unit in removal.thrown_pairs(position))}
        return [unit for unit in position.units if unit.side in sides]

    def values(
        self, position: PanzerPosition, unit: PanzerUnit, parameter: Parameter
    ) -> Iterable[Any]:
        """Return values to propose: concealed movement only if the scene has it in play."""
        if (
            parameter.name == "concealed"
            and "concealed-movement" not in position.conditions.optional
        ):
            return (False,)
        return super().values(position, unit, parameter)

    def details(self, position: PanzerPosition, action: Action) -> list[dict[str, Any]]:
        """Return an overrun's bonus to the odds and the die."""
        if not isinstance(action, Overrun):
            return []
        return entitlements.bonus(position, action, self.edition(position))

    def entitlements(self, position: PanzerPosition, unit: PanzerUnit) -> list[dict[str, Any]]:
        """Return the unit's entitlements."""
        return entitlements.of(position, unit, self.edition(position), self._judge)

    def _judge(self, position: PanzerPosition, action: Action) -> list[Finding]:
        """Return the clauses' findings on an action for the acting unit itself."""
        edition = self.edition(position)
        return [
            edition.judge(case.facts)
            for case in self.cases(position, action)
            if not isinstance(case.facts, Owing | Shared)
        ]

    def assumptions(self, position: PanzerPosition, rulings: Sequence[Ruling]) -> Sequence[str]:
        """Return the unverified figures that rulings rest on."""
        return assumptions.of(position, rulings)

    def casualties(self, position: PanzerPosition, question: Any) -> dict[str, Any]:
        """Return the answer that names the only loss that owners choose: none is counted in points."""
        clause = removal.owner_removes.id
        why = (
            f"losses are not points here: the one choice of a loss, after a DD that overcrowds a hex "
            f"({clause}), is listed among the obligations of check, and made by remove"
        )
        return {"status": "UNSUPPORTED", "why": why}

    def known(self, kind: str) -> Iterable[tuple[str, str]]:
        """Return unit types, counters, factions and the rows of the chart."""
        if kind == "counters":
            return [(name, "") for name in presence.COUNTED]
        if kind == "types":
            return [(name, plain_fields(found)) for name, found in data.unit_types().items()]
        if kind == "nationalities":
            return [(name, found.source) for name, found in data.factions().items()]
        if kind == "terrain":
            charts = (data.rows(), data.hexside_rows())
            return [(name, row.title) for chart in charts for name, row in chart.items()]
        return ()

    def map_names(self, conditions: PanzerConditions | None = None) -> dict[str, list[str]]:
        """Return the names of terrain and hexsides in its charts and a scene's rows."""
        own = conditions.terrain if conditions else ()
        return {
            "terrain": [*data.rows(), *(name for row in own for name in row.names)],
            "hexside": [*data.hexside_rows()],
        }

    def uncovered(self, board: Board) -> dict[str, int]:
        """Return the terrain missing from the terrain effects chart."""
        return ground.uncovered(board)

    def check_position(self, position: PanzerPosition) -> PanzerPosition:
        """Return the position; raises BadInputError for what cannot be."""
        checks.check(position, self.edition(position))
        return position

    def debts(self, position: PanzerPosition) -> Sequence[Obligation]:
        """Return the removal owed if a DD has put too many units in a hex."""
        return entitlements.debts(position, self.edition(position))

    def marker(self, position: PanzerPosition, unit: PanzerUnit) -> dict[str, Any]:
        """Return a unit's look in a picture."""
        kind = type_of(position, unit)
        sign = SIGNS.get(kind.kind, "foot")
        if kind.is_vehicle and not kind.armoured:
            sign = "truck"
        elif kind.is_vehicle and kind.class_ in CARRIERS:
            sign = "halftrack"
        return {
            "label": unit.id,
            "style": sign,
            "facing": None,
            "carried": unit.aboard or "",
            "height": unit.height,
            "marks": tuple(marks_of(unit, data.marks()["unit"])),
        }

    def lying(self, kind: str) -> dict[str, Any]:
        """Return the look in a picture of a counter on the map."""
        return lying(kind, data.marks()["counter"])


RULEBOOK = Panzer()
