"""Lines of sight over forged boards, in short notation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.rulebook import find_rulebook
from marchtable.sight.facts import Obstruction, Sight, SightFacts, Viewpoint
from marchtable.sight.table import sights
from marchtable.vasl import import_board

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from marchtable.board.board import Board
    from tests.vasl.forge import Forge

__all__ = ["ask", "facts", "look", "made"]


def facts() -> SightFacts:
    """Return terrain effects in June."""
    found = find_rulebook("asl").sight_facts(None)
    assert found is not None
    return found


def ask(board: Board, pairs: Iterable[str], *lying: Obstruction) -> list[Sight]:
    """Return lines of sight, each asked for as ``"A1 B2"`` or ``"A1@1.5 B2"``."""
    rows = []
    for pair in pairs:
        ends = []
        for end in pair.split():
            at, _, level = end.partition("@")
            height = round(2 * float(level)) if level else 2 * board[at].level
            ends.append(Viewpoint(at, height))
        rows.append((ends[0], ends[1]))
    return sights(board, facts(), rows, lying)


def look(board: Board, pair: str, *lying: Obstruction) -> str:
    """Return one line of sight in short: ``"clear +1"`` or ``"blocked A6.2"``."""
    (found,) = ask(board, [pair], *lying)
    more = found.clause or (f"+{found.hindrance}" if found.hindrance else "")
    return f"{found.verdict} {more}".strip()


def made(tmp_path: Path, forge: Forge, name: str = "bd07") -> Board:
    """Return the board of a forge."""
    return import_board(forge.write(tmp_path / name))
