"""Reads off a position the facts of a moving vehicle that ends its MPh: where it could still go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable.rules.dependencies import dependencies_here
from marchtable.state.records import replace
from marchtable_models.asl.clauses.vehicles.movement import (
    cost_of_leaving_the_road,
    has_second_way,
    off_the_woods_road,
)
from marchtable_models.asl.corners import OWN
from marchtable_models.asl.extraction.bypass import can_be_passed, entry_by_bypass
from marchtable_models.asl.extraction.edge import outer_sides, ways
from marchtable_models.asl.extraction.escorts import escort
from marchtable_models.asl.extraction.lines import kind_of, members
from marchtable_models.asl.extraction.movers import mover, party, pivoted
from marchtable_models.asl.extraction.reading import entry, there
from marchtable_models.asl.extraction.spending import allotment, payment
from marchtable_models.asl.extraction.vehicles import afloat, swing
from marchtable_models.asl.facts.outcomes import Ending
from marchtable_models.asl.facts.units import NextHex, WayIn
from marchtable_models.asl.facts.vehicles import Departure
from marchtable_models.asl.model import SPINES, AslConditions, AslUnit, Enter
from marchtable_models.asl.verbs.bypass import Along, Bypass
from marchtable_models.asl.verbs.vehicles import Exit

if TYPE_CHECKING:
    from marchtable.rules.edition import Edition
    from marchtable.state.position import Position
    from marchtable_models.asl.facts.steps import Entry

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["ending"]


def ending(position: AslPosition, unit: AslUnit, edition: Edition) -> Ending:
    """Return the facts of a moving vehicle ending its MPh, the hexes in its VCA among them."""
    if dependencies_here() is not None:
        return _ending(position, unit, edition)
    known = position.notes.setdefault("endings", {})  # whatever others begin, it ends alike
    found: Ending | None = known.get((unit, edition))
    if found is None:
        found = known[unit, edition] = _ending(position, unit, edition)
    return found


def _ending(position: AslPosition, unit: AslUnit, edition: Edition) -> Ending:
    together: tuple[AslUnit, ...] = (unit,)
    if kind_of(unit) == "platoon":  # what one cannot afford none can (D14.31)
        together = tuple(u for u in members(position, unit) if u.at is not None)
    return Ending(
        left=_spare(position, unit, edition),
        spent=unit.points.spent,
        mover=mover(position, unit),
        ahead=tuple(
            _next_hex(position, one, side, hexes.get(side), edition)
            for one in together
            for hexes in (dict(position.board.neighbours(one.at or "")),)
            for side in ways(one)
        ),
        enemy_afv=there(position, unit.side, unit.at or "").enemy_afv,
        pivoted=pivoted(unit),
        afloat=afloat(position, unit),
    )


def _spare(position: AslPosition, unit: AslUnit, edition: Edition) -> int:
    """Return the half points that a unit can still spend: in a line, those of its poorest unit (D14.31)."""
    line = (*members(position, unit), unit)
    return min(allotment(position, other, edition) - other.points.spent for other in line)


def _next_hex(
    position: AslPosition, unit: AslUnit, side: int, to: str | None, edition: Edition
) -> NextHex:
    """Return the ways into a hex, by Bypass too where there is something to go round."""
    at, ids, alone = unit.at or "", (unit.id,), party(position, (unit,))
    closed = _is_held_back(position, unit, to, edition)
    turned: list[WayIn] = []
    if side == OWN:
        tries = [entry_by_bypass(position, unit, alone, Along(unit.id))]
    elif to is not None:
        tries = [entry(position, unit, to, alone, Enter(ids, to))]
        if tries[0].has_road:
            tries.append(tries[0].but(declined=True))
        tries += [way.but(half=True) for way in tries if has_second_way(way)]
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
    """Return whether Infantry with which an AFV has moved keeps it from going there (D9.31)."""
    step = Exit((unit.id,)) if to is None else Enter((unit.id,), to)
    held = escort(position, unit, (unit,), to, step, edition)
    return held is not None and bool(edition.judge(held).bars)


def _after_a_turn(
    position: AslPosition, unit: AslUnit, side: int, to: str, edition: Edition
) -> list[WayIn]:
    """Return the ways round the obstacle of a hex ahead once the VCA has changed by one hexspine."""
    found = []
    now = SPINES.index(unit.facing) if unit.facing else 0
    for by in (1, -1):
        facing = (now + by) % len(SPINES)
        turned = msgspec.structs.replace(unit, facing=SPINES[facing])
        if side not in ways(turned):
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
        cost += cost_of_leaving_the_road(facts)
        payable = due.spent + cost <= due.allotment
    if cost > _spare(position, unit, edition) and kind_of(unit):
        payable = False  # an Impulse that some other cannot pay
    return WayIn(cost, bool(bars), bool(found.unsupported), payable=payable)
