"""Forge logs of random play, legal and illegal, with the truth about each move.

The rules' own rulings on a real board drive the game; the log is written from the facts about
VASL's files. The reader of logs is not used here.
"""

from __future__ import annotations

import random
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from marchtable.files.boards import find_board
from marchtable.files.scenes import SCENE_FORMAT, position_of
from marchtable.reachability.reach import reach
from marchtable.rules.rolls import passing
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import Settle
from marchtable_models.asl.model import SPINES, End, Enter, MinimumMove, Start, Stop, Turn
from marchtable_models.asl.rules.declarations import DoubleTime  # fmt: skip
from marchtable_models.asl.rules.grenades import Smoke
from marchtable_models.asl.rules.pushing import Push
from marchtable_models.asl.verbs import Advance, Exit
from marchtable_models.asl.views.edge import outer_sides
from tests.asl.forged_open import Odd
from tests.asl.forged_rides import Rides
from tests.vasl.forge import Forge
from tests.vasl.logs import Recorder, at_hex, cx, men, motion, phase_track, vehicle
from tests.vasl.saves import Counter, works

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from marchtable.state.action import Action

__all__ = ["Forged", "Table", "forge_board", "forge_game"]

SQUADS = ("4-6-7 1sq", "4-4-7 2sq", "5-4-8 Esq", "2-4-7 1hs")
TYPES = {"4-6-7 1sq": "german 4-6-7", "4-4-7 2sq": "german 4-4-7", "5-4-8 Esq": "german 5-4-8",
         "2-4-7 1hs": "german 2-4-7", "9-1 LDR": "german 9-1"}  # fmt: skip
TANKS = ("PzKpfw IVH", "PzKpfw IIIL", "SPW 251/1")
GUN = "37L AT PaK 35/36"
BESIDE = 60
"""Pixels from the left of counters beside the boards."""


def forge_board(folder: Path) -> Path:
    """Write a board with woods, buildings, brush, grain and a road, and return its folder."""
    board = Forge(13, 9)
    board.line(*(f"{column}5" for column in "ABCDEFGHIJKLM"), what="Dirt Road", wide=10)
    for name in ("D3", "E3", "J7", "K7", "H2"):
        board.disc(name, 26, "Woods")
    for name in ("F6", "G7", "I3"):
        board.disc(name, 18, "Stone Building, 1 Level")
    for name in ("C7", "D7", "K3"):
        board.disc(name, 30, "Brush")
    for name in ("H8", "I8", "L5"):
        board.disc(name, 30, "Grain")
    board.write(folder / "bd01")
    return folder


class Forged(NamedTuple):
    """A log, and for each move (by its last step, from 1) whether it is legal; None if open."""

    path: Path
    truth: dict[int, bool | None]
    kinds: dict[int, str]


