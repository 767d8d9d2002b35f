"""Phases (A3): their order in a Player Turn, and what each one ends and begins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from marchtable.rules.facts import Case, Edition, Facts, Sheet
from marchtable.rules.subjects import clause, phase_cases
from marchtable.state.action import Phase
from marchtable_models.asl.effects.acting import begins_turn
from marchtable_models.asl.model import PHASES, AslPosition
from marchtable_models.asl.occasions import FIRE_OVER, PHASE
from marchtable_models.asl.views.mph_ends import endings
from marchtable_models.asl.views.standing import fights
from marchtable_models.asl.views.unitkinds import type_of


class PhaseBegins(NamedTuple):
    """A phase that begins."""

    phase: str
    side: str  # side whose Player Turn it is
    new_turn: bool  # a new Player Turn begins with it


class PhaseOrder(Facts, frozen=True, gc=False):
    """A phase that begins."""

    later: bool  # whether it comes after the one that ends, or in another Player Turn
    # side, sides: whose Player Turn it is of, and the sides that the scene names
    side: str
    sides: tuple[str, ...]
    # of phases left out: units that might rally in the RPh and rout in the RtPh, and Locations with
    # units of both sides in the CCPh
    rallies: tuple[str, ...] = ()
    routs: tuple[str, ...] = ()
    fights: tuple[str, ...] = ()
    # of a CCPh that ends: Locations with units of which it is not stated whether they are in Melee
    ends: tuple[str, ...] = ()


@phase_cases
def phase_facts(position: AslPosition, event: Phase, edition: Edition) -> Iterator[Case]:
    """Yield the facts of a phase that begins, of the MPhs it ends, and of each unit."""
    side = event.side or position.side
    named = {position.side, position.conditions.first_side, *(unit.side for unit in position.units)}
    sides = tuple(sorted(named - {""}))
    yield Case((), _order(position, event.phase, side, sides), ())
    if position.phase == "MPh":
        over = [unit for unit in position.units if unit.side == position.side]
        yield from endings(position, over, edition)
    yield from edition.subjects.ask(FIRE_OVER, [], position, True)
    begins = PhaseBegins(event.phase, side, begins_turn(position, event))
    for unit in position.units:
        yield from edition.subjects.ask(PHASE, [unit], position, unit, begins)


def _order(position: AslPosition, phase: str, side: str, sides: tuple[str, ...]) -> PhaseOrder:
    """Return the facts of a phase that begins, and of the phases that are left out for it."""
    now, then = PHASES.index(position.phase), PHASES.index(phase)
    later = then > now
    same = side == position.side
    omitted = PHASES[now + 1 : then] if same else (*PHASES[now + 1 :], *PHASES[:then])
    broken = tuple(u.id for u in position.units if u.at is not None and u.status.broken)
    return PhaseOrder(
        later or not same,
        side,
        sides,
        rallies=broken if "RPh" in omitted else (),
        routs=broken if "RtPh" in omitted else (),
        fights=tuple(shared(position)) if "CCPh" in omitted else (),
        ends=tuple(open_fights(position)) if position.phase == "CCPh" else (),
    )


def open_fights(position: AslPosition) -> Iterator[str]:
    """Yield the Close Combats of which no result is stated, each as its Location and units."""
    for at in shared(position):
        units = position.occupants[at]
        if any(fights(position, unit) and not unit.status.melee for unit in units):
            seen = [unit.id for unit in units if not unit.concealment.concealed]
            yield f"{at} ({', '.join(seen)})"


def shared(position: AslPosition) -> Iterator[str]:
    """Yield the Locations with units of both sides that might fight: none is concealed, or a wreck."""
    for at, units in position.occupants.items():
        seen = [
            unit
            for unit in units
            if not unit.concealment.concealed and type_of(position, unit).class_ != "wreck"
        ]
        if len({unit.side for unit in seen}) > 1:
            yield at


@clause("A3c", kind="state")
def left_out(facts: PhaseOrder, sheet: Sheet) -> None:
    """A phase that is left out had something to do: units to rally or to rout, or Close Combat; a CCPh ends without results."""
    if facts.ends:
        sheet.exception(
            f"no result of the Close Combat in {'; '.join(facts.ends)} is entered: each player states it"
            " with `result` (`result UNIT held` or `result UNIT free` of Melee) or `capture`"
        )
    if facts.fights:
        where = ", ".join(facts.fights)
        sheet.exception(f"the CCPh is left out, though units of both sides are in {where}")
    if facts.routs:
        sheet.exception(f"the RtPh is left out, though these are broken: {', '.join(facts.routs)}")
    if facts.rallies:
        sheet.exception(f"the RPh is left out, though these are broken: {', '.join(facts.rallies)}")


@clause("A3", kind="action")
def phase_order(facts: PhaseOrder, sheet: Sheet) -> None:
    """Phases of a Player Turn follow in order; phases without actions can be left out."""
    if not facts.later:
        sheet.bar("it does not follow this phase in this side's Player Turn")


@clause("A3b", kind="action")
def side_of_scene(facts: PhaseOrder, sheet: Sheet) -> None:
    """A Player Turn belongs to one of the scene's two sides."""
    if len(facts.sides) > 1 and facts.side not in facts.sides:  # the side that is not stated
        sheet.bar("the scene has no such side", " or ".join(facts.sides), facts.side)
