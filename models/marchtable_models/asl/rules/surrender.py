"""Surrender in the RtPh (A20.21), and failure to rout (A10.5)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from marchtable.rules.facts import Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, resolves, settles
from marchtable.state.action import Action
from marchtable.state.position import Obligation, Odds, UnitId
from marchtable_models.asl.data import halves
from marchtable_models.asl.effects.acting import captured, lost
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.occasions import at_phase
from marchtable_models.asl.rules.phases import PhaseBegins
from marchtable_models.asl.rules.prisoners import BY, can_guard, gone_facts, handed, load_of, us_of
from marchtable_models.asl.rules.routing import ELIMINATED, UNSTATED, Rout, Routing, routing
from marchtable_models.asl.views import spending
from marchtable_models.asl.views.adjacency import HexLevel, are_adjacent, spot_of
from marchtable_models.asl.views.flight import (
    Flight,
    Stated,
    are_together,
    entry_costs,
    is_armed,
    is_exposed,
    is_fit,
    takes_prisoner,
)
from marchtable_models.asl.views.lookout import has_los, is_computed
from marchtable_models.asl.views.los import Los
from marchtable_models.asl.views.overlay import site
from marchtable_models.asl.views.unitkinds import nationality_of

NEVER = ("japanese", "partisan")
NONE = "none"
OUT_OF_RANGE = (
    "the Normal Range of the enemies that see it is not known: none if it is out of range, else "
)


class Surrender(Action, frozen=True, tag="surrender"):
    """A broken unit surrenders in the RtPh to an adjacent enemy unit and becomes its prisoner."""

    unit: UnitId
    to: Annotated[UnitId, msgspec.Meta(extra={"domain": "captor"})]


class Surrendering(Facts, frozen=True, gc=False):
    """A unit about to surrender."""

    phase: str
    fit: bool  # broken Infantry on foot, neither pinned nor in Melee
    captor: bool  # an adjacent enemy that would take it prisoner
    nation: str
    enemy: str  # its captor's nationality
    disrupted: bool
    free: Stated  # whether it could rout into a Location without being Interdicted
    night: bool = False


@cases(Surrender)
def surrender_facts(position: AslPosition, action: Surrender, edition: Edition) -> list[Case]:
    """Return the facts of a unit that surrenders, and of its own prisoners."""
    unit, to = position.unit(action.unit), position.unit(action.to)
    left = spending.allotment(position, unit, edition) - unit.points.spent
    facts = surrendering(position, unit, action, edition, left)
    kept = handed(position, "surrender", unit, to, to)
    return [about((unit, to), facts), about((unit, to), kept), *gone_facts(position, unit)]


def surrendering(
    position: AslPosition, unit: AslUnit, action: Surrender, edition: Edition, left: int
) -> Surrendering:
    """Return the facts of a unit that surrenders to another; `left` in half MF."""
    captor = position.unit(action.to)
    fit = is_fit(position, unit)
    takes = takes_prisoner(position, unit, captor)
    free: Stated = "no"
    if fit and takes and not unit.status.disrupted and unit.at is not None:
        ways = {
            _rout_to(position, unit, to, edition, left)
            for _, to in position.board.neighbours(unit.at)
        }
        free = "yes" if "yes" in ways else "unstated" if "unstated" in ways else "no"
        if _has_stairs_away(position, unit, left):
            free = "yes"
    return Surrendering(
        phase=position.phase,
        fit=fit,
        captor=takes,
        nation=nationality_of(unit),
        enemy=nationality_of(captor),
        disrupted=unit.status.disrupted,
        free=free,
        night=position.conditions.night,
    )


def _rout_to(position: AslPosition, unit: AslUnit, to: str, edition: Edition, left: int) -> Stated:
    """Return whether a unit could rout into a Location without being Interdicted."""
    facts = routing(position, unit, Rout(unit.id, to), edition, left)
    found = edition.judge(msgspec.structs.replace(facts, dm=True, late=False))
    wary = Flight(position, unit, (), (), edition, left)
    price = entry_costs(wary, str(unit.at), to)
    if found.bars or found.rolls or price is None or price > left:
        return "no"
    return "unstated" if found.unsupported else "yes"


def _has_stairs_away(position: AslPosition, unit: AslUnit, left: int) -> bool:
    """Return whether a stairwell leads to a level ADJACENT to no Known enemy."""
    here, ground = spot_of(unit), site(position, str(unit.at)).ground
    if not ground.stairs or here.floor is None or left < halves("B23.4", "level"):
        return False
    known = [spot_of(one) for one in position.units if is_armed(position, unit, one)]
    return any(
        0 <= floor <= ground.floors
        and not any(are_adjacent(position, HexLevel(here.at, floor), enemy) for enemy in known)
        for floor in (here.floor - 1, here.floor + 1)
    )


@settles("failure-to-rout")
def failure_facts(position: AslPosition, obligation: Obligation, outcome: str) -> list[Case]:
    """Return the facts of a unit captured for failing to rout, and of its own prisoners."""
    if not outcome.startswith(BY):
        return []
    unit, to = position.unit(obligation.unit), position.unit(outcome.removeprefix(BY))
    kept = handed(position, "surrender", unit, to, to)
    return [about((unit, to), kept), *gone_facts(position, unit)]


Captor = tuple[str, str, int, int]
"""An enemy's name, nationality, US#, and the total US# of its prisoners then."""


