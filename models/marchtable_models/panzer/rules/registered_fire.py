"""Indirect fire registered in advance on a hex, against units that enter it."""

from __future__ import annotations

from collections.abc import Iterator

from marchtable.rules.facts import Case, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, resets, settles
from marchtable.state.position import Obligation, Odds
from marchtable_models.panzer.model import PanzerPosition
from marchtable_models.panzer.rules.hits import Struck
from marchtable_models.panzer.rules.movement import Move
from marchtable_models.panzer.rules.overruns import Overrun
from marchtable_models.panzer.views.presence import presence
from marchtable_models.panzer.views.travel import steps

FIRST, SECOND = "registered", "registered-beyond"
"""The enemy's decisions; an overrun enters two hexes."""


class Watched(Facts, frozen=True):
    """A step into a hex with registered fire that an enemy observes."""

    decision: str


class Decided(Facts, frozen=True):
    """The enemy's decision: ``fired`` or ``held``."""

    outcome: str


@cases(Move, Overrun)
def steps_facts(position: PanzerPosition, action: Move | Overrun) -> Iterator[Case]:
    """Yield the facts of steps into hexes with registered fire."""
    if not position.conditions.registered:
        return
    for going in steps(position, action):
        if presence(going.position, going.unit.side, going.to, going.unit).registered:
            yield about(going.unit, Watched(SECOND if going.beyond else FIRST), going.to)


@settles(FIRST, SECOND)
def decision_facts(position: PanzerPosition, _: Obligation, outcome: str) -> Decided:
    """Return the enemy's decision."""
    return Decided(outcome)


@clause("P.move-d", kind="action", assumes=True)
def registered(facts: Watched | Decided | Struck, sheet: Sheet) -> None:
    """Indirect fire registered in advance on a hex can be used at a unit that enters it while observed."""
    if isinstance(facts, Watched):
        choices = tuple(Odds(outcome, 1, 1) for outcome in ("held", "fired"))
        note = "the enemy fires, as registered on the hex, or holds its fire"
        sheet.roll(facts.decision, choices, note)
        sheet.exception("the enemy's observer is taken to see the hex with registered fire")
    elif isinstance(facts, Decided):
        if facts.outcome == "fired":  # an overrun is settled for two hexes
            sheet.force("shelled", True)
    elif facts.way == "registered" and not facts.attacked:
        sheet.bar("no fire registered on its hex has been used against it")


forgotten = resets(shelled=False)
