"""Minefields (B28.4): who is attacked on entering or leaving; the result is stated."""

from __future__ import annotations

from collections.abc import Iterable

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable.state.position import Odds
from marchtable_models.asl.clauses.squads import halved
from marchtable_models.asl.clauses.terrain.chart import row_named
from marchtable_models.asl.counterkinds import MINEFIELD, TRAIL
from marchtable_models.asl.data import vehicle_tables
from marchtable_models.asl.facts.ground import WOODS
from marchtable_models.asl.facts.mines import HARMED, HURT, REDUCED, UNHARMED, MineResult
from marchtable_models.asl.facts.steps import Entry

LEAVING, ENTERING = "mines-left", "mines"
MOUNTS = ("cav", "hd", "mc")
"""Terrain Chart columns of horses, wagons and motorcycles."""


def attacks(facts: Entry) -> tuple[str, ...]:
    """Return which minefields a step sets off, in their order: that which it leaves, that which it enters."""
    if facts.stays or facts.way == "trench":
        return ()
    there = MINEFIELD in facts.there.counters and facts.ground.edge != "off"
    here = MINEFIELD in facts.counters_here and facts.ground.edge != "on"
    return (LEAVING,) * here + (ENTERING,) * there


def _between_buildings(facts: Entry) -> bool:
    ground = facts.ground
    closed = row_named(ground.here).closed and row_named(ground.there).closed
    return closed and facts.passing is None and not facts.corner


@clause("B28.44", kind="effect")
def indoors(facts: Entry, sheet: Sheet) -> None:
    """No mines attack who goes from hex to hex of a building, but in Bypass."""
    if attacks(facts) and _between_buildings(facts) and facts.ground.joined:
        sheet.exception("through a building hexside: the mines do not attack")


def _has_trail(counters: Iterable[str]) -> bool:
    return any(kind.startswith(TRAIL) for kind in counters)


def _broke_in(facts: Entry) -> bool:
    """Return whether a vehicle stands off the road in woods through which it can have broken a trail."""
    mover = facts.mover
    is_breaker = mover.afv and mover.column in vehicle_tables().tracked.columns
    return is_breaker and facts.off_road and facts.ground.here in WOODS


def _is_odd(facts: Entry) -> bool:
    """Return whether a step is one about whose mines too little is known."""
    ground = facts.ground
    found = attacks(facts)
    tracks = LEAVING in found and (_has_trail(facts.counters_here) or _broke_in(facts))
    tracks |= ENTERING in found and _has_trail(facts.there.counters)
    odd = facts.pushes or facts.manner.dummy
    indoors = _between_buildings(facts) and not ground.joined
    is_odd = tracks or odd or indoors or facts.detour is not None
    if LEAVING in found:
        is_odd |= ground.edge == "off" or bool(facts.inside or facts.corner)
        is_odd |= facts.breaks_in or facts.breaks_out
    return is_odd


@not_modelled("B28.4")
def told_apart(facts: Entry) -> bool:
    """Mines by a Trail Break, for Dummies, with a Gun pushed or towards concealed enemies, between buildings that may be one, or left from a Fortification, a Crest, Bypass or off the map."""
    return bool(attacks(facts)) and _is_odd(facts)


@clause("B28.41", kind="odds")
def attacked(facts: Entry, sheet: Sheet) -> None:
    """A minefield attacks each unit that leaves it, and each that enters it."""
    found = attacks(facts)
    if not found or sheet.excepted("B28.44") or _is_odd(facts):
        return
    harm: tuple[str, ...]
    if facts.mover.column in MOUNTS:
        harm = (HURT,)
    elif facts.mover.is_vehicle:
        harm = ("immobilized", "eliminated")
    else:
        harm = ("pinned", "broken", "wounded" if facts.mover.smc else REDUCED, "eliminated")
    for name in found:
        outcomes = tuple(Odds(outcome, 1, 1) for outcome in (UNHARMED, *harm))
        sheet.roll(name, outcomes, "the owner states how strong it is, and of which mines")


@not_modelled("B28.41b")
def harms_mounts(facts: MineResult) -> bool:
    """What becomes of horses, wagons and cycles that mines harm, and of those on them."""
    return facts.outcome == HURT


@clause("B28.412", kind="effect", composes="end")
def stays_behind(facts: MineResult, sheet: Sheet) -> None:
    """Whom mines harm as he leaves does not leave, nor enters what he was about to."""
    if facts.previous is not None and facts.outcome in HARMED and facts.outcome != "eliminated":
        sheet.force("at", facts.previous)
        sheet.force("bypass", None)
        sheet.force("mph", "done")


@clause("B28.411", kind="odds")
def reduced(facts: MineResult, sheet: Sheet) -> None:
    """A squad that mines reduce is a half squad from then on: of which type, is told, but of broken units."""
    if facts.broken and facts.outcome in (REDUCED, "pinned", "broken"):
        sheet.unsupported("a Morale Check that a broken unit fails once more")
    elif facts.outcome == REDUCED:
        halved(facts.halves, sheet)
