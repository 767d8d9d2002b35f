"""SW dropped, recovered and handed on (A4.4, A4.43, A4.44)."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable.state.position import Odds
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.facts.foot import Handling
from marchtable_models.asl.facts.steps import Entry


@clause("A4.4b", kind="action")
def portaged_once(facts: Entry, sheet: Sheet) -> None:
    """No item is portaged by two units in one phase."""
    if facts.manner.spent_load:
        sheet.bar("another unit has portaged an item that it carries")


@clause("A4.43a", kind="action")
def drop(facts: Handling, sheet: Sheet) -> None:
    """An unbroken unit drops a SW in its own MPh or APh, or as the CCPh begins."""
    if facts.verb != "drop":
        return
    if not facts.has or not facts.foot:
        sheet.bar(f"it possesses no {facts.weapon}")
    if facts.flees:
        return  # see A10.4c
    if facts.broken:
        sheet.bar("the unit is broken")
    own = facts.phase in ("MPh", "APh") and facts.own_turn
    if not own and facts.phase != "CCPh":
        sheet.bar("SW are dropped in the unit's MPh or APh, or in the CCPh", "MPh", facts.phase)


@clause("A4.43b", kind="state")
def load_kept(facts: Handling, sheet: Sheet) -> None:
    """A SW dropped before its owner has spent MF is not portaged, later it is portaged all the way."""
    if facts.verb != "recover" and facts.carried:
        sheet.force("portaged", facts.portaged + facts.carried)


@clause("A4.43c", kind="effect")
def sunk(facts: Handling, sheet: Sheet) -> None:
    """A SW dropped in a marsh, or a stream that is not dry, is lost."""
    if facts.verb == "drop" and facts.drowns:
        sheet.exception(f"the {facts.weapon} is lost")


@clause("A4.431", kind="action")
def transfer(facts: Handling, sheet: Sheet) -> None:
    """SW are transferred in the RPh or as the APh begins, between units in Good Order."""
    if facts.verb != "transfer":
        return
    if not facts.has or not facts.foot:
        sheet.bar(f"it possesses no {facts.weapon}")
    if not facts.to_foot or not facts.together:
        sheet.bar("SW are handed to another Personnel unit of one's side and Location")
    if facts.broken and facts.to_smc:
        sheet.bar("a SMC recovers a SW from a broken friend (A4.44)")
    elif not facts.fit or not facts.to_fit:
        sheet.bar("both must be in Good Order and not pinned")
    if facts.tried or facts.to_busy:
        sheet.bar("no Transfer in a phase of Recovery")
    at_start = facts.phase == "APh" and facts.own_turn and not facts.begun
    if not at_start and facts.phase != "RPh":
        sheet.bar("SW are transferred in the RPh or as one's APh begins", "RPh", facts.phase)


@clause("A4.44a", kind="action")
def recover(facts: Handling, sheet: Sheet) -> None:
    """A fit unit tries once a phase to recover an item, no armed enemy by."""
    if facts.verb != "recover" or facts.gun:
        return
    if not facts.has:
        sheet.bar(f"no {facts.weapon} lies there")
    elif not facts.foot:
        sheet.bar("only a unit on foot recovers SW")
    if not facts.fit:
        sheet.bar("the unit must be in Good Order and not pinned")
    if facts.armed_enemy:
        sheet.bar("a Known armed enemy is there")
    if facts.phase == "RPh" and facts.tried:
        sheet.bar("in the RPh Recovery is the unit's only action")
    elif facts.weapon in facts.tried:
        sheet.bar("the unit has tried to recover this item")


@clause("A4.44f", kind="action")
def recovery_phase(facts: Handling, sheet: Sheet) -> None:
    """SW are recovered in the RPh, or in the unit's own MPh."""
    if facts.verb != "recover" or facts.gun:
        return
    if facts.phase == "RPh" or (facts.phase == "MPh" and facts.own_turn):
        return
    if facts.smc and facts.has and not facts.owned:
        sheet.unsupported("whether it was just lost by another, so that a SMC recovers it at once")
    else:
        sheet.bar("SW are recovered in the RPh or the unit's MPh", "MPh", facts.phase)


@clause("A4.44d", kind="action")
def from_the_broken(facts: Handling, sheet: Sheet) -> None:
    """From a broken friend a SMC alone recovers a SW, in his own RPh or MPh."""
    if not facts.owned:
        return
    if not facts.smc:
        sheet.bar(f"no {facts.weapon} lies there, and only a SMC takes that of a broken friend")
    elif not facts.own_turn and facts.phase == "RPh":
        sheet.bar("it is not the unit's own RPh")


@not_modelled("A4.44e")
def guns(facts: Handling) -> bool:
    """Recovery of Guns: who possesses one is not told."""
    return facts.gun


@clause("A4.44b", kind="cost")
def recovery_cost(facts: Handling, sheet: Sheet) -> None:
    """Recovery in the MPh costs 1 MF, from a broken friend it is for nothing."""
    if facts.verb == "recover" and facts.phase == "MPh" and not (facts.owned or facts.gun):
        sheet.charge(halves("A4.44", "cost"), "Recovery")


@clause("A4.44c", kind="odds")
def recovery_dr(facts: Handling, sheet: Sheet) -> None:
    """Recovery succeeds on a dr below 6, 1 harder each for CX and night."""
    if facts.verb != "recover" or facts.gun:
        return
    drm = facts.cx * count("A4.44", "cx") + facts.night * count("A4.44", "night")
    good, die = count("A4.44", "below") - 1 - drm, count("A4.44", "die")
    odds = (Odds("recovered", good, die), Odds("failed", die - good, die))
    sheet.roll("recover", odds, f"recovered on a dr of {good} or less")
