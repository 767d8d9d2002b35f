"""Forge moves aboard a vehicle, upstairs, and with a smoke dispenser, legal and illegal."""

from __future__ import annotations

from typing import Any

from marchtable.reachability.reach import reach
from marchtable_models.asl.model import SPINES, End, Enter, Start, Stop
from marchtable_models.asl.rules.dispensers import Dispense
from marchtable_models.asl.rules.loading import Load
from marchtable_models.asl.rules.unloading import Unload
from marchtable_models.asl.verbs import Stairs
from tests.vasl.logs import men, vehicle
from tests.vasl.saves import layer, marker, works

__all__ = ["RIDES", "Rides"]

SQUAD, TYPE = "4-6-7 1sq", "german 4-6-7"
CARRIER, TANK = "SPW 251/1", "PzKpfw IVH"
HOUSES = ("F6", "G7", "I3")
RIDES = ("ride", "board", "ridefar", "walkfar", "smoker", "smokefar")
"""The kinds that need a vehicle."""
STAIRS = ("down", "downfar", "up", "upfar")
"""The kinds in or next to a two-level building."""
FAR = 7
"""Hexes ridden by units that then walk too far: more than they could walk."""
MOVED = ("moved;moved58", "false")


class Rides:
    """Separate units for each kind of move, this many of each.

    Parameters
    ----------
    table
        The game, a ``forged_games.Table``.
    count
        How many of each kind there are.
    """

    def __init__(self, table: Any, count: int) -> None:
        self.table, self.rng, self.count = table, table.rng, count

    def set_up(self, free: list[str]) -> list[dict[str, Any]]:
        """Place the units of all kinds, and return them as a scene lists them."""
        units: list[dict[str, Any]] = []
        for number in range(self.count):
            for kind in RIDES:
                at, name = free.pop(), f"{kind}{number}"
                model = TANK if kind.startswith("smoke") else CARRIER
                vca = self.rng.randrange(6)
                self.table.counters[name] = vehicle("ge", model, MOVED, vca=vca + 1)
                facing = {"facing": SPINES[vca]}
                units.append(_unit(name, at, f"german {model}") | facing)
                if model == CARRIER:
                    self._add(units, f"on{name}", at)
                    if kind != "board":
                        units[-1]["aboard"] = name
        for at in HOUSES:
            self.table.levels[at] = marker("Building", layer("Ground Level", "+ Level 1", level=2))
            self._add(units, f"keeps{at}", at)
        for number in range(self.count):
            for index, kind in enumerate(STAIRS):
                at = HOUSES[(number + index) % len(HOUSES)]
                if kind.startswith("down"):
                    self._add(units, f"{kind}{number}", at)
                    units[-1] |= {"inside": "upstairs", "floor": 1}
                else:
                    near = [to for _, to in self.table.board.neighbours(at) if to in free]
                    if near:
                        free.remove(near[0])
                        self._add(units, f"{kind}{number}", near[0])
        return units

    def _add(self, units: list[dict[str, Any]], name: str, at: str) -> None:
        self.table.counters[name] = men("ge", SQUAD, MOVED)
        units.append(_unit(name, at, TYPE))

    def place_counters(self) -> list[dict[str, str]]:
        """Return no hex counters."""
        return []

    def before(self) -> None:
        """Do nothing before the recording begins."""

    def end(self) -> None:
        """Do nothing at the end."""

    def play(self) -> None:
        """Play all moves."""
        moves = [(kind, number) for number in range(self.count) for kind in (*RIDES, *STAIRS)]
        self.rng.shuffle(moves)
        for kind, number in moves:
            if f"{kind}{number}" in self.table.counters:
                getattr(self, f"_{kind}")(f"{kind}{number}")

    # -- aboard ----------------------------------------------------------------------------------

    def _ride(self, name: str) -> None:
        """Drive with a squad aboard; sometimes it unloads and walks as far as it can or wants."""
        table, rider = self.table, f"on{name}"
        stopped = table.drive(name, rider, kind="ride")
        if stopped and self.rng.random() < 0.7 and table.tried(Unload((rider,))):
            self._walk(rider, "ride", self.rng.randint(1, 3))

    def _board(self, name: str) -> None:
        """A squad beside a vehicle boards it and rides along."""
        rider = f"on{name}"
        if self.table.tried(Load((rider,), name)):
            self.table.drive(name, rider, kind="board")

    def _ridefar(self, name: str) -> None:
        """Drive farther than the MP allow, with a squad aboard."""
        self.table.too_far(name, f"on{name}", kind="ride far")

    def _walkfar(self, name: str) -> None:
        """Ride far, unload, and walk farther than the remaining MF allow.

        A hex ridden through is left out: the squad may have unloaded there and been put back by
        hand.
        """
        table, rider = self.table, f"on{name}"
        now, at = table.position, table.position.unit(name).at
        (known,) = reach(now, [name])
        far = sorted(
            to for to in known.locations if ":" not in to and table.board.distance(at, to) >= FAR
        )
        self.rng.shuffle(far)
        for to in far:
            way = known.actions_to(known.places_at(to)[0])
            if any(hasattr(one, "to") and not isinstance(one, Enter) for one in way):
                continue  # no hex is shown for a Bypass: the next one may have been a slip
            if all(map(table.tried, ride := (*way, Stop(name), Unload((rider,))))):
                break
            table.position = now
        else:
            return
        alone = table.after(table.alone(now, name, rider), ride)
        is_farthest = alone is not None and any(isinstance(one, Enter) for one in way)
        free = [to for to in table.nearby(rider) if is_farthest and not table.position.beside(to)]
        within = reach(alone, [rider])[0].locations if free else ()
        been = {at, *(one.to for one in way if isinstance(one, Enter))}
        beyond = next((to for to in free if to not in within and to not in been), "")
        if not beyond:
            table.position = now
            return
        for action in way:
            if isinstance(action, Enter):
                table.rec.drag(table.counters[name], table.counters[rider], to=action.to)
        table.rec.drag(table.counters[rider], to=beyond)
        table.stated(False, "walk far")

    # -- smoke dispensers ------------------------------------------------------------------------

    def _smoker(self, name: str) -> None:
        """Fire a smoke dispenser on the way."""
        if self._fire(name) is not None:
            last = len(self.table.rec.steps) - 1
            if self._forward(name, self.rng.randint(0, 3)):
                last = len(self.table.rec.steps)
            self.table.truth[last], self.table.kinds[last] = True, "dispenser"
            self._finish(name)

    def _smokefar(self, name: str) -> None:
        """Fire a smoke dispenser, and drive farther than even a vehicle that has not fired one could."""
        table = self.table
        before = self._fire(name)
        if before is not None:
            paid, table.position = table.position, before
            table.too_far(name, kind="smoke far")
            table.position = paid
            self._finish(name)

    def _fire(self, name: str) -> Any:
        """Set out, enter a hex and fire a smoke dispenser there; return the position before that."""
        table, begin = self.table, self.table.position
        if not (table.tried(Start(name)) and self._forward(name, 1)):
            table.position = begin
            return None
        before = table.position
        assert table.rolled(Dispense(name, "sD", 7))
        table.rec.put(works("Smoke", layer("White \\+2 Smoke")), on=table.counters[name])
        return before

    def _finish(self, name: str) -> None:
        """Stop, or end the move in Motion: no other unit moves before."""
        assert self.table.tried(Stop(name)) or self.table.tried(End(name))

    def _forward(self, name: str, hexes: int) -> bool:
        """Drive ahead up to this many hexes while legal; return whether it moved."""
        table, begin = self.table, self.table.position.unit(name).at
        for _ in range(hexes):
            unit = table.position.unit(name)
            ahead = SPINES.index(unit.facing)
            near = [
                to
                for way, to in table.board.neighbours(unit.at)
                if way in (ahead, (ahead + 1) % 6) and not table.position.beside(to)
            ]
            to = next((one for one in near if table.tried(Enter((name,), one))), "")
            if to:
                table.rec.drag(table.counters[name], to=to)
        return bool(table.position.unit(name).at != begin)

    # -- upstairs --------------------------------------------------------------------------------

    def _down(self, name: str) -> None:
        """Go downstairs, and out."""
        if self.table.tried(Stairs((name,), "down")):
            self._walk(name, "down", self.rng.randint(1, 4))

    def _downfar(self, name: str) -> None:
        """Go downstairs, and out farther than the MF allow."""
        self.table.too_far(name, kind="down far", opening=[Stairs((name,), "down")])

    def _up(self, name: str) -> None:
        """Enter a building and go upstairs."""
        table = self.table
        at = next((to for to in table.nearby(name) if to in HOUSES), "")
        entries = (Enter((name,), at), Stairs((name,), "up"))
        if at and table.can(table.position, entries):
            assert all(map(table.tried, entries))
            table.rec.drag(table.counters[name], to=at, upstairs=True)
            table.stated(True, "up")

    def _upfar(self, name: str) -> None:
        """Use all MF to enter a building, and lie above the counter of its level."""
        table, before = self.table, self.table.position
        at = next((to for to in table.nearby(name) if to in HOUSES), "")
        way = [to for to in table.nearby(name) if at and table.board.distance(to, at) == 1][:1] * 2
        way[1:] = [table.position.unit(name).at, at] if way else []
        entries = [Enter((name,), to) for to in way]
        if not way or not table.can(before, entries):
            return
        if table.can(table.alone(before, name), [*entries, Stairs((name,), "up")]):
            return
        assert all(map(table.tried, entries))
        for to in way:
            table.rec.drag(table.counters[name], to=to, upstairs=to == at)
        table.stated(None, "up far")

    def _walk(self, name: str, kind: str, hexes: int) -> None:
        """Walk by legal steps, dragged hex by hex."""
        table = self.table
        for _ in range(hexes):
            to = next((one for one in table.nearby(name) if table.tried(Enter((name,), one))), "")
            if to:
                table.rec.drag(table.counters[name], to=to)
                table.stated(True, kind)


def _unit(name: str, at: str, kind: str) -> dict[str, Any]:
    return {"id": name, "side": "german", "at": at, "type": kind}
