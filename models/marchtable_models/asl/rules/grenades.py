"""SMOKE grenades of Infantry, as far as they cost MF (A24.1, A24.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

import msgspec

from marchtable.dice import SIDES
from marchtable.rules.facts import Bill, Case, Edition, Facts, Sheet
from marchtable.rules.subjects import cases, clause, effect, not_modelled, resolves, settles
from marchtable.state.action import Action
from marchtable.state.position import Counter, LocationName, Obligation, Odds, UnitId
from marchtable_models.asl.counterkinds import SMOKE
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.effects.acting import after_action
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.rules.stacks import stack_facts
from marchtable_models.asl.verbs import Traits
from marchtable_models.asl.views.chart import row_named
from marchtable_models.asl.views.mph_ends import interrupted
from marchtable_models.asl.views.overlay import crossing, site
from marchtable_models.asl.views.spending_facts import PaidIfFree
from marchtable_models.asl.views.unitkinds import type_of

PLACED, SHORT, FAILED, ENDS = "placed", "short", "failed", "ends"


class Smoke(Action, frozen=True, tag="smoke"):
    """
    A squad with a SMOKE exponent tries to place grenades in its Location or an adjacent one.

    ``exponent`` is the SMOKE exponent on its counter. ``wp`` means WP. Wind is not modelled.
    """

    unlisted: ClassVar[str] = "its exponent is on the counter, which a type does not state"
    traits: ClassVar[Traits] = ("leaves", "crest")

    unit: UnitId
    to: LocationName
    exponent: Annotated[int, msgspec.Meta(ge=1, le=5, extra={"domain": "count"})]
    wp: Annotated[bool, msgspec.Meta(extra={"domain": "free"})] = False


class Grenades(PaidIfFree, frozen=True, gc=False):
    """A unit about to try to place SMOKE grenades."""

    fit: bool  # Good Order Infantry squad on foot
    tried: bool  # it has tried in this MPh
    way: Literal["", "own", "adjacent"]  # the target Location
    rise: int  # levels from here up to there
    cliff: bool  # a cliff is between
    row: str  # Chart row there
    washed: bool  # the weather lets no SMOKE remain in the open
    indoors: Literal["", "own", "another"]  # building there: "another" if the unit is in one, too
    exponent: int
    wp: bool


class Thrown(Facts, frozen=True, gc=False):
    """The result of a try: ``placed``, ``short`` (in its own Location), ``failed`` or ``ends``."""

    outcome: str


@cases(Smoke)
def smoke_facts(position: AslPosition, action: Smoke, edition: Edition) -> list[Case]:
    """Return the facts of a unit that tries to place SMOKE grenades."""
    units = [position.unit(action.unit)]
    found = stack_facts(position, units, "smoke", lambda unit: throwing(position, unit, action))
    return found + interrupted(position, units, edition)


def throwing(position: AslPosition, unit: AslUnit, action: Smoke) -> Grenades:
    """Return the facts of a unit that tries to place SMOKE grenades."""
    board, weather = position.board, position.conditions
    to, state = board.resolve(action.to), unit.status
    way: Literal["", "own", "adjacent"] = ""
    if to == unit.at:
        way = "own"
    elif unit.at is not None and board.hexside(unit.at, to) is not None:
        way = "adjacent"
    ground = crossing(position, str(unit.at), to).ground if way else site(position, to).ground
    indoors: Literal["", "own", "another"] = ""
    if row_named(ground.there).closed and row_named(ground.here).closed:
        indoors = "own" if way == "own" else "another"
    return Grenades(
        fit=type_of(position, unit).class_ == "squad"
        and unit.cargo.aboard is None
        and state.good_order
        and not state.unarmed,
        tried=unit.move.thrown is not None,
        way=way,
        rise=ground.rise if way == "adjacent" else 0,
        cliff=ground.hexside == "cliff",
        row=ground.there,
        washed=weather.washes_smoke_away,
        indoors=indoors,
        exponent=action.exponent,
        wp=action.wp,
    )


@settles("smoke")
def throw_facts(position: AslPosition, obligation: Obligation, outcome: str) -> Thrown:
    """Return the result of a try."""
    return Thrown(outcome)


@clause("A24.1a", kind="action")
def who_throws(facts: Grenades, sheet: Sheet) -> None:
    """A Good Order Infantry squad tries to place SMOKE grenades once per MPh."""
    if not facts.fit:
        sheet.bar("only Infantry squads on foot and in Good Order have SMOKE grenades")
    elif facts.tried:
        sheet.bar("it has tried in this MPh")


@clause("A24.1b", kind="action")
def where(facts: Grenades, sheet: Sheet) -> None:
    """SMOKE grenades are placed in the unit's own Location or an adjacent one."""
    if not facts.way:
        sheet.bar("that Location is neither its own nor adjacent")


