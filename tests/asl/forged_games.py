"""
Forge logs of random play, legal and illegal, with what is true of each move.

The game is played by the rules' own judgement on a real board; the log is written from the facts
about VASL's files. Nothing here uses the reader of logs.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.files.boards import find_board
from marchtable.files.scenes import SCENE_FORMAT, position_of
from marchtable.reachability.reach import reach
from marchtable.rules.rulebook import find_rulebook
from marchtable_models.asl.model import (
    SPINES,
    DoubleTime,
    End,
    Enter,
    Start,
    Stop,
    Turn,
)  # fmt: skip
from marchtable_models.asl.verbs.foot import Advance
from tests.vasl.forge import Forge
from tests.vasl.logs import Recorder, at_hex, cx, men, motion, phase_track, vehicle

if TYPE_CHECKING:
    from pathlib import Path

    from marchtable.state.action import Action
    from tests.vasl.saves import Counter

__all__ = ["Forged", "forge_board", "forge_game"]

SQUADS = ("4-6-7 1sq", "4-4-7 2sq", "5-4-8 Esq", "2-4-7 1hs")
TYPES = {"4-6-7 1sq": "german 4-6-7", "4-4-7 2sq": "german 4-4-7", "5-4-8 Esq": "german 5-4-8",
         "2-4-7 1hs": "german 2-4-7", "9-1 LDR": "german 9-1"}  # fmt: skip
TANKS = ("PzKpfw IVH", "PzKpfw IIIL", "SPW 251/1")


def forge_board(folder: Path) -> Path:
    """Write a board with woods, buildings, brush, grain and a road, and return its folder."""
    board = Forge(13, 9)
    board.line(*(f"{column}5" for column in "ABCDEFGHIJKLM"), what="Dirt Road", wide=10)
    for name in ("D3", "E3", "J7", "K7", "H2"):
        board.disc(name, 26, "Woods")
    for name in ("F6", "G7", "I3"):
        board.disc(name, 18, "Stone Building")
    for name in ("C7", "D7", "K3"):
        board.disc(name, 30, "Brush")
    for name in ("H8", "I8", "L5"):
        board.disc(name, 30, "Grain")
    board.write(folder / "bd01")
    return folder


class Forged(NamedTuple):
    """A log, and for each move (by its last step, from 1) whether it is legal."""

    path: Path
    truth: dict[int, bool]
    kinds: dict[int, str]


class _Table:
    """A game in play, and its log."""

    def __init__(self, rng: random.Random, phase: str, folder: Path) -> None:
        self.rng, self.folder = rng, folder
        self.rec = Recorder("0\t0\t01")
        self.counters: dict[str, Counter] = {}
        self.track = phase_track("Axis", phase)
        self.position: Any = None
        self.phase = phase
        self.truth: dict[int, bool] = {}
        self.kinds: dict[int, str] = {}

    def set_up(self, feet: int, wheels: int) -> None:
        """Place units at random."""
        board = find_board(str(self.folder / "bd01"))
        hexes = [
            one.name for one in board.locations
            if ":" not in one.name and "A" < one.name[0] and len(one.name.rstrip("0123456789")) == 1
        ]  # fmt: skip
        rng = self.rng
        units: list[dict[str, Any]] = []
        open_ground = [name for name in hexes if board[name].terrain == "Open Ground"]
        self.rec.place((60, 60), self.track)
        for number in range(feet):
            name = "9-1 LDR" if number % 5 == 4 else rng.choice(SQUADS)
            at = units[-1]["at"] if units and rng.random() < 0.4 else rng.choice(hexes)
            if sum(one["at"] == at for one in units) > 2:
                at = rng.choice(hexes)
            piece = men("ge", name, ("moved;moved58", "false"))
            units.append({"id": f"u{number}", "side": "german", "at": at, "type": TYPES[name]})
            self.counters[f"u{number}"] = piece
        taken = {one["at"] for one in units}
        for number in range(wheels):
            at = rng.choice([one for one in open_ground if one not in taken])
            taken.add(at)
            vca = rng.randrange(6)
            piece = vehicle("ge", rng.choice(TANKS), ("moved;moved58", "false"), vca=vca + 1)
            kind = f"german {piece.name}"
            units.append(
                {
                    "id": f"v{number}",
                    "side": "german",
                    "at": at,
                    "type": kind,
                    "facing": SPINES[vca],
                }
            )
            self.counters[f"v{number}"] = piece
        for number in range(2):
            at = rng.choice([one for one in hexes if one not in taken])
            taken.add(at)
            piece = men("ru", "4-4-7 1sq")
            units.append({"id": f"r{number}", "side": "russian", "at": at, "type": "russian 4-4-7"})
            self.counters[f"r{number}"] = piece
        for at in dict.fromkeys(one["at"] for one in units):
            self.rec.place(at, *(self.counters[one["id"]] for one in units if one["at"] == at))
        self.position = position_of(
            {
                "format": SCENE_FORMAT, "rulebook": "asl", "side": "german", "phase": self.phase,
                "turn": 1, "units": units, "board": "",
            },
            source="forged", board=board,
        )  # fmt: skip
        self.rec.begin()

    def tried(self, action: Action) -> bool:
        """Play an action if it is legal and calls for no roll."""
        ruling = find_rulebook("asl").rule(self.position, action)
        if not ruling.is_legal or ruling.after is None or ruling.after.pending:
            return False
        self.position = ruling.after
        return True

    def told(self, legal: bool, kind: str) -> None:
        """Note what is true of the move that ends with the last step."""
        self.truth[len(self.rec.steps)] = legal
        self.kinds[len(self.rec.steps)] = kind

    # -- legal moves -----------------------------------------------------------------------------

    def walk(self, names: list[str]) -> None:
        """Move units on foot as a stack by a random legal way."""
        rng = self.rng
        tired = rng.random() < 0.2 and len(names) == 1 and self.tried(DoubleTime(names[0]))
        way = []
        for _ in range(rng.randint(1, 8)):
            at = self.position.unit(names[0]).at
            nearby = [name for _, name in self.position.board.neighbours(at) if ":" not in name]
            rng.shuffle(nearby)
            to = next((one for one in nearby if self.tried(Enter(tuple(names), one))), None)
            if to is None:
                break
            way.append(to)
        if not way:
            return
        counters = [self.counters[name] for name in names]
        style = rng.random()
        shown = way if style < 0.7 else way[1::2] + ([way[-1]] if len(way) % 2 else [])
        whole = self.rec.members[self.rec.stack_of[counters[0].id]]
        if rng.random() < 0.3 and len(whole) > len(counters):
            shown = shown or way
        at = self.rec.where[counters[0].id]
        shown = [to for to, was in zip(shown, [None, *shown], strict=False) if to != was]
        if shown and at[1:] == at_hex(shown[0]):
            shown = shown[1:]
        for to in shown:
            if len(counters) > 1 and rng.random() < 0.3:
                for one in counters:
                    self.rec.drag(one, to=to)
            else:
                self.rec.drag(*counters, to=to)
        if tired:
            self.rec.put(cx(), counters[0])
        last = len(self.rec.steps) - (1 if tired else 0)
        self.truth[last], self.kinds[last] = True, "walk"

    def drive(self, name: str) -> None:
        """Move a vehicle by a random legal way."""
        rng, piece = self.rng, self.counters[name]
        if not self.tried(Start(name)):
            return
        style = rng.random()
        moved = False
        for _ in range(rng.randint(1, 10)):
            unit = self.position.unit(name)
            ahead = SPINES.index(unit.facing)
            nearby = [
                to for way, to in self.position.board.neighbours(unit.at)
                if way in (ahead, (ahead + 1) % 6) and ":" not in to
            ]  # fmt: skip
            rng.shuffle(nearby)
            to = next((one for one in nearby if self.tried(Enter((name,), one))), None)
            if (to is not None and rng.random() < 0.75) or to is not None:
                self.rec.drag(piece, to=to)
                moved = True
            else:
                spine = SPINES[(ahead + rng.choice((1, -1))) % 6]
                if self.tried(Turn(name, spine)) and style < 0.6:
                    self.rec.turn(piece, spine)
        stopped = rng.random() < 0.7 and self.tried(Stop(name))
        if not stopped and not self.tried(End(name)):
            stopped = self.tried(Stop(name))
        if not moved:
            return
        facing = self.position.unit(name).facing
        index = next(state for state in self.rec.states[piece.id])
        if style >= 0.6 and index != str((SPINES.index(facing) - 2) % 6):
            self.rec.turn(piece, facing)
        last = len(self.rec.steps)
        if not stopped:
            self.rec.put(motion(), piece)
        self.truth[last], self.kinds[last] = True, "drive"

    def advance(self, names: list[str]) -> None:
        """Advance units by one hex."""
        nearby = [
            name for _, name in self.position.board.neighbours(self.position.unit(names[0]).at)
        ]
        self.rng.shuffle(nearby)
        to = next(
            (one for one in nearby if ":" not in one and self.tried(Advance(tuple(names), one))),
            None,
        )
        if to is None:
            return
        self.rec.drag(*(self.counters[name] for name in names), to=to)
        self.told(True, "advance")

    # -- illegal moves ---------------------------------------------------------------------------

    def too_far(self, name: str) -> None:
        """Move a unit farther than it can get by any way."""
        (known,) = reach(self.position, [name])
        within = known.locations
        board = self.position.board
        at = self.position.unit(name).at
        far = sorted(
            {to for near in within for _, to in board.neighbours(near) if ":" not in to}
            - within
            - {at}
        )
        if self.position.unit(name).facing is None:
            far = [
                to for to in far if not any(u.side == "russian" for u in self.position.beside(to))
            ]
        if not far:
            return
        to = self.rng.choice(far)
        piece = self.counters[name]
        near = next(one for _, one in board.neighbours(to) if one in within)
        places = known.places_at(near)
        for action in known.actions_to(places[0]):
            if isinstance(action, Enter):
                self.rec.drag(piece, to=action.to)
        self.rec.drag(piece, to=to)
        self.told(False, "too far")

    def upon_enemy(self, name: str) -> None:
        """Move a unit on foot into an enemy's hex next to it."""
        board = self.position.board
        at = self.position.unit(name).at
        for _, to in board.neighbours(at):
            if any(u.side == "russian" for u in self.position.beside(to)):
                self.rec.drag(self.counters[name], to=to)
                self.told(False, "enemy")
                return
        self.too_far(name)

    def two_hexes(self, name: str) -> None:
        """Advance a unit by two hexes."""
        board = self.position.board
        at = self.position.unit(name).at
        near = self.rng.choice([to for _, to in board.neighbours(at) if ":" not in to])
        beyond = [
            to for _, to in board.neighbours(near) if ":" not in to and board.distance(at, to) == 2
        ]
        if not beyond:
            return
        self.rec.drag(self.counters[name], to=near)
        self.rec.drag(self.counters[name], to=self.rng.choice(beyond))
        self.told(False, "two hexes")


