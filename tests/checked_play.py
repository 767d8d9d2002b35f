"""Random games on one board, one after another, with every cached answer checked against ``rule``.

The games of a seed begin with different scenes on the same board, so that cached answers of one are
used in the others. They are played in both orders, each time with empty caches.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.board.board import Board
from marchtable.cache import clear_caches
from marchtable.checking import checked
from marchtable.errors import BadInputError
from marchtable.play.following import follow
from marchtable.play.moves import closed_actions, menus
from marchtable.play.options import options
from marchtable.reachability.reach import reach
from marchtable.rules.rulebook import find_rulebook
from tests.asl.random_play import TABLE as ASL
from tests.audit import Audit
from tests.keyed import Traced, questions
from tests.panzer.random_play import TABLE as PANZER
from tests.play_at_random import played
from tests.valor.random_play import TABLE as VALOR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.state.position import Position
    from tests.audit import Omission
    from tests.keyed import Difference
    from tests.play_at_random import Table

    Pos = Position[Any, Any]

__all__ = [
    "BOOKS", "Round", "audited_round", "check_position", "check_round", "rounds", "traced_round", "traces",
]  # fmt: skip

BOOKS = {"asl": ASL, "panzer": PANZER, "valor": VALOR}
LINED = frozenset(("convoy", "night", "platoon", "armored"))
"""Scenes whose joint actions have too many members to complete all of them."""


class Round(NamedTuple):
    """
    Games of one rulebook on one board.

    Parameters
    ----------
    book, seed
        Which of them.
    scenes
        What each game begins with, by name.
    steps
        Random steps that are tried in each.
    """

    book: str
    seed: int
    scenes: tuple[tuple[str, Pos], ...]
    steps: int

    def games(self, order: int) -> Iterator[tuple[str, list[Pos]]]:
        """Yield each game's positions, on a board with empty caches; backwards if `order` is -1."""
        table, board = BOOKS[self.book], self.scenes[0][1].board
        anew = Board(board.name, board.locations, board.edges, board.aliases)
        for number, (name, laid) in [*enumerate(self.scenes)][::order]:
            here, seed = msgspec.structs.replace(laid, board=anew), self.seed * 100 + number
            yield name, [step.before for step in played(table, name, seed, self.steps, here)]


def rounds(book: str, seed: int, games: int, steps: int) -> Round:
    """Return games that begin with different scenes on the board of the first, as far as these fit on it."""
    table, random = BOOKS[book], Random(f"{book} {seed}")
    names = sorted(table.scenes) * (1 if len(table.scenes) > 1 else games)
    random.shuffle(names)
    found: list[tuple[str, Pos]] = []
    for name in names:
        laid = table.scenes[name](random)
        if found:
            laid = msgspec.structs.replace(laid, board=found[0][1].board)
        if _is_possible(table, laid):
            found.append((name, laid))
        if len(found) == games:
            break
    return Round(book, seed, tuple(found), steps)


def _is_possible(table: Table, position: Pos) -> bool:
    """Return whether a scene's units and counters can stand on its board."""
    names = {one.at for one in (*position.units, *position.counters) if one.at is not None}
    if not names.issubset(position.board.index):
        return False
    try:
        find_rulebook(position.rulebook).check_position(position)
    except BadInputError:
        return False
    return position.phase in table.phases


def check_position(position: Pos, *, all_of_it: bool, closes: bool, units: int = 99) -> None:
    """List the options, and perhaps reach and options of this many units, all of it checked."""
    names = [unit.id for unit in position.units][:units]
    with checked():
        menus(position)
        if not all_of_it:
            return
        for name in names:
            menus(position, name)
        if closes:
            closed_actions(position)
        reach(position, names)
        for name in names:
            options(position, name, reach=False)


def check_round(games: Round, every: int = 3, units: int = 99) -> int:
    """Play games in both orders, checking caches against ``rule``; return the number of positions.

    Reach and options are asked in one of `every` positions, for this many units.

    Raises
    ------
    WrongMemoryError
        If an answer was remembered that the referee does not give.
    """
    count = 0
    for order in (1, -1):
        clear_caches()
        for name, positions in games.games(order):
            last: Pos | None = None
            for number, position in enumerate(positions):
                if last is not None and last.board is position.board:
                    follow(last, position)
                last = position
                if not position.pending:
                    count += 1
                    given: Any = {"closes": name not in LINED, "units": units}
                    check_position(position, all_of_it=number % every == 0, **given)
    return count


def traces() -> Traced:
    """Return traces without the order of PanzerBlitz stacks, which forbids and charges nothing."""
    return Traced("Recording")


def traced_round(games: Round, known: Traced, every: int = 1) -> Iterator[Difference]:
    """Yield the differences between traces of one key, for one in this many questions on each position."""
    random = Random(f"{games.book} {games.seed}")
    for _, positions in games.games(1):
        for position in positions:
            for question in questions(position, random):
                if every == 1 or random.random() * every < 1:
                    found = known.ask(question)
                    if found is not None:
                        yield found


def audited_round(games: Round, every: int = 8, share: float = 0.02) -> Iterator[Omission]:
    """Yield what keys omit in one of `every` positions: this share of all alterations is tried."""
    random = Random(f"{games.book} {games.seed}")
    for _, positions in games.games(1):
        for position in positions[::every]:
            if not position.pending:
                yield from Audit(position, random).omissions(share=share)
