"""Write logs as VASL writes them, from ``../shared/vassal-log.md`` alone.

The reader is not used here: commands, stacks and their escapes follow the facts listed there.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from tests.vasl.saves import (
    ESCAPE,
    MODULE_DATA,
    Counter,
    layer,
    marker,
    men,
    nest,
    obfuscated,
    pack,
    question,
    sequence,
    vehicle,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

__all__ = [
    "PHASES",
    "Recorder",
    "at_hex",
    "cx",
    "men",
    "motion",
    "phase_track",
    "question",
    "vehicle",
]

MAIN, CASUALTIES = "Main Map", "Casualties"
PHASES = ("RPh", "PFPh", "MPh", "DFPh", "AFPh", "RtPh", "APh", "CCPh")
SPINES = ("NNE", "E", "SSE", "SSW", "W", "NNW")
SAVED_DATA = "<data version='1'><version></version><VassalVersion>{}</VassalVersion><dateSaved>{}</dateSaved></data>"
numbers = count(1_700_000_000_000)
Command = str
Tree = tuple[Command, list["Tree"]]


def at_hex(name: str) -> tuple[int, int]:
    """Return the center pixel of a hex of a geomorphic board in the upper left corner."""
    column, row = ord(name[0]) - ord("A"), int(name[1:])
    down = 64.5 * row - (32.25 if column % 2 == 0 else 0)
    return 400 + round(56.25 * column), 400 + round(down)


def cx() -> Counter:
    """Return a CX counter."""
    return marker("CX")


def motion() -> Counter:
    """Return a Motion counter."""
    return marker("Motion")


def phase_track(player: str = "Axis", phase: str = "MPh", turn: int = 1) -> Counter:
    """Return the phase counter; its layers are the player, the phase and the turn."""
    return Counter(
        "Phase Track Axis 1st",
        layer("+ Axis", "+ Allied", level=1 + (player == "Allied"), name="Player"),
        layer(*(f"+ {one}" for one in PHASES), level=1 + PHASES.index(phase), name="PhaseName"),
        layer(*(f"+ Turn {n}" for n in range(1, 11)), level=(turn - 1) % 10 + 1, name="TurnName"),
        ("mark;DBCounterType", "common"),
        image="MS/phase",
    )


def encoded(tree: Tree) -> str:
    """Return a command with its children as a log has them: each with ``LOG``, children escaped."""
    command, children = tree
    return sequence(ESCAPE, f"LOG\t{command}", *(encoded(child) for child in children))


def flat(commands: Sequence[Command]) -> Tree:
    """Return commands as the children of the first."""
    return (commands[0], [(one, []) for one in commands[1:]])


def deep(commands: Sequence[Command]) -> Tree:
    """Return commands each as the only child of the one before."""
    tree: Tree = (commands[-1], [])
    for command in reversed(commands[:-1]):
        tree = (command, [tree])
    return tree


class Recorder:
    """A table, and a log of the steps on it.

    Parameters
    ----------
    boards
        As a save describes them: column, row and name, parted by tabs.
    user
        The player's id, which is also the password.
    """

    def __init__(self, *boards: str, user: str = "hunter2") -> None:
        self.boards, self.user = boards, user
        self.setup: list[Command] = []
        self.steps: list[str] = []
        self.where: dict[str, tuple[str, int, int]] = {}
        self.stack_of: dict[str, str] = {}
        self.members: dict[str, list[str]] = {}
        self.pieces: dict[str, Counter] = {}
        self.states: dict[str, list[str]] = {}
        self.shape: Callable[[Sequence[Command]], Tree] = flat
        self.null_first = False
        self.inverse: list[list[Command]] = []
        self._undoes: list[Callable[[], None]] = []
        self.levels: set[str] = set()
        """The counters of building levels: a piece dragged into their hex is laid beneath them."""
        self.information = "INFO\tAxis\tAxis\t1\t ? \t ? \t ? \t ? \t?\t?\t"

    # -- the table -------------------------------------------------------------------------------

    def place(self, at: str | tuple[int, int], *pieces: Counter) -> None:
        """Set pieces up as a stack, bottom to top, before logging begins."""
        x, y = at_hex(at) if isinstance(at, str) else at
        stack = str(next(numbers))
        for piece in pieces:
            piece.id = str(next(numbers))
            self._know(piece, (MAIN, x, y), stack)
        self.members[stack] = [piece.id for piece in pieces]

    def _know(self, piece: Counter, where: tuple[str, int, int], stack: str) -> None:
        self.pieces[piece.id], self.where[piece.id] = piece, where
        self.states[piece.id] = [state for _, state in piece.traits]
        self.stack_of[piece.id] = stack

    def _type(self, piece: str) -> str:
        one = self.pieces[piece]
        return nest(
            [
                *(kind for kind, _ in one.traits),
                sequence(";", "piece", "K", "D", one.image, one.name),
            ]
        )

    def _state(self, piece: str) -> str:
        where = self.where[piece]
        last = sequence(";", where[0], str(where[1]), str(where[2]), self.pieces[piece].gpid)
        return nest([*self.states[piece], last])

    def _add(self, piece: str) -> Command:
        return sequence("/", "+", piece, self._type(piece), self._state(piece))

    def stack_command(self, stack: str) -> Command:
        """Return the command that restores a stack as it is now."""
        where = self.where[self.members[stack][0]]
        state = ";".join([where[0], str(where[1]), str(where[2]), *self.members[stack], "@@0"])
        return sequence("/", "+", stack, "stack", state)

    def begin(self) -> Recorder:
        """Begin to log: the save is the state at this moment."""
        self.setup = [self._add(piece) for piece in self.pieces if piece in self.where]
        self.setup += [self.stack_command(stack) for stack, there in self.members.items() if there]
        self.steps.clear()
        return self

    # -- steps -----------------------------------------------------------------------------------

    def record(
        self, commands: list[Command], inverse: list[Command], undo: Callable[[], None]
    ) -> None:
        """Write a step by its commands, their inverses, and the command that restores the table."""
        shown = ["null", *commands] if self.null_first else commands
        self.steps.append(encoded(self.shape(shown)))
        self.inverse.append(inverse)
        self._undoes.append(undo)

    def _saved(self) -> Callable[[], None]:
        """Return the command that restores the table as it is now."""
        where, stack_of = dict(self.where), dict(self.stack_of)
        members = {stack: list(there) for stack, there in self.members.items()}
        states = {piece: list(known) for piece, known in self.states.items()}
        pieces = dict(self.pieces)

        def back() -> None:
            self.where, self.stack_of, self.members = where, stack_of, members
            self.states, self.pieces = states, pieces

        return back

    def _move(
        self, name: str, new: tuple[str, int, int], under: str, old: tuple[str, int, int]
    ) -> Command:
        return sequence(
            "/", "M", name, new[0] or "null", str(new[1]), str(new[2]), under or "null",
            old[0] or "null", str(old[1]), str(old[2]), "null", self.user,
        )  # fmt: skip

    def _carry(
        self, pieces: list[str], new: tuple[str, int, int], *, upstairs: bool = True
    ) -> tuple[list[Command], list[Command]]:
        """Move pieces, and return the commands of the move and of its undo."""
        there = next(
            (s for s, ids in self.members.items() if ids and self.where[ids[0]] == new and s not in
             {self.stack_of.get(p) for p in pieces}),
            "",
        )  # fmt: skip
        done: list[Command] = []
        back: list[Command] = []
        old_stack = self.stack_of[pieces[0]]
        whole = self.members[old_stack] == pieces
        old = self.where[pieces[0]]
        if whole and not there:
            done.append(self._move(old_stack, new, "", old))
            back.append(self._move(old_stack, old, "", new))
        for number, piece in enumerate(pieces):
            before = self.members[self.stack_of[piece]]
            lower = before[before.index(piece) - 1] if before.index(piece) else ""
            if whole and not there:
                self.where[piece] = new
                continue
            at = self._top(there, upstairs=upstairs) if there else 0
            under = self.members[there][at - 1] if there else pieces[number - 1] if number else ""
            done.append(self._move(piece, new, under, self.where[piece]))
            if before == [piece]:
                back.append(self.stack_command(self.stack_of[piece]))
            back.append(self._move(piece, self.where[piece], lower, new))
            before.remove(piece)
            if not there and number == 0:
                stack = str(next(numbers))
                self.members[stack] = [piece]
                self.where[piece] = new
                done.append(self.stack_command(stack))
                self.stack_of[piece] = there = stack
                continue
            self.members[there].insert(at if at else len(self.members[there]), piece)
            self.where[piece], self.stack_of[piece] = new, there
        return done, back

    def _top(self, stack: str, *, upstairs: bool) -> int:
        """Return the place in a stack where pieces are laid: on top, or on its ground level."""
        there = self.members[stack]
        levels = (n for n, piece in enumerate(there) if piece in self.levels and n)
        return len(there) if upstairs else next(levels, len(there))

    def _marks(self, pieces: list[str], value: str) -> tuple[list[Command], list[Command]]:
        done, back = [], []
        for piece in pieces:
            kinds = [kind for kind, _ in self.pieces[piece].traits]
            at = next((n for n, kind in enumerate(kinds) if kind.startswith("moved;")), None)
            if at is None or self.states[piece][at] == value:
                continue
            old = self._state(piece)
            self.states[piece][at] = value
            new = self._state(piece)
            done.append(sequence("/", "D", piece, new, old))
            back.append(sequence("/", "D", piece, old, new))
        return done, back

    def drag(
        self,
        *pieces: Counter,
        to: str | tuple[int, int],
        snap: Sequence[Counter] = (),
        upstairs: bool = False,
    ) -> None:
        """
        Drag pieces of one stack to a place; others (`snap`) are moved away and back in the same step.

        If `upstairs`, they come to lie above the counter of a building's level.
        """
        new = (MAIN, *(at_hex(to) if isinstance(to, str) else to))
        undo = self._saved()
        ids = [piece.id for piece in pieces]
        ids.sort(key=self.members[self.stack_of[ids[0]]].index)
        done, back = self._carry(ids, new, upstairs=upstairs)
        marked, unmarked = self._marks(ids, "true")
        for other in snap:
            stack, where = self.stack_of[other.id], self.where[other.id]
            aside = (where[0], where[1] - 100, where[2])
            done += [self._move(stack, aside, "", where), self._move(stack, where, "", aside)]
        self.record([*done, *marked], [*unmarked, *reversed(back)], undo)

    def drag_stacks(self, *stacks: Sequence[Counter], to: str) -> None:
        """Drag several stacks, selected together, in one step."""
        undo = self._saved()
        done: list[Command] = []
        back: list[Command] = []
        for pieces in stacks:
            some, inverse = self._carry([piece.id for piece in pieces], (MAIN, *at_hex(to)))
            done, back = done + some, inverse + back
        self.record(done, back, undo)

    def press(self, piece: Counter, across: int, down: int, to: str) -> None:
        """Move a piece by the keyboard: a hex by the numbers of its trait, then to the snap point."""
        undo = self._saved()
        old = self.where[piece.id]
        rough = (MAIN, old[1] + across, old[2] + down)
        first, back = self._carry([piece.id], rough)
        second, more = self._carry([piece.id], (MAIN, *at_hex(to)))
        self.record([*first, *second], [*more, *back], undo)

    def change(self, piece: Counter, *changes: tuple[int, str]) -> None:
        """Change the states of a piece's traits, by their numbers."""
        undo = self._saved()
        old = self._state(piece.id)
        for number, state in changes:
            self.states[piece.id][number] = state
        new = self._state(piece.id)
        self.record(
            [sequence("/", "D", piece.id, new, old)], [sequence("/", "D", piece.id, old, new)], undo
        )

    def turn(self, piece: Counter, spine: str) -> None:
        """Turn a vehicle so that it points along a hexspine."""
        index = (SPINES.index(spine) - 2) % 6
        self.change(piece, (0, str(index)), (2, str(index + 1)))

    def put(self, piece: Counter, on: Counter) -> None:
        """Put a new counter (for example a marker) directly above a piece."""
        undo = self._saved()
        piece.id = str(next(numbers))
        stack = self.stack_of[on.id]
        self._know(piece, self.where[on.id], stack)
        there = self.members[stack]
        there.insert(there.index(on.id) + 1, piece.id)
        add = self._add(piece.id)
        moved = self._move(piece.id, self.where[on.id], on.id, ("", 0, 0))
        self.record([add, moved], [sequence("/", "-", piece.id)], undo)

    def take(self, piece: Counter, *, eliminated: bool = False) -> None:
        """Take a counter off: deleted, or among the casualties."""
        undo = self._saved()
        old, stack = self.where[piece.id], self.stack_of[piece.id]
        self.members[stack].remove(piece.id)
        add = self._add(piece.id)
        if eliminated:
            new = (CASUALTIES, 100, 100)
            own = str(next(numbers))
            self.where[piece.id], self.stack_of[piece.id], self.members[own] = new, own, [piece.id]
            there = [self._move(piece.id, new, "", old), self.stack_command(own)]
            self.record(there, [self._move(piece.id, old, "", new)], undo)
            return
        del self.where[piece.id], self.stack_of[piece.id]
        self.record([sequence("/", "-", piece.id)], [add], undo)

    def replace(self, piece: Counter, *others: Counter) -> None:
        """Replace a piece by others with ids of their own, in its place in the stack."""
        undo = self._saved()
        stack, where = self.stack_of[piece.id], self.where[piece.id]
        there = self.members[stack]
        done: list[Command] = []
        last = piece.id
        for other in others:
            other.id = str(next(numbers))
            self._know(other, where, stack)
            there.insert(there.index(last) + 1, other.id)
            done += [self._add(other.id), self._move(other.id, where, last, ("", 0, 0))]
            last = other.id
        there.remove(piece.id)
        del self.where[piece.id], self.stack_of[piece.id]
        done.append(sequence("/", "-", piece.id))
        self.record(done, [self._add_gone(piece, where)], undo)

    def _add_gone(self, piece: Counter, where: tuple[str, int, int]) -> Command:
        self.where[piece.id] = where
        command = self._add(piece.id)
        del self.where[piece.id]
        return command

    def undo(self, *, marked: bool = True, partly: bool = False, back: int = 0) -> None:
        """Take a step back, with the mark of VASSAL 3.6.7 and later, or without.

        If only `partly`, moved marks stay as they are. It is the last step, or the one this many
        steps `back`; the steps since then must only have changed other pieces or written to the
        chat.
        """
        inverse = self.inverse.pop(-1 - back)[-1 if partly else 0 :]
        undo, changed = self._undoes.pop(-1 - back), self.states
        undo()
        if back:
            self.states = {**self.states, **{
                piece: states for piece, states in changed.items()
                if not any(piece in command for command in inverse)
            }}  # fmt: skip
        commands = ["UNDO\ttrue", *inverse, "UNDO\tfalse"] if marked else inverse
        self.steps.append(encoded(flat(commands)))

    # -- phases and chat -------------------------------------------------------------------------

    def phase(self, track: Counter, player: str, phase: str, turn: int) -> None:
        """Set the phase by a step of its own."""
        self.change(
            track,
            (0, str(1 + (player == "Allied"))),
            (1, str(1 + PHASES.index(phase))),
            (2, str((turn - 1) % 10 + 1)),
        )
        self.say(f"* New: {player} Turn {(turn - 1) % 10 + 1} - {phase} *")

    def say(self, text: str) -> None:
        """Write a line of the chat as a step."""
        self.steps.append(encoded((f"CHAT{text}", [])))
        self.inverse.append([])
        self._undoes.append(lambda: None)

    def roll(self, kind: str, *faces: int, name: str = "Anna", number: int = 1) -> None:
        """Write a roll of one or two dice."""
        dice = "DR" if len(faces) > 1 else "dr"
        shown = ",".join(map(str, faces))
        self.say(
            f"*** ({kind} {dice}) {shown} ***   <{name}>   [{number} / 9   avg   6,50 (7.1)]   (01.17 - by random)"
        )

    def see(self, name: str, start: str, end: str, distance: int) -> None:
        """Write a check of a line of sight: the thread, and its chat line."""
        x, y = at_hex(start)
        u, v = at_hex(end)
        thread = f"LOS\tLOS_Thread1\t{x}\t{y}\t{u}\t{v}\tfalse\tfalse\t0\t0"
        said = f"CHAT{name} Checked LOS from {start} to {end}, Range={distance}"
        self.steps.append(encoded((thread, [(said, [])])))
        self.inverse.append([])
        self._undoes.append(lambda: None)

    # -- files -----------------------------------------------------------------------------------

    def text(self) -> str:
        """Return the commands of the file."""
        boards = "bd\t" + "bd\t".join(f"{board}\t" for board in self.boards)
        inner = sequence(ESCAPE, "", *self.setup)
        return sequence(
            ESCAPE, "begin_save", "", inner, self.information, f"UNMASK\t{self.user}", boards,
            "NOTES\t", "end_save", *self.steps,
        )  # fmt: skip

    def write(
        self,
        path: Path,
        *,
        hidden: Callable[[bytes], bytes] = obfuscated,
        date: int = 0,
        vassal: str = "3.7.9",
    ) -> Path:
        """Write the log as VASSAL does."""
        entries = {
            "moduledata": MODULE_DATA.format("6.6.9", "VASL").encode(),
            "savedGame": hidden(self.text().encode()),
        }
        entries["savedata"] = SAVED_DATA.format(vassal, date or "").encode()
        return pack(path, entries)
