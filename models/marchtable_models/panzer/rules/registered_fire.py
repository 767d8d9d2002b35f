"""Indirect fire registered in advance on a hex, used at units that enter it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from marchtable.rules.facts import Case, Edition, Facts, Sheet
from marchtable.rules.subjects import begins, cases, clause, settles
from marchtable.state.position import Obligation, Odds
from marchtable_models.panzer.model import PanzerPosition, PanzerUnit
from marchtable_models.panzer.rules.hits import Hit, Struck, struck_in
from marchtable_models.panzer.rules.movement import Move
from marchtable_models.panzer.rules.overruns import Overrun
from marchtable_models.panzer.rules.sequence import Start
from marchtable_models.panzer.views.presence import presence
from marchtable_models.panzer.views.travel import steps
from marchtable_models.panzer.views.units import hexes_of

FIRST, SECOND = "registered", "registered-beyond"
"""Names of the enemy's decisions: an overrun enters two hexes."""


class Watched(Facts, frozen=True):
    """A step into a hex with registered fire that an enemy observes."""

    decision: str


class Decided(Facts, frozen=True):
    """What the enemy decides: ``fired`` or ``held``."""

    outcome: str


class Shelled(Struck, frozen=True):
    """A unit on which registered fire has a result."""


@cases(Move, Overrun)
def of_steps(position: PanzerPosition, action: Move | Overrun, _: Edition) -> Iterator[Case]:
    """Yield steps into hexes with registered fire."""
    if not position.conditions.registered:
        return
    for going in steps(position, action):
        if presence(going.position, going.unit.side, going.to, going.unit).registered:
            yield Case((going.unit.id,), Watched(SECOND if going.beyond else FIRST), going.hexes)


@settles(FIRST, SECOND)
def of_decision(position: PanzerPosition, obligation: Obligation, outcome: str) -> list[Case]:
    """Return the enemy's decision."""
    unit = position.unit(obligation.unit)
    return [Case((unit.id,), Decided(outcome), hexes_of(unit))]


@cases(Hit)
def of_hit(position: PanzerPosition, action: Hit, _: Edition) -> list[Case]:
    """Return whether registered fire was used at the unit, of such fire's result."""
    unit = position.unit(action.unit)
    carrier = position.unit(unit.aboard) if unit.aboard is not None else unit
    facts = Shelled(unit.shelled or carrier.shelled, unit.aboard is not None)
    return struck_in(action, "registered", unit, facts)


@clause("P.move-d", kind="action")
def registered(facts: Watched | Decided | Shelled, sheet: Sheet) -> None:
    """Indirect fire registered in advance on a hex can be used at a unit that enters it while observed."""
    if isinstance(facts, Watched):
        choices = tuple(Odds(outcome, 1, 1) for outcome in ("held", "fired"))
        note = "the enemy fires, as registered on the hex, or holds its fire"
        sheet.roll(facts.decision, choices, note)
        sheet.exception("the enemy's observer is taken to see the hex with registered fire")
    elif isinstance(facts, Decided):
        if facts.outcome == "fired":  # an overrun is settled for two hexes
            sheet.force("shelled", True)
    elif not facts.attacked:
        sheet.bar("no fire registered on its hex has been used at it")


@begins
def forget(unit: PanzerUnit, start: Start) -> dict[str, Any]:
    """Forget registered fire with the phase."""
    return {"shelled": False}
