"""SMOKE placed in a phase, and who might have placed it."""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING, NamedTuple

import networkx as nx

from marchtable.rules.rulebook import find_rulebook
from marchtable_models.asl.data import halves
from marchtable_models.asl.recorded.dice import is_single
from marchtable_models.asl.recorded.scripts import SmokeScript
from marchtable_models.asl.rules.grenades import Smoke

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from marchtable.board.board import Board
    from marchtable.rules.refereeing import Judged
    from marchtable_models.asl.model import AslPosition
    from marchtable_models.asl.recorded.groups import TrackGroup
    from marchtable_models.asl.recorded.tracks import Track
    from marchtable_models.asl.recorded.trials import Tried
    from marchtable_models.asl.recorded.views import Segment

MOST_APART = 3
"""The largest number of SMOKE counters of a move that can be its own or another's."""


class SmokeCounter(NamedTuple):
    """A SMOKE counter that was placed in a move: however often it was dragged, it is one attempt."""

    number: str  # the counter
    mover: int  # the number of the move
    drags: tuple[tuple[int, str], ...]  # where it was put, by step
    rolled: int | None  # the step of the first dr after it was put anywhere, None for none

    @property
    def options(self) -> list[tuple[int, str]]:
        """Where and when it might have been placed: its place before its dr, or in the end."""
        before = [one for one in self.drags if self.rolled is None or one[0] < self.rolled]
        return list(
            dict.fromkeys(
                (when, last[1])
                for last in (before[-1], self.drags[-1])
                for when in (last[0], self.drags[0][0])
            )
        )


