"""The Bog Check (D8.2): when it is due, its odds, and the result for a vehicle that fails."""

from __future__ import annotations

from itertools import product
from typing import Literal

import msgspec

from marchtable.board.board import DIRECTIONS
from marchtable.dice import SIDES, two_dice_at_least
from marchtable.rules.facts import Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import clause, not_modelled, resolves, settles
from marchtable.rules.view import fact
from marchtable.state.position import Counter, Obligation, Odds
from marchtable_models.asl.counterkinds import BREACH, TRAIL, WIRE
from marchtable_models.asl.data import Row, count
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.occasions import PARTING
from marchtable_models.asl.views.chart import cell, cells, counter_rows, row_named
from marchtable_models.asl.views.entry import Entry, Mover
from marchtable_models.asl.views.ground_facts import STREAMS, WOODS, Ground
from marchtable_models.asl.views.overlay import counters_at, crossing, site
from marchtable_models.asl.views.unitkinds import type_of
from marchtable_models.asl.views.vehicle_facts import Swing
from marchtable_models.asl.views.weather_facts import Weather

MOBILE, BOGGED, CLEARS, RUBBLES, FALLS = "mobile", "bogged", "clears", "rubbles", "falls"
"""The outcomes of a Bog Check."""
CHECKS = ("bog", "bog-leaving", "bog-hexside", "breach", "bog-secret")
"""The rolls that are Bog Checks."""


class BogResult(Facts, frozen=True, gc=False):
    """How a Bog Check came out."""

    # ``mobile`` or ``bogged``; ``clears`` if it is mobile and takes Wire away; of an AFV that
    # breaks into a building ``rubbles`` or ``falls``, into the cellar, whatever the check itself
    # says
    outcome: str
    # whether the check was that of a ``hexside``, of a ``breach`` in one, or that of ``leaving`` a
    # stream
    of: Literal["", "hexside", "breach", "leaving"]
    # previous, from_obstacle: the Location the vehicle came from, and whether it is one of woods or
    # buildings
    previous: str | None
    from_obstacle: bool
    reverse: bool = False  # whether it moved in Reverse
    # breaks_in, breaks_out: whether it is a fully-tracked AFV that has broken its way into woods,
    # or out of them
    breaks_in: bool = False
    breaks_out: bool = False
    in_bypass: bool = False  # whether it has gone there by Bypass
    dead_end: bool = False  # whether it has left by the one Trail Break of its hex


@settles(*CHECKS)
def check_facts(
    position: AslPosition, obligation: Obligation, outcome: str, edition: Edition
) -> list[Case]:
    """Return the facts of a Bog Check's result, and of the line that loses a bogged vehicle."""
    if not is_bog_check(obligation.clause):
        return []
    unit = position.unit(obligation.unit)
    facts = bog_result(position, obligation, outcome)
    found = [about(unit, facts), *edition.subjects.beside(position, unit, facts, edition)]
    if outcome == BOGGED:
        found += edition.subjects.ask(PARTING, [], position, unit)
    return found


def bog_result(position: AslPosition, obligation: Obligation, outcome: str) -> BogResult:
    """Return the facts of a Bog Check's result."""
    unit = position.unit(obligation.unit)
    came_from = unit.move.previous
    obstacle = came_from is not None and row_named(site(position, came_from).ground.here).obstacle
    breaks_in, breaks_out = _breaks(position, unit)
    return BogResult(
        outcome, _kind_of_check(obligation.clause), came_from, obstacle, unit.motion.reverse, breaks_in,
        breaks_out, in_bypass=unit.place.bypass is not None, dead_end=_is_dead_end(position, unit),
    )  # fmt: skip


def _is_dead_end(position: AslPosition, unit: AslUnit) -> bool:
    if unit.move.previous in (None, unit.at):
        return False
    trails = [
        kind for kind in counters_at(position, str(unit.move.previous)) if kind.startswith(TRAIL)
    ]
    out = crossing(position, str(unit.move.previous), str(unit.at)).ground.trail_out
    return out and len(trails) == 1


