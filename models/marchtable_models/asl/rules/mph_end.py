"""The end of a vehicle's MPh (D2.4): one in Motion cannot have been able to afford the next hex."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from marchtable.rules.dependencies import dependencies_here
from marchtable.rules.facts import Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause
from marchtable.state.records import replace
from marchtable_models.asl.corners import OWN
from marchtable_models.asl.data import halves
from marchtable_models.asl.model import SPINES, AslPosition, AslUnit, End, Enter
from marchtable_models.asl.occasions import FIRE_OVER, at_mph_over
from marchtable_models.asl.rules.armored_assault import escort
from marchtable_models.asl.rules.vehicle_entry import off_the_woods_road
from marchtable_models.asl.rules.wagons import halts_by_itself
from marchtable_models.asl.verbs import Along, Bypass, Exit
from marchtable_models.asl.views import edge, lines, movers, reading, vehicles
from marchtable_models.asl.views.bypass import can_be_passed, entry_by_bypass
from marchtable_models.asl.views.chart import has_second_way, least_share
from marchtable_models.asl.views.edge import outer_sides
from marchtable_models.asl.views.entry import Entry, Mover
from marchtable_models.asl.views.movers import party
from marchtable_models.asl.views.mph_ends import endings
from marchtable_models.asl.views.reading import entry
from marchtable_models.asl.views.spending import allotment, payment
from marchtable_models.asl.views.standing import standing_of
from marchtable_models.asl.views.vehicle_facts import Departure, StartStop
from marchtable_models.asl.views.vehicles import swing


class WayIn(Facts, frozen=True, gc=False):
    """A way into a hex, as the clauses on entry and on paying find it."""

    cost: int  # half points charged for the entry
    # barred, unsupported: whether some clause bars it, or applies to it and is not modelled
    barred: bool
    unsupported: bool
    payable: bool  # whether what is left pays for it


class NextHex(Facts, frozen=True, gc=False):
    """A hex a vehicle could enter: its ways in, Bypass included; none if no way leads there."""

    ways: tuple[WayIn, ...] = ()


class Ending(Facts, frozen=True, gc=False):
    """A vehicle about to end its MPh without having stopped."""

    # left, spent: half points it has not spent, and those it has
    left: int
    spent: int
    mover: Mover  # who it is
    ahead: tuple[NextHex, ...]  # the two hexes in its VCA, or behind it in Reverse
    enemy_afv: bool  # whether an enemy AFV is in its Location
    pivoted: bool = False  # whether it is in Bypass and has changed its VCA at the vertex in front
    afloat: str = ""  # in what an amphibious vehicle floats, ``""`` if in nothing


@cases(End)
def end_facts(position: AslPosition, action: End, edition: Edition) -> Iterator[Case]:
    """Yield the facts of a unit that ends its MPh, and of the MPh of all its line."""
    unit = position.unit(action.unit)
    yield about(unit, standing_of(position, unit, "end"))
    yield from edition.subjects.ask(FIRE_OVER, [], position)
    yield from endings(position, lines.members(position, unit) or (unit,), edition, ended=True)


@at_mph_over
def motion_facts(
    position: AslPosition, units: Sequence[AslUnit], edition: Edition, ended: bool
) -> Iterator[Case]:
    """Yield the facts of vehicles that end their MPh in Motion; a wagon stops unless stated."""
    for unit in units:
        if unit.motion.moving and (ended or not halts_by_itself(position, unit)):
            yield about(unit, ending(position, unit, edition))


def ending(position: AslPosition, unit: AslUnit, edition: Edition) -> Ending:
    """Return the facts of a moving vehicle ending its MPh, including the hexes in its VCA."""
    if dependencies_here() is not None:
        return _ending(position, unit, edition)
    known = position.notes.setdefault("endings", {})  # other units' moves do not change it
    found: Ending | None = known.get((unit, edition))
    if found is None:
        found = known[unit, edition] = _ending(position, unit, edition)
    return found


def _ending(position: AslPosition, unit: AslUnit, edition: Edition) -> Ending:
    together: tuple[AslUnit, ...] = (unit,)
    if lines.kind_of(unit) == "platoon":  # what one cannot afford, none can (D14.31)
        together = tuple(u for u in lines.members(position, unit) if u.at is not None)
    return Ending(
        left=_spare(position, unit, edition),
        spent=unit.points.spent,
        mover=movers.mover(position, unit),
        ahead=tuple(
            _next_hex(position, one, side, hexes.get(side), edition)
            for one in together
            for hexes in (dict(position.board.neighbours(one.at or "")),)
            for side in edge.ways(one)
        ),
        enemy_afv=reading.there(position, unit.side, unit.at or "").enemy_afv,
        pivoted=movers.pivoted(unit),
        afloat=vehicles.afloat(position, unit),
    )


def _spare(position: AslPosition, unit: AslUnit, edition: Edition) -> int:
    """Return a unit's remaining half points: in a line, those of its poorest unit (D14.31)."""
    line = (*lines.members(position, unit), unit)
    return min(allotment(position, other, edition) - other.points.spent for other in line)