class Smokes:
    """
    Finds whose grenades or smoke dispenser a SMOKE counter might be.

    Parameters
    ----------
    segment
        The phase.
    tracks
        Each unit's acts in it.
    groups
        The moves in it, in order.
    board
        The map.
    """

    def __init__(
        self,
        segment: Segment,
        tracks: Mapping[str, Track],
        groups: Sequence[TrackGroup],
        board: Board,
    ) -> None:
        self._segment, self._tracks, self._groups = segment, tracks, groups
        self._board = board
        self._placed = [*self._counters()] if segment.phase == "MPh" and groups else []
        self._paid: dict[SmokeCounter, str] = {}
        """Places of the counters that a legal reading has placed."""
        self._excused: list[tuple[Judged, SmokeCounter]] = []
        """Legal moves that did not pay for a counter placed during them."""

    def _counters(self) -> Iterator[SmokeCounter]:
        steps = sorted(
            (when, number)
            for number, group in enumerate(self._groups)
            for track in group.tracks
            for when in track.steps
        )
        drags: dict[tuple[str, int], list[tuple[int, str]]] = {}
        for when, placed in self._segment.placed:
            if placed.is_smoke:
                before = [number for step, number in steps if step <= when]
                mover = before[-1] if before else 0
                drags.setdefault((placed.number, mover), []).append((when, placed.at))
        rolls = [when for when, dice in self._segment.rolls if is_single(dice)]
        for (number, mover), some in drags.items():
            rolled = next((when for when in rolls if when > some[0][0]), None)
            yield SmokeCounter(number, mover, tuple(some), rolled)

    def of(self, group: TrackGroup) -> list[SmokeCounter]:
        """Return the unpaid SMOKE placed between a step of this group and one of another."""
        return [one for one in self._around(group) if one not in self._paid]

    def _around(self, group: TrackGroup) -> list[SmokeCounter]:
        """Return the SMOKE that a group might have placed after its own step, or one of its whole group."""
        unit = group.tracks[0].unit
        return [
            one
            for one in self._placed
            if any(track.unit == unit for track in self._groups[one.mover].tracks)
            and any(self._is_in_range(track, one) for track in group.tracks)
        ]

    def _is_in_range(self, track: Track, smoke: SmokeCounter) -> bool:
        """Return whether SMOKE was placed within range of a unit's way."""
        if track.seen is None or not (track.is_afoot or track.seen.is_vehicle):
            return False
        return self._is_near(track.way, smoke, 0 if track.seen.is_vehicle else 1)

    def _is_near(self, way: Sequence[str], smoke: SmokeCounter, most: int) -> bool:
        """Return whether a way comes within that many hexes of SMOKE."""
        board = self._board
        return any(
            at in board and board.distance(at, to) <= most for at in way for _, to in smoke.options
        )

    def doubts(self, group: TrackGroup) -> Iterator[str]:
        """Yield why an illegal move might not have paid for SMOKE, or not have gone through it."""
        smokes = self.of(group)
        if (
            smokes
            and not group.is_driven
            and self._may_be_anothers(group, smokes, of_vehicles=True)
        ):
            yield "a vehicle in the SMOKE's hex, or next to it, may have placed it"
        if any(one.drags[0][0] <= group.end for one in self._around(group) if one in self._paid):
            yield "others placed SMOKE during the move: it may have passed before"

    def choices(self, group: TrackGroup) -> Iterator[tuple[tuple[int, str], ...]]:
        """
        Yield the SMOKE that a group might have placed, by step: all first, then without others'.

        SMOKE at a vehicle's place might have been fired by any gun.
        """
        smokes = self.of(group)
        sizes = range(len(smokes), -1, -1) if len(smokes) <= MOST_APART else (len(smokes), 0)
        for size in sizes:
            for own in combinations(smokes, size):
                others = [one for one in smokes if one not in own]
                if group.is_driven or self._may_be_anothers(group, others):
                    yield from product(*(one.options for one in own))

    def _may_be_anothers(
        self, group: TrackGroup, smokes: Sequence[SmokeCounter], *, of_vehicles: bool = False
    ) -> bool:
        """Return whether another friendly unit, on foot or not, was ever adjacent to each SMOKE."""
        units = {track.unit for track in group.tracks}
        side = group.tracks[0].seen.side if group.tracks[0].seen else ""
        return all(
            any(self._near(one, side, of_vehicles=of_vehicles) - units)
            or any(one.number == two.number and one.mover != two.mover for two in self._placed)
            for one in smokes
        )

    def _near(self, smoke: SmokeCounter, side: str, *, of_vehicles: bool = False) -> set[str]:
        """Return a side's units, on foot or not, that were ever adjacent to SMOKE."""
        near: set[str] = set()
        for name, seen in self._segment.start.items():
            if seen.side == side and (seen.is_vehicle if of_vehicles else seen.is_afoot):
                track = self._tracks.get(name)
                way = (seen.at,) if track is None else track.way
                if self._is_near(way, smoke, 1):
                    near.add(name)
        return near

    # -- payment ----------------------------------------------------------------------------------

    def note(self, group: TrackGroup, judged: Judged, best: Tried) -> None:
        """Record the SMOKE that a legal move has placed, and has left to others."""
        thrown = {(one.when, one.to) for one in best.script if isinstance(one, SmokeScript)}
        for smoke in self.of(group):
            at = next((to for when, to in smoke.options if (when, to) in thrown), "")
            if at:
                self._paid[smoke] = at
            else:
                self._excused.append((judged, smoke))

    def explains(self, when: int, number: str) -> bool:
        """Return whether a legal reading has placed a counter dragged in a step."""
        return any(
            smoke.number == number
            and at == smoke.drags[-1][1]
            and any(when == step for step, _ in smoke.drags)
            for smoke, at in self._paid.items()
        )

    def settle(self, moves: Sequence[Judged], position: AslPosition) -> None:
        """
        Leave undecided the moves that did not pay for SMOKE that no other has, or can have, placed.

        Each counter belongs to another unit: one that did not move, or has the MF left, or whose
        own move is not known to be legal.
        """
        paid = {one.number for one in self._paid}
        unpaid = {one.number: one for _, one in self._excused if one.number not in paid}
        may_pay: nx.Graph[object] = nx.Graph()
        for judged, smoke in self._excused:
            for unit in self._near(smoke, judged.side) - {*judged.units}:
                if smoke.number in unpaid and self._can_pay(unit, moves, position):
                    may_pay.add_edge(smoke, ("unit", unit))
        found = nx.bipartite.maximum_matching(may_pay, [*unpaid.values()]) if may_pay else {}
        for judged, smoke in self._excused:
            if smoke.number in unpaid and unpaid[smoke.number] not in found:
                judged.status = "UNKNOWN"
                judged.doubts = (*judged.doubts, "who placed the SMOKE next to it is not known")

    def _can_pay(self, unit: str, moves: Sequence[Judged], position: AslPosition) -> bool:
        """Return whether a unit might have placed SMOKE besides its other acts."""
        seen = self._segment.start[unit]
        if seen.class_ == "smc" or any(map(seen.shows, ("broken", "pinned", "prep_fired", "ti"))):
            return False
        judged = next((one for one in moves if unit in one.units), None)
        if judged is None or judged.status != "LEGAL" or unit not in position.index:
            return True
        if any(isinstance(one, Smoke) and one.unit == unit for one in judged.log):
            return False
        known, book = position.unit(unit), find_rulebook(position.rulebook)
        return book.allotment(position, known) - book.spent(known) >= halves("A24.1", "adjacent")
