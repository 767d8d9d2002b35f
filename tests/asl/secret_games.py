"""Forge logs that differ only in facts one side must not know of the other.

A seed gives the public game: which units are seen where, and the steps both players see. The
variant gives the rest: what lies under each `?`, hidden units, the order, facing and markers of
concealed units, and the steps the other side cannot see into.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tests.vasl.logs import PHASES, Recorder, at_hex, cx, men, phase_track, question, vehicle
from tests.vasl.saves import Counter, marker, works

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["SECRET_SIDES", "forge_secret_chain", "forge_secrets"]

SECRET_SIDES = {"ge": "german", "ru": "russian"}
MEN = {"ge": ("4-6-7 1sq", "5-4-8 Esq", "9-1 LDR", "2-4-7 1hs"),
       "ru": ("4-4-7 1sq", "6-2-8 Esq", "9-1 LDR", "2-2-7 1hs")}  # fmt: skip
TANKS = {"ge": "PzKpfw IVH", "ru": "T-34 M43"}
ALLIES = {"ge": ("it", "3-4-7 1sq"), "ru": ("br", "4-5-7 1sq")}
OWNER = "hunter2"
MOVED = ("moved;moved58", "false")
COLUMNS, ROWS = "BCDEFGHIJKL", range(2, 9)


def near(name: str, rng: random.Random) -> str:
    """Return a hex next to another, or the one after that."""
    column, row = ord(name[0]) - ord(COLUMNS[0]), int(name[1:])
    column = min(max(column + rng.choice((-1, 0, 1)), 0), len(COLUMNS) - 1)
    step = rng.choice((-1, 1, 2))
    to = row + step
    if to not in ROWS:
        to = row - step if row - step in ROWS else row - 1
    return f"{COLUMNS[column]}{to}"


def aside(name: str) -> tuple[int, int]:
    """Return a pixel of a hex that holds nothing both players see."""
    x, y = at_hex(name)
    return x + 9, y + 7


def hidden(piece: Counter, by: str = OWNER) -> Counter:
    """Return a piece hidden by its owner."""
    rest = [trait for trait in piece.traits if not trait[0].startswith("hide;")]
    piece.traits = (("hide;72,130;HIP;;player:", by), *rest)
    return piece


class _Game:
    """A public game, and one variant of its hidden part."""

    def __init__(self, seed: int, variant: int) -> None:
        self.rng, self.dark = random.Random(seed), random.Random(f"{seed} {variant}")
        self.variant = variant
        self.code = self.rng.choice(("ge", "ru"))
        self.masked = self.rng.random() < 0.6
        """Whether concealed units stay concealed by themselves when the `?` above them is removed."""
        self.undoes = self.rng.random() < 0.5
        """Whether steps are undone: a unit then returns on top of what lay beneath it."""
        self.rec = Recorder("0\t0\t01", user=OWNER)
        self.track = phase_track("Axis", self.rng.choice(("MPh", "MPh", "APh", "CCPh")))
        self.seen: list[Counter] = []
        self.piles: list[list[Counter]] = []
        self.hid: list[Counter] = []
        self.rec.place((60, 60), self.track)

    # -- the set-up ------------------------------------------------------------------------------

    def set_up(self) -> None:
        """Place the visible and the hidden pieces."""
        rng, dark, rec = self.rng, self.dark, self.rec
        hexes = [f"{column}{row}" for column in COLUMNS for row in ROWS]
        rng.shuffle(hexes)
        for code in ("ge", "ge", "ru"):
            stack = [men(code, rng.choice(MEN[code]), MOVED) for _ in range(rng.randint(1, 3))]
            self.seen += stack
            self._place(hexes.pop(), stack, code)
        for code in ("ge", "ru"):
            tank = vehicle(code, TANKS[code], MOVED, vca=rng.randint(1, 6))
            self.seen.append(tank)
            self._place(hexes.pop(), [tank], code)
        for _ in range(3):
            pile = self.pile()
            self.piles.append(pile)
            self._place(hexes.pop(), pile, self.code)
        if rng.random() < 0.3:
            pile = self.pile()
            self.piles.append(pile)
            rec.place((60, 700), *pile)
        # One of two `?` has a unit; they are to meet, and the unit is revealed.
        self.marks = [question(self.code, OWNER), question(self.code, OWNER)]
        self.shown = men(self.code, rng.choice(MEN[self.code]), MOVED)
        self.pair = [[one] for one in self.marks]
        self.pair[self.variant % 2].insert(0, self.shown)
        for pile in self.pair:
            rec.place(hexes.pop(), *pile)
        # A hidden unit enters a hex, or has been there from the start, and reveals itself.
        self.ambush = hidden(men(self.code, rng.choice(MEN[self.code]), MOVED))
        self.ambush_at, elsewhere = rng.sample([f"M{row}" for row in ROWS], 2)
        rec.place(elsewhere if self.variant % 2 else self.ambush_at, self.ambush)
        for _ in range(dark.randint(0, 3)):
            other = hidden(men(self.code, dark.choice(MEN[self.code])))
            self.hid.append(other)
            rec.place(aside(dark.choice(hexes)), other)
        if dark.random() < 0.3:
            rec.place(aside(dark.choice(hexes)), hidden(men(*ALLIES[self.code])))
        if dark.random() < 0.5:
            rec.place(aside(dark.choice(hexes)), hidden(works(dark.choice(("Foxhole 1S", "Wire")))))
        rec.begin()
        dark.shuffle(rec.setup)

    def _place(self, at: str, pieces: list[Counter], code: str) -> None:
        """Place pieces, with hidden ones of the secret side among them."""
        stack = list(pieces)
        if code == self.code and self.dark.random() < 0.5:
            other = hidden(men(code, self.dark.choice(MEN[code])))
            stack.insert(0 if self.undoes else self.dark.randint(0, len(stack)), other)
            self.hid.append(other)
        self.rec.place(at, *stack)

    def pile(self) -> list[Counter]:
        """Return the contents of a `?`: units, Guns, SW, markers, Dummies; at least two counters."""
        dark, by = self.dark, OWNER if self.masked else "null"
        units = [self._unit(by) for _ in range(dark.randint(0, 3))]
        units += [question(self.code, OWNER) for _ in range(dark.randint(0 if units else 1, 2))]
        dark.shuffle(units)
        found = []
        for one in units:
            found.append(one)
            if one.name != "?" and dark.random() < 0.5:
                code = dark.choice(("ge", "ru"))
                weapon = Counter("LMG", image=f"{code}/{code}lmg")
                found.append(dark.choice((cx(), marker("Pin"), weapon)))
        return [*found, question(self.code, OWNER)]

    def _unit(self, by: str) -> Counter:
        dark, code = self.dark, self.code
        kind = dark.random()
        if kind < 0.25:
            return vehicle(code, TANKS[code], MOVED, vca=dark.randint(1, 6), by=by)
        if kind < 0.4:
            conceal = (f"conceal;C;{code}/q;{code};;", f"{by};")
            return Counter("37L AT PaK 35/36", ("info;QSU,s7", ""), conceal, image=f"{code}/gun/x")
        return men(code, dark.choice(MEN[code]), MOVED, by=by)

    # -- steps that both players see ---------------------------------------------------------------

    def play(self, *, to_the_end: bool = True) -> None:
        """Play some steps, each followed by one the other side cannot see into."""
        rng = self.rng
        acts = [self.go, self.go, self.go, self.shift, self.shift, self.split, self.cover,
                self.turn, self.tire, self.speak, self.undo if self.undoes else self.go,
                self.several]  # fmt: skip
        later = [self.meet, self.uncover, self.appear] if to_the_end else []
        for number in range(rng.randint(8, 14)):
            rng.choice(acts)()
            self.secretly()
            if later and number > 2 and rng.random() < 0.5:
                later.pop(0)()
                self.secretly()
            if rng.random() < 0.08:
                self.rec.phase(self.track, "Axis", rng.choice(PHASES), 1)

    def hex_of(self, piece: Counter) -> str:
        """Return the hex where a piece lies; any hex for one beside the board."""
        _, x, y = self.rec.where[piece.id]
        hexes = {f"{c}{r}": at_hex(f"{c}{r}") for c in COLUMNS for r in ROWS}
        return next(
            (name for name, at in hexes.items() if abs(x - at[0]) + abs(y - at[1]) < 20), "B2"
        )

    def go(self) -> None:
        """Drag a visible unit."""
        piece = self.rng.choice(self.seen)
        to = near(self.hex_of(piece), self.rng)
        self.rec.drag(piece, to=to)

    def shift(self) -> None:
        """Drag all concealed units of a stack."""
        pile = self.rng.choice(self.piles)
        self.rec.drag(*self._there(pile), to=near(self.hex_of(pile[-1]), self.rng))

    def _there(self, pile: list[Counter]) -> list[Counter]:
        """Return the pieces of a pile that lie where its topmost `?` lies."""
        stack = self.rec.members[self.rec.stack_of[pile[-1].id]]
        there = [one for one in pile if one.id in stack]
        return sorted(there, key=lambda one: stack.index(one.id))

    def split(self) -> None:
        """Drag the topmost `?` off units that stay concealed."""
        pile = self.rng.choice(self.piles)
        to = near(self.hex_of(pile[-1]), self.rng)
        self.rec.drag(*([pile[-1]] if self.masked else self._there(pile)), to=to)

    def several(self) -> None:
        """Drag a visible stack and a concealed one in one step."""
        pile, piece = self.rng.choice(self.piles), self.rng.choice(self.seen)
        to = near(self.hex_of(piece), self.rng)
        if self.rec.stack_of[piece.id] == self.rec.stack_of[pile[-1].id]:
            self.rec.drag(piece, to=to)
        else:
            self.rec.drag_stacks([piece], self._there(pile), to=to)

    def cover(self) -> None:
        """Conceal a visible unit, or remove its `?` again."""
        own = [one for one in self.seen if one.image.startswith(self.code)]
        self.rec.put(question(self.code, OWNER), on=self.rng.choice(own))

    def turn(self) -> None:
        """Turn a visible vehicle."""
        tank = self.rng.choice([one for one in self.seen if "/veh/" in one.image])
        self.rec.turn(tank, self.rng.choice(("NNE", "E", "SSE", "SSW", "W", "NNW")))

    def tire(self) -> None:
        """Put a marker on a visible unit."""
        self.rec.put(
            self.rng.choice((cx(), marker("Pin"), works("Smoke"))), self.rng.choice(self.seen)
        )

    def speak(self) -> None:
        """Roll dice."""
        self.rec.roll(
            self.rng.choice(("IFT", "Other")), *(self.rng.randint(1, 6) for _ in range(2))
        )

    def undo(self) -> None:
        """Drag a visible unit, and return it to its place in the stack."""
        unseen = {one.id for one in self.hid}
        stacks = [
            [name for name in stack if name not in unseen] for stack in self.rec.members.values()
        ]
        lowest = {stack[0] for stack in stacks if len(stack) > 1}
        piece = self.rng.choice(self.seen)
        if piece.id in lowest:
            self.speak()
            self.speak()
            return
        self.rec.drag(piece, to=near(self.hex_of(piece), self.rng))
        self.rec.undo()

    def meet(self) -> None:
        """Drag the two `?`, one of which has a unit, into a hex."""
        to = there = self.hex_of(self.marks[1])
        while to == there:
            to = near(self.hex_of(self.marks[0]), self.rng)
        for pile in self.pair:
            self.rec.drag(*pile, to=to)

    def uncover(self) -> None:
        """Remove both, and move on with the unit now visible."""
        for one in self.marks:
            self.rec.take(one)
        for _ in range(2):
            self.rec.drag(self.shown, to=near(self.hex_of(self.shown), self.rng))

    def appear(self) -> None:
        """Reveal a hidden unit that has entered its hex or has been there."""
        if self.variant % 2:
            self.rec.drag(self.ambush, to=self.ambush_at)
        else:
            self.nothing()
        self.rec.change(self.ambush, (0, "null"))
        self.rec.drag(self.ambush, to=near(self.ambush_at, self.rng))

    # -- steps that the other side cannot see into -------------------------------------------------

    def nothing(self) -> None:
        """Record a step that does nothing."""
        self.rec.record(["null"], [], lambda: None)

    def secretly(self) -> None:
        """Do something out of sight, in one step."""
        act = self.dark.choice(
            (self.nothing, self.sneak, self.wheel, self.mark, self.mix, self.drop)
        )
        before = len(self.rec.steps)
        act()
        if len(self.rec.steps) == before:
            self.nothing()

    def sneak(self) -> None:
        """Move a hidden unit."""
        if self.hid:
            piece = self.dark.choice(self.hid)
            self.rec.drag(piece, to=aside(near(self.hex_of(piece), self.dark)))

    def _concealed(self, word: str = "") -> Counter | None:
        """Return a concealed unit, if any; one whose image has a word."""
        found = [
            one
            for pile in self.piles
            for one in pile
            if one.name not in ("?", "CX", "Pin", "LMG") and word in one.image
        ]
        return self.dark.choice(found) if found else None

    def wheel(self) -> None:
        """Turn a concealed vehicle."""
        if (tank := self._concealed("/veh/")) is not None:
            self.rec.turn(tank, self.dark.choice(("NNE", "E", "SSE", "SSW", "W", "NNW")))

    def mark(self) -> None:
        """Put a marker on a concealed unit."""
        if (unit := self._concealed()) is not None:
            piece = self.dark.choice((cx(), marker("Pin"), marker("Motion")))
            self.rec.put(piece, on=unit)
            pile = next(pile for pile in self.piles if unit in pile)
            pile.insert(pile.index(unit) + 1, piece)

    def mix(self) -> None:
        """Change the order of two concealed units in a stack."""
        pile = self.dark.choice(self.piles)
        stack = self.rec.members[self.rec.stack_of[pile[-1].id]]
        ids = [one.id for one in pile[:-1]]
        at = [number for number, name in enumerate(stack) if name in ids]
        if len(at) > 1 and at == list(range(at[0], at[-1] + 1)):
            was = stack[at[0]]
            units = [one.id for one in pile if one.name not in ("CX", "Pin", "Motion", "LMG")]
            one = self.dark.choice(
                [name for name in (stack[n] for n in at) if name in units] or [was]
            )
            stack.remove(one)
            stack.insert(at[0], one)
            self.rec.record(
                [self.rec.stack_command(self.rec.stack_of[pile[-1].id])], [], lambda: None
            )

    def drop(self) -> None:
        """Take a counter off a stack in which others stay."""
        pile = self.dark.choice(self.piles)
        unit = next((one for one in pile if one.name not in ("?", "CX", "Pin", "LMG")), None)
        rest = [one for one in self._there(pile) if one.name != "?" and one is not unit]
        marks = [one for one in self._there(pile) if one.name == "?"]
        if unit is not None and len(marks) > 1 and not rest and unit in self._there(pile):
            self.rec.take(unit)
            pile.remove(unit)


def forge_secrets(folder: Path, seed: int, variant: int) -> tuple[Path, str]:
    """Write a variant of a public game as ``game.vlog``; return its path and the side with the secrets."""
    game = _Game(seed, variant)
    game.set_up()
    game.play()
    folder.mkdir(parents=True, exist_ok=True)
    return game.rec.write(folder / "game.vlog"), SECRET_SIDES[game.code]


def forge_secret_chain(folder: Path, seed: int, variant: int) -> tuple[list[Path], str]:
    """Write a variant of a public game as two logs; return their paths and the side with the secrets.

    Between the two logs something unrecorded may happen out of sight. The second log can begin in
    the middle of the first.
    """
    game, folder = _Game(seed, variant), folder / "chain"
    game.set_up()
    game.play(to_the_end=False)
    folder.mkdir(parents=True, exist_ok=True)
    is_late = game.rng.random() < 0.3
    first = [] if is_late else [game.rec.write(folder / "a.vlog", date=1)]
    steps = list(game.rec.steps)
    for _ in range(game.dark.randint(0, 4)):
        game.secretly()
    setup = list(game.rec.setup)
    game.rec.begin()
    game.dark.shuffle(game.rec.setup)
    game.play()
    second = game.rec.write(folder / "b.vlog", date=2)
    if is_late:
        later = list(game.rec.steps)
        game.rec.setup, game.rec.steps = setup, [*steps, *later[: len(later) // 2]]
        first = [game.rec.write(folder / "a.vlog", date=1)]
    return [*first, second], SECRET_SIDES[game.code]
