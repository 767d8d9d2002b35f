"""
Reads off a position the facts of rout (A10.5): whom a unit flees, and where it must get to.

Whom it sees is stated by ``sees`` or computed; if neither, each Known armed enemy may see it, or none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from marchtable.state.records import replace
from marchtable_models.asl.clauses.terrain.chart import row_named
from marchtable_models.asl.counterkinds import SMOKES
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.extraction.adjacency import Spot, are_adjacent, spot_of
from marchtable_models.asl.extraction.flight import (
    Flight,
    comes_beside,
    entry_costs,
    has_begun,
    is_beside,
    is_cover,
    nears,
    whither,
)
from marchtable_models.asl.extraction.lookout import has_los, is_computed
from marchtable_models.asl.extraction.overlay import crossing, site
from marchtable_models.asl.extraction.prisoners import load_of, us_of
from marchtable_models.asl.extraction.unitkinds import is_known_enemy, nationality_of, type_of
from marchtable_models.asl.facts.routing import Escorting, Routing, Surrendering, Told, Within
from marchtable_models.asl.verbs.foot import Rout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.edition import Edition
    from marchtable.state.position import Position
    from marchtable_models.asl.facts.units import Captor
    from marchtable_models.asl.model import AslConditions, AslUnit, SupportWeapon
    from marchtable_models.asl.verbs.foot import Surrender

    AslPosition = Position[AslUnit, AslConditions]

__all__ = [
    "Aside",
    "captors_of",
    "escorting",
    "excess",
    "flees",
    "is_cornered",
    "lingers",
    "routing",
    "surrendering",
]


class Aside(NamedTuple):
    """What a unit does in its own hex as it routs, and on which level that leaves it."""

    within: Within
    floor: int | None


def routing(
    position: AslPosition, unit: AslUnit, action: Rout, edition: Edition, left: int,
    aside: Aside | None = None,
) -> Routing:  # fmt: skip
    """Return the facts of a unit that routs, into a Location or in its own hex, and has so many half MF left."""
    kind, state, here = type_of(position, unit), unit.status, str(unit.at)
    to = position.board.resolve(action.to)
    start, night = spot_of(unit), position.conditions.night
    end = Spot(to, start.floor if aside is None else aside.floor)
    enemies = [one for one in position.units if _is_armed(position, unit, one)]
    told, unclear = _in_sight(position, unit, enemies)
    step = unit.at is not None and (
        aside is not None or position.board.hexside(here, to) is not None
    )
    known = tuple(spot_of(one) for one in enemies)
    off = replace(unit, inside="beneath") if aside and aside.within == "wire" else unit
    sure = Flight(position, off, tuple(str(one.at) for one in told), known, edition, left)
    wary = sure._replace(fled=tuple(str(one.at) for one in (*told, *unclear)))
    toward: Told = "yes" if nears(sure, here, to) else "no"
    if unclear and toward == "no" and nears(wary, here, to):
        toward = "untold"
    goals, goes = whither(sure, to) if step else ((), "yes")
    goes_as_told = goes == "yes"
    if step and unclear and (is_computed(position) or not goes_as_told):
        cautious = whither(wary, to)
        if is_computed(position):
            goes = goes if cautious == (goals, goes) else "untold"
            goes_as_told = goes == "yes"
        else:
            goes = "untold" if cautious[1] == "yes" else "no"
    return Routing(
        phase=position.phase,
        fit=_is_fit(position, unit) and unit.move.mph != "done",
        dm=state.dm or has_begun(unit) or is_beside(wary, start),
        step=step,
        pp=sum(weapon.pp for weapon in unit.sw),
        ipc=_ipc(position, unit),
        toward=toward,
        beside=end != start and comes_beside(wary, start, end),
        goes=goes,
        goals=goals,
        there=here in unit.move.goals and not is_cover(position, to),
        crawl=action.crawl or (aside is not None and night),
        moved=has_begun(unit),
        out=start in known and end != start,
        row=site(position, to).ground.here,
        aboard=_aboard(position, unit, to),
        goes_as_told=goes_as_told,
        disrupted=state.disrupted,
        watched=_may_be_interdicted(unit, action, aside) and _is_watched(position, unit, to),
        exposed=_is_exposed(position, unit, (*told, *unclear)),
        fled=tuple(dict.fromkeys((*unit.move.fled, *(one.id for one in told)))),
        captors=bool(captors_of(position, unit)),
        pressed=is_beside(wary, start),
        unsheltered=_is_unsheltered(position, here),
        smc=kind.class_ == "smc",
        whole=kind.class_ == "squad",
        deserted=tuple(
            name for name in unit.move.leaders if has_begun(unit) and name not in action.leaders
        ),
        within=aside.within if aside else "",
        night=night,
        gear=state.gear,
        late=unit.side == position.side
        and any(
            one.side != unit.side and one.status.broken and has_begun(one) for one in position.units
        ),
        by_road=step and not action.off_road and crossing(position, here, to).ground.road,
    )


def _in_sight(
    position: AslPosition, unit: AslUnit, enemies: Sequence[AslUnit]
) -> tuple[list[AslUnit], list[AslUnit]]:
    """
    Return the enemies that see a unit, or have as it routed; and those of whom that is not clear.

    Where sight is given, and anybody is stated to see it, nobody else does.
    """
    los = {one.id: has_los(position, unit, one) for one in enemies}
    told = [one for one in enemies if los[one.id] == "yes" or one.id in unit.move.fled]
    if told and not is_computed(position):
        return told, []
    return told, [one for one in enemies if one not in told and los[one.id] in ("untold", "unsure")]


def _ipc(position: AslPosition, unit: AslUnit) -> int:
    """Return what a broken unit may carry."""
    if unit.status.wounded:
        return count("A17.2", "ipc")
    return count("A4.42", "smc" if type_of(position, unit).class_ == "smc" else "mmc")


def flees(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a broken unit could begin to rout, and so abandon SW."""
    return (
        position.phase == "RtPh" and unit.move.mph == "unmoved" and unit.at is not None
        and _is_fit(position, unit) and not has_begun(unit)
    )  # fmt: skip


