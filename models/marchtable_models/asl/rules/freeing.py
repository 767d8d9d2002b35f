"""Freeing a bogged vehicle (D8.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated

import msgspec

from marchtable.dice import SIDES
from marchtable.errors import BadInputError
from marchtable.rules.facts import Bill, Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, settles
from marchtable.state.action import Action
from marchtable.state.position import Obligation, Odds, UnitId
from marchtable_models.asl.data import count, ratio, vehicle_tables
from marchtable_models.asl.effects.acting import after_action
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.views import spending
from marchtable_models.asl.views.lines import kind_of as line_of
from marchtable_models.asl.views.mph_ends import interrupted
from marchtable_models.asl.views.standing import standing_of
from marchtable_models.asl.views.unitkinds import type_of


class Unbog(Action, frozen=True, tag="unbog"):
    """
    A bogged vehicle tries to free itself as it starts, backwards to go in Reverse.

    ``helper`` names an AFV in its Location that assists it.
    """

    unit: UnitId
    reverse: bool = False
    helper: Annotated[UnitId | None, msgspec.Meta(extra={"domain": "free"})] = None


class Freeing(Facts, frozen=True, gc=False):
    """A vehicle about to try to free itself from bog."""

    bogged: bool
    column: str
    tried: bool  # it has tried in this MPh
    mired: bool = False
    armor_leader: bool = False
    helped: bool = False  # another AFV assists it


class Assisting(Facts, frozen=True, gc=False):
    """A vehicle named to assist a bogged one in its Location."""

    fit: bool  # a friendly Mobile, Stopped AFV there: CE, in no line, that has not fired
    fresh: bool  # it has spent nothing in this MPh
    tons: float  # 0 if unknown, here and in the next field
    bogged_tons: float
    allotment: int  # half MP


class Freed(Facts, frozen=True, gc=False):
    """The result of such a try; half MP."""

    how: str
    cost: int
    spent: int
    allotment: int
    reverse: bool
    mired: bool = False
    red_mp: bool = False  # an AFV with MP printed in red
    assisted: bool = False  # another AFV has assisted


@cases(Unbog)
def freeing_facts(position: AslPosition, action: Unbog, edition: Edition) -> Iterator[Case]:
    """Yield the facts of a vehicle that tries to free itself, and of its helper."""
    unit = position.unit(action.unit)
    yield about(unit, standing_of(position, unit, "unbog"))
    yield about(unit, freeing(position, unit, action.helper))
    if action.helper is not None:
        helper = position.unit(action.helper)
        had = spending.allotment(position, helper, edition)
        yield about(helper, assisting(position, helper, unit, had))
    yield from interrupted(position, (unit,), edition)


def freeing(position: AslPosition, unit: AslUnit, helper: str | None = None) -> Freeing:
    """Return the facts of a try to free a vehicle; a Start cost means it has tried."""
    kind = type_of(position, unit)
    return Freeing(
        bogged=unit.motion.bogged,
        column=kind.column,
        tried=unit.points.spent > unit.points.used,
        mired=unit.motion.mired,
        armor_leader=unit.crew.armor_leader,
        helped=helper is not None and bool(position.unit(helper)),
    )


def assisting(position: AslPosition, helper: AslUnit, bogged: AslUnit, allotment: int) -> Assisting:
    """Return the facts of a vehicle that assists a bogged one; `allotment` in half MP."""
    kind, crew = type_of(position, helper), helper.crew
    hindered = crew.bu or crew.recalled or not crew.able
    stuck = helper.motion.moving or helper.motion.bogged or helper.motion.immobile
    tired = helper.status.prep_fired or helper.status.fired or helper.status.ti
    return Assisting(
        fit=kind.afv
        and (helper.at, helper.side) == (bogged.at, bogged.side)
        and helper.id != bogged.id
        and not (hindered or stuck or tired or line_of(helper)),
        fresh=helper.move.mph == "unmoved" and not helper.points.spent,
        tons=kind.tons,
        bogged_tons=type_of(position, bogged).tons,
        allotment=allotment,
    )


@settles("unbog")
def try_facts(
    position: AslPosition, obligation: Obligation, outcome: str, edition: Edition
) -> Freed:
    """Return the result of a try."""
    unit = position.unit(obligation.unit)
    return freed_by(position, unit, outcome, spending.allotment(position, unit, edition))


def freed_by(position: AslPosition, unit: AslUnit, outcome: str, allotment: int) -> Freed:
    """Return the facts of the result of such a try."""
    how, cost = outcome_of(outcome)
    kind = type_of(position, unit)
    return Freed(
        how,
        cost * 2,
        unit.points.spent,
        allotment,
        unit.motion.reverse,
        unit.motion.mired,
        kind.red_mp and kind.afv,
        assisted=unit.status.ti,
    )


HOW = ("freed", "mired", "immobilized")


def _outcomes(times: int, drm: int) -> tuple[Odds, ...]:
    dice = range(1, SIDES + 1)
    found = Counter(
        (_becomes(colored + drm), colored * white * times) for colored in dice for white in dice
    )
    return tuple(
        Odds(f"{how}-{cost}", chance, SIDES * SIDES)
        for (how, cost), chance in sorted(
            found.items(), key=lambda x: (HOW.index(x[0][0]), x[0][1])
        )
    )


def _becomes(colored: int) -> str:
    """Return a bogged vehicle's new state for its Final colored dr."""
    if colored <= count("D8.3", "frees"):
        return "freed"
    return "immobilized" if colored >= count("D8.3", "immobilizes") else "mired"