def _breaks(position: AslPosition, unit: AslUnit) -> tuple[bool, bool]:
    """Return whether an AFV's last step broke into woods, and whether it broke out of them."""
    kind = type_of(position, unit)
    if not kind.afv or kind.column != "ft" or unit.move.previous in (None, unit.at):
        return False, False
    ground = crossing(position, str(unit.move.previous), str(unit.at)).ground
    if ground.road and not unit.place.off_road:
        return False, False
    breaks_in = ground.there in WOODS and unit.place.off_road and not ground.trail
    return breaks_in, ground.here in WOODS and not ground.road


def _drm(mover: Mover) -> dict[str, int]:
    """Return the Bog DRM that depend on the vehicle, by cause."""
    drm = {}
    if mover.ground_pressure != "low":
        drm[f"{mover.ground_pressure} ground pressure"] = count(
            "D8.21", f"{mover.ground_pressure}_ground_pressure"
        )
    if mover.column != "ft":
        drm["not fully tracked"] = count("D8.21", "not_fully_tracked")
    if mover.truck_type:
        drm["truck-type"] = count("D8.21", "truck_type")
    if mover.towing or mover.trailer:
        drm["towing"] = count("D8.21", "towing")
    return drm


def _roll(
    sheet: Sheet, name: str, drm: dict[str, int], *, wired: bool = False, frail: int | None = None
) -> None:
    """Call for a Bog Check; ``frail`` is the modifier to the colored dr that rubbles a building."""
    bogs = count("D8.21", "bogs") - sum(drm.values())
    found = dict.fromkeys((MOBILE, CLEARS, BOGGED, RUBBLES, FALLS), 0)
    for colored, white in product(range(1, 7), repeat=2):
        if frail is not None and colored == count("B23.41", "falls"):
            outcome = FALLS
        elif frail is not None and colored + frail <= 0:
            outcome = RUBBLES
        elif colored + white >= bogs:
            outcome = BOGGED
        else:
            outcome = CLEARS if wired and colored == count("B26.53", "colored") else MOBILE
        found[outcome] += 1
    odds = [Odds(outcome, chance, 36) for outcome, chance in found.items()
            if chance or outcome in (MOBILE, BOGGED)]  # fmt: skip
    sheet.roll(name, tuple(odds), ", ".join(f"{value:+d} {what}" for what, value in drm.items()))


def _clears(mover: Mover, counters: tuple[str, ...]) -> bool:
    """Return whether a vehicle that passes a Bog Check among these counters might remove Wire."""
    return mover.column == "ft" and WIRE in counters


def _drm_of_weather(
    weather: Weather, rows: tuple[str, ...], *, paved: bool = False, plowed: bool = False
) -> dict[str, int]:
    """Return the Bog DRM of soft ground, Mud or snow: none in a building or on a firm road."""
    drm: dict[str, int] = {}
    if any(row_named(row).obstacle and row not in WOODS for row in rows):
        return drm
    if (weather.soft or weather.mud) and not paved:
        drm["mud" if weather.mud else "soft ground"] = count("D8.21", "soft")
    elif weather.snow and not (weather.plowed and plowed):
        drm["snow"] = count("D8.21", "soft")
    if weather.snow == "deep" and not (weather.plowed and plowed):
        drm["Deep Snow"] = count("D8.21", "deep_snow")
    return drm


def _is_boggy(ground: Ground, mover: Mover) -> bool:
    """Return whether all its hexes are Bog hexes (B16.43); motorcycles never bog (D15.47)."""
    return ground.by_marsh and mover.column != "mc"


def _difficult_counters(kinds: tuple[str, ...], mover: Mover) -> list[Row]:
    """Return the rows of counters that call for a Bog Check."""
    return [row for row in counter_rows(kinds) if "B" in cell(row.id, mover).marks]