@clause("A24.1c", kind="action")
def height(facts: Grenades, sheet: Sheet) -> None:
    """SMOKE grenades are placed at most one level up, and not up a cliff."""
    if facts.rise > (most := count("A24.1", "levels")):
        sheet.bar("that Location is too high", most, facts.rise)
    elif facts.rise > 0 and facts.cliff:
        sheet.bar("a cliff leads up there")


@clause("A24.1d", kind="action")
def not_in_water(facts: Grenades, sheet: Sheet) -> None:
    """SMOKE grenades are not placed in Water Obstacles or marsh."""
    if facts.row in ("water", "marsh"):
        sheet.bar("there is water or marsh")


@clause("A24.11", kind="action")
def weather(facts: Grenades, sheet: Sheet) -> None:
    """In rain, Mud or Deep Snow SMOKE grenades work only in buildings."""
    if facts.washed and not facts.indoors:
        sheet.bar("in this weather no SMOKE remains there")


@not_modelled("A24.11b")
def other_building(facts: Grenades) -> bool:
    """In rain, Mud or Deep Snow, whether SMOKE goes into the building it comes from."""
    return facts.washed and facts.indoors == "another"


@clause("A24.1e", kind="cost")
def cost(facts: Grenades, sheet: Sheet) -> None:
    """A SMOKE attempt costs 1 MF in the unit's own Location, 2 MF in an adjacent one."""
    if facts.way:
        sheet.charge(halves("A24.1", facts.way), "SMOKE grenades", "grenades")


@clause("A24.1f", kind="odds")
def placement(facts: Grenades, sheet: Sheet) -> None:
    """SMOKE needs a dr up to the exponent (WP: one less) and, a level up, another of 3 or less."""
    reach = max(0, facts.exponent - (count("A24.3", "less") if facts.wp else 0))
    there = count("A24.1", "uphill") if facts.rise > 0 else SIDES
    chances = (
        (PLACED, reach * there),
        (SHORT, reach * (SIDES - there)),
        (FAILED, (SIDES - 1 - reach) * SIDES),
        (ENDS, SIDES),
    )
    odds = tuple(Odds(said, chance, SIDES * SIDES) for said, chance in chances if chance)
    sheet.roll("smoke", odds, f"exponent {reach}")


@clause("A24.1g", kind="effect", composes="end")
def ends(facts: Thrown, sheet: Sheet) -> None:
    """A dr of 6 for SMOKE grenades ends the unit's MPh."""
    if facts.outcome == ENDS:
        sheet.force("mph", "done")


@effect(Smoke)
def after_throwing(position: AslPosition, action: Smoke, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after a try, with its target kept."""
    return after_action(position, action, bills, thrown=position.board.resolve(action.to))


@resolves("smoke")
def after_try(position: AslPosition, obligation: Obligation, outcome: str) -> AslPosition:
    """Return the position with the SMOKE placed: it goes at the end of the MPh."""
    if outcome not in (PLACED, SHORT):
        return position
    unit = position.unit(obligation.unit)
    smoke = Counter(
        kind=SMOKE,
        at=str(unit.move.thrown if outcome == PLACED else unit.at),
        until="phase",
    )
    return msgspec.structs.replace(position, counters=(*position.counters, smoke))