def forge_game(
    folder: Path,
    seed: int,
    *,
    illegal: float = 0.3,
    phase: str = "MPh",
    feet: int = 8,
    wheels: int = 3,
) -> Forged:
    """
    Write a log of random play.

    Parameters
    ----------
    folder
        Where to; the board is there.
    seed
        Of the random numbers.
    illegal
        The share of illegal moves.
    phase
        The phase, MPh or APh.
    feet, wheels
        How many units on foot, and how many vehicles, there are.
    """
    rng = random.Random(seed)
    table = _Table(rng, phase, folder)
    table.set_up(feet, wheels)
    names = [
        name for name in table.counters if name[0] != "r" and (phase == "MPh" or name[0] == "u")
    ]
    rng.shuffle(names)
    done: set[str] = set()
    for name in names:
        if name in done:
            continue
        at = table.position.unit(name).at
        is_vehicle = name[0] == "v"
        mates = [
            one for one in names
            if one not in done and one[0] == name[0] == "u" and table.position.unit(one).at == at and one != name
        ]  # fmt: skip
        if rng.random() < illegal:
            if phase == "APh":
                table.two_hexes(name)
            elif is_vehicle:
                table.too_far(name)
            else:
                table.upon_enemy(name)
            done.add(name)
            continue
        together = [name, *mates] if mates and rng.random() < 0.6 else [name]
        done.update(together)
        if phase == "APh":
            table.advance(together)
        elif is_vehicle:
            table.drive(name)
        else:
            table.walk(together)
    path = table.rec.write(folder / f"forged{seed}{phase}.vlog")
    return Forged(path, table.truth, table.kinds)
