"""The positions in which a recorded move might have begun."""

from __future__ import annotations

from itertools import islice, product
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from marchtable.rules.rulebook import find_rulebook
from marchtable_models.asl.counterkinds import SMOKE
from marchtable_models.asl.data import count
from marchtable_models.asl.model import SPINES
from marchtable_models.asl.recorded.entering import edge_hexes
from marchtable_models.asl.recorded.lines import is_dominated
from marchtable_models.asl.recorded.scripts import (
    ClimbScript,
    LendScript,
    Meanwhile,
    Sped,
    UnloadScript,
)
from marchtable_models.asl.recorded.views import OFF_MAP
from marchtable_models.asl.rules.loading import Load
from marchtable_models.asl.saved.tables import vasl_names
from marchtable_models.asl.views.unitkinds import printed_ipc, type_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from marchtable_models.asl.model import AslPosition, AslUnit
    from marchtable_models.asl.recorded.groups import TrackGroup
    from marchtable_models.asl.recorded.tracks import Track
    from marchtable_models.asl.recorded.views import Segment

ANOTHER_ORDER = "legal if made in another order than recorded"
STEP_BY_STEP = "legal with the other units where they stood at each step"
SHARED = "SW assumed to be carried by others of the stack"
ABOARD = "assumed aboard the vehicle before it moved"
ON_FOOT = "assumed in the vehicle's hex, not aboard it"

MOST_DIVISIONS = 64
"""The largest number of ways to divide a stack's SW."""


class Setting(NamedTuple):
    """A position in which a recorded move may have begun."""

    position: AslPosition  # the position
    note: str = ""  # what it assumes, ``""`` for nothing
    meanwhile: tuple[Meanwhile, ...] = ()  # what happened to other units during the move


class Starts:
    """
    The position of a phase as its moves are judged in turn.

    Parameters
    ----------
    start
        The position as the phase begins.
    tracks
        Each unit's acts in it, by id.
    segment
        The units seen in it.
    """

    def __init__(self, start: AslPosition, tracks: Mapping[str, Track], segment: Segment) -> None:
        self._start, self._tracks = start, tracks
        self.now = start
        """The position after the moves judged."""
        self._lost = {
            name: event.when
            for event in segment.events
            for name, (_, after) in event.changed.items()
            if name in start.index and name in tracks and tracks[name].gone
            if after is None or after.gone
        }
        """The last step in which each unit was lost, by index."""
        self._smoke = {one.at: when for when, one in reversed(segment.placed) if one.is_smoke}
        """The first step with grenade SMOKE in each hex, by index."""

    def settings(self, group: TrackGroup) -> Iterator[Setting]:
        """Yield the positions in which a move might have begun, likeliest first."""
        for setting in self._in_order(group):
            yield from _entering(setting, group)

    def without_others(self, group: TrackGroup) -> Iterator[Setting]:
        """
        Yield the positions without the units that moved or were lost in the phase, and their SMOKE.

        No order of their moves leaves more room: what is illegal here is illegal in any order.
        """
        own = {track.unit for track in group.tracks}
        others = {
            name for name, track in self._tracks.items() if track.legs or name in self._lost
        } - own
        for setting in self._as_recorded(group):
            position = setting.position
            gone = [
                replace(
                    unit,
                    at=unit.at if unit.id in own else None,
                    cargo=replace(unit.cargo, aboard=None, riding=False),
                )
                for unit in position.units
                if unit.id in others or (unit.cargo.aboard in others and not unit.crew.inherent)
            ]
            alone = self._without_smoke(position.with_units(gone), since=0)
            yield from _entering(setting._replace(position=alone), group)

    def _as_recorded(self, group: TrackGroup) -> Iterator[Setting]:
        """Yield the positions after the moves judged before."""
        as_recorded = self._patched(self.now, group)
        lost = tuple(self._losses(group))
        yield Setting(as_recorded, "", lost)
        aboard = _aboard(as_recorded, group)
        if aboard is not as_recorded:
            yield Setting(aboard, ABOARD, lost)
        on_foot = _on_foot(as_recorded, group)
        if on_foot is not as_recorded:
            yield Setting(on_foot, ON_FOOT, lost)
        for shared in _shared_out(on_foot, group):
            yield Setting(shared, SHARED, lost)

    def _in_order(self, group: TrackGroup) -> Iterator[Setting]:
        tried = []
        for setting in self._as_recorded(group):
            tried.append(setting.position.key())
            yield setting
        on_foot = _on_foot(self._patched(self.now, group), group)
        lost = tuple(self._losses(group))
        for other in (
            _on_foot(self._patched(self._start, group), group),
            self._moved(on_foot, group, None),
        ):
            if other.key() not in tried:
                tried.append(other.key())
                yield Setting(other, ANOTHER_ORDER, lost)
        between = tuple(self._moves_between(group))
        seen = self._moved(on_foot, group, group.first)
        if between or seen.key() not in tried:
            yield Setting(
                seen, STEP_BY_STEP, tuple(sorted((*lost, *between), key=attrgetter("when")))
            )

    def _patched(self, position: AslPosition, group: TrackGroup) -> AslPosition:
        """Return a position with what was seen of other units before a move."""
        own = {track.unit for track in group.tracks}
        changed = []
        for name, track in self._tracks.items():
            if name not in position.index:
                continue
            unit = position.unit(name)
            if name in own and track.start and (unit.at or OFF_MAP) != track.start.at:
                at = None if track.start.at == OFF_MAP else track.start.at
                changed.append(replace(unit, at=at))
            if name not in own and self._lost.get(name, group.first) < group.first:
                changed.append(replace(unit, at=None))
            elif name not in own and not track.moves and (effects := track.effects_at(group.first)):
                status = replace(unit.status, **dict.fromkeys(effects, True))
                changed.append(replace(unit, status=status))
        found = position.with_units(changed) if changed else position
        return self._without_smoke(found, since=group.end)

    def _without_smoke(self, position: AslPosition, since: int) -> AslPosition:
        """Return a position without the SMOKE placed in the phase after a step."""
        kept = tuple(
            one
            for one in position.counters
            if one.kind != SMOKE
            or one in self._start.counters
            or self._smoke.get(one.at, since) < since
        )
        return replace(position, counters=kept) if kept != position.counters else position

    def _losses(self, group: TrackGroup) -> Iterator[Meanwhile]:
        """Yield the losses of other units during a move."""
        own = {track.unit for track in group.tracks}
        for name, when in sorted(self._lost.items(), key=lambda item: item[1]):
            if name not in own and group.first <= when <= group.end:
                yield Meanwhile(((name, None),), when)

    def _moved(self, position: AslPosition, group: TrackGroup, before: int | None) -> AslPosition:
        """Return a position with other units where they were seen before a step, or in the end."""
        changed = []
        for unit, track in self._others(position, group):
            legs = [leg.to for leg in track.legs if before is None or leg.when < before]
            at = legs[-1] if legs else track.start.at if track.start else OFF_MAP
            if at in position.board and unit.at != at:
                changed.append(replace(unit, at=at))
        return position.with_units(changed) if changed else position

    def _moves_between(self, group: TrackGroup) -> Iterator[Meanwhile]:
        """Yield other units' visible acts during a move."""
        for unit, track in self._others(self._start, group):
            for leg in track.legs:
                if group.first <= leg.when < group.end and leg.to in self._start.board:
                    yield Meanwhile(((unit.id, leg.to),), leg.when)

    def _others(self, position: AslPosition, group: TrackGroup) -> Iterator[tuple[AslUnit, Track]]:
        """Yield the units that also moved, and were not lost."""
        own = {track.unit for track in group.tracks}
        for name, track in self._tracks.items():
            if name not in own and name not in self._lost and name in position.index and track.legs:
                yield position.unit(name), track

    def go_on(self, group: TrackGroup, after: AslPosition) -> None:
        """Take over a move's result, for the units that move after it."""
        gone = {track.unit for track in group.tracks if track.gone}
        units = [after.unit(track.unit) for track in group.tracks if track.unit in after.index]
        before = self._without_smoke(self.now, since=group.end).counters
        later = (one for one in self.now.counters if one not in before)
        self.now = replace(
            self.now.with_units(
                [
                    replace(unit, at=None) if unit.id in gone else unit
                    for unit in units
                    if unit.id in self.now.index
                ]
            ),
            counters=(*after.counters, *later),
        )