def excess(position: AslPosition, unit: AslUnit, weapon: SupportWeapon) -> tuple[bool, bool]:
    """Return whether a unit carries more than its IPC, and without a SW still as much of that as it could."""
    most, all_of_it = _ipc(position, unit), [one.pp for one in unit.sw]
    rest = list(all_of_it)
    rest.remove(weapon.pp)
    return sum(all_of_it) > most, _fullest(rest, most) == _fullest(all_of_it, most)


def _fullest(loads: Sequence[int], most: int) -> int:
    """Return the greatest sum of some loads that is within a limit."""
    sums = {0}
    for load in loads:
        sums |= {one + load for one in sums if one + load <= most}
    return max(sums)


def _may_be_interdicted(unit: AslUnit, action: Rout, aside: Aside | None) -> bool:
    """Return whether what shelters it, or what it pays to be in shellholes, does not keep it from that (A10.531)."""
    if aside is None:
        return not (action.beneath or action.half)
    return aside.within == "shelter" and unit.place.inside == "beneath"


def escorting(position: AslPosition, unit: AslUnit, leader: AslUnit) -> Escorting:
    """Return the facts of a leader who routs with a unit."""
    state = leader.status
    return Escorting(
        fit=type_of(position, leader).leads
        and type_of(position, leader).is_infantry
        and not (state.broken or state.berserk or state.pinned or state.melee == "held")
        and leader.cargo.aboard is None
        and leader.move.mph != "done",
        together=(leader.side, leader.at, leader.place) == (unit.side, unit.at, unit.place),
        joins=has_begun(unit) and leader.id not in unit.move.leaders,
    )


def surrendering(
    position: AslPosition, unit: AslUnit, action: Surrender, edition: Edition, left: int
) -> Surrendering:
    """Return the facts of a unit that surrenders to another, and has so many half MF left."""
    captor = position.unit(action.to)
    fit = _is_fit(position, unit)
    takes = _takes_prisoner(position, unit, captor)
    free: Told = "no"
    if fit and takes and not unit.status.disrupted and unit.at is not None:
        ways = {
            _rout_to(position, unit, to, edition, left)
            for _, to in position.board.neighbours(unit.at)
        }
        free = "yes" if "yes" in ways else "untold" if "untold" in ways else "no"
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


def _rout_to(position: AslPosition, unit: AslUnit, to: str, edition: Edition, left: int) -> Told:
    """Return whether a unit may rout into a Location with nobody to Interdict it."""
    facts = routing(position, unit, Rout(unit.id, to), edition, left)
    found = edition.judge(msgspec.structs.replace(facts, dm=True, late=False))
    wary = Flight(position, unit, (), (), edition, left)
    price = entry_costs(wary, str(unit.at), to)
    if found.bars or found.rolls or price is None or price > left:
        return "no"
    return "untold" if found.unsupported else "yes"


def _has_stairs_away(position: AslPosition, unit: AslUnit, left: int) -> bool:
    """Return whether a stairwell leads to a level of its building that is ADJACENT to no Known enemy."""
    here, ground = spot_of(unit), site(position, str(unit.at)).ground
    if not ground.stairs or here.floor is None or left < halves("B23.4", "level"):
        return False
    known = [spot_of(one) for one in position.units if _is_armed(position, unit, one)]
    return any(
        0 <= floor <= ground.floors
        and not any(are_adjacent(position, Spot(here.at, floor), enemy) for enemy in known)
        for floor in (here.floor - 1, here.floor + 1)
    )