def _next_hex(
    position: AslPosition, unit: AslUnit, side: int, to: str | None, edition: Edition
) -> NextHex:
    """Return the ways into a hex, including Bypass if it has an obstacle."""
    at, ids, alone = unit.at or "", (unit.id,), party(position, (unit,))
    closed = _is_held_back(position, unit, to, edition)
    turned: list[WayIn] = []
    if side == OWN:
        tries = [entry_by_bypass(position, unit, alone, Along(unit.id))]
    elif to is not None:
        tries = [entry(position, unit, to, alone, Enter(ids, to))]
        if tries[0].has_road:
            tries.append(tries[0].replace(declined=True))
        tries += [way.replace(half=True) for way in tries if has_second_way(way)]
        if can_be_passed(position, at, to):
            round_it = entry_by_bypass(position, unit, alone, Bypass(ids, to))
            if round_it.passing and round_it.passing.obstacle and round_it.passing.in_line:
                tries.append(round_it)
            turned = _after_a_turn(position, unit, side, to, edition)
    elif side in outer_sides(position.board, at):
        tries = [entry(position, unit, at, alone, Exit(ids))]
        closed = closed or bool(edition.judge(Departure(at_edge=True)).bars)
    else:
        return NextHex()
    found = [_way_in(position, unit, facts, edition) for facts in tries] + turned
    return NextHex(
        tuple(msgspec.structs.replace(way, barred=closed or way.barred) for way in found)
    )


def _is_held_back(position: AslPosition, unit: AslUnit, to: str | None, edition: Edition) -> bool:
    """Return whether Infantry that an AFV has moved with keeps it from entering (D9.31)."""
    step = Exit((unit.id,)) if to is None else Enter((unit.id,), to)
    held = escort(position, unit, (unit,), to, step, edition)
    return held is not None and bool(edition.judge(held).bars)


def _after_a_turn(
    position: AslPosition, unit: AslUnit, side: int, to: str, edition: Edition
) -> list[WayIn]:
    """Return the ways around the obstacle of a hex ahead after a VCA change of one hexspine."""
    found = []
    now = SPINES.index(unit.facing) if unit.facing else 0
    for by in (1, -1):
        facing = (now + by) % len(SPINES)
        turned = msgspec.structs.replace(unit, facing=SPINES[facing])
        if side not in edge.ways(turned):
            continue
        stack = party(position, (turned,))
        facts = entry_by_bypass(position, turned, stack, Bypass((unit.id,), to))
        judged = edition.judge(swing(position, unit, facing))
        if facts.passing is None or not (facts.passing.obstacle and facts.passing.in_line):
            continue
        first = payment(position, unit, swing(position, unit, facing), judged, edition)
        spent = replace(
            turned, spent=unit.points.spent + judged.total, used=unit.points.used + judged.total
        )
        way = _way_in(position, spent, facts, edition)
        barred = way.barred or bool(judged.bars) or bool(edition.judge(first).bars)
        found.append(msgspec.structs.replace(way, barred=barred))
    return found


def _way_in(position: AslPosition, unit: AslUnit, facts: Entry, edition: Edition) -> WayIn:
    found = edition.judge(facts)
    due = payment(position, unit, facts, found, edition)
    cost, payable = found.total, not edition.judge(due).bars
    bars = [bar for bar in found.bars if bar.clause != off_the_woods_road.id]
    if len(bars) < len(found.bars):  # it would have to leave the road first
        cost += least_share(facts.ground.here, facts.mover)
        payable = due.spent + cost <= due.allotment
    if cost > _spare(position, unit, edition) and lines.kind_of(unit):
        payable = False  # an Impulse that another unit cannot pay
    return WayIn(cost, bool(bars), bool(found.unsupported), payable=payable)


def _prospect(facts: Ending, hex_: NextHex) -> str:
    """Return whether a hex ahead is ``"open"``, too ``"dear"``, ``"barred"`` or ``"unknown"``."""
    if any(way.payable and not way.barred and not way.unsupported for way in hex_.ways):
        return "open"
    if any(way.unsupported and way.cost <= facts.left for way in hex_.ways):
        return "unknown"
    return "barred" if all(way.barred for way in hex_.ways) else "dear"


@clause("D2.4", kind="action", composes="end")
def end_in_motion(facts: Ending, sheet: Sheet) -> None:
    """A vehicle ends its MPh in Motion only if it cannot afford a hex ahead that it wishes to enter next."""
    if facts.mover.column == "hd":
        sheet.exception("a wagon is in Motion if its owner states so")
        return
    if facts.afloat == "water":
        sheet.exception("an amphibious vehicle in water is always in Motion (D16.2)")
        return
    ahead = {_prospect(facts, hex_) for hex_ in facts.ahead}
    cornered = ahead == {"barred"} and facts.left < halves("D2.13", "stop")
    if facts.left <= 0 or "dear" in ahead or cornered:
        return
    if "unknown" in ahead:
        sheet.unsupported("whether the next hex can be afforded")
    else:
        sheet.bar(
            "it must stop, move on, or spend its MP entering a hex (D2.18)",
            0,
            facts.left,
            halves=True,
        )


@clause("D2.4b", kind="action", composes="end")
def spend_in_motion(facts: Ending, sheet: Sheet) -> None:
    """A vehicle that began in Motion spends at least 1 MP."""
    least = halves("D2.4", "least")
    if facts.left > 0 and facts.spent < least and facts.afloat != "water":
        sheet.bar("it has not spent enough in Motion", least, facts.spent, halves=True)


@clause("D2.6", kind="action", composes="end")
def enemy_afv_there(facts: Ending | StartStop, sheet: Sheet) -> None:
    """An unarmed vehicle cannot stop or end in Motion in an enemy AFV's Location."""
    if not facts.enemy_afv or getattr(facts, "verb", "stop") != "stop":
        return
    if facts.mover.armed:
        sheet.unsupported("whether it could hurt the enemy AFV there")
    else:
        sheet.bar("an enemy AFV is there, and the vehicle is unarmed")