def _drm_of_counters(found: list[Row], mover: Mover) -> dict[str, int]:
    drm = {row.title: cell(row.id, mover).drm for row in found}
    return {title: value for title, value in drm.items() if value}


def _is_one_with_the_hexside(facts: Bogging, sheet: Sheet) -> bool:
    """Return whether one check covers both the hexside and the terrain entered."""
    crossed = not facts.beaten and (facts.breach or facts.hexside_is_difficult)
    return crossed and sheet.reading("D8.21d") == "one"


class Bogging(Entry):
    """An entry by a vehicle that can bog."""

    is_relevant = property(lambda self: self.mover.is_vehicle or self.on_trail)

    @fact
    def frailty(self) -> int | None:
        """The modifier to the colored dr of an AFV that breaks into a building, else None."""
        entered = [row for row, _ in cells(self) if row.closed]
        if self.way or self.mover.column != "ft" or not entered:
            return None
        wooden = any("wooden" in row.id for row in entered)
        single = self.ground.house
        return -count("B23.41", "wooden") * wooden - count("B23.41", "single") * single

    @fact
    def drm_of_ground(self) -> dict[str, int]:
        """The Bog DRM that the weather gives the ground entered."""
        by_road = self.way == "road"
        paved = by_road and self.ground.paved
        row = () if self.passing else (self.row,)
        return _drm_of_weather(self.weather, row, paved=paved, plowed=by_road)

    @fact
    def hexside_is_difficult(self) -> bool:
        """Whether the hexside crossed calls for a Bog Check."""
        hexside = self.ground.hurdle
        return bool(hexside) and "B" in cell(hexside, self.mover).marks

    @fact
    def is_difficult(self) -> bool:
        """Whether the Location entered calls for a Bog Check, counters apart."""
        boggy = _is_boggy(self.ground, self.mover)
        if self.afloat or self.in_mudflats:
            return self.in_mudflats
        return boggy or (
            self.way != "trail" and any("B" in found.marks for _, found in cells(self))
        )

    @fact
    def counters_met(self) -> tuple[str, ...]:
        """The counters that affect an entry: Wire only once in a bypassed hex (B26.44)."""
        goes_on = self.passing is not None and self.passing.goes_on
        return tuple(kind for kind in self.there.counters if not (goes_on and kind == WIRE))

    @fact
    def drm_entering(self) -> dict[str, int]:
        """The Bog DRM of an entry, including those of the terrain beyond the hexside."""
        drm = _drm(self.mover) | self.drm_of_ground
        if self.ground.abrupt:
            drm["abrupt change of elevation"] = count("D8.21", "abrupt")
        for row, found in () if self.way else cells(self):
            if "B" in found.marks:
                if found.drm:
                    drm[row.title] = found.drm
                if self.ground.rise > 0 and row.id in WOODS:
                    drm["uphill into woods"] = count("D8.21", "up_into_woods")
        return drm | _drm_of_counters(
            _difficult_counters(self.counters_met, self.mover), self.mover
        )

    @fact
    def is_due_beyond(self) -> bool:
        """Whether the hex entered off road calls for a Bog Check apart from its hexside."""
        counters = _difficult_counters(self.counters_met, self.mover)
        return self.is_difficult or bool(counters)

    @fact
    def from_dry(self) -> bool:
        """Whether the vehicle leaves a dry stream."""
        here = self.ground.here
        return here == "stream-dry" or (self.depth == "dry" and here in STREAMS)

    @fact
    def leaves_a_bog(self) -> bool:
        """Whether it climbs, off road, out of terrain the chart marks for a check on leaving."""
        if not self.mover.is_vehicle or self.beaten or self.ground.into_depression:
            return False
        return "BB" in cell(self.ground.here, self.mover).marks

    @fact
    def drm_leaving(self) -> dict[str, int]:
        """The Bog DRM of a check in the hex being left."""
        drm = _drm(self.mover) | _drm_of_weather(self.weather, (self.ground.here,))
        if self.ground.abrupt:
            drm["abrupt change of elevation"] = count("D8.21", "abrupt")
        return drm