def _is_fit(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether it is broken Infantry on foot, neither pinned nor in Melee."""
    state = unit.status
    return (
        type_of(position, unit).is_infantry
        and state.broken
        and not (state.pinned or state.melee == "held" or unit.cargo.aboard)
        and unit.place.bypass is None
    )


def captors_of(position: AslPosition, unit: AslUnit) -> tuple[Captor, ...]:
    """Return the enemies beside a unit who would take it prisoner."""
    return tuple(
        (one.id, nationality_of(one), us_of(position, [one]), load_of(position, one, unit))
        for one in position.units
        if _takes_prisoner(position, unit, one)
    )


def _takes_prisoner(position: AslPosition, unit: AslUnit, other: AslUnit) -> bool:
    """Return whether it is Known armed Infantry or Cavalry in Good Order, out of Melee, beside a unit."""
    state = other.status
    near = _are_beside(position, unit, other)
    whole = not (state.broken or state.disrupted or state.berserk or state.melee == "held")
    on_foot = type_of(position, other).is_personnel and other.cargo.aboard is None
    return near and whole and on_foot and _is_armed(position, unit, other)


def _is_unsheltered(position: AslPosition, at: str) -> bool:
    """Return whether a Location is Open Ground, in a Blaze, or water."""
    row = site(position, at).ground.here
    return row_named(row).bare or row == "water" or "blaze" in position.markers.get(at, ())


def lingers(position: AslPosition, unit: AslUnit, *, stated: bool = True) -> bool:
    """
    Return whether a broken unit has stayed in Open Ground in the LOS of an enemy.

    Only enemies count that see it; if not `stated`, only those of whom that is not clear.
    """
    told = [
        one
        for one in position.units
        if _is_armed(position, unit, one)
        and has_los(position, unit, one) in (("yes",) if stated else ("untold", "unsure"))
    ]
    return (
        unit.status.broken
        and unit.status.melee != "held"
        and unit.move.previous is None
        and unit.cargo.aboard is None
        and not unit.place.inside
        and _is_exposed(position, unit, told)
    )


def is_cornered(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a broken unit on foot is next to, or with, an unbroken Known armed enemy."""
    if not unit.status.broken or unit.status.melee == "held" or unit.at is None:
        return False
    return unit.cargo.aboard is None and any(
        not one.status.broken
        and _is_armed(position, unit, one)
        and _are_beside(position, unit, one)
        for one in position.units
    )


def _are_beside(position: AslPosition, unit: AslUnit, other: AslUnit) -> bool:
    """Return whether two units are on the map, in the same Location or ADJACENT."""
    on_map = unit.at is not None and other.at is not None
    return on_map and are_adjacent(position, spot_of(unit), spot_of(other))


def _is_exposed(position: AslPosition, unit: AslUnit, enemies: Sequence[AslUnit]) -> bool:
    """Return whether one of those who may see a unit must be fled from Open Ground, if in Normal Range."""
    if unit.at is None or not row_named(site(position, unit.at).ground.here).bare:
        return False
    most = count("A10.532", "range")
    return any(
        position.board.distance(unit.at, str(one.at)) <= most
        for one in enemies
        if not one.status.broken and one.status.melee != "held"
    )


def _is_watched(position: AslPosition, unit: AslUnit, to: str) -> bool:
    """Return whether an unbroken enemy is near enough to Interdict, and no SMOKE lies there."""
    if not set(SMOKES).isdisjoint(position.markers.get(to, ())):
        return False
    moved = replace(unit, at=to, inside="" if unit.place.inside != "upstairs" else "upstairs")
    return any(
        one.at is not None
        and position.board.distance(one.at, to) <= count("A10.532", "range")
        and not (one.status.broken or one.status.pinned or one.status.cx or one.concealment.dummy)
        for one in position.units
        if one.side != unit.side
        and type_of(position, one).class_ not in ("wreck", "gun")
        and (one.concealment.concealed or has_los(position, moved, one) != "no")
    )


def _aboard(position: AslPosition, unit: AslUnit, to: str) -> Literal["", "moving", "stopped"]:
    """Return whether the vehicle moves, or stands, beneath which a Passenger would rout."""
    if unit.cargo.aboard is None or unit.cargo.riding or to != unit.at:
        return ""
    return "moving" if position.unit(unit.cargo.aboard).motion.moving else "stopped"


def _is_armed(position: AslPosition, unit: AslUnit, other: AslUnit) -> bool:
    kind = type_of(position, other)
    armed = (
        kind.is_personnel or (kind.armed and kind.class_ == "vehicle")
    ) and not other.status.unarmed
    return armed and other.at is not None and is_known_enemy(position, unit, other)
