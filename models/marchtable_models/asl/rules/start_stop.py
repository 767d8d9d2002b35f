"""Start and Stop (D2.12, D2.13)."""

from __future__ import annotations

from collections.abc import Iterator

from marchtable.rules.facts import Case, Edition, Sheet, about
from marchtable.rules.subjects import cases, clause
from marchtable.rules.view import read
from marchtable.state.action import verb_of
from marchtable_models.asl.data import halves
from marchtable_models.asl.model import AslPosition, Start, Stop
from marchtable_models.asl.views import vehicles
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.mph_ends import interrupted
from marchtable_models.asl.views.standing import standing_of
from marchtable_models.asl.views.vehicle_facts import StartStop


@cases(Start, Stop)
def start_facts(position: AslPosition, action: Start | Stop, edition: Edition) -> Iterator[Case]:
    """Yield the facts of a vehicle that starts or stops, of those beside it, and whose MPh ends."""
    unit, verb = position.unit(action.unit), verb_of(action)
    reverse = isinstance(action, Start) and action.reverse
    yield about(unit, standing_of(position, unit, verb))
    yield about(unit, vehicles.start_stop(position, unit, verb, reverse=reverse))
    yield from interrupted(position, (unit,), edition)


@clause("D2.12a", kind="cost", composes="start")
def start(facts: StartStop, sheet: Sheet) -> None:
    """Starting costs 1 MP."""
    if facts.verb == "start":
        if facts.moving or not facts.is_vehicle:
            sheet.bar("only a stopped vehicle starts")
        sheet.charge(halves("D2.12", "start"), "Start", "start")


class Going(Entry):
    """An entry by a vehicle, started or not."""

    moving: bool = read(lambda step: step.unit.motion.moving, default=True)

    is_relevant = property(lambda self: self.mover.is_vehicle)


@clause("D2.12b", kind="action", composes="flag")
def must_be_started(facts: Going, sheet: Sheet) -> None:
    """A stopped vehicle must start before it enters a hex, except onto the map; then it moves."""
    if not facts.mover.is_vehicle or facts.moving or facts.mover.column == "hd":
        return
    if facts.ground.edge == "on":
        sheet.exception("it comes on from off the map")
        sheet.force("moving", value=True)
    else:
        sheet.bar("the vehicle is stopped and has not started")


@clause("D2.13", kind="cost", composes="end")
def stop(facts: StartStop, sheet: Sheet) -> None:
    """Stopping costs 1 MP."""
    if facts.verb != "stop":
        return
    if not facts.moving or not facts.is_vehicle:
        sheet.bar("only a moving vehicle stops")
    if facts.final == "all":
        sheet.exception("after an entry for the whole allotment a Stop costs nothing more (D2.7)")
    else:
        sheet.charge(halves("D2.13", "stop"), "Stop", "stop")