@clause("D8.21a", kind="odds")
def bog_check_entering(facts: Bogging, sheet: Sheet) -> None:
    """Entering difficult terrain off road calls for a Bog Check."""
    mover = facts.mover
    if not mover.is_vehicle:
        return
    by_road = facts.beaten
    due = not by_road and facts.is_difficult
    if not due and _difficult_counters(facts.counters_met, mover):
        due = not by_road or sheet.reading("D8.21a") == "due"
    if due and not _is_one_with_the_hexside(facts, sheet):
        clears = _clears(mover, facts.counters_met)
        frail = None if by_road else facts.frailty
        _roll(sheet, "bog", facts.drm_entering, wired=clears, frail=frail)


@clause("D16.23", kind="odds")
def bog_check_ashore(facts: Bogging, sheet: Sheet) -> None:
    """An amphibious vehicle that comes ashore makes a Bog Check."""
    ashore = facts.mover.amphibious and facts.ground.here == "water" and not facts.afloat
    if not ashore or facts.beaten or sheet.calls_for("bog"):
        return
    if not _is_one_with_the_hexside(facts, sheet):
        _roll(sheet, "bog", facts.drm_entering)


@clause("D8.2", kind="odds")
def bog_check_leaving(facts: Bogging, sheet: Sheet) -> None:
    """A vehicle leaving a stream, or a truck leaving a gully, makes a Bog Check there first."""
    mover, ground = facts.mover, facts.ground
    if not facts.leaves_a_bog:
        return
    dry = facts.from_dry and sheet.reading("D8.2") == "gully"
    if "BB" not in cell("gully" if dry else ground.here, mover).marks:
        return
    drm = {**facts.drm_leaving}
    depth = f"stream-{facts.depth}" if facts.depth and ground.here in STREAMS else ground.here
    if depth == "stream-deep":
        drm["out of a deep stream"] = count("D8.21", "deep_stream")
    _roll(sheet, "bog-leaving", drm, wired=_clears(mover, facts.counters_here))


@clause("B13.421d", kind="odds")
def bog_check_off_the_trail(facts: Bogging, sheet: Sheet) -> None:
    """A fully-tracked AFV on a Trail Break makes a Bog Check before leaving off it."""
    mover = facts.mover
    follows = facts.way == "trail" and mover.afv and mover.column == "ft"
    if follows != facts.on_trail:
        sheet.force("on_trail", follows)
    if facts.on_trail and not (facts.beaten or facts.ground.trail_out or facts.leaves_a_bog):
        drm = _drm(mover) | _drm_of_weather(facts.weather, (facts.ground.here,))
        _roll(sheet, "bog-leaving", drm, wired=_clears(mover, facts.counters_here))


def _roll_at_hexside(name: str, facts: Bogging, sheet: Sheet, *, for_both: bool) -> None:
    """Call for a hexside's Bog Check: in the hex being left, or one that serves both hexes."""
    if for_both:
        clears = _clears(facts.mover, facts.counters_met)
        _roll(sheet, name, facts.drm_entering, wired=clears, frail=facts.frailty)
    elif not sheet.calls_for("bog-leaving"):  # one check covers everything in one hex
        _roll(sheet, name, facts.drm_leaving)


@clause("D8.21d", kind="odds")
def bog_check_at_hexside(facts: Bogging, sheet: Sheet) -> None:
    """Crossing a difficult hexside off road calls for a Bog Check in the hex being left."""
    if facts.mover.is_vehicle and not (facts.beaten or facts.breach) and facts.hexside_is_difficult:
        both = facts.is_due_beyond and sheet.reading("D8.21d") == "one"
        _roll_at_hexside("bog-hexside", facts, sheet, for_both=both)