class Unrouted(Facts, frozen=True, gc=False):
    """A broken unit as the RtPh ends."""

    unit: str
    cornered: bool  # it is with or adjacent to an unbroken Known armed enemy
    lingers: Los  # whether it has stayed in Open Ground, in such an enemy's LOS and Normal Range
    lingers_unsure: bool  # it has if an unclear computed LOS exists
    captors: tuple[Captor, ...]  # adjacent enemies that would take it prisoner
    nation: str
    night: bool


@at_phase
def phase_facts(position: AslPosition, unit: AslUnit, begins: PhaseBegins) -> Unrouted | None:
    """Return the facts of a broken unit as the RtPh ends."""
    if begins.phase != "APh" or not unit.status.broken:
        return None
    unsure = is_computed(position) and has_stayed_in_view(position, unit, stated=False) != "no"
    return Unrouted(
        unit=unit.id,
        cornered=is_cornered(position, unit),
        lingers=has_stayed_in_view(position, unit),
        lingers_unsure=unsure,
        captors=captors_of(position, unit),
        nation=nationality_of(unit),
        night=position.conditions.night,
    )


def captors_of(position: AslPosition, unit: AslUnit) -> tuple[Captor, ...]:
    """Return the enemies adjacent to a unit that would take it prisoner."""
    return tuple(
        (one.id, nationality_of(one), us_of(position, [one]), load_of(position, one, unit))
        for one in position.units
        if takes_prisoner(position, unit, one)
    )


def has_stayed_in_view(position: AslPosition, unit: AslUnit, *, stated: bool = True) -> Los:
    """
    Find whether a broken unit stayed in Open Ground in an enemy's LOS and Normal Range.

    It is ``unsure`` if the range of the enemies that see it is unknown. Without `stated`, only
    enemies of unclear sight count, not those that see it.
    """
    if (
        not unit.status.broken
        or unit.status.melee == "held"
        or unit.move.previous is not None
        or unit.cargo.aboard is not None
        or unit.place.inside
    ):
        return "no"
    watchers = [
        one
        for one in position.units
        if is_armed(position, unit, one)
        and has_los(position, unit, one) in (("yes",) if stated else ("unstated", "unsure"))
    ]
    return is_exposed(position, unit, watchers)


