"""A table as a report's reader sees it: hidden things do not affect how logs are linked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from marchtable.errors import BadInputError
from marchtable.vasl.logs.live import Image, LiveTable
from marchtable.vasl.saves.pieces import Piece

if TYPE_CHECKING:
    from collections.abc import Iterable

    from marchtable.vasl.logs.commands import Command
    from marchtable.vasl.logs.live import Changes
    from marchtable.vasl.saves.savefile import Save

__all__ = ["Show", "ShownTable"]

Show = Callable[[Sequence[Piece]], Sequence[Piece]]
"""A reader's view of a stack. A piece without an id stands for several concealed ones."""

_Key = tuple[str, Image]


class ShownTable:
    """
    A table on which commands are executed, with a reader's view.

    Parameters
    ----------
    save
        The starting position.
    show
        The reader's view of a stack.
    players
        Players' numbers (see :class:`LiveTable`).
    """

    def __init__(self, save: Save, show: Show, players: dict[str, str]) -> None:
        self.table, self._show = LiveTable(save, players), show
        self._keys: dict[str, frozenset[_Key]] = {}
        """The view of each piece; one that stands for several of a stack belongs to the lowest."""
        self._count: Counter[_Key] = Counter()
        self.hash = 0
        """A number that is equal for tables that look equal."""
        self._look(self._all())

    def _all(self) -> list[str]:
        return [piece.id for pieces in self.table.piles() for piece in pieces]

    def play(self, commands: Sequence[Command]) -> tuple[Changes, bool]:
        """
        Execute commands; return their net effect, and whether the reader sees any of it.

        If so, only the visible part is returned. A change of concealed pieces is that of a `?`.
        """
        try:
            changes, near = self.table.play(commands)
        except BadInputError:  # reported when the recording is judged
            self._look({*self._all(), *self._keys})
            return {}, False
        seen, shown = self._look(near | changes.keys())
        whole = {
            name: both
            for name, both in changes.items()
            if name in shown and None not in seen.get(name, both)
        }
        visible = seen | whole
        return (visible, True) if visible else (changes, False)

    def _look(self, numbers: Iterable[str]) -> tuple[Changes, set[str]]:
        """Look at pieces again; return the visible changes, and the visible pieces."""
        piles = list(self.table.piles(numbers))
        numbers = {*numbers, *(piece.id for pieces in piles for piece in pieces)}
        before: Counter[_Key] = Counter()
        after: Counter[_Key] = Counter()
        shown: set[str] = set()
        for number in numbers:
            before.update(self._keys.pop(number, ()))
        for pieces in piles:
            lowest: set[_Key] = set()
            for piece in self._show(pieces):
                image = self.table.image(piece.id)
                if image is not None:
                    shown.add(piece.id)
                    self._note(piece.id, {(piece.id, image._replace(passing=()))}, after)
                else:
                    place = Image(piece.map, piece.x, piece.y, (), ())
                    lowest.add((f"? {piece.nation} {place}", place))
            self._note(pieces[0].id, lowest, after)
        return self._changed(before, after), shown

    def _note(self, number: str, keys: set[_Key], after: Counter[_Key]) -> None:
        if keys:
            self._keys[number] = self._keys.get(number, frozenset()) | keys
            after.update(keys)

    def _changed(self, before: Counter[_Key], after: Counter[_Key]) -> Changes:
        """Compare the view before and after by counts, and return the changes by piece."""
        was: dict[str, Image] = {}
        now: dict[str, Image] = {}
        for key in {**before, **after}:
            old = self._count[key]
            self._count[key] = old - before[key] + after[key]
            if bool(old) == bool(self._count[key]):
                continue
            self.hash ^= hash(key)
            name, image = key
            (was if old else now)[name] = image
        return {name: (was.get(name), now.get(name)) for name in {**was, **now}}
