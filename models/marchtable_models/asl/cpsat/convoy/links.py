"""How the vehicles of a Convoy stand to each other without a Gap: what the clauses judge, as a table."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from marchtable.planning.line.links import Links
from marchtable.planning.relation import Relation
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
    line, kind = tuple(line), kind_of(next(iter(line)))
    apart = distances(edition, position.board, kind)
    waiting = tuple(_waiting(edition, position, unit, apart) for unit in line)
    turns = Relation((), partial(_turn, kind), ("early", "overtakes")).allowed(edition)
    told = {"in_turn": "early" not in turns, "in_order": "overtakes" not in turns}
    return Links(apart, waiting, (True,) * len(line), **told)


def _turn(kind: str, how: str) -> Link:
    """Return the facts of neighbours of which the rear one comes on, or leaves the map, before it may."""
    return Link(kind, 1, **{how: True})


def distances(edition: Edition, board: Board, kind: str = "convoy") -> frozenset[int]:
    """Return at how many hexes from the one ahead the clauses see no Gap before a unit of such a line."""
    u, v = ([getattr(place, name) for place in board.locations] for name in "uv")
    most = max(u) - min(u) + max(v) - min(v)
    near = Relation((), partial(Link, kind), range(most + 1)).allowed(edition)
    return frozenset(n for n in near if not is_gap(Link(kind, n)))


def _waiting(
    edition: Edition, position: AslPosition, unit: AslUnit, apart: frozenset[int]
) -> tuple[str, ...]:
    """Return the Locations of the one ahead with which a vehicle may wait off the map."""
    board = position.board
    if unit.at is not None:
        return ()
    begin = [board.resolve(name) for name in unit.offboard.entering]
    near = [n for n in board.index if any(board.distance(n, to) <= max(apart) for to in begin)]
    told = Relation((), partial(link, position, rear=unit), near)
    together = told.allowed(edition)
    return tuple(at for at in near if at in together and not is_gap(told.facts_of(at)))