def _aboard(position: AslPosition, group: TrackGroup) -> AslPosition:
    """Return a position with those that go along with a vehicle from its first step aboard it."""
    vehicle, *others = group.tracks
    if not group.is_driven or vehicle.unit not in position.index:
        return position
    carrier = position.unit(vehicle.unit)
    riders = [
        position.unit(track.unit)
        for track in others
        if track.is_afoot and track.unit in position.index
        if track.legs[0].when == vehicle.legs[0].when
    ]
    riders = [one for one in riders if one.at == carrier.at and one.cargo.aboard is None]
    book, names = find_rulebook(position.rulebook), tuple(one.id for one in riders)
    for riding in (False, True) if names else ():
        if book.rule(position, Load(names, carrier.id, riding=riding)).is_legal:
            return position.with_units(
                [
                    replace(one, cargo=replace(one.cargo, aboard=carrier.id, riding=riding))
                    for one in riders
                ]
            )
    return position


def _on_foot(position: AslPosition, group: TrackGroup) -> AslPosition:
    """Return a position with units that lie on a vehicle not aboard it."""
    own = {track.unit for track in group.tracks}
    changed = [
        replace(unit, cargo=replace(unit.cargo, aboard=None, riding=False))
        for unit in position.units
        if unit.cargo.aboard is not None
        and (unit.id in own) != (unit.cargo.aboard in own)
        and not unit.crew.inherent
    ]
    return position.with_units(changed) if changed else position


