"""Vehicular smoke dispensers and smoke grenades, as far as they affect MP (D13)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

import msgspec

from marchtable.dice import SIDES, two_dice_at_least
from marchtable.rules.facts import Bill, Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, not_modelled, resolves, settles
from marchtable.state.action import Action
from marchtable.state.position import Counter, Obligation, Odds, UnitId
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.effects.acting import after_action
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.occasions import at_phase
from marchtable_models.asl.rules.phases import PhaseBegins
from marchtable_models.asl.verbs import Traits
from marchtable_models.asl.views import spending
from marchtable_models.asl.views.cargo import everybody
from marchtable_models.asl.views.chart import row_named
from marchtable_models.asl.views.mph_ends import interrupted
from marchtable_models.asl.views.overlay import site
from marchtable_models.asl.views.standing import Standing, standing_of
from marchtable_models.asl.views.unitkinds import type_of

FIRED, FAILED = "fired", "failed"
GRENADES = "grenades"


class Dispense(Action, frozen=True, tag="dispense"):
    """
    An AFV tries a smoke dispenser of a given kind and Usage Number, or a vehicle ``grenades``.

    ``usage`` is that number, on the counter. Grenades have a Usage Number of 2 for a CE AFV, else 1 (D13.35).
    """

    unlisted: ClassVar[str] = "its Usage Number is on the counter, which a type does not state"
    traits: ClassVar[Traits] = ("still",)

    unit: UnitId
    kind: Literal["sD", "sM", "sP", "sN", "grenades"]
    usage: Annotated[int, msgspec.Meta(ge=1, le=12, extra={"domain": "count"})]


class Dispensing(Facts, frozen=True, gc=False):
    """A vehicle about to try its smoke dispenser."""

    kind: str  # kind of dispenser, or ``grenades``
    usage: int  # its Usage Number
    afv: bool
    sound: bool  # it has a crew, neither Stunned nor Shocked
    bu: bool
    fired: bool  # it or one of its PRC has fired in this Player Turn
    tried: bool  # it has tried in this Player Turn
    left: int  # half MP
    armed: bool = False
    open_topped: bool = False
    washed: bool = False  # the weather lets no SMOKE remain in its Location
    own_turn: bool = True  # if so, firing costs a MP

    @property
    def equipped(self) -> bool:
        """Whether it can have what it tries."""
        return self.armed if self.kind == GRENADES else self.afv


class Dispensed(Facts, frozen=True, gc=False):
    """The result of a try, ``fired`` or ``failed``."""

    outcome: str
    spent: int  # half MP spent before it
    used: int
    own_turn: bool = True


@cases(Dispense)
def dispensing_facts(position: AslPosition, action: Dispense, edition: Edition) -> list[Case]:
    """Return the facts of a vehicle that tries its smoke dispenser."""
    unit = position.unit(action.unit)
    facts = dispensing(position, unit, action, spending.allotment(position, unit, edition))
    found = [about(unit, standing_of(position, unit, "dispense")), about(unit, facts)]
    return found + interrupted(position, (unit,), edition)


def dispensing(
    position: AslPosition, unit: AslUnit, action: Dispense, allotment: int
) -> Dispensing:
    """Return the facts of a vehicle that tries its smoke dispenser; `allotment` in half MP."""
    crew, kind, weather = unit.crew, type_of(position, unit), position.conditions
    indoors = unit.at is not None and row_named(site(position, unit.at).ground.here).closed
    return Dispensing(
        kind=action.kind,
        usage=action.usage,
        afv=kind.afv,
        armed=kind.armed,
        open_topped=kind.open_topped,
        washed=weather.washes_smoke_away and not indoors,
        sound=crew.able,
        bu=crew.bu,
        fired=any(
            u.status.fired or u.status.prep_fired for u in (unit, *everybody(position, unit))
        ),
        tried=crew.dispensed,
        left=allotment - unit.points.spent,
        own_turn=unit.side == position.side,
    )


@settles("dispense")
def try_facts(position: AslPosition, obligation: Obligation, outcome: str) -> Dispensed:
    """Return the result of a try."""
    unit = position.unit(obligation.unit)
    return Dispensed(outcome, unit.points.spent, unit.points.used, unit.side == position.side)


class DispenserTried(Facts, frozen=True, gc=False):
    """A vehicle that has tried its smoke dispenser, as a phase begins."""

    new_turn: bool


@at_phase
def phase_facts(_: AslPosition, unit: AslUnit, begins: PhaseBegins) -> DispenserTried | None:
    """Return the facts of a vehicle that has tried its smoke dispenser."""
    return DispenserTried(begins.new_turn) if unit.crew.dispensed else None


@clause("D13.2a", kind="action")
def who_dispenses(facts: Dispensing, sheet: Sheet) -> None:
    """An AFV with a sound crew tries its smoke dispenser once a Player Turn, before anyone in it fires."""
    if not facts.equipped:
        sheet.bar("only AFVs have smoke dispensers, and only armed vehicles have smoke grenades")
    elif not facts.sound:
        sheet.bar("its crew is gone, Stunned or Shocked")
    if facts.tried:
        sheet.bar("it has tried in this Player Turn")
    if facts.fired:
        sheet.bar("it, or one of its PRC, has fired")
    if facts.own_turn and facts.left < (need := halves("D13.2", "fires")):
        sheet.bar("no MP is left for it", need, facts.left, halves=True)


class Provoked(Standing):
    """A vehicle about to try its smoke dispenser in the enemy's MPh."""

    is_relevant = property(lambda self: self.provoked != "")


