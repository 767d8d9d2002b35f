"""Task checks before an Infantry OVR and before an Advance against an AFV (A4.15, A11.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

import msgspec

from marchtable.dice import two_dice_at_least
from marchtable.rules.facts import Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, not_modelled, settles
from marchtable.rules.view import read
from marchtable.state.action import Action, Companions
from marchtable.state.position import LocationName, Obligation, Odds
from marchtable.state.records import replace
from marchtable_models.asl.data import count
from marchtable_models.asl.effects.acting import begun
from marchtable_models.asl.levels import level_entered, level_of
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.rules.leaders import partings
from marchtable_models.asl.rules.stacks import members, stack_facts
from marchtable_models.asl.verbs import Traits
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.mph_ends import interrupted
from marchtable_models.asl.views.reading import there, type_of
from marchtable_models.asl.views.standing import Actor, Standing, is_among

PASSED, FAILED = "passed", "failed"


class Dare(Action, frozen=True, tag="dare"):
    """
    Infantry takes the task check for an Infantry OVR of a SMC or to advance against an AFV.

    Before an OVR, a leader takes the check for all units named with it. ``drm`` is the total from
    leaders, TEM and Hindrances.
    """

    unlisted: ClassVar[str] = "its DRM is not in the scene"
    traits: ClassVar[Traits] = ("leaves", "advance", "crest", "cliff")

    units: Companions
    to: LocationName
    drm: Annotated[int, msgspec.Meta(ge=-9, le=9)] = 0


class Daring(Facts, frozen=True, gc=False):
    """A unit about to take a task check to enter a Location with enemies."""

    fit: bool  # Good Order Infantry on foot: a MMC or, before an Infantry OVR, a SMC with one
    alone: bool  # alone, or with a leader who takes the check for all
    takes: bool  # it takes the check itself
    whom: Literal[
        "", "smc", "afv"
    ]  # the enemy there: one Known SMC alone in the MPh, a Known manned AFV in the APh
    dared: bool  # it has already passed that check
    morale: int  # 0 if unknown
    inexperienced: bool
    drm: int  # other modifiers to the DR


class Dared(Facts, frozen=True, gc=False):
    """The result of a check, ``passed`` or ``failed``."""

    outcome: str
    advancing: bool  # the check was made in the APh


@cases(Dare)
def daring_facts(position: AslPosition, action: Dare, edition: Edition) -> list[Case]:
    """Return the facts of units that take a task check to enter, and of units left behind."""
    units = members(position, action.units)
    found = stack_facts(position, units, "dare", lambda unit: daring(position, unit, units, action))
    found += interrupted(position, units, edition)
    return found + partings(position, action.units, edition)


def daring(position: AslPosition, unit: AslUnit, units: Sequence[AslUnit], action: Dare) -> Daring:
    """Return the facts of one of the units covered by such a check."""
    kinds = [type_of(position, one) for one in units]
    kind, state, to = type_of(position, unit), unit.status, position.board.resolve(action.to)
    found = there(position, unit.side, to, level=level_entered(level_of(position, unit)))
    advancing = position.phase == "APh"
    whom: Literal["", "smc", "afv"] = ""
    if advancing:
        whom = "afv" if found.manned_afv else ""
    elif found.lone_smc:
        whom = "smc"
    goes_along = not advancing and any(one.class_ != "smc" for one in kinds)
    leader = next((one for one, of in zip(units, kinds, strict=True) if of.leads), None)
    return Daring(
        fit=kind.is_infantry
        and (kind.class_ != "smc" or goes_along)
        and unit.cargo.aboard is None
        and not state.disrupted,
        alone=len(units) == 1 or (leader is not None and not advancing),
        takes=unit is (leader or units[0]),
        whom=whom,
        dared=unit.move.dared == to,
        morale=kind.morale,
        inexperienced=state.inexperienced or kind.quality in ("green", "conscript"),
        drm=action.drm,
    )


@settles("dare")
def check_facts(position: AslPosition, obligation: Obligation, outcome: str) -> list[Case]:
    """Return the result of a check for all units it covers."""
    first = position.unit(obligation.unit)
    return [
        about(one, Dared(outcome, position.phase == "APh"))
        for one in position.units
        if (one.at, one.move.dared, one.side) == (first.at, first.move.dared, first.side)
    ]


@clause("A4.15c", kind="action")
def who_dares(facts: Daring, sheet: Sheet) -> None:
    """A MMC, or a leader for all units in the group, takes a task check against a lone Known SMC or, in the APh, a manned AFV."""
    if not facts.fit:
        sheet.bar(
            "only MMC on foot in Good Order take this check, and for an Infantry OVR the SMC with them"
        )
    elif not facts.alone:
        sheet.bar("each unit takes its own check if no leader is with it, and in the APh")
    elif not facts.whom:
        sheet.bar("there is no lone Known SMC or, in the APh, Known AFV with its crew")
    elif facts.dared:
        sheet.bar("the unit has passed that check")


@not_modelled("A4.15d")
def morale_unstated(facts: Daring) -> bool:
    """A task check of Infantry whose type states no morale."""
    return facts.fit and facts.takes and not facts.morale


@clause("A4.15e", kind="odds")
def check(facts: Daring, sheet: Sheet) -> None:
    """The check passes on a DR up to the morale, with leaders, TEM and Hindrances; Inexperienced units against an AFV add 1."""
    if not (facts.takes and facts.morale):
        return
    raw = count("A11.6", "inexperienced") if facts.inexperienced and facts.whom == "afv" else 0
    fails, of = two_dice_at_least(max(1, facts.morale - facts.drm - raw) + 1)
    odds = (Odds(PASSED, of - fails, of), Odds(FAILED, fails, of))
    sheet.roll("dare", tuple(one for one in odds if one.chance), f"morale {facts.morale}")


@clause("A4.15f", kind="effect", composes="end")
def fails(facts: Dared, sheet: Sheet) -> None:
    """A unit that fails the check does nothing more in its MPh; in the APh it is pinned."""
    if facts.outcome != FAILED:
        return
    sheet.force("dared", None)
    if facts.advancing:
        sheet.force("pinned", value=True)
    else:
        sheet.force("mph", "done")


class Dares(Entry):
    """An Advance by a unit that has passed a task check."""

    is_relevant = property(lambda self: self.manner.advancing and self.manner.elsewhere)


@clause("A11.6b", kind="action")
def advances_there(facts: Dares, sheet: Sheet) -> None:
    """A unit that has passed a task check to advance upon enemies advances only there."""
    if facts.manner.advancing and facts.manner.elsewhere:
        sheet.bar("the unit has passed a task check to advance elsewhere")


def _overruns(actor: Actor) -> bool:
    """Return whether a unit has entered by an Infantry OVR, with the SMC still there."""
    position, unit = actor.position, actor.unit
    if unit.at is None or unit.move.dared != unit.at or position.phase != "MPh":
        return False
    return is_among(position, unit, position.occupants.get(unit.at, ()))


class HasOverrun(Standing):
    """A unit that has entered by an Infantry OVR, with the SMC still there."""

    overruns: bool = read(_overruns)

    is_relevant = property(lambda self: self.overruns)


@clause("A4.152", kind="action", composes="end")
def close_combat_first(facts: HasOverrun, sheet: Sheet) -> None:
    """A unit that has entered by an Infantry OVR moves on only once the SMC is gone."""
    if facts.overruns and facts.verb != "end":
        sheet.bar("the SMC is still there: CC comes first")


@effect(Dare)
def after_daring(position: AslPosition, action: Dare) -> AslPosition:
    """Return the position with units about to enter; in the MPh other units' moves are over."""
    units, to = members(position, action.units), position.board.resolve(action.to)
    changed = [replace(unit, dared=to) for unit in units]
    return (
        position.with_units(changed) if position.phase == "APh" else begun(position, units, changed)
    )
