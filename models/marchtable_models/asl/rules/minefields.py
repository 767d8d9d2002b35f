"""Minefields (B28.4): attacks on units that enter or leave; the scene states the result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from marchtable.rules.facts import Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import clause, not_modelled, resolves, settles
from marchtable.rules.view import fact
from marchtable.state.position import Obligation, Odds
from marchtable.state.records import replace
from marchtable_models.asl.counterkinds import MINEFIELD, TRAIL
from marchtable_models.asl.data import vehicle_tables
from marchtable_models.asl.model import AslPosition
from marchtable_models.asl.rules.half_squads import halved
from marchtable_models.asl.rules.happenings import MINES, StatedResult, after_event, expected_of
from marchtable_models.asl.views.chart import row_named
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.ground_facts import WOODS
from marchtable_models.asl.views.unitkinds import halves_of

ENTERING, LEAVING = MINES
MOUNTS = ("cav", "hd", "mc")
"""Terrain Chart columns of horses, wagons and motorcycles."""
UNHARMED, REDUCED = "unharmed", "reduced"
HURT = "harmed"
"""The result for horses, wagons and cycles with their riders: any but ``unharmed``."""
HARMED = ("pinned", "broken", "wounded", "immobilized", "eliminated")
"""Its other possible results, by the names of the events that happen to units."""


class MineResult(Facts, frozen=True, gc=False):
    """How the attack of a minefield came out."""

    # ``unharmed``, ``reduced`` (a Casualty Reduction), ``harmed`` (of horses, wagons and cycles),
    # or what happened to the unit
    outcome: str
    # where it came from, if that is the minefield that it was about to leave, else None
    previous: str | None = None
    broken: bool = False  # whether it was broken already
    expected: str | None = None  # which unit the result is for, if not this one
    halves: tuple[str, ...] = ()  # the half squads of its nationality, if it is a squad


@settles(*MINES)
def attack_facts(
    position: AslPosition, obligation: Obligation, outcome: str, edition: Edition
) -> Iterator[Case]:
    """Yield the facts of a minefield attack: its result is the event that happens to the unit."""
    unit = position.unit(obligation.unit)
    left = unit.move.previous if obligation.id.startswith(LEAVING) else None
    blow = blow_of(obligation, outcome)
    expected = None if blow is None else expected_of(position, unit, blow.what)
    halves = halves_of(position, unit)
    yield about(unit, MineResult(outcome, left, unit.status.broken, expected, halves))
    if blow is not None and expected is None:
        yield from edition.subjects.cases(position, blow, edition)


class Mined(Entry):
    """An entry into, or out of, a minefield."""

    is_relevant = property(lambda self: MINEFIELD in (*self.there.counters, *self.counters_here))

    @fact
    def attacks(self) -> tuple[str, ...]:
        """The minefields that a step sets off, in order: the one left, then the one entered."""
        if self.stays or self.way == "trench":
            return ()
        there = MINEFIELD in self.there.counters and self.ground.edge != "off"
        here = MINEFIELD in self.counters_here and self.ground.edge != "on"
        return (LEAVING,) * here + (ENTERING,) * there

    @fact
    def between_buildings(self) -> bool:
        """Whether it goes from hex to hex through buildings."""
        ground = self.ground
        closed = row_named(ground.here).closed and row_named(ground.there).closed
        return closed and self.passing is None and not self.corner

    @fact
    def broke_in(self) -> bool:
        """Whether a vehicle is off road in woods where it could have made a Trail Break."""
        mover = self.mover
        is_breaker = mover.afv and mover.column in vehicle_tables().tracked.columns
        return is_breaker and self.off_road and self.ground.here in WOODS

    @fact
    def is_odd(self) -> bool:
        """Whether too little is known about the mines of a step."""
        ground = self.ground
        found = self.attacks
        tracks = LEAVING in found and (_has_trail(self.counters_here) or self.broke_in)
        tracks |= ENTERING in found and _has_trail(self.there.counters)
        odd = self.pushes or self.manner.dummy
        indoors = self.between_buildings and not ground.joined
        is_odd = tracks or odd or indoors or self.detour is not None
        if LEAVING in found:
            is_odd |= ground.edge == "off" or bool(self.inside or self.corner)
            is_odd |= self.breaks_in or self.breaks_out
        return is_odd


@clause("B28.44", kind="effect")
def indoors(facts: Mined, sheet: Sheet) -> None:
    """Mines do not attack a unit moving between hexes of one building, except in Bypass."""
    if facts.attacks and facts.between_buildings and facts.ground.joined:
        sheet.exception("through a building hexside: the mines do not attack")


def _has_trail(counters: Iterable[str]) -> bool:
    return any(kind.startswith(TRAIL) for kind in counters)


@not_modelled("B28.4")
def odd_mines(facts: Mined) -> bool:
    """Mines along a Trail Break; for Dummies; with a pushed Gun; near concealed enemies; between hexes that might be one building; left from a Fortification, Crest, Bypass or off-map hex."""
    return bool(facts.attacks) and facts.is_odd


@clause("B28.41", kind="odds")
def attacked(facts: Mined, sheet: Sheet) -> None:
    """A minefield attacks each unit that leaves or enters it."""
    found = facts.attacks
    if not found or sheet.excepted("B28.44") or facts.is_odd:
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
        sheet.roll(
            name,
            outcomes,
            "the minefield's owner states its strength and kind, rolls its attack and enters the result",
        )


@not_modelled("B28.41b")
def harms_mounts(facts: MineResult) -> bool:
    """The effect of mines on horses, wagons and cycles, and on their riders."""
    return facts.outcome == HURT


@clause("B28.412", kind="effect", composes="end")
def stays_behind(facts: MineResult, sheet: Sheet) -> None:
    """A unit harmed by mines as it leaves does not leave, and enters nothing."""
    if facts.previous is not None and facts.outcome in HARMED and facts.outcome != "eliminated":
        sheet.force("at", facts.previous)
        sheet.force("bypass", None)
        sheet.force("mph", "done")


@clause("B28.411", kind="odds")
def reduced(facts: MineResult, sheet: Sheet) -> None:
    """A squad that mines reduce becomes a half squad of the stated type, unless it is broken."""
    if facts.broken and facts.outcome in (REDUCED, "pinned", "broken"):
        sheet.unsupported("a Morale Check that a broken unit fails once more")
    elif facts.expected is not None:
        sheet.unsupported(f"a result of another unit; expected {facts.expected}")
    elif facts.outcome == REDUCED:
        halved(facts.halves, sheet)


def blow_of(obligation: Obligation, outcome: str) -> StatedResult | None:
    """Return the event for a minefield attack's outcome, None if a clause states it (B28.411)."""
    if outcome in (REDUCED, HURT):
        return None
    return StatedResult(obligation.unit, "attacked" if outcome == UNHARMED else outcome, by="mines")  # type: ignore[arg-type]


@resolves(*MINES)
def after_attack(position: AslPosition, obligation: Obligation, outcome: str) -> AslPosition:
    """Return the position after a minefield attack: a unit harmed while leaving stays, loaded."""
    blow, unit = blow_of(obligation, outcome), position.unit(obligation.unit)
    if obligation.id.startswith(LEAVING) and outcome in HARMED:
        back = unit.move.previous
        moved = [
            replace(one, at=back, bypass=None)
            for one in position.units
            if unit.id in (one.cargo.aboard, one.cargo.towed_by, one.cargo.guard)
            or (one.id == unit.id and outcome == "eliminated")
        ]
        others = tuple(due for due in position.pending if due.unit != unit.id)
        position = msgspec.structs.replace(position.with_units(moved), pending=others)
    return position if blow is None else after_event(position, blow)
