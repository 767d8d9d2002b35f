"""The positions in which a recorded move may have begun."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from marchtable_models.asl.data import count
from marchtable_models.asl.extraction.unitkinds import type_of
from marchtable_models.asl.model import SPINES
from marchtable_models.asl.recorded.readings import edge_hexes
from marchtable_models.asl.recorded.views import OFF_MAP

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.recorded.groups import Group, Track
    from marchtable_models.asl.unittype import SupportWeapon

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["Starts"]

ANOTHER_ORDER = "legal if made in another order than recorded"
SHARED = "SW taken to be carried by others of the stack"
ON_FOOT = "taken to stand in the vehicle's hex, not to be aboard it"


class Starts:
    """
    The position of a phase as its moves are judged one after the other.

    Parameters
    ----------
    start
        The position as the phase begins.
    tracks
        What each unit did in it, by its id.
    """

    def __init__(self, start: AslPosition, tracks: Mapping[str, Track]) -> None:
        self._start, self._tracks = start, tracks
        self.now = start
        """The position after the moves that were judged."""

    def orders(self, group: Group) -> Iterator[tuple[AslPosition, str]]:
        """Yield the positions in which a move may have begun, each with a note on what it assumes."""
        for position, note in self._orders(group):
            if not any(track.start and track.start.at == OFF_MAP for track in group.tracks):
                yield position, note
                continue
            for waiting in _at_the_edge(position, group):
                yield waiting, note

    def _orders(self, group: Group) -> Iterator[tuple[AslPosition, str]]:
        as_recorded = self._patched(self.now, group.first, group)
        yield as_recorded, ""
        on_foot = _on_foot(as_recorded, group)
        if on_foot is not as_recorded:
            yield on_foot, ON_FOOT
        shared = _shared_out(on_foot, group)
        if shared is not on_foot:
            yield shared, SHARED
        if self._start.key() != as_recorded.key():
            yield _on_foot(self._start, group), ANOTHER_ORDER
        late = self._late(on_foot, group)
        if late is not None:
            yield late, ANOTHER_ORDER

    def _patched(self, position: AslPosition, before: int, group: Group) -> AslPosition:
        """Return a position with what was seen of other units before a step."""
        own = {track.unit for track in group.tracks}
        changed = []
        for name, track in self._tracks.items():
            if name not in position.index:
                continue
            unit = position.unit(name)
            if name in own and track.start and (unit.at or OFF_MAP) != track.start.at:
                at = None if track.start.at == OFF_MAP else track.start.at
                changed.append(replace(unit, at=at))
            if name in own or track.moves:
                continue
            effects = track.effects_at(before)
            if effects:
                status = replace(unit.status, **dict.fromkeys(effects, True))
                changed.append(replace(unit, status=status))
        return position.with_units(changed) if changed else position

    def _late(self, position: AslPosition, group: Group) -> AslPosition | None:
        """Return a position in which all others have moved already, None if that is no other one."""
        own = {track.unit for track in group.tracks}
        changed = []
        for name, track in self._tracks.items():
            if name in own or name not in position.index or not track.legs or track.last is None:
                continue
            unit = position.unit(name)
            if track.last.at in position.board and unit.at != track.last.at:
                changed.append(replace(unit, at=track.last.at))
        return position.with_units(changed) if changed else None

    def go_on(self, group: Group, after: AslPosition) -> None:
        """Take over where a move led, for the units that move after it."""
        gone = {track.unit for track in group.tracks if track.gone}
        units = [after.unit(track.unit) for track in group.tracks if track.unit in after.index]
        self.now = replace(
            self.now.with_units(
                [
                    replace(unit, at=None) if unit.id in gone else unit
                    for unit in units
                    if unit.id in self.now.index
                ]
            ),
            counters=after.counters,
        )


def _on_foot(position: AslPosition, group: Group) -> AslPosition:
    """Return a position in which units that lie on a vehicle are not aboard it."""
    own = {track.unit for track in group.tracks}
    changed = [
        replace(unit, cargo=replace(unit.cargo, aboard=None, riding=False))
        for unit in position.units
        if unit.cargo.aboard is not None
        and (unit.id in own) != (unit.cargo.aboard in own)
        and not unit.crew.inherent
    ]
    return position.with_units(changed) if changed else position


def _shared_out(position: AslPosition, group: Group) -> AslPosition:
    """Return a position in which the SW of a stack are shared out so that all can carry them."""
    stacks: dict[str | None, list[AslUnit]] = {}
    for track in group.tracks:
        if track.unit in position.index and track.seen is not None and track.seen.is_afoot:
            unit = position.unit(track.unit)
            stacks.setdefault(unit.at, []).append(unit)
    changed = []
    for stack in stacks.values():
        weapons = sorted((one for unit in stack for one in unit.sw), key=lambda one: -one.pp)
        room = {
            unit.id: count("A4.42", "smc" if type_of(position, unit).class_ == "smc" else "mmc")
            for unit in stack
        }
        held: dict[str, list[SupportWeapon]] = {unit.id: [] for unit in stack}
        for one in weapons if len(stack) > 1 else ():
            name = max(room, key=lambda unit: room[unit])
            held[name].append(one)
            room[name] -= one.pp
        shared = [replace(unit, sw=tuple(held[unit.id])) for unit in stack]
        if weapons and len(stack) > 1 and shared != stack:
            changed += shared
    return position.with_units(changed) if changed else position


def _at_the_edge(position: AslPosition, group: Group) -> Iterator[AslPosition]:
    """
    Yield a position in which the units of a group wait beyond every edge hex.

    A vehicle waits with the VCA that it was seen with first, or with any other.
    """
    edges = edge_hexes(position)
    units = [position.unit(track.unit) for track in group.tracks if track.unit in position.index]
    waiting = [
        replace(unit, offboard=replace(unit.offboard, entering=edges))
        for unit in units
        if unit.at is None and unit.cargo.aboard is None and unit.cargo.towed_by is None
    ]
    if not any(unit.facing for unit in waiting):
        yield position.with_units(waiting)
        return
    facing = next(unit.facing for unit in waiting if unit.facing)
    for spine in (facing, *(one for one in SPINES if one != facing)):
        yield position.with_units(
            [replace(unit, facing=spine) if unit.facing else unit for unit in waiting]
        )
