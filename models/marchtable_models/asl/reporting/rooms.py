"""Vehicle room, kept MP, and the cost of leaving, for ``options``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.codec.structs import points
from marchtable_models.asl.data import halves
from marchtable_models.asl.rules import capacity, loading, unloading
from marchtable_models.asl.rules.capacity import hold, inside, may_ride, outside
from marchtable_models.asl.rules.unloading import Unload, alighting
from marchtable_models.asl.views.cargo import prc
from marchtable_models.asl.views.carriage import is_own_mph
from marchtable_models.asl.views.reading import type_of
from marchtable_models.asl.views.standing import standing_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from marchtable.rules.edition import Edition
    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action
    from marchtable_models.asl.model import AslPosition, AslUnit

    Rule = Callable[[AslPosition, Action], Ruling]

PASSENGERS, RIDERS = "Passengers", "Riders"


def rooms(
    position: AslPosition, unit: AslUnit, edition: Edition, rule: Rule
) -> Iterator[dict[str, Any]]:
    """Yield a vehicle's room and kept MP, and a Passenger's or Rider's cost of leaving its vehicle."""
    if unit.at is None:
        return
    if type_of(position, unit).class_ == "vehicle":
        yield from _room(position, unit, edition)
        if is_own_mph(position, unit):
            yield from _kept(position, unit, edition)
            yield from _stacks(position, unit, rule)
    elif unit.cargo.aboard is not None and not unit.crew.inherent and is_own_mph(position, unit):
        vehicle = position.unit(unit.cargo.aboard)
        if type_of(position, vehicle).class_ == "vehicle":
            ruling = rule(position, Unload((unit.id,)))
            cost = edition.judge(alighting(position, unit, vehicle)).total
            what = "leave its vehicle now for so many MF"
            yield entry(what, cost, unloading.alight.id, ruling.is_legal)


def _someone(vehicle: AslUnit) -> AslUnit:
    """Return a SMC that could board a vehicle, and takes no room."""
    return type(vehicle)(id="", side=vehicle.side, at=vehicle.at, type="leader")


def _room(position: AslPosition, vehicle: AslUnit, edition: Edition) -> Iterator[dict[str, Any]]:
    """Yield the PP left, as reported with options."""
    for clause, whom, left in left_in(position, vehicle, edition):
        yield from _left(position, vehicle, edition, left, whom, clause)


def left_in(
    position: AslPosition, vehicle: AslUnit, edition: Edition
) -> Iterator[tuple[str, str, int]]:
    """Yield the half PP left inside and outside, if units can be there at all."""
    facts = hold(position, vehicle)
    totals: dict[str, int] = {}
    for charge in edition.judge(facts).charges:
        totals[charge.part] = totals.get(charge.part, 0) + charge.amount
    room, taken = inside(facts, lambda part: totals.get(part, 0))
    if room:
        yield capacity.passenger_pp.id, PASSENGERS, room - taken
    if may_ride(facts):
        clause = capacity.carrier_riders if facts.carrier else capacity.rider_pp
        room, taken = outside(facts, lambda part: totals.get(part, 0))
        yield clause.id, RIDERS, room - taken


def _left(
    position: AslPosition, vehicle: AslUnit, edition: Edition, left: int, whom: str, clause: str
) -> Iterator[dict[str, Any]]:
    """Yield the PP left for Passengers or Riders, unless it is unknown whether it can have any."""
    one = hold(position, vehicle, (_someone(vehicle),), riding=whom == RIDERS)
    finding = edition.judge(one)
    if not finding.unsupported:
        barred = [bar.clause for bar in finding.bars]
        yield entry(f"have room for {whom} of so many PP more", left, clause,
                    left > 0 and not barred, barred)  # fmt: skip


def _takes_any(position: AslPosition, vehicle: AslUnit, edition: Edition) -> bool:
    """Return whether a unit could board a vehicle now, inside or outside."""
    if edition.judge(standing_of(position, vehicle, "load")).bars:
        return False
    ways = (hold(position, vehicle, (_someone(vehicle),), riding=out) for out in (False, True))
    return any(not edition.judge(facts).bars for facts in ways)


def _kept(position: AslPosition, vehicle: AslUnit, edition: Edition) -> Iterator[dict[str, Any]]:
    """Yield the MP that a boardable vehicle keeps, by the MF left to the boarder."""
    if not _takes_any(position, vehicle, edition):
        return
    most, one = halves("D6.5f", "most"), halves(loading.board.id, "board")
    for left in range(0, most, one):
        facts = loading.embarking(position, vehicle, [(most - left, left)], edition)
        finding = edition.judge(facts)
        if finding.bars:
            return
        kept = facts.allotment - facts.spent - finding.total
        what = f"keep so many MP if boarded with {points(left):g} MF left"
        yield entry(what, kept, loading.kept.id, allowed=True)


def _stacks(position: AslPosition, vehicle: AslUnit, rule: Rule) -> Iterator[dict[str, Any]]:
    """Yield how many stacks can still leave a loaded vehicle, one after another."""
    aboard = prc(position, vehicle)
    if not aboard or vehicle.move.mph == "done":
        return
    stacks = 0
    for unit in aboard:
        ruling = rule(position, Unload((unit.id,)))
        if ruling.is_legal:
            position, stacks = msgspec.structs.replace(ruling.after, pending=()), stacks + 1
    yield entry("be left by so many stacks", 2 * stacks, unloading.quarter.id)


def entry(
    what: str, left: int, clause: str, allowed: bool | None = None, barred: Iterable[str] = ()
) -> dict[str, Any]:
    """Return an option, with so many half points left; by default allowed if there are any."""
    return {
        "what": what,
        "allowed": left > 0 if allowed is None else allowed,
        "factor": points(max(0, left)),
        "clauses": list(dict.fromkeys((clause, *barred))),
    }
