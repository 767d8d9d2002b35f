"""Which facts bear on which action or event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.rules.judging import Case
from marchtable.state.action import Event, verb_of
from marchtable_models.asl.cases.escorts import of_escorts
from marchtable_models.asl.cases.foot import MAKERS as ON_FOOT
from marchtable_models.asl.cases.foot import members, of_settling, partings
from marchtable_models.asl.cases.mphends import endings, interrupted
from marchtable_models.asl.cases.routs import routs_aside
from marchtable_models.asl.clauses.terrain import fortifications, mines, roads
from marchtable_models.asl.clauses.vehicles import bog
from marchtable_models.asl.clauses.vehicles.movement import has_second_way
from marchtable_models.asl.effects import acts as effects
from marchtable_models.asl.extraction import foot as foot_facts
from marchtable_models.asl.extraction import lines, movers, reading, spending, standings
from marchtable_models.asl.extraction import stacks as stack_facts
from marchtable_models.asl.extraction import vehicles as vehicle_facts
from marchtable_models.asl.extraction.cargo import carried_by
from marchtable_models.asl.extraction.steps import WITHIN, facts_of_step, hexes, off_the_road
from marchtable_models.asl.extraction.unitkinds import halves_of
from marchtable_models.asl.facts.foot import Entangled
from marchtable_models.asl.facts.mines import MineResult
from marchtable_models.asl.facts.outcomes import CollapseResult
from marchtable_models.asl.facts.steps import Entry
from marchtable_models.asl.facts.units import PhaseOrder
from marchtable_models.asl.model import (
    ACTIONS,
    SPINES,
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
from marchtable_models.asl.occasions import (
    CARRYING,
    ENTRY,
    FIRE_OVER,
    LOSS,
    PARTING,
    SPENDING,
    TURNING,
)
from marchtable_models.asl.rules.happenings import blow_of
from marchtable_models.asl.verbs.foot import Advance, Stairs
from marchtable_models.asl.verbs.vehicles import (
    Delay,
    Exit,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from marchtable.rules.edition import Edition
    from marchtable.rules.subjects import Subjects
    from marchtable.state.action import Action, Phase
    from marchtable.state.position import Obligation, Position
    from marchtable_models.asl.verbs.bypass import Along, Bypass, Into

    Bypasses = Bypass | Along | Into
    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["STAND", "of_action", "of_outcome", "of_phase"]

ENTRIES = [verb for verb in ACTIONS if "enters" in getattr(verb, "traits", ())]


def of_action(position: AslPosition, action: Action, edition: Edition) -> list[Case]:
    """Return the facts that bear on an action."""
    subjects: Subjects = edition.subjects
    found = subjects.cases(position, action, edition)
    if type(action) not in subjects.actions:
        maker: Callable[..., list[Case]] = _MAKERS.get(type(action), _of_one)
        found = maker(position, action, edition) + found
    if isinstance(action, Event):
        return found
    unit = position.unit(actors(action)[0])
    return [*found, *subjects.ask(SPENDING, [], position, unit, found, edition)]


def _of_one(position: AslPosition, action: Action, edition: Edition) -> list[Case]:
    """Return the facts of an action of one unit that enters nothing."""
    unit = position.unit(action.unit)  # type: ignore[attr-defined]
    who, where, verb = (unit.id,), hexes(unit.at), verb_of(action)
    found = [Case(who, standings.standing(position, unit, verb), where)]
    if isinstance(action, End):
        over: list[Case] = edition.subjects.ask(FIRE_OVER, [], position)
        line = lines.members(position, unit) or (unit,)
        return found + over + endings(position, line, edition, ended=True)
    make = _OF_VEHICLES.get(type(action))
    if make is not None:
        found.append(Case(who, make(position, unit, action, edition), where))
        if isinstance(action, Turn):
            found += edition.subjects.ask(TURNING, [], position, unit, edition)
        found += interrupted(position, (unit,), edition)
    elif isinstance(action, LeaveRoad) and unit.at is not None:
        aside = off_the_road(position, unit, half=action.half)
        found += [Case(who, aside, where), *_of_carried(position, unit, aside, edition)]
    return found


def _of_wait(position: AslPosition, unit: AslUnit, action: Delay, edition: Edition) -> Any:
    had = spending.allotment(position, unit, edition) if action.wreck else 0
    return vehicle_facts.wait(position, unit, action, had)


def _of_start(position: AslPosition, unit: AslUnit, action: Start | Stop, _: Edition) -> Any:
    reverse = isinstance(action, Start) and action.reverse
    return vehicle_facts.start_stop(position, unit, verb_of(action), reverse=reverse)


_OF_VEHICLES: dict[type[Action], Callable[..., Any]] = {
    **dict.fromkeys((Start, Stop), _of_start),
    Turn: lambda position, unit, action, _: vehicle_facts.swing(
        position, unit, SPINES.index(action.facing)
    ),
    Delay: _of_wait,
}
"""What makes the facts of what a vehicle does in its Location."""
GONE = ("eliminated", "dies")
"""How it comes out that a unit is no more."""
STAND = frozenset((
    *_OF_VEHICLES, LeaveRoad, End, Enter, MinimumMove, Exit, Advance,
))  # fmt: skip
"""Verbs for which the acting unit's standing is judged in any case."""