def is_cornered(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a broken unit on foot is with or adjacent to an unbroken Known armed enemy."""
    if not unit.status.broken or unit.status.melee == "held" or unit.at is None:
        return False
    return unit.cargo.aboard is None and any(
        not one.status.broken
        and is_armed(position, unit, one)
        and are_together(position, unit, one)
        for one in position.units
    )


@clause("A3.6", kind="action")
def in_rtph(facts: Routing | Surrendering, sheet: Sheet) -> None:
    """Units of both sides rout in the RtPh."""
    if facts.phase != "RtPh":
        sheet.bar("units rout, and surrender, in the RtPh", "RtPh", facts.phase)


@clause("E1.54b", kind="action")
def none_at_night(facts: Surrendering, sheet: Sheet) -> None:
    """At night units cannot surrender in the RtPh."""
    if facts.night:
        sheet.bar("at night units are captured only in CC, or as a building is mopped up")


@clause("A20.21a", kind="action")
def who_surrenders(facts: Surrendering, sheet: Sheet) -> None:
    """Broken Infantry on foot surrenders to adjacent Known armed Good Order Infantry or Cavalry."""
    if not facts.fit:
        sheet.bar("only broken Infantry on foot that is neither pinned nor in Melee can surrender")
    elif not facts.captor:
        sheet.bar(
            "the captor must be a Known armed enemy beside it, on foot or horseback, in Good Order and not in Melee"
        )


@clause("A20.21b", kind="action")
def never_surrenders(facts: Surrendering, sheet: Sheet) -> None:
    """Japanese, Partisans, and SS facing Russians never surrender this way."""
    if _never(facts.nation, facts.enemy):
        sheet.bar("such troops never surrender in the RtPh")


@clause("A20.21c", kind="action")
def surrenders_instead(facts: Surrendering, sheet: Sheet) -> None:
    """A unit that can rout without being Interdicted cannot surrender, unless disrupted."""
    if facts.disrupted or not facts.fit or not facts.captor:
        return
    if facts.free == "yes":
        sheet.bar("the unit can rout away without being Interdicted")
    elif facts.free == "unstated":
        sheet.unsupported("whether it can rout away: " + UNSTATED)


def _never(nation: str, enemy: str) -> bool:
    return nation in NEVER or (nation, enemy) == ("ss", "russian")


def _lost(facts: Unrouted, sheet: Sheet, *, perhaps: bool = False) -> None:
    captors = [
        BY + name for name, enemy, us, load in facts.captors
        if can_guard(us, load) and not _never(facts.nation, enemy)
    ]  # fmt: skip
    outcomes = tuple(
        Odds(one, 1, 1) for one in ((NONE,) if perhaps else ()) + (ELIMINATED, *captors)
    )
    note = "it is eliminated; a possible captor chooses"
    sheet.roll("failure-to-rout", outcomes, OUT_OF_RANGE + note if perhaps else note)
    lost = "can be eliminated or captured" if perhaps or captors else "is eliminated"
    sheet.exception(f"{facts.unit} has not routed: {lost} as the RtPh ends")


@clause("A10.5f", kind="odds")
def fails_to_rout(facts: Unrouted, sheet: Sheet) -> None:
    """A broken unit next to an unbroken Known armed enemy as the RtPh ends is captured or eliminated."""
    if facts.cornered and not facts.night:  # E1.54
        _lost(facts, sheet)


@clause("A10.5g", kind="odds")
def remains_in_the_open(facts: Unrouted, sheet: Sheet) -> None:
    """A broken unit in Open Ground, in a Known enemy's LOS and Normal Range, as the RtPh ends is captured or eliminated."""
    if facts.cornered or facts.night:
        return
    if facts.lingers == "yes":
        _lost(facts, sheet)
    elif facts.lingers_unsure:
        sheet.unsupported("whether a Known enemy sees it in Open Ground; state it with `sight`")
    elif facts.lingers == "unsure":
        _lost(facts, sheet, perhaps=True)


@effect(Surrender)
def after_surrender(position: AslPosition, action: Surrender) -> AslPosition:
    """Return the position after a unit has surrendered."""
    return captured(position, position.unit(action.unit))


@resolves("failure-to-rout")
def after_failure(position: AslPosition, obligation: Obligation, outcome: str) -> AslPosition:
    """Return the position with a unit that failed to rout removed or captured."""
    unit = position.unit(obligation.unit)
    if outcome == NONE:
        return position
    return captured(position, unit) if outcome.startswith(BY) else lost(position, unit)
