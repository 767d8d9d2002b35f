"""The Valor & Victory rulebook's interface to the engine.

Movement and transport (chapters 5 to 8, 10 and 20) and anti-personnel combat (chapter 14) are
complete; other chapters only as far as these need them.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import msgspec

from marchtable.codec.structs import plain_fields
from marchtable.rules.marks import lying
from marchtable.rules.plan_hooks import PlanningSpace
from marchtable.rules.rulebook import Case, PointBudget, Rulebook
from marchtable.rules.travel import Symmetry
from marchtable.state.position import Obligation
from marchtable_models.valor import data, entitlements, modes, repairs, signs, validation
from marchtable_models.valor.advisor import forecast
from marchtable_models.valor.allocation.values import Values
from marchtable_models.valor.model import PHASES, ValorConditions, ValorUnit
from marchtable_models.valor.rules import paying, stacking, terrain, transport
from marchtable_models.valor.rules.casualties import Loss
from marchtable_models.valor.rules.facing import Turn, turning
from marchtable_models.valor.rules.fire_lanes import chains
from marchtable_models.valor.rules.foresight import foreseen
from marchtable_models.valor.rules.forming import stems_from
from marchtable_models.valor.rules.losses import CASUALTIES, owed
from marchtable_models.valor.rules.movement import Advance, Enter, comes_along, unended
from marchtable_models.valor.rules.sequence import after_start
from marchtable_models.valor.rules.snipers import Snipe
from marchtable_models.valor.rules.under_fire import absorbable, owing
from marchtable_models.valor.subjects import SUBJECTS
from marchtable_models.valor.views import ground
from marchtable_models.valor.views.attack import attack_on, losses_of
from marchtable_models.valor.views.sight import sight_of
from marchtable_models.valor.views.units import actors

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence
    from pathlib import Path

    from marchtable.board.board import Board
    from marchtable.rules.casualties import CasualtiesQuestion
    from marchtable.rules.clause import Finding
    from marchtable.rules.plan_hooks import GoalChange
    from marchtable.rules.plan_model import PlanModel
    from marchtable.rules.ruling import Ruling
    from marchtable.rules.subjects import Subjects
    from marchtable.rules.travel import Entrant
    from marchtable.sight.facts import Sight, Viewpoint
    from marchtable.state.action import Action, Parameter, Phase
    from marchtable.state.goal import Goal
    from marchtable_models.valor.model import ValorPosition

__all__ = ["RULEBOOK", "Valor"]

TAKEN = ", ".join(str(one.__struct_config__.tag) for one in CASUALTIES)


class ValorSymmetry(Symmetry):
    """Rotations by hexsides: of a vehicle's facing."""

    def bearing(self, mode: Any, ground: Any = None, action: Action | None = None) -> int:
        """Return the unit's rotation in hexsides from facing N."""
        return modes.bearing(mode)

    def turned(self, it: Any, by: int) -> Any:
        """Return a mode or a turn rotated by hexsides."""
        return modes.turned(it, by)

    def has_sides(self, there: Any) -> bool:
        """Return False: nothing in a hex stands on one side of it."""
        return False


