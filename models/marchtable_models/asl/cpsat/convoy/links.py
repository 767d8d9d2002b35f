"""How the vehicles of a Convoy stand to each other without a Gap: what the clauses judge, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.planning.line.links import Links
from marchtable_models.asl.extraction.lines import is_gap, kind_of, link
from marchtable_models.asl.facts.lines import Link

if TYPE_CHECKING:
    from collections.abc import Iterable

    from marchtable.board.board import Board
    from marchtable.rules.edition import Edition
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["distances", "links_of"]


def links_of(edition: Edition, position: AslPosition, line: Iterable[AslUnit]) -> Links:
    """Return what binds the vehicles of a line."""
    line = tuple(line)
    apart = distances(edition, position.board, kind_of(line[0]))
    waiting = tuple(_waiting(edition, position, unit, apart) for unit in line)
    early = Link(kind_of(line[0]), 1, early=True)
    in_turn = not _stands(edition, early)
    return Links(apart, waiting, (True,) * len(line), in_turn=in_turn)


def distances(edition: Edition, board: Board, kind: str = "convoy") -> frozenset[int]:
    """Return at how many hexes from the one ahead the clauses see no Gap before a unit of such a line."""
    u, v = ([getattr(place, name) for place in board.locations] for name in "uv")
    most = max(u) - min(u) + max(v) - min(v)
    return frozenset(n for n in range(most + 1) if _stands(edition, Link(kind, n)))


def _stands(edition: Edition, found: Link) -> bool:
    """Tell whether two neighbours stand in line as the clauses judge it."""
    return not (is_gap(found) or edition.judge(found).bars)


def _waiting(
    edition: Edition, position: AslPosition, unit: AslUnit, apart: frozenset[int]
) -> tuple[str, ...]:
    """Return the Locations of the one ahead with which a vehicle may wait off the map."""
    board = position.board
    if unit.at is not None:
        return ()
    begin = [board.resolve(name) for name in unit.offboard.entering]
    near = [n for n in board.index if any(board.distance(n, to) <= max(apart) for to in begin)]
    return tuple(name for name in near if _stands(edition, link(position, name, unit)))