def _of_entry(
    position: AslPosition, action: Enter | MinimumMove | Exit | Advance | Bypasses, edition: Edition
) -> list[Case]:
    ids = actors(action)
    units = members(position, ids)
    if type(action) in WITHIN:
        to = units[0].at
    else:
        to = None if type(action) is Exit else position.board.resolve(action.to)  # type: ignore[union-attr]
    stack, verb = movers.party(position, units), verb_of(action)
    found: list[Case] = []
    taken = [tuple(facts_of_step(position, unit, to, stack, action)) for unit in units]
    if len(units) > 1 and isinstance(action, Enter):
        taken = _each_its_own(taken)
    for unit, steps in zip(units, taken, strict=True):
        who, where = (unit.id,), hexes(unit.at, to)
        standing = standings.on_trail(standings.standing(position, unit, verb), steps)
        found.append(Case(who, standing, where))
        for facts in steps:
            found += [Case(who, facts, where), *_of_carried(position, unit, facts, edition)]
            found += edition.subjects.beside(position, unit, facts, edition)
        found += edition.subjects.ask(ENTRY, [unit], position, unit, action, to, units, edition)
    found += of_escorts(position, units, taken, to, action, edition)
    if len(units) > 1:
        needed = not isinstance(action, MinimumMove) or any(
            isinstance(case.facts, Entry)
            and spending.is_short(position, position.unit(case.units[0]), case.facts, edition)
            for case in found
        )
        together = stack_facts.group(position, units, verb, needed=needed)
        found.insert(0, Case(ids, together, hexes(units[0].at)))
    found += interrupted(position, units, edition)
    carry = [u for u in units if u.move.armored == u.id or reading.type_of(position, u).mounts]
    if carry or any([reading.type_of(position, unit).leads for unit in units]):  # noqa: C419 - quicker
        aboard = [u.id for unit in carry for u in carried_by(position, unit)]  # who leads there
        found += partings(position, (*ids, *aboard), edition)
    return found


def _of_stairs(position: AslPosition, action: Stairs, edition: Edition) -> list[Case]:
    """Return the facts of units that go up or down a stairwell; a rout by one is another subject."""
    if routs_aside(position, members(position, action.units)):
        return []
    return _of_entry(position, action, edition)  # type: ignore[arg-type]


def _of_carried(position: AslPosition, unit: AslUnit, facts: Any, edition: Edition) -> list[Case]:
    """Return the facts of those whom a vehicle carries as it makes a step."""
    if unit.facing is None or not isinstance(facts, Entry):
        return []
    found: list[Case] = edition.subjects.ask(CARRYING, [], position, unit, facts, edition)
    return found