def outcome_of(outcome: str) -> tuple[str, int]:
    """Return the result of a try, ``freed``, ``mired`` or ``immobilized``, and its cost in MP."""
    how, _, cost = outcome.partition("-")
    if not cost.isdecimal() or how not in HOW:
        raise BadInputError(
            f"expected an outcome such as freed-4, got {outcome!r}", field="outcome"
        )
    return how, int(cost)


@clause("D8.3a", kind="odds")
def unbog(facts: Freeing, sheet: Sheet) -> None:
    """A bogged vehicle can try to start for colored times white dr in MP, twice if not tracked."""
    if not facts.bogged:
        sheet.bar("the vehicle is not bogged")
    if facts.tried and sheet.reading("D8.3a") == "once":
        sheet.bar("it has tried this MPh")
    if facts.armor_leader:
        sheet.unsupported("by how much an Armor Leader helps if his quality is not stated")
    tracked = facts.column in vehicle_tables().tracked.columns
    drms = {"mired": count("D8.3", "mired")} if facts.mired else {}
    drms |= {"assisted": count("D8.3", "assisted")} if facts.helped else {}
    outcomes = _outcomes(1 if tracked else count("D8.3", "not_tracked"), sum(drms.values()))
    words = ", ".join(f"{drm:+d} {why}" for why, drm in drms.items())
    sheet.roll("unbog", outcomes, f"MP spent; {words}" if words else "MP spent")


@clause("D8.3c", kind="action", composes="joint")
def assists(facts: Assisting, sheet: Sheet) -> None:
    """A Mobile, Stopped AFV there can assist: CE, not much lighter, unfired, with all its MP."""
    if not facts.fit:
        sheet.bar("there is no Mobile, Stopped, CE AFV there that has not fired and is in no line")
    elif not facts.fresh:
        sheet.bar("it has spent MP, and must spend all of them to assist")
    elif not (facts.tons and facts.bogged_tons):
        sheet.unsupported(
            "whether it is heavy enough to assist: its weight, or the other's, is not stated"
        )
    elif facts.tons < (least := ratio("D8.3", "weight") * facts.bogged_tons):
        sheet.bar("it is too light to assist", f"{least:g} tons", f"{facts.tons:g} tons")


@clause("D8.3d", kind="effect")
def tires_both(facts: Assisting | Freeing, sheet: Sheet) -> None:
    """A vehicle that assists is TI with its MP spent; so is the vehicle it assists."""
    if isinstance(facts, Assisting):
        sheet.force("spent", facts.allotment)
        sheet.force("used", facts.allotment)
        sheet.force("mph", "done")
    if isinstance(facts, Assisting) or facts.helped:
        sheet.force("ti", value=True)


@clause("D8.31", kind="effect")
def mired(facts: Freed, sheet: Sheet) -> None:
    """A bogged vehicle that tries to start is mired on a colored dr of 5, which adds 1 to later ones; on 6 or more it is immobilized."""
    if facts.how == "mired":
        sheet.force("mired", value=True)
    elif facts.how == "immobilized":
        sheet.force("immobile", value=True)


@clause("D8.3b", kind="effect")
def freed(facts: Freed, sheet: Sheet) -> None:
    """A bogged vehicle that tries to start is free and in Motion on a colored dr of 4 or less, even if that takes all its MP."""
    sheet.force("spent", min(facts.allotment, facts.spent + facts.cost))
    if facts.how == "freed":
        sheet.force("bogged", value=False)
        if facts.mired:
            sheet.force("mired", value=False)
        if not facts.assisted:  # else it remains Stopped
            sheet.force("moving", value=True)
    elif facts.reverse:
        sheet.force("reverse", value=False)


@effect(Unbog)
def after_freeing(position: AslPosition, action: Unbog, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after a try, before its roll: its cost counts as a Start."""
    used = position.unit(action.unit).points.used
    return after_action(position, action, bills, used=used, moving=False, reverse=action.reverse)
