"""Demolition Charges, as far as placing them costs MF (A23.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from marchtable.rules.facts import Bill, Case, Edition, Sheet
from marchtable.rules.subjects import cases, clause, effect, not_modelled
from marchtable.state.action import Action
from marchtable.state.position import Counter, LocationName, UnitId
from marchtable_models.asl.counterkinds import PLACED_DC
from marchtable_models.asl.effects.acting import after_action
from marchtable_models.asl.model import AslPosition, AslUnit, Enter
from marchtable_models.asl.rules.stacks import stack_facts
from marchtable_models.asl.rules.support_weapons import OwnWeapon
from marchtable_models.asl.verbs import Traits
from marchtable_models.asl.views.movers import party
from marchtable_models.asl.views.mph_ends import interrupted
from marchtable_models.asl.views.reading import NOWHERE, entry, type_of
from marchtable_models.asl.views.spending_facts import PaidIfFree
from marchtable_models.asl.weapons import kind_of, named


class PlaceCharge(Action, frozen=True, tag="place"):
    """
    Infantry places a Demolition Charge on an adjacent Location.

    Add this entry only after no fire has prevented the placement.
    """

    unlisted: ClassVar[str] = "fire can prevent it before it is done"
    traits: ClassVar[Traits] = ("leaves", "beneath")

    unit: UnitId
    weapon: OwnWeapon
    to: LocationName


class Placing(PaidIfFree, frozen=True, gc=False):
    """A unit about to place a DC on an adjacent Location."""

    fit: bool  # Good Order Infantry on foot, not in Bypass
    has: bool  # it has that DC
    adjacent: bool
    open: bool  # the unit could enter, apart from the units there
    judged: bool  # the cost of entering is known
    cost: int  # cost of entering, in half MF
    afv: bool  # a Known AFV with its crew is there, and the unit is a MMC that owes a task check
    portaged: int  # PP that count as portaged in this MPh after the DC is placed


@cases(PlaceCharge)
def placing_facts(position: AslPosition, action: PlaceCharge, edition: Edition) -> list[Case]:
    """Return the facts of a unit that places a DC."""
    units = [position.unit(action.unit)]
    found = stack_facts(
        position, units, "place", lambda unit: placing(position, unit, action, edition)
    )
    return found + interrupted(position, units, edition)


def placing(position: AslPosition, unit: AslUnit, action: PlaceCharge, edition: Edition) -> Placing:
    """Return the facts of a unit that places a DC, with the cost of entering an empty Location."""
    kind, state, to = type_of(position, unit), unit.status, position.board.resolve(action.to)
    weapon = named(unit.sw, action.weapon)
    adjacent = unit.at is not None and position.board.hexside(unit.at, to) is not None
    found, manned = None, False
    if adjacent:
        step = entry(position, unit, to, party(position, (unit,)), Enter((unit.id,), to))
        manned = step.there.manned_afv
        bare = msgspec.structs.replace(
            NOWHERE, smoke=step.there.smoke, counters=step.there.counters, crowd=step.there.crowd
        )
        alone = step.replace(there=bare, inside="", detour=None, asks=())
        found = edition.judge(alone)
    return Placing(
        fit=kind.is_infantry
        and unit.cargo.aboard is None
        and unit.place.bypass is None
        and state.good_order
        and not state.unarmed,
        has=weapon is not None and kind_of(weapon) == "dc",
        adjacent=adjacent,
        open=found is None or not found.bars,
        judged=found is None or not found.unsupported,
        cost=0 if found is None else found.total,
        afv=manned and kind.class_ != "smc",
        portaged=unit.points.portaged + (weapon.pp if weapon and not weapon.portaged else 0),
    )


@clause("A23.3a", kind="action")
def who_places(facts: Placing, sheet: Sheet) -> None:
    """Good Order Infantry with a DC places it in its MPh."""
    if not facts.fit:
        sheet.bar("only Good Order Infantry on foot that is not in Bypass can place a DC")
    elif not facts.has:
        sheet.bar("the unit has no such DC")


@clause("A23.3b", kind="action")
def where(facts: Placing, sheet: Sheet) -> None:
    """A DC is placed on an adjacent Location that the unit could enter directly."""
    if not facts.adjacent:
        sheet.bar("that Location is not adjacent")
    elif not facts.open:
        sheet.bar("the unit could not enter there directly")


@not_modelled("A23.3c")
def cost_unstated(facts: Placing) -> bool:
    """A DC placed where entry is not judged, or on a Known AFV, which needs a task check first."""
    return facts.adjacent and (facts.afv or not facts.judged)


@clause("A23.3d", kind="cost")
def cost(facts: Placing, sheet: Sheet) -> None:
    """Placing a DC costs as much as entering the Location."""
    sheet.charge(facts.cost, "a DC placed", "demolition")


@clause("A23.3e", kind="state")
def still_portaged(facts: Placing, sheet: Sheet) -> None:
    """The DC counts as carried for at least the MF spent on placing it."""
    sheet.force("portaged", facts.portaged)


@effect(PlaceCharge)
def after_placing(position: AslPosition, action: PlaceCharge, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after a DC is placed: it stays until the Player Turn ends."""
    unit = position.unit(action.unit)
    weapon = named(unit.sw, action.weapon)
    if weapon is None:
        return after_action(position, action, bills)
    left = list(unit.sw)
    left.remove(weapon)
    after = after_action(position, action, bills, sw=tuple(left))
    placed = Counter(kind=PLACED_DC, at=position.board.resolve(action.to), until="turn")
    return msgspec.structs.replace(after, counters=(*after.counters, placed))
