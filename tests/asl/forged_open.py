"""Forge moves that a log leaves open or shows unusually: losses, undone drags, markers, recovered SW."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from marchtable.reachability.reach import reach
from marchtable_models.asl.model import Enter
from marchtable_models.asl.rules.declarations import DoubleTime
from marchtable_models.asl.rules.support_weapons import Recover
from marchtable_models.asl.views.edge import outer_sides
from tests.vasl.logs import cx, men, vehicle
from tests.vasl.saves import Counter, marker

__all__ = ["ODD", "Odd"]

MOVED = ("moved;moved58", "false")
SQUAD, TYPE = "4-6-7 1sq", "german 4-6-7"
ODD = (
    "lost",
    "undone",
    "pair",
    "recover",
    "unpaid",
    "marked",
    "begun",
    "late",
    "lifted",
    "cleared",
)
"""The kinds whose units start on the map; `placed` are set up late."""
BESIDE = 120
"""Pixels from the left of counters beside the boards."""


class Odd:
    """Separate units for each unusual kind of move, this many of each.

    Parameters
    ----------
    table
        The game, a ``forged_games.Table``.
    count
        How many of each kind there are.
    """

    def __init__(self, table: Any, count: int) -> None:
        self.table, self.rng, self.count = table, table.rng, count
        self.sw: list[Counter] = []
        self.placed: list[str] = []
        """Where enemy units are set up late."""
        self.lying: list[str] = []
        """Where SW lie."""
        self.late: dict[str, tuple[Any, list[str]]] = {}
        """The position before the move of each unit that advances late, and its way."""

    def set_up(self, free: list[str]) -> list[dict[str, Any]]:
        """Place the units of all kinds in free hexes, and return them as a scene lists them."""
        units: list[dict[str, Any]] = []
        for number in range(self.count):
            for kind in ODD:
                at = free.pop()
                self._add(units, f"{kind}{number}", at)
                if kind == "pair":
                    self._add(units, f"mate{number}", at)
                if kind == "lost":
                    near = [to for _, to in self.table.board.neighbours(at) if to in free]
                    if near:
                        free.remove(near[0])
                        self._add(units, f"foe{number}", near[0], enemy=True)
        at = free.pop()
        self.table.counters["tank"] = vehicle("ru", "T-34 M41", vca=1)
        units.append(
            {"id": "tank", "side": "russian", "at": at, "type": "russian T-34 M41", "facing": "NNE"}
        )
        self.placed = [free.pop() for _ in range(self.count)]
        edges = [
            one.name
            for one in self.table.board.locations
            if outer_sides(self.table.board, one.name)
        ]
        for number in range(self.count):
            name = f"placed{number}"
            self._add(units, name, "-", enemy=True)
            units[-1]["entering"] = edges
            self.table.rec.place((BESIDE, 300 + 70 * number), self.table.counters[name])
        for kind in ("recover", "unpaid"):
            for number in range(self.count):
                at = next(one["at"] for one in units if one["id"] == f"{kind}{number}")
                near = [to for _, to in self.table.board.neighbours(at) if to in free]
                self.lying.append(near[0] if near else "")
                self.sw.append(men("ge", "LMG"))
        return units

    def _add(self, units: list[dict[str, Any]], name: str, at: str, *, enemy: bool = False) -> None:
        if enemy:
            self.table.counters[name] = men("ru", "4-4-7 1sq")
            units.append({"id": name, "side": "russian", "at": at, "type": "russian 4-4-7"})
            return
        self.table.counters[name] = men("ge", SQUAD, MOVED)
        units.append({"id": name, "side": "german", "at": at, "type": TYPE})

    def place_counters(self) -> list[dict[str, str]]:
        """Place the lying SW and the markers, and return the SW as a scene lists them."""
        rec = self.table.rec
        for at, piece in zip(self.lying, self.sw, strict=True):
            if at:
                rec.place(at, piece)
        return [{"kind": "sw 1 LMG", "at": at} for at in self.lying if at]

    def before(self) -> None:
        """Play what happens before the recording begins: an unknown marker, a first hex."""
        for number in range(self.count):
            self.table.rec.put(marker("Homebrew"), self.table.counters[f"marked{number}"])
            self._walk([f"begun{number}"], 1)

    def play(self) -> None:
        """Play all unusual moves except the last hexes of late Advances."""
        moves = [(kind, number) for number in range(self.count) for kind in (*ODD, "placed")]
        self.rng.shuffle(moves)
        for kind, number in moves:
            getattr(self, f"_{kind}")(number)

    def end(self) -> None:
        """Advance late, farther than the MF allow; the phase counter shows the MPh until the CCPh begins."""
        for number in range(self.count):
            name = f"late{number}"
            (known,) = reach(self.table.position, [name])
            free = [to for to in self.table.nearby(name) if not self.table.position.beside(to)]
            to = next((to for to in free if to not in known.locations), "")
            if to and not self._is_legal_alone(name, to):
                self.table.rec.drag(self.table.counters[name], to=to)
                self.table.stated(None, "late")
        self.table.rec.phase(self.table.track, "Axis", "CCPh", 1)

    def _is_legal_alone(self, name: str, to: str) -> bool:
        """Return whether a unit's way plus one more hex is legal in an order without others in its way."""
        before, way = self.late[name]
        entries = [Enter((name,), one) for one in (*way, to)]
        return bool(self.table.can(self.table.alone(before, name), entries))

    def _walk(self, names: list[str], hexes: int, *, in_open: bool = False) -> list[str]:
        """Walk by legal steps, dragged hex by hex, and return the way."""
        way: list[str] = []
        while len(way) < hexes:
            near = [
                one
                for one in self.table.nearby(names[0])
                if not in_open or self.table.board[one].terrain == "Open Ground"
            ]
            to = next((one for one in near if self.table.tried(Enter(tuple(names), one))), "")
            if not to:
                break
            way.append(to)
            self.table.rec.drag(*(self.table.counters[name] for name in names), to=to)
        return way

    def _step(self, name: str, kind: str, truth: bool | None) -> None:
        """Drag a unit to an empty adjacent hex."""
        free = [to for to in self.table.nearby(name) if not self.table.position.beside(to)]
        if free:
            self.table.rec.drag(self.table.counters[name], to=free[0])
            self.table.stated(truth, kind)

    # -- kinds -----------------------------------------------------------------------------------

    def _lost(self, number: int) -> None:
        """Enter the hex of an enemy that was eliminated there, or deleted."""
        table, name = self.table, f"lost{number}"
        if f"foe{number}" not in table.position.index:
            return
        foe = table.position.unit(f"foe{number}")
        table.rec.take(table.counters[foe.id], eliminated=self.rng.random() < 0.5)
        table.position = table.position.with_units([replace(foe, at=None)])
        if table.tried(Enter((name,), foe.at)):
            table.rec.drag(table.counters[name], to=foe.at)
            table.stated(True, "lost")

    def _undone(self, number: int) -> None:
        """Drag a unit far, undo that, sometimes after another step, and walk."""
        table, name = self.table, f"undone{number}"
        hexes = [one.name for one in table.board.locations if one.name == one.hex]
        at = self.table.position.unit(name).at
        far = [
            to for to in hexes if table.board.distance(at, to) > 6 and not table.position.beside(to)
        ]
        table.rec.drag(table.counters[name], to=self.rng.choice(far))
        between = self.rng.randint(0, 2)
        if between:
            table.rec.turn(table.counters["tank"], self.rng.choice(("E", "W", "SSE")))
        if between > 1:
            table.rec.roll("IFT", 3, 4)
        table.rec.undo(back=between)
        if self._walk([name], self.rng.randint(1, 3)):
            table.stated(True, "undone")

    def _pair(self, number: int) -> None:
        """Two squads use Double Time as a stack; one CX counter lies above both."""
        table, names = self.table, [f"pair{number}", f"mate{number}"]
        if all(table.tried(DoubleTime(name)) for name in names) and self._walk(names, 6):
            table.rec.put(cx(), table.counters[names[1]])
            steps = len(table.rec.steps) - 1
            table.truth[steps], table.kinds[steps] = True, "one cx"

    def _recover(self, number: int, *, unpaid: bool = False) -> None:
        """Recover an adjacent SW, and move on with it; one kind has no MF for it (`unpaid`)."""
        table, name = self.table, f"{'unpaid' if unpaid else 'recover'}{number}"
        index = number + (self.count if unpaid else 0)
        at, piece = self.lying[index], self.sw[index]
        if not at or not table.tried(Enter((name,), at)):
            return
        table.rec.drag(table.counters[name], to=at)
        if not unpaid and not table.rolled(Recover(name, "LMG")):
            return
        before = table.position
        way = []
        for _ in range(4):
            to = next((to for to in table.nearby(name) if table.tried(Enter((name,), to))), "")
            if to:
                way.append(to)
        if unpaid:
            table.position = before
            is_paid = table.rolled(Recover(name, "LMG"))
            (known,) = reach(table.position, [name])
            if not way or (is_paid and way[-1] in known.locations):
                return
        for step, to in enumerate(way):
            table.rec.drag(table.counters[name], *([piece] if step else []), to=to)
            table.stated(None if unpaid else True, "unpaid" if unpaid else "recover")
            if step < len(way) - 1:
                del table.truth[len(table.rec.steps)]
            if not step:
                table.rec.drag(piece, to=to)

    def _unpaid(self, number: int) -> None:
        self._recover(number, unpaid=True)

    def _marked(self, number: int) -> None:
        """Move under an unknown marker."""
        self._step(f"marked{number}", "marked", None)

    def _begun(self, number: int) -> None:
        """Move on after the recording began."""
        self._step(f"begun{number}", "begun", None)

    def _late(self, number: int) -> None:
        """Use up all MF."""
        before, name = self.table.position, f"late{number}"
        self.late[name] = (before, self._walk([name], 8, in_open=True))

    def _lifted(self, number: int) -> None:
        """Lift a unit elsewhere, put it back, and walk."""
        table, name = self.table, f"lifted{number}"
        at = table.position.unit(name).at
        hexes = [one.name for one in table.board.locations if one.name == one.hex]
        far = [
            to for to in hexes if table.board.distance(at, to) > 6 and not table.position.beside(to)
        ]
        for to in (self.rng.choice(far), at):
            table.rec.drag(table.counters[name], to=to)
        if self._walk([name], self.rng.randint(1, 2)):
            table.stated(None, "lifted")

    def _cleared(self, number: int) -> None:
        """Move on beneath a Pin marker that is removed later."""
        table, name = self.table, f"cleared{number}"
        if not self._walk([name], 1):
            return
        pin = marker("Pin")
        table.rec.put(pin, table.counters[name])
        free = [to for to in table.nearby(name) if not table.position.beside(to)]
        to = next((one for one in free if table.tried(Enter((name,), one))), "")
        if to:
            table.rec.drag(table.counters[name], pin, to=to)
            table.stated(None, "cleared")
        table.rec.take(pin)

    def _placed(self, number: int) -> None:
        """Set an enemy unit up late, in the other side's MPh."""
        table, name, at = self.table, f"placed{number}", self.placed[number]
        if table.position.beside(at):
            return
        table.rec.drag(table.counters[name], to=at)
        table.position = table.position.with_units([replace(table.position.unit(name), at=at)])
        table.stated(None, "placed")