@clause("B9.541b", kind="odds")
def bog_check_breaching(facts: Bogging, sheet: Sheet) -> None:
    """A vehicle that breaches a hedgerow makes a Bog Check as it crosses."""
    if facts.breach and facts.mover.is_vehicle:
        both = facts.is_due_beyond and sheet.reading("D8.21d") == "one"
        _roll_at_hexside("breach", facts, sheet, for_both=both)


@clause("B9.541c", kind="effect")
def breached(facts: BogResult, sheet: Sheet) -> None:
    """A vehicle that passes the Bog Check in a hedgerow leaves a Breach in the hexside."""
    if facts.of == "breach" and facts.outcome != BOGGED:
        sheet.exception("there is a Breach in the hexside")


@clause("D8.23", kind="odds")
def secret_bog_check(facts: Bogging, sheet: Sheet) -> None:
    """In Mud or Deep Snow a vehicle that enters a hex other than by firm road makes one secret Bog Check for its MPh."""
    mover, ground = facts.mover, facts.ground
    if not mover.is_vehicle or mover.column == "mc" or not facts.road or facts.aside:
        return
    on_runway = ground.here == ground.there == "runway"
    if not facts.weather.bogs or facts.firm or on_runway or ground.edge == "off":
        return
    drm = _drm(mover) | _drm_of_weather(facts.weather, ())
    fails, of = two_dice_at_least(count("D8.21", "bogs") - sum(drm.values()))
    odds = (
        Odds("mobile", (of - fails) * SIDES, of * SIDES),
        Odds("bogged", fails, of * SIDES),
        Odds("later", fails * (SIDES - 1), of * SIDES),
    )
    words = ", ".join(f"{value:+d} {what}" for what, value in drm.items())
    sheet.roll("bog-secret", odds, f"{words}; later: `result`, in the hex that the dr gives")
    sheet.force("road", value=False)


@not_modelled("D9.31f")
def escort_left(facts: Bogging) -> bool:
    """Armored Assault by an AFV that checks before crossing: one that bogs stays behind."""
    return (
        bool(facts.along)
        and facts.mover.is_vehicle
        and not facts.beaten
        and (facts.hexside_is_difficult or facts.leaves_a_bog)
    )


def _counters_about(facts: Swing) -> tuple[str, ...]:
    """Return the counters that affect a VCA change; not Wire in Bypass, checked before (B26.44)."""
    return tuple(kind for kind in facts.counters_here if not (facts.in_bypass and kind == WIRE))


def is_turn_difficult(facts: Swing, sheet: Sheet) -> bool:
    """Return whether a VCA change there calls for a Bog Check."""
    on_road = bool(facts.ground.road_here) and not facts.off_road
    if not facts.mover.is_vehicle:
        return False
    due = not on_road and (
        _is_boggy(facts.ground, facts.mover)
        or any("B" in cell(row, facts.mover).marks for row in facts.ground.rows)
    )
    if not due and _difficult_counters(_counters_about(facts), facts.mover):
        due = not on_road or sheet.reading("D8.21a") == "due"
    return due


@clause("D8.21b", kind="odds")
def bog_check_turning(facts: Swing, sheet: Sheet) -> None:
    """Changing VCA in difficult terrain off road calls for a Bog Check."""
    if is_turn_difficult(facts, sheet):
        about = _counters_about(facts)
        found = _difficult_counters(about, facts.mover)
        drm = _drm(facts.mover) | _drm_of_counters(found, facts.mover)
        on_road = facts.ground.road_here and not facts.off_road
        paved = on_road and facts.ground.paved
        drm |= _drm_of_weather(facts.weather, facts.ground.rows, paved=paved, plowed=on_road)
        if "debris" in facts.ground.rows and sheet.reading("D8.21b") == "any":
            drm["debris"] = count("D8.21", "debris")
        _roll(sheet, "bog", drm, wired=_clears(facts.mover, about))


