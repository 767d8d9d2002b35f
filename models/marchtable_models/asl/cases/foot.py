"""Which facts apply to what units do besides moving: setting out at night, SW, random results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.errors import BadInputError
from marchtable.rules.judging import Case
from marchtable.state.action import verb_of
from marchtable_models.asl.cases.mphends import interrupted
from marchtable_models.asl.cases.routs import routs_aside
from marchtable_models.asl.clauses.infantry import detection
from marchtable_models.asl.extraction import foot as foot_facts
from marchtable_models.asl.extraction import spending, standings
from marchtable_models.asl.extraction import stacks as stack_facts
from marchtable_models.asl.extraction.steps import hexes
from marchtable_models.asl.facts.foot import Detection
from marchtable_models.asl.levels import level_of
from marchtable_models.asl.occasions import SHOWING
from marchtable_models.asl.verbs.foot import GetBeneath, Shift

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from marchtable.rules.edition import Edition
    from marchtable.state.action import Action
    from marchtable.state.position import Obligation, Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["MAKERS", "members", "of_settling", "of_stack", "partings"]


def members(position: AslPosition, ids: Sequence[str]) -> list[AslUnit]:
    """Return the units that act together; raises BadInputError if there are none."""
    if not ids:
        raise BadInputError("expected at least one unit", field="units")
    return [position.unit(name) for name in ids]


def partings(position: AslPosition, going: Sequence[str], edition: Edition) -> list[Case]:
    """Return the facts of units left behind by leaders they have moved with."""
    found = []
    for unit in position.units:
        if unit.move.leaders and unit.id not in going:
            leaving = [name for name in unit.move.leaders if name in going]
            if leaving:
                facts = spending.parting(position, unit, going, edition)
                found.append(Case((unit.id, *leaving), facts, hexes(unit.at)))
    return found


def of_stack(
    position: AslPosition, units: Sequence[AslUnit], verb: str, about: Callable[[AslUnit], Any]
) -> list[Case]:
    """Return whether units may act at all, and as a stack if they are several, and the facts of each."""
    found = list[Case]()
    if len(units) > 1:
        together = stack_facts.group(position, units, verb)
        found.append(Case(tuple(unit.id for unit in units), together, hexes(units[0].at)))
    for unit in units:
        who, where = (unit.id,), hexes(unit.at)
        found.append(Case(who, standings.standing(position, unit, verb), where))
        found.append(Case(who, about(unit), where))
    return found


def _of_shift(position: AslPosition, action: Shift | GetBeneath, edition: Edition) -> list[Case]:
    """Return the facts of units that go beneath a Fortification, or out of it."""
    units = members(position, action.units)
    if routs_aside(position, units):
        return []
    wire, to = isinstance(action, GetBeneath), getattr(action, "to", "beneath")
    found = of_stack(
        position,
        units,
        verb_of(action),
        lambda unit: foot_facts.shelter(position, unit, units, to, wire=wire),
    )
    found += interrupted(position, units, edition)
    return found + partings(position, action.units, edition)


MAKERS: dict[type[Action], Callable[..., list[Case]]] = {
    **dict.fromkeys((Shift, GetBeneath), _of_shift),
}
"""What makes the facts of these verbs."""


def of_settling(
    position: AslPosition, obligation: Obligation, outcome: str, edition: Edition
) -> list[Case]:
    """Return the facts of a DEFENDER's choice that came out so."""
    if obligation.id.startswith("detect:"):
        return _of_detection(position, position.unit(obligation.unit), outcome, edition)
    return []


def _of_detection(
    position: AslPosition, mover: AslUnit, outcome: str, edition: Edition
) -> list[Case]:
    """Return the facts of those whom a unit has run into, and of Columns stated to see who is shown."""
    at = (
        mover.move.previous if mover.move.mph == "done" else mover.at
    )  # who meets Dummies stays among them
    hidden = [
        unit
        for unit in position.occupants.get(at or "", ())
        if unit.side != mover.side and unit.concealment.concealed and not level_of(position, unit)
    ]
    verb, _, name = outcome.partition(":")
    shown = [u.id for u in hidden if verb == detection.SHOWS and name in ("", u.id)]
    found = [
        Case(
            (unit.id,),
            Detection(outcome, unit.id in shown, dummy=unit.concealment.dummy),
            hexes(unit.at),
        )
        for unit in hidden
    ]
    known = shown if verb == detection.SHOWS else [unit.id for unit in hidden]
    return [*found, *edition.subjects.ask(SHOWING, [], position, known)]