class Table:
    """A game in play, and its log."""

    def __init__(self, rng: random.Random, phase: str, folder: Path) -> None:
        self.rng, self.folder = rng, folder
        self.rec, self.board = Recorder("0\t0\t01"), find_board(str(folder / "bd01"))
        self.counters: dict[str, Counter] = {}
        self.levels: dict[str, Counter] = {}
        """The counters of level 1, by hex."""
        self.track = phase_track("Axis", phase)
        self.position: Any = None
        self.phase = phase
        self.truth: dict[int, bool | None] = {}
        self.kinds: dict[int, str] = {}

    def set_up(self, feet: int, wheels: int, more: int, *others: Odd | Rides) -> None:
        """Place units at random; `more` adds this many Guns with crews and units beside the boards."""
        board = self.board
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
            kind = {"type": f"german {piece.name}", "facing": SPINES[vca]}
            units.append({"id": f"v{number}", "side": "german", "at": at, **kind})
            self.counters[f"v{number}"] = piece
        for number in range(2):
            at = rng.choice([one for one in hexes if one not in taken])
            taken.add(at)
            piece = men("ru", "4-4-7 1sq")
            units.append({"id": f"r{number}", "side": "russian", "at": at, "type": "russian 4-4-7"})
            self.counters[f"r{number}"] = piece
        for number in range(more):
            at = rng.choice([one for one in open_ground if one not in taken])
            taken.add(at)
            gun = Counter(
                GUN, ("info;QSU,s7", ""), ("conceal;C;ge/q;ge;;", "null;"), image="ge/gun/x"
            )
            self.counters[f"g{number}"] = gun
            self.counters[f"c{number}"] = men("ge", "2-2-8 Icr", ("moved;moved58", "false"))
            self.counters[f"w{number}"] = men("ge", SQUADS[0], ("moved;moved58", "false"))
            units += [
                {"id": f"g{number}", "side": "german", "at": at, "type": f"german {GUN}"},
                {"id": f"c{number}", "side": "german", "at": at, "type": "any 2-2-8"},
                {
                    "id": f"w{number}", "side": "german", "at": "-", "type": TYPES[SQUADS[0]],
                    "entering": [name for name in hexes if outer_sides(board, name)],
                },
            ]  # fmt: skip
            self.rec.place((BESIDE, 300 + 70 * number), self.counters[f"w{number}"])
        lying: list[dict[str, str]] = []
        free = [one for one in open_ground if one not in {unit["at"] for unit in units}]
        if others:
            rng.shuffle(free)
        for one in others:
            units += one.set_up(free)
            lying += one.place_counters()
        for at in dict.fromkeys(one["at"] for one in units if one["at"] != "-"):
            here = [one for one in units if one["at"] == at]
            ground, above = (
                [self.counters[one["id"]] for one in here if bool(one.get("floor")) == is_above]
                for is_above in (False, True)
            )
            self.rec.place(at, *ground, *([self.levels[at]] if at in self.levels else []), *above)
        self.rec.levels = {one.id for one in self.levels.values()}
        self.position = position_of(
            {
                "format": SCENE_FORMAT, "rulebook": "asl", "side": "german", "phase": self.phase,
                "turn": 1, "units": units, "counters": lying, "board": "",
            },
            source="forged", board=board,
        )  # fmt: skip
        for one in others:
            one.before()
        self.rec.begin()

    def tried(self, action: Action) -> bool:
        """Play an action if it is legal and requires no roll."""
        ruling = find_rulebook("asl").rule(self.position, action)
        if not ruling.is_legal or ruling.after is None or ruling.after.pending:
            return False
        self.position = ruling.after
        return True

    def rolled(self, action: Action) -> bool:
        """Play an action if it is legal, with the rolls its player hopes for."""
        book = find_rulebook("asl")
        ruling = book.rule(self.position, action)
        while ruling.is_legal and ruling.after is not None:
            position = ruling.after
            if not position.pending:
                self.position = position
                return True
            first = position.pending[0]
            smoke = next(
                (o.outcome for o in first.outcomes if o.outcome in {"placed", "fired"}), ""
            )
            wish = Settle(first.id, smoke) if smoke else passing(position)
            ruling = book.rule(position, wish or Settle(first.id, first.outcomes[0].outcome))
        return False

    def nearby(self, name: str) -> list[str]:
        """Return the hexes next to a unit, in any order."""
        at = self.position.unit(name).at
        found = [to for _, to in self.position.board.neighbours(at) if ":" not in to]
        self.rng.shuffle(found)
        return found

    def stated(self, legal: bool | None, kind: str) -> None:
        """Record the truth about the move that ends with the last step."""
        self.truth[len(self.rec.steps)] = legal
        self.kinds[len(self.rec.steps)] = kind

    # -- legal moves -----------------------------------------------------------------------------

    def walk(self, names: list[str]) -> None:
        """Move units on foot as a stack along a random legal way."""
        rng = self.rng
        tired = rng.random() < 0.2 and len(names) == 1 and self.tried(DoubleTime(names[0]))
        way = []
        for _ in range(rng.randint(1, 8)):
            nearby = self.nearby(names[0])
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
        if not shown:  # the stack came back to where it began
            return
        self.drag_along(counters, shown)
        if tired:
            self.rec.put(cx(), counters[0])
        last = len(self.rec.steps) - (1 if tired else 0)
        self.truth[last], self.kinds[last] = True, "walk"

    def drag_along(self, counters: list[Counter], way: list[str]) -> None:
        """Drag counters along a way, sometimes one by one."""
        for to in way:
            if len(counters) > 1 and self.rng.random() < 0.3:
                for one in counters:
                    self.rec.drag(one, to=to)
            else:
                self.rec.drag(*counters, to=to)

    def drive(self, name: str, *riders: str, kind: str = "drive") -> bool:
        """Move a vehicle with its PRC along a random legal way; return whether it stopped."""
        rng, piece = self.rng, self.counters[name]
        if not self.tried(Start(name)):
            return False
        style = rng.random()
        moved = False
        for _ in range(rng.randint(1, 10)):
            unit = self.position.unit(name)
            ahead = SPINES.index(unit.facing)
            nearby = [
                to for way, to in self.position.board.neighbours(unit.at)
                if way in (ahead, (ahead + 1) % 6) and ":" not in to
                and not any(one.side == "russian" for one in self.position.beside(to))
            ]  # fmt: skip
            rng.shuffle(nearby)
            to = next((one for one in nearby if self.tried(Enter((name,), one))), None)
            if to is not None:
                self.rec.drag(piece, *(self.counters[one] for one in riders), to=to)
                moved = True
            else:
                spine = SPINES[(ahead + rng.choice((1, -1))) % 6]
                if self.tried(Turn(name, spine)) and style < 0.6:
                    self.rec.turn(piece, spine)
        stopped = rng.random() < 0.7 and self.tried(Stop(name))
        if not stopped and not self.tried(End(name)):
            stopped = self.tried(Stop(name))
            assert stopped, "others cannot move before it has ended its move"
        if not moved:
            return stopped
        facing = self.position.unit(name).facing
        index = next(state for state in self.rec.states[piece.id])
        if style >= 0.6 and index != str((SPINES.index(facing) - 2) % 6):
            self.rec.turn(piece, facing)
        last = len(self.rec.steps)
        if not stopped:
            self.rec.put(motion(), piece)
        self.truth[last], self.kinds[last] = True, kind
        return stopped

    def advance(self, names: list[str]) -> None:
        """Advance units by one hex."""
        nearby = self.nearby(names[0])
        to = next((one for one in nearby if self.tried(Advance(tuple(names), one))), None)
        if to is None:
            return
        self.rec.drag(*(self.counters[name] for name in names), to=to)
        self.stated(True, "advance")

    def push(self, gun: str, crew: str, *, far: bool = False) -> None:
        """Push a Gun as far as its crew wants, or a hex farther than they can.

        The illegal push is open if it is legal without some hexes of the way: the Gun may have
        slipped there.
        """
        before, way = self.position, list[str]()
        while len(way) < (9 if far else self.rng.randint(1, 2)):
            to = next(
                (one for one in self.nearby(crew) if self.rolled(Push((crew,), gun, one))), ""
            )
            if not to:
                break
            way.append(to)
        if not way:
            return
        truth: bool | None = True
        if far:
            been = (before.unit(crew).at, *way)
            free = [
                to for to in self.nearby(crew) if to not in been and not self.position.beside(to)
            ]
            if not free or len({*been}) < len(been):  # it may have been put back by hand
                return
            way.append(free[0])
            alone = self.alone(before, crew, gun)
            if self._pushes(alone, crew, gun, way):  # only units that moved before are in its way
                return
            shorter = [
                [*some, way[-1]]
                for length in range(len(way) - 1)
                for some in combinations(way[:-1], length)
            ]
            is_open, is_open_alone = (
                any(self._pushes(position, crew, gun, one) for one in shorter)
                for position in (before, alone)
            )
            if is_open != is_open_alone:
                return
            truth = None if is_open else False
        for to in way:
            self.rec.drag(self.counters[gun], self.counters[crew], to=to)
        self.stated(truth, "push far" if far else "push")

    def alone(self, position: Any, *names: str) -> Any:
        """Return a position without other units that move or are lost, and their SMOKE."""
        gone = [
            replace(one, at=None)
            for one in position.units
            if (one.side == "german" or one.id.startswith(("placed", "foe")))
            and one.id not in names
        ]
        alone = position.with_units(gone)
        return replace(alone, counters=tuple(c for c in alone.counters if "smoke" not in c.kind))

    def can(self, position: Any, actions: Sequence[Action]) -> bool:
        """Return whether actions are legal in turn in a position, with the hoped-for rolls."""
        return self.after(position, actions) is not None

    def after(self, position: Any, actions: Sequence[Action]) -> Any:
        """Return the position after actions with the hoped-for rolls, or None if one is illegal."""
        now, self.position = self.position, position
        found = self.position if all(map(self.rolled, actions)) else None
        self.position = now
        return found

    def _pushes(self, position: Any, crew: str, gun: str, way: list[str]) -> bool:
        """Return whether a crew in such a position can push a Gun along a way."""
        return self.can(position, [Push((crew,), gun, to) for to in way])

    def come_on(self, name: str) -> None:
        """Enter the map, then move on."""
        edges = list(self.position.unit(name).offboard.entering)
        self.rng.shuffle(edges)
        way = [next((to for to in edges if self.tried(Enter((name,), to))), "")]
        if not way[0]:
            return
        for _ in range(self.rng.randint(0, 4)):
            to = next((to for to in self.nearby(name) if self.tried(Enter((name,), to))), "")
            if not to:
                break
            way.append(to)
        shown = way if self.rng.random() < 0.5 else way[-1:]
        for to in shown:
            self.rec.drag(self.counters[name], to=to)
        self.stated(True, "entry")

    def leave(self, name: str) -> None:
        """Leave the map, if its edge is near."""
        way: list[str] = []
        for _ in range(5):
            if outer_sides(self.position.board, self.position.unit(name).at):
                break
            edges = [to for to in self.nearby(name) if outer_sides(self.position.board, to)]
            to = next((to for to in edges if self.tried(Enter((name,), to))), "")
            if not to:
                break
            way.append(to)
        if self.tried(Exit((name,))):
            for to in way:
                self.rec.drag(self.counters[name], to=to)
            self.rec.drag(self.counters[name], to=(BESIDE, 900 + len(self.rec.steps)))
            self.stated(True, "exit")
        elif way:
            for to in way:
                self.rec.drag(self.counters[name], to=to)
            self.stated(True, "walk")

    def smoke(self, name: str) -> None:
        """Set out, place SMOKE grenades in the unit's own hex, and move on."""
        to = next((to for to in self.nearby(name) if self.tried(Enter((name,), to))), "")
        if not to:
            return
        self.rec.drag(self.counters[name], to=to)
        if self.rolled(Smoke(name, to, exponent=1)):
            self.rec.put(works("Smoke"), on=self.counters[name])
        for _ in range(self.rng.randint(0, 2)):
            to = next((to for to in self.nearby(name) if self.tried(Enter((name,), to))), "")
            if to:
                self.rec.drag(self.counters[name], to=to)
                self.stated(True, "smoke")

    # -- illegal moves ---------------------------------------------------------------------------

    def without_cx(self, name: str) -> None:
        """Go as far as only Double Time allows, without placing a CX counter."""
        (known,) = reach(self.position, [name])
        tires = (DoubleTime, MinimumMove)
        plain = (Enter, *tires)
        far = []
        for to in sorted(one for one in known.locations if ":" not in one):
            some = [known.actions_to(place) for place in known.places_at(to)]
            if all(any(isinstance(one, tires) for one in way) for way in some):
                far += [way for way in some if all(isinstance(one, plain) for one in way)][:1]
        if not far:
            return
        way = [one for one in self.rng.choice(far) if isinstance(one, Enter | MinimumMove)]
        entries = [Enter((name,), one.to) for one in way]
        if any(self.can(one, entries) for one in (self.position, self.alone(self.position, name))):
            return  # it gets there without Double Time too, but only before others moved
        for action in way:
            self.rec.drag(self.counters[name], to=action.to)
        self.stated(False, "no cx")

    def come_far(self, name: str) -> None:
        """Enter the map farther in than the unit can get."""
        (known,) = reach(self.position, [name])
        board = self.position.board
        far = sorted(
            one.name
            for one in board.locations
            if ":" not in one.name
            and one.name not in known.locations
            and not self.position.beside(one.name)
        )
        if known.is_exact and far:
            self.rec.drag(self.counters[name], to=self.rng.choice(far))
            self.stated(False, "entry far")

    def too_far(
        self,
        name: str,
        *riders: str,
        kind: str = "too far",
        opening: Sequence[Action] = (),
    ) -> None:
        """Move a unit after an unseen action, farther than it can even if no other unit had moved."""
        begins = [
            self.after(one, opening) for one in (self.position, self.alone(self.position, name))
        ]
        if None in begins:
            return
        known, alone = (reach(one, [name])[0] for one in begins)
        within = known.locations | alone.locations
        board = self.position.board
        at = self.position.unit(name).at
        far = sorted(
            {to for near in within for _, to in board.neighbours(near) if ":" not in to}
            - within
            - {at}
        )
        if self.position.unit(name).facing is None:
            enemies = {u.at for u in self.position.units if u.side == "russian"}
            far = [to for to in far if to not in enemies]
        if not far:
            return
        to = self.rng.choice(far)
        pieces = [self.counters[one] for one in (name, *riders)]
        near = next((one for _, one in board.neighbours(to) if one in known.locations), "")
        if not near:
            return
        for action in known.actions_to(known.places_at(near)[0]):
            if isinstance(action, Enter):
                self.rec.drag(*pieces, to=action.to)
        self.rec.drag(*pieces, to=to)
        self.stated(False, kind)

    def upon_enemy(self, name: str) -> None:
        """Move a unit on foot into an enemy's hex next to it."""
        board = self.position.board
        at = self.position.unit(name).at
        for _, to in board.neighbours(at):
            there = self.position.beside(to)
            if any(u.side == "russian" and not u.id.startswith("placed") for u in there):
                self.rec.drag(self.counters[name], to=to)
                self.stated(False, "enemy")
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
        self.stated(False, "two hexes")


