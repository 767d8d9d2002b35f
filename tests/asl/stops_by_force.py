"""Plans with several stops by brute force: every plan of the declared space, out of ``legal_actions``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.asl.transport_by_force import FIRST, ByForce

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.asl.transport_world import State
    from tests.asl.transport_worths import Table

__all__ = ["StopsByForce"]

AFTER = {"set": "set", "last": "last", "on": "left", "left": "left"}


class StopsByForce(ByForce):
    """All plans in which vehicles are left at any number of stops."""

    def _are_alike(self, state: State, vehicle: str) -> bool:
        return True  # some may board as Passengers, some as Riders

    def _driving(self, state: State, number: int, how: str = "set") -> Table:
        if number == len(self.order):
            return self._walking(state)
        waiting, name = self.order[number:], self.order[number]

        def active(unit: Any) -> bool:
            return self._walks(unit) or bool({unit.id, unit.aboard, unit.towed_by} & {*waiting})

        def found() -> Iterator[tuple[State, Table]]:
            if how in ("set", "last"):
                yield state, self._driving(state, number + 1)
            if self._unit(state, name).exited:
                return
            for left in (*self._unloaded(state, name), *self._unhooked(state, name)):
                yield left, self._left(state, left, number, AFTER[how])
            if how in ("set", "left"):
                yield from self._on(state, number)

        return self._kept((number, how), state, active, found)

    def _on(self, state: State, number: int) -> Iterator[tuple[State, Table]]:
        """Let a vehicle go somewhere, for good or to be left and go on."""
        name, seen = self.order[number], set()
        unit = self._unit(state, name)
        for way, there in self._ways(state, name):
            if way.by or (way.stands and (way.at != unit.at or unit.moving)):
                if (way.at, way.by) not in seen:
                    yield there, self._driving(there, number, "last")
                seen.add((way.at, way.by))
                if not way.by:
                    yield there, self._driving(there, number, "on")

    def _left(self, before: State, after: State, number: int, how: str = "set") -> Table:
        off = [
            name for name, place in self.index.items()
            if self._unit(before, name).aboard and not self.world.entries[after[place]].unit.aboard
        ]  # fmt: skip
        return self._going_on(after, number, frozenset(off), FIRST, how)

    def _going_on(
        self, state: State, number: int, able: frozenset[str], last: tuple[int, int], how: str
    ) -> Table:
        """Let those who have left a vehicle walk on, who has least to spare first."""
        waiting = self.order[number:]

        def active(unit: Any) -> bool:
            carried = {unit.id, unit.aboard, unit.towed_by} & {*waiting}
            return self._walks(unit) or unit.id in able or bool(carried)

        def found() -> Iterator[tuple[State, Table]]:
            yield state, self._driving(state, number, how)
            for name in able:
                for turn, there in self._in_turn(state, name, last):
                    yield there, self._going_on(there, number, able - {name}, turn, how)

        return self._kept((number, able, last, how), state, active, found)