@clause("D13.2d", kind="action")
def in_the_enemys_mph(facts: Provoked, sheet: Sheet) -> None:
    """In the enemy's MPh a smoke dispenser is used only after the enemy spends MF or MP in LOS."""
    if facts.provoked == "no":
        sheet.bar("no moving enemy is in its LOS")
    elif facts.provoked in ("unstated", "unsure"):
        sheet.unsupported("whether a moving enemy is in its LOS; state it with `sight`")


@clause("D13.33", kind="action")
def hatches(facts: Dispensing, sheet: Sheet) -> None:
    """Smoke Pots need a CE crew, a Nahverteidigungswaffe a BU one."""
    if facts.kind == "sP" and facts.bu:
        sheet.bar("the crew is buttoned up")
    elif facts.kind == "sN" and not facts.bu:
        sheet.bar("the crew is CE")


@not_modelled("D13.32")
def out_of_sight(facts: Dispensing) -> bool:
    """A Smoke Mortar, which needs a TCA, a LOS and the DRM of what lies between."""
    return facts.kind == "sM"


@clause("D13.3", kind="odds")
def usage(facts: Dispensing, sheet: Sheet) -> None:
    """A dispenser fires on a DR up to its Usage Number, with a +1 if BU."""
    if facts.kind == GRENADES:
        return
    most = facts.usage - (count("D13.3", "bu") if facts.bu else 0)
    fails, of = two_dice_at_least(most + 1)
    odds = (Odds(FIRED, of - fails, of), Odds(FAILED, fails, of))
    sheet.roll("dispense", odds, f"Usage Number {facts.usage}")
    sheet.force("dispensed", value=True)


@clause("D13.35", kind="odds")
def grenades(facts: Dispensing, sheet: Sheet) -> None:
    """Vehicular smoke grenades need a dr of 1, or 2 for a CE AFV; a closed-topped AFV must be CE."""
    if facts.kind != GRENADES:
        return
    if facts.afv and facts.bu and not facts.open_topped:
        sheet.bar("the crew of a closed-topped AFV is buttoned up")
    most = count("D13.35", "ce" if facts.afv and not facts.bu else "others")
    if facts.usage != most:
        sheet.bar("that is not the number of its smoke grenades", most, facts.usage)
    odds = (Odds(FIRED, most, SIDES), Odds(FAILED, SIDES - most, SIDES))
    sheet.roll("dispense", odds, f"a dr of {most} or less")
    sheet.force("dispensed", value=True)


@clause("E3.53", kind="action")
def washed_away(facts: Dispensing, sheet: Sheet) -> None:
    """In rain, Mud or Deep Snow vehicles place SMOKE only in buildings."""
    if facts.washed:
        sheet.bar("in this weather no SMOKE remains there")


@clause("D13.2b", kind="effect")
def pays_as_it_fires(facts: Dispensed, sheet: Sheet) -> None:
    """Firing a dispenser costs 1 MP; a failed try is free."""
    if facts.outcome == FIRED and facts.own_turn:
        each = halves("D13.2", "fires")
        sheet.force("spent", facts.spent + each)
        sheet.force("used", facts.used + each)


@clause("D13.2c", kind="state")
def in_turn(facts: DispenserTried, sheet: Sheet) -> None:
    """A vehicle can try again in the next Player Turn."""
    if facts.new_turn:
        sheet.force("dispensed", value=False)


@effect(Dispense)
def after_try(position: AslPosition, action: Dispense, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after a try, before its roll."""
    return after_action(position, action, bills)


@resolves("dispense")
def after_roll(position: AslPosition, obligation: Obligation, outcome: str) -> AslPosition:
    """Return the position with the SMOKE placed; grenade SMOKE goes at the end of the MPh."""
    if outcome != FIRED:
        return position
    at = str(position.unit(obligation.unit).at)
    if obligation.clause == grenades.id:
        smoke = Counter(kind="smoke-grenades", at=at, until="phase")
    else:
        smoke = Counter(kind="smoke-dispersed", at=at)
    return msgspec.structs.replace(position, counters=(*position.counters, smoke))