def forge_game(
    folder: Path,
    seed: int,
    *,
    illegal: float = 0.3,
    phase: str = "MPh",
    feet: int = 8,
    wheels: int = 3,
    more: int = 0,
    odd: int = 0,
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
    more
        How many Guns with their crews, and units beside the boards, there are; with any, units also
        leave the map, place SMOKE, or go without the CX counter that they need.
    odd
        How many moves of each kind there are in the MPh that the log leaves open, or shows in an odd way.
    """
    rng = random.Random(seed)
    table = Table(rng, phase, folder)
    others = (Odd(table, odd), Rides(table, odd)) if odd and phase == "MPh" else ()
    table.set_up(feet, wheels, more, *others)
    names = [
        name
        for name in table.counters
        if name[1:].isdecimal() and name[0] not in "rc" and (phase == "MPh" or name[0] == "u")
    ]
    rng.shuffle(names)
    for one in others:
        one.play()
    done: set[str] = set()
    for name in names:
        if name not in done:
            done |= _turn_of(table, name, [one for one in names if one not in done], illegal, more)
    for one in others:
        one.end()
    path = table.rec.write(folder / f"forged{seed}{phase}.vlog")
    return Forged(path, table.truth, table.kinds)


def _turn_of(table: Table, name: str, left: list[str], illegal: float, more: int) -> set[str]:
    """Move a unit, alone or with other remaining units; return the units that moved."""
    rng, phase = table.rng, table.phase
    is_wrong = rng.random() < illegal
    if name[0] == "g":
        table.push(name, f"c{name[1:]}", far=is_wrong)
        return {name}
    if name[0] == "w":
        (table.come_far if is_wrong else table.come_on)(name)
        return {name}
    is_vehicle = name[0] == "v"
    if is_wrong:
        if phase == "APh":
            table.two_hexes(name)
        elif is_vehicle:
            table.too_far(name)
        elif more and rng.random() < 0.4:
            table.without_cx(name)
        else:
            table.upon_enemy(name)
        return {name}
    if more and not is_vehicle and phase == "MPh" and rng.random() < 0.3:
        (table.smoke if rng.random() < 0.5 else table.leave)(name)
        return {name}
    at = table.position.unit(name).at
    mates = [
        one for one in left
        if one != name and one[0] == name[0] == "u" and table.position.unit(one).at == at
    ]  # fmt: skip
    together = [name, *mates] if mates and rng.random() < 0.6 else [name]
    if phase == "APh":
        table.advance(together)
    elif is_vehicle:
        table.drive(name)
    else:
        table.walk(together)
    return set(together)
