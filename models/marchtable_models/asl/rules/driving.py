"""Motion attempts (D2.401), Excessive Speed (D2.5) and Mechanical Reliability (D2.51)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, ClassVar

import msgspec

from marchtable.dice import SIDES, two_dice_at_least
from marchtable.rules.facts import Bill, Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, settles
from marchtable.rules.view import read
from marchtable.state.action import Action, Event
from marchtable.state.position import Half, Obligation, Odds, UnitId
from marchtable_models.asl.corners import CORNERS, SPINES, Spine
from marchtable_models.asl.data import count, vehicle_tables
from marchtable_models.asl.effects.acting import after_action
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.occasions import PARTING, TURNING, at_phase
from marchtable_models.asl.rules.bog import is_turn_difficult
from marchtable_models.asl.rules.freeing import Freed
from marchtable_models.asl.rules.phases import PhaseBegins
from marchtable_models.asl.rules.platoons import is_immobile, platoon_of
from marchtable_models.asl.verbs import OnePoint, Traits
from marchtable_models.asl.views import movers, vehicles
from marchtable_models.asl.views.lookout import is_computed, provoked
from marchtable_models.asl.views.los import Los
from marchtable_models.asl.views.mph_ends import interrupted
from marchtable_models.asl.views.reading import there
from marchtable_models.asl.views.spending_facts import Allowance
from marchtable_models.asl.views.standing import standing_of
from marchtable_models.asl.views.unitkinds import nationality_of, type_of
from marchtable_models.asl.views.vehicle_facts import StartStop, Swing


class ExcessSpeed(Action, frozen=True, tag="esb"):
    """A vehicle tries for more MP than printed (ESB); the program proposes one extra MP."""

    unit: UnitId
    mp: OnePoint = 2


class MotionAttempt(Event, frozen=True, tag="motion"):
    """
    A DEFENDER's vehicle tries to get into Motion.

    ``seen`` is what the moving unit has spent in its LOS this MPh; ``reverse`` tries for Reverse
    Motion. Name one AFV of a platoon: all of them try with it.
    """

    traits: ClassVar[Traits] = ("says",)
    chosen: ClassVar[bool] = True

    unit: UnitId
    seen: Annotated[Half, msgspec.Meta(extra={"domain": "seen"})] = 2
    reverse: bool = False


class Veer(Event, frozen=True, tag="vca"):
    """A DEFENDER's vehicle whose Motion attempt has succeeded points its VCA along a hexspine."""

    traits: ClassVar[Traits] = ("says",)
    chosen: ClassVar[bool] = True

    unit: UnitId
    facing: Annotated[Spine, msgspec.Meta(description=CORNERS, extra={"domain": "veer"})]


class Burst(Facts, frozen=True, gc=False):
    """A vehicle about to use Excessive Speed; half MP."""

    column: str  # Terrain Chart column
    printed: int
    mp: int  # extra MP asked for
    nationality: str  # its maker; its owner if the name does not say
    had: int  # gained this way in this MPh
    enemy_afv: bool = False  # there is one in its Location
    armed: bool = False


class MotionTry(Facts, frozen=True, gc=False):
    """A DEFENDER's vehicle about to try to get into Motion."""

    kind: str  # ``foot``, ``vehicle`` or ``wreck``
    own_turn: bool
    phase: str
    on_map: bool
    moving: bool  # it is in Motion
    fixed: bool  # unable to move
    tried: bool  # in this Player Turn
    seen: int  # half points that the moving enemy has spent in its LOS
    convoy: bool = False
    drm: int = 0  # 1 for a lone AFV without a radio, for a platoon the number of its AFV
    reverse: bool = False  # it tries for Reverse Motion
    has_reverse: bool = True  # it can use Reverse Motion at all
    mate: bool = False  # platoon mate of the vehicle that makes the dr
    red_platoon: bool = False  # an AFV of a platoon with MP printed in red
    fired: bool = False  # it has fired in this MPh
    # if sight is computed
    los: Los = "unstated"  # a moving enemy is in its LOS, or in a platoon mate's
    spent: int = 0  # most half points that such an enemy has spent


class DriveResult(Facts, frozen=True, gc=False):
    """The result of a roll for Excessive Speed or a Motion attempt."""

    speed: bool  # for Excessive Speed
    outcome: str
    reverse: bool  # it moves, or tries to, in Reverse
    moving: bool = False  # it was in Motion
    red_mp: bool = False  # an AFV outside any platoon, with MP printed in red


class Veering(Facts, frozen=True, gc=False):
    """A vehicle about to change its VCA after a Motion attempt."""

    swing: Swing  # the change, as in its own MPh
    facing: str  # the new VCA's hexspine
    gained: bool  # it gained Motion in the enemy's MPh by an attempt


