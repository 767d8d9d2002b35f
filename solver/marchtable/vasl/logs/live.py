"""The table while a log is played: pieces, their traits, and their stacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from marchtable.errors import BadInputError
from marchtable.vasl.logs.commands import AddPiece, ChangePiece, MovePiece, RemovePiece
from marchtable.vasl.saves.pieces import piece_of, without_owners
from marchtable.vasl.saves.sequences import nested, tokens
from marchtable.vasl.saves.table import MAX_PIECE, added, pile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from marchtable.vasl.logs.commands import Command
    from marchtable.vasl.saves.pieces import Piece
    from marchtable.vasl.saves.savefile import Save
    from marchtable.vasl.saves.table import Layout, Stack

__all__ = ["Changes", "Image", "LiveTable"]

MOST_PIECES = 20_000
"""Maximum number of pieces on the table."""
_PASSING = ("moved", "footprint", "PROP")
"""Traits that do not distinguish positions: moved marks, trails, the last mover."""


class Image(NamedTuple):
    """
    A piece at one moment, for comparison: its place, and the states of its traits.

    `passing` has the moved mark, the trail and the last mover, which do not distinguish tables.
    """

    map: str
    x: int
    y: int
    states: tuple[str, ...]
    passing: tuple[str, ...]


Changes = dict[str, tuple[Image | None, Image | None]]
"""Pieces before and after; None where the piece did not exist."""


_Place = tuple[str, int, int]
"""A map, and a pixel on it."""


class _Thing:
    """A piece on the table."""

    __slots__ = ("id", "image", "map", "piece", "pile", "states", "types", "x", "y")

    def __init__(self, number: str, types: list[str], states: list[str]) -> None:
        self.id, self.types, self.states = number, types, states
        self.map, self.x, self.y = "", 0, 0
        self.pile: _Pile | None = None
        self.piece: Piece | None = None
        self.image: Image | None = None

    @property
    def place(self) -> _Place:
        return self.map, self.x, self.y

    def put(self, where: str, x: int, y: int) -> None:
        self.map, self.x, self.y = where, x, y
        self.piece = self.image = None

    def read(self) -> Piece:
        """Return the piece in its present state."""
        if self.piece is None:
            found = piece_of(self.id, self.types, self.states)
            self.piece = msgspec.structs.replace(found, map=self.map, x=self.x, y=self.y)
        return self.piece

    def picture(self) -> Image:
        if self.image is None:
            kept: list[str] = []
            passing: list[str] = []
            for kind, state in zip(self.types[:-1], self.states[:-1], strict=True):
                (passing if kind.startswith(_PASSING) else kept).append(state)
            self.image = Image(self.map, self.x, self.y, tuple(kept), tuple(passing))
        return self.image


class _Pile:
    """A stack on the table."""

    __slots__ = ("members", "place")

    def __init__(self) -> None:
        self.place: _Place | None = None
        self.members: list[_Thing] = []


class LiveTable:
    """
    A table on which commands are executed.

    Parameters
    ----------
    save
        The starting position.
    players
        Players' numbers, which replace their ids, because these are passwords.

    Raises
    ------
    BadInputError
        If the save is damaged.
    """

    def __init__(self, save: Save, players: dict[str, str] | None = None) -> None:
        self._players = {} if players is None else players
        self._things: dict[str, _Thing] = {}
        self._piles: dict[str, _Pile] = {}
        self._piles_at: dict[_Place, list[_Pile]] = {}
        piles = []
        try:
            for number, type_, state in added(save.commands):
                if type_ == "stack":
                    piles.append((number, state))
                else:
                    self._add(AddPiece(number, type_, state))
            for number, state in piles:
                self._add(AddPiece(number, "stack", state))
        except BadInputError as error:
            raise error.located(source=save.source) from None

    # -- queries ---------------------------------------------------------------------------------

    def __contains__(self, number: str) -> bool:
        return number in self._things

    def piece(self, number: str) -> Piece | None:
        """Return a piece in its present state, or None if it is not on the table."""
        thing = self._things.get(number)
        return None if thing is None else thing.read()

    def image(self, number: str) -> Image | None:
        """Return a piece's image, or None if it is not on the table."""
        thing = self._things.get(number)
        return None if thing is None else thing.picture()

    def images(self) -> dict[str, Image]:
        """Return the image of every piece."""
        return {number: thing.picture() for number, thing in self._things.items()}

    def piles(self, numbers: Iterable[str] | None = None) -> Iterator[tuple[Piece, ...]]:
        """Yield the stacks that contain these pieces (None: all), as pieces bottom to top."""
        wanted = self._things if numbers is None else numbers
        for _, pieces in self._piled(self._things[one] for one in wanted if one in self._things):
            yield pieces

    def stacks(self, layout: Layout) -> list[Stack]:
        """Return everything on the table, by the hexes of a layout."""
        return list(self._laid(self._things.values(), layout))

    def stacks_of(self, numbers: Iterable[str], layout: Layout) -> list[Stack]:
        """Return the stacks that contain these pieces."""
        things = [self._things[number] for number in numbers if number in self._things]
        return list(self._laid(things, layout))

    def _laid(self, things: Iterable[_Thing], layout: Layout) -> Iterator[Stack]:
        for place, pieces in self._piled(things):
            yield layout.stack(*place, list(pieces))

    @staticmethod
    def _piled(things: Iterable[_Thing]) -> Iterator[tuple[_Place, tuple[Piece, ...]]]:
        seen: set[int] = set()
        for thing in things:
            pile = thing.pile
            if pile is None:
                yield thing.place, (thing.read(),)
            elif id(pile) not in seen:
                seen.add(id(pile))
                yield pile.place or thing.place, tuple(one.read() for one in pile.members)

    # -- execution -------------------------------------------------------------------------------

    def touched_by(self, commands: Sequence[Command]) -> set[str]:
        """Return the pieces on the table that commands name, directly or by their stacks."""
        found: set[str] = set()
        for command in commands:
            if isinstance(command, (AddPiece, RemovePiece, ChangePiece, MovePiece)):
                pile = self._piles.get(command.id)
                if pile is not None:
                    found.update(one.id for one in pile.members)
                elif not (isinstance(command, AddPiece) and command.type == "stack"):
                    found.add(command.id)
        return found

    def play(self, commands: Sequence[Command]) -> tuple[Changes, set[str]]:
        """
        Execute commands; return their net effect, and the pieces in stacks with changed ones.

        As in VASSAL, commands for a piece that is not on the table change nothing. A piece that
        moves away and back is unchanged.
        """
        before: dict[str, Image | None] = {}
        near: set[str] = set()
        for command in commands:
            for name in self.touched_by([command]) - before.keys():
                before[name] = self.image(name)
                near |= self._mates(name)
            self._do(command)
        changes: Changes = {}
        for name, was in before.items():
            now = self.image(name)
            near |= self._mates(name)
            if was != now:
                changes[name] = (was, now)
        return changes, near

    def _mates(self, number: str) -> set[str]:
        """Return a piece and those in a stack with it."""
        thing = self._things.get(number)
        if thing is None or thing.pile is None:
            return {number}
        return {one.id for one in thing.pile.members}

    def _do(self, command: Command) -> None:
        if isinstance(command, AddPiece):
            self._add(command)
        elif isinstance(command, RemovePiece):
            self._remove(command.id)
        elif isinstance(command, ChangePiece):
            self._change(command)
        elif isinstance(command, MovePiece):
            self._move(command)

    def _add(self, command: AddPiece) -> None:
        if command.type == "stack":
            where, x, y, members = pile(command.state)
            self._stack(command.id, where, x, y, members)
            return
        if command.type.startswith("deck"):
            return
        if len(command.type) + len(command.state) > MAX_PIECE or len(self._things) >= MOST_PIECES:
            raise BadInputError(
                f"expected at most {MOST_PIECES} pieces, each of at most {MAX_PIECE} letters"
            )
        types, states = nested(command.type), nested(command.state)
        if len(types) != len(states):
            raise BadInputError(f"a piece of {len(types)} traits has {len(states)} states")
        without_owners(types, states, self._players)
        read = piece_of(command.id, types, states)
        if command.id in self._things:
            self._remove(command.id)
        thing = _Thing(command.id, types, states)
        thing.put(read.map, read.x, read.y)
        self._things[command.id] = thing

    def _stack(self, number: str, where: str, x: int, y: int, members: Sequence[str]) -> None:
        found = self._piles.setdefault(number, _Pile())
        things = [self._things[name] for name in dict.fromkeys(members) if name in self._things]
        for thing in things:
            self._unpile(thing)
        found.members = [one for one in found.members if one not in things] + things
        self._lay(found, (where, x, y))
        for thing in things:
            thing.pile = found
            thing.put(where, x, y)

    def _unpile(self, thing: _Thing) -> None:
        if thing.pile is not None:
            thing.pile.members.remove(thing)
            if not thing.pile.members:
                self._lay(thing.pile, None)
            thing.pile = None

    def _remove(self, number: str) -> None:
        thing = self._things.pop(number, None)
        if thing is not None:
            self._unpile(thing)
            return
        gone = self._piles.pop(number, None)
        if gone is not None:
            self._lay(gone, None)
            for member in gone.members:
                member.pile = None

    def _change(self, command: ChangePiece) -> None:
        if command.id in self._piles:
            where, x, y, members = pile(command.state)
            self._stack(command.id, where, x, y, members)
            return
        thing = self._things.get(command.id)
        if thing is None:
            return
        states, old = nested(command.state), nested(command.old) if command.old else []
        if len(states) != len(thing.types):
            raise BadInputError(f"a piece of {len(thing.types)} traits gets {len(states)} states")
        if len(old) != len(states):
            old = []
        types = list(thing.types)
        place = states[-1]
        differs = (
            [new != before for new, before in zip(states, old, strict=True)]
            if old
            else [True] * len(states)
        )
        without_owners(types, states, self._players)
        merged = [
            new if changed else now
            for new, now, changed in zip(states, thing.states, differs, strict=True)
        ]
        read = piece_of(command.id, types, merged)
        thing.types, thing.states = types, merged
        name = tokens(place, ";")[0]
        if differs[-1] and (read.map, read.x, read.y) != (thing.map, thing.x, thing.y):
            self._unpile(thing)
            thing.put("" if name == "null" else name, read.x, read.y)
        else:
            thing.put(thing.map, thing.x, thing.y)

    def _move(self, command: MovePiece) -> None:
        gone = self._piles.get(command.id)
        thing = self._things.get(command.id)
        things = list(gone.members) if gone is not None else [thing] if thing is not None else []
        if not things:
            return
        under = self._things.get(command.under) if command.under else None
        place = (command.map, command.x, command.y)
        if under is not None and under.place == place and under not in things:
            self._merge(things, under)
            return
        there = self._pile_at(place, things)
        if there is not None:
            self._merge(things, there)
        elif gone is not None:
            self._lay(gone, place)
            for one in things:
                one.put(*place)
        else:
            for one in things:
                self._unpile(one)
                one.put(*place)

    def _lay(self, stack: _Pile, place: _Place | None) -> None:
        """Put a stack at a place, or nowhere; its pieces are placed separately."""
        if stack.place is not None:
            self._piles_at[stack.place].remove(stack)
        stack.place = place if stack.members else None
        if stack.place is not None:
            self._piles_at.setdefault(stack.place, []).append(stack)

    def _pile_at(self, place: _Place, things: Sequence[_Thing]) -> _Thing | None:
        """Return the topmost piece of a stack that is already at a place."""
        there = self._piles_at.get(place, ()) if place[0] else ()
        tops = (one.members[-1] for one in there)
        return next((top for top in tops if top not in things), None)

    def _merge(self, things: Sequence[_Thing], under: _Thing) -> None:
        """Put pieces directly above another."""
        pile = under.pile
        if pile is None:
            pile = under.pile = _Pile()
            pile.members = [under]
            self._lay(pile, under.place)
        for thing in things:
            self._unpile(thing)
        at = pile.members.index(under) + 1
        pile.members[at:at] = things
        for thing in things:
            thing.pile = pile
            thing.put(*(pile.place or under.place))
