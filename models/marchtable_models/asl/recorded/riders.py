"""Where a rider can get to after dismounting, whatever route the vehicle took."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from marchtable.rules.rulebook import find_rulebook
from marchtable_models.asl.recorded.detours import least_spent
from marchtable_models.asl.recorded.groups import along
from marchtable_models.asl.recorded.readings import read
from marchtable_models.asl.recorded.scripts import UnloadScript, Walked
from marchtable_models.asl.recorded.trials import Tried, is_proof
from marchtable_models.asl.records import Cargo, Motion, Place
from marchtable_models.asl.rules.loading import Load

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from marchtable_models.asl.model import AslPosition, AslUnit
    from marchtable_models.asl.recorded.groups import TrackGroup
    from marchtable_models.asl.recorded.lines import Assumptions
    from marchtable_models.asl.recorded.scripts import Part
    from marchtable_models.asl.recorded.starts import Setting


def walked_too_far(
    group: TrackGroup, assumed: Assumptions, settings: Iterable[Setting]
) -> list[Tried]:
    """
    Return the proof that a rider walked too far after dismounting, whatever the ride; or nothing.

    Rides at Excessive Speed are not considered.
    """
    found = []
    for setting in settings:
        for position, script in _let_off(setting.position, group):
            reading = read(position, script, assumed)
            if reading is None or not reading.failed:  # not even the dismounting is explained
                return []
            found.append(Tried(reading, position, setting.note, script))
    return found if is_proof(found) else []


def _let_off(
    position: AslPosition, group: TrackGroup
) -> Iterator[tuple[AslPosition, tuple[Part, ...]]]:
    """
    Yield how a group's only rider dismounted and walked on after the cheapest ride.

    Whatever is illegal then is illegal after any ride. Yield nothing if the rider did not ride from the
    start, left a SW behind or the map, or if the cheapest ride is unknown.

    Parameters
    ----------
    position
        The position before the move, without the others that moved.
    group
        The vehicle and its rider.
    """
    if not group.is_driven or len(group.tracks) != 2:
        return
    vehicle, rider = group.tracks
    shared, board = along(rider, vehicle), position.board
    has_ridden = bool(shared) and shared[0] == rider.legs[0] == vehicle.legs[0]
    if not has_ridden or not rider.is_afoot or rider.dropped:
        return
    when, at = shared[-1]
    later = [leg for leg in rider.legs if leg.when > when]
    if not later or any(to not in board for to in (at, *(leg.to for leg in later))):
        return
    script: tuple[Part, ...] = (
        UnloadScript((rider.unit,), when),
        *(Walked((rider.unit,), one.to, one.when) for one in later),
    )
    if not {vehicle.unit, rider.unit} <= position.index.keys():
        return
    carrier = position.unit(vehicle.unit)
    there = replace(position.unit(rider.unit), at=at, cargo=Cargo(), place=Place())
    least = least_spent(position.with_units([replace(there, at=None)]), carrier.id, at)
    if least is None:
        return
    points = replace(
        carrier.points, spent=least, used=carrier.points.used + least - carrier.points.spent
    )
    arrived = replace(carrier, at=at, motion=Motion(moving=True), place=Place(), points=points)
    for riding in _ways_aboard(position, carrier, position.unit(rider.unit)):
        cargo = replace(there.cargo, aboard=arrived.id, riding=riding)
        yield position.with_units([arrived, replace(there, cargo=cargo)]), script


def _ways_aboard(position: AslPosition, vehicle: AslUnit, rider: AslUnit) -> Iterator[bool]:
    """Yield whether a unit rides on a vehicle or in it: as it does already, or as it could board."""
    if rider.cargo.aboard == vehicle.id:
        yield rider.cargo.riding
        return
    book = find_rulebook(position.rulebook)
    for riding in (False, True):
        if book.rule(position, Load((rider.id,), vehicle.id, riding=riding)).is_legal:
            yield riding