def _answers(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a unit is a DEFENDER's vehicle in the MPh."""
    defends = position.phase == "MPh" and unit.side != position.side
    return defends and unit.at is not None and type_of(position, unit).is_vehicle


def seen_values(position: AslPosition, unit: AslUnit) -> tuple[int, ...]:
    """Return the most half points that a moving enemy has spent in a vehicle's LOS, as far as known; 1 MF at least."""
    if not _answers(position, unit):
        return ()
    mates = [] if unit.line.convoy else platoon_of(position, unit)
    if is_computed(position):
        return (max(2, provoked(position, mates or [unit], entering=True)[1]),)
    moving = [
        u.points.spent for u in position.units if u.side == position.side and u.move.mph == "moving"
    ]
    return (max([2, *moving]),)


def veer_values(position: AslPosition, unit: AslUnit) -> tuple[Spine, ...]:
    """Return the hexspines along which a vehicle could point its VCA after a Motion attempt."""
    if not (_answers(position, unit) and unit.motion.tried_motion and unit.motion.moving):
        return ()
    return tuple(one for one in SPINES if one != unit.facing)


@cases(ExcessSpeed)
def speed_facts(position: AslPosition, action: ExcessSpeed, edition: Edition) -> list[Case]:
    """Return the facts of Excessive Speed."""
    unit = position.unit(action.unit)
    kind = type_of(position, unit)
    facts = Burst(
        kind.column,
        kind.mp * 2,
        action.mp,
        _made_by(kind.name) or nationality_of(unit),
        unit.points.esb,
        there(position, unit.side, unit.at or "").enemy_afv,
        kind.armed,
    )
    found = [about(unit, standing_of(position, unit, "esb")), about(unit, facts)]
    return found + interrupted(position, (unit,), edition)


@cases(MotionAttempt)
def attempt_facts(position: AslPosition, action: MotionAttempt) -> list[Case]:
    """Return the facts of a Motion attempt: the platoon's, if the vehicle is in one."""
    unit = position.unit(action.unit)
    mates = [] if unit.line.convoy else platoon_of(position, unit)
    trying = (unit, *(mate for mate in mates if mate.id != unit.id))
    return [about(each, motion_try(position, each, action, mates)) for each in trying]


@cases(Veer)
def veering_facts(position: AslPosition, action: Veer, edition: Edition) -> list[Case]:
    """Return the facts of a VCA change after a Motion attempt, and of Riders."""
    unit = position.unit(action.unit)
    defends = position.phase == "MPh" and unit.side != position.side
    facts = Veering(
        vehicles.swing(position, unit, SPINES.index(action.facing)),
        action.facing,
        defends and unit.motion.tried_motion and unit.motion.moving and unit.at is not None,
    )
    return [about(unit, facts), *edition.subjects.ask(TURNING, [], position, unit, edition)]


@settles("esb", "reliability")
def speed_roll_facts(
    position: AslPosition, obligation: Obligation, outcome: str, edition: Edition
) -> list[Case]:
    """Return the facts of a roll for Excessive Speed or Mechanical Reliability, and of the vehicle's line."""
    unit = position.unit(obligation.unit)
    found = [about(unit, drive_result(position, unit, outcome, speed=True))]
    if outcome == "immobilized":
        found += edition.subjects.ask(PARTING, [], position, unit)
    return found


@settles("motion")
def attempt_roll_facts(position: AslPosition, obligation: Obligation, outcome: str) -> list[Case]:
    """Return the facts of the dr of a Motion attempt: one for a platoon (D14.211)."""
    unit = position.unit(obligation.unit)
    mates = [] if unit.line.convoy else platoon_of(position, unit)
    tried = (unit, *(mate for mate in mates if mate.id != unit.id))
    return [about(each, drive_result(position, each, outcome, speed=False)) for each in tried]


def _made_by(name: str) -> str:
    """Return the maker of the named vehicle, ``""`` if no letter in brackets states it."""
    letters = re.findall(r"\((.)\)", name)
    makers = vehicle_tables().makers
    return next((makers[letter] for letter in reversed(letters) if letter in makers), "")


def _is_red(position: AslPosition, unit: AslUnit) -> bool:
    kind = type_of(position, unit)
    return kind.red_mp and kind.afv


def motion_try(
    position: AslPosition, unit: AslUnit, action: MotionAttempt, platoon: Sequence[AslUnit] = ()
) -> MotionTry:
    """Return the facts of a Motion attempt; `platoon` are the AFV that attempt it together."""
    kind = type_of(position, unit)
    los: Los = "unstated"
    spent = 0
    if is_computed(position):
        los, spent = provoked(position, platoon or [unit], entering=True)
    lone = kind.afv and not kind.radio and not unit.line.convoy
    return MotionTry(
        kind="vehicle" if kind.is_vehicle else "foot",
        own_turn=unit.side == position.side,
        phase=position.phase,
        on_map=unit.at is not None,
        moving=unit.motion.moving,
        fixed=is_immobile(unit),
        tried=unit.motion.tried_motion,
        seen=action.seen,
        convoy=unit.line.convoy != "",
        drm=len(platoon) or int(lone),
        reverse=action.reverse,
        has_reverse=movers.mover(position, unit).reverse_times > 0 and not unit.cargo.towing,
        mate=unit.id != action.unit,
        red_platoon=bool(platoon) and _is_red(position, unit),
        fired=unit.status.fired,
        los=los,
        spent=spent,
    )


def drive_result(position: AslPosition, unit: AslUnit, outcome: str, *, speed: bool) -> DriveResult:
    """Return the result of Excessive Speed or a Motion attempt."""
    red = not unit.line.platoon and _is_red(position, unit)
    return DriveResult(speed, outcome, unit.motion.reverse, unit.motion.moving, red)


# -- Excessive Speed -----------------------------------------------------------------------------


class MotionTried(Facts, frozen=True, gc=False):
    """A vehicle that has made a Motion attempt, as a phase begins."""

    new_turn: bool


@at_phase
def phase_facts(_: AslPosition, unit: AslUnit, begins: PhaseBegins) -> MotionTried | None:
    """Return the facts of a vehicle that has made a Motion attempt."""
    return MotionTried(begins.new_turn) if unit.motion.tried_motion else None


@clause("D2.5a", kind="odds")
def esb(facts: Burst, sheet: Sheet) -> None:
    """Once per MPh a tracked vehicle can risk asking for up to a quarter of its printed MP more."""
    if facts.column not in vehicle_tables().tracked.columns:
        sheet.bar("only a tracked vehicle uses Excessive Speed")
    if facts.had:
        sheet.bar("Excessive Speed is used once a MPh")
    most = facts.printed // 2 // count("D2.5", "share") * 2
    if not 0 < facts.mp <= most:
        sheet.bar("it asks for too much", most, facts.mp, halves=True)
    elif facts.mp % 2:
        sheet.bar("Excessive Speed is asked for in whole MP")
    table = vehicle_tables().esb
    nation = facts.nationality.lower()
    whose = nation if nation in table else "others"
    asked, drm = facts.mp // 2, table[whose]
    fails, of = two_dice_at_least(count("D2.5", "immobilizes") - asked - drm)
    odds = (Odds("mobile", of - fails, of), Odds("immobilized", fails, of))
    if whose == "others":
        named = ", ".join(name for name in table if name != whose)
        sheet.exception(f"{facts.nationality or 'no nationality'} is not one of {named}")
    sheet.force("esb", facts.mp)
    sheet.roll("esb", odds, f"{asked:+d} MP asked, {drm:+d} {whose}")


class SpeedMP(Allowance):
    """MP gained by Excessive Speed."""

    esb: int = read("unit.points.esb", 0)  # half MP

    is_relevant = property(lambda self: self.esb != 0)


@clause("D2.5b", kind="cost", composes="start")
def esb_mp(facts: SpeedMP, sheet: Sheet) -> None:
    """MP gained by Excessive Speed are added to the allotment."""
    sheet.charge(facts.esb, "Excessive Speed")


@clause("D2.5c", kind="effect")
def esb_immobilizes(facts: DriveResult, sheet: Sheet) -> None:
    """A vehicle whose engine fails is immobilized."""
    if facts.speed and facts.outcome == "immobilized":
        sheet.force("immobile", value=True)
        sheet.force("moving", value=False)
        if facts.reverse:
            sheet.force("reverse", value=False)


@clause("D2.51", kind="odds")
def reliability(facts: StartStop | Freed | DriveResult | MotionTry, sheet: Sheet) -> None:
    """An AFV with red MP breaks down on a 12 as it starts or gets into Motion."""
    if isinstance(facts, MotionTry):
        if facts.red_platoon:
            sheet.unsupported("which AFV of a platoon breaks down as it gets into Motion")
        return
    if isinstance(facts, StartStop):
        due = facts.mover.red_mp and facts.verb == "start"
    elif isinstance(facts, Freed):  # its MP expenditure is that of a Start
        due = facts.red_mp and facts.how != "immobilized"
    else:
        due = facts.red_mp and not facts.speed and facts.outcome == "motion"
    if due:
        fails, of = two_dice_at_least(count("D2.51", "immobilizes"))
        odds = (Odds("mobile", of - fails, of), Odds("immobilized", fails, of))
        sheet.roll("reliability", odds, "Mechanical Reliability")


@clause("D2.6b", kind="action")
def no_speed_beside_afv(facts: Burst, sheet: Sheet) -> None:
    """A vehicle that cannot stay with an enemy AFV cannot attempt Excessive Speed there."""
    if facts.enemy_afv and facts.armed:
        sheet.unsupported("whether it could hurt the enemy AFV there")
    elif facts.enemy_afv:
        sheet.bar("an enemy AFV is there, and the vehicle is unarmed")


# -- Motion attempts -----------------------------------------------------------------------------


@clause("D2.401a", kind="odds")
def motion_attempt(facts: MotionTry, sheet: Sheet) -> None:
    """A DEFENDER's vehicle gets into Motion on a dr up to what the enemy has spent in its LOS."""
    sheet.force("tried_motion", value=True)
    if facts.reverse:
        sheet.force("reverse", value=True)
    if facts.fired:
        sheet.bar("a vehicle that has fired in this MPh cannot try to get into Motion")
    if facts.mate:
        return
    if facts.reverse and (facts.moving or not facts.has_reverse):
        sheet.bar("only a stopped vehicle that can use Reverse can try for Reverse Motion")
    if facts.kind != "vehicle" or not facts.on_map:
        sheet.bar("only a vehicle on the map can try to get into Motion")
    if facts.own_turn or facts.phase != "MPh":
        sheet.bar("a vehicle tries to get into Motion in the enemy's MPh", "MPh", facts.phase)
    if facts.fixed:
        sheet.bar("only a vehicle that is able to move can try to get into Motion")
    if facts.tried and sheet.reading("D2.401a") == "once":
        sheet.bar("it has tried this Player Turn")
    _in_los(facts, sheet)
    chance = min(SIDES, facts.seen // 2 - facts.drm)
    if chance < 1:
        least = 2 * (facts.drm + 1)
        sheet.bar("the enemy has not spent enough in its LOS", least, facts.seen, halves=True)
    else:
        odds = (Odds("motion", chance, SIDES), Odds("stopped", SIDES - chance, SIDES))
        sheet.roll("motion", odds, f"a dr of {chance} or less")


def _in_los(facts: MotionTry, sheet: Sheet) -> None:
    """Object if the stated enemy expenditure in LOS contradicts computed sight."""
    if facts.los == "no":
        sheet.bar("no moving enemy has come into its LOS")
    elif facts.los == "unsure":
        sheet.unsupported("whether a moving enemy is in its LOS; state it with `sight`")
    elif facts.los == "yes" and facts.seen > facts.spent:
        sheet.bar("no enemy in its LOS has spent that much", facts.seen, facts.spent, halves=True)


@clause("E11.24b", kind="action")
def no_motion_attempt(facts: MotionTry, sheet: Sheet) -> None:
    """A Convoy and its vehicles cannot make a Motion attempt."""
    if facts.convoy:
        sheet.bar("a Convoy vehicle cannot make a Motion attempt")


@clause("D2.401b", kind="effect")
def motion_gained(facts: DriveResult, sheet: Sheet) -> None:
    """A vehicle that succeeds is in Motion, or in Reverse Motion if it tried for that."""
    if facts.speed or facts.moving:
        return  # already in Motion, it can only change its VCA
    if facts.outcome == "motion":
        sheet.force("moving", value=True)
    elif facts.reverse:
        sheet.force("reverse", value=False)


@clause("D2.401d", kind="effect")
def veer(facts: Veering, sheet: Sheet) -> None:
    """A vehicle whose Motion attempt succeeds can point its VCA along any hexspine for free."""
    if not facts.gained:
        sheet.bar(
            "its VCA can change in this way only after a successful Motion attempt in this MPh"
        )
    if not facts.swing.steps:
        sheet.bar("that is already its VCA")
    if facts.swing.in_bypass:
        sheet.bar("a vehicle in Bypass keeps its VCA")
    if is_turn_difficult(facts.swing, sheet):
        sheet.unsupported("the Bog Checks of such a VCA change")
    sheet.force("facing", facts.facing)


@clause("D2.401c", kind="state")
def motion_tried(facts: MotionTried, sheet: Sheet) -> None:
    """A Motion attempt counts only for its Player Turn."""
    if facts.new_turn:
        sheet.force("tried_motion", value=False)


@effect(ExcessSpeed)
def after_speed(position: AslPosition, action: ExcessSpeed, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after a vehicle has tried for Excessive Speed."""
    return after_action(position, action, bills)


@effect(MotionAttempt, Veer)
def after_attempt(position: AslPosition) -> AslPosition:
    """Return the position unchanged: clauses apply Motion and the new VCA."""
    return position