class Valor(Rulebook[ValorUnit, ValorConditions]):
    """Valor & Victory, by Barry W. Doyle."""

    name: ClassVar[str] = "valor"
    version: ClassVar[str] = "1"
    travel: ClassVar[tuple[type[Action], ...]] = (Enter, Turn, Advance)
    mode_fields: ClassVar[tuple[str, ...]] = modes.FIELDS
    symmetry: ClassVar[Symmetry] = ValorSymmetry()
    phases: ClassVar[tuple[str, ...]] = PHASES
    moving_phase: ClassVar[str] = "Movement"
    subjects: ClassVar[Subjects] = SUBJECTS
    folder: ClassVar[Path | None] = data.FOLDER
    weights_type: ClassVar[type[Any] | None] = Values
    spared: ClassVar[Mapping[str, str | None]] = {"turn": None, "load": None, "unload": None}
    spaces: ClassVar[Mapping[str, PlanningSpace]] = MappingProxyType(
        {"marches": PlanningSpace(contains=("alone",))}
    )
    sight_rests_on: ClassVar[frozenset[str]] = frozenset(
        {terrain.by_assault_movement.id, turning.id}
    )

    # -- facts ------------------------------------------------------------------------------------

    def cases(self, position: ValorPosition, action: Action) -> Sequence[Case]:
        """Return the facts of an action; points owed come first."""
        if hasattr(action, "units") and not isinstance(action, Snipe):
            actors(position, action)  # raises if no unit is named
        if not isinstance(action, CASUALTIES) and (first := owed(position)):
            return first
        found = [*super().cases(position, action)]
        if isinstance(action, CASUALTIES) and isinstance(facts := found[0].facts, Loss):
            found[0] = found[0]._replace(facts=foreseen(self, position, action, facts))
        return found

    def sights(
        self, board: Board, pairs: Sequence[tuple[Viewpoint, Viewpoint]],
        position: ValorPosition | None = None,
    ) -> list[Sight]:  # fmt: skip
        """Find lines of sight (V9): as stated, or over whole hexes."""
        return [sight_of(board, a.at, b.at, position) for a, b in pairs]

    def assumptions(self, position: ValorPosition, rulings: Sequence[Ruling]) -> Sequence[str]:
        """
        Name the units that the scene overloads, and the hexes overfull after the last action.

        Stacking is judged at the end of a move, so hexes only passed are not named.
        """
        edition = self.edition(position)
        end = next((r.after for r in reversed(rulings) if r.after is not None), position)
        crowded = stacking.to_be_left(end, edition) if end.phase in stacking.MOVING else []
        return [*transport.overloaded(position, edition), *crowded]

    def debts(self, position: ValorPosition) -> Sequence[Obligation]:
        """Return the losses owed."""
        attack = attack_on(position)
        if attack is None:
            return ()
        units = owing(position, attack)
        if not units:  # left over from an illegal step
            return ()
        side, many = position.unit(units[0]).side, "s" if attack.owed > 1 else ""
        note = f"{side} owes {attack.owed} Casualty Point{many} on {attack.target}, by {TAKEN}"
        return (Obligation("casualties", "V14.61d", units[0], (), note),)

    def payments(
        self, position: ValorPosition, cases: Sequence[Case], findings: Sequence[Finding]
    ) -> Sequence[Any]:
        """Return the facts of paying for each case."""
        return paying.payments(position, cases, findings, self.edition(position))

    # -- effects ----------------------------------------------------------------------------------

    def begin_phase(self, position: ValorPosition, event: Phase) -> ValorPosition:
        """Return the position as a phase begins."""
        return after_start(position, event, SUBJECTS.begun)

    def known(self, kind: str) -> Iterable[tuple[str, str]]:
        """Return unit types, support weapons, counters and the rows of the table of terrain."""
        if kind == "counters":
            return [(name, "") for name in validation.counter_kinds()]
        if kind == "terrain":
            return [(name, row) for row, names in data.map_names().items() for name in names]
        found: dict[str, Any] = {"types": data.unit_types(), "weapons": data.weapon_types()}
        return [(name, plain_fields(one)) for name, one in found.get(kind, {}).items()]

    def map_names(self, conditions: ValorConditions | None = None) -> dict[str, list[str]]:
        """Return the names in its table of terrain and hexsides."""
        return data.map_names()

    # -- choices ----------------------------------------------------------------------------------

    def may_come(self, position: ValorPosition, name: str) -> bool:
        """Return whether a half squad of that name can split from its squad (V5.31b)."""
        return name not in position.index and stems_from(position, name)

    def active(self, position: ValorPosition) -> Sequence[ValorUnit]:
        """Return the units of the side that owes losses, else of those that can act in this phase."""
        if attack := attack_on(position):
            return [unit for unit in position.units if unit.side != attack.side]
        if position.phase == "Movement":
            return position.units
        own = position.phase != "DefensiveFire"
        return [unit for unit in position.units if (unit.side == position.side) == own]

    def values(
        self, position: ValorPosition, unit: ValorUnit, parameter: Parameter
    ) -> Iterable[Any]:
        """Return values to propose: hexes with enemies, usable weapons, points to the Rating, lanes."""
        if parameter.domain == "target":
            return tuple(
                at
                for at in position.occupied
                if any(u.side != unit.side for u in position.beside(at))
            )
        if parameter.name == "hexes":
            return chains(position, unit) or ((),)
        if parameter.domain == "count":
            return absorbable(position, unit)
        return parameter.values or (parameter.default,)

    def casualties(self, position: ValorPosition, question: CasualtiesQuestion) -> dict[str, Any]:
        """Return how the owner of units under fire can take the points, and how best."""
        if question.fire_from is not None:
            from marchtable_models.valor.advisor.fire_data import fire_counsel

            return fire_counsel(self, position, question)
        from marchtable_models.valor.advisor.answers import advise

        return advise(self, position, question)

    def entitlements(self, position: ValorPosition, unit: ValorUnit) -> list[dict[str, Any]]:
        """Return the unit's entitlements by counter and state."""
        return entitlements.of(position, unit, self.edition(position))

    def shares_space(self, position: ValorPosition, unit: ValorUnit) -> bool:
        """
        Return whether an equal unit beside it could move the same.

        Not for a unit that only leaves a crowd it is part of, nor for one that cannot stop where it
        is, as nobody begins then. Nor for one that began its move in a stack: an equal unit did not
        begin with them.
        """
        others = [other.id for other in position.units if other.id != unit.id]
        ended, edition = unended(position, unit.side, others), self.edition(position)
        may_stop = not any(edition.judge(stack).bars for _, stack in ended)
        alone = not unit.settled and not unit.party
        return may_stop and alone and super().shares_space(position, unit)

    def alike(self, position: ValorPosition, unit: ValorUnit) -> Hashable:
        """Return an equal key for interchangeable units, including an attack's effects."""
        attack = position.conditions.attack
        if attack is None:
            return super().alike(position, unit)
        suffered = losses_of(attack, unit.id), unit.id in attack.before
        marked = attack.focus == unit.id, unit.id in attack.batters
        return super().alike(position, unit), suffered, marked

    def details(self, position: ValorPosition, action: Action) -> list[dict[str, Any]]:
        """Return an attack's forecast, and the points for each roll."""
        return forecast.details(position, action, self.edition(position))

    # -- amounts, maps and checks -----------------------------------------------------------------

    def points(self, position: ValorPosition, unit: ValorUnit) -> str:
        """Return the name of movement points."""
        return "MP"

    def budget(self, position: ValorPosition, unit: ValorUnit) -> PointBudget:
        """Return the unit's allotment, given the units it moves with, in half points."""
        return PointBudget(paying.allotment(position, unit, self.edition(position)))

    # -- reach ------------------------------------------------------------------------------------

    def travel_in(self, position: ValorPosition, unit: ValorUnit) -> tuple[type[Action], ...]:
        """Return the verbs of movement in this phase."""
        first = Advance if position.phase == "AdvanceAndAssault" else Enter
        return (first,) if unit.facing is None else (first, Turn)

    def describe_mode(self, mode: Hashable) -> dict[str, Any]:
        """Return the unit's facing, and whether it uses Assault Movement."""
        return modes.described(mode)

    def mover(self, position: ValorPosition, unit: ValorUnit) -> Hashable:
        """Return everything about the unit that its movement depends on, and general bars."""
        ended = tuple(unended(position, unit.side, (unit.id,)))
        return (modes.stripped(unit), position.side, position.phase, ended)

    def ground(self, board: Board, a: str, b: str) -> Hashable:
        """Return the facts of the map from a to b."""
        return ground.lie(board, a, b)

    def sight(self, ground: Any, mode: Hashable, action: Action | None = None) -> Hashable:
        """Return the relevant data of a crossing in a mode: its direction from a vehicle's."""
        return modes.seen(ground, mode, action)

    def presence(
        self, position: ValorPosition, entrant: Entrant, at: str, leave_out: ValorUnit | None
    ) -> Hashable:
        """Return a hex's occupants and counters, without a unit; and who began its move with it."""
        found = terrain.there(
            position, entrant.side, at, () if leave_out is None else (leave_out.id,)
        )
        if leave_out is not None and leave_out.party:
            party = [n for n in leave_out.party if comes_along(position, n, at)]
            others = tuple(name for name in party if name != leave_out.id)
            found = msgspec.structs.replace(found, party=others)
        return None if found == terrain.There() else found

    # -- plans ------------------------------------------------------------------------------------

    def plan_models(
        self, position: ValorPosition, goal: Goal, rolls: Literal["pass", "avoid"]
    ) -> Sequence[PlanModel]:
        """Return the model of units that go alone, in stacks with a leader, or aboard."""
        from marchtable_models.valor.cpsat.marches import Marches

        return (Marches(position, goal, rolls),)

    def with_points(
        self, position: ValorPosition, unit: ValorUnit, halves: int
    ) -> ValorPosition | None:
        """Return the position if the unit had more MP."""
        return repairs.with_points(position, unit, halves)

    def repairs(self, position: ValorPosition, goal: Goal) -> Iterable[GoalChange]:
        """Return changes that might get units to their goal."""
        return repairs.changes(position, goal)

    def uncovered(self, board: Board) -> dict[str, int]:
        """Return the terrain without a row in the table."""
        return ground.uncovered(board)

    def check_position(self, position: ValorPosition) -> ValorPosition:
        """Return the position; raises BadInputError for what cannot be."""
        validation.check(position, self.edition(position))
        return position

    def marker(self, position: ValorPosition, unit: ValorUnit) -> dict[str, Any]:
        """Return a unit's look in a picture."""
        return signs.marker(position, unit)

    def lying(self, kind: str) -> dict[str, Any]:
        """Return the look in a picture of a counter on the map."""
        return lying(kind, data.marks()["counter"])


RULEBOOK = Valor()
