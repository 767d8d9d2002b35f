"""
Reads off a position the facts of rout (A10.5): whom a unit flees, and where it must get to.

Whom it sees is told by ``sees``; where nothing is told, each Known armed enemy may see it, or none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from marchtable.state.records import replace
from marchtable_models.asl.clauses.terrain.chart import row_named
from marchtable_models.asl.counterkinds import MINEFIELD, SMOKE
from marchtable_models.asl.data import count
from marchtable_models.asl.extraction.distances import distances
from marchtable_models.asl.extraction.movers import party
from marchtable_models.asl.extraction.overlay import site
from marchtable_models.asl.extraction.prisoners import load_of, us_of
from marchtable_models.asl.extraction.reading import NOWHERE, entry
from marchtable_models.asl.extraction.unitkinds import is_known_enemy, nationality_of, type_of
from marchtable_models.asl.facts.ground import WOODS
from marchtable_models.asl.facts.routing import Escorting, Routing, Surrendering, Told
from marchtable_models.asl.model import Enter
from marchtable_models.asl.verbs.foot import Rout

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from marchtable.rules.edition import Edition
    from marchtable.state.position import Position
    from marchtable_models.asl.facts.units import Captor
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.verbs.foot import Surrender

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["captors_of", "escorting", "is_cornered", "lingers", "routing", "surrendering"]


class _Flight(NamedTuple):
    """A unit that routs, the Locations of the Known enemies it flees, and of all, and the half MF it has left."""

    position: AslPosition
    unit: AslUnit
    fled: tuple[str, ...]
    known: tuple[str, ...]
    edition: Edition
    left: int


def routing(
    position: AslPosition, unit: AslUnit, action: Rout, edition: Edition, left: int
) -> Routing:
    """Return the facts of a unit that routs into a Location, and has so many half MF left."""
    kind, state, here = type_of(position, unit), unit.status, str(unit.at)
    to = position.board.resolve(action.to)
    enemies = [one for one in position.units if _is_armed(position, unit, one)]
    told = [
        one for one in enemies if one.id in unit.concealment.sees or unit.id in one.concealment.sees
    ]
    step = unit.at is not None and position.board.hexside(here, to) is not None
    known = tuple(str(one.at) for one in enemies)
    sure = _Flight(position, unit, tuple(str(one.at) for one in told), known, edition, left)
    wary = sure._replace(fled=known)
    toward: Told = "yes" if _nears(sure, here, to) else "no"
    if not told and toward == "no" and _nears(wary, here, to):
        toward = "untold"
    goals, goes = _whither(sure, to) if step else ((), "yes")
    goes_as_told = goes == "yes"
    if step and not goes_as_told and not told and enemies:
        goes = "untold" if "yes" in (_whither(wary, to)[1], _whither(sure, to)[1]) else "no"
    return Routing(
        phase=position.phase,
        fit=_is_fit(position, unit) and unit.move.mph != "done",
        dm=state.dm or unit.move.previous is not None or _is_beside(wary, here),
        step=step,
        pp=sum(weapon.pp for weapon in unit.sw),
        ipc=count("A17.2", "ipc")
        if state.wounded
        else count("A4.42", "smc" if kind.class_ == "smc" else "mmc"),
        toward=toward,
        beside=_comes_beside(wary, here, to),
        goes=goes,
        goals=goals,
        there=here in unit.move.goals and not _is_cover(position, to),
        crawl=action.crawl,
        gear=unit.status.gear,
        moved=unit.move.previous is not None,
        out=here in known,
        row=site(position, to).ground.here,
        aboard=_aboard(position, unit, to),
        goes_as_told=goes_as_told,
        disrupted=state.disrupted,
        watched=_is_watched(position, unit, to),
        exposed=_is_exposed(position, unit, told or enemies),
        captors=bool(captors_of(position, unit)),
        pressed=_is_beside(wary, here),
        unsheltered=_is_unsheltered(position, here),
        smc=kind.class_ == "smc",
        whole=kind.class_ == "squad",
        deserted=tuple(
            name
            for name in unit.move.leaders
            if unit.move.previous is not None and name not in action.leaders
        ),
    )


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
        joins=unit.move.previous is not None and leader.id not in unit.move.leaders,
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
    return Surrendering(
        phase=position.phase,
        fit=fit,
        captor=takes,
        nation=nationality_of(unit),
        enemy=nationality_of(captor),
        disrupted=unit.status.disrupted,
        free=free,
    )


def _rout_to(position: AslPosition, unit: AslUnit, to: str, edition: Edition, left: int) -> Told:
    """Return whether a unit may rout into a Location with nobody to Interdict it."""
    facts = routing(position, unit, Rout(unit.id, to), edition, left)
    found = edition.judge(msgspec.structs.replace(facts, dm=True))
    wary = _Flight(position, unit, (), (), edition, left)
    price = _entry_costs(wary, str(unit.at), to)
    if found.bars or found.rolls or price is None or price > left:
        return "no"
    return "untold" if found.unsupported else "yes"


def _is_fit(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether it is broken Infantry on foot, on the ground, neither pinned nor in Melee."""
    state = unit.status
    return (
        type_of(position, unit).is_infantry
        and state.broken
        and not (state.pinned or state.melee == "held" or unit.cargo.aboard or unit.place.inside)
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
    near = other.at is not None and unit.at is not None and other.at in (
        unit.at, *(name for _, name in position.board.neighbours(unit.at))
    )  # fmt: skip
    whole = not (state.broken or state.disrupted or state.berserk or state.melee == "held")
    on_foot = type_of(position, other).is_personnel and other.cargo.aboard is None
    return near and whole and on_foot and _is_armed(position, unit, other)


def _is_unsheltered(position: AslPosition, at: str) -> bool:
    """Return whether a Location is Open Ground, in a Blaze, or water."""
    row = site(position, at).ground.here
    return row_named(row).bare or row == "water" or "blaze" in position.markers.get(at, ())


def lingers(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a broken unit has not routed out of Open Ground in sight of an enemy told to see it."""
    told = [
        one
        for one in position.units
        if (one.id in unit.concealment.sees or unit.id in one.concealment.sees)
        and _is_armed(position, unit, one)
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
    near = {unit.at, *(name for _, name in position.board.neighbours(unit.at))}
    return unit.cargo.aboard is None and any(
        one.at in near and not one.status.broken and _is_armed(position, unit, one)
        for one in position.units
    )


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
    if SMOKE in position.markers.get(to, ()):
        return False
    return any(
        one.at is not None
        and position.board.distance(one.at, to) <= count("A10.532", "range")
        and not (one.status.broken or one.status.pinned or one.status.cx or one.concealment.dummy)
        for one in position.units
        if one.side != unit.side and type_of(position, one).class_ not in ("wreck", "gun")
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


def _is_beside(flight: _Flight, at: str) -> bool:
    """Return whether a Known armed enemy is in a Location or next to it."""
    near = {at, *(name for _, name in flight.position.board.neighbours(at))}
    return not near.isdisjoint(flight.known)


def _nears(flight: _Flight, a: str, b: str) -> bool:
    """Return whether a step lessens the range to one of those that it flees."""
    board = flight.position.board
    return any(board.distance(b, enemy) < board.distance(a, enemy) for enemy in flight.fled)


def _comes_beside(flight: _Flight, a: str, b: str) -> bool:
    """Return whether a step leads next to a Known enemy, but out of that enemy's own Location."""
    near = {b, *(name for _, name in flight.position.board.neighbours(b))}
    return any(enemy in near and enemy != a for enemy in flight.known)


def _is_cover(position: AslPosition, at: str) -> bool:
    row = site(position, at).ground.here
    return row in WOODS or row_named(row).closed


def _costs(flight: _Flight, a: str, b: str) -> int | None:
    """Return what a step of a rout costs in half MF, whoever is hidden there; None if it may not be."""
    position = flight.position
    if _nears(flight, a, b) or _comes_beside(flight, a, b):
        return None
    if MINEFIELD in (*position.markers.get(a, ()), *position.markers.get(b, ())):
        return None
    return _entry_costs(flight, a, b)


def _entry_costs(flight: _Flight, a: str, b: str) -> int | None:
    """Return what entering a Location costs in half MF, whoever is hidden there; None if it may not be."""
    position, unit = flight.position, flight.unit
    there_now = unit if a == unit.at else replace(unit, at=a, used=1, previous=a)
    step = entry(position, there_now, b, party(position, (there_now,)), Enter((unit.id,), b))
    lone = msgspec.structs.replace(
        NOWHERE, smoke=step.there.smoke, counters=step.there.counters, crowd=step.there.crowd
    )
    found = flight.edition.judge(msgspec.structs.replace(step, there=lone, detour=None, asks=()))
    return None if found.bars or found.unsupported else found.total


def _whither(flight: _Flight, to: str) -> tuple[tuple[str, ...], Told]:
    """Return where a unit must get to, and whether it still can from a Location next to it."""
    position, unit = flight.position, flight.unit
    here, most = str(unit.at), flight.left
    goals = unit.move.goals
    if unit.move.previous is None:
        found = _distances(flight, here, most)
        goals = _goals(flight, here, {at: found[at] for at in found if _is_cover(position, at)})
    first = _costs(flight, here, to)
    if not goals or here in goals or to in goals:
        return goals, "yes"
    if first is None or first > most:
        return goals, "no"
    on = _distances(flight, to, most - first)
    return goals, "yes" if any(goal in on for goal in goals) else "no"


def _distances(flight: _Flight, start: str, most: int) -> dict[str, int]:
    return distances(flight.position.board, start, lambda a, b: _costs(flight, a, b), most)


def _goals(flight: _Flight, here: str, covers: dict[str, int]) -> tuple[str, ...]:
    """
    Return the nearest cover, and what is nearer that may be passed over; nothing where all may be.

    Those are other hexes of the building it sets out from, and what is no farther from an enemy.
    """
    board = flight.position.board
    within = _one_building(flight, here)

    def is_passed(at: str) -> bool:
        closer = any(board.distance(at, e) <= board.distance(here, e) for e in flight.fled)
        return at == here or at in within or closer

    must = [at for at in covers if not is_passed(at)]
    if not must:
        return ()
    nearest = min(covers[at] for at in must)
    may = [at for at in covers if is_passed(at) and at != here and covers[at] <= nearest]
    return tuple(sorted({*may, *(at for at in must if covers[at] == nearest)}))


def _one_building(flight: _Flight, here: str) -> Iterable[str]:
    """Return the hexes of buildings that join that of a Location, itself among them."""
    position, found, queue = flight.position, set[str](), [here]
    while queue:
        at = queue.pop()
        if at not in found and row_named(site(position, at).ground.here).closed:
            found.add(at)
            queue += [name for _, name in position.board.neighbours(at)]
    return found
