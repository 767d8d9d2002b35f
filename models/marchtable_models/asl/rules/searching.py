"""Searching (A12.152)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, ClassVar

import msgspec

from marchtable.dice import SIDES
from marchtable.rules.facts import Bill, Case, Edition, Sheet
from marchtable.rules.subjects import cases, clause, effect
from marchtable.state.action import Action, Companions
from marchtable.state.position import Odds
from marchtable_models.asl.data import halves
from marchtable_models.asl.effects.acting import after_action
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.rules.leaders import partings
from marchtable_models.asl.rules.stacks import members, stack_facts
from marchtable_models.asl.verbs import Traits
from marchtable_models.asl.views.movers import crowd_of, half_squads_in
from marchtable_models.asl.views.mph_ends import interrupted
from marchtable_models.asl.views.spending_facts import PaidIfFree
from marchtable_models.asl.views.unitkinds import type_of


class Search(Action, frozen=True, tag="search"):
    """
    Infantry or Cavalry, alone or as a stack, Searches as its move ends.

    ``drm`` is the modifier from leaders and the enemy's kind.
    """

    unlisted: ClassVar[str] = "its modifier is not in the scene"
    traits: ClassVar[Traits] = ("leaves", "crest")

    units: Companions
    drm: Annotated[int, msgspec.Meta(ge=-9, le=9)] = 0


class Searching(PaidIfFree, frozen=True, gc=False):
    """A unit about to Search, alone or in a stack."""

    fit: bool  # Good Order Infantry or Cavalry, on foot or horseback
    assault: bool  # it has declared Assault Movement
    mmc: bool  # the stack includes a MMC
    first: bool  # it is the first of them, which makes the dr
    half_squads: int  # in the stack
    stealthy: int  # Stealthy units in the stack
    lax: int
    cx: int
    drm: int  # other modifiers to the dr


@cases(Search)
def search_facts(position: AslPosition, action: Search, edition: Edition) -> list[Case]:
    """Return the facts of units that Search, and of units left behind."""
    units = members(position, action.units)
    found = stack_facts(
        position, units, "search", lambda unit: searching(position, unit, units, action.drm)
    )
    found += interrupted(position, units, edition)
    return found + partings(position, action.units, edition)


def searching(
    position: AslPosition, unit: AslUnit, units: Sequence[AslUnit], drm: int
) -> Searching:
    """Return the facts of one of the units that Search together."""
    kinds = [type_of(position, one) for one in units]
    crowd, kind, state = crowd_of(kinds), type_of(position, unit), unit.status
    return Searching(
        fit=(kind.is_infantry or kind.class_ == "cavalry")
        and unit.cargo.aboard is None
        and not (state.broken or state.disrupted or unit.concealment.dummy),
        assault=unit.move.assault,
        mmc=any(one.is_personnel and one.class_ != "smc" for one in kinds),
        first=unit is units[0],
        half_squads=half_squads_in(crowd),
        stealthy=sum(one.stealth == "stealthy" for one in kinds),
        lax=sum(one.stealth == "lax" for one in kinds),
        cx=sum(one.status.cx for one in units),
        drm=drm,
    )


@clause("A12.152a", kind="action")
def who_searches(facts: Searching, sheet: Sheet) -> None:
    """Good Order Infantry or Cavalry with a MMC Searches as its move ends, except by Assault Movement."""
    if not facts.fit or not facts.mmc:
        sheet.bar("only Good Order MMC on foot or horseback, and SMC with them, can Search")
    elif facts.assault:
        sheet.bar("the unit has declared Assault Movement")


@clause("A12.152b", kind="cost")
def cost(_: Searching, sheet: Sheet) -> None:
    """Searching costs 1 MF."""
    sheet.charge(halves("A12.152", "search"), "to Search", "search")


@clause("A12.152c", kind="odds")
def search_dr(facts: Searching, sheet: Sheet) -> None:
    """A dr gives the number of Accessible hexes not Searched, less for stealth and extra half squads, more if Lax or CX."""
    if not facts.first:
        return
    more = facts.drm + facts.lax + facts.cx - facts.stealthy - max(0, facts.half_squads - 1)
    found = Counter(max(0, dr + more) for dr in range(1, SIDES + 1))
    odds = tuple(Odds(str(left), found[left], SIDES) for left in sorted(found))
    sheet.roll("search", odds, "hexes that are not Searched")


@clause("A12.152d", kind="effect", composes="end")
def is_ti(_: Searching, sheet: Sheet) -> None:
    """A unit that has Searched is TI, and its MPh is over."""
    sheet.force("ti", value=True)
    sheet.force("mph", "done")


@effect(Search)
def after_search(position: AslPosition, action: Search, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after units have paid for a Search."""
    return after_action(position, action, bills)
