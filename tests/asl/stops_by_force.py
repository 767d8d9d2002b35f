"""Plans with several stops by brute force: every plan of the declared space, from ``legal_actions``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.asl.transport_by_force import FIRST, ByForce

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.asl.transport_world import State
    from tests.asl.transport_worths import Table

__all__ = ["StopsByForce"]

Turn = tuple[str, frozenset[str]]
"""The acting vehicle, and those that have not acted yet."""
AFTER = {"set": "set", "last": "last", "on": "left", "left": "left"}


class StopsByForce(ByForce):
    """All plans in which units leave vehicles at any number of stops."""

    def _are_alike(self, state: State, vehicle: str) -> bool:
        return True  # some can board as Passengers, some as Riders

    def _drives(
        self, state: State, name: str, waiting: frozenset[str]
    ) -> Iterator[tuple[State, Table]]:
        yield state, self._course(state, (name, waiting), "set")

    def _course(self, state: State, turn: Turn, how: str) -> Table:
        """Let a vehicle act, stop after stop, then the waiting vehicles."""
        name, waiting = turn

        def active(unit: Any) -> bool:
            carried = {unit.id, unit.cargo.aboard, unit.cargo.towed_by} & {name, *waiting}
            return self._walks(unit) or bool(carried)

        def found() -> Iterator[tuple[State, Table]]:
            if how in ("set", "last"):
                yield state, self._driving(state, waiting)
            if self._unit(state, name).offboard.exited:
                return
            for left in (*self._unloaded(state, name), *self._unhooked(state, name)):
                yield left, self._gone(state, left, turn, AFTER[how])
            if how in ("set", "left"):
                yield from self._on(state, turn)

        return self._kept((turn, how), state, active, found)

    def _on(self, state: State, turn: Turn) -> Iterator[tuple[State, Table]]:
        """Move a vehicle, to end there or to unload and go on."""
        name, seen = turn[0], set()
        unit = self._unit(state, name)
        for way, there in self._ways(state, name):
            if way.by or (way.stands and (way.at != unit.at or unit.motion.moving)):
                if (way.at, way.by) not in seen:
                    yield there, self._course(there, turn, "last")
                seen.add((way.at, way.by))
                if not way.by:
                    yield there, self._course(there, turn, "on")

    def _gone(self, before: State, after: State, turn: Turn, how: str) -> Table:
        off = [
            name for name, place in self.index.items()
            if self._unit(before, name).cargo.aboard and not self.world.entries[after[place]].unit.cargo.aboard
        ]  # fmt: skip
        return self._going_on(after, turn, frozenset(off), FIRST, how)

    def _going_on(
        self, state: State, turn: Turn, able: frozenset[str], last: tuple[int, int], how: str
    ) -> Table:
        """Let units that have unloaded walk on, the one with the least to spare first."""
        name, waiting = turn

        def active(unit: Any) -> bool:
            carried = {unit.id, unit.cargo.aboard, unit.cargo.towed_by} & {name, *waiting}
            return self._walks(unit) or unit.id in able or bool(carried)

        def found() -> Iterator[tuple[State, Table]]:
            yield state, self._course(state, turn, how)
            for walker in able:
                for now, there in self._in_turn(state, walker, last):
                    yield there, self._going_on(there, turn, able - {walker}, now, how)

        return self._kept((turn, able, last, how), state, active, found)
