"""The Valor & Victory rulebook: its contents page, and what each action does.

Movement and transport (chapters 5 to 8, 10 and 20) and anti-personnel combat (chapter 14) are whole;
others only as far as these touch them.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from marchtable.codec.structs import plain_fields
from marchtable.errors import BadInputError
from marchtable.rules.marks import lying
from marchtable.rules.rulebook import Bill, Case, Rulebook
from marchtable.state.position import Obligation
from marchtable_models.valor import (
    data,
    effects,
    entitlements,
    errands,
    fight_effects,
    fights,
    forming,
    modes,
    move_effects,
    repairs,
    settling,
    signs,
    steps,
    validation,
)
from marchtable_models.valor.advisor import forecast
from marchtable_models.valor.allocation.values import Values
from marchtable_models.valor.clauses.movement import assault, turning
from marchtable_models.valor.contents import BEYOND_TRAVEL, CONTENTS
from marchtable_models.valor.data import marks
from marchtable_models.valor.extraction import fights as lanes
from marchtable_models.valor.extraction import ground, hexmates, lines, moves, reading, stacks
from marchtable_models.valor.extraction.foresight import foreseen
from marchtable_models.valor.facts.assaults import Battered
from marchtable_models.valor.facts.attacks import Result
from marchtable_models.valor.facts.losses import Owing, Recovery
from marchtable_models.valor.facts.moves import There
from marchtable_models.valor.model import PHASES, ValorConditions, ValorUnit
from marchtable_models.valor.orders import (
    ACTIONS,
    CASUALTIES,
    FIGHTS,
    MOVES,
    Absorb,
    Advance,
    Eliminate,
    Enter,
    Fire,
    Pin,
    Turn,
)  # fmt: skip
from marchtable_models.valor.validation import MOVING, counter_kinds

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence
    from pathlib import Path

    from marchtable.board.board import Board
    from marchtable.rules.casualties import CasualtiesQuestion
    from marchtable.rules.clause import Clause, Finding, Interpretation
    from marchtable.rules.plan_hooks import Change
    from marchtable.rules.plan_model import PlanModel
    from marchtable.rules.ruling import Ruling
    from marchtable.sight.facts import Sight, Viewpoint
    from marchtable.state.action import Action, Parameter, Phase
    from marchtable.state.goal import Goal
    from marchtable_models.valor.extraction.reading import ValorPosition

__all__ = ["RULEBOOK", "Valor"]

WORDS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "move": ("enter",), "transfer": ("give",), "hand": ("give",), "leave": ("exit",), "unhook": ("unload",),
})  # fmt: skip
"""Other words for verbs."""


TAKEN = ", ".join(str(one.__struct_config__.tag) for one in CASUALTIES)


class Valor(Rulebook[ValorUnit, ValorConditions]):
    """Valor & Victory, by Barry W. Doyle."""

    name: ClassVar[str] = "valor"
    version: ClassVar[str] = "1"
    unit_type: ClassVar[type[Any]] = ValorUnit
    conditions_type: ClassVar[type[Any]] = ValorConditions
    action_types: ClassVar[tuple[type[Action], ...]] = ACTIONS
    travel: ClassVar[tuple[type[Action], ...]] = (Enter, Turn, Advance)
    words: ClassVar[Mapping[str, tuple[str, ...]]] = WORDS
    phases: ClassVar[tuple[str, ...]] = PHASES
    contents: ClassVar[Mapping[type, tuple[Clause, ...]]] = CONTENTS
    register: ClassVar[tuple[Interpretation, ...]] = data.register()
    demo: ClassVar[Path | None] = data.FOLDER / "demo"
    ledger: ClassVar[Path | None] = data.FOLDER / "ledger.json"
    figures: ClassVar[Mapping[str, Any]] = data.figures()
    weights_type: ClassVar[type[Any] | None] = Values
    spared: ClassVar[Mapping[str, str | None]] = {"turn": None, "load": None, "unload": None}
    covers_alone: ClassVar[bool] = True
    beyond_travel: ClassVar[frozenset[str]] = BEYOND_TRAVEL
    judges_afresh: ClassVar[bool] = True
    sight_rests_on: ClassVar[frozenset[str] | None] = frozenset({assault.id, turning.id})
    assuming: ClassVar[frozenset[str]] = frozenset({"V13.3", "V18.4", "V6"})

    # -- facts -------------------------------------------------------------------------------

    def cases(self, position: ValorPosition, action: Action) -> Sequence[Case]:
        """Return the facts that bear on an action."""
        if isinstance(action, CASUALTIES):
            return self._loss_cases(position, action)
        if isinstance(action, Fire) and not action.units:
            raise BadInputError("expected at least one unit", field="units")
        if owing := self._owing(position):
            return owing
        if isinstance(action, (Fire, *FIGHTS)):
            return fights.cases_of(position, action, self.edition(position))
        if isinstance(action, MOVES):
            return steps.cases_of(position, action)
        return errands.cases_of(position, action)

    def _owing(self, position: ValorPosition) -> list[Case]:
        """Return the facts of points that come before all else, if any are owed."""
        attack = reading.attack_on(position)
        if attack is None:
            return []
        units = tuple(stacks.owing(position, attack))
        return [Case(units, Owing(attack.owed), (attack.target,))]

    def _loss_cases(self, position: ValorPosition, action: Action) -> list[Case]:
        unit = position.unit(action.unit)  # type: ignore[attr-defined]
        attack, hexes = reading.attack_on(position), (unit.at,) if unit.at else ()
        if attack is not None and isinstance(action, Absorb) and unit.id in attack.batters:
            battered = Battered("", attack.owed, unit.immobile, taken=action.points)
            return [Case((unit.id,), battered, hexes)]
        facts = foreseen(self, position, action, stacks.loss(position, attack, unit, action))
        found = [Case((unit.id,), facts, hexes)]
        if attack is not None and isinstance(action, Pin | Eliminate):
            fate = "pinned" if isinstance(action, Pin) else "eliminated"
            found += settling.carried(position, unit, fate)
        return found

    def settle_cases(
        self, position: ValorPosition, obligation: Obligation, outcome: str
    ) -> Sequence[Case]:
        """Return the facts of how a roll came out for who made it."""
        return settling.cases_of(position, obligation, outcome, self.edition(position))

    def phase_cases(self, position: ValorPosition, event: Phase) -> Sequence[Case]:
        """Return owed points, the change of phase, and the pinned units that a Command Phase rallies."""
        side = event.side or position.side
        found = [*self._owing(position), Case((), reading.sequence(position, event))]
        if position.phase in MOVING and event.phase != position.phase:
            found += [
                Case((unit.id,), hexmates.stacked(position, unit, ends=True), (str(unit.at),))
                for unit in self._on_their_own(position)
            ]
        if "Command" in reading.begun(position, event):
            found += [
                Case((unit.id,), Recovery("command"), (unit.at,))
                for unit in position.units
                if unit.pinned and unit.side == side and unit.at is not None
            ]
        return found

    @staticmethod
    def _on_their_own(position: ValorPosition) -> Iterable[ValorUnit]:
        """Return a unit of the side that moves for each hex that it holds."""
        found = {
            unit.at: unit
            for unit in position.units
            if unit.at is not None and unit.side == position.side and unit.aboard is None
        }
        return found.values()

    def sights(
        self, board: Board, pairs: Sequence[tuple[Viewpoint, Viewpoint]],
        position: ValorPosition | None = None,
    ) -> list[Sight]:  # fmt: skip
        """Find lines of sight (V9): as they are given, or over whole hexes."""
        return [lines.sight_of(board, a.at, b.at, position) for a, b in pairs]

    def assumptions(self, position: ValorPosition, rulings: Sequence[Ruling]) -> Sequence[str]:
        """
        Name the units that the scene overloads, and the hexes to be left after the last action.

        Stacking is judged where a move ends, so hexes that units only pass are not named.
        """
        edition = self.edition(position)
        end = next((r.after for r in reversed(rulings) if r.after is not None), position)
        crowded = hexmates.to_be_left(end, edition) if end.phase in MOVING else []
        return [*hexmates.overloaded(position, edition), *crowded]

    def debts(self, position: ValorPosition) -> Sequence[Obligation]:
        """Return the losses that are owed."""
        attack = reading.attack_on(position)
        if attack is None:
            return ()
        note = f"{attack.owed} Casualty Point(s) on {attack.target} are still to be fulfilled, by {TAKEN}"
        units = stacks.owing(position, attack)
        if not units:  # what an illegal step has left behind
            return ()
        return (Obligation("casualties", "V14.61d", units[0], (), note),)

    def payments(
        self, position: ValorPosition, cases: Sequence[Case], findings: Sequence[Finding]
    ) -> Sequence[Any]:
        """Return the facts of paying for each case."""
        return steps.payments(position, cases, findings, self.edition(position))

    # -- effects -----------------------------------------------------------------------------

    def apply(
        self, position: ValorPosition, action: Action, bills: Sequence[Bill]
    ) -> ValorPosition | None:
        """Return the position after the action itself."""
        if isinstance(action, Fire):
            if any(position.unit(name).at is None for name in action.units):
                return None
            return effects.after_fire(position, action, bills)
        if isinstance(action, CASUALTIES):
            return effects.after_casualty(position, action, bills, self.edition(position).settings)
        if isinstance(action, MOVES):
            return move_effects.after_move(position, action, bills)
        if isinstance(action, FIGHTS):
            return fight_effects.after_fight(position, action, bills)
        return errands.after_errand(position, action)

    def settle(
        self, position: ValorPosition, obligation: Obligation, outcome: str
    ) -> ValorPosition:
        """Return the position after a roll came out so."""
        edition, attack = self.edition(position), position.conditions.attack
        if obligation.id.startswith("fire:") and attack is not None:
            result = Result(attack.apfp, int(outcome), attack.modifier, attack.doubled)
            return effects.inflicted(position, edition.judge(result).total)
        if obligation.id.startswith("survival:"):
            (_, facts, _), *carried = self.settle_cases(position, obligation, outcome)
            fates = [(case.units[0], edition.judge(case.facts)) for case in carried]
            unit, found = position.unit(obligation.unit), edition.judge(facts)
            return effects.after_survival(position, unit, facts, found, fates, edition.settings)
        return fight_effects.after_roll(position, obligation, outcome, edition)

    def begin_phase(self, position: ValorPosition, event: Phase) -> ValorPosition:
        """Return the position as a phase begins."""
        return effects.at_phase_start(position, event)

    def known(self, kind: str) -> Iterable[tuple[str, str]]:
        """Return unit types, support weapons, counters and the rows of the table of terrain."""
        if kind == "counters":
            return [(name, "") for name in counter_kinds()]
        if kind == "terrain":
            return [(name, row) for row, names in data.map_names().items() for name in names]
        found: dict[str, Any] = {"types": data.unit_types(), "weapons": data.weapon_types()}
        return [(name, plain_fields(one)) for name, one in found.get(kind, {}).items()]

    def map_names(self, conditions: ValorConditions | None = None) -> dict[str, list[str]]:
        """Return what its table calls terrain and hexsides."""
        return data.map_names()

    # -- what may be chosen ------------------------------------------------------------------

    def may_come(self, position: ValorPosition, name: str) -> bool:
        """Return whether a half squad so named may part from its squad (V5.31b)."""
        return name not in position.index and forming.stems_from(position, name)

    def sides(self, position: ValorPosition) -> Sequence[str]:
        """Return the side that owes losses, else those that may act in this phase."""
        every = dict.fromkeys([position.side, *(unit.side for unit in position.units)])
        if attack := reading.attack_on(position):
            return tuple(side for side in every if side != attack.side)
        if position.phase == "Movement":
            return tuple(every)
        own = position.phase != "DefensiveFire"
        return tuple(side for side in every if (side == position.side) == own)

    def values(
        self, position: ValorPosition, unit: ValorUnit, parameter: Parameter
    ) -> Iterable[Any]:
        """Return values to propose: hexes with enemies, all weapons that bear, points up to the Rating, lanes."""
        if parameter.domain == "target":
            return tuple(
                at
                for at in position.occupied
                if any(u.side != unit.side for u in position.beside(at))
            )
        if parameter.domain == "mate":
            return ()  # smoke and weapons handed on are judged, never proposed
        if parameter.name == "hexes":
            return lanes.chains(position, unit) or ((),)
        if parameter.domain == "count":
            return stacks.absorbable(position, unit)
        return parameter.values or (parameter.default,)

    def casualties(self, position: ValorPosition, question: CasualtiesQuestion) -> dict[str, Any]:
        """Return how the owner of units under fire may take the points, and how best."""
        if question.fire_from is not None:
            from marchtable_models.valor.advisor.fire_data import fire_counsel

            return fire_counsel(self, position, question)
        from marchtable_models.valor.advisor.answers import advise

        return advise(self, position, question)

    def entitlements(self, position: ValorPosition, unit: ValorUnit) -> list[dict[str, Any]]:
        """Return what the unit's counter and state entitle it to."""
        return entitlements.of(position, unit, self.edition(position))

    def bound_units(self, position: ValorPosition) -> frozenset[str]:
        """Return vehicles that carry others."""
        return frozenset(unit.aboard for unit in position.units if unit.aboard is not None)

    def shares_space(self, position: ValorPosition, unit: ValorUnit) -> bool:
        """
        Return whether an equal unit beside it could do the same.

        Not of who leaves only a crowd, itself one of it, nor of who may not stop where it stands: nobody begins then.
        """
        others = [other.id for other in position.units if other.id != unit.id]
        ended, edition = moves.unended(position, unit.side, others), self.edition(position)
        may_stop = not any(edition.judge(stack).bars for _, stack in ended)
        return may_stop and not unit.settled and super().shares_space(position, unit)

    def alike(self, position: ValorPosition, unit: ValorUnit) -> Hashable:
        """Return a key that is equal for interchangeable units: what an attack did to them counts."""
        attack = position.conditions.attack
        if attack is None:
            return super().alike(position, unit)
        suffered = reading.losses_of(attack, unit.id), reading.is_before(attack, unit)
        marked = attack.focus == unit.id, unit.id in attack.batters
        return super().alike(position, unit), suffered, marked

    def details(self, position: ValorPosition, action: Action) -> list[dict[str, Any]]:
        """Return what an attack adds up to, and what each roll inflicts."""
        return forecast.details(position, action, self.edition(position))

    # -- amounts, maps and checks --------------------------------------------------------------

    def points(self, position: ValorPosition, unit: ValorUnit) -> str:
        """Return what units move by."""
        return "MP"

    def allotment(self, position: ValorPosition, unit: ValorUnit) -> int:
        """Return the unit's allotment with those it moves with, in half points."""
        return moves.allotment(position, unit, self.edition(position))

    def spent(self, unit: ValorUnit) -> int:
        """Return what the unit has spent, in half points."""
        return unit.spent

    # -- reach -------------------------------------------------------------------------------

    def next_to(self, position: ValorPosition, unit: ValorUnit) -> Sequence[str]:
        """Return the hexes beside the unit; off the map, those by which it may come on."""
        if unit.at is not None:
            return super().next_to(position, unit)
        return () if unit.aboard else tuple(map(position.board.resolve, unit.entering))

    def travel_in(self, position: ValorPosition, unit: ValorUnit) -> tuple[type[Action], ...]:
        """Return the verbs by which a unit moves about in this phase."""
        first = Advance if position.phase == "AdvanceAndAssault" else Enter
        return (first,) if unit.facing is None else (first, Turn)

    def modes(self, position: ValorPosition, unit: ValorUnit) -> Sequence[Hashable]:
        """Return every mode; see :mod:`marchtable_models.valor.modes`."""
        return modes.modes_of(unit)

    def mode(self, unit: ValorUnit) -> Hashable:
        """Return the unit's present mode."""
        return modes.mode_of(unit)

    def in_mode(self, unit: ValorUnit, at: str, mode: Hashable) -> ValorUnit:
        """Return the unit as if it stood there in that mode with nothing spent."""
        return modes.in_mode(unit, at, mode)

    def describe_mode(self, mode: Hashable) -> dict[str, Any]:
        """Return which way the unit faces, and whether it moves by Assault Movement."""
        return modes.described(mode)

    def mover(self, position: ValorPosition, unit: ValorUnit) -> Hashable:
        """Return all about the unit that its moving depends on, and what bars anybody's."""
        owing = bool(self._owing(position))
        ended = tuple(moves.unended(position, unit.side, (unit.id,)))
        return (modes.stripped(unit), position.side, position.phase, owing, ended)

    def ground(self, board: Board, a: str, b: str) -> Hashable:
        """Return the facts of the map from a to b."""
        return ground.lie(board, a, b)

    def sight(self, ground: Any, mode: Hashable, action: Action | None = None) -> Hashable:
        """Return what of a crossing matters in a mode: which way it lies from that of a vehicle."""
        return modes.seen(ground, mode, action)

    def bearing(self, mode: Any, ground: Hashable = None, action: Action | None = None) -> int:
        """Return by how many hexsides the unit is turned from facing N."""
        return modes.bearing(mode)

    def turned(self, it: Any, by: int) -> Any:
        """Return a mode, or a turn, turned by hexsides."""
        return modes.turned(it, by)

    def has_sides(self, there: Any) -> bool:
        """Return that nothing in a hex lies on one side of it."""
        return False

    def presence(
        self, position: ValorPosition, side: str, at: str, leave_out: ValorUnit | None
    ) -> Hashable:
        """Return who stands in a hex and what lies there, a unit and what it carries left out."""
        found = moves.there(position, side, at, () if leave_out is None else (leave_out.id,))
        return None if found == There() else found

    # -- plans -------------------------------------------------------------------------------

    def plan_models(
        self, position: ValorPosition, goal: Goal, rolls: Literal["pass", "avoid"]
    ) -> Sequence[PlanModel]:
        """Return the model of units that go alone, as stacks with a leader, or aboard."""
        from marchtable_models.valor.cpsat.marches import Marches

        return (Marches(position, goal, rolls),)

    def carrier(self, position: ValorPosition, unit: ValorUnit) -> str | None:
        """Return what carries or tows the unit."""
        return unit.aboard

    def with_points(
        self, position: ValorPosition, unit: ValorUnit, halves: int
    ) -> ValorPosition | None:
        """Return the position if the unit had so many more MP."""
        return repairs.with_points(position, unit, halves)

    def conveyors(self, position: ValorPosition, names: Sequence[str]) -> Sequence[str]:
        """Return these units and what carries them."""
        return repairs.conveyors(position, names)

    def repairs(self, position: ValorPosition, goal: Goal) -> Iterable[Change]:
        """Return changes by which what must get somewhere might."""
        return repairs.changes(position, goal)

    def uncovered(self, board: Board) -> dict[str, int]:
        """Return what the table of terrain has no row for."""
        return ground.uncovered(board)

    def check_position(self, position: ValorPosition) -> None:
        """Raise BadInputError for what cannot be."""
        validation.check(position, self.edition(position))

    def marker(self, position: ValorPosition, unit: ValorUnit) -> dict[str, Any]:
        """Return how a picture shows the unit."""
        return signs.marker(position, unit)

    def lying(self, kind: str) -> dict[str, Any]:
        """Return how a picture shows a counter that lies on the map."""
        return lying(kind, marks()["counter"])


RULEBOOK = Valor()
