"""Support weapons: carrying, transferring and using up (12.2, 12.4, 12.5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from marchtable.rules.facts import Case, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect
from marchtable.state.action import Action, Fellow
from marchtable.state.position import UnitId
from marchtable.state.records import replace
from marchtable_models.valor.data import figure
from marchtable_models.valor.model import ValorPosition, ValorUnit
from marchtable_models.valor.views.units import kind_of, type_of, weapon_of
from marchtable_models.valor.views.weapons import Salvo


class Give(Action, frozen=True, tag="give"):
    """A unit gives a support weapon to another in its hex, in exchange for one (``back``) or not."""

    unlisted: ClassVar[str] = "any weapon could go to any unit in the hex, in exchange for any"

    unit: UnitId
    to: Fellow
    weapon: str
    back: str = ""


class Handing(Facts, frozen=True):
    """A support weapon about to be transferred."""

    # the phase
    phase: str
    own_turn: bool
    # both are of one side and hex; both are infantry
    together: bool
    foot: bool
    held: bool  # each has what it would give


class Portage(Facts, frozen=True):
    """An infantry unit: whether it is a leader, and its light and heavy support weapons."""

    leader: bool
    light: int
    heavy: int


class UsedUp(Facts, frozen=True):
    """A unit that uses expendable weapons: the names of those left."""

    left: tuple[str, ...]


def portage_of(position: ValorPosition, unit: ValorUnit) -> Portage:
    """Return a unit's support weapons; expendable ones do not count (12.5)."""
    classes = [weapon_of(position, name).class_ for name in unit.sw]
    leader = type_of(position, unit).class_ == "leader"
    return Portage(leader, classes.count("L"), classes.count("H"))


def expended(position: ValorPosition, found: Salvo) -> list[UsedUp]:
    """Return the facts of the expendable weapons that a unit uses, if any."""
    left = list(found.unit.sw)
    for name in found.weapons:
        if name in left and weapon_of(position, name).class_ == "X":
            left.remove(name)
    return [UsedUp(tuple(left))] if len(left) < len(found.unit.sw) else []


@cases(Give)
def handing_facts(position: ValorPosition, action: Give) -> Iterator[Case]:
    """Yield the facts of the transfer, and of what each then carries."""
    unit, to = position.unit(action.unit), position.unit(action.to)
    held = action.weapon in unit.sw and (not action.back or action.back in to.sw)
    together = unit.at is not None and (unit.at, unit.side) == (to.at, to.side) and unit is not to
    foot = {kind_of(position, one) for one in (unit, to)} == {"infantry"}
    facts = Handing(position.phase, unit.side == position.side, together, foot, held)
    yield about(unit, facts)._replace(units=(unit.id, to.id))
    if held and together:
        for one in _exchanged(unit, to, action):
            yield about(one, portage_of(position, one))


def _exchanged(unit: ValorUnit, to: ValorUnit, action: Give) -> tuple[ValorUnit, ValorUnit]:
    """Return both with their weapons afterwards."""
    ours, theirs = list(unit.sw), list(to.sw)
    ours.remove(action.weapon)
    theirs.append(action.weapon)
    if action.back:
        theirs.remove(action.back)
        ours.append(action.back)
    return replace(unit, sw=tuple(ours)), replace(to, sw=tuple(theirs))


@clause("V12.4", kind="action")
def handed_on(facts: Handing, sheet: Sheet) -> None:
    """Infantry of one hex transfers or exchanges support weapons in its own Command Phase."""
    if not facts.own_turn or facts.phase != "Command":
        sheet.bar("it is not its side's Command Phase", "Command", facts.phase)
    if not facts.foot:
        sheet.bar("only infantry can carry support weapons")
    if not facts.together:
        sheet.bar("both must be in one hex")
    if not facts.held:
        sheet.bar("it does not have the weapon")


@clause("V12.2c", kind="capacity")
def portage(facts: Portage, sheet: Sheet) -> None:
    """A squad or half squad carries one light or heavy support weapon, a leader a light one."""
    most = figure("V12.2c", "weapons")
    if facts.light + facts.heavy > most:
        sheet.bar("too many support weapons", most, facts.light + facts.heavy)
    if facts.leader and facts.heavy:
        sheet.bar("leaders cannot carry heavy support weapons")


@clause("V12.5", kind="effect")
def used_up(facts: UsedUp, sheet: Sheet) -> None:
    """Expendable weapons are removed after use."""
    sheet.force("sw", facts.left)


@effect(Give)
def after_handing(position: ValorPosition, action: Give) -> ValorPosition | None:
    """Return the position with the weapons exchanged, None if they are not there."""
    unit, to = position.unit(action.unit), position.unit(action.to)
    if action.weapon not in unit.sw or (action.back and action.back not in to.sw) or unit is to:
        return None
    return position.with_units(_exchanged(unit, to, action))