@clause("D8.21c", kind="effect")
def bogged(facts: BogResult, sheet: Sheet) -> None:
    """A vehicle that fails its Bog Check is bogged and its MPh ends; at a hexside or stream it stays behind."""
    if facts.outcome != BOGGED:
        return
    for field, value in (("bogged", True), ("moving", False), ("mph", "done")):
        sheet.force(field, value)
    if facts.reverse:
        sheet.force("reverse", value=False)
    behind = facts.of == "leaving" or (facts.of and sheet.reading("D8.21c") == "left")
    if behind and facts.previous:
        sheet.force("at", facts.previous)
        sheet.force("off_road", facts.from_obstacle)  # a road needs no check
        if facts.in_bypass:
            sheet.force("bypass", None)


@clause("B23.41b", kind="effect")
def through_the_floor(facts: BogResult, sheet: Sheet) -> None:
    """An AFV that breaks into a building can rubble it or fall into its cellar."""
    if facts.outcome == FALLS:
        sheet.unsupported(
            "who survives when an AFV that has fallen into a cellar is removed (D5.6)"
        )
    elif facts.outcome == RUBBLES:
        sheet.unsupported("what happens in a building hex that an AFV turns into rubble (B24.11)")


@clause("B26.53", kind="effect")
def clears_wire(facts: BogResult, sheet: Sheet) -> None:
    """A fully-tracked vehicle that passes a Bog Check in Wire with a colored 1 removes the Wire."""
    if facts.outcome == CLEARS:
        sheet.exception("it takes the Wire away")


def _kind_of_check(clause_id: str) -> Literal["", "hexside", "breach", "leaving"]:
    """Return the kind of Bog Check: at a hexside, in a breach, or leaving a stream."""
    if clause_id in (bog_check_leaving.id, bog_check_off_the_trail.id):
        return "leaving"
    if clause_id == bog_check_breaching.id:
        return "breach"
    return "hexside" if clause_id == bog_check_at_hexside.id else ""


def is_bog_check(clause_id: str) -> bool:
    """Return whether this clause's roll is a Bog Check."""
    return clause_id in (
        bog_check_entering.id,
        bog_check_ashore.id,
        bog_check_turning.id,
        bog_check_at_hexside.id,
        bog_check_breaching.id,
        bog_check_leaving.id,
        bog_check_off_the_trail.id,
        secret_bog_check.id,
    )


@resolves(*CHECKS)
def after_check(
    position: AslPosition, obligation: Obligation, outcome: str, edition: Edition
) -> AslPosition:
    """Return the position with a Breach or without Wire; a bogged vehicle owes no more checks."""
    if not is_bog_check(obligation.clause):
        return position
    unit = position.unit(obligation.unit)
    facts = bog_result(position, obligation, outcome)
    said = [name for name, _ in edition.judge(facts).exceptions]
    if clears_wire.id in said:
        position = _without_wire(position, facts.previous if facts.of == "leaving" else unit.at)
    if breached.id in said:
        position = _with_breach(position, str(unit.move.previous), str(unit.at))
    if outcome != BOGGED:
        return position
    pending = tuple(d for d in position.pending if d.unit != unit.id or not is_bog_check(d.clause))
    return msgspec.structs.replace(position, pending=pending)


def _with_breach(position: AslPosition, left: str, at: str) -> AslPosition:
    side = DIRECTIONS[position.board.direction(at, left)]
    new = Counter(kind=BREACH + side, at=at)
    return msgspec.structs.replace(position, counters=(*position.counters, new))


def _without_wire(position: AslPosition, at: str | None) -> AslPosition:
    kept = tuple(
        one for one in position.counters if one.kind != WIRE or position.board.resolve(one.at) != at
    )
    return msgspec.structs.replace(position, counters=kept)