def _each_its_own(taken: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return the steps of a stack with an AFV: a second way, and more MP, are for whom they are (D9.31)."""
    entries = [facts for steps in taken for facts in steps if isinstance(facts, Entry)]
    if not any(facts.mover.is_vehicle for facts in entries):
        return taken
    ways = any(facts.half and has_second_way(facts) for facts in entries)

    def own(facts: Any) -> Any:
        if not isinstance(facts, Entry):
            return facts
        if facts.half and ways and not has_second_way(facts):
            facts = facts.but(half=False)
        return facts if facts.mover.is_vehicle else facts.but(extra=0, rest=False)

    return [tuple(map(own, steps)) for steps in taken]


_MAKERS: dict[type[Action], Callable[..., list[Case]]] = {
    **dict.fromkeys(ENTRIES, _of_entry),
    Stairs: _of_stairs,
    **ON_FOOT,
}
"""What makes the facts of a verb, where it is not `_of_one`: a look at types in turn is slower."""


def _entangled(position: AslPosition, unit: AslUnit, outcome: str, edition: Edition) -> Entangled:
    """Return the facts of a dr on Wire that came out so."""
    left = spending.allotment(position, unit, edition) - unit.points.spent
    return Entangled(2 * int(outcome), unit.points.spent, left)


_RESULTS: dict[str, Callable[[AslPosition, AslUnit, str, Edition], Any]] = {
    fortifications.under_the_wire.id: _entangled,
    roads.collapse.id: lambda position, unit, outcome, _: CollapseResult(
        outcome, reading.tons_at(position, unit.at)
    ),
}
"""The facts of how a roll came out, by the clause that called for it, where they are one unit's."""


def of_outcome(
    position: AslPosition, obligation: Obligation, outcome: str, edition: Edition
) -> list[Case]:
    """Return the facts of a roll or choice that came out so, and of prisoners whose Guard it takes."""
    subjects: Subjects = edition.subjects
    found = subjects.settle_cases(position, obligation, outcome, edition)
    found = found or _of_outcome(position, obligation, outcome, edition)
    by_mines = obligation.clause == mines.attacked.id  # then it is an event
    if outcome in GONE and not by_mines:
        gone = position.unit(obligation.unit)
        found = [*found, *subjects.ask(LOSS, [], position, gone)]
    return found


def _of_outcome(
    position: AslPosition, obligation: Obligation, outcome: str, edition: Edition
) -> list[Case]:
    """Return the facts of a roll or choice that came out so, of whom it concerns."""
    unit, asked = position.unit(obligation.unit), obligation.clause
    make = _RESULTS.get(asked)
    facts: Any
    if bog.is_bog_check(asked):
        facts = vehicle_facts.bog_result(position, unit, outcome, bog.kind_of_check(asked))
    elif make is not None:
        facts = make(position, unit, outcome, edition)
    elif asked == mines.attacked.id:
        return _of_mines(position, obligation, outcome, edition)
    else:
        return of_settling(position, obligation, outcome, edition)
    found = [Case((unit.id,), facts, hexes(unit.at))]
    if bog.is_bog_check(asked):
        found += edition.subjects.beside(position, unit, facts, edition)
    stuck = (outcome == "bogged" and bog.is_bog_check(asked)) or outcome == "immobilized"
    if stuck:
        found += edition.subjects.ask(PARTING, [], position, unit)
    return found


def _of_mines(
    position: AslPosition, obligation: Obligation, outcome: str, edition: Edition
) -> list[Case]:
    """Return the facts of a minefield's attack: its result is what happens to the unit."""
    unit = position.unit(obligation.unit)
    left = unit.move.previous if obligation.id.startswith(mines.LEAVING) else None
    facts = MineResult(outcome, left, unit.status.broken, halves_of(position, unit))
    found = [Case((unit.id,), facts, hexes(unit.at))]
    blow = blow_of(obligation, outcome)
    return found if blow is None else found + edition.subjects.cases(position, blow, edition)


def of_phase(
    position: AslPosition, event: Phase, phases: Sequence[str], edition: Edition
) -> list[Case]:
    """Return the facts of every unit as a phase begins, and of vehicles whose MPh it ends."""
    side = event.side or position.side
    new_turn = effects.begins_turn(position, event)
    over = [u for u in position.units if u.side == position.side] if position.phase == "MPh" else []
    later = phases.index(event.phase) > phases.index(position.phase)
    named = {position.side, position.conditions.first_side, *(unit.side for unit in position.units)}
    sides = tuple(sorted(named - {""}))
    first = [
        Case((), PhaseOrder(later or side != position.side, side, sides), ()),
        *endings(position, over, edition),
        *edition.subjects.phase_cases(position, event, edition),
    ]
    return [*first, *edition.subjects.ask(FIRE_OVER, [], position, True)] + [
        Case(
            (unit.id,),
            foot_facts.phase_start(position, unit, event.phase, side, new_turn=new_turn),
            hexes(unit.at),
        )
        for unit in position.units
    ]