def _shared_out(position: AslPosition, group: TrackGroup) -> Iterator[AslPosition]:
    """Yield positions with stacks' SW divided so that they carry least above their IPC."""
    stacks: dict[str | None, list[AslUnit]] = {}
    for track in group.tracks:
        if track.unit in position.index and track.seen is not None and track.seen.is_afoot:
            unit = position.unit(track.unit)
            stacks.setdefault(unit.at, []).append(unit)
    divisions = [_divisions(position, stack) for stack in stacks.values() if len(stack) > 1]
    for some in islice(product(*divisions), MOST_DIVISIONS):
        changed = [unit for stack in some for unit in stack]
        if any(unit != position.unit(unit.id) for unit in changed):
            yield position.with_units(changed)


def _divisions(position: AslPosition, stack: Sequence[AslUnit]) -> list[tuple[AslUnit, ...]]:
    """Return a stack with its SW divided, without needlessly burdening divisions."""
    worn = {row.name for row in vasl_names().gear}
    weapons = [one for unit in stack for one in unit.sw if one.name not in worn]
    gear = [tuple(one for one in unit.sw if one.name in worn) for unit in stack]
    room = [printed_ipc(smc=type_of(position, unit).class_ == "smc") for unit in stack]
    present = tuple(
        max(0, sum(one.pp for one in unit.sw if one.name not in worn) - most)
        for unit, most in zip(stack, room, strict=True)
    )
    found = {present: tuple(stack)}
    for owners in islice(product(range(len(stack)), repeat=len(weapons)), MOST_DIVISIONS):
        held = [
            tuple(one for one, to in zip(weapons, owners, strict=True) if to == n)
            for n in range(len(stack))
        ]
        over = tuple(
            max(0, sum(one.pp for one in some) - most)
            for some, most in zip(held, room, strict=True)
        )
        if not is_dominated(over, found):
            found = {other: one for other, one in found.items() if not is_dominated(other, [over])}
            found[over] = tuple(
                replace(unit, sw=(*kept, *some))
                for unit, kept, some in zip(stack, gear, held, strict=True)
            )
    return list(found.values())


def _entering(setting: Setting, group: TrackGroup) -> Iterator[Setting]:
    """
    Yield a setting as it is, or with the group's off-map units beyond every edge hex.

    A vehicle waits with its first seen VCA, or with any other.
    """
    if not any(track.start and track.start.at == OFF_MAP for track in group.tracks):
        yield setting
        return
    position = setting.position
    edges = edge_hexes(position)
    units = [position.unit(track.unit) for track in group.tracks if track.unit in position.index]
    waiting = [
        replace(unit, offboard=replace(unit.offboard, entering=edges))
        for unit in units
        if unit.at is None and unit.cargo.aboard is None and unit.cargo.towed_by is None
    ]
    if not any(unit.facing for unit in waiting):
        yield setting._replace(position=position.with_units(waiting))
        return
    facing = next(unit.facing for unit in waiting if unit.facing)
    for spine in (facing, *(one for one in SPINES if one != facing)):
        turned = [replace(unit, facing=spine) if unit.facing else unit for unit in waiting]
        yield setting._replace(position=position.with_units(turned))


def beginnings(
    before: AslPosition, group: TrackGroup, *, is_fast: bool
) -> Iterator[tuple[UnloadScript | LendScript | Sped | ClimbScript, ...]]:
    """
    Yield the first acts: none, lending IPC, leaving a vehicle, or going downstairs.

    A vehicle can use Excessive Speed if `is_fast`: a DR was made that might be for it.
    """
    found = [*_beginnings(before, group, is_fast=is_fast)]
    yield from found
    floors = {
        unit.id: unit.place.floor
        for track in group.tracks
        if track.is_afoot and track.unit in before.index
        if (unit := before.unit(track.unit)).place.inside == "upstairs"
    }
    for floor in range(max(floors.values(), default=0) - 1, -1, -1):
        units = tuple(name for name in floors if floors[name] > floor)
        yield from ((*one, ClimbScript(units, floor, group.first)) for one in found)


def _beginnings(
    before: AslPosition, group: TrackGroup, *, is_fast: bool
) -> Iterator[tuple[UnloadScript | LendScript | Sped, ...]]:
    yield ()
    if group.is_driven and is_fast and group.tracks[0].unit in before.index:
        vehicle = before.unit(group.tracks[0].unit)
        printed = type_of(before, vehicle).mp or 0
        yield from (
            (Sped(vehicle.id, 2 * mp),) for mp in range(1, printed // count("D2.5", "share") + 1)
        )
    if not group.is_driven:
        yield from ((one,) for one in _lenders(before, group))
    units = tuple(
        track.unit
        for track in group.tracks
        if track.last is not None
        and track.last.is_afoot
        and track.unit in before.index
        and before.unit(track.unit).cargo.aboard
    )
    if units and not group.is_driven:
        yield (UnloadScript(units, group.first),)


def _lenders(before: AslPosition, group: TrackGroup) -> Iterator[LendScript]:
    """Yield a group's SMC, each with a unit with SW to which it might lend its IPC."""
    units = [before.unit(track.unit) for track in group.tracks if track.unit in before.index]
    for unit in units:
        if type_of(before, unit).class_ != "smc":
            continue
        for other in units:
            if other is not unit and other.sw and other.at == unit.at:
                yield LendScript(unit.id, other.id)
